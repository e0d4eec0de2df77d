"""The page of a student: the mark, what to do next, why each point was lost, and where in the own source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import PurePath
from typing import Any

from practica.report.messages import Sentence, say
from practica.report.pages.html import render
from practica.report.pages.strip import strip
from practica.report.pages.text import lines_named, lines_of
from practica.report.words import said, shared_rules

__all__ = ["feedback_page"]

TOLD_FIRST = 3  # failed checks of a function that are open from the beginning
STEPS = 3  # more than that is a table, and there is one
MOST_LINES = 5_000
LONGEST_LINE = 5_000  # characters
MOST_SHOWN = 500_000  # characters of all lines together, as many as are marked


def feedback_page(
    submission: Mapping[str, Any],
    result_head: Mapping[str, Any],
    lang: str = "es",
    name: str | None = None,
) -> str:
    """Return the page of a submission.

    Parameters
    ----------
    submission : dict
        One of the `submissions` of a canonical result, with its `source`.
    result_head : dict
        The canonical result; its `submissions` are not looked at.
    lang : "es" or "en"
    name : str, optional
        Whose it is; the submission's `id` without it.

    Returns
    -------
    html : str
        All of it: style, script and data.

    Raises
    ------
    ValueError
        For another language.
    """
    submission = said(submission, lang)
    everywhere, own = shared_rules(submission["functions"])
    functions = [Function.of(*each) for each in zip(submission["functions"], own, strict=True)]
    told = submission["status"] != "not_run"
    lines = lines_of(submission["source"])
    shown = _shown(lines)
    notes = _notes(submission, functions, everywhere, lang)
    return render(
        "feedback",
        lang,
        submission=submission,
        title=name or submission["id"],
        file=PurePath(submission["file"]).name,
        head=result_head,
        strip=strip(submission["functions"]),
        functions=functions,
        everywhere=everywhere,
        steps=_steps(submission, functions)[:STEPS],
        missing=[function for function in functions if told and function.verdict == "missing"],
        wrong=[function for function in functions if told and function.verdict not in ("pass", "missing")],
        better=[function for function in functions if told and function.verdict == "pass" and function.tells],
        told_first=TOLD_FIRST,
        lines=[Line(number, line, notes.get(number)) for number, line in enumerate(lines[:shown], 1)],
        more_lines=len(lines) - shown,
        last_line=shown,
    )


def _shown(lines: Sequence[str]) -> int:
    """Return how many lines of a source are shown."""
    sizes = accumulate(min(len(line), LONGEST_LINE) for line in lines[:MOST_LINES])
    return sum(size <= MOST_SHOWN for size in sizes)


@dataclass
class Function:
    """A row of the rubric, as the page tells it."""

    name: str
    verdict: str
    points: float | None
    max_points: float
    rules: list[Mapping[str, Any]]
    wrong: list[Mapping[str, Any]]  # checks that did not pass
    passed: int
    total: int
    called: str  # its name in the file, which several rows may share
    line: int | None  # where it is defined
    likely: Sentence  # its diagnosis, which may be empty

    @classmethod
    def of(cls, function: Mapping[str, Any], rules: list[Mapping[str, Any]]) -> Function:
        """Make one of a function of the canonical result and the rules that are told of it alone."""
        wrong = [check for check in function["checks"] if check["verdict"] != "pass"]
        total = len(function["checks"])
        known = {key: function[key] for key in ("name", "verdict", "points", "max_points", "line", "likely")}
        passed = total - len(wrong)
        return cls(**known, rules=rules, wrong=wrong, passed=passed, total=total, called=function["function"])

    @property
    def tells(self) -> bool:
        """Whether there is something to read about it."""
        return bool(self.rules or self.wrong)

    @property
    def lost(self) -> float:
        """Points that can still be won."""
        return self.max_points - (self.points or 0)

    @property
    def nearness(self) -> float:
        """Points within reach: those lost, by the fraction of the checks that pass already."""
        return self.lost * self.passed / (self.total or 1)


@dataclass(frozen=True)
class Step:
    """Something to do: the id of its sentence, the function, and the sentence of the grader that says what is wrong."""

    id: str
    function: Function | None
    why: Sentence | None


@dataclass(frozen=True)
class Line:
    """A line of the source: None for one that nobody complains about, otherwise what is said of it, perhaps nothing."""

    number: int
    text: str
    notes: Sequence[Note] | None

    @property
    def shown(self) -> str:
        """The line, cut where nobody would read on."""
        return self.text[:LONGEST_LINE]

    @property
    def more(self) -> int:
        """Characters that are left out."""
        return len(self.text[LONGEST_LINE:])


@dataclass(frozen=True)
class Note:
    """What is said of a line: a sentence, and the functions that it is about; none for the whole file."""

    functions: tuple[str, ...]
    sentence: str


def _steps(submission: Mapping[str, Any], functions: Sequence[Function]) -> list[Step]:
    """Say what to do, the most useful first: what stops everything, what is nearest to its points, what to write."""
    if submission["status"] == "grader_error":
        return [Step("page.next.wait", None, None)]
    if submission["status"] == "not_run":
        return [Step("page.next.run", None, submission["reason"])]
    written = [function for function in functions if function.verdict not in ("pass", "missing")]
    missing = [function for function in functions if function.verdict == "missing"]
    steps = [_correction(function) for function in sorted(written, key=lambda function: -function.nearness)]
    if missing:
        steps.insert(STEPS - 1, Step("page.next.write", missing[0], None))
    return steps or [Step("page.next.nothing", None, None)]


def _correction(function: Function) -> Step:
    broken = [rule["sentence"] for rule in function.rules if rule["severity"] == "broken"]
    if function.verdict == "rule":
        return Step("page.next.rule" if function.wrong else "page.next.only_rule", function, _first(broken))
    why = [function.likely] if function.likely else [check["sentence"] for check in function.wrong]
    return Step("page.next.fix", function, _first(why))


def _first(sentences: Sequence[Sentence]) -> Sentence | None:
    return sentences[0] if sentences else None


def _notes(
    submission: Mapping[str, Any], functions: Sequence[Function], everywhere: Sequence[Mapping[str, Any]], lang: str
) -> dict[int, list[Note]]:
    """Return what is said of each line of the source; an empty list for one that is only marked."""
    about: dict[tuple[int, str], list[str]] = {}
    for names, line, sentence in _remarks(submission, functions, everywhere, lang):
        about.setdefault((line, sentence), []).extend(names)
    rules = [*everywhere, *(rule for function in functions for rule in function.rules)]
    notes: dict[int, list[Note]] = {line: [] for rule in rules for line in lines_named(rule["sentence"])}
    for (line, sentence), names in about.items():
        notes.setdefault(line, []).append(Note(tuple(dict.fromkeys(names)), sentence))
    return notes


def _remarks(
    submission: Mapping[str, Any], functions: Sequence[Function], everywhere: Sequence[Mapping[str, Any]], lang: str
) -> Iterator[tuple[list[str], int, str]]:
    """Yield functions, line and sentence of every remark; no functions where it is about the whole file."""
    for rule in everywhere:
        if rule["line"] is not None:
            yield [], rule["line"], rule["sentence"]
    if submission["status"] == "not_run":
        known = {rule["line"] for rule in everywhere}
        yield from (([], line, submission["reason"]) for line in lines_named(submission["reason"]) if line not in known)
        return
    for function in functions:
        if function.line is not None and function.wrong:
            facts = {"passed": function.passed, "total": function.total}
            yield [function.name], function.line, say("page.student.passes", facts, lang)
        for rule in function.rules:
            if rule["line"] is not None:
                yield [function.name], rule["line"], rule["sentence"]
        for check in function.wrong:
            for line in lines_named(check["sentence"]):
                yield [function.name], line, say("page.student.raises", {}, lang)
