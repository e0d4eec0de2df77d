#!/usr/bin/env python3
"""Count the words of the statement that its page shows: before the first function, and in all.

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
    """Print both numbers for each language."""
    for name in ("enunciado.md", "statement.en.md"):
        text = (FOLDER / name).read_text(encoding="utf-8")
        print(f"{name}: {words(text.partition(FIRST)[0])} words before the first function, {words(text)} in all")


if __name__ == "__main__":
    main()
