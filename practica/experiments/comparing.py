"""A comparison from the command line: models as text and folds in; tables, files and a picture out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica import console
from practica.evaluation import summary as report
from practica.evaluation.comparison import Comparison, compare
from practica.evaluation.folds import fingerprint, read_folds, write_folds
from practica.evaluation.specs import model_of
from practica.experiments import plots, records
from practica.experiments.tables import Table
from practica.reference.metrics import Metrics
from practica.reference.partition import crossvalidation

__all__ = ["session"]


def session(
    table: Table,
    models: Iterable[str],
    network: Mapping[str, Any],
    *,
    data: Path,
    folds: int,
    folds_file: Path | None,
    save_folds: Path,
    executions: int,
    normalization: str | None,
    seed: int,
    metric: str,
    region: float,
    csv: Path | None,
    markdown: Path | None,
    latex: Path | None,
    record: Path | None,
    picture: Path | None,
) -> None:
    """Compare models on one table and show what came out.

    Parameters
    ----------
    table : Table
    models : texts
        See `practica.evaluation.specs`.
    network : mapping
        Parameters of the networks that do not name them.
    data : path
        The file with the data, which is never overwritten.
    folds : int
        How many to draw, where there is no `folds_file`.
    folds_file : path, optional
        Where the folds of an earlier comparison are kept.
    save_folds : path
        Where to keep new ones.
    executions, normalization, seed, metric
        As in `compare`.
    region : float
        Differences of at most this size are of no practical importance.
    csv, markdown, latex, record, picture : paths, optional
        The files to write.

    Raises
    ------
    ValueError
        If a model or the metric is unknown, the folds do not fit the table or would replace others, a file cannot be
        written, or a model cannot be trained.
    """
    named = _named(models, network)
    with ExitStack() as files:
        written = {
            form: files.enter_context(records.opened(path, data=data))
            for form, path in {"csv": csv, "markdown": markdown, "latex": latex, "record": record}.items()
        }
        canvas = files.enter_context(plots.opened(picture, data=data))
        if folds_file is None:
            indices = crossvalidation(table.targets, folds, random_state=seed)
            written["folds"] = files.enter_context(records.opened(_unless_kept(save_folds, indices), data=data))
        else:
            indices = _read(folds_file, table)
        where = f"{indices.max()} folds in {folds_file or save_folds}, sha256 {fingerprint(indices)[:12]}…"
        console.print_lines(*console.described(table), f"{where}; {executions} executions, seed {seed}")
        with console.progress_bar() as progress:
            comparison = compare(
                named,
                table.inputs,
                table.targets,
                indices,
                executions,
                metrics=tuple(dict.fromkeys([*Metrics._fields, metric])),
                normalization=normalization,
                random_state=seed,
                progress=progress,
            )
        _print(comparison, metric, region)
        for form, write in report.FORMATS.items():
            if (file := written[form]) is not None:
                file.write(write(comparison, metric, region=region))
        records.write(records.record_of_comparison(comparison, table), written["record"])
        if (file := written.get("folds")) is not None:
            write_folds(indices, file)
        plots.save_metrics(
            {name: result.of(metric) for name, result in comparison.results.items()}, canvas, metrics=(metric,)
        )


def _named(models: Iterable[str], network: Mapping[str, Any]) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for text in models:
        if text in named:
            raise ValueError(f"model {text!r} is given twice")
        named[text] = model_of(text, **network)
    return named


def _read(path: Path, table: Table) -> NDArray[np.int64]:
    indices = read_folds(path)
    if len(indices) != len(table.inputs):
        raise ValueError(
            f"{path} has the folds of {len(indices)} patterns and {table.name} has {len(table.inputs)}; "
            "they belong to other data"
        )
    return indices


def _unless_kept(path: Path, indices: NDArray[np.int64]) -> Path | None:
    """Return where to write the folds, None if they are there already; others must not be lost."""
    if not path.exists():
        return path
    if not np.array_equal(read_folds(path), indices):
        raise ValueError(
            f"{path} keeps other folds; compare on those with --folds-file {path}, or keep these in another file with "
            "--save-folds"
        )
    return None


def _print(comparison: Comparison, metric: str, region: float) -> None:
    grids = [report.model_grid(comparison, metric), report.difference_grid(comparison, metric, region=region)]
    for grid in grids:
        if grid.rows:
            console.print_grid(grid.title, grid.header, grid.rows)
    console.print_lines("", *report.notes(comparison, metric, region=region))
    console.print_lines("Time: " + ", ".join(f"{name} {time:.1f} s" for name, time in comparison.seconds.items()))
