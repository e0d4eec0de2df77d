"""The same files of the same students give the same rows, however they are packed and whatever lies beside them."""

import ast
import re
from pathlib import Path

import pytest
from budget import budget
from hypothesis import given, settings
from hypothesis import strategies as st
from moodle_files import MODEL, notebook

from practica.classroom.pick_file import Candidate, Written, choose
from practica.notebook import convert

HANDED_OUT = {
    name: (Path(__file__).parents[2] / "enunciado" / name).read_bytes()
    for name in ("plantilla.py", "template.py", "cuaderno.ipynb", "notebook.ipynb", "colab.ipynb", "colab.en.ipynb")
}


def read(path: str, content: bytes) -> Candidate:
    """Return a file of a submission as the grader reads it."""
    cells = convert(content) if path.endswith(".ipynb") else None
    return Candidate(path, content if cells is None else cells.source, cells)


# --- What students were given, and what they wrote -----------------------------------------------------------------


class _OtherBodies(ast.NodeTransformer):
    """An earlier or another teacher's template: the same functions with another sign that they are not written."""

    def __init__(self, body: str) -> None:
        self.body = body

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Put the sign in the place of the body."""
        node.body = ast.parse(self.body).body
        return node


def _without_docstrings(text: str, body: str) -> str:
    return ast.unparse(_OtherBodies(body).visit(ast.parse(text)))


VARIANTS = {  # of a template in Python that nobody has worked on
    "as it is": lambda text: text,
    "with the student's name": lambda text: re.sub(r"(Autor[^:]*|Author): .*", r"\1: Ana Núñez Pérez.", text),
    "with an author": lambda text: f'__author__ = "Ana Núñez"\n{text}',
    "with comments": lambda text: "# Práctica 1\n" + text.replace("    raise", "    # por hacer\n    raise"),
    "with other spaces": lambda text: text.replace("\n\n", "\n\n\n").replace("raise NotImpl", "raise  NotImpl") + "\n ",
    "with line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "with a mark at its start": lambda text: f"\ufeff{text}",
    "with pass": lambda text: _without_docstrings(text, "pass"),
    "with dots": lambda text: _without_docstrings(text, "'''Por hacer.'''\n..."),
    "with a reason": lambda text: _without_docstrings(text, "raise NotImplementedError('por hacer')"),
    "with only half of it": lambda text: text[: text.index("def hold_out")],
}
ONE = "import numpy as np\n\n\ndef accuracy(outputs, targets, *, threshold=0.5):\n    return {}\n"
WRITTEN = {  # by a student; each number gives another file
    "everything": lambda number: MODEL + b"# %d\n" % number,
    "a function": lambda number: ONE.format(number).encode(),
    "a factory": lambda number: b"def _made(k):\n    return lambda *a, **b: k\n\n\naccuracy = _made(%d)\n" % number,
    "the template with a function": lambda number: HANDED_OUT["plantilla.py"] + ONE.format(number).encode(),
    "what Python cannot read": lambda number: HANDED_OUT["plantilla.py"] + b"def accuracy(:\n    return %d\n" % number,
    "under a condition": lambda number: b"if True:\n    def accuracy(*a, **b):\n        return %d\n" % number,
}
NOT_IN_CELLS = ("a factory", "under a condition")  # of a notebook only definitions are marked
NAMES = ("solucion", "solucion_final", "practica1", "src/solucion", "plantilla", "cuaderno", "entrega/mi_red", "red")


def as_notebook(code: bytes) -> bytes:
    """Return a notebook whose last cells are this code; the first ones are those of the practice."""
    return notebook("from solucion import accuracy, hold_out\nimport numpy as np", code.decode(), "print(accuracy)")


@st.composite
def handed_out(draw):
    """Draw a file that students were given, with nothing written in it, and its ending."""
    name = draw(st.sampled_from([*HANDED_OUT, "empty"]))
    if name == "empty":
        return draw(st.sampled_from([b"", b"\r\n\t", b"# nada\n", b"import numpy as np\n"])), ".py"
    content = HANDED_OUT[name]
    if name.endswith(".py"):
        variant = draw(st.sampled_from(sorted(VARIANTS)))
        content = VARIANTS[variant](content.decode()).encode()
        if draw(st.booleans()):
            return notebook(*re.split(r"(?m)^(?=def )", content.decode().removeprefix("\ufeff"))), ".ipynb"
    return content, Path(name).suffix


@st.composite
def finished(draw, number: int):
    """Draw a file in which a student wrote something, and its ending."""
    kind = draw(st.sampled_from(sorted(WRITTEN)))
    content = WRITTEN[kind](number)
    in_cells = kind not in NOT_IN_CELLS and draw(st.booleans())
    return (as_notebook(content), ".ipynb") if in_cells else (content, ".py")


@given(st.data())
@settings(max_examples=budget(60))
def test_a_file_with_nothing_written_in_it_never_wins(data):
    """Whatever it is, whatever it is called, and however many of them there are."""
    names = data.draw(st.permutations(NAMES))
    content, ending = data.draw(finished(1))
    own = read(names[0] + ending, content)
    others = data.draw(st.lists(handed_out(), min_size=1, max_size=3))
    files = [own, *(read(name + end, content) for name, (content, end) in zip(names[1:], others, strict=False))]
    assert choose(data.draw(st.permutations(files))) is own


@given(handed_out(), st.sampled_from(NAMES))
@settings(max_examples=budget(30))
def test_what_was_handed_out_is_known_whatever_was_done_to_its_text(given_out, name):
    """And a file with nothing in it is no template."""
    content, ending = given_out
    candidate = read(name + ending, content)
    assert candidate.written is Written.NOTHING
    assert candidate.is_handed_out == (len(content) > 30)


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_what_was_written_is_seen(name):
    """So that the two properties above say something."""
    assert read("a.py", WRITTEN[name](1)).written >= Written.UNREADABLE
    assert read("a.ipynb", as_notebook(WRITTEN[name](1))).written >= Written.UNREADABLE or name in NOT_IN_CELLS
