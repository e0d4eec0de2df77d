"""The template that students fill in: the headers of the statement, documented, and nothing that
solves anything.
"""

import ast
import inspect
import runpy
from pathlib import Path

import pytest
from click.testing import CliRunner

import practica
from practica.cli import main

ROOT = Path(__file__).parents[2]
TEMPLATES = {
    lang: ROOT / "enunciado" / name
    for lang, name in (("es", "plantilla.py"), ("en", "template.py"))
}
SOURCES = {lang: template.read_text(encoding="utf-8") for lang, template in TEMPLATES.items()}
DEFINITIONS = {
    lang: {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    for lang, source in SOURCES.items()
}
PUBLIC = [
    name
    for name in practica.__all__
    for value in [getattr(practica, name)]
    if inspect.isfunction(value) and value.__module__.startswith("practica.reference.")
]
NOT_IN_THE_STATEMENT = {"random_state", "normalization", "progress", "n_jobs", "device"}

LANGUAGES = pytest.mark.parametrize("lang", TEMPLATES)
FUNCTIONS = pytest.mark.parametrize("name", DEFINITIONS["es"])


def parameters(function) -> list[tuple]:
    """List (name, kind, default) of each parameter."""
    return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]


@LANGUAGES
def test_the_template_has_the_public_functions_of_the_reference(lang):
    """Each once, and no other."""
    assert sorted(DEFINITIONS[lang]) == sorted(PUBLIC)


def test_both_templates_are_one_program():
    """Their docstrings aside."""
    spanish, english = map(ast.parse, SOURCES.values())
    for tree in (spanish, english):
        for node in (tree, *(each for each in tree.body if isinstance(each, ast.FunctionDef))):
            del node.body[0]
    assert ast.unparse(spanish) == ast.unparse(english)


@LANGUAGES
@FUNCTIONS
def test_a_header_of_the_template_is_that_of_the_reference(name, lang):
    """Names, kinds, order and defaults.

    The reference has a few more options, all of them to be passed by name.
    """
    reference = parameters(getattr(practica, name))
    more = [parameter for parameter in reference if parameter[0] in NOT_IN_THE_STATEMENT]
    assert parameters(runpy.run_path(str(TEMPLATES[lang]))[name]) == [
        each for each in reference if each not in more
    ]
    assert all(kind is inspect.Parameter.KEYWORD_ONLY for _, kind, _ in more)


@LANGUAGES
@FUNCTIONS
def test_a_function_of_the_template_tells_its_parameters_and_solves_nothing(name, lang):
    """Its body is a docstring that names every parameter, and a `raise NotImplementedError`."""
    definition = DEFINITIONS[lang][name]
    docstring = ast.get_docstring(definition)
    described = {
        word.strip()
        for line in docstring.splitlines()
        for word in line.partition(":")[0].split(",")
    }
    assert (
        set(inspect.signature(getattr(practica, name)).parameters) - NOT_IN_THE_STATEMENT
        <= described
    )
    assert [ast.unparse(statement) for statement in definition.body[1:]] == [
        "raise NotImplementedError"
    ]


@pytest.mark.slow
def test_the_untouched_template_is_told_what_to_write_first():
    """In one sentence, with the section that explains it: nothing is wrong yet."""
    done = CliRunner().invoke(main, ["check", str(TEMPLATES["en"]), "--lang", "en"])
    assert done.exit_code == 1
    assert "You could begin with one_hot_encoding" in done.output
    assert done.output.splitlines()[1:] == [
        "It is explained in statement.html#one_hot_encoding--002-points"
    ]


@pytest.mark.thorough
def test_after_a_function_is_written_the_next_one_is_named(tmp_path):
    """The functions that are still those of the template are not told one by one."""
    file = tmp_path / "solucion.py"
    written = "def accuracy(outputs, targets, *, threshold=0.5):\n    return 0.5\n"
    file.write_text(f"{SOURCES['es']}\n\n{written}", encoding="utf-8")
    output = CliRunner().invoke(main, ["check", str(file)]).output
    assert "Funciones por escribir: 15. La siguiente es one_hot_encoding" in output
    assert "\n    accuracy(" in output
    assert "NotImplementedError" not in output
