"""The owner of each file of a class: the members of folders and zips, shared out among the
students.

A file with a name that Moodle made, or in a folder with such a name, belongs to the student in the
name. Anything else is read level by level:

    entregas/Ana/solucion.py, Luis/solucion.py     a folder for each student
    entregas/ana.py, luis.zip                      a file for each student
    entregas/Ana Pérez - solucion.py               the same, as Google Drive names it
    Ana/solucion.py, utils.py, src/, tests/        one student's own folder: at most one of them is
                                                   a submission

A level in a folder of its own is read like one at the top, and so is one that has strays beside it:
files that say what they are and not whose, such as `solucion.py`. A stray has a row of its own; it
never makes others disappear.
"""

from __future__ import annotations

import functools
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain, islice, starmap, takewhile
from os.path import abspath
from pathlib import Path, PurePosixPath

from practica.grading.classroom.archives import (
    ArchiveLimits,
    Member,
    RefusedFile,
    decoded,
    inside,
    is_junk,
    members,
)
from practica.grading.classroom.grader_limits import TooMuchError, apart
from practica.grading.classroom.layouts import OwnedFiles, drive_names, nameless, recognised
from practica.grading.classroom.moodle_names import MoodleName, parse
from practica.grading.classroom.pick_file import (
    CODE,
    DOCUMENTS,
    OTHER_ARCHIVES,
    TEXT,
    Written,
    called,
    candidates,
    few_of,
    listed,
    suffix_of,
    without_copy,
)
from practica.grading.engine.result import Incident

DEEPEST = 20  # folders in each other around a class

Folder = tuple[str, ...]


@dataclass
class _SharedFolder:
    """The files of each student in a folder, its incidents, and whether the names in it certainly
    identify students.
    """

    parts: list[OwnedFiles]
    incidents: list[Incident] = field(default_factory=list)
    is_sure: bool = False


def parts_of(found: Iterable[Member], name: str) -> tuple[list[OwnedFiles], list[Incident]]:
    """Share out the members of a folder, zip or file of the class among the students.

    `name`: how the folder, zip or file is called.

    Returned `incidents`: the members that belong to no student: paths that leave the folder, and
        files beside the submissions.
    """
    whole = sorted(found, key=lambda member: member.parts)
    opened = _opened_class(whole)
    parts, incidents = _parts_of(whole if opened is None else opened, name)
    # it is one student's
    if opened is not None and len(parts) < 2 + sum(part.is_unnamed for part in parts):
        return _parts_of(whole, name)
    return parts, incidents


def _opened_class(whole: Iterable[Member]) -> list[Member] | None:
    """Return the members of a path, with the only zip among them replaced by what is in it; None if
    there is no such zip, or it may be one student's.
    """
    files = [member for member in whole if not member.is_folder and not is_junk(member.parts)]
    zips = [member for member in files if suffix_of(member) == ".zip"]
    if len(zips) != 1 or any(map(parse, zips[0].parts)):
        return None
    for other in (member for member in files if suffix_of(member) in CODE):
        above = other.parts[:-1]
        if not nameless(_stem_of(other)) or zips[0].parts[: len(above)] != above:
            return None
    try:
        return [
            *(member for member in whole if member is not zips[0]),
            *inside(zips[0], ArchiveLimits()),
        ]
    except RefusedFile:
        return None


def _parts_of(found: Iterable[Member], name: str) -> tuple[list[OwnedFiles], list[Incident]]:
    own: dict[Folder, OwnedFiles] = {}
    others: list[Member] = []
    incidents: list[Incident] = []
    above: set[Folder] = set()  # folders that only hold those of students
    for member in found:
        names = (
            (place, moodle)
            for place, part in enumerate(member.parts)
            if (moodle := parse(part)) is not None
        )
        place, moodle = next(names, (None, None))
        if is_junk(member.parts[:place]) and not member.escapes:
            holding = tuple(takewhile(lambda part: not is_junk((part,)), member.parts))
            if place is None and holding:  # its owner, if there is nothing else
                others.append(Member(holding, 0, is_folder=True))
        elif place is not None and moodle is not None:
            above |= {member.parts[:end] for end in range(1, place + 1)}
            _add(own, member, place, moodle)
        elif member.escapes and member.refused is not None:
            incidents.append(Incident(member.refused.code, {"name": name, **member.refused.facts}))
        else:
            others.append(member)
    for folder in _not_moodles(own, others):
        incidents.append(Incident("file.inside", {"name": name, "file": "/".join(folder)}))
        own = {key: part for key, part in own.items() if key[:-2] != folder}
    rest = [member for member in others if member.parts not in above]
    if own:  # the rest are strays, wherever they lie in the folders around the students'
        rest = [member.under(max(map(len, _around(member, above)), default=0)) for member in rest]
        shared = _rows(rest, name)
    else:
        shared = _level(rest, "" if parse(name) else _stem(name), name, is_top=True)
    parts = [*own.values(), *shared.parts]
    return parts, [
        *incidents,
        *(incident for incident in shared.incidents if parts or incident.code != "path.left"),
    ]


def _around(member: Member, folders: Iterable[Folder]) -> list[Folder]:
    return [
        folder
        for folder in folders
        if len(folder) < len(member.parts) and member.parts[: len(folder)] == folder
    ]


def _stem(name: str) -> str:
    return PurePosixPath(name).stem if name.lower().endswith((".zip", *CODE)) else name


# --- Names of Moodle's ----------------------------------------------------------------------------


def of_students_alone(paths: Iterable[Path]) -> dict[Path, int]:
    """Return the paths that hold one student's files each, with the position of the name that
    Moodle made among the parts of the absolute path.

    There are none if other paths name no student, or the students' folders lie in several places:
    then such a folder may be a student's own.
    """
    whole = {path: Path(abspath(path)).parts for path in paths}
    found = {
        path: next((place for place, name in enumerate(names) if parse(name)), None)
        for path, names in whole.items()
    }
    own = {path: place for path, place in found.items() if place is not None}
    others = [
        path
        for path in whole
        if path not in own and (path.is_dir() or path.suffix.lower() in (*CODE, ".zip"))
    ]
    return (
        own if not others and len({whole[path][:place] for path, place in own.items()}) == 1 else {}
    )


def listed_alone(path: Path, place: int) -> Iterator[Member]:
    """Yield the members of one student's path; their paths begin at part number `place` of it."""
    names = tuple(map(decoded, Path(abspath(path)).parts[place:]))
    if path.is_dir():
        yield Member(names, 0, is_folder=True)
    for member in members(path, is_class=False):
        yield replace(member, parts=(*(names if path.is_dir() else names[:-1]), *member.parts))


def _not_moodles(found: Mapping[Folder, OwnedFiles], others: Iterable[Member]) -> set[Folder]:
    """Return the folders that hold names like Moodle's and yet may be one student's own, because
    they lie beside other students' files or further down.
    """
    students = Counter(key[:-2] for key in found)
    least = min(map(len, students), default=0)
    code = [member for member in others if suffix_of(member) in (*CODE, ".zip")]
    return {
        folder
        for folder, count in students.items()
        if len(folder) > least or _is_beside_others(folder, count, code)
    }


def _is_beside_others(folder: Folder, count: int, code: Iterable[Member]) -> bool:
    """Return whether a folder with `count` students lies beside folders of code with other people's
    names, or beside at least as many such files.
    """
    beside: set[str] = set()
    for member in code:
        pairs = enumerate(zip(member.parts, folder, strict=False))
        place = next((place for place, (one, other) in pairs if one != other), None)
        if place is None or nameless(_stem(member.parts[place])):
            continue
        if place < len(member.parts) - 1:
            return True
        beside.add(member.name)
    return len(beside) >= count


def _add(found: dict[Folder, OwnedFiles], member: Member, place: int, moodle: MoodleName) -> None:
    """Add a member to the files of its student in `found`; of an online text, record only that
    there is one.

    `moodle`: the parts of the name that Moodle gave to the student's folder or file.
    `place`: the position of that name in the path of the member.
    """
    name = member.parts[place]
    flat = len(member.parts) == place + 1 and not member.is_folder
    if not flat:
        moodle = replace(moodle, file="", folder=name)
    owner = _full_name(moodle.owner)
    part = found.setdefault(
        (*member.parts[:place], owner, str(moodle.number)), OwnedFiles(owner, moodle=moodle)
    )
    if moodle.plugin != "file":
        part.online = True
        return
    part.moodle = moodle
    file = replace(member, parts=(moodle.file,) if flat else member.parts[place + 1 :])
    if not member.is_folder and not is_junk(file.parts):
        part.files.append(file)


@functools.lru_cache(maxsize=1024)
def _full_name(name: str) -> str:
    """Return a name without underscores and invisible characters: controls, and marks of direction,
    which reorder the text beside them.
    """
    seen = (
        " " if letter == "_" or unicodedata.category(letter) in ("Cc", "Cf") else letter
        for letter in name
    )
    return " ".join(unicodedata.normalize("NFC", "".join(seen)).split())


# --- Other names ----------------------------------------------------------------------------------


def _level(found: list[Member], name: str, where: str, *, is_top: bool = False) -> _SharedFolder:
    """Share out the members of a folder: by the names that another system gave them, or by its
    files, zips and folders.

    `name`: the name of the folder; empty if it is certainly not a student's.
    `where`: the path of the folder in incidents.
    `is_top`: whether the folder was given as an argument, so that its name is that of the class
        rather than of a student.
    """
    if (system := recognised(found, name)) is not None:
        return _of_system(*system, where)
    units = _units(found)
    folders = {top: own for top, own in units.items() if not own[0].is_top_file}
    files = [own[0] for own in units.values() if own[0].is_top_file]
    is_deep = where.count("/") > DEEPEST
    if len(folders) == 1 and not is_deep:
        ((top, own),) = folders.items()
        inner = _inner(top, own, where)
        inner.incidents += _left(found, units.keys(), where)
        if not files:
            if not inner.parts and all(
                incident.code == "path.left" for incident in inner.incidents
            ):
                return _SharedFolder([_of_folder(top, own)], _left(found, units.keys(), where))
            if len(inner.parts) == 1 and not inner.is_sure:
                inner.parts[0].name = _better(inner.parts[0].name, _full_name(name))
            return inner
        if _is_class(inner, top, files) or (
            len(inner.parts) == 1 and nameless(top) and not inner.parts[0].is_unnamed
        ):
            return _SharedFolder(inner.parts + _of_files(files), inner.incidents, inner.is_sure)
    # with folders such as src and tests
    is_own = not is_top and not nameless(name) and all(map(nameless, folders))
    if (
        len(folders) > 1
        and not is_own
        and not is_deep
        and (groups := _groups(folders, where)) is not None
    ):
        parts = list(chain.from_iterable(group.parts for group in groups))
        told = [incident for group in groups for incident in group.incidents]
        return _SharedFolder(parts + _of_files(files), [*told, *_left(found, units.keys(), where)])
    if len(folders) > 1 and all(map(_holds_several, folders.values())):
        code = sorted(
            member.path for own in folders.values() for member in own if suffix_of(member) in CODE
        )
        return _SharedFolder(
            _of_files(files), [Incident("path.layout", {"name": where, "files": few_of(code)})]
        )
    if units and _is_one_students(folders, files, name, is_top=is_top):
        first = _full_name(_stem_of(files[0])) if len(files) == 1 else ""
        owner = _better(first, _full_name(name)) if is_top else _better(_full_name(name), first)
        own = [member for member in found if not member.is_folder]
        return _SharedFolder(
            [
                OwnedFiles(
                    owner,
                    files=own,
                    place=files[0].name if is_top and len(units) == 1 and files else "",
                )
            ]
        )
    return _rows(found, where)


def _rows(found: list[Member], where: str) -> _SharedFolder:
    """Share out the members of a folder with every file, zip and folder in it as one student's."""
    units = _units(found)
    folders = {top: own for top, own in units.items() if not own[0].is_top_file}
    files = [own[0] for own in units.values() if own[0].is_top_file]
    texts = _texts_with_code(found, units)
    return _SharedFolder(
        [*starmap(_of_folder, folders.items()), *_of_files([*files, *texts])],
        _left(found, {*units, *(text.name for text in texts)}, where),
    )


def _texts_with_code(found: Iterable[Member], units: Collection[str]) -> list[Member]:
    """Return the text files at the top of a folder that define functions of the practice, if their
    names identify students or nothing else is handed in.
    """
    return [
        member
        for member in found
        if member.is_top_file
        and member.name not in units
        and suffix_of(member) in TEXT
        and (not units or not nameless(_stem_of(member)))
        and any(map(_is_submission, _read([member], TEXT)))
    ]


def _inner(top: str, own: Iterable[Member], where: str) -> _SharedFolder:
    """Share out the members of the folder `top`, which lies in `where`, among students."""
    inner = _level(
        [member.under(1) for member in own if len(member.parts) > 1], _stem(top), f"{where}/{top}"
    )
    inner.parts = [
        replace(part, place=f"{top}/{part.place}" if part.place else top) for part in inner.parts
    ]
    return inner


def _groups(folders: Mapping[str, list[Member]], where: str) -> list[_SharedFolder] | None:
    """Share out the members of several folders, each with a group of students or stray files in it.

    None if no folder holds a group, one holds anything else, or two students have the same name.
    """
    groups: list[_SharedFolder] = []
    strays: list[OwnedFiles] = []
    for top, own in folders.items():
        inner = _inner(top, own, where)
        named = sum(not part.is_unnamed for part in inner.parts)
        if inner.is_sure or (named > 1 and _is_class(inner, top, [])):
            groups.append(inner)
        elif nameless(top):
            strays.append(_of_folder(top, own))
        else:
            return None
    names = [
        part.name.casefold() for group in groups for part in group.parts if not part.is_unnamed
    ]
    return [*groups, _SharedFolder(strays)] if groups and len({*names}) == len(names) else None


def _better(name: str, other: str) -> str:
    """Return the first of two names that identifies a student, or the first one if neither does."""
    return next((each for each in (name, other) if each and not nameless(each)), name or other)


def _units(found: Iterable[Member]) -> dict[str, list[Member]]:
    """Group the members that may be handed in by the name of the file or folder at the top of their
    paths.
    """
    found = list(found)
    units: dict[str, list[Member]] = {}
    named = _named_documents(found)
    for member in found:
        if _may_be_handed_in(member) or member.parts in named:
            units.setdefault(member.parts[0], []).append(member)
    return units


def _may_be_handed_in(member: Member) -> bool:
    """Return whether a member may be a part of a submission: a folder, a file in one, code or an
    archive. A list of the class or the statement is none of these.
    """
    suffixes = {suffix.lower() for suffix in PurePosixPath(member.name).suffixes}
    return not member.is_top_file or bool(suffixes & {*CODE, ".zip", *OTHER_ARCHIVES})


def _named_documents(found: Iterable[Member]) -> set[Folder]:
    """Return the documents at the top of a folder before which Google Drive wrote a student's
    name.
    """
    top = [member.name for member in found if member.is_top_file]
    files = [name for name in top if PurePosixPath(name).suffix.lower() in (*CODE, *DOCUMENTS)]
    return {(name,) for name, (owner, _) in drive_names(files).items() if not nameless(owner)}


def _left(found: Iterable[Member], units: Set[str], where: str) -> list[Incident]:
    """Return an incident with the members at the top that are not in `units`, the submissions; none
    if there are no such members.
    """
    left = {member.parts[0] for member in found} - units
    return [Incident("path.left", {"name": where, "files": listed(left)})] if left else []


def _of_folder(top: str, own: list[Member]) -> OwnedFiles:
    below = [member.under(1) for member in own if len(member.parts) > 1 and not member.is_folder]
    return OwnedFiles(
        _full_name(_stem(top)), files=below, place=top
    )  # a zip in a zip is one of them


def _of_files(files: Sequence[Member]) -> list[OwnedFiles]:
    """Divide the files that lie in no folder of a student among students.

    Files to which Google Drive added the same name are one student's; any other file is that of a
    student of its own.
    """
    owners = drive_names([file.name for file in files])
    parts: dict[str, OwnedFiles] = {}
    for file in files:
        if file.name not in owners:
            parts[f"/{file.name}"] = OwnedFiles(
                _full_name(_stem_of(file)), files=[file], place=file.name
            )
            continue
        owner, own = owners[file.name]
        part = parts.setdefault(owner, OwnedFiles(_full_name(owner), place=file.name))
        taken = any(own == other.path for other in part.files)
        part.files.append(file if taken else replace(file, parts=(own,)))
    return list(parts.values())


def _stem_of(file: Member) -> str:
    """Return the name of a file without its ending, or without both endings of `ana.py.txt`."""
    name = PurePosixPath(file.name)
    return (
        PurePosixPath(name.stem).stem
        if PurePosixPath(name.stem).suffix.lower() in CODE
        else name.stem
    )


def _of_system(owned: list[OwnedFiles], others: list[Member], where: str) -> _SharedFolder:
    """Return the files of each student that a system named, and share out `others` as in any
    folder; an incident reports these.
    """
    parts = [replace(part, name=_full_name(part.name), by_system=True) for part in owned]
    parts += _rows(others, where).parts
    tops = {member.parts[0] for member in others}
    said = [Incident("path.others", {"name": where, "files": listed(tops)})] if tops else []
    return _SharedFolder(parts, said, is_sure=True)


def _holds_several(own: list[Member]) -> bool:
    """Return whether a folder is several students': a file named like the template lies in more
    than one folder of the same depth in it.
    """
    code = [member for member in own if suffix_of(member) in CODE]
    highest = min((len(member.parts) for member in code), default=0)
    named = {
        member.parts[:-1] for member in code if called(member.name) and len(member.parts) == highest
    }
    return highest > 2 and len(named) > 1


def _is_class(inner: _SharedFolder, top: str, files: Sequence[Member]) -> bool:
    """Return whether the folder `top`, with `files` beside it, holds the class, and not a part of
    one student's work.

    It does not if one of the files imports it, if it holds fewer names than lie beside it, or fewer
    than two submissions.
    """
    if inner.is_sure:
        return True
    beside = sum(not nameless(_stem_of(file)) for file in files)
    names = sum(not part.is_unnamed for part in inner.parts)
    if len(inner.parts) < 2 or (
        names < max(beside, 1) and not _numbered([part.name for part in inner.parts])
    ):
        return False
    if top in _imported_by(files):
        return False
    submissions = (part for part in inner.parts if any(map(_is_submission, _read(part.files))))
    return len(list(islice(submissions, 2))) == 2


def _is_one_students(
    folders: Mapping[str, list[Member]], files: Sequence[Member], name: str, *, is_top: bool
) -> bool:
    """Return whether a folder is one student's own, with at most one submission in it.

    A file may be a submission if its name identifies a student or something is written in it, and a
    folder if it holds such a file; a module that a file called like the template imports is not
    one. In a folder with a student's name, up to three files with names that say nothing are that
    student's, unless a drive has numbered them because all are called alike.
    """
    if len(files) == 1 and not folders:
        return not drive_names([files[0].name])
    stems = [_stem_of(file) for file in files]
    if drive_names([file.name for file in files]) or _numbered(stems):
        return False
    is_named = not is_top and bool(name) and not nameless(name)
    imported = _imported_by(files)
    several = sum(any(called(member.name) for member in own) for own in folders.values()) > 1
    people = [
        stem
        for file, stem in zip(files, stems, strict=True)
        if stem not in imported
        and (
            not nameless(stem)
            or suffix_of(file) not in CODE
            or any(map(_is_finished, _read([file])))
        )
    ]
    named = [top for top in folders if not nameless(top) and top not in imported]
    by_name = (
        not is_named
        or not files
        or (len(named) > 1 and any(_has_finished(folders[top]) for top in named))
    )
    people += named if by_name else []
    for top, own in folders.items():
        if len(people) > 1 and not all(map(nameless, people)):
            return False
        by_template = several and any(called(member.name) for member in own)
        if top not in imported and top not in people and (by_template or _has_finished(own)):
            people.append(top)
    if not people:
        return is_named or len(files) + len(folders) == 1
    # one student hands in no more files whose names say nothing
    return len(people) == 1 or (is_named and len(people) <= 3 and all(map(nameless, people)))


def _numbered(stems: Sequence[str]) -> bool:
    """Return whether two names differ only in the number that a drive adds to another copy."""
    return len({without_copy(stem).casefold() for stem in stems}) < len(stems)


# --- What is written in files of which a level may be made ----------------------------------------

# what is written in it, how many functions it defines, what it imports
Read = tuple[Written, int, frozenset[str]]


def _is_finished(file: Read) -> bool:
    return file[0] >= Written.UNREADABLE


def _has_finished(files: Iterable[Member]) -> bool:
    return any(map(_is_finished, _read(files)))


def _is_submission(file: Read) -> bool:
    return _is_finished(file) or file[1] > 0


def _imported_by(files: Iterable[Member]) -> set[str]:
    """Return the modules that some files import; files with the name of a student are not read."""
    code = [file for file in files if suffix_of(file) in CODE and nameless(_stem_of(file))]
    return {name.partition(".")[0] for file in _read(code) for name in file[2]}


def _read(files: Iterable[Member], endings: Collection[str] = CODE) -> list[Read]:
    """Return what is written in the files that have one of the `endings`; another process parses
    them, because how far this one has read a zip is shared with later readers.

    Zips, and files that take too much, count as something that Python cannot read.
    """
    files = list(files)
    opaque: Read = (Written.UNREADABLE, 0, frozenset())
    packed = [opaque for file in files if suffix_of(file) == ".zip"]
    code = [file for file in files if suffix_of(file) in endings]
    if not code:
        return packed

    def look() -> list[Read]:
        found, _ = candidates(code, ArchiveLimits())
        return [
            (candidate.written, candidate.defined, frozenset(candidate.imported))
            for candidate in found
        ]

    try:
        return [*packed, *apart(look)]
    except (TooMuchError, RuntimeError):
        return [*packed, *[opaque] * len(code)]
