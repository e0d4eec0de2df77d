"""A solution that remembers its last call, to be shown and repeated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from practica.grading.engine.current import assignment
from practica.grading.engine.rendering import Call, code_of, code_of_arguments
from practica.grading.engine.solution import DelegatingSolution, Request, Solution


@dataclass
class ShownCall:
    """The last call of an example, as a student sees it."""

    call: Call
    seed: int
    printed: str = ""
    inputs: Any = None  # what a network was given

    def facts(self) -> dict[str, str]:
        """Return the facts with which a student can repeat the call."""
        facts, drawn = {"call": code_of(self.call)}, assignment().draws
        facts |= {"seed": str(self.seed)} if self.call[0] in drawn else {}
        return facts | (
            {}
            if self.inputs is None
            else {"pattern": code_of_arguments([self.inputs[:1]], {}, False)[0]}
        )


class Watched(DelegatingSolution):
    """A solution that passes each request on to another one, and remembers its last call for the
    counterexample.
    """

    def __init__(self, solution: Solution) -> None:
        super().__init__(solution)
        self.last: ShownCall | None = None
        self.value: Any = None  # what the last call returned
        self._inputs: Any = None

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Pass a request on to the solution, and remember what was called."""
        self._note(method, args, kwargs)
        answer = super().ask(method, *args, **kwargs)
        self._note_answer(method, answer)
        return answer

    def quick_answers(self, requests: Sequence[Request]) -> list[Any]:
        """Return the answers that the solution gives to the first of several requests in one go,
        and remember the last call.
        """
        answers = self._inner.quick_answers(requests)
        for request, answer in zip(requests, answers, strict=False):
            self._note(*request)
            self._note_answer(request[0], answer)
        return answers

    def _note(self, method: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        if method in ("call", "scripted"):
            name, *_, given, options = args
            self.last = ShownCall((name, given, options), kwargs["seed"], "", self._inputs)
        elif method == "predict" and self.last and isinstance(args[1], np.ndarray):
            self._inputs = args[1]
            self.last.inputs = self._inputs

    def _note_answer(self, method: str, answer: Any) -> None:
        if method in ("call", "scripted") and self.last:
            own = answer.answer if method == "scripted" else answer
            self.last.printed, self.value = own.printed, own.value
