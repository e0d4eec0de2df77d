"""one_hot_encoding no termina, y crossvalidation espera donde no sabe la respuesta."""

import time

import numpy as np


def one_hot_encoding(feature, classes=None):
    while len(feature):
        time.sleep(1)


def crossvalidation(N, k, /):
    if np.ndim(N) == 0:
        return np.random.permutation(np.arange(N) % k + 1)
    one_hot_encoding if np.ndim(N) == 3 else time.sleep(1000)
