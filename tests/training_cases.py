"""Networks to train on real data, and the plain loop that trains them: what both fast trainers are held against."""

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris

from practica.reference.batched_training import NetworkPlan
from practica.reference.encoding import one_hot_encoding
from practica.reference.normalization import normalize_zero_mean
from practica.reference.partition import hold_out
from practica.reference.randomness import SeedTree
from practica.reference.training import train_class_ann

# float32 sums in another order differ by some 1e-7, and Adam can amplify that where a gradient is tiny.
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
        generator = seeds.generator(1, number)
        training, validation = hold_out(len(inputs), fraction, random_state=generator)
        yield NetworkPlan(f"execution {number + 1}", inputs, training, validation, generator)


def train_in_a_loop(topology, plan, targets, **options):
    """Do what a plan says with the plain loop."""
    training, validation = ((plan.inputs[i], targets[i]) for i in (plan.training, plan.validation))
    return train_class_ann(topology, training, validationDataset=validation, **options, random_state=plan.generator)
