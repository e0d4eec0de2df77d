"""Plain data survives the wire exactly; whatever else comes is refused with a reason, and nothing is ever run."""

import contextlib
import json
import pickle

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from practica.checks.agent import Answer, Failure, Function, Handle, Network, Opaque, RecordedCall, Transcript
from practica.sandbox import wire

TEXTS = st.text(st.characters())  # surrogates too
ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(1 << 300), 1 << 300),
    st.floats(),
    st.complex_numbers(),
    TEXTS,
    st.builds(Handle, st.integers(0, 1 << 70)),
    st.builds(Opaque, TEXTS),
    st.builds(Function, TEXTS),
)
NUMERIC = st.one_of(
    npst.boolean_dtypes(),
    npst.integer_dtypes(endianness="<"),
    npst.unsigned_integer_dtypes(endianness="<"),
    npst.floating_dtypes(endianness="<", sizes=(16, 32, 64)),
    npst.complex_number_dtypes(endianness="<", sizes=(64, 128)),
)
SHAPES = npst.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
NUMERIC_ARRAYS = npst.arrays(NUMERIC, SHAPES)


@st.composite
def object_arrays(draw, items):
    """Draw an object array of plain data."""
    shape = draw(SHAPES)
    array = np.empty(shape, dtype=object)
    for index in np.ndindex(shape):
        array[index] = draw(items)
    return array


@st.composite
def text_arrays(draw):
    """Draw an array of texts."""
    values = draw(st.lists(TEXTS.filter(lambda text: not text.endswith("\0")), max_size=4))
    return np.array(values, dtype=str)


PLAIN = st.recursive(
    st.one_of(ATOMS, NUMERIC_ARRAYS, text_arrays()),
    lambda items: st.one_of(
        st.lists(items, max_size=4),
        st.lists(items, max_size=4).map(tuple),
        st.dictionaries(TEXTS, items, max_size=4),
        object_arrays(items),
    ),
    max_leaves=12,
)


def same(one, other):
    """Compare two pieces of plain data to the last bit: types, signs of zero, NaN."""
    if type(one) is not type(other):
        return False
    if type(one) is np.ndarray:
        if one.dtype.kind == "U":
            return other.dtype.kind == "U" and one.shape == other.shape and one.tolist() == other.tolist()
        if one.dtype != other.dtype or one.shape != other.shape:
            return False
        return same(one.ravel().tolist(), other.ravel().tolist())
    if type(one) in (list, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if type(one) is dict:
        return list(one) == list(other) and same(list(one.values()), list(other.values()))
    if type(one) is float:
        return one.hex() == other.hex()
    if type(one) is complex:
        return same([one.real, one.imag], [other.real, other.imag])
    return one == other


@given(PLAIN)
@example([float("nan"), float("inf"), -0.0, 1 << 53, -(1 << 53), 1 << 200, None, True, "\ud800", ""])
@example({"": [], "a": (), "b": np.empty((0, 3)), "c": np.array(-0.0), "d": {}})
def test_plain_data_comes_back_as_it_was(value):
    """Round trip: the same types and the same bits."""
    assert same(wire.decode(wire.encode(value)), value)


@given(PLAIN, TEXTS, st.lists(PLAIN, max_size=3))
def test_an_answer_comes_back_as_it_was(value, text, args):
    """The records of the agent go the same way."""
    answer = Answer(value, None, args, 0, text, [text], text, [text])
    call = RecordedCall(text, args, {"k": value}, {"p": value}, value, {"class": text})
    transcript = wire.decode(wire.encode(Transcript(answer, [call])))
    assert type(transcript) is Transcript
    assert type(transcript.answer) is Answer
    assert same(transcript.answer.value, value)
    assert same(transcript.answer.args, args)
    assert (transcript.answer.kind, transcript.answer.kinds, transcript.answer.warnings) == (text, [text], [text])
    assert same(transcript.calls[0].bound, {"p": value})
    failed = wire.decode(wire.encode(Answer(error=Failure(text, text, None))))
    assert failed.error == Failure(text, text, None)


def test_a_network_comes_back_as_it_was():
    """Its arrays are arrays and its activation a name."""
    network = wire.decode(wire.encode(Network(np.eye(3), np.zeros(3), "softmax")))
    assert type(network) is Network
    assert network.activation == "softmax"
    np.testing.assert_array_equal(network.weight, np.eye(3))


@given(st.binary(max_size=400))
def test_random_bytes_raise_nothing_but_a_wire_error(message):
    """Decoding is total."""
    with pytest.raises(wire.WireError):
        wire.decode(message)


JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(1 << 60), 1 << 60),
        st.floats(),
        st.text(max_size=5),
        st.sampled_from([*wire._READERS, "int"]),
    ),
    lambda items: st.one_of(
        st.lists(items, max_size=4),
        st.tuples(st.sampled_from([*wire._READERS]), items, items).map(list),
        st.tuples(st.sampled_from([*wire._READERS]), items).map(list),
        st.dictionaries(st.text(max_size=3), items, max_size=3),
    ),
    max_leaves=12,
)


def message_of(value, arrays=()):
    """Build a message around any JSON."""
    header = json.dumps({"value": value, "arrays": [len(part) for part in arrays]}).encode()
    return b"".join([len(header).to_bytes(4, "big"), header, *arrays])


@given(JSON, st.lists(st.binary(min_size=1, max_size=100), max_size=2))
def test_any_header_gives_plain_data_or_a_wire_error(value, arrays):
    """What comes out can be encoded again, so it is plain data."""
    with contextlib.suppress(wire.WireError):
        wire.encode(wire.decode(message_of(value, arrays)))


@given(PLAIN, st.data())
def test_a_damaged_message_gives_plain_data_or_a_wire_error(value, data):
    """Any byte may be another one, or missing."""
    message = bytearray(wire.encode(value))
    for _ in range(data.draw(st.integers(1, 3))):
        position = data.draw(st.integers(0, len(message) - 1))
        message[position] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(message)))
    for damaged in (bytes(message), bytes(message[:cut])):
        with contextlib.suppress(wire.WireError):
            wire.encode(wire.decode(damaged))


def npy(described, payload):
    """Build an array of npy format, right or wrong."""
    described = described.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(described).to_bytes(2, "little") + described + payload


RIGHT = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"


@pytest.mark.parametrize(
    ("described", "payload"),
    [
        (RIGHT.replace("<f8", "|O"), pickle.dumps([1, 2])),
        (RIGHT.replace("<f8", "<U4"), bytes(32)),
        (RIGHT.replace("<f8", "<M8"), bytes(16)),
        (RIGHT.replace("<f8", ">f8"), bytes(16)),
        (RIGHT.replace("False", "True"), bytes(16)),
        (RIGHT.replace("(2,)", "(1 << 60,)"), bytes(16)),
        (RIGHT.replace("(2,)", "(99999999999,)"), bytes(16)),
        (RIGHT.replace("(2,)", "(3,)"), bytes(16)),
        (RIGHT.replace("(2,)", "(0, 99999999999)"), b""),
        (RIGHT.replace("(2,)", "(" + "1," * 40 + ")"), bytes(8)),
        (RIGHT.replace("(2,)", "(-2,)"), bytes(16)),
        (RIGHT.replace("(2,)", "(134217728, 0)"), b""),
        (RIGHT.replace("(2,)", "(0, 134217728)"), b""),
        (RIGHT.replace("<f8", "|i1").replace("(2,)", "(4000000, 1)"), bytes(4_000_000)),
        (RIGHT.replace("<f8", "|b1"), b"\x02\x01"),
        ("__import__('os').system('true')", bytes(16)),
        (RIGHT, bytes(15)),
        (RIGHT, bytes(24)),
    ],
)
def test_an_array_that_is_not_quite_npy_is_refused(described, payload):
    """Objects, other byte orders, false shapes, and bools that are neither."""
    with pytest.raises(wire.WireError):
        wire.decode(message_of(["array", 0], [npy(described, payload)]))
    np.testing.assert_array_equal(wire.decode(message_of(["array", 0], [npy(RIGHT, bytes(16))])), [0, 0])


@pytest.mark.parametrize(
    "value",
    [
        ["no such tag"],
        [],
        {},
        {"a": 1},
        [["list"]],
        ["list", ["array", 0]],
        ["int", "zz"],
        ["int", "0x10"],
        ["int", "1" * 40_000],
        12345678901234567890,
        ["complex", 1, 2],
        ["dict", ["a", "a"], [1, 2]],
        ["dict", ["a"], [1, 2]],
        ["dict", [1], [2]],
        ["objects", [2], [1]],
        ["objects", [1 << 40, 0], []],
        ["texts", [1], [1]],
        ["handle", -1],
        ["handle", True],
        ["opaque", 3],
        ["network", 1, 2, "softmax"],
        ["failure", "E", "m", "7"],
        ["answer", 1, ["failure", "E", "m", 7], None, None, "", ["list"], "", ["list"]],
        ["answer", ["failure", "E", "m", 7], None, None, None, "", ["list"], "", ["list"]],
        ["answer", 1, None, None, True, "", ["list"], "", ["list"]],
        ["answer", 1],
        ["transcript", 1, ["list"]],
        ["call", "n", ["list"], 1, 2, 3, 4],
    ],
)
def test_a_node_of_another_form_is_refused(value):
    """Every tag has one form."""
    with pytest.raises(wire.WireError):
        wire.decode(message_of(value))


def test_depth_and_number_are_limited_both_ways():
    """A bomb of lists is refused before it is built, by the one who sends and by the one who reads."""
    deep, wide = [], [0] * 1_000_000
    for _ in range(100):
        deep = [deep]
    for value in (deep, wide, "x" * (1 << 21), 1 << (1 << 20)):
        with pytest.raises(wire.WireError):
            wire.encode(value)
    for text in ("[" * 100_000, '["list",' * 100_000, '["list"' + ",0" * 12_000_000 + "]"):
        header = f'{{"value":{text},"arrays":[]}}'.encode()
        with pytest.raises(wire.WireError):
            wire.decode(len(header).to_bytes(4, "big") + header)
    node = 0
    for _ in range(200):
        node = ["list", node]
    with pytest.raises(wire.WireError):
        wire.decode(message_of(node))


@pytest.mark.parametrize(
    "value",
    [object(), b"bytes", {1: 2}, {1, 2}, range(3), np.float64(1), np.array(["2020"], dtype="M8[D]"), np.ma.array([1])],
)
def test_what_is_not_plain_is_not_sent(value):
    """Exact types: a numpy scalar, a subclass and bytes are not plain data."""
    with pytest.raises(wire.WireError):
        wire.encode(value)


@given(st.binary(min_size=wire.NONCE, max_size=wire.NONCE), st.binary(max_size=50))
def test_a_frame_tells_its_nonce_and_length(nonce, message):
    """And other bytes are none."""
    framed = wire.frame(nonce, message)
    assert wire.parse_frame(framed[: wire.FRAME]) == (nonce, len(message))
    for head in (b"", framed[1 : wire.FRAME + 1], framed[: wire.FRAME - 8] + b"\xff" * 8):
        with pytest.raises(wire.WireError):
            wire.parse_frame(head)


def test_what_a_message_becomes_is_as_limited_as_the_message():
    """A small one that names one array, or one long text, many times is refused before anything is made of it."""
    array = wire.encode(np.zeros(1 << 17))
    end = 4 + int.from_bytes(array[:4], "big")
    for node in (["list", *[["array", 0]] * 5000], ["texts", [20_000], ["a" * 4000, *[""] * 19_999]]):
        header = json.dumps({"value": node, "arrays": [len(array) - end]}).encode()
        with pytest.raises(wire.WireError, match="too many bytes"):
            wire.decode(len(header).to_bytes(4, "big") + header + array[end:])


def test_numbers_that_python_does_not_write_do_not_travel():
    """Neither as a value nor as the line of a failure: whoever tells them would fail."""
    assert len(str(wire.decode(wire.encode((1 << 8192) - 1)))) == 2467
    for value in (1 << 8192, Failure("E", "", 1 << 40), Failure("E", "", -1)):
        with pytest.raises(wire.WireError):
            wire.decode(wire.encode(value))
