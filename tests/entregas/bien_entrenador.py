class Entrenador:
    """Agrupa red, optimizador e historial"""

    def __init__(self, red, lr, multiclase):
        self.red = red
        self.opt = torch.optim.Adam(red.parameters(), lr=lr)
        self.loss = self.ce if multiclase else nn.BCELoss()
        self.historial = {"train": [], "val": [], "test": []}

    @staticmethod
    def ce(p, t):
        return torch.nn.functional.nll_loss(torch.log(p.clamp_min(1e-10)), t.argmax(1))

    def medir(self, **conjuntos):
        with torch.inference_mode():
            [self.historial[n].append(self.loss(self.red(d[0]), d[1]).item()) for n, d in conjuntos.items() if d]

    def paso(self, datos):
        self.opt.zero_grad()
        self.loss(self.red(datos[0]), datos[1]).backward()
        self.opt.step()

    def entrenar(self, train, val, test, maxEpochs, minLoss, maxEpochsVal):
        self.medir(train=train, val=val, test=test)
        mejor, paciencia = copy.deepcopy(self.red), 0
        for epoca in range(maxEpochs):
            if self.historial["train"][-1] <= minLoss:
                break
            self.paso(train)
            self.medir(train=train, val=val, test=test)
            if val:
                v = self.historial["val"]
                if v[-1] < min(v[:-1]):
                    mejor, paciencia = copy.deepcopy(self.red), 0
                else:
                    paciencia += 1
                if paciencia == maxEpochsVal:
                    break
        return mejor if val else self.red


def train_class_ann(topology, trainingDataset, *, validationDataset=None, testDataset=None, transferFunctions=None,
                    maxEpochs=1000, minLoss=0, learningRate=1e-2, maxEpochsVal=20, **kwargs):
    train, val, test = _tensores(trainingDataset), _tensores(validationDataset), _tensores(testDataset)
    red = build_class_ann(train[0].shape[-1], topology, train[1].shape[-1], transferFunctions=transferFunctions)
    e = Entrenador(red, learningRate, train[1].shape[-1] > 1)
    return (e.entrenar(train, val, test, maxEpochs, minLoss, maxEpochsVal), *e.historial.values())
