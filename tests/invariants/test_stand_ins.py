"""A stand-in answers in the form of the student's own function, which its callers may need."""

import ast
from itertools import product

import pytest
from lanes import one_in
from submissions import MODEL

from practica.grading.engine.framework import load_checks
from practica.grading.engine.runner import run_check
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source

TYPES = """
import collections
import dataclasses


class Lista(list):
    def partes(self):
        return tuple(self)


class Tupla(tuple):
    def partes(self):
        return tuple(self)


class Objeto:
    def __init__(self, valores):
        self.valores = valores

    def partes(self):
        return self.valores


class Cosas:
    def __init__(self, valores):
        for numero, valor in enumerate(valores):
            setattr(self, f"parte{numero}", valor)

    def partes(self):
        return tuple(vars(self).values())


@dataclasses.dataclass
class Datos:
    valores: tuple

    def __iter__(self):
        return iter(self.valores)
"""
# what the helper returns of its values, and what its callers read of that
FORMS = {
    "named tuple": (
        "collections.namedtuple('Partes', [f'parte{n}' for n in range(len(r))])(*r)",
        "tuple(r._asdict().values())",
    ),
    "dict": ("{f'parte{n}': valor for n, valor in enumerate(r)}", "tuple(r.values())"),
    "list with methods": ("Lista(r)", "r.partes()"),
    "tuple with methods": ("Tupla(r)", "r.partes()"),
    "object": ("Objeto(tuple(r))", "r.partes()"),
    "attributes": ("Cosas(r)", "r.partes()"),
    "dataclass": ("Datos(tuple(r))", "r.valores"),
}
TABLES = {  # of pairs of numbers
    "array": ("np.array(r)", "tuple(map(tuple, r[:, :].tolist()))"),
    "array of single precision": ("np.array(r, np.float32)", "tuple(map(tuple, r.tolist()))"),
    "tensor": ("torch.tensor(r)", "tuple(map(tuple, r.tolist()))"),
    "scalars of numpy": (
        "[(np.float64(m), np.float64(s)) for m, s in r]",
        "[(m.item(), s.item()) for m, s in r]",
    ),
    "arrays without axes": (
        "[(np.array(m), np.array(s)) for m, s in r]",
        "[(m[()], s[()]) for m, s in r]",
    ),
}
CALLS = [  # of a right helper, in place of which another one answers
    *(("model_cross_validation", "ann_cross_validation", form) for form in {**FORMS, **TABLES}),
    *(("ann_cross_validation", "train_class_ann", form) for form in FORMS),
]
WRONG = [
    ("normalize_min_max_", "calculate_min_max_normalization_parameters"),
    ("ann_cross_validation", "hold_out"),
    ("ann_cross_validation", "confusion_matrix"),
    ("ann_cross_validation", "train_class_ann"),
]


class Reading(ast.NodeTransformer):
    """Let all calls of a function, but those of its new name, read its result."""

    def __init__(self, name):
        self.name = name

    def visit_Call(self, node):
        """Put what reads the result around a call."""
        self.generic_visit(node)
        if getattr(node.func, "id", "") == self.name:
            return ast.Call(ast.Name("lee", ast.Load()), [node], [])
        return node


def in_a_form(name, form, wrong=False):
    """Return the model answer where one function returns its values in a form that its callers
    need.
    """
    tree = Reading(name).visit(ast.parse(MODEL.read_text(encoding="utf-8")))
    own = next(each for each in tree.body if getattr(each, "name", "") == name)
    own.name = "valores_de"
    header, args = ast.unparse(own.args), own.args
    given = [each.arg for each in [*args.posonlyargs, *args.args]]
    given += [f"{each.arg}={each.arg}" for each in args.kwonlyargs]
    makes, reads = {**FORMS, **TABLES}[form]
    more = f"""
def pone(r):
    return {makes}


def lee(r):
    return {reads}


def {name}({header}):
    return pone(tuple(valores_de({", ".join(given)})){"[::-1]" * wrong})
"""
    tree.body[1:1] = ast.parse("import numpy as np\nimport torch\n" + TYPES).body
    tree.body += ast.parse(more).body
    return ast.unparse(ast.fix_missing_locations(tree)).encode()


def outcomes(row, source, helpers):
    """Return the checks of a row that do not pass."""
    solution = LocalSolution(load_source(source, "ana.py"), "ana.py")
    checks = [each for each in load_checks().values() if each.row == row]
    found = [run_check(each, solution, max_examples=2, helpers=helpers) for each in checks]
    return [each.id for each in found if each.verdict != "pass"]


@pytest.mark.parametrize(("row", "helper", "form"), one_in(4, CALLS))
def test_who_reads_the_result_of_an_own_function_reads_that_of_a_stand_in(row, helper, form):
    """A tuple with names, an object with methods, an array: whatever the file makes of it."""
    assert outcomes(row, in_a_form(helper, form), ()) == []


@pytest.mark.parametrize(
    ("row", "helper", "form"),
    one_in(6, [(*pair, form) for pair, form in product(WRONG, FORMS)]),
)
def test_a_right_helper_has_the_form_of_the_wrong_one(row, helper, form):
    """Its values are in another order, and its callers know its form."""
    assert outcomes(row, in_a_form(helper, form, wrong=True), {helper}) == []
