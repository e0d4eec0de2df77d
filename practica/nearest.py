"""The known names that look most like an unknown one."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from typing import Any

MOST = 8  # names in a list that does not have all


def nearest(
    word: str,
    known: Iterable[Any],
    *,
    alike: float = 0.6,
    plain: Callable[[str], str] = str.casefold,
) -> list[Any]:
    """Return the known name that looks most like the word, in a list, which is empty without any.

    `alike`: the least similarity, in [0, 1].
    `plain`: how the names are written to compare them.

    >>> nearest("Acuracy", ["accuracy", "hold_out"]), nearest("x", ["accuracy"])
    (['accuracy'], [])
    """
    names = {plain(str(name)): name for name in known}
    return [names[each] for each in difflib.get_close_matches(plain(word), names, 1, alike)]


def closest(word: object, known: Iterable[Any], what: str | None = None) -> str:
    """Return the end of an error on an unknown word: the most similar known name, or all names.

    `what`: a noun for the names, such as "its functions", of which the first are listed; without
        it, all are; if it is empty, none.

    >>> names = ["accuracy", "hold_out"]
    >>> closest("acuracy", names), closest("x", names, "the rows"), closest("x", names, "")
    ("; did you mean 'accuracy'?", "; the rows are 'accuracy', 'hold_out'", '')
    """
    names = [*dict.fromkeys(known)]
    if similar := nearest(word, names) if isinstance(word, str) else []:
        return f"; did you mean {similar[0]!r}?"
    if what is None:
        return f"; it must be one of {names}"
    more = ", ..." if len(names) > MOST else ""
    return what and f"; {what} are {', '.join(map(repr, names[:MOST]))}{more}"
