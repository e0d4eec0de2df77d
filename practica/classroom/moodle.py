"""The names that Moodle gives to folders and files in the zip of an assignment.

    Ana Pérez_123_assignsubmission_file/solucion.py       since Moodle 4.1
    Ana Pérez_123_assignsubmission_file_/solucion.py      before
    Ana Pérez_123_assignsubmission_file_solucion.py       without folders
    Participante_123_assignsubmission_file/solucion.py    blind marking
    Grupo 3-Ana Pérez_123_assignsubmission_file/...       a team: every member has a copy
    Ana Pérez_123_assignsubmission_onlinetext/...         a text, no file

Moodle takes underscores out of people's names, so that the first `_123_assignsubmission_` is its own, whatever a
student calls a file.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

__all__ = ["MoodleName", "comparable", "parse", "slug"]

PATTERN = re.compile(r"(?P<person>.*?)_(?P<participant>\d{1,18})_assignsubmission_(?P<plugin>[a-z]+)(?:_(?P<file>.*))?")


@dataclass(frozen=True)
class MoodleName:
    """The parts of a name of Moodle's.

    Attributes
    ----------
    person : str
    participant : int
    plugin : str
        "file" or "onlinetext", or what else the assignment takes.
    file : str
        What the student called it, in the form without folders; empty in a folder's name.
    folder : str
        All that is before it: what a file of feedback goes back under.
    """

    person: str
    participant: int
    plugin: str
    file: str
    folder: str


def parse(name: str) -> MoodleName | None:
    """Read one part of a path, None if it is not Moodle's.

    Examples
    --------
    >>> parse("Ana_Pérez_123_assignsubmission_file_mi_solucion.py")
    MoodleName(person='Ana_Pérez', participant=123, plugin='file', file='mi_solucion.py', \
folder='Ana_Pérez_123_assignsubmission_file_')
    >>> parse("entrega_3")
    """
    found = PATTERN.fullmatch(name)
    if found is None:
        return None
    file = found["file"] or ""
    folder = name.removesuffix(file) if file else name
    return MoodleName(found["person"], int(found["participant"]), found["plugin"], file, folder)


def slug(name: str) -> str:
    """Return a name in ASCII, fit for a file on any system: words in lower case with hyphens between them.

    Examples
    --------
    >>> slug("Núñez Pérez, José_María")
    'nunez-perez-jose-maria'
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:60].rstrip("-")


def comparable(name: str) -> str:
    """Return a name as it is compared with another way of writing it: without accents, case and signs.

    Examples
    --------
    >>> comparable("José_María  O'Hara") == comparable("JOSE MARIA OHARA")
    True
    """
    letters = unicodedata.normalize("NFKD", name.casefold().replace("_", " ").replace("'", "").replace("’", ""))
    kept = (letter if letter.isalnum() else " " for letter in letters if not unicodedata.combining(letter))
    return " ".join("".join(kept).split())
