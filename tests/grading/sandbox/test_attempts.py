"""What a file tries outside its folder is told to the instructor, one line a kind.

Honest files are not.
"""

import contextlib

import pytest
from submissions import MODEL

from practica.grading.engine.grade import grade_submission
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.solution import SolutionLost
from practica.grading.report.words import flags_of
from practica.grading.sandbox.client import ProcessSolution

ATTEMPTS = {
    "practica": [
        "import importlib; importlib.import_module('practica' + '.reference')",
        "__import__('practica.grading.engine')",
        "import sys; open(sys.path[1] + '/practica/grading/inside/agent.py')",
    ],
    "read": [
        "open('/etc/' + 'passwd')",
        "import os; os.open(b'/etc/passwd', os.O_RDONLY)",
        "import pathlib; list(pathlib.Path('/home').iterdir())",
        "import io; io.open_code('/root/' + 'a')",
        "import numpy as np; np.fromfile('/proc/self/maps')",
        "import os; os.listdir('..')",
        "import os; os.chdir('/etc'); open('passwd')",
        "import os; os.symlink('/etc/' + 'passwd', 'link'); open('link')",
        "open('/home/ana/notas.csv')",
        "import os\nif os.fork() == 0:\n    open('/proc/' + 'self/maps'); os._exit(0)\nos.wait()",
    ],
    "write": [
        "open('/tmp/a', 'w')",
        "import os; os.open('../a', os.O_CREAT)",
        "import pathlib; pathlib.Path('/dev/shm/a').touch()",
        "import os; os.mkdir('/tmp/folder')",
        "import os; open('a', 'w').close(); os.rename('a', '/tmp/b')",
        "import sqlite3; sqlite3.connect('/tmp/a.db')",
    ],
    "network": [
        "import socket; socket.create_connection(('1.1.1.1', 80), 1)",
        "import urllib.request; urllib.request.urlopen('http://1.1.1.1/')",
        "import _socket; _socket.socket(2, 2)",
    ],
    "print": [
        "print({'verdict': 'pass'})",
        """import os; os.write(1, b'{"score": 10, "tests": []}')""",
        """import sys; sys.stdout.write('{"passed": true}')""",
        "print('<testsuite failures=\"0\">')",
        "print('==== 17 passed in 0.12s ====')",
        "print('Total: 2.50 / 2.50')",
        "import os; os.write(2, b'Nota final: 10'); os._exit(0)",
    ],
}
HONEST = """
import os, tempfile, traceback, warnings
import joblib
import numpy as np
import pandas as pd
import torch
import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

try:
    data = pd.read_csv("/home/ana/iris.csv")
except OSError:
    data = load_iris(as_frame=True)["data"]

def accuracy(outputs, targets):
    folder = os.path.dirname(os.path.abspath(__file__))
    np.savetxt(os.path.join(folder, "own.csv"), [1.0, 2.0])
    np.loadtxt(os.path.join(folder, "own.csv"))
    with tempfile.TemporaryDirectory() as place:
        torch.save([1], f"{place}/net.pt")
        torch.load(f"{place}/net.pt")
    try:
        1 / 0
    except ZeroDivisionError:
        traceback.print_exc()
        traceback.print_stack()
    os.listdir()
    torch.optim.Adam(torch.nn.Linear(2, 2).parameters()).step()
    joblib.Parallel(2)(joblib.delayed(abs)(number) for number in range(3))
    print({"accuracy": 0.9, "score": 0.95}, "aciertos 9/10", "train 0.93 / test 0.91")
    print("puntos: 150", "fold 1 de 10")
    return 0.0

if __name__ == "__main__":
    print(open("/etc/passwd").read(), '{"passed": true}')
"""


ALL = "\nimport contextlib\n"
for _codes in ATTEMPTS.values():
    _body = _codes[0].replace("\n", "\n    ")
    ALL += f"with contextlib.suppress(Exception):\n    {_body}\n"


WORDS = (
    (
        "Intenta importar o leer",
        "Intenta leer",
        "Intenta escribir",
        "Intenta usar la red",
        "un corrector",
    ),
    (
        "tries to import or read",
        "tries to read",
        "tries to write",
        "tries to use the network",
        "a grader's",
    ),
)


def graded(source, sandbox):
    """Return what a person reads of a file in both languages, and its points."""
    with ProcessSolution(source.encode(), sandbox) as solution:
        options = {"identifier": "ana", "file": "ana.py", "only": {"accuracy"}, "max_examples": 1}
        result = grade_submission(source.encode(), solution, load_rubric(), **options)
    return [
        [str(flag.sentence) for flag in flags_of(result, lang)] for lang in ("es", "en")
    ], result.points


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "code"), [(kind, code) for kind, codes in ATTEMPTS.items() for code in codes]
)
def test_each_way_is_seen(kind, code, sandbox):
    """In a call; a process that ends with it hides nothing."""
    body = code.replace("\n", "\n    ")
    source = f"def accuracy(outputs, targets):\n    {body}\n"
    with ProcessSolution(source.encode(), sandbox) as solution:
        with contextlib.suppress(SolutionLost):
            solution.answer("accuracy", [True], [True])
        assert kind in solution.attempts


def test_each_kind_is_one_line(sandbox):
    """In both languages.

    What a file tries while it is imported counts, too, and its functions keep their points.
    """
    source = MODEL.read_text(encoding="utf-8") + ALL
    spoken, points = graded(source, sandbox)
    for kinds, lines in zip(WORDS, spoken, strict=True):
        assert all(sum(word in line for line in lines) == 1 for word in kinds), lines
    assert points == 0.2


def test_an_import_of_the_solutions_is_told(sandbox):
    """Wherever it is; it costs all points as before."""
    source = (
        "def accuracy(outputs, targets):\n    return 0.5\ndef other():\n    import"
        " practica.reference\n"
    )
    spoken, points = graded(source, sandbox)
    assert [[line.partition(":")[0] for line in lines] for lines in spoken] == [
        ["línea 4"],
        ["line 4"],
    ]
    assert points == 0


def test_a_file_that_keeps_to_its_folder_is_not_mentioned(each_sandbox):
    """Whatever libraries read and write, and whatever it prints, under `__main__` too."""
    with ProcessSolution(HONEST.encode(), each_sandbox) as solution:
        answer = solution.answer("accuracy", [True], [True])
        assert (answer.error, solution.attempts) == (None, {})
