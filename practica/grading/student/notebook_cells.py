"""`%load_ext practica`: cells that are checked where they are written.

`%%check accuracy` runs its cell and shows below it what `practica check` says of that function.
The cells that were executed are judged as one file, in a process of its own; if several cells
define a function, the last definition counts. A function that the notebook only imports is judged
in the file from which it comes.
"""

from __future__ import annotations

import ast
import atexit
import inspect
import json
import re
from collections.abc import Iterable, Sequence, Set
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.display import display

from practica.grading.engine.result import SubmissionResult
from practica.grading.engine.source import body_of
from practica.grading.inside.loading import lines_of
from practica.grading.report.messages import LANGUAGES, as_points, say
from practica.grading.report.result_table import sentences
from practica.grading.report.words import said, status_of
from practica.grading.student.check import Cells, Examiner
from practica.grading.student.language import begin_assignment, language
from practica.json_data import visible
from practica.notebook import convert

NOTEBOOK = "notebook.ipynb"  # what executed cells are called where a file is named


class Verdict(NamedTuple):
    """The verdicts on some functions, shown as text or as a table.

    `rows` (list of (points and verdict, name, sentences)): one for each function or file.
    """

    rows: list[tuple[str, str, list[str]]]

    def __repr__(self) -> str:
        lines = []
        for verdict, name, told in self.rows:
            lines += [f"{verdict:<6} {name}".rstrip(), *(f"  {line}" for line in told)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cell = '<td style="text-align:left;vertical-align:top;white-space:pre-wrap">'
        rows = "".join(
            f"<tr>{cell}{escape(verdict)}</td>{cell}<code>{escape(name)}</code></td>{cell}"
            f"{'<br>'.join(map(escape, told))}</td></tr>"
            for verdict, name, told in self.rows
        )
        return f"<table><tbody>{rows}</tbody></table>"


@magics_class
class CheckMagic(Magics):
    """The magic command of notebook cells, with a warm process for each file it has checked."""

    def __init__(self, shell: Any) -> None:
        super().__init__(shell)
        self._running = shell
        self._examiners: dict[Path, Examiner] = {}
        self._lang: str | None = None  # the one that an earlier cell chose
        atexit.register(self._close)

    @cell_magic
    def check(self, line: str, cell: str) -> None:
        """Run a cell, and say what is not right in the functions that are named.

        %%check accuracy hold_out --lang en
        """
        folder = Path.cwd()
        functions, chosen = _options(line)
        self._lang = chosen or self._lang
        lang = language(folder, self._lang)
        if not functions:
            print(say("cells.which", {}, lang))
            return
        if not self._running.run_cell(cell).success:
            return  # its traceback is there already
        places: dict[Path, list[str]] = {}
        for name in functions:
            places.setdefault(_file_of(self._running.user_ns.get(name), folder), []).append(name)
        rows = []
        for file, names in places.items():
            try:
                rows += _rows(self._examined(file, names, lang), lang)
            except ValueError as error:
                print(error)
            except Exception as error:
                print(say("failed", {"error": f"{type(error).__name__}: {error}"}, lang))
        if rows:
            display(Verdict(rows))  # type: ignore[no-untyped-call]

    def _examined(self, file: Path, functions: Sequence[str], lang: str) -> SubmissionResult:
        if file not in self._examiners:
            is_file = file.suffix == ".py"
            begin_assignment(Path.cwd())
            self._examiners[file] = (
                Examiner(file, ahead=True) if is_file else _Executed(file, self._running)
            )
        examiner = self._examiners[file]
        examiner.lang = lang
        examiner.choose(functions)
        return examiner.examine().submission

    def _close(self) -> None:
        for examiner in self._examiners.values():
            examiner.__exit__()


class _Executed(Examiner):
    """The cells of a running notebook that were executed."""

    def __init__(self, file: Path, shell: Any) -> None:
        super().__init__(file, ahead=True)
        self._shell = shell

    def read(self) -> tuple[bytes, Cells]:
        """Return the executed cells as one file of Python."""
        return source_of_cells(self._shell.history_manager.input_hist_raw, self.rubric.functions)


def source_of_cells(
    executed: Iterable[str], functions: Set[str] = frozenset()
) -> tuple[bytes, Cells]:
    """Return executed cells as one file, and the cell of each of its lines.

    `executed`: as they were typed, in the order in which they ran.
    `functions`: those of the assignment.
    Returned `source`: if several cells define a function, only its last definition is left.
    """
    # IPython counts from 1
    cells = [{"cell_type": "code", "source": cell} for cell in list(executed)[1:]]
    notebook = convert(json.dumps({"cells": cells}).encode(), functions)
    lines = lines_of(notebook.source.decode())
    last: dict[str, int] = {}
    for node in reversed(_definitions("\n".join(lines))):
        cell = notebook.lines[node.lineno - 1][0]
        if last.setdefault(node.name, cell) != cell:
            for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[number] = f"# {lines[number]}"
    return "".join(f"{line}\n" for line in lines).encode(), notebook.lines


def _options(line: str) -> tuple[list[str], str | None]:
    """Return the functions that a line names, and the language if it chooses one.

    >>> _options("accuracy --lang en"), _options("accuracy hold_out")
    ((['accuracy'], 'en'), (['accuracy', 'hold_out'], None))
    """
    found = re.search(rf"--lang[ =]({'|'.join(LANGUAGES)})\b", line)
    return (
        (line.split(), None) if found is None else (line.replace(found[0], " ").split(), found[1])
    )


def _definitions(text: str) -> list[ast.FunctionDef | ast.ClassDef]:
    return [
        node
        for node in body_of(text)
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.decorator_list
    ]


def _file_of(function: Any, folder: Path) -> Path:
    """Return the file beside the notebook that defines a function, or `NOTEBOOK` if none does."""
    code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
    file = Path(code.co_filename) if code is not None else Path()
    return (
        Path(file.name)
        if file.suffix == ".py" and file.resolve().parent == folder.resolve()
        else Path(NOTEBOOK)
    )


def _rows(submission: SubmissionResult, lang: str) -> list[tuple[str, str, list[str]]]:
    """Return the rows of a table about a marked file, those on the whole file first."""
    told = {
        name: [visible(line) for line in lines] for name, lines in sentences(submission, lang=lang)
    }
    rows = []
    if submission.status != "graded":
        return [("–", submission.file, [visible(status_of(said(submission, lang), lang))])]
    names = [function.name for function in submission.functions]
    rows = [("", submission.file, lines) for name, lines in told.items() if name not in names]
    for function in submission.functions:
        verdict = say(f"verdict.{function.verdict}", {}, lang)
        rows.append(
            (f"{as_points(function.points)} {verdict}", function.name, told.get(function.name, []))
        )
    return rows
