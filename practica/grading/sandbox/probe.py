"""Boxes for untrusted code: which kind works on this machine, found by running hostile code in it.

The ladder, best first:

full      an unprivileged user, bubblewrap (no network, no home, no project, a read-only minimal
          file system, memory for /tmp), a list of system calls, limits on memory, processor,
          processes, files and output, clocks outside
reduced   the same limits, list and clocks, Landlock instead of bubblewrap, namespaces where the
          kernel gives them
none      limits and clocks only: the code can read and write what the user can. Never chosen unless
          requested by name

A `Sandbox` is a *warm* process inside a box: it has imported numpy (and torch, once a submission
mentions it) and never runs a student's file. Each `ProcessSolution` is forked from it into a box of
its own, so that a hundred submissions pay for one import, and a submission that dies or hangs is
back in some hundredths of a second.

    with Sandbox() as sandbox:
        with ProcessSolution(Path("entrega.py"), sandbox) as solution:
            solution.accuracy(outputs, targets)

`python -m practica.grading.sandbox.probe` says which levels work.
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
from dataclasses import dataclass, replace
from pathlib import Path

import practica
from practica.grading.engine.solution import SolutionLost
from practica.grading.sandbox.box import SandboxError
from practica.grading.sandbox.client import ProcessSolution
from practica.grading.sandbox.warm import WarmBox

LEVELS = ("full", "reduced", "none")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One thing that hostile code tried, whether it was stopped, and what to do if it was not."""

    name: str
    stopped: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """The result of trying a level on this machine: what it isolates, and what fails."""

    level: str  # the level looked at; for `probe()` the best one that works
    works: bool
    # whether one warm process can serve many submissions; otherwise each pays for its own imports
    shared: bool
    steps: tuple[Attempt, ...]
    failures: tuple[str, ...] = ()  # why better levels do not work here, and how to mend it
    # "cgroup" or "counted": whether the kernel limits the memory of all processes together, or it
    # is added up from outside
    memory: str = "counted"


class Sandbox(WarmBox):
    """A warm process inside a box, from which submissions are forked.

    `level` ("auto", "full", "reduced" or "none"): "auto" is the best that works, but never "none".
    Raises `SandboxError` if the level does not work on this machine; the message says why and how
    to mend it. Raises `ValueError` if there is no such level.
    """

    def __init__(self, level: str = "auto") -> None:
        if level not in ("auto", *LEVELS):
            raise ValueError(f"level={level!r}: there are auto, {', '.join(LEVELS)}")
        if level == "auto":
            level = probe().level
            if level == "none":
                raise SandboxError(
                    "\n".join(["no sandbox works on this machine:", *probe().failures])
                )
        elif level != "none" and not (tried := probe_level(level)).works:
            raise SandboxError(
                "\n".join([f"the sandbox {level!r} does not work here:", *tried.failures])
            )
        super().__init__(level, shared=level != "none" and probe_level(level).shared)


def probe() -> Probe:
    """Find the best level that works on this machine, by running it; the answer is kept.

    Returned `probe`: its level is "none" if neither bubblewrap nor Landlock can be used.
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
        return Probe(
            level, False, False, (), (f"{level}: only Linux has what the sandbox is made of",)
        )
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
    """Return what to do about a box that does not start."""
    if level == "full" and shutil.which("bwrap", path="/usr/bin:/usr/local/bin:/bin") is None:
        return "bubblewrap is not installed; on Debian and Ubuntu: sudo apt-get install bubblewrap"
    if "size" in error and "Unknown option" in error:
        return f"bubblewrap 0.7 or newer is needed ({error})"
    for name, wanted in (
        ("/proc/sys/kernel/unprivileged_userns_clone", "1"),
        ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "0"),
    ):
        with contextlib.suppress(OSError):
            if (value := Path(name).read_text().strip()) != wanted:
                option = name.removeprefix("/proc/sys/").replace("/", ".")
                return (
                    f"{error}; this kernel has {option}={value}: sudo sysctl {option}={wanted}"
                    " allows the sandbox"
                )
    if "amespace" in error or "uid map" in error or "Operation not permitted" in error:
        return f"{error}; user namespaces are forbidden here (in a container, by its profile)"
    return error


def _try_to_escape(sandbox: WarmBox) -> list[Attempt]:
    """Run `escape.py` as a submission, and return for each escape whether it was stopped."""
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
            "answers": [str(path) for path in _answers(package)],
            "folders": [str(Path.home()), str(package), str(package.parent)],
            "home": str(Path.home()),
            "entries": os.listdir(Path.home()) if Path.home().is_dir() else [],
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
    saw = answer.value
    steps = [Attempt(what, saw.get(what) is False, _ESCAPES[what]) for what in _ESCAPES]
    steps.append(
        Attempt(
            "user",
            uid != 0 and (sandbox.user in (None, uid)),
            "the code runs as root: run the grader as a user",
        )
    )
    return steps


def _answers(package: Path) -> list[Path]:
    """List the files that hold right answers: the checks and their examples, the reference, and the
    instructors' files beside the package.
    """
    inside = [*package.glob("grading/assignment/*"), *package.glob("reference/*.py")]
    return [
        path
        for path in (*inside, *package.parent.glob("enunciado/profesorado/*"))
        if path.is_file()
    ]


def _user_of(pid: int) -> int:
    found = re.search(r"^Uid:\t(\d+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return int(found[1]) if found else 0


_ESCAPES = {
    "read": "it can read a file in the temporary folder",
    "answers": "it can read the right answers or the examples",
    "home": "it can look into the home folder",
    "package": "it can import the reference",
    "write": "it can write outside its own folder",
    "rights": "it can change the rights or the date of a file in the temporary folder",
    "tcp": "it can reach this machine's network",
    "socket": "it can reach a local socket",
    "signal": "it can send signals to the grader",
    "privileges": "it can become another user",
    "kernel": "it can make system calls that no computation needs",
    "families": "it can make sockets that are not Unix's",
    "limits": "it runs without limits",
}


def main() -> int:
    """Print what each level isolates on this machine; return 0 if untrusted code can be run."""
    best = probe()
    for level in ("full", "reduced"):
        found = probe_level(level)
        print(f"{level}: {f'works, memory: {found.memory}' if found.works else 'does not work'}")
        for failure in found.failures:
            print(f"  {failure}")
    return int(best.level == "none")


if __name__ == "__main__":
    sys.exit(main())
