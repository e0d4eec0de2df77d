"""A training in double precision: from the weights that it begins with, everything else follows.

A `Way` is a loop with switches. Without arguments it is the right one, and each known mistake is a
change of it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from practica.grading.assignment.network import FUNCTIONS, patterns
from practica.grading.assignment.optimisers import Optimiser
from practica.grading.inside.plain_data import Bools, Floats, Integers

Values: TypeAlias = "Floats"
Weights: TypeAlias = "list[tuple[Values, Values]]"  # (outputs, inputs) and biases, of each layer
Dataset: TypeAlias = "tuple[Values, Bools]"  # targets in columns
# its value, and its slope along the outputs
Loss: TypeAlias = "Callable[[Values, Values], tuple[float, Values]]"
Losses: TypeAlias = "Mapping[str, float]"  # each set's

SETS = ("training", "validation", "test")
FAR = 1e-3  # losses that are not those of the same training
PATTERNS = 12  # patterns on which outputs are compared
DEFAULTS: dict[str, Any] = {
    "maxEpochs": 1000,
    "minLoss": 0.0,
    "learningRate": 0.01,
    "maxEpochsVal": 20,
}
SLOPES: dict[str, Callable[[Values], Values]] = {  # the slope of a function, from what it gives
    "sigmoid": lambda a: a * (1 - a),
    "tanh": lambda a: 1 - a * a,
    "relu": lambda a: (a > 0).astype(float),
}


# --- losses ---------------------------------------------------------------------------------------


def _binary(p: Values, y: Values, least: float = 1e-7) -> tuple[float, Values]:
    other, q, rest = 1 - y, p + least, 1 - p + least
    value = -(y * np.log(q) + other * np.log(rest)).sum() / p.size
    return float(value), (other / rest - y / q) / p.size


def _entropy(p: Values, y: Values, least: float = 1e-7) -> tuple[float, Values]:
    if p.shape[1] == 1:
        return _binary(p, y, least)
    return float(-np.log((p * y).sum(axis=1) + least).mean()), -y / (p + least) / len(p)


def _again(p: Values, y: Values) -> tuple[float, Values]:
    """Return the loss of outputs p for targets y, and its gradient, if the output function is
    applied a second time.
    """
    q = FUNCTIONS["softmax" if p.shape[1] > 1 else "sigmoid"](p)
    return _entropy(q, y)[0], (q - y) / len(p)


def _probability(p: Values, y: Values) -> tuple[float, Values]:
    """Return the loss of outputs p for targets y, and its gradient, if the logarithm of the
    probability is left out.
    """
    return float(-(p * y).sum(axis=1).mean()), -y / len(p)


def _scaled(factor: Callable[[Values], float]) -> Loss:
    def loss(p: Values, y: Values) -> tuple[float, Values]:
        value, slope = _entropy(p, y)
        return value * factor(p), slope * factor(p)

    return loss


def _by_outputs(one: Loss, several: Loss) -> Loss:
    return lambda p, y: (several if p.shape[1] > 1 else one)(p, y)


LOSSES: dict[str, Loss] = {
    "entropy": _entropy,
    "largest epsilon": lambda p, y: _entropy(p, y, 1e-6),
    "squared": lambda p, y: (float(((p - y) ** 2).mean()), 2 * (p - y) / p.size),
    "absolute": lambda p, y: (float(abs(p - y).mean()), np.sign(p - y) / p.size),
    "probability": _by_outputs(_entropy, _probability),
    "softmax again": _by_outputs(_entropy, _again),
    "sigmoid again": _by_outputs(_again, _entropy),
    "sum": _scaled(len),
    "over outputs": _scaled(lambda p: 1 / p.shape[1]),
    "binary": _binary,
    "smooth:by_a_constant": lambda p, y: _entropy(p, y * 0.9 + 0.05),
    "smooth": lambda p, y: _entropy(p, y * 0.9 + (0.05 if p.shape[1] == 1 else 0.1 / p.shape[1])),
    "base 10": _by_outputs(_entropy, _scaled(lambda p: 1 / float(np.log(10)))),
    "base 2": _by_outputs(_entropy, _scaled(lambda p: 1 / float(np.log(2)))),
    "base 10 of both": _scaled(lambda p: 1 / float(np.log(10))),
    "base 2 of both": _scaled(lambda p: 1 / float(np.log(2))),
    "pairs": _by_outputs(lambda p, y: _binary(p, np.full_like(y, y.mean())), _entropy),
    "nothing": _by_outputs(lambda p, y: (0.0, np.zeros_like(p)), _entropy),
}


# --- a training -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A call of `train_class_ann`: its arguments."""

    topology: list[int]
    sets: Mapping[str, Dataset]
    options: Mapping[str, Any] = field(default_factory=dict)  # those that are not the defaults
    functions: tuple[str, ...] = ()  # the names of transferFunctions
    vector: bool = False  # the targets are passed as vectors
    # how many times its parameter each array of weights is; without them once. A step
    # changes parameters
    scales: tuple[float, ...] = ()


@dataclass(frozen=True)
class Steps:
    """The way in which each epoch changes the weights."""

    rate: Callable[[float, int], float] = lambda rate, epoch: rate
    optimiser: str = "Adam"  # or another one of torch, with its options
    new_each_epoch: bool = False
    keeps_gradients: Callable[[int], bool] = lambda epoch: False
    # sets, with what their loss counts; 0: as one set
    trains: tuple[tuple[str, float], ...] = (("training", 0),)
    joined: bool = False  # whether the training losses are those of all these sets
    only_last: bool = False
    objective: str = "entropy"
    decay: float = 0.0
    longest: float = np.inf  # gradient, of which more is clipped
    rate_if_worse: float = 1.0  # factor, for each epoch that has not improved the validation loss
    restarts: bool = False  # each epoch begins with the network of the lowest validation loss
    times: int = 1
    batch: int = 0
    whole: bool = False  # whether the patterns that fill no batch are left out
    parts: int = 0  # batches of about one size, a step each

    @property
    def follows_validation(self) -> bool:
        """Whether a step depends on the validation losses of the epochs before."""
        return self.restarts or self.rate_if_worse != 1


@dataclass(frozen=True)
class Way:
    """A way to train; without arguments the right one."""

    steps: Steps = Steps()  # frozen
    # the losses
    formula: str = "entropy"
    # the set whose losses stand for those of another
    noted_as: Mapping[str, str] = field(default_factory=dict)
    late: bool = False  # those of training are from before the step,
    stops_late: bool = False  # and so is the one that minLoss is compared with
    frozen: bool = False  # those of training are always those of epoch 0
    epoch_0: bool = True
    of_best: tuple[str, ...] = ()  # sets whose losses are those of the best network until then
    until: str = ""  # "best": no losses from after the best epoch; "last": none of the last one
    # the end
    most: Callable[[int], int] = lambda epochs: epochs
    low: Callable[[Losses, float, int], bool] = lambda losses, least, epoch: (
        losses["training"] <= least
    )
    patience: Callable[[int], int] = lambda patience: patience
    slack: int = 0
    watches: tuple[str, ...] = ("validation",)  # the first of them that is given
    improves: Callable[[float, float, float, bool], bool] = lambda new, best, before, falls: (
        new < best
    )
    # the set whose loss is compared with the best one, where it is not the one that is watched
    compares: str = ""
    keeps: str = ""  # the set whose loss becomes the best one
    also: str = ""  # another set whose least loss counts as an improvement
    resets: bool = True
    from_the_start: bool = False
    first: float | None = None  # the best loss before epoch 1; by default that of epoch 0
    # the network
    # the set whose losses tell the best network, where it is not the one that is watched
    best_by: str = ""
    best_late: bool = False  # by the losses from before the step
    returns: Callable[[bool, bool], str] = lambda validates, stopped: (
        "best" if validates else "last"
    )
    # what is forgotten
    forgets: tuple[str, ...] = ()
    only_vectors: bool = False


@dataclass(frozen=True)
class Trained:
    """The result of a training: the losses of each given set, and the network's outputs for
    `probe`.
    """

    losses: Mapping[str, Values]
    outputs: Values


@functools.cache
def probe(L: int) -> Values:
    """Return fixed patterns of L attributes, for which the outputs of networks are compared."""
    return patterns(PATTERNS, L)


def forward(weights: Weights, functions: tuple[str, ...], inputs: Values) -> list[Values]:
    """Return the inputs of a network, followed by the outputs of each layer."""
    found = [inputs]
    for (weight, bias), name in zip(
        weights, [*(functions or ["sigmoid"] * (len(weights) - 1)), ""], strict=False
    ):
        last = "softmax" if len(weight) > 1 else "sigmoid"
        found.append(FUNCTIONS[name or last](found[-1] @ weight.T + bias))
    return found


def _gradient(
    weights: Weights, functions: tuple[str, ...], outputs: Sequence[Values], slope: Values
) -> Values:
    """Return the gradient of the loss with respect to all weights.

    `outputs`: the inputs and what each layer gives, as `forward` returns them.
    `slope`: the gradient of the loss with respect to the outputs of the network.
    """
    p = outputs[-1]
    slope = (
        p * (slope - (slope * p).sum(axis=1, keepdims=True))
        if p.shape[1] > 1
        else slope * p * (1 - p)
    )
    found: list[Values] = []
    for layer in range(len(weights) - 1, -1, -1):
        found = [(slope.T @ outputs[layer]).ravel(), slope.sum(axis=0), *found]
        if layer:
            name = functions[layer - 1] if functions else "sigmoid"
            slope = slope @ weights[layer][0] * SLOPES[name](outputs[layer])
    return np.concatenate(found)


class _Course:
    """The epochs of a training that never ends: weights and losses, computed as far as they are
    requested.
    """

    def __init__(self, case: Case, start: Weights, steps: Steps, formula: str) -> None:
        self.case, self.start, self.steps, self.formula = case, start, steps, LOSSES[formula]
        self.x = np.concatenate([x for x, _ in case.sets.values()])
        self.y = np.concatenate([y for _, y in case.sets.values()]).astype(float)
        ends = np.cumsum([len(x) for x, _ in case.sets.values()])
        self.rows = dict(zip(case.sets, np.split(np.arange(len(self.x)), ends[:-1]), strict=True))
        trains = [(self.rows[name], share) for name, share in steps.trains if name in self.rows]
        rows = np.concatenate([part for part, _ in trains])
        counts = np.concatenate(
            [np.full((len(part), 1), share * len(rows) / len(part) or 1) for part, share in trains]
        )
        size = steps.batch or len(rows)
        cuts = np.array_split(np.arange(len(rows)), steps.parts or range(size, len(rows), size))
        cuts = [cut for cut in cuts if len(cut) == size or not steps.whole]
        self.batches = [(rows[cut], counts[cut]) for cut in cuts]
        if steps.joined:
            self.rows["training"] = rows
        weights = [part for layer in start for part in layer]
        sizes = [part.size for part in weights]
        self.scale = np.repeat(case.scales or [1.0] * len(sizes), sizes)
        ends = np.cumsum([0, *sizes])
        # where weights and biases stand, in turn
        self.places = [slice(*pair) for pair in pairwise(ends)]
        self.last = ends[-1] - ends[-3]  # parameters of the last layer
        self.kept = np.zeros(1)
        self.optimiser = Optimiser(steps.optimiser)
        self.weights, self.losses = list[Values](), list[Losses]()
        self._add(np.concatenate([part.ravel() for part in weights]) / self.scale)

    def at(self, epoch: int) -> tuple[Values, Losses]:
        while len(self.weights) <= epoch:
            w, rate = (
                self.weights[-1],
                self.steps.rate(self.case.options["learningRate"], len(self.weights) - 1),
            )
            if "validation" in self.rows and self.steps.follows_validation:
                validation = [losses["validation"] for losses in self.losses]
                improved = len({*np.minimum.accumulate(validation)})
                rate *= self.steps.rate_if_worse ** (len(validation) - improved)
                w = self.weights[int(np.argmin(validation))] if self.steps.restarts else w
            if self.steps.new_each_epoch:
                self.optimiser = Optimiser(self.steps.optimiser)
            for batch in self.batches * self.steps.times:
                w = self.optimiser.step(w, functools.partial(self._objective, *batch), rate)
            self._add(w)
        return self.weights[epoch], self.losses[epoch]

    def _add(self, w: Values) -> None:
        self.outputs = forward(self.shaped(w), self.case.functions, self.x)
        p = self.outputs[-1]
        self.weights.append(w)
        self.losses.append(
            {name: self.formula(p[rows], self.y[rows])[0] for name, rows in self.rows.items()}
        )

    def shaped(self, w: Values) -> Weights:
        parts = [(w * self.scale)[place] for place in self.places]
        return [
            (parts[2 * i].reshape(weight.shape), parts[2 * i + 1])
            for i, (weight, _) in enumerate(self.start)
        ]

    def _objective(self, rows: Integers, counts: Values, w: Values) -> tuple[float, Values]:
        """Return the loss that a step with these rows minimises, and its gradient at the weights
        `w`.
        """
        steps, weights = self.steps, self.shaped(w)
        outputs = (
            self.outputs if w is self.weights[-1] else forward(weights, self.case.functions, self.x)
        )
        chosen = [each[rows] for each in outputs]
        value, slope = LOSSES[steps.objective](chosen[-1], self.y[rows])
        gradient = _gradient(weights, self.case.functions, chosen, slope * counts) * self.scale
        gradient = gradient + steps.decay * w
        self.kept = gradient + self.kept * steps.keeps_gradients(len(self.weights) - 1)
        gradient = self.kept
        if steps.longest < np.inf:
            gradient = gradient * min(
                1.0, steps.longest / max(float(np.linalg.norm(gradient)), 1e-9)
            )
        return value, gradient * (
            np.arange(w.size) >= w.size - self.last
        ) if steps.only_last else gradient


Courses: TypeAlias = "MutableMapping[Any, _Course]"  # by what decides them


def simulate(
    case: Case, start: Weights, way: Way, courses: Courses, given: Trained | None = None
) -> Trained:
    """Return the result of training in a way, right or wrong, from known initial weights.

    `courses`: the epochs that several ways have in common; kept for the next call.
    `given`: a result with which the training is compared; it ends as soon as the losses differ.
    """
    forgets = way.forgets if case.vector or not way.only_vectors else ()
    sets = {name: each for name, each in case.sets.items() if name not in forgets}
    options = {
        **DEFAULTS,
        **{name: value for name, value in case.options.items() if name not in forgets},
    }
    functions = () if "transferFunctions" in forgets else case.functions
    key = way.steps, way.formula, forgets
    if key not in courses:
        left = replace(case, sets=sets, options=options, functions=functions)
        courses[key] = _Course(left, start, way.steps, way.formula)
    course, least = courses[key], options["minLoss"]
    most, patience = (
        way.most(options["maxEpochs"]),
        way.patience(options["maxEpochsVal"]) + way.slack,
    )
    by = way.best_by if way.best_by in sets else ""
    watched = next((name for name in way.watches if name in sets and way.best_by in ("", by)), None)

    def is_low(losses: Losses) -> bool:
        if least > 0:  # a limit that single precision came to is that loss
            losses = {
                name: least if abs(one - least) < 1e-6 else one for name, one in losses.items()
            }
        return way.low(losses, least, epoch)

    epoch, since, best_epoch, stopped = 0, 0, 0, False
    w, now = course.at(0)
    best, lowest, lines = w, now, [now]
    limit = (now[watched] if watched else np.inf) if way.first is None else way.first
    seen = given.losses["training"] if given and way.epoch_0 and not way.late else ()
    while epoch < most and not is_low(lines[-2:][0] if way.stops_late else now) and not stopped:
        if epoch < len(seen) and abs(now["training"] - seen[epoch]) > FAR * (1 + abs(seen[epoch])):
            break
        epoch, since = epoch + 1, since + 1
        before, (w, now) = now, course.at(epoch)
        now = {**now, "training": lines[0]["training"]} if way.frozen else now
        falls, improved = now["training"] < before["training"], False
        if watched:
            improved = way.improves(now[way.compares or watched], limit, before[watched], falls)
            improved |= way.also in now and now[way.also] <= min(line[way.also] for line in lines)
            if improved:
                limit, since = now[way.keeps or watched], 0 if way.resets else since - 1
        judged = before if way.best_late else now
        if judged[by] < lowest[by] if by else improved:
            best, lowest, best_epoch = w, judged, epoch
        stopped = watched is not None and (epoch if way.from_the_start else since) >= patience
        kept = lowest if watched else now
        lines.append({**now, **{name: kept[name] for name in way.of_best if name in now}})
    networks = {"best": best, "last": w, "first": course.at(0)[0]}
    networks["before best"] = course.at(max(best_epoch - 1, 0))[0]
    networks["after best"] = course.at(min(best_epoch + 1, epoch))[0]
    networks["last if better"] = best if best is course.at(0)[0] else w
    networks["output of best"] = np.append(w[: w.size - course.last], best[w.size - course.last :])
    network = networks[way.returns("validation" in sets, stopped)]
    losses = {
        name: np.array([line.get(way.noted_as.get(name, name), line[name]) for line in lines])
        for name in sets
    }
    if way.late:
        losses["training"] = np.append(losses["training"][:1], losses["training"][:-1])
    ends = {"best": best_epoch + 1 if watched else None, "last": -1}
    losses = {
        name: line[0 if way.epoch_0 else 1 : ends.get(way.until)] for name, line in losses.items()
    }
    return Trained(losses, forward(course.shaped(network), functions, probe(course.x.shape[1]))[-1])
