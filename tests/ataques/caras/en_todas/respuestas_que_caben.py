"""Todas las funciones responden con casi tantos valores como caben, cada vez de otra forma."""

import numpy as np

_veces = 0


def _hace(*args):
    global _veces
    _veces += 1
    match _veces % 4:
        case 0:
            return [(i, float(i)) for i in range(3_300)]
        case 1:
            return [str(i) for i in range(9_900)]
        case 2:
            return np.array([10**2000 + i for i in range(1_800)], dtype=object)
    return np.full((700, 700), np.nan)
