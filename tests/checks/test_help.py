"""Whose fault a failure is: help for those who only inherit a mistake, and no points out of help."""

import numpy as np
import pytest

from practica.checks.framework import Check, require, untouched
from practica.checks.help import Part
from practica.checks.runner import run_check
from practica.checks.solution import LocalSolution, succeeded

PARTS = {"part": Part(lambda args, kwargs: args[0] + 1)}


def module(source):
    """Return the names of a file of the student's, whose functions call each other."""
    namespace = {}
    exec(source, namespace)
    return namespace


def run(body, functions, parts=PARTS, **options):
    """Run a check of `double` on these functions, with right parts."""
    check = Check("double.right", "double", "double", "…", body, parts=parts)
    return run_check(check, LocalSolution(functions), **options)


def double_of_three_is_seven(solution):
    """Seven."""
    obtained = solution.double(3)
    require(obtained == 7, expected=7, obtained=obtained)


@pytest.mark.parametrize(
    ("double", "part", "verdict", "helped"),
    [
        ("return 2 * x + part(0)", "return x + 1", "pass", False),
        ("return 2 * x + part(0)", "return x + 2", "pass", True),  # only inherits the mistake of the part
        ("return 2 * x + part(0)", "raise ValueError", "pass", True),
        ("return 2 * x + part(part(0)) - 1", "return x + 5", "pass", True),
        ("return 3 * x + part(0)", "return x + 1", "fail", False),
        ("return 3 * x + part(0)", "return x + 2", "fail", False),
        ("return 2 * x + part(1)", "return x + 1", "fail", False),  # the part is right, what it is asked is not
        ("return 8", "return x + 2", "fail", False),
    ],
)
def test_who_only_inherits_a_mistake_does_not_fail(double, part, verdict, helped):
    """The helpers are replaced by right ones, for exactly what they are asked."""
    functions = module(f"def part(x):\n    {part}\n\ndef double(x):\n    {double}\n")
    real = functions["part"]
    outcome = run(double_of_three_is_seven, functions)
    assert (outcome.verdict, outcome.helped) == (verdict, helped)
    assert functions["part"] is real


def test_what_is_told_is_what_students_see():
    """The failure without help, though it is not theirs alone."""
    functions = module("def part(x):\n    return x + 10\n\ndef double(x):\n    return 3 * x + part(0)\n")
    outcome = run(double_of_three_is_seven, functions)
    assert outcome.counterexample == {"call": "double(3)", "input": "3", "expected": "7", "obtained": "19"}


@pytest.mark.parametrize(("helpers", "verdict"), [({"part"}, "pass"), ({"other"}, "fail"), (set(), "fail")])
def test_only_some_helpers_are_helped(helpers, verdict):
    """Those that were written and are not known to be right; who marks says which."""
    functions = module("def part(x):\n    return x + 2\n\ndef double(x):\n    return 2 * x + part(0)\n")
    assert run(double_of_three_is_seven, functions, helpers=helpers).verdict == verdict


def test_a_helper_that_works_in_place_is_replaced_in_place():
    """The right result is written into the array that the student goes on with."""

    def check(solution):
        obtained = solution.double(np.array([1, 2]))
        require(np.array_equal(obtained, [3, 5]), expected=[3, 5], obtained=obtained)

    source = "def part_(x):\n    x *= 3\n\ndef double(x):\n    x = x.copy()\n    part_(x)\n    return x + 1\n"
    assert run(check, module(source), {"part_": Part(lambda args, _: args[0] * 2, fills=True)}).verdict == "pass"


def test_right_results_that_are_drawn_differ_from_call_to_call():
    """And are the same each time that the example runs, or they would never settle."""

    def check(solution):
        first, second = solution.double(5)
        require(first != second, obtained=first)

    parts = {"part": Part(lambda args, kwargs, turn: args[0] + turn, draws=True)}
    functions = module("def part(x):\n    return 0\n\ndef double(x):\n    return part(x), part(x)\n")
    assert run(check, functions, parts).helped


# -- help gives no points --------------------------------------------------------------------------------------------


def both_are_right(solution):
    """Doubled and one more, in a vector."""
    obtained = solution.double(np.array([1.0, 2.0]))
    require(np.allclose(obtained, [3.0, 5.0]), expected=[3.0, 5.0], obtained=obtained)


DOUBLE = Part(lambda args, kwargs: 2 * args[0] + 1)


@pytest.mark.parametrize("body", ["return part(x)", "return part(x.copy()) * 1", "y = part(x)\n    return y.tolist()"])
def test_an_answer_that_is_a_helpers_answer_proves_nothing(body):
    """The sentence says whose answer it is."""
    functions = module(f"def part(x):\n    return x\n\ndef double(x):\n    {body}\n")
    outcome = run(both_are_right, functions, {"part": DOUBLE})
    assert (outcome.verdict, outcome.message, outcome.message_facts["helper"]) == ("fail", "any.copied", "part")


def test_a_helper_that_spoils_an_argument_is_not_the_functions_fault():
    """Its answer is right without help: what help mends is something else."""

    def check(solution):
        value = succeeded(solution.answer("double", np.array([1.0, 2.0]))).value
        require(np.allclose(value, [3.0, 5.0]), obtained=value)
        untouched(solution, "double", np.array([1.0, 2.0]))

    source = "def part(x):\n    y = 2 * x + 1\n    x += 1\n    return y\n\ndef double(x):\n    return part(x)\n"
    assert run(check, module(source), {"part": DOUBLE}).helped


@pytest.mark.parametrize("body", ["return double(x)", "return double(x, 1)", "return double(*[x])"])
def test_no_function_helps_itself(body):
    """An endless recursion would be told the answer by its first call."""
    functions = module(f"def double(x, y=0):\n    if y:\n        return 0\n    {body}\n")
    outcome = run(both_are_right, functions, {"double": DOUBLE})
    assert (outcome.verdict, outcome.helped) == ("fail", False)


@pytest.mark.parametrize(
    ("inner", "verdict"), [("x.ravel()", "pass"), ("x", "fail"), ("x[..., None]", "fail"), ("x, 1", "fail")]
)
def test_an_overload_is_only_helped_by_a_simpler_one(inner, verdict):
    """A matrix comes down to vectors; neither to another matrix, nor to itself with one more argument."""

    def check(solution):
        obtained = solution.double(np.array([[1.0], [2.0]]))
        require(obtained == 8.0, expected=8.0, obtained=obtained)

    part = Part(lambda args, kwargs: float(np.sum(2 * args[0] + 1)), level=lambda args: args[0].ndim)
    source = f"def double(x, y=0):\n    if x.ndim != 2 or y:\n        return 0\n    return double({inner})\n"
    assert run(check, module(source), {"double": part}).verdict == verdict
