"""The mark of a submission: what its source says, what its checks found, and the points of the rubric.

A function earns its points when every check of its row passes and no rule is broken. The four outcomes stay apart: a
check passes, fails, or could not run (and why); and when the grader itself fails there is no mark at all.

    verdict    when                                                              points
    missing    the file does not define the function, or only as in a template   0
    rule       a broken rule costs "zero"; or "cap", with every check passed     0; at most the cap
    fail       a check failed                                                    0
    not_run    a check could not run, and none failed                            0
    pass       every check passed; broken rules that are only flagged included   all

Whose fault a failure is, the checks decide (`practica.checks.framework.judge` gives a function right helpers before it
fails it), and one that waits for another function that never ends is excused here if most of its checks do without it
and pass. `excuse` is the place for an instructor's own judgement about what a function only inherits.
"""

from __future__ import annotations

import ast
import hashlib
import logging
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import practica
from practica.checks.framework import Check, Outcome, load_checks, run_check
from practica.checks.solution import Solution, SolutionLost
from practica.grading.observation import observed_loops
from practica.grading.rubric import Row, Rubric
from practica.grading.rules import FunctionReport, Rule, SourceReport, inspect_source
from practica.report.messages import catalogue, say

__all__ = ["SCHEMA", "canonical_result", "exit_code", "grade_submission"]

SCHEMA = 1
MOST_TIMEOUTS = 2  # of the checks of a row; the others are then not run

Excuse = Callable[[Row, Outcome], bool]

_log = logging.getLogger(__name__)


def grade_submission(
    source: bytes,
    solution: Solution,
    rubric: Rubric,
    *,
    identifier: str,
    file: str,
    lang: str = "es",
    checks: Mapping[str, Check] | None = None,
    max_examples: int | None = None,
    excuse: Excuse | None = None,
) -> dict[str, Any]:
    """Mark one submission.

    Parameters
    ----------
    source : bytes
        The file, for the rules on its source.
    solution : Solution
        The same file where it runs.
    rubric : Rubric
    identifier, file : str
        Whose it is and how it is called, for the result.
    lang : "es" or "en"
        Language of the sentences.
    checks : dict of Check, optional
        All checks of the statement without it.
    max_examples : int, optional
        Of each check, instead of its own number.
    excuse : callable, optional
        excuse(row, outcome) tells whether a failed check is not this function's fault; it then costs nothing.

    Returns
    -------
    submission : dict
        One element of `submissions` in the canonical result. Without a mark (`status` "grader_error") `points` is None.
    """
    start = time.monotonic()
    checks = load_checks() if checks is None else checks
    marking = _Marking(rubric, checks, lang, max_examples, excuse)
    status, reason, functions = marking.mark(source, solution)
    known = [row["points"] for row in functions if row["points"] is not None]
    return {
        "id": identifier,
        "file": file,
        "sha256": hashlib.sha256(source).hexdigest(),
        "status": status,
        "reason": reason,
        "points": float(sum(known, Decimal(0))) if known and status != "grader_error" else None,
        "max_points": float(rubric.max_points),
        "seconds": round(time.monotonic() - start, 3),
        "functions": [{**row, "points": None if row["points"] is None else float(row["points"])} for row in functions],
    }


def canonical_result(submissions: Iterable[Mapping[str, Any]], rubric: Rubric, sandbox: str) -> dict[str, Any]:
    """Put marked submissions together as the canonical result, from which every other output is made.

    Parameters
    ----------
    submissions : dicts of `grade_submission`
    rubric : Rubric
    sandbox : "full", "reduced" or "none"
        Where the code ran; it is stamped on the result.

    Returns
    -------
    result : dict
        Plain data, ready for JSON.
    """
    return {
        "schema": SCHEMA,
        "practica": practica.__version__,
        "rubric": {"name": rubric.name, "sha256": rubric.sha256, "max_points": float(rubric.max_points)},
        "sandbox": sandbox,
        "submissions": list(submissions),
    }


def exit_code(result: Mapping[str, Any]) -> int:
    """Return 0 if every function of every submission passed, 1 if something did not, 2 if the grader failed."""
    submissions: Sequence[Mapping[str, Any]] = result["submissions"]
    if any(submission["status"] == "grader_error" for submission in submissions):
        return 2
    verdicts = {function["verdict"] for submission in submissions for function in submission["functions"]}
    statuses = {submission["status"] for submission in submissions}
    return 0 if verdicts <= {"pass"} and statuses <= {"graded"} else 1


def _missing_package(lost: SolutionLost) -> str | None:
    """Return the module that an import did not find; what the package itself hides is no missing one."""
    found = re.fullmatch(r"No module named '([\w.]+)'", str(lost.facts.get("message", "")))
    if found is None or lost.facts.get("type") != "ModuleNotFoundError":
        return None
    return None if found[1].partition(".")[0] == "practica" else found[1]


class _Marking:
    """How submissions are marked: the rubric, the checks and the language."""

    def __init__(
        self, rubric: Rubric, checks: Mapping[str, Check], lang: str, max_examples: int | None, excuse: Excuse | None
    ) -> None:
        self.rubric, self.checks, self.lang = rubric, checks, lang
        self.max_examples, self.excuse = max_examples, excuse

    def mark(self, source: bytes, solution: Solution) -> tuple[str, str | None, list[dict[str, Any]]]:
        """Return the status, its reason and the functions; points are still exact decimals."""
        try:
            report = inspect_source(source, self.rubric)
        except Exception as error:
            return self._grader_error(error)
        if not report.readable:
            reason = "; ".join(self._located(rule) for rule in report.file_rules if rule.severity == "broken")
            return "not_run", reason, self._nothing_ran(report, reason)
        try:
            solution.names()
        except SolutionLost as lost:
            if (package := _missing_package(lost)) is not None:  # ours, or a file of theirs: a person has to look
                reason = self._sentence("lost.no_package", {**lost.facts, "package": package})
                functions = self._nothing_ran(report, reason)
                return "not_run", reason, [{**function, "points": None} for function in functions]
            reason = self._sentence(f"lost.{lost.reason}", {**lost.facts, "call": ""})
            return "not_run", reason, self._nothing_ran(report, reason)
        except Exception as error:
            return self._grader_error(error)
        functions, errors = [], []
        hung: set[str] = set()
        for row in self.rubric.rows.values():
            outcomes = self._outcomes(row, report.functions[row.name], solution)
            if hung and (culprits := hung & _used_by(row.function, source)):
                outcomes = _inherited(outcomes, sorted(culprits)[0])
            if any(outcome.message == "lost.timeout" for outcome in outcomes):
                hung.add(row.function)
            report = self._observe(row, report, solution)
            errors += [f"{outcome.id}: {_error_of(outcome)}" for outcome in outcomes if outcome.verdict == "error"]
            if not outcomes:
                errors.append(f"{row.name}: no check matches {', '.join(row.checks)}")
            functions.append(self._function(row, report, outcomes))
        return ("grader_error", "; ".join(errors), functions) if errors else ("graded", None, functions)

    def _grader_error(self, error: Exception) -> tuple[str, str, list[dict[str, Any]]]:
        _log.error("a submission could not be marked", exc_info=error)
        return "grader_error", f"{type(error).__name__}: {error}"[:500], []

    def _outcomes(self, row: Row, function: FunctionReport, solution: Solution) -> list[Outcome]:
        ids = row.checks_of(self.checks)
        if not function.found:
            return [Outcome(identifier, "not_run", "any.missing", {"function": row.function}) for identifier in ids]
        if not function.written:
            return [Outcome(identifier, "not_run", "any.unwritten", {"function": row.function}) for identifier in ids]
        outcomes: list[Outcome] = []
        for identifier in ids:
            if sum(outcome.message == "lost.timeout" for outcome in outcomes) < MOST_TIMEOUTS:
                outcomes.append(run_check(self.checks[identifier], solution, max_examples=self.max_examples))
            else:  # its other checks would use up the time of the other functions
                outcomes.append(Outcome(identifier, "not_run", "lost.skipped", {"function": row.function}))
        return outcomes

    def _observe(self, row: Row, report: SourceReport, solution: Solution) -> SourceReport:
        """Add the rules that are only broken when the function runs."""
        function = report.functions[row.name]
        if function.to_observe and function.written and solution.has(row.function):
            rules = observed_loops(row.function, function.to_observe, solution)
            seen = replace(function, rules=(*function.rules, *rules))
            return replace(report, functions={**report.functions, row.name: seen})
        return report

    def _nothing_ran(self, report: SourceReport, reason: str) -> list[dict[str, Any]]:
        functions = []
        for row in self.rubric.rows.values():
            outcomes = [Outcome(identifier, "not_run") for identifier in row.checks_of(self.checks)]
            function = self._function(row, report, outcomes)
            functions.append({**function, "checks": [{**check, "message": reason} for check in function["checks"]]})
        return functions

    def _function(self, row: Row, report: SourceReport, outcomes: Sequence[Outcome]) -> dict[str, Any]:
        function = report.functions[row.name]
        verdict, points = self._verdict(row, function, outcomes, readable=report.readable)
        told = {(rule.id, rule.line) for rule in function.rules}
        rules = [*function.rules, *(rule for rule in report.file_rules if (rule.id, rule.line) not in told)]
        return {
            "name": row.name,
            "points": points,
            "max_points": float(row.points),
            "verdict": verdict,
            "rules": [
                {
                    "id": rule.id,
                    "severity": rule.severity,
                    "line": rule.line,
                    "message": self._rule_sentence(rule, row),
                }
                for rule in rules
            ],
            "checks": [
                {
                    "id": outcome.id,
                    "verdict": "not_run" if outcome.verdict == "error" else outcome.verdict,
                    "message": self._sentence(outcome.message, outcome.message_facts) if outcome.message else "",
                    "counterexample": dict(outcome.counterexample) or None,
                }
                for outcome in outcomes
            ],
        }

    def _verdict(
        self, row: Row, function: FunctionReport, outcomes: Sequence[Outcome], *, readable: bool
    ) -> tuple[str, Decimal | None]:
        """Return the verdict and the points; None where the grader's own error leaves them open."""
        costs = {row.cost_of(rule.id) for rule in function.broken}
        failed = [outcome for outcome in outcomes if outcome.verdict == "fail"]
        if self.excuse is not None:
            failed = [outcome for outcome in failed if not self.excuse(row, outcome)]
        not_run = [each for each in outcomes if each.verdict == "not_run" and each.message != "lost.inherited"]
        if any(outcome.verdict == "error" for outcome in outcomes) or not outcomes:
            return "not_run", None
        if not readable:
            return "not_run", Decimal(0)
        if not (function.found and function.written) or any(each.message == "any.missing" for each in not_run):
            return "missing", Decimal(0)
        if "zero" in costs:
            return "rule", Decimal(0)
        if failed:
            return "fail", Decimal(0)
        if not_run:
            return "not_run", Decimal(0)
        if "cap" in costs:
            return "rule", min(row.points, row.cap)
        return "pass", row.points

    # --- Sentences --------------------------------------------------------------------------------------------------

    def _rule_sentence(self, rule: Rule, row: Row) -> str:
        sentence = say(rule.id, rule.message_facts, self.lang, strict=False)
        cost = row.cost_of(rule.id) if rule.severity == "broken" else ""
        if cost == "flag":
            return say("flagged", {"sentence": sentence}, self.lang, strict=False)
        if cost == "cap":
            return say("capped", {"sentence": sentence, "cap": row.cap}, self.lang, strict=False)
        return sentence

    def _located(self, rule: Rule) -> str:
        sentence = say(rule.id, rule.message_facts, self.lang, strict=False)
        return sentence if rule.line is None else say("line", {"line": rule.line, "sentence": sentence}, self.lang)

    def _sentence(self, identifier: str, facts: Mapping[str, Any]) -> str:
        if identifier.startswith("lost.") and identifier not in catalogue(self.lang):
            details = ", ".join(f"{name}: {value}" for name, value in facts.items() if value not in (None, ""))
            reason = identifier.removeprefix("lost.") + (f"; {details}" if details else "")
            return say("lost.unknown", {"reason": reason}, self.lang)
        return say(identifier, facts, self.lang, strict=False)


def _inherited(outcomes: list[Outcome], culprit: str) -> list[Outcome]:
    """Excuse the checks that only wait for another function that never ends, if most checks do without it and pass."""
    waiting = [outcome for outcome in outcomes if outcome.message == "lost.timeout"]
    passed = [outcome for outcome in outcomes if outcome.verdict == "pass"]
    if len(passed) <= len(waiting) or len(passed) + len(waiting) < len(outcomes):
        return outcomes
    return [
        Outcome(outcome.id, "not_run", "lost.inherited", {"function": culprit}) if outcome in waiting else outcome
        for outcome in outcomes
    ]


def _used_by(function: str, source: bytes) -> set[str]:
    """Return the functions of a file that one of them mentions, directly or not."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    mentioned = {
        node.name: {leaf.id for leaf in ast.walk(node) if isinstance(leaf, ast.Name)}
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    found: set[str] = set()
    waiting = [function]
    while waiting:
        more = mentioned.get(waiting.pop(), set()) & mentioned.keys() - found
        found |= more
        waiting += more
    return found - {function}


def _error_of(outcome: Outcome) -> str:
    return str(outcome.message_facts.get("error", outcome.message))
