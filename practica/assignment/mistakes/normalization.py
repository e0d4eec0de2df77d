"""Known mistakes of the normalization parameters, and of the functions that normalize: wrong ways of their oracles."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from practica.assignment.normalization import MEAN_STD, MIN_MAX, NORMALIZERS, normalized, parameters
from practica.engine.known_mistakes import Seen, imitates, sign
from practica.engine.rendering import close

OF_BOTH = "whole whole:number rows rows:vector rows:row vectors columns exchanged sorts"
imitates(MIN_MAX, "parameters", f"{OF_BOTH} whole:mean whole:deviation range")(partial(parameters, False))
imitates(MEAN_STD, "parameters", f"population variance {OF_BOTH} whole:mean whole:deviation median")(
    partial(parameters, True)
)

EITHER_WAY = """
    ignores_given exchanged changes_given changes_given:minimum changes_given:added whole rows no_shift precedence
    constant_divides_by_0 constant_shifted constant_kept constant_one constant_of_data
    almost_constant epsilon epsilon:1e-3 formula:multiplies formula:adds formula:no_scale
"""
SCALES = {
    False: "by_maximum by_maximum:guarded by_minimum clipped from_minus_one zero_mean formula:reversed",
    True: "population variance min_max min_max:range min_max:formula",
}  # of zero mean or not
PLACES = {False: "modifies modifies:and_copies", True: "not_in_place returns_copy"}  # of those in place or not
for _row, (_zero_mean, _in_place) in NORMALIZERS.items():
    _mistakes = f"{EITHER_WAY} {SCALES[_zero_mean]} {PLACES[_in_place]}"
    imitates(_row, "normalize", _mistakes)(partial(normalized, _zero_mean, _in_place))


@sign("parameters.deviation", MEAN_STD)
def only_the_second_is_another(seen: Seen) -> bool | None:
    """Return whether the mean is right, and the deviation has its form and other values."""
    value, right = seen.answer.value, None if seen.right is None else seen.right.value
    if right is None or seen.answer.error is not None or not isinstance(value, tuple | list) or len(value) != 2:
        return None
    same = [close(one, other) for one, other in zip(value, right, strict=True)]
    return None if all(same) else same == [True, False] and np.shape(value[1]) == np.shape(right[1])


def _constant_columns(seen: Seen) -> Any:
    """Return which columns right code leaves at 0."""
    return (np.asarray(seen.right.value) == 0).all(axis=0) if seen.right else None


for _row in NORMALIZERS:

    @sign("normalize.constant_other", _row)
    def only_constant_columns_are_others(seen: Seen) -> bool | None:
        """Return whether all is right but the columns that should be 0."""
        value = seen.answer.value
        if seen.agrees or seen.right is None or seen.answer.error is not None or not isinstance(value, np.ndarray):
            return None
        constant, right = _constant_columns(seen), np.asarray(seen.right.value)
        if value.shape != right.shape or not constant.any():
            return False
        return close(value[:, ~constant], right[:, ~constant]) and not close(value, right)
