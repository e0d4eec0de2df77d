"""What goes back to Moodle, and to a spreadsheet: the zip of feedback files, and a table of grades.

Both come from canonical results, and the same ones give the same bytes.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from practica.files import opened_bytes, write_bytes
from practica.grading.classroom.filling import neutral
from practica.grading.classroom.matching import Owners
from practica.grading.classroom.moodle_names import folder_for, slug
from practica.grading.classroom.worksheet import SheetRow
from practica.grading.engine.adjustments import COMMENT
from practica.grading.engine.result import Entry, FunctionResult, Result, SubmissionResult
from practica.grading.report.messages import as_points
from practica.grading.report.moodle_comment import FORMULAS
from practica.grading.report.words import flags_of
from practica.json_data import plain

EPOCH = (1980, 1, 1, 0, 0, 0)  # the first date that a zip knows


def write_feedback_zip(path: Path, files: Mapping[str, bytes | Path]) -> None:
    """Write the zip of feedback files that Moodle takes back.

    `files`: by the path in the zip, the content of a file or where to read it.
    Raises `ValueError` if the file cannot be written, or Moodle would overlook a name: one that
        begins with "." or "~".

    The bytes depend on names and contents only: dates and owners are left out.
    """
    for name in files:
        if name.rpartition("/")[2].startswith((".", "~")):
            raise ValueError(f"{name}: Moodle overlooks files that begin with a point or a tilde")
    with opened_bytes(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            archive.writestr(info, content.read_bytes() if isinstance(content, Path) else content)


def feedback_paths(
    entries: Iterable[Entry],
    owners: Owners | None = None,
    without: Collection[SheetRow] = (),
    *,
    in_canvas: bool = False,
) -> dict[str, list[str]]:
    """Return, by the id of a submission, the paths of its page in the zip: one for each member of a
    team.

    `entries`: all of the class; without `owners`, a number that several entries have is not used.
    `owners`: the rows of each entry in the worksheet; without them, the numbers in the names of the
        folders are taken for those of participants.
    `without`: the rows of the students who get no page.
    `in_canvas`: whether the class comes from Canvas, which takes a page only beside a file.
    Returned `paths`: a submission without a certain owner has none; one that did not come from
        Moodle goes under its own id, or as Canvas takes it back.

    >>> feedback_paths([Entry("ana-12", "Ana", 12, folder="Ana_12_assignsubmission_file")])
    {'ana-12': ['Ana_12_assignsubmission_file_/practica-ana-12.html']}
    """
    entries = list(entries)
    times = Counter(entry.number for entry in entries)
    paths = {}
    for entry in entries:
        if owners is None:
            people = [(entry.name, entry.number)] if times[entry.number] == 1 else []
        else:
            rows = owners.get(entry.id, ())
            people = [
                (row.name or entry.name, row.participant) for row in rows if row not in without
            ]
        paths[entry.id] = [
            f"{folder_for(name, number)}/practica-{slug(name) or 'participante'}-{number}.html"
            for name, number in people
            if number is not None
        ]
        if entry.canvas or in_canvas:
            sent = owners is None or any(row not in without for row in owners.get(entry.id, ()))
            paths[entry.id] = [f"{entry.canvas}_practica.html"] * bool(sent and entry.canvas)
        elif owners is None and entry.folder is None:
            paths[entry.id] = [f"{entry.id}/practica-{entry.id}.html"]
    return paths


def team_paths(entries: Iterable[Entry], owners: Owners) -> dict[str, list[str]]:
    """Return, by the id of a team's submission, the path of its page in a zip with folders numbered
    by group.

    Moodle 4.1.10 and newer read such a number as a group's if the assignment is for teams, and give
    the page to all members; older versions read it as a participant's.
    """
    return {
        entry.id: [f"{folder_for(entry.name, entry.number)}/practica-{entry.id}.html"]
        for entry in entries
        if entry.number is not None and any(row.group for row in owners.get(entry.id, ()))
    }


def write_grades(
    path: Path, entries: Iterable[Entry], result: Result, owners: Owners | None = None
) -> None:
    """Write a table with a row per student: name, mark, points of each function, adjustments,
    mistakes and flags.

    `entries`: a student without a file has a row without points, with the status "no_file".
    `owners`: if given, each member of a team has a row, with the name of the team.

    A flag is written with its first line, as in "os.system:12"; for a notebook, that is a line of
    the code of all its cells together, which the result holds.

    CSV in UTF-8 with a byte order mark, by which spreadsheets know it; commas, and points in the
    numbers. Names that a spreadsheet would take for a formula have an apostrophe before them, also
    after what it may take for the separator.
    """
    submissions = {submission.id: submission for submission in result.submissions}
    names = list(
        dict.fromkeys(function.name for each in result.submissions for function in each.functions)
    )
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\r\n")
    whose = ["id", "participant", "name", "team", "status"]
    after = ["late_hours", "adjustments", "mistakes", "flags", "file", "sha256"]
    table.writerow([*whose, "points", "max_points", *names, *after])
    for entry in entries:
        marked = submissions.get(
            entry.id, SubmissionResult(entry.id, "", "", "no_file", None, None, 0.0)
        )
        most = marked.max_points if entry.id in submissions else None
        points = {function.name: function.points for function in marked.functions}
        rows = (owners or {}).get(entry.id, ())
        people = [(row.participant, row.name or entry.name, row.group) for row in rows]
        marks = [as_points(each, "") for each in (marked.points, most, *map(points.get, names))]
        late = "" if marked.late is None else f"{marked.late.seconds / 3600:.2f}"
        last: list[str | None] = [
            late,
            _text(_adjustments(marked)),
            _mistakes(marked.functions),
            _text(_flags(marked)),
        ]
        last += [_text(entry.source), entry.sha256]
        for participant, who, team in people or [(entry.number, entry.name, "")]:
            table.writerow(
                [entry.id, participant, _text(who), _text(team), marked.status, *marks, *last]
            )
    write_bytes(path, text.getvalue().encode("utf-8-sig"))


def _flags(submission: SubmissionResult) -> str:
    return "; ".join(
        flag.name if flag.line is None else f"{flag.name}:{flag.line}"
        for flag in flags_of(submission)
    )


def _adjustments(submission: SubmissionResult) -> str:
    return "; ".join(
        (
            f"{adjustment.function}: {as_points(adjustment.before)} →"
            f" {as_points(adjustment.after)}{f' ({adjustment.note})' if adjustment.note else ''}"
            if adjustment.function != COMMENT
            else adjustment.note
        )
        for adjustment in submission.adjustments
    )


def _text(text: str) -> str:
    in_one_line = re.sub(r"[\t\r\n]", lambda found: ascii(found[0])[1:-1], plain(text))
    return re.sub(rf"(?<=[;,])(?=[{FORMULAS}])", "'", neutral(in_one_line))


def _mistakes(functions: Iterable[FunctionResult]) -> str:
    """Return the known mistakes of all functions as one text, as in "f: a + b; g: c | d", where g
    has one mistake, c or d.
    """
    named = []
    for function in functions:
        diagnosis = function.diagnosis
        if diagnosis and diagnosis.mistakes:
            between = " | " if diagnosis.how == "either" else " + "
            named.append(
                f"{function.name}: {between.join(mistake.id for mistake in diagnosis.mistakes)}"
            )
    return "; ".join(named)
