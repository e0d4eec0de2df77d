"""What a student reads in Moodle beside the mark: a fragment of HTML, from a canonical result.

Its last line is a stamp, by which mark and comment are recognised in a worksheet, unless one of
them was changed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from decimal import Decimal
from html import escape, unescape

from practica.grading.engine.adjustments import LATE, is_by_hand
from practica.grading.engine.result import SubmissionResult
from practica.grading.report.messages import as_points, say
from practica.grading.report.words import (
    SaidFunction,
    SaidSubmission,
    decided,
    lateness,
    said,
    status_of,
)
from practica.json_data import shortened

# with which formulas begin in a spreadsheet, in some languages as wide as their letters
FORMULAS = "=+@＝＋＠－-"
LONGEST = 500  # characters that a comment has, as it is read; more is on the page
STAMPED = 21  # "practica" and the stamp
STAMP = re.compile(r"practica([0-9a-f]{12})")  # at the end of a comment, without spaces
TAG = re.compile(r"<[^<>]*>")


def comment(
    submission: SubmissionResult,
    lang: str = "es",
    grade: str | None = None,
    maximum: str | None = None,
    unwritten: Sequence[str] = (),
) -> str:
    r"""Return a comment of about 500 characters: the mark, what a person decided, and which
    functions lose points and why.

    `grade`, `maximum`: the mark as Moodle shows it, where it is not out of the points of the
        practice.
    `unwritten`: the sentences about a file in which nothing is written; they replace the functions.
    Returned `html`: without line breaks, so that it stays one line in a table; everything from the
        submission is escaped. It names every function that loses points, and says of the first ones
        what is wrong. The page has the rest.

    >>> right = SubmissionResult("ana", "ana.py", "", "graded", None, 2.5, 2.5)
    >>> print(
    ...     comment(right, lang="en", grade="10.00", maximum="10.00").replace("</p>", "</p>\n"),
    ...     end="",
    ... )
    <p><strong>2.50 / 2.50</strong>, that is 10.00 of 10.00</p>
    <p>Everything is right.</p>
    <p>The attached page has the rest.</p>
    """
    read = said(submission, lang)
    points = as_points(submission.points)
    scaled = (
        "" if grade is None else say("moodle.scaled", {"grade": grade, "maximum": maximum}, lang)
    )
    head = f"{points} / {submission.max_points:.2f}"
    changed = {adjustment.function for adjustment in submission.adjustments}
    told: list[str] = [_short(each, 120) for each in decided(submission, lang)]
    if submission.late is not None and submission.late.days is None and LATE not in changed:
        told[0] = say("late.moodle", {"late": lateness(submission.late)}, lang)
    page = say("moodle.page", {}, lang)
    room = LONGEST - len(head + scaled + page + "".join(told)) - STAMPED
    if submission.status == "graded" and unwritten:
        told += [_short(each, room) for each in unwritten]
    elif submission.status == "graded":
        told += _lost(read, room, lang)
    else:
        told += [_short(each, room) for each in reasons(read, lang)]
    html = f"<p><strong>{_text(head)}</strong>{_text(scaled)}</p>"
    return html + "".join(f"<p>{_text(each)}</p>" for each in [*told, page])


def _lost(submission: SaidSubmission, room: int, lang: str) -> list[str]:
    """Return a line for each function that loses points, within `room` characters: all are named,
    and as many are explained as fit.
    """
    known = {adjustment.function for adjustment in submission.adjustments}
    # a row without points is one that a person marks, whose total stands in place of them
    lost = [each for each in submission.functions if each.points != each.max_points]
    if not lost:
        return [say("moodle.all", {}, lang)]
    # a person's decision says why
    lost = [each for each in lost if each.name not in known and each.points is not None]
    told: list[str] = []
    for place, function in enumerate(lost):
        points = f"{as_points(function.points)} / {as_points(function.max_points)}"
        line = f"{function.name} ({points}): {_why(function, lang)}"
        names = [each.name for each in lost[place + 1 :]]
        rest = [say("moodle.others", {"functions": names}, lang)] if names else []
        if len("".join([*told, line, *rest])) > room:
            id = "moodle.others" if told else "moodle.lost"
            return [*told, say(id, {"functions": [each.name for each in lost[place:]]}, lang)]
        told.append(line)
    return told


def _why(function: SaidFunction, lang: str) -> str:
    """Return the sentence that says why a function loses points."""
    if function.verdict == "missing" or not function.reasons:
        return say(f"moodle.verdict.{function.verdict}", {}, lang)
    return _short(function.reasons[0], 200)


def _short(text: str, most: int) -> str:
    """Return text in one line of at most `most` characters."""
    return shortened(" ".join(text.split()), most)


def stamped(html: str, grade: Decimal) -> str:
    """Return a comment with a stamp, which is valid as long as neither the comment nor the mark
    beside it changes.
    """
    return f"{html}<p><small>practica {_stamp(_told(html), grade)}</small></p>"


def is_stamped(comment: str, grade: Decimal | None) -> bool:
    """Return whether a comment has a valid stamp, so that neither it nor the mark beside it was
    changed.

    Moodle gives a comment back without tags, with other spaces, and some versions without entities:
    the stamp is of what remains of it then. A mark is the same with any number of decimals.

    >>> comment = stamped("<p>It is <code>a &lt; b</code></p>", Decimal("7.5"))
    >>> [is_stamped(each, Decimal("7.50")) for each in (comment, comment.replace("It", "That"))]
    [True, False]
    >>> is_stamped(comment, Decimal("6.50"))
    False
    """
    told = _told(comment)
    found = STAMP.search(told, max(len(told) - 20, 0))
    return (
        grade is not None and found is not None and found[1] == _stamp(told[: found.start()], grade)
    )


def _stamp(told: str, grade: Decimal) -> str:
    return hashlib.sha256(f"{told}\n{grade:.2f}".encode()).hexdigest()[:12]


def _told(html: str) -> str:
    """Return the characters of some HTML that neither Moodle nor a spreadsheet changes."""
    while (bare := unescape(TAG.sub("", html))) != html:
        html = bare
    return "".join(html.split())


def reasons(submission: SaidSubmission, lang: str = "es") -> list[str]:
    """Return why a submission was not graded, without the details of the grader's own errors.

    Returned `reasons`: none if it was graded, or a person gave the mark where the grader failed.
    """
    if submission.status == "not_run":
        return [submission.why if is_by_hand(submission) else status_of(submission, lang)]
    failed = submission.status == "grader_error" and not is_by_hand(submission)
    return [say("moodle.grader_error", {}, lang)] if failed else []


def _text(text: str) -> str:
    """Return text as HTML in one line: a student's own characters mean nothing there.

    Nor in a spreadsheet that separates cells by the semicolons of HTML: no cell begins like a
    formula.
    """
    html = re.sub(rf"(?<=[;,\t])[{FORMULAS}]", lambda found: f"&#{ord(found[0])};", escape(text))
    return re.sub(r"\r\n|\r|\n", "<br>", html)
