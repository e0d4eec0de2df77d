"""Compare models on the same folds: how good each one is, how sure that is, and which differences
are real.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from practica.evaluation.classifier import ANNClassifier
from practica.evaluation.curves import Curves
from practica.evaluation.estimators import Estimator, Inputs, text_of
from practica.evaluation.folds import as_indices, fingerprint, repetitions_of, require_same_folds
from practica.evaluation.imputation import Imputation
from practica.evaluation.model_scores import ModelScores, cross_validate_executions
from practica.evaluation.scoring import ERRORS, MetricNames
from practica.evaluation.significance import (
    DifferenceTest,
    Probabilities,
    corrected_t_test,
    holm,
    paired_t_test,
)
from practica.evaluation.specs import model_of
from practica.evaluation.variance import VarianceComponents
from practica.reference.arguments import Array, Floats, Integers, Label, Labels, closest
from practica.reference.cross_validation import Normalizer
from practica.reference.metrics import Metrics
from practica.reference.partition import Folds
from practica.reference.randomness import RandomState

__all__ = [
    "Comparison",
    "Difference",
    "compare",
    "finite",
    "load_comparison",
    "place_of",
    "sign_of",
]

# scorers of scikit-learn are all better when higher
_LOWER_IS_BETTER = frozenset({"errorRate", *ERRORS})


Models: TypeAlias = "Mapping[str, str | Estimator] | Iterable[str | Estimator]"


class Difference(NamedTuple):
    """A model against another one, in one metric.

    Attributes
    ----------
    model, reference : str
        All differences are those of `model` less those of `reference`.
    corrected, plain : DifferenceTest
        The corrected resampled t-test, and the plain paired one, which finds too many differences.
    holm : float
        The corrected p-value, adjusted for all models against a reference that was named, or for
        all pairs of models if the reference is the best one.
    interval : (float, float)
        95 % interval of the corrected test, simultaneous for as many tests: it includes 0 wherever
        `holm` is above .05.
    probabilities : Probabilities
        That `model` is worse than, practically equal to, or better than `reference`, after the
        corrected test.
    """

    model: str
    reference: str
    corrected: DifferenceTest
    plain: DifferenceTest
    holm: float
    interval: tuple[float, float]
    probabilities: Probabilities


@dataclass(frozen=True, eq=False)
class Comparison:
    """The scores of several models on one index vector.

    Attributes
    ----------
    results : dict of ModelScores
        By the name of the model.
    descriptions : dict of str
        Each model with its parameters, where they are known.
    seconds : dict of float
        How long each one took, where it was measured.
    settings : dict
        What else decided the result: executions, normalization and random_state.

    Raises
    ------
    ValueError
        If there are no models, or two were not tested on the same folds or not with the same
        metrics.
    """

    results: Mapping[str, ModelScores]
    descriptions: Mapping[str, str] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.results:
            raise ValueError("there are no models to compare")
        (first, reference), *others = self.results.items()
        for name, result in others:
            require_same_folds(
                reference.crossValidationIndices,
                result.crossValidationIndices,
                (repr(first), repr(name)),
            )
            if result.forward != reference.forward:
                raise ValueError(
                    f"one of {first!r} and {name!r} was trained with the folds before, the other"
                    " with all"
                )
            if result.metrics != reference.metrics:
                raise ValueError(
                    f"{first!r} was measured with {reference.metrics} and {name!r} with"
                    f" {result.metrics}; all models need the same metrics"
                )

    @property
    def folds(self) -> Folds:
        """The folds on which all models were tested; those of the first repetition if there are
        several.
        """
        return self._first.folds

    @property
    def repetitions(self) -> int:
        """How often the cross-validation was repeated, each time on other folds.

        1 for a single one.
        """
        return self._first.repetitions

    @property
    def crossValidationIndices(self) -> Integers:
        """The fold in which each pattern was tested, shape (N,); (times, N) of repeated folds."""
        return self._first.crossValidationIndices

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that were measured."""
        return self._first.metrics

    @property
    def classes(self) -> Array:
        """The classes, shape (C,), of two the positive one first; empty for regressors."""
        return self._first.classes

    @property
    def _first(self) -> ModelScores:
        return next(iter(self.results.values()))

    def of(self, metric: str = "accuracy") -> dict[str, Floats]:
        """Return the scores of each model in one metric, shape (k, m).

        (times·k, m) of repeated folds.
        """
        return {name: result.of(metric) for name, result in self.results.items()}

    def renamed(self, names: Mapping[str, str]) -> Comparison:
        """Return the same comparison with other names of its models."""

        def named(part: Mapping[str, Any]) -> dict[str, Any]:
            return {names.get(name, name): each for name, each in part.items()}

        parts = named(self.results), named(self.descriptions), named(self.seconds)
        return Comparison(*parts, self.settings)

    def missing(self, metric: str = "accuracy") -> dict[str, list[int]]:
        """Return, for each model that has any, the folds in which a score of it is not a finite
        number.
        """
        folds = {name: result.missing(metric) for name, result in self.results.items()}
        return {name: missing for name, missing in folds.items() if missing}

    def variances(self, metric: str = "accuracy") -> dict[str, VarianceComponents]:
        """Return, for each model, the mean of its scores and the components of their variance."""
        return {name: result.variance(metric) for name, result in self.results.items()}

    def best(self, metric: str = "accuracy") -> str:
        """Return the model with the best mean, the first of equal ones; a model that lacks a score
        only if all do.
        """
        missing = self.missing(metric)

        def place(name: str) -> tuple[bool, float]:
            mean = self.results[name].mean_and_std(metric).mean
            return name in missing, place_of(mean, metric)

        return min(self.results, key=place)

    def differences(
        self, metric: str = "accuracy", *, region: float = 0.01, reference: str | None = None
    ) -> list[Difference]:
        """Test each model against a reference.

        Parameters
        ----------
        metric : str
        region : float, units of the metric, >= 0
            Differences of at most this size are of no practical importance.
        reference : str, optional
            Name it before you see the scores. By default it is the model with the best mean.

        Returns
        -------
        differences : list of Difference
            One for each other model. If a score of one of the two is not a number, there is no
            test, only its reason.

        Raises
        ------
        ValueError
            If the metric was not measured, or there is no such model.

        Notes
        -----
        The observations are the means of the folds: executions bring no new patterns. With k folds
        the variance of the mean is (1/k + 1/(k − 1)) times that of the differences, also with
        repetitions, which add no patterns: see `corrected_t_test`. Forward in time, the second term
        is the mean ratio of test to training set. A reference that came out best was chosen by the
        same scores: each pair of models might have been shown, and so the p-values are adjusted for
        all of them. The probabilities are not adjusted.
        """
        against = self.best(metric) if reference is None else reference
        if against not in self.results:
            raise ValueError(
                f"reference={against!r} is no model of this"
                f" comparison{closest(against, self.results)}"
            )
        means = {name: scores.mean(axis=1) for name, scores in self.of(metric).items()}
        others = [name for name in self.results if name != against]
        missing, k = self.missing(metric), len(means[against])
        ratio = self.results[against].folds.test_to_train

        def tested(name: str, other: str, test: Callable[..., DifferenceTest]) -> DifferenceTest:
            if name in missing or other in missing:
                return DifferenceTest(math.nan, math.nan, k - 1, math.nan, math.nan)
            return test(means[name], means[other])

        correct = functools.partial(
            corrected_t_test, test_to_train=ratio, repetitions=self.repetitions
        )
        corrected = [tested(name, against, correct) for name in others]
        pairs = [] if reference is not None else itertools.combinations(others, 2)
        elsewhere = [tested(*pair, correct).p_value for pair in pairs]
        p_values = [*(test.p_value for test in corrected), *elsewhere]
        adjusted = holm(p_values)[: len(others)] if others else ()
        return [
            Difference(
                name,
                against,
                test,
                tested(name, against, paired_t_test),
                float(p_value),
                test.interval(tests=len(p_values)),
                _probabilities(test, region, metric),
            )
            for name, test, p_value in zip(others, corrected, adjusted, strict=True)
        ]

    def record(self) -> dict[str, Any]:
        """Return the comparison as dictionaries, lists, strings and numbers, for JSON;
        `load_comparison` reads them.
        """
        return {
            "settings": dict(self.settings),
            "classes": [
                label if isinstance(label, str | int | float | bool) else str(label)
                for label in self.classes.tolist()
            ],
            "sha256": fingerprint(self.crossValidationIndices),
            "crossValidationIndices": self.crossValidationIndices.tolist(),
            "metrics": list(self.metrics),
            "models": {
                name: {
                    "model": self.descriptions.get(name, name),
                    "deterministic": result.deterministic,
                    "scores": _with_none(result.scores),
                    "undefined": _undefined(result),
                    **({} if result.unended is None else {"unended": result.unended.tolist()}),
                    "seconds": self.seconds.get(name),
                    **(
                        {}
                        if result.matrices is None
                        else {"matrices": result.matrices.astype(int).tolist()}
                    ),
                    **(
                        {}
                        if result.curves is None
                        else {"curves": _with_none(result.curves.stacked())}
                    ),
                }
                for name, result in self.results.items()
            },
        }


def _undefined(result: ModelScores) -> dict[str, dict[str, list[int]]]:
    """Return, by metric and class, in how many executions of each fold the metric was 0/0; those
    that never were are left out.
    """
    counts = np.zeros((0, 7, 0)) if result.undefined is None else result.undefined
    labels = list(map(str, result.classes.tolist()))
    return {
        metric: {labels[c]: of_metric[:, c].tolist() for c in np.flatnonzero(of_metric.any(axis=0))}
        for metric, of_metric in zip(Metrics._fields, np.moveaxis(counts, 1, 0), strict=True)
        if of_metric.any()
    }


def _with_none(array: Floats) -> list[Any]:
    """Return an array as nested lists, with None for each number that is not finite."""
    numbers = array.astype(object)
    numbers[~np.isfinite(array)] = None
    return numbers.tolist()


def finite(number: float) -> float | None:
    """Return a number as JSON can hold it: None if it is not finite."""
    return number if math.isfinite(number) else None


def sign_of(metric: str) -> int:
    """Return 1 for a metric that is better when higher, and -1 for one that is better when
    lower.
    """
    return -1 if metric in _LOWER_IS_BETTER else 1


def place_of(mean: float, metric: str) -> float:
    """Return a key that sorts means or differences of a metric: the best first, NaN last."""
    return math.inf if math.isnan(mean) else -sign_of(metric) * mean


def _probabilities(test: DifferenceTest, region: float, metric: str) -> Probabilities:
    probabilities = test.probabilities(region)
    return probabilities if sign_of(metric) > 0 else Probabilities(*reversed(probabilities))


def compare(
    models: Models,
    X: Inputs,
    y: Labels,
    crossValidationIndices: ArrayLike | Folds,
    n_executions: int = 50,
    *,
    metrics: MetricNames = None,
    positive: Label = None,
    normalization: str | Normalizer | None = None,
    forward: bool = False,
    keep_curves: bool = False,
    random_state: RandomState = None,
    progress: Callable[[str, int, int], object] | None = None,
    checkpoint: Callable[[Comparison], object] | None = None,
    n_jobs: int = -1,
    device: str = "cpu",
) -> Comparison:
    """Compare models on the same folds.

    Parameters
    ----------
    models : mapping from names to models, or iterable of models
        Estimators of scikit-learn, or strings such as "ann:16,8" and "svm:C=1", see
        `practica.evaluation.specs`. Without names, a string is its own name.
    X, y, crossValidationIndices, n_executions, metrics, positive
        As in `cross_validate_executions`.
    normalization, forward, keep_curves, random_state, n_jobs, device
        As there too.
    progress : callable, optional
        Called as progress(name of the model, trainings done, trainings in all).
    checkpoint : callable, optional
        Called after each model with the comparison of those that are done; a later one that fails
        takes nothing away.

    Returns
    -------
    comparison : Comparison
        Its models in the order given.

    Raises
    ------
    ValueError
        If two models have one name, and as `cross_validate_executions`.

    Notes
    -----
    With an integer `random_state`, execution e of fold f has the same seed in all models. Networks
    run last: what is wrong with the data shows in the quick models, before minutes of training.

    Examples
    --------
    >>> from practica import crossvalidation
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> comparison = compare(["knn:5", "majority"], X, y, crossvalidation(y, 10, random_state=1))
    >>> comparison.best()
    'knn:5'
    >>> (difference,) = comparison.differences()
    >>> difference.model, round(difference.corrected.mean, 2), difference.holm < 0.001
    ('majority', -0.63, True)
    """
    named = {
        name: model_of(model) if isinstance(model, str) else model for name, model in _named(models)
    }
    results: dict[str, ModelScores] = {}
    seconds: dict[str, float] = {}
    repetitions = repetitions_of(crossValidationIndices, forward=forward)
    folds = as_indices(repetitions)

    def done() -> Comparison:
        names = [name for name in named if name in results]
        return Comparison(
            {name: results[name] for name in names},
            {name: text_of(named[name]) for name in names},
            {name: seconds[name] for name in names},
            {
                "n_executions": int(n_executions),
                "normalization": (
                    getattr(normalization, "normalization", None)
                    if callable(normalization)
                    else normalization
                ),
                **({"imputed": True} if isinstance(normalization, Imputation) else {}),
                "random_state": (
                    int(random_state) if isinstance(random_state, int | np.integer) else None
                ),
                **({"forward": True} if forward else {}),
                **({"repeats": len(repetitions)} if len(repetitions) > 1 else {}),
            },
        )

    for name, model in sorted(named.items(), key=lambda item: isinstance(item[1], ANNClassifier)):
        start = time.perf_counter()
        results[name] = cross_validate_executions(
            model,
            X,
            y,
            folds,
            n_executions,
            metrics=metrics,
            positive=positive,
            normalization=normalization,
            forward=forward,
            keep_curves=keep_curves,
            random_state=random_state,
            progress=progress and functools.partial(progress, name),
            n_jobs=n_jobs,
            device=device,
        )
        seconds[name] = time.perf_counter() - start
        if checkpoint is not None:
            checkpoint(done())
    return done()


def _named(models: Models) -> list[tuple[str, str | Estimator]]:
    if isinstance(models, str):
        raise TypeError(f"models={models!r} is a single text; it must be a list of models")
    if isinstance(models, Mapping):
        return list(models.items())
    named = [
        (model.strip() if isinstance(model, str) else text_of(model), model) for model in models
    ]
    names = [name for name, _ in named]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(
                f"model {name!r} is given twice; give models names of their own in a dictionary"
            )
    return named


def load_comparison(path: str | Path) -> Comparison:
    """Read the record of a comparison, to repeat its tests with the same numbers.

    Parameters
    ----------
    path : path
        JSON, as `practica compare --json` and `practica cv --json` write it.

    Returns
    -------
    comparison : Comparison
        Without predictions and probabilities, which are not kept.

    Raises
    ------
    ValueError
        If it is not such a record, or its hash is not that of its index vector.
    """
    name = Path(path).name
    try:
        return comparison_of(json.loads(Path(path).read_text(encoding="utf-8")))
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise ValueError(
            f"{name} is not a JSON file; it must be the record of a comparison"
        ) from None
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{name} is not the record of a comparison: {error!r} is missing or of another kind"
        ) from None
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def comparison_of(record: Mapping[str, Any]) -> Comparison:
    """Return the comparison that a record holds; see `load_comparison`."""
    indices = np.array(record["crossValidationIndices"], dtype=np.int64)
    folds = repetitions_of(indices, forward=bool(record["settings"].get("forward")))
    if record["sha256"] != fingerprint(indices):
        raise ValueError(
            "its folds are not those of its sha256: it was changed after it was written"
        )
    models = record["models"]
    return Comparison(
        {title: _scores_of(model, record, folds) for title, model in models.items()},
        {title: model["model"] for title, model in models.items()},
        {
            title: model["seconds"]
            for title, model in models.items()
            if model["seconds"] is not None
        },
        record["settings"],
    )


def _scores_of(
    model: Mapping[str, Any], record: Mapping[str, Any], repetitions: list[Folds]
) -> ModelScores:
    scores, folds = np.array(model["scores"], dtype=np.float64), repetitions[0]  # null becomes NaN
    tested = len(repetitions) * len(folds.tested)
    if scores.ndim != 3 or scores.shape[::2] != (tested, len(record["metrics"])):
        raise ValueError(
            f"scores of shape {scores.shape} do not fit {tested} folds and the metrics"
        )
    kept = {
        name: np.array(model[name], dtype=np.float64)
        for name in ("matrices", "curves")
        if name in model
    }
    for name, array in kept.items():
        if array.ndim != 4 or array.shape[:2] != scores.shape[:2]:
            raise ValueError(f"{name} of shape {array.shape} do not fit the scores")
    return ModelScores(
        metrics=tuple(record["metrics"]),
        scores=scores,
        crossValidationIndices=as_indices(repetitions),
        deterministic=model["deterministic"],
        classes=np.array(record["classes"], dtype=object),
        forward=folds.forward,
        matrices=kept.get("matrices"),
        curves=Curves.unstacked(kept["curves"]) if "curves" in kept else None,
        undefined=_counts(model["undefined"], record["classes"], len(scores)),
        unended=np.array(model["unended"], dtype=np.int64) if "unended" in model else None,
    )


def _counts(
    undefined: Mapping[str, Mapping[str, list[int]]], classes: list[Label], k: int
) -> Integers:
    labels = list(map(str, classes))
    counts = np.zeros((k, 7, len(labels)), dtype=np.int64)
    for metric, by_class in undefined.items():
        for label, values in by_class.items():
            counts[:, Metrics._fields.index(metric), labels.index(label)] = values
    return counts
