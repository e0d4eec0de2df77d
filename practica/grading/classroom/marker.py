"""The marking of one submission, on any worker.

Each thread that marks keeps a sandbox from one submission to the next, so that it imports torch
once. A submission is forked from it into a box of its own and sees no other one.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import os
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import practica
from practica.grading.classroom.grader_limits import TooMuchError, within
from practica.grading.engine.current import AssignmentError, choose, chosen
from practica.grading.engine.grade import grade_submission
from practica.grading.engine.result import Reason, SubmissionResult, with_manual, without_mark
from practica.grading.engine.rubric import Rubric
from practica.grading.sandbox.box import Limits, SandboxError
from practica.grading.sandbox.client import ProcessSolution
from practica.grading.sandbox.probe import Sandbox
from practica.json_data import LARGEST

MARKING = ("inside", "engine", "assignment", "sandbox")  # the packages that decide a mark

_log = logging.getLogger(__name__)
_of_this_thread = threading.local()  # a box dies with the thread that started it


@functools.cache
def version() -> str:
    """Return the version of this package with a hash of the files that decide marks, which change
    between two releases too.

    >>> version().startswith(practica.__version__ + "+")
    True
    """
    digest = hashlib.sha256()
    package = Path(practica.__file__).parent / "grading"
    folders = [*(package / part for part in MARKING), *filter(None, [chosen()])]
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".toml", ".json"):
                content = path.read_bytes()
                digest.update(
                    f"{folder.name}/{path.relative_to(folder)} {len(content)} ".encode() + content
                )
    return f"{practica.__version__}+{digest.hexdigest()[:12]}"


@dataclass(frozen=True)
class Task:
    """A submission to be marked."""

    id: str  # id, file: as the result names them
    file: str
    source: bytes
    # how often the grader itself failed at it: each time the secret examples are those of the
    # next seed
    tries: int = 0


@dataclass(frozen=True)
class Marked:
    """A marked submission, the level of its sandbox, how many tries failed before, and the process
    that marked it.
    """

    submission: SubmissionResult
    level: str | None
    tries: int = 0
    worker: str = ""


@dataclass(frozen=True)
class Marker:
    """A function that marks one submission; it can be sent to any worker."""

    rubric: Rubric
    sandboxed: bool = True  # whether a worker without sandbox refuses
    # of the secret examples, the same for all submissions of a class; there are none without it
    seed: int | None = None
    # see `version`; a worker with another one refuses
    version: str = field(default_factory=lambda: version())
    # the folder of the assignment, where it is not the practice of this project: a worker has it in
    # the same place
    assignment: Path | None = field(default_factory=chosen)
    # seconds, memory: what one submission may use of a worker itself: processor time, of which the
    # model answer takes 2 s, and bytes
    seconds: float = 60.0
    memory: int = 2 << 30

    def __call__(self, task: Task) -> Marked:
        """Mark one submission in a box of this worker's sandbox.

        Raises `SandboxError` if this machine has no sandbox, or this package has another version.
        Raises `AssignmentError` if the assignment is not here, or this process marks another one.
        """
        try:
            choose(self.assignment)
        except AssignmentError as error:
            raise AssignmentError(f"{place()}: {error}") from None
        if version() != self.version:
            raise SandboxError(f"here is practica {version()}, and {self.version} is wanted")
        sandbox = _sandbox_of_this_thread(self.sandboxed)
        try:
            submission, killed = self._graded(task, sandbox)
            if killed:  # by something outside, as far as is known
                _log.warning("the box of %s was killed, and it is marked once more", task.id)
                submission, _ = self._graded(task, sandbox)
            submission = with_manual(replace(submission, memory=sandbox.memory), self.rubric)
        # whatever this one does to the grader, the others get their marks
        except Exception as error:
            _log.exception("%s could not be marked", task.id)
            submission = self.without_mark(task, Reason.of_error(error))
        return Marked(submission, sandbox.level, task.tries, place())

    def _graded(self, task: Task, sandbox: Sandbox) -> tuple[SubmissionResult, bool]:
        """Mark a submission once; also return whether one of its processes was killed."""
        with ProcessSolution(task.source, sandbox, Limits.here()) as solution:
            submission = grade_submission(
                task.source,
                solution,
                self.rubric,
                identifier=task.id,
                file=task.file,
                seed=self.seed_of(task.tries),
            )
        return submission, solution.killed

    def seed_of(self, tries: int) -> int | None:
        """Return the seed of the secret examples after the grader has failed `tries` times at a
        submission; None if there are no secret examples.
        """
        return self.seed if self.seed is None or not tries else (self.seed + tries) % LARGEST

    def given_up(self, task: Task, deaths: int) -> Marked:
        """Return a result without a mark for a submission that has killed its worker `deaths`
        times.
        """
        return Marked(
            self.without_mark(task, Reason.of("lost.worker", {"count": deaths})),
            None,
            task.tries,
            place(),
        )

    def without_mark(self, task: Task, reason: Reason) -> SubmissionResult:
        """Return the result of a submission that the grader could not mark, with the `reason`."""
        return without_mark(
            task.source, self.rubric, identifier=task.id, file=task.file, reason=reason
        )


def mark_here(marker: Marker, task: Task) -> Marked:
    """Mark a submission in this process; without a mark if it takes more than a worker allows."""
    try:
        with within(marker.seconds, marker.memory):
            return marker(task)
    except TooMuchError as error:
        _log.error("%s: %s", task.id, error)
        return Marked(marker.without_mark(task, Reason.of_error(error)), None, task.tries, place())


def _sandbox_of_this_thread(sandboxed: bool) -> Sandbox:
    level = "auto" if sandboxed else "none"
    sandboxes: dict[str, Sandbox] = _of_this_thread.__dict__
    if level not in sandboxes:
        sandboxes[level] = Sandbox(level)
    return sandboxes[level]


@contextlib.contextmanager
def closing_sandboxes() -> Iterator[None]:
    """Close the sandboxes that marking in this thread has opened, when the block ends."""
    try:
        yield
    finally:
        sandboxes: dict[str, Sandbox] = _of_this_thread.__dict__
        while sandboxes:
            sandboxes.popitem()[1].close()


def place() -> str:
    """Return the host and the number of this process, as in "host:123"."""
    return f"{socket.gethostname()}:{os.getpid()}"
