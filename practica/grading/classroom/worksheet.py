"""Moodle's grading worksheet, as it was read: its columns under the headers of any language that is
known.

A gradebook that Canvas exports is read too. Its first rows are not students, and one of them has
the points possible. Each assignment has a column that ends in a number in parentheses; there has to
be exactly one.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import takewhile
from pathlib import Path

from practica.grading.classroom.csv_text import Cell, table
from practica.grading.classroom.moodle_language import LANGUAGES
from practica.grading.classroom.moodle_names import comparable

COLUMNS = frozenset(LANGUAGES["en"].columns)
# the column of teams is known in more languages, regardless of the language of the others
_GROUPS = (
    *(name for each in LANGUAGES.values() for name in each.columns["group"]),
    *("Grup", "Groupe", "Gruppe", "Gruppo", "Groep", "Taldea"),
)
# columns of those who mark, compared as the others are
MARKERS = re.compile(
    rf"(?:{'|'.join(comparable(word) for each in LANGUAGES.values() for word in each.markers)})"
    r"\b.*"
)
CANVAS = "canvas"  # where the others have their language
OF_CANVAS = {"name": "Student", "id": "ID", "email": "SIS Login ID"}
ASSIGNMENT = re.compile(r".+\(\d+\)\s*")
POSSIBLE = "points possible"
GROUPED = re.compile(  # thousands, and what follows another mark than the one between them
    r"[+-]?[0-9]{1,3}(?P<mark>[.,'\u2019 \u00a0\u2009\u202f])[0-9]{3}((?P=mark)[0-9]{3}){0,2}"
    r"(?P<end>(?!(?P=mark))[.,][0-9]{0,12})?"
)
DELIMITERS = (",", ";", "\t")
MARKS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
}


@dataclass(frozen=True)
class SheetRow:
    """A student in the worksheet."""

    line: int  # its line in the table, the header being the first
    participant: int | None  # the digits at the end of the identifier
    name: str  # name, email: empty in a blind worksheet
    email: str
    group: str  # the team of the student; empty where the assignment has none
    begin: int  # begin, end: its place in the text, the end of the line included
    end: int
    complete: bool  # whether it has as many cells as the header
    cells: Mapping[str, Cell] = field(repr=False)  # by the names in the files of `languages/`

    @property
    def label(self) -> str:
        """The name by which a person finds the row, with the number where two rows share a name."""
        who = self.name or self.email
        if who and self.participant is not None:
            return f"{who} ({self.participant})"
        return who or self.value("id") or f"{self.line}"

    def value(self, column: str) -> str:
        """Return a cell's text, empty if the row has no such cell.

        `column`: one of `COLUMNS`; another one is a KeyError.
        """
        if column not in COLUMNS:
            raise KeyError(column)
        cell = self.cells.get(column)
        return cell.value.strip() if cell else ""


@dataclass(frozen=True)
class Worksheet:
    """A worksheet as it was read."""

    text: str = field(repr=False)  # all of it but the byte order mark
    mark: bytes  # the byte order mark, empty without one
    encoding: str
    delimiter: str
    decimal: str
    language: str  # one of `LANGUAGES`, or "canvas": of its header
    columns: frozenset[str]  # those that it has
    header_end: int  # where the first row begins
    rows: tuple[SheetRow, ...] = field(repr=False)
    markers: tuple[str, ...] = ()  # the columns of those who mark, which stay as they are


# --- Reading --------------------------------------------------------------------------------------


def read_worksheet(path: Path) -> Worksheet:
    """Read a worksheet of Moodle's, or a gradebook of Canvas's.

    Raises `ValueError` if it cannot be read, or has not the columns that a mark needs.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    mark, encoding, text = decoded(content, path)
    delimiter, language, places = _header(text, path)
    rows = table(text, delimiter)
    heads: list[list[Cell]] = [rows[0]]
    more: dict[str, Cell] = {}
    if language == CANVAS:
        heads += takewhile(lambda row: not _value(row, places["id"]), rows[1:])
        possible = [row[places["grade"]] for row in heads if _value(row, 0).casefold() == POSSIBLE]
        more = {"maximum": possible[0]} if possible else {}
    found = tuple(
        _row(line, row, places, text, more, complete=len(row) == len(rows[0]))
        for line, row in enumerate(rows[1:], start=2)
        # a spreadsheet adds empty ones at the end
        if row not in heads and any(cell.value.strip() for cell in row)
    )
    decimal, end = _decimal(found, delimiter, language), _end(heads[-1], text)
    columns = frozenset([*places, *more])
    markers = tuple(cell.value for cell in rows[0] if MARKERS.fullmatch(comparable(cell.value)))
    return Worksheet(
        text, mark, encoding, delimiter, decimal, language, columns, end, found, markers
    )


def decoded(content: bytes, path: Path) -> tuple[bytes, str, str]:
    """Return the byte order mark, the encoding and the text of a table that a spreadsheet may have
    written.

    `path`: the file, for the error.

    Raises `ValueError` if the bytes are not text in the encoding that the mark announces.
    """
    for encoding, mark in MARKS.items():
        if content.startswith(mark):
            encodings, own = [encoding], mark
            break
    else:
        wide = {0: ["utf-16-be"], 1: ["utf-16-le"]}  # by where the zero of the first letter is
        encodings, own = wide.get(content[:2].find(b"\0"), ["utf-8", "cp1252", "latin-1"]), b""
    for encoding in encodings:
        try:
            return own, encoding, content[len(own) :].decode(encoding)
        except UnicodeDecodeError:
            continue
    raise ValueError(f"{path} is no text in the encoding that it begins in, {encodings[0]}")


def _header(text: str, path: Path) -> tuple[str, str, dict[str, int]]:
    """Return the separator of a table, the language of its header, and the positions of the
    columns.

    `path`: the file, for the error.
    Raises `ValueError` if the header has not the columns that a mark needs, in any language.
    """
    first = re.split(r"\r\n|\r|\n", text, maxsplit=1)[0]
    for delimiter in DELIMITERS:
        if (of_canvas := _places_in_canvas(first, delimiter, path)) is not None:
            return delimiter, CANVAS, of_canvas
    readings = [
        (delimiter, language, _places(first, delimiter, language))
        for delimiter in DELIMITERS
        for language in LANGUAGES
    ]
    delimiter, language, places = max(readings, key=lambda reading: len(reading[2]))
    for column, instead in (("grade", {"grade"}), ("id", {"id", "name", "email"})):
        if not instead & places.keys():
            needed = ", ".join(
                f"{each.columns[column][0]} ({name})" for name, each in LANGUAGES.items()
            )
            raise ValueError(
                f"{path} is no worksheet of Moodle's in a language that is known here: its first"
                f" line has none, or more than one, of the columns {needed}; it is: {first[:200]}"
            )
    return delimiter, language, places


def _places_in_canvas(header: str, delimiter: str, path: Path) -> dict[str, int] | None:
    names = [cell.value.strip() for row in table(header, delimiter) for cell in row]
    if names[:2] != [OF_CANVAS["name"], OF_CANVAS["id"]]:
        return None
    assignments = [name for name in names if ASSIGNMENT.fullmatch(name)]
    if len(assignments) != 1:
        raise ValueError(
            f"{path} is a gradebook of Canvas's, and which column to fill is not clear: keep one of"
            f" an assignment, and delete the others; it has: {', '.join(assignments) or 'none'}"
        )
    own = {column: names.index(name) for column, name in OF_CANVAS.items() if name in names}
    return {**own, "grade": names.index(assignments[0])}


def _value(row: list[Cell], place: int) -> str:
    return row[place].value.strip() if place < len(row) else ""


def _places(header: str, delimiter: str, language: str) -> dict[str, int]:
    names = [comparable(cell.value) for row in table(header, delimiter) for cell in row]
    places = {}
    columns = LANGUAGES[language].columns
    for column, spellings in {**columns, "group": _GROUPS}.items():
        at = [names.index(name) for name in map(comparable, spellings) if names.count(name) == 1]
        if at:
            places[column] = at[0]
    return places


def _row(
    line: int,
    row: list[Cell],
    places: Mapping[str, int],
    text: str,
    more: Mapping[str, Cell],
    *,
    complete: bool,
) -> SheetRow:
    cells = {**more, **{column: row[place] for column, place in places.items() if place < len(row)}}
    values = {column: cell.value.strip() for column, cell in cells.items()}
    digits = re.search(r"(\d{1,18})$", values.get("id", ""))
    participant = int(digits[1]) if digits else None
    name, email, group = (values.get(column, "") for column in ("name", "email", "group"))
    return SheetRow(
        line, participant, name, email, group, row[0].begin, _end(row, text), complete, cells
    )


def _end(row: list[Cell], text: str) -> int:
    """Return the position in the text at which the line after a row begins."""
    end = row[-1].end
    return end + (2 if text.startswith("\r\n", end) else 1)


def _decimal(rows: Iterable[SheetRow], delimiter: str, language: str) -> str:
    """Return the decimal mark of the numbers in some rows.

    Without any number it is a point, which Moodle reads in every language; in a file with
    semicolons, which a spreadsheet has written, it is the mark of the language.
    """
    numbers = [row.value(column) for row in rows for column in ("maximum", "grade")]
    used = Counter(
        number[found.start()] for number in numbers if (found := re.search(r"[.,](?=\d+$)", number))
    )
    if used:
        return used.most_common(1)[0][0]
    if delimiter != ";":
        return "."
    return "," if language == CANVAS else LANGUAGES[language].decimal


def number_in(text: str) -> Decimal | None:
    """Return the number that a cell holds, regardless of its decimal mark.

    None for anything else, such as 1E+03.

    >>> number_in("9,5"), number_in("1,00,0")
    (Decimal('9.5'), None)
    >>> number_in("1,000.00") == number_in("1.000,00") == number_in("1 000,00") == 1000
    True
    """
    if (grouped := GROUPED.fullmatch(text)) is not None:
        mark = grouped["mark"]
        text = (
            text.replace(mark, "")
            if grouped["end"] or mark not in ".," or text.count(mark) > 1
            else text
        )
    return (
        Decimal(text.replace(",", "."))
        if re.fullmatch(r"[+-]?[0-9]{1,12}([.,][0-9]{0,12})?", text)
        else None
    )
