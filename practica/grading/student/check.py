"""What `practica check` does, from its argument to its exit code: a student's own file, on their
own machine.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from practica.console import plain_console, print_wrapped
from practica.grading.engine.grade import grade_submission
from practica.grading.engine.result import FunctionResult, RuleResult, SubmissionResult, exit_code
from practica.grading.engine.rubric import load_rubric
from practica.grading.inside.loading import decode
from practica.grading.inside.preload import AVAILABLE, distribution
from practica.grading.report.messages import say
from practica.grading.report.result_table import (
    print_sentences,
    print_total,
    print_verdict,
    says_only_missing,
)
from practica.grading.report.words import stop_of
from practica.grading.sandbox import local
from practica.grading.sandbox.client import ProcessSolution
from practica.grading.student.cache import FileMemory
from practica.grading.student.cell_order import order_of_cells
from practica.grading.student.elsewhere import warnings_about
from practica.grading.student.example_file import with_examples_beside
from practica.grading.student.folder import section_page
from practica.json_data import visible
from practica.notebook import (
    OtherLanguageError,
    WrongCell,
    convert,
    is_utf_16,
    rules_of_cells,
    with_cells,
    without_commands,
)

DEFAULT = Path("solucion.py")

Cells = tuple[tuple[int, int], ...]  # for each line of a notebook: see `practica.notebook.Notebook`


def check(
    file: Path, functions: Collection[str] = (), *, lang: str = "es", verbose: bool = False
) -> int:
    """Print what is not right in a student's file, on their own machine, and return the exit code.

    `file`: a file of Python, or a notebook.
    `functions`: those to check; all of them without it.
    `verbose`: whether the checks that failed are named.
    Returned `code`: 0 if every function passed, 1 if something did not, 2 if the checks themselves
        failed.
    Raises `ValueError` if there is no function of such a name, or the notebook cannot be read.
    """
    with Examiner(file, functions, lang=lang) as examiner, as_it_comes(examiner) as tell:
        examined = examiner.examine(tell)
    show(examined, lang=lang, partly=bool(functions), ids=verbose)
    return exit_code([examined.submission])


def file_to_check(folder: Path, lang: str = "es", named: str | None = None) -> Path:
    """Return the file that a student names or, without a name, most likely means: `solucion.py`, or
    the only notebook of a folder.

    Raises `ValueError` if there is no such file, or not exactly one notebook.
    """
    if named is not None and not Path(named).is_dir():
        if not Path(named).is_file():
            raise ValueError(_no_file(Path(named), lang))
        return Path(named)
    inside = Path() if named is None else Path(named)
    folder = folder / inside
    if (folder / DEFAULT).exists():
        return inside / DEFAULT
    notebooks = [inside / path.name for path in sorted(folder.glob("*.ipynb"))]
    if len(notebooks) != 1:
        raise ValueError(say("check.which", {"file": DEFAULT, "count": len(notebooks)}, lang))
    return notebooks[0]


def _no_file(named: Path, lang: str) -> str:
    """Return the sentence that a file does not exist, with the most similar path that does."""
    wrong = next((each for each in (*reversed(named.parents), named) if not each.exists()), named)
    beside = [
        path.name
        for path in wrong.parent.iterdir()
        if path.is_dir() or path.suffix in (".py", ".ipynb")
    ]
    near = difflib.get_close_matches(wrong.name, beside, n=1) or difflib.get_close_matches(
        wrong.stem, [Path(name).stem for name in beside], n=1
    )
    full = [name for name in beside if near and near[0] in (name, Path(name).stem)]
    if not full:
        return say("check.no_file", {"file": named}, lang)
    return say("check.no_file_like", {"file": named, "like": wrong.parent / full[0]}, lang)


@dataclass(frozen=True)
class Examined:
    """A marked file, and a sentence for each thing that it relies on and marking does not have."""

    submission: SubmissionResult
    warnings: tuple[str, ...] = ()


class Examiner:
    """A file that is checked once, or again and again: what has not changed since the last time
    does not run again.

    `functions`: those to check; all of them without it.
    `ahead`: whether each examination starts the process for the next one.
    `lang`: the language of the sentences, and of the file with the examples.
    `anew`: the rows of the rubric that the last examination ran, because something has changed on
        which they depend.
    """

    def __init__(
        self, file: Path, functions: Collection[str] = (), *, ahead: bool = False, lang: str = "es"
    ) -> None:
        self.rubric = load_rubric()
        self.file, self.ahead, self.lang = file, ahead, lang
        self.choose(functions)
        self.cells: Cells = ()
        # lines that only a notebook understands, which are left out
        self.commands: tuple[int, ...] = ()
        # sentences that come before the verdicts: on the encoding of the file, on its cells
        self.order: list[str] = []
        # by the functions that cells define which are not Python
        self.broken: dict[str, RuleResult] = {}
        self.anew: set[str] = set()
        self._processes = local.LocalProcesses(file.resolve().parent)
        self._memory = FileMemory(file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._processes.close()

    def choose(self, functions: Collection[str]) -> None:
        """Set the functions that are checked from now on; none means all of them.

        Raises `ValueError` if there is no function of such a name.
        """
        known = {
            name: row.function
            for row in self.rubric.rows.values()
            for name in (row.name, row.function)
        }
        for name in functions:
            if name not in known:
                tried = difflib.get_close_matches(name, known, n=1) or sorted({*known.values()})
                raise ValueError(say("check.unknown", {"name": name, "known": tried}, self.lang))
        self.functions = {known[name] for name in functions}

    def read(self) -> tuple[bytes, Cells]:
        """Return the file as Python source, and the cell of each line if it is a notebook."""
        source = self.file.read_bytes()
        if self.file.suffix.lower() != ".ipynb":
            facts = {"file": self.file.name}
            self.order = [say("check.encoding", facts, self.lang)] if is_utf_16(source) else []
            source, self.commands = without_commands(source)
            return source, ()
        try:
            notebook = convert(source, self.rubric.functions)
        except OtherLanguageError as error:
            raise ValueError(
                say("check.language", {"file": self.file, "language": error.language}, self.lang)
            ) from None
        except ValueError as error:
            raise ValueError(
                say("check.notebook", {"file": self.file, "reason": error}, self.lang)
            ) from None
        functions = [row.function for row in self.rubric.rows.values()]
        self.order = order_of_cells(notebook, functions, self.lang)
        self.order += [_broken(wrong, self.lang) for wrong in notebook.wrong]
        self.broken = rules_of_cells(notebook)
        return notebook.source, notebook.lines

    def examine(self, report: Callable[[FunctionResult], object] | None = None) -> Examined:
        """Run the checks on the file as it is now.

        `report` receives each function as soon as it is marked.
        """
        source, self.cells = self.read()
        rows = self.rubric.rows.values()
        self._memory.begin(decode(source)[0], [row.function for row in rows])
        self.anew = {row.name for row in rows if self._memory.get(row) is None}
        with ProcessSolution(
            source, self._processes, local.patient(), name=self.file.name
        ) as solution:
            submission = grade_submission(
                *(source, solution, self.rubric),
                identifier=self.file.stem,
                file=str(self.file),
                only=self.functions or None,
                memory=self._memory,
                report=None
                if report is None
                else lambda function: report(*with_cells([function], self.broken)),
            )
        submission = replace(submission, functions=with_cells(submission.functions, self.broken))
        if self.ahead:
            self._processes.start_ahead(source)
        self._memory.save()
        warnings = warnings_about(source, self.file, self.commands, self.cells, self.lang)
        submission = replace(submission, cells=self.cells)
        return Examined(with_examples_beside(submission, self.file, self.lang), tuple(warnings))


def _broken(wrong: WrongCell, lang: str) -> str:
    facts = {"cell": wrong.cell, "line": wrong.within, "reason": wrong.reason, "text": wrong.text}
    return say("check.broken_cell", facts, lang)


@contextmanager
def as_it_comes(
    examiner: Examiner, *, only_anew: bool = False
) -> Iterator[Callable[[FunctionResult], object]]:
    """Yield a function that prints the verdict on one function, after the warnings about the whole
    file: cells that ran in another order, and where the file stops half-way.

    A terminal also shows which function is being tried. `only_anew`: whether functions that did not
    run again are left out.
    """
    console, lang = plain_console(), examiner.lang
    begun = False
    chosen = examiner.functions
    names = iter(
        [row.name for row in examiner.rubric.rows.values() if not chosen or row.function in chosen]
    )

    def trying() -> str:
        name = next(names, None)
        return (
            say("check.explaining", {}, lang)
            if name is None
            else say("check.trying", {"function": name}, lang)
        )

    def tell(function: FunctionResult) -> None:
        nonlocal begun
        stop = stop_of([function], examiner.cells, lang)
        for sentence in [*examiner.order, *([stop] if stop else [])] if not begun else []:
            print_wrapped(console, visible(sentence))  # at once: the rest takes its time
        begun = True
        if function.verdict != "missing" and (not only_anew or function.name in examiner.anew):
            print_verdict(function, lang=lang, console=console)
            console.file.flush()
        status.update(trying())

    with console.status(trying()) as status:  # shows nothing where there is no terminal
        yield tell


def show(examined: Examined, *, lang: str = "es", partly: bool = False, ids: bool = False) -> None:
    """Print what is not right in a marked file, and its hints.

    For a file in which nothing is written, print only where to begin.

    `examined`: its verdicts were printed as they came.
    `partly`: whether only some functions were checked: then there is no mark, and no function that
        comes next.
    `ids`: whether the checks that failed are named.
    """
    console, submission = plain_console(), examined.submission
    begun = not submission.functions or not all(map(_is_absent, submission.functions))
    if begun:
        if not partly or submission.status != "graded":
            print_total(submission, lang=lang, console=console)
        print_sentences(_without_stop(submission), lang=lang, console=console, ids=ids)
    hints = [how_to_install(submission, lang=lang), *map(visible, examined.warnings)]
    following = to_be_written if partly else what_next
    hints += [how_to_repeat(submission, lang=lang), following(submission, lang=lang)]
    for hint in filter(None, hints):
        print_wrapped(console, f"\n{hint}" if begun else hint)


def _is_absent(function: FunctionResult) -> bool:
    """Return whether a file has nothing of a function, not even where it does not count."""
    told = [rule for rule in function.rules if rule.id == "signature.missing"]
    return function.verdict == "missing" and all(map(says_only_missing, told))


def _without_stop(submission: SubmissionResult) -> SubmissionResult:
    """Remove the rule on where the file stops, which was printed first."""
    functions = (
        replace(
            function, rules=tuple(rule for rule in function.rules if rule.id != "source.stopped")
        )
        for function in submission.functions
    )
    return replace(submission, functions=tuple(functions))


def how_to_install(submission: SubmissionResult, *, lang: str = "es") -> str:
    """Return the command that installs a package which marking has and this machine lacks; empty if
    no package is missing.
    """
    reason = submission.reason
    if reason is None or reason.message not in ("lost.no_package", "lost.package_needed"):
        return ""
    package = str(reason.facts["package"]).partition(".")[0]
    return (
        say("check.install", {"package": distribution(package)}, lang)
        if package in AVAILABLE
        else ""
    )


def how_to_repeat(submission: SubmissionResult, *, lang: str = "es") -> str:
    """Return the sentence on how to repeat an example in a notebook; empty if there is no example.

    It is empty for a file of Python, too: a program beside it repeats the examples.
    """
    checks = [check for function in submission.functions for check in function.checks]
    if not submission.cells or not any(
        (check.counterexample or {}).get("call") for check in checks
    ):
        return ""
    return say("check.try_cell", {}, lang)


def to_be_written(submission: SubmissionResult, *, lang: str = "es") -> str:
    """Return the sentence that lists the checked functions that the file lacks; empty if it lacks
    none.
    """
    missing = dict.fromkeys(
        function.function for function in filter(_is_absent, submission.functions)
    )
    if not missing or submission.status != "graded":
        return ""
    return say("check.to_write", {"functions": [*missing]}, lang)


def what_next(submission: SubmissionResult, *, lang: str = "es") -> str:
    """Return the sentence that says which function to write next; empty if none is missing or the
    file stops half-way.
    """
    if stop_of(submission.functions):
        return ""
    rubric = load_rubric()
    missing = [
        rubric.rows[function.name]
        for function in submission.functions
        if function.verdict == "missing"
    ]
    if not missing:
        return ""
    row = missing[0]
    rows = [each for each in rubric.rows.values() if each.function == row.function]
    headers = dict.fromkeys(
        f"{row.function}{overload}" for each in rows for overload in each.overloads
    )
    count = len({row.function for row in missing})
    facts = {"count": count, "function": row.function, "header": " / ".join(headers)}
    nothing = all(map(_is_absent, submission.functions))
    following = say("check.begin" if nothing else "check.next", facts, lang)
    section = section_page(row.function, lang)
    return (
        f"{following}\n{say('check.section', {'section': section}, lang)}" if section else following
    )
