"""The students' notebooks run on a solution that lies beside them, and ask for nothing else."""

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
NAMES = {"es": "cuaderno.ipynb", "en": "notebook.ipynb"}
PICTURES = {
    "es": ["entrenar-red", "medir-test", "vuelta-dibujo"],
    "en": ["train-network", "measure-test", "round-picture"],
}
SENTENCES = {
    "es": "106 patrones de entrenamiento, 36 de validación y 36 de test",
    "en": "106 training patterns, 36 for validation and 36 for testing",
}
TRAINED = {"es": "entrenada", "en": "trained"}

LANGUAGES = pytest.mark.parametrize("lang", NAMES)


def read(lang: str):
    """Read a notebook as it is stored."""
    return nbformat.read(MATERIAL / NAMES[lang], as_version=4)


@pytest.fixture
def notebook(lang):
    """Read the notebook of a language."""
    return read(lang)


def code(notebook) -> list:
    """List the cells that run."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def python(notebook) -> str:
    """Return the code of all cells, without the commands for the notebook."""
    return "\n".join(re.sub(r"^%.*", "", cell.source, flags=re.MULTILINE) for cell in code(notebook))


def run(notebook, solution: Path, folder: Path) -> None:
    """Execute a notebook in a folder with a solution, from a clean kernel."""
    shutil.copy(solution, folder / "solucion.py")
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}}).execute()


@pytest.mark.slow
@LANGUAGES
def test_the_notebook_runs_from_a_clean_kernel_and_shows_what_there_is_to_see(notebook, lang, tmp_path):
    """On the model answer, alone in a folder: pictures, a network that overfits, and one that makes mistakes."""
    losses = f"_, losses, validated, _ = {TRAINED[lang]}; best = int(np.argmin(validated))"
    rises = "print('rises', validated[-1] / validated[best], losses[-1] / losses[best])"
    notebook.cells.append(nbformat.v4.new_code_cell(f"{losses}; {rises}", id="added"))
    run(notebook, MATERIAL / "profesorado" / "solucion.py", tmp_path)
    outputs = {cell.id: cell.outputs for cell in code(notebook)}
    pictures = [name for name, shown in outputs.items() if any("image/png" in out.get("data", {}) for out in shown)]
    assert pictures == PICTURES[lang]
    printed = "".join(out.text for shown in outputs.values() for out in shown if out.output_type == "stream")
    assert SENTENCES[lang] in printed
    assert len(re.findall(r"[01]\.\d{3} ± \d\.\d{3}", printed)) == 7 + 8  # metrics of a network; two of each model
    assert all(out.get("name") != "stderr" for shown in outputs.values() for out in shown)
    assert 0.4 < float(re.search(r"(?:Precisión|Accuracy): (.*)", printed)[1]) < 1
    validation, training = map(float, re.search(r"rises (\S+) (\S+)", printed).groups())
    assert validation > 1.2
    assert training < 0.5


@pytest.mark.slow
def test_the_notebook_waits_at_the_first_function_that_is_not_written(tmp_path):
    """With the template the data can be seen, and nothing needs to be written before that; both are one program."""
    notebook = read("en")
    with pytest.raises(CellExecutionError, match="NotImplementedError"):
        run(notebook, MATERIAL / "template.py", tmp_path)
    ran = [cell.id for cell in code(notebook) if cell.execution_count]
    assert ran == ["prepare", "check-function", "data-load", "encode-classes"]
    (verdict,) = next(cell for cell in notebook.cells if cell.id == "check-function").outputs
    assert verdict.data["text/plain"].strip() == "0.00 missing one_hot_encoding"


@LANGUAGES
def test_the_notebook_needs_of_practica_only_what_students_have(notebook):
    """The pictures; the functions are the student's own."""
    imported = {
        node.module: {alias.name for alias in node.names}
        for node in ast.walk(ast.parse(python(notebook)))
        if isinstance(node, ast.ImportFrom)
    }
    assert imported["practica"] <= set(practica.experiments.plots.__all__)
    assert "solucion" in imported


@LANGUAGES
def test_the_notebook_is_stored_clean_with_lasting_ids(notebook):
    """No outputs and no counters, so that a change of the text is a change of its lines; ids are words."""
    nbformat.validate(notebook)
    assert all(not cell.outputs and cell.execution_count is None for cell in code(notebook))
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", each) for each in ids)


def test_both_notebooks_are_one_program():
    """The same cells, and the same code but for names and texts."""
    spanish, english = map(read, NAMES)
    assert [cell.cell_type for cell in spanish.cells] == [cell.cell_type for cell in english.cells]
    shapes = [[type(node) for node in ast.walk(ast.parse(python(each)))] for each in (spanish, english)]
    assert shapes[0] == shapes[1]
    numbers = [re.findall(r"\b\d[\d.]*\b(?=[,)\]])", python(each)) for each in (spanish, english)]
    assert numbers[0] == numbers[1]
    for left, right in zip(spanish.cells, english.cells, strict=True):
        marks = [re.findall(r"^(?:## \d+|> \*\*|- )", each.source, flags=re.MULTILINE) for each in (left, right)]
        assert marks[0] == marks[1]
