"""A training is judged alike however it is written."""

import pytest
from lanes import one_in
from same.trainings import RIGHT
from same.walking import assert_judged, assert_walks

# a file may warn
pytestmark = [pytest.mark.usefixtures("one_thread"), pytest.mark.filterwarnings("ignore")]

MAKINGS = (
    {"type": "float64 until the end", "vectors": "tensor"},
    {"type": "float64", "vectors": "float32 array"},
    {"loss": "of the network", "network's container": "a list"},
    {"loss": "in double", "vectors": "numpy's scalars"},
)


@pytest.mark.parametrize("making", one_in(2, MAKINGS), ids=lambda making: " ".join(making.values()))
def test_a_right_training_keeps_its_points_with_few_choices(making):
    """All else is plain."""
    assert_judged(RIGHT, making, seed=1)


@pytest.mark.parametrize("seed", one_in(4, range(0, 180, 45)))
def test_a_right_training_keeps_its_points(seed):
    """A training, drawn by the seed."""
    assert_walks(RIGHT, seed, 1)
