"""Hypothesis strategies for the checks: plain data, small, and tame enough for every legal way of
computing.

Numbers are eighths, so that sums and differences are exact in single precision; labels are never
equal across types (1, 1.0 and True are one label) and never NaN.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from practica.grading.engine.lazy_hypothesis import st
from practica.grading.inside.plain_data import Array, Bools, Floats, Integers


def _kinds_of_labels() -> list[st.SearchStrategy[Any]]:
    return [
        st.text("abcdefgh", min_size=1, max_size=2),
        st.integers(-9, 9),
        st.sampled_from([0.5, 1.5, 2.5, -0.5, 7.25, 3.75]),
    ]


def _mixed_labels() -> st.SearchStrategy[Any]:
    words = st.sampled_from(["virginica", "setosa", "2", "x", "True"])
    return st.one_of(words, st.integers(2, 5), st.sampled_from([0.5, 2.5]))


def as_vector(labels: list[Any]) -> Array:
    """Put labels into a vector without converting them: an object array where they are of several
    types.
    """
    if len({type(label) for label in labels}) == 1:
        return np.array(labels)
    vector = np.empty(len(labels), dtype=object)
    vector[:] = labels
    return vector


@st.composite
def class_sequences(
    draw: st.DrawFn,
    *,
    min_classes: int = 2,
    max_classes: int = 4,
    per_class: int = 1,
    max_size: int = 14,
) -> Integers:
    """Draw the class numbers 0..C-1 of the patterns, in order of first appearance, each at least
    `per_class` times.
    """
    C = draw(st.integers(min_classes, max_classes))
    sure = [number for number in range(C) for _ in range(per_class)]
    extra = draw(st.lists(st.integers(0, C - 1), max_size=max(0, max_size - len(sure))))
    numbers = draw(st.permutations(sure + extra))
    rank = {number: position for position, number in enumerate(dict.fromkeys(numbers))}
    return np.array([rank[number] for number in numbers])


@st.composite
def distinct_labels(draw: st.DrawFn, count: int, *, mixed: bool = False) -> list[Any]:
    """Draw labels, no two of them equal: all of one type, or mixed, with 1, "1" and False among
    them.
    """
    if mixed:
        others = st.lists(_mixed_labels(), min_size=count - 3, max_size=count - 3, unique=True)
        return draw(others.flatmap(lambda labels: st.permutations([1, "1", False, *labels])))
    kind = draw(st.sampled_from(_kinds_of_labels()))
    return draw(st.lists(kind, min_size=count, max_size=count, unique=True))


@st.composite
def labelled_patterns(
    draw: st.DrawFn,
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
    numbers = draw(
        class_sequences(
            min_classes=min_classes, max_classes=max_classes, per_class=per_class, max_size=max_size
        )
    )
    classes = draw(distinct_labels(int(numbers.max()) + 1, mixed=mixed))
    return as_vector([classes[number] for number in numbers]), classes


def bool_vectors(min_size: int = 1, max_size: int = 14) -> st.SearchStrategy[Bools]:
    """Draw bool vectors."""
    return st.lists(st.booleans(), min_size=min_size, max_size=max_size).map(
        lambda values: np.array(values, dtype=bool)
    )


@st.composite
def bool_pairs(
    draw: st.DrawFn, max_size: int = 12, said: Any = (False, True), real: Any = (False, True)
) -> tuple[Bools, Bools]:
    """Draw (outputs, targets): two bool vectors of the same length."""
    pair = st.tuples(st.sampled_from(said), st.sampled_from(real))
    pairs = draw(st.lists(pair, min_size=1, max_size=max_size))
    outputs, targets = zip(*pairs, strict=True)
    return np.array(outputs), np.array(targets)


@st.composite
def class_pairs(
    draw: st.DrawFn, *, max_classes: int = 7, max_size: int = 12
) -> tuple[Bools, Bools]:
    """Draw (outputs, targets): one-hot rows of C >= 3 classes, of which some may be absent."""
    C = draw(st.sampled_from([3, 3, 4, max_classes]))
    number = st.integers(0, C - 1)
    pairs = draw(st.lists(st.tuples(number, number), min_size=1, max_size=max_size))
    outputs, targets = zip(*pairs, strict=True)
    return one_hot(outputs, C), one_hot(targets, C)


def one_hot(numbers: Any, C: int) -> Bools:
    """Return one-hot rows for class numbers 0..C-1."""
    return np.eye(C, dtype=bool)[np.asarray(numbers)]


# outputs may be any numbers: a network without a sigmoid gives negative ones and large ones
EIGHTHS = st.one_of(
    st.integers(-8, 16).map(lambda eighths: eighths / 8), st.sampled_from([0.25, 0.5, 0.75])
)
WIDTHS = np.float64, np.float32  # networks give single precision
# largest score and step: one is at least 0.5, some are, none, all
SCALES = (0.5, 0.375), (2.0, 0.625), (-1.0, 0.25), (0.75, 1 / 1024)
THRESHOLDS = st.sampled_from([0.25, 0.75, 0.125, 0.875, 0.0])
MAYBE_THRESHOLDS = st.sampled_from([None, 0.25, 0.75, 0.0])
NO_THRESHOLD = st.sampled_from([None, 0.125, 0.75])  # what several columns are not compared with


@st.composite
def real_outputs(draw: st.DrawFn, elements: Any = EIGHTHS, times: int = 1) -> Floats:
    """Draw outputs from -1 to 2, often exactly a threshold; sometimes they are repeated."""
    outputs = np.array(
        draw(st.lists(elements, min_size=1, max_size=10)), dtype=draw(st.sampled_from(WIDTHS))
    )
    return np.tile(outputs, draw(st.sampled_from([1, 1, 1, times])))


@st.composite
def score_matrices(draw: st.DrawFn, *, max_rows: int = 8, ties: bool = False) -> Floats:
    """Draw outputs of three to five classes.

    Without ties the elements of each row are all different.
    """
    C, N = draw(st.integers(3, 5)), draw(st.integers(1, max_rows))
    if ties:
        row: st.SearchStrategy[Any] = st.lists(
            st.sampled_from([0.0, 0.25, 0.5]), min_size=C, max_size=C
        )
    else:
        largest, step = draw(st.sampled_from(SCALES))
        row = st.permutations([largest - position * step for position in range(C)])
    rows = draw(st.lists(row, min_size=N, max_size=N))
    return np.array(rows, dtype=draw(st.sampled_from(WIDTHS)))


@st.composite
def real_matrices(
    draw: st.DrawFn,
    *,
    min_rows: int = 2,
    max_rows: int = 6,
    min_columns: int = 1,
    varied: bool = False,
    base: float = 0.0,
) -> Floats:
    """Draw matrices of tame numbers.

    If they are `varied`, every column has two different values at least, and those of the last one
    may differ by a thousandth only: they are the `base`, and a thousandth more.
    """
    N = draw(st.sampled_from([min_rows, *range(min_rows, max_rows + 1)]))  # the fewest more often
    L = draw(st.sampled_from([min_columns, *range(min_columns, 4), 8]))
    value = st.integers(-40, 40).map(lambda eighths: eighths / 8)
    rows = draw(st.lists(st.lists(value, min_size=L, max_size=L), min_size=N, max_size=N))
    matrix = np.array(rows, dtype=float).reshape(N, L)
    if varied:
        constant = matrix.min(axis=0) == matrix.max(axis=0)
        matrix[0, constant] += 1
        if draw(st.booleans()):
            is_largest = matrix[:, -1] == matrix[:, -1].max()
            matrix[:, -1] = base + is_largest / 1024
    return matrix


def tall(matrices: st.SearchStrategy[Array]) -> st.SearchStrategy[Array]:
    """Draw real matrices, some made as tall as a data set by repeating their rows."""
    times = st.sampled_from([1, 1, 1, 60])
    return st.tuples(matrices, times).map(lambda drawn: np.tile(drawn[0], (drawn[1], 1)))
