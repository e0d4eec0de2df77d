"""Checks of exercise 2, `accuracy`, and of exercise 4, `confusion_matrix`, all of them against the
same oracles.

Legal in a confusion matrix: seven values, or eight with the matrix; of two labels the first one
that appears, in either vector, or always the other one, as the positive class; of several labels
any order of the classes, the matrix permuted alike.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from practica.grading.assignment.accepted_forms import (
    METRICS,
    as_metrics,
    as_number,
    first_difference,
)
from practica.grading.assignment.cases import (
    MAYBE_THRESHOLDS,
    NO_THRESHOLD,
    THRESHOLDS,
    as_vector,
    bool_pairs,
    bool_rows,
    class_pairs,
    distinct_labels,
    one_hot,
    real_outputs,
    score_matrix,
)
from practica.grading.assignment.encoding import CLASSIFY, ONE_HOT
from practica.grading.assignment.measures import fraction_of_hits, measured
from practica.grading.engine.drawing import Draw
from practica.grading.engine.framework import (
    EXAMPLES,
    RIGHT,
    CheckFailed,
    check,
    for_all,
    helped_by,
    require,
    state,
    untouched,
)
from practica.grading.engine.helper_substitution import Part, require_small
from practica.grading.engine.rendering import close
from practica.grading.engine.solution import Solution, StudentError
from practica.grading.inside.plain_data import Array

# outputs, targets, and the options that there are, or None: threshold and weighted
Case = tuple[Any, ...]
BINARY, MANY = "confusion_matrix_binary", "confusion_matrix_multiclass"


def _with_and_without_matrix(right: tuple[Any, ...]) -> list[Any]:
    return [right, right[:7]]


def _of_arrays(oracle: Callable[..., Any]) -> Callable[[list[Any], dict[str, Any]], Any]:
    def right(args: list[Any], kwargs: dict[str, Any]) -> Any:
        options = dict(zip(("outputs", "targets", "classes"), args, strict=False)) | kwargs
        outputs, targets = (np.asarray(options.pop(name)) for name in ("outputs", "targets"))
        require_small(*np.broadcast_shapes(outputs.shape, targets.shape))
        return oracle(RIGHT, outputs, targets, **options)

    return right


def _measured(
    wrong: Set[str], outputs: Array, targets: Array, classes: Any = None, **options: Any
) -> Any:
    """Return what `measured` returns; raise ValueError if the matrix, or the columns of all
    classes, would be too large.
    """
    C = math.prod(targets.shape[1:])
    if targets.dtype != bool:
        of_each = [outputs, targets, np.asarray([] if classes is None else classes)]
        C = len({*itertools.chain.from_iterable(map(np.ndarray.tolist, of_each))})
    require_small(C, C + len(targets))
    return measured(wrong, outputs, targets, classes, **options)


def _of_vectors(args: list[Any], kwargs: dict[str, Any]) -> Any:
    """Return the right metrics of a call with two bool vectors; None for all other arguments."""
    outputs, targets = map(np.asarray, args[:2])
    are_vectors = outputs.ndim == targets.ndim == 1 and outputs.dtype == targets.dtype == bool
    return CONFUSION.right(args, kwargs) if are_vectors else None


ACCURACY = Part(_of_arrays(fraction_of_hits))
CONFUSION = Part(_of_arrays(_measured), forms=_with_and_without_matrix)
helped_by("accuracy", classify_outputs=CLASSIFY)
_helpers = {"classify_outputs": CLASSIFY, "accuracy": ACCURACY, "one_hot_encoding": ONE_HOT}
helped_by(BINARY, **_helpers)
# the metrics of one class against the others are those of the other row
helped_by(MANY, **_helpers, confusion_matrix=replace(CONFUSION, right=_of_vectors))


# --- what is drawn --------------------------------------------------------------------------------

# of one column: counts of eight bits are too small for so many, and helpers still know what
# is right
ROWS = 990


def _cases(
    pairs: Callable[[Draw], Any],
    *options: Sequence[Any],
    hits: bool = False,
    many: bool = False,
    column: bool = False,
) -> Callable[[Draw], Case]:
    """Return a function that draws cases: outputs, targets, and a value of each option.

    `pairs`: draws outputs and targets.
    `options`: for each option, the values that it may have.
    `hits`: whether each class is predicted right once, so that no metric is 0/0.
    `many`: whether some cases are long.
    `column`: whether outputs and targets are columns.
    """

    def case(draw: Draw) -> Case:
        drawn = pairs(draw)
        if hits:
            drawn = _with_hits(*drawn)
        if many and draw.choice([False, False, True]):
            copies = ROWS // drawn[0][0].size - len(drawn[0])
            drawn = [np.concatenate([each, np.repeat(each[:1], copies, axis=0)]) for each in drawn]
        if column:
            drawn = [each.reshape(-1, 1) for each in drawn]
        return *drawn, *map(draw.choice, options)

    return case


def _with_hits(outputs: Array, targets: Array) -> list[Array]:
    """Return outputs and targets with one more pattern of each class, predicted right."""
    sure = np.eye(targets.shape[1], dtype=bool) if targets.ndim > 1 else np.array([True, False])
    return [np.concatenate([each, sure.astype(each.dtype)]) for each in (outputs, targets)]


def _reals(draw: Draw) -> tuple[Array, Array]:
    """Draw real-valued outputs of one class, and their targets."""
    outputs = real_outputs(draw)
    return outputs, np.array(draw.choices([False, True], k=len(outputs)))


def _scores(draw: Draw) -> tuple[Array, Array]:
    """Draw real-valued outputs of several classes, and their targets."""
    scores = score_matrix(draw)
    N, C = scores.shape
    return scores, one_hot(draw.choices(range(C), k=N), C)


def _labelled(
    pairs: Callable[[Draw], Any], *options: Sequence[Any], mixed: bool = False
) -> Callable[[Draw], Case]:
    """Return a function that draws cases with vectors of labels, each predicted right at least
    once; `pairs` and `options` are as in `_cases`.
    """

    def case(draw: Draw) -> Case:
        drawn = _with_hits(*pairs(draw))
        C = drawn[1].shape[1] if drawn[1].ndim > 1 else 2
        order = draw.shuffled(range(len(drawn[1])))
        classes = distinct_labels(draw, C, mixed=mixed)
        numbers = [each.argmax(axis=1) if each.ndim > 1 else each.astype(int) for each in drawn]
        labels = [as_vector([classes[each[i]] for i in order]) for each in numbers]
        return *labels, *map(draw.choice, options)

    return case


def _options(case: Case) -> dict[str, Any]:
    given = zip(("threshold", "weighted"), case[2:], strict=False)
    return {name: value for name, value in given if value is not None}


FEW = functools.partial(class_pairs, max_size=6)
DEFAULT, EITHER, MACRO = (None,), (None, False), (False,)


# --- accuracy -------------------------------------------------------------------------------------


def _require_accuracy(solution: Solution, case: Case) -> None:
    outputs, targets, *_ = case
    expected = fraction_of_hits(RIGHT, outputs, targets, **_options(case))
    obtained = as_number(solution.accuracy(outputs, targets, **_options(case)))
    require(close(obtained, expected), expected=expected, obtained=obtained)


for _kind, _drawn in {
    "bool.vector": _cases(bool_pairs, many=True),
    "bool.column": _cases(bool_pairs, many=True, column=True),
    "bool.matrix": _cases(bool_rows, many=True),
    "real.vector": _cases(_reals, many=True),
    "real.threshold": _cases(_reals, THRESHOLDS),
    "real.column": _cases(_reals, THRESHOLDS, column=True),
    "real.matrix": _cases(_scores, NO_THRESHOLD, many=True),
}.items():
    state(f"accuracy.{_kind}", _require_accuracy, case=_drawn)


@check("accuracy.untouched")
def accuracy_untouched(solution: Solution) -> None:
    targets = np.array([True, False, True])
    untouched(solution, "accuracy", np.array([0.25, 0.5, 0.75]), targets)
    untouched(solution, "accuracy", np.array([True, True, False]), targets)
    scores = np.array([[0.25, 0.5, 0.125], [0.5, 0.25, 0.125]])
    untouched(solution, "accuracy", scores, one_hot([0, 2], 3))


# --- confusion_matrix -----------------------------------------------------------------------------

Wanted = Sequence[int]
ALL: Wanted = range(7)
AVERAGED: Wanted = range(2, 7)
CAUSES = {  # sentences that say what was done instead, and the wrong ways that do it
    "form.exchanged": "fp_fn",
    f"{MANY}.bool.weighted": "weighted_reversed",
    f"{MANY}.bool.macro": "weighted_reversed",
}


def _require_metrics(value: Any, readings: Sequence[Sequence[float]], wanted: Wanted = ALL) -> None:
    """Require that a result has the wanted metrics of one of the expected readings.

    `wanted`: positions among the seven metrics.
    """
    obtained, _ = as_metrics(value)
    differences = [
        first_difference([obtained[i] for i in wanted], [reading[i] for i in wanted])
        for reading in readings
    ]
    if None in differences:
        return
    worst = max(position for position in differences if position is not None)
    reading, metric = readings[differences.index(worst)], wanted[worst]
    require(False, metric=METRICS[metric], expected=reading[metric], obtained=obtained[metric])


def _is_of_two_labels(targets: Array, outputs: Array) -> bool:
    return targets.dtype != bool and len({*targets.tolist(), *outputs.tolist()}) == 2


def _require_measured(solution: Solution, case: Case, wanted: Wanted = ALL) -> None:
    """Require the wanted metrics of a call of `confusion_matrix`; of two labels, either may be the
    positive one.
    """
    outputs, targets, *_ = case
    options = _options(case)
    value = solution.confusion_matrix(outputs, targets, **options)
    ways = [RIGHT, {"reversed"}] if _is_of_two_labels(targets, outputs) else [RIGHT]
    try:
        _require_metrics(
            value, [measured(way, outputs, targets, **options) for way in ways], wanted
        )
    except CheckFailed as failure:
        average = f"{MANY}.bool.{'weighted' if options.get('weighted', True) else 'macro'}"
        for cause in ("form.exchanged", average) if "metric" in failure.facts else ():
            wrong = measured({CAUSES[cause]}, outputs, targets, **options)[:7]
            if close(as_metrics(value)[0], wrong) and len(ways) == 1:
                raise CheckFailed(failure.facts, cause) from None
        raise


def _require_matrix(solution: Solution, case: Case) -> None:
    """Require the right matrix of a call of `confusion_matrix`, if it returns one; of labels, in
    any order of the classes.
    """
    outputs, targets, *_ = case
    _, matrix = as_metrics(solution.confusion_matrix(outputs, targets))
    expected = measured(RIGHT, outputs, targets)[7]
    C = range(len(expected))
    orders = map(list, itertools.permutations(C) if targets.dtype != bool else [C])
    right = matrix is None or any(
        np.array_equal(matrix, expected[np.ix_(order, order)]) for order in orders
    )
    require(right, expected=expected, obtained=matrix)


def _judge(row: str, rest: str, case: Any, wanted: Wanted = ALL, examples: int = EXAMPLES) -> None:
    """Register the check `row.rest`, which requires the wanted ones of the seven metrics."""
    state(f"{row}.{rest}", functools.partial(_require_measured, wanted=wanted), examples, case=case)


_binary, _many = functools.partial(_judge, BINARY), functools.partial(_judge, MANY)


# Two classes.

_binary("bool.values", _cases(bool_pairs, hits=True, many=True))
state(f"{BINARY}.bool.matrix", _require_matrix, case=_cases(bool_pairs, hits=True, many=True))
_binary("zero.recall", functools.partial(bool_pairs, max_size=5, real=[False]), [2], 10)
_binary("zero.specificity", functools.partial(bool_pairs, max_size=5, real=[True]), [3], 10)
_binary("zero.PPV", functools.partial(bool_pairs, max_size=5, said=[False]), [4], 10)
_binary("zero.NPV", functools.partial(bool_pairs, max_size=5, said=[True]), [5], 10)


def _counted(draw: Draw, *counts: Sequence[int]) -> Case:
    """Draw (outputs, targets): two bool vectors with given numbers of TP, FP, FN and TN.

    `counts`: the values that each number may have; the first example has the first of each.
    """
    drawn = [each[0] if draw.number == 0 else draw.choice(each) for each in counts]
    kinds = np.repeat([3, 2, 1, 0], drawn)
    return kinds > 1, kinds % 2 == 1


_binary("zero.F1", lambda draw: _counted(draw, [0], [1, 2, 3], [1, 2, 3], [0, 1, 2]), [6], 10)


@check(f"{BINARY}.zero.none_right")
@for_all(case=lambda draw: _counted(draw, [0, 1], [1, 2, 3], [0, 1, 2, 3], [0, 1]))
def binary_zero_none_right(solution: Solution, case: Case) -> None:
    divided = measured({"zero_is_nan"}, *case)
    _require_measured(
        solution, case, [each for each in range(2, 6) if divided[each] == divided[each]]
    )


_negative = functools.partial(bool_pairs, max_size=5, said=[False], real=[False])
_binary("zero.all_negative", _negative, [2, 4, 6], 3)
_binary("real.default", _cases(_reals, hits=True))
_binary("real.threshold", _cases(_reals, THRESHOLDS, hits=True))


@check(f"{BINARY}.untouched")
def binary_untouched(solution: Solution) -> None:
    targets = np.array([True, False, True, False])
    untouched(solution, "confusion_matrix", np.array([0.25, 0.5, 0.75, 0.125]), targets)
    untouched(solution, "confusion_matrix", np.array([True, True, False, False]), targets)


# Several classes.

_many("bool.accuracy", _cases(class_pairs, DEFAULT, (False, True), hits=True), [0, 1])
_many(
    "bool.weighted",
    _cases(class_pairs, DEFAULT, (None, True), hits=True, many=True),
    AVERAGED,
)
_many("bool.macro", _cases(class_pairs, DEFAULT, MACRO, hits=True), AVERAGED)
state(f"{MANY}.bool.matrix", _require_matrix, case=_cases(class_pairs, hits=True, many=True))
_many("zero.weighted", _cases(FEW), AVERAGED)


def _never_said(case: Case) -> Case:
    """Append to a case one pattern of each class, all of them predicted as the first class."""
    outputs, targets, *options = case
    C = targets.shape[1]
    return (
        np.concatenate([outputs, one_hot([0] * C, C)]),
        np.concatenate([targets, one_hot(range(C), C)]),
        *options,
    )


def _with_nobody(case: Case) -> Case:
    """Append to a case the column of a class that no output and no target has."""
    outputs, targets, *options = case
    return *(np.pad(each, ((0, 0), (0, 1))) for each in (outputs, targets)), *options


_few = _cases(FEW, DEFAULT, MACRO)
_many("zero.macro", lambda draw: _never_said(_few(draw)), AVERAGED)
_many("zero.absent", lambda draw: _with_nobody(_few(draw)), AVERAGED)
_many("column", _cases(bool_pairs, DEFAULT, EITHER, hits=True, column=True))
_many("real.column", _cases(_reals, MAYBE_THRESHOLDS, hits=True, column=True))
_many("real.weighted", _cases(_scores, NO_THRESHOLD, hits=True, many=True))
_many("real.macro", _cases(_scores, DEFAULT, MACRO, hits=True))
_many("labels.values", _labelled(FEW))
_many("labels.macro", _labelled(FEW, DEFAULT, MACRO))
_many("labels.mixed", _labelled(FEW, mixed=True))
_labels = _labelled(functools.partial(FEW, max_classes=4))
state(f"{MANY}.labels.matrix", _require_matrix, case=_labels)
_many("labels.two", _labelled(functools.partial(bool_pairs, max_size=6), DEFAULT, EITHER))


@check(f"{MANY}.labels.positive")
@for_all(1, drawn=lambda draw: [draw.choices((0, 1), k=2) for _ in range(draw.randint(5, 20))])
def multiclass_labels_positive(solution: Solution, drawn: list[list[int]]) -> None:
    failures = []
    outputs, targets = zip((0, 0), *drawn, (1, 1), strict=True)
    cases = [([*outputs], [*targets])]
    if solution.is_known:  # the first has more, or fewer
        more, fewer = ([0, 0, 1, 1, 0], [0, 1, 1, 0, 0]), ([0, 0, 1, 1, 1], [0, 1, 1, 0, 1])
        cases = [more, fewer, *cases]
    # which of the two is positive is free, but it is always the same one
    for way in (RIGHT, {"reversed"}):
        try:
            numbers = itertools.permutations((0, 1))  # ones that are not False and True
            pairs = itertools.chain(itertools.permutations(("no", "ok", "a", "z"), 2), numbers)
            for pair, case in itertools.product(pairs, cases):
                # both begin with the first one
                said, true = (np.array(pair)[each] for each in case)
                _require_metrics(solution.confusion_matrix(said, true), [measured(way, said, true)])
            return
        except CheckFailed as failure:
            failures.append(failure)
    raise failures[0]


@check(f"{MANY}.labels.missing")
def multiclass_labels_missing(solution: Solution) -> None:
    for outputs, targets in (("aabba", "aabbc"), ("bbbabb", "caabcb")):
        _require_measured(solution, (np.array([*outputs]), np.array([*targets])))


@check(f"{MANY}.labels.unknown")
def multiclass_labels_unknown(solution: Solution) -> None:
    # the last: three only in the outputs
    for pair in (("aabbd", "aabbc"), ("dbcaab", "cbcabb"), ("abcab", "abbab")):
        outputs, targets = (np.array([*each]) for each in pair)
        with suppress(StudentError):
            _require_measured(solution, (outputs, targets))
            _, matrix = as_metrics(solution.confusion_matrix(outputs, targets))
            whole = matrix is None or matrix.sum() == len(targets)
            require(whole, metric="matrix.sum()", expected=len(targets), obtained=matrix)


@check(f"{MANY}.untouched")
def multiclass_untouched(solution: Solution) -> None:
    targets = one_hot([0, 1, 2, 2], 3)
    untouched(solution, "confusion_matrix", one_hot([0, 1, 2, 1], 3), targets)
    untouched(solution, "confusion_matrix", np.eye(4, 3) + np.array([0.125, 0.25, 0.375]), targets)
    untouched(solution, "confusion_matrix", np.array(list("abca")), np.array(list("abcc")))
