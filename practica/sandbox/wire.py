"""Plain data as bytes, and back without trust.

A message is a length, a header in JSON, and arrays in npy format, one after the other:

    4 bytes   length of the header, big-endian
    header    {"value": node, "arrays": [length, ...]}
    arrays    npy version 1.0, little-endian, C order, never pickled

A node is null, a bool, a float, a text, an int below 2^53, or a list whose first element says what it is: `_decode_*`
below are the whole list. Texts and object arrays travel as tagged lists, never as raw memory.

`decode` is total: whatever the bytes are, it returns plain data or raises WireError, and what it returns has exactly
the types of this module, so that nothing the student wrote is ever called. Types are compared with `type(x) is`.

A frame on the pipe is `MAGIC`, a nonce of 16 bytes that the asking side chose for this one request, the length of the
message in 8 bytes, and the message.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from practica.checks.agent import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_NODES,
    MAX_TEXT,
    ROW,
    Answer,
    Failure,
    Function,
    Handle,
    Network,
    Opaque,
    RecordedCall,
    Transcript,
)

__all__ = ["FRAME", "MAGIC", "MAX_MESSAGE_BYTES", "NONCE", "WireError", "decode", "encode", "frame", "parse_frame"]

MAGIC = b"prc1"
NONCE = 16
FRAME = len(MAGIC) + NONCE + 8  # bytes in front of a message
MAX_MESSAGE_BYTES = 4 * MAX_BYTES
_MAX_HEADER = 2 * MAX_BYTES
_MAX_INT_BITS = 1 << 13  # Python writes more than 4300 digits for nobody
_MAX_DIMENSIONS = 16
_MAX_SIDE = 1 << 27
_DEPTH = 2 * MAX_DEPTH  # the agent's records lie around its values
_NODES = 2 * MAX_NODES
_TYPES = ("|b1", "|i1", "|u1", *(f"<{kind}" for kind in ("i2", "i4", "i8", "u2", "u4", "u8", "f2", "f4", "f8")))
_DTYPES = {name: np.dtype(name) for name in (*_TYPES, "<c8", "<c16")}
_NPY = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(rb"\{'descr': '([<|][biufc]\d{1,2})', 'fortran_order': False, 'shape': \(([\d, ]*)\), \} *\n")


class WireError(ValueError):
    """Bytes are not a message, or a value is not plain data; the message says why."""


def frame(nonce: bytes, message: bytes) -> bytes:
    """Put the nonce and the length in front of a message."""
    return MAGIC + nonce + len(message).to_bytes(8, "big") + message


def parse_frame(head: bytes) -> tuple[bytes, int]:
    """Return nonce and length from the first `FRAME` bytes of a frame; WireError if they are none."""
    if len(head) != FRAME or head[: len(MAGIC)] != MAGIC:
        raise WireError("not a frame")
    length = int.from_bytes(head[-8:], "big")
    if length > MAX_MESSAGE_BYTES:
        raise WireError(f"a message of {length} bytes; at most {MAX_MESSAGE_BYTES}")
    return head[len(MAGIC) : -8], length


def encode(value: Any) -> bytes:
    """Turn plain data into a message.

    Parameters
    ----------
    value : plain data, Answer or Transcript

    Returns
    -------
    message : bytes

    Raises
    ------
    WireError
        If something in it is not plain data, or it is too deep or too large.
    """
    writer = _Writer()
    node = writer.node(value, 0)
    header = json.dumps(
        {"value": node, "arrays": [len(part) for part in writer.arrays]}, separators=(",", ":")
    ).encode()
    message = b"".join([len(header).to_bytes(4, "big"), header, *writer.arrays])
    if len(header) > _MAX_HEADER or len(message) > MAX_MESSAGE_BYTES:
        raise WireError(f"a message of {len(message)} bytes; at most {MAX_MESSAGE_BYTES}")
    return message


def decode(message: bytes) -> Any:
    """Turn a message into plain data.

    Parameters
    ----------
    message : bytes
        Anything.

    Returns
    -------
    value : plain data, Answer or Transcript

    Raises
    ------
    WireError
        And nothing else, if the bytes are not a message that `encode` could have made.
    """
    try:
        return _decode(message)
    except WireError:
        raise
    except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError, MemoryError) as error:
        raise WireError(f"{type(error).__name__} while reading") from None


class _Writer:
    def __init__(self) -> None:
        self.arrays: list[bytes] = []
        self.nodes = 0

    def node(self, value: Any, depth: int) -> Any:
        self.nodes += 1
        if depth > _DEPTH or self.nodes > _NODES:
            raise WireError(f"more than {_DEPTH} levels or {_NODES} values")
        kind = type(value)
        if value is None or kind is bool or kind is float:
            return value
        if kind is str:
            if len(value) > MAX_TEXT:
                raise WireError(f"a text of {len(value)} characters; at most {MAX_TEXT}")
            return value
        if kind is int:
            if -(1 << 53) < value < 1 << 53:
                return value
            if value.bit_length() > _MAX_INT_BITS:
                raise WireError(f"an int of {value.bit_length()} bits; at most {_MAX_INT_BITS}")
            return ["int", f"{value:x}"]
        writer = _WRITERS.get(kind)
        if writer is None:
            raise WireError(f"{kind.__name__} is not plain data")
        return writer(self, value, depth + 1)

    def items(self, values: Any, depth: int) -> list[Any]:
        return [self.node(value, depth) for value in values]

    def array(self, value: NDArray[Any], depth: int) -> list[Any]:
        shape = list(value.shape)
        if value.dtype.kind == "O":
            return ["objects", shape, self.items(value.ravel().tolist(), depth)]
        if value.dtype.kind == "U":
            return ["texts", shape, self.items(value.ravel().tolist(), depth)]
        dtype = value.dtype.newbyteorder("<")
        if dtype.str not in _DTYPES:
            raise WireError(f"an array of {value.dtype} is not plain data")
        described = f"{{'descr': '{dtype.str}', 'fortran_order': False, 'shape': {value.shape}, }}".encode()
        described += b" " * (-(len(_NPY) + 2 + len(described) + 1) % 64) + b"\n"
        length = len(described).to_bytes(2, "little")
        self.arrays.append(_NPY + length + described + np.ascontiguousarray(value, dtype=dtype).tobytes())
        return ["array", len(self.arrays) - 1]


_ANSWER = ("value", "error", "args", "same_object", "kind", "kinds", "printed", "warnings")
_CALL = ("name", "args", "kwargs", "bound", "result", "owner")
_WRITERS: dict[type, Callable[[_Writer, Any, int], list[Any]]] = {
    list: lambda to, value, depth: ["list", *to.items(value, depth)],
    tuple: lambda to, value, depth: ["tuple", *to.items(value, depth)],
    dict: lambda to, value, depth: ["dict", [_key(key) for key in value], to.items(value.values(), depth)],
    complex: lambda to, value, depth: ["complex", value.real, value.imag],
    np.ndarray: _Writer.array,
    Handle: lambda to, value, depth: ["handle", to.node(value.number, depth)],
    Opaque: lambda to, value, depth: ["opaque", to.node(value.type, depth)],
    Function: lambda to, value, depth: ["function", to.node(value.name, depth)],
    Network: lambda to, value, depth: ["network", *to.items((value.weight, value.bias, value.activation), depth)],
    Failure: lambda to, value, depth: ["failure", *to.items((value.type, value.message, value.line), depth)],
    Answer: lambda to, value, depth: ["answer", *to.items([getattr(value, name) for name in _ANSWER], depth)],
    RecordedCall: lambda to, value, depth: ["call", *to.items([getattr(value, name) for name in _CALL], depth)],
    Transcript: lambda to, value, depth: ["transcript", *to.items((value.answer, value.calls), depth)],
}


def _key(key: Any) -> str:
    if type(key) is not str:
        raise WireError(f"a dict with a key of type {type(key).__name__}; only text")
    return key


def _refuse(reason: str) -> NoReturn:
    raise WireError(reason)


def _expect(condition: bool, reason: str) -> None:
    if not condition:
        raise WireError(reason)


def _decode(message: bytes) -> Any:
    _expect(type(message) is bytes and 4 <= len(message) <= MAX_MESSAGE_BYTES, "no header")
    end = 4 + int.from_bytes(message[:4], "big")
    _expect(end <= len(message) and end <= _MAX_HEADER, "the header is longer than the message")
    text = message[4:end]
    _expect(text.count(b"[") + text.count(b"{") + text.count(b",") <= 16 * _NODES, "too many values")
    header = json.loads(text.decode("ascii"), parse_int=_small_int)
    _expect(type(header) is dict and header.keys() == {"value", "arrays"}, "a header of other keys")
    lengths = header["arrays"]
    _expect(type(lengths) is list and all(type(length) is int and length > 0 for length in lengths), "array lengths")
    _expect(end + sum(lengths) == len(message), "array lengths that do not add up")
    parts = []
    for length in lengths:
        parts.append(message[end : end + length])
        end += length
    return _Reader(parts).node(header["value"], 0)


def _small_int(text: str) -> int:
    _expect(len(text) <= 17, "a long int")
    return int(text)


class _Reader:
    def __init__(self, arrays: list[bytes]) -> None:
        self.arrays = arrays
        self.nodes = self.bytes = 0

    def pays(self, count: int) -> None:
        """Count the bytes of something before it is made: one array of a message may be asked for many times."""
        self.bytes += count
        _expect(self.bytes <= MAX_MESSAGE_BYTES, "too many bytes")

    def node(self, node: Any, depth: int) -> Any:
        self.nodes += 1
        _expect(depth <= _DEPTH and self.nodes <= _NODES, "too deep or too many values")
        kind = type(node)
        if node is None or kind is bool or kind is float or kind is int:
            return node
        if kind is str:
            _expect(len(node) <= MAX_TEXT, "a long text")
            return node
        _expect(kind is list and len(node) > 0 and type(node[0]) is str, "a node that is neither a value nor tagged")
        reader = _READERS.get(node[0])
        if reader is None:
            _refuse("an unknown tag")
        return reader(self, node[1:], depth + 1)

    def items(self, nodes: Any, depth: int) -> list[Any]:
        _expect(type(nodes) is list, "no list of values")
        return [self.node(node, depth) for node in nodes]

    def integer(self, nodes: list[Any], depth: int) -> int:
        (text,) = nodes
        _expect(type(text) is str and len(text) <= _MAX_INT_BITS // 4 + 1, "a long int")
        _expect(re.fullmatch("-?[0-9a-f]+", text) is not None, "an int that is not hexadecimal")
        return int(text, 16)

    def complex(self, nodes: list[Any], depth: int) -> complex:
        real, imaginary = nodes
        _expect(type(real) is float and type(imaginary) is float, "a complex number of other parts")
        return complex(real, imaginary)

    def dict(self, nodes: list[Any], depth: int) -> dict[str, Any]:
        keys, values = nodes
        _expect(type(keys) is list and len(keys) <= _NODES, "too many keys")
        _expect(all(type(key) is str for key in keys), "keys that are not text")
        items = self.items(values, depth)
        _expect(len(set(keys)) == len(keys) == len(items), "repeated keys")
        return dict(zip(keys, items, strict=True))

    def array(self, nodes: list[Any], depth: int) -> NDArray[Any]:
        (position,) = nodes
        _expect(type(position) is int and 0 <= position < len(self.arrays), "no such array")
        self.pays(len(self.arrays[position]))
        return _read_npy(self.arrays[position])

    def objects(self, nodes: list[Any], depth: int) -> NDArray[Any]:
        shape, values = nodes
        items = self.items(values, depth)
        result = np.empty(len(items), dtype=object)
        for position, item in enumerate(items):
            result[position] = item
        return result.reshape(_shape(shape, len(items)))

    def texts(self, nodes: list[Any], depth: int) -> NDArray[Any]:
        shape, values = nodes
        items = self.items(values, depth)
        _expect(all(type(item) is str for item in items), "a text array of other things")
        longest = max(map(len, items), default=0)
        self.pays(4 * longest * len(items))
        return np.array(items, dtype=f"<U{max(1, longest)}").reshape(_shape(shape, len(items)))

    def handle(self, nodes: list[Any], depth: int) -> Handle:
        (number,) = self.items(nodes, depth)
        _expect(type(number) is int and number >= 0, "a handle without number")
        return Handle(number)

    def text(self, nodes: list[Any]) -> str:
        (text,) = nodes
        _expect(type(text) is str and len(text) <= MAX_TEXT, "no text")
        return text

    def network(self, nodes: list[Any], depth: int) -> Network:
        weight, bias, activation = self.items(nodes, depth)
        _expect(type(weight) is type(bias) is np.ndarray and type(activation) is str, "a network of other parts")
        return Network(weight, bias, activation)

    def failure(self, nodes: list[Any], depth: int) -> Failure:
        kind, message, line = self.items(nodes, depth)
        _expect(type(kind) is str and type(message) is str, "a failure of other parts")
        _expect(line is None or (type(line) is int and 0 <= line < 1 << 31), "a line that is none")
        return Failure(kind, message, line)

    def answer(self, nodes: list[Any], depth: int) -> Answer:
        value, error, args, same, kind, kinds, printed, warnings = self.items(nodes, depth)
        _expect(not _is_record(value), "an answer within an answer")
        _expect(error is None or type(error) is Failure, "an error that is no failure")
        _expect(error is None or value is None, "a value beside an error")
        _expect(args is None or (type(args) is list and not any(map(_is_record, args))), "arguments that are no list")
        _expect(same is None or type(same) is int, "the position of an argument")
        _expect(type(kind) is str and type(printed) is str, "an answer of other parts")
        _expect(type(kinds) is list and all(type(text) is str for text in kinds), "kinds that are no texts")
        _expect(type(warnings) is list and all(type(text) is str for text in warnings), "warnings that are no texts")
        return Answer(value, error, args, same, kind, kinds, printed, warnings)

    def call(self, nodes: list[Any], depth: int) -> RecordedCall:
        name, args, kwargs, bound, result, owner = self.items(nodes, depth)
        _expect(type(name) is str and type(args) is list and not _is_record(result), "a call of other parts")
        _expect(all(type(part) is dict for part in (kwargs, bound, owner)), "a call without keywords")
        return RecordedCall(name, args, kwargs, bound, result, owner)

    def transcript(self, nodes: list[Any], depth: int) -> Transcript:
        answer, calls = self.items(nodes, depth)
        _expect(type(answer) is Answer, "a transcript without answer")
        _expect(type(calls) is list and all(type(call) is RecordedCall for call in calls), "a transcript without calls")
        return Transcript(answer, calls)


_READERS: dict[str, Callable[[_Reader, list[Any], int], Any]] = {
    "list": _Reader.items,
    "tuple": lambda reader, nodes, depth: tuple(reader.items(nodes, depth)),
    "int": _Reader.integer,
    "complex": _Reader.complex,
    "dict": _Reader.dict,
    "array": _Reader.array,
    "objects": _Reader.objects,
    "texts": _Reader.texts,
    "handle": _Reader.handle,
    "opaque": lambda reader, nodes, depth: Opaque(reader.text(nodes)),
    "function": lambda reader, nodes, depth: Function(reader.text(nodes)),
    "network": _Reader.network,
    "failure": _Reader.failure,
    "answer": _Reader.answer,
    "call": _Reader.call,
    "transcript": _Reader.transcript,
}


def _is_record(value: Any) -> bool:
    return type(value) in (Answer, Failure, RecordedCall, Transcript)


def _shape(shape: Any, count: int) -> tuple[int, ...]:
    _expect(type(shape) is list and len(shape) <= _MAX_DIMENSIONS, "a shape that is no list")
    _expect(all(type(side) is int and 0 <= side <= _MAX_SIDE for side in shape), "a shape of other sides")
    _expect(math.prod(shape) == count, "a shape of another number of elements")
    _expect(len(shape) < 2 or ROW * math.prod(side or 1 for side in shape) <= MAX_BYTES, "too many rows")
    return tuple(shape)


def _read_npy(part: bytes) -> NDArray[Any]:
    _expect(part.startswith(_NPY), "an array that is not npy 1.0")
    start = len(_NPY) + 2
    end = start + int.from_bytes(part[len(_NPY) : start], "little")
    found = _HEADER.fullmatch(part[start:end])
    if found is None:
        _refuse("an npy header of another form")
    dtype = _DTYPES.get(found[1].decode())
    if dtype is None:
        _refuse("an array of another type")
    sides = [side.strip() for side in found[2].decode().split(",") if side.strip()]
    _expect(len(sides) <= _MAX_DIMENSIONS and all(len(side) < 12 for side in sides), "a large shape")
    size, rest = divmod(len(part) - end, dtype.itemsize)
    _expect(rest == 0, "an array cut short")
    shape = _shape([int(side) for side in sides], size)
    if dtype.kind == "b":
        _expect(int(np.frombuffer(part, np.uint8, offset=end).max(initial=0)) <= 1, "a bool that is neither")
    return np.frombuffer(part, dtype, offset=end).reshape(shape).astype(dtype.newbyteorder("="), copy=True)
