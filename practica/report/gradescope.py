"""A marked submission as the `results.json` that Gradescope's autograders leave."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from practica.files import write_bytes
from practica.report.moodle import lines, reason
from practica.report.words import said

__all__ = ["gradescope", "write_gradescope"]


def gradescope(submission: Mapping[str, Any], *, lang: str = "es") -> dict[str, Any]:
    """Return a submission as the `results.json` of Gradescope's autograders.

    Parameters
    ----------
    submission : dict
        One element of `submissions` in a canonical result.
    lang : "es" or "en"

    Returns
    -------
    results : dict
        A test per function, all visible: a hidden one would hide the total too. Where the grader itself failed there is
        neither score nor test, which Gradescope shows as an error of the autograder and not as a mark of 0.
    """
    submission = said(submission, lang)
    results: dict[str, Any] = {
        "output": "" if submission["status"] == "graded" else reason(submission, lang),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [],
    }
    if submission["seconds"] is not None:
        results = {"execution_time": submission["seconds"], **results}
    if submission["points"] is None:
        return results
    tests = [_test(number, function, lang) for number, function in enumerate(submission["functions"], start=1)]
    return {"score": submission["points"], **results, "tests": tests}


def _test(number: int, function: Mapping[str, Any], lang: str) -> dict[str, Any]:
    return {
        "score": function["points"],
        "max_score": function["max_points"],
        "status": "passed" if function["verdict"] == "pass" else "failed",
        "name": function["name"],
        "number": str(number),
        "output": "\n".join(lines(function, lang=lang)),
        "output_format": "text",
        "tags": [function["verdict"]],
        "visibility": "visible",
    }


def write_gradescope(path: Path, submission: Mapping[str, Any], *, lang: str = "es") -> None:
    """Write what `gradescope` returns."""
    write_bytes(path, (json.dumps(gradescope(submission, lang=lang), ensure_ascii=False, indent=2) + "\n").encode())
