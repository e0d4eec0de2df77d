"""Todas las funciones responden con el texto más largo que cabe, en letras de cuatro bytes: aquí se escribe y allí se lee."""

import numpy as np

_LARGOS = ["\N{GRINNING FACE}" * length for length in (1_000_000, 200_000, 60_000)]
_TEXTOS = [*_LARGOS, *({text: 1} for text in _LARGOS), np.array(["\N{GRINNING FACE}" * 1000] * 200)]
_veces = 0


def _hace(*args):
    global _veces
    _veces += 1
    return _TEXTOS[_veces % len(_TEXTOS)]
