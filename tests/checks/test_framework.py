"""What a check is and how it runs: verdicts, counterexamples, blame, and nothing that the student's code can break."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import strategies as st

from practica.checks import framework
from practica.checks.agent import Function, Handle
from practica.checks.framework import (
    Check,
    CheckFailed,
    Part,
    Watched,
    equal,
    for_all,
    judge,
    judge_calls,
    load_checks,
    require,
    run_check,
    show,
    untouched,
)
from practica.checks.solution import LocalSolution, Solution, SolutionLost, StudentError
from practica.report.messages import LANGUAGES, catalogue, places

GENERAL = ("any.", "form.", "random.", "lost.")


def a_check(body, id="double.right"):
    """Make a check without registering it."""
    strategies, examples = getattr(body, "strategies", {}), getattr(body, "examples", 30)
    return Check(id, "double", "double", "…", body, strategies, examples)


def run(body, namespace=None, **functions):
    """Run a check on these functions, or on those of a namespace."""
    return run_check(a_check(body), LocalSolution(functions if namespace is None else namespace))


@for_all(numbers=st.lists(st.integers(-50, 50)))
def doubles_every_number(solution, numbers):
    """Doubled."""
    obtained = solution.double(numbers)
    require(obtained == [2 * n for n in numbers], expected=[2 * n for n in numbers], obtained=obtained)


def test_a_right_function_passes():
    """The verdict of a check that holds on every example."""
    assert run(doubles_every_number, double=lambda ns: [2 * n for n in ns]).verdict == "pass"


def test_the_counterexample_is_the_smallest_call_that_fails():
    """Hypothesis shrinks it, and the call can be copied."""
    outcome = run(doubles_every_number, double=lambda ns: [2 * n if n < 10 else 0 for n in ns])
    assert outcome.verdict == "fail"
    assert outcome.message == "double.right"
    assert outcome.counterexample["call"] == "double([10])"
    assert (outcome.counterexample["expected"], outcome.counterexample["obtained"]) == ("[20]", "[0]")


def test_an_exception_of_the_student_is_a_failure_with_its_message():
    """The general sentence names the error."""

    def double(numbers):
        raise ZeroDivisionError("division by zero")

    outcome = run(doubles_every_number, double=double)
    assert (outcome.verdict, outcome.message) == ("fail", "any.raises")
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
    outcome = run(doubles_every_number, double=lambda ns: [2 * n for n in ns] if next(calls) % 3 else None)
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


@pytest.mark.parametrize(("reason", "verdict"), [("timeout", "fail"), ("died", "fail"), ("budget", "not_run")])
def test_a_lost_solution_is_asked_once(reason, verdict):
    """Each answer that does not come may cost seconds: the example is not shrunk."""
    solution = Lost(reason)
    outcome = run_check(a_check(doubles_every_number), solution)
    assert (outcome.verdict, outcome.message, solution.asked) == (verdict, f"lost.{reason}", 1)


def test_shrinking_ends_after_its_time(monkeypatch):
    """The smallest example found by then is shown."""
    monkeypatch.setattr(framework, "SHRINKING_SECONDS", 0.0)
    outcome = run(doubles_every_number, double=lambda ns: [0 for _ in ns])
    assert outcome.verdict == "fail"
    assert "expected" in outcome.counterexample


def test_examples_repeat_exactly():
    """Two runs of a check call the function with the same arguments, with examples drawn anew or not."""
    seen = [[], []]
    for log in seen:
        run(doubles_every_number, double=lambda ns, log=log: log.append(list(ns)) or [2 * n for n in ns])
    assert seen[0] == seen[1]
    assert len(seen[0]) >= 20


def test_the_calls_of_an_example_have_seeds_of_their_own():
    """Two equal calls may differ, and the example repeats."""
    drawn = []

    def twice(solution):
        drawn.append((solution.double(0), solution.double(0)))

    for _ in range(2):
        run(twice, double=lambda _: float(np.random.random()))  # noqa: NPY002
    assert drawn[0] == drawn[1]
    assert drawn[0][0] != drawn[0][1]


# -- blame -----------------------------------------------------------------------------------------------------------

PARTS = {"part": Part(lambda args, kwargs: args[0] + 1)}


def module(source):
    """Return the names of a file of the student's, whose functions call each other."""
    namespace = {}
    exec(source, namespace)
    return namespace


def is_seven(value):
    """Require seven."""
    require(value == 7, expected=7, obtained=value)


@pytest.mark.parametrize(
    ("double", "part", "verdict"),
    [
        ("return 2 * x + part(0)", "return x + 1", "pass"),
        ("return 2 * x + part(0)", "return x + 2", "pass"),  # only inherits the mistake of the part
        ("return 2 * x + part(0)", "raise ValueError", "pass"),
        ("return 2 * x + part(part(0)) - 1", "return x + 5", "pass"),
        ("return 3 * x + part(0)", "return x + 1", "fail"),
        ("return 3 * x + part(0)", "return x + 2", "fail"),
        ("return 2 * x + part(1)", "return x + 1", "fail"),  # the part is right, what it is asked is not
        ("return 8", "return x + 2", "fail"),
    ],
)
def test_who_only_inherits_a_mistake_does_not_fail(double, part, verdict):
    """The helpers are replaced by right ones, for exactly what they are asked."""

    def check(solution):
        judge(solution, "double", is_seven, 3, parts=PARTS)

    functions = module(f"def part(x):\n    {part}\n\ndef double(x):\n    {double}\n")
    real = functions["part"]
    assert run(check, functions).verdict == verdict
    assert functions["part"] is real


def test_a_helper_that_works_in_place_is_replaced_in_place():
    """The right result is written into the array that the student goes on with."""

    def check(solution):
        def verify(value):
            require(np.array_equal(value, [2, 4]), expected=[2, 4], obtained=value)

        judge(solution, "double", verify, np.array([1, 2]), parts={"part_": Part(lambda args, _: args[0] * 2, True)})

    source = "def part_(x):\n    x *= 3\n\ndef double(x):\n    x = x.copy()\n    part_(x)\n    return x\n"
    assert run(check, module(source)).verdict == "pass"


def test_a_double_is_tried_before_the_real_function():
    """The real one only runs where the double's result has a form that the student's function cannot take."""

    def check(solution):
        def verify(transcript):
            require([call.name for call in transcript.calls] == ["part"], obtained=len(transcript.calls))

        judge_calls(solution, "double", verify, 1, watch=["part"], scripts={"part": {"returns": 5}})

    real = "runs = []\n\ndef part(x):\n    runs.append(x)\n    return {'value': x}\n\n"
    plain = module(real + "def double(x):\n    return part(x)\n")
    assert (run(check, plain).verdict, plain["runs"]) == ("pass", [])
    picky = module(real + "def double(x):\n    return part(x)['value']\n")
    assert (run(check, picky).verdict, picky["runs"]) == ("pass", [1])


def test_modified_arguments_are_found():
    """The sentence says which argument, and what it was."""

    def check(solution):
        untouched(solution, "double", np.array([1, 2]), np.array([3, 4]))

    def double(first, second):
        second *= 2

    outcome = run(check, double=double)
    assert (outcome.verdict, outcome.message, outcome.message_facts["position"]) == ("fail", "any.modified", "2")


# -- what is shown ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        np.array([True, False]),
        np.array([[0.1, 2.0]]),
        np.array([1, 2], dtype=np.int32),
        np.array([0.5], dtype=np.float32),
        np.array(["a", "bc"]),
        np.array([1, "1", None], dtype=object),
        np.empty((0, 3)),
        {"topology": [3, 2], "C": 0.1},
        (1, [np.nan, -np.inf], "ñ"),
        (np.arange(3),),
    ],
)
def test_a_call_is_python_that_gives_the_same_arguments(value):
    """Types included; only the shape of an empty array is lost."""
    code = framework._code(("double", [value], {"k": value}))
    args, kwargs = eval(code, {"np": np, "double": lambda *args, **kwargs: (args, kwargs)})
    if not (isinstance(value, np.ndarray) and value.size == 0):
        assert equal(args[0], value)
        assert equal(kwargs["k"], value)


def test_functions_and_networks_are_named():
    """`transferFunctions` can be copied too."""
    code = framework._code(("train", [[2]], {"transferFunctions": [Function("tanh")], "ann": Handle(3)}))
    assert code == "train([2], transferFunctions=[torch.tanh], ann=<ann>)"


def test_what_is_shown_is_short_and_rounded():
    """A sentence is no dump."""
    assert show(1 / 3) == "0.333333"
    assert show(np.array([[True]])) == "[[True]]"
    assert len(show(list(range(10_000)))) <= framework.LONGEST_TEXT


def test_equal_compares_types_and_nan():
    """Arguments that come back are compared by it."""
    assert equal([np.nan, {"a": (1,)}], [np.nan, {"a": (1,)}])
    assert not equal(1, True)
    assert not equal(np.array([1]), np.array([1.0]))
    assert not equal([1], (1,))
    assert not equal(np.array([1, "1"], dtype=object), np.array([1, 1], dtype=object))


# -- the list of checks ----------------------------------------------------------------------------------------------


def test_two_checks_have_no_id_in_common():
    """The second one is refused."""
    with pytest.raises(ValueError, match="two checks"):
        framework.check(next(iter(load_checks())))(doubles_every_number)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_check_has_its_sentence(lang):
    """And no sentence is of a check that does not exist."""
    named = {check.row for check in load_checks().values()}
    assert {id for id in catalogue(lang) if id.partition(".")[0] in named} == set(load_checks())


def test_the_sentences_have_the_same_places_in_all_languages():
    """One fact fills the same place everywhere."""
    spanish, english = catalogue("es"), catalogue("en")
    checks = [id for id in spanish if id in load_checks() or id.startswith(GENERAL)]
    assert all(places(spanish[id]) == places(english[id]) for id in checks)


def test_every_check_quotes_its_sentence():
    """The docstring is what the statement says."""
    assert all(check.sentence.endswith((".", '."')) for check in load_checks().values())


def test_checks_are_imported_without_torch_or_scikit_learn():
    """The trusted process starts in tenths of a second."""
    program = (
        "import sys; from practica.checks.framework import load_checks; load_checks(); "
        "print(*sys.modules.keys() & {'torch', 'sklearn', 'pandas', 'practica.reference'})"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.split() == []


def test_check_failed_keeps_its_facts():
    """They are what the sentence shows."""
    with pytest.raises(CheckFailed) as failed:
        require(False, obtained=3, message="form.number")
    assert (failed.value.facts, failed.value.message) == ({"obtained": 3}, "form.number")


def test_a_function_that_asks_itself_what_it_was_asked_gets_no_help():
    """Otherwise an endless recursion would be told the answer by its first call."""

    def accuracy(outputs, targets):
        return namespace["accuracy"](outputs, targets)

    namespace = {"accuracy": accuracy}
    watched = Watched(LocalSolution(namespace))
    with pytest.raises(StudentError, match="RecursionError"):
        judge(watched, "accuracy", lambda value: None, [True], [True], parts={"accuracy": Part(lambda *_: 1.0)})
