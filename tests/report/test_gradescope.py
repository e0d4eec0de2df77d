"""Gradescope's results: its fields, a test per function, and no mark where the grader failed."""

import json

import pytest
from moodle_files import submission

from practica.report.gradescope import gradescope, write_gradescope

TOP = {
    "score",
    "execution_time",
    "output",
    "output_format",
    "visibility",
    "stdout_visibility",
    "tests",
}
TEST = {
    "score",
    "max_score",
    "status",
    "name",
    "number",
    "output",
    "output_format",
    "tags",
    "visibility",
}


def test_the_fields_are_those_of_gradescope(tmp_path):
    """All of them, with the values that it knows."""
    write_gradescope(tmp_path / "results.json", submission())
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert set(results) == TOP
    assert {frozenset(test) for test in results["tests"]} == {frozenset(TEST)}
    assert {test["status"] for test in results["tests"]} == {"passed", "failed"}
    assert all(isinstance(tag, str) for test in results["tests"] for tag in test["tags"])
    assert isinstance(results["execution_time"], float)


def test_the_score_is_that_of_the_tests_and_nothing_is_hidden():
    """A hidden test would hide the total."""
    results = gradescope(submission())
    assert results["score"] == sum(test["score"] for test in results["tests"]) == 0.25
    assert {results["visibility"], *(test["visibility"] for test in results["tests"])} == {
        "visible"
    }
    assert [test["number"] for test in results["tests"]] == ["1", "2", "3", "4", "5"]
    assert [test["status"] for test in results["tests"]] == ["passed"] + 4 * ["failed"]


@pytest.mark.parametrize("lang", ["es", "en"])
def test_every_test_says_something(lang):
    """Right or wrong."""
    assert all(test["output"] for test in gradescope(submission(), lang=lang)["tests"])


def test_without_a_mark_there_is_no_score():
    """Gradescope shows an error of the autograder then, not a 0."""
    results = gradescope(submission(status="grader_error"))
    assert "score" not in results
    assert results["tests"] == []
    assert results["output"]


def test_what_could_not_run_has_its_reason():
    """And its points."""
    results = gradescope(submission(status="not_run", points=0.0))
    assert results["score"] == 0.0
    assert "<mal>" in results["output"]
