#!/usr/bin/env python
"""Make a class that never was: Moodle's zip and worksheet, with the odd names and the mishaps of a
real one.

    scripts/make_class.py OUT                                   200 students, worksheet in Spanish
    scripts/make_class.py OUT --students 50 --seed 7 --lang en
    scripts/make_class.py OUT --teams                           handed in by teams of one to four

What they hand in are the submissions of tests/entregas, in the ways in which students do: under
another name, in a folder, in a zip with what macOS leaves in it, as a notebook. Five files are
broken, three are attacks (the code of one is of tests/ataques), three are right and use what a
person should look at, four students hand in nothing and one is not in the worksheet. A team has
what its first member would have handed in, and the number of a group, which may also be the number
of a participant in another. OUT gets

    entregas.zip           as Moodle gives it
    calificaciones.csv     its grading worksheet (grades.csv in English)
    esperado.json          by participant: name, team, kind (submission, broken, attack, flagged,
                           none), what it is, if in the sheet

The same arguments give the same bytes.
"""

import argparse
import functools
import io
import json
import random
import sys
import unicodedata
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).parent.parent / "tests"
sys.path.insert(0, str(TESTS))

import _installed  # noqa: E402, F401 - it says what to do first
from submissions import attacks, merged, submissions  # noqa: E402 - tests/ is no package

from practica.files import write_bytes  # noqa: E402

FIRST = (
    "Ana Brais Carmiña Dídac Élia Gisèle Héctor Iñaki Jörg Koldo Lúa Martiño Noël Óscar Paula Roi"
    " Sofía Uxía Zoë"
)
LAST = (
    "Álvarez Bouzas Castro Díaz Fernández García Iglesias Lourenço López Muñiz Núñez Otero Pérez"
    " Ruíz Sánchez"
)
ODD = [
    "José María de la Ó y Núñez-Álvarez",
    "María del Mar O'Donnell",
    "小龍 李",
    "Björk Guðmundsdóttir",
    "Ana Ana",
    "X Æ",
    "=Iván Fórmula",
    "Participante Anónima",
    "Nicolás (Nico) Rey",
    "Un Nombre Larguísimo Que No Cabe En Ninguna Columna Y Sigue Hasta El Final De La Línea"
    " Y Un Poco Más",
]
ROWLESS = 1  # hand something in and are not in the worksheet
ABSENT = 4  # are in the worksheet and hand nothing in
DATE = {
    "es": "viernes, 20 de noviembre de 2026, 10:{minute:02}",
    "en": "Friday, 20 November 2026, 10:{minute:02} AM",
}
HEADERS = {
    "es": (
        "Identificador",
        "Nombre completo",
        "Dirección de correo",
        "Estado",
        "Grupo",
        "Calificación",
        "Calificación máxima",
        "La calificación puede ser cambiada",
        "Última modificación (entrega)",
        "Última modificación (calificación)",
        "Comentarios de retroalimentación",
    ),
    "en": (
        "Identifier",
        "Full name",
        "Email address",
        "Status",
        "Group",
        "Grade",
        "Maximum Grade",
        "Grade can be changed",
        "Last modified (submission)",
        "Last modified (grade)",
        "Feedback comments",
    ),
}
GROUP = 4  # the column that only an assignment of teams has
TAKEN_OUT = str.maketrans("_", " ", "&<>\"`|':\\/")  # by Moodle, of the names of folders
FLAGS = {  # what a person should look at, and how it is used
    "os.system": ("os", "os.system('true')"),
    "exec": ("os", "exec('x = 1')"),
    "inspect.getsource": ("inspect", "inspect.getsource(np.mean)"),
}
FLAGGED = '''
def accuracy(outputs, targets, *, threshold=0.5):
    """Fracción de patrones bien clasificados."""
    import {module}

    {call}
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool:
        outputs = classify_outputs(outputs, threshold=threshold)
    right = outputs == targets
    return float(np.mean(right if right.ndim == 1 else np.all(right, axis=1)))
'''
WORDS = {
    "es": {
        "id": "Participante",
        "sent": "Enviado para calificar",
        "none": "Sin entrega",
        "yes": "Sí",
        "ten": "10,00",
        "team": "Grupo predeterminado",
    },
    "en": {
        "id": "Participant ",
        "sent": "Submitted for grading",
        "none": "No submission",
        "yes": "Yes",
        "ten": "10.00",
        "team": "Default group",
    },
}


@dataclass(frozen=True)
class Team:
    """A group of Moodle's, or those who are in none, who have no number."""

    name: str
    number: int | None


@dataclass
class Student:
    """Who hands what in."""

    participant: int
    name: str
    kind: str = "submission"
    what: str = ""
    in_sheet: bool = True
    files: dict[str, bytes] = field(default_factory=dict)
    team: Team | None = None

    @property
    def folder(self) -> str:
        """What Moodle calls the folder, without its ending."""
        name, number = (
            (self.name, self.participant)
            if self.team is None
            else (self.team.name, self.team.number)
        )
        return name.translate(TAKEN_OUT) + ("" if number is None else f"_{number}")


def make_class(
    out: Path, students: int = 200, seed: int = 1, lang: str = "es", *, teams: bool = False
) -> list[Student]:
    """Write a class to a folder, which is created, and return the students in the order of the
    zip.
    """
    if students < 16:
        raise ValueError(
            f"students={students}: five broken, three attacks, three flagged, four absent and one"
            " more make 16"
        )
    chance = random.Random(seed)
    made = _students(students, chance)
    if teams:
        _put_into_teams(made, chance, WORDS[lang]["team"])
    out.mkdir(parents=True, exist_ok=True)
    write_bytes(out / "entregas.zip", _moodle_zip(made))
    sheet = chance.sample(
        [student for student in made if student.in_sheet], k=sum(s.in_sheet for s in made)
    )
    write_bytes(
        out / f"{'calificaciones' if lang == 'es' else 'grades'}.csv",
        _worksheet(sheet, lang, teams=teams),
    )
    expected = {
        str(each.participant): {
            "name": each.name,
            "team": each.team and each.team.name,
            "kind": each.kind,
            "slug": each.what,
            "in_sheet": each.in_sheet,
        }
        for each in made
    }
    write_bytes(
        out / "esperado.json", (json.dumps(expected, ensure_ascii=False, indent=1) + "\n").encode()
    )
    return made


def _students(count: int, chance: random.Random) -> list[Student]:
    people = [
        f"{first} {one} {other}"
        for first in FIRST.split()
        for one in LAST.split()
        for other in LAST.split()
    ]
    names = chance.sample([*ODD, *chance.sample(people, k=count)][: max(count, len(ODD))], k=count)
    numbers = chance.sample(range(100_000, 1_000_000), k=count)
    made = [Student(number, name) for number, name in zip(numbers, names, strict=True)]
    special = [*_broken(chance), *_attacks(), *_flagged()]
    ordinary = made[len(special) + ABSENT :]
    for student, (kind, what, files) in zip(made, special, strict=False):
        student.kind, student.what, student.files = kind, what, files
    for student in made[len(special) : len(special) + ABSENT]:
        student.kind = "none"
    pool = submissions()
    chance.shuffle(pool)
    for number, student in enumerate(ordinary):
        given = pool[number % len(pool)]
        student.what = given.slug
        student.files = _handed_in(given.source, patched=given.differs is not None, chance=chance)
    for student in ordinary[:ROWLESS]:
        student.in_sheet = False
    return sorted(made, key=lambda student: student.folder)


def _put_into_teams(made: list[Student], chance: random.Random, nobodys: str) -> None:
    """Give everybody a team; all of one have what its first member has."""
    waiting = chance.sample(made, k=len(made))
    # of groups: those of participants, by chance
    numbers = [student.participant for student in made]
    chance.shuffle(numbers)
    count = 0
    while waiting:
        members = [waiting.pop() for _ in range(min(chance.randint(1, 4), len(waiting)))]
        count += 1
        name = chance.choice(["Grupo {}", "Equipo_{}", "Los de Pérez {}", "Ñandú/{}"]).format(count)
        team = Team(name, numbers.pop()) if waiting else Team(nobodys, None)
        first = members[0]
        for member in members:
            member.team, member.kind, member.what, member.files = (
                team,
                first.kind,
                first.what,
                first.files,
            )


def _handed_in(source: bytes, *, patched: bool, chance: random.Random) -> dict[str, bytes]:
    """Return a submission in one of the ways in which students hand in.

    Most follow the instructions.
    """
    way = chance.choice(["plain"] * 8 + ["renamed", "folder", "zip", "notebook", "windows", "more"])
    # only the model answer's is sure to mean the same in cells
    if way == "notebook" and not patched:
        way = "plain"
    return {
        "plain": {"solucion.py": source},
        "renamed": {
            chance.choice(["Práctica_1 (final).py", "entrega.PY", "solucion (1).py"]): source
        },
        "folder": {
            "practica/src/solucion.py": source,
            "practica/.DS_Store": b"\0",
            "practica/datos.csv": b"1,2\n",
        },
        "zip": {
            "entrega.zip": _zip(
                {"p1/solucion.py": source, "__MACOSX/p1/._solucion.py": b"\0\5\26\7"}
            )
        },
        "notebook": {"Práctica.ipynb": _notebook(source)},
        "windows": {"solucion.py": source.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")},
        "more": {
            "solucion.py": source,
            "pruebas.py": b"print('hola')\n",
            "memoria.pdf": b"%PDF-1.4\n",
        },
    }[way]


def _notebook(source: bytes) -> bytes:
    texts = [
        "%matplotlib inline\n!pip install torch\n",
        source.decode(),
        "datos = cargar('iris.csv')\nprint(datos)\n",
    ]
    code: dict[str, object] = {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
    }
    cells: list[dict[str, object]] = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Práctica\n"]}
    ]
    cells += [{**code, "source": text.splitlines(keepends=True)} for text in texts]
    data = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(data, ensure_ascii=False).encode()


def _broken(chance: random.Random) -> list[tuple[str, str, dict[str, bytes]]]:
    return [
        ("broken", "empty", {"solucion.py": b""}),
        ("broken", "no code", {"memoria.pdf": b"%PDF-1.4\n"}),
        (
            "broken",
            "two files",
            {"parte1.py": b"def accuracy(): ...\n", "parte2.py": b"def hold_out(): ...\n"},
        ),
        ("broken", "no notebook", {"solucion.ipynb": b'{"cells": [{"cell_type": "code", "sou'}),
        ("broken", "no zip", {"entrega.zip": b"PK\3\4" + chance.randbytes(2000)}),
    ]


@functools.cache  # a bomb takes its time to be packed
def _attacks() -> list[tuple[str, str, dict[str, bytes]]]:
    traversal = _zip({"../../../../tmp/solucion.py": b"print('fuera')\n", "solucion.py": b"\n"})
    bomb = _zip({"solucion.py": b"\n", "datos.csv": bytes(30_000_000)})
    code = attacks("sandbox")["objetos_mentirosos"]["source"]
    return [
        ("attack", "traversal", {"entrega.zip": traversal}),
        ("attack", "bomb", {"entrega.zip": bomb}),
        ("attack", "objetos_mentirosos", {"solucion.py": code}),
    ]


def _flagged() -> list[tuple[str, str, dict[str, bytes]]]:
    return [
        (
            "flagged",
            name,
            {"solucion.py": merged(FLAGGED.format(module=module, call=call)).encode()},
        )
        for name, (module, call) in FLAGS.items()
    ]


def _zip(files: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(
                zipfile.ZipInfo(name, (2026, 11, 20, 10, 0, 0)), data, zipfile.ZIP_DEFLATED
            )
    return content.getvalue()


def _moodle_zip(made: list[Student]) -> bytes:
    files = {}
    for number, (name, student) in enumerate({student.folder: student for student in made}.items()):
        folder = unicodedata.normalize("NFD", name) if number % 7 == 0 else name
        for file, content in student.files.items():
            files[f"{folder}_assignsubmission_file/{file}"] = content
        if number % 11 == 0 and student.files:
            files[f"{name}_assignsubmission_onlinetext/onlinetext.html"] = (
                b"<p>Adjunto la entrega.</p>"
            )
    return _zip(files)


def _worksheet(rows: list[Student], lang: str, *, teams: bool) -> bytes:
    words = WORDS[lang]
    lines: list[tuple[str, ...]] = [HEADERS[lang]]
    for number, student in enumerate(rows):
        email = f"alumno{student.participant}@example.org"
        status = words["none"] if student.kind == "none" else words["sent"]
        changeable = "No" if number == 5 else words["yes"]
        date = "-" if student.kind == "none" else DATE[lang].format(minute=number % 60)
        identifier = f"{words['id']}{student.participant}"
        group = student.team.name if student.team else ""
        lines.append(
            (
                identifier,
                student.name,
                email,
                status,
                group,
                "",
                words["ten"],
                changeable,
                date,
                "-",
                "",
            ),
        )
    if not teams:
        lines = [line[:GROUP] + line[GROUP + 1 :] for line in lines]
    text = "".join(",".join(map(_quoted, line)) + "\n" for line in lines)
    return text.encode("utf-8-sig")


def _quoted(value: str) -> str:
    return (
        '"' + value.replace('"', '""') + '"' if any(sign in value for sign in ' ,"\n\t') else value
    )


def main() -> None:
    """Read the arguments and make the class."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lang", choices=["es", "en"], default="es")
    parser.add_argument("--teams", action="store_true")
    arguments = parser.parse_args()
    try:
        made = make_class(**vars(arguments))
    except ValueError as error:
        sys.exit(str(error))
    kinds = [student.kind for student in made]
    print(
        ", ".join(
            f"{kinds.count(kind)} {kind}"
            for kind in ("submission", "broken", "attack", "flagged", "none")
        )
    )


if __name__ == "__main__":
    main()
