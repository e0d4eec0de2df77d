"""`%%check` in a notebook: the practice's own, run in a real kernel, and what it makes of the
cells.
"""

import ast
import re
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner
from nbclient import NotebookClient

from practica.cli import main
from practica.grading.student.notebook_cells import source_of_cells

MATERIAL = Path(__file__).parents[3] / "enunciado"
MISTAKE = '''def classify_outputs(outputs, *, threshold=0.5):
    """Be wrong."""
    return 0.5
'''


def texts(cell) -> tuple[str, str]:
    """Return the verdict below a cell, as text and as HTML."""
    assert [output.output_type for output in cell.outputs] == ["display_data"]
    shown = cell.outputs[0].data
    return shown["text/plain"], shown["text/html"]


def words(text: str) -> str:
    """Return a text as it is read: without marks, entities and spaces of its layout."""
    text = re.sub(r"<[^>]+>", " ", text)
    for entity, character in {
        "&#x27;": "'",
        "&quot;": '"',
        "&lt;": "<",
        "&gt;": ">",
        "&amp;": "&",
    }.items():
        text = text.replace(entity, character)
    return " ".join(text.split())


def without_libraries(source: str) -> str:
    """Return a source without the lines that need torch or scikit-learn."""
    large = re.compile(r"(import |from )?(torch|sklearn)\b")
    return "".join(line for line in source.splitlines(keepends=True) if not large.match(line))


@pytest.mark.thorough
def test_a_mistake_typed_in_the_notebook_is_told_below_its_cell(tmp_path, monkeypatch, own_cache):
    """In the notebook of the practice.

    The terminal says the same of the same code, and a right one passes.

    In the language of the cell: `tests/enunciado/test_notebooks.py` runs the notebook in English.
    Nothing here asks for a large library, which every process would import again.
    """
    (tmp_path / "solucion.py").write_text(
        without_libraries((MATERIAL / "plantilla.py").read_text(encoding="utf-8"))
    )
    notebook = nbformat.read(MATERIAL / "cuaderno.ipynb", as_version=4)
    prepare, imported = (
        next(cell for cell in notebook.cells if cell.source.startswith(magic))
        for magic in ("%load", "%%check")
    )
    prepare.source = without_libraries(prepare.source)
    model = ast.parse((MATERIAL / "profesorado" / "solucion.py").read_text(encoding="utf-8")).body
    (right,) = (node for node in model if getattr(node, "name", "") == "classify_outputs")
    typed = [
        f"%%check classify_outputs\n{MISTAKE}",
        f"%%check classify_outputs\n{ast.unparse(right)}",
        "%%check classify_outputs\n1 / 0",
        "%%check acuracy\npass",
        f"%%check classify_outputs --lang en\n{MISTAKE}",
    ]
    cells = [nbformat.v4.new_code_cell(source) for source in typed]
    notebook.cells = [prepare, imported, *cells]
    client = NotebookClient(
        notebook, timeout=600, allow_errors=True, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    plain, page = texts(imported)
    assert plain.strip() == "0.00 falta one_hot_encoding"
    wrong = tmp_path / "wrong.py"
    wrong.write_text(MISTAKE)
    monkeypatch.chdir(tmp_path)
    for cell, lang in ((cells[0], "es"), (cells[4], "en")):
        plain, page = texts(cell)
        assert words(page) == words(plain)
        assert "\x1b" not in plain + page
        said = (
            CliRunner()
            .invoke(main, ["check", "wrong.py", "classify_outputs", "--lang", lang])
            .output.splitlines()
        )
        sentences = [line for line in said[2:] if "python" not in line]  # only a file has one
        assert len(sentences) >= 1
        assert all(words(sentence) in words(plain) for sentence in sentences)
    plain, _ = texts(cells[1])
    assert re.search("0.25 bien +classify_outputs", plain)
    assert [output.ename for output in cells[2].outputs] == ["ZeroDivisionError"]
    assert "acuracy" in cells[3].outputs[0].text


def test_what_is_executed_again_takes_the_place_of_what_was():
    """Line by line, so that each line is still one of its cell."""
    executed = [
        "",
        "K = 1\ndef f():\n    return K",
        "!ls",
        "%%check f\ndef f():\n    return 2\n",
        "def g(:",
        "f()",
    ]
    source, cells = source_of_cells(executed)
    lines = source.decode().splitlines()
    kept = [line for line in lines if line and not line.startswith(("#", "pass"))]
    assert kept == ["K = 1", "def f():", "    return 2"]
    assert cells[lines.index("    return 2")] == (3, 3)


@pytest.mark.parametrize("character", ["\f", "\v", "\x1c", "\x85", "\u2028"])
def test_only_the_ends_that_python_knows_end_a_line(character):
    """A text may hold what other programs take for the end of a line."""
    last = f"def f():\n    return '{character}'\n"
    source, _ = source_of_cells(["", "def f():\n    return 1", last])
    names = {}
    exec(source.decode(), names)
    assert names["f"]() == character
