"""The sentences that people read, by id and language.

Every file `messages/*.{language}.toml` has a part of them; the names of its tables are only there to group the ids. A
sentence has places in braces, which the facts fill.
"""

from __future__ import annotations

import functools
import string
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

__all__ = ["LANGUAGES", "MessageError", "catalogue", "places", "say"]

LANGUAGES = ("es", "en")
FOLDER = Path(__file__).with_name("messages")


class MessageError(Exception):
    """A sentence that is not in the catalogue, or a place that no fact fills: a defect of ours."""


@functools.cache
def catalogue(lang: str = "es") -> Mapping[str, str]:
    """Return all sentences of a language by their ids.

    Parameters
    ----------
    lang : "es" or "en"

    Raises
    ------
    MessageError
        If there is no such language, or an id is in two places.
    """
    sentences: dict[str, str] = {}
    for file in sorted(FOLDER.glob(f"*.{lang}.toml")):
        for table in tomllib.loads(file.read_text(encoding="utf-8")).values():
            for identifier, sentence in _flattened(table):
                if identifier in sentences:
                    raise MessageError(f"{identifier} is in two places of the {lang} sentences: {file.name}")
                sentences[identifier] = sentence
    if not sentences:
        raise MessageError(f"there are no sentences in {lang!r}; languages: {', '.join(LANGUAGES)}")
    return MappingProxyType(sentences)


def _flattened(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flattened(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", str(value)


def places(sentence: str) -> frozenset[str]:
    """Return the names of the places of a sentence.

    Examples
    --------
    >>> sorted(places("{count} loops, {limit} allowed"))
    ['count', 'limit']
    """
    return frozenset(name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None)


def say(id: str, facts: Mapping[str, Any] | None = None, lang: str = "es", *, strict: bool = True) -> str:
    """Return the sentence of an id with its places filled.

    Parameters
    ----------
    id : str
    facts : dict, optional
        A value for each place; a fact "variant" chooses the sentence `id.variant`, and more facts do no harm.
    lang : "es" or "en"
    strict : bool
        Whether a sentence or fact that is missing is an error; otherwise the id, or the empty place, is shown: a
        sentence with a hole is better than no mark.

    Raises
    ------
    MessageError
        With `strict`.

    Examples
    --------
    >>> say("signature.missing", {"function": "accuracy"}, "en")
    'There is no function accuracy in the file.'
    """
    facts = facts or {}
    key = f"{id}.{facts['variant']}" if "variant" in facts else id
    sentence = catalogue(lang).get(key)
    if sentence is None:
        if strict:
            raise MessageError(f"there is no sentence {key!r} in {lang!r}")
        shown = ", ".join(f"{name}: {value}" for name, value in facts.items() if name != "variant")
        return f"{key} ({shown})" if shown else key
    missing = places(sentence) - facts.keys()
    if missing and strict:
        raise MessageError(f"{key!r}: no fact for {', '.join(sorted(missing))}")
    return sentence.format_map({**dict.fromkeys(missing, "…"), **facts}).strip()
