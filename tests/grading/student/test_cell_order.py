"""A notebook with cells that ran in another order: the student reads it first, and only if
something changes.
"""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from practica.cli import main
from practica.grading.student.cell_order import order_of_cells
from practica.notebook import convert

IMPORTS = "import numpy as np"
RIGHT = "def accuracy(outputs, targets, *, threshold=0.5):\n    return np.mean(outputs == targets)"
WRONG = "def accuracy(outputs, targets, *, threshold=0.5):\n    return 0.5"
USING = "def accuracy(outputs, targets, *, threshold=0.5):\n    return half(outputs)"
HALF, THIRD = "def half(x): return 1 / 2", "def half(x): return 1 / 3"
# no function of the assignment uses it
OF_ITS_OWN = ("def figure(x): return x", "def figure(x): return 2 * x")
WITH_DEFAULT = "def accuracy(outputs, targets, *, threshold=LIMIT):\n    return LIMIT"


def notebook(*cells: tuple[int | None, str]) -> str:
    """Make a notebook of cells with the numbers beside them."""
    written = [
        {"cell_type": "code", "execution_count": run, "metadata": {}, "outputs": [], "source": code}
        for run, code in cells
    ]
    return json.dumps({"cells": written, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def sentences(*cells: tuple[int | None, str], lang: str = "en") -> list[str]:
    """Return what is said about a notebook."""
    return [
        str(each)
        for each in order_of_cells(
            convert(notebook(*cells).encode()), ["accuracy", "hold_out"], lang
        )
    ]


@pytest.mark.parametrize(
    ("lang", "first"),
    [
        ("es", "La celda 2 ([3]) se ejecutó después de la 3 ([2]), y las dos definen accuracy."),
        ("en", "Cell 2 ([3]) ran after cell 3 ([2]), and both define accuracy."),
    ],
)
def test_the_terminal_says_it_before_the_verdicts(tmp_path, monkeypatch, own_cache, lang, first):
    """In both languages, above the function that fails because the old cell counts."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.ipynb").write_text(notebook((1, IMPORTS), (3, RIGHT), (2, WRONG)))
    done = CliRunner().invoke(main, ["check", "p.ipynb", "accuracy", "--lang", lang])
    assert done.exit_code == 1
    assert " ".join(done.output.split()).startswith(first)


@pytest.mark.parametrize(
    "cells",
    [
        ((1, IMPORTS), (3, RIGHT), (2, WRONG)),
        ((2, RIGHT), (1, WRONG)),
        ((1, IMPORTS), (2, USING), (7, HALF), (4, THIRD)),
        ((1, IMPORTS), (9, RIGHT), (None, "print(1)"), (2, WRONG), (10, "accuracy")),
    ],
)
def test_the_definition_that_counts_is_not_the_one_that_ran_last(cells):
    """A function of the assignment, or one that it uses.

    A cell without a number changes nothing.
    """
    (sentence,) = sentences(*cells)
    assert "both define" in sentence


@pytest.mark.parametrize(
    "cells",
    [
        ((1, IMPORTS), (3, "print(LIMIT)"), (4, WITH_DEFAULT), (2, "LIMIT = 0.5")),
        # where it stands it failed once, and then there was a LIMIT
        ((3, WITH_DEFAULT), (2, "LIMIT = 0.5")),
        ((2, "LIMIT = abs(LOW)\ndef accuracy(outputs): return LIMIT"), (1, "LOW = -0.5")),
        ((2, "class Net(Base):\n    pass"), (1, "class Base:\n    pass")),
    ],
)
def test_a_cell_uses_what_a_later_one_defines(cells):
    """When the file is imported there is no such name yet."""
    (sentence,) = sentences(*cells)
    assert "Move it up" in sentence
    with pytest.raises(NameError):
        exec(convert(notebook(*cells).encode()).source, {"np": np})


@pytest.mark.parametrize(
    "cells",
    [
        ((1, IMPORTS), (2, WRONG), (3, RIGHT)),
        ((None, IMPORTS), (None, RIGHT), (None, WRONG)),
        ((11, IMPORTS), (12, WRONG), (13, RIGHT)),
        # from the top again, not to the end
        ((11, IMPORTS), (12, WRONG), (3, RIGHT), (4, "accuracy")),
        ((1, IMPORTS), (2, WRONG), (2, RIGHT)),
        ((1, IMPORTS), (2, RIGHT), (2, WRONG), (1, "print()")),  # two sessions
        ((1, IMPORTS), (3, RIGHT), (2, RIGHT)),
        ((1, IMPORTS), (3, RIGHT), (None, WRONG)),
        ((1, IMPORTS), (4, OF_ITS_OWN[0]), (3, OF_ITS_OWN[1]), (2, RIGHT)),
        # a body runs when it is called
        ((1, IMPORTS), (9, USING), (2, HALF), (5, "accuracy(1, 2)")),
        ((1, IMPORTS), (3, "accuracy(1, 2)"), (2, RIGHT)),  # an experiment, which is left out
        (
            (1, IMPORTS),
            (3, "total = [x for x in range(3)]\ndef hold_out(): return total"),
            (2, "x = 1"),
        ),
        (
            (1, "from numpy import *"),
            (3, "half = array(1)\ndef hold_out(): return half"),
            (2, "array = list"),
        ),
        (
            (3, f"try:\n    import fast\nexcept ImportError as e:\n    LIMIT = e\n{WITH_DEFAULT}"),
            (2, "e = 1"),
        ),
        ((2, "def (:"), (1, "x = 1")),
    ],
)
def test_nothing_is_said_of_an_ordinary_notebook(cells):
    """Run once, twice, partly, in several sessions, or with cells in disorder that change
    nothing.
    """
    assert sentences(*cells) == []
