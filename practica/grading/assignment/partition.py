"""Checks of exercise 3, `hold_out`, and of exercise 5, `crossvalidation`.

Random functions are judged by what holds for every draw and by statistical bounds that a right
function violates with a probability below 1e-9, regardless of the generator that it uses; each
bound states the inequality that it comes from.
"""

from __future__ import annotations

import functools
import math
from contextlib import suppress
from typing import Any

import numpy as np

from practica.grading.assignment.accepted_forms import as_folds, as_parts
from practica.grading.assignment.cases import labelled_patterns, one_hot
from practica.grading.assignment.encoding import ONE_HOT
from practica.grading.engine.drawing import Draw
from practica.grading.engine.framework import (
    CheckFailed,
    check,
    for_all,
    helped_by,
    require,
    state,
    untouched,
)
from practica.grading.engine.helper_substitution import Part, require_small
from practica.grading.engine.solution import Solution, StudentError
from practica.grading.inside.plain_data import Array, Bools, Floats, Integers

Folds = Integers


# --- what is right --------------------------------------------------------------------------------


def right_hold_out(args: list[Any], kwargs: dict[str, Any], draw: tuple[int, int]) -> Any:
    """Return a right result of `hold_out`: a permutation cut into sets, with sizes rounded to the
    nearest.

    `draw`: two numbers that seed the permutation, others in each call.
    """
    N, *fractions = [*args, *kwargs.values()]
    require_small(N)
    fractions = [fraction for fraction in fractions if fraction is not None]
    positions = np.random.default_rng([N, *draw]).permutation(N)
    held = [round(N * min(1.0, float(fraction))) for fraction in fractions]
    cuts = np.cumsum([N - sum(held), *held])[:-1]
    return tuple(part.astype(np.int64) for part in np.split(positions, cuts))


def fold_sizes(folds: Folds, k: int) -> list[int]:
    """Count the patterns of each of the folds 1..k."""
    return np.bincount(folds, minlength=k + 1)[1:].tolist()


HOLD_OUT = Part(right_hold_out, draws=True)
helped_by("crossvalidation", one_hot_encoding=ONE_HOT)


# --- hold_out -------------------------------------------------------------------------------------


FRACTIONS = (0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9)


def two_part_case(draw: Draw) -> tuple[int, float]:
    """Draw (N, P); with few patterns the test set may be empty."""
    return draw.length(1, draw.choice([4, 120])), draw.choice(FRACTIONS)


def three_part_case(draw: Draw) -> tuple[int, float, float]:
    """Draw (N, Pval, Ptest) such that the training set is not empty."""
    pairs = [(0.2, 0.3), (0.3, 0.2), (0.1, 0.4), (0.4, 0.1), (0.25, 0.5), (0.5, 0.25), (0.2, 0.2)]
    N = draw.length(4, 120)
    return N, *draw.choice(pairs if N < 40 else [*pairs, (0.5, 0.4), (0.3, 0.6)])


def _whole_sizes(N: int, fraction: float) -> range:
    """Return the legal sizes of a set that has this fraction of N patterns: give or take one, for
    all ways of rounding.
    """
    share = round(N * fraction, 9)
    return range(math.ceil(share - 1), math.floor(share + 1) + 1)


def _require_sizes(solution: Solution, N: int, fractions: list[float]) -> None:
    """Require that every held-out set has its fraction of the N patterns, give or take one.

    The others train.
    """
    sizes = [len(part) for part in as_parts(solution.hold_out(N, *fractions), len(fractions) + 1)]
    names = ("validation", "test")[-len(fractions) :]
    for name, size, fraction in zip(names, sizes[1:], fractions, strict=True):
        legal = _whole_sizes(N, fraction)
        if size not in legal:
            facts = {
                "least": max(0, legal[0]),
                "most": legal[-1],
                "fraction": fraction,
                "N": N,
                "size": size,
            }
            of_the_rest = name == "validation" and _takes_from_the_rest(solution, N, fractions)
            message = (
                f"hold_out.three.sizes.{'of_the_rest' if of_the_rest else name}"
                if len(fractions) > 1
                else None
            )
            raise CheckFailed({**facts, "obtained": sizes, "left": N - sizes[-1]}, message)


def _takes_from_the_rest(solution: Solution, N: int, fractions: list[float]) -> bool:
    """Return whether the validation set is a fraction of the patterns that the test set leaves, not
    of all.
    """
    sizes = [0, 0, 0]
    with suppress(CheckFailed, StudentError):
        sizes = [len(part) for part in as_parts(solution.hold_out(1000, *fractions), 3)]
        solution.hold_out(N, *fractions)  # the call that is shown
    return sizes[1] in _whole_sizes(1000 - sizes[2], fractions[0])


def _has_sizes(solution: Solution, case: tuple[Any, ...]) -> None:
    N, *fractions = case
    _require_sizes(solution, N, fractions)


def _is_partition(solution: Solution, case: tuple[Any, ...]) -> None:
    """Require that the sets have all positions 0..N-1, once each.

    `case`: N and the fractions.
    """
    N, *fractions = case
    parts = as_parts(solution.hold_out(N, *fractions), len(fractions) + 1)
    together = np.sort(np.concatenate(parts))
    require(np.array_equal(together, np.arange(N)), expected=np.arange(N), obtained=together)


def _require_parts_differ(solution: Solution, N: int, fractions: list[float]) -> None:
    first, second = (
        as_parts(solution.hold_out(N, *fractions), len(fractions) + 1) for _ in range(2)
    )
    # Two draws agree with a probability of 1 / C(300, 30) < 1e-40.
    same = all(
        np.array_equal(np.sort(one), np.sort(other))
        for one, other in zip(first, second, strict=True)
    )
    require(not same, message="random.repeats", obtained=first[-1][:10])
    for part in first:
        if len(part):
            _require_no_favourites(part, N)


def _require_random_hold_out(solution: Solution, N: int, fractions: list[float]) -> None:
    _require_parts_differ(solution, N, fractions)
    few = N // 10
    drawn = np.zeros((CALLS, few), dtype=int)
    for call, answer in zip(
        drawn, solution.repeated(CALLS, "hold_out", few, *fractions), strict=True
    ):
        for number, part in enumerate(as_parts(answer, len(fractions) + 1)):
            call[part[(part >= 0) & (part < few)]] = number
    _require_none_fixed(drawn)
    _require_none_returns(drawn)
    _require_no_neighbours(drawn, "random.together")
    _require_no_couples(drawn)


def _require_no_favourites(part: Integers, N: int) -> None:
    """Require that a set favours neither the first half of the positions nor the even ones.

    Sampling n out of N without replacement: Hoeffding, P(|X − n/2| >= t) <= 2·exp(−2t²/n), at most
    1e-10.
    """
    margin = math.sqrt(len(part) * math.log(2e10) / 2) + 1
    for group in (part < N // 2, part % 2 == 0):
        inside = int(group.sum())
        require(
            abs(inside - len(part) / 2) <= margin,
            message="random.favours",
            obtained=inside,
            expected=len(part) / 2,
            size=len(part),
        )


def _is_random(
    fractions: list[float], rest: list[float], solution: Solution, N: int, other: float
) -> None:
    _require_random_hold_out(solution, N, fractions)
    _require_parts_differ(solution, N, [other, *rest])


OTHER_FRACTIONS = (0.1, 0.15, 0.2, 0.3, 0.35, 0.4, 0.6)
for _parts, _case, _random in (
    ("two", two_part_case, functools.partial(_is_random, [0.5], [])),
    ("three", three_part_case, functools.partial(_is_random, [0.25, 0.25], [0.2])),
):
    state(f"hold_out.{_parts}.sizes", _has_sizes, case=_case)
    state(f"hold_out.{_parts}.partition", _is_partition, case=_case)
    state(
        f"hold_out.{_parts}.random",
        _random,
        1,
        N=lambda draw: draw.randint(300, 500),
        other=lambda draw: draw.choice(OTHER_FRACTIONS),
    )


# --- crossvalidation ------------------------------------------------------------------------------


def classes_of(targets: Any) -> dict[Any, Bools]:
    """Return, by class, a bool vector of the patterns that have it; for a number of patterns, all
    of them under None.
    """
    if np.ndim(targets) == 0:
        return {None: np.ones(targets, dtype=bool)}
    if targets.dtype != bool:
        labels = targets.tolist()
        return {
            label: np.array([each == label for each in labels]) for label in dict.fromkeys(labels)
        }
    if targets.ndim == 2 and targets.shape[1] > 1:
        return dict(enumerate(targets.T))
    return {True: targets.ravel(), False: ~targets.ravel()}


def _is_numbered(solution: Solution, case: tuple[int, int]) -> None:
    as_folds(solution.crossvalidation(*case), *case)


def _is_stratified(solution: Solution, case: tuple[Any, int]) -> None:
    """Require that each class has the same number of patterns in each fold, give or take one."""
    targets, k = case
    groups = classes_of(targets)
    folds = as_folds(solution.crossvalidation(targets, k), len(next(iter(groups.values()))), k)
    for label, members in groups.items():
        per_fold = fold_sizes(folds[members], k)
        require(max(per_fold) - min(per_fold) <= 1, obtained=per_fold, label=label, k=k)


CALLS = 65


def _require_shuffled(solution: Solution, targets: Any, k: int) -> None:
    """Require that two calls differ, and that inside each class the fold of a pattern depends
    neither on its position nor on the others.

    Over many calls on few patterns (the code under test may be quadratic) two proportions are
    averaged for each class: how much of a fold is in the first half of the class, and how many
    pairs at a distance share a fold. Each is a mean of 65 independent values in [0, 1] with a
    variance below 0.02, and at most 0.02 from what is expected: Bernstein, P(|mean − expected| >=
    0.35) <= 2·exp(−65·0.33² / (2·0.02 + 2·0.33/3)) < 4e-12. There are at most 63 of them in a
    check. (Of 10 out of 30 patterns the share in a half varies by 0.0173; of 15 pairs or more, and
    in `hold_out` of 15 among 30 positions, the share that is in one part by less.)
    """
    groups = list(classes_of(targets).values())
    drawn = [
        as_folds(answer, len(groups[0]), k)
        for answer in solution.repeated(CALLS, "crossvalidation", targets, k)
    ]
    # A right function repeats 30 folds with a probability below 1e-12.
    require(
        not np.array_equal(drawn[0], drawn[1]), message="random.repeats", obtained=drawn[0][:10]
    )
    _require_none_fixed(np.array(drawn))
    for members in groups:
        _require_no_pattern(np.array(drawn)[:, members], k)


def _require_moved(solution: Solution, targets: Any, k: int) -> None:
    """Require that the folds of 2k + 2 calls are all different.

    A split that is only rotated has no more than k different ones. Chance repeats 30 patterns once
    in 1e15 calls, and so in these calls with a probability below 1e-12.
    """
    N = targets if isinstance(targets, int) else len(targets)
    answers = solution.repeated(2 * k + 2, "crossvalidation", targets, k)
    drawn = [as_folds(answer, N, k) for answer in answers]
    require(
        len({each.tobytes() for each in drawn}) == len(drawn),
        message="random.repeats",
        obtained=drawn[0][:10],
    )


def _require_none_fixed(parts: Folds) -> None:
    """Require that no position is in the same part in all calls.

    `parts`: shape (call, position).

    Of 150 positions at most one is in the larger half of them in 65 calls with a probability below
    1e-17.
    """
    for position, moved in enumerate(np.ptp(parts, axis=0).tolist()):
        require(moved, message="random.fixed", position=position, calls=len(parts))


def _require_none_returns(parts: Folds) -> None:
    """Require that no position returns to one part more often than chance allows.

    `parts`: shape (call, position).

    The part that a position has had most in half of the calls is independent of the others, where X
    of M positions are in it. Chatterjee, for permutations: P(X − m >= t) <= exp(−t²/(4m + 2t)),
    which is below 1e-11 here.
    """
    half = len(parts) // 2
    before, after = parts[:half], parts[half:]
    usual = np.array([np.bincount(column).argmax() for column in before.T])
    expected, obtained = (
        float((after[:, :, np.newaxis] == usual).mean()),
        float((after == usual).mean()),
    )
    M = after.size
    margin = (BITS + math.sqrt(BITS**2 + 4 * BITS * M * expected)) / M
    facts = {"obtained": obtained, "expected": expected, "calls": len(after)}
    require(obtained - expected < margin, message="random.returns", **facts)


BITS = 26.0  # exp(−26) is 5e-12


def _require_no_pattern(folds: Folds, k: int) -> None:
    """Require that the folds of one class depend on nothing but chance: neither on the position of
    a pattern, nor on earlier calls, nor on other patterns.

    `folds`: shape (call, pattern).
    """
    _require_none_returns(folds)
    n = folds.shape[1]
    for fold in range(1, k + 1):
        inside = folds == fold
        early = float((inside[:, : n // 2].sum(axis=1) / np.maximum(1, inside.sum(axis=1))).mean())
        require(
            abs(early - 0.5) < 0.35,
            message="random.position",
            obtained=early,
            expected=0.5,
            fold=fold,
        )
    _require_no_neighbours(folds, "random.neighbours")


def _require_no_neighbours(parts: Folds, message: str) -> None:
    """Require that at no distance two positions share a part much more or less often than any two.

    `parts`: shape (call, position).
    `message`: the id of the sentence.
    """
    n, share = parts.shape[1], _shared(parts)
    expected = float((share.sum() - n) / (n * (n - 1)))
    for distance in range(1, n // 2 + 1):
        obtained = float(np.diagonal(share, distance).mean())
        right = abs(obtained - expected) < 0.35
        require(right, message=message, obtained=obtained, expected=expected, distance=distance)


def _require_no_couples(parts: Folds) -> None:
    """Require that two positions that were mostly in one part are not so in later calls.

    `parts`: shape (call, position).

    The companion of a position is the one that shared its part most in the first calls. How many
    positions are with theirs is independent of that in the other 49: a mean of values in [0, 1]
    that are expected to be 0.36 or more, with a variance below 0.035. Bernstein: P(mean − expected
    >= 0.35) <= exp(−49·0.35² / (2·0.035 + 2·0.64·0.35/3)) < 2e-12.
    """
    first, later = _shared(parts[:FIRST_CALLS]), _shared(parts[FIRST_CALLS:])
    np.fill_diagonal(first, 0)
    n = parts.shape[1]
    expected = float((later.sum() - n) / (n * (n - 1)))
    obtained = float(later[first.argmax(axis=0), np.arange(n)].mean())
    facts = {"obtained": obtained, "expected": expected, "calls": len(parts) - FIRST_CALLS}
    require(obtained - expected < 0.35, message="random.couples", **facts)


FIRST_CALLS = 16


def _shared(parts: Folds) -> Floats:
    """Return in what share of the calls two positions are in one part, shape (position,
    position).
    """
    return (parts[:, :, np.newaxis] == parts[:, np.newaxis]).mean(axis=0)


NUMBERS_OF_FOLDS = 2, 3, 4, 2, 3, 5, 10


def bool_targets(draw: Draw) -> tuple[Bools, int]:
    """Draw (targets, k): a bool vector with at least k patterns of each class, and k, a number of
    folds.
    """
    k = draw.choice(NUMBERS_OF_FOLDS)
    positive, negative = draw.length(k, k + 10), draw.length(k, k + 10)
    return np.array(draw.shuffled([True] * positive + [False] * negative)), k


def class_targets(
    draw: Draw, min_classes: int = 3, max_classes: int = 4, mixed: bool = False
) -> tuple[Array, int]:
    """Draw (labels, k): a vector of labels with at least k patterns of each class, and k, a number
    of folds.
    """
    k = draw.choice(NUMBERS_OF_FOLDS)
    labels, _ = labelled_patterns(
        draw,
        min_classes=min_classes,
        max_classes=max_classes,
        per_class=k,
        max_size=24,
        mixed=mixed,
    )
    return labels, k


def _as_matrix(case: tuple[Array, int]) -> tuple[Bools, int]:
    return np.stack([*classes_of(case[0]).values()], axis=1), case[1]


def _is_shuffled(kind: str, solution: Solution, size: int, k: int) -> None:
    """Require folds that change between calls, with `size` patterns of each class.

    `kind`: of the targets: "int", "bool", "matrix" or "labels".
    `k`: a second number of folds, beside 3.
    """
    numbers = np.arange(3 * size) % 3
    kinds: dict[str, Any] = {
        "int": size,
        "bool": np.arange(2 * size) % 2 == 0,
        "matrix": one_hot(numbers, 3),
        "labels": np.array(["b", "c", "a"])[numbers],
    }
    _require_shuffled(solution, kinds[kind], 3)
    _require_moved(solution, kinds[kind], k)


def _state_random(kind: str) -> None:
    state(
        f"crossvalidation.{kind}.random",
        functools.partial(_is_shuffled, kind),
        1,
        size=lambda draw: draw.randint(30, 36),
        k=lambda draw: draw.choice([4, 5, 7, 10]),
    )


def _count(draw: Draw) -> tuple[int, int]:
    """Draw (N, k): a number of patterns that is k at least, and k, a number of folds."""
    k = draw.length(2, 10)
    return max(draw.length(2, 60), k), k


def _column(draw: Draw) -> tuple[Bools, int]:
    targets, k = bool_targets(draw)
    return targets.reshape(-1, 1), k


state("crossvalidation.int.labels", _is_numbered, case=_count)
state("crossvalidation.int.balance", _is_stratified, case=_count)
_state_random("int")
state("crossvalidation.bool.stratified", _is_stratified, case=bool_targets)
_state_random("bool")
state(
    "crossvalidation.matrix.stratified",
    _is_stratified,
    case=lambda draw: _as_matrix(class_targets(draw)),
)
state("crossvalidation.matrix.column", _is_stratified, 15, case=_column)
_state_random("matrix")
state("crossvalidation.labels.stratified", _is_stratified, case=class_targets)
_two = functools.partial(class_targets, min_classes=2, max_classes=2)
state("crossvalidation.labels.two", _is_stratified, case=_two)
_mixed = functools.partial(class_targets, mixed=True)
state("crossvalidation.labels.mixed", _is_stratified, 15, case=_mixed)
_state_random("labels")


@check("crossvalidation.small_class")
@for_all(
    15,
    few=lambda draw: draw.randint(1, 2),
    many=lambda draw: draw.length(4, 8),
    k=lambda draw: draw.randint(3, 4),
)
def small_class(solution: Solution, few: int, many: int, k: int) -> None:
    labels = ["a"] * few + ["b"] * max(many, k) + ["c"] * k
    for targets in (np.arange(few + max(many, k)) < few, np.array(labels)):
        with suppress(StudentError):
            _is_stratified(solution, (targets, k))


@check("crossvalidation.untouched")
def crossvalidation_untouched(solution: Solution) -> None:
    for targets in (
        np.array([True, False, True, False, True, False]),
        one_hot(np.arange(9) % 3, 3),
        np.array(["b", "c", "a"] * 3),
    ):
        untouched(solution, "crossvalidation", targets, 2)
