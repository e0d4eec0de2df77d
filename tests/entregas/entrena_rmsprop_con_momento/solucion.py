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
    """Entrena una red; con conjunto de validación, hace parada temprana y devuelve la mejor."""
    entrenamiento = _tensores(trainingDataset)
    validacion = _tensores(validationDataset)
    test = _tensores(testDataset)

    ann = build_class_ann(
        entrenamiento[0].shape[1], topology, entrenamiento[1].shape[1], transferFunctions=transferFunctions
    )
    optimizador = torch.optim.RMSprop(ann.parameters(), lr=learningRate, momentum=0.9)

    trainingLosses, validationLosses, testLosses = [], [], []
    _anotar(trainingLosses, ann, entrenamiento)
    _anotar(validationLosses, ann, validacion)
    _anotar(testLosses, ann, test)

    mejor, mejorLoss, ciclosSinMejorar = ann, np.inf, 0
    if validacion is not None:
        mejor, mejorLoss = copy.deepcopy(ann), validationLosses[0]

    ciclo = 0
    while ciclo < maxEpochs and trainingLosses[-1] > minLoss and ciclosSinMejorar < maxEpochsVal:
        optimizador.zero_grad()
        loss = _loss(ann, *entrenamiento)
        loss.backward()
        optimizador.step()
        ciclo += 1

        _anotar(trainingLosses, ann, entrenamiento)
        _anotar(validationLosses, ann, validacion)
        _anotar(testLosses, ann, test)
        if validacion is not None:
            if validationLosses[-1] < mejorLoss:
                mejor, mejorLoss, ciclosSinMejorar = copy.deepcopy(ann), validationLosses[-1], 0
            else:
                ciclosSinMejorar += 1

    return mejor, trainingLosses, validationLosses, testLosses
