"""One experiment: several models cross-validated on the same folds of one table."""

from __future__ import annotations

import difflib
import functools
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from practica.experiments.tables import Table
from practica.reference.cross_validation import CrossValidation, model_cross_validation
from practica.reference.partition import crossvalidation

__all__ = ["Experiment", "Model", "Outcome", "Settings", "chosen_models", "known_models", "run"]

Progress: TypeAlias = "Callable[[str, int, int], object]"


@dataclass(frozen=True)
class Settings:
    """What decides the result of an experiment, besides the table; the names are those of the command line."""

    topology: tuple[int, ...]
    folds: int
    executions: int
    epochs: int
    learning_rate: float
    validation_ratio: float
    patience: int
    normalization: str | None
    seed: int


class Model(NamedTuple):
    """A model of exercise 6 with its hyperparameters, and its name in a table."""

    title: str
    modelType: str
    hyperparameters: dict[str, Any]


class Outcome(NamedTuple):
    """What a model achieved, and how long it took."""

    model: Model
    result: CrossValidation
    seconds: float


@dataclass(frozen=True)
class Experiment:
    """The outcomes of all models on one table, by the short name of the model."""

    table: Table
    settings: Settings
    crossValidationIndices: NDArray[np.int64]
    outcomes: dict[str, Outcome]


def known_models(settings: Settings) -> dict[str, Model]:
    """Return the models that an experiment can compare, by their short names."""
    layers = "-".join(map(str, settings.topology))
    network = {
        "topology": list(settings.topology),
        "numExecutions": settings.executions,
        "maxEpochs": settings.epochs,
        "learningRate": settings.learning_rate,
        "validationRatio": settings.validation_ratio,
        "maxEpochsVal": settings.patience,
    }
    return {
        "ann": Model(f"network {layers}" if layers else "linear network", "ANN", network),
        "knn": Model("kNN, k=5", "KNeighborsClassifier", {"n_neighbors": 5}),
        "svm": Model("SVM, rbf", "SVC", {"kernel": "rbf", "C": 1.0, "gamma": "scale"}),
        "tree": Model("tree, depth 5", "DecisionTreeClassifier", {"max_depth": 5}),
    }


def chosen_models(names: Iterable[str], settings: Settings) -> dict[str, Model]:
    """Return the models with these short names, in this order.

    Raises
    ------
    ValueError
        If there is no model of some name.
    """
    models = known_models(settings)
    for name in names:
        if name not in models:
            close = difflib.get_close_matches(name, models, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"the models are {', '.join(models)}"
            raise ValueError(f"there is no model {name!r}; {hint}")
    return {name: models[name] for name in names}


def run(table: Table, settings: Settings, models: dict[str, Model], progress: Progress | None = None) -> Experiment:
    """Cross-validate models on one table, all on the same folds.

    Parameters
    ----------
    table : Table
    settings : Settings
    models : dict of Model
    progress : callable, optional
        Called as progress(title of the model, trainings done, trainings in all).

    Returns
    -------
    experiment : Experiment
        Its outcomes in the order of `models`.

    Raises
    ------
    ValueError
        As `crossvalidation` and `model_cross_validation`.

    Notes
    -----
    The networks run last: what is wrong with the data shows in the quick models, before minutes of training.
    """
    folds = crossvalidation(table.targets, settings.folds, random_state=settings.seed)
    outcomes = {}
    for name, model in sorted(models.items(), key=lambda item: item[1].modelType == "ANN"):
        if progress is not None:
            progress(model.title, 0, int(folds.max()) * model.hyperparameters.get("numExecutions", 1))
        start = time.perf_counter()
        result = model_cross_validation(
            model.modelType,
            model.hyperparameters,
            table.inputs,
            table.targets,
            folds,
            normalization=settings.normalization,
            random_state=settings.seed,
            progress=None if progress is None else functools.partial(progress, model.title),
        )
        outcomes[name] = Outcome(model, result, time.perf_counter() - start)
    return Experiment(table, settings, folds, {name: outcomes[name] for name in models})
