"""The fixed examples of the checks: what their strategies draw, drawn once.

They are the same for everybody and every time, and drawing them takes longer than running them. So
they travel with the package as `examples.json`, which `scripts/draw_examples.py` writes anew when a
strategy has changed. Those that a chosen folder has not written are drawn once in each process.

What JSON lacks is a dict with one key or two:

    {"tuple": [...]}                        a tuple
    {"array": [...], "dtype": "<f8"}        a numpy array; one of dtype "|O" has its elements
                                            written in the same way
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np

from practica.engine.current import OFFICIAL, assignment
from practica.engine.drawing import Example, draw
from practica.engine.framework import CHECKS

EXAMPLES = "examples.json"


def examples_file() -> Path:
    """Return where the examples of the assignment are."""
    return assignment().folder / EXAMPLES


def fixed_examples(id: str) -> list[Example]:
    """Return the examples of a check, in the order in which they are tried.

    None of a check that is not ours.
    """
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


def as_json(value: Any) -> Any:
    """Write plain data as JSON can hold it.

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
