"""Pictures of a student's results or the reference's: how a network learnt, what a model confuses,
how models compare.

Each function draws on matplotlib axes, its own or those it is given, and returns them:

    plot_learning_curves     losses by epoch, and the epoch of the network that was returned
    plot_confusion_matrix    counts of real and predicted classes
    plot_metric              a metric of several models, fold by fold

They read results by the names of their parts, or as the plain arrays and tuples that the statement
specifies.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from practica.experiments.drawing import (
    BAR,
    BLUE,
    DEEP_BLUE,
    DOTTED,
    GREEN,
    GREY,
    INK,
    VERMILION,
    Style,
    axes_of,
    broken,
    clear_frame,
    label_losses,
    legend_above,
    words_in,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "figure_text",
    "limits_of_most",
    "matrix_size",
    "metric_size",
    "plot_confusion_matrix",
    "plot_learning_curves",
    "plot_metric",
]


def plot_learning_curves(
    trained: Sequence[ArrayLike | None], *, lang: str = "en", ax: Axes | None = None
) -> Axes:
    """Draw the losses of a training by epoch, and mark the epoch of the network that it returned.

    Parameters
    ----------
    trained : (network, training losses, validation losses, test losses)
        What `train_class_ann` returns. The losses begin with epoch 0, the untrained network; those
        of a set that there was not are empty.
    lang : {"en", "es"}
        Language of the words.
    ax : matplotlib Axes, optional
        Where to draw; without it, on a new figure.

    Returns
    -------
    ax : matplotlib Axes

    Raises
    ------
    ValueError
        If there are no four parts, no training losses, or sets with different numbers of epochs.
    ImportError
        Without matplotlib.

    Notes
    -----
    With a validation set the network of the lowest validation loss is returned, the first of them;
    otherwise the last.

    References
    ----------
    Exercise 3, `train_class_ann`.

    Examples
    --------
    >>> ax = plot_learning_curves((None, [0.9, 0.5, 0.3, 0.2], [0.9, 0.6, 0.5, 0.7], []))
    >>> [line.get_label() for line in ax.get_lines() if not line.get_label().startswith("_")]
    ['training', 'validation']
    """
    words = words_in(lang)
    losses = _losses(trained)
    best = _returned_epoch(losses)
    ax = axes_of(ax, (7.0, 4.2))
    styles = {"training": (BLUE, "-"), "validation": (VERMILION, "-"), "test": (GREEN, (0, (4, 2)))}
    for name, values in losses.items():
        colour, line = styles[name]
        dot = "o" if len(values) == 1 else ""
        ax.plot(
            np.arange(len(values)),
            values,
            linestyle=line,
            marker=dot,
            color=colour,
            lw=1.8,
            label=words[name],
        )
    label_losses(ax, words)
    judge = "validation" if "validation" in losses else "training"
    _mark_epoch(
        ax, best, float(losses[judge][best]), styles[judge][0], words["returned"].format(epoch=best)
    )
    legend_above(ax)
    return ax


def _losses(trained: Sequence[ArrayLike | None]) -> dict[str, NDArray[np.float64]]:
    """Return the losses of the training, validation and test sets that are not missing, by their
    names.
    """
    if len(trained) != 4:
        raise ValueError(
            "a training has 4 parts (the network and the losses of training, validation and test),"
            f" not {len(trained)}"
        )
    vectors = [
        np.asarray([] if values is None else values, dtype=np.float64).ravel()
        for values in trained[1:]
    ]
    losses = dict(zip(("training", "validation", "test"), vectors, strict=True))
    if not len(losses["training"]):
        raise ValueError(
            "there are no training losses to draw; they begin with epoch 0, the untrained network"
        )
    losses = {name: values for name, values in losses.items() if len(values)}
    if len({len(values) for values in losses.values()}) > 1:
        lengths = ", ".join(f"{name} {len(values)}" for name, values in losses.items())
        raise ValueError(f"the losses of a training have one value per epoch each, not {lengths}")
    return losses


def _returned_epoch(losses: Mapping[str, NDArray[np.float64]]) -> int:
    """Return the epoch of the network that early stopping returns, the one with the lowest
    validation loss.
    """
    validation = losses.get("validation")
    if validation is None:
        return len(losses["training"]) - 1
    return 0 if np.isnan(validation[0]) else int(np.nanargmin(validation))


def _mark_epoch(ax: Axes, epoch: int, loss: float, colour: str, text: str) -> None:
    ax.axvline(epoch, **DOTTED, zorder=0)
    ax.plot([epoch], [loss], "o", ms=8, mfc="white", mec=colour, mew=2, zorder=4, clip_on=False)
    left, right = ax.get_xlim()
    # the words go where there is room: high up, where losses seldom are
    late = epoch > (left + right) / 2
    beside: Style = {"xytext": (-5, 0), "ha": "right"} if late else {"xytext": (5, 0), "ha": "left"}
    ax.annotate(
        text,
        (epoch, 0.97),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        va="top",
        color=INK,
        fontsize="small",
        **beside,
    )


def plot_confusion_matrix(
    result: object,
    *,
    classes: Sequence[object] | None = None,
    percentages: bool = False,
    lang: str = "en",
    ax: Axes | None = None,
) -> Axes:
    """Draw a confusion matrix: real classes in rows, predictions in columns, and how many patterns
    are in each cell.

    Parameters
    ----------
    result : ConfusionMatrix, tuple of eight that ends with the matrix, or array, shape (C, C)
        What `confusion_matrix` returns, or its matrix; or a mean of several.
    classes : sequence, length C, optional
        The class of each row. Without it those of the result, or 1..C.
    percentages : bool
        Write below each count but 0 which percentage of its row it is, where the cells have room
        for it.
    lang, ax
        As in `plot_learning_curves`.

    Returns
    -------
    ax : matplotlib Axes

    Raises
    ------
    ValueError
        If the matrix is not square, is empty or has not one name for each row.
    ImportError
        Without matplotlib.

    Notes
    -----
    Right answers are blue and mistakes vermilion, the darker the larger their share of the row: of
    a rare class, few mistakes are dark too.

    References
    ----------
    Exercise 4, `confusion_matrix`.

    Examples
    --------
    >>> ax = plot_confusion_matrix([[8, 2], [1, 9]], classes=["dog", "cat"])
    >>> [cell.get_text() for cell in ax.texts]
    ['8', '2', '1', '9']
    """
    words = words_in(lang)
    matrix = _matrix(result)
    size = len(matrix)
    names = [
        str(name)
        for name in (getattr(result, "classes", range(1, size + 1)) if classes is None else classes)
    ]
    if len(names) != size:
        raise ValueError(
            f"there are {len(names)} names of classes for {size} rows of the confusion matrix"
        )
    ax = axes_of(ax, matrix_size(size))
    totals = matrix.sum(axis=1, keepdims=True)
    shares = matrix / np.where(totals > 0, totals, 1)
    colours = _cell_colours(shares)
    ax.imshow(colours, aspect="equal")
    clear_frame(ax)
    ax.spines[:].set_visible(False)
    crowded = max(map(len, names)) * 6 > _points_of_cell(ax, size)
    names = [broken(name, 16) for name in names]
    ax.set_xticks(
        range(size), names, rotation=45 if crowded else 0, ha="right" if crowded else "center"
    )
    ax.set_yticks(range(size), names)
    ax.set_xticks(np.arange(size + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(size + 1) - 0.5, minor=True)
    ax.grid(which="minor", color="white", lw=2 if size <= 12 else 0.5)
    ax.tick_params(which="both", length=0)
    ax.set(xlabel=words["predicted"], ylabel=words["real"])
    ax.figure.canvas.figure.draw_without_rendering()  # the names take room from the cells
    width = _points_of_cell(ax, size)
    longest = max(2, *(len(f"{count:g}") for count in matrix.ravel()))
    fontsize = min(13.0, 0.42 * width, 1.3 * width / longest)
    below = min(9.0, width / 4.5)
    for row, column in np.ndindex(size, size):
        count = matrix[row, column]
        ink = _readable_on(colours[row, column]) if count else GREY
        weight = "bold" if row == column else "normal"
        two_lines = percentages and below >= _READABLE and count
        above = 0.55 * below if two_lines else 0.0
        place: Style = {
            "xy": (column, row),
            "textcoords": "offset points",
            "ha": "center",
            "color": ink,
        }
        ax.annotate(
            f"{count:g}", xytext=(0, above), va="center", weight=weight, fontsize=fontsize, **place
        )
        if two_lines:
            under = above - 0.65 * fontsize
            ax.annotate(
                f"{shares[row, column]:.1%}", xytext=(0, under), va="top", fontsize=below, **place
            )
    return ax


_READABLE = 6.0  # points: smaller percentages are left out


def _points_of_cell(ax: Axes, cells: float) -> float:
    """Return the width in points of one of `cells` cells side by side."""
    return ax.bbox.width / ax.figure.dpi * 72 / cells


def _matrix(result: object) -> NDArray[np.int64]:
    if hasattr(result, "matrix"):
        result = result.matrix
    elif isinstance(result, tuple) and len(result) == 8:
        result = result[-1]
    matrix = np.asarray(result)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise ValueError(
            "a confusion matrix has shape (C, C), one row and one column for each class, not"
            f" {matrix.shape}"
        )
    return matrix if matrix.dtype.kind == "f" else matrix.astype(np.int64)


def _cell_colours(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the colours of the cells of a matrix, white mixed with blue on the diagonal and with
    vermilion elsewhere, by the share of their row.
    """
    from matplotlib.colors import to_rgb

    hues = np.where(
        np.eye(len(shares), dtype=bool)[..., np.newaxis], to_rgb(DEEP_BLUE), to_rgb(VERMILION)
    )
    strength = np.where(shares > 0, 0.12 + 0.88 * shares, 0.03)[..., np.newaxis]
    return 1 - strength * (1 - hues)


def _readable_on(rgb: NDArray[np.float64]) -> str:
    """Return white or black, whichever has the greater contrast with a colour.

    It is 4.5 to 1 at least (WCAG 2).
    """
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ (0.2126, 0.7152, 0.0722))
    return "white" if (luminance + 0.05) ** 2 < 1.05 * 0.05 else "black"


def plot_metric(
    results: Mapping[str, object],
    metric: str = "accuracy",
    *,
    lang: str = "en",
    ax: Axes | None = None,
) -> Axes:
    r"""Draw a metric of several models that were tested on the same folds.

    Parameters
    ----------
    results : dict of CrossValidation, or of real arrays, shape (folds,) or (folds, executions)
        The title of each model and what it achieved. Arrays hold the values of the metric.
    metric : str
        One of the seven metrics, `accuracy`, `recall`, ...; of arrays, what to write on the axis.
    lang, ax
        As in `plot_learning_curves`.

    Returns
    -------
    ax : matplotlib Axes

    Raises
    ------
    ValueError
        If there are no models, no such metric, or models that were not tested on the same folds.
    ImportError
        Without matplotlib.

    Notes
    -----
    A grey line is a fold: it joins the values that the models have in it, which are the means of
    their executions. Faint dots are the executions, where there are several. Beside them stand mean
    ± sample standard deviation over the folds, the values of the practice; they are also written
    below the model. A model so far away that the others could not be distinguished is beyond the
    edge, where an arrow has the lowest and the highest of its values there.

    References
    ----------
    Exercise 6, the comparison of models.

    Examples
    --------
    >>> ax = plot_metric({"kNN": [0.9, 1.0], "tree": [0.8, 0.9]})
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['kNN\n0.950 ± 0.071', 'tree\n0.850 ± 0.071']
    """
    words = words_in(lang)
    values = {title: _values(title, result, metric) for title, result in results.items()}
    _require_same_folds(results, values)
    means = np.array([scores.mean(axis=1) for scores in values.values()])  # (models, folds)
    positions = np.arange(len(means))
    ax = axes_of(ax, metric_size(len(means)))
    clear_frame(ax, grid=True)
    label, faint = words["fold"], max(0.15, min(0.55, 8 / len(means.T)))
    for fold in means.T:
        ax.plot(
            positions,
            fold,
            marker="o",
            ms=4,
            mec="white",
            mew=0.5,
            color=GREY,
            lw=0.8,
            alpha=faint,
            zorder=3,
            label=label,
        )
        label = "_"  # one entry in the legend is enough
    _draw_executions(ax, list(values.values()), words["execution"])
    finite = np.ma.masked_invalid(means)  # a fold without positives has no ROC
    centres, spreads = (
        values.filled(math.nan) for values in (finite.mean(axis=1), finite.std(axis=1, ddof=1))
    )
    half, label = np.nan_to_num(spreads), words["summary"]
    ax.errorbar(positions + 0.27, centres, half, **BAR, fmt="D", color=VERMILION, label=label)
    slot = _points_of_cell(ax, len(means) + 0.2)
    labels = [
        f"{broken(title, 14)}\n{figure_text(mean)} ± {figure_text(std)}"
        for title, mean, std in zip(values, centres, spreads, strict=True)
    ]
    fitting = slot / (0.62 * max(len(line) for label in labels for line in label.splitlines()))
    ax.set_xticks(positions, labels, fontsize=min(10.0, fitting) if fitting >= _SMALLEST else 8.0)
    if fitting < _SMALLEST:
        ax.tick_params(axis="x", labelrotation=50)
        for name in ax.get_xticklabels():
            name.set(ha="right", rotation_mode="anchor")
    ax.set_xlim(-0.5, len(means) - 0.3)
    ax.tick_params(axis="x", length=0)
    ax.set_ylabel(metric)
    _mark_far_values(
        ax, list(values.values()), [*zip(centres - spreads, centres + spreads, strict=True)]
    )
    legend_above(ax)
    return ax


def figure_text(value: float) -> str:
    """Write a score with three decimals, fewer where it is large.

    >>> figure_text(0.9), figure_text(-12345.6), figure_text(1.5e9)
    ('0.900', '-12346', '1.5e+09')
    """
    return (
        f"{value:.3f}"
        if abs(value) < 1000
        else f"{value:.0f}"
        if abs(value) < 1e6
        else f"{value:.3g}"
    )


_SMALLEST = 6.5  # points: names that would have to be smaller are written at a slope
_FAR = 2.5  # values are left out if the picture would have to be so many times as high for them


def limits_of_most(ends: Mapping[int, tuple[float, float]]) -> tuple[float, float] | None:
    """Return the limits of an axis that leaves out the few intervals, {number: (low, high)}, which
    would take most of it; None if there are none.

    >>> limits_of_most({0: (10, 12), 1: (11, 13), 2: (50, 50)})
    (9.55, 13.45)
    """
    kept = sorted(ends, key=lambda n: sum(ends[n]))

    def span(numbers: Sequence[int]) -> float:
        return float(max(ends[n][1] for n in numbers) - min(ends[n][0] for n in numbers))

    while len(kept) > 2:
        rest = min(kept[1:], kept[:-1], key=span)
        if span(kept) < _FAR * span(rest) or span(rest) == 0:
            break
        kept = rest
    if len(kept) == len(ends):
        return None
    low, margin = min(ends[n][0] for n in kept), 0.15 * span(kept)
    return low - margin, low + span(kept) + margin


def _mark_far_values(
    ax: Axes, values: Sequence[NDArray[np.float64]], bars: Sequence[tuple[float, float]]
) -> None:
    """Scale the axes for most models, and mark with an arrow at the edge those whose `values` and
    `bars` (mean − std, mean + std) lie beyond it.
    """
    ends = {
        n: (float(np.nanmin([*scores.flat, *bar])), float(np.nanmax([*scores.flat, *bar])))
        for n, (scores, bar) in enumerate(zip(values, bars, strict=True))
        if np.isfinite(scores).any()
    }
    limits = limits_of_most(ends)
    if limits is None:
        return
    ax.set_ylim(limits)
    for number, scores in enumerate(values):
        for beyond, y, va, words in (
            (scores[scores < limits[0]], 0.015, "bottom", "{}\n↓"),
            (scores[scores > limits[1]], 0.985, "top", "↑\n{}"),
        ):
            if len(beyond):
                both = dict.fromkeys(map(figure_text, (beyond.min(), beyond.max())))
                ax.text(
                    number,
                    y,
                    words.format("…".join(both)),
                    transform=ax.get_xaxis_transform(),
                    ha="center",
                    va=va,
                    color=VERMILION,
                    fontsize="small",
                    zorder=6,
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
                )


def _draw_executions(ax: Axes, values: Sequence[NDArray[np.float64]], label: str) -> None:
    for position, scores in enumerate(values):
        if scores.shape[1] > 1:
            spread = np.linspace(-0.16, 0.16, scores.shape[1]) + np.zeros_like(scores)
            faint = max(0.06, min(0.5, 60 / scores.size))
            ax.scatter(
                position + spread,
                scores,
                s=12,
                color=BLUE,
                alpha=faint,
                lw=0,
                zorder=2,
                label=label,
            )
            label = "_"  # one entry in the legend is enough


def _values(title: str, result: object, metric: str) -> NDArray[np.float64]:
    """Return the values of a metric in a result, shape (folds, executions); `title` names the
    result in errors.
    """
    scores = getattr(result, "scores", None)
    if scores is not None:
        metrics: tuple[str, ...] = getattr(result, "_fields", ())
        if metric not in metrics:
            raise ValueError(f"there is no metric {metric!r}; the metrics are {', '.join(metrics)}")
        return np.asarray(scores, dtype=np.float64)[:, :, metrics.index(metric)]
    values: NDArray[np.float64] = np.asarray(result, dtype=np.float64)
    if values.ndim not in (1, 2) or not values.size:
        raise ValueError(
            f"the values of {title!r} have shape (folds,) or (folds, executions), not"
            f" {values.shape}"
        )
    return values.reshape(len(values), -1)


def _require_same_folds(
    results: Mapping[str, object], values: Mapping[str, NDArray[np.float64]]
) -> None:
    if not values:
        raise ValueError("there are no models to draw")
    (first, of_first), *others = values.items()
    for title, scores in others:
        if len(scores) != len(of_first):
            raise ValueError(
                "a line joins the values of a fold, and the models have different folds: "
                f"{first!r} has {len(of_first)}, {title!r} has {len(scores)}"
            )
        one, other = (
            getattr(results[name], "crossValidationIndices", None) for name in (first, title)
        )
        if one is not None and other is not None and not np.array_equal(one, other):
            raise ValueError(
                f"{first!r} and {title!r} were tested on different partitions into {len(scores)}"
                " folds"
            )


def metric_size(models: int) -> tuple[float, float]:
    """Return the size in inches of a picture of a metric of some models."""
    return max(5.2, 1.2 + 1.5 * models), 4.4


def matrix_size(classes: int) -> tuple[float, float]:
    """Return the size in inches of a confusion matrix."""
    side = min(max(3.6, 1.8 + 0.55 * classes), 14.0)
    return side, side
