"""Language and assignment of a student's folder.

The language is read from what is there. The assignment that was chosen with `--assignment` is kept
where the system keeps such things of a user, and nothing of it in the folder itself.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

import platformdirs

from practica.files import write_bytes
from practica.grading.engine.current import AssignmentError, choose
from practica.grading.report.messages import language_of_locale

SOLUTION = "solucion.py"
STATEMENTS = {"es": "enunciado.html", "en": "statement.html"}


def language(folder: Path, chosen: str | None = None, file: Path | None = None) -> str:
    """Return the language in which a command answers.

    `chosen` ("es" or "en"): the language of `--lang`. By default, that of the statement which the
        file names, then that of the statement in the folder, then that of the user's locale.
    `file`: by default the one that a student's folder has.
    """
    if chosen is not None:
        return chosen
    text = ""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        text = (file or folder / SOLUTION).read_text(encoding="utf-8")
    named = [lang for lang, page in STATEMENTS.items() if f"`{Path(page).stem}.md`" in text]
    there = [lang for lang, page in STATEMENTS.items() if (folder / page).exists()]
    return next(iter([*named, *there]), language_of_locale())


def begin_assignment(folder: Path, chosen: Path | None = None) -> None:
    """Choose the assignment of this process: the one given, or else the one that `folder` had last.

    `folder`: the student's; the assignment is remembered for it.
    `chosen`: the folder of an assignment.
    Raises `ValueError` if the folder of the assignment lacks something, or is no longer there.
    """
    from practica.grading.report.completeness import begin  # after the help, which needs no check

    place = _place(folder)
    if chosen is not None:
        begin(chosen)
        _keep(place, str(chosen.resolve() if chosen.exists() else chosen))
    elif kept := _kept(place):
        begin(Path(kept))


def choose_kept(folder: Path) -> None:
    """Choose the assignment with which a folder was checked last, without trying it again."""
    if kept := _kept(_place(folder)):
        with contextlib.suppress(AssignmentError):  # it may be there no longer
            choose(Path(kept))


def _kept(place: Path) -> str:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return place.read_text(encoding="utf-8")
    return ""


def _keep(place: Path, text: str) -> None:
    with contextlib.suppress(OSError, UnicodeEncodeError):
        place.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(place, text.encode())


def _place(folder: Path) -> Path:
    name = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:16]
    return platformdirs.user_state_path("practica") / "assignment" / name
