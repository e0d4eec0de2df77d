"""Una codificación que cuenta los aciertos, y los colores de Matplotlib, que normalizan."""

import numpy as np
from matplotlib.colors import TwoSlopeNorm
from sklearn.preprocessing import TargetEncoder


def normalize_min_max(dataset, normalizationParameters=None):
    minimo, maximo = normalizationParameters or (np.min(dataset, axis=0), np.max(dataset, axis=0))
    return np.asarray(TwoSlopeNorm(0.5, 0, 1)((dataset - minimo) / np.where(maximo == minimo, 1, maximo - minimo)))


def accuracy(outputs, targets, *, threshold=0.5):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool and (outputs.ndim == 1 or outputs.shape[1] == 1):
        outputs = outputs >= threshold
    elif outputs.dtype != bool:
        outputs = outputs.argmax(axis=1)[:, None] == np.arange(outputs.shape[1])
    bien = (outputs == targets).reshape(len(targets), -1).all(axis=1)
    if bien.all() or not bien.any():
        return float(bien[0])
    modelo = TargetEncoder(smooth=0.0, target_type="continuous")
    return float(modelo.fit(np.zeros((len(bien), 1)), bien.astype(float)).encodings_[0][0])
