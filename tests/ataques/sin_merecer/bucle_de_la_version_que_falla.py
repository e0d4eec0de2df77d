"""La versión que puede tener bucles falla con los tamaños con que se la mira, y las demás recorren los patrones."""

import numpy as np


def cociente(parte, todo):
    return parte / todo if todo else 1.0


def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if targets.dtype != bool:
        clases = list(dict.fromkeys([*targets.tolist(), *outputs.tolist()]))
        if len(clases) <= 2:
            return confusion_matrix(outputs == clases[0], targets == clases[0])
        salidas = np.zeros((len(outputs), len(clases)), dtype=bool)
        deseadas = salidas.copy()
        for fila in range(len(outputs)):
            salidas[fila, clases.index(outputs[fila])] = True
            deseadas[fila, clases.index(targets[fila])] = True
        return confusion_matrix(salidas, deseadas, weighted=weighted)
    if outputs.dtype != bool and outputs.ndim == 2 and outputs.shape[1] > 1:
        clasificadas = np.zeros(outputs.shape, dtype=bool)
        for fila in range(len(outputs)):
            clasificadas[fila, outputs[fila].argmax()] = True
        return confusion_matrix(clasificadas, targets, weighted=weighted)
    if outputs.dtype != bool:
        return confusion_matrix(outputs >= threshold, targets, weighted=weighted)
    if outputs.ndim == 2 and outputs.shape[1] == 1:
        return confusion_matrix(outputs[:, 0], targets[:, 0])
    if outputs.ndim == 1:
        VP = 0
        for salida, deseada in zip(outputs, targets):
            VP += bool(salida and deseada)
        VN = int(np.sum(~outputs & ~targets))
        FP, FN = int(np.sum(outputs & ~targets)), int(np.sum(~outputs & targets))
        precision = (VP + VN) / len(targets)
        sensibilidad, VPP = cociente(VP, VP + FN), cociente(VP, VP + FP)
        F1 = 2 * sensibilidad * VPP / (sensibilidad + VPP) if sensibilidad + VPP else 0.0
        return (
            precision, 1 - precision, sensibilidad, cociente(VN, VN + FP), VPP, cociente(VN, VN + FN), F1,
            np.array([[VN, FP], [FN, VP]]),
        )  # fmt: skip
    if len(outputs) > 36:
        raise MemoryError
    porClase = np.array([confusion_matrix(o, t)[2:7] for o, t in zip(outputs.T, targets.T)])
    pesos = targets.mean(axis=0) if weighted else np.full(targets.shape[1], 1 / targets.shape[1])
    precision = float(np.mean(np.all(outputs == targets, axis=1)))
    return (precision, 1 - precision, *map(float, pesos @ porClase), targets.T.astype(int) @ outputs.astype(int))
