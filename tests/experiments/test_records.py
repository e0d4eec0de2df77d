"""A record keeps every score, and all that is needed to repeat them."""

import io
import json
import math
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from lanes import one_in
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from practica import ANNClassifier, crossvalidation
from practica.cli import main
from practica.evaluation.comparison import Comparison, compare
from practica.evaluation.model_scores import ModelScores
from practica.experiments.records import record_of, write
from practica.experiments.tables import shipped
from practica.reference.cross_validation import CrossValidation

IRIS = shipped("iris")
MODELS = {
    "network 2": ANNClassifier([2], maxEpochs=2),
    "bayes": make_pipeline(SimpleImputer(), GaussianNB()),
}


@pytest.fixture(scope="module")
def comparison():
    """Two models on Iris."""
    folds = crossvalidation(IRIS.targets, 2, random_state=1)
    return compare(MODELS, IRIS.inputs, IRIS.targets, folds, 3, random_state=1)


def written(record):
    """Write a record and read it as JSON."""
    file = io.StringIO()
    write(record, file)
    return json.loads(file.getvalue())


def test_the_record_keeps_every_score_and_what_is_needed_to_repeat_it(comparison):
    """Read back, the numbers are exactly those of the comparison."""
    record = written(record_of(comparison, MODELS, IRIS))
    for name, result in comparison.results.items():
        np.testing.assert_array_equal(record["models"][name]["scores"], result.scores)
        expected = CrossValidation.of(
            result.scores, result.crossValidationIndices, result.classes
        )._asdict()
        assert record["models"][name]["mean"] == {
            metric: pair.mean for metric, pair in expected.items()
        }
        assert record["models"][name]["std"] == {
            metric: pair.std for metric, pair in expected.items()
        }
    assert record["models"]["network 2"]["parameters"] == MODELS["network 2"].get_params()
    assert record["crossValidationIndices"] == comparison.crossValidationIndices.tolist()
    assert record["classes"] == ["setosa", "versicolor", "virginica"]
    assert record["metrics"] == [
        "accuracy",
        "errorRate",
        "recall",
        "specificity",
        "PPV",
        "NPV",
        "F1",
    ]
    assert record["settings"] == {"n_executions": 3, "normalization": None, "random_state": 1}
    assert record["data"]["patterns"] == 150
    assert {"practica", "python", "numpy", "torch", "scikit-learn"} == set(record["versions"])


def test_a_parameter_that_json_does_not_know_is_its_text(comparison):
    """A step of a pipeline, and not a number."""
    parameters = written(record_of(comparison, MODELS, IRIS))["models"]["bayes"]["parameters"]
    assert parameters["simpleimputer"] == "SimpleImputer()"
    assert parameters["simpleimputer__missing_values"] == "nan"
    assert parameters["gaussiannb__var_smoothing"] == 1e-09


def test_a_number_that_is_not_finite_becomes_null():
    """JSON has no NaN, and the file must be readable everywhere.

    The mean is that of the folds that have a score.
    """
    scores = np.array([1.0, math.nan]).reshape(2, 1, 1)
    result = ModelScores(
        ("roc_auc",), scores, np.array([1, 2]), deterministic=True, classes=IRIS.targets[:2]
    )
    model = written(record_of(Comparison({"bayes": result}), {"bayes": GaussianNB()}, IRIS))[
        "models"
    ]["bayes"]
    assert (model["mean"], model["std"]) == ({"roc_auc": 1.0}, {"roc_auc": None})
    assert model["scores"] == [[[1.0]], [[None]]]


QUICK = ["--folds", "3", "--executions", "2", "--epochs", "3", "--seed", "4"]
ASKED = ["--model", "ann:2", "--model", "knn:3"]
OTHERS = {  # by the word of the sentence: what another experiment is asked for with
    "seed": ["--seed", "9"],
    "executions": ["--executions", "3"],
    "folds": ["--folds", "4"],
    "normalization": ["--normalize", "none"],
    "metric f1_macro": ["--metric", "f1_macro"],
    "maxEpochs": ["--epochs", "4"],
    "table": ["--ignore", "height"],
    "--groups": ["--groups", "owner"],
    "--time": ["--time", "height"],
    "positive class": ["--positive", "rose"],
}


@pytest.fixture
def flowers(tmp_path, monkeypatch):
    """Work in a folder with two tables of flowers."""
    monkeypatch.chdir(tmp_path)
    for name, N in (("a.csv", 24), ("b.csv", 30)):
        rows = [f"{i % 7},{i * 0.1:.1f},{i // 2},{'rose' if i % 2 else 'daisy'}" for i in range(N)]
        Path(name).write_text("\n".join(["petals,height,owner,kind", *rows, ""]))


def run(command, *options):
    """Run a command on one table, or on two."""
    data = [f"--data={name}" for name in ("a.csv", "b.csv")] if command == "many" else ["a.csv"]
    command = command.replace("many", "compare")
    return CliRunner().invoke(main, [command, *data, "--target", "kind", *QUICK, *options])


@pytest.mark.parametrize("command", one_in(3, ["compare", "cv", "many"]))
@pytest.mark.parametrize(("word", "other"), OTHERS.items())
def test_the_record_of_another_experiment_stays(flowers, command, word, other):
    """The sentence says what differs, and the option that it names goes on."""
    options = [*ASKED, "--json", "out.json"]
    assert run(command, *options).exit_code == 0
    record = Path("out.json").read_bytes()
    refused = run(command, *options, *other)
    assert (refused.exit_code, Path("out.json").read_bytes()) == (2, record)
    assert re.search(rf"out\.json keeps another experiment \(.*{word}.*--overwrite", refused.stderr)
    assert run(command, *options, *other, "--overwrite").exit_code == 0
    assert Path("out.json").read_bytes() != record


@pytest.mark.parametrize("command", one_in(3, ["compare", "cv", "many"]))
@pytest.mark.parametrize("content", ["", "[1]", "notes\n", '{"tables": 1}', '{"models": {}}'])
def test_a_file_that_is_no_record_stays(flowers, command, content):
    """Only an empty one is filled."""
    Path("out.json").write_text(content)
    done = run(command, *ASKED, "--json", "out.json")
    assert (done.exit_code == 0) == (content == "")
    if content:
        assert Path("out.json").read_text() == content
        assert "out.json is no record of" in done.stderr
    assert run(command, *ASKED, "--json", "out.json", "--overwrite").exit_code == 0
    assert json.loads(Path("out.json").read_text())


MINE = """
import time
from pathlib import Path
from sklearn.dummy import DummyClassifier

class Stuck(DummyClassifier):
    def fit(self, X, y):
        while Path("stuck").exists() and len(X) > 16:  # in the second table
            time.sleep(0.01)
        return super().fit(X, y)

ready, stuck = DummyClassifier, Stuck
"""


@pytest.mark.thorough
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_what_was_trained_is_on_the_disk_however_the_process_ends(flowers, monkeypatch, end):
    """In the second of two tables; the same command then trains only the rest."""
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    monkeypatch.syspath_prepend(".")
    Path("mine.py").write_text(MINE)
    models = ["--model", "ready=mine:ready", "--model", "stuck=mine:stuck", "--model", "ann:2"]
    assert run("many", *models, "--json", "whole.json").exit_code == 0
    Path("stuck").touch()
    options = ["--data=a.csv", "--data=b.csv", "--target", "kind", *QUICK, "--json", "out.json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "practica", "compare", *options, *models],
        stderr=subprocess.DEVNULL,
        # what a shell starts in the background, such as these tests, ignores it
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while "b.csv" not in kept("out.json") and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(end)
    process.wait()
    assert {name: [*table["models"]] for name, table in kept("out.json").items()} == {
        "a.csv": ["ready", "stuck", "ann:2"],
        "b.csv": ["ready"],
    }
    Path("stuck").unlink()
    done = run("many", *models, "--json", "out.json")
    reused = re.findall("Not trained again, from out.json: (.*)", done.stdout)
    assert reused == ["ready, stuck, ann:2", "ready"]
    assert scores("out.json") == scores("whole.json")


def kept(name):
    """Return the record of each table that a file has."""
    return json.loads(Path(name).read_text())["tables"] if Path(name).exists() else {}


def scores(name):
    """Return the scores of each table and model."""
    return {
        table: {model: entry["scores"] for model, entry in record["models"].items()}
        for table, record in kept(name).items()
    }


@pytest.mark.thorough
@pytest.mark.parametrize("end", one_in(2, [signal.SIGTERM, signal.SIGINT]))
def test_a_record_has_one_writer_and_no_unfinished_file_is_left(flowers, monkeypatch, end):
    """A second command is refused while the first one trains."""
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    monkeypatch.syspath_prepend(".")
    Path("mine.py").write_text(MINE.replace(" and len(X) > 16", ""))
    Path("stuck").touch()
    before = sorted(os.listdir())
    models = ["--model", "ready=mine:ready", "--model", "stuck=mine:stuck"]
    options = ["--target", "kind", *QUICK, "--json", "out.json", "--html", "out.html"]
    process = subprocess.Popen(
        [sys.executable, "-m", "practica", "compare", "a.csv", *options, *models],
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not Path("out.json").exists() and process.poll() is None:
        time.sleep(0.01)
    record = Path("out.json").read_bytes()
    refused = run("compare", *ASKED, "--json", "out.json")
    assert "out.json is being written by another process" in refused.stderr
    assert Path("out.json").read_bytes() == record
    process.send_signal(end)
    process.wait()
    there = {name for name in os.listdir() if not name.startswith("__")}
    assert there == {*before, "out.json"}
    assert [*json.loads(Path("out.json").read_text())["models"]] == ["ready"]
    assert run("compare", *ASKED, "--json", "out.json").exit_code == 0
    assert [*json.loads(Path("out.json").read_text())["models"]] == ["ann:2", "knn:3", "ready"]


def test_an_error_in_one_of_several_tables_names_the_table(flowers):
    """While it is read, and while folds are drawn."""
    rows = Path("b.csv").read_text()
    without_class, of_one_group = rows.replace("daisy", "", 1), re.sub(r"(?m)^\d", "1", rows)
    for spoilt in (without_class, of_one_group):
        Path("b.csv").write_text(spoilt)
        refused = run("many", *ASKED, "--groups", "petals")
        assert refused.exit_code == 2
        assert "Error: b.csv: " in refused.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_record_goes_through_a_pipe(flowers):
    """It is written once, and nothing is read from it."""
    os.mkfifo("pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append(Path("pipe").read_text()), daemon=True)
    reader.start()
    assert run("compare", *ASKED, "--json", "pipe").exit_code == 0
    reader.join()
    assert list(json.loads(read[0])["models"]) == ["ann:2", "knn:3"]
