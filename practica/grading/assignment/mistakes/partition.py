"""Known mistakes of `hold_out` and `crossvalidation`: what a function with each of them would draw.

Two draws cannot be compared, but their features in several equal calls can. A mistake explains a
file if what it draws has the features that the student's results have.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.grading.assignment.accepted_forms import as_parts
from practica.grading.assignment.cases import as_vector, one_hot
from practica.grading.assignment.partition import classes_of, fold_sizes
from practica.grading.engine.framework import CheckFailed, NoOpinion
from practica.grading.engine.known_mistakes import Parts, Seen, examples, imitates
from practica.grading.engine.solution import Solution
from practica.grading.inside.plain_data import Answer

ROUNDING = 2  # patterns by which a size may differ: it is rounded twice
ROUNDED = 0.02  # fraction of all patterns by which sizes that are rounded otherwise differ
EQUAL = 4  # calls of each example

Ints = NDArray[np.int64]
Generator = np.random.Generator


# --- hold_out -------------------------------------------------------------------------------------


def held_out(
    wrong: Set[str], generator: Generator, N: int, P: float, Ptest: float | None = None
) -> Any:
    """Oracle for `hold_out`: cut a permutation of N patterns into training, validation and test
    set, with the mistakes in `wrong`.
    """
    fractions = [P] if Ptest is None else [P, Ptest]
    if "ignores_Ptest" in wrong:
        fractions = fractions[-1:]
    held = [round(N * share) for share in _shares(wrong, *fractions)]
    sizes = [N - sum(held), *held]
    if "varies" in wrong:
        sizes[0] += int(generator.integers(N // 4)) - N // 8
    positions = _positions(wrong, generator, N, sizes[-1])
    sets = np.split(positions, np.cumsum(sizes)[:-1])
    return tuple(_spoiled(wrong, generator, N, sets))


def _shares(wrong: Set[str], *fractions: float) -> tuple[float, ...]:
    """Return the fractions of N in validation and test set, with the mistakes in `wrong`."""
    if len(fractions) == 1:
        return (1 - fractions[0],) if "exchanged" in wrong else fractions
    validation, test = fractions
    left, both = 1 - test, validation + test
    shares = {
        "rest": (validation * left, test),  # Pval is taken of what the test leaves
        "test_of_rest": (validation, test * (1 - validation)),
        "scaled_down": (validation * left**2, test),
        "scaled_up": (validation / left, test),
        "of_both": (both * left, both * test),  # both are cut off first, then one of the other
        "of_both:val": (both * validation, both * (1 - validation)),
        "val_test": (test, validation),
    }
    return next((shares[each] for each in shares if each in wrong), fractions)


def _positions(wrong: Set[str], generator: Generator, N: int, test: int) -> Ints:
    """Return the N positions in the order in which the sets are cut from them, with the mistakes in
    `wrong`.
    """
    if "unshuffled" in wrong:
        return np.arange(N)
    if "repeats" in wrong:
        return generator.integers(N, size=N)
    if "block:rolled" in wrong:
        return np.roll(np.arange(N), generator.integers(N))
    if "block" in wrong:
        return np.append(generator.permutation(N - test), np.arange(N - test, N))
    if "seed" in wrong:
        return np.random.default_rng(0).permutation(N)
    return generator.permutation(N) + ("from_one" in wrong)


def _spoiled(wrong: Set[str], generator: Generator, N: int, sets: list[Ints]) -> list[Any]:
    """Return the sets, with the mistakes in `wrong` that are made after the cut."""
    *others, test = sets
    rest = np.sort(np.concatenate(others))
    if len(sets) == 3 and "not_reindexed" in wrong:
        rest = generator.permutation(len(rest))
    if len(sets) == 3 and wrong & {"not_reindexed", "validation_in_a_row"}:
        sets = [*np.split(rest, [len(others[0])]), test]
    if "overlap" in wrong:
        sets = [*sets[:-1], generator.permutation(N)[: len(test)]]
    if "loses" in wrong:
        sets = [sets[0][:-1], *sets[1:]]
    if len(sets) == 3 and "order" in wrong:
        sets = sets[::-1]
    if len(sets) == 3 and "order:turned" in wrong:
        sets = [*sets[1:], sets[0]]
    return [np.isin(np.arange(N), each) for each in sets] if "masks" in wrong else sets


def _of_sets(seen: Sequence[Seen], answers: Sequence[Answer]) -> Parts:
    """Return what can be compared of the sets that equal calls of `hold_out` draw: their sizes,
    whether positions repeat, follow each other or are missing, ...

    `seen`: the calls, with equal arguments.
    `answers`: an answer to each of them, the student's or an imitation's.
    """
    N, *fractions = [each for each in seen[0].given if each is not None]
    try:
        found = [as_parts(answer.value, 1 + len(fractions)) for answer in answers]
    except CheckFailed:
        return {"form": _form(answers[0].value)}
    first = found[0]
    together = np.concatenate(first)
    sizes = [[len(part) for part in sets] for sets in found]
    right = np.array([1 - sum(fractions), *fractions]) * N
    varies = any(each != sizes[0] for each in sizes)
    is_right = bool((abs(np.array(sizes) - right) <= ROUNDING).all())
    features: dict[str, Any] = {
        "sizes": varies or is_right or [size / N for size in sizes[0]],
        "varies": varies,
        "from one": bool(N in together and 0 not in together),
        "repeats": any(_repeats(part) for part in first),
        "overlap": _repeats(together),
        "missing": not np.isin(np.arange(N), together).all(),
        "in a row": all((np.diff(part) == 1).all() for sets in found for part in sets),
        "block": all(_is_block(sets[-1], N) for sets in found),
        "same": len({str(sets) for sets in found}) == 1,
    }
    if len(first) == 3:
        rest = np.sort(np.concatenate(first[:2]))
        features["rest"] = np.array_equal(rest, np.arange(len(rest)))
        features["apart"] = all(_are_apart(*sets[:2]) for sets in found)
    return features


def _form(value: Any) -> str:
    """Return a string that distinguishes results that are not sets of positions: the name of the
    type or, of a list or tuple, those of its elements.
    """
    if not isinstance(value, tuple | list):
        return type(value).__name__
    return " ".join(str(getattr(part, "dtype", type(part))) for part in value)


def _is_block(positions: Ints, N: int) -> bool:
    """Return whether positions follow each other without a gap, 0 following N − 1."""
    gaps = np.diff(np.sort(positions), append=positions.min(initial=N) + N)
    return int((gaps != 1).sum()) == 1


def _are_apart(one: Ints, other: Ints) -> bool:
    return bool(one.max() < other.min() or other.max() < one.min())


def _repeats(positions: Ints) -> bool:
    return len(np.unique(positions)) < len(positions)


imitates(
    "hold_out",
    "hold_out",
    """
    rest test_of_rest scaled_down scaled_up of_both|val val_test exchanged ignores_Ptest varies
    repeats not_reindexed from_one overlap loses masks order|turned unshuffled block|rolled
    validation_in_a_row seed
    """,
    kind=lambda seen: len([each for each in seen.given if each is not None]),
    parts=_of_sets,
    tolerance=ROUNDED,
    draws=True,
)(held_out)


@examples("hold_out")
def equal_calls_on_many_patterns(solution: Solution) -> None:
    """Split many patterns several times, so that neither rounding nor chance hides a mistake."""
    for call in ((60, 0.3), (211, 0.15), (60, 0.2, 0.3), (301, 0.3, 0.15), (200, 0.1, 0.5)):
        for _ in range(EQUAL):
            solution.answer("hold_out", *call)


# --- crossvalidation ------------------------------------------------------------------------------


def folds_of(wrong: Set[str], generator: Generator, targets: Any, k: int) -> Any:
    """Oracle for `crossvalidation`: deal the patterns of each class to k folds in turn, in random
    order, with the mistakes in `wrong`.
    """
    members = _classes(wrong, targets)
    fewest = min(map(np.count_nonzero, members))
    if fewest < k:
        raise NoOpinion  # it may end with an error
    if "exactly_k" in wrong and len(members) > 1 and fewest == k:
        raise ValueError("a class has too few patterns")
    if np.ndim(targets) == 0:
        folds = _dealt(wrong, generator, targets, k)
        return folds.astype(float) if "reals" in wrong else folds
    folds = np.zeros(len(members[0]), dtype=int)
    is_vector = np.ndim(targets) == 1 and targets.dtype == bool
    halved = "negatives_of_vector" in wrong or ("negatives" in wrong and not is_vector)
    if halved and len(members) == 2:
        members = members[:1]
    for each in members:
        folds[each] = _dealt(wrong, generator, int(each.sum()), k)
    if "shuffled_after" in wrong and len(members) > 1:
        generator.shuffle(folds)
    if "concatenated" in wrong:
        folds = np.concatenate([folds[each] for each in members])
    return folds.astype(float) if "reals" in wrong else folds


def _classes(wrong: Set[str], targets: Any) -> list[Any]:
    """Return, for each class, a bool vector of its patterns, as a function with the mistakes in
    `wrong` groups them.
    """
    if "labels.sorted" in wrong and np.ndim(targets) == 1:
        sorted(targets.tolist())  # may raise
    if "as_text" in wrong and np.ndim(targets) == 1 and targets.dtype.kind == "O":
        targets = np.array([str(each) for each in targets.tolist()])
    members = list(classes_of(targets).values())
    return [np.ones(len(members[0]), dtype=bool)] if "not_stratified" in wrong else members


def _dealt(wrong: Set[str], generator: Generator, N: int, k: int) -> Ints:
    """Return the folds of the N patterns of one class, with the mistakes in `wrong`."""
    if "at_random" in wrong:
        return generator.integers(1, k + 1, size=N)
    folds = np.arange(N) % k + 1
    if "too_short" in wrong:
        folds = folds[: N // k * k]
    if "too_long" in wrong:
        folds = np.arange(-(-N // k) * k) % k + 1
    if "leftovers" in wrong:
        folds = np.minimum(np.arange(N) // (N // k) + 1, k)
    if "cut" in wrong:
        folds = np.repeat(np.arange(1, k + 1), -(-N // k))[:N]
    if "last_missing" in wrong:
        folds = np.arange(N) % (k - 1) + 1
    if "shuffled_before" in wrong:
        folds = generator.permutation(k)[folds - 1] + 1
    elif "unshuffled" not in wrong:
        (np.random.default_rng(0) if "seed" in wrong else generator).shuffle(folds)
    return folds - ("from_zero" in wrong)


def _of_folds(seen: Sequence[Seen], answers: Sequence[Answer]) -> Parts:
    """Return what can be compared of the folds that equal calls of `crossvalidation` draw: their
    sizes, whether they are stratified, in turn or always the same, ...

    `seen`, `answers`: as in `_of_sets`.
    """
    targets, k = seen[0].given
    found = [_vector(answer.value) for answer in answers]
    first = found[0]
    members = list(classes_of(targets).values())
    lengths = {len(each) for each in found}
    if lengths != {len(members[0])}:
        return {"type": first.dtype.kind, "lengths": lengths}
    least, most = min(each.min() for each in found), max(each.max() for each in found)
    features: dict[str, Any] = {"type": first.dtype.kind, "range": (int(least), int(most))}
    if least < 0 or most > k:
        return features
    inside = [[each[one].astype(int) for one in members] for each in found]
    spread = [_spread(one, k) for of_call in inside for one in of_call]
    whole = [sorted(fold_sizes(each.astype(int), k)) for each in found]
    is_stratified = max(spread) <= 1  # then the sizes of the whole are a matter of chance
    varies = not is_stratified and any(sizes != whole[0] for sizes in whole)
    large = [one for of_call in inside for one in of_call if len(one) >= max(3 * k, 12)]
    cycles = [_cycle(one, k) for one in large]
    features |= {
        "stratified": is_stratified,
        "varies": varies,
        "sizes": None if varies or is_stratified else whole[0],
        "in turn": bool(cycles) and None not in cycles,
        "ascending": bool(cycles) and all(each == sorted(each or [2, 1]) for each in cycles),
        "same": len({str(each.tolist()) for each in found}) == 1,
    }
    return features


def _spread(folds: Ints, k: int) -> int:
    """Return the difference between the largest and the smallest fold of a class."""
    return int(np.ptp(fold_sizes(folds, k)))


def _vector(value: Any) -> NDArray[Any]:
    """Return a result as a vector of whole numbers; an empty vector if it is something else."""
    nothing = np.empty(0, dtype=object)
    try:
        folds = np.asarray(value)
    except ValueError:
        return nothing
    is_one = folds.ndim == 1 and folds.dtype.kind in "iuf"
    return folds if is_one and np.array_equal(folds, np.round(folds)) else nothing


def _cycle(folds: Ints, k: int) -> list[int] | None:
    """Return the order in which the folds of a class follow each other, in turn (1, 2, ..., k, 1,
    ...) or in ascending blocks; None if they do neither.
    """
    if np.array_equal(folds[k:], folds[:-k]):
        return folds[:k].tolist()
    return np.unique(folds).tolist() if (np.diff(folds) >= 0).all() else None


def _targets(seen: Seen) -> Hashable:
    """Return the kind of the targets: a number, a vector, a column, a matrix, or a vector of two
    labels or more.
    """
    targets = seen.args[0]
    return np.ndim(targets), np.asarray(targets).dtype.kind, min(len(classes_of(targets)), 3)


imitates(
    "crossvalidation",
    "folds",
    """
    cut negatives negatives_of_vector from_zero last_missing leftovers too_short too_long at_random
    as_text concatenated not_stratified shuffled_after exactly_k unshuffled shuffled_before seed
    reals labels.sorted
    """,
    kind=_targets,
    parts=_of_folds,
    draws=True,
)(folds_of)


@examples("crossvalidation")
def equal_calls_with_all_kinds_of_targets(solution: Solution) -> None:
    """Call several times with every kind of targets, some of them with a class of k patterns."""
    letters = np.array(["b", "c", "a"])
    pattern = np.array([2, 0, 1, 1, 0, 2, 2, 1, 0, 2, 1, 2] * 4 + [2, 1, 0, 2])
    mixed = as_vector([[1, "1", 2][number] for number in pattern])
    calls: list[tuple[Any, int]] = [
        (47, 4),
        (23, 4),
        (31, 7),
        (39, 5),
        (mixed, 3),
        (mixed[5:40], 3),
    ]
    for numbers, k in (
        (pattern, 3),
        (pattern[:43], 4),
        (np.repeat([1, 0, 2], [20, 3, 26]), 3),
        (np.repeat([2, 1, 0], [5, 23, 5]), 5),
    ):
        half = numbers > 1
        kinds = (half, half.reshape(-1, 1), np.where(half, "ok", "no"), letters[numbers])
        calls += [(targets, k) for targets in (*kinds, one_hot(numbers, 3))]
    for few in (1, 2):
        solution.answer("crossvalidation", np.arange(9) < few, 3)
        solution.answer("crossvalidation", np.array(["a"] * few + ["b", "c"] * 4), 3)
    for call in calls:
        for _ in range(EQUAL):
            solution.answer("crossvalidation", *call)
