"""Where the pages go: `index.html`, and one file for each student in `feedback/`, ready to be
sent.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from practica.files import write_bytes
from practica.grading.engine.result import Result
from practica.grading.report.pages.feedback import feedback_page
from practica.grading.report.pages.index import index_page
from practica.grading.report.questions import Exceptions

_UNSAFE = re.compile(r'[<>:"/\\|?*]')  # not in names of files, on some system
# devices, on another one
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def page_paths(identifiers: Iterable[str]) -> dict[str, str]:
    """Return where the page of each submission goes, relative to the class's page.

    `identifiers`: all of the class, each once. They may hold anything.
    Returned `paths`: names that every system allows, no two alike, not even where capital letters
        make no difference.

    >>> list(page_paths(["Ana Núñez", "ana núñez", "..", "a/b"]).values())
    ['feedback/Ana Núñez.html', 'feedback/ana núñez-2.html', 'feedback/_.html', 'feedback/a_b.html']
    """
    paths: dict[str, str] = {}
    taken: set[str] = set()
    for identifier in identifiers:
        name = unique = _safe(identifier)
        number = 1
        while unique.casefold() in taken:
            number += 1
            unique = f"{name}-{number}"
        taken.add(unique.casefold())
        paths[identifier] = f"feedback/{unique}.html"
    return paths


def _safe(identifier: str) -> str:
    name = unicodedata.normalize("NFC", identifier)
    name = "".join(
        character if character.isprintable() else "_" for character in _UNSAFE.sub("_", name)
    )
    # bytes, which leaves room for an ending and a number
    name = name.encode()[:150].decode(errors="ignore").strip(" .") or "_"
    return f"_{name}" if _RESERVED.fullmatch(name) else name


def write_pages(
    result: Result, folder: Path, lang: str = "es", exceptions: Exceptions | None = None
) -> dict[str, str]:
    """Write the page of the class and one for each submission.

    `result`: with the `source` of each submission.
    `folder`: it is created.
    `exceptions`: see `practica.grading.report.pages.index_page`.
    Returned `paths`: where the page of each submission is, see `page_paths`.
    Raises `ValueError` if a file cannot be written; none is left half-written.
    Raises `OSError` if the folder cannot be created.
    """
    (folder / "feedback").mkdir(parents=True, exist_ok=True)
    paths = page_paths(submission.id for submission in result.submissions)
    for submission in result.submissions:
        write_bytes(folder / paths[submission.id], feedback_page(submission, result, lang).encode())
    write_bytes(folder / "index.html", index_page(result, lang, exceptions, paths).encode())
    return paths
