"""A class collected: who handed in what, which file is graded, and why there is none."""

import hashlib
import os
import subprocess
import unicodedata
import zipfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lanes import one_in
from moodle_files import MODEL, notebook, zipped

from practica.files import remove_tree
from practica.grading.classroom import grader_limits
from practica.grading.classroom.archives import ArchiveLimits
from practica.grading.classroom.collect import collect
from practica.grading.classroom.matching import match
from practica.notebook import cell_of

HALF = b"def accuracy(): ...\n"
ONE = b"def accuracy(): return 1\n"
ANA = "Ana Pérez_12_assignsubmission_file"


@pytest.fixture
def collected(tmp_path):
    """Return a function that collects a zip with these files."""

    def of(files, name="entregas.zip"):
        (tmp_path / name).write_bytes(zipped(files))
        return collect(tmp_path / name, tmp_path / "work")

    return of


def codes(entry):
    """Return what is said of an entry."""
    return [incident.code for incident in entry.incidents]


@pytest.mark.slow
def test_thousands_of_files_are_not_read(collected):
    """Those of code and text, of one student: pictures and tables lie beside many a solution."""
    own = {f"{ANA}/{number}.py": b"" for number in range(5001)}
    data = {f"{ANA.replace('12', '13')}/{number}.png": b"" for number in range(5001)}
    entries = collected({**own, **data, f"{ANA.replace('12', '13')}/solucion.py": MODEL}).entries
    assert [codes(entry) for entry in entries] == [["submission.many"], []]
    assert [entry.source for entry in entries] == ["", "solucion.py"]


def test_all_that_is_read_of_a_submission_has_a_limit(tmp_path):
    """And not only each file."""
    limits = ArchiveLimits(file=100, total=150)
    (tmp_path / "e.zip").write_bytes(
        zipped({f"{ANA}/{name}.py": bytes([65 + name]) * 90 for name in range(3)})
    )
    (entry,) = collect(tmp_path / "e.zip", tmp_path / "work", limits=limits).entries
    assert codes(entry) == ["file.too_large", "file.too_large", "file.renamed"]


def test_more_code_than_anybody_writes_is_not_kept(collected):
    """Every result would carry it."""
    (entry,) = collected({f"{ANA}/solucion.py": b"#" * 5_000_001}).entries
    assert codes(entry) == ["file.too_large"]
    assert entry.file is None


@pytest.mark.parametrize(
    ("path", "name", "number", "folder"),
    [
        (f"{ANA}/solucion.py", "Ana Pérez", 12, ANA),
        (f"{ANA}_/solucion.py", "Ana Pérez", 12, f"{ANA}_"),
        (f"{ANA}_solucion.py", "Ana Pérez", 12, f"{ANA}_"),
        (f"practica-1-345/{ANA}/solucion.py", "Ana Pérez", 12, ANA),
        (f"{ANA}/src/solucion.py", "Ana Pérez", 12, ANA),
        ("Participante_123_assignsubmission_file/solucion.py", "Participante", 123, None),
        ("Participant_123_assignsubmission_file_solucion.py", "Participant", 123, None),
        ("Grupo 3-Ana_12_assignsubmission_file/solucion.py", "Grupo 3-Ana", 12, None),
        ("José_María de_la Ó_7_assignsubmission_file/solucion.py", "José María de la Ó", 7, None),
        ("Default group_assignsubmission_file/solucion.py", "Default group", None, ""),
        ("Ana/solucion.py", "Ana", None, None),
        ("Ana_Pérez.py", "Ana Pérez", None, None),
        ("grupo/Ana/solucion.py", "Ana", None, None),
        ("ana.perez@example.org/solucion.py", "ana.perez@example.org", None, None),
    ],
)
@pytest.mark.parametrize("kind", one_in(2, ["zip", "folder"]))
def test_every_convention_says_whose_a_file_is(tmp_path, path, name, number, folder, kind):
    """From Moodle's zip, from that zip unpacked, and from folders that Moodle never saw."""
    (tmp_path / "e.zip").write_bytes(
        zipped({path: MODEL, "__MACOSX/._x": b"", ".DS_Store": b"", "lista.txt": b""})
    )
    source = tmp_path / "e.zip"
    if kind == "folder":
        source = tmp_path / "unpacked"
        with zipfile.ZipFile(tmp_path / "e.zip") as archive:
            archive.extractall(source)
    (entry,) = collect(source, tmp_path / "work").entries
    assert (entry.name, entry.number) == (name, number)
    if folder == "" or (folder is None and number is not None):
        folder = path.rpartition("/")[0] or path.removesuffix("solucion.py")
    assert entry.folder == folder
    assert entry.file.read_bytes() == MODEL
    assert entry.sha256 == hashlib.sha256(MODEL).hexdigest()
    assert entry.incidents == ()


def test_a_single_file_is_a_class_of_one(tmp_path):
    """As when an instructor tries one."""
    (tmp_path / "entrega.py").write_bytes(MODEL)
    (entry,) = collect(tmp_path / "entrega.py", tmp_path / "work").entries
    assert (entry.id, entry.source, codes(entry)) == ("entrega", "entrega.py", [])


def test_several_paths_are_one_class(tmp_path):
    """And files of one name are told apart."""
    for folder in "ab":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "solucion.py").write_bytes(MODEL + folder.encode())
    paths = [tmp_path / folder / "solucion.py" for folder in "ab"]
    entries = collect(paths, tmp_path / "work").entries
    assert len({entry.id for entry in entries}) == len({entry.file for entry in entries}) == 2
    assert {entry.file.read_bytes() for entry in entries} == {path.read_bytes() for path in paths}
    for entry in entries:
        (told,) = entry.incidents
        assert (told.code, told.facts["id"]) == ("submission.alike", entry.id)
        assert Path(told.facts["place"]).read_bytes() == entry.file.read_bytes()


def test_two_files_of_one_name_in_a_folder_say_where_they_are(collected):
    """A student may have left the notebook too."""
    files = {"ana.py": MODEL, "ana.ipynb": notebook("x = 1"), "bea.py": MODEL}
    found = collected(files)
    told = {
        each.entry: Path(each.facts["place"]).name
        for each in found.incidents
        if each.code == "submission.alike"
    }
    assert told == {entry.id: entry.source for entry in found.entries if entry.name == "ana"}
    assert len(told) == 2


@pytest.mark.parametrize("depth", [1, 2])
def test_moodles_folders_one_by_one_are_the_class(collected, tmp_path, depth):
    """As a shell gives them, with or without what is in them: a zip and the file beside it are
    still one student's.
    """
    flat = "Luis_13_assignsubmission_file_"
    files = {
        f"{ANA}/solucion.py": MODEL,
        f"{ANA}/otra.py": HALF,
        f"{flat}a.zip": zipped({"b/solucion.py": HALF}),
    }
    whole = collected(files)
    zipfile.ZipFile(tmp_path / "entregas.zip").extractall(tmp_path / "class")
    (tmp_path / "class" / "calificaciones.csv").write_text("")
    paths = (
        list((tmp_path / "class").glob("*"))
        if depth == 1
        else [*(tmp_path / "class").rglob("*.[pz]*")]
    )
    found = collect(paths, tmp_path / "one by one")
    assert [(each.id, each.source, codes(each)) for each in found.entries] == [
        (each.id, each.source, codes(each)) for each in whole.entries
    ]
    assert len(whole.entries) == 2


def test_a_folder_called_like_moodles_among_others_is_nobodys(tmp_path):
    """A student may have made it: one by one as in a folder."""
    paths = [tmp_path / "luis" / ANA / "solucion.py", tmp_path / "bea" / "solucion.py"]
    for path in paths:
        path.parent.mkdir(parents=True)
        path.write_bytes(MODEL)
    found = collect([path.parent for path in paths], tmp_path / "work").entries
    assert [(entry.name, entry.number) for entry in found] == [("bea", None), ("solucion", None)]


def test_a_name_that_is_no_text_ends_no_class(tmp_path):
    """Given by itself, as a shell gives it."""
    path = tmp_path / os.fsdecode(b"jos\xe9.py")
    path.write_bytes(HALF)
    assert [entry.name for entry in collect([path], tmp_path / "work").entries] == ["josé"]


@pytest.mark.parametrize("place", [f"{ANA}/{{}}.ipynb", "zip"])
def test_a_thousand_files_that_cannot_be_read_hide_nobody_else(collected, place):
    """Some are told, and how many more there are."""
    files = {
        (place if place != "zip" else "{}.ipynb").format(number): b"{%d" % number
        for number in range(1000)
    }
    (entry,) = collected(files if place != "zip" else {f"{ANA}/a.zip": zipped(files)}).entries
    assert codes(entry) == ["file.unreadable"] * 10 + ["file.more"]
    assert entry.incidents[-1].facts["count"] == 990


def test_a_folder_deeper_than_python_recurses_is_told_and_the_rest_is_read(tmp_path):
    """A student's, in a class that is a folder and no zip."""
    for student in (ANA, ANA.replace("12", "13")):
        (tmp_path / "class" / student).mkdir(parents=True)
    subprocess.run(["mkdir", "-p", "a/" * 1500], cwd=tmp_path / "class" / ANA, check=True)
    (tmp_path / "class" / ANA.replace("12", "13") / "solucion.py").write_bytes(MODEL)
    collection = collect(tmp_path / "class", tmp_path / "work")
    remove_tree(tmp_path / "class")  # pytest could not
    assert [entry.source for entry in collection.entries] == ["", "solucion.py"]
    assert "file.long_path" in codes(collection.entries[0])


def test_many_cells_that_are_not_run_are_told_in_a_line(collected):
    """The first ones."""
    (entry,) = collected({f"{ANA}/solucion.ipynb": notebook(*["print(1)"] * 1000)}).entries
    (told,) = [each for each in entry.incidents if each.code == "notebook.statements"]
    assert told.facts["cells"] == "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …"


def test_ids_do_not_depend_on_who_else_is_there(collected):
    """So that a class can be graded again when a late submission comes."""
    some = {entry.name: entry.id for entry in collected({f"{ANA}/solucion.py": MODEL}).entries}
    more = collected({f"{ANA}/solucion.py": MODEL, "Aaron_3_assignsubmission_file/x.py": MODEL})
    assert some.items() < {entry.name: entry.id for entry in more.entries}.items()
    assert some == {"Ana Pérez": "ana-perez-12"}


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=15)
@given(
    st.lists(
        st.text(
            st.characters(blacklist_categories=["Cs", "Cc"], blacklist_characters="/\\:"),
            max_size=8,
        ),
        max_size=6,
    )
)
@example(["Ana", "ana", "ANA", "Aná", "ß", "ss", "_1", "", ".", ".py"])
def test_ids_are_different_and_files_are_in_the_workspace(tmp_path_factory, names):
    """Whatever the names are; the bytes are the student's."""
    folder = tmp_path_factory.mktemp("class")
    folders = [f"{name}_{number}_assignsubmission_file" for number, name in enumerate(names)]
    files = {
        f"{folders[number]}/{name}.py": b"x = %d" % number for number, name in enumerate(names)
    }
    (folder / "e.zip").write_bytes(zipped(files))
    entries = collect(folder / "e.zip", folder / "work").entries
    assert len({entry.id.casefold() for entry in entries}) == len(entries) == len(names)
    for entry in entries:
        if entry.file is not None:  # hidden files, such as ".py", are not code
            assert entry.file.resolve().is_relative_to((folder / "work").resolve())
            assert entry.file.read_bytes() == b"x = %d" % entry.number


def test_what_nobody_sees_in_a_name_is_not_in_it(collected, sheet):
    """It would be written out in the result, and the name be none of the worksheet's."""
    name = "Ana\x1b]0;x\x07 Pérez\u200b"
    found = collected({f"{name}_12_assignsubmission_file/a.py": MODEL})
    kept = found.as_class()
    rows = sheet(f"Identifier,Full name,Grade,Maximum Grade\nParticipant 12,{name},,10.00\n")
    owners, incidents = match(rows, kept.entries)
    assert [[row.participant for row in owned] for owned in owners.values()] == [[12]]
    assert incidents == []


def test_names_that_are_composed_otherwise_are_one_student(collected):
    """A Mac takes accents apart; the folder keeps the letters that it had."""
    online = "Ana Pérez_12_assignsubmission_onlinetext/onlinetext.html"
    apart = unicodedata.normalize("NFD", ANA)
    (entry,) = collected({f"{apart}/solucion.py": MODEL, online: b"<p>"}).entries
    assert (entry.name, entry.folder, codes(entry)) == (
        "Ana Pérez",
        apart,
        ["submission.online_too"],
    )


def test_two_folders_with_one_number_are_told(collected):
    """Both are graded, and neither goes to the worksheet."""
    one, other = collected(
        {f"{ANA}/solucion.py": MODEL, "Eva_12_assignsubmission_file/solucion.py": MODEL}
    ).entries
    assert one.id != other.id
    assert codes(one) == codes(other) == ["submission.duplicate"]


FILES = {
    "one with the template's name": (
        {"solucion.py": ONE, "b.py": MODEL},
        "solucion.py",
        ["file.several"],
    ),
    "only functions without a body": ({"solucion.py": HALF, "b.py": ONE}, "b.py", ["file.chosen"]),
    "another case and ending": ({"Solucion.PY": MODEL}, "Solucion.PY", []),
    "a browser's second copy": ({"solucion (1).py": MODEL}, "solucion (1).py", []),
    "another name": ({"practica1.py": MODEL}, "practica1.py", ["file.renamed"]),
    "the only one that defines most": ({"a.py": HALF, "b.py": MODEL}, "b.py", ["file.chosen"]),
    "an empty one with the name": ({"solucion.py": b"", "b.py": MODEL}, "b.py", ["file.chosen"]),
    "two that define most": ({"a.py": MODEL, "b.py": MODEL + b"\n"}, None, ["file.undecided"]),
    "one that Python cannot read": (
        {"solucion.py": HALF, "b.py": b"def accuracy(:"},
        "b.py",
        ["file.several"],
    ),
    "a version that Python cannot read": (
        {"solucion.py": b"def f(:", "b.py": ONE},
        "b.py",
        ["file.several"],
    ),
    "two halves": ({"a.py": HALF, "b.py": b"def hold_out(): ..."}, None, ["file.undecided"]),
    "the same file twice": ({"solucion.py": MODEL, "copia/solucion.py": MODEL}, "solucion.py", []),
    "an older one further down": (
        {"solucion.py": MODEL, "old/solucion.py": HALF},
        "solucion.py",
        ["file.chosen"],
    ),
    "a notebook beside it": (
        {"solucion.py": MODEL, "solucion.ipynb": notebook("x = 1")},
        "solucion.py",
        ["file.chosen"],
    ),
    "an ending too many": ({"solucion.py.txt": MODEL}, "solucion.py.txt", ["file.renamed"]),
    "no ending": ({"solucion": MODEL}, "solucion", ["file.ending"]),
    "text that is no code": ({"leeme.txt": b"hola"}, None, ["submission.no_code"]),
    "only a document": ({"memoria.pdf": b"%PDF"}, None, ["submission.no_code"]),
    "an empty file": ({"solucion.py": b""}, "solucion.py", ["file.empty"]),
    "in a zip": (
        {"e.zip": zipped({"p/solucion.py": MODEL, "__MACOSX/p/._solucion.py": b""})},
        "e.zip/p/solucion.py",
        [],
    ),
    "in a zip in a zip": (
        {"e.zip": zipped({"f.ZIP": zipped({"solucion.py": MODEL})})},
        "e.zip/f.ZIP/solucion.py",
        [],
    ),
    "a notebook in Julia": (
        {"solucion.ipynb": notebook("1", language="julia")},
        None,
        ["notebook.language"],
    ),
    "a file beside it": (
        {"solucion.ipynb": notebook("1", language="julia"), "solucion.py": MODEL},
        "solucion.py",
        ["notebook.language"],
    ),
    "a broken notebook": ({"solucion.ipynb": b"{"}, None, ["file.unreadable"]),
    "a broken zip": ({"e.zip": b"PK"}, None, ["archive.corrupt"]),
    "a hostile zip beside a file": (
        {"e.zip": zipped({"../x.py": b""}), "solucion.py": MODEL},
        "solucion.py",
        ["archive.traversal"],
    ),
    "another archive": ({"solucion.tar.gz": b"\x1f\x8b"}, None, ["archive.unsupported"]),
    "more than can be read": (
        {f"{n}.py": b"#" * 600_000 + b"%d" % n for n in range(9)},
        None,
        ["file.undecided"],
    ),
    "a module of its own beside it": (
        {"utils.py": b"K = 1\n", "solucion.py": b"from utils import *\n" + MODEL},
        "solucion.py",
        ["file.chosen", "file.imports"],
    ),
    "a package of its own below it": (
        {"src/cosas/red.py": b"K = 1\n", "solucion.py": b"import cosas.red, numpy\n" + MODEL},
        "solucion.py",
        ["file.chosen", "file.imports"],
    ),
    "with commands of a notebook": (
        {"solucion.py": b"%matplotlib inline\n!pip install torch\n" + MODEL},
        "solucion.py",
        ["file.commands"],
    ),
    "a template with parts unknown": (
        {"utiles.py": b"K = 1\n", "solucion.py": MODEL},
        "solucion.py",
        ["file.chosen"],
    ),
}


@pytest.mark.parametrize(("files", "chosen", "said"), FILES.values(), ids=FILES.keys())
def test_the_file_to_grade(collected, files, chosen, said):
    """Where there are several, or none, it says so; nothing is guessed."""
    (entry,) = collected({f"{ANA}/{name}": content for name, content in files.items()}).entries
    assert (entry.source or None, codes(entry)) == (chosen, said)
    assert (entry.file is None) == (entry.sha256 is None) == (chosen is None)


def test_a_long_list_of_files_is_cut(collected):
    """A whole environment may have been handed in."""
    (entry,) = collected(
        {f"{ANA}/{number}.py": b"x = %d" % number for number in range(100)}
    ).entries
    assert (
        entry.incidents[0].facts["files"]
        == "0.py, 1.py, 10.py, 11.py, 12.py, 13.py, 14.py, 15.py, 16.py, 17.py, …"
    )


@pytest.mark.parametrize(
    "source",
    [
        b"\xef\xbb\xbf# -*- coding: utf-8 -*-\r\nx = '\xc3\xb1'\r\n",
        b"# coding: latin-1\nx = '\xf1'\n",
        b"x = '\xf1'\n",
        b"def f(:\n",
        b"\0\1\2",
        b"\t\r",
    ],
)
def test_the_bytes_of_a_file_stay_as_they_are(collected, source):
    """Encodings, line ends and mistakes are for the grader to judge."""
    (entry,) = collected({f"{ANA}/solucion.py": source}).entries
    assert entry.file.read_bytes() == source


def test_a_folder_with_nothing_in_it_is_a_student_without_a_file(collected):
    """Moodle has them for an online text alone, too."""
    entries = collected(
        {f"{ANA}/": b"", "Eva_3_assignsubmission_onlinetext/onlinetext.html": b"x"}
    ).entries
    assert {entry.name: codes(entry) for entry in entries} == {
        "Ana Pérez": ["submission.none"],
        "Eva": ["submission.online"],
    }


def test_a_notebook_is_graded_as_the_code_of_its_cells(collected):
    """And its lines can be told as cells."""
    files = {
        f"{ANA}/Práctica.ipynb": notebook(
            "%pylab\n", MODEL.decode(), "def accuracy(a:", "print(hold_out(10, 0.3))"
        )
    }
    (entry,) = collected(files).entries
    assert entry.file.suffix == ".py"
    assert entry.file.read_bytes().count(b"\n") == len(entry.cells)
    assert [cell_of(line, entry.cells) for line in (0, 1, 2, 4, 10**6)] == [
        None,
        None,
        (1, 1),
        (2, 1),
        None,
    ]
    facts = {incident.code: incident.facts.get("cells") for incident in entry.incidents}
    assert facts == {"file.renamed": None, "notebook.cells": "3", "notebook.statements": "4"}
    assert [*entry.broken] == ["accuracy"]


def test_nobodys_path_that_leaves_the_folder_is_told_and_the_rest_is_read(collected):
    """It is no student's."""
    collection = collected([("../../evil.py", b""), (f"{ANA}/solucion.py", MODEL)])
    assert [entry.name for entry in collection.entries] == ["Ana Pérez"]
    assert [(each.code, each.facts["file"]) for each in collection.incidents] == [
        ("file.traversal", "../../evil.py")
    ]


def test_nobody_is_lost_for_what_lies_in_the_own_folder(collected):
    """A path that is too long, or only what an editor leaves: the student is told."""
    long, hidden = f"{ANA}/{'x' * 1000}.py", "bea/.solucion.py"
    found = [
        (entry.name, codes(entry))
        for files in ([long], [hidden])
        for entry in collected(dict.fromkeys(files, b"")).entries
    ]
    assert found == [("Ana Pérez", ["file.long_path"]), ("bea", ["submission.none"])]


def test_a_line_end_in_a_students_name_of_a_file_makes_it_nobody_elses(collected):
    """Where Moodle puts its own name before it."""
    (entry,) = collected({f"{ANA}_x\ny.py": MODEL}).entries
    assert (entry.name, entry.number, entry.source) == ("Ana Pérez", 12, "x\ny.py")


@pytest.mark.parametrize(
    "files", [{}, {"lista.txt": b"", "memoria.pdf": b""}, {".git/config": b""}]
)
def test_a_path_with_nobodys_submission_is_told(collected, files):
    """It may be the wrong zip."""
    collection = collected(files)
    assert collection.entries == ()
    assert [(each.code, each.facts) for each in collection.incidents] == [
        ("path.nobody", {"name": "entregas.zip"})
    ]


def test_what_cannot_be_read_at_all_is_one_sentence(tmp_path):
    """With the path."""
    with pytest.raises(ValueError, match=r"nowhere\.py cannot be read: No such file or directory"):
        collect(Path(tmp_path / "nowhere.py"), tmp_path / "work")


@pytest.mark.slow
def test_a_submission_that_is_dear_to_read_is_an_exception(collected, monkeypatch):
    """Texts of a megabyte, each of them some seconds of reading Python; the others are read."""
    monkeypatch.setattr(grader_limits, "MOST_SECONDS", 1.0)
    long = b"x=(" + b"1," * 450_000 + b")"
    files = {f"{ANA}/{number}.txt": long for number in range(40)}
    first, second = collected({**files, f"{ANA.replace('12', '13')}/solucion.py": MODEL}).entries
    assert (codes(first), first.file) == (["submission.unread"], None)
    assert (codes(second), second.source) == ([], "solucion.py")


def test_a_letter_over_which_the_parser_takes_hours_is_not_parsed(collected):
    """Python orders the marks on a letter by exchanging neighbours, and hears no signal
    meanwhile.
    """
    letter = "a" + "\u0301" * 60_000 + "\u0316" * 60_000
    files = {f"{ANA}/{name}.py": f"{name} = {letter}".encode() for name in ("solucion", "otra")}
    notebooks = {f"{ANA.replace('12', '14')}/a.ipynb": notebook(letter)}
    entries = collected(
        {**files, f"{ANA.replace('12', '13')}/solucion.py": MODEL, **notebooks}
    ).entries
    assert [codes(each) for each in entries] == [
        ["file.undecided"],
        [],
        ["file.renamed", "notebook.cells"],
    ]
    assert [each.source for each in entries] == ["", "solucion.py", "a.ipynb"]


LUIS = "Luis_5_assignsubmission_file/s.py"
EVA = "Eva_6_assignsubmission_file/s.py"


@pytest.mark.parametrize(
    ("paths", "ids", "told"),
    [
        ([f"ana/{LUIS}", "bea/s.py"], ["bea"], ["file.inside"]),
        ([f"ana/{LUIS}", "ana/solucion.py", "bea/s.py"], ["ana", "bea"], ["file.inside"]),
        ([f"c/ana/{LUIS}", "c/bea/s.py"], ["bea"], ["file.inside"]),
        ([EVA, f"ana/{LUIS}"], ["eva-6"], ["file.inside"]),
        ([f"Eva_6_assignsubmission_file/{LUIS}"], ["eva-6"], []),
        ([f"c/{LUIS}", f"c/{EVA}", "c/marta/s.py"], ["eva-6", "luis-5", "marta"], []),
        ([f"g1/{LUIS}", f"g2/{EVA}"], ["eva-6", "luis-5"], []),
    ],
)
def test_a_folder_called_like_somebody_elses_is_nobodys(collected, paths, ids, told):
    """Beside plain folders, or further down than Moodle's own, a student may have made it."""
    found = collected(dict.fromkeys(paths, b"x = 1\n"))
    assert [entry.id for entry in found.entries] == ids
    assert [
        incident.code for incident in found.incidents if incident.code != "file.renamed"
    ] == told
