"""Plain data as bytes, and back without trust.

A message is a length, a node in JSON, and the elements of all numeric arrays, in the order in which
the node has them:

    4 bytes   length of the node, big-endian
    node      JSON in UTF-8, in which surrogates may stand alone
    elements  as they lie in memory: both ends are on one machine

A node is null, a bool, a number, a string, a list of nodes, or an object of one key, which says
what it is:

    {"tuple": [node, ...]}
    {"dict": {text: node, ...}}
    {"items": [key, node, ...]}      a dict with a key that is not text: keys and values in turn
    {"set": [node, ...]}             or "frozenset"
    {"complex": [real, imaginary]}
    {"bytes": text}                  each a letter of latin-1
    {"Decimal": text}                or another of `EXACT`
    {"table": [kind, ...]}           of pandas, see `practica.grading.inside.frames`
    {"f8": shape}                    an array of float64 or another of `_TYPES`; its elements come
                                     below
    {"texts": [shape, [node, ...]]}
    {"objects": [shape, [node, ...]]}
    {"Answer": {field: node, ...}}   or another record of `_FIELDS`; fields that have their default
                                     are left out

`decode` is total: for any bytes, it returns plain data or raises WireError, and what it returns has
exactly the types of this module, so that nothing the student wrote is ever called. Types are
compared with `type(x) is`.

A frame on the pipe is `MAGIC`, a nonce of 16 bytes that the trusted side chose for this one
request, the length of the message in 8 bytes, and the message. An answer repeats the nonce of its
request. So does a question, which may come before it; what is replied to it has a nonce of its own,
as a request has.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, NoReturn, TypeAlias

import numpy as np

from practica.grading.inside import frames
from practica.grading.inside.plain_data import (
    EXACT,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_NODES,
    MAX_TEXT,
    ROW,
    Answer,
    Array,
    Failure,
    Function,
    Handle,
    Network,
    Opaque,
    RecordedCall,
    Transcript,
    read_exact,
    written_exact,
)

# plain data, or the JSON that stands for it: nothing is known of either before it is read
Node: TypeAlias = Any
Type: TypeAlias = np.dtype[Any]
Test = Callable[[Node], bool]

_array, _empty = np.array, np.empty  # taken before any is forbidden

MAGIC = b"prc2"
NONCE = 16
FRAME = len(MAGIC) + NONCE + 8  # bytes in front of a message
MAX_MESSAGE_BYTES = 4 * MAX_BYTES
_MAX_HEADER = 2 * MAX_BYTES
_MAX_INT_BITS = 1 << 13  # Python writes at most 4300 digits
_MAX_INT = (1 << _MAX_INT_BITS) - 1
_MIN_INT = -_MAX_INT
_MAX_DIMENSIONS = 16
_MAX_SIDE = 1 << 27
_DEPTH = 2 * MAX_DEPTH  # the agent's records lie around its values
_NODES = 60 * MAX_NODES  # in one message, which may have many answers
# comparisons that Python makes of keys or elements with the same hash, in one message: numbers can
# be chosen so that all have the same, and to compare two sets takes as many again
_COMPARISONS = 1 << 18
_OF_SETS = 1 << 7
_TYPES = {
    name: np.dtype(name)
    for name in (
        "b1",
        "i1",
        "i2",
        "i4",
        "i8",
        "u1",
        "u2",
        "u4",
        "u8",
        "f2",
        "f4",
        "f8",
        "c8",
        "c16",
    )
}
_TYPE_NAMES = {dtype: name for name, dtype in _TYPES.items()}
_WRITE_JSON = json.JSONEncoder(
    separators=(",", ":"), ensure_ascii=False, check_circular=False
).encode
_READ_JSON = json.JSONDecoder().decode
# no int in a shorter one takes long to read, and Python refuses such ints by default
_LONG_HEADER = 10_000


class WireError(ValueError):
    """Bytes are not a message, or a value is not plain data; the message says why."""


def frame(nonce: bytes, message: bytes) -> bytes:
    """Return a message with the nonce and its length in front."""
    return MAGIC + nonce + len(message).to_bytes(8, "big") + message


def parse_frame(head: bytes) -> tuple[bytes, int]:
    """Return nonce and length from the first `FRAME` bytes of a frame; raise `WireError` if no
    frame begins like that.
    """
    if len(head) != FRAME or head[: len(MAGIC)] != MAGIC:
        raise WireError("not a frame")
    length = int.from_bytes(head[-8:], "big")
    if length > MAX_MESSAGE_BYTES:
        raise WireError(f"a message of {length} bytes; at most {MAX_MESSAGE_BYTES}")
    return head[len(MAGIC) : -8], length


def encode(value: object) -> bytes:
    """Turn plain data into a message, in which numpy's scalars are Python's.

    Raises `WireError` if something in it is not plain data, or it is too deep or too large.
    """
    writer = _Writer()
    (node,) = writer.fill([value], 0)
    header = _WRITE_JSON(node).encode("utf-8", "surrogatepass")
    message = b"".join([len(header).to_bytes(4, "big"), header, *writer.elements])
    if len(header) > _MAX_HEADER or len(message) > MAX_MESSAGE_BYTES:
        raise WireError(f"a message of {len(message)} bytes; at most {MAX_MESSAGE_BYTES}")
    return message


def decode(message: bytes) -> Node:
    """Turn a message into plain data.

    Raises `WireError`, and nothing else, if the bytes are not a message.
    """
    try:
        return _decode(message)
    except WireError:
        raise
    except (
        ValueError,
        TypeError,
        LookupError,
        ArithmeticError,
        RecursionError,
        MemoryError,
    ) as error:
        raise WireError(f"{type(error).__name__} while reading") from None


class _Writer:
    def __init__(self) -> None:
        self.elements: list[bytes] = []
        self.count = 0

    def fill(self, nodes: Node, depth: int) -> Node:
        """Replace each value of a list or dict by the node that stands for it, in place, and return
        the list or dict.

        `nodes`: a copy, which is changed.
        `depth`: how many containers it lies in.
        Raises `WireError` if a value is not plain data, or there are too many.
        """
        self.count += len(nodes)
        if depth > _DEPTH or self.count > _NODES:
            _refuse(f"more than {_DEPTH} levels or {_NODES} values")
        for place, value in nodes.items() if type(nodes) is dict else enumerate(nodes):
            kind = type(value)
            if kind is str:
                if len(value) > MAX_TEXT:
                    _refuse(f"a text of {len(value)} characters; at most {MAX_TEXT}")
            elif kind is int:
                if not _MIN_INT <= value <= _MAX_INT:
                    _refuse(f"an int of {value.bit_length()} bits; at most {_MAX_INT_BITS}")
            elif kind not in _ATOMS:
                writer = _WRITERS.get(kind)
                if writer is None and frames.kind_of(value):
                    writer = _write_table
                if writer is None:
                    _refuse(f"{kind.__name__} is not plain data")
                nodes[place] = writer(self, value, depth + 1)
        return nodes

    def mapping(self, values: dict[object, object], depth: int) -> Node:
        for key in values:
            if type(key) is not str:
                flat = [each for item in values.items() for each in item]
                return {"items": self.fill(flat, depth)}
        return {"dict": self.fill(values.copy(), depth)}

    def array(self, value: Array, depth: int) -> Node:
        _shape([*value.shape])  # one that the reader would refuse is not sent
        if value.dtype.kind in "OU":
            tag = "objects" if value.dtype.kind == "O" else "texts"
            return {tag: [value.shape, self.fill(value.ravel().tolist(), depth)]}
        name = _TYPE_NAMES.get(value.dtype)
        if name is None:
            native = value.dtype.newbyteorder("=")
            if native not in _TYPE_NAMES:
                _refuse(f"an array of {value.dtype} is not plain data")
            return self.array(value.astype(native), depth)
        self.elements.append(value.tobytes())
        return {name: value.shape}


class _Reader:
    def __init__(self, message: bytes, position: int) -> None:
        # where the elements of the next array stand
        self.message, self.position = message, position
        self.count, self.bytes = 0, len(message) - position
        self.comparisons = 0

    def fill(self, nodes: Node, form: Node, depth: int) -> Node:
        """Replace each node of a list or dict by the plain data that it stands for, in place, and
        return the list or dict.

        `form`: the type that `nodes` must have, list or dict.
        `depth`: how many containers it lies in.
        Raises `WireError` if it stands for none, or there are too many.
        """
        if type(nodes) is not form:
            _refuse("nodes of another form")
        self.count += len(nodes)
        if depth > _DEPTH or self.count > _NODES:
            _refuse("too deep or too many values")
        if form is dict and any(len(key) > MAX_TEXT for key in nodes):
            _refuse("a long key")
        for place, node in nodes.items() if form is dict else enumerate(nodes):
            kind = type(node)
            if kind is dict:
                ((tag, content),) = node.items()
                nodes[place] = _READERS[tag](self, content, depth + 1)
            elif kind is list:
                self.fill(node, list, depth + 1)
            elif kind is str:
                if len(node) > MAX_TEXT:
                    _refuse("a long text")
            elif kind is int and not _MIN_INT <= node <= _MAX_INT:
                _refuse("a long int")
        return nodes

    def hashed(self, form: Callable[[Node], Node], keys: list[Node], items: Node) -> Node:
        """Return a set or dict made of items with these keys; raise `WireError` if two are equal,
        or too many have the same hash.
        """
        times = Counter(map(hash, keys))
        if len(times) < len(keys):
            for key in keys:
                weight = _OF_SETS if _has_set(key) else 1
                self.comparisons += weight * (times[hash(key)] - 1)
        if self.comparisons > _COMPARISONS:
            _refuse("too many equal hashes")
        result = form(items)
        if len(result) != len(keys):
            _refuse("a key or an element twice")
        return result

    def mapping(self, nodes: Node, depth: int) -> Node:
        flat = self.fill(nodes, list, depth)
        keys = flat[::2]
        return self.hashed(dict, keys, zip(keys, flat[1::2], strict=True))

    def complex(self, parts: Node, depth: int) -> complex:
        real, imaginary = parts
        if not type(real) is type(imaginary) is float:
            _refuse("a complex number of other parts")
        return complex(real, imaginary)

    def texts(self, described: Node, depth: int) -> Array:
        shape, items = self.items(described, depth)
        if not all(type(item) is str for item in items):
            _refuse("a text array of other things")
        longest = max(map(len, items), default=0)
        self.bytes += 4 * longest * len(items)
        if self.bytes > MAX_MESSAGE_BYTES:  # one long text makes all of its array long
            _refuse("too many bytes")
        return _array(items, dtype=f"<U{max(1, longest)}").reshape(shape)

    def objects(self, described: Node, depth: int) -> Array:
        shape, items = self.items(described, depth)
        result = _empty(len(items), dtype=object)
        for position, item in enumerate(items):
            result[position] = item
        return result.reshape(shape)

    def items(self, described: Node, depth: int) -> tuple[tuple[int, ...], list[Node]]:
        sides, nodes = described
        shape, count = _shape(sides)
        items = self.fill(nodes, list, depth)
        if count != len(items):
            _refuse("a shape of another number of elements")
        return shape, items


def _bytes(text: Node) -> bytes:
    if type(text) is not str or len(text) > MAX_BYTES:
        _refuse("no bytes")
    return text.encode("latin-1")


def _has_set(key: Node) -> bool:
    return type(key) is frozenset or (type(key) is tuple and any(map(_has_set, key)))


def _refuse(reason: str) -> NoReturn:
    raise WireError(reason)


def _decode(message: bytes) -> Node:
    if type(message) is not bytes or not 4 <= len(message) <= MAX_MESSAGE_BYTES:
        _refuse("no header")
    end = 4 + int.from_bytes(message[:4], "big")
    if end > len(message) or end > _MAX_HEADER:
        _refuse("the header is longer than the message")
    header = message[4:end]
    if header.count(b"[") + header.count(b"{") + header.count(b",") > 16 * _NODES:
        _refuse("too many values")
    by_itself = len(header) < _LONG_HEADER or 0 < sys.get_int_max_str_digits() < _LONG_HEADER
    read = _READ_JSON if by_itself else _READ_LONG_JSON  # the long one takes twice the time
    reader = _Reader(message, end)
    (value,) = reader.fill([read(header.decode("utf-8", "surrogatepass"))], list, 0)
    if reader.position != len(message):
        _refuse("elements of no array")
    return value


def _int(digits: str) -> int:
    if len(digits) > _LONG_HEADER:
        _refuse("a long int")
    return int(digits)


_READ_LONG_JSON = json.JSONDecoder(parse_int=_int).decode


def _shape(sides: Node) -> tuple[tuple[int, ...], int]:
    """Return a decoded shape, and the number of elements of an array that has it; raise `WireError`
    if `sides` is not a shape.
    """
    if type(sides) is not list or len(sides) > _MAX_DIMENSIONS:
        _refuse(f"a shape that is no list of at most {_MAX_DIMENSIONS} sides")
    for side in sides:
        if type(side) is not int or not 0 <= side <= _MAX_SIDE:
            _refuse("a shape of other sides")
    count = math.prod(sides)
    if len(sides) > 1 and ROW * (count or math.prod(filter(None, sides))) > MAX_BYTES:
        _refuse("too many rows")
    return tuple(sides), count


def _is(*kinds: type) -> Test:
    return lambda value: type(value) in kinds


def _is_list_of(*kinds: type) -> Test:
    return lambda value: type(value) is list and all(type(item) in kinds for item in value)


def _is_plain(value: Node) -> bool:
    return type(value) in _PLAIN or frames.kind_of(value) != ""


def _are_plain(values: Node) -> bool:
    return type(values) is list and all(map(_is_plain, values))


def _is_int_below(limit: float) -> Test:
    return lambda value: type(value) is int and 0 <= value < limit


_ATOMS = frozenset((type(None), bool, float))
_PLAIN = (
    *_ATOMS,
    int,
    str,
    complex,
    list,
    tuple,
    dict,
    set,
    frozenset,
    np.ndarray,
    bytes,
    *EXACT,
    Handle,
    Opaque,
    Function,
    Network,
)
_is_text, _is_array, _is_dict = _is(str), _is(np.ndarray), _is(dict)
_are_texts, _is_line = _is_list_of(str), _is_int_below(1 << 31)
_FIELDS: dict[type, dict[str, Test]] = {
    Handle: {"number": _is_int_below(math.inf)},
    Opaque: {"type": _is_text},
    Function: {"name": _is_text},
    Network: {
        "weight": _is_array,
        "bias": _is_array,
        "activation": _is_text,
        "hidden": _is_list_of(list),
        "functions": _is_list_of(Function, Handle),
    },
    Failure: {
        "type": _is_text,
        "message": _is_text,
        "line": lambda line: line is None or _is_line(line),
        "classes": _are_texts,
    },
    Answer: {
        "value": _is_plain,
        "error": _is(type(None), Failure),
        "args": lambda args: args is None or _are_plain(args),
        "same_object": _is(type(None), int),
        "kind": _is_text,
        "kinds": _are_texts,
        "printed": _is_text,
    },
    RecordedCall: {
        "name": _is_text,
        "args": _are_plain,
        "kwargs": _is_dict,
        "bound": _is_dict,
        "result": _is_plain,
        "owner": _is_dict,
    },
    Transcript: {"answer": _is(Answer), "calls": _is_list_of(RecordedCall)},
}


Writes = Callable[[_Writer, Node, int], Node]
Reads = Callable[[_Reader, Node, int], Node]


def _record_writer(kind: type) -> Writes:
    defaults = {
        field.name: field.default if field.default_factory is MISSING else field.default_factory()
        for field in fields(kind)
    }

    def write(writer: _Writer, record: Node, depth: int) -> Node:
        given = {}
        for name, default in defaults.items():
            value = getattr(record, name)
            if type(value) is not type(default) or value != default:
                given[name] = value
        return {kind.__name__: writer.fill(given, depth)}

    return write


def _array_reader(dtype: Type) -> Reads:
    def read(reader: _Reader, sides: Node, depth: int) -> Array:
        shape, count = _shape(sides)
        start = reader.position
        reader.position = end = start + count * dtype.itemsize
        if end > len(reader.message):
            _refuse("an array cut short")
        if dtype.kind == "b":  # in a view another byte may be True, and numpy prints it so
            return np.asarray(np.ndarray(shape, np.uint8, reader.message, start) != 0)
        return np.ndarray(shape, dtype, reader.message, start).copy()

    return read


def _record_reader(kind: type) -> Reads:
    checks = _FIELDS[kind]

    def read(reader: _Reader, nodes: Node, depth: int) -> Node:
        given = reader.fill(nodes, dict, depth)
        for name, value in given.items():
            if not checks[name](value):
                _refuse(f"{kind.__name__}.{name} of another type")
        if given.get("error") is not None and given.get("value") is not None:
            _refuse("a value beside an error")
        return kind(**given)

    return read


def _set_reader(form: type) -> Reads:
    def read(reader: _Reader, nodes: Node, depth: int) -> Node:
        items = reader.fill(nodes, list, depth)
        return reader.hashed(form, items, items)

    return read


def _write_table(writer: _Writer, value: Node, depth: int) -> Node:
    return {"table": writer.fill(frames.parts_of(value), depth)}


def _read_table(reader: _Reader, nodes: Node, depth: int) -> Node:
    parts = reader.fill(nodes, list, depth)
    try:
        return frames.table_of(parts)
    except Exception as error:  # pandas raises of every kind
        _refuse(f"no table: {type(error).__name__}")


def _exact_writer(kind: type) -> Writes:
    return lambda writer, value, depth: {kind.__name__: written_exact(kind, value)}


def _exact_reader(name: str) -> Reads:
    def read(reader: _Reader, text: Node, depth: int) -> Node:
        if type(text) is not str:
            _refuse(f"no {name}")
        return read_exact(name, text)

    return read


def _write_scalar(writer: _Writer, value: Node, depth: int) -> Node:
    return writer.fill([value.item()], depth)[0]


_WRITERS: dict[type, Writes] = {
    list: lambda writer, value, depth: writer.fill(value.copy(), depth),
    tuple: lambda writer, value, depth: {"tuple": writer.fill(list(value), depth)},
    set: lambda writer, value, depth: {"set": writer.fill(list(value), depth)},
    frozenset: lambda writer, value, depth: {"frozenset": writer.fill(list(value), depth)},
    dict: _Writer.mapping,
    complex: lambda writer, value, depth: {"complex": [value.real, value.imag]},
    np.ndarray: _Writer.array,
    bytes: lambda writer, value, depth: {"bytes": value.decode("latin-1")},
    **{kind: _exact_writer(kind) for kind in EXACT},
    **dict.fromkeys((np.str_, *(dtype.type for dtype in _TYPES.values())), _write_scalar),
    **{kind: _record_writer(kind) for kind in _FIELDS},
}
_READERS: dict[str, Reads] = {
    "tuple": lambda reader, nodes, depth: tuple(reader.fill(nodes, list, depth)),
    "dict": lambda reader, nodes, depth: reader.fill(nodes, dict, depth),
    "items": _Reader.mapping,
    **{form.__name__: _set_reader(form) for form in (set, frozenset)},
    "complex": _Reader.complex,
    "bytes": lambda reader, text, depth: _bytes(text),
    "table": _read_table,
    **{kind.__name__: _exact_reader(kind.__name__) for kind in EXACT},
    **{name: _array_reader(dtype) for name, dtype in _TYPES.items()},
    "texts": _Reader.texts,
    "objects": _Reader.objects,
    **{kind.__name__: _record_reader(kind) for kind in _FIELDS},
}
