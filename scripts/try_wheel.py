#!/usr/bin/env python3
"""Install the wheel where there is nothing else, and walk what students, instructors and
researchers do.

    $ scripts/try_wheel.py                what pip brings today
    $ scripts/try_wheel.py locked         the versions of scripts/lock.txt
    $ scripts/try_wheel.py minimum        the oldest versions that pyproject.toml allows
    $ scripts/try_wheel.py minimum --tests        and then tests from the wheel: the reference's,
                                                  the sandbox's, and those of folds of groups

A class is marked at each level of the sandbox. The environment stays in build/wheel until the
dependencies change.
"""

import argparse
import re
import shutil
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
TESTS = ("tests/reference", "tests/grading/sandbox", "tests/experiments/test_fold_assignment.py")
BESIDE = ("pyproject.toml", "tests", "scripts", "enunciado")  # what the tests look at
EXTRAS = ("", "test", "dask", "similarity", "plots", "files")
MARKED = """
import sys
from pathlib import Path
from practica.grading.engine.grade import grade_submission
from practica.grading.engine.rubric import load_rubric
from practica.grading.sandbox.client import ProcessSolution
from practica.grading.sandbox.probe import Sandbox

file = Path(sys.argv[1])
with Sandbox(sys.argv[2]) as sandbox, ProcessSolution(file, sandbox) as solution:
    facts = {"identifier": "x", "file": file.name}
    print(grade_submission(file.read_bytes(), solution, load_rubric(), **facts).points)
"""

KERNEL = """
from practica.reference.compiled_training import kernel
print(getattr(kernel(), "_name", "torch").rpartition("/")[2])
"""


def constraints(versions: str, wheel: Path) -> list[str]:
    """Return the versions that pip is held to."""
    if versions == "locked":
        return LOCK.read_text(encoding="utf-8").splitlines()
    if versions == "newest":
        return []
    found = [
        re.match(r"([\w-]+)(?:\[.*\])?.*?>=([\d.]+)", each)
        for extra in EXTRAS
        for each in declared(wheel, extra)
    ]
    return [f"{match[1]}=={match[2]}" for match in found if match]


def walk(python: Path, folder: Path) -> list[str]:
    """Do what the three users do with an installed wheel, and return what was seen.

    ValueError if it is not right.
    """
    seen = []

    def practica(command: str, sentence: str, code: int = 0) -> None:
        shown = run([python.with_name("practica"), *command.split()], cwd=folder, code=code)
        if sentence not in shown:
            raise ValueError(f"practica {command} does not say {sentence!r}, but:\n{shown}")
        seen.append(f"practica {command}: {sentence}")

    rows = [f"{row % 7},{row % 5},{'ab'[row % 2]}" for row in range(40)]
    (folder / "table.csv").write_text("\n".join(["x,y,kind", *rows, ""]), encoding="utf-8")
    table = "table.csv --target kind --folds 2 --executions 2 --seed 1"
    practica(f"cv {table} --topology 2 --epochs 5", "accuracy")
    practica(f"compare {table} --model ann:2 --model knn:3 --html page.html", "Holm p")
    require(folder / "page.html", "knn:3")
    practica("new p1", "solucion.py")
    practica("check p1/solucion.py", "one_hot_encoding", code=1)
    (folder / "p1/solucion.py").write_bytes(MODEL.read_bytes())
    practica("check p1/solucion.py", "2.50 / 2.50")
    practica("grade p1/solucion.py", "2.50 / 2.50")
    for level in ("full", "reduced"):
        if run([python, "-I", "-c", MARKED, "p1/solucion.py", level], cwd=folder).strip() != "2.5":
            raise ValueError(f"the model answer does not get 2.5 at the level {level}")
        seen.append(f"in the sandbox, {level}: 2.5")
    run([sys.executable, ROOT / "scripts/make_class.py", folder / "class", "--students", "16"])
    marks = "--out class/marks --worksheet class/calificaciones.csv"
    practica(f"grade class/entregas.zip {marks}", "class/marks/index.html", code=1)
    practica(f"report class/marks/results.json {marks}", "feedback.zip")
    require(folder / "class/marks/moodle.txt", "feedback.zip")
    return seen


def require(file: Path, sentence: str) -> None:
    """ValueError if a file does not have a sentence, or is not there."""
    if not file.is_file() or sentence not in file.read_text(encoding="utf-8"):
        raise ValueError(f"{file.name} has not been written, or lacks {sentence!r}")


def main() -> None:
    """Build, install, walk, and run the tests if they are wanted."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "versions", nargs="?", default="newest", choices=["newest", "locked", "minimum"]
    )
    parser.add_argument("--tests", action="store_true", help=f"then run {', '.join(TESTS)}")
    parser.add_argument("--wheel", type=Path, help="one that is built already")
    options = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            wheel = options.wheel and options.wheel.resolve()
            if wheel is None:
                run(
                    [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
                    cwd=ROOT,
                )
                (wheel,) = folder.glob("*.whl")
            held = constraints(options.versions, wheel)
            python = install(wheel, ENVIRONMENTS / options.versions, held)
            # of the page that compares
            install(wheel, ENVIRONMENTS / options.versions, held, extra="plots")
            if options.wheel:
                trains = run([python, "-I", "-c", KERNEL], more={"PATH": ""}).strip()
                print(f"without a compiler: {trains}")
                if trains == "torch" and not wheel.name.endswith("-any.whl"):
                    raise ValueError(f"{wheel.name} brings no kernel that loads here")
            print("\n".join(walk(python, folder)))
            if options.tests:
                install(wheel, ENVIRONMENTS / options.versions, held, extra="test")
                # and no folder practica, which would be tested in place of the wheel
                for name in BESIDE:
                    copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
                    copy(ROOT / name, folder / name)
                pytest: list[str | Path] = [
                    python.with_name("pytest"),
                    "-q",
                    *TESTS,
                    "-m",
                    "not slow and not thorough",
                ]
                sys.exit(subprocess.run(pytest, cwd=folder, check=False).returncode)
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
