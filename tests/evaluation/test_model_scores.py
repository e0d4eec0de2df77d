"""Every score of any estimator: what is kept, who is trained how often, and with which seed."""

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import f1_score, make_scorer, matthews_corrcoef
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info, threadpool_limits

from practica import (
    ANNClassifier,
    ann_cross_validation,
    confusion_matrix,
    crossvalidation,
    model_cross_validation,
)
from practica.evaluation.estimators import is_deterministic
from practica.evaluation.folds import to_splitter
from practica.evaluation.model_scores import cross_validate_executions
from practica.reference.metrics import Metrics
from practica.reference.randomness import SeedTree

INPUTS, NUMBERS = load_iris(return_X_y=True)
SPECIES = np.array(["setosa", "versicolor", "virginica"])[NUMBERS]
FOLDS = crossvalidation(SPECIES, 3, random_state=1)
NETWORK = ANNClassifier([3], maxEpochs=15, validationRatio=0.2)
FOREST = RandomForestClassifier(n_estimators=3)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("normalization", [None, "zeromean"])
def test_a_network_has_the_scores_of_ann_cross_validation(classes, normalization):
    """The same seed draws the same hold-outs and weights, and the seven metrics are the same to the
    last bit.
    """
    some = classes > NUMBERS
    data = INPUTS[some], SPECIES[some][::-1], FOLDS[some]
    options = {"normalization": normalization, "random_state": 7}
    ours = cross_validate_executions(NETWORK, *data, 4, **options)
    theirs = ann_cross_validation(
        [3], *data, numExecutions=4, maxEpochs=15, validationRatio=0.2, **options
    )
    np.testing.assert_array_equal(ours.scores, theirs.scores)
    assert ours.metrics == Metrics._fields
    assert tuple(ours.classes) == theirs.classes
    assert not ours.deterministic


@pytest.mark.parametrize("class_weight", [None, "balanced", {"virginica": 9.0}])
def test_each_network_is_the_one_that_fit_gives_with_the_seed_of_its_place(class_weight):
    """With the ratio of all patterns as a fraction of those of the fold.

    Its classes weigh what they do there.
    """
    some = np.arange(150) % 50 < np.repeat([50, 30, 10], 50)
    inputs, labels, folds = INPUTS[some], SPECIES[some], FOLDS[some]
    network = clone(NETWORK).set_params(class_weight=class_weight)
    result = cross_validate_executions(
        network, inputs, labels, folds, 2, random_state=7, keep_probabilities=True
    )
    seeds = SeedTree(7)
    for fold in (1, 2, 3):
        training = fold != folds
        for execution in (0, 1):
            ratio = 0.2 * len(folds) / np.count_nonzero(training)
            model = clone(network).set_params(
                validationRatio=ratio, random_state=seeds.generator(fold, execution)
            )
            model.fit(inputs[training], labels[training])
            np.testing.assert_allclose(
                result.probabilities[execution, ~training],
                model.predict_proba(inputs[~training]),
                rtol=1e-3,
            )


@pytest.mark.parametrize(
    "model",
    [KNeighborsClassifier(5), SVC(kernel="rbf", C=1, gamma="scale")],
    ids=["kNN", "SVM"],
)
def test_a_model_of_exercise_6_has_the_scores_of_model_cross_validation(model):
    """One execution, normalized in each fold."""
    names = {"KNeighborsClassifier": ["n_neighbors"], "SVC": ["kernel", "C", "gamma"]}[
        type(model).__name__
    ]
    hyperparameters = {name: getattr(model, name) for name in names}
    ours = cross_validate_executions(model, INPUTS, SPECIES, FOLDS, normalization="minmax")
    theirs = model_cross_validation(
        type(model).__name__, hyperparameters, INPUTS, SPECIES, FOLDS, normalization="minmax"
    )
    np.testing.assert_array_equal(ours.scores, theirs.scores)
    assert ours.deterministic


def test_the_scorers_of_scikit_learn_give_what_cross_validate_gives():
    """By their names, or under a name of the user's; the practice's own stay its own."""
    metrics = {
        "hits": "accuracy",
        "f1": "f1_macro",
        "mine": make_scorer(matthews_corrcoef),
        "auc": "roc_auc_ovr",
    }
    ours = cross_validate_executions(GaussianNB(), INPUTS, SPECIES, FOLDS, metrics=metrics)
    theirs = cross_validate(GaussianNB(), INPUTS, SPECIES, cv=to_splitter(FOLDS), scoring=metrics)
    for name in metrics:
        np.testing.assert_allclose(ours.of(name)[:, 0], theirs[f"test_{name}"])
    mixed = cross_validate_executions(
        GaussianNB(), INPUTS, SPECIES, FOLDS, metrics=["F1", "f1_macro", "recall"]
    )
    # the practice's: weighted by class
    np.testing.assert_allclose(mixed.of("recall"), ours.of("hits"))
    np.testing.assert_allclose(mixed.of("f1_macro"), ours.of("f1"))


def test_predictions_and_probabilities_are_those_of_the_fold_that_tests_a_pattern():
    """In the order of the patterns; the classes in order of first appearance."""
    labels = SPECIES[::-1]
    result = cross_validate_executions(
        GaussianNB(), INPUTS, labels, FOLDS, keep_predictions=True, keep_probabilities=True
    )
    predicted = cross_val_predict(GaussianNB(), INPUTS, labels, cv=to_splitter(FOLDS))
    probabilities = cross_val_predict(
        GaussianNB(), INPUTS, labels, cv=to_splitter(FOLDS), method="predict_proba"
    )
    assert result.predictions.tolist() == [predicted.tolist()]
    assert result.classes.tolist() == ["virginica", "versicolor", "setosa"]
    np.testing.assert_allclose(result.probabilities[0], probabilities[:, ::-1])
    assert cross_validate_executions(GaussianNB(), INPUTS, labels, FOLDS).predictions is None


def test_the_scores_of_a_network_follow_from_its_predictions():
    """Each execution is scored on what it predicts in that fold."""
    result = cross_validate_executions(
        NETWORK, INPUTS, SPECIES, FOLDS, 3, random_state=1, keep_predictions=True
    )
    for fold in (1, 2, 3):
        for execution in range(3):
            test = fold == FOLDS
            metrics = confusion_matrix(result.predictions[execution, test], SPECIES[test])
            np.testing.assert_allclose(result.scores[fold - 1, execution], metrics)


def threads_of_blas(*_):
    """Return how many there are now; as a metric, how many a worker has."""
    return max(pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas")


def test_workers_have_one_thread_of_blas_each_and_leave_the_rest_as_it_was():
    """Where scikit-learn sets them in several workers at once, nobody's setting may get lost."""
    with threadpool_limits(2, user_api="blas"):
        for n_jobs in (1, 2):
            result = cross_validate_executions(
                GaussianNB(),
                INPUTS,
                SPECIES,
                FOLDS,
                metrics={"threads": threads_of_blas},
                n_jobs=n_jobs,
            )
            assert (result.scores == (2 if n_jobs == 1 else 1)).all()
            assert threads_of_blas() == 2


def test_a_class_that_a_fold_does_not_train_with_has_no_probability_there():
    """The columns stay those of all classes, also for a network, which knows them all."""
    labels = np.where(FOLDS == 1, "only here", SPECIES)
    labels[FOLDS == 1] = np.where(
        np.arange(np.count_nonzero(FOLDS == 1)) % 2, "only here", SPECIES[FOLDS == 1]
    )
    for model in (GaussianNB(), NETWORK):
        result = cross_validate_executions(
            model,
            INPUTS,
            labels,
            FOLDS,
            1,
            random_state=1,
            keep_probabilities=True,
            metrics=["accuracy"],
        )
        assert result.probabilities.shape == (1, 150, 4)
        np.testing.assert_allclose(result.probabilities.sum(axis=2), 1)
    unseen = cross_validate_executions(GaussianNB(), INPUTS, labels, FOLDS, keep_probabilities=True)
    column = unseen.classes.tolist().index("only here")
    assert (unseen.probabilities[0, FOLDS == 1, column] == 0).all()


@pytest.mark.parametrize(
    ("model", "deterministic"),
    [
        (KNeighborsClassifier(), True),
        (GaussianNB(), True),
        (SVC(), True),
        (SVC(random_state=1), True),
        (LogisticRegression(), True),
        (LogisticRegression(solver="saga"), False),
        (DummyClassifier(), True),
        (DummyClassifier(strategy="uniform"), False),
        (DecisionTreeClassifier(), False),
        (HistGradientBoostingClassifier(early_stopping=False), True),
        (HistGradientBoostingClassifier(), False),
        (HistGradientBoostingClassifier(early_stopping=False, max_features=0.5), False),
        (FOREST, False),
        (RandomForestClassifier(random_state=1), False),
        (ANNClassifier(), False),
        (make_pipeline(StandardScaler(), SVC()), True),
        (make_pipeline(StandardScaler(), ANNClassifier()), False),
        (GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3]}), True),
        (GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 3]}), False),
    ],
    ids=lambda value: None if isinstance(value, bool) else " ".join(str(value).split()),
)
def test_a_model_is_deterministic_if_no_seed_can_change_it(model, deterministic):
    """No `random_state` anywhere in it, or none that it uses."""
    assert is_deterministic(model) is deterministic


@pytest.mark.parametrize("setting", [True, False])
def test_an_svm_with_probabilities_of_its_own_draws_them_by_chance(setting):
    """Where scikit-learn still has that option."""
    assert is_deterministic(SVC(probability=setting)) is not setting


def test_a_deterministic_model_is_trained_once_in_each_fold():
    """More executions would only repeat the same score; σ of the executions is 0."""
    trained = []

    class Counted(KNeighborsClassifier):
        def fit(self, X, y):
            trained.append(len(y))
            return super().fit(X, y)

    result = cross_validate_executions(Counted(), INPUTS, SPECIES, FOLDS, 50, n_jobs=1)
    assert sorted(trained) == sorted(np.count_nonzero(fold != FOLDS) for fold in (1, 2, 3))
    assert result.scores.shape == (3, 1, 7)
    assert result.variance("accuracy").sigma_executions == 0


RANDOM = {
    "pipeline": make_pipeline(StandardScaler(), NETWORK),
    "forest": FOREST,
    "network": NETWORK,
}


@pytest.mark.slow
@pytest.mark.parametrize("model", RANDOM.values(), ids=RANDOM)
def test_each_fold_and_execution_has_a_seed_of_its_own(model):
    """So more executions or other workers change none of the first ones, whatever seed the model
    has.
    """

    def scores(executions, random_state=5, **options):
        return cross_validate_executions(
            model, INPUTS, SPECIES, FOLDS, executions, random_state=random_state, **options
        ).scores

    few, many = scores(2), scores(8)
    np.testing.assert_array_equal(many[:, :2], few)
    np.testing.assert_array_equal(scores(2, n_jobs=3), few)
    assert (many != scores(8, random_state=6)).any()
    assert (many[:, :, 0].std(axis=1) > 0).any()


@pytest.mark.thorough
@pytest.mark.parametrize("name", RANDOM)
def test_other_processes_give_the_same_scores(name):
    """The seed of each place goes with its model."""
    data = RANDOM[name], INPUTS, SPECIES, FOLDS, 2
    here = cross_validate_executions(*data, random_state=5).scores
    with joblib.parallel_config(backend="loky"):
        there = cross_validate_executions(*data, random_state=5, n_jobs=2).scores
    np.testing.assert_array_equal(there, here)


def test_the_seed_of_a_model_is_replaced_and_the_model_left_alone():
    """An integer `random_state` would train the same forest in each execution."""
    model = RandomForestClassifier(n_estimators=2, random_state=3)
    fixed = cross_validate_executions(model, INPUTS, SPECIES, FOLDS, 3, random_state=1)
    free = cross_validate_executions(
        clone(model).set_params(random_state=None), INPUTS, SPECIES, FOLDS, 3, random_state=1
    )
    np.testing.assert_array_equal(fixed.scores, free.scores)
    assert model.random_state == 3
    assert not hasattr(model, "estimators_")


def test_a_table_reaches_the_model_as_a_table():
    """A pipeline may need the names of its columns."""
    table = pd.DataFrame(INPUTS, columns=["a", "b", "c", "d"])
    model = make_pipeline(
        make_column_transformer((StandardScaler(), ["c", "d"])), KNeighborsClassifier(3)
    )
    result = cross_validate_executions(model, table, pd.Series(SPECIES), FOLDS)
    scaled = make_pipeline(StandardScaler(), KNeighborsClassifier(3))
    np.testing.assert_array_equal(
        result.scores, cross_validate_executions(scaled, INPUTS[:, 2:], SPECIES, FOLDS).scores
    )


def test_a_regressor_is_scored_with_metrics_of_regressors():
    """The folds and the variance are the same question."""
    result = cross_validate_executions(
        LinearRegression(), INPUTS[:, :3], INPUTS[:, 3], FOLDS, metrics=["r2"]
    )
    theirs = cross_validate(
        LinearRegression(), INPUTS[:, :3], INPUTS[:, 3], cv=to_splitter(FOLDS), scoring="r2"
    )
    np.testing.assert_allclose(result.of("r2")[:, 0], theirs["test_score"])
    assert len(result.classes) == 0


def test_what_a_regressor_predicts_is_not_rounded_to_the_kind_of_its_targets():
    """Whole numbers as targets have predictions between them."""
    data = INPUTS, NUMBERS
    result = cross_validate_executions(
        LinearRegression(), *data, FOLDS, metrics=["r2"], keep_predictions=True
    )
    theirs = cross_val_predict(LinearRegression(), *data, cv=to_splitter(FOLDS))
    np.testing.assert_allclose(result.predictions[0], theirs)


def test_progress_counts_the_trainings():
    """Up to all of them."""
    seen = []
    cross_validate_executions(
        FOREST, INPUTS, SPECIES, FOLDS, 4, progress=lambda *counts: seen.append(counts)
    )
    assert seen[-1] == (12, 12)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (
            ("svm", INPUTS, SPECIES, FOLDS),
            {},
            TypeError,
            r"model='svm' is a str; it must be an estimator",
        ),
        ((SVC, INPUTS, SPECIES, FOLDS), {}, TypeError, r"is a class; make an object of it"),
        (
            (SVC(), INPUTS, SPECIES, FOLDS),
            {"metrics": "accuracy"},
            TypeError,
            r"is a single name; it must be a list",
        ),
        (
            (SVC(), INPUTS, SPECIES, FOLDS),
            {"metrics": ["acuracy"]},
            ValueError,
            r"unknown; did you mean 'accuracy'\?",
        ),
        ((SVC(), INPUTS, SPECIES, FOLDS), {"metrics": []}, ValueError, r"metrics is empty"),
        (
            (SVC(), INPUTS, SPECIES, FOLDS[:9]),
            {},
            ValueError,
            r"X 150, y 150, crossValidationIndices 9",
        ),
        ((SVC(), INPUTS, ["a"] * 150, FOLDS), {}, ValueError, r"targets has one class, 'a'"),
        (
            (SVC(C=-1), INPUTS, SPECIES, FOLDS),
            {},
            ValueError,
            r"execution 1: SVC\(C=-1\) cannot be trained: The",
        ),
        ((SVC(), INPUTS, SPECIES, FOLDS, 0), {}, ValueError, r"n_executions=0 is out of range"),
        (
            (SVC(), INPUTS, SPECIES, FOLDS),
            {"keep_probabilities": True},
            ValueError,
            r"SVC\(\) gives no probabilities",
        ),
        (
            (SVC(), INPUTS, SPECIES, FOLDS),
            {"metrics": ["f1"]},
            ValueError,
            r"metric 'f1' cannot be measured: ",
        ),
        (
            (SVC(), INPUTS, SPECIES, FOLDS),
            {"normalization": "z"},
            ValueError,
            r"normalization='z' is unknown",
        ),
        (
            (LinearRegression(), INPUTS, NUMBERS, FOLDS),
            {},
            ValueError,
            r"is no classifier: name metrics of regressors",
        ),
        (
            (ANNClassifier([0]), INPUTS, SPECIES, FOLDS),
            {},
            ValueError,
            r"topology\[0\]=0 is out of range",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(arguments, options, error, message):
    """It names the culprit and what is allowed."""
    with pytest.raises(error, match=message):
        cross_validate_executions(*arguments, **({"n_jobs": 1} | options))


def test_a_metric_that_was_not_measured_is_refused_with_the_closest_one():
    """Asking for it later cannot bring it back."""
    result = cross_validate_executions(GaussianNB(), INPUTS, SPECIES, FOLDS, metrics=["accuracy"])
    with pytest.raises(
        ValueError, match=r"metric='acuracy' was not measured; did you mean 'accuracy'\?"
    ):
        result.of("acuracy")


@pytest.mark.parametrize("positive", ["setosa", "virginica"])
@pytest.mark.parametrize(
    "model", [LogisticRegression(), ANNClassifier([2], maxEpochs=60, learningRate=0.1)]
)
def test_the_positive_class_is_that_of_the_seven_and_of_every_scorer(model, positive):
    """Precision and recall of scikit-learn are PPV and recall; the others do not change."""
    two = NUMBERS != 1
    data = INPUTS[two][:, :1], SPECIES[two], FOLDS[two]
    metrics = [
        *Metrics._fields,
        "precision",
        "recall",
        "f1",
        "f1_macro",
        "roc_auc",
        "neg_log_loss",
        "average_precision",
    ]
    options = {"normalization": "zeromean", "random_state": 1}
    result = cross_validate_executions(
        model, *data, 2, metrics=metrics, positive=positive, **options
    )
    for seven, scorer in (("PPV", "precision"), ("recall", "recall"), ("F1", "f1")):
        np.testing.assert_allclose(result.of(seven), result.of(scorer), atol=1e-12)
    assert result.classes[0] == positive
    shares = [(SPECIES[two][FOLDS[two] == fold] == positive).mean() for fold in (1, 2, 3)]
    assert (shares <= result.of("average_precision").T).all()  # it is worth more than guessing
    both = ["recall", "specificity"]
    first = cross_validate_executions(model, *data, 2, metrics=both, positive="setosa", **options)
    np.testing.assert_array_equal(
        result.of("recall"), first.of("recall" if positive == "setosa" else "specificity")
    )


def test_a_positive_class_must_be_one_of_two():
    """The sentence names the classes."""
    with pytest.raises(
        ValueError,
        match=r"positive='setosa' must be one of two classes; these are \['setosa', 'versi",
    ):
        cross_validate_executions(GaussianNB(), INPUTS, SPECIES, FOLDS, positive="setosa")


def test_what_a_scorer_says_of_its_positive_class_stays():
    """It was the user who said it."""
    two = NUMBERS != 1
    metrics = {"f1": make_scorer(f1_score, pos_label="setosa")}
    options = {"metrics": metrics, "positive": "virginica"}
    result = cross_validate_executions(
        DummyClassifier(), INPUTS[two], SPECIES[two], FOLDS[two], **options
    )
    assert result.of("f1").mean() > 0  # a tie goes to the first in the alphabet
