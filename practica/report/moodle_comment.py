"""What a student reads in Moodle beside the mark: a fragment of HTML, from a canonical result.

Its last line is a stamp, by which mark and comment are recognised in a worksheet, unless one of them was changed.
"""

from __future__ import annotations

import hashlib
import re
from decimal import Decimal
from html import escape, unescape

from practica.engine.result import SubmissionResult
from practica.notebook import cell_of
from practica.report.messages import Sentence, as_points, say
from practica.report.words import Cells, SaidCheck, SaidFunction, SaidRule, SaidSubmission, said, status_of

__all__ = ["FORMULAS", "comment", "is_stamped", "lines", "reason", "stamped"]

FORMULAS = "=+@＝＋＠－-"  # with which formulas begin in a spreadsheet, in some languages as wide as their letters
MOST = 3  # checks of a function that are described in full
STAMP = re.compile(r"practica([0-9a-f]{12})")  # at the end of a comment, without spaces
TAG = re.compile(r"<[^<>]*>")


def comment(
    submission: SubmissionResult, lang: str = "es", grade: str | None = None, maximum: str | None = None
) -> str:
    r"""Return what is not right in a submission, function by function.

    Parameters
    ----------
    submission : SubmissionResult
        Of a notebook the lines are those of its cells.
    lang : "es" or "en"
    grade, maximum : str, optional
        The mark as Moodle shows it, where it is not out of the points of the practice.

    Returns
    -------
    html : str
        Without line breaks, so that it stays one line in a table; everything from the submission is escaped.

    Examples
    --------
    >>> right = SubmissionResult("ana", "ana.py", "", "graded", None, 2.5, 2.5)
    >>> print(comment(right, lang="en", grade="10.00", maximum="10.00").replace("</p>", "</p>\n"), end="")
    <p><strong>2.50 / 2.50</strong>, that is 10.00 of 10.00</p>
    <p>The full page is the attached file.</p>
    <p>Everything is right.</p>
    """
    read = said(submission, lang)
    points = as_points(submission.points)
    scaled = "" if grade is None else _text(say("moodle.scaled", {"grade": grade, "maximum": maximum}, lang))
    page = _text(say("moodle.page", {}, lang))
    html = f"<p><strong>{points} / {submission.max_points:.2f}</strong>{scaled}</p><p>{page}</p>"
    if submission.status != "graded":
        return html + f"<p>{_text(reason(read, lang))}</p>"
    wrong = [function for function in read.functions if function.verdict != "pass"]
    if not wrong:
        return html + f"<p>{_text(say('moodle.all', {}, lang))}</p>"
    return html + "".join(_function(function, lang, submission.cells or ()) for function in wrong)


def stamped(html: str, grade: Decimal) -> str:
    """Return a comment with a stamp that holds for it and for the mark beside it, as they are."""
    return f"{html}<p><small>practica {_stamp(_told(html), grade)}</small></p>"


def is_stamped(comment: str, grade: Decimal | None) -> bool:
    """Return whether a comment and its mark are those that were stamped.

    Notes
    -----
    Moodle gives a comment back without tags, with other spaces, and some versions without entities: what is stamped is
    what is left of it then. A mark is the same with whatever decimals it is written.

    Examples
    --------
    >>> comment = stamped("<p>It is <code>a &lt; b</code></p>", Decimal("7.5"))
    >>> [is_stamped(each, Decimal("7.50")) for each in (comment, comment.replace("It", "That"))]
    [True, False]
    >>> is_stamped(comment, Decimal("6.50"))
    False
    """
    told = _told(comment)
    found = STAMP.search(told, max(len(told) - 20, 0))
    return grade is not None and found is not None and found[1] == _stamp(told[: found.start()], grade)


def _stamp(told: str, grade: Decimal) -> str:
    return hashlib.sha256(f"{told}\n{grade:.2f}".encode()).hexdigest()[:12]


def _told(html: str) -> str:
    """Return the characters of a fragment that nothing on its way through Moodle, or a spreadsheet, takes away."""
    while (bare := unescape(TAG.sub("", html))) != html:
        html = bare
    return "".join(html.split())


def _function(function: SaidFunction, lang: str, cells: Cells) -> str:
    heading = f"{function.name}: {function.points:.2f} / {function.max_points:.2f}"
    items = "".join(f"<li>{_text(line)}</li>" for line in lines(function, lang=lang, cells=cells))
    return f"<p><code>{_text(heading)}</code></p><ul>{items}</ul>"


def reason(submission: SaidSubmission, lang: str = "es") -> str:
    """Return why a submission was not graded, without the details of the grader's own errors."""
    own = submission.status == "not_run"
    return status_of(submission, lang) if own else say("moodle.grader_error", {}, lang)


def lines(function: SaidFunction, *, lang: str = "es", cells: Cells = ()) -> list[str]:
    """Return what there is to say about a function: its broken rules, its first failed checks, or just its verdict."""
    told: list[str] = [_rule(rule, lang, cells) for rule in function.rules if rule.severity == "broken"]
    wrong = [check for check in function.checks if check.verdict != "pass" and check.sentence]
    if function.verdict != "missing":  # each check of a missing function says that it is missing
        in_full = [check for check in wrong if not check.again][:MOST]
        told += [function.likely] if function.likely else []
        told += [_check(check, lang) for check in in_full]
        if others := [check for check in wrong if check not in in_full]:
            told.append(say("others", {"ids": [check.id for check in others]}, lang))
    return told or [say(f"moodle.verdict.{function.verdict}", {}, lang)]


def _check(check: SaidCheck, lang: str) -> str:
    call = (check.counterexample or {}).get("call")
    return f"{check.sentence} {say('try', {'call': call}, lang)}" if call else str(check.sentence)


def _rule(rule: SaidRule, lang: str, cells: Cells) -> Sentence:
    line, sentence = rule.line, rule.sentence
    if line is None:
        return sentence
    if place := cell_of(line, cells):
        cell, within = place
        return say("moodle.cell", {"cell": cell, "line": within, "whole": line, "sentence": sentence}, lang)
    return say("moodle.line", {"line": line, "sentence": sentence}, lang)


def _text(text: str) -> str:
    """Return text as HTML in one line: a student's own characters mean nothing there.

    Nor in a spreadsheet that separates cells by the semicolons of HTML: no cell begins like a formula.
    """
    html = re.sub(rf"(?<=[;,\t])[{FORMULAS}]", lambda found: f"&#{ord(found[0])};", escape(text))
    return re.sub(r"\r\n|\r|\n", "<br>", html)
