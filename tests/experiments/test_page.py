"""The page of a comparison, read as its user reads it: elements, texts, and numbers that others can
compute.
"""

import base64
import html
import json
import math
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from lanes import one_in
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from practica.cli import main
from practica.evaluation.comparison import Comparison
from practica.evaluation.model_scores import ModelScores
from practica.experiments.methods import methods_of
from practica.experiments.page import Contents, _of_differences, page_of

pytest.importorskip("matplotlib")

QUICK = ["--folds", "4", "--executions", "2", "--epochs", "7", "--seed", "4"]


class Page(HTMLParser):
    """The parts of a page by their elements."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.text = path.read_text(encoding="utf-8")
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.images: dict[str, dict[str, tuple[str, str]]] = {}
        self.feed(self.text)
        terms, texts = self.texts.get("dt", []), self.texts.get("dd", [])
        self.methods = dict(zip(terms, texts, strict=True))

    def handle_starttag(self, tag, attrs):
        """Begin an element; an image is kept under the headings above it."""
        if tag == "img":
            given = dict(attrs)
            svg = base64.b64decode(given["src"].partition("base64,")[2]).decode()
            group = self.images.setdefault(self.texts["h2"][-1], {})
            group[self.texts["h3"][-1]] = (given["alt"], svg)
        elif tag not in ("meta", "wbr"):
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag):
        """End an element, and those within it that need no end."""
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        """Add to the texts of all elements around."""
        for tag in {*self.open}:
            self.texts[tag][-1] += data

    def drawn(self, group: str, title: str) -> list[str]:
        """Return the texts of a picture: matplotlib names each beside its outlines."""
        return [
            html.unescape(text)
            for text in re.findall(r"<!-- (.*?) -->", self.images[group][title][1], re.DOTALL)
        ]


def run(folder: Path, *arguments) -> tuple[Page, dict]:
    """Run a command of practica, and return its page and its record."""
    files = ["--html", folder / "page.html", "--json", folder / "record.json"]
    done = CliRunner().invoke(main, [str(argument) for argument in (*arguments, *files)])
    assert done.exit_code == 0, done.output
    return Page(folder / "page.html"), json.loads(
        (folder / "record.json").read_text(encoding="utf-8")
    )


@pytest.fixture(scope="module")
def table(tmp_path_factory) -> Path:
    """Write every third patient of the breast cancer table, with four of its attributes."""
    path = tmp_path_factory.mktemp("table") / "patients.csv"
    data = load_breast_cancer(as_frame=True)
    frame = data.data.iloc[::3, [0, 1, 4, 6]]
    frame.columns = ["radius", "texture", "smoothness", "concavity"]
    frame.assign(kind=np.where(data.target[::3], "benign", "malignant")).to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def compared(table, tmp_path_factory):
    """Compare a network, kNN, a tree and the majority."""
    folder = tmp_path_factory.mktemp("compared")
    models = ["ann:5,3", "knn:3", "tree:max_depth=2", "svm", "majority"]
    options = [
        "--learning-rate",
        "0.05",
        "--validation-ratio",
        "0.25",
        "--patience",
        "3",
        "--normalize",
        "minmax",
    ]
    given = [part for model in models for part in ("--model", model)]
    save = ["--save-folds", folder / "folds.csv", "--rope", "0.02", "--positive", "malignant"]
    return run(folder, "compare", table, "--target", "kind", *QUICK, *options, *given, *save)


@pytest.fixture(scope="module")
def validated(table, tmp_path_factory):
    """Cross-validate kNN and the majority, with scikit-learn's areas among the metrics."""
    folder = tmp_path_factory.mktemp("validated")
    metrics = ["--metric", "roc_auc", "--metric", "average_precision", "--positive", "malignant"]
    return run(
        folder,
        "cv",
        table,
        "--target",
        "kind",
        *QUICK,
        "--models",
        "knn,svm,tree,majority",
        *metrics,
    )


@pytest.mark.slow
def test_the_methods_box_has_what_a_methods_section_needs(compared):
    """All of it from the record."""
    page, record = compared
    sizes = record["data"]["class_sizes"]
    network = record["models"]["ann:5,3"]["parameters"]
    assert page.methods == {
        "patients.csv": (
            f"190 patterns, 4 attributes, 2 classes: malignant {sizes['malignant']} (positive), "
            f"benign {sizes['benign']}"
        ),
        "Attributes": (
            "normalized to minimum 0 and maximum 1, with figures of the training part of each fold"
            " alone"
        ),
        "Folds": (
            "4 folds, stratified by class, at random, the same for all models; SHA-256"
            f" {record['sha256'][:12]}…"
        ),
        "ann:5,3": (
            "hidden layers of 5 and 3 neurons, sigmoid; cross-entropy, Adam with learning rate"
            " 0.05, at most 7 epochs; early stopping: validation ratio 0.25 of all patterns,"
            " patience 3 epochs"
        ),
        "knn:3": (
            "KNeighborsClassifier(algorithm='auto', metric='minkowski', n_neighbors=3, p=2,"
            " weights='uniform')"
        ),
        "tree:max_depth=2": page.methods["tree:max_depth=2"],
        "svm": page.methods["svm"],
        "majority": "DummyClassifier(strategy='prior')",
        "Executions": (
            "2 per fold: ann:5,3; tree:max_depth=2. One, as deterministic models need: knn:3; svm;"
            " majority."
        ),
        "Seed": "4; execution e of fold f has the same seed in all models",
        "Versions": (
            "practica {practica}, Python {python}, NumPy {numpy}, PyTorch {torch}, scikit-learn "
            "{scikit-learn}".format(**record["versions"])
        ),
    }
    assert "max_depth=2" in page.methods["tree:max_depth=2"]
    assert "C=1.0, " in page.methods["svm"]
    assert "kernel='rbf'" in page.methods["svm"]
    assert [network[name] for name in ("topology", "maxEpochs", "learningRate")] == [
        [5, 3],
        7,
        0.05,
    ]
    assert record["data"]["patterns"] == sum(sizes.values()) == 190


@pytest.mark.slow
def test_repeated_folds_are_named_as_such(compared):
    """The record then has an index vector for each repetition."""
    _, record = compared
    methods = dict(
        methods_of(record | {"crossValidationIndices": [record["crossValidationIndices"]] * 5})
    )
    assert methods["Folds"].startswith(
        "4 folds repeated 5 times, stratified by class, at random, the same for all"
    )


@pytest.mark.thorough
def test_the_areas_in_the_legends_are_those_of_scikit_learn(validated):
    """As the scorers roc_auc and average_precision measure them, fold by fold."""
    page, record = validated
    titles = {"knn": "kNN, k=5", "svm": "SVM, rbf", "tree": "tree, depth 5", "majority": "majority"}
    for picture, short, metric in (
        ("ROC", "AUC", "roc_auc"),
        ("Precision and recall", "AP", "average_precision"),
    ):
        texts = page.drawn("ROC, precision and recall", picture)
        for name, title in titles.items():
            mean, std = (record["models"][name][figure][metric] for figure in ("mean", "std"))
            assert f"{title}, {short} {mean:.3f} ± {std:.3f}" in texts
            assert (
                f"{title}, {short} {mean:.3f} ± {std:.3f}"
                in page.images["ROC, precision and recall"][picture][0]
            )
            assert f"{short} {mean:.3f} ± {std:.3f}" in " ".join(
                page.drawn("Model by model", picture)
            )


@pytest.mark.slow
def test_the_forest_plot_has_the_intervals_of_the_corrected_t_test(compared):
    """Computed here from the scores of the record, as Nadeau and Bengio have it, for all pairs."""
    page, record = compared
    means = {
        name: np.array(model["scores"])[:, :, 0].mean(axis=1)
        for name, model in record["models"].items()
    }
    best = max(means, key=lambda name: means[name].mean())
    pairs = math.comb(len(means), 2)
    texts = page.drawn("Differences in accuracy", f"Against {best}")
    for name in means.keys() - {best}:
        difference = means[name] - means[best]
        error = math.sqrt((1 / 4 + 1 / 3) * difference.var(ddof=1))
        low, high = stats.t.interval(1 - 0.05 / pairs, 3, difference.mean(), error)
        assert f"{difference.mean():+.3f} [{low:+.3f}, {high:+.3f}]".replace("-", "−") in texts
        assert name in texts
    assert "practically equal, within ±0.02" in texts
    assert f"difference from {best} in accuracy" in texts


@pytest.mark.thorough
@pytest.mark.parametrize("reference", [None, "m0"])
def test_no_interval_of_the_page_excludes_0_where_holm_finds_nothing(reference):
    """Of six models that differ by chance and a little more; some intervals exclude 0."""
    excluded = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        results = {
            f"m{number}": ModelScores(
                ("accuracy",),
                rng.normal(1000 + 25 * number, 40, size=(10, 1, 1)),
                np.arange(40) % 10 + 1,
                deterministic=True,
                classes=np.array(["a", "b"]),
            )
            for number in range(6)
        }
        differences = Comparison(results).differences(reference=reference)
        adjusted = {row.model: row.holm for row in differences}
        (picture,) = _of_differences("accuracy", differences, 0.01).pictures
        for name, low, high in re.findall(r"(m\d) \S+ \[(\S+), (\S+)\]", picture.text):
            if low.startswith("+") or high.startswith("−"):
                excluded.append(adjusted[name])
    assert 0 < len(excluded) < 40
    assert max(excluded) < 0.05


@pytest.mark.slow
def test_the_confusion_matrix_has_counts_and_percentages_of_scikit_learn(validated, table):
    """Those of kNN, trained again by scikit-learn on the folds of the record."""
    page, record = validated
    frame = pd.read_csv(table)
    model = make_pipeline(StandardScaler(), KNeighborsClassifier())
    folds = PredefinedSplit(np.array(record["crossValidationIndices"]) - 1)
    predicted = cross_val_predict(model, frame.drop(columns="kind"), frame.kind, cv=folds)
    classes = ["malignant", "benign"]
    counts = confusion_matrix(frame.kind, predicted, labels=classes)
    shares = confusion_matrix(frame.kind, predicted, labels=classes, normalize="true")
    texts = page.drawn("Confusion matrices", "kNN, k=5")
    pairs = zip(counts.ravel(), shares.ravel(), strict=True)
    assert [text for text in texts if text[0].isdigit()] == [
        text
        for count, share in pairs
        for text in ([f"{count}", f"{share:.1%}"] if count else ["0"])
    ]


def test_the_confusion_matrix_of_repeated_folds_has_each_pattern_once(tmp_path):
    """The mean of the repetitions."""
    matrices = np.array(
        [[[[3, 1], [0, 2]]], [[[2, 2], [1, 1]]], [[[4, 0], [0, 2]]], [[[3, 1], [1, 1]]]],
        dtype=float,
    )
    indices, classes = np.array([[1, 2] * 6, [2, 1] * 6]), np.array(["a", "b"])
    scores = np.full((4, 1, 1), 0.7)
    result = ModelScores(("accuracy",), scores, indices, True, classes, matrices=matrices)
    text = page_of(
        Comparison({"knn": result}), ("accuracy",), ["t.csv: 12 patterns"], Contents([], []), [], {}
    )
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    texts = Page(tmp_path / "page.html").drawn("Confusion matrices", "knn")
    assert [text for text in texts if text[0].isdigit()] == [
        "6",
        "75.0%",
        "2",
        "25.0%",
        "1",
        "25.0%",
        "3",
        "75.0%",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("made", ["compared", "validated"])
def test_nothing_is_said_twice(made, request):
    """Neither a note nor what explains pictures.

    A deterministic model is trained once, and that is all.
    """
    page, _ = request.getfixturevalue(made)
    said = [text.strip() for tag in ("li", "p", "dd") for text in page.texts.get(tag, [])]
    assert len(said) == len({*said})
    assert "±0," not in page.text
    assert "0% of the std" not in page.text
    assert len([text for text in said if "trained once" in text]) <= 1


@pytest.mark.slow
def test_every_group_of_pictures_has_its_models(compared):
    """In the order in which they were given."""
    page, record = compared
    models = list(record["models"])
    assert list(page.images) == [
        "Differences in accuracy",
        "Fold by fold",
        "ROC, precision and recall",
        "Model by model",
        "Confusion matrices",
        "Learning curves",
    ]
    assert list(page.images["Confusion matrices"]) == models
    assert list(page.images["Learning curves"]) == ["ann:5,3"]
    (panels,) = [[text for text in page.drawn("Model by model", "ROC") if text in models]]
    assert panels == models


@pytest.mark.parametrize(
    ("options", "term", "text"),
    one_in(
        4,
        [
            (["--normalize", "none"], "Attributes", "not normalized"),
            (
                ["--repeats", "2"],
                "Folds",
                "3 folds repeated 2 times, stratified by class, at random",
            ),
            (
                ["--groups", "ward"],
                "Folds",
                "3 folds, of whole groups, the classes spread over them, the same",
            ),
            (
                ["--time", "day"],
                "Folds",
                "in the order of time, the same for all models; each tested with",
            ),
            (
                ["--impute"],
                "Attributes",
                "missing values filled with the median or the most frequent category",
            ),
            (["--validation-ratio", "0"], "network 8", "at most 7 epochs; no validation set"),
            (["--topology", ""], "linear network", "no hidden layer; cross-entropy, Adam"),
        ],
    ),
)
def test_the_methods_box_says_how_the_folds_and_the_attributes_came_about(
    tmp_path, options, term, text
):
    """Whole groups, time, holes, or none of it."""
    rows = [f"{i % 11},{i},{i % 6},{['daisy', 'rose'][i % 2]}" for i in range(36)]
    if "--impute" in options:
        rows[5] = rows[5][1:]
    ignored = [
        part for name in ("day", "ward") if name not in options for part in ("--ignore", name)
    ]
    (tmp_path / "t.csv").write_text("\n".join(["height,day,ward,kind", *rows, ""]))
    quick = [
        "--folds",
        "3",
        "--executions",
        "1",
        "--epochs",
        "7",
        "--seed",
        "1",
        "--models",
        "ann,knn",
    ]
    page, _ = run(
        tmp_path, "cv", tmp_path / "t.csv", "--target", "kind", *quick, *ignored, *options
    )
    assert text in page.methods[term]


@pytest.mark.slow
def test_a_page_of_quantities_has_a_forest_plot_and_methods(tmp_path):
    """Neither classes nor curves; the network's loss is the squared error."""
    rows = [f"{i % 7},{i * i % 13},{i % 7 + 0.5 * (i * i % 13) + i % 3}" for i in range(40)]
    (tmp_path / "t.csv").write_text("\n".join(["a,b,y", *rows, ""]))
    models = [
        "--model",
        "annr:4",
        "--model",
        "linear",
        "--model",
        "mean",
        "--save-folds",
        tmp_path / "folds.csv",
    ]
    page, record = run(tmp_path, "compare", tmp_path / "t.csv", "--target", "y", *QUICK, *models)
    assert list(page.images) == ["Differences in r2", "Fold by fold"]
    assert page.methods["t.csv"] == "40 patterns, 2 attributes, a quantity"
    assert page.methods["annr:4"].startswith(
        "one hidden layer of 4 neurons, sigmoid; linear output and squared error, Adam"
    )
    assert page.methods["Folds"].startswith("4 folds, at random, the same for all models")
    assert record["data"]["class_sizes"] == {}


@pytest.mark.slow
def test_folds_of_a_file_and_models_of_ones_own_are_named(table, tmp_path, monkeypatch):
    """What the record knows of them: the file, and that the models prepare the columns
    themselves.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "my_models.py").write_text(
        "from sklearn.pipeline import make_pipeline\nfrom sklearn.preprocessing import"
        " StandardScaler\nfrom sklearn.svm import SVC\ndef svm():\n    return"
        " make_pipeline(StandardScaler(), SVC(C=3))\n"
    )
    kept = ["compare", table, "--target", "kind", "--executions", "1", "--seed", "1"]
    run(tmp_path, *kept, "--model", "knn:3", "--folds", "3", "--save-folds", "mine.csv")
    models = ["--model", "knn:3", "--model", "ours=my_models:svm"]
    page, record = run(tmp_path, *kept, *models, "--folds-file", "mine.csv")
    assert page.methods["Folds"].startswith("3 folds, those of mine.csv, the same for all models")
    assert page.methods["Attributes"].endswith("each fold alone; as they are for ours")
    assert page.methods["ours"] == record["models"]["ours"]["model"]
    assert "SVC(C=3)" in page.methods["ours"]


@pytest.mark.slow
def test_a_page_of_many_tables_has_their_methods_too(table, tmp_path):
    """A line for each table; the models, seeds and versions are those of all."""
    models = ["--model", "ann:3", "--model", "knn:3", "--model", "majority"]
    page, record = run(
        tmp_path, "compare", "--data", "iris", "--data", f"{table}:kind", *QUICK, *models
    )
    assert (
        page.methods["Iris"]
        == "150 patterns, 4 attributes, 3 classes: setosa 50, versicolor 50, virginica 50"
    )
    assert page.methods["patients.csv"].startswith("190 patterns, 4 attributes")
    assert (
        page.methods["Executions"]
        == "2 per fold: ann:3. One, as deterministic models need: knn:3; majority."
    )
    assert page.methods["Folds"].endswith("the same for all models; each table has its own")
    for each in record["tables"].values():
        assert f"Python {each['versions']['python']}" in page.methods["Versions"]
