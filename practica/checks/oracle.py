"""A training in double precision: from the weights that it begins with, everything else follows.

A `Way` is a loop with switches. Without arguments it is the right one, and each known mistake is a change of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from practica.checks.network import FUNCTIONS

Values: TypeAlias = "NDArray[np.float64]"
Weights: TypeAlias = "list[tuple[Values, Values]]"  # (outputs, inputs) and biases, of each layer
Dataset: TypeAlias = "tuple[Values, NDArray[np.bool_]]"  # targets in columns
Loss: TypeAlias = "Callable[[Values, Values], tuple[float, Values]]"  # its value, and its slope along the outputs

SETS = ("training", "validation", "test")
DEFAULTS: dict[str, Any] = {"maxEpochs": 1000, "minLoss": 0.0, "learningRate": 0.01, "maxEpochsVal": 20}
SLOPES: dict[str, Callable[[Values], Values]] = {  # of a function, from what it gives
    "sigmoid": lambda a: a * (1 - a),
    "tanh": lambda a: 1 - a * a,
    "relu": lambda a: (a > 0).astype(float),
}


# -- losses -----------------------------------------------------------------------------------------------------------


def _binary(p: Values, y: Values, least: float = 1e-7) -> tuple[float, Values]:
    value = -(y * np.log(p + least) + (1 - y) * np.log(1 - p + least)).mean()
    return float(value), ((1 - y) / (1 - p + least) - y / (p + least)) / p.size


def _entropy(p: Values, y: Values, least: float = 1e-7) -> tuple[float, Values]:
    if p.shape[1] == 1:
        return _binary(p, y, least)
    return float(-np.log((p * y).sum(axis=1) + least).mean()), -y / (p + least) / len(p)


def _again(p: Values, y: Values) -> tuple[float, Values]:
    """Loss of outputs to which the last function is applied once more."""
    q = FUNCTIONS["softmax" if p.shape[1] > 1 else "sigmoid"](p)
    return _entropy(q, y)[0], (q - y) / len(p)


def _scaled(factor: Callable[[Values], float]) -> Loss:
    def loss(p: Values, y: Values) -> tuple[float, Values]:
        value, slope = _entropy(p, y)
        return value * factor(p), slope * factor(p)

    return loss


LOSSES: dict[str, Loss] = {
    "entropy": _entropy,
    "entropy, largest epsilon": lambda p, y: _entropy(p, y, 1e-6),
    "squared": lambda p, y: (float(((p - y) ** 2).mean()), 2 * (p - y) / p.size),
    "softmax again": lambda p, y: (_again if p.shape[1] > 1 else _entropy)(p, y),
    "sigmoid again": lambda p, y: (_entropy if p.shape[1] > 1 else _again)(p, y),
    "both again": _again,
    "sum": _scaled(len),
    "over outputs": _scaled(lambda p: 1 / p.shape[1]),
    "binary": _binary,
    "smooth": lambda p, y: _entropy(p, y * 0.9 + 0.05 if p.shape[1] == 1 else y * 0.9 + 0.1 / p.shape[1]),
    "pairs": lambda p, y: _binary(p, np.full_like(y, y.mean())) if p.shape[1] == 1 else _entropy(p, y),
    "nothing": lambda p, y: (0.0, np.zeros_like(p)) if p.shape[1] == 1 else _entropy(p, y),
}


# -- a training -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A call: what is given to `train_class_ann`.

    Attributes
    ----------
    topology : list of int
    sets : dict of Dataset
    options : dict
        Those that are not the defaults, but for the functions.
    functions : tuple of str
        The names of `transferFunctions`.
    vector : bool
        Whether the targets are passed as vectors.
    """

    topology: list[int]
    sets: Mapping[str, Dataset]
    options: Mapping[str, Any] = field(default_factory=dict)
    functions: tuple[str, ...] = ()
    vector: bool = False


@dataclass(frozen=True)
class Steps:
    """How each epoch changes the weights."""

    rate: Callable[[float, int], float] = lambda rate, epoch: rate
    optimiser: str = "Adam"
    new_each_epoch: bool = False
    keeps_gradients: Callable[[int], bool] = lambda epoch: False
    trains: tuple[tuple[str, float], ...] = (("training", 1.0),)  # sets, with what their loss counts; 1: as one set
    layers: str = "all"
    objective: str = "entropy"
    decay: float = 0.0
    longest: float = np.inf  # gradient, of which more is clipped
    times: int = 1
    batch: int = 0


@dataclass(frozen=True)
class Way:
    """A way to train; without arguments the right one."""

    steps: Steps = Steps()  # frozen
    # the losses
    formula: str = "entropy"
    noted_as: Mapping[str, str] = field(default_factory=dict)  # the set whose losses stand for those of another
    joined: str = ""  # a set whose patterns count among those of training
    late: bool = False  # those of training are from before the step
    epoch_0: bool = True
    # the end
    most: Callable[[int], int] = lambda epochs: epochs
    low: Callable[[Mapping[str, float], float, int], bool] = lambda losses, least, epoch: losses["training"] <= least
    patience: Callable[[int], int] = lambda patience: patience
    watches: tuple[str, ...] = ("validation",)  # the first of them that is given
    improves: Callable[[float, float, float, bool], bool] = lambda new, best, before, falls: new < best
    best_by: str = ""  # the set whose losses tell the best network, where it is not the one that is watched
    resets: bool = True
    from_the_start: bool = False
    first: float | None = None  # the best loss before epoch 1; by default that of epoch 0
    # the network
    returns: Callable[[bool, bool], str] = lambda validates, stopped: "best" if validates else "last"
    # what is forgotten
    forgets: tuple[str, ...] = ()
    only_vectors: bool = False


@dataclass(frozen=True)
class Trained:
    """What comes of a training: the losses of each set that was given, and the outputs for some patterns."""

    losses: Mapping[str, Values]
    outputs: Values


def forward(weights: Weights, functions: tuple[str, ...], inputs: Values) -> list[Values]:
    """Return the inputs and the outputs of each layer."""
    found = [inputs]
    for (weight, bias), name in zip(weights, [*(functions or ["sigmoid"] * (len(weights) - 1)), ""], strict=False):
        last = "softmax" if len(weight) > 1 else "sigmoid"
        found.append(FUNCTIONS[name or last](found[-1] @ weight.T + bias))
    return found


def _gradient(
    weights: Weights, functions: tuple[str, ...], outputs: Sequence[Values], targets: Values, objective: str
) -> Values:
    p = outputs[-1]
    slope = LOSSES[objective](p, targets)[1]
    slope = p * (slope - (slope * p).sum(axis=1, keepdims=True)) if p.shape[1] > 1 else slope * p * (1 - p)
    found: list[Values] = []
    for layer in range(len(weights) - 1, -1, -1):
        found = [(slope.T @ outputs[layer]).ravel(), slope.sum(axis=0), *found]
        if layer:
            name = functions[layer - 1] if functions else "sigmoid"
            slope = slope @ weights[layer][0] * SLOPES[name](outputs[layer])
    return np.concatenate(found)


class _Optimiser:
    """An optimiser of torch, as it comes."""

    def __init__(self, name: str) -> None:
        self.name, self.epoch = name, 0
        self.m: Any = 0.0  # averages of the gradient, and of its square
        self.v: Any = 0.0

    def step(self, w: Values, g: Values, rate: float) -> Values:
        self.epoch += 1
        if self.name == "SGD":
            return w - rate * g
        if self.name.startswith("RMSprop"):
            self.v = 0.99 * self.v + 0.01 * g * g
            self.m = g / (np.sqrt(self.v) + 1e-8) + (0.9 * self.m if "momentum" in self.name else 0)
            return w - rate * self.m
        if self.name == "Adadelta":
            self.v = 0.9 * self.v + 0.1 * g * g
            step = g * np.sqrt((self.m + 1e-6) / (self.v + 1e-6))
            self.m = 0.9 * self.m + 0.1 * step * step
            return w - rate * step
        if self.name == "Rprop":
            same = np.sign(g * self.m)
            factor = np.where(same > 0, 1.2, np.where(same < 0, 0.5, 1))
            self.v = np.clip(self.v * factor, 1e-6, 50) if self.epoch > 1 else rate
            self.m = np.where(same < 0, 0, g)
            return w - self.v * np.sign(self.m)
        if self.name == "Adagrad":
            self.v = self.v + g * g
            return w - rate * g / (np.sqrt(self.v) + 1e-10)
        if self.name == "AdamW":
            w = w * (1 - rate * 0.01)
        self.m, self.v = 0.9 * self.m + 0.1 * g, 0.999 * self.v + 0.001 * g * g
        return w - rate * (self.m / (1 - 0.9**self.epoch)) / (np.sqrt(self.v / (1 - 0.999**self.epoch)) + 1e-8)


def _shaped(flat: Values, like: Weights) -> Weights:
    found, at = [], 0
    for weight, bias in like:
        middle, end = at + weight.size, at + weight.size + bias.size
        found.append((flat[at:middle].reshape(weight.shape), flat[middle:end]))
        at = end
    return found


class _Course:
    """The epochs of a training that nothing ends: weights and losses, as far as they are asked for."""

    def __init__(self, case: Case, start: Weights, steps: Steps, formula: str) -> None:
        self.case, self.start, self.steps, self.formula = case, start, steps, formula
        ends = np.cumsum([0, *(len(x) for x, _ in case.sets.values())])
        self.rows = {name: np.arange(*ends[place : place + 2]) for place, name in enumerate(case.sets)}
        self.parts = {name: slice(*ends[place : place + 2]) for place, name in enumerate(case.sets)}
        self.x = np.concatenate([x for x, _ in case.sets.values()])
        self.y = np.concatenate([y for _, y in case.sets.values()]).astype(float)
        self.rate = case.options.get("learningRate", DEFAULTS["learningRate"])
        self.optimiser, self.kept = _Optimiser(steps.optimiser), np.zeros(1)
        self.last = start[-1][0].size + start[-1][1].size  # parameters of the last layer
        self.weights = [np.concatenate([part.ravel() for layer in start for part in layer])]
        self.losses = [self._losses()]

    def at(self, epoch: int) -> tuple[Values, dict[str, float]]:
        while len(self.weights) <= epoch:
            self.weights.append(self._next())
            self.losses.append(self._losses())
        return self.weights[epoch], self.losses[epoch]

    def _losses(self) -> dict[str, float]:
        self.outputs = forward(_shaped(self.weights[-1], self.start), self.case.functions, self.x)
        loss, p = LOSSES[self.formula], self.outputs[-1]
        return {name: loss(p[part], self.y[part])[0] for name, part in self.parts.items()}

    def _next(self) -> Values:
        steps, w, epoch = self.steps, self.weights[-1], len(self.weights) - 1
        if steps.new_each_epoch:
            self.optimiser = _Optimiser(steps.optimiser)
        for number, part in enumerate([*self._batches()] * steps.times):
            weights = _shaped(w, self.start)
            outputs = forward(weights, self.case.functions, self.x) if number else self.outputs
            slope = sum(share * self._slope(weights, outputs, rows) for share, rows in part)
            self.kept = slope + steps.decay * w + self.kept * steps.keeps_gradients(epoch)
            kept = self.kept
            if steps.longest < np.inf:
                kept = kept * min(1.0, steps.longest / max(float(np.linalg.norm(kept)), 1e-9))
            if steps.layers == "last":
                kept = np.where(np.arange(w.size) < w.size - self.last, 0, kept)
            if steps.layers != "none":
                w = self.optimiser.step(w, kept, steps.rate(self.rate, epoch))
        return w

    def _slope(self, weights: Weights, outputs: Sequence[Values], rows: Any) -> Values:
        chosen = [each[rows] for each in outputs]
        return _gradient(weights, self.case.functions, chosen, self.y[rows], self.steps.objective)

    def _batches(self) -> Iterator[list[tuple[float, Any]]]:
        """Yield the patterns that each step of an epoch is taken with, and what their loss counts."""
        given = {name: share for name, share in self.steps.trains if name in self.parts} or {"training": 1.0}
        if any(share != 1 for share in given.values()):
            yield [(share, self.parts[name]) for name, share in given.items()]
        elif len(given) == 1 and not self.steps.batch:
            yield [(1.0, self.parts[name]) for name in given]
        else:
            rows = np.concatenate([self.rows[name] for name in given])
            size = self.steps.batch or len(rows)
            for begin in range(0, len(rows), size):
                yield [(1.0, rows[begin : begin + size])]


Courses: TypeAlias = "MutableMapping[Any, _Course]"  # by what decides them


def simulate(case: Case, start: Weights, way: Way, probe: Values, courses: Courses) -> Trained:
    """Train; what several ways have in common is computed once."""
    forgets = way.forgets if case.vector or not way.only_vectors else ()
    sets = {name: each for name, each in case.sets.items() if name not in forgets}
    options = {**DEFAULTS, **{name: value for name, value in case.options.items() if name not in forgets}}
    functions = () if "transferFunctions" in forgets else case.functions
    case = Case(case.topology, sets, options, functions, case.vector)
    key = way.steps, way.formula, forgets
    if key not in courses:
        courses[key] = _Course(case, start, way.steps, way.formula)
    course = courses[key]
    most, least, patience = way.most(options["maxEpochs"]), options["minLoss"], way.patience(options["maxEpochsVal"])
    by = way.best_by if way.best_by in sets else ""
    watched = next((name for name in way.watches if name in sets and way.best_by == by), None)

    def is_low(losses: Mapping[str, float]) -> bool:
        if least > 0:  # a limit that single precision came to is that loss
            losses = {name: least if abs(one - least) < 1e-6 else one for name, one in losses.items()}
        return way.low(losses, least, epoch)

    def as_noted(losses: Mapping[str, float]) -> dict[str, float]:
        return {name: losses.get(way.noted_as.get(name, name), losses[name]) for name in sets}

    def at(epoch: int) -> tuple[Values, dict[str, float]]:
        w, losses = course.at(epoch)
        if way.joined in sets:
            sizes = {name: len(sets[name][0]) for name in ("training", way.joined)}
            total = sum(losses[name] * size for name, size in sizes.items())
            losses = losses | {"training": total / sum(sizes.values())}
        return w, losses

    epoch, since, stopped = 0, 0, False
    w, now = at(0)
    best, lowest, best_losses = w, (now["training"], w), now
    limit = (now[watched] if watched else np.inf) if way.first is None else way.first
    noted = [as_noted(now)]
    while epoch < most and not is_low(now) and not stopped:
        epoch += 1
        before, (w, now) = now, at(epoch)
        if now["training"] < lowest[0]:
            lowest = now["training"], w
        since += 1
        improved = watched is not None and way.improves(
            now[watched], limit, before[watched], now["training"] < before["training"]
        )
        if improved and watched:
            limit, since = now[watched], 0 if way.resets else since - 1
        if now[by] < best_losses[by] if by else improved:
            best, best_losses = w, now
        stopped = watched is not None and (epoch if way.from_the_start else since) >= patience
        line = as_noted(now) | ({"training": before["training"]} if way.late else {})
        noted.append(line)
    networks = {"best": best, "last": w, "first": course.at(0)[0], "lowest": lowest[1]}
    networks["output of best"] = np.append(w[: w.size - course.last], best[w.size - course.last :])
    network = networks[way.returns("validation" in sets, stopped)]
    lines = noted[0 if way.epoch_0 else 1 :]
    losses = {name: np.array([line[name] for line in lines]) for name in sets}
    return Trained(losses, forward(_shaped(network, start), functions, probe)[-1])
