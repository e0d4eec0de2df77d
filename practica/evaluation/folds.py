"""The index vector: the fold in which each pattern is tested.

Only scores on the same vector can be compared in pairs. It is kept in a small file, for the models
of next week:

    # crossValidationIndices of 569 patterns in 10 folds, sha256 0f3b5c…
    pattern,fold
    1,7
    2,3

Repeated folds are a matrix with an index vector in each row. Their file has a first column
`repetition`, 1, 2, ... The hash is that of the numbers as 64-bit little-endian integers; `sha256`
of the file itself would be another one.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import ArrayLike
from sklearn.model_selection import PredefinedSplit

from practica.reference.arguments import Array, Integers, Label, as_array
from practica.reference.partition import Folds

__all__ = [
    "as_indices",
    "fingerprint",
    "read_folds",
    "repeated",
    "repetitions_of",
    "require_same_folds",
    "to_splitter",
    "write_folds",
]


def repetitions_of(
    crossValidationIndices: ArrayLike | Folds, *, forward: bool = False
) -> list[Folds]:
    """Return the folds of each repetition: one for an index vector, and one for each row of a
    matrix.

    Raises `ValueError` if a row is not an index vector, two have different numbers of folds, or
    folds in time are repeated.
    """
    if isinstance(crossValidationIndices, Folds):
        return [Folds.of(crossValidationIndices, forward=forward)]
    indices = as_array(crossValidationIndices, "crossValidationIndices")
    if indices.ndim != 2:
        return [Folds.of(indices, forward=forward)]
    repetitions = [Folds.of(row, forward=forward) for row in indices]
    numbers = sorted({folds.k for folds in repetitions})
    if len(numbers) != 1:
        raise ValueError(
            f"crossValidationIndices has repetitions of {numbers[0]} and of {numbers[-1]} folds;"
            " all need the same k"
            if numbers
            else "crossValidationIndices has no rows; it must have one for each repetition"
        )
    if forward and len(repetitions) > 1:
        raise ValueError(
            f"folds in the order of time are always the same; {len(repetitions)} repetitions add"
            " nothing"
        )
    return repetitions


def as_indices(repetitions: Sequence[Folds]) -> Integers:
    """Return the index vector of the only repetition, or the matrix of the index vectors of
    several.
    """
    return (
        np.stack([folds.indices for folds in repetitions])
        if len(repetitions) > 1
        else repetitions[0].indices
    )


def repeated(times: int) -> str:
    """Return the words that follow "10 folds": how often they are repeated, empty for once.

    >>> repeated(2), repeated(1)
    (' repeated 2 times', '')
    """
    return f" repeated {times} times" if times > 1 else ""


def to_splitter(crossValidationIndices: ArrayLike | Folds) -> PredefinedSplit:
    """Turn an index vector into a splitter, so that every tool of scikit-learn tests on the same
    folds.

    Parameters
    ----------
    crossValidationIndices : int array, shape (N,), values 1..k, k >= 2
        See `crossvalidation`; no fold may be empty.

    Returns
    -------
    splitter : sklearn.model_selection.PredefinedSplit
        Its split number f − 1 tests on the patterns of fold f. It is what `cv` takes in
        `cross_validate`, `cross_val_predict`, `GridSearchCV` and their like.

    Raises
    ------
    ValueError
        If a value is outside 1..N, a fold is empty, or there is only one.
    TypeError
        If the values are not integers.

    Examples
    --------
    >>> for training, test in to_splitter([1, 2, 2, 1, 3]).split():
    ...     print(training, test)
    [1 2 4] [0 3]
    [0 3 4] [1 2]
    [0 1 2 3] [4]
    """
    return PredefinedSplit(Folds.of(crossValidationIndices).indices - 1)


def fingerprint(crossValidationIndices: ArrayLike | Folds) -> str:
    """Return the SHA-256 of an index vector, or of repeated ones: two with the same hash are the
    same.

    Examples
    --------
    >>> fingerprint([1, 2, 2, 1, 3])[:16]
    'e72cfe701825f777'
    """
    return hashlib.sha256(
        as_indices(repetitions_of(crossValidationIndices)).astype("<i8").tobytes()
    ).hexdigest()


def require_same_folds(first: Integers, second: Integers, names: tuple[str, str]) -> None:
    """Raise ValueError, with the `names` of two results, unless both come from the same index
    vector.
    """
    one, other = np.atleast_2d(first), np.atleast_2d(second)
    for what, left, right in zip(
        ("patterns", "repetitions"), one.shape[::-1], other.shape[::-1], strict=True
    ):
        if left != right:
            raise ValueError(
                f"{names[0]} was tested on {left} {what} and {names[1]} on {right}; "
                "only scores on the same folds of the same patterns can be compared"
            )
    if not np.array_equal(one, other):
        row, pattern = np.argwhere(one != other)[0]
        raise ValueError(
            f"{names[0]} and {names[1]} were tested on different folds (pattern {pattern + 1} in"
            f" fold {one[row, pattern]} and in fold {other[row, pattern]}); only scores on the same"
            " folds can be compared: train both on one index vector"
        )


def write_folds(
    crossValidationIndices: ArrayLike | Folds, file: TextIO, targets: Iterable[Label] | None = None
) -> None:
    """Write an index vector with its hash, patterns counted from 1, and a hash of the targets if
    they are given.

    Repeated ones come one after the other, with their number in a column of its own.
    """
    repetitions = repetitions_of(crossValidationIndices)
    folds, times = repetitions[0], len(repetitions)
    file.write(
        f"# crossValidationIndices of {len(folds)} patterns in {folds.k} folds"
        f"{repeated(times)}, sha256 {fingerprint(as_indices(repetitions))}"
        f"{'' if targets is None else f'; targets {_hash(targets)}'}\n"
    )
    file.write("repetition,pattern,fold\n" if times > 1 else "pattern,fold\n")
    for repetition, folds in enumerate(repetitions, start=1):
        begin = f"{repetition}," if times > 1 else ""
        file.writelines(
            f"{begin}{pattern},{fold}\n"
            for pattern, fold in enumerate(folds.indices.tolist(), start=1)
        )


def _hash(targets: Iterable[Label]) -> str:
    return hashlib.sha256("\0".join(map(str, targets)).encode()).hexdigest()[:16]


def read_folds(path: str | Path, targets: Sequence[Label] | Array | None = None) -> Integers:
    """Read an index vector from a CSV file.

    Parameters
    ----------
    path : path
        As `write_folds` writes it; or any CSV with a column `fold`, such as one written by the
        user's own program, which has no hash to check.
    targets : sequence, optional
        Those of the data that the folds should belong to.

    Returns
    -------
    crossValidationIndices : int array, shape (N,), or (times, N) with a column `repetition`

    Raises
    ------
    ValueError
        If the file is not such a table, its hash is not that of its numbers, because one of the two
        was changed, or it belongs to data with other targets.
    """
    name = Path(path).name
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError(
            f"{name} is not a text file; it must be a CSV with a column 'fold'"
        ) from None
    comments = " ".join(line for line in lines if line.startswith("#"))
    rows = csv.DictReader(line for line in lines if line.strip() and not line.startswith("#"))
    if "fold" not in (rows.fieldnames or ()):
        raise ValueError(
            f"{name} has no column 'fold'; its columns are {rows.fieldnames or 'none'}"
        )
    folds = as_indices(repetitions_of(np.array(_as_matrix(rows, name), dtype=np.int64)))
    written = re.search(r"sha256 ([0-9a-f]{64})", comments)
    if written and written[1] != fingerprint(folds):
        raise ValueError(
            f"{name}: its folds have the sha256 {fingerprint(folds)[:12]}… and its first line says"
            f" {written[1][:12]}…; it was changed after it was written, and what was compared on it"
            " cannot be compared any more"
        )
    if targets is not None and len(targets) != folds.shape[-1]:
        raise ValueError(
            f"{name} has the folds of {folds.shape[-1]} patterns, and here are {len(targets)}: of"
            " other data"
        )
    of = re.search(r"targets ([0-9a-f]{16})", comments)
    if targets is not None and of and of[1] != _hash(targets):
        raise ValueError(f"{name} has the folds of other data: their targets are not these")
    return folds


def _as_matrix(rows: Iterable[dict[str, str]], file: str) -> list[int] | list[list[int]]:
    """Return the fold of each pattern, by the rows of a file: one list, or a list for each
    repetition if the rows have a column "repetition".

    Raises `ValueError` if the repetitions are not 1, 2, ... or have different numbers of patterns.
    """
    by_repetition: dict[str | None, list[int]] = {}
    for number, row in enumerate(rows, start=1):
        folds = by_repetition.setdefault(row.get("repetition"), [])
        folds.append(_as_fold(row, number, len(folds) + 1, file))
    matrix = list(by_repetition.values())
    if None in by_repetition or not matrix:
        return matrix[0] if matrix else []
    if list(by_repetition) != [str(repetition) for repetition in range(1, len(matrix) + 1)]:
        raise ValueError(
            f"{file}: its repetitions are {', '.join(map(str, by_repetition))}; they must be 1,"
            " 2, ..."
        )
    sizes = sorted(map(len, matrix))
    if sizes[0] != sizes[-1]:
        raise ValueError(
            f"{file}: one repetition has {sizes[0]} patterns and another one {sizes[-1]}"
        )
    return matrix


def _as_fold(row: dict[str, str], number: int, expected: int, file: str) -> int:
    """Return the fold in a row, which must be the pattern number `expected` if it says which
    pattern it is.
    """
    try:
        fold, pattern = int(row["fold"]), int(row.get("pattern", expected))
    except (TypeError, ValueError):
        raise ValueError(
            f"{file}, row {number}: {dict(row)} has no whole number as its fold"
        ) from None
    if pattern != expected:
        raise ValueError(
            f"{file}, row {number}: it is that of pattern {pattern}; the patterns must be in their"
            " order"
        )
    return fold
