"""Examples that take turns are the straight lines that they were."""

import random

import pytest

from practica.grading.engine.batching import failing
from practica.grading.engine.solution import LocalSolution, StudentError


class Slow(LocalSolution):
    """A solution that answers so many requests at once, and none from a certain exchange on."""

    def __init__(self, functions, at_once, exchanges=1000):
        super().__init__(functions)
        self.at_once, self.left, self.exchanges = at_once, exchanges, []

    def quick_answers(self, requests):
        """Answer the first ones."""
        self.exchanges.append(len(requests))
        self.left -= 1
        return super().quick_answers(requests[: self.at_once]) if self.left >= 0 else []


def adds_up(solution, *, to, steps=3):
    """Ask for one step after the other."""
    total = 0
    for _ in range(steps):
        total = solution.add(total, 1)
    assert total == to


FUNCTIONS = {"add": lambda x, y: x + y, "fails": lambda: 1 / 0, "draw": random.random}


@pytest.mark.parametrize("at_once", [1, 2, 1000])
def test_each_body_gets_its_own_answers(at_once):
    """However many come at once; the rest of a group that fails is left out."""
    groups = [
        [lambda solution, n=n: adds_up(solution, to=n, steps=n) for n in range(5)],
        [lambda solution: adds_up(solution, to=3), lambda solution: adds_up(solution, to=4)],
        [lambda solution: solution.fails()],
        [],
    ]
    assert failing(groups, Slow(FUNCTIONS, at_once)) == [None, 1, 0, None]


@pytest.mark.parametrize(("until", "known", "exchanges"), [(0.4, [0, 0], 4), (0.6, [0, None], 9)])
def test_once_one_has_failed_a_solution_that_has_used_its_time_is_asked_no_more(
    until, known, exchanges
):
    """What still waits is not known to pass."""
    solution = Slow(FUNCTIONS, 1000)
    solution.time_used = 0.5
    groups = [
        [lambda asked: adds_up(asked, to=4, steps=3)],
        [lambda asked: adds_up(asked, to=9, steps=9)],
    ]
    assert failing(groups, solution, until) == known
    assert len(solution.exchanges) == exchanges


def test_what_waits_is_asked_in_one_exchange():
    """As many exchanges as the longest body has questions."""
    solution = Slow(FUNCTIONS, 1000)
    assert failing(
        [[lambda asked, n=n: adds_up(asked, to=n, steps=n) for n in range(1, 5)]], solution
    ) == [None]
    assert solution.exchanges == [4, 3, 2, 1]


def test_seeds_and_errors_are_those_of_a_body_alone():
    """The first call of each example has the same seed, whoever else is asked."""
    seen = []

    def draws(solution):
        with pytest.raises(StudentError, match="ZeroDivisionError"):
            solution.fails()
        solution.seed = 7
        seen.append([solution.draw(), *solution.repeated(2, "draw")])

    solution = LocalSolution(FUNCTIONS)
    draws(solution)
    assert failing([[draws, draws]], solution) == [None]
    assert seen[0] == seen[1] == seen[2]
    assert len({*seen[0]}) == 3


def test_where_no_more_answers_come_nothing_is_known_to_pass():
    """But what had come to its end."""
    bodies = [[lambda solution, n=n: adds_up(solution, to=n, steps=n)] for n in (1, 3)]
    ended = []

    def waits(solution):
        try:
            adds_up(solution, to=3)
        finally:
            ended.append(True)

    assert failing([*bodies, [waits]], Slow(FUNCTIONS, 1000, exchanges=2)) == [None, 0, 0]
    assert ended == [True]


def test_an_interrupt_reaches_whoever_runs_them():
    """It is no failure of a body."""

    def interrupted(solution):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        failing([[interrupted]], LocalSolution(FUNCTIONS))
