"""Runs of `practica grade` over a small class, as processes that can be killed: what they leave,
and what they write.

The class has two functions, a check each, no torch: seconds. A pause in each submission makes a run
long enough to be cut in the middle. Where nothing is cut a run can be in this process:
`Class.mark`.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from click.testing import CliRunner

from practica.cli import main
from practica.grading.classroom.marker import Marked, Marker, Task

RUBRIC = """
schema = 1
name = "Dos funciones"
only = ["classify_outputs", "one_hot_encoding"]
[functions.classify_outputs]
points = 1
checks = ["classify_outputs.vector"]
[functions.one_hot_encoding]
points = 1
checks = ["one_hot_encoding.bool"]
"""
SUBMISSION = """
import time
import numpy as np

time.sleep({pause})

def classify_outputs(outputs, *, threshold=0.5):
    return np.asarray(outputs) {comparison} threshold

def one_hot_encoding(feature, classes=None):
    return np.asarray(feature).reshape(-1, 1)
"""
WORKSHEET = (
    "\ufeffIdentificador,Nombre completo,Estado,Calificación,Calificación máxima,Comentarios de"
    " retroalimentación\n"
)
PATIENCE = 120  # seconds for what takes two on an idle machine


@dataclass
class Class:
    """A class in a folder: what is handed in, the worksheet, and a place for the files of runs."""

    folder: Path
    count: int = 20
    pause: float = 0.1
    seed: int | None = 1
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))

    def __post_init__(self) -> None:
        """Write the files; one in four has a wrong function, and one cannot be read."""
        self.submissions.mkdir(parents=True)
        rows = ""
        for number in range(self.count):
            source = SUBMISSION.format(
                pause=self.pause, comparison=">" if number % 4 == 0 else ">="
            )
            self.hand_in(number, "def (" if number == 3 else source)
            rows += f"Participante{number},Ana {number},Enviado,,,\n"
        self.rubric.write_text(RUBRIC)
        self.worksheet.write_text(WORKSHEET + rows.replace(",,,", ",,10,"), encoding="utf-8")

    submissions = property(lambda self: self.folder / "entregas")
    rubric = property(lambda self: self.folder / "rubric.toml")
    worksheet = property(lambda self: self.folder / "notas.csv")

    def hand_in(self, number: int, source: str) -> None:
        """Write what a student hands in."""
        folder = self.submissions / f"Ana {number}_{number}_assignsubmission_file"
        folder.mkdir(exist_ok=True)
        (folder / "solucion.py").write_text(source)

    def command(self, out: Path, *options: str) -> list[str]:
        """Return the command that marks the class."""
        begin = [
            sys.executable,
            "-m",
            "practica",
            "grade",
            str(self.submissions),
            "--out",
            str(out),
        ]
        begin += [] if self.seed is None else ["--seed", str(self.seed)]
        return [
            *begin,
            "--rubric",
            str(self.rubric),
            "--worksheet",
            str(self.worksheet),
            "--workers",
            "2",
            *options,
        ]

    def start(self, out: Path, *options: str) -> subprocess.Popen[str]:
        """Begin to mark it, in a session of its own."""
        return subprocess.Popen(
            self.command(out, *options),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            env=self.environment,
        )

    def run(self, out: Path, *options: str) -> tuple[int, str]:
        """Mark it, and return the exit code and what was said."""
        with self.start(out, *options) as process:
            said, _ = process.communicate(timeout=PATIENCE)
        return process.returncode, said

    def mark(self, out: Path, *options: str) -> tuple[int, str]:
        """Mark it in this process, with one worker, and return the exit code and what was said."""
        return in_process(*self.command(out, "--workers", "1", *options)[3:])


def in_process(*arguments: object) -> tuple[int, str]:
    """Run a command of practica in this process, and return the exit code and what was said."""
    done = CliRunner().invoke(main, [*map(str, arguments)])
    assert isinstance(done.exception, SystemExit | None), done.exception
    return done.exit_code, done.output


@contextlib.contextmanager
def small_class(count: int = 20, pause: float = 0.1) -> Iterator[Class]:
    """Make a class whose runs have a folder for temporary files of their own, which boxes can
    reach.
    """
    folder = Path(tempfile.mkdtemp(prefix="clase-"))
    temporary = folder / "tmp"
    temporary.mkdir()
    for each in (folder, temporary):
        each.chmod(0o755)
    try:
        yield Class(folder, count, pause, environment={**os.environ, "TMPDIR": str(temporary)})
    finally:
        shutil.rmtree(folder)


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for something that happens sooner or later."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"not after {PATIENCE} s"
        time.sleep(0.02)


def lines(path: Path, beginning: str) -> int:
    """Count the lines of a file that begin so; none where there is no file."""
    return (
        sum(line.startswith(beginning) for line in path.read_text().splitlines())
        if path.exists()
        else 0
    )


def journaled(out: Path) -> int:
    """Count the submissions that a run has done."""
    return lines(out / "diario.jsonl", '{"key"')


def written(out: Path) -> dict[str, bytes]:
    """Return all that a run wrote, but the log, which has the times, and the manifest, which has
    the other files.
    """
    files = {str(path.relative_to(out)): path for path in out.rglob("*") if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in files.items()
        if name not in ("registro.log", "manifest.json")
    }


def nothing_left(made: Class) -> bool:
    """Tell whether no process of a run is there, nor a temporary file."""
    return not list((made.folder / "tmp").iterdir()) and not processes_of(made.folder)


def processes_of(folder: Path) -> list[str]:
    """List the command lines of processes that have to do with a folder, by their arguments or
    their environment.
    """
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal() and int(process.name) != os.getpid():
            with contextlib.suppress(OSError):
                text = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
                if str(folder).encode() in text:
                    found.append(text.decode(errors="replace"))
    return found


@dataclass(frozen=True)
class DeadlyMarker(Marker):
    """Marks as its parent does, and some submissions kill the worker that marks them.

    Attributes
    ----------
    always, once : tuple of str
        Ids of submissions that do it each time, or the first one.
    folder : str
        Where is written who died of what.
    pause : float
        Seconds before it. A worker of Dask that dies before its nanny has heard that it began takes
        the nanny with it.
    """

    always: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    folder: str = ""
    pause: float = 0.0

    def __call__(self, task: Task) -> Marked:
        """Mark it, or die."""
        deaths = Path(self.folder, task.id)
        if task.id in self.always or (task.id in self.once and not deaths.exists()):
            with open(deaths, "a") as file:
                file.write(f"{os.getpid()}\n")
            time.sleep(self.pause)
            os.kill(os.getpid(), 9)
        return super().__call__(task)


@dataclass(frozen=True)
class GreedyMarker(Marker):
    """Marks as its parent does; for some submissions it takes from its worker what there is.

    Attributes
    ----------
    burning, loops, hoarding : tuple of str
        Ids of submissions that take its processor, in C or in Python while the submission is
        marked, or its memory.
    """

    burning: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()
    hoarding: tuple[str, ...] = ()

    def __call__(self, task: Task) -> Marked:
        """Mark it, or take without end."""
        if task.id in self.burning:
            sum(iter(int, 1))  # in one call of C, which no thread of Python interrupts
        while task.id in self.loops:
            pass
        if task.id in self.hoarding:
            try:
                bytes(2 * self.memory)
            except MemoryError:
                return self.given_up(task, 0)
        return super().__call__(task)
