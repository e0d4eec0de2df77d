"""A class from folders and zips: one entry per student, with the file to grade or the reason why
there is none.
"""

from __future__ import annotations

import hashlib
import logging
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, starmap
from pathlib import Path, PurePosixPath
from types import MappingProxyType

import msgspec

from practica.files import write_bytes
from practica.grading.classroom.archives import (
    ArchiveLimits,
    Held,
    Member,
    RefusedFile,
    inside,
    members,
)
from practica.grading.classroom.grader_limits import TooMuchError, apart
from practica.grading.classroom.layouts import OwnedFiles
from practica.grading.classroom.moodle_names import id_for, slug
from practica.grading.classroom.owners import listed_alone, of_students_alone, parts_of
from practica.grading.classroom.pick_file import (
    CODE,
    MOST_ALIKE,
    OTHER_ARCHIVES,
    TEXT,
    Candidate,
    Written,
    called,
    candidates,
    choose,
    few_of,
    known_functions,
    listed,
    suffix_of,
    without_copy,
)
from practica.grading.engine.result import Class, Entry, Incident, RuleResult
from practica.json_data import plain
from practica.notebook import rules_of_cells

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Submitted(Entry):
    """What one student handed in, and the file to grade.

    `file`: the file to grade, in the workspace; None if there is nothing to grade.
    `cells` (tuple of (cell, line in the cell)): if the file was a notebook, where each line of
        `file` comes from; (0, 0) for a line that is not the student's.
    `broken`: by the name of a function, the rule that it breaks because its cell is not Python.
    """

    file: Path | None = None
    cells: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    broken: Mapping[str, RuleResult] = field(default_factory=dict, repr=False)
    incidents: tuple[Incident, ...] = ()


@dataclass(frozen=True)
class Collection:
    """The submissions of a class, as they were collected.

    `entries`: in the order of their ids.
    `incidents`: those of all entries, and those of the whole class.
    """

    entries: tuple[Submitted, ...]
    incidents: tuple[Incident, ...]

    def as_class(
        self, more: Iterable[Incident] = (), similar: Iterable[tuple[str, str, float]] = ()
    ) -> Class:
        """Return the class in the form that a result stores.

        `more`: incidents to add.
        `similar`: (id, id, share of the code in common) of submissions that resemble each other.
        """
        collected = Class(self.entries, (*self.incidents, *more), tuple(similar))
        return msgspec.convert(plain(asdict(collected)), Class)


def collect(
    paths: Path | Iterable[Path],
    workspace: Path,
    *,
    limits: ArchiveLimits | None = None,
    wanted: Mapping[str, str] = MappingProxyType({}),
) -> Collection:
    """Read the submissions of a class.

    `paths`: files `.py` and `.ipynb`, folders, and zips: Moodle's own, those of
        `practica.grading.classroom.layouts`, or any with a file or folder per student. A file or
        folder that Moodle named belongs, with all that is in it, to the student of that name.
    `workspace`: a folder, created if needed, where the file to grade of each entry is copied to,
        `workspace/<id>/<name>`: its bytes as they are, or the code of the notebook.
    `limits`: the most that is read from one student's submission.
    `wanted`: by the id of a submission, the file that a person chose from several.
    Raises `ValueError` if a path cannot be read, or a file of the workspace cannot be written.
    Raises `OSError` if the workspace cannot be created.
    """
    paths = [paths] if isinstance(paths, Path) else list(paths)
    limits = limits or ArchiveLimits()
    workspace.mkdir(parents=True, exist_ok=True)
    known_functions()  # read once: each submission is read in a process of its own
    parts, incidents = _shared_out(paths)
    entries: dict[str, Submitted] = {}
    places: dict[str, str] = {}
    for part in sorted(
        parts, key=lambda part: (part.name, part.moodle.folder if part.moodle else "", part.place)
    ):
        entry = _entry(part, _free_id(part, entries), workspace, limits, wanted)
        entries[entry.id], places[entry.id] = entry, part.place
    marked = _with_alike(
        _with_duplicates(sorted(entries.values(), key=lambda entry: entry.id)), places
    )
    return Collection(
        tuple(marked), (*incidents, *chain.from_iterable(entry.incidents for entry in marked))
    )


def _shared_out(paths: list[Path]) -> tuple[list[OwnedFiles], list[Incident]]:
    """Share out all files in `paths` among the students; return also the incidents that concern the
    whole class.
    """
    parts, incidents, unnamed = [], [], []
    alone = of_students_alone(paths)
    if alone:
        parts += parts_of(chain.from_iterable(starmap(listed_alone, alone.items())), "")[0]
    for path in (path for path in paths if path not in alone):
        own, found = parts_of(members(path), path.name)
        parts += [
            replace(part, place=str(path if part.place == path.name else path / part.place))
            for part in own
        ]
        incidents += found or (
            [] if own else [Incident("path.nobody", {"name": path.name or str(path)})]
        )
        # a file that is given by itself is a choice
        if path.is_dir() or path.suffix.lower() == ".zip":
            unnamed += [f"{path.name}/{part.place}".rstrip("/") for part in own if part.is_unnamed]
    if unnamed and len(parts) > 1:
        incidents.insert(
            0, Incident("path.unnamed", {"count": len(unnamed), "files": listed(unnamed)})
        )
    return parts, incidents


def _free_id(part: OwnedFiles, taken: Mapping[str, Submitted]) -> str:
    wanted = id_for(part.name, part.moodle.number if part.moodle is not None else part.number)
    if wanted not in taken:
        return wanted
    told_apart = part.moodle.folder if part.moodle else part.name
    free = f"{wanted}-{hashlib.sha256(told_apart.encode()).hexdigest()[:6]}"
    count = 1
    while free in taken:
        count += 1
        free = f"{wanted}-{count}"
    return free


def _with_duplicates(entries: Iterable[Submitted]) -> list[Submitted]:
    entries = list(entries)
    times = Counter(entry.number for entry in entries if entry.number is not None)
    return [
        _told(entry, Incident("submission.duplicate", {"number": entry.number}))
        if entry.number is not None and times[entry.number] > 1
        else entry
        for entry in entries
    ]


def _with_alike(entries: Iterable[Submitted], places: Mapping[str, str]) -> list[Submitted]:
    """Return the entries, and add an incident to each that shares its name with another one and has
    no folder of Moodle's to tell them apart.

    `places`: by the id of an entry, the path that it came from.
    """
    entries = list(entries)
    times = Counter(slug(without_copy(entry.name)) for entry in entries if entry.folder is None)
    return [
        _told(entry, Incident("submission.alike", {"id": entry.id, "place": places[entry.id]}))
        if entry.folder is None and times[slug(without_copy(entry.name))] > 1
        else entry
        for entry in entries
    ]


def _told(entry: Submitted, *incidents: Incident) -> Submitted:
    own = (
        replace(incident, facts={"name": entry.label, **incident.facts}, entry=entry.id)
        for incident in incidents
    )
    return replace(entry, incidents=(*entry.incidents, *own))


# --- One student ----------------------------------------------------------------------------------


def _entry(
    part: OwnedFiles,
    identifier: str,
    workspace: Path,
    limits: ArchiveLimits,
    wanted: Mapping[str, str],
) -> Submitted:
    moodle = part.moodle
    number, folder = (moodle.number, moodle.folder) if moodle else (part.number, None)
    entry = _told(
        Submitted(identifier, part.name, number, folder, canvas=part.canvas), *part.incidents
    )
    try:
        chosen, incidents = apart(_read, part, limits, wanted.get(identifier))
    # whatever this one does to who reads it, the others are read
    except (Exception, TooMuchError) as error:
        _log.error("%s cannot be read", entry.id, exc_info=error)
        return _told(
            entry, Incident("submission.unread", {"reason": str(error) or type(error).__name__})
        )
    if chosen is None:
        return _told(entry, *_few(incidents))
    file = workspace / identifier / _file_name(chosen)
    file.parent.mkdir(exist_ok=True)
    write_bytes(file, chosen.code)
    entry = replace(
        entry,
        file=file,
        source=chosen.path,
        sha256=hashlib.sha256(chosen.code).hexdigest(),
        cells=chosen.notebook.lines if chosen.notebook else (),
        broken=rules_of_cells(chosen.notebook) if chosen.notebook else {},
    )
    return _told(entry, *_few(incidents))


def _few(incidents: Iterable[Incident]) -> Iterator[Incident]:
    """Yield at most `MOST_ALIKE` incidents of each code, and one with the number of the others."""
    times = Counter[str]()
    for incident in incidents:
        times[incident.code] += 1
        if times[incident.code] <= MOST_ALIKE:
            yield incident
    if more := sum(max(count - MOST_ALIKE, 0) for count in times.values()):
        yield Incident("file.more", {"count": more})


def _read(
    part: OwnedFiles, limits: ArchiveLimits, wanted: str | None
) -> tuple[Candidate | None, list[Incident]]:
    """Return the file to grade among a student's files, and the incidents.

    The file is None if none can be graded, or a person has to choose one. `wanted` is the path of
    the file that a person chose.
    """
    files, incidents = _opened(part.files, limits)
    found, unread = candidates(files, limits)
    incidents += unread
    if not found:
        return None, incidents or [_nothing(part, files)]
    if part.online:
        incidents.append(Incident("submission.online_too"))
    chosen = (
        choose(found)
        if wanted is None
        else next((each for each in found if each.path == wanted), None)
    )
    if chosen is None:
        why, facts = (
            ("file.undecided", {}) if wanted is None else ("file.not_there", {"file": wanted})
        )
        return None, [
            *incidents,
            Incident(why, {"files": listed(each.path for each in found), **facts}),
        ]
    incidents += _about(
        chosen, found if wanted is None else [chosen], in_moodle=part.moodle is not None
    )
    # a copy has not kept the tree of its code, which may be too deep to go to another process
    return replace(chosen), [*incidents, *_left_behind(chosen, files)]


def _nothing(part: OwnedFiles, files: list[Member]) -> Incident:
    """Return the incident that says why a submission has no code; `files` are those that it has."""
    if files:
        return Incident("submission.no_code", {"files": listed(file.path for file in files)})
    return Incident("submission.online" if part.online else "submission.none")


def _opened(files: list[Member], limits: ArchiveLimits) -> tuple[list[Member], list[Incident]]:
    """Replace each zip by the files in it; return also an incident for each refused file, refused
    zip and archive of another kind.
    """
    held = Held(sum(suffix_of(file) in (*CODE, *TEXT, ".zip") for file in files))
    if held.count > limits.count:
        return [], [Incident("submission.many", {"count": held.count, "most": limits.count})]
    found, incidents = [], []
    for file in files:
        suffix = suffix_of(file)
        if file.refused is not None:
            incidents.append(Incident(file.refused.code, file.refused.facts))
        elif suffix in OTHER_ARCHIVES:
            incidents.append(Incident("archive.unsupported", {"file": file.path}))
        elif suffix == ".zip":
            try:
                found += [member for member in inside(file, limits, held) if not member.is_folder]
            except RefusedFile as refused:
                incidents.append(Incident(refused.code, refused.facts))
        else:
            found.append(file)
    return found, incidents


def _about(chosen: Candidate, found: list[Candidate], *, in_moodle: bool) -> Iterator[Incident]:
    others = [each for each in found if each is not chosen]
    if others:
        facts = {"file": chosen.path, "others": listed(each.path for each in others)}
        if (
            chosen.written < Written.FUNCTIONS
            or max(each.written for each in others) > Written.OTHER
        ):
            yield Incident("file.several", {**facts, "files": listed(each.path for each in found)})
        else:
            yield Incident("file.chosen", facts)
    elif in_moodle and not called(chosen.path):  # elsewhere a file has its student's name
        yield Incident("file.renamed", {"file": chosen.path})
    elif PurePosixPath(chosen.path).suffix.lower() not in CODE:
        yield Incident("file.ending", {"file": chosen.path})
    if chosen.written is Written.NOTHING and not chosen.is_uncounted:
        yield Incident(
            "file.template" if chosen.is_handed_out else "file.empty", {"file": chosen.path}
        )
    if chosen.commands:
        yield Incident(
            "file.commands", {"file": chosen.path, "lines": few_of(map(str, chosen.commands))}
        )
    if (notebook := chosen.notebook) is not None:
        for code, cells in (
            ("notebook.cells", notebook.unread),
            ("notebook.statements", notebook.not_run),
        ):
            if cells:
                yield Incident(code, {"file": chosen.path, "cells": few_of(map(str, cells))})


def _left_behind(chosen: Candidate, files: Iterable[Member]) -> Iterator[Incident]:
    """Yield an incident if the chosen file imports other modules that the student handed in: they
    are missing when it is marked.
    """
    wanted = {name.partition(".")[0] for name in chosen.imported}
    others = {file.path for file in files if file.path != chosen.path and suffix_of(file) == ".py"}
    if own := [
        path for path in others if wanted & {part.removesuffix(".py") for part in path.split("/")}
    ]:
        yield Incident("file.imports", {"file": chosen.path, "others": listed(own)})


def _file_name(chosen: Candidate) -> str:
    """Return the name for the chosen file in the workspace: the student's own in ASCII letters,
    with the ending .py.
    """
    stem = (
        unicodedata.normalize("NFKD", PurePosixPath(chosen.path).stem)
        .encode("ascii", "ignore")
        .decode()
    )
    return f"{re.sub(r'[^A-Za-z0-9_]+', '_', stem).strip('_')[:60] or 'entrega'}.py"
