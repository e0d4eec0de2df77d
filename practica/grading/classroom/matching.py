"""The rows of the worksheet that belong to a submission: found for certain, or not at all.

    what the zip has                            what the row has
    Ana Pérez_167_...                           Identifier 167 and the name Ana Pérez
    Participante_203_..., in blind marking      Identifier Participante203
    Grupo A_8_..., a team since Moodle 4.1      Group Grupo A, in the row of each member; the 8 is
                                                the group's
    Default group_..., those in no group        Group Default group
    Grupo A-Ana Pérez_167_..., before 4.1       Identifier 167, the name Ana Pérez and, if there,
                                                Group Grupo A
    perezana_167_2045_..., of Canvas            ID 167 and the name Pérez, Ana, in Canvas's
                                                gradebook
    ana.py, from elsewhere                      a name or an e-mail address that no other row has

A number alone decides nothing: those of groups and of participants overlap by chance, a worksheet
may be another assignment's, and a spreadsheet writes the group 0429 as 429. If two readings are
possible, a person has to look.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from decimal import Decimal
from typing import TypeVar

from practica.grading.classroom.moodle_names import cleaned, comparable, id_for
from practica.grading.classroom.worksheet import CANVAS, SheetRow, Worksheet
from practica.grading.engine.result import Entry, Incident

Owners = dict[str, tuple[SheetRow, ...]]
WRITTEN: tuple[Callable[[str], str], ...] = (cleaned, comparable)
# how the ids of a class are made of a student's row: in Moodle, in Canvas, and by the name or the
# login alone
WAYS: tuple[Callable[[SheetRow], str], ...] = (
    lambda row: id_for(_name_of(row), row.participant),
    lambda row: id_for(_joined(row.name), row.participant),
    lambda row: id_for(_name_of(row), None),
    lambda row: id_for(row.email, None),
)
Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")


def match(sheet: Worksheet, entries: Iterable[Entry]) -> tuple[Owners, list[Incident]]:
    """Find the rows of the worksheet that belong to the student, or the team, of each submission.

    `entries`: all of the class, so that rows without submission and submissions without row can be
        reported.
    Returned `owners`: by the id of an entry, its row, or for a team the rows of all members. An
        entry without a certain row is left out.
    Returned `incidents`: why entries have no row, or how the row was found, and rows without a
        submission.
    """
    entries = list(entries)
    owners, incidents, absent = _matched(sheet, entries)
    ids = {entry.id for entry in entries if entry.absent}
    owners |= {id: (row,) for row in absent for id in _ids_of(row) if id in ids}
    return owners, incidents + [
        Incident("worksheet.no_submission", {"row": row.label}) for row in absent
    ]


def teams_of(sheet: Worksheet | None, entries: Iterable[Entry]) -> dict[str, str]:
    """Return, by the id of each entry that belongs to a team, the name of the team; several of its
    members may have handed in.
    """
    owners = {} if sheet is None else match(sheet, entries)[0]
    return {id: row.group for id, rows in owners.items() for row in rows if row.group}


def absent_from(sheet: Worksheet, entries: Iterable[Entry]) -> list[Entry]:
    """Return an entry for each student of the worksheet who handed in nothing and is not among the
    entries; none for students who would have the same id.

    The id is the one that a submission of the student would have in this class.
    """
    entries = list(entries)
    owners, _, absent = _matched(sheet, entries)
    ids = {entry.id for entry in entries}
    votes = Counter(
        way for id, (row, *_) in owners.items() for way, own in enumerate(_ids_of(row)) if own == id
    )
    way = max(range(len(WAYS)), key=lambda way: votes[way])
    missing = [(row, _ids_of(row)[way]) for row in absent if ids.isdisjoint(_ids_of(row))]
    times = Counter(id for _, id in missing)
    return [
        Entry(id, _name_of(row), row.participant, absent=True)
        for row, id in missing
        if times[id] == 1
    ]


def _name_of(row: SheetRow) -> str:
    """Return the name in a row, or the identifier that blind marking writes instead."""
    return row.name or row.email or re.sub(r"\d+$", "", row.value("id"))


def _ids_of(row: SheetRow) -> list[str]:
    """Return the ids that a submission of the student in a row may have, one for each of `WAYS`."""
    return [way(row) for way in WAYS]


def _matched(
    sheet: Worksheet, entries: Iterable[Entry]
) -> tuple[Owners, list[Incident], list[SheetRow]]:
    """Match the entries of those who handed in; return their rows by id, the incidents, and the
    rows without a submission.
    """
    entries = [entry for entry in entries if not entry.absent]
    search = _Search(sheet, entries)
    owners, incidents = {}, search.twice()
    if search.by_group and "submitted" not in sheet.columns:
        incidents.append(Incident("worksheet.no_submitted"))
    repeated = Counter(entry.number for entry in entries)
    del repeated[None]
    for entry in entries:
        rows, found = search.rows_of(entry)
        incidents += found
        search.reported |= {row.line for row in rows}
        # repeated ones were reported when the class was collected
        if rows and repeated[entry.number] <= 1:
            owners[entry.id] = rows
    owners = _unshared(owners, entries, incidents)
    return owners, incidents, [row for row in sheet.rows if row.line not in search.reported]


class _Search:
    """The rows of a worksheet by what may identify their student or team."""

    def __init__(self, sheet: Worksheet, entries: Iterable[Entry]) -> None:
        self.sheet = sheet
        self.names = _grouped(dict.fromkeys(entry.name for entry in entries), _as_number)
        # the lines that found their submission, or are in an incident
        self.reported: set[int] = set()
        self.by_participant = _grouped(sheet.rows, lambda row: row.participant)
        self.by_group = _grouped(sheet.rows, lambda row: row.group)
        # Moodle's own way of writing names first: it takes less away than ours.
        self.groups = [(written, _grouped(self.by_group, written)) for written in WRITTEN]
        self.by_text = {
            "email": _grouped(sheet.rows, lambda row: comparable(row.email)),
            "name": _grouped(sheet.rows, lambda row: comparable(row.name)),
        }

    def twice(self) -> list[Incident]:
        """Return an incident for each identifier that several rows have."""
        return [
            Incident("worksheet.twice", {"line": rows[0].line, "participant": participant})
            for participant, rows in self.by_participant.items()
            if participant is not None and len(rows) > 1
        ]

    def rows_of(self, entry: Entry) -> tuple[tuple[SheetRow, ...], list[Incident]]:
        """Return the rows of the worksheet that belong to an entry, and the incidents; no rows if
        anything contradicts the match.
        """
        groups = self._groups_of(entry)
        if len(groups) > 1:
            return (), [_about(entry, "worksheet.groups_alike", groups=", ".join(sorted(groups)))]
        if (group := self._written_as_number(entry, groups)) is not None:
            self.reported |= {row.line for row in self.by_group[group]}
            return (), [_about(entry, "worksheet.group_number", group=group)]
        members = self.by_group[groups[0]] if groups else []
        by_number = "id" in self.sheet.columns and (
            _is_of_canvas(entry) if self.sheet.language == CANVAS else entry.folder is not None
        )
        own, near, incidents = self._numbered(entry) if by_number else self._named(entry)
        if members and own and members != [own]:
            self.reported |= {row.line for row in (*members, own)}
            return (), [_about(entry, "worksheet.team_or_student", row=own.label, group=groups[0])]
        if members:
            return self._who_handed_in(entry, members)
        self.reported |= {row.line for row in near}
        return ((own,) if own else ()), incidents

    def _groups_of(self, entry: Entry) -> list[str]:
        for written, groups in self.groups:
            if found := groups.get(written(entry.name)):
                return found
        return []

    def _written_as_number(self, entry: Entry, groups: list[str]) -> str | None:
        """Return a group to which an entry may or may not belong, because a spreadsheet has turned
        the name of a group into a number; None if there is no doubt.

        `groups`: those that the entry's name fits as it is. Without any, a group that fits as a
            number is in doubt; otherwise the first of them is, if another submission's name is the
            same number, or the members of the group did not hand in together.
        """
        if (number := _as_number(entry.name)) is None:
            return None
        if not groups:
            return next((group for group in self.by_group if _as_number(group) == number), None)
        others = [
            name for name in self.names[number] if name != entry.name and name not in self.by_group
        ]
        times = {row.value("submitted") for row in self.by_group[groups[0]]} - {"", "-"}
        return groups[0] if others or len(times) > 1 else None

    def _who_handed_in(
        self, entry: Entry, members: list[SheetRow]
    ) -> tuple[tuple[SheetRow, ...], list[Incident]]:
        """Return the rows of a group whose members handed in, and an incident for each row that
        Moodle marks as not submitted: it belongs to another group of the same name.

        Rows with an identifier that several rows have are left out as well; `twice` reports them.
        """
        members = [row for row in members if len(self.by_participant.get(row.participant, ())) <= 1]
        absent = [row for row in members if row.value("submitted") == "-"]
        self.reported |= {row.line for row in absent}
        incidents = [_about(entry, "worksheet.not_submitted", row=row.label) for row in absent]
        return tuple(row for row in members if row not in absent), incidents

    def _numbered(self, entry: Entry) -> tuple[SheetRow | None, list[SheetRow], list[Incident]]:
        """Return the row that has the number and the name of an entry (None if there is no match),
        all rows with the number, and the incident that says why there is no match.
        """
        rows = self.by_participant.get(entry.number, [])
        if not rows:
            code = (
                "worksheet.no_group"
                if self.by_group or entry.number is None
                else "worksheet.unknown"
            )
            return None, [], [_about(entry, code)]
        if len(rows) > 1:
            return None, rows, []  # `twice` reports the rows
        agrees = (
            _joined(entry.name) == _joined(rows[0].name)
            if _is_of_canvas(entry)
            else _agree(entry.name, rows[0], in_teams=bool(self.by_group))
        )
        if agrees:
            return rows[0], rows, []
        code = "worksheet.other_name" if rows[0].name else "worksheet.unnamed"
        return None, rows, [_about(entry, code, row=rows[0].label)]

    def _named(self, entry: Entry) -> tuple[SheetRow | None, list[SheetRow], list[Incident]]:
        """Return the only row with the name or the e-mail address of an entry (None if there is not
        exactly one), all rows that have it, and the incident that says how it was found or why not.

        The name of one student may be the address of another.
        """
        found = {
            name: rows_by.get(comparable(entry.name), []) for name, rows_by in self.by_text.items()
        }
        rows = list({row.line: row for column in found.values() for row in column}.values())
        if len(rows) == 1:
            how = "email" if found["email"] else "name"
            return rows[0], rows, [_about(entry, f"worksheet.by_{how}")]
        if rows:
            labels = ", ".join(row.label for row in rows)
            return None, rows, [_about(entry, "worksheet.ambiguous", rows=labels)]
        return None, [], [_about(entry, "worksheet.nobody")]


def _is_of_canvas(entry: Entry) -> bool:
    """Return whether the number of an entry is that of a student in Canvas."""
    return entry.folder is None and entry.number is not None


def _about(entry: Entry, code: str, **facts: str | int) -> Incident:
    return Incident(code, {"name": entry.label, **facts}, entry.id)


def _grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    groups: dict[Key, list[Item]] = {}
    for item in items:
        if (name := key(item)) not in (None, ""):
            groups.setdefault(name, []).append(item)
    return groups


def _agree(name: str, row: SheetRow, *, in_teams: bool) -> bool:
    """Return whether the name of a folder is that of a row, or the word that blind marking writes
    instead.

    `in_teams`: whether the name of the row's group, if it has one, has to stand before it.
    """
    word = re.sub(r"\d+$", "", row.value("id"))
    return any(_same(name, f"{row.group}-{own}" if in_teams else own) for own in (row.name, word))


def _as_number(name: str) -> Decimal | None:
    """Return the number that a spreadsheet makes of a name such as 0429, 4.0 or 1E3; None for other
    names.
    """
    return (
        Decimal(name.replace(",", "."))
        if re.fullmatch(r"\s*\d{1,12}([.,]\d{1,12})?([eE]\d{1,2})?\s*", name)
        else None
    )


def _joined(name: str) -> str:
    """Return a name without the spaces, signs and accents that Canvas leaves out in the name of a
    file.
    """
    return comparable(name).replace(" ", "")


def _same(one: str, in_the_worksheet: str) -> bool:
    """Return whether a name is the one in the worksheet, in any order of its words.

    A "?" in the worksheet stands for a letter that the spreadsheet could not save.
    """
    ours, theirs = comparable(one), comparable(in_the_worksheet)
    if ours and sorted(ours.split()) == sorted(theirs.split()):
        return True
    if "?" not in in_the_worksheet:
        return bool(
            not ours and not theirs and cleaned(one) and cleaned(one) == cleaned(in_the_worksheet)
        )
    pattern = re.escape(cleaned(in_the_worksheet)).replace(r"\?", ".")
    return re.fullmatch(pattern, cleaned(one)) is not None


def _unshared(owners: Owners, entries: list[Entry], incidents: list[Incident]) -> Owners:
    """Leave out each entry that shares a row with another one, and add an incident for it."""
    times = Counter(row.line for rows in owners.values() for row in rows)
    shared = {name for name, rows in owners.items() if any(times[row.line] > 1 for row in rows)}
    for entry in entries:
        if entry.id in shared:
            rows = ", ".join(row.label for row in owners[entry.id] if times[row.line] > 1)
            incidents.append(_about(entry, "worksheet.shared", row=rows))
    return {name: rows for name, rows in owners.items() if name not in shared}
