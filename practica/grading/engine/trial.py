"""A trial of a check on answers of every kind, to know whether an error is the student's or its
own.

A check compares what a function returned. If this raises an error, as `None >= 3` does, either the
value is not what the statement asks for, or the check is broken. It is broken if it ends in the
same line with the same error regardless of what it gets, or if the error is never that of a value.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from practica.grading.engine.current import assignment
from practica.grading.engine.framework import Check, CheckFailed
from practica.grading.engine.helper_substitution import quiet
from practica.grading.engine.rendering import Words
from practica.grading.engine.solution import Solution, SolutionLost, StudentError
from practica.grading.inside import wire
from practica.grading.inside.plain_data import Answer, Failure, Opaque, Transcript

# errors that no value causes
OF_CHECKS = (
    *(AssertionError, ImportError, MemoryError, NameError, OSError, RecursionError, SyntaxError),
    wire.WireError,
)
UNUSABLE = "any.unusable"
MOST_SAID = 200  # characters of such an error
RAISED = Answer(error=Failure("NotImplementedError", "", None))
NO_ASSERT = "a check fails by `require`, as in `require(same_table(obtained, expected), ...)`"
LOOK_FIRST = "the function has raised an error here: see `answer.error` before `answer.value`"


def odd_values() -> list[Any]:
    """Return one value of each kind that a function may give."""
    numbers = [True, 0, -3, 2.5, 1j, Decimal("2.5"), Fraction(1, 3)]
    texts = ["", "a b", b"a"]
    containers = [[], [1, 2], ["a", None], (1, 2, 3), {}, {"a": 1}, set(), frozenset({1})]
    arrays = [np.array(1.5), np.arange(3.0), np.zeros((2, 5)), np.array(["a"]), np.array([True])]
    times = [date(2026, 1, 2), datetime(2026, 1, 2, 3), timedelta(days=1)]
    frames: list[Any] = []
    with suppress(ImportError):
        import pandas as pd

        frames = [pd.DataFrame({"a": [1, 2]}), pd.Series([1.5, 2.5], name="b")]
    return [None, *numbers, *texts, *containers, *arrays, *times, *frames, Opaque("Thing")]


def judge(check: Check, solution: Solution, /, **values: Any) -> None:
    """Run the body of a check on a solution and drawn values; raise `CheckFailed` also for an error
    that a returned value causes.

    Any other error is one of the check, and is raised as it is; so is every error in the practice
    of this project.
    """
    try:
        check.body(solution, **values)
    except (CheckFailed, StudentError, SolutionLost, *OF_CHECKS):
        raise
    except Exception as error:
        if assignment().has_words or fault(check, values) is not None:
            raise
        said = Words(f"{type(error).__name__}: {error}"[:MOST_SAID])
        raise CheckFailed({"error": said}, UNUSABLE) from error


class Answering(Solution):
    """A solution whose functions all give one answer, after their arguments have proved to be plain
    data.
    """

    def __init__(self, function: str, answer: Answer) -> None:
        super().__init__()
        self._function, self._answer = function, answer

    def names(self) -> list[str]:
        """List the function."""
        return [self._function]

    def has(self, name: str) -> bool:
        """Return True: every name counts as a function."""
        return True

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Return the answer; raise `WireError` if an argument is not plain data."""
        wire.encode((method, list(args), kwargs))
        answer = self._answer
        if method == "scripted" or kwargs.get("want_args"):
            given, options = args[-2:]
            answer = replace(answer, args=[*given, *options.values()])
        return Transcript(answer, []) if method == "scripted" else answer


def fault(check: Check, values: Mapping[str, Any]) -> Exception | None:
    """Return an error that is the fault of the check itself, for an example with these drawn
    values; None if there is none.
    """
    answers = [Answer(value=value) for value in odd_values()]
    with quiet():
        found = [_error(check, values, answer) for answer in answers]
    errors = [error for error in found if error is not None]
    if len(errors) == len(found) and len({*map(_place, errors)}) == 1:
        return errors[0]
    of_check = next((each for each in errors if isinstance(each, OF_CHECKS)), None)
    return of_check or fault_after_error(check, values)


def fault_after_error(check: Check, values: Mapping[str, Any]) -> Exception | None:
    """Return the error of the check itself that ends it when the function raises an exception; None
    if the check fails, as it should.

    Only a check that goes on after `Solution.answer` has one.
    """
    with quiet():
        error = _error(check, values, RAISED)
    if error is not None and not isinstance(error, OF_CHECKS):
        error.add_note(LOOK_FIRST)
    return error


def _error(check: Check, values: Mapping[str, Any], answer: Answer) -> Exception | None:
    """Return the error of the check itself that ends it when the function gives this answer; None
    if it passes, or fails as a check may.
    """
    try:
        check.body(check.heard(Answering(check.function, answer)), **values)
    except (CheckFailed, StudentError, SolutionLost):
        return None
    except Exception as error:
        if isinstance(error, AssertionError):
            error.add_note(NO_ASSERT)
        return error
    return None


def _place(error: Exception) -> tuple[type[Exception], str, int | None]:
    """Return the kind of an error, and the file and the line of the check's code at which it was
    raised.
    """
    steps: Iterator[traceback.FrameSummary] = iter(traceback.extract_tb(error.__traceback__))
    own = [step for step in steps if not Path(step.filename).is_relative_to(Path(__file__).parent)]
    last = own[0] if own else None
    return type(error), last.filename if last else "", last.lineno if last else None
