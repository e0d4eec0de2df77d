"""Bootstrap estimates of the error of a model: out-of-bag, .632 and .632+.

scikit-learn has none of them. Its `BaggingClassifier(oob_score=True)` scores a committee of all the
resampled models, and its `resample` draws one resample.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import joblib
import numpy as np
from sklearn.base import clone, is_classifier

from practica.evaluation.estimators import Estimator, Inputs
from practica.evaluation.splits import as_inputs, rows_at
from practica.reference.arguments import (
    Array,
    Floats,
    Integers,
    Labels,
    as_integer,
    as_labels,
    require_equal_lengths,
)
from practica.reference.randomness import RandomState, as_generator

__all__ = ["BootstrapErrors", "bootstrap_errors"]

_Loss: TypeAlias = Callable[[Array, Array], Floats]

_DRAWN = 0.632  # 1 − 1/e: about this part of the patterns is in a resample of their number


@dataclass(frozen=True)
class BootstrapErrors:
    """The measured errors of a model, all mean losses, and the estimates derived from them.

    Attributes
    ----------
    resubstitution : float
        On the patterns it was trained with, all of them: too low.
    out_of_bag : float
        On the patterns that a resample leaves out, each averaged over the resamples that do: too
        high, since those models have seen about 63 % of the patterns.
    no_information : float
        If inputs and targets had nothing to do with each other: the mean over all pairs of a target
        and a prediction.
    n_resamples : int
    """

    resubstitution: float
    out_of_bag: float
    no_information: float
    n_resamples: int

    @property
    def error_632(self) -> float:
        """The weighted error .632 · out-of-bag + .368 · resubstitution, too low for a model that
        memorizes.
        """
        return _DRAWN * self.out_of_bag + (1 - _DRAWN) * self.resubstitution

    @property
    def relative_overfitting(self) -> float:
        """How near the out-of-bag error is to that of no information: 0 at the resubstitution
        error, 1 at no information.
        """
        reach = self.no_information - self.resubstitution
        overfitting = self._bounded_out_of_bag - self.resubstitution
        return overfitting / reach if reach > 0 and overfitting > 0 else 0.0

    @property
    def error_632_plus(self) -> float:
        """The error .632+, with more weight on the out-of-bag error the more the model overfits.

        It is the last formula of the paper: `error_632` and a correction. The other one, (1 − w) ·
        resubstitution + w · out-of-bag, agrees with it unless the out-of-bag error is above no
        information. There this one is above it too, for only the correction is bounded by it, and
        the other one would be no information itself.
        """
        rest, overfitting = 1 - _DRAWN, self.relative_overfitting
        more = _DRAWN * rest * overfitting / (1 - rest * overfitting)
        return self.error_632 + (self._bounded_out_of_bag - self.resubstitution) * more

    @property
    def _bounded_out_of_bag(self) -> float:
        return min(self.out_of_bag, self.no_information)


def bootstrap_errors(
    estimator: Estimator,
    X: Inputs,
    y: Labels,
    *,
    n_resamples: int = 200,
    loss: _Loss | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = None,
) -> BootstrapErrors:
    """Estimate the error of any scikit-learn estimator by training it on resamples of the patterns.

    Parameters
    ----------
    estimator : scikit-learn estimator
        It is cloned, never trained itself. If it is random, its own `random_state` says how.
    X : array, sparse matrix or data frame, N rows
    y : labels or numbers, shape (N,)
    n_resamples : int, >= 1
        Resamples of N patterns, drawn with replacement.
    loss : function (y_true, y_pred) -> float array, one loss per pattern, optional
        If not given, 0 or 1 for classifiers, right or wrong, and the squared error for the others.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None
        For the resamples.
    n_jobs : int, optional
        Trainings at the same time, as in `joblib.Parallel`.

    Returns
    -------
    errors : BootstrapErrors

    Raises
    ------
    ValueError
        If X and y differ in length, or every resample has all the patterns, so that none can be
        tested.

    Notes
    -----
    Resubstitution is the error of *one* model, trained and tested on all patterns. Testing each
    resampled model on all patterns instead counts the patterns it has not seen twice. With few
    resamples some patterns are never left out; they are not part of the out-of-bag error.

    References
    ----------
    Efron and Tibshirani (1997), Improvements on cross-validation: the .632+ bootstrap method.

    Examples
    --------
    A nearest neighbour remembers everything, and here nothing can be learnt: half of its answers
    are wrong.

    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = np.random.default_rng(1).random((400, 5)), np.repeat([0, 1], 200)
    >>> errors = bootstrap_errors(KNeighborsClassifier(1), X, y, n_resamples=50, random_state=1)
    >>> errors.resubstitution, errors.no_information
    (0.0, 0.5)
    >>> round(errors.error_632, 3), round(errors.error_632_plus, 3)
    (0.316, 0.5)
    """
    targets, inputs = as_labels(y, "y"), as_inputs(X)
    N = len(targets)
    require_equal_lengths(X=range(inputs.shape[0]), y=targets)
    loss_of = loss or (np.not_equal if is_classifier(estimator) else _squared)
    draws = as_generator(random_state).integers(
        N, size=(as_integer(n_resamples, "n_resamples", minimum=1), N)
    )
    fitted_predictions = clone(estimator).fit(inputs, targets).predict(inputs)
    tested = joblib.Parallel(n_jobs=n_jobs)(
        joblib.delayed(_out_of_bag_losses)(estimator, inputs, targets, drawn, loss_of)
        for drawn in draws
    )
    losses = np.ma.stack(tested)
    if losses.mask.all():
        raise ValueError(
            f"each of the {len(draws)} resamples has all {N} patterns: none is left to test; draw"
            " more"
        )
    return BootstrapErrors(
        resubstitution=float(loss_of(targets, fitted_predictions).mean()),
        out_of_bag=float(losses.mean(axis=0).mean()),
        no_information=_no_information(targets, fitted_predictions, loss_of),
        n_resamples=len(draws),
    )


def _squared(y_true: Array, y_pred: Array) -> Floats:
    return np.square(y_true - y_pred, dtype=np.float64)


def _out_of_bag_losses(
    estimator: Estimator, X: Inputs, y: Array, drawn: Integers, loss: _Loss
) -> np.ma.MaskedArray[tuple[int], np.dtype[np.float64]]:
    """Return the losses of the patterns that the resample `drawn` leaves out; those of the others
    are masked.
    """
    losses = np.ma.array(np.zeros(len(y)), mask=True)
    left_out = np.setdiff1d(np.arange(len(y)), drawn)
    if len(left_out):
        model = clone(estimator).fit(rows_at(X, drawn), y[drawn])
        losses[left_out] = loss(y[left_out], model.predict(rows_at(X, left_out)))
    return losses


def _no_information(y: Array, predictions: Array, loss: _Loss) -> float:
    """Return the mean loss of all N² pairs of a target and a prediction, as if both were
    independent.
    """
    values, times = np.unique(predictions, return_counts=True)
    of_each = [loss(y, np.full(len(y), value)).mean() for value in values]
    return float(np.average(of_each, weights=times))
