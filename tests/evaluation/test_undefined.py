"""A 0/0 that counts as 1 is said wherever its metric is shown: table, notes, page and record."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.metrics import f1_score, precision_score, recall_score

from practica import confusion_matrix
from practica.cli import main
from practica.evaluation import ModelScores, compare, cross_validate_executions, load_comparison
from practica.evaluation.undefined import undefined_lines
from practica.reference.metrics import undefined_of

RARE = ["con"] * 7 + ["head"] * 2 + ["tabl"]
QUICK = ["--folds", "4", "--executions", "2", "--epochs", "2", "--seed", "4"]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command in a folder with a table whose attributes say nothing, of three classes and of
    two.
    """
    monkeypatch.chdir(tmp_path)
    rows = [f"{i * 37 % 11},{RARE[i % 10]},{int(i % 10 == 9)}" for i in range(80)]
    (tmp_path / "glass.csv").write_text("\n".join(["refraction,kind,rare", *rows, ""]))

    def invoke(command, target, *arguments):
        ignored = {"kind": "rare", "rare": "kind"}[target]
        done = CliRunner().invoke(
            main,
            [
                command,
                "glass.csv",
                "--target",
                target,
                "--ignore",
                ignored,
                *QUICK,
                *map(str, arguments),
            ],
        )
        assert done.exit_code == 0, done.output
        return done.stdout

    return invoke


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12))
def test_of_many_classes_a_metric_is_undefined_where_it_matters_what_0_0_counts_as(pairs):
    """As in scikit-learn's weighted means, with 0 and with 1."""
    real, predicted = np.array(pairs).T
    matrix = np.zeros((4, 4), dtype=np.int64)
    np.add.at(matrix, (real, predicted), 1)
    undefined = undefined_of(matrix)
    for place, score in ((2, recall_score), (4, precision_score), (6, f1_score)):
        low, high = (
            score(real, predicted, average="weighted", labels=range(4), zero_division=value)
            for value in (0, 1)
        )
        assert undefined[place].any() == (abs(high - low) > 1e-12)
    others = np.ones(4, dtype=bool)
    for c in range(4):
        others[:] = True
        others[c] = False
        assert undefined[3, c] == (matrix[others].sum() == 0)
        assert undefined[5, c] == (matrix[:, others].sum() == 0 and matrix[c].sum() > 0)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=8))
def test_of_two_classes_a_metric_is_undefined_where_it_matters_what_0_0_counts_as(pairs):
    """Specificity and NPV are recall and precision of the other class."""
    real, predicted = np.array(pairs).T
    undefined = undefined_of(confusion_matrix(predicted, real).matrix)
    for place, score, positive in (
        (2, recall_score, True),
        (3, recall_score, False),
        (4, precision_score, True),
        (5, precision_score, False),
        (6, f1_score, True),
    ):
        low, high = (
            score(real, predicted, pos_label=positive, zero_division=value) for value in (0, 1)
        )
        assert undefined[place].any() == undefined[place, int(positive)] == (low != high)


def test_cv_says_how_often_a_metric_was_nothing_and_because_of_which_class(run):
    """A star in the table, the reason below it, the counts in the record, all of it in the page."""
    shown = run("cv", "kind", "--json", "out.json", "--html", "page.html", "--metric", "f1_macro")
    (line,) = re.findall(
        r"^PPV of .*majority: 0/0 in 4 of 4 folds: never predicts head, tabl\.$",
        shown,
        re.MULTILINE,
    )
    assert "SVM" in line
    assert re.search(r"^PPV .*\d \*$", shown, flags=re.MULTILINE)
    assert not re.search(r"^(accuracy|recall|F1) .*\*", shown, flags=re.MULTILINE)
    assert "--metric f1_macro, --metric matthews_corrcoef, --metric balanced_accuracy" in shown
    assert re.search(r"^f1_macro +0\.\d+ ± ", shown, flags=re.MULTILINE)
    record = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert record["models"]["majority"]["undefined"]["PPV"] == {"head": [1] * 4, "tabl": [1] * 4}
    assert max(record["models"]["ann"]["undefined"]["PPV"]["tabl"]) in (1, 2)
    assert line in Path("page.html").read_text(encoding="utf-8")


def test_a_test_that_decides_on_nothing_says_so(run):
    """And one of another metric does not."""
    models = ["--model", "majority", "--model", "knn:1", "--save-folds"]
    shown = run("compare", "kind", *models, "a.csv", "--metric", "PPV", "--json", "out.json")
    assert "PPV of majority: 0/0 in 4 of 4 folds: never predicts head, tabl." in shown
    assert "The tests of PPV use values that include a 0/0" in shown
    again = undefined_lines(load_comparison("out.json").results, ("PPV",))
    assert again[0] in shown
    shown = run("compare", "kind", *models, "b.csv", "--metric", "accuracy")
    assert "0/0" not in shown


@pytest.mark.parametrize(("target", "unpredicted"), [("kind", "head, tabl"), ("rare", "1")])
def test_accuracy_is_not_all_of_a_model_that_never_predicts_a_class(run, target, unpredicted):
    """It is said of an SVM, not of the majority; with the metrics that show it.

    Those say it themselves.
    """
    models = ["--model", "majority", "--model", "svm", "--model", "knn:1"]
    shown = run("compare", target, *models)
    assert f"svm never predicts {unpredicted}." in shown
    assert (
        "accuracy hardly shows a class that is never predicted; these do: --metric f1_macro"
        in shown
    )
    assert "never predicts" not in run("compare", target, *models, "--metric", "f1_macro")
    assert "never predicts" not in run("compare", target, "--model", "majority", "--model", "knn:1")


def test_a_list_of_many_classes_ends():
    """A quantity that is read as classes has dozens of them."""
    y = [f"c{i:02}" for i in range(20)] * 2
    result = cross_validate_executions(DummyClassifier(), np.zeros((40, 1)), y, [1] * 20 + [2] * 20)
    lines = undefined_lines({"majority": result}, ("PPV",))
    assert lines[0].endswith("never predicts c01, c02, c03, c04, c05, c06, c07, c08 and 11 more.")


def test_a_survey_of_affairs_is_not_believed_blindly(tmp_path, monkeypatch):
    """Answers repeat, the hours give the class away, and nothing is better than the one that
    predicts none.
    """
    fair = pytest.importorskip(
        "statsmodels.datasets.fair", reason="the real table comes with practica[test]"
    )
    monkeypatch.chdir(tmp_path)
    table = fair.load_pandas().data
    table.assign(unfaithful=(table["affairs"] > 0).astype(int)).to_csv("fair.csv", index=False)
    command = [
        "cv",
        "fair.csv",
        "--target",
        "unfaithful",
        "--models",
        "tree,majority",
        "--folds",
        "4",
    ]
    easy, honest = (
        CliRunner().invoke(main, [*command, *more]).stdout for more in ([], ["--ignore", "affairs"])
    )
    assert "Note: 1039 of 6366 rows repeat another one and are in training and test at once" in easy
    assert (
        "Note: column 'affairs': each value has one class only; if it was derived from the target"
        in easy
    )
    assert "Classes: 1 2053 (positive), 0 4313" in honest
    assert "each value has one class" not in honest
    assert re.search(r"^PPV .* 1\.000 ± 0\.000 \*$", honest, flags=re.MULTILINE)
    assert "PPV of majority: 0/0 in 4 of 4 folds: never predicts 1." in honest


def test_two_classes_are_scored_about_the_rare_one(run):
    """1 is the positive class of 0 and 1, and is never predicted."""
    shown = run("cv", "rare", "--models", "majority,knn")
    assert "Classes: 0 72, 1 8 (positive)" in shown
    assert re.search(
        r"^PPV of (majority|all models): 0/0 in 4 of 4 folds: never predicts 1\.$",
        shown,
        re.MULTILINE,
    )


def test_a_fold_without_a_class_is_named():
    """All models share the reason."""
    y, folds = ["a", "b", "a", "a", "a", "b"], [1, 1, 2, 2, 3, 3]
    comparison = compare(
        ["majority", "knn:1"], [[float(i)] for i in range(6)], y, folds, positive="b"
    )
    lines = undefined_lines(comparison.results, ("recall",))
    assert lines[0] == "recall of all models: 0/0 in 1 of 3 folds: no b in them."


def test_a_model_without_any_has_no_line():
    """Nor have metrics of scikit-learn."""
    X, y, folds = [[0.0], [0.0], [1.0], [1.0]], ["a", "a", "b", "b"], [1, 2, 1, 2]
    result = cross_validate_executions(
        DummyClassifier(strategy="stratified"), X, y, folds, 1, random_state=0
    )
    assert isinstance(result, ModelScores)
    right = compare(["knn:1"], X, y, folds)
    assert undefined_lines(right.results, right.metrics) == []
    other = compare(["majority"], X, y, folds, metrics=["f1_macro"])
    assert other.results["majority"].undefined is None
    assert undefined_lines(other.results, other.metrics) == []
