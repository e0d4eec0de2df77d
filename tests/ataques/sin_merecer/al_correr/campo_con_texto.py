"""Un campo cuyo nombre son líneas de código: lo ejecuta quien hace la clase."""

from dataclasses import dataclass

import numpy as np

_TEXTO = """a,))
 global _cuenta
 def _cuenta(o, t):
  n = 0
  for i in range(len(o)):
   n += bool(o[i] == t[i])
  return n / len(o)
 _x = ((0"""


@dataclass(init=False, repr=False, eq=False, unsafe_hash=True, match_args=False)
class Ficha:
    """Una ficha."""

    __annotations__ = {_TEXTO: int}


def accuracy(outputs, targets):
    return _cuenta(outputs, targets)
