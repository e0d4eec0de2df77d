"""Many executions of any estimator in each fold, and every score of them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier

from practica.evaluation.classifier import ANNClassifier
from practica.evaluation.curves import Curves
from practica.evaluation.estimators import (
    Estimator,
    Inputs,
    is_deterministic,
    require_estimator,
    text_of,
)
from practica.evaluation.executions import Estimators, Networks, Work, network_of
from practica.evaluation.folds import repetitions_of
from practica.evaluation.scoring import MetricNames, as_scorers, with_first
from practica.evaluation.splits import as_inputs
from practica.evaluation.variance import VarianceComponents, variance_components
from practica.reference.arguments import (
    Array,
    Floats,
    Integers,
    Label,
    Labels,
    as_integer,
    as_labels,
    closest,
    require_equal_lengths,
)
from practica.reference.cross_validation import (
    MeanStd,
    Normalizer,
    Progress,
    as_classes,
    as_patterns_in_folds,
    checked_trainer,
    mean_and_std,
    normalizer,
)
from practica.reference.encoding import number_classes
from practica.reference.partition import Folds
from practica.reference.randomness import RandomState, SeedTree, as_generator
from practica.reference.trainers import Replica, in_parallel

__all__ = ["ModelScores", "cross_validate_executions", "is_deterministic", "text_of"]


@dataclass(frozen=True, eq=False)
class ModelScores:
    """Every score of a model: fold × execution × metric.

    Attributes
    ----------
    metrics : tuple of str
    scores : float array, shape (k, m, metrics)
        m is 1 for a deterministic model. If `forward`, shape (k − 1, m, metrics): the first fold is
        not tested. Of repeated folds, shape (times·k, m, metrics): all folds of a repetition, then
        those of the next one.
    crossValidationIndices : int array, shape (N,) or (times, N), values 1..k
    deterministic : bool
        Whether training it again on the same patterns would give the same model, so that it was
        trained once.
    classes : array, shape (C,)
        In order of first appearance, but of two the positive one first. Empty for a regressor.
    predictions : array, shape (m, N), or None
        What each execution predicts for each pattern, in the fold that tests it; (times·m, N) of
        repeated folds.
    probabilities : float array, shape (m, N, C) or (times·m, N, C), or None
        In the order of `classes`; 0 for a class that the training part of a fold did not have.
    forward : bool
        Whether each fold was tested with models of the folds before it, rather than of all the
        others.
    matrices : float array, shape (k, m, C, C), or None
        Confusion matrices, real classes in rows, in the order of `classes`.
    curves : Curves of arrays, shape (k, m, 101), or None
        ROC and precision-recall of two classes, and the areas below them, shape (k, m).
    undefined : int array, shape (k, 7, C), or None
        In how many executions of a fold each of the practice's seven metrics was 0/0, which counts
        as 1, because of which class, in the order of `classes`. None without the seven.
    unended : int array, shape (k,), or None
        How many networks of a fold ended at `maxEpochs`, before validation could end them. None for
        other models.
    """

    metrics: tuple[str, ...]
    scores: Floats
    crossValidationIndices: Integers
    deterministic: bool
    classes: Array
    predictions: Array | None = None
    probabilities: Floats | None = None
    forward: bool = False
    matrices: Floats | None = None
    curves: Curves | None = None
    undefined: Integers | None = None
    unended: Integers | None = None

    @property
    def folds(self) -> Folds:
        """The folds of the index vector, or of its first repetition."""
        return Folds(np.atleast_2d(self.crossValidationIndices)[0], self.forward)

    @property
    def repetitions(self) -> int:
        """How often the cross-validation was repeated, each time on other folds.

        1 for a single one.
        """
        return len(np.atleast_2d(self.crossValidationIndices))

    def of(self, metric: str) -> Floats:
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
        """Return the folds where some score of a metric is not a finite number, such as the area
        below the ROC without positives.

        Fold k + 1 is the first one of the second repetition.
        """
        return (
            1 + self.forward + np.flatnonzero(~np.isfinite(self.of(metric)).all(axis=1))
        ).tolist()

    def mean_and_std(self, metric: str) -> MeanStd:
        """Return mean and sample standard deviation of one metric over the folds that have it, as
        in the practice.
        """
        whole = self._whole(metric)
        return mean_and_std(whole.mean(axis=1)) if len(whole) else MeanStd(math.nan, math.nan)

    def variance(self, metric: str) -> VarianceComponents:
        """Split the variance of one metric, over the folds that have it, into that of the folds and
        the executions.
        """
        whole = self._whole(metric)
        if len(whole) < 2:
            (k, m), (mean, std) = whole.shape, self.mean_and_std(metric)
            nan, reason = math.nan, "fewer than two folds have all their scores"
            return VarianceComponents(k, m, mean, std, nan, nan, nan, nan, reason)
        return variance_components(whole, deterministic=self.deterministic)

    def _whole(self, metric: str) -> Floats:
        scores = self.of(metric)
        return scores[np.isfinite(scores).all(axis=1)]


def cross_validate_executions(
    model: Estimator,
    X: Inputs,
    y: Labels,
    crossValidationIndices: ArrayLike | Folds,
    n_executions: int = 50,
    *,
    metrics: MetricNames = None,
    positive: Label = None,
    normalization: str | Normalizer | None = None,
    forward: bool = False,
    keep_predictions: bool = False,
    keep_probabilities: bool = False,
    keep_curves: bool = False,
    random_state: RandomState = None,
    progress: Progress | None = None,
    n_jobs: int = -1,
    device: str = "cpu",
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
        The fold in which each pattern is tested; no fold may be empty. Or several, shape (times,
        N), as `repeated_folds` returns: the cross-validation is repeated.
    n_executions : int, >= 1
        Trainings in each fold; a deterministic model is trained once, see `is_deterministic`.
    metrics : sequence of names, or mapping from names to scorers, optional
        By default the seven of the practice. Other names are scorers of scikit-learn, such as
        "roc_auc", and the relative errors of `practica.evaluation.scores`; a mapping names any
        scorer, given as its name there or as a callable.
    positive : label, optional
        Which of two classes is the positive one, for the seven and for the scorers that know a
        `pos_label`. By default the first to appear for the seven, and what each scorer says, as a
        rule 1.
    normalization : {"minmax", "zeromean", None}, or callable
        Normalize the attributes with the parameters of the training part of each fold. A function
        of your own gets all attributes and the positions of the training patterns, and returns all
        attributes prepared; `Imputation` is one that fills holes.
    forward : bool
        Test each fold with models of the folds before it, for folds in the order of time; the first
        one is not tested. `validationRatio` is then a fraction of the training patterns, as in
        `fit`.
    keep_predictions, keep_probabilities : bool
        Keep also what each execution predicts for each pattern.
    keep_curves : bool
        Keep also the confusion matrix and, of two classes, the curves of each execution.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None
        Each (fold, execution) has a seed of its own, which takes the place of every `random_state`
        of the model: its training is the same regardless of `n_executions`, and in the first
        repetition regardless of how many there are.
    progress : callable, optional
        Called as progress(trainings done, trainings in all), first with 0 done, then now and then.
    n_jobs : int
        Workers, as joblib counts them; threads, unless an active `joblib.parallel_config` says
        otherwise.
    device : {"cpu", "cuda"}
        For an `ANNClassifier`, as in `ann_cross_validation`.

    Returns
    -------
    result : ModelScores

    Raises
    ------
    ValueError
        If sizes differ, a fold is empty, there is one class, a metric is unknown, or the model
        cannot be trained.
    TypeError
        If the model is not an estimator.

    Notes
    -----
    It equals this loop::

        for f in folds:
            for execution in range(n_executions):
                fitted = clone(model).set_params(random_state=seed(f, execution))
                fitted.fit(X, y not in fold f)
                scores[f, execution] = [
                    metric(fitted, X in fold f, y in fold f) for metric in metrics
                ]

    An `ANNClassifier`, when it is the model itself, is trained as `ann_cross_validation` trains its
    networks, many at once where that is faster; the same seed gives the same scores. As there,
    `validationRatio` is a fraction of all N patterns, whereas a pipeline that ends in an
    `ANNClassifier` knows only the patterns it is fitted with.

    Examples
    --------
    >>> from practica import ANNClassifier, crossvalidation
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> folds = crossvalidation(y, 5, random_state=1)
    >>> cross_validate_executions(
    ...     ANNClassifier([4, 3], maxEpochs=9), X, y, folds, 3, random_state=1
    ... ).scores.shape
    (5, 3, 7)
    >>> result = cross_validate_executions(SVC(), X, y, folds, metrics=["accuracy", "f1_macro"])
    >>> result.deterministic, result.scores.shape
    (True, (5, 1, 2))
    """
    require_estimator(model)
    deterministic = is_deterministic(model)
    count = as_integer(n_executions, "n_executions", minimum=1)
    labels, (folds, *others) = (
        as_labels(y, "y"),
        repetitions_of(crossValidationIndices, forward=forward),
    )
    if others:
        # the first repetition takes from it what a single one would
        generator = as_generator(random_state)
        return _joined(
            [
                cross_validate_executions(
                    model,
                    X,
                    y,
                    each,
                    count,
                    metrics=metrics,
                    positive=positive,
                    normalization=normalization,
                    keep_predictions=keep_predictions,
                    keep_probabilities=keep_probabilities,
                    keep_curves=keep_curves,
                    random_state=generator,
                    progress=progress and _part_of(progress, repetition, 1 + len(others)),
                    n_jobs=n_jobs,
                    device=device,
                )
                for repetition, each in enumerate([folds, *others])
            ]
        )
    inputs = as_inputs(X)
    require_equal_lengths(X=range(inputs.shape[0]), y=labels, crossValidationIndices=folds)
    if is_classifier(model):
        labels, classes = _labels_and_classes(labels, folds)
    else:
        classes = labels[:0]
    scorers = as_scorers(metrics, model, positive)
    ordered = classes if positive is None else with_first(positive, classes)
    m = 1 if deterministic else count
    trainer = _trainer(model, classes, inputs, labels, folds, normalization, random_state, device)
    C = len(classes)
    if keep_probabilities and not (C and hasattr(model, "predict_proba")):
        raise ValueError(f"{text_of(model)} gives no probabilities: it has no predict_proba")
    answers = {
        "scores": True,
        "undefined": None in scorers.values(),
        "matrices": keep_curves and C > 0,
        "curves": keep_curves and C == 2,
        "predictions": keep_predictions,
        "probabilities": keep_probabilities,
        "unended": network_of(model) is not None,
    }
    work = Work(
        trainer,
        labels,
        folds,
        ordered,
        scorers,
        tuple(name for name, kept in answers.items() if kept),
    )
    results = work.empty_results(m)

    networks = [Replica(fold, execution) for fold in folds.tested for execution in range(m)]
    n_jobs = trainer.n_jobs(n_jobs)
    tasks = trainer.tasks(networks, workers=max(1, joblib.effective_n_jobs(n_jobs)))
    if progress is not None:
        progress(0, len(networks))
    networks_of_torch = isinstance(trainer, Networks)
    for (fold, execution), outcome in in_parallel(
        work, tasks, n_jobs=n_jobs, progress=progress, of_torch=networks_of_torch
    ):
        for name, values in outcome.items():
            of_patterns = name in ("predictions", "probabilities")
            place = (
                (execution, folds.indices == fold)
                if of_patterns
                else (fold - folds.tested[0], execution)
            )
            results[name][place] = values
    kept: dict[str, Any] = dict(results)
    for name in {"undefined", "unended"} & kept.keys():
        kept[name] = kept[name].sum(axis=1)
    if "curves" in kept:
        kept["curves"] = Curves.unstacked(kept["curves"])
    return ModelScores(
        metrics=tuple(scorers),
        crossValidationIndices=folds.indices,
        deterministic=deterministic,
        classes=ordered,
        forward=forward,
        **kept,
    )


def _part_of(progress: Progress, repetition: int, times: int) -> Progress:
    """Return the callback of one of `times` repetitions, which reports the progress of all of
    them.
    """
    return lambda done, trainings: progress(repetition * trainings + done, times * trainings)


def _joined(repetitions: Sequence[ModelScores]) -> ModelScores:
    """Return the scores of all repetitions, one after the other."""
    first = repetitions[0]
    joined: dict[str, Any] = {
        "crossValidationIndices": np.stack(
            [repetition.crossValidationIndices for repetition in repetitions]
        )
    }
    for name in ("scores", "predictions", "probabilities", "matrices", "undefined", "unended"):
        if getattr(first, name) is not None:
            joined[name] = np.concatenate([getattr(repetition, name) for repetition in repetitions])
    if first.curves is not None:
        curves = [
            repetition.curves.stacked()
            for repetition in repetitions
            if repetition.curves is not None
        ]
        joined["curves"] = Curves.unstacked(np.concatenate(curves))
    return dataclasses.replace(first, **joined)


def _labels_and_classes(labels: Array, folds: Folds) -> tuple[Array, Array]:
    """Return the labels, with equal ones written alike, and the classes in order of first
    appearance.
    """
    as_classes(labels, folds)
    _, numbers = number_classes(labels)
    classes = labels[np.unique(numbers, return_index=True)[1]]
    if labels.dtype == object and all(
        isinstance(label, int | float) for label in classes
    ):  # scikit-learn takes no others
        classes = np.array(classes.tolist(), dtype=np.float64 if any(classes % 1) else np.int64)
    return classes[numbers], classes


def _trainer(
    model: Estimator,
    classes: Array,
    inputs: Inputs,
    labels: Array,
    folds: Folds,
    normalization: str | Normalizer | None,
    random_state: RandomState,
    device: str,
) -> Networks | Estimators:
    """Return the trainer of a model: that of many networks at once, or that of any estimator."""
    if type(model) is ANNClassifier and not folds.forward:
        options = {**model.options(), "random_state": random_state}
        del options["warm_start"]  # each network is new
        own = options.pop("device")
        options |= {"normalization": normalization, "device": device if own == "cpu" else own}
        trainer, _ = checked_trainer(options.pop("topology"), inputs, labels, folds, **options)
        return Networks(model, classes, trainer)
    normalize = normalizer(normalization)
    if normalize is not None:
        inputs, _, _ = as_patterns_in_folds(
            inputs, labels, folds, whole=not callable(normalization)
        )
    return Estimators(model, inputs, labels, folds, normalize, SeedTree(random_state))
