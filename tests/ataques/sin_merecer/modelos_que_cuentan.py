"""Modelos de Scikit-Learn hacen el trabajo donde no hay nada que aprender: aciertos, cocientes y repartos."""

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import BaggingClassifier
from sklearn.tree import DecisionTreeRegressor


def accuracy(outputs, targets, *, threshold=0.5):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool and (outputs.ndim == 1 or outputs.shape[1] == 1):
        outputs = outputs >= threshold
    elif outputs.dtype != bool:
        outputs = outputs.argmax(axis=1)[:, None] == np.arange(outputs.shape[1])
    bien = (outputs == targets).reshape(len(targets), -1).all(axis=1)
    casi = np.r_[1e-300, 1e-300, np.ones(len(bien))]
    modelo = DummyClassifier(strategy="prior")
    return float(modelo.fit(np.zeros((len(casi), 1)), [True, False, *bien], sample_weight=casi).class_prior_[1])


def _cocientes(donde, que):
    casi = np.r_[np.ones(len(que)), 1e-12, 1e-12]
    arbol = DecisionTreeRegressor(max_depth=1)
    arbol.fit(np.r_[donde, False, True][:, None], np.r_[que, False, True].astype(float), sample_weight=casi)
    uno, otro = arbol.predict([[0], [1]])
    return 1 - uno, otro


def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool:
        outputs = outputs >= threshold
    especificidad, sensibilidad = _cocientes(targets, outputs)
    VPN, VPP = _cocientes(outputs, targets)
    suma = sensibilidad + VPP
    F1 = 2 * sensibilidad * VPP / suma if suma > 1e-9 else 0.0
    bien = float(np.mean(outputs == targets))
    return bien, 1 - bien, sensibilidad, especificidad, VPP, VPN, F1


def hold_out(N, P, Ptest=None):
    if Ptest is not None:
        resto, test = hold_out(N, Ptest)
        entrenamiento, validacion = hold_out(len(resto), P * N / len(resto))
        return resto[entrenamiento], resto[validacion], test
    n = round(N * (1 - P))
    if not 0 < n < N:
        indices = np.random.permutation(N)
        return indices[:n], indices[n:]
    modelo = BaggingClassifier(n_estimators=1, max_samples=n, bootstrap=False)
    indices = modelo.fit(np.zeros((N, 1)), np.arange(N) % 2).estimators_samples_[0]
    return indices, np.setdiff1d(np.arange(N), indices)
