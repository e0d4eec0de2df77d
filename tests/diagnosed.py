"""Submissions of tests/entregas as the engine of diagnoses sees them."""

from submissions import Submission, functions_that_use

from practica.grading.engine.diagnosis import diagnose
from practica.grading.engine.framework import load_checks
from practica.grading.engine.helper_substitution import quiet
from practica.grading.engine.result import Diagnosis
from practica.grading.engine.runner import Outcome, run_checks
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source

ROWS: dict[str, list] = {}
for _check in load_checks().values():
    ROWS.setdefault(_check.row, []).append(_check)


def diagnosed(submission: Submission, rows=None) -> dict[str, Diagnosis | None]:
    """Return the diagnosis of each row that fails, or of some rows, as if that failed which is said
    to.
    """
    solution = LocalSolution(load_source(submission.source, f"{submission.slug}.py"))
    failing = {identifier.partition(".")[0] for identifier in submission.fails}
    affected = (
        functions_that_use(submission.differs) - submission.differs
        if submission.differs
        else frozenset()
    )
    found = {}
    for row, checks in ROWS.items():
        if row in (failing if rows is None else rows):
            outcomes = [
                Outcome(each.id, "fail" if each.id in submission.fails else "pass")
                for each in checks
            ]
            before = list(ROWS)[: list(ROWS).index(row)]
            wrong = {ROWS[each][0].function for each in before if each in failing}
            helped = affected & {ROWS[each][0].function for each in before}
            found[row] = diagnose(checks, solution, outcomes, helpers=wrong | helped, failed=wrong)
    return found


def judged(row: str, names: dict, **options) -> tuple[list[Outcome], Diagnosis | None]:
    """Return what the checks of a row really find in a file with these functions, and its
    diagnosis.
    """
    checks, solution = ROWS[row], LocalSolution(names)
    with quiet():
        outcomes = [*run_checks(checks, solution)]
        return outcomes, diagnose(checks, LocalSolution(names), outcomes, **options)


def named(diagnosis: Diagnosis | None) -> set[str]:
    """Return the ids of the mistakes of a diagnosis, without what is only seen."""
    ids = {each.id for each in diagnosis.mistakes} if diagnosis else set()
    return {id for id in ids if not id.startswith("observation.")}
