"""The stack of networks against the loop it replaces, and against itself in other company."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
import torch
from training_cases import (
    assert_follows_the_loop,
    iris,
    outputs_of,
    plans,
    train_in_a_loop,
    tumours,
)

from practica.reference.batched_training import can_be_batched, default_slots, train_networks
from practica.reference.compiled_training import can_be_compiled


def softplus(sums):
    """Stand for a transfer function of the user's own."""
    return torch.log1p(torch.exp(sums))


def stacked(topology, inputs, targets, count, fraction=0.2, **options):
    """Train some networks together; return them in the order of their plans."""
    results = train_networks(
        topology, plans(inputs, count, fraction), targets, keep_losses=True, **options
    )
    return sorted(results, key=lambda trained: trained.position)


@pytest.mark.slow
@pytest.mark.parametrize(
    "function",
    [
        "tanh",
        "relu",
        "identity",
        torch.nn.Tanh(),
        torch.nn.functional.relu,
        softplus,
        torch.nn.ELU(),
    ],
    ids=["tanh", "relu", "identity", "nn.Tanh", "functional.relu", "of the user", "nn.ELU"],
)
def test_every_transfer_function_follows_the_loop(function):
    """Written-out gradients and those of autograd are the gradients of the loop."""
    inputs, targets = iris()
    options = {"transferFunctions": [function], "maxEpochs": 25}
    for plan, trained in zip(
        plans(inputs, 2), stacked([5], inputs, targets, 2, **options), strict=True
    ):
        alone = train_in_a_loop([5], plan, targets, **options)
        assert_follows_the_loop(trained, alone)


def same_bits(one, other):
    """Compare all weights to the last bit."""
    return all(itertools.starmap(torch.equal, zip(one.parameters, other.parameters, strict=True)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "topology"),
    [(iris, [8]), (iris, []), (tumours, [16, 8]), (tumours, [1]), (tumours, [20, 17])],
)
@pytest.mark.parametrize("slots", [1, 2, 5])
def test_a_network_has_the_same_bits_in_any_company(data, topology, slots):
    """Neither the size of the stack nor who else is in it changes the last bit of a weight or of a
    loss.
    """
    inputs, targets = data()
    options = {"maxEpochs": 40, "maxEpochsVal": 2, "learningRate": 0.5}
    together = stacked(topology, inputs, targets, 7, **options)
    apart = stacked(topology, inputs, targets, 7, **options, slots=slots)
    assert len({trained.epochs for trained in together}) > 1, (
        "the networks should end at different epochs"
    )
    for one, other in zip(together, apart, strict=True):
        assert same_bits(one, other)
        np.testing.assert_array_equal(one.losses, other.losses)


def test_inputs_of_their_own_give_the_same_bits_as_shared_ones():
    """A copy of the inputs in every slot changes nothing."""
    inputs, targets = iris()
    shared = stacked([8], inputs, targets, 4, maxEpochs=30)
    own = stacked([8], inputs, targets, 4, maxEpochs=30, shared_inputs=False, slots=3)
    assert all(same_bits(one, other) for one, other in zip(shared, own, strict=True))


def test_networks_with_inputs_of_different_folds_share_a_stack():
    """Each one sees the inputs of its own plan."""
    inputs, targets = iris()
    mixed = [
        plan._replace(inputs=plan.inputs * np.float32(1 + number))
        for number, plan in enumerate(plans(inputs, 4))
    ]
    results = train_networks(
        [3], mixed, targets, maxEpochs=20, shared_inputs=False, slots=2, keep_losses=True
    )
    for trained in results:
        plan = [*plans(inputs, 4)][trained.position]._replace(inputs=mixed[trained.position].inputs)
        alone = train_in_a_loop([3], plan, targets, maxEpochs=20)
        assert_follows_the_loop(trained, alone)


@pytest.mark.parametrize(
    ("options", "epochs"),
    [
        ({"maxEpochs": 0}, 0),
        ({"maxEpochsVal": 0}, 0),
        ({"maxEpochs": 7, "maxEpochsVal": 1000}, 7),
        ({"minLoss": 100.0}, 0),
    ],
)
def test_the_stop_criteria_are_tested_before_each_epoch(options, epochs):
    """As in the loop, training can end before its first step."""
    inputs, targets = iris()
    (trained,) = stacked([3], inputs, targets, 1, **options)
    assert trained.epochs == epochs
    assert trained.losses.shape == (epochs + 1, 2)


def test_an_equal_loss_is_no_improvement():
    """A step too small to change a weight leaves all losses equal: epoch 0 stays the best, and
    patience runs out.
    """
    inputs, targets = iris()
    (trained,) = stacked([3], inputs, targets, 1, learningRate=1e-30, maxEpochs=50, maxEpochsVal=4)
    assert (trained.best_epoch, trained.epochs) == (0, 4)


def test_epochs_without_end_cost_no_memory():
    """Whoever trusts early stopping may leave the number of epochs open."""
    inputs, targets = iris()
    (trained,) = stacked(
        [3], inputs, targets, 1, maxEpochs=10**12, maxEpochsVal=1, learningRate=0.5
    )
    assert trained.epochs < 1000


def test_the_best_network_is_that_of_the_lowest_validation_loss():
    """With steps that overshoot, what is returned is not the last network but the best one."""
    inputs, targets = iris()
    plan_list = [*plans(inputs, 5)]
    results = stacked([6], inputs, targets, 5, maxEpochs=60, learningRate=0.5, maxEpochsVal=60)
    assert any(trained.best_epoch < trained.epochs for trained in results)
    for trained in results:
        assert trained.best_epoch == trained.losses[:, 1].argmin()
        validation = plan_list[trained.position].validation
        outputs = outputs_of([6], inputs, targets, trained)[validation]
        loss = -np.log(outputs[targets[validation]] + 2.0**-23).mean()
        assert loss == pytest.approx(trained.losses[:, 1].min(), abs=1e-5)


def test_networks_with_and_without_validation_share_a_stack():
    """An empty validation set is no early stopping for that network alone."""
    inputs, targets = iris()
    first, second = plans(inputs, 2)
    results = list(
        train_networks(
            [3],
            [first, second._replace(validation=second.validation[:0])],
            targets,
            maxEpochs=30,
            maxEpochsVal=0,
        )
    )
    assert {trained.position: trained.epochs for trained in results} == {0: 0, 1: 30}


def test_plans_are_taken_only_when_a_slot_is_free():
    """Thousands of networks need not be drawn before the first one ends."""
    inputs, targets = iris()
    taken = []

    def watched():
        for plan in plans(inputs, 6):
            taken.append(plan.name)
            yield plan

    results = train_networks([2], watched(), targets, maxEpochs=3, slots=2)
    next(results)
    assert len(taken) == 2
    assert len(list(results)) == 5


def test_no_plans_give_no_networks():
    """An empty list of work is done at once."""
    _, targets = iris()
    assert list(train_networks([2], [], targets)) == []


def test_a_loss_that_is_not_finite_names_the_network():
    """A learning rate far too large is refused with the epoch, as in the loop."""
    inputs, targets = iris()
    with pytest.raises(
        ValueError,
        match=r"execution \d: the training loss is nan at epoch \d+ with learningRate=1e\+30",
    ):
        list(
            train_networks(
                [3], plans(inputs, 3), targets, learningRate=1e30, transferFunctions=["relu"]
            )
        )


def hooked(module):
    """Let a module look at all that goes through it."""
    module.register_forward_hook(lambda module, given, result: result - result.mean())
    return module


@pytest.mark.parametrize(
    "function",
    [
        torch.nn.PReLU(),
        torch.nn.Linear(3, 3),
        torch.nn.BatchNorm1d(3, affine=False, track_running_stats=False),
        torch.nn.Dropout(),
        torch.nn.ELU(inplace=True),
        hooked(torch.nn.ELU()),
        hooked(torch.nn.Sigmoid()),
        type("Another", (torch.nn.ELU,), {})(),
        softplus,
        lambda sums: sums - sums.mean(dim=0),
        torch.nn.functional.dropout,
    ],
    # equal in each process: without an address
    ids=lambda function: getattr(function, "__name__", repr(function)),
)
def test_only_functions_that_are_known_to_work_pattern_by_pattern_are_batched(function):
    """Any other may look at all patterns, those of the test among them, or have a state: the plain
    loop takes it.
    """
    assert can_be_batched(None)
    assert can_be_batched(
        ["tanh", torch.nn.ELU(), torch.nn.functional.gelu, torch.sin, torch.Tensor.relu]
    )
    assert not can_be_batched(["tanh", function])
    assert not can_be_compiled([function], [3])


def test_the_stack_of_a_cpu_shrinks_as_the_patterns_grow():
    """Small networks go by the hundred, large ones alone."""
    assert default_slots(150, [8, 3], "cpu") > 100
    assert default_slots(20_000, [64, 32, 5], "cpu") == 1


MEMORY_PROBE = """
import resource
import numpy as np
import practica
from practica.reference.partition import crossvalidation


def most_used():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


generator = np.random.default_rng(0)
inputs = generator.normal(size=(20_000, 50)).astype(np.float32)
targets = generator.integers(0, 5, size=20_000)
folds = crossvalidation(targets, 4, random_state=1)
options = {"maxEpochs": 1, "validationRatio": 0.2}
practica.ann_cross_validation([64, 32], inputs, targets, folds, numExecutions=1, **options)
before = most_used()
practica.ann_cross_validation([64, 32], inputs, targets, folds, numExecutions=10, **options)
print(most_used() - before)
"""


@pytest.mark.thorough
def test_ten_times_as_many_networks_on_20000_patterns_take_no_more_memory():
    """It grows with the networks in training at one time, not with folds × executions × patterns: 4
    MB each.
    """
    probe = subprocess.run(
        [sys.executable, "-c", MEMORY_PROBE], capture_output=True, text=True, check=True
    )
    assert float(probe.stdout) < 36 * 4 / 3
