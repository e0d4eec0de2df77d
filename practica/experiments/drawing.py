"""Style of the pictures: colours, words in two languages, axes, and the formats of a file.

Three colours that people with any colour vision can distinguish (Okabe and Ito, 2008), each with a
shape or a line of its own, so that a black-and-white print stays readable. Matplotlib comes with
`pip install 'practica[plots]'` and is imported by the first picture.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")

BLUE, VERMILION, GREEN = "#0072B2", "#D55E00", "#009E73"
DEEP_BLUE = "#005688"  # the same hue; most right answers then have white figures
INK, GREY, FAINT, BAND = "#222222", "#6E6E6E", "#E3E3E3", "#DDE7D9"
Style: TypeAlias = "dict[str, Any]"  # keywords of matplotlib

DOTTED: Style = {"color": GREY, "lw": 0.8, "ls": (0, (1, 2))}
BAR: Style = {"ms": 6, "lw": 1.8, "capsize": 4, "zorder": 4}  # a mark and its error bar

# inches: the width of the page, and of two or three pictures side by side
WIDE, HALF, THIRD = 8.0, 3.8, 2.5

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
    "summary": ("mean ± std over the folds", "media ± desviación típica de las vueltas"),
}


def words_in(lang: str) -> dict[str, str]:
    """Return the words of the pictures in a language."""
    if lang not in LANGUAGES:
        raise ValueError(
            f"there are no words in {lang!r}; the languages are {', '.join(LANGUAGES)}"
        )
    return {key: words[LANGUAGES.index(lang)] for key, words in WORDS.items()}


def require_matplotlib() -> None:
    """Raise an ImportError that names the package to install if matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "pictures need matplotlib, which comes with: pip install 'practica[plots]'"
        ) from error


def axes_of(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """Return the given axes, or those of a new figure of this size, in inches."""
    if ax is not None:
        return ax
    require_matplotlib()
    from matplotlib import pyplot

    return pyplot.subplots(figsize=size, layout="constrained")[1]


def clear_frame(ax: Axes, *, grid: bool = False) -> None:
    """Hide the upper and the right edge of the axes, and draw the others in grey; with `grid`, draw
    horizontal lines too.
    """
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(GREY)
    ax.tick_params(colors=INK, color=GREY)
    ax.set_axisbelow(True)
    if grid:
        ax.grid(axis="y", color=FAINT, lw=0.8)


def legend_above(ax: Axes, *, columns: int = 3, handlelength: float = 1.6) -> None:
    """Put the legend above the axes, where it hides no mark."""
    legend = ax.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        borderaxespad=0.3,
        ncols=columns,
        handlelength=handlelength,
        columnspacing=1.6,
        frameon=False,
        labelcolor=INK,
        fontsize="small",
    )
    for handle in legend.legend_handles:
        if handle is not None:
            handle.set_alpha(1)


def label_losses(ax: Axes, words: Mapping[str, str]) -> None:
    """Label the axes of losses by epoch."""
    clear_frame(ax, grid=True)
    ax.set(xlabel=words["epoch"], ylabel=words["loss"], ylim=(0, None))
    ax.margins(x=0.02)
    ax.locator_params(axis="x", integer=True)


def broken(name: str, width: int) -> str:
    r"""Break a name into lines of at most so many signs, after a comma, a colon or a space where
    there is one.

    >>> broken("forest:n_estimators=500,max_depth=5", 24)
    'forest:n_estimators=500,\nmax_depth=5'
    """
    lines = [""]
    for part in re.findall(rf"[^,:\s]{{1,{width - 1}}}[,:\s]?|[,:\s]", name):
        if lines[-1] and len(lines[-1] + part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def picture_of(
    draw: Callable[..., object], *arguments: Any, size: tuple[float, float], **options: Any
) -> bytes:
    """Return as SVG what `draw` draws on its argument `ax`, the axes of a new off-screen figure.

    `size`: width and height in inches.
    """
    return figure_of(lambda figure: draw(*arguments, **options, ax=figure.subplots()), size=size)


def figure_of(draw: Callable[[Figure], object], *, size: tuple[float, float]) -> bytes:
    """Return as SVG what `draw` draws on its argument, a new off-screen figure.

    `size`: width and height in inches.
    """
    require_matplotlib()
    from matplotlib.figure import Figure

    figure, file = Figure(figsize=size, layout="constrained"), io.BytesIO()
    draw(figure)
    figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def format_of(path: Path) -> str:
    """Return the format that the suffix of a picture names.

    Raises `ValueError` if it is unknown, and `ImportError` without matplotlib, before anything is
        computed.
    """
    format = path.suffix.lower().removeprefix(".")
    if format not in FORMATS:
        raise ValueError(
            f"{path} does not end in the name of a picture's format: {', '.join(FORMATS)}"
        )
    require_matplotlib()
    return format
