"""Known mistakes of the normalization parameters, and of the functions that normalize."""

from __future__ import annotations

from collections.abc import Set
from functools import partial
from typing import Any

import numpy as np

from practica.checks.normalization import right_mean_std, right_min_max
from practica.checks.solution import Solution
from practica.diagnosis.known import examples, imitates

MIN_MAX, MEAN_STD = (f"calculate_{each}_normalization_parameters" for each in ("min_max", "zero_mean"))
SHAPES = "vectors columns exchanged"
AXES = "whole whole:number rows rows:vector rows:row"


def _of_axis(wrong: Set[str], dataset: Any, first: Any, second: Any) -> tuple[Any, Any]:
    """Compute two statistics along the axis that the mistakes say."""
    if "whole:number" in wrong:
        return first(dataset, None), second(dataset, None)
    if "whole" in wrong:
        row = 1, dataset.shape[1]
        return np.full(row, first(dataset, None)), np.full(row, second(dataset, None))
    rows: dict[str, tuple[int, ...]] = {"rows": (-1, 1), "rows:vector": (-1,), "rows:row": (1, -1)}
    if asked := wrong & rows.keys():
        shape = rows[min(asked)]
        return first(dataset, 1).reshape(shape), second(dataset, 1).reshape(shape)
    return first(dataset, 0)[np.newaxis], second(dataset, 0)[np.newaxis]


def _shaped(wrong: Set[str], first: Any, second: Any) -> Any:
    if "exchanged" in wrong:
        first, second = second, first
    if "vectors" in wrong:
        first, second = np.ravel(first), np.ravel(second)
    if "columns" in wrong:
        first, second = np.reshape(first, (-1, 1)), np.reshape(second, (-1, 1))
    return first, second


@imitates(MIN_MAX, "parameters", f"{AXES} {SHAPES} sorts")
def minimums_and_maximums(wrong: Set[str], dataset: Any) -> Any:
    """Minimum and maximum of each column."""
    if "sorts" in wrong:
        dataset.sort(axis=0)
    return _shaped(wrong, *_of_axis(wrong, dataset, np.min, np.max))


@imitates(MEAN_STD, "parameters", f"population variance {AXES} whole:mean whole:deviation {SHAPES} sorts median")
def means_and_deviations(wrong: Set[str], dataset: Any) -> Any:
    """Mean and sample standard deviation of each column."""
    if "sorts" in wrong:
        dataset.sort(axis=0)

    def mean(values: Any, axis: int | None) -> Any:
        return np.median(values, axis) if "median" in wrong else np.mean(values, axis)

    def deviation(values: Any, axis: int | None) -> Any:
        spread = np.var if "variance" in wrong else np.std
        return spread(values, axis, ddof=0 if "population" in wrong else 1)

    first, second = _of_axis(wrong, dataset, mean, deviation)
    if "whole:mean" in wrong:
        first = np.full_like(first, dataset.mean())
    if "whole:deviation" in wrong:
        second = np.full_like(second, deviation(dataset, None))
    return _shaped(wrong, first, second)


@examples(MIN_MAX, MEAN_STD)
def rows_and_columns_that_differ(solution: Solution) -> None:
    """More rows than columns, more columns than rows, as many, and one constant column."""
    for rows in (
        [[3.0, 10.0], [1.0, 40.0], [2.5, -20.0], [7.0, 0.0]],
        [[3.0, 10.0, -5.0], [1.0, 40.0, 6.5]],
        [[4.0, 1.0, 0.5], [2.0, 1.0, 8.0], [9.0, 1.0, 3.0]],
    ):
        for name in (MIN_MAX, MEAN_STD):
            if solution.has(name):
                solution.answer(name, np.array(rows))


def normalized(
    zero_mean: bool, in_place: bool, wrong: Set[str], dataset: Any, normalizationParameters: Any = None
) -> Any:
    """Shift and scale each column, in place or in a copy; 0 where the scale is 0."""
    given = normalizationParameters
    first, second = _own(wrong, zero_mean, dataset) if given is None or "ignores_given" in wrong else given
    if "exchanged" in wrong and given is not None:
        first, second = second, first
    result = _computed(wrong, zero_mean, np.array(dataset, dtype=float), first, second)
    if given is not None:
        _change(wrong, zero_mean, *given)
    if in_place and "not_in_place" in wrong:
        return result
    if in_place or wrong & {"modifies", "modifies:and_copies"}:
        dataset[...] = result
    returns_it = "returns_copy" not in wrong if in_place else "modifies" in wrong
    return dataset if returns_it else result


def _own(wrong: Set[str], zero_mean: bool, dataset: Any) -> tuple[Any, Any]:
    """Return the parameters of the data themselves."""
    if axis := wrong & {"whole", "rows"}:
        statistics = (np.mean, partial(np.std, ddof=1)) if zero_mean else (np.min, np.max)
        first, second = (one(dataset, axis=1 if "rows" in axis else None, keepdims=True) for one in statistics)
        return first, second
    first, second = right_mean_std(dataset) if zero_mean else right_min_max(dataset)
    if "population" in wrong:
        second = np.where(second == 0, 0, dataset.std(axis=0, keepdims=True))
    return first, second


def _computed(wrong: Set[str], zero_mean: bool, data: Any, first: Any, second: Any) -> Any:
    """Return the columns shifted and scaled."""
    scale = second if zero_mean else second - first
    constant = np.broadcast_to(scale == 0, data.shape)
    if "constant_of_data" in wrong:
        constant = np.broadcast_to(data == data[:1], data.shape).all(axis=0) & np.ones(data.shape, dtype=bool)
    if "almost_constant" in wrong:
        constant = np.broadcast_to(scale < 0.002, data.shape)
    if "variance" in wrong:
        scale = scale**2
    if wrong & {"by_maximum", "by_minimum"}:
        scale = second if "by_maximum" in wrong else first
    divisor = scale if "constant_divides_by_0" in wrong else np.where(constant, 1.0, scale)
    shift = 0.0 if "no_shift" in wrong else first
    result = data - shift / divisor if "precedence" in wrong else (data - shift) / divisor
    if wrong & {"constant_kept", "constant_one"}:
        result = np.where(constant, 1.0 if "constant_one" in wrong else data, result)
    elif not wrong & {"constant_divides_by_0", "constant_shifted"}:
        result = np.where(constant, 0.0, result)
    if "clipped" in wrong:
        result = np.clip(result, 0, 1)
    return 2 * result - 1 if "from_minus_one" in wrong else result


def _change(wrong: Set[str], zero_mean: bool, first: Any, second: Any) -> None:
    """Change the parameters as some do, so as not to divide by 0."""
    constant = second == 0 if zero_mean else first == second
    if "changes_given" in wrong:
        second[constant] = 1
    if "changes_given:added" in wrong:
        second[constant] += 1
    if "changes_given:minimum" in wrong:
        first[constant] = 0


EITHER_WAY = """
    ignores_given exchanged changes_given changes_given:minimum changes_given:added whole rows no_shift precedence
    constant_divides_by_0 constant_shifted constant_kept constant_one constant_of_data
    almost_constant
"""
SCALES = {False: "by_maximum by_minimum clipped from_minus_one", True: "population variance"}  # of zero mean or not
PLACES = {False: "modifies modifies:and_copies", True: "not_in_place returns_copy"}  # of those in place or not


def _all_that_tells(row: str, solution: Solution) -> None:
    """Call it with parameters or without, with constant columns of the data, of the parameters, and of both."""
    data = np.array([[3.0, 10.0, 2.0], [1.0, 40.0, 2.0], [2.5, -20.0, 2.0], [7.0, 0.0, 2.0]])
    solution.answer(row, data)
    solution.answer(row, data[:, :2])
    solution.answer(row, data[:, :2] * 3 - 1)
    for first, second in (([2.0, -5.0, 1.0], [4.0, 5.0, 3.0]), ([2.0, 0.0, 2.0], [2.0, 0.0, 2.0])):
        solution.answer(row, data, (np.array([first]), np.array([second])))
    for second in ([6.0, 0.0, 8.0], [0.0, 2.0, 0.0]):
        solution.answer(row, data, (np.array([[0.0, 0.0, 0.0]]), np.array([second])))
    solution.answer(row, data[:, :2] / [[1e4, 1.0]])
    shift, scale = np.array([[2.0, 1.0]]), np.array([[0.001, 0.5]])
    solution.answer(row, data[:, :2], (shift, scale if "zero" in row else shift + scale))
    wide = np.array([[0.5, 8.0], [0.25, 3.0]])
    solution.answer(row, wide, (np.array([[0.25, 1.0]]), np.array([[0.25, 11.0]])))
    solution.answer(row, wide, (np.array([[0.5, 2.0]]), np.array([[0.0, 0.0]])))


for _row in ("normalize_min_max_", "normalize_min_max", "normalize_zero_mean_", "normalize_zero_mean"):
    _zero_mean, _in_place = "zero" in _row, _row.endswith("_")
    _mistakes = f"{EITHER_WAY} {SCALES[_zero_mean]} {PLACES[_in_place]}"
    imitates(_row, "normalize", _mistakes)(partial(normalized, _zero_mean, _in_place))
    examples(_row)(partial(_all_that_tells, _row))
