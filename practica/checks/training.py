"""Checks of exercise 3, `train_class_ann`: what is seen of the form of its results, and trainings that are foreseen."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from practica.checks.framework import CheckFailed, check, for_all, helped_by, require, untouched
from practica.checks.later import st
from practica.checks.network import BUILD, as_network, require_functions_kept
from practica.checks.oracle import Dataset, Trained
from practica.checks.plain import Function
from practica.checks.readings import as_trained, close
from practica.checks.solution import Solution, StudentError
from practica.checks.trajectory import Draw, Plan, follow, rounded

helped_by("train_class_ann", build_class_ann=BUILD)

DRAWN = for_all(1, seed=st.integers(0, 2**31))
CLUSTERS: Dataset = (
    np.array([[2.0, -1.0], [1.5, -2.0], [1.0, -1.5], [-1.0, 2.0], [-2.0, 1.0], [-1.5, 1.5]]),
    np.array([[True], [True], [True], [False], [False], [False]]),
)


def _between(seed: int, low: int, high: int) -> int:
    return int(np.random.default_rng([seed, low, high]).integers(low, high + 1))


def _sets(
    L: int, C: int, sizes: Mapping[str, int], noise: float = 1.0, turned: str = "", easy: str = "", scale: float = 1.0
) -> Draw:
    """Return what draws sets of these sizes, by one rule with noise.

    Those of the `turned` sets have the classes of others, so that they get worse while the others get better, and those
    of the `easy` ones have no noise.
    """

    def draw(draws: np.random.Generator) -> dict[str, Dataset]:
        rule, found = draws.normal(size=(L, C)) * 1.5, {}
        for name, N in sizes.items():
            x = (scale * draws.normal(size=(N, L))).round(3)
            z = x @ rule + (name not in easy) * noise * draws.normal(size=(N, C))
            y = z > 0 if C == 1 else np.eye(C, dtype=bool)[z.argmax(axis=1)]
            found[name] = x, (~y if C == 1 else np.roll(y, 1, axis=1)) if name in turned else y
        return found

    return draw


def _three(seed: int) -> dict[str, int]:
    return {"training": _between(seed, 25, 40), "validation": _between(seed, 12, 20), "test": _between(seed, 8, 11)}


# -- what is returned -------------------------------------------------------------------------------------------------


@check("train_class_ann.returns")
def the_network_and_three_vectors_of_losses(solution: Solution) -> None:
    """Devuelve la red y los vectores con los loss de entrenamiento, validación y test de cada ciclo."""
    sets = {"validationDataset": CLUSTERS, "testDataset": CLUSTERS}
    for options in {"maxEpochs": 3}, {"maxEpochs": 3, "minLoss": 50.0}:
        _, training, *others = as_trained(solution.train_class_ann([], CLUSTERS, **sets, **options))
        for name, losses in zip(("validation", "test"), others, strict=True):
            lengths = {"obtained": len(losses), "expected": len(training)}
            require(len(losses) == len(training), message="form.losses_length", set=name, **lengths)


@check("train_class_ann.absent_sets")
def absent_sets_have_no_losses(solution: Solution) -> None:
    """Sin conjunto de validación o de test, sus vectores de loss no tienen valores."""
    for given in (), ("validation",), ("test",):
        sets = {f"{name}Dataset": CLUSTERS for name in given}
        _, _, *losses = as_trained(solution.train_class_ann([], CLUSTERS, maxEpochs=2, **sets))
        lengths = dict(zip(("validation", "test"), map(len, losses), strict=True))
        require(not any(lengths[name] for name in lengths.keys() - {*given}), obtained=tuple(lengths.values()))


@check("train_class_ann.epoch0")
def the_losses_begin_with_the_untrained_network(solution: Solution) -> None:
    """El primer loss de cada vector es el de la red sin entrenar (ciclo 0): hay un valor más que ciclos."""
    plan = Plan([3], 2, 1, _sets(2, 1, {"training": 9, "validation": 7, "test": 5}), {"maxEpochs": 0})
    follow(solution, plan, 1, "loss")
    follow(solution, replace(plan, draw=_sets(2, 1, {"training": 9}), options={"maxEpochs": 2}), 1, "loss")


@check("train_class_ann.losses.two_classes")
def the_loss_of_two_classes_is_the_binary_cross_entropy(solution: Solution) -> None:
    """El loss de cada ciclo es la entropía cruzada binaria de la red tras ese ciclo."""
    plan = Plan([3], 3, 1, _sets(3, 1, {"training": 14}), {"maxEpochs": 3, "learningRate": 0.1})
    losses = follow(solution, plan, 2, "loss").losses[0]
    require(not rounded(losses), message="train_class_ann.losses.two_classes.rounded", obtained=losses)


@check("train_class_ann.losses.several_classes")
def the_loss_of_several_classes_is_the_cross_entropy(solution: Solution) -> None:
    """Con más de dos clases, el loss de cada ciclo es la entropía cruzada de la red tras ese ciclo."""
    plan = Plan([4], 2, 3, _sets(2, 3, {"training": 14}), {"maxEpochs": 3, "learningRate": 0.1})
    follow(solution, plan, 3, "loss")


@check("train_class_ann.losses.test")
def the_test_losses_are_those_of_the_test_set(solution: Solution) -> None:
    """Los loss de test son los del conjunto de test, en los mismos ciclos."""
    options = {"maxEpochs": 9, "learningRate": 0.1, "maxEpochsVal": 30}
    follow(solution, Plan([3], 2, 3, _sets(2, 3, _three(4), turned="validation"), options), 4, "loss")


@check("train_class_ann.losses.validation")
def the_validation_losses_are_those_of_the_validation_set(solution: Solution) -> None:
    """Los loss de validación son los del conjunto de validación, en los mismos ciclos."""
    options = {"maxEpochs": 9, "learningRate": 0.1, "maxEpochsVal": 30}
    follow(solution, Plan([], 3, 1, _sets(3, 1, _three(5), turned="validation"), options), 5, "loss")


# -- the network ------------------------------------------------------------------------------------------------------


@check("train_class_ann.network")
@DRAWN
def the_network_has_the_given_topology(solution: Solution, seed: int) -> None:
    """Entrena una red con la topología indicada, con las entradas y salidas que tienen los datos."""
    options = {"maxEpochs": 3, "learningRate": 0.05}
    few = lambda draws: {"training": (draws.normal(size=(3, 5)).round(3), np.eye(3, dtype=bool))}  # noqa: E731
    sizes = {"training": _between(seed, 15, 25)}
    topology = [_between(seed + layer, 2, 6) for layer in range(_between(seed, 2, 4))]
    L, C = _between(seed, 1, 5), _between(seed, 3, 4)
    for plan in (
        Plan([2], 5, 3, few, options),  # fewer patterns than attributes
        Plan([4, 3], 2, 1, _sets(2, 1, sizes), options, vector=True),
        Plan(topology, L, C, _sets(L, C, sizes), options),
    ):
        follow(solution, plan, seed)


@check("train_class_ann.transfer_functions")
def the_hidden_functions_reach_the_network(solution: Solution) -> None:
    """La red que entrena usa las funciones de transferFunctions, con salidas deseadas en matriz y en vector."""
    three, alone = _three(6), {"training": 20}
    options = {"maxEpochs": 6, "learningRate": 0.03}
    against = ("functions_ignored",)
    for plan in (
        Plan([4, 3], 2, 1, _sets(2, 1, alone), options, ("tanh", "relu"), against=against),
        Plan([3, 4], 2, 1, _sets(2, 1, three), options, ("relu", "tanh"), vector=True, against=against),
        Plan([4], 2, 3, _sets(2, 3, three), options, ("relu",), against=against),
    ):
        follow(solution, plan, 6)


@check("train_class_ann.random_weights")
def each_training_starts_from_another_network(solution: Solution) -> None:
    """Cada entrenamiento parte de una red nueva, con otros pesos iniciales."""
    try:
        first, second = (as_trained(solution.train_class_ann([], CLUSTERS, maxEpochs=1))[0] for _ in range(2))
        values = [as_network(solution, network, 2)["values"] for network in (first, second)]
        outputs = solution.predict(first, CLUSTERS[0])
    except (CheckFailed, StudentError):
        return  # what does not train is for other checks
    equal = len(values[0]) == len(values[1]) and all(map(close, *values))
    require(not equal, obtained=outputs[0])


# -- the steps --------------------------------------------------------------------------------------------------------


@check("train_class_ann.learns")
@DRAWN
def each_epoch_takes_one_step_with_all_patterns(solution: Solution, seed: int) -> None:
    """En cada ciclo se da un paso con todos los patrones de entrenamiento."""
    against: tuple[str, ...] = ("weight_decay:0.001",)
    options = {"maxEpochs": 8, "learningRate": 0.05}
    many = {"training": _between(seed, 150, 200)}
    follow(solution, Plan([_between(seed, 3, 6)], 3, 1, _sets(3, 1, many), options, against=against), seed, "steps")
    against = ("another_objective:twice", "another_objective:smooth")
    few = {"training": _between(seed, 30, 50), "test": 9}
    follow(solution, Plan([4, 3], 2, 3, _sets(2, 3, few), options, against=against), seed, "steps")


@check("train_class_ann.one_optimiser")
def one_adam_for_all_epochs(solution: Solution) -> None:
    """El optimizador es Adam, con los valores por defecto de torch, y se crea una sola vez, antes del bucle."""
    against = ("another_optimiser:AdamW", "no_zero_grad:alternate")
    options = {"maxEpochs": 30, "learningRate": 0.06, "maxEpochsVal": 40}
    follow(solution, Plan([4], 3, 1, _sets(3, 1, _three(7)), options, against=against), 7, "steps")


@check("train_class_ann.learning_rate")
def the_learning_rate_is_the_one_given(solution: Solution) -> None:
    """La tasa de aprendizaje es la de learningRate, siempre y en todas las capas."""
    against = ("learning_rate_changes:1 %", "clipped_gradient")
    options = {"maxEpochs": 20, "learningRate": 0.3}
    draw = _sets(3, 1, {"training": 30}, 3.0, scale=5.0)  # with gradients that some would clip
    follow(solution, Plan([], 3, 1, draw, options, against=against), 8, "steps")
    options = {"maxEpochs": 12, "learningRate": 0.03, "maxEpochsVal": 30}
    follow(solution, Plan([3, 2], 2, 3, _sets(2, 3, _three(8)), options, vector=False), 8, "steps")


# -- when it ends -----------------------------------------------------------------------------------------------------


@check("train_class_ann.max_epochs")
def training_ends_after_max_epochs(solution: Solution) -> None:
    """El entrenamiento termina tras maxEpochs ciclos si nada lo termina antes."""
    against = ("learning_rate_changes:after 100",)
    options = {"maxEpochs": 112, "learningRate": 0.02}
    follow(solution, Plan([], 2, 1, _sets(2, 1, {"training": 20}, 0.5), options, against=against), 9, "length")
    options = {"maxEpochs": 12, "learningRate": 0.05, "maxEpochsVal": 50}
    follow(solution, Plan([], 2, 1, _sets(2, 1, {"training": 20, "validation": 12}), options), 9, "length")


@check("train_class_ann.min_loss")
@DRAWN
def training_ends_at_min_loss(solution: Solution, seed: int) -> None:
    """El entrenamiento termina cuando el loss de entrenamiento es menor o igual que minLoss."""
    sizes = {"training": _between(seed, 20, 40)}
    against = ("min_loss_ignored",)
    options = {"maxEpochs": 25, "learningRate": 0.05}
    plan = Plan([3], 3, 1, _sets(3, 1, sizes), options, least=_between(seed, 7, 12), against=against)
    followed = follow(solution, plan, seed, "length")
    followed.again(seed, minLoss=float(followed.losses[0][5]))  # it has to end exactly there
    several = Plan([], 2, 3, _sets(2, 3, sizes), options, least=5, against=against)
    follow(solution, several, seed, "length")
    at_once = Plan([3], 2, 1, _sets(2, 1, {"training": 9, "test": 5}), {"maxEpochs": 3, "minLoss": 50.0})
    follow(solution, at_once, seed, "length")


@check("train_class_ann.min_loss.validation")
@DRAWN
def min_loss_ends_it_with_validation_too(solution: Solution, seed: int) -> None:
    """También con conjunto de validación, el entrenamiento termina cuando el loss de entrenamiento llega a minLoss."""
    sizes = {"training": 30, "validation": _between(seed, 12, 16), "test": _between(seed, 9, 11)}
    options = {"maxEpochs": 40, "learningRate": 0.05, "maxEpochsVal": 60}
    against = ("min_loss_of_validation", "min_loss_of_test", "min_loss_ignored")
    draw = _sets(3, 1, sizes, 2.5, easy="validation test")
    plan = Plan([4], 3, 1, draw, options, ("tanh",), least=_between(seed, 14, 20), against=against)
    follow(solution, plan, seed, "length")


# -- early stopping ---------------------------------------------------------------------------------------------------


@check("train_class_ann.early_stopping.patience")
@DRAWN
def training_ends_after_max_epochs_val_without_improvement(solution: Solution, seed: int) -> None:
    """El entrenamiento termina tras maxEpochsVal ciclos seguidos sin que mejore el loss de validación."""
    sizes = _three(seed)
    patience = _between(seed, 2, 4)
    options = {"maxEpochs": 30, "learningRate": 0.1, "maxEpochsVal": patience}
    against = ("never_stops", "stops_by_training")
    follow(solution, Plan([], 2, 3, _sets(2, 3, sizes, 0.2, "validation"), options, against=against), seed, "length")
    options = {"maxEpochs": 30, "learningRate": 0.05, "maxEpochsVal": patience + 6}
    hidden = Plan([3], 2, 1, _sets(2, 1, sizes, 0.2, "validation"), options, against=(*against, "stops_too_soon"))
    follow(solution, hidden, seed, "length")
    defaults = Plan([], 2, 1, _sets(2, 1, {"training": 20, "validation": 20}, 0.2, "validation"), {})
    follow(solution, defaults, seed, "length")


@check("train_class_ann.early_stopping.reset")
@DRAWN
def an_improvement_starts_the_count_again(solution: Solution, seed: int) -> None:
    """Cada vez que mejora el loss de validación, la cuenta de ciclos sin mejorar empieza de nuevo."""
    sizes = {"training": _between(seed, 12, 16), "validation": _between(seed, 17, 20)}
    options = {"maxEpochs": 40, "learningRate": _between(seed, 10, 14) / 10, "maxEpochsVal": _between(seed, 7, 8)}
    against = ("count_never_reset", "previous_loss", "epochs_from_the_start", "never_stops")
    follow(solution, Plan([], 2, 1, _sets(2, 1, sizes, 3.0), options, against=against), seed, "length")
    # However large the losses are, and however small: each step lowers them by a few units of single precision.
    for C, rate, N, patience in (8, 0.05, 16, 4), (1, 6e-7, 4, 2):
        options = {"maxEpochs": 12, "learningRate": rate, "maxEpochsVal": patience}
        follow(solution, Plan([], 2, C, _of_one_pattern(C, N), options), seed, "length")


def _of_one_pattern(C: int, N: int, *names: str) -> Draw:
    def draw(draws: np.random.Generator) -> dict[str, Dataset]:
        y = np.ones((N, 1), dtype=bool) if C == 1 else np.eye(C, dtype=bool)[[*range(C), *[0] * (N - C)]]
        return dict.fromkeys(names or ("training", "validation"), (np.zeros((N, 2)), y))

    return draw


@check("train_class_ann.early_stopping.strict")
def an_equal_loss_is_no_improvement(solution: Solution) -> None:
    """Un loss de validación igual al mejor no es una mejora."""
    options = {"maxEpochs": 20, "learningRate": 1e-30, "maxEpochsVal": 4}  # a step that changes no output
    plan = Plan([2], 2, 1, _sets(2, 1, {"training": 8, "validation": 6}), options, against=("equal_improves",))
    follow(solution, plan, 10, "length")


@check("train_class_ann.early_stopping.not_without_validation")
def without_validation_there_is_no_early_stopping(solution: Solution) -> None:
    """Sin conjunto de validación no hay parada temprana: maxEpochsVal no se usa."""
    options = {"maxEpochs": 125, "learningRate": 1.0, "maxEpochsVal": 2}
    plan = Plan([], 3, 1, _sets(3, 1, {"training": 60}, 4.0), options, against=("stops_without_validation",))
    follow(solution, plan, 11, "length")
    options = {"maxEpochs": 16, "learningRate": 1.0, "maxEpochsVal": 2}  # until the loss is small
    follow(solution, Plan([], 2, 1, _of_one_pattern(1, 4, "training"), options), 11, "length")


# -- which network is returned ----------------------------------------------------------------------------------------


def _turns(before: int, after: int) -> Any:
    """Return what tells whether the best network is so many epochs from the first and the last."""

    def tells(trained: Trained) -> bool:
        losses = trained.losses["validation"]
        best = int(losses.argmin())
        return before <= best < len(losses) - after

    return tells


@check("train_class_ann.best.stopped_early")
@DRAWN
def early_stopping_returns_the_best_network(solution: Solution, seed: int) -> None:
    """Con conjunto de validación se devuelve la red con el menor loss de validación, una copia de cómo era entonces."""
    options = {"maxEpochs": 60, "learningRate": 0.1, "maxEpochsVal": _between(seed, 4, 6)}
    against = ("last_network", "only_output_of_best", "best_of_training", "improves_with_training")
    sizes = {"training": _between(seed, 12, 16), "validation": _between(seed, 17, 24)}
    plan = Plan([4], 3, 1, _sets(3, 1, sizes, 3.0), options, against=against, tells=_turns(3, 4))
    follow(solution, plan, seed, "network")


@check("train_class_ann.best.out_of_epochs")
@DRAWN
def the_best_network_is_returned_whatever_ends_the_training(solution: Solution, seed: int) -> None:
    """También se devuelve la mejor red de validación cuando el entrenamiento termina por maxEpochs o por minLoss."""
    options = {"maxEpochs": 28, "learningRate": 0.1, "maxEpochsVal": 100}
    against = ("last_network", "only_output_of_best", "best_only_if_stopped", "best_of_training")
    sizes = {"training": _between(seed, 12, 16), "validation": _between(seed, 17, 24), "test": 9}
    three = Plan([4, 3], 2, 3, _sets(2, 3, sizes, 2.0), options, against=against, tells=_turns(3, 12))
    follow(solution, three, seed, "network")
    two = Plan([4], 3, 1, _sets(3, 1, sizes, 3.0), options, least=22, against=against, tells=_turns(3, 8))
    follow(solution, two, seed, "network")


@check("train_class_ann.best.never_better")
@DRAWN
def a_validation_that_never_improves_returns_the_first_network(solution: Solution, seed: int) -> None:
    """Si el loss de validación no mejora nunca, la red que se devuelve no es la última sino la del principio."""
    sizes = {"training": _between(seed, 20, 30), "validation": _between(seed, 20, 30)}
    options = {"maxEpochs": 30, "learningRate": 0.05, "maxEpochsVal": _between(seed, 3, 4)}
    plan = Plan([3, 2], 2, 1, _sets(2, 1, sizes, 0.2, "validation"), options, against=("last_network",))
    follow(solution, plan, seed, "network")


@check("train_class_ann.last")
def without_validation_the_last_network_is_returned(solution: Solution) -> None:
    """Sin conjunto de validación se devuelve la última red, ya entrenada."""
    options = {"maxEpochs": 5, "learningRate": 1.5}  # long steps go beyond the lowest loss
    against = ("best_of_training:alone", "first_network")
    plan = Plan([], 2, 1, _sets(2, 1, {"training": 14}, 3.0), options, against=against)
    follow(solution, plan, 12, "network")


# -- what must not influence ------------------------------------------------------------------------------------------


@check("train_class_ann.test_has_no_influence")
def the_test_set_is_only_watched(solution: Solution) -> None:
    """El conjunto de test no influye: ni se entrena con él, ni decide cuándo parar ni qué red se devuelve."""
    options = {"maxEpochs": 20, "learningRate": 0.06, "maxEpochsVal": 3}
    draw = _sets(3, 1, {"training": 30, "test": 12}, turned="test")
    follow(solution, Plan([4], 3, 1, draw, options, against=("trains_on_test",)), 13)
    draw = _sets(2, 3, _three(13), 0.2, "validation")  # the test improves, and the validation does not
    follow(solution, Plan([], 2, 3, draw, {**options, "maxEpochsVal": 4}, against=("stops_by_test",)), 13)


@check("train_class_ann.validation_is_not_trained")
def the_network_is_not_trained_with_the_validation_set(solution: Solution) -> None:
    """La red no se entrena con los patrones de validación."""
    against = ("trains_on_validation:a tenth",)
    options = {"maxEpochs": 20, "learningRate": 0.05, "maxEpochsVal": 40}
    follow(solution, Plan([3], 2, 3, _sets(2, 3, _three(14)), options, against=against), 14, "steps")


# -- targets in vectors, and the data ---------------------------------------------------------------------------------


@check("train_class_ann.vector.result")
def targets_may_be_vectors(solution: Solution) -> None:
    """Las salidas deseadas pueden ser vectores, en los tres conjuntos: el resultado es el de una sola columna."""
    options = {"maxEpochs": 30, "learningRate": 0.08, "maxEpochsVal": 40}
    against = ("every_output_with_every_target", "vector_sets", "last_network", "vector_options:learningRate")
    draw = _sets(3, 1, {"training": 14, "validation": 20, "test": 9}, 3.0)
    plan = Plan([3], 3, 1, draw, options, vector=True, against=against, tells=_turns(2, 4))
    follow(solution, plan, 15, "loss")
    for name in "validation", "test":  # each of them without the other
        alone = Plan([], 2, 1, _sets(2, 1, {"training": 12, name: 7}), {"maxEpochs": 4}, vector=True)
        follow(solution, alone, 15, "loss")


@check("train_class_ann.vector.options")
def the_options_reach_the_training_of_vectors(solution: Solution) -> None:
    """Con salidas deseadas en vectores, las opciones llegan al entrenamiento: maxEpochs, minLoss y maxEpochsVal."""
    options = {"maxEpochs": 20, "learningRate": 0.1, "maxEpochsVal": 4}
    against: tuple[str, ...] = (
        "vector_options:maxEpochsVal",
        "vector_options:learningRate",
        "vector_options:transferFunctions",
    )
    draw = _sets(3, 1, {"training": 20, "validation": 14}, 0.2, "validation")
    plan = Plan([3], 3, 1, draw, options, ("relu",), vector=True, against=against)
    follow(solution, plan, 16, "length")
    against = ("vector_options:minLoss", "vector_options:learningRate")
    draw = _sets(2, 1, {"training": 14, "test": 6})
    follow(solution, Plan([], 2, 1, draw, options, vector=True, least=8, against=against), 16, "length")


@check("train_class_ann.untouched")
def training_leaves_the_data(solution: Solution) -> None:
    """Los conjuntos de datos quedan como estaban."""
    untouched(solution, "train_class_ann", [3, 2], CLUSTERS, validationDataset=CLUSTERS, maxEpochs=2)
    vector = CLUSTERS[0], CLUSTERS[1][:, 0]
    untouched(solution, "train_class_ann", [2], vector, maxEpochs=2)
    options: dict[str, Any] = {"want_args": True, "transferFunctions": [Function("tanh")] * 2}
    if solution.has("build_class_ann"):
        try:
            require_functions_kept(solution.answer("build_class_ann", 2, [2, 2], 1, **options), 2)
        except CheckFailed:
            return  # it is spoilt there
    with suppress(StudentError):
        require_functions_kept(solution.answer("train_class_ann", [2, 2], CLUSTERS, maxEpochs=1, **options), 2)
