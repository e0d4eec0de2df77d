"""Boxes for code that nobody trusts, and the submission seen from outside.

    with Sandbox() as sandbox:
        with ProcessSolution(Path("entrega.py"), sandbox) as solution:
            solution.accuracy(outputs, targets)

A `Sandbox` is a *warm* process inside a box: it has imported numpy (and torch, once a submission mentions it) and never
runs a student's file. Each `ProcessSolution` is forked from it into a box of its own, so that a hundred submissions
pay for one import, and a submission that dies or hangs is back in some hundredths of a second.

The ladder, best first; `probe` climbs it by running hostile code and looking at what it could do:

full      an unprivileged user, bubblewrap (no network, no home, no project, a read-only minimal file system, memory for
          /tmp), a list of system calls, limits on memory, processor, processes, files and output, clocks outside
reduced   the same limits, list and clocks, Landlock instead of bubblewrap, namespaces where the kernel gives them
none      limits and clocks only: the code can read and write what the user can. Never chosen unless asked for by name

Reasons of a `SolutionLost`, short and stable: "timeout" (one call; facts: see `practica.sandbox.position`), "budget"
(all calls together), "memory", "output", "died" (facts: signal or exit code), "malformed" (an answer that is none),
"handle" (a network of a process that is gone) and "import_failed" (facts: type, message, line). One that happened
during the import has the fact `during="import"` and is final; after any other the next request starts a fresh process.
A file that is lost while a statement of it runs, after others have defined something, is from there on the file before
that statement (`stop`).
What ends the sandbox itself is a `SandboxError`: the grader's trouble, never a mark.

Between two requests everything in a box is stopped. Memory is limited by cgroup v2 where a group can be made, and
counted from outside elsewhere; `Probe.memory` says which.

A box dies with the thread that started it: start and use a sandbox in the same thread.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import socket
import sys
import tempfile
import time
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np

import practica
from practica.checks.loading import MAX_STEPS, decode, names_bound_at
from practica.checks.plain import Answer, Handle, Transcript
from practica.checks.solution import Request, Solution, SolutionLost, Stop
from practica.sandbox import wire
from practica.sandbox.box import Limits, LostError, SandboxError, WarmBox
from practica.sandbox.clock import charged, own_wait
from practica.sandbox.position import position_of

__all__ = ["LEVELS", "Limits", "Probe", "ProcessSolution", "Sandbox", "SandboxError", "probe"]

LEVELS = ("full", "reduced", "none")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that hostile code tried, whether it was stopped, and what to do if it was not."""

    name: str
    stopped: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """What a level isolates on this machine, found by running it.

    Attributes
    ----------
    level : str
        The level looked at; for `probe()` the best one that works.
    works : bool
    shared : bool
        Whether one warm process can serve many submissions; otherwise each pays for its own imports.
    steps : tuple of Step
    memory : "cgroup" or "counted"
        Whether the kernel limits the memory of all processes together, or it is added up from outside.
    failures : tuple of str
        Why better levels do not work here, and how to mend it.
    """

    level: str
    works: bool
    shared: bool
    steps: tuple[Step, ...]
    failures: tuple[str, ...] = ()
    memory: str = "counted"


class Sandbox(WarmBox):
    """A warm process inside a box, from which submissions are forked.

    Parameters
    ----------
    level : "auto", "full", "reduced" or "none"
        "auto" is the best that works, but never "none".

    Raises
    ------
    SandboxError
        If the level does not work on this machine; the message says why and how to mend it.
    ValueError
        If there is no such level.
    """

    def __init__(self, level: str = "auto") -> None:
        if level not in ("auto", *LEVELS):
            raise ValueError(f"level={level!r}: there are auto, {', '.join(LEVELS)}")
        if level == "auto":
            level = probe().level
            if level == "none":
                raise SandboxError("\n".join(["no sandbox works on this machine:", *probe().failures]))
        elif level != "none" and not (tried := probe_level(level)).works:
            raise SandboxError("\n".join([f"the sandbox {level!r} does not work here:", *tried.failures]))
        super().__init__(level, shared=level != "none" and probe_level(level).shared)


class Process(Protocol):
    """The running process of a submission: a `practica.sandbox.box.Box`, or one without a box."""

    pid: int

    def exchange(self, message: bytes, seconds: float) -> bytes:
        """Send a message and return the answer's; LostError if none comes in time."""

    def used(self) -> tuple[float, float]:
        """Return the seconds that it has had a processor, and has waited for one; see `practica.sandbox.clock`."""

    def close(self) -> None:
        """End it."""


class Starter(Protocol):
    """What starts the processes of submissions: a `Sandbox`, or `practica.sandbox.local.LocalProcesses`."""

    switches: bool  # whether a process that runs can be told to disable other functions

    @property
    def running(self) -> bool:
        """Whether the processes started before are still there."""

    def fork(self, limits: Limits, source: bytes, disabled: Sequence[str] = ()) -> Process:
        """Start one in which some functions raise."""


class ProcessSolution(Solution):
    """A student's file in a process, boxed or not, with the surface of `practica.checks.solution.Solution`.

    Parameters
    ----------
    file : path or bytes
        The file, or its contents.
    sandbox : Sandbox
        Or whatever else starts processes.
    limits : Limits, optional
    name : str
        What contents without a file are called.

    Notes
    -----
    The file is imported by the first request. Nothing that it does changes what is asked, what is expected or what is
    concluded: its answers are plain data or the solution is lost.

    If a statement of the file calls a forbidden function while it is imported, that statement is left out, and so is a
    later one that then fails. Where the file is loaded once more, because something else is forbidden, its time does
    not count again.

    Attributes
    ----------
    left_out : dict
        The names that such a statement would have bound, each with the forbidden names that were called; "?" stands
        for none.
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
        self.seconds = 0.0  # of the budget, used
        self._wall = self._looked = 0.0  # of the calls, by the wall clock, and when it was looked what that is worth
        self._gone = 0.0, 0.0  # what its processes before this one have used
        self._begin = own_wait()
        self.starts = 0
        self._sandbox, self._disabled = sandbox, tuple[str, ...]()
        self._source = file if isinstance(file, bytes) else Path(file).read_bytes()
        self._path = _safe_name(name if isinstance(file, bytes) else Path(file).name)
        self._box: Process | None = None
        self._names: list[str] = []
        self._line = 0  # of the step that runs while the file is imported
        self.left_out: dict[str, dict[str, int | None]] = {}
        self._again = 0.0  # seconds that were used to load the file once more, which are not of the budget
        self._reloading = False
        self._loaded = set[tuple[str, ...]]()  # what was disabled where it was read to its end
        self._stops = 0
        self._one_by_one: set[str] = set()  # functions of which several calls at once came to nothing
        self._slow: set[str] = set()  # functions of which a call ran out of time

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def time_used(self) -> float:  # type: ignore[override]
        """The share of its time that the file has used."""
        return (self.seconds - self._again) / self.limits.total_seconds

    def names(self) -> list[str]:
        """List the names of the file that can be called; SolutionLost if it cannot be imported."""
        self._ensure()
        return list(self._names)

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method of the agent in the box."""
        self._ensure()
        if self._is_gone((args, kwargs)):
            raise SolutionLost("handle")
        answer = self._called((method, list(args), kwargs), _called_in([(method, args, kwargs)]))
        if not _fits(method, answer):
            raise self._drop("malformed", error=f"the answer to {method} is of another kind")
        return answer

    def quick_answers(self, requests: Sequence[Request]) -> list[Any]:
        """Return the answers to several requests in one exchange; none from when on something went wrong with them."""
        self._ensure()
        functions = _called_in(requests) or {""}
        if functions & self._one_by_one or self._is_gone(requests):
            return []
        plain = [[method, list(args), dict(kwargs)] for method, args, kwargs in requests]
        try:
            answers = self._called(("several", [plain], {}), functions)
        except SolutionLost:
            answers = None
        good = type(answers) is list and len(answers) <= len(requests)
        good = good and all(_fits(method, answer) for (method, _, _), answer in zip(requests, answers, strict=False))
        if not good:
            self._one_by_one |= functions
        return answers if good else []

    def _called(self, request: Any, functions: set[str]) -> Any:
        """Ask for calls of some functions; one that ran out of time gets less the next time."""
        seconds = self.limits.call_seconds * (_AGAIN if functions & self._slow else 1)
        try:
            return self._exchange(request, seconds)
        except SolutionLost as lost:
            if lost.reason == "timeout":
                self._slow |= functions
            raise

    def forbid(self, patterns: Sequence[str]) -> None:
        """Let some functions raise from now on, and no others; a box is another one then."""
        if self._disabled == tuple(patterns):
            return
        self._disabled = tuple(patterns)
        if self._box is not None and self._sandbox.switches and not self.left_out:
            self._exchange(("forbid", [list(patterns)], {}), self.limits.import_seconds)
        else:
            self.close()

    def refused(self) -> dict[str, int | None]:
        """Return the forbidden names that were called since the last time, each with a line of the file."""
        if self._box is None or not self._disabled:
            return {}
        found = self._exchange(("refused", [], {}), self.limits.call_seconds)
        if not _fits("refused", found):
            raise self._drop("malformed", error="the answer to refused is of another kind")
        last = self._source.count(b"\n") + 1
        return {name: line if line is not None and 0 < line <= last else None for name, line in found.value}

    def _is_gone(self, value: Any) -> bool:
        """Tell whether something is meant that was in a process before this one."""
        return any(handle.number < self.starts * _HANDLES for handle in _handles(value))

    def close(self) -> None:
        """End the submission's process."""
        if self._box is not None:
            self._box.close()
            self._gone = self._used()
            self._box = None

    def _ensure(self) -> None:
        if self.import_loss is not None:
            raise SolutionLost(self.import_loss.reason, **self.import_loss.facts)
        if self._box is not None and not self._sandbox.running:
            self.close()
        if self._box is not None:
            return
        if self._time_left() <= 0:
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
        """Run the file, step by step."""
        source, first = np.frombuffer(self._source, dtype=np.uint8), self.starts * _HANDLES
        begin = self.seconds
        self._line, self._names, self.left_out = 0, [], {}
        self._reloading = bool(self._loaded) and self._again < self.limits.import_seconds
        if self._disabled and self._sandbox.switches:
            self._exchange(("forbid", [list(self._disabled)], {}), self.limits.import_seconds)
        steps = self._imported(("load", [source, self._path, first], {}), self.limits.import_seconds)
        if len(steps) > MAX_STEPS:
            raise self._drop("malformed", error=f"{len(steps)} steps")
        for line, loose in steps:
            self._line = line
            seconds = self.limits.import_seconds - (self.seconds - begin)
            if loose:
                seconds = min(seconds, self.limits.statement_seconds)
            self._names = self._imported(("advance", [self._path], {}), seconds) or self._names
        if self._loaded:
            self._again += self.seconds - begin
        self._reloading = False

    def _imported(self, request: Any, seconds: float) -> Any:
        answer = self._exchange(request, seconds)
        if not _fits(request[0], answer):
            raise self._drop("malformed", error=f"the answer to {request[0]} is of another kind")
        if (error := answer.error) is not None:
            refused = self.refused() or next(iter(self.left_out.values()), {})
            if not refused:
                raise self._drop("import_failed", type=error.type, message=error.message, line=error.line)
            self.left_out |= dict.fromkeys(names_bound_at(self._source, self._line) or ["?"], refused)
        return answer.value

    def _leave_out(self, lost: SolutionLost) -> None:
        """Leave out the statement at which the file was lost, and the rest of it; final where nothing was defined.

        So is what goes wrong again and again, and what only does in a later process: by then others have read the file
        as it is.
        """
        lines = re.split(rb"(?<=\n)|(?<=\r)(?!\n)", self._source)
        where: dict[str, Any] = {} if lost.reason == "import_failed" else {"during": "import"}
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

    def _exchange(self, request: Any, seconds: float) -> Any:
        assert self._box is not None
        left = self._time_left()
        if left <= 0:
            raise self._drop("budget")
        of_file = request[0] in ("load", "advance")
        share = left if of_file else max(left / _CALLS, self.limits.total_seconds / _LEAST)
        begin = time.monotonic()
        try:
            message = self._box.exchange(wire.encode(request), min(seconds, share))
            return wire.decode(message)
        except LostError as lost:
            if lost.reason == "timeout" and of_file and share < seconds:  # it is not the file that takes too long
                raise self._drop("budget") from None
            facts = dict(lost.facts)
            written = facts.pop("written", b"")
            where = {} if of_file else position_of(written, self._source, self._path)
            raise self._drop(lost.reason, **facts, **where) from None
        except wire.WireError as error:
            raise self._drop("malformed", error=str(error)) from None
        finally:
            self._count(time.monotonic() - begin)

    def _time_left(self) -> float:
        if self._reloading:
            return self.limits.import_seconds
        return self.limits.total_seconds + min(self._again, self.limits.import_seconds) - self.seconds

    def _count(self, wall: float) -> None:
        """Add a call to what has been used; what is charged for it is only looked at now and then."""
        self._wall += wall
        self.seconds += wall
        if self._wall - self._looked > _LOOK:
            self._looked = self._wall
            ran, waited = self._used()
            self.seconds = charged(self._wall, ran, waited + own_wait() - self._begin)

    def _used(self) -> tuple[float, float]:
        ran, waited = self._gone if self._box is None else self._box.used()
        return (ran, waited) if self._box is None else (self._gone[0] + ran, self._gone[1] + waited)

    def _drop(self, reason: str, **facts: Any) -> SolutionLost:
        self.close()
        return SolutionLost(reason, **facts)


_CALLS = 6  # that hang in turn get as much of what is left, each, so that something stays for the others
_LEAST = 40  # of the whole is the least that a call gets
_AGAIN = 1 / 5  # of the time of a call is what the next one of the same function gets, once one has run out of it
_LOOK = 0.5  # seconds between two looks at what is charged
_STOPS = 3  # times that the rest of a file is left out; each costs a process
MOST_STEPS = 20_000  # from one line of the file to another, and of any list of what a call ran
_HANDLES = 1 << 32  # handles of one process are numbered from its start times this


def _called_in(requests: Sequence[Request]) -> set[str]:
    """Return the names of the functions that are called; not of those that are watched, which take longer."""
    return {args[0] for method, args, _ in requests if method in ("call", "scripted")}


def _fits(method: str, answer: Any) -> bool:
    """Tell whether an answer has the type that the method promises, and so has its value where there is no error."""
    if method == "scripted":
        return type(answer) is Transcript
    if type(answer) is not Answer or answer.error is not None:
        return type(answer) is Answer
    value = answer.value
    match method:
        case "load":
            return _are(value, int, bool)
        case "advance":
            return type(value) is list and all(type(name) is str for name in value)
        case "predict":
            return type(value) is np.ndarray
        case "describe":
            return type(value) is dict
        case "observe":
            if type(value) is not dict or type(value.get("raised")) is not bool:
                return False
            steps, entries = value.get("steps"), value.get("entries")
            return _are([[entries]], int) and _are(steps, int, int, int) and len(value["steps"]) <= MOST_STEPS
        case "refused":
            return type(value) is list and all(
                type(row) is list and list(map(type, row)) in ([str, int], [str, types.NoneType]) for row in value
            )
        case "signature":
            return type(value) is list and all(
                type(row) is list and list(map(type, row[:3])) == [str, str, bool] and len(row) == 4 for row in value
            )
    return True


def _are(value: Any, *kinds: type) -> bool:
    """Tell whether a value is a list of rows of these types, with numbers that count something."""
    return type(value) is list and all(
        type(row) is list
        and [*map(type, row)] == [*kinds]
        and all(0 <= item < 1 << 53 for item in row if type(item) is int)
        for row in value
    )


def _handles(value: Any) -> Iterator[Handle]:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        kind = type(item)
        if kind is list or kind is tuple:
            waiting += item
        elif kind is dict:
            waiting += item.values()
        elif kind is Handle:
            yield item


def _safe_name(name: str) -> str:
    """Keep a file's own name where it is an ordinary one: it is shown in tracebacks and in `__file__`."""
    return name if re.fullmatch(r"[\w .+-]{1,100}\.py", name) and name not in ("practica.py",) else "entrega.py"


# -- the probe ---------------------------------------------------------------------------------------------------------


def probe() -> Probe:
    """Find the best level that works on this machine, by running it; the answer is kept.

    Returns
    -------
    probe : Probe
        Its level is "none" if neither bubblewrap nor Landlock can be used.
    """
    failures: list[str] = []
    for level in ("full", "reduced"):
        found = probe_level(level)
        if found.works:
            return replace(found, failures=tuple(failures))
        failures += found.failures
    return Probe("none", True, False, (), tuple(failures))


@functools.cache
def probe_level(level: str) -> Probe:
    """Run hostile code at one level and see what it could do."""
    if sys.platform != "linux":
        return Probe(level, False, False, (), (f"{level}: only Linux has what the sandbox is made of",))
    errors = []
    for shared in (True, False) if level == "full" else (False,):
        sandbox = WarmBox(level, shared=shared)
        try:
            steps = _try_to_escape(sandbox)
        except (SandboxError, SolutionLost) as error:
            errors.append(str(error))
            continue
        finally:
            sandbox.close()
        failed = [step for step in steps if not step.stopped]
        failures = [f"{level}: {step.name}: {step.detail}" for step in failed]
        failures += [f"{level}: {name}: {error}" for name, error in sandbox.steps.items() if failed]
        return Probe(level, not failed, shared, tuple(steps), tuple(failures), sandbox.memory)
    return Probe(level, False, False, (), (f"{level}: {_advice(level, errors[-1])}",))


def _advice(level: str, error: str) -> str:
    """Say what to do about a box that does not start."""
    if level == "full" and shutil.which("bwrap", path="/usr/bin:/usr/local/bin:/bin") is None:
        return "bubblewrap is not installed; run scripts/setup-sandbox, or: sudo apt-get install bubblewrap"
    if "size" in error and "Unknown option" in error:
        return f"bubblewrap 0.7 or newer is needed ({error})"
    for name, wanted in (
        ("/proc/sys/kernel/unprivileged_userns_clone", "1"),
        ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "0"),
    ):
        with contextlib.suppress(OSError):
            if (value := Path(name).read_text().strip()) != wanted:
                option = name.removeprefix("/proc/sys/").replace("/", ".")
                return f"{error}; this kernel has {option}={value}: sudo sysctl {option}={wanted} allows the sandbox"
    if "amespace" in error or "uid map" in error or "Operation not permitted" in error:
        return f"{error}; user namespaces are forbidden here (in a container, by its profile)"
    return error


def _try_to_escape(sandbox: WarmBox) -> list[Step]:
    """Run `escape.py` as a submission and compare what it saw with what is there."""
    package = Path(practica.__file__).parent
    with (
        tempfile.TemporaryDirectory(prefix="practica-probe-") as folder,
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as local,
    ):
        os.chmod(folder, 0o755)
        secret = Path(folder, "secret")
        secret.write_text("secret")
        secret.chmod(0o644)
        name = f"\0practica-{os.urandom(8).hex()}"
        local.bind(name)
        local.listen()
        facts = {
            "secret": str(secret),
            "project": str(package.parent),
            "package": str(package),
            "home": str(Path.home()),
            "port": server.getsockname()[1],
            "socket": name[1:],
            "pid": os.getpid(),
            "command": Path("/proc/self/cmdline").read_bytes().hex(),
        }
        with ProcessSolution(Path(__file__).with_name("escape.py"), sandbox) as solution:
            answer = solution.answer("escape", facts)
            if answer.error is not None or type(answer.value) is not dict:
                raise SandboxError(f"the probe itself fails: {answer.error}")
            uid = _user_of(solution._box.pid) if solution._box is not None else 0
    saw: dict[str, Any] = answer.value
    steps = [Step(what, saw.get(what) is False, _ESCAPES[what]) for what in _ESCAPES]
    steps.append(
        Step("user", uid != 0 and (sandbox.user in (None, uid)), "the code runs as root: run the grader as a user")
    )
    return steps


def _user_of(pid: int) -> int:
    found = re.search(r"^Uid:\t(\d+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return int(found[1]) if found else 0


_ESCAPES = {
    "read": "it can read a file in the temporary folder",
    "project": "it can look into the project's folder",
    "home": "it can look into the home folder",
    "package": "it can import the reference",
    "write": "it can write outside its own folder",
    "rights": "it can change the rights or the date of a file in the temporary folder",
    "tcp": "it can reach this machine's network",
    "socket": "it can reach a local socket",
    "signal": "it can send signals to the grader",
    "privileges": "it can become another user",
    "kernel": "it can ask the kernel for more than computations need",
    "families": "it can make sockets that are not Unix's",
    "limits": "it runs without limits",
}


def main() -> int:
    """Say what each level isolates on this machine; 0 if untrusted code can be run."""
    best = probe()
    for level in ("full", "reduced"):
        found = probe_level(level)
        print(f"{level}: {f'works, memory: {found.memory}' if found.works else 'does not work'}")
        for failure in found.failures:
            print(f"  {failure}")
    return int(best.level == "none")


if __name__ == "__main__":
    sys.exit(main())
