"""Marks written into the instructor's own worksheet: the rows that are marked, and not a byte more
in them.

Moodle's importer finds its columns by their exact names, takes marks that are blank or out of range
for none without a word, and reads a decimal comma as the end of the number where its language has a
point. So nothing is invented: names, order, dates, separator, quotes, line ends, byte order mark
and encoding are those of the file; a mark has the decimal mark of the file's own numbers, and one
that Moodle would not take is not written but reported.

Rows without a mark stay out: uploaded as they came, they would flatten a teacher's comment and
round an old mark. So do those with a mark or a comment that a person gave: only what bears the
stamp of `practica.grading.report.moodle_comment` is replaced.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

from practica.grading.classroom.csv_text import Cell, rewritten
from practica.grading.classroom.matching import Owners
from practica.grading.classroom.moodle_language import LANGUAGES
from practica.grading.classroom.worksheet import CANVAS, SheetRow, Worksheet, number_in
from practica.grading.engine.result import Entry, Incident
from practica.grading.report.moodle_comment import FORMULAS, is_stamped
from practica.json_data import exact, shortened

LOCKED = {word.casefold() for each in LANGUAGES.values() for word in each.no}
# what a spreadsheet takes for a formula, or skips before one
FORMULA = (*FORMULAS, "\t", "\r", "\n")
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
# PHP takes the quote for a part of the cell, and the rest of the file with it
ESCAPING = re.compile(r'\\(?=")')
BETWEEN = re.compile(r" {3}|\r?\n")  # the values of a scale, before Moodle 4.5 and since
CENT = Decimal("0.01")
LONGEST = 60  # characters of a comment that a sentence of one line quotes


@dataclass(frozen=True)
class Mark:
    """The mark and the feedback that go into a row of the worksheet."""

    points: float
    max_points: float
    # feedback(grade, written, maximum) returns the HTML that Moodle shows beside the mark. The last
    # two are the grade and its maximum as the worksheet has them, or None where the grade is the
    # points themselves
    feedback: Callable[[Decimal, str | None, str | None], str]


@dataclass(frozen=True)
class Filled:
    """A worksheet with the marks in it."""

    # the header and the rows that were marked; None where there is nothing to upload
    content: bytes | None = field(repr=False)
    rows: tuple[SheetRow, ...]  # those that were marked, as they were before
    # those that stay as they were: the grade is locked in Moodle, or a person has given it
    kept: tuple[SheetRow, ...]
    zeros: tuple[SheetRow, ...]  # those that were marked with 0, and had another grade or none
    incidents: tuple[Incident, ...]


def fill(
    sheet: Worksheet,
    entries: Iterable[Entry],
    owners: Owners,
    marks: Mapping[str, Mark],
    *,
    overwrite: Collection[str] = (),
) -> Filled:
    """Write marks into a worksheet.

    `owners`: see `practica.grading.classroom.matching.match`.
    `marks`: by the id of an entry; the rows of an entry without a mark are left out of the result.
    `overwrite`: the ids of the entries for which marks and comments that a person gave are
        replaced, too.
    Returned `filled`: its rows differ from the file's only in the cells for grade and feedback, and
        where a cell holds a backslash before a quote: a space is put between them, and an incident
        reports it.

    If the maximum of the row is that of the rubric, the points are written as they are, and
    otherwise in proportion; rounded to hundredths, halves up. Feedback that a spreadsheet would
    take for a formula has an apostrophe before it; a character that the file's encoding lacks is
    written as in HTML (`&#8594;`).
    """
    if "maximum" not in sheet.columns:
        scale = next((row.value("scale") for row in sheet.rows if row.value("scale")), None)
        if scale is None:
            return Filled(None, (), (), (), (Incident("worksheet.not_graded"),))
        return Filled(
            None,
            (),
            (),
            (),
            (Incident("worksheet.scale", {"scale": ", ".join(BETWEEN.split(scale))}),),
        )
    filling = _Filling(sheet, overwrite=overwrite)
    for entry in entries:
        if entry.id in marks:
            for row in owners.get(entry.id, ()):
                filling.write(entry, row, marks[entry.id])
    return filling.filled()


class _Filling:
    """The changes that marks make in a worksheet, row by row."""

    def __init__(self, sheet: Worksheet, *, overwrite: Collection[str]) -> None:
        self.sheet, self.overwrite = sheet, overwrite
        self.changes: dict[Cell, str] = {}
        self.rows: list[SheetRow] = []
        self.kept: list[SheetRow] = []
        self.zeros: list[SheetRow] = []
        self.incidents: list[Incident] = []
        self.scaled: Counter[tuple[str, str]] = Counter()

    def write(self, entry: Entry, row: SheetRow, mark: Mark) -> None:
        """Write a mark into the row of a student, or report why the row stays as it is."""
        if row.value("changeable").casefold() in LOCKED:
            self.kept.append(row)
            self._tell(entry, row, "worksheet.locked", grade=row.value("grade") or "–")
        elif not row.complete:
            self._tell(entry, row, "worksheet.short")
        elif (grade := self._grade(entry, row, mark)) is not None:
            self._change(entry, row, mark, grade)

    def _change(self, entry: Entry, row: SheetRow, mark: Mark, grade: Decimal) -> None:
        written = f"{grade:.2f}".replace(".", self.sheet.decimal)
        old, comment = number_in(row.value("grade")), row.value("feedback")
        other, manual = (
            row.value("grade") not in ("", "-") and old != grade,
            not is_stamped(comment, old),
        )
        if manual and entry.id not in self.overwrite and (other or comment):
            self.kept.append(row)
            found = ", ".join(
                filter(None, [row.value("grade"), shortened(" ".join(comment.split()), LONGEST)])
            )
            self._tell(entry, row, "worksheet.kept", found=found, new=written)
            return
        self.rows.append(row)
        if other:
            self._tell(entry, row, "worksheet.overwritten", old=row.value("grade"), new=written)
        if old != grade:  # the same mark stays as it was written
            self.changes[row.cells["grade"]] = written
            self.zeros += [row] * (grade == 0)
        maximum = row.value("maximum")
        is_scaled = number_in(maximum) != exact(mark.max_points)
        if is_scaled:
            self.scaled[f"{mark.max_points:.2f}", maximum] += 1
        if "feedback" in row.cells:
            if comment and manual:
                self._tell(entry, row, "worksheet.replaced")
            shown = (written, maximum) if is_scaled else (None, None)
            self.changes[row.cells["feedback"]] = neutral(mark.feedback(grade, *shown))

    def _grade(self, entry: Entry, row: SheetRow, mark: Mark) -> Decimal | None:
        points, max_points = exact(mark.points), exact(mark.max_points)
        if not (points.is_finite() and max_points > 0 and 0 <= points <= max_points):
            self._tell(
                entry, row, "grade.out_of_range", points=str(points), max_points=str(max_points)
            )
            return None
        maximum = number_in(row.value("maximum"))
        if maximum is None or maximum <= 0:
            self._tell(entry, row, "worksheet.no_maximum", maximum=row.value("maximum"))
            return None
        grade = points if maximum == max_points else points * maximum / max_points
        rounded = grade.quantize(CENT, ROUND_HALF_UP)
        return rounded if rounded <= maximum else grade.quantize(CENT, ROUND_DOWN)

    def _tell(self, entry: Entry, row: SheetRow, code: str, **facts: str) -> None:
        # a member of a team
        who = row.label if row.label.startswith(entry.name) else f"{entry.name}: {row.label}"
        self.incidents.append(Incident(code, {"name": who, **facts}, entry.id))

    def filled(self) -> Filled:
        """Return the header and the rows that were marked, in the order of the file."""
        sheet = self.sheet
        rows = sorted(self.rows, key=lambda row: row.line)
        if rows and "feedback" not in sheet.columns:
            self.incidents.append(Incident("worksheet.no_feedback"))
        if rows and sheet.markers:
            self.incidents.append(
                Incident("worksheet.markers", {"columns": ", ".join(sheet.markers)})
            )
        texts = {row.label: sheet.text[row.begin : row.end] for row in rows}
        escaping = [label for label, text in texts.items() if self._spaced(text) != text]
        self.incidents += [Incident("worksheet.backslash", {"row": label}) for label in escaping]
        self.incidents += [
            Incident("grade.scaled", {"max_points": max_points, "maximum": maximum, "rows": count})
            for (max_points, maximum), count in sorted(self.scaled.items())
        ]
        content = self._content(rows) if rows else None
        return Filled(
            content, tuple(rows), tuple(self.kept), tuple(self.zeros), tuple(self.incidents)
        )

    def _content(self, rows: Iterable[SheetRow]) -> bytes:
        text = [self.sheet.text[: self.sheet.header_end], *map(self._written, rows)]
        return self.sheet.mark + "".join(text).encode(self.sheet.encoding)

    def _written(self, row: SheetRow) -> str:
        sheet = self.sheet
        values = {
            cell: self.changes[cell]
            .encode(sheet.encoding, "xmlcharrefreplace")
            .decode(sheet.encoding)
            for cell in row.cells.values()
            if cell in self.changes
        }
        return self._spaced(rewritten(sheet.text, sheet.delimiter, values, row.begin, row.end))

    def _spaced(self, text: str) -> str:
        """Put a space between each backslash and a quote after it, which Moodle would take for a
        part of the cell; return the text as it is for Canvas.
        """
        return text if self.sheet.language == CANVAS else ESCAPING.sub(r"\g<0> ", text)


def neutral(feedback: str) -> str:
    """Put an apostrophe before feedback that a spreadsheet would take for a formula, and replace
    characters that no table can hold.

    >>> neutral("=HYPERLINK(1)"), neutral("<p>2.50</p>")
    ("'=HYPERLINK(1)", '<p>2.50</p>')
    """
    feedback = UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", feedback)
    return f"'{feedback}" if feedback.startswith(FORMULA) else feedback
