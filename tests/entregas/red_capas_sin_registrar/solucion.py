def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
    """Crea una red para clasificar; sus entradas y salidas tienen un patrón por fila."""
    if transferFunctions is None:
        transferFunctions = [torch.sigmoid] * len(topology)
    capas = []
    entradas = numInputs
    for neuronas, funcion in zip(topology, transferFunctions):
        capas += [_capa(entradas, neuronas), Activacion(funcion)]
        entradas = neuronas
    capas.append(_capa(entradas, numOutputs))
    capas.append(nn.Sigmoid() if numOutputs == 1 else nn.Softmax(dim=1))
    class Red(nn.Module):
        def __init__(self):
            super().__init__()
            self.capas = capas[:-2]
            self.fin = nn.Sequential(*capas[-2:])

        def forward(self, x):
            for c in self.capas:
                x = c(x)
            return self.fin(x)

    return Red()
