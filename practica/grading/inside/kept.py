"""Values that a file keeps from one call to the next: what a call changed in its global variables,
and in the defaults and attributes of its functions.
"""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass
from typing import Any

import numpy as np

_ABSENT = object()


class Kept:
    """The values that the variables of a file had before the first call, to restore them.

    `names`: the namespace of the file.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self._names = names
        self._variables = list(self._found())

    def restore(self) -> list[str]:
        """Restore all variables, and return the names of those that had changed, as a student
        writes them.
        """
        changed = [each for each in self._variables if each.has_changed]
        for each in changed:
            each.owner[each.name] = each.value
            _restore(each.value, each.held)
        labels = [each.label for each in changed]
        known = {(id(each.owner), each.name) for each in self._variables}
        for owner, prefix in self._owners():
            new = [name for name in owner if (id(owner), name) not in known]
            for name in (name for name in new if not name.startswith("__")):
                del owner[name]
                labels.append(f"{prefix}{name}")
        return labels

    def _owners(self) -> Iterator[tuple[MutableMapping[str, Any], str]]:
        """Yield each dict that has variables, that of the file and those with the attributes of its
        functions, and the text that stands before their names.
        """
        yield self._names, ""
        for name, function in self._functions().items():
            yield function.__dict__, f"{name}."

    def _functions(self) -> dict[str, types.FunctionType]:
        return {
            name: value
            for name, value in self._names.items()
            if type(value) is types.FunctionType and value.__globals__ is self._names
        }

    def _found(self) -> Iterator[_Variable]:
        for owner, prefix in self._owners():
            for name, value in list(owner.items()):
                if not name.startswith("__"):
                    yield _Variable(owner, name, f"{prefix}{name}", value, _held_by(value))
        for function in self._functions().values():
            for name, value in _defaults_of(function).items():
                label = f"{name}={value!r}"[:40]
                yield _Variable({name: value}, name, label, value, _held_by(value))


@dataclass(frozen=True, eq=False)
class _Variable:
    """A variable or a default of the file as it was before the first call.

    `owner`, `name`: the dict that holds it, and its key there.
    `label`: how a student writes it, such as "accuracy.calls" or "seen=[]".
    `value`, `held`: its value, and what that contained if it is a container.
    """

    owner: MutableMapping[str, Any]
    name: str
    label: str
    value: Any
    held: Any

    @property
    def has_changed(self) -> bool:
        is_other = self.owner.get(self.name, _ABSENT) is not self.value
        return is_other or _has_changed(self.value, self.held)


def _defaults_of(function: types.FunctionType) -> dict[str, Any]:
    """Return the defaults of a function by the names of its parameters."""
    defaults = function.__defaults__ or ()
    positional = function.__code__.co_varnames[: function.__code__.co_argcount]
    by_name = dict(zip(positional[len(positional) - len(defaults) :], defaults, strict=True))
    return {**by_name, **(function.__kwdefaults__ or {})}


def _held_by(value: Any) -> Any:
    """Return what a container contains, with what its elements contain; None for other values."""
    kind = type(value)
    if kind is np.ndarray:
        return value.copy()
    if kind is set:
        return set(value)
    if kind is dict:
        return {key: (each, _held_by(each)) for key, each in value.items()}
    if kind in (list, tuple, deque):
        return [(each, _held_by(each)) for each in value]
    return None


def _has_changed(value: Any, held: Any) -> bool:
    """Return whether a container contains anything but `held`, or a cache is not empty."""
    kind = type(value)
    if kind is np.ndarray:
        return value.tobytes() != held.tobytes()
    if kind is set:
        return bool(value != held)
    if kind is dict:
        pairs = list(zip(value.values(), held.values(), strict=False))
        has_others = list(value) != list(held)
    elif kind in (list, tuple, deque):
        pairs = list(zip(value, held, strict=False))
        has_others = len(value) != len(held)
    else:
        return hasattr(value, "cache_clear") and value.cache_info().currsize > 0
    return has_others or any(
        one is not each or _has_changed(each, inner) for one, (each, inner) in pairs
    )


def _restore(value: Any, held: Any) -> None:
    """Put back into a container what it contained, and into its elements too; empty a cache."""
    kind = type(value)
    if kind is np.ndarray:
        value[...] = held
    elif kind is set:
        value.clear()
        value.update(held)
    elif kind is dict:
        value.clear()
        value.update({key: each for key, (each, _) in held.items()})
    elif kind in (list, deque):
        value.clear()
        value.extend(each for each, _ in held)
    elif hasattr(value, "cache_clear"):
        value.cache_clear()
    if kind in (list, tuple, deque, dict):
        for each, inner in held.values() if kind is dict else held:
            _restore(each, inner)
