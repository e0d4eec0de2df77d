"""Checks of exercise 3, `train_class_ann`: the form of its results, and trainings that follow from
their initial weights.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from practica.grading.assignment.accepted_forms import as_trained
from practica.grading.assignment.network import BUILD, as_network, require_functions_kept
from practica.grading.assignment.oracle import Dataset
from practica.grading.assignment.trajectory import Plan, follow
from practica.grading.engine.drawing import Draw
from practica.grading.engine.framework import (
    CheckFailed,
    check,
    helped_by,
    require,
    state,
    untouched,
)
from practica.grading.engine.rendering import close
from practica.grading.engine.solution import Solution, StudentError
from practica.grading.inside.plain_data import Array, Function

helped_by("train_class_ann", build_class_ann=BUILD)

CLUSTERS: Dataset = (
    np.array([[2.0, -1.0], [1.5, -2.0], [1.0, -1.5], [-1.0, 2.0], [-2.0, 1.0], [-1.5, 1.5]]),
    np.array([[True], [True], [True], [False], [False], [False]]),
)


def _between(seed: int, low: int, high: int) -> int:
    return int(np.random.default_rng([seed, low, high]).integers(low, high + 1))


def _three(seed: int) -> dict[str, int]:
    return {
        "training": _between(seed, 25, 40),
        "validation": _between(seed, 12, 20),
        "test": _between(seed, 8, 11),
    }


def _options(
    maxEpochs: int, learningRate: float, maxEpochsVal: int = 100, **others: float
) -> dict[str, float]:
    return {
        "maxEpochs": maxEpochs,
        "learningRate": learningRate,
        "maxEpochsVal": maxEpochsVal,
        **others,
    }


def _foreseen(id: str, about: str, *plans: tuple[int, Plan | Callable[[int], Plan]]) -> None:
    """Register a check that compares trainings with what their initial weights determine.

    `about`: as `practica.grading.assignment.trajectory.follow` takes it.
    `plans`: pairs of a seed and a training; with the data of that seed it tells many mistakes from
        right code. A training that is a function of the seed also runs with secret seeds.
    """

    def planned(draw: Draw) -> tuple[Plan, int]:
        seed, plan = draw.in_turn(*plans)
        if not callable(plan):
            return plan, seed
        seed = seed if draw.is_known else draw.getrandbits(31)
        return plan(seed), seed

    state(f"train_class_ann.{id}", partial(_require_foreseen, about), len(plans), planned=planned)


def _require_foreseen(about: str, solution: Solution, planned: tuple[Plan, int]) -> None:
    follow(solution, *planned, about)


def are_rounded(losses: Array) -> bool:
    """Return whether losses have at most five decimals."""
    return bool(np.all(np.round(losses, 5).astype(np.float32) == losses.astype(np.float32)))


# --- what is returned -----------------------------------------------------------------------------


@check("train_class_ann.returns")
def returns(solution: Solution) -> None:
    sets = {"validationDataset": CLUSTERS, "testDataset": CLUSTERS}
    for options in {"maxEpochs": 3}, {"maxEpochs": 3, "minLoss": 50.0}:
        _, training, *others = as_trained(solution.train_class_ann([], CLUSTERS, **sets, **options))
        for name, losses in zip(("validation", "test"), others, strict=True):
            lengths = {"obtained": len(losses), "expected": len(training)}
            require(len(losses) == len(training), message="form.losses_length", set=name, **lengths)


@check("train_class_ann.absent_sets")
def absent_sets(solution: Solution) -> None:
    for given in (), ("validation",), ("test",):
        sets = {f"{name}Dataset": CLUSTERS for name in given}
        _, _, *losses = as_trained(solution.train_class_ann([], CLUSTERS, maxEpochs=2, **sets))
        for name, values in zip(("validation", "test"), losses, strict=True):
            require(name in given or not len(values), set=name, obtained=len(values))


_foreseen(
    "epoch0",
    "loss",
    (1, Plan([3], 2, 1, {"training": 9, "validation": 7, "test": 5}, {"maxEpochs": 0})),
    (1, Plan([3], 2, 1, {"training": 9}, {"maxEpochs": 2})),
)


@check("train_class_ann.losses.two_classes")
def losses_two_classes(solution: Solution) -> None:
    losses = follow(solution, Plan([3], 3, 1, {"training": 14}, _options(3, 0.1)), 2, "loss")[0]
    require(
        not are_rounded(losses),
        message="train_class_ann.losses.two_classes.rounded",
        obtained=losses,
    )


_foreseen(
    "losses.several_classes", "loss", (3, Plan([4], 2, 3, {"training": 14}, _options(3, 0.1)))
)
_foreseen(
    "losses.test",
    "loss",
    (4, Plan([3], 2, 3, _three(4), _options(6, 0.1), turned="validation")),
)
_foreseen(
    "losses.validation",
    "loss",
    (5, Plan([], 3, 1, _three(5), _options(6, 0.1), turned="validation")),
)


# --- the network ----------------------------------------------------------------------------------


def _deep(seed: int) -> Plan:
    topology = [_between(seed + layer, 2, 6) for layer in range(_between(seed, 2, 4))]
    # few patterns, and more attributes
    L, C = _between(seed, 4, 7), _between(seed, 3, 4)
    return Plan(topology, L, C, {"training": 3}, _options(3, 0.05))


_foreseen("network", "", (0, _deep))


def _with_functions(
    topology: list[int], C: int, sizes: dict[str, int], *names: str, vector: bool = False
) -> Plan:
    against = ("functions_ignored",)
    return Plan(topology, 2, C, sizes, _options(6, 0.03), names, vector, against=against)


_foreseen(
    "transfer_functions",
    "",
    (6, _with_functions([4, 3], 1, {"training": 20}, "tanh", "relu")),
    (6, _with_functions([3, 4], 1, _three(6), "relu", "tanh", vector=True)),
    (6, _with_functions([4], 3, _three(6), "relu")),
)


@check("train_class_ann.random_weights")
def random_weights(solution: Solution) -> None:
    try:
        first, second = (
            as_trained(solution.train_class_ann([], CLUSTERS, maxEpochs=1))[0] for _ in range(2)
        )
        values = [
            as_network(solution, network, (2, [], 1))["values"] for network in (first, second)
        ]
        outputs = solution.predict(first, CLUSTERS[0])
    except (CheckFailed, StudentError):
        return  # what does not train is for other checks
    equal = len(values[0]) == len(values[1]) and all(map(close, *values))
    require(not equal, obtained=outputs[0])


# --- the steps ------------------------------------------------------------------------------------


def _many_patterns(seed: int) -> Plan:
    hidden, many = [_between(seed, 3, 6)], {"training": _between(seed, 150, 200)}
    return Plan(hidden, 3, 1, many, _options(6, 0.05), against=("weight_decay:0.001",))


def _few_patterns(seed: int) -> Plan:
    few = {"training": _between(seed, 30, 50), "test": 9}
    against = ("another_objective:twice", "another_objective:smooth")
    return Plan([4, 3], 2, 3, few, _options(4, 0.05), against=against)


_foreseen("learns", "steps", (0, _many_patterns), (0, _few_patterns))

_foreseen(
    "one_optimiser",
    "steps",
    (7, Plan([4], 3, 1, _three(7), _options(28, 0.06), against=("no_zero_grad:alternate",))),
)

STEEP = Plan(
    [],
    3,
    1,
    {"training": 30},
    _options(12, 0.2),
    noise=3.0,
    scale=5.0,
    against=("learning_rate_changes:1 %", "clipped_gradient"),
)
_foreseen(
    "learning_rate",
    "steps",
    (8, STEEP),
    (8, Plan([3, 2], 2, 3, _three(8), _options(6, 0.03))),
)


# --- when it ends ---------------------------------------------------------------------------------

LONG = Plan(
    [],
    3,
    1,
    {"training": 60},
    _options(122, 0.3, 2),
    noise=4.0,
    against=("learning_rate_changes:after 100",),
)
_foreseen(
    "max_epochs",
    "length",
    (9, LONG),
    (9, Plan([], 2, 1, {"training": 20, "validation": 12}, _options(3, 0.05))),
)


def _until_min_loss(seed: int) -> Plan:
    return Plan(
        [3],
        3,
        1,
        {"training": _between(seed, 20, 40)},
        _options(25, 0.05),
        least=_between(seed, 7, 12),
        exact=5,
        against=("min_loss_ignored",),
    )


AT_ONCE = Plan([3], 2, 3, {"training": 9, "test": 5}, {"maxEpochs": 3, "minLoss": 50.0})
_foreseen("min_loss", "length", (0, _until_min_loss), (0, lambda seed: AT_ONCE))


def _easy_validation(seed: int) -> Plan:
    return Plan(
        [4],
        3,
        1,
        {"training": 30, "validation": _between(seed, 12, 16), "test": _between(seed, 9, 11)},
        _options(40, 0.05),
        ("tanh",),
        noise=2.5,
        easy="validation test",
        least=_between(seed, 14, 20),
        against=("min_loss_of_validation", "min_loss_of_test", "min_loss_ignored"),
    )


_foreseen("min_loss.validation", "length", (0, _easy_validation))


# --- early stopping -------------------------------------------------------------------------------


def _worse_validation(
    topology: list[int],
    sizes: dict[str, int],
    options: dict[str, float],
    *against: str,
    C: int = 1,
) -> Plan:
    return Plan(topology, 2, C, sizes, options, noise=0.2, turned="validation", against=against)


def _impatient(seed: int) -> Plan:
    against = ("never_stops", "stops_by_training", "stops_too_soon")
    return _worse_validation([3], _three(seed), _options(30, 0.05, 3), *against)


_foreseen("early_stopping.patience", "length", (0, _impatient))


def _one_pattern(C: int, learningRate: float, N: int, maxEpochsVal: int) -> Plan:
    sizes = {"training": N, "validation": N}
    return Plan([], 2, C, sizes, _options(8, learningRate, maxEpochsVal), one_pattern=True)


UP_AND_DOWN = Plan(
    [],
    2,
    1,
    {"training": 14, "validation": 18},
    _options(40, 1.2, 7),
    noise=3.0,
    against=(
        "count_never_reset",
        "previous_loss",
        "epochs_from_the_start",
        "improves_with_training",
    ),
)
# However large the losses are, and however small: each step lowers them by a few units of
# single precision.
_foreseen(
    "early_stopping.reset",
    "length",
    (17, lambda seed: UP_AND_DOWN),
    (17, _one_pattern(8, 0.05, 16, 4)),
    (17, _one_pattern(1, 6e-7, 4, 2)),
)

# steps that change no output, and 20 epochs of patience
STILL = {"maxEpochs": 25, "learningRate": 1e-30}
_foreseen(
    "early_stopping.strict",
    "length",
    (10, Plan([2], 2, 1, {"training": 8, "validation": 6}, STILL, against=("equal_improves",))),
)

WITHOUT_VALIDATION = Plan(
    [],
    3,
    1,
    {"training": 12},
    _options(56, 1e-30, 2),
    against=("stops_without_validation",),
)
_foreseen(
    "early_stopping.not_without_validation",
    "length",
    (11, WITHOUT_VALIDATION),
    (11, Plan([], 2, 1, {"training": 4}, _options(16, 1.0, 2), one_pattern=True)),
)


# --- which network is returned --------------------------------------------------------------------


def _stopped_early(seed: int) -> Plan:
    return Plan(
        [4],
        3,
        1,
        {"training": _between(seed, 12, 16), "validation": _between(seed, 17, 24)},
        _options(60, 0.1, _between(seed, 4, 6)),
        noise=3.0,
        against=("last_network", "only_output_of_best", "best_of_training"),
        best=(3, 4),
    )


_foreseen("best.stopped_early", "network", (0, _stopped_early))


def _out_of_epochs(topology: list[int], L: int, C: int, noise: float, least: int = 0) -> Plan:
    return Plan(
        topology,
        L,
        C,
        {"training": 14, "validation": 20, "test": 9},
        _options(18, 0.1),
        noise=noise,
        least=least,
        against=("last_network", "only_output_of_best", "best_only_if_stopped", "best_of_training"),
        best=(3, 5),
    )


_foreseen(
    "best.out_of_epochs",
    "network",
    (18, lambda seed: _out_of_epochs([4, 3], 2, 3, 2.0)),
    (18, _out_of_epochs([4], 3, 1, 3.0, least=14)),
)


def _never_better(seed: int) -> Plan:
    return _worse_validation([3, 2], _three(seed), _options(30, 0.05, 4), "last_network")


_foreseen("best.never_better", "network", (19, _never_better))

FAR_STEPS = Plan(
    [],
    2,
    1,
    {"training": 14},
    _options(5, 1.5),  # beyond the lowest loss
    noise=3.0,
    against=("best_of_training:alone", "first_network"),
)
_foreseen("last", "network", (12, FAR_STEPS))


# --- what must not influence ----------------------------------------------------------------------

WORSE_TEST = Plan(
    [4],
    3,
    1,
    {"training": 30, "test": 12},
    _options(12, 0.06, 3),
    turned="test",
    against=("trains_on_test",),
)
_foreseen(
    "test_has_no_influence",
    "",
    (13, WORSE_TEST),
    # the test improves, and the validation does not
    (13, _worse_validation([], _three(13), _options(12, 0.06, 4), "stops_by_test", C=3)),
)
_foreseen(
    "validation_is_not_trained",
    "steps",
    (
        14,
        Plan([3], 2, 3, _three(14), _options(12, 0.05), against=("trains_on_validation:a tenth",)),
    ),
)


# --- targets in vectors, and the data -------------------------------------------------------------

VECTORS = Plan(
    [3],
    3,
    1,
    {"training": 14, "validation": 20, "test": 9},
    _options(30, 0.08),
    vector=True,
    noise=3.0,
    against=(
        "every_output_with_every_target",
        "vector_sets",
        "last_network",
        "vector_options:learningRate",
    ),
    best=(2, 4),
)


def _vector_and(name: str) -> Plan:
    return Plan([], 2, 1, {"training": 12, name: 7}, {"maxEpochs": 4}, vector=True)


_foreseen(
    "vector.result",
    "loss",
    (15, VECTORS),
    (15, _vector_and("validation")),  # each of them without the other
    (15, _vector_and("test")),
)


def _vector_options(
    topology: list[int], L: int, sizes: dict[str, int], *names: str, **rest: Any
) -> Plan:
    against = tuple(f"vector_options:{name}" for name in names)
    options = _options(20, 0.1, 4)
    return Plan(topology, L, 1, sizes, options, vector=True, against=against, **rest)


_foreseen(
    "vector.options",
    "length",
    (
        16,
        _vector_options(
            [3],
            3,
            {"training": 20, "validation": 14},
            "maxEpochsVal",
            "learningRate",
            "transferFunctions",
            functions=("relu",),
            noise=0.2,
            turned="validation",
        ),
    ),
    (
        16,
        _vector_options([], 2, {"training": 14, "test": 6}, "minLoss", "learningRate", least=8),
    ),
)


@check("train_class_ann.untouched")
def train_class_ann_untouched(solution: Solution) -> None:
    untouched(
        solution, "train_class_ann", [3, 2], CLUSTERS, validationDataset=CLUSTERS, maxEpochs=2
    )
    vector = CLUSTERS[0], CLUSTERS[1][:, 0]
    untouched(solution, "train_class_ann", [2], vector, maxEpochs=2)
    options: dict[str, Any] = {"want_args": True, "transferFunctions": [Function("tanh")] * 2}
    with suppress(StudentError):
        require_functions_kept(
            solution.answer("train_class_ann", [2, 2], CLUSTERS, maxEpochs=1, **options), 2
        )
