"""The simulation of the type-I error: what the plain t-test finds where there is nothing, the
corrected one does not.

Bounds are binomial quantiles: were the true rate the one named, a test here would fail with
probability 1e-6.
"""

import functools

import numpy as np
import pytest
from scipy.stats import binom, kstest
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from type_one_error import LEARNERS, alike_attributes, error_rates, nearest_neighbour_scores

from practica import crossvalidation

ALARM = 1e-6
DATASETS = {1: 400, 10: 200}  # by the repetitions of the ten folds


@functools.cache
def rejections(repetitions: int) -> dict[tuple[str, int], int]:
    """Count the data sets in which each test finds a difference."""
    rates = error_rates(repetitions, DATASETS[repetitions], random_state=1)
    return {key: rate.rejected for key, rate in rates.items()}


def most(rate: float, repetitions: int) -> int:
    """Return the count that a rejection rate exceeds only with probability ALARM."""
    return int(binom.isf(ALARM, DATASETS[repetitions], rate))


def fewest(rate: float, repetitions: int) -> int:
    """Return the count below which a rejection rate stays only with probability ALARM."""
    return int(binom.ppf(ALARM, DATASETS[repetitions], rate))


@pytest.mark.thorough
@pytest.mark.parametrize("repetitions", [1, 10])
@pytest.mark.parametrize("learners", LEARNERS)
@pytest.mark.parametrize("found", ["corrected", "interval"])
def test_the_corrected_test_and_the_intervals_keep_their_level(repetitions, learners, found):
    """Of several learners against one that was named, on ten folds and on ten times ten, at most 5
    % find anything, and against the best no more have an interval without 0.
    """
    assert rejections(repetitions)[found, learners] <= most(0.05, repetitions)


@pytest.mark.thorough
def test_the_plain_test_does_not_and_with_repetitions_most_of_what_it_finds_is_nothing():
    """It finds as much as a rate of 60 % would."""
    assert rejections(1)["plain", 2] > most(0.06, 1)
    assert rejections(10)["plain", 2] >= fewest(0.6, 10)


def test_the_attributes_are_alike():
    """Given the class both follow one distribution: Kolmogorov and Smirnov's test, alarm 1e-6."""
    generator = np.random.default_rng(5)
    draws = [alike_attributes(generator, 2) for _ in range(200)]
    for label in (0, 1):
        first, second = (np.concatenate([x[row][y == label] for x, y in draws]) for row in (0, 1))
        assert kstest(first, second).pvalue > ALARM


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_learner_is_scikit_learns_nearest_neighbour(seed):
    """Fold by fold it has the same accuracy."""
    attributes, targets = alike_attributes(np.random.default_rng(seed), 2)
    folds = crossvalidation(targets, 10, random_state=seed)
    expected = cross_val_score(
        KNeighborsClassifier(1),
        attributes[0][:, np.newaxis],
        targets,
        cv=PredefinedSplit(folds - 1),
    )
    assert nearest_neighbour_scores(attributes[0], targets, folds[np.newaxis]) == pytest.approx(
        expected
    )
