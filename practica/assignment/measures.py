"""Oracle of `accuracy` and `confusion_matrix`: one computation of each, with a switch for each
known wrong way.

Without switches it is what right code returns; the checks compare with that. With one, it is what a
function with that mistake returns, and `practica.engine.diagnosis` names the mistake that explains
all answers.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.assignment.encoding import classified, columns_of
from practica.engine.framework import RIGHT, NoOpinion

# -- accuracy
# --------------------------------------------------------------------------------------------------


def fraction_of_hits(wrong: Set[str], outputs: Any, targets: Any, *, threshold: float = 0.5) -> Any:
    """Return the fraction of patterns, or of rows, that agree."""
    kind = _kind(targets)
    real = outputs.dtype != bool and not ("float32" in wrong and outputs.dtype == np.float32)

    def has(mistake: str) -> bool:
        return bool(wrong) and not wrong.isdisjoint(_scopes(mistake, kind))

    if real and not has("unclassified"):
        if has("ignores_threshold") or (kind == "column" and "threshold_lost" in wrong):
            threshold = 0.5
        if kind == "matrix" and "columns:maximum" in wrong:
            outputs = np.arange(len(outputs)).reshape(-1, 1) == outputs.argmax(axis=0)
        elif kind == "matrix" and not has("rows_by_threshold"):
            outputs = classified(RIGHT, outputs)
        elif kind == "column" and has("column_by_maximum"):
            outputs = np.ones_like(targets)
        else:
            outputs = outputs > threshold if has("strict") else outputs >= threshold
    return _in_another_unit(wrong, _counted(wrong, kind, real, outputs, targets), targets)


def _counted(wrong: Set[str], kind: str, real: bool, outputs: Any, targets: Any) -> float:
    """Return the fraction of elements of a vector, or of rows of a matrix, in which outputs and
    targets agree.
    """

    def has(mistake: str, *hows: str) -> bool:
        return bool(wrong) and not wrong.isdisjoint(_scopes(mistake, kind, *hows))

    equal = outputs == targets
    if kind == "column" and wrong & {
        "column_by_maximum:everywhere",
        *["column_by_maximum:of_both"] * real,
    }:
        equal = np.ones_like(targets)
    if kind == "column" and "columns:matrices" in wrong:
        equal = equal.all(axis=0)
    elif kind == "matrix" and not has("elements", "real" if real else "bool"):
        equal = (
            equal.all(axis=0)
            if has("columns")
            else equal.any(axis=1)
            if has("any")
            else equal.all(axis=1)
        )
    elif kind == "column" and has("crossed"):
        equal = outputs == targets.T
    if kind != "matrix" and has("positives"):
        equal = (outputs == 1) & targets
    for other, share in (("recall", targets), ("PPV", outputs == 1)):
        if kind != "matrix" and has(other):
            if not share.any():
                raise NoOpinion  # 0/0
            equal = (outputs == targets)[share]
    if has("all_or_nothing"):
        equal = equal.all()
    return float(equal.sum() if has("count") else equal.mean())


def _kind(targets: Any) -> str:
    return "vector" if targets.ndim == 1 else "column" if targets.shape[1] == 1 else "matrix"


def _scopes(mistake: str, kind: str, *hows: str) -> set[str]:
    """Return the switches with which a mistake is made in targets of this kind."""
    groups = {"vector": ["single"], "column": ["single", "matrices"], "matrix": ["matrices"]}[kind]
    return {mistake, *(f"{mistake}:{how}" for how in (kind, *groups, *hows))}


def _in_another_unit(wrong: Set[str], accuracy: float, targets: Any) -> float:
    """Return the accuracy, or the error rate, percentage or quotient that a switched-on mistake
    returns instead.
    """
    kind = _kind(targets)
    if "divides_by_elements" in wrong:
        accuracy /= targets[0].size
    if wrong & _scopes("error_rate", kind):
        accuracy = 1 - accuracy
    for digits in DIGITS:
        if f"rounded:{digits}" in wrong:
            accuracy = round(accuracy, digits)
    return 100 * accuracy if wrong & _scopes("percent", kind) else accuracy


# -- confusion_matrix
# ------------------------------------------------------------------------------------------------

DIGITS = (2, 3, 4)
RATES = ("recall", "specificity", "PPV", "NPV")
EXCHANGED = {
    f"order:{RATES[one]},{RATES[two]}": (2 + one, 2 + two) for one in range(4) for two in range(one)
}
NOTHING = {"zero_is_zero": 0.0, "zero_is_nan": float("nan"), "zero_divides": None}


def _of_nothing(wrong: Set[str], metric: str, all_negative: bool, all_positive: bool) -> float:
    """Return the value of a metric that is 0/0: 1, but 0 for F1, unless a mistake is switched
    on.
    """
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
    """Return recall, specificity, PPV, NPV and F1 of two classes, and the matrix [[TN, FP], [FN,
    TP]].
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
    lone = {
        how
        for switch in wrong
        if switch.startswith("no_hits:")
        for how in switch.partition(":")[2].split(",")
    }
    rates = {}
    for metric, (right, missed) in wholes.items():
        if not right + missed:
            rates[metric] = _of_nothing(wrong, metric, TN == N, TP == N)
        else:
            rates[metric] = 1.0 if metric in lone and not right else right / (right + missed)
    for metric, other in (
        ("recall", "PPV"),
        ("PPV", "recall"),
        ("specificity", "NPV"),
        ("NPV", "specificity"),
    ):
        if f"other_zero:{metric}" in wrong and not sum(wholes[other]):
            rates[metric] = 1.0
    F1 = _harmonic(wrong, rates["recall"], rates["PPV"], rates["specificity"], TN == N, TP == N)
    return [*rates.values(), F1], matrix


def _harmonic(
    wrong: Set[str], recall: float, PPV: float, specificity: float, *trivial: bool
) -> float:
    if "F1_formula:mean" in wrong:
        return (recall + PPV) / 2
    if "F1_zero" in wrong and trivial[0]:
        return 0.0
    if wrong & {"F1_formula:product", "F1_formula:root"}:
        return float((recall * PPV) ** (0.5 if "F1_formula:root" in wrong else 1))
    PPV = specificity if "F1_formula:specificity" in wrong else PPV
    if "zero_is_nan:but_F1" in wrong and not recall + PPV > 0:
        return 0.0
    if recall + PPV == 0:
        return 1.0 if "F1_one" in wrong else _of_nothing(wrong, "F1", *trivial)
    F1 = 2 * recall * PPV / (recall + PPV)
    return F1 / 2 if "F1_formula:half" in wrong else F1


def _of_many(
    wrong: Set[str], outputs: Any, targets: Any, weighted: bool
) -> tuple[list[float], Any]:
    """Return the seven metrics: those of each column, averaged, and the accuracy of the whole; and
    the matrix.
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
    if "classes_of_outputs:divided" in wrong and weighted:
        weights = weights / weights.sum()
    if weighted and wrong & {"weights_sum", "weights_sum:classes"}:
        weights = weights / C if "weights_sum:classes" in wrong else counts
    for mistake, present in (
        ("skips_empty", patterns > 0),
        ("skips_unpredicted", outputs.any(axis=0)),
    ):
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


def _by_scores(wrong: Set[str], outputs: Any, threshold: float) -> Any:
    if outputs.ndim == 1 or outputs.shape[1] == 1 or "real_by_threshold" in wrong:
        threshold = 0.5 if "ignores_threshold" in wrong else threshold
        return outputs > threshold if "strict" in wrong else outputs >= threshold
    if "real_by_columns" in wrong:
        return outputs == outputs.max(axis=0)
    return classified({"by_column"} if "real_by_columns:first" in wrong else RIGHT, outputs)


def _encoded(wrong: Set[str], outputs: Any, targets: Any) -> tuple[Any, Any]:
    """Encode two vectors of labels.

    Two classes take one column, True for the first label of the targets.
    """
    if "as_text" in wrong:
        outputs, targets = (
            np.array([str(label) for label in labels.tolist()]) for labels in (outputs, targets)
        )
    said, real = (list(dict.fromkeys(labels.tolist())) for labels in (outputs, targets))
    of_outputs = wrong & {"classes_of_outputs", "classes_of_outputs:divided"}
    classes = (
        said
        if of_outputs
        else real
        if "classes_of_targets" in wrong
        else list(dict.fromkeys([*real, *said]))
    )
    separate = "separate_classes" in wrong
    pair = (
        columns_of(outputs, said if separate else classes),
        columns_of(targets, real if separate else classes),
    )
    if "two_labels_as_many" not in wrong:
        pair = tuple(columns[:, :1] if columns.shape[1] == 2 else columns for columns in pair)  # type: ignore[assignment]
    if pair[0].shape != pair[1].shape:
        raise NoOpinion  # numpy may refuse them, or repeat one of them
    return pair


def measured(
    wrong: Set[str], outputs: Any, targets: Any, *, threshold: float = 0.5, weighted: bool = True
) -> Any:
    """Return the seven metrics and the matrix, for any of the overloads.

    Of two labels the first target is positive.
    """
    kind = "labels" if targets.dtype != bool else "bool" if outputs.dtype == bool else "real"
    if kind == "labels":
        outputs, targets = _encoded(wrong, outputs, targets)
    elif kind == "real":
        outputs = _by_scores(wrong, outputs, threshold)
    if "fp_fn:arguments" in wrong:
        outputs, targets = targets, outputs
    weighted = weighted or bool(
        wrong & {"weighted_lost", f"weighted_lost:{kind}"} and kind != "bool"
    )
    many = targets.ndim == 2 and (targets.shape[1] > 1 or "column_as_many" in wrong)
    if many:
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
    return *numbers, matrix[::-1, ::-1] if "positives_first" in wrong and not many else _drawn(
        wrong, matrix
    )


def _drawn(wrong: Set[str], matrix: Any) -> Any:
    if "transposed" in wrong:
        return matrix.T
    with np.errstate(all="ignore"):
        if "normalized" in wrong:
            return matrix / matrix.sum()
        return matrix / matrix.sum(axis=1, keepdims=True) if "normalized:rows" in wrong else matrix


def right_metrics(
    outputs: NDArray[Any], targets: NDArray[Any], weighted: bool = True
) -> list[float]:
    """Return the seven metrics."""
    return list(measured(RIGHT, outputs, targets, weighted=weighted)[:7])
