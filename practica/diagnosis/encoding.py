"""Known mistakes of `one_hot_encoding` and `classify_outputs`."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import numpy as np

from practica.checks.encoding import columns_of
from practica.checks.solution import Solution
from practica.checks.strategies import as_vector
from practica.diagnosis.known import NoOpinion, Seen, alike, examples, imitates


def _either_class(expected: Any, obtained: Any, seen: Seen) -> bool:
    """Tell whether two results are the same; one column for two classes may be of either."""
    if alike(expected, obtained):
        return True
    free = len({*seen.args[0].tolist(), *(seen.args[1] if len(seen.args) > 1 else ())}) == 2
    if not free or seen.args[0].dtype == bool or np.size(expected) not in np.shape(expected):
        return False
    return alike(~expected if expected.dtype == bool else 1 - expected, obtained)


@imitates(
    "one_hot_encoding",
    "one_hot",
    """
    sorted sorted:given_too ignores_classes as_text as_text:classes_before two_columns two_columns:of_bools_too
    vector vector:of_bools_too vector:of_bools_only numbers codes transposed first_missing last_missing bool_as_labels
    """,
    alike=_either_class,
)
def encoded(wrong: Set[str], feature: Any, classes: Any = None) -> Any:
    """Encode labels, one column for each class, or one for two."""
    is_bool = feature.dtype == bool and classes is None
    if is_bool and "bool_as_labels" not in wrong:
        if "two_columns:of_bools_too" in wrong:
            return _finished(wrong, np.stack([feature, ~feature], axis=1))
        flat = wrong & {"vector:of_bools_too", "vector:of_bools_only"}
        return _finished(wrong, feature.copy() if flat else feature.reshape(-1, 1))
    found = list(dict.fromkeys(feature.tolist()))
    given = found if classes is None or "ignores_classes" in wrong else list(np.asarray(classes).tolist())
    if (classes is None and "sorted" in wrong) or "sorted:given_too" in wrong:
        if len({type(label) for label in given}) > 1:
            raise NoOpinion  # sorted() raises, and numpy may have turned them into text
        given = sorted(given)
    if wrong & {"as_text", "as_text:classes_before"}:
        feature, given = np.array([str(label) for label in feature.tolist()]), list(map(str, given))
        if classes is None and "as_text" in wrong:
            given = list(dict.fromkeys(given))
    if "codes" in wrong:
        return np.array([given.index(label) if label in given else -1 for label in feature.tolist()])
    columns = columns_of(feature, given)
    if wrong & {"first_missing", "last_missing"}:
        return _finished(wrong, columns[:, 1:] if "first_missing" in wrong else columns[:, :-1])
    if len(given) <= 2 and not wrong & {"two_columns", "two_columns:of_bools_too"}:
        flat = wrong & {"vector", "vector:of_bools_too"}
        columns = columns[:, 0] if flat else columns[:, :1]
    return _finished(wrong, columns)


def _finished(wrong: Set[str], columns: Any) -> Any:
    columns = columns.T if "transposed" in wrong else columns
    return columns.astype(float) if "numbers" in wrong else columns


@examples("one_hot_encoding")
def labels_whose_order_tells(solution: Solution) -> None:
    """Three classes neither in order nor in reverse, given or not; two classes; bools that begin with False."""
    labels = np.array(["b", "c", "a", "c", "b"])
    for classes in ([], [np.array(["c", "a", "b"])], [np.array(["b", "d", "a", "c"])]):
        solution.answer("one_hot_encoding", labels, *classes)
    solution.answer("one_hot_encoding", np.array([3, 1, 2, 5, 1]))
    solution.answer("one_hot_encoding", np.array(["s", "n", "s"]))
    solution.answer("one_hot_encoding", np.array(["s", "n", "s"]), np.array(["n", "s"]))
    for feature in ([False, True, True], [True, False, False, True], [False, False, True]):
        solution.answer("one_hot_encoding", np.array(feature))
    mixed = as_vector([1, "1", 2, "1", "b"])
    solution.answer("one_hot_encoding", mixed)
    solution.answer("one_hot_encoding", mixed, as_vector(["b", 1, "1", 2]))


@imitates(
    "classify_outputs",
    "classify",
    """
    strict ignores_threshold reversed rounded rows_by_threshold ties by_column absolute minimum positions
    column_by_maximum numbers numbers:threshold_only flat_column
    """,
)
def classified(wrong: Set[str], outputs: Any, *, threshold: float = 0.5) -> Any:
    """Compare with the threshold, or put one True in each row, where its first maximum is."""
    outputs = np.asarray(outputs, dtype=float)
    threshold = 0.5 if "ignores_threshold" in wrong else threshold
    by_threshold = outputs > threshold if "strict" in wrong else outputs >= threshold
    if "reversed" in wrong:
        by_threshold = ~by_threshold
    if "rounded" in wrong:
        by_threshold = np.round(outputs) >= 1
    is_column = outputs.ndim == 2 and outputs.shape[1] == 1
    if outputs.ndim == 1 or (is_column and "column_by_maximum" not in wrong):
        result = by_threshold.ravel() if "flat_column" in wrong else by_threshold
        return result.astype(float) if wrong & {"numbers", "numbers:threshold_only"} else result
    scores = np.abs(outputs) if "absolute" in wrong else -outputs if "minimum" in wrong else outputs
    if "rows_by_threshold" in wrong:
        result = by_threshold
    elif "ties" in wrong:
        result = scores == scores.max(axis=1, keepdims=True)
    elif "positions" in wrong:
        return scores.argmax(axis=1)
    elif "by_column" in wrong:
        result = np.arange(len(scores)).reshape(-1, 1) == scores.argmax(axis=0)
    else:
        result = scores.argmax(axis=1).reshape(-1, 1) == np.arange(scores.shape[1])
    return result.astype(float) if "numbers" in wrong else result


@examples("classify_outputs")
def around_the_threshold(solution: Solution) -> None:
    """Below, on and above it, far from it, and the largest in every place."""
    for outputs in ([0.4, 0.5, 0.6, 0.9], [[0.5], [0.49], [1.7], [-0.2]]):
        solution.answer("classify_outputs", np.array(outputs))
        solution.answer("classify_outputs", np.array(outputs), threshold=0.9)
        solution.answer("classify_outputs", np.array(outputs), threshold=0.1)
    for rows in (
        [[0.9, 0.1, 0.6], [0.2, 0.3, 0.1], [-2.0, 0.1, 0.4], [0.7, 0.8, 0.9]],
        [[0.5, 0.5, 0.1, 0.0], [0.3, 0.7, 0.7, -0.9]],
    ):
        solution.answer("classify_outputs", np.array(rows))
