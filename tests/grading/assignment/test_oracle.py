"""The training that the checks compute: when it ends."""

import numpy as np
import pytest

from practica.grading.assignment.oracle import Case, Way, simulate

X = np.array([[0.0], [1.0], [2.0], [3.0]])
Y = X > 1.5
START = [(np.array([[0.5]]), np.array([0.0]))]


@pytest.mark.parametrize("patience", [1, 2, 5])
def test_a_training_ends_after_maxEpochsVal_epochs_without_improvement(patience):
    """Of opposite sets, each step for one makes the other worse: no epoch improves.

    The losses begin with those of epoch 0.
    """
    case = Case([], {"training": (X, Y), "validation": (X, ~Y)}, {"maxEpochsVal": patience})
    trained = simulate(case, START, Way(), {})
    assert [len(losses) for losses in trained.losses.values()] == [1 + patience] * 2
    assert (np.diff(trained.losses["validation"]) > 0).all()


def test_without_validation_a_training_ends_with_its_epochs():
    """Whatever the patience."""
    case = Case([], {"training": (X, Y)}, {"maxEpochs": 7, "maxEpochsVal": 1})
    assert len(simulate(case, START, Way(), {}).losses["training"]) == 8
