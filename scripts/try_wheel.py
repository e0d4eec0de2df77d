#!/usr/bin/env python3
"""Install the wheel where there is nothing else, and walk what students, instructors and researchers do.

    $ scripts/try_wheel.py                what pip brings today
    $ scripts/try_wheel.py locked         the versions of scripts/lock.txt
    $ scripts/try_wheel.py minimum        the oldest versions that pyproject.toml allows
    $ scripts/try_wheel.py minimum --tests        and then the tests of the reference and of the sandbox, from the wheel

A class is marked at each level of the sandbox. The environment stays in build/wheel until the dependencies change.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import _installed  # noqa: F401 - it says what to do first
from build_kit import declared, install, run

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENTS = ROOT / "build" / "wheel"
LOCK = ROOT / "scripts" / "lock.txt"
MODEL = ROOT / "enunciado" / "profesorado" / "solucion.py"
TESTS = ("tests/reference", "tests/sandbox")
EXTRAS = ("", "test", "dask", "similarity", "plots", "tables")
MARKED = """
import sys
from pathlib import Path
from practica.engine.grade import grade_submission
from practica.engine.rubric import load_rubric
from practica.sandbox.client import ProcessSolution
from practica.sandbox.probe import Sandbox

file = Path(sys.argv[1])
with Sandbox(sys.argv[2]) as sandbox, ProcessSolution(file, sandbox) as solution:
    print(grade_submission(file.read_bytes(), solution, load_rubric(), identifier="x", file=file.name).points)
"""


def constraints(versions: str, wheel: Path) -> list[str]:
    """Return the versions that pip is held to."""
    if versions == "locked":
        return LOCK.read_text(encoding="utf-8").splitlines()
    if versions == "newest":
        return []
    found = [re.match(r"([\w-]+)(?:\[.*\])?.*?>=([\d.]+)", each) for extra in EXTRAS for each in declared(wheel, extra)]
    return [f"{match[1]}=={match[2]}" for match in found if match]


def walk(python: Path, folder: Path) -> list[str]:
    """Do what the three users do with an installed wheel, and return what was seen; ValueError if it is not right."""
    practica = python.with_name("practica")
    seen = []

    def expect(sentence: str, *command: str | Path, code: int = 0) -> None:
        shown = run([*command], cwd=folder, code=code)
        if sentence not in shown:
            raise ValueError(f"{' '.join(map(str, command[1:]))} does not say {sentence!r}, but:\n{shown}")
        seen.append(" ".join(str(part) for part in command[1:] if part not in ("-I", "-c", MARKED)) + f": {sentence}")

    rows = [f"{row % 7},{row % 5},{'ab'[row % 2]}" for row in range(40)]
    (folder / "table.csv").write_text("\n".join(["x,y,kind", *rows, ""]), encoding="utf-8")
    options = ["--folds", "2", "--executions", "2", "--epochs", "5", "--seed", "1"]
    expect("accuracy", practica, "cv", "table.csv", "--target", "kind", "--topology", "2", *options)
    expect("solucion.py", practica, "new", "p1")
    expect("one_hot_encoding", practica, "check", "p1/solucion.py", code=1)
    (folder / "p1/solucion.py").write_bytes(MODEL.read_bytes())
    expect("2.50 / 2.50", practica, "check", "p1/solucion.py")
    expect("2.50 / 2.50", practica, "grade", "p1/solucion.py")
    for level in ("full", "reduced"):
        expect("2.5", python, "-I", "-c", MARKED, "p1/solucion.py", level)
    return seen


def main() -> None:
    """Build, install, walk, and run the tests if they are wanted."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("versions", nargs="?", default="newest", choices=["newest", "locked", "minimum"])
    parser.add_argument("--tests", action="store_true", help="then run tests/reference and tests/sandbox")
    options = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT)
            (wheel,) = folder.glob("*.whl")
            held = constraints(options.versions, wheel)
            python = install(wheel, ENVIRONMENTS / options.versions, held)
            print("\n".join(walk(python, folder)))
            if options.tests:
                install(wheel, ENVIRONMENTS / options.versions, held, extra="test")
                command = [str(python.with_name("pytest")), "-q", "-m", "not slow and not thorough", *TESTS]
                sys.exit(subprocess.run(command, cwd=ROOT, check=False).returncode)
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
