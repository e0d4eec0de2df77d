"""What only a person should look at: instructors find each name once, everywhere.

Students read nothing of it.
"""

import csv
from dataclasses import replace

import marked_class as some
import pytest
from click.testing import CliRunner
from run_in_gradescope import gradescope
from submissions import MODEL

from practica.cli import main
from practica.grading.classroom.exports import write_grades
from practica.grading.engine.result import Entry
from practica.grading.report.moodle_comment import comment
from practica.grading.report.pages import feedback_page, index_page
from practica.grading.report.words import flags_of, said
from practica.grading.sandbox.probe import probe

NAMES = ("os.system", "numpy.load")
needs_sandbox = pytest.mark.skipif(
    probe().level == "none", reason=f"no sandbox works here: {probe().failures}"
)


def flag(name="os.system", line=7, **changes):
    """Return a rule as the result has it."""
    return replace(some.rule("calls.suspicious", line, name=name), cost="flag", **changes)


def with_rules(made, *rules):
    """Return a submission of which the first functions have these rules, each its own."""
    own = [*rules, *[()] * len(made.functions)]
    both = zip(made.functions, own, strict=False)
    return replace(
        made, functions=tuple(replace(function, rules=tuple(each)) for function, each in both)
    )


def flagged(identifier="ana"):
    """Return a right submission that uses something in the whole file, and something in one
    function.
    """
    first, others = [flag(line=7)], [flag("numpy.load", 10), flag("os.system", 3)]
    return with_rules(some.all_right(identifier), first, [*first, *others], first, first)


def test_one_name_is_one_line():
    """The first of its lines; which functions it is about is said where it is not all of them."""
    assert [(each.name, each.line, each.functions) for each in flags_of(flagged())] == [
        ("os.system", 3, ()),
        ("numpy.load", 10, ("accuracy",)),
    ]
    assert [each.sentence for each in flags_of(flagged(), "en")] == [
        "line 3: It uses os.system, which can run code that the file does not show.",
        "line 10: It uses numpy.load, which can run code that the file does not show. In accuracy.",
    ]


def test_a_line_of_a_notebook_is_that_of_its_cell():
    """As everywhere."""
    made = replace(flagged(), cells=((0, 0), (1, 1), (1, 2), (1, 3)))
    assert flags_of(made, "es")[0].sentence.startswith("línea 2 de la celda 1: Usa os.system")


def test_what_has_no_name_is_told_by_its_sentence():
    """Of a whole file or of some functions, and without a line if there is none."""
    rules = [flag(None, None, id="source.encoding", facts={})]
    made = with_rules(some.all_right("ana"), rules, rules)
    (told,) = flags_of(made, "en")
    assert (told.name, told.line) == ("source.encoding", None)
    assert told.sentence.startswith("The file is not saved as UTF-8")
    assert told.sentence.endswith("In classify_outputs, accuracy.")


def test_where_a_file_stops_is_said_to_its_student():
    """Without it nobody understands why the others are missing."""
    stop = flag(
        line=3,
        id="source.stopped",
        facts={"variant": "input", "statement": "input()", "error": "EOFError"},
    )
    made = with_rules(some.all_right("ana"), [stop])
    assert flags_of(made) == []
    assert "input()" in said(made).functions[0].rules[0].sentence


@pytest.mark.parametrize("lang", ["es", "en"])
def test_no_student_reads_of_it(lang):
    """On the page, in Moodle, in Gradescope: they are as if it were not there."""
    made, plain = flagged(), some.all_right("ana")
    whole = some.result([made])
    assert feedback_page(made, whole, lang) == feedback_page(plain, whole, lang)
    assert comment(made, lang) == comment(plain, lang)
    assert gradescope(made, lang) == gradescope(plain, lang)


@pytest.mark.parametrize("lang", ["es", "en"])
def test_the_page_of_the_class_tells_all_and_marks_the_rows(lang):
    """Who it is, what, and where; nobody else is marked, and nothing says that all is well."""
    page = index_page(some.result([flagged("ana"), some.all_right("zoe")]), lang)
    told = page.partition('id="exceptions"')[2].partition("</section>")[0]
    assert [told.count(name) for name in NAMES] == [1, 1]
    assert page.count('data-status="graded flagged"') == 1
    assert '<option value="flagged">' in page
    row = page.partition('<tr class="flagged"')[2].partition("</tr>")[0]
    assert "ana" in row
    assert all(name in row for name in NAMES)
    assert 'class="flagged"' not in index_page(some.result([some.all_right("zoe")]), lang)


def test_a_rule_that_several_break_names_what_they_use():
    """In place of a gap."""
    names = ("sklearn.metrics.accuracy_score", "sklearn.metrics.f1_score")
    rules = [some.rule("calls.forbidden", 6, name=name) for name in names]
    functions = [some.function("accuracy", "rule", rules=[rule]) for rule in rules]
    broken = [some.submission(f"s{at}", [function]) for at, function in enumerate(functions)]
    worst = (
        index_page(some.result(broken), "en").partition('id="worst"')[2].partition("</section>")[0]
    )
    assert f"It needs {', '.join(names)}, which already does what has to be written" in worst


def test_the_table_of_grades_has_a_column(tmp_path):
    """A name and its line each."""
    entries = [Entry("ana", "Ana"), Entry("zoe", "Zoe")]
    write_grades(tmp_path / "grades.csv", entries, some.result([flagged(), some.all_right("zoe")]))
    with open(tmp_path / "grades.csv", encoding="utf-8-sig", newline="") as file:
        assert [row["flags"] for row in csv.DictReader(file)] == ["os.system:3; numpy.load:10", ""]


@pytest.mark.thorough
@needs_sandbox
def test_a_student_is_not_told_what_an_instructor_is(tmp_path, monkeypatch):
    """The same file in the hands of both, in the terminal: of the student everything is right."""
    monkeypatch.chdir(tmp_path)
    call = 'eval("np.mean")'
    source = MODEL.read_text(encoding="utf-8")
    line = next(
        at
        for at, text in enumerate(source.splitlines(), 1)
        if "float(np.mean(outputs == targets))" in text
    )
    (tmp_path / "ana.py").write_text(
        source.replace("np.mean(outputs == targets)", f"{call}(outputs == targets)", 1)
    )
    (tmp_path / "rubric.toml").write_text(
        "only = ['accuracy']\n[functions.accuracy]\npoints = 1\nchecks = ['accuracy.bool.vector']\n"
    )
    checked = CliRunner().invoke(main, ["check", "ana.py", "accuracy", "--lang", "en"])
    assert (checked.exit_code, checked.output) == (0, "0.20 right  accuracy\n")
    graded = CliRunner().invoke(
        main, ["grade", "ana.py", "--rubric", "rubric.toml", "--lang", "en"]
    )
    assert graded.exit_code == 1
    told = [text.strip() for text in graded.output.splitlines() if "eval" in text]
    assert told == [
        f"ana: line {line}: It uses eval, which can run code that the file does not show."
    ]
