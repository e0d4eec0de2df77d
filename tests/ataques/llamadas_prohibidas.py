"""Asks the kernel for what no computation needs."""

import ctypes
import errno
import socket

_libc = ctypes.CDLL(None, use_errno=True)

# Their numbers on x86-64; those from 424 on are the same everywhere.
CALLS = {
    "ptrace": 101,
    "personality": 135,
    "pivot_root": 155,
    "mount": 165,
    "umount2": 166,
    "swapon": 167,
    "reboot": 169,
    "init_module": 175,
    "quotactl": 179,
    "kexec_load": 246,
    "add_key": 248,
    "request_key": 249,
    "keyctl": 250,
    "unshare": 272,
    "splice": 275,
    "vmsplice": 278,
    "perf_event_open": 298,
    "name_to_handle_at": 303,
    "open_by_handle_at": 304,
    "clock_adjtime": 305,
    "setns": 308,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "kcmp": 312,
    "seccomp": 317,
    "memfd_create": 319,
    "bpf": 321,
    "userfaultfd": 323,
    "shmget": 29,
    "semget": 64,
    "msgget": 68,
    "mq_open": 240,
    "timer_create": 222,
    "inotify_init": 253,
    "io_setup": 206,
    "io_uring_setup": 425,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "clone3": 435,
    "pidfd_getfd": 438,
    "mount_setattr": 442,
    "landlock_create_ruleset": 444,
    "memfd_secret": 447,
}


def reached():
    """Return the calls to which the kernel had another answer than that it does not know them."""
    found = []
    for name, number in CALLS.items():
        ctypes.set_errno(0)
        if _libc.syscall(number, -1, -1, -1, -1, -1, -1) != -1 or ctypes.get_errno() != errno.ENOSYS:
            found.append(name)
    return found


def reached_as_32_bits():
    """Ask by the numbers of x32 too, which are the same and a bit more."""
    return [
        name
        for name, number in CALLS.items()
        if _libc.syscall(number | 0x4000_0000, -1, -1, -1, -1, -1, -1) != -1 or ctypes.get_errno() != errno.ENOSYS
    ]


def families():
    """Return the families of which a socket, or a pair, can be made; nothing is connected."""
    found = set()
    for family in range(64):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            number = _libc.socket(family, kind, 0)
            pair = (ctypes.c_int * 2)()
            if number != -1 or _libc.socketpair(family, kind, 0, pair) == 0:
                found.add(family)
    return sorted(found)


def disguised():
    """Return the arguments that pass because only their lower half counts for the kernel."""
    high, found = 1 << 32, []
    _libc.syscall.argtypes = [ctypes.c_long] * 7
    one, other = socket.socketpair()
    size = ctypes.c_int(8 << 20)
    for name, call in (
        ("clone", (56, 0x1000_0000 | 17, 0, 0, 0, 0, 0)),
        ("clone high", (56, high | 0x1000_0000 | 17, 0, 0, 0, 0, 0)),
        ("end signal", (56, 18, 0, 0, 0, 0, 0)),
        ("sibling", (56, 0x8000 | 17, 0, 0, 0, 0, 0)),
        ("family", (41, high | 40, 1, 0, 0, 0, 0)),
        ("continue", (62, 0, high | 18, 0, 0, 0, 0)),
        ("buffer", (54, one.fileno(), high | 1, 7, ctypes.addressof(size), 4, 0)),
        ("larger buffer", (54, one.fileno(), 1, high | 7, ctypes.addressof(size), 4, 0)),
        ("lock", (72, 1, high | 6, 0, 0, 0, 0)),
        ("terminal", (16, 1, high | 0x5412, 0, 0, 0, 0)),
        ("shared", (9, 0, 4096, 3, high | 0x21, -1, 0)),
        ("dumpable", (157, high | 4, 0, 0, 0, 0, 0)),
        ("limits of another", (302, 1, 7, 0, 0, 0, 0)),
    ):
        ctypes.set_errno(0)
        if _libc.syscall(*call) != -1 or ctypes.get_errno() != errno.ENOSYS:
            found.append(name)
    other.close()
    return found


def accuracy(outputs, targets):
    """Know nothing."""
    return
