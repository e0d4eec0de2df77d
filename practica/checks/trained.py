"""What the checks of `train_class_ann` train networks with, and what they read off what comes back.

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

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.checks.framework import CheckFailed, helped_by, require
from practica.checks.help import Helped, Tamed
from practica.checks.later import st
from practica.checks.layers import is_right
from practica.checks.network import BUILD, FUNCTIONS, as_network
from practica.checks.readings import as_outputs, as_trained, close
from practica.checks.solution import Solution, StudentError

Losses = NDArray[np.float64]
Dataset = tuple[NDArray[np.float64], NDArray[np.bool_]]
Case = tuple[list[int], Dataset]  # a topology and a training set
Sets = tuple[list[int], Dataset, Dataset]  # with a validation set

helped_by("train_class_ann", build_class_ann=BUILD)

LOSS_TOLERANCE = 2e-3  # of losses computed from single-precision probabilities, with or without Flux's epsilon
SAME = 1e-4  # of the losses of the same training, done twice
SMALL = 1e-3  # losses of a training that is over: single precision hardly sees them fall
SURE = 1e-4  # a probability that may as well be 0: its logarithm depends on how it is kept from minus infinity


def blank(*targets: bool, column: bool = True) -> Dataset:
    """Return patterns whose two attributes are 0, with these targets."""
    values = np.array(targets)
    return np.zeros((len(targets), 2)), values.reshape(-1, 1) if column else values


POSITIVE = blank(True, True, True, True)
NEGATIVE = blank(False, False, False, False)
MIXED = blank(*[True] * 6, False, False)  # more patterns than the others have
FIRST, SECOND = ((np.zeros((4, 2)), np.eye(3, dtype=bool)[[number] * 4]) for number in range(2))  # of three classes
MIXED_OF_THREE: Dataset = np.zeros((8, 2)), np.eye(3, dtype=bool)[[0] * 6 + [1] * 2]
# Each: a training set, and what grows worse.
OPPOSITES: tuple[tuple[Dataset, Dataset], ...] = (POSITIVE, NEGATIVE), (FIRST, SECOND)
LOWEST = -(0.75 * np.log(0.75) + 0.25 * np.log(0.25))  # loss of MIXED
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


def cross_entropy(outputs: NDArray[Any], targets: NDArray[np.bool_], least: float = 1e-7) -> float:
    """Return the mean over the patterns of −log of the probability of what is true, which is at least so much."""
    probabilities = np.clip(outputs.astype(np.float64), least, 1 - least)
    if outputs.shape[1] == 1:
        true = np.where(targets.reshape(-1, 1), probabilities, 1 - probabilities)
    else:
        true = (probabilities * targets).sum(axis=1)
    return float(-np.log(true).mean())


def biases_of(losses: Losses) -> Losses:
    """Return the bias after each epoch, out of the losses of positive targets; NaN where there is none."""
    with np.errstate(all="ignore"):  # losses of something else
        biases = -np.log(np.expm1(losses))
    return np.where(np.isfinite(biases), biases, np.nan)


def last_loss(losses: Losses) -> float:
    """Return the last loss; NaN, which is below no limit, where there is none."""
    return float(losses[-1]) if len(losses) else float("nan")


def always_falls(losses: Losses) -> bool:
    """Tell whether the loss falls in each epoch, until it is small."""
    return bool(((np.diff(losses) < 0) | (losses[1:] < SMALL)).all())


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


def train(solution: Solution, training: Dataset, **options: Any) -> Trained:
    """Train a network without hidden layers."""
    return train_layers(solution, [], training, **options)


def train_layers(solution: Solution, topology: Sequence[int], training: Dataset, **options: Any) -> Trained:
    """Train a network; if it has hidden layers and is not right before it is trained, one of ours, if that can be."""
    if len(topology) and not builds_sigmoids(solution, topology, training):
        right = with_right_networks(solution)
        with suppress(StudentError):
            return Trained(right, right.train_class_ann([*topology], training, **options))
    return Trained(solution, solution.train_class_ann([*topology], training, **options))


def train_alike(
    solution: Solution, topology: list[int], training: Dataset, *given: dict[str, Any], unlike: str = "form.unseen"
) -> list[Trained]:
    """Train the same networks with other options: tamed ones, if they begin with weights of another generator."""
    for asked in solution, Tamed(solution):
        seed, found = asked.seed, []
        for options in given:
            asked.seed = seed  # the same initial weights
            found.append(train_layers(asked, topology, training, **options))
        shortest = min(len(each.training) for each in found)
        if all(close(each.training[:shortest], found[0].training[:shortest], SAME) for each in found):
            return found
    expected, obtained = (each.training for each in (found[-1], found[0]))
    raise CheckFailed({"helper": "build_class_ann", "expected": expected, "obtained": obtained}, unlike)


def with_right_networks(solution: Solution) -> Solution:
    """Return a solution that trains networks of ours."""
    return Helped(solution, {"build_class_ann": BUILD})


def builds_sigmoids(solution: Solution, topology: Sequence[int], dataset: Dataset) -> bool:
    """Tell whether the networks that are trained are right before; those of a wrong `build_class_ann` are not."""
    if not solution.has("build_class_ann"):
        return True
    L, outputs = dataset[0].shape[1], dataset[1].shape[-1] if dataset[1].ndim > 1 else 1
    try:
        facts = as_network(solution, solution.build_class_ann(L, [*topology], outputs), L)
    except (CheckFailed, StudentError):
        return False
    return is_right(facts, topology)


def loss_reached(solution: Solution, training: Dataset, rates: Sequence[tuple[float, int]], limit: float) -> float:
    """Return the loss to which a training comes at the first of some rates, with epochs, at which it is below a limit.

    Gradients that pile up swing past the minimum and back: the highest loss of the last third counts. Another rate is
    for optimisers so slow that the loss has only fallen until then.
    """
    seed, obtained, losses = solution.seed, float("nan"), np.zeros(0)
    for rate, epochs in rates:
        if rate != rates[0][0] and not always_falls(losses):
            break
        solution.seed = seed  # the same initial weights
        losses = train(solution, training, maxEpochs=epochs, learningRate=rate).training
        obtained = float(losses[epochs * 2 // 3 :].max(initial=last_loss(losses)))  # or it ended before, at a loss of 0
        if obtained < limit:
            break
    return obtained


def require_true_loss(trained: Trained, training: Dataset) -> None:
    """Require in another check that the last training loss is that of the returned network."""
    try:
        require_loss_of_the_network(trained, training, trained.training)
    except CheckFailed as failure:
        message = failure.message or f"train_class_ann.losses.{_classes(training)}_classes"
        raise CheckFailed(failure.facts, message) from None


def require_loss_of_the_network(trained: Trained, dataset: Dataset, losses: Losses) -> None:
    """Require that the last loss is that of the returned network, or tell which of the two seems to be wrong."""
    require(len(losses), message="form.losses", obtained=losses)
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


def _classes(dataset: Dataset) -> str:
    return "several" if dataset[1].ndim > 1 and dataset[1].shape[1] > 1 else "two"


def require_equal_lengths(trained: Trained) -> None:
    """Require as many losses of each set as of the training set."""
    epochs = len(trained.training)
    for name, losses in (("validation", trained.validation), ("test", trained.test)):
        require(len(losses) == epochs, message="form.losses_length", set=name, obtained=len(losses), expected=epochs)
