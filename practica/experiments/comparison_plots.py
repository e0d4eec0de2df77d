"""Pictures of a comparison: ROC and precision-recall curves, losses of all folds, a panel for each metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import ArrayLike

from practica.experiments.drawing import (
    BLUE,
    CURVES_SIZE,
    DOTTED,
    GREEN,
    INK,
    LOSSES_SIZE,
    VERMILION,
    axes_of,
    clear_frame,
    label_losses,
    legend_above,
    words_in,
)
from practica.experiments.plots import metric_size, plot_metric

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_panels", "plot_curves", "plot_losses"]

# Okabe and Ito's colours that are dark enough for a line on white; from the sixth model on, other dashes.
COLOURS = (BLUE, VERMILION, GREEN, "#CC79A7", "#8A6D00")
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.5)))


def plot_curves(
    curves: Mapping[str, ArrayLike],
    kind: str = "roc",
    *,
    chance: float | None = None,
    lang: str = "en",
    ax: Axes | None = None,
) -> Axes:
    """Draw the ROC or precision-recall curves of several models: their mean, and where most of them lie.

    Parameters
    ----------
    curves : dict of float arrays, shape (folds, executions, G)
        Values at G places from 0 to 1, the same for all; NaN where a fold has no curve.
    kind : {"roc", "precision"}
    chance : float, optional
        The precision of guessing: the fraction of positives.
    lang, ax
        As in `plot_learning_curves`.

    Notes
    -----
    The band holds four fifths of the curves of folds and executions, from the first to the last tenth at each place.

    Examples
    --------
    >>> ax = plot_curves({"kNN": np.linspace(0, 1, 11).reshape(1, 1, -1)})
    >>> [line.get_label() for line in ax.get_lines() if not line.get_label().startswith("_")]
    ['kNN']
    """
    words = words_in(lang)
    rows = {}
    for title, values in curves.items():
        matrix = np.asarray(values, dtype=np.float64)
        whole = matrix[np.isfinite(matrix).all(axis=-1)]  # a fold without positives has no curve
        if len(whole):
            rows[title] = whole
    if not rows:
        raise ValueError("there are no curves to draw")
    ax = axes_of(ax, CURVES_SIZE)
    clear_frame(ax, grid=True)
    for number, (title, values) in enumerate(rows.items()):
        places, colour = np.linspace(0, 1, values.shape[1]), COLOURS[number % len(COLOURS)]
        low, high = np.quantile(values, [0.1, 0.9], axis=0)
        ax.fill_between(places, low, high, color=colour, alpha=0.12, lw=0)
        line = DASHES[number // len(COLOURS) % len(DASHES)]
        ax.plot(places, values.mean(axis=0), color=colour, lw=1.8, linestyle=line, label=title)
    if kind == "roc":
        ax.plot([0, 1], [0, 1], **DOTTED)
    elif chance is not None:
        ax.axhline(chance, **DOTTED)
    names = ("false", "sensitivity") if kind == "roc" else ("recall", "precision")
    ax.set(xlabel=words[names[0]], ylabel=words[names[1]], xlim=(0, 1), ylim=(0, 1.02))
    ax.legend(loc="lower right" if kind == "roc" else "lower left", frameon=False, labelcolor=INK, fontsize="small")
    return ax


def plot_losses(
    losses: Iterable[tuple[Sequence[float], Sequence[float]]], *, lang: str = "en", ax: Axes | None = None
) -> Axes:
    """Draw the losses of several networks by epoch, such as those of the first execution of each fold.

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
        for name, colour, values in zip(("training", "validation"), (BLUE, VERMILION), pair, strict=True):
            if len(values):
                ax.plot(values, color=colour, lw=1.0, alpha=0.7, label="_" if name in seen else words[name])
                seen.add(name)
    label_losses(ax, words)
    legend_above(ax)
    return ax


def draw_panels(panels: Mapping[str, Mapping[str, object]], file: BinaryIO, format: str) -> None:
    """Draw a panel for each metric, {metric: results}, as `plot_metric` does, into a file."""
    from matplotlib.figure import Figure

    width, height = metric_size(max(map(len, panels.values())))
    figure = Figure(figsize=(width * len(panels), height), layout="constrained")
    for ax, (metric, results) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels.items(), strict=True):
        plot_metric(results, metric, ax=ax)
    figure.savefig(file, format=format, dpi=160)
