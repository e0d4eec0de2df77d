"""What a table says decides the figures of `compare`, not how it says it: its units, its order or
its form.
"""

import bz2
import gzip
import json
import os
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from budget import budget
from click.testing import CliRunner
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from practica.cli import main
from practica.experiments.tables import read_csv

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


def as_zip(data, path):
    """Write a zip of one file."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("inside.csv", data)


def as_arff(frame, path):
    """Write what Weka reads."""
    kinds = [
        f"@attribute {name} {'{cheap,dear}' if name == 'kind' else 'numeric'}" for name in frame
    ]
    path.write_text(
        "\n".join(
            [
                "% a comment",
                "@RELATION prices",
                *kinds,
                "@data",
                frame.to_csv(index=False, header=False),
            ]
        )
    )


def with_names_of_rows(frame, header):
    """Return what R writes: a first column without a name, or with none in the header."""
    lines = (
        frame.rename(index=lambda number: f"row{number + 1}").to_csv(index_label="").splitlines()
    )
    return "\n".join(
        [lines[0] if header else lines[0].removeprefix(",").removeprefix('"",'), *lines[1:], ""]
    )


FORMS = {
    "semicolons": lambda frame, path: frame.to_csv(path, index=False, sep=";", decimal=","),
    "tabs": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "utf-16": lambda frame, path: frame.to_csv(path, index=False, encoding="utf-16"),
    "excel's sep": lambda frame, path: path.write_text(
        "sep=;\n" + frame.to_csv(index=False, sep=";")
    ),
    "gz": lambda frame, path: path.write_bytes(gzip.compress(frame.to_csv(index=False).encode())),
    "bz2": lambda frame, path: path.write_bytes(bz2.compress(frame.to_csv(index=False).encode())),
    "zip": lambda frame, path: as_zip(frame.to_csv(index=False), path),
    "parquet": lambda frame, path: frame.to_parquet(path, index=False),
    "xlsx": lambda frame, path: frame.to_excel(path, index=False),
    "arff": as_arff,
    "R's write.csv": lambda frame, path: path.write_text(with_names_of_rows(frame, header=True)),
    "R's write.table": lambda frame, path: path.write_text(with_names_of_rows(frame, header=False)),
}
NEEDS = {"parquet": "pyarrow", "xlsx": "openpyxl"}
WRITTEN = {
    "semicolons": {"separator": ";", "decimal": ","},
    "tabs": {"separator": "tab"},
    "utf-16": {"encoding": "utf-16"},
}


@pytest.mark.parametrize("form", FORMS)
def test_a_table_is_the_same_in_every_form(tmp_path, form):
    """Numbers to the last bit, names and classes; whatever the name of the file."""
    if form in NEEDS:
        pytest.importorskip(NEEDS[form], reason="practica[files] has it")
    for seed in range(budget(3)):
        frame = patterns(seed).assign(count=np.arange(45) % 7)[["a", "count", "c", "kind"]]
        frame.loc[3, "a"] = 1 / 3
        frame.to_csv(tmp_path / "plain.csv", index=False)
        FORMS[form](frame, tmp_path / "other.csv")
        plain, other = (
            read_csv(tmp_path / "plain.csv", "kind"),
            read_csv(tmp_path / "other.csv", "kind", **WRITTEN.get(form, {})),
        )
        np.testing.assert_array_equal(other.inputs, plain.inputs)
        assert (other.attributes, other.targets.tolist()) == (
            plain.attributes,
            plain.targets.tolist(),
        )


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
            file, out = as_csv(frame)(Path(folder)), os.path.join(folder, "out.csv")
            models = ["--model", "linear", "--model", "mean", "--reference", "linear"]
            options = ["--metric", "neg_mean_absolute_error", "--csv", out, "--folds", "3", *QUICK]
            done = CliRunner().invoke(
                main, ["compare", str(file), "--target", "price", *models, *options]
            )
            assert " in the unit of neg_mean_absolute_error, not adjusted" in done.stdout
            shares.append(pd.read_csv(out)["p_equal"].iloc[1])
    assert shares[0] == pytest.approx(shares[1], abs=1e-6)
    assert shares[0] > 0
