"""Plain data is shown as Python that gives the same data, and compared with its types."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from practica.grading.engine import rendering
from practica.grading.engine.rendering import TOLERANCE, close, code_of, equal, show, show_apart
from practica.grading.inside.plain_data import Function, Handle


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (np.array([True, False]), "np.array([True, False])"),
        (np.array([1, 2], dtype=np.int32), "np.array([1, 2], dtype='int32')"),
        (np.empty((0, 3)), "np.array([], dtype='float64').reshape((0, 3))"),
        (np.fromiter([[1]], dtype=object), "np.fromiter([[1]], dtype=object)"),
        ((1, [np.nan, -np.inf], "ñ"), "(1, [np.nan, -np.inf], 'ñ')"),
        ({"b", 10, "a", 9, None}, "{9, 10, 'a', 'b', None}"),
        ({(0, 1): {frozenset({2, 1})}, 5: set()}, "{(0, 1): {frozenset({1, 2})}, 5: set()}"),
        (complex(1, -2), "(1-2j)"),
    ],
)
def test_a_value_is_written_as_a_person_would(value, code):
    """Sets in order, and no type where it goes without saying."""
    assert code_of(("f", [value], {})) == f"f({code})"


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (pd.DataFrame({"a": [1, 2]}), "pd.DataFrame({'a': [1, 2]})"),
        (pd.DataFrame({"a": [1]}, index=["x"]), "pd.DataFrame({'a': [1]}, index=['x'])"),
        (pd.Series([1, 2], dtype="Int64"), "pd.Series([1, 2], dtype='Int64')"),
        (
            pd.Series([1], pd.Index(["x"], name="k")),
            "pd.Series([1], index=pd.Index(['x'], name='k'))",
        ),
        (
            pd.Index(np.fromiter([([],)], dtype=object), dtype=object),
            "pd.Index([([],)], dtype='object')",
        ),
        (
            pd.DataFrame([[1, 2]], columns=["a", "a"]),
            "pd.DataFrame({0: [1], 1: [2]}).set_axis(['a', 'a'], axis=1)",
        ),
    ],
)
def test_a_table_has_its_types_and_names_where_they_do_not_go_without_saying(value, code):
    """As little as makes it again."""
    assert code_of(("f", [value], {})) == f"f({code})"


ALIKE = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})


@pytest.mark.parametrize(
    "other",
    [
        ALIKE.astype({"a": "Int64"}),
        ALIKE.astype({"b": object}),
        ALIKE.rename_axis("k"),
        ALIKE.rename_axis(columns="k"),
    ],
)
def test_two_tables_that_differ_are_shown_as_different(other):
    """In the type of a column, or in a name."""
    shown = show_apart({"obtained": ALIKE, "expected": other})
    assert shown["obtained"] == "pd.DataFrame({'a': [1, 2], 'b': ['x', 'y']})"
    assert shown["expected"] != shown["obtained"]


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        (np.array([1.0]), np.array([1]), ("np.array([1.0])", "np.array([1])")),
        (1.0, 1, ("1.0", "1")),
        ([0] * 500 + [1], [0] * 500 + [2], (f"…{'0, ' * 40}1]", f"…{'0, ' * 40}2]")),
        (0.5, 0.5, ("0.5", "0.5")),
    ],
)
def test_what_differs_is_in_what_is_shown(one, other, shown):
    """A type, or what comes after the part of a value that a sentence has room for."""
    assert (*show_apart({"obtained": one, "expected": other}).values(),) == shown


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


NUMBERS = st.floats(-3, 3) | st.sampled_from([np.nan, np.inf, -np.inf, 1e300, 1e-300])


@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=4))
def test_close_is_allclose_with_nan_equal_to_itself(pairs):
    """Only an infinity of the same sign is close to an infinity."""
    first, second = np.array(pairs).reshape(-1, 2).T
    for one, two in ((first, second), (first, first), (first, first * (1 + TOLERANCE / 2))):
        expected = np.allclose(one, two, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)
        assert close(one, two) == expected
    assert not close(1.0, np.inf)
    assert not close(-np.inf, np.inf)
    assert not close(10**400, 1.0)
    assert not close([1.0], [1.0, 1.0])


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
    assert rendering.LONGEST_TEXT - 1 <= len(text) <= rendering.LONGEST_TEXT
    assert text.endswith("…")
