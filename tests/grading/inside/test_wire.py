"""Plain data survives the wire exactly.

Whatever else comes is refused with a reason, and nothing is ever run.
"""

import ast
import contextlib
import json
import math
import pickle
import sys

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from plain_values import ATOMS, SHAPES, plain_values, same
from submissions import attacks

from practica.grading.inside import wire
from practica.grading.inside.plain_data import (
    Answer,
    Failure,
    Function,
    Handle,
    Network,
    Opaque,
    RecordedCall,
    Transcript,
)

TEXTS = st.text(st.characters())  # surrogates too
SENT_ATOMS = st.one_of(
    ATOMS,
    TEXTS,
    st.builds(Handle, st.integers(0, 1 << 70)),
    st.builds(Opaque, TEXTS),
    st.builds(Function, TEXTS),
)
PLAIN = plain_values(SENT_ATOMS, TEXTS)


@given(PLAIN)
@example(
    [
        float("nan"),
        float("inf"),
        -0.0,
        1 << 53,
        -(1 << 53),
        1 << 200,
        None,
        True,
        "\ud800",
        "\ud83d\ude00",
        "ñ😀",
        "",
    ]
)
@example({"": [], "a": (), "b": np.empty((0, 3)), "c": np.array(-0.0), "d": {}})
def test_plain_data_comes_back_as_it_was(value):
    """Round trip: the same types and the same bits."""
    assert same(wire.decode(wire.encode(value)), value)


@given(PLAIN, TEXTS, st.lists(PLAIN, max_size=3))
def test_an_answer_comes_back_as_it_was(value, text, args):
    """The records of the agent go the same way."""
    answer = Answer(value, None, args, 0, text, [text], text)
    call = RecordedCall(text, args, {"k": value}, {"p": value}, value, {"class": text})
    transcript = wire.decode(wire.encode(Transcript(answer, [call])))
    assert type(transcript) is Transcript
    assert type(transcript.answer) is Answer
    assert same(transcript.answer.value, value)
    assert same(transcript.answer.args, args)
    assert (transcript.answer.kind, transcript.answer.kinds, transcript.answer.printed) == (
        text,
        [text],
        text,
    )
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


NAMES = st.one_of(
    st.sampled_from(sorted({name for names in wire._FIELDS.values() for name in names})), TEXTS
)
JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(1 << 60), 1 << 60),
        st.integers(0, 4),
        st.floats(),
        st.text(max_size=5),
        st.lists(st.integers(0, 3), max_size=3),
    ),
    lambda items: st.one_of(
        st.lists(items, max_size=4),
        st.dictionaries(st.sampled_from([*wire._READERS]), items, min_size=1, max_size=1),
        st.dictionaries(NAMES, items, max_size=4),
        *(
            st.fixed_dictionaries({}, optional=dict.fromkeys(names, items)).map(
                lambda given, tag=kind.__name__: {tag: given}
            )
            for kind, names in wire._FIELDS.items()
        ),
    ),
    max_leaves=12,
)


def message_of(node, elements=b""):
    """Build a message around any JSON."""
    header = json.dumps(node).encode()
    return len(header).to_bytes(4, "big") + header + elements


@given(JSON, st.binary(max_size=100))
def test_any_header_gives_plain_data_or_a_wire_error(node, elements):
    """What comes out can be encoded again, so it is plain data."""
    with contextlib.suppress(wire.WireError):
        value = wire.decode(message_of(node, elements))
        assert same(wire.decode(wire.encode(value)), value)


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


@pytest.mark.parametrize(
    ("node", "elements"),
    [
        ({"O": [2]}, pickle.dumps([1, 2])),
        ({"O": [2]}, bytes(16)),
        ({"U4": [2]}, bytes(32)),
        ({"M8": [2]}, bytes(16)),
        ({">f8": [2]}, bytes(16)),
        ({"V8": [2]}, bytes(16)),
        ({"f16": [1]}, bytes(16)),
        ({"f8": [1 << 60]}, bytes(16)),
        ({"f8": [99999999999]}, bytes(16)),
        ({"f8": [3]}, bytes(16)),
        ({"f8": [1]}, bytes(16)),
        ({"f8": [0, 99999999999]}, b""),
        ({"f8": [1] * 40}, bytes(8)),
        ({"f8": [-2]}, bytes(16)),
        ({"f8": [-1, -2]}, bytes(16)),
        ({"f8": [2.0]}, bytes(16)),
        ({"f8": ["2"]}, bytes(16)),
        ({"f8": [True]}, bytes(8)),
        ({"f8": 2}, bytes(16)),
        ({"f8": None}, bytes(8)),
        ({"f8": {"2": 2}}, bytes(16)),
        ({"f8": [134217728, 0]}, b""),
        ({"f8": [0, 134217728]}, b""),
        ({"i1": [4000000, 1]}, bytes(4_000_000)),
        ({"f8": [2], "i8": [2]}, bytes(16)),
        ([{"f8": [2]}, {"f8": [2]}], bytes(16)),
        ([{"f8": [2]}, {"f8": [2]}], bytes(31)),
        ({"f8": [2]}, bytes(15)),
        ({"f8": [2]}, bytes(24)),
        (None, bytes(1)),
    ],
)
def test_an_array_that_is_not_quite_one_is_refused(node, elements):
    """Objects, other byte orders, false shapes, and elements that are missing or too many."""
    with pytest.raises(wire.WireError):
        wire.decode(message_of(node, elements))


SIDES = st.lists(st.sampled_from([0, 1, 2, 3, 1 << 28]), max_size=20)


@given(SIDES.filter(lambda sides: math.prod(sides) < 1000), st.binary(min_size=1))
@example([2], b"\x02\xff")
def test_an_array_that_is_sent_can_be_read(sides, content):
    """Also one of many sides, or a view whose bools are other bytes: True, as numpy prints them."""
    assume(sides.count(1 << 28) < 2)  # numpy makes none
    array = np.resize(np.frombuffer(content, np.uint8), tuple(sides))
    for sent in (array, array.view(bool)):
        message = None
        with contextlib.suppress(wire.WireError):
            message = wire.encode(Answer(value=sent))
        if message is None:
            assert len(sides) > 1
            continue
        received = wire.decode(message).value
        assert received.dtype == sent.dtype
        assert received.shape == sent.shape
        assert (received == (array if sent is array else array != 0)).all()
        assert received.flags.writeable


def test_arrays_find_their_elements_in_turn():
    """They own them, wherever in the message they lay."""
    node = ["a", {"b1": [3]}, {"f8": [2, 1]}, {"i2": []}, {"c8": [0, 2]}]
    elements = b"\0\1\1" + np.array([1.5, -0.0]).tobytes() + np.int16(-7).tobytes()
    arrays = wire.decode(message_of(node, elements))[1:]
    expected = [
        np.array([False, True, True]),
        np.array([[1.5], [-0.0]]),
        np.array(-7, np.int16),
        np.empty((0, 2), "c8"),
    ]
    assert same(arrays, expected)
    assert all(
        array.flags.owndata and array.flags.writeable and array.flags.aligned for array in arrays
    )


@given(npst.arrays(npst.floating_dtypes(endianness=">", sizes=(16, 32, 64)), SHAPES))
def test_arrays_of_another_byte_order_arrive_in_that_of_the_machine(array):
    """With the same elements, to the last bit."""
    decoded = wire.decode(wire.encode(array.T))
    assert decoded.dtype.isnative
    assert decoded.astype(array.dtype).tobytes() == array.T.tobytes()


@pytest.mark.parametrize(
    "node",
    [
        {"no such tag": 1},
        {},
        {"list": [1]},
        {"tuple": [1], "dict": {}},
        {"tuple": {"a": 1}},
        {"tuple": "ab"},
        {"tuple": None},
        {"dict": [["a", 1]]},
        {"dict": {"a": {"b": 1, "c": 2}}},
        {"items": [1]},
        {"items": {"a": 1}},
        {"items": [1, 2, 1.0, 3]},
        {"items": [[], 1]},
        {"set": [1, True]},
        {"set": [{"set": []}]},
        {"set": {"a": 1}},
        {"frozenset": [{"f8": [0]}]},
        1 << 8192,
        [-(1 << 8192)],
        {"dict": {"a": 1 << 8192}},
        {"complex": [1, 2]},
        {"complex": [1.0]},
        {"complex": {"1.0": 1, "2.0": 2}},
        {"objects": [[2], [1]]},
        {"objects": [[1 << 40, 0], []]},
        {"objects": [[2], "ab"]},
        {"objects": [[2], {"a": 1, "b": 2}]},
        {"objects": "ab"},
        {"objects": None},
        {"texts": [[1], [1]]},
        {"texts": [[2], "ab"]},
        {"texts": [1, ["a"]]},
        {"Handle": {"number": -1}},
        {"Handle": {"number": True}},
        {"Handle": {}},
        {"Handle": 1},
        {"Handle": [["number", 1]]},
        {"Handle": {"number": 1, "name": "a"}},
        {"Handle": {"__class__": 1}},
        {"Opaque": {"type": 3}},
        {"Function": {"name": None}},
        {"Network": {"weight": 1, "bias": 2, "activation": "softmax"}},
        {"Failure": {"type": "E", "message": "m", "line": "7"}},
        {"Failure": {"type": "E", "message": "m", "line": True}},
        {"Failure": {"type": "E", "line": 7}},
        {"Answer": {"value": 1, "error": {"Failure": {"type": "E", "message": "m", "line": 7}}}},
        {"Answer": {"value": {"Failure": {"type": "E", "message": "m", "line": 7}}}},
        {"Answer": {"value": {"Answer": {}}}},
        {"Answer": {"error": 1}},
        {"Answer": {"args": {"tuple": []}}},
        {"Answer": {"args": [{"Answer": {}}]}},
        {"Answer": {"same_object": True}},
        {"Answer": {"kind": None}},
        {"Answer": {"kinds": "float"}},
        {"Answer": {"kinds": [1]}},
        {"Answer": {"printed": 1}},
        {"Answer": {"kinds": ["w", None]}},
        {"Answer": [1, None]},
        {"Transcript": {"answer": 1, "calls": []}},
        {"Transcript": {"answer": {"Answer": {}}, "calls": [1]}},
        {
            "RecordedCall": {
                "name": "n",
                "args": [],
                "kwargs": 1,
                "bound": 2,
                "result": 3,
                "owner": 4,
            }
        },
    ],
)
def test_a_node_of_another_form_is_refused(node):
    """Every tag has one form."""
    with pytest.raises(wire.WireError):
        wire.decode(message_of(node))


def test_what_is_left_out_has_its_default():
    """An answer of nothing is None, and takes few bytes."""
    message = wire.encode(Answer())
    assert message[4:] == b'{"Answer":{}}'
    answer = wire.decode(message)
    assert [getattr(answer, name) for name in wire._FIELDS[Answer]] == [
        None,
        None,
        None,
        None,
        "NoneType",
        [],
        "",
    ]
    assert wire.decode(wire.encode(Answer(value=0, same_object=0, kind=""))).kind == ""
    assert wire.decode(wire.encode(Answer(value="", args=[]))).value == ""
    assert wire.decode(wire.encode(Answer(value=[], args=[]))).args == []


@pytest.mark.parametrize(
    "name", ["respuestas_falsas", "respuestas_robadas", "contesta_por_el_agente"]
)
def test_the_forged_answers_have_the_right_form(name):
    """Or those attacks would be refused for another reason than their nonce."""
    source = attacks("sandbox")[name]["source"].decode()
    (header,) = (
        ast.literal_eval(node.value)
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HEADER"
    )
    assert wire.decode(len(header).to_bytes(4, "big") + header).value == 0.5
    assert repr(wire.MAGIC).replace("'", '"') in source or "request[:20]" in source


def test_depth_and_number_are_limited_both_ways():
    """A bomb of lists is refused before it is built, by the one who sends and by the one who
    reads.
    """
    deep, wide = [], [0] * 1_000_000
    for _ in range(100):
        deep = [deep]
    for value in (deep, wide, "x" * (1 << 21), 1 << (1 << 20)):
        with pytest.raises(wire.WireError):
            wire.encode(value)
    for text in (
        "[" * 100_000,
        '{"tuple":[' * 100_000,
        "[0" + ",0" * 1_000_000 + "]",
        "[0" + ",0" * 12_000_000 + "]",
    ):
        header = text.encode()
        with pytest.raises(wire.WireError):
            wire.decode(len(header).to_bytes(4, "big") + header)
    listed = tupled = mapped = recorded = keyed = 0
    for _ in range(wire._DEPTH + 1):
        keyed = {"frozenset": [keyed]}
        listed, tupled, mapped = [listed], {"tuple": [tupled]}, {"dict": {"a": mapped}}
        recorded = {"objects": [[1], [recorded]]}
    for node in (
        listed,
        tupled,
        mapped,
        recorded,
        keyed,
        ["x" * (1 << 21)],
        {"dict": {"a": "x" * (1 << 21)}},
    ):
        with pytest.raises(wire.WireError):
            wire.decode(message_of(node))
    assert wire.decode(message_of(listed[0])) == listed[0]


@pytest.mark.parametrize(
    "value",
    [
        object(),
        memoryview(b"bytes"),
        {range(3)},
        range(3),
        np.datetime64("2020"),
        np.array(["2020"], dtype="M8[D]"),
        np.ma.array([1]),
    ],
)
def test_what_is_not_plain_is_not_sent(value):
    """Exact types: a date of numpy's and a subclass are not plain data, as keys either."""
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


def sets_in_sets(depth, first=0):
    """Return the node of a set of two sets of two sets, down to numbers with equal hashes."""
    if not depth:
        return first * sys.hash_info.modulus
    return {"frozenset": [sets_in_sets(depth - 1, 2 * first + each) for each in (0, 1)]}


@pytest.mark.parametrize("tag", ["set", "frozenset", "items"])
def test_keys_chosen_for_their_equal_hashes_are_refused(tag):
    """Python would compare each with all others: hours for one message."""

    def node_of(count):
        keys = [number * sys.hash_info.modulus for number in range(count)]
        return {tag: [each for key in keys for each in ((key, 0) if tag == "items" else (key,))]}

    few = node_of(200)
    assert len(wire.decode(message_of(few))) == 200
    for node in (node_of(600), [few] * 10, sets_in_sets(14)):
        with pytest.raises(wire.WireError, match="equal hashes"):
            wire.decode(message_of(node))


def test_keys_that_happen_to_have_equal_hashes_are_not():
    """As points with coordinates -1 and -2 do."""
    grids = [{(x, y) for x in range(-20, 20) for y in range(-20, 20)}] * 50
    assert wire.decode(wire.encode(grids)) == grids


def test_what_a_message_becomes_is_as_limited_as_the_message():
    """A small one with a long text among many short ones is refused before anything is made of
    it.
    """
    texts = {"texts": [[20_000], ["a" * 4000, *[""] * 19_999]]}
    few = {"texts": [[500], ["a" * 4000, *[""] * 499]]}
    assert len(wire.decode(message_of(few))) == 500
    for node in (texts, [few, few, few]):
        with pytest.raises(wire.WireError, match="too many bytes"):
            wire.decode(message_of(node))
    assert wire.decode(message_of({"dict": {"a" * wire.MAX_TEXT: 1}}))
    with pytest.raises(wire.WireError, match="a long key"):
        wire.decode(message_of({"dict": {"a" * (wire.MAX_TEXT + 1): 1}}))
    elements = bytes(15 << 20)
    with pytest.raises(wire.WireError, match="too many bytes"):
        wire.decode(message_of([{"u1": [len(elements)]}, few], elements))


def test_numbers_that_python_does_not_write_do_not_travel():
    """Neither as a value nor as the line of a failure: whoever tells them would fail."""
    for text in ("9" * 5000, "[-" + "9" * 100_000 + "]", '{"f8":[' + "0" * 5000 + "1]}"):
        with pytest.raises(wire.WireError):
            wire.decode(len(text).to_bytes(4, "big") + text.encode())
    assert len(str(wire.decode(wire.encode((1 << 8192) - 1)))) == 2467
    for value in (1 << 8192, Failure("E", "", 1 << 40), Failure("E", "", -1)):
        with pytest.raises(wire.WireError):
            wire.decode(wire.encode(value))
