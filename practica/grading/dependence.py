"""Which functions are in need of what they may not use: they are right, and not where that fails.

Who watches a function sits in the same process, where a clever file may hide from it. So what has passed is asked once
more in another process, in which the forbidden functions fail before the first line of the file runs, and nobody has to
watch: whatever way a file takes to them, it leads to an error. That process has no memory of what was asked before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeAlias

from practica.checks.solution import Solution
from practica.grading.rubric import Row
from practica.grading.rules import Rule

__all__ = ["Passes", "dependence_rule", "dependent"]

Passes: TypeAlias = "Callable[[Row, Solution, Collection[str]], bool]"


def dependent(rows: Iterable[Row], solution: Solution, passes: Passes, excused: Collection[str]) -> list[Row]:
    """Return the rows of which a function only passes with the help of what it may not use.

    Parameters
    ----------
    rows : iterable of Row
        Those that have passed, in the order of the statement.
    solution : Solution
        Its process ends here. It is not asked again: a file could tell that it is, and fail to be believed.
    passes : callable
        Is given a row, a solution, and the functions that right ones may stand for; tells whether that passes.
    excused : collection of str
        Functions that are known to use what they may not: who calls them is not to blame for it.

    Returns
    -------
    rows : list of Row
        None where a solution has no other processes.
    """
    doubtful = [row for row in rows if row.forbidden]
    everything = tuple(dict.fromkeys(each for row in doubtful for each in row.forbidden))
    first = [row for row in doubtful if not row.needs]  # of others' work that is a part
    if first:  # who needs nothing of all that, as most do, is asked once
        failing = _failing(everything, first, solution, passes, excused)
        doubtful = [row for row in doubtful if row.needs or row in failing]
    found: list[Row] = []
    for forbidden in dict.fromkeys(row.forbidden for row in doubtful):
        group = [row for row in doubtful if row.forbidden == forbidden]
        found += _failing(forbidden, group, solution, passes, excused)
    return found


def dependence_rule(line: int | None) -> Rule:
    """Return the rule that such a row breaks, whose function is on a line."""
    return Rule("calls.suspicious", "broken", line, {"variant": "depends"})


def _failing(
    forbidden: Sequence[str], rows: Sequence[Row], solution: Solution, passes: Passes, excused: Collection[str]
) -> list[Row]:
    """Return the rows that do not pass where some functions fail."""
    process = solution.without(forbidden)
    if process is None:
        return []
    failing: list[Row] = []
    with process as without:
        for row in rows:
            right = passes(row, without, {*excused, *(each.function for each in failing)})
            if not right or (without.noted and not solution.noted):  # it has done there what it does nowhere else
                failing.append(row)
    return failing
