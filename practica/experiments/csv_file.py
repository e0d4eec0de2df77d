"""CSV files as columns: numbers where all values are numbers, text as categories, with the row of what is wrong."""

from __future__ import annotations

import codecs
import itertools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = ["CSVFile", "Column", "as_numbers", "as_separator", "numbers_or_text"]

_MISSING = frozenset({"", "?", "na", "n/a", "#n/a", "<na>", "nan", "null"})  # in lower case
_AS_WRITTEN = sorted(
    {"".join(s) for word in _MISSING for s in itertools.product(*zip(word, word.upper(), strict=True))}
)

_ROWS = "rows are counted from 1 below the header"

# A column: numbers, or text as categories in order of first appearance; what is missing is NaN, or of none of them.
Column: TypeAlias = "NDArray[np.float64] | pd.Categorical"


def _as_text(cells: Sequence[object]) -> pd.Categorical:
    """Take the cells of a column without the spaces around them."""
    codes, written = pd.factorize(np.asarray(cells, dtype=object))
    stripped = [str(value).strip() for value in written]
    missing = np.array([value.lower() in _MISSING for value in stripped], dtype=bool)
    merged, values = pd.factorize(np.array(stripped, dtype=object)[~missing])
    number = np.full(len(stripped) + 1, -1)  # the last is that of pandas' own missing value
    number[:-1][~missing] = merged
    return pd.Categorical.from_codes(number[codes], list(values))


def _first_row(text: pd.Categorical, wanted: NDArray[np.bool_]) -> int:
    """Return the first row, from 0, that has a value of which a mask says yes."""
    return int(np.isin(text.codes, np.flatnonzero(wanted)).argmax())


class CSVFile(NamedTuple):
    """A file and how it is written."""

    path: Path
    separator: str
    decimal: str
    encoding: str

    @property
    def name(self) -> str:
        """The name of the file, for messages."""
        return self.path.name

    def require_text(self) -> None:
        """Decode the whole file once, to say where it is not what it is said to be."""
        data = self.path.read_bytes()
        try:
            text = data.decode(self.encoding)
        except LookupError:
            raise ValueError(f"encoding={self.encoding!r} is unknown; examples are utf-8, latin-1 and cp1252") from None
        except UnicodeError as error:
            raise self._not_decoded(error, data) from None
        if "\0" in text:
            raise ValueError(f"{self.name} is not a text file; a spreadsheet must be saved as CSV first")
        if re.fullmatch(r"\ufeff*\s*", text):
            raise ValueError(f"{self.name} is empty")

    def _not_decoded(self, error: UnicodeError, data: bytes) -> ValueError:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            hint = "it looks like --encoding utf-16"
        elif b"\0" in data:
            hint = "it does not look like text: a spreadsheet must be saved as CSV first"
        else:
            hint = "an older program may have written it with --encoding latin-1"
        where = ""
        if isinstance(error, UnicodeDecodeError):
            where = f" at line {1 + data[: error.start].count(10)}"
        return ValueError(f"{self.name} is not {self.encoding}{where}; {hint}")

    def texts(self, **options: Any) -> Any:
        """Return the first rows, or all, as a frame of text; the header is its first row."""
        rows = options.pop("rows", None)
        with self._opened() as file:
            return self._read(file, header=None, nrows=rows and rows + 1, dtype=object, na_filter=False, **options)

    def columns(
        self, header: Sequence[str], wanted: Sequence[str], target: str
    ) -> tuple[dict[str, Column], pd.Categorical]:
        """Return the columns that are wanted besides the target, numbers or text, and the target, which is text."""
        options: dict[str, Any] = {"keep_default_na": False, "na_values": _AS_WRITTEN, "decimal": self.decimal}
        with self._opened() as file:
            frame = self._read(file, header=0, names=header, index_col=False, dtype={target: object}, **options)
        numbers = {name: frame[name].to_numpy(np.float64) for name in wanted if frame[name].dtype.kind in "iuf"}
        texts = {target: _as_text(frame[target])} if not frame[target].isna().any() else {}
        again = {header.index(name): name for name in wanted if name not in numbers and name not in texts}
        del frame
        if again:
            cells = self.texts(usecols=list(again))
            texts |= {name: _as_text(cells[place].iloc[1:]) for place, name in again.items()}
        labels, found = texts.pop(target), {**numbers, **texts}
        kept = {name: found[name] for name in wanted if name != target}
        return {name: numbers_or_text(column, name, self.decimal) for name, column in kept.items()}, labels

    def require_whole(self, name: str, column: Column, way_out: str = "") -> None:
        """Refuse missing values."""
        missing = pd.isna(column)
        if missing.any():
            row = int(missing.argmax())
            written = self._written(row, name)
            said = written and f" ({written!r})"
            raise ValueError(f"row {row + 1}, column {name!r}: the value is missing{said}; {_ROWS}{way_out}")

    def require_finite(self, name: str, numbers: NDArray[np.float64]) -> None:
        """Refuse what is infinite."""
        infinite = np.isinf(numbers)
        if infinite.any():
            row = int(infinite.argmax())
            raise ValueError(
                f"row {row + 1}, column {name!r}: {self._written(row, name)!r} is not a finite number; {_ROWS}"
            )

    def _written(self, row: int, name: str) -> str:
        """Return one value of the table as it is written."""
        place = [cell.strip() for cell in self.texts(rows=1).iloc[0]].index(name)
        return str(self.texts(rows=row + 1, usecols=[place])[place].iloc[-1]).strip()

    def _opened(self) -> TextIO:
        codec = codecs.lookup(self.encoding).name
        return self.path.open(encoding="utf-8-sig" if codec == "utf-8" else codec, newline="")

    def _read(self, file: TextIO, **options: Any) -> Any:
        try:
            return pd.read_csv(file, sep=self.separator, skipinitialspace=True, **options)
        except pd.errors.ParserError as error:
            reason = str(error)
            if ragged := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", reason):
                expected, line, seen = ragged.groups()
                reason = f"line {line} of the file has {seen} values, and the header has {expected} columns"
            elif "EOF inside string" in reason:
                reason = "a quotation mark is opened and never closed"
            raise ValueError(f"{self.name}: {reason.splitlines()[0]}") from None


def as_separator(separator: str, decimal: str) -> str:
    """Return the separator as one character other than the decimal mark."""
    separator = {"tab": "\t", "\\t": "\t"}.get(separator, separator)
    if len(separator) != 1:
        raise ValueError(f"separator={separator!r} must be a single character, or 'tab'")
    if decimal not in (".", ","):
        raise ValueError(f"decimal={decimal!r} must be '.' or ','")
    if decimal == separator:
        raise ValueError(f"{decimal!r} cannot be both the decimal mark and the separator; give another --separator")
    return separator


def numbers_or_text(text: Column, column: str, decimal: str) -> Column:
    """Return what is written in a column as numbers, if all of it is."""
    if not isinstance(text, pd.Categorical):
        return text
    numbers = as_numbers(text, decimal)
    is_text = np.isnan(numbers)
    if not len(numbers) or not is_text.any():
        return np.array([*numbers, np.nan])[text.codes]
    row = _first_row(text, is_text)
    value = text[row]
    _require_no_other_decimal(value, row, column, decimal)
    if not is_text.all():
        number = _first_row(text, ~is_text)
        raise ValueError(
            f"column {column!r} mixes numbers and text: row {row + 1} has {value!r} and "
            f"row {number + 1} {text[number]!r}; {_ROWS}"
        )
    return text


def as_numbers(text: pd.Categorical, decimal: str) -> NDArray[np.float64]:
    """Return each distinct text as a number, NaN where it is none."""
    written = pd.Series(text.categories, dtype=object)
    if decimal == "," and len(written):
        # A point would be read as well, and 1.234 means something else where the comma is the decimal mark.
        written = written.where(~written.str.contains(".", regex=False), "text").str.replace(",", ".", regex=False)
    numbers: NDArray[np.float64] = pd.to_numeric(written, errors="coerce").to_numpy(dtype=np.float64)
    return numbers


def _require_no_other_decimal(value: str, row: int, column: str, decimal: str) -> None:
    """Refuse 5,1 where 5.1 is a number, and the other way round, instead of taking it for a category."""
    other = "," if decimal == "." else "."
    mark, foreign = re.escape(decimal), re.escape(other)
    if re.fullmatch(rf"[+-]?[\d{mark}]*{foreign}\d[\d{mark}{foreign}]*([eE][+-]?\d+)?", value):
        raise ValueError(
            f"row {row + 1}, column {column!r}: {value!r} is not a number with the decimal mark {decimal!r}; "
            f"if {other!r} is the decimal mark, use --decimal '{other}' ({_ROWS})"
        )
