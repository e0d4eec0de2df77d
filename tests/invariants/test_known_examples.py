"""Known examples: what an example that nobody knows can show, those that everybody knows show too.

So a function that `practica check` calls right is right where it is marked. What a rule speaks of
is an input of some kind: a constant column, a single row, a class without patterns, a row with
several True. Each kind that a secret draws is among the known examples.
"""

import numpy as np
import pytest
from budget import budget
from lanes import one_in
from submissions import functions_that_use, submissions

from practica.grading.engine.examples import known_examples, secret_examples
from practica.grading.engine.framework import load_checks
from practica.grading.engine.runner import run_check
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source

CHECKS = {name: check for name, check in load_checks().items() if secret_examples(check, 0)}
SCALING = ("calculate_", "normalize_")  # rows in which a constant column is a kind of its own
TRAINS = ("train_class_ann", "ann_cross_validation", "model_cross_validation", "build_class_ann")
SUBMISSIONS = [each for each in submissions() if each.differs is not None and each.inside]


def kinds_of(value, row, name=""):
    """Return the kinds of degenerate inputs that a drawn value holds, each with its place."""
    kinds = set()
    if isinstance(value, list | tuple):
        for place, each in enumerate(value):
            kinds |= kinds_of(each, row, f"{name}.{place}")
        kinds |= kinds_of_pair([each for each in value if np.ndim(each)], name)
    elif isinstance(value, np.ndarray) and value.size:
        found = {
            "one row": len(value) == 1,
            "one value": value.ndim == 1 and len({*map(repr, value.tolist())}) == 1,
            "only False": value.dtype == bool and not value.any(),
            "one column": value.ndim == 2 and value.shape[1] == 1,
        }
        if value.dtype == bool and value.ndim == 2 and value.shape[1] > 1:
            found["a class of nobody"] = not value.any(axis=0).all()
            found["several True"] = (value.sum(axis=1) > 1).any()
            found["no True"] = not value.any(axis=1).all()
        elif value.ndim == 2 and row.startswith(SCALING) and len(value) > 1:
            constant = (value == value[0]).all(axis=0)
            found["a constant column"], found["constant"] = constant.any(), constant.all()
            found["a column of zeros"] = (value == 0).all(axis=0).any()
        kinds = {f"{name}: {kind}" for kind, is_there in found.items() if is_there}
    return kinds


def kinds_of_pair(arrays, name):
    """Return whether two bool arrays are the same, or in no row."""
    if len(arrays) != 2 or {getattr(each, "dtype", None) for each in arrays} != {np.dtype(bool)}:
        return set()
    same = {*(arrays[0] == arrays[1]).reshape(len(arrays[0]), -1).all(axis=1).tolist()}
    return {f"{name}: all the same is {same}"} if len(same) == 1 else set()


def kinds_in(examples, row):
    """Return the kinds of degenerate inputs in some examples."""
    return {
        kind
        for example in examples
        for name, value in example.values.items()
        for kind in kinds_of(value, row, name)
    }


@pytest.mark.thorough
def test_each_kind_of_input_that_a_secret_draws_is_known():
    """Whatever the check: the kinds are those of the arrays."""
    unknown = {}
    for name, check in CHECKS.items():
        known = kinds_in(known_examples(check), check.row)
        for secret in range(budget(40)):
            more = kinds_in(secret_examples(check, secret), check.row) - known
            unknown |= {(name, kind): secret for kind in more}
    assert unknown == {}


@pytest.mark.filterwarnings("ignore")  # the students' code may warn of what it does
@pytest.mark.parametrize(
    "submission", one_in(3, SUBMISSIONS[::8]), ids=lambda submission: submission.slug
)
def test_secret_examples_find_nothing_that_known_ones_do_not_show(submission):
    """A row that passes its known examples passes those of any seed."""
    solution = LocalSolution(load_source(submission.source, f"{submission.slug}.py"))
    affected, lost = (
        functions_that_use(submission.differs),
        {identifier.partition(".")[0] for identifier in submission.fails},
    )
    for check in CHECKS.values():
        if check.function not in affected or check.row in lost or check.row in TRAINS:
            continue
        for secret in range(budget(1)):
            outcome = run_check(check, solution, secret=secret, helpers=affected)
            assert outcome.verdict == "pass", (secret, outcome)
