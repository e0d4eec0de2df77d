def ann_cross_validation(topology, inputs, targets, crossValidationIndices, *, numExecutions=50, transferFunctions=None,
                         maxEpochs=1000, minLoss=0.0, learningRate=0.01, validationRatio=0, maxEpochsVal=20):
    if len(inputs) != len(targets) or len(targets) != len(crossValidationIndices):
        raise ValueError("Los tamaños no coinciden")
    if transferFunctions is None:
        transferFunctions = [torch.sigmoid for _ in topology]
    T = one_hot_encoding(targets)
    k = np.max(crossValidationIndices)
    resultados = np.zeros((k, 7))
    for i, fold in enumerate(range(1, k + 1)):
        Xtr, Ttr = np.delete(inputs, np.where(crossValidationIndices == fold), axis=0), np.delete(T, np.where(crossValidationIndices == fold), axis=0)
        Xte, Tte = inputs[crossValidationIndices == fold], T[crossValidationIndices == fold]
        parciales = np.zeros(7)
        for _ in range(numExecutions):
            if validationRatio == 0:
                ann = train_class_ann(topology, (Xtr, Ttr), transferFunctions=transferFunctions, maxEpochs=maxEpochs,
                                      minLoss=minLoss, maxEpochsVal=maxEpochsVal)[0]
            else:
                tr, va = hold_out(len(Xtr), validationRatio * (len(inputs) / len(Xtr)))
                ann = train_class_ann(topology, (Xtr[tr], Ttr[tr]), validationDataset=(Xtr[va], Ttr[va]),
                                      transferFunctions=transferFunctions, maxEpochs=maxEpochs, minLoss=minLoss,
                                      learningRate=learningRate, maxEpochsVal=maxEpochsVal)[0]
            y = ann(torch.FloatTensor(Xte)).data.numpy()
            parciales += confusion_matrix(y, Tte)[0:7]
        resultados[i] = parciales / numExecutions
    return np.stack([np.mean(resultados, axis=0), np.std(resultados, axis=0, ddof=1)], axis=1)
