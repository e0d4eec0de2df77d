"""Whose fault the error of a check is: the value's, or that of the check itself."""

from typing import ClassVar

import numpy as np
import pandas as pd
import pytest

from practica.grading.engine import current
from practica.grading.engine.framework import Check, CheckFailed, require
from practica.grading.engine.helper_substitution import quiet
from practica.grading.engine.solution import LocalSolution
from practica.grading.engine.trial import LOOK_FIRST, NO_ASSERT, UNUSABLE, fault, judge, odd_values


def check_of(body):
    """Return a check of a function `f` with this body."""
    return Check("f.value", "f", "f", body)


def compared(comparison):
    """Return a check that requires what a comparison of the result says."""

    def body(solution):
        obtained = solution.f()
        require(comparison(obtained), obtained=obtained)

    return check_of(body)


OF_VALUES = {  # what an author writes who thinks of right answers
    "an order": lambda value: value >= 3,
    "a length": lambda value: len(value) == 2,
    "an item": lambda value: value[0] == 1,
    "a key": lambda value: value["mean"]["x"] == 1,
    "unpacked": lambda value: [left < right for left, right in value] == [True],
    "the first": lambda value: next(iter(value)) == 1,
    "a method": lambda value: value.tolist() == [1, 2],
    "a method of texts": lambda value: value.upper() == "A",
    "a product": lambda value: (np.eye(3) @ value).shape == (3,),
    "close": lambda value: np.allclose(value, [1.0, 2.0, 3.0]),
    "a column": lambda value: value.a.tolist() == [1],
    "a year": lambda value: value.year == 2026,
    "sorted": lambda value: sorted(value) == [1],
    "a division": lambda value: 1 / value == 2,
}
OF_CHECKS = {
    "a method that nothing has": lambda value: value.tolits() == [1],
    "a name that is not there": lambda value: value == undefined,  # noqa: F821
    "what is expected": lambda value: value == [][0],
    "an assertion": lambda value: _asserted(value),
    "an array as a truth": lambda value: value == np.arange(3) and True,
    "a call": lambda value: value(3) == 2,
}


def _asserted(value):
    assert value == "right"
    return True


@pytest.mark.parametrize("comparison", OF_VALUES.values(), ids=OF_VALUES)
def test_an_error_of_some_values_is_not_the_fault_of_the_check(comparison):
    """The check is right for what is asked for."""
    assert fault(compared(comparison), {}) is None


@pytest.mark.parametrize("comparison", OF_CHECKS.values(), ids=OF_CHECKS)
def test_an_error_of_all_values_is_the_fault_of_the_check(comparison):
    """Whatever a function returns, nobody can pass."""
    assert fault(compared(comparison), {}) is not None


def test_an_error_after_that_of_the_function_is_the_fault_of_a_check_and_says_so():
    """A check that goes on without a value is told where to look first."""
    error = fault(check_of(lambda solution: len(solution.answer("f").value)), {})
    assert error.__notes__ == [LOOK_FIRST]


def test_an_assertion_is_the_fault_of_a_check_and_says_what_compares_tables():
    """That of pandas ends in it whatever is returned."""
    frame = pd.DataFrame({"a": [1]})
    error = fault(check_of(lambda f: pd.testing.assert_frame_equal(f.f(), frame)), {})
    assert error.__notes__ == [NO_ASSERT]
    assert "require(same_table(" in NO_ASSERT


class OfCourse:
    """The assignment of a course."""

    has_words = False
    reading: ClassVar = {"exact": True}


@pytest.mark.parametrize("comparison", OF_VALUES.values(), ids=OF_VALUES)
def test_every_value_is_judged_in_a_course(comparison, monkeypatch):
    """A check passes or fails; it never breaks."""
    monkeypatch.setattr(current, "_in_use", [OfCourse()])
    check = compared(comparison)
    messages = set()
    for value in odd_values():
        try:
            with quiet():
                judge(check, LocalSolution({"f": lambda value=value: value}))
        except CheckFailed as failed:
            messages.add(failed.message)
    assert UNUSABLE in messages


def test_the_fault_of_a_check_stays_one_while_marking(monkeypatch):
    """Nobody loses points for what is expected of a secret example and cannot be computed."""
    monkeypatch.setattr(current, "_in_use", [OfCourse()])
    with pytest.raises(IndexError):
        judge(compared(OF_CHECKS["what is expected"]), LocalSolution({"f": lambda: 1}))


def test_the_checks_of_the_practice_hold_for_any_value():
    """An error in one of them is the grader's own."""
    with pytest.raises(TypeError):
        judge(compared(OF_VALUES["an order"]), LocalSolution({"f": lambda: None}))
