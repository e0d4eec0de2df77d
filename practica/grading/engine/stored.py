"""Canonical results from a file, which may have been changed since."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import msgspec

from practica.grading.engine.adjustments import is_consistent
from practica.grading.engine.current import AssignmentError, choose, is_chosen
from practica.grading.engine.result import SCHEMA, Result, SubmissionResult

MOST_SAID = 300  # characters about what is wrong in the form


def read_result(path: Path) -> Result:
    """Read a canonical result, and make its assignment that of this process if there is none yet.

    Raises `ValueError` if the file is not one, or is of another schema; if the submissions are not
        those of its class, file by file; or if points are not the sum of those of the functions,
        with the adjustments; or if its assignment is not there.
    """
    try:
        result = json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_number)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no result of practica grade: {error}") from None
    if not isinstance(result, dict) or not isinstance(result.get("submissions"), list):
        raise ValueError(f"{path} is no result of practica grade: it has no submissions")
    if result.get("schema") != SCHEMA:
        raise ValueError(
            f"{path} has schema {result.get('schema')!r}; this version reads {SCHEMA}: mark the"
            " submissions again"
        )
    try:
        json.dumps(result, ensure_ascii=False).encode()
        fields = {"class_" if name == "class" else name: value for name, value in result.items()}
        read = msgspec.convert(fields, Result)
    except msgspec.ValidationError as wrong:
        reason = str(wrong).replace("$.class_", "$.class")[:MOST_SAID]
        raise ValueError(f"{path} is no result of practica grade: {reason}") from None
    except UnicodeEncodeError:
        raise ValueError(
            f"{path} is no result of practica grade: a lone surrogate is in it"
        ) from None
    names = [submission.id for submission in read.submissions]
    if not all(map(_is_fit, names)) or len(set(names)) < len(names):
        raise ValueError(
            f"{path} is no result of practica grade: an id is not fit for a file's name, or there"
            " twice"
        )
    if read.assignment and not is_chosen():
        try:
            choose(Path(read.assignment))
        except AssignmentError as error:
            raise ValueError(
                f"{path} needs its assignment ({error}); --assignment gives another folder"
            ) from None
    if differing := _differing(read):
        ids = ", ".join(sorted(differing))[:MOST_SAID]
        raise ValueError(
            f"{path} is no result of practica grade: its class and its submissions differ in {ids}"
        )
    if changed := [each for each in read.submissions if not is_consistent(each)]:
        first, others = changed[0], len(changed) - 1
        more = f", nor those of {others} more" if others else ""
        raise ValueError(
            f"{path} was changed by hand: the {first.points} points of {first.id} are not the sum"
            f" of its functions and adjustments{more}; decisions about marks go to overrides.csv,"
            " beside it"
        )
    return read


def read_submission(data: object) -> SubmissionResult | None:
    """Return the submission that `SubmissionResult.as_json` turned into `data`; None if it is no
    such data.
    """
    try:
        return msgspec.convert(data, SubmissionResult)
    except msgspec.ValidationError:
        return None


def ids_in(path: Path) -> list[str]:
    """Return the ids of the submissions of a canonical result; empty if the file is not one."""
    if not path.is_file():  # a pipe would wait for a writer
        return []
    try:
        names = [submission["id"] for submission in json.loads(path.read_bytes())["submissions"]]
    except (OSError, ValueError, RecursionError, LookupError, TypeError):
        return []
    return names if all(map(_is_fit, names)) else []


def _differing(result: Result) -> set[str]:
    """Return the ids that are in the class twice, or not with the same file in the class and among
    the submissions.
    """
    if result.class_ is None:
        return set()
    times = Counter(entry.id for entry in result.class_.entries)
    files = {
        (entry.id, entry.sha256) for entry in result.class_.entries if entry.sha256 is not None
    }
    # a person may have given a total
    without = {entry.id for entry in result.class_.entries if entry.sha256 is None}
    marked = {
        (submission.id, submission.sha256)
        for submission in result.submissions
        if submission.sha256 or submission.id not in without
    }
    # that of the class is empty
    nobodys = {decision.identifier for decision in result.class_.decisions} - {*times, ""}
    return (
        {name for name, _ in files ^ marked} | {name for name in times if times[name] > 1} | nobodys
    )


def _no_number(text: str) -> object:
    raise ValueError(f"{text} is no number of JSON")


def _is_fit(name: object) -> bool:
    """Return whether an id can be the name of a file and of a folder on any system."""
    if not (isinstance(name, str) and name and name.isprintable()):
        return False
    return Path(name).name == name and name[0] != "." and len(name.encode()) < 250
