"""Min-max and zero-mean normalization of the attributes, with parameters that can be kept for new
data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from practica.reference.arguments import Array, as_real_matrix

__all__ = [
    "calculate_min_max_normalization_parameters",
    "calculate_zero_mean_normalization_parameters",
    "normalize_min_max",
    "normalize_min_max_",
    "normalize_zero_mean",
    "normalize_zero_mean_",
]

Parameters: TypeAlias = "tuple[Array, Array]"
Pair: TypeAlias = "tuple[ArrayLike, ArrayLike]"  # parameters as the caller gives them


def calculate_min_max_normalization_parameters(dataset: ArrayLike) -> Parameters:
    """Calculate the minimum and the maximum of each attribute.

    Parameters
    ----------
    dataset : real array, shape (N, L), N >= 1

    Returns
    -------
    minimums, maximums : arrays, shape (1, L)

    Raises
    ------
    ValueError
        If `dataset` is not a matrix or has no patterns.

    References
    ----------
    Exercise 2, `calculateMinMaxNormalizationParameters`.

    Examples
    --------
    >>> calculate_min_max_normalization_parameters([[1.0, 5.0], [3.0, 5.0]])
    (array([[1., 5.]]), array([[3., 5.]]))
    """
    matrix = as_real_matrix(dataset, "dataset")
    if len(matrix) == 0:
        raise ValueError(f"dataset has shape {matrix.shape}; a minimum needs at least one pattern")
    exact = _exact(matrix.dtype)
    extremes = matrix.min(axis=0, keepdims=True), matrix.max(axis=0, keepdims=True)
    return extremes[0].astype(exact, copy=False), extremes[1].astype(exact, copy=False)


def calculate_zero_mean_normalization_parameters(dataset: ArrayLike) -> Parameters:
    """Calculate the mean and the sample standard deviation of each attribute.

    Parameters
    ----------
    dataset : real array, shape (N, L)

    Returns
    -------
    means, standard deviations : arrays, shape (1, L)
        The deviation divides by N − 1: with one pattern it is NaN, with none both are. An attribute
        with one single value has deviation 0, although rounding would leave it at some 1e-17.

    Raises
    ------
    ValueError
        If `dataset` is not a matrix.

    References
    ----------
    Exercise 2, `calculateZeroMeanNormalizationParameters`.

    Examples
    --------
    >>> calculate_zero_mean_normalization_parameters([[1.0], [3.0]])
    (array([[2.]]), array([[1.41421356]]))
    """
    matrix = as_real_matrix(dataset, "dataset")
    exact = _exact(matrix.dtype)
    unknown = np.full((1, matrix.shape[1]), np.nan, dtype=exact)
    if len(matrix) == 0:
        return unknown, unknown.copy()
    low, high = matrix.min(axis=0, keepdims=True), matrix.max(axis=0, keepdims=True)
    scale = _scale(low.astype(exact), high.astype(exact))
    if np.count_nonzero(scale != 1):
        matrix = matrix / scale
    means = scale * matrix.mean(axis=0, keepdims=True, dtype=exact)
    if len(matrix) == 1:
        return means, unknown
    deviations = scale * matrix.std(axis=0, ddof=1, keepdims=True, dtype=exact)
    return means, np.where(low == high, 0, deviations)


def normalize_min_max_(dataset: ArrayLike, normalizationParameters: Pair | None = None) -> Array:
    """Bring each attribute to [0, 1], in place.

    Parameters
    ----------
    dataset : float array, shape (N, L)
        Modified in place.
    normalizationParameters : (minimums, maximums), arrays of shape (1, L), optional
        By default those of `dataset`. Parameters of a training set are used as they are: values of
        other data may fall outside [0, 1].

    Returns
    -------
    dataset : the same object
        (x − minimum) / (maximum − minimum), and 0 where minimum and maximum are equal.

    Raises
    ------
    TypeError
        If `dataset` is not an array of floats: its results could not be stored in it.
    ValueError
        If the parameters do not have one column per attribute.

    References
    ----------
    Exercise 2, `normalizeMinMax!`.

    Examples
    --------
    >>> data = np.array([[1.0, 5.0], [3.0, 5.0]])
    >>> normalize_min_max_(data) is data
    True
    >>> data
    array([[0., 0.],
           [1., 0.]])
    """
    matrix = _as_writable_matrix(dataset)
    minimums, maximums = _as_parameters(
        normalizationParameters, matrix, calculate_min_max_normalization_parameters
    )
    _shift_and_scale_(matrix, minimums, maximums - minimums)
    return dataset  # type: ignore[return-value]  # an array, or it was refused


def normalize_min_max(dataset: ArrayLike, normalizationParameters: Pair | None = None) -> Array:
    """Bring each attribute to [0, 1], in a copy: `normalize_min_max_` on a copy of `dataset`.

    Parameters
    ----------
    dataset : real array, shape (N, L)
        Left as it is.
    normalizationParameters : (minimums, maximums), arrays of shape (1, L), optional
        By default those of `dataset`.

    Returns
    -------
    normalized : float array, shape (N, L)
        float32 stays float32; integers and float16 become float64.

    Raises
    ------
    ValueError
        If `dataset` is not a matrix or the parameters do not fit it.

    References
    ----------
    Exercise 2, `normalizeMinMax`.

    Examples
    --------
    >>> normalize_min_max([[0], [4], [8]], ([[0]], [[4]])).ravel()
    array([0., 1., 2.])
    """
    return normalize_min_max_(_as_float_copy(dataset), normalizationParameters)


def normalize_zero_mean_(dataset: ArrayLike, normalizationParameters: Pair | None = None) -> Array:
    """Give each attribute mean 0 and sample standard deviation 1, in place.

    Parameters
    ----------
    dataset : float array, shape (N, L)
        Modified in place.
    normalizationParameters : (means, standard deviations), arrays of shape (1, L), optional
        By default those of `dataset`.

    Returns
    -------
    dataset : the same object
        (x − mean) / standard deviation, and 0 where the deviation is 0.

    Raises
    ------
    TypeError
        If `dataset` is not an array of floats: its results could not be stored in it.
    ValueError
        If the parameters do not have one column per attribute.

    References
    ----------
    Exercise 2, `normalizeZeroMean!`.

    Examples
    --------
    >>> normalize_zero_mean_(np.array([[1.0, 7.0], [3.0, 7.0], [5.0, 7.0]]))
    array([[-1.,  0.],
           [ 0.,  0.],
           [ 1.,  0.]])
    """
    matrix = _as_writable_matrix(dataset)
    means, deviations = _as_parameters(
        normalizationParameters, matrix, calculate_zero_mean_normalization_parameters
    )
    _shift_and_scale_(matrix, means, deviations)
    return dataset  # type: ignore[return-value]  # an array, or it was refused


def normalize_zero_mean(dataset: ArrayLike, normalizationParameters: Pair | None = None) -> Array:
    """Give each attribute mean 0 and sample standard deviation 1, in a copy: `normalize_zero_mean_`
    on a copy.

    Parameters
    ----------
    dataset : real array, shape (N, L)
        Left as it is.
    normalizationParameters : (means, standard deviations), arrays of shape (1, L), optional
        By default those of `dataset`.

    Returns
    -------
    normalized : float array, shape (N, L)
        float32 stays float32; integers and float16 become float64.

    Raises
    ------
    ValueError
        If `dataset` is not a matrix or the parameters do not fit it.

    References
    ----------
    Exercise 2, `normalizeZeroMean`.

    Examples
    --------
    >>> normalize_zero_mean([[1], [3], [5]]).ravel()
    array([-1.,  0.,  1.])
    """
    return normalize_zero_mean_(_as_float_copy(dataset), normalizationParameters)


def _scale(low: Array, high: Array) -> Array:
    """Return, for each attribute, the power of 2, mostly 1, by which its squares neither overflow
    nor vanish.
    """
    size = np.maximum(-low, high)
    is_extreme = (size > 1e120) | (size > 0) & (size < 1e-120)
    return np.ldexp(np.ones_like(size), np.where(is_extreme, np.frexp(size)[1] - 1, 0))


def _exact(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype to calculate in: in the data's own, int8 would wrap around and float16
    overflow.
    """
    return np.promote_types(dtype, np.float64)


def _as_writable_matrix(dataset: ArrayLike) -> Array:
    if not isinstance(dataset, np.ndarray) or dataset.dtype.kind != "f":
        kind = dataset.dtype if isinstance(dataset, np.ndarray) else type(dataset).__name__
        raise TypeError(
            f"dataset is of type {kind}; only an array of floats can be normalized in place"
        )
    if not dataset.flags.writeable:
        raise ValueError("dataset is read-only; it can be normalized in a copy, but not in place")
    return as_real_matrix(dataset, "dataset")


def _as_float_copy(dataset: ArrayLike) -> Array:
    matrix = as_real_matrix(dataset, "dataset")
    return matrix.astype(np.float32 if matrix.dtype == np.float32 else _exact(matrix.dtype))


def _as_parameters(
    given: Pair | None, matrix: Array, calculate: Callable[[ArrayLike], Parameters]
) -> Parameters:
    if given is None:
        return calculate(matrix)
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise ValueError("normalizationParameters must be a pair of matrices with one row")
    first, second = (as_real_matrix(parameter, "normalizationParameters") for parameter in given)
    for parameter in (first, second):
        if parameter.shape != (1, matrix.shape[1]):
            raise ValueError(
                f"normalizationParameters: shape {parameter.shape} does not fit a dataset with"
                f" {matrix.shape[1]} attributes; it must be {(1, matrix.shape[1])}"
            )
    return first.astype(_exact(first.dtype), copy=False), second.astype(
        _exact(second.dtype), copy=False
    )


def _shift_and_scale_(matrix: Array, shift: Array, scale: Array) -> None:
    """Subtract `shift` from a matrix and divide it by `scale`, in place, as exactly as float64
    does.

    Float32 also subtracts the part of the shift that its rounding loses.
    """
    constant = scale[0] == 0
    divisor = np.where(constant, 1, scale) if np.count_nonzero(constant) else scale
    work, rest = matrix, None
    if matrix.dtype == np.float32 and _in_range_of_float32(shift, divisor):
        near = shift.astype(np.float32)
        shift, rest, divisor = near, (shift - near).astype(np.float32), divisor.astype(np.float32)
    elif matrix.dtype != shift.dtype:
        work = matrix.astype(np.promote_types(matrix.dtype, shift.dtype))
    work -= shift
    if rest is not None and np.count_nonzero(rest):
        work -= rest
    work /= divisor
    if work is not matrix:
        matrix[:] = work
    if np.count_nonzero(constant):
        matrix[:, constant] = 0


def _in_range_of_float32(shift: Array, divisor: Array) -> bool:
    """Return whether float32 can subtract and divide without an overflow, or a loss of digits, on
    the way.
    """
    shifts, divisors = shift[0].tolist(), divisor[0].tolist()
    return all(-1e30 < value < 1e30 for value in shifts) and all(
        1e-30 < abs(value) < 1e30 for value in divisors
    )
