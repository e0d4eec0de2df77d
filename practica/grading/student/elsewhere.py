"""Warnings about a file that works here and may not where it is marked: what it imports, and
commands of notebooks.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from practica.grading.engine.source import imports_of
from practica.grading.inside.loading import decode
from practica.grading.inside.preload import AVAILABLE
from practica.grading.report.messages import say
from practica.grading.report.words import place_of


def warnings_about(
    source: bytes,
    file: Path,
    commands: Sequence[int] = (),
    cells: Sequence[tuple[int, int]] = (),
    lang: str = "es",
) -> list[str]:
    """Return a sentence for each kind of thing that a file relies on and that marking does not
    have.

    `source`: what is marked.
    `file`: where it lies: other modules may lie beside it, and are not marked.
    `commands`: its lines that were commands of a notebook.
    `cells` (sequence of (cell, line in the cell)): where each line of a notebook comes from.
    """
    imports = _imports(decode(source)[0])
    own = {
        name
        for name in imports
        if any((file.parent / place).exists() for place in (f"{name}.py", name))
    }
    libraries = {"practica", *AVAILABLE, *sys.stdlib_module_names}
    others = imports.keys() - own - libraries

    def about(id: str, lines: Mapping[int, str]) -> str:
        places = [(str(place_of(line, cells, lang)), name) for line, name in sorted(lines.items())]
        told = ", ".join(f"{place} ({name})" if name else place for place, name in places)
        facts = {"lines": told, "file": file.name, "available": ", ".join(AVAILABLE)}
        return say(id, facts, lang, strict=False)

    found = [about("check.commands", dict.fromkeys(commands, ""))] if commands else []
    groups = {
        "check.hides": own & libraries,
        "check.beside": own - libraries,
        "check.absent": others,
    }
    for id, names in groups.items():
        lines: dict[int, str] = {}
        for name in sorted(names):  # a line may import several
            lines[imports[name]] = ", ".join(filter(None, [lines.get(imports[name]), name]))
        found += [about(id, lines)] if lines else []
    return found


def _imports(text: str) -> dict[str, int]:
    """Return the packages that a file imports where it is marked, and the first line of each."""
    found: dict[str, int] = {}
    for _, name, line in imports_of(text):
        if package := name.partition(".")[0]:  # a relative import has none
            found[package] = min(line, found.get(package, line))
    return found
