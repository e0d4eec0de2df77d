"""A mark at a glance: the functions side by side, as wide as their points or all alike, as high as
they are right.
"""

from __future__ import annotations

from collections.abc import Sequence

from practica.grading.engine.result import FunctionResult

# percent: it can be read without colours
HEIGHTS = {"pass": 100, "rule": 55, "fail": 40, "not_run": 22, "missing": 8, "manual": 70}
GAP = 0.3  # percent of the width, between two functions


def strip(functions: Sequence[FunctionResult], *, alike: bool = False) -> list[tuple[str, str]]:
    """Draw the functions as the paths of an SVG of 100 by 100 units.

    `alike`: whether all are as wide, regardless of their points.
    Returned `paths`: one path for each verdict that there is.

    >>> strip(
    ...     [FunctionResult("a", "a", 1, 1, 1, "pass"), FunctionResult("b", "b", 2, 0, 3, "fail")]
    ... )
    [('pass', 'M0 0h24.7v100h-24.7z'), ('fail', 'M25 60h74.7v40h-74.7z')]
    """
    weights = [1.0 if alike else function.max_points for function in functions]
    total = sum(weights) or 1.0
    paths: dict[str, str] = {}
    x = 0.0
    for function, weight in zip(functions, weights, strict=True):
        verdict, width = function.verdict, 100 * weight / total
        height, shown = HEIGHTS[verdict], f"{max(width - GAP, GAP):.4g}"
        piece = f"M{x:.4g} {100 - height}h{shown}v{height}h-{shown}z"
        paths[verdict] = paths.get(verdict, "") + piece
        x += width
    return list(paths.items())
