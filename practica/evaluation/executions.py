"""Trainings of a cross-validation, one for each fold and execution, and what is kept of each.

A `Work` has one of two trainers:

    Networks      an ANNClassifier, as `ann_cross_validation` trains
    Estimators    anything else, one model after the other

It trains the models of a task, and computes for each, as a `Fitted`, what is `wanted`: its methods
`scores`, `predictions`, ... return it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from practica.evaluation.ann_estimator import ANNEstimator
from practica.evaluation.classifier import ANNClassifier
from practica.evaluation.curves import GRID, curves_of
from practica.evaluation.estimators import Estimator, Inputs, seeds_of, text_of
from practica.evaluation.scoring import Scorer
from practica.evaluation.splits import rows_at
from practica.reference.arguments import Array, Bools, Floats, Integers, Positions, as_array
from practica.reference.cross_validation import Normalizer
from practica.reference.encoding import class_numbers
from practica.reference.metrics import Metrics, count_pairs, metrics_of, undefined_of
from practica.reference.partition import Folds
from practica.reference.randomness import SeedTree
from practica.reference.trainers import Replica, Trainer

__all__ = ["Estimators", "Networks", "Work", "network_of"]


class Fitted(NamedTuple):
    """A trained model, with the inputs and the positions of its test patterns; `network` is the
    fold and the execution for which it was trained.
    """

    network: Replica
    model: Any  # an `Estimator`, and what else a fitted one has
    inputs: Inputs
    test: Positions


@dataclass(frozen=True)
class Prediction:
    """What a trained model predicts for its test patterns, and their labels."""

    fitted: Fitted
    predicted: Array
    targets: Array
    classes: Array

    @functools.cached_property
    def matrix(self) -> Integers:
        """The confusion matrix of all the classes, in their order: of two, the positive one
        first.
        """
        names = self.classes.tolist()
        predicted = class_numbers(self.predicted, names)
        return count_pairs(predicted, class_numbers(self.targets, names), len(names))


@dataclass(frozen=True)
class Networks:
    """A trainer of `ANNClassifier`s, many at once where that is faster."""

    model: ANNClassifier
    classes: Array
    trainer: Trainer

    def n_jobs(self, wanted: int) -> int:
        """Return the number of jobs for joblib, given the wanted one."""
        return self.trainer.n_jobs(wanted)

    def tasks(self, networks: Sequence[Replica], workers: int) -> list[Sequence[Replica]]:
        """Divide the networks into tasks; see `Trainer.tasks`."""
        return self.trainer.tasks(networks, workers)

    def fitted(self, networks: Sequence[Replica]) -> Iterator[Fitted]:
        """Train the networks and yield each as a classifier, with its test patterns."""
        parameters = self.model.get_params(deep=False)
        for network, module, patterns, _, epochs in self.trainer.trained(networks):
            model = ANNClassifier.holding(module(), self.classes, epochs, **parameters)
            yield Fitted(network, model, patterns.inputs[patterns.test], patterns.test)


@dataclass(frozen=True)
class Estimators:
    """A trainer of any estimator, one model after the other."""

    model: Estimator
    X: Inputs
    y: Array
    folds: Folds
    normalize: Normalizer | None
    seeds: SeedTree

    def n_jobs(self, wanted: int) -> int:
        """Return the number of jobs for joblib, given the wanted one."""
        return wanted

    def tasks(self, networks: Sequence[Replica], workers: int) -> list[Sequence[Replica]]:
        """Divide the trainings into tasks, several for each worker because some may take longer
        than others.
        """
        size = math.ceil(len(networks) / (8 * workers))
        return [networks[start : start + size] for start in range(0, len(networks), size)]

    def fitted(self, networks: Sequence[Replica]) -> Iterator[Fitted]:
        """Train an estimator for each fold and execution; yield it with its test patterns."""
        for network in networks:
            training, test = self.folds.split(network.fold)
            X = self.X if self.normalize is None else self.normalize(self.X, training)
            model = self._with_seed_of(network)
            with _naming(network, self.model, "be trained"):
                model.fit(rows_at(X, training), self.y[training])
            yield Fitted(network, model, rows_at(X, test), test)

    def _with_seed_of(self, network: Replica) -> Estimator:
        generator = self.seeds.generator(*network)
        model: Estimator = clone(self.model)
        return model.set_params(
            # what scikit-learn takes
            **{name: int(generator.integers(2**31)) for name in seeds_of(self.model)}
        )


@contextmanager
def _naming(network: Replica, model: Estimator, doing: str) -> Iterator[None]:
    """Put the fold, the execution and the model in front of an error that scikit-learn raises while
    `doing` something.
    """
    try:
        yield
    except (ValueError, TypeError) as error:
        where = f"fold {network.fold}, execution {network.execution + 1}"
        raise ValueError(
            f"{where}: {text_of(model)} cannot {doing}: {_first_line(error)}"
        ) from error


def _first_line(error: Exception) -> str:
    line = str(error).strip().partition("\n")[0]
    if line.startswith("Unknown label type"):
        line = "the labels have several types; give them as text, [str(label) for label in y]"
    return line


@dataclass(frozen=True)
class Work:
    """Trains the models of a task, and computes what is wanted of each; it can be sent to other
    processes.

    `metrics`: by name, the scorer of each metric; None for the seven metrics of the practice, such
        as accuracy.
    `wanted`: the names of the methods below that compute what is kept, such as "scores".
    """

    trainer: Networks | Estimators
    y: Array
    folds: Folds
    classes: Array
    metrics: dict[str, Scorer | None]
    wanted: tuple[str, ...] = ()

    def empty_results(self, m: int) -> dict[str, Array]:
        """Return an empty array for each wanted result, of all folds and m executions."""
        k, N, C = len(self.folds.tested), len(self.folds), len(self.classes)
        shapes = {
            "scores": (k, m, len(self.metrics)),
            "undefined": (k, m, 7, C),
            "matrices": (k, m, C, C),
            "curves": (k, m, 2, len(GRID) + 1),
            "predictions": (m, N),
            "probabilities": (m, N, C),
            "unended": (k, m),
        }
        types = {
            "undefined": np.dtype(bool),
            "unended": np.dtype(bool),
            **({"predictions": self.y.dtype} if C else {}),
        }
        return {
            name: np.zeros(shapes[name], dtype=types.get(name, np.float64)) for name in self.wanted
        }

    def __call__(self, networks: Sequence[Replica]) -> list[tuple[Replica, dict[str, ArrayLike]]]:
        """Train a model for each fold and execution in `networks`, and return its wanted results,
        by name.
        """
        return [(fitted.network, self._outcome(fitted)) for fitted in self.trainer.fitted(networks)]

    def _outcome(self, fitted: Fitted) -> dict[str, ArrayLike]:
        with _naming(fitted.network, self.trainer.model, "predict"):
            predicted = np.asarray(fitted.model.predict(fitted.inputs))
        answer = Prediction(fitted, predicted, self.y[fitted.test], self.classes)
        return {name: getattr(self, name)(answer) for name in self.wanted}

    def scores(self, answer: Prediction) -> list[float]:
        """Return the score of a prediction in every metric."""
        seven: dict[str, float] = {}
        if None in self.metrics.values():
            seven = Metrics(*metrics_of(_in_practice_order(answer.matrix)).tolist())._asdict()
        return [
            seven[name] if scorer is None else self._score(name, scorer, answer)
            for name, scorer in self.metrics.items()
        ]

    def undefined(self, answer: Prediction) -> Bools:
        """Return which of the seven metrics were 0/0, and because of which class."""
        return undefined_of(_in_practice_order(answer.matrix))[
            :, :: -1 if len(self.classes) == 2 else 1
        ]

    def _score(self, name: str, scorer: Scorer, answer: Prediction) -> float:
        """Return the score of a prediction in one metric; NaN where the fold or the training lacks
        a class that the metric needs, or the fold a second quantity.
        """
        fitted = answer.fitted
        try:
            return float(scorer(fitted.model, fitted.inputs, answer.targets))
        except (ValueError, TypeError, AttributeError) as error:
            known = getattr(fitted.model, "classes_", self.classes)
            there = len(set(answer.targets.tolist()))
            if there < 2 or min(there, len(known)) < len(self.classes):
                return math.nan
            raise ValueError(f"metric {name!r} cannot be measured: {_first_line(error)}") from error

    def predictions(self, answer: Prediction) -> Array:
        """Return the predicted labels or quantities."""
        return answer.predicted

    def probabilities(self, answer: Prediction) -> Floats:
        """Return the probability of each class of the whole data set; 0 for a class that the model
        has not met.
        """
        model = answer.fitted.model
        given = model.predict_proba(answer.fitted.inputs)
        result = np.zeros((len(given), len(self.classes)))
        result[:, class_numbers(as_array(model.classes_, "classes"), self.classes.tolist())] = given
        return result

    def matrices(self, answer: Prediction) -> Integers:
        """Return the confusion matrix of all the classes."""
        return answer.matrix

    def unended(self, answer: Prediction) -> bool:
        """Return whether the model that predicted is a network that trained until its last epoch,
        before early stopping could end it; see `ANNEstimator.ended_at_its_limit`.
        """
        network = network_of(answer.fitted.model)
        return network is not None and network.ended_at_its_limit()

    def curves(self, answer: Prediction) -> ArrayLike:
        """Return the curves of two classes and their areas: NaN if the model has no probabilities,
        or has met one class only.
        """
        fitted, positive = answer.fitted, self.classes[0]
        model = fitted.model
        known = list(getattr(model, "classes_", ()))
        if len(known) == 2 and hasattr(model, "predict_proba"):
            scores = model.predict_proba(fitted.inputs)[:, known.index(positive)]
        elif len(known) == 2 and hasattr(model, "decision_function"):
            scores = model.decision_function(fitted.inputs) * (1 if known[1] == positive else -1)
        else:
            return math.nan
        return curves_of(answer.targets == positive, scores).stacked()


def network_of(model: Estimator) -> ANNEstimator | None:
    """Return the network that a model is, or that a pipeline ends in; None if there is none."""
    last = model.steps[-1][1] if isinstance(model, Pipeline) else model
    return last if isinstance(last, ANNEstimator) else None


def _in_practice_order(matrix: Integers) -> Integers:
    """Return a confusion matrix in the practice's order: of two classes, the positive one is the
    second.
    """
    return matrix[::-1, ::-1] if len(matrix) == 2 else matrix
