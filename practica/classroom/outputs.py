"""All that is made of one canonical result, in one folder.

For people, for Moodle, for Gradescope and for other programs:

    results.json      the canonical result
    index.html        the class; feedback/: a page for each student
    exceptions.txt    what a person has to look at first, and what it is good to know
    NAME.csv, feedback.zip, feedback-teams.zip, moodle.txt
                      what goes back to Moodle, and how, see `practica.classroom.upload`
    grades.csv, junit.xml, gradescope/ID/results.json
"""

from __future__ import annotations

import contextlib
import copy
import json
import logging
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import filterfalse
from pathlib import Path
from typing import NamedTuple, Self

from practica.classroom.exports import write_grades
from practica.classroom.incidents import sentences_of, serious
from practica.classroom.upload import Upload, name_of_copy
from practica.classroom.worksheet import read_worksheet
from practica.engine.result import Entry, Incident, Reason, Result, SubmissionResult
from practica.engine.stored import ids_in
from practica.files import opened_bytes, write_bytes
from practica.report.gradescope import write_gradescope
from practica.report.junit import write_junit
from practica.report.messages import say
from practica.report.pages import page_paths, write_pages
from practica.report.words import flags_of, said, status_of, stop_of, visible

__all__ = ["Exceptions", "Outputs", "as_json"]

RESULTS, GRADES, EXCEPTIONS = "results.json", "grades.csv", "exceptions.txt"
JUNIT, GRADESCOPE = "junit.xml", "gradescope"
JOURNAL, LOG = "diario.jsonl", "registro.log"  # of a run
TAKEN = frozenset([RESULTS, GRADES, EXCEPTIONS, JUNIT, GRADESCOPE, JOURNAL, LOG, "index.html", "feedback"])
UNFINISHED = re.compile(r"\..+\.(\d+)\.partial")  # what practica.files leaves when it is killed, with its process

_log = logging.getLogger(__name__)


class Exceptions(NamedTuple):
    """What a person has to look at, and what it is only good to know: sentences."""

    serious: list[str]
    others: list[str]

    @classmethod
    def of(
        cls,
        incidents: Sequence[Incident],
        marked: Iterable[tuple[str, SubmissionResult]],
        lang: str,
        *,
        only_flags: bool = False,
    ) -> Self:
        """Sort incidents, and what there is to say of named submissions.

        Which are those that could not be run, or to their end, or marked, and what a person should look at in them;
        `only_flags` leaves out what was printed with each submission.
        """
        stops, flags = [], []
        for name, submission in marked:
            if submission.status != "graded":
                stops.append(f"{name}: {status_of(said(submission, lang), lang)}")
            elif stop := stop_of(submission.functions, submission.cells or (), lang, flagged=True):
                stops.append(f"{name}: {stop}")
            flags += [f"{name}: {flag.sentence}" for flag in flags_of(submission, lang)]
        needed = [*sentences_of(filter(serious, incidents), lang), *([] if only_flags else stops), *flags]
        return cls(needed, sentences_of(filterfalse(serious, incidents), lang))

    def as_text(self, lang: str) -> str:
        """Return both lists under their headings; nothing if both are empty."""
        text = ""
        for id, lines in zip(("class.exceptions", "class.notes"), self, strict=True):
            if lines:
                text += (
                    "\n  ".join([say(id, {"count": len(lines)}, lang), *(visible(line, kept="") for line in lines)])
                    + "\n\n"
                )
        return text


class Outputs:
    """The files of a class, in a folder.

    Parameters
    ----------
    folder : path
    lang : "es" or "en"
    worksheet : path, optional
        Moodle's.
    locked_pages, overwrite_marks : bool
        See `practica.classroom.upload.Upload`.

    Raises
    ------
    ValueError
        If the worksheet cannot be read, or there is a pipe in the folder.
    """

    def __init__(
        self,
        folder: Path,
        lang: str,
        worksheet: Path | None = None,
        *,
        locked_pages: bool = False,
        overwrite_marks: bool = False,
    ) -> None:
        self.folder, self.lang, self.worksheet = folder, lang, worksheet
        self.in_moodle = {"locked_pages": locked_pages, "overwrite_marks": overwrite_marks}
        self.steps: list[str] = []  # how to upload it all
        self.written: Result | None = None
        self.exceptions = folder / EXCEPTIONS
        self.sheet = None if worksheet is None else read_worksheet(worksheet)
        if worksheet is not None and worksheet.resolve().parent == folder.resolve():
            raise ValueError(f"{worksheet} is in the folder of the results: the copy would take its place")
        with contextlib.suppress(OSError):  # there is none yet, or it cannot be read
            for path in filter(Path.is_fifo, folder.iterdir()):
                raise ValueError(f"{path} is a pipe: writing to it would wait for a reader")

    def write(self, result: Result) -> Exceptions:
        """Write everything, each file whole or not at all.

        Parameters
        ----------
        result : Result
            Of a class, and nothing else: what was written once can be written anew.

        Returns
        -------
        exceptions : Exceptions
            What a person should know, about the collection too.

        Notes
        -----
        A submission of which something cannot be written, whatever it is, has no mark then, and is an exception; the
        others are written. `written` is the result with that.
        """
        if result.class_ is None:
            raise ValueError("the result is of no class: it does not say who handed in what")
        try:
            return self._write(result)
        except Exception:
            if (without := self._without_failures(result)) is None:
                raise
            return self._write(without)

    def _without_failures(self, result: Result) -> Result | None:
        """Take the marks of the submissions that cannot be written alone; return None if that is not the failure."""
        with tempfile.TemporaryDirectory(prefix="practica-class-") as folder:
            alone = copy.copy(self)
            alone.folder, alone.exceptions = Path(folder), Path(folder, EXCEPTIONS)

            def failure(submissions: tuple[SubmissionResult, ...]) -> Exception | None:
                try:
                    alone._write(replace(result, submissions=submissions))
                except Exception as error:
                    return error
                return None

            if failure(()) is not None:
                return None
            failures = {each.id: error for each in result.submissions if (error := failure((each,)))}
        owners = {entry.id: entry for entry in result.class_.entries} if result.class_ else {}
        submissions = []
        for each in result.submissions:
            if (error := failures.get(each.id)) is not None:
                _log.error("%s cannot be written", each.id, exc_info=error)
                owner = owners.get(each.id, Entry(each.id, each.id))
                file, sha256, most = owner.source, owner.sha256 or "", result.rubric.max_points
                reason = Reason.of_error(error)
                each = SubmissionResult(each.id, file, sha256, "grader_error", reason, None, most, source="", cells=())
            submissions.append(each)
        return replace(result, submissions=tuple(submissions)) if failures else None

    def _write(self, result: Result) -> Exceptions:
        assert result.class_ is not None
        self.written = result
        self.folder.mkdir(parents=True, exist_ok=True)
        entries = result.class_.entries
        labels = {entry.id: entry.label for entry in entries}
        self._remove_others(result)
        with opened_bytes(self.folder / RESULTS) as file:
            file.writelines(line.encode() for line in as_json(result))
        upload = Upload(entries, result.submissions, self.sheet, self.lang, **self.in_moodle)
        write_grades(self.folder / GRADES, entries, result, upload.owners)
        write_junit(self.folder / JUNIT, result, self.lang)
        for submission in result.submissions:
            place = self.folder / GRADESCOPE / submission.id
            place.mkdir(parents=True, exist_ok=True)
            write_gradescope(place / RESULTS, submission, lang=self.lang)
        incidents = (*result.class_.incidents, *upload.incidents, *self._worksheets_of_others())
        marked = [(labels.get(each.id, each.id), each) for each in result.submissions]
        exceptions = Exceptions.of(incidents, marked, self.lang)
        write_bytes(self.exceptions, exceptions.as_text(self.lang).encode())
        pages = write_pages(result, self.folder, self.lang, sentences_of(incidents, self.lang))
        self.steps = upload.write(self.folder, self.worksheet, pages, TAKEN)
        return exceptions

    def _remove_others(self, result: Result) -> None:
        """Remove the files of those who are in the result that lies in the folder, and not in this one."""
        now, then = [each.id for each in result.submissions], ids_in(self.folder / RESULTS)
        for path in {*page_paths(then).values()} - {*page_paths(now).values()}:
            (self.folder / path).unlink(missing_ok=True)
        for name in {*then} - {*now}:
            (self.folder / GRADESCOPE / name / RESULTS).unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # there are files of others in it
                (self.folder / GRADESCOPE / name).rmdir()

    def _worksheets_of_others(self) -> Iterator[Incident]:
        """Report worksheets in the folder that are not filled now: they hold the marks of an earlier run."""
        own = "" if self.worksheet is None else name_of_copy(self.worksheet, TAKEN)
        for path in sorted(self.folder.glob("*.csv")):
            if path.name not in (own, GRADES) and path.is_file():
                with contextlib.suppress(ValueError):  # it is none
                    read_worksheet(path)
                    yield Incident("worksheet.earlier", {"file": path.name})

    def remove_unfinished(self) -> None:
        """Remove what a run that was killed has left half-written, and nothing of a process that goes on."""
        for path in self.folder.rglob(".*.partial"):
            if (found := UNFINISHED.fullmatch(path.name)) and not _lives(int(found[1])):
                path.unlink(missing_ok=True)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # a process of another user
        pass
    return True


def as_json(result: Result) -> Iterator[str]:
    """Yield the lines of a canonical result as JSON, one for each submission."""
    head = json.dumps(result.head_as_json(), ensure_ascii=False)
    yield f'{head[:-1]}, "submissions": ['
    comma = ""
    for submission in result.submissions:
        yield f"{comma}\n{json.dumps(submission.as_json(), ensure_ascii=False)}"
        comma = ","
    yield "\n]}\n"
