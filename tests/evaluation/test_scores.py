"""Scores that scikit-learn lacks: against their definitions, each other, and scikit-learn where
they meet.
"""

from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier

from practica import confusion_matrix
from practica.evaluation import (
    average_accuracy_score,
    macro_f1_mean_of_f1s,
    macro_f1_of_macro_means,
    mean_cost,
    negative_predictive_value_score,
    relative_absolute_error,
    relative_squared_error,
    specificity_score,
    uniform_kappa_score,
)

LABELS = st.sampled_from(["bird", "cat", "dog", "eel"])
PAIRS = st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=30).map(
    lambda pairs: tuple(zip(*pairs, strict=True))
)
NUMBERS = st.integers(-50, 50).map(lambda tenths: tenths / 10)
REGRESSIONS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=30).map(np.array)

SUMMARIES = [
    average_accuracy_score,
    macro_f1_mean_of_f1s,
    macro_f1_of_macro_means,
    uniform_kappa_score,
]
OF_EACH_CLASS = [specificity_score, negative_predictive_value_score]
RELATIVE_ERRORS = pytest.mark.parametrize(
    "error", [relative_squared_error, relative_absolute_error]
)


def targets_and_outputs(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Split drawn pairs, leaving out targets that are all alike."""
    assume(np.ptp(values[:, 0]) > 0)
    return values[:, 0], values[:, 1]


@given(PAIRS)
def test_the_average_accuracy_is_the_mean_of_one_against_the_rest(pair):
    """Each class is asked for on its own, and accuracy is theirs."""
    real, predicted = map(np.array, pair)
    classes = np.union1d(real, predicted)
    accuracies = [metrics.accuracy_score(real == label, predicted == label) for label in classes]
    assert average_accuracy_score(real, predicted) == pytest.approx(np.mean(accuracies))
    errors = 1 - metrics.accuracy_score(real, predicted)
    assert average_accuracy_score(real, predicted) == pytest.approx(
        1 - 2 * errors / len(classes) if len(classes) > 1 else 1
    )


@pytest.mark.slow
@given(PAIRS)
def test_the_two_macro_f1_are_what_their_names_say(pair):
    """One is scikit-learn's; the other, of the two macro means, is never smaller."""
    first, second = macro_f1_mean_of_f1s(*pair), macro_f1_of_macro_means(*pair)
    assert first == metrics.f1_score(*pair, average="macro", zero_division=0)
    precision, recall = (
        score(*pair, average="macro", zero_division=0)
        for score in (metrics.precision_score, metrics.recall_score)
    )
    assert second * (precision + recall) == pytest.approx(2 * precision * recall)
    assert second >= first - 1e-12


@given(PAIRS)
def test_uniform_kappa_goes_from_a_guess_to_perfect(pair):
    """It is 1 only for no errors, and 0 where the accuracy is one in the number of classes."""
    assume(len({*pair[0], *pair[1]}) > 1)
    C = len({*pair[0], *pair[1]})
    kappa = uniform_kappa_score(*pair)
    assert metrics.accuracy_score(*pair) == pytest.approx(1 / C + kappa * (1 - 1 / C))
    assert uniform_kappa_score(pair[0], pair[0], labels=["bird", "cat", "dog", "eel"]) == 1


@given(PAIRS, st.integers(0, 2**32 - 1))
def test_the_mean_cost_adds_the_cost_of_each_pattern(pair, seed):
    """The table is read with the real class in the row; 0 and 1 make it the error rate."""
    labels = ["eel", "dog", "cat", "bird"]
    costs = np.random.default_rng(seed).integers(0, 9, (4, 4))
    each = [
        costs[labels.index(real), labels.index(predicted)]
        for real, predicted in zip(*pair, strict=True)
    ]
    assert mean_cost(*pair, costs, labels=labels) == pytest.approx(np.mean(each))
    assert mean_cost(*pair, 1 - np.eye(4), labels=labels) == pytest.approx(
        metrics.zero_one_loss(*pair)
    )


@pytest.mark.slow
@given(PAIRS)
def test_specificity_and_npv_are_recall_and_precision_of_the_rest(pair):
    """Of each class: those of "it is another one"."""
    real, predicted = map(np.array, pair)
    for label, specificity, npv in zip(
        np.union1d(real, predicted),
        specificity_score(real, predicted, zero_division=1),
        negative_predictive_value_score(real, predicted, zero_division=1),
        strict=True,
    ):
        others = (real != label, predicted != label)
        assert specificity == pytest.approx(metrics.recall_score(*others, zero_division=1))
        assert npv == pytest.approx(metrics.precision_score(*others, zero_division=1))


@given(PAIRS)
def test_their_averages_are_those_of_the_practice(pair):
    """With 0/0 as 1, macro and weighted means are the ones of `confusion_matrix`."""
    real, predicted = pair
    assume(len({*real, *predicted}) > 2)
    for average, weighted in (("macro", False), ("weighted", True)):
        ours = confusion_matrix(list(predicted), list(real), weighted=weighted)
        options = {"average": average, "zero_division": 1}
        assert specificity_score(real, predicted, **options) == pytest.approx(ours.specificity)
        assert negative_predictive_value_score(real, predicted, **options) == pytest.approx(
            ours.NPV
        )


def test_one_class_can_be_scored_alone():
    """`labels` chooses, and orders, the classes."""
    real, predicted = ["a", "b", "c", "c"], ["a", "b", "c", "a"]
    assert specificity_score(real, predicted, labels=["c", "a"]) == pytest.approx([1, 2 / 3])


@given(REGRESSIONS)
def test_the_relative_squared_error_completes_r2(values):
    """It is 1 − R², and 1 for the mean."""
    real, predicted = targets_and_outputs(values)
    assert relative_squared_error(real, predicted) == pytest.approx(
        1 - metrics.r2_score(real, predicted)
    )
    assert relative_squared_error(real, np.full(len(real), real.mean())) == pytest.approx(1)


@given(REGRESSIONS)
def test_the_relative_absolute_error_compares_with_the_mean(values):
    """Not with the median, which does better than any other constant."""
    real, predicted = targets_and_outputs(values)
    error = relative_absolute_error(real, predicted)
    assert error == pytest.approx(np.abs(real - predicted).sum() / np.abs(real - real.mean()).sum())
    assert error <= 1 - metrics.d2_absolute_error_score(real, predicted) + 1e-9
    assert relative_absolute_error(real, np.full(len(real), real.mean())) == pytest.approx(1)


@RELATIVE_ERRORS
def test_a_column_is_a_vector(error):
    """No score comes from all pairs of a vector and a column."""
    real, predicted = np.array([1.0, 2.0, 4.0]), np.array([1.5, 2.0, 3.0])
    assert (
        error(real[:, np.newaxis], predicted)
        == error(real, predicted[:, np.newaxis])
        == error(real, predicted)
    )


@RELATIVE_ERRORS
@pytest.mark.parametrize("targets", [[3.0, 3.0], [3.0], []])
def test_targets_without_spread_have_no_relative_error(error, targets):
    """The mean makes no error then, and there is nothing to divide by."""
    with pytest.raises(ValueError, match="no spread"):
        error(targets, targets)


@pytest.mark.parametrize(
    "score", [*SUMMARIES, *OF_EACH_CLASS, partial(mean_cost, costs=1 - np.eye(2))]
)
@pytest.mark.parametrize(
    ("real", "predicted", "message"),
    [([], [], "no patterns"), (["a", "b"], ["a"], "inconsistent numbers of samples")],
)
def test_what_cannot_be_compared_is_refused(score, real, predicted, message):
    """No patterns, or not the same ones."""
    with pytest.raises(ValueError, match=message):
        score(real, predicted)


@pytest.mark.parametrize("score", SUMMARIES)
def test_labels_name_every_class(score):
    """scikit-learn would leave out the patterns of the others without a word."""
    with pytest.raises(ValueError, match="misses 'c'"):
        score(["a", "b", "c"], ["a", "b", "b"], labels=["a", "b"])


def test_costs_have_a_row_and_a_column_for_each_class():
    """Also for a class that only some folds have."""
    with pytest.raises(ValueError, match=r"costs has shape \(2, 2\).*3 classes"):
        mean_cost(["a", "b", "c"], ["a", "b", "c"], np.zeros((2, 2)))


def test_one_class_has_no_kappa():
    """Guessing it is always right."""
    with pytest.raises(ValueError, match="only one class"):
        uniform_kappa_score(["a"], ["a"])


def test_an_unknown_average_is_refused():
    """The sentence lists those there are."""
    with pytest.raises(ValueError, match="average='micro' is unknown"):
        specificity_score(["a", "b"], ["a", "b"], average="micro")


@pytest.mark.parametrize(
    ("score", "options"),
    [
        (average_accuracy_score, {}),
        (macro_f1_of_macro_means, {"labels": [0, 1, 2]}),
        (uniform_kappa_score, {"labels": [0, 1, 2]}),
        (mean_cost, {"costs": 1 - np.eye(3), "greater_is_better": False}),
        (specificity_score, {"average": "macro"}),
    ],
)
def test_scores_make_scorers(score, options):
    """scikit-learn cross-validates with them."""
    X, y = load_iris(return_X_y=True)
    scorer = metrics.make_scorer(score, **options)
    scores = cross_val_score(
        DecisionTreeClassifier(max_depth=2, random_state=0), X, y, scoring=scorer, cv=3
    )
    assert np.isfinite(scores).all()
    assert (np.sign(scores) == (-1 if score is mean_cost else 1)).all()
