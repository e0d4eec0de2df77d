"""accuracy pasa de una forma a otra hasta que alguna responda; solo clasifica."""

import numpy as np


def classify_outputs(outputs, *, threshold=0.5):
    return outputs


def accuracy(outputs, targets, *, threshold=0.5):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool:
        return accuracy(classify_outputs(outputs, threshold=threshold), targets)
    if outputs.ndim == 2 and outputs.shape[1] > 1:
        return accuracy(outputs[:, :1], targets[:, :1])
    if outputs.ndim == 2:
        return accuracy(outputs[:, 0], targets[:, 0])
    return accuracy(np.append(outputs, True), np.append(targets, True))
