"""The assignment that this process marks: the only place where the engine gets to know one.

An assignment is a package with the modules of its checks and of its known mistakes, `rubric.toml`, `examples.json` and
`messages/`. Its `__init__` describes it in `ASSIGNMENT`.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Assignment", "assignment"]

PACKAGE = "practica.assignment"


@dataclass(frozen=True)
class Assignment:
    """The facts that the engine needs of an assignment, beside what its checks and mistakes register.

    Attributes
    ----------
    package : str
        The importable name; `rubric.toml`, `examples.json` and `messages/` are in its folder.
    checks, mistakes : tuple of str
        Modules that register checks and known mistakes, relative to the package, in the order of the statement.
    function_of : dict
        Row of the rubric to function in the student's file, where their names differ.
    draws : set of str
        The functions that draw random numbers: an example of one is repeated with its seed.
    builds : str
        The function that returns a network, which no double replaces.
    examples_of, calls_of : dict
        By function: examples of each check that a diagnosis repeats, and most calls that it notes, where they are not
        those of the engine.
    """

    package: str
    checks: tuple[str, ...]
    mistakes: tuple[str, ...]
    function_of: Mapping[str, str] = field(default_factory=dict)
    draws: Set[str] = frozenset()
    builds: str = ""
    examples_of: Mapping[str, int] = field(default_factory=dict)
    calls_of: Mapping[str, int] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The folder of the package."""
        return Path(str(importlib.import_module(self.package).__file__)).parent

    def load(self, modules: tuple[str, ...]) -> None:
        """Import modules of the package, which register what they have."""
        for module in modules:
            importlib.import_module(f"{self.package}.{module}")


@functools.cache
def assignment() -> Assignment:
    """Return the assignment of this process."""
    description: Assignment = importlib.import_module(PACKAGE).ASSIGNMENT
    return description
