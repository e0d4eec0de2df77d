"""Models on many tables: mean ranks, Friedman's test, and which pairs differ.

A table gives one observation, the mean of a metric for each model. scipy has Friedman's and
Wilcoxon's tests and the studentized range of Nemenyi's; the probabilities are those of baycomp's
Bayesian signed ranks.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from practica.evaluation.comparison import Comparison, sign_of
from practica.evaluation.significance import Probabilities, holm
from practica.reference.arguments import closest

__all__ = ["PairOnTables", "Suite", "suite_of"]

SAMPLES = 50_000  # of the posterior of the signed ranks: baycomp's own number


class PairOnTables(NamedTuple):
    """A model against another one, over all tables.

    Attributes
    ----------
    model, reference : str
    difference : float
        Mean over the tables of the metric of `model` less that of `reference`.
    ranks : float
        Mean rank of `model` less that of `reference`; above 0 it is worse.
    nemenyi : float
        p-value of Nemenyi's test, adjusted for all pairs of models.
    wilcoxon, holm : float
        p-value of Wilcoxon's signed ranks, and adjusted for all models against a reference that was
        named, or for all pairs if it is the best; NaN if all are tied.
    probabilities : Probabilities
        That on another table `model` is worse than, practically equal to, or better than
        `reference`; NaN without baycomp.
    """

    model: str
    reference: str
    difference: float
    ranks: float
    nemenyi: float
    wilcoxon: float
    holm: float
    probabilities: Probabilities


@dataclass(frozen=True, eq=False)
class Suite:
    """One value for each table and model.

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

    values: NDArray[np.float64]
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
    def ranks(self) -> NDArray[np.float64]:
        """The rank of each model on each table, shape (tables, models).

        1 is the best, ties share their mean.
        """
        signed = self.values if self.lower_is_better else -self.values
        ranks: NDArray[np.float64] = stats.rankdata(signed, axis=1)
        return ranks

    @property
    def best(self) -> str:
        """The model with the best mean rank, the first of several."""
        return self.models[int(self.ranks.mean(axis=0).argmin())]

    def friedman(self) -> tuple[float, float]:
        """Return Friedman's statistic and the p-value of "all models are equally good".

        NaN of two models.
        """
        if len(self.models) < 3:
            return math.nan, math.nan
        with np.errstate(invalid="ignore"):  # all tables tied
            statistic, p_value = stats.friedmanchisquare(*self.values.T)
        return float(statistic), float(p_value)

    def nemenyi(self) -> NDArray[np.float64]:
        """Return the p-value of each pair of models, shape (models, models), adjusted for all of
        them.
        """
        N, k = self.values.shape
        mean = self.ranks.mean(axis=0)
        standardized = np.abs(mean[:, None] - mean) / math.sqrt(k * (k + 1) / (6 * N))
        p_values = np.ones((k, k))
        above = np.triu_indices(k, 1)
        p_values[above] = stats.studentized_range.sf(standardized[above] * math.sqrt(2), k, np.inf)
        return np.minimum(p_values, p_values.T)

    def critical_difference(self, alpha: float = 0.05) -> float:
        """Return how far two mean ranks must be apart for Nemenyi's test to find a difference."""
        N, k = self.values.shape
        return float(
            stats.studentized_range.ppf(1 - alpha, k, np.inf)
            / math.sqrt(2)
            * math.sqrt(k * (k + 1) / (6 * N))
        )

    def pairs(
        self, reference: str | None = None, *, region: float = 0.01, random_state: int = 0
    ) -> list[PairOnTables]:
        """Test each model against a reference, by default the one with the best mean rank.

        Parameters
        ----------
        reference : str, optional
        region : float, units of the metric, >= 0
            Differences of at most this size are of no practical importance.
        random_state : int
            Decides the sample of the posterior.
        """
        against = self.best if reference is None else reference
        if against not in self.models:
            raise ValueError(
                f"reference={against!r} is no model of these tables{closest(against, self.models)}"
            )
        place = self.models.index(against)
        others = [number for number in range(len(self.models)) if number != place]
        theirs, mean, nemenyi = self.values[:, place], self.ranks.mean(axis=0), self.nemenyi()
        p_values = [_wilcoxon(self.values[:, other] - theirs) for other in others]
        elsewhere = [] if reference is not None else itertools.combinations(others, 2)
        of_others = [
            _wilcoxon(self.values[:, first] - self.values[:, second]) for first, second in elsewhere
        ]
        pairs = []
        for other, p_value, adjusted in zip(
            others, p_values, holm([*p_values, *of_others]), strict=False
        ):
            ours = self.values[:, other]
            low, equal, high = _signed_ranks(ours, theirs, region, random_state)
            pairs.append(
                PairOnTables(
                    self.models[other],
                    against,
                    float((ours - theirs).mean()),
                    float(mean[other] - mean[place]),
                    float(nemenyi[other, place]),
                    p_value,
                    float(adjusted),
                    (
                        Probabilities(high, equal, low)
                        if self.lower_is_better
                        else Probabilities(low, equal, high)
                    ),
                )
            )
        return pairs


def _wilcoxon(differences: NDArray[np.float64]) -> float:
    return float(stats.wilcoxon(differences).pvalue) if differences.any() else math.nan


def _signed_ranks(
    ours: NDArray[np.float64], theirs: NDArray[np.float64], region: float, random_state: int
) -> tuple[float, float, float]:
    """Return the probabilities that the first values are lower, equal and higher.

    NaN without baycomp.
    """
    try:
        import baycomp
    except ImportError:
        return math.nan, math.nan, math.nan
    posterior = baycomp.SignedRankTest(
        ours, theirs, region, nsamples=SAMPLES, random_state=random_state
    )
    higher, equal, lower = map(float, posterior.probs())
    return lower, equal, higher


def suite_of(comparisons: Mapping[str, Comparison], metric: str = "accuracy") -> Suite:
    """Return what the same models achieve on several tables.

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
