"""The language of a folder: what was chosen there with `--lang`, so that it is chosen once.

It is kept where the system keeps such things of a user, and nothing of it in the folder itself.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

import platformdirs

from practica.files import write_bytes
from practica.report.messages import LANGUAGES

__all__ = ["language"]


def language(folder: Path, chosen: str | None = None) -> str:
    """Return the language of a folder, and keep it if one is chosen.

    Parameters
    ----------
    folder : path
    chosen : "es" or "en", optional
        For this folder. Without it, it is the one of the last time.

    Returns
    -------
    lang : str
        Spanish if none was ever chosen; where nothing can be kept, nothing is.
    """
    place = _place(folder)
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if chosen is not None:
            place.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(place, chosen.encode())
        elif (lang := place.read_text(encoding="utf-8")) in LANGUAGES:
            return lang
    return chosen or LANGUAGES[0]


def _place(folder: Path) -> Path:
    name = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:16]
    return platformdirs.user_state_path("practica") / "language" / name
