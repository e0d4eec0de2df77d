"""How a check runs: verdicts, counterexamples, and nothing that the student's code can break."""

import numpy as np
import pytest
from submissions import MODEL

from practica.grading.engine.examples import known_examples
from practica.grading.engine.framework import Check, for_all, load_checks, require
from practica.grading.engine.rendering import code_of
from practica.grading.engine.runner import repeat, run_check
from practica.grading.engine.solution import LocalSolution, Solution, SolutionLost
from practica.grading.inside.loading import load_source

CHECKS = load_checks()


def a_check(body, id="double.right"):
    """Make a check without registering it."""
    drawn, examples = getattr(body, "drawn", {}), getattr(body, "examples", 30)
    return Check(id, "double", "double", body, drawn, examples)


def run(body, namespace=None, **functions):
    """Run a check on these functions, or on those of a namespace."""
    return run_check(a_check(body), LocalSolution(functions if namespace is None else namespace))


@for_all(numbers=lambda draw: draw.some(range(-50, 51), 0, 20))
def doubles_every_number(solution, numbers):
    """Doubled."""
    obtained = solution.double(numbers)
    require(
        obtained == [2 * n for n in numbers], expected=[2 * n for n in numbers], obtained=obtained
    )


def test_a_right_function_passes():
    """The verdict of a check that holds on every example."""
    assert run(doubles_every_number, double=lambda ns: [2 * n for n in ns]).verdict == "pass"


def test_the_counterexample_is_the_shortest_example_that_fails():
    """The call can be copied, and its number repeats it."""
    double = lambda ns: [2 * n if n < 10 else 0 for n in ns]  # noqa: E731
    check, solution = a_check(doubles_every_number), LocalSolution({"double": double})
    outcome = run_check(check, solution)
    assert (outcome.verdict, outcome.message) == ("fail", "double.right")
    fails = [
        f"double({each.values['numbers']})"
        for each in known_examples(check)
        if max(each.values["numbers"], default=0) >= 10
    ]
    assert outcome.counterexample["call"] == min(fails, key=len)
    again, call = repeat(check, int(outcome.counterexample["drawn"]), solution)
    assert again == outcome
    assert code_of(call) == outcome.counterexample["call"]


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


def test_an_answer_that_is_right_alone_is_no_failure():
    """What it was among others is noted."""
    seen = []

    def double(numbers):
        seen.append(numbers)
        return [2 * n for n in numbers] if len(seen) != 3 else None

    outcome = run(doubles_every_number, double=double)
    assert (outcome.verdict, outcome.differs, outcome.helped) == ("pass", True, False)


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
    """Each answer that does not come may cost seconds: no other example is tried."""
    solution = Lost(reason)
    outcome = run_check(a_check(doubles_every_number), solution)
    assert (outcome.verdict, outcome.message, solution.asked) == (verdict, f"lost.{reason}", 1)


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


def test_what_is_the_same_in_secret_examples_is_asked_once():
    """It belongs to the examples that everybody knows."""
    module, asked = load_source(MODEL.read_bytes(), str(MODEL)), []
    real = module.ann_cross_validation

    def noting(*given, numExecutions=50, **options):
        asked.append(numExecutions)
        return real(*given, numExecutions=numExecutions, **options)

    module.ann_cross_validation = noting
    run_check(CHECKS["ann_cross_validation.trainings"], LocalSolution(module), secret=1)
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
