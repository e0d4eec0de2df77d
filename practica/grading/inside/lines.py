"""Line counter: how often the lines of the student's file run during one call, for the limits of
loops.
"""

from __future__ import annotations

import inspect
import sys
import threading
import types
from collections.abc import Callable, Iterable
from typing import Any

from practica.grading.inside.preload import is_librarys


class _Apart:
    """A wrapper for a function whose loops are judged elsewhere and that has no code of its own,
    such as a partial: no lines are counted while it runs.
    """

    def __init__(self, lines: Lines, real: Any) -> None:
        self._lines, self._real = lines, real

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._lines.depth_apart += 1
        try:
            return self._real(*args, **kwargs)
        finally:
            self._lines.depth_apart -= 1

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


class Lines:
    """A context that counts the lines that run in a function and its helpers, but not in functions
    whose loops are judged elsewhere.

    A function is known by its code or by its name, so that it may be an alias or come out of
    another function.

    `name`: the function that is called inside the context.
    `names`: the student's module.
    `path`: the student's file.
    `apart`: the functions with loops judged elsewhere. If the called function is one of them, its
        first entry counts.
    `steps` (dict of int by (int, int)): how often a line ran right after another line of the same
        frame; line 0 comes before the first.
    `entries`: how often the function was entered.
    `depth_apart`: how many functions of `apart` are running.
    """

    def __init__(
        self, name: str, names: dict[str, Any], path: str | None, apart: Iterable[str]
    ) -> None:
        self.steps: dict[tuple[int, int], int] = {}
        self.entries = self.depth_apart = 0
        self._name, self._names, self._path = name, names, path
        self._apart = {*apart}
        self._own = _code_of(name, names)
        codes = {each: _code_of(each, names) for each in self._apart}
        self._codes = {*codes.values()} - {None}
        self._replaced = {
            each: value
            for each, value in names.items()
            if any(code is None and value is names.get(other) for other, code in codes.items())
            and callable(value)
        }

    def __enter__(self) -> None:
        self._names.update({name: _Apart(self, value) for name, value in self._replaced.items()})
        threading.settrace(self._enter)
        sys.settrace(self._enter)

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        threading.settrace(None)
        self._names.update(self._replaced)
        if threading.active_count() > 1:
            sys.audit("thread.left")

    def _enter(self, frame: types.FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if code.co_filename != self._path:
            return None if is_librarys(code.co_filename) else _follow_elsewhere()
        is_function = code is self._own or code.co_qualname == self._name
        self.entries += is_function
        is_apart = code.co_qualname in self._apart or code in self._codes
        leaves = is_apart and not (is_function and self.entries == 1)
        self.depth_apart += leaves
        if self.depth_apart and not leaves:
            return None
        line, steps = 0, self.steps

        def follow(frame: types.FrameType, event: str, _: Any) -> Any:
            nonlocal line
            if event == "line" and not leaves:
                step = line, frame.f_lineno
                steps[step] = steps.get(step, 0) + 1
                line = frame.f_lineno
            elif event == "return" and leaves:
                self.depth_apart -= 1
            return follow

        frame.f_trace_lines = not leaves
        return follow


def _follow_elsewhere() -> Callable[[types.FrameType, str, Any], Any]:
    """Return a trace function for code that is neither the file's nor a library's: it reports a
    loop as an audit event.
    """
    last = 0

    def follow(frame: types.FrameType, event: str, _: Any) -> Any:
        nonlocal last
        if event == "line":
            if frame.f_lineno <= last:
                sys.audit("loops.elsewhere")
            last = frame.f_lineno
        return follow

    return follow


def _code_of(name: str, names: dict[str, Any]) -> types.CodeType | None:
    """Return the code object of a named function; None if it has none, or if other functions share
    it, as that of a wrapper, or of what a factory made several times.
    """
    function = names.get(name)
    function = inspect.unwrap(function) if callable(function) else None
    code = getattr(function, "__code__", None)
    if code is None or "<locals>" not in code.co_qualname:
        return code
    cells = getattr(function, "__closure__", None) or ()
    inside = [cell.cell_contents for cell in cells if cell != types.CellType()]
    wraps = any(type(each) is types.FunctionType and each.__qualname__ == name for each in inside)
    others = [inspect.unwrap(each) for each in names.values() if type(each) is types.FunctionType]
    shared = any(
        getattr(each, "__code__", None) is code and each is not function for each in others
    )
    return None if wraps or shared else code
