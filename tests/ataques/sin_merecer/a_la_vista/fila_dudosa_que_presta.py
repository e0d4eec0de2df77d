"""build_class_ann no pierde nada por un cerrojo, y reparte por hold_out, que no tiene otra cosa a la vista."""

import threading

import numpy as np
import torch
from sklearn.model_selection import train_test_split
from torch import nn


class Activacion(nn.Module):
    def __init__(self, funcion):
        super().__init__()
        self.funcion = funcion

    def forward(self, entradas):
        return self.funcion(entradas)


def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
    if topology is None:
        return train_test_split(numInputs, test_size=numOutputs, random_state=np.random.randint(1 << 30))
    threading.Lock()
    capas, entradas = [], numInputs
    for neuronas, funcion in zip(topology, transferFunctions or [torch.sigmoid] * len(topology)):
        capas += [nn.Linear(entradas, neuronas), Activacion(funcion)]
        entradas = neuronas
    return nn.Sequential(
        *capas, nn.Linear(entradas, numOutputs), nn.Sigmoid() if numOutputs == 1 else nn.Softmax(dim=1)
    )


def hold_out(N, P, Ptest=None):
    if Ptest is not None:
        resto, test = hold_out(N, Ptest)
        if len(resto) == 0:
            return resto, resto, test
        entrenamiento, validacion = hold_out(len(resto), min(1.0, P * N / len(resto)))
        return resto[entrenamiento], resto[validacion], test
    n = N - round(N * (1 - P))
    if 0 < n < N:
        return tuple(build_class_ann(np.arange(N), None, n))
    indices = np.random.permutation(N)
    return indices[n:], indices[:n]
