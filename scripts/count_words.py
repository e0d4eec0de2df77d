#!/usr/bin/env python3
"""Count the words that students read: of the statement, before its first function and in all, and
of the installation.

    $ .venv/bin/python scripts/count_words.py

A word is a run of letters; the code of the examples counts, addresses of links do not.
"""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["words"]

FOLDER = Path(__file__).resolve().parent.parent / "enunciado"
FIRST = "### `one_hot_encoding`"


def words(text: str) -> int:
    """Return the number of words that a text of Markdown shows.

    Examples
    --------
    >>> words("See the [rules](#all-the-rules), `a_b` and 0.5")
    6
    """
    return len(re.findall(r"[^\W\d_]+", re.sub(r"\]\([^)]*\)", "]", text)))


def main() -> None:
    """Print the numbers for each language."""
    for name, beside in (
        ("enunciado.md", "instalacion.md"),
        ("statement.en.md", "installation.md"),
    ):
        text, apart = ((FOLDER / each).read_text(encoding="utf-8") for each in (name, beside))
        before = words(text.partition(FIRST)[0])
        print(
            f"{name}: {before} words before the first function, {words(text)} in all; {beside}:"
            f" {words(apart)}"
        )


if __name__ == "__main__":
    main()
