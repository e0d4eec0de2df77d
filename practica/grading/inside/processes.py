"""Processes as the kernel shows them in /proc: those below one, what they do, and what they
hold.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import time
from collections.abc import Iterator

_ENDED = b"Z", b"X"


def fact(path: str) -> bytes:
    """Return the beginning of a file of /proc, read in one go; empty if the process is gone."""
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            return os.read(descriptor, 1 << 16)
        finally:
            os.close(descriptor)
    return b""


def stat(number: int) -> list[bytes]:
    """Return the fields that /proc shows of a process, from its state on; empty if it is gone."""
    return _facts_in(f"/proc/{number}/stat")


def _facts_in(path: str) -> list[bytes]:
    return fact(path).rpartition(b")")[2].split()


def memory_of(number: int) -> int:
    """Return the bytes of memory that count as a process's own: what it changed, shares as files in
    memory, or has swapped, and its page tables.

    If its first thread has ended, they are read from another one.
    """
    status = fact(f"/proc/{number}/status")
    if b"\nRssAnon:" not in status:
        others = (fact(f"/proc/{number}/task/{thread}/status") for thread in _threads(number))
        status = next((each for each in others if b"\nRssAnon:" in each), b"")
    return 1024 * sum(
        map(
            int,
            re.findall(rb"^(?:RssAnon|RssShmem|VmPTE|VmSwap|HugetlbPages):\s+(\d+)", status, re.M),
        )
    )


def _threads(number: int) -> list[str]:
    with contextlib.suppress(OSError):
        return os.listdir(f"/proc/{number}/task")
    return []


def state(number: int) -> bytes:
    """Return the letter of a process's state, as "S" for sleeping; empty if the process is gone.

    If its first thread has ended, it is that of another one, first of all of one that is not
    stopped.
    """
    own = b"".join(stat(number)[:1])
    if own not in _ENDED:
        return own
    others = [
        b"".join(_facts_in(f"/proc/{number}/task/{thread}/stat")[:1]) for thread in _threads(number)
    ]
    living = [each for each in others if each and each not in _ENDED]
    return next((each for each in living if each not in b"Tt"), (living or [own])[0])


def tree(pid: int) -> Iterator[int]:
    """Yield a process and its descendants; the children of one are listed after the caller has
    dealt with it.
    """
    waiting = [pid]
    while waiting:
        number = waiting.pop()
        yield number
        for thread in _threads(number):
            waiting += map(int, fact(f"/proc/{number}/task/{thread}/children").split())


def stopped(pid: int, seconds: float) -> bool:
    """Return whether a process and its descendants, which were sent a stop, have ceased to run
    their code; wait for that at most some seconds.

    A signal to a group is one to the children that are being born too. It stops a process of one
    thread regardless of what that waits for; one of several threads only from when the first of
    them has stopped.
    """
    deadline = time.monotonic() + seconds
    for number in tree(pid):
        while (facts := stat(number)) and facts[17] != b"1":
            if state(number) in b"TtXZ":
                break
            if time.monotonic() > deadline:
                return False
            time.sleep(0.0001)
    return True


def has_own_network(pid: int) -> bool:
    """Return whether a process has another network namespace than this one."""
    try:
        return os.readlink(f"/proc/{pid}/ns/net") != os.readlink("/proc/self/ns/net")
    except OSError:
        return False


def sockets_of(pid: int) -> int:
    """Count the sockets in a process's network namespace, also those on their way from one process
    to another; 0 if the process is gone.
    """
    facts = fact(f"/proc/{pid}/net/sockstat").split()
    return int(facts[2]) if facts else 0


@functools.cache
def socket_buffer() -> int:
    """Return the bytes that wait in a Unix socket at most; a submission cannot change them."""
    return int(fact("/proc/sys/net/core/wmem_default") or 1 << 18)
