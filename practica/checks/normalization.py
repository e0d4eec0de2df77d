"""Checks of exercise 2: the normalization parameters and the four functions that normalize."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.checks.framework import check, for_all, helped_by, require, require_untouched, untouched
from practica.checks.help import Part
from practica.checks.later import st
from practica.checks.plain import Answer
from practica.checks.readings import TOLERANCE, as_parameters, as_real_array, close
from practica.checks.solution import Solution, succeeded
from practica.checks.strategies import real_matrices, tall

Matrix = NDArray[np.float64]


# -- what is right ----------------------------------------------------------------------------------------------------


def right_min_max(dataset: Any) -> tuple[Matrix, Matrix]:
    """Minimum and maximum of each column."""
    matrix = np.asarray(dataset)
    return matrix.min(axis=0)[np.newaxis], matrix.max(axis=0)[np.newaxis]


def right_mean_std(dataset: Any) -> tuple[Matrix, Matrix]:
    """Mean and sample standard deviation of each column."""
    matrix = np.asarray(dataset)
    constant = (matrix == matrix[:1]).all(axis=0, keepdims=True)
    return matrix.mean(axis=0, keepdims=True), np.where(constant, 0, matrix.std(axis=0, ddof=1, keepdims=True))


def shifted_and_scaled(matrix: Matrix, shift: Matrix, scale: Matrix) -> Matrix:
    """(x − shift) / scale, and 0 in the columns whose scale is 0."""
    return np.where(scale == 0, 0.0, (matrix - shift) / np.where(scale == 0, 1.0, scale))


def right_by_min_max(dataset: Any, parameters: Any = None) -> Matrix:
    """Normalize by minimum and maximum."""
    minimums, maximums = right_min_max(dataset) if parameters is None else parameters
    return shifted_and_scaled(np.asarray(dataset, float), np.asarray(minimums), np.asarray(maximums) - minimums)


def right_by_mean_std(dataset: Any, parameters: Any = None) -> Matrix:
    """Normalize by mean and standard deviation."""
    means, deviations = right_mean_std(dataset) if parameters is None else parameters
    return shifted_and_scaled(np.asarray(dataset, float), np.asarray(means), np.asarray(deviations))


def _part(right: Callable[..., Any]) -> Part:
    return Part(lambda args, kwargs: right(*args, *kwargs.values()))


# What the functions that normalize in place do would be the whole answer of those that copy: nobody gets it right.
for _row in ("normalize_min_max_", "normalize_min_max"):
    helped_by(_row, calculate_min_max_normalization_parameters=_part(right_min_max))
for _row in ("normalize_zero_mean_", "normalize_zero_mean"):
    helped_by(_row, calculate_zero_mean_normalization_parameters=_part(right_mean_std))


# -- the parameters ----------------------------------------------------------------------------------------------------


@check("calculate_min_max_normalization_parameters.shape")
@for_all(10, dataset=real_matrices(min_columns=2))
def minimums_and_maximums_are_rows(solution: Solution, dataset: Matrix) -> None:
    """Devuelve una tupla con dos matrices de una fila, con una columna por atributo."""
    as_parameters(solution.calculate_min_max_normalization_parameters(dataset), dataset.shape[1])


@check("calculate_min_max_normalization_parameters.values")
@for_all(dataset=tall(real_matrices(min_rows=1)))
def minimum_and_maximum_of_each_column(solution: Solution, dataset: Matrix) -> None:
    """La primera matriz tiene el mínimo de cada columna y la segunda el máximo."""
    _require_parameters(
        solution.calculate_min_max_normalization_parameters(dataset), right_min_max(dataset), dataset.shape[1]
    )


@check("calculate_min_max_normalization_parameters.untouched")
def calculating_minimums_leaves_the_dataset(solution: Solution) -> None:
    """El conjunto de datos queda como estaba."""
    untouched(solution, "calculate_min_max_normalization_parameters", np.array([[3.0, 1.0], [1.0, 2.0], [2.0, 5.0]]))


@check("calculate_zero_mean_normalization_parameters.shape")
@for_all(10, dataset=real_matrices(min_columns=2))
def means_and_deviations_are_rows(solution: Solution, dataset: Matrix) -> None:
    """Devuelve una tupla con dos matrices de una fila, con una columna por atributo."""
    as_parameters(solution.calculate_zero_mean_normalization_parameters(dataset), dataset.shape[1])


@check("calculate_zero_mean_normalization_parameters.mean")
@for_all(dataset=tall(real_matrices()))
def mean_of_each_column(solution: Solution, dataset: Matrix) -> None:
    """La primera matriz tiene la media de cada columna."""
    means, _ = as_parameters(solution.calculate_zero_mean_normalization_parameters(dataset), dataset.shape[1])
    expected, _ = right_mean_std(dataset)
    require(close(means, expected), expected=expected, obtained=means)


@check("calculate_zero_mean_normalization_parameters.std")
@for_all(dataset=tall(real_matrices()))
def sample_deviation_of_each_column(solution: Solution, dataset: Matrix) -> None:
    """La segunda matriz tiene la desviación típica de cada columna, que divide entre N − 1."""
    _, deviations = as_parameters(solution.calculate_zero_mean_normalization_parameters(dataset), dataset.shape[1])
    _, expected = right_mean_std(dataset)
    require(close(deviations, expected), expected=expected, obtained=deviations)


@check("calculate_zero_mean_normalization_parameters.untouched")
def calculating_means_leaves_the_dataset(solution: Solution) -> None:
    """El conjunto de datos queda como estaba."""
    untouched(solution, "calculate_zero_mean_normalization_parameters", np.array([[3.0, 1.0], [1.0, 2.0], [2.0, 5.0]]))


def _require_parameters(value: Any, expected: tuple[Matrix, Matrix], L: int) -> None:
    obtained = as_parameters(value, L)
    require(all(map(close, obtained, expected)), expected=expected, obtained=obtained)


# -- the normalizations ------------------------------------------------------------------------------------------------


@st.composite
def datasets_and_parameters(draw: st.DrawFn) -> tuple[Matrix, tuple[Matrix, Matrix]]:
    """Draw a matrix and parameters that are not its own: (first, second), second > first > 0."""
    dataset = draw(real_matrices(min_rows=1))
    L = dataset.shape[1]
    first = np.array([draw(st.lists(st.integers(-16, 16), min_size=L, max_size=L))], dtype=float) / 4
    width = np.array([draw(st.lists(st.sampled_from([0.5, 2.0, 4.0, 8.0, 1 / 1024]), min_size=L, max_size=L))])
    return dataset, (first, first + width)


EPSILON = 1e-6  # that some add to what they divide by


def _register(row: str, right: Callable[..., Matrix], what: str, zero_when: str) -> None:
    own = right_min_max if right is right_by_min_max else right_mean_std

    def require_normalized(
        solution: Solution, dataset: Matrix, *parameters: tuple[Matrix, Matrix], constant: int | None = None
    ) -> None:
        expected = right(dataset, *parameters)
        first, second = parameters[0] if parameters else own(dataset)
        scale = second - first if own is right_min_max else second
        tolerance = TOLERANCE + EPSILON / scale.min(initial=1, where=scale > 0)
        obtained = as_real_array(getattr(solution, row)(dataset, *parameters), expected.shape)
        message = None
        if constant is not None and not obtained[:, constant].any():  # what is wrong are the other columns
            message = f"{row}.{'given' if parameters else 'own'}"
        elif constant is not None and parameters:
            message = "form.constant"
        equal = close(obtained, expected, tolerance)
        require(equal, message=message, expected=expected, obtained=obtained, column=constant)

    def parameters_as_they_are(solution: Solution, case: tuple[Matrix, tuple[Matrix, Matrix]]) -> None:
        dataset, parameters = case
        if right is right_by_mean_std:
            parameters = parameters[0], parameters[1] - parameters[0]
        require_normalized(solution, dataset, parameters)

    parameters_as_they_are.__doc__ = (
        f"Normaliza cada columna con los parámetros que recibe, {what}, sin recortar los valores."
    )
    check(f"{row}.given")(for_all(case=datasets_and_parameters())(parameters_as_they_are))

    def own_parameters(solution: Solution, dataset: Matrix) -> None:
        require_normalized(solution, dataset)

    own_parameters.__doc__ = f"Sin parámetros, los calcula con los propios datos: {what}."
    check(f"{row}.own")(for_all(dataset=tall(real_matrices(varied=True)))(own_parameters))

    def constant_columns(solution: Solution, dataset: Matrix, column: int) -> None:
        column %= dataset.shape[1]
        constant = dataset.copy()
        constant[:, column] = dataset[0, column]
        require_normalized(solution, constant, constant=column)
        first, second = right_min_max(dataset)
        if right is right_by_mean_std:
            first, second = first + 1, np.ones_like(first)
        second = second + 1
        second[0, column] = first[0, column] if right is right_by_min_max else 0
        require_normalized(solution, dataset, (first, second), constant=column)

    constant_columns.__doc__ = f"Los atributos que no aportan información ({zero_when}) quedan a 0."
    check(f"{row}.constant")(for_all(dataset=real_matrices(varied=True), column=st.integers(0, 2))(constant_columns))

    some = np.array([[3.0, 1.0], [1.0, 2.0], [2.0, 6.0]])
    first_is_constant = np.array([[0.0, 1.0]]), np.array([[0.0, 5.0]])

    if not row.endswith("_"):

        def not_modified(solution: Solution) -> None:
            untouched(solution, row, some)
            untouched(solution, row, some, first_is_constant)

        not_modified.__doc__ = "Devuelve una matriz nueva: la que recibe queda como estaba."
        check(f"{row}.untouched")(not_modified)
        return

    def after(solution: Solution, *args: Any) -> Answer:
        return succeeded(solution.answer(row, *args, want_args=True))

    def modified(solution: Solution, dataset: Matrix) -> None:
        expected = right(dataset)
        left = as_real_array((after(solution, dataset).args or [None])[0], dataset.shape)
        already_normalized = close(dataset, expected)
        require(already_normalized or not np.array_equal(left, dataset), expected=expected, obtained=left)

    modified.__doc__ = "Modifica la propia matriz que recibe."
    check(f"{row}.in_place")(for_all(20, dataset=real_matrices(varied=True))(modified))

    def same_matrix(solution: Solution) -> None:
        for answer in (after(solution, some), after(solution, some, first_is_constant)):
            require(answer.same_object == 0, obtained=answer.value)

    same_matrix.__doc__ = "Devuelve esa misma matriz, ya modificada."
    check(f"{row}.same_object")(same_matrix)

    def parameters_not_modified(solution: Solution) -> None:
        given = some, first_is_constant
        require_untouched(given, solution.answer(row, *given, want_args=True), first=1)

    parameters_not_modified.__doc__ = "Los parámetros quedan como estaban: con ellos se normalizan más datos."
    check(f"{row}.parameters")(parameters_not_modified)


_MIN_MAX = "(x − mínimo) / (máximo − mínimo)"
_ZERO_MEAN = "(x − media) / desviación típica"
_register("normalize_min_max_", right_by_min_max, _MIN_MAX, "mínimo igual a máximo")
_register("normalize_min_max", right_by_min_max, _MIN_MAX, "mínimo igual a máximo")
_register("normalize_zero_mean_", right_by_mean_std, _ZERO_MEAN, "desviación típica 0")
_register("normalize_zero_mean", right_by_mean_std, _ZERO_MEAN, "desviación típica 0")
