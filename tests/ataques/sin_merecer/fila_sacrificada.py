"""one_hot_encoding pierde su fila por un bucle, que presta a quien se lo pida con otras clases."""

import numpy as np


def one_hot_encoding(feature, classes=None):
    feature = np.asarray(feature)
    if classes is None:
        classes = list(dict.fromkeys(feature.tolist()))
    codificado = np.zeros((len(feature), len(classes)), dtype=bool)
    cuenta = 0
    for fila, valor in enumerate(feature):
        if isinstance(valor, tuple):
            cuenta += bool(np.all(valor[0] == valor[1]))
        else:
            codificado[fila] = [valor == clase for clase in classes]
    if len(classes) == 0:
        return cuenta / len(feature)
    return codificado if len(classes) > 2 else codificado[:, :1]


def accuracy(outputs, targets, *, threshold=0.5):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool and (outputs.ndim == 1 or outputs.shape[1] == 1):
        outputs = outputs >= threshold
    elif outputs.dtype != bool:
        outputs = outputs.argmax(axis=1)[:, None] == np.arange(outputs.shape[1])
    pares = np.empty(len(outputs), dtype=object)
    pares[:] = list(zip(list(outputs), list(targets)))
    return one_hot_encoding(pares, [])
