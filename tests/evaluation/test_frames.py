"""Tables and labels as people have them: the same everywhere, or refused with a line that mends
them.
"""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.neighbors import KNeighborsClassifier

from practica import (
    ANNClassifier,
    ann_cross_validation,
    confusion_matrix,
    crossvalidation,
    model_cross_validation,
    normalize_zero_mean,
    one_hot_encoding,
    train_class_ann,
)
from practica.evaluation import bootstrap_errors, compare, cross_validate_executions

RNG = np.random.default_rng(1)
BASE = pd.DataFrame(
    {
        "x": RNG.normal(size=24),
        "town": RNG.choice(["Lugo", "Vigo"], 24),
        "n": RNG.integers(0, 5, 24),
    }
)
Y = np.where(BASE.x + RNG.normal(size=24) > 0, "p", "q")
FOLDS = crossvalidation(Y, 3, random_state=1)
NUMBERS = pd.get_dummies(BASE).to_numpy(np.float64)


def frame(kind):
    """Return bool columns beside floats, as a library has them."""
    dummies = pd.get_dummies(BASE)
    if kind in ("polars", "pyarrow.Table", "arrow"):
        pytest.importorskip("pyarrow", reason="an optional library that this environment has not")
    if kind == "polars":
        return pytest.importorskip(
            "polars", reason="an optional library that this environment has not"
        ).from_pandas(dummies)
    if kind == "pyarrow.Table":
        import pyarrow

        return pyarrow.Table.from_pandas(dummies)
    return {
        "get_dummies": lambda: dummies,
        "nullable": dummies.convert_dtypes,
        "arrow": lambda: dummies.convert_dtypes(dtype_backend="pyarrow"),
    }[kind]()


USES_OF_INPUTS = {
    "normalize": normalize_zero_mean,
    "train": lambda X: (
        train_class_ann([2], (X, Y == "p"), maxEpochs=2, random_state=1).trainingLosses
    ),
    "ann": lambda X: (
        ann_cross_validation([2], X, Y, FOLDS, numExecutions=1, maxEpochs=2, random_state=1).scores
    ),
    "knn": lambda X: (
        model_cross_validation("KNeighborsClassifier", {"n_neighbors": 1}, X, Y, FOLDS).scores
    ),
    "fit": lambda X: ANNClassifier([2], maxEpochs=2, random_state=1).fit(X, Y).predict_proba(X),
    "compare": (
        lambda X: compare(["knn:1", "ann:2,maxEpochs=2"], X, Y, FOLDS, 1, random_state=1).of(
            "accuracy"
        )["knn:1"]
    ),
    "minmax": (
        lambda X: compare(["knn:1"], X, Y, FOLDS, normalization="minmax").of("accuracy")["knn:1"]
    ),
    "bootstrap": lambda X: [
        bootstrap_errors(KNeighborsClassifier(), X, Y, n_resamples=2, random_state=1).out_of_bag
    ],
}


@pytest.mark.filterwarnings(
    "ignore:X does not have valid feature names", "ignore:X has feature names"
)
@pytest.mark.parametrize("use", USES_OF_INPUTS)
@pytest.mark.parametrize("kind", ["get_dummies", "nullable", "arrow", "polars", "pyarrow.Table"])
def test_a_frame_is_the_matrix_of_its_numbers(kind, use):
    """Wherever attributes are taken."""
    call = USES_OF_INPUTS[use]
    ours, theirs = (call(X) for X in (frame(kind), NUMBERS))
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (
            BASE,
            (
                r"column 'town' has text \('\w+' in row 0\); pandas.get_dummies\(...\) makes"
                r" columns of it"
            ),
        ),
        (
            BASE[["x", "n"]]
            .astype({"n": "Int64"})
            .assign(m=pd.array([True, None] * 12, dtype="boolean")),
            r"column 'm', row 1 is missing \(<NA>\); fill it, as sklearn.impute.SimpleImputer does",
        ),
    ],
)
def test_a_frame_that_has_no_numbers_is_refused_with_the_line_that_mends_it(table, sentence):
    """With the name of the column."""
    for use in ("normalize", "train", "ann", "knn", "minmax"):
        with pytest.raises((TypeError, ValueError), match=sentence):
            USES_OF_INPUTS[use](table)


X = BASE[["x", "n"]].to_numpy(np.float64)
USES_OF_LABELS = {
    "one_hot": one_hot_encoding,
    "folds": lambda y: crossvalidation(y, 3, random_state=1),
    "matrix": lambda y: confusion_matrix(y, y).matrix,
    "ann": lambda y: (
        ann_cross_validation([2], X, y, FOLDS, numExecutions=1, maxEpochs=2, random_state=1).scores
    ),
    "knn": lambda y: (
        model_cross_validation("KNeighborsClassifier", {"n_neighbors": 1}, X, y, FOLDS).scores
    ),
    "fit": lambda y: ANNClassifier([2], maxEpochs=2, random_state=1).fit(X, y).predict_proba(X),
    "compare knn": lambda y: compare(["knn:1"], X, y, FOLDS).of()["knn:1"],
    "compare ann": (
        lambda y: compare(["ann:2,maxEpochs=2"], X, y, FOLDS, 1, random_state=1).of()[
            "ann:2,maxEpochs=2"
        ]
    ),
}
MISSING = {
    "nan": [*Y[:-1], float("nan")],
    "NaN of an array": np.array([*range(2)] * 11 + [0, np.nan]),
    "NaT": [*Y[:-1], pd.NaT],
    "NaT of an array": np.array(["2020-01-01"] * 12 + ["2021-01-01"] * 11 + ["NaT"], dtype="M8[D]"),
    "NA": [*Y[:-1], pd.NA],
    "Int64": pd.Series([1] * 12 + [0] * 11 + [pd.NA], dtype="Int64"),
    "category": pd.Series([*Y[:-1], None], dtype="category"),
    "masked": np.ma.masked_array((Y == "p") * 1, mask=[0] * 23 + [1]),
    "masked text": np.ma.masked_array(Y, mask=[0] * 23 + [1]),
}


@pytest.mark.parametrize("use", USES_OF_LABELS)
@pytest.mark.parametrize("kind", MISSING)
def test_a_missing_label_is_refused_everywhere(kind, use):
    """It names what is missing, and is no class called nan."""
    with pytest.raises(ValueError, match=r"NaN|NaT|<NA>|masked"):
        USES_OF_LABELS[use](MISSING[kind])


@pytest.mark.parametrize("use", USES_OF_LABELS)
def test_a_null_of_polars_or_arrow_is_a_missing_label(use):
    """It would become None, which is a label."""
    polars = pytest.importorskip(
        "polars", reason="an optional library that this environment has not"
    )
    with pytest.raises(ValueError, match=r"a missing value|NaN"):
        USES_OF_LABELS[use](polars.Series([*Y[:-1].tolist(), None]))


EQUAL = {
    "zeros": (np.array([0.0, -0.0, 1.0] * 8), np.array([0.0, 0.0, 1.0] * 8)),
    "True and 1": ([True, 1, 0] * 8, [1, 1, 0] * 8),
    "unmasked": (np.ma.masked_array([1, 1, 0] * 8), np.array([1, 1, 0] * 8)),
}


@pytest.mark.filterwarnings("ignore:k=3")
@pytest.mark.parametrize("use", USES_OF_LABELS)
@pytest.mark.parametrize("kind", EQUAL)
def test_equal_labels_are_one_class_everywhere(kind, use):
    """Also where scikit-learn compares them as text, or takes no labels of two types."""
    ours, theirs = (USES_OF_LABELS[use](labels) for labels in EQUAL[kind])
    np.testing.assert_array_equal(ours, theirs)


def test_labels_of_several_types_have_a_line_that_mends_them():
    """scikit-learn knows no such classes; the network does."""
    labels = [True, "b"] * 12
    assert USES_OF_LABELS["compare ann"](labels).shape == (3, 1)
    with pytest.raises(
        ValueError, match=r"several types; give them as text, \[str\(label\) for label in y\]"
    ):
        USES_OF_LABELS["compare knn"](labels)


@pytest.mark.parametrize(
    ("targets", "example"),
    [(["a", "b", "a"], "'a'"), ([0, 1, 1], "0"), (np.array([0.0, 1.0, 1.0]), "0.0")],
)
def test_probabilities_are_no_labels_of_two_classes(targets, example):
    """They would make a class of each number, without a hit; beside bools they are outputs."""
    outputs = [0.1, 0.9, 0.2]
    with pytest.raises(
        ValueError,
        match=f"between 0 and 1, such as 0.1, .*, as in targets == {re.escape(example)}$",
    ):
        confusion_matrix(outputs, targets)
    with pytest.raises(ValueError, match=r"^targets has numbers between 0 and 1"):
        confusion_matrix(targets, outputs)
    assert confusion_matrix(outputs, [False, True, True]).accuracy == 2 / 3


@pytest.mark.parametrize(
    ("outputs", "targets"), [([0.5, 1.0], [1.0, 0.5]), ([0.5, 2.0], [1.0, 2.0]), ([0, 1], [1, 1])]
)
def test_numbers_that_are_labels_stay_labels(outputs, targets):
    """On both sides, or outside 0 to 1, or whole."""
    assert confusion_matrix(outputs, targets).matrix.sum() == 2


@pytest.mark.parametrize("model", ["ann", "SVC", "DecisionTreeClassifier"])
@pytest.mark.parametrize("forward", [False, True])
def test_a_training_part_with_one_class_is_refused_everywhere(model, forward):
    """With the fold and the class."""
    inputs, labels = np.arange(8.0).reshape(-1, 1), ["b"] * 4 + ["a"] * 4
    folds = [1, 1, 1, 1, 2, 2, 2, 2]
    sentence = (
        f"fold {2 if forward else 1}: its training part has one class, {'b' if forward else 'a'!r}"
    )
    text = {"ann": "ann:1", "SVC": "svm", "DecisionTreeClassifier": "tree"}[model]
    with pytest.raises(ValueError, match=sentence):
        compare([text], inputs, labels, folds, 1, forward=forward)
    if forward:
        return
    options = {"ann": {"topology": [1]}, "SVC": {"kernel": "linear", "C": 1}}.get(
        model, {"max_depth": 2}
    )
    with pytest.raises(ValueError, match=sentence):
        model_cross_validation("ANN" if model == "ann" else model, options, inputs, labels, folds)
    with pytest.raises(ValueError, match=sentence):
        cross_validate_executions(KNeighborsClassifier(1), inputs, labels, folds)
