"""Forbidden names of Python's own modules, which raise only for the student's file.

The agent and the libraries live on `len` or `random.Random`, so that these stay as they are. What
the file itself reads under a forbidden name, in any module, is a `Refusing`, which raises wherever
it is called later: as a key, in a partial, by a library.

The file has builtins of its own, a dict that all code inherits which the file defines, compiles or
runs as text. Frames with these builtins are those of the file.
"""

from __future__ import annotations

import builtins
import contextlib
import fnmatch
import importlib
import opcode
import os
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

LIBRARY_FOLDERS = tuple(os.path.join(path, "") for path in sys.path if os.path.isabs(path))
# Instructions that read an attribute for the code in which they stand. While a call is made, a
# library in C may read one for itself.
_READS = {
    number
    for name, number in opcode.opmap.items()
    if name.startswith(("LOAD_", "IMPORT_", "CALL_INTRINSIC"))
}
variables_of: Callable[[types.ModuleType], dict[str, Any]] = vars(types.ModuleType)[
    "__dict__"
].__get__


def is_pythons(name: str) -> bool:
    """Return whether a full name, or a pattern of names, begins with one of Python's own modules.

    >>> is_pythons("random.*"), is_pythons("numpy.random.*")
    (True, False)
    """
    return name.partition(".")[0] in sys.stdlib_module_names


def matcher(patterns: Sequence[str]) -> Callable[[str], object]:
    """Return a predicate: whether one of the patterns describes a full name."""
    return re.compile("|".join(map(fnmatch.translate, patterns)) or r"(?!)").fullmatch


def can_be_guarded(value: object) -> bool:
    """Return whether a value is a function or a class, and no exception."""
    return callable(value) and not (isinstance(value, type) and issubclass(value, BaseException))


class Refusing:
    """Stand-in for a forbidden function or class: calling it or deriving from it raises.

    A class may still be named in annotations, `isinstance`, `==` and the types of arrays. Its
    methods refuse too.

    `refuse`: called in place of the original; it raises.
    """

    def __init__(self, refuse: Callable[..., object], original: Any) -> None:
        self.__refuse, self.__original = refuse, original

    def __call__(self, /, *args: object, **kwargs: object) -> Any:
        """Raise the error of a forbidden call."""
        return self.__refuse()

    def __mro_entries__(self, bases: object) -> Any:
        return self.__refuse()

    def __reduce__(self) -> str:
        return type(self).__name__  # a copy is the same object

    def __getattr__(self, name: str) -> object:
        value = getattr(self.__original, name)
        return value if isinstance(value, str) else Refusing(self.__refuse, value)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of array elements that numpy makes of a class."""
        return np.dtype(self.__original)

    def __instancecheck__(self, instance: object) -> bool:
        return isinstance(instance, self.__original)

    def __subclasscheck__(self, kind: type) -> bool:
        return issubclass(kind, self.__original)

    def __eq__(self, other: object) -> bool:
        return self is other or self.__original is other

    def __hash__(self) -> int:
        return hash(self.__original)

    def __getitem__(self, item: Any) -> Any:
        return self.__original[item]

    def __or__(self, other: Any) -> Any:
        return self.__original | other

    def __ror__(self, other: Any) -> Any:
        return other | self.__original


class Guard:
    """The forbidden names of Python's own modules in one process; what it does stays.

    `patterns`: those of the rubric that are Python's.
    `refusing`: makes what is called in place of a function, by its full name.
    """

    def __init__(
        self, patterns: Sequence[str], refusing: Callable[[str], Callable[..., object]]
    ) -> None:
        self._patterns, self._refusing = patterns, refusing
        self._matches = matcher(patterns)
        self._packages = {pattern.partition(".")[0] for pattern in patterns}
        self._builtins: dict[str, Any] = {}
        self._texts: set[str] = set()
        self._refused: dict[int, Refusing] = {}  # by the identity of the original
        for pattern in patterns:
            with contextlib.suppress(ImportError):
                importlib.import_module(pattern.partition("*")[0].rpartition(".")[0])
        loaded = list(sys.modules.items()) if patterns else []
        modules = {name: each for name, each in loaded if isinstance(each, types.ModuleType)}
        for name, module in modules.items():
            self._collect(name, module)
        for module in modules.values():
            self._put(module)

    def give(self, module: types.ModuleType, codes: Sequence[types.CodeType]) -> None:
        """Make a module, of which nothing has run, one of the student's file.

        `codes`: what will run in it.
        """
        if not self._patterns:
            return
        self._builtins.update(self._seen_in(variables_of(builtins)))
        variables_of(module)["__builtins__"] = self._builtins
        self._texts.update(_texts_in(codes))

    def run(
        self,
        execute: Callable[[Any, types.ModuleType], None],
        loader: Any,
        module: types.ModuleType,
    ) -> None:
        """Run a module that is imported; one beside the student's file is part of the file."""
        if not os.path.normpath(getattr(loader, "path", "")).startswith(LIBRARY_FOLDERS):
            self.give(module, ())
        execute(loader, module)
        self._collect(module.__name__, module)
        self._put(module)

    def _collect(self, name: str, module: types.ModuleType) -> None:
        """Note which functions and classes of a module are forbidden.

        `*` stands for the module's public names.
        """
        if name.partition(".")[0] not in self._packages:
            return
        for attribute, value in list(variables_of(module).items()):
            full = f"{name}.{attribute}"
            if can_be_guarded(value) and (
                full in self._patterns
                or (_is_public(attribute, value, module) and self._matches(full))
            ):
                self._refused.setdefault(id(value), Refusing(self._refusing(full), value))

    def _put(self, module: types.ModuleType) -> None:
        """Replace, in a module, the names of forbidden functions and classes."""
        variables = variables_of(module)
        names = [key for key, value in variables.items() if id(value) in self._refused]
        if not names or variables.get("__builtins__") is self._builtins:  # one of the file's
            return
        attributes = {"__slots__": (), "__dict__": property(self._variables_for_reader)}
        attributes |= {name: self._guarded(name) for name in names}
        kind = type(module)
        with contextlib.suppress(TypeError):  # a module's class may have another layout
            object.__setattr__(module, "__class__", type(kind.__name__, (kind,), attributes))

    def _guarded(self, name: str) -> property:
        def get(module: types.ModuleType) -> object:
            variables = variables_of(module)
            if name not in variables:
                raise AttributeError(name)  # and the module's own `__getattr__` comes next
            value = variables[name]
            return self._refused.get(id(value), value) if self._file_reads(name) else value

        def put(module: types.ModuleType, value: object) -> None:
            variables_of(module)[name] = value

        return property(get, put)

    def _variables_for_reader(self, module: types.ModuleType) -> dict[str, Any]:
        variables = variables_of(module)
        return self._seen_in(variables) if self._file_reads("__dict__") else variables

    def _seen_in(self, variables: dict[str, Any]) -> dict[str, Any]:
        return {key: self._refused.get(id(value), value) for key, value in variables.items()}

    def _file_reads(self, name: str) -> bool:
        """Return whether the student's file reads the attribute that is being read.

        A library that the file calls is not the file, unless a text of the file is the name:
        `getattr(math, "sqrt")`.
        """
        frame = sys._getframe(1).f_back  # None where a thread in C reads it
        if frame is None or frame.f_builtins is not self._builtins:
            return False
        code = frame.f_code
        return (
            code.co_code[frame.f_lasti] in _READS
            or name in self._texts
            or name in {"__dict__", *_texts_in(code.co_consts)}
        )


def _is_public(attribute: str, value: object, module: types.ModuleType) -> bool:
    """Return whether a module offers a function or class under an attribute as its own."""
    variables = variables_of(module)
    if attribute.startswith("_") or (
        module is not builtins and variables_of(builtins).get(attribute) is value
    ):
        return False
    home = getattr(value, "__module__", None) or module.__name__
    return attribute in variables.get("__all__", ()) or home == module.__name__


def _texts_in(constants: Iterable[object]) -> Iterator[str]:
    """Yield the texts among constants and in nested code objects; of dotted ones also the parts."""
    for each in constants:
        match each:
            case str():
                yield from each.split(".")
            case tuple() | frozenset():
                yield from _texts_in(each)
            case types.CodeType():
                yield from _texts_in(each.co_consts)
