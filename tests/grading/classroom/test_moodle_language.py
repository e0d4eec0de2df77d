"""A language of Moodle's worksheets is one file, and another one is added as its folder says."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import practica
from practica.grading.classroom.moodle_language import FOLDER, LANGUAGES

FRENCH = {
    'decimal = "."': 'decimal = ","',
    '["No"]': '["Non"]',
    '["Identifier"]': '["Identifiant"]',
    '["Full name", "Name"]': '["Nom complet"]',
    '["Status"]': '["Statut"]',
    '["Grade"]': '["Note"]',
    '["Maximum Grade"]': '["Note maximale"]',
    '["Grade can be changed"]': '["La note peut être modifiée"]',
    '["Feedback comments"]': '["Commentaires (feedback)"]',
    'words = ["late"]': 'words = ["de retard"]',
    'day = "day"': 'day = "jour"',
    'sheet = "Upload grading worksheet"': 'sheet = "Déposer la feuille d\'évaluation"',
}
SHEET = """\
Identifiant,Nom complet,Statut,Note,Note maximale,La note peut être modifiée,Commentaires (feedback)
Participant 12,Ana Pérez,Remis pour évaluation - 2 jours de retard,,"10,00",Oui,
Participant 13,Eva Ruiz,Remis pour évaluation,"3,00","10,00",Non,
"""
PROGRAM = """
import sys
from pathlib import Path
from moodle_files import result, submission
from practica.grading.classroom.late_status import late_by
from practica.grading.classroom.upload import Upload
from practica.grading.classroom.worksheet import read_worksheet
from practica.grading.engine.result import Entry

sheet = read_worksheet(Path("hoja.csv"))
entries = [
    Entry("ana-12", "Ana Pérez", 12, "Ana Pérez_12_assignsubmission_file"),
    Entry("eva-13", "Eva Ruiz", 13, "Eva Ruiz_13_assignsubmission_file"),
]
class_ = result(submission("ana-12"), submission("eva-13"))
upload = Upload(entries, class_, sheet, "es")
Path("pagina.html").write_text("page")
steps = upload.write(Path(), "copia.csv", {"ana-12": "pagina.html", "eva-13": "pagina.html"})
print(sheet.language, late_by(sheet, entries))
print(*[row.name for row in upload.filled.rows], *[row.name for row in upload.filled.kept])
print(*steps)
print(upload.filled.content.decode())
"""


def test_another_language_is_one_file(tmp_path):
    """English copied under the code of French, with Moodle's French words in it."""
    package, own = tmp_path / "practica", Path(practica.__file__).parent
    shutil.copytree(own, package, ignore=shutil.ignore_patterns("__pycache__"))
    folder = package / FOLDER.relative_to(own)
    text = (folder / "en.toml").read_text(encoding="utf-8")
    for english, french in FRENCH.items():
        assert english in text
        text = text.replace(english, french)
    (folder / "fr.toml").write_text(text, encoding="utf-8")
    (tmp_path / "hoja.csv").write_text(SHEET, encoding="utf-8")
    paths = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(Path(__file__).parents[2])!r}]"
    done = subprocess.run(
        [sys.executable, "-c", f"{paths}\n{PROGRAM}"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    language, names, steps, *copy = done.stdout.splitlines()
    assert language == f"fr {{'ana-12': {2 * 86_400}}}"
    assert names == "Ana Pérez Eva Ruiz"  # the first is filled, and the grade of the other locked
    assert "Déposer la feuille d'évaluation" in steps
    assert copy[0] == SHEET.splitlines()[0]
    assert '"1,00"' in copy[1]
    assert "Eva Ruiz" not in "".join(copy)


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_language_has_the_words_that_are_used(name):
    """Those of English, and Moodle 4.5's names only of buttons that there are."""
    language, english = LANGUAGES[name], LANGUAGES["en"]
    assert language.columns.keys() == english.columns.keys()
    assert language.buttons.keys() == english.buttons.keys()
    assert language.buttons_since_4_5.keys() == english.buttons_since_4_5.keys()
    assert all(language.columns.values())
