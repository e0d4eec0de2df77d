#!/usr/bin/env python
"""Time the grading of the model answer, of a trivial submission, and of five small functions beside
plain pytest.

    scripts/bench_grading.py                   a table, medians of 5 turns
    scripts/bench_grading.py --turns 3

"After start" is with the warm process of the sandbox running, once for a whole class, as `practica
grade *.py` has it. pytest runs ten plain tests of the same five functions, two each and no examples
beside, with the submission imported into its own process, which is what it has to offer: no
sandbox, no rules, no counterexamples.
"""

import argparse
import ast
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import _installed  # noqa: F401 - it says what to do first

from practica.grading.engine.framework import load_checks
from practica.grading.engine.grade import grade_submission
from practica.grading.engine.rubric import Rubric, load_rubric
from practica.grading.sandbox.client import ProcessSolution
from practica.grading.sandbox.probe import Sandbox

MODEL = Path(__file__).parent.parent / "enunciado" / "profesorado" / "solucion.py"
FIVE = [
    "one_hot_encoding",
    "calculate_min_max_normalization_parameters",
    "calculate_zero_mean_normalization_parameters",
    "normalize_min_max_",
    "normalize_min_max",
]
TESTS = """
import numpy as np
import pytest
from entrega import *

DATA = np.array([[1.0, 10.0], [2.0, 30.0], [3.0, 20.0]])

def test_one_hot_three():
    assert one_hot_encoding(["a", "b", "c"]).tolist() == np.eye(3, dtype=bool).tolist()
def test_one_hot_bool():
    assert one_hot_encoding(np.array([True, False])).tolist() == [[True], [False]]
def test_minimum():
    assert np.allclose(calculate_min_max_normalization_parameters(DATA)[0], [[1, 10]])
def test_maximum():
    assert np.allclose(calculate_min_max_normalization_parameters(DATA)[1], [[3, 30]])
def test_mean():
    assert np.allclose(calculate_zero_mean_normalization_parameters(DATA)[0], [[2, 20]])
def test_std():
    assert np.allclose(calculate_zero_mean_normalization_parameters(DATA)[1], [[1, 10]])
def test_in_place(): data = DATA.copy(); normalize_min_max_(data); assert data.max() == 1
def test_same(): data = DATA.copy(); assert normalize_min_max_(data) is data
def test_copy(): data = DATA.copy(); normalize_min_max(data); assert np.array_equal(data, DATA)
def test_values(): assert np.allclose(normalize_min_max(DATA)[:, 0], [0, 0.5, 1])
"""
PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_entrega.py"]


def five_functions(source: str) -> str:
    """Return only the five functions of the model answer."""
    definitions = [node for node in ast.parse(source).body if getattr(node, "name", None) in FIVE]
    return "import numpy as np\n\n" + "\n\n".join(map(ast.unparse, definitions)) + "\n"


def seconds(action: Callable[[], object]) -> float:
    """Time one call."""
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def run(command: list[str], folder: str) -> None:
    """Run a command that must succeed."""
    subprocess.run(
        command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1, help="of the secret examples")
    options = parser.parse_args()
    rubric, checks = load_rubric(), load_checks()
    small = replace(rubric, rows={name: rubric.rows[name] for name in FIVE})
    model = MODEL.read_bytes()
    five = five_functions(model.decode()).encode()
    trivial = b"import torch\n\ndef accuracy(outputs, targets, *, threshold=0.5):\n    return 0.5\n"
    rows: list[tuple[str, str, list[float]]] = []

    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "entrega.py").write_bytes(five)
        Path(folder, "test_entrega.py").write_text(TESTS)
        with Sandbox() as sandbox:
            level = sandbox.level
            start = seconds(lambda: sandbox.preload(model))

            def grade(source: bytes, chosen: Rubric) -> None:
                with ProcessSolution(source, sandbox) as solution:
                    result = grade_submission(
                        source, solution, chosen, identifier="x", file="x.py", seed=options.seed
                    )
                assert result.status == "graded"

            full = [seconds(lambda: grade(model, rubric)) for _ in range(options.turns)]
            least = [seconds(lambda: grade(trivial, rubric)) for _ in range(options.turns)]
            ours, plain = [], []
            for _ in range(options.turns):
                ours.append(seconds(lambda: grade(five, small)))
                plain.append(seconds(lambda: run([sys.executable, *PYTEST], folder)))
        count = sum(len(row.checks_of(checks)) for row in small.rows.values())
        rows.append(("the model answer, all 17 rows", f"{len(checks)} checks", full))
        rows.append(("a trivial submission that imports torch", "1 function", least))
        rows.append(("five small functions", f"{count} checks", ours))
        rows.append(("the same five in plain pytest", "10 tests, no sandbox", plain))
    print(
        f"sandbox: {level}; start with torch, once for a class: {start:.1f} s; medians of"
        f" {options.turns} turns\n"
    )
    print(f"| {'what is graded, after start':40} | {'with':20} | median, s | slowest, s |")
    print(f"| {'-' * 40} | {'-' * 20} | --------: | ---------: |")
    for name, how, times in rows:
        print(f"| {name:40} | {how:20} | {statistics.median(times):9.2f} | {max(times):10.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
