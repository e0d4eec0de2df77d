"""A comparison as one page: tables, notes, methods and pictures in one self-contained file."""

from __future__ import annotations

import base64
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

import practica
from practica.evaluation.comparison import Comparison, Difference
from practica.evaluation.curves import Losses
from practica.evaluation.summary import Grid
from practica.experiments.comparison_plots import (
    area_text,
    differences_size,
    draw_multiples,
    interval_text,
    legend_text,
    multiples_size,
    plot_curves,
    plot_differences,
    plot_losses,
)
from practica.experiments.drawing import HALF, THIRD, WIDE, figure_of, picture_of
from practica.experiments.plots import matrix_size, metric_size, plot_confusion_matrix, plot_metric
from practica.html import render, templates


class Contents(NamedTuple):
    """The contents of a page: tables, notes and, by metric, the differences of models and their
    region.
    """

    grids: Sequence[Grid]
    notes: Sequence[str]
    differences: Mapping[str, tuple[Sequence[Difference], float]] = MappingProxyType({})


class Picture(NamedTuple):
    """A picture of the page, as SVG; `text` describes it to readers who do not see it."""

    title: str
    text: str
    svg: bytes
    width: float  # inches

    @property
    def place(self) -> str:
        """The part of the page's width that the picture takes: "third", "half" or "wide"."""
        return "third" if self.width <= THIRD else "half" if self.width <= HALF else "wide"

    @property
    def data(self) -> str:
        """The address of the picture, which contains the picture itself."""
        return f"data:image/svg+xml;base64,{base64.b64encode(self.svg).decode()}"


class Pictures(NamedTuple):
    """Pictures of one kind, with one caption for all of them."""

    title: str
    caption: str
    pictures: Sequence[Picture]


def page_of(
    comparison: Comparison,
    metrics: Sequence[str],
    described: Sequence[str],
    shown: Contents,
    methods: Sequence[tuple[str, str]],
    losses: Mapping[str, Sequence[Losses]],
) -> str:
    """Return the page of a comparison.

    `metrics` are drawn fold by fold; `described` are lines about the data and the plan, the name of
    the data first; `shown` has what the terminal shows too; `methods` has terms, each with its
    text; `losses` has the result of `learning_curves` by network.
    """
    groups = [
        *(_of_differences(metric, *tested) for metric, tested in shown.differences.items()),
        _of_metrics(comparison, metrics),
        *_of_curves(comparison),
        _of_matrices(comparison),
        _of_losses(losses),
    ]
    return page_of_pictures(described[0].partition(":")[0], described, shown, groups, methods)


def page_of_pictures(
    title: str,
    described: Sequence[str],
    shown: Contents,
    groups: Iterable[Pictures] = (),
    methods: Sequence[tuple[str, str]] = (),
) -> str:
    """Return a page of tables, notes, methods and pictures.

    A group without pictures is left out.
    """
    return render(
        templates("en", "Skip to the content"),
        "comparison",
        version=practica.__version__,
        title=title,
        described=described,
        grids=list(shown.grids),
        notes=shown.notes,
        methods=methods,
        pictures=[group for group in groups if group.pictures],
    )


def _of_differences(metric: str, differences: Sequence[Difference], region: float) -> Pictures:
    intervals = {
        row.model: (row.corrected.mean, *row.interval)
        for row in differences
        if np.isfinite(row.corrected.mean)
    }
    title = f"Differences in {metric}"
    caption = (
        "95 % intervals of the corrected t-test, simultaneous for the tests that Holm p is adjusted"
        " for: none excludes 0 where Holm p is above .05. An arrow points to what is beyond the"
        " edge."
    )
    if not intervals:
        return Pictures(title, caption, [])
    reference, size = differences[0].reference, differences_size(len(intervals))
    text = "; ".join(f"{name} {interval_text(*interval)}" for name, interval in intervals.items())
    svg = picture_of(plot_differences, intervals, reference, metric, region=region, size=size)
    return Pictures(title, caption, [Picture(f"Against {reference}", text, svg, WIDE)])


def _of_metrics(comparison: Comparison, metrics: Iterable[str]) -> Pictures:
    caption = (
        "A grey line joins the values of a fold, faint dots are executions; diamonds: mean ± std"
        " over the folds. Arrows at the edge have the lowest and the highest value beyond it."
    )
    width, height = metric_size(len(comparison.results))
    size = min(width, WIDE), height
    pictures = [
        _picture(metric, plot_metric, comparison.of(metric), metric, size=size)
        for metric in metrics
    ]
    return Pictures("Fold by fold", caption, pictures)


def _of_curves(comparison: Comparison) -> Iterator[Pictures]:
    results = comparison.results
    of_all = {name: result.curves for name, result in results.items() if result.curves is not None}
    curves = {name: curve for name, curve in of_all.items() if np.isfinite(curve.roc).any()}
    if not curves:
        return
    first = next(result.matrices for result in results.values() if result.matrices is not None)
    chance = float(first[..., 0, :].sum() / first.sum())
    means, panels = [], []
    for kind, title in (("roc", "ROC"), ("precision", "Precision and recall")):
        drawn = {name: getattr(curve, kind) for name, curve in curves.items()}
        areas = {name: getattr(curve, f"{kind}_area") for name, curve in curves.items()}
        text = "; ".join(f"{name}, {area_text(area, kind)}" for name, area in areas.items())
        lines = sum(legend_text(name, area, kind).count("\n") + 1 for name, area in areas.items())
        size = HALF, HALF - 0.2 + 0.17 * lines
        svg = picture_of(plot_curves, drawn, kind, areas=areas, chance=chance, size=size)
        means.append(Picture(title, text, svg, HALF))
        if len(curves) > 1:
            panel = functools.partial(
                draw_multiples, curves=drawn, kind=kind, areas=areas, chance=chance
            )
            svg = figure_of(panel, size=multiples_size(len(curves)))
            panels.append(Picture(title, text, svg, WIDE))
    positive = f"Positive: {comparison.classes[0]}. "
    areas_are = "Areas (AUC; AP, the average precision): mean ± std over the folds. Dotted: chance."
    band = "The band holds four fifths of the curves of folds and executions."
    alone = "" if panels else f" {band}"
    yield Pictures(
        "ROC, precision and recall",
        f"{positive}Mean of all folds and executions.{alone} {areas_are}",
        means,
    )
    yield Pictures("Model by model", f"{band} Grey: the means of the other models.", panels)


def _of_matrices(comparison: Comparison) -> Pictures:
    pictures = []
    for name, result in comparison.results.items():
        # the figures of a larger one could not be read
        if result.matrices is not None and len(result.classes) <= 30:
            matrix = (result.matrices.mean(axis=1).sum(axis=0) / comparison.repetitions).round(1)
            longest = max(len(str(label)) for label in result.classes)
            room = THIRD if len(matrix) * max(longest, 6) <= 20 else HALF
            side = room if len(matrix) <= 8 else min(matrix_size(len(matrix))[0], WIDE)
            options = {"classes": result.classes, "percentages": True, "size": (side, 0.88 * side)}
            pictures.append(_picture(name, plot_confusion_matrix, matrix, **options))
    caption = (
        "Patterns of all folds; of several executions or repetitions, their mean. Percentages: of"
        " the patterns of the real class."
    )
    return Pictures("Confusion matrices", caption, pictures)


def _of_losses(losses: Mapping[str, Sequence[Losses]]) -> Pictures:
    size = (WIDE if len(losses) == 1 else HALF), 3.4
    pictures = [
        _picture(name, plot_losses, of_folds, size=size) for name, of_folds in losses.items()
    ]
    return Pictures("Learning curves", "The first network of each fold, a line each.", pictures)


def _picture(title: str, *drawing: Any, **options: Any) -> Picture:
    return Picture(title, "", picture_of(*drawing, **options), options["size"][0])
