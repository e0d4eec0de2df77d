"""Commands of researchers and teachers: evaluate models on their data."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from practica.cli.options import AT_LEAST_0, AT_LEAST_1, FILE, Decorator, output, refusing
from practica.experiments.choices import (
    EXECUTIONS,
    FILES,
    FOLDS,
    MISSING,
    MODELS,
    NORMALIZED,
    PACKED,
    SHIPPED,
    SHOWN,
    Choices,
    Reading,
)
from practica.experiments.drawing import FORMATS


def one_of(names: Sequence[str], last: str = "or") -> str:
    """Return names as a sentence lists them."""
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


DATA = f"{one_of(FILES)}, which may be packed ({one_of(PACKED)}); - for standard input;"
SETS = ", ".join(SHIPPED)


def with_facts(command: Callable[..., None]) -> Callable[..., None]:
    """Fill in the facts that the help of a command, its docstring, names in braces."""
    titles = one_of([SHIPPED[name] for name in SHOWN], "and")
    command.__doc__ = str(command.__doc__).format(data=DATA, sets=SETS, shown=titles)
    return command


def as_sizes(_context: click.Context, _option: click.Parameter, value: str) -> tuple[int, ...]:
    """Turn "16,8" into (16, 8), and "" into a network without hidden layers."""
    try:
        sizes = tuple(int(size) for size in value.split(",")) if value.strip() else ()
    except ValueError:
        sizes = (0,)
    if min(sizes, default=1) < 1:
        raise click.BadParameter(f"{value!r} is not a list of layer sizes such as 16,8")
    return sizes


def as_names(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> tuple[str, ...]:
    """Turn "ann,knn" into ("ann", "knn"), each name once."""
    names = tuple(dict.fromkeys(name.strip() for name in (value or "").split(",") if name.strip()))
    if value is not None and not names:
        raise click.BadParameter(f"{value!r} names nothing")
    return names


TOPOLOGY = click.option(
    "--topology",
    metavar="SIZES",
    callback=as_sizes,
    default="8",
    help="Hidden layers, such as 16,8.",
)
OF_FOLDS = functools.partial(
    click.option, "--folds", type=click.IntRange(min=2), help="Number of folds."
)
REPEATS = functools.partial(
    click.option,
    "--repeats",
    type=AT_LEAST_1,
    help="Cross-validations, each on new folds; mean and std are those of all the folds.",
)
SEED = functools.partial(
    click.option, "--seed", type=AT_LEAST_0, help="The same seed gives the same table."
)


def several(*options: Decorator) -> Decorator:
    """Return a decorator that adds several options in this order."""
    return lambda command: functools.reduce(
        lambda decorated, option: option(decorated), reversed(options), command
    )


TARGET = click.option(
    "--target", metavar="COLUMN", help="Column of the file with the class or quantity to predict."
)


def OF_MODELS(**words: Any) -> Decorator:
    """Return the options that name models: each for itself, or names without parameters in one
    list.
    """
    return several(
        click.option("--model", multiple=True, metavar="MODEL", **words),
        click.option(
            "--models",
            metavar="NAMES",
            callback=as_names,
            help=f"Names of models, as {','.join(MODELS[:3])}.",
        ),
    )


TRAINING = several(
    click.option(
        "--executions",
        type=AT_LEAST_1,
        default=EXECUTIONS,
        help="Networks per fold (numExecutions).",
    ),
    click.option(
        "--epochs",
        "maxEpochs",
        type=AT_LEAST_0,
        default=1000,
        help="Maximum number of epochs of a network (maxEpochs).",
    ),
    click.option(
        "--validation-ratio",
        "validationRatio",
        type=click.FloatRange(0, 1),
        default=0.2,
        help="Fraction of all patterns set aside for early stopping; 0 for none (validationRatio).",
    ),
    click.option(
        "--patience",
        "maxEpochsVal",
        type=AT_LEAST_0,
        default=20,
        help=(
            "Stop a training after this many epochs without a lower validation loss (maxEpochsVal)."
        ),
    ),
    click.option(
        "--learning-rate",
        "learningRate",
        type=click.FloatRange(min=0, min_open=True),
        default=0.01,
        help="Learning rate of Adam (learningRate).",
    ),
    click.option(
        "--device",
        type=click.Choice(["cpu", "cuda"]),
        default="cpu",
        help="Where networks are trained: on the processors, or on a GPU (cuda).",
    ),
)

NORMALIZE = click.option(
    "--normalize",
    type=click.Choice([*NORMALIZED, "none"]),
    default="zeromean",
    callback=lambda _context, _option, value: None if value == "none" else value,
    help="Normalization of the attributes, with parameters from the training part of each fold.",
)

READING = several(
    click.option(
        "--ignore",
        multiple=True,
        metavar="COLUMN",
        help="Leave out this column; may be repeated.",
    ),
    click.option("--separator", default=",", help='Character between values; "tab" for a tab.'),
    click.option(
        "--decimal", type=click.Choice([".", ","]), default=".", help="Decimal mark of numbers."
    ),
    click.option(
        "--thousands",
        metavar="MARK",
        help="Mark between groups of three digits, such as ',' in 1,234.5.",
    ),
    click.option("--encoding", default="utf-8", help="Encoding of the file."),
    click.option("--sheet", metavar="NAME", help="Sheet of an Excel file that has several."),
    click.option(
        "--header/--no-header",
        default=None,
        show_default="a header, refused if it looks like data",
        help=(
            "The first line has names, even if it looks like data; or none, and the columns are"
            " named 1, 2, 3, ..."
        ),
    ),
    click.option(
        "--missing",
        multiple=True,
        metavar="TEXT",
        show_default=", ".join(MISSING),
        help="Text that means a missing value, as an empty cell always does; may be repeated.",
    ),
    click.option(
        "--impute",
        is_flag=True,
        help=(
            "Fill missing values with the median or the most frequent category of each training"
            " part, and add a column that marks them."
        ),
    ),
    click.option(
        "--positive",
        metavar="LABEL",
        help="The positive class of two. By default 1, yes or true, otherwise the first to appear.",
    ),
    click.option(
        "--groups",
        metavar="COLUMN",
        help="Keep rows with the same value, such as a patient, in one fold.",
    ),
    click.option(
        "--time",
        metavar="COLUMN",
        help="Test each stretch of time with models trained on the earlier ones.",
    ),
)


RECORD = several(
    output(
        "--json",
        "Write every score, the folds and the settings to this file, after each model. What is"
        " there of the same experiment is not trained again.",
    ),
    click.option(
        "--overwrite",
        is_flag=True,
        help="Replace the file of --json if it is of another experiment.",
    ),
)
PAGE = output("--html", "Write tables and pictures (metrics, ROC, confusion, losses) as one page.")
OF_NETWORKS = ("maxEpochs", "validationRatio", "maxEpochsVal", "learningRate")
OF_ONE_TABLE = ("folds_file", "save_folds", "rope", "plot")


def taken(options: dict[str, object], names: Iterable[str]) -> dict[str, Any]:
    """Remove the named options from those of a command, and return them."""
    return {name: options.pop(name) for name in names}


def choices_of(options: dict[str, Any]) -> Choices:
    """Return what a user chose, from all options of a command but those that read a table."""
    network = taken(options, OF_NETWORKS)
    names = options.pop("models", ())
    return Choices(network=network, model=options.pop("model", MODELS[:4]) + names, **options)


def reading_of(options: dict[str, Any]) -> Reading:
    """Return how a user wants a table to be read, and remove that from all options of a command."""
    names = {field.name for field in dataclasses.fields(Reading)}
    return Reading(**taken(options, names & options.keys()))


def reading(data: str | Path, target: str | None, how: Reading) -> Any:
    """Read a table at once, before anything larger than pandas is imported, so that its errors show
    soon.
    """
    from practica.console import interruptible
    from practica.experiments import tables

    return interruptible(lambda: tables.load(str(data), target, how))


@click.command()
@TOPOLOGY
@OF_FOLDS(default=FOLDS)
@TRAINING
@SEED(default=1)
@with_facts
def demo(**options: Any) -> None:
    """Compare a network, kNN, an SVM and a tree on two data sets.

    The data sets are {shown}, from scikit-learn. All models are tested on the same stratified
    folds.
    """
    from practica.console import ending_at_sigterm, warnings_as_lines
    from practica.experiments import experiment, tables

    choices = choices_of(options)
    for name in SHOWN:
        with refusing(), warnings_as_lines(), ending_at_sigterm():
            experiment.show_metrics(tables.shipped(name), choices)


@click.command()
@click.argument("data")
@TARGET
@READING
@OF_MODELS(
    show_default=one_of(MODELS, "and"),
    help=(
        f"{'  '.join(MODELS)}, or any model of `compare`, such as knn:3 or"
        " svm:C=1,kernel=rbf; may be repeated."
    ),
)
@TOPOLOGY
@OF_FOLDS(default=FOLDS)
@REPEATS(default=1)
@TRAINING
@NORMALIZE
@SEED(show_default="drawn, shown")
@click.option(
    "--metric",
    multiple=True,
    metavar="NAME",
    help=(
        "A scikit-learn scorer to add to the seven metrics, such as f1_macro, matthews_corrcoef or "
        "balanced_accuracy; may be repeated."
    ),
)
@RECORD
@output(
    "--plot",
    f"Draw the accuracy and F1 of each model, fold by fold, to this {one_of(FORMATS)} file.",
)
@PAGE
@with_facts
def cv(data: str, target: str | None, **options: Any) -> None:
    """Cross-validate models on the patterns of DATA.

    DATA is {data} or the name of a data set: {sets}.

    The file has a header, unless --no-header is given. Numeric columns are used unchanged, and text
    columns are one-hot encoded. Missing values need --impute.

    The result is a table of the seven metrics. To test which differences are real, use `compare`.
    """
    from practica.console import ending_at_sigterm, warnings_as_lines

    with refusing(), warnings_as_lines(), ending_at_sigterm():
        how, choices = reading_of(options), choices_of(options)
        model = tuple(dict.fromkeys(choices.model)) or MODELS
        choices = dataclasses.replace(choices, model=model)
        table = reading(data, target, _wanted_by(model, how, choices.folds or FOLDS))
        from practica.experiments import experiment

        experiment.show_metrics(table, choices, Path(data))


def _wanted_by(models: Sequence[str], how: Reading, least: int) -> Reading:
    """Return how some models, given as text, want a table to be read, with `least` patterns in some
    class. The user's own models take text as it is.
    """
    own = [text for text in models if "=" in text.partition(":")[0]]
    encoded = [text for text in models if text not in own]
    return dataclasses.replace(how, least=least, encoded=encoded, whole=bool(own))


@click.command()
@click.argument("data", required=False)
@click.option(
    "--data",
    "many",
    multiple=True,
    metavar="DATA",
    help=(
        "One of several tables, in place of DATA; FILE:COLUMN if its target is not --target. Repeat"
        " it for each."
    ),
)
@click.option(
    "--suite", is_flag=True, help="The four data sets that need no file, in place of DATA."
)
@TARGET
@READING
@OF_MODELS(
    help=(
        "ann:16,8  knn:5  svm:C=1,kernel=rbf  tree:max_depth=4  forest  logistic  bayes  majority;"
        " to predict quantities, annr:16,8  linear  mean; or NAME=package.module:function, a"
        " function that returns any estimator; may be repeated."
    )
)
@OF_FOLDS(show_default=str(FOLDS))
@REPEATS(show_default="1")
@click.option(
    "--folds-file",
    type=FILE,
    metavar="FILE",
    help="Test on the folds in this file, in place of --folds and --repeats.",
)
@click.option(
    "--save-folds",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="OUT",
    help=(
        "Write the folds to this file. If it exists, its folds are used again and never"
        " overwritten."
    ),
)
@TRAINING
@NORMALIZE
@SEED(show_default="drawn, shown")
@click.option(
    "--metric",
    multiple=True,
    metavar="NAME",
    show_default="accuracy, r2",
    help=(
        "One of the practice's seven metrics, or a scikit-learn scorer; repeat it for a table of"
        " each."
    ),
)
@click.option(
    "--reference",
    metavar="MODEL",
    show_default="the best, with p adjusted for all pairs",
    help="The model that all others are tested against. Name it before you see the scores.",
)
@click.option(
    "--rope",
    type=click.FloatRange(min=0),
    show_default="0.01, or 1 % of the reference's score for a metric with a unit",
    help="Region of practical equivalence: the largest difference that counts as none.",
)
@output("--csv", "Write every score to this file: table, model, fold, execution, metric, score.")
@output("--markdown", "Write the tables as Markdown.")
@output("--latex", "Write the tables as LaTeX.")
@RECORD
@output(
    "--plot",
    f"Draw the metric of each model, fold by fold, to this {one_of(FORMATS)} file.",
)
@PAGE
@with_facts
def compare(
    data: str | None, target: str | None, many: tuple[str, ...], suite: bool, **options: Any
) -> None:
    """Compare models on the same folds, and test which differences are real.

    DATA is {data} or the name of a data set: {sets}. It is read as by `cv`.

    The first table has the mean ± std of each model, and how much of its spread comes from folds
    and executions. The second one has, for each model against --reference or the best, the
    corrected t-test and the probabilities of being worse, practically equal and better. The same
    seed gives the same folds; --save-folds keeps them for later models.

    With several tables (--data a.csv --data b.csv, or --suite), the tests are those for many
    tables: Friedman, and Wilcoxon with Holm.
    """
    from practica.console import ending_at_sigterm, warnings_as_lines
    from practica.evaluation import specs

    with refusing(), warnings_as_lines(), ending_at_sigterm():
        how, choices = reading_of(options), choices_of(options)
        if not choices.model:
            raise click.UsageError("give models: --model ann:8 --model knn:5")
        folds = (choices.folds or FOLDS) if choices.folds_file is None else 2
        how = _wanted_by(choices.model, how, folds)
        of_quantities = (
            text.partition(":")[0].strip() in specs.OF_QUANTITIES for text in choices.model
        )
        how = dataclasses.replace(how, quantity=how.whole or any(of_quantities))
        if sum(map(bool, (data, many, suite))) != 1:
            raise click.UsageError("give one table, or --data for each of many, or --suite")
        if data is None:
            _compare_on_many(many, target, how, choices)
            return
        table = reading(data, target, how)
        from practica.experiments import experiment

        experiment.show_differences(table, choices, Path(data))


def _compare_on_many(
    many: tuple[str, ...], target: str | None, how: Reading, choices: Choices
) -> None:
    """Read all tables, and then compare the models on each of them."""
    from practica.experiments.tables import named, naming

    for name in OF_ONE_TABLE:
        if getattr(choices, name) is not None:
            raise click.UsageError(f"--{name.replace('_', '-')} is for a single table")
    tables = {}
    for text in many or SHIPPED:
        name, own_target = named(text, target)
        if name in tables:
            raise click.UsageError(f"{name} is given twice")
        with naming(name):
            tables[name] = reading(name, own_target, how)
    from practica.experiments.many_tables import show_suite

    show_suite(tables, choices)


COMMANDS = (demo, cv, compare)
