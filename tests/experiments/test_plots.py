"""The pictures show the numbers that they are given, and refuse what they cannot show."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import practica
from practica import confusion_matrix, plot_confusion_matrix, plot_learning_curves, plot_metric
from practica.cli import main
from practica.evaluation.curves import GRID
from practica.experiments.comparison_plots import (
    draw_multiples,
    draw_panels,
    multiples_size,
    plot_curves,
)
from practica.experiments.drawing import FORMATS, format_of
from practica.reference.cross_validation import CrossValidation
from practica.reference.training import StoppingRule

LOSSES = st.lists(st.floats(0, 10, width=32), min_size=1, max_size=12)
SETTINGS = settings(derandomize=True, deadline=None, max_examples=40)


@pytest.fixture
def axes():
    """Axes of a figure that nobody shows."""
    return blank()


def blank():
    """Make axes without a window."""
    return Figure(figsize=(5, 4)).subplots()


def shown(ax) -> list[str]:
    """List what the legend says."""
    return [text.get_text() for text in ax.get_legend().get_texts()]


def cross_validation(scores, folds=None) -> CrossValidation:
    """Make a result of scores, shape (folds, executions, 7)."""
    scores = np.asarray(scores, dtype=float)
    return CrossValidation.of(
        scores, np.arange(1, len(scores) + 1) if folds is None else folds, ("a", "b")
    )


# --- Learning curves ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("validation", "test", "words"),
    [
        ([], [], ["training"]),
        ([0.9, 0.4, 0.5], [], ["training", "validation"]),
        (None, [0.9, 0.4, 0.5], ["training", "test"]),
        (np.array([0.9, 0.4, 0.5]), (0.8, 0.3, 0.6), ["training", "validation", "test"]),
    ],
)
def test_there_is_a_curve_for_each_set_that_there_was(axes, validation, test, words):
    """Lists, tuples, arrays and None alike; its values are the losses, from epoch 0 on."""
    ax = plot_learning_curves((None, [1.0, 0.5, 0.2], validation, test), ax=axes)
    assert ax is axes
    assert shown(ax) == words
    curves = {line.get_label(): line.get_xydata() for line in ax.get_lines()}
    for name, losses in zip(
        ("training", "validation", "test"), ([1.0, 0.5, 0.2], validation, test), strict=True
    ):
        if name in words:
            np.testing.assert_array_equal(curves[name], [*enumerate(losses)])


@pytest.mark.slow
@given(LOSSES, st.booleans())
@SETTINGS
def test_the_marked_epoch_is_that_of_the_network_that_training_returns(losses, validates):
    """As the rule of early stopping says: the first of the lowest validation losses, or the last
    epoch.
    """
    rule = StoppingRule(maxEpochs=100, minLoss=-1.0, maxEpochsVal=100)
    for loss in losses:
        rule.observe(1.0, loss if validates else None)
    ax = plot_learning_curves(
        (None, [1.0] * len(losses), losses if validates else [], []), ax=blank()
    )
    assert [text.get_text() for text in ax.texts] == [f"returned network:\nepoch {rule.best_epoch}"]
    assert [rule.best_epoch, losses[rule.best_epoch] if validates else 1.0] in [
        line.get_xydata()[0].tolist() for line in ax.get_lines() if len(line.get_xydata()) == 1
    ]


def test_a_trained_network_is_drawn_as_it_comes():
    """The named tuple of the reference needs no preparation."""
    inputs = np.random.default_rng(1).random((20, 2))
    trained = practica.train_class_ann(
        [2], (inputs, inputs[:, 0] > 0.5), maxEpochs=3, random_state=1
    )
    ax = plot_learning_curves(trained, lang="es", ax=blank())
    assert shown(ax) == ["entrenamiento"]
    assert ax.get_xlabel() == "ciclo"
    assert ax.texts[0].get_text() == "red devuelta:\nciclo 3"


@pytest.mark.parametrize(
    ("trained", "sentence"),
    [
        (([1.0], [1.0], [1.0]), "a training has 4 parts .*, not 3"),
        ((None, [], [], []), "there are no training losses to draw"),
        ((None, [1.0, 2.0], [1.0], []), "one value per epoch each, not training 2, validation 1"),
    ],
)
def test_what_is_no_training_is_refused(axes, trained, sentence):
    """One sentence says why."""
    with pytest.raises(ValueError, match=sentence):
        plot_learning_curves(trained, ax=axes)


# --- Confusion matrix -----------------------------------------------------------------------------


def test_the_cells_are_the_counts_and_the_rows_the_real_classes(axes):
    """Read from left to right and from above, as the matrix is printed."""
    real, predicted = ["cat", "dog", "dog", "bird"], ["cat", "cat", "cat", "bird"]
    result = confusion_matrix(predicted, real)
    ax = plot_confusion_matrix(result, ax=axes)
    assert [cell.get_text() for cell in ax.texts] == [str(count) for count in result.matrix.ravel()]
    assert [cell.xy for cell in ax.texts] == [
        (column, row) for row in range(3) for column in range(3)
    ]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["cat", "dog", "bird"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["cat", "dog", "bird"]
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("real class", "predicted class")
    assert ax.yaxis_inverted()


@pytest.mark.parametrize(
    "result", [[[3, 1], [0, 2]], (0.8, 0.2, 1.0, 0.75, 0.7, 1.0, 0.8, np.array([[3, 1], [0, 2]]))]
)
def test_a_matrix_and_the_tuple_of_eight_are_drawn_too(axes, result):
    """As the statement has them; the names come apart, or are numbers from 1."""
    ax = plot_confusion_matrix(result, ax=axes)
    assert [cell.get_text() for cell in ax.texts] == ["3", "1", "0", "2"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2"]
    ax = plot_confusion_matrix(result, classes=[False, True], ax=blank())
    assert [label.get_text() for label in ax.get_xticklabels()] == ["False", "True"]


def relative_luminance(colour) -> float:
    """Return the relative luminance of WCAG 2."""
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in colour
    ]
    return sum(
        weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True)
    )


@pytest.mark.thorough
@given(arrays(np.int64, (3, 3), elements=st.integers(0, 50)))
@SETTINGS
def test_every_count_can_be_read_on_its_cell(matrix):
    """With a contrast of 4.5 to 1 at least, whatever the shares are."""
    ax = plot_confusion_matrix(matrix, ax=blank())
    cells = np.asarray(ax.get_images()[0].get_array()).reshape(-1, 3)
    for text, cell in zip(ax.texts, cells, strict=True):
        dark, light = sorted(
            [relative_luminance(to_rgb(text.get_color())), relative_luminance(cell)]
        )
        assert (light + 0.05) / (dark + 0.05) >= 4.5


@pytest.mark.parametrize(
    ("matrix", "classes", "sentence"),
    [
        ([[1, 2, 3], [4, 5, 6]], None, r"shape \(C, C\).*, not \(2, 3\)"),
        ([1, 2], None, r"not \(2,\)"),
        ([[1, 0], [0, 1]], ["a"], "1 names of classes for 2 rows"),
    ],
)
def test_what_is_no_confusion_matrix_is_refused(axes, matrix, classes, sentence):
    """One sentence says why."""
    with pytest.raises(ValueError, match=sentence):
        plot_confusion_matrix(matrix, classes=classes, ax=axes)


# --- A metric of several models -------------------------------------------------------------------


def test_a_line_joins_the_values_of_a_fold_and_dots_are_the_executions(axes):
    """The value of a fold is the mean of its executions."""
    scores = np.random.default_rng(1).random((4, 3, 7))
    results = {"net": cross_validation(scores), "tree": cross_validation(scores[:, :1] / 2)}
    ax = plot_metric(results, "F1", ax=axes)
    lines = [line.get_xydata() for line in ax.get_lines() if len(line.get_xydata()) == 2][:4]
    for fold, line in enumerate(lines):
        np.testing.assert_allclose(
            line, [(0, scores[fold, :, 6].mean()), (1, scores[fold, 0, 6] / 2)]
        )
    (dots,) = [
        np.asarray(points.get_offsets())
        for points in ax.collections
        if len(points.get_offsets()) > 2
    ]
    np.testing.assert_array_equal(np.sort(dots[:, 1]), np.sort(scores[:, :, 6].ravel()))
    # the tree has one execution a fold: no dots but those of the lines
    assert np.all(np.abs(dots[:, 0]) < 0.2)


def test_the_values_of_the_practice_are_below_each_model(axes):
    """Mean and sample standard deviation over the folds, and the mark at the mean."""
    results = {"net": cross_validation(np.random.default_rng(2).random((5, 2, 7)))}
    ax = plot_metric(results, "recall", ax=axes)
    mean, std = results["net"].recall
    assert [label.get_text() for label in ax.get_xticklabels()] == [f"net\n{mean:.3f} ± {std:.3f}"]
    (container,) = ax.containers
    np.testing.assert_allclose(container.lines[0].get_ydata(), [mean])
    (bar,) = container.lines[2][0].get_segments()
    np.testing.assert_allclose(bar[:, 1], [mean - std, mean + std])
    assert ax.get_ylabel() == "recall"


def test_plain_arrays_are_drawn_too(axes):
    """Values by fold, or by fold and execution; the words are Spanish where asked for."""
    ax = plot_metric(
        {"red": [[0.9, 0.8], [0.7, 0.6]], "kNN": np.array([0.5, 0.4])}, lang="es", ax=axes
    )
    assert shown(ax) == ["una vuelta", "una ejecución", "media ± desviación típica de las vueltas"]
    assert [label.get_text() for label in ax.get_xticklabels()] == [
        "red\n0.750 ± 0.141",
        "kNN\n0.450 ± 0.071",
    ]


@pytest.mark.parametrize(
    ("results", "metric", "sentence"),
    [
        ({}, "F1", "there are no models"),
        (
            {"net": cross_validation(np.ones((2, 1, 7)))},
            "AUC",
            "there is no metric 'AUC'; the metrics are accuracy, ",
        ),
        ({"a": [0.1, 0.2], "b": [0.1]}, "F1", "'a' has 2, 'b' has 1"),
        ({"a": 0.5}, "F1", r"the values of 'a' have shape .*, not \(\)"),
        (
            {
                name: cross_validation(np.ones((2, 1, 7)), folds)
                for name, folds in [("a", [1, 2]), ("b", [2, 1])]
            },
            "F1",
            "'a' and 'b' were tested on different partitions into 2 folds",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(axes, results, metric, sentence):
    """One sentence says why."""
    with pytest.raises(ValueError, match=sentence):
        plot_metric(results, metric, ax=axes)


# --- Files, words and matplotlib ------------------------------------------------------------------

SIGNATURES = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.slow
@pytest.mark.parametrize("format", FORMATS)
def test_a_picture_is_written_in_each_format(tmp_path, format):
    """The ending of the file says which."""
    path = tmp_path / f"scores.{format}"
    with path.open("wb") as file:
        draw_panels(
            {"accuracy": {"net": np.ones((3, 2))}, "F1": {"net": np.ones((3, 2))}},
            file,
            format_of(path),
        )
    assert path.read_bytes().startswith(SIGNATURES[format])


@pytest.fixture
def table(tmp_path) -> Path:
    """Write a table of 24 patterns and two classes."""
    path = tmp_path / "flowers.csv"
    path.write_text(
        "height,kind\n"
        + "".join(f"{i * 7 % 24},{'rose' if i % 2 else 'daisy'}\n" for i in range(24))
    )
    return path


def cv(*arguments):
    """Run `practica cv` with two small models."""
    tiny = ["--models", "knn,tree", "--folds", "3", "--target", "kind", "--seed", "1"]
    return CliRunner().invoke(main, ["cv", *map(str, arguments), *tiny])


def test_cv_draws_a_picture_beside_its_table(table, tmp_path):
    """With `--plot`."""
    done = cv(table, "--plot", tmp_path / "out.PNG")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out.PNG").read_bytes().startswith(SIGNATURES["png"])


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("out.txt", "does not end in the name of a picture's format: png, svg, pdf"),
        ("no/out.png", "cannot be written"),
    ],
)
def test_cv_refuses_a_picture_before_it_computes(table, tmp_path, name, sentence):
    """With one sentence, and nothing on the screen or in the folder."""
    done = cv(table, "--plot", tmp_path / name)
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["flowers.csv"]


def test_without_matplotlib_one_sentence_names_the_extra(table, tmp_path, monkeypatch):
    """In the library and on the command line."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'practica\[plots\]'"):
        plot_metric({"a": [0.1, 0.2]})
    done = cv(table, "--plot", tmp_path / "out.png")
    assert done.exit_code == 2
    assert (
        done.stderr
        == "Error: pictures need matplotlib, which comes with: pip install 'practica[plots]'\n"
    )


def test_matplotlib_is_imported_by_the_first_picture():
    """In a fresh interpreter the names alone cost nothing; nor do they need the reference."""
    program = (
        "import sys, practica; practica.plot_metric; "
        "print(*sys.modules.keys() & {'matplotlib', 'torch', 'sklearn', 'practica.reference'})"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_words_there_are_not_are_refused(axes):
    """With the languages that there are."""
    with pytest.raises(ValueError, match="there are no words in 'fr'; the languages are en, es"):
        plot_learning_curves((None, [1.0], [], []), lang="fr", ax=axes)


@pytest.mark.parametrize(("hopeless", "arrow"), [(0.3, "{}\n↓"), (5.0, "↑\n{}")])
def test_one_hopeless_model_does_not_flatten_the_others(hopeless, arrow):
    """It is beyond the edge, where an arrow has its values; its figures stay below it; close models
    all stay.
    """
    close = {"a": [0.90, 0.92], "b": [0.91, 0.93], "c": [0.88, 0.90]}
    low, high = plot_metric(close).get_ylim()
    ax = plot_metric({**close, "hopeless": [hopeless, hopeless]})
    assert ax.get_ylim()[1] - ax.get_ylim()[0] < 2 * (high - low)
    assert [text.get_text() for text in ax.texts] == [arrow.format(f"{hopeless:.3f}")]
    assert f"{hopeless:.3f} ± 0.000" in ax.get_xticklabels()[3].get_text()
    assert not plot_metric(close).texts


def test_curves_without_values_are_left_out(axes):
    """A fold has none without positives."""
    curves = {"a": np.stack([GRID, np.full(101, np.nan)]).reshape(2, 1, 101)}
    plot_curves(curves, "precision", areas={"a": [[0.5], [np.nan]]}, chance=0.3, ax=axes)
    assert shown(axes) == ["a, AP 0.500"]
    np.testing.assert_allclose(axes.get_lines()[-1].get_ydata(), GRID)


def test_every_value_beyond_the_edge_is_in_the_text_of_an_arrow(axes):
    """The lowest and the highest of them.

    What the same model has within the picture is drawn where it is.
    """
    close = {"a": [0.90, 0.92, 0.91], "b": [0.91, 0.93, 0.92], "c": [0.88, 0.90, 0.89]}
    ax = plot_metric({**close, "wild": [0.9, -4000.0, 0.2]}, "r2", ax=axes)
    low, high = ax.get_ylim()
    assert [text.get_text() for text in ax.texts] == ["-4000…0.200\n↓"]
    assert 0.86 < low < 0.88
    assert 0.93 < high < 0.95
    assert ax.texts[0].get_position()[0] == 3


def test_a_few_models_or_one_bad_fold_of_all_need_no_arrow(axes):
    """Nothing is hidden where two models would share what is left, or all of them are spread
    alike.
    """
    assert not plot_metric({"a": [0.9, 0.91], "b": [0.1, 0.11]}, ax=axes).texts
    assert not plot_metric({name: [0.9, -3.0] for name in "abcd"}, ax=blank()).texts


def test_percentages_are_those_of_the_row_below_the_counts(axes):
    """A cell without patterns has none; the counts are the same with them and without them."""
    ax = plot_confusion_matrix([[3, 1, 0], [0, 0, 0], [1, 1, 6]], percentages=True, ax=axes)
    cells: dict[tuple[float, float], list[str]] = {}
    for text in ax.texts:
        cells.setdefault(text.xy if hasattr(text, "xy") else text.get_position(), []).append(
            text.get_text()
        )
    assert [cells[column, 0] for column in range(3)] == [["3", "75.0%"], ["1", "25.0%"], ["0"]]
    assert [cells[column, 1] for column in range(3)] == [["0"], ["0"], ["0"]]
    assert [cells[column, 2] for column in range(3)] == [
        ["1", "12.5%"],
        ["1", "12.5%"],
        ["6", "75.0%"],
    ]


@pytest.mark.parametrize("size", [2, 3, 5, 8, 30])
def test_percentages_stay_within_their_cells(size):
    """Where there is no room for a size that can be read there are none."""
    figure = Figure(figsize=(4, 4), layout="constrained")
    ax = plot_confusion_matrix(np.full((size, size), 100), percentages=True, ax=figure.subplots())
    figure.draw_without_rendering()
    texts = [text.get_window_extent() for text in ax.texts]
    assert len(texts) in (size**2, 2 * size**2)
    assert (len(texts) > size**2) == (size <= 8)
    cell = ax.transData.transform([[0, 0], [1, 1]])
    assert max(box.width for box in texts) <= abs(cell[1] - cell[0])[0] * 1.02
    for one, other in zip(texts[::2], texts[1::2], strict=True) if len(texts) > size**2 else ():
        assert not one.overlaps(other)


def test_several_models_have_no_bands_but_a_panel_each(axes):
    """The legend has their areas.

    A panel has one band, its own mean in front and all the others in grey.
    """
    rng = np.random.default_rng(1)
    curves = {name: np.sort(rng.random((3, 2, 101)), axis=2) for name in "abcde"}
    areas = {name: curve.mean(axis=2) for name, curve in curves.items()}
    options = {"kind": "roc", "areas": areas, "chance": 0.5}
    plot_curves(curves, **options, ax=axes)
    assert not axes.collections
    for name, label in zip("abcde", shown(axes), strict=True):
        of_folds = areas[name].mean(axis=1)
        assert label == f"{name}, AUC {of_folds.mean():.3f} ± {of_folds.std(ddof=1):.3f}"
    # which a grey print shows too
    assert len({str(line._dash_pattern) for line in axes.get_lines()[1:]}) == 5
    figure = Figure(figsize=multiples_size(5), layout="constrained")
    draw_multiples(figure, curves, **options)
    panels = [panel for panel in figure.axes if panel.get_visible()]
    assert [panel.get_title().split("\n")[0] for panel in panels] == list("abcde")
    for name, panel in zip("abcde", panels, strict=True):
        assert len(panel.collections) == 1
        np.testing.assert_allclose(
            panel.get_lines()[-1].get_ydata(), curves[name].mean(axis=(0, 1))
        )
        assert len(panel.get_lines()) == 1 + 5 + 1  # chance, all means in grey, and its own
    alone = blank()
    plot_curves({"a": curves["a"]}, **options, ax=alone)
    assert len(alone.collections) == 1
