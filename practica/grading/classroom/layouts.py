"""The layouts of other systems, in which the names of files and folders say which student handed in
each file.

    Canvas            perezana_LATE_167_2045_solucion.py, anon_Xy12z_2045_solucion.py,
                      perezana_167_text.html
    Google Drive      Ana Pérez - solucion.py, or solucion - Ana Pérez.py, as forms name them
    Blackboard        gradebook_ML_P1_aperez_attempt_2026-11-27-18-00-05_solucion.py, and a .txt for
                      each attempt
    Gradescope        submission_2045/solucion.py, and submission_metadata.yml with the names
    Sakai             Pérez, Ana(aperez)/Submission attachment(s)/solucion.py
    GitHub Classroom  p1-submissions/p1-aperez/solucion.py

No other system makes the names of a layout, so that they need no majority; files that do not fit
are left to other rules. Canvas takes pages back by two numbers: the student's, and the
attachment's.
"""

from __future__ import annotations

import functools
import json
import os
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from practica.grading.classroom.archives import Member, RefusedFile, is_junk
from practica.grading.classroom.grader_limits import apart
from practica.grading.classroom.moodle_names import MoodleName, comparable
from practica.grading.classroom.pick_file import CODE, without_copy
from practica.grading.engine.result import Incident

CANVAS = re.compile(
    r"(?P<before>(?P<name>.+?)(?P<late>_LATE)?_(?P<user>\d{1,15}|(?<=anon_)\w{4,6}|(?<=anon_LATE_)\w{4,6}))_"
    r"(?:(?P<attachment>\d{1,15})_(?P<file>.+)|(?P<kind>text|link)\.html)",
    re.DOTALL,
)
DASH = re.compile(r"[ _][-\u2013\u2014][ _]")  # between the two parts of a name of Google Drive's
BLACKBOARD = re.compile(
    r"(?P<prefix>.+?)_(?P<user>[^_]+)_[^\W\d_]+_(?P<when>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|\.txt)",
    re.DOTALL,
)
METADATA = "submission_metadata.yml"  # Gradescope's
SAKAI = re.compile(r"(?P<name>.+)\((?P<login>[^()]+)\)")
OF_SAKAI, ATTACHED = "timestamp.txt", "Submission attachment(s)"
CLASSROOM = "-submissions"  # how GitHub Classroom calls the folder with those of students
NO_TEXT = "There is no student submission text"  # as Blackboard says it in English
ATTEMPT = ("prefix", "user", "when")  # what the names of its files have in common
# what Blackboard writes of an attempt, in any language: a title alone in its line, and a text
FIELD = re.compile(r"^\s*\n[^:\n]+:[ \t]*\r?\n(?P<text>[^\r\n]+)", re.MULTILINE)
LONGEST_TEXT = 100_000  # bytes of a file in which a system writes a name
WORDS = frozenset(  # they say what a file or folder is, and not whose
    re.findall(
        r"\w+",
        """
        solucion solution plantilla template cuaderno caderno notebook colab practica practicas
        practice pr prac p ejemplo ejemplos example examples entrega entregas submission submissions
        attachment assignment tarea tareas task ejercicio ejercicios exercise exercises ej ex
        trabajo proyecto project final version ver v copia copy de del la el of the and y definitiva
        definitivo buena bueno nueva nuevo new old vieja viejo antigua antiguo bis main codigo code
        script programa untitled sin titulo red redes neuronal neuronales neural network ann ml
        aprendizaje automatico machine learning utils util utiles utilidades tools helper helpers
        funciones functions aux auxiliar auxiliares lib src source test tests prueba pruebas backup
        data datos docs doc documentos memoria informe report images imagenes img fotos figuras
        figures dibujos drawings clase class curso course asignatura alumnos alumnas estudiantes
        students descarga descargas download downloads export todas todo todos all zip temp tmp py
        python ipynb file files fichero ficheros archivo archivos tarde tardias late resto otras
        otros others extra extras enunciado statement material respuestas answers resultado
        resultados experimentos experiments checkpoint drive moodle canvas
        """,
    )
)
CAPITAL = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")  # where a word begins in solucionFinal
FIRST_LINE = re.compile(r"[^:\n]+:\s*(?P<name>.+?)\s*\((?P<login>[^()\s]+)\)\s*$", re.MULTILINE)


@dataclass
class OwnedFiles:
    """The files that one student handed in, before they are read, and what the names around them
    say.
    """

    name: str
    files: list[Member] = field(default_factory=list)  # with the names that the student gave them
    number: int | None = None  # Canvas's, of the student
    canvas: str = ""  # what Canvas puts before the name of the first file; empty elsewhere
    online: bool = False  # whether there is an online text
    place: str = ""  # in the folder of the class: a folder, or the first file
    incidents: list[Incident] = field(default_factory=list)
    moodle: MoodleName | None = None  # the name of Moodle's around them
    by_system: bool = False  # whether another system wrote the name

    @property
    def is_unnamed(self) -> bool:
        """Whether no name says which student these files belong to."""
        return not self.by_system and self.moodle is None and nameless(self.name)


Found = tuple[list[OwnedFiles], list[Member]]  # and the members of no student


@functools.lru_cache(4096)
def nameless(name: str) -> bool:
    """Return whether a name says what something is and not whose: words such as "solucion", and
    short numbers.

    >>> nameless("solucion_final (2)"), nameless("p1")
    (True, True)
    >>> nameless("Ana - solucion"), nameless("12345678")
    (False, False)
    """
    words = comparable(CAPITAL.sub(" ", name)).split()
    bare = [word.strip("0123456789") for word in words]
    numbers = [re.sub(r"\D", "", word) for word in words]
    # longer numbers are of a person
    return any(bare) and {*bare} <= WORDS | {""} and all(len(number) <= 4 for number in numbers)


def drive_names(files: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return, by file, the student and the file's own name, for the files to which Google Drive
    added a student's name, before or after a dash.

    One part of such a name says what the file is, and the other is the student. If that does not
    decide, the first part is the student if most files of the folder have two parts, unless several
    files would go to a student who is not known otherwise.

    >>> drive_names(["Ana - solucion.py", "P1 - Luis.py", "eva.py"])
    {'Ana - solucion.py': ('Ana', 'solucion.py'), 'P1 - Luis.py': ('Luis', 'P1.py')}
    """
    found: dict[str, tuple[str, str]] = {}
    unclear: dict[str, tuple[str, str]] = {}
    for file in files:
        stem, ending = os.path.splitext(file)
        pairs = [(stem[: dash.start()], stem[dash.end() :]) for dash in DASH.finditer(stem)]
        pairs = [pair for pair in pairs if all(map(comparable, pair))]
        for left, right in pairs:
            if nameless(left) != nameless(right):
                owner, own = (without_copy(right), left) if nameless(left) else (left, right)
                found[file] = owner, f"{own}{ending}"
                break
        else:
            if pairs:
                left, right = pairs[0]
                unclear[file] = left, f"{right}{ending}"
    known = {owner for owner, _ in found.values()}
    times = Counter(owner for owner, _ in unclear.values())
    if len(found) + len(unclear) > max(1, len(files) // 2):
        found |= {
            file: pair for file, pair in unclear.items() if times[pair[0]] == 1 or pair[0] in known
        }
    return found


def recognised(members: Sequence[Member], wrapper: str = "") -> Found | None:
    """Share out the members of a folder among students, if Canvas, Gradescope or another system of
    this module named them; None if none of these did.

    `members`: everything in the folder, at any depth.
    `wrapper`: the name of the folder.
    Returned `others`: the members that belong to no student, without the files of the system
        itself.
    """
    members = [member for member in members if not is_junk(member.parts)]
    found = _gradescope(members) or _sakai(members) or _classroom(members, wrapper)
    return found or _canvas(members) or _blackboard(members)


def _flat(
    members: Sequence[Member], pattern: re.Pattern[str]
) -> tuple[list[tuple[Member, re.Match[str]]], list[Member]]:
    """Return the files at the top of a folder with a name that matches, each with its match, and
    all other members.
    """
    top = [member for member in members if member.is_top_file]
    named = [(member, found) for member in top if (found := pattern.fullmatch(member.name))]
    own = {id(member) for member, _ in named}
    return named, [member for member in members if id(member) not in own]


def _are_canvas(names: Sequence[re.Match[str]], count: int) -> bool:
    """Return whether Canvas made these names: each student has one number, and each file another
    one.

    `count`: how many members the folder has at its top; a single name has to be the majority of
        them.
    """
    users = {(found["name"], found["user"]) for found in names}
    attachments = [found["attachment"] for found in names if found["attachment"]]
    return (
        (len(names) > 1 or 2 * len(names) > count)
        and len({user for _, user in users}) == len(users)
        and len({*attachments}) == len(attachments)
        and not any(nameless(name) for name, _ in users)
    )


def _canvas(members: Sequence[Member]) -> Found | None:
    named, others = _flat(members, CANVAS)
    if not _are_canvas(
        [found for _, found in named], sum(len(member.parts) == 1 for member in members)
    ):
        return None
    owned: dict[tuple[str, str], OwnedFiles] = {}
    for member, found in named:
        is_known = found["name"] != "anon" and found["user"].isdigit()
        name = found["name"] if is_known else f"anon {found['user']}"
        number = int(found["user"]) if is_known else None
        student = owned.setdefault(
            (name, found["user"]), OwnedFiles(name, number=number, place=member.name)
        )
        if found["late"] and not student.incidents:
            student.incidents.append(Incident("submission.late"))
        if found["kind"] == "text":
            student.online = True
            continue
        file = found["file"] or "link.html"
        if found["attachment"] and (not student.canvas or file.lower().endswith(CODE)):
            student.canvas = f"{found['before']}_{found['attachment']}"
        taken = any(file == other.path for other in student.files)  # two uploads of one name
        student.files.append(
            replace(member, parts=(found["attachment"], file) if taken else (file,))
        )
    return list(owned.values()), others


def _blackboard(members: Sequence[Member]) -> Found | None:
    named, others = _flat(members, BLACKBOARD)
    if not named:
        return None
    attempts: dict[tuple[str, str], dict[str, OwnedFiles]] = {}
    written = [member for member, found in named if not found["file"]]
    texts = dict(zip((member.name for member in written), _texts_of(written), strict=True))
    fields = {name: FIELD.search(text) for name, text in texts.items()}
    lines = {name: field["text"] if field else name for name, field in fields.items()}
    filed = {found.group(*ATTEMPT) for _, found in named if found["file"]}
    beside_files = {
        lines.get(member.name) for member, found in named if found.group(*ATTEMPT) in filed
    }
    for member, found in named:
        of_student = attempts.setdefault((found["prefix"], found["user"]), {})
        student = of_student.setdefault(found["when"], OwnedFiles(found["user"], place=member.name))
        if found["file"]:
            student.files.append(replace(member, parts=(found["file"],)))
            continue
        # what stands beside files too is the system's word for none
        student.online = (
            NO_TEXT not in texts[member.name] and lines[member.name] not in beside_files
        )
        said = FIRST_LINE.match(texts[member.name])
        if said and f"{found['prefix']}_{found['user']}".endswith(said["login"]):
            student.name = said["name"]
    owned = []
    for of_student in attempts.values():
        *earlier, last = sorted(of_student)
        one = of_student[last]
        one.online &= not one.files  # the text is the system's own
        if earlier:
            one.incidents.append(
                Incident("submission.attempts", {"count": len(of_student), "last": last})
            )
        owned.append(one)
    return owned, others


def _gradescope(members: Sequence[Member]) -> Found | None:
    said = next((member for member in members if member.parts == (METADATA,)), None)
    if said is None:
        return None
    names = _submitters(*_texts_of([said]))
    owned = {key: OwnedFiles(", ".join(who), place=key) for key, who in names.items()}
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
    """Return the students' names by folder, read from Gradescope's metadata, which are YAML
    indented by two spaces.
    """
    found: dict[str, list[str]] = {}
    section = ""
    for line in metadata.splitlines():
        if top := re.fullmatch(r"(['\"]?)(\S.*?)\1:\s*", line):
            found[top[2]] = []
        elif level := re.fullmatch(r"  (:\w+):.*", line):
            section = level[1]
        elif (
            (name := re.fullmatch(r"  (?:- |  ):name: (.+)", line))
            and section == ":submitters"
            and found
        ):
            found[[*found][-1]].append(_scalar(name[1].strip()))
    return {key: names for key, names in found.items() if names}


def _scalar(text: str) -> str:
    if text[:1] == text[-1:] == '"':
        with suppress(ValueError):
            return str(json.loads(text))
    return text[1:-1].replace("''", "'") if text[:1] == text[-1:] == "'" else text


def _sakai(members: Sequence[Member]) -> Found | None:
    own = {member.parts[0] for member in members if member.parts[1:2] in ((OF_SAKAI,), (ATTACHED,))}
    names = {folder: found for folder in own if (found := SAKAI.fullmatch(folder))}
    if not names:
        return None
    owned = {folder: OwnedFiles(found["name"], place=folder) for folder, found in names.items()}
    others = []
    for member in members:
        student = owned.get(member.parts[0])
        if student is None:
            others += (
                [member] if len(member.parts) > 1 or member.name.lower().endswith(CODE) else []
            )
        elif member.parts[1:2] == (ATTACHED,) and len(member.parts) > 2 and not member.is_folder:
            student.files.append(member.under(2))
        elif len(member.parts) == 2 and "submissiontext" in member.name.lower():
            student.online = True
    return list(owned.values()), others


def _classroom(members: Sequence[Member], wrapper: str) -> Found | None:
    prefix = f"{wrapper.removesuffix(CLASSROOM)}-"
    if not wrapper.endswith(CLASSROOM):
        return None
    owned: dict[str, OwnedFiles] = {}
    others = []
    for member in members:
        folder = member.parts[0]
        if folder.startswith(prefix) and folder != prefix and not member.is_top_file:
            student = owned.setdefault(
                folder, OwnedFiles(folder.removeprefix(prefix), place=folder)
            )
            student.files += [] if member.is_folder else [member.under(1)]
        else:
            others.append(member)
    return (list(owned.values()), others) if owned else None


def _texts_of(members: Sequence[Member]) -> list[str]:
    """Return the text of each file; empty for a file that cannot be read.

    Another process reads them: the position up to which this one has read a zip is shared with the
    processes that read a submission.
    """
    return apart(lambda: [_text_of(member) for member in members])


def _text_of(member: Member) -> str:
    try:
        return member.read(LONGEST_TEXT).decode("utf-8-sig", "replace")
    except RefusedFile:
        return ""
