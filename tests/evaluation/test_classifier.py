"""The practice's network behaves as a classifier of scikit-learn, and is still the practice's network."""

import pickle

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
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

# scikit-learn tries array-API inputs only where SCIPY_ARRAY_API is set: the check skips itself, and warns of it.
ARRAY_API = "ignore:Skipping check check_array_api_input"


@pytest.mark.filterwarnings(ARRAY_API)
@parametrize_with_checks([ANNClassifier(maxEpochs=100, learningRate=0.1), ANNClassifier((4, 3), validationRatio=0.2)])
def test_it_passes_every_check_of_scikit_learn(estimator, check):
    """None is expected to fail; both with and without a validation set."""
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
    np.testing.assert_allclose(compiled.validation_loss_curve_, looped.validation_loss_curve_, rtol=1e-4)
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
    """Sorted in `classes_` where they can be, otherwise in order of appearance; predictions are of the same type."""
    number = np.arange(60) % len(labels)
    inputs = np.eye(len(labels))[number]
    model = ANNClassifier([], maxEpochs=200, learningRate=0.1, random_state=1).fit(inputs, labels[number])
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
    search = GridSearchCV(pipeline, {"annclassifier__topology": [[], [4], [4, 3]]}, cv=2).fit(INPUTS, NAMES)
    best = search.best_params_["annclassifier__topology"]
    assert best in ([], [4], [4, 3])
    scores = cross_validate(search.best_estimator_, INPUTS, NAMES, cv=3, scoring=["accuracy", "roc_auc_ovr"])
    assert ((scores["test_roc_auc_ovr"] >= 0) & (scores["test_roc_auc_ovr"] <= 1)).all()
    restored = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(restored.predict_proba(INPUTS), search.best_estimator_.predict_proba(INPUTS))
    again = clone(search.best_estimator_).fit(INPUTS, NAMES)
    np.testing.assert_array_equal(again.predict_proba(INPUTS), restored.predict_proba(INPUTS))


def test_a_function_with_parameters_of_its_own_is_trained_with_the_network():
    """What the compiled trainer does not know goes through the loop."""
    model = ANNClassifier([4], transferFunctions=[torch.nn.PReLU()], **QUICK).fit(INPUTS, NAMES)
    assert model.ann_[1].weight.item() != 0.25
    assert len(model.loss_curve_) == model.n_iter_ + 1 == 21


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
        ({}, ["a"] * 150, r"y has one class, 'a'; ANNClassifier needs at least two to classify"),
        ({"topology": [0]}, NAMES, r"topology\[0\]=0 is out of range; it must be at least 1"),
        ({"validationRatio": 1.5}, NAMES, r"validationRatio=1.5 is out of range; it must be in \[0, 1\]"),
        ({"validationRatio": 1}, NAMES, r"validationRatio=1 of 150 patterns leaves none of them to train with"),
        ({"transferFunctions": ["relo"]}, NAMES, r"transferFunctions\[0\]='relo' is unknown; it must be one of"),
        ({"learningRate": 0}, NAMES, r"learningRate=0 is out of range; it must be in \(0, 1e\+36\]"),
        ({"learningRate": 1e30}, NAMES, r"the network: the training loss is .* use a smaller one"),
    ],
)
def test_what_cannot_be_trained_is_refused_with_a_sentence(parameters, labels, message):
    """It names the value and what is allowed, at `fit`: scikit-learn wants constructors that check nothing."""
    with pytest.raises(ValueError, match=message):
        ANNClassifier(**{"transferFunctions": ["identity"], **parameters}).fit(INPUTS, labels)


def test_a_classifier_holds_a_network_that_is_already_trained():
    """Outputs stand for the classes in the order given; the network is not copied."""
    ann = practica.build_class_ann(4, [], 1, random_state=1)
    model = ANNClassifier.holding(ann, np.array(["versicolor", "setosa"]), topology=[])
    with torch.no_grad():
        positive = ann.double()(torch.from_numpy(INPUTS.astype(np.float32).astype(float))).numpy()[:, 0]
    assert model.ann_ is ann
    assert model.classes_.tolist() == ["setosa", "versicolor"]
    np.testing.assert_allclose(model.predict_proba(INPUTS), np.c_[1 - positive, positive])
