from concurrent.futures import ThreadPoolExecutor


def ann_cross_validation(topology, inputs, targets, crossValidationIndices, *, numExecutions=50, transferFunctions=None,
                         maxEpochs=1000, minLoss=0.0, learningRate=0.01, validationRatio=0, maxEpochsVal=20, workers=2):
    inputs, indices = np.asarray(inputs), np.asarray(crossValidationIndices)
    salidas = one_hot_encoding(targets)

    def una(fold):
        train, test = np.flatnonzero(indices != fold), np.flatnonzero(indices == fold)
        validacion = None
        if validationRatio > 0:
            a, b = hold_out(len(train), validationRatio * len(inputs) / len(train))
            validacion = inputs[train[b]], salidas[train[b]]
            train = train[a]
        ann, *_ = train_class_ann(topology, (inputs[train], salidas[train]), validationDataset=validacion,
                                  transferFunctions=transferFunctions, maxEpochs=maxEpochs, minLoss=minLoss,
                                  learningRate=learningRate, maxEpochsVal=maxEpochsVal)
        with torch.no_grad():
            return confusion_matrix(ann(torch.tensor(inputs[test], dtype=torch.float32)).numpy(), salidas[test])[:7]

    porFold = []
    with ThreadPoolExecutor(workers) as hilos:
        for fold in range(1, indices.max() + 1):
            porFold.append(np.mean(list(hilos.map(una, [fold] * numExecutions)), axis=0))
    return _medias_y_desviaciones(porFold)
