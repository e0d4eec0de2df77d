"""Pictures of a comparison for its page: differences, ROC and precision-recall curves, losses of
all folds, metrics in panels.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from practica.experiments.drawing import (
    BAND,
    BAR,
    BLUE,
    DOTTED,
    GREEN,
    GREY,
    INK,
    VERMILION,
    WIDE,
    Style,
    broken,
    clear_frame,
    label_losses,
    legend_above,
    words_in,
)
from practica.experiments.plots import limits_of_most, metric_size, plot_metric

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "area_text",
    "draw_multiples",
    "draw_panels",
    "multiples_size",
    "plot_curves",
    "plot_differences",
    "plot_losses",
]

# Okabe and Ito's colours that are dark enough for a line on white. Their number and that of the
# dashes have no common factor, so that 30 models differ; the first six do so in a grey print too.
COLOURS = (BLUE, VERMILION, GREEN, "#CC79A7", "#8A6D00")
DASHES: tuple[Any, ...] = (
    *("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5))),
    *((0, (6, 1.5, 1, 1.5, 1, 1.5)), (0, (10, 2))),
)
_COLUMNS = 4  # panels side by side
_AXES = {
    "roc": ("false positive rate", "sensitivity", "AUC"),
    "precision": ("recall", "precision", "AP"),
}


def area_text(areas: ArrayLike, kind: str = "roc") -> str:
    """Write the mean ± std over the folds of the areas below curves, shape (folds, executions).
    `kind` is "roc" or "precision".

    >>> area_text([[0.9, 1.0], [0.8, 0.8]])
    'AUC 0.875 ± 0.106'
    """
    matrix = np.asarray(areas, dtype=np.float64)
    # a fold without positives has no area
    whole = matrix[np.isfinite(matrix).all(axis=1)].mean(axis=1)
    spread = f" ± {whole.std(ddof=1):.3f}" if len(whole) > 1 else ""
    return f"{_AXES[kind][2]} {whole.mean():.3f}{spread}" if len(whole) else ""


def plot_curves(
    curves: Mapping[str, ArrayLike],
    kind: str,
    *,
    areas: Mapping[str, ArrayLike],
    chance: float,
    ax: Axes,
) -> None:
    """Draw the mean ROC or precision-recall curves of several models.

    A single model also has a band where most of its curves lie.

    Parameters
    ----------
    curves : dict of float arrays, shape (folds, executions, G)
        Values at G places from 0 to 1; NaN where a fold has no curve. Each model has one at least.
    kind : {"roc", "precision"}
    areas : dict of float arrays, shape (folds, executions)
        The areas below them, for the legend.
    chance : float
        The precision of guessing: the fraction of positives.
    ax : matplotlib Axes

    Notes
    -----
    The band holds four fifths of the curves of folds and executions, from the first to the last
    tenth at each place. Bands of several models would hide each other: `draw_multiples` has a panel
    for each.
    """
    rows = _whole(curves)
    _frame_curves(ax, kind, chance)
    styles = itertools.cycle(COLOURS), itertools.cycle(DASHES)
    for (title, values), colour, dashes in zip(rows.items(), *styles, strict=False):
        if len(rows) == 1:
            _draw_band(ax, values, colour)
        label = legend_text(title, areas[title], kind)
        ax.plot(_places(values), values.mean(axis=0), lw=1.8, color=colour, ls=dashes, label=label)
    ax.set(xlabel=_AXES[kind][0], ylabel=_AXES[kind][1])
    legend_above(ax, columns=1, handlelength=3.0)


def legend_text(title: str, areas: ArrayLike, kind: str) -> str:
    """Return the line of the legend on a model, with the area below its curves, on two lines where
    the picture is too narrow for one.
    """
    area = area_text(areas, kind)
    return f"{title}, {area}" if len(title + area) <= 36 else f"{broken(title, 38)}\n{area}"


def _whole(curves: Mapping[str, ArrayLike]) -> dict[str, NDArray[np.float64]]:
    """Return, for each model, the curves without NaN, shape (curves, G)."""
    matrices = {title: np.asarray(values, dtype=np.float64) for title, values in curves.items()}
    # a fold without positives has no curve
    return {title: each[np.isfinite(each).all(axis=-1)] for title, each in matrices.items()}


def _places(curves: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the positions of the values of curves, shape (curves, G), on an axis from 0 to 1."""
    return np.linspace(0, 1, curves.shape[1])


def _frame_curves(ax: Axes, kind: str, chance: float) -> None:
    clear_frame(ax, grid=True)
    if kind == "roc":
        ax.plot([0, 1], [0, 1], **DOTTED)
    else:
        ax.axhline(chance, **DOTTED)
    ax.set(xlim=(0, 1), ylim=(0, 1.02))


def _draw_band(ax: Axes, values: NDArray[np.float64], colour: str) -> None:
    low, high = np.quantile(values, [0.1, 0.9], axis=0)
    ax.fill_between(_places(values), low, high, color=colour, alpha=0.2, lw=0)


def multiples_size(models: int) -> tuple[float, float]:
    """Return the size in inches of a picture with a panel for each of some models."""
    return WIDE, 0.4 + 1.85 * math.ceil(models / _COLUMNS)


def draw_multiples(
    figure: Figure,
    curves: Mapping[str, ArrayLike],
    kind: str,
    *,
    areas: Mapping[str, ArrayLike],
    chance: float,
) -> None:
    """Draw a panel for each model: its mean curve and its band, and the means of the other models
    in grey.

    The parameters are those of `plot_curves`.
    """
    rows = _whole(curves)
    columns = min(_COLUMNS, len(rows))
    grid = figure.subplots(
        math.ceil(len(rows) / columns), columns, sharex=True, sharey=True, squeeze=False
    )
    for ax, (title, values) in zip(grid.flat, rows.items(), strict=False):
        _frame_curves(ax, kind, chance)
        for other in rows.values():
            ax.plot(_places(other), other.mean(axis=0), color=GREY, alpha=0.45, lw=0.7)
        _draw_band(ax, values, BLUE)
        ax.plot(_places(values), values.mean(axis=0), color=BLUE, lw=1.8)
        ax.set_title(
            f"{broken(title, 24)}\n{area_text(areas[title], kind)}", fontsize="small", color=INK
        )
        ax.tick_params(labelsize="small")
        ax.set_xticks([0, 0.5, 1], ["0", ".5", "1"])
    for ax in grid.flat[len(rows) :]:
        ax.set_visible(False)
    for ax in grid.flat[max(0, len(rows) - columns) : len(rows)]:  # nothing is below them
        ax.tick_params(labelbottom=True)
    figure.supxlabel(_AXES[kind][0], fontsize="medium")
    figure.supylabel(_AXES[kind][1], fontsize="medium")


def differences_size(models: int) -> tuple[float, float]:
    """Return the size in inches of a picture of the differences of some models."""
    return WIDE, 1.2 + 0.42 * models


def interval_text(mean: float, low: float, high: float) -> str:
    """Write a mean difference and its interval; without an interval, the mean alone.

    >>> interval_text(-0.01, -0.0264, 0.005), interval_text(0.2, np.nan, np.nan)
    ('−0.010 [−0.026, +0.005]', '+0.200')
    """
    text = f"{mean:+.3f}" if math.isnan(low) else f"{mean:+.3f} [{low:+.3f}, {high:+.3f}]"
    return text.replace("-", "−")


def plot_differences(
    intervals: Mapping[str, tuple[float, float, float]],
    reference: str,
    metric: str,
    *,
    region: float,
    ax: Axes,
) -> None:
    """Draw the differences of models from a reference as a forest plot: means, 95 % intervals,
    practical equality.

    Parameters
    ----------
    intervals : dict of (mean, low, high)
        The difference of each model, one at least; low and high are NaN where there is no interval.
    reference, metric : str
    region : float, units of the metric, >= 0
        Differences of at most this size are shaded.
    ax : matplotlib Axes

    Notes
    -----
    Intervals so far away that the others could not be distinguished are beyond the edge, where an
    arrow points to them; their numbers are at the right.
    """
    clear_frame(ax)
    equal = f"practically equal, within ±{region:g}"
    ax.axvspan(-region, region, color=BAND, lw=0, zorder=0, label=equal)
    ax.axvline(0, color=GREY, lw=0.8, zorder=1)
    ends = {}
    for place, (mean, *interval) in enumerate(intervals.values()):
        low, high = (mean if math.isnan(end) else end for end in interval)
        ends[place] = low, high
        label, half = "_" if place else "mean, 95 % interval", (high - low) / 2
        ax.errorbar(mean, place, xerr=half, **BAR, fmt="o", color=BLUE, label=label)
        ax.annotate(
            interval_text(mean, *interval),
            (1, place),
            xycoords=("axes fraction", "data"),
            xytext=(8, 0),
            textcoords="offset points",
            va="center",
            color=INK,
            fontsize="small",
        )
    limits = limits_of_most({**ends, -1: (-region, region)})
    if limits is not None:
        limits = min(limits[0], -1.3 * region), max(limits[1], 1.3 * region)
        ax.set_xlim(limits)
        for place, (low, high) in ends.items():
            for is_beyond, x, arrow in (
                (low < limits[0], 0.005, "←"),
                (high > limits[1], 0.995, "→"),
            ):
                if is_beyond:
                    ax.text(
                        x,
                        place,
                        arrow,
                        transform=ax.get_yaxis_transform(),
                        va="center",
                        ha="left" if x < 0.5 else "right",
                        color=VERMILION,
                        fontsize="large",
                        zorder=6,
                    )
    ax.set_yticks(range(len(ends)), [broken(name, 28) for name in intervals])
    ax.set_ylim(len(ends) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(f"difference from {reference} in {metric}")
    legend_above(ax)


def plot_losses(losses: Iterable[tuple[Sequence[float], Sequence[float]]], *, ax: Axes) -> None:
    """Draw the losses of several networks by epoch, such as those of the first execution of each
    fold.

    Parameters
    ----------
    losses : pairs (training losses, validation losses)
        They begin with epoch 0; those of a validation set that there was not are empty.
    ax : matplotlib Axes
    """
    seen = set()
    for pair in losses:
        styles: tuple[Style, Style] = (
            {"color": BLUE},
            {"color": VERMILION, "linestyle": (0, (4, 1.5))},
        )
        for name, style, values in zip(("training", "validation"), styles, pair, strict=True):
            if len(values):
                label = "_" if name in seen else name
                ax.plot(values, **style, lw=1.0, alpha=0.7, label=label)
                seen.add(name)
    label_losses(ax, words_in("en"))
    legend_above(ax)


def draw_panels(panels: Mapping[str, Mapping[str, object]], file: BinaryIO, format: str) -> None:
    """Draw a panel for each metric, {metric: results}, as `plot_metric` does, into a file."""
    from matplotlib.figure import Figure

    width, height = metric_size(max(map(len, panels.values())))
    figure = Figure(figsize=(width * len(panels), height), layout="constrained")
    for ax, (metric, results) in zip(
        figure.subplots(1, len(panels), squeeze=False)[0], panels.items(), strict=True
    ):
        plot_metric(results, metric, ax=ax)
    figure.savefig(file, format=format, dpi=160)
