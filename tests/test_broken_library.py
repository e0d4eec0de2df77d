"""A library that is installed and cannot be imported is no fault of a file: no mark, and how to
repair it.
"""

import json
import os
import subprocess
import sys

import pytest
from lanes import one_in
from submissions import MODEL

pytestmark = pytest.mark.slow

ERRORS = {
    "torch": (
        "torch",
        "OSError('[WinError 126] Error loading \"c10.dll\" or one of its dependencies.')",
    ),
    "sklearn": ("scikit-learn", "ImportError('DLL load failed while importing _openmp_helpers')"),
    "numpy": ("numpy", "ImportError('Error importing numpy\\nand much advice')"),
}


@pytest.fixture
def run(tmp_path, own_cache):
    """Return what runs a command where a library is broken: its exit code, and what it says, on one
    line.
    """

    def run(library: str, *arguments: str) -> tuple[int, str]:
        folder = tmp_path / "site-packages" / library
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text(f"raise {ERRORS[library][1]}\n")
        (tmp_path / "late.py").write_text(
            "def accuracy(outputs, targets):\n    import sklearn, torch\n    return 0.5\n"
        )
        done = subprocess.run(
            [sys.executable, "-m", "practica", *arguments],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(folder.parent), "XDG_CACHE_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, " ".join((done.stdout + done.stderr).split())

    return run


@pytest.mark.parametrize("command", one_in(2, ["check", "grade"]))
@pytest.mark.parametrize(
    ("library", "file"), one_in(2, [("torch", str(MODEL)), ("sklearn", "late.py")])
)
def test_a_file_that_needs_a_broken_library_gets_no_mark(run, tmp_path, library, command, file):
    """Wherever it imports it; the sentence has the error and the remedy."""
    name, error = ERRORS[library]
    more = ["--json", "result.json"] if command == "grade" else []
    code, said = run(library, command, file, "--lang", "en", *more)
    assert code == 1
    assert f"The package {name}, which the file imports (line " in said
    assert error.partition("(")[0] in said
    assert f"pip install --force-reinstall {name}." in said
    assert "– / 2.50" in said
    if more:
        (submission,) = json.loads((tmp_path / "result.json").read_text())["submissions"]
        assert (submission["points"], submission["reason"]["message"]) == (
            None,
            "lost.broken_package",
        )


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("library", "command"),
    [("numpy", ["check", "late.py", "--lang", "en"]), ("torch", ["demo", "--folds", "2"])],
)
def test_a_broken_library_that_practica_needs_is_named_with_the_remedy(run, library, command):
    """One sentence instead of a traceback."""
    code, said = run(library, *command)
    assert code == 2
    error = ERRORS[library][1].partition("(")[0]
    assert said.startswith(
        f"Error: The package {library} is installed and cannot be imported ({error}"
    )
    assert "--force-reinstall" in said
