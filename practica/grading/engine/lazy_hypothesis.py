"""Hypothesis, put off until an example is drawn: its import takes longer than most checks.

    from practica.grading.engine.lazy_hypothesis import st

is written and typed like `from hypothesis import strategies as st`. Until Hypothesis is imported,
what is made of it is kept as it was written, and `now` makes it.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["now", "st"]


def now(value: Any) -> Any:
    """Make a value that was put off, and those in a list, tuple or dict."""
    kind = type(value)
    if kind is _Later:
        return value._made
    if kind in (list, tuple):
        return kind(map(now, value))
    if kind is dict:
        return {key: now(item) for key, item in value.items()}
    return value


class _Later:
    """A value that is made when it is needed, like its attributes and the results of its calls."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    @functools.cached_property
    def _made(self) -> Any:
        return self._make()

    def __getattr__(self, name: str) -> _Later:
        return _Later(lambda: getattr(self._made, name))

    def __or__(self, other: Any) -> _Later:
        return _Later(lambda: self._made | now(other))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        def make() -> Any:
            return self._made(
                *map(now, args), **{name: now(value) for name, value in kwargs.items()}
            )

        return make() if "hypothesis" in sys.modules else _Later(make)


if TYPE_CHECKING:
    from hypothesis import strategies as st
else:
    st = _Later(lambda: importlib.import_module("hypothesis.strategies"))
