"""The network with a linear output is a regressor of scikit-learn, and options of both networks
mean what they say.
"""

import numpy as np
import pytest
import torch
from click.testing import CliRunner
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks
from torch import nn

from practica import crossvalidation
from practica.cli import main
from practica.evaluation import ANNClassifier, ANNRegressor, compare, cross_validate_executions

X, Y = load_diabetes(return_X_y=True)
X, Y = StandardScaler().fit_transform(X), (Y - Y.mean()) / Y.std()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Skipping check check_array_api_input")
@parametrize_with_checks(
    [ANNRegressor(maxEpochs=200, learningRate=0.05)],
    expected_failed_checks=lambda _: {
        "check_sample_weight_equivalence_on_dense_data": (
            "sums in another order, in float32, from random weights"
        )
    },
)
def test_the_regressor_passes_every_check_of_scikit_learn(estimator, check):
    """But one, which needs equal networks from patterns in another order."""
    check(estimator)


def test_without_hidden_layers_it_is_ridge_regression():
    """The decay counts weights and biases, the loss is a mean, and at the optimum Adam's steps are
    noise.
    """
    model = ANNRegressor(
        [], weightDecay=0.2, learningRate=0.01, maxEpochs=3000, random_state=1
    ).fit(X, Y)
    ridge = Ridge(alpha=0.1 * len(X)).fit(X, Y)
    np.testing.assert_allclose(model.predict(X), ridge.predict(X), atol=2e-3)
    assert model.loss_curve_[-1] == pytest.approx(np.mean((model.predict(X) - Y) ** 2), rel=1e-4)


def test_its_network_is_a_plain_loop_of_torch():
    """Built, weighed and trained with torch's own loss and optimizer."""
    model = ANNRegressor(
        [4], transferFunctions=["tanh"], weightDecay=0.01, maxEpochs=50, random_state=3
    ).fit(X, Y)
    start = (
        ANNRegressor([4], transferFunctions=["tanh"], maxEpochs=0, random_state=3).fit(X, Y).ann_
    )
    net = nn.Sequential(nn.Linear(10, 4), nn.Tanh(), nn.Linear(4, 1))
    for own, given in zip(net.parameters(), start.parameters(), strict=True):
        own.data = given.detach().clone()
    adam, losses = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=0.01), []
    inputs, targets = (torch.tensor(part, dtype=torch.float32) for part in (X, Y[:, None]))
    for _ in range(51):
        loss = nn.functional.mse_loss(net(inputs), targets)
        losses.append(loss.item())
        adam.zero_grad()
        loss.backward()
        adam.step()
    np.testing.assert_allclose(model.loss_curve_, losses, rtol=1e-5)


def test_early_stopping_weights_and_warm_start_work_as_in_the_classifier():
    """The network of the lowest validation loss is returned; what weighs nothing is left out."""
    model = ANNRegressor(
        [8], validationRatio=0.3, maxEpochsVal=5, learningRate=0.1, random_state=1
    ).fit(X, Y)
    assert model.n_iter_ == np.argmin(model.validation_loss_curve_) + 5
    weights = np.r_[np.ones(200), np.zeros(len(X) - 200)]
    options = {"maxEpochs": 30, "random_state": 2}
    weighed, fewer = (
        ANNRegressor([3], **options).fit(X, Y, weights),
        ANNRegressor([3], **options).fit(X[:200], Y[:200]),
    )
    np.testing.assert_allclose(weighed.predict(X), fewer.predict(X), atol=1e-5)
    again = ANNRegressor([3], warm_start=True, **options).fit(X, Y)
    first = again.loss_curve_[-1]
    assert again.fit(X, Y).loss_curve_[0] == pytest.approx(first, rel=1e-6)


@pytest.mark.parametrize("kind", [ANNClassifier, ANNRegressor])
def test_one_size_and_one_function_mean_what_they_say(kind):
    """8 is [8], and "relu" is that of every hidden layer.

    A cross-validation of many networks knows it too.
    """
    targets = Y > 0 if kind is ANNClassifier else Y
    options = {"maxEpochs": 5, "random_state": 1}
    one = kind(8, **options).fit(X, targets).predict(X)
    np.testing.assert_array_equal(one, kind([8], **options).fit(X, targets).predict(X))
    model = kind([4, 3], transferFunctions="relu", **options).fit(X, targets)
    other = kind([4, 3], transferFunctions=["relu", "relu"], **options).fit(X, targets)
    np.testing.assert_array_equal(model.predict(X), other.predict(X))
    np.testing.assert_array_equal(model.loss_curve_, other.loss_curve_)
    function = kind([4, 3], transferFunctions=torch.relu, **options).fit(X, targets)
    np.testing.assert_array_equal(model.loss_curve_, function.loss_curve_)
    metrics = ["accuracy"] if kind is ANNClassifier else ["r2"]
    folds = crossvalidation(len(X), 3, random_state=1)
    scores = [
        cross_validate_executions(
            each, X, targets, folds, 2, metrics=metrics, random_state=1
        ).scores
        for each in (
            kind(4, transferFunctions="tanh", maxEpochs=5),
            kind([4], transferFunctions=["tanh"], maxEpochs=5),
        )
    ]
    np.testing.assert_array_equal(*scores)


def test_weights_decay_in_a_cross_validation_too():
    """Many networks at once have the scores of one after the other."""
    inputs, labels = load_iris(return_X_y=True)
    folds = crossvalidation(labels, 3, random_state=1)
    model = ANNClassifier([4], weightDecay=0.5, maxEpochs=60, learningRate=0.05)
    together = cross_validate_executions(
        model, inputs, labels, folds, 2, metrics=["neg_log_loss"], random_state=1
    )
    apart = cross_validate_executions(
        make_pipeline(model), inputs, labels, folds, 2, metrics=["neg_log_loss"], random_state=1
    )
    plain = cross_validate_executions(
        ANNClassifier([4], maxEpochs=60, learningRate=0.05),
        *(inputs, labels, folds, 2),
        metrics=["neg_log_loss"],
        random_state=1,
    )
    assert together.scores.mean() < plain.scores.mean()
    assert abs(together.scores.mean() - apart.scores.mean()) < 0.05


@pytest.mark.parametrize("load", [load_breast_cancer, load_iris])
def test_the_decision_function_is_what_the_probabilities_come_from(load):
    """Of two classes the log-odds of the second, of more a column for each.

    The largest is predicted.
    """
    inputs, labels = load(return_X_y=True)
    names = np.array(["x", "b", "m"])[labels]
    model = ANNClassifier([4], maxEpochs=30, learningRate=0.1, random_state=1).fit(
        StandardScaler().fit_transform(inputs), names
    )
    inputs = StandardScaler().fit_transform(inputs)
    scores, probabilities = model.decision_function(inputs), model.predict_proba(inputs)
    if probabilities.shape[1] == 2:
        np.testing.assert_allclose(
            scores, np.log(probabilities[:, 1] / probabilities[:, 0]), rtol=1e-6, atol=1e-9
        )
        np.testing.assert_array_equal(
            model.classes_[(scores > 0).astype(int)], model.predict(inputs)
        )
    else:
        expected = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        np.testing.assert_allclose(probabilities, expected, rtol=1e-6)
        np.testing.assert_array_equal(model.classes_[scores.argmax(axis=1)], model.predict(inputs))


def test_a_device_is_chosen_and_refused_by_name():
    """The processor is the default."""
    options = {"maxEpochs": 5, "random_state": 1}
    plain, named = (
        ANNRegressor([3], **options, **device).fit(X, Y) for device in ({}, {"device": "cpu"})
    )
    np.testing.assert_array_equal(plain.predict(X), named.predict(X))
    with pytest.raises(ValueError, match="device='gpu' is unknown; it must be 'cpu' or 'cuda'"):
        ANNRegressor([3], device="gpu").fit(X, Y)
    labels = np.where(Y > 0, "high", "low")
    with pytest.raises(ValueError, match="device='gpu' is unknown"):
        compare({"ann": ANNClassifier(device="gpu")}, X, labels, crossvalidation(labels, 3))


def test_regressors_are_compared_from_the_command_line(tmp_path, monkeypatch):
    """The network, a linear model and the mean, by R²; beside a classifier they are refused."""
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{a:.4f},{b:.4f},{y:.5f}" for a, b, y in zip(X[:80, 2], X[:80, 8], Y[:80], strict=True)
    ]
    (tmp_path / "t.csv").write_text("\n".join(["a,b,y", *rows, ""]))
    command = [
        "compare",
        "t.csv",
        "--target",
        "y",
        "--folds",
        "3",
        "--executions",
        "2",
        "--seed",
        "1",
    ]
    models = [
        "--model",
        "annr:4,maxEpochs=100,learningRate=0.1",
        "--model",
        "linear",
        "--model",
        "mean",
    ]
    done = CliRunner().invoke(main, [*command, *models, "--html", "page.html"])
    assert done.exit_code == 0, done.output
    assert "r2, the same 3 folds for all models" in done.stdout
    refused = CliRunner().invoke(
        main, [*command, *models, "--model", "knn:1", "--save-folds", "other.csv"]
    )
    assert refused.exit_code == 2
    assert "they cannot be compared" in refused.stderr
