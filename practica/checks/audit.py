"""What a file does by itself that hides code from whoever reads it, or leads to those who watch it.

An audit hook tells from the first line of the file on: code that runs out of a text, a pickle or a file that was
written, also where a library does it for the file; frames, whatever name they are reached by; and memory that is
opened as a file. The file's own `getattr` tells which names lead it out, and its `__import__` which modules would; what
functions and classes have to tell of others is told by whoever reads it: a library reads what it has the name of.

None of it can be trusted to excuse anybody: it runs in the student's process. But what is noted is told at once.
"""

from __future__ import annotations

import _posixsubprocess
import _thread
import abc
import builtins
import dataclasses
import dis
import functools
import gc
import importlib
import importlib.machinery
import io
import itertools
import operator
import os
import re
import signal
import sys
import threading
import types
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from practica.checks import observer, provenance
from practica.checks.observer import run_watched
from practica.checks.provenance import STDLIB, back_of, codes_of, file_name, get_frame, is_library, module_of, value_of

globals()["__builtins__"] = vars(builtins).copy()  # as they are before the student's file is imported
__all__ = ["Audit"]

_current_frames = sys._current_frames  # all of these as they are before the student's file is imported
_globals_of: Callable[[Any], Any] = vars(types.FunctionType)["__globals__"].__get__
_variables_of: Callable[[Any], Any] = vars(type)["__dict__"].__get__
_module_variables_of: Callable[[Any], Any] = vars(types.ModuleType)["__dict__"].__get__
_field_name_of: Callable[[Any], Any] = vars(dataclasses.Field)["name"].__get__
_PACKAGE = __name__.partition(".")[0]
_OWN_VARIABLES = globals(), vars(observer), vars(provenance)
_ASSIGNED, _UPDATED = functools.WRAPPER_ASSIGNMENTS, functools.WRAPPER_UPDATES
_handler_of, _SIGNALS = signal.getsignal, sorted(signal.valid_signals())
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
_real_path, _is = os.path.realpath, operator.is_  # as they are before the student's file is imported
_OF_DATACLASS = dataclasses._process_class.__code__  # type: ignore[attr-defined]
_MAKERS = {"collections", "dataclasses", "functools", "typing", "enum"}  # of classes, out of texts of their own
_KEPT = (
    "os",
    "posixpath",
    "genericpath",
    "re",
    "functools",
    "threading",
    "io",
    "numpy",
    "contextlib",
    "copy",
    "importlib",
)
_OF_CLASSES = ("contextlib", "inspect", "io", "threading", "warnings")
_BASES = object, io.StringIO, threading.local, types.ModuleType, tuple, Exception  # of our own classes
_SOURCES = (".py", ".pyc")
_RUNNING = {"exec", "eval"}  # which a maker asks for by name
_COMPILED = os.path.join("", "__pycache__", "")  # where Python looks for nothing by that name
_FILED = {"numpy", "pandas", "scipy", "sklearn", "torch"}  # whose modules have the names of their files
_MOST = 50
_SETTINGS = "torch.backends"  # which are attributes of modules
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
_OURS_DO = {  # by what our own code calls what does it
    "exec": "exec",
    "sys._current_frames": "_current_frames",
    "function.__new__": "FunctionType",
    "code.__new__": "replace",
    "object.__setattr__": "__code__",
    "sys.settrace": "_set_trace",
    "sys.setprofile": "_set_profile",
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
_BEGINNING = "start_new_thread", "start_new", "start_joinable_thread", "_start_new_thread", "_start_joinable_thread"


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

    # Nothing can be put before a method in an object without variables of its own.
    __slots__ = "_busy", "_code", "_found", "_handlers", "_kept", "_members", "_name", "_names", "_threads", "_told"

    def __init__(
        self,
        names: dict[str, Any],
        code: types.CodeType | None = None,
        told: Callable[[], object] = lambda: None,
    ) -> None:
        self._names, self._code, self._told = names, code, told
        self._name = value_of(names, "__name__")
        self._found: dict[tuple[tuple[str, int, bool], tuple[types.CodeType, ...]], None] = {}
        self._busy = False
        self._threads = frozenset(_current_frames())
        self._handlers = [(number, _handler_of(number)) for number in _SIGNALS]
        words = None if code is None else frozenset(_words(code))

        def is_unread(name: str) -> bool:  # by whoever reads the source
            return words is not None and name[:1] == "_" and name not in words

        def get(value: Any, name: str, *default: Any) -> Any:
            given = getattr(value, name, *default)
            plain = _plain(name)
            if is_unread(plain) or plain in _LEADING_OUT or _is_of_python(given):
                self._note(plain, get_frame(1), False)
            return given

        def put(value: Any, name: str, given: Any, /) -> None:
            plain = _plain(name)
            special = plain[:2] == "__" and is_unread(plain)
            if special or not self._may_change(value):
                self._note(plain if special else "setattr", get_frame(1), False)
            setattr(value, name, given)

        def leave_out(value: Any, name: str, /) -> None:
            if not self._may_change(value):
                self._note("delattr", get_frame(1), False)
            delattr(value, name)

        def asked(name: str, real: Callable[[], Any]) -> Callable[[], Any]:
            def ask() -> Any:
                if get_frame(1).f_globals is not names:
                    return real()
                return self._note(name, get_frame(1), False)

            return ask

        copy = functools.update_wrapper

        def update(wrapper: Any, wrapped: Any, assigned: Any = _ASSIGNED, updated: Any = _UPDATED) -> Any:
            assigned, updated = tuple(assigned), tuple(updated)
            for name in _LEADING_OUT.intersection(each for each in (*assigned, *updated) if type(each) is str):
                self._note(name, get_frame(1), False)
            return copy(wrapper, wrapped, assigned, updated)

        bring = builtins.__import__

        def bring_in(name: str, *args: Any, **kwargs: Any) -> Any:
            caller = get_frame(1)
            compiled = len(args) == 4 and type(args[2]) is list  # code asks so, of which there is no frame
            asked = caller.f_globals is names and name not in caller.f_code.co_names  # by no statement
            if asked and (not compiled or name in _HANDING_OUT):
                self._note("__import__", caller, False)
            return bring(name, *args, **kwargs)

        show = warnings.warn

        def warn(message: Any, category: Any = None, stacklevel: Any = 1, source: Any = None, **others: Any) -> None:
            level, caller = max(1, operator.index(stacklevel)), get_frame(1)
            itself = caller.f_globals is not names and "warn" in caller.f_code.co_names  # a library
            if not itself and (others.get("skip_file_prefixes") or self._is_above(level, caller)):
                self._note("stacklevel", caller, False)
            show(message, category, level + 1, source, **others)  # this frame is one more

        warnings.warn = warn
        functools.update_wrapper = update
        own = {"getattr": get, "setattr": put, "delattr": leave_out, "__import__": bring_in}
        names["__builtins__"] = {**vars(builtins), **own}
        for kind, name in _TELLING:
            self._watch_reading(kind, name)
        for module, name in itertools.product((sys, threading), ("gettrace", "getprofile")):
            setattr(module, name, asked(f"{module.__name__}.{name}", getattr(module, name)))
        for module, name in itertools.product((_thread, threading), _BEGINNING):
            if hasattr(module, name):
                setattr(module, name, _beginning(getattr(module, name)))

        run = _posixsubprocess.fork_exec

        def run_program(*args: Any) -> Any:
            frame = get_frame(1)
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
                self.look_for_changes()
                path = _path_of(args[0])
                if not (_is_memory(path) or _is_source(path)):
                    return
            self._hear(event, args)

        modules = [vars(sys.modules[module]) for module in _KEPT if module in sys.modules]
        self._kept = [(each, {name: value for name, value in each.items() if callable(value)}) for each in modules]
        self._kept += [(each, dict(each)) for each in _OWN_VARIABLES]
        self._members = [(each, dict(each)) for each in map(_variables_of, _classes())]
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
        name = value_of(self._names, "__name__")
        if type(name) is not str or name != self._name:
            self._note("__name__", None, False)

    def look_around(self) -> None:
        """Note threads that the file began before, and what it wants to run when a signal comes: nobody watches it."""
        if not self._threads.issuperset(_current_frames()):
            self._note("threading.Thread", None, False)
        if any(_handler_of(number) is not handler for number, handler in self._handlers):
            self._note("signal.signal", None, False)
        self.look_for_changes()

    def look_for_changes(self) -> None:
        """Note what was put in the place of a function, a class or its member that runs here, where nobody watches."""
        same = all(_has_still(now, before) for now, before in (*self._kept, *self._members))
        if not same or any(_has_more(now, before) for now, before in self._members):
            self._kept.clear()  # which is told once
            self._members.clear()
            _note(self, "setattr", None, False)

    def _may_change(self, value: Any) -> bool:
        """Tell whether something is no class or module of others, but for settings."""
        if issubclass(type(value), type):
            module = _variables_of(value).get("__module__")
            return type(module) is str and module == self._name
        if not issubclass(type(value), types.ModuleType):
            return True
        variables = _module_variables_of(value)
        name = value_of(variables, "__name__")
        return variables is self._names or (type(name) is str and name.startswith(_SETTINGS))

    def _watch_reading(self, kind: type, name: str) -> None:
        """Note who reads an attribute of all that is of a kind, whatever way there is to it."""
        attributes = gc.get_referents(vars(kind))[0]  # what cannot be written through `vars`
        real = attributes[name]
        read = real if callable(real) else real.__get__  # a method, or what is not called

        def tell(value: Any) -> Any:
            frame = get_frame(1)
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
        if named or any(made.f_globals is each for each in _OWN_VARIABLES) or module == "abc":
            return False
        frame: types.FrameType | None = made
        while frame is not None and frame.f_globals is not self._names:
            if frame.f_code.co_filename == _IMPORTER:
                return False
            frame = back_of(frame)
        return frame is not None or not (_is_our_code(made) and name in names)

    def _is_below(self, given: Any, reader: types.FrameType) -> bool:
        """Tell whether a frame called the file, which is none of its business: all that watches is there."""
        called, frame = False, reader if type(given) is types.FrameType else None
        while frame is not None:
            if frame is given:
                return called and frame.f_globals is not self._names
            called = called or frame.f_globals is self._names
            frame = back_of(frame)
        return False

    def _is_above(self, level: int, frame: types.FrameType | None) -> bool:
        """Tell whether a frame, so many levels up, is above the one that has called the file, which is always alike."""
        ours = 0
        while frame is not None and level > 1:
            ours += _is_our_code(frame)
            frame, level = back_of(frame), level - 1
        return level > 1 or ours > 0

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
            frame = get_frame(2)
        finally:
            self._busy = False
        while event.startswith("ctypes.") and module_of(frame.f_code.co_filename) == "ctypes":
            frame = back_of(frame) or frame
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
        loads = back_of(frame)
        asked = loads and back_of(loads)
        while asked is not None and _is_our_code(asked):  # see `practica.sandbox.disabled`
            asked = back_of(asked)
        variables = loads.f_locals if loads is not None and asked is not None and asked.f_code is _LOADING else {}
        loader, module = variables.get("self"), variables.get("module")
        known = vars(loader) if type(loader) in _LOADERS else {}
        path = value_of(known, "path") if len(known) == _FIELDS and sys.pycache_prefix is None else None
        if type(path) is not str or type(module) is not types.ModuleType:
            if self._code is not None:
                self._note("sys.modules", frame, False)
            return
        self._import(path, frame)
        place = module_of(path) if is_library(path) else ""
        name = value_of(vars(module), "__name__")
        if place.partition(".")[0] in _FILED and (type(name) is not str or name != place):  # a library's, once more
            self._note("sys.modules", frame, False)

    def _import(self, file: Any, frame: types.FrameType) -> None:
        if self._code is None or type(file) is not str:
            return
        if not is_library(file) or _COMPILED in file:
            self._note(file_name(file), frame, True)

    def _gives_frame(self, given: types.FrameType) -> bool:
        """Tell whether what gives frames away gives one to the file, also through something else of Python's."""
        if module_of(given.f_code.co_filename) not in _GIVING_FRAMES:
            return False
        frame = back_of(given)
        while frame is not None and frame.f_globals is not self._names and not _is_our_code(frame):
            module = module_of(frame.f_code.co_filename).partition(".")[0]
            if module in _GIVING_FRAMES or module not in STDLIB:
                return False
            frame = back_of(frame)
        return True

    def _asks(self, event: str, made: types.FrameType) -> bool:
        """Tell whether a library does something for the file, and not for itself, as where it is being imported.

        Where no code of the file's is to be seen, the file has begun the thread, or given us what we call.
        """
        frame: types.FrameType | None = made
        asked, loads = made, event == "open"  # where something is imported, its file is read, or its first line runs
        while frame is not None and frame.f_globals is not self._names:
            if frame.f_code.co_filename == _IMPORTER and loads:
                return False
            loads = loads or frame.f_code.co_name == "<module>"
            asked, frame = frame, back_of(frame)
        name = asked.f_code.co_name
        makes = module_of(asked.f_code.co_filename) in _MAKERS and (name[:1] != "_" or name[:2] == "__")
        makes = makes and event == "exec" and not _RUNNING.isdisjoint(made.f_code.co_names)
        makes = makes and module_of(made.f_code.co_filename) in _MAKERS and self._has_names_for_fields(made)
        ours = frame is None and _is_our_code(made) and _OURS_DO.get(event) in made.f_code.co_names
        return not ours and not makes

    def _has_names_for_fields(self, made: types.FrameType) -> bool:
        """Tell whether all fields of a dataclass in the making are called by names, which its text has as they are."""
        frame: types.FrameType | None = made
        while frame is not None and frame.f_code is not _OF_DATACLASS:
            frame = back_of(frame) if frame.f_globals is not self._names else None
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
            frame = back_of(frame)
        if direct or len(self._found) < _MOST:
            self._found[(name, line, direct), tuple(dict.fromkeys(on_stack))] = None


_note = Audit._note  # as it is now


def _classes() -> list[type]:
    """List the classes whose methods run where nobody watches: our own, and those of Python's that we use."""
    ours = [
        each for kind in _BASES for each in kind.__subclasses__() if _is_ours(_variables_of(each).get("__module__"))
    ]
    modules = [vars(sys.modules[name]) for name in _OF_CLASSES if name in sys.modules]
    return ours + [each for variables in modules for each in variables.values() if type(each) in (type, abc.ABCMeta)]


def _has_still(now: Mapping[str, Any], before: dict[str, Any]) -> bool:
    """Tell whether the names of before have the values that they had."""
    return all(map(_is, map(now.get, before), before.values()))


def _has_more(now: Mapping[str, Any], before: dict[str, Any]) -> bool:
    """Tell whether a class has other members, too; Python may add to it what annotations it has."""
    return len(now) != len(before) and any(name not in before and name[:7] != "__annot" for name in now)


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
        return begin(functools.partial(run_watched, function), *args, **kwargs)

    return begin_watched


def _only_passes_on(name: str, reader: types.FrameType) -> bool:
    """Tell whether what is read becomes something that leads nowhere.

    Of frames that `traceback` goes through for itself lines of text are made (torch keeps them with a seed); of what a
    module has, `from module import *` makes names, which whoever reads the source has seen.
    """
    if name == "__dict__":
        at, code = reader.f_lasti, reader.f_code.co_code
        return at >= 0 and bytes(code[at : at + 2]) in _IMPORTS_ALL
    asker = back_of(reader)
    if name != "f_back" or asker is None or not all(_is_traceback(each) for each in (reader, asker)):
        return False
    while asker is not None and _is_traceback(asker):
        asker = back_of(asker)
    return asker is None or module_of(asker.f_code.co_filename) != "logging"  # which shows whoever calls the file


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


def _is_our_code(frame: types.FrameType) -> bool:
    return frame.f_code.co_filename.startswith(_OURS)


def _path_of(file: Any) -> str:
    """Return what is opened, by its path or number; nothing where that cannot be told without asking it."""
    path = ""
    if issubclass(type(file), int):
        path = f"/proc/self/fd/{int.__index__(file)}"
    elif issubclass(type(file), bytes):
        path = bytes.decode(file, errors="replace")
    elif issubclass(type(file), str):
        path = str.__str__(file)
    if path in ("", "mem") or "\0" in path or (is_library(path) and "/../" not in path):
        return path  # most are modules
    return _real_path(path)


def _is_memory(path: str) -> bool:
    """Tell whether a file is the memory of a process, and all that watches in it, or a line to whoever asks."""
    return path == "mem" or re.fullmatch(r"/proc/.*/(mem|fd/socket:.*)", path) is not None


def _is_source(path: str) -> bool:
    """Tell whether a file is the source of a library, which is read to be imported."""
    return path.endswith(_SOURCES) and is_library(path)


def _plain(name: Any) -> str:
    """Return a name as it is looked for; nothing where that is no text."""
    return str.__str__(name) if issubclass(type(name), str) else ""


def _is_of_python(value: Any) -> bool:
    """Tell whether something is a module of Python's own."""
    if type(value) is not types.ModuleType:
        return False
    name = value_of(vars(value), "__name__")
    return type(name) is str and name.partition(".")[0] in STDLIB


def _is_harmless(event: str, frame: types.FrameType) -> bool:
    """Tell whether Python does for itself what could be done for the file.

    `platform` asks a program of the system for the name of the processor; lines of a library are shown in a warning or
    behind an error; a library that names `ctypes` itself knows what it loads; a new thread is given its trace.
    """
    if event in ("sys.settrace", "sys.setprofile"):
        return module_of(frame.f_code.co_filename) == "threading" and frame.f_code.co_name == "_bootstrap_inner"
    if event.startswith("ctypes."):
        package = module_of(frame.f_code.co_filename).partition(".")[0]
        return package == "threadpoolctl" or (package not in STDLIB and "ctypes" in frame.f_code.co_names)
    passing = {"subprocess.Popen": {"subprocess"}, "open": {"tokenize", "linecache"}}.get(event, set())
    asked: types.FrameType | None = frame
    while asked is not None and module_of(asked.f_code.co_filename) in passing:
        asked = back_of(asked)
    module = "" if asked is None else module_of(asked.f_code.co_filename)
    return module in {"subprocess.Popen": {"platform"}, "open": {"traceback", "warnings"}}.get(event, set())
