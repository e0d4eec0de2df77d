"""The layouts of other systems: which file is of which student, where the names of files and folders say it.

    Canvas            perezana_LATE_167_2045_solucion.py, anon_Xy12z_2045_solucion.py, perezana_167_text.html
    Google Drive      Ana Pérez - solucion.py, or solucion - Ana Pérez.py, as forms name them
    Blackboard        gradebook_ML_P1_aperez_attempt_2026-11-27-18-00-05_solucion.py, and a .txt for each attempt
    Gradescope        submission_2045/solucion.py, and submission_metadata.yml with the names
    Sakai             Pérez, Ana(aperez)/Submission attachment(s)/solucion.py
    GitHub Classroom  p1-submissions/p1-aperez/solucion.py

A layout is recognised by most of the names; what does not fit in it is left for others. Canvas takes pages back by the
two numbers: of the student, and of the attachment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from practica.classroom.archives import Member, Refused, is_junk
from practica.classroom.grader_limits import apart
from practica.classroom.pick_file import CODE, called, without_copy
from practica.engine.result import Incident

__all__ = ["Owned", "recognised"]

CANVAS = re.compile(
    r"(?P<before>(?P<name>.+?)(?P<late>_LATE)?_(?P<user>\d{1,15}|(?<=anon_)\w{4,6}|(?<=anon_LATE_)\w{4,6}))_"
    r"(?:(?P<attachment>\d{1,15})_(?P<file>.+)|(?P<kind>text|link)\.html)",
    re.DOTALL,
)
DRIVE = re.compile(r"(?P<left>.+?) - (?P<right>.+)(?P<ending>\.\w+)", re.DOTALL)
BLACKBOARD = re.compile(
    r"(?P<prefix>.+)_(?P<user>[^_]+)_[^\W\d_]+_(?P<when>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|\.txt)", re.DOTALL
)
METADATA = "submission_metadata.yml"  # of Gradescope
SAKAI = re.compile(r"(?P<name>.+)\((?P<login>[^()]+)\)")
OF_SAKAI, ATTACHED = "timestamp.txt", "Submission attachment(s)"
CLASSROOM = "-submissions"  # how GitHub Classroom calls the folder with those of students
LONGEST_TEXT = 100_000  # bytes of a file in which a system writes a name
FIRST_LINE = re.compile(r"[^:\n]+:\s*(?P<name>.+?)\s*\((?P<login>[^()\s]+)\)\s*$", re.MULTILINE)


@dataclass
class Owned:
    """What one student handed in, by its names.

    Attributes
    ----------
    name : str
    files : list of Member
        With the names that the student gave them.
    number : int or None
        Canvas's, of the student.
    canvas : str
        What Canvas puts before the name of the first file; empty elsewhere.
    online : bool
        Whether there is an online text.
    place : str
        The name of the folder, or of the first file.
    incidents : list of Incident
    """

    name: str
    files: list[Member] = field(default_factory=list)
    number: int | None = None
    canvas: str = ""
    online: bool = False
    place: str = ""
    incidents: list[Incident] = field(default_factory=list)


Found = tuple[list[Owned], list[Member]]  # and the members of no student


def recognised(members: Sequence[Member], wrapper: str = "") -> Found | None:
    """Share out the members of a folder by the layout that most of its names have, None if they have none.

    Parameters
    ----------
    members : sequence of Member
        All that is in it, at any depth.
    wrapper : str
        The name of the folder.

    Returns
    -------
    owned : list of Owned
    others : list of Member
        What is not in the layout, and no file of the system itself.
    """
    members = [member for member in members if not is_junk(member.parts)]
    found = _gradescope(members) or _sakai(members) or _classroom(members, wrapper)
    return found or next(filter(None, (layout(members) for layout in FLAT)), None)


def _flat(
    members: Sequence[Member], pattern: re.Pattern[str], least: int = 1
) -> tuple[list[tuple[Member, re.Match[str]]], list[Member]] | None:
    """Return the files at the top that have a name like this, if they are most, and all other members."""
    top = [member for member in members if len(member.parts) == 1 and not member.is_folder]
    named = [(member, found) for member in top if (found := pattern.fullmatch(member.name))]
    own = {id(member) for member, _ in named}
    if len(named) < least or 2 * len(named) <= len(top):
        return None
    return named, [member for member in members if id(member) not in own]


def _canvas(members: Sequence[Member]) -> Found | None:
    if (flat := _flat(members, CANVAS)) is None:
        return None
    owned: dict[tuple[str, str], Owned] = {}
    for member, found in flat[0]:
        is_known = found["name"] != "anon" and found["user"].isdigit()
        name = found["name"] if is_known else f"anon {found['user']}"
        number = int(found["user"]) if is_known else None
        each = owned.setdefault((name, found["user"]), Owned(name, number=number, place=member.name))
        if found["late"] and not each.incidents:
            each.incidents.append(Incident("submission.late"))
        if found["kind"] == "text":
            each.online = True
            continue
        file = found["file"] or "link.html"
        if found["attachment"] and (not each.canvas or file.lower().endswith(CODE)):
            each.canvas = f"{found['before']}_{found['attachment']}"
        taken = any(file == other.path for other in each.files)  # two uploads of one name
        each.files.append(replace(member, parts=(found["attachment"], file) if taken else (file,)))
    return list(owned.values()), flat[1]


def _drive(members: Sequence[Member]) -> Found | None:
    if (flat := _flat(members, DRIVE, least=2)) is None:
        return None
    owned: dict[str, Owned] = {}
    for member, found in flat[0]:
        by_form = called(found["left"]) and not called(found["right"])
        name = without_copy(found["right"]) if by_form else found["left"]
        file = found["left"] if by_form else found["right"]
        each = owned.setdefault(name, Owned(name, place=member.name))
        taken = [other.path for other in each.files]
        own = f"{file}{found['ending']}"
        each.files.append(replace(member, parts=(member.name,) if own in taken else (own,)))
    return list(owned.values()), flat[1]


def _blackboard(members: Sequence[Member]) -> Found | None:
    if (flat := _flat(members, BLACKBOARD)) is None:
        return None
    attempts: dict[tuple[str, str], dict[str, Owned]] = {}
    written = [member for member, found in flat[0] if not found["file"]]
    texts = dict(zip((member.name for member in written), _texts_of(written), strict=True))
    for member, found in flat[0]:
        of_student = attempts.setdefault((found["prefix"], found["user"]), {})
        each = of_student.setdefault(found["when"], Owned(found["user"], place=member.name))
        if found["file"]:
            each.files.append(replace(member, parts=(found["file"],)))
            continue
        each.online = True
        said = FIRST_LINE.match(texts[member.name])
        if said and f"{found['prefix']}_{found['user']}".endswith(said["login"]):
            each.name = said["name"]
    owned = []
    for of_student in attempts.values():
        *earlier, last = sorted(of_student)
        one = of_student[last]
        one.online &= not one.files  # the text is the system's own
        if earlier:
            one.incidents.append(Incident("submission.attempts", {"count": len(of_student), "last": last}))
        owned.append(one)
    return owned, flat[1]


def _gradescope(members: Sequence[Member]) -> Found | None:
    said = next((member for member in members if member.parts == (METADATA,)), None)
    if said is None:
        return None
    names = _submitters(*_texts_of([said]))
    owned = {key: Owned(", ".join(who), place=key) for key, who in names.items()}
    others = []
    for member in members:
        if member.parts[0] in owned:
            if not member.is_folder:
                file = member.under(1) if len(member.parts) > 1 else member
                owned[member.parts[0]].files.append(file)
        elif member is not said:
            others.append(member)
    return list(owned.values()), others


def _submitters(metadata: str) -> dict[str, list[str]]:
    """Return the names by folder; Gradescope writes two spaces for each level."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in metadata.splitlines():
        if top := re.fullmatch(r"(['\"]?)(\S.*?)\1:\s*", line):
            found[top[2]] = []
        elif level := re.fullmatch(r"  (:\w+):.*", line):
            section = level[1]
        elif (name := re.fullmatch(r"  (?:- |  ):name: (.+)", line)) and section == ":submitters" and found:
            found[[*found][-1]].append(_scalar(name[1].strip()))
    return {key: names for key, names in found.items() if names}


def _scalar(text: str) -> str:
    if text[:1] == text[-1:] == '"':
        with suppress(ValueError):
            return str(json.loads(text))
    return text[1:-1].replace("''", "'") if text[:1] == text[-1:] == "'" else text


def _sakai(members: Sequence[Member]) -> Found | None:
    folders = {member.parts[0] for member in members if len(member.parts) > 1}
    own = {member.parts[0] for member in members if member.parts[1:2] in ((OF_SAKAI,), (ATTACHED,))}
    names = {folder: found for folder in own if (found := SAKAI.fullmatch(folder))}
    if not names or 2 * len(names) <= len(folders):
        return None
    owned = {folder: Owned(found["name"], place=folder) for folder, found in names.items()}
    others = []
    for member in members:
        each = owned.get(member.parts[0])
        if each is None:
            others += [member] if len(member.parts) > 1 or member.name.lower().endswith(CODE) else []
        elif member.parts[1:2] == (ATTACHED,) and len(member.parts) > 2 and not member.is_folder:
            each.files.append(member.under(2))
        elif len(member.parts) == 2 and "submissiontext" in member.name.lower():
            each.online = True
    return list(owned.values()), others


def _classroom(members: Sequence[Member], wrapper: str) -> Found | None:
    prefix = f"{wrapper.removesuffix(CLASSROOM)}-"
    if not wrapper.endswith(CLASSROOM):
        return None
    owned: dict[str, Owned] = {}
    others = []
    for member in members:
        folder = member.parts[0]
        if folder.startswith(prefix) and folder != prefix and (len(member.parts) > 1 or member.is_folder):
            each = owned.setdefault(folder, Owned(folder.removeprefix(prefix), place=folder))
            each.files += [] if member.is_folder else [member.under(1)]
        else:
            others.append(member)
    return (list(owned.values()), others) if owned else None


FLAT: tuple[Callable[[Sequence[Member]], Found | None], ...] = (_canvas, _blackboard, _drive)


def _texts_of(members: Sequence[Member]) -> list[str]:
    """Return what files say, empty where they cannot be read.

    In another process: the place up to which this one has read a zip is shared with those that read a submission.
    """
    return apart(lambda: [_text_of(member) for member in members])


def _text_of(member: Member) -> str:
    try:
        return member.read(LONGEST_TEXT).decode("utf-8-sig", "replace")
    except Refused:
        return ""
