"""Checks of exercise 3, `train_class_ann`: what is seen of the form of its results, and trainings
that are foreseen.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from practica.grading.assignment.accepted_forms import as_trained
from practica.grading.assignment.network import BUILD, as_network, require_functions_kept
from practica.grading.assignment.oracle import Dataset
from practica.grading.assignment.trajectory import Plan, follow
from practica.grading.engine.framework import (
    CheckFailed,
    check,
    for_all,
    helped_by,
    require,
    untouched,
)
from practica.grading.engine.rendering import close
from practica.grading.engine.solution import Solution, StudentError
from practica.grading.inside.plain_data import Array, Function

helped_by("train_class_ann", build_class_ann=BUILD)

# the known data tell many mistakes from right code
DRAWN = for_all(1, seed=lambda draw: 0 if draw.is_known else draw.getrandbits(31))
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


def are_rounded(losses: Array) -> bool:
    """Return whether losses have at most five decimals."""
    return bool(np.all(np.round(losses, 5).astype(np.float32) == losses.astype(np.float32)))


# -- what is returned
# -------------------------------------------------------------------------------------------------


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


@check("train_class_ann.epoch0")
def epoch_0(solution: Solution) -> None:
    plan = Plan([3], 2, 1, {"training": 9, "validation": 7, "test": 5}, {"maxEpochs": 0})
    follow(solution, plan, 1, "loss")
    follow(solution, replace(plan, sizes={"training": 9}, options={"maxEpochs": 2}), 1, "loss")


@check("train_class_ann.losses.two_classes")
def losses_two_classes(solution: Solution) -> None:
    losses = follow(solution, Plan([3], 3, 1, {"training": 14}, _options(3, 0.1)), 2, "loss")[0]
    require(
        not are_rounded(losses),
        message="train_class_ann.losses.two_classes.rounded",
        obtained=losses,
    )


@check("train_class_ann.losses.several_classes")
def losses_several_classes(solution: Solution) -> None:
    follow(solution, Plan([4], 2, 3, {"training": 14}, _options(3, 0.1)), 3, "loss")


@check("train_class_ann.losses.test")
def losses_test(solution: Solution) -> None:
    follow(solution, Plan([3], 2, 3, _three(4), _options(6, 0.1), turned="validation"), 4, "loss")


@check("train_class_ann.losses.validation")
def losses_validation(solution: Solution) -> None:
    follow(solution, Plan([], 3, 1, _three(5), _options(6, 0.1), turned="validation"), 5, "loss")


# -- the network
# --------------------------------------------------------------------------------------------------


@check("train_class_ann.network")
@DRAWN
def train_class_ann_network(solution: Solution, seed: int) -> None:
    topology = [_between(seed + layer, 2, 6) for layer in range(_between(seed, 2, 4))]
    few = {"training": 3}  # patterns, and more attributes
    follow(
        solution,
        Plan(topology, _between(seed, 4, 7), _between(seed, 3, 4), few, _options(3, 0.05)),
        seed,
    )


@check("train_class_ann.transfer_functions")
def transfer_functions(solution: Solution) -> None:
    against, options = ("functions_ignored",), _options(6, 0.03)
    follow(
        solution,
        Plan([4, 3], 2, 1, {"training": 20}, options, ("tanh", "relu"), against=against),
        6,
    )
    follow(
        solution,
        Plan([3, 4], 2, 1, _three(6), options, ("relu", "tanh"), vector=True, against=against),
        6,
    )
    follow(solution, Plan([4], 2, 3, _three(6), options, ("relu",), against=against), 6)


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


# -- the steps
# --------------------------------------------------------------------------------------------------


@check("train_class_ann.learns")
@DRAWN
def learns(solution: Solution, seed: int) -> None:
    many, few = (
        {"training": _between(seed, 150, 200)},
        {"training": _between(seed, 30, 50), "test": 9},
    )
    hidden = [_between(seed, 3, 6)]
    follow(
        solution,
        Plan(hidden, 3, 1, many, _options(6, 0.05), against=("weight_decay:0.001",)),
        seed,
        "steps",
    )
    against = ("another_objective:twice", "another_objective:smooth")
    follow(solution, Plan([4, 3], 2, 3, few, _options(4, 0.05), against=against), seed, "steps")


@check("train_class_ann.one_optimiser")
def one_optimiser(solution: Solution) -> None:
    follow(
        solution,
        Plan([4], 3, 1, _three(7), _options(28, 0.06), against=("no_zero_grad:alternate",)),
        7,
        "steps",
    )


@check("train_class_ann.learning_rate")
def learning_rate(solution: Solution) -> None:
    steep = dict[str, Any](
        noise=3.0, scale=5.0, against=("learning_rate_changes:1 %", "clipped_gradient")
    )
    follow(solution, Plan([], 3, 1, {"training": 30}, _options(12, 0.2), **steep), 8, "steps")
    follow(solution, Plan([3, 2], 2, 3, _three(8), _options(6, 0.03)), 8, "steps")


# -- when it ends
# --------------------------------------------------------------------------------------------------


@check("train_class_ann.max_epochs")
def max_epochs(solution: Solution) -> None:
    against = ("learning_rate_changes:after 100",)
    follow(
        solution,
        Plan([], 3, 1, {"training": 60}, _options(122, 0.3, 2), noise=4.0, against=against),
        9,
        "length",
    )
    follow(
        solution, Plan([], 2, 1, {"training": 20, "validation": 12}, _options(3, 0.05)), 9, "length"
    )


@check("train_class_ann.min_loss")
@DRAWN
def min_loss(solution: Solution, seed: int) -> None:
    plan = Plan(
        [3],
        3,
        1,
        {"training": _between(seed, 20, 40)},
        _options(25, 0.05),
        against=("min_loss_ignored",),
    )
    follow(solution, replace(plan, least=_between(seed, 7, 12), exact=5), seed, "length")
    follow(
        solution,
        Plan([3], 2, 3, {"training": 9, "test": 5}, {"maxEpochs": 3, "minLoss": 50.0}),
        seed,
        "length",
    )


@check("train_class_ann.min_loss.validation")
@DRAWN
def min_loss_validation(solution: Solution, seed: int) -> None:
    sizes = {"training": 30, "validation": _between(seed, 12, 16), "test": _between(seed, 9, 11)}
    against = ("min_loss_of_validation", "min_loss_of_test", "min_loss_ignored")
    easy = dict[str, Any](
        noise=2.5, easy="validation test", least=_between(seed, 14, 20), against=against
    )
    follow(solution, Plan([4], 3, 1, sizes, _options(40, 0.05), ("tanh",), **easy), seed, "length")


# -- early stopping
# --------------------------------------------------------------------------------------------------


@check("train_class_ann.early_stopping.patience")
@DRAWN
def early_stopping_patience(solution: Solution, seed: int) -> None:
    against, options = ("never_stops", "stops_by_training", "stops_too_soon"), _options(30, 0.05, 3)
    plan = Plan([3], 2, 1, _three(seed), options, noise=0.2, turned="validation", against=against)
    follow(solution, plan, seed, "length")


@check("train_class_ann.early_stopping.reset")
@DRAWN
def early_stopping_reset(solution: Solution, seed: int) -> None:
    against = (
        "count_never_reset",
        "previous_loss",
        "epochs_from_the_start",
        "improves_with_training",
    )
    sizes, options = {"training": 14, "validation": 18}, _options(40, 1.2, 7)
    plan = Plan([], 2, 1, sizes, options, noise=3.0, against=against)
    follow(solution, plan, 17 if solution.is_known else seed, "length")
    if not solution.is_known:
        return
    # However large the losses are, and however small: each step lowers them by a few units of
    # single precision.
    for C, rate, N, patience in (8, 0.05, 16, 4), (1, 6e-7, 4, 2):
        one = Plan(
            [],
            2,
            C,
            {"training": N, "validation": N},
            _options(8, rate, patience),
            one_pattern=True,
        )
        follow(solution, one, 17, "length")


@check("train_class_ann.early_stopping.strict")
def early_stopping_strict(solution: Solution) -> None:
    # a step that changes no output, and 20 epochs of patience
    still = {"maxEpochs": 25, "learningRate": 1e-30}
    plan = Plan([2], 2, 1, {"training": 8, "validation": 6}, still, against=("equal_improves",))
    follow(solution, plan, 10, "length")


@check("train_class_ann.early_stopping.not_without_validation")
def early_stopping_not_without_validation(solution: Solution) -> None:
    still = _options(56, 1e-30, 2)
    follow(
        solution,
        Plan([], 3, 1, {"training": 12}, still, against=("stops_without_validation",)),
        11,
        "length",
    )
    until_it_is_small = Plan([], 2, 1, {"training": 4}, _options(16, 1.0, 2), one_pattern=True)
    follow(solution, until_it_is_small, 11, "length")


# -- which network is returned
# ----------------------------------------------------------------------------------------


@check("train_class_ann.best.stopped_early")
@DRAWN
def best_stopped_early(solution: Solution, seed: int) -> None:
    sizes = {"training": _between(seed, 12, 16), "validation": _between(seed, 17, 24)}
    against = ("last_network", "only_output_of_best", "best_of_training")
    options = _options(60, 0.1, _between(seed, 4, 6))
    follow(
        solution,
        Plan([4], 3, 1, sizes, options, noise=3.0, against=against, best=(3, 4)),
        seed,
        "network",
    )


@check("train_class_ann.best.out_of_epochs")
@DRAWN
def best_out_of_epochs(solution: Solution, seed: int) -> None:
    against = ("last_network", "only_output_of_best", "best_only_if_stopped", "best_of_training")
    sizes = {"training": 14, "validation": 20, "test": 9}
    plan = Plan([4, 3], 2, 3, sizes, _options(18, 0.1), noise=2.0, against=against, best=(3, 5))
    follow(solution, plan, 18 if solution.is_known else seed, "network")
    if solution.is_known:
        follow(solution, replace(plan, topology=[4], L=3, C=1, noise=3.0, least=14), 18, "network")


@check("train_class_ann.best.never_better")
@DRAWN
def best_never_better(solution: Solution, seed: int) -> None:
    worse = dict[str, Any](noise=0.2, turned="validation", against=("last_network",))
    seed = 19 if solution.is_known else seed
    follow(
        solution, Plan([3, 2], 2, 1, _three(seed), _options(30, 0.05, 4), **worse), seed, "network"
    )


@check("train_class_ann.last")
def last(solution: Solution) -> None:
    against = ("best_of_training:alone", "first_network")
    long_steps = _options(5, 1.5)  # beyond the lowest loss
    follow(
        solution,
        Plan([], 2, 1, {"training": 14}, long_steps, noise=3.0, against=against),
        12,
        "network",
    )


# -- what must not influence
# ------------------------------------------------------------------------------------------


@check("train_class_ann.test_has_no_influence")
def test_has_no_influence(solution: Solution) -> None:
    sizes, options = {"training": 30, "test": 12}, _options(12, 0.06, 3)
    follow(
        solution, Plan([4], 3, 1, sizes, options, turned="test", against=("trains_on_test",)), 13
    )
    # The test improves, and the validation does not.
    worse = dict[str, Any](noise=0.2, turned="validation", against=("stops_by_test",))
    follow(solution, Plan([], 2, 3, _three(13), {**options, "maxEpochsVal": 4}, **worse), 13)


@check("train_class_ann.validation_is_not_trained")
def validation_is_not_trained(solution: Solution) -> None:
    against = ("trains_on_validation:a tenth",)
    follow(solution, Plan([3], 2, 3, _three(14), _options(12, 0.05), against=against), 14, "steps")


# -- targets in vectors, and the data
# ---------------------------------------------------------------------------------


@check("train_class_ann.vector.result")
def vector_result(solution: Solution) -> None:
    against = (
        "every_output_with_every_target",
        "vector_sets",
        "last_network",
        "vector_options:learningRate",
    )
    sizes = {"training": 14, "validation": 20, "test": 9}
    plan = Plan(
        [3], 3, 1, sizes, _options(30, 0.08), vector=True, noise=3.0, against=against, best=(2, 4)
    )
    follow(solution, plan, 15, "loss")
    for name in "validation", "test":  # each of them without the other
        follow(
            solution,
            Plan([], 2, 1, {"training": 12, name: 7}, {"maxEpochs": 4}, vector=True),
            15,
            "loss",
        )


@check("train_class_ann.vector.options")
def vector_options(solution: Solution) -> None:
    plan = Plan(
        [3], 3, 1, {"training": 20, "validation": 14}, _options(20, 0.1, 4), ("relu",), vector=True
    )
    against = tuple(
        f"vector_options:{name}" for name in ("maxEpochsVal", "learningRate", "transferFunctions")
    )
    follow(solution, replace(plan, noise=0.2, turned="validation", against=against), 16, "length")
    against = ("vector_options:minLoss", "vector_options:learningRate")
    alone = dict[str, Any](
        topology=[], L=2, sizes={"training": 14, "test": 6}, functions=(), least=8
    )
    follow(solution, replace(plan, **alone, against=against), 16, "length")


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
