"""Whatever a file holds, each part of the program that reads its text comes to an end of its own.

Nested code is where a walk over a tree runs out of stack, and a literal of many digits is a number
that Python refuses to write.
"""

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from moodle_files import notebook

from practica.grading.classroom.collect import collect
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.rules import inspect_source
from practica.grading.engine.source import names_bound_at
from practica.grading.engine.stops import broken_package
from practica.grading.sandbox.position import position_of
from practica.grading.student.cache import digests
from practica.grading.student.cell_order import order_of_cells
from practica.grading.student.elsewhere import warnings_about
from practica.notebook import convert

RUBRIC = load_rubric()
NAMES = {"accuracy", "hold_out"}

# An expression `depth` levels deep. Python's own parser allows 200 brackets in one another.
DEEP = {
    "sum": lambda depth: "+".join(["x"] * depth),
    "power": lambda depth: "**".join(["x"] * depth),
    "attribute": lambda depth: "x" + ".real" * depth,
    "call": lambda depth: "f" + "()" * depth,
    "index": lambda depth: "x" + "[0]" * depth,
    "sign": lambda depth: "-" * depth + "1",
    "lambda": lambda depth: "lambda: " * depth + "x",
    "choice": lambda depth: "x if x else " * depth + "x",
    "brackets": lambda depth: "[" * min(depth, 190) + "]" * min(depth, 190),
    "tuple": lambda depth: "(" * min(depth, 190) + "1" + ",)" * min(depth, 190),
    "getattr": lambda depth: "getattr(" * min(depth, 190) + "x" + ", 'a')" * min(depth, 190),
    "digits": lambda depth: "0x" + "f" * (4 * depth),
}
# Where it may stand; each walk looks at places of its own.
PLACES = {
    "guard": "if __name__ == {}:\n    pass",
    "guard, turned": "if {} == '__main__':\n    pass",
    "value": "y = {}",
    "two names": "a, b = {}, 1",
    "statement": "{}",
    "default": "def accuracy(outputs, targets=({})): return 1",
    "decorator": "@f({})\ndef accuracy(outputs): return 1",
    "body": "def accuracy(outputs, targets): return {}",
    "loop": "for y in [{}]:\n    pass",
    "class": "class A(f({})):\n    y = {}",
    "annotation": "y: f({}) = 1",
    "index of a target": "y[{}] = 1",
    "deleted": "del y[{}]",
    "raised": "def accuracy(outputs): raise f({})",
    "named": "print(y := ({}))",
    "with": "with f({}) as y:\n    pass",
    "case": "match ({}):\n    case y:\n        pass",
}


def read_by_everything(code, folder):
    """Let every reader of a student's text read it: as a file of a class, and as a cell."""
    source = code.encode()
    inspect_source(source, RUBRIC)
    (folder / "ana.py").write_bytes(source)
    (folder / "eva.ipynb").write_bytes(notebook(code, "!ls"))
    workspace = Path(tempfile.mkdtemp(dir=folder.parent))
    entries = collect([folder], workspace).entries
    told = {incident.code for entry in entries for incident in entry.incidents}
    assert "submission.unread" not in told
    for cells in (
        (code, "y = 1"),
        ("y = 1", code),
        (f"def hold_out(N): return y\n{code}", "y = 1"),
    ):
        order_of_cells(replace(convert(notebook(*cells), NAMES), runs=(2, 1)), NAMES)
    digests(code, NAMES, folder / "ana.py")
    warnings_about(source, folder / "ana.py")
    names_bound_at(source, 1)
    written = b'Current thread 0x1 (most recent call first):\n  File "a.py", line 1 in f\n'
    position_of(written, source, "a.py")
    broken_package(source, {"numpy": "OSError: broken"})


@pytest.mark.thorough
@settings(derandomize=True, deadline=None, max_examples=15)
@given(st.sampled_from([*PLACES]), st.sampled_from([*DEEP]), st.sampled_from([190, 900, 990, 3000]))
@example("guard", "sum", 800)
@example("value", "digits", 2000)
def test_code_of_any_depth_is_read(tmp_path_factory, place, kind, depth):
    """A tree that Python's parser makes is one that every part of the program walks."""
    folder = tmp_path_factory.mktemp("class")
    read_by_everything(PLACES[place].replace("{}", DEEP[kind](depth)), folder)
