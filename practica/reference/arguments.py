"""Checks of what the caller passed: one clear sentence with the value, the allowed range and the culprit."""

from __future__ import annotations

import difflib
import math
import operator
import sys
import warnings
from collections.abc import Hashable, Iterable, Sequence, Sized
from typing import Any, SupportsFloat, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Array",
    "Label",
    "Labels",
    "Numbers",
    "as_array",
    "as_bool_array",
    "as_integer",
    "as_labels",
    "as_real",
    "as_real_matrix",
    "as_single_precision",
    "closest",
    "is_missing",
    "is_real",
    "require_equal_lengths",
    "require_finite",
    "shortened",
    "warn_caller",
]

Array: TypeAlias = NDArray[Any]  # elements of any type
Numbers: TypeAlias = NDArray[np.integer[Any]]
Real: TypeAlias = SupportsFloat | SupportsIndex
Label: TypeAlias = Hashable  # what names a class
Labels: TypeAlias = "ArrayLike | Sequence[Label]"  # labels from the caller, perhaps of mixed types


def as_integer(value: SupportsIndex, name: str, *, minimum: int) -> int:
    """Return `value` as an int; a bool is not an integer here, as in Julia."""
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r} is a {type(value).__name__}; it must be an integer") from None
    if number < minimum:
        raise ValueError(f"{name}={number} is out of range; it must be at least {minimum}")
    return number


def as_real(value: Real, name: str, *, low: float = -math.inf, high: float = math.inf, above: bool = False) -> float:
    """Return `value` as a float in [low, high], or in (low, high] with `above`."""
    try:
        if isinstance(value, str | bytes):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={value!r} is a {type(value).__name__}; it must be a number") from None
    if not low <= number <= high or (above and number == low):  # NaN fails the first comparison
        opening = "(" if above else "["
        allowed = f"greater than {low:g}" if above and high == math.inf else f"in {opening}{low:g}, {high:g}]"
        raise ValueError(f"{name}={number:g} is out of range; it must be {allowed}")
    return number


def as_array(values: object, name: str) -> Array:
    """Turn a list, a tensor or a column of a table into an array without changing what its elements are.

    `np.asarray(["perro", "gato", 3])` would turn the 3 into text. Here a list of bools becomes a bool array, a list of
    numbers a numeric one, a list of rows a matrix, and anything else an object array that keeps every element.
    """
    if isinstance(values, np.ma.MaskedArray):
        return _unmasked(values, name)
    if isinstance(values, np.ndarray):
        return values
    if hasattr(values, "detach"):  # a torch tensor, perhaps one that carries a gradient
        values = values.detach().cpu()
    if hasattr(values, "__array__"):
        nulls = getattr(values, "null_count", 0)  # a column of polars, or of Arrow: they would become None or NaN
        if count := nulls() if callable(nulls) and np.ndim(values) == 1 else nulls if isinstance(nulls, int) else 0:
            how_many = "a missing value" if count == 1 else f"{count} missing values"
            raise ValueError(f"{name} has {how_many}; leave the patterns out, with drop_nulls() or drop_null()")
        return np.asarray(values)
    if isinstance(values, str | bytes | dict) or not isinstance(values, Iterable):
        raise TypeError(f"{name}={shortened(values)} is a {type(values).__name__}; it must be an array or a list")
    elements = list(values)
    if elements and all(isinstance(row, list | np.ndarray) for row in elements):
        return _rows_as_matrix(elements, name)
    if _all_bool(elements) or _all_numbers(elements):
        return np.asarray(elements)
    array = np.empty(len(elements), dtype=object)
    array[:] = elements
    return array


def _unmasked(values: np.ma.MaskedArray[Any, Any], name: str) -> Array:
    mask = np.ma.getmaskarray(values)
    if mask.any():
        place = ", ".join(map(str, np.argwhere(mask)[0]))
        raise ValueError(f"{name}: element {place} is masked; leave it out, or give it a value with {name}.filled(...)")
    return np.asarray(values.data)


def _rows_as_matrix(rows: list[Array], name: str) -> Array:
    columns = len(rows[0])
    for position, row in enumerate(rows):
        if len(row) != columns:
            raise ValueError(f"{name}: row {position} has {len(row)} elements and row 0 has {columns}")
    elements = [element for row in rows for element in row]
    dtype = None if _all_bool(elements) or _all_numbers(elements) else object
    return np.array(rows, dtype=dtype)


def _all_bool(elements: list[object]) -> bool:
    return bool(elements) and set(map(type, elements)) <= {bool, np.bool_}


def _all_numbers(elements: list[object]) -> bool:
    kinds = set(map(type, elements))
    return all(issubclass(kind, int | float | np.number) and not issubclass(kind, bool) for kind in kinds)


def is_real(array: Array) -> bool:
    """Return whether the elements are real numbers (bool included, as in Julia)."""
    return array.dtype.kind in "biuf"


def as_real_matrix(values: object, name: str) -> Array:
    """Return a matrix of real numbers, patterns in rows."""
    array = as_array(values, name)
    if array.ndim != 2:
        raise ValueError(f"{name} has shape {array.shape}; it must be a matrix with one pattern per row")
    if array.dtype == object and hasattr(values, "columns"):  # a frame with columns of several types
        array = _frame_of_numbers(array, list(map(str, values.columns)), name)
    if not is_real(array):
        raise TypeError(f"{name} has elements of type {array.dtype}; they must be real numbers")
    return array


def _frame_of_numbers(cells: Array, columns: list[str], name: str) -> NDArray[np.float64]:
    """Return the cells of a frame as floats: bool beside float, pandas' nullable types, and those of Arrow."""
    numbers = np.empty(cells.shape)
    for place, column in enumerate(columns):
        kinds = set(map(type, cells[:, place].tolist()))
        if not all(issubclass(kind, bool | int | float | np.number | np.bool_) for kind in kinds):
            _refuse_cell(cells[:, place], f"{name}: column {column!r}")
        numbers[:, place] = cells[:, place]
    return numbers


def _refuse_cell(cells: Array, where: str) -> None:
    """Raise an error that names the first cell that is no number, and a line that mends it."""
    for row, cell in enumerate(cells.tolist()):
        if is_missing(cell) or cell is None:
            raise ValueError(
                f"{where}, row {row} is missing ({cell}); fill it, as sklearn.impute.SimpleImputer does, or leave the "
                "row out with dropna()"
            )
        if isinstance(cell, str):
            raise TypeError(f"{where} has text ({cell!r} in row {row}); pandas.get_dummies(...) makes columns of it")
        if not isinstance(cell, int | float | np.number | np.bool_):
            raise TypeError(f"{where} has {cell!r} in row {row}, a {type(cell).__name__}; it must have real numbers")


def is_missing(label: object) -> bool:
    """Return whether a label is NaN, NaT or pandas' NA; None is a label like others."""
    try:
        return label is not None and bool(label != label)
    except TypeError:  # NA is neither equal to itself nor another
        return True


def as_bool_array(values: object, name: str) -> NDArray[np.bool_]:
    """Return a bool vector or matrix."""
    array = as_array(values, name)
    if array.ndim not in (1, 2):
        raise ValueError(f"{name} has shape {array.shape}; it must be a vector or a matrix")
    if array.size == 0 and is_real(array):  # an empty list does not show its type
        return array.astype(bool)
    if array.dtype != bool:
        raise TypeError(f"{name} has elements of type {array.dtype}; they must be bool")
    return array


def as_labels(values: object, name: str) -> Array:
    """Return a vector of labels of any kind, each one as it came."""
    array = as_array(values, name)
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}; it must be a vector with one label per pattern")
    return array


def require_equal_lengths(**arrays: Sized) -> None:
    """Raise ValueError unless all the arrays have one entry per pattern."""
    if len({len(array) for array in arrays.values()}) > 1:
        sizes = ", ".join(f"{name} {len(array)}" for name, array in arrays.items())
        raise ValueError(f"the number of patterns differs: {sizes}")


def require_finite(matrix: Array, name: str) -> None:
    """Raise ValueError naming the first element that is NaN or infinite."""
    finite = np.isfinite(matrix)
    if not finite.all():
        row, column = np.argwhere(~finite)[0]
        raise ValueError(f"{name}: row {row}, column {column} is {matrix[row, column]}; every value must be finite")


def as_single_precision(matrix: Array, name: str) -> NDArray[np.float32]:
    """Return a matrix in the float32 of the networks; no value may be NaN, infinite, or too large for it."""
    with np.errstate(over="ignore"):  # what is too large becomes infinite
        single = matrix.astype(np.float32, copy=False)
    require_finite(single, name)
    return single


def closest(word: object, known: Iterable[Label], what: str | None = None) -> str:
    """Return the end of a sentence about an unknown word: the likeliest candidate, or all of them.

    With `what` it says what they are, and names the first of many.
    """
    names = {str(name).casefold(): name for name in known}
    close = difflib.get_close_matches(word.casefold(), names, n=1) if isinstance(word, str) else []
    if close:
        return f"; did you mean {names[close[0]]!r}?"
    if what is None:
        return f"; it must be one of {list(names.values())}"
    return f"; {what} are {', '.join(map(repr, list(names.values())[:8]))}{', ...' if len(names) > 8 else ''}"


def shortened(value: object, width: int = 60) -> str:
    """Return the representation of `value`, cut where it would swamp a sentence."""
    text = repr(value)
    return text if len(text) <= width else text[: width - 1] + "…"


def warn_caller(message: str) -> None:
    """Issue a UserWarning that points at the line outside this package which led to it."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("practica."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, UserWarning, stacklevel=level)
