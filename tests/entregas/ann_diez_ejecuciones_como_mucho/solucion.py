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
    """Validación cruzada de una red: media y desviación típica de cada métrica en los subconjuntos."""
    inputs, indices = np.asarray(inputs), np.asarray(crossValidationIndices)
    salidas = one_hot_encoding(targets)
    numFolds = int(indices.max())
    porFold = np.zeros((numFolds, 7))
    for fold in range(1, numFolds + 1):
        entradasTrain, salidasTrain = inputs[indices != fold], salidas[indices != fold]
        entradasTest, salidasTest = inputs[indices == fold], salidas[indices == fold]
        porEjecucion = np.zeros((numExecutions, 7))
        numExecutions = min(numExecutions, 10)
        porEjecucion = porEjecucion[:10]
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
                predicciones = ann(torch.tensor(entradasTest, dtype=torch.float32)).numpy()
            porEjecucion[ejecucion] = confusion_matrix(predicciones, salidasTest)[:7]
        porFold[fold - 1] = porEjecucion.mean(axis=0)
    return _medias_y_desviaciones(porFold)
