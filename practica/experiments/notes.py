"""Notes on a table: what a model may read differently from the user, and the positive class."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

import numpy as np
import pandas as pd

from practica.experiments.csv_file import MISSING
from practica.experiments.leaks import Read, counts_the_rows, leak_notes, listed
from practica.experiments.written_numbers import (
    Column,
    as_numbers,
    quantity_of,
    way_out_of_dates,
)
from practica.reference.arguments import Floats

# categories of a text column, or classes in numbers, above which a sentence says how many
_MANY = 20
_MUCH_LARGER = 4  # times as many patterns: a positive class like this is hardly the one of interest

DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}.*|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}.*")
_TIME = re.compile(r"(?i)\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[ap]\.?m\.?)?")

_NO_OF = {
    "1": "0",
    "1.0": "0.0",
    "yes": "no",
    "true": "false",
    "y": "n",
    "t": "f",
    "sí": "no",
    "si": "no",
}


def positive_of(classes: Sequence[str], chosen: str | None) -> str | None:
    """Return the positive one of two classes: the chosen one; or 1, yes or true; or the first to
    appear. Without a choice, more classes have none.

    >>> [
    ...     positive_of(classes, None)
    ...     for classes in (["No", "Yes"], ["0", "1"], ["cat", "dog"], ["a", "b", "c"])
    ... ]
    ['Yes', '1', 'cat', None]
    """
    if chosen is not None or len(classes) != 2:
        return chosen
    first, second = classes
    return second if _NO_OF.get(second.lower()) == first.lower() else first


def notes_on(read: Read, positive: str | None) -> Iterator[str]:
    """Yield a note on each column that a model may read in another way than the user, and the notes
    of `leaks`.
    """
    texts, numbers = read.texts, read.numbers
    dates, times = (
        [
            name
            for name, text in texts.items()
            if len(text.categories) and all(map(form.fullmatch, text.categories))
        ]
        for form in (DATE, _TIME)
    )
    many = [
        name
        for name, text in texts.items()
        if len(text.categories) > _MANY and name not in (*dates, *times)
    ]
    codes = [
        name
        for name, column in numbers.items()
        if not counts_the_rows(column, name) and _is_code(column, read.written[name])
    ]
    for name in dates:
        yield (
            f"column {name!r}: dates are read as texts, each of them a category; better is"
            f" {way_out_of_dates(texts[name], name)}."
        )
    if times:
        yield (
            f"{listed(times)}: times are read as texts, each of them a category; 12.5 in place of"
            " 12:30 is a number."
        )
    if many:
        how_many = [f"{name!r} ({len(texts[name].categories)})" for name in many]
        becomes = ", each of which becomes an attribute" if read.encoded else ""
        yield f"{listed(many, how_many)}: more than {_MANY} different texts{becomes}."
    if codes:
        yield (
            f"{listed(codes)}: these look like codes and are read as quantities; add letters to"
            " make them texts."
        )
    yield from _notes_on_numbers(numbers, read)
    for name, text in (*texts.items(), *([] if read.quantity else [(read.target, read.labels)])):
        if alike := _alike(text):
            what = "classes" if name == read.target else "categories"
            yield (
                f"column {name!r}: {' and '.join(map(repr, alike))} differ only in case, blanks,"
                f" zeros or the form of their signs, and are different {what}; make them equal if"
                " they mean the same."
            )
    for name, text in texts.items():
        if words := [*filter(str.isalpha, read.file.missing_words(name, text))]:
            yield (
                f"column {name!r}: {words[0]!r} is read as a missing value; if it is a category,"
                " use --missing ''."
            )
    yield from leak_notes(read)
    if not read.quantity:
        yield from _notes_on_classes(read, positive)


def _notes_on_classes(read: Read, positive: str | None) -> Iterator[str]:
    labels, target = read.labels, read.target
    sizes = np.bincount(labels.codes)
    if len(sizes) > _MANY and not np.isnan(as_numbers(labels.categories, ".")).any():
        yield f"column {target!r}: {len(sizes)} classes, all of them numbers; is it a quantity?"
    if len(sizes) == 2 and positive is None:
        first, second = labels.categories
        chosen = positive_of([first, second], None)
        pairs = ((first, second), sizes) if chosen == first else ((second, first), sizes[::-1])
        (ours, other), (size, of_other) = pairs
        if size >= _MUCH_LARGER * of_other:
            why = (
                ", the first to appear," if chosen == first and first.lower() not in _NO_OF else ""
            )
            yield (
                f"The positive class is {ours!r}{why} with {size / of_other:.0f} times the patterns"
                f" of {other!r}; recall, PPV and F1 are about it. About the other: --positive"
                f" '{other}'."
            )


def _notes_on_numbers(numbers: Mapping[str, Column], read: Read) -> Iterator[str]:
    """Yield notes on columns of numbers that were written with a unit, or in which one number
    stands for a missing value.
    """
    for name, column in numbers.items():
        shown = next(
            (value.strip() for value in read.written[name] if value.strip().lower() not in MISSING),
            "",
        )
        quantity = quantity_of(shown)
        if quantity is not None and quantity.unit:
            first = next(value for value in column if not np.isnan(value))
            yield (
                f"column {name!r}: read as numbers without {quantity.unit!r}: {shown!r} is"
                f" {first:.12g}."
            )
        if note := read.file.thousands_note(name, read.written[name]):
            yield note
        if (sentinel := _sentinel(column)) is not None:
            known = column[np.isfinite(column) & (column != sentinel)]
            yield (
                f"column {name!r}: {sentinel:g} repeats and is far from the others, {known.min():g}"
                f" to {known.max():g}; if it stands for a missing value, use --missing {sentinel:g}"
                " --impute."
            )


def note_on_groups(name: str, column: Column) -> list[str]:
    """Return the note that a number may stand for rows without a group, or no note."""
    none = None if isinstance(column, pd.Categorical) else _sentinel(column)
    if none is None:
        return []
    return [
        f"column {name!r}: the {(column == none).sum()} rows with {none:g} are one group; if it"
        " stands for none, give each of them a number of its own."
    ]


def _sentinel(numbers: Floats) -> float | None:
    """Return the value that may stand for a missing one, such as −999; None if there is none.

    It is whole, not 0, repeats, and is the lowest or the highest: the only negative number; all
    nines, of three digits or more; or further from the others than twice what they are from each
    other.
    """
    known = numbers[np.isfinite(numbers)].astype(np.float64)
    values, counts = np.unique(known, return_counts=True)
    if len(values) < 6:
        return None
    for place, nearest, others in ((0, values[1], values[1:]), (-1, values[-2], values[:-1])):
        value, gap, span = values[place], abs(values[place] - nearest), np.ptp(others)
        if value == 0 or value % 1 or counts[place] < 2:
            continue
        is_code = re.fullmatch("9{3,}", f"{abs(value):.0f}") is not None and gap > 0.05 * span
        if others[0] >= 0 > value or is_code or gap > 2 * span:
            return float(value)
    return None


def _alike(text: pd.Categorical) -> list[str]:
    """Return the first labels that differ only in case, blanks, Unicode form, or the zeros of a
    number; empty if there are none.
    """
    alike: dict[object, list[str]] = {}
    for label in map(str, text.categories):
        visible = "".join(
            sign
            for sign in unicodedata.normalize("NFKC", label)
            if unicodedata.category(sign) != "Cf"
        )
        key: object = " ".join(visible.casefold().split())
        if re.fullmatch(r"[+-]?\d+([.]\d*)?", str(key)):
            key = Decimal(str(key))
        alike.setdefault(key, []).append(label)
    return next((labels for labels in alike.values() if len(labels) > 1), [])


def _is_code(numbers: Floats, written: Iterable[str]) -> bool:
    """Return whether numbers look like codes: whole, with leading zeros, or repeated and equally
    long, but no years.

    Digits, an E and digits are a code too, though they may be read as a power of ten.
    """
    known = numbers[np.isfinite(numbers)]
    if not len(known) or known[0] % 1:  # most columns are left here
        return False
    if any(re.fullmatch(r"0\d+([eE]\d+)?|\d+[eE]\d+", value.strip()) for value in written):
        return True
    low, high = known.min(), known.max()
    if low < 1000 or len(str(int(low))) != len(str(int(high))) or (low >= 1500 and high <= 2100):
        return False
    return not (known % 1).any() and len(np.unique(known)) <= len(known) / 2
