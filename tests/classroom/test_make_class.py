"""The class that scripts/make_class.py makes is collected, filled and given back as a real one is."""

import csv
import io
import json
import runpy
import zipfile
from pathlib import Path

import pytest

from practica.classroom.collect import collect
from practica.classroom.exports import write_feedback_zip
from practica.classroom.worksheet import Mark, fill, read_worksheet

make_class = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "make_class.py"))["make_class"]


@pytest.fixture(scope="module", params=["es", "en"])
def made(request, tmp_path_factory):
    """Return the folder of a class, what it should be, its entries and its worksheet filled."""
    folder = tmp_path_factory.mktemp("class")
    make_class(folder, 60, 3, request.param)
    expected = json.loads((folder / "esperado.json").read_text(encoding="utf-8"))
    collection = collect(folder / "entregas.zip", folder / "work")
    marks = {entry.id: Mark(1.25, 2.5, "<p>Hay, «cosas»</p>") for entry in collection.entries if entry.file}
    sheet = folder / ("calificaciones.csv" if request.param == "es" else "grades.csv")
    return folder, expected, collection, sheet, fill(read_worksheet(sheet), collection.entries, marks)


@pytest.mark.slow
def test_the_same_class_is_the_same_bytes(tmp_path):
    """From its seed; another seed makes another."""
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        make_class(tmp_path / name, 20, seed, "es")
    read = {name: [file.read_bytes() for file in sorted((tmp_path / name).iterdir())] for name in "abc"}
    assert read["a"] == read["b"] != read["c"]


def test_a_class_has_its_mishaps():
    """And too small a one has no room for them."""
    with pytest.raises(ValueError, match="students=12: five broken, three attacks, four absent and one more make 13"):
        make_class(Path("nowhere"), 12)


def test_everybody_is_collected_once(made):
    """By number and name; those without a file to grade are known, and told."""
    _, expected, collection, _, _ = made
    present = {int(number): facts for number, facts in expected.items() if facts["kind"] != "none"}
    assert {entry.participant: entry.name for entry in collection.entries} == {
        number: facts["name"] for number, facts in present.items()
    }
    without = {present[entry.participant]["slug"] for entry in collection.entries if entry.file is None}
    assert without == {"no code", "two files", "no notebook", "no zip", "traversal", "bomb"}
    assert all(entry.incidents for entry in collection.entries if entry.file is None)


def test_the_worksheet_is_filled_in_two_columns_alone(made):
    """Of those who have a file to grade, a row and no locked grade."""
    _, expected, collection, sheet, filled = made
    before, after = (
        list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
        for content in (sheet.read_bytes(), filled.content)
    )
    graded = {str(entry.participant) for entry in collection.entries if entry.file is not None}
    for old, new in zip(before[1:], after[1:], strict=True):
        assert (old[:5], old[6:10]) == (new[:5], new[6:10])
        has_mark = old[0][-6:] in graded and old[7] != "No"
        assert (new[5] in ("5.00", "5,00"), new[10] != "") == (has_mark, has_mark)
    assert before[0] == after[0]
    rowless = [facts for facts in expected.values() if not facts["in_sheet"]]
    codes = [incident.code for incident in filled.incidents]
    assert codes.count("worksheet.unknown") == len(rowless) == 1
    assert codes.count("worksheet.no_submission") == 4


def test_feedback_goes_back_to_the_folders_that_moodle_made(made):
    """The names in the zip are those of the submissions."""
    folder, _, collection, _, _ = made
    graded = [entry for entry in collection.entries if entry.file is not None]
    write_feedback_zip(folder / "feedback.zip", [(entry, "informe.html", b"<p>") for entry in graded])
    with zipfile.ZipFile(folder / "feedback.zip") as back, zipfile.ZipFile(folder / "entregas.zip") as given:
        ours = {name.split("/")[0] for name in back.namelist()}
        assert len(ours) == len(graded)
        assert ours <= {name.split("/")[0] for name in given.namelist()}
