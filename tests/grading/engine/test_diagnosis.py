"""What a diagnosis looks at: the calls that a student sees are among them."""

import gc
import weakref

import numpy as np
import pytest
from diagnosed import ROWS
from lanes import one_in
from submissions import submissions

from practica.grading.engine.diagnosis import explain, seen_of
from practica.grading.engine.known_mistakes import Seen
from practica.grading.engine.rendering import code_of_arguments
from practica.grading.engine.runner import Outcome, run_check
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source
from practica.grading.inside.plain_data import Answer

# a few of its examples alone take seconds
LONG = {"train_class_ann", "ann_cross_validation", "model_cross_validation"}
WRONG = [
    (submission, row)
    for submission in submissions()
    for row in sorted({id.partition(".")[0] for id in submission.fails} - LONG)
]

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.mark.parametrize(
    ("submission", "row"), one_in(32, WRONG), ids=lambda value: getattr(value, "slug", value)
)
def test_a_diagnosis_sees_every_call_that_is_shown(submission, row):
    """Also of a check of which its fixed examples pass or are too many."""
    solution = LocalSolution(load_source(submission.source, f"{submission.slug}.py"))
    failed = [run_check(each, solution) for each in ROWS[row] if each.id in submission.fails]
    shown = {each.id: each.counterexample for each in failed if "drawn" in each.counterexample}
    seen = seen_of(ROWS[row], solution, {id: int(each["drawn"]) for id, each in shown.items()})
    calls = {
        (each.check, ", ".join(code_of_arguments(each.args, each.kwargs, short=True)))
        for each in seen
    }
    assert {(id, each["input"]) for id, each in shown.items()} <= calls


ARGUMENTS = {
    "build_class_ann": [2, [3], 1],
    "train_class_ann": [[3], (np.zeros((4, 2)), np.zeros((4, 1), bool))],
    "ann_cross_validation": [[2], np.zeros((4, 2)), np.array([*"abab"]), np.array([1, 1, 2, 2])],
}


@pytest.mark.parametrize("row", ARGUMENTS)
def test_a_diagnosis_keeps_none_of_the_calls_that_it_has_read(row):
    """They are as large as a file makes them, and the next file has others."""
    seen = Seen(ARGUMENTS[row], {}, Answer(value=None), check=f"{row}.returns")
    explain(row, row, [seen], [Outcome(f"{row}.returns", "fail", "form.nothing")])
    kept = weakref.ref(seen)
    del seen
    gc.collect()
    assert kept() is None
