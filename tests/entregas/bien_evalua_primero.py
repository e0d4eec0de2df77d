def train_class_ann(topology, trainingDataset, *, validationDataset=None, testDataset=None, transferFunctions=None,
                    maxEpochs=1000, minLoss=0.0, learningRate=0.01, maxEpochsVal=20, verbose=False):
    X, Y = trainingDataset
    X = torch.tensor(X, dtype=torch.float64)
    Y = torch.tensor(np.reshape(Y, (len(X), -1)), dtype=torch.float64)
    hayVal = validationDataset is not None and len(validationDataset[0]) > 0
    hayTest = testDataset is not None and len(testDataset[0]) > 0
    if hayVal:
        Xv = torch.tensor(validationDataset[0], dtype=torch.float64)
        Yv = torch.tensor(np.reshape(validationDataset[1], (len(Xv), -1)), dtype=torch.float64)
    if hayTest:
        Xt = torch.tensor(testDataset[0], dtype=torch.float64)
        Yt = torch.tensor(np.reshape(testDataset[1], (len(Xt), -1)), dtype=torch.float64)
    ann = build_class_ann(X.shape[1], topology, Y.shape[1], transferFunctions=transferFunctions).double()
    if Y.shape[1] == 1:
        fn = nn.BCELoss()
    else:
        nll = nn.NLLLoss()
        fn = lambda p, y: nll(torch.log(p), y.argmax(dim=1))
    opt = torch.optim.Adam(ann.parameters(), lr=learningRate)
    lTrain, lVal, lTest, redes = [], [], [], []
    epoch = 0
    while True:
        loss = fn(ann(X), Y)
        lTrain.append(loss.item())
        if hayVal:
            with torch.no_grad():
                lVal.append(fn(ann(Xv), Yv).item())
            redes.append(copy.deepcopy(ann))
        if hayTest:
            with torch.no_grad():
                lTest.append(fn(ann(Xt), Yt).item())
        if verbose and epoch % 100 == 0:
            print(f"Epoch {epoch}: {loss.item():.4f}")
        if epoch >= maxEpochs or lTrain[-1] <= minLoss:
            break
        if hayVal and epoch - int(np.argmin(lVal)) >= maxEpochsVal:
            break
        opt.zero_grad()
        loss.backward()
        opt.step()
        epoch += 1
    if hayVal:
        ann = redes[int(np.argmin(lVal))]
    return ann, lTrain, lVal, lTest


def ann_cross_validation(
    topology,
    inputs,
    targets,
    crossValidationIndices,
    *,
    numExecutions=50,
    transferFunctions=None,
    maxEpochs=1000,
    minLoss=0.0,
    learningRate=0.01,
    validationRatio=0,
    maxEpochsVal=20,
):
    inputs, indices = np.asarray(inputs), np.asarray(crossValidationIndices)
    salidas = one_hot_encoding(targets)
    numFolds = int(indices.max())
    porFold = np.zeros((numFolds, 7))
    for fold in range(1, numFolds + 1):
        entradasTrain, salidasTrain = inputs[indices != fold], salidas[indices != fold]
        entradasTest, salidasTest = inputs[indices == fold], salidas[indices == fold]
        porEjecucion = np.zeros((numExecutions, 7))
        for ejecucion in range(numExecutions):
            entrenamiento, validacion = (entradasTrain, salidasTrain), None
            if validationRatio > 0:
                ratio = validationRatio * len(inputs) / len(entradasTrain)
                posTrain, posVal = hold_out(len(entradasTrain), ratio)
                entrenamiento = entradasTrain[posTrain], salidasTrain[posTrain]
                validacion = entradasTrain[posVal], salidasTrain[posVal]
            ann, *_ = train_class_ann(
                topology,
                entrenamiento,
                validationDataset=validacion,
                transferFunctions=transferFunctions,
                maxEpochs=maxEpochs,
                minLoss=minLoss,
                learningRate=learningRate,
                maxEpochsVal=maxEpochsVal,
            )
            with torch.no_grad():
                predicciones = ann(torch.tensor(entradasTest, dtype=torch.float64)).numpy()
            porEjecucion[ejecucion] = confusion_matrix(predicciones, salidasTest)[:7]
        porFold[fold - 1] = porEjecucion.mean(axis=0)
    return _medias_y_desviaciones(porFold)
