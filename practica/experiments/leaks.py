"""Columns that make a result too good: identifiers, what gives the target away, and rows that
belong together.

Each is a note that names the column and the option, for only the user knows where a column comes
from.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from practica.experiments.csv_file import CSVFile
from practica.experiments.written_numbers import Column
from practica.reference.arguments import Bools, Floats, some_of

_SEPARATED = 0.995  # area below the ROC of a column from which it alone gives the classes away
# correlation, of the values or of their ranks, from which a column gives a quantity away
_COPIED = 0.9999
_CHANCE = math.log(1e-4)  # what would happen more often among as many columns is not a finding
# fraction of the rows that repeat another one, or its value, from which a sentence says so
_REPEATED = 0.1
_FEW_ROWS = 20  # below, only equal distances make an identifier

_NAME_OF_AN_ID = re.compile(
    r"(?i)(^|[^a-z])(id|idx|index|key|uid|uuid|row)s?($|[^a-z])|(?-i:[a-z]I[dD]$)"
)
_NAME_OF_AN_OWNER = re.compile(
    "(?i)patient|subject|person(?!al)|participant|individual|user|customer|client|student|session|animal|household|"
    "paciente|sujeto|persona(?!l)|usuario|cliente|alumno"
)


@dataclass(frozen=True)
class Read:
    """A table as it was read: the columns, the first rows as text, and the target."""

    file: CSVFile
    columns: Mapping[str, Column]
    written: Mapping[str, Iterable[str]]
    labels: pd.Categorical
    target: str
    encoded: bool  # whether text becomes columns of numbers
    apart: bool  # whether groups or times keep rows together, so that equal rows may be meant
    quantities: Floats | None = None  # the target, if it is a number to predict

    @property
    def texts(self) -> dict[str, pd.Categorical]:
        """The columns of text."""
        return {n: each for n, each in self.columns.items() if isinstance(each, pd.Categorical)}

    @property
    def numbers(self) -> dict[str, Floats]:
        """The columns of numbers."""
        return {n: each for n, each in self.columns.items() if isinstance(each, np.ndarray)}

    @property
    def quantity(self) -> bool:
        """Whether the target is a number to predict."""
        return self.quantities is not None


def leak_notes(read: Read) -> Iterator[str]:
    """Yield a note on each kind of column that makes a result too good, and on rows that repeat
    another one.
    """
    counting = [name for name, column in read.numbers.items() if counts_the_rows(column, name)]
    if counting and len(read.columns) > 1:
        yield (
            f"{listed(counting)}: a number of its own for each row, as if it numbers the rows; if"
            f" it is unrelated to {read.target!r}, {_ignoring(counting)}."
        )
    repeats = _repeats(read)
    if not read.apart and repeats.sum() >= _REPEATED * len(repeats):
        yield (
            f"{repeats.sum()} of {len(repeats)} rows repeat another one and are in training and"
            " test at once: results are too good if a row was copied; pandas' drop_duplicates()"
            " leaves one of each."
        )
    kinds, once = len(read.labels.categories), ~repeats
    owned = {
        name: distinct
        for name, column in read.columns.items()
        if (distinct := _owned(column[once], read.labels.codes[once]))
    }
    most = 5 if read.quantity else max(5, 2 * kinds)
    groups = [
        name
        for name, distinct in owned.items()
        if distinct > most and _may_be_names(read.columns[name])
    ]
    same = "one number of the target only" if read.quantity else "one class only"
    for name in groups:
        yield (
            f"column {name!r}: {owned[name]} values that repeat, each with {same}; if it says whose"
            f" the rows are, use --groups '{name}', for a model may know them again; if it was"
            f" derived from the target, --ignore '{name}'."
        )
    if whose := [
        name
        for name, column in read.columns.items()
        if name not in owned and _says_whose(column, name)
    ]:
        yield (
            f"{listed(whose)}: values that repeat; if it says whose the rows are, use --groups"
            f" '{whose[0]}', for a model may know them again."
        )
    if derived := [name for name in owned if name not in groups]:
        yield (
            f"{listed(derived)}: each value has {same}; if it was derived from the target,"
            f" {_ignoring(derived)}."
        )
    apart = [
        name
        for name, column in read.numbers.items()
        if name not in owned and name not in counting and _gives_away(column, read, kinds)
    ]
    if apart:
        what = "follow the target" if read.quantity else "separate the classes"
        yield (
            f"{listed(apart)}: the numbers alone {what}; if it was derived from {read.target!r} or"
            f" is known only after it, {_ignoring(apart)}."
        )


def _gives_away(numbers: Floats, read: Read, kinds: int) -> bool:
    """Return whether one column alone separates the `kinds` classes, orders a quantity as the
    target does, or is a linear copy of it.
    """
    if read.quantities is None:
        columns = len(read.columns)
        return kinds <= 30 and _separates(numbers, read.labels.codes, kinds, columns)
    pair = pd.DataFrame({"column": numbers, "target": read.quantities})
    least = max(_FEW_ROWS, len(pair) // 2)  # rows without a hole
    return any(
        abs(pair.corr(kind, min_periods=least).iloc[0, 1]) >= _COPIED
        for kind in ("pearson", "spearman")
    )


def counts_the_rows(numbers: Floats, name: str = "") -> bool:
    """Return whether each row has its own number, as identifiers have: the numbers are at equal
    distances, in any order.

    Whole numbers may leave out up to half of them, as if rows had been deleted, or the column have
    an identifier's `name`.

    >>> steps = np.array([10.0, 30.0, 20.0, 50.0, 40.0])
    >>> counts_the_rows(steps), counts_the_rows(steps**2), counts_the_rows(steps**2, "customer_id")
    (True, False, True)
    """
    known = numbers[np.isfinite(numbers)]
    if len(known) < 3 or len(known) < len(numbers) / 2:
        return False
    steps = np.diff(np.sort(known))
    if steps[0] <= 0 or not steps.all():
        return False
    if len(known) < 5:  # a few numbers are in order by chance
        return bool((np.abs(np.diff(known)) == 1).all())
    if np.ptp(steps) <= 1e-6 * steps[0]:
        return True
    if (known % 1).any():
        return False
    is_dense = len(known) >= _FEW_ROWS and len(known) >= 0.5 * np.ptp(known) / np.gcd.reduce(
        steps.astype(np.int64)
    )
    return bool(is_dense or _NAME_OF_AN_ID.search(name))


def _owned(column: Column, targets: NDArray[np.int8]) -> int:
    """Return the number of values of a column if each occurs with one target only and chance does
    not explain that, or else 0.

    A missing value is a value too. By chance all rows with one value have the same target with the
    probability that the sizes of the classes give.
    """
    pairs = pd.DataFrame({"value": _codes(column), "target": targets}).drop_duplicates()
    distinct, sizes = pairs["value"].nunique(), np.bincount(targets)
    if distinct < 2 or len(pairs) > distinct or distinct > (1 - _REPEATED) * len(targets):
        return 0
    same = float(((sizes / len(targets)) ** 2).sum())
    return distinct if (len(targets) - distinct) * math.log(same) < _CHANCE else 0


def _says_whose(column: Column, name: str) -> bool:
    """Return whether a column says what its row belongs to, such as a patient: it has at least ten
    values, two rows or more for each, and a name that such columns have.
    """
    if not (_NAME_OF_AN_ID.search(name) or _NAME_OF_AN_OWNER.search(name)):
        return False
    return 10 <= len(np.unique(_codes(column))) <= len(column) / 2


def _separates(numbers: Floats, targets: NDArray[np.int8], classes: int, columns: int) -> bool:
    """Return whether the numbers of a column separate every two classes, and chance does not
    explain it: a table with many `columns` has one that does by chance.

    In iris only one class is apart, so nothing is given away.
    """
    known = np.isfinite(numbers)
    if known.mean() < 0.5:
        return False
    parts = [numbers[known & (targets == label)] for label in range(classes)]
    return all(
        _are_apart(first, second, columns) for first, second in itertools.combinations(parts, 2)
    )


def _are_apart(first: Floats, second: Floats, columns: int) -> bool:
    n, m = len(first), len(second)
    if not n or not m:
        return False
    chance = (
        math.log(2 * columns) + math.lgamma(n + 1) + math.lgamma(m + 1) - math.lgamma(n + m + 1)
    )
    if chance > _CHANCE:
        return False
    area = (pd.Series(np.concatenate([first, second])).rank()[:n].sum() - n * (n + 1) / 2) / (n * m)
    return bool(max(area, 1 - area) >= _SEPARATED)


def _repeats(read: Read) -> Bools:
    """Return the mask of the rows that repeat an earlier one."""
    columns = map(_codes, (*read.columns.values(), read.labels))
    frame = pd.DataFrame(dict(enumerate(columns)))
    return frame.duplicated().to_numpy(dtype=bool)


def _codes(column: Column) -> NDArray[np.integer[Any]]:
    """Return a whole number for each distinct value of a column; -1 where it is missing."""
    return column.codes if isinstance(column, pd.Categorical) else pd.factorize(column)[0]


def _may_be_names(column: Column) -> bool:
    """Return whether a column may name subjects: text or whole numbers, not measures."""
    return isinstance(column, pd.Categorical) or not (column[np.isfinite(column)] % 1).any()


def _ignoring(names: Sequence[str]) -> str:
    return " ".join(f"--ignore '{name}'" for name in names[:8])


def listed(names: Sequence[str], shown: Sequence[str] | None = None) -> str:
    """Join the names of some columns, or the first of many, for the beginning of a sentence.

    `shown`: strings that stand for the names.
    """
    parts = shown or [repr(name) for name in names]
    return f"column{'s' if len(parts) > 1 else ''} {some_of(parts)}"
