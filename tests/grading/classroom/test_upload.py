"""Classes of a real Moodle, `tests/moodle/`: the right mark for every row, and nothing else
changes.

Each folder has the zip and the worksheet that a Moodle server gave, of 4.1 unless its name begins
with 4.5.6 or 5.1.3; two worksheets are as a spreadsheet saves them. `students.json` says who they
are and what their files earn.
"""

import csv
import hashlib
import io
import json
import re
import zipfile
from decimal import Decimal
from pathlib import Path

import marked_class as some
import pytest
from class_runs import in_process
from lanes import one_in

from practica.grading.classroom.collect import collect
from practica.grading.classroom.moodle_language import LANGUAGES
from practica.grading.classroom.upload import Upload
from practica.grading.classroom.worksheet import read_worksheet
from practica.grading.engine.result import SubmissionResult
from practica.grading.report.questions import serious
from practica.grading.sandbox.probe import probe

HERE = Path(__file__).parents[2] / "moodle"
STUDENTS = json.loads((HERE / "students.json").read_text(encoding="utf-8"))
CLASSES = sorted(folder.name for folder in HERE.iterdir() if folder.is_dir())
POINTS = {student["user"]: student["points"] for student in STUDENTS}
NOT_GRADED = {
    "english_scale": "worksheet.scale",
    "moodle513_english_scale": "worksheet.scale",
    "english_no_grade": "worksheet.not_graded",
}
FORMS = {
    "spanish_resaved_semicolon_cp1252": ("cp1252", ";"),
    "spanish_resaved_tabs_utf16": ("utf-16", "\t"),
}


def rows_of(content, name):
    """Read a worksheet as any program does, by the digits of the identifier."""
    encoding, delimiter = FORMS.get(name, ("utf-8-sig", ","))
    header, *rows = csv.reader(
        io.StringIO(content.decode(encoding), newline=""), delimiter=delimiter
    )
    return header, {int(re.search(r"\d+$", row[0])[0]): row for row in rows}


def files_of(name):
    """Return the files of a class by the owner and the number in their paths."""
    found = {}
    with zipfile.ZipFile(HERE / name / "entregas.zip") as archive:
        for member in archive.namelist():
            owner, number = (
                re.match(r"(.*?)(?:_(\d+))?_assignsubmission_file[_/]", member).groups()
                if ("_assignsubmission_file" in member)
                else (None, None)
            )
            if owner is not None and not member.endswith("pruebas.py"):
                found[owner, number and int(number)] = hashlib.sha256(
                    archive.read(member)
                ).hexdigest()
    return found


def users():
    """Return who wrote each file: the plain classes say it by number and e-mail address."""
    found = {}
    for name in ("english", "moodle456_english", "moodle513_english"):
        _, rows = rows_of((HERE / name / "calificaciones.csv").read_bytes(), name)
        found |= {
            file: rows[number][2].partition("@")[0] for (_, number), file in files_of(name).items()
        }
    return found


USERS = users()


def right_marks(name):
    """Return the points of each row by its identifier, None for those that get none."""
    _, rows = rows_of((HERE / name / "calificaciones.csv").read_bytes(), name)
    files = files_of(name)
    marks = {}
    for number, row in rows.items():
        if "teams" in name:
            owners = [owner for owner, _ in files if owner == row[4].replace("_", " ")]
            (file,) = [file for (owner, _), file in files.items() if owner in owners]
        else:
            file = next((file for (_, other), file in files.items() if other == number), None)
        marks[number] = POINTS[USERS[file]] if file else None
    return marks


SOON = ["spanish", "english_teams"]  # of the others, one in three comes with the slow tests


@pytest.fixture(
    scope="module",
    params=[*SOON, *one_in(3, [name for name in CLASSES if name not in SOON])],
)
def uploaded(request, tmp_path_factory):
    """Return what a class gives to Moodle, if its files earn what is known of them."""
    folder, tmp_path = HERE / request.param, tmp_path_factory.mktemp("uploaded")
    collection = collect(folder / "entregas.zip", tmp_path / "work")
    submissions = []
    by_entry = {(entry.name, entry.number): entry for entry in collection.entries if entry.file}
    for (owner, number), file in files_of(request.param).items():
        entry = by_entry.get((owner, number))
        points = POINTS[USERS[file]]
        if entry is not None and points is not None:
            submissions.append(
                SubmissionResult(entry.id, entry.source, "", "graded", None, points, 2.5)
            )
    sheet = read_worksheet(folder / "calificaciones.csv")
    upload = Upload(collection.entries, some.result(submissions), sheet, "es")
    out = tmp_path / "notas"
    (out / "feedback").mkdir(parents=True)
    pages = {each.id: f"feedback/{each.id}.html" for each in submissions}
    for identifier, page in pages.items():
        (out / page).write_text(identifier)
    steps = upload.write(out, "calificaciones.csv", pages)
    return request.param, out, upload, collection, steps


@pytest.mark.thorough
def test_every_row_has_its_mark_and_nothing_else_changes(uploaded):
    """For teams, that of the team.

    Rows without a mark, locked or with a teacher's, stay out of the copy.
    """
    name, out, upload, _, _ = uploaded
    if name in NOT_GRADED:
        assert not (out / "calificaciones.csv").exists()
        assert NOT_GRADED[name] in [
            incident.code for incident in upload.incidents if serious(incident)
        ]
        return
    header, before = rows_of((HERE / name / "calificaciones.csv").read_bytes(), name)
    header_too, after = rows_of((out / "calificaciones.csv").read_bytes(), name)
    assert header == header_too
    columns = [
        header.index(next(each for each in header if re.match(kind, each))) for kind in KINDS
    ]
    locked = {
        number
        for number, row in before.items()
        if row[columns[2]] == "No" or row[columns[2]] == "Non"
    }
    manual = {number for number, row in before.items() if row[columns[0]]}
    assert (len(locked), len(manual - locked)) == (1, 1)
    assert {row.participant for row in upload.filled.kept} == locked | manual
    right = {number: mark for number, mark in right_marks(name).items() if mark is not None}
    marks = {number: mark for number, mark in right.items() if number not in locked | manual}
    assert after.keys() == marks.keys()
    for number, row in after.items():
        maximum = Decimal(before[number][columns[1]].replace(",", "."))
        grade = Decimal(row[columns[0]].replace(",", "."))
        assert grade == (Decimal(str(marks[number])) * maximum / Decimal("2.5")).quantize(
            Decimal("0.01")
        )
        assert f"{marks[number]:.2f} / 2.50" in row[columns[3]]
        assert f"{row[columns[0]]} de {before[number][columns[1]]}" in row[columns[3]]
        kept = [place for place in range(len(header)) if place not in (columns[0], columns[3])]
        assert [row[place].replace('\\ "', '\\"') for place in kept] == [
            before[number][place] for place in kept
        ]


KINDS = [
    r"(Cal|Cual)ificación$|Grade$",
    ".*(Maximum|máxima)",
    ".*(changed|cambiada)",
    ".*[Cc]oment|Feedback comments",
]


@pytest.mark.thorough
def test_every_page_goes_to_its_student(uploaded):
    """Each member of a team has the team's.

    That of a locked grade stays here, and of one that a teacher gave.
    """
    name, out, upload, _, _ = uploaded
    marks = right_marks(name)
    kept = {row.participant for row in upload.filled.kept}
    with zipfile.ZipFile(out / "feedback.zip") as archive:
        pages = {}
        for path in archive.namelist():
            folder, file = path.split("/")
            _, number, subtype, plugin, rest = folder.split("_", 4)
            assert (subtype, plugin, rest) == ("assignsubmission", "file", "")
            assert file.endswith(f"-{number}.html")
            pages[int(number)] = archive.read(path).decode()
    assert pages.keys() == {number for number, mark in marks.items() if mark is not None} - kept
    points = {identifier: each.points for identifier, each in upload.marked.items()}
    assert {number: points[page] for number, page in pages.items()} == {
        number: marks[number] for number in pages
    }


def test_the_pages_of_teams_go_to_their_groups_too(uploaded):
    """In a zip of their own, for those versions of Moodle that take the number for the group's."""
    name, out, upload, _, steps = uploaded
    assert (
        (out / "feedback-teams.zip").exists()
        == any("feedback-teams.zip" in step for step in steps)
        == ("teams" in name)
    )
    if "teams" in name:
        files = {file: owner for owner, file in files_of(name).items()}
        points = {identifier: each.points for identifier, each in upload.marked.items()}
        with zipfile.ZipFile(out / "feedback-teams.zip") as archive:
            for path in archive.namelist():
                owner, number, *_ = path.split("_")
                file = next(file for file, who in files.items() if who == (owner, int(number)))
                assert points[archive.read(path).decode()] == POINTS[USERS[file]]
            marked = [
                file
                for file, (_, number) in files.items()
                if number and POINTS[USERS[file]] is not None
            ]
            assert len(archive.namelist()) == len(marked)


def test_the_exceptions_are_those_of_the_class(uploaded):
    """Who handed in no code, whose grade is locked, which row held what Moodle cannot read: each
    with a number.
    """
    name, _, upload, collection, _ = uploaded
    told = [
        incident for incident in (*collection.incidents, *upload.incidents) if serious(incident)
    ]
    codes = {incident.code for incident in told}
    expected = {"submission.no_code"} if "teams" not in name else set()
    expected |= {NOT_GRADED[name]} if name in NOT_GRADED else {"worksheet.locked", "worksheet.kept"}
    assert codes == expected
    assert all(re.search(r"\d", str(each.facts["name"])) for each in told if "name" in each.facts)
    backslash = [each for each in upload.incidents if each.code == "worksheet.backslash"]
    assert len(backslash) == (name == "english_backslash_quote")


def test_the_guide_names_what_moodle_has(uploaded):
    """In the worksheet's language: the worksheet first, how it is written, the box, and then the
    zip.
    """
    name, out, _, _, steps = uploaded
    assert (out / "moodle.txt").read_text(encoding="utf-8").splitlines() == steps
    text = "\n".join(steps)
    lang = {"e": "en", "g": "gl", "s": "es", "m": "en"}[name[0]]
    names, newer = LANGUAGES[lang].buttons, LANGUAGES[lang].buttons_since_4_5
    assert len(steps) <= 10
    assert all(f"«{names[each]}»" in text for each in newer)
    other = {each for each in newer.values() if each not in names.values()}
    assert len(other) == (3 if lang == "gl" else 4)
    assert all(f"(«{each}» desde Moodle 4.5)" in text for each in other)
    assert text.count(names["sheet"]) == (0 if name in NOT_GRADED else 2)
    if name not in NOT_GRADED:
        assert text.index(names["sheet"]) < text.index(names["zip"])
        assert names["box"] in text
        form = {"cp1252": "WINDOWS-1252", "utf-16": "UTF-16LE"}.get(
            FORMS.get(name, ("",))[0], "UTF-8"
        )
        assert f"{names['encoding']}»: {form}." in text
    assert ("hasta que el estado de su entrega es «Released»" in text) == ("workflow" in name)


def test_columns_of_markers_are_told_and_left_alone(uploaded):
    """Only where there are some."""
    name, _, upload, _, _ = uploaded
    told = [each.facts["columns"] for each in upload.incidents if each.code == "worksheet.markers"]
    assert told == (["Marker"] if "workflow" in name else [])


def test_the_columns_of_several_markers_are_those_of_moodle_5_2(tmp_path):
    """The header is that of its own tests."""
    header = (
        "Identifier,Full name,Marker 1,Marker 2,Grade,Maximum grade,Feedback comments,Marker 1"
        " comment,Marker 2 comment"
    )
    (tmp_path / "a.csv").write_text(f"{header}\nParticipant 1,Ana,,,,10.00,,,\n", encoding="utf-8")
    sheet = read_worksheet(tmp_path / "a.csv")
    assert sheet.markers == ("Marker 1", "Marker 2", "Marker 1 comment", "Marker 2 comment")
    assert {"grade", "maximum", "feedback"} <= sheet.columns


@pytest.mark.parametrize("name", ["english_scale", "moodle513_english_scale"])
def test_the_values_of_a_scale_are_listed_in_a_line(name):
    """Moodle 4.1 has spaces between them, and 5.1 begins a line for each."""
    sheet = read_worksheet(HERE / name / "calificaciones.csv")
    (told,) = Upload([], some.result([]), sheet, "en").filled.incidents
    assert told.facts["scale"] == "Mal, Regular, Bien, Muy bien"


def test_the_guide_names_those_whose_zero_a_moodle_drops(tmp_path):
    """Moodle 5.2 takes a 0.00 for no grade.

    Nobody else is named, and without any nothing is said of it.
    """
    folder = HERE / "english"
    entries = [
        entry for entry in collect(folder / "entregas.zip", tmp_path / "work").entries if entry.file
    ]
    sheet = read_worksheet(folder / "calificaciones.csv")
    said = {}
    for zeros in (3, 0):
        submissions = [
            SubmissionResult(
                entry.id, entry.source, "", "graded", None, 1.0 * (place >= zeros), 2.5
            )
            for place, entry in enumerate(entries)
        ]
        out = tmp_path / str(zeros)
        (out / "feedback").mkdir(parents=True)
        (out / "page.html").write_text("")
        pages = dict.fromkeys((entry.id for entry in entries), "page.html")
        upload = Upload(entries, some.result(submissions), sheet, "en")
        said[zeros] = upload.write(out, "calificaciones.csv", pages)
    rows = [
        row
        for entry in entries[:3]
        for row in upload.owners[entry.id]
        if row not in upload.filled.kept
    ]
    assert len(rows) == 1  # Moodle keeps one of the others locked, and a teacher gave one
    (step,) = set(said[3]) - set(said[0])
    assert step.startswith("- Moodle 5.2 drops a grade of 0.00 without a word")
    assert step.endswith(
        f"turn on “Quick grading” in the table of submissions and write the 0 of: {_listed(rows)}."
    )
    assert said[3].index(step) == 1 + next(
        at for at, line in enumerate(said[3]) if "“Confirm”" in line
    )


def _listed(rows):
    return ", ".join(row.label for row in rows)


@pytest.mark.thorough
@pytest.mark.skipif(probe().level == "none", reason="no sandbox works on this machine")
def test_one_command_marks_the_teams_of_a_class(tmp_path):
    """From Moodle's two files to what it takes back."""
    folder = HERE / "english_teams"
    options = ["--worksheet", folder / "calificaciones.csv", "--lang", "en", "--workers", "1"]
    code, said = in_process("grade", folder / "entregas.zip", "--out", tmp_path, *options)
    assert code == 1, said
    _, rows = rows_of((tmp_path / "calificaciones.csv").read_bytes(), "english_teams")
    right = {
        number: mark for number, mark in right_marks("english_teams").items() if mark is not None
    }
    # of one Moodle keeps the grade locked, and of one a teacher gave it
    kept = right.keys() - rows.keys()
    assert len(kept) == 2
    first, second = (tmp_path / "exceptions.txt").read_text(encoding="utf-8").splitlines()[1:3]
    assert "a person gave or changed (1.25, Comentario anterior," in first
    assert all(f"({number})" in first + second for number in kept)
    assert {number: Decimal(row[5]) for number, row in rows.items()} == {
        number: Decimal(str(mark)) * 4 for number, mark in right.items() if number not in kept
    }
    assert "“Upload grading worksheet”" in said
