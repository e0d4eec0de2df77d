"""Repeated cross-validation: the scores of each repetition, tests on all of them, and
`--repeats`.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from practica import ANNClassifier
from practica.cli import main
from practica.evaluation import (
    compare,
    cross_validate_executions,
    load_comparison,
    read_folds,
    repeated_folds,
)

X, NUMBERS = load_iris(return_X_y=True)
Y = np.array(["setosa", "versicolor", "virginica"])[NUMBERS]
FOLDS = repeated_folds(Y, 5, 3, random_state=1)
QUICK = ["--folds", "3", "--executions", "2", "--epochs", "3", "--seed", "4"]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command in a folder with flowers, patients with three rows each, and days."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{i % 7},{i * 0.1:.1f},{i // 3},{'rose' if i % 2 else 'daisy'}" for i in range(36)]
    Path("flowers.csv").write_text("\n".join(["petals,height,plant,kind", *rows, ""]))

    def invoke(command, *options):
        return CliRunner().invoke(main, [command, "flowers.csv", "--target", "kind", *options])

    return invoke


def test_each_repetition_has_the_scores_that_it_has_alone():
    """One after the other.

    The first is also what one without repetitions would be, networks and their seeds too.
    """
    for model in (
        KNeighborsClassifier(3),
        ANNClassifier([3], maxEpochs=5),
        DecisionTreeClassifier(),
    ):
        options = {"normalization": "minmax", "random_state": 7}
        result = cross_validate_executions(
            model, X, Y, FOLDS, 2, keep_curves=True, keep_predictions=True, **options
        )
        first = cross_validate_executions(
            model, X, Y, FOLDS[0], 2, keep_curves=True, keep_predictions=True, **options
        )
        m = 1 if result.deterministic else 2
        assert (result.repetitions, first.repetitions) == (3, 1)
        assert result.scores.shape == (15, m, 7)
        assert result.predictions.shape == (3 * m, 150)
        assert result.matrices.shape == (15, m, 3, 3)
        np.testing.assert_array_equal(result.scores[:5], first.scores)
        np.testing.assert_array_equal(result.predictions[:m], first.predictions)
        if not result.deterministic:
            assert (result.predictions[m : 2 * m] != first.predictions).any()


def test_the_scores_are_those_of_scikit_learns_repeated_folds():
    """On the same partitions, in the same order."""
    splitter = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=2)
    folds = np.empty((3, len(Y)), dtype=int)
    for number, (_, test) in enumerate(splitter.split(X, Y)):
        folds[number // 4, test] = number % 4 + 1
    ours = cross_validate_executions(KNeighborsClassifier(), X, Y, folds, metrics=["accuracy"])
    np.testing.assert_allclose(
        ours.scores[:, 0, 0], cross_val_score(KNeighborsClassifier(), X, Y, cv=splitter)
    )


def test_the_test_of_two_models_takes_all_values_and_is_as_sure_as_one_cross_validation():
    """All r·k values, r·k − 1 degrees of freedom, and the variance of the mean of k folds."""
    comparison = compare(["tree:1", "knn:3", "svm"], X, Y, FOLDS, 1, random_state=1)
    values = {name: scores.mean(axis=1) for name, scores in comparison.of().items()}
    k, n = 5, 15
    for row in comparison.differences(region=0.02):
        differences = values[row.model] - values[row.reference]
        error = math.sqrt((1 / k + (1 / k) / (1 - 1 / k)) * differences.var(ddof=1))
        assert row.corrected.df == n - 1
        assert row.corrected.statistic == pytest.approx(differences.mean() / error)
        assert row.corrected.p_value == pytest.approx(
            2 * stats.t.sf(abs(differences.mean() / error), n - 1)
        )


def test_the_progress_is_that_of_all_repetitions():
    """It never falls back."""
    reported = []
    model = DecisionTreeClassifier()
    cross_validate_executions(
        model, X, Y, FOLDS, 2, n_jobs=1, progress=lambda *pair: reported.append(pair)
    )
    assert reported == sorted(reported)
    assert (reported[0], reported[-1]) == ((0, 30), (30, 30))


def test_folds_in_time_cannot_be_repeated():
    """There is one order of time."""
    with pytest.raises(ValueError, match="always the same; 3 repetitions add nothing"):
        cross_validate_executions(KNeighborsClassifier(), X, Y, FOLDS, forward=True)


def test_cv_shows_mean_and_std_of_all_folds(run):
    """And says so in the heading and in the record."""
    done = run(
        "cv",
        *QUICK,
        "--models",
        "knn,majority",
        "--repeats",
        "3",
        "--json",
        "out.json",
        "--html",
        "page.html",
    )
    assert done.exit_code == 0, done.output
    assert "3 folds repeated 3 times, 2 networks per fold" in done.stdout
    assert "3 folds repeated 3 times; mean and std of 9 values" in done.stdout
    assert "3 folds repeated 3 times; mean and std of 9 values" in Path("page.html").read_text(
        encoding="utf-8"
    )
    record = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert record["settings"]["repeats"] == 3
    scores = np.array(record["models"]["knn"]["scores"])[:, 0, 0]
    assert scores.shape == (9,)
    assert record["models"]["knn"]["std"]["accuracy"] == pytest.approx(scores.std(ddof=1))
    for folds in np.array(record["crossValidationIndices"]):
        assert np.bincount(folds)[1:].tolist() == [12, 12, 12]
        assert np.bincount(folds[::2])[1:].tolist() == [6, 6, 6]  # the daisies
    alone = run("cv", *QUICK, "--models", "knn", "--json", "alone.json")
    assert "repeated" not in alone.stdout
    np.testing.assert_array_equal(
        np.ravel(load_comparison("alone.json").results["knn"].of("accuracy")), scores[:3]
    )


def test_compare_keeps_the_repetitions_and_tests_on_them_again(run):
    """As the record does; what the tables show of it is said."""
    models = ["--model", "ann:2", "--model", "knn:1", "--model", "majority"]
    done = run(
        "compare",
        *QUICK,
        *models,
        "--repeats",
        "2",
        "--save-folds",
        "kept.csv",
        "--json",
        "out.json",
    )
    assert done.exit_code == 0, done.output
    assert "3 folds repeated 2 times in kept.csv, sha256 " in done.stdout
    assert (
        "accuracy, the same 3 folds repeated 2 times for all models; mean and std of 6 values"
        in done.stdout
    )
    assert "Repeated folds: mean and std are those of all 6 values" in done.stdout
    first = load_comparison("out.json")
    np.testing.assert_array_equal(first.crossValidationIndices, read_folds("kept.csv"))
    assert first.repetitions == 2
    assert first.results["ann:2"].scores.shape == (6, 2, 7)
    quick = [*QUICK[2:], "--model", "ann:2", "--json", "again.json"]
    again = run("compare", *quick, "--folds-file", "kept.csv")
    assert "3 folds repeated 2 times in kept.csv" in again.stdout
    np.testing.assert_array_equal(
        load_comparison("again.json").results["ann:2"].scores, first.results["ann:2"].scores
    )
    other = run("compare", *quick, "--folds-file", "kept.csv", "--repeats", "3")
    assert "kept.csv has 3 folds repeated 2 times; leave --folds and --repeats out" in other.stderr


def test_whole_groups_are_repeated_where_there_is_another_way(run):
    """Not with a fold for each group, nor in the order of time."""
    done = run(
        "compare",
        *QUICK,
        "--model",
        "knn:1",
        "--groups",
        "plant",
        "--repeats",
        "2",
        "--save-folds",
        "kept.csv",
    )
    assert done.exit_code == 0, done.output
    assert "3 folds of whole groups repeated 2 times" in done.stdout
    for folds in read_folds("kept.csv"):
        assert all(len(set(folds[start : start + 3])) == 1 for start in range(0, 36, 3))
    quick = [*QUICK[2:], "--models", "knn", "--repeats", "2"]
    alone = run("cv", *quick, "--groups", "plant", "--folds", "12")
    assert "--repeats: there is one way only to draw these 12 folds; leave it out" in alone.stderr
    in_time = run("cv", *quick, "--time", "height", "--folds", "3")
    assert (
        "--repeats: folds in the order of time are always the same; leave it out" in in_time.stderr
    )
    assert in_time.exit_code == alone.exit_code == 2


def test_a_fold_without_a_score_is_named_with_its_repetition(run):
    """In both repetitions one fold has all the rare patterns."""
    rows = [f"{i},{'rare' if i in (3, 8) else 'usual'}" for i in range(20)]
    Path("flowers.csv").write_text("\n".join(["x,kind", *rows, ""]))
    done = run(
        "compare",
        *QUICK,
        "--model",
        "bayes",
        "--model",
        "knn:1",
        "--metric",
        "roc_auc",
        "--repeats",
        "2",
    )
    assert done.exit_code == 0, done.output
    assert (
        "roc_auc is not a number in folds 3 (repetition 1), 3 (repetition 2); the figures are"
        in done.stdout
    )


def test_many_tables_have_repetitions_too(run):
    """Each counts once, with the mean of all its folds; folds are kept of a single table only."""
    Path("other.csv").write_text(Path("flowers.csv").read_text())
    many = ["compare", "--data", "flowers.csv", "--data", "other.csv", "--target", "kind", *QUICK]
    models = ["--model", "knn:1", "--model", "majority", "--repeats", "2", "--json", "out.json"]
    done = CliRunner().invoke(main, [*many, *models])
    assert done.exit_code == 0, done.output
    assert "2 tables, 3 folds repeated 2 times, 2 executions, seed 4" in done.stdout
    record = json.loads(Path("out.json").read_text(encoding="utf-8"))["tables"]["other.csv"]
    scores = np.array(record["models"]["knn:1"]["scores"])[
        :, 0, record["metrics"].index("accuracy")
    ]
    assert scores.shape == (6,)
    assert f"{scores.mean():.4f}" in done.stdout
    refused = CliRunner().invoke(main, [*many, *models, "--save-folds", "kept.csv"])
    assert "--save-folds is for a single table" in refused.stderr
