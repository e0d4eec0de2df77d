"""Forbidden names of Python's own modules, found by value: roads to them that no text shows, and
files that have nothing to do with them.
"""

import ast
from pathlib import Path

import pytest
from submissions import MODEL

from practica.grading.inside.checked_tree import CHECK, checked, safe_names
from practica.grading.sandbox.box import Limits
from practica.grading.sandbox.client import ProcessSolution
from practica.grading.sandbox.local import LocalProcesses

FORBIDDEN = (
    *("builtins.sorted", "math.sqrt", "random.shuffle", "random.Random"),
    *("collections.Counter", "itertools.accumulate"),
)
ROADS = (Path(__file__).parents[2] / "data" / "roads.txt").read_text(encoding="utf-8")
HONEST = (Path(__file__).parents[2] / "data" / "honest.txt").read_text(encoding="utf-8")
# each leads to code that is not the file's, and a person is told
FLAGGED = {
    "function_of_a_librarys_code": "code",
    "text_of_timeit": "text",
    "text_of_an_interpreter": "text",
    "text_of_bdb": "text",
    "file_that_is_run": "text",
    "another_interpreter": "processes",
    "another_process": "processes",
}
# the known gaps of the guide: C code or a library finds the name and calls it
SILENT = {"class_in_a_pickle", "names_of_a_library_in_c", "factory_of_a_library"}
PATIENT = Limits(call_seconds=300, import_seconds=300, total_seconds=900)


def functions(source):
    """Return the names of the functions of a file that need no argument."""
    found = [each for each in ast.parse(source).body if isinstance(each, ast.FunctionDef)]
    return [each.name for each in found if len(each.args.args) == len(each.args.defaults)]


def solved(source, tmp_path):
    """Return a file that runs in a process of its own."""
    return ProcessSolution(source.encode(), LocalProcesses(tmp_path), PATIENT)


def test_a_road_that_no_text_shows_leads_to_a_refusal_or_a_flag(tmp_path, monkeypatch):
    """Fifty and more; three are silent, and the guide says so."""
    monkeypatch.chdir(tmp_path)  # some roads write modules beside them
    with solved(ROADS, tmp_path) as solution:
        names = functions(ROADS)
        assert [name for name in names if solution.answer(name).error is not None] == []
        solution.forbid(FORBIDDEN)
        solution.opened()
        refused, opened = {}, {}
        for name in names:
            solution.answer(name)
            refused[name], opened[name] = solution.refused(), solution.opened()
        silent = {name for name in names if not refused[name]}
        assert silent == {*FLAGGED} | SILENT
        assert {name: door for name, door in FLAGGED.items() if door not in opened[name]} == {}
        assert len(names) >= 60
        assert {name for name in SILENT if opened[name]} == set()


@pytest.mark.thorough
def test_a_file_that_does_not_use_the_names_neither_loses_nor_is_flagged(tmp_path):
    """Its libraries live on them."""
    with solved(HONEST, tmp_path) as solution:
        names = functions(HONEST)
        expected = {name: repr(solution.answer(name)) for name in names}
        assert [name for name, answer in expected.items() if "error=None" not in answer] == []
        solution.opened()
        solution.forbid(FORBIDDEN)
        assert {name: repr(solution.answer(name)) for name in names} == expected
        assert (solution.refused(), solution.opened(), solution.left_out) == ({}, {}, {})
        assert len(names) >= 40


@pytest.mark.thorough
def test_the_lines_that_run_are_the_same(tmp_path):
    """So that loops are counted as they are written."""
    source = MODEL.read_text(encoding="utf-8")
    calls = {
        "one_hot_encoding": [["a", "b", "c", "a"]],
        "hold_out": [10, 0.2],
        "crossvalidation": [10, 3],
    }
    with solved(source, tmp_path) as solution:
        seen = [
            [solution.observe(name, args, {}) for name, args in calls.items()]
            for names in ((), FORBIDDEN)
            if solution.forbid(names) is None
        ]
    assert seen[0] == seen[1]
    assert all(each["steps"] and not each["raised"] for each in seen[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("total += x[i] * y[i] - f.a / 3", "total += x[i] * y[i] - f.a / 3"),
        ("while n < a.b and not x[0]: n = n + 1", "while n < a.b and not x[0]: n = n + 1"),
        ("def f(x): return len(x)\nf(1)", "def f(x): return ?(len(?(x)))\nf(1)"),
        ("x = a.b.c[0]", "x = ?(a.b.c[0])"),
        ("f(x)(a.b)", "?(?(f)(?(x)))(?(a.b))"),
        ("[f for f in g.h if f(1)]", "[?(f) for f in g.h if ?(f)(1)]"),
        ("@a.b\nclass C(d.e): pass", "@?(a.b)\nclass C(?(d.e)): pass"),
        ("def f(x: a.b = c.d) -> a.b: pass", "def f(x: a.b = ?(c.d)) -> a.b: pass"),
        ("match a.b:\n case c.d(): pass", "match a.b:\n case c.d(): pass"),
        ("from m import len\nlen(1)", "from m import len\n?(len)(1)"),
        ("len(1)\nglobals()", "?(len)(1)\n?(globals)()"),
    ],
)
def test_only_what_may_be_called_or_given_away_is_checked(text, expected):
    """Operands are as fast as they were."""
    tree = ast.parse(text)
    expected = ast.unparse(ast.parse(expected.replace("?", "CHECK")))
    found = ast.unparse(checked(tree, safe_names(tree, {"len", "globals"})))
    assert found.replace(CHECK, "CHECK") == expected
