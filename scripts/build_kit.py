#!/usr/bin/env python3
"""Build the student kit, and prove that it works alone and holds no answer.

    $ .venv/bin/python scripts/build_kit.py            the wheel, in dist/; only proved if it is not there already
    $ .venv/bin/python scripts/build_kit.py --full     proved with everything installed from the package index

The kit is a wheel of `practica` with what the commands of students import, found by following the imports, and the
files that `practica new` copies. It has neither the reference nor the evaluation, no commands of instructors or
researchers, nothing of enunciado/profesorado. It cannot be installed beside the whole package: both are `practica`.

The proof installs it in a fresh virtual environment. Without `--full` only the kit itself is installed there; its
dependencies are found where the Python that runs this script has them, which saves some minutes and a gigabyte.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from practica import __version__
from practica.student.folder import FILES

ROOT = Path(__file__).resolve().parent.parent
ANSWERS = ("practica/reference/*", "enunciado/profesorado/*")

BEGIN = (
    *("practica.__main__", "practica.cli.students", "practica.student.cells", "practica.experiments.plots"),
)  # what students run
ALWAYS = ("practica.checks.", "practica.diagnosis.")  # found by name when they are loaded
NEVER = ("practica.reference", "practica.evaluation", "practica.classroom")
DATA = (
    *("practica/py.typed", "practica/checks/examples.json"),
    *("practica/grading/rubric.toml", "practica/report/messages/*.toml", "practica/student/statement.css"),
)
NEEDS = (
    *("numpy", "torch", "scikit-learn", "lazy-loader", "click", "rich", "markdown-it-py", "platformdirs", "hypothesis"),
)

LONG = 40  # characters; a shorter line says the same whoever writes it

PYPROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "practica-kit"
version = "{version}"
description = "The practice for students: its statement, its template and its checks"
license = "MIT"
requires-python = "{python}"
dependencies = {dependencies}

[project.scripts]
practica = "practica.cli:main"

[tool.hatch.build.targets.wheel]
packages = ["practica"]
"""


# --- What is in it ----------------------------------------------------------------------------------------------------


def kit_modules(package: Path) -> dict[str, Path]:
    """Return the modules that students' commands import, directly or not, and their files.

    Raises
    ------
    ValueError
        If one of them is an answer.
    """
    known = {_name(path, package): path for path in package.rglob("*.py")}
    found: dict[str, Path] = {}
    waiting = [*BEGIN, *(name for name in known if name.startswith(ALWAYS))]
    while waiting:
        name = waiting.pop()
        if name not in known or name in found:
            continue
        if name.startswith(NEVER):
            raise ValueError(f"the commands of students import {name}, which is not for students")
        found[name] = known[name]
        waiting += [name.rpartition(".")[0], *_imports(known[name])]
    return dict(sorted(found.items()))


def _name(path: Path, package: Path) -> str:
    return ".".join((package.name, *path.relative_to(package).with_suffix("").parts)).removesuffix(".__init__")


def _imports(path: Path) -> Iterator[str]:
    """Yield the names that a file imports, wherever in it; of `from a import b` both a and a.b."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom(module=str(module)):
                yield module
                yield from (f"{module}.{alias.name}" for alias in node.names)
    yield from re.findall(r"from (practica[\w.]+) import", source)  # programs in a text: the student's own process


def public_names(stub: str, modules: Iterable[str]) -> str:
    """Return the table of contents with the names of these modules only."""
    kept = [
        node
        for node in ast.parse(stub).body
        if isinstance(node, ast.ImportFrom) and f"practica.{node.module}" in modules
    ]
    return "\n".join(["__version__: str", *map(ast.unparse, kept), ""])


def stage(folder: Path) -> None:
    """Write the source tree of the kit to an empty folder."""
    modules = kit_modules(ROOT / "practica")
    files = [*modules.values(), *(path for pattern in DATA for path in sorted(ROOT.glob(pattern)))]
    for path in files:
        _copy(path, folder / path.relative_to(ROOT))
    for name in (name for files in FILES.values() for name in files):
        _copy(ROOT / "enunciado" / name, folder / "practica/student/material" / name)
    stub = (ROOT / "practica/__init__.pyi").read_text(encoding="utf-8")
    (folder / "practica/__init__.pyi").write_text(public_names(stub, modules), encoding="utf-8")
    (folder / "pyproject.toml").write_text(_pyproject(), encoding="utf-8")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _pyproject() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["plots"]]
    dependencies = [each for each in needed if re.split(r"[^\w-]", each)[0] in (*NEEDS, "matplotlib")]
    return PYPROJECT.format(
        version=__version__, python=project["requires-python"], dependencies=json.dumps(dependencies)
    )


# --- That no answer is in it ------------------------------------------------------------------------------------------


def leaks(kit: Mapping[str, str], answers: Mapping[str, str], given: Iterable[str] = ()) -> list[str]:
    """Return where the kit says what the answers say.

    Parameters
    ----------
    kit, answers, given : texts by the name of their file; texts
        What is in `given`, the template and the statement, is told to students anyway.

    Returns
    -------
    leaks : list of str
        One for each line of the kit that is a line of an answer, spaces aside: at least 40 characters, and neither an
        import, a name alone, nor the head of a block (`if`, `for`, `def`), which two people may well write alike.
    """
    told = {line for text in given for line in _lines(text)}
    secret = {line: name for name, text in answers.items() for line in _lines(text) if line not in told}
    return [
        f"{name}: {line!r} is in {secret[line]}"
        for name, text in kit.items()
        for line in _lines(text)
        if line in secret
    ]


def _lines(text: str) -> list[str]:
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [line for line in lines if len(line) >= LONG and not re.match(r"(from|import) |@|.*:$|\w+,$", line)]


def _texts(files: Mapping[str, bytes]) -> dict[str, str]:
    """Decode files; a notebook is the text of its cells."""
    texts = {name: content.decode() for name, content in files.items()}
    for name in texts:
        if name.endswith(".ipynb"):
            texts[name] = "\n".join("".join(cell["source"]) for cell in json.loads(texts[name])["cells"])
    return texts


def require_no_answers(wheel: Path) -> int:
    """Look for the answers in a wheel; return how many lines were compared, ValueError if one is there."""
    with zipfile.ZipFile(wheel) as archive:
        kit = _texts({name: archive.read(name) for name in archive.namelist()})
    answers = _texts(
        {
            str(path.relative_to(ROOT)): path.read_bytes()
            for pattern in ANSWERS
            for path in sorted(ROOT.glob(pattern))
            if path.is_file() and path.suffix != ".pyc"
        }
    )
    told = (f"practica/student/material/{name}" for files in FILES.values() for name in files)
    given = [kit[name] for name in told if not name.endswith(".ipynb")]
    found = leaks(kit, answers, given)
    found += [f"{name} is in the kit" for name in kit if any(part in name for part in ("profesorado", "reference/"))]
    if found:
        raise ValueError("the kit holds answers:\n" + "\n".join(found))
    return sum(len(_lines(text)) for text in answers.values())


# --- That it works ----------------------------------------------------------------------------------------------------


def build(output: Path) -> Path:
    """Build the wheel of the kit in a folder, and return it."""
    with tempfile.TemporaryDirectory() as folder:
        stage(Path(folder))
        _run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", output.resolve()], cwd=Path(folder))
    (wheel,) = output.glob("practica_kit-*.whl")
    return wheel


def install(wheel: Path, environment: Path, *, full: bool) -> Path:
    """Install the kit in a fresh virtual environment, and return its Python."""
    venv.create(environment, with_pip=False, clear=True)
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--disable-pip-version-check"]
    _run([*pip, wheel] if full else [*pip, "--no-deps", "--no-index", wheel])
    if (
        not full
    ):  # a folder named in a .pth file is searched, but the .pth files in it, as that of practica, are not read
        packages = _run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
        Path(packages, "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return python


def prove(python: Path, folder: Path) -> list[str]:
    """Work as a student with an installed kit, and return what was seen; ValueError if something is wrong."""
    practica = [python, "-m", "practica"]
    seen = []

    def expect(sentence: str, arguments: list[str], *, code: int, where: Path = folder) -> None:
        shown = _run([*practica, *arguments], cwd=where, code=code)
        if sentence not in shown:
            raise ValueError(f"practica {' '.join(arguments)} does not say {sentence!r}, but:\n{shown}")
        seen.append(f"practica {' '.join(arguments)}: {sentence}")

    shown = _run([*practica, "--help"], cwd=folder)
    commands = re.findall(r"^  (\w+) ", shown.partition("Commands:")[2], flags=re.MULTILINE)
    if commands != ["check", "new"]:
        raise ValueError(f"the commands of the kit are {', '.join(commands)}")
    seen.append(f"practica --help: {', '.join(commands)}")
    expect("practica check solucion.py", ["new", "p1"], code=0)
    expect("one_hot_encoding", ["check", "solucion.py"], code=1, where=folder / "p1")
    _run([python, "-c", "from practica import plot_metric; plot_metric({'a': [0.5, 1.0]})"], cwd=folder)
    hidden = "import importlib.util as u; print(u.find_spec('practica.reference'), u.find_spec('practica').origin)"
    reference, origin = _run([python, "-c", hidden], cwd=folder).split(maxsplit=1)
    if reference != "None" or not Path(origin.strip()).is_relative_to(python.parent.parent):
        raise ValueError(f"the environment is not on its own: {origin} and the reference at {reference}")
    seen.append("import practica.reference: not there")
    shutil.copyfile(ROOT / "enunciado/profesorado/solucion.py", folder / "p1/solucion.py")
    expect("2.50 / 2.50", ["check", "solucion.py"], code=0, where=folder / "p1")
    return seen


def _run(command: list[str | Path], *, cwd: Path | None = None, code: int = 0) -> str:
    environment = {**os.environ, "MPLBACKEND": "agg", "PYTHONUTF8": "1"}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run([*map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != code:
        raise ValueError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    """Build, look for answers, install, and work with it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="DIR", help="where the wheel goes [dist]")
    parser.add_argument("--full", action="store_true", help="install the dependencies from the package index too")
    options = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as folder:
            wheel = build(Path(folder))
            print(f"None of {require_no_answers(wheel)} lines of the answers is in the kit.")
            proved = options.out / wheel.name  # equal files make equal wheels
            if not options.full and proved.exists() and proved.read_bytes() == wheel.read_bytes():
                print(f"The kit: {proved}, which has not changed since it was proved")
                return
            python = install(wheel, Path(folder, "environment"), full=options.full)
            print("\n".join(prove(python, Path(folder))))
            options.out.mkdir(parents=True, exist_ok=True)
            print(f"The kit: {shutil.copy(wheel, options.out)}, {wheel.stat().st_size // 1024} KiB")
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
