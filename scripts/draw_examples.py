#!/usr/bin/env python
"""Draw the fixed examples of the checks and write them to
practica/grading/assignment/examples.json.

    scripts/draw_examples.py            after a strategy or the number of examples of a check has
                                        changed
    scripts/draw_examples.py --print    to the standard output instead
    scripts/draw_examples.py --assignment DIR       those of another assignment, to its folder

They depend on the release of Hypothesis, which is written beside them, and on nothing else here.
"""

import argparse
import json
from pathlib import Path

import _installed  # noqa: F401 - it says what to do first
import hypothesis

from practica.grading.engine.current import choose
from practica.grading.engine.drawing import draw
from practica.grading.engine.fixed_examples import as_json, examples_file
from practica.grading.engine.framework import load_checks


def text() -> str:
    """Draw the examples of all checks; return the file, an example on each line."""
    parts = []
    for id, check in load_checks().items():
        if check.strategies:
            lines = [
                json.dumps({name: as_json(value) for name, value in case.items()})
                for case in draw(check, check.examples)
            ]
            parts.append(f"{json.dumps(id)}: [\n" + ",\n".join(lines) + "\n]")
    version = json.dumps(hypothesis.__version__)
    return f'{{"hypothesis": {version}, "examples": {{\n' + ",\n".join(parts) + "\n}}\n"


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--print", action="store_true", dest="printed")
    parser.add_argument("--assignment", type=Path, metavar="DIR")
    options = parser.parse_args()
    choose(options.assignment)
    if options.printed:
        print(text(), end="")
    else:
        examples_file().write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
