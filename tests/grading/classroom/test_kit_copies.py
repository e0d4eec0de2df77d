"""Functions that were taken out of the students' kit are found by their shape."""

import ast
import re

import pytest
from lanes import one_in
from submissions import MODEL, submissions

from practica.grading.classroom.kit_copies import SHORTEST, copies_of_kit
from practica.grading.engine.current import OFFICIAL

pytest.importorskip("copydetect.utils", reason="needs the extra practica[similarity]")


def disguised(source: str) -> str:
    """Give a function other names, comments, annotations and layout."""
    tree = ast.parse(source)
    names = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names |= {
        node.id
        for node in ast.walk(tree)
        if isinstance(getattr(node, "ctx", 0), ast.Store) and isinstance(node, ast.Name)
    }
    for place, name in enumerate(sorted(names)):
        source = re.sub(rf"\b{name}\b(?!=)", f"mi_{place}", source)
    return source.replace("\n    ", "\n    # mío\n    ").replace(" -> Any:", ":")


def long_functions():
    """Return the source of each function of the kit that is long enough, by its name."""
    found = {}
    for file in sorted(OFFICIAL.glob("*.py")):
        text = file.read_text(encoding="utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and len(ast.unparse(node)) > 8 * SHORTEST:
                found[f"{file.stem}.{node.name}"] = ast.get_source_segment(text, node)
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("name", one_in(12, long_functions()))
def test_a_function_of_the_kit_is_found_under_other_names(name):
    """And the sentence names the one that it was taken from."""
    source = long_functions()[name]
    (found, *_) = copies_of_kit(f"import numpy as np\n\n{disguised(source)}\n".encode())
    assert name.partition(".")[2] in found.original
    assert found.share > 0.9


@pytest.mark.thorough
def test_no_function_that_a_student_wrote_has_the_shape_of_one_of_the_kit():
    """Whether it is right or not."""
    assert copies_of_kit(MODEL.read_bytes()) == []
    found = {each.slug: copies_of_kit(each.source) for each in submissions()}
    assert {slug for slug, copies in found.items() if copies} == set()


@pytest.mark.parametrize("source", [b"", b"def f(:\n", b"\xff", b"f = 1\n" * 100])
def test_a_file_without_such_functions_has_none(source):
    """Whatever it is."""
    assert copies_of_kit(source) == []
