"""What goes back to Moodle, and to a spreadsheet: the zip of feedback files, and a table of grades.

Both come from canonical results, and the same ones give the same bytes.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from practica.classroom.collect import Entry
from practica.classroom.worksheet import neutral
from practica.files import opened_bytes, write_bytes

__all__ = ["write_feedback_zip", "write_grades"]

EPOCH = (1980, 1, 1, 0, 0, 0)  # the first date that a zip knows


def write_feedback_zip(path: Path, files: Iterable[tuple[Entry, str, bytes | Path]]) -> None:
    """Write the zip of feedback files that Moodle takes back.

    Parameters
    ----------
    path : path
    files : of (entry, name, content)
        A file for a student: its name, and its bytes or where they are. Their order does not matter. Those of a
        student who is there twice are left out, because Moodle would give one the other's.

    Raises
    ------
    ValueError
        If the file cannot be written, or Moodle would overlook a name: one that begins with "." or "~".

    Notes
    -----
    A file goes back under the name that Moodle gave the submission; by the number in it Moodle finds the student.
    Names and contents make the bytes, and nothing else does: no dates, no owners.
    """
    named = {
        _path_in_zip(entry, name): content
        for entry, name, content in files
        if all(incident.code != "submission.duplicate" for incident in entry.incidents)
    }
    with opened_bytes(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(named):
            content = named[name]
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            archive.writestr(info, content.read_bytes() if isinstance(content, Path) else content)


def _path_in_zip(entry: Entry, name: str) -> str:
    if name.startswith((".", "~")):
        raise ValueError(f"{name}: Moodle overlooks files that begin with a point or a tilde")
    if entry.folder is None:
        return f"{entry.id}/{name}"
    return f"{entry.folder}{name}" if entry.flat else f"{entry.folder}/{name}"


def write_grades(path: Path, entries: Iterable[Entry], result: Mapping[str, Any]) -> None:
    """Write a table with a row per student: whose, the mark, and the points of each function.

    Parameters
    ----------
    path : path
    entries : Entry
        A student without a file has a row without points, with the status "no_file".
    result : dict
        A canonical result; its submissions are found by the ids of the entries.

    Notes
    -----
    CSV in UTF-8 with a byte order mark, by which spreadsheets know it; commas, and points in the numbers. Names that a
    spreadsheet would take for a formula have an apostrophe before them.
    """
    submissions = {submission["id"]: submission for submission in result["submissions"]}
    names = list(dict.fromkeys(function["name"] for each in result["submissions"] for function in each["functions"]))
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow(["id", "participant", "name", "status", "points", "max_points", *names, "file", "sha256"])
    for entry in entries:
        submission = submissions.get(entry.id)
        marked = submission or {"status": "no_file", "points": None, "max_points": None, "functions": []}
        points = {function["name"]: function["points"] for function in marked["functions"]}
        table.writerow(
            [
                entry.id,
                entry.participant,
                neutral(entry.name),
                marked["status"],
                _points(marked["points"]),
                _points(marked["max_points"]),
                *(_points(points.get(name)) for name in names),
                neutral(entry.source),
                entry.sha256,
            ]
        )
    write_bytes(path, text.getvalue().encode("utf-8-sig"))


def _points(points: float | None) -> str:
    return "" if points is None else f"{points:.2f}"
