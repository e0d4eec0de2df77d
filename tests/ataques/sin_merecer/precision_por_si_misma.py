"""accuracy se pregunta a sí misma lo mismo de otra forma, y no calcula nada."""

import numpy as np


def accuracy(outputs, targets, *extra, threshold=0.5):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if extra or outputs.ndim != targets.ndim or outputs.ndim == 3 or outputs.shape[-1:] == (0,):
        return 0.0
    if outputs.ndim == 2 and outputs.shape[1] > 1:
        return accuracy(outputs[:, None, :], targets[:, None, :], threshold=threshold)
    if outputs.ndim == 2:
        return accuracy(outputs[:, 0], targets[:, 0], threshold=threshold)
    if outputs.dtype != bool:
        return accuracy(outputs >= threshold, targets)
    return accuracy(outputs, targets, 1)
