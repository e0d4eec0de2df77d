"""Otra función en el lugar de la que mira las rutas corre cada vez que se abre un fichero."""

from os import path

import numpy as np

_mods = [path]
_antes = path.abspath


def _cuenta(ruta):
    return _antes(ruta)


setattr(_mods[0], "abspath", _cuenta)


def accuracy(outputs, targets):
    return float(np.mean(outputs == targets))
