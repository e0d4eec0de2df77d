"""Data sets as the models take them: a CSV of the user's, or one of those that scikit-learn ships."""

from __future__ import annotations

import codecs
import difflib
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from practica.reference.encoding import number_classes, one_hot_encoding

__all__ = ["SHIPPED", "Table", "load", "read_csv", "shipped"]

_MISSING = frozenset({"", "?", "na", "n/a", "#n/a", "<na>", "nan", "null"})  # in lower case

_ROWS = "rows are counted from 1 below the header"


@dataclass(frozen=True)
class Table:
    """Patterns with their attributes as numbers and their classes as labels.

    Attributes
    ----------
    name : str
    attributes : tuple of str, length L
        Name of each column of `inputs`; "colour=red" for a column that comes from text.
    inputs : float64 array, shape (N, L)
    targets : object array, shape (N,)
        The label of each pattern, as text.
    """

    name: str
    attributes: tuple[str, ...]
    inputs: NDArray[np.float64]
    targets: NDArray[np.object_]

    def class_sizes(self) -> dict[str, int]:
        """Count the patterns of each class, in order of first appearance; of two, the first is the positive one."""
        classes, numbers = number_classes(self.targets)
        return dict(zip(classes, np.bincount(numbers).tolist(), strict=True))


SHIPPED = {"iris": "Iris", "breast_cancer": "Breast cancer"}


def shipped(name: str) -> Table:
    """Load a data set that scikit-learn ships, with the names of its classes as labels.

    Parameters
    ----------
    name : {"iris", "breast_cancer"}

    Examples
    --------
    >>> shipped("iris").class_sizes()
    {'setosa': 50, 'versicolor': 50, 'virginica': 50}
    """
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")()
    return Table(
        name=SHIPPED[name],
        attributes=tuple(map(str, bunch.feature_names)),
        inputs=bunch.data.astype(np.float64),
        targets=bunch.target_names.astype(object)[bunch.target],
    )


def load(data: str, target: str | None = None, **options: Any) -> Table:
    """Read a CSV file, or load a data set that scikit-learn ships.

    Parameters
    ----------
    data : str
        The name of a shipped data set, or else the path of a file.
    target : str, optional
        Column with the classes, for a file.
    **options
        Of `read_csv`.

    Raises
    ------
    ValueError
        If there is no such file, a file comes without a target or a shipped data set with one, and as `read_csv`.
    """
    if data in SHIPPED:
        if target is not None:
            raise ValueError(f"{data} is a data set with classes of its own: it takes no --target")
        return shipped(data)
    if not Path(data).is_file():
        raise ValueError(f"there is no file {data!r}{_closest(data, SHIPPED, 'the data sets that need no file')}")
    if target is None:
        raise ValueError(f"{data} needs --target: the column with the class of each pattern")
    return read_csv(data, target, **options)


def read_csv(
    path: str | Path,
    target: str,
    *,
    ignored: Sequence[str] = (),
    separator: str = ",",
    decimal: str = ".",
    encoding: str = "utf-8",
) -> Table:
    """Read patterns from a CSV file with a header.

    Parameters
    ----------
    path : path of the file
    target : str
        Column with the class of each pattern; its values are taken as text.
    ignored : sequence of str
        Columns to leave out.
    separator : str, one character, or "tab"
    decimal : {".", ","}
    encoding : str
        A byte order mark at the beginning is skipped in UTF-8.

    Returns
    -------
    table : Table
        Columns of numbers come as they are; columns of text as `one_hot_encoding` gives them, so that two values make
        one column, which is 1 for the first of them to appear.

    Raises
    ------
    ValueError
        One sentence that names the column, and the row where there is one: for a missing value, an infinite one, a
        column that mixes numbers and text, a text that never repeats, a header that does not fit, or a file that is
        not what it is said to be.
    """
    file = Path(path)
    separator = {"tab": "\t", "\\t": "\t"}.get(separator, separator)
    if len(separator) != 1:
        raise ValueError(f"separator={separator!r} must be a single character, or 'tab'")
    if decimal not in (".", ","):
        raise ValueError(f"decimal={decimal!r} must be '.' or ','")
    if decimal == separator:
        raise ValueError(f"{decimal!r} cannot be both the decimal mark and the separator; give another --separator")
    text = _decoded(file, encoding)
    header = [name.strip() for name in _cells(text, file.name, separator, rows=1).iloc[0]]
    _require_good_header(header, target, ignored, separator, file.name)
    cells = _cells(text, file.name, separator)
    if len(cells) == 1:
        raise ValueError(f"{file.name} has a header and no rows")
    columns = {
        name: _stripped(cells[position].iloc[1:], name) for position, name in enumerate(header) if name not in ignored
    }
    targets = columns.pop(target)
    _require_classes(targets, target)
    names: list[str] = []
    parts: list[NDArray[np.float64]] = []
    for name, values in columns.items():
        names_of_column, part = _encoded(values, name, decimal)
        names += names_of_column
        parts.append(part)
    return Table(file.name, tuple(names), np.hstack(parts), targets)


def _decoded(file: Path, encoding: str) -> str:
    """Return the text of the file."""
    data = file.read_bytes()
    try:
        codec = codecs.lookup(encoding).name
    except LookupError:
        raise ValueError(f"encoding={encoding!r} is unknown; examples are utf-8, latin-1 and cp1252") from None
    try:
        text = data.decode("utf-8-sig" if codec == "utf-8" else codec)
    except UnicodeError as error:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            hint = "it looks like --encoding utf-16"
        elif b"\0" in data:
            hint = "it does not look like text: a spreadsheet must be saved as CSV first"
        else:
            hint = "an older program may have written it with --encoding latin-1"
        where = ""
        if isinstance(error, UnicodeDecodeError):
            where = f" at line {1 + data[: error.start].count(10)}"
        raise ValueError(f"{file.name} is not {encoding}{where}; {hint}") from None
    if "\0" in text:
        raise ValueError(f"{file.name} is not a text file; a spreadsheet must be saved as CSV first")
    if not text.strip():
        raise ValueError(f"{file.name} is empty")
    return text


def _cells(text: str, file: str, separator: str, rows: int | None = None) -> Any:
    """Return the first rows, or all, as a frame of text; the header is its first row."""
    try:
        return pd.read_csv(
            io.StringIO(text),
            sep=separator,
            header=None,
            nrows=rows,
            dtype=object,
            na_filter=False,
            skipinitialspace=True,
        )
    except pd.errors.ParserError as error:
        reason = str(error)
        if ragged := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", reason):
            expected, line, seen = ragged.groups()
            reason = f"line {line} of the file has {seen} values, and the header has {expected} columns"
        elif "EOF inside string" in reason:
            reason = "a quotation mark is opened and never closed"
        raise ValueError(f"{file}: {reason.splitlines()[0]}") from None


def _require_good_header(header: list[str], target: str, ignored: Sequence[str], separator: str, file: str) -> None:
    if len(header) == 1:
        for other, written in ((";", ";"), ("\t", "tab"), (",", ","), ("|", "|")):
            if other in header[0] and other != separator:
                raise ValueError(
                    f"{file} has one column only with separator {separator!r}, and its header contains "
                    f"{other!r}; try --separator '{written}'"
                )
    for name in header:
        if header.count(name) > 1:
            first, second = [position for position, other in enumerate(header, start=1) if other == name][:2]
            raise ValueError(f"{file}: columns {first} and {second} of the header have the same name, {name!r}")
    for name in (target, *ignored):
        if name not in header:
            raise ValueError(f"{file} has no column {name!r}{_closest(name, header, 'its columns')}")
    if target in ignored:
        raise ValueError(f"column {target!r} is the target: it cannot be left out")
    if "" in header and "" not in ignored:
        raise ValueError(
            f"{file}: column {header.index('') + 1} has no name in the header; "
            "name it, or leave it out with --ignore '' if it only counts the rows"
        )
    if set(header) <= {target, *ignored}:
        raise ValueError(f"{file} has no attributes besides the target {target!r}")


def _closest(word: str, known: Iterable[str], what: str) -> str:
    names = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(word.casefold(), names, n=1)
    if close:
        return f"; did you mean {names[close[0]]!r}?"
    return f"; {what} are {', '.join(map(repr, list(names.values())[:8]))}{', ...' if len(names) > 8 else ''}"


def _stripped(values: Any, column: str) -> NDArray[np.object_]:
    """Return the cells of a column without the spaces around them; none of them is missing."""
    stripped: NDArray[np.object_] = np.array([value.strip() for value in values], dtype=object)
    for row, value in enumerate(stripped, start=1):
        if value.lower() in _MISSING:
            written = f" ({value!r})" if value else ""
            raise ValueError(f"row {row}, column {column!r}: the value is missing{written}; {_ROWS}")
    return stripped


def _require_classes(targets: NDArray[np.object_], column: str) -> None:
    classes = set(targets)
    if len(classes) == 1:
        raise ValueError(f"column {column!r} has one class, {targets[0]!r}; at least two are needed to classify")
    if len(classes) == len(targets):
        raise ValueError(
            f"column {column!r} has a different value in each of the {len(targets)} rows: these are not classes"
        )


def _encoded(values: NDArray[np.object_], column: str, decimal: str) -> tuple[list[str], NDArray[np.float64]]:
    """Turn a column of the file into one or more columns of numbers, with their names."""
    written = pd.Series(values)
    if decimal == ",":
        # A point would be read as well, and 1.234 means something else where the comma is the decimal mark.
        written = written.where(~written.str.contains(".", regex=False), "text").str.replace(",", ".", regex=False)
    numbers = pd.to_numeric(written, errors="coerce").to_numpy(dtype=np.float64)
    is_text = np.isnan(numbers)
    if is_text.any():
        row = int(is_text.argmax())
        _require_no_other_decimal(values[row], row, column, decimal)
        if not is_text.all():
            number = int((~is_text).argmax())
            raise ValueError(
                f"column {column!r} mixes numbers and text: row {row + 1} has {values[row]!r} and "
                f"row {number + 1} {values[number]!r}; {_ROWS}"
            )
        return _encoded_text(values, column)
    infinite = ~np.isfinite(numbers)
    if infinite.any():
        row = int(infinite.argmax())
        raise ValueError(f"row {row + 1}, column {column!r}: {values[row]!r} is not a finite number; {_ROWS}")
    return [column], numbers.reshape(-1, 1)


def _require_no_other_decimal(value: str, row: int, column: str, decimal: str) -> None:
    """Refuse 5,1 where 5.1 is a number, and the other way round, instead of taking it for a category."""
    other = "," if decimal == "." else "."
    mark, foreign = re.escape(decimal), re.escape(other)
    if re.fullmatch(rf"[+-]?[\d{mark}]*{foreign}\d[\d{mark}{foreign}]*([eE][+-]?\d+)?", value):
        raise ValueError(
            f"row {row + 1}, column {column!r}: {value!r} is not a number with the decimal mark {decimal!r}; "
            f"if {other!r} is the decimal mark, use --decimal '{other}' ({_ROWS})"
        )


def _encoded_text(values: NDArray[np.object_], column: str) -> tuple[list[str], NDArray[np.float64]]:
    classes, _ = number_classes(values)
    if len(classes) == len(values):
        raise ValueError(
            f"column {column!r} has a different text in each of the {len(values)} rows: an identifier says nothing "
            f"about the class; leave it out with --ignore '{column}'"
        )
    encoded = one_hot_encoding(values, classes)
    return [f"{column}={label}" for label in classes[: encoded.shape[1]]], encoded.astype(np.float64)
