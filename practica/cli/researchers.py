"""Commands of researchers and teachers: evaluate models on their data."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from practica.cli.options import refusing

__all__ = ["COMMANDS"]

EXECUTIONS = 50  # networks per fold: the statement asks for "at least some 50"


def as_sizes(_context: click.Context, _option: click.Parameter, value: str) -> tuple[int, ...]:
    """Turn "16,8" into (16, 8), and "" into a network without hidden layers."""
    try:
        sizes = tuple(int(size) for size in value.split(",")) if value.strip() else ()
    except ValueError:
        sizes = (0,)
    if min(sizes, default=1) < 1:
        raise click.BadParameter(f"{value!r} is not a list of layer sizes such as 16,8")
    return sizes


def as_names(_context: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
    """Turn "ann,knn" into ("ann", "knn"), each name once."""
    names = tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))
    if not names:
        raise click.BadParameter(f"{value!r} names nothing")
    return names


def network_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that `demo` and `cv` share."""
    options = (
        click.option(
            "--topology", metavar="SIZES", callback=as_sizes, default="8", help="Hidden layers, such as 16,8."
        ),
        click.option("--folds", type=click.IntRange(min=2), default=10, help="Parts of the cross-validation."),
        click.option(
            "--executions", type=click.IntRange(min=1), default=EXECUTIONS, help="Networks per fold (numExecutions)."
        ),
        click.option(
            "--epochs", type=click.IntRange(min=0), default=1000, help="Epochs of a network at most (maxEpochs)."
        ),
        click.option(
            "--validation-ratio",
            type=click.FloatRange(0, 1),
            default=0.2,
            help="Fraction of all patterns kept for early stopping, 0 for none (validationRatio).",
        ),
        click.option(
            "--patience",
            type=click.IntRange(min=0),
            default=20,
            help="Epochs without a lower validation loss that end a training (maxEpochsVal).",
        ),
        click.option(
            "--learning-rate",
            type=click.FloatRange(min=0, min_open=True),
            default=0.01,
            help="Step of Adam (learningRate).",
        ),
    )

    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@network_options
@click.option("--seed", type=click.IntRange(min=0), default=1, help="The same seed gives the same table.")
def demo(**options: Any) -> None:
    """Compare a network, kNN, an SVM and a tree on two data sets.

    They are Iris and breast cancer, as scikit-learn ships them. All models are tested on the same stratified folds.
    """
    from practica import console, experiment, tables

    settings = experiment.Settings(normalization="zeromean", **options)
    models = experiment.known_models(settings)
    for name in tables.SHIPPED:
        with refusing(), console.warnings_as_lines():
            table = tables.shipped(name)
            console.print_heading(table, settings)
            with console.progress_bar() as progress:
                result = experiment.run(table, settings, models, progress)
            console.print_results(result)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path))
@click.option("--target", required=True, metavar="COLUMN", help="Column with the class of each pattern.")
@click.option("--ignore", multiple=True, metavar="COLUMN", help="Column to leave out; may be repeated.")
@click.option(
    "--models",
    metavar="NAMES",
    callback=as_names,
    default="ann,knn,svm,tree",
    help="Models to compare on the same folds.",
)
@network_options
@click.option(
    "--normalize",
    type=click.Choice(["zeromean", "minmax", "none"]),
    default="zeromean",
    help="Normalization of the attributes, from the training part of each fold.",
)
@click.option("--seed", type=click.IntRange(min=0), help="The same seed gives the same table.  [default: drawn, shown]")
@click.option(
    "--json",
    "record",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="OUT",
    help="Write every score, the folds and the settings to this file.",
)
@click.option(
    "--plot",
    "picture",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="OUT",
    help="Draw accuracy and F1 of each model, fold by fold, to this png, svg or pdf file.",
)
@click.option("--separator", default=",", help='Character between the values; "tab" for a tabulator.')
@click.option("--decimal", type=click.Choice([".", ","]), default=".", help="Decimal mark of the numbers.")
@click.option("--encoding", default="utf-8", help="Encoding of the file.")
def cv(
    file: Path,
    target: str,
    ignore: tuple[str, ...],
    models: tuple[str, ...],
    normalize: str,
    seed: int | None,
    record: Path | None,
    picture: Path | None,
    separator: str,
    decimal: str,
    encoding: str,
    **options: Any,
) -> None:
    """Cross-validate models on the patterns of a CSV FILE.

    The file has a header. Columns of numbers are attributes as they are, columns of text are one-hot encoded; values
    must not be missing. Of two classes the first to appear is the positive one.
    """
    from practica import console, experiment, plots, records, tables

    settings = experiment.Settings(
        normalization=None if normalize == "none" else normalize,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        **options,
    )
    with refusing(), console.warnings_as_lines():
        chosen = experiment.chosen_models(models, settings)
        table = tables.read_csv(file, target, ignored=ignore, separator=separator, decimal=decimal, encoding=encoding)
        with records.opened(record, data=file) as output, plots.opened(picture, data=file) as canvas:
            console.print_heading(table, settings)
            with console.progress_bar() as progress:
                result = experiment.run(table, settings, chosen, progress)
            console.print_results(result)
            records.write(result, output)
            plots.save_metrics({outcome.model.title: outcome.result for outcome in result.outcomes.values()}, canvas)


COMMANDS = (demo, cv)
