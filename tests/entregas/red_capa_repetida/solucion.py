def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
    """Crea una red para clasificar; sus entradas y salidas tienen un patrón por fila."""
    if transferFunctions is None:
        transferFunctions = [torch.sigmoid] * len(topology)
    capas, hechas = [], {}
    entradas = numInputs
    for neuronas, funcion in zip(topology, transferFunctions):
        if (entradas, neuronas) not in hechas:
            hechas[entradas, neuronas] = _capa(entradas, neuronas)
        capas += [hechas[entradas, neuronas], Activacion(funcion)]
        entradas = neuronas
    capas.append(_capa(entradas, numOutputs))
    capas.append(nn.Sigmoid() if numOutputs == 1 else nn.Softmax(dim=1))
    return nn.Sequential(*capas)
