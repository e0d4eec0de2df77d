"""A table in text with cells that can be changed without touching anything else.

The `csv` module reads the values of a table and forgets how they were written. Here every cell
keeps its place in the text; what `csv` reads in a table is what this reads. So does Moodle write:
it doubles every quote, also one after a backslash. Only its importer takes that for a part of the
cell (`practica.grading.classroom.filling`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """A cell of a CSV table: its value, and its place in the text."""

    begin: int  # begin, end: its place in the text, quotes included
    end: int
    value: str
    quoted: bool


def table(text: str, delimiter: str) -> list[list[Cell]]:
    r"""Split the text of a CSV table into rows of cells; a blank line is a row without cells.

    `delimiter`: one character.

    >>> [[cell.value for cell in row] for row in table('a;"b ""c""\nd"\r\n\r\n;e', ";")]
    [['a', 'b "c"\nd'], [], ['', 'e']]
    """
    rows: list[list[Cell]] = []
    place = 0
    while place < len(text):
        row: list[Cell] = []
        while True:
            cell = _cell(text, place, delimiter)
            row.append(cell)
            place = cell.end
            if not text.startswith(delimiter, place):
                break
            place += 1
        is_blank = len(row) == 1 and row[0].begin == row[0].end
        rows.append([] if is_blank else row)
        place += 2 if text.startswith("\r\n", place) else 1
    return rows


def _cell(text: str, begin: int, delimiter: str) -> Cell:
    place = begin
    value = ""
    quoted = text.startswith('"', place)
    if quoted:
        place += 1
        while True:
            close = text.find('"', place)
            if close < 0:  # never closed: it takes all the rest
                return Cell(begin, len(text), value + text[place:], True)
            value += text[place:close]
            place = close + 1
            if not text.startswith('"', place):
                break
            value += '"'
            place += 1
    end = place
    while end < len(text) and text[end] not in (delimiter, "\r", "\n"):
        end += 1
    return Cell(begin, end, value + text[place:end], quoted)


def rewritten(
    text: str, delimiter: str, changes: Mapping[Cell, str], begin: int = 0, end: int | None = None
) -> str:
    r"""Return text with new values in some cells, and everything between them as it is.

    `changes`: a cell that was in quotes stays in quotes; another one gets them where its value
        needs them.
    `begin`, `end`: the part of the text to return, which holds all changed cells; by default, all
        of it.

    >>> rewritten("a, b\n", ",", {table("a, b\n", ",")[0][1]: "2,5"})
    'a,"2,5"\n'
    """
    end = len(text) if end is None else end
    pieces = []
    place = begin
    for cell, value in sorted(changes.items(), key=lambda change: change[0].begin):
        pieces += [text[place : cell.begin], _written(value, cell.quoted, delimiter)]
        place = cell.end
    return "".join([*pieces, text[place:end]])


def _written(value: str, quoted: bool, delimiter: str) -> str:
    if quoted or any(
        character in value for character in (delimiter, '"', "\r", "\n", " ", "\t", ",", ";")
    ):
        return '"' + value.replace('"', '""') + '"'
    return value
