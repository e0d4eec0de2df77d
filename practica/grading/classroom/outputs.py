"""All that is made of one canonical result, in one folder.

For people, for Moodle and for other programs:

    results.json      the canonical result
    index.html        the class; feedback/: a page for each student
    overrides.csv     what a person decided, which is read and never changed, but by `practica
                      review`
    exceptions.txt    what a person has to look at first, and what it is good to know
    NAME.csv, feedback.zip, feedback-teams.zip, moodle.txt
                      what goes back to Moodle, and how, see `practica.grading.classroom.upload`
    grades.csv        a row for each student
    manifest.json     which of them this program wrote, see `practica.grading.classroom.manifest`
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import shlex
import tempfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from practica.console import as_typed
from practica.files import opened_bytes, remove_tree, write_bytes
from practica.grading.classroom.exports import write_grades
from practica.grading.classroom.late_status import late_by
from practica.grading.classroom.manifest import MANIFEST, Manifest
from practica.grading.classroom.overrides import OVERRIDES
from practica.grading.classroom.upload import OWN, Upload, name_of_copy
from practica.grading.classroom.worksheet import read_worksheet
from practica.grading.engine.adjustments import as_marked, settled
from practica.grading.engine.result import Entry, Incident, Reason, Result, SubmissionResult
from practica.grading.engine.stored import ids_in, read_result, read_submission
from practica.grading.report.messages import say
from practica.grading.report.pages import page_paths, write_pages
from practica.grading.report.questions import Exceptions, is_of_worksheet

RESULTS, GRADES, EXCEPTIONS = "results.json", "grades.csv", "exceptions.txt"
JOURNAL, LOG = "diario.jsonl", "registro.log"  # what a run leaves
FILES = RESULTS, GRADES, EXCEPTIONS, "index.html"
TAKEN = frozenset([*FILES, OVERRIDES, JOURNAL, LOG, MANIFEST, "feedback"])

BEGIN_OF_LOG = re.compile(rb"\d{4}-\d\d-\d\d [\d:,]+ [A-Z]+ |\Z")

_log = logging.getLogger(__name__)


class Outputs:
    """The files that are made from the result of a class, in one folder.

    `worksheet`: the worksheet of Moodle.
    `locked_pages`, `overwrite_marks`: see `practica.grading.classroom.upload.Upload`.
    Raises `ValueError` if the worksheet cannot be read.
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
        self.manifest = Manifest(folder)
        words = [] if worksheet is None else ["--worksheet", as_typed(worksheet.resolve())]
        words += [
            f"--{name.replace('_', '-')}" for name, wanted in self.in_moodle.items() if wanted
        ]
        self.manifest.commands["report"] = "".join(f" {word}" for word in words)
        self.sheet = None if worksheet is None else read_worksheet(worksheet)
        self.copy = None if worksheet is None else name_of_copy(worksheet, TAKEN)
        if worksheet is not None and worksheet.resolve().parent == folder.resolve():
            raise ValueError(
                f"{worksheet} is in the folder of the results: the copy would take its place"
            )

    def begin(self, entries: Collection[Entry]) -> None:
        """Refuse a folder in which something would be lost, before anything is marked or written.

        `entries`: those of the class that is to be written.
        Raises `ValueError` if most submissions with a result in the folder are not in the class, or
            a person has made or changed a file that would be replaced.
        """
        self.refuse_another(entries, ids_in(self.folder / RESULTS))
        self.manifest.adopt(RESULTS, read_result)
        ids = [entry.id for entry in entries if entry.sha256 is not None]
        copies = [] if self.copy is None else [self.copy]
        self._refuse_strangers([*FILES, *OWN, *copies, *page_paths(ids).values()])

    def refuse_another(self, entries: Collection[Entry], there: Collection[str]) -> None:
        """Raise `ValueError` if most of the ids in `there`, which have a result in the folder, are
        not in the class.
        """
        missing = {*there} - {entry.id for entry in entries}
        if 2 * len(missing) > len({*there}):
            facts = {"folder": self.folder, "count": len(missing), "total": len({*there})}
            raise ValueError(say("class.another", facts, self.lang))

    def _refuse_strangers(self, names: Collection[str]) -> None:
        strangers = self.manifest.strangers(names)
        if os.path.lexists(self.folder / LOG) and not _is_log(self.folder / LOG):
            strangers.append(LOG)
        if strangers:
            facts = {
                "folder": self.folder,
                "files": strangers[:10],
                "count": len(strangers),
            }
            was_older = not self.manifest.is_there and ids_in(self.folder / RESULTS)
            why = "class.older" if was_older else "class.strangers"
            raise ValueError(say(why, facts, self.lang))

    def write(self, result: Result) -> Exceptions:
        """Write all outputs, each file whole or not at all.

        `result`: the result of a class, new or read from a folder; any other raises `ValueError`.
        Returned `exceptions`: the questions for a person and the notes, about the collection too.

        If something of a submission cannot be written, it gets no mark and is an exception; the
        others are written. `results.json` keeps what was marked, so that it is there for the next
        report. The attribute `written` is the result with these changes.
        """
        if result.class_ is None:
            raise ValueError("the result is of no class: it does not say who handed in what")
        with self.manifest.aside() as aside:
            try:
                exceptions = self._make(result, aside)
            except Exception:
                if not (unwritten := self._unwritten(result)):
                    raise
                remove_tree(aside)
                exceptions = self._make(result, aside, unwritten)
            self._refuse_strangers(
                [path.relative_to(aside).as_posix() for path in aside.rglob("*") if path.is_file()]
            )
            self.manifest.place(aside, self.copy)
        return exceptions

    def _unwritten(self, result: Result) -> dict[str, SubmissionResult]:
        """Return, by id, a result without a mark for each submission that cannot be written even
        alone.

        There are none if not even an empty class can be written: then the submissions are not the
        cause.
        """

        def failure(submissions: tuple[SubmissionResult, ...]) -> Exception | None:
            with tempfile.TemporaryDirectory(prefix="practica-class-") as folder:
                try:
                    self._make(replace(result, submissions=submissions), Path(folder))
                except Exception as error:
                    return error
            return None

        if failure(()) is not None:
            return {}
        unwritten = {}
        for submission in result.submissions:
            if (error := failure((submission,))) is not None:
                _log.error("%s cannot be written", submission.id, exc_info=error)
                unwritten[submission.id] = _in_place_of(submission, Reason.of_error(error))
        return unwritten

    def _make(
        self,
        result: Result,
        folder: Path,
        unwritten: Mapping[str, SubmissionResult] = MappingProxyType({}),
    ) -> Exceptions:
        """Write all files into an empty folder, and return the questions and notes for a person.

        `unwritten`: by id, the results that take the place of submissions that cannot be written.
        """
        assert result.class_ is not None
        entries = result.class_.entries
        result = settled(result, late_by(self.sheet, entries), unwritten)
        upload = Upload(entries, result, self.sheet, self.lang, **self.in_moodle)
        self.written = result = self._with_worksheet(
            result, (*upload.incidents, *self._worksheets_of_others())
        )
        folder.mkdir(exist_ok=True)
        with opened_bytes(folder / RESULTS) as file:
            file.writelines(line.encode() for line in as_json(result))
        write_grades(folder / GRADES, entries, result, upload.owners)
        exceptions = Exceptions.of(result, self.lang)
        write_bytes(folder / EXCEPTIONS, exceptions.as_text(self.lang).encode())
        pages = write_pages(result, folder, self.lang, exceptions)
        self.steps = upload.write(folder, self.copy, pages)
        return exceptions

    def _with_worksheet(self, result: Result, incidents: Collection[Incident]) -> Result:
        """Return the result with `incidents` in place of those of an earlier worksheet."""
        assert result.class_ is not None
        others = [incident for incident in result.class_.incidents if not is_of_worksheet(incident)]
        return replace(result, class_=replace(result.class_, incidents=(*others, *incidents)))

    def _worksheets_of_others(self) -> Iterator[Incident]:
        """Yield an incident for each worksheet in the folder that is not filled now: it holds the
        marks of an earlier run.
        """
        for path in sorted(self.folder.glob("*.csv")):
            if path.name not in (self.copy, GRADES, OVERRIDES) and path.is_file():
                with contextlib.suppress(ValueError):  # it is not a worksheet
                    read_worksheet(path)
                    yield Incident("worksheet.earlier", {"file": path.name})


def _in_place_of(submission: SubmissionResult, reason: Reason) -> SubmissionResult:
    """Return a result without a mark, for `reason`, in place of one that cannot be written.

    What was marked stays in its `kept` if a stored result can hold it.
    """
    kept = as_marked(submission)
    return SubmissionResult(
        kept.id,
        kept.file,
        kept.sha256,
        "grader_error",
        reason,
        None,
        kept.max_points,
        source="",
        cells=(),
        kept=None if read_submission(kept.as_json()) is None else kept,
    )


def result_in(folder: Path, lang: str = "es") -> Path:
    """Return the path of the canonical result in a folder.

    Raises `ValueError` if there is none.
    """
    path = folder / RESULTS
    if not path.is_file():
        raise ValueError(say("review.no_result", {"folder": folder}, lang))
    return path


def as_before(
    folder: Path, worksheet: Path | None, in_moodle: Mapping[str, bool]
) -> tuple[Path | None, dict[str, bool]]:
    """Return the worksheet and the options of Moodle with which to write a folder: those given, and
    where they are not, those of the last run.

    A worksheet that is no longer there is left out.
    """
    words = shlex.split(Manifest(folder).commands.get("report", ""))
    if worksheet is None and "--worksheet" in words:
        known = Path(words[words.index("--worksheet") + 1])
        worksheet = known if known.is_file() else None
    flags = {
        name: wanted or f"--{name.replace('_', '-')}" in words for name, wanted in in_moodle.items()
    }
    return worksheet, flags


def _is_log(path: Path) -> bool:
    """Return whether a file begins as the log of a run does, or is empty."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return BEGIN_OF_LOG.match(file.readline(100)) is not None


def as_json(result: Result) -> Iterator[str]:
    """Yield the lines of a canonical result as JSON, one for each submission."""
    head = json.dumps(result.head_as_json(), ensure_ascii=False)
    yield f'{head[:-1]}, "submissions": ['
    comma = ""
    for submission in result.submissions:
        yield f"{comma}\n{json.dumps(submission.as_json(), ensure_ascii=False)}"
        comma = ","
    yield "\n]}\n"
