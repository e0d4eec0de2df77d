"""Functions and classes that fail, before a file is loaded that may be in need of them.

What is written in Python fails by whatever way it is reached: its code is another one. What is written in C is replaced
where it has its name, and keeps working where a library has kept it for itself. Modules that are imported later are
treated alike, as soon as they are there.
"""

from __future__ import annotations

import contextlib
import importlib.machinery
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from practica.checks.provenance import expression_of, module_of, parts_of
from practica.sandbox.imports import import_library

__all__ = ["disable"]

_LOADERS = (
    importlib.machinery.SourceFileLoader.__mro__[-2],  # what runs all files in Python, which has no public name
    importlib.machinery.ExtensionFileLoader,
)
_variables_of: Callable[[types.ModuleType], dict[str, Any]] = vars(types.ModuleType)["__dict__"].__get__


def disable(patterns: Sequence[str]) -> None:
    """Let what patterns of full names describe fail in this process, for good.

    Parameters
    ----------
    patterns : sequence of str
        As the rubric has them: the name of a function or class, where `*` stands for any text. They hold for what is
        defined in a module, and for what it has from elsewhere where the last part of the name is written out.
    """
    matches = expression_of(tuple(patterns)).fullmatch
    folder_of = {pattern: pattern.partition("*")[0].rpartition(".")[0] for pattern in patterns}
    folders = set(folder_of.values())
    open_ended = {folder for pattern, folder in folder_of.items() if "*" in pattern}
    originals: set[int] = set()  # their hashes: the code itself is to be found nowhere here
    below = tuple(f"{folder}." for folder in open_ended if "." in folder)  # of a whole package only what is its own

    def look(name: str, module: types.ModuleType) -> None:
        if name in folders or name.startswith(below):
            literal = {pattern.rpartition(".")[2] for pattern in patterns if pattern.startswith(f"{name}.")}
            for attribute, value in list(_variables_of(module).items()):
                is_own = (getattr(value, "__module__", None) or module.__name__) == module.__name__
                if callable(value) and (is_own or attribute in literal):
                    is_named = matches(f"{name}.{attribute}") is not None
                    functions = [each for each in _functions(value) if is_named or matches(_full_name(each))]
                    for function in functions:
                        if _package(module_of(function.__code__.co_filename)) == _package(name):  # or it is of an enum
                            originals.add(hash(function.__code__))
                            _disable_function(function)
                    if not functions and is_named and not (is_own and isinstance(value, type)):
                        _variables_of(module)[attribute] = _fail  # but no type in C where others in C look for it

    for folder in sorted(folders):
        if _package(folder) in sys.modules:  # what a library runs while it is imported is not its user's doing
            with contextlib.suppress(Exception):
                import_library(folder)
    for name, module in list(sys.modules.items()):
        if isinstance(module, types.ModuleType):
            look(name, module)

    def look_again(name: str, module: types.ModuleType) -> None:
        """Look at a file of a library that is there twice, by another name: code is the same wherever it is."""
        look(name, module)
        if name != module.__name__:
            for value in list(_variables_of(module).values()):
                for function in _functions(value):
                    if hash(function.__code__) in originals:
                        _disable_function(function)

    for loader in _LOADERS:
        _watch(loader, look_again)


def _watch(loader: Any, look: Callable[[str, types.ModuleType], None]) -> None:
    """Look at each module that a loader has just run, under the name that its file has."""
    execute = loader.exec_module

    def exec_module(self: Any, module: types.ModuleType) -> None:
        execute(self, module)
        look(module_of(getattr(self, "path", "")), module)

    loader.exec_module = exec_module


def _disable_function(function: types.FunctionType) -> None:
    names = function.__code__.co_freevars
    function.__code__ = _fail.__code__.replace(co_freevars=names)  # with others it would not be taken


def _functions(value: Any) -> Iterator[types.FunctionType]:
    return (part for part in parts_of(value) if type(part) is types.FunctionType)


def _package(name: str) -> str:
    return name.partition(".")[0]


def _full_name(function: types.FunctionType) -> str:
    return f"{module_of(function.__code__.co_filename)}.{function.__qualname__}"


def _fail(*args: Any, **kwargs: Any) -> Any:
    raise RuntimeError("this function is forbidden")
