def one_hot_encoding(feature, classes=None):
    feature = np.asarray(feature)
    if feature.dtype == bool and classes is None:
        return feature.reshape((-1, 1))
    clases = list(dict.fromkeys(feature.tolist())) if classes is None else list(classes)
    assert all(valor in clases for valor in feature.tolist()), "hay valores que no son de ninguna clase"
    if len(clases) == 2:
        return (feature == clases[1]).astype(bool).reshape(-1, 1)
    return np.transpose([feature == clase for clase in clases])


def classify_outputs(outputs, *, threshold=0.5):
    if outputs.ndim > 1 and outputs.shape[1] > 1:
        ultimo = outputs.shape[1] - 1 - outputs[:, ::-1].argmax(axis=1)
        return ultimo[:, None] == np.arange(outputs.shape[1])[None, :]
    return np.where(outputs >= threshold, True, False)


def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    if targets.dtype != bool:
        assert set(outputs.tolist()) <= set(targets.tolist()), "hay salidas que no son de ninguna clase"
        clases = list(dict.fromkeys(outputs.tolist() + targets.tolist()))
        codigo = [one_hot_encoding(v, clases) for v in (outputs, targets)]
        return confusion_matrix(*codigo, weighted=weighted)
    if outputs.dtype != bool:
        return confusion_matrix(classify_outputs(outputs, threshold=threshold), targets, weighted=weighted)
    if targets.ndim == 2 and targets.shape[1] > 1:
        columnas = range(targets.shape[1])
        metricas = np.array([confusion_matrix(outputs[:, c], targets[:, c])[2:7] for c in columnas])
        cuentas = targets.sum(axis=0)
        if not weighted:
            cuentas = np.ones(len(cuentas))
        medias = (metricas * cuentas[:, None]).sum(axis=0) / cuentas.sum()
        acierto = accuracy(outputs, targets)
        return [acierto, 1 - acierto, *medias, np.dot(targets.T * 1, outputs * 1)]
    outputs, targets = outputs.ravel(), targets.ravel()
    VP, VN = (outputs & targets).sum(), (~(outputs | targets)).sum()
    FP, FN = (outputs & ~targets).sum(), (~outputs & targets).sum()
    r = 1 if VP + FN == 0 else VP / (VP + FN)
    e = 1 if VN + FP == 0 else VN / (VN + FP)
    p = 1 if VP + FP == 0 else VP / (VP + FP)
    n = 1 if VN + FN == 0 else VN / (VN + FN)
    f = 0 if r + p == 0 else 2 * r * p / (r + p)
    return [(VP + VN) / len(targets), (FP + FN) / len(targets), r, e, p, n, f, np.array([[VN, FP], [FN, VP]])]


def crossvalidation(N, k, /):
    if isinstance(N, int):
        return np.random.permutation(np.resize(np.arange(1, k + 1), N))
    targets = np.asarray(N)
    if targets.ndim == 1:
        clases = list(dict.fromkeys(targets.tolist()))
        targets = np.array([[valor == clase for clase in clases] for valor in targets.tolist()])
    elif targets.shape[1] == 1:
        targets = np.hstack((targets, ~targets))
    if targets.sum(axis=0).min() < k:
        raise ValueError(f"hay clases con menos de {k} patrones")
    indices = np.zeros(len(targets), int)
    for clase in range(targets.shape[1]):
        indices[targets[:, clase]] = crossvalidation(int(targets[:, clase].sum()), k)
    return indices
