"""Checks of what the caller passed: one clear sentence with the value, the allowed range and the
culprit.
"""

from __future__ import annotations

import decimal
import itertools
import math
import numbers
import operator
import sys
import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence, Sized
from typing import Any, SupportsFloat, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from practica.json_data import shortened
from practica.nearest import closest

__all__ = [
    "Array",
    "Bools",
    "Floats",
    "Integers",
    "Label",
    "Labels",
    "Numbers",
    "Positions",
    "Singles",
    "as_array",
    "as_bool_array",
    "as_integer",
    "as_labels",
    "as_real",
    "as_real_array",
    "as_real_matrix",
    "as_rows",
    "as_single_precision",
    "brief",
    "closest",
    "is_missing",
    "is_real",
    "require_equal_lengths",
    "require_finite",
    "warn_caller",
]

Array: TypeAlias = NDArray[Any]  # elements of any type
Numbers: TypeAlias = NDArray[np.integer[Any]]
Floats: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]
Integers: TypeAlias = NDArray[np.int64]
Positions: TypeAlias = NDArray[np.intp]  # patterns by number, from 0
Bools: TypeAlias = NDArray[np.bool_]
Real: TypeAlias = SupportsFloat | SupportsIndex
Label: TypeAlias = Hashable  # what names a class
Labels: TypeAlias = "ArrayLike | Sequence[Label]"  # labels from the caller, perhaps of mixed types

_LAST_WHOLE_FLOAT = 1 << 53  # beyond it a float stands for several integers


def as_integer(value: SupportsIndex, name: str, *, minimum: int) -> int:
    """Return `value` as an int of at least `minimum`; a bool is not an integer here, as in Julia.
    `name` is its name in errors.
    """
    try:
        if (
            isinstance(value, bool | np.bool_)
            or getattr(value, "ndim", False)
            or "bool" in str(getattr(value, "dtype", ""))
        ):
            # an array or a tensor of one integer is that integer only without dimensions
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(
            f"{name}={value!r} is a {type(value).__name__}; it must be an integer"
        ) from None
    if number < minimum:
        raise ValueError(f"{name}={number} is out of range; it must be at least {minimum}")
    return number


def as_real(
    value: Real, name: str, *, low: float = -math.inf, high: float = math.inf, above: bool = False
) -> float:
    """Return `value` as a float in [low, high], or in (low, high] with `above`. `name` is its name
    in errors.
    """
    try:
        if isinstance(value, str | bytes | bytearray | np.complexfloating) or getattr(
            value, "ndim", False
        ):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(
            f"{name}={value!r} is a {type(value).__name__}; it must be a number"
        ) from None
    if not low <= number <= high or (above and number == low):  # NaN fails the first comparison
        opening = "(" if above else "["
        allowed = (
            f"greater than {low:g}"
            if above and high == math.inf
            else f"in {opening}{low:g}, {high:g}]"
        )
        shown = (
            f"{number:g}"
            if not low <= float(f"{number:g}") <= high or number in (low, high)
            else repr(number)
        )
        raise ValueError(f"{name}={shown} is out of range; it must be {allowed}")
    return number


def as_array(values: object, name: str) -> Array:
    """Turn a list, a tensor or a column of a table into an array, keeping the types of its
    elements.

    All data of callers come through here, so that a value is the same regardless of what holds it.
    `np.asarray(["perro", "gato", 3])` would turn the 3 into text. Here a list of bools becomes a
    bool array, a list of numbers a numeric one, a list of rows a matrix, and anything else an
    object array that keeps every element. A zero-dimensional array or tensor in a list is the value
    in it, and integers too long for a float stay integers. `name` is the name of the array in
    errors.
    """
    if isinstance(values, np.ma.MaskedArray):
        values = _unmasked(values, name)
    if isinstance(values, np.ndarray):
        array = np.asarray(values)  # np.matrix too, whose rows are matrices
        if (
            array.dtype == object
            and array.ndim == 1
            and any(map(_is_opened, set(map(type, array.tolist()))))
        ):
            return _of_elements(array.tolist(), name)
        return array
    if hasattr(values, "detach"):
        return _of_tensor(values, name)
    if hasattr(values, "toarray"):
        raise TypeError(f"{name} is a sparse {type(values).__name__}; give {name}.toarray()")
    if isinstance(values, memoryview):
        return np.asarray(values)
    if hasattr(values, "__array__"):
        return _of_column(values, name)
    unordered = isinstance(values, set | frozenset)
    if (
        isinstance(values, str | bytes | bytearray | Mapping)
        or unordered
        or not isinstance(values, Iterable)
    ):
        why = ", which has no order" if unordered else ""
        raise TypeError(
            f"{name}={brief(values)} is a {type(values).__name__}{why}; it must be an array or"
            " a list"
        )
    return _of_elements(list(values), name)


def _of_tensor(tensor: Any, name: str) -> Array:
    """Return a tensor of torch, perhaps sparse, conjugated or with a gradient, as an array."""
    try:
        plain = tensor.detach().cpu().to_dense().resolve_conj().resolve_neg()
        if plain.is_floating_point() and plain.element_size() < 4:
            plain = plain.float()  # numpy does not know bfloat16
        return np.asarray(plain.numpy())
    except (TypeError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise TypeError(
            f"{name} is a {type(tensor).__name__} that cannot become an array: {reason}"
        ) from None


def _of_column(values: Any, name: str) -> Array:
    """Return a column or table of pandas, polars or Arrow as an array; ValueError if a column of
    polars or Arrow has missing values.
    """
    # a column of polars, or of Arrow: they would become None or NaN
    nulls = getattr(values, "null_count", 0)
    if count := (
        nulls()
        if callable(nulls) and np.ndim(values) == 1
        else nulls
        if isinstance(nulls, int)
        else 0
    ):
        how_many = "a missing value" if count == 1 else f"{count} missing values"
        raise ValueError(
            f"{name} has {how_many}; leave the patterns out, with drop_nulls() or drop_null()"
        )
    array = np.asarray(values)
    if array.dtype == object and array.ndim == 1 and str(getattr(values, "dtype", "")) != "object":
        # nullable numbers and bools, which the column knows to be such
        return _of_elements(array.tolist(), name)
    return array


def _unmasked(values: np.ma.MaskedArray[Any, Any], name: str) -> Array:
    mask = np.ma.getmaskarray(values)
    if mask.any():
        place = ", ".join(map(str, np.argwhere(np.atleast_1d(mask))[0]))
        raise ValueError(
            f"{name}: element {place} is masked; leave it out, or give it a value with"
            f" {name}.filled(...)"
        )
    return np.asarray(values.data)


def _is_opened(kind: type) -> bool:
    """Return whether an element of this type is replaced by what it contains: other values, or a
    single one.
    """
    is_array = hasattr(kind, "__array__") and not issubclass(kind, np.generic)
    return is_array or issubclass(kind, list) or hasattr(kind, "as_py")


def _of_elements(elements: list[Any], name: str) -> Array:
    kinds = set(map(type, elements))
    if any(map(_is_opened, kinds)):
        if kinds != {list}:
            elements = [_opened(element, name) for element in elements]
        if all(isinstance(row, list | np.ndarray) for row in elements):
            return _rows_as_matrix(elements, name)
        kinds = set(map(type, elements))
    if kinds and kinds <= {bool, np.bool_}:
        return np.asarray(elements)
    if all(issubclass(kind, int | float | np.number) and kind is not bool for kind in kinds):
        numbers = np.asarray(elements)
        exact = numbers.dtype.kind in "iu" or not any(
            issubclass(kind, int | np.integer) for kind in kinds
        )
        if exact or not any(map(_is_rounded, elements)):
            return numbers
    array = np.empty(len(elements), dtype=object)
    array[:] = elements
    return array


def _opened(element: Any, name: str) -> Any:
    """Return what an element of a list contains: the value of a zero-dimensional array or an Arrow
    scalar, or else a list or another array, which is a row; other elements unchanged.
    """
    if isinstance(element, list) or not _is_opened(type(element)):
        return element
    if hasattr(element, "as_py"):
        return element.as_py()
    array = as_array(element, name)
    return array[()] if array.ndim == 0 else array


def _is_rounded(number: Any) -> bool:
    """Return whether an integer may differ from the nearest float."""
    return isinstance(number, int | np.integer) and abs(int(number)) > _LAST_WHOLE_FLOAT


def _rows_as_matrix(rows: Sequence[Any], name: str) -> Array:
    columns = len(rows[0])
    for position, row in enumerate(rows):
        if len(row) != columns:
            raise ValueError(
                f"{name}: row {position} has {len(row)} elements and row 0 has {columns}"
            )
    dtypes = {row.dtype if isinstance(row, np.ndarray) else np.dtype(object) for row in rows}
    if len(dtypes) == 1 and np.dtype(object) not in dtypes:
        return np.stack(rows)
    elements = _of_elements([*itertools.chain.from_iterable(rows)], name)
    return elements.reshape(len(rows), columns, *elements.shape[1:])


def as_rows(values: object, name: str, *, numbers: bool = True) -> Array:
    """Return an array in which each tuple of bools is a row, not a label; also each tuple of
    numbers, unless `numbers` is false. `name` is the array's name in errors.
    """
    array = as_array(values, name)
    if (
        array.ndim == 1
        and len(array)
        and type(array[0]) is tuple
        and set(map(type, array.tolist())) == {tuple}
    ):
        kinds = set(map(type, itertools.chain.from_iterable(array.tolist())))
        if kinds and (kinds <= {bool, np.bool_} or (numbers and all(map(_is_number, kinds)))):
            return _rows_as_matrix(array.tolist(), name)
    return array


def _is_number(kind: type) -> bool:
    """Return whether the values of a type are real numbers (bool included)."""
    return issubclass(kind, numbers.Real | decimal.Decimal | np.bool_)


def is_real(array: Array) -> bool:
    """Return whether the elements are real numbers (bool included, as in Julia)."""
    return array.dtype.kind in "biuf"


def as_real_array(values: object, name: str) -> Array:
    """Return an array of real numbers of any shape, also where an array of objects or a table holds
    them.
    """
    array = as_rows(values, name)
    if array.dtype == object and array.ndim == 2 and hasattr(values, "columns"):
        return _cells_as_numbers(array, list(getattr(values, "column_names", values.columns)), name)
    if array.dtype == object and all(map(_is_number, set(map(type, array.ravel().tolist())))):
        return _as_float64(array, name)
    if not is_real(array):
        raise TypeError(f"{name} has elements of type {array.dtype}; they must be real numbers")
    return array


def as_real_matrix(values: object, name: str) -> Array:
    """Return a matrix of real numbers, patterns in rows."""
    array = as_real_array(values, name)
    if array.ndim != 2:
        raise ValueError(
            f"{name} has shape {array.shape}; it must be a matrix with one pattern per row"
        )
    return array


def _cells_as_numbers(cells: Array, columns: list[object], name: str) -> Floats:
    """Return cells of several types as floats: bools among floats, pandas' nullable types, and
    those of Arrow. `columns` are the names of the columns in errors.
    """
    result = np.empty(cells.shape)
    for place, column in enumerate(columns):
        if not all(map(_is_number, set(map(type, cells[:, place].tolist())))):
            _refuse_cell(cells[:, place], f"{name}: column {column!r}")
        result[:, place] = _as_float64(cells[:, place], name)
    return result


def _as_float64(cells: Array, name: str) -> Floats:
    try:
        return cells.astype(np.float64)
    except OverflowError:
        raise ValueError(f"{name} has an integer that is too large for a float") from None


def _refuse_cell(cells: Array, where: str) -> None:
    """Raise an error that names the first cell that is not a number, `where` it is, and how to mend
    it.
    """
    for row, cell in enumerate(cells.tolist()):
        if is_missing(cell) or cell is None:
            raise ValueError(
                f"{where}, row {row} is missing ({cell}); fill it, as sklearn.impute.SimpleImputer"
                " does, or leave the row out with dropna()"
            )
        if isinstance(cell, str):
            raise TypeError(
                f"{where} has text ({cell!r} in row {row}); pandas.get_dummies(...) makes columns"
                " of it"
            )
        if not _is_number(type(cell)):
            raise TypeError(
                f"{where} has {cell!r} in row {row}, a {type(cell).__name__}; it must have real"
                " numbers"
            )


def is_missing(label: object) -> bool:
    """Return whether a label is NaN, NaT or pandas' NA; None is a label like others."""
    try:
        return label is not None and bool(label != label)
    except TypeError:  # NA is neither equal to itself nor another
        return True


def as_bool_array(values: object, name: str) -> Bools:
    """Return a bool vector or matrix."""
    array = as_rows(values, name)
    if array.ndim not in (1, 2):
        raise ValueError(f"{name} has shape {array.shape}; it must be a vector or a matrix")
    if (
        array.dtype == object
        and array.ndim == 2
        and set(map(type, array.ravel().tolist())) <= {bool, np.bool_}
    ):
        return array.astype(bool)  # a table of nullable bools
    if array.size == 0 and is_real(array):  # an empty list does not show its type
        return array.astype(bool)
    if array.dtype != bool:
        raise TypeError(f"{name} has elements of type {array.dtype}; they must be bool")
    return array


def as_labels(values: object, name: str) -> Array:
    """Return a vector of labels of any type, each unchanged; `name` is the vector's name in
    errors.
    """
    array = as_array(values, name)
    if array.ndim != 1:
        raise ValueError(
            f"{name} has shape {array.shape}; it must be a vector with one label per pattern"
        )
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
        raise ValueError(
            f"{name}: row {row}, column {column} is {matrix[row, column]}; every value must be"
            " finite"
        )


def as_single_precision(matrix: Array, name: str) -> Singles:
    """Return a matrix in the float32 of the networks.

    Raises `ValueError` if a value is NaN, infinite or too large for it.
    """
    with np.errstate(over="ignore"):  # what is too large becomes infinite
        single = np.ascontiguousarray(matrix, dtype=np.float32)
    require_finite(single, name)
    return single


def some_of(names: Sequence[str], most: int = 8) -> str:
    """Return at most `most` names with commas between them, and how many more there are.

    >>> some_of(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def brief(value: object, width: int = 60) -> str:
    """Return the representation of a value, cut to `width` characters for a sentence."""
    return shortened(repr(value), width)


def warn_caller(message: str) -> None:
    """Issue a UserWarning that points at the line outside this package which led to it."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("practica."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, UserWarning, stacklevel=level)
