"""Networks to train on real data, and the plain loop that trains them: what both fast trainers are
held against.
"""

import functools

import numpy as np
import torch
from sklearn.datasets import load_breast_cancer, load_iris

from practica.reference.encoding import one_hot_encoding
from practica.reference.network import build_class_ann, load_parameters
from practica.reference.normalization import normalize_zero_mean
from practica.reference.randomness import SeedTree
from practica.reference.trainers import plan_network
from practica.reference.training import train_class_ann

# float32 sums in another order differ by some 1e-7, and Adam can amplify that where a gradient
# is tiny.
LOSS_TOLERANCE = 2e-6


def iris():
    """Return 150 patterns of 4 attributes and 3 classes."""
    inputs, species = load_iris(return_X_y=True)
    return normalize_zero_mean(inputs).astype(np.float32), one_hot_encoding(species)


def tumours():
    """Return 569 patterns of 30 attributes and 2 classes."""
    inputs, benign = load_breast_cancer(return_X_y=True)
    return normalize_zero_mean(inputs).astype(np.float32), one_hot_encoding(benign == 1)


def plans(inputs, count, fraction=0.2, seed=1):
    """Draw some networks, each with its own hold-out and its own initial weights."""
    seeds = SeedTree(seed)
    for number in range(count):
        name = f"execution {number + 1}"
        yield plan_network(
            name, inputs, np.arange(len(inputs)), fraction, seeds.generator(1, number)
        )


def train_in_a_loop(topology, plan, targets, **options):
    """Do what a plan says with the plain loop."""
    training, validation = ((plan.inputs[i], targets[i]) for i in (plan.training, plan.validation))
    return train_class_ann(
        topology, training, validationDataset=validation, **options, random_state=plan.generator
    )


def outputs_of(topology, inputs, targets, trained, transferFunctions=None):
    """Return what a trained network answers to the inputs."""
    ann = build_class_ann(
        inputs.shape[1], topology, targets.shape[1], transferFunctions=transferFunctions
    )
    load_parameters(ann, trained.parameters)
    with torch.no_grad():
        return ann(torch.from_numpy(inputs)).numpy()


def improvements(losses):
    """Return at which epochs a loss is strictly the lowest so far, and by how much it is above or
    below that.
    """
    lowest = np.minimum.accumulate(np.r_[np.inf, losses[:-1]])
    return losses < lowest, np.abs(losses - lowest)


def assert_follows_the_loop(trained, alone):
    """Compare losses, the epochs of the end and of the best network, with those of the plain loop.

    Where a validation loss equals the lowest one but for rounding, one trainer may take it for an
    improvement and the other not, and from there on they may end at different epochs: at such a
    near-tie the comparison ends too. Return whether there was none.
    """
    epochs = min(len(trained.losses), len(alone.trainingLosses))
    np.testing.assert_allclose(
        trained.losses[:epochs, 0], alone.trainingLosses[:epochs], rtol=0, atol=LOSS_TOLERANCE
    )
    if len(alone.validationLosses):
        ours, theirs = trained.losses[:epochs, 1], alone.validationLosses[:epochs]
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=LOSS_TOLERANCE)
        (our_decisions, gaps), (their_decisions, _) = improvements(ours), improvements(theirs)
        differing = np.flatnonzero(our_decisions != their_decisions)
        if len(differing):
            assert gaps[differing[0]] <= 2 * LOSS_TOLERANCE
            return False
        assert trained.best_epoch == np.argmin(alone.validationLosses)
    assert trained.epochs == len(alone.trainingLosses) - 1
    return True


@functools.cache
def trained_in_a_loop(data, topology, fraction, **options):
    """Train three networks in the plain loop, once for all that are compared with them.

    Return them and the outputs.
    """
    inputs, targets = data()
    alone = [
        train_in_a_loop([*topology], plan, targets, **options)
        for plan in plans(inputs, 3, fraction)
    ]
    with torch.no_grad():
        return [(each, each.ann(torch.from_numpy(inputs)).numpy()) for each in alone]


def assert_networks_follow_the_loop(train_networks, data, topology, fraction, epochs):
    """Train three networks for up to so many epochs in both ways.

    Losses, ends and outputs agree.
    """
    inputs, targets = data()
    options = {"maxEpochs": epochs, "maxEpochsVal": 20, "learningRate": 0.03}
    results = train_networks(
        [*topology], plans(inputs, 3, fraction), targets, keep_losses=True, **options
    )
    for trained in results:
        alone, expected = trained_in_a_loop(data, topology, fraction, **options)[trained.position]
        if assert_follows_the_loop(trained, alone):
            np.testing.assert_allclose(
                outputs_of([*topology], inputs, targets, trained), expected, rtol=0, atol=1e-5
            )
