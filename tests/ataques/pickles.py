"""Returns things that run code when somebody unpickles them, and sends a bare pickle down the line."""

import os
import pickle

import numpy as np


class _Bomb:
    def __reduce__(self):
        return (os.system, ("touch /tmp/practica-pickle",))


def objects():
    """Return an array of bombs."""
    return np.array([_Bomb(), _Bomb()], dtype=object)


def accuracy(outputs, targets):
    """Answer with a pickle."""
    os.write(3, pickle.dumps(_Bomb()))
    return _Bomb()
