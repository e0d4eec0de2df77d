"""The patterns and folds of cross-validations in which each pattern can be identified, and the
calls that are recorded there.

The first attribute of a pattern is its position, which identifies it wherever it appears.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from practica.grading.assignment.accepted_forms import METRICS, as_array, as_pairs
from practica.grading.assignment.measures import right_metrics
from practica.grading.engine.drawing import Draw
from practica.grading.engine.framework import CheckFailed, require
from practica.grading.engine.rendering import close
from practica.grading.engine.solution import Solution, StudentError, succeeded
from practica.grading.inside.plain_data import (
    Array,
    Floats,
    Handle,
    Integers,
    RecordedCall,
    Transcript,
)

Indices = Integers


def patterns_of(labels: Sequence[str], attributes: int = 2) -> Floats:
    """Return a pattern for each label, with two attributes or more: its position as a fraction, and
    values that separate the classes.
    """
    _, numbers = np.unique(labels, return_inverse=True)
    positions = np.arange(len(labels))
    clue = numbers + 0.3 * np.sin(7 * positions)
    return np.column_stack([positions / 64, *[clue / turn for turn in range(1, attributes)]])


MOST_ATTRIBUTES = 9  # of patterns that are drawn: more than classes or folds, and still small


def number_of_attributes(draw: Draw) -> int:
    """Draw how many attributes a pattern has; 3 in examples that everybody knows."""
    return 3 if draw.is_known else draw.randint(3, MOST_ATTRIBUTES)


def ids_of(inputs: Any, patterns: Floats) -> list[int]:
    """Return the index of the pattern that each row of `inputs` equals; raise `CheckFailed` if one
    equals none.
    """
    array, (N, attributes) = as_array(inputs), patterns.shape
    if array.ndim != 2 or array.dtype.kind not in "fiu" or len(array) > 100 * N:
        raise CheckFailed({"obtained": array.shape}, "form.dataset")
    if array.shape[1] != attributes:
        array = array.T
    if array.shape[1] != attributes:
        raise CheckFailed({"obtained": array.shape}, "form.dataset")
    positions = array[:, 0].astype(float) * 64
    numbers = np.rint(np.where((positions > -1) & (positions < N), positions, -1)).astype(int)
    known = (numbers >= 0) & (numbers < N) & (abs(positions - numbers) < 0.01)
    known &= (abs(array - patterns[np.where(known, numbers, 0)]) < 0.01).all(axis=1)
    if not known.all():
        raise CheckFailed({"obtained": array[~known][0]}, "form.patterns")
    return numbers.tolist()


THREE = np.array(list("acbbacacbcab"))
# 5, 4 and 3 patterns: a fold is known by its size
FOLDS_OF_THREE = np.array([1, 1, 2, 1, 2, 3, 3, 2, 3, 1, 1, 2])
NUMBERS = np.array([{"a": 7, "b": 2, "c": 11}[label] for label in THREE.tolist()])
TWO = np.array(["no", "ok", "ok", "no", "no", "ok", "no", "ok", "ok", "no"])
FOLDS_OF_TWO = np.array([1, 1, 2, 2, 1, 2, 1, 2, 1, 1])
LACKING = np.array(list("aabbccabab"))
# no "c" in the first fold, nor in training for the second
FOLDS_OF_LACKING = np.array([1, 2, 1, 2, 2, 2, 1, 1, 2, 2])
EVEN = np.array(list("abc") * 8)
UNEVEN = np.tile(THREE, 2)  # backwards it is no other name of the same classes
TEN = np.tile(EVEN, 2)[:30], np.arange(30) // 3 % 10 + 1
FOUR_FOLDS = np.array([1, 2, 3, 4, 2, 3, 4, 1, 3, 4, 1, 2] * 2)


def labels_and_folds(draw: Draw) -> tuple[Array, Indices]:
    """Draw (labels, folds): two to five folds with a few patterns each, all of which have all
    classes. In examples that everybody knows there are three folds and three classes.
    """
    C, k = (3, 3) if draw.is_known else (draw.randint(3, 5), draw.randint(2, 5))
    sizes = draw.choices(range(C + 2, C + 5), k=k)
    order = draw.shuffled(range(sum(sizes)))
    names = draw.shuffled("dbace")
    pairs = [
        (names[number % C], fold) for fold, size in enumerate(sizes, 1) for number in range(size)
    ]
    labels, folds = zip(*(pairs[position] for position in order), strict=True)
    return np.array(labels), np.array(folds)


def calls_of(transcript: Transcript, name: str) -> list[RecordedCall]:
    """Return the recorded calls of a function in a transcript."""
    return [call for call in transcript.calls if call.name == name]


def calls_seen(transcript: Transcript, name: str) -> list[RecordedCall]:
    """Return the recorded calls of a function; fail the check if there is none."""
    calls = calls_of(transcript, name)
    require(calls, message="form.unseen", helper=name)
    return calls


def run_with(
    solution: Solution,
    name: str,
    doubles: Mapping[str, Mapping[str, Any]],
    *args: Any,
    **kwargs: Any,
) -> Transcript:
    """Run a function with doubles; raise `StudentError` if it raises.

    The doubles first return plain results. If the function raises then, it runs again, and they
    return results in the form that the student's own functions use ("like").
    """
    plain = {
        target: {way: value for way, value in script.items() if way != "like"}
        for target, script in doubles.items()
    }
    transcript = solution.scripted(name, plain, *args, **kwargs)
    if transcript.answer.error is not None and plain != doubles:
        transcript = solution.scripted(name, doubles, *args, **kwargs)
    succeeded(transcript.answer)
    return transcript


def readings_of(said: Array, real: Array, classes: Sequence[Any]) -> list[list[float]]:
    """Return the metrics of the outputs `said` for patterns with the labels `real`.

    Of two classes either may be the positive one, so that there are two readings.
    """
    if len(classes) <= 2:
        return [right_metrics(said == positive, real == positive) for positive in classes]
    return [
        right_metrics(said[:, None] == np.array(classes), real[:, None] == np.array(classes), True)
    ]


def require_pairs(
    scores: Floats,
    transcript: Transcript,
    which: int | slice = slice(2),
    message: str | None = None,
) -> None:
    """Require that a result has the means and standard deviations over the folds of one of the
    readings.

    `scores`: shape (fold, reading, metric).
    `which`: 0 for only the means, 1 for only the deviations.
    """
    obtained = np.array(as_pairs(transcript.answer.value))[:, which]
    expected = np.stack([scores.mean(axis=0), scores.std(axis=0, ddof=1)], axis=-1)[..., which]
    if not any(close(obtained, reading) for reading in expected):
        for metric, one, other in zip(METRICS, expected[0], obtained, strict=True):
            require(close(other, one), message=message, metric=metric, expected=one, obtained=other)


def is_renamed(labels: list[Any], codes: list[str]) -> bool:
    """Return whether codes are another name for labels: each label has one code, and each code one
    label.
    """
    pairs = {*zip(labels, codes, strict=True)}
    return len(pairs) == len(set(labels)) == len(set(codes))


PROBE = np.array([[-2.0, 0.0, 1.0, 3.0]])
VALUES = {
    "sigmoid": 1 / (1 + np.exp(-PROBE)),
    "softplus": np.log1p(np.exp(PROBE)),
    "tanh": np.tanh(PROBE),
    "relu": np.maximum(PROBE, 0),
}


def require_functions(solution: Solution, functions: Any, names: list[str], message: str) -> None:
    """Require that each transfer function computes the same as the one that is named.

    `functions`: as a training received them. One that cannot be called counts as right.
    """
    functions = functions.tolist() if isinstance(functions, np.ndarray) else functions
    require(isinstance(functions, list | tuple), message="form.functions")
    count = {"expected": len(names), "obtained": len(functions)}
    require(len(functions) == len(names), message="form.functions.count", **count)
    for function, name in zip(functions, names, strict=True):
        outputs: Any = function
        with suppress(StudentError):
            outputs = (
                solution.predict(function, PROBE) if isinstance(function, Handle) else function
            )
        real = (
            isinstance(outputs, np.ndarray)
            and outputs.shape == PROBE.shape
            and outputs.dtype.kind == "f"
        )
        require(real, message="form.functions.value")
        expected, obtained = VALUES[name][0], outputs[0]
        right = close(obtained, expected, 1e-3)
        require(right, message=message, expected=expected, obtained=obtained)
