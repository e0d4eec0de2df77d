"""Exercise 2, `one_hot_encoding` and `classify_outputs`: an oracle of each, with its wrong ways,
and their checks.
"""

from __future__ import annotations

from collections.abc import Set
from functools import partial
from typing import Any

import numpy as np

from practica.grading.assignment.accepted_forms import as_bool_array
from practica.grading.assignment.cases import (
    EIGHTHS,
    MAYBE_THRESHOLDS,
    NO_THRESHOLD,
    THRESHOLDS,
    as_vector,
    labelled_patterns,
    real_outputs,
    score_matrix,
)
from practica.grading.engine.drawing import Draw
from practica.grading.engine.framework import (
    RIGHT,
    NoOpinion,
    check,
    for_all,
    require,
    state,
    untouched,
)
from practica.grading.engine.helper_substitution import Part, require_small
from practica.grading.engine.solution import Solution
from practica.grading.inside.plain_data import Array, Bools, Floats

Labels = Array
BOOLS = (False, True), (True,), (False, True), (False,), (False, True)  # that a vector has


# --- the oracles ----------------------------------------------------------------------------------


def columns_of(labels: Labels, classes: list[Any]) -> Bools:
    """Return a bool matrix with a column per class: True where the pattern has the label of the
    class.
    """
    return np.array([[label == name for name in classes] for label in labels.tolist()]).reshape(
        -1, len(classes)
    )


def encoded(wrong: Set[str], feature: Any, classes: Any = None) -> Any:
    """Oracle for `one_hot_encoding`: return the labels as bools, one column per class, with the
    mistakes in `wrong`.

    Two classes take one column, True for the first class.
    """
    if feature.dtype == bool and classes is None and "bool_as_labels" not in wrong:
        columns = feature.reshape(-1, 1) ^ ("bool_as_labels:reversed" in wrong)
        if "two_columns" in wrong:
            columns = np.hstack([columns, ~columns])
        return _finished(wrong, columns)
    given = _classes(wrong, feature, classes)
    if wrong & {"as_text", "as_text:classes_before"}:
        feature, given = np.array([str(label) for label in feature.tolist()]), list(map(str, given))
        if classes is None and "as_text" in wrong:
            given = list(dict.fromkeys(given))
    if "codes" in wrong:
        return np.array(
            [given.index(label) if label in given else -1 for label in feature.tolist()]
        )
    columns = columns_of(feature, given) ^ ("inverted" in wrong and len(given) > 2)
    if "only_filled:several" in wrong and len(given) > 2:
        columns = columns[:, columns.any(axis=0)]
    elif "first_missing" in wrong:
        columns = columns[:, 1:]
    elif "last_missing" in wrong:
        columns = columns[:, :-1]
    elif len(given) <= 2 and "two_columns" not in wrong:
        columns = columns[:, :1] ^ ("other_class" in wrong)
    return _finished(wrong, columns)


def _classes(wrong: Set[str], feature: Any, classes: Any) -> list[Any]:
    """Return the classes in the order of the columns, with the mistakes in `wrong`."""
    given = list(dict.fromkeys(feature.tolist()))
    if classes is not None and "ignores_classes" not in wrong:
        given = classes.tolist() if isinstance(classes, np.ndarray) else list(classes)
    if (classes is None and "sorted" in wrong) or "sorted:given_too" in wrong:
        if len({type(label) for label in given}) > 1:
            raise NoOpinion  # sorted() raises, and numpy may have turned them into text
        given = sorted(given)
    if "only_filled" in wrong:
        return [label for label in given if label in feature.tolist()]
    return given


def _finished(wrong: Set[str], columns: Any) -> Any:
    """Return columns with the mistakes in `wrong` that change their form: transposed, a vector,
    numbers.
    """
    if "transposed" in wrong:
        columns = columns.T
    if "vector" in wrong and columns.shape[1] == 1:
        columns = columns[:, 0]
    return columns.astype(float) if "numbers" in wrong else columns


def classified(wrong: Set[str], outputs: Any, *, threshold: float = 0.5) -> Any:
    """Oracle for `classify_outputs`: compare the outputs of one column or a vector with the
    threshold, and mark the first maximum of each row of several columns with True, with the
    mistakes in `wrong`.
    """
    outputs = np.asarray(outputs, dtype=float)
    outputs = np.abs(outputs) if "absolute" in wrong else outputs
    threshold = 0.5 if "ignores_threshold" in wrong else threshold
    by_threshold = outputs > threshold if "strict" in wrong else outputs >= threshold
    if "reversed" in wrong:
        by_threshold = ~by_threshold
    if "rounded" in wrong:
        by_threshold = np.round(outputs) >= 1
    if "two_columns" in wrong and outputs.ndim == 2 and outputs.shape[1] == 1:
        return np.hstack([by_threshold, ~by_threshold])
    is_column = outputs.ndim == 2 and outputs.shape[1] == 1
    if outputs.ndim == 1 or (is_column and "column_by_maximum" not in wrong):
        result = by_threshold.ravel() if "flat_column" in wrong else by_threshold
        return result.astype(float) if "numbers" in wrong else result
    scores = -outputs if "minimum" in wrong else outputs
    if "positions" in wrong:
        return scores.argmax(axis=1)
    result = by_threshold if "rows_by_threshold" in wrong else _winners(wrong, scores)
    if "winner_by_threshold" in wrong:
        result = result & by_threshold
    return result.astype(float) if "numbers" in wrong else result


def _winners(wrong: Set[str], scores: Array) -> Bools:
    """Mark the largest output of each row with True, or other elements, with the mistakes in
    `wrong`.
    """
    N, C = scores.shape
    if "ties" in wrong:
        return scores == scores.max(axis=1, keepdims=True)
    if "losers" in wrong:
        return scores != scores.max(axis=1, keepdims=True)
    if "whole_matrix" in wrong:
        return scores == scores.max()
    if "by_column" in wrong:
        return np.arange(N).reshape(-1, 1) == scores.argmax(axis=0)
    if "by_column:ties" in wrong:
        return scores == scores.max(axis=0)
    if "by_column:rows_of_it" in wrong:
        return np.eye(C, dtype=bool)[scores.argmax(axis=0)]
    result = np.zeros(scores.shape, dtype=bool)
    rows = slice(None) if "whole_columns" in wrong else np.arange(N)
    result[rows, scores.argmax(axis=0 if "by_column:of_rows" in wrong else 1)] = True
    return result


def _right_one_hot(args: list[Any], kwargs: dict[str, Any]) -> Any:
    feature, classes = [*args, *kwargs.values(), None][:2]
    feature = feature if isinstance(feature, np.ndarray) else as_vector(list(feature))
    require_small(len(feature), len(_classes(RIGHT, feature, classes)))
    return encoded(RIGHT, feature, classes)


ONE_HOT = Part(_right_one_hot)
CLASSIFY = Part(lambda args, kwargs: classified(RIGHT, *args, **kwargs))


# --- one_hot_encoding -----------------------------------------------------------------------------


GIVEN = ("array", "list")  # the containers of classes that are given


def _require_encoded(
    solution: Solution, case: tuple[Labels, list[Any]], given: str = "", either: bool = False
) -> bool:
    """Require that `one_hot_encoding` returns the columns of the oracle.

    `given`: "array" or "list", in which the classes are passed; empty if they are not.
    `either`: whether either of two classes may be the one that is True.
    Returned `is_first`: whether it is the first class.
    """
    labels, classes = case
    expected = encoded(RIGHT, labels, classes)
    arguments: list[Any] = [labels]
    if given:
        arguments.append(classes if given == "list" else as_vector(classes))
    obtained = as_bool_array(solution.one_hot_encoding(*arguments), expected.shape)
    is_first = np.array_equal(obtained, expected)
    right = is_first or (either and np.array_equal(obtained, ~expected))
    require(right, expected=expected, obtained=obtained, classes=classes)
    return is_first


def _listed(draw: Draw) -> tuple[Labels, list[Any]]:
    """Draw (labels, classes): three classes or more, in any order; the labels may lack some of
    them.
    """
    labels, classes = labelled_patterns(draw, min_classes=1)
    others = ["zeta", "eta", "theta"]
    if not isinstance(classes[0], str):
        others = [type(classes[0])(number) for number in (20, 21, 22)]
    listed = classes + others[: max(draw.randint(0, 2), 3 - len(classes))]
    turn = draw.randrange(len(listed))
    return labels, listed[turn:] + listed[:turn]


state(
    "one_hot_encoding.classes.columns",
    _require_encoded,
    case=_listed,
    given=lambda draw: draw.choice(GIVEN),
)


@check("one_hot_encoding.classes.two")
@for_all(
    case=partial(labelled_patterns, min_classes=1, max_classes=2),
    swap=lambda draw: draw.choice([False, True]),
    given=lambda draw: draw.choice(GIVEN),
)
def classes_two(solution: Solution, case: tuple[Labels, list[Any]], swap: bool, given: str) -> None:
    labels, classes = case
    listed = (
        classes if len(classes) == 2 else [*classes, "z" if isinstance(classes[0], str) else 20]
    )
    listed = listed[::-1] if swap else listed
    # the rarer class is the other one
    exchanged = as_vector([listed[label == listed[0]] for label in labels.tolist()])
    same = {
        _require_encoded(solution, (each, listed), given, True)
        for each in (labels, labels[::-1], exchanged)
    }
    require(len(same) == 1, message="one_hot_encoding.classes.two.same", classes=listed)


state(
    "one_hot_encoding.default.columns",
    _require_encoded,
    case=partial(labelled_patterns, min_classes=3, max_classes=5),
)
state(
    "one_hot_encoding.default.two",
    partial(_require_encoded, either=True),
    case=partial(labelled_patterns, max_classes=2),
)
state(
    "one_hot_encoding.mixed",
    _require_encoded,
    case=partial(labelled_patterns, min_classes=3, max_classes=5, mixed=True),
    given=lambda draw: draw.choice(("", *GIVEN)),
)
state(
    "one_hot_encoding.bool",
    _require_encoded,
    case=lambda draw: (np.array(draw.some(draw.in_turn(*BOOLS), 1, 14)), None),
)


@check("one_hot_encoding.untouched")
def one_hot_encoding_untouched(solution: Solution) -> None:
    untouched(
        solution, "one_hot_encoding", np.array(["b", "a", "c", "a"]), np.array(["c", "b", "a"])
    )
    untouched(solution, "one_hot_encoding", np.array([3, 1, 2, 1]))
    untouched(solution, "one_hot_encoding", np.array([True, False, True]))


# --- classify_outputs -----------------------------------------------------------------------------


def _require_classified(solution: Solution, outputs: Array, threshold: float | None = None) -> None:
    options = {} if threshold is None else {"threshold": threshold}
    expected = classified(RIGHT, outputs, **options)
    obtained = as_bool_array(solution.classify_outputs(outputs, **options), expected.shape)
    facts = {"expected": expected, "obtained": obtained, "threshold": options.get("threshold", 0.5)}
    require(np.array_equal(obtained, expected), **facts)


NEAR = [*EIGHTHS, *[0.5 - 1 / 1024, 0.5 + 1 / 1024] * 12]

state(
    "classify_outputs.vector",
    _require_classified,
    outputs=partial(real_outputs, values=NEAR, times=60),
)
state(
    "classify_outputs.vector.threshold",
    _require_classified,
    outputs=real_outputs,
    threshold=lambda draw: draw.choice(THRESHOLDS),
)
state(
    "classify_outputs.column",
    _require_classified,
    outputs=lambda draw: real_outputs(draw).reshape(-1, 1),
    threshold=lambda draw: draw.choice(MAYBE_THRESHOLDS),
)
state(
    "classify_outputs.matrix.maximum",
    _require_classified,
    outputs=score_matrix,
    threshold=lambda draw: draw.choice(NO_THRESHOLD),
)


@check("classify_outputs.matrix.ties")
@for_all(outputs=partial(score_matrix, ties=True))
def matrix_ties(solution: Solution, outputs: Floats) -> None:
    obtained = as_bool_array(solution.classify_outputs(outputs), outputs.shape)
    at_maximum = outputs == outputs.max(axis=1, keepdims=True)
    right = (obtained.sum(axis=1) == 1).all() and not (obtained & ~at_maximum).any()
    require(right, expected=classified(RIGHT, outputs), obtained=obtained)


@check("classify_outputs.untouched")
def classify_outputs_untouched(solution: Solution) -> None:
    for outputs in ([0.25, 0.5, 0.75], [[0.25], [0.75]], [[0.25, 0.5, 0.125], [0.5, 0.25, 0.125]]):
        untouched(solution, "classify_outputs", np.array(outputs))
