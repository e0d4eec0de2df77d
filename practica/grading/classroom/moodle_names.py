"""The names that Moodle gives to folders and files in the zip of an assignment.

    Ana Pérez_123_assignsubmission_file/solucion.py       a student; the number is the participant's
    Ana Pérez_123_assignsubmission_file_/solucion.py      the same before Moodle 4.1
    Ana Pérez_123_assignsubmission_file_solucion.py       without folders
    Participante_123_assignsubmission_file/solucion.py    blind marking
    Grupo 3_12_assignsubmission_file/...                  a team since Moodle 4.1; the number is the
                                                          group's
    Default group_assignsubmission_file/...               the team of those who are in no group
    Grupo 3-Ana Pérez_123_assignsubmission_file/...       a team before 4.1: every member has a copy
    Ana Pérez_123_assignsubmission_onlinetext/...         text, not a file

Numbers of groups and of participants overlap by chance, and a name does not show which one it has:
that is decided where the worksheet is at hand (`practica.grading.classroom.matching`). Moodle takes
underscores out of the names of people and groups, so that the first `_123_assignsubmission_` is its
own, regardless of what a student calls a file.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass

PATTERN = re.compile(
    r"(?:(?P<owner>(?:(?!_assignsubmission_).)*?)_(?P<number>\d{1,15})|(?P<team>[^_]+))_assignsubmission_(?P<plugin>[a-z]+)(?:_(?P<file>.*))?",
    re.DOTALL,
)
# what Canvas or Blackboard has put before the name that a student gave a file
OF_ANOTHER = re.compile(r"_\d+_\d+_|_\d{4}(-\d\d){5}_")
TAKEN_OUT = re.compile(r"[\x00-\x1f\x7f-\x9f&<>\"`|':\\/]")  # by Moodle, of names of files


@dataclass(frozen=True)
class MoodleName:
    """The parts of a file's or folder's name that Moodle made."""

    owner: str  # a student or a team, or the word that takes the place of the name in blind marking
    number: int | None  # the participant's or the group's; those who are in no group have none
    plugin: str  # "file" or "onlinetext", or what else the assignment takes
    file: str  # what the student called it, in the form without folders; empty in a folder's name
    folder: str  # all that is before it


@functools.lru_cache(4096)
def parse(name: str) -> MoodleName | None:
    """Return the parts of a name in a path; None if Moodle did not make the name.

    >>> parse("Ana_Pérez_123_assignsubmission_file_mi_solucion.py")
    MoodleName(owner='Ana_Pérez', number=123, plugin='file', file='mi_solucion.py', \
folder='Ana_Pérez_123_assignsubmission_file_')
    >>> parse("Default group_assignsubmission_file").number is None
    True
    >>> parse("entrega_3")
    """
    found = PATTERN.fullmatch(name)
    if found is None or OF_ANOTHER.search(found["owner"] or ""):
        return None
    file = found["file"] or ""
    folder = name.removesuffix(file) if file else name
    number = None if found["number"] is None else int(found["number"])
    return MoodleName(found["team"] or found["owner"], number, found["plugin"], file, folder)


def folder_for(name: str, participant: int) -> str:
    """Return the folder in which Moodle looks for what goes back to a participant.

    Moodle 4.1.1 overlooks a folder without the underscore at its end, 4.1.10 and newer take both.
    All find the student by the number; the name is for people, and cut: of a path Moodle takes 255
    characters, and a name may have them all.

    >>> folder_for('Paco "el Chico" Fuente_Ruiz', 168)
    'Paco el Chico Fuente Ruiz_168_assignsubmission_file_'
    """
    # no mark turns the rest of the path round
    seen = "".join(filter(str.isprintable, cleaned(name)))
    return f"{seen[:100]}_{participant}_assignsubmission_file_"


def cleaned(name: str) -> str:
    """Return a name as Moodle writes it in the name of a folder.

    >>> cleaned("Equipo_Ñandú"), cleaned("José O'Hara")
    ('Equipo Ñandú', 'José OHara')
    """
    return " ".join(TAKEN_OUT.sub("", unicodedata.normalize("NFC", name).replace("_", " ")).split())


def slug(name: str) -> str:
    """Return a name fit for a file on any system: words in lower case with hyphens between them,
    without accents.

    Letters that are not ASCII letters with an accent stay as they are.

    >>> slug("Núñez Pérez, José_María"), slug("Łukasz Żółć"), slug("Анна Иванова")
    ('nunez-perez-jose-maria', 'łukasz-zołc', 'анна-иванова')
    """
    words = comparable(name.replace("'", " ")).replace(" ", "-")
    return words[:60].encode()[:120].decode(errors="ignore").rstrip("-")


def id_for(name: str, number: int | None) -> str:
    """Return the id of a submission, made of a name and of the system's number.

    >>> id_for("Ana Pérez", 12), id_for("?", None)
    ('ana-perez-12', 'entrega')
    """
    wanted = slug(name) or "entrega"
    return wanted if number is None else f"{wanted}-{number}"


# the headers of a worksheet are compared in every language and with every separator
@functools.lru_cache(4096)
def comparable(name: str) -> str:
    """Return a name in lower case without accents and signs, to compare ways of writing it.

    >>> comparable("José_María  O'Hara") == comparable("JOSE MARIA OHARA")
    True
    """
    # some letters only then have a case
    plain = unicodedata.normalize("NFKD", cleaned(name).replace("’", ""))
    letters = unicodedata.normalize("NFKD", plain.casefold())
    # a mark that is a vowel combines with 0
    bare = (letter for letter in letters if not unicodedata.combining(letter))
    kept = (letter if unicodedata.category(letter)[0] in "LNM" else " " for letter in bare)
    return unicodedata.normalize("NFC", " ".join("".join(kept).split()))
