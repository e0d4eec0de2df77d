"""The optimisers that a diagnosis knows step as those of torch do."""

import numpy as np
import pytest
import torch

from practica.grading.assignment.optimisers import ITERATIONS, STEPS, Optimiser

CURVES = np.array([1.0, 4.0, 0.3, 9.0])
LOWEST = np.array([0.5, -1.0, 2.0, 0.1])


def _objective(w):
    away = w - LOWEST
    return float((CURVES * away**2 / 2 + np.cos(away)).sum()), CURVES * away - np.sin(away)


def _of_torch(name, start, rate, steps):
    kind, *options = name.split(", ")
    given = {key: float(value) for key, value in (each.split("=") for each in options)}
    if "max_iter" in given:
        given["max_iter"] = int(given["max_iter"])
    w = torch.tensor(start)
    optimiser = getattr(torch.optim, kind)([w], lr=rate, **given)

    def closure():
        value, gradient = _objective(w.numpy())
        w.grad = torch.from_numpy(gradient)
        return value

    for _ in range(steps):
        optimiser.step(closure)
        yield w.numpy().copy()


@pytest.mark.parametrize("name", [*STEPS, *ITERATIONS])
@pytest.mark.parametrize("rate", [0.01, 0.3])
def test_each_step_is_that_of_torch(name, rate):
    """Twelve steps from the same weights, with the defaults of torch."""
    own, w = Optimiser(name), np.array([3.0, -2.0, 0.0, 1.0])
    for expected in _of_torch(name, w.copy(), rate, 12):
        w = own.step(w, _objective, rate)
        np.testing.assert_allclose(w, expected, rtol=1e-6, atol=1e-9)
