"""CSV files as columns: numbers where all values are numbers, text as categories, with the row of
what is wrong.
"""

from __future__ import annotations

import csv
import functools
import io
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from practica.experiments import choices
from practica.experiments.written_numbers import (
    ROWS,
    Column,
    as_number,
    numbers_or_text,
    thousands_note,
)
from practica.reference.arguments import Array

_LARGEST = 1e150  # its square is a number too
MISSING = frozenset(map(str.lower, ("", *choices.MISSING)))


def _as_text(cells: Sequence[object], missing_words: frozenset[str]) -> pd.Categorical:
    """Return the cells of a column as text without spaces around it; `missing_words`, in lower
    case, become missing values.
    """
    codes, written = pd.factorize(np.asarray(cells, dtype=object))
    stripped = [str(value).strip() for value in written]
    missing = np.array([value.lower() in missing_words for value in stripped], dtype=bool)
    merged, values = pd.factorize(np.array(stripped, dtype=object)[~missing])
    number = np.full(len(stripped) + 1, -1)  # the last is that of pandas' own missing value
    number[:-1][~missing] = merged
    return pd.Categorical.from_codes(number[codes], list(values))


def _as_floats(numbers: Array) -> Array:
    """Return numbers as floats, or integers unchanged if floats would round them."""
    is_exact = numbers.dtype.kind == "f" or max(numbers.max(), -int(numbers.min())) <= 2**53
    return numbers.astype(np.float64) if is_exact else numbers


class CSVFile(NamedTuple):
    """A table as text in UTF-8, and the marks with which it is written.

    `names` are those of its columns by position; None for a column that has neither name nor
    value.
    """

    path: Path
    data: bytes
    separator: str
    decimal: str
    thousands: str | None = None
    header: bool | None = None  # None if nobody has said whether there is one
    missing: frozenset[str] = MISSING  # what stands for a missing value, in lower case
    names: Sequence[str | None] = ()

    @property
    def name(self) -> str:
        """The name of the file, for messages."""
        return self.path.name

    @property
    def has_header(self) -> bool:
        """Whether the first line has names."""
        return self.header is not False

    def texts(self, rows: int | None = None, **options: Any) -> Any:
        """Return the header and the first `rows`, or all, as a frame of text.

        `options`: those of pandas' `read_csv`, such as `usecols`.
        """
        nrows = rows and rows + 1
        return self._read(header=None, nrows=nrows, dtype=object, na_filter=False, **options)

    def without_empty_columns(self, sample: NDArray[np.object_]) -> CSVFile:
        """Return the same file with the `names` of its columns: None for a column that has no name,
        and no value in any row.

        `sample`: the first rows as text, the header among them.
        """
        names: list[str | None] = [str(name).strip() for name in sample[0]]
        for place, column in enumerate(sample[1:].T):
            has_name = self.has_header and names[place] != ""
            if has_name or any(str(cell).strip() for cell in column):
                continue
            if not any(str(cell).strip() for cell in self.cells(place)):
                names[place] = None
        return self._replace(names=names)

    def columns(
        self, wanted: Sequence[str], target: str
    ) -> tuple[dict[str, Column], pd.Categorical]:
        """Return the wanted columns, of numbers or text, and the target, which is text."""
        words = {each for word in self.missing for each in (word, word.upper(), word.capitalize())}
        frame = self._read(
            names=range(len(self.names)),
            index_col=False,
            dtype={self.names.index(target): object},
            keep_default_na=False,
            na_values=[*words],  # others are found as text
            decimal=self.decimal,
            header=0,
        )
        places = {name: self.names.index(name) for name in wanted}
        labels = frame[places[target]]
        if (labels.map(str).str.strip() == target).any():
            kept = [place for place, name in enumerate(self.names) if name is not None]
            self.require_one_header(self.texts().iloc[:, kept].to_numpy())
        if frame.iloc[:, -1].isna().any():  # what a row that is too short lacks
            self._require_equal_rows()
        found: dict[str, Column] = {
            name: _as_floats(frame[place].to_numpy())
            for name, place in places.items()
            if frame[place].dtype.kind in "iuf"
        }
        if not labels.isna().any():
            found[target] = _as_text(labels, self.missing)
        again = {place: name for name, place in places.items() if name not in found}
        del frame, labels
        if again:
            cells = self.texts(usecols=list(again)).iloc[1:]
            found |= {name: _as_text(cells[place], self.missing) for place, name in again.items()}
        text = found.pop(target)
        return {
            name: self.numbers_or_text(found[name], name) for name in wanted if name != target
        }, text

    def require_one_header(self, rows: NDArray[np.object_]) -> None:
        """Refuse a file if its header, the first of `rows`, is repeated below."""
        row = row_of_header([cell.strip() for cell in rows[0]], rows[1:])
        if row is not None:
            raise ValueError(
                f"{self.name}: row {row + 1} repeats the header, as where files were joined; remove"
                f" such rows ({ROWS})"
            )

    def numbers_or_text(self, column: Column, name: str) -> Column:
        """Return a column as numbers if all its cells are, or else as text."""
        also = functools.partial(self.missing_words, name, column)
        return numbers_or_text(column, name, self.decimal, self.thousands, also)

    def thousands_note(self, name: str, sample: Iterable[str]) -> str:
        """Return a note if the decimal marks in a column may be thousands marks, or else an empty
        text; `sample` are the first cells of the column.
        """
        if self.thousands is not None or not thousands_note(sample, name, self.decimal):
            return ""
        return thousands_note(self.cells(self.names.index(name)), name, self.decimal)

    def missing_words(self, name: str, column: Column) -> list[str]:
        """Return the different words in a column of text that are read as missing values, as they
        are written.
        """
        missing = np.asarray(pd.isna(column))
        if not missing.any() or not isinstance(column, pd.Categorical):
            return []
        cells = self.cells(self.names.index(name)).to_numpy()[missing]
        return [word for word in dict.fromkeys(str(cell).strip() for cell in cells) if word]

    def _require_equal_rows(self) -> None:
        """Refuse a file, naming the first row that is longer or shorter than the header."""
        rows = _lines(self.data, self.separator)
        _, header = next(rows)
        first = "the header" if self.has_header else "the first line"
        for line, row in rows:
            if len(row) != len(header):
                values = f"{len(row)} value{'s' * (len(row) > 1)}"
                raise ValueError(
                    f"{self.name}: line {line - (not self.has_header)} of the file has {values},"
                    f" and {first} has {len(header)} columns"
                )

    def require_whole(self, name: str, column: Column, way_out: str = "") -> None:
        """Refuse a column with missing values; the error ends with `way_out`, which says what to
        do.
        """
        missing = pd.isna(column)
        if missing.any():
            row = int(missing.argmax())
            written = self._written(row, name)
            said = written and f" ({written!r})"
            if isinstance(column, pd.Categorical) and re.search("[A-Za-z]", written):
                said += (
                    f"; if {written!r} is a category, give --missing '' or what stands for a"
                    " missing value"
                )
            raise ValueError(
                f"row {row + 1}, column {name!r}: the value is missing{said}; {ROWS}{way_out}"
            )

    def require_finite(self, name: str, numbers: Column) -> None:
        """Refuse a column with an infinite number, or with a largest number that is too large or
        too small to be squared.
        """
        if isinstance(numbers, pd.Categorical):
            return
        row = int(np.nan_to_num(np.abs(numbers)).argmax())
        largest = abs(numbers[row])
        if 1 / _LARGEST <= largest <= _LARGEST or not largest > 0:
            return
        said = (
            "too small to be squared, and the largest" if largest < 1 else "too large to be squared"
        )
        raise ValueError(
            f"row {row + 1}, column {name!r}: {self._written(row, name)!r} is"
            f" {'not a finite number' if np.isinf(largest) else said}; {ROWS}"
        )

    def _written(self, row: int, name: str) -> str:
        """Return the cell of a column in one row, counted from 0, as the file has it."""
        return str(self.cells(self.names.index(name), rows=row + 1).iloc[-1]).strip()

    def cells(self, place: int, rows: int | None = None) -> Any:
        """Return the cells of a column as the file has them, all or the first `rows`."""
        return self.texts(rows=rows, usecols=[place])[place].iloc[1:]

    def _read(self, **options: Any) -> Any:
        file = io.BytesIO(self.data)
        try:
            return pd.read_csv(file, sep=self.separator, skipinitialspace=True, **options)
        except pd.errors.ParserError as error:
            reason = str(error).splitlines()[0]
            if "EOF inside string" in reason:
                reason = "a quotation mark is opened and never closed"
            else:
                self._require_equal_rows()
            raise ValueError(f"{self.name}: {reason}") from None


def _lines(data: bytes, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row that is not empty, and the number of its last line."""
    file = io.TextIOWrapper(io.BytesIO(data), "utf-8", newline="")
    reader = csv.reader(file, delimiter=separator, skipinitialspace=True)
    with suppress(csv.Error):  # a quotation mark that is never closed
        for row in reader:
            if row not in ([], [""]):
                yield reader.line_num, row


def row_of_header(header: Sequence[str], rows: NDArray[np.object_]) -> int | None:
    """Return the first row, from 0, that repeats the header.

    None if there is none, or it may be a row like the others.

    It is the header if one of its words is among numbers, or if none of them is a value in another
    row.

    >>> row_of_header(
    ...     ["x", "kind"], np.array([["4", "a"], ["x", "kind"], ["5", "b"]], dtype=object)
    ... )
    1
    >>> row_of_header(["b", "no"], np.array([["b", "no"], ["b", "yes"]], dtype=object)) is None
    True
    """
    is_cell = np.array(
        [
            [str(value).strip() == cell for cell, value in zip(header, row, strict=True)]
            for row in rows
        ]
    )
    if not len(rows) or any(as_number(cell) is not None for cell in header):
        return None
    is_header = is_cell.all(axis=1)
    others = rows[~is_header]
    among_numbers = any(
        len(others) and all(as_number(value) is not None for value in column) for column in others.T
    )
    return (
        int(is_header.argmax())
        if is_header.any() and (among_numbers or not is_cell[~is_header].any())
        else None
    )


def looks_like_data(
    header: Sequence[str], rows: NDArray[np.object_], named: Sequence[str] = ()
) -> bool:
    """Return whether the first line of a file looks like the others: half its cells are numbers, or
    are values of their columns.

    Numbers at equal distances are names: 0, 1, 2 of a table that has no others, or years. A word
    above a column of numbers is a name: one is enough, for other columns may have their names as
    values. So is a cell that the user names as a column and that is not a value below, unless
    numbers like those of their columns are beside it.

    >>> rows = np.array([["4.9", "3.0", "setosa"], ["7.0", "3.2", "versicolor"]], dtype=object)
    >>> looks_like_data(["5.1", "3.5", "setosa"], rows), looks_like_data(["1", "2", "setosa"], rows)
    (True, False)
    >>> looks_like_data(["5.1", "3.5", "x"], rows, ["x"])
    True
    >>> rows = np.array([["37", "No", "fail"], ["29", "Python", "pass"]], dtype=object)
    >>> (
    ...     looks_like_data(["25", "Python", "fail"], rows, ["fail"]),
    ...     looks_like_data(["2", "No", "out"], rows, ["out"]),
    ... )
    (True, False)
    """
    if not len(rows):
        return False
    numbers = [as_number(cell) for cell in header]
    there = [number for number in numbers if number is not None]
    steps = np.diff(there)
    are_equal = len(there) > 1 and bool(np.allclose(steps, steps[0]) and steps[0] > 0)
    are_names = are_equal and (len(there) > 2 or steps[0] == 1)
    alike, near, is_name, is_fraction = 0, 0, False, False
    for cell, number, column in zip(header, numbers, rows.T, strict=True):
        values = {str(value).strip() for value in column}
        values = {value for value in values if value.lower() not in MISSING}
        known = [each for each in map(as_number, values) if each is not None]
        if number is None:
            if known and len(known) == len(values) and cell.lower() not in MISSING:
                return False
            is_name |= cell in named and cell not in values
            alike += cell in values
        elif len(known) > len(values) / 2:
            spread = max(known) - min(known)
            is_near = min(known) - spread <= number <= max(known) + spread
            near += is_near and not are_names
            is_fraction |= is_near and not are_names and number % 1 != 0
    if is_fraction or 1 < near == len(there):
        return True
    return not is_name and near + alike >= max(2, len(header) / 2)


def with_equal_rows(name: str, data: bytes, separator: str, *, has_header: bool) -> bytes:
    """Return the text of a CSV with a header as long as the rows, and no empty rows around them.

    Without a header, the new one counts the columns. R writes no name for the column with the names
    of rows: it gets an empty one. Separators at the end of all rows begin empty columns without
    names; those at the end of the header alone are left out. Raises `ValueError` if a title is
    above the header.
    """
    mark = separator.encode()
    if found := re.match(rb"(?:[ \t%b]*\r?\n)+" % re.escape(mark), data):
        data = b"\n" * found[0].count(b"\n") + data[found.end() :]  # lines keep their numbers
    end = data.find(b"\n", len(data.rstrip(b" \t\r\n" + mark)))
    if end >= 0:
        data = data[: end + 1]
    lines = [row for _, row in itertools.islice(_lines(data, separator), 6)]
    if not has_header:
        places = range(1, 1 + max(map(len, lines[:1]), default=0))
        return f"{separator.join(map(str, places))}\n".encode() + data
    if len(lines) < 3:
        return data
    _require_no_title(name, lines)
    header, *rows = lines
    more = {len(row) - len(header) for row in rows}
    if len(more) != 1:
        return data
    extra = more.pop()
    if extra < 0 and not any(header[extra:]):
        ends = rb"(?:%b *){%d}(?=\r?\n)" % (re.escape(mark), -extra)
        return re.sub(ends, b"", data, count=1)
    start = len(data) - len(data.lstrip(b"\r\n"))
    if extra > 0 and not any(cell for row in rows for cell in row[-extra:]):
        return data[:start] + re.sub(rb"(?=\r?\n)", mark * extra, data[start:], count=1)
    return data[:start] + mark * (extra == 1) + data[start:]


def _require_no_title(name: str, lines: Sequence[Sequence[str]]) -> None:
    """Refuse a title above the header: lines with one text only above a row of words that has a
    number below it.
    """
    header = next((n for n, line in enumerate(lines) if len({*line} - {""}) > 1), 0)
    if not 0 < header < len(lines) - 1:
        return
    words = [as_number(cell) is None for cell in lines[header]]
    if all(words) and any(as_number(cell) is not None for cell in lines[header + 1]):
        title = next(cell for cell in lines[0] if cell)
        raise ValueError(
            f"{name}: the names of the columns, {lines[header][0]!r}, {lines[header][1]!r}, ...,"
            f" are below {title!r}; remove the {'line' if header == 1 else 'lines'} above them"
        )


def as_separator(separator: str, decimal: str, thousands: str | None = None) -> str:
    """Return the separator as one character; refuse a separator, decimal mark or thousands mark
    that is not valid, or two that are the same.
    """
    separator = {"tab": "\t", "\\t": "\t"}.get(separator, separator)
    if len(separator) != 1:
        raise ValueError(f"separator={separator!r} must be a single character, or 'tab'")
    if decimal not in (".", ","):
        raise ValueError(f"decimal={decimal!r} must be '.' or ','")
    if thousands is not None and (
        len(thousands) != 1 or thousands == decimal or thousands.isalnum()
    ):
        raise ValueError(
            f"thousands={thousands!r} must be one character other than the decimal mark, such"
            " as ','"
        )
    return separator
