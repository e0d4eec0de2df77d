"""The oracle of the metrics: against scikit-learn, and where there is nothing to divide by."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from practica.grading.assignment.accepted_forms import METRICS
from practica.grading.assignment.measures import right_metrics
from practica.reference.metrics import Metrics

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12)


def test_marks_and_the_reference_name_the_same_metrics():
    """What marks imports nothing from the reference: each has a table of its own."""
    assert Metrics._fields == METRICS


@given(PAIRS)
def test_the_metrics_of_two_classes_are_those_of_scikit_learn(pairs):
    """A rate of nothing counts as 1, but F1 as 0 where recall and PPV are."""
    outputs, targets = np.array(pairs).T
    recall, PPV = (
        rate(targets, outputs, zero_division=1)
        for rate in (metrics.recall_score, metrics.precision_score)
    )
    specificity, NPV = (
        rate(~targets, ~outputs, zero_division=1)
        for rate in (metrics.recall_score, metrics.precision_score)
    )
    hits = metrics.accuracy_score(targets, outputs)
    F1 = 2 * recall * PPV / (recall + PPV) if recall + PPV else 0.0
    expected = [hits, 1 - hits, recall, specificity, PPV, NPV, F1]
    assert right_metrics(outputs, targets) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("outputs", "targets", "rates"),
    [
        ([False, False], [True, True], [0, 1, 1, 0, 0]),
        ([True, True], [False, False], [1, 0, 0, 1, 0]),
        ([True, False], [False, True], [0, 0, 0, 0, 0]),
        ([False, False], [False, False], [1, 1, 1, 1, 1]),
    ],
)
def test_a_rate_of_nothing_is_1_and_f1_of_nothing_is_0(outputs, targets, rates):
    """Recall, specificity, PPV, NPV and F1 of sets that lack a class, or in which all is wrong."""
    assert right_metrics(np.array(outputs), np.array(targets))[2:] == rates
