"""The function that caused a failure, found by running the same solution with right helpers.

A function that is right but calls another one that is wrong should not pay for it. So an example
that fails runs again on a `Helped` solution: a stand-in for each wrong helper asks for the right
result of every call that it gets, which is computed here. If there is none, the student's own
helper answers. Only what fails both times counts.

Help never gives points:

* the helpers of a row come before it in the statement, and only those are replaced that were judged
  and are not right, regardless of what they are instead: so no function is helped through itself,
  nor through a cycle;
* where the answer of a helper would be the whole answer, there is no help;
* what one call may ask is limited.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from practica.grading.engine.current import assignment
from practica.grading.engine.solution import DelegatingSolution, Solution
from practica.grading.inside.plain_data import Answer, RecordedCall, Transcript

# values that one question is about, and all those of one call
LARGEST_QUESTION, LARGEST_QUESTIONS = 3_000, 50_000
LARGEST_ARRAY = 100_000  # numbers that the grader computes at once for the arguments of a file


@dataclass(frozen=True)
class Part:
    """How a helper that the student's function may call is replaced by a right one."""

    # takes the positional arguments and the keyword arguments of a call; returns the right result,
    # or None where it has no opinion: then the student's own helper answers. If more numbers are
    # computed than the arguments have, it calls `require_small` before
    right: Callable[..., Any]
    # the result is drawn: `right` also takes two numbers, which no other call has
    draws: bool = False
    # takes the right result, and returns it with each number of values that is legal: the stand-in
    # takes that of the student's helper
    forms: Callable[[Any], list[Any]] = lambda right: [right]
    # options with which a call of the student's helper soon shows the form of its results
    brief: Mapping[str, Any] = field(default_factory=dict)


def require_small(*sides: int) -> None:
    """Raise ValueError if an array of these sides would have more numbers than the grader computes
    for the arguments of a file.
    """
    if math.prod(sides) > LARGEST_ARRAY:
        raise ValueError(f"an array of sides {sides}; at most {LARGEST_ARRAY} numbers")


@contextmanager
def quiet() -> Iterator[None]:
    """Silence numpy's warnings inside the block: they are about the student's arguments."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


Parts: TypeAlias = "Mapping[str, Part]"
_THROUGH: Mapping[str, Any] = {"through": True}


class RightResults:
    """The right results of helpers, for the stand-ins that ask for them during one call.

    `parts`: how each helper is replaced, by name.
    `seed`: the seed of results that are drawn.
    `used`: whether a question had a right result.
    """

    def __init__(self, parts: Parts, seed: int) -> None:
        self._parts, self._seed = parts, seed
        self._turn, self._left = 0, LARGEST_QUESTIONS
        self.used = False

    def __call__(self, call: RecordedCall) -> list[Any]:
        """Return the right result of a helper's call, with each number of values that is legal; an
        empty list if it has none.

        Very large questions, and very many, have none.
        """
        self._turn += 1
        size = 1 + _size([call.args, call.kwargs])
        if call.name not in self._parts or size > min(LARGEST_QUESTION, self._left):
            return []
        self._left -= size
        part = self._parts[call.name]
        draw = [(self._seed, self._turn)] * part.draws
        with suppress(Exception), quiet():  # arguments that make no sense have no right result
            right = part.right(call.args, call.kwargs, *draw)
            if right is not None:
                self.used = True
                return part.forms(right)
        return []


class Around(DelegatingSolution):
    """The base class of solutions that add doubles to every call of another one, in `scripted`."""

    def answer(self, name: str, /, *args: Any, want_args: bool = False, **kwargs: Any) -> Answer:
        """Call a function with the doubles that this solution adds, and no others."""
        return self.scripted(name, {}, *args, **kwargs).answer


class Helped(Around):
    """A solution in which right helpers replace some of the student's.

    They return as many values as the student's own ones do.

    `parts`: how each of these helpers is replaced, by name.
    `lost`: helpers that are never called, not even to see the form of their results, because they
        do not return.
    `used`: whether a right result was used.
    """

    def __init__(self, solution: Solution, parts: Parts, lost: Collection[str] = ()) -> None:
        super().__init__(solution)
        self._parts = parts
        self._lost = lost
        self.used = False

    def scripted(
        self, name: str, doubles: Mapping[str, Mapping[str, Any]], /, *args: Any, **kwargs: Any
    ) -> Transcript:
        """Call a function with doubles, and with right helpers for functions that have no double,
        or one that lets their calls through.
        """
        seed = self._next_seed()
        parts = {
            name: part
            for name, part in self._parts.items()
            if "through" in doubles.get(name, _THROUGH)
        }
        asking = {
            name: {
                **doubles.get(name, {}),
                "asks": True,
                **({} if name in self._lost else {"like": part.brief}),
            }
            for name, part in parts.items()
        }
        asked = RightResults(parts, seed)
        options = {"seed": seed, "asked": asked, **assignment().reading}
        transcript: Transcript = self.ask(
            "scripted", name, {**doubles, **asking}, list(args), kwargs, **options
        )
        self.used |= asked.used
        return Transcript(
            transcript.answer, [call for call in transcript.calls if call.name in doubles]
        )


class Tamed(Around):
    """A solution in which new networks get small weights from the grader, the same ones for the
    same seed.
    """

    def scripted(
        self, name: str, doubles: Mapping[str, Mapping[str, Any]], /, *args: Any, **kwargs: Any
    ) -> Transcript:
        """Call a function with doubles, and with small weights in each network that is built."""
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
    """Return the size of arguments: the elements of their arrays, the characters of their strings,
    and one for each other value.
    """
    match value:
        case np.ndarray():
            return value.size
        case str():
            return len(value)
        case list() | tuple():
            return sum(map(_size, value))
        case dict():
            return sum(map(_size, value.values()))
    return 1
