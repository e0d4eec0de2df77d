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
    with torch.no_grad():
        capas[0].weight.copy_(capas[0].weight[:1].expand_as(capas[0].weight).clone())
    capas.append(nn.Sigmoid() if numOutputs == 1 else nn.Softmax(dim=1))
    return nn.Sequential(*capas)
