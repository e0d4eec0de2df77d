#!/usr/bin/env python
"""Grade the submissions of tests/entregas in the sandbox, and print those that differ from their
tables.

    scripts/try_submissions.py                 all of them
    scripts/try_submissions.py 'cv_*' red_*    those whose slugs match a pattern
    scripts/try_submissions.py --all-rows      with the rows that a submission shares with the model
                                               answer too
    scripts/try_submissions.py --seeds 20      each with 20 secret seeds, 0 to 19, in place of that
                                               of the tests
    scripts/try_submissions.py --save old.json               and, after a change of the grader,
    scripts/try_submissions.py --against old.json            old and new verdicts side by side,
    where they differ

A right one must earn every point and not be flagged; a wrong one must lose exactly the functions of
the checks that it should fail. Where it fails others of their checks than its table says, a line
names them: with other secret examples, it may.
"""

import argparse
import fnmatch
import itertools
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import _installed  # noqa: F401 - it says what to do first
from graded import SEED, failed, graded, lost, surprises
from submissions import submissions

from practica.grading.engine.result import SubmissionResult
from practica.grading.sandbox.probe import Sandbox


def verdicts(result: SubmissionResult) -> dict[str, list[str]]:
    """Return the verdict of each row, its points, and the checks and rules that it broke."""
    return {
        function.name: [
            f"{function.verdict} {function.points}",
            *(
                f"{check.id} {check.verdict}"
                for check in function.checks
                if check.verdict != "pass"
            ),
            *(f"{rule.id} {rule.cost or rule.severity}" for rule in function.rules),
        ]
        for function in result.functions
    }


def show_differences(slug: str, old: dict[str, list[str]], new: dict[str, list[str]]) -> None:
    """Print the rows of a submission that have different verdicts."""
    for row in dict.fromkeys([*old, *new]):
        if (before := old.get(row, [])) != (after := new.get(row, [])):
            print(f"{slug}, {row}:\n    old  {'; '.join(before)}\n    new  {'; '.join(after)}")


def main() -> int:
    """Print a line for each submission; 0 if all are as expected."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("patterns", nargs="*", default=["*"])
    parser.add_argument("--all-rows", action="store_true")
    parser.add_argument(
        "--seeds", type=int, metavar="N", help="try N secret seeds in place of that of the tests"
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the verdicts to this file")
    parser.add_argument(
        "--against", type=Path, metavar="FILE", help="compare with verdicts that were saved before"
    )
    options = parser.parse_args()
    chosen = [
        each
        for each in submissions()
        if any(fnmatch.fnmatch(each.slug, one) for one in options.patterns)
    ]
    begin, wrong = time.monotonic(), 0
    found: dict[str, dict[str, list[str]]] = {}
    with Sandbox() as sandbox:
        for submission, seed in itertools.product(
            chosen, range(options.seeds) if options.seeds else [SEED]
        ):
            result = graded(submission, sandbox, all_rows=options.all_rows, seed=seed)
            name = f"{submission.slug} {seed}" if options.seeds else submission.slug
            found[name] = verdicts(result)
            problems = surprises(submission, result)
            wrong += bool(problems)
            verdict = "; ".join(problems) or "as expected"
            print(
                f"{name:36} {result.seconds:5.1f} s  loses {', '.join(lost(result)) or '-'}:"
                f" {verdict}"
            )
            if submission.fails and (others := failed(result) ^ submission.fails):
                print(f"    differs from its table in {', '.join(sorted(others))}")
            sys.stdout.flush()
    print(f"{len(found)} submissions, {wrong} not as expected, {time.monotonic() - begin:.0f} s")
    if options.save is not None:
        options.save.write_text(json.dumps(found, indent=1), encoding="utf-8")
    if options.against is not None:
        old = json.loads(options.against.read_text(encoding="utf-8"))
        for name, new in found.items():
            show_differences(name, old.get(name, {}), new)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
