#!/usr/bin/env python3
"""Draw the pictures of the statement, in both languages: rounds, early stopping, a confusion
matrix, and a leak.

    $ .venv/bin/python scripts/draw_statement.py

They are SVG, with colours of their own for light and for dark. The page that `practica new` writes
has them inside.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

__all__ = ["DRAWINGS", "leak", "matrix", "rounds", "stopping"]

FOLDER = Path(__file__).resolve().parent.parent / "enunciado"
FOLDS = 5
PATIENCE = 20

STYLE = """\
.drawing { font: 15px system-ui, sans-serif; }
.drawing .paper { fill: #ffffff; }
.drawing text { fill: #1f2328; }
.drawing .line { fill: none; stroke: #59636e; stroke-width: 1.5; }
.drawing .training { fill: #b6d4f2; }
.drawing .test { fill: #f3b98b; }
.drawing .validation { fill: #bfe3c0; }
.drawing .trained { fill: none; stroke: #0b62b5; stroke-width: 2.5; }
.drawing .validated { fill: none; stroke: #b3480a; stroke-width: 2.5; }
.drawing text.trained { fill: #0b62b5; stroke: none; }
.drawing text.validated { fill: #b3480a; stroke: none; }
@media (prefers-color-scheme: dark) {
  .drawing .paper { fill: #151b23; }
  .drawing text { fill: #e6edf3; }
  .drawing .line { stroke: #9198a1; }
  .drawing .training { fill: #1d4a78; }
  .drawing .test { fill: #8a4412; }
  .drawing .validation { fill: #23602a; }
  .drawing .trained { stroke: #79b8ff; }
  .drawing .validated { stroke: #ffa366; }
  .drawing text.trained { fill: #79b8ff; }
  .drawing text.validated { fill: #ffa366; }
}"""

TEXTS = {  # in Spanish and in English
    "rounds.title": (
        "Subconjuntos, vueltas y ejecuciones de una validación cruzada",
        "Folds, rounds and executions of a cross-validation",
    ),
    "stopping.title": (
        "Loss de entrenamiento y de validación, y parada temprana",
        "Training and validation losses, and early stopping",
    ),
    "fold": ("subconjunto", "fold"),
    "round": ("vuelta", "round"),
    "training": ("entrenamiento", "training"),
    "test": ("test", "test"),
    "networks": ("50 redes", "50 networks"),
    "mean": ("su media", "their mean"),
    "result": ("media y desviación típica de v1 … v5", "mean and standard deviation of v1 … v5"),
    "epoch": ("ciclo", "epoch"),
    "loss": ("loss", "loss"),
    "validation": ("validación", "validation"),
    "best": ("se devuelve esta red", "this network is returned"),
    "patience": ("maxEpochsVal ciclos sin mejorar", "maxEpochsVal epochs, no gain"),
    "end": ("fin", "end"),
    "matrix.title": (
        "Matriz de confusión de dos clases, y las métricas de cada fila y de cada columna",
        "Confusion matrix of two classes, and the metrics of each row and each column",
    ),
    "predicted": ("clase predicha", "predicted class"),
    "wanted": ("clase deseada", "true class"),
    "negative": ("negativa", "negative"),
    "positive": ("positiva", "positive"),
    "TN": ("VN", "TN"),
    "FP": ("FP", "FP"),
    "FN": ("FN", "FN"),
    "TP": ("VP", "TP"),
    "recall": ("sensibilidad", "recall"),
    "specificity": ("especificidad", "specificity"),
    "NPV": ("VPN", "NPV"),
    "PPV": ("VPP", "PPV"),
    "leak.title": (
        "Una vuelta sin fuga, y otra en la que los patrones de test hacen de validación",
        "A round without a leak, and one in which the test patterns are used for validation",
    ),
    "right": ("bien", "right"),
    "leak": ("fuga", "leak"),
    "weights": ("de aquí salen los pesos", "the weights come from here"),
    "chooses": ("elige la red", "chooses the network"),
    "measures": ("la mide", "measures it"),
    "both": ("la elige y la mide", "chooses and measures it"),
}
WORDS = {
    lang: {name: texts[place] for name, texts in TEXTS.items()}
    for place, lang in enumerate(("es", "en"))
}


def rounds(words: Mapping[str, str]) -> str:
    """Draw a row for each round: its folds, the networks that are trained in it, and the mean that
    it gives.
    """
    left, top, width, height, gap = 112, 52, 76, 34, 4
    after = left + FOLDS * (width + gap)
    shapes = [
        _text(left + fold * (width + gap) + width / 2, top - 10, str(fold + 1), "middle")
        for fold in range(FOLDS)
    ]
    shapes.append(_text(left - 12, top - 10, words["fold"], "end"))
    shapes.append(_text(after + 54, top - 10, words["networks"], "middle"))
    shapes.append(_text(after + 160, top - 10, words["mean"], "middle"))
    for number in range(FOLDS):
        y = top + number * (height + gap)
        middle = y + height / 2
        shapes.append(_text(left - 12, middle + 5, f"{words['round']} {number + 1}", "end"))
        for fold in range(FOLDS):
            kind = "test" if fold == number else "training"
            x = left + fold * (width + gap)
            shapes.append(
                f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="4"/>'
            )
            if kind == "test":
                shapes.append(_text(x + width / 2, middle + 5, words["test"], "middle"))
        shapes += [
            f'<circle class="line" cx="{after + 24 + 15 * network}" cy="{middle:g}" r="5"/>'
            for network in (0, 1, 2, 5)
        ]
        shapes.append(_text(after + 76, middle + 4, "…", "middle"))
        shapes.append(f'<path class="line" d="M{after + 112} {middle:g}h22m-6 -4l6 4l-6 4"/>')
        shapes.append(_text(after + 160, middle + 5, f"v{number + 1}", "middle"))
    bottom = top + FOLDS * (height + gap)
    shapes.append(f'<path class="line" d="M{after + 160} {bottom + 4}v16m-4 -6l4 6l4 -6"/>')
    shapes.append(_text(after + 184, bottom + 40, words["result"], "end"))
    shapes.append(
        f'<rect class="training" x="{left}" y="{bottom + 27}" width="18" height="16" rx="3"/>'
    )
    shapes.append(_text(left + 24, bottom + 40, words["training"], "start"))
    return _picture(words["rounds.title"], after + 200, bottom + 60, shapes)


def stopping(words: Mapping[str, str]) -> str:
    """Draw the two losses, the best network, the epochs that are waited for, and the end."""
    validation: list[float] = []
    while (
        len(validation) - 1
        < min(range(len(validation)), key=validation.__getitem__, default=0) + PATIENCE
    ):
        epoch = len(validation)
        validation.append(
            0.3 + 0.7 * math.exp(-epoch / 9) + 0.009 * epoch + 0.008 * math.sin(1.9 * epoch)
        )
    training = [0.06 + 0.94 * math.exp(-epoch / 12) for epoch in range(len(validation))]
    best = min(range(len(validation)), key=validation.__getitem__)
    left, top, width, height = 60, 40, 620, 230
    last = len(validation) - 1

    def at(epoch: int, loss: float) -> tuple[float, float]:
        return round(left + width * epoch / (last + 7), 1), round(
            top + height * (1 - loss / 1.1), 1
        )

    def curve(losses: list[float], name: str) -> str:
        points = " ".join(f"{x:g},{y:g}" for x, y in (at(*pair) for pair in enumerate(losses)))
        return f'<polyline class="{name}" points="{points}"/>'

    bottom = top + height
    x, y = at(best, validation[best])
    end, _ = at(last, 0)
    shapes = [
        f'<path class="line" d="M{left} {top}V{bottom}H{left + width}"/>',
        _text(left - 10, top + 6, words["loss"], "end"),
        _text(left + width, bottom + 22, words["epoch"], "end"),
        _text(left, bottom + 22, "0", "middle"),
        curve(training, "trained"),
        curve(validation, "validated"),
        _text(end - 8, at(last, training[-1])[1] - 8, words["training"], "end", "trained"),
        _text(end - 8, at(last, validation[-1])[1] - 12, words["validation"], "end", "validated"),
        f'<circle class="validated" cx="{x:g}" cy="{y:g}" r="7"/>',
        (
            f'<path class="line" stroke-dasharray="4 4" d="M{x:g} {y + 9:g}V{bottom}M{end:g}'
            f' {top + 44}V{bottom}"/>'
        ),
        f'<path class="line" d="M{x:g} {y - 9:g}V{top + 32}"/>',
        _text(x, top + 24, words["best"], "middle"),
        f'<path class="line" d="M{x:g} {top + 60}H{end:g}m-6 -4l6 4l-6 4"/>',
        _text((x + end) / 2, top + 52, words["patience"], "middle"),
        _text(end, bottom + 22, words["end"], "middle"),
    ]
    return _picture(words["stopping.title"], left + width + 20, bottom + 36, shapes)


def matrix(words: Mapping[str, str]) -> str:
    """Draw the four counts of two classes, the fraction of each row beside it, and that of each
    column below it.
    """
    left, top, width, height, gap = 190, 70, 130, 62, 4
    names = (("TN", "FP"), ("FN", "TP"))
    metrics = {
        "specificity": ("TN", "FP"),
        "recall": ("TP", "FN"),
        "NPV": ("TN", "FN"),
        "PPV": ("TP", "FP"),
    }
    told = {
        name: f"{words[own]} / ({words[own]} + {words[other]})"
        for name, (own, other) in metrics.items()
    }
    middle = left + width + gap / 2
    shapes = [
        _text(middle, 26, words["predicted"], "middle"),
        _text(16, top + height + 5, words["wanted"], "start"),
    ]
    for place, kind in enumerate(("negative", "positive")):
        x, y = left + place * (width + gap), top + place * (height + gap)
        shapes.append(_text(x + width / 2, top - 14, words[kind], "middle"))
        shapes.append(_text(left - 12, y + height / 2 + 5, words[kind], "end"))
        for column, name in enumerate(names[place]):
            at = left + column * (width + gap)
            hit = "validation" if column == place else "test"
            shapes.append(
                f'<rect class="{hit}" x="{at}" y="{y}" width="{width}" height="{height}" rx="4"/>'
            )
            shapes.append(_text(at + width / 2, y + height / 2 + 5, words[name], "middle"))
        after, below = left + 2 * (width + gap) + 8, top + 2 * (height + gap) + 18
        row, column_metric = ("specificity", "recall")[place], ("NPV", "PPV")[place]
        shapes.append(_text(after, y + height / 2 - 4, words[row], "start"))
        shapes.append(_text(after, y + height / 2 + 16, told[row], "start"))
        shapes.append(_text(x + width / 2, below, words[column_metric], "middle"))
        shapes.append(_text(x + width / 2, below + 20, told[column_metric], "middle"))
    return _picture(
        words["matrix.title"], left + 2 * (width + gap) + 150, top + 2 * (height + gap) + 54, shapes
    )


def leak(words: Mapping[str, str]) -> str:
    """Draw a round with its three sets apart, and one in which the test fold chooses the network as
    well.
    """
    left, top, width, height, gap = 80, 24, 600, 36, 4
    shapes = []
    rounds = {
        "right": [
            ("training", 0.5, "weights"),
            ("validation", 0.25, "chooses"),
            ("test", 0.25, "measures"),
        ],
        "leak": [("training", 0.75, "weights"), ("test", 0.25, "both")],
    }
    for number, (kind, parts) in enumerate(rounds.items()):
        x, y = float(left), top + number * (height + 62)
        shapes.append(_text(left - 14, y + height / 2 + 5, words[kind], "end"))
        for name, share, purpose in parts:
            long = share * width - gap
            shapes.append(
                f'<rect class="{name}" x="{x:g}" y="{y}" width="{long:g}" height="{height}"'
                ' rx="4"/>'
            )
            shapes.append(_text(x + long / 2, y + height / 2 + 5, words[name], "middle"))
            shapes.append(_text(x + long / 2, y + height + 22, words[purpose], "middle"))
            x += share * width
    return _picture(words["leak.title"], left + width + 40, top + 2 * height + 100, shapes)


def _text(x: float, y: float, text: str, anchor: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:g}" y="{y:g}" text-anchor="{anchor}">{text}</text>'


def _picture(title: str, width: float, height: float, shapes: list[str]) -> str:
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" role="img" aria-label="{title}"'
        f" {size}>"
    )
    paper = f'<rect class="paper" width="{width:g}" height="{height:g}" rx="8"/>'
    return "\n".join([head, f"<style>\n{STYLE}\n</style>", paper, *shapes, "</svg>", ""])


NAMES = {"vueltas": rounds, "parada": stopping, "matriz": matrix, "fuga": leak}
DRAWINGS = {f"dibujos/{name}.svg": draw(WORDS["es"]) for name, draw in NAMES.items()}
DRAWINGS |= {f"drawings/{draw.__name__}.svg": draw(WORDS["en"]) for draw in NAMES.values()}


def main() -> None:
    """Write them beside the statement."""
    for name, drawing in DRAWINGS.items():
        (FOLDER / name).parent.mkdir(exist_ok=True)
        (FOLDER / name).write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
