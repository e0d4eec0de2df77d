"""An experiment is kept as JSON, whole or not at all."""

import json
import math
import os
from contextlib import suppress
from dataclasses import asdict

import numpy as np
import pytest

from practica.experiments.experiment import Experiment, Outcome, Settings, chosen_models, run
from practica.experiments.records import opened, record_of, write
from practica.experiments.tables import shipped
from practica.reference.cross_validation import CrossValidation


@pytest.fixture(scope="module")
def experiment():
    """Two models on Iris."""
    settings = Settings(
        topology=(2,),
        folds=2,
        executions=3,
        epochs=2,
        learning_rate=0.01,
        validation_ratio=0.0,
        patience=20,
        normalization=None,
        seed=1,
    )
    return run(shipped("iris"), settings, chosen_models(["ann", "tree"], settings))


def written(experiment, path, data):
    """Write an experiment to a file and read it as JSON."""
    with opened(path, data=data) as file:
        write(record_of(experiment), file)
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_record_keeps_every_score_and_what_is_needed_to_repeat_it(experiment, tmp_path):
    """Read back, the numbers are exactly those of the experiment."""
    record = written(experiment, tmp_path / "out.json", tmp_path / "data.csv")
    for name, outcome in experiment.outcomes.items():
        np.testing.assert_array_equal(record["models"][name]["scores"], outcome.result.scores)
        assert record["models"][name]["mean"] == {m: pair.mean for m, pair in outcome.result._asdict().items()}
        assert record["models"][name]["std"] == {m: pair.std for m, pair in outcome.result._asdict().items()}
        assert record["models"][name]["hyperparameters"] == outcome.model.hyperparameters
    assert record["crossValidationIndices"] == experiment.crossValidationIndices.tolist()
    assert record["classes"] == ["setosa", "versicolor", "virginica"]
    assert record["metrics"] == ["accuracy", "errorRate", "recall", "specificity", "PPV", "NPV", "F1"]
    assert record["settings"] == {**asdict(experiment.settings), "topology": [2]}
    assert record["data"]["patterns"] == 150
    assert {"practica", "python", "numpy", "torch", "scikit-learn"} == set(record["versions"])


def test_a_number_that_is_not_finite_becomes_null(experiment, tmp_path):
    """JSON has no NaN; the file must be readable everywhere."""
    scores = np.ones((1, 1, 7))
    result = CrossValidation.of(scores, np.ones(150, dtype=np.int64), ("a", "b"))
    assert math.isnan(result.accuracy.std)
    outcome = Outcome(experiment.outcomes["tree"].model, result, 0.0)
    alone = Experiment(experiment.table, experiment.settings, experiment.crossValidationIndices, {"tree": outcome})
    assert record_of(alone)["models"]["tree"]["std"]["accuracy"] is None
    assert written(alone, tmp_path / "out.json", tmp_path / "data.csv")["models"]["tree"]["mean"]["accuracy"] == 1.0


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    """The new file takes its place in one step, at the end."""
    path = tmp_path / "out.json"
    path.write_text("old")
    with suppress(KeyboardInterrupt), opened(path, data=tmp_path / "data.csv") as file:
        file.write("half of the n")
        raise KeyboardInterrupt
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.json"]


def test_a_link_is_followed_and_stays_a_link(tmp_path):
    """The file it points to is the one to replace."""
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    with opened(tmp_path / "link.json", data=tmp_path / "data.csv") as file:
        file.write("new")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == "new"


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_done(tmp_path):
    """The block is never entered."""
    with (
        pytest.raises(ValueError, match=r"out\.json cannot be written: No such file or directory"),
        opened(tmp_path / "nowhere" / "out.json", data=tmp_path / "data.csv"),
    ):
        pytest.fail("the block was entered")


def test_the_file_with_the_data_is_never_overwritten(tmp_path):
    """Not even through a link."""
    data = tmp_path / "data.csv"
    data.write_text("a,c\n")
    (tmp_path / "link.json").symlink_to(data)
    for path in (data, tmp_path / "link.json"):
        with (
            pytest.raises(ValueError, match="is the file with the data"),
            opened(path, data=data),
        ):
            pytest.fail("the block was entered")
    assert data.read_text() == "a,c\n"


def test_without_a_path_nothing_is_written(experiment):
    """The command line's default."""
    with opened(None, data=__file__) as file:
        assert file is None
        write(record_of(experiment), file)
