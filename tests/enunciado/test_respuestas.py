"""The questions of the statement, answered for instructors: all of them, and every experiment comes out as printed."""

import doctest
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "enunciado"
ANSWERS = (FOLDER / "profesorado" / "respuestas.md").read_text("utf-8")
BLOCK = re.compile(r"^```python\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def words(text: str) -> str:
    """Return a quoted text on one line."""
    return " ".join(line.removeprefix(">").strip() for line in text.splitlines()).strip()


def questions_of_the_statement() -> dict[str, str]:
    """Return the text of each question by its number."""
    statement = (FOLDER / "enunciado.md").read_text("utf-8")
    found = re.findall(r"^> \*\*Pregunta (\d\.\d+)\.\*\*(.*\n(?:>.*\n)*)", statement, flags=re.MULTILINE)
    return {number: words(text) for number, text in found}


def answers() -> dict[str, tuple[str, str]]:
    """Return the quoted question and its answer by number."""
    found = re.findall(
        r"^### Pregunta (\d\.\d+)\n\n((?:>[^\n]*\n)+)\n(.*?)(?=^##|\Z)", ANSWERS, flags=re.MULTILINE | re.DOTALL
    )
    return {number: (words(question), answer) for number, question, answer in found}


def test_every_question_of_the_statement_is_answered():
    """In its order, under its number and its words, and in more than one word."""
    assert {number: question for number, (question, _) in answers().items()} == questions_of_the_statement()
    assert list(answers()) == list(questions_of_the_statement())
    assert min(len(BLOCK.sub("", answer)) for _, answer in answers().values()) > 20


@pytest.mark.slow
def test_the_experiments_print_what_the_answers_say():
    """All of them are one session, and nearly every answer has one."""
    assert sum("```python" in answer for _, answer in answers().values()) > 20
    session = doctest.DocTestParser().get_doctest("\n".join(BLOCK.findall(ANSWERS)), {}, "respuestas.md", None, 0)
    report: list[str] = []
    assert doctest.DocTestRunner().run(session, out=report.append).failed == 0, "".join(report)
