"""Models whose figures are to be doubted: worse than a rule without attributes, or not trained to
their end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from practica.evaluation.comparison import Comparison, sign_of
from practica.evaluation.model_scores import ModelScores
from practica.reference.metrics import Metrics

__all__ = ["RULES", "below_the_rule", "doubt_lines"]

RULES = {  # what has learnt nothing, and what it does
    "DummyClassifier()": "always predicting the largest class",
    "DummyRegressor()": "always predicting the mean",
}
_ROUNDING = 1e-9


def below_the_rule(comparison: Comparison, metric: str = "accuracy") -> tuple[list[str], str]:
    """Return the models that do worse than a rule that looks at no attribute, and that rule with
    its score.

    The rule is the largest class or the mean: a model of the comparison, or `settings["rule"]`. If
    the metric is one of the practice's seven, classifiers are judged by their accuracy, since a
    rule that says yes to all has full recall.

    >>> from practica.evaluation import compare
    >>> X, y = [[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]], ["a", "b", "a", "b", "a", "a"]
    >>> below_the_rule(compare(["knn:1", "majority"], X, y, [1, 2, 3, 1, 2, 3]))
    (['knn:1'], 'always predicting the largest class (accuracy 0.6667)')
    """
    judged = "accuracy" if metric in Metrics._fields or metric == "recall" else metric
    if judged not in comparison.metrics:
        return [], ""
    rules = [name for name in comparison.results if comparison.descriptions.get(name) in RULES]
    is_classifier = len(comparison.classes) > 0
    known = comparison.settings.get("rule")
    if rules:
        score = _mean(comparison.results[rules[0]], judged)
    elif isinstance(known, dict) and judged in known:
        score = math.nan if known[judged] is None else float(known[judged])
    else:
        score = 0.0 if judged == "r2" else math.nan
    sign = sign_of(judged)
    worse = [
        name
        for name, result in comparison.results.items()
        if sign * (_mean(result, judged) - score) < -_ROUNDING * max(1.0, abs(score))
    ]
    return worse, f"{[*RULES.values()][not is_classifier]} ({judged} {score:.4g})"


def _mean(result: ModelScores, metric: str) -> float:
    return result.mean_and_std(metric).mean


def doubt_lines(comparison: Comparison, metric: str = "accuracy") -> list[str]:
    """Return a line about the models that are below the rule, and one about the networks that
    mostly trained until the last epoch, before early stopping could end them.
    """
    worse, rule = below_the_rule(comparison, metric)
    lines = [f"{_those(worse)} worse than {rule}."] if worse else []
    shares = {
        name: result.unended.sum() / result.scores[:, :, 0].size
        for name, result in comparison.results.items()
        if result.unended is not None
    }
    if late := [name for name, share in shares.items() if share > 0.5]:
        of_all = ", ".join(f"{name} ({shares[name]:.0%})" for name in late)
        lines.append(
            f"{of_all}: so many of the networks reached the last epoch before early stopping ended"
            " them; --epochs (maxEpochs) gives them more time, or a higher --learning-rate."
        )
    return lines


def _those(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last} do" if first else f"{last} does"
