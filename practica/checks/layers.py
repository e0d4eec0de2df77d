"""What the layers of a network of sigmoids give and learn, and whether two networks are the same.

A layer is its weights, shape (outputs, inputs), and its biases.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.checks.network import FUNCTIONS, weights_and_biases
from practica.checks.readings import close

Layers = list[tuple[NDArray[Any], NDArray[Any]]]


def layer_outputs(layers: Layers, inputs: NDArray[np.float64], hidden: str = "sigmoid") -> list[NDArray[np.float64]]:
    """Return the inputs and what each layer of a network with sigmoids makes of them; nothing if they do not fit."""
    values = [inputs]
    try:
        for weight, bias in layers:
            sums = values[-1] @ weight.T + bias
            values.append(FUNCTIONS[hidden](sums))
    except ValueError:
        return []
    if layers:
        values[-1] = FUNCTIONS["softmax" if sums.shape[1] > 1 else "sigmoid"](sums)
    return values


def gradients_of(
    layers: Layers, inputs: NDArray[np.float64], targets: NDArray[np.bool_], hidden: str = "sigmoid"
) -> Layers:
    """Return the gradient of the cross-entropy of a network with sigmoids; nothing if the layers do not fit."""
    values, gradients = layer_outputs(layers, inputs, hidden), []
    if not values or values[-1].shape != targets.shape:
        return []
    slope = (values[-1] - targets) / len(inputs)
    for (weight, _), given in zip(reversed(layers), reversed(values[:-1]), strict=True):
        gradients.append((slope.T @ given, slope.sum(axis=0)))
        slope = slope @ weight * (given * (1 - given) if hidden == "sigmoid" else given > 0)
    return gradients[::-1]


def is_right(facts: dict[str, Any], topology: Sequence[int], hidden: str = "sigmoid") -> bool:
    """Tell whether a network has the layers of a topology, with these functions and outputs in columns."""
    return not facts["vector"] and len(weights_and_biases(facts)) == len(topology) + 1 and has_sigmoids(facts, hidden)


def has_sigmoids(facts: dict[str, Any], hidden: str = "sigmoid") -> bool:
    """Tell whether the outputs of a network are those of its layers, with sigmoids and at most a softmax between."""
    values = layer_outputs(weights_and_biases(facts), facts["inputs"], hidden)
    return bool(values) and close(values[-1], facts["outputs"], 1e-3)


def are_close(some: list[NDArray[Any]], others: list[NDArray[Any]]) -> bool:
    """Tell whether two networks have the same parameters."""
    return len(some) == len(others) and all(map(close, some, others))


def are_equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Tell so of the facts of two networks."""
    return are_close(one["values"], other["values"])


def distance_of(some: list[NDArray[Any]], others: list[NDArray[Any]]) -> float:
    """Return the largest difference between the parameters of two networks."""
    if [values.shape for values in some] != [values.shape for values in others]:
        return np.inf
    return max((float(abs(one - other).max(initial=0)) for one, other in zip(some, others, strict=True)), default=0.0)
