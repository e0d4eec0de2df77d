"""Imports run downwards, and what is light to use stays light to import."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import practica
import practica.reference

PACKAGE = Path(practica.__file__).parent
FOLDER = PACKAGE / "reference"
ORDER = re.findall(r"^    (\w+)  +\S", practica.reference.__doc__, flags=re.MULTILINE)
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")


def imported_by(path: Path) -> set[str]:
    """List the modules of this package that a module imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import():
                names |= {alias.name for alias in node.names}
            case ast.ImportFrom():
                names.add("." * node.level + (node.module or ""))
    return {name for name in names if name.split(".")[0] in ("practica", "")}  # "": relative, which nobody may be


def test_the_order_of_the_layers_names_every_module_once():
    """The docstring of `practica.reference` lists its modules, all of them."""
    assert sorted(ORDER) == MODULES


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_from_those_above_it(module):
    """So the reference imports neither checks, nor grader, nor command line: they are not in the list."""
    above = ORDER[: ORDER.index(module)]
    assert imported_by(FOLDER / f"{module}.py") <= {f"practica.reference.{name}" for name in above}


@pytest.mark.parametrize("path", sorted((PACKAGE / "checks").rglob("*.py")), ids=lambda path: path.stem)
def test_the_checks_do_not_know_the_reference(path):
    """They reach students without it: all that they import is beside them."""
    assert all(name.startswith("practica.checks") for name in imported_by(path))


def test_only_the_command_line_knows_the_grader():
    """Nothing else imports it."""
    others = {*PACKAGE.rglob("*.py")} - {*PACKAGE.glob("grader/**/*.py"), *PACKAGE.glob("cli/**/*.py")}
    assert [path for path in others if any(name.startswith("practica.grader") for name in imported_by(path))] == []


@pytest.mark.parametrize(
    "use",
    [
        "practica",
        "practica.one_hot_encoding",
        "practica.normalize_min_max",
        "practica.hold_out",
        "practica.crossvalidation",
        "practica.confusion_matrix",
    ],
)
def test_what_needs_only_numpy_loads_nothing_heavier(use):
    """In a fresh interpreter, a name that trains nothing waits for none of the large libraries."""
    program = f"import sys, practica; {use}; print(*sys.modules.keys() & {{'torch', 'sklearn', 'pandas', 'rich'}})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
