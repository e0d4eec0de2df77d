"""Known mistakes of the normalization parameters, and of the functions that normalize: wrong ways
of their oracles.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from practica.grading.assignment.normalization import (
    MEAN_STD,
    MIN_MAX,
    NORMALIZERS,
    normalized,
    parameters,
)
from practica.grading.engine.framework import RIGHT
from practica.grading.engine.known_mistakes import Parts, Seen, imitates, whole
from practica.grading.inside.plain_data import Answer


def _both(seen: Sequence[Seen], answers: Sequence[Answer]) -> Parts:
    """Return the parts of an answer, with each of the two parameters as a part of its own."""
    parts = whole(seen, answers)
    value = answers[0].value
    if not isinstance(value, tuple | list) or len(value) != 2:
        return parts
    return {**parts, "value": None, "first": value[0], "second": value[1]}


OF_BOTH = "whole rows|vector|row vectors columns exchanged sorts"
imitates(MIN_MAX, "parameters", f"{OF_BOTH} range", parts=_both)(partial(parameters, False))
imitates(
    MEAN_STD,
    "parameters",
    f"{OF_BOTH} whole:mean|deviation population variance median",
    parts=_both,
    only={"deviation": ["second"]},
)(partial(parameters, True))

EITHER_WAY = """
    ignores_given exchanged changes_given|minimum|added whole rows no_shift precedence
    constant_spreads constant_divides_by_0 constant_shifted constant_kept constant_one
    constant_of_data|shifted almost_constant epsilon|1e-3|1e-3_but_0
    multiplies adds no_scale one_given:first|second clipped|at_3
"""
SCALES = {
    False: """
        by_maximum|guarded by_minimum from_minus_one zero_mean reversed almost_constant:relative
    """,
    True: "population variance min_max|range|formula",
}  # by whether the mean becomes zero
# of those in place or not
PLACES = {
    False: "modifies|and_copies unchanged|but_the_original",
    True: "not_in_place returns_copy unchanged",
}


def _kind_of_call(zero_mean: bool, seen: Seen) -> tuple[int, bool]:
    """Return how many arguments a call has, and whether the scale of some column is 0; a mistake
    may be made in calls of one such kind only.
    """
    dataset, *given = seen.given
    first, second = given[0] if given else parameters(zero_mean, RIGHT, dataset)
    constant = np.asarray(second) == (0 if zero_mean else np.asarray(first))
    return len(seen.given), bool(constant.any())


for _row, (_zero_mean, _in_place) in NORMALIZERS.items():
    imitates(
        _row,
        "normalize",
        f"{EITHER_WAY} {SCALES[_zero_mean]} {PLACES[_in_place]}",
        kind=partial(_kind_of_call, _zero_mean),
        tolerance=1e-3,  # a small epsilon may be added to what is divided by
    )(partial(normalized, _zero_mean, _in_place))
