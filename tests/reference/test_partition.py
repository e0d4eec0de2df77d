"""Hold-out and stratified folds: how many patterns go where is exact; which ones, uniform."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2
from strategies import SEEDS, class_sequences, global_seed, labelled_patterns, one_hot

from practica import crossvalidation, hold_out
from practica.reference.partition import column_of_each_row, hold_out_size

FOLDS = st.integers(1, 7)
FRACTIONS = st.integers(0, 20).map(lambda twentieths: twentieths / 20)

ALARM = 1e-10  # probability that a statistical check below rejects a fair draw


@pytest.fixture(autouse=True)
def small_classes_are_allowed():
    """Most tests here draw classes smaller than k; the warnings have tests of their own."""
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        yield


def counts(folds: np.ndarray, k: int) -> list[int]:
    """Count the patterns of the folds 1..k."""
    return np.bincount(folds, minlength=k + 1)[1:].tolist()


def even(n: int, k: int) -> list[int]:
    """Spread n patterns over k folds as the recipe of the statement does: 1..k, 1..k, ..."""
    return [n // k + (fold <= n % k) for fold in range(1, k + 1)]


def assert_equally_frequent(arrangements: list[tuple], possible: int) -> None:
    """Check that all the possible arrangements appear, equally often: Pearson's chi-square, alarm
    1e-10.
    """
    _, times = np.unique(arrangements, axis=0, return_counts=True)
    expected = len(arrangements) / possible
    assert len(times) == possible
    assert ((times - expected) ** 2 / expected).sum() < chi2.isf(ALARM, possible - 1)


# --- hold_out -------------------------------------------------------------------------------------


@given(N=st.integers(0, 200), P=FRACTIONS, seed=SEEDS)
def test_two_parts_are_disjoint_and_complete(N, P, seed):
    """Training and test together are the positions 0..N-1, each once."""
    training, test = hold_out(N, P, random_state=seed)
    assert sorted([*training, *test]) == list(range(N))
    assert abs(len(test) - N * P) <= 0.5 + 1e-9
    assert len(test) == hold_out_size(N, P)


@given(
    N=st.integers(0, 200),
    fractions=st.tuples(FRACTIONS, FRACTIONS).filter(lambda pair: sum(pair) <= 1),
    seed=SEEDS,
)
def test_three_parts_are_disjoint_and_complete(N, fractions, seed):
    """Both fractions are of all the patterns, to within half a pattern, also where rounding leaves
    too few.
    """
    parts = hold_out(N, *fractions, random_state=seed)
    assert sorted(np.concatenate(parts).tolist()) == list(range(N))
    for part, fraction in zip(parts[1:], fractions, strict=True):
        assert abs(len(part) - N * fraction) <= 0.5 + 1e-9
    assert all(part.dtype == np.int64 for part in parts)


@given(N=st.integers(0, 100), P=FRACTIONS, seed=SEEDS)
def test_without_a_validation_set_three_parts_are_two(N, P, seed):
    """`hold_out(N, 0, P)` has an empty validation set and a test set of the size of `hold_out(N,
    P)`.
    """
    training, validation, test = hold_out(N, 0, P, random_state=seed)
    assert len(validation) == 0
    assert (len(training), len(test)) == tuple(map(len, hold_out(N, P)))


def test_every_choice_of_the_test_patterns_is_equally_likely():
    """Of five patterns, each of the 20 ordered pairs to test with."""
    generator = np.random.default_rng(1)
    drawn = [tuple(hold_out(5, 0.4, random_state=generator)[1].tolist()) for _ in range(4000)]
    assert_equally_frequent(drawn, possible=20)


def test_every_split_in_three_is_equally_likely():
    """Of four patterns in parts of 2, 1 and 1, each of the 24 orders."""
    generator = np.random.default_rng(1)
    drawn = [
        tuple(np.concatenate(hold_out(4, 0.25, 0.25, random_state=generator)).tolist())
        for _ in range(4000)
    ]
    assert_equally_frequent(drawn, possible=24)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((10, 1.5), ValueError, r"P=1.5 is out of range.*\[0, 1\]"),
        ((10, float("nan")), ValueError, "P=nan"),
        ((10, -0.1, 0.5), ValueError, "Pval=-0.1"),
        ((10, 0.5, 1.1), ValueError, "Ptest=1.1"),
        ((10, 0.6, 0.6), ValueError, r"Pval=0.6 and Ptest=0.6 add up to 1.2"),
        ((-1, 0.5), ValueError, "N=-1"),
        ((10.0, 0.5), TypeError, "N=10.0 is a float"),
        ((True, 0.5), TypeError, "N=True is a bool"),
        ((10, "half"), TypeError, "P='half' is a str"),
    ],
)
def test_hold_out_refuses(arguments, error, message):
    """The sentence names the argument and its value."""
    with pytest.raises(error, match=message):
        hold_out(*arguments)


# --- crossvalidation: how many --------------------------------------------------------------------


@given(N=st.integers(0, 100), k=FOLDS, seed=SEEDS)
def test_the_folds_of_positions_have_exact_sizes(N, k, seed):
    """Sizes differ by one at most, and the low folds have the larger ones."""
    folds = crossvalidation(N, k, random_state=seed)
    assert counts(folds, k) == even(N, k)
    assert folds.dtype == np.int64


@given(patterns=labelled_patterns(), k=FOLDS, seed=SEEDS)
def test_each_class_is_spread_evenly(patterns, k, seed):
    """Fold f has floor(n/k) + [f <= n mod k] of the n patterns of each class."""
    labels, classes = patterns
    folds = crossvalidation(labels, k, random_state=seed)
    assert len(folds) == len(labels)
    for label in classes:
        of_class = folds[[other == label for other in labels]]
        assert counts(of_class, k) == even(len(of_class), k)


@given(numbers=class_sequences(max_classes=2), k=FOLDS, seed=SEEDS)
def test_bool_vector_one_column_and_labels_agree_on_counts(numbers, k, seed):
    """Two classes are spread in the same way however they are written."""
    positive = numbers == 0
    written = [
        positive,
        positive.reshape(-1, 1),
        positive.tolist(),
        positive.astype(object),
        numbers,
        numbers * 0.5,
    ]
    for targets in written:
        folds = crossvalidation(targets, k, random_state=seed)
        for label in (True, False):
            assert counts(folds[positive == label], k) == even(int((positive == label).sum()), k)


@given(numbers=class_sequences(min_classes=3), k=FOLDS, seed=SEEDS)
def test_one_hot_rows_and_labels_agree_on_counts(numbers, k, seed):
    """Three or more classes are spread in the same way however they are written."""
    C = int(numbers.max()) + 1
    for targets in (
        numbers,
        one_hot(numbers, C),
        one_hot(numbers, C + 1),
        np.array(["a", "b", "c", "d", "e"])[numbers],
    ):
        folds = crossvalidation(targets, k, random_state=seed)
        for number in range(C):
            assert counts(folds[numbers == number], k) == even(int((numbers == number).sum()), k)


def test_the_low_folds_take_the_surplus_of_every_class():
    """Three classes of four patterns in three folds: 6, 3 and 3, where balanced totals would be 4,
    4 and 4.
    """
    assert counts(crossvalidation(["a", "b", "c"] * 4, 3), 3) == [6, 3, 3]


@pytest.mark.parametrize(
    "targets", [0, [], np.zeros(0, bool), np.zeros((0, 1), bool), np.zeros((0, 3), bool)]
)
def test_no_patterns_have_no_folds(targets):
    """The stratified forms need it for a class that does not occur."""
    folds = crossvalidation(targets, 3)
    assert folds.shape == (0,)
    assert folds.dtype == np.int64


# --- crossvalidation: which ones ------------------------------------------------------------------


@given(numbers=class_sequences(), data=st.data(), k=FOLDS, seed=SEEDS)
def test_the_folds_of_a_class_do_not_depend_on_where_it_stands(numbers, data, k, seed):
    """Patterns in another order: the folds of each class, read in its own order, stay the same."""
    C = int(numbers.max()) + 1
    rest = data.draw(st.permutations(np.repeat(np.arange(C), np.bincount(numbers) - 1).tolist()))
    moved = np.array([*range(C), *rest])  # each class keeps its rank of first appearance
    before, after = (crossvalidation(targets, k, random_state=seed) for targets in (numbers, moved))
    for number in range(C):
        np.testing.assert_array_equal(before[numbers == number], after[moved == number])


@given(numbers=class_sequences(), k=FOLDS, seed=SEEDS)
def test_each_class_gets_the_folds_of_so_many_positions(numbers, k, seed):
    """The stratified forms are the plain one, called for one class after the other."""
    folds = crossvalidation(numbers, k, random_state=seed)
    generator = np.random.default_rng(seed)
    for number, size in enumerate(np.bincount(numbers).tolist()):
        np.testing.assert_array_equal(
            folds[numbers == number], crossvalidation(size, k, random_state=generator)
        )


@given(numbers=class_sequences(max_classes=2), k=FOLDS, seed=SEEDS)
def test_one_column_is_its_bool_vector(numbers, k, seed):
    """The same folds, not only the same counts."""
    positive = numbers == 0
    vector, column = (
        crossvalidation(t, k, random_state=seed) for t in (positive, positive.reshape(-1, 1))
    )
    np.testing.assert_array_equal(vector, column)


@given(patterns=labelled_patterns(), k=FOLDS, seed=SEEDS)
def test_the_targets_are_left_as_they_are(patterns, k, seed):
    """A partition only reads."""
    labels = np.fromiter(patterns[0], dtype=object)
    copy = labels.copy()
    crossvalidation(labels, k, random_state=seed)
    assert all(now is before for now, before in zip(labels, copy, strict=True))


@pytest.mark.parametrize("targets", [40, [True, False] * 20, ["a", "b", "c", "d"] * 10])
def test_random_state_repeats_a_partition(targets):
    """An int, or the global generator seeded at the top of a program.

    Another seed gives another partition.
    """
    one, again, other = (crossvalidation(targets, 5, random_state=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, other)
    with global_seed(7):
        first, second = crossvalidation(targets, 5), crossvalidation(targets, 5)
    with global_seed(7):
        np.testing.assert_array_equal(crossvalidation(targets, 5), first)
        np.testing.assert_array_equal(crossvalidation(targets, 5), second)
    assert not np.array_equal(first, second)


@pytest.mark.parametrize(
    ("targets", "k", "possible"),
    [
        (6, 3, 90),  # 6! / 2!2!2!
        (5, 2, 10),
        ([True, False, True, False, False, True], 2, 9),  # 3 for each class
        (["a", "b", "b", "a", "b", "a", "a"], 2, 18),  # 6 for a, 3 for b
        (one_hot(np.array([0, 1, 2, 0, 1, 2]), 3), 2, 8),
    ],
    ids=["positions-90", "positions-10", "bool", "labels", "one-hot"],
)
def test_every_partition_is_equally_likely(targets, k, possible):
    """All the arrangements with the right counts appear, equally often."""
    generator = np.random.default_rng(1)
    drawn = [crossvalidation(targets, k, random_state=generator) for _ in range(100 * possible)]
    assert_equally_frequent(drawn, possible)


# --- crossvalidation: warnings and refusals -------------------------------------------------------


@pytest.mark.parametrize(
    ("targets", "k", "message"),
    [
        (3, 5, r"^k=5: there are only 3 patterns, so folds 4 to 5 are empty$"),
        (["a"] * 9 + ["b"] * 2, 5, r"^k=5: .*\('b' has 2\); some folds have none"),
        ([True] * 3 + [False] * 9, 5, r"^k=5: .*\(True has 3\)"),
        (one_hot(np.array([0] * 5 + [1] * 4 + [2] * 5), 3), 5, r"^k=5: .*'column 1' has 4"),
        (
            ["a", "a", "b"],
            3,
            r"^k=3: .*\('a' has 2, 'b' has 1\); no class has k patterns, so folds 3 to 3 are empty",
        ),
        (
            list("abcdefgh"),
            2,
            r"'a' has 1, 'b' has 1, 'c' has 1, 'd' has 1, 'e' has 1 and 3 more classes too",
        ),
    ],
)
def test_a_class_smaller_than_k_is_named_in_a_warning(targets, k, message):
    """The partition is returned all the same, and the warning points at the line of the caller."""
    with pytest.warns(UserWarning, match=message) as caught:
        folds = crossvalidation(targets, k)
    assert len(folds) == (targets if isinstance(targets, int) else len(targets))
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize(
    "targets", [5, ["a"] * 5 + ["b"] * 6, [True] * 5, one_hot(np.arange(15) % 3, 4)]
)
def test_classes_of_k_patterns_or_of_none_do_not_warn(targets):
    """Each fold has something of each class that occurs."""
    with warnings.catch_warnings(action="error"):
        crossvalidation(targets, 5)


@pytest.mark.parametrize(
    ("targets", "k", "error", "message"),
    [
        (10, 0, ValueError, "k=0 is out of range; it must be at least 1"),
        (-1, 3, ValueError, "N=-1"),
        (10, 2.5, TypeError, "k=2.5 is a float"),
        (10, True, TypeError, "k=True is a bool"),
        (10, "3", TypeError, "k='3' is a str"),
        (True, 3, TypeError, "N=True is a bool"),
        (10.0, 3, TypeError, "N=10.0 is a float"),
        ("abc", 3, TypeError, "N='abc' is a str"),
        (None, 3, TypeError, "targets=None is a NoneType"),
        (np.ones((4, 2), bool), 2, ValueError, "targets has 2 columns"),
        (
            [[True, False, False], [True, True, False]],
            2,
            ValueError,
            "row 1 has 2 True.*exactly one",
        ),
        ([[True, False, False], [False, False, False]], 2, ValueError, "row 1 has 0 True"),
        ([[1, 0, 0], [0, 1, 0]], 2, TypeError, "elements of type int64; they must be bool"),
        (np.zeros((2, 2, 2), bool), 2, ValueError, r"shape \(2, 2, 2\)"),
        ([1.0, float("nan")], 2, ValueError, "label 1 is NaN"),
        (["a", float("nan")], 2, ValueError, "a label is NaN"),
        ([{"a"}, {"b"}], 2, TypeError, "a label cannot be compared"),
    ],
)
def test_crossvalidation_refuses(targets, k, error, message):
    """The sentence names the argument and its value, or the first row that is wrong."""
    with pytest.raises(error, match=message):
        crossvalidation(targets, k)


@given(C=st.integers(3, 90), data=st.data())
def test_the_column_of_a_row_is_where_its_only_true_stands(C, data):
    """Whatever the number of columns, and so the type in which they are weighed."""
    numbers = np.array(data.draw(st.lists(st.integers(0, C - 1), min_size=1, max_size=20)))
    np.testing.assert_array_equal(column_of_each_row(one_hot(numbers, C), "targets"), numbers)


@given(C=st.integers(3, 90), trues=st.data())
def test_the_first_row_without_exactly_one_true_is_named(C, trues):
    """Rows of no True, of several and of nothing else."""
    how_many = trues.draw(
        st.lists(st.sampled_from([0, 1, 1, 1, 2, C - 1, C]), min_size=1, max_size=10)
    )
    rows = np.arange(C) < np.array(how_many)[:, None]
    wrong = next((row for row, number in enumerate(how_many) if number != 1), None)
    if wrong is None:
        assert not column_of_each_row(rows, "targets").any()
    else:
        with pytest.raises(ValueError, match=rf"row {wrong} has {how_many[wrong]} True"):
            column_of_each_row(rows, "targets")


def test_all_pairs_of_two_columns_are_told_apart():
    """Any two Trues in a row are refused, wherever they stand."""
    for pair in itertools.combinations(range(9), 2):
        with pytest.raises(ValueError, match="has 2 True"):
            column_of_each_row(np.isin(np.arange(9), pair)[None, :], "targets")
