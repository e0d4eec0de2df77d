"""The problems of a file as editors read them: one line each, `file:line: sentence`."""

from __future__ import annotations

from collections.abc import Iterator

from practica.console import plain_console
from practica.grading.engine.result import SubmissionResult, exit_code
from practica.grading.report.messages import say
from practica.grading.report.words import SaidFunction, place_of, said, shared_rules
from practica.grading.student.check import Examiner
from practica.json_data import visible


def print_problems(examiner: Examiner, *, lang: str = "es") -> int:
    """Check a file, print its problems between a line that begins and one that ends, and return the
    exit code.

    An editor that watches the output replaces the problems of the last time between these two
    lines.

    Returned `code`: that of `practica check`; 2 if the file cannot be read.
    """
    console = plain_console()

    def tell(line: str) -> None:
        console.print(line, soft_wrap=True)
        console.file.flush()

    tell(say("check.begins", {"file": examiner.file}, lang))
    try:
        submission = examiner.examine().submission
    except (ValueError, OSError) as error:
        lines, code = [f"{examiner.file}:1: {_in_one_line(str(error))}"], 2
    else:
        lines, code = problems(submission, lang=lang), exit_code([submission])
    for line in [*lines, say("check.ends", {"count": len(lines)}, lang)]:
        tell(line)
    return code


def problems(submission: SubmissionResult, *, lang: str = "es") -> list[str]:
    """Return what is not right in a marked file, in the form in which a compiler writes it.

    Returned `lines`: `file:line: sentence`, in the order of the file. Each function that was
        written has at most one for its checks, with the known mistake or else the first check that
        fails, and one for each rule. Editors do not number the cells of a notebook: there the line
        is 1, and the sentence begins with the cell.
    """
    cells = submission.cells or ()
    lines = []
    for line, sentence in sorted(
        dict.fromkeys(_places(submission, lang)), key=lambda place: place[0]
    ):
        if cells:
            told = say("line", {"line": place_of(line, cells, lang), "sentence": sentence}, lang)
            lines.append(f"{submission.file}:1: {_in_one_line(told)}")
        else:
            lines.append(f"{submission.file}:{line}: {_in_one_line(sentence)}")
    return lines


def _places(submission: SubmissionResult, lang: str) -> Iterator[tuple[int, str]]:
    """Yield the line of the file and the sentence of each problem."""
    whole = said(submission, lang)
    if submission.reason is not None:
        yield submission.reason.line or 1, whole.why
    if submission.status == "not_run":  # each function would say the same
        return
    shared, functions = shared_rules(whole.functions)
    for rule in shared:
        yield rule.line or 1, rule.sentence
    for function in functions:
        for rule in function.rules:
            # a name that resembles the function's
            if function.verdict != "missing" or "variant" in rule.facts:
                yield rule.line or function.line or 1, f"{function.name}: {rule.sentence}"
        if function.verdict != "missing":
            yield from _of_checks(function)


def _of_checks(function: SaidFunction) -> Iterator[tuple[int, str]]:
    for check in function.news[:1]:
        stopped = str(check.facts.get("line"))  # the line of the file that raised
        line = int(stopped) if stopped.isdecimal() else function.line or 1
        yield line, f"{function.name}: {function.likely or check.sentence}"


def _in_one_line(text: str) -> str:
    return " ".join(visible(text).split())
