"""Several models on the same folds of one table."""

import numpy as np
import pytest

from practica import ann_cross_validation, crossvalidation, model_cross_validation
from practica.experiments.experiment import Settings, chosen_models, run
from practica.experiments.tables import Table, shipped

SETTINGS = Settings(
    topology=(3,),
    folds=3,
    executions=2,
    epochs=5,
    learning_rate=0.01,
    validation_ratio=0.2,
    patience=20,
    normalization="zeromean",
    seed=7,
)


@pytest.fixture(scope="module")
def iris() -> Table:
    """Load Iris."""
    return shipped("iris")


@pytest.fixture(scope="module")
def experiment(iris):
    """All models on Iris."""
    return run(iris, SETTINGS, chosen_models(["tree", "ann", "knn", "svm"], SETTINGS))


def test_the_folds_are_those_of_the_seed(iris, experiment):
    """They can be drawn again with the library alone."""
    expected = crossvalidation(iris.targets, 3, random_state=7)
    np.testing.assert_array_equal(experiment.crossValidationIndices, expected)


def test_every_model_is_tested_on_the_same_folds_in_the_order_asked_for(experiment):
    """Only then can their scores be compared in pairs."""
    assert list(experiment.outcomes) == ["tree", "ann", "knn", "svm"]
    for outcome in experiment.outcomes.values():
        np.testing.assert_array_equal(outcome.result.crossValidationIndices, experiment.crossValidationIndices)
        assert outcome.result.scores.shape == (3, 2 if outcome.model.modelType == "ANN" else 1, 7)
        assert outcome.seconds > 0


def test_the_scores_are_those_of_the_library(iris, experiment):
    """The command line adds nothing of its own to the numbers."""
    folds = experiment.crossValidationIndices
    networks = ann_cross_validation(
        [3],
        iris.inputs,
        iris.targets,
        folds,
        numExecutions=2,
        maxEpochs=5,
        validationRatio=0.2,
        normalization="zeromean",
        random_state=7,
    )
    np.testing.assert_array_equal(experiment.outcomes["ann"].result.scores, networks.scores)
    neighbours = model_cross_validation(
        "KNeighborsClassifier", {"n_neighbors": 5}, iris.inputs, iris.targets, folds, normalization="zeromean"
    )
    np.testing.assert_array_equal(experiment.outcomes["knn"].result.scores, neighbours.scores)


def test_progress_names_the_model_and_ends_when_it_does(iris):
    """The networks come last; each model counts its own trainings."""
    reports = []
    run(iris, SETTINGS, chosen_models(["ann", "tree"], SETTINGS), progress=lambda *report: reports.append(report))
    assert [report for report in reports if report[1] in (0, report[2])] == [
        ("tree, depth 5", 0, 3),
        ("tree, depth 5", 3, 3),
        ("network 3", 0, 6),
        ("network 3", 6, 6),
    ]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("tre", "there is no model 'tre'; did you mean 'tree'?"),
        ("forest", "there is no model 'forest'; the models are ann, knn, svm, tree"),
    ],
)
def test_an_unknown_model_is_refused_with_the_closest_one(name, sentence):
    """Or with all of them, where none is close."""
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 - the whole sentence is compared below
        chosen_models(["ann", name], SETTINGS)
    assert str(refusal.value) == sentence
