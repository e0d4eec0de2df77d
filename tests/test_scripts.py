"""Scripts say what to do first where nothing is installed."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = sorted((Path(__file__).parent.parent / "scripts").glob("[a-z]*.py"))
OURS = {path.stem for path in SCRIPTS}
ELSEWHERE = ("run_in_gradescope.py",)  # where another script has installed what it needs


def test_a_script_with_a_plain_python_says_what_to_run_first():
    """Python alone, without the folder of installed packages."""
    script = next(path for path in SCRIPTS if path.name == "build_kit.py")
    done = subprocess.run(
        [sys.executable, "-S", script], capture_output=True, text=True, check=False
    )
    needed = (
        f"{script.name} needs the environment of scripts/setup: run that first, then"
        f" .venv/bin/python {script}\n"
    )
    assert (done.returncode, done.stderr) == (1, needed)


def test_a_script_without_a_package_of_the_tests_says_what_installs_it(tmp_path):
    """No traceback: `scripts/setup` alone installs what the commands need."""
    script = tmp_path / "needs.py"
    script.write_text("import _installed\nimport a_package_that_nobody_has\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(SCRIPTS[0].parent)}
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=False, env=environment
    )
    said = "a_package_that_nobody_has is not installed: scripts/setup dev installs it\n"
    assert (done.returncode, done.stderr) == (1, said)


@pytest.mark.parametrize(
    "script",
    [path for path in SCRIPTS if path.name not in ELSEWHERE],
    ids=lambda path: path.name,
)
def test_a_script_looks_for_its_environment_before_it_imports_a_package(script):
    """Or it would end in a traceback."""
    found = []
    for node in ast.parse(script.read_text(encoding="utf-8")).body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) else []
        found += [name.partition(".")[0] for name in names]
    packages = [name for name in found if name not in sys.stdlib_module_names and name not in OURS]
    assert packages[:1] in ([], ["_installed"])
