"""A comparison as one page: description, tables, notes and pictures in one self-contained file."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

import practica
from practica.evaluation.comparison import Comparison
from practica.evaluation.curves import Losses
from practica.evaluation.summary import Grid
from practica.experiments.comparison_plots import plot_curves, plot_losses
from practica.experiments.drawing import CURVES_SIZE, LOSSES_SIZE, picture_of
from practica.experiments.plots import matrix_size, metric_size, plot_confusion_matrix, plot_metric
from practica.report.pages.html import render

__all__ = ["Picture", "page_of", "page_of_pictures"]

LARGEST_MATRIX = 30  # classes: the figures of a larger one could not be read
HALF = 5.6  # inches: two pictures of this width are side by side


class Picture(NamedTuple):
    """A picture of the page, as SVG."""

    title: str
    caption: str
    svg: bytes
    is_wide: bool

    @property
    def data(self) -> str:
        """The address that holds the picture itself."""
        return f"data:image/svg+xml;base64,{base64.b64encode(self.svg).decode()}"


def page_of(
    comparison: Comparison,
    metrics: Sequence[str],
    described: Sequence[str],
    grids: Iterable[Grid],
    notes: Sequence[str] = (),
    losses: Mapping[str, Sequence[Losses]] | None = None,
) -> str:
    """Return the page of a comparison.

    `metrics` are drawn fold by fold; `described` are lines about the data and the plan, the name of the data first;
    grids and notes are those of `practica.evaluation.summary`; `losses` has the result of `learning_curves` by network.
    """
    pictures = [*_of_metrics(comparison, metrics), *_of_classes(comparison), *_of_losses(losses or {})]
    return page_of_pictures(described[0].partition(":")[0], described, grids, notes, pictures)


def page_of_pictures(
    title: str, described: Sequence[str], grids: Iterable[Grid], notes: Sequence[str], pictures: Sequence[Picture]
) -> str:
    """Return a page of tables, notes and pictures."""
    values = {"title": title, "described": described, "grids": list(grids), "notes": notes, "pictures": pictures}
    return render("comparison", "en", version=practica.__version__, **values)


def _of_metrics(comparison: Comparison, metrics: Iterable[str]) -> Iterator[Picture]:
    caption = "A grey line joins the values of a fold, faint dots are executions; diamonds: mean ± std over the folds."
    size = metric_size(len(comparison.results))
    for metric in metrics:
        yield _picture(metric, caption, plot_metric, comparison.of(metric), metric, size=size)


def _of_classes(comparison: Comparison) -> Iterator[Picture]:
    results = comparison.results
    curves = {name: result.curves for name, result in results.items() if result.curves is not None}
    shown = {name: curve for name, curve in curves.items() if np.isfinite(curve.roc).any()}
    if shown:
        classes = next(iter(results.values())).classes
        caption = f"Positive: {classes[0]}. Mean of all folds and executions; the band holds four fifths of them."
        first = next(result.matrices for result in results.values() if result.matrices is not None)
        chance = float(first[..., 0, :].sum() / first.sum())
        for kind, heading in (("roc", "ROC"), ("precision", "Precision and recall")):
            drawn = {name: getattr(curve, kind) for name, curve in shown.items()}
            yield _picture(heading, caption, plot_curves, drawn, kind, chance=chance, size=CURVES_SIZE)
    for name, result in results.items():
        if result.matrices is not None and len(result.classes) <= LARGEST_MATRIX:
            matrix = result.matrices.mean(axis=1).sum(axis=0).round(1)
            caption = "Patterns of all folds; of several executions, their mean."
            options = {"classes": result.classes, "size": matrix_size(len(matrix))}
            yield _picture(f"Confusion matrix of {name}", caption, plot_confusion_matrix, matrix, **options)


def _of_losses(losses: Mapping[str, Sequence[Losses]]) -> Iterator[Picture]:
    caption = "The first network of each fold, a line each."
    for name, of_folds in losses.items():
        yield _picture(f"Learning curves of {name}", caption, plot_losses, of_folds, size=LOSSES_SIZE)


def _picture(title: str, caption: str, *drawing: Any, **options: Any) -> Picture:
    return Picture(title, caption, picture_of(*drawing, **options), options["size"][0] > HALF)
