"""Imports run downwards, and what is light to use stays light to import."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import practica
import practica.evaluation
import practica.experiments
import practica.reference

PACKAGE = Path(practica.__file__).parent
EVALUATING = ("reference", "evaluation", "experiments")
TEMPLATE = PACKAGE.parent / "enunciado/plantilla.py"
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    for path in PACKAGE.rglob("*.py")
}


def order_of(package) -> list[str]:
    """List the modules of a package in the order in which its docstring does."""
    return re.findall(r"^    ([a-z_0-9]+)  +\S", package.__doc__, flags=re.MULTILINE)


def modules_of(package) -> list[str]:
    """List the modules of a package, and the packages in it."""
    beside = Path(package.__file__).parent
    packages = {path.parent.name for path in beside.glob("*/__init__.py")}
    return sorted({path.stem for path in beside.glob("*.py") if path.stem != "__init__"} | packages)


LISTED = sorted(
    ".".join(path.parent.relative_to(PACKAGE).parts)
    for pattern in ("*/__init__.py", "grading/*/__init__.py")
    for path in PACKAGE.glob(pattern)
)


def imported_by(path: Path) -> set[str]:
    """List the modules of this package that a module imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import():
                names |= {alias.name for alias in node.names}
            case ast.ImportFrom():
                source = "." * node.level + (node.module or "")
                inner = {f"{source}.{alias.name}" for alias in node.names} & MODULES
                names |= inner or {source}
    # "": relative, which nobody may be
    return {name for name in names if name.split(".")[0] in ("practica", "")}


@pytest.mark.parametrize("name", LISTED)
def test_the_docstring_of_a_package_names_every_module_once(name):
    """So that a newcomer finds each of them in one place."""
    package = importlib.import_module(f"practica.{name}")
    assert sorted(order_of(package)) == modules_of(package)


@pytest.mark.parametrize("name", LISTED)
def test_a_module_imports_only_from_those_above_it(name):
    """In the list of its package: whoever reads from the top meets nothing that was not there
    before.
    """
    order = order_of(importlib.import_module(f"practica.{name}"))
    for place, module in enumerate(order):
        path = PACKAGE.joinpath(*name.split("."), module)
        paths = path.rglob("*.py") if path.is_dir() else [path.with_suffix(".py")]
        beside = {
            each.removeprefix(f"practica.{name}.").split(".")[0]
            for path in paths
            for each in imported_by(path)
            if each.startswith(f"practica.{name}.")
        }
        assert beside <= {*order[:place], module}, module


@pytest.mark.parametrize("module", modules_of(practica.reference))
def test_the_reference_knows_nobody_else(module):
    """It imports neither checks, nor grader, nor command line."""
    assert all(
        name.startswith(("practica.reference.", "practica.nearest", "practica.json_data"))
        for name in imported_by(PACKAGE / f"reference/{module}.py")
    )


@pytest.mark.parametrize("module", modules_of(practica.evaluation))
def test_the_evaluation_stands_on_the_reference(module):
    """It knows neither checks, nor grader, nor command line."""
    below = ("practica.evaluation.", "practica.reference.")
    assert all(name.startswith(below) for name in imported_by(PACKAGE / f"evaluation/{module}.py"))


@pytest.mark.parametrize("module", modules_of(practica.experiments))
def test_the_experiments_stand_on_the_evaluation_and_the_reference(module):
    """They know neither commands nor what marks.

    The pictures, which students have, know no model either.
    """
    shared = {"practica", "practica.console", "practica.files", "practica.html"}
    models = (
        ()
        if module in ("drawing", "plots", "comparison_plots")
        else ("practica.evaluation", "practica.reference")
    )
    below = ("practica.experiments.", *models)
    imported = imported_by(PACKAGE / f"experiments/{module}.py") - shared
    assert all(name.startswith(below) for name in imported)


BESIDE = {
    f"practica.{name}" for name in ("console", "files", "html", "json_data", "nearest", "notebook")
}


def test_the_two_wings_share_no_import():
    """What marks and what evaluates can be sawn apart: they share the files beside them only."""
    marking = {*(PACKAGE / "grading").rglob("*.py")} - {PACKAGE / "grading/sandbox/escape.py"}
    # `escape.py` tries what must not work
    evaluating = {path for wing in EVALUATING for path in (PACKAGE / wing).rglob("*.py")}
    assert len(marking) > len(evaluating) > 20
    known = {name for path in marking for name in imported_by(path)} - BESIDE - {"practica"}
    assert [name for name in known if not name.startswith("practica.grading.")] == []
    known = {name for path in evaluating for name in imported_by(path)}
    assert [name for name in known if name.startswith("practica.grading")] == []


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
    program = (
        f"import sys, practica; {use}; print(*sys.modules.keys() & {{'torch', 'sklearn', 'pandas',"
        " 'rich'})"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_what_runs_inside_needs_nothing_else_of_this_package():
    """The box gets the folder and nothing of what decides a verdict."""
    assert all(
        name.startswith("practica.grading.inside")
        for path in (PACKAGE / "grading/inside").glob("*.py")
        for name in imported_by(path)
    )


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_the_modules_that_a_module_mentions_exist(path):
    """Also those in docstrings and comments, which no import would miss."""
    mentioned = set(re.findall(r"`(practica(?:\.[a-z]\w*)+)`", path.read_text(encoding="utf-8")))
    known = {name.removesuffix(".__init__") for name in MODULES}
    known |= {f"practica.{name}" for name in dir(practica)}
    places = known - {"practica"}  # what is beside a module's name is something in it
    assert [
        name for name in mentioned if name not in known and name.rpartition(".")[0] not in places
    ] == []


FUNCTIONS = {
    node.name
    for node in ast.parse(TEMPLATE.read_text(encoding="utf-8")).body
    if isinstance(node, ast.FunctionDef)
}


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "grading/engine").glob("*.py")), ids=lambda path: path.stem
)
def test_the_engine_names_no_function_of_the_practice(path):
    """Another assignment brings its own: not even a string is one.

    Examples in docstrings may be of this one.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    written = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    written |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert len(FUNCTIONS) == 17
    assert not written & FUNCTIONS
