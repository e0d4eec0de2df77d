"""Data sets as the models take them: a CSV of the user's, or one of those that scikit-learn
ships.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from practica.experiments.choices import READING, SHIPPED, Reading
from practica.experiments.csv_file import (
    MISSING,
    CSVFile,
    as_separator,
    looks_like_data,
    with_equal_rows,
)
from practica.experiments.formats import as_text
from practica.experiments.leaks import Read
from practica.experiments.notes import DATE, note_on_groups, notes_on, positive_of
from practica.experiments.written_numbers import (
    Column,
    as_numbers,
    as_times,
    way_out_of_dates,
)
from practica.reference.arguments import Array, Floats, closest
from practica.reference.encoding import number_classes, one_hot_encoding

_SAMPLE = 100  # rows that are also looked at as they are written

_WAY_OUT = """.
{models} cannot take missing values. --impute fills them in each training part: medians, most
frequent categories, indicators. A model of yours can take them as they are. These lines in mine.py
are one, and "Tables with holes" in the guide has others:

    from sklearn.ensemble import HistGradientBoostingClassifier
    def boosting():
        options = {{"categorical_features": "from_dtype", "early_stopping": False}}
        return HistGradientBoostingClassifier(**options)

practica compare ... --model boosting=mine:boosting"""


class Holes(NamedTuple):
    """The columns with missing values: the parameters of the `practica.evaluation.Imputation` that
    fills them.
    """

    categories: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Table:
    """The patterns of a table: their attributes, and their classes or quantities."""

    name: str
    # a name for each column of `inputs`; "colour=red" for one that comes from text
    attributes: tuple[str, ...]
    inputs: Floats  # (N, L)
    targets: Array  # the label of each pattern, as text; or its quantity
    chosen: str | None = None  # the positive one of two classes, where the user says it
    # a frame, before it became `inputs`: numbers as floats, text as categories, NaN for missing
    columns: Any = None
    # the targets as numbers, if all of them are and were wanted
    quantities: Floats | None = None
    no_classes: str = ""  # why the targets are not classes, if they may be quantities
    groups: Array | None = None  # what belongs together
    times: Array | None = None  # what comes before what
    notes: tuple[str, ...] = ()  # what the user should know about the columns
    sha256: str = ""  # all attributes and targets, whichever models are to see them
    # where `inputs` has NaN to be filled; its text is then still codes
    holes: Holes | None = None

    def class_sizes(self) -> dict[str, int]:
        """Count the patterns of each class, in order of first appearance."""
        classes, numbers = number_classes(self.targets)
        return dict(zip(map(str, classes), np.bincount(numbers).tolist(), strict=True))

    @property
    def is_quantity(self) -> bool:
        """Whether the targets are numbers to predict."""
        return self.targets is self.quantities

    @property
    def positive(self) -> str | None:
        """The positive one of two classes, see `positive_of`; None for more, and for quantities."""
        return None if self.is_quantity else positive_of(list(self.class_sizes()), self.chosen)


def shipped(name: str, *, positive: str | None = None) -> Table:
    """Load a data set that scikit-learn ships, with the names of its classes as labels.

    >>> shipped("iris").class_sizes()
    {'setosa': 50, 'versicolor': 50, 'virginica': 50}
    """
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")()
    names = np.array([str(label) for label in bunch.target_names], dtype=object)
    targets = names[bunch.target]
    _require_positive(positive, list(names), name)
    attributes = tuple(map(str, bunch.feature_names))
    inputs = bunch.data.astype(np.float64)
    frame = pd.DataFrame(inputs, columns=attributes)
    return Table(
        SHIPPED[name],
        attributes,
        inputs,
        targets,
        positive,
        frame,
        sha256=_hash({"": inputs}, targets),
    )


def load(data: str, target: str | None = None, how: Reading = READING) -> Table:
    """Load a data set that scikit-learn ships, if `data` is the name of one, or else `read_csv` the
    file.
    """
    if data in SHIPPED:
        given = {"target": target, "groups": how.groups, "time": how.time}
        for option, value in given.items():
            if value is not None:
                raise ValueError(
                    f"{data} is a data set with classes of its own: it takes no --{option}"
                )
        return shipped(data, positive=how.positive)
    if "://" in data:
        raise ValueError(f"{data} is an address: download the file, and give its name")
    if data != "-" and (not Path(data).exists() or Path(data).is_dir()):
        raise ValueError(
            f"there is no file {data!r}{closest(data, SHIPPED, 'the data sets that need no file')}"
        )
    if target is None:
        raise ValueError(f"{data} needs --target: the column with the class of each pattern")
    return read_csv(data, target, how)


def named(text: str, target: str | None) -> tuple[str, str | None]:
    """Split FILE:COLUMN into the file and its target; without a column, the target is `target`. A
    data set of scikit-learn needs none.
    """
    if text in SHIPPED:
        return text, None
    file, colon, column = text.rpartition(":")
    return (file, column) if colon and column and not Path(text).is_file() else (text, target)


@contextmanager
def naming(table: str) -> Iterator[None]:
    """Put the name of one of several tables in front of an error that lacks it."""
    try:
        yield
    except ValueError as error:
        if Path(table).name in str(error):
            raise
        raise ValueError(f"{table}: {error}") from error


def read_csv(path: str | Path, target: str, how: Reading = READING) -> Table:
    """Read patterns from a file, in any of the formats of `choices`.

    pandas reads columns of numbers at once. What is not all numbers is read again as text, and
    every distinct text is looked at once.
    """
    file, groups, time = _opened(path, how), how.groups, how.time
    sample = file.texts(rows=_SAMPLE).to_numpy()
    file = file.without_empty_columns(sample)
    sample = sample[:, [name is not None for name in file.names]]
    header = [name for name in file.names if name is not None]
    rows_note = _row_names(header, how.ignore, file)
    # --ignore '' may mean a column that has no values either, and is left out anyway
    ignore = [*(name for name in how.ignore if name or "" in header), *[""] * len(rows_note)]
    special = [name for name in (groups, time) if name is not None]
    if len(special) == 2:
        raise ValueError("--groups and --time cannot both decide the folds; give one of them")
    if file.header is None:
        _require_header(sample, file, [target, *ignore, *special])
    _require_good_header(header, target, ignore, special, file)
    if len(sample) == 1:
        raise ValueError(f"{file.name} has a header and no rows")
    columns, labels = file.columns([name for name in header if name not in ignore], target)

    no_classes = "" if pd.isna(labels).any() else _why_no_classes(labels, target, how.least)
    if no_classes and not how.quantity:
        raise ValueError(no_classes)
    by = {name: columns.pop(name) for name in special}
    for name, column in by.items():
        file.require_whole(name, column)
        file.require_finite(name, column)
    groups_note = [] if groups is None else note_on_groups(groups, by[groups])
    models = ", ".join(how.encoded)
    way_out = None if not models or how.impute else _WAY_OUT.format(models=models)
    _require_good_columns(columns, file, way_out, repeated=bool(models))
    file.require_whole(target, labels, "; remove the rows without a target")
    numeric = file.numbers_or_text(labels, target) if how.quantity else labels
    file.require_finite(target, numeric)
    _require_positive(how.positive, labels.categories, target)
    rows = dict(zip(header, sample[1:].T, strict=True))
    quantities = None if isinstance(numeric, pd.Categorical) else numeric
    predicted = quantities if how.quantity else None
    read = Read(file, columns, rows, labels, target, bool(models), bool(by), predicted)
    names, inputs, holes = (
        _encoded(columns, how.impute)
        if models
        else (list(columns), np.empty((len(labels), 0)), None)
    )
    return Table(
        file.name,
        tuple(names),
        inputs,
        np.asarray(labels),
        how.positive,
        pd.DataFrame(columns) if how.whole else None,
        quantities=quantities,
        no_classes=no_classes,
        groups=None if groups is None else np.asarray(by[groups]),
        times=None if time is None else as_times(np.asarray(by[time]), time),
        notes=(*rows_note, *groups_note, *notes_on(read, how.positive)),
        sha256=_hash(columns, labels),
        holes=holes,
    )


def _hash(columns: Mapping[str, Column], targets: Iterable[object]) -> str:
    """Return the SHA-256 of the names and values of all attributes, and of the targets."""
    digest = hashlib.sha256("\0".join(columns).encode())
    for column in columns.values():
        if isinstance(column, pd.Categorical):
            digest.update("\0".join(map(str, column.categories)).encode())
            digest.update(column.codes.astype(np.int64).tobytes())
        else:
            digest.update(np.ascontiguousarray(column).tobytes())
    digest.update("\0".join(map(str, targets)).encode())
    return digest.hexdigest()


def _opened(path: str | Path, how: Reading) -> CSVFile:
    """Read a file, or standard input for "-", and return it as the text of a CSV, regardless of its
    format.
    """
    words = frozenset(word.strip().lower() for word in how.missing) or MISSING
    decimal, thousands, header = how.decimal, how.thousands, how.header
    character = as_separator(how.separator, decimal, thousands)
    is_stream = str(path) == "-"
    path = Path("standard input" if is_stream else path)
    data = sys.stdin.buffer.read() if is_stream else path.read_bytes()
    data, is_written_here, names = as_text(path.name, data, how.sheet, how.encoding, decimal)
    if is_written_here:
        character = ","
    elif told := re.match(rb"sep=(.)(?=\r?\n)", data):  # Excel's own first line
        character = as_separator(told[1].decode("latin-1"), decimal, thousands)
        data = data[told.end() :]
    if names and header is not False:
        data, header = names + data, True
    data = with_equal_rows(path.name, data, character, has_header=header is not False)
    return CSVFile(path, data, character, decimal, thousands, header, words | {""})


def _row_names(header: Sequence[str], ignore: Sequence[str], file: CSVFile) -> list[str]:
    """Return the note that the first column, which has no name, is left out because it names or
    numbers the rows; empty if it does not.
    """
    if header[0] != "" or header.count("") > 1 or "" in ignore or len(header) < 3:
        return []
    cells = file.cells(file.names.index(""))
    if len(cells) < 3 or not cells.is_unique:
        return []
    return [
        f"the first column has no name and names the rows, {cells.iloc[0]!r}, ...: it is left out."
    ]


def _require_good_columns(
    columns: Mapping[str, Column], file: CSVFile, way_out: str | None, *, repeated: bool
) -> None:
    """Refuse columns with missing values, unless `way_out` is None; columns with infinite numbers;
    and, with `repeated`, columns of text that never repeats.
    """
    for name, column in columns.items():
        if way_out is not None:
            file.require_whole(name, column, way_out)
        file.require_finite(name, column)
        if repeated and isinstance(column, pd.Categorical):
            _require_repetition(column, name)


def _require_header(rows: NDArray[np.object_], file: CSVFile, named: Sequence[str]) -> None:
    """Refuse a header that is repeated, and a first line that looks like the others."""
    file.require_one_header(rows)
    header = [cell.strip() for cell in rows[0]]
    if looks_like_data(header, rows[1:], named):
        also = "; or --header, if these are names" * (len({*header}) == len(header))
        raise ValueError(
            f"{file.name} seems to have no header: its first line has {header[0]!r}, {header[1]!r},"
            f" ...; use --no-header, which names the columns 1 to {len(header)}, as in --target"
            f" {len(header)}{also}"
        )


def _require_good_header(
    header: list[str], target: str, ignore: Sequence[str], special: Sequence[str], file: CSVFile
) -> None:
    others = [sign for sign in ";\t,|" if sign in header[0] and sign != file.separator]
    if len(header) == 1 and others:
        written = others[0].replace("\t", "tab")
        raise ValueError(
            f"{file.name} has one column only with separator {file.separator!r}, and its header"
            f" contains {others[0]!r}; try --separator '{written}'"
        )
    for second, name in enumerate(header):
        first = header.index(name)
        if first < second:
            raise ValueError(
                f"{file.name}: columns {first + 1} and {second + 1} of the header have the same"
                f" name, {name!r}"
            )
    for name in (target, *ignore, *special):
        if name not in header:
            raise ValueError(
                f"{file.name} has no column {name!r}{closest(name, header, 'its columns')}"
            )
    if target in ignore:
        raise ValueError(f"column {target!r} is the target: it cannot be left out")
    for name in special:
        if name == target or name in ignore:
            raise ValueError(
                f"column {name!r} cannot be two things: the target, left out, --groups or --time"
            )
    if "" in header and "" not in ignore:
        raise ValueError(
            f"{file.name}: column {header.index('') + 1} has no name in the header; "
            "name it, or leave it out with --ignore '' if it only counts the rows"
        )
    if set(header) <= {target, *ignore, *special}:
        raise ValueError(f"{file.name} has no attributes besides the target {target!r}")


def _require_positive(positive: str | None, classes: Sequence[str], column: str) -> None:
    if positive is None:
        return
    if positive not in classes:
        raise ValueError(
            f"{column!r} has no class {positive!r}{closest(positive, classes, 'its classes')}"
        )
    if len(classes) != 2:
        raise ValueError(
            f"{column!r} has {len(classes)} classes; only one of two can be the positive one"
        )


def _why_no_classes(labels: pd.Categorical, column: str, folds: int) -> str:
    N, sizes = len(labels), np.bincount(labels.codes)
    if len(sizes) == 1:
        return (
            f"column {column!r} has one class, {labels.categories[0]!r}; at least two are needed to"
            " classify"
        )
    if sizes.max() >= folds:
        return ""
    many = (
        f"column {column!r} has {len(sizes)} different values in {N} rows, and none of them in"
        f" {folds} (--folds)"
    )
    if np.isnan(as_numbers(labels.categories, ".")).any():
        return f"{many}: these are not classes; a class needs a pattern in each fold to be tested"
    return (
        f"{many}: this is a quantity, and these models predict classes. Cut it into a few, as"
        " pandas.qcut does, or predict it with practica compare and --models annr,linear,mean, or"
        " regressors of yours"
    )


def _require_repetition(text: pd.Categorical, column: str) -> None:
    if len(text.categories) < len(text):
        return
    said = "text", f"an identifier says nothing about the class; use --ignore '{column}'"
    if all(map(DATE.fullmatch, text.categories)):
        said = "date", f"use {way_out_of_dates(text, column)}"
    raise ValueError(
        f"column {column!r} has a different {said[0]} in each of the {len(text)} rows: {said[1]}"
    )


def _encoded(columns: Mapping[str, Column], impute: bool) -> tuple[list[str], Floats, Holes | None]:
    """Return the names of the columns that attributes become as numbers, their matrix, and its
    holes; None if there are no holes to be filled.

    Texts become columns of 0 and 1; with `impute`, if something is missing, they stay codes until
    `Imputation` fills the holes and encodes them.
    """
    names: list[str] = []
    parts: list[Array] = []
    holes = {}
    for place, (name, column) in enumerate(columns.items()):
        if isinstance(column, pd.Categorical) and len(column.categories):
            encoded = one_hot_encoding(np.maximum(column.codes, 0), range(len(column.categories)))
            parts += [*encoded.T]
            names += [f"{name}={value}" for value in column.categories[: encoded.shape[1]]]
        else:
            parts.append(_as_codes(column))
            names.append(name)
        if pd.isna(column).any():
            holes[place] = f"{name} missing"
    if not impute or not holes:
        return names, np.stack(parts, axis=1, dtype=np.float64), None
    texts = [
        len(column.categories) if isinstance(column, pd.Categorical) else 0
        for column in columns.values()
    ]
    codes = np.stack([_as_codes(column) for column in columns.values()], axis=1, dtype=np.float64)
    return [*names, *holes.values()], codes, Holes(tuple(texts), tuple(holes))


def _as_codes(column: Column) -> Floats:
    """Return a column as floats: the codes of its text, and NaN where a value is missing."""
    return (
        np.where(column.codes < 0, np.nan, column.codes)
        if isinstance(column, pd.Categorical)
        else column
    )
