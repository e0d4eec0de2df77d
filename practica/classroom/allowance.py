"""What one submission may take of the grader itself: time of its processor, and memory."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from practica.sandbox.clock import pace

__all__ = ["MOST_MEMORY", "MOST_SECONDS", "TooMuchError", "limited", "within"]

MOST_SECONDS, MOST_MEMORY = 10.0, 2 << 30  # to read what one student handed in, and to compare it with the others'

_PROCESSOR_CLOCK = -8  # by which Linux counts RLIMIT_CPU: whole ticks, that run ahead of getrusage on a busy machine


class TooMuchError(BaseException):
    """A submission takes more of the grader than it may; no check, and no library, catches it."""


@contextlib.contextmanager
def limited(seconds: float, memory: int) -> Iterator[None]:
    """Let the kernel end this process, or refuse it memory, where the block takes more; boxes do not inherit it.

    Parameters
    ----------
    seconds : float
        Of the processor, on the machine of the limits.
    memory : int
        Bytes, besides what there is already.
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
                name, (limits[name] if soft == resource.RLIM_INFINITY else min(soft, limits[name]), hard)
            )
        yield
    finally:
        for name, limit in before.items():
            resource.setrlimit(name, limit)


@contextlib.contextmanager
def within(seconds: float, memory: int) -> Iterator[None]:
    """Leave a block that takes more, with TooMuchError or MemoryError, where the process has to go on; see `limited`.

    Only the main thread can be told; in another one there are no limits.
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


def _give_up(number: int, frame: Any) -> None:
    raise TooMuchError("it takes too much of the grader's processor")
