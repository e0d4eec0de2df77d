"""Wilson's interval: scipy's for whole successes, the roots of its equation for any rate."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from practica.evaluation import wilson_interval

RATES, TRIALS = st.floats(0, 1), st.integers(1, 10**6)


@given(TRIALS, st.data(), st.floats(0.01, 0.999))
def test_of_whole_successes_it_is_scipys(N, data, confidence):
    """`binomtest(...).proportion_ci(method="wilson")` gives the same limits."""
    successes = data.draw(st.integers(0, N))
    expected = binomtest(successes, N).proportion_ci(confidence, method="wilson")
    assert wilson_interval(successes / N, N, confidence=confidence) == pytest.approx(
        (expected.low, expected.high)
    )


@given(RATES, TRIALS, st.floats(0, 10))
def test_the_limits_are_z_deviations_away(rate, N, z):
    """The observed rate lies z standard deviations of each limit's own binomial from it, and
    between both.
    """
    low, high = wilson_interval(rate, N, z=z)
    for limit in (low, high):
        assert (rate - limit) ** 2 == pytest.approx(z**2 * limit * (1 - limit) / N, abs=1e-12)
    assert 0 <= low <= rate + 1e-12
    assert rate - 1e-12 <= high <= 1


@given(RATES, TRIALS, st.floats(0, 10))
def test_failures_have_the_mirrored_interval(rate, N, z):
    """What holds the rate of success holds one less that of failure."""
    low, high = wilson_interval(rate, N, z=z)
    assert wilson_interval(1 - rate, N, z=z) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_the_default_confidence_is_95_per_cent():
    """As most tables and papers have it."""
    assert wilson_interval(0.7, 50) == wilson_interval(0.7, 50, confidence=0.95)
    assert wilson_interval(0.7, 50) == pytest.approx(wilson_interval(0.7, 50, z=1.959964), abs=1e-6)


def test_certainty_takes_every_rate_and_no_confidence_one():
    """The two ends of the confidence."""
    assert wilson_interval(0.7, 50, confidence=1) == (0, 1)
    assert wilson_interval(0.7, 50, confidence=0) == pytest.approx((0.7, 0.7))


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((1.2, 10), {}, ValueError, "rate=1.2"),
        ((math.nan, 10), {}, ValueError, "rate=nan"),
        ((0.5, 0), {}, ValueError, "N=0"),
        ((0.5, 7.5), {}, TypeError, "N=7.5"),
        ((0.5, 10), {"z": -1}, ValueError, "z=-1"),
        ((0.5, 10), {"confidence": 95}, ValueError, "confidence=95"),
        ((0.5, 10), {"z": 1.28, "confidence": 0.8}, ValueError, "both given"),
    ],
)
def test_what_has_no_interval_is_refused(arguments, options, error, message):
    """The value and its range are named; percentages are fractions here."""
    with pytest.raises(error, match=message):
        wilson_interval(*arguments, **options)
