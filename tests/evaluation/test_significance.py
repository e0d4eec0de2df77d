"""Tests of the differences of two models: against scipy, tables, and numerical integration.

And Holm's adjustment.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import integrate, stats

from practica.evaluation import corrected_t_test, holm, paired_t_test

SCORES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=30).map(
    np.array
)
RATIOS = st.floats(0.01, 3)
P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=6)
BOTH_TESTS = pytest.mark.parametrize(
    "test",
    [paired_t_test, lambda first, second: corrected_t_test(first, second, test_to_train=1 / 9)],
)


def pairs_that_differ(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Split drawn pairs, leaving out those whose differences hardly spread."""
    first, second = scores.T
    assume(np.ptp(first - second) > 1e-6)
    return first, second


@given(SCORES)
def test_the_paired_test_is_scipys(scores):
    """Statistic, p-value and confidence interval are those of `ttest_rel`."""
    first, second = pairs_that_differ(scores)
    ours, theirs = paired_t_test(first, second), stats.ttest_rel(first, second)
    assert (ours.statistic, ours.p_value, ours.df) == (theirs.statistic, theirs.pvalue, theirs.df)
    assert ours.interval(0.9) == pytest.approx(tuple(theirs.confidence_interval(0.9)))


@given(SCORES, RATIOS)
def test_the_correction_widens_the_standard_error_and_nothing_else(scores, ratio):
    """Of n differences the variance is multiplied by 1/n + ratio where the plain test has 1/n."""
    first, second = pairs_that_differ(scores)
    plain, corrected = (
        paired_t_test(first, second),
        corrected_t_test(first, second, test_to_train=ratio),
    )
    n = len(first)
    assert corrected.standard_error == pytest.approx(
        plain.standard_error * math.sqrt((1 / n + ratio) / (1 / n))
    )
    assert (corrected.mean, corrected.df) == (plain.mean, plain.df)
    assert corrected.p_value >= plain.p_value
    low, high = corrected.interval(1 - corrected.p_value)
    assert min(abs(low), abs(high)) == pytest.approx(0, abs=1e-6)


@given(SCORES, RATIOS, st.integers(1, 5))
def test_repetitions_count_as_one_cross_validation(scores, ratio, times):
    """Of n differences in r repetitions the variance is multiplied by r/n + ratio."""
    first, second = pairs_that_differ(scores)
    plain = paired_t_test(first, second)
    corrected = corrected_t_test(first, second, test_to_train=ratio, repetitions=times)
    n = len(first)
    assert corrected.standard_error == pytest.approx(
        plain.standard_error * math.sqrt((times / n + ratio) / (1 / n))
    )


@given(st.lists(SCORES, min_size=1, max_size=5))
def test_no_simultaneous_interval_excludes_0_where_holm_finds_nothing(several):
    """And the most certain of the differences has both or neither."""
    tests = [corrected_t_test(*scores.T, test_to_train=1 / 9) for scores in several]
    intervals = [test.interval(tests=len(tests)) for test in tests]
    adjusted = holm([test.p_value for test in tests])
    excluded = [
        p for p, (low, high) in zip(adjusted, intervals, strict=True) if low > 0 or high < 0
    ]
    assert all(p < 0.05 + 1e-9 for p in excluded)
    assert bool(excluded) or not (adjusted < 0.05 - 1e-9).any()


@pytest.mark.slow
@given(SCORES, RATIOS, st.floats(0, 0.5))
def test_the_three_probabilities_are_areas_under_one_shifted_t(scores, ratio, region):
    """Each is the integral of the density around the mean difference; together they are 1."""
    test = corrected_t_test(*pairs_that_differ(scores), test_to_train=ratio)
    worse, equal, better = test.probabilities(region)
    assert worse + equal + better == pytest.approx(1)
    assume(test.standard_error > 0.01)  # what quad can integrate
    low, high = ((edge - test.mean) / test.standard_error for edge in (-region, region))
    assert equal == pytest.approx(
        integrate.quad(stats.t(test.df).pdf, low, high, limit=200)[0], abs=1e-6
    )
    assert worse == pytest.approx(
        integrate.quad(stats.t(test.df).pdf, -np.inf, low, limit=200)[0], abs=1e-6
    )


@given(SCORES)
def test_exchanging_the_models_exchanges_worse_and_better(scores):
    """No model has an advantage from standing first."""
    first, second = pairs_that_differ(scores)
    one, other = (
        corrected_t_test(*pair, test_to_train=1 / 9) for pair in ((first, second), (second, first))
    )
    assert one.statistic == -other.statistic
    assert one.p_value == other.p_value
    assert one.probabilities(0.02) == pytest.approx(other.probabilities(0.02)[::-1])


@given(SCORES)
def test_without_a_region_half_the_p_value_is_the_probability_of_the_other_direction(scores):
    """The Bayesian reading and the two-sided test use the same distribution."""
    test = corrected_t_test(*pairs_that_differ(scores), test_to_train=1 / 9)
    worse, equal, better = test.probabilities(0)
    assert equal == pytest.approx(0, abs=1e-12)
    assert min(worse, better) == pytest.approx(test.p_value / 2)


@BOTH_TESTS
@pytest.mark.parametrize(
    ("first", "second", "mean"),
    [
        ([0.9, 0.8, 0.7], [0.9, 0.8, 0.7], 0.0),
        ([1.0, 0.5, 0.25], [0.75, 0.25, 0.0], 0.25),
        ([0.3, 0.7, 0.9, 1.1], [0.2, 0.6, 0.8, 1.0], 0.1),  # 0.1 but for the last bits
    ],
)
def test_differences_without_spread_are_not_tested(test, first, second, mean):
    """Equal differences have no variance: every figure that needs one is NaN, and the reason says
    so.
    """
    result = test(first, second)
    assert result.mean == pytest.approx(mean)
    assert result.standard_error == 0
    assert math.isnan(result.statistic)
    assert math.isnan(result.p_value)
    assert all(map(math.isnan, (*result.interval(), *result.probabilities())))
    assert "without any spread" in result.reason
    assert "without any spread" not in test([0.1, 0.2], [0.2, 0.2]).reason


@given(st.integers(2, 40), st.floats(-1, 1), st.integers(0, 2**32 - 1))
def test_rounding_is_no_spread(n, shift, seed):
    """Scores that differ by a constant, up to their last bits, are never tested, and never warned
    about.
    """
    first = np.random.default_rng(seed).random(n)
    assert paired_t_test(first, first + shift).reason


@BOTH_TESTS
@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([0.1, 0.2], [0.1, 0.2, 0.3], "first has 2 scores and second 3"),
        ([0.1], [0.2], "at least two"),
        ([], [], "at least two"),
        ([0.1, math.nan], [0.1, 0.2], "first: score 1 is nan"),
        ([0.1, 0.2], [math.inf, 0.2], "second: score 0 is inf"),
        ([[0.1, 0.2]], [[0.1, 0.2]], "executions are no observations"),
    ],
)
def test_scores_that_cannot_be_paired_are_refused(test, first, second, message):
    """The sentence says which of the two, and what it should be."""
    with pytest.raises(ValueError, match=message):
        test(first, second)


def test_texts_are_no_scores():
    """A column of texts is refused by its type."""
    with pytest.raises(TypeError, match="real numbers"):
        paired_t_test(["a", "b"], [0.1, 0.2])


@pytest.mark.parametrize("ratio", [0, -1, math.nan])
def test_a_ratio_of_sizes_is_positive(ratio):
    """A test set of no patterns would be the plain test under another name."""
    with pytest.raises(ValueError, match="test_to_train"):
        corrected_t_test([0.1, 0.2], [0.1, 0.3], test_to_train=ratio)


@given(P_VALUES)
def test_holm_is_bonferroni_closed_under_intersection(p_values):
    """A hypothesis falls when every set of hypotheses with it falls, each tested by its smallest
    p-value times size.
    """
    n = len(p_values)
    subsets = [
        chosen for size in range(1, n + 1) for chosen in itertools.combinations(range(n), size)
    ]
    expected = [
        min(
            1,
            max(
                len(chosen) * min(p_values[i] for i in chosen)
                for chosen in subsets
                if number in chosen
            ),
        )
        for number in range(n)
    ]
    assert holm(p_values) == pytest.approx(expected)


@given(P_VALUES, st.integers(1, 3))
def test_a_test_that_was_not_made_counts_and_stays_nan(p_values, missing):
    """It is as if its p-value had been 1."""
    adjusted = holm([math.nan] * missing + p_values)
    assert np.isnan(adjusted[:missing]).all()
    assert adjusted[missing:] == pytest.approx(holm([1.0] * missing + p_values)[missing:])


def test_no_tests_need_no_adjustment():
    """Of nothing comes nothing."""
    assert holm([]).shape == (0,)


@pytest.mark.parametrize(
    ("p_values", "message"), [([0.1, 1.5], "number 1 is 1.5"), ([[0.1]], "must be a vector")]
)
def test_what_is_no_p_value_is_refused(p_values, message):
    """The number and its place are named."""
    with pytest.raises(ValueError, match=message):
        holm(p_values)
