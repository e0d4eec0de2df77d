"""Forbidden names of Python's own: each costs the functions that use it, and no others."""

import ast
import importlib
import json
from dataclasses import replace

import pytest
from budget import budget
from graded import SEED
from hypothesis import example, given, settings
from hypothesis import strategies as st
from judged import RUBRIC
from submissions import MODEL

from practica.grading.engine.grade import grade_submission
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.settings import RubricError
from practica.grading.sandbox.client import ProcessSolution
from practica.grading.student.check import Examiner

MODULES = ["builtins", "random", "math", "re", "json", "os", "itertools", "functools"]
MODULES += ["collections", "copy", "warnings", "threading"]
NAMES = [
    f"{module}.{name}"
    for module in MODULES
    for name in ("*", *dir(importlib.import_module(module)))
    if not name.startswith("_")
]
ARGUMENTS = {  # what builtins that compute are called with
    **dict.fromkeys(["sorted", "min", "max", "sum", "len", "any", "all", "set"], "[2, 1]"),
    **dict.fromkeys(["list", "reversed", "enumerate"], "[2, 1]"),
    **{"zip": "[2], [1]", "map": "str, [1]", "filter": "None, [1]", "dict": "[(2, 1)]"},
    **{"abs": "1", "round": "1.5", "pow": "2, 1", "divmod": "2, 1"},
}
ROADS = [  # to a function `{name}`
    "{name}({given})",
    "(lambda function: function({given}))({name})",
    "next(iter([{name}]))({given})",
    "[*__import__('itertools').starmap({name}, [({given},)])]",
    "__import__('functools').partial({name}, {given})()",
    "getattr(__import__('builtins'), '{name}')({given})",
    "vars(__import__('builtins'))['{name}']({given})",
    "exec('{name}({given})')",
    "__import__('heapq').nsmallest(1, [({given},)], key=lambda each: bool({name}(*each)))",
]
SLOW = {"train_class_ann", "ann_cross_validation", "model_cross_validation"}
QUICK = [name for name in RUBRIC.rows if name not in SLOW]
SOURCE = MODEL.read_text(encoding="utf-8")
TREE = ast.parse(SOURCE)
FUNCTIONS = {row.function for row in RUBRIC.rows.values()}


def mentioned_by(function):
    """Return the names in a function of the model answer, and in all that is no function of the
    assignment.
    """
    own = [node for node in TREE.body if getattr(node, "name", function) == function]
    own += [node for node in TREE.body if getattr(node, "name", "") not in {*FUNCTIONS, ""}]
    leaves = [leaf for node in own for leaf in ast.walk(node)]
    return {getattr(leaf, "id", getattr(leaf, "attr", "")) for leaf in leaves}


def described(pattern):
    """Return the last parts of the names that a pattern describes."""
    module, _, last = pattern.rpartition(".")
    return {*dir(importlib.import_module(module))} if last == "*" else {last}


def can_be_forbidden(pattern):
    """Return whether a pattern describes functions or classes: constants, modules and errors
    cannot be.
    """
    module, _, last = pattern.rpartition(".")
    value = getattr(importlib.import_module(module), last, len)
    return callable(value) and not (isinstance(value, type) and issubclass(value, BaseException))


def read(folder, forbidden, only):
    """Return a rubric that forbids names in the first of some rows."""
    path = folder.getbasetemp() / "forbidden.toml"
    row = RUBRIC.rows[only[0]]
    names = json.dumps([*row.forbidden, *forbidden])
    path.write_text(f"only = {json.dumps(only)}\n[functions.{only[0]}]\nforbidden = {names}\n")
    return load_rubric(path)


def graded(source, rubric, sandbox):
    """Mark a file in a box."""
    with ProcessSolution(source, sandbox) as solution:
        return grade_submission(
            source, solution, rubric, identifier="a", file="entrega.py", seed=SEED
        )


def checked(folder, source, rubric):
    """Mark a file as its student does."""
    file = folder.mktemp("entrega") / "solucion.py"
    file.write_bytes(source)
    with Examiner(file) as examiner:
        examiner.rubric = rubric
        return examiner.examine().submission


def lost(marked):
    """Return the rows that lost points, each with the forbidden names that it was charged with and
    their lines.
    """
    assert marked.status == "graded", marked.reason
    return {
        each.name: [(r.facts["name"], r.line) for r in each.rules if r.id == "calls.forbidden"]
        for each in marked.functions
        if each.points != each.max_points
    }


@pytest.mark.thorough
@settings(max_examples=budget(2))
@given(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=30, unique=True),
    st.lists(st.sampled_from(QUICK), min_size=1, max_size=3, unique=True),
)
@example(["builtins.enumerate"], ["confusion_matrix_multiclass"])  # its helper may use it
def test_a_forbidden_name_costs_nobody_who_does_not_use_it(tmp_path_factory, sandbox, names, only):
    """Whatever name it is, and whatever row forbids it; or the rubric is refused."""
    mentioned = mentioned_by(RUBRIC.rows[only[0]].function)
    for name in names:
        if not can_be_forbidden(name):
            with pytest.raises(RubricError, match=r"line 3: .* cannot be forbidden"):
                read(tmp_path_factory, [name], only)
    forbidden = [
        name for name in names if can_be_forbidden(name) and mentioned.isdisjoint(described(name))
    ]
    rubric = read(tmp_path_factory, forbidden, only)
    assert lost(graded(MODEL.read_bytes(), rubric, sandbox)) == {}


@pytest.mark.parametrize(
    "at_home",
    [pytest.param(0, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.thorough)],
)
@settings(max_examples=budget(2))
@given(st.data())
def test_a_forbidden_name_costs_the_row_that_uses_it_by_whatever_road(
    tmp_path_factory, sandbox, at_home, data
):
    """With its line, in the box and on the student's machine, and no other row."""
    only = data.draw(st.lists(st.sampled_from(QUICK), min_size=2, max_size=2, unique=True))
    function = RUBRIC.rows[only[0]].function
    name = data.draw(st.sampled_from(sorted({*ARGUMENTS} - mentioned_by(function))))
    road = data.draw(st.sampled_from(ROADS)).format(name=name, given=ARGUMENTS[name])
    lines = SOURCE.splitlines()
    node = next(node for node in TREE.body if getattr(node, "name", "") == function)
    at = node.body[1].lineno
    lines.insert(at - 1, f"    {road}")
    source = "\n".join(lines).encode()
    rubric = read(tmp_path_factory, [f"builtins.{name}"], only)
    if at_home:
        marked = checked(tmp_path_factory, source, rubric)
    else:
        marked = graded(source, rubric, sandbox)
    assert lost(marked) == {only[0]: [(name, at)]}


def test_a_name_that_the_grader_itself_calls_leaves_no_mark(tmp_path_factory, sandbox):
    """Where it cannot be forbidden to the file alone: the rest of the file is marked."""
    rubric = read(tmp_path_factory, ["torch.tensor"], ["build_class_ann", "hold_out"])
    marked = graded(MODEL.read_bytes(), rubric, sandbox)
    assert (marked.status, marked.points) == ("grader_error", None)
    assert marked.functions[0].points is None
    assert lost(replace(marked, status="graded")) == {"build_class_ann": []}


def test_a_forbidden_function_under_the_name_of_the_assignment_costs_its_row(
    tmp_path_factory, sandbox
):
    """The grader calls it then, but in the name of the file; a decorator is called by its line."""
    source = b"import functools\nfrom sklearn.metrics import accuracy_score as accuracy\n"
    source += b"@functools.lru_cache\ndef hold_out(*args): return 1\n"
    rubric = read(tmp_path_factory, [], ["accuracy"])
    assert lost(graded(source, rubric, sandbox)) == {
        "accuracy": [("sklearn.metrics.accuracy_score", 2)]
    }
    rubric = read(tmp_path_factory, ["functools.*"], ["hold_out"])
    assert lost(graded(source, rubric, sandbox)) == {"hold_out": [("functools.lru_cache", 3)]}
