"""CSV files as columns: numbers where all values are numbers, text as categories, with the row of
what is wrong.
"""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from practica.experiments.written_numbers import ROWS, Column, as_number, numbers_or_text
from practica.reference.arguments import Array

_LARGEST = 1e150  # its square is a number too
MISSING = frozenset({"", "?", "na", "n/a", "#n/a", "<na>", "nan", "null"})  # in lower case


def _as_written(words: frozenset[str]) -> list[str]:
    """Return all ways to write some words of small letters with small and capital letters."""
    return sorted(
        {
            "".join(s)
            for word in words
            for s in itertools.product(*zip(word, word.upper(), strict=True))
        }
    )


def _as_text(cells: Sequence[object], missing_words: frozenset[str]) -> pd.Categorical:
    """Return the cells of a column as text without spaces around it; `missing_words` are None."""
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
    """A file of a table, and the marks with which it is written."""

    path: Path
    data: bytes
    separator: str
    decimal: str
    encoding: str
    thousands: str | None = None
    has_header: bool = True
    missing: frozenset[str] = MISSING  # what stands for a missing value, in lower case

    @property
    def name(self) -> str:
        """The name of the file, for messages."""
        return self.path.name

    def require_text(self) -> None:
        """Decode the whole file once, so that an error names the first place that is not in its
        encoding.
        """
        try:
            text = self.data.decode(self.encoding)
        except LookupError:
            raise ValueError(
                f"encoding={self.encoding!r} is unknown; examples are utf-8, latin-1 and cp1252"
            ) from None
        except UnicodeError as error:
            raise self._not_decoded(error) from None
        if "\0" in text:
            raise ValueError(
                f"{self.name} is not a text file; a spreadsheet must be saved as CSV first"
            )
        if re.fullmatch(r"\ufeff*\s*", text):
            raise ValueError(f"{self.name} is empty")

    def _not_decoded(self, error: UnicodeError) -> ValueError:
        if b"\0" in self.data:
            hint = "it does not look like text: a spreadsheet must be saved as CSV first"
        else:
            hint = "an older program may have written it with --encoding latin-1"
        where = ""
        if isinstance(error, UnicodeDecodeError):
            where = f" at line {1 + self.data[: error.start].count(10)}"
        return ValueError(f"{self.name} is not {self.encoding}{where}; {hint}")

    def texts(self, **options: Any) -> Any:
        """Return the first rows, or all, as a frame of text.

        Its first row is the header, or counts the columns.
        """
        rows = options.pop("rows", None)
        with self._opened() as file:
            cells = self._read(
                file, header=None, nrows=rows and rows + 1, dtype=object, na_filter=False, **options
            )
        if self.has_header:
            return cells
        return pd.concat(
            [pd.DataFrame([[str(place + 1) for place in cells]], columns=cells.columns), cells]
        )

    def columns(
        self, header: Sequence[str], wanted: Sequence[str], target: str
    ) -> tuple[dict[str, Column], pd.Categorical]:
        """Return the wanted columns, of numbers or text, and the target, which is text."""
        options: dict[str, Any] = {"keep_default_na": False, "na_values": _as_written(self.missing)}
        options |= {"decimal": self.decimal, "header": 0 if self.has_header else None}
        with self._opened() as file:
            frame = self._read(
                file, names=header, index_col=False, dtype={target: object}, **options
            )
        if self.has_header and (frame[target].map(str).str.strip() == target).any():
            cells = self.texts()
            self.require_one_header(header, cells.iloc[1:].to_numpy())
        if frame.iloc[:, -1].isna().any():  # what a row that is too short lacks
            self._require_equal_rows(len(header))
        numbers = {
            name: _as_floats(frame[name].to_numpy())
            for name in wanted
            if frame[name].dtype.kind in "iuf"
        }
        texts = (
            {target: _as_text(frame[target], self.missing)}
            if not frame[target].isna().any()
            else {}
        )
        again = {
            header.index(name): name for name in wanted if name not in numbers and name not in texts
        }
        del frame
        if again:
            cells = self.texts(usecols=list(again))
            texts |= {
                name: _as_text(cells[place].iloc[1:], self.missing) for place, name in again.items()
            }
        labels, found = texts.pop(target), {**numbers, **texts}
        kept = {name: found[name] for name in wanted if name != target}
        return {name: self.numbers_or_text(column, name) for name, column in kept.items()}, labels

    def require_one_header(self, header: Sequence[str], rows: NDArray[np.object_]) -> None:
        """Refuse a header that is repeated below."""
        row = row_of_header(header, rows)
        if self.has_header and row is not None:
            raise ValueError(
                f"{self.name}: row {row + 1} repeats the header, as where files were joined; remove"
                f" such rows ({ROWS})"
            )

    def numbers_or_text(self, column: Column, name: str) -> Column:
        """Return a column as numbers if all its cells are, or else as text."""
        return numbers_or_text(column, name, self.decimal, self.thousands)

    def missing_words(self, name: str, column: Column) -> list[str]:
        """Return the words (not signs such as "?") that count as missing in a column of text, as
        they are written there.
        """
        missing = np.asarray(pd.isna(column))
        if not missing.any() or not isinstance(column, pd.Categorical):
            return []
        cells = self._cells(name).to_numpy()[missing]
        return [
            word for word in dict.fromkeys(str(cell).strip() for cell in cells) if word.isalpha()
        ]

    def _require_equal_rows(self, expected: int) -> None:
        with self._opened() as file:
            for row in (
                reader := csv.reader(file, delimiter=self.separator, skipinitialspace=True)
            ):
                if row and len(row) < expected:
                    values = f"{len(row)} value{'s' * (len(row) > 1)}"
                    what = "the header has" if self.has_header else "the first line has"
                    raise ValueError(
                        f"{self.name}: line {reader.line_num} of the file has {values}, and {what}"
                        f" {expected} columns"
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
        """Refuse a column with an infinite number, or whose largest number has no square because it
        is too large or too small.
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
        return str(self._cells(name, rows=row + 1).iloc[-1]).strip()

    def _cells(self, name: str, rows: int | None = None) -> Any:
        """Return the cells of a column as the file has them, all or the first `rows`."""
        place = [cell.strip() for cell in self.texts(rows=1).iloc[0]].index(name)
        return self.texts(rows=rows, usecols=[place])[place].iloc[1:]

    def _opened(self) -> TextIO:
        codec = codecs.lookup(self.encoding).name
        return io.TextIOWrapper(
            io.BytesIO(self.data), "utf-8-sig" if codec == "utf-8" else codec, newline=""
        )

    def _read(self, file: TextIO, **options: Any) -> Any:
        try:
            return pd.read_csv(file, sep=self.separator, skipinitialspace=True, **options)
        except pd.errors.ParserError as error:
            reason = str(error)
            if ragged := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", reason):
                expected, line, seen = ragged.groups()
                reason = (
                    f"line {line} of the file has {seen} values, and the header has {expected}"
                    " columns"
                )
            elif "EOF inside string" in reason:
                reason = "a quotation mark is opened and never closed"
            raise ValueError(f"{self.name}: {reason.splitlines()[0]}") from None


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
    above a column of numbers is a name, and so is a cell that the user names as a column and that
    is no value below. One name is enough: other columns may then have their names as values.

    >>> rows = np.array([["4.9", "3.0", "setosa"], ["7.0", "3.2", "versicolor"]], dtype=object)
    >>> looks_like_data(["5.1", "3.5", "setosa"], rows), looks_like_data(["1", "2", "setosa"], rows)
    (True, False)
    >>> rows = np.array([["37", "No", "fail"], ["29", "Python", "pass"]], dtype=object)
    >>> (
    ...     looks_like_data(["25", "Python", "fail"], rows, ["fail"]),
    ...     looks_like_data(["2", "No", "out"], rows, ["out"]),
    ... )
    (True, False)
    """
    if not len(rows):
        return False
    values = dict(
        zip(header, ({str(value).strip() for value in column} for column in rows.T), strict=True)
    )
    if any(
        name in values and name not in values[name] and as_number(name) is None for name in named
    ):
        return False
    numbers = [as_number(cell) for cell in header]
    for cell, column in zip(header, rows.T, strict=True):
        if (
            cell.lower() not in MISSING
            and as_number(cell) is None
            and all(as_number(value) is not None for value in column)
        ):
            return False
    there = [number for number in numbers if number is not None]
    steps = np.diff(there)
    are_names = len(there) < 2 or bool(np.allclose(steps, steps[0]) and steps[0] > 0)
    alike = 0
    for cell, number, column in zip(header, numbers, rows.T, strict=True):
        if number is not None:
            alike += (
                not are_names
                and sum(as_number(value) is not None for value in column) > len(column) / 2
            )
        else:
            alike += cell != "" and cell in values[cell]
    return alike >= max(2, len(header) / 2)


def as_separator(separator: str, decimal: str, thousands: str | None = None) -> str:
    """Return the separator as one character; refuse a separator, decimal mark or thousands mark
    that is none, or two that are the same.
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
