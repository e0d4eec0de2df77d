"""Not an attack: the right answer, in a file that is ugly but honest."""

import os
import sys
import threading

import numpy as np

sys.setrecursionlimit(5000)
print("importada", os.getpid(), threading.active_count())


def accuracy(outputs, targets, *, threshold=0.5):
    """Return the fraction that agrees."""
    print("calculando")
    return np.mean(np.asarray(outputs) == np.asarray(targets))
