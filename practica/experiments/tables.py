"""Data sets as the models take them: a CSV of the user's, or one of those that scikit-learn ships."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from practica.experiments.csv_file import Column, CSVFile, as_numbers, as_separator, numbers_or_text
from practica.reference.arguments import Array, closest
from practica.reference.encoding import number_classes, one_hot_encoding

__all__ = ["SHIPPED", "Table", "load", "read_csv", "shipped"]

_MANY = 20  # categories of a text column, or classes in numbers, above which a sentence says how many
_MUCH_LARGER = 4  # times as many patterns: a positive class like this is hardly the one of interest
_SAMPLE = 100  # rows that are also looked at as they are written

_DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}.*|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}.*")

_WAY_OUT = """.
A model of yours can take it. These three lines in mine.py are one, and "Tables with holes" in the guide has others:

    from sklearn.ensemble import HistGradientBoostingClassifier
    def boosting():
        return HistGradientBoostingClassifier(categorical_features="from_dtype", early_stopping=False)

practica compare ... --model boosting=mine:boosting"""


@dataclass(frozen=True, eq=False)
class Table:
    """Patterns with their attributes and their classes."""

    name: str
    attributes: tuple[str, ...]  # a name for each column of `inputs`; "colour=red" for one that comes from text
    inputs: NDArray[np.float64]  # (N, L)
    targets: Array  # the label of each pattern, as text; or its quantity
    chosen: str | None = None  # the positive one of two classes, where the user says it
    columns: Any = None  # a frame, before it became `inputs`: numbers as floats, text as categories, NaN for missing
    quantities: NDArray[np.float64] | None = None  # the targets as numbers, if all of them are and were wanted
    no_classes: str = ""  # why the targets are no classes, if they are not and may be quantities
    groups: Array | None = None  # what belongs together
    times: Array | None = None  # what comes before what
    notes: tuple[str, ...] = ()  # what the user should know about the columns

    def class_sizes(self) -> dict[str, int]:
        """Count the patterns of each class, in order of first appearance."""
        classes, numbers = number_classes(self.targets)
        return dict(zip(map(str, classes), np.bincount(numbers).tolist(), strict=True))

    @property
    def is_quantity(self) -> bool:
        """Whether the targets are numbers to predict."""
        return self.targets is self.quantities

    @property
    def positive(self) -> str | None:
        """The positive one of two classes, see `_positive_of`; None of more, and of quantities."""
        return None if self.is_quantity else _positive_of(list(self.class_sizes()), self.chosen)


_NEGATIVE = {"1": "0", "1.0": "0.0", "yes": "no", "true": "false", "y": "n", "t": "f", "sí": "no", "si": "no"}


def _positive_of(classes: Sequence[str], chosen: str | None) -> str | None:
    """Return the positive one of two classes: the user's; 1, yes or true; or the first to appear. None of more.

    Examples
    --------
    >>> [_positive_of(classes, None) for classes in (["No", "Yes"], ["0", "1"], ["cat", "dog"], ["a", "b", "c"])]
    ['Yes', '1', 'cat', None]
    """
    if chosen is not None or len(classes) != 2:
        return chosen
    first, second = classes
    return second if _NEGATIVE.get(second.lower()) == first.lower() else first


SHIPPED = {"iris": "Iris", "breast_cancer": "Breast cancer"}


def shipped(name: str, *, positive: str | None = None) -> Table:
    """Load a data set that scikit-learn ships, with the names of its classes as labels.

    Examples
    --------
    >>> shipped("iris").class_sizes()
    {'setosa': 50, 'versicolor': 50, 'virginica': 50}
    """
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")()
    targets = bunch.target_names.astype(object)[bunch.target]
    _require_positive(positive, list(bunch.target_names), name)
    attributes = tuple(map(str, bunch.feature_names))
    inputs = bunch.data.astype(np.float64)
    return Table(SHIPPED[name], attributes, inputs, targets, positive, pd.DataFrame(inputs, columns=attributes))


def load(data: str, target: str | None = None, *, positive: str | None = None, **options: Any) -> Table:
    """Load a data set that scikit-learn ships, if `data` is the name of one, or else `read_csv` the file."""
    if data in SHIPPED:
        for option, value in (("target", target), *((name, options.get(name)) for name in ("groups", "time"))):
            if value is not None:
                raise ValueError(f"{data} is a data set with classes of its own: it takes no --{option}")
        return shipped(data, positive=positive)
    if not Path(data).is_file():
        raise ValueError(f"there is no file {data!r}{closest(data, SHIPPED, 'the data sets that need no file')}")
    if target is None:
        raise ValueError(f"{data} needs --target: the column with the class of each pattern")
    return read_csv(data, target, positive=positive, **options)


def read_csv(
    path: str | Path,
    target: str,
    *,
    ignored: Sequence[str] = (),
    separator: str = ",",
    decimal: str = ".",
    encoding: str = "utf-8",
    positive: str | None = None,
    groups: str | None = None,
    time: str | None = None,
    folds: int = 2,
    encoded: bool = True,
    whole: bool = False,
    quantity: bool = False,
) -> Table:
    """Read patterns from a CSV file with a header.

    Parameters
    ----------
    path, target, ignored, separator, decimal, encoding, positive, groups, time
        As the options of `practica cv`. A byte order mark at the beginning is skipped in UTF-8.
    folds : int
        Some class must have as many patterns.
    encoded, whole : bool
        Whether attributes are wanted as numbers, in `inputs`, and as they are, in `columns`. Only these may have
        missing values, and texts that never repeat.
    quantity : bool
        Whether the target may be a number to predict.

    Notes
    -----
    pandas reads columns of numbers at once. What is not all numbers is read again as text, and every distinct text is
    looked at once.
    """
    file = CSVFile(Path(path), as_separator(separator, decimal), decimal, encoding)
    file.require_text()
    sample = file.texts(rows=_SAMPLE).to_numpy()
    header = [name.strip() for name in sample[0]]
    special = [name for name in (groups, time) if name is not None]
    if len(special) == 2:
        raise ValueError("--groups and --time cannot both decide the folds; give one of them")
    _require_good_header(header, target, ignored, special, file)
    if len(sample) == 1:
        raise ValueError(f"{file.name} has a header and no rows")
    columns, labels = file.columns(header, [name for name in header if name not in ignored], target)

    no_classes = "" if pd.isna(labels).any() else _why_no_classes(labels, target, folds)
    if no_classes and not quantity:
        raise ValueError(no_classes)
    by = {name: columns.pop(name) for name in special}
    for name, column in by.items():
        file.require_whole(name, column)
    for name, column in columns.items():
        if encoded:
            file.require_whole(name, column, _WAY_OUT)
        if not isinstance(column, pd.Categorical):
            file.require_finite(name, column)
        elif encoded:
            _require_repetition(column, name)
    file.require_whole(target, labels)
    numeric = numbers_or_text(labels, target, decimal) if quantity else labels
    _require_positive(positive, labels.categories, target)
    written = dict(zip(header, sample[1:].T, strict=True))
    names, inputs = _encoded(columns) if encoded else (list(columns), np.empty((len(labels), 0)))
    return Table(
        file.name,
        tuple(names),
        inputs,
        np.asarray(labels),
        positive,
        pd.DataFrame(columns) if whole else None,
        quantities=None if isinstance(numeric, pd.Categorical) else numeric,
        no_classes=no_classes,
        groups=None if groups is None else np.asarray(by[groups]),
        times=None if time is None else _as_times(np.asarray(by[time]), time),
        notes=tuple(_notes(columns, written, labels, target, positive, encoded=encoded, quantity=quantity)),
    )


def _require_good_header(
    header: list[str], target: str, ignored: Sequence[str], special: Sequence[str], file: CSVFile
) -> None:
    if len(header) == 1:
        for other, written in ((";", ";"), ("\t", "tab"), (",", ","), ("|", "|")):
            if other in header[0] and other != file.separator:
                raise ValueError(
                    f"{file.name} has one column only with separator {file.separator!r}, and its header contains "
                    f"{other!r}; try --separator '{written}'"
                )
    if len(set(header)) < len(header):
        name = next(name for place, name in enumerate(header) if name in header[:place])
        first, second = [place for place, other in enumerate(header, start=1) if other == name][:2]
        raise ValueError(f"{file.name}: columns {first} and {second} of the header have the same name, {name!r}")
    for name in (target, *ignored, *special):
        if name not in header:
            raise ValueError(f"{file.name} has no column {name!r}{closest(name, header, 'its columns')}")
    if target in ignored:
        raise ValueError(f"column {target!r} is the target: it cannot be left out")
    for name in special:
        if name == target or name in ignored:
            raise ValueError(f"column {name!r} cannot be two things: the target, left out, --groups or --time")
    if "" in header and "" not in ignored:
        raise ValueError(
            f"{file.name}: column {header.index('') + 1} has no name in the header; "
            "name it, or leave it out with --ignore '' if it only counts the rows"
        )
    if set(header) <= {target, *ignored, *special}:
        raise ValueError(f"{file.name} has no attributes besides the target {target!r}")


def _require_positive(positive: str | None, classes: Sequence[str], column: str) -> None:
    if positive is None:
        return
    if positive not in classes:
        raise ValueError(f"{column!r} has no class {positive!r}{closest(positive, classes, 'its classes')}")
    if len(classes) != 2:
        raise ValueError(f"{column!r} has {len(classes)} classes; only one of two can be the positive one")


def _why_no_classes(labels: pd.Categorical, column: str, folds: int) -> str:
    N, sizes = len(labels), np.bincount(labels.codes)
    if len(sizes) == 1:
        return f"column {column!r} has one class, {labels.categories[0]!r}; at least two are needed to classify"
    if sizes.max() >= folds:
        return ""
    many = f"column {column!r} has {len(sizes)} different values in {N} rows, and none of them in {folds} (--folds)"
    if np.isnan(as_numbers(labels, ".")).any():
        return f"{many}: these are not classes; a class needs a pattern in each fold to be tested"
    return (
        f"{many}: this is a quantity, and these models predict classes. Cut it into a few, as pandas.qcut does, "
        "or compare regressors of yours with --model NAME=package.module:function"
    )


def _as_times(values: Array, column: str) -> Array:
    if values.dtype != object:
        return values
    try:
        return pd.to_datetime(values, format="ISO8601", utc=True).to_numpy()
    except ValueError:
        raise ValueError(
            f"column {column!r}: {values[0]!r} is neither a number nor a date such as 2024-01-31"
        ) from None


def _require_repetition(text: pd.Categorical, column: str) -> None:
    if len(text.categories) < len(text):
        return
    if all(map(_DATE.fullmatch, text.categories)):
        what = "date"
        way_out = f"; if the order of the rows in time matters, use --time '{column}', else leave it out with --ignore"
    else:
        what, way_out = "text", f": an identifier says nothing about the class; leave it out with --ignore '{column}'"
    raise ValueError(f"column {column!r} has a different {what} in each of the {len(text)} rows{way_out}")


def _encoded(columns: Mapping[str, Column]) -> tuple[list[str], NDArray[np.float64]]:
    """Put columns side by side as numbers, with the names of the results; texts become columns of 0 and 1."""
    parts: dict[str, Array] = {}
    for name, column in columns.items():
        if isinstance(column, pd.Categorical):
            encoded = one_hot_encoding(column.codes, range(len(column.categories)))
            parts |= {f"{name}={value}": part for value, part in zip(column.categories, encoded.T, strict=False)}
        else:
            parts[name] = column
    N = len(next(iter(parts.values())))
    inputs = np.empty((N, len(parts)))
    for place, part in enumerate(parts.values()):
        inputs[:, place] = part
    return list(parts), inputs


def _notes(
    columns: Mapping[str, Column],
    written: Mapping[str, Iterable[str]],
    labels: pd.Categorical,
    target: str,
    positive: str | None,
    *,
    encoded: bool,
    quantity: bool,
) -> Iterator[str]:
    """Yield a note on each column that a model may read differently from the user."""
    texts = {name: column for name, column in columns.items() if isinstance(column, pd.Categorical)}
    numbers = {name: column for name, column in columns.items() if not isinstance(column, pd.Categorical)}
    dates = [
        name for name, text in texts.items() if len(text.categories) and all(map(_DATE.fullmatch, text.categories))
    ]
    many = [name for name, text in texts.items() if len(text.categories) > _MANY and name not in dates]
    counting = [name for name, column in numbers.items() if len(column) > 2 and _counts(column)]
    codes = [name for name, column in numbers.items() if name not in counting and _is_code(column, written[name])]
    if dates:
        yield f"{_listed(dates)}: dates are read as texts, each of them a category; --time or --ignore may be better."
    if many:
        how_many = [f"{name!r} ({len(texts[name].categories)})" for name in many]
        becomes = ", each of which becomes an attribute" if encoded else ""
        yield f"{_listed(many, how_many)}: more than {_MANY} different texts{becomes}."
    if codes:
        yield f"{_listed(codes)}: these look like codes and are read as quantities; add letters to make them texts."
    if counting:
        yield f"{_listed(counting)}: this numbers the rows; if it is unrelated to the class, use --ignore."
    if quantity:
        return
    sizes = np.bincount(labels.codes)
    if len(sizes) > _MANY and not np.isnan(as_numbers(labels, ".")).any():
        yield f"column {target!r}: {len(sizes)} classes, all of them numbers; is it a quantity?"
    if len(sizes) == 2 and positive is None:
        first, second = labels.categories
        chosen = _positive_of([first, second], None)
        (ours, other), (size, of_other) = (
            ((first, second), sizes) if chosen == first else ((second, first), sizes[::-1])
        )
        if size >= _MUCH_LARGER * of_other:
            why = ", the first to appear," if chosen == first and first.lower() not in _NEGATIVE else ""
            yield (
                f"The positive class is {ours!r}{why} with {size / of_other:.0f} times the patterns of {other!r}; "
                f"recall, PPV and F1 are about it. About the other: --positive '{other}'."
            )


def _counts(numbers: NDArray[np.float64]) -> bool:
    """Return whether each number is one more, or one less, than the number before it."""
    steps = np.diff(numbers)
    return abs(steps[0]) == 1 and numbers[0] == np.floor(numbers[0]) and bool((steps == steps[0]).all())


def _is_code(numbers: NDArray[np.float64], written: Iterable[str]) -> bool:
    """Return whether numbers look like codes: whole, with leading zeros, or repeated and equally long, but no years."""
    if numbers[0] != np.floor(numbers[0]):  # most columns are left here
        return False
    if any(re.fullmatch(r"0\d+", value.strip()) for value in written):
        return True
    low, high = np.nanmin(numbers), np.nanmax(numbers)
    if low < 1000 or len(str(int(low))) != len(str(int(high))) or (low >= 1500 and high <= 2100):
        return False
    return bool((numbers == np.floor(numbers)).all()) and len(np.unique(numbers)) <= len(numbers) / 2


def _listed(names: Sequence[str], shown: Sequence[str] | None = None) -> str:
    parts = list(shown or map(repr, names))
    more = f" and {len(parts) - 8} more" if len(parts) > 8 else ""
    return f"column{'s' if len(parts) > 1 else ''} {', '.join(parts[:8])}{more}"
