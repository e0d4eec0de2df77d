"""Doors through which a file leaves what its text shows: each is recorded with its line."""

import pytest

from practica.grading.inside.doors import DOORS
from practica.grading.report.messages import say
from practica.grading.sandbox.box import Limits
from practica.grading.sandbox.client import ProcessSolution

PATIENT = Limits(call_seconds=300, import_seconds=300, total_seconds=900)
OPENED = """
import bdb, builtins, ctypes, gc, importlib, inspect, pathlib, subprocess, sys, types
import _thread
from concurrent.futures import ThreadPoolExecutor

def counted(n):
    total = 0
    for each in range(n):
        total += each
    return total

def pool():
    with ThreadPoolExecutor(1) as pool: return pool.submit(counted, 3).result()
kept = ThreadPoolExecutor(1)
def threads_that_stay(): return kept.submit(counted, 3).result()
def threads():
    lock = _thread.allocate_lock(); lock.acquire()
    _thread.start_new_thread(lambda: (counted(3), lock.release()), ())
    lock.acquire()
def tracing(): sys.settrace(None)
def tracing_by_a_library(): return bdb.Bdb().runcall(counted, 3)
def objects(): return len(gc.get_objects())
def frames(): return getattr(sys, "_get" + "frame")().f_lineno
def frames_by_a_library(): return inspect.currentframe().f_lineno
def code(): return types.FunctionType(counted.__code__, {"range": range})(3)
def text(): return getattr(builtins, "ev" + "al")("1 + 1")
def memory(): return ctypes.string_at(ctypes.create_string_buffer(b"a"))
def processes(): return subprocess.Popen([sys.executable, "-c", ""]).wait()
def module():
    text = "def f(n):\\n for i in range(n):\\n  i += 1\\n return i"
    pathlib.Path("beside_it.py").write_text(text)
    importlib.invalidate_caches()
    return importlib.import_module("beside_it").f(3)
def loops():
    names = {}
    getattr(builtins, "ex" + "ec")("def f(n):\\n while n:\\n  n -= 1\\n return n", names)
    return names["f"](3)
"""


@pytest.fixture(scope="module")
def opened(sandbox):
    """Return the doors of each function, each with its line, in a call that is watched."""
    lines = OPENED.splitlines()
    found = {}
    with ProcessSolution(OPENED.encode(), sandbox, PATIENT) as solution:
        for number, line in enumerate(lines, start=1):
            if line.startswith("def ") and line[4:8] != "coun":
                name = line[4:].partition("(")[0]
                seen = solution.observe(name, [], {})
                found[name] = number, solution.opened(), seen
    return found


def test_each_door_is_recorded_with_its_line(opened):
    """Whatever name led there, directly or through the modules that exist to open it."""
    for name, (line, doors, _) in opened.items():
        if name == "pool":
            assert doors == {}
            continue
        expected = next(each for each in DOORS if name.startswith(each))
        assert expected in doors, name
        assert 0 <= doors[expected] - line <= 4, name
    assert {each for _, doors, _ in opened.values() for each in doors} == {*DOORS}


def test_loops_in_a_thread_are_counted(opened):
    """One that `threading` starts, and one below it."""
    for name in ("pool", "threads"):
        assert [9, 8, 3] in [list(step) for step in opened[name][2]["steps"]], name


def test_loops_in_code_that_the_file_brings_or_makes_are_told(opened):
    """There is no text outside that could be judged."""
    assert {n for n, (_, doors, _) in opened.items() if "loops" in doors} == {"loops", "module"}


@pytest.mark.parametrize("lang", ["es", "en"])
def test_each_door_has_a_sentence(lang):
    """The table of doors and the catalogues are one list."""
    sentences = {str(say(f"calls.suspicious.{door}", {}, lang)) for door in DOORS}
    assert len(sentences) == len(DOORS)
