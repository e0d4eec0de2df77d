"""The optimisers of torch with its defaults, in double precision and without torch: no code that
looks for mistakes imports it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from practica.grading.inside.plain_data import Floats

__all__ = ["Optimiser"]

Values: TypeAlias = "Floats"
# what an optimiser keeps from one step to the next; 0.0 at first
Kept: TypeAlias = "defaultdict[str, Any]"
# the loss of some weights, and its gradient
Objective: TypeAlias = "Callable[[Values], tuple[float, Values]]"


def _adam(w: Values, g: Values, rate: float, kept: Kept) -> Values:
    kept["t"] += 1
    kept["m"], kept["v"] = 0.9 * kept["m"] + 0.1 * g, 0.999 * kept["v"] + 0.001 * g * g
    return w - rate * (kept["m"] / (1 - 0.9 ** kept["t"])) / (
        np.sqrt(kept["v"] / (1 - 0.999 ** kept["t"])) + 1e-8
    )


def _adam_w(w: Values, g: Values, rate: float, kept: Kept) -> Values:
    return _adam(w * (1 - rate * 0.01), g, rate, kept)


def _momentum(factor: float, slope: Callable[[Values, Kept], Values]) -> Callable[..., Values]:
    """Return the step of an optimiser: `factor` times the step before, plus a slope."""

    def step(w: Values, g: Values, rate: float, kept: Kept) -> Values:
        kept["step"] = factor * kept["step"] + slope(g, kept)
        return w - rate * kept["step"]

    return step


def _by_root_mean_square(g: Values, kept: Kept) -> Values:
    kept["v"] = 0.99 * kept["v"] + 0.01 * g * g
    return g / (np.sqrt(kept["v"]) + 1e-8)


def _by_sum_of_squares(g: Values, kept: Kept) -> Values:
    kept["v"] = kept["v"] + g * g
    return g / (np.sqrt(kept["v"]) + 1e-10)


def _adadelta(g: Values, kept: Kept) -> Values:
    kept["v"] = 0.9 * kept["v"] + 0.1 * g * g
    change = np.sqrt(kept["changes"] + 1e-6) / np.sqrt(kept["v"] + 1e-6) * g
    kept["changes"] = 0.9 * kept["changes"] + 0.1 * change * change
    return change


def _resilient(w: Values, g: Values, rate: float, kept: Kept) -> Values:
    same = np.sign(g * kept["g"])
    factor = np.where(same > 0, 1.2, np.where(same < 0, 0.5, 1.0))
    kept["size"] = np.clip(kept.get("size", np.full_like(g, rate)) * factor, 1e-6, 50)
    kept["g"] = np.where(same < 0, 0, g)
    return w - kept["size"] * np.sign(kept["g"])


STEPS: dict[str, Callable[..., Values]] = {
    "Adam": _adam,
    "AdamW": _adam_w,
    "SGD": _momentum(0, lambda g, kept: g),
    "SGD, momentum=0.9": _momentum(0.9, lambda g, kept: g),
    "RMSprop": _momentum(0, _by_root_mean_square),
    "RMSprop, momentum=0.9": _momentum(0.9, _by_root_mean_square),
    "Adagrad": _momentum(0, _by_sum_of_squares),
    "Adadelta": _momentum(0, _adadelta),
    "Rprop": _resilient,
}
ITERATIONS = {"LBFGS": 20, "LBFGS, max_iter=1": 1}  # iterations in one step of the second order


class Optimiser:
    """An optimiser with the name of torch's class and its options, such as "SGD, momentum=0.9"."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.kept: Kept = defaultdict(float)

    def step(self, w: Values, objective: Objective, rate: float) -> Values:
        """Return the weights after one step, with the learning rate `rate`, that lowers the
        objective.
        """
        if self.name in ITERATIONS:
            return self._second_order(w, objective, rate, ITERATIONS[self.name])
        return STEPS[self.name](w, objective(w)[1], rate, self.kept)

    def _second_order(self, w: Values, objective: Objective, rate: float, most: int) -> Values:
        """Return the weights after at most `most` iterations of `torch.optim.LBFGS` without a line
        search.
        """
        # changes of gradient and weights
        kept, pairs = self.kept, self.kept.setdefault("pairs", [])
        (loss, g), before = objective(w), np.inf
        for turn in range(most):
            moves = not turn or (abs(kept["moved"]).max() > 1e-9 and abs(loss - before) >= 1e-9)
            if abs(g).max() <= 1e-7 or not moves:
                break
            kept["t"] += 1
            if kept["t"] > 1 and (y := g - kept["g"]) @ kept["moved"] > 1e-10:
                pairs.append((y, kept["moved"]))
                kept["scale"] = (y @ kept["moved"]) / (y @ y)
            direction, factors = -g, []
            for y, s in reversed(pairs[-100:]):
                factors.append(s @ direction / (y @ s))
                direction = direction - factors[-1] * y
            direction = direction * (kept["scale"] if pairs else 1.0)
            for (y, s), factor in zip(pairs[-100:], reversed(factors), strict=True):
                direction = direction + s * (factor - y @ direction / (y @ s))
            length = rate * (min(1.0, 1 / abs(g).sum()) if kept["t"] == 1 else 1.0)
            kept["g"], kept["moved"], before = g, direction * length, loss
            if g @ direction > -1e-9:
                break
            w = w + kept["moved"]
            if turn + 1 < most:
                loss, g = objective(w)
        return w
