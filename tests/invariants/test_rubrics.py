"""Rubrics: the model answer has all points under each of them, and no verdict depends on what else
is marked.
"""

import ast
import json
import textwrap
from dataclasses import replace

import pytest
from budget import budget
from graded import SEED
from hypothesis import given, settings
from hypothesis import strategies as st
from judged import RUBRIC, judged
from submissions import MODEL, functions_that_use, submissions

from practica.grading.engine.framework import load_checks
from practica.grading.engine.grade import grade_submission
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source
from practica.grading.report.messages import LANGUAGES, say
from practica.grading.report.words import said
from practica.grading.sandbox.client import ProcessSolution
from practica.grading.student.check import Examiner

CHECKS = load_checks()
CHECKS_OF = {name: row.checks_of(CHECKS) for name, row in RUBRIC.rows.items()}
# here, two of their checks
SLOW = {"train_class_ann", "ann_cross_validation", "model_cross_validation"}
QUICK = [name for name in RUBRIC.rows if name not in SLOW]
SOURCE = MODEL.read_text(encoding="utf-8")
SHOULD_LOSE = {each.slug: {id.partition(".")[0] for id in each.fails} for each in submissions()}
WRONG = [
    each
    for each in submissions()
    if each.inside and each.fails and SHOULD_LOSE[each.slug].isdisjoint(SLOW)
]


def marked(source, rubric, solution=None):
    """Mark a file; all that is said of it has a sentence in both languages."""
    solution = solution or LocalSolution(load_source(source, "entrega.py"))
    result = grade_submission(source, solution, rubric, identifier="a", file="entrega.py")
    assert result.status == "graded", result.reason
    for function in result.functions:
        told = [(check.message, check.facts) for check in function.checks if check.message]
        for identifier, facts in [*told, *((rule.id, rule.facts) for rule in function.rules)]:
            assert all(say(identifier, facts, lang) for lang in LANGUAGES)
    return {function.name: function for function in result.functions}


def read(folder, text):
    """Return the rubric of a text."""
    path = folder.getbasetemp() / "rubric.toml"
    path.write_text(text, encoding="utf-8")
    return load_rubric(path, checks=CHECKS)


def toml(table):
    """Write a table of a rubric in one line."""
    values = {
        key: toml(value) if isinstance(value, dict) else json.dumps(value)
        for key, value in table.items()
    }
    return "{ " + ", ".join(f"{json.dumps(key)} = {value}" for key, value in values.items()) + " }"


@st.composite
def tables(draw, name, lists):
    """Draw what a rubric says of a function, or of a part of one: nothing that costs the model
    answer points.
    """
    points, checks = draw(st.integers(1, 300)), CHECKS_OF[name]
    if name in SLOW or draw(st.booleans()):
        checks = draw(st.lists(st.sampled_from(checks), min_size=1, max_size=2, unique=True))
    table = {
        "points": points / 100,
        "checks": checks,
        "on_broken_rule": draw(st.sampled_from(["zero", "cap"])),
        "cap": draw(st.integers(0, points)) / 100,
        "credit": draw(st.sampled_from(["all", "proportional", "steps"])),
        "steps": draw(st.integers(1, 9)),
        "weights": {
            each: draw(st.integers(1, 9)) for each in sorted(draw(st.sets(st.sampled_from(checks))))
        },
        "hidden_loops": draw(st.sampled_from(["allowed", "advice", "cost"])),
        "comprehensions": draw(st.sampled_from(["allowed", "advice", "cost"])),
    }
    if draw(st.booleans()):
        table["forbidden"] = draw(st.lists(st.sampled_from(lists), unique=True))
    return table


@st.composite
def rubrics(draw, names=tuple(RUBRIC.rows), most=4):
    """Draw a rubric of a few functions, in any order: as they are, with tables of their own, or a
    part of each.
    """
    base = draw(st.sampled_from(["official", "none"]))
    lists = ["jax.*", "scipy.stats.*"] + ["@metrics", "@partition", "@one_hot"] * (
        base == "official"
    )
    functions, only = {}, []
    for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=most, unique=True)):
        part = draw(st.booleans())
        if part or base == "none" or name in SLOW or draw(st.booleans()):
            functions[name + "_part" * part] = ({"part_of": name} if part else {}) | draw(
                tables(name, lists)
            )
        only.append(name + "_part" * part)
    return (
        f"extends = {json.dumps(base)}\nonly = {json.dumps(only)}\nfunctions = {toml(functions)}\n"
    )


@settings(max_examples=budget(5))
@given(rubrics())
def test_the_model_answer_has_all_points_under_every_rubric(tmp_path_factory, text):
    """Whichever functions and checks it marks, whatever they count, in whatever order."""
    rubric = read(tmp_path_factory, text)
    functions = marked(MODEL.read_bytes(), rubric)
    assert [*functions] == [*rubric.rows]
    assert {
        each.name: each.points for each in functions.values() if each.points != each.max_points
    } == {}


@settings(max_examples=budget(4))
@given(st.data())
def test_a_verdict_does_not_depend_on_what_else_is_marked(tmp_path_factory, data):
    """A wrong function loses its points, and those that call it keep theirs, marked with it or
    without it.
    """
    wrong = data.draw(st.sampled_from(WRONG), label="submission")
    affected = sorted(
        name
        for name in RUBRIC.rows
        if RUBRIC.rows[name].function in functions_that_use(wrong.differs)
    )
    names = data.draw(st.lists(st.sampled_from(affected), min_size=1, max_size=2, unique=True))
    names += [
        name
        for name in data.draw(st.lists(st.sampled_from(QUICK), max_size=2))
        if name not in names
    ]
    only = data.draw(st.permutations(names), label="only")
    few = {
        name: {"checks": data.draw(st.lists(st.sampled_from(CHECKS_OF[name]), min_size=1))}
        for name in SLOW & {*only}
    }
    functions = marked(
        wrong.source,
        read(tmp_path_factory, f"only = {json.dumps(only)}\nfunctions = {toml(few)}\n"),
    )
    assert {name for name, each in functions.items() if each.verdict != "pass"} == SHOULD_LOSE[
        wrong.slug
    ] & {*only}


def told(function, result):
    """Return what a function has lost, and what its student reads of it in both languages, but for
    secret examples.
    """
    alone = replace(result, functions=(function,))
    checks = {check.id for check in function.checks if check.verdict != "pass"}
    rules = [rule.id for rule in function.rules if rule.cost != "flag"]
    sentences = [
        [f"{each.likely}", *map(str, each.rules)]
        for lang in LANGUAGES
        for each in said(alone, lang).functions
    ]
    return function.verdict, function.points, function.max_points, checks, rules, sentences


@pytest.mark.thorough
@settings(max_examples=budget(1))
@given(st.data())
def test_check_and_grade_agree(tmp_path_factory, sandbox, data):
    """A student's own run, and one in a box where what is forbidden raises: as many points, and the
    same sentences.
    """
    wrong = data.draw(st.sampled_from(WRONG), label="submission")
    rubric = read(tmp_path_factory, data.draw(rubrics(QUICK, 2), label="rubric"))
    rubric = replace(
        rubric, rows=rubric.rows | {name: RUBRIC.rows[name] for name in SHOULD_LOSE[wrong.slug]}
    )
    file = tmp_path_factory.mktemp("entrega") / "solucion.py"
    file.write_bytes(wrong.source)
    with Examiner(file) as examiner:
        examiner.rubric = rubric
        checked = examiner.examine().submission
    with ProcessSolution(wrong.source, sandbox) as solution:
        graded = grade_submission(
            wrong.source, solution, rubric, identifier="a", file="solucion.py", seed=SEED
        )
    assert [told(each, checked) for each in checked.functions] == [
        told(each, graded) for each in graded.functions
    ]
    assert checked.points == graded.points


FORMS = {  # a function `name` with the text `code`, and the same one within other blocks
    "def": "{code}",
    "alias": "{renamed}\n{name} = _{name}",
    "factory": "def _crea_{name}():\n{inside}\n    return {name}\n\n\n{name} = _crea_{name}()",
    "decorated": "@_como_es\n{code}",
    "decorated by hand": "{renamed}\n{name} = _como_es(_{name})",
    "decorated with its name": "@_con_su_nombre\n{code}",
    "partial": "{renamed}\n{name} = functools.partial(_{name})",
    "lambda": "{renamed}\n{name} = lambda *a, **k: _{name}(*a, **k)",
    "object": "class _Clase_{name}:\n{called}\n\n\n{name} = _Clase_{name}()",
    "method": "class _Clase_{name}:\n{method}\n\n\n{name} = _Clase_{name}().{name}",
    "static method": (
        "class _Clase_{name}:\n    @staticmethod\n{inside}\n\n\n{name} = _Clase_{name}.{name}"
    ),
    "one of two": "{renamed}\n{name}, _nada = _{name}, None",
}
DECORATORS = """
import functools

def _como_es(funcion):
    def otra(*args, **kwargs):
        return funcion(*args, **kwargs)
    return otra

def _con_su_nombre(funcion):
    return functools.wraps(funcion)(_como_es(funcion))

def _recorre(datos):
    for dato in datos:
        pass

def _codifica(datos):
    one_hot_encoding(np.array(["a", "b", "c"]))
"""


def renamed(forms, source=SOURCE):
    """Return a file whose functions get their names in other ways."""
    lines, nodes = (
        source.splitlines(),
        {getattr(node, "name", ""): node for node in ast.parse(source).body},
    )
    for name, form in sorted(forms.items(), key=lambda each: -nodes[each[0]].lineno):
        node = nodes[name]
        code = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        head, inside = f"def {name}(", textwrap.indent(code, "    ")
        lines[node.lineno - 1 : node.end_lineno] = (
            FORMS[form]
            .format(
                name=name,
                code=code,
                inside=inside,
                renamed=code.replace(head, f"def _{name}(", 1),
                called=inside.replace(head, "def __call__(self, ", 1).replace(
                    "self, \n", "self,\n", 1
                ),
                method=inside.replace(head, f"{head}self, ", 1).replace("self, \n", "self,\n", 1),
            )
            .splitlines()
        )
    return DECORATORS + "\n".join(lines) + "\n"


def charged(source, row, rubric=RUBRIC):
    """Return the lines of loops that cost a row its points."""
    rules = [each for each in judged(source, row, rubric=rubric) if each.severity == "broken"]
    return sorted(
        {
            line
            for each in rules
            if each.id.startswith("loops")
            for line in each.message_facts["lines"]
        }
    )


names_of_functions = st.fixed_dictionaries(
    dict.fromkeys(
        ["one_hot_encoding", "build_class_ann", "confusion_matrix", "crossvalidation"],
        st.sampled_from([*FORMS]),
    )
)


@pytest.mark.thorough
@settings(max_examples=budget(12))
@given(
    names_of_functions,
    st.lists(st.sampled_from([*RUBRIC.rows]), min_size=1, max_size=6, unique=True),
)
def test_the_loops_of_a_function_are_its_own_however_it_got_its_name(tmp_path_factory, forms, only):
    """Those of the model answer are what each may have, and no other function is charged with
    them.
    """
    rubric = read(tmp_path_factory, f"only = {json.dumps(only)}\n")
    assert {row: charged(renamed(forms), row, rubric) for row in only} == {row: [] for row in only}


CALLERS = {  # without loops over patterns, and what each has of them
    "accuracy": "outputs",
    "classify_outputs": "outputs",
    "hold_out": "range(N)",
    "confusion_matrix": "outputs",
    "crossvalidation": "np.atleast_1d(N)",
}


@settings(max_examples=budget(12))
@given(st.sampled_from([*CALLERS]), st.sampled_from([*FORMS]), st.booleans(), names_of_functions)
def test_a_loop_of_a_plain_helper_is_the_callers(caller, form, through, forms):
    """However the caller got its name.

    What the helper asks another function of the assignment for is that one's.
    """
    row = "confusion_matrix_binary" if caller == "confusion_matrix" else caller
    body = next(node for node in ast.parse(SOURCE).body if getattr(node, "name", "") == caller).body
    lines = SOURCE.splitlines()
    helper = "_codifica" if through else "_recorre"
    lines.insert(body[1].lineno - 1, f"    {helper}({CALLERS[caller]})")
    source = renamed({**forms, caller: form}, "\n".join(lines))
    assert (charged(source, row) == []) is through
