"""Decisions of a person, and lateness, put into the points of a result: the one place that changes
a mark afterwards.

    points of the functions, as marked or as decided
      -> their sum, less what the lateness costs
        -> or the total that a person decided

What the grader marked stays beside it, so that a result can be settled again with other decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from types import MappingProxyType

from practica.grading.engine.lateness import DAY, LateRule
from practica.grading.engine.result import (
    Adjustment,
    Class,
    Decision,
    FunctionResult,
    Incident,
    Lateness,
    Reason,
    Result,
    SubmissionResult,
)
from practica.json_data import exact

TOTAL, LATE, EXTENSION = "total", "late", "extension"
COMMENT = ""  # the function of a line that the student reads, and that changes nothing
SEEN, FILE = "seen:", "file:"  # before what was seen, and the file that is to be marked
BY_HAND = "decision.by_hand"  # why there are no functions in a submission without a file
# incidents
OTHER_FILE, LOWER, NO_MARK = "decision.other_file", "decision.lower", "decision.no_mark"


def settled(
    result: Result,
    late: Mapping[str, int] | None = None,
    unwritten: Mapping[str, SubmissionResult] = MappingProxyType({}),
) -> Result:
    """Return a result with the decisions of its class in its points, regardless of what was in them
    before.

    `late`: by how many seconds each late submission is late, by its id; without it, what the result
        knows.
    `unwritten`: by id, results without a mark in place of submissions that cannot be written.
    Returned `settled`: decisions about another file than was marked, and about parts of a mark that
        are not there, change nothing and become incidents. A total for a student without a file
        makes a submission that has nothing else.
    """
    if result.class_ is None:
        return result
    entries = {entry.id: entry for entry in result.class_.entries}
    decided: dict[str, dict[str, Decision]] = {}
    others = []
    for decision in result.class_.decisions:
        if decision.function.startswith((SEEN, FILE)):
            continue
        if holds(decision, entries[decision.identifier].sha256):
            decided.setdefault(decision.identifier, {})[decision.function] = decision
        else:
            others.append(_without_effect(OTHER_FILE, decision, entries[decision.identifier].label))
    known = {
        submission.id: unwritten.get(submission.id) or as_marked(submission)
        for submission in result.submissions
        if entries[submission.id].sha256 is not None
    }
    for name, about in decided.items():
        if TOTAL in about and name not in known:
            most, reason = result.rubric.max_points, Reason(BY_HAND, {})
            known[name] = SubmissionResult(
                name, "", "", "not_run", reason, None, most, source="", cells=()
            )
    late = _late(result) if late is None else late
    submissions = [
        _settled(known[name], decided.get(name, {}), result.rubric.late, (late or {}).get(name, 0))
        for name in entries
        if name in known
    ]
    others += [
        incident
        for submission in submissions
        for incident in _lowered(submission, entries[submission.id].label)
    ]
    rows = {
        name: {
            LATE,
            EXTENSION,
            COMMENT,
            TOTAL,
            *(function.name for function in known[name].functions),
        }
        for name in known
    }
    others += [
        _without_effect(NO_MARK, each, entries[name].label)
        for name, about in decided.items()
        for each in about.values()
        if each.function not in rows.get(name, ())
    ]
    incidents = [
        each for each in result.class_.incidents if each.code not in (OTHER_FILE, LOWER, NO_MARK)
    ]
    class_ = replace(result.class_, incidents=(*incidents, *others), late=late)
    return replace(result, class_=class_, submissions=tuple(submissions))


def _without_effect(code: str, decision: Decision, name: str) -> Incident:
    """Return the incident of a decision that changes nothing, with its note if there is one."""
    note = f" ({decision.note})" if decision.note else ""
    facts = {"name": name, "function": decision.function, "note": note}
    return Incident(code, facts, decision.identifier)


def _lowered(submission: SubmissionResult, label: str) -> Iterator[Incident]:
    """Yield an incident for each decision by which a submission gets less than the grader gives
    now, because the grader may have been corrected since.
    """
    for adjustment in submission.adjustments:
        if (
            adjustment.function != LATE
            and adjustment.before is not None
            and adjustment.before > (adjustment.after or 0)
        ):
            facts = {
                "name": label,
                "function": adjustment.function,
                "before": adjustment.before,
                "after": adjustment.after,
            }
            yield Incident(LOWER, facts, submission.id)


def decided_in(result: Result) -> set[str]:
    """Return the ids of the submissions of a class to which a person gave points, or an
    extension.
    """
    class_ = result.class_ or Class(())
    hashes = {entry.id: entry.sha256 for entry in class_.entries}
    return {
        decision.identifier
        for decision in class_.decisions
        if decision.points is not None and holds(decision, hashes.get(decision.identifier))
    }


def is_by_hand(submission: SubmissionResult) -> bool:
    """Return whether a submission has a mark only because a person gave it one."""
    if submission.reason is not None and submission.reason.message == BY_HAND:
        return True
    return submission.status == "grader_error" and submission.points is not None


def holds(decision: Decision, sha256: str | None) -> bool:
    """Return whether a decision is about the file with this hash; a decision without a hash is
    about any file.
    """
    return (sha256 or "").startswith(decision.sha256)


def is_consistent(submission: SubmissionResult) -> bool:
    """Return whether the points of a submission are the sum of its functions' points with the
    adjustments.
    """
    if submission.kept is not None and not is_consistent(submission.kept):
        return False
    points = {function.name: function.points for function in submission.functions}
    if not submission.adjustments:
        whole = None if None in points.values() else _sum(submission.functions)
        return submission.status == "grader_error" or submission.points == whole
    whole = submission.marked
    if (
        any(adjustment.function in points for adjustment in submission.adjustments)
        and None not in points.values()
    ):
        whole = _sum(submission.functions)
    for adjustment in submission.adjustments:
        if adjustment.function in points:
            if points[adjustment.function] != adjustment.after:
                return False
        elif whole != adjustment.before:
            return False
        else:
            whole = adjustment.after
    return submission.points == whole


def _late(result: Result) -> Mapping[str, int] | None:
    """Return by how many seconds each late submission is late, by its id: as the class says or, in
    a result of an earlier version, its submissions. None if neither says it.
    """
    if result.class_ is not None and result.class_.late is not None:
        return result.class_.late
    of_submissions = {
        submission.id: submission.late.seconds
        for submission in result.submissions
        if submission.late
    }
    return of_submissions or None


def as_marked(submission: SubmissionResult) -> SubmissionResult:
    """Return a submission without its adjustments; for a substitute, the submission that it
    keeps.
    """
    if submission.kept is not None:
        return submission.kept
    if not submission.adjustments:
        return submission
    before = {adjustment.function: adjustment.before for adjustment in submission.adjustments}
    functions = (
        replace(function, points=before[function.name]) if function.name in before else function
        for function in submission.functions
    )
    return replace(
        submission,
        points=submission.marked,
        functions=tuple(functions),
        marked=None,
        adjustments=(),
    )


def _settled(
    submission: SubmissionResult,
    decided: Mapping[str, Decision],
    rule: LateRule | None,
    seconds: int,
) -> SubmissionResult:
    """Return a submission with decisions and lateness put into its points as marked.

    `decided`: the decisions by what they are about: a row, "late", "total", ...
    `seconds`: how late it is.
    """
    functions, adjustments = _adjusted(submission.functions, decided)
    points = submission.points
    if adjustments and all(function.points is not None for function in functions):
        points = _sum(functions)
    late = _lateness(decided, rule, seconds)
    if points is not None and (change := _for_lateness(late, decided, rule, points)) is not None:
        adjustments.append(change)
        points = change.after
    if TOTAL in decided and (total := decided[TOTAL].points) is not None:
        adjustments.append(Adjustment(TOTAL, points, total, decided[TOTAL].note))
        points = total
    if COMMENT in decided:
        adjustments.append(Adjustment(COMMENT, points, points, decided[COMMENT].note))
    marked = submission.points if adjustments else None
    return replace(
        submission,
        functions=functions,
        points=points,
        late=late,
        marked=marked,
        adjustments=tuple(adjustments),
    )


def _lateness(
    decided: Mapping[str, Decision], rule: LateRule | None, seconds: int
) -> Lateness | None:
    """Return how late a submission is and, by the rule and a decided extension, how many days cost
    points; None if it is not late.
    """
    if seconds <= 0:
        return None
    if rule is None:
        return Lateness(seconds)
    more = decided[EXTENSION].points or 0.0 if EXTENSION in decided else 0.0
    return Lateness(seconds, rule.days(seconds - exact(more) * DAY))


def _for_lateness(
    late: Lateness | None, decided: Mapping[str, Decision], rule: LateRule | None, points: float
) -> Adjustment | None:
    """Return the adjustment that lateness makes to `points`: as decided, or by the rule. None if it
    takes nothing and no decision says so.
    """
    if late is None and LATE not in decided:  # a person may know of one that no worksheet does
        return None
    cost = Decimal(0) if rule is None or late is None else rule.cost(late.days or 0)
    decision = decided.get(LATE, decided.get(EXTENSION))
    if LATE in decided:
        cost = exact(decided[LATE].points or 0.0)
    after = float(max(exact(points) - cost, Decimal(0)))
    if after == points and decision is None:
        return None
    return Adjustment(LATE, points, after, "" if decision is None else decision.note)


def _adjusted(
    functions: Sequence[FunctionResult], decided: Mapping[str, Decision]
) -> tuple[tuple[FunctionResult, ...], list[Adjustment]]:
    """Return the functions with the points that a person gave them, and the adjustments made.

    `decided`: the decisions by row.
    """
    adjusted, adjustments = [], []
    for function in functions:
        decision = decided.get(function.name)
        if decision is not None and decision.points is not None:
            adjustments.append(
                Adjustment(function.name, function.points, decision.points, decision.note)
            )
            function = replace(function, points=decision.points)
        adjusted.append(function)
    return tuple(adjusted), adjustments


def _sum(functions: Iterable[FunctionResult]) -> float | None:
    known = [exact(function.points) for function in functions if function.points is not None]
    return float(sum(known, Decimal(0))) if known else None
