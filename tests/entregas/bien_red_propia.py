class Red(nn.Module):
    """Red con los pesos como parámetros sueltos."""

    def __init__(self, tamaños, funciones):
        super().__init__()
        self.pesos = nn.ParameterList()
        self.funciones = funciones
        for entradas, salidas in zip(tamaños[:-1], tamaños[1:]):
            self.pesos.append(nn.Parameter(torch.randn(entradas, salidas, dtype=torch.float64) / entradas**0.5))
            self.pesos.append(nn.Parameter(torch.zeros(salidas, dtype=torch.float64)))

    def forward(self, x):
        x = x.to(torch.float64)
        numCapas = len(self.pesos) // 2
        for capa in range(numCapas):
            x = x @ self.pesos[2 * capa] + self.pesos[2 * capa + 1]
            if capa < numCapas - 1:
                x = self.funciones[capa](x)
        return torch.sigmoid(x) if x.shape[1] == 1 else torch.softmax(x, dim=1)


def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
    return Red([numInputs, *topology, numOutputs], transferFunctions or [torch.sigmoid for _ in topology])


def _tensores(dataset):
    if dataset is None or np.size(dataset[0]) == 0:
        return None
    entradas, salidas = dataset
    return torch.tensor(np.asarray(entradas)).double(), torch.tensor(np.asarray(salidas)).reshape(len(salidas), -1).double()
