"""Wilson's interval of a success rate.

It is the answer of `scipy.stats.binomtest(successes, N).proportion_ci(confidence, method="wilson")`
too, which takes a whole number of successes and no z out of a table; its method="exact" is Clopper
and Pearson's.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from scipy import stats

from practica.reference.arguments import as_integer, as_real

__all__ = ["Interval", "wilson_interval"]


class Interval(NamedTuple):
    """The lower and the upper limit of an interval."""

    low: float
    high: float


def wilson_interval(
    rate: float, N: int, *, confidence: float | None = None, z: float | None = None
) -> Interval:
    """Return the interval that holds the true success rate with some confidence, after `rate` of N
    trials succeeded.

    Parameters
    ----------
    rate : float, fraction of the trials in [0, 1]
        For instance the accuracy on a test set of N patterns.
    N : int, N >= 1
        Number of independent trials.
    confidence : float, fraction in [0, 1), optional
        How often such an interval holds the true rate; 0.95 if neither it nor `z` is given.
    z : float, standard deviations, >= 0, optional
        In place of `confidence`: the value out of a table, exceeded with probability (1 −
        confidence)/2.

    Returns
    -------
    interval : Interval
        Named tuple (low, high), within [0, 1].

    Raises
    ------
    ValueError
        If an argument is out of its range, or `confidence` and `z` are both given.

    Notes
    -----
    The limits are the rates p from which the observed one is z standard deviations √(p(1 − p)/N)
    away. Unlike rate ± z·√(rate(1 − rate)/N) they are sensible for a rate of 0 or 1 and for few
    trials. Scores of overlapping training sets, as in repeated folds, are not independent trials.

    References
    ----------
    Wilson (1927), Probable inference, the law of succession, and statistical inference.

    Examples
    --------
    >>> low, high = wilson_interval(0.75, 1000, z=1.28)
    >>> round(low, 3), round(high, 3)
    (0.732, 0.767)
    >>> low, high = wilson_interval(1.0, 10)
    >>> round(low, 3), high
    (0.722, 1.0)
    """
    f, n = as_real(rate, "rate", low=0, high=1), as_integer(N, "N", minimum=1)
    if confidence is not None and z is not None:
        raise ValueError(
            f"confidence={confidence} and z={z} are both given; one follows from the other"
        )
    level = as_real(0.95 if confidence is None else confidence, "confidence", low=0, high=1)
    deviations = float(stats.norm.isf((1 - level) / 2)) if z is None else as_real(z, "z", low=0)
    if math.isinf(deviations):
        return Interval(0.0, 1.0)
    share = deviations**2 / n
    middle, half = f + share / 2, math.sqrt(share * (f * (1 - f) + share / 4))
    low, high = (middle - half) / (1 + share), (middle + half) / (1 + share)
    return Interval(max(0.0, low) if f > 0 else 0.0, min(1.0, high) if f < 1 else 1.0)
