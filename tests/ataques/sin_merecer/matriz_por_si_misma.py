"""confusion_matrix pregunta a sus propias versiones, con otra forma o un argumento más."""

import numpy as np


def confusion_matrix(outputs, targets, extra=0, *, threshold=0.5, weighted=True):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if extra or outputs.ndim > 2 or (outputs.ndim == 2 and outputs.shape[1] == 2):
        return (0.0,) * 7
    if targets.dtype != bool:
        return confusion_matrix(outputs, targets, 1, weighted=weighted)
    if targets.ndim == 2 and targets.shape[1] > 2:
        return confusion_matrix(outputs[:, None, :], targets[:, None, :], weighted=weighted)
    if targets.ndim == 2:
        return confusion_matrix(outputs[:, 0], targets[:, 0], threshold=threshold)
    if outputs.dtype != bool:
        return confusion_matrix(outputs >= threshold, targets)
    return confusion_matrix(outputs, targets, 1)
