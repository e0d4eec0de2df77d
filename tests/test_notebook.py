"""A notebook as one file: what is defined in it, line by line, and nothing that needs its data."""

import ast
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from moodle_files import MODEL, notebook

from practica.grading.engine.result import FunctionResult
from practica.notebook import OtherLanguageError, convert, rules_of_cells, with_cells


def lines_of(*cells):
    """Return the lines that are left of some cells."""
    return convert(notebook(*cells)).source.decode().splitlines()


def test_the_definitions_of_a_notebook_are_those_of_its_cells():
    """The model answer, a cell for each statement, means what the file means."""
    text = MODEL.decode()
    cells = [ast.get_source_segment(text, node) for node in ast.parse(text).body]
    decorated = [
        ast.unparse(node) for node in ast.parse(text).body if getattr(node, "decorator_list", None)
    ]
    assert decorated == []  # their source segment would not be whole
    made = ast.parse(convert(notebook(*cells)).source)
    assert ast.dump(made) == ast.dump(ast.parse(text))


JULIA = {"name": "julia-1.9", "display_name": "Julia 1.9.4", "language": "julia"}


def with_metadata(metadata):
    """Return a notebook that defines something."""
    return json.dumps(
        {**json.loads(notebook("def accuracy(): ...")), "metadata": metadata}
    ).encode()


@pytest.mark.parametrize(
    ("metadata", "language"),
    [
        ({"kernelspec": JULIA}, "julia"),
        ({"kernelspec": JULIA, "language_info": {"name": "julia", "version": "1.9.4"}}, "julia"),
        ({"kernelspec": {"name": "julia-1.9", "display_name": "Julia 1.9.4"}}, "julia"),
        ({"kernelspec": {"name": "ir", "language": "R"}}, "R"),
    ],
)
def test_a_notebook_in_another_language_is_refused_by_its_name(metadata, language):
    """Its cells would all be left out, and every function be missing."""
    with pytest.raises(
        OtherLanguageError, match=f"its language is {language}, not Python"
    ) as caught:
        convert(with_metadata(metadata))
    assert caught.value.language == language


@pytest.mark.parametrize(
    "metadata",
    [
        {"kernelspec": {"name": "python3", "language": "python"}},
        {"language_info": {"name": "ipython"}},
        {"kernelspec": {"name": "julia's-own-env", "language": "python"}},
        {"kernelspec": {"name": "aa", "display_name": "Python 3"}},
        *(
            {"kernelspec": odd, "language_info": odd}
            for odd in (None, [], {"name": None, "language": ""}, 3)
        ),
        None,
        [],
    ],
)
def test_of_a_notebook_that_says_nothing_else_the_code_is_python(metadata):
    """Kernels are called as people like."""
    assert "def accuracy(): ..." in convert(with_metadata(metadata)).source.decode()


@settings(derandomize=True, deadline=None)
@given(
    st.lists(
        st.lists(
            st.sampled_from(
                ["a = 1", "%time", "def f(x):\n    return x", "f(2)", "é = 'ñ'", "", "1 +"]
            )
        )
    )
)
def test_every_line_knows_its_cell(cells):
    """The line of the file is the line of the cell, as it is or as a comment."""
    cells = ["\n".join(cell) for cell in cells]
    converted = convert(notebook(*cells))
    source = converted.source.decode().split("\n")[:-1]
    assert len(source) == len(converted.lines)
    ast.parse(converted.source)
    for line, (cell, place) in zip(source, converted.lines, strict=True):
        if cell:
            assert line.endswith(cells[cell - 1].split("\n")[place - 1])
        else:
            assert line.startswith("# %% [")


@pytest.mark.parametrize(
    ("command", "left"),
    [
        ("%matplotlib inline", "pass  # %matplotlib inline"),
        ("!pip install torch", "pass  # !pip install torch"),
        ("files = !ls", "pass  # files = !ls"),
        ("np.mean?", "pass  # np.mean?"),
        ("%%time", "pass  # %%time"),
    ],
)
def test_a_command_of_the_notebook_is_a_comment(command, left):
    """And what is beside it in the cell is code."""
    assert lines_of(f"{command}\nimport os")[1:] == [left, "import os"]


def test_a_command_may_be_all_that_a_branch_has():
    """What is before it still has a body."""
    assert lines_of("def f():\n    !ls\n")[1:] == ["def f():", "    pass  # !ls"]


def test_a_percent_sign_at_the_beginning_of_a_line_may_be_python():
    """Only what Python cannot read is a command."""
    code = [
        "TEXT = ('%d'",
        "% 3)",
        "def f(): return TEXT",
        'T2 = """',
        "!no",
        '"""',
        "def g(): return T2",
    ]
    assert lines_of("\n".join(code))[1:] == code


@pytest.mark.parametrize(
    "cell", ["%%bash\nls -l", "%%html\n<b>", "esto no es python", "def f(:", "x = 1\0"]
)
def test_a_cell_that_is_not_python_is_told_and_spoils_nothing(cell):
    """The other cells are read."""
    converted = convert(notebook("import os", cell, "K = 1\ndef g(): return K"))
    assert converted.unread == (2,)
    assert {
        node.name for node in ast.parse(converted.source).body if isinstance(node, ast.FunctionDef)
    } == {"g"}


def test_what_definitions_need_is_kept():
    """Assignments, in turn what those need, what changes them, defaults, decorators, bases, and
    names read late.
    """
    cell = """
import functools
STEP = 0.1
LIMITS = {'low': STEP}
LIMITS['high'] = 1
LIMITS.update(mid=STEP)
for name in ['a']:
    LIMITS[name] = 2
@functools.lru_cache
def f(x=STEP): return LIMITS
class A(BASE): pass
BASE = object
"""
    assert lines_of(cell)[1:] == cell.removesuffix("\n").split("\n")


def test_what_no_definition_needs_is_not_run():
    """It would need the data, and minutes; a local name is not a global one."""
    cell = """
def f(data): model = data; return model
data = load('iris.csv')
model = f(
    data)
print(model)
with open('x') as g:
    print(g)
"""
    left = [line for line in lines_of(cell) if line and not line.startswith("#")]
    assert left == ["def f(data): model = data; return model"]
    assert convert(notebook(cell)).not_run == (1,)


def test_statements_of_one_line_stay_together():
    """A line is a comment as a whole or not at all."""
    assert lines_of("print(1,\n2); import os\nprint(3)")[1:] == [
        "print(1,",
        "2); import os",
        "# print(3)",
    ]


def test_old_notebooks_and_plain_strings_are_read():
    """Version 3 keeps its cells in worksheets and calls the source input.

    A source may be one string.
    """
    old = {
        "worksheets": [{"cells": [{"cell_type": "code", "input": ["import os\n", "import re"]}]}]
    }
    new = {
        "cells": [
            {"cell_type": "code", "source": "import os\r\nimport re"},
            {"cell_type": "markdown", "source": "x"},
        ]
    }
    assert convert(json.dumps(old).encode()).source == convert(json.dumps(new).encode()).source


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"{}", b"\xff\xfe", b'{"cells": 3', b"[" * 100_000]
)
def test_what_is_no_notebook_is_refused(content):
    """With one sentence."""
    with pytest.raises(ValueError, match=r"^not a notebook: "):
        convert(content)


def test_a_notebook_without_code_is_an_empty_file():
    """It is a notebook."""
    assert convert(b'{"cells": []}').source == b""


def test_too_much_code_is_refused():
    """It would be read many times over."""
    with pytest.raises(ValueError, match="500001 characters of code; the maximum is 500000"):
        convert(notebook("#" * 500_001))


@pytest.mark.slow
def test_many_commands_and_long_chains_end():
    """Each takes another reading, or another step; a student cannot keep the instructor waiting."""
    chain = "\n".join(f"a{step} = a{step + 1}" for step in range(3000)) + "\ndef f(): return a0"
    converted = convert(notebook("\n".join(["%x"] * 2000), chain))
    assert converted.unread == (1,)
    assert converted.not_run == ()


@pytest.mark.parametrize(
    "line", ["from google.colab import drive", "from google import colab as drive"]
)
def test_what_only_colab_has_is_left_out_where_no_definition_needs_it(line):
    """The statement says to type it, and where the notebook is marked there is none."""
    mounting = f"{line}\ndrive.mount('/content/drive')\n%cd /content/drive/MyDrive/practica"
    used = "def f(): return drive"
    assert lines_of(mounting, "def f(): return 1")[-1] == "def f(): return 1"
    assert not ast.parse("\n".join(lines_of(mounting, "K = 1"))).body[1:]
    assert any(
        isinstance(node, ast.ImportFrom) for node in ast.parse("\n".join(lines_of(line, used))).body
    )


def test_a_function_whose_cell_is_not_python_says_so():
    """In `check` and in `grade`.

    One that was never begun stays missing, and one that runs as it is.
    """
    made = convert(notebook("def accuracy(outputs, targets)\n    return 1"))

    def marked(name, verdict):
        return FunctionResult(
            name=name, function=name, line=None, points=0.0, max_points=0.2, verdict=verdict
        )

    before = [
        marked("accuracy", "missing"),
        marked("hold_out", "missing"),
        marked("classify_outputs", "fail"),
    ]
    first, *others = with_cells(before, rules_of_cells(made))
    assert (first.verdict, [(rule.id, rule.cost, rule.line) for rule in first.rules]) == (
        "rule",
        [("check.cell", "zero", made.wrong[0].line)],
    )
    assert others == before[1:]
