"""What earns nothing: answers that come from the checks themselves, from a table, or from
nowhere.
"""

import copy

import numpy as np
import pytest
from graded import SEED
from submissions import MODEL, attacks

from practica.grading.engine.framework import load_checks
from practica.grading.engine.grade import grade_submission
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.runner import run_check
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source
from practica.grading.sandbox.box import Limits
from practica.grading.sandbox.client import ProcessSolution

pytestmark = pytest.mark.slow  # whole rows, and much help that does not help

FILES = attacks("undeserved")
FLAGGED = [name for name, file in FILES.items() if "flagged" in file]
SLOW = "duerme_donde_no_sabe"
CHECKS = load_checks()
# judged by what they call, which no table does
CALLERS = {"ann_cross_validation", "model_cross_validation"}
DRAWN = sorted({check.row for check in CHECKS.values() if check.drawn} - CALLERS)


def paid(source, solution, seed=SEED):
    """Return the rows that earn points."""
    submission = grade_submission(
        source, solution, load_rubric(), identifier="a", file="a.py", seed=seed
    )
    # a file that loads a forbidden source does not get far
    assert submission.status in ("graded", "not_run")
    return [function for function in submission.functions if function.points]


def earned(source, solution, seed=SEED):
    """Return the points of the rows that earn any."""
    return {function.name: function.points for function in paid(source, solution, seed)}


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(FILES.keys() - {SLOW, *FLAGGED}))
def test_help_that_is_the_answer_earns_nothing(name, sandbox):
    """Nor does what a forbidden function does, whatever leads to it, or a loop, wherever it is."""
    source = FILES[name]["source"]
    with ProcessSolution(source, sandbox) as solution:
        assert earned(source, solution) == {}


@pytest.mark.parametrize("name", FLAGGED)
def test_code_that_the_file_does_not_show_is_flagged(name, sandbox):
    """It may be no more than odd, so that it costs nothing and a person decides."""
    source = FILES[name]["source"]
    with ProcessSolution(source, sandbox) as solution:
        functions = paid(source, solution)
        assert functions
        for function in functions:
            assert "calls.suspicious" in {rule.id for rule in function.rules}


@pytest.mark.thorough
def test_who_sleeps_where_it_does_not_know_is_not_excused(sandbox):
    """Though the function that it could be waiting for never ends."""
    source = FILES[SLOW]["source"]
    with ProcessSolution(source, sandbox, Limits(call_seconds=2)) as solution:
        assert earned(source, solution) == {}


class Table:
    """The answers of the model answer, by what was asked: the n-th time the n-th one."""

    def __init__(self):
        self.model = vars(load_source(MODEL.read_bytes(), "modelo.py"))
        self.answers, self.told = {}, {}

    def record(self, name):
        """Return the function, and note what it answers."""

        def recording(*args, **kwargs):
            asked = name, repr(args), repr(kwargs)
            result = self.model[name](*args, **kwargs)
            same = result is args[0]
            self.answers.setdefault(asked, []).append(
                copy.deepcopy((None if same else result, args, same))
            )
            return result

        return recording

    def play(self, name):
        """Return a function that looks its answers up."""

        def playing(*args, **kwargs):
            asked = name, repr(args), repr(kwargs)
            known = self.answers[asked]
            number = self.told[asked] = self.told.get(asked, -1) + 1
            result, left, same = known[number % len(known)]
            for value, after in zip(args, left, strict=True):
                if isinstance(value, np.ndarray):
                    value[...] = after
            return args[0] if same else copy.deepcopy(result)

        return playing


def test_what_a_training_does_is_asked_of_examples_that_nobody_knows():
    """When it ends, which network it returns, and whether it gets what was asked for: a table would
    tell all that.
    """
    asked = (
        "early_stopping.patience",
        "early_stopping.reset",
        "best.",
        "min_loss",
        "options",
        "executions_differ",
    )
    rows = ("train_class_ann", "ann_cross_validation")
    checks = [
        check
        for check in CHECKS.values()
        if check.row in rows and check.id.partition(".")[2].startswith(asked)
    ]
    assert len(checks) == 9
    assert all(check.drawn for check in checks)


@pytest.mark.thorough
def test_a_table_of_answers_to_what_everybody_knows_earns_nothing():
    """It passes all the known examples, and no row of those that have drawn ones."""
    table = Table()
    checks = [check for check in CHECKS.values() if check.row in DRAWN]
    names = {check.function for check in checks}
    recorded = LocalSolution({name: table.record(name) for name in names})
    assert {run_check(check, recorded).verdict for check in checks} == {"pass"}
    played = LocalSolution({name: table.play(name) for name in names})
    assert {run_check(check, played).verdict for check in checks} == {"pass"}
    for secret in range(2):
        failed = set()
        for check in checks:
            if (
                check.row not in failed
                and run_check(check, played, secret=secret).verdict == "fail"
            ):
                failed.add(check.row)
        assert sorted(failed) == DRAWN


@pytest.mark.parametrize(
    ("name", "failed"),
    [
        (
            "ann_cross_validation",
            {"ann_cross_validation.test_fold_unseen", "ann_cross_validation.metrics"},
        ),
        (
            "model_cross_validation",
            {
                f"model_cross_validation.{check}"
                for check in ("ann.result", "svc.values", "tree.values", "knn.values")
            },
        ),
    ],
)
def test_a_cross_validation_for_two_attributes_only_earns_nothing(name, failed):
    """Patterns have two almost everywhere here."""
    model = vars(load_source(MODEL.read_bytes(), "modelo.py"))
    where = 1 if name == "ann_cross_validation" else 2

    def function(*args, **kwargs):
        return model[name](*args, **kwargs) if args[where].shape[1] == 2 else ((0.9, 0.1),) * 7

    solution = LocalSolution(model | {name: function})
    checks = [check for check in CHECKS.values() if check.row == name]
    assert {check.id for check in checks if run_check(check, solution).verdict == "fail"} == failed
