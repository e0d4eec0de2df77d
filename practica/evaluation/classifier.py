"""The practice's network as a classifier of scikit-learn: in pipelines, searches and every other tool of it."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_softmax, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data
from torch import nn

from practica.reference.arguments import (
    Array,
    Label,
    Labels,
    as_labels,
    as_real,
    as_single_precision,
    is_missing,
    require_equal_lengths,
    shortened,
)
from practica.reference.encoding import class_numbers, number_classes, one_hot_encoding
from practica.reference.network import TransferFunction, as_topology
from practica.reference.randomness import RandomState, as_generator
from practica.reference.trainers import as_class_weight, plan_network, train_networks, weights_in_loss

__all__ = ["ANNClassifier"]


class ANNClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classify with the network of the practice, as any other classifier of scikit-learn.

    Parameters
    ----------
    topology : sequence of int, each >= 1
        Neurons of each hidden layer; it may be empty.
    transferFunctions : sequence of functions or names, one per hidden layer, optional
        By default sigmoids; see `build_class_ann`.
    maxEpochs : int, epochs, >= 0
    minLoss : float
        Training ends once the training loss is not above it.
    learningRate : float, > 0
        Step of Adam.
    validationRatio : float, fraction in [0, 1) of the patterns given to `fit`
        Size of the validation set taken out of them at random, for early stopping; 0 for none.
    maxEpochsVal : int, epochs, >= 0
        Training ends after so many epochs in a row without a lower validation loss.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None
        Decides the validation set and then the initial weights.
    class_weight : dict, "balanced" or None
        How much the patterns of each class count in the losses; a class that the dict does not name counts 1.
        "balanced" gives all classes the same weight in all.
    warm_start : bool
        Whether `fit` goes on from the weights of the last one in place of new ones; Adam begins anew. The layers must
        be the same, and there can be no new class.

    Attributes
    ----------
    classes_ : array, shape (C,)
        The labels, sorted; in order of first appearance where they cannot be sorted.
    ann_ : torch.nn.Sequential
        The network; its outputs are the classes in order of first appearance, and of two classes only the first.
    loss_curve_, validation_loss_curve_ : float32 arrays, shape (n_iter_ + 1,)
        Loss after each epoch, the untrained network's first; the second is empty without a validation set.
    n_iter_ : int
        Epochs run.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Notes
    -----
    `fit` is `one_hot_encoding`, `hold_out` and `train_class_ann`, in C where there is a compiler. The attributes are
    taken as they are: put a scaler before it in a pipeline. Probabilities are computed in double precision, so that
    those of a pattern do not depend on the other patterns of the call.

    With weights, a loss is Σ weight·loss / Σ weight over the patterns of a set, as in `CrossEntropyLoss(weight)` of
    torch and in `log_loss(sample_weight=...)` of scikit-learn: only their ratios matter. Those of patterns and classes
    are multiplied, and classes are balanced by the weights of their patterns.

    References
    ----------
    Exercise 3, `trainClassANN`. https://scikit-learn.org/stable/developers/develop.html

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_iris(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), ANNClassifier([4, 3], validationRatio=0.2, random_state=1)).fit(X, y)
    >>> model.predict_proba(X[:2]).shape
    (2, 3)
    """

    def __init__(
        self,
        topology: Sequence[int] = (8,),
        *,
        transferFunctions: Sequence[TransferFunction] | None = None,
        maxEpochs: int = 1000,
        minLoss: float = 0.0,
        learningRate: float = 0.01,
        validationRatio: float = 0,
        maxEpochsVal: int = 20,
        random_state: RandomState = None,
        class_weight: Mapping[Label, float] | str | None = None,
        warm_start: bool = False,
    ) -> None:
        self.topology = topology
        self.transferFunctions = transferFunctions
        self.maxEpochs = maxEpochs
        self.minLoss = minLoss
        self.learningRate = learningRate
        self.validationRatio = validationRatio
        self.maxEpochsVal = maxEpochsVal
        self.random_state = random_state
        self.class_weight = class_weight
        self.warm_start = warm_start

    def fit(self, X: ArrayLike, y: Labels, sample_weight: ArrayLike | None = None) -> ANNClassifier:
        """Train a network.

        Parameters
        ----------
        X : real array, shape (N, L)
        y : array of labels of any type, shape (N,)
            At least two classes.
        sample_weight : array, shape (N,), values >= 0, optional
            How much each pattern counts in the losses; one that weighs 0 is left out.

        Returns
        -------
        self : ANNClassifier

        Raises
        ------
        ValueError
            If there is one class, no pattern is left to train with, a value is not finite, or an option is out of its
            range.
        TypeError
            If X is sparse.
        """
        inputs: Array
        labels: Array
        if isinstance(y, list | tuple) and any(map(is_missing, y)):  # numpy would make the text "nan" of it
            raise ValueError("y has a label that is NaN, NaT or NA, which belongs to no class; leave its pattern out")
        may_lack_some = np.ma.isMaskedArray(y) or hasattr(y, "null_count")  # what numpy would not see
        inputs, labels = validate_data(self, X, as_labels(y, "y") if may_lack_some else y)
        if labels.dtype != object:
            check_classification_targets(labels)
        goes_on = self.warm_start and hasattr(self, "ann_")
        if goes_on:
            names = self._class_of_output.tolist()
            numbers = class_numbers(labels, names)
        else:
            names, numbers = number_classes(labels)
        weights = None if sample_weight is None else _as_weights(sample_weight, inputs)
        patterns = np.arange(len(inputs)) if weights is None else np.flatnonzero(weights)
        trained = np.unique(numbers[patterns])
        if len(trained) < 2:
            label = shortened(names[trained[0]])
            raise ValueError(f"y has one class to train with, {label}; ANNClassifier needs at least two to classify")
        if not goes_on:
            self._name_outputs(labels[np.unique(numbers, return_index=True)[1]])
        targets = one_hot_encoding(numbers, range(len(names)))
        counts = as_class_weight(self.class_weight, names)
        weights = weights_in_loss(targets, patterns, counts, weights)
        self._train(
            as_single_precision(inputs, "X in float32"), targets, patterns, weights, self.ann_ if goes_on else None
        )
        return self

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the probability of each class.

        Parameters
        ----------
        X : real array, shape (N, L)

        Returns
        -------
        probabilities : float64 array, shape (N, C)
            Columns in the order of `classes_`.
        """
        return softmax(self._sums(X), axis=1)[:, self._output_of_class]

    def predict_log_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the logarithms of what `predict_proba` returns, finite where the probability itself is 0."""
        return log_softmax(self._sums(X), axis=1)[:, self._output_of_class]

    def predict(self, X: ArrayLike) -> Array:
        """Return the likeliest class of each pattern; of equally likely ones the first to have appeared.

        Parameters
        ----------
        X : real array, shape (N, L)

        Returns
        -------
        labels : array, shape (N,)
        """
        likeliest = self._sums(X).argmax(axis=1)  # raises if the model is not fitted
        return self._class_of_output[likeliest]

    @classmethod
    def holding(cls, ann: nn.Sequential, classes: Array, **parameters: Any) -> ANNClassifier:
        """Return a fitted classifier around a network that is already trained; it is kept, not copied.

        The classes are in the order of its outputs; of two, only the first has one. It has neither curves nor epochs.
        """
        model = cls(**parameters)
        model._name_outputs(classes)
        model.ann_, model.n_features_in_ = ann, ann[0].in_features
        return model

    def _name_outputs(self, classes: Array) -> None:
        """Store the class of each output, and the order in which scikit-learn wants the classes."""
        self._class_of_output = classes
        try:
            self._output_of_class = np.argsort(classes, kind="stable")
        except TypeError:  # labels of several types have no order
            self._output_of_class = np.arange(len(classes))
        self.classes_ = classes[self._output_of_class]

    def _train(
        self,
        inputs: NDArray[np.float32],
        targets: NDArray[np.bool_],
        patterns: NDArray[np.intp],
        weights: NDArray[np.float64] | None,
        start: nn.Sequential | None,
    ) -> None:
        ratio = as_real(self.validationRatio, "validationRatio", low=0, high=1)
        plan = plan_network("the network", inputs, patterns, ratio, as_generator(self.random_state))
        if len(plan.training) == 0:
            raise ValueError(f"validationRatio={ratio:g} of {len(patterns)} patterns leaves none of them to train with")
        if start is not None:
            before = [start[0].in_features, *(layer.out_features for layer in [*start][::2])]
            now = [inputs.shape[1], *as_topology(self.topology), targets.shape[1]]
            if before != now:
                raise ValueError(f"warm_start=True: the network to go on from has layers of {before}, not of {now}")
        plan = plan._replace(weights=weights, start=start)
        names = ("transferFunctions", "maxEpochs", "minLoss", "learningRate", "maxEpochsVal")
        options = {name: getattr(self, name) for name in names}
        ((_, module, losses, _),) = train_networks(
            self.topology, [plan], targets, **options, together=False, keep_losses=True
        )
        self.ann_ = module()
        self.loss_curve_, validation = losses.T
        self.validation_loss_curve_ = validation if len(plan.validation) else validation[:0]
        self.n_iter_ = len(losses) - 1

    def _sums(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return what the softmax takes, classes in order of first appearance; of two, the second has 0.

        The products are numpy's: of a few patterns it does them at once, whereas torch wakes all its threads.
        """
        check_is_fitted(self)
        values = as_single_precision(validate_data(self, X, reset=False), "X in float32").astype(np.float64)
        for position, layer in enumerate([*self.ann_][:-1]):
            if position % 2 == 0:
                weight, bias = (part.detach().cpu().double().numpy() for part in layer.parameters())
                values = values @ weight.T + bias
            else:
                function = copy.deepcopy(layer).double() if layer.state_dict() else layer
                with torch.no_grad():
                    values = function(torch.from_numpy(values)).numpy()
        return np.hstack([values, np.zeros_like(values)]) if values.shape[1] == 1 else values


def _as_weights(sample_weight: ArrayLike, X: Array) -> NDArray[np.float64]:
    weights = as_labels(sample_weight, "sample_weight").astype(np.float64)
    require_equal_lengths(X=X, sample_weight=weights)
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        raise ValueError(
            f"sample_weight[{wrong[0]}]={weights[wrong[0]]:g} is out of range; it must be finite and not below 0"
        )
    if not weights.any():
        raise ValueError("sample_weight is zero for all patterns; some must have a weight to train with")
    return weights
