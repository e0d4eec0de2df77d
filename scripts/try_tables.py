#!/usr/bin/env python
"""Send real tables, and awkward ones, through `practica cv` and `compare --html`, with a network.

The real ones are those of scikit-learn and statsmodels.

    scripts/try_tables.py               all of them
    scripts/try_tables.py modechoice    those of a name

The target is the last column: a class if it is text or has at most ten values, else a quantity,
which only `compare` predicts. A line says "page" where a page was written, with the first note on
the columns, and else the sentence with which the table was refused; a traceback ends the script.
"""

import importlib
import itertools
import pkgutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import _installed  # noqa: F401 - it says what to do first
import numpy as np
import pandas as pd
import sklearn.datasets
import statsmodels.datasets
from click.testing import CliRunner

from practica.cli import main as practica

TOYS = ("iris", "wine", "breast_cancer", "digits", "diabetes")
FEW = ["--folds", "3", "--executions", "2", "--epochs", "30", "--seed", "1"]
MOST_CLASSES, MOST_ROWS = 10, 2000


def tables() -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the tables by name."""
    for name in TOYS:
        yield name, getattr(sklearn.datasets, f"load_{name}")(as_frame=True).frame
    for module in pkgutil.iter_modules(statsmodels.datasets.__path__):
        if module.ispkg and module.name != "tests":
            yield (
                module.name,
                importlib.import_module(f"statsmodels.datasets.{module.name}").load_pandas().data,
            )


def awkward() -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield tables that say something too good, or are written in another way than they are
    meant.
    """
    rng = np.random.default_rng(1)
    x = pd.DataFrame(rng.normal(size=(300, 3)).round(3), columns=list("abc"))
    kind = np.where(x["a"] + rng.normal(size=300) > 0, "up", "down")
    whose = np.repeat(np.arange(30), 10)
    price = (20 + 5 * x["a"] + rng.normal(size=300)).round(2)
    yield "price in euros", x.assign(price=price * 1000)
    yield "price in thousands", x.assign(price=price)
    yield "identifier", x.assign(number=rng.permutation(300) * 10, kind=kind).sort_values("kind")
    yield "subjects", x.assign(patient=whose, kind=np.where(whose % 2, "ill", "well"))
    yield (
        "sign of a return",
        x.assign(today=np.where(kind == "up", 1, -1) * rng.exponential(size=300), kind=kind),
    )
    percent, dollars = [f"{n:.1f} %" for n in x["a"]], [f"${1000 + n:,.2f}" for n in x["b"]]
    yield "units", x.assign(a=percent, b=dollars, kind=kind)
    yield (
        "two units",
        x.assign(a=[f"{n:.1f} {['km', 'm'][at % 2]}" for at, n in enumerate(x["a"])], kind=kind),
    )
    yield "missing as -999", x.assign(a=np.where(rng.random(300) < 0.1, -999, x["a"]), kind=kind)
    yield (
        "names that are values",
        pd.DataFrame({"no": np.where(kind == "up", "no", "yes"), "c": x["c"], "kind": kind}),
    )


def outcome(command: list[str]) -> str:
    """Run a command of this project; return "page", or the sentence with which it refuses."""
    done = CliRunner().invoke(practica, command)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    note = next((f"; {line}" for line in done.stdout.splitlines() if line.startswith("Note: ")), "")
    return f"page{note}" if done.exit_code == 0 else done.stderr.strip().splitlines()[-1]


def main() -> None:
    """Print a line for each table and command."""
    pages = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, frame in itertools.chain(awkward(), tables()):
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            file, target = Path(folder) / f"{name}.csv", str(frame.columns[-1])
            frame.head(MOST_ROWS).to_csv(file, index=False)
            values = frame.iloc[:, -1]
            is_class = not pd.api.types.is_numeric_dtype(values) or values.nunique() <= MOST_CLASSES
            models = ("ann:4", "majority") if is_class else ("annr:4", "mean")
            given = [option for model in models for option in ("--model", model)]
            page = ["--html", str(Path(folder) / f"{name}.html")]
            folds = ["--save-folds", str(Path(folder) / f"{name}.folds.csv")]
            commands = [["compare", str(file), "--target", target, *given, *FEW, *page, *folds]]
            if is_class:
                commands.append(
                    ["cv", str(file), "--target", target, "--topology", "4", *FEW, *page]
                )
            for command in commands:
                found = outcome(command)
                is_page = found.startswith("page")
                pages, refused = pages + is_page, refused + (not is_page)
                print(
                    f"{name:20} {len(frame):6} x {frame.shape[1] - 1:<3} {command[0]:8} {found}",
                    flush=True,
                )
    print(f"{pages} pages, {refused} refused")


if __name__ == "__main__":
    main()
