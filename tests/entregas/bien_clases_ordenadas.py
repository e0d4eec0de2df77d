def crossvalidation(targets, /, k):
    if isinstance(targets, (int, np.integer)):
        folds = np.resize(np.arange(k) + 1, targets)
        return np.random.permutation(folds)
    t = np.asarray(targets)
    if t.dtype == bool and t.ndim == 2 and t.shape[1] == 1:
        t = t.ravel()
    if t.ndim == 1 and t.dtype == bool:
        out = np.empty(t.size, dtype=np.int32)
        out[t], out[~t] = crossvalidation(np.count_nonzero(t), k), crossvalidation(t.size - np.count_nonzero(t), k)
        return out
    if t.ndim == 2:
        out = np.empty(len(t), dtype=np.int32)
        for mask in t.T:
            out[mask] = crossvalidation(int(mask.sum()), k)
        return out
    return crossvalidation(one_hot_encoding(t), k)


def ann_cross_validation(topology, inputs, targets, crossValidationIndices, *, numExecutions=50, transferFunctions=None,
                         maxEpochs=1000, minLoss=0.0, learningRate=0.01, validationRatio=0, maxEpochsVal=20):
    clases = sorted(set(targets.tolist()), key=str)
    Y = one_hot_encoding(targets, np.array(clases, dtype=object) if len({type(c) for c in clases}) > 1 else np.array(clases))
    k = crossValidationIndices.max()
    resultados = []
    opciones = dict(transferFunctions=transferFunctions, maxEpochs=maxEpochs, minLoss=minLoss, learningRate=learningRate, maxEpochsVal=maxEpochsVal)
    for f in range(1, k + 1):
        te = np.where(crossValidationIndices == f)[0]
        tr = np.where(crossValidationIndices != f)[0]
        ejecuciones = []
        for _ in range(numExecutions):
            if validationRatio:
                a, v = hold_out(len(tr), validationRatio * len(Y) / len(tr))
                red = train_class_ann(topology, (inputs[tr[a]], Y[tr[a]]), validationDataset=(inputs[tr[v]], Y[tr[v]]), testDataset=(inputs[te], Y[te]), **opciones)[0]
            else:
                red = train_class_ann(topology, (inputs[tr], Y[tr]), testDataset=(inputs[te], Y[te]), **opciones)[0]
            salidas = red(torch.from_numpy(inputs[te]).float()).detach().numpy()
            ejecuciones.append(confusion_matrix(salidas, Y[te])[0:7])
        resultados.append(np.mean(ejecuciones, axis=0))
    return [(m, s) for m, s in zip(np.mean(resultados, axis=0), np.std(resultados, axis=0, ddof=1))]
