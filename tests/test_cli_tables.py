"""The tables that people really have go through `cv` and `compare`, or one sentence says what
helps.
"""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from practica.cli import main
from practica.evaluation import cross_validate_executions, load_comparison, read_folds
from tests.tables import read_csv, written

QUICK = ["--folds", "3", "--executions", "2", "--epochs", "3", "--seed", "4"]
SIZES = {
    "titanic": {"rows": 90},
    "penguins": {"rows": 90},
    "rare": {"rows": 1005},
    "long": {"rows": 60},
    "wide": {"columns": 500},
    "comma": {"rows": 60},
    "grouped": {"rows": 120},
    "drifting": {"rows": 120},
    "quantity": {"rows": 60},
}
MINE = """
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from practica import ANNClassifier

def prepared(model):
    return make_pipeline(
        make_column_transformer(
            (
                make_pipeline(SimpleImputer(), StandardScaler()),
                make_column_selector(dtype_include="number"),
            ),
            (
                OneHotEncoder(handle_unknown="ignore"),
                make_column_selector(dtype_include="category"),
            ),
            sparse_threshold=0,
        ),
        model,
    )

def logistic():
    return prepared(LogisticRegression())

def network():
    return prepared(ANNClassifier([2], maxEpochs=3))

def search():
    return GridSearchCV(logistic(), {"logisticregression__C": [0.1, 1]}, cv=2)

def linear():
    return prepared(LinearRegression())

def mean():
    return DummyRegressor()

def wrong():
    return LogisticRegression

def failing():
    return 1 / 0
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command in a folder with a table and a module of models."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "mine", raising=False)
    (tmp_path / "mine.py").write_text(MINE)

    def invoke(command, name, target, *arguments):
        written(name, tmp_path, **SIZES[name])
        return CliRunner().invoke(
            main, [command, f"{name}.csv", "--target", target, *QUICK, *map(str, arguments)]
        )

    monkeypatch.syspath_prepend(str(tmp_path))
    return invoke


@pytest.mark.parametrize(
    ("name", "target", "options"),
    [
        ("rare", "ill", ["--positive", "yes"]),
        ("long", "kind", []),
        ("wide", "tissue", []),
        ("comma", "alta", ["--separator", ";", "--decimal", ",", "--encoding", "latin-1"]),
        ("grouped", "ill", ["--groups", "patient"]),
        ("drifting", "fails", ["--time", "day"]),
    ],
)
@pytest.mark.parametrize("command", ["cv", "compare"])
def test_a_table_without_holes_goes_through(run, command, name, target, options):
    """With networks and models of scikit-learn."""
    models = (
        ["--models", "ann,tree"] if command == "cv" else ["--model", "ann:2", "--model", "tree:2"]
    )
    done = run(command, name, target, *models, *options)
    assert done.exit_code == 0, done.output
    assert "accuracy" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("name", "target"), [("titanic", "survived"), ("penguins", "species")])
def test_holes_and_texts_reach_models_of_the_users(run, name, target):
    """Pipelines, a search and a network in a pipeline, on the same folds; cv says the way."""
    models = [f"--model={model}=mine:{model}" for model in ("logistic", "network", "search")]
    done = run("compare", name, target, *models, "--json", "out.json")
    assert done.exit_code == 0, done.output
    assert list(load_comparison("out.json").results) == ["logistic", "network", "search"]
    assert json.loads(Path("out.json").read_text())["settings"]["n_executions"] == 2
    refused = run("cv", name, target)
    assert refused.exit_code == 2
    assert "the value is missing" in refused.stderr


def test_the_lines_of_the_refusal_solve_it(run, tmp_path):
    """As they are written there."""
    refused = run("compare", "titanic", "survived", "--model", "knn").stderr
    (tmp_path / "mine.py").write_text(
        re.search(r"(?m)(?:^    .*\n)+", refused)[0].replace("\n    ", "\n")[4:]
    )
    model = re.search(r"--model (\S+)$", refused.strip())[1]
    done = run("compare", "titanic", "survived", "--model", model)
    assert done.exit_code == 0, done.output
    assert "boosting" in done.stdout


def test_numbers_and_the_table_itself_are_compared_on_the_same_folds(run):
    """A model of practica gets numbers that are normalized, one of the user's the columns.

    Texts are categories.
    """
    models = ["--model", "knn:3", "--model", "logistic=mine:logistic", "--json", "out.json"]
    done = run(
        "compare", "comma", "alta", *models, "--separator=;", "--decimal=,", "--encoding=latin-1"
    )
    assert done.exit_code == 0, done.output
    kept = load_comparison("out.json")
    assert list(kept.results) == ["knn:3", "logistic"]
    assert kept.settings["normalization"] == "zeromean"
    options = {"separator": ";", "decimal": ",", "encoding": "latin-1"}
    table = read_csv("comma.csv", "alta", whole=True, **options)
    assert list(map(str, table.columns.dtypes)) == ["float64", "category"]


def test_regressors_have_scores_of_their_own(run):
    """On folds that are not stratified."""
    done = run("compare", "quantity", "price", "--model", "linear=mine:linear",
               "--model", "mean=mine:mean", "--json", "out.json",
               "--metric", "relative_absolute_error")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "60 patterns, 2 attributes, a quantity" in done.stdout
    assert "relative_absolute_error against the best, linear" in done.stdout
    assert load_comparison("out.json").metrics[:2] == ("r2", "neg_root_mean_squared_error")


def test_a_group_is_in_one_fold_and_time_goes_forward(run):
    """What then no longer holds of the tests is said."""
    done = run("compare", "grouped", "ill", "--model", "knn:1", "--model", "majority",
               "--groups", "patient", "--save-folds", "folds.csv")  # fmt: skip
    folds, patients = read_folds("folds.csv"), pd.read_csv("grouped.csv")["patient"]
    assert pd.Series(folds).groupby(patients).nunique().max() == 1
    assert "3 folds of whole groups" in done.stdout
    assert (
        "Folds of whole groups: the scores measure how well a new group is predicted" in done.stdout
    )
    done = run("compare", "drifting", "fails", "--model", "knn:3", "--model", "ann:2",
               "--time", "day", "--save-folds", "time.csv", "--json", "out.json")  # fmt: skip
    folds, days = read_folds("time.csv"), pd.read_csv("drifting.csv")["day"]
    assert (
        pd.Series(days).groupby(folds).max().iloc[:-1].to_numpy()
        < days.groupby(folds).min().iloc[1:]
    ).all()
    assert "Folds in time: each was tested with models of the folds before it" in done.stdout
    assert "accuracy, the same 3 folds" in done.stdout
    kept = load_comparison("out.json")
    assert kept.results["ann:2"].scores.shape == (3, 2, 7)
    assert len(kept.differences()) == 1


@pytest.fixture
def rare(tmp_path, monkeypatch):
    """Write a table of which some folds lack a class, however they are made."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    kinds = ["rare" if row in (3, 8, 13) else "ab"[row % 2] for row in range(60)]
    who = np.arange(60) // 3
    columns = {"x": rng.random(60).round(3), "day": range(60), "who": who, "kind": kinds}
    pd.DataFrame(columns).to_csv("rare.csv", index=False)
    return ["rare.csv", "--target", "kind", "--folds", "5", "--seed", "1", "--json", "out.json"]


@pytest.mark.parametrize("command", ["cv", "compare"])
@pytest.mark.parametrize("option", ["--groups", "--time", "--ignore"])
def test_folds_without_a_value_are_named_and_counted_alike(rare, command, option):
    """In the terminal and on the page; "5 folds" are five everywhere, also in time."""
    given = [option, "day" if option == "--time" else "who", "--metric", "roc_auc_ovr"]
    models = ["--models", "knn,bayes", "--html", "page.html"]
    done = CliRunner().invoke(main, [command, *rare, *given, *models])
    assert done.exit_code == 0, done.output
    page = Path("page.html").read_text(encoding="utf-8")
    kept = load_comparison("out.json").missing("roc_auc_ovr")
    (folds,) = set(map(tuple, kept.values()))
    line = f"roc_auc_ovr is not a number in folds {', '.join(map(str, folds))}; the figures"
    assert line in done.stdout
    assert line in page
    assert set(re.findall(r"(\d+) folds", done.stdout + page)) == {"5"}


def test_folds_that_tear_groups_or_time_apart_are_not_used(run):
    """Neither those that lie there nor those of a file; those that fit are."""
    kept = ["--save-folds", "folds.csv"]
    run("compare", "grouped", "ill", "--model", "majority", *kept)
    grouped = [
        "compare",
        "grouped.csv",
        "--target",
        "ill",
        "--model",
        "majority",
        "--groups",
        "patient",
    ]
    for options in ([], ["--folds", "3"]):
        assert (
            "folds.csv keeps other folds"
            in CliRunner().invoke(main, [*grouped, *options, *kept]).stderr
        )
    refused = CliRunner().invoke(main, [*grouped, "--folds-file", "folds.csv"])
    assert "folds.csv has folds that tear the groups apart" in refused.stderr
    few = CliRunner().invoke(main, [*grouped, "--folds", "13", "--save-folds", "new.csv"])
    assert "--groups has 12 groups, which cannot fill 13 folds; give --folds" in few.stderr
    for name, target, option in (
        ("grouped", "ill", "--groups=patient"),
        ("drifting", "fails", "--time=day"),
    ):
        options = [option, "--model", "majority", "--save-folds", f"{name}-folds.csv"]
        assert run("compare", name, target, *options).exit_code == 0
        again = CliRunner().invoke(main, ["compare", f"{name}.csv", "--target", target, *options])
        assert "those of an earlier comparison" in again.stdout
    reversed_folds = 5 - read_folds("drifting-folds.csv")
    Path("turned.csv").write_text("fold\n" + "\n".join(map(str, reversed_folds)))
    turned = run(
        "compare",
        "drifting",
        "fails",
        "--time=day",
        "--model",
        "majority",
        "--folds-file",
        "turned.csv",
    )
    assert (
        "turned.csv has folds that tear the groups apart, or are not in the order of time"
        in turned.stderr
    )


def test_folds_that_lie_there_are_used_again_if_they_belong_to_the_data(run):
    """Without a seed; others are told as such, with the way out."""
    where = ["--save-folds", "folds.csv"]
    first = run("compare", "long", "kind", "--model", "bayes", *where)
    kept = Path("folds.csv").read_text()
    again = CliRunner().invoke(
        main, ["compare", "long.csv", "--target", "kind", "--model", "tree:2", *where]
    )
    assert "3 folds, those of an earlier comparison, in folds.csv" in again.stdout
    assert first.exit_code == again.exit_code == 0
    bayes = ["compare", "long.csv", "--target", "kind", "--model", "bayes", *where]
    more = CliRunner().invoke(main, [*bayes, "--folds", "4"])
    assert (
        "folds.csv keeps other folds; compare on those with --folds-file folds.csv" in more.stderr
    )
    other = run(
        "compare",
        "penguins",
        "island",
        "--model",
        "bayes",
        "--ignore",
        "bill",
        "--ignore",
        "mass",
        *where,
    )
    assert (
        "folds.csv has the folds of 60 patterns, and here are 90: of other data; keep new ones"
        in other.stderr
    )
    lines = Path("long.csv").read_text().splitlines()
    Path("long.csv").write_text("\n".join([lines[0], *lines[:0:-1]]))
    turned = CliRunner().invoke(main, bayes)
    assert (
        "folds.csv has the folds of other data: their targets are not these; keep new ones in"
        in turned.stderr
    )
    assert Path("folds.csv").read_text() == kept


@pytest.mark.parametrize(
    ("name", "target", "options", "sentence"),
    [
        (
            "quantity",
            "price",
            ["--model", "knn:3"],
            "this is a quantity, and these models predict classes. Cut it",
        ),
        (
            "quantity",
            "price",
            ["--model", "x=mine:logistic"],
            "this is a quantity, and these models predict classes.",
        ),
        (
            "quantity",
            "town",
            ["--model", "x=mine:linear"],
            "the target is text, and 'x' predicts numbers",
        ),
        (
            "quantity",
            "price",
            ["--model", "x=mine:linear", "--model", "y=mine:logistic"],
            "'x' predicts numbers and",
        ),
        ("titanic", "survived", ["--model", "x=mine:wrong"], "wrong returns <class"),
        (
            "titanic",
            "survived",
            ["--model", "x=mine:failing"],
            "model 'x=mine:failing': ZeroDivisionError: division",
        ),
        (
            "titanic",
            "survived",
            ["--model", "x=mine:logistik"],
            "mine has no 'logistik'; did you mean 'logistic'?",
        ),
        (
            "titanic",
            "survived",
            ["--model", "x=yours:any"],
            "ModuleNotFoundError: No module named 'yours'",
        ),
        (
            "titanic",
            "survived",
            ["--model", "x=mine"],
            "model 'x=mine': write NAME=package.module:function",
        ),
        (
            "titanic",
            "survived",
            ["--model", "x=mine:mean", "--groups", "se"],
            "no column 'se'; did you mean 'sex'?",
        ),
        (
            "titanic",
            "survived",
            ["--model", "x=mine:mean", "--time", "sex"],
            "is neither a number nor a date such",
        ),
        (
            "titanic",
            "survived",
            ["--model", "x=mine:mean", "--time", "age"],
            "column 'age': the value is missing",
        ),
        (
            "titanic",
            "survived",
            ["--model", "x=mine:mean", "--time", "sex", "--groups", "sex"],
            "cannot both decide",
        ),
        (
            "titanic",
            "survived",
            ["--model", "x=mine:mean", "--groups", "survived"],
            "cannot be two things",
        ),
    ],
)
def test_a_refusal_names_what_helps(run, name, target, options, sentence):
    """One sentence, no traceback."""
    done = run("compare", name, target, *options)
    assert done.exit_code == 2, done.output
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("forward", [False, True])
def test_nothing_of_a_fold_is_seen_by_what_is_fitted_for_it(tmp_path, monkeypatch, forward):
    """Imputer, encoder, normalization and model are those of the training part: without the rest
    they are the same.
    """
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "leaks.py").write_text(MINE)
    import leaks

    table = read_csv(written("titanic", tmp_path, rows=90), "survived", encoded=(), whole=True)
    folds = np.arange(90) % 3 + 1
    metrics = ["neg_log_loss", "roc_auc"]
    given = cross_validate_executions(
        leaks.logistic(), table.columns, table.targets, folds, metrics=metrics, forward=forward
    )
    for fold in range(1 + forward, 4):
        training, test = (folds < fold if forward else folds != fold), folds == fold
        alone = leaks.logistic().fit(table.columns[training], table.targets[training])
        expected = alone.predict_proba(table.columns[test])
        truth = table.targets[test][:, None] == alone.classes_
        np.testing.assert_allclose(
            given.of("neg_log_loss")[fold - 1 - forward], np.log(expected[truth]).mean()
        )

    training, test = folds != 3, folds == 3
    *_, model = (pipeline := leaks.logistic()).named_steps.values()
    seen = pipeline[:-1].fit(table.columns)  # all patterns, the tested ones too
    leaked = model.fit(seen.transform(table.columns[training]), table.targets[training])
    assert not np.allclose(leaked.predict_proba(seen.transform(table.columns[test])), expected)

    spoilt = table.columns.copy()
    spoilt.loc[folds == 3, ["age", "fare"]] = 1e6
    spoilt.loc[folds == 3, "embarked"] = None
    kept = []
    for columns in (table.columns, spoilt):  # the last fold: only what it is tested with is another
        fitted = leaks.logistic().fit(columns[folds != 3], table.targets[folds != 3])
        kept.append(fitted.predict_proba(table.columns[folds == 3]))
    np.testing.assert_array_equal(*kept)


@pytest.mark.parametrize("normalization", ["zeromean", "minmax"])
@pytest.mark.parametrize("model", ["knn:3", "ann:2,maxEpochs=3"])
def test_a_normalization_that_saw_the_test_part_would_change_the_result(
    tmp_path, model, normalization
):
    """A pattern far away in the fold that is tested changes nothing for the others of that fold."""
    from practica.evaluation import model_of

    table = read_csv(written("long", tmp_path, rows=60), "kind")
    folds = np.arange(60) % 3 + 1
    far = table.inputs.copy()
    far[0] = 1e6  # a pattern of fold 1
    options = {"normalization": normalization, "random_state": 1, "keep_predictions": True}
    one, other = (
        cross_validate_executions(
            model_of(model), inputs, table.targets, folds, 2, **options
        ).predictions
        for inputs in (table.inputs, far)
    )
    tested = np.flatnonzero(folds == 1)[1:]
    np.testing.assert_array_equal(one[:, tested], other[:, tested])
    leaking = (table.inputs - far.mean(axis=0)) / far.std(axis=0)
    assert np.abs(leaking[1:]).max() < 1  # seen, it would have pressed all the others together


@pytest.mark.parametrize(
    ("values", "folds", "unknown"),
    [
        ([0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 1, 3], 6, "relative_squared_error is not a number in fold"),
        ([1, 3, 2, 5, 4, 6, 8, 7], 8, "relative_squared_error is not a number in any fold"),
    ],
    ids=["counts", "leave-one-out"],
)
def test_a_metric_that_nobody_asked_for_stops_nothing(
    tmp_path, monkeypatch, values, folds, unknown
):
    """A line names the folds without a value, and the record has none there."""
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"x": np.arange(len(values)) % 5, "n": values}).to_csv("n.csv", index=False)
    models = ["--models", "linear,mean", "--metric", "neg_mean_absolute_error"]
    options = ["--folds", str(folds), "--seed", "1", "--json", "out.json"]
    done = CliRunner().invoke(main, ["compare", "n.csv", "--target", "n", *models, *options])
    assert done.exit_code == 0, done.output
    assert unknown in done.stdout
    assert "warning" not in done.stderr
    kept = load_comparison("out.json")
    assert not kept.missing("neg_mean_absolute_error")
    assert kept.missing("relative_squared_error")
