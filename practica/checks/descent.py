"""Checks of exercise 3, `train_class_ann`: how each epoch moves the weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.checks.framework import CheckFailed, check, for_all, require
from practica.checks.help import Tamed
from practica.checks.later import st
from practica.checks.layers import Layers, are_close, are_equal, distance_of, gradients_of, is_right, layer_outputs
from practica.checks.network import as_network, sizes_of, weights_and_biases
from practica.checks.plain import Function, Handle
from practica.checks.readings import as_trained, close
from practica.checks.solution import Solution, StudentError, succeeded
from practica.checks.trained import (
    LOWEST,
    MIXED,
    OPPOSITES,
    POSITIVE,
    THREE_CLUSTERS,
    Case,
    Dataset,
    Losses,
    biases_of,
    blank,
    last_loss,
    loss_reached,
    require_true_loss,
    several_layers,
    train,
    train_alike,
    train_layers,
    with_right_networks,
)

RATE = 0.01  # of the steps that are looked at
VISIBLE = 1e-6  # the part of a weight that single precision shows
FLAT = 1e-6  # a gradient that may as well be 0
BOTTLENECK: Dataset = np.eye(16) * 2, np.arange(16)[:, np.newaxis] % 2 == 0
MIXED_RATES = ((0.2, 60), (0.2, 100), (20.0, 100))  # and epochs
BOTTLENECK_RATES = ((0.3, 30), (0.1, 120), (10.0, 120), (1.0, 120), (0.02, 120))
STEEP = 1e-3  # a gradient that single precision shows
STEEPER = 1e-2  # one for which Adadelta's first step does not depend on it either
Way = Callable[[Solution], Solution]  # to its networks: what a file trains is no reason not to look how it does so
WAYS: tuple[Way, ...] = (lambda own: own, Tamed, with_right_networks)
SMALLER = (1, 3, 9, 27)  # times
ZEROS, LARGE = 4, 40.0  # attributes that are always 0, and the value of the others
PENALTY = 2e-4  # the part of a weight that a step may take: AdamW, as it comes, takes half of that
STEADY, SHORT = 110, 0.05  # epochs; and a part of the rate that single precision hardly shows
TELLING = 0.35  # a loss large enough to show such steps
ALIKE = 0.06  # of steps that are of one length
FEWEST = 4  # parameters whose steps are not alike by chance


@check("train_class_ann.learns")
def training_reaches_the_lowest_loss(solution: Solution) -> None:
    """En cada ciclo la red se entrena con todos los patrones, de modo que el loss baja hasta su mínimo."""
    obtained = loss_reached(solution, MIXED, MIXED_RATES, LOWEST + 0.03)
    require(obtained < LOWEST + 0.03, expected=LOWEST, obtained=obtained)
    # One hidden neuron and an attribute for each pattern, in no order: weights that stay as they were drawn leave the
    # classes apart once in 6000 times. Slow optimisers get more epochs, and longer or shorter steps.
    reached: list[float] = []
    for rate, epochs in BOTTLENECK_RATES:
        trained = train_layers(solution, [1], BOTTLENECK, maxEpochs=epochs, learningRate=rate)
        reached.append(trained.loss(BOTTLENECK))
        if reached[-1] < 0.3:
            return
    raise CheckFailed({"expected": 0.0, "obtained": min(reached)})


# -- the first step ---------------------------------------------------------------------------------------------------


@check("train_class_ann.all_layers")
@for_all(2, case=several_layers(), many=st.integers(50, 90))
def every_layer_goes_down_the_gradient(solution: Solution, case: Case, many: int) -> None:
    """El paso de un ciclo cambia los pesos y los bias de todas las capas, en contra del gradiente del loss."""
    _require_all_patterns(solution, 4 * many + many % 2)  # more than most batches have
    for N in many, many + 1:  # of two classes, and of three; other losses (MSE, a second softmax) go elsewhere
        _require_downhill(solution, [], _of_all_sizes(N), 0.96)
    topology, training = case
    sets: dict[str, Any]
    for sets in {}, {"validationDataset": training, "testDataset": training}:
        _require_downhill(solution, topology, training, 0.7, options=sets)
    if training[1].shape[1] == 1:
        _require_downhill(solution, topology, training, 0.7, vector=True)
    _require_all_patterns_of_layers(solution, many)
    relu = [Function("relu")]  # which gives outputs of all sizes, as it takes to tell losses apart
    N = many | 1
    _require_downhill(solution, [N], _of_all_sizes(N), 0.97, "relu", options={"transferFunctions": relu})


def _of_all_sizes(N: int) -> Dataset:
    """Return so many patterns of so many attributes that outputs are wrong by all amounts."""
    numbers = np.arange(N)[:, np.newaxis]
    inputs = 3 * np.sin(numbers * (1.0 + np.arange(N * 2 // 3)))
    # Of three classes one has most patterns: where classes weigh the same, the gradient is another one too.
    three = np.maximum(numbers * 7 // 3 % 8 - 5, 0) == np.arange(3)
    return inputs, three if N % 2 else numbers * 7 // 3 % 2 == 0


def _require_all_patterns_of_layers(solution: Solution, N: int) -> None:
    """With an attribute for each pattern, a step with all patterns moves weights of each in the first hidden layer."""
    numbers = np.arange(N)[:, np.newaxis]
    dataset = np.eye(N) * 2, numbers % 3 == np.arange(3) if N % 2 else numbers % 2 == 0
    topology = [4, 3][: 1 + N % 2]
    for sets in {}, {"validationDataset": dataset, "testDataset": dataset}:
        for step in _first_steps(solution, topology, dataset, **sets):
            before, after = map(weights_and_biases, step)
            gradients = gradients_of(before, *dataset) if is_right(step[0], topology) else []
            if not gradients or not after or (sets and are_equal(*step)):
                continue  # which network is built, and which is returned, is for other checks
            slopes, old, new = (layers[0][0] for layers in (gradients, before, after))
            seen = (abs(slopes) * RATE > VISIBLE * abs(old)).any(axis=0)  # plain steps that single precision shows
            if seen.mean() > 0.5 and old.shape == new.shape:
                moved = (old != new).any(axis=0)[seen]
                require(moved.all(), layer=1, layers=len(topology) + 1, obtained=int(100 * moved.mean()))
                break


def _require_downhill(
    solution: Solution,
    topology: list[int],
    dataset: Dataset,
    least: float,
    hidden: str = "sigmoid",
    *,
    vector: bool = False,
    options: dict[str, Any] | None = None,
) -> None:
    """Require that the first step changes each layer, and at least so much of its gradient points back."""
    step, gradients = _first_step_that_tells(solution, topology, dataset, hidden, vector=vector, **options or {})
    if not gradients:
        if topology and not options:
            _require_all_or_none(solution, topology)
        return
    built, trained = step
    before, after = map(weights_and_biases, step)
    expected, obtained = map(sizes_of, step)
    require(expected == obtained, message="train_class_ann.network", expected=expected, obtained=obtained)
    if "validationDataset" in (options or {}) and are_equal(built, trained):
        return  # which network is returned is for other checks
    for layer, (old, new, gradient) in enumerate(zip(before, after, gradients, strict=True)):
        steps = [one - other for one, other in zip(new, old, strict=True)]
        slopes = [abs(slope).sum() for slope in gradient]
        moved = all(step.any() for step, slope in zip(steps, slopes, strict=True) if slope >= FLAT)
        down = sum(abs(slope[step * slope < 0]).sum() for step, slope in zip(steps, gradient, strict=True))
        share = float(down / sum(slopes))
        require(moved and share > least, layer=layer + 1, layers=len(before), obtained=round(100 * share))


def _first_step_that_tells(
    solution: Solution,
    topology: list[int],
    dataset: Dataset,
    hidden: str = "sigmoid",
    *,
    vector: bool = False,
    **options: Any,
) -> tuple[list[dict[str, Any]], Layers]:
    """Return a network before and after an epoch, with its gradients before; nothing where nothing can be told.

    Weights may be so large that no output is in doubt: then smaller inputs make it so, before other weights do.
    """
    for way in WAYS:
        for part in SMALLER:
            inputs, targets = dataset[0] / part, dataset[1]
            given = inputs, targets[:, 0] if vector else targets
            step = _first_step(solution, way, topology, given, **options)
            if not (step and is_right(step[0], topology, hidden)):
                break
            if gradients := _gradients_that_tell(step[0], (inputs, targets), hidden):
                return step, gradients
    return [], []


def _gradients_that_tell(built: dict[str, Any], dataset: Dataset, hidden: str) -> Layers:
    """Return the gradients of a network; none where rounding, or an epsilon, decides."""
    layers, (inputs, targets) = weights_and_biases(built), dataset
    gradients = gradients_of(layers, inputs, targets, hidden)
    if any(sum(abs(slope).sum() for slope in gradient) < FLAT for gradient in gradients):
        return []  # the outputs do not depend on a layer
    sure = gradients and (1 - abs(layer_outputs(layers, inputs, hidden)[-1] - targets)).min() < 1e-5
    return [] if sure else gradients


def _first_steps(solution: Solution, topology: list[int], dataset: Dataset, **given: Any) -> Iterator[list[Any]]:
    """Yield the facts of networks before and after an epoch: of its own, of tamed ones, and of ours, if that can be."""
    for way in WAYS:
        if step := _first_step(solution, way, topology, dataset, **given):
            yield step


def _first_step(
    solution: Solution, way: Way, topology: list[int], dataset: Dataset, **given: Any
) -> list[dict[str, Any]]:
    """Return the facts of a network before and after an epoch; of ours nothing if only its own can be trained."""
    try:
        found = _before_and_after(way(solution), topology, dataset, **given)
    except StudentError:
        if way is not with_right_networks:
            raise
        return []
    return [as_network(solution, each, dataset[0].shape[1]) for each in found]


def _before_and_after(solution: Solution, topology: list[int], dataset: Dataset, **given: Any) -> tuple[Handle, Handle]:
    """Return a network before, and after one epoch; where that cannot be seen, nobody knows what trains it.

    Before, it is as the same call returns it that trains none, or, if that is of no use, as it was built.
    """
    L, seed = dataset[0].shape[1], solution.seed

    def ran(epochs: int) -> tuple[Handle, list[Handle]]:
        solution.seed = seed  # the same initial weights
        options = {"learningRate": RATE, **given, "maxEpochs": epochs}
        doubles = {"build_class_ann": {"through": True, "copies": True}} if solution.has("build_class_ann") else {}
        transcript = solution.scripted("train_class_ann", doubles, topology, dataset, **options)
        network = as_trained(succeeded(transcript.answer).value)[0]
        return network, [call.result for call in transcript.calls if isinstance(call.result, Handle)]

    def values(networks: list[Handle]) -> list[list[NDArray[Any]]]:
        return [as_network(solution, each, L)["values"] for each in networks]

    trained, built = ran(1)
    with suppress(CheckFailed, StudentError):  # who cannot train for no epoch at all has another check
        first, others = ran(0)
        if not any(are_close(*values([first, each])) for each in others):  # weights are drawn once it is built
            some, again = (built, others) if built else ([first], [ran(0)[0]])
            repeats = len(some) == len(again) and all(map(are_close, values(some), values(again)))
            if repeats and not are_close(*values([first, trained])):
                return first, trained
    if not built:
        raise CheckFailed({"helper": "build_class_ann"}, "form.unseen")
    if len(built) == 1:
        return built[0], trained
    (last,), copies = values([trained]), values(built)  # one of which may keep the best network, and is not trained
    return built[int(np.argmin([distance_of(each, last) for each in copies]))], trained


def _require_all_patterns(solution: Solution, N: int) -> None:
    """With an attribute for each pattern, a step with all patterns moves all weights, each to its pattern's class.

    Large inputs give probabilities of all sizes, and other targets than those given (label smoothing) turn weights that
    are near their class. None move where the outputs do not depend on them, and that is the network's own mistake. Some
    more attributes are always 0: no gradient of the loss moves their weights, but that of a penalty does; so does that
    of a network whose inputs go through a function first.
    """
    C = 1 if N % 2 else 3
    numbers = np.arange(N)[:, np.newaxis]
    inputs, targets = dataset = np.eye(N, N + ZEROS) * LARGE, numbers % (C + (C == 1)) == np.arange(C)
    for step in _first_steps(solution, [], dataset):
        before, after = step
        right = is_right(before, [])
        # Who keeps the logarithm from 0 in another way may have no gradient near 0 and 1.
        p = layer_outputs(weights_and_biases(before), inputs)[-1] if right else np.full(targets.shape, 0.5)
        seen = (abs(p - 0.5) < 0.499) & (np.where(targets, p, 1).min(axis=1, keepdims=True) > 0.001)
        if right and seen.mean() > 0.5:
            break
    pairs = zip(before["values"], after["values"], strict=True) if len(before["values"]) == len(after["values"]) else ()
    moves = [(new - old, abs(old).max()) for old, new in pairs if old.size == new.size == C * (N + ZEROS)]
    require(moves, message="train_class_ann.network", expected=[(N + ZEROS, C)], obtained=sizes_of(after))
    for step, largest in moves if seen.any() else ():
        columns = step.reshape(-1, C) if step.shape[0] == N + ZEROS else step.reshape(C, -1).T  # (attribute, class)
        share = round(100 * float(np.mean(columns[:N][seen] != 0)))
        require(share == 100 or (share == 0 and not right), layer=1, layers=1, obtained=share)
        if right:
            moved = abs(columns[N:]).max()
            require(moved <= PENALTY * largest, message="train_class_ann.all_layers.decay", obtained=moved)
            turned = np.mean((columns[:N] > 0)[seen] != targets[seen])
            require(not turned, message="train_class_ann.all_layers.targets", obtained=np.ceil(100 * turned))


def _require_all_or_none(solution: Solution, topology: list[int]) -> None:
    """Of a network that is not right, whose gradient nobody knows: no layer moves without the others."""
    inputs, targets = np.concatenate([THREE_CLUSTERS[0]] * 2), np.concatenate([THREE_CLUSTERS[1]] * 2)
    old, new = [], []
    with suppress(CheckFailed, StudentError):  # which are for other checks
        found = _before_and_after(solution, [8] * len(topology), (inputs, targets))
        old, new = (as_network(solution, network, 2)["values"] for network in found)
    if old and len(old) == len(new):
        moved = [not close(one, other, 0) for one, other in zip(old, new, strict=True)]
        require(all(moved) or not any(moved), layer=1, layers=len(topology) + 1, obtained=0)


# -- the later ones ---------------------------------------------------------------------------------------------------


@check("train_class_ann.every_epoch")
@for_all(1, case=several_layers(), epochs=st.integers(30, 90))
def every_epoch_is_like_the_first(solution: Solution, case: Case, epochs: int) -> None:
    """Todos los ciclos, y no solo el primero, cambian todas las capas; el loss anotado es el de la red de ese ciclo."""
    topology, (inputs, targets) = case
    training = inputs, targets[:, 0] if targets.shape[1] == epochs % 2 else targets  # a vector is one column
    _require_step(solution, topology, training, epochs)
    # A new Adam's first step is the rate, for all weights; its gradient shrinks here, and so do the steps of one that
    # remembers.
    rate = 0.5
    both = train_alike(solution, [3], POSITIVE, *({"maxEpochs": each, "learningRate": rate} for each in (4, 5)))
    before, after = (weights_and_biases(as_network(solution, each.ann, 2)) for each in both)
    steps = [abs(new - old) for new, old in zip(after[-1], before[-1], strict=True)] if before and after else []
    again = bool(steps) and all(np.allclose(step, rate, rtol=0.01) for step in steps)
    require(not again, message="train_class_ann.every_epoch.optimiser", obtained=rate)


def _require_step(solution: Solution, topology: list[int], training: Dataset, epochs: int) -> None:
    """Require that the steps after so many epochs change each layer that has a gradient.

    Three of them: Rprop waits for an epoch where a slope has turned.
    """
    ends = ({"maxEpochs": each, "learningRate": 0.02} for each in (epochs, epochs + 3))
    first, second = train_alike(solution, topology, training, *ends)
    require_true_loss(first, training)
    L = training[0].shape[1]
    before, after = (weights_and_biases(as_network(solution, each.ann, L)) for each in (first, second))
    gradients = gradients_of(before, training[0], np.reshape(training[1], (len(training[1]), -1)))
    if len(gradients) != len(before) or [weight.shape for weight, _ in before] != [weight.shape for weight, _ in after]:
        return
    for layer, (old, new, gradient) in enumerate(zip(before, after, gradients, strict=True)):
        steps = [one - other for one, other in zip(new, old, strict=True)]
        slopes = [abs(slope).sum() for slope in gradient]
        moved = all(step.any() for step, slope in zip(steps, slopes, strict=True) if slope >= STEEP)
        require(moved, layer=layer + 1, layers=len(before), epoch=epochs + 1)


@check("train_class_ann.one_optimiser")
def the_optimiser_keeps_its_state(solution: Solution) -> None:
    """El optimizador se crea una sola vez, antes del bucle: su estado se conserva de un ciclo a otro.

    A new Adam's first step is exactly the learning rate, whatever the gradient is. Here the gradient shrinks from epoch
    to epoch, so that with an optimiser that remembers no two steps are equal.
    """
    _require_unequal_steps(solution)
    _require_steady(solution)
    _require_unequal_steps(solution, validationDataset=POSITIVE)  # which improves in each epoch


def _require_unequal_steps(solution: Solution, **sets: Dataset) -> None:
    steps = np.diff(biases_of(train(solution, POSITIVE, maxEpochs=8, learningRate=0.5, **sets).training))
    longest = float(np.abs(steps).max(initial=0))
    equal = longest > 0 and float(np.ptp(steps)) <= 0.02 * longest
    message = None if 0.25 < longest < 1 else "train_class_ann.learning_rate.ignored"  # Adam's first step is the rate
    require(not equal, message=message, obtained=np.round(steps, 3))


def _require_steady(solution: Solution) -> None:
    """With steps so short that the gradient stays the same, those of the learning rate do.

    They are as long as the rate, as Adam's, or as rate times gradient, and none is a smaller part of it than the first
    ones: not even late, or because the loss hardly falls. That is said of steps that begin alike. Those of Adagrad and
    RMSprop shrink from the first one on, but never to nothing; those of RAdam grow again. Nor do the first ones wait
    for the rate to grow.
    """
    rate = 5e-6
    for training, validation in [OPPOSITES[0], OPPOSITES[0][::-1]] * 3:  # of which one begins with a loss that tells
        options = {"maxEpochs": STEADY, "maxEpochsVal": 1000, "learningRate": rate}
        losses = train(solution, training, validationDataset=validation, **options).training
        if losses[:1].max(initial=0) >= TELLING:
            break
    longer = len(losses) >= STEADY or (losses[1:] >= losses[:-1]).any() or last_loss(losses) <= 0
    require(longer, message="train_class_ann.max_epochs", expected=STEADY + 1, obtained=len(losses))
    steps = np.diff(biases_of(losses)) / rate
    require(losses[:1].max(initial=0) >= TELLING, message="form.unseen", helper="build_class_ann")
    if len(steps) != STEADY or not np.isfinite(steps).all():
        return  # how many there are is for another check
    first = steps[:20].mean()
    unit = min((1.0, 1 - np.exp(-losses[0])), key=lambda unit: abs(first / unit - 1))
    away = np.abs(steps[:3] / first - 1).max() if first > SHORT else np.inf  # above 1 for Adagrad, RMSprop and RAdam
    alike = away < 0.15
    lowest = min(part.mean() for part in np.split(steps, STEADY // 10)[2:])
    shrinks = lowest < (0.95 if away < 0.3 else 0.1) * first and first > SHORT
    facts = {"first": np.round(first / unit, 3), "obtained": np.round(lowest / unit, 3)}
    require(not shrinks, message="train_class_ann.learning_rate.shrinks", **facts)
    late = steps[-20:].mean()
    whole = min((1.0, 1 - np.exp(-losses[0])), key=lambda unit: abs(late / unit - 1))
    facts = {"first": np.round(steps[0] / whole, 2), "obtained": np.round(late / whole, 2)}
    grows = abs(late / whole - 1) < 0.03 and _warms_up(steps / late)
    require(not grows, message="train_class_ann.learning_rate.grows", **facts)
    steady = alike and abs(late / first - 1) < 0.03
    part = steady and abs(first / unit - 1) > 0.03
    require(not part, message="train_class_ann.learning_rate.part", obtained=np.round(steps[:60:20] / unit, 3))


def _warms_up(steps: Losses) -> bool:
    """Tell whether steps begin shorter than the last ones, 1 on average, and get there at once or along a line.

    What they lose on the way tells: 90 % of it is lost after 1.8 times as many epochs as 50 % with one jump, and after
    2.3 times as many along a line. Momentum comes to its end ever more slowly: 3.3 times as many.
    """
    lost = np.maximum.accumulate(np.append(0, np.cumsum(1 - steps)))
    half, most = np.interp([0.5 * lost[-1], 0.9 * lost[-1]], lost, np.arange(len(lost)))
    return bool(steps[0] < 0.75 and lost[-1] > 0.7 and most < 2.6 * half)


# -- how long they are ------------------------------------------------------------------------------------------------


@check("train_class_ann.learning_rate")
@for_all(1, times=st.integers(50, 90), case=several_layers())
def a_larger_learning_rate_takes_longer_steps(solution: Solution, times: int, case: Case) -> None:
    """La tasa de aprendizaje es la indicada en learningRate, con salidas deseadas en matriz y en vector."""
    lengths: list[NDArray[np.float64]] = []
    many, seed = blank(*[True] * 600), solution.seed  # more than a batch
    for dataset in (blank(True, True, True), blank(True, True, True, column=False), many):
        rate = 0.05 if dataset is many else 0.01
        solution.seed = seed  # the same initial weights
        losses, steps = _steps(solution, dataset, rate, 3)
        # Steps that hardly change, as Adam's, are as long as the rate; two in an epoch are twice as long. Vectors take
        # as many as columns, and many patterns as few: they are as long, or as long for their gradient.
        alike = len(steps) > 1 and _are_alike(steps)
        lengths.append(np.array([steps[0], steps[0] / (1 - np.exp(-losses[0]))]))
        one = (lengths[-1] / lengths[0]).min() < 1.6 and not (alike and steps[0] > 1.5)
        require(one, message="form.step", obtained=np.round(steps, 3))
        if dataset is not many:
            solution.seed = seed
            others, longer = _steps(solution, dataset, rate * times, 2)  # of other weights, if they come from elsewhere
            ratios = times * np.array([longer[0], longer[0] / (1 - np.exp(-others[0]))]) / lengths[-1]
            ratio = float(min(ratios, key=lambda ratio: abs(ratio - times)))
            require(0.3 < ratio / times < 3.3, expected=times, obtained=ratio)
    _require_longer_step(solution, *case, times)
    for topology, training in case, ([5, 4], THREE_CLUSTERS):
        _require_equal_steps(solution, topology, training)
    # Where the gradient has changed and the step has not, the rate alone decides: nobody takes a part of it.
    part = _are_alike(steps, 0.005) and steps[0] < 0.75 and losses[0] > 0.25
    require(not part, message="train_class_ann.learning_rate.part", obtained=np.round(steps, 3))


def _require_longer_step(solution: Solution, topology: list[int], training: Dataset, times: int) -> None:
    """Require that a rate so many times larger makes the first step of a network longer, by about as much."""
    for asked in solution, Tamed(solution):
        seed = asked.seed
        networks: list[Any] = []
        for rate in 0.002, 0.002 * times:
            asked.seed = seed  # the same initial weights
            networks += _before_and_after(asked, topology, training, learningRate=rate)
        first, shorter, again, longer = (as_network(asked, each, training[0].shape[1])["values"] for each in networks)
        if distance_of(first, again) == 0:
            break
    ratio = distance_of(again, longer) / (distance_of(first, shorter) or np.nan)
    require(0.3 < ratio / times < 3.3, expected=times, obtained=ratio)


def _require_equal_steps(solution: Solution, topology: list[int], training: Dataset) -> None:
    """Require that the first step is as long with hidden layers as without, if it does not depend on the gradient."""
    plain, hidden = (_lengths(solution, layers, training) for layers in ([], topology))
    _require_one_rate(hidden)
    if plain and hidden:
        steps, slopes = map(np.concatenate, zip(*plain, strict=True))
        many = [each for each in hidden if len(each[0]) >= FEWEST]
        alike = all(map(_are_alike, [steps, *(each for each, _ in many)]))
        if alike and not _are_alike(slopes, 0.5) and not all(_are_alike(each, 0.5) for _, each in many):
            ratio = max(
                (float(np.median(each) / np.median(steps)) for each, _ in many), key=lambda ratio: abs(ratio - 1)
            )
            require(abs(ratio - 1) < 0.2, message="train_class_ann.learning_rate.hidden", obtained=ratio)


def _lengths(solution: Solution, topology: list[int], training: Dataset) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Return how long the first step is, and how steep: of the parameters of each weight and bias that are steep."""
    step, gradients = _first_step_that_tells(solution, topology, training, learningRate=0.02)
    if not gradients or sizes_of(step[0]) != sizes_of(step[1]):
        return []  # other checks say why
    old, new, slopes = (
        [each.ravel() for pair in part for each in pair] for part in (*map(weights_and_biases, step), gradients)
    )
    return [
        (abs(after - before)[steep], abs(slope)[steep])
        for before, after, slope in zip(old, new, slopes, strict=True)
        if (steep := abs(slope) > STEEPER).any()
    ]


def _require_one_rate(steps: list[tuple[NDArray[Any], NDArray[Any]]]) -> None:
    """Require the same rate for all parameters, if their steps are as long as it times the gradient."""
    rates = [step / slope for step, slope in steps if len(step) >= FEWEST]
    if rates and all(map(_are_alike, rates)):
        several = [np.median(each) for each in rates]
        ratio = float(max(several) / min(several))
        require(ratio < 1.2, message="train_class_ann.learning_rate.layers", obtained=ratio)


def _are_alike(steps: NDArray[Any], part: float = ALIKE) -> bool:
    """Tell whether steps differ by no larger a part of the longest."""
    return float(np.ptp(steps)) < part * abs(steps).max()


def _steps(solution: Solution, dataset: Dataset, rate: float, epochs: int) -> tuple[Losses, Losses]:
    """Return the losses of a training on positive targets, and the steps of its bias, in rates, from the first on."""
    for asked in solution, Tamed(solution):
        losses = train(asked, dataset, maxEpochs=epochs, learningRate=rate).training
        if losses[:1].max(initial=0) >= TELLING:
            break
    length = len(losses)
    require(length > 1, message="form.losses_length", set="training", obtained=length, expected=epochs + 1)
    steps = np.diff(biases_of(losses)) / rate
    steps = steps[np.argmax(steps != 0) :]  # losses may be late
    moves = np.isfinite(steps[0]) and steps[0] != 0
    require(moves, message="train_class_ann.learning_rate.still", obtained=losses)
    return losses, steps
