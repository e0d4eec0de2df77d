"""What a submission has used of its time, on a machine that others use as well.

Wall clock would blame a submission for the others: beside four busy processes an honest one takes
ten times as long. Processor time alone would let one sleep for ever. So a submission is charged

    max(processor time of its processes, wall clock - time in which they were ready to run and had
    no processor)

Sleeping and burning are charged in full, regardless of what the machine does, and waiting for a
turn is not. The kernel counts both (`/proc/PID/stat`, `/proc/PID/task/TID/schedstat`); where it
does not, wall clock is what is charged.

Limits in seconds mean little on a machine of another speed: `pace` says how many times slower this
one is than that on which they were chosen.
"""

from __future__ import annotations

import contextlib
import functools
import os
import statistics
import time

from practica.grading.inside.processes import fact, stat, tree

# times its limit is what a submission may last by the wall clock, however busy the machine is
MOST_WAITING = 10
_TURN = 0.0022  # seconds of `_work` on the machine on which the limits were chosen


class Usage:
    """The processor time that a process and its descendants have used so far.

    The waits of threads overlap, so their sum may be longer than the time that passed: between two
    looks only the longest wait of a single thread counts.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._waits: dict[str, float] = {}  # each thread's, at the last look
        self._waited = 0.0

    def look(self) -> tuple[float, float]:
        """Return the seconds that the processes have run, and those that they have certainly waited
        for a processor.
        """
        ran, waits = _used(self._pid)
        self._waited += max(
            (wait - self._waits.get(task, 0.0) for task, wait in waits.items()), default=0.0
        )
        self._waits = waits
        return ran, self._waited


def _used(pid: int) -> tuple[float, dict[str, float]]:
    """Return the seconds that a process and its descendants ran, and that each thread has
    waited.
    """
    ran = 0
    waits: dict[str, float] = {}
    for number in tree(pid):
        with contextlib.suppress(OSError, ValueError, IndexError):
            ran += sum(map(int, stat(number)[11:15]))  # children that ended count as well
            for task in os.listdir(f"/proc/{number}/task"):
                waits[task] = _waited(f"/proc/{number}/task/{task}")
    return ran / os.sysconf("SC_CLK_TCK"), waits


def own_wait() -> float:
    """Return the seconds that this thread has waited for a processor, in which the submission had
    no request; 0 if the kernel does not count them.
    """
    try:
        return _waited("/proc/thread-self")
    except (ValueError, IndexError):
        return 0.0


def _waited(place: str) -> float:
    return int(fact(f"{place}/schedstat").split()[1]) / 1e9


def charged(wall: float, ran: float, waited: float) -> float:
    """Return the seconds that are charged for a call that took `wall` seconds: its process `ran`
    for some of them, and `waited` for a processor for others; at least a tenth of `wall`.

    >>> charged(3.0, 0.0, 0.0), charged(3.0, 0.5, 2.5), charged(3.0, 5.0, 3.0)
    (3.0, 0.5, 5.0)
    """
    return max(ran, wall - waited, wall / MOST_WAITING)


@functools.cache
def pace() -> float:
    """Return how many times slower this machine is than that of the limits, by its processor
    time.
    """
    return max(0.5, statistics.median(_work() for _ in range(9)) / _TURN)


def _work() -> float:
    begin = time.process_time()
    table: dict[int, int] = {}
    for number in range(20_000):
        table[number & 1023] = table.get(number & 511, 0) + 1
    return time.process_time() - begin
