"""Known mistakes of `accuracy` and `confusion_matrix`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.checks.encoding import columns_of, right_classify
from practica.checks.metrics import two_class_metrics
from practica.checks.readings import close, first_difference
from practica.checks.solution import Solution
from practica.checks.strategies import as_vector, one_hot
from practica.diagnosis.known import NoOpinion, Seen, examples, imitates, sign

BINARY, MANY = "confusion_matrix_binary", "confusion_matrix_multiclass"
THRESHOLDS: Sequence[dict[str, Any]] = ({}, {"threshold": 0.75}, {"threshold": 0.25})


# -- accuracy --------------------------------------------------------------------------------------------------------


def _same_number(expected: Any, obtained: Any, _: Seen) -> bool:
    try:
        return np.size(obtained) == 1 and close(np.ravel(obtained)[0], np.ravel(expected)[0])
    except (TypeError, ValueError):
        return False


@imitates(
    "accuracy",
    "accuracy",
    """
    elements elements:bool elements:real ignores_threshold ignores_threshold:vector threshold_lost strict strict:vector
    unclassified unclassified:vector unclassified:column unclassified:matrix rows_by_threshold column_by_maximum
    columns columns:maximum any crossed positives
    error_rate error_rate:vector error_rate:column error_rate:matrix error_rate:matrices percent count
    """,
    alike=_same_number,
)
def fraction_of_hits(wrong: Set[str], outputs: Any, targets: Any, *, threshold: float = 0.5) -> Any:
    """Return the fraction of patterns, or of rows, that agree."""
    kind = "vector" if targets.ndim == 1 else "column" if targets.shape[1] == 1 else "matrix"
    real = outputs.dtype != bool

    def has(mistake: str, *hows: str) -> bool:
        return bool({mistake, *(f"{mistake}:{how}" for how in (kind, *hows))} & wrong)

    if real and not has("unclassified"):
        if has("ignores_threshold") or (kind == "column" and "threshold_lost" in wrong):
            threshold = 0.5
        if kind == "matrix" and "columns:maximum" in wrong:
            outputs = np.arange(len(outputs)).reshape(-1, 1) == outputs.argmax(axis=0)
        elif kind == "matrix" and not has("rows_by_threshold"):
            outputs = right_classify([outputs], {})
        elif kind == "column" and has("column_by_maximum"):
            outputs = np.ones_like(targets)
        else:
            outputs = outputs > threshold if has("strict") else outputs >= threshold
    equal = outputs == targets
    if kind == "matrix" and not has("elements", "real" if real else "bool"):
        equal = equal.all(axis=0) if has("columns") else equal.any(axis=1) if has("any") else equal.all(axis=1)
    elif kind == "column" and has("crossed"):
        equal = outputs == targets.T
    if kind != "matrix" and has("positives"):
        equal = (outputs == 1) & targets
    result = float(equal.sum() if has("count") else equal.mean())
    if has("error_rate") or ("error_rate:matrices" in wrong and kind != "vector"):
        result = 1 - result
    return 100 * result if has("percent") else result


@examples("accuracy")
def outputs_of_all_kinds(solution: Solution) -> None:
    """Vectors, columns and matrices, of bools and of reals, some on the threshold and some far from it."""
    vectors = [
        ([0.5, 0.4, 0.9, 0.1, 0.75], [1, 1, 1, 0, 0]),
        ([0.25, 0.5, 0.75, 0.9, 0.6, 0.3, 0.2], [1, 0, 1, 0, 1, 0, 0]),
        ([0.7, 0.1, 0.5], [0, 0, 1]),
    ]
    for reals, bits in vectors:
        outputs, targets = np.array(reals), np.array(bits) == 1
        for shape in ((-1,), (-1, 1)):
            given = outputs.reshape(shape), targets.reshape(shape)
            solution.answer("accuracy", given[0] >= 0.5, given[1])
            for options in THRESHOLDS:
                solution.answer("accuracy", *given, **options)
    for numbers in ([0, 1, 2, 2, 1], [2, 0, 1, 1], [1, 1, 0, 2, 0, 2]):
        said = np.roll(numbers, 1)
        solution.answer(
            "accuracy", one_hot(np.where(np.arange(len(said)) % 2, said, numbers), 3), one_hot(np.array(numbers), 3)
        )
    for rows in (
        [[0.9, 0.2, 0.1], [0.1, 0.7, 0.3], [0.3, 0.4, 0.2], [0.0, 0.1, 0.8]],
        [[0.9, 0.6, 0.1], [0.2, 0.4, 0.3], [0.1, 0.8, 0.7], [0.6, 0.2, 0.9]],
        [[-0.5, 0.1, 0.3], [0.75, 0.5, 1.5]],
    ):
        for numbers in ([0, 1, 2, 2], [1, 2, 1, 0]):
            solution.answer("accuracy", np.array(rows), one_hot(np.array(numbers[: len(rows)]), 3))


# -- confusion_matrix ------------------------------------------------------------------------------------------------


def _has_two_labels(seen: Seen) -> bool:
    outputs, targets = seen.args[:2]
    return bool(targets.dtype != bool and targets.ndim == 1 and len({*targets.tolist(), *outputs.tolist()}) == 2)


def _split(value: Any) -> tuple[list[float], NDArray[Any] | None] | None:
    """Return the numbers of a result, and its matrix; None if it is of another form."""
    if not isinstance(value, tuple | list) and not (isinstance(value, np.ndarray) and value.ndim == 1):
        return None
    *first, last = [*value] or [None]
    matrix = _matrix(last)
    numbers = [_number(each) for each in ([*first, last] if matrix is None else first)]
    return None if None in numbers or not numbers else ([each for each in numbers if each is not None], matrix)


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
    """Compare the numbers, and the matrices if the student returns one: of labels, in any order of the classes."""
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
    return close(_in_order(other[1]), _in_order(one[1]))


def _in_order(matrix: NDArray[Any]) -> NDArray[Any]:
    """Order the classes by their row and column, whatever order they had."""
    order = sorted(
        range(len(matrix)), key=lambda each: (matrix[each, each], sorted(matrix[each]), sorted(matrix[:, each]))
    )
    return matrix[np.ix_(order, order)]


DIGITS = (2, 3, 4)
NOTHING = {"zero_is_zero": 0.0, "zero_is_nan": float("nan"), "zero_divides": None}


def _of_nothing(wrong: Set[str], metric: str, all_negative: bool, all_positive: bool) -> float:
    """Return what 0/0 is."""
    for switch in wrong:
        mistake, _, how = switch.partition(":")
        if mistake not in NOTHING or (metric == "F1" and mistake == "zero_is_zero"):
            continue
        applies = {
            "": True,
            "but_F1": metric != "F1",
            "four": metric != "F1",
            "but_all": metric != "F1" and not all_negative and not all_positive,
            "but_negative": metric != "F1" and not all_negative,
            "negative": metric != "F1" and all_negative,
        }
        if applies.get(how, metric in how.split(",")):
            if (value := NOTHING[mistake]) is None:
                raise ZeroDivisionError("division by zero")
            return value
    return 0.0 if metric == "F1" else 1.0


def _of_two(wrong: Set[str], outputs: Any, targets: Any) -> tuple[list[float], Any]:
    """Return the metrics from the third on, and the matrix."""
    if "reversed" in wrong:
        outputs, targets = ~outputs, ~targets
    N, TP = len(targets), int(np.count_nonzero(outputs & targets))
    FP, FN = int(np.count_nonzero(outputs)) - TP, int(np.count_nonzero(targets)) - TP
    TN = N - TP - FP - FN
    matrix = np.array([[TN, FP], [FN, TP]])
    if wrong & {"fp_fn", "fp_fn:metrics"}:
        FP, FN = FN, FP
        matrix = matrix if "fp_fn:metrics" in wrong else matrix.T
    wholes = {"recall": (TP, FN), "specificity": (TN, FP), "PPV": (TP, FP), "NPV": (TN, FN)}
    lone = {how for switch in wrong if switch.startswith("no_hits:") for how in switch.partition(":")[2].split(",")}
    rates = {}
    for metric, (right, missed) in wholes.items():
        if not right + missed:
            rates[metric] = _of_nothing(wrong, metric, TN == N, TP == N)
        else:
            rates[metric] = 1.0 if metric in lone and not right else right / (right + missed)
    for metric, other in (("recall", "PPV"), ("PPV", "recall"), ("specificity", "NPV"), ("NPV", "specificity")):
        if f"other_zero:{metric}" in wrong and not sum(wholes[other]):
            rates[metric] = 1.0
    F1 = _harmonic(wrong, rates["recall"], rates["PPV"], rates["specificity"], TN == N, TP == N)
    return [*rates.values(), F1], matrix


def _harmonic(wrong: Set[str], recall: float, PPV: float, specificity: float, *trivial: bool) -> float:
    if "F1_formula:mean" in wrong:
        return (recall + PPV) / 2
    PPV = specificity if "F1_formula:specificity" in wrong else PPV
    if "zero_is_nan:but_F1" in wrong and not recall + PPV > 0:
        return 0.0
    if recall + PPV == 0:
        return 1.0 if "F1_one" in wrong else _of_nothing(wrong, "F1", *trivial)
    F1 = 2 * recall * PPV / (recall + PPV)
    return F1 / 2 if "F1_formula:half" in wrong else F1


def _of_many(wrong: Set[str], outputs: Any, targets: Any, weighted: bool) -> tuple[list[float], Any]:
    """Return the seven metrics and the matrix."""
    C, patterns = targets.shape[1], targets.sum(axis=0)
    per_class = np.array([_of_two(wrong, outputs[:, each], targets[:, each])[0] for each in range(C)])
    if wrong & {"weighted_ignored:macro", "weighted_ignored:weighted"}:
        weighted = "weighted_ignored:weighted" in wrong
    weighted = weighted != ("weighted_reversed" in wrong)
    counts = outputs.sum(axis=0) if "predicted_weights" in wrong else patterns
    weights = counts / len(targets) if weighted else np.full(C, 1 / C)
    if "classes_of_outputs:divided" in wrong and weighted:
        weights = weights / weights.sum()
    if weighted and wrong & {"weights_sum", "weights_sum:classes"}:
        weights = weights / C if "weights_sum:classes" in wrong else counts
    for mistake, present in (("skips_empty", patterns > 0), ("skips_unpredicted", outputs.any(axis=0))):
        if wrong & {mistake, f"{mistake}:left_out", f"{mistake}:left_out_of_macro"}:
            weights = np.where(present, weights, 0)
            per_class = np.where(present.reshape(-1, 1), per_class, 0)
            if f"{mistake}:left_out" in wrong or (mistake not in wrong and not weighted):
                weights = weights / weights.sum()
    means = (weights @ per_class).tolist()
    if "F1_of_means" in wrong:
        means[4] = 2 * means[0] * means[2] / (means[0] + means[2]) if means[0] + means[2] else 0.0
    if "micro" in wrong or ("micro:weighted" in wrong and weighted):
        means = _of_two(wrong, outputs.ravel(), targets.ravel())[0]
    hits = outputs == targets
    accuracy = float(hits.mean() if "mean_accuracy" in wrong else hits.all(axis=1).mean())
    if "mean_accuracy:weighted" in wrong:
        accuracy = float(hits.mean(axis=0) @ weights)
    return [accuracy, 1 - accuracy, *means], targets.T.astype(int) @ outputs.astype(int)


def _classified(wrong: Set[str], outputs: Any, threshold: float) -> Any:
    if outputs.ndim == 1 or outputs.shape[1] == 1 or "real_by_threshold" in wrong:
        threshold = 0.5 if "ignores_threshold" in wrong else threshold
        return outputs > threshold if "strict" in wrong else outputs >= threshold
    if "real_by_columns:first" in wrong:
        return np.arange(len(outputs)).reshape(-1, 1) == outputs.argmax(axis=0)
    if "real_by_columns" in wrong:
        return outputs == outputs.max(axis=0)
    return right_classify([outputs], {})


def _encoded(wrong: Set[str], outputs: Any, targets: Any) -> tuple[Any, Any]:
    """Encode two vectors of labels: one column for two classes, of the first one of the targets."""
    if "as_text" in wrong:
        outputs, targets = (np.array([str(label) for label in labels.tolist()]) for labels in (outputs, targets))
    said, real = (list(dict.fromkeys(labels.tolist())) for labels in (outputs, targets))
    of_outputs = wrong & {"classes_of_outputs", "classes_of_outputs:divided"}
    classes = said if of_outputs else real if "classes_of_targets" in wrong else list(dict.fromkeys([*real, *said]))
    if "separate_classes" in wrong:
        pair = columns_of(outputs, said), columns_of(targets, real)
    else:
        pair = columns_of(outputs, classes), columns_of(targets, classes)
    if "two_labels_as_many" not in wrong:
        pair = tuple(columns[:, :1] if columns.shape[1] == 2 else columns for columns in pair)  # type: ignore[assignment]
    if pair[0].shape != pair[1].shape:
        raise NoOpinion  # numpy may refuse them, or repeat one of them
    return pair


def measured(wrong: Set[str], outputs: Any, targets: Any, *, threshold: float = 0.5, weighted: bool = True) -> Any:
    """Return the seven metrics and the matrix, for any of the overloads."""
    kind = "labels" if targets.dtype != bool else "bool" if outputs.dtype == bool else "real"
    if kind == "labels":
        outputs, targets = _encoded(wrong, outputs, targets)
    elif kind == "real":
        outputs = _classified(wrong, outputs, threshold)
    weighted = weighted or bool(wrong & {"weighted_lost", f"weighted_lost:{kind}"} and kind != "bool")
    if targets.ndim == 2 and (targets.shape[1] > 1 or "column_as_many" in wrong):
        numbers, matrix = _of_many(wrong, outputs, targets, weighted)
        matrix = _drawn(wrong, matrix)
    else:
        outputs, targets = outputs.ravel(), targets.ravel()
        metrics, matrix = _of_two(wrong, outputs, targets)
        accuracy = float((outputs == targets).mean())
        numbers = [accuracy, 1 - accuracy, *metrics]
        matrix = matrix[::-1, ::-1] if "positives_first" in wrong else _drawn(wrong, matrix)
    for digits in DIGITS:
        if f"rounded:{digits}" in wrong:
            numbers = [round(number, digits) for number in numbers]
    return *numbers, matrix


def _drawn(wrong: Set[str], matrix: Any) -> Any:
    if "transposed" in wrong:
        return matrix.T
    with np.errstate(all="ignore"):
        if "normalized" in wrong:
            return matrix / matrix.sum()
        return matrix / matrix.sum(axis=1, keepdims=True) if "normalized:rows" in wrong else matrix


RATES = ("recall", "specificity", "PPV", "NPV")
SUBSETS = (*RATES, "recall,PPV", "specificity,NPV", "recall,specificity", "PPV,NPV")


def _ways(mistake: str, hows: Iterable[object]) -> str:
    return " ".join(f"{mistake}:{how}" for how in hows)


EITHER_ROW = f"""
    zero_is_zero zero_is_zero:but_all zero_is_nan zero_is_nan:four zero_is_nan:but_F1 zero_divides zero_divides:but_F1
    F1_one fp_fn fp_fn:metrics F1_formula:mean F1_formula:half F1_formula:specificity
    transposed normalized normalized:rows {_ways("rounded", DIGITS)} strict
    ignores_threshold
"""
TWO_CLASSES = f"""
    {_ways("zero_is_zero", (*SUBSETS, "but_negative", "negative"))} zero_is_nan:F1 zero_is_nan:but_all
    zero_divides:F1 zero_divides:but_all {_ways("no_hits", [",".join(RATES), *SUBSETS[:6]])}
    {_ways("other_zero", RATES)} reversed positives_first
"""
AVERAGES = """
    weighted_ignored:macro weighted_ignored:weighted weighted_reversed predicted_weights weights_sum weights_sum:classes
    F1_of_means micro micro:weighted mean_accuracy mean_accuracy:weighted skips_empty skips_empty:left_out
    skips_unpredicted skips_unpredicted:left_out skips_unpredicted:left_out_of_macro column_as_many
"""
REDUCED = """
    weighted_lost weighted_lost:labels weighted_lost:real two_labels_as_many separate_classes classes_of_targets
    classes_of_outputs classes_of_outputs:divided as_text real_by_threshold real_by_columns real_by_columns:first
"""


def measured_with_help(wrong: Set[str], outputs: Any, targets: Any, **options: Any) -> Any:
    """Leave reals and labels to a right function, as one that calls itself for them is given one."""
    return measured(wrong if targets.dtype == outputs.dtype == bool else set(), outputs, targets, **options)


imitates(BINARY, "confusion", EITHER_ROW + TWO_CLASSES, alike=_same_measures)(measured)
imitates(MANY, "confusion", EITHER_ROW + AVERAGES + REDUCED, alike=_same_measures)(measured)
imitates(MANY, "confusion", f"{AVERAGES} transposed normalized", alike=_same_measures)(measured_with_help)


@sign("confusion.values_missing", BINARY, MANY)
def fewer_than_seven(seen: Seen) -> dict[str, int] | bool | None:
    """Tell whether only some of the seven are there, in their order."""
    own, right = _split(seen.answer.value), seen.right and _split(seen.right.value)
    if own is None or not right or _has_two_labels(seen):
        return None
    rest = iter(right[0])
    some = len(own[0]) < 7 and all(any(close(one, each) for each in rest) for one in own[0])
    return {"count": len(own[0])} if some else False


@sign("confusion.order", BINARY, MANY, together=True)
def another_order(seen: list[Seen]) -> bool:
    """Tell whether they are those of right code, in an order that is the same in all calls."""
    places = [set(range(7)) for _ in range(7)]
    for each in seen:
        own, right = _split(each.answer.value), each.right and _split(each.right.value)
        if own is None or not right or _has_two_labels(each):
            continue
        if len(own[0]) != 7:
            return False
        places = [kept & _where(number, right[0]) for kept, number in zip(places, own[0], strict=True)]
    order = [min(kept) for kept in places if len(kept) == 1]
    return sorted(order) == list(range(7)) and order != sorted(order)


def _where(number: float, numbers: Sequence[float]) -> set[int]:
    return {place for place, each in enumerate(numbers) if close(number, each)}


@sign("confusion.positive", MANY, together=True, fails=[f"{MANY}.labels.positive"])
def a_positive_class_of_its_own(seen: list[Seen]) -> bool:
    """Tell whether, of two labels, neither always the first that appears is positive, nor always the other.

    Whoever takes labels for numbers is wrong with more of them too.
    """
    readings = set()
    for each in seen:
        outputs, targets = each.args[:2]
        if not _has_two_labels(each) or outputs[0] != targets[0]:
            if targets.dtype.kind not in "bO" and {*outputs.tolist()} == {*targets.tolist()} and not each.agrees:
                return False
            continue
        own, first = _split(each.answer.value), targets[0]
        if own is None or len(own[0]) != 7:
            return False
        fits = {
            reading
            for reading, pair in enumerate([(outputs == first, targets == first), (outputs != first, targets != first)])
            if close(own[0], two_class_metrics(*pair))
        }
        if not fits:
            return False
        readings |= fits if len(fits) == 1 else set()
    return len(readings) == 2


@sign("confusion.as_two_classes", MANY)
def elements_counted_as_patterns(seen: Seen) -> bool | None:
    """Tell whether a matrix of bools has the metrics of a vector that holds all its elements."""
    outputs, targets = seen.args[:2]
    if not outputs.dtype == targets.dtype == bool or targets.shape[1:] in ((), (1,)) or not (outputs & targets).any():
        return None
    own = _split(seen.answer.value)
    return own is not None and close(own[0], two_class_metrics(outputs.ravel(), targets.ravel()))


COUNTS = """
    2413 3125 5241 1532 4302 3220 0312 2031 0231 1014 0021 0013
    0320 0403 3020 4001 0130 0201 1030 2003 0400 0200 3000 5000 0030 0020 0002 0004
"""  # patterns of each kind, a digit each


@examples(BINARY)
def vectors_that_tell(solution: Solution) -> None:
    """With hits and misses of all kinds, and without some of them."""
    kinds = [(True, True), (False, False), (True, False), (False, True)]  # TP, TN, FP, FN
    for counts in COUNTS.split():
        pairs = [pair for pair, count in zip(kinds, counts, strict=True) for _ in range(int(count))]
        outputs, targets = (np.array(each) for each in zip(*pairs, strict=True))
        solution.answer("confusion_matrix", outputs, targets)
    reals = np.array([0.5, 0.4, 0.9, 0.1, 0.75, 0.25, 0.6])
    for bits in ([1, 1, 1, 0, 0, 0, 1], [0, 1, 1, 0, 1, 1, 0], [1, 0, 1, 1, 0, 0, 0]):
        for options in THRESHOLDS:
            solution.answer("confusion_matrix", reals, np.array(bits) == 1, **options)


@examples(MANY)
def classes_that_tell(solution: Solution) -> None:
    """Classes of several sizes, some without patterns or never said, as bools, reals and labels."""
    whole = [
        ([0, 0, 0, 1, 1, 2, 2, 0, 1, 0], [0, 0, 0, 0, 1, 1, 2, 2, 0, 0]),
        ([2, 1, 0, 2, 2, 1, 0, 2], [2, 1, 0, 1, 0, 1, 2, 2]),
        ([0, 1, 2, 1, 1, 0], [0, 1, 2, 2, 2, 2]),
        ([0, 1, 2, 1, 1], [1, 0, 2, 1, 1]),
    ]
    never_said = [([0, 0, 1, 1, 0], [0, 1, 1, 2, 2]), ([1, 1, 1, 2], [0, 1, 2, 2]), ([1, 1, 0, 0, 1], [1, 0, 0, 2, 1])]
    for outputs, targets in (*whole, *never_said):
        said, real = np.array(outputs), np.array(targets)
        scores = one_hot(said, 3) * 0.3 + np.arange(3 * len(said)).reshape(-1, 3) % 7 / 100
        labels = np.array(["b", "c", "a"])
        for options in ({}, {"weighted": False}):
            solution.answer("confusion_matrix", one_hot(said, 3), one_hot(real, 3), **options)
            solution.answer("confusion_matrix", one_hot(said, 4), one_hot(real, 4), **options)
            if (outputs, targets) in whole:
                solution.answer("confusion_matrix", scores, one_hot(real, 3), **options)
                solution.answer("confusion_matrix", labels[said], labels[real], **options)
    for outputs, targets in (*never_said, ([2, 0, 1, 1, 0], [0, 0, 1, 1, 0]), ([0, 1, 2, 1, 3], [0, 1, 2, 2, 1])):
        labels = np.array(["b", "c", "a", "d"])
        solution.answer("confusion_matrix", labels[outputs], labels[targets])
    for classes in ((1, "1", 2), ("1", 2.5, 1), (7, 2, 4)):
        for outputs, targets in whole[1:]:
            solution.answer(
                "confusion_matrix", *(as_vector([classes[each] for each in one]) for one in (outputs, targets))
            )
    column = np.array([0.5, 0.4, 0.9, 0.1, 0.75, 0.25, 0.6, 0.5]).reshape(-1, 1)
    for bits in ([1, 1, 1, 0, 0, 0, 1, 0], [1, 0, 1, 1, 0, 0, 0, 1]):
        targets = np.array(bits).reshape(-1, 1) == 1
        for options in THRESHOLDS:
            solution.answer("confusion_matrix", column, targets, **options)
        solution.answer("confusion_matrix", column > 0.45, targets)
        for pair in ("no", "ok"), ("z", "a"), ("k", "f"), ("m", "n"):
            labels = np.array(pair)
            solution.answer("confusion_matrix", labels[[bits[0], *np.roll(bits, 2)]], labels[[bits[0], *bits]])
