"""What students legally return, brought to one form."""

import numpy as np
import pytest

from practica.grading.assignment.accepted_forms import as_bool_array, as_real_array
from practica.grading.engine.framework import CheckFailed


@pytest.mark.parametrize("read", [as_real_array, as_bool_array])
@pytest.mark.parametrize("shape", [(0,), (0, 2), (2, 0)])
@pytest.mark.parametrize("empty", [[], ()])
def test_an_empty_list_has_any_shape_without_elements(read, shape, empty):
    """A list of no rows does not say how long they are."""
    assert read(empty, shape).shape == shape


@pytest.mark.parametrize(
    ("value", "shape"), [([], (1, 2)), (np.empty((0, 3)), (0, 2)), ([[]], (0, 2)), ([1.0], (0, 2))]
)
def test_another_shape_is_refused(value, shape):
    """An array says which one it has."""
    with pytest.raises(CheckFailed) as caught:
        as_real_array(value, shape)
    assert caught.value.message == "form.shape"
