#!/usr/bin/env python
"""How often does a test find a difference between learners that are equally good? It should be its
level.

Each learner sees an attribute that is like the others by construction: none can be better. All are
scored on the same folds, and the first one, named beforehand, is the reference. Of several
learners, what counts is whether any of them is found to differ, by p-values that Holm adjusted.
The last column takes the best of them as the reference, as a page without --reference does, and
counts whether any of its simultaneous intervals excludes 0.

    .venv/bin/python scripts/type_one_error.py                      2000 data sets; two minutes
    .venv/bin/python scripts/type_one_error.py --datasets 200
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeAlias

import _installed  # noqa: F401 - it says what to do first
import numpy as np
from numpy.typing import NDArray

from practica.evaluation import (
    DifferenceTest,
    corrected_t_test,
    holm,
    paired_t_test,
    repeated_folds,
)

Floats: TypeAlias = "NDArray[np.float64]"
Test: TypeAlias = Callable[[Floats, Floats], DifferenceTest]

PATTERNS, FOLDS, LEVEL = 100, 10, 0.05
LEARNERS = (2, 5, 10)
DISTANCE = 1.0  # standard deviations between the two classes, in each attribute


class ErrorRate(NamedTuple):
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


def alike_attributes(
    generator: np.random.Generator, learners: int
) -> tuple[Floats, NDArray[np.int64]]:
    """Draw patterns of two balanced classes; given the class, all attributes have one distribution.

    The attributes are floats of shape (learners, PATTERNS), the targets ints of shape (PATTERNS,).
    """
    targets = np.arange(PATTERNS) % 2
    return generator.normal(DISTANCE * targets, size=(learners, PATTERNS)), targets


def nearest_neighbour_scores(
    attribute: Floats, targets: NDArray[np.int64], folds: NDArray[np.int64]
) -> Floats:
    """Return the accuracy of each fold of each repetition, predicting the class of the nearest
    training pattern.

    The attribute and the targets have shape (N,), the folds, of values 1..k, shape (repetitions,
    N).
    """
    distances = np.abs(attribute[:, np.newaxis] - attribute)
    scores = []
    for fold_of_pattern in folds:
        is_training = fold_of_pattern[:, np.newaxis] != fold_of_pattern
        nearest = np.where(is_training, distances, np.inf).argmin(axis=1)
        hits = np.bincount(fold_of_pattern, targets[nearest] == targets)[1:]
        scores.append(hits / np.bincount(fold_of_pattern)[1:])
    return np.concatenate(scores)


def tests_of(repetitions: int) -> dict[str, Test]:
    """Return the tests by name."""
    corrected = partial(corrected_t_test, test_to_train=1 / (FOLDS - 1), repetitions=repetitions)
    return {"plain": paired_t_test, "corrected": corrected}


def excludes_0(scores: list[Floats], test: Test) -> bool:
    """Return whether an interval of the differences from the best excludes 0."""
    best = max(range(len(scores)), key=lambda place: scores[place].mean())
    pairs = math.comb(len(scores), 2)
    intervals = [
        test(each, scores[best]).interval(1 - LEVEL, tests=pairs)
        for place, each in enumerate(scores)
        if place != best
    ]
    return any(low > 0 or high < 0 for low, high in intervals)


def error_rates(
    repetitions: int, datasets: int, random_state: int
) -> dict[tuple[str, int], ErrorRate]:
    """Count how often each test rejects at its level, by its name and the number of learners, and
    as "interval" how often some interval excludes 0.
    """
    generator = np.random.default_rng(random_state)
    tests = tests_of(repetitions)
    names = (*tests, "interval")
    rejected = dict.fromkeys(((name, learners) for name in names for learners in LEARNERS), 0)
    for _ in range(datasets):
        attributes, targets = alike_attributes(generator, max(LEARNERS))
        folds = repeated_folds(targets, FOLDS, repetitions, random_state=generator)
        scores = [nearest_neighbour_scores(attribute, targets, folds) for attribute in attributes]
        for name, test in tests.items():
            p_values = [test(each, scores[0]).p_value for each in scores[1:]]
            for learners in LEARNERS:  # NaN, no difference at all, rejects nothing
                rejected[name, learners] += bool((holm(p_values[: learners - 1]) < LEVEL).any())
        for learners in LEARNERS:
            rejected["interval", learners] += excludes_0(scores[:learners], tests["corrected"])
    return {key: ErrorRate(count, datasets) for key, count in rejected.items()}


def main() -> None:
    """Print the error rates of both tests and of the intervals, for one cross-validation and for
    ten, and for several learners.
    """
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--datasets", type=int, default=2000, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(
        f"Differences found where there is none, level {LEVEL:g}; {options.datasets} data sets of"
        f" {PATTERNS} patterns"
    )
    columns = {"plain": "plain t", "corrected": "corrected t", "interval": "some interval"}
    titles = "".join(f"{title:>18}" for title in columns.values())
    print(f"\n{'scores':<20}{'learners':>10}{titles}")
    for repetitions, name in ((1, f"{FOLDS} folds"), (10, f"10 times {FOLDS} folds")):
        rates = error_rates(repetitions, options.datasets, options.seed)
        for learners in LEARNERS:
            cells = (rates[test, learners] for test in columns)
            texts = (f"{rate.rate:.3f} ± {rate.monte_carlo_error:.3f}" for rate in cells)
            print(
                f"{name:<20}{learners:>10}" + "".join(f"{text:>18}" for text in texts), flush=True
            )
    print("\n± is the Monte-Carlo standard error, √(p(1 − p)/data sets).")


if __name__ == "__main__":
    main()
