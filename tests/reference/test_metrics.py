"""Accuracy, and the confusion matrix with its seven metrics."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as theirs
from strategies import bool_pairs, class_sequences, label_pairs, number_pairs, one_hot

from practica import (
    accuracy,
    classify_outputs,
    confusion_matrix,
    one_hot_encoding,
    print_confusion_matrix,
)
from practica.reference.metrics import metrics_of

NAMES = ["accuracy", "errorRate", "recall", "specificity", "PPV", "NPV", "F1"]


def as_objects(labels) -> np.ndarray:
    """Make a vector of labels, also of those that are all bool."""
    return np.fromiter(labels, dtype=object)


# --- two classes ----------------------------------------------------------------------------------


def test_each_count_has_its_place():
    """`[[TN, FP], [FN, TP]]`: the real class in the rows, the predicted one in the columns."""
    targets = [False] * 3 + [True] * 7
    outputs = [False] * 1 + [True] * 2 + [False] * 3 + [True] * 4
    result = confusion_matrix(outputs, targets)
    assert result.matrix.tolist() == [[1, 2], [3, 4]]
    assert list(result) == pytest.approx([5 / 10, 5 / 10, 4 / 7, 1 / 3, 4 / 6, 1 / 4, 8 / 13])


@given(pair=bool_pairs())
def test_exchanging_the_classes_exchanges_what_is_said_of_each(pair):
    """Recall and specificity, PPV and NPV; the matrix turns around."""
    outputs, targets = pair
    one, other = confusion_matrix(outputs, targets), confusion_matrix(~outputs, ~targets)
    np.testing.assert_array_equal(one.matrix, other.matrix[::-1, ::-1])
    assert (one.recall, one.PPV) == (other.specificity, other.NPV)
    assert one.accuracy == other.accuracy


@given(pair=bool_pairs(), weighted=st.booleans())
def test_a_column_is_its_vector(pair, weighted):
    """One column means two classes: there is nothing to weigh."""
    outputs, targets = pair
    vector, column = confusion_matrix(outputs, targets), [part.reshape(-1, 1) for part in pair]
    assert confusion_matrix(*column, weighted=weighted) == vector
    assert confusion_matrix(column[0].astype(float), column[1], weighted=weighted) == vector
    assert accuracy(*column) == accuracy(outputs, targets) == vector.accuracy


@given(
    outputs=st.lists(st.floats(-4, 4, width=32), min_size=1),
    threshold=st.floats(0, 1),
    dtype=st.sampled_from([np.float32, np.float64]),
)
def test_real_outputs_are_classified_first(outputs, threshold, dtype):
    """A threshold, and then the result of the bool vectors."""
    outputs = np.array(outputs, dtype=dtype)
    targets = np.arange(len(outputs)) % 3 == 0
    classified = classify_outputs(outputs, threshold=threshold)
    assert confusion_matrix(outputs, targets, threshold=threshold) == confusion_matrix(
        classified, targets
    )
    assert accuracy(outputs, targets, threshold=threshold) == accuracy(classified, targets)
    column = outputs.reshape(-1, 1), targets.reshape(-1, 1)
    assert confusion_matrix(*column, threshold=threshold) == confusion_matrix(classified, targets)
    assert accuracy(*column, threshold=threshold) == accuracy(classified, targets)


def test_integers_are_outputs_for_bool_targets_and_labels_for_others():
    """0 and 1 are numbers to compare with the threshold only where the targets are bool."""
    assert confusion_matrix([0, 1, 2], [False, True, True]).accuracy == 1
    assert confusion_matrix([0, 1, 2], [0, 1, 1]).matrix.shape == (3, 3)


def test_bools_in_an_object_array_are_labels():
    """Then the positive class is the first of the targets, here False."""
    outputs, targets = [False, True, False], [False, True, True]
    assert confusion_matrix(outputs, targets).matrix.tolist() == [[1, 0], [1, 1]]
    for labels in (as_objects(targets), targets):
        result = confusion_matrix(as_objects(outputs), labels)
        assert result.matrix.tolist() == [[1, 1], [0, 1]]
        assert result.classes == (True, False)


# --- three or more classes ------------------------------------------------------------------------


@given(numbers=number_pairs())
def test_the_identities_of_the_metrics(numbers):
    """Trace, row and column sums, error rate, and the weighted recall, which is the accuracy."""
    outputs, targets, C = numbers
    weighted, plain = (
        confusion_matrix(one_hot(outputs, C), one_hot(targets, C), weighted=w)
        for w in (True, False)
    )
    np.testing.assert_array_equal(weighted.matrix, plain.matrix)
    assert weighted.matrix.dtype == np.int64
    np.testing.assert_array_equal(weighted.matrix.sum(axis=1), np.bincount(targets, minlength=C))
    np.testing.assert_array_equal(weighted.matrix.sum(axis=0), np.bincount(outputs, minlength=C))
    assert weighted.recall == pytest.approx(weighted.accuracy, abs=1e-12)
    for result in (weighted, plain):
        assert result.accuracy == pytest.approx(np.trace(result.matrix) / len(targets), abs=1e-12)
        assert result.errorRate == pytest.approx(1 - result.accuracy, abs=1e-12)
        assert all(0 <= value <= 1 + 1e-12 for value in result)


@given(numbers=number_pairs(), weighted=st.booleans(), data=st.data())
def test_the_order_of_the_columns_only_permutes_the_matrix(numbers, weighted, data):
    """The means over the classes do not change."""
    outputs, targets, C = numbers
    order = data.draw(st.permutations(range(C)))
    one = confusion_matrix(one_hot(outputs, C), one_hot(targets, C), weighted=weighted)
    other = confusion_matrix(
        one_hot(outputs, C)[:, order], one_hot(targets, C)[:, order], weighted=weighted
    )
    np.testing.assert_array_equal(other.matrix, one.matrix[np.ix_(order, order)])
    assert list(other) == pytest.approx(list(one), abs=1e-12)


@given(numbers=number_pairs(), data=st.data())
def test_the_order_of_the_patterns_does_not_matter(numbers, data):
    """Outputs and targets permuted together."""
    outputs, targets, C = numbers
    order = data.draw(st.permutations(range(len(targets))))
    one, other = (
        confusion_matrix(one_hot(outputs[i], C), one_hot(targets[i], C))
        for i in (slice(None), order)
    )
    np.testing.assert_array_equal(one.matrix, other.matrix)
    assert one == other


@given(numbers=number_pairs(), weighted=st.booleans())
def test_a_row_of_real_outputs_means_its_largest(numbers, weighted):
    """Any outputs with their maximum in the same place; the threshold says nothing."""
    outputs, targets, C = numbers
    real = np.random.default_rng(1).random((len(outputs), C)) / 2 + one_hot(outputs, C)
    rows = one_hot(targets, C)
    expected = confusion_matrix(one_hot(outputs, C), rows, weighted=weighted)
    assert confusion_matrix(real, rows, weighted=weighted) == expected
    assert confusion_matrix(real, rows, weighted=weighted, threshold=0.99) == expected
    assert accuracy(real, rows) == accuracy(real, rows, threshold=0.99) == expected.accuracy


@given(numbers=number_pairs())
def test_accuracy_counts_the_rows_that_agree_whole(numbers):
    """As scikit-learn's accuracy of indicator matrices; not the mean over the cells."""
    outputs, targets, C = numbers
    rows = one_hot(outputs, C), one_hot(targets, C)
    assert accuracy(*rows) == pytest.approx(theirs.accuracy_score(rows[1], rows[0]), abs=1e-12)


# --- labels ---------------------------------------------------------------------------------------


@pytest.mark.slow
@given(pairs=label_pairs(), weighted=st.booleans())
def test_labels_are_encoded_with_the_classes_of_both(pairs, weighted):
    """One list of classes for outputs and targets, those of the targets first."""
    outputs, targets = map(as_objects, pairs)
    classes = list(dict.fromkeys([*targets, *outputs]))
    result = confusion_matrix(outputs, targets, weighted=weighted)
    encoded = (one_hot_encoding(labels, classes) for labels in (outputs, targets))
    expected = confusion_matrix(*encoded, weighted=weighted)
    assert result == expected
    np.testing.assert_array_equal(result.matrix, expected.matrix)
    in_rows = (
        [None, classes[0]] if len(classes) == 1 else classes[::-1] if len(classes) == 2 else classes
    )
    assert list(result.classes) == in_rows


@given(numbers=class_sequences(max_classes=2))
def test_of_two_labels_the_first_target_is_positive(numbers):
    """It stands in the second row and column."""
    targets = np.array(["yes", "no"])[numbers]
    outputs = np.roll(targets, 1)
    expected = confusion_matrix(outputs == "yes", targets == "yes")
    assert confusion_matrix(outputs, targets) == expected


def test_a_label_that_is_only_predicted_is_a_class():
    """It has its row of zeros, and its column."""
    result = confusion_matrix(["a", "c", "b"], ["a", "a", "b"])
    assert result.classes == ("a", "b", "c")
    assert result.matrix.tolist() == [[1, 0, 1], [0, 1, 0], [0, 0, 0]]


def test_text_and_numbers_are_different_labels():
    """Numbers on one side, text on the other: nothing agrees."""
    result = confusion_matrix(np.array([1, 2, 1]), np.array(["1", "2", "1"]))
    assert result.accuracy == 0
    assert result.classes == ("1", "2", 1, 2)


# --- the result -----------------------------------------------------------------------------------


def test_the_result_is_the_seven_metrics_and_carries_its_matrix():
    """It unpacks into seven, and travels to other processes whole."""
    result = confusion_matrix(["a", "b", "c"], ["a", "b", "a"])
    assert list(result._fields) == NAMES
    assert len(result) == 7
    assert all(type(value) is float for value in result)
    for twin in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert twin == result
        assert twin.classes == result.classes
        np.testing.assert_array_equal(twin.matrix, result.matrix)


@given(numbers=number_pairs())
def test_outputs_and_targets_are_left_as_they_are(numbers):
    """Measuring changes nothing."""
    outputs, targets, C = numbers
    rows = one_hot(outputs, C), one_hot(targets, C), one_hot(outputs, C).astype(float)
    copies = copy.deepcopy(rows)
    confusion_matrix(rows[0], rows[1])
    confusion_matrix(rows[2], rows[1])
    accuracy(rows[2], rows[1])
    for now, before in zip(rows, copies, strict=True):
        np.testing.assert_array_equal(now, before)


@given(
    C=st.integers(2, 40),
    count=st.integers(1, 5),
    seed=st.integers(0, 2**32 - 1),
    weighted=st.booleans(),
)
def test_many_matrices_at_once_have_the_bits_of_each_alone(C, count, seed, weighted):
    """The scores of a network do not depend on those that are scored with it."""
    matrices = np.random.default_rng(seed).poisson(0.5, size=(count, C, C))
    matrices[:, 0, 0] += 1
    each = [metrics_of(matrix, weighted) for matrix in matrices]
    np.testing.assert_array_equal(metrics_of(matrices, weighted), each)


@given(numbers=number_pairs(), weighted=st.booleans())
def test_many_copies_of_the_patterns_have_the_same_metrics(numbers, weighted):
    """They are rates: only the counts grow."""
    outputs, targets, C = numbers
    once = confusion_matrix(one_hot(outputs, C), one_hot(targets, C), weighted=weighted)
    thrice = confusion_matrix(
        *(one_hot(np.tile(part, 3), C) for part in (outputs, targets)), weighted=weighted
    )
    assert list(thrice) == pytest.approx(list(once), abs=1e-12)
    np.testing.assert_array_equal(thrice.matrix, 3 * once.matrix)


def test_hundreds_of_classes_have_their_places():
    """The codes of the pairs of classes do not overflow the types in which classes are numbered."""
    C = 300
    targets, outputs = np.arange(C), np.roll(np.arange(C), 1)
    expected = np.eye(C, dtype=np.int64)[outputs]
    np.testing.assert_array_equal(confusion_matrix(outputs, targets).matrix, expected)
    np.testing.assert_array_equal(
        confusion_matrix(one_hot(outputs, C), one_hot(targets, C)).matrix, expected
    )


# --- refusals -------------------------------------------------------------------------------------

ROWS = [[True, False, False], [False, True, False]]


@pytest.mark.parametrize("measure", [accuracy, confusion_matrix, print_confusion_matrix])
@pytest.mark.parametrize(
    ("outputs", "targets", "error", "message"),
    [
        ([True], [True, False], ValueError, r"outputs has shape \(1,\) and targets \(2,\)"),
        ([0.5], [True, False], ValueError, r"outputs has shape \(1,\) and targets \(2,\)"),
        (
            [[True], [True]],
            [True, False],
            ValueError,
            r"outputs has shape \(2, 1\) and targets \(2,\)",
        ),
        (ROWS, [*ROWS, ROWS[0]], ValueError, r"outputs has shape \(2, 3\) and targets \(3, 3\)"),
        ([[True, False]], [[True, False]], ValueError, "targets has 2 columns"),
        ([[0.3, 0.7]], [[True, False]], ValueError, "targets has 2 columns"),
        (np.zeros((0, 3), bool), np.zeros((0, 3), bool), ValueError, "no patterns"),
        (np.zeros(0, bool), np.zeros(0, bool), ValueError, "no patterns"),
        (
            [["a", "b", "c"], ["a", "b", "c"]],
            ROWS,
            TypeError,
            "outputs has elements of type object",
        ),
        (
            [[1, 0, 0]],
            [[1, 0, 0]],
            TypeError,
            "targets has elements of type int64; they must be bool",
        ),
    ],
)
def test_measuring_refuses(measure, outputs, targets, error, message):
    """The sentence names the two shapes, or the one that no coding has."""
    with pytest.raises(error, match=message):
        measure(outputs, targets)


@pytest.mark.parametrize(
    ("outputs", "targets", "message"),
    [
        (
            [[True, True, False], ROWS[1]],
            ROWS,
            "outputs: row 0 has 2 True; each row must have exactly one",
        ),
        (ROWS, [ROWS[0], [False] * 3], "targets: row 1 has 0 True; each row must have exactly one"),
        (["a"], ["a", "b"], "the number of patterns differs: outputs 1, targets 2"),
        ([], [], "no patterns"),
        (["a", float("nan")], ["a", "b"], "NaN"),
    ],
)
def test_confusion_matrix_refuses(outputs, targets, message):
    """What `accuracy` can do without: exactly one class for each pattern."""
    with pytest.raises(ValueError, match=message):
        confusion_matrix(outputs, targets)


# --- print_confusion_matrix -----------------------------------------------------------------------


@given(numbers=number_pairs(), weighted=st.booleans())
def test_printing_returns_the_result(numbers, weighted):
    """The same as `confusion_matrix`, options included."""
    outputs, targets, _ = numbers
    assert print_confusion_matrix(outputs, targets, weighted=weighted) == confusion_matrix(
        outputs, targets, weighted=weighted
    )


@pytest.mark.parametrize(
    ("outputs", "targets"),
    [
        (["setosa", "virginica", "versicolor"] * 40, ["setosa", "versicolor", "virginica"] * 40),
        ([True, False, True], [True, True, False]),
        (["no", "yes"], ["yes", "yes"]),
    ],
)
def test_what_is_printed_shows_every_class_count_and_metric(outputs, targets, capsys):
    """A row for each class with its counts, and a line for each metric with four decimals."""
    result = print_confusion_matrix(outputs, targets)
    table, metrics = capsys.readouterr().out.split("\n\n")
    head, *rows = table.splitlines()
    assert head.split()[3:] == [str(label) for label in result.classes]
    expected = zip(result.classes, result.matrix.tolist(), strict=True)
    assert [row.split() for row in rows] == [
        [str(label), *map(str, counts)] for label, counts in expected
    ]
    assert len({len(line) for line in (head, *rows)}) == 1
    assert [line.split() for line in metrics.splitlines()] == [
        [name, f"{value:.4f}"] for name, value in zip(NAMES, result, strict=True)
    ]


def test_threshold_is_honoured_when_printing():
    """Real outputs are classified with it."""
    assert print_confusion_matrix([0.3, 0.2], [True, True], threshold=0.25).recall == 0.5
