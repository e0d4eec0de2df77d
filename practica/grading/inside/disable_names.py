"""Forbidden functions: in the process in which a file is marked they raise, regardless of the name
by which they are reached.

Those of Python's own modules raise for the student's file only: see `guarded_values`. Those of
other packages raise for everything in the process. A function written in Python gets other code, so
that aliases, re-exports and pickles of it raise too. A function written in C is replaced under its
name; a library that keeps it under another name can still use it. Modules that are imported later
are treated in the same way as soon as they have run.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.machinery
import importlib.util
import os
import pkgutil
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from practica.grading.inside.guarded_values import (
    Guard,
    can_be_guarded,
    is_public,
    is_pythons,
    matcher,
    variables_of,
)
from practica.grading.inside.preload import LIBRARY_FOLDERS, import_library

_LOADERS = {  # the classes that run files; that of files written in Python has no public name
    next(kind for kind in loader.__mro__ if "exec_module" in vars(kind))
    for loader in (
        importlib.machinery.SourceFileLoader,
        importlib.machinery.SourcelessFileLoader,
        importlib.machinery.ExtensionFileLoader,
    )
}
HOOKS = {"__getattr__", "__dir__"}  # a module's: whoever looks at it calls them
_GRADER = {f"{__package__}.{each}" for each in ("networks", "plain_data", "seeding", "wire")}
GRADER = 0  # in place of a line, where the grader itself called a function
_OPERATORS = "torch.ops.aten."


class Forbidden(RuntimeError):
    """A function was called that may not be used."""


class Disabled:
    """The functions that raise `Forbidden` in this process.

    `patterns`: as in the rubric: full names of functions or classes, where `*` stands for any text.
        A pattern holds for what a module defines or offers in `__all__`, in the package and below
        it, and for what a module has from elsewhere if the last part of the pattern is written out.
    `refused` (dict of (int or None) by str): the names that were called all the same, each with the
        line of the student's file that led there first, or `GRADER`. It fills the place of a
        sentence; no verdict depends on it alone.
    `sources`: the files of the modules in which something is disabled: reading one, a file could
        make the function anew.
    `names`: what is disabled, by full names.
    `path`: the student's file, once it is known.
    `guard`: what raises for this file only.

    Nothing of this can be undone: the originals are kept nowhere.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self.refused: dict[str, int | None] = {}
        self.path: str | None = None
        self.names: dict[str, None] = {}
        self.sources: list[str] = []
        for folder, _, rest in (each.partition(".") for each in patterns):
            if rest == "*" and (is_pythons(folder) or folder in sys.modules):
                import_below(folder)
        self._patterns = patterns
        self._matches = matcher(patterns)
        folder_of = {pattern: pattern.partition("*")[0].rpartition(".")[0] for pattern in patterns}
        self._folders = set(folder_of.values())
        self._below = tuple(
            f"{folder}." for each, folder in folder_of.items() if "*" in each and folder
        )
        self._files: dict[str, str] = {}  # where one of them is written
        self._libraries: list[object] = []  # torch's operators: each lives as long as this
        self._told: dict[int, str] = {}  # by the identity of each function
        self.guard = Guard(any(map(is_pythons, patterns)), self._disable_in)
        for folder in sorted(self._folders):
            # or what it calls while it is imported would raise
            if is_pythons(folder) or _package(folder) in sys.modules:
                with contextlib.suppress(Exception):
                    import_library(folder)
        for name, module in list(sys.modules.items()):
            if isinstance(module, types.ModuleType):
                self._disable_in(name, module)
        for pattern in patterns:
            if not is_pythons(pattern):
                self._replace_attribute(pattern)
        self.sources = sorted(filter(os.path.isfile, self._files))
        self.guard.begin()
        for loader in _LOADERS:
            self._follow(loader)

    # --- which functions --------------------------------------------------------------------------

    def _disable_in(self, name: str, module: types.ModuleType) -> None:
        """Disable the names of a module that match the patterns of forbidden functions."""
        if name not in self._folders and not name.startswith(self._below):
            return
        literal = {
            pattern.rpartition(".")[2]
            for pattern in self._patterns
            if pattern.startswith(f"{name}.")
        }
        offered = variables_of(module).get("__all__", ())
        for attribute, value in list(variables_of(module).items()):
            full = f"{name}.{attribute}"
            if is_pythons(name):
                is_meant = full in self._patterns or is_public(attribute, value, module)
                if is_meant and can_be_guarded(value) and self._matches(full):
                    self.guard.forbid(value, self._refusing(full))
                continue
            home = _attribute(value, "__module__") or module.__name__
            is_own = home == module.__name__
            is_offered = attribute in offered and _package(home) == _package(name)
            is_offered |= _is_written_in(name, value)
            is_from_c = (
                _is_c_type(value)
                and not is_own
                and self._matches(f"{home}.{attribute}") is not None
            )
            if (
                attribute in HOOKS
                or not callable(value)
                or not (is_own or is_offered or attribute in literal or is_from_c)
            ):
                continue
            told = f"{home}.{attribute}" if _is_written_in(name, value) else full
            is_named = is_from_c or self._matches(full) is not None
            functions = [
                each for each in _functions(value) if is_named or self._matches(_full_name(each))
            ]
            for function in functions:
                # not inherited from Python
                if _package(_module_of(function.__code__.co_filename)) == _package(name):
                    self._disable_function(function, told)
            # other code in C looks for it by its name
            is_type_in_c = _is_class(value) and (is_own or _is_in_c(module))
            if not functions and is_named and not is_type_in_c:
                vars(module)[attribute] = self._refusing(full)

    def _replace_attribute(self, pattern: str) -> None:
        """Disable a name that is not an attribute of a module, or an operator of torch under all
        its names.
        """
        with contextlib.suppress(Exception):
            if pattern.startswith(_OPERATORS) and "torch" in sys.modules:
                self._disable_operator(pattern.removeprefix(_OPERATORS), pattern)
                return
            root, *path, last = pattern.split(".")
            owner: object = functools.reduce(getattr, path, sys.modules.get(root))
            if (
                "*" not in pattern
                and getattr(owner, "__name__", "") not in sys.modules
                and hasattr(owner, last)
            ):
                setattr(owner, last, self._refusing(pattern))

    def _disable_operator(self, operator: str, name: str) -> None:
        from torch.library import Library

        library = Library("aten", "IMPL")  # type: ignore[no-untyped-call]
        for key in ("CPU", "AutogradCPU"):
            library.impl(operator, self._refusing(name), key)  # type: ignore[no-untyped-call]
        self._libraries.append(library)

    def _follow(self, loader: Any) -> None:
        """Let a loader disable names in each module that it has run; a second copy of a file with
        forbidden functions, under another name, does not run.
        """
        execute = loader.exec_module

        def exec_module(own: object, module: types.ModuleType) -> None:
            path = getattr(own, "path", "")
            name, forbidden = _module_of(path), self._files.get(os.path.realpath(path))
            if forbidden and name != module.__name__:
                self._refusing(forbidden)()
            self.guard.run(execute, own, module)
            self._disable_in(name, module)

        loader.exec_module = exec_module

    # --- how they raise ---------------------------------------------------------------------------

    def _disable_function(self, function: types.FunctionType, name: str) -> None:
        original, template = function.__code__, _template.__code__
        self._told[id(function)] = name
        file = os.path.realpath(original.co_filename)
        self._files |= {file: name, _compiled(file): name}
        consts = tuple(
            self._refusing(name) if each == "refuse" else each for each in template.co_consts
        )
        function.__code__ = template.replace(co_consts=consts, co_freevars=original.co_freevars)

    def _refusing(self, name: str) -> Callable[..., object]:
        self.names[name] = None

        def refuse(*args: object, **kwargs: object) -> object:
            frame: types.FrameType | None = sys._getframe(1)
            if _is_looking(frame):
                raise Forbidden
            if _is_of_grader(frame):
                self.refused.setdefault(name, GRADER)
            called = frame
            while frame is not None and frame.f_code.co_filename != self.path:
                called, frame = frame, frame.f_back
            told = name if frame is None else self._name_behind(called) or name
            self.refused.setdefault(told, None if frame is None else frame.f_lineno)
            raise Forbidden(f"{public_name(told)} is forbidden here")

        return refuse

    def _name_behind(self, frame: types.FrameType | None) -> str | None:
        """Return the name of the disabled function that a decorator's function, which runs in this
        frame, has been put around; None if there is none.
        """
        if frame is None or frame.f_code.co_filename == __file__:  # `_template` fills no variables
            return None
        inner = [id(frame.f_locals.get(name)) for name in frame.f_code.co_freevars]
        return next((self._told[each] for each in inner if each in self._told), None)


def public_name(name: str) -> str:
    """Return a full name as users write it: without `builtins` and private modules on the way.

    >>> public_name("sklearn.metrics._classification.accuracy_score")
    'sklearn.metrics.accuracy_score'
    >>> public_name("builtins.sorted")
    'sorted'
    """
    *path, last = name.removeprefix("builtins.").split(".")
    return ".".join([*(part for part in path if not part.startswith("_")), last])


def _is_of_grader(frame: types.FrameType | None) -> bool:
    """Return whether the grader's own code called a disabled function, and not for the file."""
    if frame is not None and frame.f_code.co_filename == __file__:  # `_template` in its place
        frame = frame.f_back
    return frame is not None and frame.f_globals.get("__name__") in _GRADER


def import_below(package: str, levels: int = 2) -> None:
    """Import a package and the public modules below it, so many levels deep, as far as they can
    be.
    """
    with contextlib.suppress(Exception, SystemExit), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import_library(package)
    places = getattr(sys.modules.get(package), "__path__", ()) if levels else ()
    for found in pkgutil.iter_modules(places):
        if not found.name.startswith(("_", "test", "conftest")):
            import_below(f"{package}.{found.name}", levels - 1)


def _is_looking(frame: types.FrameType | None) -> bool:
    """Return whether this module, while it looks for functions, called one that is disabled."""
    while frame is not None and frame.f_code is not _attribute.__code__:
        frame = frame.f_back
    return frame is not None


def _is_class(value: object) -> bool:
    """Return whether an object is a class, without running code of the object."""
    return issubclass(type(value), type)


def _attribute(value: object, name: str) -> Any:
    """Return an attribute of an object; None if it has none, or reading it raises."""
    with contextlib.suppress(Exception):
        return getattr(value, name, None)
    return None


def _template(*args: object, **kwargs: object) -> object:
    refuse: Any = "refuse"
    return refuse()


def _functions(value: object) -> Iterator[types.FunctionType]:
    """Yield the functions behind the decorators of an object and, if it is a class, those of its
    methods.
    """
    for member in [value, *vars(value).values()] if _is_class(value) else [value]:
        inner = _attribute(member, "__func__") or _attribute(member, "fget") or member
        for _ in range(50):
            wrapped = (_attribute(inner, "__dict__") or {}).get("__wrapped__", inner)
            if wrapped is inner:
                break
            inner = wrapped
        if type(inner) is types.FunctionType:
            yield inner


def _is_written_in(module: str, value: object) -> bool:
    """Return whether a function is in a module's file, regardless of the module that it says it is
    from.
    """
    if type(value) is not types.FunctionType:
        return False
    return _module_of(value.__code__.co_filename) == module


@functools.cache
def _module_of(file: str) -> str:
    """Return the full name of the library module that a file holds."""
    file = os.path.normpath(file)
    folder = max((path for path in LIBRARY_FOLDERS if file.startswith(path)), key=len, default="")
    inside = (
        file.removeprefix(folder) if folder else file.removeprefix("<frozen ").removesuffix(">")
    )
    return inside.partition(".")[0].replace(os.sep, ".").removesuffix(".__init__")


def _is_c_type(value: object) -> bool:
    """Return whether an object is a class of an extension module: the methods of such a class have
    no code that could be replaced.
    """
    home = sys.modules.get(value.__module__) if _is_class(value) else None
    return home is not None and _is_in_c(home)


def _is_in_c(module: types.ModuleType) -> bool:
    return not str(getattr(module, "__file__", ".py")).endswith(".py")


def _compiled(file: str) -> str:
    return importlib.util.cache_from_source(file) if file.endswith(".py") else file


def _package(name: str) -> str:
    return name.partition(".")[0]


def _full_name(function: types.FunctionType) -> str:
    return f"{_module_of(function.__code__.co_filename)}.{function.__qualname__}"
