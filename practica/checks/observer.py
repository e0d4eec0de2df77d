"""What a call runs: the lines of the student's file, and the forbidden functions and classes that it uses.

Lines are told by a trace, uses by a profile, in all threads that begin while the call runs. A forbidden object is known
by what it is and not by its name: the rubric's names are looked up once the call is over, and the code that ran is
compared with theirs. It is used *directly* when the student's file calls it, or something that the file made does:
between the two there may be decorators, other packages than its own (functools, threads, numpy) and methods of the same
object. What a package does with its own functions is told apart. Functions in C are only seen where Python code calls
them, and not through `map` and its like, but for those of torch.

An audit hook tells the rest from the first line of the file on: code that runs out of a text, a pickle or a file that
was written, also where a library does it for the file; frames, whatever name they are reached by; and memory that is
opened as a file. The file's own `getattr` tells which names lead it out, and its `__import__` which modules would; what
functions and classes have to tell of others is told by whoever reads it: a library reads what it has the name of.

None of it can be trusted to excuse anybody: it runs in the student's process. But what is noted there is told at once.
"""

from __future__ import annotations

import _posixsubprocess
import _thread
import builtins
import contextlib
import dataclasses
import dis
import fnmatch
import functools
import gc
import importlib
import importlib.machinery
import inspect
import itertools
import os
import re
import signal
import sys
import threading
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

globals()["__builtins__"] = vars(builtins).copy()  # as they are before the student's file is imported
__all__ = ["Audit", "Observer", "codes_of", "expression_of", "module_of", "parts_of"]

_get_trace, _set_trace = sys.gettrace, sys.settrace  # as they are before the student's file is imported
_get_profile, _set_profile = sys.getprofile, sys.setprofile
_get_frame, _current_frames = sys._getframe, sys._current_frames
_globals_of: Callable[[Any], Any] = vars(types.FunctionType)["__globals__"].__get__
_variables_of: Callable[[Any], Any] = vars(type)["__dict__"].__get__
_field_name_of: Callable[[Any], Any] = vars(dataclasses.Field)["name"].__get__
_back_of: Callable[[types.FrameType], types.FrameType | None] = vars(types.FrameType)["f_back"].__get__
_PACKAGE = __name__.partition(".")[0]
_STDLIB, _OPTIMIZED = sys.stdlib_module_names, inspect.CO_OPTIMIZED
_of_threads = threading.gettrace, threading.settrace, threading.getprofile, threading.setprofile
_collects, _collect, _stop_collecting = gc.isenabled, gc.enable, gc.disable
_ASSIGNED, _UPDATED = functools.WRAPPER_ASSIGNMENTS, functools.WRAPPER_UPDATES
_LIBRARIES = tuple(os.path.join(path, "") for path in sys.path if os.path.isabs(path))
_handler_of, _SIGNALS = signal.getsignal, sorted(signal.valid_signals())
_mask: Callable[..., Any] = getattr(signal, "pthread_sigmask", lambda *_: ())  # where there are none, nobody sends them


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
        self._file = path and _last(path)
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
        self._caller = _get_frame(1)
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
            known = self._files[code.co_filename] = _last(code.co_filename) == self._file
        return known

    def _is_students(self, frame: types.FrameType) -> bool:
        """Tell whether code is the student's, also where the file imports itself under another name."""
        return frame.f_globals is self._names or not _is_of_library(frame.f_code.co_filename)

    # -- forbidden objects ---------------------------------------------------------------------------------------------

    def _call(self, frame: types.FrameType) -> None:
        code = frame.f_code
        if code.co_name == _BACKWARD:
            if _nested(frame) > _DEEPEST:
                self._found[id(self), ""] = "threading.Thread", 0, False
            return
        module = self._module(code.co_filename, module_of, self._files_watched)
        if not module:
            if _is_library(code.co_filename) and not module_of(code.co_filename).startswith("torch.autograd"):
                self._elsewhere[id(frame.f_globals)] = frame.f_globals  # so is whatever else has these variables
        elif code.co_flags & _OPTIMIZED and (caller := _back_of(frame)) is not None:  # no module or class in the making
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
        if module.partition(".")[0] in _STDLIB and not self._is_students(caller):
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
            caller = _back_of(caller)
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


class Audit:
    """Notes what the file does by itself that hides code from whoever reads it, by whatever name it gets there.

    Python tells it from the first line of the file to the end of the process, watched or not.

    Parameters
    ----------
    names : dict
        The student's module.
    code : code object, optional
        That of the whole file. Where it is given nothing lies beside the file, and whatever else is imported from
        outside the libraries was written by it.
    told : callable, optional
        Called at once when something is noted, before the file can make anybody forget it.
    """

    def __init__(
        self,
        names: dict[str, Any],
        code: types.CodeType | None = None,
        told: Callable[[], object] = lambda: None,
    ) -> None:
        self._names, self._code, self._told = names, code, told
        self._name = _value_of(names, "__name__")
        self._found: dict[tuple[tuple[str, int, bool], tuple[types.CodeType, ...]], None] = {}
        self._busy = False
        self._threads = frozenset(_current_frames())
        self._handlers = [(number, _handler_of(number)) for number in _SIGNALS]
        words = None if code is None else frozenset(_words(code))

        def get(value: Any, name: str, *default: Any) -> Any:
            given = getattr(value, name, *default)
            if type(name) is not str:
                return given
            unread = words is not None and name[:1] == "_" and name not in words  # by whoever reads the source
            if unread or name in _LEADING_OUT or _is_of_python(given):
                self._note(name, _get_frame(1), False)
            return given

        def asked(name: str, real: Callable[[], Any]) -> Callable[[], Any]:
            def ask() -> Any:
                if _get_frame(1).f_globals is not names:
                    return real()
                return self._note(name, _get_frame(1), False)

            return ask

        copy = functools.update_wrapper

        def update(wrapper: Any, wrapped: Any, assigned: Any = _ASSIGNED, updated: Any = _UPDATED) -> Any:
            assigned, updated = tuple(assigned), tuple(updated)
            for name in _LEADING_OUT.intersection(each for each in (*assigned, *updated) if type(each) is str):
                self._note(name, _get_frame(1), False)
            return copy(wrapper, wrapped, assigned, updated)

        bring = builtins.__import__

        def bring_in(name: str, *args: Any, **kwargs: Any) -> Any:
            caller = _get_frame(1)
            compiled = len(args) == 4 and type(args[2]) is list  # code asks so, of which there is no frame
            asked = caller.f_globals is names and name not in caller.f_code.co_names  # by no statement
            if asked and (not compiled or name in _HANDING_OUT):
                self._note("__import__", caller, False)
            return bring(name, *args, **kwargs)

        functools.update_wrapper = update
        names["__builtins__"] = {**vars(builtins), "getattr": get, "__import__": bring_in}
        for kind, name in _TELLING:
            self._watch_reading(kind, name)
        for module, name in itertools.product((sys, threading), ("gettrace", "getprofile")):
            setattr(module, name, asked(f"{module.__name__}.{name}", getattr(module, name)))
        for module, name in itertools.product((_thread, threading), _BEGINNING):
            if hasattr(module, name):
                setattr(module, name, _beginning(getattr(module, name)))

        run = _posixsubprocess.fork_exec

        def run_program(*args: Any) -> Any:
            frame = _get_frame(1)
            told = module_of(frame.f_code.co_filename) == "subprocess"  # by itself
            if not told and (frame.f_globals is names or self._asks("os.posix_spawn", frame)):
                self._note("os.posix_spawn", frame, False)
            return run(*args)

        _posixsubprocess.fork_exec = run_program

        # Nobody watches what runs in here: so nothing that the file may have made is asked or compared.
        def hear(event: str, args: tuple[Any, ...]) -> None:  # a function: a method takes three times as long
            if event not in _EVENTS:
                return
            name = args[1] if event in _OF_ATTRIBUTES and type(args[1]) is str else ""
            if name == "f_code" or (event == "object.__setattr__" and name != "__code__"):
                return  # the code of a frame is what an observer reads all the time
            if self._busy and event == "sys._getframe":
                return
            if event == "open":
                self._look_for_changes()
                path = _path_of(args[0])
                if not (_is_memory(path) or _is_source(path)):
                    return
            self._hear(event, args)

        self._kept = [
            (variables, name, value)
            for variables in (vars(sys.modules[module]) for module in _KEPT if module in sys.modules)
            for name, value in variables.items()
            if callable(value)
        ]
        sys.addaudithook(hear)

    def uses(self, name: str, apart: Collection[str]) -> list[list[Any]]:
        """Tell what a function answers for, as `Observer.uses` does; what was done by the import, each of them."""
        if not self._found:
            return []
        known = {name, *apart}
        owners = {code: each for each in known for code in codes_of(self._names.get(each))}
        told: dict[tuple[str, int, bool, str], None] = {}
        for use, on_stack in self._found:
            judged = [owner for code in on_stack if (owner := owners.get(code, code.co_qualname)) in known]
            if not judged or name in judged:
                told[*use, judged[0] if judged and judged[0] != name else ""] = None
        return [[*use] for use in told]

    def look_at_name(self) -> None:
        """Note another name of the file's own, with which a main guard would run, that nobody reads."""
        name = _value_of(self._names, "__name__")
        if type(name) is not str or name != self._name:
            self._note("__name__", None, False)

    def look_around(self) -> None:
        """Note threads that the file began before, and what it wants to run when a signal comes: nobody watches it."""
        if not self._threads.issuperset(_current_frames()):
            self._note("threading.Thread", None, False)
        if any(_handler_of(number) is not handler for number, handler in self._handlers):
            self._note("signal.signal", None, False)
        self._look_for_changes()

    def _look_for_changes(self) -> None:
        """Note what was put in the place of a function or class that runs here, where nobody watches."""
        if not all(variables.get(name) is value for variables, name, value in self._kept):
            self._kept.clear()  # which is told once
            self._note("setattr", None, False)

    def _watch_reading(self, kind: type, name: str) -> None:
        """Note who reads an attribute of all that is of a kind, whatever way there is to it."""
        attributes = gc.get_referents(vars(kind))[0]  # what cannot be written through `vars`
        real = attributes[name]
        read = real if callable(real) else real.__get__  # a method, or what is not called

        def tell(value: Any) -> Any:
            frame = _get_frame(1)
            given = read(value)
            if _only_passes_on(name, frame):
                return given
            is_ours = self._is_below(given, frame) if name == "f_back" else _gives_us(value, given)
            if frame.f_globals is self._names or (
                self._reads_for_file(name, frame, is_ours) and not self._may(name, frame, value)
            ):
                self._note(name, frame, False)
            return given

        attributes[name] = tell if callable(real) else property(tell)
        forget = getattr(sys, "_clear_internal_caches", None) or sys._clear_type_cache  # from 3.13 on by that name
        forget()

    def _reads_for_file(self, name: str, made: types.FrameType, is_ours: bool = False) -> bool:
        """Tell whether a library reads for the file what it does not name itself, or what is ours."""
        module = module_of(made.f_code.co_filename)
        asks = module == "inspect" and made.f_code.co_name == "get_annotations"  # and gives nothing else away
        asks = asks or (module == "traceback" and name == "tb_frame")  # of which it takes the file and the line
        names = made.f_code.co_names
        named = (name in names or (name == "__dict__" and "vars" in names)) and (asks or not is_ours)
        if named or made.f_globals is globals() or module == "abc":
            return False
        frame: types.FrameType | None = made
        while frame is not None and frame.f_globals is not self._names:
            if frame.f_code.co_filename == _IMPORTER:
                return False
            frame = _back_of(frame)
        return frame is not None

    def _is_below(self, given: Any, reader: types.FrameType) -> bool:
        """Tell whether a frame called the file, which is none of its business: all that watches is there."""
        called, frame = False, reader if type(given) is types.FrameType else None
        while frame is not None:
            if frame is given:
                return called and frame.f_globals is not self._names
            called = called or frame.f_globals is self._names
            frame = _back_of(frame)
        return False

    def _may(self, name: str, made: types.FrameType, value: Any) -> bool:
        """Tell whether a library writes out the name, as `getattr` has it, and gives nothing away.

        `inspect` makes a signature of it; what a function of the file's own has is the file's already.
        """
        own = type(value) is types.FunctionType and _globals_of(value) is self._names
        return name in made.f_code.co_consts and (own or module_of(made.f_code.co_filename) == "inspect")

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        """Look at an event; nothing of the file's may run here, and whatever does is heard, too."""
        self._busy = True  # to ask for a frame is an event, too
        try:
            frame = _get_frame(2)
        finally:
            self._busy = False
        while event.startswith("ctypes.") and module_of(frame.f_code.co_filename) == "ctypes":
            frame = _back_of(frame) or frame
        if event == "import":
            self._import(args[1], frame)  # which only compiled code has here
        elif frame.f_globals is self._names:
            name = args[1] if event in _OF_ATTRIBUTES and type(args[1]) is str else event
            self._note(_EVENTS[event] or name, frame, _EVENTS[event] is not None)
        elif event == "exec" and frame.f_code.co_filename == _IMPORTER:
            if frame.f_code is not _FROZEN:
                self._load(args[0], frame)
        elif event == "sys._getframe" and module_of(frame.f_code.co_filename) == _READS_NAMES:
            if self._asks(event, frame):
                self._note("pandas.eval", frame, False)
        elif (
            (event == "sys._getframe" and self._is_below(args[0], frame))
            or (event in _OF_FRAMES and self._gives_frame(frame))
            or (event in _NAMED and self._reads_for_file(event.rpartition(".")[2], frame))
        ):
            self._note(event, frame, False)
        elif event in _ON_BEHALF and self._asks(event, frame) and not _is_harmless(event, frame):
            self._note(_EVENTS[event] or event, frame, False)

    def _load(self, code: Any, frame: types.FrameType) -> None:
        """Look at a file that is run as a module, by whoever imports it or by hand, where it has no name of its own."""
        loads = _back_of(frame)
        asked = loads and _back_of(loads)
        while asked is not None and asked.f_code.co_filename.startswith(_OURS):  # see `practica.sandbox.disabled`
            asked = _back_of(asked)
        variables = loads.f_locals if loads is not None and asked is not None and asked.f_code is _LOADING else {}
        loader, module = variables.get("self"), variables.get("module")
        known = vars(loader) if type(loader) in _LOADERS else {}
        path = _value_of(known, "path") if len(known) == _FIELDS and sys.pycache_prefix is None else None
        if type(path) is not str or type(module) is not types.ModuleType:
            if self._code is not None:
                self._note("sys.modules", frame, False)
            return
        self._import(path, frame)
        place = module_of(path) if _is_library(path) else ""
        name = _value_of(vars(module), "__name__")
        if place.partition(".")[0] in _FILED and (type(name) is not str or name != place):  # a library's, once more
            self._note("sys.modules", frame, False)

    def _import(self, file: Any, frame: types.FrameType) -> None:
        if self._code is None or type(file) is not str:
            return
        if not _is_library(file) or _COMPILED in file:
            self._note(_last(file), frame, True)

    def _gives_frame(self, given: types.FrameType) -> bool:
        """Tell whether what gives frames away gives one to the file, also through something else of Python's."""
        if module_of(given.f_code.co_filename) not in _GIVING_FRAMES:
            return False
        frame = _back_of(given)
        while frame is not None and frame.f_globals is not self._names:
            module = module_of(frame.f_code.co_filename).partition(".")[0]
            if module in _GIVING_FRAMES or module not in _STDLIB:
                return False
            frame = _back_of(frame)
        return frame is not None

    def _asks(self, event: str, made: types.FrameType) -> bool:
        """Tell whether a library does something for the file, and not for itself, as where it is being imported."""
        frame: types.FrameType | None = made
        asked, loads = made, event == "open"  # where something is imported, its file is read, or its first line runs
        while frame is not None and frame.f_globals is not self._names:
            if frame.f_code.co_filename == _IMPORTER and loads:
                return False
            loads = loads or frame.f_code.co_name == "<module>"
            asked, frame = frame, _back_of(frame)
        name = asked.f_code.co_name
        makes = module_of(asked.f_code.co_filename) in _MAKERS and (name[:1] != "_" or name[:2] == "__")
        makes = makes and event == "exec" and not _RUNNING.isdisjoint(made.f_code.co_names)
        makes = makes and module_of(made.f_code.co_filename) in _MAKERS and self._has_names_for_fields(made)
        return frame is not None and not makes

    def _has_names_for_fields(self, made: types.FrameType) -> bool:
        """Tell whether all fields of a dataclass in the making are called by names, which its text has as they are."""
        frame: types.FrameType | None = made
        while frame is not None and frame.f_code is not _OF_DATACLASS:
            frame = _back_of(frame) if frame.f_globals is not self._names else None
        fields = [] if frame is None else list(dict.values(frame.f_locals["fields"]))
        names = [_field_name_of(each) if type(each) is dataclasses.Field else None for each in fields]
        return all(type(each) is str and each.isidentifier() for each in names)

    def _note(self, name: str, frame: types.FrameType | None, direct: bool) -> None:
        self._told()
        line, on_stack = 0, []
        while frame is not None:
            if frame.f_globals is self._names:
                line = line or frame.f_lineno
                on_stack.append(frame.f_code)
            frame = _back_of(frame)
        if direct or len(self._found) < _MOST:
            self._found[(name, line, direct), tuple(dict.fromkeys(on_stack))] = None


_IMPORTS_ALL = {  # what `from module import *` is compiled to, up to Python 3.11 and from then on
    *(bytes([dis.opmap[name], 0]) for name in ("IMPORT_STAR",) if name in dis.opmap),
    *(bytes([dis.opmap[name], 2]) for name in ("CALL_INTRINSIC_1",) if name in dis.opmap),
}
_IMPORTER = "<frozen importlib._bootstrap>"
_READS_NAMES = "pandas.core.computation.scope"  # in a text, of the frame that asks: `DataFrame.eval`, `query`
_LOADERS = {importlib.machinery.SourceFileLoader, importlib.machinery.SourcelessFileLoader}
_FIELDS = len(vars(importlib.machinery.SourceFileLoader("a", "a.py")))  # more of them may be other methods
_OURS = os.path.join(os.path.dirname(os.path.dirname(__file__)), "")
_LOADING = importlib._bootstrap._load_unlocked.__code__  # type: ignore[attr-defined]
_FROZEN = importlib.machinery.FrozenImporter.exec_module.__code__  # of modules that are a part of Python itself
_real_path = os.path.realpath  # as it is before the student's file is imported
_OF_DATACLASS = dataclasses._process_class.__code__  # type: ignore[attr-defined]
_MAKERS = {"collections", "dataclasses", "functools", "typing", "enum"}  # of classes, out of texts of their own
_KEPT = ("os", "posixpath", "genericpath", "re", "functools", "threading", "io", "numpy")
_SOURCES = (".py", ".pyc")
_RUNNING = {"exec", "eval"}  # which a maker asks for by name
_COMPILED = os.path.join("", "__pycache__", "")  # where Python looks for nothing by that name
_FILED = {"numpy", "pandas", "scipy", "sklearn", "torch"}  # whose modules have the names of their files
_MOST = 50
_EVENTS = {  # and what the rubric calls them, where it forbids them
    "exec": "builtins.exec",
    "compile": "builtins.compile",
    "object.__getattr__": None,
    "object.__setattr__": None,
    "sys._getframe": None,
    "sys._current_frames": None,
    "gc.get_objects": None,
    "gc.get_referrers": None,
    "gc.get_referents": None,
    "function.__new__": None,
    "code.__new__": None,
    "marshal.loads": None,
    "pickle.find_class": None,
    "sys.addaudithook": None,
    "sys.settrace": None,
    "sys.setprofile": None,
    "os.fork": None,
    "os.forkpty": None,
    "os.system": None,
    "os.exec": None,
    "os.posix_spawn": None,
    "subprocess.Popen": None,
    "import": None,
    "open": None,  # of the memory of a process, or of the source of a library
    "cpython.PyInterpreterState_New": None,  # where nobody watches
    "ctypes.dlopen": None,
    "ctypes.dlsym": None,
    "ctypes.cdata": None,
    "ctypes.cdata/buffer": None,
    "ctypes.string_at": None,
    "ctypes.wstring_at": None,
}
_ON_BEHALF = {  # what a library may do for the file
    "exec",
    "sys._current_frames",
    "function.__new__",
    "code.__new__",
    "pickle.find_class",
    "os.fork",
    "os.posix_spawn",
    "os.system",
    "os.exec",
    "os.forkpty",
    "subprocess.Popen",
    "sys.addaudithook",
    "sys.settrace",
    "sys.setprofile",
    "object.__setattr__",
    "cpython.PyInterpreterState_New",
    "open",
    "ctypes.dlopen",
    "ctypes.dlsym",
    "ctypes.cdata",
    "ctypes.cdata/buffer",
    "ctypes.string_at",
    "ctypes.wstring_at",
}
_OF_ATTRIBUTES = {"object.__getattr__", "object.__setattr__"}
_OF_FRAMES, _GIVING_FRAMES = {"sys._getframe", "object.__getattr__"}, {"inspect", "logging", "traceback"}
_NAMED = {"sys._getframe", "gc.get_objects", "gc.get_referrers", "gc.get_referents"}  # by libraries that ask for it
_TELLING: list[tuple[type, str]] = [  # what leads from one object to all others
    (types.FunctionType, "__globals__"),
    (types.FunctionType, "__closure__"),
    (types.FunctionType, "__builtins__"),
    (types.BuiltinFunctionType, "__self__"),
    (type, "__subclasses__"),
    (types.ModuleType, "__dict__"),
    (types.FrameType, "f_back"),
    (types.TracebackType, "tb_frame"),
]
_HANDING_OUT = {  # modules that hand out frames, memory and threads, and others of those
    *("signal", "_signal", "gc", "ctypes", "_ctypes", "mmap", "threading", "_thread", "faulthandler", "importlib"),
    *("concurrent.futures", "multiprocessing", "_testcapi", "_testinternalcapi", "test.support"),
}
_LEADING_OUT = {  # of the file, to what it is not given
    *("__globals__", "__builtins__", "__subclasses__", "__mro__", "__base__", "__bases__", "__loader__", "__spec__"),
    *("__import__", "__getattribute__", "__reduce__", "__reduce_ex__", "__wrapped__", "__self__", "__closure__"),
    *("__code__", "co_consts", "cell_contents", "f_back", "f_globals", "f_locals", "f_builtins", "f_code"),
    *("tb_frame", "gi_frame", "cr_frame", "ag_frame", "run_backward", "__array_namespace__", "as_strided", "ops"),
    *("sys", "os", "builtins", "importlib", "gc", "ctypes", "threading", "_thread", "modules"),  # of other modules
}


_watching: list[Any] = [None, None, None]  # of the call that is watched now: its trace, its profile, and torch's mode
_BEGINNING = "start_new_thread", "start_new", "start_joinable_thread", "_start_new_thread", "_start_joinable_thread"
_BACKWARD, _DEEPEST = "_engine_run_backward", 20  # one in another; from 60 on torch goes on in a thread of its own


def _words(code: types.CodeType) -> Iterator[str]:
    """Yield the names that code has, also that of the functions in it, and the texts that look like Python's own."""
    waiting = [code]
    while waiting:
        code = waiting.pop()
        yield from code.co_names
        yield from (text for text in code.co_consts if type(text) is str and text[:2] == "__")
        waiting += [inner for inner in code.co_consts if type(inner) is types.CodeType]


def _beginning(begin: Callable[..., Any]) -> Callable[..., Any]:
    """Return what begins a thread that is watched, however it is begun and whatever `threading` is told."""

    def begin_watched(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return begin(functools.partial(_watched, function), *args, **kwargs)

    return begin_watched


def _watched(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    trace, profile, mode = _watching
    with mode or contextlib.nullcontext():
        _set_trace(trace)
        _set_profile(profile)
        return function(*args, **kwargs)


def _nested(frame: types.FrameType) -> int:
    """Return how often the code of a frame runs within itself."""
    times, above = 0, _back_of(frame)
    while above is not None:
        times += above.f_code is frame.f_code
        above = _back_of(above)
    return times


def _only_passes_on(name: str, reader: types.FrameType) -> bool:
    """Tell whether what is read becomes something that leads nowhere.

    Of frames that `traceback` goes through for itself lines of text are made (torch keeps them with a seed); of what a
    module has, `from module import *` makes names, which whoever reads the source has seen.
    """
    if name == "__dict__":
        at, code = reader.f_lasti, reader.f_code.co_code
        return at >= 0 and bytes(code[at : at + 2]) in _IMPORTS_ALL
    asker = _back_of(reader)
    return name == "f_back" and asker is not None and all(_is_traceback(each) for each in (reader, asker))


def _is_traceback(frame: types.FrameType) -> bool:
    return module_of(frame.f_code.co_filename) == "traceback"


def _gives_us(value: Any, given: Any) -> bool:
    """Tell whether what was read leads to this package: it is of one of its functions, or among some classes."""
    if type(given) is types.FrameType:
        return _is_ours(given.f_globals.get("__name__"))
    if type(value) is types.FunctionType:
        return _is_ours(_globals_of(value).get("__name__"))
    return type(given) is list and any(_is_ours(_variables_of(each).get("__module__")) for each in given)


def _is_ours(module: Any) -> bool:
    return type(module) is str and module.partition(".")[0] == _PACKAGE


def _path_of(file: Any) -> str:
    """Return what is opened, by its path or number; nothing where that cannot be told without asking it."""
    path = ""
    if issubclass(type(file), int):
        path = f"/proc/self/fd/{int.__index__(file)}"
    elif issubclass(type(file), bytes):
        path = bytes.decode(file, errors="replace")
    elif issubclass(type(file), str):
        path = str.__str__(file)
    if path in ("", "mem") or "\0" in path or (path.startswith(_LIBRARIES) and "/../" not in path):
        return path  # most are modules
    return _real_path(path)


def _is_memory(path: str) -> bool:
    """Tell whether a file is the memory of a process, and all that watches in it."""
    return path == "mem" or re.fullmatch("/proc/.*/mem", path) is not None


def _is_source(path: str) -> bool:
    """Tell whether a file is the source of a library, which is read to be imported."""
    return path.endswith(_SOURCES) and _is_library(path)


def _is_of_python(value: Any) -> bool:
    """Tell whether something is a module of Python's own."""
    if type(value) is not types.ModuleType:
        return False
    name = _value_of(vars(value), "__name__")
    return type(name) is str and name.partition(".")[0] in _STDLIB


def _value_of(variables: dict[str, Any], name: str) -> Any:
    """Return what has a name, without asking another key whether it is the same."""
    return next((value for key, value in variables.items() if type(key) is str and key == name), None)


def _is_harmless(event: str, frame: types.FrameType) -> bool:
    """Tell whether Python does for itself what could be done for the file.

    `platform` asks a program of the system for the name of the processor; lines of a library are shown in a warning or
    behind an error; a library that names `ctypes` itself knows what it loads.
    """
    if event.startswith("ctypes."):
        package = module_of(frame.f_code.co_filename).partition(".")[0]
        return package == "threadpoolctl" or (package not in _STDLIB and "ctypes" in frame.f_code.co_names)
    passing = {"subprocess.Popen": {"subprocess"}, "open": {"tokenize", "linecache"}}.get(event, set())
    asked: types.FrameType | None = frame
    while asked is not None and module_of(asked.f_code.co_filename) in passing:
        asked = _back_of(asked)
    module = "" if asked is None else module_of(asked.f_code.co_filename)
    return module in {"subprocess.Popen": {"platform"}, "open": {"traceback", "warnings"}}.get(event, set())


def codes_of(function: Any) -> list[types.CodeType]:
    """Return the code of a function behind its decorators, and of what it was given by `singledispatch`."""
    registry = _attributes(function).get("registry")
    others = registry.values() if type(registry) is types.MappingProxyType else ()
    inner = [_inner(each) for each in (function, *others)]
    codes = [each.__code__ for each in inner if type(each) is types.FunctionType]
    # What is defined inside another function may be the same decorator around several.
    return [code for code in codes if "<locals>" not in code.co_qualname]


def _inner(function: Any) -> Any:
    """Return what is behind decorators and methods."""
    for _ in range(_MOST):
        inner = function.__func__ if type(function) is types.MethodType else function
        inner = _attributes(inner).get("__wrapped__", inner)
        if inner is function:
            break
        function = inner
    return function


def _attributes(value: Any) -> dict[str, Any]:
    """Return the attributes of an object, which is not asked for them: it would know that somebody is going to look."""
    try:
        return dict(object.__getattribute__(value, "__dict__"))
    except (AttributeError, TypeError, ValueError):
        return {}


def _last(path: str) -> str:
    """Return the name of a file, with nothing that the student's file could put something else in the place of."""
    return path.replace("\\", "/").rpartition("/")[2]


def _is_library(file: str) -> bool:
    return file.startswith(_LIBRARIES)


@functools.cache
def _is_of_library(file: str) -> bool:
    """Tell whether code is of a library, by its file; what is of no file was made by one, or by Python."""
    return file[:1] == "<" or _is_library(file)


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
            self.profile(_get_frame(1), "c_call", called)
            return called(*args, **kwargs or {})

    return Mode


@functools.cache
def module_of(file: str) -> str:
    """Return the full name of the module of a library by its file, however that was found and whatever it is called."""
    file = os.path.normpath(file)
    folder = max((path for path in _LIBRARIES if file.startswith(path)), key=len, default="")
    inside = file.removeprefix(folder) if folder else file.removeprefix("<frozen ").removesuffix(">")
    return inside.partition(".")[0].replace(os.sep, ".").removesuffix(".__init__")


def _same(one: Any, other: Any) -> bool:
    return one is not None and one is other


@functools.cache
def expression_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Compile patterns of names into one expression; without any it matches nothing."""
    return re.compile("|".join(map(fnmatch.translate, patterns)) or r"(?!)")


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
        if type(value) is types.ModuleType and _value_of(vars(value), "__name__") != place:
            return True
    return False


def _identities(value: Any) -> list[int]:
    found = [value, *(each for part in parts_of(value) for each in (part, getattr(part, "__code__", None)))]
    return [id(each) for each in found if isinstance(each, type | types.CodeType) or callable(each)]


def parts_of(value: Any) -> list[Any]:
    """Return what is behind the decorators of an object and, if it is a class, of its methods."""
    members = [value, *vars(value).values()] if isinstance(value, type) else [value]
    return [_inner(getattr(member, "__func__", getattr(member, "fget", member))) for member in members]


def _matching(expression: re.Pattern[str], name: str) -> str:
    """Return the longest part of a name, from its beginning, that a pattern describes; or nothing."""
    while name and not expression.fullmatch(name):
        name = name.rpartition(".")[0]
    return name
