from collections import namedtuple

Metricas = namedtuple("Metricas", "accuracy errorRate recall specificity PPV NPV F1")


class Resultado(Metricas):
    """Las siete métricas; la matriz va aparte."""

    matrix = None


def _dos_clases(outputs, targets):
    matriz = np.array([[np.sum((outputs == s) & (targets == t)) for s in (0, 1)] for t in (0, 1)])
    (VN, FP), (FN, VP) = matriz
    with np.errstate(all="ignore"):
        cocientes = np.array([VP / (VP + FN), VN / (VN + FP), VP / (VP + FP), VN / (VN + FN)])
    cocientes = np.nan_to_num(cocientes, nan=1.0)
    r, p = cocientes[0], cocientes[2]
    F1 = 0.0 if r == p == 0 else 2 * r * p / (r + p)
    resultado = Resultado((VP + VN) / matriz.sum(), (FP + FN) / matriz.sum(), *cocientes, F1)
    resultado.matrix = matriz
    return resultado


def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    if targets.dtype != bool:
        clases = list(dict.fromkeys([*outputs.tolist(), *targets.tolist()]))
        outputs, targets = (np.array([[x == c for c in clases] for x in v.tolist()]) for v in (outputs, targets))
        if len(clases) <= 2:
            outputs, targets = outputs[:, 0], targets[:, 0]
    if outputs.dtype != bool:
        outputs = classify_outputs(outputs, threshold=threshold)
    if outputs.ndim == 1:
        return _dos_clases(outputs, targets)
    if outputs.shape[1] == 1:
        return _dos_clases(outputs.ravel(), targets.ravel())
    porClase = np.array([_dos_clases(o, t) for o, t in zip(outputs.T, targets.T)])
    medias = np.average(porClase, axis=0, weights=targets.sum(axis=0) if weighted else None)
    aciertos = np.mean((outputs & targets).any(axis=1))
    resultado = Resultado(aciertos, 1 - aciertos, *medias[2:])
    resultado.matrix = np.array([[np.sum(t & o) for o in outputs.T] for t in targets.T])
    return resultado
