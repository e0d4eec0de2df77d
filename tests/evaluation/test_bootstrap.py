"""Bootstrap errors: against a loop written from the definitions, and the cases that can be worked
out by hand.
"""

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from practica.evaluation import BootstrapErrors, bootstrap_errors

X, Y = (values[::3] for values in load_iris(return_X_y=True))
WRONG, SQUARED = (lambda y, h: y != h), (lambda y, h: (y - h) ** 2)
RATES = st.integers(0, 100).map(lambda percent: percent / 100)


@pytest.mark.parametrize(
    ("estimator", "y", "loss"),
    [
        (KNeighborsClassifier(1), Y, WRONG),
        (DecisionTreeClassifier(max_depth=1, random_state=0), np.array(["a", "b", "c"])[Y], WRONG),
        (LinearRegression(), X[:, 0] ** 2, SQUARED),
    ],
)
def test_the_errors_are_those_of_the_definitions(estimator, y, loss):
    """Out-of-bag is a mean over patterns of means over resamples.

    No information, over all pairs.
    """
    errors = bootstrap_errors(estimator, X, y, n_resamples=8, random_state=5)
    N = len(y)
    draws = np.random.default_rng(5).integers(N, size=(8, N))
    losses_of = [[] for _ in range(N)]
    for drawn in draws:
        model = clone(estimator).fit(X[drawn], y[drawn])
        for pattern in set(range(N)) - set(drawn.tolist()):
            losses_of[pattern].extend(loss(y[[pattern]], model.predict(X[[pattern]])))
    fitted = clone(estimator).fit(X, y).predict(X)
    assert errors.out_of_bag == pytest.approx(
        np.mean([np.mean(losses) for losses in losses_of if losses])
    )
    assert errors.resubstitution == pytest.approx(loss(y, fitted).mean())
    assert errors.no_information == pytest.approx(
        np.mean([loss(y, np.roll(fitted, shift)) for shift in range(N)])
    )
    assert errors.n_resamples == 8


@given(RATES, RATES, RATES)
def test_632_plus_lies_where_overfitting_puts_it(resubstitution, out_of_bag, no_information):
    """Without overfitting it is .632; with all of it, the out-of-bag error has all the weight."""
    errors = BootstrapErrors(resubstitution, out_of_bag, no_information, 1)
    assert errors.error_632 == pytest.approx(0.368 * resubstitution + 0.632 * out_of_bag)
    assert 0 <= errors.relative_overfitting <= 1
    if errors.relative_overfitting == 0:
        assert errors.error_632_plus == errors.error_632
    elif out_of_bag <= no_information:
        weight = 0.632 / (1 - 0.368 * errors.relative_overfitting)
        assert errors.error_632_plus == pytest.approx(
            (1 - weight) * resubstitution + weight * out_of_bag
        )
        assert errors.error_632 - 1e-12 <= errors.error_632_plus <= out_of_bag + 1e-12


def test_resubstitution_is_of_one_model_trained_on_everything():
    """A nearest neighbour makes no error there, though each of its resamples does on what it has
    not seen.
    """
    noise = np.random.default_rng(0).random((60, 3))
    errors = bootstrap_errors(
        KNeighborsClassifier(1), noise, np.arange(60) % 2, n_resamples=20, random_state=0
    )
    assert errors.resubstitution == 0
    assert errors.out_of_bag > 0.2
    assert errors.error_632 == pytest.approx(0.632 * errors.out_of_bag)


def test_a_constant_cannot_overfit():
    """It errs alike on seen, unseen and unrelated patterns: all the estimates agree."""
    errors = bootstrap_errors(
        DummyClassifier(strategy="constant", constant=0), X, Y == 1, n_resamples=30
    )
    share = (Y == 1).mean()
    assert errors.resubstitution == errors.no_information == pytest.approx(share)
    assert errors.out_of_bag == pytest.approx(share)
    assert errors.error_632_plus == pytest.approx(share)


def test_the_estimator_is_not_touched_and_the_seed_repeats():
    """Clones are trained; the same seed draws the same resamples, on any number of workers."""
    tree = DecisionTreeClassifier(random_state=0)
    first = bootstrap_errors(tree, X, Y, n_resamples=10, random_state=3)
    assert not hasattr(tree, "tree_")
    with joblib.parallel_config(backend="threading"):
        assert bootstrap_errors(tree, X, Y, n_resamples=10, random_state=3, n_jobs=2) == first
    assert bootstrap_errors(tree, X, Y, n_resamples=10, random_state=4) != first


def test_any_container_of_patterns_will_do():
    """Lists, sparse matrices, and data frames whose columns the estimator knows by name."""
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    expected = bootstrap_errors(model, X, Y, n_resamples=5, random_state=1)
    for same in (X.tolist(), sparse.csr_array(X)):
        assert bootstrap_errors(model, same, Y.tolist(), n_resamples=5, random_state=1) == expected
    frame = pd.DataFrame(X, columns=list("abcd"))
    by_name = make_pipeline(make_column_transformer((StandardScaler(), ["a", "d"])), model)
    assert (
        bootstrap_errors(by_name, frame, pd.Series(Y), n_resamples=5, random_state=1).n_resamples
        == 5
    )


def test_a_loss_of_ones_own():
    """Anything with one number per pattern."""
    errors = bootstrap_errors(
        DummyRegressor(strategy="constant", constant=1.0),
        X,
        X[:, 0],
        n_resamples=5,
        loss=lambda y, h: np.abs(y - h),
    )
    assert errors.resubstitution == pytest.approx(np.abs(X[:, 0] - 1).mean())


@pytest.mark.parametrize(
    ("patterns", "targets", "resamples", "message"),
    [
        (X, Y[:-1], 5, "X 50, y 49"),
        (X, Y, 0, "n_resamples=0"),
        (np.zeros((1, 1)), [0], 3, "none is left to test"),
    ],
)
def test_what_cannot_be_resampled_is_refused(patterns, targets, resamples, message):
    """Different lengths, no resamples, or one pattern, which every resample has."""
    with pytest.raises(ValueError, match=message):
        bootstrap_errors(DummyClassifier(), patterns, targets, n_resamples=resamples)
