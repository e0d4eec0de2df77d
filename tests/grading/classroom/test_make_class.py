"""The class that scripts/make_class.py makes is collected, filled and given back as a real one
is.
"""

import csv
import io
import json
import runpy
import unicodedata
from pathlib import Path

import pytest

from practica.grading.classroom.collect import collect
from practica.grading.classroom.filling import Mark, fill
from practica.grading.classroom.matching import match
from practica.grading.classroom.worksheet import read_worksheet

# a class has sixty students, and the reading of each file a process of its own
pytestmark = pytest.mark.slow
make_class = runpy.run_path(str(Path(__file__).parents[3] / "scripts" / "make_class.py"))[
    "make_class"
]
TAKEN_OUT = str.maketrans("_", " ", "&<>\"`|':\\/")
NOT_MARKED = ("no code", "two files", "no notebook", "no zip", "traversal", "bomb")


KINDS = {
    "es": (60, "es", False),
    "en": (20, "en", False),
    "equipos": (30, "es", True),
    "teams": (30, "en", True),
}


@pytest.fixture(scope="module", params=KINDS.values(), ids=KINDS.keys())
def made(request, tmp_path_factory):
    """Return the folder of a class, what it should be, its entries, and the two worksheets."""
    folder = tmp_path_factory.mktemp("class")
    count, lang, teams = request.param
    students = make_class(folder, count, 3, lang, teams=teams)
    expected = json.loads((folder / "esperado.json").read_text(encoding="utf-8"))
    collection = collect(folder / "entregas.zip", folder / "work")
    marks = {
        entry.id: Mark(1.25, 2.5, lambda *_: "<p>Hay, «cosas»</p>")
        for entry in collection.entries
        if entry.file
    }
    sheet = read_worksheet(folder / ("calificaciones.csv" if lang == "es" else "grades.csv"))
    owners, incidents = match(sheet, collection.entries)
    filled = fill(sheet, collection.entries, owners, marks)
    return students, expected, collection, sheet, owners, filled, [*incidents, *filled.incidents]


def test_the_same_class_is_the_same_bytes(tmp_path):
    """From its seed; another seed makes another."""
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        make_class(tmp_path / name, 20, seed, "es")
    read = {
        name: [file.read_bytes() for file in sorted((tmp_path / name).iterdir())] for name in "abc"
    }
    assert read["a"] == read["b"] != read["c"]


def test_a_class_has_its_mishaps():
    """And too small a one has no room for them."""
    with pytest.raises(
        ValueError, match=r"students=15: .* three flagged, four absent and one more make 16"
    ):
        make_class(Path("nowhere"), 15)


@pytest.mark.thorough
def test_everybody_is_collected_once(made):
    """By the folder; those without a file to grade are known, and told."""
    students, _, collection, *_ = made
    handed_in = {
        f"{student.folder}_assignsubmission_file": student for student in students if student.files
    }
    by_folder = {unicodedata.normalize("NFC", entry.folder): entry for entry in collection.entries}
    assert by_folder.keys() == handed_in.keys()
    without = {handed_in[folder].what for folder, entry in by_folder.items() if entry.file is None}
    assert without <= {"no code", "two files", "no notebook", "no zip", "traversal", "bomb"}
    assert all(entry.incidents for entry in collection.entries if entry.file is None)


@pytest.mark.thorough
def test_the_rows_of_those_who_handed_in_are_filled_and_no_others(made):
    """In two columns alone; those of whom something is told, or who handed in nothing, stay out."""
    _, expected, collection, sheet, owners, filled, incidents = made
    for entry in collection.entries:
        for row in owners.get(entry.id, ()):
            facts = expected[str(row.participant)]
            assert entry.name == (facts["team"] or facts["name"]).translate(TAKEN_OUT)
    marked = {
        str(row.participant)
        for entry in collection.entries
        if entry.file
        for row in owners.get(entry.id, ())
    }
    locked = {str(row.participant) for row in sheet.rows if row.value("changeable") == "No"}
    graded = {
        number
        for number, facts in expected.items()
        if facts["in_sheet"] and facts["slug"] not in NOT_MARKED and facts["kind"] != "none"
    }
    assert marked == graded
    before, after = (
        {row[0]: row for row in csv.reader(io.StringIO(text, newline=""))}
        for text in (sheet.text, filled.content.decode("utf-8-sig"))
    )
    assert {name[-6:] for name in [*after][1:]} == graded - locked
    for name, new in [*after.items()][1:]:
        assert (new[-7 + 1], new[-1]) != ("", "")
        assert new[:-6] == before[name][:-6]
        assert new[-5:-1] == before[name][-5:-1]
        assert new[-6] in ("5.00", "5,00")
    codes = [incident.code for incident in incidents]
    assert codes.count("worksheet.no_submission") == sum(
        facts["kind"] == "none" and facts["in_sheet"] for facts in expected.values()
    )
