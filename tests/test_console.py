"""What the user sees: a table that fits a terminal, warnings as lines, a bar only where somebody watches."""

import warnings

import pytest

from practica.console import print_heading, print_results, progress_bar, warnings_as_lines
from practica.experiments.experiment import Settings, chosen_models, run
from practica.experiments.tables import Table, shipped

SETTINGS = Settings(
    topology=(16, 8),
    folds=2,
    executions=1,
    epochs=1,
    learning_rate=0.01,
    validation_ratio=0.0,
    patience=20,
    normalization=None,
    seed=3,
)


@pytest.fixture(scope="module")
def experiment():
    """All models on breast cancer, hardly trained."""
    return run(shipped("breast_cancer"), SETTINGS, chosen_models(["ann", "knn", "svm", "tree"], SETTINGS))


@pytest.mark.parametrize("width", [80, 120])
def test_the_table_has_a_row_per_metric_and_fits_the_terminal(experiment, capsys, monkeypatch, width):
    """No line is broken and no name is cut."""
    monkeypatch.setenv("COLUMNS", str(width))
    print_results(experiment)
    lines = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert max(map(len, lines)) <= width
    for model in ("network 16-8", "kNN, k=5", "SVM, rbf", "tree, depth 5"):
        assert model in lines[0]
    first_words = [line.split()[0] for line in lines[2:]]
    assert first_words == ["accuracy", "errorRate", "recall", "specificity", "PPV", "NPV", "F1", "time"]


def test_the_table_shows_mean_and_deviation_with_three_decimals(experiment, capsys):
    """As the result has them."""
    print_results(experiment)
    mean, std = experiment.outcomes["tree"].result.recall
    row = next(line for line in capsys.readouterr().out.splitlines() if line.split()[:1] == ["recall"])
    assert row.rstrip().endswith(f"{mean:.3f} ± {std:.3f}")


def test_the_heading_says_what_was_read_and_which_class_is_the_positive_one(capsys):
    """The five metrics after the error rate change their meaning with it."""
    print_heading(shipped("breast_cancer"), SETTINGS)
    assert capsys.readouterr().out.splitlines() == [
        "Breast cancer: 569 patterns, 30 attributes, 2 classes",
        "Classes: malignant 212 (positive), benign 357",
        "2 folds, 1 network per fold, 1 epoch at most, seed 3",
    ]


def test_names_are_shown_as_they_are(capsys):
    """Brackets and colons in the user's data are neither markup nor emoji, and long lines are not broken."""
    iris = shipped("iris")
    label = "[bold]:smile: " + "x" * 100
    targets = iris.targets.copy()
    targets[targets == "setosa"] = label
    print_heading(Table("a[b].csv", iris.attributes, iris.inputs, targets), SETTINGS)
    first, second, _ = capsys.readouterr().out.splitlines()
    assert first.startswith("a[b].csv: 150")
    assert f"{label} 50, versicolor 50" in second


def test_the_progress_bar_is_quiet_where_nobody_watches(capsys):
    """A log file gets no control sequences."""
    with progress_bar() as report:
        report("network", 1, 2)
    assert capsys.readouterr() == ("", "")


def test_the_progress_bar_shows_on_a_terminal(capsys, monkeypatch):
    """On stderr, so that stdout keeps only the results."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar() as report:
        report("network 8", 3, 5)
    out, err = capsys.readouterr()
    assert out == ""
    assert "network 8" in err
    assert "3/5" in err


def test_a_warning_to_the_user_is_one_line_shown_once(capsys):
    """Without the file, the line and the source code that Python adds."""
    with warnings_as_lines():
        for _ in range(2):
            warnings.warn("k=10: too few patterns", UserWarning, stacklevel=1)
            warnings.warn("something internal", DeprecationWarning, stacklevel=1)
    assert capsys.readouterr().err == "warning: k=10: too few patterns\n"
