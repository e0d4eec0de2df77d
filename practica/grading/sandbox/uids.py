"""The users of boxes, where the grader runs as root: numbers that nothing else on the machine uses.

A sandbox ends by killing all that its user runs. A number that a service could have must never be
one of them.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import re
import signal
import threading
import time
from collections.abc import Iterable

from practica.grading.inside.processes import state

SETTING = "PRACTICA_BOX_USERS"  # environment variable: another range, first-last
_UNUSED = range(60706, 61184)  # systemd and Debian give these numbers to nobody
_RESERVED = {
    range(1000): "the system",
    range(61184, 65520): "systemd's services",
    range(65534, 65536): "nobody",
}
_turn = itertools.count(os.getpid())
_taken: set[int] = set()
_taking = threading.RLock()  # a sandbox that is collected meanwhile gives its number back


@functools.cache
def users_of_boxes() -> range:
    """Return the numbers that boxes may have: 60706 to 61183, or those of the environment variable.

    Raises `OSError` if something else on this machine has one of the numbers, or may be given one.
    """
    setting = os.environ.get(SETTING, f"{_UNUSED[0]}-{_UNUSED[-1]}")
    match = re.fullmatch(r"(\d{1,10})-(\d{1,10})", setting.strip())
    users = range(int(match[1]), int(match[2]) + 1) if match else range(0)
    if not users:
        raise OSError(
            f"{SETTING}={setting!r} is not a range of user numbers such as"
            f" {_UNUSED[0]}-{_UNUSED[-1]}"
        )
    for others, owner in _owners():
        if common := range(max(users[0], others[0]), min(users[-1], others[-1]) + 1):
            raise OSError(
                f"the users {users[0]} to {users[-1]} are not free for boxes: {common[0]} belongs"
                f" to {owner}; give a free range, {SETTING}=first-last"
            )
    if not any(users[0] in mapped and users[-1] in mapped for mapped in _mapped()):
        raise OSError(
            f"the users {users[0]} to {users[-1]} do not exist in this container; give a range,"
            f" {SETTING}=first-last"
        )
    return users


def _owners() -> Iterable[tuple[range, str]]:
    """Yield the user numbers that this machine has given away, each with its owner."""
    import pwd

    yield from _RESERVED.items()
    for account in pwd.getpwall():
        yield range(account.pw_uid, account.pw_uid + 1), f"the account {account.pw_name}"
    with contextlib.suppress(OSError), open("/etc/subuid") as file:
        for line in file:
            match line.strip().split(":"):
                case [name, first, count] if first.isdecimal() and count.isdecimal() and int(count):
                    yield (
                        range(int(first), int(first) + int(count)),
                        f"containers of {name} (/etc/subuid)",
                    )


def _mapped() -> list[range]:
    """Return the user numbers that exist in this user namespace, as ranges."""
    with open("/proc/self/uid_map") as file:
        return [
            range(int(first), int(first) + int(count)) for first, _, count in map(str.split, file)
        ]


def take_user() -> int:
    """Return a user number without an account, which no other sandbox of this machine has.

    Two sandboxes with the same user would kill each other's submissions. Byte n of a file, locked,
    keeps number n for this process, however it ends.

    Raises `OSError` if the numbers of boxes are not free, or all of them are taken.
    """
    # only where there is root: Windows, where students check their own files, has none
    import fcntl

    users = users_of_boxes()
    with _taking:
        for number in itertools.islice(
            itertools.cycle(users), next(_turn) % len(users), 2 * len(users)
        ):
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
    raise OSError(f"the users {users[0]} to {users[-1]}, for boxes, are all taken")


def _has_name(number: int) -> bool:
    """Return whether a number has an account, also one of a directory that cannot be listed."""
    import pwd

    try:
        pwd.getpwuid(number)
    except KeyError:
        return False
    return True


def give_back(number: int) -> None:
    """Release a user number for other sandboxes."""
    import fcntl

    with _taking:
        fcntl.lockf(_register(), fcntl.LOCK_UN, 1, number)
        _taken.discard(number)


@functools.cache
def _register() -> int:
    """Open the file whose locks reserve user numbers; it stays open, because closing it would
    release all of them.
    """
    for folder in ("/run", "/tmp"):  # the same for all graders of the machine, whatever TMPDIR says
        with contextlib.suppress(OSError):
            return os.open(
                f"{folder}/practica-users.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600
            )
    raise OSError("neither /run nor /tmp can hold the list of the users that are taken")


def _process_numbers() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()]


def processes_of(user: int) -> int:
    """Count the processes and threads that a user has, which count towards the user's limit."""
    count = 0
    for number in _process_numbers():
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{number}").st_uid == user:
                count += len(os.listdir(f"/proc/{number}/task"))
    return count


def kill_user(user: int) -> None:
    """Kill all processes of a sandbox's own user; they are stopped first, so that none can fork."""
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
