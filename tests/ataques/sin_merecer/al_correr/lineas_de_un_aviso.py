"""Un aviso dice la línea de quien llamó a la función, y la de quien llamó a ese."""

import warnings

import numpy as np


def accuracy(outputs, targets):
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        [warnings.warn("aviso", UserWarning, nivel) for nivel in range(3, 8)]
    return float(np.mean(outputs == targets))
