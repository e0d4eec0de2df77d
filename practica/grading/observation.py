"""What only running tells about loops: whether a call takes more steps when there are more patterns.

A loop over the classes that several overloads share is fine, and a loop over the patterns at the same place is not. The
source looks alike; the number of Python events during a call does not: with twice the patterns and the same classes it
stays as it is, or it grows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from practica.checks.solution import Solution, SolutionLost, StudentError
from practica.grading.rubric import Overload, Parameter
from practica.grading.rules import LoopsToObserve, Rule

__all__ = ["growth", "observed_loops"]

PATTERNS = 40
FEWEST = 20  # more events for PATTERNS more patterns: one for every other pattern


def observed_loops(function: str, overloads: Iterable[LoopsToObserve], solution: Solution) -> list[Rule]:
    """Watch the overloads that may not loop but share code with others that may.

    Parameters
    ----------
    function : str
    overloads : of `FunctionReport.to_observe`
    solution : Solution
        One that dies or raises here has loops that nobody saw; its checks tell the rest.

    Returns
    -------
    rules : list of Rule
    """
    rules = []
    for watched in overloads:
        more = growth(function, watched.overload, solution)
        if more is not None and more >= FEWEST:
            facts = {**watched.facts, "variant": "observed", "more": more, "patterns": PATTERNS}
            rules.append(Rule("loops.overload", "broken", watched.line, facts))
    return rules


def growth(function: str, overload: Overload, solution: Solution) -> int | None:
    """Return how many more events there are with twice the patterns, or None if that cannot be told."""
    events = []
    for patterns in (PATTERNS, 2 * PATTERNS):
        arguments = [_value(parameter, position, patterns) for position, parameter in enumerate(overload.positional)]
        if any(argument is None for argument in arguments):
            return None
        solution.seed = 0
        try:
            events.append(int(solution.trace_events(function, *arguments)))
        except (StudentError, SolutionLost, TypeError, ValueError):
            return None
    return events[1] - events[0]


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
