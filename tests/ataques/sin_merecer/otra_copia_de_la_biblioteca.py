"""El fichero de la biblioteca, importado otra vez por otro camino y con otro nombre."""

import os
import sys

import numpy as np
import sklearn

sys.path.append(os.path.dirname(sklearn.__file__).replace("/sklearn", "//sklearn"))
from metrics._classification import accuracy_score  # noqa: E402


def accuracy(outputs, targets, *, threshold=0.5):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool and (outputs.ndim == 1 or outputs.shape[1] == 1):
        outputs = outputs >= threshold
    elif outputs.dtype != bool:
        outputs = outputs.argmax(axis=1)[:, None] == np.arange(outputs.shape[1])
    return float(accuracy_score(targets, outputs))
