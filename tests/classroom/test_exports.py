"""What goes back to Moodle and to a spreadsheet."""

import csv
import random
import zipfile
from dataclasses import replace

import pytest
from moodle_files import result, submission, zipped

from practica.classroom.collect import Entry, collect
from practica.classroom.exports import write_feedback_zip, write_grades
from practica.classroom.incidents import Incident

ANA = Entry("ana-12", "Ana", 12, "Ana Núñez_12_assignsubmission_file")
FLAT = Entry("eva-13", "Eva", 13, "Eva_13_assignsubmission_file_", flat=True)
OUTSIDE = Entry("luis", "Luis")


def names_in(path):
    """Return the names in a zip, as another program reads them."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return archive.namelist()


def test_feedback_goes_back_under_moodles_own_names(tmp_path):
    """In the folder, or with the prefix; outside Moodle in a folder of its own."""
    files = [(entry, "informe.html", b"<p>") for entry in (ANA, FLAT, OUTSIDE)]
    write_feedback_zip(tmp_path / "f.zip", files)
    assert names_in(tmp_path / "f.zip") == [
        "Ana Núñez_12_assignsubmission_file/informe.html",
        "Eva_13_assignsubmission_file_informe.html",
        "luis/informe.html",
    ]


@pytest.mark.parametrize("name", ["Ana_12_assignsubmission_file/x.py", "Ana_12_assignsubmission_file_/x.py",
                                  "Ana_12_assignsubmission_file_x.py"])  # fmt: skip
def test_moodle_finds_the_student_of_every_convention(tmp_path, name):
    """By its importer's rule: the number is the second of the parts that underscores make."""
    (tmp_path / "e.zip").write_bytes(zipped({name: b"x = 1"}))
    (entry,) = collect(tmp_path / "e.zip", tmp_path / "work").entries
    write_feedback_zip(tmp_path / "f.zip", [(entry, "informe.html", b"<p>")])
    (back,) = names_in(tmp_path / "f.zip")
    person, number, subtype, plugin, *rest = back.split("/")[0].split("_", 4)
    assert (person, number, subtype, plugin) == ("Ana", "12", "assignsubmission", "file")
    assert "/".join([*rest, *back.split("/")[1:]]).removeprefix("/") == "informe.html"


def test_the_same_feedback_is_the_same_bytes(tmp_path):
    """In whatever order it comes, from memory or from files."""
    files = [(Entry(f"e{number}", "E", number, f"E_{number}_x"), "a.html", bytes([number])) for number in range(20)]
    write_feedback_zip(tmp_path / "one.zip", files)
    random.Random(1).shuffle(files)
    (tmp_path / "a.html").write_bytes(files[0][2])
    files[0] = (files[0][0], "a.html", tmp_path / "a.html")
    write_feedback_zip(tmp_path / "two.zip", iter(files))
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_nobody_gets_the_feedback_of_another_with_the_same_number(tmp_path):
    """Moodle would give both to one."""
    twice = replace(ANA, incidents=(Incident("submission.duplicate", {"name": "Ana", "participant": 12}),))
    write_feedback_zip(tmp_path / "f.zip", [(twice, "a.html", b"1"), (FLAT, "a.html", b"2")])
    assert names_in(tmp_path / "f.zip") == ["Eva_13_assignsubmission_file_a.html"]


@pytest.mark.parametrize("name", [".informe.html", "~informe.html"])
def test_a_name_that_moodle_overlooks_is_refused(tmp_path, name):
    """And nothing is written."""
    with pytest.raises(ValueError, match="Moodle overlooks"):
        write_feedback_zip(tmp_path / "f.zip", [(ANA, name, b"1")])
    assert list(tmp_path.iterdir()) == []


def test_the_grades_have_a_row_per_student(tmp_path):
    """A mark of 0 is not the same as none, and no name is a formula."""
    entries = [ANA, FLAT, replace(OUTSIDE, name="=1+1", source="@x.py"), Entry("sin-9", "Sin", 9)]
    marked = [submission(), submission("eva-13", "not_run", points=0.0), submission("luis", "grader_error")]
    write_grades(tmp_path / "grades.csv", entries, result(*marked))
    raw = (tmp_path / "grades.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbfid,participant,name,status,points,max_points,classify_outputs,")
    with open(tmp_path / "grades.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["status"], row["points"]) for row in rows] == [
        ("graded", "0.25"), ("not_run", "0.00"), ("grader_error", ""), ("no_file", ""),
    ]  # fmt: skip
    assert rows[0]["classify_outputs"] == "0.25"
    assert (rows[2]["name"], rows[2]["file"]) == ("'=1+1", "'@x.py")
