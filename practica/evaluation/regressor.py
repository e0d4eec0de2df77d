"""The network of the practice with a linear output, as a regressor of scikit-learn."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin
from sklearn.utils.validation import validate_data

from practica.evaluation.ann_estimator import ANNEstimator, as_weights
from practica.reference.arguments import as_single_precision

__all__ = ["ANNRegressor"]


class ANNRegressor(RegressorMixin, ANNEstimator):  # type: ignore[misc]
    """Predict a quantity with the network of the practice, its output layer linear and its loss the squared error.

    Parameters
    ----------
    topology, transferFunctions, maxEpochs, minLoss, learningRate, weightDecay, validationRatio, maxEpochsVal
        As in `ANNClassifier`.
    random_state, warm_start, device
        As in `ANNClassifier`.

    Attributes
    ----------
    ann_ : torch.nn.Sequential
        The network, without a function after its last layer.
    loss_curve_, validation_loss_curve_, n_iter_, n_features_in_, feature_names_in_
        As in `ANNClassifier`; a loss is the mean squared error.

    Notes
    -----
    Attributes and targets are taken as they are. A step of Adam changes a weight by `learningRate` at most, so that
    targets far from 0 or with a large spread take many epochs: put a scaler before the network, and another one around
    it with `sklearn.compose.TransformedTargetRegressor`.

    Examples
    --------
    >>> X = np.linspace(-1, 1, 41).reshape(-1, 1)
    >>> model = ANNRegressor(8, transferFunctions="tanh", learningRate=0.05, random_state=1).fit(X, np.sin(2 * X[:, 0]))
    >>> model.score(X, np.sin(2 * X[:, 0])) > 0.99
    True
    """

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> ANNRegressor:
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
            If no pattern is left to train with, a value is not finite, or an option is out of its range.
        TypeError
            If X is sparse.
        """
        start = self.ann_ if self.warm_start and hasattr(self, "ann_") else None
        inputs, quantities = validate_data(self, X, y, y_numeric=True)
        weights = None if sample_weight is None else as_weights(sample_weight, inputs)
        patterns = np.arange(len(inputs)) if weights is None else np.flatnonzero(weights)
        targets = as_single_precision(quantities.reshape(-1, 1), "y in float32")
        self._train(as_single_precision(inputs, "X in float32"), targets, patterns, weights, start)
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the quantity of each pattern, in double precision.

        Parameters
        ----------
        X : real array, shape (N, L)

        Returns
        -------
        quantities : float64 array, shape (N,)
        """
        return self._outputs(X, None)[:, 0]
