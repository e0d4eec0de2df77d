"""A comparison: the same folds for all, tests on the means of the folds, and a record that repeats
them.
"""

import itertools
import json
import re

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier

from practica import ANNClassifier, crossvalidation
from practica.evaluation import (
    ModelScores,
    corrected_t_test,
    cross_validate_executions,
    holm,
    paired_t_test,
    variance_components,
)
from practica.evaluation.comparison import Comparison, compare, load_comparison
from practica.reference.metrics import Metrics

INPUTS, NUMBERS = load_iris(return_X_y=True)
SPECIES = np.array(["setosa", "versicolor", "virginica"])[NUMBERS]
FOLDS = crossvalidation(SPECIES, 5, random_state=1)
MODELS = {
    "network": ANNClassifier([3], maxEpochs=15),
    "7 neighbours": KNeighborsClassifier(7),
    "lazy": "majority",
}
OPTIONS = {"normalization": "minmax", "random_state": 4}


def scores(values, folds=FOLDS, **changes):
    """Make the scores of a model with one metric out of a list of folds."""
    array = np.array(values, dtype=float).reshape(len(values), -1, 1)
    parts = {
        "metrics": ("accuracy",),
        "crossValidationIndices": folds,
        "deterministic": array.shape[1] == 1,
    }
    return ModelScores(scores=array, classes=np.array(["a", "b"]), **(parts | changes))


@pytest.fixture(scope="module")
def comparison():
    """Three models on Iris."""
    return compare(MODELS, INPUTS, SPECIES, FOLDS, 4, **OPTIONS)


def test_each_model_has_the_scores_it_has_alone(comparison):
    """In the order given; a text stands for its model."""
    assert list(comparison.results) == list(MODELS)
    alone = cross_validate_executions(MODELS["network"], INPUTS, SPECIES, FOLDS, 4, **OPTIONS)
    np.testing.assert_array_equal(comparison.results["network"].scores, alone.scores)
    assert comparison.descriptions["lazy"] == "DummyClassifier()"
    assert comparison.metrics == Metrics._fields
    assert all(seconds > 0 for seconds in comparison.seconds.values())


def test_the_spread_of_each_model_is_split(comparison):
    """With what is known of it: one that trains the same each time has no spread of executions."""
    variances = comparison.variances("F1")
    assert variances["network"] == variance_components(comparison.results["network"].of("F1"))
    assert variances["lazy"].sigma_executions == variances["7 neighbours"].sigma_executions == 0


def test_the_differences_are_tested_on_the_means_of_the_folds(comparison):
    """Against the best.

    Corrected, adjusted for all pairs, for any of them might have been shown, and plain.
    """
    means = {name: result.of("recall").mean(axis=1) for name, result in comparison.results.items()}
    best = max(means, key=lambda name: means[name].mean())
    assert comparison.best("recall") == best
    differences = comparison.differences("recall", region=0.02)
    assert [difference.model for difference in differences] == [
        name for name in MODELS if name != best
    ]
    tests = [
        corrected_t_test(means[row.model], means[best], test_to_train=1 / 4) for row in differences
    ]
    assert [row.corrected for row in differences] == tests
    others = [row.model for row in differences]
    elsewhere = [
        corrected_t_test(means[first], means[second], test_to_train=1 / 4).p_value
        for first, second in itertools.combinations(others, 2)
    ]
    adjusted = holm([*(test.p_value for test in tests), *elsewhere]).tolist()
    assert [row.holm for row in differences] == adjusted[: len(tests)]
    named = comparison.differences("recall", region=0.02, reference=best)
    assert [row.corrected for row in named] == tests
    assert [row.holm for row in named] == holm([test.p_value for test in tests]).tolist()
    assert [row.plain for row in differences] == [
        paired_t_test(means[row.model], means[best]) for row in differences
    ]
    assert [row.probabilities for row in differences] == [
        test.probabilities(0.02) for test in tests
    ]


def test_a_reference_can_be_named_beforehand(comparison):
    """Then the best is one of the others."""
    network, neighbours = comparison.differences(reference="lazy")
    assert network.reference == neighbours.reference == "lazy"
    assert neighbours.corrected.mean > 0
    assert neighbours.probabilities.better > 0.99
    with pytest.raises(
        ValueError, match=r"reference='lazzy' is no model of this comparison; did you mean 'lazy'\?"
    ):
        comparison.differences(reference="lazzy")


def test_of_errors_the_lowest_is_best(comparison):
    """The same model as by accuracy; better and worse change places with the sign."""
    assert comparison.best("errorRate") == comparison.best("accuracy")
    for error, accuracy in zip(
        comparison.differences("errorRate"), comparison.differences("accuracy"), strict=True
    ):
        np.testing.assert_allclose(error.corrected.mean, -accuracy.corrected.mean)
        np.testing.assert_allclose(error.probabilities, accuracy.probabilities, atol=1e-12)


def test_a_model_alone_has_nothing_to_be_compared_with():
    """It is the best."""
    alone = Comparison({"a": scores([0.5, 0.6])})
    assert alone.best() == "a"
    assert alone.differences() == []


def test_models_that_do_not_differ_have_no_test():
    """The reason is there in place of a p-value, and Holm counts it."""
    same, other = [0.5, 0.6, 0.7, 0.8, 0.9], [0.3, 0.5, 0.4, 0.6, 0.5]
    comparison = Comparison({"a": scores(same), "b": scores(same), "c": scores(other)})
    equal, lower = comparison.differences()
    assert np.isnan(equal.holm)
    assert (
        equal.corrected.reason == "all 5 differences are 0: without any spread there is no t-test"
    )
    assert lower.holm == pytest.approx(3 * lower.corrected.p_value)
    _, named = comparison.differences(reference="a")
    assert named.holm == pytest.approx(2 * lower.corrected.p_value)


def test_scores_on_different_folds_are_refused():
    """They cannot be paired; the sentence names both models."""
    other = crossvalidation(SPECIES, 5, random_state=2)
    with pytest.raises(
        ValueError, match=r"'a' and 'b' were tested on different folds \(pattern \d+ in fold"
    ):
        Comparison({"a": scores([0.5] * 5), "b": scores([0.6] * 5, other)})
    with pytest.raises(ValueError, match="'a' was tested on 150 patterns and 'b' on 149"):
        Comparison({"a": scores([0.5] * 5), "b": scores([0.6] * 5, FOLDS[1:])})
    with pytest.raises(ValueError, match="all models need the same metrics"):
        Comparison({"a": scores([0.5] * 5), "b": scores([0.6] * 5, metrics=("F1",))})
    with pytest.raises(ValueError, match="there are no models"):
        Comparison({})


def test_models_without_names_are_named_by_what_they_are():
    """Their text, or what an estimator prints."""
    comparison = compare([" knn:3 ", KNeighborsClassifier(9)], INPUTS, SPECIES, FOLDS)
    assert list(comparison.results) == ["knn:3", "KNeighborsClassifier(n_neighbors=9)"]
    with pytest.raises(ValueError, match="model 'bayes' is given twice"):
        compare(["bayes", "bayes"], INPUTS, SPECIES, FOLDS)
    with pytest.raises(TypeError, match="models='bayes' is a single text; it must be a list"):
        compare("bayes", INPUTS, SPECIES, FOLDS)


def test_regressors_are_compared_like_classifiers():
    """With metrics of their own."""
    comparison = compare([LinearRegression()], INPUTS[:, :3], INPUTS[:, 3], FOLDS, metrics=["r2"])
    assert comparison.best("r2") == "LinearRegression()"


def test_networks_are_trained_last():
    """What is wrong with the data shows in the quick models."""
    seen = []
    compare(MODELS, INPUTS, SPECIES, FOLDS, 1, progress=lambda name, *_: seen.append(name))
    assert seen[-1] == "network"
    assert set(seen[: seen.index("network")]) == {"7 neighbours", "lazy"}


def written(record, path):
    """Write a record to a file and return where."""
    path.write_text(json.dumps(record), encoding="utf-8")
    return path


def test_the_record_read_back_repeats_the_tests_with_identical_numbers(comparison, tmp_path):
    """Every score is kept to the last bit."""
    again = load_comparison(written(comparison.record(), tmp_path / "record.json"))
    for metric in Metrics._fields:
        assert again.variances(metric) == comparison.variances(metric)
        assert again.best(metric) == comparison.best(metric)
        assert again.differences(metric) == comparison.differences(metric)
    assert again.seconds == comparison.seconds
    assert again.descriptions == comparison.descriptions
    assert again.settings == {"n_executions": 4, **OPTIONS}
    assert again.record() == comparison.record()


def test_results_of_two_days_can_be_put_together(comparison, tmp_path):
    """Because they were made on the same vector."""
    later = compare(
        ["bayes"], INPUTS, SPECIES, comparison.crossValidationIndices, normalization="minmax"
    )
    earlier = load_comparison(written(comparison.record(), tmp_path / "record.json"))
    together = Comparison({**earlier.results, **later.results})
    assert [row.model for row in together.differences(reference="bayes")] == list(MODELS)


def test_a_score_that_is_not_a_number_stays_one(tmp_path):
    """JSON has null for it."""
    comparison = Comparison({"a": scores([0.5, np.nan])})
    record = comparison.record()
    assert record["models"]["a"]["scores"] == [[[0.5]], [[None]]]
    folds = np.array([1, 2])
    comparison = Comparison({"a": scores([0.5, np.nan], folds)})
    again = load_comparison(written(comparison.record(), tmp_path / "record.json"))
    np.testing.assert_array_equal(again.results["a"].scores, [[[0.5]], [[np.nan]]])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda record: record["crossValidationIndices"].reverse(),
            "its folds are not those of its sha256",
        ),
        (
            lambda record: record.pop("models"),
            "is not the record of a comparison: KeyError('models') is missing",
        ),
        (lambda record: record.update(models=[]), "is not the record of a comparison: "),
        (
            lambda record: record["models"]["lazy"]["scores"].pop(),
            "scores of shape (4, 1, 7) do not fit 5 folds",
        ),
        (lambda record: record["metrics"].pop(), "do not fit 5 folds and the metrics"),
    ],
    ids=["other folds", "no models", "another kind", "a fold less", "a metric less"],
)
def test_a_record_that_was_changed_is_refused(comparison, tmp_path, change, sentence):
    """By the name of its file."""
    record = comparison.record()
    change(record)
    with pytest.raises(ValueError, match=rf"^record\.json:? .*{re.escape(sentence)}"):
        load_comparison(written(record, tmp_path / "record.json"))


def test_what_is_no_record_is_refused(tmp_path):
    """With a sentence, not with the parser's."""
    for content in (b"accuracy;0.9", b"\xff\xfe", b"3"):
        (tmp_path / "record.json").write_bytes(content)
        with pytest.raises(ValueError, match=r"record\.json is not "):
            load_comparison(tmp_path / "record.json")


def test_the_index_vector_is_checked_once_for_all_models():
    """Each check converts it to an array; three models and the comparison share one conversion."""

    class Counted:
        conversions = 0

        def __array__(self, dtype=None, copy=None):
            self.conversions += 1
            return np.array([1, 2, 1, 2])

    folds = Counted()
    X, y = [[0.0], [0.1], [1.0], [1.1]], ["a", "a", "b", "b"]
    compare(["knn:1", "majority", "tree", "ann:"], X, y, folds, 1, random_state=1)
    assert folds.conversions == 1
