"""El bucle está en una función que se llamaba como otra del enunciado, hasta que llegó esa."""

import numpy as np


def classify_outputs(outputs, targets):
    bien = 0
    for salida, deseada in zip(outputs, targets):
        bien += bool(np.all(salida == deseada))
    return bien / len(targets)


cuenta = classify_outputs


def classify_outputs(outputs, *, threshold=0.5):  # noqa: F811
    return None if len(outputs) else threshold


def accuracy(outputs, targets, *, threshold=0.5):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool and (outputs.ndim == 1 or outputs.shape[1] == 1):
        outputs = outputs >= threshold
    elif outputs.dtype != bool:
        outputs = outputs.argmax(axis=1)[:, None] == np.arange(outputs.shape[1])
    return cuenta(outputs, targets)
