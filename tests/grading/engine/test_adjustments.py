"""Decisions of a person in the points of a result."""

from dataclasses import replace

import marked_class as some
import pytest

from practica.grading.engine.adjustments import LOWER, settled
from practica.grading.engine.result import Decision


@pytest.mark.parametrize(
    ("function", "points", "lowers"),
    [
        ("accuracy", 0.24, True),
        ("accuracy", 0.25, False),
        ("accuracy", 0.26, False),
        ("total", 0.99, True),
        ("total", 1.0, False),
    ],
)
def test_only_a_decision_below_what_the_grader_gives_is_reported(function, points, lowers):
    """The grader may have been corrected since; a decision that agrees with it is none to look
    at.
    """
    marked = some.result([some.all_right("ana-12")])
    assert marked.class_ is not None
    decisions = (Decision("ana-12", function, points),)
    after = settled(replace(marked, class_=replace(marked.class_, decisions=decisions)))
    assert after.class_ is not None
    assert [each.code for each in after.class_.incidents] == [LOWER] * lowers
