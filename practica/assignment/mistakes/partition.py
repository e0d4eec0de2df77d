"""Known mistakes of `hold_out` and `crossvalidation`: all but one are signs, since the results are
drawn.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.assignment.accepted_forms import as_parts
from practica.assignment.partition import classes_of, fold_sizes
from practica.assignment.strategies import as_vector, one_hot
from practica.engine.framework import CheckFailed, NoOpinion
from practica.engine.known_mistakes import Seen, examples, id_of, imitates, sign
from practica.engine.solution import Solution

LARGE = 40  # patterns of which no order comes about by chance
MANY = 5  # classes whose folds follow an order
ROUNDING = 2  # patterns by which a size may differ: it is rounded twice

Ints = NDArray[np.int64]


# -- hold_out
# --------------------------------------------------------------------------------------------------


def _asked(seen: Seen) -> tuple[int, list[float]]:
    """Return the arguments of a call of `hold_out`: N and the fractions."""
    N, *fractions = seen.given
    return N, [fraction for fraction in fractions if fraction is not None]


def _parts(seen: Seen) -> list[Ints]:
    """Return the positions in each set; nothing where the result is not of that form."""
    with suppress(CheckFailed):
        return as_parts(seen.answer.value, 1 + len(_asked(seen)[1]))
    return []


def _is_whole(positions: Ints, N: int, first: int = 0) -> bool:
    return np.array_equal(np.sort(positions), np.arange(N) + first)


def _repeats(positions: Ints) -> bool:
    return len(np.unique(positions)) < len(positions)


# with so many fractions given: those of N
WRONG_SIZES: dict[str, tuple[int, Callable[..., Sequence[float]]]] = {
    # Pval is taken of what the test leaves, Ptest of what the validation set leaves.
    "hold_out.rest": (2, lambda val, test: [(1 - val) * (1 - test), val * (1 - test), test]),
    "hold_out.test_of_rest": (2, lambda val, test: [(1 - val) * (1 - test), val, test * (1 - val)]),
    # Pval is first multiplied by what the test leaves, and then taken of it.
    "hold_out.scaled_down": (
        2,
        lambda val, test: [1 - test - val * (1 - test) ** 2, val * (1 - test) ** 2, test],
    ),
    # Pval is divided by what the test leaves, and then taken of all.
    "hold_out.scaled_up": (
        2,
        lambda val, test: [1 - test - val / (1 - test), val / (1 - test), test],
    ),
    # The first cut leaves both, and of them the share of one is taken.
    "hold_out.of_both": (
        2,
        lambda val, test: [1 - val - test, (val + test) * (1 - test), (val + test) * test],
    ),
    "hold_out.of_both:val": (
        2,
        lambda val, test: [1 - val - test, (val + test) * val, (val + test) * (1 - val)],
    ),
    "hold_out.val_test": (2, lambda val, test: [1 - val - test, test, val]),
    "hold_out.exchanged": (1, lambda test: [test, 1 - test]),  # with three sets there are many ways
}


def _has_sizes(count: int, wrong: Callable[..., Sequence[float]], seen: Seen) -> bool | None:
    """Return whether the sets have the sizes that a mistake gives.

    None if their sizes are right.
    """
    (N, fractions), parts = _asked(seen), _parts(seen)
    if not parts or len(fractions) != count:
        return None
    sizes = np.array([len(part) for part in parts])

    def have(shares: Sequence[float]) -> bool:
        return bool((abs(sizes - N * np.array(shares)) <= ROUNDING).all())

    return None if have([1 - sum(fractions), *fractions]) else have(wrong(*fractions))


for _id, _wrong in WRONG_SIZES.items():
    sign(id_of(_id), "hold_out")(functools.partial(_has_sizes, *_wrong))


@sign("hold_out.sizes", "hold_out", last=True)
def sets_of_other_sizes(seen: Seen) -> dict[str, Any] | None:
    """Return the sizes of sets, if they are not those that were asked for, give or take the
    rounding.
    """
    (N, fractions), parts = _asked(seen), _parts(seen)
    shares = N * np.array([1 - sum(fractions), *fractions])
    sizes = [len(part) for part in parts]
    if not parts or (abs(np.array(sizes) - shares) <= ROUNDING).all():
        return None
    return {"N": N, "fractions": ", ".join(map(str, fractions)), "obtained": str(sizes)}


@sign("hold_out.order", "hold_out", unless=[*map(id_of, WRONG_SIZES)])
def three_sets_in_another_order(seen: Seen) -> bool | None:
    """Return whether the three sets have the right sizes in another order, always the same one."""
    (N, fractions), parts = _asked(seen), _parts(seen)
    if len(fractions) < 2 or not parts:
        return None
    right = N * np.array([1 - sum(fractions), *fractions])
    sizes = [len(part) for part in parts]
    orders = itertools.permutations(range(3))
    fits = [
        order
        for order in orders
        if all(abs(sizes[at] - right[place]) <= ROUNDING for at, place in enumerate(order))
    ]
    return None if (0, 1, 2) in fits else bool(fits)


@sign("hold_out.ignores_Ptest", "hold_out")
def two_sets_of_three(seen: Seen) -> bool | None:
    """Return whether `hold_out` gives two sets where three are asked for."""
    value = seen.answer.value
    return None if len(_asked(seen)[1]) < 2 else isinstance(value, tuple | list) and len(value) == 2


@sign("hold_out.masks", "hold_out")
def masks_for_positions(seen: Seen) -> bool | None:
    """Return whether each set is a mask: a bool for each pattern."""
    if seen.answer.error is not None:
        return None
    value, N = seen.answer.value, _asked(seen)[0]
    parts = (
        [part for part in value if isinstance(part, np.ndarray)]
        if isinstance(value, tuple | list)
        else []
    )
    return len(parts) > 1 and all(part.dtype == bool and part.shape == (N,) for part in parts)


@sign("hold_out.not_reindexed", "hold_out")
def positions_in_the_rest(seen: Seen) -> bool | None:
    """Return whether the training and validation sets are positions 0 to n−1, as if no pattern were
    in the test set.
    """
    if len(_asked(seen)[1]) < 2 or not (parts := _parts(seen)):
        return None
    rest, N = np.concatenate(parts[:2]), _asked(seen)[0]
    if _is_whole(np.concatenate(parts), N):
        return False if N >= LARGE else None
    return _is_whole(rest, len(rest)) or _is_whole(rest, len(rest), 1)


@sign("hold_out.from_one", "hold_out")
def positions_from_one(seen: Seen) -> bool | None:
    """Return whether the positions of all sets are 1 to N, once each."""
    if not (parts := _parts(seen)):
        return None
    together, N = np.concatenate(parts), _asked(seen)[0]
    return True if _is_whole(together, N, 1) else False if 0 in together else None


# Of few positions, none may be twice in a set.
sign("hold_out.repeats", "hold_out")(lambda seen: any(map(_repeats, _parts(seen))) or None)


def _sizes_that_vary(seen: Sequence[Seen]) -> dict[str, Any] | None:
    """Return two equal calls whose sets have different sizes."""
    sizes: dict[str, str] = {}
    for each in seen:
        if parts := _parts(each):
            now, call = (
                str([len(part) for part in parts]),
                f"hold_out({', '.join(map(repr, each.given))})",
            )
            if sizes.setdefault(call, now) != now:
                return {"call": call, "obtained": sizes[call], "again": now}
    return None


def _varies_explains(check: str, seen: Sequence[Seen]) -> bool:
    return check.endswith(".sizes") and all(map(_parts, _calls_of(check, seen)))


def _calls_of(check: str, seen: Sequence[Seen]) -> list[Seen]:
    return [each for each in seen if each.check == check]


sign(
    "hold_out.varies",
    "hold_out",
    together=True,
    unless=["hold_out.repeats"],
    explains=_varies_explains,
)(_sizes_that_vary)


@sign("hold_out.overlap", "hold_out", unless=["hold_out.not_reindexed", "hold_out.repeats"])
def in_two_sets(seen: Seen) -> bool | None:
    """Return whether some position is in two sets."""
    parts = _parts(seen)
    return (bool(parts) and _repeats(np.concatenate(parts))) or None


@sign("hold_out.loses", "hold_out")
def in_no_set(seen: Seen) -> dict[str, int] | bool | None:
    """Return whether some position is in no set, and no position is in two sets."""
    if not (parts := _parts(seen)):
        return None
    together, N = np.concatenate(parts), _asked(seen)[0]
    if _repeats(together) or not np.isin(together, np.arange(N)).all():
        return False
    missing = np.setdiff1d(np.arange(N), together)
    return {"N": N, "missing": len(missing)} if len(missing) else None


@sign("hold_out.unshuffled", "hold_out")
def sets_in_a_row(seen: Seen) -> bool | None:
    """Return whether each set is a run of consecutive positions, in ascending order."""
    parts = _parts(seen)
    if not parts or _asked(seen)[0] < LARGE or min(map(len, parts)) < 4:
        return None
    return all((np.diff(part) == 1).all() for part in parts) or None


@sign("hold_out.block", "hold_out", unless=["hold_out.unshuffled"])
def a_set_of_neighbours(seen: Seen) -> bool | None:
    """Return whether the last set is a block of neighbouring positions, possibly across the end, in
    any order.
    """
    parts, N = _parts(seen), _asked(seen)[0]
    if not parts or N < LARGE or not 4 <= len(parts[-1]) <= N - 4:
        return None
    gaps = np.diff(np.sort(parts[-1]), append=parts[-1].min() + N)
    return int((gaps != 1).sum()) == 1


def _validation_at_one_end(seen: Seen) -> bool | None:
    """Return whether the validation set is the first or the last of the positions that the test
    leaves.
    """
    parts, N = _parts(seen), _asked(seen)[0]
    if (
        len(parts) != 3
        or N < LARGE
        or min(map(len, parts)) < 4
        or not _is_whole(np.concatenate(parts), N)
    ):
        return None
    training, validation = map(np.sort, parts[:2])
    return bool(validation[-1] < training[0] or training[-1] < validation[0])


def _shows_in_large_calls(check: str, seen: Sequence[Seen]) -> bool:
    said = [_validation_at_one_end(each) for each in _calls_of(check, seen) if _parts(each)]
    return any(said) and False not in said


sign(
    "hold_out.validation_in_a_row",
    "hold_out",
    unless=["hold_out.unshuffled", "hold_out.block"],
    explains=_shows_in_large_calls,
)(_validation_at_one_end)


def _always_the_same(size: Callable[[Seen], int], seen: list[Seen]) -> bool:
    """Return whether some call on many patterns gave the same sets each time that it was
    repeated.
    """
    results: dict[str, list[str]] = {}
    for each in seen:
        if size(each) >= LARGE:
            results.setdefault(repr((each.args, each.kwargs)), []).append(repr(each.answer.value))
    return any(len(of_call) > 1 and len(set(of_call)) == 1 for of_call in results.values())


sign("hold_out.seed", "hold_out", together=True, unless=["hold_out.unshuffled"])(
    functools.partial(_always_the_same, lambda each: _asked(each)[0] if _parts(each) else 0)
)


@examples("hold_out")
def many_patterns_and_the_same_ones_again(solution: Solution) -> None:
    """Split many patterns, so that neither rounding nor chance hides a mistake, and repeat the same
    calls.
    """
    for _ in range(2):
        solution.answer("hold_out", 60, 0.3)
        solution.answer("hold_out", 60, 0.2, 0.3)
    for N, *fractions in (
        (211, 0.15),
        (130, 0.7),
        (301, 0.3, 0.15),
        (200, 0.1, 0.5),
        (151, 0.4, 0.25),
    ):
        solution.answer("hold_out", N, *fractions)


# -- crossvalidation
# -------------------------------------------------------------------------------------------------


def _folds(seen: Seen) -> Ints | None:
    """Return the result as a vector of whole numbers, of any length and type."""
    value = seen.answer.value
    if not isinstance(value, np.ndarray | list | tuple):
        return None
    try:
        folds = np.asarray(value)
    except ValueError:
        return None
    if (
        folds.ndim != 1
        or folds.dtype.kind not in "iuf"
        or not np.array_equal(folds, np.round(folds))
    ):
        return None
    return folds.astype(np.int64)


def _classes(targets: Any) -> list[NDArray[np.bool_]]:
    return list(classes_of(targets).values())


def _is_number(seen: Seen) -> bool:
    return np.ndim(seen.args[0]) == 0


def _k(seen: Seen) -> int:
    return int(seen.given[1])


def _is_even(folds: Ints, k: int) -> bool:
    """Return whether the folds are 1 to k, and their sizes differ by one at most."""
    if len(folds) and not (folds.min() >= 1 and folds.max() <= k):
        return False
    sizes = fold_sizes(folds, k)
    return max(sizes) - min(sizes) <= 1


def _is_stratified(folds: NDArray[Any] | None, seen: Seen, k: int) -> bool:
    members = _classes(seen.args[0])
    return (
        folds is not None
        and len(folds) == len(members[0])
        and all(_is_even(folds[each], k) for each in members)
    )


def _either_is_right(expected: Any, obtained: Any, seen: Seen) -> bool:
    """Return whether both results are stratified folds."""
    k = _k(seen)
    return all(_is_stratified(_folds_of(value), seen, k) for value in (expected, obtained))


def _folds_of(value: Any) -> NDArray[Any] | None:
    array = np.asarray(value) if isinstance(value, np.ndarray | list | tuple) else np.empty((0, 0))
    return array if array.ndim == 1 and array.dtype.kind in "iu" else None


@imitates("crossvalidation", alike=_either_is_right)
def folds_in_turn(_: Set[str], targets: Any, k: int) -> Any:
    """Assign the patterns of each class in turn: right but for the order, of which
    `_either_is_right` knows nothing.
    """
    members = _classes(targets)
    if min(map(np.count_nonzero, members)) < k:
        raise NoOpinion  # it may end with an error
    folds = np.zeros(len(members[0]), dtype=int)
    for each in members:
        folds[each] = np.arange(each.sum()) % k + 1
    return folds


@sign("folds.cut", "crossvalidation")
def the_last_folds_are_cut(seen: Seen) -> bool | None:
    """Return whether as many of each fold stand in a row as there would be for all, and the last
    ones are cut.
    """
    if not _is_number(seen) or (folds := _folds(seen)) is None:
        return None
    N, k = seen.args[0], _k(seen)
    cut = np.repeat(np.arange(1, k + 1), -(-N // k))[:N]
    return None if _is_even(cut, k) else np.array_equal(np.sort(folds), cut)


@sign("folds.negatives_of_vector", "crossvalidation")
def the_negatives_of_a_vector(seen: Seen) -> bool | None:
    """Return whether only the positive patterns of a bool vector have folds."""
    targets = seen.args[0]
    return None if np.ndim(targets) != 1 or targets.dtype != bool else _one_class_left(seen)


@sign("folds.negatives", "crossvalidation", unless=["folds.negatives_of_vector"])
def the_negatives_of_a_column(seen: Seen) -> bool | None:
    """Return whether only one of the two classes of a column, or of two labels, has folds."""
    targets = seen.args[0]
    if np.ndim(targets) == 0 or (targets.ndim == 1 and targets.dtype == bool):
        return None
    return _one_class_left(seen)


def _one_class_left(seen: Seen) -> bool | None:
    """Return whether one of two classes is spread evenly, and all patterns of the other have one
    fold, such as 0.
    """
    folds, members = _folds(seen), _classes(seen.args[0])
    if folds is None or len(members) != 2 or len(folds) != len(members[0]):
        return None
    for one, other in itertools.permutations(members):
        if other.sum() > _k(seen) and len(np.unique(folds[other])) == 1:
            return _is_even(folds[one], _k(seen))
    return None


def _range_says(seen: Seen, first: int, count: int) -> bool | None:
    """Return whether the `count` folds from `first` on are stratified, although the k folds are
    not.
    """
    folds, k = _folds(seen), _k(seen)
    if folds is None or len(folds) != len(_classes(seen.args[0])[0]):
        return None
    return _is_stratified(folds - first + 1, seen, count) and not _is_stratified(folds, seen, k)


sign("folds.from_zero", "crossvalidation")(lambda seen: _range_says(seen, 0, _k(seen)))
sign("folds.last_missing", "crossvalidation")(
    lambda seen: None if _k(seen) < 3 else _range_says(seen, 1, _k(seen) - 1)
)


@sign("folds.leftovers", "crossvalidation")
def leftovers_in_one_fold(seen: Seen) -> bool | None:
    """Return whether all folds but one have equal sizes, and that one has at least two patterns
    more.
    """
    folds, k = _folds(seen), _k(seen)
    if (
        folds is None
        or not _is_number(seen)
        or len(folds) != seen.args[0]
        or seen.args[0] < k
        or seen.args[0] % k < 2
    ):
        return None
    each, left = divmod(seen.args[0], k)
    in_range = {*folds.tolist()} <= {*range(1, k + 1)}
    return in_range and sorted(fold_sizes(folds, k)) == [each] * (k - 1) + [each + left]


def _whole_repetitions(up: bool, seen: Seen) -> bool | None:
    """Return whether 1, …, k is repeated a whole number of times: less often than needed, or more
    often if `up`.
    """
    folds, k = _folds(seen), _k(seen)
    if folds is None or not _is_number(seen):
        return None
    N = seen.args[0]
    if N % k == 0:
        return None if len(folds) == N else False
    return len(folds) == k * (N // k + up)


sign("folds.too_short", "crossvalidation", unless=["folds.last_missing"])(
    functools.partial(_whole_repetitions, False)
)
sign("folds.too_long", "crossvalidation")(functools.partial(_whole_repetitions, True))


@sign("folds.at_random", "crossvalidation", together=True)
def sizes_that_vary(seen: list[Seen]) -> bool:
    """Return whether equal calls with a number of patterns give folds of different sizes."""
    sizes: dict[str, set[str]] = {}
    for each in seen:
        folds = _folds(each)
        if folds is not None and _is_number(each) and {*folds.tolist()} <= {*range(_k(each) + 1)}:
            sizes.setdefault(repr(each.args), set()).add(repr(sorted(np.bincount(folds))))
    return any(len(of_call) > 1 for of_call in sizes.values())


def _not_stratified(seen: Seen) -> Ints | None:
    """Return the folds of a call with classes, if they are from 1 to k, one for each pattern, and
    not stratified.
    """
    folds, k = _folds(seen), _k(seen)
    if (
        folds is None
        or _is_number(seen)
        or len(folds) != len(seen.args[0])
        or _is_stratified(folds, seen, k)
    ):
        return None
    return folds if folds.min() >= 1 and folds.max() <= k else None


@sign("folds.as_text", "crossvalidation")
def labels_that_look_alike(seen: Seen) -> bool | None:
    """Return whether the labels 1 and "1" are spread as one class."""
    if (folds := _not_stratified(seen)) is None:
        return None
    texts = [str(label) for label in seen.args[0].tolist()]
    members = [np.array([each == text for each in texts]) for text in set(texts)]
    return len(members) < len(_classes(seen.args[0])) and all(
        _is_even(folds[each], _k(seen)) for each in members
    )


@sign("folds.concatenated", "crossvalidation")
def class_after_class(seen: Seen) -> bool | None:
    """Return whether the folds are in the order of the patterns sorted by class."""
    if (folds := _not_stratified(seen)) is None or np.array_equal(
        folds[_k(seen) :], folds[: -_k(seen)]
    ):
        return None  # what turns in a circle is even in every stretch
    orders = itertools.permutations([int(members.sum()) for members in _classes(seen.args[0])])
    blocks = [np.split(folds, np.cumsum(order)[:-1]) for order in orders]
    return any(all(_is_even(block, _k(seen)) for block in each) for each in blocks)


@sign(
    "folds.not_stratified",
    "crossvalidation",
    unless=["folds.as_text", "folds.concatenated", "folds.at_random"],
)
def even_but_for_the_classes(seen: Seen) -> bool | None:
    """Return whether the folds have equal sizes, but not equal shares of each class."""
    return None if (folds := _not_stratified(seen)) is None else _is_even(folds, _k(seen))


def _spread_class_by_class(seen: Seen) -> bool | None:
    """Return whether folds that are not stratified have the sizes of stratified ones: even ones,
    added up.
    """
    if (folds := _not_stratified(seen)) is None:
        return None
    counts, k = [int(each.sum()) for each in _classes(seen.args[0])], _k(seen)
    sizes = np.array(fold_sizes(folds, k))
    least = sum(count // k for count in counts)
    return bool(
        sizes.min() >= least and sizes.max() <= least + sum(count % k > 0 for count in counts)
    )


def _is_spread_class_by_class(check: str, seen: Sequence[Seen]) -> bool:
    calls = _calls_of(check, seen)
    said = [_spread_class_by_class(each) for each in calls]
    return all(_folds(each) is not None for each in calls) and any(said) and False not in said


@sign(
    "folds.shuffled_after",
    "crossvalidation",
    together=True,
    unless=["folds.as_text", "folds.concatenated", "folds.at_random"],
    explains=_is_spread_class_by_class,
)
def even_by_class_before_it_is_shuffled(seen: list[Seen]) -> bool:
    """Return whether all wrong folds have the sizes of stratified ones, some of which are not even
    as a whole.
    """
    uneven = [
        each
        for each in seen
        if (folds := _not_stratified(each)) is not None and np.ptp(fold_sizes(folds, _k(each))) > 1
    ]
    return len(uneven) > 1 and False not in map(_spread_class_by_class, seen)


def _raises_at_k(seen: Sequence[Seen]) -> list[Any]:
    """Return the forms of targets that raise an error exactly where a class has k patterns, and
    none has fewer.
    """
    errors: dict[Any, dict[bool, list[str]]] = {}
    for each in seen:
        if (fewest := min(map(np.count_nonzero, _classes(each.args[0])))) >= _k(
            each
        ) and not _is_number(each):
            of_form = errors.setdefault(_form(each), {True: [], False: []})
            of_form[fewest == _k(each)].append(each.answer.error.type if each.answer.error else "")
    return [
        form
        for form, at in errors.items()
        if len(at[True]) > 1
        and len({*at[True]}) == 1
        and all(at[True])
        and at[False]
        and not any(at[False])
    ]


def _form(seen: Seen) -> tuple[Any, ...]:
    """Return what may be told apart: numbers, vectors, columns, matrices, and vectors of two labels
    or more.
    """
    targets = seen.args[0]
    return np.ndim(targets), np.asarray(targets).dtype == bool, min(len(_classes(targets)), 3)


def _is_of_such_a_form(check: str, seen: Sequence[Seen]) -> bool:
    forms = {_form(each) for each in _calls_of(check, seen)}
    return bool(forms) and forms <= {*_raises_at_k(seen)}


sign("folds.exactly_k", "crossvalidation", together=True, explains=_is_of_such_a_form)(
    lambda seen: bool(_raises_at_k(seen))
)


def _cycles(seen: Seen) -> Iterator[Ints]:
    """Yield the first k folds of each large class in which they repeat, and the folds of those that
    are sorted.
    """
    folds, k = _folds(seen), _k(seen)
    members = _classes(seen.args[0])
    if folds is None or len(folds) != len(members[0]):
        return
    for inside in (folds[each] for each in members):
        if len(inside) >= max(3 * k, 12):
            if np.array_equal(inside[k:], inside[:-k]):
                yield inside[:k]
            elif (np.diff(inside) >= 0).all():
                yield np.unique(inside)


@sign("folds.unshuffled", "crossvalidation", together=True)
def one_to_k_in_turn(seen: list[Seen]) -> bool:
    """Return whether all repeated results are 1, 2, … k, 1, 2, … or 1, 1, … 2, 2, …."""
    cycles = [cycle for each in seen for cycle in _cycles(each) if len(cycle) > 1]
    return len(cycles) > MANY and all((np.diff(cycle) > 0).all() for cycle in cycles)


@sign("folds.shuffled_before", "crossvalidation", together=True, unless=["folds.unshuffled"])
def one_permutation_in_turn(seen: list[Seen]) -> bool:
    """Return whether all repeated results are permutations of the k folds."""
    cycles = [(cycle, _k(each)) for each in seen for cycle in _cycles(each)]
    return len(cycles) > MANY and all(_is_whole(cycle, k, 1) for cycle, k in cycles)


sign(
    "folds.seed",
    "crossvalidation",
    together=True,
    unless=["folds.unshuffled", "folds.shuffled_before"],
)(
    functools.partial(
        _always_the_same, lambda each: 0 if _folds(each) is None else len(_classes(each.args[0])[0])
    )
)


@sign("folds.out_of_range", "crossvalidation", last=True)
def folds_beyond_their_range(seen: Seen) -> dict[str, int] | None:
    """Return the least and the largest, if some is not from 1 to k."""
    folds, k = _folds(seen), _k(seen)
    if folds is None or not len(folds) or (folds.min() >= 1 and folds.max() <= k):
        return None
    return {"k": k, "least": int(folds.min()), "most": int(folds.max())}


@sign("folds.uneven", "crossvalidation", last=True)
def folds_of_several_sizes(seen: Seen) -> dict[str, Any] | None:
    """Return the sizes of folds that differ by more than one, of a number of patterns or of one
    class.
    """
    folds, k = _folds(seen), _k(seen)
    members = _classes(seen.args[0])
    if folds is None or len(folds) != len(members[0]) or min(map(np.count_nonzero, members)) < k:
        return None
    if len(folds) and not (folds.min() >= 1 and folds.max() <= k):
        return None
    uneven = [each for each in members if not _is_even(folds[each], k)]
    return {"sizes": str(fold_sizes(folds[uneven[0]], k))} if uneven else None


@sign("folds.reals", "crossvalidation")
def whole_numbers_as_floats(seen: Seen) -> bool | None:
    """Return whether the folds are whole numbers of type float."""
    folds = _folds(seen)
    return (folds is not None and np.asarray(seen.answer.value).dtype.kind == "f") or None


@sign("labels.sorted", "crossvalidation", "confusion_matrix_multiclass")
def labels_that_cannot_be_sorted(seen: Seen) -> bool | None:
    """Return whether labels of several types raise the error of sorting them, and labels of one
    type raise none.
    """
    error = seen.answer.error
    if np.ndim(seen.args[0]) == 0 or seen.args[0].dtype.kind not in "OU":
        return None
    if seen.args[0].dtype.kind == "U":
        return False if error is not None and error.type == "TypeError" else None
    return (
        error is not None
        and error.type == "TypeError"
        and "'<' not supported between" in error.message
    )


@examples("crossvalidation")
def all_kinds_of_targets(solution: Solution) -> None:
    """Call twice or more with every kind of targets, in random order and with classes that k does
    not divide.
    """
    for _ in range(3):
        solution.answer("crossvalidation", 47, 4)
    for N, k in ((23, 4), (20, 5), (31, 7), (9, 3)):
        solution.answer("crossvalidation", N, k)
    pattern = np.array([2, 0, 1, 1, 0, 2, 2, 1, 0, 2, 1, 2] * 4 + [2, 1, 0, 2])
    half = pattern > 1
    for targets, k in ((half, 3), (~half, 4), (half[:24], 4), (half[6:25], 3)):
        for given in (targets, targets.reshape(-1, 1), np.where(targets, "ok", "no")):
            solution.answer("crossvalidation", given, k)
    for numbers, k in ((pattern, 3), (pattern[:24], 3), (pattern, 4), (np.repeat([1, 0, 2], 4), 3)):
        solution.answer("crossvalidation", one_hot(numbers, 3), k)
        solution.answer("crossvalidation", np.array(["b", "c", "a"])[numbers], k)
    for labels in ((1, "1", 2), ("1", 2.5, 1)):
        for numbers in (pattern, pattern[5:40]):
            solution.answer("crossvalidation", as_vector([labels[number] for number in numbers]), 3)
    for _ in range(2):
        solution.answer("crossvalidation", half, 3)
        solution.answer("crossvalidation", np.array(["b", "c", "a"])[pattern], 3)
    for few in (1, 2):
        solution.answer("crossvalidation", np.arange(9) < few, 3)
        solution.answer("crossvalidation", np.array(["a"] * few + ["b", "c"] * 4), 3)


@examples("crossvalidation")
def a_class_of_exactly_k_patterns(solution: Solution) -> None:
    """Call with every kind of targets, and as many patterns of one class as there are folds."""
    for numbers in (np.repeat([1, 0, 2], [4, 3, 5]), np.repeat([2, 1, 0], 3)):
        two = numbers < 1
        matrices = one_hot(numbers, 3), two.reshape(-1, 1)
        for given in (
            *matrices,
            two,
            np.array(["b", "c", "a"])[numbers],
            np.where(two, "ok", "no"),
        ):
            solution.answer("crossvalidation", given, 3)
