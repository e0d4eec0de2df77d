"""Accuracy, and the confusion matrix with its seven metrics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from practica.reference.arguments import (
    Array,
    Bools,
    Floats,
    Integers,
    Label,
    Labels,
    as_bool_array,
    as_real_array,
    as_rows,
    brief,
    is_real,
    require_equal_lengths,
)
from practica.reference.encoding import classify_outputs, distinct, number_classes
from practica.reference.partition import column_of_each_row

__all__ = [
    "ConfusionMatrix",
    "Metrics",
    "WithAttributes",
    "accuracy",
    "confusion_matrix",
    "count_pairs",
    "metrics_of",
    "print_confusion_matrix",
    "ratio",
    "require_few_classes",
    "undefined_of",
]


Value = TypeVar("Value")

_MOST_CLASSES = 10_000  # a confusion matrix of them takes 0.8 GB


class Metrics(NamedTuple, Generic[Value]):
    """The seven metrics of the practice, in its order."""

    accuracy: Value
    errorRate: Value
    recall: Value
    specificity: Value
    PPV: Value
    NPV: Value
    F1: Value


class WithAttributes(Metrics[Value]):
    """The seven metrics, in a class whose instances may have attributes as well."""

    def _replace(self, **changes: Any) -> Self:
        """Return a copy with other metrics and the same attributes."""
        result = super()._replace(**changes)
        vars(result).update(vars(self))
        return result

    __replace__ = _replace  # what `copy.replace` calls


class ConfusionMatrix(WithAttributes[float]):
    """The seven metrics, and beside them the matrix they come from.

    Attributes
    ----------
    matrix : int64 array, shape (2, 2) or (C, C)
        Rows are the real classes, columns the predicted ones. With two classes `[[TN, FP], [FN,
        TP]]`.
    classes : tuple
        The class of each row: False and True for bool vectors, the columns of a one-hot matrix, or
        the labels. With two labels the first one seen is the positive class, which stands in the
        second row.
    """

    matrix: Integers
    classes: tuple[Label, ...]

    @classmethod
    def of(
        cls, matrix: Integers, classes: Sequence[Label], weighted: bool = True
    ) -> ConfusionMatrix:
        """Return the metrics of a confusion matrix, with the matrix and the classes of its rows as
        attributes.
        """
        result = cls(*metrics_of(matrix, weighted).tolist())
        result.matrix = matrix
        result.classes = tuple(classes)
        return result


def accuracy(outputs: ArrayLike, targets: ArrayLike, *, threshold: float = 0.5) -> float:
    """Return the fraction of patterns that are classified right.

    Parameters
    ----------
    outputs : bool or real array, shape (N,) or (N, C), C = 1 or C >= 3
        Real outputs are classified first, see `classify_outputs`.
    targets : bool array of the same shape
    threshold : float
        Smallest output that counts as positive; used only for real vectors or single columns.

    Returns
    -------
    accuracy : float in [0, 1]
        With several columns a pattern is right when all of them agree.

    Raises
    ------
    ValueError
        If the shapes differ, there are two columns, or there are no patterns.

    References
    ----------
    Exercise 2, `accuracy`.

    Examples
    --------
    >>> accuracy([0.2, 0.9, 0.6], [False, True, False])
    0.6666666666666666
    >>> accuracy([[0.1, 0.7, 0.2], [0.8, 0.1, 0.1]], [[False, True, False], [False, False, True]])
    0.5
    """
    classified, truth = _classified_like_targets(outputs, targets, threshold)
    if classified.ndim == 2:
        return float((classified == truth).all(axis=1).mean())
    return float(np.count_nonzero(classified == truth) / len(truth))


def confusion_matrix(
    outputs: Labels, targets: Labels, *, threshold: float = 0.5, weighted: bool = True
) -> ConfusionMatrix:
    """Compare the outputs of a model with the targets: seven metrics and the confusion matrix.

    Parameters
    ----------
    outputs, targets : arrays with one entry or row per pattern, N >= 1
        Bool vectors; real outputs and bool targets; bool or real outputs, shape (N, C), and one-hot
        targets, C = 1 or C >= 3; or two vectors of labels of any type.
    threshold : float
        Smallest real output that counts as positive; used only for vectors or single columns.
    weighted : bool
        With three or more classes, whether recall, specificity, PPV, NPV and F1 are the means over
        the classes weighted by the number of targets of each, or plain (macro) means.

    Returns
    -------
    metrics : ConfusionMatrix
        Named tuple (accuracy, errorRate, recall, specificity, PPV, NPV, F1) with attributes
        `matrix` and `classes`.

    Raises
    ------
    ValueError
        If the sizes differ, there are no patterns, there are two columns, a row has not exactly one
        True, or one of two vectors of labels has probabilities.
    TypeError
        If outputs and targets are of kinds that cannot be compared.

    Notes
    -----
    A metric of nothing, 0/0, is 1; F1 is 0 when recall and PPV both are. Of two labels the positive
    one is the first of the targets. Labels that appear only in the outputs are classes too. With
    three or more classes accuracy is that of the whole, never a mean over classes, and F1 the mean
    of the classes' F1; the weighted recall equals the accuracy.

    References
    ----------
    Exercise 4, `confusionMatrix`.

    Examples
    --------
    >>> result = confusion_matrix([True, True, False, False], [True, False, False, False])
    >>> result.matrix
    array([[2, 1],
           [0, 1]])
    >>> result.PPV, result.recall
    (0.5, 1.0)
    >>> confusion_matrix(["a", "b", "c", "c"], ["a", "b", "c", "a"]).accuracy
    0.75
    """
    predicted, real = (
        as_rows(outputs, "outputs", numbers=False),
        as_rows(targets, "targets", numbers=False),
    )
    if predicted.ndim == real.ndim == 1 and not (real.dtype == bool and _are_numbers(predicted)):
        for name, ours, other, others in (
            ("outputs", predicted, real, "targets"),
            ("targets", real, predicted, "outputs"),
        ):
            _require_comparable(ours, other, name, others)
            _require_no_probabilities(ours, other, name, others)
        return _of_labels(predicted, real, weighted)
    classified, truth = _classified_like_targets(predicted, real, threshold)
    if truth.ndim == 1:
        return _of_bool_vectors(classified, truth)
    if truth.shape[1] == 1:
        return _of_bool_vectors(classified[:, 0], truth[:, 0])
    C = truth.shape[1]
    matrix = count_pairs(
        column_of_each_row(classified, "outputs"), column_of_each_row(truth, "targets"), C
    )
    return ConfusionMatrix.of(matrix, range(C), weighted)


def _are_numbers(outputs: Array) -> bool:
    """Return whether outputs are real numbers, also as objects; bools as objects are labels."""
    kinds = set() if is_real(outputs) else set(map(type, outputs.tolist()))
    return is_real(outputs) or not any(
        kind is bool or not issubclass(kind, int | float | np.number) for kind in kinds
    )


def _require_comparable(bools: Array, others: Array, name: str, other: str) -> None:
    """Raise TypeError if a bool vector stands beside labels of another type, such as strings.
    `name` and `other` are the names of both arrays in errors.
    """
    if bools.dtype != bool or is_real(others):
        return
    for label in number_classes(others)[0]:
        if not isinstance(label, bool | int | float | np.number | np.bool_):
            raise TypeError(
                f"{name} is a bool vector and {other} has labels such as {brief(label)}; they"
                f" cannot be compared: give {other} as a bool vector too, as in {other} =="
                f" {brief(label)}"
            )


def _require_no_probabilities(numbers: Array, others: Array, name: str, other: str) -> None:
    """Raise ValueError if probabilities stand beside the labels of two classes: `numbers` between 0
    and 1 that are none of the labels. `name` and `other` are the names of both arrays in errors.
    """
    if numbers.dtype.kind != "f" or not len(numbers) or not ((numbers >= 0) & (numbers <= 1)).all():
        return
    between = numbers[(numbers > 0) & (numbers < 1)]
    if not len(between):
        return
    labels, _ = number_classes(others[:1000])  # the classes of two have appeared by then
    if len(labels) <= 2 and between[0] not in labels:
        example = f"{other} == {labels[0]!r}" if labels else f"{other} == label"
        raise ValueError(
            f"{name} has numbers between 0 and 1, such as {between[0]:g}, and {other} labels of two"
            f" classes: if they are probabilities, give {other} as a bool vector, as in {example}"
        )


def _classified_like_targets(
    outputs: ArrayLike, targets: ArrayLike, threshold: float
) -> tuple[Bools, Bools]:
    """Return outputs and targets as bool arrays of one shape; ValueError if it is none of the
    practice's.
    """
    predicted, truth = as_rows(outputs, "outputs"), as_bool_array(targets, "targets")
    if predicted.dtype != bool:
        predicted = as_real_array(predicted, "outputs")
    if predicted.shape != truth.shape:
        raise ValueError(
            f"outputs has shape {predicted.shape} and targets {truth.shape}; they must agree"
        )
    if len(truth) == 0:
        raise ValueError("outputs and targets have no patterns; a rate needs at least one")
    if truth.ndim == 2 and truth.shape[1] in (0, 2):
        raise ValueError(
            f"targets has {truth.shape[1]} columns; two classes take one, more take one each"
        )
    if predicted.dtype != bool:
        predicted = classify_outputs(predicted, threshold=threshold)
    return predicted, truth


def _of_bool_vectors(
    outputs: Bools, targets: Bools, classes: Sequence[Label] = (False, True)
) -> ConfusionMatrix:
    TP = np.count_nonzero(outputs & targets)
    FP = np.count_nonzero(outputs) - TP
    FN = np.count_nonzero(targets) - TP
    matrix = np.array([[len(targets) - TP - FP - FN, FP], [FN, TP]], dtype=np.int64)
    return ConfusionMatrix.of(matrix, classes)


def _of_labels(outputs: Array, targets: Array, weighted: bool) -> ConfusionMatrix:
    require_equal_lengths(outputs=outputs, targets=targets)
    if len(targets) == 0:
        raise ValueError("outputs and targets have no patterns; a rate needs at least one")
    real_classes, real = number_classes(targets)
    predicted_classes, predicted = number_classes(outputs)
    classes, number_of = distinct([*real_classes, *predicted_classes])
    renumbered = np.array(
        [number_of[label] for label in predicted_classes], dtype=np.min_scalar_type(len(classes))
    )
    predicted = renumbered[predicted]
    if len(classes) > 2:
        return ConfusionMatrix.of(count_pairs(predicted, real, len(classes)), classes, weighted)
    negative = classes[1] if len(classes) == 2 else None
    return _of_bool_vectors(predicted == 0, real == 0, (negative, classes[0]))


def count_pairs(outputs: Array, targets: Array, C: int) -> Integers:
    """Return the confusion matrix of class numbers 0..C−1, targets in rows."""
    require_few_classes(C)
    # the fewer bytes, the less waiting for memory
    pairs = targets.astype(np.min_scalar_type(C * C))
    pairs *= C
    pairs += outputs.astype(pairs.dtype, copy=False)
    return np.bincount(pairs, minlength=C * C).reshape(C, C).astype(np.int64, copy=False)


def require_few_classes(C: int) -> None:
    """Raise ValueError if a confusion matrix of so many classes would not fit in the memory of a
    small machine.
    """
    if C > _MOST_CLASSES:
        raise ValueError(
            f"there are {C} classes, and a confusion matrix would take {8e-9 * C * C:.0f} GB; at"
            f" most {_MOST_CLASSES} are compared: are they identifiers, or quantities?"
        )


def metrics_of(matrices: Integers, weighted: bool = True) -> Floats:
    """Return the seven metrics, shape (..., 7), of confusion matrices, shape (..., C, C). Of two
    classes, the second is the positive one. `weighted`: as in `confusion_matrix`.
    """
    C = matrices.shape[-1]
    TP = matrices.diagonal(axis1=-2, axis2=-1)
    targets, outputs = matrices.sum(axis=-1), matrices.sum(axis=-2)
    N = targets.sum(axis=-1, keepdims=True)
    others, TN = N - targets, N - targets - outputs + TP
    rates = np.empty((5, *TP.shape))  # recall, specificity, PPV, NPV, F1
    rates[:4] = ratio(np.array([TP, TN, TP, TN]), np.array([targets, others, outputs, N - outputs]))
    recall, PPV = rates[0], rates[2]
    rates[4] = ratio(2 * recall * PPV, recall + PPV, of_nothing=0.0)
    result = np.empty((*TP.shape[:-1], 7))
    result[..., 0] = TP.sum(axis=-1) / N[..., 0]
    result[..., 1] = 1 - result[..., 0]
    # Weights are whole numbers, by whose sum the means are divided in the end: no rounding lifts
    # one above 1.
    means = (
        rates[..., 1]
        if C == 2
        else (rates * targets).sum(axis=-1) / N[..., 0]
        if weighted
        else rates.mean(axis=-1)
    )
    result[..., 2:] = np.moveaxis(means, 0, -1)
    return result


def undefined_of(matrix: Integers) -> Bools:
    """Return which metrics of a confusion matrix, shape (C, C), are 0/0, and because of which
    class, shape (7, C).

    A class without patterns has no weight in the weighted mean, and is left out. Of two classes
    only the metrics of the second, the positive one, count: its specificity is 0/0 because of the
    first.

    Of 2 positives none is predicted: the PPV is 0/0.

    >>> undefined_of(np.array([[5, 0], [2, 0]])).nonzero()
    (array([4]), array([1]))
    """
    C, N = len(matrix), matrix.sum()
    targets, outputs = matrix.sum(axis=1), matrix.sum(axis=0)
    result = np.zeros((7, C), dtype=bool)
    recall, specificity, PPV, NPV, F1 = result[2:]
    if C == 2:
        recall[1], specificity[0], PPV[1], NPV[0] = (
            targets[1] == 0,
            targets[0] == 0,
            outputs[1] == 0,
            outputs[0] == 0,
        )
        F1[1] = recall[1] and PPV[1]
    else:
        specificity[:], PPV[:], NPV[:] = (
            targets == N,
            (targets > 0) & (outputs == 0),
            (targets > 0) & (outputs == N),
        )
    return result


def ratio(part: Array, whole: Array, of_nothing: float = 1.0) -> Floats:
    """Return part / whole, with `of_nothing` for 0/0."""
    result = np.full(np.shape(whole), float(of_nothing))
    return np.divide(part, whole, out=result, where=np.asarray(whole) != 0)


def print_confusion_matrix(
    outputs: Labels, targets: Labels, *, threshold: float = 0.5, weighted: bool = True
) -> ConfusionMatrix:
    r"""Print the confusion matrix and the seven metrics, and return them.

    Parameters
    ----------
    outputs, targets, threshold, weighted
        As in `confusion_matrix`.

    Returns
    -------
    metrics : ConfusionMatrix

    Raises
    ------
    ValueError, TypeError
        As `confusion_matrix`.

    References
    ----------
    Exercise 4, `printConfusionMatrix`.

    Examples
    --------
    >>> _ = print_confusion_matrix([True, True, False], [True, False, False])
    real \ predicted  False  True
    False                 1     1
    True                  0     1
    <BLANKLINE>
    accuracy     0.6667
    errorRate    0.3333
    recall       1.0000
    specificity  0.5000
    PPV          0.5000
    NPV          1.0000
    F1           0.6667
    """
    result = confusion_matrix(outputs, targets, threshold=threshold, weighted=weighted)
    names = [str(label) for label in result.classes]
    corner = "real \\ predicted"
    margin = max(len(corner), *map(len, names))
    widths = [
        max(len(name), len(str(column.max())))
        for name, column in zip(names, result.matrix.T, strict=True)
    ]
    rows = [
        (corner, names),
        *((name, map(str, row)) for name, row in zip(names, result.matrix, strict=True)),
    ]
    for head, cells in rows:
        line = "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        print(f"{head:<{margin}}  {line}")
    print()
    for name, value in result._asdict().items():
        print(f"{name:<11}  {value:.4f}")
    return result
