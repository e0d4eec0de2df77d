class Red(nn.Module):
    def __init__(self, capas):
        super().__init__()
        self.capas = nn.Sequential(*capas)

    def forward(self, x):
        return self.capas(x)

    def predecir(self, x):
        with torch.no_grad():
            return self(torch.as_tensor(np.asarray(x), dtype=torch.float32)).numpy()


def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
    if transferFunctions is None:
        transferFunctions = [torch.sigmoid] * len(topology)
    capas = []
    entradas = numInputs
    for neuronas, funcion in zip(topology, transferFunctions):
        capas += [_capa(entradas, neuronas), Activacion(funcion)]
        entradas = neuronas
    capas.append(_capa(entradas, numOutputs))
    capas.append(nn.Sigmoid() if numOutputs == 1 else nn.Softmax(dim=1))
    return Red(capas)


def ann_cross_validation(topology, inputs, targets, crossValidationIndices, *, numExecutions=50, transferFunctions=None,
                         maxEpochs=1000, minLoss=0.0, learningRate=0.01, validationRatio=0, maxEpochsVal=20):
    inputs, indices = np.asarray(inputs), np.asarray(crossValidationIndices)
    salidas = one_hot_encoding(targets)
    porFold = []
    for fold in range(1, int(indices.max()) + 1):
        train, test = indices != fold, indices == fold
        nTrain = int(train.sum())
        porEjecucion = []
        if validationRatio > 0:
            posTrain, posVal = hold_out(nTrain, validationRatio * len(inputs) / nTrain)
        for _ in range(numExecutions):
            if validationRatio > 0:
                red, *_ = train_class_ann(topology, (inputs[train][posTrain], salidas[train][posTrain]),
                                          validationDataset=(inputs[train][posVal], salidas[train][posVal]),
                                          transferFunctions=transferFunctions, maxEpochs=maxEpochs, minLoss=minLoss,
                                          learningRate=learningRate, maxEpochsVal=maxEpochsVal)
            else:
                red, *_ = train_class_ann(topology, (inputs[train], salidas[train]), transferFunctions=transferFunctions,
                                          maxEpochs=maxEpochs, minLoss=minLoss, learningRate=learningRate,
                                          maxEpochsVal=maxEpochsVal)
            porEjecucion.append(confusion_matrix(red.predecir(inputs[test]), salidas[test])[:7])
        porFold.append(np.mean(porEjecucion, axis=0))
    return _medias_y_desviaciones(porFold)
