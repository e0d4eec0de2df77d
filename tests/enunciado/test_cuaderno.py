"""The students' notebook runs on a solution that lies beside it, and asks for nothing else."""

import ast
import re
import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

import practica.experiments.plots

MATERIAL = Path(__file__).parents[2] / "enunciado"


@pytest.fixture
def notebook():
    """Read the notebook as it is stored."""
    return nbformat.read(MATERIAL / "cuaderno.ipynb", as_version=4)


def code(notebook) -> list:
    """List the cells that run."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def run(notebook, solution: Path, folder: Path) -> None:
    """Execute a notebook in a folder with a solution, from a clean kernel."""
    shutil.copy(solution, folder / "solucion.py")
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}}).execute()


@pytest.mark.slow
def test_the_notebook_runs_from_a_clean_kernel_and_shows_three_kinds_of_pictures(notebook, tmp_path):
    """On the model answer, alone in a folder."""
    run(notebook, MATERIAL / "profesorado" / "solucion.py", tmp_path)
    outputs = {cell.id: cell.outputs for cell in code(notebook)}
    pictures = [name for name, shown in outputs.items() if any("image/png" in out.get("data", {}) for out in shown)]
    assert pictures == ["entrenar-red", "medir-test", "vuelta-dibujo"]
    printed = "".join(out.text for shown in outputs.values() for out in shown if out.output_type == "stream")
    assert "106 patrones de entrenamiento, 36 de validación y 36 de test" in printed
    assert len(re.findall(r"[01]\.\d{3} ± \d\.\d{3}", printed)) == 7 + 8  # metrics of a network; two of each model
    assert all(out.get("name") != "stderr" for shown in outputs.values() for out in shown)


@pytest.mark.slow
def test_the_notebook_waits_at_the_first_function_that_is_not_written(notebook, tmp_path):
    """With the template the data can be seen, and nothing needs to be written before that."""
    with pytest.raises(CellExecutionError, match="NotImplementedError"):
        run(notebook, MATERIAL / "plantilla.py", tmp_path)
    ran = [cell.id for cell in code(notebook) if cell.execution_count]
    assert ran == ["preparar", "datos-cargar", "codificar-clases"]


def test_the_notebook_needs_of_practica_only_what_students_have(notebook):
    """The pictures; the functions are the student's own."""
    source = "\n".join(re.sub(r"^%.*", "", cell.source, flags=re.MULTILINE) for cell in code(notebook))
    imported = {
        node.module: {alias.name for alias in node.names}
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom)
    }
    assert imported["practica"] <= set(practica.experiments.plots.__all__)
    assert "solucion" in imported


def test_the_notebook_is_stored_clean_with_lasting_ids(notebook):
    """No outputs and no counters, so that a change of the text is a change of its lines; ids are words."""
    nbformat.validate(notebook)
    assert all(not cell.outputs and cell.execution_count is None for cell in code(notebook))
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", each) for each in ids)
