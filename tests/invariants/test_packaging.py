"""The same files of the same students give the same rows, however they are packed and whatever lies
beside them.
"""

import ast
import functools
import itertools
import re
import tempfile
import unicodedata
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from budget import budget
from hypothesis import Phase, given, note, settings
from hypothesis import strategies as st
from lanes import one_in
from moodle_files import MODEL, notebook, zipped

from practica.grading.classroom.collect import collect
from practica.grading.classroom.layouts import nameless
from practica.grading.classroom.matching import match
from practica.grading.classroom.pick_file import Candidate, Written, choose
from practica.grading.classroom.worksheet import read_worksheet
from practica.grading.engine.result import Entry
from practica.grading.student.check import Examiner
from practica.grading.student.folder import make_folder
from practica.notebook import convert

HANDED_OUT = {
    name: (Path(__file__).parents[2] / "enunciado" / name).read_bytes()
    for name in (
        "plantilla.py",
        "template.py",
        "cuaderno.ipynb",
        "notebook.ipynb",
        "colab.ipynb",
        "colab.en.ipynb",
    )
}


def read(path: str, content: bytes) -> Candidate:
    """Return a file of a submission as the grader reads it."""
    cells = convert(content) if path.endswith(".ipynb") else None
    return Candidate(path, content if cells is None else cells.source, cells)


# --- What students were given, and what they wrote ------------------------------------------------


class _OtherBodies(ast.NodeTransformer):
    """An earlier or another teacher's template: the same functions with another sign that they are
    not written.
    """

    def __init__(self, body: str) -> None:
        self.body = body

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Put the sign in the place of the body."""
        node.body = ast.parse(self.body).body
        return node


def _without_docstrings(text: str, body: str) -> str:
    return ast.unparse(_OtherBodies(body).visit(ast.parse(text)))


VARIANTS = {  # a template in Python that nobody has worked on
    "as it is": lambda text: text,
    "with the student's name": lambda text: re.sub(
        r"(Autor[^:]*|Author): .*", r"\1: Ana Núñez Pérez.", text
    ),
    "with an author": lambda text: f'__author__ = "Ana Núñez"\n{text}',
    "with comments": lambda text: (
        "# Práctica 1\n" + text.replace("    raise", "    # por hacer\n    raise")
    ),
    "with other spaces": lambda text: (
        text.replace("\n\n", "\n\n\n").replace("raise NotImpl", "raise  NotImpl") + "\n "
    ),
    "with line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "with a mark at its start": lambda text: f"\ufeff{text}",
    "with pass": lambda text: _without_docstrings(text, "pass"),
    "with dots": lambda text: _without_docstrings(text, "'''Por hacer.'''\n..."),
    "with a reason": lambda text: _without_docstrings(
        text, "raise NotImplementedError('por hacer')"
    ),
    "with only half of it": lambda text: text[: text.index("def hold_out")],
}
ONE = "import numpy as np\n\n\ndef accuracy(outputs, targets, *, threshold=0.5):\n    return {}\n"
WRITTEN = {  # by a student; each number gives another file
    "everything": lambda number: MODEL + b"# %d\n" % number,
    "a function": lambda number: ONE.format(number).encode(),
    "a factory": lambda number: (
        b"def _made(k):\n    return lambda *a, **b: k\n\n\naccuracy = _made(%d)\n" % number
    ),
    "the template with a function": lambda number: (
        HANDED_OUT["plantilla.py"] + ONE.format(number).encode()
    ),
    "what Python cannot read": lambda number: (
        HANDED_OUT["plantilla.py"] + b"def accuracy(:\n    return %d\n" % number
    ),
    "under a condition": lambda number: (
        b"if True:\n    def accuracy(*a, **b):\n        return %d\n" % number
    ),
}
NOT_IN_CELLS = ("a factory", "under a condition")  # in a notebook only definitions are marked
NAMES = (
    "solucion",
    "solucion_final",
    "practica1",
    "src/solucion",
    "plantilla",
    "cuaderno",
    "entrega/mi_red",
    "red",
)


def as_notebook(code: bytes) -> bytes:
    """Return a notebook whose last cells are this code.

    The first ones are those of the practice.
    """
    return notebook(
        "from solucion import accuracy, hold_out\nimport numpy as np",
        code.decode(),
        "print(accuracy)",
    )


EMPTY = {
    "empty": b"",
    "blank": b"\r\n\t",
    "a comment": b"# nada\n",
    "imports": b"import numpy as np\n",
}
OF_TEMPLATES = [
    f"{name}, {variant}{cells}"
    for name in HANDED_OUT
    if name.endswith(".py")
    for variant in VARIANTS
    for cells in ("", ", in cells")
]
LEFT = st.sampled_from(
    [*EMPTY, *(name for name in HANDED_OUT if name.endswith(".ipynb")), *OF_TEMPLATES]
)  # what is given out
OWN = st.sampled_from(
    [*WRITTEN, *(f"{kind}, in cells" for kind in WRITTEN if kind not in NOT_IN_CELLS)]
)


@functools.cache
def left(what: str) -> tuple[bytes, str]:
    """Return a file that students were given, with nothing written in it, and its ending."""
    if what in EMPTY:
        return EMPTY[what], ".py"
    name, _, variant = what.partition(", ")
    if not variant:
        return HANDED_OUT[name], Path(name).suffix
    text = VARIANTS[variant.removesuffix(", in cells")](HANDED_OUT[name].decode())
    if variant.endswith(", in cells"):
        return notebook(*re.split(r"(?m)^(?=def )", text.removeprefix("\ufeff"))), ".ipynb"
    return text.encode(), ".py"


def own(what: str, number: int) -> tuple[bytes, str]:
    """Return a file in which a student wrote something, and its ending."""
    content = WRITTEN[what.removesuffix(", in cells")](number)
    return (as_notebook(content), ".ipynb") if what.endswith(", in cells") else (content, ".py")


@given(
    OWN,
    st.lists(LEFT, min_size=1, max_size=3),
    st.permutations(NAMES),
    st.randoms(use_true_random=False),
)
@settings(max_examples=budget(60))
def test_a_file_with_nothing_written_in_it_never_wins(written, others, names, random):
    """Whatever it is, whatever it is called, and however many of them there are."""
    content, ending = own(written, 1)
    finished = read(names[0] + ending, content)
    files = [
        finished,
        *(
            read(name + left(what)[1], left(what)[0])
            for name, what in zip(names[1:], others, strict=False)
        ),
    ]
    random.shuffle(files)
    assert choose(files) is finished


@given(LEFT, st.sampled_from(NAMES))
@settings(max_examples=budget(30))
def test_what_was_handed_out_is_known_whatever_was_done_to_its_text(what, name):
    """And a file with nothing in it is no template."""
    content, ending = left(what)
    candidate = read(name + ending, content)
    assert candidate.written is Written.NOTHING
    assert candidate.is_handed_out == (what not in EMPTY)


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_what_was_written_is_seen(name):
    """So that the two properties above say something."""
    assert read("a.py", WRITTEN[name](1)).written >= Written.UNREADABLE
    assert (
        read("a.ipynb", as_notebook(WRITTEN[name](1))).written >= Written.UNREADABLE
        or name in NOT_IN_CELLS
    )


# --- A class, packed by a system, by a person or by several, with what else lies there ------------


@dataclass(frozen=True)
class Student:
    """A student, what a system calls them, and the files.

    One of these is not as it was handed out.
    """

    name: str
    login: str
    number: int
    files: dict = field(repr=False)
    finished: bytes = field(repr=False)


def flat(student, pattern):
    """Name each file of a student by a pattern, as systems without folders do."""
    return {
        pattern.format(
            number=place,
            file=path.replace("/", "-"),
            stem=Path(path).stem,
            ending=Path(path).suffix,
        ): content
        for place, (path, content) in enumerate(student.files.items(), start=40 * student.number)
    }


def below(student, folder):
    """Put the files of a student into a folder."""
    return {f"{folder}/{path}": content for path, content in student.files.items()}


def alone(student):
    """Return the file of a student under the student's name, or a zip of several."""
    if len(student.files) > 1:
        return {f"{student.name}.zip": zipped(student.files)}
    ((path, content),) = student.files.items()
    return {f"{student.name}{Path(path).suffix}": content}


def blackboard(student):
    """Name the files as Blackboard does, with the text that says whose they are."""
    start = f"gradebook_ML_P1_{student.login}_attempt_2026-11-20-18-00-{student.number % 60:02}"
    said = f"Name: {student.name} ({student.login})\nAssignment: P1\n".encode()
    return {**flat(student, f"{start}_{{file}}"), f"{start}.txt": said}


METADATA = "submission_{0.number}:\n  :submitters:\n  - :name: {0.name}\n    :sid: '1'\n"
PACKINGS = {  # each student's files
    "Moodle": lambda one: below(one, f"{one.name}_{one.number}_assignsubmission_file"),
    "Moodle before 4.1": lambda one: below(one, f"{one.name}_{one.number}_assignsubmission_file_"),
    "Moodle without folders": lambda one: flat(
        one, f"{one.name}_{one.number}_assignsubmission_file_{{file}}"
    ),
    "folders": lambda one: below(one, one.name),
    "zips": lambda one: {f"{one.name}.zip": zipped(one.files)},
    "zips with a folder": lambda one: {f"{one.name}.zip": zipped(below(one, "p1"))},
    "files": alone,
    "Google Drive": lambda one: flat(one, f"{one.name} - {{file}}"),
    "Google Forms": lambda one: flat(one, f"{{stem}} - {one.name}{{ending}}"),
    "Canvas": lambda one: flat(one, f"{one.login}_{one.number}_{{number}}_{{file}}"),
    "Canvas, late": lambda one: flat(one, f"{one.login}_LATE_{one.number}_{{number}}_{{file}}"),
    "Blackboard": blackboard,
    "Sakai": lambda one: below(one, f"{one.name}({one.login})/Submission attachment(s)"),
    "Gradescope": lambda one: below(one, f"submission_{one.number}"),
    "GitHub Classroom": lambda one: below(one, f"p1-submissions/p1-{one.login}"),
}
BY_LOGIN = ("Canvas", "Canvas, late", "GitHub Classroom")
WITHOUT_FOLDERS = ("files", "Moodle without folders", "Google", "Canvas", "Blackboard")
PEOPLE = (
    "Ana Núñez Pérez",
    "Luis Gil",
    "O Hara, Jo",
    "Mª José de la Red Díaz",
    "ELENA",
    "Iñaki Ñíguez-Ruiz",
    "Li",
)
WRAPPERS = ("", "entregas/", "P1 2026/", "curso/grupo 1/", "ML/practica 1/Descargas (2)/")
STRAYS = (
    "solucion.py",
    "solucion (1).py",
    "plantilla.py",
    "cuaderno.ipynb",
    "practica1_final.py",
    "tarde.py",
    "Eva.py",
)
JUNK = (
    "__MACOSX/._solucion.py",
    ".DS_Store",
    "Thumbs.db",
    "lista.csv",
    "memoria.pdf",
    "desktop.ini",
    ".ipynb_checkpoints/a.ipynb",
)


@st.composite
def students(draw, packing):
    """Draw a class: each of its students wrote in one file, and may have left what was handed out
    beside it.
    """
    made = []
    for number, name in enumerate(
        draw(st.permutations(PEOPLE))[: draw(st.integers(2, 4))], start=167
    ):
        folders = not packing.startswith(WITHOUT_FOLDERS)
        paths = [path for path in draw(st.permutations(NAMES)) if folders or "/" not in path]
        content, ending = own(draw(OWN), number)
        files = {paths[0] + ending: content}
        files |= {
            path + left(what)[1]: left(what)[0]
            for path, what in zip(paths[1:], draw(st.lists(LEFT, max_size=2)), strict=False)
        }
        code = read(paths[0] + ending, content).code
        login = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        made.append(Student(name, re.sub("[^a-z]", "", login), number, files, code))
    return made


@given(st.data(), st.randoms(use_true_random=False))
# an example is printed as the names of its files
@settings(max_examples=budget(2), phases=[Phase.generate])
@pytest.mark.parametrize("packing", one_in(8, PACKINGS))
def test_every_packing_of_a_class_gives_each_student_the_own_file(
    tmp_path_factory, packing, data, random
):
    """In any order, in folders in folders, with strays beside them, with junk.

    And no file vanishes silently.
    """
    people = data.draw(students(packing))
    packed = {path: content for one in people for path, content in PACKINGS[packing](one).items()}
    if packing == "Gradescope":
        packed["submission_metadata.yml"] = (
            "---\n" + "".join(map(METADATA.format, people))
        ).encode()
    wrapper = data.draw(st.sampled_from(WRAPPERS))
    files = {f"{wrapper}{path}": content for path, content in packed.items()}
    levels = [wrapper[:end] for end in (0, *(found.end() for found in re.finditer("/", wrapper)))]
    strays = data.draw(st.lists(st.sampled_from(STRAYS), max_size=3, unique=True))
    for number, name in enumerate(strays):
        what = data.draw(st.sampled_from(["plantilla.py", "a function"]))
        content = HANDED_OUT[what] if what in HANDED_OUT else WRITTEN[what](number)
        path = f"{data.draw(st.sampled_from(levels))}{name}"
        files[path] = notebook(content.decode()) if name.endswith(".ipynb") else content
    for name in data.draw(st.lists(st.sampled_from(JUNK), max_size=3, unique=True)):
        files[f"{data.draw(st.sampled_from(levels))}{name}"] = b"x"
    paths = [*files]
    random.shuffle(paths)
    note("\n".join(paths))
    folder = tmp_path_factory.mktemp("class")
    content = zipped({path: files[path] for path in paths})
    given = data.draw(st.sampled_from(["a zip", "a zip in a zip", "a folder"]))
    source = folder / "entregas.zip"
    source.write_bytes(
        zipped({"entregas.zip": content, ".DS_Store": b""})
        if given == "a zip in a zip"
        else content
    )
    if given == "a folder":
        source = folder / "entregas"
        zipfile.ZipFile(folder / "entregas.zip").extractall(source)
    found = collect(source, folder / "work")
    rows = {entry.name: entry.file and entry.file.read_bytes() for entry in found.entries}
    wanted = {one.login if packing in BY_LOGIN else one.name: one.finished for one in people}
    assert {name: rows.get(name) for name in wanted} == wanted
    stems = [Path(name).stem.replace("_", " ") for name in strays]
    assert sorted(rows.keys() - wanted.keys()) == sorted(stems)
    told = [each.facts["count"] for each in found.incidents if each.code == "path.unnamed"]
    assert told == [count for count in [sum(map(nameless, stems))] if count]
    assert not told or found.incidents[0].code == "path.unnamed"


FLAT = "Moodle without folders", "Canvas", "Canvas, late", "Blackboard"


@pytest.mark.parametrize("packing", ["Moodle", *FLAT])
@pytest.mark.parametrize("other", one_in(4, FLAT))
def test_a_file_called_as_a_system_calls_another_students_is_its_own_students(
    packing, other, tmp_path
):
    """Whatever a student calls a file, the first name is the system's."""
    luis = Student("Luis Gil", "luisgil", 168, {"solucion.py": b"accuracy = 1\n"}, b"")
    called = next(iter(PACKINGS[other](luis)))
    ana = Student("Ana Pérez", "anaperez", 167, {called: b"accuracy = 2\n"}, b"")
    files = {**PACKINGS[packing](ana), **PACKINGS[packing](luis)}
    (tmp_path / "e.zip").write_bytes(zipped(files))
    found = collect(tmp_path / "e.zip", tmp_path / "work").entries
    rows = {entry.name: entry.file and entry.file.read_bytes() for entry in found}
    names = [one.login if packing in BY_LOGIN else one.name for one in (ana, luis)]
    assert rows == dict(zip(names, [b"accuracy = 2\n", b"accuracy = 1\n"], strict=True))


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["es", "en"])
def test_the_folder_of_a_student_is_of_one_student(tmp_path, lang):
    """With all that `practica new` and `practica check` write into it, as a folder and as a zip of
    any form.
    """
    folder = tmp_path / "p1"
    make_folder(folder, lang=lang)
    template = folder / "solucion.py"
    untouched = template.read_bytes()
    template.write_bytes(b"accuracy = len\n")
    with Examiner(template, ["accuracy"], lang=lang) as examiner:
        examiner.examine()
    template.write_bytes(untouched)
    left = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    assert {"es": "ejemplo.py", "en": "example.py"}[lang] in left
    for name in ("cuaderno.ipynb", "practica1.py", "solucion_final.py", "src/solucion.py"):
        files = {**left, name: as_notebook(MODEL) if name.endswith(".ipynb") else MODEL}
        for form in ("{}", "p1/{}"):
            made = Path(tempfile.mkdtemp(dir=tmp_path))
            (made / "p1.zip").write_bytes(
                zipped({form.format(path): content for path, content in files.items()})
            )
            zipfile.ZipFile(made / "p1.zip").extractall(made / "p1")
            for source in (made / "p1.zip", made / "p1"):
                (entry,) = collect(source, made / f"work{source.suffix}").entries
                assert entry.file.read_bytes() == read(name, files[name]).code


ONE_CLASS = {
    "ana": ONE.format(1).encode(),
    "eva": ONE.format(2).encode(),
    "bea": ONE.format(3).encode(),
    "leo": b"f(",
}


@pytest.mark.parametrize(
    "form",
    one_in(3, ["{group}/{name}.py", "{group}/{name}/solucion.py", "{group}/P1 - {name}.py"]),
)
@pytest.mark.parametrize("wrapper", one_in(2, ["", "x/"]))
@pytest.mark.parametrize(
    "strays", [[], ["solucion.py"], ["solucion (1).py", "G1/plantilla.py", "material/a.py"]]
)
def test_groups_of_students_in_folders_are_one_class(tmp_path, form, wrapper, strays):
    """Where no two students have one name."""
    paths = {
        form.format(group=f"G{1 + place % 2}", name=name): name
        for place, name in enumerate(ONE_CLASS)
    }
    files = {wrapper + path: ONE_CLASS[name] for path, name in paths.items()}
    files |= {wrapper + path: HANDED_OUT["plantilla.py"] for path in strays}
    (tmp_path / "e.zip").write_bytes(zipped(files))
    rows = {
        entry.name: entry.file.read_bytes()
        for entry in collect(tmp_path / "e.zip", tmp_path / "work").entries
    }
    assert {name: rows.pop(name, None) for name in ONE_CLASS} == ONE_CLASS
    assert {*rows} == {
        path.partition("/")[0] if "material" in path else Path(path).stem for path in strays
    }


# --- Groups in a worksheet that a spreadsheet has saved again -------------------------------------


def by_spreadsheet(name: str) -> str:
    """Return a cell as a spreadsheet saves it: what looks like a number is one."""
    try:
        return f"{float(name.replace(',', '.')):.10g}"
    except ValueError:
        return name


TEAMS = ("0429", "429", "00429", "4.0", "4", "04", "1E2", "100", "1,5", "1.50", "Grupo 4", "0429 B")


@given(
    st.lists(st.sampled_from(TEAMS), min_size=1, max_size=5, unique=True),
    st.sets(st.sampled_from(TEAMS)),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=budget(100))
def test_a_row_is_filled_by_its_own_group_alone(
    tmp_path_factory, teams, absent, saved_again, together
):
    """Whatever a spreadsheet made of the names, and whichever groups have handed in."""
    lines, true = ["Identifier,Full name,Group,Grade,Last modified (submission)"], {}
    for place, (team, member) in enumerate(itertools.product(teams, "ab")):
        when = "-" if team in absent else "1 May" if together else f"{1 + place // 2} May"
        group = by_spreadsheet(team) if saved_again else team
        lines.append(f'P {place},{member} {team.replace(",", " ")},"{group}",,{when}')
        true[place] = team
    path = tmp_path_factory.mktemp("sheet") / "notas.csv"
    path.write_text("\n".join(lines) + "\n")
    entries = [
        Entry(f"e{number}", team, number, folder=f"{team}_{number}_assignsubmission_file")
        for number, team in enumerate(teams, start=900)
        if team not in absent
    ]
    owners, incidents = match(read_worksheet(path), entries)
    names = {entry.id: entry.name for entry in entries}
    assert all(
        true[row.participant] == names[owner] for owner, rows in owners.items() for row in rows
    )
    assert {entry.id for entry in entries} == owners.keys() | {
        each.entry for each in incidents if each.entry
    }
    if not saved_again:
        assert owners.keys() == names.keys()
