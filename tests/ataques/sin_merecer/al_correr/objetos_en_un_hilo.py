"""Un hilo pregunta por todos los objetos, y del fichero no hay allí ningún marco."""

import gc
from concurrent.futures import ThreadPoolExecutor

import numpy as np


def accuracy(outputs, targets):
    with ThreadPoolExecutor(1) as hilos:
        hilos.submit(gc.get_objects).result()
    return float(np.mean(outputs == targets))
