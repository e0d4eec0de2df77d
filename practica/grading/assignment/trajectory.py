"""Trainings compared with what follows from the weights that they begin with.

A `Plan` is a kind of call. The function is asked for a training without epochs, and the network
that it returns tells the initial weights. Then data are drawn for which this call is telling and
tame: rounding changes nothing, each wrong way that the plan is `against` comes to something else.
The call is made with the same seed, and one of the right ways has to lead to the same losses, and
to a network with the same outputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from practica.grading.assignment.accepted_forms import as_outputs, as_trained
from practica.grading.assignment.network import (
    BUILD,
    Shape,
    as_network,
    require_sizes,
    size_for,
    size_of,
    sizes_for,
    sizes_of,
)
from practica.grading.assignment.oracle import (
    PATTERNS,
    SETS,
    Case,
    Courses,
    Dataset,
    Steps,
    Trained,
    Values,
    Way,
    Weights,
    probe,
    simulate,
)
from practica.grading.assignment.oracle import forward as outputs_of
from practica.grading.assignment.ways import RIGHT, WRONG
from practica.grading.engine.framework import CheckFailed
from practica.grading.engine.helper_substitution import Helped, Tamed
from practica.grading.engine.rendering import close
from practica.grading.engine.solution import Solution
from practica.grading.inside.plain_data import Function

TOLERANCE = 2e-4  # for losses and outputs
MOST_LOSSES = 12  # of a training, that are given as minLoss
ROUNDING = 1e-5  # what single precision loses
# weights in parts of their parameters, of which the smallest steps still count
LEAST_SCALE = 0.4
CLEAR = 5  # times the tolerance by which wrong ways are to be told
# cases that were drawn: a failing check makes the same call side by side, alone, and for
# its diagnosis
MOST_KEPT = 128
LARGEST_EPSILON: dict[str, Any] = {
    "steps": Steps(objective="largest epsilon"),
    "formula": "largest epsilon",
}


@dataclass(frozen=True)
class Plan:
    """A kind of call of `train_class_ann`, from which single calls are drawn.

    The sizes of the sets do not depend on what is drawn, so that a file may draw random numbers for
    the patterns before it draws the weights.
    """

    topology: list[int]
    L: int  # attributes
    C: int  # outputs
    sizes: Mapping[str, int]  # each set's; all have their classes by one rule
    options: Mapping[str, Any] = field(default_factory=dict)
    functions: tuple[str, ...] = ()
    vector: bool = False
    noise: float = 1.0  # in the classes
    scale: float = 1.0  # how far the patterns spread
    turned: str = ""  # sets with the classes of others: they get worse while the others get better
    easy: str = ""  # sets without noise
    one_pattern: bool = False  # the same in all sets
    least: int = 0  # the epoch at which the training loss comes down to minLoss
    # the epoch whose training loss is minLoss in a second call: no earlier one is nearly the same
    exact: int = 0
    against: tuple[str, ...] = ()  # wrong ways that it has to tell from the right ones
    # epochs between the best network and the first and last ones, at least
    best: tuple[int, int] = (0, 0)

    def case(
        self,
        draws: np.random.Generator,
        start: Weights | None = None,
        courses: Courses | None = None,
        scales: tuple[float, ...] = (),
    ) -> Case:
        """Draw one call of this kind.

        `start`: the initial weights; with them, minLoss is a loss near the epoch `least`.
        `courses`: as `simulate` takes them.
        `scales`: those of the `Case`.
        """
        options = dict(self.options)
        case = Case(self.topology, self._sets(draws), options, self.functions, self.vector, scales)
        if not self.least or start is None:
            return case
        losses = simulate(case, start, Way(), {} if courses is None else courses).losses["training"]
        limit = (
            float(losses[self.least - 1 : self.least + 1].mean())
            if len(losses) > self.least
            else 0.0
        )
        return replace(case, options={**case.options, "minLoss": limit})

    def _sets(self, draws: np.random.Generator) -> dict[str, Dataset]:
        L, C = self.L, self.C
        rule, found = draws.normal(size=(L, C)) * 1.5, dict[str, Dataset]()
        for name, N in self.sizes.items():
            x = (self.scale * draws.normal(size=(N, L))).round(3)
            z = x @ rule + (name not in self.easy) * self.noise * draws.normal(size=(N, C))
            if self.one_pattern:
                x, z = x * 0, np.eye(C)[np.maximum(np.arange(N) - N + C, 0)]
            y = z > 0 if C == 1 else np.eye(C, dtype=bool)[z.argmax(axis=1)]
            found[name] = x, (~y if C == 1 else np.roll(y, 1, axis=1)) if name in self.turned else y
        return found

    def telling(
        self, start: Weights, seed: int, scales: tuple[float, ...] = ()
    ) -> tuple[Case, list[Trained]] | None:
        """Draw a call that tells wrong ways apart and in which rounding errors stay small, and
        return it with its right results; None if none is found.
        """
        key = repr(self), seed, scales, *(part.tobytes() for layer in start for part in layer)
        if key not in _drawn:
            while len(_drawn) >= MOST_KEPT:
                del _drawn[next(iter(_drawn))]
            _drawn[key] = self._telling(start, seed, scales)
        return _drawn[key]

    def _telling(
        self, start: Weights, seed: int, scales: tuple[float, ...]
    ) -> tuple[Case, list[Trained]] | None:
        for tells in self._tells, lambda *_: True:
            draws = np.random.default_rng(seed)
            # cases, until one is telling and tame
            for _ in range(40):
                courses = dict[Any, Any]()
                case = self.case(draws, start, courses, scales)
                right = [simulate(case, start, way, courses) for way in right_ways(case)]
                if self._fits(right) and tells(case, start, right, courses):
                    near = _rounded_otherwise(case, start)
                    if all(
                        alike(one, other, TOLERANCE / 4)
                        for one, other in zip(right, near, strict=True)
                    ):
                        return case, right
        return None

    def _fits(self, right: list[Trained]) -> bool:
        losses = [each.losses["training"] for each in right]
        return len(losses[0]) <= 150 and all(
            len(each) > self.exact
            and (np.abs(each[: self.exact] - each[self.exact]) > TOLERANCE).all()
            for each in losses
        )

    def _tells(self, case: Case, start: Weights, right: list[Trained], courses: Courses) -> bool:
        losses = right[0].losses["validation" if "validation" in case.sets else "training"]
        if any(self.best) and not self.best[0] <= losses.argmin() < len(losses) - self.best[1]:
            return False
        wrong = (simulate(case, start, WRONG[id], courses) for id in self.against)
        return not any(alike(each, one, CLEAR * TOLERANCE) for each in wrong for one in right)


_drawn: dict[tuple[Any, ...], tuple[Case, list[Trained]] | None] = {}


def right_ways(case: Case) -> list[Way]:
    """Return the right ways to train: several with a validation set, since what the statement
    leaves open then changes the result.
    """
    return RIGHT if "validation" in case.sets else RIGHT[:1]


def _rounded_otherwise(case: Case, start: Weights) -> list[Trained]:
    """Return the results of the right ways with the largest legal epsilon in the loss and with
    initial weights that are rounded in another way.
    """
    shaken = [(weight * (1 + 1e-6), bias - 1e-6) for weight, bias in start]
    courses = dict[Any, Any]()
    return [
        simulate(case, shaken, replace(way, **LARGEST_EPSILON), courses) for way in right_ways(case)
    ]


def alike(one: Trained, other: Trained, tolerance: float = TOLERANCE) -> bool:
    """Return whether two results of a training have the same losses and outputs, up to rounding."""
    nothing = np.empty(0)
    return close(one.outputs, other.outputs, tolerance) and all(
        close(one.losses.get(name, nothing), other.losses.get(name, nothing), tolerance)
        for name in SETS
    )


# --- what is asked --------------------------------------------------------------------------------


def call(solution: Solution, case: Case, seed: int, **options: Any) -> list[Any]:
    """Call `train_class_ann`, and return the network and the losses of each set.

    `options`: those of the call, if not the options of the case.
    """
    given = {name: (x, y[:, 0] if case.vector else y) for name, (x, y) in case.sets.items()}
    options = {
        **{f"{name}Dataset": given[name] for name in SETS[1:] if name in given},
        **(options or case.options),
    }
    if case.functions:
        options["transferFunctions"] = [Function(name) for name in case.functions]
    solution.seed = seed
    return [*as_trained(solution.train_class_ann([*case.topology], given["training"], **options))]


def start_of(
    solution: Solution, case: Case, seed: int
) -> tuple[Solution, Weights, tuple[float, ...]]:
    """Return a solution, the initial weights of its network, and the `scales` of a `Case`.

    The weights are those of the network that a training without epochs returns. What a step does to
    weights that are computed from the parameters can only be foreseen if each array is a multiple
    of one parameter, and no small part of it. Otherwise the returned solution is one with right
    networks.
    """
    for asked in solution, Tamed(solution):  # parameters of zero tell no multiple
        facts = _untrained(asked, case, seed)
        if _is_foreseeable(facts, case):
            return asked, weights_of(facts, case), ()
        scales = scales_of(facts)
        if not scales or min(scales) < LEAST_SCALE:
            break
        if not np.isnan(scales).any():
            return asked, weights_of(facts, case), scales
    helped = Helped(solution, {"build_class_ann": BUILD})
    return helped, weights_of(_untrained(helped, case, seed), case), ()


def scales_of(facts: dict[str, Any]) -> tuple[float, ...]:
    """Return, for each array of weights of a network, by what its parameter is multiplied, NaN
    where all are zero; empty if an array is not a multiple of a parameter, or a parameter is left.
    """
    found, left = [], list(facts["values"])
    arrays = [layer[name] for layer in facts["layers"] for name in ("weight", "bias")]
    for array in arrays:
        factors = ((each, _factor(array, each)) for each in left)
        parameter, factor = next((pair for pair in factors if pair[1]), (None, 0.0))
        if parameter is None:
            return ()
        left = [each for each in left if each is not parameter]
        found.append(factor)
    return () if left else tuple(found)


def _factor(array: Values | None, parameter: Values) -> float:
    """Return by what a parameter, or its transpose, is multiplied to give an array; 0 if it is no
    multiple, NaN if both are zero.
    """
    if array is None or array.size != parameter.size:
        return 0.0
    size, rounding = float(abs(parameter).sum()), ROUNDING * (1 + abs(array))
    if not size:
        return np.nan if (abs(array) <= rounding).all() else 0.0
    factor = float(abs(array).sum()) / size
    if factor < ROUNDING:
        return 0.0
    ways = (way.reshape(array.shape) * factor for way in (parameter, parameter.T))
    return factor if any((abs(array - way) <= rounding).all() for way in ways) else 0.0


def _untrained(solution: Solution, case: Case, seed: int) -> dict[str, Any]:
    """Return the facts of the network that a training without epochs returns; raise `CheckFailed`
    if it has run an epoch.
    """
    network, *losses = call(solution, case, seed, maxEpochs=0)
    if len(losses[0]) > 1:
        raise CheckFailed({"expected": 1, "obtained": len(losses[0])}, "train_class_ann.max_epochs")
    return as_network(solution, network, shape_of(case), case.functions)


def _is_foreseeable(facts: dict[str, Any], case: Case) -> bool:
    """Return whether the training of a network can be foreseen, because its layers' weights are
    parameters. Wrong networks count as well: another requirement is for them.
    """
    if facts["layers"] and sizes_of(facts) != sizes_for(shape_of(case)):
        return True
    if not facts["layers"]:
        return bool(facts["guess"]) or size_of(facts) != size_for(shape_of(case))
    parts = [layer[name] for layer in facts["layers"] for name in ("weight", "bias")]
    weights, parameters = (
        abs(np.concatenate([np.empty(0), *(each.ravel() for each in arrays)]))
        for arrays in (parts, facts["values"])
    )
    if weights.size != parameters.size:
        return False
    off = abs(weights[:, None] - parameters).min(axis=1, initial=np.inf)
    return bool((off <= ROUNDING * (1 + weights)).all())


def shape_of(case: Case) -> Shape:
    """Return the shape of the network that a case is to train."""
    inputs, targets = case.sets["training"]
    return inputs.shape[1], case.topology, targets.shape[1]


def weights_of(facts: dict[str, Any], case: Case) -> Weights:
    """Return the weights of a network; raise CheckFailed if it is not the one that the case should
    train.
    """
    require_sizes(facts, shape_of(case), "train_class_ann.network")
    weights = [
        (each["weight"].astype(float), each["bias"].astype(float)) for each in facts["layers"]
    ]
    if weights and close(
        outputs_of(weights, case.functions, facts["inputs"])[-1], facts["outputs"], 1e-3
    ):
        return weights
    raise CheckFailed({}, "train_class_ann.transfer_functions")


def follow(solution: Solution, plan: Plan, seed: int, about: str = "") -> Any:
    """Require that a training leads to the result that its initial weights determine; return its
    losses.

    If the weights do not repeat, or nothing can be foreseen with them, the network gets small
    weights from the grader. If steps change multiples of its parameters, a right network takes its
    place.

    `plan`, `seed`: what is trained, and the seed of the data and of the call.
    `about` ("loss", "steps", "length" or "network"): what of a wrong result the sentence of the
        check is about; the rest has general ones.
    """
    problem, scales = "", tuple[float, ...]()
    helped = Helped(solution, {"build_class_ann": BUILD})
    for tried in solution, Tamed(solution), helped:
        if tried is helped and not scales:
            break
        blank = plan.case(np.random.default_rng(seed))
        asked, start, scales = start_of(tried, blank, seed)
        if (drawn := plan.telling(start, seed, scales)) is None:
            problem = "form.no_case"
            continue
        case, right = drawn
        value = call(asked, case, seed)
        found = compared(asked, case, start, value, right)
        if plan.exact and not found:
            case = _until(case, value[1][plan.exact])
            found = _beyond_own_losses(asked, case, start, seed)
        if found is None:
            return value[1:]
        _, again, _ = start_of(asked, blank, seed)
        if all(
            close(a, b)
            for one, other in zip(start, again, strict=True)
            for a, b in zip(one, other, strict=True)
        ):
            _with(asked, case, start, seed)  # what is shown is the last call
            own = {f"form.training_{about}", *["form.training_start"] * (about == "loss")}
            raise CheckFailed(found.facts, None if found.message in own else found.message)
        problem = "form.unrepeatable"
    raise CheckFailed({}, problem)


def _until(case: Case, loss: float) -> Case:
    """Return the case with `loss` as its minLoss."""
    return replace(case, options={**case.options, "minLoss": float(loss)})


def _beyond_own_losses(
    solution: Solution, case: Case, start: Weights, seed: int
) -> CheckFailed | None:
    """Return how a training goes on although it has reached minLoss, a loss that it has returned.
    Return None if it ends there, or if the loss that it compares is not the one that it returns.

    It compares what it returns if it goes on at a loss and ends a little above: at the next number
    in double precision, or at what rounds to the next one in single precision.
    """

    def ends(loss: float) -> bool:
        return _with(solution, _until(case, loss), start, seed) is None

    found = _with(solution, case, start, seed)
    losses = () if found is None else call(solution, _until(case, 0.0), seed)[1]
    for epoch, loss in enumerate(losses[:MOST_LOSSES]):
        step = float(np.spacing(np.float32(loss)))
        if (abs(losses[:epoch] - loss) <= TOLERANCE).any():
            continue
        if ends(loss):
            return None
        if not ends(np.nextafter(loss, np.inf)) and (
            ends(loss + 0.45 * step) or not ends(loss + 0.55 * step)
        ):
            return None
    return found


def _with(solution: Solution, case: Case, start: Weights, seed: int) -> CheckFailed | None:
    """Train a case from known initial weights, and return how the result differs from all right
    ones; None if it equals one.
    """
    right = [simulate(case, start, way, {}) for way in right_ways(case)]
    return compared(solution, case, start, call(solution, case, seed), right)


def compared(
    solution: Solution, case: Case, start: Weights, value: Sequence[Any], rights: Sequence[Trained]
) -> CheckFailed | None:
    """Return a failure with the first difference between the result of a training and all right
    results; None if it equals one of these.

    `value`: the network and the losses of each set.
    """
    network, *vectors = value
    losses = dict(zip(SETS, vectors, strict=True))
    outputs = as_outputs(
        solution.predict(network, probe(case.sets["training"][0].shape[1])), PATTERNS
    )
    if any(alike(Trained(losses, outputs), right) for right in rights):
        return None
    length = len(losses["training"])
    for name in SETS:
        if name not in case.sets and len(losses[name]):
            facts = {"set": name, "obtained": len(losses[name])}
            return CheckFailed(facts, "train_class_ann.absent_sets")
        if name in case.sets and len(losses[name]) != length:
            facts = {"set": name, "expected": length, "obtained": len(losses[name])}
            return CheckFailed(facts, "form.losses_length")
    lengths = [len(right.losses["training"]) for right in rights]
    same_length = length in lengths
    near = _rounded_otherwise(case, start)[-1].losses if same_length else {}
    for name in case.sets:
        epochs = min(length, len(rights[-1].losses[name]))
        expected, obtained = rights[-1].losses[name][:epochs], losses[name][:epochs]
        legal = TOLERANCE * (1 + abs(expected))
        if same_length:  # what is said of the network is said of losses that are the right ones
            legal = ROUNDING * (1 + abs(expected)) + 2 * abs(near[name][:epochs] - expected)
        wrong = ~(abs(obtained - expected) <= legal)
        if wrong.any():
            return _of_a_loss(name, int(wrong.argmax()), expected, obtained)
    if length not in lengths:
        return CheckFailed({"expected": lengths[0], "obtained": length}, "form.training_length")
    last = simulate(case, start, WRONG["last_network"], {})
    is_last = "validation" in case.sets and close(outputs, last.outputs, TOLERANCE)
    facts = {"expected": rights[lengths.index(length)].outputs[0], "obtained": outputs[0]}
    return CheckFailed(facts, "form.last_network" if is_last else "form.training_network")


def _of_a_loss(name: str, epoch: int, expected: Values, obtained: Values) -> CheckFailed:
    """Return the failure for the first loss, at an epoch of the set `name`, that differs from the
    expected one.
    """
    facts = {"set": name, "epoch": epoch, "expected": expected[epoch], "obtained": obtained[epoch]}
    if epoch:
        return CheckFailed(
            facts, "form.training_steps" if name == "training" else "form.training_loss"
        )
    later = len(obtained) > 1 and close(obtained[1], expected[0], ROUNDING)
    later = later and not close(obtained[0], obtained[1], TOLERANCE)
    return CheckFailed(facts, "form.training_step_too_many" if later else "form.training_start")
