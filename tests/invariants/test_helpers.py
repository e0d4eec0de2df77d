"""A function that is right keeps its points, whatever stands where its helpers should."""

import ast
from itertools import product

import pytest
from graded import SEED
from lanes import one_in
from submissions import MODEL

from practica.grading.engine.framework import load_checks
from practica.grading.engine.grade import grade_submission
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source

INSTEAD = {
    "missing": "",
    "unwritten": "def {name}{header}:\n    raise NotImplementedError\n",
    "constant": "def {name}{header}:\n    return 1.0\n",
    "nothing": "def {name}{header}:\n    pass\n",
    "raising": "def {name}{header}:\n    return 1 / 0\n",
    "rebound": "def {name}{header}:\n    pass\n\n\n{name} = 0.93\n",
    "class": "class {name}:\n    pass\n",
    "imported": "from statistics import mean as {name}\n",
    "later": "def {name}{header}:\n    pass\n\n\ndel {name}\n",
}
HELPERS = {
    check.row: sorted({*check.parts} - {check.function})
    for check in load_checks().values()
    if check.parts
}


def without(names, instead):
    """Return the model answer with something else in place of some of its functions."""
    tree = ast.parse(MODEL.read_text(encoding="utf-8"))
    kept = []
    for statement in tree.body:
        name = getattr(statement, "name", None)
        if name not in names:
            kept.append(statement)
            continue
        header = f"({ast.unparse(statement.args)})"
        kept += ast.parse(INSTEAD[instead].format(name=name, header=header)).body
    return ast.unparse(ast.Module(kept, [])).encode()


@pytest.mark.parametrize(("row", "instead"), one_in(9, list(product(HELPERS, INSTEAD))))
def test_no_function_pays_for_what_stands_in_place_of_its_helpers(row, instead):
    """All of them at once: wrong, without code, missing, or something else with their names."""
    source = without(HELPERS[row], instead)
    rubric = load_rubric()
    marked = grade_submission(
        source,
        LocalSolution(load_source(source, "ana.py"), "ana.py"),
        rubric,
        identifier="ana",
        file="ana.py",
        max_examples=2,
        seed=SEED,
        only=[rubric.rows[row].function],
    )
    (function,) = (each for each in marked.functions if each.name == row)
    assert function.points == function.max_points
