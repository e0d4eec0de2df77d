"""What a table says decides the figures of `compare`, not how it says it: its units and its order.
`same/test_tables.py` has its formats.
"""

import json
import os
import re
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from budget import budget
from click.testing import CliRunner
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from practica.cli import main
from practica.evaluation import load_comparison
from practica.evaluation.summary import region_of
from tests.tables import read_csv

FACTORS = st.sampled_from([1e-6, 0.01, 0.4536, 3.0, 100.0, 1000.0, 1e9])
SHIFTS = st.sampled_from([0.0, -40.0, 273.15, 1e4])
# to shrink an example takes minutes, and shows nothing more
PHASES = (Phase.explicit, Phase.generate)
QUICK = ["--executions", "2", "--epochs", "30", "--seed", "1"]
REGRESSORS = ["annr:4", "linear", "mean"]
CLASSIFIERS = ["knn:3", "svm", "logistic", "bayes", "majority"]


def patterns(seed: int) -> pd.DataFrame:
    """Draw 45 patterns with three attributes, a quantity and a class."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(rng.normal(size=(45, 3)).round(4), columns=["a", "b", "c"])
    price = (5 * table["a"] - 2 * table["b"] + rng.normal(size=45)).round(4)
    return table.assign(price=price, kind=np.where(price > 0, "dear", "cheap"))


def scores_of(write, target, models, *options):
    """Compare models on the file that `write` makes in an empty folder.

    Return the means of their metrics.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = write(Path(folder))
        folds = [] if "--folds-file" in options else ["--folds", "3"]
        command = [
            "compare",
            str(file),
            "--target",
            target,
            *QUICK,
            *folds,
            *(part for m in models for part in ("--model", m)),
        ]
        done = CliRunner().invoke(
            main, [*command, *map(str, options), "--json", os.path.join(folder, "out.json")]
        )
        assert done.exit_code == 0, done.output
        record = json.loads(Path(folder, "out.json").read_text())
    return {name: model["mean"] for name, model in record["models"].items()}


def as_csv(frame, name="t.csv", **options):
    """Return what writes a frame as CSV."""

    def write(folder):
        frame.to_csv(folder / name, index=False, **options)
        return folder / name

    return write


def require_same(first, second, metrics, tolerance=1e-6):
    """Compare figures, and the order of the models in each metric."""
    for metric in metrics:
        one, other = ([figures[name][metric] for name in first] for figures in (first, second))
        assert other == pytest.approx(one, abs=tolerance), metric
        assert (
            np.argsort(np.round(one, 5), kind="stable").tolist()
            == np.argsort(np.round(other, 5), kind="stable").tolist()
        )


@pytest.mark.thorough
@settings(max_examples=budget(6), phases=PHASES)
@given(seed=st.integers(0, 99), factor=FACTORS, shift=SHIFTS, of_attribute=FACTORS)
def test_the_unit_of_target_and_attributes_changes_no_figure_of_regression(
    seed, factor, shift, of_attribute
):
    """Prices in thousands and in units, degrees Celsius and Kelvin: the same R², and the same model
    wins.
    """
    table = patterns(seed).drop(columns="kind")
    other = table.assign(price=(table["price"] + shift) * factor, a=table["a"] * of_attribute)
    first, second = (scores_of(as_csv(frame), "price", REGRESSORS) for frame in (table, other))
    # A step of Adam may turn on the last bit of float32.
    require_same(
        first, second, ["r2", "relative_squared_error", "relative_absolute_error"], tolerance=2e-3
    )


def test_the_words_for_missing_are_those_of_the_option(tmp_path):
    """None, n/a and the other words of pandas are categories like any other."""
    words = ["None", "NA", "n/a", "NULL", "nan", "-nan", "low"] * 2
    frame = pd.DataFrame({"a": words, "kind": ["x", "y"] * 7})
    frame.to_csv(tmp_path / "t", index=False)
    whole = read_csv(tmp_path / "t", "kind", missing=[""])
    assert whole.attributes == tuple(f"a={word}" for word in words[:7])
    some = read_csv(tmp_path / "t", "kind", missing=["low"], impute=True)
    assert "a=None" in some.attributes
    assert some.attributes[-1] == "a missing"


@pytest.mark.parametrize("dtype", ["float64", "Float64"])
@pytest.mark.parametrize(("value", "place"), [(np.inf, 0), (-np.inf, 2)])
def test_an_infinite_value_is_refused_in_every_column(tmp_path, dtype, value, place):
    """With its row, in an attribute, the target and what decides the folds."""
    pytest.importorskip("pyarrow", reason="practica[files] has it")
    numbers = [1.0, 2.0, 3.0, 4.0]
    numbers[place] = value
    infinite = pd.array(numbers, dtype=dtype)
    frame = pd.DataFrame({"a": infinite, "b": [1, 2, 1, 2], "c": [1, 5, 2, 4]})
    frame.to_parquet(tmp_path / "t")
    sentence = rf"row {place + 1}, column 'a': '-?inf' is not a finite number"
    roles = [("c", {}), ("a", {"quantity": True}), ("c", {"groups": "a"}), ("c", {"time": "a"})]
    for target, options in roles:
        with pytest.raises(ValueError, match=sentence):
            read_csv(tmp_path / "t", target, least=1, **options)


@settings(max_examples=budget(10), phases=PHASES)
@given(seed=st.integers(0, 99), base=st.sampled_from([2**53, 10**16, 10**18, 2**63, 10**19]))
def test_large_integers_are_told_apart(seed, base):
    """As groups, times, labels and identifiers they are what small ones are."""
    rng = np.random.default_rng(seed)
    whole = {"n": rng.permutation(40), "owner": rng.integers(1, 12, size=40)}
    small = pd.DataFrame({"a": rng.normal(size=40), "c": rng.permutation(40) % 2, **whole})
    large = small.assign(**{name: [base + int(n) for n in whole[name]] for name in whole})
    with tempfile.TemporaryDirectory() as folder:

        def read(frame, target, **options):
            return read_csv(as_csv(frame)(Path(folder)), target, least=1, **options)

        one, other = (read(frame, "c", groups="owner") for frame in (small, large))
        assert pd.factorize(other.groups)[0].tolist() == pd.factorize(one.groups)[0].tolist()
        assert "column 'n': a number of its own for each row" in other.notes[0]
        one, other = (read(frame, "c", time="n") for frame in (small, large))
        assert np.argsort(other.times).tolist() == np.argsort(one.times).tolist()
        one, other = (read(frame, "owner") for frame in (small, large))
        assert pd.factorize(other.targets)[0].tolist() == pd.factorize(one.targets)[0].tolist()
        assert not any("differ only in" in note for note in other.notes)


def test_a_table_comes_from_standard_input(tmp_path):
    """A dash is its name."""
    content = as_csv(patterns(1))(tmp_path).read_bytes()
    options = ["--target", "kind", "--folds", "3", "--models", "knn", *QUICK]
    of_file, of_stream = (
        CliRunner().invoke(main, ["cv", name, *options], input=content)
        for name in (str(tmp_path / "t.csv"), "-")
    )
    assert of_stream.exit_code == 0, of_stream.output
    shown = [re.sub(r"[\d.]+ s\b", "", done.stdout) for done in (of_file, of_stream)]
    assert shown[1] == shown[0].replace("t.csv", "standard input")


@pytest.mark.parametrize(("exponent", "word"), [(160, "large"), (300, "large"), (-160, "small")])
@pytest.mark.parametrize("target", ["kind", "price"])
def test_numbers_that_cannot_be_squared_are_refused_with_their_column(
    tmp_path, exponent, word, target
):
    """As attribute and as quantity; a column may have some that are small."""
    frame = patterns(1)
    some = frame.assign(a=frame["a"].where(frame.index > 3, 1e-300))
    read_csv(as_csv(some)(tmp_path), target, quantity=True)
    name = "price" if target == "price" else "a"
    file = as_csv(frame.assign(**{name: frame[name] * 10.0**exponent}))(tmp_path)
    with pytest.raises(ValueError, match=rf"column '{name}': .* too {word} to be squared"):
        read_csv(file, target, quantity=True)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "an old Excel file"),
        (b"$FL2@(#)", "an SPSS file"),
        (b"RDX3\nX", "an R file"),
        (b"PAR1 and no more", "a Parquet file"),
        (b'[{"a": 1}]', "JSON"),
        (b"\x89HDF\r\n", "an HDF5"),
        (b"\x1f\x8b\x08 cut", "cannot be unpacked"),
        (b"%PDF-1.7", "a PDF"),
        (b"@relation\n@a", "an ARFF file"),
    ],
)
def test_another_format_is_refused_by_its_name(tmp_path, data, what):
    """Whatever its file is called."""
    (tmp_path / "t.csv").write_bytes(data)
    with pytest.raises(ValueError, match=rf"t.csv (is )?{what}"):
        read_csv(tmp_path / "t.csv", "kind")


@pytest.mark.thorough
@settings(max_examples=budget(4), phases=PHASES)
@given(
    seed=st.integers(0, 99),
    factor=FACTORS,
    order=st.permutations(["a", "b", "c", "kind"]),
    rows=st.randoms(),
)
def test_units_columns_and_the_order_of_patterns_change_no_figure(seed, factor, order, rows):
    """Of models without chance, on the same folds of the same patterns."""
    table = patterns(seed).drop(columns="price")
    place = list(range(len(table)))
    rows.shuffle(place)
    folds = pd.DataFrame({"fold": np.arange(len(table)) % 3 + 1})
    found = []
    for frame, of_rows in (
        (table, folds),
        (table.assign(a=table["a"] * factor)[order].iloc[place], folds.iloc[place]),
    ):

        def write(folder, frame=frame):
            frame.to_csv(folder / "t.csv", index=False)
            return folder / "t.csv"

        with tempfile.TemporaryDirectory() as kept:
            of_rows.to_csv(os.path.join(kept, "folds.csv"), index=False)
            given_folds = ("--folds-file", os.path.join(kept, "folds.csv"), "--positive", "dear")
            found.append(scores_of(write, "kind", CLASSIFIERS, *given_folds))
    require_same(*found, ["accuracy", "recall", "F1"])


@settings(max_examples=budget(2), phases=PHASES)
@given(seed=st.integers(0, 99), factor=FACTORS)
def test_practical_equality_has_the_unit_of_the_metric(seed, factor):
    """Of an error in euros or in cents, the same probability of being equal.

    The line beneath says what equal is.
    """
    shares = []
    table = patterns(seed).drop(columns="kind")
    for frame in (table, table.assign(price=table["price"] * factor)):
        with tempfile.TemporaryDirectory() as folder:
            file, out = as_csv(frame)(Path(folder)), Path(folder, "out.json")
            models = ["--model", "linear", "--model", "mean", "--reference", "linear"]
            options = ["--metric", "neg_mean_absolute_error", "--folds", "3", *QUICK]
            options += ["--json", str(out)]
            done = CliRunner().invoke(
                main, ["compare", str(file), "--target", "price", *models, *options]
            )
            assert " in the unit of neg_mean_absolute_error, not adjusted" in done.stdout
            kept, metric = load_comparison(out), "neg_mean_absolute_error"
            region = region_of(kept, metric, None, "linear")
            (difference,) = kept.differences(metric, region=region, reference="linear")
            assert f"being within ±{region:.4g} in the unit of" in done.stdout
            shares.append(difference.probabilities.equal)
    assert shares[0] == pytest.approx(shares[1], abs=1e-6)
    assert shares[0] > 0


ARFF = "@relation t\n@attribute x numeric\n@attribute kind {oak,'wych elm'}\n@data\n1,oak\n"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1,'oak", "' is opened and never closed"),
        ("1,elm", "'elm' is no value of 'kind'"),
        ("1", "2 attributes need as many values; it has 1"),
        ("1,oak,{2}", "weights of rows are not read"),
        ("{2 oak}", "'2' is no place of an attribute, 0 to 1"),
    ],
)
def test_a_line_that_is_none_of_arff_is_refused_with_its_number(tmp_path, line, reason):
    """Counted with comments and empty lines."""
    (tmp_path / "t").write_text(f"% trees\n\n{ARFF}{line}\n")
    with pytest.raises(ValueError, match=f"line 8 cannot be read: {re.escape(reason)}"):
        read_csv(tmp_path / "t", "kind")


def test_merged_cells_have_one_value_and_a_title_is_no_header(tmp_path):
    """As in a sheet that people made for each other."""
    openpyxl = pytest.importorskip("openpyxl", reason="practica[files] has it")
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["x", "kind"], *([n * n % 7, "oak" if n < 10 else "elm"] for n in range(20))):
        sheet.append(row)
    sheet.merge_cells("B2:B11")
    sheet.merge_cells("B12:B21")
    book.save(tmp_path / "t")
    assert read_csv(tmp_path / "t", "kind").class_sizes() == {"oak": 10, "elm": 10}
    sheet.insert_rows(1)
    sheet["A1"] = "Trees of 2024"
    book.save(tmp_path / "t")
    with pytest.raises(ValueError, match="are below 'Trees of 2024'; remove the"):
        read_csv(tmp_path / "t", "kind")
