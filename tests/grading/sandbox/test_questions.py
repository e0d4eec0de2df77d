"""What stand-ins ask in the middle of a call: who answers, how much, and what a hostile file gets
out of it.
"""

import time

import numpy as np
import pytest

from practica.grading.engine import helper_substitution
from practica.grading.engine.helper_substitution import Helped, Part
from practica.grading.engine.solution import LocalSolution, SolutionLost
from practica.grading.sandbox.box import Limits
from practica.grading.sandbox.client import ProcessSolution
from practica.grading.sandbox.local import LocalProcesses

SOURCE = """
import os
import sys
import threading


def part(x):
    return -1


def form(x):
    return [0] * x


def double(x):
    return 2 * x + part(0)


def several(values):
    return [part(value) for value in values]


def formed(x):
    return form(x)


def in_threads(values):
    found = {}
    threads = [
        threading.Thread(target=lambda value=value: found.update({value: part(value)}))
        for value in values
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [found[value] for value in values]


def in_a_fork(x):
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.write(writing, str(part(x)).encode())
        os._exit(0)
    os.wait()
    return int(os.read(reading, 9)), part(x)


def forge(number, name):
    frame, found = sys._getframe(), {}
    while frame is not None:
        found |= frame.f_globals
        server = frame.f_locals.get("self")
        if hasattr(server, "ask"):
            call = found["RecordedCall"](name, [1], {}, {}, None, {})
            return server.ask(number, call)
        frame = frame.f_back
"""
PARTS = {
    "part": Part(lambda args, kwargs: args[0] + 1),
    "form": Part(lambda args, kwargs: (1, 2, 3), forms=lambda right: [right, right[:2]]),
}
PATIENT = Limits(call_seconds=30, import_seconds=60)


@pytest.fixture(scope="module", params=["here", "process", "box"])
def solution(request, tmp_path_factory):
    """Yield the file behind each door."""
    if request.param == "here":
        namespace = {}
        exec(SOURCE, namespace)
        yield LocalSolution(namespace)
        return
    sandbox = LocalProcesses(tmp_path_factory.mktemp("file"))
    if request.param == "box":
        sandbox = request.getfixturevalue("sandbox")
    with ProcessSolution(SOURCE.encode(), sandbox, PATIENT) as solution:
        yield solution


def test_every_door_has_the_same_help(solution):
    """One call, several at once, calls in threads, and the form of the student's own helper."""
    helped = Helped(solution, PARTS)
    assert helped.double(3) == 7
    assert helped.several([1, 2, 9]) == [2, 3, 10]
    assert helped.in_threads([1, 2, 9]) == [2, 3, 10]
    assert [helped.formed(x) for x in (2, 3, 4)] == [[1, 2], [1, 2, 3], (1, 2, 3)]
    assert Helped(solution, PARTS, lost=["form"]).formed(2) == (1, 2, 3)
    assert helped.used
    assert solution.double(3) == 5
    requests = [
        ("scripted", ("double", {"part": {"asks": True}}, [x], {}), {"seed": 0, "asked": asked})
        for x, asked in enumerate([lambda call: [10], lambda call: [20], lambda call: []])
    ]
    answers = solution.quick_answers(requests)
    assert [each.answer.value for each in answers] == [10, 22, 3][: len(answers)] != []


def test_what_has_no_right_answer_is_the_students_own(solution, monkeypatch):
    """Arguments that make no sense, and more than one call may ask."""
    assert Helped(solution, PARTS).several(["a", 1, None]) == [-1, 2, -1]
    monkeypatch.setattr(helper_substitution, "LARGEST_QUESTION", 10)
    monkeypatch.setattr(helper_substitution, "LARGEST_QUESTIONS", 8)
    asked = []
    counted = {"part": Part(lambda args, kwargs: asked.append(1) or 7)}
    assert Helped(solution, counted).several([np.zeros(20), *range(9)]) == [-1, *[7] * 4, *[-1] * 5]
    assert len(asked) == 4


def burn(seconds):
    """Use as much processor time, and return 1."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
    return 1


def test_waiting_for_a_right_answer_costs_the_file_nothing(sandbox):
    """The box stands still meanwhile."""
    slow = {"part": Part(lambda args, kwargs: time.sleep(0.6) or 1)}
    with ProcessSolution(SOURCE.encode(), sandbox, Limits(call_seconds=0.5)) as solution:
        assert solution.has("double")
        before = solution.budget.seconds
        assert Helped(solution, slow).double(3) == 7
        assert solution.budget.seconds - before < 0.6


@pytest.mark.thorough
def test_computing_right_answers_is_in_the_time_of_the_file(sandbox):
    """A call that asks for more than it may take ends, and the next one finds that time gone."""
    dear = {"part": Part(lambda args, kwargs: burn(0.3))}
    with ProcessSolution(SOURCE.encode(), sandbox, Limits(call_seconds=2)) as solution:
        assert Helped(solution, dear).double(3) == 7
        before = solution.budget.seconds
        with pytest.raises(SolutionLost, match="timeout"):
            Helped(solution, dear).several([*range(30)])
        assert solution.budget.seconds - before >= 2


def test_a_process_that_the_file_forks_asks_nothing(sandbox):
    """Two processes cannot share one line."""
    with ProcessSolution(SOURCE.encode(), sandbox, PATIENT) as solution:
        assert Helped(solution, PARTS).in_a_fork(4) == (-1, 5)


def test_a_right_value_that_cannot_be_sent_is_none(sandbox):
    """The student's own helper answers, as where there is no right value."""
    strange = {"part": Part(lambda args, kwargs: object() if args[0] else 5)}
    with ProcessSolution(SOURCE.encode(), sandbox, PATIENT) as solution:
        assert Helped(solution, strange).several([0, 1, 0]) == [5, -1, 5]


@pytest.mark.parametrize(("number", "name"), [(-1, "part"), (1, "part"), (1 << 70, "part")])
def test_a_question_of_no_call_is_malformed(number, name, sandbox):
    """A file that writes its own has written no answer."""
    with (
        ProcessSolution(SOURCE.encode(), sandbox, PATIENT) as solution,
        pytest.raises(SolutionLost, match="malformed"),
    ):
        Helped(solution, PARTS).forge(number, name)


def test_only_the_helpers_of_a_call_are_answered(sandbox):
    """Neither another function, nor anything while a call has no help."""
    with ProcessSolution(SOURCE.encode(), sandbox, PATIENT) as solution:
        helped = Helped(solution, {"part": PARTS["part"]})
        assert helped.forge(0, "part") == [2]
        assert helped.forge(0, "form") == []
        given = {"part": {"returns": 3}}
        assert helped.scripted("forge", given, 0, "part").answer.value == []
        with pytest.raises(SolutionLost, match="malformed"):
            solution.forge(0, "part")
