"""All that is made of one canonical result, in one folder.

For people, for Moodle, for Gradescope and for other programs:

    results.json      the canonical result
    index.html        the class; feedback/: a page for each student
    exceptions.txt    what a person has to look at first
    NAME.csv          the instructor's own worksheet, with grades and comments filled in
    feedback.zip      what Moodle takes back
    grades.csv, junit.xml, gradescope/ID/results.json
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from practica.classroom.collect import Collection
from practica.classroom.exports import write_feedback_zip, write_grades
from practica.classroom.feedback import feedback_html
from practica.classroom.gradescope import write_gradescope
from practica.classroom.incidents import Incident, told
from practica.classroom.junit import write_junit
from practica.classroom.similarity import require_copydetect, similar_pairs
from practica.classroom.worksheet import Mark, fill, read_worksheet
from practica.files import write_bytes
from practica.grader.pages import page_paths, write_pages

__all__ = ["Outputs", "as_json"]

RESULTS = "results.json"


class Outputs:
    """The files of a class, in a folder.

    Parameters
    ----------
    folder : path
    collection : Collection
    sources : dict of bytes
        The file of each submission, by its id.
    lang : "es" or "en"
    worksheet : path, optional
        Moodle's.
    template : bytes, optional
        What all students were given, to compare what they did; None not to compare.

    Raises
    ------
    ValueError
        If the worksheet cannot be read, or there is nothing to compare with.
    """

    def __init__(
        self,
        folder: Path,
        collection: Collection,
        sources: Mapping[str, bytes],
        lang: str,
        worksheet: Path | None = None,
        template: bytes | None = None,
    ) -> None:
        self.folder, self.collection, self.sources, self.lang = folder, collection, sources, lang
        self.worksheet, self.template = worksheet, template
        self.sheet = None if worksheet is None else read_worksheet(worksheet)
        if template is not None:
            require_copydetect()
        if worksheet is not None and worksheet.resolve() == (folder / worksheet.name).resolve():
            raise ValueError(f"{worksheet} is in the folder of the results: the copy would take its place")

    def write(self, result: Mapping[str, Any]) -> tuple[Incident, ...]:
        """Write everything, each file whole or not at all.

        Returns
        -------
        incidents : tuple of Incident
            What a person should know, the collection's included.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        entries = self.collection.entries
        write_bytes(self.folder / RESULTS, as_json(result).encode())
        write_grades(self.folder / "grades.csv", entries, result)
        write_junit(self.folder / "junit.xml", result)
        for submission in result["submissions"]:
            place = self.folder / "gradescope" / submission["id"]
            place.mkdir(parents=True, exist_ok=True)
            write_gradescope(place / RESULTS, submission, lang=self.lang)
        incidents = (*self.collection.incidents, *self._fill(result))
        exceptions = told(incidents, self.lang)
        write_bytes(self.folder / "exceptions.txt", "".join(f"{line}\n" for line in exceptions).encode())
        similar = [] if self.template is None else similar_pairs(self.sources, self.template)
        write_pages(result, self.sources, self.folder, self.lang, exceptions, similar)
        self._zip(result)
        return incidents

    def _fill(self, result: Mapping[str, Any]) -> tuple[Incident, ...]:
        if self.sheet is None or self.worksheet is None:
            return ()
        cells = {entry.id: entry.cells for entry in self.collection.entries}
        marks = {
            submission["id"]: Mark(
                submission["points"],
                submission["max_points"],
                feedback_html(submission, lang=self.lang, cells=cells[submission["id"]]),
            )
            for submission in result["submissions"]
        }
        filled = fill(self.sheet, self.collection.entries, marks)
        write_bytes(self.folder / self.worksheet.name, filled.content, data=[self.worksheet])
        return filled.incidents

    def _zip(self, result: Mapping[str, Any]) -> None:
        paths = page_paths(submission["id"] for submission in result["submissions"])
        entries = {entry.id: entry for entry in self.collection.entries}
        files = [(entries[name], "feedback.html", (self.folder / path).read_bytes()) for name, path in paths.items()]
        write_feedback_zip(self.folder / "feedback.zip", files)


def as_json(result: Mapping[str, Any]) -> str:
    """Return a canonical result as JSON, a submission a line."""
    head = {key: value for key, value in result.items() if key != "submissions"}
    lines = ",\n".join(json.dumps(submission, ensure_ascii=False) for submission in result["submissions"])
    return f'{json.dumps(head, ensure_ascii=False)[:-1]}, "submissions": [\n{lines}\n]}}\n'
