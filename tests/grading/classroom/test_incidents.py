"""What is said of a class: the same in both languages, and a sentence for everything that can
happen.
"""

import ast
import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest

import practica.grading.classroom
from practica.grading.engine.adjustments import LOWER, NO_MARK, OTHER_FILE
from practica.grading.engine.result import Incident
from practica.grading.report.messages import LANGUAGES, places, tables
from practica.grading.report.questions import sentences_of, serious


@pytest.mark.parametrize("lang", LANGUAGES)
def test_only_what_is_moodles_speaks_of_moodle(lang):
    """A class may be of another system: columns, teams and names of Moodle's are of no other."""
    said = {
        code: text for each in tables("incidents", lang).values() for code, text in each.items()
    }
    assert {code for code, text in said.items() if "Moodle" in text} == {
        "file.inside",
        "worksheet.backslash",
        "worksheet.groups_alike",
        "worksheet.locked",
    }


def test_both_languages_say_the_same_things():
    """The ids, their order, how serious they are, and the places of each sentence."""
    spanish, english = (
        [
            (name, code, places(text))
            for name, said in tables("incidents", lang).items()
            for code, text in said.items()
        ]
        for lang in LANGUAGES
    )
    assert spanish == english


def test_every_code_has_its_sentence_and_every_sentence_its_code():
    """The codes are written in the modules of the package, as "family.what"."""
    codes = {code for table in tables("incidents").values() for code in table}
    families = {code.partition(".")[0] for code in codes}
    written = {
        node.value
        for file in Path(practica.grading.classroom.__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    used = {
        text for text in written if re.fullmatch(rf"({'|'.join(families)})\.[a-z_]*[a-z]", text)
    }
    built = {
        "archive.traversal",
        "archive.absolute",
        "archive.link",
        "archive.encrypted",
        "archive.long_path",
    }  # from file.*, in a zip
    built |= {"worksheet.by_name", "worksheet.by_email", OTHER_FILE, LOWER, NO_MARK}
    assert used | built == codes


def test_what_needs_a_person_comes_first():
    """And each kind together, whoever it is about."""
    incidents = [
        Incident("file.renamed", {"name": "Ana", "file": "x.py"}, "ana-1"),
        Incident("file.empty", {"name": "Luis", "file": "solucion.py"}, "luis-2"),
        Incident("submission.none", {"name": "Eva"}, "eva-3"),
        Incident("file.empty", {"name": "Brais", "file": "solucion.py"}, "brais-4"),
    ]
    assert [line.partition(":")[0] for line in sentences_of(incidents)] == [
        "Eva",
        "Brais",
        "Luis",
        "Ana",
    ]
    assert [serious(incident) for incident in incidents] == [False, True, True, True]


def test_what_nobody_knows_needs_a_person_first():
    """A result may be of another version."""
    incidents = [
        Incident("submission.none", {"name": "Eva"}),
        Incident("file.eaten", {"name": "Ana"}),
    ]
    assert sentences_of(incidents, "en") == [
        "file.eaten (name: Ana)",
        "Eva: there is no file to grade.",
    ]
    assert serious(incidents[1])


def test_a_fact_with_braces_stays_as_it_is():
    """Names come from students."""
    incident = Incident("submission.none", {"name": "{file}"})
    assert sentences_of([incident], "en") == ["{file}: there is no file to grade."]


def test_an_incident_is_plain_data():
    """So that a journal can keep it."""
    incident = Incident("file.empty", {"name": "Ana", "file": "a.py"}, "ana-1")
    assert Incident(**json.loads(json.dumps(asdict(incident)))) == incident
