"""Whose mark changes between two results, by how much, and why: after an appeal, a new rubric, or a new version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from practica.report.words import said

__all__ = ["Change", "compare"]


@dataclass(frozen=True)
class Change:
    """What changes for one submission.

    Attributes
    ----------
    id : str
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
        Canonical results. Submissions are the same if their ids are.
    lang : "es" or "en"
        Of the reasons.

    Examples
    --------
    >>> half = {"id": "ana", "sha256": "0", "reason": None, "points": 0.5, "functions": []}
    >>> compare({"submissions": [half]}, {"submissions": [{**half, "points": 0.7}]})[0].after
    0.7
    """
    before, after = (
        {submission["id"]: said(submission, lang) for submission in each["submissions"]} for each in (old, new)
    )
    changes = [_change(name, before.get(name), after.get(name)) for name in {**before, **after}]
    changed = [change for change in changes if change.before != change.after or not all(change.present)]
    return sorted(changed, key=lambda change: ((change.after or 0.0) - (change.before or 0.0), change.id))


def _change(name: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> Change:
    nothing: dict[str, Any] = {"points": None, "sha256": None, "functions": []}
    first, second = old or nothing, new or nothing
    return Change(
        name,
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
