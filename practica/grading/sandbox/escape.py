"""A submission that tries to get out of its box; the probe runs it and reads what it could do."""

import ctypes
import errno
import os
import resource
import socket
from collections.abc import Callable
from functools import partial
from typing import Any


def succeeds(action: Callable[[], object]) -> bool:
    """Return whether an action neither raises an error nor returns False."""
    try:
        return action() is not False
    except BaseException:
        return False


def read(path: str) -> str:
    """Read a file."""
    with open(path) as file:
        return file.read()


def write(folder: str) -> None:
    """Write into a folder."""
    path = os.path.join(folder, "practica-probe")
    with open(path, "w") as file:
        file.write("x")
    os.unlink(path)


def import_reference() -> None:
    """Import the reference, which knows the right answers."""
    import practica.reference.partition  # noqa: F401


def connect(address: Any) -> None:
    """Connect to a server of the machine."""
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    with socket.socket(family) as line:
        line.settimeout(5)
        line.connect(address)


def become_root() -> None:
    """Become root, or be it already."""
    os.setuid(0)


def reach(pid: int, command: str) -> bool:
    """Return whether this process may send signals to another one, which has to have this command
    line.
    """
    os.kill(pid, 0)
    with open(f"/proc/{pid}/cmdline", "rb") as file:
        return file.read().hex() == command


def ask_kernel() -> bool:
    """Return whether the kernel takes a call that no computation needs: for a ring of requests, or
    for a key.

    A call that the box leaves out fails as one that the kernel does not have.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    # io_uring_setup, keyctl
    calls = [425, {"x86_64": 250, "aarch64": 219}.get(os.uname().machine, 425)]
    return any(
        libc.syscall(call, -1, -1) != -1 or ctypes.get_errno() != errno.ENOSYS for call in calls
    )


def is_unlimited() -> bool:
    """Return whether memory, processes, processor time or file size has no limit."""
    kinds = (resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE)
    return any(resource.getrlimit(kind)[1] == resource.RLIM_INFINITY for kind in kinds)


def escape(facts: dict[str, Any]) -> dict[str, bool]:
    """Try all escapes, and return by its name whether each succeeded.

    `facts`: what there is to reach outside, such as the path of a "secret" file and an open "port".
    """
    own = [*facts["folders"], os.path.dirname(os.__file__)]
    return {
        "read": succeeds(lambda: read(facts["secret"])),
        "answers": any(succeeds(partial(read, path)) for path in facts["answers"]),
        "home": bool(facts["entries"])
        and succeeds(lambda: {*facts["entries"]} <= {*os.listdir(facts["home"])}),
        "package": succeeds(import_reference),
        "write": any(
            succeeds(partial(write, folder))
            for folder in ["/", "/usr", "/etc", "/dev", "/var/tmp", *own]
        ),
        "rights": succeeds(lambda: os.chmod(facts["secret"], 0o640))
        or succeeds(lambda: os.utime(facts["secret"])),
        "tcp": succeeds(lambda: connect(("127.0.0.1", facts["port"]))),
        "socket": succeeds(lambda: connect("\0" + facts["socket"])),
        "signal": succeeds(lambda: reach(facts["pid"], facts["command"])),
        "privileges": succeeds(become_root),
        "kernel": succeeds(ask_kernel),
        "families": any(succeeds(partial(socket.socket, family)) for family in range(2, 64)),
        "limits": is_unlimited(),
    }
