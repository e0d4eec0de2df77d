"""Checks of exercise 3, `train_class_ann`: targets in vectors, and the data, which stay as they were."""

from __future__ import annotations

from typing import Any

import numpy as np

from practica.checks.framework import CheckFailed, check, require, untouched
from practica.checks.network import require_functions_kept
from practica.checks.plain import Function
from practica.checks.readings import close
from practica.checks.solution import Solution
from practica.checks.trained import (
    CLUSTERS,
    LOSS_TOLERANCE,
    Losses,
    blank,
    last_loss,
    loss_reached,
    require_equal_lengths,
    train,
)


@check("train_class_ann.vector.result")
def targets_may_be_vectors(solution: Solution) -> None:
    """Las salidas deseadas pueden ser vectores, en los tres conjuntos: el resultado es el de una sola columna."""
    training = CLUSTERS[0], CLUSTERS[1][:, 0]
    sets = {"validationDataset": training, "testDataset": training}
    trained = train(solution, training, maxEpochs=3, learningRate=0.01, **sets)
    require_equal_lengths(trained)
    expected, obtained = trained.loss(CLUSTERS), last_loss(trained.training)
    require(close(obtained, expected, 0.05), expected=expected, obtained=obtained)
    # Vectors against a column of outputs would make N×N losses, whose mean is lowest without any weights.
    obtained = loss_reached(solution, training, CLUSTERS_RATES, 0.3)
    require(obtained < 0.3, expected=0.0, obtained=obtained)
    first, obtained = _never_better(solution, column=False)
    right = _is_one_of(obtained, first) or not _is_one_of(*_never_better(solution, column=True)[::-1])
    require(right, message="train_class_ann.vector.result.best", expected=first[:1], obtained=obtained)
    for name in sets:  # each of them without the other
        trained = train(solution, training, maxEpochs=3, learningRate=0.3, **{name: training})
        expected, noted = trained.loss(CLUSTERS), np.concatenate([trained.validation, trained.test])
        right = any(close(loss, expected, LOSS_TOLERANCE) for loss in noted)
        require(right, message="train_class_ann.vector.result.sets", expected=expected, obtained=noted)


CLUSTERS_RATES = ((0.3, 20), (0.3, 30), (100.0, 20))  # and epochs


def _never_better(solution: Solution, *, column: bool) -> tuple[Losses, float]:
    """Return the first validation losses, which only grow, and that of the returned network."""
    training, validation = blank(True, True, column=column), blank(False, False, column=column)
    options = {"maxEpochs": 4, "maxEpochsVal": 9, "learningRate": 0.1}
    trained = train(solution, training, validationDataset=validation, **options)
    return trained.validation[:2], trained.loss(validation)


def _is_one_of(loss: float, losses: Losses) -> bool:
    return any(close(loss, each, LOSS_TOLERANCE) for each in losses)


@check("train_class_ann.vector.options")
def the_options_reach_the_training_of_vectors(solution: Solution) -> None:
    """Con salidas deseadas en vectores, las opciones llegan al entrenamiento: maxEpochs, minLoss y maxEpochsVal."""
    positive, negative = blank(*[True] * 4, column=False), blank(*[False] * 4, column=False)
    obtained = len(train(solution, positive, maxEpochs=6).training)
    require(obtained in (6, 7), option="maxEpochs", expected=7, obtained=obtained)

    losses = train(solution, positive, maxEpochs=80, learningRate=0.5, minLoss=0.1).training
    reached, ended = np.flatnonzero(losses <= 0.1), len(losses) - 1
    first = int(reached[0]) if len(reached) else ended
    require(first == ended, option="minLoss", expected=first + 1, obtained=ended + 1)

    options = {"maxEpochs": 40, "maxEpochsVal": 3, "learningRate": 0.1}
    obtained = len(train(solution, positive, validationDataset=negative, **options).training)
    require(3 <= obtained <= 6, option="maxEpochsVal", expected=4, obtained=obtained)


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
    require_functions_kept(solution.answer("train_class_ann", [2, 2], CLUSTERS, maxEpochs=1, **options), 2)
