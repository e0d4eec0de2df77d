"""The points of a function that passes only some of its checks: none, or as many as the rubric
gives for those.
"""

from __future__ import annotations

import fnmatch
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

from practica.grading.engine.settings import Section

KINDS = ("all", "proportional", "steps")
CENT = Decimal("0.01")


@dataclass(frozen=True)
class Credit:
    """The rule by which a function that passes only some checks gets points."""

    # "all", "proportional" or "steps": nothing; the share of its checks that pass; that share,
    # rounded down to whole steps
    kind: str = "all"
    steps: int = 4  # how many make all the points
    # what a check counts, by patterns of its id; the last that fits holds, and 1 without any
    weights: Mapping[str, Decimal] = field(default_factory=dict)

    def points(self, most: Decimal, passed: Collection[str], checks: Iterable[str]) -> Decimal:
        """Return the points for the checks that pass, rounded down to a hundredth.

        `most`: the points for all checks.
        `passed`, `checks`: the ids of those that pass, and of all.

        >>> checks = ["a.one", "a.two", "a.three", "a.four"]
        >>> for credit in (Credit(), Credit("proportional"), Credit("steps", 2)):
        ...     print(credit.points(Decimal("0.20"), checks[:3], checks))
        0
        0.15
        0.10
        >>> weighted = Credit("proportional", weights={"a.*": Decimal(0), "a.t*": Decimal(1)})
        >>> weighted.points(Decimal(1), ["a.one", "a.two"], checks)
        Decimal('0.50')
        """
        if self.kind == "all":
            return Decimal(0)
        weights = {check: self.weight(check) for check in checks}
        total = sum(weights.values(), Decimal(0))
        passing = sum((weights[check] for check in passed), Decimal(0))
        share = Fraction(passing) / Fraction(total)  # a third of 0.30 is 0.10
        if self.kind == "steps":
            share = Fraction(math.floor(share * self.steps), self.steps)
        return math.floor(Fraction(most) * share / Fraction(CENT)) * CENT

    def weight(self, check: str) -> Decimal:
        """Return how much a check counts: what the last pattern that fits its id says, 1 if none
        fits.
        """
        fitting = [
            weight
            for pattern, weight in self.weights.items()
            if fnmatch.fnmatchcase(check, pattern)
        ]
        return fitting[-1] if fitting else Decimal(1)


def read_credit(table: Section, default: Credit | None = None) -> Credit:
    """Return the `Credit` that the settings `credit` and `steps` of a table describe and, in a row,
    `weights`. What the table lacks is taken from `default`, which only a row has.

    Raises `RubricError` if a setting has another type, or there are no steps.
    """
    fallback = default or Credit()
    kind = table.choice("credit", KINDS, fallback.kind)
    steps = table.integer("steps", fallback.steps) or 0
    if steps < 1:
        raise table.error("steps", "steps = 0 must be at least 1")
    weights = {}
    if default is not None:
        own = table.table("weights")
        weights = {pattern: own.decimal(pattern) for pattern in own}
    return Credit(kind, steps, MappingProxyType(weights))
