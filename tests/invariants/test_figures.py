"""What decides no figure: the order of patterns and columns, the names of classes, constant
columns, and units.
"""

import numpy as np
import pytest
from budget import budget
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import class_sequences, distinct_labels, number_pairs, one_hot

import practica
from practica import (
    accuracy,
    ann_cross_validation,
    confusion_matrix,
    crossvalidation,
    model_cross_validation,
    train_class_ann,
)
from practica.evaluation import (
    average_accuracy_score,
    macro_f1_mean_of_f1s,
    macro_f1_of_macro_means,
    negative_predictive_value_score,
    specificity_score,
    wilson_interval,
)

pytestmark = pytest.mark.filterwarnings("ignore:k=")

ANN = "ANN", {"topology": [3], "numExecutions": 2, "maxEpochs": 8, "learningRate": 0.3}
# without votes that are equal, which names would decide
KNN = "KNeighborsClassifier", {"n_neighbors": 1}
SVM = "SVC", {"kernel": "rbf", "C": 1, "gamma": 0.5}
TREE = "DecisionTreeClassifier", {"max_depth": 3}
UNITS = st.sampled_from([1e-6, 0.01, 0.4536, 3.0, 100.0, 1000.0, 1e9])
THREE_NAMES = st.lists(
    st.text("abcxyz", min_size=1, max_size=3), min_size=3, max_size=3, unique=True
)
SHIFTS = st.sampled_from([0.0, -40.0, 273.15, 1e4])


@st.composite
def problems(draw, classes=3):
    """Draw (inputs, numbers of classes, folds): patterns that no rule separates, and each class in
    each fold.
    """
    generator = np.random.default_rng(draw(st.integers(0, 999)))
    numbers = np.r_[np.arange(classes), generator.permutation(np.arange(11 * classes) % classes)]
    inputs = generator.normal(size=(len(numbers), 3)) + numbers[:, None]
    return inputs, numbers, crossvalidation(numbers, 3, random_state=1)


def scores(model, inputs, targets, folds, normalization="zeromean"):
    """Cross-validate a model."""
    return model_cross_validation(
        *model, inputs, targets, folds, normalization=normalization, random_state=1
    ).scores


def assert_same(ours, theirs):
    """Compare figures up to rounding."""
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


@pytest.mark.parametrize("model", [ANN, KNN, SVM, TREE], ids=lambda model: model[0])
@settings(max_examples=budget(5))
@given(problem=problems(), data=st.data())
def test_the_order_of_the_patterns_decides_no_figure(model, problem, data):
    """Each goes with its fold; the first of each class stay, since they number the classes."""
    inputs, numbers, folds = problem
    order = np.r_[0, 1, 2, data.draw(st.permutations(range(3, len(numbers))))]
    expected = scores(model, inputs, numbers, folds)
    assert_same(scores(model, inputs[order], numbers[order], folds[order]), expected)


@pytest.mark.parametrize("model", [ANN, KNN, SVM, TREE], ids=lambda model: model[0])
@settings(max_examples=budget(5))
@given(
    problem=problems(),
    names=st.lists(st.text("abcxyz", min_size=1, max_size=3), min_size=3, max_size=3, unique=True),
)
def test_the_names_of_the_classes_decide_no_figure(model, problem, names):
    """In alphabetical order for scikit-learn, which sorts them and lets the first one win an equal
    vote.
    """
    inputs, numbers, folds = problem
    names = names if model is ANN else sorted(names)
    assert_same(
        scores(model, inputs, np.array(names)[numbers], folds),
        scores(model, inputs, numbers, folds),
    )


@settings(max_examples=budget(30))
@given(numbers=class_sequences(min_classes=2), names=distinct_labels(5, 5), seed=st.integers(0, 99))
def test_the_names_of_the_classes_decide_neither_folds_nor_measures(numbers, names, seed):
    """Of whatever types they are."""
    outputs = np.random.default_rng(seed).permutation(numbers)
    named, guessed = (
        np.fromiter((names[number] for number in part), dtype=object) for part in (numbers, outputs)
    )
    folds = (crossvalidation(targets, 3, random_state=seed) for targets in (numbers, named))
    np.testing.assert_array_equal(*folds)
    one, other = confusion_matrix(outputs, numbers), confusion_matrix(guessed, named)
    assert one == other
    np.testing.assert_array_equal(one.matrix, other.matrix)


@pytest.mark.parametrize("normalization", ["minmax", "zeromean"])
@pytest.mark.parametrize("model", [KNN, SVM], ids=lambda model: model[0])
@settings(max_examples=budget(5))
@given(problem=problems(), value=st.sampled_from([0.0, 0.1, -3.0, 1e9]), data=st.data())
def test_a_constant_column_and_the_order_of_columns_decide_no_figure(
    model, normalization, problem, value, data
):
    """Of a network they decide which initial weights it draws, and of a tree which of equally good
    splits.
    """
    inputs, numbers, folds = problem
    expected = scores(model, inputs, numbers, folds, normalization)
    wider = np.insert(inputs, data.draw(st.integers(0, 3)), value, axis=1)
    order = data.draw(st.permutations(range(4)))
    assert_same(scores(model, wider[:, order], numbers, folds, normalization), expected)


@pytest.mark.parametrize("normalization", ["minmax", "zeromean"])
@pytest.mark.parametrize("model", [ANN, KNN, SVM, TREE], ids=lambda model: model[0])
@settings(max_examples=budget(5))
@given(
    problem=problems(),
    units=st.lists(UNITS, min_size=3, max_size=3),
    shifts=st.lists(SHIFTS, min_size=3, max_size=3),
)
def test_the_units_of_normalized_attributes_decide_no_figure(
    model, normalization, problem, units, shifts
):
    """Grams or pounds, Celsius or Kelvin."""
    inputs, numbers, folds = problem
    converted = inputs.round(6) * units + np.multiply(shifts, units)
    expected = scores(model, inputs.round(6), numbers, folds, normalization)
    assert_same(scores(model, converted, numbers, folds, normalization), expected)


@settings(max_examples=budget(10))
@given(problem=problems(), data=st.data())
def test_the_order_of_the_patterns_decides_no_loss(problem, data):
    """The mean over all of them is the same."""
    inputs, numbers, _ = problem
    order, rows = data.draw(st.permutations(range(len(numbers)))), one_hot(numbers, 3)
    options = {"maxEpochs": 10, "random_state": 1}
    losses = [
        train_class_ann([3], (inputs[i], rows[i]), **options).trainingLosses
        for i in (slice(None), order)
    ]
    np.testing.assert_allclose(*losses, atol=1e-5)


# --- measures -------------------------------------------------------------------------------------


@settings(max_examples=budget(60))
@given(numbers=number_pairs())
def test_exchanging_outputs_and_targets_transposes_the_matrix(numbers):
    """And exchanges recall and PPV, specificity and NPV; accuracy and F1 stay.

    Of two classes, too.
    """
    outputs, targets, C = numbers
    pairs = (one_hot(outputs, C), one_hot(targets, C)), (outputs == 0, targets == 0)
    for ours, theirs in pairs:
        one = confusion_matrix(ours, theirs, weighted=False)
        other = confusion_matrix(theirs, ours, weighted=False)
        np.testing.assert_array_equal(one.matrix, other.matrix.T)
        assert (one.recall, one.specificity, one.PPV, one.NPV) == (
            other.PPV,
            other.NPV,
            other.recall,
            other.specificity,
        )
        assert (one.accuracy, one.F1) == (other.accuracy, other.F1)


@settings(max_examples=budget(60))
@given(sizes=st.lists(st.integers(1, 60), min_size=1, max_size=25), weighted=st.booleans())
def test_what_is_right_measures_1_exactly(sizes, weighted):
    """However many classes there are, of whatever sizes: neither above nor below."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    result = confusion_matrix(labels, labels, weighted=weighted)
    assert tuple(result) == (1, 0, 1, 1, 1, 1, 1)
    if len(sizes) > 1:
        folds = np.arange(2 * len(labels)) % 2 + 1
        twice = np.repeat(labels, 2)
        perfect = model_cross_validation(*KNN, twice[:, None], twice, folds)
        assert [mean for mean, _ in perfect] == [1, 0, 1, 1, 1, 1, 1]
        assert [std for _, std in perfect] == [0] * 7


@settings(max_examples=budget(60))
@given(
    seed=st.integers(0, 9999),
    C=st.integers(2, 30),
    weighted=st.booleans(),
    wrong=st.sampled_from([0, 0.01, 0.5, 1]),
)
def test_every_metric_is_in_the_interval_from_0_to_1(seed, C, weighted, wrong):
    """So that an interval can be given for each, and that of evaluation too."""
    generator = np.random.default_rng(seed)
    targets = generator.integers(C, size=generator.integers(1, 200))
    outputs = np.where(
        generator.random(len(targets)) < wrong, generator.integers(C, size=len(targets)), targets
    )
    for value in confusion_matrix(outputs, targets, weighted=weighted):
        assert 0 <= value <= 1
        low, high = wilson_interval(value, len(targets))
        assert 0 <= low <= value <= high <= 1
    averages = {"average": "weighted" if weighted else "macro", "zero_division": 1}
    figures = (
        average_accuracy_score(targets, outputs),
        macro_f1_mean_of_f1s(targets, outputs),
        macro_f1_of_macro_means(targets, outputs),
        specificity_score(targets, outputs, **averages),
        negative_predictive_value_score(targets, outputs, **averages),
        accuracy(outputs == 0, targets == 0),
    )
    assert all(0 <= value <= 1 for value in figures)


@settings(max_examples=budget(20))
@given(problem=problems(), seed=st.integers(0, 99))
def test_the_means_of_a_cross_validation_are_in_the_interval_too(problem, seed):
    """Of the folds and of the executions."""
    inputs, numbers, folds = problem
    result = ann_cross_validation(
        [2], inputs, numbers, folds, numExecutions=3, maxEpochs=2, random_state=seed
    )
    assert all(0 <= mean <= 1 for mean, _ in result)
    assert ((result.scores >= 0) & (result.scores <= 1)).all()


@settings(max_examples=budget(60))
@given(
    seed=st.integers(0, 9999),
    offset=st.integers(-6, 8),
    scale=st.integers(-6, 8),
    given_parameters=st.booleans(),
    method=st.sampled_from(["min_max", "zero_mean"]),
)
def test_single_precision_is_normalized_as_exactly_as_double(
    seed, offset, scale, given_parameters, method
):
    """Up to the rounding of the result, also where the values are far from 0 beside their
    spread.
    """
    rng = np.random.default_rng(seed)
    matrix = (10.0**offset + 10.0**scale * rng.normal(size=(20, 3))).astype(np.float32)
    normalize = getattr(practica, f"normalize_{method}")
    calculate = getattr(practica, f"calculate_{method}_normalization_parameters")
    parameters = calculate(rng.normal(size=(5, 3)) * 10.0**offset) if given_parameters else None
    single, double = normalize(matrix, parameters), normalize(matrix.astype(np.float64), parameters)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, double, rtol=4e-7, atol=1e-12)
