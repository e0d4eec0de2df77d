"""`practica new` makes a folder that is ready to work in, and never touches what exists."""

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from practica.cli import main
from practica.grading.student.folder import FILES, PAGES, material

SOURCE = Path(__file__).parents[3] / "enunciado"
LANGUAGES = pytest.mark.parametrize("lang", FILES)


@pytest.fixture
def new(monkeypatch, tmp_path):
    """Run `practica new` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(main, ["new", *map(str, arguments)])


@LANGUAGES
def test_the_folder_has_every_file_under_its_own_name(new, lang):
    """The contents are those of enunciado/ in the language asked for.

    The folders above it are made too.
    """
    done = new("curso/p1", "--lang", lang)
    assert done.exit_code == 0, done.output
    folder = Path("curso/p1")
    made = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert made == {*FILES[lang].values(), *PAGES[lang]}
    for source, name in FILES[lang].items():
        assert (folder / name).read_bytes() == (SOURCE / source).read_bytes()
    assert "practica check solucion.py" in done.output


def test_an_empty_folder_is_filled(new):
    """It is as good as none."""
    Path("p1").mkdir()
    assert new("p1").exit_code == 0
    assert Path("p1/solucion.py").exists()


@pytest.mark.parametrize(
    ("lang", "sentence"), [("es", "no está vacía (contiene notas.txt)"), ("en", "is not empty")]
)
def test_a_folder_with_something_in_it_is_left_alone(new, lang, sentence):
    """One sentence says so."""
    Path("p1").mkdir()
    Path("p1/notas.txt").write_text("mías")
    done = new("p1", "--lang", lang)
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert os.listdir("p1") == ["notas.txt"]


def test_a_second_time_nothing_is_overwritten(new):
    """What has been written since is still there."""
    new("p1")
    Path("p1/solucion.py").write_text("mi trabajo")
    assert new("p1").exit_code == 2
    assert Path("p1/solucion.py").read_text() == "mi trabajo"


@pytest.mark.parametrize("path", ["fichero", "fichero/p1"])
def test_a_file_in_the_way_is_left_alone(new, path):
    """It is no folder."""
    Path("fichero").write_text("mío")
    done = new(path)
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
    assert Path("fichero").read_text() == "mío"


@LANGUAGES
def test_the_page_of_the_folder_names_its_files_and_commands_that_exist(lang):
    """All of them, and no others."""
    (source,) = (source for source, name in FILES[lang].items() if name == "README.md")
    page = (material() / source).read_text(encoding="utf-8")
    shown = {name.partition("/")[0] for name in FILES[lang].values()} - {"README.md", ".vscode"} | {
        *PAGES[lang]
    }
    assert set(re.findall(r"`(\w[\w.]+)`", page)) == shown
    options = CliRunner().invoke(main, ["check", "--help"]).output
    assert all(option in options for option in ("--watch", "--lang"))
