"""Imports in the package run downwards, in the order of its table of contents."""

import ast
import re
from pathlib import Path

import pytest

import practica.grading.classroom

FOLDER = Path(practica.grading.classroom.__file__).parent
ORDER = re.findall(r"^    (\w+)  +\S", practica.grading.classroom.__doc__, flags=re.MULTILINE)


def test_the_table_of_contents_names_every_module_once():
    """All of them, and nothing else."""
    assert sorted(ORDER) == sorted(
        path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__"
    )


@pytest.mark.parametrize("module", ORDER)
def test_a_module_imports_only_from_those_above_it(module):
    """And from the packages below; which those are, `tests/test_layers.py` knows."""
    tree = ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    above = {f"practica.grading.classroom.{name}" for name in ORDER[: ORDER.index(module)]}
    assert {name for name in imported if name.startswith("practica.grading.classroom")} <= above
