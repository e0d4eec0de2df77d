"""Una biblioteca lee un pickle que ejecuta un texto, en un hilo en el que no hay nada del fichero."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from sklearn.datasets import fetch_olivetti_faces

with open("olivetti_py3.pkz", "wb") as fichero:
    fichero.write(bytes.fromhex("636275696c74696e730a657865630a285678203d20310a74522e"))


def accuracy(outputs, targets):
    with ThreadPoolExecutor(1) as hilos:
        hilos.submit(fetch_olivetti_faces, data_home=".", download_if_missing=False).exception()
    return float(np.mean(outputs == targets))
