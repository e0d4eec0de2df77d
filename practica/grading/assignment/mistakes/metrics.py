"""Known mistakes of `accuracy` and `confusion_matrix`: the wrong ways of their oracles."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from practica.grading.assignment.accepted_forms import METRICS, as_metrics, as_number
from practica.grading.assignment.measures import (
    DIGITS,
    EXCHANGED,
    RATES,
    fraction_of_hits,
    measured,
    shape_of,
)
from practica.grading.engine.framework import CheckFailed
from practica.grading.engine.known_mistakes import (
    ANYTHING,
    Parts,
    Seen,
    examples,
    imitates,
    sign,
    whole,
)
from practica.grading.engine.solution import Solution
from practica.grading.inside.plain_data import Answer

BINARY, MANY = "confusion_matrix_binary", "confusion_matrix_multiclass"


def _kind(seen: Seen) -> Hashable:
    """Return a key that is different for each overload, and for each way to average over several
    classes.
    """
    outputs, targets = seen.args[:2]
    if targets.dtype != bool:
        return "labels", min(_labels(seen), 3)
    threshold, weighted = seen.kwargs.get("threshold", 0.5), seen.kwargs.get("weighted", True)
    return shape_of(targets), outputs.dtype == bool, threshold == 0.5, weighted


# --- accuracy -------------------------------------------------------------------------------------


def _a_number(seen: Sequence[Seen], answers: Sequence[Answer]) -> Parts:
    """Return the parts of an answer, with a value that is an array of one element read as a
    number.
    """
    parts = whole(seen, answers)
    with suppress(CheckFailed):
        parts = {**parts, "value": as_number(answers[0].value)}
    return parts


ACCURACY = f"""
    error_rate percent count elements ignores_threshold strict unclassified rows_by_threshold
    column_by_maximum|of_both columns|matrices|maximum any crossed positives among_several
    float32 recall PPV rounded:{"|".join(map(str, DIGITS))} all_or_nothing divides_by_elements
"""
imitates("accuracy", "accuracy", ACCURACY, kind=_kind, parts=_a_number)(fraction_of_hits)


# --- confusion_matrix -----------------------------------------------------------------------------


def _labels(seen: Seen) -> int:
    """Return how many different labels a call has; 0 for targets that are bools."""
    outputs, targets = seen.args[:2]
    if targets.dtype == bool:
        return 0
    return len({*outputs.tolist(), *targets.tolist()})


def _either_label(seen: Seen) -> tuple[str, ...]:
    """Return the switches that are not mistakes in a call: of two labels, either may be the
    positive one.
    """
    return ("confusion.other_label",) if _labels(seen) == 2 else ()


def _each_metric(seen: Sequence[Seen], answers: Sequence[Answer]) -> Parts:
    """Return each metric and the matrix as parts; of labels, the classes may have any order."""
    parts = dict(whole(seen, answers))
    try:
        numbers, matrix = as_metrics(parts["value"])
    except CheckFailed:
        return parts
    parts |= {"value": None, **dict(zip(METRICS, numbers, strict=True)), "matrix": ANYTHING}
    labels, is_column = _labels(seen[0]), seen[0].args[1].shape[1:] == (1,)
    if matrix is not None and labels != 2 and not is_column:
        parts["matrix"] = _in_any_order(matrix) if labels else matrix
    return parts


def _in_any_order(matrix: Any) -> Any:
    """Return the diagonal, row and column of each class, sorted so that the order of the classes
    does not matter.
    """
    if matrix.shape[0] != matrix.shape[1]:
        return matrix
    return sorted(
        [matrix[each, each], *sorted(matrix[each]), *sorted(matrix[:, each])]
        for each in range(len(matrix))
    )


EITHER_ROW = f"""
    zero_is_zero|but_negative|negative|{"|".join(RATES)} zero_is_nan zero_divides|but_F1 F1_one
    F1_zero no_hits|{"|".join(RATES)} other_zero:{"|".join(RATES)}
    fp_fn|metrics F1_formula:mean|half|specificity|product|root transposed normalized|rows
    rounded:{"|".join(map(str, DIGITS))} strict ignores_threshold reversed
    values_missing {" ".join(EXCHANGED)}
"""
AVERAGES = """
    fp_fn:arguments weighted_ignored:macro|weighted weighted_reversed predicted_weights
    weights_sum|classes F1_of_means micro mean_accuracy|weighted skips_empty|left_out
    skips_unpredicted|left_out column_as_many as_two_classes
"""
REDUCED = """
    weighted_lost two_labels_as_many separate_classes classes_of_targets classes_of_outputs as_text
    real_by_threshold real_by_columns|first labels.sorted
"""
OPTIONS: dict[str, Any] = {
    "kind": _kind,
    "parts": _each_metric,
    "free": _either_label,
}
ONLY = {"matrix": ["matrix"]}


def _refuses(seen: Seen) -> bool:
    """Return whether a call ends with an error that is allowed: a label is in no target."""
    if seen.answer.error is None or not _labels(seen):
        return False
    outputs, targets = seen.args[:2]
    return not {*outputs.tolist()} <= {*targets.tolist()}


imitates(BINARY, "confusion", EITHER_ROW + " positives_first", only=ONLY, **OPTIONS)(measured)
imitates(
    MANY,
    "confusion",
    EITHER_ROW + AVERAGES + REDUCED,
    only={**ONLY, "averages": METRICS[2:]},
    skips=_refuses,
    **OPTIONS,
)(measured)


@sign("confusion.positive", MANY, together=True, fails=[f"{MANY}.labels.positive"])
def positive(seen: list[Seen]) -> bool:
    """Return whether every single answer is right, so that calls with two labels only disagree on
    which one is positive.
    """
    return all(each.agrees for each in seen if each.right is not None)


@examples(MANY)
def labels_in_few_calls_of_the_checks(solution: Solution) -> None:
    """Call with labels that only outputs or only targets have, and with two labels in either
    order.
    """
    labels = np.array(["b", "c", "a", "d"])
    for said, real in (
        ("20110", "00110"),
        ("01213", "01221"),
        ("30112", "10122"),
        ("00110", "01122"),
    ):
        outputs, targets = ([*map(int, each)] for each in (said, real))
        solution.answer("confusion_matrix", labels[outputs], labels[targets])
    for names, bits in itertools.product(
        ("no ok", "z a", "k f", "m n"), ([1, 1, 1, 0, 0, 0, 1], [1, 0, 1, 1, 0, 0, 0])
    ):
        two = np.array(names.split())
        solution.answer(
            "confusion_matrix", two[[bits[0], *np.roll(bits, 2)]], two[[bits[0], *bits]]
        )
