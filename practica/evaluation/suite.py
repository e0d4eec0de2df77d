"""Models on many tables: mean ranks, Friedman's test, and which pairs differ.

A table gives one observation, the mean of a metric for each model. With a few tables the usual
approximations find too much or too little, so both p-values come from permutations:

    Friedman    the ranks of each table in every order, or in `ORDERS` random ones
    Wilcoxon    the signed ranks of two models with every choice of signs

Tests of mean ranks for pairs, such as Nemenyi's, are left out: the p-value of a pair would depend
on the other models (Benavoli, Corani and Mangili 2016, Should we really use post-hoc tests based
on mean-ranks?).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import stats

from practica.evaluation.comparison import Comparison, sign_of
from practica.evaluation.significance import holm
from practica.reference.arguments import Floats, closest

__all__ = ["PairOnTables", "Suite", "suite_of"]

ORDERS = 99_999  # 46 656 are all those of three models on six tables


class PairOnTables(NamedTuple):
    """A model against another one, over all tables.

    Attributes
    ----------
    model, reference : str
    difference : float
        Mean over the tables of the metric of `model` less that of `reference`.
    ranks : float
        Mean rank of `model` less that of `reference`; above 0 it is worse.
    wilcoxon, holm : float
        Exact p-value of Wilcoxon's signed-rank test, and adjusted for all models against a
        reference that was named, or for all pairs if it is the best; NaN if all are tied.
    """

    model: str
    reference: str
    difference: float
    ranks: float
    wilcoxon: float
    holm: float


@dataclass(frozen=True, eq=False)
class Suite:
    """A metric of several models on several tables, one value for each table and model.

    Attributes
    ----------
    values : float array, shape (tables, models)
    tables, models : tuple of str
    metric : str
    lower_is_better : bool

    Raises
    ------
    ValueError
        If there are fewer than two tables or models, names do not fit, or a value is not finite.
    """

    values: Floats
    tables: tuple[str, ...]
    models: tuple[str, ...]
    metric: str = "accuracy"
    lower_is_better: bool = False

    def __post_init__(self) -> None:
        if self.values.shape != (len(self.tables), len(self.models)):
            raise ValueError(
                f"values has shape {self.values.shape}, not {(len(self.tables), len(self.models))}"
            )
        if min(self.values.shape) < 2:
            raise ValueError(
                f"there are {len(self.tables)} tables and {len(self.models)} models; a test needs"
                " two of each at least"
            )
        if not np.isfinite(self.values).all():
            table, model = np.argwhere(~np.isfinite(self.values))[0]
            raise ValueError(
                f"{self.metric} of {self.models[model]} on {self.tables[table]} is not a number"
            )

    @property
    def ranks(self) -> Floats:
        """The rank of each model on each table, shape (tables, models).

        1 is the best, ties share their mean.
        """
        signed = self.values if self.lower_is_better else -self.values
        ranks: Floats = stats.rankdata(signed, axis=1)
        return ranks

    @property
    def best(self) -> str:
        """The model with the best mean rank, the first of several."""
        return self.models[int(self.ranks.mean(axis=0).argmin())]

    def friedman(self) -> tuple[float, float]:
        """Return Friedman's statistic and the p-value of "all models are equally good".

        Both are NaN for two models, and the statistic if all models are tied on all tables. The
        p-value is exact if there are at most `ORDERS` ways to order the ranks of all tables;
        otherwise it counts that many random ones, and the seed is fixed.
        """
        if len(self.models) < 3:
            return math.nan, math.nan
        with np.errstate(invalid="ignore"):  # all tables tied
            statistic = stats.friedmanchisquare(*self.values.T).statistic
        permuted = stats.permutation_test(
            self.ranks.T,
            _spread_of_rank_sums,
            permutation_type="samples",
            alternative="greater",
            n_resamples=ORDERS,
            batch=1000,
            random_state=0,
        )
        return float(statistic), float(permuted.pvalue)

    def pairs(self, reference: str | None = None) -> list[PairOnTables]:
        """Test each model against a reference, by default the one with the best mean rank."""
        against = self.best if reference is None else reference
        if against not in self.models:
            raise ValueError(
                f"reference={against!r} is no model of these tables{closest(against, self.models)}"
            )
        place = self.models.index(against)
        others = [number for number in range(len(self.models)) if number != place]
        pairs = [(other, place) for other in others]
        if reference is None:  # chosen by these values: each pair might have been shown
            pairs += itertools.combinations(others, 2)
        p_values = [_wilcoxon(self.values[:, one] - self.values[:, two]) for one, two in pairs]
        differences = self.values.mean(axis=0) - self.values[:, place].mean()
        ranks = self.ranks.mean(axis=0) - self.ranks[:, place].mean()
        return [
            PairOnTables(
                self.models[other],
                against,
                float(differences[other]),
                float(ranks[other]),
                p_value,
                float(adjusted),
            )
            for other, p_value, adjusted in zip(others, p_values, holm(p_values), strict=False)
        ]


def _spread_of_rank_sums(*ranks: Floats, axis: int) -> Floats:
    """Return the sum of the squared rank sums of the models, the only part of Friedman's statistic
    that varies.
    """
    spread: Floats = np.square([each.sum(axis=axis) for each in ranks]).sum(axis=0)
    return spread


def _wilcoxon(differences: Floats) -> float:
    """Return the two-sided p-value of Wilcoxon's signed-rank test on the differences of two models,
    one for each table; exact with ties too.

    Tables without a difference are left out; NaN if all are.
    """
    rounded = differences.round(12)  # or equal differences would not be a tie
    known = rounded[rounded != 0]
    if not len(known):
        return math.nan
    doubled = (2 * stats.rankdata(np.abs(known))).astype(np.int64)  # a shared rank may be a half
    chances = np.ones(1)  # the chance of each sum of positive ranks, if both signs are as likely
    for rank in doubled:
        chances = np.convolve(chances, [0.5, *[0.0] * (rank - 1), 0.5])
    positive = doubled[known > 0].sum()
    return float(min(1.0, 2 * chances[: positive + 1].sum(), 2 * chances[positive:].sum()))


def suite_of(comparisons: Mapping[str, Comparison], metric: str = "accuracy") -> Suite:
    """Return the mean of a metric for each model on each table, from a comparison of the same
    models on each.

    Parameters
    ----------
    comparisons : mapping from names of tables to Comparison
        The same models on each, from `compare` or `load_comparison`.
    metric : str

    Raises
    ------
    ValueError
        If two tables have not the same models, and as `Suite`.
    """
    models: tuple[str, ...] = ()
    for name, comparison in comparisons.items():
        models = models or tuple(comparison.results)
        if set(comparison.results) != set(models):
            raise ValueError(
                f"{name} has the models {sorted(comparison.results)}, and the first table"
                f" {sorted(models)}"
            )
    values = [
        [comparison.results[model].mean_and_std(metric).mean for model in models]
        for comparison in comparisons.values()
    ]
    shape = len(comparisons), len(models)
    # equal scores that were added up in another order are a tie
    rounded = np.array(values).reshape(shape).round(12)
    return Suite(rounded, tuple(comparisons), models, metric, sign_of(metric) < 0)
