"""Several models on the same folds of one table, as the library has them."""

import json
import re

import numpy as np
import pytest

from practica import ann_cross_validation, model_cross_validation
from practica.evaluation import balanced_folds
from practica.experiments.choices import MODELS, Choices
from practica.experiments.experiment import show_metrics
from practica.experiments.tables import Table, shipped

NETWORK = {"maxEpochs": 5, "learningRate": 0.01, "validationRatio": 0.2, "maxEpochsVal": 20}
OPTIONS = {"network": NETWORK, "topology": (3,), "folds": 3, "executions": 2, "seed": 7}
EXERCISE_6 = {
    "tree": ("DecisionTreeClassifier", {"max_depth": 5}),
    "ann": ("ANN", {"topology": [3], "numExecutions": 2, **NETWORK}),
    "knn": ("KNeighborsClassifier", {"n_neighbors": 5}),
    "svm": ("SVC", {"kernel": "rbf", "C": 1.0, "gamma": "scale"}),
}


@pytest.fixture(scope="module")
def iris() -> Table:
    """Load Iris."""
    return shipped("iris")


@pytest.fixture(scope="module")
def record(iris, tmp_path_factory):
    """Keep all models on Iris."""
    path = tmp_path_factory.mktemp("record") / "out.json"
    show_metrics(iris, Choices(model=[*EXERCISE_6], json=path, **OPTIONS))
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_folds_are_those_of_the_seed(iris, record):
    """They can be drawn again with the library alone."""
    assert (
        record["crossValidationIndices"] == balanced_folds(iris.targets, 3, random_state=7).tolist()
    )


def test_every_model_is_there_in_the_order_asked_for(record):
    """Also where networks are trained last."""
    assert list(record["models"]) == list(EXERCISE_6)
    assert {*EXERCISE_6} == {*MODELS} - {"majority"}
    assert [model["deterministic"] for model in record["models"].values()] == [
        True,
        False,
        True,
        True,
    ]
    assert all(model["seconds"] > 0 for model in record["models"].values())


@pytest.mark.parametrize("name", EXERCISE_6)
def test_the_scores_are_those_of_exercise_6(iris, record, name):
    """To the last bit, whatever trains them.

    The tree too has one execution, since its seed never changes.
    """
    modelType, hyperparameters = EXERCISE_6[name]
    folds = np.array(record["crossValidationIndices"])
    expected = model_cross_validation(
        modelType,
        hyperparameters,
        iris.inputs,
        iris.targets,
        folds,
        normalization="zeromean",
        random_state=7,
    )
    np.testing.assert_array_equal(record["models"][name]["scores"], expected.scores)


def test_the_values_of_the_practice_are_in_the_table(iris, record, capsys):
    """Mean and deviation over the folds with three decimals, a column for each model."""
    show_metrics(iris, Choices(model=["ann", "tree"], **OPTIONS))
    rows = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if "±" in line}
    folds = np.array(record["crossValidationIndices"])
    network = ann_cross_validation(
        [3],
        iris.inputs,
        iris.targets,
        folds,
        numExecutions=2,
        **NETWORK,
        normalization="zeromean",
        random_state=7,
    )
    tree = record["models"]["tree"]
    for metric, pair in network._asdict().items():
        expected = [(pair.mean, pair.std), (tree["mean"][metric], tree["std"][metric])]
        assert re.sub(" +[*]? +", "  ", f"{rows[metric]} ").strip().split(maxsplit=1)[
            1
        ] == "  ".join(f"{mean:.3f} ± {std:.3f}" for mean, std in expected)


@pytest.mark.parametrize("width", [80, 120])
def test_the_table_has_a_row_per_metric_and_fits_the_terminal(iris, capsys, monkeypatch, width):
    """No line is broken and no name is cut."""
    monkeypatch.setenv("COLUMNS", str(width))
    options = OPTIONS | {"network": NETWORK | {"maxEpochs": 1}, "topology": (16, 8)}
    show_metrics(iris, Choices(**options | {"executions": 1}))
    lines = capsys.readouterr().out.split("\n\n")[1].splitlines()
    assert max(map(len, lines)) <= width
    for model in ("network 16-8", "kNN, k=5", "SVM, rbf", "tree, depth 5"):
        assert model in lines[0]
    first_words = [line.split()[0] for line in lines[2:]]
    assert first_words == [
        "accuracy",
        "errorRate",
        "recall",
        "specificity",
        "PPV",
        "NPV",
        "F1",
        "time",
    ]


def test_the_heading_says_what_was_read_and_which_class_is_the_positive_one(capsys):
    """The five metrics after the error rate change their meaning with it."""
    options = OPTIONS | {"network": NETWORK | {"maxEpochs": 1}, "folds": 2, "executions": 1}
    show_metrics(shipped("breast_cancer"), Choices(model=["tree"], **options | {"seed": 3}))
    assert capsys.readouterr().out.splitlines()[:4] == [
        "Breast cancer: 569 patterns, 30 attributes, 2 classes",
        "Classes: malignant 212 (positive), benign 357",
        "2 folds, 1 network per fold, 1 epoch at most, seed 3",
        "",
    ]


def test_names_are_shown_as_they_are(iris, capsys):
    """Brackets and colons in the user's data are neither markup nor emoji, and long lines are not
    broken.
    """
    label = "[bold]:smile: " + "x" * 100
    targets = np.where(iris.targets == "setosa", label, iris.targets)
    table = Table("a[b].csv", iris.attributes, iris.inputs, targets)
    show_metrics(table, Choices(model=["knn"], **OPTIONS))
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("a[b].csv: 150")
    assert f"{label} 50, versicolor 50" in second


def test_the_bar_names_the_model_and_ends_when_it_does(iris, capsys, monkeypatch):
    """The networks come last.

    One bar counts the trainings of all models: three of the tree and six networks.
    """
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    show_metrics(iris, Choices(model=["ann", "tree"], **OPTIONS))
    last = capsys.readouterr().err.split("\r")[-2]
    assert "network 3" in last
    assert "9/9" in last


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("tre", "there is no model 'tre'; did you mean 'tree'?"),
        (
            "grove",
            (
                "there is no model 'grove'; it must be one of ['ann', 'knn', 'svm', 'tree',"
                " 'majority']"
            ),
        ),
    ],
)
def test_an_unknown_model_is_refused_with_the_closest_one(iris, capsys, name, sentence):
    """Or with all of them, where none is close; nothing is shown."""
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 - the whole sentence is compared below
        show_metrics(iris, Choices(model=["ann", name], **OPTIONS))
    assert str(refusal.value) == sentence
    assert capsys.readouterr().out == ""
