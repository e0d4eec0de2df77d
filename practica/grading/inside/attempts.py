"""Attempts of a student's file to reach out of its folder, reported for a person to read.

The box holds without this module, and no mark depends on it: a file can hide its own attempts, or
invent some. The first attempt of each kind is written to the output of the process before it is
made, so that it is known even if the process then ends:

    practica   the package itself is imported, or its files are read
    read       files and folders of the machine, but not what libraries need. While the file is
               imported, a file of data is an experiment left behind, with a path of the student's
               machine
    write      files and folders outside its working directory
    network    sockets that lead out of the process
"""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Callable

KINDS = ("practica", "read", "write", "network")
REPORT = "\0practica {kind} {line} {what}\0"
LONGEST = 200  # characters of what is reported
_READS = frozenset({"open", "os.listdir", "os.scandir", "os.chdir", "glob.glob"})
_CHANGES = (
    "mkdir",
    "rmdir",
    "remove",
    "rename",
    "link",
    "symlink",
    "truncate",
    "chmod",
    "chown",
    "utime",
)
_WRITES = frozenset({"sqlite3.connect", *(f"os.{name}" for name in _CHANGES)})
_CALLS = ("connect", "bind", "sendto", "sendmsg", "getaddrinfo", "gethostbyname", "gethostbyaddr")
_SOCKETS = frozenset(f"socket.{name}" for name in _CALLS)
_UNIX = 1  # the family of sockets that pairs of threads and processes have, too
_DEVICES = tuple(
    f"/dev/{name}" for name in ("null", "random", "urandom", "stdin", "stdout", "stderr", "tty")
)
_OF_USR = tuple(f"/usr/{name}/" for name in ("lib", "lib64", "share", "local/lib", "local/share"))
_OF_ALL = (
    *_OF_USR,
    "/lib/",
    "/lib64/",
    "/sys/",
    "/etc/localtime/",
    "/etc/ssl/",
    "/etc/mime.types/",
)
_OF_LIBRARIES = ("/proc/", "/usr/")
# No folders of students:
_SYSTEM = ("/etc/", "/proc/", "/root/", "/var/", "/run/", "/srv/", "/boot/", "/dev/", "/caja/")


def _is_of_python(folder: str, python: str) -> bool:
    return f"{folder}/".startswith(f"{python}/") and not folder.endswith("-packages")


class _Watch:
    """An audit hook and a finder of modules.

    What they need is bound before the student's file runs.
    """

    def __init__(self, path: str, output: int, imports: Callable[[], bool]) -> None:
        self.path, self.output, self.imports = path, output, imports
        self.folder = f"{os.path.realpath(os.getcwd())}/"
        own, python = (
            os.path.abspath(f"{file}/{up}")
            for file, up in ((__file__, "../../../.."), (os.__file__, ".."))
        )
        libraries = {sys.prefix, sys.base_prefix, *sys.path} - {"", "/"}
        self.libraries = tuple(
            f"{each}/" for each in {*libraries, *map(os.path.realpath, libraries)}
        )
        self.packages = tuple(
            f"{each}/" for each in sys.path if each != own and not _is_of_python(each, python)
        )
        self.own = tuple(f"{each}practica/" for each in self.libraries)
        self.known: set[str] = set()
        self.write, self.frame_of, self.real_path = os.write, sys._getframe, os.path.realpath

    def hook(self, event: str, args: tuple[object, ...]) -> None:
        try:
            if event in _READS:
                flags = args[2] if event == "open" else 0
                writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
                self.look_at(args[0], bool(writes))
            elif event in _WRITES:
                for each in args:
                    self.look_at(each, True)
            elif event in _SOCKETS or (event == "socket.__new__" and args[1] != _UNIX):
                self.report("network", "")
        except Exception:  # what is wrong with an argument, the call itself says
            return

    def find_spec(self, name: str, *_: object) -> None:
        if name.partition(".")[0] == "practica":
            self.report("practica", name)

    def look_at(self, given: object, writes: bool) -> None:
        if (
            not isinstance(given, str | bytes | os.PathLike)
            or not (name := os.fsdecode(given))
            or name in _DEVICES
        ):
            return
        place = f"{self.real_path(name)}/"
        if place.startswith(self.own):
            if not self.is_of_library():
                self.report("practica", name)
        elif place.startswith(self.folder):
            return
        elif writes:
            if "__pycache__" not in place:
                self.report("write", name)
        elif not self.may_read(place):
            self.report("read", name)

    def may_read(self, place: str) -> bool:
        if place.startswith((*self.libraries, *_OF_ALL)):
            return True
        if place.startswith(_OF_LIBRARIES) and self.is_of_library():
            return True
        suffix = os.path.splitext(place[:-1])[1]
        return (
            suffix not in ("", ".py", ".ipynb") and not place.startswith(_SYSTEM) and self.imports()
        )

    def is_of_library(self) -> bool:
        """Return whether a package reads for itself, or Python shows the lines of a traceback."""
        frame: types.FrameType | None = self.frame_of(2)
        while frame is not None and frame.f_code.co_filename != self.path:
            name = frame.f_code.co_filename
            if name.startswith(self.packages) or name.endswith("/linecache.py"):
                return True
            frame = frame.f_back
        return False

    def report(self, kind: str, what: str) -> None:
        if kind in self.known:
            return
        self.known.add(kind)
        frame: types.FrameType | None = self.frame_of(2)
        while frame is not None and frame.f_code.co_filename != self.path:
            frame = frame.f_back
        line = 0 if frame is None else frame.f_lineno
        text = REPORT.format(kind=kind, line=line, what=what[:LONGEST].replace("\0", ""))
        self.write(self.output, text.encode(errors="replace"))


def report_attempts(path: str, output: int, imports: Callable[[], bool]) -> None:
    """Report the attempts of a file from now on, for as long as the process lives.

    `path`: the name of the file.
    `output`: the descriptor to which they are written.
    `imports`: returns whether the file is still being imported.
    """
    watch = _Watch(path, output, imports)
    sys.meta_path.insert(0, watch)
    sys.addaudithook(watch.hook)
