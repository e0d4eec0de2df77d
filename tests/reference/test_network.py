"""The practice's network: its layers, its initial weights and its losses."""

import itertools
import pickle

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2
from strategies import SEEDS, global_seed
from torch import nn

from practica import build_class_ann
from practica.reference.network import (
    ACTIVATIONS,
    Activation,
    binary_crossentropy,
    crossentropy,
    glorot_uniform,
    loss_of,
)

TOPOLOGIES = st.lists(st.integers(1, 5), max_size=3)
SIZES = st.integers(1, 5)

BY_NUMPY = {
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0),
    "identity": lambda x: x,
}


def linear_layers(ann: nn.Sequential) -> list[nn.Linear]:
    """List the layers with weights."""
    return [layer for layer in ann if isinstance(layer, nn.Linear)]


def patterns(numInputs: int, N: int = 6) -> torch.Tensor:
    """Make some inputs."""
    return torch.from_numpy(np.random.default_rng(1).normal(size=(N, numInputs)).astype(np.float32))


# --- layers ---------------------------------------------------------------------------------------


@given(numInputs=SIZES, topology=TOPOLOGIES, numOutputs=SIZES, seed=SEEDS)
def test_the_layers_have_the_sizes_of_the_topology(numInputs, topology, numOutputs, seed):
    """A linear layer and a function for each hidden layer, then the output's; all in float32."""
    ann = build_class_ann(numInputs, topology, numOutputs, random_state=seed)
    sizes = [numInputs, *topology, numOutputs]
    shapes = [(layer.in_features, layer.out_features) for layer in linear_layers(ann)]
    assert shapes == list(itertools.pairwise(sizes))
    assert len(ann) == 2 * len(topology) + 2
    assert isinstance(ann[-1], nn.Sigmoid if numOutputs == 1 else nn.Softmax)
    assert {parameter.dtype for parameter in ann.parameters()} == {torch.float32}


@given(numInputs=SIZES, topology=TOPOLOGIES, numOutputs=SIZES, seed=SEEDS)
def test_the_outputs_are_probabilities(numInputs, topology, numOutputs, seed):
    """One for each pattern, or a row that sums to 1."""
    ann = build_class_ann(numInputs, topology, numOutputs, random_state=seed)
    outputs = ann(patterns(numInputs)).detach().numpy()
    assert outputs.shape == (6, numOutputs)
    assert ((outputs > 0) & (outputs < 1)).all()
    if numOutputs > 1:
        np.testing.assert_allclose(outputs.sum(axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("numOutputs", [1, 2, 3])
@pytest.mark.parametrize("names", [[], ["tanh"], ["relu", "sigmoid"], ["identity", "tanh", "relu"]])
def test_a_network_computes_what_its_layers_say(names, numOutputs):
    """Weights, bias and function of each hidden layer.

    A sigmoid or a softmax, and no other function, at the end.
    """
    topology = [4, 3, 2][: len(names)]
    ann = build_class_ann(3, topology, numOutputs, transferFunctions=names, random_state=1)
    signal = patterns(3).numpy().astype(float)
    for name, layer in zip([*names, "identity"], linear_layers(ann), strict=True):
        signal = BY_NUMPY[name](
            signal @ layer.weight.detach().numpy().T + layer.bias.detach().numpy()
        )
    positive = np.exp(signal)
    expected = (
        positive / (1 + positive)
        if numOutputs == 1
        else positive / positive.sum(axis=1, keepdims=True)
    )
    np.testing.assert_allclose(ann(patterns(3)).detach().numpy(), expected, atol=1e-6)


def test_hidden_layers_are_sigmoid_by_default():
    """As with a list of sigmoids."""
    default = build_class_ann(3, [4, 2], 3, random_state=1)
    given = build_class_ann(3, [4, 2], 3, transferFunctions=["sigmoid"] * 2, random_state=1)
    assert torch.equal(default(patterns(3)), given(patterns(3)))


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_a_function_can_be_given_by_its_name_or_itself(name):
    """As text, as torch's function, or as a module."""
    modules = {"sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "relu": nn.ReLU, "identity": nn.Identity}
    outputs = [
        build_class_ann(3, [4], 1, transferFunctions=[function], random_state=1)(patterns(3))
        for function in (name, ACTIVATIONS[name], modules[name]())
    ]
    assert all(torch.equal(other, outputs[0]) for other in outputs)


def test_any_function_of_a_tensor_will_do():
    """Written by the user, too."""
    ann = build_class_ann(3, [4], 1, transferFunctions=[lambda x: x * 0], random_state=1)
    np.testing.assert_array_equal(ann(patterns(3)).detach().numpy(), np.full((6, 1), 0.5))


def test_a_module_is_copied_so_that_networks_share_no_parameters():
    """A PReLU learns its slope: each layer and each network its own, and the caller's stays as it
    was.
    """
    given = nn.PReLU()
    networks = [
        build_class_ann(3, [4, 4], 1, transferFunctions=[given, given], random_state=seed)
        for seed in (1, 2)
    ]
    slopes = [layer.weight for ann in networks for layer in ann if isinstance(layer, nn.PReLU)]
    with torch.no_grad():
        slopes[0].fill_(9)
    assert len(slopes) == 4
    assert [slope.item() for slope in [*slopes, given.weight]] == [9, 0.25, 0.25, 0.25, 0.25]


def test_a_network_prints_its_functions_and_travels():
    """Its names are shown; a pickled copy gives the same outputs."""
    ann = build_class_ann(3, [4], 3, transferFunctions=["tanh"], random_state=1)
    assert "(1): Activation(tanh)" in str(ann)
    assert isinstance(ann[1], Activation)
    twin = pickle.loads(pickle.dumps(ann))
    assert torch.equal(twin(patterns(3)), ann(patterns(3)))


@pytest.mark.parametrize(
    ("sizes", "functions", "error", "message"),
    [
        ((0, [2], 1), None, ValueError, "numInputs=0 is out of range; it must be at least 1"),
        ((3, [2], 0), None, ValueError, "numOutputs=0"),
        (
            (3, [2, 0], 1),
            None,
            ValueError,
            r"topology\[1\]=0 is out of range; it must be at least 1",
        ),
        ((3, [2.0], 1), None, TypeError, r"topology\[0\]=2.0 is a float; it must be an integer"),
        ((3, [True], 1), None, TypeError, r"topology\[0\]=True is a bool"),
        ((3, 2, 1), None, TypeError, "topology=2 is a int; it must be a list of integers"),
        ((3, "22", 1), None, TypeError, "topology='22' is a str"),
        ((3.0, [2], 1), None, TypeError, "numInputs=3.0 is a float"),
        (
            (3, [2, 2], 1),
            ["tanh"],
            ValueError,
            "transferFunctions has 1 functions and topology 2 hidden layers",
        ),
        (
            (3, [], 1),
            ["tanh"],
            ValueError,
            "transferFunctions has 1 functions and topology 0 hidden layers",
        ),
        ((3, [2], 1), "tanh", TypeError, "transferFunctions is a single function"),
        ((3, [2], 1), torch.tanh, TypeError, "transferFunctions is a single function"),
        (
            (3, [2], 1),
            ["tahn"],
            ValueError,
            r"transferFunctions\[0\]='tahn' is unknown; it must be one of .*'tanh'",
        ),
        ((3, [2], 1), [3], TypeError, r"transferFunctions\[0\]=3 must be a function"),
        ((3, [2], 1), [nn.ELU], TypeError, r"transferFunctions\[0\]=.*ELU.* must be a function"),
    ],
)
def test_build_class_ann_refuses(sizes, functions, error, message):
    """The sentence names the layer and its value."""
    with pytest.raises(error, match=message):
        build_class_ann(*sizes, transferFunctions=functions)


# --- initial weights ------------------------------------------------------------------------------


@given(numInputs=SIZES, topology=TOPOLOGIES, numOutputs=SIZES, seed=SEEDS)
def test_biases_are_zero_and_weights_within_the_limit_of_glorot(
    numInputs, topology, numOutputs, seed
):
    """In each layer, sqrt(6 / (inputs + outputs)).

    Torch would draw the biases too, and other weights.
    """
    for layer in linear_layers(build_class_ann(numInputs, topology, numOutputs, random_state=seed)):
        assert not layer.bias.any()
        assert layer.weight.any()
        limit = np.sqrt(6 / (layer.in_features + layer.out_features))
        assert layer.weight.abs().max().item() <= limit * (1 + 1e-6)


@pytest.mark.parametrize(("fan_in", "fan_out"), [(300, 200), (1000, 2), (2, 1000)])
def test_weights_are_uniform_between_the_limits(fan_in, fan_out):
    """Twenty equal intervals hold as many each: Pearson's chi-square, which a fair draw fails once
    in 10^10.
    """
    weights = glorot_uniform(fan_in, fan_out, np.random.default_rng(1))
    limit = np.sqrt(6 / (fan_in + fan_out))
    assert weights.shape == (fan_out, fan_in)
    assert weights.dtype == np.float32
    observed, _ = np.histogram(weights, bins=20, range=(-limit, limit))
    expected = weights.size / 20
    assert observed.sum() == weights.size
    assert ((observed - expected) ** 2 / expected).sum() < chi2.isf(1e-10, 19)


def test_layers_of_the_same_size_start_with_different_weights():
    """Each layer draws its own."""
    first, second = linear_layers(build_class_ann(3, [3, 3], 1, random_state=1))[:2]
    assert not torch.equal(first.weight, second.weight)


def test_random_state_repeats_the_weights_and_torch_is_left_alone():
    """An int or numpy's seed, once at the top of a program; torch's own generator does not move."""

    def weights(**options):
        return torch.cat([p.flatten() for p in build_class_ann(4, [3], 2, **options).parameters()])

    state = torch.random.get_rng_state()
    assert torch.equal(weights(random_state=1), weights(random_state=1))
    assert not torch.equal(weights(random_state=1), weights(random_state=2))
    with global_seed(1):
        first, second = weights(), weights()
    with global_seed(1):
        assert torch.equal(weights(), first)
        assert torch.equal(weights(), second)
    assert not torch.equal(first, second)
    assert torch.equal(torch.random.get_rng_state(), state)


# --- losses ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("logit", "loss", "slope"),
    [
        (-10.0, 9.9974, -0.9973),
        (-16.0, 15.278, -0.486),
        (-20.0, 15.925, -0.017),
        (-30.0, 15.942, -8e-7),
    ],
)
def test_a_badly_wrong_pattern_has_almost_no_slope(logit, loss, slope):
    """Flux's epsilon bounds the loss of a saturated output, and so flattens it.

    A loss of logits would not.
    """
    z = torch.tensor([[logit]], dtype=torch.float64, requires_grad=True)
    value = binary_crossentropy(torch.sigmoid(z), torch.ones(1, 1, dtype=torch.float64))
    value.backward()
    assert value.item() == pytest.approx(loss, abs=1e-3)
    assert z.grad.item() == pytest.approx(slope, rel=0.03)


def test_a_perfect_output_has_a_loss_below_zero():
    """By the epsilon: training can reach minLoss=0."""
    ones = torch.ones(1, 1)
    assert binary_crossentropy(ones, ones).item() == pytest.approx(-1.1920929e-7)
    assert crossentropy(torch.eye(3), torch.eye(3)).item() == pytest.approx(-1.1920929e-7)


@given(
    outputs=st.lists(st.floats(0.01, 0.99), min_size=1, max_size=6),
    seed=st.integers(0, 9),
    copies=st.integers(1, 3),
)
def test_the_binary_loss_is_a_mean_that_treats_both_classes_alike(outputs, seed, copies):
    """Exchanging the classes, the order of the patterns or their number of copies does not change
    it.
    """
    p = torch.tensor(outputs, dtype=torch.float64)[:, None]
    y = torch.from_numpy(np.random.default_rng(seed).integers(0, 2, p.shape)).double()
    loss = binary_crossentropy(p, y).item()
    assert binary_crossentropy(1 - p, 1 - y).item() == pytest.approx(loss, abs=1e-9)
    assert binary_crossentropy(
        p.flip(0).repeat(copies, 1), y.flip(0).repeat(copies, 1)
    ).item() == pytest.approx(loss)
    log_loss = -np.log(np.where(y, p, 1 - p)).mean()
    assert loss == pytest.approx(log_loss, abs=2e-5)  # epsilon / p, with p >= 0.01


@given(p=st.floats(0.01, 0.99), y=st.booleans())
def test_both_losses_agree_on_two_classes(p, y):
    """The probability p in one column, or p and 1 − p in two."""
    two = crossentropy(torch.tensor([[p, 1 - p]]).double(), torch.tensor([[y, not y]]).double())
    one = binary_crossentropy(torch.tensor([[p]]).double(), torch.tensor([[y]]).double())
    assert two.item() == pytest.approx(one.item(), abs=1e-6)


@pytest.mark.parametrize("loss", [binary_crossentropy, crossentropy])
def test_outputs_and_targets_of_different_shapes_are_refused(loss):
    """(N,) against (N, 1) would silently become N×N."""
    with pytest.raises(
        ValueError, match=r"outputs has shape \(3, 1\) and targets \(3,\); they must agree"
    ):
        loss(torch.full((3, 1), 0.5), torch.ones(3))


def test_one_output_has_the_binary_loss():
    """More outputs have the other."""
    assert [loss_of(number) for number in (1, 2, 3)] == [
        binary_crossentropy,
        crossentropy,
        crossentropy,
    ]
