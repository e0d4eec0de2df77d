"""What earlier versions wrote is read, or refused with one sentence.

`data/of_VERSION.zip` has a class of five that this version marked, with the decision of a person,
and records of comparisons and of a cross-validation.
"""

import csv
import json
import shutil
import zipfile
from pathlib import Path

import pytest
from class_runs import in_process

from practica.evaluation import load_comparison
from practica.experiments.records import versions

FILES = Path(__file__).parent / "data"
VERSIONS = ("0_1_0", "0_2_0")
MARKS = {"ana-0-0": "1.00", "ana-1-1": "1.50", "ana-2-2": "2.00", "ana-3-3": "0.00"}


@pytest.fixture(params=VERSIONS)
def before(request, tmp_path, monkeypatch):
    """Return a folder with the files of a version, which is the current one."""
    with zipfile.ZipFile(FILES / f"of_{request.param}.zip") as archive:
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


@pytest.mark.parametrize("before", ["0_1_0"], indirect=True)
@pytest.mark.parametrize(
    ("command", "models"),
    [("compare", ["--model", "knn:1", "--model", "knn:5"]), ("cv", ["--model", "knn:3"])],
)
def test_records_of_0_1_0_are_refused_and_kept(before, command, models):
    """They do not say what they were made of: nobody can tell whether it is the same experiment."""
    record = before / f"{command}.json"
    was = record.read_bytes()
    options = ["t.csv", "--target", "k", "--folds", "4", *models, "--json", str(record)]
    code, said = in_process(command, *options)
    assert (code, "an earlier version of practica" in said) == (2, True)
    assert record.read_bytes() == was
    assert in_process(command, *options, "--overwrite")[0] == 0
    assert in_process(command, *options)[0] == 0


OF_0_2_0 = {
    "compare": "compare t.csv --target k --folds-file folds.csv --models knn:1,knn:5"
    " --model own=of_0_2_0:bayes",
    "cv": "cv t.csv --target k --folds 4 --repeats 2 --model knn:3",
    "quantities": "compare t.csv --target x --folds 4 --models linear,mean",
    "tables": "compare --data t.csv --data u.csv --target k --folds 4 --models knn:1,knn:5",
}


@pytest.mark.parametrize("before", ["0_2_0"], indirect=True)
@pytest.mark.parametrize("name", OF_0_2_0)
def test_records_of_0_2_0_are_taken_as_those_of_today(before, name):
    """Of the same libraries nothing is trained again; of others they are refused, and the sentence
    says which.
    """
    record = before / f"{name}.json"
    kept = json.loads(record.read_text())
    was = [*kept.get("tables", {"": kept}).values()]
    options = [*OF_0_2_0[name].split(), "--json", str(record)]
    code, said = in_process(*options)
    if was[0]["experiment"].items() & versions().items() != versions().items():
        assert (code, json.loads(record.read_text())) == (2, kept)
        assert "keeps another experiment (" in said
        for table in was:
            table["experiment"] |= versions()
        record.write_text(json.dumps(kept))
        code, said = in_process(*options)
    assert (code, said.count("Not trained again")) == (0, len(was))
    again = json.loads(record.read_text())
    for old, new in zip(was, again.get("tables", {"": again}).values(), strict=True):
        assert {n: model["scores"] for n, model in old["models"].items()} == {
            n: model["scores"] for n, model in new["models"].items()
        }
    if name != "tables":
        assert [*load_comparison(record).results] == [*was[0]["models"]]


def test_a_folder_of_before_the_manifest_says_so(before):
    """Its files are not those of a person, but of a version that did not note them."""
    here, folder = before / "clase", before / "clase/notas"
    (folder / "manifest.json").unlink()
    code, said = in_process("grade", str(here / "entregas"), "--out", str(folder), "--lang", "en")
    assert code == 2
    assert "An older version of practica" in " ".join(said.split())
