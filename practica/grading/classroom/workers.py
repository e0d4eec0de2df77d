"""Workers for a class: processes of this machine, or those of a Dask cluster.

Both are executors of `concurrent.futures`: joblib's loky starts processes, distributed sends the
tasks to its workers. A worker without a sandbox refuses to work.

A worker has limits of its own for each submission. A submission that takes too much of its memory
has no mark, and one that takes too much of its processor ends the worker. Dask's workers have
limits if they have one thread and a nanny.

If a worker of loky dies, what all of them were doing is lost: those few tasks are done once more,
one at a time. A task is reported if its worker dies again.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import logging
import multiprocessing.resource_tracker
import os
import secrets
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

import joblib
import joblib.externals.loky.backend.resource_tracker
from joblib.externals import loky

from practica.files import remove_tree
from practica.grading.classroom.grader_limits import limited
from practica.grading.classroom.marker import Marked, Marker, Task, closing_sandboxes, place
from practica.grading.report.logs import brief
from practica.grading.sandbox.box import SandboxError

CONNECT = 30  # seconds to find a Dask scheduler, and its workers
ALONE = 300  # seconds for a Dask cluster to get workers again, when all are gone
# seconds between two looks of a worker at who started it, and at the workers of a cluster
LOOK = 0.5
IDLE = 300  # seconds after which a process without work ends
# with it Python looks for no modules where it is started: the class may lie there
SAFE_PATH = "PYTHONSAFEPATH"
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Workers:
    """The workers on which submissions are marked."""

    # submit(marker, task) returns the future of a Marked
    submit: Callable[[Marker, Task], Future[Marked]]
    count: int  # how many submissions are on their way at the same time
    # called while nothing comes; it raises ConnectionError if nothing will
    look: Callable[[], None] = lambda: None
    address: str | None = None  # where a Dask scheduler listens


def mark_all(
    tasks: Iterable[Task], marker: Marker, workers: Workers
) -> Generator[tuple[Task, Marked], None, None]:
    """Mark submissions on workers, and yield each as soon as it is done.

    Yielded `task`, `marked`: each task once.
    Raises `SandboxError` if a worker refuses.
    Raises `ConnectionError` if a cluster is gone.
    """
    waiting, running, deaths = deque(tasks), dict[Future[Marked], Task](), Counter[str]()
    while waiting or running:
        # Suspects are at the end of the queue, and each runs alone.
        while waiting and (
            not running or (len(running) < workers.count and not deaths[waiting[0].id])
        ):
            task = waiting.popleft()
            running[workers.submit(marker, task)] = task
        done = wait(running, timeout=LOOK, return_when=FIRST_COMPLETED).done
        if not done:
            workers.look()
        for future in done:
            task = running.pop(future)
            try:
                yield task, future.result()
            except CancelledError:
                raise ConnectionError(f"the Dask scheduler at {workers.address} is gone") from None
            except Exception as error:
                if not (died := _deaths_in(error)):
                    raise
                _log.warning("a worker died that was marking %s", task.id)
                deaths[task.id] += died
                if deaths[task.id] < 2:
                    waiting.append(task)
                else:
                    yield task, marker.given_up(task, deaths[task.id])


def _deaths_in(error: Exception) -> int:
    """Return the number of workers whose death an error reports: one of a process pool, or several
    of Dask.
    """
    if type(error).__name__ == "KilledWorker":
        return 1 + int(getattr(error, "allowed_failures", 0))
    return int(isinstance(error, BrokenProcessPool))


@contextlib.contextmanager
def workers_at(
    address: str | None, count: int | None, tasks: int = sys.maxsize
) -> Iterator[Workers]:
    """Yield workers: processes of this machine, which are started, or those of a Dask cluster.

    `address`: the address of a scheduler, such as "tcp://10.0.0.1:8786"; processes of this machine
        without it.
    `count`: how many submissions are on their way at the same time; by default as many as there are
        processors, or threads in the cluster.
    `tasks`: how many submissions there are: no more processes are started.
    Raises `ValueError` if there is no such scheduler, or it has no workers.
    """
    if address is None:
        count = min(count or joblib.cpu_count(), tasks)
        with _local_processes() as submit:
            yield Workers(functools.partial(submit, count), count)
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
        executor = client.get_executor(pure=False)  # type: ignore[no-untyped-call]
        seen = time.monotonic()

        def look() -> None:
            nonlocal seen
            if client.nthreads():  # type: ignore[no-untyped-call]
                seen = time.monotonic()
            elif time.monotonic() - seen > ALONE:
                raise ConnectionError(
                    f"the Dask scheduler at {address} has had no workers for {ALONE} s"
                )

        try:
            yield Workers(
                functools.partial(executor.submit, _work),
                min(count or threads, threads),
                look,
                address,
            )
        finally:
            executor.shutdown(wait=False)


@contextlib.contextmanager
def _local_processes() -> Iterator[Callable[[int, Marker, Task], Future[Marked]]]:
    """Yield a function that sends a task to processes of loky; end them, and remove their files."""
    folder = os.path.join(tempfile.gettempdir(), f"practica-workers-{secrets.token_hex(8)}")
    started = {
        "initializer": _begin,
        "initargs": (os.getpid(), folder),
        "env": dict.fromkeys(THREADS, "1"),
    }
    is_over = False

    def submit(count: int, marker: Marker, task: Task) -> Future[Marked]:
        with _ignoring_ctrl_c():
            return loky.get_reusable_executor(count, timeout=IDLE, **started).submit(
                _work, marker, task
            )

    try:
        # they import nothing from the working directory
        with _environment(**{SAFE_PATH: "1"}), _ignoring_unsent_tasks(), warnings.catch_warnings():
            # Of a worker that died, `mark_all` says which submission it was marking.
            warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
            with _environment(PYTHONWARNINGS="ignore:resource_tracker"):  # after a run was killed
                for tracker in (multiprocessing.resource_tracker, loky.backend.resource_tracker):
                    # before a mask: they let Ctrl-C through again when they start
                    tracker.ensure_running()
            yield submit
            is_over = True
    finally:
        loky.get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=not is_over)
        remove_tree(folder)


@contextlib.contextmanager
def _environment(**changes: str) -> Iterator[None]:
    """Set environment variables for the processes that start within the block."""
    before = {name: os.environ[name] for name in changes if name in os.environ}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name in changes:
            del os.environ[name]
        os.environ.update(before)


@contextlib.contextmanager
def _ignoring_unsent_tasks() -> Iterator[None]:
    """Hide the error that loky prints when it is stopped with tasks that it has not sent yet.

    It has killed its processes by then: only the thread that managed them ends in a KeyError
    (joblib 1.6).
    """

    def show_others(args: threading.ExceptHookArgs) -> None:
        if not (
            args.exc_type is KeyError
            and args.thread
            and args.thread.name == "ExecutorManagerThread"
        ):
            show(args)

    show, threading.excepthook = threading.excepthook, show_others
    try:
        yield
    finally:
        threading.excepthook = show


@contextlib.contextmanager
def _ignoring_ctrl_c() -> Iterator[None]:
    """Let processes that start within the block ignore Ctrl-C until they have a handler of their
    own; this process gets it after the block.
    """
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # the processes inherit it
    pressed: list[int] = []
    in_charge = threading.current_thread() is threading.main_thread()
    # Another thread may still get the signal, and Python would interrupt this one with a process
    # half started.
    handler = (
        signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
        if in_charge
        else None
    )
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if in_charge:
            signal.signal(signal.SIGINT, handler)
        if pressed:
            signal.raise_signal(signal.SIGINT)


# --- the worker -----------------------------------------------------------------------------------

_ours: list[int] = []  # what started this process, where that is a run of ours


def _work(marker: Marker, task: Task) -> Marked:
    """Mark a submission on a worker, within its limits; the error of a worker that refuses names
    it.
    """
    try:
        with (
            limited(marker.seconds, marker.memory)
            if _ours or _is_dask_task()
            else contextlib.nullcontext()
        ):
            marked = marker(task)
    except SandboxError as error:
        raise SandboxError(f"{place()}: {error}") from None
    if _ours:
        _settle()
    return marked


@functools.cache
def _settle() -> None:
    """Let the garbage collector run less often, and ignore what is loaded so far: it took a fifth
    of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


def _is_dask_task() -> bool:
    """Return whether this is a process of Dask's that does one thing at a time, and is started anew
    when it ends.
    """
    distributed = sys.modules.get("distributed")
    try:
        worker = distributed and distributed.get_worker()
    except ValueError:  # no worker
        return False
    return worker is not None and worker.nanny is not None and worker.state.nthreads == 1


def _begin(parent: int, folder: str) -> None:
    """Prepare a process that joblib started: its files go into the `folder` of the run, and it ends
    when its `parent` does.
    """
    _ours.append(parent)
    brief()
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, 0o755)  # the unprivileged users of the boxes have to get through
    tempfile.tempdir = folder
    atexit.register(_leave, folder)
    # the business of the one that started it; not inherited by boxes
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with, args=(parent, folder), daemon=True).start()


def _leave(folder: str) -> None:
    """Close the sandboxes of this process; the last process of a run to end removes its folder."""
    with closing_sandboxes():
        pass
    with contextlib.suppress(OSError):
        os.rmdir(folder)


def _end_with(parent: int, folder: str) -> None:
    """End this worker as soon as the process with the number `parent` is gone, and remove the
    `folder` of the run.
    """
    while os.getppid() == parent:
        time.sleep(LOOK)
    # takes this process's place: its boxes lose their lines and end
    os.execvp("rm", ["rm", "-rf", "--", folder])
