class Densa(nn.Linear):
    """Una capa con su función."""

    def __init__(self, entradas, salidas, funcion):
        super().__init__(entradas, salidas)
        self.funcion = funcion

    def forward(self, x):
        return self.funcion(super().forward(x))


def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
    tamaños = [numInputs, *topology, numOutputs]
    ocultas = [torch.sigmoid] * len(topology) if transferFunctions is None else transferFunctions
    ultima = torch.sigmoid if numOutputs == 1 else lambda x: torch.softmax(x, dim=1)
    return nn.Sequential(*(Densa(*capa) for capa in zip(tamaños, tamaños[1:], [*ocultas, ultima])))


def train_class_ann(topology, trainingDataset, *, validationDataset=None, testDataset=None, transferFunctions=None,
                    maxEpochs=1000, minLoss=0.0, learningRate=0.01, maxEpochsVal=20):
    entrenamiento, validacion, test = _tensores(trainingDataset), _tensores(validationDataset), _tensores(testDataset)
    tamaño = entrenamiento[0].shape[1], topology, entrenamiento[1].shape[1]
    ann = build_class_ann(*tamaño, transferFunctions=transferFunctions)
    mejor = build_class_ann(*tamaño, transferFunctions=transferFunctions)
    optimizador = torch.optim.Adam(ann.parameters(), lr=learningRate)
    losses = [], [], []
    sinMejorar = 0
    for ciclo in range(maxEpochs + 1):
        if ciclo > 0:
            optimizador.zero_grad()
            _loss(ann, *entrenamiento).backward()
            optimizador.step()
        _anotar(losses[0], ann, entrenamiento)
        _anotar(losses[1], ann, validacion)
        _anotar(losses[2], ann, test)
        if validacion is None or losses[1][-1] < min(losses[1][:-1], default=np.inf):
            mejor.load_state_dict(ann.state_dict())
            sinMejorar = 0
        else:
            sinMejorar += 1
        if losses[0][-1] <= minLoss or sinMejorar == maxEpochsVal:
            break
    return mejor, *losses
