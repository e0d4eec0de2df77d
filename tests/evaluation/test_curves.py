"""ROC, precision-recall and learning curves, at places where they can be averaged."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.svm import SVC

from practica import ANNClassifier, confusion_matrix, crossvalidation
from practica.evaluation import cross_validate_executions
from practica.evaluation.curves import GRID, curves_of, learning_curves
from practica.reference.partition import Folds

INPUTS, NUMBERS = load_breast_cancer(return_X_y=True)
TARGETS = np.array(["malignant", "benign"])[NUMBERS]
FOLDS = crossvalidation(TARGETS, 3, random_state=1)
ANSWERS = st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=30).filter(
    lambda pairs: len({truth for truth, _ in pairs}) == 2
)


@given(pairs=ANSWERS)
def test_the_curves_are_those_of_all_thresholds(pairs):
    """Counted one by one: the ROC where a threshold has a place, precision everywhere.

    The area is scikit-learn's.
    """
    truth, scores = (np.array(part) for part in zip(*pairs, strict=True))
    curves = curves_of(truth, scores)
    chosen = [scores >= limit for limit in range(7)]
    hits, alarms = (
        np.array([(of & some).sum() / of.sum() for some in chosen]) for of in (truth, ~truth)
    )
    for place, sensitivity in zip(GRID, curves.roc, strict=True):
        there = np.isclose(alarms, place)
        assert not there.any() or sensitivity == pytest.approx(hits[there].max())
    assert (np.diff(curves.roc) >= -1e-12).all()
    assert abs(np.trapezoid(curves.roc, GRID) - roc_auc_score(truth, scores)) < 0.02
    assert curves.roc_area == pytest.approx(roc_auc_score(truth, scores), abs=1e-12)
    assert curves.precision_area == average_precision_score(truth, scores)
    for place, precision in zip(GRID[1:], curves.precision[1:], strict=True):
        strictest = max(
            limit
            for limit in range(6)
            if (truth & (scores >= limit)).sum() >= place * truth.sum() - 1e-9
        )
        assert precision == (truth & (scores >= strictest)).sum() / (scores >= strictest).sum()


def test_a_fold_without_positives_has_no_curve():
    """Nor one without negatives."""
    for truth in ([True, True], [False, False]):
        assert np.isnan(curves_of(truth, [0.1, 0.2]).stacked()).all()


def test_curves_and_matrices_of_every_execution_are_kept():
    """The matrix has the real classes in its rows, the positive one first.

    An SVM has a curve without probabilities.
    """
    options = {
        "normalization": "zeromean",
        "random_state": 1,
        "keep_curves": True,
        "keep_predictions": True,
    }
    network = ANNClassifier([2], maxEpochs=20)
    result = cross_validate_executions(
        network, INPUTS, TARGETS, FOLDS, 2, positive="benign", **options
    )
    assert result.matrices.shape == (3, 2, 2, 2)
    assert result.curves.roc.shape == result.curves.precision.shape == (3, 2, 101)
    for fold, execution in np.ndindex(3, 2):
        test = fold + 1 == FOLDS
        truth, predicted = (
            labels == "benign" for labels in (TARGETS[test], result.predictions[execution, test])
        )
        np.testing.assert_array_equal(
            result.matrices[fold, execution], confusion_matrix(predicted, truth).matrix[::-1, ::-1]
        )
    options |= {"metrics": ["roc_auc", "average_precision"]}
    for positive in ("benign", "malignant"):
        svm = cross_validate_executions(SVC(), INPUTS, TARGETS, FOLDS, positive=positive, **options)
        np.testing.assert_allclose(
            np.trapezoid(svm.curves.roc, GRID, axis=2), svm.of("roc_auc"), atol=0.01
        )
        np.testing.assert_allclose(svm.curves.roc_area, svm.of("roc_auc"), rtol=0, atol=1e-12)
        np.testing.assert_allclose(
            svm.curves.precision_area, svm.of("average_precision"), rtol=0, atol=1e-12
        )


def test_the_learning_curves_are_those_of_the_first_network_of_each_fold():
    """Its validation set is the same fraction of all patterns, and forward in time there is a fold
    less.
    """
    network = ANNClassifier([2], maxEpochs=9, validationRatio=0.2)
    options = {"normalization": "zeromean", "random_state": 1}
    losses = learning_curves(network, INPUTS, TARGETS, Folds(FOLDS), **options)
    assert [len(pair[0]) for pair in losses] == [len(pair[1]) for pair in losses] == [10] * 3
    assert (
        len(learning_curves(network, INPUTS, TARGETS, Folds(FOLDS, forward=True), **options)) == 2
    )
    again = learning_curves(network, INPUTS, TARGETS, Folds(FOLDS), **options)
    for one, other in zip(losses, again, strict=True):
        np.testing.assert_array_equal(one, other)
