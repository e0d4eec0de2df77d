"""Oracle for `accuracy` and `confusion_matrix`: one computation of each, with a switch for each
known wrong way.

Without switches it is what right code returns; the checks compare with that. With one, it is what a
function with that mistake returns, and `practica.grading.engine.diagnosis` names the mistake that
explains all answers.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import numpy as np

from practica.grading.assignment.encoding import classified, columns_of
from practica.grading.engine.framework import RIGHT, NoOpinion
from practica.grading.inside.plain_data import Array

# --- accuracy -------------------------------------------------------------------------------------


def fraction_of_hits(wrong: Set[str], outputs: Any, targets: Any, *, threshold: float = 0.5) -> Any:
    """Oracle for `accuracy`: return the fraction of patterns, or of rows, whose outputs agree with
    the targets, with the mistakes in `wrong`.
    """
    if outputs.dtype != bool and "unclassified" not in wrong:
        outputs = _decided(wrong, outputs, threshold)
    accuracy = _share(wrong, outputs, targets)
    if "divides_by_elements" in wrong:
        accuracy /= targets[0].size
    if "error_rate" in wrong:
        accuracy = 1 - accuracy
    for digits in DIGITS:
        if f"rounded:{digits}" in wrong:
            accuracy = round(accuracy, digits)
    return 100 * accuracy if "percent" in wrong else accuracy


def _decided(wrong: Set[str], outputs: Any, threshold: float) -> Any:
    """Return real outputs as bools, classified with the mistakes in `wrong`."""
    if "float32" in wrong and outputs.dtype == np.float32:
        return outputs
    if "ignores_threshold" in wrong:
        threshold = 0.5
    if "columns:maximum" in wrong and outputs.ndim == 2:
        return np.arange(len(outputs)).reshape(-1, 1) == outputs.argmax(axis=0)
    ways = wrong & {"strict", "rows_by_threshold", "column_by_maximum"}
    return classified(ways, outputs, threshold=threshold)


def _share(wrong: Set[str], outputs: Any, targets: Any) -> float:
    """Return the fraction of elements of a vector, or of rows of a matrix, in which outputs and
    targets agree, with the mistakes in `wrong`.
    """
    shape = shape_of(targets)
    equal = outputs == targets
    if shape == "column" and "crossed" in wrong:
        equal = outputs == targets.T
    elif shape == "column" and "column_by_maximum:of_both" in wrong:
        equal = np.ones_like(targets)
    elif shape == "column" and "columns:matrices" in wrong:
        equal = equal.all(axis=0)
    elif shape == "matrix" and "among_several" in wrong:
        equal = ((outputs == 1) & targets).any(axis=1)
    elif shape == "matrix" and "elements" not in wrong:
        axis = 0 if wrong & {"columns", "columns:matrices"} else 1
        equal = equal.any(axis=1) if "any" in wrong else equal.all(axis=axis)
    if shape != "matrix" and "positives" in wrong:
        equal = (outputs == 1) & targets
    if shape != "matrix" and wrong & {"recall", "PPV"}:
        counted = targets if "recall" in wrong else outputs == 1
        if not counted.any():
            raise NoOpinion  # 0/0
        equal = equal[counted]
    if "all_or_nothing" in wrong:
        return float(equal.all())
    return float(equal.sum() if "count" in wrong else equal.mean())


def shape_of(targets: Any) -> str:
    """Return whether targets are a vector, a single column or a matrix.

    >>> shape_of(np.zeros(3)), shape_of(np.zeros((3, 1))), shape_of(np.zeros((3, 2)))
    ('vector', 'column', 'matrix')
    """
    if targets.ndim == 1:
        return "vector"
    return "column" if targets.shape[1] == 1 else "matrix"


# --- confusion_matrix -----------------------------------------------------------------------------

DIGITS = (2, 3, 4)
RATES = ("recall", "specificity", "PPV", "NPV")
OPPOSITES = {"recall": "PPV", "PPV": "recall", "specificity": "NPV", "NPV": "specificity"}
EXCHANGED = {
    f"order:{RATES[one]},{RATES[two]}": (2 + one, 2 + two) for one in range(4) for two in range(one)
}
NOTHING = {"zero_is_zero": 0.0, "zero_is_nan": float("nan")}


def _of_nothing(wrong: Set[str], metric: str) -> float:
    """Return the value of a metric that is 0/0: 1, but 0 for F1, unless a mistake in `wrong`
    changes it.
    """
    if "zero_divides" in wrong or (metric != "F1" and "zero_divides:but_F1" in wrong):
        raise ZeroDivisionError("division by zero")
    for mistake, value in NOTHING.items():
        if wrong & {mistake, f"{mistake}:{metric}"}:
            return value
    return 0.0 if metric == "F1" else 1.0


def _rate(wrong: Set[str], metric: str, right: int, missed: int) -> float:
    """Return right / (right + missed), and 1 for 0/0, unless a mistake in `wrong` changes the
    metric.
    """
    if right + missed == 0:
        return _of_nothing(wrong, metric)
    if right == 0 and wrong & {"no_hits", f"no_hits:{metric}"}:
        return 1.0
    return right / (right + missed)


def _of_two(wrong: Set[str], outputs: Any, targets: Any) -> tuple[list[float], Any]:
    """Return recall, specificity, PPV, NPV and F1 of two classes, and the matrix [[TN, FP], [FN,
    TP]], with the mistakes in `wrong`.
    """
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
    rates = {metric: _rate(wrong, metric, *counts) for metric, counts in wholes.items()}
    if "zero_is_zero:negative" in wrong and TN == N:
        rates |= {"recall": 0.0, "PPV": 0.0}
    if "zero_is_zero:but_negative" in wrong and TN < N:
        rates |= {metric: 0.0 for metric, counts in wholes.items() if not sum(counts)}
    for metric, other in OPPOSITES.items():
        if f"other_zero:{metric}" in wrong and not sum(wholes[other]):
            rates[metric] = 1.0
    F1 = _harmonic(wrong, rates["recall"], rates["PPV"], rates["specificity"])
    if "F1_zero" in wrong and TN == N:
        F1 = 0.0
    return [*rates.values(), F1], matrix


def _harmonic(wrong: Set[str], recall: float, PPV: float, specificity: float) -> float:
    """Return F1, the harmonic mean of recall and PPV, or what a mistake in `wrong` takes for it; 0
    for 0/0.
    """
    if "F1_formula:mean" in wrong:
        return (recall + PPV) / 2
    if "F1_formula:product" in wrong:
        return recall * PPV
    if "F1_formula:root" in wrong:
        return float((recall * PPV) ** 0.5)
    if "F1_formula:specificity" in wrong:
        PPV = specificity
    if recall + PPV == 0:
        return 1.0 if "F1_one" in wrong else _of_nothing(wrong, "F1")
    F1 = 2 * recall * PPV / (recall + PPV)
    return F1 / 2 if "F1_formula:half" in wrong else F1


def _of_many(
    wrong: Set[str], outputs: Any, targets: Any, weighted: bool
) -> tuple[list[float], Any]:
    """Return the seven metrics of three classes or more, averaged over the classes but for the
    accuracy, and the matrix, with the mistakes in `wrong`.
    """
    C, patterns = targets.shape[1], targets.sum(axis=0)
    per_class = np.array(
        [_of_two(wrong, outputs[:, each], targets[:, each])[0] for each in range(C)]
    )
    if wrong & {"weighted_ignored:macro", "weighted_ignored:weighted"}:
        weighted = "weighted_ignored:weighted" in wrong
    weighted = weighted != ("weighted_reversed" in wrong)
    counts = outputs.sum(axis=0) if "predicted_weights" in wrong else patterns
    weights = counts / len(targets) if weighted else np.full(C, 1 / C)
    if weighted and wrong & {"weights_sum", "weights_sum:classes"}:
        weights = weights / C if "weights_sum:classes" in wrong else counts
    for mistake, present in (
        ("skips_empty", patterns > 0),
        ("skips_unpredicted", outputs.any(axis=0)),
    ):
        if wrong & {mistake, f"{mistake}:left_out"}:
            weights = np.where(present, weights, 0)
            per_class = np.where(present.reshape(-1, 1), per_class, 0)
        if f"{mistake}:left_out" in wrong:
            weights = weights / weights.sum()
    means = (weights @ per_class).tolist()
    if "F1_of_means" in wrong:
        if not means[0] + means[2]:
            raise NoOpinion  # 0 or NaN
        means[4] = 2 * means[0] * means[2] / (means[0] + means[2])
    if "micro" in wrong:
        means = _of_two(wrong, outputs.ravel(), targets.ravel())[0]
    hits = outputs == targets
    accuracy = float(hits.mean() if "mean_accuracy" in wrong else hits.all(axis=1).mean())
    if "mean_accuracy:weighted" in wrong:
        accuracy = float(hits.mean(axis=0) @ weights)
    return [accuracy, 1 - accuracy, *means], targets.T.astype(int) @ outputs.astype(int)


def _by_scores(wrong: Set[str], outputs: Any, threshold: float) -> Any:
    by_threshold = bool(wrong & {"real_by_threshold", "as_two_classes"})
    if by_threshold or outputs.ndim == 1 or outputs.shape[1] == 1:
        threshold = 0.5 if "ignores_threshold" in wrong else threshold
        return outputs > threshold if "strict" in wrong else outputs >= threshold
    if "real_by_columns" in wrong:
        return outputs == outputs.max(axis=0)
    return classified({"by_column"} if "real_by_columns:first" in wrong else RIGHT, outputs)


def _encoded(wrong: Set[str], outputs: Any, targets: Any, given: Any) -> tuple[Any, Any]:
    """Return the outputs and the targets, two vectors of labels, as bool columns, with the mistakes
    in `wrong`.

    Two classes take one column, True for the first label of the targets, or of the `given` classes.
    """
    if "as_text" in wrong:
        outputs, targets = (
            np.array([str(label) for label in labels.tolist()]) for labels in (outputs, targets)
        )
    if "labels.sorted" in wrong:
        sorted([*targets.tolist(), *outputs.tolist()])  # may raise
    said, real = (list(dict.fromkeys(labels.tolist())) for labels in (outputs, targets))
    if given is not None:
        said = real = np.asarray(given).tolist()
        if not {*outputs.tolist(), *targets.tolist()} <= {*said}:
            raise NoOpinion  # how an error is raised is up to the function
    classes = [list(dict.fromkeys([*real, *said]))] * 2
    if "classes_of_targets" in wrong:
        classes = [real, real]
    elif "classes_of_outputs" in wrong:
        classes = [said, said]
    elif "separate_classes" in wrong:
        classes = [said, real]
    pair = [columns_of(outputs, classes[0]), columns_of(targets, classes[1])]
    if "two_labels_as_many" not in wrong:
        pair = [columns[:, :1] if columns.shape[1] == 2 else columns for columns in pair]
    if "other_label" in wrong and pair[0].shape[1] == 1:
        pair = [~columns for columns in pair]
    if pair[0].shape != pair[1].shape:
        raise NoOpinion  # numpy may refuse them, or repeat one of them
    return pair[0], pair[1]


def measured(
    wrong: Set[str],
    outputs: Any,
    targets: Any,
    classes: Any = None,
    *,
    threshold: float = 0.5,
    weighted: bool = True,
) -> Any:
    """Oracle for `confusion_matrix`: return the seven metrics and the matrix, for any of its
    overloads, with the mistakes in `wrong`.

    `classes`: for vectors of labels, all classes in order, in an edition that passes them; by
        default, those of the targets, then those of the outputs. Of two classes, the first is
        positive.
    `threshold`: the least output that is positive, where outputs are one column of real numbers.
    `weighted`: whether the means over three classes or more are weighted by the patterns of each.
    """
    kind = "labels" if targets.dtype != bool else "bool" if outputs.dtype == bool else "real"
    if kind == "labels" and "as_two_classes" not in wrong:
        outputs, targets = _encoded(wrong, outputs, targets, classes)
    elif kind == "labels" and targets.dtype.kind in "biuf":
        raise NoOpinion  # numbers may be taken for bools
    elif kind != "bool":
        outputs = _by_scores(wrong, outputs, threshold)
    if "fp_fn:arguments" in wrong:
        outputs, targets = targets, outputs
    weighted = weighted or ("weighted_lost" in wrong and kind != "bool")
    many = targets.ndim == 2 and (targets.shape[1] > 1 or "column_as_many" in wrong)
    if many and "as_two_classes" not in wrong:
        numbers, matrix = _of_many(wrong, outputs, targets, weighted)
    else:
        outputs, targets = outputs.ravel(), targets.ravel()
        metrics, matrix = _of_two(wrong, outputs, targets)
        accuracy = float((outputs == targets).mean())
        numbers = [accuracy, 1 - accuracy, *metrics]
    for switch in wrong & EXCHANGED.keys():
        one, two = EXCHANGED[switch]
        numbers[one], numbers[two] = numbers[two], numbers[one]
    for digits in DIGITS:
        if f"rounded:{digits}" in wrong:
            numbers = [round(number, digits) for number in numbers]
    if "values_missing" in wrong:
        del numbers[1]
    if "positives_first" in wrong and not many:
        matrix = matrix[::-1, ::-1]
    return *numbers, _drawn(wrong, matrix)


def _drawn(wrong: Set[str], matrix: Any) -> Any:
    if "transposed" in wrong:
        return matrix.T
    with np.errstate(all="ignore"):
        if "normalized" in wrong:
            return matrix / matrix.sum()
        return matrix / matrix.sum(axis=1, keepdims=True) if "normalized:rows" in wrong else matrix


def right_metrics(outputs: Array, targets: Array, weighted: bool = True) -> list[float]:
    """Return the seven metrics of outputs and targets that right code computes."""
    return list(measured(RIGHT, outputs, targets, weighted=weighted)[:7])
