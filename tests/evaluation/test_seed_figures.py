"""The figures that the documents on evaluation print, computed again: all of them, to the digit."""

import itertools
import sys

import numpy as np
import pandas as pd
import pytest
import seed_figures
from seed_figures import FIGURES, HOUSE_COLUMNS, Figure, house_figures, house_prices, same_digits
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: f"{figure.document}: {figure.item}")
def test_a_printed_figure_is_reproduced(figure):
    """Recomputed and written with as many digits, it is the same text."""
    assert figure.recomputed() == figure.printed


@pytest.mark.parametrize(
    ("printed", "recomputed", "same"),
    [
        ("0.8947", "0.8947", True),
        ("0.8947", "0.8948", False),
        ("39", "40", False),
        ("2176125958588.6355", "2176125958588.6360", True),
        ("2176125958588.6355", "2176125958688.6355", False),
    ],
)
def test_digits_are_compared_as_they_are_printed(printed, recomputed, same):
    """Of a double in full, only the bits that the order of a sum cannot change."""
    assert same_digits(printed, recomputed) is same


def test_a_figure_that_differs_fails_the_script(monkeypatch, capsys):
    """It is marked, counted, and the exit status is not 0."""
    wrong = Figure("000", "one half", "0.51", lambda: 0.5)
    monkeypatch.setattr(
        seed_figures, "FIGURES", (wrong, Figure("000", "a quarter", "0.25", lambda: 0.25))
    )
    monkeypatch.setattr(sys, "argv", ["seed_figures.py"])
    with pytest.raises(SystemExit, match="1 figures differ"):
        seed_figures.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[-3:] == ["0.51", "0.50", "DIFFERS"]
    assert lines[2].split()[-3:] == ["0.25", "0.25", "equal"]
    assert any("need --house-prices FILE" in line for line in lines)


@pytest.fixture(scope="module")
def houses(tmp_path_factory) -> pd.DataFrame:
    """Write and read a table with the columns of the article."""
    rng = np.random.default_rng(2)
    table = pd.DataFrame(rng.random((61, len(HOUSE_COLUMNS))), columns=HOUSE_COLUMNS)
    table["quality_recode"] = rng.integers(0, 3, len(table))
    path = tmp_path_factory.mktemp("houses") / "houses.csv"
    table.assign(another=1).to_csv(path, index=False)
    return house_prices(path)


@pytest.mark.slow
def test_house_prices_are_scored_as_the_article_says(houses):
    """The first rows train, 46 of 61 in the article's code; ten neighbours; leaving one out is a
    loop over the rows.
    """
    first_error, first_hits, _, _, _, _, loo_error, loo_hits = itertools.islice(
        house_figures(houses), 8
    )
    X, price = houses.drop(columns="price"), houses["price"]
    outputs = KNeighborsRegressor(10).fit(X[:46], price[:46]).predict(X[46:])
    assert first_error.compute() == pytest.approx(np.mean((outputs - price[46:]) ** 2))
    X, quality = houses.drop(columns="quality_recode"), houses["quality_recode"]
    outputs = KNeighborsClassifier(10).fit(X[:46], quality[:46]).predict(X[46:])
    assert first_hits.compute() == pytest.approx(np.mean(outputs == quality[46:]))
    hits = [
        KNeighborsClassifier(10)
        .fit(X.drop(index=row), quality.drop(index=row))
        .predict(X.loc[[row]])[0]
        == quality[row]
        for row in X.index
    ]
    assert loo_hits.compute() == pytest.approx(np.mean(hits))
    assert "leave one out" in loo_error.item


@pytest.mark.slow
def test_a_score_lies_between_its_limits(houses):
    """They are the score itself where no two rows are equally near, and apart where rows are
    alike.
    """
    alike = houses.round(dict.fromkeys(houses.columns.drop(["price", "quality_recode"]), 0))
    for table in (houses, alike):
        for figure in itertools.islice(house_figures(table), 2):
            low, high = figure.limits()
            assert low - 1e-9 <= figure.compute() <= high + 1e-9
    error, error_of_alike = next(house_figures(houses)), next(house_figures(alike))
    assert error.limits() == pytest.approx((error.compute(),) * 2)
    assert np.diff(error_of_alike.limits()) > 1e-3


def test_limits_are_those_of_the_neighbours_that_may_be_missing():
    """Worked by hand: nine of ten neighbours of a price are sure, and eight of a quality, whose
    votes may be equal.
    """
    assert seed_figures.limits_of_error(np.ones(9), np.array([0, 10]), 1, 1.0) == pytest.approx(
        (0, 0.81)
    )
    sure = np.repeat(["bad", "good"], 4)
    assert seed_figures.limits_of_hit(sure, np.array(["good", "bad", "bad"]), 2, "good") == (
        False,
        True,
    )
    assert seed_figures.limits_of_hit(sure, np.array(["bad", "bad", "bad"]), 2, "good") == (
        False,
        False,
    )
    assert seed_figures.limits_of_hit(sure, np.array(["bad", "bad", "bad"]), 2, "bad") == (
        True,
        True,
    )


@pytest.mark.parametrize(
    ("limits", "verdict"),
    [
        ((0.4, 0.6), "equal but for ties between neighbours: 0.4 to 0.6"),
        ((0.5, 0.5), "DIFFERS"),
        ((0.6, 0.7), "DIFFERS"),
    ],
)
def test_what_ties_can_change_is_told_from_what_differs(limits, verdict):
    """A printed number that the order of equally near rows can give is no mistake."""
    assert (
        Figure("003", "ties", "0.51", lambda: 0.5, limits=lambda: limits).verdict("0.50") == verdict
    )


def test_faulty_figures_are_told_from_those_that_differ(houses):
    """Of the sixteen, the four that the article's faulty code printed say what the fault is."""
    figures = list(house_figures(houses))
    assert len(figures) == 16
    assert [figure.fault != "" for figure in figures] == [
        "quantile" in figure.item for figure in figures
    ]


def test_quantile_rows_test_every_row_once():
    """What the article's own loop misses."""
    for _, tests in itertools.groupby(
        enumerate(seed_figures.quantile_rows(61, 3)), key=lambda pair: pair[0] // 10
    ):
        assert sorted(row for _, (_, test) in tests for row in test) == list(range(61))


def test_a_file_of_other_columns_is_refused(tmp_path):
    """The first that is missing is named."""
    (tmp_path / "other.csv").write_text("price,latitude\n1,2\n")
    with pytest.raises(SystemExit, match="no column no_of_bedrooms"):
        house_prices(tmp_path / "other.csv")
