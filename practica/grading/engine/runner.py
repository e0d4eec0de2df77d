"""A run of the checks of a row against a solution: their examples, the cause of a failure, and the
shortest counterexample.

The examples are drawn (`practica.grading.engine.examples`): some that everybody knows, the same for
all students, so that all read the same, and some from a secret seed, so that a table of answers to
the others is of no use. Those of all checks of the row that have many run side by side. Of those of
a check that do not pass, the shortest one that also fails by itself is the counterexample.
Everything repeats exactly: each example begins with a seed of its own.

An example that fails runs again with right helpers (`practica.grading.engine.helper_substitution`),
and only counts if that fails as well. The failure without right helpers is shown: it is what
students see when they copy the call.
"""

from __future__ import annotations

import functools
import logging
import math
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from practica.grading.engine.current import assignment
from practica.grading.engine.examples import Example, example_at, known_examples, secret_examples
from practica.grading.engine.framework import Check, CheckFailed
from practica.grading.engine.helper_substitution import Helped, Parts, quiet
from practica.grading.engine.rendering import Call, code_of, code_of_arguments, show, show_apart
from practica.grading.engine.side_by_side import not_passing
from practica.grading.engine.solution import Solution, SolutionLost, StudentError
from practica.grading.engine.trial import UNUSABLE, judge
from practica.grading.engine.watched import ShownCall, Watched

# lines of what a failing call printed, and characters of each
MOST_PRINTED, WIDEST_PRINTED = 3, 100
VALUES = ("expected", "obtained")  # facts in which a string is a value, and has its quotes
# ways of being lost before any check
NOT_THE_CHECK = ("budget", "import_failed", "import_timeout", "sandbox")
FEW = 3  # examples that run by themselves at once: they are those that train

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Outcome:
    """The outcome of one check of a submission.

    `verdict` ("pass", "fail", "not_run" or "error"): "error" is a defect of the check itself, never
        of the student.
    `message`: the id of the sentence; empty for "pass".
    `message_facts`: the values for the sentence, as text.
    `counterexample`: "call", a line that repeats it after `from solucion import *` and `import
        numpy as np`, with the "seed" of a function that draws; "drawn", what `repeat` needs;
        "input", "expected" and "obtained" where they are known; "pattern", the first one for which
        a network was run; "printed" where the call printed something: its first lines.
    `helped`: whether it only passed with right helpers: the function is right, and its results are
        not.
    `differs`: whether an answer was wrong among other calls, and right in the same call alone.
    """

    id: str
    verdict: str
    message: str = ""
    message_facts: dict[str, str] = field(default_factory=dict)
    counterexample: dict[str, str] = field(default_factory=dict)
    helped: bool = False
    differs: bool = False


class _Attempt:
    """One example of a check, to be run on a solution.

    `parts`: the helpers that right ones replace.
    `lost`: helpers that are never called, because they do not return.
    `last`: the last call.
    `used`: whether a helper was replaced.
    `error`: how the answers were wrong the last time that it ran; None if they were right.
    """

    def __init__(self, check: Check, example: Example, parts: Parts, lost: Collection[str]) -> None:
        self.check, self.example, self.parts, self.lost = check, example, parts, lost
        self.last: ShownCall | None = None
        self.used = False
        self.error: CheckFailed | StudentError | None = None

    def __call__(self, solution: Solution) -> bool:
        """Run the example, and return whether it passes."""
        watched = Watched(solution)
        helped = Helped(watched, self.parts, self.lost) if self.parts else None
        for_body = helped or watched
        for_body.seed, for_body.is_known = self.example.seed, self.example.number is not None
        self.error = None
        try:
            judge(self.check, self.check.heard(for_body), **self.example.values)
        except (CheckFailed, StudentError) as error:
            self.error = error
            if isinstance(error, CheckFailed) and error.message == UNUSABLE:
                error.facts["obtained"] = watched.value
        finally:
            self.last = watched.last
            self.used = helped is not None and helped.used
        return self.error is None


def run_check(check: Check, solution: Solution, **options: Any) -> Outcome:
    """Run one check against a solution, with the options of `run_checks`."""
    return next(run_checks([check], solution, **options))


def run_checks(
    checks: Sequence[Check],
    solution: Solution,
    *,
    max_examples: int | None = None,
    secret: int | None = None,
    helpers: Collection[str] | None = None,
    lost: Collection[str] = (),
    until: float = math.inf,
) -> Iterator[Outcome]:
    """Run the checks of a row against a solution: those with many examples side by side, then what
    fails by itself.

    `max_examples`: the number of examples of each check, instead of its own.
    `secret`: the seed of the secret examples; without it there are none.
    `helpers`: the functions that are not right, which right ones may replace; without it, all
        helpers.
    `lost`: those of the helpers that do not return when they are called, and so are never called.
    `until`: the share of the solution's time from which on nothing runs side by side, once an
        example has failed.
    Returned `outcomes`: of one check after the other; never an exception, except KeyboardInterrupt.
    """
    runs = [_Run(check, solution, max_examples, secret, helpers, lost) for check in checks]
    together = [run for run in runs if run.check.examples > FEW]
    failed: Collection[_Attempt] | None = None  # unknown
    with suppress(Exception):  # it is raised again where a check runs by itself
        attempts = [attempt for run in together for attempt in run.attempts]
        failed = {*not_passing(attempts, solution, until)}
    for run in runs:
        yield run.outcome(failed if run in together else None)


@dataclass(eq=False)
class _Run:
    """The run of one check, with the options of `run_checks`.

    `helped`: whether some example only passed with right helpers.
    `differs`: whether one was wrong among others, and right by itself.
    `attempt`: the last example that ran by itself.
    """

    check: Check
    solution: Solution
    max_examples: int | None
    secret: int | None
    helpers: Collection[str] | None
    lost: Collection[str]
    helped: bool = False
    differs: bool = False
    attempt: _Attempt | None = None

    @functools.cached_property
    def parts(self) -> Parts:
        """The helpers that right ones replace when a failed example runs again: by name, those of
        the check that are in `helpers`, or all if that is None.
        """
        names = self.check.parts if self.helpers is None else self.helpers
        return {name: part for name, part in self.check.parts.items() if name in names}

    @functools.cached_property
    def attempts(self) -> list[_Attempt]:
        """All examples; helpers that do not return are replaced from the start."""
        waiting = {name: part for name, part in self.parts.items() if name in self.lost}
        examples = known_examples(self.check, self.max_examples)
        if self.secret is not None:
            examples += secret_examples(self.check, self.secret)[: self.max_examples]
        return [self._attempt_at(example, waiting) for example in examples]

    def outcome(self, failed: Collection[_Attempt] | None) -> Outcome:
        """Return the outcome of the check.

        `failed`: of all attempts, those that are not known to pass; None where nothing is known.
        """
        check = self.check
        try:
            if not self.solution.has(check.function):
                return Outcome(check.id, "not_run", "any.missing", {"function": check.function})
            failing = self._failing(failed)
        except SolutionLost as lost:
            return _lost(check, lost, self.attempt.last if self.attempt else None)
        except Exception as error:
            _log.exception("the check %s is broken", check.id)
            return Outcome(
                check.id, "error", "any.grader", {"error": f"{type(error).__name__}: {error}"[:500]}
            )
        if failing is not None:
            return _failed(check, failing)
        return Outcome(
            check.id, "pass", helped=self.helped, differs=self.differs and not self.helped
        )

    def _failing(self, failed: Collection[_Attempt] | None) -> _Attempt | None:
        """Return the shortest example that fails, a known one before a secret one; None if all
        pass.

        `failed`: as in `outcome`.
        """
        wrong = self.attempts
        if failed is not None:
            wrong = [each for each in self.attempts if each in failed]
            self.helped = any(each.used for each in self.attempts if each not in wrong)
            if len(wrong) > 1 and self.parts:
                wrong = self._wrong_with_help(wrong)
        for attempt in sorted(wrong, key=_place):
            if self._fails(attempt):
                return attempt
        return None

    def _wrong_with_help(self, wrong: Sequence[_Attempt]) -> list[_Attempt]:
        """Run attempts side by side with right helpers, and return those that have to run by
        themselves: all that do not pass now and, of the others, the shortest.

        That one shows whether its failure without help repeats when it runs by itself.
        """
        helped = {self._attempt_at(each.example, self.parts): each for each in wrong}
        still = [helped[each] for each in not_passing([*helped], self.solution)]
        inheriting = [each for each in wrong if each not in still]
        return [*still, *sorted(inheriting, key=_place)[:1]]

    def _attempt_at(self, example: Example, parts: Parts) -> _Attempt:
        return _Attempt(self.check, example, parts, self.lost)

    def _fails(self, attempt: _Attempt) -> bool:
        """Return whether an example fails by itself, and fails again with right helpers."""
        self.attempt, was_wrong = attempt, attempt.error is not None
        if attempt(self.solution):
            self.helped |= attempt.used
            self.differs |= was_wrong and not attempt.used
            return False
        if self.parts and self._passes_with_help(attempt.example):
            self.helped = True
            return False
        return True

    def _passes_with_help(self, example: Example) -> bool:
        """Return whether an example passes with right helpers.

        They first return results in the form that the student's own helpers return. That form may
        be the mistake, so that they return the plain one the second time.
        """
        formed, plain = (
            _Attempt(self.check, example, self.parts, lost) for lost in (self.lost, self.parts)
        )
        try:
            return formed(self.solution) or plain(self.solution)
        except SolutionLost:  # it may have taken seconds
            self.parts = {}
            return False


def _place(attempt: _Attempt) -> tuple[bool, int]:
    """Return the sort key of an attempt: examples that everybody knows first, and short ones
    first.
    """
    return attempt.example.number is None, attempt.example.length


def repeat(check: Check, number: int, solution: Solution) -> tuple[Outcome, Call | None]:
    """Run the known example `number` of a check again; return its outcome, and its last call, None
    if there is none.
    """
    attempt = _Attempt(check, example_at(check, number), {}, ())
    with quiet():
        passes = attempt(solution)
    outcome = Outcome(check.id, "pass") if passes else _failed(check, attempt)
    return outcome, attempt.last.call if attempt.last else None


def _lost(check: Check, lost: SolutionLost, last: ShownCall | None) -> Outcome:
    verdict = "not_run" if lost.reason in NOT_THE_CHECK else "fail"
    facts = {
        name: value if name == "variant" else show(value) for name, value in lost.facts.items()
    }
    facts["call"] = code_of(last.call, short=True) if last else ""
    return Outcome(check.id, verdict, f"lost.{lost.reason}", facts, last.facts() if last else {})


def _failed(check: Check, attempt: _Attempt) -> Outcome:
    error, last, number = attempt.error, attempt.last, attempt.example.number
    assert error is not None
    counterexample = last.facts() if last else {"call": ""}
    if number is not None:
        counterexample["drawn"] = str(number)
    if last:
        counterexample["input"] = ", ".join(code_of_arguments(*last.call[1:], short=True))
        if printed := last.printed.strip().splitlines()[:MOST_PRINTED]:
            counterexample["printed"] = "\n".join(line[:WIDEST_PRINTED] for line in printed)
    facts = {"call": code_of(last.call, short=True) if last else "", "function": check.function}
    if isinstance(error, StudentError):
        text = f"{error.type}: {error.message}".strip().removesuffix(":")
        facts["error"] = show(text, quoted=False)
        facts["line"] = "?" if error.line is None else str(error.line)
        counterexample["obtained"] = facts["error"]
        no_module = error.type == "TypeError" and error.message.endswith("is not a Module subclass")
        message = (
            "any.raises.module"
            if no_module
            else "any.raises"
            if error.line
            else "any.raises.elsewhere"
        )
        return Outcome(check.id, "fail", message, facts, counterexample)
    words = assignment().has_words  # its other strings are names in a sentence
    facts |= {
        name: show(value, quoted=name in VALUES or not (words or name == "variant"))
        for name, value in error.facts.items()
    }
    facts |= show_apart(error.facts)
    counterexample |= {name: facts[name] for name in VALUES if name in facts}
    return Outcome(check.id, "fail", error.message or check.id, facts, counterexample)
