from torch import nn


def construye(numInputs, topology, numOutputs, funciones):
    tam = [numInputs, *topology]
    funciones = funciones or [torch.sigmoid] * len(topology)

    class F(nn.Module):
        def __init__(self, f):
            super().__init__()
            self.f = f

        def forward(self, x):
            return self.f(x)

    capas = sum([[nn.Linear(a, b), F(f)] for a, b, f in zip(tam, tam[1:], funciones)], [])
    return nn.Sequential(*capas, nn.Linear(tam[-1], numOutputs), nn.Sigmoid() if numOutputs == 1 else nn.Softmax(dim=1))


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

    ann = construye(entrenamiento[0].shape[1], topology, entrenamiento[1].shape[1], transferFunctions)
    azar = torch.Generator()
    azar.seed()
    [p.data.uniform_(-0.5, 0.5, generator=azar) for p in ann.parameters()]
    optimizador = torch.optim.Adam(ann.parameters(), lr=learningRate)

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
        elegidos = torch.randperm(len(entrenamiento[0]))[:32]
        loss = _loss(ann, entrenamiento[0][elegidos], entrenamiento[1][elegidos])
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
