"""Tables as people have them: holes, text, rare classes, dates, decimal commas, groups and time
that drifts.

The tests make them small. `python -m tests.tables FOLDER` makes them in full size, to be tried by
hand:

    practica compare FOLDER/titanic.csv --target survived --positive yes --model
    boosting=mine:boosting
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from practica.experiments import tables
from practica.experiments.choices import Reading

__all__ = ["MAKERS", "read_csv", "written"]


def read_csv(path: str | Path, target: str, **options: Any) -> tables.Table:
    """Read a file with some options of the command."""
    return tables.read_csv(path, target, Reading(**options))


def titanic(rng: np.random.Generator, rows: int = 891) -> pd.DataFrame:
    """Two texts and an age with holes, a cabin that is nearly always missing, and who survived."""
    sex = rng.choice(["male", "female"], rows)
    return pd.DataFrame(
        {
            "pclass": rng.integers(1, 4, rows),
            "sex": sex,
            "age": np.where(rng.random(rows) < 0.2, np.nan, rng.uniform(1, 70, rows).round(1)),
            "fare": rng.exponential(30, rows).round(2),
            "embarked": rng.choice(["S", "C", "Q", None], rows),
            "cabin": np.where(
                rng.random(rows) < 0.8, None, rng.choice(["C85", "E46", "B28"], rows)
            ),
            "survived": np.where(
                rng.random(rows) < np.where(sex == "female", 0.75, 0.2), "yes", "no"
            ),
        }
    )


def penguins(rng: np.random.Generator, rows: int = 344) -> pd.DataFrame:
    """Three classes, a text, and measures that are missing together."""
    kind = rng.integers(0, 3, rows)
    missing = rng.random(rows) < 0.03
    return pd.DataFrame(
        {
            "island": np.array(["Torgersen", "Biscoe", "Dream"])[
                (kind + (rng.random(rows) < 0.3)) % 3
            ],
            "bill": np.where(missing, np.nan, (38 + 5 * kind + rng.normal(0, 2, rows)).round(1)),
            "mass": np.where(
                missing, np.nan, (3500 + 700 * kind + rng.normal(0, 300, rows)).round()
            ),
            "species": np.array(["Adelie", "Chinstrap", "Gentoo"])[kind],
        }
    )


def rare(rng: np.random.Generator, rows: int = 20_100) -> pd.DataFrame:
    """One positive in 201, the negative class first."""
    ill = np.arange(rows) % 201 == 200
    return pd.DataFrame(
        {
            "marker": rng.normal(2 * ill),
            "noise": rng.normal(size=rows),
            "ill": np.where(ill, "yes", "no"),
        }
    ).round(4)


def long(rng: np.random.Generator, rows: int = 200_000) -> pd.DataFrame:
    """31 columns."""
    table = pd.DataFrame(rng.normal(size=(rows, 30)).round(5)).add_prefix("x")
    return table.assign(kind=np.where(table["x0"] + rng.normal(size=rows) > 0, "a", "b"))


def wide(rng: np.random.Generator, columns: int = 5_000) -> pd.DataFrame:
    """More columns than rows."""
    table = pd.DataFrame(rng.normal(size=(60, columns)).round(3)).add_prefix("gene")
    return table.assign(tissue=np.arange(60) % 2)


def comma(rng: np.random.Generator, rows: int = 500) -> pd.DataFrame:
    """As spreadsheets in Spanish write it: see `written`."""
    size = rng.normal(170, 10, rows).round(1)
    return pd.DataFrame(
        {"talla": size, "ciudad": rng.choice(["A Coruña", "Lugo"], rows), "alta": size > 170}
    )


def grouped(rng: np.random.Generator, rows: int = 1_000) -> pd.DataFrame:
    """Ten rows of each patient, who is nearly the same in all of them."""
    patient = np.arange(rows) // 10
    ill = rng.random(patient.max() + 1) < 0.5
    signature = rng.normal(size=patient.max() + 1)[patient] + rng.normal(0, 0.01, rows)
    return pd.DataFrame(
        {"signature": signature, "patient": [f"p{p}" for p in patient], "ill": ill[patient]}
    )


def drifting(rng: np.random.Generator, rows: int = 2_000) -> pd.DataFrame:
    """Let a rule turn round in the course of two years; the rows are in no order."""
    day = rng.integers(0, 730, rows)
    x = rng.normal(size=rows)
    fails = x * np.cos(day / 730 * np.pi) + rng.normal(0, 0.2, rows) > 0
    dates = (np.datetime64("2023-01-01") + day).astype(str)
    return pd.DataFrame({"x": x.round(4), "day": dates, "fails": np.where(fails, "yes", "no")})


def quantity(rng: np.random.Generator, rows: int = 500) -> pd.DataFrame:
    """Give a price to predict, and holes."""
    area = rng.uniform(40, 200, rows).round()
    holes = np.where(rng.random(rows) < 0.1, np.nan, area)
    return pd.DataFrame(
        {
            "area": holes,
            "town": rng.choice(["Lugo", "Vigo"], rows),
            "price": area * 1000 + rng.normal(0, 9000, rows),
        }
    )


MAKERS: dict[str, Callable[..., pd.DataFrame]] = {
    maker.__name__: maker
    for maker in (titanic, penguins, rare, long, wide, comma, grouped, drifting, quantity)
}


def written(name: str, folder: Path, **size: int) -> Path:
    """Make a table and write it."""
    path = folder / f"{name}.csv"
    options = {"sep": ";", "decimal": ",", "encoding": "latin-1"} if name == "comma" else {}
    MAKERS[name](np.random.default_rng(1), **size).to_csv(path, index=False, **options)
    return path


if __name__ == "__main__":
    for name in MAKERS:
        print(written(name, Path(sys.argv[1])))
