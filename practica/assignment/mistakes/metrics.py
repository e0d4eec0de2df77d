"""Known mistakes of `accuracy` and `confusion_matrix`: the wrong ways of their oracles, and what
they leave out.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.assignment.accepted_forms import METRICS, first_difference
from practica.assignment.measures import (
    DIGITS,
    EXCHANGED,
    RATES,
    fraction_of_hits,
    measured,
    right_metrics,
)
from practica.engine.framework import RIGHT
from practica.engine.known_mistakes import Seen, examples, imitates, sign
from practica.engine.rendering import close
from practica.engine.solution import Solution

BINARY, MANY = "confusion_matrix_binary", "confusion_matrix_multiclass"


# -- accuracy
# --------------------------------------------------------------------------------------------------


def _same_number(expected: Any, obtained: Any, _: Seen) -> bool:
    try:
        return np.size(obtained) == 1 and close(np.ravel(obtained)[0], np.ravel(expected)[0])
    except (TypeError, ValueError):
        return False


KINDS = "vector|column|matrix|single|matrices"
ACCURACY = f"""
    error_rate|{KINDS} percent|{KINDS} count|{KINDS} elements|bool|real ignores_threshold|vector
    threshold_lost strict|vector unclassified|vector|column|matrix rows_by_threshold
    column_by_maximum|of_both|everywhere columns|matrices|maximum any crossed positives float32
    recall|vector PPV|vector rounded:2|3|4 all_or_nothing|vector|matrix|matrices divides_by_elements
"""
imitates("accuracy", "accuracy", ACCURACY, alike=_same_number)(fraction_of_hits)


# -- confusion_matrix
# ------------------------------------------------------------------------------------------------


def _has_two_labels(seen: Seen) -> bool:
    outputs, targets = seen.args[:2]
    return bool(
        targets.dtype != bool
        and targets.ndim == 1
        and len({*targets.tolist(), *outputs.tolist()}) == 2
    )


def _split(value: Any) -> tuple[list[float], NDArray[Any] | None] | None:
    """Split a result into its numbers and its matrix; return None if it has another form."""
    if not isinstance(value, tuple | list) and not (
        isinstance(value, np.ndarray) and value.ndim == 1
    ):
        return None
    *first, last = [*value] or [None]
    matrix = _matrix(last)
    numbers = [_number(each) for each in ([*first, last] if matrix is None else first)]
    return (
        None
        if None in numbers or not numbers
        else ([each for each in numbers if each is not None], matrix)
    )


def _number(value: Any) -> float | None:
    if isinstance(value, np.ndarray) and value.size == 1 and value.dtype.kind in "biuf":
        value = value.item()
    try:
        return float(value) if isinstance(value, bool | int | float | np.number) else None
    except OverflowError:  # an int beyond all floats
        return None


def _matrix(value: Any) -> NDArray[Any] | None:
    if not isinstance(value, np.ndarray | list | tuple):
        return None
    try:
        matrix = np.asarray(value)
    except ValueError:  # its rows are not of the same length
        return None
    return matrix if matrix.ndim == 2 and matrix.dtype.kind in "biuf" else None


def _same_measures(expected: Any, obtained: Any, seen: Seen) -> bool:
    """Compare the numbers, and the matrices if the student returns one: of labels, in any order of
    the classes.
    """
    one, other = _split(expected), _split(obtained)
    if one is None or other is None or len(one[0]) != len(other[0]):
        return False
    swapped = [one[0][at] for at in (0, 1, 3, 2, 5, 4)] if len(one[0]) == 7 else one[0]
    if first_difference(other[0], one[0]) is not None:
        return _has_two_labels(seen) and first_difference(other[0][: len(swapped)], swapped) is None
    targets, own = seen.args[1], _split(seen.answer.value)
    free = _has_two_labels(seen) or targets.shape[1:] == (1,)
    if free or own is None or own[1] is None or one[1] is None or other[1] is None:
        return True
    if one[1].shape != other[1].shape or targets.dtype == bool:
        return close(other[1], one[1])
    return close(_in_any_order(other[1]), _in_any_order(one[1]))


def _in_any_order(matrix: NDArray[Any]) -> list[list[float]]:
    """Return the diagonal, row and column of each class, sorted so that the order of the classes
    does not matter.
    """
    return sorted(
        [matrix[each, each], *sorted(matrix[each]), *sorted(matrix[:, each])]
        for each in range(len(matrix))
    )


SUBSETS = (*RATES, "recall,PPV", "specificity,NPV", "recall,specificity", "PPV,NPV")
EITHER_ROW = f"""
    zero_is_zero|but_all zero_is_nan|four|but_F1 zero_divides|but_F1 F1_one
    fp_fn|metrics F1_formula:mean|half|specificity|product|root transposed normalized|rows
    rounded:{"|".join(map(str, DIGITS))} strict ignores_threshold F1_zero {" ".join(EXCHANGED)}
"""
TWO_CLASSES = f"""
    zero_is_zero:{"|".join(SUBSETS)}|but_negative|negative zero_is_nan:F1|but_all
    zero_divides:F1|but_all no_hits:{",".join(RATES)}|{"|".join(SUBSETS[:6])}
    other_zero:{"|".join(RATES)} reversed positives_first
"""
AVERAGES = f"""
    no_hits:{",".join(RATES)} fp_fn:arguments weighted_ignored:macro|weighted weighted_reversed
    predicted_weights weights_sum|classes F1_of_means micro|weighted mean_accuracy|weighted
    skips_empty|left_out skips_unpredicted|left_out|left_out_of_macro column_as_many
"""
REDUCED = """
    weighted_lost|labels|real two_labels_as_many separate_classes classes_of_targets
    classes_of_outputs|divided as_text real_by_threshold real_by_columns|first
"""


def measured_with_help(wrong: Set[str], outputs: Any, targets: Any, **options: Any) -> Any:
    """Compute the metrics with mistakes only in the overload of bools, since recursive calls get a
    right function.
    """
    return measured(
        wrong if targets.dtype == outputs.dtype == bool else RIGHT, outputs, targets, **options
    )


imitates(BINARY, "confusion", EITHER_ROW + TWO_CLASSES, alike=_same_measures)(measured)
imitates(MANY, "confusion", EITHER_ROW + AVERAGES + REDUCED, alike=_same_measures)(measured)
imitates(MANY, "confusion", f"{AVERAGES} transposed normalized", alike=_same_measures)(
    measured_with_help
)


@sign("confusion.values_missing", BINARY, MANY)
def fewer_than_seven(seen: Seen) -> dict[str, int] | bool | None:
    """Return whether only some of the seven metrics are returned, in their order."""
    own, right = _split(seen.answer.value), seen.right and _split(seen.right.value)
    if own is None or not right or _has_two_labels(seen):
        return None
    rest = iter(right[0])
    some = len(own[0]) < 7 and all(any(close(one, each) for each in rest) for one in own[0])
    return {"count": len(own[0])} if some else False


@sign("confusion.order", BINARY, MANY, together=True)
def another_order(seen: list[Seen]) -> bool:
    """Return whether the metrics are right but in another order, the same in all calls."""
    places = [set(range(7)) for _ in range(7)]
    for each in seen:
        own, right = _split(each.answer.value), each.right and _split(each.right.value)
        if own is None or not right or _has_two_labels(each):
            continue
        if len(own[0]) != 7:
            return False
        places = [
            kept & _where(number, right[0]) for kept, number in zip(places, own[0], strict=True)
        ]
    order = [min(kept) for kept in places if len(kept) == 1]
    return sorted(order) == list(range(7)) and order != sorted(order)


def _where(number: float, numbers: Sequence[float]) -> set[int]:
    return {place for place, each in enumerate(numbers) if close(number, each)}


COUNTS = ("TN", "FP", "FN", "TP")
SUMS = [parts for size in (1, 2, 3, 4) for parts in itertools.combinations(range(4), size)]
RIGHT_RATES = {
    0: ((0, 3), (0, 1, 2, 3)),
    1: ((1, 2), (0, 1, 2, 3)),
    2: ((3,), (2, 3)),
    3: ((0,), (0, 1)),
    4: ((3,), (1, 3)),
    5: ((0,), (0, 2)),
}


@sign("confusion.formula", BINARY, together=True, unless=["confusion.order"])
def another_ratio(seen: list[Seen]) -> dict[str, str] | bool:
    """Return the metric that is computed as another ratio of TN, FP, FN and TP, if one ratio
    explains all calls.
    """
    known = [
        (own[0], _counts(each))
        for each in seen
        if each.right and (own := _split(each.answer.value)) and len(own[0]) == 7
    ]
    wrong = {}
    for metric, (above, below) in RIGHT_RATES.items():
        told = [(numbers[metric], counts) for numbers, counts in known]
        if not all(_is_ratio(above, below, *each) for each in told):
            fits = [
                pair
                for pair in itertools.product(SUMS, SUMS)
                if all(_is_ratio(*pair, *each) for each in told)
            ]
            wrong[metric] = fits
    if not wrong or len(known) < 10 or not all(len(fits) == 1 for fits in wrong.values()):
        return False
    metric, fits = min(wrong.items())
    texts = [" + ".join(COUNTS[each] for each in parts) for parts in fits[0]]
    formula = " / ".join(f"({text})" if "+" in text else text for text in texts)
    return {"metric": METRICS[metric], "formula": formula}


def _counts(seen: Seen) -> list[int]:
    outputs, targets = (np.asarray(each) for each in seen.args[:2])
    said = outputs if outputs.dtype == bool else outputs >= seen.kwargs.get("threshold", 0.5)
    return [
        int(np.count_nonzero((said == one) & (targets == other)))
        for other in (False, True)
        for one in (False, True)
    ]


def _is_ratio(
    above: tuple[int, ...], below: tuple[int, ...], number: float, counts: list[int]
) -> bool:
    """Return whether a number is this ratio.

    None if the ratio is 0/0, or 1, which stands for it.
    """
    whole = sum(counts[each] for each in below)
    return whole == 0 or close(number, sum(counts[each] for each in above) / whole)


@sign("confusion.one_metric", BINARY, MANY, last=True, together=True)
def only_one_of_the_seven_is_another(seen: list[Seen]) -> dict[str, str] | bool:
    """Return which of the seven values is wrong, if it is the same one in all calls and the form is
    right.
    """
    wrong = _wrong_metrics(seen)
    return {"metric": METRICS[min(wrong)]} if wrong and len(wrong) == 1 else False


@sign("confusion.averages", MANY, last=True, together=True)
def only_what_is_averaged_is_another(seen: list[Seen]) -> bool:
    """Return whether accuracy and error rate are right in all calls, and with several classes other
    metrics are not.
    """
    wrong = _wrong_metrics(seen)
    return wrong is not None and len(wrong) > 0 and not wrong & {0, 1}


@sign("confusion.matrix", BINARY, MANY, last=True, together=True)
def only_the_matrix_is_another(seen: list[Seen]) -> bool:
    """Return whether the seven metrics are right in all calls, and only the matrix is wrong."""
    with_one = [each for each in seen if (own := _split(each.answer.value)) and own[1] is not None]
    return _wrong_metrics(seen) == set() and any(
        each.right and not each.agrees for each in with_one
    )


def _wrong_metrics(seen: list[Seen]) -> set[int] | None:
    """Return the metrics that are not right in some call.

    None where some result is of another form.
    """
    wrong = set[int]()
    for each in seen:
        if each.right is None or each.right.error is not None or _has_two_labels(each):
            continue
        own, right = _split(each.answer.value), _split(each.right.value)
        if own is None or right is None or len(own[0]) != 7:
            return None
        wrong |= {
            at for at, pair in enumerate(zip(own[0], right[0], strict=True)) if not close(*pair)
        }
    return wrong


@sign("confusion.positive", MANY, together=True, fails=[f"{MANY}.labels.positive"])
def a_positive_class_of_its_own(seen: list[Seen]) -> bool:
    """Return whether neither the first of two labels to appear nor the other one is always
    positive.

    Whoever takes labels for numbers is wrong with more of them too.
    """
    readings = set()
    for each in seen:
        outputs, targets = each.args[:2]
        if not _has_two_labels(each) or outputs[0] != targets[0]:
            if (
                targets.dtype.kind not in "bO"
                and {*outputs.tolist()} == {*targets.tolist()}
                and not each.agrees
            ):
                return False
            continue
        own, first = _split(each.answer.value), targets[0]
        if own is None or len(own[0]) != 7:
            return False
        fits = {
            reading
            for reading, pair in enumerate(
                [(outputs == first, targets == first), (outputs != first, targets != first)]
            )
            if close(own[0], right_metrics(*pair))
        }
        if not fits:
            return False
        readings |= fits if len(fits) == 1 else set()
    return len(readings) == 2


@sign("confusion.as_two_classes", MANY)
def elements_counted_as_patterns(seen: Seen) -> bool | None:
    """Return whether a matrix of bools has the metrics of the vector of all its elements."""
    outputs, targets = seen.args[:2]
    if (
        not outputs.dtype == targets.dtype == bool
        or targets.shape[1:] in ((), (1,))
        or not (outputs & targets).any()
    ):
        return None
    own = _split(seen.answer.value)
    return own is not None and close(own[0], right_metrics(outputs.ravel(), targets.ravel()))


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
