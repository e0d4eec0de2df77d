"""Hypothesis strategies for what the practice works with: labels, targets, folds, outputs and
matrices.

`global_seed` is no strategy: it is the only way in which the tests touch numpy's global generator.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

SEEDS = st.integers(0, 2**32 - 1)

# A label may be anything that can be compared and hashed; floats avoid -0.0, which prints apart
# from the 0.0 it equals.
LABELS = st.one_of(
    st.integers(-3, 3),
    st.integers(-(2**40), 2**40),
    st.text(max_size=3),
    st.floats(-2, 2).map(lambda x: x + 0.0),
    st.none(),
    st.booleans(),
    st.tuples(st.integers(0, 1), st.text(max_size=1)),
)


def distinct_labels(min_size: int = 1, max_size: int = 6) -> st.SearchStrategy[list]:
    """Draw labels of mixed types, no two of them equal: 1, 1.0 and True are one label."""
    return st.lists(LABELS, min_size=min_size, max_size=max_size, unique=True)


@st.composite
def class_sequences(
    draw: st.DrawFn, *, min_classes: int = 1, max_classes: int = 5, max_size: int = 40
) -> np.ndarray:
    """Draw the class numbers 0..C-1 of the patterns, in order of first appearance, each class at
    least once.
    """
    classes = draw(st.integers(min_classes, max_classes))
    extra = draw(st.lists(st.integers(0, classes - 1), max_size=max_size - classes))
    numbers = draw(st.permutations([*range(classes), *extra]))
    position = {number: rank for rank, number in enumerate(dict.fromkeys(numbers))}
    return np.array([position[number] for number in numbers])


@st.composite
def labelled_patterns(
    draw: st.DrawFn, *, min_classes: int = 1, max_classes: int = 5
) -> tuple[list, list]:
    """Draw (labels, classes): one label per pattern, and the distinct labels in order of first
    appearance.
    """
    numbers = draw(class_sequences(min_classes=min_classes, max_classes=max_classes))
    size = int(numbers.max()) + 1
    classes = draw(distinct_labels(size, size))
    return [classes[number] for number in numbers], classes


def bool_vectors(min_size: int = 1, max_size: int = 40) -> st.SearchStrategy[np.ndarray]:
    """Draw bool vectors."""
    return hnp.arrays(bool, st.integers(min_size, max_size))


@st.composite
def bool_pairs(draw: st.DrawFn, max_size: int = 30) -> tuple[np.ndarray, np.ndarray]:
    """Draw (outputs, targets): two bool vectors of the same length."""
    size = draw(st.integers(1, max_size))
    return draw(bool_vectors(size, size)), draw(bool_vectors(size, size))


@st.composite
def number_pairs(
    draw: st.DrawFn, *, max_classes: int = 5, max_size: int = 30
) -> tuple[np.ndarray, np.ndarray, int]:
    """Draw (outputs, targets, C): class numbers of the patterns out of C >= 3 classes, some perhaps
    in neither.
    """
    C = draw(st.integers(3, max_classes))
    size = draw(st.integers(1, max_size))
    numbers = hnp.arrays(np.int64, size, elements=st.integers(0, C - 1))
    return draw(numbers), draw(numbers), C


@st.composite
def label_pairs(draw: st.DrawFn, max_size: int = 20) -> tuple[list, list]:
    """Draw (outputs, targets): two lists of labels of the same length, out of up to five
    classes.
    """
    label = st.sampled_from(draw(distinct_labels(max_size=5)))
    size = draw(st.integers(1, max_size))
    return tuple(draw(st.lists(label, min_size=size, max_size=size)) for _ in range(2))


def one_hot(numbers: np.ndarray, C: int) -> np.ndarray:
    """Return one-hot rows for class numbers 0..C-1."""
    return np.eye(C, dtype=bool)[numbers]


def real_matrices(
    *, min_rows: int = 1, max_rows: int = 12, max_columns: int = 4, dtype: type = np.float64
) -> st.SearchStrategy[np.ndarray]:
    """Draw matrices of tame numbers: multiples of 1/8 in [-1000, 1000], so that constant columns
    are frequent.
    """
    shapes = st.tuples(st.integers(min_rows, max_rows), st.integers(1, max_columns))
    return hnp.arrays(
        dtype, shapes, elements=st.integers(-8000, 8000).map(lambda eighths: eighths / 8)
    )


@contextmanager
def global_seed(seed: int) -> Iterator[None]:
    """Seed numpy's global generator, and leave it afterwards as it was."""
    state = np.random.get_state()  # noqa: NPY002
    np.random.seed(seed)  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(state)  # noqa: NPY002
