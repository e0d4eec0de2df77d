from typing import NamedTuple


class Entrenamiento(NamedTuple):
    """Lo que devuelve el entrenamiento."""

    ann: nn.Module
    trainingLosses: list
    validationLosses: list
    testLosses: list


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
    conjuntos = [_tensores(c) for c in (trainingDataset, validationDataset, testDataset)]
    red = build_class_ann(
        conjuntos[0][0].shape[1], topology, conjuntos[0][1].shape[1], transferFunctions=transferFunctions
    )
    optimizador = torch.optim.AdamW(red.parameters(), lr=learningRate, weight_decay=0.0)
    losses = Entrenamiento(red, [], [], [])
    hayValidacion = conjuntos[1] is not None

    def medir():
        [_anotar(vector, red, conjunto) for vector, conjunto in zip(losses[1:], conjuntos)]

    medir()
    guardados = {n: p.detach().clone() for n, p in red.state_dict().items()}
    mejorCiclo = 0
    for ciclo in range(1, maxEpochs + 1):
        if losses.trainingLosses[-1] <= minLoss or (hayValidacion and ciclo - 1 - mejorCiclo >= maxEpochsVal):
            break
        optimizador.zero_grad()
        _loss(red, *conjuntos[0]).backward()
        optimizador.step()
        medir()
        if hayValidacion and losses.validationLosses[-1] < losses.validationLosses[mejorCiclo]:
            mejorCiclo = ciclo
            guardados = {n: p.detach().clone() for n, p in red.state_dict().items()}
    if hayValidacion:
        red.load_state_dict(guardados)
    return losses


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
    salidas, indices = one_hot_encoding(targets), np.asarray(crossValidationIndices)
    opciones = dict(
        transferFunctions=transferFunctions,
        maxEpochs=maxEpochs,
        minLoss=minLoss,
        learningRate=learningRate,
        maxEpochsVal=maxEpochsVal,
    )
    resultados = []
    for fold in np.unique(indices):
        train, test = indices != fold, indices == fold
        valores = []
        for _ in range(numExecutions):
            X, Y = inputs[train].astype(np.float32), salidas[train]
            validacion = (np.empty((0, X.shape[1])), np.empty((0, Y.shape[1]), dtype=bool))
            if validationRatio > 0:
                ent, val = hold_out(len(X), validationRatio * len(inputs) / len(X))
                validacion, X, Y = (X[val], Y[val]), X[ent], Y[ent]
            red = train_class_ann(topology, (X, Y), validationDataset=validacion, **opciones).ann
            red.eval()
            salida = red(torch.tensor(inputs[test], dtype=torch.float32)).detach().numpy()
            valores.append(confusion_matrix(outputs=salida, targets=salidas[test])[:7])
        resultados.append(np.mean(valores, axis=0))
    return tuple((m, s) for m, s in zip(np.mean(resultados, axis=0), np.std(resultados, axis=0, ddof=1)))
