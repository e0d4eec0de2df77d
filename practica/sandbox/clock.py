"""What a submission has used of its time, on a machine that others use as well.

Wall clock would blame a submission for the others: beside four busy processes an honest one takes ten times as long.
Processor time alone would let one sleep for ever. So a submission is charged

    max(processor time of its processes, wall clock - time in which they were ready to run and had no processor)

Sleeping and burning are charged in full, whatever the machine does, and waiting for a turn is not. The kernel counts
both (`/proc/PID/stat`, `/proc/PID/task/TID/schedstat`); where it does not, wall clock is what is charged.

Limits in seconds mean little on a machine of another speed: `pace` says how many times slower this one is than that on
which they were chosen.
"""

from __future__ import annotations

import contextlib
import functools
import os
import time

__all__ = ["MOST_WAITING", "charged", "own_wait", "pace", "used"]

MOST_WAITING = 10  # times its limit is what a submission may last by the wall clock, however busy the machine is
_TURN = 0.0022  # seconds of `_work` on the machine on which the limits were chosen


def used(pid: int) -> tuple[float, float]:
    """Return the seconds that a process and its descendants have had a processor, and have waited for one."""
    ran = waited = 0
    waiting = [pid]
    while waiting:
        place = f"/proc/{waiting.pop()}"
        with contextlib.suppress(OSError, ValueError, IndexError):
            with open(f"{place}/stat", "rb") as file:
                ran += sum(map(int, file.read().rpartition(b")")[2].split()[11:15]))  # of children that ended as well
            for task in os.listdir(f"{place}/task"):
                with open(f"{place}/task/{task}/schedstat", "rb") as file:
                    waited += int(file.read().split()[1])
                with open(f"{place}/task/{task}/children", "rb") as file:
                    waiting += map(int, file.read().split())
    return ran / os.sysconf("SC_CLK_TCK"), waited / 1e9


def own_wait() -> float:
    """Return the seconds that this thread has waited for a processor: time in which nobody asked the submission."""
    try:
        with open("/proc/thread-self/schedstat", "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def charged(wall: float, ran: float, waited: float) -> float:
    """Return what is charged for some seconds of wall clock.

    Examples
    --------
    >>> charged(3.0, 0.0, 0.0), charged(3.0, 0.5, 2.5), charged(3.0, 5.0, 3.0)
    (3.0, 0.5, 5.0)
    """
    return max(ran, wall - waited, wall / MOST_WAITING)


@functools.cache
def pace() -> float:
    """Return how many times slower this machine is than that of the limits, by its processor time."""
    return max(0.5, min(_work() for _ in range(5)) / _TURN)


def _work() -> float:
    begin = time.process_time()
    table: dict[int, int] = {}
    for number in range(20_000):
        table[number & 1023] = table.get(number & 511, 0) + 1
    return time.process_time() - begin
