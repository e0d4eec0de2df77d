"""Known mistakes of `accuracy` and `confusion_matrix`."""

from __future__ import annotations

from collections.abc import Sequence, Set
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
    "accuracy.elements",
    "accuracy.elements:bool",
    "accuracy.elements:real",
    "accuracy.ignores_threshold",
    "accuracy.ignores_threshold:vector",
    "accuracy.threshold_lost",
    "accuracy.strict",
    "accuracy.strict:vector",
    "accuracy.unclassified",
    "accuracy.unclassified:vector",
    "accuracy.unclassified:column",
    "accuracy.unclassified:matrix",
    "accuracy.rows_by_threshold",
    "accuracy.column_by_maximum",
    "accuracy.columns",
    "accuracy.columns:maximum",
    "accuracy.any",
    "accuracy.crossed",
    "accuracy.positives",
    "accuracy.error_rate",
    "accuracy.error_rate:vector",
    "accuracy.error_rate:column",
    "accuracy.error_rate:matrix",
    "accuracy.error_rate:matrices",
    "accuracy.percent",
    "accuracy.count",
    alike=_same_number,
)
def hits(wrong: Set[str], outputs: Any, targets: Any, *, threshold: float = 0.5) -> Any:
    """Return the fraction of patterns, or of rows, that agree."""
    kind = "vector" if targets.ndim == 1 else "column" if targets.shape[1] == 1 else "matrix"
    real = outputs.dtype != bool

    def has(mistake: str, *hows: str) -> bool:
        return bool({mistake, *(f"{mistake}:{how}" for how in (kind, *hows))} & wrong)

    if real and not has("accuracy.unclassified"):
        if has("accuracy.ignores_threshold") or (kind == "column" and "accuracy.threshold_lost" in wrong):
            threshold = 0.5
        if kind == "matrix" and "accuracy.columns:maximum" in wrong:
            outputs = np.arange(len(outputs)).reshape(-1, 1) == outputs.argmax(axis=0)
        elif kind == "matrix" and not has("accuracy.rows_by_threshold"):
            outputs = right_classify([outputs], {})
        elif kind == "column" and has("accuracy.column_by_maximum"):
            outputs = np.ones_like(targets)
        else:
            outputs = outputs > threshold if has("accuracy.strict") else outputs >= threshold
    equal = outputs == targets
    if kind == "matrix" and not has("accuracy.elements", "real" if real else "bool"):
        equal = (
            equal.all(axis=0)
            if has("accuracy.columns")
            else equal.any(axis=1)
            if has("accuracy.any")
            else equal.all(axis=1)
        )
    elif kind == "column" and has("accuracy.crossed"):
        equal = outputs == targets.T
    if kind != "matrix" and has("accuracy.positives"):
        equal = (outputs == 1) & targets
    result = float(equal.sum() if has("accuracy.count") else equal.mean())
    if has("accuracy.error_rate") or ("accuracy.error_rate:matrices" in wrong and kind != "vector"):
        result = 1 - result
    return 100 * result if has("accuracy.percent") else result


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


SUBSETS = (
    "recall,specificity,PPV,NPV",
    *("recall", "specificity", "PPV", "NPV"),
    *("recall,PPV", "specificity,NPV", "recall,specificity", "PPV,NPV"),
)
NOTHING = {"confusion.zero_is_zero": 0.0, "confusion.zero_is_nan": float("nan"), "confusion.zero_divides": None}


def _of_nothing(wrong: Set[str], metric: str, all_negative: bool, all_positive: bool) -> float:
    """Return what 0/0 is."""
    for switch in wrong:
        mistake, _, how = switch.partition(":")
        if mistake not in NOTHING or (metric == "F1" and mistake == "confusion.zero_is_zero"):
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
    if "confusion.reversed" in wrong:
        outputs, targets = ~outputs, ~targets
    N, TP = len(targets), int(np.count_nonzero(outputs & targets))
    FP, FN = int(np.count_nonzero(outputs)) - TP, int(np.count_nonzero(targets)) - TP
    TN = N - TP - FP - FN
    matrix = np.array([[TN, FP], [FN, TP]])
    if wrong & {"confusion.fp_fn", "confusion.fp_fn:metrics"}:
        FP, FN = FN, FP
        matrix = matrix if "confusion.fp_fn:metrics" in wrong else matrix.T
    wholes = {"recall": (TP, FN), "specificity": (TN, FP), "PPV": (TP, FP), "NPV": (TN, FN)}
    lone = {how for switch in wrong if switch.startswith("confusion.no_hits:") for how in switch[18:].split(",")}
    rates = {}
    for metric, (right, missed) in wholes.items():
        if not right + missed:
            rates[metric] = _of_nothing(wrong, metric, TN == N, TP == N)
        else:
            rates[metric] = 1.0 if metric in lone and not right else right / (right + missed)
    for metric, other in (("recall", "PPV"), ("PPV", "recall"), ("specificity", "NPV"), ("NPV", "specificity")):
        if f"confusion.other_zero:{metric}" in wrong and not sum(wholes[other]):
            rates[metric] = 1.0
    F1 = _harmonic(wrong, rates["recall"], rates["PPV"], rates["specificity"], TN == N, TP == N)
    return [*rates.values(), F1], matrix


def _harmonic(wrong: Set[str], recall: float, PPV: float, specificity: float, *trivial: bool) -> float:
    if "confusion.F1_formula:mean" in wrong:
        return (recall + PPV) / 2
    PPV = specificity if "confusion.F1_formula:specificity" in wrong else PPV
    if "confusion.zero_is_nan:but_F1" in wrong and not recall + PPV > 0:
        return 0.0
    if recall + PPV == 0:
        return 1.0 if "confusion.F1_one" in wrong else _of_nothing(wrong, "F1", *trivial)
    F1 = 2 * recall * PPV / (recall + PPV)
    return F1 / 2 if "confusion.F1_formula:half" in wrong else F1


def _of_many(wrong: Set[str], outputs: Any, targets: Any, weighted: bool) -> tuple[list[float], Any]:
    """Return the seven metrics and the matrix."""
    C, patterns = targets.shape[1], targets.sum(axis=0)
    per_class = np.array([_of_two(wrong, outputs[:, each], targets[:, each])[0] for each in range(C)])
    if wrong & {"confusion.weighted_ignored:macro", "confusion.weighted_ignored:weighted"}:
        weighted = "confusion.weighted_ignored:weighted" in wrong
    weighted = weighted != ("confusion.weighted_reversed" in wrong)
    counts = outputs.sum(axis=0) if "confusion.predicted_weights" in wrong else patterns
    weights = counts / len(targets) if weighted else np.full(C, 1 / C)
    if "confusion.classes_of_outputs:divided" in wrong and weighted:
        weights = weights / weights.sum()
    if weighted and wrong & {"confusion.weights_sum", "confusion.weights_sum:classes"}:
        weights = weights / C if "confusion.weights_sum:classes" in wrong else counts
    for mistake, present in (
        ("confusion.skips_empty", patterns > 0),
        ("confusion.skips_unpredicted", outputs.any(axis=0)),
    ):
        skipped = {mistake, f"{mistake}:left_out", f"{mistake}:left_out_of_macro"} & wrong
        if skipped:
            weights = np.where(present, weights, 0)
            per_class = np.where(present.reshape(-1, 1), per_class, 0)
            if f"{mistake}:left_out" in wrong or (mistake not in wrong and not weighted):
                weights = weights / weights.sum()
    means = (weights @ per_class).tolist()
    if "confusion.F1_of_means" in wrong:
        means[4] = 2 * means[0] * means[2] / (means[0] + means[2]) if means[0] + means[2] else 0.0
    if "confusion.micro" in wrong or ("confusion.micro:weighted" in wrong and weighted):
        means = _of_two(wrong, outputs.ravel(), targets.ravel())[0]
    accuracy = float((outputs == targets).all(axis=1).mean())
    if "confusion.mean_accuracy" in wrong:
        accuracy = float((outputs == targets).mean())
    if "confusion.mean_accuracy:weighted" in wrong:
        accuracy = float((outputs == targets).mean(axis=0) @ weights)
    return [accuracy, 1 - accuracy, *means], targets.T.astype(int) @ outputs.astype(int)


def _classified(wrong: Set[str], outputs: Any, threshold: float) -> Any:
    if outputs.ndim == 1 or outputs.shape[1] == 1 or "confusion.real_by_threshold" in wrong:
        threshold = 0.5 if "confusion.ignores_threshold" in wrong else threshold
        return outputs > threshold if "confusion.strict" in wrong else outputs >= threshold
    if "confusion.real_by_columns:first" in wrong:
        return np.arange(len(outputs)).reshape(-1, 1) == outputs.argmax(axis=0)
    if "confusion.real_by_columns" in wrong:
        return outputs == outputs.max(axis=0)
    return right_classify([outputs], {})


def _encoded(wrong: Set[str], outputs: Any, targets: Any) -> tuple[Any, Any]:
    """Encode two vectors of labels: one column for two classes, of the first one of the targets."""
    if "confusion.as_text" in wrong:
        outputs, targets = (np.array([str(label) for label in labels.tolist()]) for labels in (outputs, targets))
    said, real = (list(dict.fromkeys(labels.tolist())) for labels in (outputs, targets))
    of_outputs = wrong & {"confusion.classes_of_outputs", "confusion.classes_of_outputs:divided"}
    classes = (
        said if of_outputs else real if "confusion.classes_of_targets" in wrong else list(dict.fromkeys([*real, *said]))
    )
    if "confusion.separate_classes" in wrong:
        pair = columns_of(outputs, said), columns_of(targets, real)
    else:
        pair = columns_of(outputs, classes), columns_of(targets, classes)
    if "confusion.two_labels_as_many" not in wrong:
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
    weighted = weighted or bool(
        wrong & {"confusion.weighted_lost", f"confusion.weighted_lost:{kind}"} and kind != "bool"
    )
    if targets.ndim == 2 and (targets.shape[1] > 1 or "confusion.column_as_many" in wrong):
        numbers, matrix = _of_many(wrong, outputs, targets, weighted)
        matrix = _drawn(wrong, matrix)
    else:
        outputs, targets = outputs.ravel(), targets.ravel()
        metrics, matrix = _of_two(wrong, outputs, targets)
        accuracy = float((outputs == targets).mean())
        numbers = [accuracy, 1 - accuracy, *metrics]
        matrix = matrix[::-1, ::-1] if "confusion.positives_first" in wrong else _drawn(wrong, matrix)
    for digits in (2, 3, 4):
        if f"confusion.rounded:{digits}" in wrong:
            numbers = [round(number, digits) for number in numbers]
    return *numbers, matrix


def _drawn(wrong: Set[str], matrix: Any) -> Any:
    if "confusion.transposed" in wrong:
        return matrix.T
    with np.errstate(all="ignore"):
        if "confusion.normalized" in wrong:
            return matrix / matrix.sum()
        return matrix / matrix.sum(axis=1, keepdims=True) if "confusion.normalized:rows" in wrong else matrix


ZEROS = (
    "confusion.zero_is_zero",
    "confusion.zero_is_zero:but_all",
    "confusion.zero_is_nan",
    "confusion.zero_is_nan:four",
    "confusion.zero_is_nan:but_F1",
    "confusion.zero_divides",
    "confusion.zero_divides:but_F1",
)
EITHER_ROW = (
    *ZEROS,
    "confusion.F1_one",
    "confusion.fp_fn",
    "confusion.fp_fn:metrics",
    *(f"confusion.F1_formula:{how}" for how in ("mean", "half", "specificity")),
    "confusion.transposed",
    "confusion.normalized",
    "confusion.normalized:rows",
    *(f"confusion.rounded:{digits}" for digits in (2, 3, 4)),
    "confusion.strict",
)
TWO_CLASSES = (
    *(f"confusion.zero_is_zero:{how}" for how in (*SUBSETS[1:], "but_negative", "negative")),
    *(f"confusion.zero_is_nan:{how}" for how in ("F1", "but_all")),
    *(f"confusion.zero_divides:{how}" for how in ("F1", "but_all")),
    *(f"confusion.no_hits:{how}" for how in SUBSETS[:7]),
    *(f"confusion.other_zero:{how}" for how in ("recall", "specificity", "PPV", "NPV")),
    "confusion.reversed",
    "confusion.positives_first",
    "confusion.ignores_threshold",
)
AVERAGES = (
    "confusion.weighted_ignored:macro",
    "confusion.weighted_ignored:weighted",
    "confusion.weighted_reversed",
    "confusion.predicted_weights",
    "confusion.weights_sum",
    "confusion.weights_sum:classes",
    "confusion.F1_of_means",
    "confusion.micro",
    "confusion.micro:weighted",
    "confusion.mean_accuracy",
    "confusion.mean_accuracy:weighted",
    "confusion.skips_empty",
    "confusion.skips_empty:left_out",
    "confusion.skips_unpredicted",
    "confusion.skips_unpredicted:left_out",
    "confusion.skips_unpredicted:left_out_of_macro",
    "confusion.column_as_many",
)
REDUCED = (
    "confusion.weighted_lost",
    "confusion.weighted_lost:labels",
    "confusion.weighted_lost:real",
    "confusion.two_labels_as_many",
    "confusion.separate_classes",
    "confusion.classes_of_targets",
    "confusion.classes_of_outputs",
    "confusion.classes_of_outputs:divided",
    "confusion.as_text",
    "confusion.real_by_threshold",
    "confusion.real_by_columns",
    "confusion.real_by_columns:first",
)


def measured_with_help(wrong: Set[str], outputs: Any, targets: Any, **options: Any) -> Any:
    """Leave reals and labels to a right function, as one that calls itself for them is given one."""
    return measured(wrong if targets.dtype == outputs.dtype == bool else set(), outputs, targets, **options)


imitates(BINARY, *EITHER_ROW, *TWO_CLASSES, alike=_same_measures)(measured)
imitates(MANY, *EITHER_ROW, *AVERAGES, *REDUCED, alike=_same_measures)(measured)
imitates(MANY, *AVERAGES, "confusion.transposed", "confusion.normalized", alike=_same_measures)(measured_with_help)


@sign("confusion.values_missing", BINARY, MANY)
def fewer_than_seven(seen: Seen) -> dict[str, int] | bool | None:
    """Tell whether only some of the seven are there, in their order."""
    own, right = _split(seen.answer.value), seen.right and _split(seen.right.value)
    if own is None or not right or _has_two_labels(seen):
        return None
    rest = iter(right[0])
    return (
        {"count": len(own[0])}
        if len(own[0]) < 7 and all(any(close(one, each) for each in rest) for one in own[0])
        else False
    )


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
    """Tell whether, of two labels, neither always the first that appears is positive, nor always the other."""
    readings = set()
    for each in seen:
        outputs, targets = each.args[:2]
        if not _has_two_labels(each) or outputs[0] != targets[0]:
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


@examples(BINARY)
def vectors_that_tell(solution: Solution) -> None:
    """With hits and misses of all kinds, and without some of them."""
    kinds = [(True, True), (False, False), (True, False), (False, True)]  # TP, TN, FP, FN
    for counts in (
        *((2, 4, 1, 3), (3, 1, 2, 5), (5, 2, 4, 1), (1, 5, 3, 2), (4, 3, 0, 2), (3, 2, 2, 0)),
        *((0, 3, 1, 2), (2, 0, 3, 1), (0, 2, 3, 1), (1, 0, 1, 4), (0, 0, 2, 1), (0, 0, 1, 3)),
        *(
            (0, 3, 2, 0),
            (0, 4, 0, 3),
            (3, 0, 2, 0),
            (4, 0, 0, 1),
            (0, 1, 3, 0),
            (0, 2, 0, 1),
            (1, 0, 3, 0),
            (2, 0, 0, 3),
        ),
        *(
            (0, 4, 0, 0),
            (0, 2, 0, 0),
            (3, 0, 0, 0),
            (5, 0, 0, 0),
            (0, 0, 3, 0),
            (0, 0, 2, 0),
            (0, 0, 0, 2),
            (0, 0, 0, 4),
        ),
    ):
        pairs = [pair for pair, count in zip(kinds, counts, strict=True) for _ in range(count)]
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
    for mixed in ((1, "1", 2), ("1", 2.5, 1)):
        for outputs, targets in whole[1:]:
            solution.answer(
                "confusion_matrix", *(as_vector([mixed[each] for each in one]) for one in (outputs, targets))
            )
    column = np.array([0.5, 0.4, 0.9, 0.1, 0.75, 0.25, 0.6, 0.5]).reshape(-1, 1)
    for bits in ([1, 1, 1, 0, 0, 0, 1, 0], [1, 0, 1, 1, 0, 0, 0, 1]):
        targets = np.array(bits).reshape(-1, 1) == 1
        solution.answer("confusion_matrix", column, targets)
        solution.answer("confusion_matrix", column > 0.45, targets)
        for pair in ("no", "ok"), ("z", "a"), ("k", "f"), ("m", "n"):
            labels = np.array(pair)
            solution.answer("confusion_matrix", labels[[bits[0], *np.roll(bits, 2)]], labels[[bits[0], *bits]])
