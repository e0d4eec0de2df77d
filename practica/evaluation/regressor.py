"""The network of the practice with a linear output, as a regressor of scikit-learn."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import RegressorMixin
from sklearn.utils.validation import validate_data

from practica.evaluation.ann_estimator import (
    ANNEstimator,
    Topology,
    TransferFunctions,
    as_weights,
    opened,
)
from practica.reference.arguments import Floats, as_single_precision
from practica.reference.randomness import RandomState
from practica.reference.trainers import SAME_WARNINGS

__all__ = ["ANNRegressor"]


class ANNRegressor(RegressorMixin, ANNEstimator):  # type: ignore[misc]
    """Predict a quantity with the network of the practice, its output layer linear and its loss the
    squared error.

    Parameters
    ----------
    topology, transferFunctions, maxEpochs, minLoss, learningRate
        As in `ANNClassifier`.
    weightDecay, validationRatio, maxEpochsVal
        As in `ANNClassifier`.
    random_state, warm_start, device
        As in `ANNClassifier`; a `warm_start` keeps the mean and the deviation of the first `fit`.
    standardizeTarget : bool
        Whether the network learns (y − mean) / std, with the mean and the standard deviation of the
        patterns given to `fit`; predictions are turned back. Without it, y is learnt as it is.

    Attributes
    ----------
    ann_ : torch.nn.Sequential
        The network, without a function after its last layer; its output is what it learns, the
        standardized y.
    target_mean_, target_std_ : float
        What turns an output into a prediction; 0 and 1 without `standardizeTarget`.
    loss_curve_, validation_loss_curve_, n_iter_, n_features_in_, feature_names_in_
        As in `ANNClassifier`; a loss is the mean squared error of what the network learns.

    Notes
    -----
    A step of Adam changes a weight by some `learningRate`, so that without `standardizeTarget` the
    unit of y decides how many epochs are needed, and prices in euros lose where the same prices in
    thousands win. The attributes are taken as they are: put a scaler before the network.

    Examples
    --------
    >>> X = np.linspace(-1, 1, 41).reshape(-1, 1)
    >>> model = ANNRegressor(8, transferFunctions="tanh", learningRate=0.05, random_state=1).fit(
    ...     X, np.sin(2 * X[:, 0])
    ... )
    >>> model.score(X, np.sin(2 * X[:, 0])) > 0.99
    True
    """

    standardizeTarget: bool

    def __init__(
        self,
        topology: Topology = (8,),
        *,
        transferFunctions: TransferFunctions = None,
        maxEpochs: int = 1000,
        minLoss: float = 0.0,
        learningRate: float = 0.01,
        weightDecay: float = 0.0,
        validationRatio: float = 0,
        maxEpochsVal: int = 20,
        random_state: RandomState = None,
        warm_start: bool = False,
        device: str = "cpu",
        standardizeTarget: bool = True,
    ) -> None:
        self._keep(locals())

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> ANNRegressor:
        """Train a network.

        Parameters
        ----------
        X : real array, shape (N, L)
        y : real array, shape (N,)
        sample_weight : array, shape (N,), values >= 0, optional
            How much each pattern counts in the losses; one that weighs 0 is left out.

        Returns
        -------
        self : ANNRegressor

        Raises
        ------
        ValueError
            If no pattern is left to train with, a value is not finite, or an option is out of its
            range.
        TypeError
            If X is sparse.
        """
        start = self.ann_ if self.warm_start and hasattr(self, "ann_") else None
        with SAME_WARNINGS:
            inputs, quantities = validate_data(self, opened(X, "X"), opened(y, "y"), y_numeric=True)
        quantities = quantities.astype(np.float64)
        weights, patterns = as_weights(sample_weight, inputs)
        if start is None:
            self.target_mean_, self.target_std_ = 0.0, 1.0
            if self.standardizeTarget:
                of_each = None if weights is None else weights[patterns]
                self.target_mean_, self.target_std_ = _mean_and_std(quantities[patterns], of_each)
        learnt = (quantities - self.target_mean_) / self.target_std_
        targets = as_single_precision(learnt.reshape(-1, 1), "y in float32")
        self._train(as_single_precision(inputs, "X in float32"), targets, patterns, weights, start)
        return self

    def predict(self, X: ArrayLike) -> Floats:
        """Return the quantity of each pattern, in double precision.

        Parameters
        ----------
        X : real array, shape (N, L)

        Returns
        -------
        quantities : float64 array, shape (N,)
        """
        return self._outputs(X, None)[:, 0] * self.target_std_ + self.target_mean_


def _mean_and_std(y: Floats, weights: Floats | None) -> tuple[float, float]:
    """Return the weighted mean and standard deviation of quantities, without overflow; the
    deviation of equal quantities is 1.
    """
    unit = float(np.abs(y).max(initial=0)) or 1.0  # the squares of 10²⁰⁰ would overflow
    scaled = y / unit
    mean = np.average(scaled, weights=weights)
    std = math.sqrt(np.average((scaled - mean) ** 2, weights=weights))
    return float(mean) * unit, std * unit if std > 64 * np.finfo(np.float64).eps else 1.0
