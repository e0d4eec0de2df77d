"""Splits: exact sizes, every pattern tested once where it should be, and chance that repeats with
its seed.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneOut, PredefinedSplit, cross_val_score

from practica import crossvalidation
from practica.evaluation import (
    balanced_folds,
    first_fraction,
    leave_one_out,
    quantile_folds,
    random_fraction,
    repeated_folds,
    repeated_random_fraction,
)

SEEDS = st.integers(0, 2**32 - 1)
SIZES = st.integers(0, 3000)
PERCENTS = st.integers(0, 100)

ALARM = 1e-10  # probability that the statistical check below rejects a fair shuffle


@given(SIZES, PERCENTS)
def test_the_first_rows_train(N, percent):
    """They are floor(P·N) of the decimal P, and with the others all rows in order."""
    training, test = first_fraction(N, percent / 100)
    assert len(training) == percent * N // 100
    assert np.concatenate([training, test]).tolist() == list(range(N))


@given(SIZES, PERCENTS, SEEDS)
def test_random_rows_train(N, percent, seed):
    """As many as the first ones would be.

    Those and the others are all the rows, and the seed repeats them.
    """
    training, test = random_fraction(N, percent / 100, random_state=seed)
    assert len(training) == percent * N // 100
    assert sorted([*training, *test]) == list(range(N))
    again, _ = random_fraction(N, percent / 100, random_state=seed)
    assert again.tolist() == training.tolist()


def test_repeated_random_rows_differ_and_feed_scikit_learn():
    """Each repetition is a draw of its own, and the list serves as `cv`."""
    splits = repeated_random_fraction(60, 0.75, 20, random_state=1)
    assert {len(test) for _, test in splits} == {15}
    # 5·10¹³ ways to choose: equal ones do not happen
    assert len({tuple(sorted(test)) for _, test in splits}) == 20
    X, y = np.random.default_rng(0).random((60, 2)), np.arange(60) % 2
    assert cross_val_score(LogisticRegression(), X, y, cv=splits).shape == (20,)


@given(st.integers(1, 500), st.data(), SEEDS)
def test_quantile_folds_test_every_row_once(N, data, seed):
    """All k folds are there, for any k, and their sizes are those between the quantiles j·N/k."""
    k = data.draw(st.integers(1, N))
    folds = quantile_folds(N, k, random_state=seed)
    sizes = np.bincount(folds, minlength=k + 1)
    # ceil: the first position at or above the quantile
    limits = [-((-j * N) // k) for j in range(k + 1)]
    assert sizes[0] == 0
    assert sizes[1:].tolist() == np.diff(limits).tolist()
    assert np.ptp(sizes[1:]) <= 1


def test_quantile_folds_are_shuffled():
    """Every position falls in every fold equally often: Pearson's chi-square, alarm 1e-10."""
    N, k, draws = 12, 4, 4000
    generator = np.random.default_rng(3)
    folds = np.array([quantile_folds(N, k, random_state=generator) for _ in range(draws)])
    counts = np.array([np.bincount(column, minlength=k + 1)[1:] for column in folds.T])
    expected = draws / k
    # Each row and each column of the table adds up to a constant, which leaves (N − 1)(k − 1)
    # degrees of freedom.
    statistic = ((counts - expected) ** 2 / expected).sum() * (N - 1) / N
    assert statistic < chi2.isf(ALARM, (N - 1) * (k - 1))


@given(st.integers(2, 5), st.integers(1, 6), SEEDS)
def test_repeated_folds_are_stratified_each_time(k, times, seed):
    """Every row is an index vector whose folds share out each class evenly."""
    targets = np.repeat(["a", "b", "c"], [3 * k, 2 * k, k])
    folds = repeated_folds(targets, k, times, random_state=seed)
    assert folds.shape == (times, 6 * k)
    for row in folds:
        for label, each in (("a", 3), ("b", 2), ("c", 1)):
            assert np.bincount(row[targets == label])[1:].tolist() == [each] * k


def test_repetitions_differ():
    """Each is drawn anew; of a number of patterns too."""
    folds = repeated_folds(100, 10, 10, random_state=1)
    assert len({tuple(row) for row in folds}) == 10


@given(st.integers(2, 200))
def test_leaving_one_out_is_scikit_learns(N):
    """As a splitter, the index vector gives the splits of `LeaveOneOut`."""
    ours = [test.tolist() for _, test in PredefinedSplit(leave_one_out(N) - 1).split()]
    assert ours == [test.tolist() for _, test in LeaveOneOut().split(np.empty((N, 1)))]


def test_a_fraction_is_the_decimal_number_written():
    """0.29·100 is 28.999… in floating point, and 29 patterns to whoever wrote it."""
    assert int(0.29 * 100) == 28
    assert len(first_fraction(100, 0.29)[0]) == int(Fraction("0.29") * 100) == 29


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: first_fraction(-1, 0.5), ValueError, "N=-1"),
        (lambda: first_fraction(10, 1.5), ValueError, "P=1.5"),
        (lambda: random_fraction(10, -0.1), ValueError, "P=-0.1"),
        (lambda: repeated_random_fraction(10, 0.5, 0), ValueError, "times=0"),
        (lambda: quantile_folds(3, 4), ValueError, "k=4: there are only 3 patterns"),
        (lambda: quantile_folds(3, 0), ValueError, "k=0"),
        (lambda: quantile_folds(3.5, 2), TypeError, "N=3.5"),
        (lambda: repeated_folds(10, 2, 0), ValueError, "times=0"),
        (lambda: leave_one_out(1), ValueError, "N=1"),
    ],
)
def test_impossible_splits_are_refused(call, error, message):
    """The argument, its value and its range."""
    with pytest.raises(error, match=message):
        call()


@given(
    numbers=st.lists(st.integers(0, 4), min_size=1, max_size=60),
    k=st.integers(1, 12),
    seed=st.integers(0, 99),
)
@pytest.mark.filterwarnings("ignore:k=")
def test_balanced_folds_differ_by_one_in_all_and_in_each_class(numbers, k, seed):
    """Which of the statement's folds a class has, and in what order, stays as it is but for a
    turn.
    """
    labels = np.array(numbers)
    folds = balanced_folds(labels, k, random_state=seed)
    plain = crossvalidation(labels, k, random_state=seed)
    for chosen in (labels >= 0, *(labels == label for label in set(numbers))):
        counts = np.bincount(folds[chosen], minlength=k + 1)[1:]
        assert counts.max() - counts.min() <= 1
    for label in set(numbers):
        assert len(set(((folds - plain) % k)[labels == label].tolist())) == 1
