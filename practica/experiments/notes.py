"""Notes on a table: what a model may read differently from the user, and what makes a result too good."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from practica.experiments.csv_file import Column, CSVFile, as_numbers

__all__ = ["DATE", "Read", "notes_on", "positive_of"]

_MANY = 20  # categories of a text column, or classes in numbers, above which a sentence says how many
_MUCH_LARGER = 4  # times as many patterns: a positive class like this is hardly the one of interest
_ROWS_OF_A_VALUE = 5  # at least, on average: with fewer, a value may have one class by chance
_REPEATED = 0.1  # fraction of the rows that repeat another one, from which a sentence says so

DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}.*|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}.*")

_NO_OF = {"1": "0", "1.0": "0.0", "yes": "no", "true": "false", "y": "n", "t": "f", "sí": "no", "si": "no"}


def positive_of(classes: Sequence[str], chosen: str | None) -> str | None:
    """Return the positive one of two classes: the user's; 1, yes or true; or the first to appear. None of more.

    Examples
    --------
    >>> [positive_of(classes, None) for classes in (["No", "Yes"], ["0", "1"], ["cat", "dog"], ["a", "b", "c"])]
    ['Yes', '1', 'cat', None]
    """
    if chosen is not None or len(classes) != 2:
        return chosen
    first, second = classes
    return second if _NO_OF.get(second.lower()) == first.lower() else first


@dataclass(frozen=True)
class Read:
    """What was read of a file: the columns, the first rows as they are written, and the target."""

    file: CSVFile
    columns: Mapping[str, Column]
    written: Mapping[str, Iterable[str]]
    labels: pd.Categorical
    target: str
    encoded: bool  # whether texts become columns of numbers
    apart: bool  # whether groups or times keep rows together, so that equal rows may be meant


def notes_on(read: Read, positive: str | None, *, quantity: bool) -> Iterator[str]:
    """Yield a note on each column that a model may read differently from the user, and on what makes it too easy."""
    texts = {name: column for name, column in read.columns.items() if isinstance(column, pd.Categorical)}
    numbers = {name: column for name, column in read.columns.items() if not isinstance(column, pd.Categorical)}
    dates = [name for name, text in texts.items() if len(text.categories) and all(map(DATE.fullmatch, text.categories))]
    many = [name for name, text in texts.items() if len(text.categories) > _MANY and name not in dates]
    counting = [name for name, column in numbers.items() if len(column) > 2 and _counts(column)]
    codes = [name for name, column in numbers.items() if name not in counting and _is_code(column, read.written[name])]
    if dates:
        yield f"{_listed(dates)}: dates are read as texts, each of them a category; --time or --ignore may be better."
    if many:
        how_many = [f"{name!r} ({len(texts[name].categories)})" for name in many]
        becomes = ", each of which becomes an attribute" if read.encoded else ""
        yield f"{_listed(many, how_many)}: more than {_MANY} different texts{becomes}."
    if codes:
        yield f"{_listed(codes)}: these look like codes and are read as quantities; add letters to make them texts."
    if counting:
        yield f"{_listed(counting)}: this numbers the rows; if it is unrelated to the class, use --ignore."
    for name, text in texts.items():
        if words := read.file.missing_words(name, text):
            yield f"column {name!r}: {words[0]!r} is read as a missing value; if it is a category, use --missing ''."
    yield from _notes_on_repeated_rows(read)
    if not quantity:
        yield from _notes_on_classes(read, positive)


def _notes_on_repeated_rows(read: Read) -> Iterator[str]:
    """Yield a note if many rows repeat another one."""
    if read.apart:
        return
    codes = [column.codes if isinstance(column, pd.Categorical) else column for column in read.columns.values()]
    frame = pd.DataFrame(dict(enumerate([*codes, read.labels.codes])))
    repeated = int(frame.duplicated().sum())
    if repeated >= _REPEATED * len(frame):
        yield (
            f"{repeated} of {len(frame)} rows repeat another one and are in training and test at once: results are too "
            "good if a row was copied; pandas' drop_duplicates() leaves one of each."
        )


def _notes_on_classes(read: Read, positive: str | None) -> Iterator[str]:
    labels, target = read.labels, read.target
    sizes = np.bincount(labels.codes)
    if len(sizes) > _MANY and not np.isnan(as_numbers(labels, ".")).any():
        yield f"column {target!r}: {len(sizes)} classes, all of them numbers; is it a quantity?"
    if given_away := [name for name, column in read.columns.items() if _gives_away(column, labels)]:
        ignored = " ".join(f"--ignore '{name}'" for name in given_away)
        yield f"{_listed(given_away)}: each value has one class only; if it was derived from the class, {ignored}."
    if len(sizes) == 2 and positive is None:
        first, second = labels.categories
        chosen = positive_of([first, second], None)
        pairs = ((first, second), sizes) if chosen == first else ((second, first), sizes[::-1])
        (ours, other), (size, of_other) = pairs
        if size >= _MUCH_LARGER * of_other:
            why = ", the first to appear," if chosen == first and first.lower() not in _NO_OF else ""
            yield (
                f"The positive class is {ours!r}{why} with {size / of_other:.0f} times the patterns of {other!r}; "
                f"recall, PPV and F1 are about it. About the other: --positive '{other}'."
            )


def _gives_away(column: Column, labels: pd.Categorical) -> bool:
    """Return whether each value of a column, and they are few, occurs with one class only; missing is a value too."""
    if isinstance(column, pd.Categorical):
        values, distinct = column.codes + 1, len(column.categories)
    else:
        values, found = pd.factorize(column)
        values, distinct = values + 1, len(found)
    if distinct < 2 or distinct > max(2, len(labels) / _ROWS_OF_A_VALUE):
        return False
    pairs = np.unique(values.astype(np.int64) * (len(labels.categories) + 1) + labels.codes)
    return len(pairs) == len(np.unique(values))


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
