"""Many executions of any estimator in each fold, and every score of them.

cross_validate_executions ──► _prepared     what was given is checked, and becomes a _Work with one of two trainers:
          │                                   _Networks     an ANNClassifier, as `ann_cross_validation` trains
          │                                   _Estimators   anything else, one model after the other
          └──► in_parallel ──► _Work        trains the models of a task, and asks each, as a _Fitted, for what is
                                              `wanted`: its methods `scores`, `predictions`, ... are the answers
"""

from __future__ import annotations

import copy
import dataclasses
import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.metrics import get_scorer, get_scorer_names, make_scorer

from practica.evaluation.classifier import ANNClassifier
from practica.evaluation.curves import GRID, Curves, curves_of
from practica.evaluation.scores import relative_absolute_error, relative_squared_error
from practica.evaluation.splits import rows_at
from practica.evaluation.variance import VarianceComponents, variance_components
from practica.reference.arguments import as_array, as_integer, as_labels, closest, require_equal_lengths, shortened
from practica.reference.cross_validation import (
    MeanStd,
    Normalizer,
    as_classes,
    as_folds,
    as_patterns_in_folds,
    checked_trainer,
    mean_and_std,
    normalizer,
)
from practica.reference.encoding import class_numbers, number_classes, one_hot_encoding
from practica.reference.metrics import Metrics, confusion_matrix, count_pairs
from practica.reference.randomness import RandomState, SeedTree
from practica.reference.trainers import Replica, Trainer, in_parallel

__all__ = ["ModelScores", "cross_validate_executions", "is_deterministic", "text_of"]

ERRORS = {  # of regressors, lower is better
    "relative_squared_error": relative_squared_error,
    "relative_absolute_error": relative_absolute_error,
}

Scorer: TypeAlias = "Callable[[Any, Any, Any], float]"


@dataclass(frozen=True, eq=False)
class ModelScores:
    """Every score of a model: fold × execution × metric.

    Attributes
    ----------
    metrics : tuple of str
    scores : float array, shape (k, m, metrics)
        m is 1 for a deterministic model. If `forward`, shape (k − 1, m, metrics): the first fold is not tested.
    crossValidationIndices : int array, shape (N,), values 1..k
    deterministic : bool
        Whether training it again on the same patterns would give the same model, so that it was trained once.
    classes : array, shape (C,)
        In order of first appearance, but of two the positive one first. Empty for a regressor.
    predictions : array, shape (m, N), or None
        What each execution predicts for each pattern, in the fold that tests it.
    probabilities : float array, shape (m, N, C), or None
        In the order of `classes`; 0 for a class that the training part of a fold did not have.
    forward : bool
        Whether each fold was tested with models of the folds before it, rather than of all the others.
    matrices : float array, shape (k, m, C, C), or None
        Confusion matrices, real classes in rows, in the order of `classes`.
    curves : Curves of arrays, shape (k, m, 101), or None
        ROC and precision-recall of two classes.
    """

    metrics: tuple[str, ...]
    scores: NDArray[np.float64]
    crossValidationIndices: NDArray[np.int64]
    deterministic: bool
    classes: NDArray[Any]
    predictions: NDArray[Any] | None = None
    probabilities: NDArray[np.float64] | None = None
    forward: bool = False
    matrices: NDArray[np.float64] | None = None
    curves: Curves | None = None

    @property
    def test_to_train(self) -> float:
        """Patterns in the test set for each one in the training set, as a mean over the folds where they grow."""
        k = int(self.crossValidationIndices.max())
        if not self.forward:
            return 1 / (k - 1)
        sizes = np.bincount(self.crossValidationIndices)[1:]
        return float((sizes[1:] / np.cumsum(sizes)[:-1]).mean())

    def of(self, metric: str) -> NDArray[np.float64]:
        """Return the scores of one metric, shape (k, m).

        Raises
        ------
        ValueError
            If it was not measured.
        """
        if metric not in self.metrics:
            raise ValueError(f"metric={metric!r} was not measured{closest(metric, self.metrics)}")
        return self.scores[:, :, self.metrics.index(metric)]

    def missing(self, metric: str) -> list[int]:
        """Return the folds where some score of a metric is not a finite number, such as the ROC of no positives."""
        return (1 + self.forward + np.flatnonzero(~np.isfinite(self.of(metric)).all(axis=1))).tolist()

    def mean_and_std(self, metric: str) -> MeanStd:
        """Return mean and sample standard deviation of one metric over the folds that have it, as in the practice."""
        whole = self._whole(metric)
        return mean_and_std(whole.mean(axis=1)) if len(whole) else MeanStd(math.nan, math.nan)

    def variance(self, metric: str) -> VarianceComponents:
        """Split the variance of one metric, over the folds that have it, into that of the folds and the executions."""
        whole = self._whole(metric)
        if len(whole) < 2:
            (k, m), (mean, std) = whole.shape, self.mean_and_std(metric)
            unknown = (math.nan, math.nan, math.nan, math.nan, "fewer than two folds have all their scores")
            return VarianceComponents(k, m, mean, std, *unknown)
        return variance_components(whole, deterministic=self.deterministic)

    def _whole(self, metric: str) -> NDArray[np.float64]:
        scores = self.of(metric)
        return scores[np.isfinite(scores).all(axis=1)]


def cross_validate_executions(
    model: Any,
    X: Any,
    y: Any,
    crossValidationIndices: Any,
    n_executions: int = 50,
    *,
    metrics: Sequence[str] | Mapping[str, Any] | None = None,
    positive: Any = None,
    normalization: str | None = None,
    forward: bool = False,
    keep_predictions: bool = False,
    keep_probabilities: bool = False,
    keep_curves: bool = False,
    random_state: RandomState = None,
    progress: Callable[[int, int], object] | None = None,
    n_jobs: int = -1,
    device: str = "auto",
) -> ModelScores:
    """Train any estimator several times in each fold, and keep every score.

    Parameters
    ----------
    model : estimator of scikit-learn
        Left as it is; a classifier, or a regressor with metrics of its own.
    X : array or table, shape (N, L)
    y : sequence, shape (N,)
        Labels; at least two classes.
    crossValidationIndices : int array, shape (N,), values 1..k, k >= 2
        The fold in which each pattern is tested; no fold may be empty.
    n_executions : int, >= 1
        Trainings in each fold; a deterministic model is trained once, see `is_deterministic`.
    metrics : sequence of names, or mapping from names to scorers, optional
        By default the seven of the practice. Other names are scorers of scikit-learn, such as "roc_auc", and the
        relative errors of `practica.evaluation.scores`; a mapping names any scorer, given as its name there or as a
        callable.
    positive : label, optional
        Which of two classes is the positive one, for the seven and for the scorers that know a `pos_label`. By default
        the first to appear for the seven, and what each scorer says, as a rule 1.
    normalization : {"minmax", "zeromean", None}
        Normalize the attributes with the parameters of the training part of each fold.
    forward : bool
        Test each fold with models of the folds before it, for folds in the order of time; the first one is not tested.
        `validationRatio` is then a fraction of the training patterns, as in `fit`.
    keep_predictions, keep_probabilities : bool
        Keep also what each execution predicts for each pattern.
    keep_curves : bool
        Keep also the confusion matrix and, of two classes, the curves of each execution.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None
        Each (fold, execution) has a seed of its own, which takes the place of every `random_state` of the model: its
        training is the same whatever `n_executions` is.
    progress : callable, optional
        Called as progress(trainings done, trainings in all), first with 0 done, then now and then.
    n_jobs : int
        Workers, as joblib counts them; threads, unless an active `joblib.parallel_config` says otherwise.
    device : {"auto", "cpu", "cuda"}
        For an `ANNClassifier`, as in `ann_cross_validation`.

    Returns
    -------
    result : ModelScores

    Raises
    ------
    ValueError
        If sizes differ, a fold is empty, there is one class, a metric is unknown, or the model cannot be trained.
    TypeError
        If the model is no estimator.

    Notes
    -----
    It equals this loop:

        for f in folds:
            for execution in range(n_executions):
                fitted = clone(model).set_params(random_state=seed(f, execution)).fit(X, y not in fold f)
                scores[f, execution] = [metric(fitted, X in fold f, y in fold f) for metric in metrics]

    An `ANNClassifier`, when it is the model itself, is trained as `ann_cross_validation` trains its networks, many at
    once where that is faster; the same seed gives the same scores. As there, `validationRatio` is a fraction of all N
    patterns, whereas a pipeline that ends in an `ANNClassifier` knows only the patterns it is fitted with.

    Examples
    --------
    >>> from practica import ANNClassifier, crossvalidation
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> folds = crossvalidation(y, 5, random_state=1)
    >>> cross_validate_executions(ANNClassifier([4, 3], maxEpochs=9), X, y, folds, 3, random_state=1).scores.shape
    (5, 3, 7)
    >>> result = cross_validate_executions(SVC(), X, y, folds, metrics=["accuracy", "f1_macro"])
    >>> result.deterministic, result.scores.shape
    (True, (5, 1, 2))
    """
    _require_estimator(model)
    deterministic = is_deterministic(model)
    count = as_integer(n_executions, "n_executions", minimum=1)
    work = _prepared(
        model, X, y, crossValidationIndices, metrics, positive, normalization, random_state, device, forward
    )
    N, C = len(work.folds), len(work.classes)
    if keep_probabilities and not (C and hasattr(model, "predict_proba")):
        raise ValueError(f"{text_of(model)} gives no probabilities: it has no predict_proba")
    first, k, m = 2 if forward else 1, int(work.folds.max()), 1 if deterministic else count
    networks = [Replica(fold, execution) for fold in range(first, k + 1) for execution in range(m)]
    n_jobs = work.trainer.n_jobs(n_jobs)
    tasks = work.trainer.tasks(networks, workers=max(1, joblib.effective_n_jobs(n_jobs)))
    shape = (k + 1 - first, m)
    of_networks = {"scores": np.empty((*shape, len(work.metrics)))}
    of_patterns: dict[str, NDArray[Any]] = {}
    if keep_predictions:
        of_patterns["predictions"] = np.zeros((m, N), dtype=work.y.dtype if C else np.float64)
    if keep_probabilities:
        of_patterns["probabilities"] = np.zeros((m, N, C))
    if keep_curves and C:
        of_networks["matrices"] = np.zeros((*shape, C, C))
    if keep_curves and C == 2:
        of_networks["curves"] = np.empty((*shape, 2, len(GRID)))
    work = dataclasses.replace(work, wanted=(*of_networks, *of_patterns))

    if progress is not None:
        progress(0, len(networks))
    for (fold, execution), outcome in in_parallel(work, tasks, n_jobs=n_jobs, progress=progress):
        for name, kept in of_networks.items():
            kept[fold - first, execution] = outcome[name]
        for name, kept in of_patterns.items():
            kept[execution, work.folds == fold] = outcome[name]
    curves = of_networks.pop("curves", None)
    return ModelScores(
        metrics=tuple(work.metrics),
        crossValidationIndices=work.folds,
        deterministic=deterministic,
        classes=work.classes,
        forward=forward,
        curves=None if curves is None else Curves(*np.moveaxis(curves, 2, 0)),
        **of_networks,
        **of_patterns,
    )


def _boosts_all(model: Any) -> bool:
    """Whether every tree sees all patterns and attributes; only of more than 200 000 patterns are the bins drawn."""
    return model.early_stopping is False and model.max_features == 1


# Estimators of scikit-learn that have a `random_state` and, with these settings, do not use it.
_IGNORES_ITS_SEED: dict[str, Callable[[Any], bool]] = {
    "SVC": lambda model: model.probability is not True,
    "NuSVC": lambda model: model.probability is not True,
    "LogisticRegression": lambda model: model.solver not in ("sag", "saga", "liblinear"),
    "DummyClassifier": lambda model: model.strategy not in ("stratified", "uniform"),
    "RidgeClassifier": lambda model: model.solver not in ("auto", "sag", "saga"),
    **dict.fromkeys(("HistGradientBoostingClassifier", "HistGradientBoostingRegressor"), _boosts_all),
}


def is_deterministic(model: Any) -> bool:
    """Tell whether an estimator trained again on the same patterns gives the same model.

    Parameters
    ----------
    model : estimator of scikit-learn

    Returns
    -------
    deterministic : bool
        True if neither it nor any part of it has a parameter `random_state`, or those that do are known not to use it:
        an SVC without `probability`, linear models with a solver that is no stochastic gradient, boosting by histograms
        without `early_stopping`, and the rules of a DummyClassifier that draw nothing. A `random_state` that is set
        counts as chance too: another number would give another model.

    Notes
    -----
    Chance that no parameter `random_state` shows is not seen, such as that of a splitter inside a search.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.svm import SVC
    >>> [is_deterministic(model) for model in (KNeighborsClassifier(), SVC(), RandomForestClassifier(random_state=1))]
    [True, True, False]
    """
    parameters = {"": model, **model.get_params(deep=True)}
    owners = [parameters[name.rpartition("__")[0]] for name in _seeds_of(model)]
    return all(_ignores_its_seed(owner) for owner in owners)


def _ignores_its_seed(model: Any) -> bool:
    rule = _IGNORES_ITS_SEED.get(type(model).__name__)
    return rule is not None and type(model).__module__.startswith("sklearn.") and rule(model)


def _seeds_of(model: Any) -> list[str]:
    return sorted(name for name in model.get_params(deep=True) if name.rpartition("__")[2] == "random_state")


def _require_estimator(model: Any) -> None:
    if isinstance(model, type) or not all(hasattr(model, name) for name in ("fit", "predict", "get_params")):
        kind = "class; make an object of it" if isinstance(model, type) else type(model).__name__
        raise TypeError(f"model={model!r} is a {kind}; it must be an estimator such as ANNClassifier([8])")


def text_of(model: Any) -> str:
    """Return an estimator and its parameters in one line."""
    return " ".join(repr(model).split())


class _Fitted(NamedTuple):
    """A trained model, and the inputs it is to be tested with."""

    network: Replica
    model: Any
    inputs: Any
    test: NDArray[np.intp]


@dataclass(frozen=True)
class _Networks:
    """Trains `ANNClassifier`s as the networks of a cross-validation, many at once where that is faster."""

    model: ANNClassifier
    classes: NDArray[Any]
    trainer: Trainer

    def n_jobs(self, wanted: int) -> int:
        return self.trainer.n_jobs(wanted)

    def tasks(self, networks: Sequence[Replica], workers: int) -> list[Sequence[Replica]]:
        return self.trainer.tasks(networks, workers)

    def fitted(self, networks: Sequence[Replica]) -> Iterator[_Fitted]:
        parameters = self.model.get_params(deep=False)
        for network, module, patterns, _ in self.trainer.trained(networks):
            model = ANNClassifier.holding(module(), self.classes, **parameters)
            yield _Fitted(network, model, patterns.inputs[patterns.test], patterns.test)


@dataclass(frozen=True)
class _Estimators:
    """Trains any estimator, one after the other."""

    model: Any
    X: Any
    y: NDArray[Any]
    folds: NDArray[np.int64]
    normalize: Normalizer | None
    seeds: SeedTree
    forward: bool

    def n_jobs(self, wanted: int) -> int:
        return wanted

    def tasks(self, networks: Sequence[Replica], workers: int) -> list[Sequence[Replica]]:
        """Cut the work: several tasks for each worker, since some may take longer than others."""
        size = math.ceil(len(networks) / (8 * workers))
        return [networks[start : start + size] for start in range(0, len(networks), size)]

    def fitted(self, networks: Sequence[Replica]) -> Iterator[_Fitted]:
        for network in networks:
            others = self.folds < network.fold if self.forward else self.folds != network.fold
            training, test = np.flatnonzero(others), np.flatnonzero(self.folds == network.fold)
            X = self.X if self.normalize is None else self.normalize(self.X, training)
            model = self._with_seed_of(network)
            with _naming(network, self.model, "be trained"):
                model.fit(rows_at(X, training), self.y[training])
            yield _Fitted(network, model, rows_at(X, test), test)

    def _with_seed_of(self, network: Replica) -> Any:
        generator = self.seeds.generator(*network)
        return clone(self.model).set_params(
            **{name: int(generator.integers(2**31)) for name in _seeds_of(self.model)}  # what scikit-learn takes
        )


@contextmanager
def _naming(network: Replica, model: Any, doing: str) -> Iterator[None]:
    """Say which model of which fold cannot do it, before what scikit-learn says."""
    try:
        yield
    except (ValueError, TypeError) as error:
        where = f"fold {network.fold}, execution {network.execution + 1}"
        raise ValueError(f"{where}: {text_of(model)} cannot {doing}: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


@dataclass(frozen=True)
class _Work:
    """What a worker does with some networks; it travels between processes.

    A metric without a scorer is one of the practice's seven; `wanted` are the methods whose answers are kept.
    """

    trainer: _Networks | _Estimators
    y: NDArray[Any]
    folds: NDArray[np.int64]
    classes: NDArray[Any]
    metrics: dict[str, Scorer | None]
    wanted: tuple[str, ...] = ()

    def __call__(self, networks: Sequence[Replica]) -> list[tuple[Replica, dict[str, Any]]]:
        return [(fitted.network, self._outcome(fitted)) for fitted in self.trainer.fitted(networks)]

    def _outcome(self, fitted: _Fitted) -> dict[str, Any]:
        with _naming(fitted.network, self.trainer.model, "predict"):
            predicted = np.asarray(fitted.model.predict(fitted.inputs))
        return {name: getattr(self, name)(fitted, predicted) for name in self.wanted}

    def scores(self, fitted: _Fitted, predicted: NDArray[Any]) -> list[float]:
        """Return every metric."""
        targets, classes = self.y[fitted.test], self.classes.tolist()
        seven: Mapping[str, float] = {}
        if None in self.metrics.values():
            outputs, truth = (one_hot_encoding(labels, classes) for labels in (predicted, targets))
            seven = confusion_matrix(outputs, truth)._asdict()
        return [
            seven[name] if scorer is None else self._score(name, scorer, fitted, targets)
            for name, scorer in self.metrics.items()
        ]

    def _score(self, name: str, scorer: Scorer, fitted: _Fitted, targets: NDArray[Any]) -> float:
        """Return one score: NaN where a class that it needs is missing from the fold, or from what was trained with."""
        try:
            return float(scorer(fitted.model, fitted.inputs, targets))
        except (ValueError, TypeError, AttributeError) as error:
            known = getattr(fitted.model, "classes_", self.classes)
            if min(len(set(targets.tolist())), len(known)) < len(self.classes):
                return math.nan
            raise ValueError(f"metric {name!r} cannot be measured: {_first_line(error)}") from error

    def predictions(self, fitted: _Fitted, predicted: NDArray[Any]) -> NDArray[Any]:
        """Return the predictions as they are."""
        return predicted

    def probabilities(self, fitted: _Fitted, predicted: NDArray[Any]) -> NDArray[np.float64]:
        """Return the probability of each class of the whole set."""
        given = fitted.model.predict_proba(fitted.inputs)
        result = np.zeros((len(given), len(self.classes)))
        result[:, class_numbers(as_array(fitted.model.classes_, "classes"), self.classes.tolist())] = given
        return result

    def matrices(self, fitted: _Fitted, predicted: NDArray[Any]) -> NDArray[np.int64]:
        """Return the confusion matrix of all the classes."""
        names = self.classes.tolist()
        return count_pairs(class_numbers(predicted, names), class_numbers(self.y[fitted.test], names), len(names))

    def curves(self, fitted: _Fitted, predicted: NDArray[Any]) -> Any:
        """Return the curves of two classes; NaN for a model that does not say how sure it is, or knows only one."""
        model, positive = fitted.model, self.classes[0]
        known = list(getattr(model, "classes_", ()))
        if len(known) == 2 and hasattr(model, "predict_proba"):
            scores = model.predict_proba(fitted.inputs)[:, known.index(positive)]
        elif len(known) == 2 and hasattr(model, "decision_function"):
            scores = model.decision_function(fitted.inputs) * (1 if known[1] == positive else -1)
        else:
            return math.nan
        return np.stack(curves_of(self.y[fitted.test] == positive, scores))


def _prepared(
    model: Any,
    X: Any,
    y: Any,
    crossValidationIndices: Any,
    metrics: Sequence[str] | Mapping[str, Any] | None,
    positive: Any,
    normalization: str | None,
    random_state: RandomState,
    device: str,
    forward: bool,
) -> _Work:
    """Check what the caller gave; return what trains the models and scores them."""
    labels, folds = as_labels(y, "y"), as_folds(crossValidationIndices)
    inputs = X if hasattr(X, "shape") else as_array(X, "X")
    require_equal_lengths(X=np.arange(inputs.shape[0]), y=labels, crossValidationIndices=folds)
    classes = labels[:0]
    if is_classifier(model):
        as_classes(labels)
        classes = labels[np.unique(number_classes(labels)[1], return_index=True)[1]]
    scorers, ordered = _as_metrics(metrics, model), classes
    if positive is not None:
        scorers = {name: scorer and _about(scorer, positive) for name, scorer in scorers.items()}
        ordered = _with_first(positive, classes)
    if type(model) is ANNClassifier and not forward:
        options = {**model.get_params(deep=False), "random_state": random_state}
        del options["warm_start"]  # each network is new
        trainer, _ = checked_trainer(
            options.pop("topology"), inputs, labels, folds, normalization=normalization, device=device, **options
        )
        return _Work(_Networks(model, classes, trainer), labels, folds, ordered, scorers)
    normalize = normalizer(normalization)
    if normalize is not None:
        inputs, _, _ = as_patterns_in_folds(inputs, labels, folds)
    estimators = _Estimators(model, inputs, labels, folds, normalize, SeedTree(random_state), forward)
    return _Work(estimators, labels, folds, ordered, scorers)


def _with_first(positive: Any, classes: NDArray[Any]) -> NDArray[Any]:
    known = classes.tolist()
    if len(known) != 2 or positive not in known:
        raise ValueError(f"positive={positive!r} must be one of two classes; these are {shortened(known)}")
    return classes if known[0] == positive else classes[::-1]


def _about(scorer: Any, positive: Any) -> Scorer:
    """Tell a scorer of scikit-learn which class it is about, unless it is about all or says it itself."""
    given = getattr(scorer, "_kwargs", {})
    if "pos_label" in given or given.get("average", "binary") != "binary":
        return scorer
    if "pos_label" not in inspect.signature(getattr(scorer, "_score_func", scorer)).parameters:
        return scorer
    told = copy.copy(scorer)
    told._kwargs = {**given, "pos_label": positive}
    return told


def _as_metrics(metrics: Sequence[str] | Mapping[str, Any] | None, model: Any) -> dict[str, Scorer | None]:
    """Return the scorer of each metric, None for one of the practice's seven."""
    if isinstance(metrics, str):
        raise TypeError(f"metrics={metrics!r} is a single name; it must be a list of them")
    if isinstance(metrics, Mapping):
        chosen: dict[str, Scorer | None] = {name: _as_scorer(scorer) for name, scorer in metrics.items()}
    else:
        names = Metrics._fields if metrics is None else metrics
        chosen = {name: None if name in Metrics._fields else _as_scorer(name) for name in names}
    if None in chosen.values() and not is_classifier(model):
        raise ValueError(f"{text_of(model)} is no classifier: name metrics of regressors, such as metrics=['r2']")
    if not chosen:
        raise ValueError("metrics is empty; there must be at least one")
    return chosen


def _as_scorer(scorer: Any) -> Scorer:
    if isinstance(scorer, str) and scorer in ERRORS:
        return make_scorer(ERRORS[scorer])
    if isinstance(scorer, str) and scorer not in get_scorer_names():
        raise ValueError(
            f"metric {scorer!r} is unknown{closest(scorer, [*Metrics._fields, *ERRORS, *get_scorer_names()])}"
        )
    return get_scorer(scorer)
