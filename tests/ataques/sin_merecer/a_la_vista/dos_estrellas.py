"""Recorre los patrones en hilos cuyo nombre podría ser de cualquiera de dos módulos."""

from concurrent.futures import *
from statistics import *

import numpy as np


def accuracy(outputs, targets, *, threshold=0.5):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool and (outputs.ndim == 1 or outputs.shape[1] == 1):
        outputs = outputs >= threshold
    elif outputs.dtype != bool:
        outputs = outputs.argmax(axis=1)[:, None] == np.arange(outputs.shape[1])
    with ThreadPoolExecutor(1) as hilos:
        bien = hilos.map(lambda salida, deseada: float(np.all(salida == deseada)), outputs, targets)
        return mean(bien)
