"""The users of boxes, where the grader runs as root: numbers without an account."""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import signal
import threading
import time
from collections.abc import Iterable

from practica.inside.processes import state

__all__ = ["give_back", "kill_user", "processes_of", "take_user"]

_USERS = range(61184, 65520)  # those that no distribution gives to people
_turn = itertools.count(os.getpid())
_taken: set[int] = set()
_taking = threading.RLock()  # a sandbox that is collected meanwhile gives its number back


def take_user() -> int:
    """Return a user number without an account, which no other sandbox of this machine has.

    A sandbox ends by killing all that its user runs: two of the same user would kill each other's submissions. Byte n
    of a file, locked, keeps number n for this process, however it ends.
    """
    import fcntl  # only where there is root: Windows, where students check their own files, has none

    with _taking:
        for number in itertools.islice(itertools.cycle(_USERS), next(_turn) % len(_USERS), 2 * len(_USERS)):
            if number in _taken or _has_name(number):
                continue
            try:
                fcntl.lockf(_register(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
            except OSError:
                continue
            _taken.add(number)
            if processes_of(number) == 0:
                return number
            give_back(number)
    raise OSError(f"the users {_USERS[0]} to {_USERS[-1]}, for boxes, are all taken")


def _has_name(number: int) -> bool:
    import pwd

    try:
        pwd.getpwuid(number)
    except KeyError:
        return False
    return True


def give_back(number: int) -> None:
    """Let others have a number."""
    import fcntl

    with _taking:
        fcntl.lockf(_register(), fcntl.LOCK_UN, 1, number)
        _taken.discard(number)


@functools.cache
def _register() -> int:
    """Open the file with the locks; never closed, because that would give all of them back."""
    for folder in ("/run", "/tmp"):  # the same for all graders of the machine, whatever TMPDIR says
        with contextlib.suppress(OSError):
            return os.open(f"{folder}/practica-users.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    raise OSError("neither /run nor /tmp can hold the list of the users that are taken")


def _process_numbers() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()]


def processes_of(user: int) -> int:
    """Count the processes and threads of a user, which limits on them count from."""
    count = 0
    for number in _process_numbers():
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{number}").st_uid == user:
                count += len(os.listdir(f"/proc/{number}/task"))
    return count


def kill_user(user: int) -> None:
    """Kill all that a sandbox's own user still runs; stopped first, so that nothing can fork meanwhile."""
    before: dict[int, str] = {}
    while (found := _states_of(user)) != before or set(found.values()) - {"T"}:
        _signal(found, signal.SIGSTOP)
        before = found
    while found := _states_of(user):
        _signal(found, signal.SIGKILL)
        time.sleep(0.01)


def _states_of(user: int) -> dict[int, str]:
    """Return the state of each process of a user, but those that have ended."""
    found = {}
    for number in _process_numbers():
        with contextlib.suppress(OSError), open(f"/proc/{number}/status") as file:
            is_his = f"\nUid:\t{user}\t" in file.read()
            if is_his and (doing := state(number).decode()) not in "ZX":
                found[number] = doing
    return found


def _signal(processes: Iterable[int], number: int) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)
