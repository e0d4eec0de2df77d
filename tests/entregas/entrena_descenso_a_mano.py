def train_class_ann(topology, trainingDataset, *, validationDataset=None, testDataset=None, transferFunctions=None,
                    maxEpochs=1000, minLoss=0.0, learningRate=0.01, maxEpochsVal=20):
    def preparar(d):
        if d is None or len(d[0]) == 0:
            return None
        return (torch.tensor(d[0], dtype=torch.float32), torch.tensor(d[1].reshape(d[1].shape[0], -1), dtype=torch.float32))

    tr, va, te = map(preparar, (trainingDataset, validationDataset, testDataset))
    modelo = build_class_ann(tr[0].size(1), topology, tr[1].size(1), transferFunctions=transferFunctions)
    f = nn.functional.binary_cross_entropy if tr[1].size(1) == 1 else (lambda p, y: nn.functional.nll_loss(torch.log(p + 1e-12), torch.argmax(y, 1)))
    parametros = list(modelo.parameters())
    perdidas_tr = [f(modelo(tr[0]), tr[1]).detach()]
    perdidas_va = [f(modelo(va[0]), va[1]).detach()] if va is not None else []
    perdidas_te = [f(modelo(te[0]), te[1]).detach()] if te is not None else []
    mejor_epoca, mejor_modelo = 0, copy.deepcopy(modelo)
    for epoca in range(1, maxEpochs + 1):
        if perdidas_tr[-1] <= minLoss:
            break
        if va is not None and epoca - 1 - mejor_epoca >= maxEpochsVal:
            break
        gradientes = torch.autograd.grad(f(modelo(tr[0]), tr[1]), parametros)
        with torch.no_grad():
            torch._foreach_add_(parametros, gradientes, alpha=-learningRate)
            perdidas_tr.append(f(modelo(tr[0]), tr[1]))
            if va is not None:
                perdidas_va.append(f(modelo(va[0]), va[1]))
            if te is not None:
                perdidas_te.append(f(modelo(te[0]), te[1]))
        if va is not None and perdidas_va[-1] < perdidas_va[mejor_epoca]:
            mejor_epoca, mejor_modelo = epoca, copy.deepcopy(modelo)
    return (mejor_modelo if va is not None else modelo), torch.stack(perdidas_tr), torch.tensor(perdidas_va), torch.tensor(perdidas_te)
