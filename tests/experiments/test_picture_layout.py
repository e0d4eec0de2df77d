"""Every text of the page's pictures is within the picture and on no other, also with many models
and long names.
"""

import itertools

import numpy as np
import pytest
from lanes import one_in
from matplotlib.figure import Figure
from matplotlib.text import Text

from practica.evaluation.comparison import Comparison
from practica.evaluation.curves import GRID, Curves
from practica.evaluation.model_scores import ModelScores
from practica.experiments import page

NAMES = (
    "ann:16,8",
    "network 16-8-4",
    "svm:C=1,kernel=rbf",
    "forest:n_estimators=500,max_depth=12",
    "averyveryveryverylongnamewithoutanybreak",
    "majority",
    "tree:max_depth=4",
    "knn:5",
    "logistic",
    "bayes",
)
LONG = ("not recurrent", "recurrent after surgery")


def comparison(models, classes=("a", "b"), far=False) -> Comparison:
    """Compare models that differ at random in ten folds; the last may be hopeless."""
    rng = np.random.default_rng(1)
    results = {}
    for name in NAMES[:models]:
        scores = (
            0.9 + 0.02 * rng.standard_normal((10, 3, 1)) - 0.6 * (far and name == NAMES[models - 1])
        )
        matrices = rng.integers(0, 40, size=(10, 3, len(classes), len(classes))).astype(float)
        curves = Curves(
            *(np.sort(rng.random((10, 3, len(GRID)))) for _ in "ab"), *rng.random((2, 10, 3))
        )
        results[name] = ModelScores(
            ("accuracy",),
            scores,
            np.arange(20) % 10 + 1,
            False,
            np.array(classes),
            matrices=matrices,
            curves=curves if len(classes) == 2 else None,
        )
    return Comparison(results)


@pytest.fixture
def figures(monkeypatch):
    """Collect the figures of the pictures in place of their files."""
    made = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **__: made.append(figure))
    return made


def page_text(compared: Comparison) -> str:
    """Make the page with all of its pictures."""
    shown = page.Contents(
        [], [], {"accuracy": (compared.differences("accuracy", region=0.01), 0.01)}
    )
    losses = {NAMES[0]: [(np.linspace(1, 0.1, 50), np.linspace(1, 0.3, 50))] * 3}
    return page.page_of(compared, ("accuracy",), ["t.csv: 20 patterns"], shown, (), losses)


def boxes(figure: Figure) -> dict[str, object]:
    """Return where each text is, in pixels.

    Of slanted ones an upright box that is too large marks its name with /.
    """
    figure.draw_without_rendering()
    hidden = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            outside = [tick for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high]
            hidden |= {tick.label1 for tick in outside} | (
                {*axes.findobj(Text)} if not axes.get_visible() else set()
            )
    texts = [
        text for text in figure.findobj(Text) if text.get_text().strip() and text.get_visible()
    ]
    return {
        f"{number}{'/' * bool(text.get_rotation() % 90)} {text.get_text()}": (
            text.get_window_extent()
        )
        for number, text in enumerate(texts)
        if text not in hidden
    }


@pytest.mark.parametrize(
    ("models", "classes", "far"),
    one_in(
        4,
        [
            (1, LONG, False),
            (2, ("a", "b", "c"), False),
            (2, ("setosa", "versicolor", "virginica"), False),
            (2, tuple(map(str, range(12))), False),
            (4, ("x" * 25, "y"), True),
            (5, ("a", "b"), False),
            (7, tuple("abcde"), True),
            (10, LONG, True),
        ],
    ),
)
def test_no_text_is_cut_off_or_covered(figures, models, classes, far):
    """At the sizes that the page has."""
    page_text(comparison(models, classes, far))
    assert len(figures) >= models + 2
    for figure in figures:
        places = boxes(figure)
        inside = figure.bbox.padded(1)
        beyond = [
            text
            for text, box in places.items()
            if not all(inside.contains(*corner) for corner in box.corners())
        ]
        assert beyond == []
        covered = [
            (one, other)
            for one, other in itertools.combinations(
                [name for name in places if "/" not in name], 2
            )
            if places[one].padded(-1.5).overlaps(places[other].padded(-1.5))
        ]
        assert covered == []
        # a matrix: what is in a cell stays in it
        for axes in (each for each in figure.axes if each.images):
            cell = axes.bbox.width / len(axes.get_yticks())
            outside = [
                text.get_text()
                for text in axes.texts
                if (
                    abs(text.get_window_extent().corners() - axes.transData.transform(text.xy))
                    > cell / 2
                ).any()
            ]
            assert outside == []
