"""Whatever plain data a course may draw arrives as it is, and is written as what it is."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis.extra import numpy as npst
from plain_values import plain_values, same

from practica.grading.engine.framework import untouched
from practica.grading.engine.rendering import LONGEST_CODE, code_of, equal, show
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside import wire
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
