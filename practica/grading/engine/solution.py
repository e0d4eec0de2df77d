"""The code under test as a check sees it: the student's functions, wherever they run.

`Solution` is the surface; `LocalSolution` has an agent in this process (the reference, the
student's own machine), and `practica.grading.sandbox.client.ProcessSolution` one behind a pipe. For
a check they are the same.

    solution.accuracy(outputs, targets)            the value; StudentError if the student's code
                                                   raises
    solution.answer("accuracy", outputs, targets)  the whole Answer; never raises StudentError
    solution.predict(handle, inputs)               and describe, scripted, signature, observe

`solution.seed = number` begins an example: from there on the calls are seeded one after the other,
each with a seed of its own, so that an example repeats exactly and two equal calls of one example
may still differ.
"""

from __future__ import annotations

import random
import sys
import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from practica.grading.engine.current import assignment
from practica.grading.inside.agent import Agent
from practica.grading.inside.plain_data import Answer, Array, Handle, Transcript


class StudentError(Exception):
    """The student's code raised an exception.

    `type`: the exception's class name.
    `line`: the last line of the student's file that it came through.
    """

    def __init__(self, type: str, message: str, line: int | None) -> None:
        super().__init__(type, message, line)
        self.type, self.message, self.line = type, message, line

    def __str__(self) -> str:
        place = "" if self.line is None else f" (line {self.line})"
        return f"{self.type}{place}: {self.message}"


class SolutionLost(Exception):
    """There is no answer: the process died, ran out of time, or answered with nonsense.

    `reason`: "timeout", "budget", "memory", "died", "malformed", "import_failed" or
        "import_timeout"... a short stable id.
    `facts`: what is known beside it, plain data: for "import_failed" the error's `type`, `message`
        and `line`.
    """

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason, facts)
        self.reason, self.facts = reason, facts

    def __str__(self) -> str:
        details = ", ".join(f"{name}={value}" for name, value in self.facts.items())
        return f"{self.reason} ({details})" if details else self.reason


@dataclass(frozen=True)
class Stop:
    """The statement at which a file stops; only the definitions before it count."""

    before: bytes  # the file up to there: nothing else runs for a check
    line: int  # where the statement is that raised, did not end, or ended the process
    statement: str  # its first line
    lost: SolutionLost  # what became of it


# a method of the agent, and what it is given
Request: TypeAlias = "tuple[str, Sequence[Any], Mapping[str, Any]]"


class Solution(ABC):
    """The functions of a submission as attributes, and the other requests of a check."""

    stop: Stop | None = None  # where the file stops, once `names` was called
    # whether everybody knows the present example: a secret one leaves out what is the same in both
    is_known: bool = True
    # the share that is used of the time that all its functions have together; 0 where there is
    # no limit
    time_used: float = 0.0
    # the names of the file that it could not bind, each with the forbidden names that it
    # called instead
    left_out: Mapping[str, Mapping[str, int | None]] = MappingProxyType({})
    # the modules of libraries that could not be imported for the file, before it ran, each with
    # the error
    unloadable: Mapping[str, str] = MappingProxyType({})
    # whether an answer came that the program which calls the file did not write
    forged: bool = False

    def __init__(self) -> None:
        self._seed = self._calls = 0

    @property
    def seed(self) -> int:
        """The seed of the present example, from which the seeds of its calls follow."""
        return self._seed

    @seed.setter
    def seed(self, value: int) -> None:
        self._seed, self._calls = value, 0

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or not self.has(name):
            raise AttributeError(f"the solution has no function {name!r}")

        def function(*args: Any, **kwargs: Any) -> Any:
            return succeeded(self.answer(name, *args, **kwargs)).value

        function.__name__ = name
        return function

    def has(self, name: str) -> bool:
        """Return whether the file defines something of that name that can be called."""
        return name in self.names()

    @abstractmethod
    def names(self) -> list[str]:
        """List the names in the file whose values can be called."""

    @abstractmethod
    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method of the agent; raise `SolutionLost` if no answer comes."""

    def answer(self, name: str, /, *args: Any, want_args: bool = False, **kwargs: Any) -> Answer:
        """Call a function and return all that is known of the call, an exception of the student's
        included.
        """
        options = {"seed": self._next_seed(), "want_args": want_args, **assignment().reading}
        return self.ask("call", name, list(args), kwargs, **options)

    def forbid(self, patterns: Sequence[str]) -> None:  # noqa: B027  # a solution in this process forbids nothing
        """Let some functions, patterns of full names, raise from now on, and no others.

        The file is loaded again where they raise from its first line on. Without a process of its
        own nothing happens.
        """

    def refused(self) -> dict[str, int | None]:
        """Return the forbidden names that were called since the last time, each with the line that
        led there first.
        """
        return {}

    def opened(self) -> dict[str, int | None]:
        """Return what the file has done since the last time that its text does not show ("threads",
        "processes", ...), each with its line; see `practica.grading.inside.doors`.
        """
        return {}

    def renew(self) -> list[str]:
        """Give the file's variables the values that they had before the first call, and return the
        names of those that had others.
        """
        return succeeded(self.ask("renew")).value

    def quick_answers(self, requests: Sequence[Request]) -> list[Any]:
        """Return the answers to as many of these requests, from the first on, as this solution
        answers in one go; the caller makes the others one by one.
        """
        return []

    def once(self, read: Callable[..., Any], *args: Any) -> Any:
        """Return `read(*args)`, which computes something from answers.

        A solution that runs the same example several times with the answers so far computes it only
        once, and keeps it for the later runs of that example.
        """
        return read(*args)

    def repeated(self, times: int, name: str, /, *args: Any) -> list[Any]:
        """Call a function several times, and return the values; raise `StudentError` if a call
        raised.
        """
        answers: list[Answer] = []
        reading = assignment().reading
        while len(answers) < times:
            asked = self._calls
            left = range(times - len(answers))
            quick = self.quick_answers(
                [
                    ("call", (name, list(args), {}), {"seed": self._next_seed(), **reading})
                    for _ in left
                ]
            )
            self._calls = asked + len(quick)
            answers += quick or [self.answer(name, *args)]
        return [succeeded(answer).value for answer in answers]

    def predictions(self, asked: Sequence[tuple[Handle, Array]]) -> list[Array]:
        """Run several networks, each on patterns of its own; return the outputs of each."""
        outputs: list[Array] = []
        while left := asked[len(outputs) :]:
            answers = self.quick_answers([("predict", each, {}) for each in left])
            outputs += [succeeded(answer).value for answer in answers] or [self.predict(*left[0])]
        return outputs

    def predict(self, network: Handle, inputs: Array) -> Array:
        """Return the outputs (N, outputs) of a network for patterns (N, L)."""
        return succeeded(self.ask("predict", network, inputs)).value

    def describe(
        self,
        network: Handle,
        inputs: Array,
        *,
        shaken: bool = False,
        alone: bool = False,
    ) -> dict[str, Any]:
        """Return the facts of a network; see `practica.grading.inside.agent.Agent.describe`."""
        return succeeded(self.ask("describe", network, inputs, shaken, alone)).value

    def scripted(
        self, name: str, doubles: Mapping[str, Mapping[str, Any]], /, *args: Any, **kwargs: Any
    ) -> Transcript:
        """Call a function with doubles for others; an exception is in the transcript's answer."""
        options = {"seed": self._next_seed(), **assignment().reading}
        return self.ask("scripted", name, dict(doubles), list(args), kwargs, **options)

    def signature(self, name: str) -> list[list[Any]]:
        """Return the parameters of a function; see `Agent.signature`."""
        return succeeded(self.ask("signature", name)).value

    def observe(
        self,
        name: str,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        *,
        apart: Collection[str] = (),
    ) -> dict[str, Any]:
        """Return which lines run during a call; see `Agent.observe`."""
        answer = self.ask(
            "observe", name, list(args), dict(kwargs), seed=self._next_seed(), apart=list(apart)
        )
        return succeeded(answer).value

    def _next_seed(self) -> int:
        self._calls += 1
        return (self._seed * 1_000_003 + self._calls) % (1 << 32)


class DelegatingSolution(Solution):
    """A solution around another one, to which every request goes."""

    def __init__(self, inner: Solution) -> None:
        super().__init__()
        self._inner = inner
        self.seed = inner.seed

    def names(self) -> list[str]:
        """List the names in the file whose values can be called."""
        return self._inner.names()

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Pass a request on to the inner solution."""
        return self._inner.ask(method, *args, **kwargs)

    def once(self, read: Callable[..., Any], *args: Any) -> Any:
        """Return `read(*args)`, which the inner solution may have kept; see `Solution.once`."""
        return self._inner.once(read, *args)


class ForwardingSolution(DelegatingSolution):
    """A solution around another one that gives its calls the seeds of that one, as if they were
    made there.
    """

    @property
    def seed(self) -> int:
        """The seed of the present example."""
        return self._inner.seed

    @seed.setter
    def seed(self, value: int) -> None:
        self._inner.seed = value


class RenewedSolution(DelegatingSolution):
    """A solution that resets the file's variables after each call, so that each finds the file as
    in a new process.

    `kept`: the names of the variables that calls had changed.
    """

    def __init__(self, inner: Solution) -> None:
        super().__init__(inner)
        self.kept: dict[str, None] = {}
        inner.renew()

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Pass a request on, and reset what a call changed."""
        answer = self._inner.ask(method, *args, **kwargs)
        if method in ("call", "scripted"):
            self.kept.update(dict.fromkeys(self._inner.renew()))
        return answer


class LocalSolution(Solution):
    """A solution whose functions run in this process.

    `namespace`: where the functions are.
    `path`: the file they come from, for the lines of errors.

    >>> solution = LocalSolution({"twice": lambda x: 2 * x})
    >>> solution.twice(21)
    42
    """

    def __init__(
        self, namespace: types.ModuleType | dict[str, Any], path: str | None = None
    ) -> None:
        super().__init__()
        self._agent = Agent(namespace, path)

    def names(self) -> list[str]:
        """List the names in the file whose values can be called."""
        return self._agent.names()

    def quick_answers(self, requests: Sequence[Request]) -> list[Any]:
        """Return the answers to the first of several requests, as many as are quick."""
        return self.ask("several", requests)

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method of the agent.

        The global generators of this process go on afterwards as if nothing had been.
        """
        torch = sys.modules.get("torch")
        legacy = np.random.mtrand._rand
        states = random.getstate(), legacy.get_state(), torch and torch.get_rng_state()
        try:
            return getattr(self._agent, method)(*args, **kwargs)
        finally:
            random.setstate(states[0])
            legacy.set_state(states[1])
            if torch is not None and states[2] is not None:
                torch.set_rng_state(states[2])


def succeeded(answer: Answer) -> Answer:
    """Return an answer as it is; raise `StudentError` if the student's code raised."""
    if answer.error is not None:
        raise StudentError(answer.error.type, answer.error.message, answer.error.line)
    return answer
