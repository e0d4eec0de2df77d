"""The known names that look most like a name that nobody knows."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from typing import Any


def nearest(
    word: str,
    known: Iterable[Any],
    *,
    count: int = 1,
    alike: float = 0.6,
    plain: Callable[[str], str] = str.casefold,
) -> list[Any]:
    """Return at most `count` of the known names, the one that looks most like the word first.

    `alike`: the least similarity, in [0, 1].
    `plain`: how the names are written to compare them.

    >>> nearest("Acuracy", ["accuracy", "hold_out"]), nearest("x", ["accuracy"])
    (['accuracy'], [])
    """
    names = {plain(str(name)): name for name in known}
    return [names[each] for each in difflib.get_close_matches(plain(word), names, count, alike)]


def did_you_mean(word: object, known: Iterable[Any], *, count: int = 3) -> str:
    """Return the question with which an error on an unknown word ends, with at most `count` similar
    known names; empty without any.

    >>> did_you_mean("acuracy", ["accuracy", "hold_out"])
    "; did you mean 'accuracy'?"
    """
    names = nearest(word, known, count=count) if isinstance(word, str) else []
    return f"; did you mean {' or '.join(map(repr, names))}?" if names else ""
