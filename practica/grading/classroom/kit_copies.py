"""Functions of a submission that have the shape of one that the students' kit holds.

The kit brings the checks of the assignment, and those compute right answers. What a copy of one is
called, its names, comments, annotations and layout make no difference.
"""

from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from practica.grading.classroom.similarity import LEAST, Fingerprints, covered, fingerprints
from practica.grading.engine.current import OFFICIAL
from practica.grading.engine.source import FUNCTIONS, parse
from practica.grading.inside.loading import decode

Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"
SHORTEST = 120  # letters of a function without its names: shorter ones are alike by chance


class KitCopy(NamedTuple):
    """A function of a submission, and the one of the kit that has its shape."""

    function: str
    line: int
    original: str  # the function of the kit
    share: float  # fraction in [0, 1] of the function's code that is in the original


def copies_of_kit(source: bytes) -> list[KitCopy]:
    """Return each function of a file with most of its code in one function of the kit.

    Functions of a few lines are left out: many people write the same ones. A file that is not
    Python gives an empty list.
    """
    tree = parse(decode(source)[0])
    if isinstance(tree, SyntaxError):
        return []
    names, holding = _kit()
    found = []
    for node, (places, kinds) in _functions_in(tree):
        times = Counter(each for kind in kinds.tolist() for each in holding.get(kind, ()))
        if not times:
            continue
        (original, _), *_ = times.most_common(1)
        common = np.array([original in holding.get(kind, ()) for kind in kinds.tolist()])
        share = covered(places[common]) / covered(places)
        if share >= LEAST:
            found.append(KitCopy(node.name, node.lineno, names[original], share))
    return found


@functools.cache
def _kit() -> tuple[list[str], Mapping[int, set[int]]]:
    """Return the names of the kit's functions, and by fingerprint the positions in that list of the
    functions that have it.
    """
    names: list[str] = []
    holding: dict[int, set[int]] = {}
    for file in sorted(OFFICIAL.rglob("*.py")):
        module = file.relative_to(OFFICIAL.parent).as_posix()
        for node, (_, kinds) in _functions_in(ast.parse(file.read_bytes())):
            for kind in kinds.tolist():
                holding.setdefault(kind, set()).add(len(names))
            names.append(f"{node.name} ({module})")
    return names, holding


def _functions_in(tree: ast.AST) -> Iterator[tuple[Function, Fingerprints]]:
    """Yield each function that is long enough to be compared, with its fingerprints."""
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            found = fingerprints(_bare(node).encode("utf-8", "surrogatepass"), 1)
            if covered(found.places) >= SHORTEST:
                yield node, found


def _bare(function: Function) -> str:
    """Return a function as Python writes it, without its docstrings and annotations."""
    copied = ast.parse(ast.unparse(function))
    for node in ast.walk(copied):
        match node:
            case ast.arg():
                node.annotation = None
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                node.returns = None
                node.decorator_list = []
                node.body = [each for each in node.body if not _is_text(each)] or [ast.Pass()]
    return ast.unparse(copied)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
