"""A run of a check against a solution: its examples, the cause of a failure, and the smallest
counterexample.

Checks with `for_all` run on fixed examples, which Hypothesis drew once
(`practica.grading.engine.fixed_examples`), the same for all students, so that all read the same.
Then on some that are drawn from a secret seed, so that a table of answers to the fixed ones is of
no use. After a failure Hypothesis searches from the same seed and shrinks what it finds: the
smallest one is the counterexample. Everything repeats exactly: each example begins with a seed of
its own.

An example that fails runs again with right helpers (`practica.grading.engine.helper_substitution`),
and only counts if that fails as well. The first failure is shown: it is what students see when they
copy the call.
"""

from __future__ import annotations

import functools
import json
import logging
import math
import time
import zlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from practica.grading.engine.batching import failing
from practica.grading.engine.current import assignment
from practica.grading.engine.drawing import Example, draw, searching
from practica.grading.engine.fixed_examples import as_json, fixed_examples, from_json
from practica.grading.engine.framework import Check, CheckFailed
from practica.grading.engine.helper_substitution import Helped, Parts, quiet
from practica.grading.engine.rendering import Call, code_of, code_of_arguments, show, show_apart
from practica.grading.engine.solution import Solution, SolutionLost, StudentError
from practica.grading.engine.watched import ShownCall, Watched

# after the first failure; counted, so that a busy machine finds the same smallest example
SHRINKING_RUNS = 600
SHRINKING_SECONDS = 10.0  # the same for functions that are slow
SHRINKING_RUNS_TOGETHER = 1000  # for all checks of a submission; a mistake takes some 100
SECRET = 4  # there is one secret example for so many known ones
# lines of what a failing call printed, and characters of each
MOST_PRINTED, WIDEST_PRINTED = 3, 100
FEWEST_SECRET = 3  # for a check that has as many known ones
VALUES = ("expected", "obtained")  # facts in which a text is a value, and has its quotes
# ways of being lost before any check
NOT_THE_CHECK = ("budget", "import_failed", "import_timeout", "sandbox")

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
    """

    id: str
    verdict: str
    message: str = ""
    message_facts: dict[str, str] = field(default_factory=dict)
    counterexample: dict[str, str] = field(default_factory=dict)
    helped: bool = False


@dataclass
class Patience:
    """How many more examples are tried to shrink counterexamples: a file that fails at random takes
    all it can get.
    """

    runs: int = SHRINKING_RUNS_TOGETHER


class _ExampleRun:
    """One example of a check, to be run once on a solution.

    `parts`: the helpers that right ones stand for.
    `last`: the last call.
    `used`: whether a helper was replaced.
    `failed`: whether an answer was wrong the last time that it ran.
    """

    def __init__(
        self,
        check: Check,
        drawn: Example,
        parts: Parts,
        lost: Collection[str],
        text: str | None = None,
        is_known: bool = True,
    ) -> None:
        self.check, self.drawn, self.text = check, drawn, _text_of(drawn) if text is None else text
        self.is_known = is_known
        self.parts, self.lost = parts, lost
        self.seed = seed_of(self.text)
        self.last: ShownCall | None = None
        self.used = self.failed = False

    def __call__(self, solution: Solution) -> None:
        watched = Watched(solution)
        helped = Helped(watched, self.parts, self.lost) if self.parts else None
        for_body = helped or watched
        for_body.seed, for_body.is_known = self.seed, self.is_known
        self.failed = False
        try:
            self.check.body(self.check.heard(for_body), **self.drawn)
        except (CheckFailed, StudentError):
            self.failed = True
            raise
        finally:
            self.last = watched.last
            self.used = helped is not None and helped.used


class _StopSearching(BaseException):
    """Ends Hypothesis at once.

    It is no `Exception`, which Hypothesis would take for a failing example.
    """


class _StopLost(_StopSearching):
    """Ends Hypothesis where the process of the solution is lost."""

    def __init__(self, lost: SolutionLost) -> None:
        super().__init__()
        self.lost = lost


@dataclass
class _FailingExample:
    """A failing example: the error that the check raised, and the last call before it."""

    error: CheckFailed | StudentError
    last: ShownCall | None
    attempt: _ExampleRun

    @property
    def size(self) -> int:
        return len(self.attempt.text)


def run_check(
    check: Check,
    solution: Solution,
    *,
    max_examples: int | None = None,
    secret: int | None = None,
    helpers: Collection[str] | None = None,
    lost: Collection[str] = (),
    shrink: bool = True,
    patience: Patience | None = None,
) -> Outcome:
    """Run one check against a solution.

    `max_examples`: the number of examples, instead of the check's own.
    `secret`: the seed of the secret examples; without it there are none.
    `helpers`: the functions of the file that right ones may stand for: those that were written and
        are not right. All of them without it.
    `lost`: those of the helpers that do not come back when they are called: they never are.
    `shrink`: whether the smallest counterexample is looked for; the verdict does not depend on it.
    `patience`: what is left for this check and others, where there are others.
    Returned `outcome`: never an exception, except KeyboardInterrupt.
    """
    search: _CounterexampleSearch | None = None
    try:
        if not solution.has(check.function):
            return Outcome(check.id, "not_run", "any.missing", {"function": check.function})
        search = _CounterexampleSearch(
            check, solution, _parts_of(check, helpers), lost, shrink, patience or Patience()
        )
        known, secrets = _counts(check, max_examples, secret)
        found = search.run(known)
        if found is None and secrets:
            found = search.run(secrets, secret)
    except (_StopLost, SolutionLost) as stop:
        return _lost(
            check,
            stop.lost if isinstance(stop, _StopLost) else stop,
            search.last if search else None,
        )
    except Exception as error:
        _log.exception("the check %s is broken", check.id)
        return Outcome(
            check.id, "error", "any.grader", {"error": f"{type(error).__name__}: {error}"[:500]}
        )
    return _failed(check, found) if found else Outcome(check.id, "pass", helped=search.helped)


def repeat(check: Check, drawn: str, solution: Solution) -> tuple[Outcome, Call | None]:
    """Run one example of a check again, and return what it found, and its last call.

    `drawn`: as a counterexample has it.
    """
    attempt = _ExampleRun(check, example_of(drawn), {}, (), drawn)
    try:
        with quiet():
            attempt(solution)
    except (CheckFailed, StudentError) as error:
        outcome = _failed(check, _FailingExample(error, attempt.last, attempt))
    else:
        outcome = Outcome(check.id, "pass")
    return outcome, attempt.last.call if attempt.last else None


def run_together(
    checks: Sequence[Check],
    solution: Solution,
    *,
    max_examples: int | None = None,
    secret: int | None = None,
    helpers: Collection[str] | None = None,
    lost: Collection[str] = (),
    until: float = math.inf,
) -> tuple[dict[str, Outcome], set[str]]:
    """Run the examples of many checks side by side; parameters are those of `run_check`.

    Once one has failed, a solution that has used a share `until` of its time gets no more requests.

    Returned `passing`: those of the checks that are known to pass; the others have to run by
        themselves.
    Returned `wrong`: the ids of those that had a wrong answer here, without help.
    """
    groups, wrong = [], set[str]()
    try:
        for check in checks:
            if solution.has(check.function):
                known, secrets = _counts(check, max_examples, secret)
                drawn = [(*each, True) for each in known_with_texts(check, known)]
                if secret is not None and secrets:
                    drawn += [(*each, False) for each in _secret_with_texts(check, secrets, secret)]
                if drawn:
                    groups.append(_CheckExamples(check, _parts_of(check, helpers), lost, drawn))
        positions = failing([group.alone for group in groups], solution, until)
        doubtful = {
            group: position
            for group, position in zip(groups, positions, strict=True)
            if position is not None
        }
        wrong = {group.check.id for group, at in doubtful.items() if group.alone[at].failed}
        inherits = [group for group in doubtful if group.parts]
        inherits = _passing(
            inherits, [[group.helped[doubtful[group]]] for group in inherits], solution, until
        )
        inherits = _passing(inherits, [group.helped for group in inherits], solution, until)
        inherits = [group for group in inherits if group.fails(doubtful[group], solution)]
    except Exception:  # the checks meet it again
        _log.debug("nothing ran side by side", exc_info=True)
        return {}, set()
    passing = {}
    for group in groups:
        if group not in doubtful or group in inherits:
            attempts = group.helped if group in doubtful else group.alone
            helped = group in doubtful or any(attempt.used for attempt in attempts)
            passing[group.check.id] = Outcome(group.check.id, "pass", helped=helped)
    return passing, wrong


def _passing(
    groups: Sequence[_CheckExamples],
    attempts: Sequence[Sequence[_ExampleRun]],
    solution: Solution,
    until: float,
) -> list[_CheckExamples]:
    """Return the groups with attempts that are known to pass."""
    positions = failing(attempts, solution, until)
    return [group for group, position in zip(groups, positions, strict=True) if position is None]


class _CheckExamples:
    """The examples of one check, each to be run with the student's helpers and with right ones."""

    def __init__(
        self,
        check: Check,
        parts: Parts,
        lost: Collection[str],
        drawn: Sequence[tuple[Example, str, bool]],
    ) -> None:
        self.check, self.parts = check, parts
        waiting = {name: part for name, part in parts.items() if name in lost}
        self.alone = [
            _ExampleRun(check, each, waiting, lost, text, known) for each, text, known in drawn
        ]
        self.helped = [
            _ExampleRun(check, each, parts, lost, text, known) for each, text, known in drawn
        ]

    def fails(self, position: int, solution: Solution) -> bool:
        """Return whether the example also fails when run alone."""
        try:
            self.alone[position](solution)
        except (CheckFailed, StudentError):
            return True
        except SolutionLost:
            pass
        return False


def _parts_of(check: Check, helpers: Collection[str] | None) -> Parts:
    return {name: part for name, part in check.parts.items() if helpers is None or name in helpers}


def _counts(check: Check, max_examples: int | None, secret: int | None) -> tuple[int, int]:
    """Return how many fixed examples are tried, and how many secret ones."""
    count = max_examples or check.examples
    if secret is None or not check.strategies:
        return count, 0
    return count, max(min(FEWEST_SECRET, count), count // SECRET)


# what was drawn, once for all solutions
_secret: dict[tuple[str, int, int], list[tuple[Example, str]]] = {}


@functools.cache
def _fixed_with_texts(id: str) -> list[tuple[Example, str]]:
    return [(example, _text_of(example)) for example in fixed_examples(id)]


def known_with_texts(check: Check, count: int) -> list[tuple[Example, str]]:
    """Return the first known examples of a check, each with its text; one without anything drawn
    if it has no strategies.
    """
    return _fixed_with_texts(check.id)[:count] if check.strategies else [({}, "{}")]


def _secret_with_texts(check: Check, count: int, secret: int) -> list[tuple[Example, str]]:
    """Draw secret examples of a check, or return those drawn before."""
    key = check.id, count, secret
    if key not in _secret:
        _secret[key] = [(example, _text_of(example)) for example in draw(check, count, secret)]
    return _secret[key]


class _CounterexampleSearch:
    """The search for the smallest failing example of one check.

    `helped`: whether some example only passed with right helpers.
    """

    def __init__(
        self,
        check: Check,
        solution: Solution,
        parts: Parts,
        lost: Collection[str],
        shrink: bool,
        patience: Patience,
    ) -> None:
        self.check, self.solution, self.patience = check, solution, patience
        self.shrink = shrink and patience.runs > 0
        self.parts, self.lost = parts, lost
        self.waiting = {name: part for name, part in parts.items() if name in lost}
        self.helped = False
        self.attempt: _ExampleRun | None = None
        self.smallest: _FailingExample | None = None
        self.first_failure, self.shrinking = 0.0, 0
        self.tried, self.is_known = 0, True

    @property
    def last(self) -> ShownCall | None:
        """The last call of the last example."""
        return None if self.attempt is None else self.attempt.last

    def run(self, max_examples: int, secret: int | None = None) -> _FailingExample | None:
        """Try the fixed examples, or some secret ones; return the smallest failing one."""
        run: Callable[[], None] = self.example
        first, self.is_known = None, secret is None
        if self.check.strategies:
            if secret is None:
                known = fixed_examples(self.check.id)[:max_examples]
            else:
                known = [
                    example for example, _ in _secret_with_texts(self.check, max_examples, secret)
                ]
            if (first := self._first_failing(known)) is None and known:
                return None
            # Hypothesis began with it: there is none smaller
            simplest = secret is None and self.tried == 1
            if first is not None and (simplest or not self.shrink):
                return first
            self.smallest = None
            run = searching(self.check, self.example, max_examples, secret)
        try:
            run()
        except _StopLost:
            if self.smallest is None:
                raise
        except _StopSearching:
            pass
        except (CheckFailed, StudentError) as error:
            # The smallest example, which Hypothesis has just run again.
            assert self.attempt is not None
            return _FailingExample(error, self.attempt.last, self.attempt)
        except (Exception, BaseExceptionGroup):  # Hypothesis finds the student's code flaky
            if self.smallest is None:
                raise
        return self.smallest or first  # another release of Hypothesis may draw others

    def example(self, **drawn: Any) -> None:
        """Try one example, and again with right helpers if it fails."""
        if self.smallest is not None:
            self.shrinking += 1
            self.patience.runs -= 1
            enough = self.shrinking > SHRINKING_RUNS or self.patience.runs < 0
            if enough or time.monotonic() - self.first_failure > SHRINKING_SECONDS:
                raise _StopSearching
        self.attempt = attempt = _ExampleRun(
            self.check, drawn, self.waiting, self.lost, None, self.is_known
        )
        try:
            attempt(self.solution)
        except SolutionLost as lost:
            raise _StopLost(lost) from None
        except (CheckFailed, StudentError) as error:
            if self._only_inherits(drawn):
                self.helped = True
            else:
                size = len(attempt.text)
                if self.smallest is None:
                    self.first_failure = time.monotonic()
                if self.smallest is None or size <= self.smallest.size:
                    self.smallest = _FailingExample(error, attempt.last, attempt)
                raise error from None
        else:
            self.helped |= attempt.used

    def _only_inherits(self, drawn: Example) -> bool:
        """Return whether the example passes with right helpers."""
        if not self.parts:
            return False
        try:
            _ExampleRun(self.check, drawn, self.parts, self.lost, None, self.is_known)(
                self.solution
            )
        except (CheckFailed, StudentError):
            return False
        except SolutionLost:  # it may have taken seconds
            self.parts = {}
            return False
        return True

    def _first_failing(self, cases: Sequence[Example]) -> _FailingExample | None:
        """Try examples, until one fails."""
        try:
            for self.tried, case in enumerate(cases, 1):
                self.example(**case)
        except (CheckFailed, StudentError):
            return self.smallest
        return None


def _text_of(example: Example) -> str:
    return json.dumps({name: as_json(value) for name, value in example.items()})


def example_of(text: str) -> Example:
    """Return the example that a counterexample has as "drawn"."""
    return {name: from_json(node) for name, node in json.loads(text).items()}


def seed_of(text: str) -> int:
    """Return the seed with which an example begins, given its text."""
    return zlib.crc32(text.encode())


def _lost(check: Check, lost: SolutionLost, last: ShownCall | None) -> Outcome:
    verdict = "not_run" if lost.reason in NOT_THE_CHECK else "fail"
    facts = {
        name: value if name == "variant" else show(value) for name, value in lost.facts.items()
    }
    facts["call"] = code_of(last.call, short=True) if last else ""
    return Outcome(check.id, verdict, f"lost.{lost.reason}", facts, last.facts() if last else {})


def _failed(check: Check, found: _FailingExample) -> Outcome:
    error, last = found.error, found.last
    counterexample = last.facts() if last else {"call": ""}
    if found.attempt.is_known:
        counterexample["drawn"] = found.attempt.text
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
