"""Plain data is shown as Python that gives the same data, and compared with its types."""

import tracemalloc

import numpy as np
import pytest

from practica.engine import rendering
from practica.engine.rendering import code_of, equal, show
from practica.inside.plain_data import Function, Handle


@pytest.mark.parametrize(
    "value",
    [
        np.array([True, False]),
        np.array([[0.1, 2.0]]),
        np.array([1, 2], dtype=np.int32),
        np.array([0.5], dtype=np.float32),
        np.array(["a", "bc"]),
        np.array([1, "1", None], dtype=object),
        np.empty((0, 3)),
        {"topology": [3, 2], "C": 0.1},
        (1, [np.nan, -np.inf], "ñ"),
        (np.arange(3),),
    ],
)
def test_a_call_is_python_that_gives_the_same_arguments(value):
    """Types included; only the shape of an empty array is lost."""
    code = code_of(("double", [value], {"k": value}))
    args, kwargs = eval(code, {"np": np, "double": lambda *args, **kwargs: (args, kwargs)})
    if not (isinstance(value, np.ndarray) and value.size == 0):
        assert equal(args[0], value)
        assert equal(kwargs["k"], value)


def test_functions_and_networks_are_named():
    """`transferFunctions` can be copied too."""
    code = code_of(("train", [[2]], {"transferFunctions": [Function("tanh")], "ann": Handle(3)}))
    assert code == "train([2], transferFunctions=[torch.tanh], ann=<ann>)"


def test_what_is_shown_is_short_and_rounded():
    """A sentence is no dump."""
    assert show(1 / 3) == "0.333333"
    assert show(np.array([[True]])) == "[[True]]"
    assert len(show(list(range(10_000)))) <= rendering.LONGEST_TEXT


def test_equal_compares_types_and_nan():
    """Arguments that come back are compared by it."""
    assert equal([np.nan, {"a": (1,)}], [np.nan, {"a": (1,)}])
    assert not equal(1, True)
    assert not equal(np.array([1]), np.array([1.0]))
    assert not equal([1], (1,))
    assert not equal(np.array([1, "1"], dtype=object), np.array([1, 1], dtype=object))


@pytest.mark.parametrize(
    "value",
    [np.zeros((4, 2_000_000), bool), [[0] * 200_000] * 9, {"a": ["b"] * 200_000}, "a" * 10**7],
)
def test_of_a_large_value_only_what_is_shown_is_written(value):
    """Not megabytes, of which a sentence has no room."""
    tracemalloc.start()
    try:
        text = show(value)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
    assert len(text) == rendering.LONGEST_TEXT
    assert text.endswith("…")
