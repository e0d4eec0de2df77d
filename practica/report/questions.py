"""Questions that a class leaves to a person, until they are decided: for pages, `exceptions.txt` and the review.

    kind       key                  what there is to decide
    failed     status               the grader failed, and there is no mark
    incident   its code             there is no file to grade, or there are several that could be it
    worksheet  its code             a row of the worksheet stays as it is; that is settled in Moodle, not in the review
    not_run    status               the file cannot be read or imported
    stopped    stopped              the file stops half-way
    flag       flag:NAME            something that costs nothing, and may hide what the file does
    similar    similar:OTHER        two submissions that resemble each other

A decision `seen:KEY` of the same submission answers a question, as long as the file is the same; a total answers why
there was no mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from practica.engine.adjustments import BY_HAND, SEEN, TOTAL, holds
from practica.engine.result import Class, Incident, Result
from practica.report.messages import Sentence, say, tables
from practica.report.words import flags_of, said, status_of, stop_of

__all__ = ["KINDS", "WITHOUT_MARK", "Question", "open_questions", "serious"]

KINDS = ("failed", "incident", "worksheet", "not_run", "stopped", "flag", "similar")
OF_WORKSHEETS = ("worksheet.", "grade.")  # families of incidents
WITHOUT_MARK = ("failed", "incident", "not_run")  # what a total answers


@dataclass(frozen=True)
class Question:
    """Something that a person should decide.

    Attributes
    ----------
    kind, key : str
        See above.
    entry : str or None
        The submission that it is about; None for the whole class.
    sentence : Sentence
        What there is to say; of an incident with the name.
    line : int or None
        Of the source.
    name : str
        Of a flag.
    """

    kind: str
    key: str
    entry: str | None
    sentence: Sentence
    line: int | None = None
    name: str = ""

    @property
    def is_named(self) -> bool:
        """Whether the sentence has the name of the student, where it is about one."""
        return self.entry is None or self.kind in ("incident", "worksheet")


def serious(incident: Incident) -> bool:
    """Return whether a person must do something about it; the others only inform.

    Examples
    --------
    >>> serious(Incident("submission.none", {"name": "Ana"})), serious(Incident("file.renamed", {}))
    (True, False)
    """
    return incident.code not in tables("incidents")["know"]


def open_questions(result: Result, incidents: Iterable[Incident] = (), lang: str = "es") -> list[Question]:
    """Return what is not decided yet, kind by kind.

    Parameters
    ----------
    result : Result
        Of a class.
    incidents : Incident
        More than those of the class: of its worksheet.
    lang : "es" or "en"
    """
    class_ = result.class_ or Class(())
    seen = set(_answered(class_))
    codes = {code: place for place, code in enumerate(code for table in tables("incidents").values() for code in table)}
    found = [each for each in (*class_.incidents, *incidents) if serious(each)]
    found.sort(key=lambda each: (codes.get(each.code, -1), each.entry or ""))
    questions = [
        Question(_kind(each), each.code, each.entry, say(each.code, each.facts, lang, strict=False)) for each in found
    ]
    questions += [*_of_submissions(result, lang), *_of_pairs(class_, lang)]
    asked = [each for each in questions if (each.entry, each.key) not in seen and (each.entry, each.kind) not in seen]
    return sorted(asked, key=lambda each: KINDS.index(each.kind))


def _kind(incident: Incident) -> str:
    return "worksheet" if incident.code.startswith(OF_WORKSHEETS) else "incident"


def _answered(class_: Class) -> Iterator[tuple[str | None, str]]:
    """Yield the submission, and the key or the kind, of what is decided."""
    hashes = {entry.id: entry.sha256 for entry in class_.entries}
    for decision in class_.decisions:
        if holds(decision, hashes.get(decision.identifier)):
            if decision.function.startswith(SEEN):
                yield decision.identifier, decision.function.removeprefix(SEEN)
            elif decision.function == TOTAL:
                yield from ((decision.identifier, kind) for kind in WITHOUT_MARK)


def _of_submissions(result: Result, lang: str) -> Iterator[Question]:
    for submission in result.submissions:
        if submission.status != "graded":
            if submission.reason is None or submission.reason.message != BY_HAND:
                kind = "failed" if submission.status == "grader_error" else "not_run"
                yield Question(kind, "status", submission.id, status_of(said(submission, lang), lang))
        elif stop := stop_of(submission.functions, submission.cells or (), lang, flagged=True):
            yield Question("stopped", "stopped", submission.id, stop)
        for flag in flags_of(submission, lang):
            yield Question("flag", f"flag:{flag.name}", submission.id, flag.sentence, flag.line, flag.name)


def _of_pairs(class_: Class, lang: str) -> Iterator[Question]:
    labels = {entry.id: entry.label for entry in class_.entries}
    for first, second, share in class_.similar:
        facts = {"other": labels.get(second, second), "share": f"{100 * share:.0f} %"}
        yield Question("similar", f"similar:{second}", first, say("question.similar", facts, lang))
