"""Figures are those of peers: scikit-learn, scipy, and PyCM's formulas, on random cases.

300 of them with `PRACTICA_BUDGET=10`.
"""

import statistics

import numpy as np
import pytest
from budget import budget
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics as theirs
from sklearn.model_selection import PredefinedSplit, StratifiedKFold, cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import LabelBinarizer, MinMaxScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from strategies import SEEDS

from practica import (
    accuracy,
    confusion_matrix,
    crossvalidation,
    model_cross_validation,
    normalize_min_max,
    normalize_zero_mean,
    one_hot_encoding,
)
from practica.evaluation import (
    average_accuracy_score,
    corrected_t_test,
    holm,
    negative_predictive_value_score,
    paired_t_test,
    relative_squared_error,
    specificity_score,
    uniform_kappa_score,
    wilson_interval,
)

pytestmark = pytest.mark.filterwarnings(
    "ignore:k=", "ignore:The least populated class", "ignore:y_pred contains"
)
random_cases = settings(max_examples=budget(30))


@st.composite
def predictions(draw, least=2):
    """Draw (outputs, targets, C): some right and some wrong, with classes that are rare, or in one
    of the two only.
    """
    C, rng = draw(st.integers(least, 9)), np.random.default_rng(draw(SEEDS))
    shares = rng.dirichlet(np.full(C, draw(st.sampled_from([0.2, 1.0, 20.0]))))
    targets = rng.choice(C, size=draw(st.integers(1, 80)), p=shares)
    guesses = rng.integers(C, size=len(targets))
    return (
        np.where(
            rng.random(len(targets)) < draw(st.sampled_from([0.0, 0.3, 1.0])), guesses, targets
        ),
        targets,
        C,
    )


def counted(outputs, targets, C):
    """Return TP, FP, FN and TN of each class, counted one by one, as PyCM defines them."""
    pairs = [*zip(outputs.tolist(), targets.tolist(), strict=True)]
    kinds = [(True, True), (True, False), (False, True), (False, False)]
    return np.array(
        [[sum((o == c, t == c) == kind for o, t in pairs) for c in range(C)] for kind in kinds]
    )


def rate(part, whole):
    """Divide; 0/0 is 1."""
    return np.where(whole == 0, 1.0, part / np.maximum(whole, 1))


@random_cases
@given(case=predictions(least=3), weighted=st.booleans())
def test_measures_of_several_classes_are_those_of_scikit_learn_and_of_counting(case, weighted):
    """The matrix and all seven, weighted or plain."""
    outputs, targets, C = case
    result = confusion_matrix(
        np.eye(C, dtype=bool)[outputs], np.eye(C, dtype=bool)[targets], weighted=weighted
    )
    np.testing.assert_array_equal(
        result.matrix, theirs.confusion_matrix(targets, outputs, labels=range(C))
    )
    options = {
        "labels": range(C),
        "average": "weighted" if weighted else "macro",
        "zero_division": 1,
    }
    PPV, recall, F1, _ = theirs.precision_recall_fscore_support(targets, outputs, **options)
    TP, FP, FN, TN = counted(outputs, targets, C)
    weights = TP + FN if weighted else np.ones(C)
    specificity, NPV = (np.average(rate(TN, TN + other), weights=weights) for other in (FP, FN))
    hits = theirs.accuracy_score(targets, outputs)
    assert tuple(result) == pytest.approx(
        (hits, 1 - hits, recall, specificity, PPV, NPV, F1), abs=1e-12
    )


@random_cases
@given(case=predictions())
def test_measures_of_two_classes_are_those_of_scikit_learn_and_of_counting(case):
    """Of bool vectors; the accuracy by itself too."""
    outputs, targets, _ = case
    said, real = outputs == 0, targets == 0
    result = confusion_matrix(said, real)
    np.testing.assert_array_equal(
        result.matrix, theirs.confusion_matrix(real, said, labels=[False, True])
    )
    options = {"labels": [True, False], "zero_division": 1}
    precisions, recalls, F1s, _ = theirs.precision_recall_fscore_support(real, said, **options)
    hits = theirs.accuracy_score(real, said)
    assert tuple(result) == pytest.approx(
        (hits, 1 - hits, *recalls, *precisions, F1s[0]), abs=1e-12
    )
    assert accuracy(said, real) == pytest.approx(hits, abs=1e-12)


@random_cases
@given(case=predictions())
def test_scores_of_evaluation_are_those_of_counting(case):
    """PyCM's TNR, NPV and ACC of each class, and kappa against a uniform guess."""
    outputs, targets, C = case
    TP, FP, FN, TN = counted(outputs, targets, C)
    options = {"labels": range(C), "zero_division": 1}
    np.testing.assert_allclose(specificity_score(targets, outputs, **options), rate(TN, TN + FP))
    np.testing.assert_allclose(
        negative_predictive_value_score(targets, outputs, **options), rate(TN, TN + FN)
    )
    each = (TP + TN) / len(targets)
    assert average_accuracy_score(targets, outputs, labels=range(C)) == pytest.approx(each.mean())
    expected = (TP.sum() / len(targets) - 1 / C) / (1 - 1 / C)
    assert uniform_kappa_score(targets, outputs, labels=range(C)) == pytest.approx(expected)


@random_cases
@given(
    seed=SEEDS, N=st.integers(2, 40), L=st.integers(1, 5), scale=st.sampled_from([1e-3, 1.0, 1e6])
)
def test_normalization_is_that_of_scikit_learn_and_scipy(seed, N, L, scale):
    """With the parameters of these data, or of others."""
    rng = np.random.default_rng(seed)
    data, other = scale * rng.normal(size=(N, L)), scale * rng.normal(size=(3, L))
    scaler = MinMaxScaler().fit(data)
    np.testing.assert_allclose(normalize_min_max(data), scaler.transform(data), atol=1e-12)
    parameters = data.min(axis=0, keepdims=True), data.max(axis=0, keepdims=True)
    np.testing.assert_allclose(
        normalize_min_max(other, parameters), scaler.transform(other), atol=1e-9
    )
    np.testing.assert_allclose(normalize_zero_mean(data), stats.zscore(data, ddof=1), atol=1e-9)


@random_cases
@given(case=predictions(least=3))
def test_columns_of_labels_are_those_of_scikit_learn(case):
    """In the order of appearance; one column for two classes, True for the first."""
    _, targets, _ = case
    classes = list(dict.fromkeys(targets.tolist()))
    if len(classes) < 3:
        expected = (targets == classes[0])[:, None]
    else:
        binarizer = LabelBinarizer().fit(targets)
        expected = binarizer.transform(targets)[:, np.searchsorted(binarizer.classes_, classes)]
    np.testing.assert_array_equal(one_hot_encoding(targets), expected)


@random_cases
@given(case=predictions(), k=st.integers(2, 5), seed=SEEDS)
def test_folds_are_stratified_as_those_of_scikit_learn(case, k, seed):
    """In each fold the patterns of a class are floor or ceil of their share.

    So are scikit-learn's.
    """
    _, targets, C = case
    sizes = np.bincount(targets, minlength=C)
    if sizes.max() < k:
        return  # scikit-learn refuses it
    folds = crossvalidation(targets, k, random_state=seed)
    ours = np.array([np.bincount(folds[targets == c], minlength=k + 1)[1:] for c in range(C)])
    splits = StratifiedKFold(k, shuffle=True, random_state=seed % 2**31).split(targets, targets)
    peers = np.array([np.bincount(targets[test], minlength=C) for _, test in splits]).T
    for counts in (ours, peers):
        assert (counts.sum(axis=1) == sizes).all()
        assert (np.abs(counts - sizes[:, None] / k) < 1).all()


MODELS = [
    ("KNeighborsClassifier", {"n_neighbors": 3}, KNeighborsClassifier(3)),
    (
        "DecisionTreeClassifier",
        {"max_depth": 3},
        DecisionTreeClassifier(max_depth=3, random_state=1),
    ),
    ("SVC", {"kernel": "rbf", "C": 1, "gamma": 0.3}, SVC(gamma=0.3)),
]


@settings(max_examples=budget(8))
@given(seed=SEEDS, model=st.sampled_from(MODELS), C=st.integers(2, 4), k=st.integers(2, 4))
def test_a_cross_validation_is_that_of_scikit_learn_on_the_same_folds(seed, model, C, k):
    """Accuracy, recall, PPV and F1 of each fold."""
    kind, hyperparameters, estimator = model
    rng = np.random.default_rng(seed)
    labels = np.array([f"class {number}" for number in rng.permutation(np.arange(15 * C) % C)])
    inputs, folds = rng.normal(size=(15 * C, 3)), crossvalidation(labels, k, random_state=seed)
    scores = model_cross_validation(kind, hyperparameters, inputs, labels, folds).scores[:, 0]
    split = PredefinedSplit(folds - 1)
    options = {"zero_division": 1, "average": "weighted"}
    if C == 2:
        options |= {"average": "binary", "pos_label": labels[0]}
    scoring = {
        "accuracy": "accuracy",
        "recall": theirs.make_scorer(theirs.recall_score, **options),
        "PPV": theirs.make_scorer(theirs.precision_score, **options),
        "F1": theirs.make_scorer(theirs.f1_score, **options),
    }
    peers = cross_validate(estimator, inputs, labels, cv=split, scoring=scoring)
    expected = np.column_stack([peers[f"test_{name}"] for name in scoring])
    np.testing.assert_allclose(scores[:, [0, 2, 4, 6]], expected, rtol=0, atol=1e-12)


@random_cases
@given(
    successes=st.integers(0, 300),
    failures=st.integers(0, 300),
    confidence=st.sampled_from([0.5, 0.8, 0.95, 0.999]),
)
def test_an_interval_is_that_of_scipy(successes, failures, confidence):
    """Wilson's."""
    N = max(1, successes + failures)
    successes = min(successes, N)
    expected = stats.binomtest(successes, N).proportion_ci(confidence, method="wilson")
    assert wilson_interval(successes / N, N, confidence=confidence) == pytest.approx(
        tuple(expected), abs=1e-9
    )


@random_cases
@given(
    seed=SEEDS,
    n=st.integers(2, 30),
    shift=st.sampled_from([0.0, 0.02, 0.3]),
    runs=st.integers(1, 5),
)
def test_tests_of_a_difference_are_those_of_scipy_and_of_the_definition(seed, n, shift, runs):
    """The plain one; the corrected one has the posterior of Corani and Benavoli."""
    rng = np.random.default_rng(seed)
    first, second = rng.normal(0.8, 0.05, size=(2, n))
    first += shift
    plain, expected = paired_t_test(first, second), stats.ttest_rel(first, second)
    assert (plain.statistic, plain.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    assert plain.interval() == pytest.approx(tuple(expected.confidence_interval()))
    assert plain.mean == pytest.approx(statistics.fmean(first - second))
    k = max(2, n // runs)
    ours = corrected_t_test(first, second, test_to_train=1 / (k - 1)).probabilities(0.01)
    mean, variance = (first - second).mean(), np.var(first - second, ddof=1) * (1 / n + 1 / (k - 1))
    posterior = stats.t(n - 1, loc=mean, scale=np.sqrt(variance))
    worse, better = posterior.cdf(-0.01), posterior.sf(0.01)
    assert tuple(ours) == pytest.approx((worse, 1 - worse - better, better), abs=1e-9)


@random_cases
@given(p_values=st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_adjusted_p_values_are_those_of_the_definition(p_values):
    """Holm's: the largest of (m − i)·p of those not above, at most 1."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for rank, place in enumerate(order):
        products = [
            (len(p_values) - before) * p_values[order[before]] for before in range(rank + 1)
        ]
        assert holm(p_values)[place] == pytest.approx(min(1, max(products)))


@random_cases
@given(seed=SEEDS, N=st.integers(2, 40))
def test_a_relative_error_is_that_of_scikit_learn(seed, N):
    """1 − R²."""
    targets, outputs = np.random.default_rng(seed).normal(size=(2, N))
    assert relative_squared_error(targets, outputs) == pytest.approx(
        1 - theirs.r2_score(targets, outputs)
    )
