class RedClasificacion(nn.Module):
    def __init__(self, numInputs, topology, numOutputs, transferFunctions):
        super().__init__()
        tamanos = [numInputs, *topology]
        self.ocultas = nn.ModuleList([nn.Linear(a, b) for a, b in zip(tamanos[:-1], tamanos[1:])])
        self.salida = nn.Linear(tamanos[-1], numOutputs)
        self.funciones = transferFunctions
        self.numOutputs = numOutputs

    def logits(self, x):
        for capa, f in zip(self.ocultas, self.funciones):
            x = f(capa(x))
        return self.salida(x)

    def forward(self, x):
        z = self.logits(x)
        if self.numOutputs == 1:
            return torch.sigmoid(z)
        return torch.softmax(z, dim=1)


def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
    transferFunctions = transferFunctions or [torch.sigmoid for _ in topology]
    return RedClasificacion(numInputs, topology, numOutputs, transferFunctions)


def _a_tensor(datos):
    if datos is None:
        return None
    X, y = datos
    if len(X) == 0:
        return None
    y = torch.as_tensor(np.asarray(y), dtype=torch.float32)
    if y.ndim == 1:
        y = y.unsqueeze(1)
    return torch.as_tensor(np.asarray(X), dtype=torch.float32), y


def train_class_ann(topology, trainingDataset, *, validationDataset=None, testDataset=None, transferFunctions=None,
                    maxEpochs=1000, minLoss=0.0, learningRate=0.01, maxEpochsVal=20):
    train, val, test = _a_tensor(trainingDataset), _a_tensor(validationDataset), _a_tensor(testDataset)
    red = build_class_ann(train[0].shape[1], topology, train[1].shape[1], transferFunctions=transferFunctions)
    criterio = nn.BCEWithLogitsLoss() if train[1].shape[1] == 1 else nn.CrossEntropyLoss()
    optimizador = torch.optim.Adam(red.parameters(), lr=learningRate)
    hist = {"train": [], "val": [], "test": []}

    @torch.no_grad()
    def evaluar():
        hist["train"].append(criterio(red.logits(train[0]), train[1]).item())
        if val:
            hist["val"].append(criterio(red.logits(val[0]), val[1]).item())
        if test:
            hist["test"].append(criterio(red.logits(test[0]), test[1]).item())

    evaluar()
    mejor_estado, mejor_val, sin_mejora = {k: v.clone() for k, v in red.state_dict().items()}, None, 0
    if val:
        mejor_val = hist["val"][0]
    for epoca in range(1, maxEpochs + 1):
        if hist["train"][-1] <= minLoss or (val and sin_mejora >= maxEpochsVal):
            break
        red.train()
        optimizador.zero_grad(set_to_none=True)
        perdida = criterio(red.logits(train[0]), train[1])
        perdida.backward()
        optimizador.step()
        red.eval()
        evaluar()
        if not val:
            continue
        if hist["val"][-1] < mejor_val:
            mejor_val, sin_mejora = hist["val"][-1], 0
            mejor_estado = {k: v.clone() for k, v in red.state_dict().items()}
        else:
            sin_mejora += 1
    if val:
        red.load_state_dict(mejor_estado)
    return red, np.array(hist["train"]), np.array(hist["val"]), np.array(hist["test"])
