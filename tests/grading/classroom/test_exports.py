"""What goes back to Moodle and to a spreadsheet."""

import csv
import random
import re
import zipfile
from dataclasses import replace

import pytest
from moodle_files import result, submission

from practica.grading.classroom.exports import feedback_paths, write_feedback_zip, write_grades
from practica.grading.classroom.matching import match
from practica.grading.engine.result import Diagnosis, Entry, Mistake
from practica.grading.report.moodle_comment import comment

ANA = Entry("ana-12", "Ana Núñez", 12, "Ana Núñez_12_assignsubmission_file")
FLAT = Entry("eva-13", "Eva", 13, "Eva_13_assignsubmission_file_")
TEAM = Entry("grupo-a-8", "Grupo A", 8, "Grupo A_8_assignsubmission_file")
OUTSIDE = Entry("luis", "Luis")


def names_in(path):
    """Return the names in a zip, as another program reads them."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return archive.namelist()


def test_pages_go_back_to_the_numbers_of_the_folders():
    """In a folder, whatever form the submission had; outside Moodle in one of their own."""
    assert feedback_paths([ANA, FLAT, OUTSIDE]) == {
        "ana-12": ["Ana Núñez_12_assignsubmission_file_/practica-ana-nunez-12.html"],
        "eva-13": ["Eva_13_assignsubmission_file_/practica-eva-13.html"],
        "luis": ["luis/practica-luis.html"],
    }


def test_with_a_worksheet_every_member_of_a_team_has_a_page(sheet):
    """By the number of the participant: that of the group is somebody else's."""
    read = sheet(
        "Identifier,Full name,Group,Grade\nP 8,Eva,,\nP 20,Ana,Grupo A,\nP 21,Luis_Rey,Grupo A,\n"
    )
    owners, _ = match(read, [TEAM, OUTSIDE])
    assert feedback_paths([TEAM, OUTSIDE], owners) == {
        "grupo-a-8": [
            "Ana_20_assignsubmission_file_/practica-ana-20.html",
            "Luis Rey_21_assignsubmission_file_/practica-luis-rey-21.html",
        ],
        "luis": [],
    }
    assert feedback_paths([TEAM], owners, without=[read.rows[1]])["grupo-a-8"] == [
        "Luis Rey_21_assignsubmission_file_/practica-luis-rey-21.html"
    ]


def test_the_same_feedback_is_the_same_bytes(tmp_path):
    """In whatever order it comes, from memory or from files."""
    files = [(f"E_{number}_x/a.html", bytes([number])) for number in range(20)]
    write_feedback_zip(tmp_path / "one.zip", dict(files))
    random.Random(1).shuffle(files)
    (tmp_path / "a.html").write_bytes(files[0][1])
    write_feedback_zip(tmp_path / "two.zip", {**dict(files), files[0][0]: tmp_path / "a.html"})
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert names_in(tmp_path / "one.zip") == sorted(name for name, _ in files)


def test_nobody_gets_the_feedback_of_another_with_the_same_number():
    """Moodle would give both to one."""
    twice = [ANA, replace(ANA, id="ana-12-2"), FLAT]
    assert [len(paths) for paths in feedback_paths(twice).values()] == [0, 0, 1]


@pytest.mark.parametrize("name", [".informe.html", "~informe.html"])
def test_a_name_that_moodle_overlooks_is_refused(tmp_path, name):
    """And nothing is written."""
    with pytest.raises(ValueError, match="Moodle overlooks"):
        write_feedback_zip(tmp_path / "f.zip", {f"Ana_12_assignsubmission_file_/{name}": b"1"})
    assert list(tmp_path.iterdir()) == []


def test_the_grades_have_a_row_per_student(tmp_path):
    """A mark of 0 is not the same as none, and no name is a formula."""
    entries = [ANA, FLAT, replace(OUTSIDE, name="=1+1", source="@x.py"), Entry("sin-9", "Sin", 9)]
    functions = [*submission().functions]
    functions[1] = replace(
        functions[1], diagnosis=Diagnosis("one", (Mistake("accuracy.cells", {}),))
    )
    functions[2] = replace(
        functions[2], diagnosis=Diagnosis("either", (Mistake("a", {}), Mistake("b", {})))
    )
    marked = [
        submission(functions=tuple(functions)),
        submission("eva-13", "not_run", points=0.0),
        submission("luis", "grader_error"),
    ]
    write_grades(tmp_path / "grades.csv", entries, result(*marked))
    raw = (tmp_path / "grades.csv").read_bytes()
    assert raw.startswith(
        b"\xef\xbb\xbfid,participant,name,team,status,points,max_points,classify_outputs,"
    )
    with open(tmp_path / "grades.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["status"], row["points"]) for row in rows] == [
        ("graded", "0.25"), ("not_run", "0.00"), ("grader_error", ""), ("no_file", ""),
    ]  # fmt: skip
    assert rows[0]["classify_outputs"] == "0.25"
    assert [row["mistakes"] for row in rows] == [
        "accuracy: accuracy.cells; hold_out: a | b",
        "",
        "",
        "",
    ]
    assert (rows[2]["name"], rows[2]["file"]) == ("'=1+1", "'@x.py")


def test_the_grades_have_a_row_for_each_member_of_a_team(tmp_path, sheet):
    """With the marks of the team's submission."""
    read = sheet(
        "Identifier,Full name,Group,Grade\nP 8,Eva,,\nP 20,Ana,Grupo A,\nP 21,Luis,Grupo A,\n"
    )
    write_grades(
        tmp_path / "grades.csv", [TEAM], result(submission("grupo-a-8")), match(read, [TEAM])[0]
    )
    with open(tmp_path / "grades.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["participant"], row["name"], row["team"], row["points"]) for row in rows] == [
        ("20", "Ana", "Grupo A", "0.25"),
        ("21", "Luis", "Grupo A", "0.25"),
    ]


def test_no_cell_is_a_formula_whatever_separates_them(tmp_path):
    """A spreadsheet in Spanish takes a semicolon for the separator, in names and in what is said in
    Moodle.
    """
    entry = replace(ANA, source="a;=1+1,@b\t-c\n=d\r=e;＝f,＋g;－h\t＠i.py")
    write_grades(tmp_path / "grades.csv", [entry], result(submission(entry.id)))
    said = {"call": 'f("=1+1", "a;@b;＝c")', "obtained": "1"}
    function = submission().functions[1]
    function = replace(function, checks=(replace(function.checks[0], facts=said),))
    text = (tmp_path / "grades.csv").read_bytes().decode() + comment(
        submission(functions=(function,))
    )
    assert "1+1" in text
    assert re.findall(r"[;,\t\r\n][=+@＝＋－＠-]", text) == []


def test_each_student_is_one_line_of_the_grades(tmp_path):
    """Whoever looks for a name in the lines finds nothing that a student has written into the name
    of a file.
    """
    entry = replace(ANA, source="a\r\neva-13,13,Eva,,graded,2.50.py")
    write_grades(tmp_path / "grades.csv", [entry], result(submission(entry.id)))
    assert len((tmp_path / "grades.csv").read_text(encoding="utf-8-sig").splitlines()) == 2
