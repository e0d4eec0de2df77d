"""A comparison as one page: what was read, tables, notes and pictures, in a file that needs nothing beside it."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np

import practica
from practica.evaluation.comparison import Comparison
from practica.evaluation.summary import Grid
from practica.experiments.plots import (
    picture_of,
    plot_confusion_matrix,
    plot_curves,
    plot_losses,
    plot_metric,
    require_matplotlib,
)
from practica.files import opened
from practica.report.pages.html import render

__all__ = ["opened_page", "page_of"]

LARGEST_MATRIX = 30  # classes: the figures of a larger one could not be read
HALF = 5.6  # inches: two pictures of this width are side by side


class _Picture(NamedTuple):
    title: str
    caption: str
    data: str
    is_wide: bool


@contextmanager
def opened_page(path: Path | None, *, data: Path | Iterable[Path]) -> Iterator[TextIO | None]:
    """Open the file of a page as `practica.files.opened` does; without matplotlib, say so before a long computation."""
    if path is not None:
        require_matplotlib()
    with opened(path, data=data) as file:
        yield file


def page_of(
    comparison: Comparison,
    metrics: Sequence[str],
    described: Sequence[str],
    grids: Iterable[Grid],
    notes: Sequence[str] = (),
    losses: Mapping[str, Any] | None = None,
) -> str:
    """Return the page of a comparison.

    Parameters
    ----------
    comparison : Comparison
        With its curves and confusion matrices, if it is one of classifiers.
    metrics : names
        Those to draw fold by fold.
    described : texts
        What was read and done, the name of the data first.
    grids, notes
        See `practica.evaluation.summary`.
    losses : dict, optional
        What `learning_curves` returns, by the names of the networks.

    Raises
    ------
    ImportError
        Without matplotlib.
    """
    pictures = [*_of_metrics(comparison, metrics), *_of_classes(comparison), *_of_losses(losses or {})]
    title = described[0].partition(":")[0]
    values = {"title": title, "described": described, "grids": list(grids), "notes": notes, "pictures": pictures}
    return render("comparison", "en", version=practica.__version__, **values)


def _of_metrics(comparison: Comparison, metrics: Iterable[str]) -> Iterator[_Picture]:
    width = max(5.2, 1.2 + 1.5 * len(comparison.results))
    for metric in metrics:
        values = {name: result.of(metric) for name, result in comparison.results.items()}
        caption = (
            "A grey line joins the values of a fold, faint dots are executions; diamonds: mean ± std over the folds."
        )
        yield _picture(metric, caption, plot_metric, values, metric, size=(width, 4.4))


def _of_classes(comparison: Comparison) -> Iterator[_Picture]:
    results = comparison.results
    curves = {name: result.curves for name, result in results.items() if result.curves is not None}
    shown = {name: curve for name, curve in curves.items() if np.isfinite(curve.roc).any()}
    if shown:
        classes = next(iter(results.values())).classes
        caption = f"Positive: {classes[0]}. Mean of all folds and executions; the band holds four fifths of them."
        roc, precision = (
            {name: getattr(curve, kind) for name, curve in shown.items()} for kind in ("roc", "precision")
        )
        first = next(result.matrices for result in results.values() if result.matrices is not None)
        chance = float(first[..., 0, :].sum() / first.sum())
        yield _picture("ROC", caption, plot_curves, roc, "roc", size=(5.6, 5.2))
        yield _picture(
            "Precision and recall", caption, plot_curves, precision, "precision", chance=chance, size=(5.6, 5.2)
        )
    for name, result in results.items():
        if result.matrices is not None and len(result.classes) <= LARGEST_MATRIX:
            matrix = result.matrices.mean(axis=1).sum(axis=0).round(1)
            side = min(max(3.6, 1.8 + 0.55 * len(matrix)), 14.0)
            caption = "Patterns of all folds; of several executions, their mean."
            options = {"classes": [str(label) for label in result.classes], "size": (side, side)}
            yield _picture(f"Confusion matrix of {name}", caption, plot_confusion_matrix, matrix, **options)


def _of_losses(losses: Mapping[str, Any]) -> Iterator[_Picture]:
    for name, of_folds in losses.items():
        caption = "The first network of each fold, a line each."
        yield _picture(f"Learning curves of {name}", caption, plot_losses, of_folds, size=(7.0, 4.2))


def _picture(title: str, caption: str, *drawing: Any, **options: Any) -> _Picture:
    svg = base64.b64encode(picture_of(*drawing, **options)).decode()
    return _Picture(title, caption, f"data:image/svg+xml;base64,{svg}", options["size"][0] > HALF)
