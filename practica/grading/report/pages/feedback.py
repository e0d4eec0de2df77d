"""The page of a student: the mark, what to do next, why each point was lost, and where in the own
source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import PurePath

from practica.grading.engine.adjustments import is_by_hand
from practica.grading.engine.result import Class, Result, SubmissionResult
from practica.grading.inside.loading import lines_of
from practica.grading.report.messages import Sentence, say
from practica.grading.report.pages.strip import strip
from practica.grading.report.pages.text import lines_named, number, render
from practica.grading.report.words import (
    SaidFunction,
    SaidRule,
    SaidSubmission,
    decided,
    handed_in,
    said,
    shared_rules,
)

TOLD_FIRST = 3  # failed checks of a function that are open from the beginning
STEPS = 3  # more than that is a table, and there is one
LONGEST_LINE = 5_000  # characters


def feedback_page(marked: SubmissionResult, result_head: Result, lang: str = "es") -> str:
    """Return the page of a submission.

    `marked`: with its `source`.
    `result_head`: the result with the rubric and the class; its submissions are not read.
    Returned `html`: all of it: style, script and data.
    Raises `ValueError` for a language without pages.
    """
    submission = said(marked, lang)
    class_ = result_head.class_ or Class(())
    names = {entry.id: entry.name for entry in class_.entries}
    everywhere, own = shared_rules(submission.functions)
    functions = [ShownFunction(**vars(each)) for each in own]
    marked_here = [function for function in functions if function.verdict != "manual"]
    told = marked_here if submission.status != "not_run" else []
    lines = lines_of(submission.source or "")
    shown = _shown(lines)
    notes = _notes(submission, functions, everywhere, lang)
    return render(
        "feedback",
        lang,
        submission=submission,
        title=names.get(submission.id, submission.id),
        handed_in=handed_in(class_, submission.id, lang),
        decided=decided(marked, lang, partial(number, lang=lang)),
        adjusted={adjustment.function for adjustment in marked.adjustments},
        file=PurePath(submission.file).name,
        head=result_head,
        strip=strip(submission.functions),
        functions=functions,
        everywhere=everywhere,
        steps=_steps(submission, marked_here)[:STEPS],
        missing=[each for each in told if each.verdict == "missing"],
        wrong=[each for each in told if each.verdict not in ("pass", "missing")],
        better=[each for each in told if each.verdict == "pass" and (each.rules or each.failed)],
        told_first=TOLD_FIRST,
        lines=[
            Line(number, line, notes.get(number)) for number, line in enumerate(lines[:shown], 1)
        ],
        more_lines=len(lines) - shown,
        last_line=shown,
    )


def _shown(lines: Sequence[str]) -> int:
    """Return how many lines of a source the page shows."""
    sizes = accumulate(min(len(line), LONGEST_LINE) for line in lines[:5_000])
    # as many characters of all lines together as are marked
    return sum(size <= 500_000 for size in sizes)


@dataclass(frozen=True)
class ShownFunction(SaidFunction):
    """A function with its sentences, and what the page counts of its checks."""

    @property
    def again(self) -> list[str]:
        """The ids of the failed checks whose sentence an earlier check has."""
        return [check.id for check in self.failed if check not in self.news]

    @property
    def total(self) -> int:
        """The number of checks of the function."""
        return len(self.checks)

    @property
    def passed(self) -> int:
        """The number of checks that pass."""
        return self.total - len(self.failed)

    @property
    def is_partial(self) -> bool:
        """Whether the function has points although it does not pass."""
        return self.verdict in ("fail", "not_run") and bool(self.points)

    @property
    def lost(self) -> float:
        """The points that can still be won."""
        return self.max_points - (self.points or 0)


def _nearness(function: ShownFunction) -> float:
    """Return the points within reach: the lost points times the fraction of the checks that
    pass.
    """
    return function.lost * function.passed / (function.total or 1)


@dataclass(frozen=True)
class NextStep:
    """A next step for the student: the id of its sentence, the function, and the grader's sentence
    on what is wrong.
    """

    id: str
    function: ShownFunction | None
    why: Sentence | None


@dataclass(frozen=True)
class Line:
    """A line of the source with its notes; `notes` is None for a line that is not highlighted."""

    number: int
    text: str
    notes: Sequence[Note] | None

    @property
    def shown(self) -> str:
        """The line, cut at `LONGEST_LINE`."""
        return self.text[:LONGEST_LINE]

    @property
    def more(self) -> int:
        """Characters that are left out."""
        return len(self.text[LONGEST_LINE:])


@dataclass(frozen=True)
class Note:
    """A sentence about a line, and the functions that it concerns; none if it concerns the whole
    file.
    """

    functions: tuple[str, ...]
    sentence: str


def _steps(submission: SaidSubmission, functions: Sequence[ShownFunction]) -> list[NextStep]:
    """Return the next steps of a student, the most useful first: what stops the whole file, the
    function nearest to its points, a function to write.
    """
    if is_by_hand(submission):
        return [NextStep("page.next.decided", None, None)]
    if submission.status == "grader_error":
        return [NextStep("page.next.wait", None, None)]
    if submission.status == "not_run":
        return [NextStep("page.next.run", None, submission.why)]
    written = [function for function in functions if function.verdict not in ("pass", "missing")]
    missing = [function for function in functions if function.verdict == "missing"]
    steps = [
        _correction(function)
        for function in sorted(written, key=lambda function: -_nearness(function))
    ]
    if missing:
        steps.insert(STEPS - 1, NextStep("page.next.write", missing[0], None))
    return steps or [NextStep("page.next.nothing", None, None)]


def _correction(function: ShownFunction) -> NextStep:
    id = "page.next.fix"
    if function.verdict == "rule":
        id = "page.next.rule" if function.news else "page.next.only_rule"
    return NextStep(id, function, next(iter(function.reasons), None))


def _notes(
    submission: SaidSubmission,
    functions: Sequence[ShownFunction],
    everywhere: Sequence[SaidRule],
    lang: str,
) -> dict[int, list[Note]]:
    """Return the notes by line of the source; an empty list means that the line is only
    highlighted. `everywhere`: the rules that concern the whole file.
    """
    about: dict[tuple[int, str], list[str]] = {}
    for names, line, sentence in _remarks(submission, functions, everywhere, lang):
        about.setdefault((line, sentence), []).extend(names)
    rules = [*everywhere, *(rule for function in functions for rule in function.rules)]
    notes: dict[int, list[Note]] = {
        line: [] for rule in rules for line in lines_named(rule.sentence)
    }
    for (line, sentence), names in about.items():
        notes.setdefault(line, []).append(Note(tuple(dict.fromkeys(names)), sentence))
    return notes


def _remarks(
    submission: SaidSubmission,
    functions: Sequence[ShownFunction],
    everywhere: Sequence[SaidRule],
    lang: str,
) -> Iterator[tuple[list[str], int, str]]:
    """Yield the functions, the line and the sentence of each remark; there are no functions if it
    concerns the whole file.
    """
    for rule in everywhere:
        if rule.line is not None:
            yield [], rule.line, rule.sentence
    if submission.status == "not_run":
        known = {rule.line for rule in everywhere}
        yield from (
            ([], line, submission.why) for line in lines_named(submission.why) if line not in known
        )
        return
    for function in functions:
        if function.line is not None and function.news:
            facts = {"passed": function.passed, "total": function.total}
            yield [function.name], function.line, say("page.student.passes", facts, lang)
        for rule in function.rules:
            if rule.line is not None:
                yield [function.name], rule.line, rule.sentence
        for check in function.news:
            for line in lines_named(check.sentence):
                yield [function.name], line, say("page.student.raises", {}, lang)
