"""The students' notebooks run on a solution that lies beside them, and ask for nothing else."""

import ast
import builtins
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
PICTURES = ["entrenar-red", "medir-test", "vuelta-dibujo"]
# where a language has words of its own
NAMES_OF = {("Name", "id"), ("arg", "arg"), ("FunctionDef", "name")}

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
    return "\n".join(
        re.sub(r"^%.*", "", cell.source, flags=re.MULTILINE) for cell in code(notebook)
    )


def words(notebook) -> list[tuple[str, str, object]]:
    """List all that the code of a notebook says, by its place in the grammar, but for the texts of
    f-strings.
    """
    tree = ast.parse(python(notebook))
    texts = {
        id(piece)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for piece in node.values
    }
    return [
        (type(node).__name__, field, None if id(node) in texts else value)
        for node in ast.walk(tree)
        for field, value in ast.iter_fields(node)
        if not isinstance(value, ast.AST | list)
    ]


def run(notebook, solution: Path, folder: Path) -> None:
    """Execute a notebook in a folder with a solution, from a clean kernel."""
    shutil.copy(solution, folder / "solucion.py")
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}}).execute()


@pytest.mark.thorough
def test_the_notebook_runs_from_a_clean_kernel_and_shows_what_there_is_to_see(tmp_path):
    """On the model answer, alone in a folder: pictures, a network that overfits, and one that makes
    mistakes.

    In Spanish: the English one is the same program, as another test sees.
    """
    notebook = read("es")
    losses = "_, losses, validated, _ = entrenada; best = int(np.argmin(validated))"
    rises = "print('rises', validated[-1] / validated[best], losses[-1] / losses[best])"
    notebook.cells.append(nbformat.v4.new_code_cell(f"{losses}; {rises}", id="added"))
    run(notebook, MATERIAL / "profesorado" / "solucion.py", tmp_path)
    outputs = {cell.id: cell.outputs for cell in code(notebook)}
    pictures = [
        name
        for name, shown in outputs.items()
        if any("image/png" in out.get("data", {}) for out in shown)
    ]
    assert pictures == PICTURES
    printed = "".join(
        out.text for shown in outputs.values() for out in shown if out.output_type == "stream"
    )
    assert "106 patrones de entrenamiento, 36 de validación y 36 de test" in printed
    # metrics of a network; two of each model
    assert len(re.findall(r"[01]\.\d{3} ± \d\.\d{3}", printed)) == 7 + 8
    assert all(out.get("name") != "stderr" for shown in outputs.values() for out in shown)
    assert 0.4 < float(re.search(r"Precisión: (.*)", printed)[1]) < 1
    validation, training = map(float, re.search(r"rises (\S+) (\S+)", printed).groups())
    assert validation > 1.2
    assert training < 0.5


@pytest.mark.thorough
def test_the_notebook_waits_at_the_first_function_that_is_not_written(tmp_path):
    """With the template the data can be seen, and nothing needs to be written before that.

    Both are one program.
    """
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
    """No outputs and no counters, so that a change of the text is a change of its lines; ids are
    words.
    """
    nbformat.validate(notebook)
    assert all(not cell.outputs and cell.execution_count is None for cell in code(notebook))
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", each) for each in ids)


def test_both_notebooks_are_one_program():
    """The same cells, and the same code but for names and texts: each has one translation, and no
    two have the same.
    """
    spanish, english = map(read, NAMES)
    assert [cell.cell_type for cell in spanish.cells] == [cell.cell_type for cell in english.cells]
    names, texts = {}, {}
    for (kind, field, left), (*place, right) in zip(words(spanish), words(english), strict=True):
        assert [kind, field] == place
        if (kind, field) in NAMES_OF:
            assert names.setdefault(left, right) == right
        elif kind == "Constant" and isinstance(left, str) and isinstance(right, str):
            assert texts.setdefault(left, right) == right
        else:
            assert left == right
    assert len(set(names.values())) == len(names)
    assert len(set(texts.values())) == len(texts)
    given = {*dir(builtins), *(value for _, field, value in words(spanish) if field == "name")}
    own = {
        node.name
        for node in ast.walk(ast.parse(python(spanish)))
        if isinstance(node, ast.FunctionDef)
    }
    assert [name for name in names.keys() & given - own if names[name] != name] == []
    magics = [
        re.findall(r"^%.*", cell.source, flags=re.M)
        for each in (spanish, english)
        for cell in code(each)
    ]
    spoken = [[re.sub(r" --lang \w+", "", line) for line in lines] for lines in magics]
    assert spoken[: len(spoken) // 2] == spoken[len(spoken) // 2 :]
    for left, right in zip(spanish.cells, english.cells, strict=True):
        marks = [
            re.findall(r"^(?:## \d+|> \*\*|- )", each.source, flags=re.MULTILINE)
            for each in (left, right)
        ]
        assert marks[0] == marks[1]
