"""The places of a statement: how its headings are linked to."""

from __future__ import annotations

import re


def anchor(heading: str) -> str:
    """Return the anchor that GitHub gives to a heading.

    >>> anchor("`hold_out` · 0.10 points")
    'hold_out--010-points'
    """
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def section_of(function: str, statement: str) -> str:
    r"""Return the anchor of the section that explains a function.

    Empty if no heading begins with it.

    >>> section_of("accuracy", "## Exercise 2\n\n### `accuracy` · 0.20 points\n")
    'accuracy--020-points'
    """
    heading = re.search(rf"^#+ (`{function}`.*)$", statement, flags=re.MULTILINE)
    return "" if heading is None else anchor(heading[1])
