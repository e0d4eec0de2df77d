"""A call that runs out of time is told with the loop in which it was, in a box and on the student's
machine.
"""

import itertools

import pytest
from lanes import one_in

from practica.grading.engine.solution import SolutionLost
from practica.grading.sandbox import local
from practica.grading.sandbox.box import Limits
from practica.grading.sandbox.client import ProcessSolution
from practica.grading.sandbox.local import LocalProcesses
from practica.grading.sandbox.position import position_of

LIMITS = Limits(call_seconds=1.5, import_seconds=60)
ENDLESS = b"""
import time

def step(x):
    return sum(range(x))

def train(epochs):
    epoch = 0
    while epoch < epochs:
        for size in (3, 5):
            step(size)

def search(x):
    for i in range(10 ** 12):
        step(3)

def wait(x):
    time.sleep(1000)

def right(x):
    return x
"""
POSITIONS = {
    "train": {"variant": "loop", "line": 9},
    "search": {"variant": "loop", "line": 14},
    "wait": {"variant": "line", "line": 18},
}


STARTERS = ["full", "reduced", "local", "local without signals"]


@pytest.fixture
def starter(request, tmp_path, monkeypatch):
    """Return what starts the processes: a box, or the student's machine, with and without
    SIGUSR1.
    """
    if request.param in ("full", "reduced"):
        return request.getfixturevalue(f"{request.param}_sandbox")
    if "without" in request.param:
        monkeypatch.setattr(local, "SIGNAL", None)
    return LocalProcesses(tmp_path)


@pytest.mark.parametrize(
    ("starter", "function"),
    one_in(18, itertools.product(STARTERS, POSITIONS)),
    indirect=["starter"],
)
def test_the_loop_is_told_and_other_functions_answer(starter, function):
    """Also where the call ran side by side with others before."""
    with ProcessSolution(ENDLESS, starter, LIMITS) as solution:
        call = ("call", (function, [3], {}), {"seed": 0})
        assert solution.quick_answers([call, call]) == []
        with pytest.raises(SolutionLost) as lost:
            getattr(solution, function)(3)
        assert (lost.value.reason, lost.value.facts) == ("timeout", POSITIONS[function])
        answers = solution.quick_answers([("call", ("right", [3], {}), {"seed": 0})])
        assert [answer.value for answer in answers] == [3]


@pytest.mark.parametrize(
    ("written", "facts"),
    [
        (b"", {}),
        (b'Current thread 0x1 (most recent call first):\n  File "other.py", line 9 in f\n', {}),
        (b'Current thread 0x1 (most recent call first):\n  File "a.py", line 999 in f\n', {}),
        (
            b'\xff (most recent call first):\n  File "a.py", line 4 in f\n',
            {"variant": "line", "line": 4},
        ),
        (b'  File "a.py", line 9 in f\n(most recent call first):\n', {}),
    ],
)
def test_what_is_no_line_of_the_file_is_no_position(written, facts):
    """The process can write what it likes."""
    assert position_of(written, ENDLESS, "a.py") == facts


def test_the_name_of_a_file_may_have_accents():
    """The position names it with escapes."""
    written = (
        b'Current thread 0x1 (most recent call first):\n  File "soluci\\xf3n.py", line 10 in'
        b" train\n"
    )
    assert position_of(written, ENDLESS, "solución.py") == {"variant": "loop", "line": 9}


def test_a_process_that_cannot_start_is_our_failure(tmp_path, monkeypatch):
    """A package of ours that is missing is no fault of the student's file."""
    (tmp_path / "numpy.py").write_text("raise ImportError('No module named numpy.core')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with (
        ProcessSolution(ENDLESS, LocalProcesses(tmp_path), LIMITS) as solution,
        pytest.raises(local.SandboxError, match=r"No module named numpy\.core"),
    ):
        solution.names()
