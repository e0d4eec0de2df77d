"""A function is judged alike whatever the form of its results and arguments is, and whatever is
wrong with a helper.
"""

import pytest
from lanes import one_in
from same.forms import RIGHT
from same.walking import assert_judged, assert_walks

# a file may warn
pytestmark = [pytest.mark.usefixtures("one_thread"), pytest.mark.filterwarnings("ignore")]

CHOICES = (
    {"result of ann_cross_validation": "names"},
    {"result of ann_cross_validation": "an array"},
    {"result of ann_cross_validation": "a tuple with methods"},
    {"result of build_class_ann": "a method"},
    {"result of train_class_ann": "names"},
    {"accuracy is": "bound again"},
    {"accuracy is": "constant"},
    {"classify_outputs is": "unwritten"},
    {"ann_cross_validation is": "defined again"},
    {"result of train_class_ann": "names", "build_class_ann is": "unwritten"},
)


@pytest.mark.parametrize(
    "chosen", one_in(6, CHOICES), ids=lambda chosen: ", ".join(map(" ".join, chosen.items()))
)
def test_a_right_function_keeps_its_points_with_each_choice_alone(chosen):
    """All else is that of the model answer."""
    assert_judged(RIGHT, chosen, seed=1)


@pytest.mark.parametrize("seed", one_in(4, range(0, 180, 45)))
def test_a_right_function_keeps_its_points(seed):
    """A file, drawn by the seed."""
    assert_walks(RIGHT, seed, 1)
