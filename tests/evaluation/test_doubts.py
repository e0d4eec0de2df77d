"""A model whose figures are to be doubted is named below the table."""

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from practica.cli import main
from practica.evaluation import ANNClassifier, ANNRegressor, compare
from practica.evaluation.doubts import doubt_lines

X = np.random.default_rng(1).normal(size=(60, 2))
FOLDS = np.arange(60) % 3 + 1
KIND = np.where(np.arange(60) % 4, "common", "rare")  # nothing to learn


@pytest.mark.parametrize(
    ("command", "models"),
    [("cv", ["--models", "knn,svm"]), ("compare", ["--model", "knn:1", "--model", "svm"])],
)
def test_a_classifier_below_the_largest_class_is_named(command, models, tmp_path):
    """Whether that rule is among the models or not.

    The support vector machine is as good as the rule.
    """
    rows = [f"{a:.3f},{b:.3f},{kind}" for (a, b), kind in zip(X, KIND, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["a,b,kind", *rows, ""]))
    done = CliRunner().invoke(
        main, [command, str(tmp_path / "t.csv"), "--target", "kind", *models, "--seed", "1"]
    )
    knn = {"cv": "kNN, k=5", "compare": "knn:1"}[command]
    assert (
        f"{knn} does worse than always predicting the largest class (accuracy 0.75)." in done.stdout
    )


def test_a_regressor_below_the_mean_is_named_and_its_executions_are_never_enough():
    """Whatever the seed, it has learnt nothing."""
    model = {"annr": ANNRegressor([4], maxEpochs=300, learningRate=0.1)}
    comparison = compare(model, X, X[::-1, 0] ** 3, FOLDS, 4, metrics=["r2"], random_state=1)
    assert doubt_lines(comparison, "r2") == [
        "annr does worse than always predicting the mean (r2 0)."
    ]


@pytest.mark.parametrize("ratio", [0, 0.2])
def test_networks_that_validation_could_not_end_are_counted(ratio):
    """In a stack, one by one in a pipeline, and of a quantity; without validation there is none."""
    options = {"maxEpochs": 3, "validationRatio": ratio}
    models = {
        "ann": ANNClassifier([2], **options),
        "pipe": make_pipeline(StandardScaler(), ANNClassifier(**options)),
    }
    classes = compare(models, X, np.where(X[:, 0] > 0, "a", "b"), FOLDS, 2, random_state=1)
    quantities = compare(
        {"annr": ANNRegressor([2], **options)}, X, X[:, 0], FOLDS, 2, metrics=["r2"], random_state=1
    )
    lines = [line for each in (classes, quantities) for line in doubt_lines(each, each.metrics[0])]
    told = [line.partition(": so many")[0] for line in lines if "early stopping" in line]
    assert told == ([] if ratio == 0 else ["ann (100%), pipe (100%)", "annr (100%)"])
