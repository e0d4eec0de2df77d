"""What was chosen for a folder, so that it is chosen once: the language with `--lang`, and
`--assignment`.

It is kept where the system keeps such things of a user, and nothing of it in the folder itself.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

import platformdirs

from practica.files import write_bytes
from practica.grading.report.messages import LANGUAGES


def language(folder: Path, chosen: str | None = None) -> str:
    """Return the language of a folder, and keep it if one is chosen.

    `chosen` ("es" or "en"): for this folder. Without it, it is the one of the last time.
    Returned `lang`: Spanish if none was ever chosen; where nothing can be kept, nothing is.
    """
    place = _place(folder)
    if chosen is not None:
        _keep(place, chosen)
    elif (lang := _kept(place)) in LANGUAGES:
        return lang
    return chosen or LANGUAGES[0]


def begin_assignment(folder: Path, chosen: Path | None = None) -> None:
    """Check a folder with the assignment that is chosen for it, and keep that.

    Else with the one of the last time.

    Raises `ValueError` if the folder of the assignment is not whole, or no longer there.
    """
    from practica.grading.report.completeness import begin  # after the help, which needs no check

    place = _place(folder, "assignment")
    if chosen is not None:
        begin(chosen)
        _keep(place, str(chosen.resolve() if chosen.exists() else chosen))
    elif kept := _kept(place):
        begin(Path(kept))


def _kept(place: Path) -> str:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return place.read_text(encoding="utf-8")
    return ""


def _keep(place: Path, text: str) -> None:
    with contextlib.suppress(OSError, UnicodeEncodeError):
        place.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(place, text.encode())


def _place(folder: Path, kind: str = "language") -> Path:
    name = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:16]
    return platformdirs.user_state_path("practica") / kind / name
