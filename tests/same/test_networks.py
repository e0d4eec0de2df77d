"""A network is judged alike whatever it is made of: right ones keep their points, wrong ones do
not.
"""

import pytest
from lanes import one_in
from same.networks import MISTAKES, RIGHT, WRONG
from same.walking import assert_judged, assert_walks

# a file may warn
pytestmark = [pytest.mark.usefixtures("one_thread"), pytest.mark.filterwarnings("ignore")]

OWN = {"layer": "parameters"}
MAKINGS = (
    {"function": "a hook"},
    {"function": "a hook of what the layer holds"},
    {"function": "a hook in front of the next"},
    {"function": "of the negative sums", **OWN},
    {"patterns": "row by row"},
    {"patterns": "a map over patterns"},
    {"patterns": "within a further axis"},
    {"layer": "an axis between"},
    {"layer": "each row"},
    {"type": "float64", **OWN},
)


@pytest.mark.parametrize("making", one_in(4, MAKINGS), ids=lambda making: " ".join(making.values()))
def test_a_right_network_keeps_its_points_with_each_making_alone(making):
    """All else is plain: modules in a sequence."""
    assert_judged(RIGHT, making, seed=1)


def test_a_network_of_doubles_that_computes_in_single_precision_keeps_its_points():
    """Its sums are rounded as single numbers are, in whatever type they are returned."""
    assert_judged(RIGHT, {"layer": "single precision", "type": "float64"}, seed=2)


@pytest.mark.parametrize("seed", one_in(6, range(0, 180, 30)))
def test_a_right_network_keeps_its_points(seed):
    """Two networks, drawn by the seed."""
    assert_walks(RIGHT, seed, 2)


@pytest.mark.parametrize("mistake", one_in(12, [*MISTAKES][1:]))
def test_a_wrong_network_of_own_parameters_loses_what_its_twin_loses(mistake):
    """The twin is made of modules."""
    assert_judged(WRONG, {"mistake": mistake}, seed=1)
    assert_judged(WRONG, {"mistake": mistake, **OWN}, seed=1)


def test_neurons_that_are_equal_in_each_of_two_blocks_lose():
    """The blocks differ: no neuron is alone, and they are not all the same."""
    assert_judged(WRONG, {"mistake": "equal neurons", "layer": "weights in two blocks"}, seed=1)


@pytest.mark.parametrize("seed", one_in(12, range(0, 360, 30)))
def test_a_wrong_network_loses(seed):
    """A network, drawn by the seed."""
    assert_walks(WRONG, seed, 1)
