"""The checks of the practice, called as this edition has it, and those of what is new."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from practica.grading.assignment import cross_validation as ann
from practica.grading.assignment import (
    encoding,
    metrics,
    models,
    network,
    normalization,
    partition,
    training,
)
from practica.grading.assignment.accepted_forms import as_metrics, as_real_array
from practica.grading.assignment.encoding import columns_of
from practica.grading.assignment.recorded_folds import (
    FOLDS_OF_THREE,
    THREE,
    calls_of,
    patterns_of,
    run_with,
)
from practica.grading.assignment.recorded_trainings import THROUGH, run_ann
from practica.grading.engine.framework import CHECKS, check, require
from practica.grading.engine.rendering import close
from practica.grading.engine.solution import ForwardingSolution, Solution, succeeded
from practica.grading.inside.plain_data import Answer, Array, RecordedCall, Transcript

# in the order of the statement
UNCHANGED = encoding, normalization, partition, network, training, metrics, ann, models
CHANGED = ("confusion_matrix", "ann_cross_validation", "model_cross_validation")
# where the inputs stand, before the targets
DATA = {"ann_cross_validation": 1, "model_cross_validation": 2}


class Edition(ForwardingSolution):
    """A submission of this edition, wrapped so that the checks of the practice can call it."""

    def __init__(self, solution: Solution) -> None:
        super().__init__(solution)
        self.is_known = solution.is_known

    def answer(self, name: str, /, *args: Any, want_args: bool = False, **kwargs: Any) -> Answer:
        """Call a function with arguments of the practice, and return the answer that the practice
        expects.
        """
        given = _given(name, args)
        answer = self._inner.answer(name, *given, want_args=want_args, **kwargs)
        return _answer_apart(name, answer, len(given) > len(args))

    def scripted(self, name: str, doubles: Any, /, *args: Any, **kwargs: Any) -> Transcript:
        """Call a function with doubles and arguments of the practice, and return the transcript
        that the practice expects.
        """
        given = _given(name, args)
        transcript = self._inner.scripted(name, doubles, *given, **kwargs)
        answer = _answer_apart(name, transcript.answer, len(given) > len(args))
        return replace(
            transcript, answer=answer, calls=[_call_apart(call) for call in transcript.calls]
        )


def _given(name: str, args: Sequence[Any]) -> list[Any]:
    """Convert arguments of the practice to the signatures of this edition."""
    if (at := DATA.get(name)) is not None:
        return [*args[:at], (args[at], args[at + 1]), *args[at + 2 :]]
    if name == "confusion_matrix" and len(args) == 2 and _is_of_labels(args[1]):
        return [
            *args,
            np.array([*dict.fromkeys([*args[1].tolist(), *args[0].tolist()])], dtype=args[1].dtype),
        ]
    return [*args]


def _is_of_labels(targets: Any) -> bool:
    return isinstance(targets, np.ndarray) and targets.ndim == 1 and targets.dtype != bool


def _apart(name: str, args: Sequence[Any]) -> list[Any]:
    """Convert arguments of this edition to the signatures of the practice."""
    at = DATA.get(name)
    if (
        at is not None
        and len(args) > at
        and isinstance(args[at], tuple | list)
        and len(args[at]) == 2
    ):
        return [*args[:at], *args[at], *args[at + 1 :]]
    return [*args]


def _answer_apart(name: str, answer: Answer, with_classes: bool) -> Answer:
    """Convert an answer, with the arguments that the call left, to one of the practice.

    `with_classes`: whether the call got classes that the practice does not pass.
    """
    if answer.args is None:
        return answer
    left = [*answer.args[:2], *answer.args[3:]] if with_classes else answer.args
    return replace(answer, args=_apart(name, left))


def _call_apart(call: RecordedCall) -> RecordedCall:
    """Convert a recorded call of this edition to one of the practice: a pair of inputs and targets
    in one argument becomes two arguments.
    """
    at, names = DATA.get(call.name), list(call.bound)
    if (
        at is not None
        and len(names) > at
        and isinstance(pair := call.bound[names[at]], tuple | list)
        and len(pair) == 2
    ):
        names[at : at + 1] = ["inputs", "targets"]
        bound = dict(zip(names, _apart(call.name, list(call.bound.values())), strict=True))
        return replace(call, args=_apart(call.name, call.args), bound=bound)
    return replace(call, args=_apart(call.name, call.args))


# --- what is new ----------------------------------------------------------------------------------

OUTPUTS, TARGETS = np.array(list("abcabcaab")), np.array(list("abccbaaac"))


def _matrix(solution: Solution, classes: Array) -> Array:
    _, matrix = as_metrics(solution.confusion_matrix(OUTPUTS, TARGETS, classes))
    require(matrix is not None, message="confusion_matrix_multiclass.classes.order.none")
    assert matrix is not None
    return matrix


def _expected(classes: str) -> Array:
    said, real = (columns_of(each, [*classes]).astype(int) for each in (OUTPUTS, TARGETS))
    return real.T @ said


@check("confusion_matrix_multiclass.classes.order")
def classes_order(solution: Solution) -> None:
    for classes in map("".join, itertools.permutations("abc")):
        obtained, expected = _matrix(solution, np.array([*classes])), _expected(classes)
        require(np.array_equal(obtained, expected), expected=expected, obtained=obtained)


@check("confusion_matrix_multiclass.classes.absent")
def classes_absent(solution: Solution) -> None:
    for classes in ("abcd", "dbac"):
        obtained, expected = _matrix(solution, np.array([*classes])), _expected(classes)
        require(np.array_equal(obtained, expected), expected=expected, obtained=obtained)


@check("confusion_matrix_multiclass.classes.unknown")
def classes_unknown(solution: Solution) -> None:
    for outputs, targets in (("abd", "abc"), ("abc", "abd")):
        answer = solution.answer(
            "confusion_matrix", *map(np.array, map(list, (outputs, targets, "abc")))
        )
        require(answer.error is not None, obtained=answer.value)


def _require_matrix(transcript: Transcript, calls: int, executions: int) -> None:
    """Require that the last value of a result is the sum of the matrices that `confusion_matrix`
    returned, divided by the number of executions.

    `calls`: how many matrices there must be.
    """
    value = succeeded(transcript.answer).value
    right = isinstance(value, tuple | list) and len(value) == 8
    require(right, message="form.pairs_and_matrix", obtained=value)
    seen = [as_metrics(call.result)[1] for call in calls_of(transcript, "confusion_matrix")]
    matrices = [matrix for matrix in seen if matrix is not None]
    require(len(matrices) == calls, message="form.unseen", helper="confusion_matrix")
    expected = np.sum(matrices, axis=0) / executions
    obtained = as_real_array(value[7], expected.shape)
    require(close(obtained, expected), expected=expected, obtained=obtained)


@check("ann_cross_validation.matrix")
def ann_cross_validation_matrix(solution: Solution) -> None:
    for executions in (3, 1):
        transcript = run_ann(solution, THREE, FOLDS_OF_THREE, numExecutions=executions)
        _require_matrix(transcript, executions * int(FOLDS_OF_THREE.max()), executions)


@check("model_cross_validation.matrix")
def model_cross_validation_matrix(solution: Solution) -> None:
    given = {"max_depth": 1}, patterns_of(THREE.tolist()), THREE, FOLDS_OF_THREE
    doubles = {"confusion_matrix": THROUGH["confusion_matrix"]}
    transcript = run_with(
        solution, "model_cross_validation", doubles, "DecisionTreeClassifier", *given
    )
    _require_matrix(transcript, int(FOLDS_OF_THREE.max()), 1)


for _id, _check in CHECKS.items():
    if _check.function in CHANGED:
        CHECKS[_id] = replace(_check, speaks=Edition)
