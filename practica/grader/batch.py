"""Many submissions: independent tasks for joblib, on the processors of this machine or on a Dask cluster.

Each worker has a sandbox of its own, kept from one task to the next, so that it imports torch once; a submission is
forked from it into its own box and sees no other one. A worker without a sandbox refuses to work.

A worker that dies (for lack of memory, say) takes with it what all of them were doing: those few tasks are done once
more, one at a time, and one whose worker dies again is reported instead of tried for ever.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import logging
import os
import secrets
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import joblib
from joblib.externals.loky import get_reusable_executor

import practica
from practica.grader.grade import grade_submission
from practica.grader.messages import say
from practica.grader.rubric import Rubric
from practica.grader.sandbox import Sandbox, SandboxedSolution, SandboxError

__all__ = ["Marked", "Marker", "Task", "closing_sandboxes", "mark_all", "scheduler", "version"]

MOST_DEATHS = 2  # of workers, by one submission
LOOK = 0.5  # seconds between two looks of a worker at who started it

_log = logging.getLogger(__name__)


@functools.cache
def version() -> str:
    """Return the version of this package, with a hash of what marks: between two releases the number stays.

    Examples
    --------
    >>> version().startswith(practica.__version__ + "+")
    True
    """
    digest = hashlib.sha256()
    package = Path(practica.__file__).parent
    for path in sorted(path for part in ("checks", "grader") for path in (package / part).rglob("*")):
        if path.suffix in (".py", ".toml"):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(package)} {len(content)} ".encode() + content)
    return f"{practica.__version__}+{digest.hexdigest()[:12]}"


@dataclass(frozen=True)
class Task:
    """A submission to be marked.

    Attributes
    ----------
    id, file : str
        As the result names them.
    source : bytes
    """

    id: str
    file: str
    source: bytes


class Marked(NamedTuple):
    """A marked submission, the level of the sandbox that it ran in, and the process that did it."""

    submission: dict[str, Any]
    level: str | None
    worker: str = ""


@dataclass(frozen=True)
class Marker:
    """How to mark a submission, on any worker; it travels between processes.

    Attributes
    ----------
    rubric : Rubric
    lang : "es" or "en"
    sandboxed : bool
        Whether a worker without sandbox refuses.
    version : str
        See `version`; a worker with another one refuses.
    """

    rubric: Rubric
    lang: str = "es"
    sandboxed: bool = True
    version: str = field(default_factory=lambda: version())

    def __call__(self, task: Task) -> Marked:
        """Mark one submission in a box of this worker's sandbox.

        Raises
        ------
        SandboxError
            If this machine has no sandbox, or another version of this package.
        """
        if version() != self.version:
            raise SandboxError(f"{_place()} has practica {version()}, and {self.version} is wanted")
        sandbox = _sandbox_of_this_thread(self.sandboxed)
        try:
            with SandboxedSolution(task.source, sandbox) as solution:
                submission = grade_submission(
                    task.source, solution, self.rubric, identifier=task.id, file=task.file, lang=self.lang
                )
        except Exception as error:  # whatever this one does to the grader, the others get their marks
            _log.exception("%s could not be marked", task.id)
            submission = self._without_mark(task, f"{type(error).__name__}: {error}"[:500])
        return Marked(submission, sandbox.level, _place())

    def given_up(self, task: Task) -> Marked:
        """Return what is left to say of a submission whose workers die: no mark."""
        return Marked(self._without_mark(task, say("lost.worker", {"count": MOST_DEATHS}, self.lang)), None, _place())

    def _without_mark(self, task: Task, reason: str) -> dict[str, Any]:
        return {
            "id": task.id,
            "file": task.file,
            "sha256": hashlib.sha256(task.source).hexdigest(),
            "status": "grader_error",
            "reason": reason,
            "points": None,
            "max_points": float(self.rubric.max_points),
            "seconds": 0.0,
            "functions": [],
        }


def mark_all(tasks: Iterable[Task], marker: Marker, *, workers: int) -> Generator[tuple[Task, Marked], None, None]:
    """Mark submissions on joblib's workers, in the order in which they are done.

    Parameters
    ----------
    tasks : iterable of Task
    marker : Marker
    workers : int
        How many submissions are on their way at the same time.

    Yields
    ------
    task, marked : Task, Marked
        Each task once.

    Raises
    ------
    SandboxError
        If a worker refuses.
    """
    left = {task.id: task for task in tasks}
    deaths = Counter[str]()
    while left:
        queue = deque(task for task in left.values() if not deaths[task.id])
        if not queue:  # suspects only: each alone, because joblib takes some more out of a queue than it sends
            queue.append(next(iter(left.values())))
        flying: set[str] = set()
        try:
            with contextlib.closing(_in_parallel(marker, queue, flying, workers)) as results:
                for marked in results:
                    flying.discard(marked.submission["id"])
                    yield left.pop(marked.submission["id"]), marked
        except Exception as error:
            if not _is_death(error):
                raise
            _log.warning("a worker died; on their way: %s", ", ".join(sorted(flying)))
            for name in sorted(flying & left.keys()):
                deaths[name] += 1
                if deaths[name] == MOST_DEATHS:
                    task = left.pop(name)
                    yield task, marker.given_up(task)


def _in_parallel(marker: Marker, queue: deque[Task], flying: set[str], workers: int) -> Generator[Marked, None, None]:
    """Let workers take tasks out of a queue, a few at a time; those that they have are in `flying`."""

    def taken() -> Iterator[Any]:
        while queue:
            task = queue.popleft()
            flying.add(task.id)
            yield joblib.delayed(marker)(task)

    # With one job joblib would work in this process, which a submission could then take with it.
    jobs = None if _on_a_cluster() else max(2, workers)
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", pre_dispatch=workers, batch_size=1)
    with _deaf_to_ctrl_c():
        return parallel(taken())


@contextlib.contextmanager
def scheduler(address: str | None, workers: int | None) -> Iterator[int]:
    """Let joblib send its tasks to processes of this machine, or to a Dask cluster.

    Parameters
    ----------
    address : str, optional
        Of the scheduler, such as "tcp://10.0.0.1:8786".
    workers : int, optional
        As many as there are processors, or threads in the cluster, without it.

    Yields
    ------
    workers : int

    Raises
    ------
    ValueError
        If there is no such scheduler, or it has no workers.
    """
    if address is None:
        with _local_processes():
            yield workers or joblib.cpu_count()
        return
    try:
        from distributed import Client
    except ImportError:
        raise ValueError("--scheduler needs Dask: pip install 'practica[dask]'") from None
    try:
        client = Client(address, timeout=10)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as error:
        raise ValueError(f"there is no Dask scheduler at {address}: {error}") from None
    with client:
        threads = sum(client.nthreads().values())  # type: ignore[no-untyped-call]
        if not threads:
            raise ValueError(f"the Dask scheduler at {address} has no workers")
        with joblib.parallel_config("dask", client=client, wait_for_workers_timeout=10):
            yield min(workers or threads, threads)


@contextlib.contextmanager
def _local_processes() -> Iterator[None]:
    """Give joblib processes that leave nothing behind: neither themselves nor a file."""
    folder = os.path.join(tempfile.gettempdir(), f"practica-workers-{secrets.token_hex(8)}")
    try:
        with joblib.parallel_config("loky", initializer=_begin, initargs=(os.getpid(), folder)):
            yield
    finally:
        get_reusable_executor(reuse=True).shutdown(wait=True)
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Start processes to which Ctrl-C does not get through before they can say what they do about it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _on_a_cluster() -> bool:
    backend, _ = joblib.parallel.get_active_backend()
    return type(backend).__name__ == "DaskDistributedBackend"


def _is_death(error: Exception) -> bool:
    """Tell whether a worker died: of a process pool, or of Dask."""
    return isinstance(error, BrokenProcessPool) or type(error).__name__ == "KilledWorker"


# -- the worker --------------------------------------------------------------------------------------------------------

_of_this_thread = threading.local()  # a box dies with the thread that started it


def _begin(parent: int, folder: str) -> None:
    """Make a process of joblib's ours: its files are in a folder of the run, and it ends with the run."""
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, 0o755)  # the unprivileged users of the boxes have to get through
    tempfile.tempdir = folder
    atexit.register(_leave, folder)
    signal.signal(signal.SIGINT, lambda *_: None)  # the business of the one that started it; not inherited by boxes
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with, args=(parent, folder), daemon=True).start()


def _leave(folder: str) -> None:
    """Close what this process has opened; the last one to leave removes the folder."""
    with closing_sandboxes():
        pass
    with contextlib.suppress(OSError):
        os.rmdir(folder)


def _end_with(parent: int, folder: str) -> None:
    """End this worker when the process that started it is gone, however it went, and remove what both leave."""
    while os.getppid() == parent:
        time.sleep(LOOK)
    os.execvp("rm", ["rm", "-rf", "--", folder])  # takes this process's place: its boxes lose their lines and end


def _sandbox_of_this_thread(sandboxed: bool) -> Sandbox:
    level = "auto" if sandboxed else "none"
    sandboxes: dict[str, Sandbox] = _of_this_thread.__dict__
    if level not in sandboxes:
        sandboxes[level] = Sandbox(level)
    return sandboxes[level]


@contextlib.contextmanager
def closing_sandboxes() -> Iterator[None]:
    """Close what marking in this thread has opened, when the block ends."""
    try:
        yield
    finally:
        sandboxes: dict[str, Sandbox] = _of_this_thread.__dict__
        while sandboxes:
            sandboxes.popitem()[1].close()


def _place() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"
