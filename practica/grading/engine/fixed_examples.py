"""The fixed examples of the checks: what their strategies draw, drawn once.

They are the same for everybody and every time, and drawing them takes longer than running them. So
they travel with the package as `examples.json`, which `scripts/draw_examples.py` writes anew when a
strategy has changed. Those that a chosen folder has not written are drawn once in each process.

What JSON lacks is a dict:

    {"tuple": [...]}                        a tuple; "set", "frozenset" and "complex" are written
                                            in the same way
    {"dict": [[key, value], ...]}
    {"array": [...], "dtype": "<f8"}        a numpy array; one of dtype "|O" has its elements
                                            written in the same way, and "shape" stands beside
                                            where lists do not show it
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np

from practica.grading.engine.current import OFFICIAL, assignment
from practica.grading.engine.drawing import Example, draw
from practica.grading.engine.framework import CHECKS
from practica.grading.engine.rendering import ordered

EXAMPLES = "examples.json"
_OF_JSON = "biufU"  # kinds of numpy's types whose elements JSON has


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
        case np.ndarray():
            flat = value.ravel() if value.dtype == object or not value.size else value
            items = flat.tolist()
            written = items if value.dtype.kind in _OF_JSON else as_json(items)
            node = {"array": written, "dtype": value.dtype.str}
            return node if flat.shape == value.shape else {**node, "shape": value.shape}
        case tuple():
            return {"tuple": [as_json(item) for item in value]}
        case list():
            return [as_json(item) for item in value]
        case set() | frozenset():
            return {type(value).__name__: [as_json(item) for item in ordered(value)]}
        case dict():
            return {"dict": [[as_json(key), as_json(item)] for key, item in value.items()]}
        case complex():
            return {"complex": [value.real, value.imag]}
        case np.generic():
            return value.item()
        case None | bool() | int() | float() | str():
            return value
    raise TypeError(f"{value!r} is a {type(value).__name__}, and is no plain data")


def from_json(node: Any) -> Any:
    """Read what `as_json` wrote."""
    match node:
        case {"array": items, "dtype": str(dtype)}:
            values = items if dtype[1] in _OF_JSON else from_json(items)
            one_by_one = dtype == "|O"
            array = np.fromiter(values, dtype) if one_by_one else np.array(values, dtype)
            return array.reshape(node.get("shape", array.shape))
        case {"dict": items}:
            return {from_json(key): from_json(item) for key, item in items}
        case {"complex": [real, imaginary]}:
            return complex(real, imaginary)
        case dict():
            ((form, items),) = node.items()
            return {"tuple": tuple, "set": set, "frozenset": frozenset}[form](map(from_json, items))
        case list():
            return [from_json(item) for item in node]
    return node
