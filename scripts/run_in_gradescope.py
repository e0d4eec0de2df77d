"""Mark the submission in BASE/submission, and write what Gradescope reads.

`build_autograder.py` copies this program into its zip. There, `run_autograder` starts it:

    $ python run_in_gradescope.py BASE --lang en --rubric rubric.toml

The result is BASE/results/results.json. The options after BASE are those of `practica grade`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from practica.grading.engine.result import FunctionResult, SubmissionResult
from practica.grading.engine.stored import read_result
from practica.grading.report.messages import say
from practica.grading.report.moodle_comment import reasons
from practica.grading.report.result_table import sentences
from practica.grading.report.words import decided, said


def gradescope(submission: SubmissionResult, lang: str) -> dict[str, object]:
    """Return a submission as the `results.json` of Gradescope's autograders.

    Returned `results`: a test per function, all visible: a hidden one would hide the total too.
        If there is no mark, there is neither score nor test. Gradescope shows that as an error of
        the autograder and not as a mark of 0.
    """
    functions = dict(sentences(submission, lang=lang))
    everywhere = functions.pop(say("same_rule", {}, lang), [])
    told = [*reasons(said(submission, lang), lang), *decided(submission, lang), *everywhere]
    results: dict[str, object] = {
        "output": "\n".join(told),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [],
    }
    if submission.seconds is not None:
        results["execution_time"] = submission.seconds
    if submission.points is not None:
        results["score"] = submission.points
        results["tests"] = [
            _test(number, function, functions.get(function.name, []), lang)
            for number, function in enumerate(submission.functions, start=1)
        ]
    return results


def _test(number: int, function: FunctionResult, told: list[str], lang: str) -> dict[str, object]:
    verdict = say(f"moodle.verdict.{function.verdict}", {}, lang)
    test: dict[str, object] = {
        "max_score": function.max_points,
        "status": "passed" if function.verdict in ("pass", "manual") else "failed",
        "name": function.name,
        "number": str(number),
        "output": "\n".join(told or [verdict]),
        "output_format": "text",
        "tags": [function.verdict],
        "visibility": "visible",
    }
    if function.points is not None:
        test["score"] = function.points
    return test


def mark(base: Path, options: list[str]) -> dict[str, object]:
    """Return the results of the submission in `base`, or an error with the reason.

    `options`: those of `practica grade`; `--lang LANG` is the first.
    """
    lang = options[options.index("--lang") + 1]
    with tempfile.TemporaryDirectory() as work:
        # The name of a folder that holds one student's submission.
        one = Path(work, "class", "Gradescope_1_assignsubmission_file")
        shutil.copytree(base / "submission", one, symlinks=True)
        out = Path(work, "out")
        command = [sys.executable, "-m", "practica", "grade", str(one.parent)]
        command += ["--out", str(out), *options]
        done = subprocess.run(
            command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False
        )
        print(done.stdout, done.stderr, sep="\n")  # what instructors see beside the result
        canonical, exceptions = out / "results.json", out / "exceptions.txt"
        submissions = read_result(canonical).submissions if canonical.is_file() else ()
        if submissions:
            return gradescope(submissions[0], lang)
        reason = exceptions.read_text(encoding="utf-8") if exceptions.is_file() else done.stderr
    return {
        "output": reason,
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": [],
    }


if __name__ == "__main__":
    base = Path(sys.argv[1])
    results = base / "results" / "results.json"
    results.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(mark(base, sys.argv[2:]), ensure_ascii=False)
    results.write_text(text, encoding="utf-8")
