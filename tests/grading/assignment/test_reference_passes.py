"""The reference and the model answer pass every check."""

import pytest
from submissions import MODEL

import practica
from practica.grading.engine.framework import load_checks
from practica.grading.engine.runner import run_check
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source

pytestmark = pytest.mark.usefixtures("one_thread")

CHECKS = load_checks()
NAMES = sorted({check.function for check in CHECKS.values()})
ROWS = sorted({check.row for check in CHECKS.values()})
MODEL_ANSWER = LocalSolution(load_source(MODEL.read_bytes(), str(MODEL)))


@pytest.fixture(scope="module", params=["reference", "model"])
def solution(request):
    """Return the functions of the package, and those of the model answer."""
    if request.param == "reference":
        return LocalSolution({name: getattr(practica, name) for name in NAMES})
    return MODEL_ANSWER


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS)
def test_every_check_passes(solution, row):
    """All checks of a row of the rubric.

    But for those of the reference that need to see its trainings: it trains many networks at once,
    in C or as a stack, and not by `train_class_ann`. Its tests compare it with the loop.
    """
    outcomes = [run_check(check, solution) for check in CHECKS.values() if check.row == row]
    wrong = [outcome for outcome in outcomes if outcome.verdict != "pass"]
    if solution is not MODEL_ANSWER:
        wrong = [outcome for outcome in wrong if outcome.message != "form.unseen"]
    assert wrong == []


def test_all_rows_have_checks():
    """There are 17 rows, and a confusion matrix has two of them."""
    assert len(ROWS) == 17
    assert len(NAMES) == 16
