"""The examples of a check: those that everybody knows, and those that follow from a secret.

Small and simple ones come first, so that the shortest one that fails reads well. Each has a
generator of its own, which follows the id of the check and its place: on every machine it is the
same. Equal ones are dropped, so that a check of which few are possible has fewer than it asks for,
and one of which everybody knows all has no secret ones.
"""

from __future__ import annotations

import functools
import pickle
from dataclasses import dataclass
from typing import Any

from practica.grading.engine.drawing import LARGEST_SIZE, Draw
from practica.grading.engine.framework import Check
from practica.grading.engine.rendering import code_of_arguments

MOST_TRIES = 10  # for each example, where some are equal to earlier ones


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

    @functools.cached_property
    def length(self) -> int:
        """The number of characters of its values, written as code."""
        return sum(map(len, code_of_arguments([], self.values, short=False)))


def known_examples(check: Check, count: int | None = None) -> list[Example]:
    """Return the examples that everybody knows, or only the first `count` of them."""
    return _examples(check, None)[: count or check.examples]


def secret_examples(check: Check, secret: int) -> list[Example]:
    """Return the examples that follow from a secret; a check that draws nothing has none."""
    return _examples(check, secret) if check.drawn else []


def example_at(check: Check, number: int) -> Example:
    """Draw again the known example with this number."""
    return _drawn(check, number, None)


@functools.cache
def _examples(check: Check, secret: int | None) -> list[Example]:
    """Draw different examples, as many as a check asks for, or all that there are.

    `secret`: the seed of the secret examples; None for those that everybody knows.
    """
    count = check.examples if secret is None else check.secrets
    known = [] if secret is None else _examples(check, None)
    seen = {pickle.dumps(example.values) for example in known}
    found: list[Example] = []
    for number in range(count * MOST_TRIES if check.drawn else 1):
        example = _drawn(check, number, secret)
        values = pickle.dumps(example.values)
        if values not in seen:
            seen.add(values)
            found.append(example)
        if len(found) == count:
            break
    return found


def _drawn(check: Check, number: int, secret: int | None) -> Example:
    count = check.examples if secret is None else check.secrets
    size = min(LARGEST_SIZE, 1 + LARGEST_SIZE * number // count)
    draw = Draw(f"{check.id} {secret} {number}", size, number, is_known=secret is None)
    values = {name: value(draw) for name, value in check.drawn.items()}
    return Example(values, draw.getrandbits(32), number if secret is None else None)
