"""The page of a class: what needs a person first, then the marks, everybody, the mistakes, and what
fails most.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from urllib.parse import quote

from practica.grading.engine.adjustments import COMMENT, LATE
from practica.grading.engine.result import Result
from practica.grading.report.messages import Sentence, principle, say
from practica.grading.report.pages.strip import HEIGHTS, strip
from practica.grading.report.pages.text import number, render
from practica.grading.report.questions import KINDS, Exceptions, Question
from practica.grading.report.words import SaidFunction, SaidSubmission, lateness, said

BINS = 10
TOLD_FIRST = 10  # what fails most


def index_page(
    result: Result,
    lang: str = "es",
    exceptions: Exceptions | None = None,
    paths: Mapping[str, str] | None = None,
) -> str:
    """Return the page of a class.

    `exceptions`: the questions and notes for a person; by default those of the result.
    `paths`: where the page of each submission is, relative to this one; without it there are no
        links.
    Returned `html`: all of it: style, script and data.
    Raises `ValueError` for a language without pages.
    """
    exceptions = Exceptions.of(result, lang) if exceptions is None else exceptions
    questions = exceptions.questions
    submissions = [said(submission, lang) for submission in result.submissions]
    marks = result.marks
    worst = _most_frequent(submissions, _failures)
    students = _students(result, submissions, questions)
    return render(
        "index",
        lang,
        head=result,
        students=students,
        labels={student.id: student.label for student in students},
        links={id: quote(path) for id, path in (paths or {}).items()},
        questions={
            kind: found
            for kind in KINDS
            if (found := [question for question in questions if question.kind == kind])
        },
        notes=exceptions.notes,
        marks=marks,
        mean=statistics.fmean(marks) if marks else None,
        median=statistics.median(marks) if marks else None,
        full=sum(submission.points == submission.max_points for submission in submissions),
        stopped=sum(
            submission.status == "not_run" and submission.points == 0 for submission in submissions
        ),
        bars=_bars(marks, result.rubric.max_points, lang),
        mistakes=_most_frequent(submissions, _mistakes),
        worst=worst[:TOLD_FIRST],
        more_worst=worst[TOLD_FIRST:],
        ran=sum(submission.status != "not_run" for submission in submissions),
        functions=result.verdicts,
        verdicts=[verdict for verdict in HEIGHTS if verdict != "manual" or result.has_manual],
    )


@dataclass(frozen=True)
class Student:
    """A row of the table of the class: a student who handed in, with a mark or without."""

    id: str
    label: str
    status: str  # "graded", "not_run", "grader_error" or "no_file"
    points: float | None
    functions: tuple[SaidFunction, ...]
    late: str  # how late it is; empty if it is not
    adjusted: bool  # whether a person changed the mark
    flags: list[str]  # the names of what a person should look at
    open: bool  # whether there is something to decide

    @property
    def lost(self) -> list[str]:
        """The functions without all their points."""
        return [
            function.name for function in self.functions if function.points != function.max_points
        ]

    @property
    def right(self) -> int:
        """How many functions have all their points."""
        return len(self.functions) - len(self.lost)

    @property
    def strip(self) -> list[tuple[str, str]]:
        """The functions as the paths of a drawing, all as wide."""
        return strip(self.functions, alike=True)


def _students(
    result: Result, submissions: Sequence[SaidSubmission], questions: Sequence[Question]
) -> list[Student]:
    """Return a row for each student who handed in, by name."""
    labels = {submission.id: submission.id for submission in submissions}
    if result.class_ is not None:
        labels = {entry.id: entry.label for entry in result.students}
    known = {submission.id: submission for submission in submissions}
    own: dict[str | None, list[Question]] = {}
    for question in questions:
        own.setdefault(question.entry, []).append(question)
    students = []
    for id, label in sorted(labels.items(), key=lambda item: (item[1].casefold(), item[0])):
        asked = own.get(id, [])
        flags = [question.name for question in asked if question.kind == "flag"]
        if (marked := known.get(id)) is None:
            students.append(Student(id, label, "no_file", None, (), "", False, flags, bool(asked)))
            continue
        adjusted = any(
            adjustment.function != COMMENT and (adjustment.note or adjustment.function != LATE)
            for adjustment in marked.adjustments
        )
        late = "" if marked.late is None else lateness(marked.late)
        facts = marked.status, marked.points, marked.functions, late, adjusted
        students.append(Student(id, label, *facts, flags, bool(asked)))
    return students


@dataclass
class Failing:
    """A check, rule or known mistake that students fail: the students, and the sentence that each
    one got.
    """

    id: str
    function: str
    who: list[str] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)

    def sentence(self, lang: str) -> str:
        """Return a sentence that is true of all these students; that of a rule has all the names
        that it was broken with.
        """
        is_check = self.id.startswith(f"{self.function}.")
        if not is_check and len(set(self.sentences)) == 1:
            return self.sentences[0]
        names = dict.fromkeys(
            text for sentence in self.sentences for place, text in sentence.parts if place == "name"
        )
        if not is_check and names:
            return say(self.id, {"name": [*names][:10]}, lang, strict=False)
        return principle(self.id, lang) or self.sentences[0]


def _most_frequent(
    submissions: Sequence[SaidSubmission],
    wrong: Callable[[SaidSubmission], Iterable[tuple[str, str, Sentence]]],
) -> list[Failing]:
    """Return the failures that `wrong` yields for each submission, the most frequent first; missing
    functions are listed elsewhere.
    """
    found: dict[tuple[str, str], Failing] = {}
    for submission in submissions:
        if submission.status == "not_run":
            continue
        for function, identifier, sentence in wrong(submission):
            failing = found.setdefault((function, identifier), Failing(identifier, function))
            failing.sentences.append(sentence)
            if submission.id not in failing.who:
                failing.who.append(submission.id)
    return sorted(found.values(), key=lambda failing: -len(failing.who))


def _failures(submission: SaidSubmission) -> Iterator[tuple[str, str, Sentence]]:
    for function in submission.functions:
        if function.verdict == "missing":
            continue
        checks = (check for check in function.checks if check.verdict == "fail")
        yield from ((function.name, rule.id, rule.sentence) for rule in function.broken)
        yield from ((function.name, check.id, check.sentence) for check in checks)


def _mistakes(submission: SaidSubmission) -> Iterator[tuple[str, str, Sentence]]:
    for function in submission.functions:
        for mistake in function.mistakes:
            yield function.name, mistake.id, mistake.sentence


@dataclass(frozen=True)
class Bar:
    """A bar of the histogram: the points between which the marks are, and where it is in the
    drawing.
    """

    begin: str
    end: str
    count: int
    x: int
    height: float


def _bars(marks: Sequence[float], most: float, lang: str) -> list[Bar]:
    """Return the bars of the histogram of some marks out of `most`, in the units of the drawing."""
    counts = [0] * BINS
    for mark in marks:
        counts[min(int(mark / most * BINS + 1e-9), BINS - 1) if most else 0] += 1
    edges = [number(most * edge / BINS, lang) for edge in range(BINS + 1)]
    highest = max(counts) or 1
    return [
        Bar(begin, end, count, place * 60, round(150 * count / highest, 1))
        for place, (count, (begin, end)) in enumerate(zip(counts, pairwise(edges), strict=True))
    ]
