"""The language in which a command answers: the chosen one, that of the work, that of the locale."""

import pytest

from practica.grading.report.messages import LANGUAGES
from practica.grading.student.folder import make_folder, template_of
from practica.grading.student.language import language

LOCALES = {"en_GB.UTF-8": "en", "es_ES.UTF-8": "es", "gl_ES.UTF-8": "es", "C.UTF-8": "es", "": "es"}


@pytest.fixture(params=LOCALES)
def locale(request, monkeypatch):
    """Set a locale of the user."""
    for name in ("LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LC_ALL", request.param)
    return request.param


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_folder_answers_in_the_language_of_its_files(lang, locale, tmp_path):
    """Also without the file, of which another one may take the place."""
    make_folder(tmp_path / "p1", lang=lang)
    assert language(tmp_path / "p1") == lang
    (tmp_path / "p1" / "solucion.py").unlink()
    assert language(tmp_path / "p1") == lang


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_template_keeps_its_language_elsewhere(lang, locale, tmp_path):
    """In a folder of another language too."""
    make_folder(tmp_path / "p1", lang={"es": "en", "en": "es"}[lang])
    file = tmp_path / "p1" / "mine.py"
    file.write_bytes(template_of(lang))
    assert language(file.parent, None, file) == lang


def test_a_file_without_a_template_is_answered_in_the_language_of_the_locale(locale, tmp_path):
    """Spanish where there are no sentences in it."""
    file = tmp_path / "mine.py"
    file.write_text("x = 1\n", encoding="utf-8")
    assert language(tmp_path, None, file) == LOCALES[locale]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_chosen_language_comes_first(lang, locale, tmp_path):
    """Whatever is in the folder."""
    make_folder(tmp_path / "p1", lang="en")
    assert language(tmp_path / "p1", lang) == lang
