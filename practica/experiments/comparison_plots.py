"""Pictures of a comparison: differences, ROC and precision-recall curves, losses of all folds,
metrics in panels.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from practica.experiments.drawing import (
    BAND,
    BLUE,
    CURVES_SIZE,
    DOTTED,
    GREEN,
    GREY,
    INK,
    LOSSES_SIZE,
    VERMILION,
    WIDE,
    Style,
    axes_of,
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
_AXES = {"roc": ("false", "sensitivity", "AUC"), "precision": ("recall", "precision", "AP")}


def area_text(areas: ArrayLike, kind: str = "roc") -> str:
    """Write the area below curves, shape (folds, executions): mean ± std over the folds, as of any
    metric.

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
    kind: str = "roc",
    *,
    areas: Mapping[str, ArrayLike] | None = None,
    chance: float | None = None,
    lang: str = "en",
    ax: Axes | None = None,
) -> Axes:
    """Draw the mean ROC or precision-recall curves of several models.

    Of one model, where most of its curves lie too.

    Parameters
    ----------
    curves : dict of float arrays, shape (folds, executions, G)
        Values at G places from 0 to 1, the same for all; NaN where a fold has no curve.
    kind : {"roc", "precision"}
    areas : dict of float arrays, shape (folds, executions), optional
        The areas below them, for the legend.
    chance : float, optional
        The precision of guessing: the fraction of positives.
    lang, ax
        As in `plot_learning_curves`.

    Notes
    -----
    The band holds four fifths of the curves of folds and executions, from the first to the last
    tenth at each place. Bands of several models would hide each other: `draw_multiples` has a panel
    for each.

    Examples
    --------
    >>> ax = plot_curves({"kNN": np.linspace(0, 1, 11).reshape(1, 1, -1)}, areas={"kNN": [[0.5]]})
    >>> [line.get_label() for line in ax.get_lines() if not line.get_label().startswith("_")]
    ['kNN, AUC 0.500']
    """
    words, rows = words_in(lang), _whole(curves)
    ax = axes_of(ax, CURVES_SIZE)
    _frame_curves(ax, kind, chance)
    for number, (title, values) in enumerate(rows.items()):
        places, colour = np.linspace(0, 1, values.shape[1]), COLOURS[number % len(COLOURS)]
        if len(rows) == 1:
            _draw_band(ax, values, colour)
        label = legend_text(title, areas[title], kind) if areas else title
        style: Style = {"color": colour, "linestyle": DASHES[number % len(DASHES)]}
        ax.plot(places, values.mean(axis=0), lw=1.8, **style, label=label)
    ax.set(xlabel=words[_AXES[kind][0]], ylabel=words[_AXES[kind][1]])
    legend_above(ax, columns=1, handlelength=3.0)
    return ax


def legend_text(title: str, areas: ArrayLike, kind: str = "roc") -> str:
    """Return a model's line of the legend; two lines where the picture is too narrow for one."""
    area = area_text(areas, kind)
    return f"{title}, {area}" if len(title + area) <= 36 else f"{broken(title, 38)}\n{area}"


def _whole(curves: Mapping[str, ArrayLike]) -> dict[str, NDArray[np.float64]]:
    """Return the curves that have all their values, shape (curves, G), of the models that have
    some.
    """
    rows = {}
    for title, values in curves.items():
        matrix = np.asarray(values, dtype=np.float64)
        whole = matrix[np.isfinite(matrix).all(axis=-1)]  # a fold without positives has no curve
        if len(whole):
            rows[title] = whole
    if not rows:
        raise ValueError("there are no curves to draw")
    return rows


def _frame_curves(ax: Axes, kind: str, chance: float | None) -> None:
    clear_frame(ax, grid=True)
    if kind == "roc":
        ax.plot([0, 1], [0, 1], **DOTTED)
    elif chance is not None:
        ax.axhline(chance, **DOTTED)
    ax.set(xlim=(0, 1), ylim=(0, 1.02))


def _draw_band(ax: Axes, values: NDArray[np.float64], colour: str) -> None:
    low, high = np.quantile(values, [0.1, 0.9], axis=0)
    ax.fill_between(np.linspace(0, 1, values.shape[1]), low, high, color=colour, alpha=0.2, lw=0)


def multiples_size(models: int) -> tuple[float, float]:
    """Return how large a picture with a panel for each model is, in inches."""
    return WIDE, 0.4 + 1.85 * math.ceil(models / _COLUMNS)


def draw_multiples(
    figure: Figure,
    curves: Mapping[str, ArrayLike],
    kind: str = "roc",
    *,
    areas: Mapping[str, ArrayLike],
    chance: float | None = None,
    lang: str = "en",
) -> None:
    """Draw a panel for each model: its mean curve and its band, and the means of the other models
    in grey.

    The parameters are those of `plot_curves`.
    """
    words, rows = words_in(lang), _whole(curves)
    columns = min(_COLUMNS, len(rows))
    grid = figure.subplots(
        math.ceil(len(rows) / columns), columns, sharex=True, sharey=True, squeeze=False
    )
    for ax, (title, values) in zip(grid.flat, rows.items(), strict=False):
        _frame_curves(ax, kind, chance)
        places = np.linspace(0, 1, values.shape[1])
        for other in rows.values():
            ax.plot(places, other.mean(axis=0), color=GREY, alpha=0.45, lw=0.7)
        _draw_band(ax, values, BLUE)
        ax.plot(places, values.mean(axis=0), color=BLUE, lw=1.8)
        ax.set_title(
            f"{broken(title, 24)}\n{area_text(areas[title], kind)}", fontsize="small", color=INK
        )
        ax.tick_params(labelsize="small")
        ax.set_xticks([0, 0.5, 1], ["0", ".5", "1"])
    for ax in grid.flat[len(rows) :]:
        ax.set_visible(False)
    for ax in grid.flat[max(0, len(rows) - columns) : len(rows)]:  # nothing is below them
        ax.tick_params(labelbottom=True)
    figure.supxlabel(words[_AXES[kind][0]], fontsize="medium")
    figure.supylabel(words[_AXES[kind][1]], fontsize="medium")


def differences_size(models: int) -> tuple[float, float]:
    """Return how large a picture of differences is, in inches."""
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
    lang: str = "en",
    ax: Axes | None = None,
) -> Axes:
    """Draw the differences of models from a reference as a forest plot: means, 95 % intervals,
    practical equality.

    Parameters
    ----------
    intervals : dict of (mean, low, high)
        The difference of each model; low and high are NaN where there is no interval.
    reference, metric : str
    region : float, units of the metric, >= 0
        Differences of at most this size are shaded.
    lang, ax
        As in `plot_learning_curves`.

    Notes
    -----
    Intervals so far away that the others could not be distinguished are beyond the edge, where an
    arrow points to them; their numbers are at the right.

    Examples
    --------
    >>> ax = plot_differences({"kNN": (-0.01, -0.03, 0.01)}, "SVM", "accuracy", region=0.01)
    >>> ax.get_xlabel()
    'difference from SVM in accuracy'
    """
    words, shown = words_in(lang), list(intervals.items())
    if not shown:
        raise ValueError("there are no differences to draw")
    ax = axes_of(ax, differences_size(len(shown)))
    clear_frame(ax)
    ax.axvspan(
        -region, region, color=BAND, lw=0, zorder=0, label=words["rope"].format(region=region)
    )
    ax.axvline(0, color=GREY, lw=0.8, zorder=1)
    ends = {}
    for place, (_, (mean, *interval)) in enumerate(shown):
        low, high = (mean if math.isnan(end) else end for end in interval)
        ends[place] = low, high
        bar: Style = {"fmt": "o", "ms": 6, "color": BLUE, "lw": 1.8, "capsize": 4, "zorder": 4}
        label = "_" if place else words["interval"]
        ax.errorbar(mean, place, xerr=(high - low) / 2, **bar, label=label)
        beside: Style = {
            "xy": (1, place),
            "xycoords": ("axes fraction", "data"),
            "textcoords": "offset points",
        }
        ax.annotate(
            interval_text(mean, *interval),
            xytext=(8, 0),
            **beside,
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
                    where: Style = {
                        "transform": ax.get_yaxis_transform(),
                        "va": "center",
                        "color": VERMILION,
                    }
                    ax.text(
                        x,
                        place,
                        arrow,
                        **where,
                        ha="left" if x < 0.5 else "right",
                        fontsize="large",
                        zorder=6,
                    )
    ax.set_yticks(range(len(shown)), [broken(name, 28) for name, _ in shown])
    ax.set_ylim(len(shown) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(words["difference"].format(reference=reference, metric=metric))
    legend_above(ax)
    return ax


def plot_losses(
    losses: Iterable[tuple[Sequence[float], Sequence[float]]],
    *,
    lang: str = "en",
    ax: Axes | None = None,
) -> Axes:
    """Draw the losses of several networks by epoch, such as those of the first execution of each
    fold.

    Parameters
    ----------
    losses : pairs (training losses, validation losses)
        They begin with epoch 0; those of a validation set that there was not are empty.
    lang, ax
        As in `plot_learning_curves`.
    """
    words = words_in(lang)
    ax = axes_of(ax, LOSSES_SIZE)
    seen = set()
    for pair in losses:
        styles: tuple[Style, Style] = (
            {"color": BLUE},
            {"color": VERMILION, "linestyle": (0, (4, 1.5))},
        )
        for name, style, values in zip(("training", "validation"), styles, pair, strict=True):
            if len(values):
                ax.plot(
                    values, **style, lw=1.0, alpha=0.7, label="_" if name in seen else words[name]
                )
                seen.add(name)
    label_losses(ax, words)
    legend_above(ax)
    return ax


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
