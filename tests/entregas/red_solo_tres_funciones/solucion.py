def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
    """Crea una red para clasificar; sus entradas y salidas tienen un patrón por fila."""
    if transferFunctions is None:
        transferFunctions = [torch.sigmoid] * len(topology)
    conocidas = {torch.tanh, torch.relu, torch.sigmoid}
    transferFunctions = [f if f in conocidas else torch.sigmoid for f in transferFunctions]
    capas = []
    entradas = numInputs
    for neuronas, funcion in zip(topology, transferFunctions):
        capas += [_capa(entradas, neuronas), Activacion(funcion)]
        entradas = neuronas
    capas.append(_capa(entradas, numOutputs))
    capas.append(nn.Sigmoid() if numOutputs == 1 else nn.Softmax(dim=1))
    return nn.Sequential(*capas)
