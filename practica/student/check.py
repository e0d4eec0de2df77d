"""What `practica check` does, from its argument to its exit code: a student's own file, on their own machine."""

from __future__ import annotations

import functools
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from practica.console import plain_console
from practica.grading.result import exit_code, grade_submission, new_seed
from practica.grading.rubric import load_rubric
from practica.report.messages import say
from practica.report.terminal import print_submission
from practica.sandbox import local
from practica.sandbox.solution import ProcessSolution

__all__ = ["check", "examine", "how_to_repeat", "show", "what_next"]


def check(file: Path, *, lang: str = "es") -> int:
    """Tell students what is not right in their file, on their own machine, and return the exit code.

    Parameters
    ----------
    file : path
    lang : "es" or "en"

    Returns
    -------
    code : int
        0 if every function passed, 1 if something did not, 2 if the checks themselves failed.
    """
    submission = examine(file, lang=lang)
    show(submission, lang=lang)
    return exit_code({"submissions": [submission]})


def examine(file: Path, *, lang: str = "es") -> dict[str, Any]:
    """Run the checks on a file, in a process of its own, and return it marked as `grade_submission` does.

    It takes some seconds; somebody who watches a terminal sees that something happens. The secret examples are others
    than the grader's, and the same while this process runs.
    """
    source = file.read_bytes()
    processes = local.LocalProcesses(file.resolve().parent)
    with _running(file, lang), ProcessSolution(file, processes, local.PATIENT) as solution:
        return grade_submission(
            source, solution, load_rubric(), identifier=file.stem, file=str(file), seed=_seed_of_this_process()
        )


_seed_of_this_process = functools.cache(new_seed)


def _running(file: Path, lang: str) -> AbstractContextManager[object]:
    console = plain_console(stderr=True)
    return console.status(say("check.running", {"file": file}, lang)) if console.is_terminal else nullcontext()


def show(submission: dict[str, Any], *, lang: str = "es") -> None:
    """Print a marked file and its hints; of a file where nothing is written yet, only where to begin."""
    if any(function["verdict"] != "missing" for function in submission["functions"]) or not submission["functions"]:
        print_submission(submission, lang=lang)
    console = plain_console()
    for hint in (how_to_repeat(submission, lang=lang), what_next(submission, lang=lang)):
        if hint:
            console.print(hint, soft_wrap=True)


def how_to_repeat(submission: dict[str, Any], *, lang: str = "es") -> str:
    """Say how to repeat an example, if there is one."""
    checks = [item for function in submission["functions"] for item in function["checks"]]
    examples = any((item["counterexample"] or {}).get("call") for item in checks)
    return say("check.try", {"file": submission["file"]}, lang) if examples else ""


def what_next(submission: dict[str, Any], *, lang: str = "es") -> str:
    """Say which function to write next, if one is missing."""
    rubric = load_rubric()
    missing = [rubric.rows[each["name"]] for each in submission["functions"] if each["verdict"] == "missing"]
    if not missing:
        return ""
    row = missing[0]
    headers = dict.fromkeys(f"{row.function}{overload}" for overload in row.overloads)
    count = len({row.function for row in missing})
    facts = {"count": count, "function": row.function, "header": " / ".join(headers)}
    nothing = len(missing) == len(submission["functions"])
    return say("check.begin" if nothing else "check.next", facts, lang)
