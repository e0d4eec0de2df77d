"""Commands of researchers and teachers: evaluate models on their data."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from practica.cli.options import AT_LEAST_0, AT_LEAST_1, FILE, Decorator, output, refusing

DEFAULT_MODELS = ("ann", "knn", "svm", "tree", "majority")
EXECUTIONS = 50  # networks per fold: the statement requires "at least some 50"


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
FOLDS = click.option("--folds", type=click.IntRange(min=2), default=10, help="Number of folds.")
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


def MODELS(**words: Any) -> Decorator:
    """Return the options that name models: each for itself, or names without parameters in one
    list.
    """
    return several(
        click.option("--model", "texts", multiple=True, metavar="MODEL", **words),
        click.option(
            "--models",
            "names",
            metavar="NAMES",
            callback=as_names,
            help="Names of models, as ann,knn,svm.",
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
    "normalization",
    type=click.Choice(["zeromean", "minmax", "none"]),
    default="zeromean",
    callback=lambda _context, _option, value: None if value == "none" else value,
    help="Normalization of the attributes, with parameters from the training part of each fold.",
)

READING = several(
    click.option(
        "--ignore",
        "ignored",
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
        show_default="?, NA, N/A, nan, null",
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
        "record",
        "Write every score, the folds and the settings to this file, after each model. What is"
        " there of the same experiment is not trained again.",
    ),
    click.option(
        "--overwrite",
        is_flag=True,
        help="Replace the file of --json if it is of another experiment.",
    ),
)
OF_NETWORKS = ("maxEpochs", "validationRatio", "maxEpochsVal", "learningRate")
OF_FILES = (
    *("ignored", "separator", "decimal", "thousands", "encoding", "sheet", "header", "missing"),
    *("impute", "positive", "groups", "time"),
)


def taken(options: dict[str, object], names: tuple[str, ...]) -> dict[str, Any]:
    """Remove the named options from those of a command, and return them."""
    return {name: options.pop(name) for name in names}


def reading(data: str | Path, target: str | None, **options: Any) -> Any:
    """Read a table at once, before anything larger than pandas is imported, so that its errors show
    soon.
    """
    from practica.console import interruptible
    from practica.experiments import tables

    return interruptible(lambda: tables.load(str(data), target, **options))


@click.command()
@TOPOLOGY
@FOLDS
@TRAINING
@SEED(default=1)
def demo(**options: Any) -> None:
    """Compare a network, kNN, an SVM and a tree on two data sets.

    The data sets are Iris and breast cancer, from scikit-learn. All models are tested on the same
    stratified folds.
    """
    from practica.console import ending_at_sigterm, warnings_as_lines
    from practica.experiments import experiment, tables

    options["network"] = taken(options, OF_NETWORKS)
    for name in ("iris", "breast_cancer"):
        with refusing(), warnings_as_lines(), ending_at_sigterm():
            experiment.show_metrics(tables.shipped(name), normalization="zeromean", **options)


@click.command()
@click.argument("data")
@TARGET
@READING
@MODELS(
    show_default="ann, knn, svm, tree and majority",
    help=(
        "ann  knn  svm  tree  majority, or any model of `compare`, such as knn:3 or"
        " svm:C=1,kernel=rbf; may be repeated."
    ),
)
@TOPOLOGY
@FOLDS
@REPEATS(default=1)
@TRAINING
@NORMALIZE
@SEED(show_default="drawn, shown")
@click.option(
    "--metric",
    "also",
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
    "picture",
    "Draw the accuracy and F1 of each model, fold by fold, to this png, svg or pdf file.",
)
@output(
    "--html", "page", "Write tables and pictures (metrics, ROC, confusion, losses) as one page."
)
def cv(
    data: str, target: str | None, texts: tuple[str, ...], names: tuple[str, ...], **options: Any
) -> None:
    """Cross-validate models on the patterns of DATA.

    DATA is a CSV file, - for standard input, or the name of a data set: iris, breast_cancer, wine,
    digits.

    The file has a header, unless --no-header is given. Numeric columns are used unchanged, and text
    columns are one-hot encoded. Missing values need --impute.

    The result is a table of the seven metrics. To test which differences are real, use `compare`.
    """
    from practica.console import ending_at_sigterm, warnings_as_lines

    with refusing(), warnings_as_lines(), ending_at_sigterm():
        wanted = tuple(dict.fromkeys(texts + names)) or DEFAULT_MODELS
        table = reading(
            data, target, **taken(options, OF_FILES), **_wanted(wanted, options["folds"])
        )
        from practica.experiments import experiment

        experiment.show_metrics(
            table, wanted, data=Path(data), network=taken(options, OF_NETWORKS), **options
        )


def _wanted(texts: Sequence[str], folds: int) -> dict[str, Any]:
    """Return what some models need of a table: their names, and whether the user's own models,
    which take texts as they are, are among them.
    """
    own = [text for text in texts if "=" in text.partition(":")[0]]
    return {
        "folds": folds,
        "encoded": [text for text in texts if text not in own],
        "whole": bool(own),
    }


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
@MODELS(
    help=(
        "ann:16,8  knn:5  svm:C=1,kernel=rbf  tree:max_depth=4  forest  logistic  bayes  majority;"
        " to predict quantities, annr:16,8  linear  mean; or NAME=package.module:function, a"
        " function that returns any estimator; may be repeated."
    )
)
@click.option("--folds", type=click.IntRange(min=2), show_default="10", help="Number of folds.")
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
    "metrics",
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
    "region",
    type=click.FloatRange(min=0),
    show_default="0.01, or 1 % of the reference's score for a metric with a unit",
    help="Region of practical equivalence: the largest difference that counts as none.",
)
@output(
    "--csv", "csv", "Write every score to this file: table, model, fold, execution, metric, score."
)
@output("--markdown", "markdown", "Write the tables as Markdown.")
@output("--latex", "latex", "Write the tables as LaTeX.")
@RECORD
@output(
    "--plot",
    "picture",
    "Draw the metric of each model, fold by fold, to this png, svg or pdf file.",
)
@output(
    "--html", "page", "Write tables and pictures (metrics, ROC, confusion, losses) as one page."
)
def compare(
    data: str | None,
    target: str | None,
    many: tuple[str, ...],
    suite: bool,
    texts: tuple[str, ...],
    names: tuple[str, ...],
    **options: Any,
) -> None:
    """Compare models on the same folds, and test which differences are real.

    DATA is a CSV file, read as by `cv`, or the name of a data set: iris, breast_cancer, wine,
    digits.

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
        options["texts"] = texts + names
        if not options["texts"]:
            raise click.UsageError("give models: --model ann:8 --model knn:5")
        folds = (options["folds"] or 10) if options["folds_file"] is None else 2
        wanted = _wanted(options["texts"], folds)
        of_quantities = (
            text.partition(":")[0].strip() in specs.OF_QUANTITIES for text in options["texts"]
        )
        wanted["quantity"] = wanted["whole"] or any(of_quantities)
        of_files, network = taken(options, OF_FILES), taken(options, OF_NETWORKS)
        if sum(map(bool, (data, many, suite))) != 1:
            raise click.UsageError("give one table, or --data for each of many, or --suite")
        if data is None:
            _compare_on_many(many, target, of_files | wanted, network, options)
            return
        table = reading(data, target, **of_files, **wanted)
        from practica.experiments import experiment

        experiment.show_differences(table, data=Path(data), network=network, **options)


def _compare_on_many(
    many: tuple[str, ...],
    target: str | None,
    read: dict[str, Any],
    network: dict[str, Any],
    options: dict[str, Any],
) -> None:
    """Read all tables, and then compare the models on each of them."""
    from practica.experiments.tables import SHIPPED, named, naming

    of_one_table = {
        "folds_file": "--folds-file",
        "save_folds": "--save-folds",
        "region": "--rope",
        "picture": "--plot",
    }
    for name, option in of_one_table.items():
        if options.pop(name) is not None:
            raise click.UsageError(f"{option} is for a single table")
    tables = {}
    for text in many or SHIPPED:
        name, own_target = named(text, target)
        if name in tables:
            raise click.UsageError(f"{name} is given twice")
        with naming(name):
            tables[name] = reading(name, own_target, **read)
    from practica.experiments.many_tables import show_suite

    show_suite(tables, network=network, **options)


COMMANDS = (demo, cv, compare)
