"""The rubric: the official criteria, an instructor's own, and refusals that say the line and the reason."""

from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from practica.grading.rubric import DEFAULT, RubricError, load_rubric

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
    assert sum(row.points for row in OFFICIAL.rows.values()) == OFFICIAL.max_points == Decimal("2.50")


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
    assert not {*needs["model_cross_validation"]} & {*OFFICIAL.rows["model_cross_validation"].forbidden}


def test_the_limits_of_loops_of_the_statement():
    """For the whole function, and for its overloads where they differ."""
    limits = {name: row.max_loops for name, row in OFFICIAL.rows.items() if row.max_loops}
    assert limits == {"one_hot_encoding": 1, "build_class_ann": 1, "train_class_ann": 1, "crossvalidation": 2}
    assert [overload.max_loops for overload in OFFICIAL.rows["crossvalidation"].overloads] == [0, 0, 1, 1]
    unlimited = {name for name, row in OFFICIAL.rows.items() if row.max_loops is None}
    assert unlimited == {
        "confusion_matrix_binary",
        "confusion_matrix_multiclass",
        "ann_cross_validation",
        "model_cross_validation",
    }


def test_a_copy_of_the_official_criteria_is_the_same_rubric(tmp_path):
    """It is the example to start from."""
    assert load(tmp_path, DEFAULT.read_bytes()) == OFFICIAL
    windows = load(tmp_path, b"\xef\xbb\xbf" + DEFAULT.read_bytes().replace(b"\n", b"\r\n"))
    assert windows.rows == OFFICIAL.rows
    assert windows.sha256 != OFFICIAL.sha256


def test_a_rubric_may_say_little(tmp_path):
    """Signatures are the statement's, the file is looked at as ever, and nothing else is asked for."""
    rubric = load(tmp_path, MINIMAL)
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
    assert "builtins.eval" in rubric.flagged


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
    ids = ["loops.too_many", "loops.overload", "signature.default", "signature.keyword", "calls.forbidden"]
    assert [row.cost_of(rule) for rule in ids] == ["zero", "flag", "cap", "cap", "cap"]
    assert row.cap == Decimal("0.25")


def test_a_row_has_the_checks_that_its_patterns_match(tmp_path):
    """In the order of the checks."""
    ids = ["accuracy.a", "accuracy.b.c", "accuracy2.a", "hold_out.x"]
    assert OFFICIAL.rows["accuracy"].checks_of(ids) == ["accuracy.a", "accuracy.b.c"]
    text = MINIMAL.replace("1.5", "1.5\nchecks = ['*.a']")
    assert load(tmp_path, text, checks=ids).rows["accuracy"].checks_of(ids) == ["accuracy.a", "accuracy2.a"]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("[functions.accuracy]\npoints = 1\npoints = 2\n", 3, "Cannot overwrite a value"),
        ("[functions.accuracy\n", 1, "Expected"),
        ("", None, "no functions"),
        ("# nada\nschema = 2\n", 2, "reads schema 1"),
        ("[functions.acuracy]\npoints = 1\n", 1, "did you mean 'accuracy'"),
        ("\n[functions]\ncrossValidation = {points = 1}\n", 3, "did you mean 'crossvalidation'"),
        ("[functions.accuracy]\n\npoint = 1\n", 1, "points is missing in functions.accuracy"),
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
            "[functions.accuracy]\npoints = 1\noverloads = [{signature = '(x: real[1])', max_loops_two_classes = 0}]",
            3,
            "needs max_loops, too",
        ),
        ("[functions.accuracy]\npoints = 1\ncap = 2\n", 3, "more than the 1.00 points"),
        ("[functions.accuracy]\npoints = 1\non_broken_rule = 'zeros'\n", 3, "did you mean 'zero'"),
        ("[defaults]\nhidden_loops = 'never'\n", 2, "'allowed', 'advice', 'cost'"),
        ("[costs]\nloop = 'zero'\n" + MINIMAL.partition("\n")[2], 2, "did you mean 'loops'"),
        ("[costs]\nloops = 'two'\n" + MINIMAL.partition("\n")[2], 2, "must be 'zero', 'cap', 'flag'"),
        ("[functions.accuracy]\npoints = 1\nforbidden = [\n  'a',\n  3,\n]\n", 5, "3 is none"),
        ("[functions.accuracy]\npoints = 1\nforbidden = ['@metrics']\n", 3, "no list '@metrics'"),
        ("[functions.accuracy]\npoints = 1\nneeds = ['@models']\n", 3, "no list '@models'"),
        ("[forbidden]\nmetrics = []\n[functions.accuracy]\npoints = 1\nforbidden = ['@metric']\n", 5, "'@metrics'?"),
        ("functions = 3\n", 1, "must be a table"),
        ("[[functions]]\n", 1, "must be a table"),
        ("max_points = 3\n" + MINIMAL, 1, "add up to 3.50"),
        ("mark = 3\n" + MINIMAL, 1, "no setting 'mark'"),
        ("[functions.accuracy]\npoints = 1\nchecks = ['acuracy.*']\n", 3, "no check matches 'acuracy.*'; did you mean"),
        ("[functions.crossvalidation]\npoints = 1\n", 1, "no check matches 'crossvalidation.*'"),
        (
            "[functions.accuracy]\npoints = 1\noverloads = [\n {signature = '(a, b)'},\n {signature = '(a'},\n]\n",
            5,
            "'(a'",
        ),
        ("[functions.accuracy]\npoints = 1\n[[functions.accuracy.overloads]]\nsignature = '(a: str)'\n", 4, "no kind"),
        ("[functions.accuracy]\npoints = 1\n[[functions.accuracy.overloads]]\nsignature = '(a=1)'\n", 4, "write it as"),
        ("[functions.accuracy]\npoints = 1\n[[functions.accuracy.overloads]]\nloops = 1\n", 3, "signature is missing"),
        ("[functions.accuracy]\npoints = 1\nfunction = 'a b'\n", 3, "no name of a function"),
        ("a = '''\nx = 1\n'''\n[functions.accuracy] # [x]\n'points' = [[1, {a = 2}], 3]\n", 5, "must be a number"),
        ("functions.accuracy.points = 1\nfunctions.'accuracy'.cap = \"x\"\n", 2, "cap = 'x' must be a number"),
    ],
)
def test_an_invalid_rubric_is_refused_with_its_line(tmp_path, text, line, reason):
    """The line of the key, not of the syntax alone."""
    with pytest.raises(RubricError) as caught:
        load(tmp_path, text, checks=["accuracy.bool", "hold_out.sizes"])
    assert caught.value.line == line
    assert reason in str(caught.value)
    assert "rubric.toml" in str(caught.value)


def test_a_rubric_that_is_not_text_is_refused_with_its_line(tmp_path):
    """Latin-1, from an old editor."""
    with pytest.raises(RubricError, match=r"line 2: byte 0xed is not UTF-8"):
        load(tmp_path, "\nname = 'Mía'".encode("latin-1"))


def test_a_rubric_that_cannot_be_read_is_refused(tmp_path):
    """With the system's reason."""
    with pytest.raises(RubricError, match=r"nada\.toml: cannot be read: No such file"):
        load_rubric(tmp_path / "nada.toml")


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
KEYS = st.sampled_from(["points", "max_loops", "checks", "forbidden", "overloads", "costs", "cap", "function", "'a.b'"])


@given(st.dictionaries(KEYS, VALUES, max_size=4), st.sampled_from(["functions.accuracy", "defaults", "file", "costs"]))
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
