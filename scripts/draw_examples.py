#!/usr/bin/env python
"""Draw the fixed examples of the checks and write them to practica/assignment/examples.json.

    scripts/draw_examples.py            after a strategy or the number of examples of a check has changed
    scripts/draw_examples.py --print    to the standard output instead

They depend on the release of Hypothesis, which is written beside them, and on nothing else here.
"""

import argparse
import json

import hypothesis

from practica.engine.fixed_examples import Example, as_json, examples_file
from practica.engine.framework import Check, load_checks
from practica.engine.runner import searching


def drawn(check: Check) -> list[Example]:
    """Draw the examples of one check."""
    found: list[Example] = []
    searching(check, lambda **example: found.append(example), check.examples)()
    return found


def text() -> str:
    """Draw the examples of all checks; return the file, an example on each line."""
    parts = []
    for id, check in load_checks().items():
        if check.strategies:
            lines = [json.dumps({name: as_json(value) for name, value in case.items()}) for case in drawn(check)]
            parts.append(f"{json.dumps(id)}: [\n" + ",\n".join(lines) + "\n]")
    version = json.dumps(hypothesis.__version__)
    return f'{{"hypothesis": {version}, "examples": {{\n' + ",\n".join(parts) + "\n}}\n"


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--print", action="store_true", dest="printed")
    if parser.parse_args().printed:
        print(text(), end="")
    else:
        examples_file().write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
