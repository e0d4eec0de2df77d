"""A file is not watched while it runs: of all that it does, only a forged answer is flagged."""

import pytest
from submissions import MODEL

from practica.grading.engine.grade import grade_submission
from practica.grading.engine.rubric import load_rubric
from practica.grading.report.words import flags_of
from practica.grading.sandbox.client import ProcessSolution

FORGED = """
import os

def accuracy(outputs, targets):
    os.write(3, b"pass" * 100)
    return 1.0
"""
WORDS = {"es": "Contesta en lugar del programa", "en": "It answers in place of the program"}


def graded(source, sandbox, lang):
    """Return what a person reads of a file, and its points."""
    with ProcessSolution(source.encode(), sandbox) as solution:
        options = {"identifier": "ana", "file": "ana.py", "only": {"accuracy"}, "max_examples": 1}
        result = grade_submission(source.encode(), solution, load_rubric(), **options)
    return [str(flag.sentence) for flag in flags_of(result, lang)], result.points


@pytest.mark.parametrize("lang", WORDS)
def test_a_forged_answer_earns_nothing_and_is_flagged_once(lang, sandbox):
    """The trusted side reads a frame that no request of its own asked for."""
    told, points = graded(FORGED, sandbox, lang)
    assert points == 0
    assert [WORDS[lang] in sentence for sentence in told] == [True]


def test_printed_verdicts_and_files_of_its_own_cost_nothing(sandbox):
    """Neither changes a mark, and a guess would accuse honest files."""
    printed = "\nprint('2.50 / 2.50', {'verdict': 'pass'})\nopen('own', 'w').close()\n"
    assert graded(MODEL.read_text(encoding="utf-8") + printed, sandbox, "en") == ([], 0.2)


def test_an_import_of_the_solutions_is_flagged_with_its_line(sandbox):
    """Wherever it is; it costs all points."""
    source = "def accuracy(outputs, targets):\n    return 0.5\ndef other():\n    import practica\n"
    (told,), points = graded(source, sandbox, "en")
    assert told.startswith("line 4: ")
    assert points == 0
