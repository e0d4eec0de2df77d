"""Labels to bool columns, and a network's outputs back to bool columns."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import ArrayLike

from practica.reference.arguments import (
    Array,
    Bools,
    Label,
    Labels,
    Numbers,
    as_labels,
    as_real,
    as_real_array,
    brief,
    is_missing,
)

__all__ = [
    "class_numbers",
    "classify_outputs",
    "distinct",
    "number_classes",
    "one_hot_encoding",
    "value_of",
]

_BEGINNING = 1_000  # patterns: as a rule the classes have all appeared by then


def one_hot_encoding(feature: Labels, classes: Labels | None = None) -> Bools:
    """Encode a categorical feature as bool columns, one row per pattern.

    Parameters
    ----------
    feature : sequence of labels, shape (N,)
        Labels of any type, mixed types too; they are never converted.
    classes : sequence of labels, optional
        The classes in the order of their columns; it may name classes without patterns. By default
        the classes of `feature` in order of first appearance.

    Returns
    -------
    encoded : bool array, shape (N, C), or (N, 1) for one or two classes
        Column j is True where the pattern belongs to `classes[j]`. With two classes the only column
        is True for `classes[0]`; a bool vector given without `classes` is its own column.

    Raises
    ------
    ValueError
        If there is no class, a class is repeated, a label is not among the classes, or a label is
        NaN, NaT or NA.

    Notes
    -----
    Two labels are the same class when they are equal: 1, 1.0 and True are one class, "1" is
    another. An *object* array of bools is a vector of labels, not a bool vector: its first label is
    the positive class.

    References
    ----------
    Exercise 2, `oneHotEncoding`.

    Examples
    --------
    >>> one_hot_encoding(["b", "a", "c", "a"]).astype(int)
    array([[1, 0, 0],
           [0, 1, 0],
           [0, 0, 1],
           [0, 1, 0]])
    >>> one_hot_encoding(["no", "yes", "no"], ["yes", "no"]).ravel()
    array([False,  True, False])
    """
    labels = as_labels(feature, "feature")
    if classes is None and labels.dtype == bool and len(labels):
        return labels.reshape(-1, 1).copy()
    if classes is None:
        names, numbers = number_classes(labels)
    else:
        names = _as_list(as_labels(classes, "classes"))
        numbers = class_numbers(labels, names)
    if not names:
        raise ValueError("feature has no patterns, so it has no classes to encode")
    if len(names) <= 2:
        return (numbers == 0).reshape(-1, 1)
    return numbers.reshape(-1, 1) == np.arange(len(names))


def number_classes(labels: Array) -> tuple[list[Label], Numbers]:
    """Return the classes in order of first appearance (Julia's `unique`), and the position of each
    label among them.
    """
    if labels.dtype.kind in "bi" and len(labels):
        lowest, highest = int(labels.min()), int(labels.max())
        # a lookup table of this many entries still fits in the processor's cache
        if highest - min(lowest, 0) < 1 << 16:
            return _number_by_table(labels, min(lowest, 0), highest)
    if labels.dtype.kind in "iuf":
        return _number_by_sorting(labels)
    return _number_by_hashing(_as_list(labels))


def _as_list(labels: Array) -> list[Label]:
    return _times(labels) if labels.dtype.kind in "mM" else labels.tolist()


def _times(labels: Array) -> list[Label]:
    """Return times as Python's own, which are equal regardless of the unit of their array; finer
    ones stay numpy's.
    """
    if np.isnat(labels).any():
        raise ValueError(
            f"label {int(np.isnat(labels).argmax())} is NaT, which belongs to no class"
        )
    times = labels.astype(f"{labels.dtype.kind}8[us]")
    return times.tolist() if (times == labels).all() else list(labels)


def _number_by_table(labels: Array, origin: int, highest: int) -> tuple[list[Label], Numbers]:
    places = labels.astype(np.intp, copy=False)
    if origin:
        places = places - origin
    present = np.flatnonzero(np.bincount(places))
    beginning, first = np.unique(places[:_BEGINNING], return_index=True)
    if len(beginning) < len(present):  # some class begins later: look at all patterns
        first_of_all = np.empty(highest - origin + 1, dtype=np.intp)
        # the last assignment stays: the first place
        first_of_all[places[::-1]] = np.arange(len(places) - 1, -1, -1)
        first = first_of_all[present]
    present = present[np.argsort(first)]
    number_at = np.zeros(highest - origin + 1, dtype=np.min_scalar_type(len(present)))
    number_at[present] = np.arange(len(present))
    return (present + origin).astype(labels.dtype).tolist(), number_at[places]


def _number_by_sorting(labels: Array) -> tuple[list[Label], Numbers]:
    if labels.dtype.kind == "f" and np.isnan(labels).any():
        raise ValueError(
            f"label {int(np.isnan(labels).argmax())} is NaN, which belongs to no class"
        )
    values = np.unique(labels)
    if not len(values):
        return [], np.zeros(0, dtype=np.intp)
    order, numbers = _number_by_table(np.searchsorted(values, labels), 0, len(values) - 1)
    return values[np.asarray(order, dtype=np.intp)].tolist(), numbers


def _number_by_hashing(labels: list[Label]) -> tuple[list[Label], Numbers]:
    written: defaultdict[Label, int] = defaultdict()
    written.default_factory = written.__len__  # a new label gets the next number
    with _comparing():
        numbers = np.fromiter(map(written.__getitem__, labels), dtype=np.intp, count=len(labels))
    classes, position = distinct(list(written))
    if missing := [label for label in classes if is_missing(label)]:
        name = "NaN" if isinstance(missing[0], float) else str(missing[0])
        raise ValueError(f"a label is {name}, which belongs to no class")
    return (
        classes,
        np.array(list(position.values()), dtype=np.min_scalar_type(len(classes)))[numbers],
    )


def distinct(labels: list[Label]) -> tuple[list[Label], dict[Label, int]]:
    """Return the distinct labels in order of first appearance, and the number of the class of each
    label as it is written.

    A date and its midnight, or a time of numpy and of Python, are one class, as in Julia.
    """
    classes: dict[Label, Label] = {}
    with _comparing():
        written = {label: value_of(label) for label in labels}
        for label, value in written.items():
            classes.setdefault(value, label)
    number_of = {value: number for number, value in enumerate(classes)}
    return list(classes.values()), {label: number_of[value] for label, value in written.items()}


@contextmanager
def _comparing() -> Iterator[None]:
    try:
        yield
    except TypeError as error:
        raise TypeError(f"a label cannot be compared with others: {error}") from None


def value_of(label: Label) -> Label:
    """Return the value by which a label is compared: Python's own for one of numpy, and the
    midnight of a date.
    """
    if isinstance(label, np.generic):
        label = _as_list(np.array([label]))[0]
    if type(label) is datetime.date:
        return datetime.datetime.combine(label, datetime.time())
    return label


def class_numbers(labels: Array, classes: list[Label]) -> Numbers:
    """Return for each label its position in a given list of classes; ValueError if it is not among
    them, or a class is repeated.
    """
    position = {value_of(label): number for number, label in enumerate(distinct(classes)[0])}
    if len(position) < len(classes):
        repeated = next(
            label for number, label in enumerate(classes) if position[value_of(label)] != number
        )
        raise ValueError(f"classes: {repeated!r} is repeated in {brief(classes)}")
    present, numbers = number_classes(labels)
    unknown = [label for label in present if value_of(label) not in position]
    if unknown:
        raise ValueError(f"label {unknown[0]!r} is not one of the classes {brief(classes)}")
    return np.array([position[value_of(label)] for label in present], dtype=np.intp)[numbers]


def classify_outputs(outputs: ArrayLike, *, threshold: float = 0.5) -> Bools:
    """Turn the outputs of a model into bool columns.

    Parameters
    ----------
    outputs : real array, shape (N,) or (N, C), C = 1 or C >= 3
    threshold : float
        Smallest output that counts as positive; used only for a vector or a single column.

    Returns
    -------
    classified : bool array, shape of `outputs`
        With C >= 3 exactly one True per row, at the largest output, the first of several equal
        ones.

    Raises
    ------
    ValueError
        For a matrix of two columns, which no coding of the practice produces, or of none.

    Notes
    -----
    Outputs are compared in double precision, as Julia does: float32(0.7) lies below 0.7. NaN is
    never positive in a vector, and counts as the largest output of a row.

    References
    ----------
    Exercise 2, `classifyOutputs`.

    Examples
    --------
    >>> classify_outputs([0.2, 0.5, 0.9])
    array([False,  True,  True])
    >>> classify_outputs([[0.1, 0.7, 0.2]])
    array([[False,  True, False]])
    """
    values, limit = as_real_array(outputs, "outputs"), as_real(threshold, "threshold")
    if values.ndim == 1 or (values.ndim == 2 and values.shape[1] == 1):
        return values.astype(np.float64, copy=False) >= limit
    if values.ndim != 2 or values.shape[1] in (0, 2):
        raise ValueError(
            f"outputs has shape {values.shape}; it must be a vector or a matrix of one column or at"
            " least three"
        )
    return values.argmax(axis=1).reshape(-1, 1) == np.arange(values.shape[1])
