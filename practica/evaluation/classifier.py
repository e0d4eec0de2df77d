"""The practice's network as a classifier of scikit-learn: in pipelines, searches and every other tool of it."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data
from torch import nn

from practica.reference.arguments import as_real, as_single_precision, shortened
from practica.reference.encoding import number_classes, one_hot_encoding
from practica.reference.network import TransferFunction
from practica.reference.randomness import RandomState, as_generator
from practica.reference.trainers import plan_network, train_networks

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
    those of a pattern do not depend on which others are asked for.

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
    ) -> None:
        self.topology = topology
        self.transferFunctions = transferFunctions
        self.maxEpochs = maxEpochs
        self.minLoss = minLoss
        self.learningRate = learningRate
        self.validationRatio = validationRatio
        self.maxEpochsVal = maxEpochsVal
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> ANNClassifier:
        """Train a network.

        Parameters
        ----------
        X : real array, shape (N, L)
        y : array of labels of any type, shape (N,)
            At least two classes.

        Returns
        -------
        self : ANNClassifier

        Raises
        ------
        ValueError
            If there is one class, no pattern is left to train with, a value is not finite, or an option is out of its
            range.
        """
        X, y = validate_data(self, X, y)
        if y.dtype != object:
            check_classification_targets(y)
        names, numbers = number_classes(y)
        if len(names) < 2:
            raise ValueError(f"y has one class, {shortened(names[0])}; ANNClassifier needs at least two to classify")
        self._name_outputs(y[np.unique(numbers, return_index=True)[1]])
        targets = one_hot_encoding(numbers, range(len(names)))
        self._train(as_single_precision(X, "X in float32"), targets)
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class.

        Parameters
        ----------
        X : real array, shape (N, L)

        Returns
        -------
        probabilities : float64 array, shape (N, C)
            Columns in the order of `classes_`.
        """
        return self._outputs(X)[:, self._output_of_class]

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest class of each pattern; of equally likely ones the first to have appeared.

        Parameters
        ----------
        X : real array, shape (N, L)

        Returns
        -------
        labels : array, shape (N,)
        """
        likeliest = self._outputs(X).argmax(axis=1)
        return self._class_of_output[likeliest]

    @classmethod
    def holding(cls, ann: nn.Sequential, classes: NDArray[Any], **parameters: Any) -> ANNClassifier:
        """Return a fitted classifier around a network that is already trained.

        Parameters
        ----------
        ann : torch.nn.Sequential
            As `build_class_ann` makes it; it is kept, not copied.
        classes : array of labels, shape (C,)
            In the order of the outputs of `ann`; of two classes only the first has an output.
        **parameters
            Of the classifier.

        Returns
        -------
        model : ANNClassifier
            Without the curves and the epochs, which are not known.
        """
        model = cls(**parameters)
        model._name_outputs(classes)
        model.ann_, model.n_features_in_ = ann, ann[0].in_features
        return model

    def _name_outputs(self, classes: NDArray[Any]) -> None:
        """Note which class each output stands for, and the order in which scikit-learn wants them."""
        self._class_of_output = classes
        try:
            self._output_of_class = np.argsort(classes, kind="stable")
        except TypeError:  # labels of several types have no order
            self._output_of_class = np.arange(len(classes))
        self.classes_ = classes[self._output_of_class]

    def _train(self, inputs: NDArray[np.float32], targets: NDArray[np.bool_]) -> None:
        ratio, N = as_real(self.validationRatio, "validationRatio", low=0, high=1), len(inputs)
        plan = plan_network("the network", inputs, np.arange(N), ratio, as_generator(self.random_state))
        if len(plan.training) == 0:
            raise ValueError(f"validationRatio={ratio:g} of {N} patterns leaves none of them to train with")
        names = ("transferFunctions", "maxEpochs", "minLoss", "learningRate", "maxEpochsVal")
        options = {name: getattr(self, name) for name in names}
        ((_, self.ann_, losses),) = train_networks(
            self.topology, [plan], targets, **options, together=False, keep_losses=True
        )
        self.loss_curve_, validation = losses.T
        self.validation_loss_curve_ = validation if len(plan.validation) else validation[:0]
        self.n_iter_ = len(losses) - 1

    def _outputs(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class in order of first appearance, also of the second of two."""
        check_is_fitted(self)
        inputs = as_single_precision(validate_data(self, X, reset=False), "X in float32")
        with torch.no_grad():
            outputs = copy.deepcopy(self.ann_).double()(torch.from_numpy(inputs.astype(np.float64))).numpy()
        return np.hstack([outputs, 1 - outputs]) if outputs.shape[1] == 1 else outputs
