"""The fixed examples of the checks: what their strategies draw, drawn once.

They are the same for everybody and every time, and drawing them takes longer than running them. So they travel with
the package as `examples.json`, which `scripts/draw_examples.py` writes anew when a strategy has changed. Those that a
chosen folder has not written are drawn once in each process.

What JSON lacks is a dict with one key or two:

    {"tuple": [...]}                        a tuple
    {"array": [...], "dtype": "<f8"}        a numpy array; one of dtype "|O" has its elements written in the same way
"""

from __future__ import annotations

import functools
import hashlib
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from practica.engine.current import OFFICIAL, assignment
from practica.engine.framework import CHECKS, Check
from practica.engine.lazy_hypothesis import now

__all__ = [
    "Example",
    "as_json",
    "draw",
    "draw_from_strategies_alone",
    "examples_file",
    "fixed_examples",
    "from_json",
    "searching",
]


Example = dict[str, Any]
EXAMPLES = "examples.json"


def examples_file() -> Path:
    """Return where the examples of the assignment are."""
    return assignment().folder / EXAMPLES


def fixed_examples(id: str) -> list[Example]:
    """Return the examples of a check, in the order in which they are tried; none of a check that is not ours."""
    known = _examples()
    if id not in known and id in CHECKS and CHECKS[id].strategies and not assignment().is_official:
        known[id] = draw(CHECKS[id], CHECKS[id].examples)
    return known.get(id, [])


@functools.cache
def _examples() -> dict[str, list[Example]]:
    file = examples_file()
    if not file.exists() and not assignment().is_official:
        if not assignment().extends_practice:
            return {}
        file = OFFICIAL / EXAMPLES
    written = json.loads(file.read_text(encoding="utf-8"))["examples"]
    return {
        id: [{name: from_json(node) for name, node in example.items()} for example in examples]
        for id, examples in written.items()
    }


def draw(check: Check, count: int, secret: int | None = None) -> list[Example]:
    """Draw examples of a check, the same ones for the same secret."""
    drawn: list[Example] = []
    searching(check, lambda **example: drawn.append(example), count, secret)()
    return drawn


def draw_from_strategies_alone() -> None:
    """Keep Hypothesis from trying numbers and texts of the code around it too: no two processes have the same.

    What a seed draws would depend on it, and each process would read the whole package for it.
    """
    from hypothesis.internal.conjecture import providers

    providers.is_local_module_file = lambda path: False  # type: ignore[assignment,attr-defined]


def searching(
    check: Check, body: Callable[..., None], max_examples: int, secret: int | None = None
) -> Callable[[], None]:
    """Return what calls a function with drawn examples of a check, and shrinks one for which it fails."""
    from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings

    draw_from_strategies_alone()
    drawing = settings(
        max_examples=max_examples,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    strategies = {name: now(strategy) for name, strategy in check.strategies.items()}
    examples = given(**strategies)(lambda **drawn: body(**drawn))
    return seed(_seed_of(check.id, secret))(drawing(examples))


def _seed_of(id: str, secret: int | None) -> int:
    if secret is None:
        return zlib.crc32(id.encode())
    return int.from_bytes(hashlib.sha256(f"{secret} {id}".encode()).digest())


def as_json(value: Any) -> Any:
    """Write plain data as JSON can hold it.

    Examples
    --------
    >>> as_json((1, np.array([0.5, 2])))
    {'tuple': [1, {'array': [0.5, 2.0], 'dtype': '<f8'}]}
    """
    match value:
        case np.ndarray() if value.dtype == object:
            return {"array": [as_json(item) for item in value], "dtype": value.dtype.str}
        case np.ndarray():
            return {"array": value.tolist(), "dtype": value.dtype.str}
        case tuple():
            return {"tuple": [as_json(item) for item in value]}
        case list():
            return [as_json(item) for item in value]
        case np.generic():
            return value.item()
        case None | bool() | int() | float() | str():
            return value
    raise TypeError(f"{value!r} is a {type(value).__name__}, which examples.json cannot hold")


def from_json(node: Any) -> Any:
    """Read what `as_json` wrote."""
    match node:
        case {"array": items, "dtype": "|O"}:
            array = np.empty(len(items), dtype=object)
            array[:] = [from_json(item) for item in items]
            return array
        case {"array": items, "dtype": str(dtype)}:
            return np.array(items, dtype=dtype)
        case {"tuple": items}:
            return tuple(from_json(item) for item in items)
        case list():
            return [from_json(item) for item in node]
    return node
