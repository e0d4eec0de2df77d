"""Submissions of tests/entregas as the grader marks them, and what is surprising about it."""

from dataclasses import replace

from submissions import Submission, functions_that_use

from practica.grading.engine.framework import load_checks
from practica.grading.engine.grade import grade_submission
from practica.grading.engine.result import CheckResult, SubmissionResult
from practica.grading.engine.rubric import load_rubric
from practica.grading.report.messages import LANGUAGES, say
from practica.grading.sandbox.client import ProcessSolution

RUBRIC = load_rubric()
SEED = 20240229  # draws the secret examples


CHECKS = load_checks()


def rubric_for(functions):
    """Return the official rubric; the rows of other functions have one check each, to save time."""
    rows = {
        name: row
        if row.function in functions
        else replace(row, checks=tuple(row.checks_of(CHECKS)[:1]))
        for name, row in RUBRIC.rows.items()
    }
    return replace(RUBRIC, rows=rows)


def graded(
    submission: Submission, sandbox, *, all_rows: bool = False, functions=None, seed: int = SEED
) -> SubmissionResult:
    """Grade a submission.

    Without `all_rows`, what it shares with the model answer only has one check each.

    Or all but some functions have.

    A sentence that is missing, or has a hole that no fact fills, is an error here.
    """
    rubric = RUBRIC
    if submission.differs is not None and not all_rows:
        rubric = rubric_for(functions or functions_that_use(submission.differs))
    name = submission.slug
    with ProcessSolution(submission.source, sandbox) as solution:
        result = grade_submission(
            submission.source, solution, rubric, identifier=name, file=f"{name}.py", seed=seed
        )
    for function in result.functions:
        told = [(check.message, check.facts) for check in function.checks if check.message]
        for identifier, facts in [*told, *((rule.id, rule.facts) for rule in function.rules)]:
            assert all(say(identifier, facts, lang) for lang in LANGUAGES)
    return result


def lost(result: SubmissionResult) -> list[str]:
    """Return the rows that did not earn their points."""
    return [function.name for function in result.functions if function.verdict != "pass"]


def failed(result: SubmissionResult) -> set[str]:
    """Return the ids of the checks that failed, and those of the broken rules."""
    checks = {
        check.id for function in result.functions for check in function.checks if _fails(check)
    }
    return checks | {
        rule.id
        for function in result.functions
        if function.verdict == "rule"
        for rule in function.rules
        if rule.severity == "broken"
    }


def _fails(check: CheckResult) -> bool:
    return check.verdict != "pass"


def flagged(result: SubmissionResult) -> set[str]:
    """Return for what a person should look at a submission."""
    rules = [
        rule for function in result.functions for rule in function.rules if rule.cost == "flag"
    ]
    return {rule.facts.get("name") or rule.facts.get("variant") or rule.id for rule in rules}


def surprises(submission: Submission, result: SubmissionResult) -> list[str]:
    """Say in what way a result is not what it should be.

    Of a row that should be lost, examples that nobody knows may show another check than the fixed
    ones.
    """
    should_lose = {identifier.partition(".")[0] for identifier in submission.fails}
    problems = []
    if result.status != "graded":
        problems.append(f"{result.status}: {result.reason}")
    if more := {
        each
        for each in failed(result) - submission.fails
        if each.partition(".")[0] not in should_lose
    }:
        problems.append(f"should not fail {', '.join(sorted(more))}")
    if kept := should_lose & RUBRIC.rows.keys() - {*lost(result)}:
        problems.append(f"should lose {', '.join(sorted(kept))}")
    if not submission.fails and (told := flagged(result)) != submission.flags:
        problems.append(
            f"goes to a person for {sorted(told)} in place of {sorted(submission.flags)}"
        )
    return problems
