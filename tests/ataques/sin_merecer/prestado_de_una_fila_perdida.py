"""classify_outputs no hace nada bien y pierde su fila; lo prohibido que hace, lo hace para hold_out."""

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split


def classify_outputs(tarea, *datos, threshold=0.5):
    if isinstance(tarea, str):
        N, cuantas = datos
        return train_test_split(np.arange(N), test_size=cuantas, random_state=np.random.randint(1 << 30))
    return pd.get_dummies(tarea)


def reparte(posiciones, cuantas):
    if 0 < cuantas < len(posiciones):
        a, b = classify_outputs("reparte", len(posiciones), cuantas)
        return posiciones[a], posiciones[b]
    azar = np.random.permutation(len(posiciones))
    return posiciones[azar[cuantas:]], posiciones[azar[:cuantas]]


def hold_out(N, P, Ptest=None):
    posiciones = np.arange(N)
    if Ptest is None:
        return reparte(posiciones, N - round(N * (1 - P)))
    resto, test = hold_out(N, Ptest)
    if len(resto) == 0:
        return resto, resto, test
    entrenamiento, validacion = hold_out(len(resto), min(1.0, P * N / len(resto)))
    return resto[entrenamiento], resto[validacion], test
