"""Normalization: per attribute, with parameters that can be kept for other data."""

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from strategies import real_matrices

from practica import (
    calculate_min_max_normalization_parameters,
    calculate_zero_mean_normalization_parameters,
    normalize_min_max,
    normalize_min_max_,
    normalize_zero_mean,
    normalize_zero_mean_,
)

MIN_MAX = (calculate_min_max_normalization_parameters, normalize_min_max, normalize_min_max_)
ZERO_MEAN = (
    calculate_zero_mean_normalization_parameters,
    normalize_zero_mean,
    normalize_zero_mean_,
)

BOTH = pytest.mark.parametrize(
    ("calculate", "normalize", "normalize_"), [MIN_MAX, ZERO_MEAN], ids=["min-max", "zero-mean"]
)


@given(dataset=real_matrices(max_rows=20))
def test_min_max_agrees_with_scikit_learn(dataset):
    """MinMaxScaler also sends constant attributes to 0."""
    np.testing.assert_allclose(
        normalize_min_max(dataset), MinMaxScaler().fit_transform(dataset), rtol=0, atol=1e-12
    )


@given(dataset=real_matrices(min_rows=2, max_rows=20))
def test_zero_mean_agrees_with_scikit_learn_up_to_the_sample_deviation(dataset):
    """StandardScaler divides by N, here by N − 1: a factor sqrt((N − 1)/N)."""
    factor = np.sqrt((len(dataset) - 1) / len(dataset))
    theirs = StandardScaler().fit_transform(dataset) * factor
    np.testing.assert_allclose(normalize_zero_mean(dataset), theirs, rtol=0, atol=1e-9)


@given(dataset=real_matrices())
def test_min_max_reaches_zero_and_one_and_no_further(dataset):
    """Unless the attribute is constant: then it is 0."""
    normalized = normalize_min_max(dataset)
    varies = np.ptp(dataset, axis=0) > 0
    assert (normalized.min(axis=0) == 0).all()
    np.testing.assert_array_equal(normalized.max(axis=0), varies.astype(float))


@given(dataset=real_matrices(min_rows=2))
def test_zero_mean_has_mean_zero_and_sample_deviation_one(dataset):
    """Unless the attribute is constant: then it is 0."""
    normalized = normalize_zero_mean(dataset)
    varies = np.ptp(dataset, axis=0) > 0
    np.testing.assert_allclose(normalized.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(normalized.std(axis=0, ddof=1), varies, atol=1e-12)
    assert not normalized[:, ~varies].any()


@BOTH
@given(dataset=real_matrices(min_rows=2), exponent=st.integers(-950, 950))
def test_no_number_is_too_large_or_too_small(calculate, normalize, normalize_, dataset, exponent):
    """A power of two changes no digit, though no float may hold the squares."""
    scaled = np.ldexp(dataset, exponent)
    assume(np.array_equal(np.ldexp(scaled, -exponent), dataset))
    np.testing.assert_array_equal(normalize(scaled), normalize(dataset))


@BOTH
@given(
    dataset=real_matrices(min_rows=2),
    scale=st.sampled_from([0.5, 2.0, 1024.0]),
    shift=st.integers(-100, 100),
)
def test_the_units_of_an_attribute_do_not_matter(
    calculate, normalize, normalize_, dataset, scale, shift
):
    """A change of scale and origin normalizes to the same values."""
    np.testing.assert_allclose(
        normalize(dataset * scale + shift), normalize(dataset), rtol=0, atol=1e-9
    )


@BOTH
@given(dataset=real_matrices())
def test_the_parameters_have_one_row_and_a_column_for_each_attribute(
    calculate, normalize, normalize_, dataset
):
    """Two matrices, so that they broadcast over the patterns."""
    assert [parameter.shape for parameter in calculate(dataset)] == [(1, dataset.shape[1])] * 2


@BOTH
@given(dataset=real_matrices())
def test_given_its_own_parameters_a_dataset_normalizes_as_by_default(
    calculate, normalize, normalize_, dataset
):
    """The default is to calculate them."""
    np.testing.assert_array_equal(normalize(dataset, calculate(dataset)), normalize(dataset))


@BOTH
@given(dataset=real_matrices(min_rows=2), data=st.data())
def test_the_parameters_of_the_training_set_are_used_as_they_are(
    calculate, normalize, normalize_, dataset, data
):
    """Each pattern of other data is normalized on its own: nothing of its neighbours, no
    clipping.
    """
    cut = data.draw(st.integers(1, len(dataset)))
    parameters = calculate(dataset[:cut])
    whole = normalize(dataset, parameters)
    np.testing.assert_array_equal(whole[cut:], normalize(dataset[cut:], parameters))
    for row, pattern in enumerate(dataset):
        np.testing.assert_array_equal(whole[row], normalize(pattern[None, :], parameters)[0])


def test_values_outside_the_range_of_the_training_set_are_not_clipped():
    """Twice the maximum is 2."""
    assert normalize_min_max([[20.0, -5.0]], ([[0.0, 0.0]], [[10.0, 5.0]])).tolist() == [
        [2.0, -1.0]
    ]


@pytest.mark.parametrize(
    ("normalize", "parameters"),
    [(normalize_min_max, ([[4.0]], [[4.0]])), (normalize_zero_mean, ([[4.0]], [[0.0]]))],
)
def test_an_attribute_constant_in_the_training_set_is_zero_everywhere(normalize, parameters):
    """Whatever its values are in other data."""
    assert normalize([[7.0], [9.0]], parameters).tolist() == [[0.0], [0.0]]


@pytest.mark.parametrize("value", [0.1, 0.3, 1e10, -7.7])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_constant_that_rounding_makes_deviate_is_constant(value, dtype):
    """Three times 0.1 have a deviation of 1.7e-17 in floating point, and 0 in fact."""
    dataset = np.full((3, 1), value, dtype=dtype)
    assert calculate_zero_mean_normalization_parameters(dataset)[1].tolist() == [[0.0]]
    assert normalize_zero_mean(dataset).tolist() == [[0.0]] * 3
    assert normalize_min_max(dataset).tolist() == [[0.0]] * 3


@BOTH
@given(dataset=real_matrices(), dtype=st.sampled_from([np.float64, np.float32]))
def test_in_place_returns_the_same_object_with_the_values_of_the_copy(
    calculate, normalize, normalize_, dataset, dtype
):
    """And the copy leaves its argument untouched and keeps its precision."""
    dataset = dataset.astype(dtype)
    before = dataset.copy()
    normalized = normalize(dataset)
    np.testing.assert_array_equal(dataset, before)
    assert normalized.dtype == dtype
    assert not np.shares_memory(normalized, dataset)
    assert normalize_(dataset) is dataset
    np.testing.assert_array_equal(dataset, normalized)


@BOTH
def test_in_place_writes_through_a_view(calculate, normalize, normalize_):
    """Columns of a larger array are normalized where they are, and only they."""
    table = np.arange(24.0).reshape(4, 6)
    expected = table.copy()
    expected[:, 1:3] = normalize(table[:, 1:3])
    normalize_(table[:, 1:3])
    np.testing.assert_array_equal(table, expected)


@BOTH
@pytest.mark.parametrize(
    "container", [list, lambda rows: np.array(rows, dtype=np.uint8), torch.tensor]
)
def test_integers_become_float64(calculate, normalize, normalize_, container):
    """Their normalized values are no integers."""
    normalized = normalize(container([[1, 7], [3, 7], [5, 7]]))
    assert normalized.dtype == np.float64
    np.testing.assert_array_equal(normalized, normalize([[1.0, 7.0], [3.0, 7.0], [5.0, 7.0]]))


@BOTH
def test_a_table_is_normalized_to_an_array(calculate, normalize, normalize_):
    """The columns of a data frame are the attributes; the frame is left as it is."""
    frame = pd.DataFrame({"length": [1.0, 3.0, 5.0], "width": [7.0, 8.0, 9.0]})
    before = frame.copy()
    np.testing.assert_array_equal(normalize(frame), normalize(frame.to_numpy()))
    pd.testing.assert_frame_equal(frame, before)


@BOTH
def test_nan_fills_its_column_and_no_other(calculate, normalize, normalize_):
    """A missing value has no place among the others, nor they around it."""
    normalized = normalize(np.array([[1.0, np.nan], [3.0, 5.0], [2.0, 6.0]]))
    np.testing.assert_array_equal(np.isnan(normalized), [[False, True]] * 3)


def test_one_pattern_has_a_range_but_no_deviation():
    """Min-max gives 0.

    The sample deviation of one value is NaN, and so is what is divided by it.
    """
    assert normalize_min_max([[4.0, 5.0]]).tolist() == [[0.0, 0.0]]
    assert np.isnan(normalize_zero_mean([[4.0, 5.0]])).all()


def test_no_patterns_have_neither():
    """A minimum of nothing is refused, a mean of nothing is NaN."""
    with pytest.raises(ValueError, match=r"dataset has shape \(0, 2\)"):
        calculate_min_max_normalization_parameters(np.empty((0, 2)))
    means, deviations = calculate_zero_mean_normalization_parameters(np.empty((0, 2)))
    assert np.isnan(means).all()
    assert np.isnan(deviations).all()
    assert means.shape == deviations.shape == (1, 2)


@BOTH
@pytest.mark.parametrize(
    ("dataset", "given", "error", "message"),
    [
        (np.zeros(3), (), ValueError, r"dataset has shape \(3,\).*matrix with one pattern per row"),
        (
            [["a", "b"]],
            (),
            TypeError,
            "dataset has elements of type object; they must be real numbers",
        ),
        (
            np.zeros((2, 2)),
            ((np.zeros((1, 3)), np.ones((1, 3))),),
            ValueError,
            r"\(1, 3\) does not fit .* 2 attr",
        ),
        (
            np.zeros((2, 2)),
            ((np.zeros((2, 2)), np.ones((2, 2))),),
            ValueError,
            r"\(2, 2\) does not fit",
        ),
        (
            np.zeros((2, 2)),
            ((np.zeros(2), np.ones(2)),),
            ValueError,
            r"normalizationParameters has shape \(2,\)",
        ),
        (np.zeros((2, 2)), (np.zeros((1, 2)),), ValueError, "must be a pair"),
    ],
)
def test_normalizing_refuses(calculate, normalize, normalize_, dataset, given, error, message):
    """The sentence names the shapes, and what was given stays as it was."""
    with pytest.raises(error, match=message):
        normalize(dataset, *given)
    if isinstance(dataset, np.ndarray):
        before = dataset.copy()
        with pytest.raises(error, match=message):
            normalize_(dataset, *given)
        np.testing.assert_array_equal(dataset, before)


@BOTH
@pytest.mark.parametrize(
    "dataset", [np.array([[1], [3]]), [[1.0], [3.0]], np.array([[True], [False]])]
)
def test_in_place_refuses_what_cannot_hold_the_result(calculate, normalize, normalize_, dataset):
    """Integers, bools and lists: nothing would be left in them."""
    with pytest.raises(TypeError, match="only an array of floats can be normalized in place"):
        normalize_(dataset)
