"""Points for some of the checks, where the rubric gives them; a row in parts."""

import json
from decimal import Decimal

import pytest
from class_runs import in_process

from practica.grading.engine.credit import Credit
from practica.grading.engine.framework import load_checks
from practica.grading.engine.rubric import RubricError, load_rubric

# Right for bool vectors and matrices, wrong for real outputs: it ignores the threshold.
SOURCE = """
import numpy as np

def accuracy(outputs, targets, *, threshold=0.5):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.ndim == 2 and outputs.shape[1] > 1:
        return float(np.mean(np.all(outputs == targets, axis=1)))
    return float(np.mean(outputs == targets))
"""
BEGIN = 'only = ["accuracy"]\n[functions.accuracy]\npoints = 0.80\n'
BOOL, REAL = '"accuracy.bool.*"', '"accuracy.real.*", "accuracy.untouched"'
PARTS = f"""
only = ["accuracy_bool", "accuracy_real"]
[functions.accuracy_bool]
part_of = "accuracy"
points = 0.30
checks = [{BOOL}]
[functions.accuracy_real]
part_of = "accuracy"
points = 0.50
checks = [{REAL}]
"""


def marked(tmp_path, rubric, source=SOURCE):
    """Mark a file by a rubric, and return its functions, and its page."""
    (tmp_path / "rubric.toml").write_text(rubric)
    (tmp_path / "ana.py").write_text(source)
    out = tmp_path / "notas"
    code, said = in_process(
        "grade",
        tmp_path / "ana.py",
        "--rubric",
        tmp_path / "rubric.toml",
        "--out",
        out,
        "--seed",
        1,
        "--lang",
        "en",
    )
    assert code in (0, 1), said
    result = json.loads((out / "results.json").read_text())
    return result["submissions"][0]["functions"], (out / "feedback/ana.html").read_text()


@pytest.mark.parametrize(
    ("credit", "most", "passed", "count", "points"),
    [
        (Credit("proportional"), "0.20", 1, 3, "0.06"),
        (Credit("proportional"), "0.20", 2, 3, "0.13"),
        (Credit("proportional"), "0.01", 99, 100, "0.00"),
        (Credit("proportional"), "0.30", 1, 3, "0.10"),
        (Credit("proportional"), "0.07", 6, 7, "0.06"),
        (Credit("steps", 4), "0.20", 2, 3, "0.10"),
        (Credit("steps", 4), "1.00", 99, 100, "0.75"),
        (Credit("steps", 3), "0.30", 1, 3, "0.10"),
        (Credit("steps", 3), "0.20", 2, 3, "0.13"),
    ],
)
def test_partial_credit_is_rounded_down(credit, most, passed, count, points):
    """To a whole step and to a hundredth, and a third of 0.30 is 0.10."""
    checks = [f"a.{number}" for number in range(count)]
    assert credit.points(Decimal(most), checks[:passed], checks) == Decimal(points)


@pytest.mark.thorough
def test_checks_that_pass_may_earn_points(tmp_path):
    """All or nothing, the official criterion; in proportion; in steps; with weights.

    The page says what counts.
    """
    (function,), page = marked(tmp_path, BEGIN)
    passed = [check["id"] for check in function["checks"] if check["verdict"] == "pass"]
    assert {"accuracy.bool.vector", "accuracy.bool.matrix", "accuracy.untouched"} <= {*passed}
    share, count = len(passed) / len(function["checks"]), len(passed)
    assert 0.25 < share < 1
    assert (function["points"], "because" in page) == (0.0, False)

    (function,), page = marked(tmp_path, f'{BEGIN}credit = "proportional"')
    assert function["points"] == int(80 * share) / 100
    assert function["verdict"] == "fail"
    told = (
        f"because {count} of its {len(function['checks'])} checks pass and the criteria count them"
    )
    assert told in page

    (function,), _ = marked(tmp_path, f'{BEGIN}credit = "steps"\nsteps = 2')
    assert function["points"] == 0.4 * int(share * 2)

    weights = 'weights = { "*" = 0, "accuracy.bool.vector" = 1, "accuracy.real.threshold" = 3 }'
    (function,), _ = marked(tmp_path, f'{BEGIN}credit = "proportional"\n{weights}')
    assert function["points"] == 0.2
    (function,), _ = marked(tmp_path, f'{BEGIN}credit = "proportional"', "x = 1\n")
    assert (function["points"], function["verdict"]) == (0.0, "missing")


@pytest.mark.thorough
def test_a_row_in_parts_earns_each_part(tmp_path):
    """With the forbidden calls of the whole."""
    functions, _ = marked(tmp_path, PARTS)
    assert [(each["name"], each["function"], each["points"]) for each in functions] == [
        ("accuracy_bool", "accuracy", 0.3),
        ("accuracy_real", "accuracy", 0.0),
    ]
    library = (
        "from sklearn.metrics import accuracy_score\ndef accuracy(o, t, *, threshold=0.5): return"
        " accuracy_score(t, o)"
    )
    functions, _ = marked(tmp_path, PARTS, library)
    assert [each["verdict"] for each in functions] == ["rule", "rule"]


def test_parts_take_the_place_of_the_whole(tmp_path):
    """Without `only` every other function is still marked."""
    (tmp_path / "r.toml").write_text(PARTS.partition("]\n")[2])
    rubric = load_rubric(tmp_path / "r.toml", checks=load_checks())
    official = load_rubric()
    assert {*official.rows} - {*rubric.rows} == {"accuracy"}
    assert {*rubric.rows} - {*official.rows} == {"accuracy_bool", "accuracy_real"}
    assert rubric.rows["accuracy_bool"].overloads == official.rows["accuracy"].overloads
    assert rubric.max_points == official.max_points + 6 * official.rows["accuracy"].points / 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[defaults]\ncredit = "some"', "credit = 'some' must be 'all', 'proportional', 'steps'"),
        ("[functions.accuracy]\npoints = 1\nsteps = 0", "line 3: steps = 0 must be at least 1"),
        (
            '[functions.accuracy]\npoints = 1\nweights = { "x.*" = 1 }',
            "accuracy: no check matches 'x.*'",
        ),
        (
            '[functions.accuracy]\npoints = 1\nweights = { "*" = 0 }',
            "accuracy: the weights of all checks are 0",
        ),
        (
            '[functions.a]\npart_of = "acuracy"\npoints = 1',
            "there is no function 'acuracy'; did you mean 'accuracy'",
        ),
        (
            '[functions.a]\npart_of = "accuracy"\npoints = 1',
            "checks is missing in a, a part of accuracy",
        ),
        ("[functions.a]\npoints = 1", "there is no function 'a'"),
    ],
)
def test_a_credit_that_cannot_be_meant_is_refused(tmp_path, text, reason):
    """With what it could be."""
    (tmp_path / "r.toml").write_text(text)
    with pytest.raises(RubricError) as refusal:
        load_rubric(tmp_path / "r.toml", checks=load_checks())
    assert reason in str(refusal.value)
