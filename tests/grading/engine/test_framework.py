"""The list of checks, and how a check states what must hold."""

import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from practica.grading.engine import framework
from practica.grading.engine.current import assignment
from practica.grading.engine.framework import CheckFailed, load_checks, require, untouched
from practica.grading.engine.solution import LocalSolution
from practica.grading.report.messages import LANGUAGES, catalogue, places

GENERAL = ("any.", "form.", "random.", "lost.")


def test_two_checks_have_no_id_in_common():
    """The second one is refused."""
    with pytest.raises(ValueError, match="two checks"):
        framework.check(next(iter(load_checks())))(lambda solution: None)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_check_has_its_sentence(lang):
    """And no sentence is of a check that does not exist.

    Those on other causes continue the id of a check.
    """
    named = {check.row for check in load_checks().values()}
    said = {id for id in catalogue(lang) if id.partition(".")[0] in named}
    assert said >= set(load_checks())
    assert {id.rpartition(".")[0] for id in said - set(load_checks())} <= set(load_checks())


def test_every_sentence_on_another_cause_is_said_by_some_check():
    """Its last word stands in the code of the checks, where the sentence is chosen."""
    code = "".join(
        file.read_text(encoding="utf-8")
        for folder in (Path(framework.__file__).parent, assignment().folder)
        for file in folder.glob("*.py")
    )
    families = {check.row for check in load_checks().values()} | {"any", "form", "random"}
    # which the grader says
    for id in catalogue().keys() - load_checks().keys() - {"any.unwritten"}:
        assert id.partition(".")[0] not in families or re.search(
            rf"\b{id.rpartition('.')[2]}\b", code
        ), id


def test_the_sentences_have_the_same_places_in_all_languages():
    """One fact fills the same place everywhere."""
    spanish, english = catalogue("es"), catalogue("en")
    rows = {f"{check.row}." for check in load_checks().values()}
    checks = [id for id in spanish if id.startswith((*GENERAL, *rows))]
    assert all(places(spanish[id]) == places(english[id]) for id in checks)


def test_checks_are_imported_without_torch_or_scikit_learn():
    """The trusted process starts in tenths of a second."""
    program = (
        "import sys; from practica.grading.engine.framework import load_checks; load_checks(); "
        "print(*sys.modules.keys() & {'torch', 'sklearn', 'pandas', 'practica.reference'})"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout.split() == []


@pytest.mark.parametrize(
    ("examples", "secrets"), [(0, 0), (1, 1), (2, 2), (3, 3), (12, 3), (16, 4), (20, 5), (80, 20)]
)
def test_a_check_has_a_secret_example_for_four_known_ones_and_three_at_least(examples, secrets):
    """But never more secret ones than known ones."""
    check = next(iter(load_checks().values()))
    assert dataclasses.replace(check, examples=examples).secrets == secrets


def test_check_failed_keeps_its_facts():
    """They are what the sentence shows."""
    with pytest.raises(CheckFailed) as failed:
        require(False, obtained=3, message="form.number")
    assert (failed.value.facts, failed.value.message) == ({"obtained": 3}, "form.number")


def test_modified_arguments_are_found():
    """The sentence says which argument, and what it was."""

    def double(first, second):
        second *= 2

    with pytest.raises(CheckFailed) as failed:
        untouched(LocalSolution({"double": double}), "double", np.array([1, 2]), np.array([3, 4]))
    assert failed.value.message == "any.modified"
    assert failed.value.facts["position"] == 2


def test_a_failure_is_written_down_without_the_answer():
    """Hypothesis writes down each one that it meets, and rows of a million numbers take a
    second.
    """
    assert str(CheckFailed({"obtained": [0.0] * 1000}, "form.number")) == ""
