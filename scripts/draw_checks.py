#!/usr/bin/env python
"""Write the lists of checks for instructors, in both languages: what is verified under each id, and
how often.

    scripts/draw_checks.py

The ids are those of `[functions.NAME] checks` in a rubric and of the requirements of the statement.
The sentences are what a student reads, up to the example.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import _installed  # noqa: F401 - it says what to do first

from practica.grading.engine.framework import Check, load_checks
from practica.grading.report.messages import CASE, catalogue, places

__all__ = ["PAGES", "page"]

FOLDER = Path(__file__).resolve().parent.parent / "enunciado" / "profesorado"
PAGES = {"es": FOLDER / "comprobaciones.md", "en": FOLDER / "checks.en.md"}
WORDS = {
    "es": (
        """# Lo que se comprueba

Cada comprobación tiene un identificador, el mismo que en el enunciado, en los mensajes y en las
rúbricas. Entre paréntesis, el número de ejemplos fijos; además se sortean otros con la semilla
secreta. Escrito por `scripts/draw_checks.py`. [In English](checks.en.md).""",
        "un caso fijo",
    ),
    "en": (
        """# What is checked

Each check has an id, the same as in the statement, in the messages and in rubrics. In parentheses,
the number of fixed examples; others are drawn from the secret seed. Written by
`scripts/draw_checks.py`. [En español](comprobaciones.md).""",
        "one fixed case",
    ),
}


def page(lang: str) -> str:
    """Return the list of checks in a language, as Markdown."""
    title, fixed = WORDS[lang]
    by_function: dict[str, list[Check]] = defaultdict(list)
    for check in load_checks().values():
        by_function[check.function].append(check)
    lines = [title]
    for function, checks in by_function.items():
        lines += ["", f"## {function}", ""]
        lines += [
            f"- `{check.id}` ({check.examples if check.drawn else fixed}):"
            f" {_general(check.id, lang)}"
            for check in checks
        ]
    return "\n".join(lines) + "\n"


def _general(id: str, lang: str) -> str:
    """Return the part of a sentence that names no example; what fills its places is left out."""
    general = catalogue(lang)[id].partition(CASE)[0].rstrip(" :")
    for place in places(general):
        general = general.replace(f" ({{{place}}})", "").replace(f"{{{place}}}", f"*{place}*")
    return general.removesuffix(".") + "."


if __name__ == "__main__":
    for lang, file in PAGES.items():
        file.write_text(page(lang), encoding="utf-8")
