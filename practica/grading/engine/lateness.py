"""The price of lateness: points for each day begun, up to a limit, after a period of grace."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

from practica.grading.engine.settings import MOST_POINTS, Section
from practica.json_data import exact

DAY = 24 * 60 * 60  # seconds


@dataclass(frozen=True)
class LateRule:
    """The rule for the points that a late submission loses."""

    per_day: float  # points for each day begun
    most: float  # points that it costs at most
    # up to which nothing is late. A submission after them pays for the whole time
    grace_minutes: int = 0

    def days(self, seconds: Decimal | int) -> int:
        """Return for how many days a submission that is late by some seconds loses points.

        >>> rule = LateRule(0.25, 1.0, grace_minutes=15)
        >>> [rule.days(60 * minutes) for minutes in (15, 16, 24 * 60, 24 * 60 + 1)]
        [0, 1, 1, 2]
        """
        return 0 if seconds <= 60 * self.grace_minutes else math.ceil(seconds / DAY)

    def cost(self, days: int) -> Decimal:
        """Return the points that so many days cost, `most` at most."""
        return min(days * exact(self.per_day), exact(self.most))


def late_rule(table: Section) -> LateRule:
    """Read the table `[late]` of a rubric.

    Raises `RubricError` if it lacks `per_day`, or has something that is not a setting.
    """
    per_day = float(table.decimal("per_day"))
    most = float(table.decimal("most", MOST_POINTS))
    rule = LateRule(per_day, most, table.integer("grace_minutes", 0) or 0)
    table.nothing_else()
    return rule
