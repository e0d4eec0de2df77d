"""The one list of what a class leaves to a person: for pages, `exceptions.txt`, the terminal and
the review.

    kind       key                  what there is to decide
    whose      its code             files and folders that nobody can be given
    failed     status               the grader failed, and there is no mark
    incident   its code             there is no file to grade, or there are several that could be it
    worksheet  its code             a row of the worksheet stays as it is
    not_run    status               the file cannot be read or imported
    manual     manual:ROW           the points of a row that a person marks; only points answer it
    stopped    stopped              the file stops half-way
    flag       flag:NAME            something that costs nothing, and may hide what the file does
    similar    similar:OTHER        two submissions that resemble each other

A decision `seen:KEY` of the same submission answers a question, as long as the file is the same; a
total answers why there was no mark, and any points that a person gives answer why a row stays as it
is. The key of a question about the whole class ends with a hash of its facts, and its decision has
no identifier.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import filterfalse
from typing import Self

from practica.grading.engine.adjustments import SEEN, TOTAL, holds, is_by_hand
from practica.grading.engine.result import Class, Incident, Result
from practica.grading.report.messages import Sentence, say, tables
from practica.grading.report.words import flags_of, said, status_of, stop_of
from practica.json_data import visible

KINDS = (
    "whose",
    "failed",
    "incident",
    "manual",
    "worksheet",
    "not_run",
    "stopped",
    "flag",
    "similar",
)
# By the family of an incident.
KIND_OF = {"path": "whose", "worksheet": "worksheet", "grade": "worksheet", "similar": "similar"}
WITHOUT_MARK = ("failed", "incident", "manual", "not_run")  # what a total answers
KEPT = "worksheet.kept"  # what any points answer: the row is filled then
# kinds that the terminal does not show with each submission
NOT_PRINTED = ("whose", "incident", "flag")


@dataclass(frozen=True)
class Question:
    """A question that a person should decide.

    `entry`: the submission that it is about; None for the whole class.
    `sentence`: what there is to say; for an incident, with the name of the student.
    `line`: a line of the source.
    `name`: the name of a flag.
    `label`: the name of the student, where the sentence has none; empty if it has.
    """

    kind: str
    key: str
    entry: str | None
    sentence: Sentence
    line: int | None = None
    name: str = ""

    label: str = ""

    def __str__(self) -> str:
        """Return the sentence, with the student's name in front."""
        return f"{self.label}: {self.sentence}" if self.label else self.sentence


@dataclass(frozen=True)
class Exceptions:
    """The questions that a person has to decide, and notes that only inform.

    `questions`: what is not decided yet, kind by kind.
    `notes`: sentences that only inform.
    """

    questions: tuple[Question, ...]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, result: Result, lang: str = "es", *, printed: bool = False) -> Self:
        """List the questions and notes of a result.

        `printed` leaves out the kinds that the terminal shows with each submission.
        """
        class_ = result.class_ or Class(())
        questions = [
            question
            for question in _open(result, lang)
            if not printed or question.kind in NOT_PRINTED
        ]
        return cls(
            tuple(questions), tuple(sentences_of(filterfalse(serious, class_.incidents), lang))
        )

    def as_text(self, lang: str) -> str:
        """Return both lists under their headings; nothing if both are empty."""
        text = ""
        for id, lines in (
            ("class.exceptions", [*map(str, self.questions)]),
            ("class.notes", self.notes),
        ):
            if lines:
                shown = [
                    say(id, {"count": len(lines)}, lang),
                    *(visible(line, kept="") for line in lines),
                ]
                text += "\n  ".join(shown) + "\n\n"
        return text


def serious(incident: Incident) -> bool:
    """Return whether an incident requires a person to act; the others only inform.

    >>> serious(Incident("submission.none", {"name": "Ana"})), serious(Incident("file.renamed", {}))
    (True, False)
    """
    return incident.code not in tables("incidents")["know"]


def is_of_worksheet(incident: Incident) -> bool:
    """Return whether an incident is about the filled worksheet, so that it goes when another
    worksheet is filled.
    """
    return _kind(incident) == "worksheet"


def sentences_of(incidents: Iterable[Incident], lang: str = "es") -> list[str]:
    """Return the sentences of incidents: first those that need a person, and each kind together.

    >>> sentences_of([Incident("submission.none", {"name": "Ana"})], "en")
    ['Ana: there is no file to grade.']
    """
    return [_sentence(incident, lang) for incident in _ordered(incidents)]


def _ordered(incidents: Iterable[Incident]) -> list[Incident]:
    """Put incidents into the order of the catalogue, which is the one in which a person wants to
    read them.
    """
    codes = [code for table in tables("incidents").values() for code in table]
    places = {code: place for place, code in enumerate(codes)}
    return sorted(
        incidents, key=lambda incident: (places.get(incident.code, -1), incident.entry or "")
    )


def _sentence(incident: Incident, lang: str) -> Sentence:
    return say(incident.code, incident.facts, lang, strict=False)


def _open(result: Result, lang: str) -> list[Question]:
    """Return the questions that are not decided yet, kind by kind."""
    class_ = result.class_ or Class(())
    found = _ordered(filter(serious, class_.incidents))
    questions = [
        Question(_kind(incident), _key(incident), incident.entry, _sentence(incident, lang))
        for incident in found
    ]
    questions += [*_of_submissions(result, class_.labels, lang), *_of_pairs(class_, lang)]
    answered = set(_answered(class_))
    asked = [question for question in questions if answered.isdisjoint(_ways(question))]
    return sorted(asked, key=lambda question: KINDS.index(question.kind))


def is_answered(question: Question, class_: Class) -> bool:
    """Return whether a decision of a class answers a question."""
    return not set(_answered(class_)).isdisjoint(_ways(question))


def _ways(question: Question) -> set[tuple[str, str]]:
    """Return the pairs (submission, key) by which a decision answers a question: the key is its
    own, or its kind.
    """
    return {(question.entry or "", question.key), (question.entry or "", question.kind)}


def _kind(incident: Incident) -> str:
    return KIND_OF.get(incident.code.partition(".")[0], "incident")


def _key(incident: Incident) -> str:
    if incident.entry is not None:
        return incident.code
    facts = json.dumps(incident.facts, sort_keys=True, default=str)
    return f"{incident.code}:{hashlib.sha256(facts.encode()).hexdigest()[:8]}"


def _answered(class_: Class) -> Iterator[tuple[str, str]]:
    """Yield the pairs (submission, key or kind) that the valid decisions of a class answer."""
    hashes = {entry.id: entry.sha256 for entry in class_.entries}
    for decision in class_.decisions:
        if holds(decision, hashes.get(decision.identifier)):
            if decision.function.startswith(SEEN):
                if not decision.function.startswith(f"{SEEN}manual:"):
                    yield decision.identifier, decision.function.removeprefix(SEEN)
            elif decision.points is not None:
                answered = (
                    (*WITHOUT_MARK, KEPT)
                    if decision.function == TOTAL
                    else (KEPT, f"manual:{decision.function}")
                )
                yield from ((decision.identifier, each) for each in answered)


def _of_submissions(result: Result, labels: Mapping[str, str], lang: str) -> Iterator[Question]:
    for submission in result.submissions:
        label = labels.get(submission.id, submission.id)
        if submission.status != "graded":
            if not is_by_hand(submission):
                kind = "failed" if submission.status == "grader_error" else "not_run"
                sentence = status_of(said(submission, lang), lang)
                yield Question(kind, "status", submission.id, sentence, label=label)
        elif stop := stop_of(submission.functions, submission.cells or (), lang, flagged=True):
            yield Question("stopped", "stopped", submission.id, stop, label=label)
        for function in submission.functions:
            if function.verdict == "manual" and function.points is None:
                facts = {"function": function.name, "most": f"{function.max_points:.2f}"}
                sentence = say("question.manual", facts, lang)
                yield Question(
                    "manual", f"manual:{function.name}", submission.id, sentence, label=label
                )
        for flag in flags_of(submission, lang):
            yield Question(
                "flag",
                f"flag:{flag.name}",
                submission.id,
                flag.sentence,
                flag.line,
                flag.name,
                label,
            )


def _of_pairs(class_: Class, lang: str) -> Iterator[Question]:
    labels = class_.labels
    for first, second, share in class_.similar:
        facts = {"other": labels.get(second, second), "share": f"{100 * share:.0f} %"}
        sentence = say("question.similar", facts, lang)
        yield Question(
            "similar", f"similar:{second}", first, sentence, label=labels.get(first, first)
        )
