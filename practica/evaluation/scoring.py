"""Scorers of metrics: the practice's seven, scikit-learn's and the user's."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from sklearn.base import is_classifier
from sklearn.metrics import get_scorer, get_scorer_names, make_scorer

from practica.evaluation.estimators import Estimator, Inputs, text_of
from practica.evaluation.scores import relative_absolute_error, relative_squared_error
from practica.reference.arguments import Array, Label, brief, closest
from practica.reference.metrics import Metrics

__all__ = ["ERRORS", "MetricNames", "Scorer", "as_scorers", "has_unit", "with_first"]


ERRORS = {  # lower is better
    "relative_squared_error": relative_squared_error,
    "relative_absolute_error": relative_absolute_error,
}

Scorer: TypeAlias = "Callable[[Estimator, Inputs, Array], float]"
MetricNames: TypeAlias = "Sequence[str] | Mapping[str, str | Scorer] | None"


def has_unit(metric: str) -> bool:
    """Return whether a metric of scikit-learn has the unit of the target, or a power of it.

    >>> has_unit("neg_root_mean_squared_error"), has_unit("r2")
    (True, False)
    """
    of_target = (
        r"(neg_)?((root_)?mean_squared|mean_absolute|median_absolute|max)_error"
        r"|neg_mean_poisson_deviance"
    )
    return re.fullmatch(of_target, metric) is not None


def with_first(positive: Label, classes: Array) -> Array:
    """Return two classes, the positive one first; ValueError if it is none of them."""
    known = classes.tolist()
    if len(known) != 2 or positive not in known:
        raise ValueError(
            f"positive={positive!r} must be one of two classes; these are {brief(known)}"
        )
    return classes if known[0] == positive else classes[::-1]


def _about(scorer: Scorer, positive: Label) -> Scorer:
    """Return a scorer of scikit-learn that takes `positive` for the positive class; unchanged if it
    scores all classes or has been given one.
    """
    given = getattr(scorer, "_kwargs", {})
    if "pos_label" in given or given.get("average", "binary") != "binary":
        return scorer
    if "pos_label" not in inspect.signature(getattr(scorer, "_score_func", scorer)).parameters:
        return scorer
    changed: Any = copy.copy(scorer)
    changed._kwargs = {**given, "pos_label": positive}
    return cast(Scorer, changed)


def as_scorers(
    metrics: MetricNames, model: Estimator, positive: Label = None
) -> dict[str, Scorer | None]:
    """Return the scorer of each metric, None for one of the practice's seven; `positive` is the
    positive class for those that have one.
    """
    if isinstance(metrics, str):
        raise TypeError(f"metrics={metrics!r} is a single name; it must be a list of them")
    if isinstance(metrics, Mapping):
        chosen: dict[str, Scorer | None] = {
            name: _as_scorer(scorer) for name, scorer in metrics.items()
        }
    else:
        names = Metrics._fields if metrics is None else metrics
        chosen = {name: None if name in Metrics._fields else _as_scorer(name) for name in names}
    if None in chosen.values() and not is_classifier(model):
        raise ValueError(
            f"{text_of(model)} is no classifier: name metrics of regressors, such as metrics=['r2']"
        )
    if not chosen:
        raise ValueError("metrics is empty; there must be at least one")
    if positive is None:
        return chosen
    return {name: scorer and _about(scorer, positive) for name, scorer in chosen.items()}


def _as_scorer(scorer: str | Scorer) -> Scorer:
    if isinstance(scorer, str) and scorer in ERRORS:
        return make_scorer(ERRORS[scorer])
    if isinstance(scorer, str) and scorer not in get_scorer_names():
        raise ValueError(
            f"metric {scorer!r} is"
            f" unknown{closest(scorer, [*Metrics._fields, *ERRORS, *get_scorer_names()])}"
        )
    return get_scorer(scorer)
