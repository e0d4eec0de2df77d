"""The rubric: the official criteria, an instructor's own, and refusals that say the line and the
reason.
"""

import re
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from practica.grading.engine.framework import load_checks
from practica.grading.engine.grade import grade_submission
from practica.grading.engine.lateness import LateRule
from practica.grading.engine.rubric import (
    RubricError,
    forbidden_together,
    load_rubric,
    official_rubric,
)
from practica.grading.sandbox.client import ProcessSolution

OFFICIAL = load_rubric()

MINIMAL = """\
name = "Mía"
[functions.accuracy]
points = 1.5
[functions.hold_out]
points = 2
"""


def load(tmp_path, text, **options):
    """Load a rubric given as text."""
    file = tmp_path / "rubric.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_rubric(file, **options)


def test_the_official_criteria_add_up():
    """Seventeen rows, 2.50 points, exactly."""
    assert len(OFFICIAL.rows) == 17
    assert (
        sum(row.points for row in OFFICIAL.rows.values()) == OFFICIAL.max_points == Decimal("2.50")
    )


def test_the_points_of_the_official_criteria():
    """As the marking criteria print them."""
    points = {name: str(row.points) for name, row in OFFICIAL.rows.items()}
    assert points == {
        **dict.fromkeys(list(points)[:7], "0.02"),
        "classify_outputs": "0.25",
        "accuracy": "0.20",
        "build_class_ann": "0.25",
        "hold_out": "0.10",
        "train_class_ann": "0.32",
        "confusion_matrix_binary": "0.32",
        "confusion_matrix_multiclass": "0.32",
        "crossvalidation": "0.10",
        "ann_cross_validation": "0.30",
        "model_cross_validation": "0.20",
    }


def test_what_a_row_needs_is_what_it_may_use():
    """Models learn in one row only, and there, too, not those that cross-validate by themselves."""
    needs = {name: row.needs for name, row in OFFICIAL.rows.items() if row.needs}
    assert list(needs) == ["model_cross_validation"]
    assert "sklearn.svm.*" in needs["model_cross_validation"]
    assert "sklearn.svm.*" in OFFICIAL.rows["accuracy"].forbidden
    assert not {*needs["model_cross_validation"]} & {
        *OFFICIAL.rows["model_cross_validation"].forbidden
    }


def test_what_one_row_may_use_no_wider_pattern_of_another_forbids():
    """They do not share a process, whichever pattern is the wider one."""
    rows = OFFICIAL.rows
    for pattern in ("sklearn.*", "sklearn.svm.SVC", "sklearn.svm.*"):
        other = replace(rows["accuracy"], forbidden=(pattern,))
        forbidden = forbidden_together([other, rows["model_cross_validation"]])
        assert pattern not in forbidden["model_cross_validation"]


def test_the_limits_of_loops_of_the_statement():
    """For the whole function, and for its overloads where they differ."""
    limits = {name: row.max_loops for name, row in OFFICIAL.rows.items() if row.max_loops}
    assert limits == {
        "one_hot_encoding": 1,
        "build_class_ann": 1,
        "train_class_ann": 1,
        "crossvalidation": 2,
    }
    assert [overload.max_loops for overload in OFFICIAL.rows["crossvalidation"].overloads] == [
        0,
        0,
        1,
        1,
    ]
    unlimited = {name for name, row in OFFICIAL.rows.items() if row.max_loops is None}
    assert unlimited == {
        "confusion_matrix_binary",
        "confusion_matrix_multiclass",
        "ann_cross_validation",
        "model_cross_validation",
    }


def test_a_copy_of_the_official_criteria_is_the_same_rubric(tmp_path):
    """It is the example to start from."""
    assert load(tmp_path, official_rubric().read_bytes()) == OFFICIAL
    windows = load(
        tmp_path, b"\xef\xbb\xbf" + official_rubric().read_bytes().replace(b"\n", b"\r\n")
    )
    assert windows.rows == OFFICIAL.rows
    assert windows.sha256 != OFFICIAL.sha256


def test_what_a_rubric_does_not_say_is_that_of_the_official_criteria(tmp_path):
    """Four lines change the points of a function, and neither what is forbidden to it nor what
    rules cost.
    """
    rubric = load(tmp_path, '[functions.accuracy]\npoints = 0.50\n[costs]\ncalls = "zero"\n')
    assert rubric.rows["accuracy"] == replace(
        OFFICIAL.rows["accuracy"], points=Decimal("0.50"), costs=rubric.rows["accuracy"].costs
    )
    assert rubric.rows.keys() == OFFICIAL.rows.keys()
    assert rubric.rows["hold_out"].points == OFFICIAL.rows["hold_out"].points
    assert (rubric.flagged, rubric.packages) == (OFFICIAL.flagged, OFFICIAL.packages)
    assert rubric.max_points == Decimal("2.80")
    assert {
        rule: rubric.rows["accuracy"].cost_of(rule)
        for rule in ("calls.forbidden", "calls.suspicious")
    } == {
        "calls.forbidden": "zero",
        "calls.suspicious": "flag",
    }


def test_four_lines_of_points_do_not_allow_forbidden_calls(tmp_path, sandbox):
    """`sklearn.metrics.accuracy_score` earns nothing, whatever the points are."""
    rubric = load(tmp_path, 'name = "Mía"\nonly = ["accuracy"]\n[functions.accuracy]\npoints = 1\n')
    source = b"from sklearn.metrics import accuracy_score\n"
    source += b"def accuracy(o, t, threshold=0.5): return accuracy_score(t, o)\n"
    with ProcessSolution(source, sandbox) as solution:
        submission = grade_submission(source, solution, rubric, identifier="a", file="a.py")
    assert submission.points == 0
    assert "calls.forbidden" in {rule.id for rule in submission.functions[0].rules}


def test_some_functions_alone_are_marked(tmp_path):
    """Those that `only` lists, in its order; their points are all there are."""
    rubric = load(tmp_path, 'only = ["hold_out", "accuracy"]\nmax_points = 0.30\n')
    assert [row.name for row in rubric.rows.values()] == ["hold_out", "accuracy"]
    assert rubric.rows["accuracy"] == OFFICIAL.rows["accuracy"]


def test_a_cap_of_a_row_holds_though_the_official_criteria_cost_everything(tmp_path):
    """What a row says of its broken rules is not hidden by what it inherits."""
    text = '[functions.accuracy]\non_broken_rule = "cap"\ncap = 0.10\n'
    row = load(tmp_path, text).rows["accuracy"]
    assert [row.cost_of(rule) for rule in ("loops.too_many", "calls.suspicious")] == ["cap", "flag"]


def test_a_rubric_that_extends_nothing_may_say_little(tmp_path):
    """Signatures are the statement's, what looks suspicious costs nothing, and nothing else is
    asked for.
    """
    rubric = load(tmp_path, f'extends = "none"\n{MINIMAL}')
    row = rubric.rows["accuracy"]
    assert (rubric.name, rubric.max_points, row.points, row.checks) == (
        "Mía",
        Decimal("3.50"),
        Decimal("1.50"),
        ("accuracy.*",),
    )
    assert [overload.parameters for overload in row.overloads] == [
        overload.parameters for overload in OFFICIAL.rows["accuracy"].overloads
    ]
    assert (row.max_loops, row.forbidden, row.hidden_loops) == (None, (), "advice")
    assert (rubric.flagged, rubric.packages, list(rubric.rows)) == (
        (),
        (),
        ["accuracy", "hold_out"],
    )
    assert row.cost_of("calls.suspicious") == "flag"


def test_what_a_broken_rule_costs_is_looked_up_from_the_special_to_the_general(tmp_path):
    """The rule of the row, its family, those of the file, and the row's own default."""
    rubric = load(
        tmp_path,
        """
        [costs]
        loops = "flag"
        "signature.default" = "cap"
        [defaults]
        on_broken_rule = "cap"
        [functions.accuracy]
        points = 1
        cap = 0.25
        costs = {"loops.too_many" = "zero"}
        """,
    )
    row = rubric.rows["accuracy"]
    ids = [
        "loops.too_many",
        "loops.overload",
        "signature.default",
        "signature.keyword",
        "calls.forbidden",
    ]
    assert [row.cost_of(rule) for rule in ids] == ["zero", "flag", "cap", "cap", "cap"]
    assert row.cap == Decimal("0.25")


def test_a_row_has_the_checks_that_its_patterns_match(tmp_path):
    """In the order of the checks."""
    ids = ["accuracy.a", "accuracy.b.c", "accuracy2.a", "hold_out.x"]
    assert OFFICIAL.rows["accuracy"].checks_of(ids) == ["accuracy.a", "accuracy.b.c"]
    text = (
        'extends = "none"'
        + MINIMAL.replace("1.5", "1.5\nchecks = ['*.a']").partition('"')[2].partition('"')[2]
    )
    assert load(tmp_path, text, checks=ids).rows["accuracy"].checks_of(ids) == [
        "accuracy.a",
        "accuracy2.a",
    ]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("[functions.accuracy]\npoints = 1\npoints = 2\n", 3, "Cannot overwrite a value"),
        ("[functions.accuracy\n", 1, "Expected"),
        ("extends = 'none'", None, "no functions"),
        ("\nextends = 'oficial'", 2, "did you mean 'official'?"),
        ("[function.accuracy]\npoints = 1\n", 1, "no setting 'function'; did you mean 'functions'"),
        ("only = ['hold_out',\n 'acuracy']", 2, "no function 'acuracy'; did you mean 'accuracy'"),
        (
            "only = ['hold_out']\n[functions.accuracy]\npoints = 1\n",
            2,
            "only does not list the function 'accuracy'",
        ),
        ("[forbidden]\nmine = ['a']\nmetric = ['b']", 2, "no function uses the list '@mine'"),
        (
            "[forbidden]\nmetric = ['b']",
            2,
            "no function uses the list '@metric'; did you mean 'metrics'",
        ),
        ("[file]\npackage = ['practica']", 2, "no setting 'package'; did you mean 'packages'"),
        ("[functions.accuracy]\nfunction = 'one_hot'", 2, "the checks of accuracy call 'accuracy'"),
        ("# nada\nschema = 2\n", 2, "reads schema 1"),
        ("[functions.acuracy]\npoints = 1\n", 1, "did you mean 'accuracy'"),
        ("\n[functions]\ncrossValidation = {points = 1}\n", 3, "did you mean 'crossvalidation'"),
        ("[functions.accuracy]\n\npoint = 1\n", 3, "no setting 'point'; did you mean 'points'"),
        ("[functions.accuracy]\npoints = 1\nmax_loop = 1\n", 3, "did you mean 'max_loops'"),
        ("[functions.accuracy]\npoints = 'uno'\n", 2, "points = 'uno' must be a number"),
        ("[functions.accuracy]\npoints = true\n", 2, "must be a number"),
        ("[functions.accuracy]\npoints = -1\n", 2, "from 0 to 1000000"),
        ("[functions.accuracy]\npoints = 1e300\n", 2, "from 0 to 1000000"),
        ("[functions.accuracy]\npoints = nan\n", 2, "from 0 to 1000000"),
        ("[functions.accuracy]\npoints = 0.125\n", 2, "more than two decimals"),
        ("[functions.accuracy]\npoints = 1\nmax_loops = -1\n", 3, "must not be negative"),
        ("[functions.accuracy]\npoints = 1\nmax_loops = 1.5\n", 3, "must be an integer"),
        (
            (
                "[functions.accuracy]\npoints = 1\noverloads = [{signature = '(x: real[1])',"
                " max_loops_two_classes = 0}]"
            ),
            3,
            "needs max_loops, too",
        ),
        ("[functions.accuracy]\npoints = 1\ncap = 2\n", 3, "more than the 1.00 points"),
        ("[functions.accuracy]\npoints = 1\non_broken_rule = 'zeros'\n", 3, "did you mean 'zero'"),
        ("[defaults]\nhidden_loops = 'never'\n", 2, "'allowed', 'advice', 'cost'"),
        ("[costs]\nloop = 'zero'\n" + MINIMAL.partition("\n")[2], 2, "did you mean 'loops'"),
        (
            "[costs]\nloops = 'two'\n" + MINIMAL.partition("\n")[2],
            2,
            "must be 'zero', 'cap', 'flag'",
        ),
        ("[functions.accuracy]\npoints = 1\nforbidden = [\n  'a',\n  3,\n]\n", 5, "3 is none"),
        (
            "[functions.accuracy]\npoints = 1\nforbidden = ['@metric']\n",
            3,
            "no list '@metric' in [forbidden]; did you mean '@metrics'",
        ),
        ("[functions.accuracy]\npoints = 1\nneeds = ['@models']\n", 3, "no list '@models'"),
        ("[functions.accuracy]\nforbidden = [\n'numpy.max',\n'list.sort'\n]\n", 4, "methods"),
        ("[functions.accuracy]\nforbidden = ['json.JSONEncoder.encode']\n", 2, "methods"),
        ("[functions.accuracy]\nforbidden = ['sorted']\n", 2, "write 'builtins.sorted'"),
        ("[functions.accuracy]\nforbidden = ['random']\n", 2, "write 'random.*'"),
        ("[functions.accuracy]\nforbidden = ['builtins.__import__']\n", 2, "statements call it"),
        ("[forbidden]\nmetrics = ['builtins.sortd']\n", 2, "did you mean 'builtins.sorted'"),
        (
            "extends = 'none'\n[functions.accuracy]\ncap = 1\n",
            2,
            "points is missing in functions.accuracy",
        ),
        (
            (
                "[forbidden]\nmetrics = []\n[functions.accuracy]\npoints = 1\nforbidden ="
                " ['@metric']\n"
            ),
            5,
            "'@metrics'?",
        ),
        ("functions = 3\n", 1, "must be a table"),
        ("[[functions]]\n", 1, "must be a table"),
        ("max_points = 3\n" + MINIMAL, 1, "add up to 5.70"),
        ("mark = 3\n" + MINIMAL, 1, "no setting 'mark'"),
        (
            "[functions.accuracy]\npoints = 1\nchecks = ['acuracy.*']\n",
            3,
            "no check matches 'acuracy.*'; did you mean",
        ),
        ("[functions.crossvalidation]\n\nchecks = ['nada.*']\n", 3, "no check matches 'nada.*'"),
        (
            (
                "[functions.accuracy]\npoints = 1\noverloads = [\n {signature = '(a, b)'},\n"
                " {signature = '(a'},\n]\n"
            ),
            5,
            "'(a'",
        ),
        (
            (
                "[functions.accuracy]\npoints = 1\n[[functions.accuracy.overloads]]\nsignature ="
                " '(a: str)'\n"
            ),
            4,
            "no kind",
        ),
        (
            (
                "[functions.accuracy]\npoints = 1\n[[functions.accuracy.overloads]]\nsignature ="
                " '(a=1)'\n"
            ),
            4,
            "write it as (name: kind, ..., *, keyword=default), and where a parameter by position"
            " has a default, write two signatures, one without it",
        ),
        (
            "[functions.accuracy]\npoints = 1\n[[functions.accuracy.overloads]]\nloops = 1\n",
            3,
            "signature is missing",
        ),
        (
            "[functions.accuracy]\npoints = 1\nfunction = 'a b'\n",
            3,
            "the checks of accuracy call 'accuracy'",
        ),
        (
            "a = '''\nx = 1\n'''\n[functions.accuracy] # [x]\n'points' = [[1, {a = 2}], 3]\n",
            5,
            "must be a number",
        ),
        (
            "functions.accuracy.points = 1\nfunctions.'accuracy'.cap = \"x\"\n",
            2,
            "cap = 'x' must be a number",
        ),
    ],
)
def test_an_invalid_rubric_is_refused_with_its_line(tmp_path, text, line, reason):
    """The line of the key, not of the syntax alone."""
    with pytest.raises(RubricError) as caught:
        load(tmp_path, text, checks=load_checks())
    assert caught.value.line == line
    assert reason in str(caught.value)
    assert "rubric.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("manual = 1\npoints = 1", "manual = 1 must be true or false"),
        ("manual = true", "points is missing in functions.report"),
        ("manual = true\npoints = 1\nmax_loops = 1", "there is no setting 'max_loops'"),
    ],
)
def test_a_row_that_a_person_marks_has_points_and_nothing_else(tmp_path, text, reason):
    """It has no function, so that no check or rule is about it."""
    with pytest.raises(RubricError, match=reason):
        load(tmp_path, f'name = "R"\n[functions.report]\n{text}\n')


def test_a_rubric_that_is_not_text_is_refused_with_its_line(tmp_path):
    """Latin-1, from an old editor."""
    with pytest.raises(RubricError, match=r"line 2: byte 0xed is not UTF-8"):
        load(tmp_path, "\nname = 'Mía'".encode("latin-1"))


def test_a_rubric_that_cannot_be_read_is_refused(tmp_path):
    """With the system's reason."""
    with pytest.raises(RubricError, match=r"nada\.toml: cannot be read: No such file"):
        load_rubric(tmp_path / "nada.toml")


PAGES = {
    lang: Path(__file__).parents[3] / "enunciado" / "profesorado" / name
    for lang, name in (("es", "criterios.md"), ("en", "rubric.en.md"))
}


def examples_of(lang):
    """List the rubrics of the page for instructors."""
    return re.findall(
        r"^```toml\n(.*?)^```$", PAGES[lang].read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


@pytest.mark.parametrize("lang", PAGES)
def test_the_examples_of_the_page_for_instructors_do_what_it_says(tmp_path, lang):
    """Eleven of them, each with its own effect."""
    points, some, loops, calls, part, credit, halves, by_hand, late, titled, nothing = (
        load(tmp_path, text, checks=load_checks()) for text in examples_of(lang)
    )
    assert {row.credit.kind for row in credit.rows.values()} == {"steps", "proportional"}
    assert credit.rows["accuracy"].credit.weight("accuracy.bool.matrix") == 2
    assert {*halves.rows} ^ {*OFFICIAL.rows} == {"accuracy", "accuracy_bool", "accuracy_real"}
    assert halves.max_points == OFFICIAL.max_points
    assert [*by_hand.manual.values()] == [Decimal("1.00")]
    assert (by_hand.max_points, by_hand.rows.keys()) == (
        OFFICIAL.max_points + 1,
        OFFICIAL.rows.keys(),
    )
    assert late.late == LateRule(0.25, 1.0, 15)
    assert titled.titles == {"en": "Afternoon group"}
    assert (points.max_points, points.rows["accuracy"].points) == (Decimal("3.00"), Decimal("0.40"))
    assert list(some.rows) == ["hold_out", "train_class_ann"]
    costs = {name: row.cost_of("loops.too_many") for name, row in loops.rows.items()}
    assert {name for name, cost in costs.items() if cost != "flag"} == {"accuracy"}
    assert {row.comprehensions for row in loops.rows.values()} == {"cost"}
    more = {*calls.rows["one_hot_encoding"].forbidden} - {
        *OFFICIAL.rows["one_hot_encoding"].forbidden
    }
    assert more == {"numpy.unique", "pandas.unique"}
    assert part.rows["accuracy"].cost_of("calls.forbidden") == "cap"
    assert [(row.forbidden, row.max_loops) for row in nothing.rows.values()] == [((), None)] * 2


def test_both_languages_of_the_page_have_the_same_examples():
    """Only their names differ."""
    spanish, english = (
        re.sub(r"(?m)^name = .*$", "", "".join(examples_of(lang))) for lang in PAGES
    )
    assert spanish == english


VALUES = st.recursive(
    st.sampled_from(["1", "0.5", "'a'", "true", "nan", "1979-05-27", '"""x\ny"""']),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda values: f"[{', '.join(values)}]")
        | st.lists(inner, max_size=2).map(
            lambda values: "{" + ", ".join(f"k{i} = {v}" for i, v in enumerate(values)) + "}"
        )
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["points", "max_loops", "checks", "forbidden", "overloads", "costs", "cap", "function", "'a.b'"]
)


@given(
    st.dictionaries(KEYS, VALUES, max_size=4),
    st.sampled_from(["functions.accuracy", "defaults", "file", "costs"]),
)
def test_whatever_a_rubric_says_is_read_or_refused(tmp_path_factory, settings, table):
    """Any values under any keys: a rubric, or an error with a line of the file."""
    text = f"[{table}]\n" + "\n".join(f"{key} = {value}" for key, value in settings.items())
    lines = text.count("\n") + 1
    with suppress(RubricError):
        load(tmp_path_factory.getbasetemp(), text)
        lines = 0
    if lines:
        with pytest.raises(RubricError) as caught:
            load(tmp_path_factory.getbasetemp(), text)
        assert caught.value.line is None or 1 <= caught.value.line <= lines
