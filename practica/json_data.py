"""Values with types from JSON, and text and numbers that JSON, and every file in UTF-8, can hold."""

from __future__ import annotations

import dataclasses
import functools
import math
import types
import unicodedata
from collections.abc import Mapping
from typing import Any, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints, overload

Facts: TypeAlias = Mapping[str, object]
"""What fills the places of a sentence, by the names of the places."""

LARGEST = 2**53  # a whole number that every reader of JSON knows
UNSEEN = frozenset(["Cc", "Cf", "Cs", "Zl", "Zp"])  # categories of characters
Value = TypeVar("Value")


def parsed(kind: type[Value], data: Mapping[str, Any]) -> Value:
    """Make a dataclass, and those in its fields, of what `dataclasses.asdict` and JSON made of it.

    `kind`: its fields are numbers, texts, mappings, dataclasses, tuples of these, and None.
    `data`: checked before. What the dataclass has no field for is left out.

    >>> @dataclasses.dataclass(frozen=True)
    ... class Pair:
    ...     name: str
    ...     places: tuple[int, ...] = ()
    >>> parsed(Pair, {"name": "a", "places": [1, 2], "other": 3})
    Pair(name='a', places=(1, 2))
    """
    hints = _hints(kind)  # type: ignore[arg-type]
    return kind(**{name: _value(hints[name], value) for name, value in data.items() if name in hints})


@functools.cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _value(kind: Any, value: Any) -> Any:
    if value is None:
        return None
    if dataclasses.is_dataclass(kind):
        return parsed(kind, value)  # type: ignore[arg-type]
    inner = [each for each in get_args(kind) if each not in (types.NoneType, ...)]
    if get_origin(kind) in (types.UnionType, Union):
        return _value(inner[0], value)
    return tuple(_value(inner[0], each) for each in value) if get_origin(kind) is tuple else value


@overload
def plain(value: str) -> str: ...
@overload
def plain(value: Mapping[Any, Any]) -> dict[str, object]: ...
@overload
def plain(value: object) -> object: ...
def plain(value: object) -> object:
    r"""Return data as JSON, and every file in UTF-8, can hold it.

    `value`: anything else becomes text.
    Returned `data`: invisible characters from outside (lone surrogates, controls, marks of direction, spaces without
        width) are written out as Python writes them; line ends and tabulators stay.

    >>> print(plain({"name": "a\ud800\u202e\0", "lines": (3, 4)}))
    {'name': 'a\\ud800\\u202e\\x00', 'lines': [3, 4]}
    """
    match value:
        case str():
            return value if value.isprintable() else "".join(map(_harmless, value))
        case None | bool():
            return value
        case int() if abs(value) <= LARGEST:
            return value
        case float() if math.isfinite(value):
            return value
        case Mapping():
            return {plain(str(name)): plain(item) for name, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
    return plain(f"{value:#x}" if isinstance(value, int) else str(value))


def _harmless(character: str) -> str:
    unseen = character not in "\t\n\r" and unicodedata.category(character) in UNSEEN
    return ascii(character)[1:-1] if unseen else character
