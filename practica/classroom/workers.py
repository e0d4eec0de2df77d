"""Many submissions: independent tasks for joblib, on the processors of this machine, or for a Dask cluster.

Each worker has a sandbox of its own, kept from one task to the next, so that it imports torch once; a submission is
forked from it into its own box and sees no other one. A worker without a sandbox refuses to work.

A worker has limits of its own for each submission: what takes too much memory of the grader's is no mark for that one,
and what takes too much of its processor ends the worker. Dask's have them where each has one thread and a nanny.

A worker that dies takes with it what all of them were doing: those few tasks are done once more, one at a time, and one
whose worker dies again is reported instead of tried for ever.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import hashlib
import logging
import multiprocessing.resource_tracker
import os
import secrets
import signal
import socket
import sys
import tempfile
import threading
import time
import warnings
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import joblib.externals.loky.backend.resource_tracker
from joblib.externals import loky

import practica
from practica.classroom.allowance import TooMuchError, limited, within
from practica.files import remove_tree
from practica.grading.result import error_of, grade_submission, reason_of, without_mark
from practica.grading.rubric import Rubric
from practica.report.logs import brief
from practica.sandbox.solution import Limits, ProcessSolution, Sandbox, SandboxError

__all__ = ["Marked", "Marker", "Task", "Workers", "closing_sandboxes", "mark_all", "mark_here", "version", "workers_at"]

MARKING = ("checks", "grading", "sandbox")  # the packages that decide a mark
MOST_DEATHS = 2  # of workers, by one submission
CONNECT = 10  # seconds to find a Dask scheduler, and its workers
ALONE = 300  # seconds for a Dask cluster to get workers again, when all are gone
_SAFE_PATH = "PYTHONSAFEPATH"  # with which Python looks for no modules where it is started
LOOK = 0.5  # seconds between two looks of a worker at who started it, and at the workers of a cluster

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
    for path in sorted(path for part in MARKING for path in (package / part).rglob("*")):
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
    sandboxed : bool
        Whether a worker without sandbox refuses.
    seed : int, optional
        Of the secret examples, the same for all submissions of a class; there are none without it.
    version : str
        See `version`; a worker with another one refuses.
    seconds, memory : float, int
        What one submission may use of a worker itself: processor time, of which the model answer takes 2 s, and bytes.
    """

    rubric: Rubric
    sandboxed: bool = True
    seed: int | None = None
    version: str = field(default_factory=lambda: version())
    seconds: float = 60.0
    memory: int = 2 << 30

    def __call__(self, task: Task) -> Marked:
        """Mark one submission in a box of this worker's sandbox.

        Raises
        ------
        SandboxError
            If this machine has no sandbox, or another version of this package.
        """
        if version() != self.version:
            raise SandboxError(f"here is practica {version()}, and {self.version} is wanted")
        sandbox = _sandbox_of_this_thread(self.sandboxed)
        try:
            with ProcessSolution(task.source, sandbox, Limits.here()) as solution:
                submission = grade_submission(
                    task.source, solution, self.rubric, identifier=task.id, file=task.file, seed=self.seed
                )
            submission["memory"] = sandbox.memory
        except Exception as error:  # whatever this one does to the grader, the others get their marks
            _log.exception("%s could not be marked", task.id)
            submission = self._without_mark(task, error_of(error))
        return Marked(submission, sandbox.level, _place())

    def given_up(self, task: Task, deaths: int) -> Marked:
        """Return what is left to say of a submission whose workers die: no mark."""
        return Marked(self._without_mark(task, reason_of("lost.worker", {"count": deaths})), None, _place())

    def _without_mark(self, task: Task, reason: dict[str, Any]) -> dict[str, Any]:
        return without_mark(task.source, self.rubric, identifier=task.id, file=task.file, reason=reason)


Workers = Callable[[Marker, deque[Task], set[str]], Generator[Marked, None, None]]


def mark_all(tasks: Iterable[Task], marker: Marker, workers: Workers) -> Generator[tuple[Task, Marked], None, None]:
    """Mark submissions on workers, in the order in which they are done.

    Parameters
    ----------
    tasks : iterable of Task
    marker : Marker
    workers : see `workers_at`

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
        if not queue:  # suspects only: each alone
            queue.append(next(iter(left.values())))
        flying: set[str] = set()
        try:
            with contextlib.closing(workers(marker, queue, flying)) as results:
                for marked in results:
                    flying.discard(marked.submission["id"])
                    yield left.pop(marked.submission["id"]), marked
        except Exception as error:
            if not (died := _deaths_told_by(error)):
                raise
            _log.warning("a worker died; on their way: %s", ", ".join(sorted(flying)))
            for name in sorted(flying & left.keys()):
                deaths[name] += died
                if deaths[name] >= MOST_DEATHS:
                    task = left.pop(name)
                    yield task, marker.given_up(task, deaths[name])


@contextlib.contextmanager
def workers_at(address: str | None, count: int | None) -> Iterator[Workers]:
    """Start processes of this machine, or find those of a Dask cluster.

    Parameters
    ----------
    address : str, optional
        Of a scheduler, such as "tcp://10.0.0.1:8786"; processes of this machine without it.
    count : int, optional
        How many submissions are on their way at the same time: as many as there are processors, or threads in the
        cluster, without it.

    Yields
    ------
    workers : callable
        workers(marker, queue, flying) takes tasks out of a queue and yields them marked; those on their way are in
        `flying`.

    Raises
    ------
    ValueError
        If there is no such scheduler, or it has no workers.
    """
    if address is None:
        with _local_processes():
            yield functools.partial(_in_processes, count or joblib.cpu_count())
        return
    try:
        from distributed import Client
    except ImportError:
        raise ValueError("--scheduler needs Dask: pip install 'practica[dask]'") from None
    try:
        client = Client(address, timeout=CONNECT)  # type: ignore[no-untyped-call]
    except Exception as error:  # what distributed raises depends on how far it came
        reason = str(error) or type(error).__name__
        raise ValueError(f"there is no Dask scheduler at {address}: {reason}") from None
    with client:
        with contextlib.suppress(TimeoutError):
            client.wait_for_workers(1, timeout=CONNECT)
        threads = sum(client.nthreads().values())  # type: ignore[no-untyped-call]
        if not threads:
            raise ValueError(f"the Dask scheduler at {address} has no workers")
        yield functools.partial(_on_cluster, client, min(count or threads, threads))


def _in_processes(count: int, marker: Marker, queue: deque[Task], flying: set[str]) -> Generator[Marked, None, None]:
    """Let joblib's processes do it."""

    def taken() -> Iterator[Any]:
        while queue:  # of which joblib takes some more than it sends
            task = queue.popleft()
            flying.add(task.id)
            yield joblib.delayed(_work)(marker, task)

    # With one job joblib would work in this process, which a submission could then take with it; more than there are
    # submissions would all be started.
    jobs = max(2, min(count, len(queue)))
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", pre_dispatch=count, batch_size=1)
    with _deaf_to_ctrl_c():
        return parallel(taken())


def _on_cluster(
    client: Any, count: int, marker: Marker, queue: deque[Task], flying: set[str]
) -> Generator[Marked, None, None]:
    """Let Dask do it, without joblib, whose results of a task that kills its workers never come (joblib 1.6)."""
    names = {}

    def send() -> Any:
        task = queue.popleft()
        flying.add(task.id)
        future = client.submit(_work, marker, task, pure=False)
        names[future.key] = task.id
        return future

    running = {send() for _ in range(min(count, len(queue)))}
    while running:
        try:
            future = _first_done(client, running)
            marked = future.result()
        except CancelledError:
            raise ConnectionError(f"the Dask scheduler at {client.scheduler.address} is gone") from None
        except Exception as error:
            if _deaths_told_by(error):  # Dask knows whose: the others are innocent
                flying.intersection_update({names[future.key]})
            raise
        running.remove(future)
        if queue:
            running.add(send())
        yield marked


def _first_done(client: Any, running: set[Any]) -> Any:
    """Wait for a result, for as long as there are workers or some may come back."""
    from distributed import wait

    seen = time.monotonic()
    while True:
        with contextlib.suppress(TimeoutError):
            return wait(running, timeout=LOOK, return_when="FIRST_COMPLETED").done.pop()  # type: ignore[no-untyped-call]
        if client.nthreads():
            seen = time.monotonic()
        elif time.monotonic() - seen > ALONE:
            raise ConnectionError(f"the Dask scheduler at {client.scheduler.address} has had no workers for {ALONE} s")


@contextlib.contextmanager
def _local_processes() -> Iterator[None]:
    """Give joblib processes that leave nothing behind: neither themselves nor a file."""
    folder = os.path.join(tempfile.gettempdir(), f"practica-workers-{secrets.token_hex(8)}")
    try:
        with (
            _without_modules_from_here(),
            joblib.parallel_config("loky", initializer=_begin, initargs=(os.getpid(), folder)),
            warnings.catch_warnings(),
        ):
            warnings.filterwarnings("ignore", r"\d+ tasks ")  # an end before the end is told in a sentence
            with _deaf_to_tasks_thrown_away():
                yield
    finally:
        loky.get_reusable_executor(reuse=True).shutdown(wait=True)
        remove_tree(folder)


@contextlib.contextmanager
def _without_modules_from_here() -> Iterator[None]:
    """Start processes that import nothing from the working directory: the files of the class may lie there."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before


@contextlib.contextmanager
def _deaf_to_tasks_thrown_away() -> Iterator[None]:
    """Print nothing when loky, stopped with tasks that it has not sent yet, throws them away and then looks for one.

    It has killed its processes by then: only the thread that managed them ends in a KeyError (joblib 1.6).
    """

    def told(args: threading.ExceptHookArgs) -> None:
        if not (args.exc_type is KeyError and args.thread and args.thread.name == "ExecutorManagerThread"):
            tell(args)

    tell, threading.excepthook = threading.excepthook, told
    try:
        yield
    finally:
        threading.excepthook = tell


@contextlib.contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Start processes to which Ctrl-C does not get through before they can say what they do about it."""
    for tracker in (multiprocessing.resource_tracker, loky.backend.resource_tracker):
        tracker.ensure_running()  # before: they let it through again when they start
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which the processes inherit
    pressed: list[int] = []
    in_charge = threading.current_thread() is threading.main_thread()
    # Another thread may still get the signal, and Python would interrupt this one with a process half started.
    handler = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number)) if in_charge else None
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if in_charge:
            signal.signal(signal.SIGINT, handler)
        if pressed:
            signal.raise_signal(signal.SIGINT)


def _deaths_told_by(error: Exception) -> int:
    """Return how many workers died: one of a process pool, or as many as Dask puts up with by itself and one more."""
    if type(error).__name__ == "KilledWorker":
        return 1 + int(getattr(error, "allowed_failures", 0))
    return int(isinstance(error, BrokenProcessPool))


# -- the worker --------------------------------------------------------------------------------------------------------

_of_this_thread = threading.local()  # a box dies with the thread that started it
_ours: list[int] = []  # what started this process, where that is a run of ours


def _work(marker: Marker, task: Task) -> Marked:
    """Mark a submission; a refusal says whose it is."""
    try:
        with limited(marker.seconds, marker.memory) if _ours or _is_restarted_by_dask() else contextlib.nullcontext():
            marked = marker(task)
    except SandboxError as error:
        raise SandboxError(f"{_place()}: {error}") from None
    if _ours:
        _settle()
    return marked


@functools.cache
def _settle() -> None:
    """Look for garbage less often, and not in what the first submission has loaded: that took a fifth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


def mark_here(marker: Marker, task: Task) -> Marked:
    """Mark a submission in this process, within the limits of a worker: beyond them it has no mark."""
    try:
        with within(marker.seconds, marker.memory):
            return marker(task)
    except TooMuchError as error:
        _log.error("%s: %s", task.id, error)
        return Marked(marker._without_mark(task, error_of(error)), None, _place())


def _is_restarted_by_dask() -> bool:
    """Tell whether this is a process of Dask's that does one thing at a time, and is started anew when it ends."""
    distributed = sys.modules.get("distributed")
    try:
        worker = distributed and distributed.get_worker()
    except ValueError:  # no worker
        return False
    return worker is not None and worker.nanny is not None and worker.state.nthreads == 1


def _begin(parent: int, folder: str) -> None:
    """Make a process of joblib's ours: its files are in a folder of the run, and it ends with the run."""
    _ours.append(parent)
    brief()
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
