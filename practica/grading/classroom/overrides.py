"""What a person decided about a class: the table `overrides.csv`, beside the results.

    identifier,function,points,note,sha256
    ana-12,accuracy,0.20,The threshold is right; the check was too strict.,
    luis-14,total,1.50,Marked at the oral exam.,
    eva-13,late,0,Ill.,
    ivan-20,extension,2,,
    eva-13,file:final/p1.py,,,
    ana-12,,,Well explained.,
    ana-12,seen:flag:os.system,,Harmless.,3f9a
    ,seen:path.layout:1b2c3d4e,,They know.,

`function` is a row of the rubric, "total", "late" (what the lateness costs, 0 to excuse it),
"extension" (days), which of several files is marked, nothing for a comment that the student reads,
or what `practica review` has shown, without an identifier where that is about the class. With the
beginning of a hash a line holds for that file only. The table may be as any spreadsheet writes it.
A line that makes no sense is refused before anything is marked.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from practica.files import private_folder, write_bytes
from practica.grading.classroom.csv_text import Cell, table
from practica.grading.classroom.manifest import MANIFEST
from practica.grading.classroom.matching import absent_from
from practica.grading.classroom.moodle_names import comparable
from practica.grading.classroom.worksheet import Worksheet, decoded, number_in
from practica.grading.engine.adjustments import COMMENT, EXTENSION, FILE, LATE, SEEN, TOTAL, settled
from practica.grading.engine.result import Decision, Result
from practica.grading.engine.stored import read_result
from practica.grading.report.messages import say
from practica.json_data import exact, plain
from practica.nearest import closest

OVERRIDES = "overrides.csv"
COLUMNS = ("identifier", "function", "points", "note", "sha256")
SPELLINGS = {
    "identificador": "identifier",
    "id": "identifier",
    "funcion": "function",
    "puntos": "points",
    "nota": "note",
}
# of the column "function", besides the English ones
WORDS = {"retraso": LATE, "prorroga": EXTENSION}
MOST_SAID = 20  # lines that are refused with a sentence each


def maxima_of(result: Result) -> dict[str, float]:
    """Return the most points of each row of the rubric, by its name, and of the total."""
    rows = {
        function.name: function.max_points
        for submission in result.submissions
        for function in submission.functions
    }
    return {**rows, TOTAL: result.rubric.max_points}


def read_class(path: Path, lang: str = "es", sheet: Worksheet | None = None) -> Result:
    """Read the result of a class, and apply the decisions in the table beside it.

    `sheet`: if given, the students without a submission are those of this worksheet.

    If a folder that this program wrote has no table, a person has removed it, and nothing is
    decided. A result that was copied out of its folder keeps the decisions in it. A result of no
    class is returned as it is.
    Raises `ValueError` if the result or the table cannot be used.
    """
    result = read_result(path)
    if result.class_ is None:
        return result
    class_, maxima = result.class_, maxima_of(result)
    if sheet is not None:
        decided = {decision.identifier for decision in class_.decisions}
        entries = [each for each in class_.entries if not each.absent or each.id in decided]
        entries += absent_from(sheet, entries)
        class_ = replace(class_, entries=tuple(sorted(entries, key=lambda entry: entry.id)))
    ids = [entry.id for entry in class_.entries]
    decisions = read_decisions(path.with_name(OVERRIDES), ids, maxima, lang)
    if decisions is None and not path.with_name(MANIFEST).exists():
        decisions = class_.decisions
    class_ = replace(class_, decisions=decisions or ())
    return settled(replace(result, class_=class_))


def read_decisions(
    path: Path, ids: Iterable[str], maxima: Mapping[str, float], lang: str = "es"
) -> tuple[Decision, ...] | None:
    """Read a table of decisions.

    `ids`: the ids of all entries of the class.
    `maxima`: the most points of each row of the rubric, and of "total".
    Returned `decisions`: in the order of the table; None if there is no table.
    Raises `ValueError` with a sentence for each line that makes no sense.
    """
    if (found := _read(path)) is None:
        return None
    text, names, rows = found
    if missing := [name for name in COLUMNS[:4] if name not in names]:
        header = text.partition("\n")[0].strip()
        raise ValueError(
            say("override.header", {"file": path, "missing": missing, "header": header}, lang)
        )
    reading = Reading(set(ids), maxima, lang)
    for number, row in enumerate(rows, start=2):
        values = _values(names, row)
        if _is_beyond(names, row):
            reading.refuse(number, "cells", count=len(row), most=len(names))
        elif any(values.values()):
            reading.read(number, values)
    if reading.wrong:
        lines = [
            say("override.line", {"file": path, "line": at, "reason": why}, lang)
            for at, why in reading.wrong
        ]
        rest = len(lines) - MOST_SAID
        more = [say("override.more", {"count": rest}, lang)] if rest > 0 else []
        raise ValueError("\n".join([*lines[:MOST_SAID], *more]))
    return tuple(reading.decisions.values())


def chosen_files(path: Path) -> dict[str, str]:
    """Return, by the id of a submission, which of its files a person chose in the table at `path`.

    Other decisions are not read; if there is no table, the result is empty.
    """
    _, names, rows = _read(path) or ("", [], [])
    lines = [_values(names, row) for row in rows]
    return {
        values.get("identifier", ""): function.removeprefix(FILE).strip()
        for values in lines
        if (function := values.get("function", "")).startswith(FILE)
    }


def _read(path: Path) -> tuple[str, list[str], list[list[Cell]]] | None:
    """Return a table as text, the names of its columns, and its rows; None if there is no table."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}") from None
    _, _, text = decoded(content, path)
    return text, *_rows(text)[1:]


def _rows(text: str) -> tuple[str, list[str], list[list[Cell]]]:
    """Return the separator of a table, the names of its columns, and its rows."""
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    header, *rows = table(text, delimiter) or [[]]
    names = (comparable(cell.value) or cell.value.strip() for cell in header)
    return delimiter, [SPELLINGS.get(name, name) for name in names], rows


def _values(names: Sequence[str], row: Sequence[Cell]) -> dict[str, str]:
    return dict(zip(names, (plain(cell.value.strip()) for cell in row), strict=False))


def _is_beyond(names: Sequence[str], row: Sequence[Cell]) -> bool:
    """Return whether a row has text under no header, or more cells than headers, as when 1,50 has
    become two cells.
    """
    filled = [place for place, cell in enumerate(row) if cell.value.strip()]
    longer = len(row) > len(names)
    return bool(filled) and (longer or not all(names[place] for place in filled))


def _key(values: Mapping[str, str]) -> tuple[str, str, str]:
    """Return the submission, the function and the hash of the file that a line decides about: no
    two lines may share all three.
    """
    name, function, sha256 = (
        values.get(column, "") for column in ("identifier", "function", "sha256")
    )
    what = FILE if function.startswith(FILE) else WORDS.get(comparable(function), function)
    return name, what, sha256.lower()


class Reading:
    """The decisions read so far from a table, and the error of each wrong line."""

    def __init__(self, ids: set[str], maxima: Mapping[str, float], lang: str) -> None:
        self.ids, self.maxima, self.lang = ids, maxima, lang
        self.decisions: dict[tuple[str, str, str], Decision] = {}
        self.lines: dict[tuple[str, str, str], int] = {}
        self.wrong: list[tuple[int, str]] = []

    def read(self, number: int, values: Mapping[str, str]) -> None:
        """Read one line, and record either its decision or what is wrong with it."""
        name, function, sha256 = key = _key(values)
        points = values.get("points", "")
        if (reason := self._reason(*key, points, values.get("note", ""))) is not None:
            self.wrong.append((number, reason))
        elif key in self.lines:
            self.refuse(number, "twice", name=name, function=function, line=self.lines[key])
        else:
            value = number_in(points)
            self.lines[key] = number
            whole = values["function"] if function == FILE else function
            self.decisions[key] = Decision(
                name, whole, None if value is None else float(value), values.get("note", ""), sha256
            )

    def refuse(self, number: int, id: str, **facts: object) -> None:
        """Record what is wrong with a line, by the id of its sentence."""
        self.wrong.append((number, self._say(id, **facts)))

    def _reason(self, name: str, function: str, sha256: str, points: str, note: str) -> str | None:
        """Return why the cells of a line are refused; None if they are accepted."""
        most = {LATE: self.maxima[TOTAL], EXTENSION: 366, **self.maxima}.get(function)
        value = number_in(points)
        # one about the class has no name
        if name not in self.ids and (name or not function.startswith(SEEN)):
            return self._say("id", name=name, closest=closest(name, self.ids, ""))
        if not re.fullmatch("[0-9a-f]{0,64}", sha256):
            return self._say("sha256", sha256=sha256)
        if function == FILE and sha256:
            return self._say("file_sha256", sha256=sha256)
        if function.startswith((SEEN, FILE)):
            return self._say("seen_points", points=points) if points else None
        if function == COMMENT:
            return self._say("comment") if points or not note else None
        if most is None:
            known = [*self.maxima, LATE, EXTENSION]
            return self._say(
                "function", function=function, closest=closest(function, known, ""), known=known
            )
        if value is None or not 0 <= value <= exact(most):
            unit = "days" if function == EXTENSION else "points"
            return self._say(unit, points=points, most=f"{most:g}", function=function)
        if function != EXTENSION and value != round(value, 2):
            return self._say("decimals", points=points)
        if points.isdecimal() and note.isdecimal():  # 1,50 in two cells
            return self._say("comma", points=points, note=note)
        return None

    def _say(self, id: str, **facts: object) -> str:
        return say(f"override.{id}", facts, self.lang)


def as_table(decisions: Iterable[Decision]) -> bytes:
    """Return decisions as the table that `read_decisions` reads."""
    lines = [_line(dict(zip(COLUMNS, COLUMNS, strict=True)), COLUMNS, ",")]
    lines += [_line(_written(decision), COLUMNS, ",") for decision in decisions]
    return "".join(lines).encode("utf-8-sig")


def _written(decision: Decision) -> dict[str, str]:
    values = {name: str(getattr(decision, name)) for name in COLUMNS}
    return {**values, "points": "" if decision.points is None else f"{decision.points:.10g}"}


def _line(values: Mapping[str, str], names: Sequence[str], delimiter: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\r\n").writerow(
        [values.get(name, "") for name in names]
    )
    return text.getvalue()


def record(path: Path, decision: Decision) -> None:
    """Add a decision to a table, which is created if needed.

    Only an earlier decision about the same function of the same submission is removed. The file
    keeps its separator, its encoding, and its other columns.
    """
    if not path.exists():
        write_bytes(path, as_table([decision]), private=True)
        return
    mark, encoding, text = decoded(path.read_bytes(), path)
    delimiter, names, rows = _rows(text)
    names += ["sha256"] * ("sha256" not in names)
    values = _written(decision)
    for row in reversed(rows):
        if row and _key(_values(names, row)) == _key(values):
            end = row[-1].end
            text = text[: row[0].begin] + text[end:].removeprefix("\r").removeprefix("\n")
    if "sha256" not in _rows(text)[1]:
        head, _, rest = text.partition("\n")
        text = f"{head.rstrip()}{delimiter}sha256\r\n{rest}"
    if delimiter == ";":  # from a spreadsheet to which 0.25 is not a number
        values["points"] = values["points"].replace(".", ",")
    text = text + "\r\n" * (not text.endswith("\n")) + _line(values, names, delimiter)
    try:
        content = mark + text.encode(encoding)
    except UnicodeEncodeError:
        content = text.encode("utf-8-sig")
    write_bytes(path, content)


def take_along(result: Result, folder: Path, lang: str = "es") -> None:
    """Write the decisions that a result holds into the table of the folder where the result goes.

    Raises `ValueError` if the table there has other decisions.
    """
    assert result.class_ is not None
    path, decisions = folder / OVERRIDES, result.class_.decisions
    there = (
        read_decisions(path, [entry.id for entry in result.class_.entries], maxima_of(result), lang)
        or ()
    )
    if others := set(there) - set(decisions):
        raise ValueError(say("override.others", {"file": path, "count": len(others)}, lang))
    for decision in decisions:
        if decision not in there:
            private_folder(folder)
            record(path, decision)
