"""The statement, in both languages: it asks for what is checked, allows what the rubric does, and
its examples run.
"""

import ast
import doctest
import fnmatch
import re
import runpy
import sys
import tomllib
import types
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from draw_statement import DRAWINGS
from lanes import one_in
from sklearn.datasets import load_wine
from sklearn.tree import DecisionTreeClassifier

import practica
from practica.grading.engine.framework import load_checks
from practica.grading.engine.rubric import RULES, load_rubric
from practica.grading.inside.preload import AVAILABLE
from practica.grading.report.messages import catalogue
from practica.grading.student.anchors import anchor

FOLDER = Path(__file__).parents[2] / "enunciado"
STATEMENTS = {
    lang: (FOLDER / name).read_text("utf-8")
    for lang, name in (("es", "enunciado.md"), ("en", "statement.en.md"))
}
INSTALLATIONS = {"es": FOLDER / "instalacion.md", "en": FOLDER / "installation.md"}
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
        (head, body)
        for head, body in zip(parts[1::2], parts[2::2], strict=True)
        if re.search(r"\d\.\d\d", head)
    ]
    return {
        row: f"{head}\n{body}" for row, (head, body) in zip(RUBRIC.rows, with_points, strict=True)
    }


def tables(text: str) -> list[list[list[str]]]:
    """List the tables, each as its rows of cells, without the rule under the head."""
    blocks = re.findall(r"(?:^\|.*\|\n)+", text, flags=re.MULTILINE)
    rows = [
        [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
        for block in blocks
    ]
    return [[cells for cells in table if set(cells[0]) != {"-"}] for table in rows]


def contents(text: str) -> list[list[str]]:
    """List the rows of the table of contents, without its head."""
    return next(table for table in tables(text) if table[1][0].startswith("**["))[1:]


@LANGUAGES
def test_the_statement_lists_the_packages_that_marking_has(lang):
    """Those of which the check does not warn, with the oldest versions that this package allows,
    Python's too.
    """
    paragraph = next(each for each in STATEMENTS[lang].split("\n\n") if "`joblib`" in each)
    listed = re.findall(r"`([a-z]+)`\s(\d+\.\d+)", paragraph)
    assert tuple(name for name, _ in listed) == AVAILABLE
    project = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {re.match(r"[\w-]+>=[\d.]+", each)[0] for each in project["dependencies"]}
    assert {
        f"{ {'sklearn': 'scikit-learn'}.get(name, name) }>={version}" for name, version in listed
    } <= declared
    assert re.search(r"Python (\S+)", paragraph)[1] == project["requires-python"].removeprefix(">=")


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
    """In the contents, before the first function and in the headings."""
    listed = [
        cells[1:3] for cells in contents(STATEMENTS[lang]) if re.fullmatch(r"\d\.\d\d", cells[1])
    ]
    rows = RUBRIC.rows.values()
    assert listed == [
        [f"{row.points:.2f}", "–" if row.max_loops is None else str(row.max_loops)] for row in rows
    ]
    assert f"{RUBRIC.max_points:.2f}" in STATEMENTS[lang].partition("\n### `")[0]
    for name, part in sections(STATEMENTS[lang]).items():
        head = part.splitlines()[0]
        assert f"`{RUBRIC.rows[name].function}`" in head
        assert f"{RUBRIC.rows[name].points:.2f}" in head


@LANGUAGES
def test_a_cause_names_parts_that_the_statement_has(lang):
    """What a sentence on a mistake puts in quotes is the beginning of a paragraph, a column or a
    heading.
    """
    causes = [text for id, text in catalogue(lang).items() if id.startswith("mistake.")]
    quoted = set(re.findall(r"[“«]([^”»]+)[”»]", "\n".join(causes)))
    assert len(quoted) > 5
    text = STATEMENTS[lang]
    assert {
        name
        for name in quoted
        if not re.search(rf"^(\*\*|#+ |\|.*\| )?{re.escape(name)}", text, flags=re.M)
    } == set()


@LANGUAGES
def test_what_is_called_forbidden_is_and_what_is_called_allowed_is_not(lang):
    """Every name of the table, for every function of its row."""
    table = next(
        table for table in tables(STATEMENTS[lang]) if "`sklearn.svm.SVC`" in table[-1][-1]
    )
    judged = set()
    for functions, forbidden, allowed in table[1:]:
        for function in re.findall(r"`(\w+)`", functions):
            rows = [row for row in RUBRIC.rows.values() if row.function == function]
            judged |= {row.name for row in rows}
            for row in rows:
                for names, expected in ((forbidden, True), (allowed, False)):
                    for name in re.findall(r"`([\w.]+)`", names):
                        assert (
                            any(fnmatch.fnmatchcase(name, pattern) for pattern in row.forbidden)
                            == expected
                        ), name
    assert {row for row in RUBRIC.rows if "normali" not in row} <= judged


def test_comprehensions_and_hidden_loops_are_advice_as_the_text_says():
    """For every function of the rubric."""
    assert {(row.comprehensions, row.hidden_loops) for row in RUBRIC.rows.values()} == {
        ("advice", "advice")
    }


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


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "solution"), [("es", reference), ("en", model_answer)])
def test_the_examples_print_what_the_text_says(lang, solution, monkeypatch):
    """With the reference in one language, with the model answer in the other.

    All examples are one session.
    """
    module = types.ModuleType("solucion")
    vars(module).update(solution())
    monkeypatch.setitem(sys.modules, "solucion", module)
    examples = "\n".join(
        block
        for language, block in BLOCK.findall(STATEMENTS[lang])
        if language == "python" and ">>>" in block
    )
    session = doctest.DocTestParser().get_doctest(examples, {}, lang, lang, 0)
    assert len(session.examples) > 50
    report: list[str] = []
    assert doctest.DocTestRunner().run(session, out=report.append).failed == 0, "".join(report)


@pytest.mark.parametrize(("lang", "solution"), one_in(2, [("es", reference), ("en", model_answer)]))
def test_a_right_solution_gives_the_figures_to_expect(lang, solution):
    """Every model of the table, on several splits; what the text calls a mistake lies outside."""
    functions = solution()
    table = next(
        table
        for table in tables(STATEMENTS[lang])
        if table[1][0] == '`"ANN"`' and len(table[0]) == 3
    )[1:]
    text = STATEMENTS[lang].replace("\n", " ")
    deviation = float(re.search(r"(?:no pasa de|at most) (\d\.\d\d):", text)[1])
    wines = load_wine()
    inputs = functions["normalize_zero_mean"](wines.data[:, 1:5])
    ranges = {}
    for name, hyperparameters, figures in table:
        model, options = (ast.literal_eval(cell.strip("`")) for cell in (name, hyperparameters))
        low, high = ranges[model] = tuple(map(float, re.findall(r"\d\.\d+", figures)))
        for seed in range(3 if model == "ANN" else 10):
            np.random.seed(seed)  # noqa: NPY002, the generator that the statement requires
            torch.manual_seed(seed)
            indices = functions["crossvalidation"](wines.target, 5)
            values = functions["model_cross_validation"](
                model, options, inputs, wines.target, indices
            )
            assert low <= values[0][0] <= high, (model, seed)
            assert values[0][1] <= deviation, (model, seed)
    constant, raw, seen = (
        float(each) for each in re.findall(r"(?:Un|of|de|below|exceeds) (0\.\d\d)\b", text)[-3:]
    )
    assert constant == round(np.bincount(wines.target).max() / len(wines.target), 2)
    for model in ("ANN", "SVC"):
        options = next(ast.literal_eval(row[1].strip("`")) for row in table if model in row[0])
        values = functions["model_cross_validation"](
            model, options, wines.data[:, 1:5], wines.target, indices
        )
        assert values[0][0] < raw < ranges[model][0]
    tree = DecisionTreeClassifier(max_depth=4, random_state=1).fit(inputs, wines.target)
    assert ranges["DecisionTreeClassifier"][1] < seen < tree.score(inputs, wines.target)


def test_both_languages_have_the_same_structure():
    """Headings, marks, code, tables and questions: in the same places, and no words of the one in
    the other.
    """
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
    blocks = [
        [block.replace(" --lang en", "") for kind, block in BLOCK.findall(text) if kind]
        for text in (es, en)
    ]
    assert blocks[0] == blocks[1]


@LANGUAGES
def test_the_contents_name_every_heading_with_its_points(lang):
    """In their order; exercises with the sum of theirs, and with a time."""
    text = STATEMENTS[lang]
    rows = contents(text)
    heads = [head.partition(" ") for head in headings(text)]
    listed = re.findall(
        r"^\*{0,2}\[(.*)\]\(#(.*?)\)", "\n".join(row[0] for row in rows), flags=re.MULTILINE
    )
    first = next(number for number, (_, _, head) in enumerate(heads) if head == listed[0][0])
    exercises = {head for mark, _, head in heads if mark == "##" and re.match(r"\w+ \d:", head)}
    kept, above = [], ""
    for mark, _, head in heads[first:]:
        above = head if mark == "##" else above
        if mark == "##" or above in exercises:
            kept.append(head)
    assert [target for _, target in listed] == [anchor(head) for head in kept]
    assert [title for title, _ in listed] == [head.partition(" · ")[0] for head in kept]
    points = [float(row[1].strip("*") or 0) for row in rows]
    whole = [number for number, row in enumerate(rows) if row[0].startswith("**")]
    for start, end in zip(whole, [*whole[1:], None], strict=True):
        assert points[start] == pytest.approx(sum(points[start + 1 : end]))
    assert sum(points[number] for number in whole) == pytest.approx(RUBRIC.max_points)
    assert {kept[number] for number in whole if rows[number][3]} >= exercises


@LANGUAGES
def test_the_example_by_hand_is_right(lang):
    """Counts, fractions and means of the table, from the matrix above it."""
    found = tables(STATEMENTS[lang])
    place = next(number for number, table in enumerate(found) if table[0] == ["", "a", "b", "c"])
    matrix = np.array([[int(cell) for cell in row[1:]] for row in found[place][1:]])
    rows = found[place + 1][1:]
    values = []
    for number, row in enumerate(rows[:3]):
        right, total = matrix[number, number], matrix.sum()
        missed, false = matrix[number].sum() - right, matrix[:, number].sum() - right
        assert [int(cell) for cell in row[1:5]] == [
            right,
            missed,
            false,
            total - right - missed - false,
        ]
        outputs = np.repeat([True, False, True, False], [int(cell) for cell in row[1:5]])
        targets = np.repeat([True, True, False, False], [int(cell) for cell in row[1:5]])
        values.append(practica.confusion_matrix(outputs, targets)[2:7])
        for cell, value in zip(row[5:], values[-1], strict=True):
            fraction, _, shown = cell.rpartition(" = ")
            assert float(shown) == pytest.approx(value, abs=0.005)
            assert not fraction or float(Fraction(fraction)) == pytest.approx(value)
    for row, weights in zip(rows[3:], (matrix.sum(axis=1), None), strict=True):
        means = np.average(values, axis=0, weights=weights)
        assert [float(cell) for cell in row[5:]] == pytest.approx(means, abs=0.005)


@LANGUAGES
def test_the_commands_are_those_of_the_kit(lang):
    """Its file has its version in its name, and what students type exists."""
    text = STATEMENTS[lang] + INSTALLATIONS[lang].read_text("utf-8")
    assert set(re.findall(r"practica_kit-\S+\.whl", text)) == {
        f"practica_kit-{practica.__version__}-py3-none-any.whl"
    }
    typed = re.findall(
        r"^(?:\.venv\S+)?practica (.*)$|[`!]practica (.*?)`", text, flags=re.MULTILINE
    )
    commands = [first or second for first, second in typed]
    assert len(commands) > 6
    language = "" if lang == "es" else "( --lang en)?"
    assert [
        each
        for each in commands
        if not re.fullmatch(rf"(new p1|check( (p1/)?solucion\.py| accuracy)?){language}", each)
    ] == []


def test_the_drawings_are_those_that_the_script_draws():
    """And each statement shows its own."""
    for name, drawing in DRAWINGS.items():
        assert (FOLDER / name).read_text(encoding="utf-8") == drawing
        ElementTree.fromstring(drawing)
    shown = {lang: re.findall(r"!\[.{80,}\]\((.*?)\)", text) for lang, text in STATEMENTS.items()}
    assert sorted([*shown["es"], *shown["en"]]) == sorted(DRAWINGS)
