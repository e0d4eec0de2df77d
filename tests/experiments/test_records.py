"""A record keeps every score, and all that is needed to repeat them."""

import io
import json
import math

import numpy as np
import pytest
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from practica import ANNClassifier, crossvalidation
from practica.evaluation.comparison import Comparison, compare
from practica.evaluation.model_scores import ModelScores
from practica.experiments.records import record_of, write
from practica.experiments.tables import shipped
from practica.reference.cross_validation import CrossValidation

IRIS = shipped("iris")
MODELS = {
    "network 2": ANNClassifier([2], maxEpochs=2),
    "bayes": make_pipeline(SimpleImputer(), GaussianNB()),
}


@pytest.fixture(scope="module")
def comparison():
    """Two models on Iris."""
    folds = crossvalidation(IRIS.targets, 2, random_state=1)
    return compare(MODELS, IRIS.inputs, IRIS.targets, folds, 3, random_state=1)


def written(record):
    """Write a record and read it as JSON."""
    file = io.StringIO()
    write(record, file)
    return json.loads(file.getvalue())


def test_the_record_keeps_every_score_and_what_is_needed_to_repeat_it(comparison):
    """Read back, the numbers are exactly those of the comparison."""
    record = written(record_of(comparison, MODELS, IRIS, names={"network 2": "ann", "bayes": "nb"}))
    for name, result in zip(("ann", "nb"), comparison.results.values(), strict=True):
        np.testing.assert_array_equal(record["models"][name]["scores"], result.scores)
        expected = CrossValidation.of(
            result.scores, result.crossValidationIndices, result.classes
        )._asdict()
        assert record["models"][name]["mean"] == {
            metric: pair.mean for metric, pair in expected.items()
        }
        assert record["models"][name]["std"] == {
            metric: pair.std for metric, pair in expected.items()
        }
    assert record["models"]["ann"]["parameters"] == MODELS["network 2"].get_params()
    assert record["crossValidationIndices"] == comparison.crossValidationIndices.tolist()
    assert record["classes"] == ["setosa", "versicolor", "virginica"]
    assert record["metrics"] == [
        "accuracy",
        "errorRate",
        "recall",
        "specificity",
        "PPV",
        "NPV",
        "F1",
    ]
    assert record["settings"] == {"n_executions": 3, "normalization": None, "random_state": 1}
    assert record["data"]["patterns"] == 150
    assert {"practica", "python", "numpy", "torch", "scikit-learn"} == set(record["versions"])


def test_a_parameter_that_json_does_not_know_is_its_text(comparison):
    """A step of a pipeline, and not a number."""
    parameters = written(record_of(comparison, MODELS, IRIS))["models"]["bayes"]["parameters"]
    assert parameters["simpleimputer"] == "SimpleImputer()"
    assert parameters["simpleimputer__missing_values"] == "nan"
    assert parameters["gaussiannb__var_smoothing"] == 1e-09


def test_a_number_that_is_not_finite_becomes_null():
    """JSON has no NaN, and the file must be readable everywhere.

    The mean is that of the folds that have a score.
    """
    scores = np.array([1.0, math.nan]).reshape(2, 1, 1)
    result = ModelScores(
        ("roc_auc",), scores, np.array([1, 2]), deterministic=True, classes=IRIS.targets[:2]
    )
    model = written(record_of(Comparison({"bayes": result}), {"bayes": GaussianNB()}, IRIS))[
        "models"
    ]["bayes"]
    assert (model["mean"], model["std"]) == ({"roc_auc": 1.0}, {"roc_auc": None})
    assert model["scores"] == [[[1.0]], [[None]]]
