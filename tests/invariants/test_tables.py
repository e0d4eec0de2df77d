"""What a table says decides the figures of `compare`, not how it says it: its units, its order or its form."""

import json
import os
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

FACTORS = st.sampled_from([1e-6, 0.01, 0.4536, 3.0, 100.0, 1000.0, 1e9])
SHIFTS = st.sampled_from([0.0, -40.0, 273.15, 1e4])
PHASES = (Phase.explicit, Phase.generate)  # to shrink an example takes minutes, and shows nothing more
QUICK = ["--folds", "3", "--executions", "2", "--epochs", "30", "--seed", "1"]
REGRESSORS = ["annr:4", "linear", "mean"]
CLASSIFIERS = ["knn:3", "svm", "logistic", "bayes", "majority"]


def patterns(seed: int) -> pd.DataFrame:
    """Draw 45 patterns with three attributes, a quantity and a class."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(rng.normal(size=(45, 3)).round(4), columns=["a", "b", "c"])
    price = (5 * table["a"] - 2 * table["b"] + rng.normal(size=45)).round(4)
    return table.assign(price=price, kind=np.where(price > 0, "dear", "cheap"))


def scores_of(write, target, models, *options):
    """Compare models on the file that `write` makes in an empty folder; return the means of their metrics."""
    with tempfile.TemporaryDirectory() as folder:
        file = write(Path(folder))
        command = ["compare", str(file), "--target", target, *QUICK, *(part for m in models for part in ("--model", m))]
        done = CliRunner().invoke(main, [*command, *map(str, options), "--json", os.path.join(folder, "out.json")])
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
def test_the_unit_of_target_and_attributes_changes_no_figure_of_regression(seed, factor, shift, of_attribute):
    """Prices in thousands and in units, degrees Celsius and Kelvin: the same R², and the same model wins."""
    table = patterns(seed).drop(columns="kind")
    other = table.assign(price=(table["price"] + shift) * factor, a=table["a"] * of_attribute)
    first, second = (scores_of(as_csv(frame), "price", REGRESSORS) for frame in (table, other))
    # A step of Adam may turn on the last bit of float32.
    require_same(first, second, ["r2", "relative_squared_error", "relative_absolute_error"], tolerance=2e-3)
