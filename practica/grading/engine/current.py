"""The assignment that this process marks: the only place where the engine gets to know one.

An assignment is a folder, that of `practica.grading.assignment` unless another one is chosen:

    rubric.toml                 points, signatures, loop limits, forbidden functions
    checks/*.py                 modules that register checks; mistakes/*.py, which may be missing,
                                known mistakes
    messages.toml               the sentences of both, in one language or in two
    template.py, statement.md   what students get; template.en.py and statement.en.md come first in
                                English

A folder that is a package describes itself in `ASSIGNMENT`, as `practica.grading.assignment` does.
Rules, lists and general sentences that it does not have are those of `practica.grading.assignment`.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import tomllib
import traceback
import types
from collections.abc import Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import practica

PACKAGE = "practica.grading.assignment"
OFFICIAL = Path(practica.__file__).parent / "grading/assignment"
GIVEN = Path(practica.__file__).parent / "given"  # the folder for which a student kit was built
# the name by which the modules of a chosen folder import each other
IN_FOLDER = "practica_assignment"
EDITIONS = ("edition-2026",)  # by the names that they have on the command line
EDITION = "edition"  # in that folder: the name of the edition for which the kit was built
RUBRIC, CHECKS = "rubric.toml", "checks"


class AssignmentError(ValueError):
    """A folder is not an assignment, or lacks a part of one; the sentence names the file."""


@dataclass(frozen=True)
class Assignment:
    """The facts that the engine needs about an assignment, besides the checks and mistakes that its
    modules register.
    """

    package: str  # the importable name of the folder
    # checks, mistakes: modules that register checks and known mistakes, relative to the package, in
    # the order of the statement
    checks: tuple[str, ...]
    mistakes: tuple[str, ...] = ()
    # row of the rubric to function in the student's file, where their names differ
    function_of: Mapping[str, str] = field(default_factory=dict)
    # the functions that draw random numbers: an example of one is repeated with its seed
    draws: Set[str] = frozenset()
    builds: str = ""  # the function that returns a network, which no double replaces
    # by row: examples of each check that a diagnosis repeats, if not as many as the engine does
    examples_of: Mapping[str, int] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The folder of the package."""
        return Path(next(iter(importlib.import_module(self.package).__path__)))

    @property
    def is_official(self) -> bool:
        """Whether it is the practice of this project, and neither an edition of it nor another
        course's.
        """
        return self.package == PACKAGE

    @property
    def extends_practice(self) -> bool:
        """Whether it is an edition of the practice, which takes from the practice what it does not
        define.
        """
        return self.package.startswith(f"{PACKAGE}.")

    @property
    def has_words(self) -> bool:
        """Whether a string among the facts of a failure is a word of its sentence, shown without
        quotes; in the assignment of another course it is a value.
        """
        return self.is_official or self.extends_practice

    @property
    def reading(self) -> dict[str, Any]:
        """The options with which the answers of the file are read: exactly as they are, in another
        course.
        """
        return {} if self.has_words else {"exact": True}

    @property
    def messages(self) -> tuple[Path, ...]:
        """The files with its sentences; a sentence in them replaces the general one with the same
        id.
        """
        return (*self.folder.glob("messages.toml"), *self.folder.glob("messages/*.toml"))

    def load(self, modules: tuple[str, ...]) -> None:
        """Import some modules of the package, which register checks or mistakes."""
        for module in modules:
            if self.package.startswith(PACKAGE):
                importlib.import_module(importlib.util.resolve_name(f".{module}", self.package))
            else:
                _imported(f"{self.package}.{module}", self.folder)


_in_use: list[Assignment] = []  # none until it is needed, then one for good


def assignment() -> Assignment:
    """Return the assignment of this process: the chosen one, or else that of the student kit, or
    else the practice of this project.
    """
    if not _in_use:
        edition = GIVEN / EDITION
        choose(
            Path(edition.read_text(encoding="utf-8"))
            if edition.is_file()
            else GIVEN
            if GIVEN.is_dir()
            else None
        )
    return _in_use[0]


def chosen() -> Path | None:
    """Return the folder of the assignment of this process, None for the practice of this
    project.
    """
    return None if assignment().is_official else assignment().folder


def name_of_chosen() -> str:
    """Return the text with which `choose` selects the assignment of this process again; empty for
    the practice of this project.
    """
    if (folder := chosen()) is None:
        return ""
    return folder.name.replace("_", "-") if assignment().extends_practice else str(folder.resolve())


def is_chosen() -> bool:
    """Return whether the assignment of this process has been chosen, which cannot be changed any
    more.
    """
    return bool(_in_use)


def choose(folder: Path | None) -> None:
    """Make a folder the assignment of this process; None stands for the practice of this project.

    Raises `AssignmentError` if the folder is not an assignment, or this process has worked with
        another one: checks register once.
    """
    if folder is not None and not folder.exists() and str(folder) in EDITIONS:
        folder = OFFICIAL / str(folder).replace("-", "_")
    wanted = OFFICIAL if folder is None else folder.resolve()
    if not _in_use:
        _in_use.append(
            importlib.import_module(PACKAGE).ASSIGNMENT
            if wanted == OFFICIAL
            else _described(wanted)
        )
    elif _in_use[0].folder.resolve() != wanted:
        raise AssignmentError(
            f"this process marks {_in_use[0].folder}, and {wanted} needs another one: restart it"
        )


def _described(folder: Path) -> Assignment:
    """Return the assignment in a folder: as the folder describes it, or as its files suggest."""
    if folder.parent == OFFICIAL and (folder / "__init__.py").is_file():
        own: Assignment = importlib.import_module(f"{PACKAGE}.{folder.name}").ASSIGNMENT
        return own
    modules = {
        kind: sorted(path.stem for path in folder.glob(f"{kind}/*.py"))
        for kind in (CHECKS, "mistakes")
    }
    for name, is_there in (
        (RUBRIC, (folder / RUBRIC).is_file()),
        (f"{CHECKS}/*.py", bool(modules[CHECKS])),
    ):
        if not is_there:
            raise AssignmentError(f"{folder} is no assignment: it has no {name}")
    spec = importlib.util.spec_from_file_location(
        IN_FOLDER, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    if (folder / "__init__.py").is_file():
        sys.modules[IN_FOLDER] = importlib.util.module_from_spec(spec)
        _imported(IN_FOLDER, folder, spec.loader)
    else:
        sys.modules[IN_FOLDER] = types.ModuleType(IN_FOLDER)
        sys.modules[IN_FOLDER].__path__ = [str(folder)]
    if (described := getattr(sys.modules[IN_FOLDER], "ASSIGNMENT", None)) is not None:
        return described
    checks, mistakes = (
        tuple(f"{kind}.{name}" for name in names if name != "__init__")
        for kind, names in modules.items()
    )
    return Assignment(IN_FOLDER, checks, mistakes, _functions_in(folder / RUBRIC))


def _functions_in(rubric: Path) -> dict[str, str]:
    """Return the function that each row of a rubric names, by row; rows that name none are left
    out.

    If the rubric cannot be read, return nothing: the error is reported later.
    """
    with suppress(OSError, tomllib.TOMLDecodeError, UnicodeDecodeError, AttributeError):
        rows = tomllib.loads(rubric.read_text(encoding="utf-8-sig")).get("functions", {})
        return {
            name: row["function"]
            for name, row in rows.items()
            if isinstance(row.get("function"), str)
        }
    return {}


def _imported(name: str, folder: Path, loader: object = None) -> None:
    """Import a module of a folder.

    `loader`: executes the module, which is then in `sys.modules` already.
    Raises `AssignmentError`, with file and line, if the code of the module raises.
    """
    try:
        if loader is None:
            importlib.import_module(name)
        else:
            loader.exec_module(sys.modules[name])  # type: ignore[attr-defined]
    except Exception as error:
        raise located(error, folder, name) from error


def located(error: Exception, folder: Path, name: str) -> AssignmentError:
    """Return an `AssignmentError` for an error of the code in a folder, with file and line in
    front.

    `name`: stands for the file where none is known.
    """
    own = [
        each
        for each in traceback.extract_tb(error.__traceback__)
        if Path(each.filename).is_relative_to(folder)
    ]
    file, line = (own[-1].filename, own[-1].lineno) if own else (name, None)
    if isinstance(error, SyntaxError):
        file, line = error.filename or file, error.lineno
    reason = f"{type(error).__name__}: {error}".partition("\n")[0]
    reasons = "; ".join([reason, *getattr(error, "__notes__", ())])
    return AssignmentError(f"{file}, line {line or '?'}: {reasons}")
