"""What only running tells about loops: which of them an overload runs, and whether they go over the patterns.

The statement limits the loops of each overload, and a Python function serves all of them. So each overload is called,
and the lines that run are told by a trace beside the student's code:

    alone(overload)  = its loops, but for those that an overload with a larger limit runs too
    broken           = alone(overload) is more than its limit, or one that may not loop goes over the patterns

A loop over the classes that several overloads share is fine, and a loop over the patterns at the same place is not:
with twice the patterns and the same classes it takes as many steps, or more. What raises, or cannot be called with
arguments made here, could not be observed, and nothing is concluded from it. What runs inside another function of the
rubric, or inside the same one called again, is judged there. A loop that the source hid from the limit of the whole
function counts once it is seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from practica.checks.solution import Solution, SolutionLost, StudentError
from practica.grading.rubric import Overload, Parameter, Row, Rubric
from practica.grading.rules import Rule, SourceReport, too_many_loops
from practica.grading.source import Loop

__all__ = ["observed_loops"]

PATTERNS = 40
FEWEST = 20  # more steps for PATTERNS more patterns: one for every other pattern


@dataclass(frozen=True)
class Run:
    """What one call ran: the loops, and how often each went round; the lines, and how often each ran."""

    loops: Mapping[Loop, int]
    lines: Mapping[int, int]


def observed_loops(row: Row, rubric: Rubric, report: SourceReport, solution: Solution) -> list[Rule]:
    """Run the overloads of a row, and find the loops that they may not have.

    Parameters
    ----------
    row : Row
    rubric : Rubric
    report : SourceReport
    solution : Solution

    Returns
    -------
    rules : list of Rule
        What the source already shows is not told again.
    """
    siblings = [each for other in rubric.rows.values() if other.function == row.function for each in other.overloads]
    differ = len({overload.max_loops for overload in siblings}) > 1
    written = report.functions[row.name]
    if (row.max_loops is None and not differ) or "loops.too_many" in {rule.id for rule in written.broken}:
        return []
    watch = _Watch(row.function, rubric, report.loops, solution)
    rules = []
    try:
        runs = [(overload, watch.run(overload)) for overload in (siblings if differ else row.overloads)]
        if row.max_loops is not None:
            own = [run for overload, run in runs if overload in row.overloads]
            lines = {*written.loops, *(loop.line for loop in _loops_of(own))}
            if len(lines) > row.max_loops:
                return [too_many_loops(sorted(lines), row.max_loops)]
        if differ:
            rules = [rule for overload in row.overloads for rule in _judge(overload, row, runs, watch)]
    except SolutionLost:
        pass  # of loops that nobody saw nothing is said; its checks tell the rest
    return rules


def _judge(overload: Overload, row: Row, runs: Sequence[tuple[Overload, Run | None]], watch: _Watch) -> list[Rule]:
    limit = overload.max_loops
    run = next(run for other, run in runs if other is overload)
    if limit is None or run is None:
        return []
    facts: dict[str, Any] = {"overload": ", ".join(f"{each.name}: {_kind(each.kind)}" for each in overload.positional)}
    larger = [run for other, run in runs if other.max_loops is None or other.max_loops > limit]
    alone = sorted(loop.line for loop in run.loops.keys() - _loops_of(larger))
    if len(alone) > limit and None not in larger:
        told = {**facts, "limit": limit, "count": len(alone), "lines": alone}
        return [Rule("loops.overload", "broken", alone[0], told)]
    unlimited = [run for other, run in runs if other in row.overloads and other.max_loops is None]
    if limit > 0 or None in unlimited or (more := watch.run(overload, 2 * PATTERNS)) is None:
        return []
    facts |= {"variant": "observed", "patterns": PATTERNS}
    grown = {loop: more.loops.get(loop, 0) - run.loops[loop] for loop in run.loops.keys() - _loops_of(unlimited)}
    lines = sorted(loop.line for loop, growth in grown.items() if growth >= FEWEST)
    if lines:
        told = {**facts, "limit": limit, "count": len(lines), "lines": lines, "more": max(grown.values())}
        return [Rule("loops.overload", "broken", lines[0], told)]
    if row.max_loops is None and row.hidden_loops == "advice":  # with a limit the source has told it
        free = {line for each in unlimited if each is not None for line in each.lines}
        hidden = {line: more.lines.get(line, 0) - times for line, times in run.lines.items() if line not in free}
        lines = sorted(line for line, growth in hidden.items() if growth >= PATTERNS)
        if lines:
            told = {**facts, "lines": lines, "more": max(hidden.values())}
            return [Rule("loops.hidden", "advice", lines[0], told)]
    return []


class _Watch:
    """One function, where it runs."""

    def __init__(self, function: str, rubric: Rubric, loops: Sequence[Loop], solution: Solution) -> None:
        self.function, self.loops, self.solution = function, loops, solution
        self.apart = {row.function for row in rubric.rows.values()}

    def run(self, overload: Overload, patterns: int = PATTERNS) -> Run | None:
        """Call an overload, and return what ran, or None if that cannot be told."""
        arguments = [_value(parameter, position, patterns) for position, parameter in enumerate(overload.positional)]
        if any(argument is None for argument in arguments):
            return None
        self.solution.seed = 0
        try:
            trace = self.solution.trace_steps(self.function, self.apart, *arguments)
        except StudentError:
            return None
        times: dict[int, list[tuple[int, int]]] = {}
        for before, line, count in trace:
            times.setdefault(line, []).append((before, count))
        rounds = {loop: number for loop in self.loops if (number := _rounds(loop, times)) is not None}
        return Run(rounds, {line: sum(count for _, count in steps) for line, steps in times.items()})


def _loops_of(runs: Sequence[Run | None]) -> set[Loop]:
    return {loop for run in runs if run is not None for loop in run.loops}


def _rounds(loop: Loop, times: Mapping[int, Sequence[tuple[int, int]]]) -> int | None:
    """Return how often what a loop repeats was begun; None if not even its head ran.

    A step from the head into the body is one round, whatever else runs on either line. `while True` has no head to come
    back to, and a loop on one line has nothing but its head.
    """
    head = range(loop.line, max(loop.first, loop.line + 1))
    if not any(line in times for line in head):
        return None
    if loop.first == loop.line:
        return sum(count for before, count in times.get(loop.line, ()) if before == loop.line)
    if loop.endless:
        return sum(count for before, count in times.get(loop.first, ()) if before != loop.first)
    inside = range(loop.first, loop.last + 1)
    return sum(count for line in inside for before, count in times.get(line, ()) if before in head)


def _value(parameter: Parameter, position: int, patterns: int) -> Any:
    """Make an argument for so many patterns of three classes (two for bools); None for what has no such size."""
    numbers = np.arange(patterns)
    labels = np.array(["a", "b", "c"], dtype=object)
    if parameter.name == "classes":
        return labels
    match parameter.kind:
        case "int":
            return patterns if position == 0 else 2
        case "real":
            return 0.25
        case "bool[1]":
            return numbers % 2 == 0
        case "bool[2]":
            return np.eye(3, dtype=bool)[numbers % 3]
        case "real[1]":
            return numbers / patterns
        case "real[2]":
            return np.eye(3)[numbers % 3] + numbers[:, None] / (7 * patterns)
        case "any[1]":
            return labels[numbers % 3]
    return None


def _kind(kind: str) -> str:
    return kind.replace("[1]", "[:]").replace("[2]", "[:, :]")
