"""A run of a check against a solution: its examples, the cause of a failure, and the shortest
counterexample.

The examples are drawn (`practica.grading.engine.examples`): some that everybody knows, the same for
all students, so that all read the same, and some from a secret seed, so that a table of answers to
the others is of no use. They run side by side: what they ask first is asked in one exchange. Of
those that do not pass, the shortest one that also fails by itself is the counterexample. Everything
repeats exactly: each example begins with a seed of its own.

An example that fails runs again with right helpers (`practica.grading.engine.helper_substitution`),
and only counts if that fails as well. The failure without right helpers is shown: it is what
students see when they copy the call.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from practica.grading.engine.current import assignment
from practica.grading.engine.examples import Example, example_at, known_examples, secret_examples
from practica.grading.engine.framework import Check, CheckFailed
from practica.grading.engine.helper_substitution import Helped, Parts, quiet
from practica.grading.engine.rendering import Call, code_of, code_of_arguments, show, show_apart
from practica.grading.engine.side_by_side import not_passing
from practica.grading.engine.solution import Solution, SolutionLost, StudentError
from practica.grading.engine.watched import ShownCall, Watched

# lines of what a failing call printed, and characters of each
MOST_PRINTED, WIDEST_PRINTED = 3, 100
VALUES = ("expected", "obtained")  # facts in which a text is a value, and has its quotes
# ways of being lost before any check
NOT_THE_CHECK = ("budget", "import_failed", "import_timeout", "sandbox")

FEW = 2  # examples that run by themselves at once: they are those that train

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Outcome:
    """The outcome of one check of a submission.

    `verdict` ("pass", "fail", "not_run" or "error"): "error" is a defect of the check itself, never
    of the student.
    `message`: the id of the sentence; empty for "pass".
    `message_facts`: the texts of the sentence's places.
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

    `parts`: the helpers that right ones stand for.
    `last`: the last call.
    `used`: whether a helper was replaced.
    `error`: how the answers were wrong the last time that it ran, if they were.
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
            self.check.body(self.check.heard(for_body), **self.example.values)
        except (CheckFailed, StudentError) as error:
            self.error = error
        finally:
            self.last = watched.last
            self.used = helped is not None and helped.used
        return self.error is None


def run_check(
    check: Check,
    solution: Solution,
    *,
    max_examples: int | None = None,
    secret: int | None = None,
    helpers: Collection[str] | None = None,
    lost: Collection[str] = (),
) -> Outcome:
    """Run one check against a solution.

    `max_examples`: the number of examples, instead of the check's own.
    `secret`: the seed of the secret examples; without it there are none.
    `helpers`: the functions of the file that right ones may stand for: those that were written and
        are not right. All of them without it.
    `lost`: those of the helpers that do not come back when they are called: they never are.
    Returned `outcome`: never an exception, except KeyboardInterrupt.
    """
    if helpers is None:
        helpers = check.parts
    run = _Run(check, solution, helpers, lost)
    try:
        if not solution.has(check.function):
            return Outcome(check.id, "not_run", "any.missing", {"function": check.function})
        examples = known_examples(check, max_examples)
        if secret is not None:
            examples += secret_examples(check, secret)[:max_examples]
        failed = run.failing(examples)
    except SolutionLost as lost_now:
        return _lost(check, lost_now, run.last)
    except Exception as error:
        _log.exception("the check %s is broken", check.id)
        return Outcome(
            check.id, "error", "any.grader", {"error": f"{type(error).__name__}: {error}"[:500]}
        )
    if failed is not None:
        return _failed(check, failed)
    return Outcome(check.id, "pass", helped=run.helped, differs=run.differs and not run.helped)


class _Run:
    """The run of one check.

    `helped`: whether some example only passed with right helpers.
    `differs`: whether one was wrong among others, and right by itself.
    """

    def __init__(
        self, check: Check, solution: Solution, helpers: Collection[str], lost: Collection[str]
    ) -> None:
        self._check, self._solution, self._lost = check, solution, lost
        # helpers that right ones stand for: where an example has failed, or from its first run
        self._parts = {name: part for name, part in check.parts.items() if name in helpers}
        self._waiting = {name: part for name, part in self._parts.items() if name in lost}
        self._attempt: _Attempt | None = None
        self.helped = self.differs = False

    @property
    def last(self) -> ShownCall | None:
        """The last call of the last example that ran by itself."""
        return None if self._attempt is None else self._attempt.last

    def failing(self, examples: Sequence[Example]) -> _Attempt | None:
        """Run examples, and return the shortest one that fails: of those that everybody knows,
        if one of these does.
        """
        wrong = [self._attempt_at(example, self._waiting) for example in examples]
        if len(wrong) > FEW:
            wrong = self._company(wrong)
        for attempt in sorted(wrong, key=_place):
            if self._fails(attempt):
                return attempt
        return None

    def _attempt_at(self, example: Example, parts: Parts) -> _Attempt:
        return _Attempt(self._check, example, parts, self._lost)

    def _company(self, attempts: Sequence[_Attempt]) -> list[_Attempt]:
        """Run attempts side by side, and return those that have to run by themselves.

        Of those that pass with right helpers, one: it shows whether it fails without them.
        """
        wrong = not_passing(attempts, self._solution)
        self.helped = any(attempt.used for attempt in attempts if attempt not in wrong)
        if not self._parts or len(wrong) < 2:
            return wrong
        helped = {self._attempt_at(each.example, self._parts): each for each in wrong}
        still = [helped[each] for each in not_passing([*helped], self._solution)]
        inheriting = [each for each in wrong if each not in still]
        return [*still, *sorted(inheriting, key=_place)[:1]]

    def _fails(self, attempt: _Attempt) -> bool:
        """Return whether an example fails by itself, and with right helpers too."""
        self._attempt, was_wrong = attempt, attempt.error is not None
        if attempt(self._solution):
            self.helped |= attempt.used
            self.differs |= was_wrong and not attempt.used
            return False
        if self._parts and self._passes_with_help(attempt.example):
            self.helped = True
            return False
        return True

    def _passes_with_help(self, example: Example) -> bool:
        try:
            return self._attempt_at(example, self._parts)(self._solution)
        except SolutionLost:  # it may have taken seconds
            self._parts = {}
            return False


def _place(attempt: _Attempt) -> tuple[bool, int]:
    """Return what attempts are sorted by: those that nobody knows come last."""
    return attempt.example.number is None, attempt.example.length


def repeat(check: Check, number: int, solution: Solution) -> tuple[Outcome, Call | None]:
    """Run one of the examples that everybody knows again, and return what it found, and its last
    call.
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
    words = assignment().has_words  # its other texts are names in a sentence
    facts |= {
        name: show(value, quoted=name in VALUES or not (words or name == "variant"))
        for name, value in error.facts.items()
    }
    facts |= show_apart(error.facts)
    counterexample |= {name: facts[name] for name in VALUES if name in facts}
    return Outcome(check.id, "fail", error.message or check.id, facts, counterexample)
