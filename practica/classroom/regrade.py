"""Whose mark changes between two results, by how much, and why: after an appeal, a new rubric, or a new version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from practica.report.words import said

__all__ = ["Change", "compare", "paired"]

Person: TypeAlias = "tuple[str | int | None, ...]"  # name and number; of several who share them, id and file as well
Submission: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Change:
    """What changes for one submission.

    Attributes
    ----------
    id : str
        In the new result; in the old one where it is only there.
    name : str
        Of the student or the team, with Moodle's number.
    before, after : float or None
        Points; None for no mark.
    present : tuple of bool
        Whether it is in the old result, and in the new one.
    same_file : bool
        Whether the file is the same, byte for byte.
    functions : tuple of (name, points before, points after, reasons)
        Those whose points change, with the sentences of the worse of both results.
    reasons : tuple of str
        Why it could not be run or marked, in the old result or the new one.
    """

    id: str
    name: str
    before: float | None
    after: float | None
    present: tuple[bool, bool]
    same_file: bool
    functions: tuple[tuple[str, float, float, tuple[str, ...]], ...]
    reasons: tuple[str, ...] = ()


def compare(old: Mapping[str, Any], new: Mapping[str, Any], lang: str = "es") -> list[Change]:
    """Return the submissions whose mark changes, the largest loss first.

    Parameters
    ----------
    old, new : dict
        Canonical results.
    lang : "es" or "en"
        Of the reasons.

    Notes
    -----
    Submissions are the same person's if name and number are, as they were written: an id is fit for a file, and whose
    it is depends on who else was there. Of several with one name, only the same file under the same id is the same.

    Examples
    --------
    >>> half = {"id": "ana", "sha256": "0", "reason": None, "points": 0.5, "functions": []}
    >>> compare({"submissions": [half]}, {"submissions": [{**half, "points": 0.7}]})[0].after
    0.7
    """
    changes = [_change(who, *pair, lang) for who, pair in paired(old, new).items()]
    changed = [change for change in changes if change.before != change.after or not all(change.present)]
    return sorted(changed, key=lambda change: ((change.after or 0.0) - (change.before or 0.0), change.id))


def paired(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[Person, tuple[Submission | None, Submission | None]]:
    """Return what each person has in the old result, and in the new one."""
    both = [_with_names(each) for each in (old, new)]
    several = {who for side in both for who, times in Counter(who for who, _ in side).items() if times > 1}
    before, after = (
        {(*who, *((each["id"], each["sha256"]) if who in several else ())): each for who, each in side} for side in both
    )
    return {who: (before.get(who), after.get(who)) for who in {**before, **after}}


def _with_names(result: Mapping[str, Any]) -> list[tuple[Person, Submission]]:
    """Return the name and the number of each submission, beside it; of one that nobody collected, its id."""
    entries = (result.get("class") or {}).get("entries", ())
    names = {entry["id"]: (entry["name"], entry["number"]) for entry in entries}
    return [(names.get(each["id"], (each["id"], None)), each) for each in result["submissions"]]


def _change(who: Person, old: Submission | None, new: Submission | None, lang: str) -> Change:
    nothing: dict[str, Any] = {"points": None, "sha256": None, "functions": []}
    first, second = (said(side, lang) if side else nothing for side in (old, new))
    name, number, *_ = who
    return Change(
        (new or old or {})["id"],
        str(name) if number is None else f"{name} ({number})",
        first["points"],
        second["points"],
        (old is not None, new is not None),
        first["sha256"] == second["sha256"],
        tuple(_functions(first, second)) if old and new else (),
        tuple(dict.fromkeys(side["reason"] for side in (first, second) if side.get("reason"))),
    )


def _functions(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, float, float, tuple[str, ...]]]:
    before = {function["name"]: function for function in old["functions"]}
    after = {function["name"]: function for function in new["functions"]}
    for name in {**before, **after}:
        first, second = (side.get(name, {"points": 0.0, "rules": [], "checks": []}) for side in (before, after))
        points = [side["points"] or 0.0 for side in (first, second)]
        if points[0] != points[1]:
            worse = first if points[0] < points[1] else second
            yield name, points[0], points[1], tuple(dict.fromkeys(_reasons(worse)))


def _reasons(function: Mapping[str, Any]) -> Iterator[str]:
    for rule in function["rules"]:
        if rule["severity"] == "broken":
            yield rule["sentence"]
    for check in function["checks"]:
        if check["verdict"] != "pass" and check["sentence"]:
            yield f"{check['id']}: {check['sentence']}"
