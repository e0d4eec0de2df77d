"""Plain data: all that passes between the student's process and the one that sends it requests.

In both directions: None, bool, int, float, complex, str, numeric, bool, text and object arrays,
lists, tuples, sets, frozensets and dicts, and the small marks of this module:

    Handle(number)      an object that stays where it is: a trained network, a function
    Opaque(name)        an object sent only as the name of its type
    Function(name)      argument only: becomes a torch function there, for `transferFunctions`
    Network(W, b, act)  argument only: becomes a torch network there, for doubles of those that
                        build or train one

If a caller asks for exact values, dates and times, fractions and decimals, bytes and tables of
pandas travel as well, and iterators arrive as lists of what they give, dataclasses as dicts.
Otherwise fractions and decimals arrive as floats, pandas' columns as arrays.

numpy's scalars arrive as Python's, torch's tensors as arrays, named tuples as tuples, ranges and
the like as lists, the keys and the items of a dict as sets; `Answer.kind` and `Answer.kinds` record
what they were.

It is careful with hostile objects (exact types, no comparison, no `repr`) only to give honest
students better answers: it runs in the student's process, where the grader can trust nothing.
"""

from __future__ import annotations

import array
import builtins
import collections
import datetime
import math
import numbers
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.grading.inside import frames

# arrays, by the type of their elements
Array = NDArray[Any]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]

# as they are before the student's file is imported
globals()["__builtins__"] = vars(builtins).copy()
_array, _asarray, _empty = np.array, np.asarray, np.empty  # and before any is forbidden

MAX_DEPTH = 24  # lists within lists
MAX_NODES = 10_000  # values in one answer, the elements of numeric arrays not counted
MAX_BYTES = 4 << 20  # bytes of one answer
MAX_TEXT = 1 << 20  # characters of one text
# bytes that a character counts for: strings take so much longer to be read than numbers
CHARACTER = 64
ROW = 8  # bytes that the elements of a matrix count for at least, and rows of no elements
MAX_MESSAGE = 2_000  # characters of an error's message
MOST_ITEMS = 1_000  # that are read of an iterator
MOST_DIGITS = 4_000  # characters of a decimal or a fraction
# types that stay what they are where that is asked for; a type comes before those it derives from
EXACT: tuple[Any, ...] = (
    *(datetime.datetime, datetime.date, datetime.time, datetime.timedelta),
    *(Decimal, Fraction),
)
_NOTHING = object()
_VALUES: type = type({}.values())
# views of a dict that are equal to a set, as Python compares them
_SETS_TO_PYTHON: tuple[type, ...] = (type({}.keys()), type({}.items()))
FUNCTIONS = ("sigmoid", "tanh", "relu", "identity", "softplus", "sin", "square")


@dataclass(frozen=True, slots=True)
class Handle:
    """An object that stays in the student's process, where `number` identifies it."""

    number: int


@dataclass(frozen=True, slots=True)
class Opaque:
    """An object that is not plain data; only the name of its type is known."""

    type: str


@dataclass(frozen=True, slots=True)
class Function:
    """A transfer function by name, one of `FUNCTIONS`.

    It becomes a torch function where the student's code runs.
    """

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A network with `activation(inputs @ weight.T + bias)` as last layer.

    It becomes a `torch.nn.Sequential`.

    The layers before that one are pairs of weight and bias; their functions are sigmoids if none
    are given.
    """

    weight: Array
    bias: Array
    activation: str = "identity"
    hidden: list[list[Array]] = field(default_factory=list)
    functions: list[Function | Handle] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception of the student's code: its type, message, and the line of the student's file it
    came through.

    `classes`: the names of its type and of all that it derives from.
    """

    type: str
    message: str
    line: int | None
    classes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """The answer to a call: its value or its error, its arguments afterwards, and its output."""

    value: Any = None  # the result; None after an error
    error: Failure | None = None  # the exception that ended the call
    # the arguments after the call, the keyword ones last, where the caller wants them
    args: list[Any] | None = None
    # the position of the argument that *is* the returned object, if one is
    same_object: int | None = None
    # kind, kinds: the type's name of the result as the student returned it and, for tuples and
    # lists of at most 32, of its elements ("ndarray", "Tensor", "int64"...)
    kind: str = "NoneType"
    kinds: list[str] = field(default_factory=list)
    printed: str = ""  # the beginning of what the call printed

    @property
    def raised(self) -> list[str]:
        """The names of the class of the error and of those it derives from; empty without one."""
        return self.error.classes if self.error else []


@dataclass(frozen=True, slots=True, eq=False)
class RecordedCall:
    """A call of a double, as it was recorded."""

    name: str  # the double's name
    # args, kwargs: the arguments as they were given; what may be left out, by its name
    args: list[Any]
    kwargs: dict[str, Any]
    # the same arguments by the parameter names of the real function, defaults included; empty where
    # they do not fit, or have no names
    bound: dict[str, Any]
    result: Any  # what the double returned
    owner: dict[str, Any]  # for a method: "class" and, for an estimator, "params"; otherwise empty


@dataclass(frozen=True, slots=True, eq=False)
class Transcript:
    """A call with doubles: its answer, and the calls of the doubles in the order in which they
    began.
    """

    answer: Answer
    calls: list[RecordedCall]


class _TooLargeError(Exception):
    pass


class _IteratorError(Exception):
    """The student's code has raised `cause` while an iterator of its own was being read."""

    def __init__(self, cause: Exception) -> None:
        super().__init__()
        self.cause = cause


def failure_of(exception: BaseException, path: str | None) -> Failure:
    """Reduce an exception to its type's name, message, and last line inside the student's file."""
    line: int | None = None
    if (
        isinstance(exception, SyntaxError)
        and exception.filename == path
        and type(exception.lineno) is int
    ):
        line = exception.lineno
    step = exception.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == path:
            line = step.tb_lineno
        step = step.tb_next
    classes = type.__dict__["__mro__"].__get__(type(exception))
    return Failure(
        name_of_type(exception), _text_of(exception), line, [*map(_name_of_class, classes)]
    )


def to_plain(
    value: Any, keep: Callable[[Any], Handle] | None = None, *, exact: bool = False
) -> Any:
    """Turn any object into plain data.

    `exact`: whether the data stay what they are where that is plain too: dates, fractions and
        decimals, bytes and tables of pandas. Then an iterator is read to its end, or as far as
        `MOST_ITEMS`, as the list of what it gives; an error in it is raised.
    `keep`: given an object that can be called or has parameters, stores it and returns its Handle;
        without it such an object becomes Opaque.
    Returned: Opaque for everything that is not plain, is too deep or too large, or fails while it
    is looked at.
    """
    try:
        return _Plain(keep, exact=exact).convert(value, 0)
    except KeyboardInterrupt:
        raise
    except _IteratorError as error:
        raise error.cause from None
    except _TooLargeError:
        return Opaque(f"{name_of_type(value)} (too large)")
    except BaseException:
        return Opaque(name_of_type(value))


class _Plain:
    def __init__(self, keep: Callable[[Any], Handle] | None, *, exact: bool) -> None:
        self.keep, self.exact = keep, exact
        self.nodes = self.bytes = 0

    def spend(self, size: int) -> None:
        self.nodes += 1
        self.bytes += size
        if self.nodes > MAX_NODES or self.bytes > MAX_BYTES:
            raise _TooLargeError

    def convert(self, value: Any, depth: int) -> Any:  # noqa: C901, one case for each kind of value
        if depth > MAX_DEPTH:
            raise _TooLargeError
        self.spend(8)
        kind = type(value)
        if value is None or kind is bool or kind is float or kind is complex:
            return value
        if kind is int or (issubclass(kind, int) and kind is not bool):
            self.spend(int.bit_length(value) // 8)
            return int.__index__(value)
        if issubclass(kind, str):
            text = str.__str__(value) if kind is not str else value
            if len(text) > MAX_TEXT:
                raise _TooLargeError
            self.spend(CHARACTER * len(text))
            return text if type(text) is str else "".join(str.__iter__(text))
        if issubclass(kind, np.generic):
            return self.scalar(value, depth)
        if issubclass(kind, float):
            return float.__float__(value)
        if issubclass(kind, np.ndarray):
            return self.array(np.ndarray.view(value, np.ndarray), depth)
        if issubclass(kind, list):
            return [self.convert(item, depth + 1) for item in list.__iter__(value)]
        if issubclass(kind, tuple):
            return tuple(self.convert(item, depth + 1) for item in tuple.__iter__(value))
        if issubclass(kind, dict):
            items = [
                (self.convert(key, depth + 1), self.convert(item, depth + 1))
                for key, item in dict.items(value)
            ]
            return _hashed(dict, items, value)
        if issubclass(kind, set | frozenset):
            form = frozenset if issubclass(kind, frozenset) else set
            elements = [self.convert(item, depth + 1) for item in form.__iter__(value)]
            return _hashed(form, elements, value)
        if kind in _SETS_TO_PYTHON:
            return _hashed(set, [self.convert(item, depth + 1) for item in value], value)
        if kind is range or kind is collections.deque or kind is array.array:
            return [self.convert(item, depth + 1) for item in value]
        if kind is Handle or kind is Opaque:
            return value
        return self.other(value, kind, depth)

    def scalar(self, value: Any, depth: int) -> Any:
        if value.dtype.kind in "biufcU":
            plain = value.item()
            # longdouble stays numpy's own
            return float(plain) if isinstance(plain, np.floating) else plain
        if self.exact and value.dtype.kind in "mM":
            return self.convert(in_microseconds(value).item(), depth)
        return Opaque(name_of_type(value))

    def array(self, value: Array, depth: int) -> Any:
        # a reader may take it for a list of rows, and those can be many without any bytes
        if value.ndim > 1:
            self.spend(ROW * math.prod(side or 1 for side in value.shape))
        if self.exact and value.dtype.kind in "mM":
            value = in_microseconds(value).astype(object)
        if value.dtype.kind == "O":
            flat = [self.convert(item, depth + 1) for item in value.ravel().tolist()]
            result = _empty(len(flat), dtype=object)
            for position, item in enumerate(flat):
                result[position] = item
            return result.reshape(value.shape)
        if value.dtype.kind not in "biufcU":
            return Opaque(f"ndarray of {value.dtype.kind}")
        self.spend(value.nbytes if value.dtype.kind != "U" else CHARACTER * value.nbytes // 4)
        dtype = value.dtype.newbyteorder("=")
        if dtype.kind in "fc" and dtype.itemsize not in (2, 4, 8, 16 if dtype.kind == "c" else 8):
            dtype = np.dtype(float if dtype.kind == "f" else complex)
        return _array(value, dtype=dtype, order="C", copy=True)

    def other(self, value: Any, kind: type, depth: int) -> Any:
        torch = sys.modules.get("torch")
        if torch is not None and issubclass(kind, torch.Tensor):
            return self.array(as_array(value), depth)
        if self.exact and (found := self.exactly(value, kind, depth)) is not _NOTHING:
            return found
        if frames.is_of_pandas(kind) and hasattr(kind, "to_numpy"):
            return self.array(_asarray(value.to_numpy()), depth)
        if issubclass(kind, numbers.Number) and hasattr(kind, "__float__"):
            return float(value)
        if is_dataclass(kind) and hasattr(kind, "__iter__"):
            return tuple(self.convert(item, depth + 1) for item in value)
        if self.keep is not None and (
            has_call(value) or hasattr(kind, "forward") or hasattr(kind, "parameters")
        ):
            return self.keep(value)
        if self.exact and hasattr(kind, "__next__"):
            return self.items(value, depth)
        return Opaque(name_of_type(value))

    def exactly(self, value: Any, kind: type, depth: int) -> Any:
        """Convert a value that is sent without loss where exact values are wanted: bytes, dates,
        times, fractions, decimals and tables of pandas. The values of a dict become a list, a
        dataclass becomes a dict. Return `_NOTHING` for any other value.
        """
        if issubclass(kind, bytes | bytearray):
            self.spend(len(value))
            return bytes(value)
        for exact in EXACT:
            if issubclass(kind, exact):
                self.spend(CHARACTER * len(str(value)))
                return read_exact(exact.__name__, written_exact(exact, value))
        if frames.kind_of(value):
            parts = self.convert(frames.parts_of(value), depth + 1)
            return frames.table_of(parts)
        if kind is _VALUES:
            return [self.convert(item, depth + 1) for item in value]
        if is_dataclass(kind) and not hasattr(kind, "__iter__"):
            names = [each.name for each in fields(kind)]
            return {name: self.convert(getattr(value, name), depth + 1) for name in names}
        return _NOTHING

    def items(self, iterator: Any, depth: int) -> list[Any]:
        """Return the first `MOST_ITEMS` items of an iterator; raise `_IteratorError` if it
        raises.
        """
        found: list[Any] = []
        while len(found) < MOST_ITEMS:
            try:
                item = next(iterator)
            except StopIteration:
                break
            except Exception as error:
                raise _IteratorError(error) from None
            found.append(self.convert(item, depth + 1))
        return found


def in_microseconds(value: Any) -> Any:
    """Return numpy's dates or durations in microseconds, the unit of Python's."""
    return value.astype(f"{value.dtype.kind}8[us]")


def written_exact(kind: Any, value: Any) -> str:
    """Return a date, a time, a fraction or a decimal as text; `kind` is its type, one of
    `EXACT`.
    """
    if kind is datetime.timedelta:
        return f"{value.days} {value.seconds} {value.microseconds}"
    return str(value) if kind in (Decimal, Fraction) else kind.isoformat(value)


def read_exact(name: str, text: str) -> Any:
    """Return the value of a string that `written_exact` wrote; `name` is that of its type."""
    kind = {each.__name__: each for each in EXACT}[name]
    if len(text) > MOST_DIGITS:
        raise ValueError("too long a number")
    if kind is datetime.timedelta:
        days, seconds, micros = map(int, text.split(" "))
        return datetime.timedelta(days, seconds, micros)
    return kind(text) if kind in (Decimal, Fraction) else kind.fromisoformat(text)


def _hashed(form: type, items: list[Any], value: Any) -> Any:
    """Return a set or dict of plain items; Opaque if one has no hash or two have become equal."""
    try:
        plain = form(items)
    except TypeError:
        return Opaque(name_of_type(value))
    return plain if len(plain) == len(items) else Opaque(name_of_type(value))


def has_call(value: Any) -> bool:
    """Return whether an object can be called, without running code of its own."""
    return any("__call__" in vars(base) for base in type.__dict__["__mro__"].__get__(type(value)))


def name_of_type(value: Any) -> str:
    """Return the name of an object's type."""
    return _name_of_class(type(value))


def _name_of_class(kind: type) -> str:
    name = type.__dict__["__name__"].__get__(kind)
    return name[:100] if type(name) is str else "object"


def kinds_of(value: Any) -> list[str]:
    """Return the names of the types of the elements of a short tuple or list; none for anything
    else.
    """
    if issubclass(type(value), tuple) and tuple.__len__(value) <= 32:
        return [name_of_type(item) for item in tuple.__iter__(value)]
    if issubclass(type(value), list) and list.__len__(value) <= 32:
        return [name_of_type(item) for item in list.__iter__(value)]
    return []


def _text_of(value: Any) -> str:
    """Return the beginning of the text of an object; nothing if that fails."""
    try:
        text = str(value)
        return text[:MAX_MESSAGE] if type(text) is str else ""
    except KeyboardInterrupt:
        raise
    except BaseException:
        return ""


def as_array(value: Any) -> Array:
    """Return an array or a tensor as a new array."""
    torch = sys.modules.get("torch")
    if torch is not None and issubclass(type(value), torch.Tensor):
        value = value.detach().cpu()
        if value.dtype == torch.bfloat16:
            value = value.float()
        return _array(value.numpy())
    return _array(value)
