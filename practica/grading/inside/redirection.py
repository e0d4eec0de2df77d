"""Redirection: calls of a function of the student's file go elsewhere, regardless of the name they
use.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def redirected(
    function: types.FunctionType, make: Callable[[types.FunctionType], Callable[..., Any]]
) -> tuple[types.FunctionType, Callable[[], None]]:
    """Make the calls of a function go to another one.

    `make`: takes a copy of the original function, and returns the function to call instead.
    Returned `redirected`: that copy, and a function that undoes it.

    The function stays the same object, with its name, defaults and place, regardless of the name or
    table it is called through: until then only its code is another one, which takes the same
    arguments.
    """
    code = function.__code__
    original = types.FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    original.__kwdefaults__, original.__qualname__ = function.__kwdefaults__, function.__qualname__
    vars(original).update(vars(function))
    function.__code__ = _calling(make(original), original)

    def restore() -> None:
        function.__code__ = code

    return original, restore


def _calling(target: Callable[..., Any], function: types.FunctionType) -> types.CodeType:
    """Return a code object with the parameters of `function` that calls the `target`, and passes
    arguments without default by position.
    """
    code, defaults = function.__code__, function.__defaults__ or ()
    count, only = code.co_argcount, code.co_posonlyargcount
    names = [f"given{number}" for number in range(count + code.co_kwonlyargcount)]
    rest = "rest" if code.co_flags & inspect.CO_VARARGS else ""
    others = "others" if code.co_flags & inspect.CO_VARKEYWORDS else ""
    optional = dict(zip(code.co_varnames[count - len(defaults) : count], defaults, strict=True))
    optional |= function.__kwdefaults__ or {}

    def call(values: Sequence[Any], more: Sequence[Any], named: Mapping[str, Any]) -> Any:
        first = count if more else max(only, count - len(defaults))
        by_name = list(zip(code.co_varnames, values, strict=False))[first:]
        given = {
            name: value
            for name, value in by_name
            if name not in optional or value is not optional[name]
        }
        return target(*values[:first], *more, **given, **named)

    stars = [f"*{rest}"] if rest else ["*"] * (code.co_kwonlyargcount > 0)
    parameters = [*names[:only], *["/"] * (only > 0), *names[only:count], *stars, *names[count:]]
    cells = ", ".join(f"cell{number}" for number in range(len(code.co_freevars)))
    text = _CALLING.format(
        cells=cells,
        mention=cells or "None",
        parameters=", ".join([*parameters, *[f"**{others}"] * bool(others)]),
        call=f"[{', '.join(names)}], {rest or '()'}, {others or '{}'}",
    )
    found = _code_of(text, len(code.co_freevars))
    own = len(names) + bool(rest) + bool(others)
    return found.replace(
        co_consts=tuple(call if constant == "target" else constant for constant in found.co_consts),
        co_varnames=(*code.co_varnames[:own], *found.co_varnames[own:]),
        co_name=code.co_name,
        co_qualname=code.co_qualname,
    )


@functools.cache
def _code_of(text: str, cells: int) -> types.CodeType:
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    return namespace["make"](*[None] * cells).__code__


_CALLING = """
def make({cells}):
    def calling({parameters}):
        if 0:
            {mention}
        target = "target"
        return target({call})
    return calling
"""
