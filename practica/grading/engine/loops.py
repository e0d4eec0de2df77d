"""The limits of each overload: which loops run when it is called, and whether they go over the
patterns.

The statement limits the loops of each overload, and one Python function serves all of them. So each
overload is called twice, with few patterns and with six times as many, and the lines that run are
counted (`practica.grading.inside.lines`):

    alone(overload)  = its loops, without those that an overload with a larger limit runs, or an
                     earlier function
    broken           = alone(overload) is more than its limit, or a loop takes more rounds the more
                     patterns there are

What an overload with a larger limit runs when it is called with two classes, it may run in the
place of a smaller one, for example of bool vectors. So this shows nothing for overloads that have
no number of classes.

The seed of the run decides how many patterns and folds there are. A call that raises shows nothing,
and nothing is concluded from it. Loops inside an earlier function of the assignment are judged
there, whether the rubric marks it or not, and so are those of the same function called again. An
earlier function that is wrong may have lent its loops, which only count if they go over the
patterns.
"""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from practica.grading.engine.rubric import Overload, Parameter, Row, Rubric
from practica.grading.engine.rules import Rule, SourceReport, too_many_loops
from practica.grading.engine.solution import Solution, SolutionLost, StudentError
from practica.grading.engine.source import Loop
from practica.json_data import Facts

PATTERNS, TIMES, FOLDS = range(9, 20), 6, range(2, 5)
# rounds more for each of the few patterns: a loop over every third of the others at least
FEWEST = 2
CLASSES = 3
# kinds of parameters that look different with two classes
VARIED = {"real[2]", "bool[2]", "any[1]"}
# parameters of overloads that train, which have no limits
TRAINING = {"trainingDataset", "crossValidationIndices"}


@dataclass(frozen=True)
class TracedRun:
    """One traced call of a function: its loops, and the lines that ran."""

    loops: Mapping[Loop, int]  # how often each loop went round
    lines: Mapping[int, int]  # how often each line ran
    entries: int  # how often the function was entered


def loop_rules(
    row: Row,
    rubric: Rubric,
    report: SourceReport,
    solution: Solution,
    seed: int,
    wrong: Collection[str] = (),
) -> list[Rule]:
    """Run the overloads of a row, and return rules for the loops that they may not have.

    `seed`: it decides how many patterns and folds there are.
    `wrong`: the functions that are not known to be right.
    Returned `rules`: without those that the text already shows.
    """
    written = report.functions[row.name]
    if not row.limits_loops or any(rule.id == "loops.too_many" for rule in written.broken):
        return []
    earlier = [
        each for each in rubric.assigned if each.place < row.place and each.function != row.function
    ]
    same = [each for each in rubric.assigned if each.function == row.function]
    siblings = [*dict.fromkeys(overload for other in same for overload in other.overloads)]
    siblings = [
        each for each in siblings if TRAINING.isdisjoint(one.name for one in each.positional)
    ]
    own = [each for each in siblings if each in row.overloads]
    free = {line for each in earlier for line in report.functions[each.name].loops}
    others = {each.function for each in earlier}
    itself = {row.function} if row.max_loops != 0 else set()
    sizes, folds = (few := PATTERNS[seed % len(PATTERNS)], TIMES * few), FOLDS[seed % len(FOLDS)]
    calls = _Calls(row.function, report.loops, solution, others | itself, sizes, folds)
    try:
        calls.run(siblings)
        if others & {*wrong}:
            calls.lent = _Calls(
                row.function, report.loops, solution, others - {*wrong} | itself, sizes, folds
            )
            calls.lent.run(siblings)
    except SolutionLost:
        return []
    if row.max_loops is not None:
        seen = {loop.line for each in own for run in calls.of(each) for loop in run.loops}
        lines = {*written.loops, *(seen - free)}
        if len(lines) > row.max_loops:
            return [too_many_loops(sorted(lines), row.max_loops)]
    rules = [
        rule for each in own for rule in _judge(each, row, siblings, calls, free, written.line)
    ]
    broken = [rule for rule in rules if rule.severity == "broken"]
    has_advice = any(rule.id.startswith("loops") for rule in written.rules)
    return broken or ([] if has_advice else rules[:1])


def _judge(
    overload: Overload,
    row: Row,
    siblings: Sequence[Overload],
    calls: _Calls,
    free: set[int],
    line: int | None,
) -> list[Rule]:
    limit = 0 if overload.max_loops is None and row.max_loops == 0 else overload.max_loops
    if limit is None:
        return []
    facts = {
        "overload": ", ".join(
            f"{parameter.name}{_kind(parameter.kind)}" for parameter in overload.positional
        ),
        "limit": limit,
    }
    larger = [each for each in siblings if each.max_loops is None or each.max_loops > limit]
    unlimited = [each for each in row.overloads if each.max_loops is None and each in siblings]
    if row.max_loops == 0:
        larger = unlimited = []
    allowed = {loop for each in unlimited for run in calls.lent.of(each) for loop in run.loops}
    for classes in sorted(_classes(overload), reverse=True):
        run, more = calls.pair(overload, classes)
        if run is None:
            continue
        shared = {
            loop.line for each in larger for run in calls.of(each, classes) for loop in run.loops
        } | free
        most = overload.max_loops_two_classes
        if most is not None and (classes == 2 or overload.positional[0].kind == "bool[1]"):
            lines = sorted(loop.line for loop, rounds in run.loops.items() if rounds)
            if len(lines) > most:
                two = {"variant": "two_classes", "limit": most, "count": len(lines), "lines": lines}
                return [Rule("loops.overload", "broken", lines[0], {**facts, **two})]
        alone = sorted({loop.line for loop in run.loops} - shared)
        if len(alone) > limit and all(calls.of(each, classes) for each in larger):
            return [
                Rule(
                    "loops.overload",
                    "broken",
                    alone[0],
                    {**facts, "count": len(alone), "lines": alone},
                )
            ]
        if more is not None and all(map(calls.of, unlimited)):
            grown = _growth(*calls.lent.pair(overload, classes), calls.sizes, allowed)
            if grown:
                lines = sorted(loop.line for loop in grown)
                over = {
                    "variant": "observed",
                    "patterns": calls.sizes[1] - calls.sizes[0],
                    "more": max(grown.values()),
                }
                return [
                    Rule("loops.overload", "broken", lines[0], {**facts, **over, "lines": lines})
                ]
            if row.hidden_loops == "advice" and not unlimited:
                advice = _hidden(run, more, row, calls.sizes, facts, line)
                if advice:
                    return advice
    return []


def _growth(
    run: TracedRun | None, more: TracedRun | None, sizes: tuple[int, int], allowed: set[Loop]
) -> dict[Loop, int]:
    """Return the loops, except `allowed` ones, that ran more rounds in the call with `more`
    patterns, and how many more; none if a call raised. `sizes` are the numbers of patterns.
    """
    if run is None or more is None:
        return {}
    few = sizes[0]
    grown = {
        loop: rounds - run.loops.get(loop, 0)
        for loop, rounds in more.loops.items()
        if loop not in allowed
    }
    return {
        loop: growth
        for loop, growth in grown.items()
        if growth >= FEWEST * few or (growth > 0 and run.loops.get(loop, 0) >= few)
    }


def _hidden(
    run: TracedRun,
    more: TracedRun,
    row: Row,
    sizes: tuple[int, int],
    facts: Facts,
    line: int | None,
) -> list[Rule]:
    """Return advice on hidden iterations over the patterns, such as comprehensions, that ran more
    often in the call with `more` patterns.
    """
    least = FEWEST * sizes[0]
    if more.entries - run.entries >= least:
        return [Rule("loops.recursion", "advice", line, {"names": row.function})]
    growth = {line: times - run.lines.get(line, 0) for line, times in more.lines.items()}
    lines = sorted(line for line, steps in growth.items() if steps >= least)
    if not lines:
        return []
    found = {
        "variant": "observed",
        "patterns": sizes[1] - sizes[0],
        "lines": lines,
        "more": max(growth.values()),
    }
    return [Rule("loops.hidden", "advice", lines[0], {**facts, **found})]


class _Calls:
    """The traced calls of one function.

    `runs`: by overload, number of classes and number of patterns.
    `lent`: the same calls with the loops of wrong helpers traced too.
    `apart`: the functions whose loops are not traced.
    """

    def __init__(
        self,
        name: str,
        loops: Sequence[Loop],
        solution: Solution,
        apart: set[str],
        sizes: tuple[int, int],
        folds: int,
    ) -> None:
        self.sizes, self._folds = sizes, folds
        self.runs: dict[tuple[Overload, int, int], TracedRun] = {}
        self.lent = self
        self._name, self._loops, self._solution, self._apart = name, loops, solution, apart

    def pair(self, overload: Overload, classes: int) -> tuple[TracedRun | None, TracedRun | None]:
        """Return what ran in the call of an overload with few patterns, and in the one with more;
        None for a call that raised.
        """
        few, many = self.sizes
        return self.runs.get((overload, classes, few)), self.runs.get((overload, classes, many))

    def of(self, overload: Overload, least: int = 2) -> list[TracedRun]:
        """Return the traced calls of an overload with the smaller number of patterns, for each
        number of classes from `least` on; a call that raised is left out.
        """
        keys = [
            (overload, classes, self.sizes[0]) for classes in _classes(overload) if classes >= least
        ]
        return [self.runs[key] for key in keys if key in self.runs]

    def run(self, overloads: Iterable[Overload]) -> None:
        """Trace a call of each overload with few patterns, and one with many."""
        for overload in overloads:
            for classes in _classes(overload):
                for size in self.sizes:
                    self._run(overload, classes, size)

    def _run(self, overload: Overload, classes: int, patterns: int) -> None:
        args = [
            _value(each, at, patterns, classes, self._folds)
            for at, each in enumerate(overload.positional)
        ]
        if any(each is None for each in args):
            return
        self._solution.seed = 0
        try:
            seen = self._solution.observe(self._name, args, {}, apart=self._apart)
        except StudentError:
            return
        if not seen["raised"]:
            times: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
            for before, line, count in seen["steps"]:
                times[line].append((before, count))
            lines = sorted(times)
            loops = {
                loop: rounds
                for loop in self._loops
                if (rounds := _rounds(loop, times, lines)) is not None
            }
            totals = {line: sum(count for _, count in steps) for line, steps in times.items()}
            self.runs[overload, classes, patterns] = TracedRun(loops, totals, seen["entries"])


def _rounds(
    loop: Loop, times: Mapping[int, Sequence[tuple[int, int]]], lines: Sequence[int]
) -> int | None:
    """Return how many rounds a loop ran; None if it was not reached.

    `times` (dict of list of (int, int)): for each line the lines that ran before it, and how often.
    `lines`: those that ran, sorted.

    A step from the head into the body is one round. `while True` has no head to come back to. If
    body and head share a line, a round is a step back, or on the spot.
    """
    head = range(loop.line, loop.last + 1 if loop.in_one else loop.first)
    ran = _between(lines, head)
    if not ran:
        return None
    if loop.in_one:
        return sum(
            count
            for line in ran
            for before, count in times[line]
            if before in head[line - loop.line :]
        )
    if loop.endless:
        return sum(count for before, count in times.get(loop.first, ()) if before != loop.first)
    inside = _between(lines, range(loop.first, loop.last + 1))
    return sum(count for line in inside for before, count in times[line] if before in head)


def _between(lines: Sequence[int], wanted: range) -> Sequence[int]:
    return lines[bisect.bisect_left(lines, wanted.start) : bisect.bisect_left(lines, wanted.stop)]


def _classes(overload: Overload) -> tuple[int, ...]:
    """Return the numbers of classes with which an overload is called."""
    return (
        (CLASSES, 2)
        if VARIED & {parameter.kind for parameter in overload.positional}
        else (CLASSES,)
    )


def _value(parameter: Parameter, position: int, patterns: int, classes: int, folds: int) -> object:
    """Return an argument for a parameter, for so many patterns, classes and folds.

    None if its kind does not determine the argument.
    """
    numbers = np.arange(patterns)
    # a loop may be for one type
    labels = np.array(["a", "b", "c"], dtype=object if classes == 2 else str)[:classes]
    columns = np.eye(classes)[:, : classes if classes > 2 else 1]
    real = (columns[numbers % classes] + numbers[:, None] / (7 * patterns)).astype(np.float32)
    match parameter.name:
        case "classes":
            return labels
        case "topology":
            return [3]
        case "normalizationParameters":
            return real.min(axis=0, keepdims=True), real.max(axis=0, keepdims=True)
    match parameter.kind:
        case "int":
            return patterns if position == 0 else folds
        case "real":
            return 0.25
        case "bool[1]":
            return numbers % 2 == 0
        case "bool[2]":
            return columns[numbers % classes] > 0
        case "real[1]":
            return numbers / patterns
        case "real[2]":
            return real
        case "any[1]":
            return labels[numbers % classes]
    return None


def _kind(kind: str) -> str:
    """Return a kind of parameter as a sentence shows it: ": float (N, C)" for "real[2]", and
    nothing for "any".
    """
    if kind == "any":
        return ""
    return ": " + kind.replace("any", "str").replace("real", "float").replace(
        "[1]", " (N,)"
    ).replace("[2]", " (N, C)")
