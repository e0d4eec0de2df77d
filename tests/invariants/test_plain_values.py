"""Whatever plain data a course may draw arrives as it is, and is written as what it is."""

import itertools
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from plain_values import plain_values, same

from practica.grading.engine.framework import untouched
from practica.grading.engine.rendering import LONGEST_CODE, code_of, equal, show
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside import wire
from practica.grading.inside.agent import Agent
from practica.grading.inside.plain_data import to_plain

HERE = Path(__file__).parents[1]
ARRAY_OF_LISTS = np.fromiter([[1, 2], [3, 4]], dtype=object)
IDENTITY = LocalSolution({"same": lambda value: value})


@given(plain_values())
@example([ARRAY_OF_LISTS, ARRAY_OF_LISTS.reshape(2, 1), np.array([[], []], dtype=str)])
@example(-1j)
@example({complex(-0.0, float("nan")): {frozenset(): set()}, (None, 1): frozenset({2.5})})
def test_a_value_is_the_same_wherever_it_goes(value):
    """Through the wire, to a function and back, and as Python."""
    assert same(wire.decode(wire.encode(value)), value)
    assert same(IDENTITY.same(value), value)
    assert equal(IDENTITY.same(value), value)
    untouched(IDENTITY, "same", value)
    if len(code := code_of(("", [value], {}))) < LONGEST_CODE:
        assert same(eval(code, {"np": np}), value)
    assert show(value)


COLUMNS = {  # of a table, by the type of their elements
    "int64": [1, -2, 3],
    "float64": [0.5, float("nan"), -0.0],
    "bool": [True, False, True],
    "object": ["a", None, (1, 2)],
    "str": ["a", "ñ", None],
    "category": ["x", "y", "x"],
    "Int64": [1, None, 3],
    "datetime64[ns]": ["2026-01-02", "1999-12-31", None],
    "timedelta64[s]": [1, 2, 3],
}
NAMES = st.one_of(st.text(max_size=3), st.integers(-3, 3), st.none())


@st.composite
def tables(draw):
    """Draw a table, a column or an index of pandas."""
    columns = draw(st.lists(st.sampled_from([*COLUMNS]), max_size=4))
    series = [pd.Series(COLUMNS[name]).astype(name) for name in columns]
    table = pd.DataFrame(dict(enumerate(series)), index=range(3))
    table.columns = draw(st.lists(NAMES, min_size=len(columns), max_size=len(columns)))
    if draw(st.booleans()):
        table.index = pd.Index(draw(st.lists(NAMES, min_size=3, max_size=3)), name=draw(NAMES))
    if draw(st.booleans()):
        table.index = pd.MultiIndex.from_tuples([(0, "a"), (0, "b"), (1, "a")])
    return draw(
        st.sampled_from([table, table.index, *(table.iloc[:, at] for at in range(len(columns)))])
    )


EXACT = st.one_of(
    *(st.dates(), st.datetimes(), st.times(), st.timedeltas(), st.fractions()),
    *(st.decimals(allow_nan=False), st.binary(max_size=6), tables()),
)


@given(
    EXACT | st.lists(EXACT, max_size=3) | st.dictionaries(st.text(max_size=2), EXACT, max_size=2)
)
def test_a_value_of_a_course_is_the_same_wherever_it_goes(value):
    """Dates, exact numbers, bytes and tables: through the wire, and to a function and back."""
    agent = Agent({"same": lambda value: value, "left": lambda value: None})
    assert equal(wire.decode(wire.encode(value)), value)
    answer = agent.call("same", [value], {}, seed=1, want_args=True, exact=True)
    assert equal(answer.value, value)
    assert equal(answer.args, [value])
    sent = wire.decode(wire.encode(answer))
    assert equal(sent.value, value)
    assert show(value)


@given(tables().filter(lambda table: table.ndim < 2 or table.shape[1]))
def test_a_table_is_written_as_what_it_is(table):
    """Its types and names too, so that two tables that differ are not written alike."""
    code = code_of(("", [table], {}))
    made = eval(code, {"np": np, "pd": pd})
    assert equal(to_plain(made, exact=True), to_plain(table, exact=True)), code


@dataclass
class Point:
    """A point."""

    x: int
    y: tuple


GIVEN = {  # what a function returns, and what a check gets
    "a generator": (lambda: (n * n for n in range(3)), [0, 1, 4]),
    "an iterator": (lambda: iter("ab"), ["a", "b"]),
    "a map": (lambda: map(str, [1, 2]), ["1", "2"]),
    "a zip": (lambda: zip("ab", [1, 2], strict=True), [("a", 1), ("b", 2)]),
    "a range": (lambda: range(2), [0, 1]),
    "a deque": (lambda: deque([1, 2]), [1, 2]),
    "the values of a dict": (lambda: {"a": 1}.values(), [1]),
    "a counter": (lambda: Counter("aab"), {"a": 2, "b": 1}),
    "a dict with a default": (lambda: defaultdict(list, a=[1]), {"a": [1]}),
    "a dataclass": (lambda: Point(1, (2, 3)), {"x": 1, "y": (2, 3)}),
    "iterators in a tuple": (lambda: (iter([1]), reversed([1, 2])), ([1], [2, 1])),
    "no end": (lambda: itertools.count(), [*range(1000)]),
    "dates of numpy": (
        lambda: [*np.array(["2026-01-02", "NaT"], "M8[D]"), np.timedelta64(90, "s")],
        [datetime(2026, 1, 2), None, timedelta(seconds=90)],
    ),
    "a bytearray": (lambda: bytearray(b"ab"), b"ab"),
}


@pytest.mark.parametrize(("function", "got"), GIVEN.values(), ids=GIVEN)
def test_what_a_function_of_a_course_gives_is_read_as_plain_data(function, got):
    """As far as a bound; its own kind is known as well."""
    answer = Agent({"f": function}).call("f", [], {}, seed=1, exact=True)
    assert same(answer.value, got)
    assert answer.kind == type(function()).__name__


def test_an_error_of_an_iterator_is_one_of_the_call():
    """It is the student's code that runs while its items are read."""

    def f():
        yield 1
        raise KeyError("late")

    answer = Agent({"f": f}, __file__).call("f", [], {}, seed=1, exact=True)
    assert (answer.error.type, answer.error.line) == ("KeyError", f.__code__.co_firstlineno + 2)


@pytest.mark.parametrize(
    "bad",
    [
        {"table": ["DataFrame", ["Index", [None], [["object", []]]], [["int64", [1]]], []]},
        {"table": ["Thing", [], []]},
        {"table": ["Series", ["a"], [["int64", {"f8": [2]}], []]]},
        {"Decimal": "1" * 5000},
        {"date": 3},
        {"timedelta": "1 2"},
        {"Fraction": "1/0"},
        {"bytes": "€"},
    ],
)
def test_what_is_no_such_value_is_refused(bad):
    """Whatever the bytes are, nothing else than WireError comes."""
    header = json.dumps(bad).encode()
    with pytest.raises(wire.WireError):
        wire.decode(len(header).to_bytes(4, "big") + header)


PROGRAM = """
from practica.grading.engine.rendering import code_of, show
for value in ({*"abcdefgh"}, {"a": frozenset("xyzw")}, [{1, "1", 2.5, None}]):
    print(code_of(("", [value], {})), show(value))
"""


def test_what_is_written_does_not_depend_on_the_process():
    """A set has another order in each of them."""
    written = set()
    for seed in "12":
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(HERE)}
        command = [sys.executable, "-c", PROGRAM]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        written.add(done.stdout)
    assert len(written) == 1
    assert written != {""}


@pytest.mark.parametrize("value", [np.float32(0.5), np.arange(3, dtype=">i4"), ["a"] * 20_000])
def test_an_argument_that_comes_back_in_another_form_was_not_changed(value):
    """A number of numpy's comes back as Python's, and what is too large not at all."""
    untouched(IDENTITY, "same", value)


@given(npst.from_dtype(np.dtype("c16")) | npst.arrays("i8", 3).map(lambda array: {*array}))
def test_numbers_of_numpy_arrive_as_those_of_python(value):
    """In sets and as keys, too."""
    assert same(wire.decode(wire.encode([value])), to_plain([value]))
