"""Choices of an experiment: what the commands offer, and what the user chose.

The help of the commands is made from these tables, hence nothing large is imported here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# what a file may be, and in what it may be packed; `formats` knows them by their first bytes
CSV, EXCEL, PARQUET, ARFF = FILES = (
    "a CSV file",
    "an Excel file",
    "a Parquet file",
    "an ARFF file",
)
PACKED = ("gz", "bz2", "xz", "zip", "tar")
SHIPPED = {"iris": "Iris", "breast_cancer": "Breast cancer", "wine": "Wine", "digits": "Digits"}
SHOWN = ("iris", "breast_cancer")  # the data sets of `practica demo`
MISSING = ("?", "NA", "N/A", "#N/A", "<NA>", "nan", "null")
NORMALIZED = {
    "zeromean": "mean 0 and standard deviation 1",
    "minmax": "minimum 0 and maximum 1",
}
MODELS = ("ann", "knn", "svm", "tree", "majority")
FOLDS = 10
EXECUTIONS = 50  # the statement requires "at least some 50"


@dataclass(frozen=True, kw_only=True)
class Choices:
    """The options of `practica demo`, `cv` and `compare`, by their names on the command line;
    without those on how a table is read.
    """

    model: Sequence[str] = MODELS[:4]
    network: Mapping[str, Any]  # keywords of the networks that do not say them themselves
    topology: Sequence[int] = ()
    folds: int | None = None
    repeats: int | None = None
    folds_file: Path | None = None
    save_folds: Path | None = None
    executions: int = EXECUTIONS
    device: str = "cpu"
    normalize: str | None = "zeromean"
    seed: int | None = None
    metric: Sequence[str] = ()
    reference: str | None = None
    rope: float | None = None
    csv: Path | None = None
    markdown: Path | None = None
    latex: Path | None = None
    json: Path | None = None
    overwrite: bool = False
    plot: Path | None = None
    html: Path | None = None


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a table is read: options of `practica cv` and `compare`, by their names on the command
    line, and then what the models want of it.
    """

    ignore: Sequence[str] = ()
    separator: str = ","
    decimal: str = "."
    thousands: str | None = None
    encoding: str = "utf-8"  # a byte order mark at the beginning is skipped
    sheet: str | None = None
    header: bool | None = None  # guessed if it is None
    missing: Sequence[str] = ()
    impute: bool = False
    positive: str | None = None
    groups: str | None = None
    time: str | None = None
    least: int = 2  # some class must have as many patterns
    # the models that want attributes as numbers: these may have missing values only with `impute`,
    # and text that never repeats never
    encoded: Sequence[str] = ("These models",)
    whole: bool = False  # whether attributes are wanted as they are, too
    quantity: bool = False  # whether the target may be a number to predict


READING = Reading()
