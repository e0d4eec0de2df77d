"""El módulo de la función prohibida deja de llamarse como se llama, por un parámetro."""

import numpy as np
import sklearn.metrics._classification as c
import sklearn.ensemble._weight_boosting as boost


def toma(modulo):
    return modulo.accuracy_score


def cambia(modulo):
    modulo.__name__ = "otro"


cambia(c)


def accuracy(outputs, targets, *, threshold=0.5):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool and (outputs.ndim == 1 or outputs.shape[1] == 1):
        outputs = outputs >= threshold
    elif outputs.dtype != bool:
        outputs = outputs.argmax(axis=1)[:, None] == np.arange(outputs.shape[1])
    return float(toma(boost)(targets, outputs))
