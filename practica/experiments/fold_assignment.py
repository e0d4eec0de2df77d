"""The fold of each pattern of a table: drawn, of whole groups, in the order of time, or read from a
file.
"""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
from sklearn.model_selection import GroupKFold, StratifiedGroupKFold, TimeSeriesSplit

from practica.evaluation.folds import read_folds, repeated
from practica.evaluation.splits import balanced_folds
from practica.experiments.choices import FOLDS, Choices
from practica.experiments.tables import Table
from practica.reference.arguments import Array, Integers
from practica.reference.randomness import as_generator


def split_of(table: Table, k: int, seed: int, repeats: int = 1) -> tuple[Integers, str]:
    """Draw the fold of each pattern, 1..k, with a row for each repetition if there are several;
    return also how it was drawn, in words, empty if it was as in the practice.

    The first repetition is the one that a run without repetitions has. In the order of time, the
    folds are 2..k + 1, and fold 1 only trains.
    """
    if table.times is not None:
        if repeats > 1:
            raise ValueError(
                "--repeats: folds in the order of time are always the same; leave it out"
            )
        how = f" in the order of time (numbers 2 to {k + 1}; 1 only trains)"
        return _folds_in_time(table.times, k), how
    if table.groups is None:
        targets, generator = (
            len(table.targets) if table.is_quantity else table.targets,
            as_generator(seed),
        )
        rows, how = [balanced_folds(targets, k, random_state=generator) for _ in range(repeats)], ""
    else:
        state = np.random.RandomState(seed)
        rows, how = (
            [_folds_of_groups(table, table.groups, k, state) for _ in range(repeats)],
            " of whole groups",
        )
    if repeats == 1:
        return rows[0], how
    partitions = {tuple(pd.factorize(row)[0]) for row in rows}
    if len(partitions) == 1:
        raise ValueError(
            f"--repeats: there is one way only to draw these {k} folds; leave it out, or give other"
            " --folds"
        )
    return np.stack(rows), f"{how}{repeated(repeats)}"


def _folds_of_groups(table: Table, groups: Array, k: int, state: np.random.RandomState) -> Integers:
    names, numbers = np.unique(groups, return_inverse=True)
    if len(names) < k:
        raise ValueError(
            f"--groups has {len(names)} groups, which cannot fill {k} folds; give --folds"
            f" {len(names)} or fewer"
        )
    if table.is_quantity:
        splitter = GroupKFold(k, shuffle=True, random_state=state)
    else:
        # before 1.8 its own shuffle mixed the groups up, and folds were not stratified
        splitter = StratifiedGroupKFold(k)
        numbers = np.argsort(state.permutation(len(names)))[numbers]
    folds = np.empty(len(table.targets), dtype=np.int64)
    for fold, (_, test) in enumerate(splitter.split(folds, table.targets, numbers), start=1):
        folds[test] = fold
    return folds


def _folds_in_time(times: Array, k: int) -> Integers:
    """Return the fold of each pattern in the order of time, 1..k + 1; fold 1 only trains.

    Patterns of the same time are in one fold, the earlier one.
    """
    different = len(np.unique(times))
    if different <= k:
        ways = f"; give --folds {different - 1} or fewer" if different > 2 else ""
        raise ValueError(
            f"--time has {different} different times, and {k} folds in time need {k + 1}{ways}"
        )
    folds = _stretches(times, k)
    if len(np.unique(folds)) <= k:
        fewer = [n for n in range(2, k) if len(np.unique(_stretches(times, n))) > n]
        ways = f"; give --folds {fewer[-1]}" if fewer else ""
        raise ValueError(
            f"--time: {k} folds in time would leave some empty, for many rows have the same"
            f" time{ways}"
        )
    return folds


def _stretches(times: Array, k: int) -> Integers:
    """Return folds 1..k + 1 of equal size in the order of time; patterns of the same time are in
    one fold.
    """
    by_time = np.ones(len(times), dtype=np.int64)
    for fold, (_, test) in enumerate(TimeSeriesSplit(k).split(times), start=2):
        by_time[test] = fold
    return by_time[np.searchsorted(np.sort(times), times)]


def tested_folds(folds: Integers, table: Table) -> int:
    """Return the number of folds that are tested: in the order of time, all but the first."""
    return int(folds.max()) - (table.times is not None)


def folds_of(table: Table, choices: Choices, seed: int) -> tuple[Integers, str, bool]:
    """Return the fold of each pattern, how it was assigned, in words, and whether it is new and has
    to be saved.

    Without --seed, an existing file to save the folds in is used if it belongs to these data and
    has as many folds.
    """
    k, repeats, file = choices.folds, choices.repeats, choices.folds_file

    def are_wanted(folds: Integers) -> bool:
        times = len(np.atleast_2d(folds))
        return k in (None, tested_folds(folds, table)) and repeats in (None, times)

    if file is not None:
        indices = read_folds(file, table.targets)
        how = repeated(len(np.atleast_2d(indices)))
        if not are_wanted(indices):
            count = f"{tested_folds(indices, table)} folds{how}"
            raise ValueError(f"{file} has {count}; leave --folds and --repeats out")
        if not _fits(indices, table):
            raise ValueError(
                f"{file} has folds that tear the groups apart, or are not in the order of time"
            )
        return indices, how, False
    save, kept = choices.save_folds, None
    if save is not None and save.exists():
        out = "keep new ones in another file with --save-folds"
        try:
            kept = read_folds(save, table.targets)
        except ValueError as error:
            raise ValueError(f"{error}; {out}, or remove it") from None
        if choices.seed is None and are_wanted(kept) and _fits(kept, table):
            how = repeated(len(np.atleast_2d(kept)))
            return kept, f"{how}, those of an earlier comparison,", False
    indices, how = split_of(table, k or FOLDS, seed, repeats or 1)
    if kept is not None and not np.array_equal(kept, indices):
        raise ValueError(
            f"{save} keeps other folds; compare on those with --folds-file {save}, or {out}"
        )
    return indices, how, save is not None and kept is None


def _fits(folds: Integers, table: Table) -> bool:
    """Return whether every group, and every time, is in one fold, and the folds follow each other
    in time.
    """
    if table.times is not None and folds.ndim > 1:
        return False
    for values, row in itertools.product((table.groups, table.times), np.atleast_2d(folds)):
        if values is not None:
            in_order = pd.Series(row).groupby(values)
            first = in_order.min()
            if not first.equals(in_order.max()) or (
                values is table.times and not first.is_monotonic_increasing
            ):
                return False
    return True
