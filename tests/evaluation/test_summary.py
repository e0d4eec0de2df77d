"""A comparison as tables: the figures are those of the tests, and every format holds all of
them.
"""

import csv
import io
import re

import numpy as np
import pytest

from practica.evaluation import ModelScores
from practica.evaluation.comparison import Comparison
from practica.evaluation.summary import (
    advice_of,
    as_csv,
    as_latex,
    as_markdown,
    difference_grid,
    model_grid,
    notes,
)

FOLDS = np.arange(20) % 5 + 1
RNG = np.random.default_rng(1)
NOISY = RNG.normal(0.9, 0.02, size=(5, 1)) + RNG.normal(0, 0.03, size=(5, 40))
STEADY = np.array([0.80, 0.85, 0.83, 0.81, 0.90])
# as a ROC without positives
SAME_BUT_ONE_FOLD = np.repeat([[0.80], [0.85], [0.83], [np.nan], [0.90]], 2, axis=1)


def model(values, **changes):
    """Make the scores of a model out of the values of a metric."""
    values = np.asarray(values, dtype=float).reshape(5, -1)
    parts = {"deterministic": values.shape[1] == 1}
    return ModelScores(
        ("accuracy",), values[:, :, None], FOLDS, classes=np.array(["a", "b"]), **(parts | changes)
    )


@pytest.fixture(scope="module")
def comparison():
    """Compare a network with two models that train the same each time, one of them with a name full
    of signs.
    """
    return Comparison(
        {"ann:16,8": model(NOISY), "svm:C=1_&|%": model(STEADY), "knn:5": model(STEADY - 0.1)}
    )


@pytest.mark.parametrize("forward", [False, True], ids=["folds", "folds in time"])
def test_the_csv_holds_every_score_to_the_last_digit(forward):
    """A fold has its number of the index vector; what is not a number is empty."""
    values = SAME_BUT_ONE_FOLD[forward:]
    scores = ModelScores(
        ("accuracy",), values[:, :, None], FOLDS, False, np.array(["a", "b"]), forward=forward
    )
    comparison = Comparison({"ann:16,8": scores})
    rows = list(csv.DictReader(io.StringIO(as_csv({"t.csv": comparison, "u.csv": comparison}))))
    assert [row["table"] for row in rows] == ["t.csv"] * values.size + ["u.csv"] * values.size
    assert {row["model"] for row in rows} == {"ann:16,8"}
    for row in rows:
        value = SAME_BUT_ONE_FOLD[int(row["fold"]) - 1, int(row["execution"]) - 1]
        assert row["score"] == ("" if np.isnan(value) else repr(float(value)))
    empty = {int(row["fold"]) for row in rows if row["score"] == ""}
    assert empty == set(comparison.missing()["ann:16,8"])


def test_the_tables_show_the_figures_rounded(comparison):
    """Four digits; three for probabilities."""
    variance = comparison.variances()["ann:16,8"]
    first = model_grid(comparison).rows[0]
    assert first[:3] == (
        "ann:16,8",
        f"{variance.mean:.4f} ± {variance.std:.4f}",
        f"{variance.sigma_folds:.4f}",
    )
    difference = comparison.differences(region=0.05)[0]
    row = difference_grid(comparison, region=0.05).rows[0]
    assert row[0] == "svm:C=1_&|%"
    assert row[1] == f"{difference.corrected.mean:+.4f}"
    assert row[4:7] == tuple(f"{probability:.3f}" for probability in difference.probabilities)


@pytest.mark.parametrize("text", ["as_markdown", "as_latex"])
def test_a_page_holds_both_tables_and_the_notes(comparison, text):
    """With the region that was asked for."""
    page = {"as_markdown": as_markdown, "as_latex": as_latex}[text](comparison, region=0.05)
    for grid in (model_grid(comparison), difference_grid(comparison, region=0.05)):
        for row in grid.rows:
            assert row[-1].strip("+-") in page
    assert "within ±0.05" in page
    assert "Use it only to compare with published tables" in page


def test_every_row_of_the_markdown_has_as_many_cells_as_its_header(comparison):
    """Also where a name has the sign that separates them."""
    tables = re.findall(r"(?:^\|.*\|\n)+", as_markdown(comparison), flags=re.MULTILINE)
    assert len(tables) == 2
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1
    assert r"svm:C=1_&\|%" in tables[0]


def test_latex_gets_its_special_characters_escaped(comparison):
    """Every row ends, and has the cells that the alignment promises."""
    source = as_latex(comparison)
    assert r"svm:C=1\_\&|\% &" in source
    assert "σ" not in re.sub(r"^%.*$", "", source, flags=re.MULTILINE)
    for alignment, body in re.findall(
        r"\\begin\{tabular\}\{(\w+)\}(.*?)\\end\{tabular\}", source, flags=re.DOTALL
    ):
        rows = [line for line in body.splitlines() if line.endswith(r"\\")]
        assert len(rows) in (3, 4)
        assert {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows} == {len(alignment)}


@pytest.mark.parametrize(
    ("result", "advice"),
    [
        (model(STEADY), "trained once per fold, since training again gives the same model"),
        (
            model(STEADY, deterministic=False),
            "one execution does not show what depends on the seed; use more",
        ),
        (
            model(STEADY[:, None] + [-0.001, 0.001]),
            (
                r"2 executions are enough to average the seeds out; .* by some ±0\.00045, 1% of"
                r" the std"
            ),
        ),
        (
            model(STEADY[:, None] + [-0.0001, 0.0001]),
            r"2 executions are enough to average the seeds out; .*, less than 1% of the std",
        ),
        (model(SAME_BUT_ONE_FOLD), "all 2 executions of a fold have the same value: one is enough"),
        (
            model(NOISY[:, :3]),
            r"other seeds move the mean by some ±0\.00\d+, \d+% of the std; \d+ executions would",
        ),
        (
            model(0.8 + NOISY - NOISY.mean(axis=1, keepdims=True)),
            r"and the std is 0|shrink both alike",
        ),
    ],
    ids=[
        "deterministic",
        "one execution",
        "enough",
        "more than enough",
        "equal, a fold unknown",
        "too few",
        "all noise",
    ],
)
def test_the_monte_carlo_error_says_whether_the_executions_are_enough(result, advice):
    """A tenth of the practice's std is little."""
    assert re.search(advice, advice_of(Comparison({"model": result}), "model"))


def test_models_with_the_same_advice_share_a_note(comparison):
    """Each note is there once."""
    lines = notes(comparison)
    assert (
        "svm:C=1_&|%, knn:5: trained once per fold, since training again gives the same model."
        in lines
    )
    assert sum("trained once" in line for line in lines) == 1
    assert len(set(lines)) == len(lines)


def test_the_notes_say_why_a_test_is_missing():
    """Two models with the same scores."""
    lines = notes(Comparison({"a": model(STEADY), "b": model(STEADY)}))
    assert "b: no test; all 5 differences are 0: without any spread there is no t-test." in lines
    assert not any("plain t" in line for line in notes(Comparison({"a": model(STEADY)})))
