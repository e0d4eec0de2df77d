"""The index vector: the fold in which each pattern is tested.

Only scores on the same vector can be compared in pairs. It is kept in a small file, for the models of next week:

    # crossValidationIndices of 569 patterns in 10 folds, sha256 0f3b5c…
    pattern,fold
    1,7
    2,3

The hash is that of the numbers as 64-bit little-endian integers; `sha256` of the file itself would be another one.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import PredefinedSplit

from practica.reference.arguments import Array, Label
from practica.reference.partition import Folds

__all__ = ["fingerprint", "read_folds", "require_same_folds", "to_splitter", "write_folds"]


def to_splitter(crossValidationIndices: ArrayLike | Folds) -> PredefinedSplit:
    """Turn an index vector into a splitter, so that every tool of scikit-learn tests on the same folds.

    Parameters
    ----------
    crossValidationIndices : int array, shape (N,), values 1..k, k >= 2
        See `crossvalidation`; no fold may be empty.

    Returns
    -------
    splitter : sklearn.model_selection.PredefinedSplit
        Its split number f − 1 tests on the patterns of fold f. It is what `cv` takes in `cross_validate`,
        `cross_val_predict`, `GridSearchCV` and their like.

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
    """Return the SHA-256 of an index vector: two vectors with the same one are the same.

    Examples
    --------
    >>> fingerprint([1, 2, 2, 1, 3])[:16]
    'e72cfe701825f777'
    """
    return hashlib.sha256(Folds.of(crossValidationIndices).indices.astype("<i8").tobytes()).hexdigest()


def require_same_folds(first: NDArray[np.int64], second: NDArray[np.int64], names: tuple[str, str]) -> None:
    """Raise ValueError unless two results come from the same index vector."""
    if len(first) != len(second):
        raise ValueError(
            f"{names[0]} was tested on {len(first)} patterns and {names[1]} on {len(second)}; "
            "only scores on the same folds of the same patterns can be compared"
        )
    if not np.array_equal(first, second):
        row = int((first != second).argmax())
        raise ValueError(
            f"{names[0]} and {names[1]} were tested on different folds (pattern {row + 1} in fold {first[row]} and in "
            f"fold {second[row]}); only scores on the same folds can be compared: train both on one index vector"
        )


def write_folds(
    crossValidationIndices: ArrayLike | Folds, file: TextIO, targets: Iterable[Label] | None = None
) -> None:
    """Write an index vector with its hash, patterns counted from 1, and a hash of the targets if they are given."""
    folds = Folds.of(crossValidationIndices)
    file.write(
        f"# crossValidationIndices of {len(folds)} patterns in {folds.k} folds, sha256 {fingerprint(folds)}"
        f"{'' if targets is None else f'; targets {_hash(targets)}'}\n"
    )
    file.write("pattern,fold\n")
    file.writelines(f"{pattern},{fold}\n" for pattern, fold in enumerate(folds.indices.tolist(), start=1))


def _hash(targets: Iterable[Label]) -> str:
    return hashlib.sha256("\0".join(map(str, targets)).encode()).hexdigest()[:16]


def read_folds(path: str | Path, targets: Sequence[Label] | Array | None = None) -> NDArray[np.int64]:
    """Read an index vector from a CSV file.

    Parameters
    ----------
    path : path
        As `write_folds` writes it; or any CSV with a column `fold`, such as one written by the user's own program,
        which has no hash to check.
    targets : sequence, optional
        Those of the data that the folds should belong to.

    Returns
    -------
    crossValidationIndices : int array, shape (N,)

    Raises
    ------
    ValueError
        If the file is no such table, its hash is not that of its numbers, because one of the two was changed, or it
        belongs to data with other targets.
    """
    name = Path(path).name
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{name} is not a text file; it must be a CSV with a column 'fold'") from None
    comments = " ".join(line for line in lines if line.startswith("#"))
    rows = csv.DictReader(line for line in lines if line.strip() and not line.startswith("#"))
    if "fold" not in (rows.fieldnames or ()):
        raise ValueError(f"{name} has no column 'fold'; its columns are {rows.fieldnames or 'none'}")
    folds = Folds.of([_as_fold(row, number, name) for number, row in enumerate(rows, start=1)])
    written = re.search(r"sha256 ([0-9a-f]{64})", comments)
    if written and written[1] != fingerprint(folds):
        raise ValueError(
            f"{name}: its folds have the sha256 {fingerprint(folds)[:12]}… and its first line says {written[1][:12]}…; "
            "it was changed after it was written, and what was compared on it cannot be compared any more"
        )
    if targets is not None and len(targets) != len(folds):
        raise ValueError(f"{name} has the folds of {len(folds)} patterns, and here are {len(targets)}: of other data")
    of = re.search(r"targets ([0-9a-f]{16})", comments)
    if targets is not None and of and of[1] != _hash(targets):
        raise ValueError(f"{name} has the folds of other data: their targets are not these")
    return folds.indices


def _as_fold(row: dict[str, str], number: int, file: str) -> int:
    """Return the fold of a row, which stands in its place if it says which pattern it is."""
    try:
        fold, pattern = int(row["fold"]), int(row.get("pattern", number))
    except (TypeError, ValueError):
        raise ValueError(f"{file}, row {number}: {dict(row)} has no whole number as its fold") from None
    if pattern != number:
        raise ValueError(f"{file}, row {number}: it is that of pattern {pattern}; the patterns must be in their order")
    return fold
