"""Splits of N patterns: into training and test by a fraction, and into folds as the practice's
index vector.

    first rows train, the others test           first_fraction
    drawn at random, once or several times      random_fraction, repeated_random_fraction
    k folds between quantiles of the positions  quantile_folds
    stratified folds, several times             repeated_folds
    stratified folds of equal totals            balanced_folds
    every pattern on its own                    leave_one_out

The practice's own are `practica.hold_out`, which rounds the size of the training set, and
`practica.crossvalidation`, with stratified folds. scikit-learn has `ShuffleSplit`,
`StratifiedShuffleSplit` for drawing by class, `KFold`, `RepeatedStratifiedKFold` and `LeaveOneOut`;
what it calls a splitter is made of an index vector by `to_splitter`.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from practica.evaluation.estimators import Inputs
from practica.reference.arguments import Labels, as_array, as_integer, as_real
from practica.reference.encoding import number_classes
from practica.reference.partition import Indices, crossvalidation
from practica.reference.randomness import RandomState, as_generator

__all__ = [
    "as_inputs",
    "balanced_folds",
    "first_fraction",
    "leave_one_out",
    "quantile_folds",
    "random_fraction",
    "repeated_folds",
    "repeated_random_fraction",
    "rows_at",
]


def first_fraction(N: int, P: float) -> tuple[Indices, Indices]:
    """Train with the first rows and test with the others.

    Parameters
    ----------
    N : int, N >= 0
        Number of patterns.
    P : float, fraction of all patterns in [0, 1]
        Size of the *training* set, rounded down: floor(P·N).

    Returns
    -------
    training, test : int arrays
        Positions 0..N-1, in order.

    Raises
    ------
    ValueError
        If N is negative or P is outside [0, 1].

    Notes
    -----
    P is the decimal number that is written: 0.29 of 100 patterns are 29, although the double
    0.29·100 is below. Rows that are sorted by class, or by date, make this split a trap or the only
    honest one.

    Examples
    --------
    >>> first_fraction(5, 0.7)
    (array([0, 1, 2]), array([3, 4]))
    """
    positions = np.arange(as_integer(N, "N", minimum=0), dtype=np.int64)
    size = _training_size(N, P)
    return positions[:size], positions[size:]


def random_fraction(
    N: int, P: float, *, random_state: RandomState = None
) -> tuple[Indices, Indices]:
    """Train with rows drawn at random without replacement and test with the others.

    Parameters
    ----------
    N : int, N >= 0
        Number of patterns.
    P : float, fraction of all patterns in [0, 1]
        Size of the *training* set, rounded down: floor(P·N), see `first_fraction`.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None

    Returns
    -------
    training, test : int arrays
        Positions 0..N-1: disjoint, together all of them, in random order.

    Raises
    ------
    ValueError
        If N is negative or P is outside [0, 1].

    Examples
    --------
    >>> training, test = random_fraction(10, 0.75, random_state=1)
    >>> len(training), len(test)
    (7, 3)
    """
    positions = as_generator(random_state).permutation(as_integer(N, "N", minimum=0))
    size = _training_size(N, P)
    return positions[:size], positions[size:]


def repeated_random_fraction(
    N: int, P: float, times: int, *, random_state: RandomState = None
) -> list[tuple[Indices, Indices]]:
    """Draw `random_fraction` several times, each independent of the others.

    Parameters
    ----------
    N, P, random_state
        As in `random_fraction`.
    times : int, times >= 1

    Returns
    -------
    splits : list of (training, test)
        scikit-learn takes it as `cv=`.

    Raises
    ------
    ValueError
        If N is negative, P is outside [0, 1] or `times` is below 1.

    Examples
    --------
    >>> [len(test) for training, test in repeated_random_fraction(10, 0.75, 3, random_state=1)]
    [3, 3, 3]
    """
    generator = as_generator(random_state)
    return [
        random_fraction(N, P, random_state=generator)
        for _ in range(as_integer(times, "times", minimum=1))
    ]


def _training_size(N: int, P: float) -> int:
    return math.floor(Fraction(str(as_real(P, "P", low=0, high=1))) * N)


def quantile_folds(N: int, k: int, *, random_state: RandomState = None) -> Indices:
    """Assign shuffled patterns to k folds bounded by the k-quantiles of the positions.

    Parameters
    ----------
    N : int, N >= k
        Number of patterns.
    k : int, k >= 1
        Number of folds.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None

    Returns
    -------
    folds : int array, shape (N,), values 1..k

    Raises
    ------
    ValueError
        If k < 1 or k > N.

    Notes
    -----
    Before the shuffle, position i belongs to fold floor(i·k/N) + 1: in whole numbers, every pattern
    is tested once and the sizes differ by one at most. `practica.crossvalidation(N, k)` and `KFold`
    give the remainder to the first folds; here it is spread among them all::

        position  0  1  2  3  4  5  6  7
        i·3/8     0  .4 .8 1.1 …      2.6
        fold      1  1  1  2  2  2  3  3

    Examples
    --------
    >>> np.bincount(quantile_folds(1905, 10, random_state=123))[1:]
    array([191, 190, 191, 190, 191, 190, 191, 190, 191, 190])
    """
    patterns, folds = as_integer(N, "N", minimum=0), as_integer(k, "k", minimum=1)
    if folds > patterns:
        raise ValueError(f"k={folds}: there are only {patterns} patterns, and every fold needs one")
    return as_generator(random_state).permutation(
        np.arange(patterns, dtype=np.int64) * folds // patterns + 1
    )


def balanced_folds(
    N_or_labels: int | Labels, k: int, *, random_state: RandomState = None
) -> Indices:
    """Assign each pattern to one of k folds, stratified by class, so that the folds have equal
    totals as well.

    Parameters
    ----------
    N_or_labels : int, or labels of any type, shape (N,)
    k, random_state
        As in `practica.crossvalidation`.

    Returns
    -------
    folds : int array, shape (N,), values 1..k
        Totals, and the patterns of each class, differ by one at most.

    Raises
    ------
    ValueError, TypeError
        As `practica.crossvalidation`.

    Notes
    -----
    In the folds of the practice, the first ones take the remainder of every class. Here the
    remainder of a class begins with the fold after the last one of the class before::

        class | patterns | fold 1  fold 2  fold 3
        a     |    4     |    2       1       1
        b     |    4     |    1       2       1        2 1 1 in the practice
        total |    8     |    3       3       2        4 2 2

    Examples
    --------
    >>> np.bincount(balanced_folds(["a", "b"] * 4, 3))[1:]
    array([3, 3, 2])
    """
    folds = crossvalidation(N_or_labels, k, random_state=random_state)
    if np.isscalar(N_or_labels):
        return folds
    _, numbers = number_classes(as_array(N_or_labels, "labels"))
    sizes = np.bincount(numbers)
    return (folds - 1 + (np.cumsum(sizes) - sizes)[numbers]) % k + 1


def repeated_folds(
    N_or_targets: int | Labels, k: int, times: int, *, random_state: RandomState = None
) -> Indices:
    """Assign each pattern to one of k folds several times, stratified by class where the classes
    are given.

    Parameters
    ----------
    N_or_targets, k, random_state
        As in `practica.crossvalidation`.
    times : int, times >= 1

    Returns
    -------
    folds : int array, shape (times, N), values 1..k
        Each row is an index vector of its own. `compare` and `cross_validate_executions` take them
        all at once.

    Raises
    ------
    ValueError, TypeError
        As `practica.crossvalidation`, or if `times` is below 1.

    Examples
    --------
    >>> species = np.repeat(["setosa", "virginica"], [10, 20])
    >>> folds = repeated_folds(species, 5, 10, random_state=1)
    >>> folds.shape
    (10, 30)
    >>> np.bincount(folds[7][species == "setosa"])[1:]
    array([2, 2, 2, 2, 2])
    """
    generator = as_generator(random_state)
    repetitions = range(as_integer(times, "times", minimum=1))
    return np.stack([crossvalidation(N_or_targets, k, random_state=generator) for _ in repetitions])


def leave_one_out(N: int) -> Indices:
    """Give every pattern a fold of its own.

    Parameters
    ----------
    N : int, N >= 2
        Number of patterns.

    Returns
    -------
    folds : int array, shape (N,)
        1, 2, ..., N.

    Raises
    ------
    ValueError
        If N < 2: nothing would be left to train with.

    Notes
    -----
    Nothing is drawn, and nothing can be stratified. If half the patterns are of each of two
    classes, the pattern left out is of the minority of what is left: predicting the majority is
    then wrong about every pattern, though it is right about half of all new ones.

    Examples
    --------
    >>> leave_one_out(4)
    array([1, 2, 3, 4])
    """
    return np.arange(1, as_integer(N, "N", minimum=2) + 1, dtype=np.int64)


def as_inputs(X: Inputs) -> Inputs:
    """Return an array, a sparse matrix or a data frame unchanged, and anything else as an array."""
    is_arrow = hasattr(X, "column_names")  # its rows cannot be taken out by their positions
    return X if hasattr(X, "shape") and not is_arrow else as_array(X, "X")


def rows_at(X: Inputs, positions: Indices) -> Inputs:
    """Return the patterns at some positions of an array, a sparse matrix or a data frame."""
    return X.iloc[positions] if hasattr(X, "iloc") else X[positions]
