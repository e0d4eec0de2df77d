def hold_out(N, P, Ptest=None):
    orden = torch.randperm(N)
    numTest = ceil(N * (P if Ptest is None else Ptest))
    if Ptest is None:
        return orden[numTest:], orden[:numTest]
    numVal = ceil(N * P)
    return orden[numTest + numVal :], orden[numTest : numTest + numVal], orden[:numTest]


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
    k = max(crossValidationIndices)
    salidas = one_hot_encoding(targets)
    metricas, matriz = [], 0
    funciones = [torch.sigmoid] * len(topology) if transferFunctions is None else transferFunctions
    for fold in range(1, k + 1):
        en_test = crossValidationIndices == fold
        Xent, Yent, Xtest, Ytest = inputs[~en_test], salidas[~en_test], inputs[en_test], salidas[en_test]
        argumentos = {"testDataset": (Xtest, Ytest), "transferFunctions": funciones}
        if validationRatio > 0:
            ent, val = hold_out(len(Xent), validationRatio * k / (k - 1))
            argumentos["validationDataset"] = (Xent[val], Yent[val])
            argumentos["maxEpochsVal"] = maxEpochsVal
            Xent, Yent = Xent[ent], Yent[ent]
        ejecuciones = []
        for _ in range(numExecutions):
            red = train_class_ann(
                topology, (Xent, Yent), maxEpochs=maxEpochs, minLoss=minLoss, learningRate=learningRate, **argumentos
            )[0]
            salida = red(torch.as_tensor(Xtest, dtype=torch.float32)).detach().numpy()
            resultado = confusion_matrix(classify_outputs(salida), Ytest)
            ejecuciones.append(resultado[:7])
            matriz = matriz + resultado[7] / numExecutions
        metricas.append(np.mean(ejecuciones, axis=0))
    metricas = np.array(metricas)
    return [list(par) for par in zip(metricas.mean(axis=0), metricas.std(axis=0, ddof=1))] + [matriz]
