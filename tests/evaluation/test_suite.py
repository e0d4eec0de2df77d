"""Tests over many tables keep their level with few of them, and one command makes them."""

import itertools
import json
import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from lanes import one_in
from scipy import stats
from sklearn.datasets import load_iris, load_wine

from practica import crossvalidation
from practica.cli import main
from practica.evaluation import Suite, as_csv, compare, holm, suite_of

GUIDE = Path(__file__).parents[2] / "practica" / "evaluation" / "README.md"
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


def least_sizes(orders):
    """Return the p-values of Friedman and of both pairs, for models that are equally good.

    Each table has the ranks in one of the `orders`, all of them as likely.
    """
    found = []
    for rows in itertools.product(orders, repeat=4):
        drawn = Suite(np.array(rows), tuple("abcd"), ("m0", "m1", "m2"))
        pairs = drawn.pairs("m0")
        found.append([drawn.friedman()[1], min(pair.holm for pair in pairs)])
    return np.array(found)


@pytest.mark.parametrize("ties", one_in(2, [True, False]))
def test_no_p_value_is_smaller_than_it_is_likely(ties):
    """On four tables, with every order of the models: p is at most .05 in 5 % of them, and so for
    each level.
    """
    ranks = (1.0, 1.0, 2.0) if ties else (1.0, 2.0, 3.0)
    p_values = least_sizes(sorted(set(itertools.permutations(ranks))))
    for column in p_values.T:
        known = np.nan_to_num(column, nan=1.0)
        for level in np.unique(known):
            assert np.mean(known <= level * (1 + 1e-9)) <= level + 1e-9


@pytest.mark.parametrize("seed", range(6))
def test_wilcoxon_is_exact_and_holm_adjusts_it(seed):
    """With ties too: every choice of signs is counted; a reference that came out best was chosen
    among all pairs.
    """
    drawn = suite(seed)
    others = [name for name in drawn.models if name != drawn.best]
    values = dict(zip(drawn.models, drawn.values.T, strict=True))
    plain = []
    for one, two in [(name, drawn.best) for name in others] + [*itertools.combinations(others, 2)]:
        differences = (values[one] - values[two]).round(12)
        known = differences[differences != 0]
        signed = np.sign(known) * stats.rankdata(np.abs(known))
        counted = {"permutation_type": "samples", "n_resamples": 2**15}
        plain.append(stats.permutation_test((signed,), np.sum, **counted).pvalue)
    pairs, named = drawn.pairs(), drawn.pairs(drawn.best)
    np.testing.assert_allclose([pair.wilcoxon for pair in pairs], plain[: len(others)])
    np.testing.assert_allclose([pair.holm for pair in named], holm(plain[: len(others)]))
    np.testing.assert_allclose([pair.holm for pair in pairs], holm(plain)[: len(others)])
    assert drawn.friedman()[0] == pytest.approx(stats.friedmanchisquare(*drawn.values.T).statistic)


def test_of_many_tables_the_p_values_are_those_of_scipy():
    """Where its approximation and its exact distribution hold."""
    drawn = Suite(
        np.random.default_rng(1).normal(size=(40, 4)), tuple(map(str, range(40))), tuple("abcd")
    )
    theirs = stats.friedmanchisquare(*drawn.values.T)
    assert drawn.friedman() == (
        pytest.approx(theirs.statistic),
        pytest.approx(theirs.pvalue, abs=0.01),
    )
    for pair in drawn.pairs("a"):
        one, two = (drawn.values[:, drawn.models.index(name)] for name in (pair.model, "a"))
        assert pair.wilcoxon == pytest.approx(stats.wilcoxon(one, two, method="exact").pvalue)


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
    written = ["--json", "out.json", "--latex", "out.tex", "--markdown", "out.md"]
    done = run(
        *tables, *MODELS, *QUICK, *written, "--html", "page.html", "--metric", "accuracy",
        "--metric", "F1",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    for line in (
        "accuracy, means over the folds of 3 tables",
        "F1, means over the folds of 3 tables",
        "t0.csv ",
        "t1.csv ",
        "t2.csv ",
        "mean rank",
        "accuracy: Friedman: χ² = ",
        "F1: Friedman: χ² = ",
        "Wilcoxon p: signed ranks of the differences on the tables, exact; Holm p: ",
        "3 tables are too few for a difference between two models: no Wilcoxon p can be below 0.25",
    ):
        assert any(shown.startswith(line) for shown in done.stdout.splitlines()), line
    record = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert list(record["tables"]) == ["t0.csv", "t1.csv", "t2.csv"]
    assert np.shape(record["tables"]["t2.csv"]["models"]["ann:2"]["scores"]) == (3, 2, 7)
    latex = Path("out.tex").read_text(encoding="utf-8")
    assert latex.count(r"\toprule") == latex.count(r"\midrule") == latex.count(r"\bottomrule") == 4
    assert "| mean rank |" in Path("out.md").read_text(encoding="utf-8")
    assert "mean rank" in Path("page.html").read_text(encoding="utf-8")
    assert not Path("folds.csv").exists()


@pytest.mark.parametrize("many", [True, False], ids=["many tables", "one table"])
def test_every_score_is_in_the_long_table(tables, many):
    """Of one table as of many: what the record has, in rows."""
    data = tables if many else ["t0.csv", "--target", "kind"]
    done = run(*data, *MODELS, *QUICK, "--csv", "out.csv", "--json", "out.json")
    assert done.exit_code == 0, done.output
    long = pd.read_csv("out.csv")
    record = json.loads(Path("out.json").read_text(encoding="utf-8"))
    records = record["tables"] if many else {"t0.csv": record}
    assert list(long) == ["table", "model", "fold", "execution", "metric", "score"]
    assert list(long["table"].unique()) == list(records)
    for name, each in records.items():
        for model, entry in each["models"].items():
            rows = long[(long["table"] == name) & (long["model"] == model)]
            np.testing.assert_array_equal(rows["score"], np.ravel(entry["scores"]))
            k, m = np.shape(entry["scores"])[:2]
            assert (rows["fold"].max(), rows["execution"].max()) == (k, m)
            for metric, mean in entry["mean"].items():
                assert rows.loc[rows["metric"] == metric, "score"].mean() == pytest.approx(mean)


def test_the_lines_of_the_guide_hand_the_scores_to_autorank(tmp_path, monkeypatch, capsys):
    """It reads five tables, and reports on the models by their names."""
    pytest.importorskip("autorank", reason="autorank is not installed")
    monkeypatch.chdir(tmp_path)
    (lines,) = re.findall(
        r"^```python\n([^`]*autorank[^`]*)^```$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE
    )
    rng, comparisons, models = np.random.default_rng(1), {}, ["knn:1", "knn:5", "bayes"]
    for number in range(5):
        X, y = rng.normal(size=(40, 2)), np.arange(40) % 2
        X[:, 0] += 2 * y
        folds = crossvalidation(y, 4, random_state=1)
        comparisons[f"t{number}"] = compare(models, X, y, folds, 1)
    Path("scores.csv").write_text(as_csv(comparisons), encoding="utf-8")
    exec(compile(lines, str(GUIDE), "exec"), {})
    report = capsys.readouterr().out
    assert "5 paired samples" in report
    assert all(model in report for model in models)


def test_the_suite_is_that_of_scikit_learn():
    """Four sets that need no file."""
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
        (["--suite", "--plot", "out.png"], "--plot is for a single table"),
        (["--suite", "--rope", "0.1"], "--rope is for a single table"),
        (["--data", "t0.csv", "--data", "t9.csv:a"], "t0.csv needs --target"),
    ],
)
def test_what_is_no_suite_is_refused_with_a_sentence(tables, arguments, sentence):
    """Before a model is trained."""
    done = run(*arguments, *MODELS, *QUICK)
    assert done.exit_code == 2
    assert sentence in done.stderr
