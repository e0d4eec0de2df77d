"""The practice's network behaves as a classifier of scikit-learn, and is still the practice's
network.
"""

import pickle

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import practica
from practica import ANNClassifier
from practica.reference import compiled_training

INPUTS, SPECIES = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[SPECIES]
QUICK = {"maxEpochs": 20, "learningRate": 0.1, "random_state": 3}

# scikit-learn tries array-API inputs only where SCIPY_ARRAY_API is set: the check skips itself, and
# warns of it.
ARRAY_API = "ignore:Skipping check check_array_api_input"


# It asks for equal networks from patterns in another order: other first appearances, other
# float32 sums.
REORDERED = {
    "check_sample_weight_equivalence_on_dense_data": "see test_a_weight_counts_as_often_as_it_says"
}


@pytest.mark.slow
@pytest.mark.filterwarnings(ARRAY_API)
@parametrize_with_checks(
    [ANNClassifier(maxEpochs=100, learningRate=0.1), ANNClassifier((4, 3), validationRatio=0.2)],
    expected_failed_checks=lambda _: REORDERED,
)
def test_it_passes_every_check_of_scikit_learn(estimator, check):
    """One, which does not hold for training from random weights, is expected to fail.

    With and without validation.
    """
    if compiled_training.kernel() is None:
        estimator.set_params(maxEpochs=100, learningRate=0.1)  # the checks fit hundreds of times
    check(estimator)


@pytest.mark.parametrize("ratio", [0, 0.2])
@pytest.mark.parametrize("count", [2, 3])
def test_its_network_is_that_of_the_functions_of_the_practice(monkeypatch, ratio, count):
    """The encoding, the hold-out and the loop, written out, draw and return the same."""
    monkeypatch.setattr("practica.reference.trainers.can_be_compiled", lambda *_: False)
    inputs, labels = INPUTS[: 50 * count], NAMES[: 50 * count]
    model = ANNClassifier([4], validationRatio=ratio, **QUICK).fit(inputs, labels)
    generator = np.random.default_rng(3)
    training, validation = np.arange(len(inputs)), np.arange(0)
    if ratio:
        training, validation = practica.hold_out(len(inputs), ratio, random_state=generator)
    encoded = practica.one_hot_encoding(labels)
    trained = practica.train_class_ann(
        [4],
        (inputs[training], encoded[training]),
        validationDataset=(inputs[validation], encoded[validation]),
        maxEpochs=20,
        learningRate=0.1,
        random_state=generator,
    )
    np.testing.assert_array_equal(model.loss_curve_, trained.trainingLosses)
    np.testing.assert_array_equal(model.validation_loss_curve_, trained.validationLosses)
    for ours, theirs in zip(model.ann_.parameters(), trained.ann.parameters(), strict=True):
        assert torch.equal(ours, theirs)


@pytest.mark.skipif(compiled_training.kernel() is None, reason="no C compiler here")
@pytest.mark.parametrize("ratio", [0, 0.2])
def test_both_trainers_give_the_same_curves(monkeypatch, ratio):
    """The compiled one, which is the rule, and the loop, where it cannot be had."""
    compiled = ANNClassifier([4], validationRatio=ratio, **QUICK).fit(INPUTS, NAMES)
    monkeypatch.setattr("practica.reference.trainers.can_be_compiled", lambda *_: False)
    looped = ANNClassifier([4], validationRatio=ratio, **QUICK).fit(INPUTS, NAMES)
    assert compiled.n_iter_ == looped.n_iter_
    np.testing.assert_allclose(compiled.loss_curve_, looped.loss_curve_, rtol=1e-4)
    np.testing.assert_allclose(
        compiled.validation_loss_curve_, looped.validation_loss_curve_, rtol=1e-4
    )
    assert compiled.validation_loss_curve_.shape == ((compiled.n_iter_ + 1) * bool(ratio),)


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (np.array(["b", "c", "a"]), ["a", "b", "c"]),
        (np.array([2.0, 1.0]), [1.0, 2.0]),
        (np.array([True, False]), [False, True]),
        (np.array([3, 1, 2], dtype=object), [1, 2, 3]),
        (np.array(["b", 1, None], dtype=object), ["b", 1, None]),
    ],
    ids=["text", "floats", "bools", "objects", "mixed"],
)
def test_labels_of_any_type_come_back_as_they_were(labels, classes):
    """Sorted in `classes_` where they can be, otherwise in order of appearance.

    Predictions are of the same type.
    """
    number = np.arange(60) % len(labels)
    inputs = np.eye(len(labels))[number]
    model = ANNClassifier([], maxEpochs=200, learningRate=0.1, random_state=1).fit(
        inputs, labels[number]
    )
    assert model.classes_.tolist() == classes
    assert model.predict(inputs).tolist() == labels[number].tolist()
    assert model.predict(inputs).dtype == labels.dtype
    likeliest = model.predict_proba(inputs).argmax(axis=1)
    assert model.classes_[likeliest].tolist() == labels[number].tolist()


@given(seed=st.integers(0, 2**32 - 1), count=st.sampled_from([2, 3]))
def test_probabilities_add_up_to_one_and_do_not_depend_on_the_company(seed, count):
    """Whatever the weights, a pattern has the same probabilities alone and among others."""
    inputs, labels = INPUTS[: 50 * count], NAMES[: 50 * count]
    model = ANNClassifier([4], maxEpochs=1, random_state=seed).fit(inputs, labels)
    together = model.predict_proba(inputs[::7])
    np.testing.assert_allclose(together.sum(axis=1), 1)
    alone = np.vstack([model.predict_proba(pattern[None]) for pattern in inputs[::7]])
    np.testing.assert_allclose(alone, together, rtol=1e-12)


def test_of_equally_likely_classes_the_first_to_appear_is_predicted():
    """As `classify_outputs` does: the untrained network knows nothing of a pattern of zeros."""
    for labels in (["b", "a"], ["c", "a", "b"]):
        model = ANNClassifier([], maxEpochs=0).fit(np.eye(len(labels)), labels)
        assert model.predict(np.zeros((1, len(labels)))) == labels[0]
        assert len(set(model.predict_proba(np.zeros((1, len(labels)))).ravel())) == 1


def test_it_can_be_searched_piped_cloned_and_pickled():
    """With a scaler before it, through the tools of scikit-learn."""
    pipeline = make_pipeline(StandardScaler(), ANNClassifier(**QUICK))
    search = GridSearchCV(pipeline, {"annclassifier__topology": [[], [4], [4, 3]]}, cv=2).fit(
        INPUTS, NAMES
    )
    best = search.best_params_["annclassifier__topology"]
    assert best in ([], [4], [4, 3])
    scores = cross_validate(
        search.best_estimator_, INPUTS, NAMES, cv=3, scoring=["accuracy", "roc_auc_ovr"]
    )
    assert ((scores["test_roc_auc_ovr"] >= 0) & (scores["test_roc_auc_ovr"] <= 1)).all()
    restored = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(
        restored.predict_proba(INPUTS), search.best_estimator_.predict_proba(INPUTS)
    )
    again = clone(search.best_estimator_).fit(INPUTS, NAMES)
    np.testing.assert_array_equal(again.predict_proba(INPUTS), restored.predict_proba(INPUTS))


def test_a_function_with_parameters_of_its_own_is_trained_with_the_network():
    """What the compiled trainer does not know goes through the loop."""
    model = ANNClassifier([4], transferFunctions=[torch.nn.PReLU()], **QUICK).fit(INPUTS, NAMES)
    assert model.ann_[1].weight.item() != 0.25
    assert len(model.loss_curve_) == model.n_iter_ + 1 == 21


def test_a_weight_counts_as_often_as_it_says():
    """A pattern of weight 3 is three patterns, one of weight 0 is none, and only ratios matter."""
    times = np.random.default_rng(1).integers(1, 4, size=150) * (np.arange(150) % 7 > 0)
    weighted = ANNClassifier([4], **QUICK).fit(INPUTS, NAMES, times)
    repeated = ANNClassifier([4], **QUICK).fit(INPUTS.repeat(times, axis=0), NAMES.repeat(times))
    np.testing.assert_allclose(weighted.loss_curve_, repeated.loss_curve_, rtol=1e-5)
    np.testing.assert_allclose(
        weighted.predict_proba(INPUTS), repeated.predict_proba(INPUTS), atol=1e-4
    )
    halved = ANNClassifier([4], **QUICK).fit(INPUTS, NAMES, times / 2)
    np.testing.assert_array_equal(halved.loss_curve_, weighted.loss_curve_)


def test_patterns_without_weight_are_not_held_out():
    """The validation set is drawn from the others, as if they were not there."""
    model = ANNClassifier([4], validationRatio=0.2, **QUICK)
    some = np.arange(150) % 3 > 0
    weighted = clone(model).fit(INPUTS, NAMES, some.astype(float))
    alone = clone(model).fit(INPUTS[some], NAMES[some], np.ones(100))
    np.testing.assert_array_equal(weighted.loss_curve_, alone.loss_curve_)
    np.testing.assert_array_equal(weighted.validation_loss_curve_, alone.validation_loss_curve_)


@pytest.mark.parametrize(
    ("class_weight", "of_pattern"),
    [
        ({"virginica": 7}, {"setosa": 1, "versicolor": 1, "virginica": 7}),
        (
            {"setosa": 2, "versicolor": 3, "virginica": 7, "elsewhere": 5},
            {"setosa": 2, "versicolor": 3, "virginica": 7},
        ),
        ("balanced", {"setosa": 1 / 50, "versicolor": 1 / 30, "virginica": 1 / 10}),
    ],
)
@pytest.mark.parametrize("ratio", [0, 0.2])
def test_the_weight_of_a_class_is_that_of_its_patterns(class_weight, of_pattern, ratio):
    """Balanced, each class weighs the same in all; the two kinds of weights are multiplied."""
    some = np.arange(150) % 50 < np.repeat([50, 30, 10], 50)
    inputs, labels = INPUTS[some], NAMES[some]
    own = np.tile([1.0, 2.0], 45) if class_weight != "balanced" else np.ones(90)
    model = ANNClassifier([4], validationRatio=ratio, **QUICK)
    by_class = clone(model).set_params(class_weight=class_weight).fit(inputs, labels, own)
    by_pattern = clone(model).fit(inputs, labels, own * [of_pattern[label] for label in labels])
    np.testing.assert_allclose(by_class.loss_curve_, by_pattern.loss_curve_, rtol=1e-5)
    unweighted = clone(model).fit(inputs, labels)
    assert by_class.loss_curve_[0] != pytest.approx(unweighted.loss_curve_[0], rel=1e-3)


@pytest.mark.parametrize("transferFunctions", [["tanh"], [torch.nn.PReLU()]], ids=["tanh", "PReLU"])
def test_a_warm_start_goes_on_where_the_last_fit_ended(transferFunctions):
    """Its untrained network is the trained one, its classes keep their outputs, and what was asked
    before is kept.
    """
    model = ANNClassifier([4], transferFunctions=transferFunctions, warm_start=True, **QUICK).fit(
        INPUTS, NAMES
    )
    ended, before = model.loss_curve_[-1], model.predict_proba(INPUTS)
    model.set_params(maxEpochs=0).fit(INPUTS[::-1], NAMES[::-1])
    assert model.loss_curve_ == pytest.approx(ended, rel=1e-5)
    np.testing.assert_array_equal(model.predict_proba(INPUTS), before)
    model.set_params(maxEpochs=20).fit(INPUTS, NAMES)
    assert model.loss_curve_[0] == pytest.approx(ended, rel=1e-5)
    assert model.loss_curve_[-1] < ended
    cold = clone(model).set_params(warm_start=False).fit(INPUTS, NAMES)
    np.testing.assert_array_equal(cold.fit(INPUTS, NAMES).loss_curve_, cold.loss_curve_)


def test_a_warm_start_of_other_layers_or_classes_is_refused():
    """The network that is there has no place for them."""
    model = ANNClassifier([4], warm_start=True, **QUICK).fit(INPUTS, NAMES)
    with pytest.raises(
        ValueError, match=r"warm_start=True: .* layers of \[4, 4, 3\], not of \[4, 5, 3\]"
    ):
        clone(model).fit(INPUTS, NAMES).set_params(topology=[5]).fit(INPUTS, NAMES)
    with pytest.raises(ValueError, match=r"layers of \[4, 4, 3\], not of \[3, 4, 3\]"):
        clone(model).fit(INPUTS, NAMES).fit(INPUTS[:, 1:], NAMES)
    with pytest.raises(ValueError, match="label 'lily' is not one of the classes"):
        model.fit(INPUTS, np.where(NAMES == "setosa", "lily", NAMES))


@pytest.mark.parametrize("count", [2, 3])
def test_logarithms_of_probabilities_stay_finite(count):
    """Also where a probability is 0 in double precision."""
    model = ANNClassifier([], **QUICK).fit(INPUTS[: 50 * count], NAMES[: 50 * count])
    np.testing.assert_allclose(np.exp(model.predict_log_proba(INPUTS)), model.predict_proba(INPUTS))
    far = model.predict_log_proba(INPUTS[:1] * 1e6)
    assert np.isfinite(far).all()
    assert (np.exp(far) == 0).any()


def test_it_can_be_boosted():
    """What weighs patterns for other classifiers does so for this one."""
    boosted = AdaBoostClassifier(ANNClassifier([3], **QUICK), n_estimators=2, random_state=1).fit(
        INPUTS, NAMES
    )
    assert set(boosted.predict(INPUTS)) <= set(NAMES)


def test_sparse_inputs_are_refused_with_a_sentence():
    """Where it is trained and where it is asked."""
    model = ANNClassifier([], **QUICK).fit(INPUTS, NAMES)
    for call in (
        lambda: model.fit(csr_array(INPUTS), NAMES),
        lambda: model.predict(csr_array(INPUTS)),
    ):
        with pytest.raises(TypeError, match=r"Sparse data was passed for X, .* '.toarray\(\)'"):
            call()


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones(149), "the number of patterns differs: X 150, sample_weight 149"),
        (
            np.r_[np.ones(149), -1],
            r"sample_weight\[149\]=-1 is out of range; it must be finite and not below 0",
        ),
        (np.r_[np.nan, np.ones(149)], r"sample_weight\[0\]=nan is out of range"),
        (np.zeros(150), "sample_weight is zero for all patterns"),
        (np.arange(150) < 50, "y has one class to train with, 'setosa'"),
    ],
)
def test_weights_that_cannot_be_are_refused(weights, message):
    """The sentence names the first wrong one."""
    with pytest.raises(ValueError, match=message):
        ANNClassifier([], **QUICK).fit(INPUTS, NAMES, weights)


def test_an_integer_seed_repeats_a_fit_and_another_one_does_not():
    """A generator continues where it was, so that two fits differ."""
    tumours, benign = load_breast_cancer(return_X_y=True)
    inputs = practica.normalize_zero_mean(tumours)

    def curve(random_state):
        model = ANNClassifier([2], validationRatio=0.1, maxEpochs=3, random_state=random_state)
        return model.fit(inputs, benign).loss_curve_

    np.testing.assert_array_equal(curve(1), curve(1))
    assert (curve(1) != curve(2)).any()
    generator = np.random.default_rng(1)
    assert (curve(generator) != curve(generator)).any()


@pytest.mark.parametrize(
    ("parameters", "labels", "message"),
    [
        (
            {},
            ["a"] * 150,
            r"y has one class to train with, 'a'; ANNClassifier needs at least two to",
        ),
        ({"topology": [0]}, NAMES, r"topology\[0\]=0 is out of range; it must be at least 1"),
        (
            {"validationRatio": 1.5},
            NAMES,
            r"validationRatio=1.5 is out of range; it must be in \[0, 1\]",
        ),
        (
            {"validationRatio": 1},
            NAMES,
            r"validationRatio=1 of 150 patterns leaves none of them to train with",
        ),
        (
            {"transferFunctions": ["relo"]},
            NAMES,
            r"transferFunctions\[0\]='relo' is unknown; it must be one of",
        ),
        (
            {"learningRate": 0},
            NAMES,
            r"learningRate=0 is out of range; it must be in \(0, 1e\+36\]",
        ),
        (
            {"class_weight": "balance"},
            NAMES,
            r"class_weight='balance' must be None, 'balanced' or a dictionary",
        ),
        (
            {"class_weight": {"virginia": 2}},
            NAMES,
            r"there is no class 'virginia'; did you mean 'virginica'\?",
        ),
        (
            {"class_weight": {"virginica": 0}},
            NAMES,
            r"class_weight\['virginica'\]=0 is out of range",
        ),
        ({"learningRate": 1e30}, NAMES, r"the network: the training loss is .* use a smaller one"),
    ],
)
def test_what_cannot_be_trained_is_refused_with_a_sentence(parameters, labels, message):
    """It names the value and what is allowed, at `fit`: scikit-learn wants constructors that check
    nothing.
    """
    with pytest.raises(ValueError, match=message):
        ANNClassifier(**{"transferFunctions": ["identity"], **parameters}).fit(INPUTS, labels)


def test_a_classifier_holds_a_network_that_is_already_trained():
    """Outputs stand for the classes in the order given; the network is not copied."""
    ann = practica.build_class_ann(4, [], 1, random_state=1)
    model = ANNClassifier.holding(ann, np.array(["versicolor", "setosa"]), 1, topology=[])
    with torch.no_grad():
        positive = ann.double()(torch.from_numpy(INPUTS.astype(np.float32).astype(float))).numpy()[
            :, 0
        ]
    assert model.ann_ is ann
    assert model.classes_.tolist() == ["setosa", "versicolor"]
    np.testing.assert_allclose(model.predict_proba(INPUTS), np.c_[1 - positive, positive])
