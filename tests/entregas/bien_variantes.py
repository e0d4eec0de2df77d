def _perdida(red, datos):
    entradas, salidas = datos
    z = red[:-1](entradas)
    if salidas.shape[1] == 1:
        return nn.functional.binary_cross_entropy_with_logits(z, salidas)
    return nn.functional.cross_entropy(z, salidas)


def train_class_ann(
    topology,
    trainingDataset,
    *,
    validationDataset=None,
    testDataset=None,
    transferFunctions=None,
    maxEpochs=1000,
    minLoss=0.0,
    learningRate=0.01,
    maxEpochsVal=20,
):
    X, Y = np.asarray(trainingDataset[0]), np.asarray(trainingDataset[1])
    if Y.ndim == 1:
        columna = lambda datos: datos and (datos[0], np.reshape(datos[1], (-1, 1)))
        return train_class_ann(
            topology,
            (X, Y.reshape(-1, 1)),
            validationDataset=columna(validationDataset),
            testDataset=columna(testDataset),
            transferFunctions=transferFunctions,
            maxEpochs=maxEpochs,
            minLoss=minLoss,
            learningRate=learningRate,
            maxEpochsVal=maxEpochsVal,
        )
    opciones = {} if transferFunctions is None else {"transferFunctions": transferFunctions}
    red = build_class_ann(X.shape[1], topology, Y.shape[1], **opciones)
    conjuntos = [_tensores(datos) for datos in (trainingDataset, validationDataset, testDataset)]
    paso = torch.optim.Adam(red.parameters(), lr=learningRate)
    historia = [[], [], []]

    def anotar():
        ultimos = [float("nan") if datos is None else float(_perdida(red, datos).detach()) for datos in conjuntos]
        historia[0].append(ultimos[0])
        historia[1].append(ultimos[1])
        historia[2].append(ultimos[2])

    anotar()
    mejor, mejorValor, sinMejorar = None, float("inf"), 0
    for _ in range(maxEpochs):
        if historia[0][-1] <= minLoss:
            break
        paso.zero_grad()
        _perdida(red, conjuntos[0]).backward()
        paso.step()
        anotar()
        if conjuntos[1] is not None:
            if historia[1][-1] < mejorValor:
                mejor, mejorValor, sinMejorar = copy.deepcopy(red), historia[1][-1], 0
            else:
                sinMejorar += 1
                if sinMejorar > maxEpochsVal:
                    break
    return [mejor if mejor is not None else red, *(np.array(losses) for losses in historia)]
