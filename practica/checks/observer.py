"""What a call runs: the lines of the student's file, and the forbidden functions and classes that it uses.

Lines are told by a trace, uses by a profile, in all threads that begin while the call runs. A forbidden object is known
by what it is and not by its name: the rubric's names are looked up once the call is over, and the code that ran is
compared with theirs. It is used *directly* when the student's file calls it, or something that the file made does:
between the two there may be decorators, other packages than its own (functools, threads, numpy) and methods of the same
object. What a package does with its own functions is told apart. Functions in C are only seen where Python code calls
them, and not through `map` and its like, but for those of torch.

None of it can be trusted to excuse anybody: it runs in the student's process. But what is noted there is told.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import gc
import importlib
import inspect
import re
import signal
import sys
import threading
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from practica.checks.provenance import (
    STDLIB,
    back_of,
    codes_of,
    expression_of,
    file_name,
    get_frame,
    is_library,
    is_of_library,
    module_of,
    parts_of,
    value_of,
)

globals()["__builtins__"] = vars(builtins).copy()  # as they are before the student's file is imported
__all__ = ["Observer", "run_watched"]

_get_trace, _set_trace = sys.gettrace, sys.settrace  # as they are before the student's file is imported
_get_profile, _set_profile = sys.getprofile, sys.setprofile
_OPTIMIZED = inspect.CO_OPTIMIZED
_of_threads = threading.gettrace, threading.settrace, threading.getprofile, threading.setprofile
_collects, _collect, _stop_collecting = gc.isenabled, gc.enable, gc.disable
_SIGNALS = sorted(signal.valid_signals())
_mask: Callable[..., Any] = getattr(signal, "pthread_sigmask", lambda *_: ())  # where there are none, nobody sends them
_watching: list[Any] = [None, None, None]  # of the call that is watched now: its trace, its profile, and torch's mode
_BACKWARD, _DEEPEST = "_engine_run_backward", 20  # one in another; from 60 on torch goes on in a thread of its own


class _Thread(threading.local):
    """Where a thread is: inside what is judged apart, and past the first line of the function."""

    apart = ""  # the function's name
    started = True


class Observer:
    """Watch what is called where it is entered, no deeper in the stack than an unwatched call.

    Parameters
    ----------
    name : str
        The function.
    names : dict
        The student's module.
    path : str or None
        The student's file.
    apart : collection of str
        The functions that are judged on their own: what runs inside them, or inside the same one called again, is told
        apart, as the innermost's.
    forbidden : sequence of str
        Patterns of full names, as the rubric has them.
    within : bool
        Whether the lines of what is judged apart are told, too.

    Attributes
    ----------
    steps : dict
        How often a line ran after another one of the same function; 0 comes before the first.
    within : dict
        The same of what ran inside a function that is judged apart, with the name of that one in front.
    entries : int
        How often the function was entered.
    """

    def __init__(
        self,
        name: str,
        names: dict[str, Any],
        path: str | None,
        apart: Iterable[str],
        forbidden: Sequence[str],
        within: bool = False,
    ) -> None:
        self.steps: dict[tuple[int, int], int] = {}
        self.within: dict[tuple[str, int, int], int] = {}
        self._within = within
        self.entries = 0
        self._name, self._names, self._forbidden = name, names, tuple(forbidden)
        self._file = path and file_name(path)
        self._files: dict[str, bool] = {}  # whether a path ends with that name
        self._apart = {name, *apart}
        self._codes = [(code, known) for known in self._apart for code in codes_of(names.get(known))]
        self._owners = {id(code): known for code, known in self._codes}
        self._thread = _Thread()
        self._packages = {pattern.partition(".")[0] for pattern in forbidden}
        self._watched: dict[str, str] = {}  # by a name: the module, if it is in one of them
        self._files_watched: dict[str, str] = {}  # the same by a file
        # Global variables, by their identity: those of libraries, and of libraries that hold nothing forbidden.
        self._libraries: dict[int, dict[str, Any]] = {}
        self._elsewhere: dict[int, dict[str, Any]] = {}
        loaded = _loaded(self._forbidden)
        self._objects, self._allowed = _objects(self._forbidden, loaded), _allowed(self._forbidden, loaded)
        self._enter, self._profile = self._quick_trace(), self._quick_profile()
        # By the identity of code or function, and who is judged apart for it: its name, line, and whether directly.
        self._found: dict[tuple[int, str], tuple[str, int, bool]] = {}
        self._kept: dict[int, Any] = {}  # those, so that they stay what they are
        self._variables: list[list[Any]] = []  # of frames that were asked for them

    def __enter__(self) -> None:
        get_trace, set_trace, get_profile, set_profile = _of_threads
        self._before = _get_trace(), _get_profile(), get_trace(), get_profile()
        self._collects = _collects()
        _stop_collecting()  # nobody sees what the file's `__del__` runs where it happens while something is noted
        self._mask = _mask(signal.SIG_BLOCK, _SIGNALS)  # nor what it wants to run when a signal comes
        self._caller = get_frame(1)
        self._thread.started = False
        set_trace(self._enter)
        set_profile(self._profile)
        computes = any(each.startswith("torch.nn.") for each in self._forbidden)  # what is forbidden is partly in C
        self._torch = _torch_mode(self._profile) if computes else None
        if self._torch is not None:
            self._torch.__enter__()
        _watching[:] = self._enter, self._profile, self._torch
        _set_trace(self._enter)
        _set_profile(self._profile)

    def __exit__(self, *_: object) -> None:
        _watching[:] = None, None, None
        if _get_profile() != self._profile:
            self._found[id(self), ""] = "sys.setprofile", 0, False
        elif _get_trace() != self._enter:  # taken off, or lost in a recursion without end
            self._found[id(self), ""] = "sys.settrace", 0, False
        if self._torch is not None:
            self._torch.__exit__(None, None, None)
        set_trace, set_profile = _of_threads[1], _of_threads[3]
        trace, profile, trace_of_threads, profile_of_threads = self._before
        _set_profile(profile)
        _set_trace(trace)
        set_trace(trace_of_threads)
        set_profile(profile_of_threads)
        if self._collects:
            _collect()
        _mask(signal.SIG_SETMASK, self._mask)

    # -- what is called by Python, for each frame and function: most of them are of no interest ------------------------

    def _quick_trace(self) -> Callable[[types.FrameType, str, Any], Any]:
        libraries, follow = self._libraries, self._follow

        def enter(frame: types.FrameType, event: str, _: Any) -> Any:
            return None if id(frame.f_globals) in libraries else follow(frame)

        return enter

    def _quick_profile(self) -> Callable[[types.FrameType, str, Any], None]:
        elsewhere, watched, allowed, objects = self._elsewhere, self._watched, self._allowed, self._objects
        called_python, called_c = self._call, self._c_call

        def profile(frame: types.FrameType, event: str, called: Any) -> None:
            if event == "call":
                if id(frame.f_globals) not in elsewhere and id(frame.f_code) not in allowed:
                    called_python(frame)
            elif event == "c_call":
                place = getattr(called, "__module__", None)
                if id(called) in objects:  # whatever it says to be of by now
                    called_c(frame, called, objects[id(called)].rpartition(".")[0])
                elif type(place) is str and watched.get(place) != "" and id(called) not in allowed:
                    called_c(frame, called, place)

        return profile

    # -- lines ---------------------------------------------------------------------------------------------------------

    def _owner(self, code: types.CodeType) -> str | None:
        owner = self._owners.get(id(code), code.co_qualname)
        return owner if owner in self._apart else None

    def _follow(self, frame: types.FrameType) -> Any:
        if not self._is_students(frame):
            self._libraries[id(frame.f_globals)] = frame.f_globals
            return None
        if not self._is_file(code := frame.f_code):
            return None
        thread = self._thread
        owner = self._owner(code)
        self.entries += owner == self._name
        apart = thread.apart
        if apart and not self._within:
            return None
        outside, leaves = apart, owner not in (None, apart) and (owner != self._name or thread.started)
        if leaves:
            apart = thread.apart = str(owner)
            if not self._within:
                frame.f_trace_lines = False
        thread.started = thread.started or owner == self._name
        line = 0

        def follow(frame: types.FrameType, event: str, _: Any) -> Any:
            nonlocal line
            if event == "line":
                if apart:
                    inner = apart, line, frame.f_lineno
                    self.within[inner] = self.within.get(inner, 0) + 1
                else:
                    step = line, frame.f_lineno
                    self.steps[step] = self.steps.get(step, 0) + 1
                line = frame.f_lineno
            elif event == "return" and leaves:
                thread.apart = outside
            return follow

        return follow

    def _is_file(self, code: types.CodeType) -> bool:
        known = self._files.get(code.co_filename)
        if known is None:
            known = self._files[code.co_filename] = file_name(code.co_filename) == self._file
        return known

    def _is_students(self, frame: types.FrameType) -> bool:
        """Tell whether code is the student's, also where the file imports itself under another name."""
        return frame.f_globals is self._names or not is_of_library(frame.f_code.co_filename)

    # -- forbidden objects ---------------------------------------------------------------------------------------------

    def _call(self, frame: types.FrameType) -> None:
        code = frame.f_code
        if code.co_name == _BACKWARD:
            if _nested(frame) > _DEEPEST:
                self._found[id(self), ""] = "threading.Thread", 0, False
            return
        module = self._module(code.co_filename, module_of, self._files_watched)
        if not module:
            if is_library(code.co_filename) and not module_of(code.co_filename).startswith("torch.autograd"):
                self._elsewhere[id(frame.f_globals)] = frame.f_globals  # so is whatever else has these variables
        elif code.co_flags & _OPTIMIZED and (caller := back_of(frame)) is not None:  # no module or class in the making
            self._seen(code, module, code.co_qualname, frame, caller)

    def _c_call(self, frame: types.FrameType, called: Any, place: str) -> None:
        if module := self._module(place, str, self._watched):
            # Its full name is that of a class, too, which may be the file's: that would run here, and nobody sees it.
            self._seen(called, module, getattr(called, "__name__", ""), frame, frame)

    def _module(self, place: str, name_of: Callable[[str], str], known: dict[str, str]) -> str:
        """Return the module of a file, or of that name, if it is in one of the packages; otherwise nothing."""
        module = known.get(place)
        if module is None:
            module = name_of(place)
            known[place] = module = module if module.partition(".")[0] in self._packages else ""
        return module

    def _seen(self, key: Any, module: str, name: str, frame: types.FrameType, caller: types.FrameType) -> None:
        if module.partition(".")[0] in STDLIB and not self._is_students(caller):
            return  # `exec` is Python's own tool, too
        known = self._found.get((id(key), self._judged()))
        if known is not None and not self._named(id(key), known[0]):
            self._allowed[id(key)] = key
        elif known is None or not known[2]:
            self._note(key, f"{module}.{name}", frame, caller, known is not None)

    def _note(self, key: Any, name: str, frame: types.FrameType, caller: types.FrameType | None, told: bool) -> None:
        """Find out who called something, and whether it is this function's to answer for."""
        package, subject = name.partition(".")[0], self._subject(frame)
        line, direct, students, apart = 0, True, False, ""
        while caller is not None and caller is not self._caller:
            code = caller.f_code
            if self._is_students(caller):
                students = True
                if not line and self._is_file(code):
                    line = caller.f_lineno
                owner = self._owner(code)
                if owner is not None:
                    apart = owner if owner != self._name else ""
                    break
            elif not students:
                inner = module_of(code.co_filename).partition(".")[0] == package
                if inner and code.co_name == "<module>":  # it is being imported
                    return
                if inner and "<locals>" not in code.co_qualname and not _same(subject, self._subject(caller)):
                    if told:
                        return
                    if known := self._found.get((id(code), self._judged())):
                        line, direct, apart = known[1], False, self._judged()  # who called that one answers for this
                        break
                    direct = False
            caller = back_of(caller)
        self._found[id(key), apart] = name, line, direct
        self._kept[id(key)] = key

    def _subject(self, frame: types.FrameType) -> Any:
        """Return the object whose method of a library a frame runs.

        Whoever asks for variables again lets go of those of the last time, and nobody sees what an object of the file's
        runs as it is cleared away here: so they are kept.
        """
        code = frame.f_code
        if not code.co_argcount or code.co_varnames[0] != "self" or self._is_students(frame):
            return None
        values = frame.f_locals
        self._variables.append([*values.values()])
        return values.get("self")

    def _judged(self) -> str:
        """Return whose code runs now, if it is judged apart."""
        return self._thread.apart if self._thread.apart != self._name else ""

    def _named(self, key: int, name: str) -> str:
        """Return the rubric's name for code or a function, by its identity or its full name; nothing if it has none."""
        return self._objects.get(key) or _matching(expression_of(self._forbidden), name)

    def uses(self, mentioned: Iterable[Sequence[Any]] = ()) -> list[list[Any]]:
        """Tell the forbidden objects that the call used, or that other names of the source stand for.

        Parameters
        ----------
        mentioned : list of [full name, line]

        Returns
        -------
        uses : list of [name, line, whether directly, function]
            Each under a name of the rubric's; those that are used directly leave out the others. The function is the
            one that is judged apart and uses it, empty for none.
        """
        found = []
        self._objects = _objects(self._forbidden, _loaded(self._forbidden))  # which may be more by now
        for (key, apart), (name, line, direct) in self._found.items():
            known = name if key == id(self) else self._named(key, name)
            if known:
                found.append([known, line, direct, apart])
        for name, line in mentioned:
            meant = self._objects.get(id(_resolved(name))) if name.partition(".")[0] in self._packages else None
            if meant:
                found.append([meant, line, True, ""])
            elif _leads_elsewhere(name):
                found.append([name, line, False, ""])
        return [use for use in found if use[2] or not any(other[2] and other[3] == use[3] for other in found)]


def run_watched(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Run a function in a new thread as the call is that began it: watched, if it is."""
    trace, profile, mode = _watching
    with mode or contextlib.nullcontext():
        _set_trace(trace)
        _set_profile(profile)
        return function(*args, **kwargs)


def _nested(frame: types.FrameType) -> int:
    """Return how often the code of a frame runs within itself."""
    times, above = 0, back_of(frame)
    while above is not None:
        times += above.f_code is frame.f_code
        above = back_of(above)
    return times


def _torch_mode(profile: Callable[[types.FrameType, str, Any], None]) -> Any:
    """Return what tells of each call of torch's functions in C, also by `map` and its like; None without torch."""
    return _mode()(profile) if "torch" in sys.modules else None


@functools.cache
def _mode() -> Any:
    from torch.overrides import TorchFunctionMode

    class Mode(TorchFunctionMode):
        def __init__(self, profile: Callable[[types.FrameType, str, Any], None]) -> None:
            super().__init__()
            self.profile = profile

        def __torch_function__(self, called: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            self.profile(get_frame(1), "c_call", called)
            return called(*args, **kwargs or {})

    return Mode


def _same(one: Any, other: Any) -> bool:
    return one is not None and one is other


def _loaded(patterns: tuple[str, ...]) -> frozenset[str]:
    """Tell which of the packages and modules that patterns begin with are there."""
    return frozenset(name for name in _beginnings(patterns) if name in sys.modules)


@functools.cache
def _beginnings(patterns: tuple[str, ...]) -> frozenset[str]:
    parts = (pattern.split(".") for pattern in patterns)
    return frozenset(".".join(part[:end]) for part in parts for end in range(1, len(part)))


@functools.cache
def _allowed(patterns: tuple[str, ...], loaded: frozenset[str]) -> dict[int, Any]:
    """Return what turned out to be forbidden by none of the patterns, by its identity; as long as nothing is loaded."""
    return {}


@functools.cache
def _objects(patterns: tuple[str, ...], loaded: frozenset[str]) -> dict[int, str]:
    """Look up what patterns name in the modules there are: by the identity of an object, and of its code, a name."""
    return {key: name for name, value in _named(patterns) for key in _identities(value)}


def _named(patterns: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Yield the names that patterns have in the modules there are, and what they stand for."""
    for pattern in patterns:
        inside = pattern.removesuffix("*")
        package = sys.modules.get(inside[:-1])
        for name in getattr(package, "__all__", ()) if inside.endswith(".") else ():
            yield f"{inside}{name}", vars(package).get(name)
        if "*" not in pattern:
            yield pattern, _resolved(pattern, load=False)


def _resolved(name: str, *, load: bool = True) -> Any:
    """Return what a full name stands for, None if it is nothing that can be called."""
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        module = ".".join(parts[:end])
        if load and module not in sys.modules:
            try:
                importlib.import_module(module)
            except Exception:
                continue
        value: Any = sys.modules.get(module)
        if value is not None:
            for part in parts[end:]:
                if isinstance(value, type):
                    return value  # its methods are told with it
                value = vars(value).get(part) if isinstance(value, types.ModuleType) else None
            return value if callable(value) else None
    return None


def _leads_elsewhere(name: str) -> bool:
    """Tell whether a full name goes through a module that another one has imported for itself."""
    parts = name.split(".")
    value = sys.modules.get(parts[0])
    for end in range(2, len(parts) + 1):
        if type(value) is not types.ModuleType:
            return False
        place = ".".join(parts[:end])
        value = sys.modules.get(place) or vars(value).get(parts[end - 1])
        if type(value) is types.ModuleType and value_of(vars(value), "__name__") != place:
            return True
    return False


def _identities(value: Any) -> list[int]:
    found = [value, *(each for part in parts_of(value) for each in (part, getattr(part, "__code__", None)))]
    return [id(each) for each in found if isinstance(each, type | types.CodeType) or callable(each)]


def _matching(expression: re.Pattern[str], name: str) -> str:
    """Return the longest part of a name, from its beginning, that a pattern describes; or nothing."""
    while name and not expression.fullmatch(name):
        name = name.rpartition(".")[0]
    return name
