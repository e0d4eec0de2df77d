"""The price of lateness: whole days, what they cost at most, and the minutes of grace."""

from decimal import Decimal

import pytest

from practica.grading.engine.lateness import DAY, LateRule


@pytest.mark.parametrize(
    ("grace", "seconds", "days"),
    [
        (0, 0, 0),
        (0, 1, 1),
        (0, DAY, 1),
        (0, DAY + 1, 2),
        (15, 15 * 60, 0),
        (15, 15 * 60 + 1, 1),
        (15, Decimal("900.5"), 1),
        (15, DAY + 15 * 60, 2),
    ],
)
def test_a_day_that_has_begun_counts_and_the_last_second_of_grace_is_free(grace, seconds, days):
    """After the grace the whole time counts, the grace included."""
    assert LateRule(0.25, 1.0, grace).days(seconds) == days


def test_days_cost_no_more_than_the_most():
    """In exact hundredths."""
    rule = LateRule(0.3, 1.0)
    assert [rule.cost(days) for days in (0, 1, 3, 4)] == [0, Decimal("0.3"), Decimal("0.9"), 1]
