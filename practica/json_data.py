"""Text and numbers that JSON, and every file in UTF-8, can hold, and text that can be seen."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypeAlias, overload

Facts: TypeAlias = Mapping[str, Any]
"""What fills the places of a sentence, by the names of the places."""

LARGEST = 2**53  # a whole number that every reader of JSON knows
UNSEEN = frozenset(["Cc", "Cf", "Cs", "Zl", "Zp"])  # categories of characters


@overload
def plain(value: str) -> str: ...
@overload
def plain(value: Mapping[Any, Any]) -> dict[str, object]: ...
@overload
def plain(value: object) -> object: ...
def plain(value: object) -> object:
    r"""Return data as JSON, and every file in UTF-8, can hold it.

    `value`: a value that JSON does not know becomes text.
    Returned `data`: invisible characters from outside (lone surrogates, controls, marks of
        direction, spaces without width) are written out as Python writes them; line ends and
        tabulators stay.

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


def exact(number: float) -> Decimal:
    """Return the decimal number that JSON writes for a float: points are compared by it.

    >>> exact(0.3) == Decimal("0.30"), Decimal("0.30") <= 0.3
    (True, False)
    """
    return Decimal(repr(float(number)))


def visible(text: str, kept: str = "\n\t") -> str:
    r"""Write what cannot be seen, or moves what can, as Python writes it: control and bidirectional
    characters, NUL.

    Line ends and tabulators are kept; `kept` is "" if the text must not pass for two lines of ours.

    >>> visible("año\u202e\0")
    'año\\u202e\\x00'
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() or character in kept else ascii(character)[1:-1]
        for character in text
    )


def shortened(text: str, most: int) -> str:
    """Return text of at most `most` characters: longer text is cut, and ends in "…".

    >>> shortened("2 loops", 7), shortened("2 loops", 3)
    ('2 loops', '2…')
    """
    return text if len(text) <= most else f"{text[: max(most - 1, 0)].rstrip()}…"
