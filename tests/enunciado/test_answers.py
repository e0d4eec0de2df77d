"""The questions of the statement, answered for instructors: all of them, and every experiment comes
out as printed.
"""

import doctest
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "enunciado"
PAGES = {
    "es": ("enunciado.md", "profesorado/respuestas.md", "Pregunta"),
    "en": ("statement.en.md", "profesorado/answers.en.md", "Question"),
}
BLOCK = re.compile(r"^```python\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)

LANGUAGES = pytest.mark.parametrize("lang", PAGES)


def words(text: str) -> str:
    """Return a quoted text on one line."""
    return " ".join(line.removeprefix(">").strip() for line in text.splitlines()).strip()


def text_of(lang: str) -> str:
    """Read the answers."""
    return (FOLDER / PAGES[lang][1]).read_text("utf-8")


def questions_of_the_statement(lang: str) -> dict[str, str]:
    """Return the text of each question by its number."""
    name, _, word = PAGES[lang]
    statement = (FOLDER / name).read_text("utf-8")
    found = re.findall(
        rf"^> \*\*{word} (\d\.\d+)\.\*\*(.*\n(?:>.*\n)*)", statement, flags=re.MULTILINE
    )
    return {number: words(text) for number, text in found}


def answers(lang: str) -> dict[str, tuple[str, str]]:
    """Return the quoted question and its answer by number."""
    pattern = rf"^### {PAGES[lang][2]} (\d\.\d+)\n\n((?:>[^\n]*\n)+)\n(.*?)(?=^##|\Z)"
    found = re.findall(pattern, text_of(lang), flags=re.MULTILINE | re.DOTALL)
    return {number: (words(question), answer) for number, question, answer in found}


@LANGUAGES
def test_every_question_of_the_statement_is_answered(lang):
    """In its order, under its number and its words, and in more than one word."""
    questions = questions_of_the_statement(lang)
    assert {number: question for number, (question, _) in answers(lang).items()} == questions
    assert list(answers(lang)) == list(questions)
    assert min(len(BLOCK.sub("", answer)) for _, answer in answers(lang).values()) > 20


def test_both_languages_have_the_same_experiments():
    """But for comments and labels."""
    spanish, english = (
        [re.sub(r"#.*|\"\w+\"", "", block) for block in BLOCK.findall(text_of(lang))]
        for lang in PAGES
    )
    assert spanish == english


@pytest.mark.thorough
def test_the_experiments_print_what_the_answers_say():
    """All of them are one session, and nearly every answer has one.

    Both languages have the same.
    """
    assert sum("```python" in answer for _, answer in answers("en").values()) > 20
    session = doctest.DocTestParser().get_doctest(
        "\n".join(BLOCK.findall(text_of("en"))), {}, "answers", None, 0
    )
    report: list[str] = []
    assert doctest.DocTestRunner().run(session, out=report.append).failed == 0, "".join(report)
