"""Trainings compared with what follows from the weights that they begin with.

A `Plan` is a kind of call. The function is asked for a training without epochs, and the network that it returns tells
the initial weights. Then data are drawn for which this call is telling and tame: rounding changes nothing, each wrong
way that the plan is `against` comes to something else. The call is made with the same seed, and one of the right ways
has to lead to the same losses, and to a network with the same outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from practica.checks.framework import CheckFailed
from practica.checks.help import Tamed
from practica.checks.network import as_network, patterns, sizes_of, weights_and_biases
from practica.checks.oracle import SETS, Case, Courses, Dataset, Steps, Trained, Values, Way, Weights, forward, simulate
from practica.checks.plain import Function
from practica.checks.readings import as_outputs, as_trained, close
from practica.checks.solution import Solution
from practica.checks.ways import RIGHT, WRONG

TOLERANCE = 2e-4  # of losses and outputs
CLEAR = 5  # times the tolerance by which wrong ways are to be told
PATTERNS = 12  # of which the outputs are compared
MOST_DRAWN = 40  # cases, until one is telling and tame
LONGEST = 150  # epochs
LARGEST_EPSILON: dict[str, Any] = {
    "steps": Steps(objective="entropy, largest epsilon"),
    "formula": "entropy, largest epsilon",
}

Draw = Callable[[np.random.Generator], "dict[str, Dataset]"]


@dataclass(frozen=True)
class Plan:
    """A kind of call.

    Attributes
    ----------
    topology : list of int
    L, C : int
        Attributes, and outputs.
    draw : callable
        Draws the sets: always of the same sizes, so that random numbers may be drawn for them before the weights.
    options : dict
    functions, vector
        As in `Case`.
    least : int
        The epoch at which the training loss comes down to minLoss; none for 0.
    against : tuple of str
        The wrong ways that it has to tell from the right ones.
    tells : callable
        Takes the right training; whether it is such a one as is wanted.
    """

    topology: list[int]
    L: int
    C: int
    draw: Draw
    options: Mapping[str, Any]
    functions: tuple[str, ...] = ()
    vector: bool = False
    least: int = 0
    against: tuple[str, ...] = ()
    tells: Callable[[Trained], bool] = field(default=lambda trained: True)

    def case(self, draws: np.random.Generator, start: Weights | None = None) -> Case:
        """Draw a call."""
        case = Case(self.topology, self.draw(draws), dict(self.options), self.functions, self.vector)
        if not self.least or start is None:
            return case
        losses = simulate(case, start, Way(), patterns(1, self.L), {}).losses["training"]
        limit = float(losses[self.least - 1 : self.least + 1].mean()) if len(losses) > self.least else 0.0
        return Case(case.topology, case.sets, {**case.options, "minLoss": limit}, case.functions, case.vector)

    def telling(self, draws: np.random.Generator, start: Weights) -> Case | None:
        """Draw calls until one is telling and tame; of those that are not, the first tame one if there is any."""
        tame = None
        for _ in range(MOST_DRAWN):
            case, courses = self.case(draws, start), dict[Any, Any]()
            right = [simulate(case, start, way, self.probe, courses) for way in right_ways(case)]
            tells = self.tells(right[0])
            if (tells or tame is None) and self._is_tame(case, start, right):
                if tells and not any(self._is_near(WRONG[id], case, start, right, courses) for id in self.against):
                    return case
                tame = tame or case
        return tame

    @property
    def probe(self) -> Values:
        """Return the patterns whose outputs are compared."""
        return patterns(PATTERNS, self.L)

    def _is_tame(self, case: Case, start: Weights, right: list[Trained]) -> bool:
        if len(right[0].losses["training"]) > LONGEST:
            return False
        shaken, courses = [(weight * (1 + 1e-6), bias - 1e-6) for weight, bias in start], dict[Any, Any]()
        near = [
            simulate(case, shaken, replace(way, **LARGEST_EPSILON), self.probe, courses) for way in right_ways(case)
        ]
        return all(_alike(one, other, TOLERANCE / 4) for one, other in zip(right, near, strict=True))

    def _is_near(self, way: Way, case: Case, start: Weights, right: list[Trained], courses: Courses) -> bool:
        wrong = simulate(case, start, way, self.probe, courses)
        return any(_alike(wrong, each, CLEAR * TOLERANCE) for each in right)


def right_ways(case: Case) -> list[Way]:
    """Return the right ways that may differ in a call."""
    return RIGHT if "validation" in case.sets else RIGHT[:1]


def _alike(one: Trained, other: Trained, tolerance: float = TOLERANCE) -> bool:
    nothing = np.empty(0)
    return close(one.outputs, other.outputs, tolerance) and all(
        close(one.losses.get(name, nothing), other.losses.get(name, nothing), tolerance) for name in SETS
    )


def explains(way: Way, case: Case, start: Weights, trained: Trained, courses: Courses) -> bool:
    """Return whether a way to train leads to this result."""
    inputs = patterns(PATTERNS, case.sets["training"][0].shape[1])
    return _alike(simulate(case, start, way, inputs, courses), trained)


# -- what is asked ----------------------------------------------------------------------------------------------------


def call(solution: Solution, case: Case, seed: int, **options: Any) -> list[Any]:
    """Train, and return the network and the losses of each set."""
    given = {name: (x, y[:, 0] if case.vector else y) for name, (x, y) in case.sets.items()}
    options = {**{f"{name}Dataset": given[name] for name in SETS[1:] if name in given}, **(options or case.options)}
    if case.functions:
        options["transferFunctions"] = [Function(name) for name in case.functions]
    solution.seed = seed
    return [*as_trained(solution.train_class_ann([*case.topology], given["training"], **options))]


def start_of(solution: Solution, case: Case, seed: int) -> tuple[Weights, list[Any]]:
    """Return the weights that a training begins with, and the losses of one without epochs."""
    network, *losses = call(solution, case, seed, maxEpochs=0)
    if len(losses[0]) > 1:
        raise CheckFailed({"expected": 1, "obtained": len(losses[0])}, "train_class_ann.max_epochs")
    facts = as_network(solution, network, case.sets["training"][0].shape[1])
    return weights_of(facts, case), losses


def weights_of(facts: dict[str, Any], case: Case) -> Weights:
    """Return the weights of a network, if it is what was asked for."""
    expected = [*pairwise([case.sets["training"][0].shape[1], *case.topology, case.sets["training"][1].shape[1]])]
    if sizes_of(facts) != expected:
        raise CheckFailed({"expected": expected, "obtained": sizes_of(facts)}, "train_class_ann.network")
    layers = [
        (each["weight"], np.zeros(each["out"]) if each["bias"] is None else each["bias"]) for each in facts["layers"]
    ]
    found = [(weight.astype(float), bias.astype(float)) for weight, bias in layers or weights_and_biases(facts)]
    turned = [(weight.T if len(weight) == len(weight.T) else weight, bias) for weight, bias in found]
    for weights in found, turned:  # it cannot be seen how parameters of a square are meant
        if close(forward(weights, case.functions, facts["inputs"])[-1], facts["outputs"], 1e-3):
            return weights
    message = "train_class_ann.transfer_functions" if case.functions else "train_class_ann.network.outputs"
    raise CheckFailed({}, message)


class Followed(NamedTuple):
    """A training that came to what was foreseen."""

    solution: Solution
    case: Case
    start: Weights
    losses: list[Any]  # of each set

    def again(self, seed: int, **options: Any) -> None:
        """Require the same of a training with other options, from the same weights."""
        case = replace(self.case, options={**self.case.options, **options})
        if wrong := compared(self.solution, case, self.start, call(self.solution, case, seed)):
            raise wrong


def follow(solution: Solution, plan: Plan, seed: int, kind: str = "") -> Followed:
    """Require that a training comes to what follows from its initial weights.

    Networks whose weights nobody can repeat, or are too large to foresee anything, get others if that can be.

    Parameters
    ----------
    solution : Solution
    plan : Plan
    seed : int
    kind : "loss", "steps", "length" or "network"
        What of a wrong result the sentence of the check is about; the rest has general ones.
    """
    problem = ""
    for asked in solution, Tamed(solution):
        draws = np.random.default_rng(seed)
        blank = plan.case(draws)
        start, _ = start_of(asked, blank, seed)
        case = plan.telling(draws, start)
        if case is None:
            problem = "form.no_case"
            continue
        value = call(asked, case, seed)
        found = compared(asked, case, start, value)
        if found is None:
            return Followed(asked, case, start, value[1:])
        again, _ = start_of(asked, blank, seed)
        if all(close(a, b) for one, other in zip(start, again, strict=True) for a, b in zip(one, other, strict=True)):
            call(asked, case, seed)  # what is shown is the last call
            raise CheckFailed(found.facts, None if found.message == f"form.training_{kind}" else found.message)
        problem = "form.unrepeatable"
    raise CheckFailed({}, problem)


def compared(solution: Solution, case: Case, start: Weights, value: Sequence[Any]) -> CheckFailed | None:
    """Return what is wrong in the result of a training; None if nothing is."""
    network, *vectors = value
    losses = dict(zip(SETS, vectors, strict=True))
    length = len(losses["training"])
    probe, courses = patterns(PATTERNS, case.sets["training"][0].shape[1]), dict[Any, Any]()
    outputs = as_outputs(solution.predict(network, probe), PATTERNS)
    for name in SETS:
        if name not in case.sets and len(losses[name]):
            return CheckFailed({"obtained": losses[name]}, "train_class_ann.absent_sets")
        if name in case.sets and len(losses[name]) != length:
            facts = {"set": name, "expected": length, "obtained": len(losses[name])}
            return CheckFailed(facts, "form.losses_length")
    trained = Trained(losses, outputs)
    rights = [simulate(case, start, way, probe, courses) for way in right_ways(case)]
    if any(_alike(trained, right) for right in rights):
        return None
    for name in case.sets:
        epochs = min(length, len(rights[-1].losses[name]))
        expected, obtained = rights[-1].losses[name][:epochs], losses[name][:epochs]
        wrong = ~np.isclose(obtained, expected, TOLERANCE, TOLERANCE)
        if wrong.any():
            epoch = int(wrong.argmax())
            facts = {"set": name, "epoch": epoch, "expected": expected[epoch], "obtained": obtained[epoch]}
            steps = epoch and name == "training"  # what is noted is right, and the step is not
            return CheckFailed(facts, "form.training_steps" if steps else "form.training_loss")
    lengths = [len(right.losses["training"]) for right in rights]
    if length not in lengths:
        return CheckFailed({"expected": lengths[0], "obtained": length}, "form.training_length")
    last = simulate(case, start, WRONG["last_network"], probe, courses)
    right = rights[lengths.index(length)]
    is_last = "validation" in case.sets and close(outputs, last.outputs, TOLERANCE)
    message = "form.last_network" if is_last else "form.training_network"
    return CheckFailed({"expected": right.outputs[0], "obtained": outputs[0]}, message)


def rounded(losses: Sequence[float]) -> bool:
    """Return whether losses have few decimals."""
    return bool((np.round(losses, 5).astype(np.float32) == np.asarray(losses, np.float32)).all())
