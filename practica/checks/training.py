"""Checks of exercise 3, `train_class_ann`.

Most of them train a network without hidden layers on patterns whose attributes are all 0. Then only the bias b of the
output decides, the loss is a known convex function of it, and the whole training can be read off the losses:

    targets           loss                      what is known
    all positive      log(1 + exp(−b))          falls while b grows: b after every epoch follows from the loss
    all negative      log(1 + exp(b))           as a validation set beside the former: grows from the first epoch on
    3 of 4 positive   lowest at b = log 3       improves, then gets worse; with long steps b swings around log 3

Legal: any optimiser that takes one step in an epoch, however long, clipped gradients too; loss on logits or
probabilities, single or double precision; epoch 0 may compete as the best network or not; training may end after
`maxEpochsVal` epochs without improvement or one later. The statement says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.checks.framework import CheckFailed, check, for_all, helped_by, require, untouched
from practica.checks.help import Helped, Tamed
from practica.checks.later import st
from practica.checks.network import (
    BUILD,
    FUNCTIONS,
    as_network,
    require_functions_kept,
    require_hidden_functions,
    sizes_of,
    weights_and_biases,
)
from practica.checks.plain import Function, Handle
from practica.checks.readings import as_outputs, as_trained, close
from practica.checks.solution import Solution, StudentError, succeeded

Losses = NDArray[np.float64]
Dataset = tuple[NDArray[np.float64], NDArray[np.bool_]]
Case = tuple[list[int], Dataset]  # a topology and a training set
Sets = tuple[list[int], Dataset, Dataset]  # with a validation set
helped_by("train_class_ann", build_class_ann=BUILD)
FLAT = 1e-6  # a gradient that may as well be 0
SATURATED = 3.0  # a loss of MIXED: probabilities so near to 0 that the epsilon of the logarithm tells
LOSS_TOLERANCE = 2e-3  # of losses computed from single-precision probabilities, with or without Flux's epsilon
SMALL = 1e-3  # losses of a training that is over: single precision hardly sees them fall
SURE = 1e-4  # a probability that may as well be 0: its logarithm depends on how it is kept from minus infinity


def blank(*targets: bool, column: bool = True) -> Dataset:
    """Patterns whose two attributes are 0, with these targets."""
    values = np.array(targets)
    return np.zeros((len(targets), 2)), values.reshape(-1, 1) if column else values


POSITIVE = blank(True, True, True, True)
NEGATIVE = blank(False, False, False, False)
MIXED = blank(*[True] * 6, False, False)  # more patterns than the others have
FIRST, SECOND = ((np.zeros((4, 2)), np.eye(3, dtype=bool)[[number] * 4]) for number in range(2))  # of three classes
MIXED_OF_THREE: Dataset = np.zeros((8, 2)), np.eye(3, dtype=bool)[[0] * 6 + [1] * 2]
OPPOSITES: tuple[tuple[Dataset, Dataset], ...] = (
    (POSITIVE, NEGATIVE),
    (FIRST, SECOND),
)  # a training set and what grows worse
LOWEST = -(0.75 * np.log(0.75) + 0.25 * np.log(0.25))  # loss of MIXED
OF_EIGHT: Dataset = np.zeros((16, 2)), np.eye(8, dtype=bool)[[*range(8), *[0] * 8]]  # no loss below 1.5


def cross_entropy(outputs: NDArray[Any], targets: NDArray[np.bool_], least: float = 1e-7) -> float:
    """Mean over the patterns of −log of the probability of what is true, which is at least so much."""
    probabilities = np.clip(outputs.astype(np.float64), least, 1 - least)
    if outputs.shape[1] == 1:
        true = np.where(targets.reshape(-1, 1), probabilities, 1 - probabilities)
    else:
        true = (probabilities * targets).sum(axis=1)
    return float(-np.log(true).mean())


def _biases(losses: Losses) -> Losses:
    """Return the bias after each epoch, out of the losses of positive targets; NaN where there is none."""
    with np.errstate(all="ignore"):  # losses of something else
        biases = -np.log(np.expm1(losses))
    return np.where(np.isfinite(biases), biases, np.nan)


class Trained:
    """What a call returned, and the losses of its network on any patterns."""

    def __init__(self, solution: Solution, value: Any) -> None:
        self.solution = solution
        self.ann, self.training, self.validation, self.test = as_trained(value)

    def loss(self, dataset: Dataset, *, twice: bool = False, least: float = 1e-7) -> float:
        """Loss of the returned network, or with its last function applied twice, and no probability below `least`."""
        inputs, targets = dataset
        outputs = as_outputs(self.solution.predict(self.ann, inputs), len(inputs))
        columns = np.reshape(targets, (len(targets), -1))
        if outputs.shape != columns.shape:
            raise CheckFailed({"obtained": outputs.shape, "expected": columns.shape}, "form.outputs")
        if twice:
            outputs = FUNCTIONS["sigmoid" if outputs.shape[1] == 1 else "softmax"](outputs)
        return cross_entropy(outputs, columns, least)


def _train(solution: Solution, training: Dataset, **options: Any) -> Trained:
    return _train_layers(solution, [], training, **options)


def _train_layers(solution: Solution, topology: Sequence[int], training: Dataset, **options: Any) -> Trained:
    """Train a network; if it has hidden layers and is not right before it is trained, one of ours, if that can be."""
    if len(topology) and not _builds_sigmoids(solution, topology, training):
        right = _with_right_networks(solution)
        with suppress(StudentError):
            return Trained(right, right.train_class_ann([*topology], training, **options))
    return Trained(solution, solution.train_class_ann([*topology], training, **options))


def _train_alike(
    solution: Solution, topology: list[int], training: Dataset, *given: dict[str, Any], unlike: str = "form.unseen"
) -> list[Trained]:
    """Train the same networks with other options: tamed ones, if they begin with weights of another generator."""
    for asked in solution, Tamed(solution):
        seed, found = asked.seed, []
        for options in given:
            asked.seed = seed  # the same initial weights
            found.append(_train_layers(asked, topology, training, **options))
        shortest = min(len(each.training) for each in found)
        if all(close(each.training[:shortest], found[0].training[:shortest], LOSS_TOLERANCE) for each in found):
            return found
    expected, obtained = (each.training for each in (found[-1], found[0]))
    raise CheckFailed({"helper": "build_class_ann", "expected": expected, "obtained": obtained}, unlike)


def _with_right_networks(solution: Solution) -> Solution:
    """Return a solution that trains networks of ours."""
    return Helped(solution, {"build_class_ann": BUILD})


def _first_steps(solution: Solution, topology: list[int], dataset: Dataset, **given: Any) -> Iterator[list[Any]]:
    """Yield the facts of networks before and after an epoch: of its own, of tamed ones, and of ours, if that can be.

    What a file trains is no reason not to look how it does so.
    """
    ways: tuple[Callable[[Solution], Solution], ...] = (lambda own: own, Tamed, _with_right_networks)
    for way in ways:
        try:
            found = _before_and_after(way(solution), topology, dataset, **given)
        except StudentError:
            if way is not _with_right_networks:
                raise
            return  # it may need something that only its own networks have
        yield [as_network(solution, each, dataset[0].shape[1]) for each in found]


CLUSTERS: Dataset = (
    np.array([[2.0, -1.0], [1.5, -2.0], [1.0, -1.5], [-1.0, 2.0], [-2.0, 1.0], [-1.5, 1.5]]),
    np.array([[True], [True], [True], [False], [False], [False]]),
)
THREE_CLUSTERS: Dataset = (
    np.array([[2.0, 0.0], [1.5, 0.5], [-1.5, 1.5], [-1.0, 2.0], [-1.0, -2.0], [-1.5, -1.5]]),
    np.array([[True, False, False]] * 2 + [[False, True, False]] * 2 + [[False, False, True]] * 2),
)


@st.composite
def several_layers(draw: st.DrawFn) -> Case:
    """Draw (topology, training set): with hidden layers, of two classes or more."""
    topology = draw(st.lists(st.integers(2, 6), min_size=1, max_size=4))
    N, L, C = draw(st.integers(7, 70)), draw(st.integers(1, 5)), draw(st.sampled_from([2, 3, 4]))
    numbers = np.arange(N)
    inputs = np.sin(numbers[:, np.newaxis] * (1.0 + np.arange(L)) + draw(st.integers(0, 9)))
    classes = np.arange(1 if C == 2 else C)
    return topology, (inputs, (numbers * 7 // 3 % C)[:, np.newaxis] == classes)


@st.composite
def noisy_sets(draw: st.DrawFn) -> Sets:
    """Draw (topology, training set, validation set): what is learnt of the one is soon of no use for the other."""
    topology, (inputs, targets) = draw(several_layers())
    shift, N = draw(st.integers(1, 9)), draw(st.integers(5, len(inputs)))
    targets = targets[:, 0] if targets.shape[1] == 1 and draw(st.booleans()) else targets  # a vector is one column
    return topology[:2], (inputs, targets), (inputs[:N] + shift / 100, np.roll(targets, shift, axis=0)[:N])


# -- what is returned -----------------------------------------------------------------------------------------------


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
        _require_equal_lengths(_train(solution, training, **sets, **options))


def _require_equal_lengths(trained: Trained) -> None:
    epochs = len(trained.training)
    for name, losses in (("validation", trained.validation), ("test", trained.test)):
        require(len(losses) == epochs, message="form.losses_length", set=name, obtained=len(losses), expected=epochs)


@check("train_class_ann.absent_sets")
def absent_sets_have_no_losses(solution: Solution) -> None:
    """Sin conjunto de validación o de test, sus vectores de loss no tienen valores."""
    for given in (), ("validation",), ("test",):
        trained = _train(solution, CLUSTERS, maxEpochs=3, **{f"{name}Dataset": CLUSTERS for name in given})
        lengths = {"validation": len(trained.validation), "test": len(trained.test)}
        require(not any(lengths[name] for name in lengths.keys() - {*given}), obtained=tuple(lengths.values()))


@check("train_class_ann.epoch0")
def the_losses_begin_with_the_untrained_network(solution: Solution) -> None:
    """El primer loss de cada vector es el de la red sin entrenar (ciclo 0): hay un valor más que ciclos."""
    untrained = _train(solution, CLUSTERS, testDataset=CLUSTERS, maxEpochs=0)
    expected = [untrained.loss(CLUSTERS)]
    for name, losses in (("training", untrained.training), ("test", untrained.test)):
        require(len(losses) <= 1, message="form.losses_length", set=name, obtained=len(losses), expected=1)
        require(close(losses, expected, LOSS_TOLERANCE), set=name, expected=expected, obtained=losses)
    trained = _train(solution, CLUSTERS, validationDataset=CLUSTERS, testDataset=CLUSTERS, maxEpochs=2)
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
    trained = _train_layers(solution, topology, training, maxEpochs=3, learningRate=0.3)
    length = len(trained.training)
    require(length > 1, message="form.losses_length", set="training", obtained=length, expected=4)
    _require_loss_of_the_network(trained, training, trained.training)
    return trained.training


def _require_true_loss(trained: Trained, training: Dataset) -> None:
    """Require in another check that the last training loss is that of the returned network."""
    try:
        _require_loss_of_the_network(trained, training, trained.training)
    except CheckFailed as failure:
        message = failure.message or f"train_class_ann.losses.{_classes(training)}_classes"
        raise CheckFailed(failure.facts, message) from None


def _classes(dataset: Dataset) -> str:
    return "several" if dataset[1].ndim > 1 and dataset[1].shape[1] > 1 else "two"


def _require_loss_of_the_network(trained: Trained, dataset: Dataset, losses: Losses) -> None:
    """Require that the last loss is that of the returned network, or tell which of the two seems to be wrong."""
    expected, obtained = trained.loss(dataset), losses[-1]
    if close(obtained, expected, LOSS_TOLERANCE):
        return
    sure = trained.loss(dataset, least=SURE)
    if sure < obtained < np.inf and not close(sure, expected, LOSS_TOLERANCE):
        return  # the network is so sure of what is wrong that its loss has no exact value
    message = None
    if any(close(loss, expected, LOSS_TOLERANCE) for loss in losses[:-1]):
        message = "form.earlier_network"
    elif close(obtained, trained.loss(dataset, twice=True), LOSS_TOLERANCE):
        message = f"train_class_ann.losses.{_classes(dataset)}_classes.twice"
    raise CheckFailed({"expected": expected, "obtained": obtained}, message)


@check("train_class_ann.losses.test")
@for_all(1, noisy=noisy_sets(), epochs=st.integers(14, 26), before=st.integers(3, 8))
def the_test_losses_are_those_of_the_test_set(solution: Solution, noisy: Sets, epochs: int, before: int) -> None:
    """Los loss de test son los del conjunto de test, en los mismos ciclos."""
    test = CLUSTERS[0] * 0.5 + 0.25, CLUSTERS[1][::-1]
    for topology in [], [4, 2]:
        trained = _train_layers(solution, topology, CLUSTERS, testDataset=test, maxEpochs=3, learningRate=0.3)
        require(len(trained.test), message="form.losses_length", set="test", obtained=0, expected=len(trained.training))
        _require_loss_of_the_network(trained, test, trained.test)
    _require_losses_of_training(solution, "test")
    # Those of the network in training, which still fall, not of the best one so far.
    options = {"maxEpochs": 4, "learningRate": 0.3}
    trained = _train(solution, POSITIVE, validationDataset=NEGATIVE, testDataset=POSITIVE, **options)
    last, falls = (_last(trained.training), _last(trained.test)), bool((np.diff(trained.test)[-1:] < 0).any())
    right = falls or close(*last, LOSS_TOLERANCE)
    require(right, message="train_class_ann.losses.test.best", expected=trained.training, obtained=trained.test)
    _require_losses_of_epoch(solution, "test", noisy, epochs, before)


@check("train_class_ann.losses.validation")
@for_all(1, noisy=noisy_sets(), epochs=st.integers(14, 26), before=st.integers(3, 8))
def the_validation_losses_are_those_of_the_validation_set(
    solution: Solution, noisy: Sets, epochs: int, before: int
) -> None:
    """Los loss de validación son los del conjunto de validación, en los mismos ciclos."""
    trained = _train(solution, POSITIVE, validationDataset=MIXED, maxEpochs=5, learningRate=0.1)
    # Loss of a bias b on MIXED, for the biases that the training losses tell.
    b = _biases(trained.training)
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
        trained, ended = _train_alike(solution, topology, training, given, part, unlike=unlike)
        noted, length = trained.validation if name == "validation" else trained.test, len(trained.training)
        wrong = {"set": name, "obtained": len(noted), "expected": length}
        require(len(noted) == length >= len(ended.training), message="form.losses_length", **wrong)
        _require_loss_of_the_network(ended, other, noted[: len(ended.training)])


def _require_losses_of_training(solution: Solution, name: str) -> None:
    """With several classes, a set of the same patterns has the losses of the training set."""
    inputs, targets = map(np.copy, THREE_CLUSTERS)
    given = {f"{name}Dataset": (inputs, targets)}
    trained = _train(solution, THREE_CLUSTERS, maxEpochs=3, learningRate=0.3, **given)
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
                others += not _has_sigmoids(facts) and _builds_sigmoids(solution, topology, columns)
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
        equal = _are_equal(*(as_network(solution, network, 2) for network in (first, second)))
        outputs = solution.predict(first, CLUSTERS[0])
    except (CheckFailed, StudentError):
        return  # what does not train is for other checks
    require(not equal, obtained=outputs[0])


def _are_equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return _are_close(one["values"], other["values"])


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


# -- the training -----------------------------------------------------------------------------------------------------


@check("train_class_ann.max_epochs")
def training_ends_after_max_epochs(solution: Solution) -> None:
    """El entrenamiento termina al llegar a maxEpochs ciclos, si no ha terminado antes."""
    begins = 0  # 1 with the loss of epoch 0, or 0 without it
    with suppress(CheckFailed, StudentError):
        begins = len(_train(solution, CLUSTERS, maxEpochs=0).training)
    for training, epochs in ((CLUSTERS, 6), (MIXED, 210)):  # of which the second has no loss of 0
        losses = _train(solution, training, maxEpochs=epochs, learningRate=0.002 if epochs > 100 else 0.01).training
        obtained = len(losses)
        right = obtained == epochs + 1 or (begins != 1 and obtained == epochs)
        require(right, expected=epochs + 1, obtained=obtained)
    still = float(np.ptp(losses[-60:])) == 0 < float(np.ptp(losses)) and losses[-1] > LOWEST + SMALL
    require(not still, expected=epochs, obtained=int(np.flatnonzero(losses == losses[-1])[0]))


@check("train_class_ann.learns")
def training_reaches_the_lowest_loss(solution: Solution) -> None:
    """En cada ciclo la red se entrena con todos los patrones, de modo que el loss baja hasta su mínimo."""
    obtained = _reached(solution, MIXED, MIXED_RATES, LOWEST + 0.03)
    require(obtained < LOWEST + 0.03, expected=LOWEST, obtained=obtained)
    # One hidden neuron and an attribute for each pattern, in no order: weights that stay as they were drawn leave the
    # classes apart once in 6000 times. Slow optimisers get more epochs, and longer or shorter steps.
    reached: list[float] = []
    for rate, epochs in BOTTLENECK_RATES:
        trained = _train_layers(solution, [1], BOTTLENECK, maxEpochs=epochs, learningRate=rate)
        reached.append(trained.loss(BOTTLENECK))
        if reached[-1] < 0.3:
            return
    raise CheckFailed({"expected": 0.0, "obtained": min(reached)})


BOTTLENECK: Dataset = np.eye(16) * 2, np.arange(16)[:, np.newaxis] % 2 == 0


def _reached(solution: Solution, training: Dataset, rates: Sequence[tuple[float, int]], limit: float) -> float:
    """Return the loss to which a training comes at the first of some rates, with epochs, at which it is below a limit.

    Gradients that pile up swing past the minimum and back: the highest loss of the last third counts. Another rate is
    for optimisers so slow that the loss has only fallen until then.
    """
    seed, obtained, losses = solution.seed, float("nan"), np.zeros(0)
    for rate, epochs in rates:
        if rate != rates[0][0] and not _falls(losses):
            break
        solution.seed = seed  # the same initial weights
        losses = _train(solution, training, maxEpochs=epochs, learningRate=rate).training
        obtained = float(losses[epochs * 2 // 3 :].max(initial=_last(losses)))  # or it ended before, at a loss of 0
        if obtained < limit:
            break
    return obtained


MIXED_RATES = ((0.2, 60), (0.2, 100), (20.0, 100))  # and epochs
BOTTLENECK_RATES = ((0.3, 30), (0.1, 120), (10.0, 120), (1.0, 120), (0.02, 120))


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
        steps = _first_steps(solution, topology, dataset, **sets)
        step = next((each for each in steps if _is_right(each[0], topology)), [])
        if not step or (sets and _are_equal(*step)):
            continue  # which network is built, and which is returned, is for other checks
        (old, *_), (new, *_) = map(weights_and_biases, step)
        moved = (old[0] != new[0]).any(axis=0) if old[0].shape == new[0].shape else np.ones(N)
        require(moved.all(), layer=1, layers=len(topology) + 1, obtained=int(100 * moved.mean()))


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
    given = (dataset[0], dataset[1][:, 0]) if vector else dataset
    step, gradients = _first_step_that_tells(solution, topology, dataset, hidden, given, **options or {})
    if not gradients:
        if abs(dataset[0]).max() > SMALLEST:  # weights may be so large that no output is in doubt
            smaller = dataset[0] / 20, dataset[1]
            _require_downhill(solution, topology, smaller, least, hidden, vector=vector, options=options)
        elif topology and not options:
            _require_all_or_none(solution, topology)
        return
    built, trained = step
    before, after = map(weights_and_biases, step)
    sizes = [[each.shape[::-1] for each, _ in layers] for layers in (before, after)]
    require(sizes[0] == sizes[1], message="train_class_ann.network", expected=sizes[0], obtained=sizes[1])
    if "validationDataset" in (options or {}) and _are_equal(built, trained):
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
    given: Dataset | None = None,
    **options: Any,
) -> tuple[list[dict[str, Any]], Layers]:
    """Return a network before and after an epoch, with its gradients before; nothing where nothing can be told."""
    for step in _first_steps(solution, topology, given or dataset, **options):
        if gradients := _gradients_that_tell(step[0], topology, dataset, hidden):
            return step, gradients
    return [], []


def _gradients_that_tell(built: dict[str, Any], topology: list[int], dataset: Dataset, hidden: str) -> Layers:
    """Return the gradients of a network; none if it is not right, or where rounding, or an epsilon, decides."""
    layers, (inputs, targets) = weights_and_biases(built), dataset
    gradients = _gradients(layers, inputs, targets, hidden) if _is_right(built, topology, hidden) else []
    if any(sum(abs(slope).sum() for slope in gradient) < FLAT for gradient in gradients):
        return []  # the outputs do not depend on a layer
    sure = gradients and (1 - abs(_values(layers, inputs, hidden)[-1] - targets)).min() < 1e-5
    return [] if sure else gradients


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
        right = _is_right(before, [])
        # Who keeps the logarithm from 0 in another way may have no gradient near 0 and 1.
        p = _values(weights_and_biases(before), inputs)[-1] if right else np.full(targets.shape, 0.5)
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


SMALLEST = 0.5  # inputs that are not made smaller
ZEROS, LARGE = 4, 40.0  # attributes that are always 0, and the value of the others
PENALTY = 2e-4  # the part of a weight that a step may take: AdamW, as it comes, takes half of that


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


def _before_and_after(solution: Solution, topology: list[int], dataset: Dataset, **given: Any) -> tuple[Handle, Handle]:
    """Return a network before, and after one epoch; where that cannot be seen, nobody knows what trains it.

    Before, it is as the same call returns it that trains none, or, if that is of no use, as it was built.
    """
    L, seed = dataset[0].shape[1], solution.seed

    def ran(epochs: int) -> tuple[Handle, list[Handle]]:
        solution.seed = seed  # the same initial weights
        options = {"learningRate": 0.01, **given, "maxEpochs": epochs}
        doubles = {"build_class_ann": {"through": True, "copies": True}} if solution.has("build_class_ann") else {}
        transcript = solution.scripted("train_class_ann", doubles, topology, dataset, **options)
        network = as_trained(succeeded(transcript.answer).value)[0]
        return network, [call.result for call in transcript.calls if isinstance(call.result, Handle)]

    def values(networks: list[Handle]) -> list[list[NDArray[Any]]]:
        return [as_network(solution, each, L)["values"] for each in networks]

    trained, built = ran(1)
    with suppress(CheckFailed, StudentError):  # who cannot train for no epoch at all has another check
        first, others = ran(0)
        if not any(_are_close(*values([first, each])) for each in others):  # weights are drawn once it is built
            some, again = (built, others) if built else ([first], [ran(0)[0]])
            repeats = len(some) == len(again) and all(map(_are_close, values(some), values(again)))
            if repeats and not _are_close(*values([first, trained])):
                return first, trained
    if not built:
        raise CheckFailed({"helper": "build_class_ann"}, "form.unseen")
    if len(built) == 1:
        return built[0], trained
    (last,), copies = values([trained]), values(built)  # one of which may keep the best network, and is not trained
    return built[int(np.argmin([_distance(each, last) for each in copies]))], trained


def _are_close(some: list[NDArray[Any]], others: list[NDArray[Any]]) -> bool:
    """Tell whether two networks have the same parameters."""
    return len(some) == len(others) and all(map(close, some, others))


def _distance(some: list[NDArray[Any]], others: list[NDArray[Any]]) -> float:
    """Return the largest difference between the parameters of two networks."""
    if [values.shape for values in some] != [values.shape for values in others]:
        return np.inf
    return max((float(abs(one - other).max(initial=0)) for one, other in zip(some, others, strict=True)), default=0.0)


def _builds_sigmoids(solution: Solution, topology: Sequence[int], dataset: Dataset) -> bool:
    """Tell whether the networks that are trained are right before; those of a wrong `build_class_ann` are not."""
    if not solution.has("build_class_ann"):
        return True
    L, outputs = dataset[0].shape[1], dataset[1].shape[-1] if dataset[1].ndim > 1 else 1
    try:
        facts = as_network(solution, solution.build_class_ann(L, [*topology], outputs), L)
    except (CheckFailed, StudentError):
        return False
    return _is_right(facts, topology)


def _is_right(facts: dict[str, Any], topology: Sequence[int], hidden: str = "sigmoid") -> bool:
    """Tell whether a network has the layers of a topology, with these functions and outputs in columns."""
    return not facts["vector"] and len(weights_and_biases(facts)) == len(topology) + 1 and _has_sigmoids(facts, hidden)


def _has_sigmoids(facts: dict[str, Any], hidden: str = "sigmoid") -> bool:
    """Tell whether the outputs of a network are those of its layers, with sigmoids and at most a softmax between."""
    values = _values(weights_and_biases(facts), facts["inputs"], hidden)
    return bool(values) and close(values[-1], facts["outputs"], 1e-3)


Layers = list[tuple[NDArray[Any], NDArray[Any]]]


def _values(layers: Layers, inputs: NDArray[np.float64], hidden: str = "sigmoid") -> list[NDArray[np.float64]]:
    """Return the inputs and what each layer of a network with sigmoids makes of them; nothing if they do not fit."""
    values = [inputs]
    try:
        for weight, bias in layers:
            sums = values[-1] @ weight.T + bias
            values.append(FUNCTIONS[hidden](sums))
    except ValueError:
        return []
    if layers:
        values[-1] = FUNCTIONS["softmax" if sums.shape[1] > 1 else "sigmoid"](sums)
    return values


def _gradients(
    layers: Layers, inputs: NDArray[np.float64], targets: NDArray[np.bool_], hidden: str = "sigmoid"
) -> Layers:
    """Return the gradient of the cross-entropy of a network with sigmoids; nothing if the layers do not fit."""
    values, gradients = _values(layers, inputs, hidden), []
    if not values or values[-1].shape != targets.shape:
        return []
    slope = (values[-1] - targets) / len(inputs)
    for (weight, _), given in zip(reversed(layers), reversed(values[:-1]), strict=True):
        gradients.append((slope.T @ given, slope.sum(axis=0)))
        slope = slope @ weight * (given * (1 - given) if hidden == "sigmoid" else given > 0)
    return gradients[::-1]


def _last(losses: Losses) -> float:
    """Return the last loss; NaN, which is below no limit, where there is none."""
    return float(losses[-1]) if len(losses) else float("nan")


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
    both = _train_alike(solution, [3], POSITIVE, *({"maxEpochs": each, "learningRate": rate} for each in (4, 5)))
    before, after = (weights_and_biases(as_network(solution, each.ann, 2)) for each in both)
    steps = [abs(new - old) for new, old in zip(after[-1], before[-1], strict=True)] if before and after else []
    again = bool(steps) and all(np.allclose(step, rate, rtol=0.01) for step in steps)
    require(not again, message="train_class_ann.every_epoch.optimiser", obtained=rate)


def _require_step(solution: Solution, topology: list[int], training: Dataset, epochs: int) -> None:
    """Require that the steps after so many epochs change each layer that has a gradient.

    Three of them: Rprop waits for an epoch where a slope has turned.
    """
    ends = ({"maxEpochs": each, "learningRate": 0.02} for each in (epochs, epochs + 3))
    first, second = _train_alike(solution, topology, training, *ends)
    _require_true_loss(first, training)
    L = training[0].shape[1]
    before, after = (weights_and_biases(as_network(solution, each.ann, L)) for each in (first, second))
    gradients = _gradients(before, training[0], np.reshape(training[1], (len(training[1]), -1)))
    if len(gradients) != len(before) or [weight.shape for weight, _ in before] != [weight.shape for weight, _ in after]:
        return
    for layer, (old, new, gradient) in enumerate(zip(before, after, gradients, strict=True)):
        steps = [one - other for one, other in zip(new, old, strict=True)]
        slopes = [abs(slope).sum() for slope in gradient]
        moved = all(step.any() for step, slope in zip(steps, slopes, strict=True) if slope >= STEEP)
        require(moved, layer=layer + 1, layers=len(before), epoch=epochs + 1)


STEEP = 1e-3  # a gradient that single precision shows


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
    steps = np.diff(_biases(_train(solution, POSITIVE, maxEpochs=8, learningRate=0.5, **sets).training))
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
        losses = _train(solution, training, validationDataset=validation, **options).training
        if losses[:1].max(initial=0) >= TELLING:
            break
    longer = len(losses) >= STEADY or (losses[1:] >= losses[:-1]).any() or _last(losses) <= 0
    require(longer, message="train_class_ann.max_epochs", expected=STEADY + 1, obtained=len(losses))
    steps = np.diff(_biases(losses)) / rate
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


STEADY, SHORT = 110, 0.05  # epochs; and a part of the rate that single precision hardly shows
TELLING = 0.35  # a loss large enough to show such steps


@check("train_class_ann.learning_rate")
@for_all(1, times=st.integers(50, 90), case=several_layers())
def a_larger_learning_rate_takes_longer_steps(solution: Solution, times: int, case: Case) -> None:
    """La tasa de aprendizaje es la indicada en learningRate, con salidas deseadas en matriz y en vector."""
    lengths: list[NDArray[np.float64]] = []
    many = blank(*[True] * 600)  # more than a batch
    for dataset in (blank(True, True, True), blank(True, True, True, column=False), many):
        rate = 0.05 if dataset is many else 0.01
        losses, steps = _steps(solution, dataset, rate, 3)
        # Steps that hardly change, as Adam's, are as long as the rate; two in an epoch are twice as long. Vectors take
        # as many as columns, and many patterns as few: they are as long, or as long for their gradient.
        alike = len(steps) > 1 and float(np.ptp(steps)) < ALIKE * abs(steps).max()
        lengths.append(np.array([steps[0], steps[0] / (1 - np.exp(-losses[0]))]))
        one = (lengths[-1] / lengths[0]).min() < 1.6 and not (alike and steps[0] > 1.5)
        require(one, message="form.step", obtained=np.round(steps, 3))
        if dataset is not many:
            ratio = float(_steps(solution, dataset, rate * times, 2)[1][0] / steps[0] * times)
            require(0.3 < ratio / times < 3.3, expected=times, obtained=ratio)
    _require_longer_step(solution, *case, times)
    _require_equal_steps(solution, *case)
    # Where the gradient has changed and the step has not, the rate alone decides: nobody takes a part of it.
    part = float(np.ptp(steps)) < 0.005 * abs(steps).max() and steps[0] < 0.75 and losses[0] > 0.25
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
        if _distance(first, again) == 0:
            break
    ratio = _distance(again, longer) / (_distance(first, shorter) or np.nan)
    require(0.3 < ratio / times < 3.3, expected=times, obtained=ratio)


def _require_equal_steps(solution: Solution, topology: list[int], training: Dataset) -> None:
    """Require that the first step is as long with hidden layers as without, if it does not depend on the gradient."""
    rate, found = 0.02, []
    for layers in [], topology:
        step, gradients = _first_step_that_tells(solution, layers, training, learningRate=rate)
        if not gradients or sizes_of(step[0]) != sizes_of(step[1]):
            return  # other checks say why
        old, new, slopes = (
            np.concatenate([each.ravel() for pair in part for each in pair])
            for part in (*map(weights_and_biases, step), gradients)
        )
        found.append(abs(new - old)[abs(slopes) > STEEP])
    plain, hidden = found
    if len(plain) > 1 and len(hidden) and np.ptp(plain) < ALIKE * plain.max():
        ratio = float(np.median(hidden) / np.median(plain))
        require(abs(ratio - 1) < 0.2, message="train_class_ann.learning_rate.hidden", obtained=ratio)


ALIKE = 0.06  # steps that differ by no larger a part of the longest


def _steps(solution: Solution, dataset: Dataset, rate: float, epochs: int) -> tuple[Losses, Losses]:
    """Return the losses of a training on positive targets, and the steps of its bias, in rates, from the first on."""
    losses = _train(solution, dataset, maxEpochs=epochs, learningRate=rate).training
    length = len(losses)
    require(length > 1, message="form.losses_length", set="training", obtained=length, expected=epochs + 1)
    steps = np.diff(_biases(losses)) / rate
    steps = steps[np.argmax(steps != 0) :]  # losses may be late
    moves = np.isfinite(steps[0]) and steps[0] != 0
    require(moves, message="train_class_ann.learning_rate.still", obtained=losses)
    return losses, steps


@st.composite
def places(draw: st.DrawFn) -> tuple[float, int]:
    """Draw where the patterns of a set are, and how often each comes, which changes nothing in its loss."""
    return draw(st.integers(0, 8)) / 16, draw(st.integers(1, 12))


def _at(place: tuple[float, int], *sets: Dataset) -> list[Dataset]:
    value, times = place
    return [(np.tile(inputs, (times, 1)) + value, np.tile(targets, (times, 1))) for inputs, targets in sets]


LIMITS = st.integers(10, 16).map(lambda hundredths: hundredths / 100)
PATIENCE = st.integers(5, 9)
RATES = st.integers(30, 50).map(lambda hundredths: hundredths / 100)


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
    losses, limit = _train(solution, POSITIVE, maxEpochs=2, minLoss=100.0).training, 100.0
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
    losses = _train(solution, MIXED, validationDataset=POSITIVE, testDataset=POSITIVE, **options).training
    require(len(losses) >= 20, expected=0.5, obtained=losses[-2:], epochs=len(losses) - 1)


def _require_end(solution: Solution, topology: list[int], training: Dataset, **options: Any) -> None:
    """Require that a training ends at a loss where the same one, which has another limit, came to it."""
    for limit in _train_layers(solution, topology, training, **options).training[4:5].tolist():
        free, limited = _train_alike(solution, topology, training, options, {**options, "minLoss": limit})
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
    trained = _train_layers(solution, topology, training, **options)
    losses = trained.training
    low = np.flatnonzero(losses <= limit)
    ends = len(low) > 0 and low[0] == len(losses) - 1
    never = len(low) == 0 and (len(losses) >= options["maxEpochs"] or "validationDataset" in options)
    require(ends or never, expected=limit, obtained=losses[-2:], epochs=len(losses) - 1)
    if len(losses) and "validationDataset" not in options:
        _require_true_loss(trained, training)


# -- early stopping ---------------------------------------------------------------------------------------------------


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
    other_end = last + 1 >= maxEpochs or _last(trained.training) <= 0  # as minLoss is, for who takes very long steps
    if last in ends or (None in ends and other_end):
        return
    facts: dict[str, Any] = {"obtained": last, "patience": patience}
    message = f"train_class_ann.early_stopping.{rule}"
    for end in ends:
        if end is not None:  # and training went on
            raise CheckFailed({**facts, "best": int(validation[: end + 1].argmin()), "expected": end}, message)
    best = int(validation.argmin())
    raise CheckFailed({**facts, "best": best, "waited": last - best}, f"{message}.early")


@check("train_class_ann.early_stopping.patience")
@for_all(1, shortest=st.integers(3, 7), place=places(), noisy=noisy_sets())
def training_ends_after_max_epochs_val_without_improvement(
    solution: Solution, shortest: int, place: tuple[float, int], noisy: Sets
) -> None:
    """El entrenamiento termina tras maxEpochsVal ciclos seguidos sin que mejore el loss de validación."""
    for patience, opposites in zip((shortest, shortest + 4, shortest // 3), (*OPPOSITES, OPPOSITES[0]), strict=True):
        training, validation = _at(place, *opposites)
        options = {"maxEpochs": 60, "maxEpochsVal": patience, "learningRate": 0.1}
        trained = _train(solution, training, validationDataset=validation, **options)
        _require_stopped(trained, patience, 60, "patience")
    options = {"maxEpochs": 60, "maxEpochsVal": shortest, "learningRate": 0.1}
    positive, negative = _at(place, *OPPOSITES[0])
    for topology, training, validation in ([3, 2][: 1 + shortest % 2], positive, negative), noisy:
        trained = _train_layers(solution, topology, training, validationDataset=validation, **options)
        _require_stopped(trained, shortest, 60, "patience")
    options = {"maxEpochs": 1000, "maxEpochsVal": 20}  # as where nobody says anything
    _require_stopped(_train(solution, POSITIVE, validationDataset=NEGATIVE, **options), 20, 1000, "patience")


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
        _require_stopped(_train(solution, mixed, validationDataset=validation, **options), patience, 40, "reset")
    # However large the losses are.
    options = {"maxEpochs": 12, "maxEpochsVal": 4, "learningRate": 0.05}
    _require_stopped(_train(solution, OF_EIGHT, validationDataset=OF_EIGHT, **options), 4, 12, "reset")
    # However small: each step lowers the loss by less than a millionth, a few units of single precision.
    options = {"maxEpochs": 12, "maxEpochsVal": 2, "learningRate": 6e-7}
    _require_stopped(_train(solution, POSITIVE, validationDataset=POSITIVE, **options), 2, 12, "reset")


@check("train_class_ann.early_stopping.strict")
def an_equal_loss_is_no_improvement(solution: Solution) -> None:
    """Un loss de validación igual al mejor no es una mejora."""
    # A step of 1e-30 changes no output: the validation loss is the same in all epochs.
    options = {"maxEpochs": 40, "maxEpochsVal": 4, "learningRate": 1e-30}
    trained = _train(solution, POSITIVE, validationDataset=NEGATIVE, **options)
    _require_stopped(trained, 4, 40, "strict" if len(set(trained.validation)) == 1 else "patience")


@check("train_class_ann.early_stopping.not_without_validation")
def without_validation_there_is_no_early_stopping(solution: Solution) -> None:
    """Sin conjunto de validación no hay parada temprana: maxEpochsVal no se usa."""
    obtained = len(_train(solution, MIXED, maxEpochs=12, maxEpochsVal=2, learningRate=2.0).training)
    # Epoch 0 has a check of its own: here it may be missing.
    require(obtained in (12, 13), set="training", expected=13, obtained=obtained)


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


def _require_best(solution: Solution, topology: list[int], sets: Sequence[Dataset], **options: Any) -> None:
    training, validation = sets
    trained = _train_layers(solution, topology, training, validationDataset=validation, **options)
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


@check("train_class_ann.best.never_better")
@for_all(1, patience=PATIENCE, rate=RATES, place=places())
def a_validation_that_never_improves_returns_the_first_network(
    solution: Solution, patience: int, rate: float, place: tuple[float, int]
) -> None:
    """Si el loss de validación no mejora nunca, la red que se devuelve no es la última sino la del principio."""
    options = {"maxEpochs": 30, "maxEpochsVal": patience, "learningRate": rate}
    for opposites in OPPOSITES:
        training, validation = _at(place, *opposites)
        trained = _train(solution, training, validationDataset=validation, **options)
        lengths = {"expected": len(trained.training), "obtained": len(trained.validation)}
        require(lengths["obtained"], message="form.losses_length", set="validation", **lengths)
        lowest = [trained.validation[first:].min() for first in range(min(2, lengths["obtained"]))]
        _require_one_of(trained, validation, lowest)


@check("train_class_ann.last")
def without_validation_the_last_network_is_returned(solution: Solution) -> None:
    """Sin conjunto de validación se devuelve la última red, ya entrenada."""
    trained = _train(solution, POSITIVE, maxEpochs=10, learningRate=0.5)
    losses = trained.training
    require(len(losses), message="form.losses_length", set="training", obtained=0, expected=11)
    obtained = trained.loss(POSITIVE)
    facts = {"expected": losses[-1], "obtained": obtained, "first": losses[0], "last": losses[-1]}
    require(close(obtained, losses[-1], LOSS_TOLERANCE), message=_unknown(obtained, losses), **facts)
    # Not the one with the lowest loss: long steps go beyond it. Where they are too long, the loss has no exact value.
    for rate in (2.0, 0.2):
        trained = _train(solution, MIXED, maxEpochs=3, learningRate=rate)
        losses, obtained = trained.training, trained.loss(MIXED)
        if losses.max(initial=0) < SATURATED:
            break
    last = _last(losses)
    require(close(obtained, last, LOSS_TOLERANCE), expected=last, obtained=obtained, first=losses[:1])


# -- what must not influence ------------------------------------------------------------------------------------------


@check("train_class_ann.test_has_no_influence")
def the_test_set_is_only_watched(solution: Solution) -> None:
    """El conjunto de test no influye: ni se entrena con él, ni decide cuándo parar ni qué red se devuelve."""
    options: dict[str, Any] = {"maxEpochs": 15, "maxEpochsVal": 3, "learningRate": 0.2}
    sets = {"validationDataset": POSITIVE, "testDataset": blank(*[False] * 12)}
    for topology in [], [3, 2]:
        trained = _train_layers(solution, topology, POSITIVE, **options, **sets)
        losses = trained.training
        goes_on = len(losses) in (15, 16) or _last(losses) < SMALL
        right = goes_on and _falls(losses) and close(trained.loss(POSITIVE), losses[-1], LOSS_TOLERANCE)
        require(right, obtained=losses, expected=16)
    # Nor where the test improves and the validation does not: the same end, and the same of the first and last network.
    ends = []
    for given in {}, {"testDataset": POSITIVE}:
        trained = _train(solution, POSITIVE, validationDataset=NEGATIVE, **options, **given)
        last = close(trained.loss(NEGATIVE), _last(trained.validation), LOSS_TOLERANCE)
        ends.append((len(trained.training), last))
    message = "train_class_ann.test_has_no_influence.best"
    require(ends[0] == ends[1], message=message, obtained=ends[1][0], expected=ends[0][0])


def _falls(losses: Losses) -> bool:
    """Tell whether the loss falls in each epoch, until it is small."""
    return bool(((np.diff(losses) < 0) | (losses[1:] < SMALL)).all())


@check("train_class_ann.validation_is_not_trained")
def the_network_is_not_trained_with_the_validation_set(solution: Solution) -> None:
    """La red no se entrena con los patrones de validación."""
    options: dict[str, Any] = {"maxEpochs": 20, "maxEpochsVal": 22, "learningRate": 0.4}
    options["validationDataset"] = blank(*[False] * 12)
    for topology in [], [4]:
        losses = _train_layers(solution, topology, POSITIVE, **options).training
        require(len(losses) > 1 and _falls(losses), obtained=losses)


# -- targets in a vector ----------------------------------------------------------------------------------------------


@check("train_class_ann.vector.result")
def targets_may_be_vectors(solution: Solution) -> None:
    """Las salidas deseadas pueden ser vectores, en los tres conjuntos: el resultado es el de una sola columna."""
    training = CLUSTERS[0], CLUSTERS[1][:, 0]
    sets = {"validationDataset": training, "testDataset": training}
    trained = _train(solution, training, maxEpochs=3, learningRate=0.01, **sets)
    _require_equal_lengths(trained)
    expected, obtained = trained.loss(CLUSTERS), _last(trained.training)
    require(close(obtained, expected, 0.05), expected=expected, obtained=obtained)
    # Vectors against a column of outputs would make N×N losses, whose mean is lowest without any weights.
    obtained = _reached(solution, training, CLUSTERS_RATES, 0.3)
    require(obtained < 0.3, expected=0.0, obtained=obtained)
    first, obtained = _never_better(solution, column=False)
    right = _is_one_of(obtained, first) or not _is_one_of(*_never_better(solution, column=True)[::-1])
    require(right, message="train_class_ann.vector.result.best", expected=first[:1], obtained=obtained)
    for name in sets:  # each of them without the other
        trained = _train(solution, training, maxEpochs=3, learningRate=0.3, **{name: training})
        expected, noted = trained.loss(CLUSTERS), np.concatenate([trained.validation, trained.test])
        right = any(close(loss, expected, LOSS_TOLERANCE) for loss in noted)
        require(right, message="train_class_ann.vector.result.sets", expected=expected, obtained=noted)


CLUSTERS_RATES = ((0.3, 20), (0.3, 30), (100.0, 20))  # and epochs


def _never_better(solution: Solution, *, column: bool) -> tuple[Losses, float]:
    """Return the first validation losses, which only grow, and that of the returned network."""
    training, validation = blank(True, True, column=column), blank(False, False, column=column)
    options = {"maxEpochs": 4, "maxEpochsVal": 9, "learningRate": 0.1}
    trained = _train(solution, training, validationDataset=validation, **options)
    return trained.validation[:2], trained.loss(validation)


def _is_one_of(loss: float, losses: Losses) -> bool:
    return any(close(loss, each, LOSS_TOLERANCE) for each in losses)


@check("train_class_ann.vector.options")
def the_options_reach_the_training_of_vectors(solution: Solution) -> None:
    """Con salidas deseadas en vectores, las opciones llegan al entrenamiento: maxEpochs, minLoss y maxEpochsVal."""
    positive, negative = blank(*[True] * 4, column=False), blank(*[False] * 4, column=False)
    obtained = len(_train(solution, positive, maxEpochs=6).training)
    require(obtained in (6, 7), option="maxEpochs", expected=7, obtained=obtained)

    losses = _train(solution, positive, maxEpochs=80, learningRate=0.5, minLoss=0.1).training
    reached, ended = np.flatnonzero(losses <= 0.1), len(losses) - 1
    first = int(reached[0]) if len(reached) else ended
    require(first == ended, option="minLoss", expected=first + 1, obtained=ended + 1)

    options = {"maxEpochs": 40, "maxEpochsVal": 3, "learningRate": 0.1}
    obtained = len(_train(solution, positive, validationDataset=negative, **options).training)
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
