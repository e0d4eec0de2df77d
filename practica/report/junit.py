"""A canonical result as JUnit's XML, which every CI shows: the form that Jenkins calls xunit2."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from practica.engine.result import Result
from practica.files import write_bytes
from practica.report.messages import as_points
from practica.report.words import Flag, SaidCheck, SaidSubmission, flags_of, said

NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(result: Result, lang: str = "es") -> bytes:
    """Return a canonical result as JUnit's XML, the form that Jenkins calls xunit2.

    Returned `xml`: a suite per submission, with its points as properties, and a case per check,
        broken rule and flag. A failed check, broken rule or flag is a failure; one that could not
        run is skipped; and a submission that could not, or a grader that failed, has a case of its
        own with an error, so that nothing passes by not running. There are no times of day: the
        same result gives the same bytes.
    """
    root = ElementTree.Element("testsuites", name="practica")
    for submission in result.submissions:
        root.append(_suite(said(submission, lang), flags_of(submission, lang)))
    for counter in ("tests", "failures", "errors", "skipped"):
        root.set(counter, str(sum(int(suite.get(counter, "0")) for suite in root)))
    _set_time(root, [submission.seconds for submission in result.submissions])
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def _suite(submission: SaidSubmission, flags: Sequence[Flag]) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", name=_xml(submission.id), hostname="localhost")
    properties = ElementTree.SubElement(suite, "properties")
    facts = {"file": submission.file, "sha256": submission.sha256, "status": submission.status}
    facts |= {
        "points": as_points(submission.points, ""),
        "max_points": as_points(submission.max_points),
    }
    facts |= {
        f"points.{function.name}": as_points(function.points, "")
        for function in submission.functions
    }
    for name, value in facts.items():
        ElementTree.SubElement(properties, "property", name=name, value=_xml(value))
    if submission.status != "graded":
        case = _case(suite, submission.id, submission.id, "status")
        _outcome(case, "error", submission.why or submission.status, submission.status)
    for flag in flags:
        case = _case(suite, submission.id, submission.id, f"{flag.id}.{flag.name}")
        _outcome(case, "failure", flag.sentence, flag.id)
    for function in submission.functions:
        for number, rule in enumerate(rule for rule in function.rules if rule.severity == "broken"):
            name = f"{rule.id}.{rule.line or number}"
            _outcome(
                _case(suite, submission.id, function.name, name), "failure", rule.sentence, rule.id
            )
        likely: str = function.likely
        for check in function.checks:
            case = _case(suite, submission.id, function.name, check.id)
            if check.verdict == "fail":
                _outcome(case, "failure", check.sentence, check.id, _details(check, likely))
                likely = ""  # it is said once
            elif check.verdict == "not_run":
                _outcome(case, "skipped", check.sentence or submission.why)
    suite.set("tests", str(len(suite.findall("testcase"))))
    for counter, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(counter, str(len(suite.findall(f"testcase/{tag}"))))
    _set_time(suite, [submission.seconds])
    return suite


def _set_time(element: ElementTree.Element, seconds: Sequence[float | None]) -> None:
    """Write how long it took, if that is known: the result of a class has no times."""
    if None not in seconds:
        element.set("time", f"{sum(each for each in seconds if each is not None):.3f}")


def _case(
    suite: ElementTree.Element, submission: str, function: str, name: str
) -> ElementTree.Element:
    return ElementTree.SubElement(
        suite, "testcase", classname=_xml(f"{submission}.{function}"), name=_xml(name), time="0.000"
    )


def _outcome(
    case: ElementTree.Element, tag: str, message: str, kind: str = "", details: str = ""
) -> None:
    outcome = ElementTree.SubElement(case, tag, message=_xml(message))
    if kind:
        outcome.set("type", kind)
    if details:
        outcome.text = _xml(details)


def _details(check: SaidCheck, likely: str) -> str:
    found = [
        f"{name}: {value}"
        for name, value in (check.counterexample or {}).items()
        if name != "drawn"
    ]
    return "\n".join([likely, *found] if likely else found)


def _xml(text: str) -> str:
    """Return text with the characters that no XML can hold, not even escaped, made visible."""
    return NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def write_junit(path: Path, result: Result, lang: str = "es") -> None:
    """Write what `junit` returns."""
    write_bytes(path, junit(result, lang))
