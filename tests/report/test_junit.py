"""JUnit's XML as other programs read it."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped
from moodle_files import result, submission

from practica.engine.result import Diagnosis, Mistake
from practica.report.junit import junit, write_junit

# What the schema of Jenkins's xunit plugin lets an element have.
ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "errors", "skipped", "disabled"},
    "testsuite": {
        "name",
        "tests",
        "failures",
        "errors",
        "skipped",
        "time",
        "timestamp",
        "hostname",
        "id",
        "package",
        "file",
    },
    "properties": set(),
    "property": {"name", "value"},
    "testcase": {
        "name",
        "classname",
        "time",
        "status",
        "assertions",
        "class",
        "file",
        "line",
        "group",
    },
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message", "type"},
}
CHILDREN = {
    "testsuites": ["testsuite"],
    "testsuite": ["properties", "testcase"],
    "properties": ["property"],
    "testcase": ["failure", "error", "skipped"],
}


@pytest.fixture
def read(tmp_path):
    """Return a function that writes a result and reads it back."""

    def of(*submissions):
        write_junit(tmp_path / "junit.xml", result(*submissions))
        return list(JUnitXml.fromfile(str(tmp_path / "junit.xml")))

    return of


def test_every_check_is_a_case_and_every_submission_a_suite(read):
    """Failures, skips and counts as another program counts them."""
    suite, other = read(submission(), submission("eva-13"))
    kinds = [type(outcome) for case in suite for outcome in case.result]
    assert (suite.name, other.name) == ("ana-12", "eva-13")
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (10, 7, 0, 2)
    assert [kinds.count(kind) for kind in (Failure, Error, Skipped)] == [7, 0, 2]
    assert suite.tests == len(list(suite))


def test_the_points_are_properties(read):
    """Of the suite, where xunit2 has them."""
    (suite,) = read(submission())
    facts = {each.name: each.value for each in suite.properties()}
    assert (facts["points"], facts["max_points"], facts["points.classify_outputs"]) == (
        "0.25",
        "2.50",
        "0.25",
    )


def test_a_known_mistake_is_told_with_the_first_failure(read):
    """Once for a function."""
    first, accuracy, *others = submission().functions
    named = replace(accuracy, diagnosis=Diagnosis("one", (Mistake("classify.strict", {}),)))
    (suite,) = read(submission(functions=(first, named, *others)))
    told = [
        case.result[0].text or ""
        for case in suite
        if case.classname.endswith(".accuracy") and case.result
    ]
    assert [text.startswith("Lo más probable: ") for text in told if text.strip()] == [True]


@pytest.mark.parametrize("status", ["not_run", "grader_error"])
def test_what_was_not_graded_is_an_error(read, status):
    """Otherwise a submission without checks would pass."""
    (suite,) = read(submission(status=status))
    assert (suite.tests, suite.errors) == (1, 1)
    assert next(iter(suite)).result[0].message == "línea 1: \N{REPLACEMENT CHARACTER} <mal>"


def test_the_file_is_what_the_schema_allows():
    """Attributes, children and their order; the counts of the whole are the sums."""
    root = ElementTree.fromstring(
        junit(result(submission(), submission("b", "not_run"), submission("c", seconds=None)))
    )
    for element in root.iter():
        assert set(element.attrib) <= ATTRIBUTES[element.tag]
        order = [CHILDREN.get(element.tag, []).index(child.tag) for child in element]
        assert order == sorted(order)
    for case in root.iter("testcase"):
        assert len(case) <= 1
        assert {"name", "classname"} <= set(case.attrib)
    for counter in ("tests", "failures", "errors", "skipped"):
        assert int(root.get(counter)) == sum(int(suite.get(counter)) for suite in root)


def test_the_same_result_is_the_same_bytes():
    """There is no time of day in it."""
    assert junit(result(submission())) == junit(result(submission()))


def test_an_empty_class_is_a_file(read):
    """Without suites."""
    assert read() == []
