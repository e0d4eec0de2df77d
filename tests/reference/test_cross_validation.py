"""Cross-validation: it equals the loop that the statement describes, and no fold sees its own test
patterns.
"""

import copy
import itertools
import math
import pickle
import statistics
from types import MappingProxyType

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as theirs
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from strategies import global_seed

from practica import (
    ann_cross_validation,
    confusion_matrix,
    crossvalidation,
    hold_out,
    model_cross_validation,
    one_hot_encoding,
    train_class_ann,
)
from practica.reference.cross_validation import CrossValidation, mean_and_std, validation_fraction
from practica.reference.randomness import SeedTree

NAMES = ["accuracy", "errorRate", "recall", "specificity", "PPV", "NPV", "F1"]
SEED = 11
FEW = {"numExecutions": 3, "maxEpochs": 12, "learningRate": 0.2, "random_state": SEED}


def problem(
    C: int, *, N: int = 26, L: int = 3, k: int = 3
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Make patterns that no rule separates, so that every network scores differently, with labels
    and folds.
    """
    generator = np.random.default_rng(C)
    labels = np.array(["b", "a", "d", "c"])[generator.permutation(np.arange(N) % C)]
    inputs = generator.normal(size=(N, L)) * [1, 2, 4][:L] + (labels == "a")[:, None]
    return inputs, labels, crossvalidation(labels, k, random_state=1)


TWO, THREE = problem(2), problem(3)


def loop(
    inputs,
    labels,
    folds,
    *,
    numExecutions,
    random_state,
    validationRatio=0,
    scaler=None,
    topology=(3,),
    **options,
):
    """Score each network of the loop in the statement, trained one by one.

    Shape (folds, executions, 7).

    NaN are the scores of a network for which rounding could tip a pattern from one class to
    another.
    """
    classes = list(dict.fromkeys(labels.tolist()))
    encoded, seeds, k = one_hot_encoding(labels, classes), SeedTree(random_state), folds.max()
    scores = np.empty((k, numExecutions, 7))
    for fold, execution in itertools.product(range(1, k + 1), range(numExecutions)):
        training, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        parameters = None if scaler is None else scaler().fit(inputs[training])
        normalized = inputs if scaler is None else parameters.transform(inputs)
        generator = seeds.generator(fold, execution)
        validation = training[:0]
        if validationRatio > 0:
            kept, held = hold_out(
                len(training), validationRatio * len(folds) / len(training), random_state=generator
            )
            training, validation = training[kept], training[held]
        trained = train_class_ann(
            list(topology),
            (normalized[training], encoded[training]),
            validationDataset=(normalized[validation], encoded[validation]),
            random_state=generator,
            **options,
        )
        with torch.no_grad():
            outputs = trained.ann(torch.from_numpy(normalized[test].astype(np.float32))).numpy()
        scores[fold - 1, execution] = (
            confusion_matrix(outputs, encoded[test]) if margin(outputs) > 1e-4 else np.nan
        )
    return scores


def margin(outputs: np.ndarray) -> float:
    """Return how near the closest pattern is to being classified differently."""
    if outputs.shape[1] == 1:
        return np.abs(outputs - 0.5).min()
    second, first = np.sort(outputs, axis=1)[:, -2:].T
    return (first - second).min()


def assert_same_scores(scores: np.ndarray, of_loop: np.ndarray) -> None:
    """Check every network that rounding leaves alone, which are most of them, and not all of one
    score.
    """
    decided = ~np.isnan(of_loop)
    assert decided.mean() > 0.8
    assert np.ptp(of_loop[decided[:, :, 0]], axis=0).any()
    np.testing.assert_allclose(scores[decided], of_loop[decided], rtol=0, atol=1e-12)


# --- the summary ----------------------------------------------------------------------------------


@given(values=st.lists(st.floats(0, 1), min_size=2, max_size=10))
def test_the_deviation_is_that_of_a_sample(values):
    """It divides by n − 1, as Python's own `statistics.stdev`."""
    mean, std = mean_and_std(values)
    assert mean == pytest.approx(statistics.fmean(values), abs=1e-12)
    assert std == pytest.approx(statistics.stdev(values), abs=1e-9)


def test_one_value_has_no_deviation():
    """NaN, not 0, and without a warning."""
    mean, std = mean_and_std([0.75])
    assert mean == 0.75
    assert math.isnan(std)


@pytest.mark.parametrize("validationRatio", [0.0, 0.2])
@pytest.mark.parametrize("data", [TWO, THREE], ids=["two classes", "three classes"])
def test_the_result_summarizes_the_means_of_the_folds(data, validationRatio):
    """Executions are averaged within a fold; mean and deviation are over the folds."""
    result = ann_cross_validation([3], *data, validationRatio=validationRatio, **FEW)
    assert result._fields == tuple(NAMES)
    assert result.scores.shape == (3, 3, 7)
    for number, pair in enumerate(result):
        of_folds = [statistics.fmean(result.scores[fold, :, number]) for fold in range(3)]
        expected = statistics.fmean(of_folds), statistics.stdev(of_folds)
        assert (pair.mean, pair.std) == pytest.approx(expected, abs=1e-12)
    assert result.errorRate.mean == pytest.approx(1 - result.accuracy.mean)
    assert result.errorRate.std == pytest.approx(result.accuracy.std)
    assert np.ptp(result.scores[:, :, 0], axis=1).any()


def test_the_result_travels_whole():
    """To other processes and into files: scores, folds and classes with it."""
    result = model_cross_validation("KNeighborsClassifier", {"n_neighbors": 3}, *THREE)
    for twin in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert twin == result
        assert twin.classes == result.classes == tuple(dict.fromkeys(THREE[1].tolist()))
        np.testing.assert_array_equal(twin.scores, result.scores)
        np.testing.assert_array_equal(twin.crossValidationIndices, THREE[2])


def test_three_folds_of_hand_worked_scores():
    """Two executions each: 0.5, 0.75 and 1.0 on average."""
    scores = np.repeat(np.array([[0.4, 0.6], [0.7, 0.8], [1.0, 1.0]])[:, :, None], 7, axis=2)
    assert (
        pytest.approx((0.75, 0.25))
        == CrossValidation.of(scores, np.array([1, 2, 3]), ["a", "b"]).F1
    )


# --- networks: the loop ---------------------------------------------------------------------------


class SampleScaler(StandardScaler):
    """StandardScaler with the deviation of a sample."""

    def transform(self, X):
        """Divide by the deviation that divides by N − 1."""
        return super().transform(X) * np.sqrt(1 - 1 / self.n_samples_seen_)


NORMALIZATIONS = ("minmax", MinMaxScaler), ("zeromean", SampleScaler), (None, None)


@pytest.mark.slow
@pytest.mark.parametrize(
    "data", [TWO, THREE, problem(4, k=2)], ids=["two classes", "three classes", "two folds"]
)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"validationRatio": 0.25, "maxEpochsVal": 2, "maxEpochs": 30},
        {"transferFunctions": ["tanh"], "minLoss": 0.55},
        {"transferFunctions": [lambda x: x * torch.sigmoid(x)]},
        {"transferFunctions": [torch.nn.PReLU()], "validationRatio": 0.2},
    ],
    ids=["plain", "early stopping", "named function", "own function", "module"],
)
def test_it_equals_the_loop_of_the_statement(data, options):
    """The same scores of each network, normalized or not.

    Each one with the seed of its fold and execution.
    """
    options = {**FEW, "numExecutions": 2, **options}
    for normalization, scaler in NORMALIZATIONS if data is TWO else NORMALIZATIONS[:1]:
        result = ann_cross_validation([3], *data, normalization=normalization, **options)
        assert_same_scores(result.scores, loop(*data, scaler=scaler, **options))


@pytest.mark.parametrize(("topology", "functions"), [([], []), ([4, 2], ["relu", "tanh"])])
def test_any_topology_equals_the_loop(topology, functions):
    """No hidden layer, or several, each with its function."""
    options = {**FEW, "transferFunctions": functions, "validationRatio": 0.2}
    result = ann_cross_validation(topology, *THREE, **options)
    assert_same_scores(result.scores, loop(*THREE, topology=topology, **options))


@pytest.mark.parametrize(
    ("N", "N_train", "validationRatio", "expected"),
    [(150, 135, 0.2, 30), (100, 90, 0.1, 10), (10, 8, 0.25, 2), (20, 18, 0.0, 0), (10, 5, 0.4, 4)],
)
def test_the_validation_set_is_a_fraction_of_all_patterns(N, N_train, validationRatio, expected):
    """Although it is taken out of the training part of a fold."""
    fraction = validation_fraction(validationRatio, N=N, N_train=N_train, fold=1)
    assert len(hold_out(N_train, fraction)[1]) == expected


@given(N_train=st.integers(2, 200), N_test=st.integers(1, 100), part=st.floats(0, 0.99))
def test_the_validation_set_has_its_size_to_within_half_a_pattern(N_train, N_test, part):
    """And leaves something to train with, or is refused."""
    N = N_train + N_test
    validationRatio = part * N_train / N
    try:
        fraction = validation_fraction(validationRatio, N=N, N_train=N_train, fold=1)
    except ValueError:
        assert N_train * (1 - part) < 0.51
    else:
        training, validation = hold_out(N_train, fraction)
        assert abs(len(validation) - validationRatio * N) <= 0.5 + 1e-9
        assert len(training) > 0


# --- networks: what a fold must not depend on -----------------------------------------------------


def test_a_network_is_the_same_whatever_their_number_is():
    """Execution 2 of fold 3 with three executions or with five."""
    few = ann_cross_validation([3], *THREE, validationRatio=0.2, **FEW)
    more = ann_cross_validation([3], *THREE, validationRatio=0.2, **{**FEW, "numExecutions": 5})
    np.testing.assert_array_equal(more.scores[:, :3], few.scores)


def test_random_state_repeats_a_cross_validation():
    """An int, or numpy's seed once at the top of a program."""
    options = {**FEW, "numExecutions": 2, "validationRatio": 0.2}
    one, again, other = (
        ann_cross_validation([3], *TWO, **{**options, "random_state": seed}) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one.scores, again.scores)
    assert not np.array_equal(one.scores, other.scores)
    with global_seed(1):
        first, second = (
            ann_cross_validation([3], *TWO, **{**options, "random_state": None}) for _ in range(2)
        )
    with global_seed(1):
        np.testing.assert_array_equal(
            ann_cross_validation([3], *TWO, **{**options, "random_state": None}).scores,
            first.scores,
        )
    assert not np.array_equal(first.scores, second.scores)


@pytest.mark.parametrize("validationRatio", [0, 0.2])
def test_the_targets_of_the_test_fold_are_not_seen_in_training(validationRatio):
    """Exchanged in fold 3 only, its networks predict what they did: accuracy a becomes 1 − a."""
    inputs, labels, folds = TWO
    exchanged = np.where(folds == 3, np.where(labels == "a", "b", "a"), labels)
    assert dict.fromkeys(labels.tolist()) == dict.fromkeys(exchanged.tolist())
    before, after = (
        ann_cross_validation([3], inputs, targets, folds, validationRatio=validationRatio, **FEW)
        for targets in (labels, exchanged)
    )
    np.testing.assert_allclose(after.scores[2, :, 0], 1 - before.scores[2, :, 0], atol=1e-12)


@pytest.mark.parametrize("normalization", ["minmax", "zeromean", None])
def test_the_inputs_of_the_test_fold_are_not_seen_in_training(normalization):
    """One of its patterns becomes enormous: what its networks say of the others cannot change."""
    inputs, labels, folds = THREE
    moved = inputs.copy()
    outlier = np.flatnonzero(folds == 1)[0]
    moved[outlier] = 1e6
    before, after = (
        ann_cross_validation([3], matrix, labels, folds, normalization=normalization, **FEW)
        for matrix in (inputs, moved)
    )
    hits = (folds == 1).sum() * (before.scores[0, :, 0] - after.scores[0, :, 0])
    assert np.abs(hits).max() <= 1 + 1e-9
    # there it belongs to the training
    assert not np.array_equal(before.scores[1:], after.scores[1:])


def test_a_larger_test_fold_does_not_change_the_networks_that_it_tests():
    """With every pattern of the fold twice, all the rates are the same, normalized by mean and
    deviation too.
    """
    inputs, labels, folds = THREE
    positions = np.concatenate([np.arange(len(folds)), np.flatnonzero(folds == 2)])
    for normalization in (None, "zeromean", "minmax"):
        before = ann_cross_validation(
            [3], inputs, labels, folds, normalization=normalization, **FEW
        )
        after = ann_cross_validation(
            [3],
            inputs[positions],
            labels[positions],
            folds[positions],
            normalization=normalization,
            **FEW,
        )
        np.testing.assert_allclose(after.scores[1], before.scores[1], atol=1e-12)


# --- networks: classes, data, progress ------------------------------------------------------------


@pytest.mark.parametrize("first", [True, False])
def test_of_two_classes_the_first_target_is_positive(first):
    """Also of bools, where it may be False: they are labels like any other."""
    inputs, labels, folds = TWO
    positive = labels[0]
    bools = (labels == positive) == first
    assert bools[0] == first
    of_bools, of_text = (
        ann_cross_validation([3], inputs, targets, folds, **FEW) for targets in (bools, labels)
    )
    np.testing.assert_array_equal(of_bools.scores, of_text.scores)
    assert of_bools.classes == (first, not first)
    assert of_text.classes == (positive, {"a": "b", "b": "a"}[positive])


def test_what_the_classes_are_called_does_not_matter():
    """Numbers, objects or a mixture: the same scores."""
    inputs, labels, folds = THREE
    expected = ann_cross_validation([3], inputs, labels, folds, **FEW)
    for names in (
        {"b": 3, "a": 1, "d": 2},
        {"b": None, "a": "a", "d": 0.5},
        {"b": "z", "a": "y", "d": "x"},
    ):
        targets = [names[label] for label in labels.tolist()]
        result = ann_cross_validation([3], inputs, targets, folds, **FEW)
        np.testing.assert_array_equal(result.scores, expected.scores)
        assert result.classes == tuple(dict.fromkeys(targets))


@pytest.mark.parametrize(
    ("model", "total"),
    [(("ANN", {"topology": [], "numExecutions": 4, "maxEpochs": 2}), 12), (("SVC", None), 3)],
)
def test_progress_grows_up_to_the_number_of_networks(model, total):
    """It is told (trained, in all), never the same twice."""
    kind, hyperparameters = model
    calls = []
    model_cross_validation(
        kind,
        hyperparameters or {"kernel": "linear", "C": 1},
        *THREE,
        progress=lambda *call: calls.append(call),
    )
    trained = [done for done, _ in calls]
    assert trained == sorted(set(trained))
    assert calls[-1] == (total, total)
    assert {of for _, of in calls} == {total}


# --- models of scikit-learn -----------------------------------------------------------------------

MODELS = [
    ("SVC", {"kernel": "linear", "C": 0.5}, SVC(kernel="linear", C=0.5)),
    ("SVC", {"kernel": "rbf", "C": 2, "gamma": 0.1}, SVC(kernel="rbf", C=2, gamma=0.1)),
    (
        "SVC",
        {"kernel": "sigmoid", "C": 1, "gamma": 0.2, "coef0": 0.5},
        SVC(kernel="sigmoid", gamma=0.2, coef0=0.5),
    ),
    (
        "SVC",
        {"kernel": "poly", "C": 1, "degree": 2, "gamma": 0.1, "coef0": 1},
        SVC(kernel="poly", degree=2, gamma=0.1, coef0=1),
    ),
    (
        "DecisionTreeClassifier",
        {"max_depth": 3},
        DecisionTreeClassifier(max_depth=3, random_state=1),
    ),
    ("DecisionTreeClassifier", {"max_depth": None}, DecisionTreeClassifier(random_state=1)),
    ("KNeighborsClassifier", {"n_neighbors": 3}, KNeighborsClassifier(n_neighbors=3)),
]

EACH_MODEL = pytest.mark.parametrize(
    ("modelType", "hyperparameters", "model"),
    MODELS,
    ids=lambda value: value if isinstance(value, str) else "",
)


def scores_by_scikit_learn(model, inputs, labels, folds, scaler=None) -> list[list[float]]:
    """Train and score a model in each fold with nothing of this package: accuracy, recall, PPV and
    F1.
    """
    classes, scores = list(dict.fromkeys(labels.tolist())), []
    for fold in range(1, folds.max() + 1):
        training, test = folds != fold, folds == fold
        normalized = inputs if scaler is None else scaler().fit(inputs[training]).transform(inputs)
        predicted = model.fit(normalized[training], labels[training]).predict(normalized[test])
        one = {"labels": [classes[0]], "average": "macro"}
        every = {"labels": classes, "average": "weighted"}
        PPV, recall, F1, _ = theirs.precision_recall_fscore_support(
            labels[test], predicted, zero_division=1, **(one if len(classes) == 2 else every)
        )
        scores.append([theirs.accuracy_score(labels[test], predicted), recall, PPV, F1])
    return scores


@pytest.mark.slow
@EACH_MODEL
@pytest.mark.parametrize(
    "data", [TWO, THREE, problem(4)], ids=["two classes", "three classes", "four classes"]
)
@pytest.mark.parametrize(("normalization", "scaler"), [(None, None), ("zeromean", SampleScaler)])
def test_a_model_of_scikit_learn_scores_as_in_its_own_loop(
    modelType, hyperparameters, model, data, normalization, scaler
):
    """Accuracy, recall, PPV and F1 of each fold.

    One execution, since a second would be the same.
    """
    inputs, labels, folds = data
    result = model_cross_validation(
        modelType, hyperparameters, inputs, labels, folds, normalization=normalization
    )
    assert result.scores.shape == (3, 1, 7)
    expected = scores_by_scikit_learn(model, inputs, labels, folds, scaler)
    np.testing.assert_allclose(result.scores[:, 0, [0, 2, 4, 6]], expected, rtol=0, atol=1e-12)
    means = np.mean(expected, axis=0)
    deviations = np.std(expected, axis=0, ddof=1)
    ours = np.array([result.accuracy, result.recall, result.PPV, result.F1])
    np.testing.assert_allclose(ours, np.column_stack([means, deviations]), rtol=0, atol=1e-12)


def test_the_models_are_told_apart():
    """Each hyperparameter reaches its model: all of them score differently."""
    results = [
        model_cross_validation(kind, options, *problem(4, N=60)) for kind, options, _ in MODELS
    ]
    assert len({result.scores.tobytes() for result in results}) == len(MODELS)


@EACH_MODEL
def test_the_hyperparameters_are_left_as_they_are(modelType, hyperparameters, model):
    """Not even a mapping that refuses to be written is a problem."""
    given = dict(hyperparameters)
    model_cross_validation(modelType, given, *TWO)
    assert given == hyperparameters
    model_cross_validation(modelType, MappingProxyType(given), *TWO)


def test_the_hyperparameters_of_a_network_are_left_as_they_are():
    """Neither is the list inside."""
    given = {"topology": [3], "numExecutions": 1, "maxEpochs": 1, "transferFunctions": ["tanh"]}
    before = copy.deepcopy(given)
    model_cross_validation("ANN", given, *TWO)
    assert given == before


def test_networks_are_those_of_ann_cross_validation():
    """With every option of the statement."""
    options = {
        "numExecutions": 2,
        "transferFunctions": ["tanh"],
        "maxEpochs": 9,
        "minLoss": 0.1,
        "learningRate": 0.3,
        "validationRatio": 0.2,
        "maxEpochsVal": 2,
    }
    expected = ann_cross_validation([3], *THREE, normalization="minmax", random_state=1, **options)
    given = {"topology": [3], **options}
    result = model_cross_validation("ANN", given, *THREE, normalization="minmax", random_state=1)
    np.testing.assert_array_equal(result.scores, expected.scores)


def test_a_fold_without_a_class_is_scored_with_all_of_them():
    """Fold 1 has two of three classes, and fold 2 their order exchanged: still three, and still in
    one order.
    """
    inputs = np.array([[0.0], [1.0], [2.0], [0.1], [1.1], [2.1], [0.9], [0.2]])
    labels = np.array(["a", "b", "c", "a", "b", "c", "b", "a"])
    folds = np.array([1, 1, 2, 2, 2, 2, 2, 1])
    result = model_cross_validation(
        "KNeighborsClassifier", {"n_neighbors": 1}, inputs, labels, folds
    )
    expected = scores_by_scikit_learn(KNeighborsClassifier(n_neighbors=1), inputs, labels, folds)
    np.testing.assert_allclose(result.scores[:, 0, [0, 2, 4, 6]], expected, rtol=0, atol=1e-12)
    assert result.classes == ("a", "b", "c")


def test_the_positive_class_is_the_same_in_every_fold():
    """It is "b", the first of all, also in fold 1, whose first pattern is an "a".

    position   0 1 2 3   4 5 6 7
    label      b a a a   a b a b
    fold       2 2 2 2   1 1 1 1
    predicted  a a a a   a a a a     each as its nearest in the other fold: position 4, position 3
    """
    labels, folds = list("baaaabab"), [2, 2, 2, 2, 1, 1, 1, 1]
    result = model_cross_validation(
        "KNeighborsClassifier", {"n_neighbors": 1}, np.arange(8)[:, None], labels, folds
    )
    assert result.scores[:, 0].tolist() == [
        [0.5, 0.5, 0, 1, 1, 0.5, 0],
        [0.75, 0.25, 0, 1, 1, 0.75, 0],
    ]


def test_labels_are_text_for_the_models_of_scikit_learn():
    """Mixed types train, and 1 and "1" are one class."""
    inputs, labels, folds = THREE
    expected = model_cross_validation(
        "DecisionTreeClassifier", {"max_depth": 3}, inputs, labels, folds
    )
    names = {"b": 1, "a": None, "d": "x"}
    targets = [names[label] for label in labels.tolist()]
    targets[next(i for i, target in enumerate(targets[1:], 1) if target == 1)] = "1"
    result = model_cross_validation(
        "DecisionTreeClassifier", {"max_depth": 3}, inputs, targets, folds
    )
    assert set(result.classes) == {"1", "None", "x"}
    assert result.scores.shape == expected.scores.shape


# --- refusals -------------------------------------------------------------------------------------

INPUTS, LABELS, INDICES = THREE
MISSING = np.where(np.arange(INPUTS.size).reshape(INPUTS.shape) == 7, np.nan, INPUTS)
SAME = np.full(len(LABELS), "a")


@pytest.mark.parametrize(
    "cross_validate",
    [
        lambda *data, **options: ann_cross_validation(
            [2], *data, numExecutions=1, maxEpochs=1, **options
        ),
        lambda *data, **options: model_cross_validation(
            "KNeighborsClassifier", {"n_neighbors": 1}, *data, **options
        ),
    ],
    ids=["ann", "model"],
)
@pytest.mark.parametrize(
    ("data", "options", "error", "message"),
    [
        (
            (INPUTS[1:], LABELS, INDICES),
            {},
            ValueError,
            "differs: inputs 25, targets 26, crossValidationIndices 26",
        ),
        ((INPUTS, LABELS, INDICES[1:]), {}, ValueError, "crossValidationIndices 25"),
        ((MISSING, LABELS, INDICES), {}, ValueError, "inputs: row 2, column 1 is nan"),
        ((INPUTS[:, 0], LABELS, INDICES), {}, ValueError, r"inputs has shape \(26,\)"),
        ((INPUTS, SAME, INDICES), {}, ValueError, "targets has one class, 'a'; at least two"),
        (
            (INPUTS, LABELS, INDICES * 0 + 1),
            {},
            ValueError,
            "fold 2 is empty; there must be two or more folds",
        ),
        ((INPUTS, LABELS, INDICES + 1), {}, ValueError, "fold 1 is empty"),
        ((INPUTS, LABELS, INDICES * 2), {}, ValueError, "fold 1 is empty"),
        (
            (INPUTS, LABELS, INDICES - 1),
            {},
            ValueError,
            "has the value 0; folds are numbered from 1",
        ),
        (
            (INPUTS, LABELS, INDICES * 1.0),
            {},
            TypeError,
            "crossValidationIndices has elements of type float64",
        ),
        (
            (INPUTS, LABELS, INDICES > 1),
            {},
            TypeError,
            "crossValidationIndices has elements of type bool",
        ),
        (
            (INPUTS, one_hot_encoding(LABELS), INDICES),
            {},
            ValueError,
            r"targets has shape \(26, 3\)",
        ),
        (
            THREE,
            {"normalization": "zeromeen"},
            ValueError,
            "'zeromeen' is unknown; did you mean 'zeromean'",
        ),
        (
            THREE,
            {"normalization": "rank"},
            ValueError,
            r"'rank' is unknown; it must be one of \['minmax', 'zero.*'\]",
        ),
    ],
)
def test_data_that_does_not_fit_is_refused(cross_validate, data, options, error, message):
    """The sentence names the argument and what is wrong with it."""
    with pytest.raises(error, match=message):
        cross_validate(*data, **options)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"numExecutions": 0},
            ValueError,
            "numExecutions=0 is out of range; it must be at least 1",
        ),
        ({"numExecutions": 2.0}, TypeError, "numExecutions=2.0 is a float"),
        ({"validationRatio": 1.5}, ValueError, r"validationRatio=1.5 .* in \[0, 1\]"),
        ({"validationRatio": -0.1}, ValueError, "validationRatio=-0.1"),
        (
            {"validationRatio": 0.7},
            ValueError,
            "validationRatio=0.7 of 26 patterns leaves none of the 17 .* fold 1",
        ),
        ({"maxEpochs": -1}, ValueError, "maxEpochs=-1"),
        ({"maxEpochsVal": 0.5}, TypeError, "maxEpochsVal=0.5"),
        ({"learningRate": -1}, ValueError, "learningRate=-1"),
        ({"minLoss": "none"}, TypeError, "minLoss='none'"),
        ({"transferFunctions": ["tanh", "tanh"]}, ValueError, "transferFunctions has 2 functions"),
        ({"transferFunctions": ["tanth"]}, ValueError, "'tanth' is unknown"),
        ({"random_state": "x"}, TypeError, "random_state='x'"),
    ],
)
def test_options_of_networks_are_refused(options, error, message):
    """Before or at the first network, with the option and its value."""
    with pytest.raises(error, match=message):
        ann_cross_validation([2], *THREE, **{"maxEpochs": 1, "numExecutions": 1, **options})


@pytest.mark.parametrize(
    ("modelType", "hyperparameters", "message"),
    [
        ("SVM", {}, "modelType='SVM' is unknown; did you mean 'SVC'"),
        (
            "Perceptron",
            {},
            "modelType='Perceptron' is unknown; it must be one of .*'KNeighborsClassifier'",
        ),
        (None, {}, "modelType=None is unknown"),
        ("ANN", {"maxEpochs": 1}, "ANN needs 'topology', which is missing"),
        (
            "ANN",
            {"topology": [2], "maxEpoch": 1},
            "ANN has no 'maxEpoch'; did you mean 'maxEpochs'",
        ),
        ("ANN", {"topology": [2], "random_state": 1}, "ANN has no 'random_state'"),
        ("SVC", {"C": 1}, "SVC needs 'kernel', which is missing"),
        ("SVC", {"kernel": "rbg", "C": 1}, "kernel='rbg' is unknown; did you mean 'rbf'"),
        ("SVC", {"kernel": "linear"}, "SVC with kernel linear needs 'C', which is missing"),
        ("SVC", {"kernel": "rbf", "C": 1}, "SVC with kernel rbf needs 'gamma'"),
        ("SVC", {"kernel": "sigmoid", "C": 1, "gamma": 1}, "SVC with kernel sigmoid needs 'coef0'"),
        (
            "SVC",
            {"kernel": "poly", "C": 1, "gamma": 1, "coef0": 1},
            "SVC with kernel poly needs 'degree'",
        ),
        ("SVC", {"kernel": "rbf", "C": 1, "gama": 1}, "SVC has no 'gama'; did you mean 'gamma'"),
        ("SVC", {"kernel": "linear", "C": -1}, "fold 1: SVC.* cannot be trained: .*'C' parameter"),
        ("DecisionTreeClassifier", {}, "DecisionTreeClassifier needs 'max_depth'"),
        ("DecisionTreeClassifier", {"maxdepth": 3}, "has no 'maxdepth'; did you mean 'max_depth'"),
        ("KNeighborsClassifier", {}, "KNeighborsClassifier needs 'n_neighbors'"),
        (
            "KNeighborsClassifier",
            {"n_neighbors": 99},
            "fold 1: KNeighborsClassifier.* cannot be trained",
        ),
    ],
)
def test_hyperparameters_are_refused(modelType, hyperparameters, message):
    """The sentence names the closest candidate, or what is missing."""
    with pytest.raises(ValueError, match=message):
        model_cross_validation(modelType, hyperparameters, *THREE)


def test_a_key_that_the_kernel_does_not_use_is_no_error():
    """One dictionary may serve all the kernels; each takes what it uses."""
    every = {"C": 0.5, "gamma": 0.1, "coef0": 1, "degree": 2}
    linear = model_cross_validation("SVC", {"kernel": "linear", **every}, *THREE)
    expected = model_cross_validation("SVC", {"kernel": "linear", "C": 0.5}, *THREE)
    np.testing.assert_array_equal(linear.scores, expected.scores)


@pytest.mark.parametrize(
    ("change", "error", "sentence"),
    [
        (
            {"inputs": [[1e40], [1.0], [2.0], [3.0]]},
            ValueError,
            "inputs in float32: row 0, column 0 is inf",
        ),
        (
            {"folds": [1, 2, 1, 10**13]},
            ValueError,
            "has the value 10000000000000; folds are numbered from 1, and 4",
        ),
        (
            {"learningRate": 1e38},
            ValueError,
            r"learningRate=1e\+38 is out of range; it must be in \(0, 1e\+36\]",
        ),
    ],
)
def test_numbers_beyond_float32_and_memory_are_refused(change, error, sentence):
    """What would end in an overflow deep inside ends in a sentence."""
    case = {
        "inputs": [[0.0], [1.0], [2.0], [3.0]],
        "folds": [1, 2, 1, 2],
        "learningRate": 0.01,
    } | change
    with pytest.raises(error, match=sentence):
        ann_cross_validation(
            [],
            case["inputs"],
            ["a", "a", "b", "b"],
            case["folds"],
            numExecutions=1,
            learningRate=case["learningRate"],
        )


@pytest.mark.parametrize(
    ("modelType", "hyperparameters", "error", "sentence"),
    [
        (
            ["SVC"],
            {"kernel": "linear", "C": 1},
            ValueError,
            r"modelType=\['SVC'\] is unknown; it must be one of",
        ),
        ("SVC", None, TypeError, "modelHyperparameters is a NoneType; it must be a dictionary"),
        (
            "SVC",
            {"kernel": ["rbf"], "C": 1},
            ValueError,
            r"kernel=\['rbf'\] is unknown; it must be one of",
        ),
    ],
)
def test_hyperparameters_of_the_wrong_kind_are_refused(modelType, hyperparameters, error, sentence):
    """A list where a name belongs is no key to look up."""
    with pytest.raises(error, match=sentence):
        model_cross_validation(modelType, hyperparameters, [[0.0], [1.0]], ["a", "b"], [1, 2])
