"""Components of the variance of fold × execution scores: identities, known components, and what
cannot be known.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import chi2

from practica.evaluation import variance_components

SHAPES = st.tuples(st.integers(2, 8), st.integers(2, 8))
SCORES = hnp.arrays(np.float64, SHAPES, elements=st.integers(0, 1000).map(lambda mils: mils / 1000))

ALARM = 1e-10  # probability that the statistical check below rejects a right estimate


@given(SCORES)
def test_the_practices_std_is_that_of_the_fold_means(scores):
    """Executions are averaged first, as the statement says."""
    components = variance_components(scores)
    assert components.std == pytest.approx(scores.mean(axis=1).std(ddof=1))
    assert components.mean == pytest.approx(scores.mean())
    assert (components.folds, components.executions) == scores.shape


@given(SCORES)
def test_the_components_add_up(scores):
    """The variance of the fold means is σ_F² + σ_E²/m, unless the executions alone exceed it."""
    components = variance_components(scores)
    m = components.executions
    assert components.std_of_one_training == pytest.approx(
        math.hypot(components.sigma_folds, components.sigma_executions)
    )
    together = components.sigma_folds**2 + components.sigma_executions**2 / m
    assert together >= components.std**2 - 1e-12
    if components.sigma_folds > 0:
        assert together == pytest.approx(components.std**2)


@given(SCORES)
def test_the_analysis_of_variance_gives_the_same(scores):
    """σ_E² is the mean square within folds, and m·var(means) the one between them."""
    k, m = scores.shape
    components = variance_components(scores)
    grand, means = scores.mean(), scores.mean(axis=1, keepdims=True)
    within = ((scores - means) ** 2).sum() / (k * (m - 1))
    between = m * ((means - grand) ** 2).sum() / (k - 1)
    assert components.sigma_executions**2 == pytest.approx(within, abs=1e-15)
    assert components.sigma_folds**2 == pytest.approx(max(0, (between - within) / m), abs=1e-12)
    assert components.monte_carlo_error == pytest.approx(math.sqrt(within / (k * m)), abs=1e-9)


def test_known_components_are_found():
    """Of normal scores, (k−1)·m·var(means)/(m·σ_F² + σ_E²) and k(m−1)·σ_E²-hat/σ_E² are χ² (false
    alarm 2·10⁻¹⁰).
    """
    k, m, sigma_folds, sigma_executions = 200, 50, 0.03, 0.02
    rng = np.random.default_rng(7)
    scores = 0.8 + rng.normal(0, sigma_folds, (k, 1)) + rng.normal(0, sigma_executions, (k, m))
    components = variance_components(scores)
    within = k * (m - 1) * components.sigma_executions**2 / sigma_executions**2
    variance = components.sigma_folds**2 + components.sigma_executions**2 / m
    between = (k - 1) * variance / (sigma_folds**2 + sigma_executions**2 / m)
    for statistic, df in ((within, k * (m - 1)), (between, k - 1)):
        assert chi2.ppf(ALARM / 2, df) < statistic < chi2.isf(ALARM / 2, df)


@given(st.integers(2, 6), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_a_deterministic_model_has_no_variance_of_executions(k, m, seed):
    """Said or seen, σ_E is exactly 0: all of the std is folds, and one execution is enough."""
    scores = np.repeat(np.random.default_rng(seed).random((k, 1)), m, axis=1)
    said = variance_components(scores, deterministic=True)
    assert said.sigma_executions == said.monte_carlo_error == 0
    assert said.sigma_folds == said.std == said.std_of_one_training
    assert said.executions_needed() == 1
    if m > 1:
        seen = variance_components(scores)
        assert seen.sigma_executions == 0
        assert seen.sigma_folds == pytest.approx(said.sigma_folds)


def test_one_execution_of_a_random_model_leaves_the_components_unknown():
    """Only the sum of the two variances is seen; the rest is NaN, with its reason."""
    components = variance_components([[0.8], [0.6], [0.7]])
    assert components.std_of_one_training == components.std == pytest.approx(0.1)
    unknown = (components.sigma_folds, components.sigma_executions, components.monte_carlo_error)
    assert all(map(math.isnan, (*unknown, components.executions_needed())))
    assert "one execution" in components.reason
    assert variance_components([[0.8, 0.7], [0.6, 0.5]]).reason == ""


@given(SCORES, st.sampled_from([0.01, 0.05, 0.1, 0.2, 0.5]))
def test_the_executions_needed_are_the_fewest(scores, share):
    """With them the error is within its share of the std that they would give.

    With one less it is not.
    """
    components = variance_components(scores)
    needed = components.executions_needed(share)

    def is_enough(m: float) -> bool:
        error = components.sigma_executions**2 / (components.folds * m)
        std = components.sigma_folds**2 + components.sigma_executions**2 / m
        return error <= share**2 * std * (1 + 1e-9)

    if math.isinf(needed):
        assert not is_enough(1e6) or components.sigma_folds < 1e-3 * components.sigma_executions
    else:
        assert needed == int(needed) >= 1
        assert is_enough(needed)
        assert needed == 1 or not is_enough((needed - 1) * (1 - 1e-6))


def test_where_all_is_noise_no_number_of_executions_suffices():
    """Error and std shrink alike: their ratio is one to the root of the number of folds."""
    components = variance_components([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    assert components.sigma_folds == 0
    assert components.executions_needed(0.49) == math.inf
    assert components.executions_needed(0.5) == 1


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ([[0.1, 0.2]], {}, "two folds"),
        (np.empty((3, 0)), {}, "one execution"),
        ([0.1, 0.2], {}, "matrix"),
        ([[0.1], [math.nan]], {}, "row 1, column 0 is nan"),
        (
            [[0.1, 0.1], [0.2, 0.3]],
            {"deterministic": True},
            "executions of fold 2 have scores from 0.2 to 0.3",
        ),
    ],
)
def test_scores_without_components_are_refused(scores, options, message):
    """What is missing, or which value, is named."""
    with pytest.raises(ValueError, match=message):
        variance_components(scores, **options)


@pytest.mark.parametrize("share", [0, -0.1, math.nan])
def test_a_share_is_positive(share):
    """No number of executions takes the error to 0."""
    with pytest.raises(ValueError, match="share"):
        variance_components([[0.8, 0.9], [0.6, 0.7]]).executions_needed(share)
