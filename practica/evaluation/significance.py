"""Is one model better than another? Tests of the differences of their scores on the same folds.

Which test for which scores:

    one value per fold, of independent folds              paired_t_test, which is scipy's
                                                          `ttest_rel`
    one value per fold of a (repeated) cross-validation   corrected_t_test: the training sets share
                                                          patterns
    several models against one                            holm, on the p-values of any of these
    two models on one test set, pattern by pattern        `scipy.stats.binomtest` on the patterns
                                                          where they disagree

The executions of a fold are never observations: training the same network 50 times on the same
patterns gives no more patterns. Pass the mean of each fold, `scores.mean(axis=1)`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from practica.reference.arguments import Floats, as_array, as_integer, as_real, as_real_array

__all__ = ["DifferenceTest", "Probabilities", "corrected_t_test", "holm", "paired_t_test"]

# differences that spread less, relative to the scores, are the same one
_ROUNDING = 64 * np.finfo(np.float64).eps


class Probabilities(NamedTuple):
    """Probabilities that the first model is worse than, equivalent to, or better than the
    second.
    """

    worse: float
    equal: float
    better: float


@dataclass(frozen=True)
class DifferenceTest:
    """A t-test of the mean difference of two models' scores, first − second.

    Attributes
    ----------
    mean : float
        Mean difference, in units of the score; NaN where a score is missing, and then so is
        everything else.
    standard_error : float
        Of that mean; 0 where all the differences are the same.
    df : int
        Degrees of freedom: the number of differences less one.
    statistic, p_value : float
        Student's t and its two-sided p-value; NaN where the standard error is 0.
    """

    mean: float
    standard_error: float
    df: int
    statistic: float
    p_value: float

    @property
    def reason(self) -> str:
        """The reason why there is no test; empty if there is one."""
        if math.isnan(self.mean):
            return "a score of it, or of the model it is compared with, is not a number"
        if self.standard_error > 0:
            return ""
        return (
            f"all {self.df + 1} differences are {self.mean:g}: without any spread there is no"
            " t-test"
        )

    def interval(self, confidence: float = 0.95, *, tests: int = 1) -> tuple[float, float]:
        """Return the confidence interval of the mean difference; NaN without a test.

        Parameters
        ----------
        confidence : float in [0, 1]
        tests : int, >= 1
            Number of intervals that hold together with this confidence (Bonferroni). None of them
            excludes 0 if the p-value that `holm` adjusts for as many tests is above 1 − confidence.
        """
        error = 1 - as_real(confidence, "confidence", low=0, high=1)
        level = 1 - error / as_integer(tests, "tests", minimum=1)
        if self.reason:
            return math.nan, math.nan
        low, high = stats.t.interval(level, self.df, loc=self.mean, scale=self.standard_error)
        return float(low), float(high)

    def probabilities(self, region: float = 0.01) -> Probabilities:
        """Return the probabilities that the first model is worse, practically equal or better.

        NaN without a test.

        Parameters
        ----------
        region : float, units of the score, >= 0
            Differences of at most this size, in either direction, are of no practical importance.
            The default is one point of a percentage.

        Notes
        -----
        All three are areas under one t distribution, moved to the mean difference and scaled by its
        standard error: what is known about the true difference after seeing the scores, having
        supposed nothing before::

                  worse      |  equal  |     better
            ─────────────────┼─────────┼──────────────────
                          −region   +region

        "Better" is a higher score. Of an error the lower is better: read the two outer ones the
        other way round.

        References
        ----------
        Corani and Benavoli (2015), A Bayesian approach for comparing cross-validated algorithms on
        multiple data sets.

        Examples
        --------
        >>> test = corrected_t_test(
        ...     [0.97, 0.95, 0.96, 0.99], [0.90, 0.93, 0.91, 0.92], test_to_train=1 / 3
        ... )
        >>> worse, equal, better = test.probabilities(region=0.01)
        >>> round(better, 3)
        0.95
        """
        half_width = as_real(region, "region", low=0)
        if self.reason:
            return Probabilities(math.nan, math.nan, math.nan)
        difference = stats.t(self.df, loc=self.mean, scale=self.standard_error)
        worse, better = float(difference.cdf(-half_width)), float(difference.sf(half_width))
        return Probabilities(worse, max(0.0, 1.0 - worse - better), better)


def paired_t_test(first: ArrayLike, second: ArrayLike) -> DifferenceTest:
    """Test the difference of two models' scores on independent test sets with the plain paired
    t-test.

    Parameters
    ----------
    first, second : float arrays, shape (n,), n >= 2
        The score of each model on each fold, in the same order.

    Returns
    -------
    test : DifferenceTest

    Raises
    ------
    ValueError
        If the two differ in length, have fewer than two scores, more than one dimension, or one
        that is not finite.

    Warnings
    --------
    The scores of a cross-validation are not independent, since any two of its training sets share
    patterns. This test then finds too many differences, and the more often the cross-validation is
    repeated the more: with ten times ten folds more than half of what it finds may not exist. Use
    `corrected_t_test`; `scripts/type_one_error.py` shows it.

    Notes
    -----
    Calls `scipy.stats.ttest_rel`. If all differences are the same, up to rounding, their variance
    is 0 and t is something divided by 0: `statistic` and `p_value` are NaN and `reason` says why,
    rather than a p-value of 0.

    Examples
    --------
    >>> test = paired_t_test([0.9, 0.8, 0.7], [0.8, 0.6, 0.6])
    >>> round(test.statistic, 3), round(test.p_value, 3)
    (4.0, 0.057)
    >>> paired_t_test([0.9, 0.8], [0.9, 0.8]).reason
    'all 2 differences are 0: without any spread there is no t-test'
    """
    left, right = _as_scores(first, "first"), _as_scores(second, "second")
    n = len(left)
    if len(right) != n:
        raise ValueError(
            f"first has {n} scores and second {len(right)}; a paired test needs the same folds for"
            " both"
        )
    if n < 2:
        raise ValueError(f"first and second have {n} scores; a test needs at least two")
    differences = left - right
    mean = float(differences.mean())
    # one number, but for rounding
    if np.ptp(differences) <= _ROUNDING * np.abs([left, right]).max():
        return DifferenceTest(mean, 0.0, n - 1, math.nan, math.nan)
    result = stats.ttest_rel(left, right)
    error = float(stats.sem(differences))
    return DifferenceTest(mean, error, n - 1, float(result.statistic), float(result.pvalue))


def corrected_t_test(
    first: ArrayLike, second: ArrayLike, *, test_to_train: float, repetitions: int = 1
) -> DifferenceTest:
    """Test the difference of two models' scores on overlapping training sets with the corrected
    resampled t-test.

    Parameters
    ----------
    first, second : float arrays, shape (n,), n >= 2
        The score of each model on each fold, in the same order; of r repetitions of k folds, all
        r·k of them.
    test_to_train : float, > 0
        Size of the test sets divided by that of the training sets: 1/(k − 1) for k folds, repeated
        or not; P/(1 − P) for hold-outs that test with the fraction P.
    repetitions : int, >= 1
        How often a cross-validation was repeated on the same patterns, if the scores are those of
        repeated folds.

    Returns
    -------
    test : DifferenceTest

    Raises
    ------
    ValueError
        If the two differ in length, have fewer than two scores, more than one dimension, or one
        that is not finite, or if `test_to_train` is not positive.

    Notes
    -----
    t = mean / sqrt((repetitions/n + test_to_train) · var), var being the sample variance of the n
    differences, with n − 1 degrees of freedom. The plain test divides by n alone, as if each fold
    brought new training patterns. Differences that are all the same are treated as in
    `paired_t_test`.

    Of r repetitions of k folds, the first term is r/n = 1/k: repetitions bring no new patterns, and
    the mean of all is taken to be as sure as that of one cross-validation. Bouckaert and Frank
    leave it at 1/n, which finds a difference between equally good models in 12 % of the cases after
    ten repetitions, and this way in 4 %, at the level .05 (`scripts/type_one_error.py`).

    References
    ----------
    Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52; Bouckaert
    and Frank (2004), Evaluating the replicability of significance tests for comparing learning
    algorithms, for repeated folds.

    Examples
    --------
    >>> test = corrected_t_test([0.9, 0.8, 0.7], [0.8, 0.6, 0.6], test_to_train=1 / 2)
    >>> round(test.statistic, 3), round(test.p_value, 3)
    (2.53, 0.127)
    """
    ratio = as_real(test_to_train, "test_to_train", low=0, above=True)
    plain = paired_t_test(first, second)
    if plain.reason:
        return plain
    times = as_integer(repetitions, "repetitions", minimum=1)
    standard_error = plain.standard_error * math.sqrt(times + (plain.df + 1) * ratio)
    statistic = plain.mean / standard_error
    p_value = float(2 * stats.t.sf(abs(statistic), plain.df))
    return DifferenceTest(plain.mean, standard_error, plain.df, statistic, p_value)


def _as_scores(values: ArrayLike, name: str) -> Floats:
    scores = as_real_array(values, name)
    if scores.ndim != 1:
        raise ValueError(
            f"{name} has shape {scores.shape}; it must be a vector with one score per fold "
            "(executions are no observations: pass the mean of each fold)"
        )
    if not np.isfinite(scores).all():
        position = int(np.flatnonzero(~np.isfinite(scores))[0])
        raise ValueError(
            f"{name}: score {position} is {scores[position]}; every score must be finite"
        )
    return scores.astype(np.float64)


def holm(p_values: ArrayLike) -> Floats:
    """Adjust the p-values of several tests, so that a false discovery among all of them is as rare
    as in one.

    Parameters
    ----------
    p_values : float array, shape (n,), values in [0, 1] or NaN

    Returns
    -------
    adjusted : float array, shape (n,)
        In the order given. A NaN, a test that could not be made, stays NaN and counts as one of the
        n.

    Raises
    ------
    ValueError
        If a p-value is outside [0, 1].

    Notes
    -----
    The smallest is multiplied by n, the next by n − 1, and so on; none ends below a smaller one,
    nor above 1. It holds regardless of how the tests depend on each other: here they share folds
    and the model compared with.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    values = np.asarray(as_array(p_values, "p_values"), dtype=np.float64)
    if values.ndim != 1:
        raise ValueError(f"p_values has shape {values.shape}; it must be a vector")
    if ((values < 0) | (values > 1)).any():
        position = int(np.flatnonzero((values < 0) | (values > 1))[0])
        raise ValueError(
            f"p_values: number {position} is {values[position]:g}; it must be in [0, 1]"
        )
    order = np.argsort(values)  # NaN goes last
    multiplied = values[order] * np.arange(len(values), 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(multiplied), 1)
    return adjusted
