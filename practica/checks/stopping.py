"""Checks of exercise 3, `train_class_ann`: when training ends, and which network is returned then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from practica.checks.framework import CheckFailed, check, for_all, require
from practica.checks.later import st
from practica.checks.readings import close
from practica.checks.solution import Solution
from practica.checks.trained import (
    CLUSTERS,
    FIRST,
    LOSS_TOLERANCE,
    MIXED,
    MIXED_OF_THREE,
    NEGATIVE,
    OPPOSITES,
    POSITIVE,
    SMALL,
    SURE,
    Case,
    Dataset,
    Losses,
    Sets,
    Trained,
    always_falls,
    blank,
    last_loss,
    noisy_sets,
    require_true_loss,
    several_layers,
    train,
    train_alike,
    train_layers,
)

SATURATED = 3.0  # a loss of MIXED: probabilities so near to 0 that the epsilon of the logarithm tells
OF_EIGHT: Dataset = np.zeros((16, 2)), np.eye(8, dtype=bool)[[*range(8), *[0] * 8]]  # no loss below 1.5
LIMITS = st.integers(10, 16).map(lambda hundredths: hundredths / 100)
PATIENCE = st.integers(5, 9)
# Trainings (set, rate, epochs) whose loss swings, no longer falls, goes on after all patterns are right, or to nothing.
WHOLE = (MIXED, 2.0, 12), (MIXED, 2.0, 60), (MIXED, 0.3, 170), (CLUSTERS, 0.1, 30), (POSITIVE, 2.0, 25)
RATES = st.integers(30, 50).map(lambda hundredths: hundredths / 100)


@st.composite
def places(draw: st.DrawFn) -> tuple[float, int]:
    """Draw where the patterns of a set are, and how often each comes, which changes nothing in its loss."""
    return draw(st.integers(0, 8)) / 16, draw(st.integers(1, 12))


def _at(place: tuple[float, int], *sets: Dataset) -> list[Dataset]:
    value, times = place
    return [(np.tile(inputs, (times, 1)) + value, np.tile(targets, (times, 1))) for inputs, targets in sets]


# -- a loss low enough ------------------------------------------------------------------------------------------------


@check("train_class_ann.min_loss")
@for_all(1, limit=LIMITS, place=places(), case=several_layers())
def training_ends_when_the_loss_is_low_enough(
    solution: Solution, limit: float, place: tuple[float, int], case: Case
) -> None:
    """El entrenamiento termina cuando el loss de entrenamiento llega a minLoss."""
    (positive,) = _at(place, POSITIVE)
    _require_min_loss(solution, limit, positive)
    for training, topology in (FIRST, []), (CLUSTERS, [4, 3]), (FIRST, [3]):
        _require_min_loss(solution, 0.3 + limit, training, topology)
    # The same training again, which ends where its loss is exactly the limit.
    options = {"maxEpochs": 8, "learningRate": 0.1}
    for topology, training in ([], POSITIVE), case:
        _require_end(solution, topology, training, **options)
    # Nor is there a first step where the untrained network is good enough.
    losses, limit = train(solution, POSITIVE, maxEpochs=2, minLoss=100.0).training, 100.0
    require(len(losses) <= 1, expected=limit, obtained=losses[-2:], epochs=len(losses) - 1)


@check("train_class_ann.min_loss.validation")
@for_all(1, limit=LIMITS, place=places())
def a_low_loss_ends_training_with_a_validation_set_too(
    solution: Solution, limit: float, place: tuple[float, int]
) -> None:
    """También con conjunto de validación, el entrenamiento termina cuando el loss de entrenamiento llega a minLoss."""
    positive, negative = _at(place, POSITIVE, NEGATIVE)
    _require_min_loss(solution, limit, positive, validationDataset=negative, maxEpochsVal=200)
    # The losses of validation and test fall below the limit, which the training loss never reaches.
    options = {"maxEpochs": 20, "maxEpochsVal": 60, "learningRate": 0.3, "minLoss": 0.5}
    losses = train(solution, MIXED, validationDataset=POSITIVE, testDataset=POSITIVE, **options).training
    require(len(losses) >= 20, expected=0.5, obtained=losses[-2:], epochs=len(losses) - 1)


def _require_end(solution: Solution, topology: list[int], training: Dataset, **options: Any) -> None:
    """Require that a training ends at a loss where the same one, which has another limit, came to it."""
    for limit in train_layers(solution, topology, training, **options).training[4:5].tolist():
        free, limited = train_alike(solution, topology, training, options, {**options, "minLoss": limit})
        losses = limited.training
        there = free.training[: len(losses)][-1:].max(initial=0) <= limit + LOSS_TOLERANCE
        ends = there or not (free.training < limit - LOSS_TOLERANCE).any()
        require(ends, expected=limit, obtained=losses[-2:], epochs=len(losses) - 1)
        goes_on = bool((losses[:-1] <= limit).any())
        require(not goes_on, expected=limit, obtained=losses[-2:], epochs=len(losses) - 1)


def _require_min_loss(
    solution: Solution, limit: float, training: Dataset, topology: Sequence[int] = (), **options: Any
) -> None:
    options = {"maxEpochs": 150, "learningRate": 0.5, "minLoss": limit, **options}
    trained = train_layers(solution, topology, training, **options)
    losses = trained.training
    low = np.flatnonzero(losses <= limit)
    ends = len(low) > 0 and low[0] == len(losses) - 1
    never = len(low) == 0 and (len(losses) >= options["maxEpochs"] or "validationDataset" in options)
    require(ends or never, expected=limit, obtained=losses[-2:], epochs=len(losses) - 1)
    if len(losses) and "validationDataset" not in options:
        require_true_loss(trained, training)


# -- early stopping ---------------------------------------------------------------------------------------------------


@check("train_class_ann.early_stopping.patience")
@for_all(1, shortest=st.integers(3, 7), place=places(), noisy=noisy_sets())
def training_ends_after_max_epochs_val_without_improvement(
    solution: Solution, shortest: int, place: tuple[float, int], noisy: Sets
) -> None:
    """El entrenamiento termina tras maxEpochsVal ciclos seguidos sin que mejore el loss de validación."""
    for patience, opposites in zip((shortest, shortest + 4, shortest // 3), (*OPPOSITES, OPPOSITES[0]), strict=True):
        training, validation = _at(place, *opposites)
        options = {"maxEpochs": 60, "maxEpochsVal": patience, "learningRate": 0.1}
        trained = train(solution, training, validationDataset=validation, **options)
        _require_stopped(trained, patience, 60, "patience")
    options = {"maxEpochs": 60, "maxEpochsVal": shortest, "learningRate": 0.1}
    positive, negative = _at(place, *OPPOSITES[0])
    for topology, training, validation in ([3, 2][: 1 + shortest % 2], positive, negative), noisy:
        trained = train_layers(solution, topology, training, validationDataset=validation, **options)
        _require_stopped(trained, shortest, 60, "patience")
    options = {"maxEpochs": 1000, "maxEpochsVal": 20}  # as where nobody says anything
    _require_stopped(train(solution, POSITIVE, validationDataset=NEGATIVE, **options), 20, 1000, "patience")


@check("train_class_ann.early_stopping.reset")
@for_all(1, shortest=st.integers(4, 6), rate=st.integers(20, 28).map(lambda tenths: tenths / 10), place=places())
def an_improvement_starts_the_count_again(
    solution: Solution, shortest: int, rate: float, place: tuple[float, int]
) -> None:
    """Cada vez que mejora el loss de validación, la cuenta de ciclos sin mejorar empieza de nuevo."""
    mixed, positive = _at(place, MIXED, POSITIVE)
    # The second validation set improves while the training set does not.
    for patience, validation, step in ((shortest + 4, mixed, rate), (shortest, positive, rate / 4)):
        options = {"maxEpochs": 40, "maxEpochsVal": patience, "learningRate": step}
        _require_stopped(train(solution, mixed, validationDataset=validation, **options), patience, 40, "reset")
    # However large the losses are.
    options = {"maxEpochs": 12, "maxEpochsVal": 4, "learningRate": 0.05}
    _require_stopped(train(solution, OF_EIGHT, validationDataset=OF_EIGHT, **options), 4, 12, "reset")
    # However small: each step lowers the loss by less than a millionth, a few units of single precision.
    options = {"maxEpochs": 12, "maxEpochsVal": 2, "learningRate": 6e-7}
    _require_stopped(train(solution, POSITIVE, validationDataset=POSITIVE, **options), 2, 12, "reset")


@check("train_class_ann.early_stopping.strict")
def an_equal_loss_is_no_improvement(solution: Solution) -> None:
    """Un loss de validación igual al mejor no es una mejora."""
    # A step of 1e-30 changes no output: the validation loss is the same in all epochs.
    options = {"maxEpochs": 40, "maxEpochsVal": 4, "learningRate": 1e-30}
    trained = train(solution, POSITIVE, validationDataset=NEGATIVE, **options)
    _require_stopped(trained, 4, 40, "strict" if len(set(trained.validation)) == 1 else "patience")


@check("train_class_ann.early_stopping.not_without_validation")
def without_validation_there_is_no_early_stopping(solution: Solution) -> None:
    """Sin conjunto de validación no hay parada temprana: maxEpochsVal no se usa."""
    for training, rate, epochs in WHOLE:
        losses = train(solution, training, maxEpochs=epochs, maxEpochsVal=2, learningRate=rate).training
        # Epoch 0 has a check of its own: here it may be missing. And minLoss is 0, which long steps reach.
        right = len(losses) in (epochs, epochs + 1) or last_loss(losses) <= 0
        require(right, set="training", expected=epochs + 1, obtained=len(losses))


def _ends(validation: Losses, patience: int) -> Iterator[int | None]:
    """Tell at which epoch training ends, for each legal reading; None for an end that these losses do not show."""
    for first, slack in product((0, 1), (0, 1)):
        best, since = np.inf, 0
        end = None
        for epoch in range(first, len(validation)):
            since = 0 if validation[epoch] < best else since + 1
            best = min(best, validation[epoch])
            if since >= patience + slack:
                end = epoch
                break
        yield end


def _require_stopped(trained: Trained, patience: int, maxEpochs: int, rule: str) -> None:
    """Training must have ended exactly where its own validation losses say."""
    validation, length = trained.validation, len(trained.training)
    require(len(validation), message="form.losses_length", set="validation", obtained=0, expected=length)
    last, ends = len(validation) - 1, list(_ends(validation, patience))
    other_end = last + 1 >= maxEpochs or last_loss(trained.training) <= 0  # as minLoss is, of long steps
    if last in ends or (None in ends and other_end):
        return
    facts: dict[str, Any] = {"obtained": last, "patience": patience}
    message = f"train_class_ann.early_stopping.{rule}"
    for end in ends:
        if end is not None:  # and training went on
            raise CheckFailed({**facts, "best": int(validation[: end + 1].argmin()), "expected": end}, message)
    best = int(validation.argmin())
    raise CheckFailed({**facts, "best": best, "waited": last - best}, f"{message}.early")


# -- which network is returned ----------------------------------------------------------------------------------------


@check("train_class_ann.best.stopped_early")
@for_all(1, patience=PATIENCE, rate=RATES, place=places(), noisy=noisy_sets())
def early_stopping_returns_the_best_network(
    solution: Solution, patience: int, rate: float, place: tuple[float, int], noisy: Sets
) -> None:
    """Con conjunto de validación se devuelve la red con el menor loss de validación, una copia de cómo era entonces."""
    options = {"maxEpochs": 100, "maxEpochsVal": patience, "learningRate": rate}
    _require_best(solution, [], _at(place, POSITIVE, MIXED), **options)
    topology, *sets = noisy
    _require_best(solution, topology, sets, **{**options, "learningRate": rate / 4})


@check("train_class_ann.best.out_of_epochs")
@for_all(1, epochs=st.integers(18, 24), rate=RATES, place=places())
def the_best_network_is_returned_whatever_ends_the_training(
    solution: Solution, epochs: int, rate: float, place: tuple[float, int]
) -> None:
    """También se devuelve la mejor red de validación cuando el entrenamiento termina por maxEpochs o por minLoss."""
    options = {"maxEpochs": epochs, "maxEpochsVal": 100, "learningRate": rate}
    _require_best(solution, [4, 2], _at(place, POSITIVE, MIXED), **options)  # the best one is all of its layers
    _require_best(solution, [3], _at(place, FIRST, MIXED_OF_THREE), **options)
    _require_best(solution, [], _at(place, POSITIVE, MIXED), **{**options, "maxEpochs": 100, "minLoss": 0.1})


@check("train_class_ann.best.never_better")
@for_all(1, patience=PATIENCE, rate=RATES, place=places())
def a_validation_that_never_improves_returns_the_first_network(
    solution: Solution, patience: int, rate: float, place: tuple[float, int]
) -> None:
    """Si el loss de validación no mejora nunca, la red que se devuelve no es la última sino la del principio."""
    options = {"maxEpochs": 30, "maxEpochsVal": patience, "learningRate": rate}
    for opposites in OPPOSITES:
        training, validation = _at(place, *opposites)
        trained = train(solution, training, validationDataset=validation, **options)
        lengths = {"expected": len(trained.training), "obtained": len(trained.validation)}
        require(lengths["obtained"], message="form.losses_length", set="validation", **lengths)
        lowest = [trained.validation[first:].min() for first in range(min(2, lengths["obtained"]))]
        _require_one_of(trained, validation, lowest)


@check("train_class_ann.last")
def without_validation_the_last_network_is_returned(solution: Solution) -> None:
    """Sin conjunto de validación se devuelve la última red, ya entrenada."""
    trained = train(solution, POSITIVE, maxEpochs=10, learningRate=0.5)
    losses = trained.training
    require(len(losses), message="form.losses_length", set="training", obtained=0, expected=11)
    obtained = trained.loss(POSITIVE)
    facts = {"expected": losses[-1], "obtained": obtained, "first": losses[0], "last": losses[-1]}
    require(close(obtained, losses[-1], LOSS_TOLERANCE), message=_unknown(obtained, losses), **facts)
    # Not the one with the lowest loss: long steps go beyond it. Where they are too long, the loss has no exact value.
    for rate in (2.0, 0.2):
        trained = train(solution, MIXED, maxEpochs=3, learningRate=rate)
        losses, obtained = trained.training, trained.loss(MIXED)
        if losses.max(initial=0) < SATURATED:
            break
    last = last_loss(losses)
    require(close(obtained, last, LOSS_TOLERANCE), expected=last, obtained=obtained, first=losses[:1])


def _require_best(solution: Solution, topology: list[int], sets: Sequence[Dataset], **options: Any) -> None:
    training, validation = sets
    trained = train_layers(solution, topology, training, validationDataset=validation, **options)
    lengths = {"expected": len(trained.training), "obtained": len(trained.validation)}
    require(lengths["obtained"], message="form.losses_length", set="validation", **lengths)
    _require_one_of(
        trained, validation, [trained.validation[first:].min() for first in range(min(2, lengths["obtained"]))]
    )


def _require_one_of(trained: Trained, validation: Dataset, losses: list[float]) -> None:
    """Require that the returned network has one of these validation losses, or tell that it is the last one."""
    obtained, last = trained.loss(validation), float(trained.validation[-1])
    message = "form.last_network" if close(obtained, last, LOSS_TOLERANCE) else _unknown(obtained, trained.validation)
    sure = trained.loss(validation, least=SURE)
    vague = not close(obtained, sure, LOSS_TOLERANCE)  # so sure of what is wrong that its loss has no exact value
    right = any(close(obtained, loss, LOSS_TOLERANCE) or (vague and loss > sure) for loss in losses)
    require(right, message=message, expected=losses[0], obtained=obtained, last=last)


def _unknown(loss: float, losses: Losses) -> str | None:
    """Return the sentence on a network whose loss is none of those noted: they may be losses of another kind."""
    return None if any(close(loss, each, LOSS_TOLERANCE) for each in losses) else "form.unknown_loss"


# -- what must not influence ------------------------------------------------------------------------------------------


@check("train_class_ann.test_has_no_influence")
def the_test_set_is_only_watched(solution: Solution) -> None:
    """El conjunto de test no influye: ni se entrena con él, ni decide cuándo parar ni qué red se devuelve."""
    options: dict[str, Any] = {"maxEpochs": 15, "maxEpochsVal": 3, "learningRate": 0.2}
    sets = {"validationDataset": POSITIVE, "testDataset": blank(*[False] * 12)}
    for topology in [], [3, 2]:
        trained = train_layers(solution, topology, POSITIVE, **options, **sets)
        losses = trained.training
        goes_on = len(losses) in (15, 16) or last_loss(losses) < SMALL
        right = goes_on and always_falls(losses) and close(trained.loss(POSITIVE), losses[-1], LOSS_TOLERANCE)
        require(right, obtained=losses, expected=16)
    # Nor where the test improves and the validation does not: the same end, and the same of the first and last network.
    ends = []
    for given in {}, {"testDataset": POSITIVE}:
        trained = train(solution, POSITIVE, validationDataset=NEGATIVE, **options, **given)
        last = close(trained.loss(NEGATIVE), last_loss(trained.validation), LOSS_TOLERANCE)
        ends.append((len(trained.training), last))
    message = "train_class_ann.test_has_no_influence.best"
    require(ends[0] == ends[1], message=message, obtained=ends[1][0], expected=ends[0][0])


@check("train_class_ann.validation_is_not_trained")
def the_network_is_not_trained_with_the_validation_set(solution: Solution) -> None:
    """La red no se entrena con los patrones de validación."""
    options: dict[str, Any] = {"maxEpochs": 20, "maxEpochsVal": 22, "learningRate": 0.4}
    options["validationDataset"] = blank(*[False] * 12)
    for topology in [], [4]:
        losses = train_layers(solution, topology, POSITIVE, **options).training
        require(len(losses) > 1 and always_falls(losses), obtained=losses)
