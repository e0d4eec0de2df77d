"""Every command that a page shows, or that the program prints, runs as it stands and in its
language.

A cheap marker stands for the sandbox, and a class that `scripts/make_class.py` makes for the
instructor's.
"""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from budget import budget
from cheap_marker import cheaply
from click.testing import CliRunner
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from make_class import make_class

from practica.cli import main

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "enunciado" / "profesorado"
LANGUAGE_OF = {
    **dict.fromkeys(["inicio.md", "guia.md", "criterios.md", "../../README.md"], "es"),
    **dict.fromkeys(["quickstart.en.md", "guide.en.md", "rubric.en.md"], "en"),
}
# a cluster, a table that nobody has, what does not end, and what `test_end_to_end` marks
ELSEWHERE = re.compile(
    r"--scheduler |practica (cv|compare) |--watch|enunciado/profesorado/solucion.py"
)
THOROUGH = {
    "inicio.md",
    "criterios.md",
    "guia.md",
    "guide.en.md",
}  # the commands of a guide, and of a page in the other language
OF_STUDENTS = {
    "enunciado.md": "es",
    "carpeta.md": "es",
    "statement.en.md": "en",
    "folder.en.md": "en",
}
BEGIN = {
    "es": "Se puede empezar por",
    "en": "You could begin with",
}  # what is said of a file in which nothing is written
HEADS = {"es": "Para mirar antes que nada", "en": "To be looked at first"}
COMMAND = re.compile(r"practica (?:review|report|grade) [^\n]*")
FLAGGED = "import os\nos_system = accuracy = hold_out = 1\n"


def commands_of(page: str) -> list[str]:
    """List what a page tells to type."""
    text = (PAGES / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    lines = [
        line.removeprefix("$ ")
        for block in blocks
        for line in block.splitlines()
        if line.startswith("$ ")
    ]
    return [line for line in lines if line.startswith("practica ") and not ELSEWHERE.search(line)]


def run(command: str, typed: str = "q\n") -> tuple[int, str]:
    """Run a command in this process, and return its exit code and what it says."""
    with cheaply():
        done = CliRunner().invoke(main, shlex.split(command)[1:], input=typed)
    assert isinstance(done.exception, SystemExit | None), done.exception
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Make what the pages take for granted: a class of Moodle, two files, a rubric, and an earlier
    run.
    """
    folder = tmp_path_factory.mktemp("profesorado")
    make_class(folder, students=16)
    (folder / "submissions.zip").write_bytes((folder / "entregas.zip").read_bytes())
    rubric = 'name = "R"\nonly = ["accuracy", "hold_out"]\n'
    for name in ("criterios.toml", "otros-criterios.toml", "rubric.toml"):
        (folder / name).write_text(rubric)
    (folder / "entregas").mkdir()
    (folder / "entregas" / "ana.py").write_text("accuracy = 1\n")
    shutil.copy(ROOT / "enunciado" / "cuaderno.ipynb", folder / "entregas" / "luis.ipynb")
    return folder


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.thorough] * (page in THOROUGH)) for page in LANGUAGE_OF],
)
def test_the_commands_of_a_page_run_one_after_the_other(page, made, monkeypatch):
    """In the folder that the page takes for granted, and what they print is in the language of the
    page.
    """
    monkeypatch.chdir(made)
    lang = LANGUAGE_OF[page]
    shutil.rmtree("notas", ignore_errors=True)
    shutil.rmtree("notas-2", ignore_errors=True)
    shutil.rmtree("notes", ignore_errors=True)
    assert commands_of(page)
    assert run("practica grade entregas.zip --out notas-2 --similarity")[0] in (0, 1)
    for command in commands_of(page):
        code, said = run(command)
        assert code in (0, 1), f"$ {command}\n{said}"
        other = {"es": "en", "en": "es"}[lang if "--out notes" not in command else "en"]
        assert HEADS[other] not in said, f"$ {command}\n{said}"


@pytest.mark.parametrize("page", OF_STUDENTS)
def test_the_commands_of_a_students_page_run_in_the_folder_that_was_made(
    page, tmp_path, monkeypatch
):
    """As they stand there, in the text too, after what `practica new` itself says."""
    monkeypatch.chdir(tmp_path)
    text, lang = (PAGES.parent / page).read_text(encoding="utf-8"), OF_STUDENTS[page]
    code, said = run(f"practica new p1 --lang {lang}")
    assert code == 0, said
    (printed,) = re.findall(r"practica check [\w.]+", said)
    monkeypatch.chdir(tmp_path / "p1")
    shown = re.findall(r"(?:^|`)(practica (?:new|check)\b[^`\n]*)", text, flags=re.MULTILINE)
    commands = sorted({printed, *shown} - {*filter(ELSEWHERE.search, shown)})
    assert len(commands) > 2
    for command in commands:
        code, said = run(command)
        assert code in (0, 1), f"$ {command}\n{said}"
        assert BEGIN[{"es": "en", "en": "es"}[lang]] not in said, f"$ {command}\n{said}"
        assert BEGIN[lang] in said or command != printed, f"$ {command}\n{said}"


@settings(max_examples=budget(6), phases=(Phase.explicit, Phase.generate))
@given(
    lang=st.sampled_from(["es", "en"]),
    options=st.sets(
        st.sampled_from(
            ["--worksheet 'mi hoja.csv'", "--similarity", "--locked-pages", "--rubric r.toml"]
        )
    ),
    answers=st.lists(st.sampled_from(["", "s", "total 0.1", "file b.py"]), max_size=4),
)
def test_what_a_class_prints_to_type_can_be_typed(tmp_path_factory, lang, options, answers):
    """After a run and after a review, in whatever folder one is by then, with names that have
    blanks.
    """
    folder = tmp_path_factory.mktemp("una clase")
    for name, files in {"Ana": ["a.py", "b.py"], "Luis": ["s.py"]}.items():
        for file in files:
            place = folder / "mis entregas" / f"{name}_{len(name)}_assignsubmission_file" / file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(FLAGGED)
    sheet = (
        "Identificador,Nombre completo,Estado,Calificación,Calificación máxima,Comentarios de"
        " retroalimentación\r\n"
    )
    sheet += "Participante3,Ana,Enviado,,10,\r\nParticipante4,Luis,Enviado,5,10,Oral\r\n"
    (folder / "mi hoja.csv").write_text(sheet, encoding="utf-8-sig", newline="")
    (folder / "r.toml").write_text('name = "R"\nonly = ["accuracy"]\n')
    spoken = "" if lang == "es" else " --lang en"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        code, said = run(
            f"practica grade 'mis entregas' --out 'mis notas' {' '.join(sorted(options))}{spoken}"
        )
        assert code in (0, 1), said
        (review,) = COMMAND.findall(said)
        typed = "".join({"": "\n\n", "s": "s\n"}.get(each, f"{each}\n\n\n") for each in answers)
        code, said = run(review, f"{typed}q\n")
        assert code in (0, 1), said
        printed = COMMAND.findall(said)
        assert printed
        for command in printed:
            code, said = run(command)
            assert code in (0, 1), f"$ {command}\n{said}"
            assert HEADS[{"es": "en", "en": "es"}[lang]] not in said
