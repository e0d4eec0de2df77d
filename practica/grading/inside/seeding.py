"""Seeds of every generator that a student's file may draw from."""

from __future__ import annotations

import random
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

_DRAW_NOTHING = {
    types.FunctionType,
    types.ModuleType,
    types.BuiltinFunctionType,
    type,
    str,
    int,
    float,
    list,
    dict,
}
# As they are before the student's file is imported:
_seed_random, _seed_numpy = random.seed, np.random.seed


def seed_all(seed: int, values: Iterable[Any]) -> None:
    """Seed the generators of `random`, numpy and torch, and every generator among some values."""
    seed %= 1 << 32
    _seed_random(seed)
    _seed_numpy(seed)
    torch = sys.modules.get("torch")
    if hasattr(torch, "manual_seed"):
        _seed_torch(torch, seed)
    for value in list(values):
        kind = type(value)
        if kind in _DRAW_NOTHING:
            continue
        if kind is np.random.Generator:
            value.bit_generator.state = type(value.bit_generator)(seed).state
        elif kind is np.random.RandomState or kind is random.Random:
            value.seed(seed)
        elif kind.__name__ == "Generator" and kind.__module__ in ("torch", "torch._C"):
            value.manual_seed(seed)


def last_seed() -> int:
    """Return the last seed that torch was given, by the grader or by the file; 0 if torch is not
    loaded.
    """
    torch: Any = sys.modules.get("torch")
    return torch.initial_seed() if hasattr(torch, "initial_seed") else 0


def _seed_torch(torch: Any, seed: int) -> None:
    """Seed the generators of torch.

    `torch.manual_seed` also queues the seed, with the stack of the call, for each kind of device
    that it knows; where none is there that takes a hundred times as long as seeding, and the queues
    are never emptied.
    """
    if torch.accelerator.is_available():
        torch.manual_seed(seed)
    else:
        torch.default_generator.manual_seed(seed)


def make_generators_repeatable() -> None:
    """Let `default_rng()` without a seed follow the seed of the call, as the global generators
    do.
    """
    make: Callable[..., Any] = np.random.default_rng
    draw = np.random.randint

    def default_rng(seed: Any = None) -> Any:
        """Return a Generator; without a seed, one that follows the seed of the call."""
        return make(draw(1 << 31) if seed is None else seed)

    np.random.default_rng = default_rng
