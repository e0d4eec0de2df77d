"""How a check runs: verdicts, counterexamples, and nothing that the student's code can break."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from submissions import MODEL

from practica.grading.engine import runner
from practica.grading.engine.framework import Check, for_all, load_checks, require
from practica.grading.engine.runner import Patience, run_check, run_together
from practica.grading.engine.solution import LocalSolution, Solution, SolutionLost
from practica.grading.inside.loading import load_source

CHECKS = load_checks()


def a_check(body, id="double.right"):
    """Make a check without registering it."""
    strategies, examples = getattr(body, "strategies", {}), getattr(body, "examples", 30)
    return Check(id, "double", "double", body, strategies, examples)


def run(body, namespace=None, **functions):
    """Run a check on these functions, or on those of a namespace."""
    return run_check(a_check(body), LocalSolution(functions if namespace is None else namespace))


@for_all(numbers=st.lists(st.integers(-50, 50)))
def doubles_every_number(solution, numbers):
    """Doubled."""
    obtained = solution.double(numbers)
    require(
        obtained == [2 * n for n in numbers], expected=[2 * n for n in numbers], obtained=obtained
    )


def test_a_right_function_passes():
    """The verdict of a check that holds on every example."""
    assert run(doubles_every_number, double=lambda ns: [2 * n for n in ns]).verdict == "pass"


def test_the_counterexample_is_the_smallest_call_that_fails():
    """Hypothesis shrinks it, and the call can be copied."""
    outcome = run(doubles_every_number, double=lambda ns: [2 * n if n < 10 else 0 for n in ns])
    assert outcome.verdict == "fail"
    assert outcome.message == "double.right"
    assert outcome.counterexample["call"] == "double([10])"
    assert (outcome.counterexample["expected"], outcome.counterexample["obtained"]) == (
        "[20]",
        "[0]",
    )


def test_nothing_smaller_is_looked_for_than_the_simplest_example():
    """The first of the stored ones is where Hypothesis begins, so that a call that fails there is
    shown as it is.
    """
    asked = []
    solution = LocalSolution({"accuracy": lambda *args: asked.append(args)})
    outcome = run_check(CHECKS["accuracy.bool.vector"], solution, helpers=())
    assert outcome.counterexample["call"] == "accuracy(np.array([False]), np.array([False]))"
    assert len(asked) == 1


SOME = st.lists(st.integers(-50, 50), min_size=1)
DIFFICULT = {
    "filters": SOME.filter(lambda numbers: sum(numbers) % 7 == 3),
    "slow": SOME.map(lambda numbers: time.sleep(0.3) or numbers),
    "large": st.lists(st.integers(), min_size=200),
}


@pytest.mark.parametrize("numbers", DIFFICULT.values(), ids=DIFFICULT)
def test_no_health_check_of_hypothesis_ends_a_check(monkeypatch, numbers):
    """Strategies that are slow or filter much only cost time."""
    monkeypatch.setattr(runner, "SHRINKING_SECONDS", 0.5)

    @for_all(2, numbers=numbers)
    def doubles(solution, numbers):
        require(solution.double(numbers) == [2 * n for n in numbers])

    outcome = run(doubles, double=lambda ns: ns)
    assert outcome.verdict == "fail", outcome.message_facts


@given(st.integers(11, 50))
@settings(max_examples=3, suppress_health_check=[])
def test_a_check_can_run_within_a_test_of_hypothesis(least):
    """It forbids one test within another, unless the outer one allows it."""
    outcome = run(doubles_every_number, double=lambda ns: [2 * n if n < least else 0 for n in ns])
    assert outcome.verdict == "fail", outcome.message_facts
    assert outcome.counterexample["call"] == f"double([{least}])"


def test_an_exception_of_the_student_is_a_failure_with_its_message():
    """The general sentence names the error."""

    def double(numbers):
        raise ZeroDivisionError("division by zero")

    outcome = run(doubles_every_number, double=double)
    assert (outcome.verdict, outcome.message) == ("fail", "any.raises.elsewhere")
    assert outcome.message_facts["error"] == "ZeroDivisionError: division by zero"


def test_a_defect_of_the_check_is_an_error_and_no_mark():
    """Whatever the check itself raises."""

    def broken(solution):
        solution.double([1])
        raise KeyError("ours")

    assert run(broken, double=lambda ns: ns).verdict == "error"


def test_a_missing_function_is_not_run():
    """It cannot fail what it has not."""
    outcome = run(doubles_every_number, triple=lambda ns: ns)
    assert (outcome.verdict, outcome.message) == ("not_run", "any.missing")


def test_a_flaky_function_fails_without_breaking_the_check():
    """A generator that no seed reaches fails now and then, also while the example shrinks."""
    calls = iter(range(10**9))
    outcome = run(
        doubles_every_number, double=lambda ns: [2 * n for n in ns] if next(calls) % 3 else None
    )
    assert outcome.verdict == "fail"
    assert outcome.counterexample["call"].startswith("double(")


class Lost(Solution):
    """A solution whose process dies in every call."""

    def __init__(self, reason):
        super().__init__()
        self.reason, self.asked = reason, 0

    def names(self):
        """List one function."""
        return ["double"]

    def ask(self, method, *args, **kwargs):
        """Die."""
        self.asked += 1
        raise SolutionLost(self.reason)


@pytest.mark.parametrize(
    ("reason", "verdict"), [("timeout", "fail"), ("died", "fail"), ("budget", "not_run")]
)
def test_a_lost_solution_is_asked_once(reason, verdict):
    """Each answer that does not come may cost seconds: the example is not shrunk."""
    solution = Lost(reason)
    outcome = run_check(a_check(doubles_every_number), solution)
    assert (outcome.verdict, outcome.message, solution.asked) == (verdict, f"lost.{reason}", 1)


def test_shrinking_ends_after_its_time(monkeypatch):
    """The smallest example found by then is shown."""
    monkeypatch.setattr(runner, "SHRINKING_SECONDS", 0.0)
    outcome = run(doubles_every_number, double=lambda ns: [0 for _ in ns])
    assert outcome.verdict == "fail"
    assert "expected" in outcome.counterexample


def test_checks_share_the_runs_that_shrink():
    """Whoever comes when they are used up is shown the first example that fails, and nothing more
    is tried.
    """
    seen = []
    solution = LocalSolution(
        {"double": lambda ns: seen.append(len(ns)) or ([] if len(ns) > 2 else [2 * n for n in ns])}
    )
    patience = Patience(runs=5)
    assert run_check(a_check(doubles_every_number), solution, patience=patience).verdict == "fail"
    assert patience.runs < 0
    seen.clear()
    assert run_check(a_check(doubles_every_number), solution, patience=patience).verdict == "fail"
    # it may run again with right helpers
    assert [count > 2 for count in seen].index(True) >= len(seen) - 2


def test_examples_repeat_exactly():
    """Two runs of a check call the function with the same arguments, with examples drawn anew or
    not.
    """
    seen = [[], []]
    for log in seen:
        run(
            doubles_every_number,
            double=lambda ns, log=log: log.append(list(ns)) or [2 * n for n in ns],
        )
    assert seen[0] == seen[1]
    assert len(seen[0]) >= 20


@pytest.mark.parametrize(
    "judge", [run_check, lambda check, *given, **more: run_together([check], *given, **more)[0]]
)
def test_what_is_the_same_in_secret_examples_is_asked_once(judge):
    """It belongs to the examples that everybody knows, alone and side by side."""
    module, asked = load_source(MODEL.read_bytes(), str(MODEL)), []
    real = module.ann_cross_validation

    def noting(*given, numExecutions=50, **options):
        asked.append(numExecutions)
        return real(*given, numExecutions=numExecutions, **options)

    module.ann_cross_validation = noting
    judge(CHECKS["ann_cross_validation.trainings"], LocalSolution(module), secret=1)
    assert asked.count(51) == 1
    assert len(asked) == 5  # four calls with what everybody knows, and one with what nobody does


def test_secret_examples_come_after_those_that_everybody_knows():
    """They are the same for the same secret, others for another, and a failure is told like any
    other.
    """
    seen = {}
    for secret in (None, 1, 2, 1):
        log = []
        function = lambda ns, log=log: log.append(list(ns)) or [2 * n for n in ns]  # noqa: E731
        assert run_check(
            a_check(doubles_every_number), LocalSolution({"double": function}), secret=secret
        )
        assert seen.setdefault(secret, log) == log
    known = len(seen[None])
    assert all(log[:known] == seen[None] and len(log) > known + 3 for log in (seen[1], seen[2]))
    assert seen[1] != seen[2]
    table = {repr(numbers): [2 * n for n in numbers] for numbers in seen[None]}
    solution = LocalSolution({"double": lambda ns: table.get(repr(ns))})
    assert run_check(a_check(doubles_every_number), solution).verdict == "pass"
    outcome = run_check(a_check(doubles_every_number), solution, secret=1)
    assert (outcome.verdict, outcome.counterexample["obtained"]) == ("fail", "None")


def test_the_calls_of_an_example_have_seeds_of_their_own():
    """Two equal calls may differ, and the example repeats."""
    drawn = []

    def twice(solution):
        drawn.append((solution.double(0), solution.double(0)))

    for _ in range(2):
        run(twice, double=lambda _: float(np.random.random()))  # noqa: NPY002
    assert drawn[0] == drawn[1]
    assert drawn[0][0] != drawn[0][1]
