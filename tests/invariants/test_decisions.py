"""What a person decides about a class: whatever is decided, reported and taken back, and in which
order, the folder ends as a fresh marking with the last decisions leaves it.

A cheap marker stands for the sandbox: it reads from the words of a file what it earns.
"""

import csv
import json
import shutil
import tempfile
from pathlib import Path

import pytest
from budget import budget
from cheap_marker import cheaply
from class_runs import in_process, written
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

RUBRIC = """
schema = 1
name = "R"
only = ["report", "accuracy", "hold_out"]
[functions]
accuracy.points = 0.30
hold_out.points = 0.10
report = { manual = true, points = 1 }
[late]
per_day = 0.05
"""
HEAD = (
    "Identificador,Nombre completo,Estado,Calificación,Calificación máxima,Comentarios de"
    " retroalimentación"
)
# the files that each one handed in; the last one is in the worksheet alone
FILES = {
    "Ana": {"solucion.py": "accuracy"},
    "Brais": {"solucion.py": "hold_out\nos_system"},
    "Carla": {"solucion.py": "grader"},
    "Diego": {"memoria.pdf": "%PDF"},
    "Eva": {},
}
STATUS = "Enviado para calificar - 1 día 2 horas después", "Enviado para calificar"
IDS = [f"{name.lower()}-{number}" for number, name in enumerate(FILES)]
POINTS = {
    "total": ("0", "0.30", "1.40"),
    "accuracy": ("0.1", "0.30"),
    "report": ("0", "1"),
    "late": ("0", "0.3"),
    "extension": ("0.1", "2"),
    "": ("",),
}
KEYS = st.tuples(st.sampled_from(IDS), st.sampled_from([*POINTS]))


@st.composite
def decisions(draw):
    """Draw a line of the table: its key, and its points and note."""
    name, function = draw(KEYS)
    note = draw(st.sampled_from(["Oral", '=1+1; «ñ», "b"']))
    return (name, function), (draw(st.sampled_from(POINTS[function])), note)


REPORTS = st.sampled_from(["folder", "worksheet", "no worksheet"])
STEPS = st.lists(
    st.one_of(decisions(), decisions(), st.sampled_from(["back", "all back"]), REPORTS)
)


class Folder:
    """A class that has been marked into a folder, and what a person decided about it."""

    def __init__(self, root):
        self.root, self.out = root, root / "notas"
        self.worksheet, self.rubric = root / "hoja.csv", root / "rubrica.toml"
        self.decided = {}
        self.rubric.write_text(RUBRIC)
        rows = [HEAD]
        for number, (name, files) in enumerate(FILES.items()):
            rows.append(f"Participante{number},{name},{STATUS[number % 3 > 0]},,10.00,")
            for file, content in files.items():
                place = root / "entregas" / f"{name}_{number}_assignsubmission_file" / file
                place.parent.mkdir(parents=True)
                place.write_text(content)
        self.worksheet.write_text("\r\n".join([*rows, ""]), encoding="utf-8-sig", newline="")

    def run(self, *words):
        """Run a command without an error of its own, and return what it says."""
        code, said = in_process(*words)
        assert code in (0, 1, 2), said
        assert "Usage" not in said, said
        return said

    def grade(self, out):
        """Mark the class into a folder."""
        options = ["--rubric", self.rubric, "--worksheet", self.worksheet, "--seed", 1]
        self.run("grade", self.root / "entregas", "--out", out, *options)

    def take(self, step):
        """Decide something, take something back, or report."""
        match step:
            case "folder":
                self.report(self.out)
            case "worksheet":
                self.report(self.out, "--worksheet", self.worksheet)
            case "no worksheet":
                self.report(self.out / "results.json", "--out", self.out)
            case "all back":
                self.decided.clear()
                (self.out / "overrides.csv").unlink(missing_ok=True)
            case "back" if self.decided:
                self.decided.popitem()
                self.write_table()
            case key, line:
                self.decided[key] = line
                self.write_table()

    def write_table(self):
        """Write the table as a person would."""
        with open(self.out / "overrides.csv", "w", encoding="utf-8", newline="") as file:
            table = csv.writer(file)
            table.writerow(["identifier", "function", "points", "note"])
            table.writerows([*key, *line] for key, line in self.decided.items())

    def report(self, *words):
        """Write the folder anew: each submission keeps its status, and each total is the mark."""
        if "--out" in words:
            (self.out / "hoja.csv").unlink(missing_ok=True)
        before = self.statuses()
        said = self.run("report", *words)
        now = self.statuses()
        assert {name: now.get(name) for name in before} == before, said
        marks = {row["id"]: row["points"] for row in self.rows(self.out / "grades.csv")}
        for (name, function), (points, _) in self.decided.items():
            assert function != "total" or float(marks[name]) == float(points), said

    def statuses(self):
        """Return the status of each submission that has a file."""
        marked = json.loads((self.out / "results.json").read_bytes())["submissions"]
        return {each["id"]: each["status"] for each in marked if each["sha256"]}

    def rows(self, path):
        """Return the rows of a table."""
        with open(path, encoding="utf-8-sig", newline="") as file:
            return [*csv.DictReader(file)]


@pytest.mark.thorough
@settings(max_examples=budget(20), phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(STEPS, st.sampled_from(["worksheet", "no worksheet"]))
def test_decisions_reports_and_taking_back_end_where_a_fresh_marking_does(steps, end):
    """Byte by byte but for the log; and what was marked outlives every report."""
    root = Path(tempfile.mkdtemp(prefix="decisions-"))
    try:
        with cheaply():
            made = Folder(root)
            made.grade(made.out)
            for step in [*steps, end]:
                made.take(step)
            fresh = root / "fresh"
            fresh.mkdir()
            if (made.out / "overrides.csv").exists():
                shutil.copy(made.out / "overrides.csv", fresh)
            made.grade(fresh)
            before, made.out = written(made.out), fresh
            made.take(end)
            assert before == written(fresh)
    finally:
        shutil.rmtree(root)
