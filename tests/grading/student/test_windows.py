"""The commands of students on what Windows has of its own, imitated: nothing here has run on a real
Windows.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

# Libraries meet the real system, and only the package meets Windows: its modules are loaded a
# second time.
IMITATION = """
import importlib, os, sys, tempfile, types
from pathlib import Path
import practica.grading.engine.framework, practica.cli
import practica.grading.student.check, practica.grading.student.watch
from practica.grading.student.folder import make_folder

practica.grading.engine.framework.load_checks()
with tempfile.TemporaryDirectory() as folder:
    make_folder(Path(folder, "p1"))  # what is only imported while it works
for name in [name for name in sys.modules if name.partition(".")[0] == "practica"]:
    del sys.modules[name]

UNIX = ("fcntl", "resource", "pwd", "grp", "termios", "pty")

class Windows:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in UNIX:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in UNIX:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Windows)
sys.platform = "win32"
sys.modules["msvcrt"] = types.SimpleNamespace(setmode=lambda number, mode: None)
for name in ("fork", "killpg", "getuid", "geteuid", "setsid"):
    delattr(os, name)
for name in ("engine.framework", "student.check", "student.folder", "student.watch"):
    importlib.import_module(f"practica.grading.{name}")
importlib.import_module("practica.grading.engine.framework").load_checks()
importlib.import_module("practica.cli").main()
"""


@pytest.fixture
def practica(tmp_path):
    """Run a command in a folder with a space and accents in its name, on a console that has the
    letters of cp1252.
    """
    folder = tmp_path / "Prácticas de Óscar"
    folder.mkdir()

    def run(*arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-c", IMITATION, *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONIOENCODING": "cp1252", "COLUMNS": "100"},
            encoding="cp1252",
            capture_output=True,
            check=False,
        )

    return folder, run


@pytest.mark.parametrize("lang", ["es", "en"])
def test_a_folder_is_made(practica, lang):
    """Its files are read by whoever opens them as UTF-8."""
    folder, run = practica
    done = run("new", "año 1", "--lang", lang)
    assert (done.returncode, done.stderr) == (0, "")
    assert "año 1" in done.stdout
    for file in Path(folder, "año 1").iterdir():
        if file.is_file():
            assert "\ufffd" not in file.read_text(encoding="utf-8")


def test_a_file_as_a_windows_editor_saves_it_is_checked(practica):
    """With a byte order mark and CRLF: a right function, and one that is told to be wrong."""
    folder, run = practica
    source = """\
import numpy as np

def accuracy(outputs, targets, *, threshold=0.5):
    return "año"

def calculate_min_max_normalization_parameters(dataset):
    return np.min(dataset, axis=0, keepdims=True), np.max(dataset, axis=0, keepdims=True)
"""
    Path(folder, "solución.py").write_text(source, encoding="utf-8-sig", newline="\r\n")
    done = run("check", "solución.py")
    assert (done.returncode, done.stderr) == (1, "")
    assert "solución.py  0.02 / 2.50" in done.stdout
    assert "accuracy(…) debe devolver un número real y devuelve 'año'" in done.stdout
