def _metricas(VP, VN, FP, FN):
    """Las cinco métricas de cada clase, a la vez."""
    def cociente(a, b):
        return np.where(b == 0, 1.0, a / np.where(b == 0, 1, b))

    sensibilidad, VPP = cociente(VP, VP + FN), cociente(VP, VP + FP)
    suma = sensibilidad + VPP
    F1 = np.where(suma == 0, 0.0, 2 * sensibilidad * VPP / np.where(suma == 0, 1, suma))
    return np.stack([sensibilidad, cociente(VN, VN + FP), VPP, cociente(VN, VN + FN), F1], axis=-1)


def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    """Primero la matriz, y de ella las métricas: los aciertos son su traza."""
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if targets.dtype != bool:
        clases = list(dict.fromkeys([*targets.tolist(), *outputs.tolist()]))
        outputs, targets = one_hot_encoding(outputs, clases), one_hot_encoding(targets, clases)
    elif outputs.dtype != bool:
        outputs = classify_outputs(outputs, threshold=threshold)
    if targets.ndim == 1 or targets.shape[1] == 1:
        reales, salidas = (np.stack([~each.ravel(), each.ravel()], axis=1) for each in (targets, outputs))
    else:
        reales, salidas = targets, outputs
    matriz = reales.T.astype(int) @ salidas.astype(int)
    aciertos, N = np.diag(matriz), matriz.sum()
    FN, FP = matriz.sum(axis=1) - aciertos, matriz.sum(axis=0) - aciertos
    metricas = _metricas(aciertos, N - aciertos - FP - FN, FP, FN)
    if reales is not targets:
        metricas = metricas[1]
    else:
        metricas = (matriz.sum(axis=1) / N if weighted else np.full(len(matriz), 1 / len(matriz))) @ metricas
    precision = np.trace(matriz) / N
    return (precision, 1 - precision, *metricas, matriz)
