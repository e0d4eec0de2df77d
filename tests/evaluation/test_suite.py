"""Tests over many tables equal those of scipy, scikit-posthocs and baycomp, and one command makes
them.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats
from sklearn.datasets import load_iris, load_wine

from practica import crossvalidation
from practica.cli import main
from practica.evaluation import Suite, compare, holm, suite_of

LIBRARY = "an optional library, of practica[tables], that this environment has not"
QUICK = ["--folds", "3", "--executions", "2", "--epochs", "2", "--seed", "4"]
MODELS = ["--model", "knn:1", "--model", "tree", "--model", "majority", "--model", "ann:2"]


def suite(seed, **changes):
    """Draw scores of some models on some tables, with ties."""
    rng = np.random.default_rng(seed)
    N, k = int(rng.integers(3, 16)), int(rng.integers(3, 6))
    values = (0.8 + rng.normal(0, 0.02, (N, 1)) + rng.normal(0, 0.02, (N, k))).round(2)
    return Suite(
        values, tuple(f"t{n}" for n in range(N)), tuple(f"m{n}" for n in range(k)), **changes
    )


@pytest.mark.parametrize("seed", [1, 9, 11])
def test_friedman_and_nemenyi_and_holm_are_those_of_the_libraries(seed, monkeypatch):
    """On suites of several sizes, ties among them."""
    monkeypatch.setattr("practica.evaluation.suite.SAMPLES", 2)
    posthocs = pytest.importorskip("scikit_posthocs", reason=LIBRARY)
    drawn = suite(seed)
    expected = stats.friedmanchisquare(*drawn.values.T)
    assert drawn.friedman() == pytest.approx((expected.statistic, expected.pvalue))
    theirs = posthocs.posthoc_nemenyi_friedman(-drawn.values).to_numpy()
    np.testing.assert_allclose(drawn.nemenyi(), theirs, atol=1e-9)
    place = drawn.models.index(drawn.best)
    pairs = drawn.pairs()
    plain = [
        stats.wilcoxon(drawn.values[:, n], drawn.values[:, place]).pvalue
        if (drawn.values[:, n] != drawn.values[:, place]).any()
        else math.nan
        for n in range(len(drawn.models))
        if n != place
    ]
    np.testing.assert_allclose([pair.wilcoxon for pair in pairs], plain)
    named = drawn.pairs(drawn.best)
    np.testing.assert_allclose([pair.holm for pair in named], holm(plain))
    count = len(drawn.models)
    assert all(
        of_all.holm >= one.holm or math.isnan(one.holm)
        for of_all, one in zip(pairs, named, strict=True)
    )
    smallest = np.nanmin([*plain, 1.0])
    assert (
        np.nanmin([*(pair.holm for pair in pairs), 1.0])
        <= min(1.0, smallest * count * (count - 1) / 2) + 1e-12
    )


def test_the_probabilities_are_those_of_baycomp(monkeypatch):
    """With its sample; of a metric that is better when lower, the other way round."""
    baycomp = pytest.importorskip("baycomp", reason=LIBRARY)
    monkeypatch.setattr("practica.evaluation.suite.SAMPLES", 20)
    for lower_is_better in (False, True):
        drawn = suite(11, lower_is_better=lower_is_better)
        pair = drawn.pairs(region=0.01, random_state=7)[0]
        one, other = (
            drawn.values[:, drawn.models.index(name)] for name in (pair.model, pair.reference)
        )
        left, equal, right = baycomp.SignedRankTest.probs(
            one, other, 0.01, nsamples=20, random_state=7
        )
        expected = (left, equal, right) if lower_is_better else (right, equal, left)
        assert pair.probabilities == pytest.approx(expected)


def test_two_mean_ranks_as_far_apart_as_the_critical_difference_have_p_05():
    """The table of Demsar (2006): q of 5 models at .05 is 2.728."""
    drawn = Suite(
        np.random.default_rng(1).normal(size=(10, 5)), tuple("abcdefghij"), tuple("vwxyz")
    )
    assert drawn.critical_difference() == pytest.approx(
        2.728 * math.sqrt(5 * 6 / (6 * 10)), abs=1e-3
    )


def test_ranks_share_a_tie_and_1_is_the_best():
    """Also of an error, where lower is better."""
    values = np.array([[0.9, 0.8, 0.8], [0.7, 0.9, 0.8]])
    drawn = Suite(values, ("one", "two"), ("a", "b", "c"))
    np.testing.assert_array_equal(drawn.ranks, [[1, 2.5, 2.5], [3, 1, 2]])
    errors = Suite(1 - values, ("one", "two"), ("a", "b", "c"), "errorRate", lower_is_better=True)
    np.testing.assert_array_equal(errors.ranks, drawn.ranks)
    assert errors.best == drawn.best == "b"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([[0.1, 0.2]], "there are 1 tables and 2 models; a test needs two of each"),
        ([[0.1, 0.2], [math.nan, 0.3]], "accuracy of m0 on t1 is not a number"),
    ],
)
def test_what_cannot_be_tested_is_refused(values, sentence):
    """With the table and the model."""
    values = np.array(values)
    with pytest.raises(ValueError, match=sentence):
        Suite(values, tuple(f"t{n}" for n in range(len(values))), ("m0", "m1"))


def test_a_suite_is_made_of_comparisons():
    """Of the same models; equal means but for rounding are a tie."""
    comparisons = {}
    for load in (load_iris, load_wine):
        X, y = load(return_X_y=True)
        comparisons[load.__name__] = compare(
            ["knn:1", "tree", "majority"], X, y, crossvalidation(y, 3, random_state=1), 1
        )
    made = suite_of(comparisons, "errorRate")
    assert made.lower_is_better
    assert made.values[0, 0] == pytest.approx(
        comparisons["load_iris"].results["knn:1"].mean_and_std("errorRate").mean
    )
    other = compare(["knn:1", "bayes", "majority"], X, y, crossvalidation(y, 3, random_state=1), 1)
    with pytest.raises(ValueError, match="other has the models"):
        suite_of({**comparisons, "other": other})


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """Write three tables, one with another target."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("practica.evaluation.suite.SAMPLES", 100)
    rng = np.random.default_rng(2)
    for number, target in enumerate(["kind", "kind", "species"]):
        x = rng.normal(size=40)
        rows = [
            f"{a:.3f},{b:.3f},{'pq'[int(a + b > 0)]}"
            for a, b in zip(x, rng.normal(size=40), strict=True)
        ]
        Path(f"t{number}.csv").write_text("\n".join([f"a,b,{target}", *rows, ""]))
    return [
        *("--data", "t0.csv", "--data", "t1.csv"),
        *("--data", "t2.csv:species", "--target", "kind"),
    ]


def run(*arguments):
    """Run `practica compare`."""
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


def test_many_tables_are_compared_in_one_command(tables):
    """A row for each, the mean ranks, and the tests; the record holds every score."""
    done = run(
        *tables, *MODELS, *QUICK, "--json", "out.json", "--latex", "out.tex", "--markdown", "out.md"
    )
    assert done.exit_code == 0, done.output
    assert "accuracy, means over the folds of 3 tables" in done.stdout
    for line in (
        "t0.csv ",
        "t1.csv ",
        "t2.csv ",
        "mean rank",
        "Friedman: χ² = ",
        "Nemenyi p: for all pairs",
    ):
        assert any(shown.startswith(line) for shown in done.stdout.splitlines()), line
    record = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert list(record["tables"]) == ["t0.csv", "t1.csv", "t2.csv"]
    assert np.shape(record["tables"]["t2.csv"]["models"]["ann:2"]["scores"]) == (3, 2, 7)
    latex = Path("out.tex").read_text(encoding="utf-8")
    assert latex.count(r"\toprule") == latex.count(r"\midrule") == latex.count(r"\bottomrule") == 2
    assert "| mean rank |" in Path("out.md").read_text(encoding="utf-8")
    assert not Path("folds.csv").exists()


def test_the_diagram_is_drawn_by_the_library(tables):
    """As a picture, and in the page with the tables, one for each metric."""
    pytest.importorskip("scikit_posthocs", reason=LIBRARY)
    done = run(
        *tables,
        *MODELS,
        *QUICK,
        "--metric",
        "accuracy",
        "--metric",
        "F1",
        "--plot",
        "cd.png",
        "--html",
        "page.html",
    )
    assert done.exit_code == 0, done.output
    assert Path("cd.png").read_bytes().startswith(b"\x89PNG")
    page = Path("page.html").read_text(encoding="utf-8")
    assert "Critical difference" in page
    assert page.count("<img") == 2
    for metric in ("accuracy", "F1"):
        assert f"{metric}, means over the folds of 3 tables" in done.stdout
        assert f"{metric}: Friedman: " in done.stdout


def test_without_the_libraries_a_sentence_names_the_extra(tables, monkeypatch):
    """Before anything is trained; the tables need only scipy."""
    monkeypatch.setitem(__import__("sys").modules, "scikit_posthocs", None)
    monkeypatch.setitem(__import__("sys").modules, "baycomp", None)
    done = run(*tables, *MODELS, *QUICK, "--plot", "cd.png")
    assert done.exit_code == 2
    assert "needs scikit-posthocs, which comes with: pip install 'practica[tables]'" in done.stderr
    done = run(*tables, *MODELS, *QUICK)
    assert done.exit_code == 0, done.output
    assert (
        "Probabilities (Bayesian signed ranks) come with: pip install 'practica[tables]'."
        in done.stdout
    )


def test_the_suite_is_that_of_scikit_learn(monkeypatch):
    """Four sets that need no file."""
    monkeypatch.setattr("practica.evaluation.suite.SAMPLES", 100)
    models = ["--model", "knn:1", "--model", "majority", "--model", "bayes"]
    done = run("--suite", *models, "--folds", 2, "--seed", 1)
    assert done.exit_code == 0, done.output
    for name in ("iris", "breast_cancer", "wine", "digits"):
        assert f"\n{name} " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["t0.csv", "--suite"], "give one table, or --data for each of many, or --suite"),
        ([], "give one table, or --data for each of many, or --suite"),
        (["--data", "t0.csv", "--target", "kind"], "one table has no test over tables"),
        (["--data", "t0.csv", "--data", "t0.csv", "--target", "kind"], "t0.csv is given twice"),
        (["--suite", "--csv", "out.csv"], "--csv is for a single table"),
        (["--data", "t0.csv", "--data", "t9.csv:a"], "t0.csv needs --target"),
    ],
)
def test_what_is_no_suite_is_refused_with_a_sentence(tables, arguments, sentence):
    """Before a model is trained."""
    done = run(*arguments, *MODELS, *QUICK)
    assert done.exit_code == 2
    assert sentence in done.stderr
