"""Labels to bool columns and back."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from strategies import bool_vectors, class_sequences, distinct_labels, labelled_patterns, one_hot

from practica import classify_outputs, one_hot_encoding
from practica.reference.encoding import class_numbers, number_classes

OUTPUTS = st.floats(-2, 2, width=32)


# --- one_hot_encoding -----------------------------------------------------------------------------


@given(patterns=labelled_patterns(min_classes=3))
def test_a_column_for_each_class_in_order_of_first_appearance(patterns):
    """Row i is True only in the column of its label, so that the columns give the labels back."""
    labels, classes = patterns
    encoded = one_hot_encoding(labels)
    assert encoded.dtype == bool
    assert encoded.shape == (len(labels), len(classes))
    assert (encoded.sum(axis=1) == 1).all()
    assert [classes[column] for column in encoded.argmax(axis=1)] == labels


@given(patterns=labelled_patterns(max_classes=2))
def test_one_or_two_classes_have_one_column_for_the_first(patterns):
    """True is the label that appears first; of one class, all of them."""
    labels, classes = patterns
    labels = np.fromiter(labels, dtype=object)  # labels, also where they are all bool
    assert one_hot_encoding(labels).tolist() == [[label == classes[0]] for label in labels]


@given(patterns=labelled_patterns(min_classes=3), data=st.data())
def test_given_classes_decide_the_order_of_the_columns(patterns, data):
    """Classes in another order, some without patterns: the same columns in that order."""
    labels, classes = patterns
    absent = [label for label in data.draw(distinct_labels()) if label not in classes]
    order = data.draw(st.permutations([*classes, *absent]))
    encoded = one_hot_encoding(labels, order)
    assert encoded.shape == (len(labels), len(order))
    for column, label in enumerate(order):
        assert encoded[:, column].tolist() == [other == label for other in labels]


@given(patterns=labelled_patterns(max_classes=2), data=st.data())
def test_the_first_of_two_given_classes_is_the_positive_one(patterns, data):
    """Also when it does not occur, and when the labels are bool."""
    labels, classes = patterns
    others = [label for label in data.draw(distinct_labels(3, 3)) if label not in classes]
    pair = data.draw(st.permutations([*classes, *others][:2]))
    assert one_hot_encoding(labels, pair).tolist() == [[label == pair[0]] for label in labels]


@given(vector=bool_vectors())
def test_a_bool_vector_is_its_own_column(vector):
    """A copy of it: writing in one leaves the other as it was."""
    encoded = one_hot_encoding(vector)
    assert encoded.tolist() == [[value] for value in vector.tolist()]
    assert not np.shares_memory(encoded, vector)
    np.testing.assert_array_equal(one_hot_encoding(vector.tolist()), encoded)


def test_bools_in_an_object_array_are_labels():
    """The first label is the positive one there: here the negation of what a bool vector gives."""
    values = [False, True, True]
    assert one_hot_encoding(np.array(values, dtype=object)).ravel().tolist() == [True, False, False]
    assert one_hot_encoding(np.array(values)).ravel().tolist() == values


def test_equal_labels_of_different_types_are_one_class():
    """1, 1.0 and True are equal; "1" is another class."""
    assert one_hot_encoding([1, "1", 1.0, None, True]).astype(int).tolist() == [
        [1, 0, 0],
        [0, 1, 0],
        [1, 0, 0],
        [0, 0, 1],
        [1, 0, 0],
    ]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([],), ValueError, "feature has no patterns"),
        ((["a"], []), ValueError, r"label 'a' is not one of the classes \[\]"),
        (
            (["a", "d"], ["a", "b", "c"]),
            ValueError,
            r"label 'd' is not one of the classes \['a', 'b', 'c'\]",
        ),
        ((["a"], ["a", "b", "a"]), ValueError, "classes: 'a' is repeated"),
        (([0.5, float("nan")],), ValueError, "label 1 is NaN"),
        ((["a", float("nan")],), ValueError, "a label is NaN"),
        (([["a"], ["b"]],), ValueError, r"feature has shape \(2, 1\)"),
        (("abc",), TypeError, "feature='abc' is a str"),
        (([{"a"}, {"b"}],), TypeError, "a label cannot be compared"),
    ],
)
def test_one_hot_encoding_refuses(arguments, error, message):
    """The sentence names the label and the classes."""
    with pytest.raises(error, match=message):
        one_hot_encoding(*arguments)


# --- the numbers of the classes -------------------------------------------------------------------


@given(numbers=st.lists(st.integers(-5, 5), min_size=1), far=st.sampled_from([1, 1 << 20]))
def test_every_way_of_numbering_gives_the_same_classes(numbers, far):
    """Integers close together, far apart, as floats and as objects: by table, by sorting and by
    hashing.
    """
    integers = np.array(numbers) * far
    expected = list(dict.fromkeys(integers.tolist()))
    for labels in (integers, integers.astype(float), integers.astype(object)):
        classes, numbered = number_classes(labels)
        assert classes == expected
        assert [classes[number] for number in numbered] == integers.tolist()


@given(vector=bool_vectors())
def test_bools_are_numbered_as_bools(vector):
    """The classes of a bool vector are True and False, not 1 and 0."""
    classes, numbered = number_classes(vector)
    assert all(type(label) is bool for label in classes)
    assert [classes[number] for number in numbered] == vector.tolist()


@pytest.mark.parametrize("C", [255, 256, 257, 70_000])
def test_hundreds_of_classes_are_told_apart(C):
    """The numbers are stored in as few bytes as they need, and no fewer."""
    order = np.random.default_rng(1).permutation(C)
    for labels in (order, order * 1.0, order.astype(object)):
        classes, numbered = number_classes(labels)
        assert classes == order.tolist()
        np.testing.assert_array_equal(numbered, np.arange(C))
        np.testing.assert_array_equal(class_numbers(labels, list(range(C))), order)


# --- classify_outputs -----------------------------------------------------------------------------


@given(outputs=st.lists(OUTPUTS, min_size=1), threshold=st.floats(-2, 2))
def test_a_vector_is_compared_with_the_threshold(outputs, threshold):
    """An output equal to the threshold is positive, whatever the precision of the outputs."""
    expected = [output >= threshold for output in outputs]
    for dtype in (np.float64, np.float32):
        classified = classify_outputs(np.array(outputs, dtype=dtype), threshold=threshold)
        assert classified.dtype == bool
        assert classified.tolist() == expected


def test_float32_outputs_are_compared_in_double_precision():
    """float32(0.7) lies below 0.7; numpy alone would round the threshold to it."""
    assert classify_outputs(np.array([0.7, 0.75], dtype=np.float32), threshold=0.7).tolist() == [
        False,
        True,
    ]
    assert classify_outputs(torch.tensor([[0.7]]), threshold=0.7).tolist() == [[False]]


@given(outputs=st.lists(OUTPUTS, min_size=1), threshold=st.floats(-2, 2))
def test_a_column_is_classified_as_a_vector(outputs, threshold):
    """Only the shape differs."""
    vector = classify_outputs(np.array(outputs), threshold=threshold)
    column = classify_outputs(np.array(outputs).reshape(-1, 1), threshold=threshold)
    np.testing.assert_array_equal(column, vector.reshape(-1, 1))


@given(
    outputs=hnp.arrays(
        np.float64, st.tuples(st.integers(0, 10), st.integers(3, 5)), elements=st.integers(-3, 3)
    ),
    threshold=st.floats(-9, 9),
)
def test_each_row_is_true_at_its_first_largest_output(outputs, threshold):
    """One True per row, whatever the threshold is."""
    classified = classify_outputs(outputs, threshold=threshold)
    assert classified.shape == outputs.shape
    assert [row.index(True) for row in classified.tolist()] == [
        row.index(max(row)) for row in outputs.tolist()
    ]
    assert (classified.sum(axis=1) == 1).all()


@given(numbers=class_sequences(min_classes=3), C=st.integers(5, 7))
def test_one_hot_rows_classify_as_themselves(numbers, C):
    """Encoding and classifying give back what was encoded."""
    rows = one_hot(numbers, C)
    np.testing.assert_array_equal(classify_outputs(rows.astype(float)), rows)
    np.testing.assert_array_equal(classify_outputs(rows), rows)


def test_nan_is_negative_in_a_vector_and_the_largest_of_a_row():
    """As in Julia, whose `findmax` stops at the first NaN."""
    nan = float("nan")
    assert classify_outputs([nan, 0.6]).tolist() == [False, True]
    assert classify_outputs([[0.2, nan, 0.9], [nan, nan, 1.0]]).argmax(axis=1).tolist() == [1, 0]


def test_the_outputs_are_left_as_they_are():
    """The classification is a new array."""
    outputs = np.array([0.2, 0.5, 0.9])
    classify_outputs(outputs)[:] = False
    assert outputs.tolist() == [0.2, 0.5, 0.9]
    flags = np.array([True, False])
    assert not np.shares_memory(classify_outputs(flags), flags)


@pytest.mark.parametrize(
    ("outputs", "threshold", "error", "message"),
    [
        ([[0.3, 0.7]], 0.5, ValueError, r"outputs has shape \(1, 2\)"),
        (np.zeros((3, 0)), 0.5, ValueError, r"outputs has shape \(3, 0\)"),
        (np.zeros((2, 2, 2)), 0.5, ValueError, r"outputs has shape \(2, 2, 2\)"),
        (
            [[0.1, 0.2, 0.7], [0.3, 0.7]],
            0.5,
            ValueError,
            "outputs: row 1 has 2 elements and row 0 has 3",
        ),
        (["yes", "no"], 0.5, TypeError, "outputs has elements of type object"),
        (0.7, 0.5, TypeError, "outputs=0.7 is a float"),
        ([0.7], "half", TypeError, "threshold='half' is a str"),
        ([0.7], float("nan"), ValueError, "threshold=nan"),
    ],
)
def test_classify_outputs_refuses(outputs, threshold, error, message):
    """The sentence names the shape or the type that does not fit."""
    with pytest.raises(error, match=message):
        classify_outputs(outputs, threshold=threshold)


@pytest.mark.parametrize("kind", [int, float, str])
def test_a_class_that_appears_late_is_the_last_one(kind):
    """However many patterns come before it, the order is that of first appearance."""
    labels = np.repeat([7, -3, 5, 2], [20_000, 20_000, 1, 20_000]).astype(kind)
    classes, numbers = number_classes(labels)
    assert classes == labels[[0, 20_000, 40_000, 40_001]].tolist()
    np.testing.assert_array_equal(numbers, np.repeat([0, 1, 2, 3], [20_000, 20_000, 1, 20_000]))
