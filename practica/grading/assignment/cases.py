"""What is drawn for the checks: plain data, small, tame enough for every legal way of computing.

Numbers are eighths, so that sums and differences are exact in single precision; labels are never
equal across types (1, 1.0 and True are one label) and never NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from practica.grading.engine.drawing import Draw
from practica.grading.inside.plain_data import Array, Bools, Floats, Integers

WORDS = ["a", "b", "c", "d", "e", "ab", "ba", "fg", "hd", "cc"]
NUMBERS = [*range(-3, 15)]
HALVES = [0.5, 1.5, 2.5, -0.5, 7.25, 3.75, 2.0, -1.0]
MIXED = ["virginica", "setosa", "2", "x", "True", 2, 3, 4, 5, 0.5, 2.5]  # none equals another one

# outputs may be any numbers: a network without a sigmoid gives negative ones and large ones
EIGHTHS = [0.5, 0.25, 0.75] * 4 + [eighths / 8 for eighths in range(-8, 17)]
WIDTHS = np.float64, np.float32  # networks give single precision
# largest score and step: one is at least 0.5, some are, none, all
SCALES = (0.5, 0.375), (2.0, 0.625), (-1.0, 0.25), (0.75, 1 / 1024)
SELDOM = (True, False, False, False)
# places of examples in which all is right, something has one value, or all is zero
ALL_HITS, CONSTANT, ZEROS = 2, 3, 4
THRESHOLDS = (0.25, 0.75, 0.125, 0.875, 0.0)
MAYBE_THRESHOLDS = (None, 0.25, 0.75, 0.0)
NO_THRESHOLD = (None, 0.125, 0.75)  # what several columns are not compared with


def as_vector(labels: list[Any]) -> Array:
    """Put labels into a vector without converting them: an object array where they are of several
    types.
    """
    if len({type(label) for label in labels}) == 1:
        return np.array(labels)
    vector = np.empty(len(labels), dtype=object)
    vector[:] = labels
    return vector


def one_hot(numbers: Any, C: int) -> Bools:
    """Return one-hot rows for class numbers 0..C-1."""
    return np.eye(C, dtype=bool)[np.asarray(numbers)]


def class_sequence(
    draw: Draw,
    *,
    min_classes: int = 2,
    max_classes: int = 4,
    per_class: int = 1,
    max_size: int = 14,
) -> Integers:
    """Draw the class of each pattern: a number of 0..C-1, in order of first appearance, each at
    least `per_class` times.
    """
    C = draw.length(min_classes, max_classes)
    sure = [*range(C)] * per_class
    numbers = draw.shuffled(sure + draw.some(range(C), 0, max(0, max_size - len(sure))))
    rank = {number: position for position, number in enumerate(dict.fromkeys(numbers))}
    return np.array([rank[number] for number in numbers])


def distinct_labels(draw: Draw, count: int, *, mixed: bool = False) -> list[Any]:
    """Draw labels, no two of them equal: all of one type, or mixed, with 1, "1" and False among
    them.
    """
    if mixed:
        return draw.shuffled([1, "1", False, *draw.sample(MIXED, count - 3)])
    kind: list[Any] = draw.choice([WORDS, NUMBERS, HALVES])
    return draw.sample(kind, count)


def labelled_patterns(
    draw: Draw,
    *,
    min_classes: int = 2,
    max_classes: int = 4,
    per_class: int = 1,
    max_size: int = 14,
    mixed: bool = False,
) -> tuple[Array, list[Any]]:
    """Draw (labels, classes): a label for each pattern, and the classes in order of first
    appearance.
    """
    numbers = class_sequence(
        draw,
        min_classes=min_classes,
        max_classes=max_classes,
        per_class=per_class,
        max_size=max_size,
    )
    classes = distinct_labels(draw, int(numbers.max()) + 1, mixed=mixed)
    return as_vector([classes[number] for number in numbers]), classes


def bool_pairs(
    draw: Draw,
    max_size: int = 12,
    said: Sequence[bool] = (False, True),
    real: Sequence[bool] = (False, True),
) -> tuple[Bools, Bools]:
    """Draw (outputs, targets): two bool vectors of the same length. In some examples they are
    equal, or one of them is all False or all True.

    `said`, `real`: the values that outputs and targets may have.
    """
    N = draw.length(1, max_size)
    said, real = _or_one(draw, said, CONSTANT), _or_one(draw, real, CONSTANT + 2)
    outputs, targets = draw.choices(said, k=N), draw.choices(real, k=N)
    if draw.number == ALL_HITS:
        outputs = targets = draw.choices([each for each in said if each in real], k=N)
    return np.array(outputs), np.array(targets)


def _or_one(draw: Draw, values: Sequence[bool], place: int) -> Sequence[bool]:
    """Return only the first value in the example number `place`, only the last one in the next
    example, and all values in the others.
    """
    only = {place: values[:1], place + 1: values[-1:]}
    return only.get(draw.number, values)


def class_pairs(draw: Draw, *, max_classes: int = 7, max_size: int = 12) -> tuple[Bools, Bools]:
    """Draw (outputs, targets): one-hot rows of C >= 3 classes; some classes may be absent, and the
    two are sometimes the same.
    """
    C, N = draw.choice([3, 3, 4, max_classes]), draw.length(1, max_size)
    outputs, targets = (draw.choices(range(C), k=N) for _ in range(2))
    return one_hot(targets if draw.number == ALL_HITS else outputs, C), one_hot(targets, C)


def bool_rows(draw: Draw) -> tuple[Bools, Bools]:
    """Draw (outputs, targets): one-hot targets, and bool outputs whose rows may have several True
    or none, the target's class among them or not.
    """
    outputs, targets = class_pairs(draw)
    more, fewer = (np.array(draw.choices(SELDOM, k=len(outputs))) for _ in range(2))
    outputs[more] |= targets[more]
    outputs[fewer] &= ~targets[fewer]
    outputs &= draw.number != ZEROS
    return outputs, targets


def real_outputs(draw: Draw, values: Sequence[float] = EIGHTHS, times: int = 1) -> Floats:
    """Draw a vector of outputs, by default from -1 to 2 and often exactly a threshold.

    `times`: how often the vector is repeated in some of the examples.
    """
    outputs = np.array(draw.some(values, 1, 10), dtype=draw.choice(WIDTHS))
    return np.tile(outputs, draw.choice([1, 1, 1, times]))


def score_matrix(draw: Draw, *, max_rows: int = 8, ties: bool = False) -> Floats:
    """Draw a matrix of outputs, a row for each pattern, for three to five classes.

    Without ties the elements of each row are all different.
    """
    C, N = draw.randint(3, 5), draw.length(1, max_rows)
    if ties:
        rows = [draw.choices([0.0, 0.25, 0.5], k=C) for _ in range(N)]
    else:
        largest, step = draw.choice(SCALES)
        scores = [largest - position * step for position in range(C)]
        rows = [draw.shuffled(scores) for _ in range(N)]
    return np.array(rows, dtype=draw.choice(WIDTHS))


def real_matrix(
    draw: Draw,
    *,
    min_rows: int = 2,
    max_rows: int = 6,
    min_columns: int = 1,
    varied: bool = False,
    base: float = 0.0,
) -> Floats:
    """Draw a matrix of small multiples of 1/8.

    `varied`: whether every column has two different values at least; those of the last one may then
        be only `base` and a thousandth more. If not, the last column is constant in one example,
        and all are zero in another.
    """
    N = draw.length(min_rows, max_rows)
    L = draw.choice([min_columns, *range(min_columns, 4), 8])
    most = 10 + 3 * draw.size  # in eighths
    drawn = draw.choices(range(-most, most + 1), k=N * L)
    matrix = np.array(drawn, dtype=float).reshape(N, L) / 8
    if varied:
        constant = matrix.min(axis=0) == matrix.max(axis=0)
        matrix[0, constant] += 1
        if draw.choice([False, True]):
            is_largest = matrix[:, -1] == matrix[:, -1].max()
            matrix[:, -1] = base + is_largest / 1024
    elif draw.number == CONSTANT:
        matrix[:, -1] = matrix[0, -1]
    elif draw.number == ZEROS:
        matrix[:] = 0
    return matrix


def tall(matrix: Callable[[Draw], Floats], draw: Draw) -> Floats:
    """Draw a matrix and, in some examples, repeat its rows until it is as tall as a data set."""
    return np.tile(matrix(draw), (draw.choice([1, 1, 1, 60]), 1))
