"""What `practica check` takes, and what it leaves behind."""

import json
import os
import runpy
import sys

import pytest
from click.testing import CliRunner

from practica.cli import main
from practica.student.examples import LONGEST, with_examples_beside

WRONG = "def accuracy(outputs, targets, *, threshold=0.5):\n    return 0.5\n"
BROKEN = "def accuracy(outputs, targets, *, threshold=0.5):\n    return 1 / 0\n"


@pytest.fixture
def check(tmp_path, monkeypatch, own_cache):
    """Run it in a folder, and return the exit code and the output."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        done = CliRunner().invoke(main, ["check", *arguments])
        return done.exit_code, done.output

    return run


def notebook(*cells: str) -> str:
    """Make a notebook of cells of code."""
    written = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in cells]
    return json.dumps({"cells": written, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_without_a_file_it_is_the_one_of_the_practice(check, tmp_path):
    """And a second run, of which everything is known, says the same."""
    (tmp_path / "solucion.py").write_text(WRONG)
    code, output = check()
    assert code == 1
    assert "0.00 falla  accuracy" in output
    assert check() == (code, output)
    assert os.listdir(tmp_path) == ["solucion.py"]


def test_a_notebook_is_told_by_its_cells(check, tmp_path):
    """The only one of the folder needs no name."""
    (tmp_path / "cuaderno.ipynb").write_text(notebook("import numpy as np", f"# accuracy\n{BROKEN}"))
    code, output = check()
    assert code == 1
    assert "línea 3 de la celda 2" in output


def test_a_folder_without_either_asks_which(check, tmp_path):
    """There may be several notebooks."""
    (tmp_path / "a.ipynb").write_text(notebook())
    (tmp_path / "b.ipynb").write_text(notebook())
    code, output = check("--lang", "en")
    assert code == 2
    assert "2 notebooks" in output


def test_only_some_functions(check, tmp_path):
    """Then there is no mark."""
    (tmp_path / "solucion.py").write_text(f"{WRONG}def hold_out(N, P, Q=None):\n    return [], []\n")
    code, output = check("accuracy")
    assert code == 1
    assert "accuracy" in output
    assert "hold_out" not in output
    assert "2.50" not in output


def test_a_function_that_there_is_not_is_refused(check, tmp_path):
    """With the one that was meant."""
    (tmp_path / "solucion.py").write_text(WRONG)
    code, output = check("solucion.py", "acuracy")
    assert code == 2
    assert "did you mean 'accuracy'" in output


def with_call(call: str) -> dict:
    """Make a marked file with one counterexample."""
    check = {"id": "accuracy.value", "verdict": "fail", "counterexample": {"call": call}}
    return {"functions": [{"name": "accuracy", "function": "accuracy", "checks": [check]}]}


def test_a_long_example_goes_to_a_file_that_runs(tmp_path, monkeypatch, capsys):
    """And is removed when there is none any more."""
    file = tmp_path / "solucion.py"
    file.write_text("def accuracy(x):\n    return sum(x)\n")
    long = f"accuracy([{', '.join(['1'] * LONGEST)}])"
    (told,) = with_examples_beside(with_call(long), file)["functions"][0]["checks"]
    assert told["counterexample"]["file"] == "ejemplo.py"
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["ejemplo.py", "accuracy"])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    runpy.run_path(str(tmp_path / "ejemplo.py"))
    assert capsys.readouterr().out == f"{LONGEST}\n"
    assert with_examples_beside(with_call("accuracy([1])"), file) == with_call("accuracy([1])")
    assert os.listdir(tmp_path) == ["solucion.py"]


def test_a_long_call_stands_below_its_sentence(check, tmp_path):
    """Where it would hide what is said of it."""
    (tmp_path / "solucion.py").write_text("def train_class_ann(topology, data, **options):\n    return 1\n")
    _, output = check("train_class_ann")
    assert "train_class_ann(…) debe devolver cuatro valores" in output
    assert "python ejemplo.py train_class_ann" in output


def test_a_file_of_the_students_own_is_left_alone(tmp_path):
    """Whatever it is called."""
    mine = tmp_path / "ejemplo.py"
    mine.write_text("mine")
    submission = with_call("x" * 2 * LONGEST)
    assert with_examples_beside(submission, tmp_path / "solucion.py") == submission
    assert mine.read_text() == "mine"
