"""The loop that trains one network, as a student would write it."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias, TypedDict

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor, nn

from practica.reference.arguments import (
    Singles,
    as_bool_array,
    as_integer,
    as_real,
    as_real_matrix,
    as_single_precision,
    require_equal_lengths,
)
from practica.reference.network import (
    Loss,
    TransferFunction,
    as_transfer_functions,
    build_class_ann,
    loss_of,
)
from practica.reference.partition import column_of_each_row
from practica.reference.randomness import RandomState

__all__ = [
    "CheckedOptions",
    "Patterns",
    "StoppingRule",
    "TrainedANN",
    "TrainingOptions",
    "require_finite_losses",
    "train_class_ann",
    "train_on",
]


Dataset: TypeAlias = "tuple[ArrayLike, ArrayLike]"  # inputs and targets


class TrainingOptions(TypedDict, total=False):
    """The options of `train_class_ann` that the trainers pass on."""

    transferFunctions: Sequence[TransferFunction] | None
    maxEpochs: int
    minLoss: float
    learningRate: float
    maxEpochsVal: int
    weightDecay: float  # an option of the trainers, not of `train_class_ann`


_DEFAULTS: TrainingOptions = {
    "transferFunctions": None,
    "maxEpochs": 1000,
    "minLoss": 0.0,
    "learningRate": 0.01,
    "maxEpochsVal": 20,
    "weightDecay": 0.0,
}


class CheckedOptions(NamedTuple):
    """The options of a training, checked."""

    functions: list[Callable[[Tensor], Tensor]]  # one for each hidden layer
    rule: StoppingRule
    rate: float
    decay: float

    @classmethod
    def of(cls, topology: Sequence[int], options: TrainingOptions) -> CheckedOptions:
        """Check the options of a network with these hidden layers; those not given have the
        defaults of `train_class_ann`, and no weight decay.
        """
        given = _DEFAULTS | options
        rule = StoppingRule(
            maxEpochs=given["maxEpochs"],
            minLoss=given["minLoss"],
            maxEpochsVal=given["maxEpochsVal"],
        )
        return cls(
            as_transfer_functions(given["transferFunctions"], topology),
            rule,
            as_learning_rate(given["learningRate"]),
            as_real(given["weightDecay"], "weightDecay", low=0, high=1e36),
        )


class TrainedANN(NamedTuple):
    """Result of `train_class_ann`.

    The losses are float32 vectors that begin with epoch 0, the untrained network.
    """

    ann: nn.Sequential
    trainingLosses: Singles
    validationLosses: Singles
    testLosses: Singles


class Patterns(NamedTuple):
    """A set of patterns as the network takes them: inputs (N, L) and targets (N, C), both float32.

    The shares (N,) of the patterns in the loss add up to 1; without them it is the plain mean.
    """

    inputs: Tensor
    targets: Tensor
    shares: Tensor | None = None


class _Given(NamedTuple):
    """A set of patterns, and how many dimensions the caller's targets had."""

    patterns: Patterns
    dimensions: int


class StoppingRule:
    """When training ends, and which epoch's network it returns.

    Epochs are counted from 0, the untrained network.

    Training goes on while *all* of these hold, tested before each epoch:

        epochs run < maxEpochs
        training loss > minLoss
        epochs since the lowest validation loss < maxEpochsVal      (only with a validation set)

    With a validation set the network of its strictly lowest loss is returned, otherwise the last
    one.

    Parameters
    ----------
    maxEpochs : int, epochs
    minLoss : float
    maxEpochsVal : int, epochs without improvement

    Examples
    --------
    >>> rule = StoppingRule(maxEpochs=9, minLoss=0.0, maxEpochsVal=2)
    >>> [rule.observe(0.7, validation) for validation in (1.0, 0.9, 0.9, 0.95)]
    [True, True, False, False]
    >>> rule.goes_on(), rule.best_epoch
    (False, 1)
    """

    def __init__(self, *, maxEpochs: int, minLoss: float, maxEpochsVal: int) -> None:
        self.maxEpochs = as_integer(maxEpochs, "maxEpochs", minimum=0)
        self.minLoss = as_real(minLoss, "minLoss")
        self.maxEpochsVal = as_integer(maxEpochsVal, "maxEpochsVal", minimum=0)
        self.epoch = -1
        self.best_epoch = 0
        self._training_loss = math.inf
        self._lowest_validation_loss = math.inf
        self._validates = False

    def observe(self, training_loss: float, validation_loss: float | None) -> bool:
        """Record the losses of the next epoch; return whether the network is the best so far."""
        self.epoch += 1
        self._training_loss = training_loss
        self._validates = validation_loss is not None
        if validation_loss is not None:
            improves = self.epoch == 0 or validation_loss < self._lowest_validation_loss
            if improves:
                self._lowest_validation_loss = validation_loss
        else:
            improves = True
        if improves:
            self.best_epoch = self.epoch
        return improves

    def goes_on(self) -> bool:
        """Return whether another epoch follows."""
        waits = self._validates and self.epoch - self.best_epoch >= self.maxEpochsVal
        return self.epoch < self.maxEpochs and self._training_loss > self.minLoss and not waits


def train_class_ann(
    topology: Sequence[int],
    trainingDataset: Dataset,
    *,
    validationDataset: Dataset | None = None,
    testDataset: Dataset | None = None,
    transferFunctions: Sequence[TransferFunction] | None = None,
    maxEpochs: int = 1000,
    minLoss: float = 0.0,
    learningRate: float = 0.01,
    maxEpochsVal: int = 20,
    random_state: RandomState = None,
) -> TrainedANN:
    """Train a network to classify, with early stopping when there is a validation set.

    Parameters
    ----------
    topology : sequence of int, each >= 1
        Neurons of each hidden layer; it may be empty.
    trainingDataset : (inputs, targets)
        Real matrix, shape (N, L), and bool vector, shape (N,), or bool matrix, shape (N, C) with C
        = 1 or C >= 3.
    validationDataset, testDataset : (inputs, targets), optional
        As `trainingDataset`, with vectors if it has a vector; None or empty inputs for no such set.
        The test set is only watched: nothing depends on it.
    transferFunctions : sequence of functions, one per hidden layer, optional
        By default sigmoids; see `build_class_ann`.
    maxEpochs : int, epochs, >= 0
    minLoss : float
        Training ends once the training loss is not above it.
    learningRate : float, > 0
        Step of Adam.
    maxEpochsVal : int, epochs, >= 0
        Training ends after so many epochs in a row without a validation loss below the lowest one;
        ignored without a validation set.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None
        Decides the initial weights.

    Returns
    -------
    ann : torch.nn.Sequential
        With a validation set the network of the lowest validation loss, epoch 0 included; otherwise
        the last one.
    trainingLosses, validationLosses, testLosses : float32 arrays, shape (epochs + 1,)
        Loss after each epoch, the untrained network's first; empty for a set that was not given.

    Raises
    ------
    ValueError
        If shapes do not fit, a row of one-hot targets has not exactly one True, a value or a loss
        is not finite, or an option is out of its range.

    Notes
    -----
    An epoch is one step of Adam along the gradient of the mean loss over all training patterns; the
    losses are taken after it. The stop criteria are tested before each epoch, see `StoppingRule`.

    References
    ----------
    Exercise 3, `trainClassANN`. L. Prechelt, "Early stopping - but when?", 1998.

    Examples
    --------
    >>> inputs = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    >>> trained = train_class_ann(
    ...     [3], (inputs, [False, False, False, True]), maxEpochs=5, random_state=1
    ... )
    >>> (
    ...     trained.ann(torch.tensor(inputs)).shape,
    ...     trained.trainingLosses.shape,
    ...     trained.testLosses.shape,
    ... )
    (torch.Size([4, 1]), (6,), (0,))
    """
    training = _as_patterns(trainingDataset, "trainingDataset")
    if training is None:
        raise ValueError("trainingDataset has no patterns; training needs at least one")
    validation, test = (
        given and given.patterns
        for given in (
            _as_patterns(validationDataset, "validationDataset", like=training),
            _as_patterns(testDataset, "testDataset", like=training),
        )
    )
    rule = StoppingRule(maxEpochs=maxEpochs, minLoss=minLoss, maxEpochsVal=maxEpochsVal)
    rate = as_learning_rate(learningRate)

    numInputs, numOutputs = training.patterns.inputs.shape[1], training.patterns.targets.shape[1]
    ann = build_class_ann(
        numInputs,
        topology,
        numOutputs,
        transferFunctions=transferFunctions,
        random_state=random_state,
    )
    return train_on(training.patterns, validation, test, ann, rule, rate)


def train_on(
    training: Patterns,
    validation: Patterns | None,
    test: Patterns | None,
    ann: nn.Sequential,
    rule: StoppingRule,
    learningRate: float,
    *,
    loss: Loss | None = None,
    weightDecay: float = 0.0,
) -> TrainedANN:
    """Train a network that is already built, on sets that are already checked.

    See `train_class_ann`.

    Another loss than that of classes, and a decay of weights and biases, are for `ANNRegressor` and
    `ANNClassifier`.
    """
    loss = loss or loss_of(training.targets.shape[1])
    optimizer = torch.optim.Adam(ann.parameters(), lr=learningRate, weight_decay=weightDecay)
    history: tuple[list[float], list[float], list[float]] = ([], [], [])

    def watch(patterns: Patterns | None) -> float | None:
        if patterns is None:
            return None
        with torch.no_grad():
            return loss(ann(patterns.inputs), patterns.targets, patterns.shares).item()

    best, training_loss = ann, loss(ann(training.inputs), training.targets, training.shares)
    while True:
        losses = training_loss.item(), watch(validation), watch(test)
        for values, value in zip(history, losses, strict=True):
            if value is not None:
                values.append(value)
        require_finite_losses(losses, rule.epoch + 1, learningRate)
        if rule.observe(losses[0], losses[1]) and validation is not None:
            best = copy.deepcopy(ann)  # a state_dict would go on following the training
        if not rule.goes_on():
            break
        optimizer.zero_grad()
        training_loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        training_loss = loss(ann(training.inputs), training.targets, training.shares)

    return TrainedANN(
        best if validation is not None else ann, *(np.array(h, dtype=np.float32) for h in history)
    )


def _as_patterns(dataset: Dataset | None, name: str, like: _Given | None = None) -> _Given | None:
    """Check one set of patterns, and that it fits `like`, the training set; None if it is empty."""
    if dataset is None:
        return None
    if not isinstance(dataset, tuple | list) or len(dataset) != 2:
        raise TypeError(f"{name} must be a pair (inputs, targets)")
    inputs = as_real_matrix(dataset[0], f"{name} inputs")
    if inputs.size == 0:
        return None
    targets = as_bool_array(dataset[1], f"{name} targets")
    require_equal_lengths(**{f"{name} inputs": inputs, f"{name} targets": targets})
    columns = targets.reshape(len(targets), -1)
    if columns.shape[1] in (0, 2):
        raise ValueError(
            f"{name} targets has {columns.shape[1]} columns; two classes take one, more take one"
            " each"
        )
    if columns.shape[1] > 2:
        column_of_each_row(columns, f"{name} targets")
    single = as_single_precision(inputs, f"{name} inputs")
    if like is not None:
        if like.dimensions != targets.ndim:
            raise ValueError(
                f"{name} targets has {targets.ndim} dimensions and those of trainingDataset"
                f" {like.dimensions}; all sets must have vectors, or all matrices"
            )
        for what, ours, theirs in (
            ("inputs", inputs.shape[1], like.patterns.inputs.shape[1]),
            ("targets", columns.shape[1], like.patterns.targets.shape[1]),
        ):
            if ours != theirs:
                raise ValueError(
                    f"{name} {what} has {ours} columns and that of trainingDataset {theirs}"
                )
    return _Given(
        Patterns(torch.tensor(single), torch.from_numpy(columns.astype(np.float32))), targets.ndim
    )


def as_learning_rate(learningRate: float) -> float:
    """Return a learning rate as a float, above 0 and at most 1e36: Adam divides it by a tenth, and
    float32 ends at 3e38.
    """
    return as_real(learningRate, "learningRate", low=0, high=1e36, above=True)


def require_finite_losses(
    losses: Sequence[float | None], epoch: int, learningRate: float, network: str = "the network"
) -> None:
    """Raise ValueError naming the first of the training, validation and test losses that is not
    finite.
    """
    for name, value in zip(("training", "validation", "test"), losses, strict=False):
        if value is not None and not math.isfinite(value):
            raise ValueError(
                f"{network}: the {name} loss is {value} at epoch {epoch} with"
                f" learningRate={learningRate:g}; use a smaller one, or normalize the inputs"
            )
