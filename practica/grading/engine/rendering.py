"""Plain data compared, and written as text: as Python source that can be run again, and short for a
sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from practica.grading.inside import frames
from practica.grading.inside.plain_data import Failure, Function, Handle, Network, Opaque
from practica.json_data import shortened

LONGEST_CODE = 8_000  # characters of a call that is to be copied and run
DIGITS = 6  # digits of a float in a sentence
LONGEST_TEXT = 240  # characters of a value inside a sentence

# a function's name and its arguments
Call: TypeAlias = "tuple[str, Sequence[Any], Mapping[str, Any]]"


class Words(str):
    """A description of a value that a sentence shows without quotes."""

    __slots__ = ()


TOLERANCE = 1e-5  # single precision is legal


def close(obtained: Any, expected: Any, tolerance: float = TOLERANCE) -> bool:
    """Return whether numbers or arrays agree up to the tolerance, relative above 1.

    NaN agrees with NaN.
    """
    try:
        first, second = np.asarray(obtained, dtype=float), np.asarray(expected, dtype=float)
    except OverflowError:  # an int beyond all floats
        return False
    if first.shape != second.shape:
        return False
    same = first == second
    if same.all():  # mostly
        return True
    with np.errstate(all="ignore"):  # np.allclose, in a third of the time
        near = np.abs(first - second) <= tolerance + tolerance * np.abs(second)
    near &= np.isfinite(second)
    return bool((same | near | np.isnan(first) & np.isnan(second)).all())


def equal(first: Any, second: Any) -> bool:
    """Return whether two pieces of plain data are the same: types of containers, dtypes and NaN
    included.
    """
    if type(first) is not type(second):
        return False
    if frames.kind_of(first):
        return equal(frames.parts_of(first), frames.parts_of(second))
    if isinstance(first, np.ndarray):
        if _width(first) != _width(second) or first.shape != second.shape:
            return False
        if first.dtype == object:
            return all(map(equal, first.ravel().tolist(), second.ravel().tolist()))
        return bool(np.array_equal(first, second, equal_nan=first.dtype.kind in "fc"))
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(map(equal, first, second))
    if isinstance(first, dict):
        return equal([*first.items()], [*second.items()])
    if isinstance(first, set | frozenset):
        return equal(ordered(first), ordered(second))
    return bool(first == second) or (first != first and second != second)


def _width(array: np.ndarray[Any, Any]) -> tuple[str, int]:
    """Return what tells dtypes apart: the kind, and the bytes of an element, 0 for strings of any
    length.
    """
    return array.dtype.kind, 0 if array.dtype.kind == "U" else array.dtype.itemsize


def ordered(values: Iterable[Any]) -> list[Any]:
    """Return the elements of a set in an order that is the same in every process, numbers first.

    >>> ordered({"b", 10, "a", 9, None})
    [9, 10, 'a', 'b', None]
    """

    def place(value: Any) -> tuple[float, str]:
        is_number = type(value) in (bool, int, float) and value == value
        return (value if is_number else float("inf")), code_of_value(value)

    return sorted(values, key=place)


def code_of(call: Call, short: bool = False) -> str:
    """Write a call as Python source; with `short`, long values are cut for a sentence."""
    name, args, kwargs = call
    return f"{name}({', '.join(code_of_arguments(args, kwargs, short))})"


def code_of_arguments(args: Sequence[Any], kwargs: Mapping[str, Any], short: bool) -> list[str]:
    """Write each argument of a call as Python source; with `short`, long values are cut for a
    sentence.
    """
    texts = [_python(value, short) for value in args]
    return texts + [f"{name}={_python(value, short)}" for name, value in kwargs.items()]


def _python(value: Any, short: bool = False) -> str:
    """Write plain data as Python source, cut at `LONGEST_CODE` characters or, with `short`, for a
    sentence.
    """
    text = code_of_value(value)
    if short and len(text) > LONGEST_TEXT and isinstance(value, np.ndarray):
        return f"<{'×'.join(map(str, value.shape))} {value.dtype}>"
    if short and isinstance(value, tuple | list) and len(text) > LONGEST_TEXT:
        inner = ", ".join(_python(item, short) for item in value[:8]) + (
            ", …" if len(value) > 8 else ""
        )
        return f"({inner})" if isinstance(value, tuple) else f"[{inner}]"
    limit = LONGEST_TEXT if short else LONGEST_CODE
    return text if len(text) <= limit else text[:limit] + "…"


_UNWRITTEN = {"np.nan", "np.inf", "-np.inf", "-0.0"}  # parts that a complex number loses as 1+2j
# not in torch itself
_ELSEWHERE = {"identity": "torch.nn.Identity()", "softplus": "torch.nn.functional.softplus"}


def code_of_value(value: Any) -> str:
    """Write plain data as Python source without leaving anything out."""
    match value:
        case np.ndarray():
            return _array(value)
        case float() if value != value:
            return "np.nan"
        case float() if abs(value) == float("inf"):
            return "np.inf" if value > 0 else "-np.inf"
        case complex():
            parts = [code_of_value(value.real), code_of_value(value.imag)]
            is_negated = value.real == 0 > value.imag  # -1j is -(0+1j), which has a zero of its own
            if _UNWRITTEN.isdisjoint(parts) and not is_negated:
                return repr(value)
            return f"complex({', '.join(parts)})"
        case list() | tuple() | dict() | set() | frozenset():
            return _container(value)
        case Function():
            return _ELSEWHERE.get(value.name, f"torch.{value.name}")
        case Handle() | Network():
            return "<ann>"
        case Opaque():
            return f"<{value.type}>"
        case Failure():
            return f"{value.type}: {value.message}"
    return _of_pandas(value) if frames.is_of_pandas(type(value)) else repr(value)


def _of_pandas(value: Any) -> str:
    """Write a table or a value of pandas as Python source; the index is left out if it counts the
    rows, and a type if pandas finds it by itself.
    """
    kind = frames.kind_of(value)
    if not kind:
        return f"pd.{repr(value).strip('<>')}"  # <NA>
    if kind == "Index":
        labels = _labels(value)
        return labels if labels.startswith("pd.") else f"pd.Index({labels})"
    index = "" if frames.counts_rows(value.index) else _labels(value.index)
    if kind == "DataFrame":
        return _frame(value, index)
    rows = index and f", index={index}"
    return f"pd.Series({code_of_value(value.tolist())}{rows}{_type_and_name(value)})"


def _frame(table: Any, index: str) -> str:
    """Write a table; its `index` is already written, or empty."""
    columns = [_labels(table.iloc[:, at].rename(None)) for at in range(table.shape[1])]
    names, keys = _labels(table.columns), [*map(code_of_value, table.columns)]
    is_plain = names.startswith("[") and len({*keys}) == len(keys)
    pairs = zip(keys if is_plain else range(len(keys)), columns, strict=True)
    text = f"pd.DataFrame({{{', '.join(f'{key}: {column}' for key, column in pairs)}}}"
    if any(column.startswith("pd.") for column in columns):  # they would look for their own rows
        text += f").set_axis({index})" if index else ")"
    else:
        text += f", index={index})" if index else ")"
    return text if is_plain else f"{text}.set_axis({names}, axis=1)"


def _labels(values: Any) -> str:
    """Write a column or an index of pandas, as a list if that says all of it."""
    items = code_of_value(values.tolist())
    if getattr(values, "nlevels", 1) > 1:
        return f"pd.MultiIndex.from_tuples({items}, names={code_of_value([*values.names])})"
    more = _type_and_name(values)
    return f"pd.{frames.kind_of(values)}({items}{more})" if more else items


def _type_and_name(values: Any) -> str:
    dtype = "" if frames.has_usual_type(values) else f", dtype={str(values.dtype)!r}"
    return dtype if values.name is None else f"{dtype}, name={code_of_value(values.name)}"


def _container(value: Any) -> str:
    """Write a list, tuple, dict, set or frozenset as Python source without leaving anything out."""
    if isinstance(value, set | frozenset):
        return _set_of(map(code_of_value, ordered(value)), value)
    if isinstance(value, dict):
        items = (f"{code_of_value(key)}: {code_of_value(item)}" for key, item in value.items())
        return f"{{{', '.join(items)}}}"
    text = ", ".join(map(code_of_value, value))
    if isinstance(value, list):
        return f"[{text}]"
    return f"({text}{',' if len(value) == 1 else ''})"


def _set_of(elements: Iterable[str], value: set[Any] | frozenset[Any]) -> str:
    """Write a set or a frozenset; its elements are already written, and `value` is the original
    set.
    """
    inside = f"{{{', '.join(elements)}}}" if value else ""
    return inside if inside and type(value) is set else f"{type(value).__name__}({inside})"


def _array(value: np.ndarray[Any, Any]) -> str:
    """Write an array as Python source.

    Elements that are sequences are written one by one, because `np.array` would make dimensions of
    them. The shape is added if such an array is not a vector, or if rows are empty.
    """
    one_by_one = value.dtype == object and any(
        isinstance(each, list | tuple | np.ndarray) for each in value.flat
    )
    items = code_of_value(value.ravel().tolist() if one_by_one else value.tolist())
    text = f"np.{'fromiter' if one_by_one else 'array'}({items}{_dtype(value)})"
    is_flat = (one_by_one and value.ndim != 1) or (value.ndim > 1 and not value.size)
    return f"{text}.reshape({value.shape})" if is_flat else text


def _dtype(value: np.ndarray[Any, Any]) -> str:
    if value.dtype == object:
        return ", dtype=object"
    if value.dtype.kind == "U" and not value.size:
        return ", dtype=str"
    if value.dtype.kind not in "biufU" or not value.size:
        return f", dtype={value.dtype.name!r}"
    return (
        ""
        if np.array(value.tolist()).dtype.kind == value.dtype.kind and value.dtype.itemsize == 8
        else ("" if value.dtype.kind in "bU" else f", dtype={value.dtype.name!r}")
    )


def show(value: Any, *, quoted: bool = True, digits: int = DIGITS) -> str:
    """Write a value for a sentence: rounded, without `np.array(...)`, and not too long.

    `quoted`: whether a string stands in quotes.
    `digits`: the digits of floats.
    """
    return shortened(_shown(value, quoted, digits), LONGEST_TEXT)


def show_apart(facts: Mapping[str, Any]) -> dict[str, str]:
    """Write the obtained and the expected value with as many digits as show a difference, or else
    as Python source from where they differ.

    >>> show_apart({"obtained": 0.12345678, "expected": 0.12345671})
    {'obtained': '0.12345678', 'expected': '0.12345671'}
    >>> show_apart({"obtained": np.array([1.0]), "expected": np.array([1])})
    {'obtained': 'np.array([1.0])', 'expected': 'np.array([1])'}
    """
    pair = {name: facts[name] for name in ("obtained", "expected") if name in facts}
    written: dict[str, str] = {}
    for digits in (DIGITS, 8, 17):
        written = {name: show(value, digits=digits) for name, value in pair.items()}
        if len({*written.values()}) == len(pair):
            return written
    codes = {name: code_of_value(value) for name, value in pair.items()}
    if len({*codes.values()}) < len(pair):
        return written
    together = enumerate(zip(*codes.values(), strict=False))
    first = next((at for at, (one, other) in together if one != other), 0)
    begin = max(0, first - LONGEST_TEXT // 2)
    left_out = "…" if begin else ""
    return {name: shortened(left_out + code[begin:], LONGEST_TEXT) for name, code in codes.items()}


def _shown(value: Any, quoted: bool = True, digits: int = DIGITS) -> str:
    match value:
        case Words():
            return value
        case str():
            value = value[: LONGEST_TEXT + 1]
            return repr(value) if quoted else value
        case bool() | int() | None:
            return repr(value)
        case float() | np.floating():
            return f"{float(value):.{digits}g}"
        case np.ndarray() if value.ndim:
            return f"[{', '.join(_first_of(value, digits))}]"
        case np.ndarray():
            return _shown(value.item(), digits=digits)
        case np.generic():
            return _shown(value.item(), digits=digits)
        case list():
            return f"[{', '.join(_first_of(value, digits))}]"
        case tuple():
            return f"({', '.join(_first_of(value, digits))}{',' if len(value) == 1 else ''})"
        case dict():
            items = zip(value, _first_of(value.values(), digits), strict=False)
            return f"{{{', '.join(f'{_shown(key)}: {item}' for key, item in items)}}}"
        case set() | frozenset():
            return _set_of(_first_of(ordered(value), digits), value)
    return code_of_value(value)


def _first_of(values: Iterable[Any], digits: int) -> list[str]:
    """Write the first of some values, as many as fit into a sentence."""
    found: list[str] = []
    size = 0
    for value in values:
        found.append(_shown(value, digits=digits))
        size += len(found[-1]) + 2
        if size > LONGEST_TEXT:
            break
    return found
