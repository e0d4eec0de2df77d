"""Pictures: how a network learnt, what a model confuses, and how models compare.

Each function draws on matplotlib axes, its own or those it is given, and returns them:

    plot_learning_curves     losses by epoch, and the epoch of the network that was returned
    plot_confusion_matrix    counts of real and predicted classes
    plot_metric              a metric of several models, fold by fold
    plot_curves              ROC or precision-recall curves of several models, and their spread
    plot_losses              losses of the networks of all folds

They read results by the names of their parts, or as the plain arrays and tuples that the statement asks for, so that
they draw a student's results as well as those of the reference. Matplotlib comes with `pip install 'practica[plots]'`
and is imported by the first picture.

Three colours that people with any colour vision tell apart (Okabe and Ito, 2008), each with a shape or a line of its
own, so that a print in black and white can be read too.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "FORMATS",
    "draw_panels",
    "format_of",
    "picture_of",
    "plot_confusion_matrix",
    "plot_curves",
    "plot_learning_curves",
    "plot_losses",
    "plot_metric",
    "require_matplotlib",
]

FORMATS = ("png", "svg", "pdf")

BLUE, VERMILION, GREEN = "#0072B2", "#D55E00", "#009E73"
DEEP_BLUE = "#005688"  # the same hue; most right answers then have white figures
INK, GREY, FAINT = "#222222", "#6E6E6E", "#E3E3E3"
DOTTED: dict[str, Any] = {"color": GREY, "lw": 0.8, "ls": (0, (1, 2))}

LOSSES_SIZE, CURVES_SIZE = (7.0, 4.2), (5.6, 5.2)  # inches

LANGUAGES = ("en", "es")
WORDS = {
    "training": ("training", "entrenamiento"),
    "validation": ("validation", "validación"),
    "test": ("test", "test"),
    "epoch": ("epoch", "ciclo"),
    "loss": ("loss", "loss"),
    "returned": ("returned network:\nepoch {epoch}", "red devuelta:\nciclo {epoch}"),
    "real": ("real class", "clase real"),
    "predicted": ("predicted class", "clase predicha"),
    "fold": ("a fold", "una vuelta"),
    "execution": ("an execution", "una ejecución"),
    "false": ("false positive rate", "tasa de falsos positivos"),
    "sensitivity": ("sensitivity", "sensibilidad"),
    "recall": ("recall", "sensibilidad"),
    "precision": ("precision", "precisión"),
    "summary": ("mean ± std over the folds", "media ± desviación típica de las vueltas"),
}


# --- Learning curves --------------------------------------------------------------------------------------------------


def plot_learning_curves(trained: Sequence[Any], *, lang: str = "en", ax: Axes | None = None) -> Axes:
    """Draw the losses of a training by epoch, and mark the epoch of the network that it returned.

    Parameters
    ----------
    trained : (network, training losses, validation losses, test losses)
        What `train_class_ann` returns. The losses begin with epoch 0, the untrained network; those of a set that there
        was not are empty.
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
    With a validation set the network of the lowest validation loss is returned, the first of them; otherwise the last.

    References
    ----------
    Exercise 3, `train_class_ann`.

    Examples
    --------
    >>> ax = plot_learning_curves((None, [0.9, 0.5, 0.3, 0.2], [0.9, 0.6, 0.5, 0.7], []))
    >>> [line.get_label() for line in ax.get_lines() if not line.get_label().startswith("_")]
    ['training', 'validation']
    """
    words = _words(lang)
    losses = _losses(trained)
    best = _returned_epoch(losses)
    ax = _axes(ax, LOSSES_SIZE)
    styles = {"training": (BLUE, "-"), "validation": (VERMILION, "-"), "test": (GREEN, (0, (4, 2)))}
    for name, values in losses.items():
        colour, line = styles[name]
        dot = "o" if len(values) == 1 else ""
        ax.plot(np.arange(len(values)), values, linestyle=line, marker=dot, color=colour, lw=1.8, label=words[name])
    _label_losses(ax, words)
    judge = "validation" if "validation" in losses else "training"
    _mark_epoch(ax, best, float(losses[judge][best]), styles[judge][0], words["returned"].format(epoch=best))
    _legend_above(ax)
    return ax


def _label_losses(ax: Axes, words: Mapping[str, str]) -> None:
    _clear(ax, grid=True)
    ax.set(xlabel=words["epoch"], ylabel=words["loss"], ylim=(0, None))
    ax.margins(x=0.02)
    ax.locator_params(axis="x", integer=True)


def _losses(trained: Sequence[Any]) -> dict[str, NDArray[np.float64]]:
    """Return the losses of the sets that there are, by name."""
    if len(trained) != 4:
        raise ValueError(
            f"a training has 4 parts (the network and the losses of training, validation and test), not {len(trained)}"
        )
    vectors = [np.asarray([] if values is None else values, dtype=np.float64).ravel() for values in trained[1:]]
    losses = dict(zip(("training", "validation", "test"), vectors, strict=True))
    if not len(losses["training"]):
        raise ValueError("there are no training losses to draw; they begin with epoch 0, the untrained network")
    losses = {name: values for name, values in losses.items() if len(values)}
    if len({len(values) for values in losses.values()}) > 1:
        lengths = ", ".join(f"{name} {len(values)}" for name, values in losses.items())
        raise ValueError(f"the losses of a training have one value per epoch each, not {lengths}")
    return losses


def _returned_epoch(losses: Mapping[str, NDArray[np.float64]]) -> int:
    """Return the epoch of the network that early stopping returns."""
    validation = losses.get("validation")
    if validation is None:
        return len(losses["training"]) - 1
    return 0 if np.isnan(validation[0]) else int(np.nanargmin(validation))


def _mark_epoch(ax: Axes, epoch: int, loss: float, colour: str, text: str) -> None:
    ax.axvline(epoch, **DOTTED, zorder=0)
    ax.plot([epoch], [loss], "o", ms=8, mfc="white", mec=colour, mew=2, zorder=4, clip_on=False)
    left, right = ax.get_xlim()
    late = epoch > (left + right) / 2  # the words go where there is room: high up, where losses seldom are
    where: dict[str, Any] = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points", "va": "top"}
    beside: dict[str, Any] = {"xytext": (-5, 0), "ha": "right"} if late else {"xytext": (5, 0), "ha": "left"}
    ax.annotate(text, (epoch, 0.97), **where, **beside, color=INK, fontsize="small")


# --- Confusion matrix -------------------------------------------------------------------------------------------------


def plot_confusion_matrix(
    result: Any, *, classes: Sequence[Any] | None = None, lang: str = "en", ax: Axes | None = None
) -> Axes:
    """Draw a confusion matrix: real classes in rows, predictions in columns, and how many patterns are in each cell.

    Parameters
    ----------
    result : ConfusionMatrix, tuple of eight whose last is the matrix, or array, shape (C, C)
        What `confusion_matrix` returns, or its matrix; or a mean of several.
    classes : sequence, length C, optional
        The class of each row. Without it those of the result, or 1..C.
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
    Right answers are blue and mistakes vermilion, the darker the larger their share of the row: of a rare class, few
    mistakes are dark too.

    References
    ----------
    Exercise 4, `confusion_matrix`.

    Examples
    --------
    >>> ax = plot_confusion_matrix([[8, 2], [1, 9]], classes=["dog", "cat"])
    >>> [cell.get_text() for cell in ax.texts]
    ['8', '2', '1', '9']
    """
    words = _words(lang)
    matrix = _matrix(result)
    size = len(matrix)
    names = [str(name) for name in (getattr(result, "classes", range(1, size + 1)) if classes is None else classes)]
    if len(names) != size:
        raise ValueError(f"there are {len(names)} names of classes for {size} rows of the confusion matrix")
    ax = _axes(ax, matrix_size(size))
    shares = matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1)
    colours = _cell_colours(shares)
    ax.imshow(colours, aspect="equal")
    width = ax.bbox.width / ax.figure.dpi * 72 / size  # of a cell, in points
    fontsize = min(13.0, 1.3 * width / max(2, len(f"{matrix.max():g}")))
    for row, column in np.ndindex(size, size):
        count = matrix[row, column]
        ink = _readable_on(colours[row, column]) if count else GREY
        weight = "bold" if row == column else "normal"
        ax.text(column, row, f"{count:g}", ha="center", va="center", color=ink, weight=weight, fontsize=fontsize)
    _clear(ax)
    ax.spines[:].set_visible(False)
    crowded = max(map(len, names)) * 6 > width
    ax.set_xticks(range(size), names, rotation=45 if crowded else 0, ha="right" if crowded else "center")
    ax.set_yticks(range(size), names)
    ax.set_xticks(np.arange(size + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(size + 1) - 0.5, minor=True)
    ax.grid(which="minor", color="white", lw=2 if size <= 12 else 0.5)
    ax.tick_params(which="both", length=0)
    ax.set(xlabel=words["predicted"], ylabel=words["real"])
    return ax


def _matrix(result: Any) -> NDArray[np.int64]:
    if hasattr(result, "matrix"):
        result = result.matrix
    elif isinstance(result, tuple) and len(result) == 8:
        result = result[-1]
    matrix = np.asarray(result)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise ValueError(
            f"a confusion matrix has shape (C, C), one row and one column for each class, not {matrix.shape}"
        )
    return matrix if matrix.dtype.kind == "f" else matrix.astype(np.int64)


def _cell_colours(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mix white with blue on the diagonal and with vermilion elsewhere, by the share of the row."""
    from matplotlib.colors import to_rgb

    hues = np.where(np.eye(len(shares), dtype=bool)[..., np.newaxis], to_rgb(DEEP_BLUE), to_rgb(VERMILION))
    strength = np.where(shares > 0, 0.12 + 0.88 * shares, 0.03)[..., np.newaxis]
    return 1 - strength * (1 - hues)


def _readable_on(rgb: NDArray[np.float64]) -> str:
    """Return white or black, whichever has the greater contrast with a colour; it is 4.5 to 1 at least (WCAG 2)."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ (0.2126, 0.7152, 0.0722))
    return "white" if (luminance + 0.05) ** 2 < 1.05 * 0.05 else "black"


# --- A metric of several models ---------------------------------------------------------------------------------------


def plot_metric(
    results: Mapping[str, Any], metric: str = "accuracy", *, lang: str = "en", ax: Axes | None = None
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
    A grey line is a fold: it joins the values that the models have in it, which are the means of their executions.
    Faint dots are the executions, where there are several. Beside them stand mean ± sample standard deviation over the
    folds, the values of the practice; they are also written below the model. A model so
    far away that the others could not be told apart leaves the picture, with an arrow where it went.

    References
    ----------
    Exercise 6, the comparison of models.

    Examples
    --------
    >>> ax = plot_metric({"kNN": [0.9, 1.0], "tree": [0.8, 0.9]})
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['kNN\n0.950 ± 0.071', 'tree\n0.850 ± 0.071']
    """
    words = _words(lang)
    values = {title: _values(title, result, metric) for title, result in results.items()}
    _require_same_folds(results, values)
    means = np.array([scores.mean(axis=1) for scores in values.values()])  # (models, folds)
    positions = np.arange(len(means))
    ax = _axes(ax, metric_size(len(means)))
    _clear(ax, grid=True)
    for number, fold in enumerate(means.T):
        line: dict[str, Any] = {"color": GREY, "lw": 0.8, "alpha": max(0.15, min(0.55, 8 / len(means.T)))}
        dot: dict[str, Any] = {"marker": "o", "ms": 4, "mec": "white", "mew": 0.5}
        ax.plot(positions, fold, **line, **dot, zorder=3, label="_" if number else words["fold"])
    _draw_executions(ax, list(values.values()), words["execution"])
    finite = np.ma.masked_invalid(means)  # a fold without positives has no ROC
    centres, spreads = (values.filled(math.nan) for values in (finite.mean(axis=1), finite.std(axis=1, ddof=1)))
    beside: dict[str, Any] = {"fmt": "D", "ms": 6, "color": VERMILION, "lw": 1.8, "capsize": 4, "zorder": 4}
    ax.errorbar(positions + 0.27, centres, np.nan_to_num(spreads), **beside, label=words["summary"])
    labels = [f"{title}\n{mean:.3f} ± {std:.3f}" for title, mean, std in zip(values, centres, spreads, strict=True)]
    ax.set_xticks(positions, labels)
    ax.set_xlim(-0.5, len(means) - 0.3)
    ax.tick_params(axis="x", length=0)
    ax.set_ylabel(metric)
    _leave_out_the_hopeless(ax, list(values.values()))
    _legend_above(ax)
    return ax


_HOPELESS = 2.5  # times as high would the picture have to be for one more model


def _leave_out_the_hopeless(ax: Axes, values: Sequence[NDArray[np.float64]]) -> None:
    """Show the others at a scale of theirs where one model, or a few, would take most of the picture."""
    ends = {n: (np.nanmin(v), np.nanmax(v)) for n, v in enumerate(values) if np.isfinite(v).any()}
    kept = sorted(ends, key=lambda n: sum(ends[n]))
    left_out: list[tuple[int, bool]] = []

    def span(models: Sequence[int]) -> float:
        return float(max(ends[n][1] for n in models) - min(ends[n][0] for n in models))

    while len(kept) > 2:
        is_low = span(kept[1:]) <= span(kept[:-1])
        rest = kept[1:] if is_low else kept[:-1]
        if span(kept) < _HOPELESS * span(rest) or span(rest) == 0:
            break
        left_out.append((kept[0] if is_low else kept[-1], is_low))
        kept = rest
    if left_out:
        low, high = min(ends[n][0] for n in kept), max(ends[n][1] for n in kept)
        ax.set_ylim(low - 0.15 * (high - low), high + 0.15 * (high - low))
    for number, is_low in left_out:
        arrow, y, va = ("↓", 0.02, "bottom") if is_low else ("↑", 0.98, "top")
        style: dict[str, Any] = {"ha": "center", "va": va, "color": VERMILION, "fontsize": "xx-large"}
        ax.text(number, y, arrow, transform=ax.get_xaxis_transform(), **style)


# --- Curves of several models -----------------------------------------------------------------------------------------

# Okabe and Ito's colours that are dark enough for a line on white; from the sixth model on, other dashes.
COLOURS = (BLUE, VERMILION, GREEN, "#CC79A7", "#8A6D00")
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.5)))


def plot_curves(
    curves: Mapping[str, Any],
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
    words = _words(lang)
    rows = {}
    for title, values in curves.items():
        matrix = np.asarray(values, dtype=np.float64)
        whole = matrix[np.isfinite(matrix).all(axis=-1)]  # of a fold without positives there is no curve
        if len(whole):
            rows[title] = whole
    if not rows:
        raise ValueError("there are no curves to draw")
    ax = _axes(ax, CURVES_SIZE)
    _clear(ax, grid=True)
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


def plot_losses(losses: Iterable[tuple[Any, Any]], *, lang: str = "en", ax: Axes | None = None) -> Axes:
    """Draw the losses of several networks by epoch, such as those of the first execution of each fold.

    Parameters
    ----------
    losses : pairs (training losses, validation losses)
        They begin with epoch 0; those of a validation set that there was not are empty.
    lang, ax
        As in `plot_learning_curves`.

    Examples
    --------
    >>> ax = plot_losses([([0.9, 0.5], [0.9, 0.6]), ([0.8, 0.4, 0.3], [])])
    >>> len(ax.get_lines())
    3
    """
    words = _words(lang)
    ax = _axes(ax, LOSSES_SIZE)
    seen = set()
    for pair in losses:
        for name, colour, values in zip(("training", "validation"), (BLUE, VERMILION), pair, strict=True):
            if len(values):
                ax.plot(values, color=colour, lw=1.0, alpha=0.7, label="_" if name in seen else words[name])
                seen.add(name)
    _label_losses(ax, words)
    _legend_above(ax)
    return ax


def picture_of(draw: Callable[..., Axes], *arguments: Any, size: tuple[float, float], **options: Any) -> bytes:
    """Return what a function draws as SVG, on a figure of a size in inches that is on no screen."""
    require_matplotlib()
    from matplotlib.figure import Figure

    figure, file = Figure(figsize=size, layout="constrained"), io.BytesIO()
    draw(*arguments, **options, ax=figure.subplots())
    figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def metric_size(models: int) -> tuple[float, float]:
    """Return how large a picture of a metric is, in inches."""
    return max(5.2, 1.2 + 1.5 * models), 4.4


def matrix_size(classes: int) -> tuple[float, float]:
    """Return how large a confusion matrix is, in inches."""
    side = min(max(3.6, 1.8 + 0.55 * classes), 14.0)
    return side, side


def _draw_executions(ax: Axes, values: Sequence[NDArray[np.float64]], label: str) -> None:
    for position, scores in enumerate(values):
        if scores.shape[1] > 1:
            spread = np.linspace(-0.16, 0.16, scores.shape[1]) + np.zeros_like(scores)
            faint = max(0.06, min(0.5, 60 / scores.size))
            ax.scatter(position + spread, scores, s=12, color=BLUE, alpha=faint, lw=0, zorder=2, label=label)
            label = "_"  # one entry in the legend is enough


def _values(title: str, result: Any, metric: str) -> NDArray[np.float64]:
    """Return the values of a metric, shape (folds, executions)."""
    scores = getattr(result, "scores", None)
    if scores is not None:
        if metric not in result._fields:
            raise ValueError(f"there is no metric {metric!r}; the metrics are {', '.join(result._fields)}")
        return np.asarray(scores, dtype=np.float64)[:, :, result._fields.index(metric)]
    values = np.asarray(result, dtype=np.float64)
    if values.ndim not in (1, 2) or not values.size:
        raise ValueError(f"the values of {title!r} have shape (folds,) or (folds, executions), not {values.shape}")
    return values.reshape(len(values), -1)


def _require_same_folds(results: Mapping[str, Any], values: Mapping[str, NDArray[np.float64]]) -> None:
    if not values:
        raise ValueError("there are no models to draw")
    (first, of_first), *others = values.items()
    for title, scores in others:
        if len(scores) != len(of_first):
            raise ValueError(
                f"a line joins the values of a fold, and the models have different folds: "
                f"{first!r} has {len(of_first)}, {title!r} has {len(scores)}"
            )
        one, other = (getattr(results[name], "crossValidationIndices", None) for name in (first, title))
        if one is not None and other is not None and not np.array_equal(one, other):
            raise ValueError(f"{first!r} and {title!r} were tested on different partitions into {len(scores)} folds")


def format_of(path: Path) -> str:
    """Return the format of a picture by the end of its name: what cannot be drawn shows before anything is computed."""
    format = path.suffix.lower().removeprefix(".")
    if format not in FORMATS:
        raise ValueError(f"{path} does not end in the name of a picture's format: {', '.join(FORMATS)}")
    require_matplotlib()
    return format


def draw_panels(panels: Mapping[str, Mapping[str, Any]], file: BinaryIO, format: str) -> None:
    """Draw a panel for each metric, {metric: results}, as `plot_metric` does, into a file."""
    from matplotlib.figure import Figure

    width, height = metric_size(max(map(len, panels.values())))
    figure = Figure(figsize=(width * len(panels), height), layout="constrained")
    for ax, (metric, results) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels.items(), strict=True):
        plot_metric(results, metric, ax=ax)
    figure.savefig(file, format=format, dpi=160)


# --- Axes -------------------------------------------------------------------------------------------------------------


def _words(lang: str) -> dict[str, str]:
    if lang not in LANGUAGES:
        raise ValueError(f"there are no words in {lang!r}; the languages are {', '.join(LANGUAGES)}")
    return {key: words[LANGUAGES.index(lang)] for key, words in WORDS.items()}


def require_matplotlib() -> None:
    """Raise ImportError with what to install, where matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError("pictures need matplotlib, which comes with: pip install 'practica[plots]'") from error


def _axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """Return the given axes, or those of a new figure of this size, in inches."""
    if ax is not None:
        return ax
    require_matplotlib()
    from matplotlib import pyplot

    return pyplot.subplots(figsize=size, layout="constrained")[1]


def _clear(ax: Axes, *, grid: bool = False) -> None:
    """Leave of the frame what helps to read values."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(GREY)
    ax.tick_params(colors=INK, color=GREY)
    ax.set_axisbelow(True)
    if grid:
        ax.grid(axis="y", color=FAINT, lw=0.8)


def _legend_above(ax: Axes) -> None:
    """Say what the marks mean where it hides none of them."""
    where: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.3, "ncols": 3}
    spaces: dict[str, Any] = {"handlelength": 1.6, "columnspacing": 1.6}
    legend = ax.legend(**where, **spaces, frameon=False, labelcolor=INK, fontsize="small")
    for handle in legend.legend_handles:
        if handle is not None:
            handle.set_alpha(1)
