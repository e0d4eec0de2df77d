"""Problems as editors read them: the lines of `--format lines`, and the tasks for VS Code that read
them.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from practica.grading.student.folder import material

TASKS = {
    task["label"]: task for task in json.loads((material() / "tasks.json").read_text())["tasks"]
}
MATCHER = TASKS["practica check"]["problemMatcher"]["pattern"]

WRONG = """import numpy as np

def accuracy(outputs, targets, *, threshold=0.5):
    wrong = outputs != targets
    return float(np.mean(wrong))

def one_hot_encoding(feature, classes=None):
    return missing_name
"""

RIGHT = (Path(__file__).parents[3] / "enunciado" / "profesorado" / "solucion.py").read_text(
    encoding="utf-8"
)


def matched(output):
    """Return what the problem matcher of VS Code finds in an output: the file, the line and the
    message of each.
    """
    found = (re.match(MATCHER["regexp"], line) for line in output.splitlines())
    return [
        (match[MATCHER["file"]], int(match[MATCHER["line"]]), match[MATCHER["message"]])
        for match in found
        if match
    ]


@pytest.fixture
def run_task(tmp_path, own_cache):
    """Return what runs the command of a task in a folder with a `solucion.py`."""

    def run(label, source):
        (tmp_path / "solucion.py").write_text(source)
        arguments = [sys.executable, *TASKS[label]["args"], "accuracy", "one_hot_encoding"]
        return subprocess.run(
            arguments, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
        )

    return run


@pytest.mark.slow
def test_the_task_finds_each_problem_at_its_line(run_task):
    """That of a wrong value is the function's line, that of an exception the line which raised
    it.
    """
    done = run_task("practica check", WRONG)
    assert done.returncode == 1, done.stderr
    found = matched(done.stdout)
    assert [(file, line, message.partition(":")[0]) for file, line, message in found] == [
        ("solucion.py", 3, "accuracy"),
        ("solucion.py", 8, "one_hot_encoding"),
    ]
    assert "missing_name" in found[1][2]


@pytest.mark.slow
def test_a_file_that_is_not_python_has_its_line(run_task):
    """The rest of the output is nothing that the matcher reads."""
    done = run_task("practica check", "def accuracy(outputs, targets)\n    return 1\n")
    assert [(file, line) for file, line, _ in matched(done.stdout)] == [("solucion.py", 1)]


@pytest.mark.slow
def test_cells_of_a_notebook_are_in_the_sentence(tmp_path, own_cache):
    """An editor cannot jump to a line of a cell."""
    cells = [
        {
            "cell_type": "code",
            "source": WRONG,
            "outputs": [],
            "metadata": {},
            "execution_count": None,
        }
    ]
    (tmp_path / "c.ipynb").write_text(
        json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    )
    command = [
        sys.executable,
        "-m",
        "practica",
        "check",
        "c.ipynb",
        "accuracy",
        "--format",
        "lines",
        "--lang",
        "en",
    ]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    ((file, line, message),) = matched(done.stdout)
    assert (file, line) == ("c.ipynb", 1)
    assert message.startswith("line 3 of cell 1: accuracy: ")


@pytest.mark.thorough
@pytest.mark.skipif(
    sys.platform == "win32", reason="the test ends it as a terminal does, by a signal"
)
def test_the_watching_task_begins_and_ends_each_time(tmp_path, own_cache):
    """VS Code replaces the problems of the last time between the two lines."""
    task = TASKS["practica check --watch"]
    file = tmp_path / "solucion.py"
    file.write_text(WRONG)
    begins, ends = (
        re.compile(task["problemMatcher"]["background"][f"{name}Pattern"])
        for name in ("begins", "ends")
    )
    command = [sys.executable, *task["args"], "accuracy"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        rounds = []
        for source in (WRONG, RIGHT):
            file.write_text(source)
            lines = [process.stdout.readline()]
            while not ends.match(lines[-1]):
                lines.append(process.stdout.readline())
                assert lines[-1], lines
            rounds.append(lines)
        process.terminate()
    assert all(begins.match(lines[0]) for lines in rounds)
    assert [len(matched("".join(lines))) for lines in rounds] == [1, 0]


def test_both_tasks_read_the_same_lines():
    """They have one pattern, and their files lie in the folder that is open."""
    matchers = [task["problemMatcher"] for task in TASKS.values()]
    assert all(
        matcher["pattern"] == MATCHER and matcher["fileLocation"][0] == "relative"
        for matcher in matchers
    )
    assert {Path(task["args"][3]).name for task in TASKS.values()} == {"solucion.py"}
