"""The function that caused a failure, found by running the same solution with right helpers.

A function that is right but calls another one that is wrong should not pay for it. So an example
that fails runs again on a `Helped` solution, where helpers answer right: what they return is
computed here, for exactly the calls that they got. Only what fails both times counts.

Help never gives points:

* the helpers of a row come before it in the statement, so that helpers get no help;
* the grader, which knows the verdicts, leaves out the helpers that need no help and those that were
  never written;
* where the answer of a helper would be the whole answer, there is no help;
* a function helps itself only from an overload to a simpler one. A row that does not fail without
  it is judged without it, so that this shows where a mistake is, and nothing else.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from practica.grading.engine.current import assignment
from practica.grading.engine.rendering import equal
from practica.grading.engine.solution import DelegatingSolution, Solution
from practica.grading.inside.plain_data import Answer, RecordedCall, Transcript

# values that one call is about, and all of one transcript
LARGEST_CALL, LARGEST_CALLS = 3_000, 50_000
LARGEST_INT = 10_000  # in a call: it may say how many are wanted
# results change the arguments of later helpers, and an error hides them: they settle one by one
ROUNDS = 24


@dataclass(frozen=True)
class Part:
    """The replacement of a helper that the student's function may call by a right one."""

    # takes the positional arguments and the keyword arguments of a call; returns the right result,
    # or None where it has no opinion: then the student's own result stays
    right: Callable[..., Any]
    # the result is drawn: `right` also takes two numbers, which no other call has
    draws: bool = False
    # takes the right result and the student's; returns the right one in the student's form
    adapt: Callable[[Any, Any], Any] | None = None
    # of a function with overloads that come down to simpler ones: takes the positional arguments
    # and returns how far they are from the simplest, or raises for what is no overload. Only with
    # it may a function help itself, and only downwards
    level: Callable[[Sequence[Any]], int] | None = None

    def results(self, calls: Sequence[RecordedCall], seed: int) -> list[Any]:
        """Return the right results of calls.

        Very large or very many calls keep their own results.
        """
        results, left = [], LARGEST_CALLS
        for turn, call in enumerate(calls):
            size = min(_size([call.args, call.kwargs]), left + 1)
            left -= size
            results.append(
                self._result((seed, turn), call) if size <= min(LARGEST_CALL, left) else call.result
            )
        return results

    def _result(self, draw: tuple[int, int], call: RecordedCall) -> Any:
        right = None
        with suppress(Exception), quiet():  # arguments that make no sense have no right result
            right = (
                self.right(call.args, call.kwargs, draw)
                if self.draws
                else self.right(call.args, call.kwargs)
            )
            if right is not None and self.adapt is not None:
                right = self.adapt(right, call.result)
        return call.result if right is None else right

    def helps(self, asked: Sequence[Any], calls: Sequence[RecordedCall]) -> bool:
        """Return whether the recursive calls of a function may be replaced, given its arguments."""
        try:
            return self.level is not None and all(
                self.level(call.args) < self.level(asked) for call in calls
            )
        except Exception:  # arguments that make no sense have no level
            return False


@contextmanager
def quiet() -> Iterator[None]:
    """Keep back the warnings of numpy about what the student's arguments lead to."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


Parts: TypeAlias = "Mapping[str, Part]"
_THROUGH: Mapping[str, Any] = {"through": True}
# as it was: a network is trained once it is returned
_MADE: Mapping[str, Any] = {"through": True, "copies": True}
_RAISES: Mapping[str, Any] = {"raises": "no right answer yet"}  # until the call is known


class Around(DelegatingSolution):
    """A solution that calls all functions of another one with doubles."""

    def answer(self, name: str, /, *args: Any, want_args: bool = False, **kwargs: Any) -> Answer:
        """Call a function with the doubles of this solution, and no others."""
        return self.scripted(name, {}, *args, **kwargs).answer


class Helped(Around):
    """A solution with helpers that answer right.

    `parts`: the helpers.
    `lost`: the helpers that do not come back when they are called: they never are.
    `used`: whether a helper was replaced.
    """

    def __init__(self, solution: Solution, parts: Parts, lost: Collection[str] = ()) -> None:
        super().__init__(solution)
        self._parts = {name: part for name, part in parts.items() if solution.has(name)}
        self._first = {name: _RAISES if name in lost else _MADE for name in self._parts}
        self.used = False

    def scripted(
        self, name: str, doubles: Mapping[str, Mapping[str, Any]], /, *args: Any, **kwargs: Any
    ) -> Transcript:
        """Call a function with doubles and, where these let them through, right helpers.

        It is called until its helpers get no other questions for right answers.
        """
        seed = self._next_seed()
        parts = {
            part: way
            for part, way in self._parts.items()
            if doubles.get(part, _THROUGH) in (_THROUGH, _MADE)
            and (part != name or way.level is not None)
        }
        tried: dict[str, Any] = {**doubles, **{part: self._first[part] for part in parts}}
        seen: list[Any] = []
        for _ in range(ROUNDS):
            transcript: Transcript = self.ask(
                "scripted", name, tried, list(args), kwargs, seed=seed
            )
            calls = [call for call in transcript.calls if call.name in parts]
            asked = [(call.name, call.args, call.kwargs) for call in calls]
            if not calls or equal(asked, seen):
                break
            seen = asked
            for part, way in parts.items():
                of_part = [call for call in calls if call.name == part]
                if of_part and (part != name or way.helps(args, of_part)):
                    kept = {"copies": True} if doubles.get(part) == _MADE else {}
                    tried[part] = {"sequence": way.results(of_part, seed), **kept}
                    self.used = True
                else:
                    tried[part] = self._first[part]
        return Transcript(
            transcript.answer, [call for call in transcript.calls if call.name in doubles]
        )


class Tamed(Around):
    """A solution with networks that begin with small weights of ours, the same ones for the same
    seed.
    """

    def scripted(
        self, name: str, doubles: Mapping[str, Mapping[str, Any]], /, *args: Any, **kwargs: Any
    ) -> Transcript:
        """Call a function with doubles."""
        seed = self._next_seed()
        all_of_them = dict(doubles)
        if (builds := assignment().builds) in self.names():
            all_of_them[builds] = {**doubles.get(builds, _THROUGH), "tame": seed}
        transcript: Transcript = self.ask(
            "scripted", name, all_of_them, list(args), kwargs, seed=seed
        )
        return Transcript(
            transcript.answer, [call for call in transcript.calls if call.name in doubles]
        )


def _size(value: Any) -> int:
    """Count the elements and letters of arguments.

    With a number that is too large they are too many.
    """
    match value:
        case np.ndarray():
            return value.size
        case str():
            return len(value)
        case int() if abs(value) > LARGEST_INT:
            return LARGEST_CALL + 1
        case list() | tuple():
            return sum(map(_size, value))
        case dict():
            return sum(map(_size, value.values()))
    return 1
