"""Cells of a notebook that ran in another order than they stand: the file that is marked has them
from top to bottom.

The numbers beside the cells are compared, `[1]`, `[2]`, … Of the two kinds, the first is reported
only of what a function of the assignment is or uses:

    [1] import numpy as np                            [3] def scaled(x, by=FACTOR): return by * x
    [3] def accuracy(outputs, targets): ...  # new    [2] FACTOR = 2
    [2] def accuracy(outputs, targets): ...  # old
    ran: the new one      counts: the old one         ran: both      counts: a NameError
"""

from __future__ import annotations

import ast
import builtins
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from practica.grading.engine.source import Source, bindings, parse, running, written_out
from practica.grading.report.messages import say
from practica.notebook import Notebook


@dataclass(frozen=True)
class _Inversion:
    """A name in two cells. The lower one ran first, so that it meant something else."""

    kind: str  # "redefined" in both, or "undefined" where it is used
    name: str
    above: int
    below: int

    def facts(self, runs: Sequence[int | None]) -> dict[str, str]:
        """Return the facts of the sentence about the name: both cells with the numbers of their
        runs.
        """
        above, below = (f"{cell} ([{runs[cell - 1]}])" for cell in (self.above, self.below))
        return {"name": self.name, "above": above, "below": below}


def order_of_cells(notebook: Notebook, functions: Sequence[str], lang: str = "es") -> list[str]:
    """Return a sentence for each name that meant something else when the cells ran.

    Returned `sentences`: none if the cells have no numbers, or two have the same one: they ran in
        different sessions.
    """
    tree = parse(notebook.source.decode())
    numbers = [number for number in notebook.runs if number is not None]
    if (
        isinstance(tree, SyntaxError)
        or len(set(numbers)) < len(numbers)
        or numbers == sorted(numbers)
    ):
        return []
    statements = [(node, notebook.lines[node.lineno - 1][0]) for node in tree.body]
    found = [] if _reran(numbers) else _redefined(statements, notebook.runs, _used(tree, functions))
    found += _undefined(statements, notebook.runs)
    return [say(f"check.order.{each.kind}", each.facts(notebook.runs), lang) for each in found]


def _reran(numbers: Sequence[int]) -> bool:
    """Return whether the cells ran from top to bottom, and then the first ones again.

    >>> [_reran(numbers) for numbers in ([5, 6, 3, 4], [1, 4, 3], [2, 1])]
    [True, False, False]
    """
    falls = [
        place
        for place, pair in enumerate(itertools.pairwise(numbers), start=1)
        if pair[0] > pair[1]
    ]
    again, once = numbers[: falls[0]], numbers[falls[0] :]
    return len(falls) == 1 and again[0] > once[-1] and once[0] > len(again)


def _used(tree: ast.Module, functions: Sequence[str]) -> set[str]:
    """Return the functions and classes of a file that the assignment's functions are or use."""
    source = Source(tree)
    pieces = itertools.chain.from_iterable(source.reached(function, ()) for function in functions)
    return {piece.name for piece in pieces if isinstance(piece, ast.FunctionDef | ast.ClassDef)}


def _redefined(
    statements: Sequence[tuple[ast.stmt, int]], runs: Sequence[int | None], used: set[str]
) -> list[_Inversion]:
    definitions: dict[str, list[tuple[ast.stmt, int]]] = {}
    for node, cell in statements:
        if (
            isinstance(node, ast.FunctionDef | ast.ClassDef)
            and node.name in used
            and not node.decorator_list
        ):
            definitions.setdefault(node.name, []).append((node, cell))
    found = []
    for name, [*others, (kept, below)] in definitions.items():
        newest = max(
            (cell for _, cell in others), key=lambda cell: runs[cell - 1] or 0, default=below
        )
        newer = (written_out(node) for node, cell in others if cell == newest)
        same = all(text == written_out(kept) for text in newer)
        if not same and _ran_after(newest, below, runs):
            found.append(_Inversion("redefined", name, newest, below))
    return found


def _undefined(
    statements: Sequence[tuple[ast.stmt, int]], runs: Sequence[int | None]
) -> list[_Inversion]:
    """Return the first name that a cell uses at once and only a later cell defines, so that the
    import stops there; an empty list if there is none.
    """
    bound = {"__name__", "__file__", *dir(builtins)}
    binds = [{name for name, _ in bindings(node)} for node, _ in statements]
    for place, (node, above) in enumerate(statements):
        bound |= binds[place]
        leaves = [leaf for leaf in running(node) if isinstance(leaf, ast.Name)]
        # what a statement uses before it binds it is taken to be right
        own = {leaf.id for leaf in leaves if isinstance(leaf.ctx, ast.Store)}
        for name in sorted({leaf.id for leaf in leaves} - own - bound):
            later = range(place, len(statements))
            below = next((statements[each][1] for each in later if name in binds[each]), above)
            if _ran_after(above, below, runs):
                return [_Inversion("undefined", name, above, below)]
        if "*" in bound:  # `from module import *` may define any name
            return []
    return []


def _ran_after(above: int, below: int, runs: Sequence[int | None]) -> bool:
    late, early = runs[above - 1], runs[below - 1]
    return above < below and late is not None and early is not None and late > early
