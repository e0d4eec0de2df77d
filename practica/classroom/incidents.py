"""Sentences of what a person should know about a class.

The sentences are in `practica/report/messages/incidents.{language}.toml`, where the table "act" has those that need a
person. A code is "family.what", and the families are in the order in which a person wants to read them.
"""

from __future__ import annotations

from collections.abc import Iterable

from practica.engine.result import Incident
from practica.report.messages import say, tables

__all__ = ["sentences_of"]


def sentences_of(incidents: Iterable[Incident], lang: str = "es") -> list[str]:
    """Return the sentences of incidents: first those that need a person, and each kind together.

    Examples
    --------
    >>> sentences_of([Incident("submission.none", {"name": "Ana"})], "en")
    ['Ana: there is no file to grade.']
    """
    order = {code: place for place, code in enumerate(code for table in tables("incidents").values() for code in table)}
    found = sorted(incidents, key=lambda each: (order.get(each.code, -1), each.entry or ""))
    return [say(each.code, each.facts, lang, strict=False) for each in found]
