"""The system calls that take rights away, for those Linux has and Python does not.

Each function does one thing or raises OSError naming it. Only the standard library is used: this
runs before anything else is imported, inside the box and while it is built.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
from collections.abc import Iterable
from pathlib import Path

NAMESPACES = {
    "user": 0x1000_0000,
    "mount": 0x0002_0000,
    "pid": 0x2000_0000,
    "net": 0x4000_0000,
    "ipc": 0x0800_0000,
    "uts": 0x0400_0000,
}

_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC = 1, 2, 4, 8
_MS_REMOUNT, _MS_BIND, _MS_REC, _MS_PRIVATE = 32, 4096, 16384, 1 << 18
(
    _PR_SET_PDEATHSIG,
    _PR_SET_DUMPABLE,
    _PR_CAPBSET_DROP,
    _PR_SET_CHILD_SUBREAPER,
    _PR_SET_NO_NEW_PRIVS,
    _PR_CAP_AMBIENT,
) = 1, 4, 24, 36, 38, 47
_CAPABILITY_VERSION = 0x2008_0522
# the same on every architecture
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_CALLS = {"x86_64": (250, 317), "aarch64": (219, 277)}  # keyctl, seccomp
_SECCOMP_SPEC_ALLOW = 4  # or older kernels slow the process down
_READ = 1 << 0 | 1 << 2 | 1 << 3  # execute, read files, list directories
_ON_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14  # what a rule on a file, not a directory, may allow

_libc = ctypes.CDLL(None, use_errno=True)


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def _check(result: int, what: str) -> int:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def unshare(names: Iterable[str]) -> None:
    """Move this process from the named namespaces, keys of `NAMESPACES`, into new ones."""
    names = list(names)
    flags = 0
    for name in names:
        flags |= NAMESPACES[name]
    _check(_libc.unshare(flags), f"unshare({', '.join(names)})")


def map_user(uid: int, gid: int) -> None:
    """Become, in a new user namespace, the user that this process was outside."""
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def make_mounts_private() -> None:
    """Keep changes to the mounts of this namespace from being seen in others."""
    _check(_libc.mount(None, b"/", None, _MS_REC | _MS_PRIVATE, None), "mount(private /)")


def bind(source: str, target: str) -> None:
    """Show a file or directory at another place, read-only."""
    _check(
        _libc.mount(source.encode(), target.encode(), None, _MS_BIND | _MS_REC, None),
        f"mount(bind {source})",
    )
    flags = _MS_BIND | _MS_REMOUNT | _MS_RDONLY | _MS_NOSUID
    _check(_libc.mount(None, target.encode(), None, flags, None), f"mount(read-only {source})")


def overlay(source: str, target: str) -> None:
    """Show a directory at another place, read-only, so that the list of mounts does not show its
    path.
    """
    before = os.getcwd()
    os.chdir(os.path.dirname(source))
    try:
        options = f"lowerdir={os.path.basename(source)}:{target}".encode()
        flags = _MS_RDONLY | _MS_NOSUID
        _check(
            _libc.mount(b"overlay", target.encode(), b"overlay", flags, options),
            f"mount(overlay {source})",
        )
    finally:
        os.chdir(before)


def mount_tmpfs(target: str, size: int, *, mode: str = "700") -> None:
    """Put an empty file system in memory, of at most `size` bytes, over a directory."""
    options = f"size={size},nr_inodes=20000,mode={mode}".encode()
    _check(
        _libc.mount(b"tmpfs", target.encode(), b"tmpfs", _MS_NOSUID | _MS_NODEV, options),
        f"mount(tmpfs {target})",
    )


def hide_files(paths: Iterable[str]) -> None:
    """Show empty files in the place of some files."""
    for path in paths:
        _check(
            _libc.mount(b"/dev/null", path.encode(), None, _MS_BIND, None),
            f"mount(/dev/null over {path})",
        )


def mount_proc() -> None:
    """Show the processes of this pid namespace at /proc, no others, and nothing about the machine's
    kernel.
    """
    _check(
        _libc.mount(b"proc", b"/proc", b"proc", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC, None),
        "mount(proc)",
    )
    hide_files(kernel_files())


def kernel_files() -> list[str]:
    """List the files of /proc that describe the machine's kernel."""
    names = [
        "cmdline",
        "config.gz",
        "kallsyms",
        "kcore",
        "key-users",
        "keys",
        "kmsg",
        "locks",
        "modules",
    ]
    names += ["sysrq-trigger", "timer_list"]
    return [path for name in names if os.path.exists(path := f"/proc/{name}")]


def set_dumpable(on: bool) -> None:
    """Allow or forbid other processes of the same user to look into this one."""
    _check(_libc.prctl(_PR_SET_DUMPABLE, int(on), 0, 0, 0), "prctl(dumpable)")


def subreaper() -> None:
    """Become the parent of all orphans among the descendants, instead of the system's first
    process.
    """
    _check(_libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "prctl(child_subreaper)")


def die_with_parent() -> None:
    """Let the kernel kill this process when the thread that started it ends.

    A change of user undoes it.
    """
    _check(_libc.prctl(_PR_SET_PDEATHSIG, 9, 0, 0, 0), "prctl(pdeathsig)")


def forbid_new_privileges() -> None:
    """Make setuid programs harmless for this process and its children."""
    _check(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl(no_new_privs)")


def drop_capabilities() -> None:
    """Give up every capability, for good."""
    for number in range(64):
        if _libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0) == -1:
            break  # the last one has been passed, or there was none to begin with
    _libc.prctl(_PR_CAP_AMBIENT, 4, 0, 0, 0)  # clear all
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    _check(_libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")


def new_keyring() -> None:
    """Join a new, empty session keyring of the kernel, if it has keyrings."""
    if machine := _CALLS.get(os.uname().machine):
        _libc.syscall(machine[0], 1, None)  # KEYCTL_JOIN_SESSION_KEYRING


def filter_calls(program: bytes) -> None:
    """Let the kernel run a filter before every system call of this process, which has one thread,
    and its children.
    """
    forbid_new_privileges()
    number = _CALLS.get(os.uname().machine, (-1, -1))[1]
    code = ctypes.create_string_buffer(program, len(program))
    filter_ = _Filter(len(program) // 8, ctypes.addressof(code))
    _check(_libc.syscall(number, 1, _SECCOMP_SPEC_ALLOW, ctypes.byref(filter_)), "seccomp")


def drop_user(uid: int, gid: int) -> None:
    """Become another user; only root can."""
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)


def limit(limits: dict[str, int]) -> None:
    """Set resource limits by their names without RLIMIT_, hard and soft.

    A limit already lower stays.
    """
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(
            kind, (value, value + 1 if name == "CPU" and hard == resource.RLIM_INFINITY else value)
        )


def landlock(
    readable: Iterable[str] | None, writable: Iterable[str] = (), listable: Iterable[str] = ()
) -> None:
    """Forbid this process every file but those under the given paths, TCP, and signals to processes
    outside.

    `readable`, `writable`, `listable`: directories or files; those that do not exist are left out.
        Of `listable` only the names are shown. With None as `readable` files stay as they are, and
        only TCP and signals are forbidden.
    Raises `OSError` if the kernel has no Landlock.

    TCP needs version 4 of Landlock (Linux 6.7) and signals version 6 (Linux 6.12); an older kernel
    forbids files only.
    """
    version = _check(_libc.syscall(_LANDLOCK_CREATE, None, 0, 1), "landlock")
    files = (1 << 13) - 1
    for since, bit in ((2, 13), (3, 14), (5, 15)):
        files |= (version >= since) << bit
    if readable is None:
        files = 0
    attributes = (ctypes.c_uint64 * 3)(files, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    if not any(attributes[: size // 8]):
        return
    rules = _check(
        _libc.syscall(_LANDLOCK_CREATE, ctypes.byref(attributes), size, 0),
        "landlock_create_ruleset",
    )
    try:
        everything = files & ~(1 << 6 | 1 << 11)  # but no device files
        for paths, allowed in (
            (readable or (), _READ & files),
            (writable, everything),
            (listable, 1 << 3 & files),
        ):
            for path in paths:
                with contextlib.suppress(FileNotFoundError):
                    _allow(rules, path, allowed)
        forbid_new_privileges()
        _check(_libc.syscall(_LANDLOCK_RESTRICT, rules, 0), "landlock_restrict_self")
    finally:
        os.close(rules)


def _allow(rules: int, path: str, allowed: int) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):
            allowed &= _ON_FILES
        rule = allowed.to_bytes(8, "little") + place.to_bytes(4, "little")  # a packed struct
        _check(_libc.syscall(_LANDLOCK_ADD, rules, 1, rule, 0), f"landlock_add_rule({path})")
    finally:
        os.close(place)
