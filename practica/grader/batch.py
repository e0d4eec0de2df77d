"""Many submissions: independent tasks for joblib, on the processors of this machine or on a Dask cluster.

Each worker has a sandbox of its own, kept from one task to the next, so that it imports torch once; a submission is
forked from it into its own box and sees no other one. A worker without a sandbox refuses to work.

A worker that dies (for lack of memory, say) takes with it what all of them were doing: those few tasks are done once
more, one at a time, and one whose worker dies again is reported instead of tried for ever.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import signal
import socket
import threading
import time
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, NamedTuple

import joblib

import practica
from practica.grader.grade import grade_submission
from practica.grader.messages import say
from practica.grader.rubric import Rubric
from practica.grader.sandbox import Sandbox, SandboxedSolution, SandboxError

__all__ = ["Marked", "Marker", "Task", "closing_sandboxes", "mark_all", "scheduler"]

MOST_DEATHS = 2  # of workers, by one submission


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
        Of this package; a worker with another one refuses.
    """

    rubric: Rubric
    lang: str = "es"
    sandboxed: bool = True
    version: str = practica.__version__

    def __call__(self, task: Task) -> Marked:
        """Mark one submission in a box of this worker's sandbox.

        Raises
        ------
        SandboxError
            If this machine has no sandbox, or another version of this package.
        """
        if practica.__version__ != self.version:
            raise SandboxError(f"{_place()} has practica {practica.__version__}, and {self.version} is wanted")
        sandbox = _sandbox_of_this_thread(self.sandboxed)
        with SandboxedSolution(task.source, sandbox) as solution:
            submission = grade_submission(
                task.source, solution, self.rubric, identifier=task.id, file=task.file, lang=self.lang
            )
        return Marked(submission, sandbox.level, _place())

    def given_up(self, task: Task) -> Marked:
        """Return what is left to say of a submission whose workers die: no mark."""
        submission: dict[str, Any] = {
            "id": task.id,
            "file": task.file,
            "sha256": hashlib.sha256(task.source).hexdigest(),
            "status": "grader_error",
            "reason": say("lost.worker", {"count": MOST_DEATHS}, self.lang),
            "points": None,
            "max_points": float(self.rubric.max_points),
            "seconds": 0.0,
            "functions": [],
        }
        return Marked(submission, None, _place())


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
    waiting, deaths = deque(tasks), Counter[str]()
    if len(waiting) == 1 and not _on_a_cluster():  # not worth a worker
        with closing_sandboxes():
            yield waiting[0], marker(waiting[0])
        return
    suspects: deque[Task] = deque()
    while waiting or suspects:
        queue, at_once = (waiting, workers) if waiting else (suspects, 1)
        flying: dict[str, Task] = {}
        results = _in_parallel(marker, queue, flying, at_once)
        try:
            for marked in results:
                yield flying.pop(marked.submission["id"]), marked
        except Exception as error:
            if not _is_death(error):
                raise
            for task in flying.values():
                deaths[task.id] += 1
                if deaths[task.id] < MOST_DEATHS:
                    suspects.append(task)
                else:
                    yield task, marker.given_up(task)
        finally:
            results.close()


def _in_parallel(
    marker: Marker, queue: deque[Task], flying: dict[str, Task], at_once: int
) -> Generator[Marked, None, None]:
    """Let workers take tasks out of a queue, a few at a time; those that they have are in `flying`."""

    def taken() -> Iterator[Any]:
        while queue:
            task = queue.popleft()
            flying[task.id] = task
            yield joblib.delayed(_work)(marker, task, os.getpid())

    # With one job joblib would work in this process, which a submission could then take with it.
    jobs = None if _on_a_cluster() else max(2, at_once)
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", pre_dispatch=at_once, batch_size=1)
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
        with joblib.parallel_config("loky"):
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


def _on_a_cluster() -> bool:
    backend, _ = joblib.parallel.get_active_backend()
    return type(backend).__name__ == "DaskDistributedBackend"


def _is_death(error: Exception) -> bool:
    """Tell whether a worker died: of a process pool, or of Dask."""
    return isinstance(error, BrokenProcessPool) or type(error).__name__ == "KilledWorker"


# -- the worker --------------------------------------------------------------------------------------------------------

_of_this_thread = threading.local()  # a box dies with the thread that started it


def _work(marker: Marker, task: Task, parent: int) -> Marked:
    if os.getppid() == parent and threading.current_thread() is threading.main_thread():
        _end_with(parent)  # a process of joblib's; a thread of a Dask worker is not ours to end
    return marker(task)


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


@functools.cache
def _end_with(parent: int) -> None:
    """End this worker when the process that started it is gone, however it went; Ctrl-C is that one's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def _place() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"
