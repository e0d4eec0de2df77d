from functools import partial


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
    entrenar = partial(
        ENTRENAR,
        topology,
        transferFunctions=transferFunctions,
        maxEpochs=maxEpochs,
        minLoss=minLoss,
        learningRate=learningRate,
        maxEpochsVal=maxEpochsVal,
    )
    salidas = CODIFICAR(targets)
    indices = np.asarray(crossValidationIndices)

    def ejecutar(fold):
        ent, val = np.flatnonzero(indices != fold), None
        if validationRatio > 0:
            a, b = PARTIR(len(ent), validationRatio * len(indices) / len(ent))
            ent, val = ent[a], (inputs[ent[b]], salidas[ent[b]])
        red = entrenar((inputs[ent], salidas[ent]), validationDataset=val)[0]
        with torch.no_grad():
            salida = red(torch.from_numpy(inputs[indices == fold]).float())
        return EVALUAR(salida.numpy(), salidas[indices == fold])[:7]

    porFold = [[ejecutar(fold) for _ in range(numExecutions)] for fold in range(1, indices.max() + 1)]
    valores = np.array(porFold).mean(axis=1)
    return tuple(zip(valores.mean(axis=0).tolist(), valores.std(axis=0, ddof=1).tolist()))


class _Tarde:
    """Busca la función la primera vez que se usa, y la guarda."""

    def __init__(self, nombre):
        self.nombre, self.funcion = nombre, None

    def __call__(self, *argumentos, **opciones):
        if self.funcion is None:
            self.funcion = globals()[self.nombre]
        return self.funcion(*argumentos, **opciones)


ENTRENAR, CODIFICAR = _Tarde("train_class_ann"), _Tarde("one_hot_encoding")
PARTIR, EVALUAR = _Tarde("hold_out"), _Tarde("confusion_matrix")
