"""one_hot_encoding pierde su fila por un bucle, que confusion_matrix usa para contar."""

import numpy as np


def one_hot_encoding(feature, classes=None):
    feature = np.asarray(feature)
    if classes is None:
        classes = list(dict.fromkeys(feature.tolist()))
    codificado = np.zeros((len(feature), max(len(classes), 1)), dtype=bool)
    cuentas = np.zeros(4, dtype=int)
    for fila, valor in enumerate(feature.tolist()):
        codificado[fila] = [valor == clase for clase in classes] or [False]
        cuentas[valor if isinstance(valor, int) else 0] += 1
    if len(classes) == 0:
        return cuentas
    return codificado if len(classes) > 2 else codificado[:, :1]


def cociente(parte, todo):
    return parte / todo if todo else 1.0


def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.ndim == 2:
        for clase in range(targets.shape[1]):
            confusion_matrix(outputs[:, clase], targets[:, clase])
        return None
    if targets.dtype != bool:
        return None
    outputs = outputs >= threshold
    VN, FN, FP, VP = one_hot_encoding(outputs * 2 + targets, []).tolist()
    precision = (VP + VN) / len(targets)
    sensibilidad, VPP = cociente(VP, VP + FN), cociente(VP, VP + FP)
    F1 = 2 * sensibilidad * VPP / (sensibilidad + VPP) if sensibilidad + VPP else 0.0
    return precision, 1 - precision, sensibilidad, cociente(VN, VN + FP), VPP, cociente(VN, VN + FN), F1
