"""Examples that run side by side are the straight lines that they were."""

import random

import pytest

from practica.grading.engine.helper_substitution import Helped, Part
from practica.grading.engine.side_by_side import not_passing
from practica.grading.engine.solution import LocalSolution, StudentError


class Slow(LocalSolution):
    """A solution that answers so many requests at once, and none from a certain exchange on."""

    def __init__(self, functions, at_once=1000, exchanges=1000):
        super().__init__(functions)
        self.at_once, self.left, self.exchanges = at_once, exchanges, []

    def quick_answers(self, requests):
        """Answer the first ones."""
        self.exchanges.append(len(requests))
        self.left -= 1
        return super().quick_answers(requests[: self.at_once]) if self.left >= 0 else []


def adding_up(steps, to=None):
    """Return a body that asks for one step after the other."""

    def body(solution):
        total = 0
        for _ in range(steps):
            total = solution.add(total, 1)
        return total == (steps if to is None else to)

    return body


FUNCTIONS = {
    "add": lambda x, y: x + y,
    "fails": lambda: 1 / 0,
    "draw": random.random,
    "part": lambda x: -1,
}


@pytest.mark.parametrize("at_once", [1, 2, 1000])
def test_each_body_gets_its_own_answers(at_once):
    """However many come at once."""
    right = [adding_up(steps) for steps in range(5)]
    wrong = [adding_up(3, to=4), adding_up(0, to=1), lambda solution: solution.fails()]
    found = not_passing([*right, *wrong], Slow(FUNCTIONS, at_once))
    assert {*found} == {*wrong}


def test_what_waits_is_asked_in_one_exchange():
    """As many exchanges as the longest body has questions."""
    solution = Slow(FUNCTIONS)
    assert not_passing([adding_up(steps) for steps in range(1, 5)], solution) == []
    assert solution.exchanges == [4, 3, 2, 1]


@pytest.mark.parametrize(("at_once", "exchanges"), [(1000, [6]), (4, [6, 2])])
def test_what_a_body_asks_at_once_is_asked_at_once(at_once, exchanges):
    """Beside what others ask, and however many answers come."""
    solution = Slow(FUNCTIONS, at_once)
    draws = lambda solution: len({*solution.repeated(3, "draw")}) == 3  # noqa: E731
    assert not_passing([draws, draws], solution) == []
    assert solution.exchanges == exchanges


def test_a_solution_that_is_slow_and_wrong_is_asked_no_more():
    """What is not known to pass runs by itself, as far as there is time."""
    solution = Slow(FUNCTIONS)
    solution.time_used = 0.5
    bodies = [adding_up(0, to=1), adding_up(1)]
    assert not_passing(bodies, solution, until=0.5) == bodies[:1]
    assert not_passing(bodies, solution, until=0.4) == bodies
    assert len(solution.exchanges) == 1


def test_where_no_more_answers_come_nothing_is_known_to_pass():
    """But what had come to its end."""
    bodies = [adding_up(1), adding_up(3), adding_up(3)]
    assert not_passing(bodies, Slow(FUNCTIONS, exchanges=2)) == bodies[1:]


def test_seeds_and_errors_are_those_of_a_body_alone():
    """The first call of each example has the same seed, whoever else is asked."""
    seen = []

    def draws(solution):
        solution.seed = 7
        with pytest.raises(StudentError, match="ZeroDivisionError"):
            solution.fails()
        drawn = [solution.draw(), *solution.repeated(2, "draw")]
        seen.append(drawn)
        return True

    solution = LocalSolution(FUNCTIONS)
    draws(solution)
    assert not_passing([draws, draws], solution) == []
    assert seen[0] == seen[1] == seen[2]
    assert len({*seen[0]}) == 3


def test_a_body_knows_that_a_helper_was_replaced():
    """What its stand-in asked was asked before the answer came."""
    used = []
    functions = {**FUNCTIONS, "whole": lambda x: functions["part"](x) + 1}

    def calls(solution):
        helped = Helped(solution, {"part": Part(lambda args, kwargs: args[0])})
        value = helped.whole(4)
        used.append(helped.used)
        return value == 5

    assert not_passing([calls, calls], LocalSolution(functions)) == []
    assert used == [True, True]


def test_an_interrupt_reaches_whoever_runs_them():
    """It is no failure of a body."""

    def interrupted(solution):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        not_passing([interrupted], LocalSolution(FUNCTIONS))


def test_an_answer_is_read_once():
    """Although its body runs again with each further answer."""
    read = []

    def body(solution):
        totals = [solution.once(read.append, solution.add(step, 1)) for step in range(4)]
        return len(totals) == 4

    assert not_passing([body], Slow(FUNCTIONS)) == []
    assert read == [1, 2, 3, 4]


def test_what_is_read_anew_is_the_answer_that_was_read():
    """Each reading has its own, also behind another solution."""

    def body(solution):
        helped = Helped(solution, {})
        first = helped.once(lambda x: x + 10, helped.add(0, 1))
        second = helped.once(lambda x: x + 20, helped.add(1, 1))
        return (first, second, helped.add(first, second)) == (11, 22, 33)

    assert not_passing([body], Slow(FUNCTIONS)) == []
