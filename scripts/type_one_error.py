#!/usr/bin/env python
"""How often does a test find a difference between two learners that are equally good? It should be its level.

Each learner sees one of two attributes that are alike by construction: neither can be better. Both are scored on the
same folds, and the plain and the corrected t-test compare the scores of the folds.

    .venv/bin/python scripts/type_one_error.py                      5000 data sets; about ten seconds
    .venv/bin/python scripts/type_one_error.py --datasets 500
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from practica.evaluation import DifferenceTest, corrected_t_test, paired_t_test, repeated_folds

Floats: TypeAlias = "NDArray[np.float64]"
Test: TypeAlias = Callable[[Floats, Floats], DifferenceTest]

PATTERNS, FOLDS, LEVEL = 100, 10, 0.05
DISTANCE = 1.0  # standard deviations between the two classes, in each attribute


@dataclass(frozen=True)
class ErrorRate:
    """How many of the data sets a test rejected."""

    rejected: int
    datasets: int

    @property
    def rate(self) -> float:
        """The estimate."""
        return self.rejected / self.datasets

    @property
    def monte_carlo_error(self) -> float:
        """Its binomial standard error."""
        return math.sqrt(self.rate * (1 - self.rate) / self.datasets)


def two_alike_attributes(generator: np.random.Generator) -> tuple[Floats, NDArray[np.int64]]:
    """Draw patterns of two balanced classes; given the class, both attributes have one distribution.

    Returns
    -------
    attributes : float array, shape (2, PATTERNS)
    targets : int array, shape (PATTERNS,)
    """
    targets = np.arange(PATTERNS) % 2
    return generator.normal(DISTANCE * targets, size=(2, PATTERNS)), targets


def nearest_neighbour_scores(attribute: Floats, targets: NDArray[np.int64], folds: NDArray[np.int64]) -> Floats:
    """Return the accuracy of each fold of each repetition, predicting the class of the nearest training pattern.

    Parameters
    ----------
    attribute, targets : arrays, shape (N,)
    folds : int array, shape (repetitions, N), values 1..k

    Returns
    -------
    scores : float array, shape (repetitions·k,)
    """
    distances = np.abs(attribute[:, np.newaxis] - attribute)
    scores = []
    for fold_of_pattern in folds:
        is_training = fold_of_pattern[:, np.newaxis] != fold_of_pattern
        nearest = np.where(is_training, distances, np.inf).argmin(axis=1)
        hits = np.bincount(fold_of_pattern, targets[nearest] == targets)[1:]
        scores.append(hits / np.bincount(fold_of_pattern)[1:])
    return np.concatenate(scores)


TESTS: dict[str, Test] = {
    "plain": paired_t_test,
    "corrected": partial(corrected_t_test, test_to_train=1 / (FOLDS - 1)),
}


def error_rates(repetitions: int, datasets: int, random_state: int) -> dict[str, ErrorRate]:
    """Count how often each test rejects at its level.

    Parameters
    ----------
    repetitions : int
        Of the cross-validation, each with folds of its own.
    datasets : int
    random_state : int

    Returns
    -------
    rates : dict of ErrorRate, by the name of the test
    """
    generator = np.random.default_rng(random_state)
    rejected = dict.fromkeys(TESTS, 0)
    for _ in range(datasets):
        attributes, targets = two_alike_attributes(generator)
        folds = repeated_folds(targets, FOLDS, repetitions, random_state=generator)
        first, second = (nearest_neighbour_scores(attribute, targets, folds) for attribute in attributes)
        for name, test in TESTS.items():
            rejected[name] += test(first, second).p_value < LEVEL  # NaN, no difference at all, rejects nothing
    return {name: ErrorRate(count, datasets) for name, count in rejected.items()}


def main() -> None:
    """Print the error rates of both tests, for one cross-validation and for ten."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--datasets", type=int, default=5000, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(
        f"Differences found where there is none, level {LEVEL:g}; {options.datasets} data sets of {PATTERNS} patterns"
    )
    print(f"\n{'scores':<22}{'plain t':>18}{'corrected t':>18}")
    for repetitions, name in ((1, f"{FOLDS} folds"), (10, f"10 times {FOLDS} folds")):
        rates = error_rates(repetitions, options.datasets, options.seed)
        cells = (f"{rate.rate:.3f} ± {rate.monte_carlo_error:.3f}" for rate in rates.values())
        print(f"{name:<22}" + "".join(f"{cell:>18}" for cell in cells), flush=True)
    print("\n± is the Monte-Carlo standard error, √(p(1 − p)/data sets).")


if __name__ == "__main__":
    main()
