"""What a person should know about a class, as data: a code, its facts, and whose it is.

The sentences are in `messages/incidents.{language}.toml`. A code is "family.what", and the families are in the order in
which a person wants to read them.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

__all__ = ["LANGUAGES", "Fact", "Incident", "catalogue", "say", "serious", "told"]

LANGUAGES = ("es", "en")
FOLDER = Path(__file__).with_name("messages")

Fact = str | int | float


@dataclass(frozen=True)
class Incident:
    """Something that a person should know.

    Attributes
    ----------
    code : str
        Its sentence: "submission.none".
    facts : dict
        What fills the places of the sentence.
    entry : str or None
        The id of the submission that it is about; None for the whole class.
    """

    code: str
    facts: Mapping[str, Fact] = field(default_factory=dict)
    entry: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, ready for JSON."""
        return {"code": self.code, "facts": dict(self.facts), "entry": self.entry}


@functools.cache
def catalogue(lang: str = "es") -> Mapping[str, str]:
    """Return the sentences of a language by code, in the order of their file.

    Raises
    ------
    ValueError
        If there is no such language.
    """
    if lang not in LANGUAGES:
        raise ValueError(f"there are no sentences in {lang!r}; languages: {', '.join(LANGUAGES)}")
    tables = tomllib.loads((FOLDER / f"incidents.{lang}.toml").read_text(encoding="utf-8"))
    return MappingProxyType({code: text for table in tables.values() for code, text in table.items()})


@functools.cache
def _serious() -> frozenset[str]:
    tables = tomllib.loads((FOLDER / "incidents.es.toml").read_text(encoding="utf-8"))
    return frozenset(tables["act"])


def serious(incident: Incident) -> bool:
    """Tell whether a person must do something about it; the others only inform.

    Examples
    --------
    >>> serious(Incident("submission.none", {"name": "Ana"})), serious(Incident("file.renamed", {}))
    (True, False)
    """
    return incident.code in _serious()


def say(incident: Incident, lang: str = "es") -> str:
    """Return the sentence of an incident.

    Examples
    --------
    >>> say(Incident("submission.none", {"name": "Ana"}), "en")
    'Ana: there is no file to grade.'
    """
    return catalogue(lang)[incident.code].format_map(incident.facts)


def told(incidents: Iterable[Incident], lang: str = "es") -> list[str]:
    """Return the sentences of many incidents: first those that need a person, and each kind together."""
    order = {code: position for position, code in enumerate(catalogue("es"))}
    return [say(each, lang) for each in sorted(incidents, key=lambda each: (order[each.code], each.entry or ""))]
