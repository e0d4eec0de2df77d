"""What a hostile submission costs its worker, by the clock of the grader: at most fifteen times
what the model answer does.

One file gets the time of a real marking; all others a part of it, and may cost as much less.

In `ataques/costs.toml`, files with `loses`, the functions that are lost, are written below the
model answer. Of the others `_hace` takes the place of what every function of the practice does.
That comes to the same in every check, a loss, an exception or an answer that is too large: so all
functions have one check each, and one of each kind has all of its own.
"""

import ast
import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from graded import SEED, rubric_for
from moodle_files import notebook
from submissions import MODEL, attacks

from practica.grading.engine.grade import grade_submission
from practica.grading.engine.result import exit_code
from practica.grading.engine.rubric import load_rubric
from practica.grading.inside.loading import decode
from practica.grading.sandbox.box import Limits
from practica.grading.sandbox.client import ProcessSolution
from practica.grading.sandbox.cpu_accounting import pace
from practica.notebook import convert

pytestmark = pytest.mark.thorough

FILES = attacks("costs")
RUBRIC = load_rubric()
FUNCTIONS = {row.function for row in RUBRIC.rows.values()}
ONE_CHECK_EACH = rubric_for(())
# it computes, it draws, it trains
ONE_OF_EACH_KIND = rubric_for({"accuracy", "hold_out", "train_class_ann"})
BURNS = "quema_dos_veces"
TIMES = 15  # right code may be slow
# seconds that the model answer takes, its own and the grader's, on the machine of the limits
PART = 4.0
# seconds that a file may use: in a class, and in most tests here
WHOLE, LITTLE = Limits().total_seconds, 4.0
# what a file burns are seconds of this machine: where it is faster, the limits are as they are
SLOWER = max(1.0, pace())


def everywhere(source):
    """Return the model answer with `_hace` in place of what its functions do."""
    tree = ast.parse(MODEL.read_bytes())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in FUNCTIONS:
            names = [leaf.arg for leaf in ast.walk(node.args) if isinstance(leaf, ast.arg)]
            node.body = ast.parse(f"return _hace({', '.join(names)})").body
    return source + ast.unparse(tree).encode()


def cost(source, sandbox, rubric=RUBRIC, total_seconds=LITTLE):
    """Mark a submission; return the result, and the seconds that it cost, in whatever process."""
    begin = time.process_time()
    limits = replace(Limits.here(), total_seconds=total_seconds * SLOWER)
    with ProcessSolution(source, sandbox, limits) as solution:
        result = grade_submission(source, solution, rubric, identifier="a", file="a.py", seed=SEED)
    json.dumps(result.as_json(), allow_nan=False).encode()
    return result, time.process_time() - begin + solution.budget.seconds


def is_little(seconds, sandbox, total_seconds=LITTLE):
    """Return whether that is no more than fifteen times the model answer, which in doubt is marked
    again, here and now.

    Time that the file did not get counts as used.
    """
    seconds += (WHOLE - total_seconds) * SLOWER
    return (
        seconds < TIMES * PART * SLOWER
        or seconds < TIMES * cost(MODEL.read_bytes(), sandbox, RUBRIC, WHOLE)[1]
    )


def points(result):
    """Return what each function earns, if anything."""
    return {function.name: function.points for function in result.functions if function.points}


@pytest.mark.parametrize("name", [name for name, file in FILES.items() if "loses" not in file])
def test_what_every_function_does_earns_nothing_and_costs_little(name, sandbox):
    """Sleeping, burning, dying, huge answers, and texts that no file can hold."""
    result, seconds = cost(everywhere(FILES[name]["source"]), sandbox, ONE_OF_EACH_KIND)
    assert (result.status, points(result)) == ("graded", {}), result.reason
    assert is_little(seconds, sandbox)


@pytest.mark.parametrize("name", [name for name, file in FILES.items() if "loses" in file])
def test_what_some_functions_do_earns_them_nothing_and_costs_little(name, sandbox):
    """Helpers that hang, questions that are dear to answer, odd losses, failures at random, and
    twice the time.
    """
    total_seconds = WHOLE if name == BURNS else LITTLE
    source = MODEL.read_bytes() + b"\n\n" + FILES[name]["source"]
    result, seconds = cost(source, sandbox, RUBRIC, total_seconds)
    assert result.status == "graded", result.reason
    assert [each for each in points(result) if each.startswith(tuple(FILES[name]["loses"]))] == []
    assert is_little(seconds, sandbox, total_seconds)


DEAR = ("redes_sin_medida", "clases_sin_medida")  # what they ask is dear to answer
CLASS = 12, 3  # dear files, and right ones among them


def memory(kind):
    """Return the memory of this process: "VmRSS", now; "VmHWM", the most since the last reset."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(kind))


@pytest.mark.thorough
def test_a_class_of_dear_files_costs_what_each_does_and_no_right_file_its_points(sandbox):
    """The grader keeps nothing of them, and each stays within its own time."""
    dear, right = CLASS
    start = memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    for number in range(dear + right):
        is_dear = number % ((dear + right) // right) > 0
        name, total = DEAR[number % len(DEAR)], LITTLE if is_dear else WHOLE
        source = MODEL.read_bytes() + (b"\n\n" + FILES[name]["source"]) * is_dear
        result, seconds = cost(source, sandbox, RUBRIC, total)
        assert is_dear or result.points == float(RUBRIC.max_points)
        assert is_little(seconds, sandbox, total)
    assert memory("VmHWM") - start < 300 << 20


SMALL = b"""import numpy as np


def accuracy(outputs, targets, *, threshold=0.5):
    return float(np.mean(np.equal(outputs, targets)))


"""
BIG = {
    "a tuple of a megabyte": b"x = (" + b"1," * 500_000 + b")\n",
    "a tuple just within": b"x = (" + b"1," * 100_000 + b")\n",
    "nested lists": b"x = " + b"[" * 90 + b"1" + b"]" * 90 + b"\n",
    "lists without end": b"x = " + b"[" * 200_000,
    "nested functions": b"".join(b" " * depth + b"def f():\n" for depth in range(95))
    + b" " * 95
    + b"pass\n",
    "nested sums": b"x = " + b"+".join([b"1"] * 20_000) + b"\n",
    "nested attributes": b"x = np" + b".a" * 20_000 + b"\n",
    "nested calls": b"x = " + b"-" * 20_000 + b"1\n",
    "a chain of names": b"a0 = accuracy\n"
    + b"".join(b"a%d = a%d\n" % (n + 1, n) for n in range(15_000)),
    "names of each other": b"".join(
        b"def g%d(): return g%d()\n" % (n, (7 * n + 1) % 4000) for n in range(4_000)
    ),
    "one name often": b"a = accuracy\n" * 15_000,
    "one value for many names": b"=".join(b"a%d" % n for n in range(9_000))
    + b"=["
    + b"a0.b," * 9_000
    + b"]\n",
    "a long name for many names": b"x" + b"=x" * 40_000 + b"=np" + b".a" * 20_000 + b"\n",
    "star imports": b"from numpy import *\n" * 15_000,
    "many imports": b"".join(b"import numpy as n%d\n" % n for n in range(15_000)),
    "texts": b"x = '''" + b"sklearn.metrics.accuracy_score " * 10_000 + b"'''\n",
    "decorators": b"@staticmethod\n" * 10_000 + b"def z(): pass\n",
    "branches": b"if 0: pass\n" + b"elif 1: pass\n" * 900,
    "one line": b"x = 1;" * 30_000 + b"\n",
    "loops": b"def z():\n" + b" for i in range(3): i\n" * 10_000,
    "lines without end": b"\\\n" * 200_000,
    "marks on one letter": b"x"
    + "\u0301".encode() * 60_000
    + "\u0316".encode() * 60_000
    + b" = 1\n",
    "vowels that are two marks": b"x" + "\u0f73".encode() * 120_000 + b" = 1\n",
    "a text with many fields": b"x = f'" + b"{1}" * 155_000 + b"'\n",
    "a long text with many fields": rb'x = rF"""\"""' + b"{1}" * 155_000 + b'"""\n',
    "tabulators": b"\n\t\n" * 100_000,
    "suspicious names": b"import subprocess\n"
    + b"".join(b"subprocess.a%d\n" % n for n in range(12_000)),
    "a name with dots": b"def z(x): return getattr(np, '" + b"x." * 20_000 + b"')\n",
    "a module with dots": b"def z():\n from np" + b".x" * 20_000 + b" import y\n y()\n",
    "an import with dots": b"def z():\n import np" + b".x" * 20_000 + b"\n np.x()\n",
    "values of a function with others inside": (
        b"def f(x):\n return x\n"
        + b" def a(): 0\n" * 10_000
        + b"v0 = 1\n"
        + b"".join(b"v%d = f(v%d)\n" % (n + 1, n) for n in range(10_000))
        + b"def hold_out(): return v10000\n"
    ),
    "values of a class with many methods": (
        b"class C:\n"
        + b"".join(b" def m%d(self): 0\n" % n for n in range(9_000))
        + b"v0 = 1\n"
        + b"".join(b"v%d = C(v%d)\n" % (n + 1, n) for n in range(10_000))
        + b"def hold_out(): return v10000\n"
    ),
    "a name of many values called often": b"def z():\n" + b" y = 1; y()\n" * 38_000,
    "a name of many values in a class": b"class C("
    + b"v," * 90_000
    + b"): pass\n"
    + b"if 0: v = len\n" * 15_000,
    "many attributes and many functions": (
        b"def z(x):\n"
        + b"".join(b" x.a%d\n" % n for n in range(20_000))
        + b" return h0()\n"
        + b"".join(b"def h%d(): return h%d().z\n" % (n, n + 1) for n in range(7_000))
        + b"def hold_out(): z(1)\n"
    ),
    "functions in one another": b"x = " + b"lambda: " * 1_000 + b"[" + b"q," * 200_000 + b"]\n",
    "classes in one another": (
        b"".join(b" " * depth + b"class C:\n" for depth in range(90))
        + b" " * 90
        + b"x.y = 1;" * 50_000
        + b"\n"
    ),
    "a long name": b"def z(x): return x." + b"a" * 100_000 + b".__globals__\n",
}


@pytest.mark.parametrize("what", BIG)
def test_a_big_source_costs_little(what, sandbox):
    """It is marked, or not run.

    What reading it costs does not depend on how many checks a row has.
    """
    result, seconds = cost(SMALL + BIG[what], sandbox, ONE_CHECK_EACH)
    assert exit_code([result]) < 2, result.reason
    assert len(json.dumps(result.as_json())) < 500_000
    assert is_little(seconds, sandbox)


def test_a_slow_encoding_is_none():
    """What is written out of a class is decoded in its main process, however long it is."""
    begin = time.process_time()
    name = b"." + "".join(chr(0x4E00 + 37 * n) for n in range(16)).encode("idna")
    assert decode(b"# coding: idna\n#" + name * 60_000)[1] == 1
    assert time.process_time() - begin < PART * SLOWER


CELLS = {
    "magics": ["%time x\n" * 30_000],
    "magics in many cells": ["%time x\nx = 1"] * 10_000,
    "a line of money": ["$" * 400_000],
    "a line of questions": ["x" * 200_000 + "?" * 200_000],
    "assignments of commands": ["a = !ls\n" * 30_000],
    "spaces": [" " * 200_000 + "!ls", "a" + "." * 200_000 + "= !"],
    "statements that need each other": [
        "\n".join(f"a{n} = a{n + 1}" for n in range(15_000)),
        "def f(): return a0",
    ],
    "one name": ["\n".join("a = a + 1" for n in range(15_000)), "def f(): return a"],
    "methods one after the other": ["\n".join("a" + ".b()" * 400 for _ in range(300))],
    "wrong together": ["x = (\n"] * 20_000,
}


@pytest.mark.parametrize("what", CELLS)
def test_a_notebook_costs_little(what):
    """Reading one is before any limit: it is in the process that collects the class."""
    begin = time.process_time()
    assert convert(notebook(*CELLS[what])).source
    assert time.process_time() - begin < TIMES * PART * SLOWER
