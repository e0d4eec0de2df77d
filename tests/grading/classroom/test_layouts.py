"""Classes from other systems than Moodle: each file has the right owner, and nothing disappears
silently.
"""

import re
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from lanes import one_in
from moodle_files import MODEL, notebook, zipped

from practica.cli import main
from practica.grading.classroom import layouts
from practica.grading.classroom.collect import collect
from practica.grading.report.questions import sentences_of

METADATA = r"""---
submission_301:
  :submitters:
  - :name: Ana Pérez
    :sid: '100'
    :email: ana@example.org
  :created_at: 2026-11-20 10:11:12.000000000 Z
  :score: 0.0
  :history:
  - :id: 300
    :submitters:
    - :name: Nobody
submission_302:
  :submitters:
  - :name: "Luis Garc\u00eda"
    :sid: '101'
  - :name: Eva Gil
    :sid: '102'
submission_303:
  :submitters:
  - :name: 'O''Hara: Jo'
    :email: jo@example.org
"""


ROOT = Path(__file__).parents[3]


def test_help_and_documents_name_every_system():
    """The table in the docstring of the module says which there are."""
    systems = re.findall(r"^    ([A-Z][A-Za-z ]*?)  +\S", layouts.__doc__, re.MULTILINE)
    assert "GitHub Classroom" in systems
    documents = ("README.md", "enunciado/profesorado/guia.md", "enunciado/profesorado/guide.en.md")
    help_of_grade = CliRunner().invoke(main, ["grade", "--help"]).output
    for text in [help_of_grade, *((ROOT / path).read_text("utf-8") for path in documents)]:
        words = " ".join(text.split())
        assert [system for system in systems if system not in words] == []


def attempt(name: str, login: str) -> bytes:
    """Return what Blackboard writes beside the files of an attempt."""
    submitted = "Assignment: P1\nDate Submitted: friday\n\nName: Otra (otra)\n"
    return f"Name: {name} ({login})\n{submitted}".encode()


def in_spanish(name: str, login: str, text: str) -> bytes:
    """Return what Blackboard writes beside an attempt for somebody who uses it in Spanish."""
    lines = f"Nombre: {name} ({login})\nTarea: P1\n\nEntrega:\n{text}\n\nComentarios:\nNada\n"
    return lines.encode()


def code(number: int) -> bytes:
    """Return a file like no other."""
    return MODEL + b"# %d\n" % number


CLASSES = {  # the files, and of each owner the one that is graded
    "Canvas": (
        {
            "perezana_167_2045_solucion.py": code(1),
            "garcíaluis_LATE_168_2046_solucion-1.py": code(2),
            "gileva_169_2047_util.py": b"x = 1\n",
            "gileva_169_2048_solucion.py": code(3),
            "gileva_169_text.html": b"<p>",
            "textosolo_170_text.html": b"<p>",
            "enlace_171_link.html": b"<a>",
            "tres_172_2049_entrega.zip": zipped({"p1/solucion.py": code(4)}),
            "del_rio_173_2050_mi_2_solucion.ipynb": notebook("x = 5"),
            "perezana_174_2051_solucion.py": code(6),
        },
        {
            ("perezana", 167): "solucion.py",
            ("garcíaluis", 168): "solucion-1.py",
            ("gileva", 169): "solucion.py",
            ("textosolo", 170): None,
            ("enlace", 171): None,
            ("tres", 172): "entrega.zip/p1/solucion.py",
            ("del rio", 173): "mi_2_solucion.ipynb",
            ("perezana", 174): "solucion.py",
        },
    ),
    "Canvas, anonymous": (
        {"anon_Xy12z_2045_solucion.py": code(1), "anon_LATE_12345_2046_solucion.py": code(2)},
        {("anon Xy12z", None): "solucion.py", ("anon 12345", None): "solucion.py"},
    ),
    "Google Drive": (
        {
            "Ana Pérez - solucion.py": code(1),
            "Ana Pérez - util.py": b"x = 1\n",
            "Gil-Ruiz, Eva - practica.py": code(2),
        },
        {("Ana Pérez", None): "solucion.py", ("Gil-Ruiz, Eva", None): "practica.py"},
    ),
    "Google Forms": (
        {
            "solucion - Ana Pérez.py": code(1),
            "solucion - Eva Gil.py": code(2),
            "solucion (1) - Luis - B.ipynb": notebook("a"),
        },
        {
            ("Ana Pérez", None): "solucion.py",
            ("Eva Gil", None): "solucion.py",
            ("Luis - B", None): "solucion (1).ipynb",
        },
    ),
    "Google Drive, without names": (
        {"solucion.py": code(1), "solucion(1).py": code(2), "solucion (2).py": code(3)},
        {
            ("solucion", None): "solucion.py",
            ("solucion(1)", None): "solucion(1).py",
            ("solucion (2)", None): "solucion (2).py",
        },
    ),
    "Blackboard": (
        {
            "gradebook_ML_P1_aperez_attempt_2026-11-20-18-00-05_solucion.py": code(9),
            "gradebook_ML_P1_aperez_attempt_2026-11-20-18-00-05.txt": attempt(
                "Ana Pérez", "aperez"
            ),
            "gradebook_ML_P1_aperez_attempt_2026-11-21-08-00-05_solucion.py": code(1),
            "gradebook_ML_P1_aperez_attempt_2026-11-21-08-00-05.txt": attempt(
                "Ana Pérez", "aperez"
            ),
            "gradebook_ML_P1_l_gil_attempt_2026-11-20-18-00-05_solucion.py": code(2),
            "gradebook_ML_P1_l_gil_attempt_2026-11-20-18-00-05.txt": attempt("Luis Gil", "l_gil"),
            "gradebook_ML_P1_e_gil_attempt_2026-11-20-18-00-05_p_1.ipynb": notebook("x = 3"),
            "gradebook_ML_P1_sola_attempt_2026-11-20-18-00-05.txt": attempt("Texto Solo", "sola"),
            "P1_jgil_intento_2026-11-20-18-00-05_solucion.py": code(4),
        },
        {
            ("Ana Pérez", None): "solucion.py",
            ("Luis Gil", None): "solucion.py",
            ("gil", None): "p_1.ipynb",
            ("Texto Solo", None): None,
            ("jgil", None): "solucion.py",
        },
    ),
    "Gradescope": (
        {
            "submission_metadata.yml": METADATA.encode(),
            "submission_301/solucion.py": code(1),
            "submission_302/p1/solucion.py": code(2),
        },
        {
            ("Ana Pérez", None): "solucion.py",
            ("Luis García, Eva Gil", None): "p1/solucion.py",
            ("O'Hara: Jo", None): None,
        },
    ),
    "Sakai": (
        {
            "grades.csv": b"Display ID,ID,Last Name,First Name,grade\n",
            "Pérez, Ana(aperez)/timestamp.txt": b"20261120",
            "Pérez, Ana(aperez)/comments.txt": b"",
            "Pérez, Ana(aperez)/Submission attachment(s)/solucion.py": code(1),
            "Pérez, Ana(aperez)/Feedback Attachment(s)/solucion.py": code(9),
            "Pérez, Ana(aperez2)/Submission attachment(s)/solucion.py": code(2),
            "Gil, Eva(egil)/timestamp.txt": b"",
            "Gil, Eva(egil)/Gil, Eva(egil)_submissionText.html": b"<p>",
        },
        {("Pérez, Ana", None): "solucion.py", ("Gil, Eva", None): None},
    ),
    "GitHub Classroom": (
        {
            "p1-submissions/p1-aperez/solucion.py": code(1),
            "p1-submissions/p1-aperez/README.md": b"# p1",
            "p1-submissions/p1-aperez/.git/config": b"",
            "p1-submissions/p1-luis-gil/src/solucion.py": code(2),
        },
        {("aperez", None): "solucion.py", ("luis-gil", None): "src/solucion.py"},
    ),
}

NUMBERS = {  # numbers of the files of Python, in the order of their owners
    "Canvas": (1, 2, 3, 4, 6),
    "Google Drive, without names": (1, 2, 3),
    "Blackboard": (1, 2, 4),
    **dict.fromkeys(
        ["Canvas, anonymous", "Google Drive", "Google Forms", "Gradescope", "GitHub Classroom"],
        (1, 2),
    ),
}


@pytest.mark.parametrize("kind", one_in(3, ["zip", "folder", "zip with a folder"]))
@pytest.mark.parametrize("system", CLASSES)
def test_each_file_has_the_right_owner(tmp_path, system, kind):
    """By what the system wrote, whether its zip is given or what comes out of it."""
    files, wanted = CLASSES[system]
    inner = (
        {f"entregas/{name}": content for name, content in files.items()}
        if "folder" in kind
        else files
    )
    (tmp_path / "e.zip").write_bytes(zipped(inner))
    source = tmp_path / "e.zip"
    if kind == "folder":
        with zipfile.ZipFile(source) as archive:
            archive.extractall(tmp_path / "out")
        source = tmp_path / "out/entregas"
    found = collect(source, tmp_path / "work")
    graded = {(entry.name, entry.number): entry.source or None for entry in found.entries}
    assert graded == wanted
    own = {
        (entry.name, entry.number): entry.file.read_bytes()
        for entry in found.entries
        if entry.source.endswith(".py")
    }
    if system != "Sakai":  # where two have one name, see below
        assert [own[owner] for owner in wanted if owner in own] == [
            code(number) for number in NUMBERS[system]
        ]
    for entry in found.entries:
        if entry.file is None:  # and a person is told why
            told = {incident.code for incident in entry.incidents}
            assert told & {"submission.online", "submission.no_code", "submission.none"}, entry
    assert not [
        each for each in found.incidents if each.code == "path.others" and system != "Sakai"
    ]


def test_the_last_attempt_counts_and_the_others_are_told(tmp_path):
    """As Blackboard numbers them: by their time."""
    (tmp_path / "e.zip").write_bytes(zipped(CLASSES["Blackboard"][0]))
    ana = next(
        entry
        for entry in collect(tmp_path / "e.zip", tmp_path / "work").entries
        if entry.name == "Ana Pérez"
    )
    assert ana.file.read_bytes() == code(1)
    (told,) = ana.incidents
    assert (told.code, told.facts["count"], told.facts["last"]) == (
        "submission.attempts",
        2,
        "2026-11-21-08-00-05",
    )


def test_words_that_stand_beside_files_too_are_the_systems_own(tmp_path):
    """Blackboard says in its own language that there is no online text."""
    start = "gradebook_ML_P1_{}_attempt_2026-11-20-18-00-05"
    none = "Sin texto de la entrega."
    files = {
        f"{start.format('ana')}_solucion.py": code(1),
        f"{start.format('ana')}.txt": in_spanish("Ana", "ana", none),
        f"{start.format('luis')}.txt": in_spanish("Luis", "luis", none),
        f"{start.format('eva')}.txt": in_spanish("Eva", "eva", "def accuracy(): ..."),
    }
    (tmp_path / "e.zip").write_bytes(zipped(files))
    found = collect(tmp_path / "e.zip", tmp_path / "work").entries
    said = {entry.name: str(entry.incidents) for entry in found}
    assert "submission.none" in said["Luis"]
    assert "submission.online" in said["Eva"]


def test_two_of_one_name_in_sakai_are_two(tmp_path):
    """With the place where each lies, because their names do not tell them apart."""
    (tmp_path / "e.zip").write_bytes(zipped(CLASSES["Sakai"][0]))
    found = [
        each
        for each in collect(tmp_path / "e.zip", tmp_path / "work").entries
        if each.name == "Pérez, Ana"
    ]
    places = {
        each.file.read_bytes(): each.incidents[-1].facts["place"].rpartition("/")[2]
        for each in found
    }
    assert places == {code(1): "Pérez, Ana(aperez)", code(2): "Pérez, Ana(aperez2)"}


def test_what_a_system_has_not_named_is_graded_and_told(tmp_path):
    """Somebody put it there by hand."""
    files = {**CLASSES["Canvas"][0], "tarde.py": code(7), "lista.pdf": b"%PDF"}
    (tmp_path / "e.zip").write_bytes(zipped(files))
    found = collect(tmp_path / "e.zip", tmp_path / "work")
    assert [entry.source for entry in found.entries if entry.name == "tarde"] == ["tarde.py"]
    (told,) = [each for each in found.incidents if each.code == "path.others"]
    assert told.facts["files"] == "lista.pdf, tarde.py"


def test_what_gradescope_does_not_name_keeps_the_name_of_its_folder(tmp_path):
    """It is no other student's."""
    files = {**CLASSES["Gradescope"][0], "submission_999/solucion.py": code(7)}
    (tmp_path / "e.zip").write_bytes(zipped(files))
    found = collect(tmp_path / "e.zip", tmp_path / "work")
    (entry,) = [each for each in found.entries if each.name == "submission 999"]
    assert entry.file.read_bytes() == code(7)
    assert "path.others" in [each.code for each in found.incidents]


@pytest.mark.parametrize("lang", ["es", "en"])
def test_a_layout_that_is_not_known_is_refused_with_what_was_seen(tmp_path, lang):
    """Folders of groups with those of students in them: no group is one student."""
    files = {
        f"{group}/{student}/solucion.py": code(1)
        for group in ("G1", "G2")
        for student in ("ana", "eva")
    }
    (tmp_path / "e.zip").write_bytes(zipped(files))
    found = collect(tmp_path / "e.zip", tmp_path / "work")
    assert found.entries == ()
    (sentence,) = sentences_of(found.incidents, lang)
    assert "G1/ana/solucion.py, G1/eva/solucion.py, G2/ana/solucion.py" in sentence


def test_two_versions_of_one_student_among_others_refuse_nobody(tmp_path):
    """A person looks at that one, as ever."""
    files = {"ana/a/solucion.py": code(1), "ana/b/solucion.py": code(2), "eva/solucion.py": code(3)}
    (tmp_path / "e.zip").write_bytes(zipped(files))
    found = collect(tmp_path / "e.zip", tmp_path / "work")
    assert {entry.name: entry.source for entry in found.entries} == {
        "ana": "",
        "eva": "solucion.py",
    }
