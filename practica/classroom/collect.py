"""A class from folders and zips: one entry per student, with the file to grade or the reason why there is none."""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, starmap, takewhile
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from practica.classroom.archives import Held, Limits, Member, Refused, decoded, inside, is_junk, members
from practica.classroom.grader_limits import TooMuchError, apart
from practica.classroom.layouts import Owned, recognised
from practica.classroom.moodle_names import MoodleName, parse, slug
from practica.classroom.pick_file import (
    CODE,
    TEMPLATE,
    TEXT,
    Candidate,
    Written,
    called,
    candidates,
    choose,
    without_copy,
)
from practica.engine.result import Class, Entry, Incident
from practica.files import write_bytes
from practica.json_data import parsed, plain

__all__ = ["Collection", "Submitted", "collect"]

MOST_ALIKE = 10  # incidents of one kind, and names in a list, that are reported of a submission
OTHER_ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Submitted(Entry):
    """What one student handed in, and the file to grade.

    Attributes
    ----------
    file : path or None
        What is graded, in the workspace; None where there is nothing to grade.
    cells : tuple of (cell, line in the cell)
        For each line of `file` if it was a notebook; (0, 0) for one that is not the student's.
    incidents : tuple of Incident
    """

    file: Path | None = None
    cells: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    incidents: tuple[Incident, ...] = ()


@dataclass(frozen=True)
class Collection:
    """A class.

    Attributes
    ----------
    entries : tuple of Submitted
        In the order of their ids.
    incidents : tuple of Incident
        Those of all entries, and those of the whole class.
    """

    entries: tuple[Submitted, ...]
    incidents: tuple[Incident, ...]

    def as_class(self, more: Iterable[Incident] = (), similar: Iterable[tuple[str, str, float]] = ()) -> Class:
        """Return what a result has of it, with more incidents and the submissions that resemble each other."""
        collected = Class(self.entries, (*self.incidents, *more), tuple(similar))
        return parsed(Class, plain(asdict(collected)))


@dataclass
class _Part:
    """The members of one student before they are read."""

    name: str
    moodle: MoodleName | None = None
    files: list[Member] = field(default_factory=list)
    online: bool = False
    place: str = ""  # where it lies
    number: int | None = None  # Canvas's
    canvas: str = ""
    incidents: tuple[Incident, ...] = ()


def collect(
    paths: Path | Iterable[Path],
    workspace: Path,
    *,
    limits: Limits | None = None,
    wanted: Mapping[str, str] = MappingProxyType({}),
) -> Collection:
    """Read the submissions of a class.

    Parameters
    ----------
    paths : path or paths
        Files `.py` and `.ipynb`, folders, and zips: Moodle's own, those of `practica.classroom.layouts`, or any with a
        file or folder per student. What has a name of Moodle's, or lies in a folder that has one, is that student's.
    workspace : path
        A folder, created if needed, where the file to grade of each entry is copied to, `workspace/<id>/<name>`: its
        bytes as they are, or the code of the notebook.
    limits : Limits, optional
        What is read of one student's submission.
    wanted : dict of str, optional
        Which of several files a person chose, by the id of the submission.

    Raises
    ------
    ValueError
        If a path cannot be read, or a file of the workspace cannot be written.
    OSError
        If the workspace cannot be created.
    """
    paths = [paths] if isinstance(paths, Path) else list(paths)
    limits = limits or Limits()
    workspace.mkdir(parents=True, exist_ok=True)
    parts, incidents = [], []
    alone = _of_students_alone(paths)
    if alone:
        parts += _parts(chain.from_iterable(_alone(path, place) for path, place in alone.items()), "")[0]
    for path in (path for path in paths if path not in alone):
        own, escaping = _parts(members(path), path.name)
        parts += [replace(part, place=str(path if part.place == path.name else path / part.place)) for part in own]
        incidents += escaping or ([] if own else [Incident("path.nobody", {"name": path.name or str(path)})])
    entries: dict[str, Submitted] = {}
    places: dict[str, str] = {}
    for part in sorted(parts, key=lambda part: (part.name, part.moodle.folder if part.moodle else "")):
        entry = _entry(part, _free_id(part, entries), workspace, limits, wanted)
        entries[entry.id], places[entry.id] = entry, part.place
    marked = _with_alike(_with_duplicates(sorted(entries.values(), key=lambda entry: entry.id)), places)
    return Collection(tuple(marked), (*incidents, *chain.from_iterable(entry.incidents for entry in marked)))


def _free_id(part: _Part, taken: Mapping[str, Submitted]) -> str:
    wanted = slug(part.name) or "entrega"
    number = part.moodle.number if part.moodle is not None else part.number
    if number is not None:
        wanted = f"{wanted}-{number}"
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
    """Report where those lie who have no number of Moodle's, and the name of another one."""
    entries = list(entries)
    times = Counter(slug(without_copy(entry.name)) for entry in entries if entry.folder is None)
    return [
        _told(entry, Incident("submission.alike", {"id": entry.id, "place": places[entry.id]}))
        if entry.folder is None and times[slug(without_copy(entry.name))] > 1
        else entry
        for entry in entries
    ]


def _told(entry: Submitted, *incidents: Incident) -> Submitted:
    own = (replace(each, facts={"name": entry.label, **each.facts}, entry=entry.id) for each in incidents)
    return replace(entry, incidents=(*entry.incidents, *own))


# --- The owners of members ------------------------------------------------------------------------------------------


def _parts(listed: Iterable[Member], name: str) -> tuple[list[_Part], list[Incident]]:
    """Share the members of a path out among the students; report other paths that leave the folder."""
    found: dict[tuple[str, ...], _Part] = {}
    others: list[Member] = []
    incidents: list[Incident] = []
    above: set[tuple[str, ...]] = set()  # folders that only hold those of students
    for member in listed:
        place = next((place for place, part in enumerate(member.parts) if parse(part)), None)
        if is_junk(member.parts[:place]) and not member.escapes:
            holding = tuple(takewhile(lambda part: not is_junk((part,)), member.parts))
            if place is None and holding:  # its owner, if there is nothing else
                others.append(Member(holding, 0, is_folder=True))
            continue
        if place is not None:
            above |= {member.parts[:end] for end in range(1, place + 1)}
            _add(found, member, place)
        elif member.escapes and member.refused is not None:
            incidents.append(Incident(member.refused.code, {"name": name, **member.refused.facts}))
        else:
            others.append(member)
    for folder in _not_moodles(found, others):
        incidents.append(Incident("file.inside", {"name": name, "file": "/".join(folder)}))
        found = {key: part for key, part in found.items() if key[:-2] != folder}
    more, unread = _of_anybody([member for member in others if member.parts not in above], name)
    return [*found.values(), *more], [*incidents, *unread]


def _of_students_alone(paths: Iterable[Path]) -> dict[Path, int]:
    """Return the paths that are of one student each, and which part of them is called as Moodle calls it.

    There are none if other paths name no student, or lie elsewhere: then such a folder may be a student's own.
    """
    whole = {path: Path(os.path.abspath(path)).parts for path in paths}
    found = {
        path: next((place for place, name in enumerate(names) if parse(name)), None) for path, names in whole.items()
    }
    own = {path: place for path, place in found.items() if place is not None}
    others = [path for path in whole if path not in own and (path.is_dir() or path.suffix.lower() in (*CODE, ".zip"))]
    return own if not others and len({whole[path][:place] for path, place in own.items()}) == 1 else {}


def _alone(path: Path, place: int) -> Iterator[Member]:
    """List what is of one student, or part of it, as if it came from the class's folder."""
    names = tuple(map(decoded, Path(os.path.abspath(path)).parts[place:]))
    if path.is_dir():
        yield Member(names, 0, is_folder=True)
    for member in members(path, is_class=False):
        yield replace(member, parts=(*(names if path.is_dir() else names[:-1]), *member.parts))


def _not_moodles(found: Mapping[tuple[str, ...], _Part], others: Iterable[Member]) -> set[tuple[str, ...]]:
    """Return the folders that hold names like Moodle's and may be a student's: beside others, or further down."""
    folders = {key[:-2] for key in found}
    least = min(map(len, folders), default=0)
    plain = {member.parts[:-1] for member in others if _suffix(member) in (*CODE, ".zip")}
    return {
        folder for folder in folders if len(folder) > least or any(parts[: len(folder)] != folder for parts in plain)
    }


def _suffix(member: Member) -> str:
    return os.path.splitext(member.name)[1].lower()


def _add(found: dict[tuple[str, ...], _Part], member: Member, place: int) -> None:
    """Give a member to the student of its folder or file name."""
    name = member.parts[place]
    moodle = parse(name)
    assert moodle is not None, name
    flat = len(member.parts) == place + 1 and not member.is_folder
    if not flat:
        moodle = replace(moodle, file="", folder=name)
    owner = _full_name(moodle.owner)
    part = found.setdefault((*member.parts[:place], owner, str(moodle.number)), _Part(owner, moodle))
    if moodle.plugin != "file":
        part.online = True
        return
    part.moodle = moodle
    file = replace(member, parts=(moodle.file,) if flat else member.parts[place + 1 :])
    if not member.is_folder and not is_junk(file.parts):
        part.files.append(file)


def _of_anybody(others: list[Member], name: str) -> tuple[list[_Part], list[Incident]]:
    """Share out what Moodle has not named: as another system names it, or each file, zip and folder at the top.

    Folders that only hold it all are looked into. What is in no part is reported.
    """
    wrapper, looked_at = name, name
    while True:
        if (found := recognised(others, wrapper)) is not None:
            return _of_system(*found, name)
        kept = [member for member in others if _may_be_handed_in(member)]
        inner = [member.under(1) for member in kept if len(member.parts) > 1]
        tops = {member.parts[0] for member in kept}
        wrapper = min(tops, default="")
        if not (_is_wrapper(kept) or (len(tops) == 1 and inner and recognised(inner, wrapper) is not None)):
            break
        others, looked_at = inner, f"{looked_at}/{wrapper}"
    by_top: dict[str, list[Member]] = {}
    for member in kept:
        by_top.setdefault(member.parts[0], []).append(member)
    folders = {top: own for top, own in by_top.items() if len(own[0].parts) > 1 or own[0].is_folder}
    if folders and len(folders) == len(by_top) and all(map(_holds_several, folders.values())):
        seen = _few_of(sorted(member.path for own in folders.values() for member in own if _suffix(member) in CODE))
        return [], [Incident("path.layout", {"name": looked_at, "files": seen})]
    return list(starmap(_of_top, by_top.items())), []


def _of_top(top: str, own: list[Member]) -> _Part:
    if len(own[0].parts) == 1 and not own[0].is_folder:
        return _Part(_full_name(PurePosixPath(top).stem), files=own, place=top)
    below = [member.under(1) for member in own if len(member.parts) > 1 and not member.is_folder]
    return _Part(_full_name(top), files=below, place=top)


def _of_system(owned: list[Owned], others: list[Member], name: str) -> tuple[list[_Part], list[Incident]]:
    """Make parts of what a system names, and of the rest as of any folder; report what that is."""
    parts = [
        _Part(
            _full_name(each.name),
            files=each.files,
            online=each.online,
            place=each.place,
            number=each.number,
            canvas=each.canvas,
            incidents=tuple(each.incidents),
        )
        for each in owned
    ]
    left: dict[str, list[Member]] = {}
    for member in others:
        left.setdefault(member.parts[0], []).append(member)
    known = {top: own for top, own in left.items() if any(map(_may_be_handed_in, own))}
    parts += starmap(_of_top, known.items())
    said = [Incident("path.others", {"name": name, "files": _listed(left)})] if left else []
    return parts, said


def _holds_several(own: list[Member]) -> bool:
    """Return whether a folder holds several files called like the template, in folders of one depth: of several."""
    code = [member for member in own if _suffix(member) in CODE]
    highest = min((len(member.parts) for member in code), default=0)
    named = {member.parts[:-1] for member in code if called(member.name) and len(member.parts) == highest}
    return highest > 2 and len(named) > 1


def _may_be_handed_in(member: Member) -> bool:
    """Return whether a member may be handed in, and is not a list of the class or the statement."""
    return len(member.parts) > 1 or member.is_folder or _suffix(member) in (*CODE, ".zip", *OTHER_ARCHIVES)


def _is_wrapper(others: list[Member]) -> bool:
    """Return whether all is in one folder that is not a student's: it holds folders, or several files of code."""
    below = [member.under(1) for member in others if len(member.parts) > 1]
    if len({member.parts[0] for member in others}) != 1 or not below:
        return False
    files = {member.name for member in below if len(member.parts) == 1 and not member.is_folder}
    code = [name for name in files if PurePosixPath(name).suffix.lower() in CODE]
    if any(name.casefold() == TEMPLATE for name in code):
        return len(code) > 1 and all(map(called, code))  # a drive numbers what several students call alike
    return len(code) > 1 or (not code and any(member.parts[0] not in files for member in below))


@functools.lru_cache(maxsize=1024)
def _full_name(name: str) -> str:
    """Return a name without what cannot be seen in it: controls, and marks of direction, which turn what is beside."""
    seen = (" " if letter == "_" or unicodedata.category(letter) in ("Cc", "Cf") else letter for letter in name)
    return " ".join(unicodedata.normalize("NFC", "".join(seen)).split())


# --- One student ----------------------------------------------------------------------------------------------------


def _entry(part: _Part, identifier: str, workspace: Path, limits: Limits, wanted: Mapping[str, str]) -> Submitted:
    moodle = part.moodle
    number, folder = (moodle.number, moodle.folder) if moodle else (part.number, None)
    entry = _told(Submitted(identifier, part.name, number, folder, canvas=part.canvas), *part.incidents)
    try:
        chosen, incidents = apart(_read, part, limits, wanted.get(identifier))
    except (Exception, TooMuchError) as error:  # whatever this one does to who reads it, the others are read
        _log.error("%s cannot be read", entry.id, exc_info=error)
        return _told(entry, Incident("submission.unread", {"reason": str(error) or type(error).__name__}))
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
    )
    return _told(entry, *_few(incidents))


def _few(incidents: Iterable[Incident]) -> Iterator[Incident]:
    """Leave out most of many incidents of one kind, among which those of others would not be seen."""
    times = Counter[str]()
    for incident in incidents:
        times[incident.code] += 1
        if times[incident.code] <= MOST_ALIKE:
            yield incident
    if more := sum(max(count - MOST_ALIKE, 0) for count in times.values()):
        yield Incident("file.more", {"count": more})


def _read(part: _Part, limits: Limits, wanted: str | None) -> tuple[Candidate | None, list[Incident]]:
    """Return the file to grade, and what there is to say; None where there is none, or a person has to look."""
    files, incidents = _opened(part.files, limits)
    found, unread = candidates(files, limits)
    incidents += unread
    if not found:
        return None, incidents or [_nothing(part, files)]
    if part.online:
        incidents.append(Incident("submission.online_too"))
    chosen = choose(found) if wanted is None else next((each for each in found if each.path == wanted), None)
    if chosen is None:
        why, facts = ("file.undecided", {}) if wanted is None else ("file.not_there", {"file": wanted})
        return None, [*incidents, Incident(why, {"files": _listed(each.path for each in found), **facts})]
    incidents += _about(chosen, found if wanted is None else [chosen], in_moodle=part.moodle is not None)
    return chosen, [*incidents, *_left_behind(chosen, files)]


def _nothing(part: _Part, files: list[Member]) -> Incident:
    """Report what there is instead of code."""
    if files:
        return Incident("submission.no_code", {"files": _listed(file.path for file in files)})
    return Incident("submission.online" if part.online else "submission.none")


def _opened(files: list[Member], limits: Limits) -> tuple[list[Member], list[Incident]]:
    """Put what zips hold in their places; report a zip that is refused, and archives that are none."""
    held = Held(sum(_suffix(file) in (*CODE, *TEXT, ".zip") for file in files))
    if held.count > limits.count:
        return [], [Incident("submission.many", {"count": held.count, "most": limits.count})]
    found, incidents = [], []
    for file in files:
        suffix = _suffix(file)
        if file.refused is not None:
            incidents.append(Incident(file.refused.code, file.refused.facts))
        elif suffix in OTHER_ARCHIVES:
            incidents.append(Incident("archive.unsupported", {"file": file.path}))
        elif suffix == ".zip":
            try:
                found += [member for member in inside(file, limits, held) if not member.is_folder]
            except Refused as refused:
                incidents.append(Incident(refused.code, refused.facts))
        else:
            found.append(file)
    return found, incidents


def _about(chosen: Candidate, found: list[Candidate], *, in_moodle: bool) -> Iterator[Incident]:
    others = [each for each in found if each is not chosen]
    if others:
        facts = {"file": chosen.path, "others": _listed(each.path for each in others)}
        if chosen.written < Written.FUNCTIONS or max(each.written for each in others) > Written.OTHER:
            yield Incident("file.several", {**facts, "files": _listed(each.path for each in found)})
        else:
            yield Incident("file.chosen", facts)
    elif in_moodle and not called(chosen.path):  # elsewhere a file has its student's name
        yield Incident("file.renamed", {"file": chosen.path})
    if chosen.written is Written.NOTHING:
        yield Incident("file.template" if chosen.is_handed_out else "file.empty", {"file": chosen.path})
    if chosen.commands:
        yield Incident("file.commands", {"file": chosen.path, "lines": _few_of(map(str, chosen.commands))})
    if (notebook := chosen.notebook) is not None:
        for code, cells in (("notebook.cells", notebook.unread), ("notebook.statements", notebook.not_run)):
            if cells:
                yield Incident(code, {"file": chosen.path, "cells": _few_of(map(str, cells))})


def _left_behind(chosen: Candidate, files: Iterable[Member]) -> Iterator[Incident]:
    """Report which modules of its own the file imports: what they have is not there when it is marked."""
    wanted = {name.partition(".")[0] for name in chosen.imported}
    others = {file.path for file in files if file.path != chosen.path and _suffix(file) == ".py"}
    if own := [path for path in others if wanted & {part.removesuffix(".py") for part in path.split("/")}]:
        yield Incident("file.imports", {"file": chosen.path, "others": _listed(own)})


def _listed(paths: Iterable[str]) -> str:
    return _few_of(sorted(paths))


def _few_of(names: Iterable[str]) -> str:
    names = list(names)
    return ", ".join([*names[:MOST_ALIKE], *(["…"] if len(names) > MOST_ALIKE else [])])


def _file_name(chosen: Candidate) -> str:
    """Return a name for the file in the workspace: the student's own, in letters that every system takes."""
    stem = unicodedata.normalize("NFKD", PurePosixPath(chosen.path).stem).encode("ascii", "ignore").decode()
    return f"{re.sub(r'[^A-Za-z0-9_]+', '_', stem).strip('_')[:60] or 'entrega'}.py"
