"""The choice of the file to grade among those that a student handed in.

The rules, in their order; a choice between files is reported:

    1  the only file there is
    2  those in which most is written: functions of the practice, then what Python cannot read, then
       any other code, then nothing, as in the template; if that is one file, this one
    3  of these the one called like the template, if it defines anything of the practice; the
       highest up of several
    4  the only one that defines most of the practice
    5  none: a person has to look

Copies of the same file count as one. Files are Python (`.py`) or notebooks (`.ipynb`); without any,
a file of text that defines something of the practice under another name (`solucion.py.txt`,
`solucion`) takes part.
"""

from __future__ import annotations

import ast
import enum
import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from practica.grading.classroom.archives import ArchiveLimits, Member, RefusedFile
from practica.grading.engine.result import Incident
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.source import (
    FUNCTIONS,
    bindings,
    is_main_guard,
    is_unwritten,
    parse,
    statements,
)
from practica.grading.inside.loading import decode
from practica.json_data import Facts
from practica.notebook import Notebook, OtherLanguageError, convert, is_utf_16, without_commands

TEMPLATE = "solucion.py"  # how the file is called that students fill in
CODE = (".py", ".ipynb")
TEXT = ("", ".txt", ".pyw", ".py3", ".md", ".bak", ".text")
DOCUMENTS = (*TEXT, ".pdf", ".doc", ".docx", ".odt", ".rtf", ".html")
OTHER_ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")
MOST_ALIKE = 10  # incidents of one kind, and names in a list, that are reported of a submission
# bytes of a student's code; reading Python takes some seconds for each million
MOST_TO_READ = 1_000_000
MOST_KEPT = 5_000_000  # bytes of code; much less is marked
# what browsers, drives and Canvas put after the name of another copy
COPY = re.compile(r" ?\(\d{1,3}\)$|-\d{1,3}$")


class Written(enum.IntEnum):
    """The kinds of files, by what a student wrote in them."""

    # imports and functions without a body: the template, the notebook that uses it, an empty file
    NOTHING = 0
    OTHER = 1  # code, and no function of the practice
    UNREADABLE = 2  # something that is not Python, or too long to be read
    FUNCTIONS = 3  # functions of the practice


@dataclass(frozen=True)
class Candidate:
    """A file of a submission that could be the one to grade."""

    path: str  # its name in the submission
    code: bytes  # what would be graded: the file itself, or the code of a notebook
    notebook: Notebook | None
    # lines of a file of Python that only a notebook understands; they are comments in `code`
    commands: tuple[int, ...] = ()

    @property
    def depth(self) -> int:
        """The depth of the file in the folders of the submission."""
        return self.path.count("/")

    @functools.cached_property
    def body(self) -> list[ast.stmt] | None:
        """The statements of the file; None if Python cannot read them."""
        if len(self.code) > MOST_TO_READ:
            return None
        tree = parse(decode(self.code)[0])
        return None if isinstance(tree, SyntaxError) else tree.body

    @functools.cached_property
    def _found(self) -> tuple[Written, frozenset[str]]:
        """Return the kind of the file, and the functions of the practice that it defines, with or
        without a body.
        """
        if self.body is None:
            return Written.UNREADABLE, frozenset()
        written, defined = Written.NOTHING, set[str]()
        for statement in statements(self.body):
            own = _bound(statement) & known_functions()
            defined |= own
            if not _says_nothing(statement):
                written = max(written, Written.FUNCTIONS if own else Written.OTHER)
        if written is Written.OTHER and any(_imports_solution(node) for node in self.body):
            # the notebook of the practice, or a script that tries what is in the other file
            written = Written.NOTHING
        if written < Written.UNREADABLE and self.notebook is not None and self.notebook.unread:
            written = Written.UNREADABLE  # some of its cells
        return written, frozenset(defined)

    @property
    def written(self) -> Written:
        """The kind of the file, by what the student wrote in it."""
        return self._found[0]

    @property
    def defined(self) -> int:
        """How many functions of the practice the file defines, with or without a body."""
        return len(self._found[1])

    @property
    def is_handed_out(self) -> bool:
        """Whether it is the template or the practice's notebook, with nothing written in it."""
        return self.written is Written.NOTHING and any(
            is_unwritten(node) or _imports_solution(node) for node in self.body or ()
        )

    @property
    def is_uncounted(self) -> bool:
        """Whether functions of the practice are in it where nothing runs: under
        `if __name__ == "__main__":`, or in a cell of text.
        """
        guards = (
            node
            for node in self.body or ()
            if isinstance(node, ast.If) and is_main_guard(node.test)
        )
        leaves = (leaf for guard in guards for leaf in ast.walk(guard))
        names = {leaf.name for leaf in leaves if isinstance(leaf, FUNCTIONS)}
        if self.notebook is not None:
            names.update(*(text.defines for text in self.notebook.texts))
        return not names.isdisjoint(known_functions())

    @property
    def imported(self) -> set[str]:
        """The modules that the file imports."""
        body = self.body or ()
        names = {
            alias.name for node in body if isinstance(node, ast.Import) for alias in node.names
        }
        return names | {node.module or "" for node in body if isinstance(node, ast.ImportFrom)}


def _bound(statement: ast.stmt) -> set[str]:
    """Return the names that a statement defines or assigns, but not those that it imports."""
    match statement:
        case (
            ast.FunctionDef()
            | ast.AsyncFunctionDef()
            | ast.ClassDef()
            | ast.Assign()
            | ast.AnnAssign()
        ):
            return {name for name, _ in bindings(statement)}
    return set()


def _says_nothing(statement: ast.stmt) -> bool:
    """Return whether a statement has no effect of its own: an import, a function without a body, a
    comment, or a string such as a name.
    """
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(targets=[ast.Name()], value=ast.Constant(value=str())):
            return True
    return is_unwritten(statement)


def _imports_solution(statement: ast.stmt) -> bool:
    """Return whether a statement imports functions of the practice from a module named like the
    template.
    """
    return (
        isinstance(statement, ast.ImportFrom)
        and called(f"{statement.module}.py")
        and any(alias.name in {"*", *known_functions()} for alias in statement.names)
    )


@functools.cache
def known_functions() -> frozenset[str]:
    """Return the names of the functions of the practice."""
    return frozenset(row.function for row in load_rubric().rows.values())


def candidates(
    files: Iterable[Member], limits: ArchiveLimits
) -> tuple[list[Candidate], list[Incident]]:
    """Read the files of a submission that may hold its code.

    Returned `found`: one candidate for all copies of the same code.
    Returned `incidents`: one for each file that cannot be read.
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


def _read(files: Iterable[Member], limits: ArchiveLimits) -> tuple[list[Candidate], list[Incident]]:
    found, incidents, left = [], [], limits.total
    for file in files:
        try:
            content = file.read(min(limits.file, left))
            left -= len(content)
            notebook = (
                convert(content, known_functions())
                if file.name.lower().endswith(".ipynb")
                else None
            )
        except RefusedFile as refused:
            incidents.append(Incident(refused.code, refused.facts))
        except OtherLanguageError as error:
            incidents.append(
                Incident("notebook.language", {"file": file.path, "language": error.language})
            )
        except ValueError as error:
            incidents.append(Incident("file.unreadable", {"file": file.path, "reason": str(error)}))
        else:
            if notebook is None and is_utf_16(content):
                incidents.append(Incident("file.encoding", {"file": file.path}))
            code, commands = (
                without_commands(content) if notebook is None else (notebook.source, ())
            )
            if len(code) > MOST_KEPT:
                facts: Facts = {"file": file.path, "bytes": len(code), "most": MOST_KEPT}
                incidents.append(Incident("file.too_large", facts))
            else:
                found.append(Candidate(file.path, code, notebook, commands))
    return found, incidents


def choose(found: list[Candidate]) -> Candidate | None:
    """Return which of one or more candidates is graded; None if a person has to choose."""
    if len(found) == 1:
        return found[0]
    if sum(len(each.code) for each in found) > MOST_TO_READ:
        return None
    most = max(each.written for each in found)
    found = [each for each in found if each.written is most]
    if len(found) == 1:
        return found[0]
    named = [each for each in found if each.defined and called(each.path)]
    if named:
        highest = min(each.depth for each in named)
        named = [each for each in named if each.depth == highest]
        exact = [each for each in named if each.path.rpartition("/")[2] == TEMPLATE]
        chosen = exact or named
    else:
        chosen = [each for each in found if 2 * each.defined > len(known_functions())]
    return chosen[0] if len(chosen) == 1 else None


def called(path: str) -> bool:
    """Return whether a path has the template's name, in any case, with any ending, or with the mark
    of a copy.
    """
    return (
        without_copy(PurePosixPath(path).stem.casefold()) == PurePosixPath(TEMPLATE).stem.casefold()
    )


def without_copy(stem: str) -> str:
    """Return the name of a file without a mark such as "(1)", which another copy gets.

    >>> without_copy("solucion (1)"), without_copy("solucion(2)"), without_copy("solucion-3")
    ('solucion', 'solucion', 'solucion')
    """
    return COPY.sub("", stem)


def suffix_of(member: Member) -> str:
    """Return the ending of a member's name in lower case."""
    return PurePosixPath(member.name).suffix.lower()


def listed(paths: Iterable[str]) -> str:
    """Join paths in alphabetical order for a sentence, at most `MOST_ALIKE` of them."""
    return few_of(sorted(paths))


def few_of(names: Iterable[str]) -> str:
    """Join names for a sentence, at most `MOST_ALIKE` of them, with "…" if there are more."""
    names = list(names)
    return ", ".join([*names[:MOST_ALIKE], *(["…"] if len(names) > MOST_ALIKE else [])])
