"""Known mistakes of the normalization parameters, and of the functions that normalize: wrong ways
of their oracles.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from practica.assignment.normalization import MEAN_STD, MIN_MAX, NORMALIZERS, normalized, parameters
from practica.engine.framework import RIGHT
from practica.engine.known_mistakes import Seen, imitates, sign
from practica.engine.rendering import close

MANY = 10  # columns by which an amount is known
OF_BOTH = "whole|number rows|vector|row vectors columns exchanged sorts"
imitates(MIN_MAX, "parameters", f"{OF_BOTH} whole:mean|deviation range")(partial(parameters, False))
imitates(MEAN_STD, "parameters", f"population variance {OF_BOTH} whole:mean|deviation median")(
    partial(parameters, True)
)

EITHER_WAY = """
    ignores_given exchanged changes_given|minimum|added whole rows no_shift precedence
    constant_spreads constant_divides_by_0 constant_shifted constant_kept constant_one
    constant_of_data|shifted almost_constant epsilon|1e-3 formula:multiplies|adds|no_scale
    one_given:first|second
"""
SCALES = {
    False: "by_maximum|guarded by_minimum from_minus_one zero_mean formula:reversed",
    True: "population variance min_max|range|formula",
}  # of zero mean or not
# of those in place or not
PLACES = {
    False: "modifies|and_copies unchanged|but_the_original",
    True: "not_in_place returns_copy unchanged",
}
for _row, (_zero_mean, _in_place) in NORMALIZERS.items():
    _mistakes = f"{EITHER_WAY} {SCALES[_zero_mean]} {PLACES[_in_place]}"
    imitates(_row, "normalize", _mistakes)(partial(normalized, _zero_mean, _in_place))


for _row in (MIN_MAX, MEAN_STD):

    @sign("parameters.one_other", _row, last=True)
    def only_one_of_both_is_another(seen: Seen) -> dict[str, int] | bool | None:
        """Return which of the two parameters is wrong, if only one of them is."""
        value, right = seen.answer.value, None if seen.right is None else seen.right.value
        if (
            right is None
            or seen.answer.error is not None
            or not isinstance(value, tuple | list)
            or len(value) != 2
        ):
            return None
        same = [close(one, other) for one, other in zip(value, right, strict=True)]
        if all(same) or not any(same):
            return None if all(same) else False
        return {"position": same.index(False) + 1}


@sign("parameters.deviation", MEAN_STD)
def only_the_second_is_another(seen: Seen) -> bool | None:
    """Return whether the mean is right, and the deviation has its form and other values."""
    value, right = seen.answer.value, None if seen.right is None else seen.right.value
    if (
        right is None
        or seen.answer.error is not None
        or not isinstance(value, tuple | list)
        or len(value) != 2
    ):
        return None
    same = [close(one, other) for one, other in zip(value, right, strict=True)]
    return None if all(same) else same == [True, False] and np.shape(value[1]) == np.shape(right[1])


def _constant_columns(seen: Seen) -> Any:
    """Return a mask of the columns that are 0 in the right result."""
    return (np.asarray(seen.right.value) == 0).all(axis=0) if seen.right else None


def _compared(zero_mean: bool, seen: Seen) -> list[tuple[Any, Any, Any, Any, Any]] | None:
    """Return of each column that is not constant: the data, both parameters, what was obtained and
    what is right.

    None where the result is of another form.
    """
    value, right = seen.answer.value, None if seen.right is None else seen.right.value
    dataset, *given = seen.given
    if (
        right is None
        or not isinstance(value, np.ndarray)
        or value.shape != np.shape(right)
        or value.dtype == bool
    ):
        return None
    first, second = (given and given[0]) or parameters(zero_mean, RIGHT, dataset)
    scale = np.ravel(second if zero_mean else second - first)
    columns = zip(dataset.T, np.ravel(first), np.ravel(second), value.T, right.T, strict=True)
    return [column for column, width in zip(columns, scale, strict=True) if width > 0]


def _values(seen: Seen) -> tuple[Any, Any] | None:
    """Return what was obtained and what is right, in vectors of one size.

    None where the result is of another form.
    """
    value: Any = seen.answer.value
    right: Any = None if seen.right is None else seen.right.value
    if (
        not isinstance(value, np.ndarray)
        or value.shape != np.shape(right)
        or value.dtype.kind != "f"
    ):
        return None
    return (value.ravel(), np.ravel(right)) if np.isfinite(value).all() else None


def _register_formulas(row: str, zero_mean: bool) -> None:
    @sign("normalize.epsilon", row, together=True)
    def the_same_amount_is_added_to_all_divisors(seen: Sequence[Seen]) -> bool:
        added = []
        for data, first, second, obtained, _ in itertools.chain.from_iterable(
            _compared(zero_mean, one) or [] for one in seen
        ):
            moved = np.asarray(data, dtype=float) - first
            large = (abs(moved) > 0.1) & (obtained != 0)
            added += (
                moved[large] / obtained[large] - (second if zero_mean else second - first)
            ).tolist()
        return (
            len(added) > MANY
            and min(added) > 1e-7
            and max(added) < 0.2
            and float(np.ptp(added)) < 1e-3 * max(added)
        )

    @sign("normalize.clipped", row, together=True)
    def beyond_two_limits_it_is_the_limit(seen: Sequence[Seen]) -> dict[str, float] | bool:
        """Return the least and the largest value, if what is right lies between them or is replaced
        by them.
        """
        pairs = [_values(one) for one in seen if one.right and one.answer.error is None]
        if not pairs or None in pairs:
            return False
        obtained, right = (
            np.concatenate(values) for values in zip(*filter(None, pairs), strict=True)
        )
        known = np.isfinite(right)
        least, most = (float(value) for value in (np.min(obtained), np.max(obtained)))
        beyond = (right[known] < least - 1e-3).sum() + (right[known] > most + 1e-3).sum()
        is_so = beyond > 1 and close(obtained[known], np.clip(right[known], least, most))
        return {"least": least, "most": most} if is_so else False

    @sign("normalize.other_parameters", row, last=True, together=True)
    def only_its_own_parameters_are_others(seen: Sequence[Seen]) -> bool:
        """Return whether the function is right with given parameters and wrong with its own."""
        own = [one.agrees for one in seen if len(one.args) + len(one.kwargs) == 1 and one.right]
        given = [one.agrees for one in seen if len(one.args) + len(one.kwargs) == 2 and one.right]
        return all(given) and len(given) > 1 and not all(own)

    @sign("normalize.formula", row, last=True, together=True)
    def another_formula_of_the_given_parameters(seen: Sequence[Seen]) -> bool:
        """Return whether, with given parameters, other values are computed, and the form is right
        everywhere.
        """
        given = [one for one in seen if len(one.args) + len(one.kwargs) == 2 and one.right]
        columns = [_compared(zero_mean, one) for one in given]
        wrong = [
            not close(obtained, right, 1e-3)
            for of_call in columns
            for data, *_, obtained, right in of_call or ()
            if np.ptp(data) > 0
        ]
        return None not in columns and sum(wrong) > 1


for _row, (_zero_mean, _) in NORMALIZERS.items():
    _register_formulas(_row, _zero_mean)

    @sign("normalize.constant_other", _row)
    def only_constant_columns_are_others(seen: Seen) -> bool | None:
        """Return whether only the columns that should be 0 are wrong."""
        value = seen.answer.value
        if (
            seen.agrees
            or seen.right is None
            or seen.answer.error is not None
            or not isinstance(value, np.ndarray)
        ):
            return None
        constant, right = _constant_columns(seen), np.asarray(seen.right.value)
        if value.shape != right.shape or not constant.any():
            return False
        return close(value[:, ~constant], right[:, ~constant]) and not close(value, right)
