"""One convention for chance: `random_state`, and a seed of its own for every network of a
cross-validation.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from practica.reference.arguments import as_integer

__all__ = ["RandomState", "SeedTree", "as_generator"]

RandomState: TypeAlias = "int | np.random.Generator | np.random.RandomState | None"


def as_generator(random_state: RandomState) -> np.random.Generator:
    """Return the generator that a `random_state` stands for.

    `random_state`: an int always gives the same numbers; a generator continues where it was; None
        draws a seed from numpy's global generator, so that one `np.random.seed(1)` at the top of a
        program repeats all of it.
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if random_state is None:
        return np.random.default_rng(np.random.randint(0, 2**32, size=4, dtype=np.uint32))  # noqa: NPY002
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(0, 2**32, size=4, dtype=np.uint32))
    try:
        return np.random.default_rng(as_integer(random_state, "random_state", minimum=0))
    except TypeError:
        kind = type(random_state).__name__
        raise TypeError(
            f"random_state={random_state!r} is a {kind}; it must be None, an integer or a numpy"
            " generator"
        ) from None


class SeedTree:
    """Independent generators, one for each (fold, execution), in any order of requests.

    A generator depends only on its fold and execution: the network of fold 3, execution 7 is the
    same one with 10 or with 50 executions, alone or in a batch, on one machine or on many.
    """

    def __init__(self, random_state: RandomState) -> None:
        self._entropy = (
            as_generator(random_state).integers(0, 2**32, size=4, dtype=np.uint32).tolist()
        )

    def generator(self, fold: int, execution: int) -> np.random.Generator:
        """Return a fresh generator for one network."""
        return np.random.default_rng(
            np.random.SeedSequence(self._entropy, spawn_key=(fold, execution))
        )
