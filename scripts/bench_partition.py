#!/usr/bin/env python
"""Time `crossvalidation` against scikit-learn's splitters and `confusion_matrix` against
sklearn.metrics.

Each pair runs interleaved, in one process, and the medians of the processor's seconds are
compared: a busy moment of the machine hits both. What scikit-learn needs to get to the same result
is counted for it, and nothing else: all the splits are consumed, and one-hot rows go through
argmax first because StratifiedKFold does not take them. What comes out is not the same: ours is
the fold of each pattern, theirs the positions of each training and test set; one row counts making
those out of ours.

    .venv/bin/python scripts/bench_partition.py                N = 10^4 ... 10^7; takes minutes
    .venv/bin/python scripts/bench_partition.py --largest 6
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import _installed  # noqa: F401 - it says what to do first
import numpy as np
import sklearn
from sklearn import metrics
from sklearn.model_selection import KFold, StratifiedKFold

from practica.reference.metrics import confusion_matrix
from practica.reference.partition import crossvalidation

FOLDS = 10
CLASSES = 10
SECONDS_PER_ROW = 8.0  # for measuring, unless three repetitions take longer
NAMES = np.array([f"class {number}" for number in range(CLASSES)])
FEWEST, MOST = 3, 25  # repetitions


def side_by_side(
    ours: Callable[[], object], theirs: Callable[[], object]
) -> tuple[float, float, int]:
    """Return the median seconds of processor of two functions that take turns, and the number of
    turns.
    """
    times: tuple[list[float], list[float]] = ([], [])
    begin = time.perf_counter()
    while len(times[0]) < FEWEST or (
        len(times[0]) < MOST and time.perf_counter() - begin < SECONDS_PER_ROW
    ):
        for function, seconds in zip((ours, theirs), times, strict=True):
            start = time.process_time()
            function()
            seconds.append(time.process_time() - start)
    return statistics.median(times[0]), statistics.median(times[1]), len(times[0])


def consume(splits: Iterable[object]) -> None:
    """Go through all the splits, as a cross-validation does."""
    deque(splits, maxlen=0)


def shuffled_splits(N: int) -> None:
    """Split N patterns as scikit-learn does; of its inputs it looks at nothing but the length."""
    consume(KFold(FOLDS, shuffle=True).split(np.empty((N, 0))))


def stratified_splits(targets: Any) -> None:
    """Split patterns by class as scikit-learn does."""
    consume(StratifiedKFold(FOLDS, shuffle=True).split(np.empty((len(targets), 0)), targets))


def stratified_splits_of_rows(one_hot: Any) -> None:
    """Split one-hot rows, which scikit-learn takes as numbers of columns."""
    stratified_splits(one_hot.argmax(axis=1))


def folds_and_splits(targets: Any) -> None:
    """Do with the folds what scikit-learn's splits are: the positions to train and to test with,
    for each fold.
    """
    folds = crossvalidation(targets, FOLDS)
    for fold in range(1, FOLDS + 1):
        is_test = folds == fold
        consume([np.flatnonzero(~is_test), np.flatnonzero(is_test)])


Pair = tuple[str, Callable[[], object], Callable[[], object]]


def partitions(N: int, generator: np.random.Generator) -> Iterator[Pair]:
    """Yield each kind of target that `crossvalidation` knows: its name, our call and theirs."""

    def pair(name: str, targets: Any, theirs: Callable[[Any], None]) -> Pair:
        return name, partial(crossvalidation, targets, FOLDS), partial(theirs, targets)

    numbers = generator.integers(0, CLASSES, N)
    yield pair("int N (KFold)", N, shuffled_splits)
    yield pair("bool vector", generator.random(N) < 0.3, stratified_splits)
    yield pair(
        "one-hot, 10 columns (argmax)",
        numbers[:, None] == np.arange(CLASSES),
        stratified_splits_of_rows,
    )
    yield pair("int labels, 10", numbers, stratified_splits)
    yield (
        "int labels, 10, with splits",
        partial(folds_and_splits, numbers),
        partial(stratified_splits, numbers),
    )
    yield pair("float labels, 10", numbers.astype(float), stratified_splits)
    yield pair("strings, 10, numpy text", NAMES[numbers], stratified_splits)
    yield pair("strings, 10, objects", NAMES.astype(object)[numbers], stratified_splits)


def matrix_and_report(targets: Any, outputs: Any) -> None:
    """Compute with scikit-learn the matrix and the precision, recall and F1 of each class."""
    metrics.confusion_matrix(targets, outputs)
    metrics.classification_report(targets, outputs, output_dict=True, zero_division=1)


def confusions(N: int, generator: np.random.Generator) -> Iterator[Pair]:
    """Yield kinds of outputs and targets that `confusion_matrix` knows: the name, our call and
    theirs.
    """

    def pair(name: str, targets: Any, outputs: Any) -> Pair:
        return (
            name,
            partial(confusion_matrix, outputs, targets),
            partial(matrix_and_report, targets, outputs),
        )

    numbers = generator.integers(0, CLASSES, N)
    guesses = np.where(generator.random(N) < 0.8, numbers, generator.integers(0, CLASSES, N))
    yield pair("int labels, 10", numbers, guesses)
    yield pair("bool vectors", numbers < 3, guesses < 3)
    yield pair("strings, 10, numpy text", NAMES[numbers], NAMES[guesses])


def print_table(
    title: str, pairs: Callable[[int, np.random.Generator], Iterator[Pair]], powers: range
) -> None:
    """Time all pairs for each power of ten and print them in Markdown."""
    print(f"\n{title}\n")
    print(
        "| targets                      | N    |    ours, ms |  theirs, ms |   ratio | ns/label |"
        " turns |"
    )
    print(
        "| ---------------------------- | ---- | ----------: | ----------: | ------: | -------: |"
        " ----: |"
    )
    for power in powers:
        N = 10**power
        for name, ours, theirs in pairs(N, np.random.default_rng(1)):
            our_time, their_time, turns = side_by_side(ours, theirs)
            print(
                f"| {name:<28} | 10^{power} | {1e3 * our_time:11.3f} | {1e3 * their_time:11.3f} |"
                f" {their_time / our_time:7.1f} | {1e9 * our_time / N:8.2f} | {turns:5} |",
                flush=True,
            )


def describe_machine() -> str:
    """Name the processor's cores and the versions that took part."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"{cores} cores, {platform.machine()}; Python {platform.python_version()}, numpy"
        f" {np.__version__}, scikit-learn {sklearn.__version__}; {FOLDS} folds; load average"
        f" {os.getloadavg()[0]:.1f}"
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--smallest", type=int, default=4, metavar="POWER", help="smallest power of ten (4)"
    )
    parser.add_argument(
        "--largest", type=int, default=7, metavar="POWER", help="largest power of ten (7)"
    )
    options = parser.parse_args()
    print(describe_machine())
    powers = range(options.smallest, options.largest + 1)
    print_table(
        "`crossvalidation` against StratifiedKFold(shuffle=True).split, all splits consumed",
        partitions,
        powers,
    )
    print_table(
        "`confusion_matrix` against sklearn.metrics: confusion_matrix and classification_report",
        confusions,
        powers,
    )


if __name__ == "__main__":
    main()
