"""The sentences that people read, by id and language.

Every file `messages/NAME.toml` has a part of them; the names of its tables group the ids. An id has
a sentence in each language, `"id".es` and `"id".en`, or one text for all of them. A sentence has
places in braces, which the facts fill, and it still knows which of its words they are:
`{lines:line/lines}` is a word that agrees with the number of a fact. What is before a "|", which is
never shown, is true of everybody, and the rest is about one case. What stands between two "¦" is a
guess at the cause, which is left out where the cause is known.
"""

from __future__ import annotations

import functools
import locale
import os
import re
import string
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Self

from practica.grading.engine.current import OFFICIAL, assignment
from practica.json_data import Facts

LANGUAGES = ("es", "en")
OWN = Path(__file__).with_name("messages")
CASE = "|"  # where a sentence goes on to one case
GUESS = re.compile("¦([^¦]*)¦")  # a guess about the cause


def language_of_locale() -> str:
    """Return the language of the user's locale if there are sentences in it, or else the first of
    `LANGUAGES`.

    Only Windows has a locale without these variables: elsewhere Python takes C for English.
    """
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    of_windows = locale.getlocale()[0] if sys.platform == "win32" else None
    used = next(filter(None, names), of_windows) or ""
    return next((lang for lang in LANGUAGES if lang == used[:2].lower()), LANGUAGES[0])


class MessageError(Exception):
    """A defect of this package: a sentence is missing, or a place in it gets no fact."""


class Sentence(str):
    """A sentence that keeps the strings that fill its places.

    `parts` (iterable of (place, text)): in their order; the place is "" for words of the catalogue.
    """

    __slots__ = ("parts",)

    parts: tuple[tuple[str, str], ...]

    def __new__(cls, parts: Iterable[tuple[str, str]]) -> Self:
        """Join the parts into the text."""
        parts = tuple(parts)
        sentence = super().__new__(cls, "".join(text for _, text in parts))
        sentence.parts = parts
        return sentence


@functools.cache
def catalogue(lang: str = "es") -> Mapping[str, str]:
    """Return all sentences of a language by their ids.

    Raises `MessageError` if there is no such language, or an id is in two places.
    """
    if lang not in LANGUAGES:
        raise MessageError(f"there are no sentences in {lang!r}; languages: {', '.join(LANGUAGES)}")
    general = [*OWN.glob("*.toml"), *OFFICIAL.glob("messages/*.toml")]
    return MappingProxyType({**_joined(general, lang), **_joined(assignment().messages, lang)})


def _joined(files: Iterable[Path], lang: str) -> dict[str, str]:
    """Return the sentences of several files by id; MessageError if two tables share an id."""
    sentences: dict[str, str] = {}
    for file in sorted(files):
        for table in _tables_in(file, lang).values():
            if twice := sentences.keys() & table.keys():
                raise MessageError(f"{min(twice)} is in two places of the sentences: {file.name}")
            sentences |= table
    return sentences


def tables(family: str, lang: str = "es") -> Mapping[str, Mapping[str, str]]:
    """Return the tables in the file `messages/FAMILY.toml` by their names, each with its sentences
    by id, in the order of the file.

    >>> list(tables("incidents"))
    ['act', 'know']
    """
    return _tables_in(OWN / f"{family}.toml", lang)


@functools.cache
def _tables_in(file: Path, lang: str) -> Mapping[str, Mapping[str, str]]:
    return {
        name: dict(_sentences_in(table, lang, file))
        for name, table in _content(file).items()
        if isinstance(table, Mapping)
    }


@functools.cache
def _content(file: Path) -> Facts:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MessageError(f"{file}: {error}") from None


def _sentences_in(
    table: Facts, lang: str, file: Path, prefix: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a table, or of a table within it, by their ids."""
    for key, value in table.items():
        id = f"{prefix}{key}"
        if not isinstance(value, Mapping):
            yield id, str(value)
        elif value.keys().isdisjoint(LANGUAGES):
            yield from _sentences_in(value, lang, file, f"{id}.")
        elif lang in value:
            yield id, str(value[lang])
        else:
            raise MessageError(f"{file}: {id!r} has no sentence in {lang!r}")


def places(sentence: str) -> frozenset[str]:
    """Return the names of the places of a sentence that facts fill.

    >>> sorted(places("{count} loops, {limit} allowed"))
    ['count', 'limit']
    """
    return frozenset(
        name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None
    )


def say(
    id: str,
    facts: Facts | None = None,
    lang: str = "es",
    *,
    strict: bool = True,
    guess: bool = True,
) -> Sentence:
    """Return the sentence of an id with its places filled.

    `facts`: a value for each place: a list is written item by item; another sentence keeps its own
        places. A fact "variant" chooses the sentence `id.variant`, and more facts do no harm.
    `strict`: whether a sentence or fact that is missing is an error; otherwise the id, or the empty
        place, is shown: a sentence with a hole is better than no mark.
    `guess`: whether the sentence may guess at the cause.
    Raises `MessageError` with `strict`.

    >>> say("signature.missing", {"function": "accuracy"}, "en")
    'There is no function accuracy in the file.'
    >>> say("loops.too_many.none", {"count": 2, "lines": [3, 7]}, "en")[-28:]
    'and there are 2: lines 3, 7.'
    >>> say("calls.forbidden", {"name": "eval"}, "en").parts[:2]
    (('', 'It needs '), ('name', 'eval'))
    """
    facts = facts or {}
    key = f"{id}.{facts['variant']}" if "variant" in facts else id
    sentence = catalogue(lang).get(key)
    if sentence is None:
        if strict:
            raise MessageError(f"there is no sentence {key!r} in {lang!r}")
        shown = ", ".join(f"{name}: {value}" for name, value in facts.items() if name != "variant")
        return Sentence([("", f"{key} ({shown})" if shown else key)])
    missing = places(sentence) - facts.keys()
    if missing and strict:
        raise MessageError(f"{key!r}: no fact for {', '.join(sorted(missing))}")
    return _filled(GUESS.sub(r"\1" if guess else "", sentence).replace(CASE, ""), facts)


def principle(id: str, lang: str = "es", facts: Facts | None = None) -> Sentence:
    """Return the part of a sentence that is true of everybody, the one before its "|", with its
    places filled; empty if the id has no sentence.

    >>> principle("confusion_matrix_binary.bool.matrix", "en")
    'The confusion matrix is [[TN, FP], [FN, TP]]'
    """
    return _filled(catalogue(lang).get(id, "").partition(CASE)[0], facts or {})


def as_points(points: float | None, nothing: str = "–") -> str:
    """Return points with two decimals, or the text `nothing` if there are none."""
    return nothing if points is None else f"{points:.2f}"


def _filled(sentence: str, facts: Facts) -> Sentence:
    parts: list[tuple[str, str]] = []
    for words, place, forms, _ in string.Formatter().parse(sentence):
        if parts and parts[-1][1].endswith("."):  # of an error, for one
            words = words.removeprefix(".")
        parts.append(("", words))
        if place is not None and forms and "/" in forms:
            one, _, many = forms.partition("/")
            parts.append(("", one if _is_one(facts.get(place)) else many))
        elif place is not None:
            parts += _place(place, facts.get(place, "…"))
    parts = [part for part in parts if part[1]]
    if parts:  # a place at an end may be empty
        parts[0] = parts[0][0], parts[0][1].lstrip()
        parts[-1] = parts[-1][0], parts[-1][1].rstrip()
    return Sentence(parts)


def _is_one(value: object) -> bool:
    return len(value) == 1 if isinstance(value, list | tuple) else str(value) == "1"


def _place(place: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, Sentence):
        yield from value.parts
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            yield from [("", ", ")] * bool(number)
            yield place, str(item)
    else:
        yield place, str(value)
