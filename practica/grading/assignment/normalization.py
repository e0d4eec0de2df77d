"""Exercise 2, the normalization parameters and the functions that normalize: oracles with wrong
ways, and checks.

An oracle computes what right code does; with one of its switches on, what a function with that
mistake does.
"""

from __future__ import annotations

from collections.abc import Set
from functools import partial
from typing import Any

import numpy as np

from practica.grading.assignment.accepted_forms import as_parameters, as_real_array
from practica.grading.assignment.cases import real_matrix, tall
from practica.grading.engine.drawing import Draw
from practica.grading.engine.framework import (
    RIGHT,
    helped_by,
    require,
    require_untouched,
    state,
    untouched,
)
from practica.grading.engine.helper_substitution import Part
from practica.grading.engine.rendering import TOLERANCE, close
from practica.grading.engine.solution import Solution, succeeded
from practica.grading.inside.plain_data import Answer, Floats

Matrix = Floats
MIN_MAX, MEAN_STD = (
    f"calculate_{each}_normalization_parameters" for each in ("min_max", "zero_mean")
)
NORMALIZERS = {  # zero mean or not, in place or not
    "normalize_min_max_": (False, True),
    "normalize_min_max": (False, False),
    "normalize_zero_mean_": (True, True),
    "normalize_zero_mean": (True, False),
}


# statistics of each
ROWS: dict[str, tuple[int, ...]] = {"rows": (-1, 1), "rows:vector": (-1,), "rows:row": (1, -1)}


# what is added to the divisors, of constant columns too or not
EPSILONS = {"epsilon": 1e-8, "epsilon:1e-3": 1e-3, "epsilon:1e-3_but_0": 1e-3}


# --- the oracles ----------------------------------------------------------------------------------


def parameters(zero_mean: bool, wrong: Set[str], dataset: Any) -> Any:
    """Oracle for the two functions that calculate parameters: return minimum and maximum of each
    column or, with `zero_mean`, mean and sample standard deviation, with the mistakes in `wrong`.
    """
    if "sorts" in wrong:
        dataset.sort(axis=0)

    axis: int | None = 0
    if "whole" in wrong:
        axis = None
    elif wrong & ROWS.keys():
        axis = 1
    pair = _statistics(zero_mean, wrong, dataset, axis)
    if "exchanged" in wrong:
        pair = pair[::-1]
    if wrong & {"whole", "whole:mean", "whole:deviation"}:
        pair = [np.broadcast_to(each, dataset.shape[1:]) for each in pair]
    shape: tuple[int, ...] = (1, -1)
    for mistake, other in {"vectors": (-1,), "columns": (-1, 1), **ROWS}.items():
        if mistake in wrong:
            shape = other
    return tuple(np.reshape(each, shape) for each in pair)


def _statistics(zero_mean: bool, wrong: Set[str], dataset: Any, axis: int | None) -> list[Any]:
    """Return the two statistics along an axis, with the mistakes in `wrong`; the deviation of equal
    values is exactly 0.
    """
    if not zero_mean:
        least, most = dataset.min(axis=axis), dataset.max(axis=axis)
        return [least, most - least if "range" in wrong else most]
    of_mean = None if "whole:mean" in wrong else axis
    mean = (np.median if "median" in wrong else np.mean)(dataset, axis=of_mean)
    if "whole:deviation" in wrong:
        axis = None
    spread = np.var if "variance" in wrong else np.std
    deviation = spread(dataset, axis=axis, ddof=0 if "population" in wrong else 1)
    if axis == 0:
        deviation = np.where(np.ptp(dataset, axis=axis) == 0, 0, deviation)
    return [mean, deviation]


def normalized(
    zero_mean: bool, in_place: bool, wrong: Set[str], dataset: Any, given: Any = None
) -> Any:
    """Oracle for the four functions that normalize: shift and scale each column of a dataset, to 0
    where the scale is 0.

    `zero_mean`: by mean and standard deviation, and not by minimum and maximum.
    `in_place`: whether the dataset itself changes, or a copy.
    `wrong`: the mistakes that are switched on.
    `given`: the two parameters; without them, those of the dataset.
    """
    first, second = (
        _own(wrong, zero_mean, dataset) if given is None or "ignores_given" in wrong else given
    )
    if wrong & {"one_given:first", "one_given:second"} and given is not None:
        own = _own(wrong, zero_mean, dataset)
        first, second = (own[0], second) if "one_given:second" in wrong else (first, own[1])
    if "exchanged" in wrong and given is not None:
        first, second = second, first
    result = _computed(
        wrong, zero_mean, np.array(dataset, dtype=float), np.asarray(first), np.asarray(second)
    )
    if wrong & {"unchanged", "unchanged:but_the_original"}:
        result, original = np.array(dataset, dtype=float), result
        if "unchanged:but_the_original" in wrong:
            dataset[...] = original
    if given is not None and wrong:
        _change(wrong, zero_mean, *given)
    if in_place and "not_in_place" in wrong:
        return result
    if in_place or wrong & {"modifies", "modifies:and_copies"}:
        dataset[...] = result
    returns_it = "returns_copy" not in wrong if in_place else "modifies" in wrong
    return dataset if returns_it else result


def _own(wrong: Set[str], zero_mean: bool, dataset: Any) -> tuple[Any, Any]:
    """Return the parameters that a function with the mistakes in `wrong` calculates from its
    data.
    """
    if wrong & {"min_max", "min_max:range", "min_max:formula"}:
        least, most = parameters(False, RIGHT, dataset)
        return least, most - least if "min_max:range" in wrong else most
    if "zero_mean" in wrong:
        return tuple(parameters(True, RIGHT, dataset))
    if wrong & {"whole", "rows"}:
        return parameters(zero_mean, wrong & {"whole", "rows"}, dataset)
    return parameters(zero_mean, wrong & {"population"}, dataset)


def _computed(wrong: Set[str], zero_mean: bool, data: Any, first: Any, second: Any) -> Any:
    """Return the data shifted and scaled by two parameters, with the mistakes in `wrong`."""
    by_range = "min_max:formula" in wrong if zero_mean else "zero_mean" not in wrong
    scale = second - first if by_range else second
    constant = np.broadcast_to(scale == 0, data.shape)
    if "constant_of_data" in wrong:
        constant = np.broadcast_to((data == data[:1]).all(axis=0), data.shape)
    if "almost_constant" in wrong:
        constant = np.broadcast_to(scale < 0.002, data.shape)
    if "almost_constant:relative" in wrong:
        constant = np.broadcast_to(np.isclose(first, second), data.shape)
    divisor = _divisor(wrong, scale, first, second, constant)
    if "constant_of_data:shifted" in wrong:  # what is divided by, the parameters say
        constant = np.broadcast_to((data == data[:1]).all(axis=0), data.shape)
    if wrong & {"epsilon", "epsilon:1e-3"}:
        constant = np.zeros(data.shape, dtype=bool)
    shift = _shift(wrong, first, second)
    result = data - shift / divisor if "precedence" in wrong else (data - shift) / divisor
    if "constant_spreads" in wrong:
        result = np.zeros_like(result) if constant.any() else result
    elif wrong & {"constant_kept", "constant_one"}:
        result = np.where(constant, 1.0 if "constant_one" in wrong else data, result)
    elif not wrong & {"constant_divides_by_0", "constant_shifted"}:
        result = np.where(constant, 0.0, result)
    if "from_minus_one" in wrong:
        return 2 * result - 1
    for mistake, limits in {"clipped": (0, 1), "clipped:at_3": (-3, 3)}.items():
        if mistake in wrong:
            result = np.clip(result, *limits)
    return result


def _divisor(wrong: Set[str], scale: Any, first: Any, second: Any, constant: Any) -> Any:
    """Return what the shifted columns are divided by, with the mistakes in `wrong`."""
    for mistake, other in {
        "variance": scale**2,
        "by_maximum": second,
        "by_maximum:guarded": np.where(second == 0, 1, second),
        "by_minimum": first,
    }.items():
        if mistake in wrong:
            scale = other
    for mistake, epsilon in EPSILONS.items():
        if mistake in wrong:
            return scale + epsilon
    divisor = scale if "constant_divides_by_0" in wrong else np.where(constant, 1.0, scale)
    if "multiplies" in wrong:
        return 1 / divisor
    return (
        np.ones_like(divisor)
        if "no_scale" in wrong
        else -divisor
        if "reversed" in wrong
        else divisor
    )


def _shift(wrong: Set[str], first: Any, second: Any) -> Any:
    """Return what is subtracted from the columns, with the mistakes in `wrong`."""
    if "no_shift" in wrong:
        return 0.0
    return second if "reversed" in wrong else -first if "adds" in wrong else first


def _change(wrong: Set[str], zero_mean: bool, first: Any, second: Any) -> None:
    """Change the given parameters as the mistakes in `wrong` do to avoid a division by 0."""
    constant = second == 0 if zero_mean else first == second
    if "changes_given" in wrong:
        second[constant] = 1
    if "changes_given:added" in wrong:
        second[constant] += 1
    if "changes_given:minimum" in wrong:
        first[constant] = 0


# What the functions that normalize in place do would be the whole answer of those that copy: nobody
# gets it right.
for _row, (_zero_mean, _) in NORMALIZERS.items():
    _right = partial(parameters, _zero_mean, RIGHT)
    _part = Part(
        lambda args, kwargs, right=_right: right(*map(np.asarray, [*args, *kwargs.values()]))
    )
    helped_by(_row, **{MEAN_STD if _zero_mean else MIN_MAX: _part})


# --- the parameters -------------------------------------------------------------------------------


def _require_parameters(
    name: str, places: tuple[int, ...], solution: Solution, dataset: Matrix
) -> None:
    """Require the form of both parameters that the function `name` returns, and the values of those
    at `places` (0, 1, both or none).
    """
    obtained = as_parameters(getattr(solution, name)(dataset), dataset.shape[1])
    expected = parameters(name == MEAN_STD, RIGHT, dataset)
    right = all(close(obtained[place], expected[place]) for place in places)
    facts = (
        [pair if len(places) > 1 else pair[places[0]] for pair in (expected, obtained)]
        if places
        else [None] * 2
    )
    require(right, expected=facts[0], obtained=facts[1])


def _require_data_kept(name: str, solution: Solution) -> None:
    untouched(solution, name, np.array([[3.0, 1.0], [1.0, 2.0], [2.0, 5.0]]))


_WIDE, _TALL = partial(real_matrix, min_columns=2), partial(tall, real_matrix)
_one_row = partial(tall, partial(real_matrix, min_rows=1))
state(f"{MIN_MAX}.shape", partial(_require_parameters, MIN_MAX, ()), 10, dataset=_WIDE)
state(f"{MIN_MAX}.values", partial(_require_parameters, MIN_MAX, (0, 1)), dataset=_one_row)
state(f"{MIN_MAX}.untouched", partial(_require_data_kept, MIN_MAX))
state(f"{MEAN_STD}.shape", partial(_require_parameters, MEAN_STD, ()), 10, dataset=_WIDE)
state(f"{MEAN_STD}.mean", partial(_require_parameters, MEAN_STD, (0,)), dataset=_TALL)
state(f"{MEAN_STD}.std", partial(_require_parameters, MEAN_STD, (1,)), dataset=_TALL)
state(f"{MEAN_STD}.untouched", partial(_require_data_kept, MEAN_STD))


# --- the normalizations ---------------------------------------------------------------------------

EPSILON = 1e-6  # that some add to what they divide by
SOME = np.array([[3.0, 1.0], [1.0, 2.0], [2.0, 6.0]])
FIRST_IS_CONSTANT = np.array([[0.0, 1.0]]), np.array([[0.0, 5.0]])


def dataset_and_parameters(zero_mean: bool, draw: Draw) -> tuple[Matrix, tuple[Matrix, Matrix]]:
    """Draw (dataset, parameters): a matrix, and two parameters that are not calculated from it."""
    dataset = real_matrix(draw, min_rows=1)
    L = dataset.shape[1]
    first = np.array([draw.choices(range(-16, 17), k=L)]) / 4
    width = np.array([draw.choices([0.5, 2.0, 4.0, 8.0, 1 / 1024], k=L)])
    return dataset, (first, width if zero_mean else first + width)


def _require_normalized(
    row: str, solution: Solution, dataset: Matrix, given: Any = None, at: int | None = None
) -> None:
    """Require that the function `row` returns what the oracle computes.

    `given`: the parameters that are passed, if any.
    `at`: the column that is constant, if one is.
    """
    asked = (dataset,) if given is None else (dataset, given)
    obtained = as_real_array(getattr(solution, row)(*asked), dataset.shape)
    zero_mean, _ = NORMALIZERS[row]
    first, second = parameters(zero_mean, RIGHT, dataset) if given is None else given
    expected = _computed(RIGHT, zero_mean, dataset, first, second)
    scale = second if zero_mean else second - first
    tolerance = TOLERANCE + EPSILON / scale.min(initial=1, where=scale > 0)
    message = None
    if at is not None and not obtained[:, at].any():  # what is wrong are the other columns
        message = f"{row}.{'own' if given is None else 'given'}"
    elif at is not None and given is not None:
        message = "form.constant"
    equal = close(obtained, expected, tolerance)
    require(equal, message=message, expected=expected, obtained=obtained, column=at)


def _with_given(row: str, solution: Solution, case: tuple[Matrix, tuple[Matrix, Matrix]]) -> None:
    _require_normalized(row, solution, *case)


def _with_a_constant(row: str, solution: Solution, dataset: Matrix, column: int) -> None:
    """Require a right result where one column is constant, first in the data, then in the
    parameters.
    """
    column %= dataset.shape[1]
    constant = dataset.copy()
    constant[:, column] = dataset[0, column]
    _require_normalized(row, solution, constant, at=column)
    zero_mean, _ = NORMALIZERS[row]
    first, second = parameters(False, RIGHT, dataset)
    if zero_mean:
        first, second = first + 1, np.ones_like(first)
    second = second + 1
    second[0, column] = 0 if zero_mean else first[0, column]
    _require_normalized(row, solution, dataset, (first, second), column)


def _original_is_kept(row: str, solution: Solution) -> None:
    untouched(solution, row, SOME)
    untouched(solution, row, SOME, FIRST_IS_CONSTANT)


def _after(row: str, solution: Solution, *args: Any) -> Answer:
    return succeeded(solution.answer(row, *args, want_args=True))


def _is_modified(row: str, solution: Solution, dataset: Matrix) -> None:
    left = as_real_array((_after(row, solution, dataset).args or [None])[0], dataset.shape)
    expected = normalized(*NORMALIZERS[row], RIGHT, dataset.copy())
    already_normalized = close(dataset, expected)
    require(
        already_normalized or not np.array_equal(left, dataset), expected=expected, obtained=left
    )


def _is_the_same_object(row: str, solution: Solution) -> None:
    for answer in (_after(row, solution, SOME), _after(row, solution, SOME, FIRST_IS_CONSTANT)):
        require(answer.same_object == 0, obtained=answer.value)


def _parameters_are_kept(row: str, solution: Solution) -> None:
    given = SOME, FIRST_IS_CONSTANT
    require_untouched(given, solution.answer(row, *given, want_args=True), first=1)


for _row, (_zero_mean, _in_place) in NORMALIZERS.items():
    # a range of a thousandth is not 0, however large the numbers; exact in single precision
    _base = 0.0 if _zero_mean else 128.0
    _VARIED, _cases = (
        partial(real_matrix, varied=True, base=_base),
        partial(dataset_and_parameters, _zero_mean),
    )
    state(f"{_row}.given", partial(_with_given, _row), case=_cases)
    state(f"{_row}.own", partial(_require_normalized, _row), dataset=partial(tall, _VARIED))
    state(
        f"{_row}.constant",
        partial(_with_a_constant, _row),
        dataset=_VARIED,
        column=lambda draw: draw.randint(0, 2),
    )
    if _in_place:
        state(f"{_row}.in_place", partial(_is_modified, _row), dataset=_VARIED)
        state(f"{_row}.same_object", partial(_is_the_same_object, _row))
        state(f"{_row}.parameters", partial(_parameters_are_kept, _row))
    else:
        state(f"{_row}.untouched", partial(_original_is_kept, _row))
