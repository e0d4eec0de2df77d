"""How late submissions are, as the column "Status" of Moodle's worksheet says.

Submitted for grading - 3 days late
Enviado para calificar - 1 día 2 horas después
Submitted for grading - 1 hour late - Graded -  -
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from practica.grading.classroom.matching import match
from practica.grading.classroom.moodle_language import LANGUAGES
from practica.grading.classroom.moodle_names import comparable
from practica.grading.classroom.worksheet import Worksheet
from practica.grading.engine.lateness import DAY
from practica.grading.engine.result import Entry

SECONDS = {
    "year": 365 * DAY,
    "week": 7 * DAY,
    "day": DAY,
    "hour": 60 * 60,
    "minute": 60,
    "second": 1,
}
_WORDS = [each.late for each in LANGUAGES.values()]
UNITS = {
    comparable(getattr(late, unit)): seconds for late in _WORDS for unit, seconds in SECONDS.items()
}
# the longest first: "s" is how "semana" begins
PIECE = rf"(\d+) ?({'|'.join(sorted(UNITS, key=len, reverse=True))})[a-z]*"
AFTER = "|".join(comparable(word) for late in _WORDS for word in late.words)
LATE = re.compile(rf"(?:{PIECE}[ ,]*)+(?:{AFTER})")


def late_by(sheet: Worksheet | None, entries: Iterable[Entry]) -> dict[str, int] | None:
    """Return by how many seconds each late submission is late, by its id; None if there is no
    worksheet that says so.

    Members of a team hand in together. Where one of them has more time, it holds for all.
    """
    if sheet is None or "status" not in sheet.columns:
        return None
    owners, _ = match(sheet, [entry for entry in entries if not entry.absent])
    late = {
        name: min(seconds_late(row.value("status")) for row in rows)
        for name, rows in owners.items()
        if rows
    }
    return {name: seconds for name, seconds in late.items() if seconds}


def seconds_late(status: str) -> int:
    """Return how late a submission is with a status in its row; 0 if it is in time.

    >>> seconds_late("Submitted for grading - 1 hour late -  - ")
    3600
    >>> seconds_late("Enviado para calificar")
    0
    >>> seconds_late("Enviado para calificar - 1 día 2 horas después") / 3600
    26.0
    """
    for part in map(comparable, status.split("-")):
        if LATE.fullmatch(part):
            return sum(int(count) * UNITS[unit] for count, unit in re.findall(PIECE, part))
    return 0
