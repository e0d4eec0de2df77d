"""Line counter: how often the lines of the student's file run during one call, for the limits of loops."""

from __future__ import annotations

import inspect
import sys
import threading
import types
from collections.abc import Iterable
from typing import Any

__all__ = ["Lines"]


class Lines:
    """Count the lines that run in a function and its helpers, but not in functions that are judged apart.

    Parameters
    ----------
    name : str
        The function that is called inside the context.
    names : dict
        The student's module.
    path : str or None
        The student's file.
    apart : iterable of str
        The functions with loops judged elsewhere. If the called function is one of them, its first entry counts.

    Attributes
    ----------
    steps : dict of int by (int, int)
        How often a line ran right after another line of the same frame; line 0 comes before the first.
    entries : int
        How often the function was entered.
    """

    def __init__(self, name: str, names: dict[str, Any], path: str | None, apart: Iterable[str]) -> None:
        self.steps: dict[tuple[int, int], int] = {}
        self.entries = 0
        self._name, self._path = name, path
        self._apart = {*apart}
        self._codes = {_code_of(names.get(each)) for each in apart} - {None}
        self._depth_apart = 0

    def __enter__(self) -> None:
        threading.settrace(self._enter)
        sys.settrace(self._enter)

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        threading.settrace(None)

    def _enter(self, frame: types.FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if code.co_filename != self._path:
            return None
        is_function = code.co_qualname == self._name
        self.entries += is_function
        is_apart = code.co_qualname in self._apart or code in self._codes
        leaves = is_apart and not (is_function and self.entries == 1)
        self._depth_apart += leaves
        if self._depth_apart and not leaves:
            return None
        line, steps = 0, self.steps

        def follow(frame: types.FrameType, event: str, _: Any) -> Any:
            nonlocal line
            if event == "line" and not leaves:
                step = line, frame.f_lineno
                steps[step] = steps.get(step, 0) + 1
                line = frame.f_lineno
            elif event == "return" and leaves:
                self._depth_apart -= 1
            return follow

        frame.f_trace_lines = not leaves
        return follow


def _code_of(function: Any) -> types.CodeType | None:
    code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
    return None if code is None or "<locals>" in code.co_qualname else code  # a decorator's, around several functions
