"""A submission seen from outside: its functions run in a process, boxed or not, and answer with
plain data.

Reasons of a `SolutionLost`, short and stable: "timeout" (one call; facts: see
`practica.grading.sandbox.position`), "budget" (all calls together), "memory", "output", "died"
(facts: signal or exit code), "malformed" (an answer that cannot be read), "handle" (a network of a
process that is gone) and "import_failed" (facts: type, message, line). One that happened during the
import has the fact `during="import"` and is final; after any other the next request starts a fresh
process. If a file is lost while a statement of it runs, after others have defined something, the
statements before it are the file from there on (`stop`). What ends the sandbox itself is a
`SandboxError`: the grader's trouble, never a mark.

Between two requests everything in a box is stopped, and so it is while a question is answered that
a stand-in for a helper asks in the middle of a call. The processor time of the answer counts as the
file's. Memory is limited by cgroup v2 where a group can be made, and counted from outside
elsewhere. A box dies with the thread that started it: start and use a sandbox in the same thread.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, Self, TypeAlias

import numpy as np

from practica.grading.engine.solution import Request, Solution, SolutionLost, Stop
from practica.grading.engine.source import names_bound_at
from practica.grading.inside import wire
from practica.grading.inside.disable_names import GRADER
from practica.grading.inside.doors import DOORS
from practica.grading.inside.loading import MAX_STEPS, decode
from practica.grading.inside.plain_data import Handle, RecordedCall
from practica.grading.sandbox.answers import fits
from practica.grading.sandbox.box import Limits, LostError
from practica.grading.sandbox.budget import Budget, Used
from practica.grading.sandbox.position import position_of

Asked: TypeAlias = "Callable[[RecordedCall], list[Any]]"  # for the right results of calls


class Process(Used, Protocol):
    """The running process of a submission: a `practica.grading.sandbox.box.Box`, or one without a
    box.
    """

    pid: int

    def exchange(self, message: bytes, seconds: float) -> bytes:
        """Send a message, and return its answer; LostError if none comes in time."""

    def close(self) -> None:
        """End the process."""


class Starter(Protocol):
    """An object that starts the processes of submissions: a `Sandbox`, or
    `practica.grading.sandbox.local.LocalProcesses`.
    """

    # whether a process is the same whatever is forbidden, until its first request says what
    takes_forbidden: bool

    @property
    def running(self) -> bool:
        """Whether the processes started before are still there."""

    @property
    def unloadable(self) -> Mapping[str, str]:
        """The modules of libraries that these processes could not import, each with the error."""

    def fork(self, limits: Limits, source: bytes, disabled: Sequence[str] = ()) -> Process:
        """Start the process of a file, `source`, in which the `disabled` functions raise."""


class ProcessSolution(Solution):
    """A student's file in a process, boxed or not; its functions are called like those of any
    `practica.grading.engine.solution.Solution`.

    `file`: the file, or its contents.
    `sandbox`: what starts the process: a `Sandbox`, or `LocalProcesses` for one without a box.
    `name`: the name of the file if only its contents are given.
    `left_out`: the names that the file lacks because the statement that binds them was left out,
        each with the forbidden names that were called and their lines; "?" if it binds none.

    The file is imported by the first request. Nothing that it does changes the requests, what is
    expected or what is concluded: its answers are plain data or the solution is lost.

    If a statement of the file calls a forbidden function while it is imported, that statement is
    left out, and so is a later one that then fails. The time of a later import, as when other
    functions become forbidden, does not count until all such imports together have taken the
    seconds of one.
    """

    def __init__(
        self,
        file: str | os.PathLike[str] | bytes,
        sandbox: Starter,
        limits: Limits | None = None,
        *,
        name: str = "entrega.py",
    ) -> None:
        super().__init__()
        self.limits = limits or Limits()
        self.import_loss: SolutionLost | None = None
        # whether a process was lost that did not end by itself, and kept to its limits
        self.killed = False
        self.budget = Budget(self.limits)
        self.starts = 0
        self._sandbox, self._disabled = sandbox, tuple[str, ...]()
        self._source = file if isinstance(file, bytes) else Path(file).read_bytes()
        self._path = _safe_name(name if isinstance(file, bytes) else Path(file).name)
        self._box: Process | None = None
        self._names: list[str] = []
        self._line = 0  # the step that runs while the file is imported
        self.left_out: dict[str, dict[str, int | None]] = {}
        self._loaded = set[tuple[str, ...]]()  # what was disabled where it was read to its end
        self._stops = 0
        # functions of which several calls at once came to nothing
        self._one_by_one: set[str] = set()
        self._timeouts = 0  # calls that ran out of time

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def time_used(self) -> float:  # type: ignore[override]
        """The share of its time that the file has used."""
        return self.budget.share

    @property
    def unloadable(self) -> Mapping[str, str]:  # type: ignore[override]
        """The modules of libraries that could not be imported for the file, before it ran, each
        with the error.
        """
        return self._sandbox.unloadable

    def names(self) -> list[str]:
        """List the names of the file that can be called; SolutionLost if it cannot be imported."""
        self._ensure()
        return list(self._names)

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Return the agent's answer to a request; SolutionLost if the process does not give one."""
        self._ensure()
        if self._is_gone((args, kwargs)):
            raise SolutionLost("handle")
        try:
            return self._asked((method, args, kwargs), self._call_seconds())
        except SolutionLost as lost:
            self._timeouts += lost.reason == "timeout"
            raise

    def quick_answers(self, requests: Sequence[Request]) -> list[Any]:
        """Return the answers to the first of several requests from one exchange, which is faster.

        If anything goes wrong, return no answer, now and in later calls about the same functions:
        the caller then makes the requests one by one.
        """
        self._ensure()
        functions = _called_in(requests) or {""}
        if functions & self._one_by_one or self._is_gone(requests):
            return []
        try:
            answers = self._exchange(("several", [requests], {}), self._call_seconds() * _TOGETHER)
        except (SolutionLost, wire.WireError):  # together they may be too large a message
            answers = None
        good = type(answers) is list and len(answers) <= len(requests)
        good = good and all(
            fits(method, answer) for (method, _, _), answer in zip(requests, answers, strict=False)
        )
        if not good:
            self._one_by_one |= functions
        return answers if good else []

    def _call_seconds(self) -> float:
        """Return the seconds that one call may take: the same for all calls, however slow earlier
        ones were, and fewer after `MOST_TIMEOUTS` of them have run out of time.
        """
        return self.limits.call_seconds * (_LESS if self._timeouts >= MOST_TIMEOUTS else 1)

    def forbid(self, patterns: Sequence[str]) -> None:
        """Let the functions that match `patterns` raise, and no others, in a new process."""
        if self._disabled != tuple(patterns):
            self._disabled = tuple(patterns)
            self.close()

    def refused(self) -> dict[str, int | None]:
        """Return the forbidden names that were called since the last time, each with a line of the
        file.
        """
        return self._found("refused") if self._disabled else {}

    def opened(self) -> dict[str, int | None]:
        """Return which `DOORS`, such as threads, the file has newly used, each with its line."""
        found = self._found("opened")
        return {door: line for door, line in found.items() if door in DOORS}

    def _found(self, request: str) -> dict[str, int | None]:
        """Return the names in the answer to `request`, each with its line or, if unknown, None."""
        if self._box is None:
            return {}
        found = self._asked((request, [], {}), self.limits.call_seconds)
        last = self._source.count(b"\n") + 1
        return {
            name: line if line is not None and GRADER <= line <= last else None
            for name, line in found.value
        }

    def _is_gone(self, value: object) -> bool:
        """Return whether a value refers to an object in a process that has ended."""
        return any(handle.number < self.starts * _HANDLES for handle in _handles(value))

    def close(self) -> None:
        """End the submission's process."""
        if self._box is not None:
            self._box.close()
            self.budget.end(self._box)
            self._box = None

    def _ensure(self) -> None:
        if self.import_loss is not None:
            raise SolutionLost(self.import_loss.reason, **self.import_loss.facts)
        if self._box is not None and not self._sandbox.running:
            self.close()
        if self._box is not None:
            return
        if self.budget.left() <= 0:
            raise SolutionLost("budget")
        while self._box is None:
            self.starts += 1
            self._box = self._sandbox.fork(self.limits, self._source, self._disabled)
            try:
                self._load()
            except SolutionLost as lost:
                if lost.reason == "budget":
                    raise
                self._leave_out(lost)
        self._loaded.add(self._disabled)

    def _load(self) -> None:
        """Run the file statement by statement, each in a request of its own."""
        source, first = np.frombuffer(self._source, dtype=np.uint8), self.starts * _HANDLES
        budget = self.budget
        begin = budget.seconds
        self._line, self._names, self.left_out = 0, [], {}
        budget.reloading = bool(self._loaded) and budget.again < self.limits.import_seconds
        if self._disabled and self._sandbox.takes_forbidden:
            self._exchange(("forbid", [list(self._disabled)], {}), self.limits.import_seconds)
        steps = self._imported(
            ("load", [source, self._path, first], {}), self.limits.import_seconds
        )
        if len(steps) > MAX_STEPS:
            raise self._drop("malformed", error=f"{len(steps)} steps")
        for line, loose in steps:
            self._line = line
            seconds = self.limits.import_seconds - (budget.seconds - begin)
            if loose:
                seconds = min(seconds, self.limits.statement_seconds)
            self._names = self._imported(("advance", [self._path], {}), seconds) or self._names
        if self._loaded:
            budget.again += budget.seconds - begin
        budget.reloading = False

    def _imported(self, request: Request, seconds: float) -> Any:
        answer = self._asked(request, seconds)
        if (error := answer.error) is not None:
            refused = self.refused() or next(iter(self.left_out.values()), {})
            if not refused:
                raise self._drop(
                    "import_failed", type=error.type, message=error.message, line=error.line
                )
            self.left_out |= dict.fromkeys(
                names_bound_at(self._source, self._line) or ["?"], refused
            )
        return answer.value

    def _leave_out(self, lost: SolutionLost) -> None:
        """Leave out the statement at which the process was lost, and all after it, for the next
        process.

        Raises `SolutionLost`, for good, if no function was defined before, if it happens again and
            again, or if only a later process is lost: by then others have read the whole file.
        """
        lines = re.split(rb"(?<=\n)|(?<=\r)(?!\n)", self._source)
        where: dict[str, object] = {} if lost.reason == "import_failed" else {"during": "import"}
        if 0 < self._line <= len(lines):
            statement = decode(lines[self._line - 1])[0].strip()
            if self._names and self._disabled not in self._loaded and self._stops < _STOPS:
                self._stops += 1
                self._source = b"".join(lines[: self._line - 1])
                self.stop = self.stop or Stop(self._source, self._line, statement, lost)
                return
            where |= {"at": self._line, "statement": statement}
        self.import_loss = SolutionLost(lost.reason, **lost.facts, **where)
        raise self.import_loss from None

    def _asked(self, request: Request, seconds: float) -> Any:
        """Send a request and return its answer; SolutionLost if that is of another kind."""
        answer = self._exchange(request, seconds)
        if not fits(request[0], answer):
            raise self._drop("malformed", error=f"the answer to {request[0]} is of another kind")
        return answer

    def _exchange(self, request: Request, seconds: float) -> Any:
        """Send a request, answer the questions of its stand-ins, and return its answer."""
        asked: list[Asked] = []
        # a WireError here is a defect of the check
        message = wire.encode(_plain(request, asked))
        begin = self.budget.seconds
        while True:
            left = seconds - (self.budget.seconds - begin)
            answer = self._sent(message, left, request[0] in ("load", "advance"))
            if not fits("question", answer):
                return answer
            number, call = answer
            if not 0 <= number < len(asked):
                raise self._drop("malformed", error=f"a question of call {number}")
            began = time.thread_time()
            try:
                message = wire.encode(asked[number](call))
            except wire.WireError:  # a right value that cannot be sent counts as none
                message = wire.encode([])
            self.budget.answer(time.thread_time() - began)

    def _sent(self, message: bytes, seconds: float, of_file: bool) -> Any:
        assert self._box is not None
        if (left := self.budget.left()) <= 0:
            raise self._drop("budget")
        begin = time.monotonic()
        try:
            return wire.decode(self._box.exchange(message, min(seconds, left)))
        except LostError as lost:
            self.killed |= lost.reason == "died" and not lost.facts
            # neither the call nor the import takes too long
            if lost.reason == "timeout" and left < seconds:
                raise self._drop("budget") from None
            where = {} if of_file else position_of(lost.written, self._source, self._path)
            raise self._drop(lost.reason, **lost.facts, **where) from None
        except wire.WireError as error:
            raise self._drop("malformed", error=str(error)) from None
        finally:
            self.budget.spend(time.monotonic() - begin, self._box)

    def _drop(self, reason: str, **facts: object) -> SolutionLost:
        self.close()
        self.forged |= reason == "malformed"
        return SolutionLost(reason, **facts)


# of the time of a call is what several together get: a slow one runs by itself then
_TOGETHER = 1 / 4
# calls that run out of time, each of which costs a row; of its time is what a later call gets
MOST_TIMEOUTS, _LESS = 3, 1 / 5
_STOPS = 3  # times that the rest of a file is left out; each costs a process
_HANDLES = 1 << 32  # handles of one process are numbered from its start times this


def _plain(request: Request, asked: list[Asked]) -> list[Any]:
    """Return a request as plain data: each function that answers a stand-in is added to `asked`,
    and replaced by its position there.
    """
    method, args, kwargs = request
    if method == "several":
        return [method, [[_plain(each, asked) for each in args[0]]], {}]
    if "asked" in kwargs:
        asked.append(kwargs["asked"])
        kwargs = {**kwargs, "asked": len(asked) - 1}
    return [method, list(args), dict(kwargs)]


def _called_in(requests: Sequence[Request]) -> set[str]:
    """Return the names of the functions that some requests call, except watched calls, which take
    longer.
    """
    return {args[0] for method, args, _ in requests if method in ("call", "scripted")}


def _handles(value: object) -> Iterator[Handle]:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if type(item) is Handle:
            yield item
        elif isinstance(item, dict):
            waiting += [*item, *item.values()]
        elif isinstance(item, list | tuple | set | frozenset):
            waiting += item


def _safe_name(name: str) -> str:
    """Return the name of a file if it is an ordinary one, and "entrega.py" otherwise: tracebacks
    and `__file__` show it.
    """
    return (
        name
        if re.fullmatch(r"[\w .+-]{1,100}\.py", name) and name not in ("practica.py",)
        else "entrega.py"
    )
