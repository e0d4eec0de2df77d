"""Curves of a model: ROC and precision-recall, all of them at the same places so that they have a
mean, and losses.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import auc, average_precision_score, precision_recall_curve, roc_curve

from practica.evaluation.classifier import ANNClassifier
from practica.reference.arguments import Array, Floats, Singles
from practica.reference.cross_validation import Normalizer, normalizer
from practica.reference.partition import Folds
from practica.reference.randomness import RandomState, SeedTree
from practica.reference.trainers import validation_fraction

__all__ = ["GRID", "Curves", "Losses", "curves_of", "learning_curves"]

GRID = np.linspace(0, 1, 101)

# training and validation loss by epoch
Losses: TypeAlias = "tuple[Singles, Singles]"


class Curves(NamedTuple):
    """ROC and precision-recall curves of a model at the 101 places of `GRID`, and the areas below
    them, which all thresholds give.

    NaN where the patterns lack positives or negatives.

    `roc`, `precision` (float arrays, shape (..., 101)): sensitivity by false positive rate, and
    precision by recall.

    `roc_area`, `precision_area` (float arrays, shape (...)): what scikit-learn calls
    `roc_auc_score` and `average_precision_score`.
    """

    roc: Floats
    precision: Floats
    roc_area: Floats
    precision_area: Floats

    def stacked(self) -> Floats:
        """Return all curves as one array, shape (..., 2, 102), each with its area at its end."""
        pairs = (self.roc, self.roc_area), (self.precision, self.precision_area)
        rows = [np.append(curve, np.expand_dims(area, -1), axis=-1) for curve, area in pairs]
        return np.stack(rows, axis=-2)

    @classmethod
    def unstacked(cls, array: Floats) -> Curves:
        """Return the curves that `stacked` has put into one array."""
        roc, precision = np.moveaxis(array, -2, 0)
        return cls(roc[..., :-1], precision[..., :-1], roc[..., -1], precision[..., -1])


def curves_of(is_positive: ArrayLike, scores: ArrayLike) -> Curves:
    """Return the curves of a model from its scores, higher for patterns that are likelier positive,
    shape (N,).

    The ROC is linear between two thresholds, since a coin toss between them reaches it. Precision
    is that of the largest threshold that has the recall; between two a line would promise too much
    (Davis and Goadrich, 2006), which is why the area below it is that of its steps, the average
    precision.

    >>> curves = curves_of([True, False, True, False], [0.9, 0.8, 0.7, 0.1])
    >>> curves.roc[[0, 49, 50, 100]], curves.precision[[0, 50, 51, 100]].round(2)
    (array([0.5, 0.5, 1. , 1. ]), array([1.  , 1.  , 0.67, 0.67]))
    """
    truth = np.asarray(is_positive, dtype=bool)
    if truth.all() or not truth.any():
        nothing = np.full((2, len(GRID) + 1), np.nan)
        return Curves.unstacked(nothing)
    false_positives, sensitivity, _ = roc_curve(truth, scores, drop_intermediate=False)
    precision, recall, _ = precision_recall_curve(truth, scores)
    roc = np.interp(GRID, false_positives, sensitivity)  # where it rises at once, the upper end
    at_recall = precision[::-1][np.searchsorted(recall[::-1], np.maximum(GRID - 1e-12, 1e-12))]
    areas = auc(false_positives, sensitivity), average_precision_score(truth, scores)
    return Curves(roc, at_recall, *map(np.asarray, areas))


def learning_curves(
    model: ANNClassifier,
    inputs: ArrayLike,
    targets: Array,
    folds: Folds,
    normalization: str | Normalizer | None,
    random_state: RandomState,
) -> list[Losses]:
    """Train the first network of each fold of a comparison again, and return its training and
    validation losses.

    The parameters are those of `cross_validate_executions`.
    """
    seeds, normalize, N = SeedTree(random_state), normalizer(normalization), len(targets)
    matrix = np.asarray(inputs)
    losses = []
    for fold in folds.tested:
        training, _ = folds.split(fold)
        X = matrix if normalize is None else normalize(matrix, training)
        options = {**model.get_params(deep=False), "random_state": seeds.generator(fold, 0)}
        if folds.forward:
            options["random_state"] = int(options["random_state"].integers(2**31))
        else:
            ratio = validation_fraction(
                model.validationRatio, N=N, N_train=len(training), fold=fold
            )
            options["validationRatio"] = ratio
        network = ANNClassifier(**options).fit(X[training], targets[training])
        losses.append((network.loss_curve_, network.validation_loss_curve_))
    return losses
