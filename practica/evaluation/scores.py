"""Scores that scikit-learn lacks, in its convention: (y_true, y_pred), sorted labels, and ready for
`make_scorer`.

What it has, under the names of the documents that teach evaluation:

    accuracy, TAC; error, TEC          accuracy_score; zero_one_loss
    recall, precision, Fβ              recall_score, precision_score, fbeta_score; average=None
                                       gives one per class
    micro and macro recall, precision  the same with average="micro" and "macro"
    Cohen's kappa                      cohen_kappa_score; another one than `uniform_kappa_score`
    cross-entropy                      log_loss, which is the mean over patterns, not the sum
    ROC curve and its area             roc_curve, roc_auc_score
    ECM, RECM, EAM, MAPE, R²           mean_squared_error, root_mean_squared_error,
                                       mean_absolute_error, mean_absolute_percentage_error (a
                                       fraction, not a percentage), r2_score

The classes are those that appear in y_true or y_pred. If a fold may miss one, pass all of them as
`labels`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from sklearn import metrics
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.multiclass import unique_labels

from practica.reference.arguments import Array, Floats, Labels, as_labels, brief
from practica.reference.metrics import ratio

__all__ = [
    "average_accuracy_score",
    "macro_f1_mean_of_f1s",
    "macro_f1_of_macro_means",
    "mean_cost",
    "negative_predictive_value_score",
    "relative_absolute_error",
    "relative_squared_error",
    "specificity_score",
    "uniform_kappa_score",
]

Average: TypeAlias = Literal["macro", "weighted"] | None


def average_accuracy_score(
    y_true: Labels, y_pred: Labels, *, labels: Labels | None = None
) -> float:
    """Return the mean over the classes of the accuracy of "is it this class?", which is not the
    accuracy.

    Parameters
    ----------
    y_true, y_pred : labels, shape (N,)
    labels : sequence of labels, optional
        All the classes.

    Returns
    -------
    score : float in [0, 1]
        1 − 2·(1 − accuracy)/C with C classes: an error is wrong about two of them, and right about
        all the others. With two classes it is the accuracy; with many it is close to 1 regardless
        of the model.

    Raises
    ------
    ValueError
        If the lengths differ, there are no patterns, or `labels` misses a class.

    References
    ----------
    Sokolova and Lapalme (2009), A systematic analysis of performance measures for classification
    tasks.

    Examples
    --------
    >>> average_accuracy_score(["a", "b", "c", "c"], ["a", "b", "c", "a"])
    0.8333333333333334
    """
    tables = metrics.multilabel_confusion_matrix(
        y_true, y_pred, labels=_classes(y_true, y_pred, labels)
    )
    return float(np.trace(tables, axis1=1, axis2=2).mean() / tables[0].sum())


def macro_f1_mean_of_f1s(
    y_true: Labels, y_pred: Labels, *, labels: Labels | None = None, zero_division: float = 0.0
) -> float:
    """Return macro-F1 as scikit-learn defines it: the mean of the classes' F1.

    Parameters
    ----------
    y_true, y_pred : labels, shape (N,)
    labels : sequence of labels, optional
        All the classes.
    zero_division : 0.0, 1.0 or NaN
        F1 of a class that is neither in y_true nor in y_pred; NaN leaves it out of the mean.

    Returns
    -------
    score : float in [0, 1]

    Raises
    ------
    ValueError
        As `average_accuracy_score`.

    Notes
    -----
    Calls `f1_score(..., average="macro")`. It is never above `macro_f1_of_macro_means`.

    Examples
    --------
    >>> round(macro_f1_mean_of_f1s(["a", "a", "b", "c"], ["a", "b", "c", "c"]), 4)
    0.4444
    """
    classes = _classes(y_true, y_pred, labels)
    return float(
        metrics.f1_score(
            y_true, y_pred, labels=classes, average="macro", zero_division=zero_division
        )
    )


def macro_f1_of_macro_means(
    y_true: Labels, y_pred: Labels, *, labels: Labels | None = None, zero_division: float = 0.0
) -> float:
    """Return the macro-F1 that is the harmonic mean of macro-precision and macro-recall.

    Parameters
    ----------
    y_true, y_pred, labels
        As in `macro_f1_mean_of_f1s`.
    zero_division : 0.0, 1.0 or NaN
        Precision of a class that is never predicted, and recall of one that never occurs; NaN
        leaves it out.

    Returns
    -------
    score : float in [0, 1]
        0 where both means are.

    Raises
    ------
    ValueError
        As `average_accuracy_score`.

    References
    ----------
    Sokolova and Lapalme (2009).

    Examples
    --------
    >>> round(macro_f1_of_macro_means(["a", "a", "b", "c"], ["a", "b", "c", "c"]), 4)
    0.5
    """
    classes = _classes(y_true, y_pred, labels)
    precision, recall, _, _ = metrics.precision_recall_fscore_support(
        y_true, y_pred, labels=classes, average="macro", zero_division=zero_division
    )
    total = float(precision + recall)
    return 2 * float(precision * recall) / total if total != 0 else 0.0


def uniform_kappa_score(y_true: Labels, y_pred: Labels, *, labels: Labels | None = None) -> float:
    """Return how far the accuracy is above that of guessing among C classes, as a fraction of the
    most that is possible: (accuracy − 1/C)/(1 − 1/C).

    Parameters
    ----------
    y_true, y_pred : labels, shape (N,)
    labels : sequence of labels, optional
        All the classes: with a class too few, C is too small.

    Returns
    -------
    score : float, at most 1
        0 is a guess among the C classes. Cohen's kappa, `cohen_kappa_score`, compares with guessing
        as often as the model does: of a model that always predicts one class it is 0, whereas this
        one is above 0 if that class is frequent.

    Raises
    ------
    ValueError
        As `average_accuracy_score`, or if there is only one class.

    Examples
    --------
    >>> uniform_kappa_score([0, 0, 0, 1], [0, 0, 0, 0])
    0.5
    """
    chance = 1 / len(_classes(y_true, y_pred, labels))
    if chance == 1:
        raise ValueError(
            "there is only one class, and guessing it is always right; kappa needs at least two"
        )
    return (float(metrics.accuracy_score(y_true, y_pred)) - chance) / (1 - chance)


def mean_cost(
    y_true: Labels, y_pred: Labels, costs: ArrayLike, *, labels: Labels | None = None
) -> float:
    """Return the mean cost of a prediction.

    Parameters
    ----------
    y_true, y_pred : labels, shape (N,)
    costs : float array, shape (C, C)
        What it costs to predict the class of the column for a pattern of the class of the row.
    labels : sequence of labels, shape (C,), optional
        The classes in the order of the rows and columns; sorted if not given.

    Returns
    -------
    cost : float, units of `costs`
        With 0 on the diagonal and 1 elsewhere, the error rate.

    Raises
    ------
    ValueError
        As `average_accuracy_score`, or if `costs` has not one row and one column per class.

    Notes
    -----
    Lower is better: `make_scorer(mean_cost, greater_is_better=False, costs=costs, labels=labels)`.

    Examples
    --------
    >>> mean_cost(["ill", "ill", "well", "well"], ["ill", "well", "well", "ill"], [[0, 10], [1, 0]])
    2.75
    """
    classes = _classes(y_true, y_pred, labels)
    table = np.asarray(costs, dtype=np.float64)
    if table.shape != (len(classes), len(classes)):
        raise ValueError(
            f"costs has shape {table.shape}; it must have a row and a column for each of"
            f" {len(classes)} classes"
        )
    counts = metrics.confusion_matrix(y_true, y_pred, labels=classes)
    return float((counts * table).sum() / counts.sum())


def specificity_score(
    y_true: Labels,
    y_pred: Labels,
    *,
    labels: Labels | None = None,
    average: Average = None,
    zero_division: float = 0.0,
) -> Floats | float:
    """Return, for each class, the fraction of the patterns of other classes that are not predicted
    as this class, TN/(TN + FP).

    Parameters
    ----------
    y_true, y_pred : labels, shape (N,)
    labels : sequence of labels, optional
        The classes to score, in this order; all, sorted, if not given.
    average : None, "macro" or "weighted"
        One value per class, their mean, or their mean weighted by the patterns of each class in
        y_true.
    zero_division : float
        What 0/0 counts as; the practice counts it as 1.

    Returns
    -------
    score : float array, shape (number of labels,), or float

    Raises
    ------
    ValueError
        If the lengths differ, there are no patterns, or `average` is another.

    Notes
    -----
    Of two classes, the specificity of one is the recall of the other: `recall_score(...,
    pos_label=other)`.

    Examples
    --------
    >>> specificity_score(["a", "b", "c", "c"], ["a", "b", "c", "a"])
    array([0.66666667, 1.        , 1.        ])
    >>> specificity_score(["a", "b", "c", "c"], ["a", "b", "c", "a"], labels=["a"], average="macro")
    0.6666666666666666
    """
    TN, FP, FN, TP = _counts(y_true, y_pred, labels)
    return _averaged(ratio(TN, TN + FP, zero_division), TP + FN, average)


def negative_predictive_value_score(
    y_true: Labels,
    y_pred: Labels,
    *,
    labels: Labels | None = None,
    average: Average = None,
    zero_division: float = 0.0,
) -> Floats | float:
    """Return, for each class, the fraction of the patterns predicted as other classes that are not
    of this class, TN/(TN + FN).

    Parameters
    ----------
    y_true, y_pred, labels, average, zero_division
        As in `specificity_score`.

    Returns
    -------
    score : float array, shape (number of labels,), or float

    Raises
    ------
    ValueError
        As `specificity_score`.

    Examples
    --------
    >>> negative_predictive_value_score(["a", "b", "c", "c"], ["a", "b", "c", "a"])
    array([1.        , 1.        , 0.66666667])
    """
    TN, _, FN, TP = _counts(y_true, y_pred, labels)
    return _averaged(ratio(TN, TN + FN, zero_division), TP + FN, average)


def relative_squared_error(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Return the squared error relative to that of always predicting the mean of y_true, 1 − R².

    Parameters
    ----------
    y_true, y_pred : float array, shape (N,) or (N, 1)

    Returns
    -------
    error : float, >= 0
        Lower is better; 1 is what the mean would get.

    Raises
    ------
    ValueError
        If the lengths differ, a value is not finite, or all of y_true is one value, so that the
        mean makes no error.

    Examples
    --------
    >>> relative_squared_error([1.0, 2.0, 3.0], [1.0, 2.0, 2.0])
    0.5
    """
    targets, outputs = _columns(y_true, y_pred)
    return 1 - float(metrics.r2_score(targets, outputs))


def relative_absolute_error(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Return the absolute error relative to that of always predicting the mean of y_true, Σ|e| /
    Σ|y − mean|.

    Parameters
    ----------
    y_true, y_pred : float array, shape (N,) or (N, 1)

    Returns
    -------
    error : float, >= 0
        Lower is better; 1 is what the mean would get.

    Raises
    ------
    ValueError
        As `relative_squared_error`.

    Notes
    -----
    scikit-learn's `d2_absolute_error_score` compares with the median, which makes the smallest
    absolute error of all constants: its complement is never below this one.

    Examples
    --------
    >>> relative_absolute_error([1.0, 2.0, 3.0], [1.0, 2.0, 2.0])
    0.5
    """
    targets, outputs = _columns(y_true, y_pred)
    of_the_mean = metrics.mean_absolute_error(targets, np.full_like(targets, targets.mean()))
    return float(metrics.mean_absolute_error(targets, outputs) / of_the_mean)


def _classes(y_true: Labels, y_pred: Labels, labels: Labels | None) -> Array:
    """Return the classes to score: `labels`, which have to include every class that appears, or by
    default those that appear.
    """
    check_consistent_length(y_true, y_pred)
    if len(as_labels(y_true, "y_true")) == 0:
        raise ValueError("y_true and y_pred have no patterns; a score needs at least one")
    present = unique_labels(y_true, y_pred)
    if labels is None:
        return present
    classes = np.asarray(labels)
    missing = [label for label in present.tolist() if label not in classes.tolist()]
    if missing:
        raise ValueError(
            f"labels={brief(classes.tolist())} misses {brief(missing[0])}; it must name every class"
        )
    return classes


def _counts(y_true: Labels, y_pred: Labels, labels: Labels | None) -> tuple[Array, ...]:
    """Return TN, FP, FN and TP of each class against the others."""
    _classes(y_true, y_pred, None)
    tables = metrics.multilabel_confusion_matrix(y_true, y_pred, labels=labels)
    return tuple(tables.reshape(-1, 4).T)


def _averaged(values: Floats, patterns: Array, average: Average) -> Floats | float:
    match average:
        case None:
            return values
        case "macro":
            return float(values.mean())
        case "weighted":
            return float(np.average(values, weights=patterns))
        case _:
            raise ValueError(
                f'average={average!r} is unknown; it must be None, "macro" or "weighted"'
            )


def _columns(y_true: ArrayLike, y_pred: ArrayLike) -> tuple[Floats, Floats]:
    """Return targets and outputs as two vectors: a vector minus a column would be a matrix of all
    pairs.
    """
    targets, outputs = (column_or_1d(values, dtype=np.float64) for values in (y_true, y_pred))
    check_consistent_length(targets, outputs)
    if len(targets) == 0 or np.ptp(targets) == 0:
        values = f"all {len(targets)} are {targets[0]:g}" if len(targets) else "there are none"
        raise ValueError(
            f"y_true has no spread ({values}); a relative error needs at least two different"
            " targets"
        )
    return targets, outputs
