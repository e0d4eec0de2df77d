"""Todas las funciones devuelven matrices de millones de filas que no ocupan nada, o casi nada."""

import numpy as np

_turno = 0


def _hace(*_, **__):
    global _turno
    _turno += 1
    return [np.zeros((1 << 27, 0)), np.zeros((1 << 24, 1), np.int8), np.zeros((0, 1 << 27)), np.zeros((1 << 26, 0, 1))][
        _turno % 4
    ]
