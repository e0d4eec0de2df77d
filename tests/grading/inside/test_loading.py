"""A student's file as Python reads it, before anything of it is called."""

import inspect

import pytest

from practica.grading.inside.loading import load_source
from practica.grading.inside.plain_data import failure_of

PATH = "una_entrega.py"


def test_a_file_that_python_cannot_read_says_where():
    """A syntax error has a line although no frame of the file exists."""
    with pytest.raises(SyntaxError) as caught:
        load_source(b"x = 1\ndef f(:\n", PATH)
    assert failure_of(caught.value, PATH).line == 2


def test_a_file_finds_itself_but_is_not_the_main_program():
    """Its own source can be inspected, and what is under `if __name__ == "__main__"` does not
    run.
    """
    module = load_source(
        b"def f():\n    return 1\n\nif __name__ == '__main__':\n    raise SystemExit\n", PATH, "e2"
    )
    assert inspect.getsource(module.f) == "def f():\n    return 1\n"
