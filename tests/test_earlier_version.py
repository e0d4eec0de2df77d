"""What 0.1.0 and 0.2.0 wrote is read, or refused with one sentence.

`data/of_0_1_0.zip` has a class of five that it marked, with the decision of a person, and the
records of a comparison and of a cross-validation; `data/of_0_2_0.zip` has the same of 0.2.0.
"""

import csv
import shutil
import zipfile
from pathlib import Path

import pytest
from class_runs import in_process

import practica

FILES = Path(__file__).parent / "data"
REFUSALS = {
    "0_1_0": "is of an earlier version of practica, which kept less of an experiment",
    "0_2_0": f"keeps another experiment (practica '0.2.0', here '{practica.__version__}')",
}
MARKS = {"ana-0-0": "1.00", "ana-1-1": "1.50", "ana-2-2": "2.00", "ana-3-3": "0.00"}


@pytest.fixture(params=REFUSALS)
def version(request):
    """Return an earlier version."""
    return request.param


@pytest.fixture
def before(version, tmp_path, monkeypatch):
    """Return a folder with its files, which is the current one."""
    with zipfile.ZipFile(FILES / f"of_{version}.zip") as archive:
        archive.extractall(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def marks_in(folder):
    """Return the points of each student."""
    with (folder / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["id"]: row["points"] for row in csv.DictReader(file)}


def test_its_class_is_reported_again_and_keeps_its_decision(before):
    """What is no longer written goes, and the folders that it was in."""
    folder = before / "clase/notas"
    code, _ = in_process("report", str(folder), "--worksheet", str(before / "clase/notas.csv"))
    assert code == 0
    assert MARKS.items() <= marks_in(folder).items()
    assert not (folder / "junit.xml").exists()
    assert not (folder / "gradescope").exists()


@pytest.mark.slow
def test_its_class_is_marked_again_with_its_rubric(before):
    """Nothing of its journal is taken, for another version may mark otherwise."""
    here = before / "clase"
    shutil.copytree(here / "notas", before / "antes")
    options = ["--rubric", here / "rubric.toml", "--worksheet", here / "notas.csv", "--resume"]
    out = here / "notas"
    in_process(*map(str, ["grade", here / "entregas", "--out", out, "--workers", "1", *options]))
    assert MARKS.items() <= marks_in(out).items()
    results = [str(folder / "results.json") for folder in (before / "antes", out)]
    code, _ = in_process("regrade", *results)
    assert code == 0


@pytest.mark.parametrize(
    ("command", "models"),
    [("compare", ["--model", "knn:1", "--model", "knn:5"]), ("cv", ["--model", "knn:3"])],
)
def test_its_records_are_refused_and_kept(before, version, command, models):
    """Another version may give other scores, and 0.1.0 did not say what a record was made of."""
    record = before / f"{command}.json"
    was = record.read_bytes()
    options = ["t.csv", "--target", "k", "--folds", "4", *models, "--json", str(record)]
    code, said = in_process(command, *options)
    assert (code, REFUSALS[version] in " ".join(said.split())) == (2, True)
    assert record.read_bytes() == was
    assert in_process(command, *options, "--overwrite")[0] == 0
    assert in_process(command, *options)[0] == 0


def test_a_folder_of_before_the_manifest_says_so(before):
    """Its files are not those of a person, but of a version that did not note them."""
    here, folder = before / "clase", before / "clase/notas"
    (folder / "manifest.json").unlink()
    code, said = in_process("grade", str(here / "entregas"), "--out", str(folder), "--lang", "en")
    assert code == 2
    assert "An older version of practica" in " ".join(said.split())
