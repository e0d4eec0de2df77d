"""Training one network: Adam and backpropagation as written on paper, early stopping, and what is
returned.
"""

import math

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import global_seed, one_hot
from torch import nn

from practica import build_class_ann, train_class_ann
from practica.reference.network import loss_of
from practica.reference.training import StoppingRule

EPSILON = 2.0**-23


def problem(C: int, *, N: int = 12, L: int = 3, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Make patterns without any rule behind them, and targets of 1 or C >= 3 columns."""
    generator = np.random.default_rng(seed)
    inputs = generator.normal(size=(N, L)).astype(np.float32)
    numbers = generator.permutation(np.arange(N) % max(C, 2))
    return inputs, (numbers == 0)[:, None] if C == 1 else one_hot(numbers, C)


TRAINING, VALIDATION, TEST = (problem(1, seed=seed) for seed in (1, 2, 3))


def weights(ann: nn.Sequential) -> list[np.ndarray]:
    """Copy weights and biases, layer by layer."""
    return [parameter.detach().numpy().copy() for parameter in ann.parameters()]


def loss(ann: nn.Sequential, dataset: tuple[np.ndarray, np.ndarray]) -> float:
    """Compute the loss of a network on a set of patterns."""
    inputs, targets = (torch.from_numpy(part.astype(np.float32)) for part in dataset)
    with torch.no_grad():
        return loss_of(targets.shape[1])(ann(inputs), targets).item()


def assert_same_training(one, other):
    """Check that two trainings gave the same losses and the same network, bit by bit."""
    for a, b in zip(one[1:], other[1:], strict=True):
        np.testing.assert_array_equal(a, b)
    for a, b in zip(weights(one.ann), weights(other.ann), strict=True):
        np.testing.assert_array_equal(a, b)


# --- the step -------------------------------------------------------------------------------------


def numpy_loss_and_gradient(parameters, X, Y):
    """Loss of Flux and its gradient by the chain rule, for sigmoid hidden layers, in double
    precision.
    """
    layers = list(zip(parameters[::2], parameters[1::2], strict=True))
    signals = [X]
    for W, b in layers[:-1]:
        signals.append(1 / (1 + np.exp(-(signals[-1] @ W.T + b))))
    W, b = layers[-1]
    z = signals[-1] @ W.T + b
    if Y.shape[1] == 1:
        P = 1 / (1 + np.exp(-z))
        value = -(Y * np.log(P + EPSILON) + (1 - Y) * np.log(1 - P + EPSILON)).mean()
        delta = (-Y / (P + EPSILON) + (1 - Y) / (1 - P + EPSILON)) * P * (1 - P) / len(X)
    else:
        P = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
        value = -(Y * np.log(P + EPSILON)).sum(axis=1).mean()
        slope = -Y / (P + EPSILON) / len(X)
        delta = P * (slope - (slope * P).sum(axis=1, keepdims=True))
    gradient = []
    for (W, _), signal in zip(reversed(layers), reversed(signals), strict=True):
        gradient[:0] = [delta.T @ signal, delta.sum(axis=0)]
        delta = delta @ W * signal * (1 - signal)
    return value, gradient


def numpy_adam(parameters, X, Y, *, learningRate, epochs):
    """Train with Adam as published, betas 0.9 and 0.999: the losses from epoch 0 on, and the last
    parameters.
    """
    parameters = [p.astype(float) for p in parameters]
    m, v = ([np.zeros_like(p) for p in parameters] for _ in range(2))
    losses = []
    for t in range(1, epochs + 1):
        value, gradient = numpy_loss_and_gradient(parameters, X, Y)
        losses.append(value)
        for i, g in enumerate(gradient):
            m[i] = 0.9 * m[i] + 0.1 * g
            v[i] = 0.999 * v[i] + 0.001 * g**2
            parameters[i] -= (
                learningRate * (m[i] / (1 - 0.9**t)) / (np.sqrt(v[i] / (1 - 0.999**t)) + 1e-8)
            )
    return [*losses, numpy_loss_and_gradient(parameters, X, Y)[0]], parameters


@pytest.mark.parametrize("C", [1, 3, 4])
@pytest.mark.parametrize("topology", [[], [4], [4, 3]])
@pytest.mark.parametrize("learningRate", [0.01, 0.3])
def test_an_epoch_is_one_step_of_adam_along_the_mean_gradient(C, topology, learningRate):
    """Twelve epochs against double precision: losses and weights within 1e-4, some hundred
    roundings of float32.
    """
    inputs, targets = problem(C)
    initial = weights(build_class_ann(3, topology, C, random_state=5))
    losses, parameters = numpy_adam(
        initial, inputs, targets.astype(float), learningRate=learningRate, epochs=12
    )
    trained = train_class_ann(
        topology, (inputs, targets), maxEpochs=12, learningRate=learningRate, random_state=5
    )
    np.testing.assert_allclose(trained.trainingLosses, losses, atol=1e-4)
    for ours, expected in zip(weights(trained.ann), parameters, strict=True):
        np.testing.assert_allclose(ours, expected, atol=1e-4)


def test_the_first_step_moves_each_weight_by_the_learning_rate():
    """Adam divides the gradient by its own size."""
    before = weights(build_class_ann(3, [4], 1, random_state=5))
    after = weights(
        train_class_ann([4], TRAINING, maxEpochs=1, learningRate=0.125, random_state=5).ann
    )
    for old, new in zip(before, after, strict=True):
        np.testing.assert_allclose(np.abs(new - old), 0.125, atol=1e-4)


@given(copies=st.integers(2, 4))
@settings(max_examples=3)
def test_copies_of_all_patterns_change_nothing(copies):
    """The gradient is of the mean loss, not of the sum."""
    inputs, targets = TRAINING
    once = train_class_ann([4], TRAINING, maxEpochs=8, random_state=5)
    more = train_class_ann(
        [4],
        (np.tile(inputs, (copies, 1)), np.tile(targets, (copies, 1))),
        maxEpochs=8,
        random_state=5,
    )
    np.testing.assert_allclose(more.trainingLosses, once.trainingLosses, atol=1e-5)  # fmt: skip


# --- the losses -----------------------------------------------------------------------------------


@pytest.mark.parametrize("C", [1, 3])
def test_the_losses_begin_with_the_untrained_network(C):
    """And end with the last one: epochs + 1 values for each set."""
    sets = [problem(C, seed=seed) for seed in (1, 2, 3)]
    untrained = build_class_ann(3, [4], C, random_state=5)
    trained = train_class_ann(
        [4], sets[0], validationDataset=sets[1], testDataset=sets[2], maxEpochs=7, random_state=5
    )  # fmt: skip
    for losses, dataset in zip(trained[1:], sets, strict=True):
        assert losses.shape == (8,)
        assert losses.dtype == np.float32
        assert losses[0] == pytest.approx(loss(untrained, dataset), abs=1e-6)


@pytest.mark.parametrize(
    "empty", [None, (np.zeros((0, 0)), np.zeros((0, 0), bool)), (np.zeros((0, 3)), [])]
)
def test_a_missing_set_has_no_losses(empty):
    """None, or inputs without elements."""
    trained = train_class_ann(
        [4], TRAINING, validationDataset=empty, testDataset=empty, maxEpochs=3, random_state=5
    )
    assert [values.shape for values in trained[1:]] == [(4,), (0,), (0,)]
    assert trained.validationLosses.dtype == trained.testLosses.dtype == np.float32
    assert_same_training(trained, train_class_ann([4], TRAINING, maxEpochs=3, random_state=5))


def test_the_losses_are_taken_after_each_step():
    """Trained for n epochs, a network has the loss that a longer training records at its epoch
    n.
    """
    losses = train_class_ann(
        [4], TRAINING, maxEpochs=6, learningRate=0.1, random_state=5
    ).trainingLosses
    for epochs, expected in enumerate(losses):
        shorter = train_class_ann([4], TRAINING, maxEpochs=epochs, learningRate=0.1, random_state=5)
        np.testing.assert_array_equal(shorter.trainingLosses, losses[: epochs + 1])
        assert loss(shorter.ann, TRAINING) == pytest.approx(expected, abs=1e-6)


def test_the_test_set_is_only_watched():
    """Another one, or none, and the training is the same.

    Its losses are those of the same networks.
    """
    options = {
        "validationDataset": VALIDATION,
        "maxEpochs": 10,
        "learningRate": 0.3,
        "random_state": 5,
    }
    without = train_class_ann([4], TRAINING, **options)
    for dataset in (TEST, (TEST[0] * 100, ~TEST[1]), VALIDATION):
        trained = train_class_ann([4], TRAINING, testDataset=dataset, **options)
        assert len(trained.testLosses) == len(without.trainingLosses)
        assert_same_training(trained._replace(testLosses=without.testLosses), without)
    np.testing.assert_array_equal(trained.testLosses, trained.validationLosses)


def test_the_validation_set_decides_only_when_to_stop():
    """The losses up to there are those of a training without it."""
    with_it = train_class_ann(
        [4],
        TRAINING,
        validationDataset=VALIDATION,
        maxEpochs=60,
        maxEpochsVal=3,
        learningRate=0.3,
        random_state=5,
    )
    epochs = len(with_it.trainingLosses)
    assert epochs < 61
    without = train_class_ann([4], TRAINING, maxEpochs=60, learningRate=0.3, random_state=5)
    np.testing.assert_array_equal(with_it.trainingLosses, without.trainingLosses[:epochs])


# --- when training ends, on losses from a script --------------------------------------------------

LOSSES = st.lists(st.integers(0, 6).map(lambda sixths: sixths / 6), min_size=31, max_size=31)


def follow(training, validation=None, **limits) -> StoppingRule:
    """Let a rule read losses until it ends the training, which it must do before they run out."""
    rule = StoppingRule(**{"maxEpochs": 30, "minLoss": 0.0, "maxEpochsVal": 40, **limits})
    for epoch, value in enumerate(training):
        rule.observe(value, None if validation is None else validation[epoch])
        if not rule.goes_on():
            return rule
    raise AssertionError("training did not end")


@given(
    training=LOSSES,
    validation=LOSSES,
    maxEpochs=st.integers(0, 30),
    minLoss=st.sampled_from([0.0, 1 / 6, 0.5]),
    maxEpochsVal=st.integers(0, 10),
)
def test_training_ends_at_the_first_criterion_that_holds(
    training, validation, maxEpochs, minLoss, maxEpochsVal
):
    """At the end one of the three holds, before it none did, and the lowest validation loss seen is
    the best.
    """
    rule = follow(
        training, validation, maxEpochs=maxEpochs, minLoss=minLoss, maxEpochsVal=maxEpochsVal
    )
    for epoch in range(rule.epoch + 1):
        best = validation.index(min(validation[: epoch + 1]))  # the first of several equal ones
        ends = epoch == maxEpochs or training[epoch] <= minLoss or epoch - best >= maxEpochsVal
        assert ends == (epoch == rule.epoch)
    assert rule.best_epoch == best


@given(training=LOSSES, maxEpochs=st.integers(0, 30), maxEpochsVal=st.integers(0, 3))
def test_without_validation_losses_the_last_network_is_the_best(training, maxEpochs, maxEpochsVal):
    """And the patience plays no part."""
    rule = follow(training, maxEpochs=maxEpochs, maxEpochsVal=maxEpochsVal)
    assert rule.best_epoch == rule.epoch
    assert rule.epoch == min(
        [maxEpochs, *(epoch for epoch, value in enumerate(training) if value <= 0)]
    )


@given(validation=LOSSES, maxEpochsVal=st.integers(0, 10))
def test_observing_tells_the_network_to_keep(validation, maxEpochsVal):
    """True at each strictly lower validation loss, the first included."""
    rule = StoppingRule(maxEpochs=30, minLoss=0.0, maxEpochsVal=maxEpochsVal)
    kept = [rule.observe(1.0, value) for value in validation]
    assert kept == [
        all(value < earlier for earlier in validation[:epoch])
        for epoch, value in enumerate(validation)
    ]


def test_a_training_loss_that_is_nan_ends_the_training():
    """NaN is not above any limit."""
    assert follow([math.nan, 0.5]).epoch == 0


# --- when training ends, in fact ------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("maxEpochsVal", [1, 3])
def test_the_network_of_the_lowest_validation_loss_is_returned(seed, maxEpochsVal):
    """A copy of it, although the training went on: it has that loss, and not a later one."""
    trained = train_class_ann(
        [4],
        TRAINING,
        validationDataset=VALIDATION,
        maxEpochsVal=maxEpochsVal,
        learningRate=0.5,
        random_state=seed,
    )
    best = int(trained.validationLosses.argmin())
    assert len(trained.validationLosses) - 1 == best + maxEpochsVal
    assert loss(trained.ann, VALIDATION) == pytest.approx(trained.validationLosses[best], abs=1e-6)
    assert loss(trained.ann, TRAINING) == pytest.approx(trained.trainingLosses[best], abs=1e-6)
    assert loss(trained.ann, VALIDATION) < trained.validationLosses[-1]


@pytest.mark.parametrize("criterion", ["maxEpochs", "minLoss"])
def test_whatever_ends_the_training_the_best_network_is_returned(criterion):
    """Also when patience was not what ended it."""
    options = {
        "validationDataset": VALIDATION,
        "learningRate": 0.5,
        "random_state": 5,
        "maxEpochsVal": 99,
    }
    longer = train_class_ann([4], TRAINING, maxEpochs=20, **options)
    best = int(longer.validationLosses.argmin())
    end = next(
        e for e in range(best + 1, 21) if longer.trainingLosses[e] < longer.trainingLosses[:e].min()
    )
    limit = {"maxEpochs": end, "minLoss": float(longer.trainingLosses[end])}[criterion]
    trained = train_class_ann([4], TRAINING, **{"maxEpochs": 20, **options, criterion: limit})
    np.testing.assert_array_equal(trained.validationLosses, longer.validationLosses[: end + 1])
    assert loss(trained.ann, VALIDATION) == pytest.approx(longer.validationLosses[best], abs=1e-6)


def test_a_validation_loss_that_never_falls_returns_the_untrained_network():
    """The opposite of the training targets: each epoch makes it worse."""
    inputs, targets = TRAINING
    trained = train_class_ann(
        [4],
        TRAINING,
        validationDataset=(inputs, ~targets),
        learningRate=0.5,
        maxEpochsVal=4,
        random_state=3,
    )
    assert trained.validationLosses.argmin() == 0
    assert len(trained.validationLosses) == 5
    for ours, untrained in zip(
        weights(trained.ann), weights(build_class_ann(3, [4], 1, random_state=3)), strict=True
    ):
        np.testing.assert_array_equal(ours, untrained)


def test_without_a_validation_set_the_last_network_is_returned():
    """Also when an earlier one had a lower loss: the steps are large enough to overshoot."""
    trained = train_class_ann([4], TRAINING, maxEpochs=3, learningRate=20.0, random_state=5)
    assert trained.trainingLosses.argmin() < 3
    assert loss(trained.ann, TRAINING) == pytest.approx(trained.trainingLosses[-1], abs=1e-5)


@pytest.mark.parametrize("limits", [{"maxEpochs": 0}, {"minLoss": math.inf}, {"maxEpochsVal": 0}])
def test_a_limit_that_holds_from_the_start_leaves_the_network_untrained(limits):
    """One loss for each set, and the initial weights."""
    trained = train_class_ann(
        [4], TRAINING, validationDataset=VALIDATION, testDataset=TEST, random_state=5, **limits
    )
    assert [len(values) for values in trained[1:]] == [1, 1, 1]
    for ours, initial in zip(
        weights(trained.ann), weights(build_class_ann(3, [4], 1, random_state=5)), strict=True
    ):
        np.testing.assert_array_equal(ours, initial)


def test_training_ends_when_the_loss_equals_the_limit():
    """The condition to go on is to be above it."""
    losses = train_class_ann([4], TRAINING, maxEpochs=9, random_state=5).trainingLosses
    shorter = train_class_ann([4], TRAINING, maxEpochs=9, minLoss=float(losses[4]), random_state=5)
    np.testing.assert_array_equal(shorter.trainingLosses, losses[:5])


def test_patience_is_ignored_without_a_validation_set():
    """All the epochs are trained."""
    trained = train_class_ann([4], TRAINING, maxEpochs=6, maxEpochsVal=0, random_state=5)
    assert len(trained.trainingLosses) == 7


# --- options and data -----------------------------------------------------------------------------


def test_vectors_are_columns():
    """The same losses and the same network."""
    options = {
        "maxEpochs": 5,
        "learningRate": 0.1,
        "transferFunctions": ["tanh"],
        "maxEpochsVal": 2,
        "random_state": 5,
    }
    sets = (TRAINING, VALIDATION, TEST)
    matrices = train_class_ann(
        [4], sets[0], validationDataset=sets[1], testDataset=sets[2], **options
    )
    sets = [(inputs, targets[:, 0]) for inputs, targets in sets]
    vectors = train_class_ann(
        [4], sets[0], validationDataset=sets[1], testDataset=sets[2], **options
    )
    assert_same_training(vectors, matrices)


@pytest.mark.parametrize(
    "convert",
    [
        lambda inputs, targets: (inputs.tolist(), targets[:, 0].tolist()),
        lambda inputs, targets: (inputs.astype(np.float64), targets),
        lambda inputs, targets: (torch.from_numpy(inputs), torch.from_numpy(targets)),
        lambda inputs, targets: (
            pd.DataFrame(inputs),
            pd.Series(targets[:, 0], index=range(99, 87, -1)),
        ),
        lambda inputs, targets: [np.asfortranarray(inputs), np.repeat(targets, 2, axis=1)[:, ::2]],
    ],
    ids=["lists", "float64", "tensors", "tables", "other layouts"],
)
def test_patterns_of_any_container_train_the_same_network(convert):
    """Lists, doubles, tensors, tables and arrays of any layout."""
    expected = train_class_ann([4], TRAINING, maxEpochs=3, random_state=5)
    assert_same_training(
        train_class_ann([4], convert(*TRAINING), maxEpochs=3, random_state=5), expected
    )


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, bool])
def test_integers_are_inputs_too(dtype):
    """They are converted to float32 like any other."""
    inputs = np.arange(36).reshape(12, 3) % 2
    expected = train_class_ann(
        [4], (inputs.astype(np.float32), TRAINING[1]), maxEpochs=3, random_state=5
    )
    given = train_class_ann([4], (inputs.astype(dtype), TRAINING[1]), maxEpochs=3, random_state=5)
    assert_same_training(given, expected)


def test_the_patterns_are_left_as_they_are():
    """Training only reads them."""
    sets = [(inputs.copy(), targets.copy()) for inputs, targets in (TRAINING, VALIDATION, TEST)]
    train_class_ann([4], sets[0], validationDataset=sets[1], testDataset=sets[2], maxEpochs=4)
    for now, before in zip(sets, (TRAINING, VALIDATION, TEST), strict=True):
        np.testing.assert_array_equal(now[0], before[0])
        np.testing.assert_array_equal(now[1], before[1])


def test_the_transfer_functions_are_those_of_the_network():
    """In their order, and a module is copied: what it learns stays in the network."""
    slope = nn.PReLU()
    trained = train_class_ann(
        [4, 3],
        TRAINING,
        transferFunctions=["tanh", slope],
        maxEpochs=2,
        learningRate=0.5,
        random_state=5,
    )
    assert "tanh" in str(trained.ann[1])
    assert trained.ann[3].weight.item() != slope.weight.item() == 0.25


def test_random_state_repeats_a_training():
    """An int, or numpy's seed once at the top of a program; torch's own generator does not move."""
    state = torch.random.get_rng_state()
    one, again, other = (
        train_class_ann([4], TRAINING, maxEpochs=3, random_state=seed) for seed in (1, 1, 2)
    )
    assert_same_training(one, again)
    assert not np.array_equal(one.trainingLosses, other.trainingLosses)
    with global_seed(1):
        first, second = (train_class_ann([4], TRAINING, maxEpochs=3) for _ in range(2))
    with global_seed(1):
        assert_same_training(train_class_ann([4], TRAINING, maxEpochs=3), first)
        assert_same_training(train_class_ann([4], TRAINING, maxEpochs=3), second)
    assert not np.array_equal(first.trainingLosses, second.trainingLosses)
    assert torch.equal(torch.random.get_rng_state(), state)


# --- refusals -------------------------------------------------------------------------------------

INPUTS, COLUMN = TRAINING
MISSING = np.where(np.arange(36).reshape(12, 3) == 7, np.nan, INPUTS)


@pytest.mark.parametrize(
    ("dataset", "options", "error", "message"),
    [
        (
            (INPUTS, COLUMN[:5]),
            {},
            ValueError,
            "differs: trainingDataset inputs 12, trainingDataset targets 5",
        ),
        ((INPUTS[:0], COLUMN[:0]), {}, ValueError, "trainingDataset has no patterns"),
        ((INPUTS[0], COLUMN), {}, ValueError, r"trainingDataset inputs has shape \(3,\)"),
        (
            (INPUTS, COLUMN.astype(int)),
            {},
            TypeError,
            "trainingDataset targets has elements of type int64",
        ),
        (
            (INPUTS, np.repeat(COLUMN, 2, axis=1)),
            {},
            ValueError,
            "trainingDataset targets has 2 columns",
        ),
        ((MISSING, COLUMN), {}, ValueError, "trainingDataset inputs: row 2, column 1 is nan"),
        (
            (INPUTS.astype(float) * 1e40, COLUMN),
            {},
            ValueError,
            "trainingDataset inputs: row 0, column 0 is .*inf",
        ),
        (INPUTS, {}, TypeError, r"trainingDataset must be a pair \(inputs, targets\)"),
        (
            TRAINING,
            {"validationDataset": (MISSING, COLUMN)},
            ValueError,
            "validationDataset inputs: row 2, column 1",
        ),
        (
            TRAINING,
            {"testDataset": (INPUTS, COLUMN[1:])},
            ValueError,
            "testDataset inputs 12, testDataset targets 11",
        ),
        (
            TRAINING,
            {"testDataset": (INPUTS[:, :2], COLUMN)},
            ValueError,
            "testDataset inputs has 2 columns .* 3",
        ),
        (
            TRAINING,
            {"validationDataset": problem(3)},
            ValueError,
            "validationDataset targets has 3 columns .* 1",
        ),
        (
            TRAINING,
            {"validationDataset": (INPUTS, COLUMN[:, 0])},
            ValueError,
            "all sets must have vectors, or all",
        ),
        (
            TRAINING,
            {"learningRate": 0},
            ValueError,
            r"learningRate=0 is out of range; it must be in \(0, 1e\+36\]",
        ),
        (TRAINING, {"learningRate": "fast"}, TypeError, "learningRate='fast' is a str"),
        (TRAINING, {"maxEpochs": -1}, ValueError, "maxEpochs=-1 is out of range"),
        (TRAINING, {"maxEpochs": 1.5}, TypeError, "maxEpochs=1.5 is a float"),
        (TRAINING, {"maxEpochsVal": -1}, ValueError, "maxEpochsVal=-1"),
        (TRAINING, {"minLoss": math.nan}, ValueError, "minLoss=nan"),
        (
            TRAINING,
            {"transferFunctions": ["tanh", "tanh"]},
            ValueError,
            "transferFunctions has 2 functions",
        ),
    ],
)
def test_train_class_ann_refuses(dataset, options, error, message):
    """The sentence names the set, and its value, shape or row."""
    with pytest.raises(error, match=message):
        train_class_ann([4], dataset, maxEpochs=options.pop("maxEpochs", 1), **options)


def test_a_loss_that_is_not_finite_is_refused_with_its_epoch():
    """A step so large that the next outputs are no numbers."""
    with pytest.raises(
        ValueError,
        match=r"the training loss is nan at epoch 1 with learningRate=1e\+30; use a smaller",
    ):
        train_class_ann(
            [4],
            problem(3),
            transferFunctions=["relu"],
            learningRate=1e30,
            maxEpochs=5,
            random_state=5,
        )
