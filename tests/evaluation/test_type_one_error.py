"""The simulation of the type-I error: what the plain t-test finds where there is nothing, the corrected one does not.

Bounds are binomial quantiles: were the true rate the one named, a test here would fail with probability 1e-10.
"""

import functools

import numpy as np
import pytest
from scipy.stats import binom, kstest
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from type_one_error import LEVEL, error_rates, nearest_neighbour_scores, two_alike_attributes

from practica import crossvalidation

ALARM = 1e-10
DATASETS = {1: 1000, 10: 200}  # by the repetitions of the ten folds


@functools.cache
def rejections(repetitions: int) -> dict[str, int]:
    """Count the data sets in which each test finds a difference."""
    rates = error_rates(repetitions, DATASETS[repetitions], random_state=1)
    return {name: rate.rejected for name, rate in rates.items()}


def most(rate: float, repetitions: int) -> int:
    """Return the count that a rejection rate exceeds only with probability ALARM."""
    return int(binom.isf(ALARM, DATASETS[repetitions], rate))


def fewest(rate: float, repetitions: int) -> int:
    """Return the count below which a rejection rate stays only with probability ALARM."""
    return int(binom.ppf(ALARM, DATASETS[repetitions], rate))


@pytest.mark.slow
def test_on_ten_folds_the_corrected_test_keeps_its_level_and_the_plain_one_does_not():
    """One finds no more than a test at its level would; the other does."""
    assert rejections(1)["corrected"] <= most(LEVEL, 1) < rejections(1)["plain"]


@pytest.mark.slow
def test_on_ten_times_ten_folds_most_of_what_the_plain_test_finds_is_nothing():
    """It finds as much as a rate of 60 % would; the corrected one no more than a rate of 15 %."""
    assert rejections(10)["plain"] >= fewest(0.6, 10)
    assert rejections(10)["corrected"] <= most(0.15, 10) < fewest(0.6, 10)


def test_the_attributes_are_alike():
    """Given the class both follow one distribution: Kolmogorov and Smirnov's test, alarm 1e-10."""
    generator = np.random.default_rng(5)
    draws = [two_alike_attributes(generator) for _ in range(200)]
    for label in (0, 1):
        first, second = (np.concatenate([x[row][y == label] for x, y in draws]) for row in (0, 1))
        assert kstest(first, second).pvalue > ALARM


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_learner_is_scikit_learns_nearest_neighbour(seed):
    """Fold by fold it has the same accuracy."""
    attributes, targets = two_alike_attributes(np.random.default_rng(seed))
    folds = crossvalidation(targets, 10, random_state=seed)
    expected = cross_val_score(
        KNeighborsClassifier(1), attributes[0][:, np.newaxis], targets, cv=PredefinedSplit(folds - 1)
    )
    assert nearest_neighbour_scores(attributes[0], targets, folds[np.newaxis]) == pytest.approx(expected)
