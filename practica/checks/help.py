"""Whose fault a failure is: the same solution, with right helpers.

A function that is right but calls another one that is wrong should not pay for it. So an example that fails runs again
on a `Helped` solution, whose helpers answer right: what they return is computed here, for exactly what they were asked.
Only what fails both times counts.

Help never gives points:

* a function is no helper of its own, nor of those that its own helpers may be: the helpers of each row come before it
  in the statement, and an overload is only helped by a simpler one;
* whoever knows the verdicts leaves out the helpers that need no help and those that were never written;
* an answer that is a helper's and nothing else proves nothing, so that it stays the student's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from practica.checks.agent import Answer, RecordedCall, Transcript
from practica.checks.solution import Solution
from practica.checks.values import equal

__all__ = ["Helped", "Part", "Parts"]

ROUNDS = 24  # results change the arguments of later helpers, and an error hides them: they settle one by one


@dataclass(frozen=True)
class Part:
    """How a helper that the student's function may call is replaced by a right one.

    Attributes
    ----------
    right : callable
        Takes the positional arguments and the keyword arguments of a call; returns the right result, or None where it
        has no opinion: then the student's own result stays.
    fills : bool
        The result is written into the first argument, which is returned: the functions whose name ends in `_`.
    draws : bool
        The result is drawn: `right` also takes the number of the call.
    adapt : callable, optional
        Takes the right result and the student's; returns the right one in the student's form.
    level : callable, optional
        Of a function with overloads that come down to simpler ones: takes the positional arguments and tells how far
        they are from the simplest. Only with it may a function help itself, and only downwards.
    """

    right: Callable[..., Any]
    fills: bool = False
    draws: bool = False
    adapt: Callable[[Any, Any], Any] | None = None
    level: Callable[[Sequence[Any]], int] | None = None

    def results(self, calls: Sequence[RecordedCall]) -> list[Any]:
        """Return what these calls should have returned."""
        return [self._result(turn, call) for turn, call in enumerate(calls)]

    def _result(self, turn: int, call: RecordedCall) -> Any:
        right = None
        with suppress(Exception):  # arguments that make no sense have no right result
            right = self.right(call.args, call.kwargs, turn) if self.draws else self.right(call.args, call.kwargs)
            if right is not None and self.adapt is not None:
                right = self.adapt(right, call.result)
        return call.result if right is None else right

    def helps(self, asked: Sequence[Any], calls: Sequence[RecordedCall]) -> bool:
        """Tell whether calls of the function itself may be helped, when it was asked this."""
        try:
            return self.level is not None and all(self.level(call.args) < self.level(asked) for call in calls)
        except Exception:  # arguments that make no sense have no level
            return False


Parts: TypeAlias = "Mapping[str, Part]"
_THROUGH: Mapping[str, Any] = {"through": True}


class Helped(Solution):
    """A solution whose helpers answer right.

    Parameters
    ----------
    solution : Solution
    parts : dict of Part
        The helpers.

    Attributes
    ----------
    copied : str
        The helper whose answer was, in the last call that could not be helped for it, the answer of the function.
    """

    def __init__(self, solution: Solution, parts: Parts) -> None:
        super().__init__()
        self._inner = solution
        self._known = solution.names()
        self._parts = {name: part for name, part in parts.items() if name in self._known}
        self.copied = ""

    def names(self) -> list[str]:
        """List the names of the file that can be called."""
        return self._known

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Ask the solution."""
        return self._inner.ask(method, *args, **kwargs)

    def answer(self, name: str, /, *args: Any, want_args: bool = False, **kwargs: Any) -> Answer:
        """Call a function with right helpers."""
        return self.scripted(name, {}, *args, **kwargs).answer

    def scripted(self, name: str, doubles: Mapping[str, Mapping[str, Any]], /, *args: Any, **kwargs: Any) -> Transcript:
        """Call a function with doubles and, where these let them through, right helpers."""
        seed = self._next_seed()
        parts = {
            part: way
            for part, way in self._parts.items()
            if doubles.get(part, _THROUGH) == _THROUGH and (part != name or way.level is not None)
        }
        tried: dict[str, Any] = {**doubles, **dict.fromkeys(parts, _THROUGH)}
        seen: list[Any] = []
        for _ in range(ROUNDS):
            transcript: Transcript = self.ask("scripted", name, tried, list(args), kwargs, seed=seed)
            calls = [call for call in transcript.calls if call.name in parts]
            asked = [(call.name, call.args, call.kwargs) for call in calls]
            if not calls or equal(asked, seen):
                break
            seen = asked
            for part, way in parts.items():
                of_part = [call for call in calls if call.name == part]
                if of_part and (part != name or way.helps(args, of_part)):
                    tried[part] = {"sequence": way.results(of_part), "fills": way.fills}
                else:
                    tried[part] = _THROUGH
        value = transcript.answer.value
        if copied := [call.name for call in calls if call.name != name and _alike(call.result, value)]:
            own: Transcript = self.ask("scripted", name, dict(doubles), list(args), kwargs, seed=seed)
            if not _alike(own.answer.value, value):
                self.copied, transcript = copied[-1], own
        return Transcript(transcript.answer, [call for call in transcript.calls if call.name in doubles])


def _alike(first: Any, second: Any) -> bool:
    """Tell whether two arrays of numbers have the same values, whatever holds them."""
    with suppress(Exception):  # other things are not alike
        one, other = np.asarray(first), np.asarray(second)
        same_kind = one.ndim > 0 and (one.shape, one.dtype.kind) == (other.shape, other.dtype.kind)
        return same_kind and bool(np.allclose(one, other, equal_nan=True))
    return False
