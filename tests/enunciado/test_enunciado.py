"""The statement, in both languages: it asks for what is checked, allows what the rubric does, and its examples run."""

import ast
import doctest
import fnmatch
import re
import runpy
import sys
import types
from pathlib import Path

import pytest

import practica
from practica.checks.framework import load_checks
from practica.grading.rubric import RULES, load_rubric

FOLDER = Path(__file__).parents[2] / "enunciado"
STATEMENTS = {
    lang: (FOLDER / name).read_text("utf-8") for lang, name in (("es", "enunciado.md"), ("en", "statement.en.md"))
}
RUBRIC = load_rubric()
FAMILIES = sorted({rule.partition(".")[0] for rule in RULES})
ID = re.compile(rf"`((?:{'|'.join(RUBRIC.rows)})\.[\w.]+\w)`")
RULE = re.compile(rf"`((?:{'|'.join(FAMILIES)})\.\w+)`")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)

LANGUAGES = pytest.mark.parametrize("lang", STATEMENTS)


def headings(text: str) -> list[str]:
    """List the headings with their marks."""
    return re.findall(r"^#+ .*$", BLOCK.sub("", text), flags=re.MULTILINE)


def sections(text: str) -> dict[str, str]:
    """Return the part of the text on each row of the rubric, by the headings that give points."""
    parts = re.split(r"^(##+ .*)$", text, flags=re.MULTILINE)
    with_points = [
        (head, body) for head, body in zip(parts[1::2], parts[2::2], strict=True) if re.search(r"\d\.\d\d", head)
    ]
    return {row: f"{head}\n{body}" for row, (head, body) in zip(RUBRIC.rows, with_points, strict=True)}


def tables(text: str) -> list[list[list[str]]]:
    """List the tables, each as its rows of cells, without the rule under the head."""
    blocks = re.findall(r"(?:^\|.*\|\n)+", text, flags=re.MULTILINE)
    rows = [[[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()] for block in blocks]
    return [[cells for cells in table if set(cells[0]) != {"-"}] for table in rows]


@LANGUAGES
def test_every_check_is_a_requirement_and_every_requirement_has_its_check(lang):
    """The marks in the text are the ids of the registered checks, in the part on their function."""
    checks = load_checks()
    for row, part in sections(STATEMENTS[lang]).items():
        assert set(ID.findall(part)) == {check.id for check in checks.values() if check.row == row}
    assert set(ID.findall(STATEMENTS[lang])) == set(checks)


@LANGUAGES
def test_every_rule_is_explained(lang):
    """Each once, in the order of the rubric's."""
    assert RULE.findall(STATEMENTS[lang]) == list(RULES)


@LANGUAGES
def test_the_headers_are_those_of_the_template(lang):
    """Each function has a block with its header."""
    template = {
        node.name: ast.unparse(node.args)
        for node in ast.parse((FOLDER / "plantilla.py").read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
    }
    blocks = [block for _, block in BLOCK.findall(STATEMENTS[lang]) if block.startswith("def ")]
    headers = [ast.parse(f"{block.rstrip()} ...").body[0] for block in blocks]
    assert [header.name for header in headers] == list(template)
    assert {header.name: ast.unparse(header.args) for header in headers} == template


@LANGUAGES
def test_points_and_loops_are_those_of_the_rubric(lang):
    """In the table, in its total and in the headings."""
    table = next(table for table in tables(STATEMENTS[lang]) if len(table) == len(RUBRIC.rows) + 2)
    listed = {cells[0].strip("`"): cells[1:] for cells in table[1:-1]}
    assert listed == {
        name: [f"{row.points:.2f}", "–" if row.max_loops is None else str(row.max_loops)]
        for name, row in RUBRIC.rows.items()
    }
    assert table[-1][1] == f"**{RUBRIC.max_points:.2f}**"
    for name, part in sections(STATEMENTS[lang]).items():
        head = part.splitlines()[0]
        assert f"`{RUBRIC.rows[name].function}`" in head
        assert f"{RUBRIC.rows[name].points:.2f}" in head


@LANGUAGES
def test_what_is_called_forbidden_is_and_what_is_called_allowed_is_not(lang):
    """Every name of the table, for every function of its row."""
    table = next(table for table in tables(STATEMENTS[lang]) if "`sklearn.svm.SVC`" in table[-1][-1])
    judged = set()
    for functions, forbidden, allowed in table[1:]:
        for function in re.findall(r"`(\w+)`", functions):
            rows = [row for row in RUBRIC.rows.values() if row.function == function]
            judged |= {row.name for row in rows}
            for row in rows:
                for names, expected in ((forbidden, True), (allowed, False)):
                    for name in re.findall(r"`([\w.]+)`", names):
                        assert any(fnmatch.fnmatchcase(name, pattern) for pattern in row.forbidden) == expected, name
    assert {row for row in RUBRIC.rows if "normali" not in row} <= judged


def test_comprehensions_and_hidden_loops_are_advice_as_the_text_says():
    """For every function of the rubric."""
    assert {(row.comprehensions, row.hidden_loops) for row in RUBRIC.rows.values()} == {("advice", "advice")}


def reference() -> dict:
    """Return the reference as the statement speaks of it: the matrix is an eighth value."""
    functions = {name: getattr(practica, name) for name in practica.__all__}

    def confusion_matrix(*args, **kwargs):
        result = practica.confusion_matrix(*args, **kwargs)
        return (*result, result.matrix)

    return functions | {"confusion_matrix": confusion_matrix}


def model_answer() -> dict:
    """Return the names of the model answer."""
    names = runpy.run_path(str(FOLDER / "profesorado" / "solucion.py"))
    return {name: value for name, value in names.items() if not name.startswith("_")}


@pytest.mark.parametrize(("lang", "solution"), [("es", reference), ("en", model_answer)])
def test_the_examples_print_what_the_text_says(lang, solution, monkeypatch):
    """With the reference in one language, with the model answer in the other; all examples are one session."""
    module = types.ModuleType("solucion")
    vars(module).update(solution())
    monkeypatch.setitem(sys.modules, "solucion", module)
    examples = "\n".join(
        block for language, block in BLOCK.findall(STATEMENTS[lang]) if language == "python" and ">>>" in block
    )
    session = doctest.DocTestParser().get_doctest(examples, {}, lang, lang, 0)
    assert len(session.examples) > 50
    report: list[str] = []
    assert doctest.DocTestRunner().run(session, out=report.append).failed == 0, "".join(report)


def test_both_languages_have_the_same_structure():
    """Headings, marks, code, tables and questions: in the same places, and no words of the one in the other."""
    es, en = STATEMENTS["es"], STATEMENTS["en"]
    assert [head.split()[0] for head in headings(es)] == [head.split()[0] for head in headings(en)]
    assert [re.findall(r"`.*?`|\d\.\d\d", head) for head in headings(es)] == [
        re.findall(r"`.*?`|\d\.\d\d", head) for head in headings(en)
    ]
    assert ID.findall(es) == ID.findall(en)
    assert [(len(table), len(table[0])) for table in tables(es)] == [
        (len(table), len(table[0])) for table in tables(en)
    ]
    questions = re.findall(r"^> \*\*Pregunta (\d\.\d+)\.\*\*", es, flags=re.MULTILINE)
    assert questions == re.findall(r"^> \*\*Question (\d\.\d+)\.\*\*", en, flags=re.MULTILINE)
    assert len(questions) == len(set(questions)) > 20
    assert es.count("\n- ") == en.count("\n- ")
    assert es.count("**Bucles:**") == en.count("**Loops:**") == len(RUBRIC.rows)
    assert [block for kind, block in BLOCK.findall(es) if kind] == [block for kind, block in BLOCK.findall(en) if kind]
