"""Checks of exercise 3, `train_class_ann`: the losses of each epoch, and the network that is trained."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import numpy as np

from practica.checks.framework import CheckFailed, check, for_all, require
from practica.checks.later import st
from practica.checks.layers import are_equal, has_sigmoids
from practica.checks.network import as_network, require_hidden_functions, sizes_of
from practica.checks.plain import Function, Handle
from practica.checks.readings import as_trained, close
from practica.checks.solution import Solution, StudentError
from practica.checks.trained import (
    CLUSTERS,
    LOSS_TOLERANCE,
    LOWEST,
    MIXED,
    NEGATIVE,
    POSITIVE,
    SMALL,
    SURE,
    THREE_CLUSTERS,
    Case,
    Dataset,
    Losses,
    Sets,
    biases_of,
    builds_sigmoids,
    last_loss,
    noisy_sets,
    require_equal_lengths,
    require_loss_of_the_network,
    several_layers,
    train,
    train_alike,
    train_layers,
)

# -- what is returned -------------------------------------------------------------------------------------------------


@check("train_class_ann.returns")
def the_network_and_three_vectors_of_losses(solution: Solution) -> None:
    """Devuelve la red y los vectores con los loss de entrenamiento, validación y test de cada ciclo."""
    cases: list[tuple[Dataset, Dataset, dict[str, Any]]] = [
        (CLUSTERS, CLUSTERS, {"maxEpochs": 3}),
        (POSITIVE, NEGATIVE, {"maxEpochs": 20, "maxEpochsVal": 2, "learningRate": 0.1}),
        (POSITIVE, POSITIVE, {"maxEpochs": 60, "minLoss": 0.6, "learningRate": 0.1}),
    ]
    for training, validation, options in cases:
        sets = {"validationDataset": validation, "testDataset": training}
        require_equal_lengths(train(solution, training, **sets, **options))


@check("train_class_ann.absent_sets")
def absent_sets_have_no_losses(solution: Solution) -> None:
    """Sin conjunto de validación o de test, sus vectores de loss no tienen valores."""
    for given in (), ("validation",), ("test",):
        trained = train(solution, CLUSTERS, maxEpochs=3, **{f"{name}Dataset": CLUSTERS for name in given})
        lengths = {"validation": len(trained.validation), "test": len(trained.test)}
        require(not any(lengths[name] for name in lengths.keys() - {*given}), obtained=tuple(lengths.values()))


@check("train_class_ann.epoch0")
def the_losses_begin_with_the_untrained_network(solution: Solution) -> None:
    """El primer loss de cada vector es el de la red sin entrenar (ciclo 0): hay un valor más que ciclos."""
    untrained = train(solution, CLUSTERS, testDataset=CLUSTERS, maxEpochs=0)
    expected = [untrained.loss(CLUSTERS)]
    for name, losses in (("training", untrained.training), ("test", untrained.test)):
        require(len(losses) <= 1, message="form.losses_length", set=name, obtained=len(losses), expected=1)
        require(close(losses, expected, LOSS_TOLERANCE), set=name, expected=expected, obtained=losses)
    trained = train(solution, CLUSTERS, validationDataset=CLUSTERS, testDataset=CLUSTERS, maxEpochs=2)
    for name, losses in (("validation", trained.validation), ("test", trained.test)):
        lengths = {"obtained": len(losses), "expected": len(trained.training)}
        require(len(losses) == len(trained.training), message="form.losses_length", set=name, **lengths)
        first, others = losses[:1], trained.training[:1]
        require(close(first, others, LOSS_TOLERANCE), set=name, expected=others, obtained=first)


@check("train_class_ann.losses.two_classes")
def the_loss_of_two_classes_is_the_binary_cross_entropy(solution: Solution) -> None:
    """El loss de cada ciclo es la entropía cruzada binaria de la red tras ese ciclo."""
    losses = _require_last_loss(solution, CLUSTERS)
    _require_last_loss(solution, CLUSTERS, [3, 2])
    rounded = np.round(losses, 5).astype(np.float32) == losses.astype(np.float32)
    require(not rounded.all(), message="train_class_ann.losses.two_classes.rounded", obtained=losses)


@check("train_class_ann.losses.several_classes")
def the_loss_of_several_classes_is_the_cross_entropy(solution: Solution) -> None:
    """Con más de dos clases, el loss de cada ciclo es la entropía cruzada de la red tras ese ciclo."""
    _require_last_loss(solution, THREE_CLUSTERS)
    _require_last_loss(solution, THREE_CLUSTERS, [4])


def _require_last_loss(solution: Solution, training: Dataset, topology: Sequence[int] = ()) -> Losses:
    trained = train_layers(solution, topology, training, maxEpochs=3, learningRate=0.3)
    length = len(trained.training)
    require(length > 1, message="form.losses_length", set="training", obtained=length, expected=4)
    require_loss_of_the_network(trained, training, trained.training)
    return trained.training


@check("train_class_ann.losses.test")
@for_all(1, noisy=noisy_sets(), epochs=st.integers(14, 26), before=st.integers(3, 8))
def the_test_losses_are_those_of_the_test_set(solution: Solution, noisy: Sets, epochs: int, before: int) -> None:
    """Los loss de test son los del conjunto de test, en los mismos ciclos."""
    test = CLUSTERS[0] * 0.5 + 0.25, CLUSTERS[1][::-1]
    for topology in [], [4, 2]:
        trained = train_layers(solution, topology, CLUSTERS, testDataset=test, maxEpochs=3, learningRate=0.3)
        require(len(trained.test), message="form.losses_length", set="test", obtained=0, expected=len(trained.training))
        require_loss_of_the_network(trained, test, trained.test)
    _require_losses_of_training(solution, "test")
    # Those of the network in training, which still fall, not of the best one so far.
    options = {"maxEpochs": 4, "learningRate": 0.3}
    trained = train(solution, POSITIVE, validationDataset=NEGATIVE, testDataset=POSITIVE, **options)
    last, falls = (last_loss(trained.training), last_loss(trained.test)), bool((np.diff(trained.test)[-1:] < 0).any())
    right = falls or close(*last, LOSS_TOLERANCE)
    require(right, message="train_class_ann.losses.test.best", expected=trained.training, obtained=trained.test)
    _require_losses_of_epoch(solution, "test", noisy, epochs, before)


@check("train_class_ann.losses.validation")
@for_all(1, noisy=noisy_sets(), epochs=st.integers(14, 26), before=st.integers(3, 8))
def the_validation_losses_are_those_of_the_validation_set(
    solution: Solution, noisy: Sets, epochs: int, before: int
) -> None:
    """Los loss de validación son los del conjunto de validación, en los mismos ciclos."""
    trained = train(solution, POSITIVE, validationDataset=MIXED, maxEpochs=5, learningRate=0.1)
    # Loss of a bias b on MIXED, for the biases that the training losses tell.
    b = biases_of(trained.training)
    expected = np.log1p(np.exp(-b)) * 0.75 + np.log1p(np.exp(b)) * 0.25
    obtained = trained.validation
    require(len(expected), message="form.losses_length", set="training", obtained=0, expected=6)
    lengths = {"obtained": len(obtained), "expected": len(expected)}
    require(len(obtained) == len(expected), message="form.losses_length", set="validation", **lengths)
    known = ~(trained.training < SURE)  # where single precision tells the bias
    require(close(obtained[known], expected[known], LOSS_TOLERANCE), expected=expected, obtained=obtained)
    _require_losses_of_training(solution, "validation")
    _require_losses_of_epoch(solution, "validation", noisy, epochs, before)


def _require_losses_of_epoch(solution: Solution, name: str, sets: Sets, epochs: int, before: int) -> None:
    """Require that the loss noted some epochs before the end is that of the same training if it ends there."""
    topology, training, other = sets
    early = {"maxEpochsVal": before, "minLoss": 0.01}  # which goes on for so long at least
    for options, last in ({"maxEpochsVal": 1000}, epochs - before), (early, before):
        part: dict[str, Any] = {"maxEpochs": last, "learningRate": 0.05}
        given = {**part, **options, "maxEpochs": epochs, f"{name}Dataset": other}
        unlike = f"train_class_ann.losses.{name}.influence"
        trained, ended = train_alike(solution, topology, training, given, part, unlike=unlike)
        noted, length = trained.validation if name == "validation" else trained.test, len(trained.training)
        wrong = {"set": name, "obtained": len(noted), "expected": length}
        require(len(noted) == length >= len(ended.training), message="form.losses_length", **wrong)
        require_loss_of_the_network(ended, other, noted[: len(ended.training)])


def _require_losses_of_training(solution: Solution, name: str) -> None:
    """With several classes, a set of the same patterns has the losses of the training set."""
    inputs, targets = map(np.copy, THREE_CLUSTERS)
    given = {f"{name}Dataset": (inputs, targets)}
    trained = train(solution, THREE_CLUSTERS, maxEpochs=3, learningRate=0.3, **given)
    obtained = trained.validation if name == "validation" else trained.test
    message = f"train_class_ann.losses.{name}.several_classes"
    right = close(obtained, trained.training, LOSS_TOLERANCE)
    require(right, message=message, expected=trained.training, obtained=obtained)


# -- the network ------------------------------------------------------------------------------------------------------


@check("train_class_ann.network")
@for_all(1, case=several_layers())
def the_network_has_the_given_topology(solution: Solution, case: Case) -> None:
    """Entrena una red con la topología indicada, con las entradas y salidas que tienen los datos."""
    hidden, drawn = case
    others = 0  # which have more than these layers, though they were built without
    for dataset, topology, expected in (
        (CLUSTERS, [3], [(2, 3), (3, 1)]),
        (CLUSTERS, [], [(2, 1)]),
        (THREE_CLUSTERS, [4, 2], [(2, 4), (4, 2), (2, 3)]),
        ((CLUSTERS[0], CLUSTERS[1][:, 0]), [4, 3], [(2, 4), (4, 3), (3, 1)]),
        ((np.eye(3, 5) - 0.25, np.eye(3, dtype=bool)), [2], [(5, 2), (2, 3)]),  # fewer patterns than attributes
        (drawn, hidden, [*pairwise([drawn[0].shape[1], *hidden, drawn[1].shape[1]])]),
    ):
        inputs, targets = dataset
        vector = targets.ndim == 1
        with suppress(CheckFailed, StudentError):
            value = solution.train_class_ann(topology, dataset, maxEpochs=1)
            facts = as_network(solution, as_trained(value)[0], inputs.shape[1])
            if sizes_of(facts) == expected:
                columns = inputs, targets.reshape(len(targets), -1)
                others += not has_sigmoids(facts) and builds_sigmoids(solution, topology, columns)
                continue
        if not vector or _watch_build(solution, dataset, topology):  # whether vectors train is for another check
            _require_passed_on(solution, dataset, topology, [inputs.shape[1], topology, expected[-1][1]])
    require(not others, message="train_class_ann.network.outputs")


@check("train_class_ann.transfer_functions")
def the_hidden_functions_reach_the_network(solution: Solution) -> None:
    """La red que entrena usa las funciones de transferFunctions, con salidas deseadas en matriz y en vector."""
    vector = CLUSTERS[0], CLUSTERS[1][:, 0]
    cases: list[tuple[list[int], Dataset, dict[str, Any]]] = [
        ([4, 3], CLUSTERS, {}),
        ([4, 3], CLUSTERS, {"validationDataset": CLUSTERS}),
        ([4, 3], vector, {}),
        ([4], CLUSTERS, {}),
    ]
    for topology, dataset, sets in cases:
        functions = [Function("tanh"), Function("relu")][: len(topology)]
        options = {**sets, "maxEpochs": 1, "transferFunctions": functions}
        try:
            value = solution.train_class_ann(topology, dataset, **options)
            facts = as_network(solution, as_trained(value)[0], 2)
            require_hidden_functions(facts, [each.name for each in functions], "sigmoid")
        except (CheckFailed, StudentError) as failure:
            others = isinstance(failure, CheckFailed) and failure.message is None  # than those that are given
            if others and _builds_functions(solution, topology, functions):
                solution.answer("train_class_ann", topology, dataset, **options)  # what is shown is the last call
                raise
            built = _functions_built(solution, dataset, topology, **options)
            options["transferFunctions"] = [Function("relu"), Function("tanh")][: len(topology)]
            other = _functions_built(solution, dataset, topology, **options)
            passed = built == other[::-1] if len(topology) > 1 else built != other
            if len({*built}) < len(topology) or not passed:
                raise


def _builds_functions(solution: Solution, topology: list[int], functions: list[Function]) -> bool:
    """Tell whether a network that is built with these functions has them, in their order."""
    with suppress(CheckFailed, StudentError):
        built = solution.build_class_ann(2, topology, 1, transferFunctions=functions)
        require_hidden_functions(as_network(solution, built, 2), [each.name for each in functions], "sigmoid")
        return True
    return False


def _functions_built(solution: Solution, dataset: Dataset, topology: list[int], **options: Any) -> list[Any]:
    """Return the functions that `build_class_ann` gets, in order."""
    calls = _watch_build(solution, dataset, topology, **options)
    given = [*calls[-1].args, *calls[-1].kwargs.values()] if calls else []
    lists = [[*value] for value in given if isinstance(value, list | tuple)]
    return next((each for each in lists if each and all(isinstance(one, Handle) for one in each)), [])


@check("train_class_ann.random_weights")
def each_training_starts_from_another_network(solution: Solution) -> None:
    """Cada entrenamiento parte de una red nueva, con otros pesos iniciales."""
    try:
        first, second = (as_trained(solution.train_class_ann([], CLUSTERS, maxEpochs=1))[0] for _ in range(2))
        equal = are_equal(*(as_network(solution, network, 2) for network in (first, second)))
        outputs = solution.predict(first, CLUSTERS[0])
    except (CheckFailed, StudentError):
        return  # what does not train is for other checks
    require(not equal, obtained=outputs[0])


def _watch_build(solution: Solution, dataset: Dataset, topology: list[int], **options: Any) -> list[Any]:
    if not solution.has("build_class_ann"):
        return []
    doubles = {"build_class_ann": {"through": True}}
    return solution.scripted("train_class_ann", doubles, topology, dataset, **{"maxEpochs": 1, **options}).calls


def _require_passed_on(solution: Solution, dataset: Dataset, topology: list[int], expected: list[Any]) -> None:
    calls = _watch_build(solution, dataset, topology)
    given = [*calls[-1].args, *calls[-1].kwargs.values()][:3] if calls else None
    listed = [value.tolist() if isinstance(value, np.ndarray) else value for value in given] if given else None
    require(listed == expected, expected=expected, obtained=listed)


# -- how long ---------------------------------------------------------------------------------------------------------


@check("train_class_ann.max_epochs")
def training_ends_after_max_epochs(solution: Solution) -> None:
    """El entrenamiento termina al llegar a maxEpochs ciclos, si no ha terminado antes."""
    begins = 0  # 1 with the loss of epoch 0, or 0 without it
    with suppress(CheckFailed, StudentError):
        begins = len(train(solution, CLUSTERS, maxEpochs=0).training)
    cases: list[tuple[Dataset, int, dict[str, Any]]] = [
        (CLUSTERS, 6, {}),
        (POSITIVE, 8, {"validationDataset": POSITIVE}),
        (MIXED, 210, {"learningRate": 0.002}),  # whose loss is never 0
    ]
    for training, epochs, options in cases:
        losses = train(solution, training, maxEpochs=epochs, **options).training
        obtained = len(losses)
        right = obtained == epochs + 1 or (begins != 1 and obtained == epochs)
        require(right, expected=epochs + 1, obtained=obtained)
    still = float(np.ptp(losses[-60:])) == 0 < float(np.ptp(losses)) and losses[-1] > LOWEST + SMALL
    require(not still, expected=epochs, obtained=int(np.flatnonzero(losses == losses[-1])[0]))
