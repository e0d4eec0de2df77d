"""The source of random values from which the examples of a check are drawn."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TypeVar

LARGEST_SIZE = 10  # of an example

Item = TypeVar("Item")


class Draw(random.Random):
    """A source of random values, for one example.

    `size`: from 1 to `LARGEST_SIZE`: how large the example may be.
    `number`: its place in the order in which they are drawn.
    `is_known`: whether everybody knows it.

    >>> Draw("seed", size=1).length(0, 20), Draw("seed", size=10).shuffled("abc")
    (0, ['a', 'c', 'b'])
    >>> [Draw("seed", number=number).in_turn("one", "two") for number in range(3)]
    ['one', 'two', 'one']
    """

    def __init__(
        self, seed: str, size: int = LARGEST_SIZE, number: int = 0, *, is_known: bool = True
    ) -> None:
        super().__init__(seed)
        self.size, self.number, self.is_known = size, number, is_known

    def in_turn(self, *values: Item) -> Item:
        """Return one of some values: the first in the first example, the next in the next, and so
        on.
        """
        return values[self.number % len(values)]

    def length(self, least: int, most: int) -> int:
        """Draw a number of things, which grows with the size of the example.

        The largest one is `least` and a tenth of the way to `most` for each unit of the size. The
        first example that everybody knows has `least`.
        """
        if self.is_known and self.number == 0:
            return least
        largest = least + math.ceil((most - least) * self.size / LARGEST_SIZE)
        fewest = least if self.size == 1 else (least + largest) // 2
        return self.randint(fewest, largest)

    def some(self, values: Sequence[Item], least: int, most: int) -> list[Item]:
        """Draw a list of values, which may repeat; its length is drawn as `length` does."""
        return self.choices(values, k=self.length(least, most))

    def shuffled(self, values: Sequence[Item]) -> list[Item]:
        """Return some values in a random order."""
        return self.sample(values, len(values))
