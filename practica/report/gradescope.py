"""A marked submission as the `results.json` that Gradescope's autograders leave."""

from __future__ import annotations

import json
from pathlib import Path

from practica.engine.result import SubmissionResult
from practica.files import write_bytes
from practica.report.moodle_comment import lines, reasons
from practica.report.words import SaidFunction, decided, said


def gradescope(submission: SubmissionResult, *, lang: str = "es") -> dict[str, object]:
    """Return a submission as the `results.json` of Gradescope's autograders.

    Returned `results`: a test per function, all visible: a hidden one would hide the total too.
        Where the grader itself failed there is neither score nor test, which Gradescope shows as an
        error of the autograder and not as a mark of 0.
    """
    told = said(submission, lang)
    results: dict[str, object] = {
        "output": "\n".join([*reasons(told, lang), *decided(submission, lang)]),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [],
    }
    if submission.seconds is not None:
        results = {"execution_time": submission.seconds, **results}
    if submission.points is None:
        return results
    tests = [
        _test(number, function, lang) for number, function in enumerate(told.functions, start=1)
    ]
    return {"score": submission.points, **results, "tests": tests}


def _test(number: int, function: SaidFunction, lang: str) -> dict[str, object]:
    score = {} if function.points is None else {"score": function.points}
    return {
        **score,
        "max_score": function.max_points,
        "status": "passed" if function.verdict in ("pass", "manual") else "failed",
        "name": function.name,
        "number": str(number),
        "output": "\n".join(lines(function, lang=lang)),
        "output_format": "text",
        "tags": [function.verdict],
        "visibility": "visible",
    }


def write_gradescope(path: Path, submission: SubmissionResult, *, lang: str = "es") -> None:
    """Write what `gradescope` returns."""
    write_bytes(
        path,
        (
            json.dumps(gradescope(submission, lang=lang), ensure_ascii=False, indent=2) + "\n"
        ).encode(),
    )
