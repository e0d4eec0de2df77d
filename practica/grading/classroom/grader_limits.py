"""What one submission may take of the grader itself: time of its processor, and memory."""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from practica.grading.sandbox.cpu_accounting import pace

# to read what one student handed in, and to compare it with the others'
MOST_SECONDS, MOST_MEMORY = 10.0, 2 << 30

# by which Linux counts RLIMIT_CPU: whole ticks, that run ahead of getrusage on a busy machine
_PROCESSOR_CLOCK = -8

TOO_MUCH = "it takes too much of the grader's processor"
Result = TypeVar("Result")


class TooMuchError(BaseException):
    """A submission takes more of the grader than it may; no check, and no library, catches it."""


@contextlib.contextmanager
def limited(seconds: float, memory: int) -> Iterator[None]:
    """Limit the processor time and the memory of a block: beyond the first the kernel ends this
    process, beyond the second it gives no more memory (`MemoryError`).

    Boxes do not inherit the limits. A system that cannot set them sets none.

    `seconds`: processor time, on the machine for which limits are chosen; see `pace`.
    `memory`: bytes, besides what there is already.
    """
    try:
        import resource

        used = time.clock_gettime(_PROCESSOR_CLOCK)
        pages = int(Path("/proc/self/statm").read_text().split()[5])
    except (ImportError, OSError):  # a system without them
        yield
        return
    limits = {
        resource.RLIMIT_CPU: int(used + seconds * pace()) + 1,
        resource.RLIMIT_DATA: pages * resource.getpagesize() + memory,
    }
    before = {name: resource.getrlimit(name) for name in limits}
    try:
        for name, (soft, hard) in before.items():
            resource.setrlimit(
                name,
                (limits[name] if soft == resource.RLIM_INFINITY else min(soft, limits[name]), hard),
            )
        yield
    finally:
        for name, limit in before.items():
            resource.setrlimit(name, limit)


@contextlib.contextmanager
def within(seconds: float, memory: int) -> Iterator[None]:
    """Limit a block as `limited` does, but raise `TooMuchError` or `MemoryError` in it, so that the
    process goes on.

    Only the main thread can be interrupted, between two steps of Python; in another one there are
    no limits.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGXCPU"):
        yield
        return
    before = signal.signal(signal.SIGXCPU, _give_up)
    try:
        with limited(seconds, memory):
            yield
    finally:
        signal.signal(signal.SIGXCPU, before)


def apart(function: Callable[..., Result], *args: Any) -> Result:
    """Return the result of a function, called in a process of its own within the limits on what one
    submission may take.

    Python's parser, for one, can take hours, and no signal interrupts it.

    Raises `TooMuchError` if the process takes too much, and `RuntimeError` with the text of an
        error that the function raises.
    """
    if not hasattr(os, "fork"):
        return function(*args)
    reading, writing = os.pipe()
    parent = os.getpid()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about threads: none works while a class is read
        child = os.fork()
    if child == 0:
        gc.freeze()  # what the parent has thrown away is the parent's to finish
        with contextlib.suppress(BaseException), open(writing, "wb") as answer:
            os.close(reading)  # a pipe that nobody else reads ends the writing
            _end_with(parent)
            answer.write(_tried(function, args))
        os._exit(0)
    os.close(writing)
    try:
        with open(reading, "rb") as answer:
            content = answer.read()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)  # where this one was interrupted
        os.waitpid(child, 0)
    if not content:
        raise TooMuchError(TOO_MUCH)
    result, error = pickle.loads(content)  # from our own code: nothing of a student's runs there
    if error is not None:
        raise RuntimeError(error)
    return result


def _end_with(parent: int) -> None:
    """Let the kernel, where it can, kill this process as soon as the process with the number
    `parent` ends.
    """
    with contextlib.suppress(ImportError, AttributeError, OSError):
        from practica.grading.inside.isolation import die_with_parent

        die_with_parent()
    if os.getppid() != parent:
        os._exit(0)


def _tried(function: Callable[..., Any], args: tuple[Any, ...]) -> bytes:
    """Call a function within the limits; return its result and the text of its error, one of them
    None, pickled.
    """
    try:
        with limited(MOST_SECONDS, MOST_MEMORY):
            return pickle.dumps((function(*args), None))
    except Exception as error:
        return pickle.dumps((None, f"{type(error).__name__}: {error}"))


def _give_up(number: int, frame: Any) -> None:
    raise TooMuchError(TOO_MUCH)
