"""An example of `practica check` repeated: what the programs of `practica.student.example_file` call.

Importing it makes `default_rng()` follow the seed, so it is imported before the student's file.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from practica.inside.seeding import make_generators_repeatable, seed_all
from practica.report.messages import say

__all__ = ["Example"]

make_generators_repeatable()


@dataclass(frozen=True)
class Example:
    """A call that failed a check."""

    lang: str  # "es" or "en"
    sentence: str  # what `practica check` printed
    seed: int = 0  # of all generators
    expected: str = ""  # empty if it is unknown
    pattern: NDArray[Any] | None = None  # an input of the network that it returns

    def repeat(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> None:
        """Call a function as the check did, and print both sentences and result."""
        given = [*args, *kwargs.values()]
        before = repr(given)
        print(f"\n{self.sentence}")
        seed_all(self.seed, getattr(function, "__globals__", {}).values())
        try:
            result = function(*args, **kwargs)
        except Exception:
            traceback.print_exc()
            return
        self._print("example.gives", repr(result))
        network = result[0] if isinstance(result, tuple | list) and result else result
        if self.pattern is not None and isinstance(network, torch.nn.Module):
            with torch.no_grad():
                outputs = network(torch.tensor(self.pattern, dtype=torch.float32)).tolist()[0]
            self._print("example.network", f"{np.round(outputs, 6).tolist()}")
        if repr(given) != before:
            self._print("example.leaves", ", ".join(map(repr, given)))
        if self.expected:
            self._print("expected", self.expected)

    def _print(self, id: str, value: str) -> None:
        print(say(id, {"value": value}, self.lang))
