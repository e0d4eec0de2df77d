"""What an author of an assignment may have forgotten, found before anything is marked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from practica.engine.current import AssignmentError, assignment, choose
from practica.engine.framework import load_checks
from practica.engine.rubric import load_rubric, official_rubric
from practica.report.messages import LANGUAGES, MessageError, catalogue


def begin(folder: Path) -> None:
    """Make a folder the assignment of this process.

    Raises `ValueError` if something is missing in it, or cannot be read: the sentence names the
    file and what to write.
    """
    choose(folder)
    for reason in _missing():
        raise AssignmentError(reason)


def _missing() -> Iterator[str]:
    folder, checks = assignment().folder, load_checks()
    rows = load_rubric(checks=checks).rows
    for check in checks.values():
        if check.row not in rows:
            yield (
                f"{official_rubric()} has no row [functions.{check.row}] for the check {check.id!r}"
            )
    for lang in LANGUAGES:
        try:
            sentences = catalogue(lang)
        except MessageError as error:
            raise AssignmentError(str(error)) from None
        file = folder / f"messages.{lang}.toml"
        for id in checks if file.exists() or not any(folder.glob("messages.*.toml")) else ():
            if id not in sentences:
                yield f"{file} has no sentence for the check {id!r}"
