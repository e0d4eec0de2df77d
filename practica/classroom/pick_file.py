"""The choice of the file to grade among those that a student handed in.

The rules, in their order; a choice between files is reported:

    1  the only file there is
    2  the one called like the template, if it defines anything of the practice; the highest up of several
    3  the only one that defines most of the practice
    4  none: a person has to look

Copies of the same file count as one. Files are Python (`.py`) or notebooks (`.ipynb`); without any, a file of text that
defines something of the practice under another name (`solucion.py.txt`, `solucion`) takes part.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from practica.classroom.archives import Limits, Member, Refused
from practica.engine.result import Incident
from practica.engine.rubric import load_rubric
from practica.engine.source import parse
from practica.inside.loading import decode
from practica.json_data import Facts
from practica.notebook import Notebook, OtherLanguageError, convert, without_commands

__all__ = ["CODE", "TEMPLATE", "TEXT", "Candidate", "called", "candidates", "choose", "without_copy"]

TEMPLATE = "solucion.py"  # how the file is called that students fill in
CODE = (".py", ".ipynb")
TEXT = ("", ".txt", ".pyw", ".py3", ".md", ".bak", ".text")
MOST_TO_READ = 1_000_000  # bytes of a student's code; reading Python takes some seconds for each million
MOST_KEPT = 5_000_000  # bytes of code; much less is marked
COPY = re.compile(r" ?\(\d{1,3}\)$|-\d{1,3}$")  # what browsers, drives and Canvas put after the name of another copy


@dataclass(frozen=True)
class Candidate:
    """A file that could be the one.

    Attributes
    ----------
    path : str
        Its name in the submission.
    code : bytes
        What would be graded: the file itself, or the code of a notebook.
    notebook : Notebook or None
    commands : tuple of int
        Lines of a file of Python that only a notebook understands; they are comments in `code`.
    """

    path: str
    code: bytes
    notebook: Notebook | None
    commands: tuple[int, ...] = ()

    @property
    def depth(self) -> int:
        """How far down it is."""
        return self.path.count("/")

    @functools.cached_property
    def body(self) -> list[ast.stmt]:
        """Its statements; none of what Python cannot read."""
        if len(self.code) > MOST_TO_READ:
            return []
        tree = parse(decode(self.code)[0])
        return [] if isinstance(tree, SyntaxError) else tree.body

    @property
    def defined(self) -> int:
        """Count the functions of the practice that it defines."""
        return len({node.name for node in self.body if isinstance(node, ast.FunctionDef)} & _functions())

    @property
    def imported(self) -> set[str]:
        """The modules that it imports by a statement of its own."""
        names = {alias.name for node in self.body if isinstance(node, ast.Import) for alias in node.names}
        return names | {node.module or "" for node in self.body if isinstance(node, ast.ImportFrom)}


@functools.cache
def _functions() -> frozenset[str]:
    """Return the functions of the practice."""
    return frozenset(row.function for row in load_rubric().rows.values())


def candidates(files: Iterable[Member], limits: Limits) -> tuple[list[Candidate], list[Incident]]:
    """Read the files of a submission that may hold its code.

    Returns
    -------
    found : list of Candidate
        Without the copies of another.
    incidents : list of Incident
        The files that cannot be read.
    """
    files = list(files)
    by_ending = [file for file in files if PurePosixPath(file.name).suffix.lower() in CODE]
    found, incidents = _read(by_ending, limits)
    if not found:
        others = [file for file in files if PurePosixPath(file.name).suffix.lower() in TEXT]
        more, _ = _read(others, limits)
        found = [each for each in more if each.defined]
    highest_last = sorted(found, key=lambda each: (-each.depth, each.path))
    return list({each.code: each for each in highest_last}.values())[::-1], incidents


def _read(files: Iterable[Member], limits: Limits) -> tuple[list[Candidate], list[Incident]]:
    found, incidents, left = [], [], limits.total
    for file in files:
        try:
            content = file.read(min(limits.file, left))
            left -= len(content)
            notebook = convert(content) if file.name.lower().endswith(".ipynb") else None
        except Refused as refused:
            incidents.append(Incident(refused.code, refused.facts))
        except OtherLanguageError as error:
            incidents.append(Incident("notebook.language", {"file": file.path, "language": error.language}))
        except ValueError as error:
            incidents.append(Incident("file.unreadable", {"file": file.path, "reason": str(error)}))
        else:
            code, commands = without_commands(content) if notebook is None else (notebook.source, ())
            if len(code) > MOST_KEPT:
                facts: Facts = {"file": file.path, "bytes": len(code), "most": MOST_KEPT}
                incidents.append(Incident("file.too_large", facts))
            else:
                found.append(Candidate(file.path, code, notebook, commands))
    return found, incidents


def choose(found: list[Candidate]) -> Candidate | None:
    """Return the file to grade of one or more, None where a person has to look."""
    if len(found) == 1:
        return found[0]
    if sum(len(each.code) for each in found) > MOST_TO_READ:
        return None
    named = [each for each in found if each.defined and called(each.path)]
    if named:
        highest = min(each.depth for each in named)
        named = [each for each in named if each.depth == highest]
        exact = [each for each in named if each.path.rpartition("/")[2] == TEMPLATE]
        chosen = exact or named
    else:
        chosen = [each for each in found if 2 * each.defined > len(_functions())]
    return chosen[0] if len(chosen) == 1 else None


def called(path: str) -> bool:
    """Return whether a file has the template's name, in any case and with any ending, or is another copy of it."""
    return without_copy(PurePosixPath(path).stem.casefold()) == PurePosixPath(TEMPLATE).stem.casefold()


def without_copy(stem: str) -> str:
    """Return a name without what says that it is another copy.

    Examples
    --------
    >>> without_copy("solucion (1)"), without_copy("solucion(2)"), without_copy("solucion-3")
    ('solucion', 'solucion', 'solucion')
    """
    return COPY.sub("", stem)
