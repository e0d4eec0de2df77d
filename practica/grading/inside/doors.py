"""Audit hook: records, for a person to look at, what a file does that its text does not show.

Python reports what is done to threads, frames or code objects, regardless of the name that leads
there. Each kind of such actions is a door. It counts if the file opens it: directly, or through the
modules that exist to open it. What a library does for itself, such as the threads of joblib or the
frames of `logging`, does not count. Nor do threads that `threading` starts and that end with the
call, because they are traced with it.
"""

from __future__ import annotations

import _thread
import sys
import threading
import types
from typing import Any

from practica.grading.inside.guarded_values import Guard, Refusing
from practica.grading.inside.preload import is_librarys

_GRADER = "practica"
# for each door the modules through which the file may open it, and what Python reports then
DOORS = {
    "threads": (_GRADER, "thread.started _thread.start_joinable_thread thread.left"),
    "tracing": (
        "bdb pdb trace profile cProfile threading",
        "sys.settrace sys.setprofile sys.monitoring.register_callback",
    ),
    "objects": ("", "gc.get_objects gc.get_referrers gc.get_referents"),
    "frames": (
        "inspect",
        "sys._getframe sys._current_frames object.__getattr__.tb_frame"
        " object.__getattr__.gi_frame object.__getattr__.cr_frame object.__getattr__.ag_frame",
    ),
    "code": ("", "code.__new__ function.__new__ object.__setattr__.__code__ marshal.loads"),
    "text": (
        f"bdb pdb trace profile cProfile timeit code codeop runpy doctest {_GRADER}",
        "exec compile",
    ),
    "memory": ("ctypes", "ctypes.dlopen ctypes.dlsym ctypes.string_at ctypes.addressof"),
    "processes": (
        f"os subprocess multiprocessing concurrent pty importlib {_GRADER}",
        "os.fork os.forkpty os.exec os.posix_spawn os.system subprocess.Popen"
        " import._xxsubinterpreters import._interpreters",
    ),
    "module": (f"importlib {_GRADER}", "module.made"),
    "loops": (_GRADER, "loops.elsewhere"),
}
# events that are doors for some names only, and which of their arguments that is
_BY_NAME = {"object.__getattr__": 1, "object.__setattr__": 1, "import": 0}
_PICKLES = "pickles"  # no door: a forbidden function that one calls raises
_POOLS = "pools"  # no door: their threads are traced, unless they outlive the call that began them
_THROUGH = {door: {*modules.split()} for door, (modules, _) in DOORS.items()}
_THROUGH |= {_PICKLES: {"pickle"}, _POOLS: {"threading", "concurrent", _GRADER}}
_DOOR_OF = {event: door for door, (_, events) in DOORS.items() for event in events.split()}
_DOOR_OF["pickle.find_class"] = _PICKLES


class _Looking(threading.local):
    """A flag for each thread: whether the audit hook is handling an event, so that it ignores the
    events that it causes itself.
    """

    now = False


class Doors:
    """What the student's file does in this process that its text does not show, by kinds that are
    called doors: "threads", "processes", ... (see `DOORS`).

    `path`, `guard`: the file, and its forbidden names of Python's own.
    `found` (dict of int by str): the doors used since `watch`, each with the first line of the file
        that used it.
    """

    def __init__(self) -> None:
        self.path = ""
        self.guard: Guard | None = None
        self.found: dict[str, int | None] = {}
        self._looking = _Looking()
        self._pool: int | None = None  # where the file began a thread of `threading`

    def watch(self) -> None:
        """Install the audit hook that fills `found`; it cannot be removed."""
        start = _thread.start_new_thread

        def start_new_thread(*given: Any) -> int:
            sys.audit("thread.started")  # Python reports it from 3.12 on
            return start(_begin, given)

        for module, name in ((_thread, "start_new_thread"), (_thread, "start_new")):
            setattr(module, name, start_new_thread)
        threading._start_new_thread = start_new_thread  # type: ignore[attr-defined]
        sys.addaudithook(self._hear)

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if event in _BY_NAME:
            event = f"{event}.{args[_BY_NAME[event]]}"
        door = _DOOR_OF.get(event)
        if door is None or self._looking.now:
            return
        self._looking.now = True
        try:
            line = self._pool if event == "thread.left" else self._line_of(door)
            if line is None and door == "threads":
                self._pool = self._line_of(_POOLS) or self._pool
            if line is not None and door == _PICKLES:
                self._refuse(*args)
            elif line is not None:
                self.found.setdefault(door, line)
        finally:
            self._looking.now = False

    def _line_of(self, door: str) -> int | None:
        """Return the line of the student's file that caused the present audit event; None if a
        library caused it for its own purposes.

        `door`: the kind of event, one of `DOORS`.
        """
        through = _THROUGH[door]
        if door == "text" and not (self.guard and self.guard.is_on):
            through = {_GRADER}  # what timeit runs is only a door where names are forbidden
        frame: types.FrameType | None = sys._getframe(2)
        while frame is not None and is_librarys(frame.f_code.co_filename):
            if str(frame.f_globals.get("__name__")).partition(".")[0] not in through:
                return None
            frame = frame.f_back
        while frame is not None and frame.f_code.co_filename != self.path:
            frame = frame.f_back  # of a module or source text that the file brought
        return None if frame is None else frame.f_lineno

    def _refuse(self, module: str, name: str) -> None:
        """Raise if the function that a pickle names is forbidden: the pickle would call it."""
        value = getattr(sys.modules.get(module), name, None)
        stand_in = self.guard and self.guard.value(value)
        if type(stand_in) is Refusing and not isinstance(value, type):
            stand_in()


def _begin(function: Any, args: Any, kwargs: Any = None, /) -> None:
    """Run the function of a thread with the trace function that `threading` gives to its own
    threads.
    """
    sys.settrace(threading.gettrace())
    function(*args, **(kwargs or {}))
