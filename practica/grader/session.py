"""What a command does from its arguments to its exit code: mark files, print each, keep the results.

`grade` is an instructor's command: every file in a box of its own, never without a sandbox unless asked for by name.
`check` is a student's: one file, their own, in a process of their own machine (`practica.grader.local`).
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console

from practica.checks.framework import load_checks
from practica.checks.solution import Solution
from practica.files import opened
from practica.grader.grade import canonical_result, exit_code, grade_submission
from practica.grader.messages import say
from practica.grader.pages import write_pages
from practica.grader.report import print_result, print_submission
from practica.grader.rubric import Rubric, load_rubric
from practica.grader.sandbox import Sandbox, SandboxedSolution, SandboxError

__all__ = ["check", "grade", "identifiers", "write"]


def grade(
    files: Sequence[Path],
    *,
    rubric: Path | None = None,
    folder: Path | None = None,
    lang: str = "es",
    record: Path | None = None,
    sandboxed: bool = True,
) -> int:
    """Mark files, print a table for each, and return the exit code.

    Parameters
    ----------
    files : paths
    rubric : path, optional
        The official criteria without it.
    folder : path, optional
        Where `resultado.json`, the pages (`index.html` and one for each submission in `feedback/`) and a text for each
        submission go; it is created.
    lang : "es" or "en"
        Language of the sentences.
    record : path, optional
        Where the canonical result goes.
    sandboxed : bool
        Whether a machine without sandbox is refused.

    Returns
    -------
    code : int
        0 if every function passed, 1 if something did not, 2 if the grader itself failed.

    Raises
    ------
    ValueError
        For a rubric that is none, a file that cannot be written, or a machine without sandbox.
    """
    criteria = load_rubric(rubric, checks=load_checks())
    names = identifiers(files)
    submissions, sources = [], {}
    with contextlib.ExitStack() as stack:
        results = [stack.enter_context(opened(record, data=files))]
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            results.append(stack.enter_context(opened(folder / "resultado.json", data=files)))
        sandbox = stack.enter_context(_sandbox(sandboxed, lang))
        for file, name in zip(files, names, strict=True):
            source = sources[name] = file.read_bytes()
            with SandboxedSolution(file, sandbox) as solution:
                submissions.append(_marked(source, solution, criteria, name, file, lang))
            print_submission(submissions[-1], lang=lang)
        result = canonical_result(submissions, criteria, sandbox.level)
        print_result({**result, "submissions": []}, lang=lang)
        for output in results:
            write(result, output)
        if folder is not None:
            for submission in submissions:
                with opened(folder / f"{submission['id']}.txt", data=files) as text:
                    one = {**result, "submissions": [submission]}
                    print_result(one, lang=lang, console=Console(file=text, width=100))
            write_pages(result, sources, folder, lang)
    return exit_code(result)


def check(file: Path, *, lang: str = "es") -> int:
    """Tell students what is not right in their file, on their own machine, and return the exit code.

    Parameters
    ----------
    file : path
    lang : "es" or "en"

    Returns
    -------
    code : int
        As that of `grade`.
    """
    from practica.grader.local import PATIENT, LocalProcesses

    criteria = load_rubric(None)
    source = file.read_bytes()
    with SandboxedSolution(file, LocalProcesses(file.resolve().parent), PATIENT) as solution:
        submission = _marked(source, solution, criteria, file.stem, file, lang)
    if any(function["verdict"] != "missing" for function in submission["functions"]) or not submission["functions"]:
        print_submission(submission, lang=lang)
    console = Console(markup=False, emoji=False, highlight=False)
    for hint in _hints(submission, criteria, file, lang):
        console.print(hint, soft_wrap=True)
    return exit_code({"submissions": [submission]})


def identifiers(files: Sequence[Path]) -> list[str]:
    """Return a different name for each file: its own without the ending, and a number where that is taken.

    Examples
    --------
    >>> identifiers([Path("a/entrega.py"), Path("b/entrega.py"), Path("b/otra.py")])
    ['entrega', 'entrega-2', 'otra']
    """
    names: list[str] = []
    for file in files:
        name, number = file.stem, 1
        while name in names:
            number += 1
            name = f"{file.stem}-{number}"
        names.append(name)
    return names


def write(result: dict[str, Any], file: TextIO | None) -> None:
    """Write a canonical result as JSON, a submission a line, unless nobody asked for it."""
    if file is not None:
        head = {key: value for key, value in result.items() if key != "submissions"}
        lines = ",\n".join(json.dumps(submission, ensure_ascii=False) for submission in result["submissions"])
        file.write(f'{json.dumps(head, ensure_ascii=False)[:-1]}, "submissions": [\n{lines}\n]}}\n')


@contextlib.contextmanager
def _sandbox(sandboxed: bool, lang: str) -> Iterator[Sandbox]:
    try:
        sandbox = Sandbox("auto" if sandboxed else "none")
    except SandboxError as error:
        raise ValueError(say("sandbox.refused", {"reason": error}, lang)) from error
    with sandbox:
        yield sandbox


def _hints(submission: dict[str, Any], rubric: Rubric, file: Path, lang: str) -> Iterator[str]:
    """Say how to repeat an example, and what to write next."""
    checks = [item for function in submission["functions"] for item in function["checks"]]
    if any((item["counterexample"] or {}).get("call") for item in checks):
        yield say("check.try", {"file": file}, lang)
    missing = [rubric.rows[each["name"]] for each in submission["functions"] if each["verdict"] == "missing"]
    if missing:
        row = missing[0]
        headers = dict.fromkeys(f"{row.function}{overload}" for overload in row.overloads)
        count = len({row.function for row in missing})
        facts = {"count": count, "function": row.function, "header": " / ".join(headers)}
        nothing = len(missing) == len(submission["functions"])
        yield say("check.begin" if nothing else "check.next", facts, lang)


def _marked(source: bytes, solution: Solution, rubric: Rubric, name: str, file: Path, lang: str) -> dict[str, Any]:
    return grade_submission(source, solution, rubric, identifier=name, file=str(file), lang=lang)
