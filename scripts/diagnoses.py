#!/usr/bin/env python
"""Diagnose the wrong functions of tests/entregas, and count which get the right name, a wrong one,
or none.

    scripts/diagnoses.py                    all of them
    scripts/diagnoses.py 'one_hot_*'        those whose slugs match a pattern
    scripts/diagnoses.py --named            and what is named where nothing says what it should be

A name is right if the submission's `diagnosis` has it. A submission without that key counts by its
functions as "not said", whatever they get; an empty list says that nothing should be named.
"""

import argparse
import fnmatch
import sys
import warnings
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import _installed  # noqa: F401 - it says what to do first
from diagnosed import diagnosed, named
from submissions import submissions

KINDS = ("right", "wrong", "none", "not said")


def kind_of(found: set[str], expected: frozenset[str] | None) -> str:
    """Judge what one function got; that it inherits the mistake of another one is always right."""
    if expected is None:
        return "not said"
    return "none" if not found else "right" if found & {*expected, "any.inherits"} else "wrong"


def main() -> int:
    """Print a table, and what is wrong or silent; 0 if no name is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("patterns", nargs="*", default=["*"])
    parser.add_argument("--named", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # the students' code may warn of what it does
    counts: dict[str, Counter[str]] = {}
    for submission in submissions():
        if submission.fails and any(
            fnmatch.fnmatch(submission.slug, one) for one in options.patterns
        ):
            for row, diagnosis in diagnosed(submission).items():
                kind = kind_of(found := named(diagnosis), submission.diagnosis)
                counts.setdefault(row, Counter())[kind] += 1
                if kind in ("wrong", "none") or (options.named and kind == "not said" and found):
                    print(
                        f"{submission.slug:40} {row:45} {kind}: {', '.join(sorted(found)) or '-'}"
                    )
    print(f"\n{'':45}" + "".join(f"{kind:>10}" for kind in KINDS))
    for row, of_row in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
        print(f"{row:45}" + "".join(f"{of_row[kind]:10}" for kind in KINDS))
    return int(any(of_row["wrong"] for of_row in counts.values()))


if __name__ == "__main__":
    sys.exit(main())
