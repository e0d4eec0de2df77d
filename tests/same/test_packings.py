"""One student is one row: whatever system packed the class, and whatever each student handed in.

Six submissions go through seven systems, each as a file, a zip, a notebook and a text, and then as
something that cannot be marked or as nothing. The rows stay, and a decision about each of them
reaches the file that is uploaded.
"""

import csv
import functools
import io
from pathlib import Path

import pytest
from cheap_marker import cheaply
from class_runs import in_process
from lanes import one_in
from moodle_files import notebook, zipped

from practica.grading.classroom.collect import collect

PEOPLE = (  # name, login, number
    ("Ana Núñez Pérez", "ananunezperez", 167),
    ("Luis Gil", "luisgil", 168),
    ("Jo O'Hara", "johara", 169),
    ("Mª José de la Red", "mjosedelared", 170),
    ("ELENA Ruiz", "elenaruiz", 171),
    ("Li Wei", "liwei", 172),
)
CODE = {
    login: f"def accuracy(outputs, targets, *, threshold=0.5):\n    return {number}\n"
    for _, login, number in PEOPLE
}
RUBRIC = 'only = ["accuracy"]\nfunctions.accuracy.points = 10\n'
METADATA = "submission_{0}:\n  :submitters:\n  - :name: {1}\n    :sid: '1'\n"
NO_TEXT = "Submission Field:\nThere is no student submission text data for this assignment.\n"


def blackboard(name, login, number, files, text=None, day=20):
    """Pack as Blackboard does, with the text that names the student."""
    start = f"gradebook_ML_P1_{login}_attempt_2026-11-{day}-18-00-05"
    field = NO_TEXT if text is None else f"Submission Field:\n{text}\n"
    said = f"Name: {name} ({login})\nAssignment: P1\n{field}".encode()
    return {f"{start}.txt": said, **{f"{start}_{file}": each for file, each in files.items()}}


def moodle(name, login, number, files, text=None):
    """Pack as Moodle does, an online text in a folder of its own."""
    own = {f"{name}_{number}_assignsubmission_file/{file}": each for file, each in files.items()}
    page = f"{name}_{number}_assignsubmission_onlinetext/onlinetext.html"
    return own if text is None else {**own, page: text.encode()}


def canvas(name, login, number, files, text=None):
    """Pack as Canvas does, an online text as a page without the number of an attachment."""
    key = "".join(filter(str.isalpha, sortable(name).casefold()))
    own = {
        f"{key}_{number}_{place}_{file}": each
        for place, (file, each) in enumerate(files.items(), start=10 * number)
    }
    return own if text is None else {**own, f"{key}_{number}_text.html": text.encode()}


def sakai(name, login, number, files, text=None):
    """Pack as Sakai does: a folder for each student, with a time and the attachments."""
    folder = f"{name}({login})"
    own = {f"{folder}/Submission attachment(s)/{file}": each for file, each in files.items()}
    own[f"{folder}/timestamp.txt"] = b"20261120"
    page = f"{folder}/{name}({login})_submissionText.html"
    return own if text is None else {**own, page: text.encode()}


def below(pattern):
    """Pack into a folder for each student; a text is a file of it."""

    def pack(name, login, number, files, text=None):
        folder = pattern.format(login=login, number=number)
        texts = {} if text is None else {"respuesta.md": text.encode()}
        return {f"{folder}/{file}": each for file, each in {**files, **texts}.items()}

    return pack


def drive(name, login, number, files, text=None):
    """Pack as Google Drive does, with the student's name before each file; a text is a document."""
    texts = {} if text is None else {"practica.docx": text.encode()}
    return {f"{name} - {file}": each for file, each in {**files, **texts}.items()}


SYSTEMS = {
    "Moodle": moodle,
    "Canvas": canvas,
    "Google Drive": drive,
    "Blackboard": blackboard,
    "Sakai": sakai,
    "Gradescope": below("submission_{number}"),
    "GitHub Classroom": below("p1-submissions/p1-{login}"),
}
BY_LOGIN = ("Canvas", "GitHub Classroom")  # systems of which Canvas's gradebook is the worksheet
ONLY_FILES = ("GitHub Classroom", "Google Drive")  # no system names a student without one
FORMS = {
    "a file": lambda code: {"solucion.py": code.encode()},
    "a zip": lambda code: {"p1.zip": zipped({"solucion.py": code, "memoria.pdf": "x"})},
    "a notebook": lambda code: {"solucion.ipynb": notebook("import numpy as np", code)},
    "a text": lambda code: {"solucion.txt": code.encode()},
}
INSTEAD = {  # what somebody handed in who did not hand in the practice: files, and an online text
    "an online text": ({}, "I could not do it."),
    "a PDF": ({"memoria.pdf": b"%PDF-1.4"}, None),
    "an empty file": ({"solucion.py": b""}, None),
    "two attempts": ({"solucion.py": b"accuracy = 1\n", "solucion-1.py": b"accuracy = 2\n"}, None),
    "nothing": (None, None),
}


def sortable(name):
    """Return a name as Canvas sorts it."""
    first, _, rest = name.partition(" ")
    return f"{rest}, {first}"


def packed(system, handed_in):
    """Return the zip of a class: the files and the text of each student, by login."""
    pack, files = SYSTEMS[system], {}
    for name, login, number in PEOPLE:
        own, text = handed_in[login]
        if own is not None:
            files |= pack(name, login, number, own, text)
    if system == "Gradescope":
        own = [one for one in PEOPLE if handed_in[one[1]][0] is not None]
        lines = [METADATA.format(number, name) for name, _, number in own]
        files["submission_metadata.yml"] = f"---\n{''.join(lines)}".encode()
    return zipped(files)


def worksheet(system):
    """Return the table in which the marks of a class go back."""
    if system in BY_LOGIN:
        rows = [f'"{sortable(name)}",{number},,{login},' for name, login, number in PEOPLE]
        head = ["Student,ID,SIS User ID,SIS Login ID,P1 (555)", "    Points Possible,,,,10"]
        return "\n".join([*head, *rows, ""])
    rows = [f"Participante {number},{name},Enviado,,10,-," for name, _, number in PEOPLE]
    head = "Identificador,Nombre completo,Estado,Calificación,Calificación máxima"
    more = "Última modificación (entrega),Comentarios de retroalimentación"
    return "\n".join([f"{head},{more}", *rows, ""])


def table(path):
    """Return the rows of a table by what identifies a student in it."""
    rows = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig")))
    return {row.get("Identificador") or row["ID"]: row for row in rows}


class Marked:
    """A class in a folder, marked by its words."""

    def __init__(self, folder: Path, system: str) -> None:
        self.folder, self.system = folder, system
        (folder / "hoja.csv").write_text(worksheet(system), encoding="utf-8")
        (folder / "r.toml").write_text(RUBRIC, encoding="utf-8")

    def mark(self, handed_in):
        """Mark what was handed in, and return the rows of the grades by id."""
        (self.folder / "e.zip").write_bytes(packed(self.system, handed_in))
        options = ["--worksheet", self.folder / "hoja.csv", "--rubric", self.folder / "r.toml"]
        with cheaply():
            code, said = in_process(
                "grade", self.folder / "e.zip", *options, "--out", self.out, "--lang", "en"
            )
        assert code in (0, 1), said
        text = (self.out / "grades.csv").read_text(encoding="utf-8-sig")
        return {row["id"]: row for row in csv.DictReader(io.StringIO(text))}, said

    @property
    def out(self) -> Path:
        """The folder of the results."""
        return self.folder / "notas"

    def decide(self, totals):
        """Write a total for each id."""
        lines = [f"{name},total,{points}," for name, points in totals.items()]
        table = "\n".join(["identifier,function,points,note", *lines, ""])
        (self.out / "overrides.csv").write_text(table, encoding="utf-8")

    def uploaded(self):
        """Return the grades in the copy of the worksheet."""
        column = "P1 (555)" if self.system in BY_LOGIN else "Calificación"
        rows = table(self.out / "hoja.csv").values()
        return [float(row[column]) for row in rows if "Points Possible" not in str(row)]


@functools.cache
def everybody(form="a file"):
    """Return what each student handed in, in one form."""
    return {login: (FORMS[form](code), None) for login, code in CODE.items()}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_in_every_system_is_the_same_code_of_the_same_student(tmp_path, system, form):
    """A file, a zip, a notebook, or a text that holds the code."""
    (tmp_path / "e.zip").write_bytes(packed(system, everybody(form)))
    found = collect(tmp_path / "e.zip", tmp_path / "work")
    code = sorted(entry.file.read_text().strip()[-10:] for entry in found.entries if entry.file)
    assert code == sorted(each.strip()[-10:] for each in CODE.values())
    assert len(found.entries) == len(PEOPLE)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("instead", one_in(6, INSTEAD))
def test_a_student_has_one_row_whatever_was_handed_in(tmp_path, system, instead):
    """The rows of the class do not change, and each decision is uploaded."""
    class_ = Marked(tmp_path, system)
    before, _ = class_.mark(everybody())
    changed = {**everybody(), **dict.fromkeys(["luisgil", "liwei"], INSTEAD[instead])}
    totals = {name: 1 + place / 10 for place, name in enumerate(sorted(before))}
    class_.decide(totals)
    after, said = class_.mark(changed)
    assert after.keys() == before.keys()
    assert len(after) == len(PEOPLE)
    assert "not in the worksheet" not in said
    assert ("without a submission" in said) == (instead == "nothing")
    assert {float(row["points"]) for row in after.values()} == {*totals.values()}
    assert sorted(class_.uploaded()) == sorted(totals.values())


def test_what_is_no_file_is_called_what_it_is(tmp_path):
    """Blackboard writes a text for everybody, and says in it where there is none."""
    handed_in = {**everybody(), "liwei": ({}, None), "luisgil": ({}, "I could not do it.")}
    (tmp_path / "e.zip").write_bytes(packed("Blackboard", handed_in))
    found = collect(tmp_path / "e.zip", tmp_path / "work")
    codes = {each.entry: each.code for each in found.incidents}
    assert codes == {"li-wei": "submission.none", "luis-gil": "submission.online"}
