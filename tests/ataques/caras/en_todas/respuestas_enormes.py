"""Todas las funciones responden con lo más grande que cabe, cada vez de otra forma."""

import numpy as np

_veces = 0


def _hace(*args):
    global _veces
    _veces += 1
    match _veces % 5:
        case 0:
            return np.zeros(15_000_000)
        case 1:
            return ["a"] * 5_000_000
        case 2:
            return [[i, str(i)] for i in range(300_000)]
        case 3:
            return np.full(100_000, "x" * 100)
    return "é" * 20_000_000
