"""Numbers as they are written in the cells of a column: with marks between thousands, and with
their unit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from practica.reference.arguments import Array, Bools, Floats

ROWS = "rows are counted from 1 below the header"

# A column: numbers, or text as categories in order of first appearance; what is missing is NaN, or
# of none of them.
Column: TypeAlias = "Floats | pd.Categorical"


_OTHER = {".": ",", ",": "."}  # decimal marks
# between thousands, besides the mark that is not the decimal one
_MARKS = (" ", "'", "\u00a0", "\u202f")
# of which several in one column are a mistake: 1a and 1b may be classes of a school
_UNITS = re.compile(
    r"(?i)([kcmnuµd]?m|mi|mile|yd|ft|foot|feet|in|inch)[²2]?|ha|[kmuµ]?g|t|lb|oz|[mcdh]?l|gal|"
    r"d|day|h|hr|hour|min|minute|s|sec|second|[mu]s|wk|week|month|yr|year|%|‰|k|mn|bn|[kmgt]b|€|\$|£|¥|eur|usd|gbp|"
    r"[kmg]?hz|kw|mv|k?cal|kj|[kh]?pa|m?bar|psi|°[cfk]|bpm|mph|km/h|m/s|ppm|ppb"
)
_QUANTITY = re.compile(
    r"(?P<sign>[+\-\u2212]?)\s*"
    r"(?P<before>[$€£¥₹₽₩₺¢]|[A-Z]{1,3}\$|(?:USD|EUR|GBP|CHF|JPY|CNY|INR|MXN|BRL|SEK|NOK|DKK|PLN)\b|kr|Rs\.?)?\s*"
    r"(?P<sign_after>[+\-\u2212]?)"
    r"(?P<number>(?:\d(?:[\d.,' \u00a0\u202f]*\d)?|[.,]\d+)(?:[eE][+-]?\d+)?)\s*"
    r"(?P<after>(?:[^\W\d_]|[%‰°\"'€$£¥¢µΩ²³″′])[^\d]{0,14}[23]?)?"
)


_MOST_WORDS = 8  # that an error lists as options
_POWER = re.compile(r"\d+[eE]\d+")  # a number, and a code among codes such as 2F3
_CODE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[0-9A-Za-z]+")


class Quantity(NamedTuple):
    """A number and its unit, both as they are written."""

    number: str
    unit: str


def quantity_of(text: str) -> Quantity | None:
    """Return the number and the unit that a string consists of; None for other strings, such as
    codes.

    >>> quantity_of("$1,234.50"), quantity_of("-3 km"), quantity_of("p3"), quantity_of("007 m")
    (Quantity(number='1,234.50', unit='$'), Quantity(number='-3', unit='km'), None, None)
    """
    found = _QUANTITY.fullmatch(text)
    if found is None or re.match(r"0\d", found["number"]):
        return None
    signs = found["sign"] + found["sign_after"]
    unit = " ".join(part.strip() for part in (found["before"], found["after"]) if part)
    return (
        Quantity(("-" if signs in ("-", "\u2212") else "") + found["number"], unit)
        if len(signs) < 2
        else None
    )


def _first_row(text: pd.Categorical, wanted: Bools) -> int:
    """Return the first row, from 0, with one of the categories that a mask selects."""
    return int(np.isin(text.codes, np.flatnonzero(wanted)).argmax())


def as_number(text: object) -> float | None:
    """Return the number in a cell, with either decimal mark; None if the cell is not a number."""
    try:
        return float(str(text).strip().replace(",", "."))
    except ValueError:
        return None


def as_times(values: Array, column: str) -> Array:
    """Return numbers unchanged, and strings as dates; `ValueError` with the name of the `column`
    for strings that are not dates.
    """
    if values.dtype != object:
        return values
    try:
        return pd.to_datetime(values, format="ISO8601", utc=True).to_numpy()
    except ValueError:
        raise ValueError(
            f"column {column!r}: {values[0]!r} is neither a number nor a date such as 2024-01-31"
        ) from None


def way_out_of_dates(dates: pd.Categorical, column: str) -> str:
    """Return the end of an error on a column of dates: the options that help."""
    leave = f"--ignore '{column}'"
    with suppress(ValueError):
        as_times(np.asarray(dates), column)
        return f"--time '{column}' if their order matters, or {leave}"
    return leave


def numbers_or_text(
    text: Column,
    column: str,
    decimal: str,
    thousands: str | None = None,
    missing_words: Callable[[], Sequence[str]] = list,
) -> Column:
    """Return a column as numbers if all its cells are, with these marks, or else as text.

    `column` is its name in errors; `missing_words` returns what stands for a missing value in it.
    Raises `ValueError` if it mixes numbers and text, or its numbers have other marks or several
    units.
    """
    if not isinstance(text, pd.Categorical):
        return text
    numbers = as_numbers(text.categories, decimal, thousands)
    is_text = np.isnan(numbers)
    if not len(numbers) or not is_text.any():
        return np.array([*numbers, np.nan])[text.codes]
    row = _first_row(text, is_text)
    value = text[row]
    if (
        is_text.all()
        and (quantities := _without_unit(text, column, decimal, thousands)) is not None
    ):
        return np.array([*quantities, np.nan])[text.codes]
    words = text.categories[is_text]
    if all(map(_CODE.fullmatch, words)) and all(map(_POWER.fullmatch, text.categories[~is_text])):
        return text
    _require_no_other_mark(words, row, column, decimal)
    if not is_text.all():
        number, quantity = _first_row(text, ~is_text), quantity_of(value)
        what, leave = "and text", f"use --ignore '{column}'"
        if quantity is not None and quantity.unit:
            what = "with and without a unit"
            way_out = f"write {quantity.unit!r} in all rows or in none, or {leave}"
        elif len(words) > _MOST_WORDS:
            way_out = leave
        else:
            options = [f"--missing '{each}'" for each in (*words, *missing_words())]
            way_out = (
                f"if that is a missing value, use {' '.join(options)} --impute, or else {leave}"
            )
        raise ValueError(
            f"column {column!r} mixes numbers {what}: row {row + 1} has {value!r} and row"
            f" {number + 1} {text[number]!r}; {way_out} ({ROWS})"
        )
    return text


def thousands_note(cells: Iterable[str], column: str, decimal: str) -> str:
    """Return a note that the decimal marks in a column of numbers may be thousands marks; an empty
    one if some number shows that they are not.

    >>> thousands_note(["74.953", "105", "8.120"], "price", ".").partition("; ")[2]
    "if it is 74953, use --thousands '.' --decimal ','."
    >>> thousands_note(["74.953", "105", "8.12"], "price", ".")
    ''
    """
    own = re.escape(decimal)
    marked = [cell.strip() for cell in cells if decimal in cell]
    if not marked or not all(
        re.fullmatch(rf"[+-]?[1-9]\d{{0,2}}{own}\d{{3}}", cell) for cell in marked
    ):
        return ""
    return (
        f"column {column!r}: {marked[0]!r} is read with the decimal mark {decimal!r}; if it is"
        f" {marked[0].replace(decimal, '')}, use {_options(decimal, _OTHER[decimal])}."
    )


def _options(thousands: str, decimal: str | None = None) -> str:
    """Return the options for numbers with these marks."""
    written = '"\'"' if thousands == "'" else f"'{thousands}'"
    return f"--thousands {written}" + (f" --decimal '{decimal}'" if decimal else "")


def _without_unit(
    text: pd.Categorical, column: str, decimal: str, thousands: str | None
) -> Floats | None:
    """Return the numbers in strings that all have the same unit; None for other strings. `decimal`,
    `thousands`: their marks.
    """
    found = [quantity_of(str(value)) for value in text.categories]
    known = [quantity for quantity in found if quantity is not None]
    units = {_same_unit(quantity.unit): quantity.unit for quantity in known}
    if len(known) < len(found) or "" in units:
        return None
    if len(units) > 1:
        if all(map(_UNITS.fullmatch, units)):
            _refuse_units(text, column, [*units.values()])
        return None
    numbers = [quantity.number for quantity in known]
    if readings := [*_readings(numbers, decimal, thousands)]:
        if len(readings) == 1:
            return readings[0]
        row = _first_row(text, np.isnan(as_numbers(numbers, decimal, thousands)))
        _require_no_other_mark([numbers[text.codes[row]]], row, column, decimal)
    return None


def _same_unit(unit: str) -> str:
    """Return a unit without its plural and point, and in lower case if it has several letters: m
    and M differ.
    """
    return (
        unit.rstrip(".") if len(unit) < 2 else unit.casefold().rstrip(".").removesuffix("s") or unit
    )


def _refuse_units(text: pd.Categorical, column: str, units: Sequence[str]) -> None:
    rows = []
    for unit in units[:2]:
        has_it = [
            quantity is not None and quantity.unit == unit
            for quantity in map(quantity_of, text.categories)
        ]
        row = _first_row(text, np.array(has_it))
        rows.append(f"row {row + 1} has {text[row]!r}")
    raise ValueError(
        f"column {column!r} has numbers in several units: {' and '.join(rows)}; convert them to"
        f" one, or leave the column out with --ignore '{column}' ({ROWS})"
    )


def _readings(numbers: Sequence[str], decimal: str, thousands: str | None) -> Iterator[Floats]:
    """Yield the possible values of written numbers: those by the given marks if these suit all
    numbers, or else the values by every other meaning of the marks that does.
    """
    ways = [(decimal, thousands)]
    ways += [
        (mark, grouping)
        for mark in (decimal, _OTHER[decimal])
        for grouping in (_OTHER[mark], *_MARKS)
    ]
    seen = set()
    for place, (mark, grouping) in enumerate(ways):
        values = as_numbers(numbers, mark, grouping)
        if not np.isnan(values).any():
            if tuple(values) not in seen:
                seen.add(tuple(values))
                yield values
            if place == 0:
                return


def as_numbers(texts: Sequence[str], decimal: str, thousands: str | None = None) -> Floats:
    """Return each text as a number with the given decimal mark and mark of thousands, or NaN."""
    written = pd.Series(texts, dtype=object).map(lambda value: str(value).replace("\u2212", "-"))
    if thousands is not None and len(written):
        grouped = written.str.fullmatch(_grouped(thousands, decimal))
        written = written.where(~grouped, written.str.replace(thousands, "", regex=False))
    if decimal == "," and len(written):
        # A point would be read as well, and 1.234 means something else where the comma is the
        # decimal mark.
        written = written.where(~written.str.contains(".", regex=False), "text").str.replace(
            ",", ".", regex=False
        )
    numbers: Floats = pd.to_numeric(written, errors="coerce").to_numpy(dtype=np.float64)
    return numbers


def _grouped(mark: str, decimal: str) -> str:
    """Return a regular expression of numbers with a mark between groups of three digits, or as in
    India of two before the last three.
    """
    sign = re.escape(mark)
    groups = rf"\d{{1,3}}({sign}\d{{3}})+|\d{{1,2}}({sign}\d{{2}})+{sign}\d{{3}}"
    return rf"[+-]?({groups})({re.escape(decimal)}\d*)?"


def _require_no_other_mark(words: Sequence[str], row: int, column: str, decimal: str) -> None:
    """Refuse values such as 5,1 where the decimal mark is a point, or 1.234.567: they are no
    categories. The first of them is in this row.
    """
    value, other = words[0], _OTHER[decimal]
    where = f"row {row + 1}, column {column!r}: {value!r}"
    ways: list[tuple[str, str, str | None]]
    ways = [(mark, _grouped(mark, decimal), None) for mark in (other, *_MARKS)]
    swapped = _grouped(decimal, other)
    if all(re.fullmatch(swapped, word) for word in words):
        ways.append((decimal, swapped, other))
    for thousands, like, new in ways:
        if re.fullmatch(like, value):
            is_clear = thousands != other or value.count(other) > 1 or decimal in value
            small = f"; if it is {value.replace(other, '.')}, use --decimal '{other}'"
            raise ValueError(
                f"{where} has thousands marks: if it is {value.replace(thousands, '')}, use"
                f" {_options(thousands, new)}{'' if is_clear else small} ({ROWS})"
            )
    if re.fullmatch(rf"[+-]?[\d{re.escape(decimal)}]*{re.escape(other)}\d+([eE][+-]?\d+)?", value):
        raise ValueError(
            f"{where} is not a number with the decimal mark {decimal!r}; "
            f"if {other!r} is the decimal mark, use --decimal '{other}' ({ROWS})"
        )
