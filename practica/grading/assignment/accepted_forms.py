"""Fair readings: what students legally return, brought to one form.

Every function takes plain data as it came from the student's code and returns a numpy array, a
tuple or a float. What no reading allows fails the check with one of the general messages `form.*`,
which say what was expected.

Legal everywhere: lists or arrays, tuples or lists, Python or numpy scalars, fractions and decimals,
any integer or float width.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from practica.grading.engine.framework import CheckFailed
from practica.grading.engine.rendering import TOLERANCE, Words
from practica.grading.inside.frames import kind_of
from practica.grading.inside.plain_data import Array, Bools, Floats, Handle, Integers, Opaque

METRICS = ("accuracy", "errorRate", "recall", "specificity", "PPV", "NPV", "F1")
MOST = 20_000  # positions in a vector: nobody is asked for as many
DEEPEST = 2  # list in a list that a sentence shows
PARTS = ("dataset", "losses", "matrix", "no_outputs")  # forms that are not those of a whole answer


def _refuse(form: str, value: Any, **facts: Any) -> NoReturn:
    if value is None and form not in PARTS:
        form = "nothing"
    raise CheckFailed({"obtained": _outline(value), **facts}, f"form.{form}")


def _outline(value: Any, depth: int = 0) -> Any:
    """Return a value of a wrong form, shortened for a sentence; floats that are whole numbers keep
    their point.
    """
    if isinstance(value, np.ndarray) and value.size > 12:
        return Opaque(f"{'×'.join(map(str, value.shape))} {value.dtype}")
    is_float = isinstance(value, np.ndarray) and value.dtype.kind == "f"
    if is_float and (value == np.trunc(value)).all():
        return Words(value.tolist())
    if isinstance(value, tuple | list) and depth > DEEPEST:
        return Opaque(type(value).__name__)
    if isinstance(value, tuple | list) and len(value) <= 8:
        return type(value)(_outline(item, depth + 1) for item in value)
    return value


def _array(value: Any) -> Array | None:
    """Return plain data as an array of numbers or bools; None if it is not one."""
    if kind_of(value):
        value = value.to_numpy()
    if isinstance(value, Decimal | Fraction):
        value = float(value)
    if isinstance(value, list | tuple | bool | int | float):
        try:
            value = np.array(value)
        except (ValueError, OverflowError):
            return None
    if not isinstance(value, np.ndarray):
        return None
    if value.dtype == object and value.size:
        kinds = {type(item) for item in value.ravel().tolist()}
        if kinds == {bool}:
            return value.astype(bool)
        if kinds == {int}:
            return (
                value.astype(np.int64)
                if all(abs(item) < 2**62 for item in value.ravel().tolist())
                else None
            )
        if kinds <= {int, float, Decimal, Fraction}:
            with contextlib.suppress(OverflowError):  # an int may have any size
                return value.astype(float)
        return None
    return value if value.dtype.kind in "biuf" else None


def as_array(value: Any) -> Array:
    """Return numbers or bools of any shape as an array; raise `CheckFailed` if the value is
    something else.
    """
    array = _array(value)
    if array is None:
        _refuse("dataset", value)
    return array


def as_number(value: Any) -> float:
    """Return a real number, given as a scalar or an array of one element; raise `CheckFailed` if
    the value is something else.
    """
    array = _array(value)
    if array is None or array.size != 1:
        _refuse("number", value)
    return float(array.ravel()[0])


def same_numbers(obtained: Any, expected: Any) -> bool:
    """Return whether the obtained value is the expected number or vector, in any accepted form."""
    array = _array(obtained)
    return (
        array is not None and array.shape == np.shape(expected) and np.array_equal(array, expected)
    )


def as_bool_array(value: Any, shape: tuple[int, ...]) -> Bools:
    """Return an array of bools of a given shape; raise `CheckFailed` if the value is something
    else.
    """
    array = _array(value)
    if array is None:
        _refuse("bool_array", value, shape=shape)
    array = _of_shape(array, value, shape)
    if array.dtype != bool and array.size:
        _refuse("bool_type", value, dtype=Words(array.dtype.name))
    return array.astype(bool)


def as_real_array(value: Any, shape: tuple[int, ...]) -> Array:
    """Return an array of real numbers of a given shape; raise `CheckFailed` if the value is
    something else.
    """
    array = _array(value)
    if array is None or array.dtype == bool:
        _refuse("real_array", value, shape=shape)
    return _of_shape(array, value, shape).astype(np.float64)


def _of_shape(array: Array, value: Any, shape: tuple[int, ...]) -> Array:
    """Return the array of a value if it has a shape, or may: an empty list has no second side."""
    if isinstance(value, list | tuple) and not value and 0 in shape:
        return array.reshape(shape)
    if array.shape != shape:
        _refuse("shape", value, shape=shape, obtained_shape=array.shape)
    return array


def as_parameters(value: Any, L: int) -> tuple[Array, Array]:
    """Return a pair of matrices of one row and L columns; raise `CheckFailed` if the value is
    something else.
    """
    if isinstance(value, np.ndarray) and value.shape == (2, 1, L):
        value = list(value)
    if not isinstance(value, tuple | list) or len(value) != 2:
        _refuse("parameters", value, shape=(1, L))
    parts = []
    for part in value:
        array = _array(part)
        if array is None or array.shape != (1, L) or array.dtype == bool:
            _refuse("parameters", value, shape=(1, L))
        parts.append(array.astype(np.float64))
    return parts[0], parts[1]


def as_outputs(value: Any, N: int) -> Array:
    """Return the outputs of a network for N patterns as a matrix, a vector as one column; raise
    `CheckFailed` if the value is something else.
    """
    array = _array(value)
    if array is None:
        _refuse("no_outputs", value)
    if array.ndim not in (1, 2) or len(array) != N:
        _refuse("outputs", array.shape, expected=Words(f"({N}, C)"))
    return array[:, np.newaxis] if array.ndim == 1 else array


def as_parts(value: Any, count: int) -> list[Integers]:
    """Return `count` vectors of positions, given as lists, tuples, arrays or ranges of integers;
    raise `CheckFailed` if the value is something else.
    """
    if isinstance(value, np.ndarray) and value.ndim == 2:
        value = list(value)
    if not isinstance(value, tuple | list) or len(value) != count:
        _refuse("parts", value, count=count)
    parts = []
    for part in value:
        array = _array(part)
        if (
            array is None
            or array.ndim != 1
            or not (array.size == 0 or array.dtype.kind in "iu")
            or array.size > MOST
        ):
            _refuse("positions", value, count=count)
        parts.append(array.astype(np.int64))
    return parts


def as_folds(value: Any, N: int, k: int) -> Integers:
    """Return a vector of N integers between 1 and k; raise `CheckFailed` if the value is something
    else.
    """
    array = _array(value)
    if array is None or array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        _refuse("folds", value, N=N, k=k)
    if len(array) != N:
        _refuse("folds_length", value, N=N, length=len(array))
    folds = array.astype(np.int64)
    if N and (folds.min() < 1 or folds.max() > k):
        wrong = folds[(folds < 1) | (folds > k)]
        _refuse("folds_range", value, k=k, wrong=int(wrong[0]))
    return folds


def as_metrics(value: Any) -> tuple[list[float], Integers | None]:
    """Return the seven metrics and the matrix, None if there is no eighth value; raise
    `CheckFailed` if the value is something else.
    """
    if isinstance(value, np.ndarray) and value.ndim == 1:
        value = value.tolist()
    if not isinstance(value, tuple | list) or len(value) not in (7, 8):
        _refuse("metrics", value)
    numbers = []
    for item in value[:7]:
        array = _array(item)
        if array is None or array.size != 1:
            _refuse("metrics", value)
        numbers.append(float(array.ravel()[0]))
    if len(value) == 7:
        return numbers, None
    matrix = _array(value[7])
    if (
        matrix is None
        or matrix.ndim != 2
        or matrix.shape[0] != matrix.shape[1]
        or matrix.dtype == bool
    ):
        _refuse("matrix", value[7])
    return numbers, matrix


def as_pairs(value: Any) -> list[tuple[float, float]]:
    """Return seven pairs (mean, standard deviation); an eighth element, the matrix, is left out.
    Raise `CheckFailed` if the value is something else.
    """
    if isinstance(value, np.ndarray) and value.ndim == 2:
        value = list(value)
    if not isinstance(value, tuple | list) or len(value) not in (7, 8):
        _refuse("pairs", value)
    pairs = []
    for item in value[:7]:
        pair = _array(item)
        if pair is None or pair.shape != (2,):
            _refuse("pairs", value)
        pairs.append((float(pair[0]), float(pair[1])))
    return pairs


def as_losses(value: Any) -> Floats:
    """Return the losses of one set by epochs. Those of an absent set may be empty, None or NaN, and
    become an empty vector. Raise `CheckFailed` if the value is something else.
    """
    if value is None:
        return np.empty(0)
    array = _array(value)
    if array is None and isinstance(value, list | tuple) and all(item is None for item in value):
        return np.empty(0)
    if isinstance(value, list | tuple) and array is None:
        flat = [_array(item) for item in value]  # a list of tensors of one element each
        if all(item is not None and item.size == 1 for item in flat):
            array = np.array([float(item.ravel()[0]) for item in flat if item is not None])
    if array is None:
        _refuse("losses", value)
    losses = (
        array.astype(np.float64).reshape(-1) if array.size <= max(array.shape, default=1) else None
    )
    if losses is None:
        _refuse("losses", value)
    return np.empty(0) if np.isnan(losses).all() else losses


def as_trained(
    value: Any,
) -> tuple[Handle, Floats, Floats, Floats]:
    """Return what `train_class_ann` returned, the network and three vectors of losses; raise
    `CheckFailed` if the value is something else.
    """
    if not isinstance(value, tuple | list) or len(value) != 4 or not isinstance(value[0], Handle):
        _refuse("trained", value)
    training, validation, test = (as_losses(item) for item in value[1:])
    return value[0], training, validation, test


def same_table(obtained: Any, expected: Any, **options: Any) -> bool:
    """Return whether a table of pandas is the expected one: names, index, types and values, numbers
    up to the tolerance; `options` are those of `pandas.testing.assert_frame_equal`.
    """
    kind = kind_of(expected)
    if not kind or kind_of(obtained) != kind:
        return False
    import pandas.testing

    name = "frame" if kind == "DataFrame" else kind.lower()
    require_equal = getattr(pandas.testing, f"assert_{name}_equal")
    with contextlib.suppress(AssertionError):
        require_equal(obtained, expected, **{"rtol": TOLERANCE, "atol": TOLERANCE, **options})
        return True
    return False


def first_difference(first: Sequence[float], second: Sequence[float]) -> int | None:
    """Return the first position at which two sequences of numbers differ; None if they agree."""
    for position, (one, other) in enumerate(zip(first, second, strict=True)):
        if not math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE) and not (
            one != one and other != other
        ):
            return position
    return None
