"""Examples of a check, drawn at random: small and simple ones first, so that the shortest one that
fails reads well.

Each has a generator of its own, which follows the check and its place: the same for everybody, or
for everybody with the same secret, on every machine.
"""

from __future__ import annotations

import functools
import pickle
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from practica.grading.engine.rendering import code_of_arguments

if TYPE_CHECKING:
    from practica.grading.engine.framework import Check

LARGEST_SIZE = 10  # of an example
MOST_TRIES = 10  # for each example, where some are equal to earlier ones

Item = TypeVar("Item")


class Draw(random.Random):
    """A source of random values, for one example.

    `size`: from 1 to `LARGEST_SIZE`: how large the example may be.
    `is_known`: whether everybody knows it.

    >>> Draw("seed", size=1).length(0, 20), Draw("seed", size=10).shuffled("abc")
    (1, ['b', 'a', 'c'])
    """

    def __init__(self, seed: str, size: int = LARGEST_SIZE, *, is_known: bool = True) -> None:
        super().__init__(seed)
        self.size, self.is_known = size, is_known

    def length(self, least: int, most: int) -> int:
        """Draw a number of things; the largest ones only where the example may be large."""
        return self.randint(least, least + -(-(most - least) * self.size // LARGEST_SIZE))

    def some(self, values: Sequence[Item], least: int, most: int) -> list[Item]:
        """Draw a list of values, which may repeat, and how long it is."""
        return self.choices(values, k=self.length(least, most))

    def shuffled(self, values: Sequence[Item]) -> list[Item]:
        """Draw an order of some values."""
        return self.sample(values, len(values))


@dataclass(frozen=True)
class Example:
    """What was drawn for one run of a check.

    `values`: by the name of the parameter of the check's body.
    `seed`: of the calls of the example.
    `number`: its place among those that everybody knows; None for a secret one.
    """

    values: dict[str, Any]
    seed: int
    number: int | None

    @property
    def length(self) -> int:
        """The length of its values as code."""
        return sum(map(len, code_of_arguments([], self.values, short=False)))


def known_examples(check: Check, count: int | None = None) -> list[Example]:
    """Return the examples that everybody knows, or the first ones."""
    return _examples(check, None)[: count or check.examples]


@functools.cache
def secret_examples(check: Check, secret: int) -> list[Example]:
    """Return the examples that follow from a secret; a check that draws nothing has none."""
    return _examples(check, secret) if check.drawn else []


def example_at(check: Check, number: int) -> Example:
    """Return one of the examples that everybody knows."""
    return _drawn(check, number, None)


@functools.cache
def _examples(check: Check, secret: int | None) -> list[Example]:
    """Draw different examples, as many as a check asks for, or all that there are."""
    count = check.examples if secret is None else check.secrets
    found: dict[bytes, Example] = {}
    for number in range(count * MOST_TRIES if check.drawn else 1):
        example = _drawn(check, number, secret)
        found.setdefault(pickle.dumps(example.values), example)
        if len(found) == count:
            break
    return [*found.values()]


def _drawn(check: Check, number: int, secret: int | None) -> Example:
    count = check.examples if secret is None else check.secrets
    size = min(LARGEST_SIZE, 1 + LARGEST_SIZE * number // count)
    draw = Draw(f"{check.id} {secret} {number}", size, is_known=secret is None)
    values = {name: value(draw) for name, value in check.drawn.items()}
    return Example(values, draw.getrandbits(32), number if secret is None else None)
