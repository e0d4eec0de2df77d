"""Choices: what may be said in several ways, drawn at random and made fewer where one goes wrong.

An axis is a table from the name of each choice to what it stands for; the first choice is the plain
one. Whatever is drawn has one choice of each axis, and two draws with one seed are equal.
"""

import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence

Axes = Mapping[str, Sequence[str] | Mapping[str, object]]
Choices = dict[str, str]

TRIES = 30  # of which the one with most new pairs is drawn


def plain(axes: Axes) -> Choices:
    """Return the first choice of each axis."""
    return {axis: next(iter(names)) for axis, names in axes.items()}


def drawn(axes: Axes, seed: int, most: int | None = None) -> Iterator[Choices]:
    """Draw choices without end, so that each pair of two axes' choices comes early.

    most: the number of axes that are not plain, if it is limited
    """
    numbers, seen = random.Random(seed), set()
    while True:
        tries = [_one(axes, numbers, most) for _ in range(TRIES)]
        best = max(tries, key=lambda choices: len(_pairs(choices) - seen))
        seen |= _pairs(best)
        yield best


def smaller(choices: Choices, axes: Axes, fails: Callable[[Choices], bool]) -> Choices:
    """Make all choices plain that are not needed for a failure."""
    for axis, name in plain(axes).items():
        fewer = {**choices, axis: name}
        if fewer != choices and fails(fewer):
            choices = fewer
    return choices


def others(choices: Choices, axes: Axes) -> Choices:
    """Return the choices that are not plain."""
    usual = plain(axes)
    return {axis: name for axis, name in choices.items() if name != usual[axis]}


def line(choices: Choices, axes: Axes) -> str:
    """Return the choices that are not plain, in one line."""
    return "; ".join(f"{axis}: {name}" for axis, name in others(choices, axes).items()) or "plain"


def _one(axes: Axes, numbers: random.Random, most: int | None) -> Choices:
    chosen = [*axes] if most is None else numbers.sample([*axes], most)
    return plain(axes) | {axis: numbers.choice([*axes[axis]]) for axis in axes if axis in chosen}


def _pairs(choices: Choices) -> set[object]:
    return set(itertools.combinations(choices.items(), 2))
