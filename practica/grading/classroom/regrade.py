"""The marks that change between two results, by how much, and why: after an appeal, a new rubric,
or a new version.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from practica.grading.engine.result import Result, SubmissionResult
from practica.grading.report.words import SaidFunction, SaidSubmission, decided, said

# name and number; of several who share them, id and file as well
Person: TypeAlias = "tuple[str | int | None, ...]"


@dataclass(frozen=True)
class Change:
    """The change of one submission's mark between two results."""

    id: str  # in the new result; in the old one where it is only there
    name: str  # the student's or the team's, with Moodle's number
    before: float | None  # before, after: points; None for no mark
    after: float | None
    present: tuple[bool, bool]  # whether it is in the old result, and in the new one
    same_file: bool  # whether the file is the same, byte for byte
    # those with other points, with the sentences of the worse of both results
    functions: tuple[tuple[str, float, float, tuple[str, ...]], ...]
    # why it could not be run or marked, in the old result or the new one; what a person decided in
    # one of them
    reasons: tuple[str, ...] = ()


def compare(old: Result, new: Result, lang: str = "es") -> list[Change]:
    """Return the change of each mark that differs, or that only one result has, the largest loss
    first.

    Two submissions are the same person's if the names and numbers in the two results are equal; a
    result without a class has ids in place of names. With names, ids do not count, because an id
    depends on the other entries of its class. If several submissions of a result have the same name
    and number, their ids and files must be equal too.
    """
    changes = [_change(who, *pair, lang) for who, pair in paired(old, new).items()]
    changed = [
        change for change in changes if change.before != change.after or not all(change.present)
    ]
    return sorted(
        changed, key=lambda change: ((change.after or 0.0) - (change.before or 0.0), change.id)
    )


def paired(
    old: Result, new: Result
) -> dict[Person, tuple[SubmissionResult | None, SubmissionResult | None]]:
    """Pair the submissions of each person in the old and the new result; None if there is none."""
    both = [_with_names(each) for each in (old, new)]
    several = {
        who for side in both for who, times in Counter(who for who, _ in side).items() if times > 1
    }
    before, after = (
        {(*who, *((each.id, each.sha256) if who in several else ())): each for who, each in side}
        for side in both
    )
    return {who: (before.get(who), after.get(who)) for who in {**before, **after}}


def _with_names(result: Result) -> list[tuple[Person, SubmissionResult]]:
    """Return each submission with the name and number of its student, or with its id if the result
    has no class.
    """
    entries = () if result.class_ is None else result.class_.entries
    names = {entry.id: (entry.name, entry.number) for entry in entries}
    return [
        (names.get(submission.id, (submission.id, None)), submission)
        for submission in result.submissions
    ]


def _change(
    who: Person, old: SubmissionResult | None, new: SubmissionResult | None, lang: str
) -> Change:
    first, second = (None if side is None else said(side, lang) for side in (old, new))
    known = [side for side in (first, second) if side is not None]
    name, number, *_ = who
    return Change(
        known[-1].id,
        str(name) if number is None else f"{name} ({number})",
        None if first is None else first.points,
        None if second is None else second.points,
        (old is not None, new is not None),
        len({side.sha256 for side in known}) == 1,
        tuple(_functions(first, second)) if first and second else (),
        tuple(dict.fromkeys([*(side.why for side in known if side.why), *_decisions(known, lang)])),
    )


def _decisions(sides: Sequence[SubmissionResult], lang: str) -> list[str]:
    """Return the sentences about lateness and a person's decisions in both results of a submission;
    none if they are the same in both.
    """
    each = [decided(side, lang) for side in sides]
    return [] if each[0] == each[-1] else [sentence for sentences in each for sentence in sentences]


def _functions(
    old: SaidSubmission, new: SaidSubmission
) -> Iterator[tuple[str, float, float, tuple[str, ...]]]:
    before = {function.name: function for function in old.functions}
    after = {function.name: function for function in new.functions}
    for name in {**before, **after}:
        sides = [before.get(name), after.get(name)]
        first, second = ((side and side.points) or 0.0 for side in sides)
        if first != second:
            worse = sides[first > second]
            yield name, first, second, tuple(dict.fromkeys(_reasons(worse))) if worse else ()


def _reasons(function: SaidFunction) -> Iterator[str]:
    for rule in function.broken:
        yield rule.sentence
    for check in function.failed:
        if check.sentence:
            yield f"{check.id}: {check.sentence}"
