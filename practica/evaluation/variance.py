"""Variance components: how much of the spread of the scores is due to folds, and how much to
executions.

A score is mean + fold's part + execution's part; the second varies by σ_F from fold to fold, the
third by σ_E from one training to the next in the same fold.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from practica.reference.arguments import Floats, as_real, as_real_matrix, require_finite

__all__ = ["VarianceComponents", "variance_components"]


@dataclass(frozen=True)
class VarianceComponents:
    """The spread of the scores of one model, split into its sources.

    Every figure in units of the score.

    Attributes
    ----------
    folds, executions : int
        k folds, with m executions in each.
    mean : float
        Mean of all scores.
    std : float
        The practice's: sample standard deviation of the means of the folds.
    sigma_folds : float
        σ_F, between folds, executions taken out; 0 where the executions alone explain the
        practice's std.
    sigma_executions : float
        σ_E, between the executions of one fold; 0 for a deterministic model.
    std_of_one_training : float
        √(σ_F² + σ_E²): how far one network in one fold lies from the mean.
    monte_carlo_error : float
        σ_E/√(k·m): the standard error that the mean owes to the executions, and would lose with
        infinitely many.
    reason : str
        Why σ_F, σ_E and the Monte-Carlo error are NaN; empty where they are not.
    """

    folds: int
    executions: int
    mean: float
    std: float
    sigma_folds: float
    sigma_executions: float
    std_of_one_training: float
    monte_carlo_error: float
    reason: str = ""

    def executions_needed(self, share: float = 0.1) -> float:
        """Return how many executions bring the Monte-Carlo error down to a share of the practice's
        std.

        Parameters
        ----------
        share : float, fraction of the practice's std, > 0

        Returns
        -------
        executions : float
            A whole number, at least 1; inf where none suffices; NaN where σ_E is not known.

        Notes
        -----
        More executions also shrink the practice's std, to √(σ_F² + σ_E²/m), which is what the error
        is compared with. If σ_F is 0, both shrink alike, their ratio stays at 1/√k, and no number
        brings it below.

        Examples
        --------
        >>> rng = np.random.default_rng(1)
        >>> scores = rng.normal(0.9, 0.02, size=(10, 1)) + rng.normal(0, 0.03, size=(10, 50))
        >>> components = variance_components(scores)
        >>> components.executions_needed(), components.executions_needed(0.05)
        (45.0, 192.0)
        """
        fraction = as_real(share, "share", low=0, above=True)
        if math.isnan(self.sigma_executions):
            return math.nan
        excess = self.sigma_executions**2 * (1 / self.folds - fraction**2)
        if excess <= 0:
            return 1.0
        allowed = (fraction * self.sigma_folds) ** 2
        return max(1.0, float(np.ceil(excess / allowed))) if allowed > 0 else math.inf


def variance_components(scores: ArrayLike, *, deterministic: bool = False) -> VarianceComponents:
    """Split the variance of a model's scores into that of the folds and that of the executions.

    Parameters
    ----------
    scores : float array, shape (k, m), k >= 2 folds and m >= 1 executions
        One metric of each training.
    deterministic : bool
        The model gives the same score each time it is trained on the same patterns: σ_E is 0 by
        nature.

    Returns
    -------
    components : VarianceComponents

    Raises
    ------
    ValueError
        If there are fewer than two folds or no executions, a score is not finite, or the executions
        of a deterministic model differ.

    Notes
    -----
    σ_E² is the mean of the folds' sample variances. The means of the folds vary by σ_F² + σ_E²/m,
    hence σ_F² = var(means) − σ_E²/m, or 0 where that is negative. One execution of a model that is
    not deterministic does not separate the two: both are NaN, with the `reason`; only their sum,
    the std of one training, is known.

    Examples
    --------
    >>> components = variance_components([[0.8, 0.9], [0.6, 0.7]])
    >>> (
    ...     round(components.std, 4),
    ...     round(components.sigma_folds, 4),
    ...     round(components.sigma_executions, 4),
    ... )
    (0.1414, 0.1323, 0.0707)
    >>> variance_components([[0.8], [0.6]], deterministic=True).monte_carlo_error
    0.0
    """
    matrix = as_real_matrix(scores, "scores").astype(np.float64)
    k, m = matrix.shape
    if k < 2 or m < 1:
        raise ValueError(
            f"scores has shape {matrix.shape}; it must have at least two folds and one execution"
        )
    require_finite(matrix, "scores")
    if deterministic:
        _require_equal_executions(matrix)
    fold_means = matrix.mean(axis=1)
    mean, std = float(matrix.mean()), float(fold_means.std(ddof=1))
    if deterministic:
        return VarianceComponents(k, m, mean, std, std, 0.0, std, 0.0)
    if m == 1:
        reason = (
            "one execution per fold does not separate the variance of the executions from that of"
            " the folds"
        )
        return VarianceComponents(k, m, mean, std, math.nan, math.nan, std, math.nan, reason)
    # equal scores: exactly 0
    of_executions = float((matrix - matrix[:, :1]).var(axis=1, ddof=1).mean())
    of_folds = max(0.0, std**2 - of_executions / m)
    return VarianceComponents(
        folds=k,
        executions=m,
        mean=mean,
        std=std,
        sigma_folds=math.sqrt(of_folds),
        sigma_executions=math.sqrt(of_executions),
        std_of_one_training=math.sqrt(of_folds + of_executions),
        monte_carlo_error=math.sqrt(of_executions / (k * m)),
    )


def _require_equal_executions(scores: Floats) -> None:
    differ = (scores != scores[:, :1]).any(axis=1)
    if differ.any():
        fold = int(differ.argmax())
        raise ValueError(
            f"the executions of fold {fold + 1} have scores from {scores[fold].min():g} to"
            f" {scores[fold].max():g}; those of a deterministic model must be equal"
        )
