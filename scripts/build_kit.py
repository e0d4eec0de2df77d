#!/usr/bin/env python3
"""Build the student kit, and prove that it works alone and has no line of the model answer.

    $ .venv/bin/python scripts/build_kit.py      the zips, in dist/; only proved if the wheel is not
                                                 there already
    $ .venv/bin/python scripts/build_kit.py --assignment DIR --out OUT       the wheel of another
    course

What a course hands out is one zip for each language, `practica-VERSION.es.zip` and
`practica-VERSION.en.zip`: a page of text with the first steps, the statement and the installation
as pages, a notebook that installs the kit in Colab, and the kit.

The kit is a wheel of `practica` with what the commands of students import, found by following the
imports, and the files that `practica new` copies. It has neither the reference nor the evaluation,
no commands of instructors or researchers, nothing of enunciado/profesorado. It cannot be installed
beside the whole package: both are `practica`. It depends on the packages that its modules and the
template import, in the versions of pyproject.toml.

It does have the checks, and with them the functions of `assignment/` that compute right answers: a
file of copies of them got 0.91 of 2.50 points when it was tried. `practica grade --similarity`
lists such copies.

The proof unpacks the zips, installs the wheel with pip in an environment that has what the kit
declares and nothing else, and works there as a student does, in both languages, in the terminal and
in a notebook, up to a file that is handed in and marked; each step is printed with its seconds. The
environment stays in build/kit until the dependencies change: it takes some minutes and a gigabyte.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import venv
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path

import _installed  # noqa: F401 - it says what to do first

from practica import __version__
from practica.grading.engine.current import EDITION, EDITIONS
from practica.grading.engine.rubric import load_rubric
from practica.grading.report.completeness import begin
from practica.grading.student.folder import FILES, PAGES, TASKS, drawings_in
from practica.grading.student.statement_page import statement_page

ROOT = Path(__file__).resolve().parent.parent
MODEL = ROOT / "enunciado/profesorado/solucion.py"
ENVIRONMENTS = ROOT / "build" / "kit"
ANSWERS = (
    "practica/reference/*",
    *(
        f"enunciado/profesorado/{name}"
        for name in ("solucion.py", "respuestas.md", "answers.en.md")
    ),
)

BEGIN = (
    *(
        "practica.__main__",
        "practica.cli.students",
        "practica.grading.student.notebook_cells",
        "practica.experiments.plots",
    ),
)  # what students run
ALWAYS = ("practica.grading.assignment.",)  # found by name when they are loaded
UNUSED = ("practica.grading.sandbox.syscalls",)  # only for boxes, which graders start
NEVER = ("practica.reference", "practica.evaluation", "practica.grading.classroom")
DATA = (
    "practica/py.typed",
    *(
        "practica/grading/assignment/rubric.toml",
        "practica/grading/*/messages/*.toml",
        "practica/grading/student/statement.css",
    ),
    *(f"practica/grading/assignment/edition_*/{name}" for name in ("*.toml", "*.txt", "*.md")),
)
# in the folder of another course; what else lies there, such as solutions, is not for students
OF_COURSE = (
    *("__init__.py", "rubric.toml", "checks/**/*.py", "mistakes/**/*.py"),
    *("messages.toml", "messages/*.toml", "template*.py", "statement*.md"),
)
OPTIONAL = "notebook"  # the extra of the kit
OF_NOTEBOOKS = ("notebook", "plots")  # the extras of pyproject.toml that are in it, and
BESIDE = "pandas"  # a package that the students' own experiments need
# by language, beside the pages and the wheel: where it comes from, and how it is called there
HANDED_OUT = {
    "es": {"leeme.txt": "LEEME.txt", "colab.ipynb": "colab.ipynb"},
    "en": {"readme.en.txt": "README.txt", "colab.en.ipynb": "colab.ipynb"},
}

LONG = 40  # characters; different authors may write the same shorter line

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

[project.optional-dependencies]
notebook = {notebook}

[project.scripts]
practica = "practica.cli:main"

[tool.hatch.build.targets.wheel]
packages = ["practica"]
"""


# --- What is in it --------------------------------------------------------------------------------


def kit_modules(package: Path, more: Iterable[Path] = ()) -> dict[str, Path]:
    """Return the modules that students' commands, and more files, import, directly or not, and
    their files.

    A module of `NEVER` among them is a ValueError.
    """
    known = {_name(path, package): path for path in package.rglob("*.py")}
    found: dict[str, Path] = {}
    waiting = [
        *BEGIN,
        *(name for name in known if name.startswith(ALWAYS)),
        *itertools.chain(*map(_imports, more)),
    ]
    while waiting:
        name = waiting.pop()
        if name not in known or name in found or name in UNUSED:
            continue
        if name.startswith(NEVER):
            raise ValueError(f"the commands of students import {name}, which is not for students")
        found[name] = known[name]
        waiting += [name.rpartition(".")[0], *_imports(known[name])]
    return dict(sorted(found.items()))


def _name(path: Path, package: Path) -> str:
    return ".".join((package.name, *path.relative_to(package).with_suffix("").parts)).removesuffix(
        ".__init__"
    )


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
    # programs in a text: the student's own process
    yield from re.findall(r"from (practica[\w.]+) import", source)
    yield from re.findall(r"import_module\(\"(practica[\w.]+)\"\)", source)


def packages_of(source: str) -> set[str]:
    """Return the packages that a source imports, wherever in it, but for those of Python and our
    own.

    Also an import in a comment of its own, as the template has those that a later exercise needs.
    """
    modules: set[str] = set()
    later = re.findall(r"^# ((?:from [\w.]+ )?import \w+)$", source, flags=re.MULTILINE)
    for node in ast.walk(ast.parse("\n".join([source, *later]))):
        match node:
            case ast.Import():
                modules |= {alias.name for alias in node.names}
            case ast.ImportFrom(module=str(module), level=0):
                modules.add(module)
    return {module.partition(".")[0] for module in modules} - sys.stdlib_module_names - {"practica"}


def requirements(files: Iterable[Path]) -> tuple[list[str], list[str]]:
    """Return what files of Python need, as pyproject.toml declares it: always, and for a notebook.

    A package that it does not declare is a ValueError.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    of_notebook = {_distribution(each): each for name in OF_NOTEBOOKS for each in extras[name]}
    declared = {_distribution(each): each for each in project["dependencies"]} | of_notebook
    known = metadata.packages_distributions()
    needed = set()
    for file in files:
        for package in packages_of(file.read_text(encoding="utf-8")):
            names = {_distribution(name) for name in known.get(package, [package])}
            if not names & declared.keys():
                raise ValueError(f"{file} imports {package}, which pyproject.toml does not declare")
            needed |= names & declared.keys()
    always, sometimes = needed - of_notebook.keys(), (needed & of_notebook.keys()) | {BESIDE}
    first, second = (
        [declared[name] for name in declared if name in chosen] for chosen in (always, sometimes)
    )
    return first, second


def _distribution(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement)[0].replace("_", "-").lower()


def public_names(stub: str, modules: Iterable[str]) -> str:
    """Return the table of contents with the names of these modules only."""
    nodes = [node for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom)]
    kept = [ast.unparse(node) for node in nodes if f"practica.{node.module}" in modules]
    return "\n".join(["__version__: str", *kept, ""])


def files_of(course: Path) -> list[Path]:
    """Return what students get of the folder of another course."""
    drawings = {
        drawing
        for path in course.glob("statement*.md")
        for drawing in drawings_in(path.read_text("utf-8"))
    }
    found = [path for pattern in OF_COURSE for path in course.glob(pattern)]
    return sorted({*found, *(course / drawing for drawing in drawings)})


def stage(folder: Path, course: Path | None = None) -> None:
    """Write the source tree of the kit to an empty folder.

    One for a course brings no statement of the practice.
    """
    edition = str(course) if str(course) in EDITIONS else None
    course = None if edition else course
    given = [] if course is None else files_of(course)
    modules = kit_modules(ROOT / "practica", [path for path in given if path.suffix == ".py"])
    files = [*modules.values(), *(path for pattern in DATA for path in sorted(ROOT.glob(pattern)))]
    for path in files:
        _copy(path, folder / path.relative_to(ROOT))
    for path in given:
        _copy(path, folder / "practica/given" / path.relative_to(course or path))
    for name in {TASKS} if course else {name for files in FILES.values() for name in files}:
        _copy(ROOT / "enunciado" / name, folder / "practica/grading/student/material" / name)
    if edition:
        (folder / "practica/given").mkdir()
        (folder / "practica/given" / EDITION).write_text(edition, encoding="utf-8")
    stub = (ROOT / "practica/__init__.pyi").read_text(encoding="utf-8")
    (folder / "practica/__init__.pyi").write_text(public_names(stub, modules), encoding="utf-8")
    (folder / "pyproject.toml").write_text(_pyproject(folder.rglob("*.py")), encoding="utf-8")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _pyproject(files: Iterable[Path]) -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    dependencies, notebook = map(json.dumps, requirements(files))
    return PYPROJECT.format(
        version=__version__,
        python=project["requires-python"],
        dependencies=dependencies,
        notebook=notebook,
    )


# --- That no line of the answers is in it ---------------------------------------------------------


def leaks(
    kit: Mapping[str, str], answers: Mapping[str, str], given: Iterable[str] = ()
) -> list[str]:
    """Return the lines that the kit has in common with the answers, and that are not given to
    students anyway.

    Spaces aside, such a line has at least 40 characters, and is neither an import, a name alone,
    nor the head of a block (`if`, `for`, `def`), which two people may well write alike.
    """
    public = {line for text in given for line in _lines(text)}
    secret = {
        line: name for name, text in answers.items() for line in _lines(text) if line not in public
    }
    return [
        f"{name}: {line!r} is in {secret[line]}"
        for name, text in kit.items()
        for line in _lines(text)
        if line in secret
    ]


def _lines(text: str) -> list[str]:
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [
        line
        for line in lines
        if len(line) >= LONG and not re.match(r"(from|import) |@|.*:$|\w+,$", line)
    ]


def _texts(files: Mapping[str, bytes]) -> dict[str, str]:
    """Decode files; a notebook is the text of its cells."""
    texts = {name: content.decode() for name, content in files.items()}
    for name in texts:
        if name.endswith(".ipynb"):
            texts[name] = "\n".join(
                "".join(cell["source"]) for cell in json.loads(texts[name])["cells"]
            )
    return texts


def require_no_answers(wheel: Path) -> int:
    """Look for the answers in a wheel.

    Return how many lines were compared, ValueError if one is there.
    """
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
    public = (
        f"practica/grading/student/material/{name}" for files in FILES.values() for name in files
    )
    given = [kit[name] for name in public if name in kit and not name.endswith(".ipynb")]
    found = leaks(kit, answers, given)
    found += [
        f"{name} is in the kit"
        for name in kit
        if any(part in name for part in ("profesorado", "reference/"))
    ]
    if found:
        raise ValueError("the kit has lines of the answers:\n" + "\n".join(found))
    return sum(len(_lines(text)) for text in answers.values())


# --- That it works --------------------------------------------------------------------------------


def build(output: Path, course: Path | None = None) -> Path:
    """Build the wheel of the kit in a folder, and return it."""
    with tempfile.TemporaryDirectory() as folder:
        stage(Path(folder), course)
        run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", output.resolve()],
            cwd=Path(folder),
        )
    (wheel,) = output.glob("practica_kit-*.whl")
    return wheel


def pack(wheel: Path, output: Path) -> list[Path]:
    """Write the zip of each language beside a wheel, with the wheel in it."""
    made = []
    for lang, files in HANDED_OUT.items():
        sources = {name: source for source, name in FILES[lang].items()}
        texts = {
            page: _document(sources[str(Path(page).with_suffix(".md"))]) for page in PAGES[lang]
        }
        contents = {
            page: statement_page(text, _document, lang=lang) for page, text in texts.items()
        }
        for source, name in files.items():
            text = _document(source)
            contents[name] = (
                text.replace("{version}", __version__) if name.endswith(".txt") else text
            )
        made.append(output / f"practica-{__version__}.{lang}.zip")
        with zipfile.ZipFile(made[-1], "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in contents.items():
                # without a date: equal files make equal zips
                archive.writestr(zipfile.ZipInfo(name), text.encode())
            archive.writestr(zipfile.ZipInfo(wheel.name), wheel.read_bytes())
    return made


def _document(name: str) -> str:
    return (ROOT / "enunciado" / name).read_text(encoding="utf-8")


def install(
    wheel: Path, environments: Path = ENVIRONMENTS, held: Iterable[str] = (), extra: str = ""
) -> Path:
    """Install a wheel where there is what it declares and nothing else, and return the Python of
    that environment.

    As long as a wheel declares the same, only the wheel is replaced in the environment of the last
    time. `held` are the constraints for pip, and `extra` is an extra of the wheel that is installed
    as well.
    """
    held = [*held]
    digest = hashlib.sha256("\n".join([sys.version, *declared(wheel), *held]).encode()).hexdigest()[
        :16
    ]
    environment = environments / digest
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = environment / f"complete{extra}"
    if done.exists():
        run([*_pip(python), "--no-deps", "--no-index", "--force-reinstall", wheel])
        return python
    if not extra:
        shutil.rmtree(environments, ignore_errors=True)
        venv.create(environment, with_pip=False)
    constraints = environment / "constraints.txt"
    constraints.write_text("\n".join(held), encoding="utf-8")
    run([*_pip(python), "--constraint", constraints, f"{wheel}[{extra}]" if extra else wheel])
    done.touch()
    return python


def add_notebook(python: Path, wheel: Path) -> Path:
    """Install what a notebook needs beside an environment of `install`, and return its folder, to
    be searched too.
    """
    folder = python.parent.parent / OPTIONAL
    if not folder.exists():
        partial = folder.with_name(f"{OPTIONAL}-partial")
        run([*_pip(python), "--target", partial, "--upgrade", *declared(wheel, OPTIONAL)])
        partial.rename(folder)
    return folder


def _pip(python: Path) -> list[str | Path]:
    # only what is imported gets compiled, then
    options = ["--quiet", "--disable-pip-version-check", "--no-compile"]
    return [sys.executable, "-m", "pip", "--python", python, "install", *options]


def declared(wheel: Path, extra: str = "") -> list[str]:
    """Return the requirements of a wheel, or those of an extra."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        text = archive.read(name).decode()
    found = re.findall(r"^Requires-Dist: (.*?)(?:; extra == '(\w+)')?$", text, flags=re.MULTILINE)
    return [requirement for requirement, of in found if of == extra]


def prove_course(python: Path, folder: Path) -> list[str]:
    """Begin as a student with an installed kit of another course, and return what was seen."""
    practica = python.with_name("practica")
    first = next(row.function for row in load_rubric().rows.values())
    run([practica, "new", "p1"], cwd=folder)
    shown = run([practica, "check", "solucion.py"], cwd=folder / "p1", code=1)
    if first not in shown:
        raise ValueError(
            f"practica check solucion.py does not begin with {first}, but says:\n{shown}"
        )
    return [f"practica check solucion.py: {first}"]


def prove(
    python: Path, folder: Path, zips: Iterable[Path], notebook: Callable[[], Path]
) -> Iterator[str]:
    """Work as a student with an installed kit, and yield what was seen.

    ValueError if something is wrong.

    `notebook` is called when all is done that needs no notebook, and returns what has to be
    searched for one.
    """
    practica = python.with_name("practica")
    shown = run([practica, "--help"], cwd=folder)
    commands = re.findall(r"^  (\w+) ", shown.partition("Órdenes:")[2], flags=re.MULTILINE)
    if commands != ["check", "new"]:
        raise ValueError(f"the commands of the kit are {', '.join(commands)}")
    yield f"practica --help: {', '.join(commands)}"
    refused = subprocess.run(
        [practica, "chek"], cwd=folder, env=_environment(folder), capture_output=True, check=False
    )
    if "no tiene la orden chek; las que tiene: check, new" not in refused.stderr.decode():
        raise ValueError(f"practica chek says {refused.stderr.decode()}")
    reference, *packages = run([python, "-c", PLACES], cwd=folder).splitlines()
    if reference != "None" or not all(
        Path(each).is_relative_to(python.parent.parent) for each in packages
    ):
        raise ValueError(
            f"the environment is not on its own: {packages}, and the reference at {reference}"
        )
    yield "import practica.reference: not there"
    walks = [
        _Walk(python, folder / lang, archive, lang)
        for lang, archive in zip(HANDED_OUT, zips, strict=True)
    ]
    for walk in walks:
        yield from walk.in_a_terminal()
    for walk in walks:
        yield from walk.in_a_notebook(notebook())


class _Walk:
    """What a student does, from a zip to a file that is handed in."""

    def __init__(self, python: Path, folder: Path, archive: Path, lang: str) -> None:
        self.python, self.folder, self.lang = python, folder, lang
        self.practica = python.with_name("practica")
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)
        expected = {*HANDED_OUT[lang].values(), *PAGES[lang]}
        if not expected < {*os.listdir(folder)} or not [*folder.glob("practica_kit-*.whl")]:
            raise ValueError(f"{archive.name} has {', '.join(sorted(os.listdir(folder)))}")
        self.work = folder / "p1"

    def _expect(self, sentence: str, arguments: list[str], *, code: int) -> str:
        where = self.work if self.work.exists() else self.folder
        begin = _now()
        shown = run([self.practica, *arguments], cwd=where, code=code)
        if sentence not in shown:
            raise ValueError(
                f"practica {' '.join(arguments)} does not say {sentence!r}, but:\n{shown}"
            )
        return _took(f"practica {' '.join(arguments)}: {sentence}", begin)

    def in_a_terminal(self) -> Iterator[str]:
        """Begin, write a function that is wrong, mend it while the file is watched, write all, and
        hand it in.
        """
        says = SAYS[self.lang]
        yield self._expect(
            "practica check solucion.py",
            ["new", "p1", "--lang", self.lang],
            code=0,
        )
        yield self._expect("one_hot_encoding", ["check", "solucion.py"], code=1)
        file = self.work / "solucion.py"
        file.write_text(WRONG, encoding="utf-8")
        yield self._expect(says["named"], ["check", "solucion.py"], code=1)
        right = f"{says['right']}: one_hot_encoding"
        begin = _now()
        _watched([self.practica, "check", file.name, "--watch"], file, _right_source(), right)
        yield _took(f"practica check solucion.py --watch: {right}", begin)
        shutil.copyfile(MODEL, file)
        yield self._expect("2.50 / 2.50", ["check", "solucion.py"], code=0)
        yield self._hand_in(file)

    def in_a_notebook(self, more: Path) -> Iterator[str]:
        """Do the same in the cells of the notebook that is handed out, but for the one that only
        Colab can run.
        """
        _, install, _, *cells = json.loads(
            (self.folder / "colab.ipynb").read_text(encoding="utf-8")
        )["cells"]
        first = "".join(cells[0]["source"]).partition("\n")[0]
        load = "".join(install["source"]).splitlines()[-1]
        program = CELLS.format(cells=[load, f"{first}\n{WRONG}", f"{first}\n{_right_source()}"])
        environment = {"PYTHONPATH": str(more), "IPYTHONDIR": str(self.folder / "ipython")}
        begin = _now()
        shown = run([self.python, "-c", program], cwd=self.work, more=environment)
        _, named, passed = shown.split("---\n")[:3]
        if SAYS[self.lang]["named"] not in named or SAYS[self.lang]["passes"] not in passed:
            raise ValueError(
                "the cells of colab.ipynb do not say what is wrong and what is right,"
                f" but:\n{shown}"
            )
        yield _took(f"{first}: {SAYS[self.lang]['named']}", begin)
        written: dict[str, object] = {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
        }
        book = self.folder / "handed_in.ipynb"
        whole = [
            {**written, "source": text}
            for text in ("".join(install["source"]), f"{first}\n{MODEL.read_text('utf-8')}")
        ]
        book.write_text(
            json.dumps({"cells": whole, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
        )
        yield self._hand_in(book)

    def _hand_in(self, file: Path) -> str:
        """Mark a file as the course does, with the whole package, and return that it was right."""
        marked = self.folder / "marked.json"
        run(
            [sys.executable, "-m", "practica", "grade", file, "--no-sandbox", "--json", marked],
            cwd=self.folder,
        )
        (submission,) = json.loads(marked.read_text(encoding="utf-8"))["submissions"]
        if submission["points"] != 2.5:
            raise ValueError(f"{file.name} is handed in, and gets {submission['points']}")
        return f"handed in: {file.name}"


def _now() -> tuple[float, float]:
    spent = os.times()
    return time.monotonic(), spent.children_user + spent.children_system


def _took(step: str, begin: tuple[float, float]) -> str:
    clock, processor = (now - before for now, before in zip(_now(), begin, strict=True))
    return f"{step} ({clock:.1f} s, {processor:.1f} of processor)"


SAYS = {
    "es": {
        "named": "Lo más probable: las clases quedan ordenadas",
        "right": "Ahora está bien",
        "passes": "0.02 bien",
    },
    "en": {
        "named": "Most likely: the classes are sorted",
        "right": "Right now",
        "passes": "0.02 right",
    },
}
PLACES = """
import importlib.util, sys

print(importlib.util.find_spec("practica.reference"))
print(importlib.util.find_spec("practica").origin)
print(*[path for path in sys.path if path.endswith("-packages")], sep="\\n")
"""
WRONG = """import numpy as np


def one_hot_encoding(feature, classes=None):
    if classes is None:
        if feature.dtype == bool:
            return feature.reshape(-1, 1)
        classes = np.unique(feature)
    if len(classes) <= 2:
        return (feature == classes[0]).reshape(-1, 1)
    columns = np.zeros((len(feature), len(classes)), dtype=bool)
    for position, label in enumerate(classes):
        columns[:, position] = feature == label
    return columns
"""
CELLS = """
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
for cell in {cells!r}:
    assert shell.run_cell(cell, store_history=True).success
    print("---")
"""
PATIENCE = 120.0  # seconds for a change to be seen


def _right_source() -> str:
    """Return the model answer to what `WRONG` has."""
    nodes = [
        node
        for node in ast.parse(MODEL.read_bytes()).body
        if getattr(node, "name", "") == "one_hot_encoding"
    ]
    return "\n".join(["import numpy as np", *map(ast.unparse, nodes), ""])


def _watched(command: list[str | Path], file: Path, changed: str, sentence: str) -> None:
    """Watch a file, change it once it has been checked, and stop when the sentence about the change
    comes.
    """
    environment = _environment(file.parent)
    shown = ""
    # what a shell starts with & ignores it, and so would the command
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(
        [*map(str, command)],
        cwd=file.parent,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as watching:
        timer = threading.Timer(PATIENCE, watching.kill)
        timer.start()
        assert watching.stdout is not None
        for line in watching.stdout:
            shown += line
            if "Ctrl-C" in line:
                file.write_text(changed, encoding="utf-8")
            if sentence in line:
                break
        watching.send_signal(signal.SIGINT)
        shown += watching.stdout.read()
        timer.cancel()
    if watching.returncode != 0 or sentence not in shown:
        raise ValueError(
            f"watching ends with {watching.returncode}, and does not say {sentence!r},"
            f" but:\n{shown}"
        )


def _environment(folder: Path | None) -> dict[str, str]:
    """Return the environment of a command, with its cache in the folder where it runs."""
    ours = {"MPLBACKEND": "agg", "PYTHONUTF8": "1"} | (
        {} if folder is None else {"XDG_CACHE_HOME": str(folder)}
    )
    return {**{name: value for name, value in os.environ.items() if name != "PYTHONPATH"}, **ours}


def run(
    command: list[str | Path],
    *,
    cwd: Path | None = None,
    code: int = 0,
    more: Mapping[str, str] | None = None,
) -> str:
    """Run a command and return what it prints; ValueError if it ends with another code."""
    environment = {**_environment(cwd), **(more or {})}
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != code:
        raise ValueError(
            f"{' '.join(map(str, command))} ended with"
            f" {done.returncode}:\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def main() -> None:
    """Build, look for answers, install, and work with it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--out", type=Path, default=ROOT / "dist", metavar="DIR", help="where the wheel goes [dist]"
    )
    parser.add_argument(
        "--assignment", type=Path, metavar="DIR", help="another course, or edition-2026"
    )
    options = parser.parse_args()
    course = options.assignment
    try:
        if course is not None:
            begin(course)  # or a sentence says what is missing in it
        with tempfile.TemporaryDirectory() as folder:
            wheel = build(Path(folder), course)
            print(f"None of {require_no_answers(wheel)} lines of the answers is in the kit.")
            proved = options.out / wheel.name  # equal files make equal wheels
            if proved.exists() and proved.read_bytes() == wheel.read_bytes():
                print(f"The kit: {proved}, which has not changed since it was proved")
                return
            start = _now()
            python = install(wheel)
            print(_took("pip install", start))
            zips = pack(wheel, Path(folder)) if course is None else []
            if course is None:
                seen = prove(python, Path(folder), zips, lambda: add_notebook(python, wheel))
            else:
                seen = iter(prove_course(python, Path(folder)))
            for line in seen:
                print(line, flush=True)
            options.out.mkdir(parents=True, exist_ok=True)
            for made in (wheel, *zips):
                print(
                    f"The kit: {shutil.copy(made, options.out)}, {made.stat().st_size // 1024} KiB"
                )
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
