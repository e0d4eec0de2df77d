"""The practice's network as a classifier of scikit-learn: in pipelines, searches and every other
tool of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_softmax, softmax
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data
from torch import nn

from practica.evaluation.ann_estimator import (
    ANNEstimator,
    Topology,
    TransferFunctions,
    as_weights,
    opened,
)
from practica.reference.arguments import (
    Array,
    Floats,
    Label,
    Labels,
    as_labels,
    as_single_precision,
    brief,
    is_missing,
)
from practica.reference.encoding import class_numbers, number_classes, one_hot_encoding
from practica.reference.randomness import RandomState
from practica.reference.trainers import SAME_WARNINGS, as_class_weight, weights_in_loss

__all__ = ["ANNClassifier"]


class ANNClassifier(ClassifierMixin, ANNEstimator):  # type: ignore[misc]
    """Classify with the network of the practice, as any other classifier of scikit-learn.

    Parameters
    ----------
    topology : int, or sequence of int, each >= 1
        Neurons of each hidden layer; it may be empty. 8 means [8].
    transferFunctions : sequence of functions or names, one per hidden layer, or one, optional
        One is for all of them. By default sigmoids; see `build_class_ann`.
    maxEpochs : int, epochs, >= 0
    minLoss : float
        Training ends once the training loss is not above it.
    learningRate : float, > 0
        Step of Adam.
    weightDecay : float, >= 0
        L2 regularization: what is minimized is the loss plus weightDecay / 2 times the sum of all
        squared weights and biases; the curves show the loss alone. It is the `weight_decay` of
        torch's Adam; 0 for none.
    validationRatio : float, fraction in [0, 1) of the patterns given to `fit`
        Size of the validation set taken out of them at random, for early stopping; 0 for none.
    maxEpochsVal : int, epochs, >= 0
        Training ends after so many epochs in a row without a lower validation loss.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None
        Decides the validation set and then the initial weights.
    class_weight : dict, "balanced" or None
        How much the patterns of each class count in the losses; a class that the dict does not name
        counts 1. "balanced" gives all classes the same weight in all.
    warm_start : bool
        Whether `fit` goes on from the weights of the last one in place of new ones; Adam begins
        anew. The layers must be the same, and there can be no new class.
    device : {"cpu", "cuda"}
        What trains, as in `ann_cross_validation`.

    Attributes
    ----------
    classes_ : array, shape (C,)
        The labels, sorted; in order of first appearance where they cannot be sorted.
    ann_ : torch.nn.Sequential
        The network; its outputs are the classes in order of first appearance, and of two classes
        only the first.
    loss_curve_, validation_loss_curve_ : float32 arrays, shape (epochs + 1,)
        Loss after each epoch, the untrained network's first; the second is empty without a
        validation set.
    n_iter_ : int
        Epochs run.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Notes
    -----
    `fit` is `one_hot_encoding`, `hold_out` and `train_class_ann`, in C where there is a compiler.
    The attributes are taken as they are: put a scaler before it in a pipeline. Probabilities are
    computed in double precision, so that those of a pattern do not depend on the other patterns of
    the call.

    With weights, a loss is Σ weight·loss / Σ weight over the patterns of a set, as in
    `CrossEntropyLoss(weight)` of torch and in `log_loss(sample_weight=...)` of scikit-learn: only
    their ratios matter. Those of patterns and classes are multiplied, and classes are balanced by
    the weights of their patterns.

    References
    ----------
    Exercise 3, `trainClassANN`. https://scikit-learn.org/stable/developers/develop.html

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_iris(return_X_y=True)
    >>> model = make_pipeline(
    ...     StandardScaler(), ANNClassifier([4, 3], validationRatio=0.2, random_state=1)
    ... ).fit(X, y)
    >>> model.predict_proba(X[:2]).shape
    (2, 3)
    """

    class_weight: Mapping[Label, float] | str | None

    def __init__(
        self,
        topology: Topology = (8,),
        *,
        transferFunctions: TransferFunctions = None,
        maxEpochs: int = 1000,
        minLoss: float = 0.0,
        learningRate: float = 0.01,
        weightDecay: float = 0.0,
        validationRatio: float = 0,
        maxEpochsVal: int = 20,
        random_state: RandomState = None,
        class_weight: Mapping[Label, float] | str | None = None,
        warm_start: bool = False,
        device: str = "cpu",
    ) -> None:
        self._keep(locals())

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
            If there is one class, no pattern is left to train with, a value is not finite, or an
            option is out of its range.
        TypeError
            If X is sparse.
        """
        inputs: Array
        labels: Array
        # numpy would make the text "nan" of it
        if isinstance(y, list | tuple) and any(map(is_missing, y)):
            raise ValueError(
                "y has a label that is NaN, NaT or NA, which belongs to no class; leave its"
                " pattern out"
            )
        # what numpy would not see
        may_lack_some = np.ma.isMaskedArray(y) or hasattr(y, "null_count")
        with SAME_WARNINGS:
            inputs, labels = validate_data(
                self, opened(X, "X"), as_labels(y, "y") if may_lack_some else opened(y, "y")
            )
            if labels.dtype != object:
                check_classification_targets(labels)
        goes_on = self.warm_start and hasattr(self, "ann_")
        if goes_on:
            names = self._class_of_output.tolist()
            numbers = class_numbers(labels, names)
        else:
            names, numbers = number_classes(labels)
        weights, patterns = as_weights(sample_weight, inputs)
        trained = np.unique(numbers[patterns])
        if len(trained) < 2:
            label = brief(names[trained[0]])
            raise ValueError(
                f"y has one class to train with, {label}; ANNClassifier needs at least two to"
                " classify"
            )
        if not goes_on:
            self._name_outputs(labels[np.unique(numbers, return_index=True)[1]])
        targets = one_hot_encoding(numbers, range(len(names)))
        counts = as_class_weight(self.class_weight, names)
        weights = weights_in_loss(targets, patterns, counts, weights)
        self._train(
            as_single_precision(inputs, "X in float32"),
            targets,
            patterns,
            weights,
            self.ann_ if goes_on else None,
        )
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
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

    def predict_log_proba(self, X: ArrayLike) -> Floats:
        """Return the logarithms of the probabilities, finite even where a probability is 0."""
        return log_softmax(self._sums(X), axis=1)[:, self._output_of_class]

    def predict(self, X: ArrayLike) -> Array:
        """Return the likeliest class of each pattern.

        Of equally likely ones the first to have appeared.

        Parameters
        ----------
        X : real array, shape (N, L)

        Returns
        -------
        labels : array, shape (N,)
        """
        likeliest = self._sums(X).argmax(axis=1)  # raises if the model is not fitted
        return self._class_of_output[likeliest]

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return how much each class is preferred, before the softmax.

        Of two, the log-odds of `classes_[1]`.

        Parameters
        ----------
        X : real array, shape (N, L)

        Returns
        -------
        scores : float64 array, shape (N, C), or (N,) for two classes
            Columns in the order of `classes_`; of two classes above 0 for the second. They differ
            where probabilities are so close to 1 that they are equal.
        """
        sums = self._sums(X)[:, self._output_of_class]
        return sums[:, 1] - sums[:, 0] if sums.shape[1] == 2 else sums

    @classmethod
    def holding(
        cls, ann: nn.Sequential, classes: Array, epochs: int, **parameters: Any
    ) -> ANNClassifier:
        """Return a fitted classifier around a trained network, which is not copied.

        The classes are in the order of the network's outputs; of two classes, the first is the one
        of its output. There are no curves of losses.
        """
        model = cls(**parameters)
        model._name_outputs(classes)
        model.ann_, model.n_features_in_, model.n_iter_ = ann, ann[0].in_features, epochs
        return model

    def _name_outputs(self, classes: Array) -> None:
        """Store the class of each output, and the sorted classes that scikit-learn wants."""
        self._class_of_output = classes
        try:
            self._output_of_class = np.argsort(classes, kind="stable")
        except TypeError:  # labels of several types have no order
            self._output_of_class = np.arange(len(classes))
        self.classes_ = classes[self._output_of_class]

    def _sums(self, X: ArrayLike) -> Floats:
        """Return the inputs of the softmax, with the classes in order of first appearance; that of
        the second of two classes is 0.
        """
        values = self._outputs(X, -1)
        return np.hstack([values, np.zeros_like(values)]) if values.shape[1] == 1 else values
