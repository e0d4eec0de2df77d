"""One experiment: models trained on the same folds of a table, kept as a record, and then shown.

It is shown in one of two ways, `show_metrics` for `practica demo` and `practica cv`, and `show_differences` for
`practica compare`. What was trained is on the disk before anything is made of it.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from practica.console import interruptible, print_grid, print_lines, progress_bar
from practica.evaluation import summary
from practica.evaluation.classifier import ANNClassifier
from practica.evaluation.comparison import Comparison, compare
from practica.evaluation.folds import fingerprint, read_folds, write_folds
from practica.evaluation.specs import model_of
from practica.experiments.plots import opened_picture
from practica.experiments.records import record_of, write
from practica.experiments.tables import Table
from practica.files import opened
from practica.reference.arguments import closest
from practica.reference.metrics import Metrics
from practica.reference.partition import crossvalidation

__all__ = ["MODELS", "show_differences", "show_metrics"]

MODELS = ("ann", "knn", "svm", "tree")


class PracticeTree(DecisionTreeClassifier):  # type: ignore[misc]
    """The tree of exercise 6, whose seed is always 1: trained again on the same patterns, it is the same."""

    def __init__(self, max_depth: int | None = None) -> None:
        super().__init__(max_depth=max_depth, random_state=1)


def show_metrics(
    table: Table,
    names: Collection[str] = MODELS,
    *,
    data: Path | Iterable[Path] = (),
    topology: Sequence[int],
    network: Mapping[str, Any],
    folds: int,
    executions: int,
    normalization: str | None,
    seed: int,
    record: Path | None = None,
    picture: Path | None = None,
) -> None:
    """Cross-validate models of exercise 6, and show all seven metrics of each.

    The parameters are the options of `practica cv`; `data` is the file that holds the data, and `network` has what the
    options say of the networks besides their topology.

    Raises
    ------
    ValueError
        If there is no model of some name, a file cannot be written, or a model cannot be trained.
    """
    known = _models_of_exercise_6(topology, network)
    for name in names:
        if name not in known:
            raise ValueError(f"there is no model {name!r}{closest(name, known)}")
    models = {name: known[name] for name in names}
    indices = crossvalidation(table.targets, folds, random_state=seed)
    how_long = f"{_counted(executions, 'network')} per fold, {_counted(network['maxEpochs'], 'epoch')} at most"
    with opened_picture(picture, data=data) as draw:
        comparison = _run(
            table,
            dict(models.values()),
            indices,
            f"{folds} folds, {how_long}, seed {seed}",
            data=data,
            record=record,
            names={title: name for name, (title, _) in models.items()},
            n_executions=executions,
            normalization=normalization,
            random_state=seed,
        )
        _print(summary.metric_grid(comparison))
        draw({metric: _values(comparison, metric) for metric in ("accuracy", "F1")})


def show_differences(
    table: Table,
    texts: Iterable[str],
    *,
    data: Path,
    network: Mapping[str, Any],
    folds: int,
    folds_file: Path | None,
    save_folds: Path,
    executions: int,
    normalization: str | None,
    seed: int,
    metric: str,
    region: float,
    record: Path | None,
    picture: Path | None,
    **tables: Path | None,
) -> None:
    """Compare models on the same folds, and show what their spread consists of and which differences are real.

    The parameters are the options of `practica compare`; `data` is the file that holds the data, `texts` are the
    models, `network` is for those networks that do not say it themselves, and `tables` are the files for the tables, by
    the names of `summary.FORMATS`.

    Raises
    ------
    ValueError
        If a model or the metric is unknown, the folds do not fit the table or would replace others, a file cannot be
        written, or a model cannot be trained.
    """
    models: dict[str, Any] = {}
    for text in texts:
        if text in models:
            raise ValueError(f"model {text!r} is given twice")
        models[text] = model_of(text, **network)
    with ExitStack() as files:
        written = {form: files.enter_context(opened(path, data=data)) for form, path in tables.items()}
        draw = files.enter_context(opened_picture(picture, data=data))
        if folds_file is None:
            indices = crossvalidation(table.targets, folds, random_state=seed)
        else:
            indices = _read(folds_file, table)
        where = f"{indices.max()} folds in {folds_file or save_folds}, sha256 {fingerprint(indices)[:12]}…"
        comparison = _run(
            table,
            models,
            indices,
            f"{where}; {executions} executions, seed {seed}",
            data=data,
            record=record,
            save_folds=_unless_kept(save_folds, indices) if folds_file is None else None,
            n_executions=executions,
            metrics=tuple(dict.fromkeys([*Metrics._fields, metric])),
            normalization=normalization,
            random_state=seed,
        )
        _print(summary.model_grid(comparison, metric), summary.difference_grid(comparison, metric, region=region))
        print_lines(*summary.notes(comparison, metric, region=region))
        print_lines("Time: " + ", ".join(f"{name} {time:.1f} s" for name, time in comparison.seconds.items()))
        for form, file in written.items():
            if file is not None:
                file.write(summary.FORMATS[form](comparison, metric, region=region))
        draw({metric: _values(comparison, metric)})


def _models_of_exercise_6(topology: Sequence[int], network: Mapping[str, Any]) -> dict[str, tuple[str, Any]]:
    """Return the title and the model of each name."""
    layers = "-".join(map(str, topology))
    models = [
        (f"network {layers}" if layers else "linear network", ANNClassifier(list(topology), **network)),
        ("kNN, k=5", KNeighborsClassifier(n_neighbors=5)),
        ("SVM, rbf", SVC(kernel="rbf", C=1.0, gamma="scale")),
        ("tree, depth 5", PracticeTree(max_depth=5)),
    ]
    return dict(zip(MODELS, models, strict=True))


def _run(
    table: Table,
    models: Mapping[str, Any],
    indices: NDArray[np.int64],
    plan: str,
    *,
    data: Path | Iterable[Path],
    record: Path | None,
    save_folds: Path | None = None,
    names: Mapping[str, str] | None = None,
    **options: Any,
) -> Comparison:
    """Say what was read and what is going to happen, do it, and keep it: every score, and the folds.

    Where a model fails, or Ctrl-C ends it all, those that were done are kept too.
    """
    done: list[Comparison] = []
    failure: BaseException | None = None
    with opened(record, data=data) as kept, opened(save_folds, data=data or ()) as folds:
        print_lines(*_described(table), plan, "")
        with progress_bar() as progress:
            options |= {"positive": table.positive, "progress": progress, "checkpoint": done.append}
            try:
                interruptible(lambda: compare(models, table.inputs, table.targets, indices, **options))
            except (Exception, KeyboardInterrupt) as error:
                if not done:
                    raise
                failure = error
        comparison = done[-1]
        if kept is not None:
            write(record_of(comparison, models, table, names), kept)
        if folds is not None:
            write_folds(indices, folds)
    if failure is not None:
        if record is not None:
            warnings.warn(f"{record} has what was done before: {', '.join(comparison.results)}", stacklevel=1)
        raise failure
    return comparison


def _described(table: Table) -> list[str]:
    """Say what was read: two lines, and what the user should know of the columns."""
    sizes = [
        f"{label} {size}{' (positive)' if label == table.positive else ''}"
        for label, size in table.class_sizes().items()
    ]
    return [
        f"{table.name}: {len(table.targets)} patterns, {_counted(len(table.attributes), 'attribute')}, "
        f"{len(sizes)} classes",
        f"Classes: {', '.join(sizes[:10])}{', ...' if len(sizes) > 10 else ''}",
        *(f"Note: {note}" for note in table.notes),
    ]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _print(*grids: summary.Grid) -> None:
    for grid in grids:
        if grid.rows:
            print_grid(grid.title, grid.header, grid.rows)


def _values(comparison: Comparison, metric: str) -> dict[str, NDArray[np.float64]]:
    return {name: result.of(metric) for name, result in comparison.results.items()}


def _read(path: Path, table: Table) -> NDArray[np.int64]:
    indices = read_folds(path)
    if len(indices) != len(table.targets):
        raise ValueError(
            f"{path} has the folds of {len(indices)} patterns and {table.name} has {len(table.targets)}; "
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
