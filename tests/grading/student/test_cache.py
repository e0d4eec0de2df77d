"""What has not changed since the last time does not run again, and what has does."""

from pathlib import Path

import pytest

from practica.grading.engine.grade import Finding
from practica.grading.engine.result import Diagnosis, Mistake
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.rules import Rule
from practica.grading.engine.runner import Outcome
from practica.grading.student.cache import FileMemory, digests

ROW = load_rubric().rows["accuracy"]
SOURCE = """
import numpy as np
LIMIT = 0.5
def helper(x): return x > LIMIT
def accuracy(outputs, targets): return helper(outputs)
def other(x): return 1
"""
RIGHT = Finding((Outcome("accuracy.value", "pass"),))
WRONG = Finding((Outcome("accuracy.value", "fail", "any.raises", {"line": "5"}),))
LIKELY = Diagnosis("one", (Mistake("any.no_return", {"function": "accuracy"}),))
NAMED = Finding((Outcome("accuracy.value", "fail", "accuracy.value", {}),), diagnosis=LIKELY)
TOLD = Finding(
    (Outcome("accuracy.value", "pass"),), (), (Rule("loops.too_many", "broken", 5, {"lines": [5]}),)
)


@pytest.fixture
def file(tmp_path, own_cache):
    """Return the path of a student's file; it is not read."""
    return tmp_path / "solucion.py"


def kept(file, finding, before, after):
    """Return what a later run knows of `accuracy` when the text of the file was another one
    before.
    """
    first = FileMemory(file)
    first.begin(before, ["accuracy"])
    first.put(ROW, finding)
    first.save()
    second = FileMemory(file)
    second.begin(after, ["accuracy"])
    return second.get(ROW)


@pytest.mark.parametrize("finding", [RIGHT, WRONG, NAMED, TOLD])
def test_an_unchanged_file_is_known(file, finding):
    """With everything that was found."""
    assert kept(file, finding, SOURCE, SOURCE) == finding


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return helper(outputs)", "return helper(targets)"),
        ("x > LIMIT", "x >= LIMIT"),
        ("LIMIT = 0.5", "LIMIT = 0.25"),
        ("import numpy as np", "import numpy"),
    ],
)
def test_what_the_function_depends_on_makes_it_unknown(file, old, new):
    """Its own text, a helper's, a value and an import."""
    assert kept(file, RIGHT, SOURCE, SOURCE.replace(old, new)) is None


def test_what_it_does_not_depend_on_changes_nothing(file):
    """Comments do not, nor does another function."""
    after = SOURCE.replace("return 1", "return 2").replace("LIMIT = 0.5", "LIMIT = 0.5  # half")
    assert kept(file, WRONG, SOURCE, after) == WRONG


@pytest.mark.parametrize(("finding", "known"), [(RIGHT, True), (WRONG, False), (TOLD, False)])
def test_what_names_lines_holds_only_while_they_are_the_same(file, finding, known):
    """A line more above it would make a sentence wrong."""
    assert (kept(file, finding, SOURCE, "\n" + SOURCE) is not None) == known


def test_a_function_that_was_lost_runs_again(file):
    """Another time the machine may be faster."""
    lost = Finding((Outcome("accuracy.value", "fail", "lost.timeout", {}),))
    assert kept(file, lost, SOURCE, SOURCE) is None


def test_without_a_cache_it_holds_as_long_as_the_object(tmp_path, monkeypatch):
    """As while a file is watched."""
    (tmp_path / "cache").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    memory = FileMemory(tmp_path / "solucion.py")
    memory.begin(SOURCE, ["accuracy"])
    memory.put(ROW, RIGHT)
    memory.save()
    assert memory.get(ROW) == RIGHT


@pytest.mark.parametrize("content", [b"", b"[]", b'{"accuracy": 3}', b"\xff"])
def test_a_broken_cache_knows_nothing(file, content):
    """It is written anew."""
    memory = FileMemory(file)
    memory.begin(SOURCE, ["accuracy"])
    memory.put(ROW, RIGHT)
    memory.save()
    memory._store.write_bytes(content)
    again = FileMemory(file)
    again.begin(SOURCE, ["accuracy"])
    assert again.get(ROW) is None


@pytest.mark.parametrize(
    "line", ["import utils", "from . import utils", "x = globals()", "def f(:"]
)
def test_what_cannot_be_told_is_not_kept(tmp_path, line):
    """Modules beside the file, names looked up by their text, and what is no Python."""
    (tmp_path / "utils.py").write_text("")
    assert digests(f"{line}\n{SOURCE}", ["accuracy"], tmp_path / "solucion.py") == {}


def test_what_is_registered_for_a_function_is_a_part_of_it():
    """So that a changed case of a dispatch is seen."""
    source = "@singledispatch\ndef f(x): return 0\n@f.register\ndef _(x: int): return 1\n"
    old, new = (
        digests(text, "f", Path("solucion.py"))["f"] for text in (source, source.replace("1", "2"))
    )
    assert old != new
