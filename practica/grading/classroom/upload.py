"""What goes back to Moodle: the worksheet with the marks, the zip with the pages, and how to upload
them.

The files lie beside the results:

    NAME.csv            the rows that were marked, in the instructor's own worksheet;
                        worksheet-NAME.csv if another output has that name
    feedback.zip        a page for each student, and for each member of a team
    feedback-teams.zip  in an assignment of teams, a page for each team: which of the two a Moodle
                        takes depends on its version, and the wrong one may give a page to another
                        student
    moodle.txt          what to do in Moodle, in which order, by the names that the buttons have
                        there; canvas.txt for a class of Canvas, with its gradebook and a zip that
                        it takes
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from pathlib import Path

from practica.files import write_bytes
from practica.grading.classroom.exports import feedback_paths, team_paths, write_feedback_zip
from practica.grading.classroom.filling import Filled, Mark, fill
from practica.grading.classroom.matching import Owners, match
from practica.grading.classroom.moodle_language import LANGUAGES
from practica.grading.classroom.worksheet import CANVAS, Worksheet
from practica.grading.engine.adjustments import decided_in
from practica.grading.engine.result import Entry, Incident, Result, SubmissionResult
from practica.grading.report.messages import say
from practica.grading.report.moodle_comment import comment, stamped
from practica.grading.report.words import UNWRITTEN, handed_in
from practica.json_data import Facts, visible

OWN = GUIDE, OF_CANVAS, ZIP, TEAMS_ZIP = (
    "moodle.txt",
    "canvas.txt",
    "feedback.zip",
    "feedback-teams.zip",
)
ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-16-le": "UTF-16LE",
    "utf-16-be": "UTF-16BE",
    "cp1252": "WINDOWS-1252",
    "latin-1": "ISO-8859-1",
}


def name_of_copy(worksheet: Path, taken: Collection[str]) -> str:
    """Return the name for the copy of a worksheet: its own, or another one if it is among the
    `taken` names of the folder.
    """
    return (
        f"worksheet-{worksheet.name}"
        if worksheet.name.casefold() in {*taken, *OWN}
        else worksheet.name
    )


def _feedback(
    submission: SubmissionResult,
    unwritten: Sequence[str],
    lang: str,
    grade: Decimal,
    written: str | None,
    maximum: str | None,
) -> str:
    return stamped(comment(submission, lang, written, maximum, unwritten), grade)


class Upload:
    """The files and steps that take a marked class to Moodle.

    `result`: if the class has a decision about a student, the row is filled even if a person gave
        the mark in it.
    `sheet`: without it, the pages go to the participants with the numbers of the folders.
    `locked_pages`: whether students with a grade that cannot be changed, or was given by a person,
        get the page. They do not by default: it would show them a mark that is not theirs.
    `overwrite_marks`: whether marks and comments that a person gave are replaced.
    `owners`: the rows of each entry in the worksheet.
    """

    def __init__(
        self,
        entries: Iterable[Entry],
        result: Result,
        sheet: Worksheet | None,
        lang: str,
        *,
        locked_pages: bool = False,
        overwrite_marks: bool = False,
    ) -> None:
        self.entries, self.sheet, self.lang = list(entries), sheet, lang
        self.marked = {
            submission.id: submission
            for submission in result.submissions
            if submission.points is not None
        }
        self.owners: Owners | None = None
        self.incidents: tuple[Incident, ...] = ()
        self.filled = Filled(None, (), (), (), ())
        if sheet is not None:
            self.owners, matching = match(sheet, self.entries)
            unwritten = {
                name: handed_in(result.class_, name, lang, UNWRITTEN) for name in self.marked
            }
            marks = {
                name: Mark(
                    each.points,
                    each.max_points,
                    partial(_feedback, each, unwritten[name], lang),
                )
                for name, each in self.marked.items()
                if each.points is not None
            }
            decided = self.marked.keys() if overwrite_marks else decided_in(result)
            self.filled = fill(sheet, self.entries, self.owners, marks, overwrite=decided)
            self.incidents = (*matching, *self.filled.incidents)
        self.without = () if locked_pages else self.filled.kept

    def write(self, folder: Path, name: str | None, pages: Mapping[str, str]) -> list[str]:
        """Write the files for Moodle into `folder`, which has none of them yet.

        `name`: the name of the copy of the worksheet.
        `pages`: by the id of a submission, the path of its page in the folder.
        Returned `steps`: the lines of the guide; none if nothing goes to Moodle.
        """
        copy = None if name is None else folder / name
        if copy is not None and self.filled.content is not None:
            write_bytes(copy, self.filled.content)
        own = [entry for entry in self.entries if entry.id in self.marked]
        in_canvas = any(entry.canvas for entry in self.entries) or (
            self.sheet is not None and self.sheet.language == CANVAS
        )
        places = feedback_paths(self.entries, self.owners, self.without, in_canvas=in_canvas)
        count = self._zip(folder / ZIP, places, pages)
        teams = team_paths(own, self.owners or {})
        if teams:
            self._zip(folder / TEAMS_ZIP, teams, pages)
        in_moodle = (
            any(entry.folder is not None for entry in self.entries) or self.sheet is not None
        )
        steps: list[str] = []
        if in_canvas:
            steps = list(self._steps_in_canvas(copy, count))
        elif in_moodle and count:
            steps = list(self._steps(copy, count, len(teams)))
        if steps:
            write_bytes(
                folder / (OF_CANVAS if in_canvas else GUIDE),
                "".join(f"{step}\n" for step in steps).encode(),
            )
        return steps

    def _zip(self, path: Path, places: Mapping[str, list[str]], pages: Mapping[str, str]) -> int:
        marked = {name: found for name, found in places.items() if name in self.marked}
        files = {
            place: path.parent / pages[name] for name, found in marked.items() for place in found
        }
        write_feedback_zip(path, files)
        return len(files)

    def _steps(self, copy: Path | None, pages: int, teams: int) -> Iterator[str]:
        in_moodle = LANGUAGES[self.sheet.language if self.sheet else self.lang]
        names = in_moodle.buttons
        both = {
            name: self._both(names[name], newer)
            for name, newer in in_moodle.buttons_since_4_5.items()
        }
        facts: Facts = {
            **names,
            **both,
            "pages": pages,
            "zip_file": ZIP,
            "rows": len(self.filled.rows),
        }

        def step(id: str, **more: object) -> str:
            return say(f"upload.{id}", {**facts, **more}, self.lang)

        yield step("title")
        yield step("where")
        number = 0
        if self.sheet is not None and self.filled.content is not None:
            sheet, number = self.sheet, 1
            again = sum(
                row.value("grade") != "" or row.value("graded") not in ("", "-")
                for row in self.filled.rows
            )
            assert copy is not None
            yield step("sheet", number=number, copy=copy.name)
            yield step("language")
            yield step("format", coding=ENCODINGS[sheet.encoding], delimiter=names[sheet.delimiter])
            yield step("box" if again else "no_box", again=again)
            yield step("confirm_sheet")
            if self.filled.zeros:
                yield step(
                    "zeros", students=[visible(row.label, kept="") for row in self.filled.zeros]
                )
        which = {"zip_file": TEAMS_ZIP, "pages": teams} if teams else {}
        yield step("zip" if number else "zip_alone", number=number + 1, **which)
        if teams:
            yield step("teams", other=ZIP, pages=pages)
            if any(row in self.without for row in self.filled.kept):
                yield step("teams_locked")
        if self.sheet is None:
            yield step("no_sheet")
        elif "workflow" in self.sheet.columns:
            yield step("workflow")

    def _steps_in_canvas(self, copy: Path | None, pages: int) -> Iterator[str]:
        if copy is not None and self.filled.content is not None:
            yield say(
                "upload.canvas_sheet", {"copy": copy.name, "rows": len(self.filled.rows)}, self.lang
            )
        if pages:
            yield say("upload.canvas_zip", {"zip_file": ZIP, "pages": pages}, self.lang)

    def _both(self, name: str, newer: str) -> str:
        """Return a label of Moodle 4.1, in quotes, and the one of Moodle 4.5 and later if it
        differs.
        """
        return say(
            "upload.names" if newer != name else "upload.name",
            {"name": name, "newer": newer},
            self.lang,
        )
