"""Moodle's grading worksheet: grade and feedback filled in the instructor's own file, and not a byte more.

Moodle's importer finds its columns by their exact names, takes marks that are blank or out of range for none without a
word, and reads a decimal comma as the end of the number where its language has a point. So nothing is invented: names,
order, dates, separator, quotes, line ends, byte order mark and encoding are those of the file; a mark has the decimal
mark of the file's own numbers, and one that Moodle would not take is not written but told.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal, InvalidOperation
from pathlib import Path

from practica.classroom.cells import Cell, rewritten, table
from practica.classroom.collect import Entry
from practica.classroom.incidents import Incident
from practica.classroom.moodle import comparable

__all__ = ["Filled", "Mark", "Row", "Worksheet", "fill", "neutral", "read_worksheet"]

# The names of Moodle's columns; those after the first of a language are of other versions and countries. They are
# compared without accents and case.
COLUMNS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "es": {
        "id": ("Identificador",),
        "name": ("Nombre completo", "Nombre"),
        "email": ("Dirección de correo", "Dirección Email", "Correo electrónico", "Dirección de correo electrónico"),
        "grade": ("Calificación",),
        "maximum": ("Calificación máxima",),
        "changeable": ("La calificación puede ser cambiada", "La calificación puede cambiarse"),
        "feedback": ("Comentarios de retroalimentación", "Comentarios de la retroalimentación", "Comentarios"),
    },
    "en": {
        "id": ("Identifier",),
        "name": ("Full name", "Name"),
        "email": ("Email address", "E-mail address", "Email"),
        "grade": ("Grade",),
        "maximum": ("Maximum Grade",),
        "changeable": ("Grade can be changed",),
        "feedback": ("Feedback comments",),
    },
    "gl": {
        "id": ("Identificador",),
        "name": ("Nome completo", "Nome"),
        "email": ("Enderezo de correo", "Enderezo electrónico", "Enderezo de correo electrónico"),
        "grade": ("Cualificación",),
        "maximum": ("Cualificación máxima",),
        "changeable": ("A cualificación pode seren cambiada", "A cualificación pode ser cambiada"),
        "feedback": ("Comentarios de retroalimentación", "Comentarios da retroalimentación", "Comentarios"),
    },
}
LOCKED = ("no", "non")
DELIMITERS = (",", ";", "\t")
MARKS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
}
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # what a spreadsheet takes for a formula, or skips before one
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
CENT = Decimal("0.01")


@dataclass(frozen=True)
class Row:
    """A student in the worksheet.

    Attributes
    ----------
    line : int
        Its line in the table, the header being the first.
    participant : int or None
        The digits at the end of the identifier.
    name, email : str
        Empty in a blind worksheet.
    cells : dict from column to Cell
        Those of `COLUMNS` that the row has.
    """

    line: int
    participant: int | None
    name: str
    email: str
    cells: Mapping[str, Cell] = field(repr=False)

    @property
    def label(self) -> str:
        """How a person finds the row."""
        return self.name or self.email or self.value("id") or f"{self.line}"

    def value(self, column: str) -> str:
        """Return a cell's text, empty if the row has no such cell."""
        cell = self.cells.get(column)
        return cell.value.strip() if cell else ""


@dataclass(frozen=True)
class Worksheet:
    """A worksheet as it was read.

    Attributes
    ----------
    text : str
        All of it but the byte order mark.
    mark : bytes
        The byte order mark, empty without one.
    encoding, delimiter, decimal : str
    language : "es", "en" or "gl"
        Of its header.
    columns : frozenset of str
        Which of `COLUMNS` it has.
    rows : tuple of Row
    """

    text: str = field(repr=False)
    mark: bytes
    encoding: str
    delimiter: str
    decimal: str
    language: str
    columns: frozenset[str]
    rows: tuple[Row, ...] = field(repr=False)


@dataclass(frozen=True)
class Mark:
    """What goes into a row.

    Attributes
    ----------
    points : float or None
        None leaves the grade as it is; the feedback is written all the same.
    max_points : float
    feedback : str
        HTML, which is what Moodle shows.
    """

    points: float | None
    max_points: float
    feedback: str


@dataclass(frozen=True)
class Filled:
    """A worksheet with the marks in it.

    Attributes
    ----------
    content : bytes
    filled : int
        How many rows have a grade or feedback from here.
    incidents : tuple of Incident
    """

    content: bytes = field(repr=False)
    filled: int
    incidents: tuple[Incident, ...]


# --- Reading --------------------------------------------------------------------------------------------------------


def read_worksheet(path: Path) -> Worksheet:
    """Read a worksheet.

    Raises
    ------
    ValueError
        If it cannot be read, or has not the columns that a mark needs.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    mark, encoding, text = _decoded(content)
    delimiter, language, places = _header(text, path)
    rows = table(text, delimiter)
    found = tuple(_row(line, row, places) for line, row in enumerate(rows[1:], start=2) if row)
    return Worksheet(
        text, mark, encoding, delimiter, _decimal(found, delimiter, language), language, frozenset(places), found
    )


def _decoded(content: bytes) -> tuple[bytes, str, str]:
    for encoding, mark in MARKS.items():
        if content.startswith(mark):
            encodings, own = [encoding], mark
            break
    else:
        encodings, own = ["utf-8", "cp1252", "latin-1"], b""
    for encoding in encodings:
        try:
            return own, encoding, content[len(own) :].decode(encoding)
        except UnicodeDecodeError:
            continue
    raise ValueError(f"the worksheet is not in the encoding of its byte order mark, {encodings[0]}")


def _header(text: str, path: Path) -> tuple[str, str, dict[str, int]]:
    """Find the separator and the language in which the first line names most columns, and where they are."""
    first = re.split(r"\r\n|\r|\n", text, maxsplit=1)[0]
    readings = [
        (delimiter, language, _places(first, delimiter, language)) for delimiter in DELIMITERS for language in COLUMNS
    ]
    delimiter, language, places = max(readings, key=lambda reading: len(reading[2]))
    if "grade" not in places:
        raise ValueError(
            f"{path} is no worksheet of Moodle's: it has not one column Calificación, or Grade, but {first[:200]}"
        )
    if not {"id", "name", "email"} & places.keys():
        raise ValueError(
            f"{path} has no column that tells whose a row is, Identificador or Identifier, but {first[:200]}"
        )
    return delimiter, language, places


def _places(header: str, delimiter: str, language: str) -> dict[str, int]:
    names = [comparable(cell.value) for row in table(header, delimiter) for cell in row]
    places = {}
    for column, spellings in COLUMNS[language].items():
        at = [names.index(name) for name in map(comparable, spellings) if names.count(name) == 1]
        if at:
            places[column] = at[0]
    return places


def _row(line: int, row: list[Cell], places: Mapping[str, int]) -> Row:
    cells = {column: row[place] for column, place in places.items() if place < len(row)}
    text = {column: cell.value.strip() for column, cell in cells.items()}
    digits = re.search(r"(\d{1,18})$", text.get("id", ""))
    return Row(line, int(digits[1]) if digits else None, text.get("name", ""), text.get("email", ""), cells)


def _decimal(rows: Iterable[Row], delimiter: str, language: str) -> str:
    """Return the decimal mark of the numbers in the file.

    Without any: a point, which Moodle reads in every language; but a comma in a file with semicolons that is not in
    English, which a spreadsheet has written.
    """
    numbers = [row.value(column) for row in rows for column in ("maximum", "grade")]
    used = Counter(number[found.start()] for number in numbers if (found := re.search(r"[.,](?=\d+$)", number)))
    if used:
        return used.most_common(1)[0][0]
    return "," if delimiter == ";" and language != "en" else "."


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.replace(",", "."))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


# --- Filling --------------------------------------------------------------------------------------------------------


def fill(sheet: Worksheet, entries: Iterable[Entry], marks: Mapping[str, Mark]) -> Filled:
    """Write marks into a worksheet.

    Parameters
    ----------
    sheet : Worksheet
    entries : Entry
        All of the class, so that rows without submission and submissions without row can be told.
    marks : dict from the id of an entry to Mark
        The row of an entry that is not here stays as it is.

    Returns
    -------
    filled : Filled
        Its content differs from the file in cells of the columns of grade and feedback alone. Rows that were not found
        for certain are not written, and the incidents say which.

    Notes
    -----
    A mark out of the maximum of the rubric is written as it is where that is the maximum of the row, and in proportion
    otherwise; rounded to hundredths, halves up. Feedback that a spreadsheet would take for a formula has an apostrophe
    before it; a character that the file's encoding has not is written as HTML does (`&#8594;`).
    """
    entries = list(entries)
    owners, incidents = _matched(sheet, entries)
    changes: dict[Cell, str] = {}
    scaled: Counter[tuple[str, str]] = Counter()
    filled = 0
    for entry in entries:
        row, mark = owners.get(entry.id), marks.get(entry.id)
        if row is None or mark is None:
            continue
        if (reason := _closed(sheet, row)) is not None:
            incidents.append(_about(entry, reason))
            continue
        own, told = _cells(sheet, entry, row, mark, scaled)
        changes |= own
        incidents += told
        filled += bool(own)
    if "feedback" not in sheet.columns:
        incidents.append(Incident("worksheet.no_feedback"))
    incidents += [
        Incident("grade.scaled", {"max_points": max_points, "maximum": maximum, "rows": rows})
        for (max_points, maximum), rows in sorted(scaled.items())
    ]
    return Filled(_encoded(sheet, changes), filled, tuple(incidents))


def _about(entry: Entry, code: str, **facts: str | int) -> Incident:
    return Incident(code, {"name": entry.name, **facts}, entry.id)


def _closed(sheet: Worksheet, row: Row) -> str | None:
    if row.value("changeable").casefold() in LOCKED:
        return "worksheet.locked"
    wanted = sheet.columns & {"grade", "feedback"}
    return None if wanted <= row.cells.keys() else "worksheet.short"


def _cells(
    sheet: Worksheet, entry: Entry, row: Row, mark: Mark, scaled: Counter[tuple[str, str]]
) -> tuple[dict[Cell, str], list[Incident]]:
    """Return the new values of a row, and what there is to say about them."""
    changes: dict[Cell, str] = {}
    incidents = []
    if mark.points is not None:
        grade, problem = _grade(sheet, entry, row, mark)
        if grade is None:
            return {}, [problem] if problem else []
        written = f"{grade:.2f}".replace(".", sheet.decimal)
        old = _number(row.value("grade"))
        if row.value("grade") and old != grade:
            incidents.append(_about(entry, "worksheet.overwritten", old=row.value("grade"), new=written))
        if old != grade:  # the same mark stays as it was written
            changes[row.cells["grade"]] = written
        if "maximum" in sheet.columns and _number(row.value("maximum")) != _exact(mark.max_points):
            scaled[f"{mark.max_points:.2f}", row.value("maximum")] += 1
    if "feedback" in row.cells:
        feedback = neutral(mark.feedback)
        if row.value("feedback") and row.cells["feedback"].value != feedback:
            incidents.append(_about(entry, "worksheet.replaced"))
        changes[row.cells["feedback"]] = feedback
    return changes, incidents


def _grade(sheet: Worksheet, entry: Entry, row: Row, mark: Mark) -> tuple[Decimal | None, Incident | None]:
    points, max_points = _exact(mark.points or 0.0), _exact(mark.max_points)
    if not (points.is_finite() and max_points > 0 and 0 <= points <= max_points):
        return None, _about(entry, "grade.out_of_range", points=str(points), max_points=str(max_points))
    maximum = _number(row.value("maximum")) if "maximum" in sheet.columns else max_points
    if maximum is None or maximum <= 0:
        return None, _about(entry, "worksheet.no_maximum", maximum=row.value("maximum"))
    grade = points if maximum == max_points else points * maximum / max_points
    rounded = grade.quantize(CENT, ROUND_HALF_UP)
    return (rounded if rounded <= maximum else grade.quantize(CENT, ROUND_DOWN)), None


def _exact(number: float) -> Decimal:
    return Decimal(repr(float(number)))


def neutral(feedback: str) -> str:
    """Return feedback that no spreadsheet takes for a formula, without characters that no table can hold.

    Examples
    --------
    >>> neutral("=HYPERLINK(1)"), neutral("<p>2.50</p>")
    ("'=HYPERLINK(1)", '<p>2.50</p>')
    """
    feedback = UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", feedback)
    return f"'{feedback}" if feedback.startswith(FORMULA) else feedback


def _encoded(sheet: Worksheet, changes: Mapping[Cell, str]) -> bytes:
    written = {
        cell: value.encode(sheet.encoding, "xmlcharrefreplace").decode(sheet.encoding)
        for cell, value in changes.items()
    }
    return sheet.mark + rewritten(sheet.text, sheet.delimiter, written).encode(sheet.encoding)


# --- Whose row is whose ---------------------------------------------------------------------------------------------


def _matched(sheet: Worksheet, entries: list[Entry]) -> tuple[dict[str, Row], list[Incident]]:
    """Find the row of each entry; where anything speaks against it there is none, and an incident says why."""
    rows_by = {
        "id": _grouped((row.participant, row) for row in sheet.rows),
        "email": _grouped((comparable(row.email), row) for row in sheet.rows),
        "name": _grouped((comparable(row.name), row) for row in sheet.rows),
    }
    incidents = [
        Incident("worksheet.twice", {"line": rows[0].line, "participant": participant})
        for participant, rows in rows_by["id"].items()
        if isinstance(participant, int) and len(rows) > 1
    ]
    repeated = Counter(entry.participant for entry in entries)
    found: dict[str, Row] = {}
    for entry in entries:
        row, incident = _row_of(entry, rows_by, by_id="id" in sheet.columns)
        if incident is not None:
            incidents.append(incident)
        if row is not None and (entry.participant is None or repeated[entry.participant] == 1):
            found[entry.id] = row  # those that are there twice were told when the class was collected
    incidents += _absent(sheet, entries, found)
    return _unshared(found, entries, incidents), incidents


def _grouped(pairs: Iterable[tuple[int | str | None, Row]]) -> dict[int | str | None, list[Row]]:
    groups: dict[int | str | None, list[Row]] = {}
    for key, row in pairs:
        if key not in (None, ""):
            groups.setdefault(key, []).append(row)
    return groups


def _row_of(
    entry: Entry, rows_by: Mapping[str, Mapping[int | str | None, list[Row]]], *, by_id: bool
) -> tuple[Row | None, Incident | None]:
    if by_id and entry.participant is not None:
        rows = rows_by["id"].get(entry.participant, [])
        if not rows:
            return None, _about(entry, "worksheet.unknown", participant=entry.participant)
        if len(rows) > 1:
            return None, None  # told of the rows
        if _is_another(entry.name, rows[0].name):
            return None, _about(entry, "worksheet.other_name", participant=entry.participant, row=rows[0].name)
        return rows[0], None
    for column in ("email", "name"):
        rows = rows_by[column].get(comparable(entry.name), [])
        if len(rows) == 1:
            return rows[0], _about(entry, f"worksheet.by_{column}")
        if rows:
            return None, _about(entry, "worksheet.ambiguous")
    return None, _about(entry, "worksheet.nobody")


def _is_another(name: str, in_the_worksheet: str) -> bool:
    """Tell whether two names have no word in common; blind marking gives no name, and other alphabets may be lost."""
    ours, theirs = ({word for word in comparable(each).split() if word.isascii()} for each in (name, in_the_worksheet))
    blind = {"participante", "participant"} & (ours | theirs)
    return bool(ours and theirs and not blind and not ours & theirs)


def _unshared(found: dict[str, Row], entries: list[Entry], incidents: list[Incident]) -> dict[str, Row]:
    times = Counter(row.line for row in found.values())
    shared = {identifier for identifier, row in found.items() if times[row.line] > 1}
    incidents += [
        _about(entry, "worksheet.shared", row=found[entry.id].label) for entry in entries if entry.id in shared
    ]
    return {identifier: row for identifier, row in found.items() if identifier not in shared}


def _absent(sheet: Worksheet, entries: list[Entry], found: Mapping[str, Row]) -> list[Incident]:
    """Tell the rows of nobody who handed something in."""
    participants = {entry.participant for entry in entries} - {None}
    names = {comparable(entry.name) for entry in entries}
    lines = {row.line for row in found.values()}
    return [
        Incident("worksheet.no_submission", {"row": row.label})
        for row in sheet.rows
        if row.line not in lines and row.participant not in participants and comparable(row.name) not in names
    ]
