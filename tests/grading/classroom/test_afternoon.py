"""A teacher's afternoon: grade a class, review it, adjust, excuse, grade again with a mended check,
upload.
"""

import csv
import io
import json
import re
import sys
import zipfile
from pathlib import Path

import class_runs
import pytest
from click.testing import CliRunner

from practica.cli import main

RUBRIC = f"""
{class_runs.RUBRIC}
[late]
per_day = 0.25
most = 1.00
grace_minutes = 10
"""
TOO_STRICT = RUBRIC.replace(
    '["classify_outputs.vector"]', '["classify_outputs.vector", "classify_outputs.matrix*"]'
)
SOURCE = """
import numpy as np

def classify_outputs(outputs, *, threshold=0.5):
    {first}
    return np.asarray(outputs) {comparison} threshold

def one_hot_encoding(feature, classes=None):
    return np.asarray(feature).reshape(-1, 1)
"""
FLAGGED = range(5)  # those who use eval
WRONG = (1, 6, 7)  # those with a wrong comparison
LATE = {2: "1 day 3 hours late", 8: "2 days late"}
HEADER = (
    "\ufeffIdentifier,Full name,Status,Grade,Maximum Grade,Grade can be changed,Last modified"
    " (grade),Feedback comments\n"
)


class Afternoon:
    """A class of ten in Moodle, and a teacher with a terminal."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.out = folder, folder / "notas"
        self.sheet = folder / "hoja.csv"
        rows = ""
        with zipfile.ZipFile(folder / "entregas.zip", "w") as archive:
            for number in range(10):
                first = 'eval("1")' if number in FLAGGED else "pass"
                source = SOURCE.format(first=first, comparison=">" if number in WRONG else ">=")
                archive.writestr(
                    f"Ana {number}_{number + 40}_assignsubmission_file/solucion.py", source
                )
                status = (
                    f"Submitted for grading - {LATE[number]}"
                    if number in LATE
                    else "Submitted for grading"
                )
                rows += f"Participant {number + 40},Ana {number},{status} -  - ,,10.00,Yes,-,\n"
        self.sheet.write_text(HEADER + rows, encoding="utf-8")

    def grade(self, rubric: str, *options: str) -> str:
        """Mark the class."""
        (self.folder / "rubric.toml").write_text(rubric)
        more = [
            "--out",
            self.out,
            "--worksheet",
            self.sheet,
            "--rubric",
            self.folder / "rubric.toml",
            *options,
        ]
        return self.do("grade", self.folder / "entregas.zip", *more, "--seed", 1, "--lang", "en")

    def do(self, *arguments: object, typed: str = "") -> str:
        """Run a command, with what is typed at its questions, and return what it says."""
        done = CliRunner().invoke(main, [*map(str, arguments)], input=typed)
        assert isinstance(done.exception, SystemExit | None), done.exception
        assert done.exit_code in (0, 1), done.output
        return done.output

    def marks(self) -> dict[str, tuple[str, str]]:
        """Return what goes to Moodle: mark and comment by name."""
        rows = csv.DictReader(
            io.StringIO((self.out / "hoja.csv").read_text(encoding="utf-8-sig"), newline="")
        )
        return {row["Full name"]: (row["Grade"], row["Feedback comments"]) for row in rows}


@pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's")
def test_a_person_chooses_which_of_several_files_is_marked(tmp_path):
    """In the review; the file is marked by the next run, which asks no more, and a file that is not
    there is said.
    """
    class_ = Afternoon(tmp_path)
    archive = tmp_path / "entregas.zip"
    wrong = SOURCE.format(first="pass", comparison=">")
    right = SOURCE.format(first="pass", comparison=">=")
    with zipfile.ZipFile(archive, "w") as zipped:
        for name, source in (("una.py", wrong), ("la buena.py", right)):
            zipped.writestr(f"Ana 0_40_assignsubmission_file/{name}", source)
        zipped.writestr("Ana 1_41_assignsubmission_file/solucion.py", right)
    assert "it is not clear which one to grade: la buena.py, una.py" in " ".join(
        class_.grade(RUBRIC).split()
    )
    assert "Ana 0" not in class_.marks()

    typed = "file otra.py\nfile la buena.py\n\n"
    said = class_.do("review", class_.out, "--lang", "en", typed=typed)
    assert "otra.py is not among several files" in said
    assert "To mark the files that were chosen: practica grade " in said
    said = class_.grade(RUBRIC, "--resume")
    assert "2 submissions, 1 of them known" in (class_.out / "registro.log").read_text()
    assert class_.marks()["Ana 0"][0] == "10.00"
    assert "which one" not in said
    assert "Nothing needs a person." in class_.do("review", class_.out, "--lang", "en")

    with zipfile.ZipFile(archive, "w") as zipped:  # Ana hands in again
        zipped.writestr("Ana 0_40_assignsubmission_file/nueva.py", wrong)
    said = " ".join(class_.grade(RUBRIC).split())
    assert (
        "the file that was chosen, la buena.py, is not among those that were handed in: nueva.py"
        in said
    )


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's")
def test_nothing_that_a_person_decided_is_lost_in_an_afternoon(tmp_path):
    """Five flags, two marks and one lateness, decided once; then a mended check, and Moodle."""
    class_ = Afternoon(tmp_path)
    said = class_.grade(TOO_STRICT)
    assert said.count("eval") >= 5
    before = json.loads((class_.out / "results.json").read_text())
    assert {
        each["id"]: each["late"]["days"] for each in before["submissions"] if "late" in each
    } == {
        "ana-2-42": 2,
        "ana-8-48": 2,
    }

    # Five questions: the second and the fourth change a mark, the third excuses the lateness.
    typed = "\nharmless\n" + "classify_outputs 0,40\nThe idea is right.\n\n" + "late 0\nIll.\n\n"
    typed += "total 1.5\nOral exam.\n\n" + "\n\n"
    said = class_.do("review", class_.out, "--lang", "en", typed=typed)
    assert "Decided: 5. Left: 0." in said
    assert "> " in said  # the line that is flagged
    assert "eval" in said
    assert "Nothing needs a person." in class_.do("review", class_.out, "--lang", "en")

    class_.do(
        "report",
        class_.out / "results.json",
        "--out",
        class_.out,
        "--worksheet",
        class_.sheet,
        "--lang",
        "en",
    )
    adjusted = class_.marks()
    decided = (class_.out / "overrides.csv").read_bytes()

    said = class_.grade(RUBRIC)  # the check that was too strict is mended
    assert (class_.out / "overrides.csv").read_bytes() == decided
    assert "Nothing needs a person." in class_.do("review", class_.out, "--lang", "en")
    assert "eval" not in (class_.out / "exceptions.txt").read_text()
    marks = class_.marks()
    assert {name: mark for name, (mark, _) in marks.items()} == {
        "Ana 0": "10.00",
        "Ana 1": "7.00",  # 0.40 and 1 of 2
        "Ana 2": "10.00",  # excused
        "Ana 3": "7.50",  # the total
        "Ana 4": "10.00",
        "Ana 5": "10.00",
        "Ana 6": "5.00",
        "Ana 7": "5.00",
        "Ana 8": "7.50",  # two days
        "Ana 9": "10.00",
    }
    for name, note in (("Ana 1", "The idea is right."), ("Ana 2", "Ill."), ("Ana 3", "Oral exam.")):
        assert note in marks[name][1]
        assert note in adjusted[name][1]
    assert "2 d" in marks["Ana 8"][1]
    assert "0.50 points less" in marks["Ana 8"][1]
    assert max(len(re.sub("<[^>]*>", "", comment)) for _, comment in marks.values()) <= 500

    with zipfile.ZipFile(class_.out / "feedback.zip") as archive:
        pages = {name.partition("_")[0]: archive.read(name).decode() for name in archive.namelist()}
    assert len(pages) == 10
    assert "The idea is right." in pages["Ana 1"]
    assert "<h1>Ana 1</h1>" in pages["Ana 1"]
    assert "eval" not in re.sub(
        '(?s)<section aria-labelledby="source">.*?</section>', "", pages["Ana 1"]
    )
    assert "sandbox" not in pages["Ana 1"]

    # In Moodle, and down again: what was given stands, and the next run replaces it.
    rows = (class_.out / "hoja.csv").read_text(encoding="utf-8-sig")
    class_.sheet.write_text(rows, encoding="utf-8")
    class_.grade(RUBRIC, "--resume")
    assert class_.marks() == marks
    assert "To be looked at first" not in (class_.out / "exceptions.txt").read_text()

    # Another price for a late day: no file is marked again, and what was excused stays excused.
    class_.grade(RUBRIC.replace("per_day = 0.25", "per_day = 0.50"), "--resume")
    assert (
        "10 submissions, 10 of them known"
        in (class_.out / "registro.log").read_text().splitlines()[-1]
    )
    assert (class_.marks()["Ana 8"][0], class_.marks()["Ana 2"][0]) == ("5.00", "10.00")
    changed = class_.do(
        "regrade", class_.out / "results.json", class_.out / "results.json", "--lang", "en"
    )
    assert "The mark of 0 of 10 submissions changes." in changed
