"""The system calls that a submission may make, as a filter for the kernel.

What numpy, torch, scikit-learn, pandas and matplotlib need of a kernel, with threads and pools of
forked processes; every other call fails as if the kernel did not have it, so that libraries go
another way. No program can be started, as if there were none: what runs in it would have no limits.
libseccomp knows the numbers and writes the filter; here is only the list.
"""

from __future__ import annotations

import errno
import functools
import itertools
import tempfile

_FREE = """
    read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 open openat creat close
    close_range lseek stat lstat fstat newfstatat statx statfs fstatfs access faccessat faccessat2
    readlink readlinkat getdents getdents64 getcwd chdir fchdir mkdir mkdirat rmdir unlink unlinkat
    rename renameat renameat2 link linkat symlink symlinkat umask truncate ftruncate fallocate
    fadvise64 fsync fdatasync sendfile copy_file_range dup dup2 dup3 flock getxattr lgetxattr
    fgetxattr listxattr llistxattr flistxattr

    munmap mprotect mremap madvise brk msync mincore membarrier get_mempolicy

    pipe pipe2 poll ppoll select pselect6 eventfd eventfd2 bind listen accept accept4 getsockname
    getpeername getsockopt shutdown sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg

    fork vfork wait4 waitid exit exit_group pidfd_open getpid getppid gettid getpgrp getpgid getsid
    getuid geteuid getgid getegid getgroups getresuid getresgid capget set_tid_address
    set_robust_list get_robust_list rseq futex arch_prctl sched_yield sched_getaffinity
    sched_setaffinity sched_getparam sched_getscheduler sched_get_priority_min
    sched_get_priority_max getpriority getcpu getrlimit setrlimit getrusage times

    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack
    restart_syscall alarm pause getitimer setitimer nanosleep clock_nanosleep clock_gettime
    clock_getres gettimeofday time

    getrandom uname sysinfo
""".split()  # noqa: SIM905

_PROGRAMS = "execve", "execveat"

_ANY = (1 << 64) - 1
_SHARED_ANONYMOUS = 0x01 | 0x20
# flags of clone: in other namespaces, or the child of another process
_FAR = 0x7E02_0000 | 0x8000 | 0x2000
_END_SIGNAL = 0xFF
_NOT_CONTINUE = [number for number in range(65) if number != 18]

# Calls of which only some arguments are allowed: by position, the bits that count and the values
# that they may have. Only equalities: the kernel ignores the upper half of many an argument, and a
# filter compares all of it.
_Arguments = dict[int, tuple[int, list[int]]]
_SOME: list[tuple[str, _Arguments]] = [
    # No memory that is neither a file's nor mapped: no count of processes would see it.
    ("mmap", {3: (_SHARED_ANONYMOUS, [0x00, 0x01, 0x20])}),
    # Threads, and children that end with SIGCHLD: another signal could wake who is stopped.
    ("clone", {0: (_FAR | _END_SIGNAL, [0, 17])}),
    # Between calls all are stopped, by a signal to their group, which they cannot leave; none may
    # wake another.
    ("kill", {1: (_ANY, _NOT_CONTINUE)}),
    ("tkill", {1: (_ANY, _NOT_CONTINUE)}),
    ("tgkill", {2: (_ANY, _NOT_CONTINUE)}),
    # Its own limits, not those of the processes that watch it.
    ("prlimit64", {0: (_ANY, [0])}),
    # Duplicates, flags and sizes; locks of ranges are memory that is not counted.
    ("fcntl", {1: (_ANY, [0, 1, 2, 3, 4, 1030, 1032, 1034])}),
    # Whether it is a terminal, its size, how much can be read, whether it waits and whether it
    # is inherited.
    ("ioctl", {1: (_ANY, [0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451])}),
    # Names, and the end of a child with its parent by a signal that ends it.
    ("prctl", {0: (_ANY, [3, 15, 16, 39, 0x5356_4D41])}),
    ("prctl", {0: (_ANY, [1]), 1: (_ANY, [0, 2, 9, 15])}),
    # One family of sockets; all options but those that make the buffers larger.
    ("socketpair", {0: (_ANY, [1])}),
    ("setsockopt", {1: (_ANY, [1]), 2: (_ANY, [2, 9, 13, 16, 20, 21, 66, 67])}),
]


@functools.cache
def filter_of(*, sockets: bool) -> bytes:
    """Return the program for the kernel of this machine, an array of struct sock_filter.

    `sockets`: whether Unix sockets may be made by themselves, and not only in pairs: where files
        are shared with the machine, they would lead to its services.
    Raises `OSError` if there is no libseccomp.
    """
    try:
        import pyseccomp  # looks for the library
    except (ImportError, RuntimeError) as error:
        raise OSError(
            f"{error}; the sandbox needs libseccomp: sudo apt-get install libseccomp2; python -m"
            " pip install pyseccomp"
        ) from None
    calls = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.ENOSYS))
    calls.set_attr(pyseccomp.Attr.ACT_BADARCH, pyseccomp.ERRNO(errno.ENOSYS))
    calls.set_attr(pyseccomp.Attr.CTL_OPTIMIZE, 2)  # a tree instead of a list
    for name in _PROGRAMS:
        calls.add_rule(
            pyseccomp.ERRNO(errno.ENOENT), pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
        )
    rules: list[tuple[str, _Arguments]] = [*((name, {}) for name in _FREE), *_SOME]
    if sockets:
        rules += [("connect", {}), ("socket", {0: (_ANY, [1])})]
    for name, arguments in rules:
        number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
        if number < 0:
            continue  # another architecture's, or younger than this libseccomp
        for values in itertools.product(*(allowed for _, allowed in arguments.values())):
            places = zip(arguments.items(), values, strict=True)
            wanted = [
                pyseccomp.Arg(at, pyseccomp.MASKED_EQ, mask, value)
                for (at, (mask, _)), value in places
            ]
            calls.add_rule(pyseccomp.ALLOW, number, *wanted)
    with tempfile.TemporaryFile() as file:
        calls.export_bpf(file)
        file.seek(0)
        return file.read()
