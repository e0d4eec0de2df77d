"""How a check runs against a solution: its examples, whose fault a failure is, and the smallest counterexample.

Checks with `for_all` run on fixed examples, which Hypothesis drew once (`practica.checks.examples`), the same for
everybody so that all are told the same. Then on some that are drawn from a secret seed, so that a table of answers to
the fixed ones is of no use; a check with a single example, a long one, has the secret one in its place. After a
failure Hypothesis searches from the same seed and shrinks what it finds: the smallest one is the counterexample.
Everything repeats exactly: each example begins with a seed of its own.

An example that fails runs again with right helpers (`practica.checks.help`), and only counts if that fails as well.
What is told is the first failure: it is what students see when they copy the call.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from practica.checks.agent import Answer
from practica.checks.examples import Example, as_json, fixed_examples
from practica.checks.framework import Check, CheckFailed
from practica.checks.help import Helped, Parts
from practica.checks.later import now
from practica.checks.solution import Request, Solution, SolutionLost, StudentError
from practica.checks.values import Call, code_of, code_of_arguments, show

__all__ = ["Outcome", "run_check", "searching"]

SHRINKING_RUNS = 600  # after the first failure; counted, so that a busy machine finds the same smallest example
SHRINKING_SECONDS = 10.0  # the same for functions that are slow
SECRET = 6  # there is one secret example for so many known ones
MOST_PRINTED, WIDEST_PRINTED = 3, 100  # lines of what a failing call printed, and characters of each
FEWEST_SECRET = 3  # of a check that has as many known ones
NOT_THE_CHECK = ("budget", "import_failed", "import_timeout", "sandbox")  # ways of being lost before any check

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Outcome:
    """What a check found.

    Attributes
    ----------
    id : str
    verdict : "pass", "fail", "not_run" or "error"
        "error" is a defect of the check itself, never of the student.
    message : str
        The id of the sentence; empty for "pass".
    message_facts : dict of str
        The texts of the sentence's places.
    counterexample : dict of str
        "call", a line that repeats it after `from solucion import *` and `import numpy as np`; "input", "expected" and
        "obtained" where they are known, "printed" where the call printed something: its first lines.
    helped : bool
        Whether it only passed with right helpers: the function is right, and its results are not.
    """

    id: str
    verdict: str
    message: str = ""
    message_facts: dict[str, str] = field(default_factory=dict)
    counterexample: dict[str, str] = field(default_factory=dict)
    helped: bool = False


class _Watched(Solution):
    """A solution whose last call of each example is remembered, to be shown.

    What is known to be asked next is asked in one exchange, as far as the answers are quick.
    """

    def __init__(self, solution: Solution) -> None:
        super().__init__()
        self.inner = solution
        self._known = solution.names()
        self._ahead: list[tuple[Request, Answer]] = []
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Begin an example."""
        self.seed = seed
        self.last: Call | None = None
        self.printed = ""  # by it

    def expect(self, requests: Sequence[Request]) -> None:
        """Ask what is known to be asked next, and forget what was not asked for."""
        answers = self.inner.quick_answers(requests) if len(requests) > 1 else []
        self._ahead = list(zip(requests, answers, strict=False))[::-1]

    def names(self) -> list[str]:
        """List the names of the file that can be called."""
        return self._known

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Ask the solution, and remember what was called."""
        if method == "call":
            self.last = args[0], args[1], args[2]
        elif method == "scripted":
            self.last = args[0], args[2], args[3]
        answer: Any = self._known_answer(method, args, kwargs) or self.inner.ask(method, *args, **kwargs)
        if method in ("call", "scripted"):
            self.printed = (answer.answer if method == "scripted" else answer).printed
        return answer

    def _known_answer(self, method: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Answer | None:
        if self._ahead and method == "call":
            (name, _, _, seed, want_args), answer = self._ahead[-1]
            if (name, seed, want_args) == (args[0], kwargs["seed"], kwargs["want_args"]):
                self._ahead.pop()
                return answer
        return None

    def repeated(self, times: int, name: str, /, *args: Any) -> list[Any]:
        """Call a function several times, and return the values."""
        first = self._calls
        self.expect([(name, args, {}, self._next_seed(), False) for _ in range(times)])
        self._calls = first
        return super().repeated(times, name, *args)


class _Asked(BaseException):
    """Ends an example when it is known what it asks first."""


class _First(Solution):
    """Finds out what examples ask first."""

    def __init__(self, names: list[str]) -> None:
        super().__init__()
        self._known = names
        self.asked: list[Request] = []

    def names(self) -> list[str]:
        """List the names that the file has."""
        return self._known

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Remember a call, and end the example."""
        if method == "call":
            self.asked.append((*args, kwargs["seed"], kwargs["want_args"]))
        raise _Asked


class _Enough(BaseException):
    """Ends Hypothesis at once: no Exception, so that it does not take it for a failing example."""


class _Lost(_Enough):
    def __init__(self, lost: SolutionLost) -> None:
        super().__init__()
        self.lost = lost


@dataclass
class _Found:
    """A failing example: the exception, the call that it came from, and what this printed."""

    error: CheckFailed | StudentError
    last: Call | None
    printed: str
    size: int


def run_check(
    check: Check,
    solution: Solution,
    *,
    max_examples: int | None = None,
    secret: int | None = None,
    helpers: Collection[str] | None = None,
    lost: Collection[str] = (),
    shrink: bool = True,
    called: list[Call] | None = None,
) -> Outcome:
    """Run one check against a solution.

    Parameters
    ----------
    check : Check
    solution : Solution
    max_examples : int, optional
        Instead of the check's own number.
    secret : int, optional
        The seed of the examples that nobody knows; without it there are none.
    helpers : names, optional
        The functions of the file that right ones may stand for: those that were written and are not right. All of them
        without it.
    lost : names, optional
        Those of the helpers that do not come back when they are called: they never are.
    shrink : bool, default True
        Whether the smallest counterexample is looked for; the verdict does not depend on it.
    called : list, optional
        Gets a call of a secret example that passed.

    Returns
    -------
    outcome : Outcome
        Never an exception, except KeyboardInterrupt.
    """
    watched: _Watched | None = None
    try:
        watched = _Watched(solution)
        if not watched.has(check.function):
            return Outcome(check.id, "not_run", "any.missing", {"function": check.function})
        parts = {name: part for name, part in check.parts.items() if helpers is None or name in helpers}
        search = _Search(check, watched, parts, lost, shrink)
        count = max_examples or check.examples
        drawn = secret is not None and bool(check.strategies)
        found = None if drawn and count == 1 else search.run(count)  # a long one is not run twice
        if found is None and drawn:
            found = search.run(max(min(FEWEST_SECRET, count), count // SECRET), secret)
            if found is None and called is not None and watched.last:
                called.append(watched.last)
    except (_Lost, SolutionLost) as stop:
        return _lost(check, stop.lost if isinstance(stop, _Lost) else stop, watched.last if watched else None)
    except Exception as error:
        _log.exception("the check %s is broken", check.id)
        return Outcome(check.id, "error", "any.grader", {"error": f"{type(error).__name__}: {error}"[:500]})
    return _failed(check, found) if found else Outcome(check.id, "pass", helped=search.helped)


def searching(
    check: Check, body: Callable[..., None], max_examples: int, secret: int | None = None
) -> Callable[[], None]:
    """Return what calls a function with drawn examples of a check, and shrinks one for which it fails."""
    from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings

    drawing = settings(
        max_examples=max_examples,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    strategies = {name: now(strategy) for name, strategy in check.strategies.items()}
    examples = given(**strategies)(lambda **drawn: body(**drawn))
    return seed(_seed_of(check.id, secret))(drawing(examples))


def _seed_of(id: str, secret: int | None) -> int:
    if secret is None:
        return zlib.crc32(id.encode())
    return int.from_bytes(hashlib.sha256(f"{secret} {id}".encode()).digest())


_secret: dict[tuple[str, int, int], list[Example]] = {}  # what was drawn, once for all solutions


def _secret_examples(check: Check, count: int, secret: int) -> list[Example]:
    key = check.id, count, secret
    if key not in _secret:
        drawn: list[Example] = []
        searching(check, lambda **example: drawn.append(example), count + 1, secret)()
        _secret[key] = drawn[1:]  # Hypothesis begins with the simplest example, which is known too
    return _secret[key]


class _Search:
    """A check on its examples.

    Attributes
    ----------
    helped : bool
        Whether some example only passed with right helpers.
    """

    def __init__(self, check: Check, watched: _Watched, parts: Parts, lost: Collection[str], shrink: bool) -> None:
        self.check, self.watched, self.shrink = check, watched, shrink
        waiting = {name: part for name, part in parts.items() if name in lost}
        self.solution = Helped(watched, waiting, lost) if waiting else watched
        self.help = Helped(watched.inner, parts, lost) if parts else None
        self.helped = False
        self.smallest: _Found | None = None
        self.first_failure, self.shrinking = 0.0, 0

    def run(self, max_examples: int, secret: int | None = None) -> _Found | None:
        """Try the fixed examples, or some that nobody knows; return the smallest failing one."""
        run: Callable[[], None] = self.example
        first = None
        if self.check.strategies:
            if secret is None:
                known = fixed_examples(self.check.id)[:max_examples]
            else:
                known = _secret_examples(self.check, max_examples, secret)
            if (first := self._first_failing(known)) is None and known:
                return None
            if first is not None and not self.shrink:
                return first
            self.smallest = None
            run = searching(self.check, self.example, max_examples, secret)
        try:
            run()
        except _Lost:
            if self.smallest is None:
                raise
        except _Enough:
            pass
        except (CheckFailed, StudentError) as error:
            # The smallest example, which Hypothesis has just run again.
            return _Found(error, self.watched.last, self.watched.printed, 0)
        except (Exception, BaseExceptionGroup):  # Hypothesis finds the student's code flaky
            if self.smallest is None:
                raise
        return self.smallest or first  # another release of Hypothesis may draw others

    def example(self, **drawn: Any) -> None:
        """Try one example, and again with right helpers if it fails."""
        if self.smallest is not None:
            self.shrinking += 1
            if self.shrinking > SHRINKING_RUNS or time.monotonic() - self.first_failure > SHRINKING_SECONDS:
                raise _Enough
        text = _text_of(drawn)
        self.solution.seed = zlib.crc32(text.encode())
        self.watched.begin(self.solution.seed)
        try:
            self.check.body(self.solution, **drawn)
        except SolutionLost as lost:
            raise _Lost(lost) from None
        except (CheckFailed, StudentError) as error:
            if self._only_inherits(drawn):
                self.helped = True
            else:
                if self.smallest is None:
                    self.first_failure = time.monotonic()
                if self.smallest is None or len(text) <= self.smallest.size:
                    self.smallest = _Found(error, self.watched.last, self.watched.printed, len(text))
                raise error from None
        else:
            self.helped |= isinstance(self.solution, Helped) and self.solution.used

    def _only_inherits(self, drawn: dict[str, Any]) -> bool:
        """Tell whether the example passes with right helpers."""
        if self.help is None:
            return False
        self.help.seed = self.solution.seed
        try:
            self.check.body(self.help, **drawn)
        except (CheckFailed, StudentError):
            return False
        except SolutionLost:  # which may have taken seconds
            self.help = None
            return False
        return True

    def _first_failing(self, cases: Sequence[Example]) -> _Found | None:
        """Try examples, until one fails."""
        if self.solution is self.watched:
            self._ask_ahead(cases)
        try:
            for case in cases:
                self.example(**case)
        except (CheckFailed, StudentError):
            return self.smallest
        finally:
            self.watched.expect([])
        return None

    def _ask_ahead(self, cases: Sequence[Example]) -> None:
        """Ask what all of the examples ask first."""
        first = _First(self.watched.names())
        for case in cases:
            first.seed = zlib.crc32(_text_of(case).encode())
            with suppress(_Asked, Exception):  # which the example meets again
                self.check.body(first, **case)
        self.watched.expect(first.asked)


def _text_of(example: Example) -> str:
    return json.dumps({name: as_json(value) for name, value in example.items()})


def _lost(check: Check, lost: SolutionLost, last: Call | None) -> Outcome:
    verdict = "not_run" if lost.reason in NOT_THE_CHECK else "fail"
    facts = {name: show(value) for name, value in lost.facts.items()}
    facts["call"] = code_of(last, short=True) if last else ""
    return Outcome(check.id, verdict, f"lost.{lost.reason}", facts, {"call": code_of(last)} if last else {})


def _failed(check: Check, found: _Found) -> Outcome:
    error = found.error
    counterexample = {"call": code_of(found.last) if found.last else ""}
    if found.last:
        _, args, kwargs = found.last
        counterexample["input"] = ", ".join(code_of_arguments(args, kwargs, short=True))
    if printed := found.printed.strip().splitlines()[:MOST_PRINTED]:
        counterexample["printed"] = "\n".join(line[:WIDEST_PRINTED] for line in printed)
    facts = {"call": code_of(found.last, short=True) if found.last else "", "function": check.function}
    if isinstance(error, StudentError):
        text = f"{error.type}: {error.message}".strip().removesuffix(":")
        facts["error"] = show(text, quoted=False)
        facts["line"] = "?" if error.line is None else str(error.line)
        counterexample["obtained"] = facts["error"]
        no_module = error.type == "TypeError" and error.message.endswith("is not a Module subclass")
        return Outcome(check.id, "fail", "any.raises.module" if no_module else "any.raises", facts, counterexample)
    facts |= {name: show(value, quoted=False) for name, value in error.facts.items()}
    counterexample |= {name: facts[name] for name in ("expected", "obtained") if name in facts}
    return Outcome(check.id, "fail", error.message or check.id, facts, counterexample)
