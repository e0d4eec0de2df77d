"""Where code is from: of which module of a library, or of the file, whatever either says of itself.

Whoever watches a file in its own process (`observer`, `audit`) asks here, and so does what lets functions fail there
(`practica.sandbox.disabled`). Nothing of the file's may run meanwhile, so no object of its own is asked for anything.
"""

from __future__ import annotations

import builtins
import fnmatch
import functools
import os
import re
import sys
import types
from collections.abc import Callable
from typing import Any

globals()["__builtins__"] = vars(builtins).copy()  # as they are before the student's file is imported
__all__ = [
    "STDLIB",
    "back_of",
    "codes_of",
    "expression_of",
    "file_name",
    "get_frame",
    "is_library",
    "is_of_library",
    "module_of",
    "parts_of",
    "value_of",
]

get_frame = sys._getframe  # as it is before the student's file is imported
back_of: Callable[[types.FrameType], types.FrameType | None] = vars(types.FrameType)["f_back"].__get__
STDLIB = sys.stdlib_module_names
_LIBRARIES = tuple(os.path.join(path, "") for path in sys.path if os.path.isabs(path))
_MOST = 50  # decorators around a function


@functools.cache
def module_of(file: str) -> str:
    """Return the full name of the module of a library by its file, however that was found and whatever it is called."""
    file = os.path.normpath(file)
    folder = max((path for path in _LIBRARIES if file.startswith(path)), key=len, default="")
    inside = file.removeprefix(folder) if folder else file.removeprefix("<frozen ").removesuffix(">")
    return inside.partition(".")[0].replace(os.sep, ".").removesuffix(".__init__")


def is_library(file: str) -> bool:
    """Tell whether a file lies where libraries do."""
    return file.startswith(_LIBRARIES)


@functools.cache
def is_of_library(file: str) -> bool:
    """Tell whether code is of a library, by its file; what is of no file was made by one, or by Python."""
    return file[:1] == "<" or is_library(file)


def file_name(path: str) -> str:
    """Return the name of a file, with nothing that the student's file could put something else in the place of."""
    return path.replace("\\", "/").rpartition("/")[2]


def codes_of(function: Any) -> list[types.CodeType]:
    """Return the code of a function behind its decorators, and of what it was given by `singledispatch`."""
    registry = _attributes(function).get("registry")
    others = registry.values() if type(registry) is types.MappingProxyType else ()
    inner = [_inner(each) for each in (function, *others)]
    codes = [each.__code__ for each in inner if type(each) is types.FunctionType]
    # What is defined inside another function may be the same decorator around several.
    return [code for code in codes if "<locals>" not in code.co_qualname]


def parts_of(value: Any) -> list[Any]:
    """Return what is behind the decorators of an object and, if it is a class, of its methods."""
    members = [value, *vars(value).values()] if isinstance(value, type) else [value]
    return [_inner(getattr(member, "__func__", getattr(member, "fget", member))) for member in members]


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


def value_of(variables: dict[str, Any], name: str) -> Any:
    """Return what has a name, without asking another key whether it is the same."""
    return next((value for key, value in variables.items() if type(key) is str and key == name), None)


@functools.cache
def expression_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Compile patterns of names into one expression; without any it matches nothing."""
    return re.compile("|".join(map(fnmatch.translate, patterns)) or r"(?!)")
