"""What a student reads in Moodle beside the mark: a fragment of HTML, from a canonical result."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from typing import Any

from practica.notebook import cell_of
from practica.report.messages import catalogue

__all__ = ["feedback_html", "lines", "reason"]

MOST = 3  # checks of a function that are told in full


@cache
def _words(lang: str) -> Mapping[str, str]:
    return {id.removeprefix("moodle."): text for id, text in catalogue(lang).items() if id.startswith("moodle.")}


def feedback_html(
    submission: Mapping[str, Any],
    *,
    lang: str = "es",
    cells: Sequence[tuple[int, int]] = (),
    grade: str | None = None,
    maximum: str | None = None,
) -> str:
    r"""Return what is not right in a submission, function by function.

    Parameters
    ----------
    submission : dict
        One element of `submissions` in a canonical result.
    lang : "es" or "en"
        Of the words around the sentences, which are in the language they were marked in.
    cells : sequence of (cell, line in the cell)
        Of a notebook, `Entry.cells`: lines are told as the student knows them.
    grade, maximum : str, optional
        The mark as Moodle shows it, where it is not out of the points of the practice.

    Returns
    -------
    html : str
        Without line breaks, so that it stays one line in a table; everything from the submission is escaped.

    Examples
    --------
    >>> right = {"status": "graded", "points": 2.5, "max_points": 2.5, "functions": []}
    >>> print(feedback_html(right, lang="en", grade="10.00", maximum="10.00").replace("</p>", "</p>\n"), end="")
    <p><strong>2.50 / 2.50</strong>, that is 10.00 of 10.00</p>
    <p>The full page is the attached file.</p>
    <p>Everything is right.</p>
    """
    words = _words(lang)
    points = "–" if submission["points"] is None else f"{submission['points']:.2f}"
    scaled = "" if grade is None else _text(words["scaled"].format(grade=grade, maximum=maximum))
    html = f"<p><strong>{points} / {submission['max_points']:.2f}</strong>{scaled}</p><p>{_text(words['page'])}</p>"
    if submission["status"] != "graded":
        return html + f"<p>{_text(reason(submission, lang))}</p>"
    wrong = [function for function in submission["functions"] if function["verdict"] != "pass"]
    if not wrong:
        return html + f"<p>{_text(_words(lang)['all'])}</p>"
    return html + "".join(_function(function, lang, cells) for function in wrong)


def _function(function: Mapping[str, Any], lang: str, cells: Sequence[tuple[int, int]]) -> str:
    heading = f"{function['name']}: {function['points']:.2f} / {function['max_points']:.2f}"
    items = "".join(f"<li>{_text(line)}</li>" for line in lines(function, lang=lang, cells=cells))
    return f"<p><code>{_text(heading)}</code></p><ul>{items}</ul>"


def reason(submission: Mapping[str, Any], lang: str = "es") -> str:
    """Say why a submission was not graded."""
    return _words(lang)[submission["status"]].format(reason=submission["reason"] or "")


def lines(function: Mapping[str, Any], *, lang: str = "es", cells: Sequence[tuple[int, int]] = ()) -> list[str]:
    """Return what there is to say about a function: its broken rules, its first failed checks, or just its verdict.

    Parameters
    ----------
    function : dict
        One element of `functions` in a canonical result.
    lang : "es" or "en"
    cells : as for `feedback_html`
    """
    words = _words(lang)
    told = [
        _place(rule["line"], words, cells) + rule["message"]
        for rule in function["rules"]
        if rule["severity"] == "broken"
    ]
    wrong = [check for check in function["checks"] if check["verdict"] != "pass" and check["message"]]
    if function["verdict"] != "missing":  # each check of a missing function says that it is missing
        told += [_check(check, words) for check in wrong[:MOST]]
        if others := wrong[MOST:]:
            told.append(words["others"].format(ids=", ".join(check["id"] for check in others)))
    return told or [words[f"verdict.{function['verdict']}"]]


def _check(check: Mapping[str, Any], words: Mapping[str, str]) -> str:
    call = (check["counterexample"] or {}).get("call")
    return check["message"] + (f" {words['try'].format(call=call)}" if call else "")


def _place(line: int | None, words: Mapping[str, str], cells: Sequence[tuple[int, int]]) -> str:
    if line is None:
        return ""
    if place := cell_of(line, cells):
        cell, within = place
        return words["cell"].format(cell=cell, line=within, whole=line)
    return words["line"].format(line=line)


def _text(text: str) -> str:
    """Return text as HTML in one line: a student's own characters mean nothing there."""
    return re.sub(r"\r\n|\r|\n", "<br>", escape(text))
