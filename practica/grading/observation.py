"""What only running tells: which loops an overload runs, whether they go over the patterns, and forbidden objects.

The statement limits the loops of each overload, and a Python function serves all of them. So each overload is called,
and the lines that run are told by a trace beside the student's code:

    alone(overload)  = its loops, but for those that an overload with a larger limit runs too, or an earlier function
    broken           = alone(overload) is more than its limit, or one goes over the patterns

A limit of an overload is one of loops over the classes, which several overloads may share; one for two classes is of
all that go round. A loop over the patterns at the same place is none of them: with more patterns and the same classes
it takes more steps. What raises, or cannot be called with arguments made here, could not be observed, and no loop is
concluded from it; a function that passes its checks, and ends the process or does not end where it is watched, goes to
a person. What runs inside another function of the rubric, or inside the same one called again, is judged there; but for
those that come later in the statement, which are nobody's helpers. What breaks no rule there, because nobody else calls
it so, breaks one here; so does what breaks one there where only this function has use for it. A loop that the source
hid from the limit of the whole function counts once it is seen. What goes over the patterns and is no loop statement is
advice. A call of a check must come to the same where nobody watches.

The same calls tell which forbidden functions and classes are used: see `practica.checks.observer`. Who needs them, and
is not seen, is found elsewhere: see `practica.grading.dependence`.
"""

from __future__ import annotations

import bisect
import contextlib
import functools
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from practica.checks.framework import load_checks
from practica.checks.plain import Answer, Failure, Handle
from practica.checks.runner import SpareCall, needs_as_it_is
from practica.checks.solution import Solution, SolutionLost, StudentError
from practica.checks.together import Body, failing
from practica.checks.values import equal
from practica.grading.rubric import Overload, Parameter, Row, Rubric
from practica.grading.rules import MOST_NAMES, FunctionReport, Rule, SourceReport, matches, too_many_loops
from practica.grading.source import Loop

__all__ = ["observed_rules"]

FEW, PATTERNS, MANY = 12, 40, 240
FEWEST_REPEATED = 4  # patterns, for some of them to come again
PATTERNED = {"feature", "dataset", "outputs", "targets"}  # the parameters that have a row for each pattern
FEWEST = 20  # more steps for so many more patterns: one for every tenth
CLASSES = 3
AGAIN = 4  # times that a call comes to one thing where it is watched, and to another where it is not
CODE = (".py", ".pyc", ".so", ".pyd", ".dll")
MODELS: Mapping[str, Mapping[str, Any]] = {
    "SVC": {"kernel": "rbf", "C": 1.0, "gamma": 2.0, "degree": 3, "coef0": 0.0},
    "DecisionTreeClassifier": {"max_depth": 2},
    "KNeighborsClassifier": {"n_neighbors": 1},
    "ANN": {"topology": [2], "numExecutions": 1, "maxEpochs": 1},
}
TRAINING = {"trainingDataset", "crossValidationIndices"}  # where networks run, whose loops are those of their makers
CHEAP = {"maxEpochs": 2, "numExecutions": 1}  # of the keywords, where an overload has them


@dataclass(frozen=True)
class Run:
    """What one call ran: the loops, and how often each went round; the lines, and how often each ran; its entries.

    And the loops within functions that are judged apart, with the name of the function.
    """

    loops: Mapping[Loop, int]
    lines: Mapping[int, int]
    entries: int
    within: Mapping[tuple[str, Loop], int]


def observed_rules(
    row: Row,
    rubric: Rubric,
    report: SourceReport,
    solution: Solution,
    called: Iterable[SpareCall] = (),
    judged: Mapping[str, bool] = MappingProxyType({}),
    lent: dict[str, Decimal] | None = None,
    lenders: set[str] | None = None,
    *,
    passes: bool = True,
) -> list[Rule]:
    """Run the overloads of a row, and find the loops and the calls that they may not have.

    Parameters
    ----------
    row : Row
    rubric : Rubric
    report : SourceReport
    solution : Solution
    called : list of SpareCall, optional
        Calls as the checks make them that nobody knew before, to be watched as well.
    judged : dict of bool, optional
        The functions whose own rules are in the report already, and whether they pass their own checks.
    lent : dict of Decimal, optional
        The points of the rows for which they have answered so far, to which this one is added.
    lenders : set of str, optional
        Gets the functions that answer for what this one uses of the forbidden.
    passes : bool
        Whether this one does: only then it matters that nobody could watch it.

    Returns
    -------
    rules : list of Rule
        What the source already shows is not told again.
    """
    if "loops.too_many" in {rule.id for rule in report.functions[row.name].broken}:
        return []  # it may never end
    watch = _Watch(row, rubric, report, solution, judged, {} if lent is None else lent, passes)
    rules: list[Rule] = []
    try:
        if not solution.has(row.function):
            return []
        rules = _loops(row, watch, [each for each in called if each.call[0] == row.function])
        unseen = passes and watch.is_other()
    except SolutionLost:  # what was not observed is not proved
        unseen = passes
    rules += watch.calls()
    told = {rule.id for each in report.functions.values() for rule in each.rules}
    untold = passes and solution.noted and "calls.suspicious" not in told | {rule.id for rule in rules}
    found = [{"variant": "unseen"}] * unseen + [{"variant": "untold"}] * untold
    if lenders is not None:
        lenders |= watch.lenders
    return [*(Rule("calls.suspicious", "broken", watch.written.line, facts) for facts in found), *rules]


def _loops(row: Row, watch: _Watch, called: Sequence[SpareCall]) -> list[Rule]:
    differ = len({overload.max_loops for overload in watch.siblings}) > 1
    overloads = watch.siblings if differ else row.overloads
    if called and any(map(_trains, row.overloads)):  # which takes long: one of them, and nobody knows which
        called = [called[sum(spare.seed for spare in called) % len(called)]]
    calls: list[_Called] = []
    for number, spare in enumerate(called, 1):
        calls += [(each, number, spare) for each in row.overloads if _takes(each, spare.call[1])][:1]
    watch.ahead(overloads, calls)
    runs = {each: watch.runs(each) for each in overloads}
    for call in calls:
        runs[call[0]][-call[1]] = watch.run_of_check(call)
    if row.max_loops is not None:
        seen = {loop.line for each in row.overloads for loop in _loops_of(runs[each].values())}
        lines = {*watch.written.loops, *seen}
        if len(lines) > row.max_loops:
            return [too_many_loops(sorted(lines), row.max_loops)]
    rules = [rule for each in row.overloads for rule in _judge(each, row, runs, watch)]
    broken = [rule for rule in rules if rule.severity == "broken"]
    told = any(rule.id.startswith("loops") for rule in watch.written.rules)
    return broken or ([] if told else rules[:1])  # one advice is enough


def _judge(
    overload: Overload, row: Row, runs: Mapping[Overload, Mapping[int, Run | None]], watch: _Watch
) -> list[Rule]:
    limit = _limit(overload, row)
    if limit is None:
        return []
    facts: dict[str, Any] = {"overload": ", ".join(f"{each.name}{_kind(each.kind)}" for each in overload.positional)}
    larger = [_shown(runs[each]) for each in runs if each.max_loops is None or each.max_loops > limit]
    free = [_shown(runs[each]) for each in runs if each in row.overloads and each.max_loops is None]
    if row.max_loops == 0:
        larger = free = []
    rules: list[Rule] = []
    if lent := _lent(overload, runs, watch):
        told = {**facts, "limit": limit, "count": len(lent), "lines": lent}
        return [Rule("loops.overload", "broken", lent[0], told)]
    for classes, run in sorted(runs[overload].items(), reverse=True):
        if run is None:
            continue
        most = overload.max_loops_two_classes
        if most is not None and (classes == 2 or _is_bool(overload)):
            lines = sorted(loop.line for loop, rounds in run.loops.items() if rounds)
            if len(lines) > most:
                told = {**facts, "variant": "two_classes", "limit": most, "count": len(lines), "lines": lines}
                return [Rule("loops.overload", "broken", lines[0], told)]
        alone = sorted({loop.line for loop in run.loops.keys() - _loops_of(larger)} - watch.earlier)
        if len(alone) > limit and None not in larger:
            told = {**facts, "limit": limit, "count": len(alone), "lines": alone}
            return [Rule("loops.overload", "broken", alone[0], told)]
        if None in free or not (classes > 0 or run.loops):
            continue
        more, added = watch.with_more(overload, classes)
        if more is None:
            continue
        watched, fewest = {**facts, "variant": "observed", "patterns": added}, min(FEWEST, added / 2)
        grown = {loop: more.loops.get(loop, 0) - run.loops.get(loop, 0) for loop in more.loops.keys() - _loops_of(free)}
        lines = sorted(loop.line for loop, growth in grown.items() if growth >= fewest)
        if lines:
            told = {**watched, "limit": limit, "count": len(lines), "lines": lines, "more": max(grown.values())}
            return [Rule("loops.overload", "broken", lines[0], told)]
        if row.hidden_loops == "advice" and not rules and classes > 0:
            rules = _hidden(run, more, free, watched, watch)
    return rules


def _lent(overload: Overload, runs: Mapping[Overload, Mapping[int, Run | None]], watch: _Watch) -> list[int]:
    """List the lines of loops over the patterns that run where another function is judged, and break no rule there."""
    own = {loop for each in runs.values() for loop in _loops_of(each.values())}
    found = []
    for classes, run in runs[overload].items():
        if run is None or not run.within:
            continue
        more, added = watch.with_more(overload, classes)
        if more is None:
            continue
        for (function, loop), rounds in more.within.items():
            judged = loop in own if function == watch.row.function else watch.answers(function, "loops.")
            if rounds - run.within.get((function, loop), 0) >= min(FEWEST, added / 2) and not judged:
                found.append(loop.line)
    return sorted(set(found))


def _hidden(run: Run, more: Run, free: Sequence[Run | None], facts: Mapping[str, Any], watch: _Watch) -> list[Rule]:
    """Tell what goes over the patterns and is no loop statement."""
    if more.entries - run.entries >= FEWEST:
        return [Rule("loops.recursion", "advice", watch.written.line, {"names": watch.row.function})]
    shared = {line for each in free if each is not None for line in each.lines}
    growth = {line: times - run.lines.get(line, 0) for line, times in more.lines.items() if line not in shared}
    lines = sorted(line for line, steps in growth.items() if steps >= FEWEST)
    told = {**facts, "lines": lines, "more": max(growth.values(), default=0)}
    return [Rule("loops.hidden", "advice", lines[0], told)] if lines else []


_Called: TypeAlias = "tuple[Overload, int, SpareCall]"  # between them its number


def _breaks_loops(function: FunctionReport) -> bool:
    return any(rule.id.startswith("loops.") for rule in function.broken)


class _Watch:
    """One function, where it runs."""

    def __init__(
        self,
        row: Row,
        rubric: Rubric,
        report: SourceReport,
        solution: Solution,
        judged: Mapping[str, bool],
        lent: dict[str, Decimal],
        passes: bool,
    ) -> None:
        self._judged, self._lent, self._passes = judged, lent, passes
        # Where it is not proved that the options of networks arrive, they may train for as long as they like.
        self._models = [name for name in MODELS if passes or name != "ANN"]
        self.row, self.rubric, self.report, self.solution = row, rubric, report, solution
        self.written = report.functions[row.name]
        rows = list(rubric.rows.values())
        self.apart = {each.function for each in rows[: rows.index(row) + 1]}
        self.siblings = [each for other in rows if other.function == row.function for each in other.overloads]
        self.forbidden = (*row.forbidden, *rubric.forbidden)
        self._ran: dict[tuple[Overload, int, int], Run | None] = {}
        self._more: dict[tuple[Overload, int], tuple[Run | None, int]] = {}
        self._calls: dict[tuple[Overload, int], _Called] = {}  # of the checks
        self._answers: dict[tuple[Overload, int], tuple[bool, Any]] = {}  # to them: whether it raised, and the value
        self._stands_in: dict[str, bool] = {}  # whether a function that breaks a rule does so for this one
        self._uses: dict[tuple[str, int, bool], None] = {}
        self.lenders: set[str] = set()
        self._within = any(_limit(each, row) is not None for each in row.overloads)
        self._checks = [check for check in load_checks().values() if check.row == row.name]
        # The lines of the loops that functions before this one may have: a helper that they share is theirs.
        earlier = [report.functions[each.name] for each in rows if each.function in self.apart - {row.function}]
        self.earlier = {line for each in earlier if not _breaks_loops(each) for line in each.loops}

    def answers(self, function: str, rules: str) -> bool:
        """Tell whether a function that is judged apart answers for itself.

        It has lost something by a rule whose id begins so, and is not there to be broken in the place of this one: that
        passes with a right one as well, or is worth no more, all those together for which it answers.
        """
        if function not in self._judged:
            return True  # who knows
        rows = [row for row in self.rubric.rows.values() if row.function == function]
        broken = [(row, rule.id) for row in rows for rule in self.report.functions[row.name].broken]
        if not any(rule.startswith(rules) and row.cost_of(rule) != "flag" for row, rule in broken):
            return False
        if function not in self._stands_in:
            wrong = {name for name, right in self._judged.items() if not right}
            self._stands_in[function] = (
                needs_as_it_is(self._checks, self.solution, function, wrong)
                if self._is_helper(function)
                else not self._borrows(function, sum((row.points for row in rows), Decimal(0)))
            )
        return not self._stands_in[function]

    def _is_helper(self, function: str) -> bool:
        """Tell whether this one may use another to do its work, so that a right one can take its place."""
        return all(function in check.parts for check in self._checks)

    def _borrows(self, function: str, points: Decimal) -> bool:
        """Tell whether what a function has lost is enough for this one too, which is then noted."""
        needed = self._lent.get(function, Decimal(0)) + self.row.points * self._passes
        if needed <= points:
            self._lent[function] = needed
        return needed <= points

    def runs(self, overload: Overload) -> dict[int, Run | None]:
        """Call an overload with each number of classes; fewer matter only where the arguments tell.

        The calls of the checks are below 0.
        """
        patterns = FEW if _trains(overload) else PATTERNS
        return {each: self.run(overload, patterns, each) for each in _classes(overload)}

    def ahead(self, overloads: Iterable[Overload], calls: Iterable[_Called]) -> None:
        """Run what is going to be asked for, side by side."""
        bodies: list[Body] = [functools.partial(self._run_of_check, call) for call in calls]
        for overload in overloads:
            judged = overload in self.row.overloads and _limit(overload, self.row) is not None
            sizes = [FEW] if _trains(overload) else [PATTERNS, MANY][: 1 + judged]
            for patterns, classes in itertools.product(sizes, _classes(overload)):
                bodies.append(functools.partial(self._run, overload, patterns, classes))
        failing([[body] for body in bodies], self.solution)

    def run_of_check(self, call: _Called) -> Run | None:
        """Make a call of a check, and return what ran."""
        overload, number, _ = call
        if (overload, 0, -number) not in self._ran:
            self._run_of_check(call, self.solution)
        return self._ran[overload, 0, -number]

    def with_more(self, overload: Overload, classes: int) -> tuple[Run | None, int]:
        """Return what runs with more patterns of the same classes, and how many more.

        In a call of a check some come again, so that no size tells who is asking.
        """
        if classes > 0:
            return self.run(overload, MANY, classes), MANY - PATTERNS
        if (overload, classes) not in self._more:
            _, _, spare = self._calls[overload, classes]
            (_, args, options), seed = _cheaper(overload, spare).call, spare.seed
            again, count, more = _with_repetitions(overload, args, seed)
            run, self.solution.seed = None, seed
            if count >= FEWEST_REPEATED:
                with contextlib.suppress(StudentError):
                    run, _ = self._watched(overload, again, options, self.solution)
            self._more[overload, classes] = run, more
        return self._more[overload, classes]

    def _run_of_check(self, call: _Called, solution: Solution) -> None:
        overload, number, spare = call
        asked = _cheaper(overload, spare)
        (_, args, options), seed = asked.call, asked.seed
        self._calls[overload, -number] = call
        solution.seed = seed
        self._ran[overload, 0, -number], watched = self._watched(overload, args, options, solution)
        if asked is spare:
            self._answers[overload, -number] = watched
        first: tuple[bool, Any] | None = None
        for _ in range(AGAIN):
            other = self._unwatched(asked, solution)
            if _alike(other, watched):
                return
            if not _alike(other, first or other):
                return
            first = other
        for _ in range(AGAIN):
            solution.seed = seed
            if not _alike(self._watched(overload, args, options, solution)[1], watched):
                return  # threads are in another order each time
        self._uses["sys.settrace", 0, False] = None  # it knows when it is watched

    def _unwatched(self, spare: SpareCall, solution: Solution) -> tuple[bool, Any]:
        """Make a call of a check; return whether it raised, and what came of it."""
        solution.seed = spare.seed
        _, args, options = spare.call
        answer = solution.answer(self.row.function, *args, **options)
        return answer.error is not None, answer.value

    def is_other(self) -> bool:
        """Tell whether the function was another one where it was watched: what came of it there passes no check."""
        for key, (raised, value) in self._answers.items():
            error = Failure("", "", None) if raised else None
            if not self._calls[key][2].is_proof(self.solution, Answer(value=value, error=error)):
                return True
        return False

    def run(self, overload: Overload, patterns: int, classes: int) -> Run | None:
        """Call an overload, and return what ran, or None if that cannot be told."""
        if (overload, patterns, classes) not in self._ran:
            self._run(overload, patterns, classes, self.solution)
        return self._ran[overload, patterns, classes]

    def _run(self, overload: Overload, patterns: int, classes: int, solution: Solution) -> None:
        self._ran[overload, patterns, classes] = self._what_ran(overload, patterns, classes, solution)

    def _what_ran(self, overload: Overload, patterns: int, classes: int, solution: Solution) -> Run | None:
        found = None
        keywords = _cheap(overload)
        for model in self._models if any(each.name == "modelType" for each in overload.positional) else [""]:
            pairs = enumerate(overload.positional)
            arguments = [_value(each, position, patterns, classes, model) for position, each in pairs]
            if any(argument is None for argument in arguments):
                return None
            solution.seed = 0
            try:
                found, _ = self._watched(overload, arguments, keywords, solution)
            except StudentError:
                return None
        return found

    def _watched(
        self, overload: Overload, args: Sequence[Any], options: Mapping[str, Any], solution: Solution
    ) -> tuple[Run | None, tuple[bool, Any]]:
        """Watch one call of an overload; return what ran, whether it raised, and what came of it."""
        seen = solution.observe(
            self.row.function,
            args,
            options,
            apart=self.apart,
            forbidden=self.forbidden,
            mentioned=self.written.mentions,
            within=self._within,
        )
        if overload in self.row.overloads:
            for name, line, direct, function in seen["uses"]:
                answered = bool(function) and self.answers(function, "calls.")
                # Of one that does nothing right itself, who calls it may have no other use than this.
                if answered and (self._judged.get(function, True) or self._is_helper(function)):
                    self.lenders.add(function)
                else:
                    self._uses[name[:100], line, direct and not answered] = None
        run = None if seen["raised"] or _trains(overload) else self._told(seen)
        return run, (seen["raised"], seen["value"])

    def _told(self, seen: Mapping[str, Any]) -> Run:
        times = _times(seen["steps"])
        lines = {line: sum(count for _, count in steps) for line, steps in times.items()}
        steps: dict[str, list[list[int]]] = {function: [] for function in self.apart}
        for function, *step in seen["within"]:
            if function in steps:
                steps[function].append(step)
        within = {
            (function, loop): count
            for function, found in steps.items()
            if found
            for loop, count in self._rounds(_times(found)).items()
        }
        return Run(self._rounds(times), lines, seen["entries"], within)

    def _rounds(self, times: Mapping[int, Sequence[tuple[int, int]]]) -> dict[Loop, int]:
        lines = sorted(times)
        return {loop: number for loop in self.report.loops if (number := _rounds(loop, times, lines)) is not None}

    def calls(self) -> list[Rule]:
        """List the rules on forbidden objects that were broken in the calls so far."""
        broken = {rule.id for rule in self.written.broken}
        rules = []
        for name, line, direct in sorted(self._uses):
            hidden = matches(name, self.rubric.forbidden) or name.endswith(CODE)  # in a file that the file has written
            rule = "calls.exec" if hidden else "calls.forbidden"
            rule = rule if direct else "calls.suspicious"
            if rule not in broken:
                told = {"name": name.removeprefix("builtins.")}
                rules.append(Rule(rule, "broken", line or self.written.line, told))
        once = list({(rule.id, rule.message_facts["name"]): rule for rule in reversed(rules)}.values())[::-1]
        count: defaultdict[str, Iterator[int]] = defaultdict(itertools.count)
        return [each for each in once if next(count[each.id]) < MOST_NAMES]


def _times(steps: Iterable[Sequence[int]]) -> dict[int, list[tuple[int, int]]]:
    """Return for each line those that ran before it, and how often."""
    times: dict[int, list[tuple[int, int]]] = {}
    for before, line, count in steps:
        times.setdefault(line, []).append((before, count))
    return times


def _alike(one: Any, other: Any) -> bool:
    """Tell whether two calls came to the same; of networks only that they are some."""
    return equal(_without_numbers(one), _without_numbers(other))


def _without_numbers(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(map(_without_numbers, value))
    return "" if isinstance(value, Handle) else value


def _takes(overload: Overload, args: Sequence[Any]) -> bool:
    """Tell whether arguments are of the kinds that an overload has."""
    kinds = [each.kind for each in overload.positional]
    return len(kinds) == len(args) and all(map(_is, args, kinds))


def _is(value: Any, kind: str) -> bool:
    element, _, size = kind.removesuffix("]").partition("[")
    kinds = {"int": "iu", "real": "iuf", "bool": "b"}.get(element, "biufUO")
    return kind == "any" or (np.ndim(value) == int(size or 0) and np.asarray(value).dtype.kind in kinds)


def _is_bool(overload: Overload) -> bool:
    """Tell whether an overload is of a vector that is encoded already."""
    return overload.positional[0].kind == "bool[1]"


def _limit(overload: Overload, row: Row) -> int | None:
    """Return how many loops an overload may have."""
    return 0 if overload.max_loops is None and row.max_loops == 0 else overload.max_loops


def _classes(overload: Overload) -> tuple[int, ...]:
    """Return the numbers of classes with which an overload is called."""
    kinds = {parameter.kind for parameter in overload.positional}
    return (CLASSES, 2) if kinds & VARIED and not _trains(overload) else (CLASSES,)


def _cheap(overload: Overload) -> dict[str, int]:
    """Return the keywords with which an overload trains little."""
    return {each.name: CHEAP[each.name] for each in overload.keywords if each.name in CHEAP}


def _cheaper(overload: Overload, spare: SpareCall) -> SpareCall:
    """Return a call of a check that trains little, if it may have counted on doubles to train: here are none."""
    if all(each.name != "crossValidationIndices" for each in overload.positional):
        return spare
    name, args, options = spare.call
    of_networks = [type(each) is dict and "topology" in each for each in args]
    cheap = _cheap(overload)
    if not (cheap or any(of_networks)):
        return spare
    args = [{**each, **CHEAP} if is_one else each for each, is_one in zip(args, of_networks, strict=True)]
    return replace(spare, call=(name, args, {**options, **cheap}))


def _trains(overload: Overload) -> bool:
    return any(each.name in TRAINING for each in overload.positional)


def _shown(runs: Mapping[int, Run | None]) -> Run | None:
    """Return the run with most classes; of an overload that only fails there, that of a check."""
    return runs.get(CLASSES) or next(filter(None, runs.values()), None)


def _loops_of(runs: Iterable[Run | None]) -> set[Loop]:
    return {loop for run in runs if run is not None for loop in run.loops}


def _rounds(loop: Loop, times: Mapping[int, Sequence[tuple[int, int]]], lines: Sequence[int]) -> int | None:
    """Return how often what a loop repeats was begun; None if not even its head ran. The lines are those that ran.

    A step from the head into the body is one round, whatever else runs on either line. `while True` has no head to come
    back to. Where body and head share a line a round is a step back, or on the spot.
    """
    head = range(loop.line, loop.last + 1 if loop.in_one else loop.first)
    ran = _between(lines, head)
    if not ran:
        return None
    if loop.in_one:
        return sum(count for line in ran for before, count in times[line] if before in head[line - loop.line :])
    if loop.endless:
        return sum(count for before, count in times.get(loop.first, ()) if before != loop.first)
    inside = _between(lines, range(loop.first, loop.last + 1))
    return sum(count for line in inside for before, count in times[line] if before in head)


def _between(lines: Sequence[int], wanted: range) -> Sequence[int]:
    """Return those of some lines in order that are in a range, which may be the whole file."""
    return lines[bisect.bisect_left(lines, wanted.start) : bisect.bisect_left(lines, wanted.stop)]


VARIED = {"real[2]", "bool[2]", "any[1]"}  # what looks otherwise with other classes


def _value(parameter: Parameter, position: int, patterns: int, classes: int, model: str) -> Any:
    """Make an argument for so many patterns and classes; None for what cannot be told from its kind."""
    numbers = np.arange(patterns)
    labels = np.array(["a", "b", "c"], dtype=object if classes == 2 else str)[:classes]  # a loop may be for one type
    columns = np.eye(classes)[:, : classes if classes > 2 else 1]
    real = (columns[numbers % classes] + numbers[:, None] / (7 * patterns)).astype(np.float32)
    match parameter.name:
        case "classes":
            return labels
        case "topology":
            return [3]
        case "trainingDataset":
            return real, columns[numbers % classes] > 0
        case "normalizationParameters":
            return real.min(axis=0, keepdims=True), real.max(axis=0, keepdims=True)
        case "crossValidationIndices":
            return numbers // classes % 2 + 1
        case "modelType":
            return model
        case "modelHyperparameters":
            return dict(MODELS[model])
    match parameter.kind:
        case "int":
            return patterns if position == 0 else 2
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


def _with_repetitions(overload: Overload, args: Sequence[Any], seed: int) -> tuple[list[Any], int, int]:
    """Return arguments in which some patterns come again; how many patterns there were, and how many more there are."""
    count = args[0] if type(args[0]) is int else np.size(args[0], 0) if np.ndim(args[0]) else 1
    times = np.random.default_rng(seed).integers(1, 4, count)
    times += times.sum() < 1.5 * count  # of a few patterns it may be that none comes again
    again = [_repeated(each, arg, times) for each, arg in zip(overload.positional, args, strict=True)]
    return again, count, int(times.sum()) - count


def _repeated(parameter: Parameter, value: Any, times: NDArray[np.int64]) -> Any:
    """Return an argument in which patterns come again, so many times each."""
    if parameter.name == "N":
        return int(times.sum())
    same = parameter.name not in PATTERNED or parameter.kind == "int"
    return value if same else np.repeat(np.asarray(value), times, axis=0)


def _kind(kind: str) -> str:
    """Return a kind as an annotation that a Python reader understands; nothing for what may be anything."""
    if kind == "any":
        return ""
    return ": " + kind.replace("any", "str").replace("real", "float").replace("[1]", "[:]").replace("[2]", "[:, :]")
