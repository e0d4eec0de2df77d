"""A class of Canvas, back to it: marks in its own gradebook, and pages under names that it
takes.
"""

import csv
import io
import json
import re
import subprocess
import sys
import zipfile

import pytest
from moodle_files import MODEL, zipped

from practica.grading.classroom.filling import Mark, fill
from practica.grading.classroom.worksheet import read_worksheet
from practica.grading.engine.result import Entry

FILES = {
    "perezana_167_2045_solucion.py": MODEL,
    "garcíaluis_LATE_168_2046_solucion-1.py": (
        b"def accuracy(outputs, targets, *, threshold=0.5):\n    return 0\n"
    ),
    "gileva_169_2047_solucion.py": MODEL,
    "otronombre_170_2048_solucion.py": MODEL,
}
GRADEBOOK = """\
Student,ID,SIS User ID,SIS Login ID,Section,Práctica 1 (901),Current Score,Final Score
,,,,,Manual Posting,,
    Points Possible,,,,,10.00,(read only),(read only)
"Pérez, Ana",167,S1,aperez,"A, 1",,,
"García, Luis",168,S2,lgarcia,A,,,
"Gil, Eva",169,S3,egil,A,9.50,95,95
"Ruiz, Jo",170,S4,jruiz,A,,,
"Sola, No",171,S5,nsola,A,,,
"Student, Test",999,,abc,A,,,
"""


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    """Grade the class as an instructor does; return the folder of the results."""
    folder = tmp_path_factory.mktemp("canvas")
    (folder / "submissions.zip").write_bytes(zipped(FILES))
    (folder / "book.csv").write_text(GRADEBOOK, encoding="utf-8-sig", newline="")
    (folder / "rubric.toml").write_text('only = ["accuracy"]\n', encoding="utf-8")
    options = [
        "--rubric",
        "rubric.toml",
        "--worksheet",
        "book.csv",
        "--out",
        "marks",
        "--lang",
        "en",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "practica", "grade", "submissions.zip", *options],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    return folder / "marks", done.stdout


@pytest.mark.thorough
def test_the_gradebook_comes_back_with_marks_and_nothing_else(marked):
    """Its rows of no student, the rows that got a mark, and of them one cell.

    A person's mark stays.
    """
    content = (marked[0] / "book.csv").read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    lines = GRADEBOOK.splitlines(keepends=True)
    lines[3], lines[4] = (
        lines[3].replace(",,,\n", ",10.00,,\n"),
        lines[4].replace(",,,\n", ",0.00,,\n"),
    )
    assert content.decode("utf-8-sig") == "".join(lines[:5])
    exceptions = (marked[0] / "exceptions.txt").read_text(encoding="utf-8")
    assert (
        "Gil, Eva (169): the worksheet has a mark or a comment that a person gave or changed (9.50)"
        in exceptions
    )
    assert "otronombre (170): in the worksheet, that number belongs to Ruiz, Jo (170)" in exceptions
    assert "Sola, No (171): in the worksheet, and without a submission" in exceptions
    assert re.search(
        r"\(168\): it is late, says Canvas, and not by how much: here it costs nothing", exceptions
    )


def test_pages_have_the_names_by_which_canvas_finds_student_and_file(marked):
    """Only those of students with a mark of this run, and a row."""
    with zipfile.ZipFile(marked[0] / "feedback.zip") as archive:
        names = archive.namelist()
    assert names == ["garcíaluis_LATE_168_2046_practica.html", "perezana_167_2045_practica.html"]


def test_the_guide_is_of_canvas(marked):
    """And is printed; there is none of Moodle."""
    folder, shown = marked
    guide = (folder / "canvas.txt").read_text(encoding="utf-8")
    assert "book.csv, which has the rows with a mark (2)" in guide
    assert "feedback.zip (2 pages)" in guide
    assert "In Canvas, the marks" in shown
    assert not (folder / "moodle.txt").exists()


def test_nothing_that_is_said_of_the_class_speaks_of_moodle(marked):
    """In the terminal, the list of exceptions, the guide and the page."""
    folder, shown = marked
    names = "exceptions.txt", "canvas.txt", "index.html"
    for text in (shown, *((folder / name).read_text(encoding="utf-8") for name in names)):
        assert "Moodle" not in text


def test_the_result_keeps_what_canvas_calls_them(marked):
    """So that `practica report` writes it all anew."""
    kept = json.loads((marked[0] / "results.json").read_text(encoding="utf-8"))["class"]["entries"]
    assert {each["number"]: each["canvas"] for each in kept}[168] == "garcíaluis_LATE_168_2046"


def test_a_gradebook_of_several_assignments_is_refused(tmp_path):
    """The sentence names them: which one is meant is no guess of ours."""
    text = io.StringIO()
    csv.writer(text).writerows([["Student", "ID", "Section", "P1 (1)", "P2 (2)", "Final Score"]])
    (tmp_path / "book.csv").write_text(text.getvalue(), encoding="utf-8")
    with pytest.raises(ValueError, match=r"it has: P1 \(1\), P2 \(2\)"):
        read_worksheet(tmp_path / "book.csv")


@pytest.mark.parametrize(
    ("possible", "written"),
    [("1,000.00", "500.00"), ("1.000,00", "500,00"), ("1 000,00", "500,00")],
)
def test_points_possible_with_thousands_are_a_number(tmp_path, possible, written):
    """As Canvas writes them in either language."""
    (tmp_path / "book.csv").write_text(
        GRADEBOOK.replace(",10.00,", f',"{possible}",').replace(",9.50,", ",,")
    )
    sheet = read_worksheet(tmp_path / "book.csv")
    ana = Entry("ana", "perezana", 167, canvas="perezana_167_2045")
    filled = fill(sheet, [ana], {"ana": (sheet.rows[0],)}, {"ana": Mark(1.25, 2.5, lambda *_: "")})
    assert (
        f'"A, 1","{written}",' in filled.content.decode()
        or f'"A, 1",{written},' in filled.content.decode()
    )
    assert [each.code for each in filled.incidents] == ["worksheet.no_feedback", "grade.scaled"]


def test_a_backslash_before_a_quote_stays(tmp_path):
    """Moodle alone takes the two for a part of the cell."""
    (tmp_path / "book.csv").write_text(GRADEBOOK.replace('"A, 1"', '"A, 1\\"'))
    sheet = read_worksheet(tmp_path / "book.csv")
    ana = Entry("ana", "perezana", 167, canvas="perezana_167_2045")
    filled = fill(sheet, [ana], {"ana": (sheet.rows[0],)}, {"ana": Mark(1.25, 2.5, lambda *_: "")})
    assert b'"A, 1\\",5.00,' in filled.content
    assert "worksheet.backslash" not in [each.code for each in filled.incidents]
