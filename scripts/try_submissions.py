#!/usr/bin/env python
"""Grade the submissions of tests/entregas in the sandbox, and say which do not come out as their esperado.toml says.

    scripts/try_submissions.py                 all of them
    scripts/try_submissions.py 'cv_*' red_*    those whose folder matches a pattern
    scripts/try_submissions.py --all-rows      with the rows that a submission shares with the model answer too

A right one must earn every point; a wrong one must lose exactly the functions of the checks that it is said to fail.
"""

import argparse
import fnmatch
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from graded import graded, lost, surprises
from submissions import submissions

from practica.sandbox.solution import Sandbox


def main() -> int:
    """Print a line for each submission; 0 if all are as expected."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("patterns", nargs="*", default=["*"])
    parser.add_argument("--all-rows", action="store_true")
    options = parser.parse_args()
    chosen = [each for each in submissions() if any(fnmatch.fnmatch(each.slug, one) for one in options.patterns)]
    begin, wrong = time.monotonic(), 0
    with Sandbox() as sandbox:
        for submission in chosen:
            result = graded(submission, sandbox, all_rows=options.all_rows)
            problems = surprises(submission, result)
            wrong += bool(problems)
            verdict = "; ".join(problems) or "as expected"
            print(f"{submission.slug:36} {result['seconds']:5.1f} s  loses {', '.join(lost(result)) or '-'}: {verdict}")
            sys.stdout.flush()
    print(f"{len(chosen)} submissions, {wrong} not as expected, {time.monotonic() - begin:.0f} s")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
