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
    """Return, by the id of each late submission, how many seconds late it is; None if no worksheet
    says so.

    A team hands in together: the member who is least late, having more time, counts for all.
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
    """Return how many seconds late a submission with this status in the worksheet is; 0 if it is in
    time.

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
