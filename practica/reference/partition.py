"""Splits of the patterns: hold-out, and the k stratified folds of a cross-validation."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ParamSpec, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from practica.reference.arguments import (
    Bools,
    Integers,
    Label,
    Labels,
    Numbers,
    Positions,
    as_bool_array,
    as_integer,
    as_labels,
    as_real,
    as_rows,
    brief,
    warn_caller,
)
from practica.reference.encoding import number_classes
from practica.reference.randomness import RandomState, as_generator

__all__ = ["Folds", "column_of_each_row", "crossvalidation", "hold_out", "hold_out_size"]

Indices = Integers
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def _accepts_Pval(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Let the second argument of a function be called Pval too, as in the statement's split in
    three.
    """

    @functools.wraps(function)
    def renaming(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        if "Pval" in kwargs:
            if "P" in kwargs or len(args) > 1 or "Ptest" not in kwargs:
                raise TypeError(
                    "hold_out takes P, or Pval and Ptest: Pval is the name of P in a split in three"
                )
            kwargs["P"] = kwargs.pop("Pval")
        return function(*args, **kwargs)

    return renaming


@_accepts_Pval
def hold_out(
    N: int, P: float, Ptest: float | None = None, *, random_state: RandomState = None
) -> tuple[Indices, ...]:
    """Split N patterns at random into training and test, or into training, validation and test.

    `hold_out(N, P)` keeps the fraction P for testing; `hold_out(N, Pval, Ptest)` keeps Pval for
    validation and Ptest for testing, also by those names. All are fractions of the N patterns.

    Parameters
    ----------
    N : int, N >= 0
        Number of patterns.
    P : float, fraction of all patterns in [0, 1]
        Size of the test set; with a third argument, of the validation set.
    Ptest : float, fraction of all patterns in [0, 1], optional
        Size of the test set of a split in three, in which P may also be called Pval; P + Ptest <=
        1.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None

    Returns
    -------
    training, [validation,] test : int arrays
        Positions 0..N-1: disjoint, together all of them, in random order.

    Raises
    ------
    ValueError
        If N is negative, or a fraction or their sum is outside [0, 1].

    Notes
    -----
    The *training* size is rounded, halves to even: round(N·(1 − P)). The split in three is two
    splits: first the test set, then the validation set out of the n patterns left, as the fraction
    P·N/n of them.

    References
    ----------
    Exercise 3, `holdOut`.

    Examples
    --------
    >>> [len(part) for part in hold_out(10, 0.25)]
    [8, 2]
    >>> training, validation, test = hold_out(150, 0.2, 0.2, random_state=1)
    >>> len(training), len(validation), len(test)
    (90, 30, 30)
    """
    total = as_integer(N, "N", minimum=0)
    generator = as_generator(random_state)
    if Ptest is None:
        return _hold_out_once(total, as_real(P, "P", low=0, high=1), generator)
    validation_fraction = as_real(P, "Pval", low=0, high=1)
    test_fraction = as_real(Ptest, "Ptest", low=0, high=1)
    if validation_fraction + test_fraction > 1:
        raise ValueError(
            f"Pval={validation_fraction:g} and Ptest={test_fraction:g} add up to "
            f"{validation_fraction + test_fraction:g}; the two fractions together must not exceed 1"
        )
    kept, test = _hold_out_once(total, test_fraction, generator)
    # Rounding can leave fewer patterns than the validation set was to have: it takes them all.
    fraction = min(1.0, validation_fraction * total / len(kept)) if len(kept) else 0.0
    training, validation = _hold_out_once(len(kept), fraction, generator)
    return kept[training], kept[validation], test


def _hold_out_once(
    total: int, fraction: float, generator: np.random.Generator
) -> tuple[Indices, Indices]:
    positions = generator.permutation(total)
    training = total - hold_out_size(total, fraction)
    return positions[:training], positions[training:]


def hold_out_size(N: int, P: float) -> int:
    """Return how many of N patterns a hold-out of the fraction P takes."""
    return N - round(N * (1 - P))


def crossvalidation(
    N_or_targets: int | Labels, /, k: int, *, random_state: RandomState = None
) -> Indices:
    """Assign each pattern to one of k folds, stratified by class where the classes are given.

    Parameters
    ----------
    N_or_targets : int, or bool array, shape (N,) or (N, C), or labels of any type, shape (N,)
        The number of patterns, or what each pattern is: a bool vector, one-hot rows (C = 1 or C >=
        3), or labels.
    k : int, k >= 1
        Number of folds.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None

    Returns
    -------
    folds : int array, shape (N,), values 1..k

    Raises
    ------
    ValueError
        If k < 1, N < 0, a row of a matrix has not exactly one True, or the matrix has two columns.
    TypeError
        If k or N is not an integer.

    Warns
    -----
    UserWarning
        If a class, or the whole set, has fewer than k patterns: some folds have nothing of it to
        test.

    Notes
    -----
    Fold f holds floor(n/k) + [f <= n mod k] of the n patterns of each class; only their positions
    are random. The low folds take the remainder of every class, so that totals may differ by more
    than one::

        class | patterns | fold 1  fold 2  fold 3
        a     |    4     |    2       1       1
        b     |    4     |    2       1       1
        total |    8     |    4       2       2

    References
    ----------
    Exercise 5, `crossvalidation`.

    Examples
    --------
    >>> np.bincount(crossvalidation(10, 3))[1:]
    array([4, 3, 3])
    >>> species = np.repeat(["setosa", "virginica"], [4, 6])
    >>> folds = crossvalidation(species, 2, random_state=1)
    >>> np.bincount(folds[species == "virginica"])[1:]
    array([3, 3])
    """
    folds = as_integer(k, "k", minimum=1)
    generator = as_generator(random_state)
    if getattr(N_or_targets, "ndim", 0 if np.isscalar(N_or_targets) else None) == 0:
        N = as_integer(cast(int, N_or_targets), "N", minimum=0)
        if 0 < N < folds:
            warn_caller(
                f"k={folds}: there are only {N} patterns, so folds {N + 1} to {folds} are empty"
            )
        return _shuffled_folds(N, folds, generator)
    targets = as_rows(N_or_targets, "targets", numbers=False)
    if targets.ndim not in (1, 2):
        raise ValueError(
            f"targets has shape {targets.shape}; it must be an integer, a vector or a one-hot"
            " matrix"
        )
    if targets.ndim == 2:
        targets = as_bool_array(targets, "targets")
        if targets.shape[1] != 1:
            columns = column_of_each_row(targets, "targets")
            classes: list[Label] = [f"column {column}" for column in range(targets.shape[1])]
            return _folds_by_class(classes, columns, folds, generator)
        targets = targets[:, 0]
    if targets.dtype == bool:
        return _folds_of_two(targets, folds, generator)
    return _folds_by_class(*number_classes(targets), folds, generator)


def _folds_of_two(is_positive: Bools, k: int, generator: np.random.Generator) -> Indices:
    """Return the folds of patterns of two classes: those of the positive patterns are drawn first,
    then those of the negative ones.
    """
    by_class = [np.flatnonzero(is_positive), np.flatnonzero(~is_positive)]
    _warn_of_small_classes([True, False], list(map(len, by_class)), k)
    folds = np.empty(len(is_positive), dtype=np.int64)
    for patterns in by_class:
        folds[patterns] = _shuffled_folds(len(patterns), k, generator)
    return folds


def _folds_by_class(
    classes: list[Label], class_of_pattern: Numbers, k: int, generator: np.random.Generator
) -> Indices:
    """Give each class its own folds; with the patterns sorted by class, each class is one slice.

    pattern           0  1  2  3  4  5
    class_of_pattern  a  b  a  b  a  a
    by_class          0  2  4  5 | 1  3
    folds of k=2      2  1  1  2 | 1  2     one draw for each class
    """
    sizes = np.bincount(class_of_pattern, minlength=len(classes))
    _warn_of_small_classes(classes, sizes.tolist(), k)
    by_class = np.argsort(class_of_pattern, kind="stable")
    ends = np.cumsum(sizes)
    folds = np.empty(len(class_of_pattern), dtype=np.int64)
    for start, end in zip((ends - sizes).tolist(), ends.tolist(), strict=True):
        folds[by_class[start:end]] = _shuffled_folds(end - start, k, generator)
    return folds


def _shuffled_folds(N: int, k: int, generator: np.random.Generator) -> Indices:
    """Repeat 1..k up to N values, in random order: every arrangement of those values is equally
    likely.
    """
    small = np.min_scalar_type(k)  # the fewer bytes, the faster the shuffle
    used = min(k, max(N, 1))
    folds = np.tile(np.arange(1, used + 1, dtype=small), -(-N // used))[:N]
    generator.shuffle(folds)
    return folds.astype(np.int64)


@dataclass(frozen=True, eq=False)
class Folds:
    """An index vector that has been checked: the folds are 1..k, k >= 2, and none of them is empty.

    Attributes
    ----------
    indices : int64 array, shape (N,)
        The fold in which each pattern is tested.
    forward : bool
        Whether each fold is tested with models of the folds before it, rather than of all the
        others.
    """

    indices: Indices
    forward: bool = False

    @classmethod
    def of(cls, crossValidationIndices: ArrayLike | Folds, *, forward: bool = False) -> Folds:
        """Return the folds of an index vector, checked unless it is a `Folds` already. With
        `forward`, the first fold in time only trains.

        Raises `ValueError` if a value is outside 1..N, a fold is empty, or there is only one.
        Raises `TypeError` if the values are not integers.
        """
        if isinstance(crossValidationIndices, Folds):
            return cls(crossValidationIndices.indices, forward)
        folds = as_labels(crossValidationIndices, "crossValidationIndices")
        folds = (
            as_labels(folds.tolist(), "crossValidationIndices") if folds.dtype == object else folds
        )
        if folds.dtype.kind not in "iu":
            raise TypeError(
                f"crossValidationIndices has elements of type {folds.dtype}; they must be integers"
            )
        for value in (folds.min(), folds.max()) if len(folds) else ():
            if not 1 <= value <= len(folds):
                raise ValueError(
                    f"crossValidationIndices has the value {value}; folds are numbered from 1, and"
                    f" {len(folds)} patterns cannot fill more folds than that"
                )
        empty = np.flatnonzero(np.bincount(folds.astype(np.int64), minlength=3)[1:] == 0) + 1
        if len(empty):
            raise ValueError(
                f"crossValidationIndices: fold {empty[0]} is empty; there must be two or more"
                " folds, none empty"
            )
        return cls(folds.astype(np.int64), forward)

    def __len__(self) -> int:
        return len(self.indices)

    @cached_property
    def k(self) -> int:
        """The number of folds."""
        return int(self.indices.max())

    @property
    def tested(self) -> range:
        """The folds that are tested: all, or all but the first in time."""
        return range(1 + self.forward, self.k + 1)

    @property
    def test_to_train(self) -> float:
        """The mean, over the folds, of the size of the test set divided by that of the training
        set.
        """
        if not self.forward:
            return 1 / (self.k - 1)
        sizes = np.bincount(self.indices)[1:]
        return float((sizes[1:] / np.cumsum(sizes)[:-1]).mean())

    def split(self, fold: int) -> tuple[Positions, Positions]:
        """Return the positions of the patterns for training the models of a fold, and of those for
        testing them.
        """
        trains = self.indices < fold if self.forward else self.indices != fold
        return np.flatnonzero(trains), np.flatnonzero(self.indices == fold)


def column_of_each_row(one_hot: Bools, name: str) -> Numbers:
    """Return the column of the only True of each row of a matrix of at least three columns."""
    C = one_hot.shape[1]
    if C < 3:
        raise ValueError(
            f"{name} has {C} columns; it must have one column, or one for each of at least three"
            " classes"
        )
    columns = one_hot.argmax(axis=1)
    each_has_one = one_hot[np.arange(len(columns)), columns].all()
    if not each_has_one or np.count_nonzero(one_hot) != len(columns):
        trues = one_hot.sum(axis=1)
        row = int((trues != 1).argmax())
        raise ValueError(f"{name}: row {row} has {trues[row]} True; each row must have exactly one")
    return columns.astype(np.min_scalar_type(C))


def _warn_of_small_classes(classes: list[Label], sizes: list[int], k: int) -> None:
    small = [(label, size) for label, size in zip(classes, sizes, strict=True) if 0 < size < k]
    if not small:
        return
    named = ", ".join(f"{brief(label)} has {size}" for label, size in small[:5])
    more = f" and {len(small) - 5} more classes too" if len(small) > 5 else ""
    if max(sizes) < k:
        consequence = f"no class has k patterns, so folds {max(sizes) + 1} to {k} are empty"
    else:
        consequence = "some folds have none of them to test, and a metric of nothing counts as 1"
    warn_caller(f"k={k}: too few patterns ({named}{more}); {consequence}")
