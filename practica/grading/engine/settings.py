"""Settings of a TOML file: values of the right type, or an error with the line of the key."""

from __future__ import annotations

import bisect
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

from practica.nearest import closest

MOST_POINTS = 1_000_000  # of a row: far above any scale, and exact to a hundredth in a float
ENDINGS = ("", "]", "]]", "}]", "'''", '"""')  # what ends what a line may leave open


class RubricError(ValueError):
    """A rubric that cannot be used, with the line and the reason.

    `line`: None if the reason is in no line of the file.
    """

    def __init__(self, reason: str, line: int | None = None, file: str = "rubric") -> None:
        super().__init__(f"{file}, line {line}: {reason}" if line else f"{file}: {reason}")
        self.reason, self.line = reason, line


def read_table(content: bytes) -> Section:
    """Read the content of a TOML file as a table.

    Raises `RubricError` if it is not TOML in UTF-8.
    """
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise RubricError(f"byte 0x{content[error.start]:02x} is not UTF-8", line) from None
    try:
        document = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column (\d+)\)$", str(error))
        reason = re.sub(r" \(at .*\)$", "", str(error))
        raise RubricError(
            f"{reason} (not TOML)", int(place[1]) if place else text.count("\n") + 1
        ) from None
    except RecursionError:
        raise RubricError("lists are too deep in each other (not TOML)", 1) from None
    return Section(document, (), text)


class Section:
    """A table of a TOML file: a value of the wrong type raises a RubricError with the line."""

    def __init__(self, values: Mapping[str, Any], path: tuple[str | int, ...], text: str) -> None:
        self._values, self._path, self._text = values, path, text
        self._seen: set[str] = set()

    def __iter__(self) -> Iterator[str]:
        self._seen.update(self._values)
        return iter(self._values)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def inherit(self, other: Section, *, without: Collection[str]) -> None:
        """Add the settings of another table that this one lacks, except those `without`."""
        self._values = _merged(
            {key: value for key, value in other._values.items() if key not in without}, self._values
        )

    def error(self, key: str | None, reason: str, *element: int) -> RubricError:
        """Return an error with the line of a key, or of an element of its list; with None as the
        key, that of the table.
        """
        path = self._path if key is None else (*self._path, key, *element)
        return RubricError(reason, _line_of(self._text, path))

    def _value(self, key: str, default: Any, kind: type | tuple[type, ...], expected: str) -> Any:
        self._seen.add(key)
        if key not in self._values:
            if default is ...:
                place = ".".join(map(str, self._path)) or "the rubric"
                raise self.error(None, f"{key} is missing in {place}")
            return default
        value = self._values[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.error(key, f"{key} = {_shown(value)} must be {expected}")
        return value

    def text(self, key: str, default: Any = ...) -> str:
        """Return the text of a key, or `default` if the key is missing; without a default it must
        be there.
        """
        return self._value(key, default, str, "a text in quotes")

    def integer(self, key: str, default: int | None) -> int | None:
        """Return the integer of a key, which is not negative, or `default` if the key is
        missing.
        """
        value = self._value(key, default, int, "an integer")
        if value is not None and value < 0:
            raise self.error(key, f"{key} = {value} must not be negative")
        return value

    def flag(self, key: str) -> bool:
        """Return whether a key is set to true; False if the key is missing."""
        self._seen.add(key)
        value = self._values.get(key, False)
        if not isinstance(value, bool):
            raise self.error(key, f"{key} = {_shown(value)} must be true or false")
        return value

    def decimal(self, key: str, default: Any = ...) -> Decimal:
        """Return the number of points of a key, or `default` if the key is missing; without a
        default it must be there.
        """
        value = self._value(key, default, (int, Decimal), "a number")
        number = Decimal(value)
        if not number.is_finite() or not 0 <= number <= MOST_POINTS:
            raise self.error(
                key, f"{key} = {number:.9g} must be a number of points, from 0 to {MOST_POINTS}"
            )
        if number != round(number, 2):
            raise self.error(key, f"{key} = {number} has more than two decimals")
        return round(number, 2)

    def choice(self, key: str, options: Collection[str], default: str) -> str:
        """Return the text of a key, which must be one of the options, or `default` if the key is
        missing.
        """
        value = self.text(key, default)
        if value not in options:
            reason = (
                f"{key} = {value!r} must be"
                f" {', '.join(map(repr, options))}{closest(value, options, '')}"
            )
            raise self.error(key, reason)
        return value

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the list of strings of a key, or `default` if the key is missing."""
        value = self._value(key, list(default), list, "a list of texts")
        for index, element in enumerate(value):
            if not isinstance(element, str) or not element:
                raise self.error(
                    key, f"{key} must be a list of texts, and {_shown(element)} is none", index
                )
        return tuple(value)

    def table(self, key: str) -> Section:
        """Return the table of a key; an empty one if the key is missing."""
        return Section(self._value(key, {}, dict, "a table"), (*self._path, key), self._text)

    def tables(self, key: str) -> list[Section]:
        """Return the list of tables of a key; an empty one if the key is missing."""
        values = self._value(key, [], list, "a list of tables")
        for value in values:
            if not isinstance(value, dict):
                raise self.error(
                    key, f"{key} must be a list of tables, and {_shown(value)} is none"
                )
        return [
            Section(value, (*self._path, key, index), self._text)
            for index, value in enumerate(values)
        ]

    def nothing_else(self) -> None:
        """Raise `RubricError` if the table has a key that was not read."""
        for key in self._values:
            if key not in self._seen:
                raise self.error(key, f"there is no setting {key!r}{closest(key, self._seen, '')}")


def _merged(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of `base`, replaced by those in `own`, table by table."""
    merged = dict(base)
    for key, value in own.items():
        tables = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = _merged(base[key], value) if tables else value
    return merged


def _shown(value: Any) -> str:
    text = str(value) if isinstance(value, Decimal) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _line_of(text: str, path: Sequence[str | int]) -> int | None:
    """Return the line of a key, table or list element, or of the innermost table or list around it
    that is in the text; None if there is none. tomllib gives only the lines of syntax errors.
    """
    lines = text.split("\n")

    def is_there(count: int) -> bool:
        """Return whether a key is already defined by the first lines of the file, with open
        brackets closed.
        """
        for ending in ENDINGS:
            with suppress(tomllib.TOMLDecodeError, LookupError, TypeError):
                value: Any = tomllib.loads("\n".join([*lines[:count], ending]))
                for step in path:
                    value = value[step]
                return True
        return False

    while path and not is_there(len(lines)):
        path = path[:-1]
    return 1 + bisect.bisect_left(range(1, len(lines)), True, key=is_there) if path else None
