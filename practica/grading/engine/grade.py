"""Marking of a submission: the verdict and the points of each row of the rubric.

    verdict    when                                                              points
    missing    the file does not define the function, or only as in a template   0
    rule       a broken rule costs "zero"; or "cap", with every check passed     0; at most the cap
    fail       a check failed                                                    0, or as `credit`
               says
    not_run    a check could not run, and none failed                            0, or as `credit`
               says
    pass       every check passed; broken rules that are only flagged included   all

An error of the grader itself is never a mark: the row, and the submission, have no points then.

A package that is not installed here costs nothing if no function needs it
(`practica.grading.inside.stand_ins`). If one does, there is no mark, because the instructor may
want to install it. A file that fails to import half-way is marked as what stands before that
statement; that costs what the rubric has for "source.stopped", or nothing.

The checks decide which function caused a failure: `practica.grading.engine.helper_substitution`
gives a function right helpers before it fails. Only helpers of earlier rows that did not pass all
their own checks, or may call one of these, are replaced, regardless of what they are instead; those
that did not return are replaced at once. If a verdict may depend on helpers that the rubric does
not mark, they are judged first.
"""

from __future__ import annotations

import logging
import math
import re
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Protocol

from practica.grading.engine.diagnosis import diagnose
from practica.grading.engine.framework import Check, load_checks
from practica.grading.engine.helper_substitution import quiet
from practica.grading.engine.loops import loop_rules
from practica.grading.engine.rendering import LONGEST_TEXT, show
from practica.grading.engine.result import (
    CheckResult,
    Diagnosis,
    FunctionResult,
    Reason,
    RuleResult,
    SubmissionResult,
)
from practica.grading.engine.result import without_mark as unmarked
from practica.grading.engine.rubric import Row, Rubric, forbidden_together
from practica.grading.engine.rules import FunctionReport, Rule, inspect_source, matches
from practica.grading.engine.runner import Outcome, run_checks
from practica.grading.engine.signatures import signature_rules
from practica.grading.engine.solution import Solution, SolutionLost, Stop
from practica.grading.engine.stops import broken_package, missing_package, needed_package, stopped
from practica.grading.inside.disable_names import GRADER, public_name
from practica.json_data import LARGEST, Facts, plain

# of a file's time, for a row of which a check fails; its others are then not run
MOST_OF_FAILING = 1 / 15
# what ends a row by time
OUT_OF_TIME = ("lost.timeout", "lost.budget")
MOST_ITEMS = 40  # items of a list in a sentence
MOST_FORBIDDEN = 20  # names in the rules of one function

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Finding:
    """What running a row showed: outcomes of its checks, rules on its header and loops, and its
    diagnosis.
    """

    outcomes: tuple[Outcome, ...]
    header: tuple[Rule, ...] = ()
    seen: tuple[Rule, ...] = ()
    diagnosis: Diagnosis | None = None

    @property
    def fails(self) -> bool:
        """Whether a check failed."""
        return any(outcome.verdict == "fail" for outcome in self.outcomes)

    @property
    def lacks(self) -> bool:
        """Whether a check did not pass, even with stand-ins for wrong helpers."""
        return any(outcome.verdict != "pass" for outcome in self.outcomes)

    @property
    def passes(self) -> bool:
        """Whether every check passed without stand-ins for wrong helpers."""
        return all(outcome.verdict == "pass" and not outcome.helped for outcome in self.outcomes)

    @property
    def errors(self) -> list[str]:
        """The errors of the checks themselves, which are defects of the grader."""
        broken = [outcome for outcome in self.outcomes if outcome.verdict == "error"]
        return [f"{each.id}: {each.message_facts.get('error', each.message)}" for each in broken]


class KeptFindings(Protocol):
    """A store that keeps findings between runs of the same file."""

    def get(self, row: Row) -> Finding | None:
        """Return the stored finding of a row; None if there is none, or something on which it
        depends has changed.
        """

    def put(self, row: Row, finding: Finding) -> None:
        """Store the finding of a row."""


def grade_submission(
    source: bytes,
    solution: Solution,
    rubric: Rubric,
    *,
    identifier: str,
    file: str,
    checks: Mapping[str, Check] | None = None,
    max_examples: int | None = None,
    seed: int | None = None,
    only: Collection[str] | None = None,
    memory: KeptFindings | None = None,
    report: Callable[[FunctionResult], object] | None = None,
) -> SubmissionResult:
    """Mark one submission.

    `source`: the file, for the rules on its source.
    `solution`: the same file where it runs.
    `identifier`, `file`: the owner and the name of the file, for the result.
    `checks`: by default, all checks of the statement.
    `max_examples`: the examples of each check, instead of its own number.
    `seed`: the seed of the secret examples; there are none without it.
    `only`: the functions that are marked, by default all of them.
    `memory`: what it knows does not run again, and if nothing is left to run, the file is not
        imported.
    `report`: receives each function as soon as it is marked; its diagnosis comes later.
    Returned `submission`: without a mark if the grader itself failed.
    """
    start = time.monotonic()
    rows = [row for row in rubric.rows.values() if only is None or row.function in only]
    checks = load_checks() if checks is None else checks
    functions: Sequence[FunctionResult] = ()
    try:
        marking = _Marking(source, solution, rubric, checks, max_examples, seed, memory)
        with quiet():
            status, reason, functions = marking.mark(rows, report)
        functions = marking.with_forgery(functions)
    except Exception as error:
        _log.exception("%s could not be marked", identifier)
        status, reason = "grader_error", Reason.of_error(error)
    known = [Decimal(str(row.points)) for row in functions if row.points is not None]
    return replace(
        unmarked(source, rubric, identifier=identifier, file=file, reason=reason),
        status=status,
        points=float(sum(known, Decimal(0))) if known and status != "grader_error" else None,
        seconds=round(time.monotonic() - start, 3),
        functions=tuple(functions),
    )


def new_seed() -> int:
    """Draw a seed for secret examples, which cannot be guessed."""
    return secrets.randbelow(LARGEST)


@dataclass(frozen=True)
class _Failed:
    """A row that failed, its finding, and the helpers that were known to be wrong by then."""

    row: Row
    finding: Finding
    wrong: set[str]


# of a submission: the status, its reason and the functions
Marks = tuple[str, Reason | None, list[FunctionResult]]


@dataclass
class _Marking:
    """The marking of one submission, and what is known so far."""

    source: bytes
    solution: Solution
    rubric: Rubric
    checks: Mapping[str, Check]
    max_examples: int | None
    seed: int | None
    memory: KeptFindings | None
    judged: set[str] = field(default_factory=set)  # the rows so far
    # of the functions judged so far, without help
    right: dict[str, bool] = field(default_factory=dict)
    # functions of which a call does not end, or only with help
    unreturning: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.report = inspect_source(self.source, self.rubric)
        self.forbidden = {
            **forbidden_together(self.rubric.unmarked),
            **forbidden_together(self.rubric.rows.values()),
        }
        self.parts = {  # the functions that the checks of each row may replace
            row.name: {
                name for each in row.checks_of(self.checks) for name in self.checks[each].parts
            }
            for row in self.rubric.assigned
        }

    def mark(self, rows: Sequence[Row], report: Callable[[FunctionResult], object] | None) -> Marks:
        """Mark rows; return the status of the submission, its reason, and its functions."""
        if not self.report.readable:
            rule = next(rule for rule in self.report.file_rules if rule.severity == "broken")
            return "not_run", Reason.of(rule.id, rule.message_facts, rule.line), self._nothing_ran()
        known = {row.name: None if self.memory is None else self.memory.get(row) for row in rows}
        to_run = [
            row
            for row in rows
            if self.memory is None or (self._can_run(row) and known[row.name] is None)
        ]
        try:
            if to_run:
                self.solution.forbid(self.forbidden[to_run[0].name])
                self.solution.names()
        except SolutionLost as lost:
            return self._without_library() or self._not_run(lost)
        if (marks := self._without_library()) is not None:
            return marks
        if (stop := self.solution.stop) is not None:
            if (reason := self._cut(stop, rows)) is not None:
                return self._not_run(reason)
            known = {}
        marked: dict[str, FunctionResult] = {}
        failing: list[_Failed] = []
        errors: list[str] = []
        for row in sorted(rows, key=lambda row: row.place):
            finding = known.get(row.name) or self._newly_found(row, failing)
            self._learn(row, finding)
            errors += finding.errors
            if not finding.outcomes:
                errors.append(f"{row.name}: no check matches {', '.join(row.checks)}")
            marked[row.name] = self._function(row, finding.outcomes, finding.diagnosis)
            if report is not None:
                report(marked[row.name])
        functions = [marked[row.name] for row in rows]
        if (needed := needed_package(functions)) is not None:
            without = [replace(function, points=None) for function in functions]
            return "not_run", Reason.of("lost.package_needed", needed), without
        found = self._diagnoses(failing)  # each row had its time
        functions = [
            replace(each, diagnosis=found.get(each.name, each.diagnosis)) for each in functions
        ]
        if errors:
            return (
                "grader_error",
                Reason.of("grader.error", {"error": "; ".join(errors)}),
                functions,
            )
        return "graded", None, functions

    def with_forgery(self, functions: Sequence[FunctionResult]) -> Sequence[FunctionResult]:
        """Flag every function if the file answered in place of the program that calls it."""
        if not self.solution.forged:
            return functions
        rule, rows = Rule("calls.outside", "broken", None, {"variant": "answer"}), self.rubric.rows
        return [
            replace(function, rules=(*function.rules, _rule_result(rows[function.name], rule)))
            for function in functions
        ]

    def _can_run(self, row: Row) -> bool:
        function = self.report.functions[row.name]
        return function.found and function.written

    def _wrong(self) -> set[str]:
        """Return the judged functions that are wrong, and those that may call one of them."""
        wrong = {name for name, is_right in self.right.items() if not is_right}
        for row in self.rubric.assigned:
            if row.name in self.judged and wrong & self.parts[row.name]:
                wrong.add(row.function)
        return wrong

    def _cut(self, stop: Stop, rows: Iterable[Row]) -> SolutionLost | None:
        """Go on with only the part of a file before the statement at which it stops; return None.

        If no function is left, or a package is not installed, return instead why the file did not
        run.
        """
        facts = {**stop.lost.facts, "at": stop.line, "statement": stop.statement}
        before, whole = inspect_source(stop.before, self.rubric), self.report.functions
        any_found = any(function.found for function in before.functions.values())
        if not any_found or missing_package(facts.get("type"), facts.get("message")):
            return SolutionLost(stop.lost.reason, **facts)
        self.memory = None  # or the next run would not see it stop
        missed = {
            row.function: whole[row.name].line or 0
            for row in rows
            if whole[row.name].found and not before.functions[row.name].found
        }
        stops = [stopped(stop.lost, stop.line, stop.statement, loses=bool(missed))]
        if missed:
            functions = sorted(missed, key=missed.__getitem__)
            stops.append(Rule("source.unreached", "advice", None, {"functions": functions}))
        self.report = before
        for row in self.rubric.rows.values():
            self.report = self.report.with_rules(
                row.name, (*stops, *self.report.functions[row.name].rules)
            )
        return None

    def _learn(self, row: Row, finding: Finding) -> None:
        """Record the verdict of a row for later rows, and add its rules to the report."""
        self.judged.add(row.name)
        outcomes = finding.outcomes
        self.right[row.function] = finding.passes and self.right.get(row.function, True)
        absent = [outcome for outcome in outcomes if outcome.message.startswith("lost.")]
        gone = any(each.verdict == "fail" or each.message == "lost.skipped" for each in absent)
        if gone or (self.unreturning and any(outcome.helped for outcome in outcomes)):
            self.unreturning.add(row.function)
        rules = (*finding.header, *self.report.functions[row.name].rules, *finding.seen)
        self.report = self.report.with_rules(row.name, rules)

    def _diagnoses(self, failing: Sequence[_Failed]) -> dict[str, Diagnosis | None]:
        """Return the diagnosis of each failed row by its name, None if it has none, and store the
        finding with it in the memory.

        Nothing here changes a mark.
        """
        found: dict[str, Diagnosis | None] = {failed_row.row.name: None for failed_row in failing}
        failed = {failed_row.row.function for failed_row in failing}
        for failed_row in failing:
            row, finding = failed_row.row, failed_row.finding
            checks = [self.checks[identifier] for identifier in row.checks_of(self.checks)]
            more = {
                "helpers": failed_row.wrong,
                "lost": self.unreturning,
                "failed": failed_row.wrong & failed,
            }
            try:
                self.solution.forbid(self.forbidden[row.name])
                found[row.name] = diagnose(checks, self.solution, finding.outcomes, **more)
            except SolutionLost:
                pass
            except Exception:
                _log.exception("the diagnosis of %s is broken", row.name)
            if self.memory is not None:
                self.memory.put(row, replace(finding, diagnosis=found[row.name]))
        return found

    def _not_run(self, lost: SolutionLost) -> Marks:
        """Return the marks of a file that cannot be imported: 0 points, or no mark if a package is
        missing here.
        """
        functions = self._nothing_ran()
        facts = {
            name: "?" if value is None else show(value, quoted=False)
            for name, value in lost.facts.items()
        }
        package = missing_package(lost.facts.get("type"), lost.facts.get("message"))
        if package is not None:
            functions = [replace(function, points=None) for function in functions]
            return "not_run", Reason.of("lost.no_package", {**facts, "package": package}), functions
        if "statement" in lost.facts:
            rule = stopped(lost, lost.facts["at"], lost.facts["statement"], loses=True)
            return "not_run", Reason.of(rule.id, rule.message_facts, rule.line), functions
        return "not_run", Reason.of(f"lost.{lost.reason}", {**facts, "call": ""}), functions

    def _without_library(self) -> Marks | None:
        """Return marks without points if the file imports a library that is installed here but
        fails to load, regardless of what the file did afterwards; else None.
        """
        if (broken := broken_package(self.source, self.solution.unloadable)) is None:
            return None
        functions = [replace(function, points=None) for function in self._nothing_ran()]
        return "not_run", Reason.of("lost.broken_package", broken), functions

    def _nothing_ran(self) -> list[FunctionResult]:
        """Return the results of all functions of a file that did not run."""
        rows = self.rubric.rows.values()
        return [self._function(row, _not_run(row.checks_of(self.checks))) for row in rows]

    # --- one row ----------------------------------------------------------------------------------

    def _newly_found(self, row: Row, failing: list[_Failed]) -> Finding:
        """Judge a row that the memory does not know, after the helpers on which its finding
        depends.

        A row that fails is added to `failing`, and stored later, with its diagnosis; another one is
        stored at once.
        """
        wrong = self._wrong()
        finding = self._found(row, wrong)
        unjudged = self._to_judge_first(row, finding)
        for each in unjudged:
            known = None if self.memory is None else self.memory.get(each)
            self._learn(each, known or self._newly_found(each, []))
        # what it uses may be what an earlier function that is right may use
        if unjudged and (finding.seen or self._wrong() != wrong):
            wrong = self._wrong()
            finding = self._found(row, wrong)
        if finding.fails:
            failing.append(_Failed(row, finding, wrong))
        elif self.memory is not None and not finding.errors:
            self.memory.put(row, finding)
        return finding

    def _to_judge_first(self, row: Row, finding: Finding) -> list[Row]:
        """Return the earlier rows without a verdict on which the finding of a row depends: those of
        its helpers, if a check did not pass, and all of them, if too many loops ran, some of which
        may be theirs.
        """
        functions = self.parts[row.name] if finding.lacks else set()
        if any(rule.id.startswith("loops.") and rule.severity == "broken" for rule in finding.seen):
            functions = self.rubric.functions
        earlier = (each for each in self.rubric.assigned if each.place < row.place)
        return [
            each for each in earlier if each.name not in self.judged and each.function in functions
        ]

    def _found(self, row: Row, wrong: Collection[str]) -> Finding:
        """Judge a row. An error of the grader itself becomes the outcome "error" of its checks, so
        that only this row has no mark.

        `wrong`: the helpers that right ones may replace.
        """
        try:
            return self._find(row, wrong)
        except Exception as error:
            _log.exception("%s could not be judged", row.name)
            facts = {"error": str(Reason.of_error(error).facts["error"])}
            ids = row.checks_of(self.checks)
            return Finding(
                tuple(Outcome(identifier, "error", "any.grader", facts) for identifier in ids)
            )

    def _find(self, row: Row, wrong: Collection[str]) -> Finding:
        """Run a row while its forbidden functions raise, and add the rules that it breaks at run
        time.

        `wrong`: as in `_found`.
        """
        self.solution.forbid(self.forbidden[row.name])
        finding, refused = self._run(row, wrong)
        if refused and finding.lacks and not any(matches(name, row.forbidden) for name in refused):
            # another row of the process forbids what this one may use
            self.forbidden[row.name] = row.forbidden
            self.solution.forbid(row.forbidden)
            finding, refused = self._run(row, wrong)
        if refused and finding.lacks and (lent := self._right_helpers(row) - {*wrong}):
            # another function may use what this one may not
            finding, refused = self._run(row, {*wrong, *lent})
        own = {
            public_name(name): line
            for name, line in refused.items()
            if matches(name, row.forbidden)
        }
        if not (finding.lacks and own):
            return finding
        if needed := [name for name, line in own.items() if line == GRADER]:
            raise RuntimeError(f"{needed[0]} is forbidden, and the grader itself calls it")
        at = self.report.functions[row.name].line
        used = [
            Rule("calls.forbidden", "broken", line or at, {"name": name})
            for name, line in own.items()
        ]
        return replace(finding, seen=(*used[:MOST_FORBIDDEN], *finding.seen))

    def _right_helpers(self, row: Row) -> set[str]:
        """Return the functions that a row may call, if they are right."""
        return {name for name in self.parts[row.name] - {row.function} if self.right.get(name)}

    def _run(self, row: Row, wrong: Collection[str]) -> tuple[Finding, dict[str, int | None]]:
        """Run the checks of a row, and the rules that depend on calls.

        `wrong`: as in `_found`.
        Returned `finding`: without the forbidden functions that were called.
        Returned `refused`: those, each with the line of the file that led there first; None if that
            line is unknown, `GRADER` if the grader itself called it.
        """
        function, can_run = self.report.functions[row.name], self._can_run(row)
        header: tuple[Rule, ...] = ()
        seen: Sequence[Rule] = ()
        refused: dict[str, int | None] = {}
        try:
            self.solution.refused()
            if can_run and not function.is_rebound:
                header = tuple(signature_rules(row, function.line, self.solution))
            outcomes = self._outcomes(row, wrong)
        except SolutionLost as reason:  # before a check ran
            facts = {name: show(fact) for name, fact in reason.facts.items()}
            outcomes = _not_run(
                row.checks_of(self.checks), f"lost.{reason.reason}", {**facts, "call": ""}
            )
        ends = not any(each.message == "lost.timeout" for each in outcomes)
        with suppress(SolutionLost):
            refused = self.solution.refused()
            for outcome in outcomes:
                refused.update(self.solution.left_out.get(_undefined_name(outcome), {}))
            if can_run and ends and self.solution.has(row.function):
                wrong = self.rubric.functions - {
                    name for name, is_right in self.right.items() if is_right
                }
                with_header = self.report.with_rules(row.name, (*header, *function.rules))
                seen = loop_rules(
                    row, self.rubric, with_header, self.solution, self.seed or 0, wrong
                )
        with suppress(SolutionLost):
            opened = self.solution.opened()
            shown = {rule.line for rule in function.rules if rule.id == "calls.suspicious"}
            doors = [each for each in opened.items() if each[1] not in shown]
            more = [Rule("calls.suspicious", "broken", at, {"variant": door}) for door, at in doors]
            seen = (*seen, *more)
        if any(each.differs for each in outcomes):
            seen = (*seen, Rule("answers.differ", "broken", function.line, {}))
        if any(each.message in OUT_OF_TIME for each in outcomes):
            seen = (*seen, Rule("answers.out_of_time", "broken", function.line, {}))
        return Finding(tuple(outcomes), header, tuple(seen)), refused

    def _outcomes(self, row: Row, helpers: Collection[str]) -> list[Outcome]:
        """Run the checks of a row, and return their outcomes; those for which no time is left are
        not run.

        `helpers`: those that right ones may replace.
        """
        ids = row.checks_of(self.checks)
        if not self._can_run(row):
            message = "any.unwritten" if self.report.functions[row.name].found else "any.missing"
            return _not_run(ids, message, {"function": row.function})
        most = math.inf if row.credit.kind != "all" else MOST_OF_FAILING + self.solution.time_used
        outcomes: list[Outcome] = []
        for outcome in run_checks(
            [self.checks[identifier] for identifier in ids],
            self.solution,
            max_examples=self.max_examples,
            secret=self.seed,
            helpers=helpers,
            lost=self.unreturning,
            until=most,
        ):
            outcomes.append(outcome)
            if _uses_up(outcomes, self.solution.time_used > most):
                break
        left = ids[len(outcomes) :]
        return [*outcomes, *_not_run(left, "lost.skipped", {"function": row.function})]

    def _function(
        self, row: Row, outcomes: Sequence[Outcome], diagnosis: Diagnosis | None = None
    ) -> FunctionResult:
        function = self.report.functions[row.name]
        verdict, points = self._verdict(row, function, outcomes)
        if verdict == "missing" and function.is_rebound:
            verdict, outcomes = "rule", ()  # it is there, and something else has its name
        own = {(rule.id, rule.line) for rule in function.rules}
        rules = [
            *function.rules,
            *(rule for rule in self.report.file_rules if (rule.id, rule.line) not in own),
        ]
        return FunctionResult(
            name=row.name,
            function=row.function,
            line=function.line,
            points=None if points is None else float(points),
            max_points=float(row.points),
            verdict=verdict,
            rules=tuple(_rule_result(row, rule) for rule in rules),
            checks=tuple(map(_check_result, outcomes)),
            diagnosis=diagnosis,
        )

    def _verdict(
        self, row: Row, function: FunctionReport, outcomes: Sequence[Outcome]
    ) -> tuple[str, Decimal | None]:
        """Return the verdict and the points of a row; points of None where the grader's own error
        leaves them open.
        """
        costs = {row.cost_of(rule.id) for rule in function.broken}
        failed = [outcome for outcome in outcomes if outcome.verdict == "fail"]
        not_run = [each for each in outcomes if each.verdict == "not_run"]
        if any(outcome.verdict == "error" for outcome in outcomes) or not outcomes:
            return "not_run", None
        if not self.report.readable:
            return "not_run", Decimal(0)
        if not self._can_run(row) or any(each.message == "any.missing" for each in not_run):
            return "missing", Decimal(0)
        if "zero" in costs:
            return "rule", Decimal(0)
        most = min(row.points, row.cap) if "cap" in costs else row.points
        if failed or not_run:
            wrong = {each.id for each in (*failed, *not_run)}
            passed = [each.id for each in outcomes if each.id not in wrong]
            points = min(
                most, row.credit.points(row.points, passed, [each.id for each in outcomes])
            )
            return "fail" if failed else "not_run", points
        return ("rule" if "cap" in costs else "pass"), most


def _not_run(
    ids: Iterable[str], message: str = "", facts: Mapping[str, str] | None = None
) -> list[Outcome]:
    return [Outcome(identifier, "not_run", message, dict(facts or {})) for identifier in ids]


def _rule_result(row: Row, rule: Rule) -> RuleResult:
    cost = row.cost_of(rule.id) if rule.severity == "broken" else None
    facts = {**rule.message_facts, **({"cap": row.cap} if cost == "cap" else {})}
    return RuleResult(rule.id, rule.severity, cost, rule.line, plain(_short(facts)))


def _check_result(outcome: Outcome) -> CheckResult:
    verdict = "not_run" if outcome.verdict == "error" else outcome.verdict
    counterexample = {name: plain(text) for name, text in outcome.counterexample.items()} or None
    return CheckResult(
        outcome.id, verdict, outcome.message, plain(outcome.message_facts), counterexample
    )


def _short(facts: Facts) -> Facts:
    """Return the facts of a rule with long strings and lists cut, because names may be as long as a
    file.
    """
    shown: dict[str, object] = {}
    for name, fact in facts.items():
        if isinstance(fact, str) and len(fact) > LONGEST_TEXT:
            fact = f"{fact[: LONGEST_TEXT - 1]}…"
        elif isinstance(fact, list) and len(fact) > MOST_ITEMS:
            fact = [*fact[:MOST_ITEMS], "…"]
        shown[name] = fact
    return shown


def _uses_up(outcomes: Sequence[Outcome], dear: bool) -> bool:
    """Return whether a row should run no more checks, so that time is left for the other rows: a
    call did not end, or a check failed in a row that is `dear`.

    `dear`: whether it has used its share of the time.
    """
    endless = any(outcome.message == "lost.timeout" for outcome in outcomes)
    return endless or (dear and any(outcome.verdict == "fail" for outcome in outcomes))


def _undefined_name(outcome: Outcome) -> str:
    """Return the name that a check missed in the file; empty if it missed none."""
    if outcome.message == "any.missing":
        return str(outcome.message_facts["function"])
    found = re.search(
        r"NameError: name '(\w+)' is not defined", outcome.message_facts.get("error", "")
    )
    return found[1] if found else ""
