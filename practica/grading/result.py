"""The mark of a submission, and the canonical result, from which every other output is made.

A function earns its points when every check of its row passes and no rule is broken. The four outcomes stay apart: a
check passes, fails, or could not run (and why); and when the grader itself fails there is no mark at all.

    verdict    when                                                              points
    missing    the file does not define the function, or only as in a template   0
    rule       a broken rule costs "zero"; or "cap", with every check passed     0; at most the cap
    fail       a check failed                                                    0
    not_run    a check could not run, and none failed                            0
    pass       every check passed; broken rules that are only flagged included   all

A package that is not installed here costs nothing where no function needs it (`practica.sandbox.absent`). Where one
does, there is no mark: whether to install the package is for a person to decide.

A file whose import fails half-way is marked as what stands before the statement at which it does; that costs what the
rubric says of "source.stopped", nothing if it does not.

Whose fault a failure is, the checks decide: `practica.checks.help` gives a function right helpers before it fails, in
place of those that come before it, were written, and did not pass all their own checks by themselves; those that did
not even end are replaced at once. `excuse` is the place for an instructor's own judgement about what a function only
inherits.

The canonical result is plain data, ready for JSON. It holds facts and no sentence: a message is an id, and `facts` is
what fills the places of its sentence, which `practica.report` says in the language that somebody asks for. The form is
that of `result.schema.json`, which `practica.grading.stored` holds a file to:

    schema, practica          2, and the version that marked
    rubric                    name, sha256, max_points
    sandbox                   "full", "reduced" or "none": the worst in which a submission ran
    seed                      with which the secret examples are the same again; null where there were none. Results of
                              before that lack it
    class                     what was collected; null for files that nobody collected
      entries                 everybody who handed something in: the fields of `practica.classroom.collect.Entry`
      incidents               code, facts, entry: what a person should know, see `practica.classroom.incidents`
      similar                 [id, id, share] of submissions that resemble each other
    submissions
      id, file, sha256        whose, what the file is called, and the hash of its bytes
      status                  "graded", "not_run" (the file cannot be read or imported) or "grader_error"
      reason                  message, facts and line: why it was not graded; null if it was
      points, max_points      points is null where the grader failed
      memory                  "cgroup" or "counted": who limited its memory; not there where no box was asked for
      seconds                 null in the result of a class, so that what is written twice is the same
      functions               for each row of the rubric
        name, function, line  of the row; what it is called in the file; the line where that gets its meaning, or null
        points, max_points, verdict
        rules                 id, severity ("broken", "advice"), cost ("zero", "cap", "flag"; null of an advice), line,
                              facts; the message is the id, or "id.variant" where the facts have a variant
        checks                id, verdict ("pass", "fail", "not_run"), message ("" with nothing to say), facts,
                              counterexample (call, input, expected, obtained, printed, as far as known; or null)
        diagnosis             what explains a function that failed, see `practica.diagnosis`, or null: how ("one",
                              "either", "both") and mistakes (id, facts). It costs and gives nothing. Results of before
                              that lack it
      source, cells           of a class: the text that was marked; [cell, line in the cell] of each line of a notebook
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import math
import re
import secrets
import time
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Protocol

import practica
from practica.checks.framework import Check, load_checks
from practica.checks.loading import decode
from practica.checks.runner import Outcome, Patience, run_check, run_together
from practica.checks.solution import Solution, SolutionLost
from practica.checks.values import LONGEST_TEXT, show
from practica.diagnosis.engine import Diagnosis, diagnose
from practica.grading.groups import forbidden_together
from practica.grading.loops import loop_rules
from practica.grading.rubric import Row, Rubric
from practica.grading.rules import FunctionReport, Rule, SourceReport, inspect_source, matches
from practica.grading.signatures import signature_rules
from practica.sandbox.disabled import public_name

__all__ = [
    "SCHEMA",
    "Finding",
    "Memory",
    "canonical_result",
    "error_of",
    "exit_code",
    "grade_submission",
    "new_seed",
    "plain",
    "reason_of",
    "text_of",
    "without_mark",
]

SCHEMA = 2
MOST_OF_FAILING = 1 / 6  # of a file's time, for a row of which a check fails; its others are then not run
STOPPED = ("import_failed", "input", "file", "notebook", "timeout", "other")  # how a file stops half-way
LONGEST_STATEMENT = 60  # characters that are shown of it
MOST_ITEMS = 40  # of a list in a sentence
MOST_FORBIDDEN = 20  # names that are told of one function
UNSEEN = frozenset(["Cc", "Cf", "Cs", "Zl", "Zp"])  # categories of characters
LARGEST = 2**53  # a whole number that every reader of JSON knows

Excuse = Callable[[Row, Outcome], bool]


@dataclass(frozen=True)
class Finding:
    """What only running tells of a row: its checks, the rules on its header and on what it runs, and its mistakes."""

    outcomes: tuple[Outcome, ...]
    header: tuple[Rule, ...] = ()
    seen: tuple[Rule, ...] = ()
    diagnosis: Diagnosis | None = None

    @property
    def fails(self) -> bool:
        """Whether a check failed."""
        return any(outcome.verdict == "fail" for outcome in self.outcomes)


class Memory(Protocol):
    """Where findings are kept for the next time."""

    def get(self, row: Row) -> Finding | None:
        """Return what is known of a row, if it still holds."""

    def put(self, row: Row, finding: Finding) -> None:
        """Keep what was found of a row."""


_log = logging.getLogger(__name__)


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
    excuse: Excuse | None = None,
    only: Collection[str] | None = None,
    memory: Memory | None = None,
    told: Callable[[dict[str, Any]], object] | None = None,
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
    checks : dict of Check, optional
        All checks of the statement without it.
    max_examples : int, optional
        Of each check, instead of its own number.
    seed : int, optional
        Of the secret examples; there are none without it.
    excuse : callable, optional
        excuse(row, outcome) tells whether a failed check is not this function's fault; it then costs nothing.
    only : names of functions, optional
        Those that are marked; all of them without it.
    memory : Memory, optional
        What it knows does not run again, and where nothing is left to run, the file is not imported.
    told : callable, optional
        Is given each element of `functions` as soon as it is known.

    Returns
    -------
    submission : dict
        One element of `submissions` in the canonical result. Without a mark (`status` "grader_error") `points` is None.
    """
    start = time.monotonic()
    checks = load_checks() if checks is None else checks
    marking = _Marking(rubric, checks, max_examples, seed, excuse, memory)
    status, reason, functions = marking.mark(source, solution, only, told)
    known = [row["points"] for row in functions if row["points"] is not None]
    return {
        **without_mark(source, rubric, identifier=identifier, file=file, reason=reason),
        "status": status,
        "points": float(sum(known, Decimal(0))) if known and status != "grader_error" else None,
        "seconds": round(time.monotonic() - start, 3),
        "functions": [_in_plain_points(row) for row in functions],
    }


def _in_plain_points(function: dict[str, Any]) -> dict[str, Any]:
    """Return a function of the result with its points as JSON has them; until they are added up they are exact."""
    return {**function, "points": None if function["points"] is None else float(function["points"])}


def without_mark(
    source: bytes, rubric: Rubric, *, identifier: str, file: str, reason: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return a submission that the grader could not mark, for a reason as `reason_of` makes them."""
    return {
        "id": plain(identifier),
        "file": plain(file),
        "sha256": hashlib.sha256(source).hexdigest(),
        "status": "grader_error",
        "reason": reason,
        "points": None,
        "max_points": float(rubric.max_points),
        "seconds": 0.0,
        "functions": [],
    }


def reason_of(message: str, facts: Mapping[str, Any], line: int | None = None) -> dict[str, Any]:
    """Return why a submission was not graded, as the canonical result has it."""
    return {"message": message, "facts": plain(facts), "line": line}


def error_of(error: BaseException) -> dict[str, Any]:
    """Return as a reason what went wrong in the grader."""
    return reason_of("grader.error", {"error": f"{type(error).__name__}: {error}"[:500]})


def new_seed() -> int:
    """Draw a seed for secret examples, which nobody guesses."""
    return secrets.randbelow(LARGEST)


def canonical_result(
    submissions: Iterable[Mapping[str, Any]],
    rubric: Rubric,
    sandbox: str,
    collected: Mapping[str, Any] | None = None,
    seed: int | None = None,
) -> dict[str, Any]:
    """Put marked submissions together as the canonical result.

    Parameters
    ----------
    submissions : dicts of `grade_submission`
    rubric : Rubric
    sandbox : "full", "reduced" or "none"
        Where the code ran; it is stamped on the result.
    collected : dict, optional
        What the result has as its `class`.
    seed : int, optional
        With which all of them were marked.

    Returns
    -------
    result : dict
        Plain data, ready for JSON.
    """
    return {
        "schema": SCHEMA,
        "practica": practica.__version__,
        "rubric": {"name": plain(rubric.name), "sha256": rubric.sha256, "max_points": float(rubric.max_points)},
        "sandbox": sandbox,
        "seed": seed,
        "class": plain(collected),
        "submissions": list(submissions),
    }


def plain(value: Any) -> Any:
    r"""Return data as JSON, and every file in UTF-8, can hold it.

    Parameters
    ----------
    value : numbers, texts, and lists and dicts of them
        Anything else becomes text.

    Returns
    -------
    data : the same
        What names and messages from outside may hold and nobody sees (lone surrogates, controls, marks that turn the
        direction of a text, spaces without width) is written out as Python writes it; line ends and tabulators stay.

    Examples
    --------
    >>> print(plain({"name": "a\ud800\u202e\0", "lines": (3, 4)}))
    {'name': 'a\\ud800\\u202e\\x00', 'lines': [3, 4]}
    """
    match value:
        case str():
            return value if value.isprintable() else "".join(map(_harmless, value))
        case None | bool():
            return value
        case int() if abs(value) <= LARGEST:
            return value
        case float() if math.isfinite(value):
            return value
        case Mapping():
            return {plain(str(name)): plain(item) for name, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
    return plain(f"{value:#x}" if isinstance(value, int) else str(value))


def _harmless(character: str) -> str:
    unseen = character not in "\t\n\r" and unicodedata.category(character) in UNSEEN
    return ascii(character)[1:-1] if unseen else character


def text_of(source: bytes) -> str:
    """Return the text of a file for the canonical result; of what it holds only lone surrogates are written out."""
    return decode(source)[0].encode("utf-8", "backslashreplace").decode()


def exit_code(result: Mapping[str, Any]) -> int:
    """Return 0 if every function of every submission passed, 1 if something did not, 2 if the grader failed."""
    submissions: Sequence[Mapping[str, Any]] = result["submissions"]
    if any(submission["status"] == "grader_error" for submission in submissions):
        return 2
    verdicts = {function["verdict"] for submission in submissions for function in submission["functions"]}
    statuses = {submission["status"] for submission in submissions}
    return 0 if verdicts <= {"pass"} and statuses <= {"graded"} else 1


def _missing_package(type: object, message: object) -> str | None:
    """Return the module that an import did not find, if its package is not installed here.

    What this package itself hides is no missing one, and neither is a module that an installed package does not have.
    """
    found = re.fullmatch(r"No module named '([\w.]+)'", str(message))
    if found is None or type != "ModuleNotFoundError":
        return None
    package = found[1].partition(".")[0]
    try:
        spec = importlib.util.find_spec(package)
    except ValueError:  # a module of this process that came from no file
        return None
    is_installed = spec is not None and spec.origin is not None  # several may share a folder such as `google`
    return None if is_installed or package == "practica" else found[1]


def _needed_package(functions: Iterable[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Return the facts of the first function that needs a package that is not installed here."""
    for function in functions:
        for facts in (check["facts"] for check in function["checks"] if check["message"] == "any.raises"):
            kind, _, message = str(facts["error"]).partition(": ")
            if package := _missing_package(kind, message):
                return {"function": function["function"], "package": package, "line": facts["line"]}
    return None


@dataclass
class _Marking:
    """How submissions are marked: the rubric and the checks."""

    rubric: Rubric
    checks: Mapping[str, Check]
    max_examples: int | None
    seed: int | None
    excuse: Excuse | None
    memory: Memory | None
    patience: Patience = field(default_factory=Patience)

    def mark(
        self,
        source: bytes,
        solution: Solution,
        only: Collection[str] | None,
        told: Callable[[dict[str, Any]], object] | None,
    ) -> tuple[str, Any, list[dict[str, Any]]]:
        """Return the status, its reason and the functions; points are still exact decimals."""
        try:
            report = inspect_source(source, self.rubric)
        except Exception as error:
            return self._grader_error(error)
        if not report.readable:
            rule = next(rule for rule in report.file_rules if rule.severity == "broken")
            return "not_run", reason_of(rule.id, rule.message_facts, rule.line), self._nothing_ran(report)
        rows = [row for row in self.rubric.rows.values() if only is None or row.function in only]
        forbidden = forbidden_together(self.rubric.rows.values())
        known = {row.name: None if self.memory is None else self.memory.get(row) for row in rows}
        try:
            to_run = [row for row in rows if self._has_to_run(report.functions[row.name], known[row.name])]
            if to_run:
                solution.forbid(forbidden[to_run[0].name])
                solution.names()
        except SolutionLost as lost:
            return self._not_run(report, lost)
        except Exception as error:
            return self._grader_error(error)
        if (stop := solution.stop) is not None:
            facts = {**stop.lost.facts, "at": stop.line, "statement": stop.statement}
            before = inspect_source(stop.before, self.rubric)
            if _missing_package(facts.get("type"), facts.get("message")) or not any(
                function.found for function in before.functions.values()
            ):
                return self._not_run(report, SolutionLost(stop.lost.reason, **facts))
            self.memory, known = None, dict.fromkeys(known)  # or the next time nobody would see it stop
            stops: tuple[Rule, ...] = (_stopped(stop.lost, stop.line, stop.statement),)
            missed = {
                row.function: report.functions[row.name].line or 0
                for row in rows
                if report.functions[row.name].found and not before.functions[row.name].found
            }
            if missed:
                functions = sorted(missed, key=missed.__getitem__)
                stops += (Rule("source.unreached", "advice", None, {"functions": functions}),)
            report = before
            for row in self.rubric.rows.values():
                report = _with_rules(row, report, (*stops, *report.functions[row.name].rules))
        marked, errors = [], []
        written = {row.function for row in self.rubric.rows.values() if report.functions[row.name].helps}
        right: dict[str, bool] = {}  # of the functions judged so far, by themselves
        judged: dict[str, _Judged] = {}
        away: set[str] = set()  # those that do not come back when they are called, or only with help
        for row in rows:
            wrong = {name for name in written if right.get(name) is False}
            finding = known[row.name]
            if finding is None:
                finding = self._found(row, report, solution, forbidden[row.name], wrong, away, right)
                judged[row.name] = _Judged(row, finding, wrong)
                if self.memory is not None and not judged[row.name].fails and not _errors_of(finding.outcomes):
                    self.memory.put(row, finding)
            outcomes = finding.outcomes
            passed = all(outcome.verdict == "pass" and not outcome.helped for outcome in outcomes)
            right[row.function] = passed and right.get(row.function, True)
            absent = [each for each in outcomes if each.message.startswith("lost.")]
            gone = any(each.verdict == "fail" or each.message == "lost.skipped" for each in absent)
            if gone or (away and any(each.helped for each in outcomes)):
                away.add(row.function)
            rules = (*finding.header, *report.functions[row.name].rules, *finding.seen)
            report = _with_rules(row, report, rules)
            errors += _errors_of(outcomes)
            if not outcomes:
                errors.append(f"{row.name}: no check matches {', '.join(row.checks)}")
            marked.append({**self._function(row, report, outcomes), "diagnosis": finding.diagnosis})
            if told is not None:
                told(_in_plain_points(marked[-1]))
        if (needed := _needed_package(marked)) is not None:  # ours to install, perhaps: a person has to look
            marked = [{**function, "points": None} for function in marked]
            return "not_run", reason_of("lost.package_needed", needed), marked
        failing = [each for each in judged.values() if each.fails]
        found = self._diagnoses(failing, solution, forbidden, away)  # each had its time
        marked = [{**each, "diagnosis": found.get(each["name"], each["diagnosis"])} for each in marked]
        if errors:
            return "grader_error", reason_of("grader.error", {"error": "; ".join(errors)}), marked
        return "graded", None, marked

    def _diagnoses(
        self,
        failing: Sequence[_Judged],
        solution: Solution,
        forbidden: Mapping[str, tuple[str, ...]],
        away: Collection[str],
    ) -> dict[str, Diagnosis | None]:
        """Look for the mistakes of the rows that failed, and remember them; nothing here changes a mark."""
        found: dict[str, Diagnosis | None] = {}
        failed = {each.row.function for each in failing}
        for each in failing:
            row, finding, wrong = each.row, each.finding, each.wrong
            checks = [self.checks[identifier] for identifier in row.checks_of(self.checks)]
            try:
                solution.forbid(forbidden[row.name])
                diagnosis = diagnose(
                    checks, solution, finding.outcomes, helpers=wrong, lost=away, failed=wrong & failed
                )
            except SolutionLost:
                diagnosis = None
            except Exception:
                _log.exception("the diagnosis of %s is broken", row.name)
                diagnosis = None
            found[row.name] = plain(diagnosis)
            if self.memory is not None:
                self.memory.put(row, replace(finding, diagnosis=found[row.name]))
        return found

    def _not_run(self, report: SourceReport, lost: SolutionLost) -> tuple[str, Any, list[dict[str, Any]]]:
        """Return what is said of a file of which nothing can be asked."""
        functions = self._nothing_ran(report)
        facts = {name: "?" if value is None else show(value, quoted=False) for name, value in lost.facts.items()}
        package = _missing_package(lost.facts.get("type"), lost.facts.get("message"))
        if package is not None:  # ours to install, or a file of theirs: a person has to look
            functions = [{**function, "points": None} for function in functions]
            return "not_run", reason_of("lost.no_package", {**facts, "package": package}), functions
        if "statement" in lost.facts:
            rule = _stopped(lost, lost.facts["at"], lost.facts["statement"])
            return "not_run", reason_of(rule.id, rule.message_facts, rule.line), functions
        return "not_run", reason_of(f"lost.{lost.reason}", {**facts, "call": ""}), functions

    def _grader_error(self, error: Exception) -> tuple[str, Any, list[dict[str, Any]]]:
        _log.error("a submission could not be marked", exc_info=error)
        return "grader_error", error_of(error), []

    def _outcomes(
        self,
        row: Row,
        function: FunctionReport,
        solution: Solution,
        helpers: Collection[str],
        lost: Collection[str],
    ) -> list[Outcome]:
        """Run the checks of a row."""
        ids = row.checks_of(self.checks)
        if not function.found:
            return [Outcome(identifier, "not_run", "any.missing", {"function": row.function}) for identifier in ids]
        if not function.written:
            return [Outcome(identifier, "not_run", "any.unwritten", {"function": row.function}) for identifier in ids]
        options: dict[str, Any] = {
            "max_examples": self.max_examples,
            "secret": self.seed,
            "helpers": helpers,
            "lost": lost,
        }
        until = solution.time_used + MOST_OF_FAILING
        passing = run_together([self.checks[identifier] for identifier in ids], solution, **options, until=until)
        outcomes: list[Outcome] = []
        for identifier in ids:
            if identifier in passing:
                outcome = passing[identifier]
            elif not _uses_up(outcomes, solution.time_used > until):
                outcome = run_check(self.checks[identifier], solution, patience=self.patience, **options)
            else:
                outcome = Outcome(identifier, "not_run", "lost.skipped", {"function": row.function})
            outcomes.append(outcome)
        return outcomes

    def _has_to_run(self, function: FunctionReport, known: Finding | None) -> bool:
        """Tell whether a row asks for anything of the running file; without a memory it is always imported."""
        return self.memory is None or (function.found and function.written and known is None)

    def _found(self, row: Row, *given: Any) -> Finding:
        """Judge a row; if the grader itself fails at it, leave only this row open."""
        try:
            return self._find(row, *given)
        except Exception as error:
            _log.exception("%s could not be judged", row.name)
            facts = {"error": f"{type(error).__name__}: {error}"[:500]}
            ids = row.checks_of(self.checks)
            return Finding(tuple(Outcome(identifier, "error", "any.grader", facts) for identifier in ids))

    def _find(
        self,
        row: Row,
        report: SourceReport,
        solution: Solution,
        forbidden: tuple[str, ...],
        wrong: Collection[str],
        lost: Collection[str],
        right: Mapping[str, bool],
    ) -> Finding:
        """Run the checks of a row where its forbidden functions raise, and see what rules it breaks while it runs."""
        solution.forbid(forbidden)
        finding, refused = self._run(row, report, solution, wrong, lost, right)
        if refused and finding.fails and not any(matches(name, row.forbidden) for name in refused):
            solution.forbid(row.forbidden)  # another row of the process forbids what this one may use
            finding, refused = self._run(row, report, solution, wrong, lost, right)
        own = {name: line for name, line in refused.items() if matches(name, row.forbidden)}
        if finding.fails and own:
            told = {public_name(name): line for name, line in own.items()}
            at = report.functions[row.name].line
            used = [Rule("calls.forbidden", "broken", line or at, {"name": name}) for name, line in told.items()]
            finding = replace(finding, seen=(*used[:MOST_FORBIDDEN], *finding.seen))
        return finding

    def _run(
        self,
        row: Row,
        report: SourceReport,
        solution: Solution,
        wrong: Collection[str],
        lost: Collection[str],
        right: Mapping[str, bool],
    ) -> tuple[Finding, dict[str, int | None]]:
        """Run the checks of a row, and return the forbidden names that were called meanwhile too."""
        function = report.functions[row.name]
        header: tuple[Rule, ...] = ()
        seen: Sequence[Rule] = ()
        refused: dict[str, int | None] = {}
        try:
            solution.refused()
            if function.found and function.written:
                header = tuple(signature_rules(row, function.line, solution))
            outcomes = self._outcomes(row, function, solution, {*wrong, row.function}, lost)
            helps_itself = any(row.function in self.checks[each].parts for each in row.checks_of(self.checks))
            if helps_itself and _passes_with_help(outcomes) and row.function not in wrong:
                outcomes = self._outcomes(row, function, solution, wrong, lost)
        except SolutionLost as reason:  # before a check ran
            message, facts = f"lost.{reason.reason}", {name: show(fact) for name, fact in reason.facts.items()}
            ids = row.checks_of(self.checks)
            outcomes = [Outcome(identifier, "not_run", message, {**facts, "call": ""}) for identifier in ids]
        ends = not any(each.message == "lost.timeout" for each in outcomes)
        with suppress(SolutionLost):
            refused = solution.refused()
            for outcome in outcomes:
                refused.update(solution.left_out.get(_undefined_name(outcome), {}))
            if function.found and function.written and ends and solution.has(row.function):
                passed = {name for name, is_right in right.items() if is_right}
                with_header = _with_rules(row, report, (*header, *function.rules))
                seen = loop_rules(row, self.rubric, with_header, solution, self.seed or 0, passed)
        return Finding(tuple(outcomes), header, tuple(seen)), refused

    def _nothing_ran(self, report: SourceReport) -> list[dict[str, Any]]:
        """Return the functions of a file that did not run; why, the reason of the submission says once."""
        return [
            self._function(row, report, [Outcome(identifier, "not_run") for identifier in row.checks_of(self.checks)])
            for row in self.rubric.rows.values()
        ]

    def _function(self, row: Row, report: SourceReport, outcomes: Sequence[Outcome]) -> dict[str, Any]:
        function = report.functions[row.name]
        verdict, points = self._verdict(row, function, outcomes, readable=report.readable)
        told = {(rule.id, rule.line) for rule in function.rules}
        rules = [*function.rules, *(rule for rule in report.file_rules if (rule.id, rule.line) not in told)]
        costs = [row.cost_of(rule.id) if rule.severity == "broken" else None for rule in rules]
        return {
            "name": row.name,
            "function": row.function,
            "line": function.line,
            "points": points,
            "max_points": float(row.points),
            "verdict": verdict,
            "rules": [
                {
                    "id": rule.id,
                    "severity": rule.severity,
                    "cost": cost,
                    "line": rule.line,
                    "facts": plain(_short({**rule.message_facts, **({"cap": row.cap} if cost == "cap" else {})})),
                }
                for rule, cost in zip(rules, costs, strict=True)
            ],
            "checks": [
                {
                    "id": outcome.id,
                    "verdict": "not_run" if outcome.verdict == "error" else outcome.verdict,
                    "message": outcome.message,
                    "facts": plain(outcome.message_facts),
                    "counterexample": plain(outcome.counterexample) or None,
                }
                for outcome in outcomes
            ],
            "diagnosis": None,
        }

    def _verdict(
        self, row: Row, function: FunctionReport, outcomes: Sequence[Outcome], *, readable: bool
    ) -> tuple[str, Decimal | None]:
        """Return the verdict and the points; None where the grader's own error leaves them open."""
        costs = {row.cost_of(rule.id) for rule in function.broken}
        failed = [outcome for outcome in outcomes if outcome.verdict == "fail"]
        if self.excuse is not None:
            failed = [outcome for outcome in failed if not self.excuse(row, outcome)]
        not_run = [each for each in outcomes if each.verdict == "not_run"]
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


@dataclass(frozen=True)
class _Judged:
    """A row that has just run: what was found, and the helpers that were wrong."""

    row: Row
    finding: Finding
    wrong: set[str]

    @property
    def fails(self) -> bool:
        return self.finding.fails


def _errors_of(outcomes: Sequence[Outcome]) -> list[str]:
    """Return what went wrong in the checks themselves."""
    broken = [outcome for outcome in outcomes if outcome.verdict == "error"]
    return [f"{each.id}: {each.message_facts.get('error', each.message)}" for each in broken]


def _uses_up(outcomes: Sequence[Outcome], dear: bool) -> bool:
    """Tell whether the other checks of a row that fails would use up the time of the other functions."""
    endless = any(each.message == "lost.timeout" for each in outcomes)
    return endless or (dear and any(each.verdict == "fail" for each in outcomes))


def _stopped(lost: SolutionLost, line: int, statement: str) -> Rule:
    """Return the rule that a file breaks at whose statement on a line its process was lost."""
    error = ": ".join(str(lost.facts[name]) for name in ("type", "message") if lost.facts.get(name))
    way = {"FileNotFoundError": "file", "EOFError": "input"}.get(str(lost.facts.get("type")), lost.reason)
    way = "notebook" if "'get_ipython'" in error else way
    variant = way if way in STOPPED else "other"
    shown = statement if len(statement) <= LONGEST_STATEMENT else f"{statement[: LONGEST_STATEMENT - 1]}…"
    facts = {"variant": variant, "statement": shown, "error": show(error or way, quoted=False)}
    return Rule("source.stopped", "broken", line, facts)


def _short(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a rule without what no sentence has room for: names may be as long as a file."""
    shown: dict[str, Any] = {}
    for name, fact in facts.items():
        if isinstance(fact, str) and len(fact) > LONGEST_TEXT:
            fact = f"{fact[: LONGEST_TEXT - 1]}…"
        elif isinstance(fact, list) and len(fact) > MOST_ITEMS:
            fact = [*fact[:MOST_ITEMS], "…"]
        shown[name] = fact
    return shown


def _with_rules(row: Row, report: SourceReport, rules: tuple[Rule, ...]) -> SourceReport:
    function = replace(report.functions[row.name], rules=rules)
    return replace(report, functions={**report.functions, row.name: function})


def _passes_with_help(outcomes: Sequence[Outcome]) -> bool:
    return all(outcome.verdict == "pass" for outcome in outcomes) and any(outcome.helped for outcome in outcomes)


def _undefined_name(outcome: Outcome) -> str:
    """Return the name of the file that a check found undefined; empty if it found none."""
    found = re.search(r"NameError: name '(\w+)' is not defined", outcome.message_facts.get("error", ""))
    return found[1] if found else ""
