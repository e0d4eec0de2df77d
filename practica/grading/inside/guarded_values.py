"""Forbidden names of Python's own modules, which raise only for the student's file.

The agent and the libraries live on `len` or `random.Random`, so that these stay as they are. The
value counts, not the name: in the code that the file brings or runs as text, no expression has a
forbidden function or class as its value. `checked` rewrites the code, and `Guard.value` gives a
`Refusing` in place of such a value. It raises wherever it is called later: as a key, in a partial,
by a library. A module that has such names is replaced in the same way, so that what C code fetches
from it refuses too.

The file has builtins of its own, a dict that all code inherits which the file defines.
"""

from __future__ import annotations

import abc
import ast
import builtins
import fnmatch
import functools
import os
import re
import sys
import types
import typing
from collections.abc import Callable, Sequence, Set
from typing import Any

import numpy as np

from practica.grading.inside.checked_tree import CHECK, checked, safe_names
from practica.grading.inside.preload import is_librarys

_ATOMS = {str, int, float, bool, type(None)}
_BOUND = {types.BuiltinFunctionType, types.MethodType, types.MethodWrapperType}
_AROUND = {functools.partial, types.GenericAlias, type(typing.List), type(typing.List[int])}  # noqa: UP006
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

    `is_on`: whether there are any.
    `look_at`: finds those of a module, by its name, and passes each to `forbid`.
    `value`: takes the value of an expression of the file, and returns what the file gets instead: a
        stand-in if the value is forbidden, else the value itself.
    """

    def __init__(self, is_on: bool, look_at: Callable[[str, types.ModuleType], None]) -> None:
        self.is_on, self._look_at = is_on, look_at
        self._builtins: dict[str, Any] = {}  # those of the file
        self._instead: dict[Any, Any] = {}  # stand-ins; two equal methods are one
        self._kinds = {*_BOUND, *_AROUND, types.FunctionType, types.ModuleType, type, abc.ABCMeta}
        self.value = _fast(self._kinds, self._standing_for)

    def forbid(self, value: Any, refuse: Callable[..., object]) -> None:
        """Register a stand-in for a function or class, which calls `refuse` when code of the file
        calls it.
        """
        self._instead.setdefault(value, Refusing(refuse, value))
        self._kinds.add(type(value))

    def begin(self) -> None:
        """Check values from now on; the modules that are loaded have been looked at before."""
        if self.is_on:
            vars(builtins)[CHECK] = self.value
            for run in (exec, eval):
                self._instead[run] = functools.partial(self._run, run)
            self._instead |= {compile: self._compile, __import__: self._import}
            own = vars(builtins).items()
            self._builtins.update({name: self.value(each) for name, each in own})

    def give(self, module: types.ModuleType) -> None:
        """Treat a module, in which nothing has run yet, as part of the student's file: give it the
        builtins of the file.
        """
        if self.is_on:
            variables_of(module)["__builtins__"] = self._builtins

    def prepared(self, tree: ast.Module) -> ast.Module:
        """Return the syntax tree that runs in place of that of a whole file: with checks, if names
        are forbidden.
        """
        return checked(tree, safe_names(tree, self._builtins)) if self.is_on else tree

    def run(
        self,
        execute: Callable[[Any, types.ModuleType], None],
        loader: Any,
        module: types.ModuleType,
    ) -> None:
        """Run a module that is being imported. One that is not a library's is treated as part of
        the file.

        `execute`: the loader's own way to run it.
        """
        path = getattr(loader, "path", "")
        if is_librarys(os.path.normpath(path)):
            execute(loader, module)
        else:
            sys.audit("module.made")
            self.give(module)
            if self.is_on and hasattr(loader, "source_to_code"):
                tree = self.prepared(ast.parse(loader.get_data(path), path))
                exec(compile(tree, path, "exec", dont_inherit=True), variables_of(module))
            else:
                execute(loader, module)

    def _standing_for(self, value: Any) -> Any:
        """Return the stand-in of a forbidden function or class, of a module that has some, or of
        what is bound to or made around one; the value itself if there is none.
        """
        kind = type(value)
        if kind in _AROUND:
            inner = getattr(value, "__origin__", None) or value.func
            stand_in = self.value(inner)
            return value if stand_in is inner else stand_in
        known = self._instead.get(value)
        if known is None and kind in _BOUND:
            owner = value.__self__
            known = self._instead.get(owner) if type(owner) in self._kinds else None
            known = known if type(known) is Refusing else None
        if known is None and kind is types.ModuleType:
            known = self._seen(value)
        return value if known is None else known

    def _seen(self, real: types.ModuleType) -> types.ModuleType:
        """Return the stand-in of a module that has forbidden names, the module itself if it has
        none. What the module keeps there and may change is looked up in the real one.
        """
        name = str(variables_of(real).get("__name__"))
        if not is_pythons(name):
            return real
        self._look_at(name, real)  # it may be another copy
        seen = types.ModuleType(name)
        own = variables_of(seen)
        own.clear()
        known = {n: v for n, v in variables_of(real).items() if callable(v) or type(v) in _ATOMS}
        own.update({name: self.value(value) for name, value in known.items()})
        if all(value is known[name] for name, value in own.items()):
            seen = real
        own["__getattr__"] = lambda name: self.value(getattr(real, name))
        self._instead |= {real: seen, seen: seen}
        return seen

    # --- in place of builtins ---------------------------------------------------------------------

    def _import(self, *args: Any, **kwargs: Any) -> Any:
        return self.value(__import__(*args, **kwargs))

    def _compile(
        self, source: Any, filename: Any, mode: str, flags: int = 0, *_: Any, **__: Any
    ) -> Any:
        tree = compile(source, filename, mode, flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        if flags & ast.PyCF_ONLY_AST:
            return tree
        return compile(checked(tree), filename, mode, flags, dont_inherit=True)

    def _run(
        self, run: Any, source: Any, globals: Any = None, locals: Any = None, **more: Any
    ) -> Any:
        """Run source text, with checks, in place of `exec` or `eval`, by default with the names of
        the caller.

        `run`: which of the two was called.
        """
        if globals is None:
            frame = sys._getframe(1)
            globals = frame.f_globals
            locals = frame.f_locals if locals is None else locals
        if not isinstance(source, types.CodeType):
            text = source.lstrip() if run is eval else source
            source = self._compile(text, "<string>", run.__name__)
        own = globals.setdefault("__builtins__", self._builtins)
        if own is builtins or own is vars(builtins):
            globals["__builtins__"] = self._builtins
        elif isinstance(own, dict):
            own.setdefault(CHECK, self.value)
        return run(source, globals, locals, **more)


def _fast(kinds: Set[type], standing_for: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that does what `standing_for` does, but returns a value at once if its type
    is not one of `kinds`, as nearly all are.
    """

    def value(value: Any) -> Any:
        return standing_for(value) if type(value) in kinds else value

    return value


def is_public(attribute: str, value: object, module: types.ModuleType) -> bool:
    """Return whether a function or class belongs to the public interface of a module: its name has
    no underscore in front, and the module defines it or lists it in `__all__`.
    """
    variables = variables_of(module)
    if attribute.startswith("_") or (
        module is not builtins and variables_of(builtins).get(attribute) is value
    ):
        return False
    home = getattr(value, "__module__", None) or module.__name__
    return attribute in variables.get("__all__", ()) or home == module.__name__
