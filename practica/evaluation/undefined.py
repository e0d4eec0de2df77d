"""Undefined metrics: where a ratio of the practice was 0/0, which counts as 1.

A class that a model never predicts has a PPV of 0/0. It counts as 1, so that the mean is better
than that of a model that tries. scikit-learn counts it as 0. The culprit is the class without which
the ratio has no meaning:

    metric          of two classes                      of more, where the class has patterns in the
                    fold
    recall          no positives in the fold            –
    specificity     no negatives in the fold            nothing but this class in the fold
    PPV             the positive class not predicted    this class not predicted
    NPV             the negative class not predicted    nothing but this class predicted
    F1              neither of the first and third      –
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from practica.evaluation.model_scores import ModelScores
from practica.reference.arguments import Integers, some_of
from practica.reference.metrics import Metrics

__all__ = ["ADVICE", "FAIRER", "undefined_lines", "undefined_models", "unpredicted_lines"]

# scorers of scikit-learn that no 0/0 makes better
FAIRER = ("f1_macro", "matthews_corrcoef", "balanced_accuracy")
_FAIRER_OPTIONS = ", ".join(f"--metric {name}" for name in FAIRER)
ADVICE = (
    "* 0/0 counts as 1, as in the statement, so a class that is never predicted looks perfect."
    f" Metrics without this effect: {_FAIRER_OPTIONS}."
)

_ABSENT = ("no fold has", "no")
_UNPREDICTED = ("never predicts", "does not predict")
_ALONE = ("predicts nothing but", "predicts nothing but")
_WORDS = {
    "recall": _ABSENT,
    "specificity": _ABSENT,
    "PPV": _UNPREDICTED,
    "NPV": _UNPREDICTED,
    "F1": ("neither has nor predicts", "neither has nor predicts"),
}
_WORDS_OF_MANY = {**_WORDS, "specificity": ("no fold has more than", "nothing but"), "NPV": _ALONE}


def undefined_models(results: Mapping[str, ModelScores], metric: str) -> list[str]:
    """Return the models for which some value of a metric was 0/0."""
    return [name for name, result in results.items() if _of_metric(result, metric).any()]


def undefined_lines(results: Mapping[str, ModelScores], metrics: tuple[str, ...]) -> list[str]:
    """Return a line for each metric that was 0/0 and each reason, with the models that it is true
    of, and a line of advice.

    >>> from practica.evaluation import cross_validate_executions
    >>> from sklearn.dummy import DummyClassifier
    >>> X, y, folds = [[0.0]] * 6, ["a", "a", "b", "a", "a", "b"], [1, 1, 1, 2, 2, 2]
    >>> result = cross_validate_executions(DummyClassifier(), X, y, folds, positive="b")
    >>> undefined_lines({"majority": result}, ("PPV",))[0]
    'PPV of majority: 0/0 in 2 of 2 folds: never predicts b.'
    """
    lines = [line for metric in metrics for line in _lines_of(results, metric)]
    return [*lines, ADVICE] if lines else []


def unpredicted_lines(results: Mapping[str, ModelScores], metric: str) -> list[str]:
    """Return a line about the models that predict some class in no fold and execution, and one with
    metrics that show it.

    There is none for a metric that shows it itself: those of `FAIRER`, and PPV, which has its own
    line.
    """
    if metric == "PPV" or metric in FAIRER:
        return []
    models: dict[str, list[str]] = {}
    for name, result in results.items():
        k, m = result.scores.shape[:2]
        counts = _of_metric(result, "PPV").sum(axis=0)
        if len(result.classes) == 2:  # the second one is about the negative class
            counts += _of_metric(result, "NPV").sum(axis=0)
        labels = [
            str(label)
            for label, count in zip(result.classes, counts, strict=True)
            if count == k * m
        ]
        if labels:
            models.setdefault(some_of(labels), []).append(name)
    if not models:
        return []
    lines = [
        f"{', '.join(names)} never predict{'s' if len(names) == 1 else ''} {labels}."
        for labels, names in models.items()
    ]
    return [
        *lines,
        f"{metric} hardly shows a class that is never predicted; these do: {_FAIRER_OPTIONS}.",
    ]


def _lines_of(results: Mapping[str, ModelScores], metric: str) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for name in undefined_models(results, metric):
        reasons.setdefault(_reason(results[name], metric), []).append(name)
    for reason, names in reasons.items():
        which = "all models" if len(names) == len(results) > 1 else ", ".join(names)
        yield f"{metric} of {which}: {reason}."


def _reason(result: ModelScores, metric: str) -> str:
    counts = _of_metric(result, metric)  # (k, C)
    k, m = result.scores.shape[:2]
    always, sometimes = (_WORDS if len(result.classes) == 2 else _WORDS_OF_MANY)[metric]
    # they are so for all executions, because of the patterns
    if metric in ("recall", "specificity"):
        counts, m = counts.clip(max=1), 1
    trainings = counts.sum(axis=0)
    labels = list(map(str, result.classes.tolist()))
    every = [label for label, number in zip(labels, trainings, strict=True) if number == k * m]
    parts = [f"{always} {some_of(every)}"] if every else []
    some = {label: int(n) for label, n in zip(labels, trainings, strict=True) if 0 < n < k * m}
    folds = np.count_nonzero(counts.any(axis=1))

    def where(number: int) -> str:
        return (
            "in them"
            if m == 1 and number == folds
            else f"in {number} of {k * m} {'trainings' if m > 1 else 'folds'}"
        )

    numbered = [
        f"{some_of([label for label, n in some.items() if n == number])} {where(number)}"
        for number in sorted(set(some.values()), reverse=True)
    ]
    parts += [f"{sometimes} {', '.join(numbered)}"] if numbered else []
    return f"0/0 in {folds} of {k} folds: {'; '.join(parts)}"


def _of_metric(result: ModelScores, metric: str) -> Integers:
    if result.undefined is None or metric not in Metrics._fields:
        return np.zeros((len(result.scores), len(result.classes)), dtype=np.int64)
    return result.undefined[:, Metrics._fields.index(metric)]
