"""What the functions accept, and the sentences with which they refuse the rest."""

import warnings

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from strategies import LABELS

from practica import crossvalidation
from practica.reference import arguments
from practica.reference.arguments import (
    as_array,
    as_bool_array,
    as_integer,
    as_labels,
    as_real,
    as_real_matrix,
    brief,
    require_equal_lengths,
    require_finite,
)

NUMBERS = st.one_of(st.integers(-(2**40), 2**40), st.floats(allow_nan=False, width=32))


# --- numbers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [int, np.int8, np.int64, np.uint16, lambda n: np.array([n])[0], torch.tensor]
)
def test_integers_of_any_library_are_integers(kind):
    """They come out as Python's own."""
    number = as_integer(kind(7), "k", minimum=7)
    assert number == 7
    assert type(number) is int


@pytest.mark.parametrize("value", [True, np.True_, 3.0, np.float64(3), "3", None, [3], 3j])
def test_what_is_not_an_integer_is_named_with_its_type(value):
    """A bool is not an integer here, although it is one in Python; a whole float is none either."""
    with pytest.raises(
        TypeError, match=rf"^k=.* is a {type(value).__name__}; it must be an integer$"
    ):
        as_integer(value, "k", minimum=0)


def test_an_integer_below_the_minimum_is_named_with_it():
    """The value and the limit are in the sentence."""
    with pytest.raises(ValueError, match=r"^k=1 is out of range; it must be at least 2$"):
        as_integer(1, "k", minimum=2)


@given(number=st.floats(0, 1))
def test_a_real_number_in_its_range_is_returned(number):
    """Both ends are allowed."""
    assert as_real(number, "P", low=0, high=1) == number
    assert as_real(np.float64(number), "P", low=0, high=1) == number


@pytest.mark.parametrize(
    ("value", "limits", "error", "message"),
    [
        (
            1.5,
            {"low": 0, "high": 1},
            ValueError,
            r"^P=1.5 is out of range; it must be in \[0, 1\]$",
        ),
        (-0.1, {"low": 0, "high": 1}, ValueError, r"^P=-0.1 .* in \[0, 1\]$"),
        (float("nan"), {}, ValueError, r"^P=nan is out of range"),
        (
            0,
            {"low": 0, "above": True},
            ValueError,
            r"^P=0 is out of range; it must be greater than 0$",
        ),
        ("0.5", {}, TypeError, r"^P='0.5' is a str; it must be a number$"),
        (None, {}, TypeError, r"^P=None is a NoneType; it must be a number$"),
        ([1, 2], {}, TypeError, r"^P=\[1, 2\] is a list; it must be a number$"),
        (1j, {}, TypeError, r"^P=1j is a complex"),
    ],
)
def test_what_is_not_a_number_in_the_range_is_named_with_it(value, limits, error, message):
    """The value and what is allowed are in the sentence."""
    with pytest.raises(error, match=message):
        as_real(value, "P", **limits)


# --- arrays ---------------------------------------------------------------------------------------


@given(labels=st.lists(LABELS, min_size=1))
def test_a_list_of_labels_keeps_every_element(labels):
    """Each element is still the same and, unless all are numbers, of the same type."""
    array = as_array(labels, "labels")
    assert array.shape == (len(labels),)
    assert array.tolist() == labels
    if array.dtype == object:
        assert all(now is before for now, before in zip(array, labels, strict=True))
    else:
        assert all(isinstance(label, bool) for label in labels) or not any(
            isinstance(label, bool) for label in labels
        )


def test_numbers_among_text_stay_numbers():
    """Numpy alone would turn the 3 into "3"."""
    assert as_array(["dog", "cat", 3], "labels").tolist() == ["dog", "cat", 3]


@given(values=st.lists(st.booleans(), min_size=1))
def test_only_a_list_of_nothing_but_bools_is_bool(values):
    """One number among them makes it a vector of labels."""
    assert as_array(values, "targets").dtype == bool
    assert as_array([*values, 1], "targets").dtype == object
    assert as_array([np.bool_(value) for value in values], "targets").dtype == bool


@given(numbers=st.lists(NUMBERS, min_size=1))
def test_a_list_of_numbers_is_an_array_of_numbers(numbers):
    """Integers and floats."""
    array = as_array(numbers, "inputs")
    assert array.dtype.kind in "if"
    assert array.tolist() == numbers


@pytest.mark.parametrize(
    "values", [range(3), (0, 1, 2), iter([0, 1, 2]), dict.fromkeys(range(3)).keys()]
)
def test_any_iterable_is_an_array(values):
    """Ranges, tuples, iterators and views."""
    assert as_array(values, "labels").tolist() == [0, 1, 2]


@pytest.mark.parametrize("values", ["abc", b"abc", {"a": 1}, 3, None])
def test_what_is_no_sequence_of_elements_is_refused(values):
    """Text is one label, not a list of letters."""
    with pytest.raises(
        TypeError, match=rf"^labels=.* is a {type(values).__name__}; it must be an array or a list$"
    ):
        as_array(values, "labels")


@pytest.mark.parametrize(
    ("convert", "values", "error", "message"),
    [
        (as_real_matrix, [1.0, 2.0], ValueError, r"^inputs has shape \(2,\); it must be a matrix"),
        (
            as_real_matrix,
            [["a"]],
            TypeError,
            "^inputs has elements of type object; they must be real numbers$",
        ),
        (as_real_matrix, [[1j]], TypeError, "^inputs has elements of type object"),
        (
            as_real_matrix,
            [[1, 2], [3]],
            ValueError,
            "^inputs: row 1 has 1 elements and row 0 has 2$",
        ),
        (
            as_bool_array,
            [0, 1],
            TypeError,
            "^inputs has elements of type int64; they must be bool$",
        ),
        (
            as_bool_array,
            np.zeros((1, 1, 1), bool),
            ValueError,
            r"^inputs has shape \(1, 1, 1\); .* vector or a matrix$",
        ),
        (
            as_labels,
            [[1, 2]],
            ValueError,
            r"^inputs has shape \(1, 2\); it must be a vector with one label",
        ),
    ],
)
def test_an_array_of_the_wrong_kind_is_refused(convert, values, error, message):
    """The sentence names the argument, and its shape or type."""
    with pytest.raises(error, match=message):
        convert(values, "inputs")


def test_an_empty_list_may_be_bool():
    """It has no elements that could tell what they are."""
    assert as_bool_array([], "targets").dtype == bool


# --- whole arguments ------------------------------------------------------------------------------


def test_the_first_value_that_is_not_finite_is_named():
    """By row and column, with its value."""
    require_finite(np.zeros((2, 3)), "inputs")
    matrix = np.zeros((3, 3))
    matrix[1, 2], matrix[2, 0] = -np.inf, np.nan
    with pytest.raises(
        ValueError, match=r"^inputs: row 1, column 2 is -inf; every value must be finite$"
    ):
        require_finite(matrix, "inputs")


def test_different_numbers_of_patterns_are_named():
    """Each argument with its own."""
    require_equal_lengths(inputs=np.zeros((3, 2)), targets=np.zeros(3))
    with pytest.raises(ValueError, match=r"^the number of patterns differs: inputs 3, targets 2$"):
        require_equal_lengths(inputs=np.zeros((3, 2)), targets=np.zeros(2))


@given(value=st.text(max_size=100), width=st.integers(3, 60))
def test_a_shortened_value_fits_and_begins_as_it_is(value, width):
    """What fits is not cut."""
    text = brief(value, width)
    assert len(text) <= width
    assert text == repr(value) or (text.endswith("…") and repr(value).startswith(text[:-1]))
    assert (text == repr(value)) == (len(repr(value)) <= width)


def test_a_warning_points_at_the_caller():
    """At the first line outside the package, however deep inside it arose."""
    for warn in (lambda: crossvalidation(2, 3), lambda: arguments.warn_caller("k=3")):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            warn()
        assert [(warning.filename, warning.category) for warning in caught] == [
            (__file__, UserWarning)
        ]
