"""The student kit works on its own and has no line of an answer; one that leaks is noticed."""

import ast
import email
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import practica
from practica.grading.sandbox.probe import probe_level
from practica.grading.student.folder import FILES

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "scripts" / "build_kit.py"


@pytest.fixture(scope="module")
def kit():
    """Import the script."""
    spec = importlib.util.spec_from_file_location("build_kit", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> tuple[subprocess.CompletedProcess, Path]:
    """Run the script: what it printed, and the folder with the wheel."""
    folder = tmp_path_factory.mktemp("kit")
    command = [sys.executable, SCRIPT, "--out", folder]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, encoding="utf-8"
    ), folder


@pytest.mark.thorough
def test_a_student_can_work_with_the_kit_alone(built):
    """From the zip to a file that is handed in, with what the kit declares and nothing else, in
    both languages.
    """
    done, folder = built
    assert done.returncode == 0, done.stderr
    steps = done.stdout.splitlines()
    seen = [re.sub(r" \(\d+\.\d s, \d+\.\d of processor\)$", "", line) for line in steps]
    assert sum(map(str.__ne__, seen, steps)) == 13
    assert [line for line in seen[1:] if not line.startswith("The kit: ")] == [
        "pip install",
        "practica --help: check, new",
        "import practica.reference: not there",
        "practica new p1 --lang es: practica check solucion.py",
        "practica check solucion.py: one_hot_encoding",
        "practica check solucion.py: Lo más probable: las clases quedan ordenadas",
        "practica check solucion.py --watch: Ahora está bien: one_hot_encoding",
        "practica check solucion.py: 2.50 / 2.50",
        "handed in: solucion.py",
        "practica new p1 --lang en: practica check solucion.py",
        "practica check solucion.py: one_hot_encoding",
        "practica check solucion.py: Most likely: the classes are sorted",
        "practica check solucion.py --watch: Right now: one_hot_encoding",
        "practica check solucion.py: 2.50 / 2.50",
        "handed in: solucion.py",
        "%%check one_hot_encoding --lang es: Lo más probable: las clases quedan ordenadas",
        "handed in: handed_in.ipynb",
        "%%check one_hot_encoding --lang en: Most likely: the classes are sorted",
        "handed in: handed_in.ipynb",
    ]
    assert sorted(path.name for path in folder.glob("*.zip")) == [
        f"practica-{practica.__version__}.en.zip",
        f"practica-{practica.__version__}.es.zip",
    ]


def undeclared(wheel: Path) -> dict[str, str]:
    """Return each package that a file of a wheel imports and its metadata do not name, with the
    file.
    """
    with zipfile.ZipFile(wheel) as archive:
        texts = {
            name: archive.read(name).decode()
            for name in archive.namelist()
            if name.endswith((".py", "/METADATA"))
        }
    (declared,) = (text for name, text in texts.items() if name.endswith("/METADATA"))
    requirements = email.message_from_string(declared).get_all("Requires-Dist")
    declared = {canonicalize_name(Requirement(each).name) for each in requirements}
    # which only a GPU needs
    known = {"cupy": ["cupy-cuda12x"], **metadata.packages_distributions()}
    found = {}
    for name, text in texts.items():
        nodes = list(ast.walk(ast.parse(text))) if name.endswith(".py") else []
        modules = {
            alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names
        }
        modules |= {
            node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.level == 0
        }
        for package in (
            {module.partition(".")[0] for module in modules}
            - sys.stdlib_module_names
            - {"practica"}
        ):
            if not {canonicalize_name(each) for each in known.get(package, [package])} & declared:
                found[package] = name
    return found


@pytest.mark.thorough
def test_every_import_of_the_kit_is_declared(built):
    """Also those that run late: an environment with everything would not notice."""
    (wheel,) = built[1].glob("*.whl")
    assert undeclared(wheel) == {}


@pytest.mark.slow
def test_every_import_of_the_package_is_declared(tmp_path):
    """Of the wheel of everybody else."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
        cwd=ROOT,
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    assert undeclared(wheel) == {}


def test_a_kit_with_an_import_that_nobody_declares_is_not_built(kit, tmp_path):
    """The sentence names it."""
    (tmp_path / "a.py").write_text("def f():\n    import msgspec, pytest\n")
    with pytest.raises(
        ValueError, match=r"a\.py imports pytest, which pyproject\.toml does not declare"
    ):
        kit.requirements([tmp_path / "a.py"])
    (tmp_path / "a.py").write_text(
        "import os, msgspec\nfrom . import b\nfrom sklearn import svm, tree\nimport IPython\n"
    )
    always, notebook = kit.requirements([tmp_path / "a.py"])
    assert [re.match(r"[\w-]+", each)[0] for each in (*always, *notebook)] == [
        "scikit-learn",
        "msgspec",
        "pandas",
        "ipython",
    ]


@pytest.mark.parametrize("template", ["plantilla.py", "template.py"])
def test_what_the_template_imports_later_is_installed_too(kit, template):
    """The imports of exercise 6 are comments until then."""
    always, _ = kit.requirements([ROOT / "enunciado" / template])
    assert {"numpy", "torch", "scikit-learn"} <= {re.match(r"[\w-]+", each)[0] for each in always}
    assert kit.packages_of("# import what a student needs\nimport numpy") == {"numpy"}


@pytest.mark.thorough
def test_a_kit_that_has_not_changed_is_not_proved_again(kit, built, monkeypatch, capsys):
    """It is built, which takes seconds, and found to be the one that is there."""
    _, folder = built
    (wheel,) = folder.glob("*.whl")
    before = wheel.stat().st_mtime_ns
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), "--out", str(folder)])
    kit.main()
    assert "has not changed" in capsys.readouterr().out
    assert wheel.stat().st_mtime_ns == before


@pytest.mark.thorough
def test_the_kit_has_what_students_need_and_nothing_of_others(built):
    """Checks, statement, template, notebook.

    No module of the reference, of instructors or of researchers.
    """
    (wheel,) = built[1].glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    material = {
        f"practica/grading/student/material/{name}" for files in FILES.values() for name in files
    }
    assert material <= names
    assert {
        str(path.relative_to(ROOT)) for path in (ROOT / "practica/grading/assignment").rglob("*.py")
    } <= names
    others = (
        "reference",
        "evaluation",
        "classroom",
        "profesorado",
        "instructors",
        "researchers",
        "solucion",
        "pages/",
    )
    assert [name for name in names if any(part in name for part in others)] == []
    changes = {
        name
        for name in names
        if re.fullmatch(r"practica/grading/assignment/edition_\d+/changes\.\w\w\.md", name)
    }
    # no guide of instructors, nor of developers
    texts = {name for name in names - changes if name.endswith(".md")}
    assert texts <= material


@pytest.mark.thorough
def test_a_line_of_an_answer_is_found_wherever_it_is(kit, built, tmp_path):
    """Put into a wheel that had none, with other spaces; in a notebook too."""
    (wheel,) = built[1].glob("*.whl")
    assert kit.require_no_answers(wheel) > 1000
    answer = "codificado = np.zeros((len(feature), len(classes)), dtype=bool)"
    leaking = Path(shutil.copy(wheel, tmp_path))
    with zipfile.ZipFile(leaking, "a") as archive:
        archive.writestr("practica/extra.py", f"def f():\n    {answer.replace(' ', '  ')}\n")
        archive.writestr("practica/extra.ipynb", json.dumps({"cells": [{"source": [answer]}]}))
        archive.writestr("practica/reference/x.py", "")
    with pytest.raises(ValueError, match="the kit has lines of the answers") as refused:
        kit.require_no_answers(leaking)
    lines = str(refused.value).splitlines()[1:]
    assert [line.partition(":")[0] for line in lines] == [
        "practica/extra.py",
        "practica/extra.ipynb",
        "practica/reference/x.py is in the kit",
    ]
    assert lines[0].endswith("is in enunciado/profesorado/solucion.py")


def test_what_everybody_writes_or_the_statement_gives_is_no_leak(kit):
    """Imports, heads of blocks, names, short lines, and what the statement shows."""
    common = [
        "from collections.abc import Callable, Iterable, Mapping, Sequence",
        "for fold in range(1, int(crossValidationIndices.max()) + 1):",
        "calculate_zero_mean_normalization_parameters,",
        "matrix = np.asarray(dataset)",
    ]
    given = ">>> normalize_zero_mean_(np.array([[1.0, 7.0], [3.0, 7.0], [5.0, 7.0]]))"
    text = "\n".join([*common, given])
    assert kit.leaks({"a.py": text}, {"b.py": text}, [given]) == []
    assert len(kit.leaks({"a.py": text}, {"b.py": text})) == 1


def test_a_command_of_students_that_imports_the_reference_stops_the_kit(kit, tmp_path):
    """Also inside a function, and through another module."""
    package = tmp_path / "practica"
    for name, source in {
        "__init__.py": "",
        "__main__.py": "from practica.cli import students",
        "cli/__init__.py": "",
        "cli/students.py": "def new():\n    from practica import helper",
        "helper.py": "import practica.reference.metrics",
        "reference/__init__.py": "",
        "reference/metrics.py": "",
    }.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(source)
    with pytest.raises(
        ValueError, match=r"import practica\.reference.*, which is not for students"
    ):
        kit.kit_modules(package)
    (package / "helper.py").write_text("")
    assert list(kit.kit_modules(package)) == [
        *(
            "practica",
            "practica.__main__",
            "practica.cli",
            "practica.cli.students",
            "practica.helper",
        ),
    ]


def test_the_table_of_contents_of_the_kit_has_only_what_is_in_it(kit):
    """The pictures; the functions of the practice are the student's."""
    stub = (ROOT / "practica/__init__.pyi").read_text(encoding="utf-8")
    contents = kit.public_names(stub, ["practica.experiments.plots"])
    imports = [node for node in ast.parse(contents).body if isinstance(node, ast.ImportFrom)]
    names = [alias.asname for node in imports for alias in node.names]
    assert names == ["plot_confusion_matrix", "plot_learning_curves", "plot_metric"]
    assert "reference" not in contents


@pytest.mark.thorough
def test_the_wheel_alone_does_what_the_three_users_do():
    """With what it declares and nothing else, and a class at both levels of the sandbox."""
    for level in ("full", "reduced"):
        if not (found := probe_level(level)).works:
            pytest.skip("; ".join(found.failures))
    script = ROOT / "scripts" / "try_wheel.py"
    done = subprocess.run(
        [sys.executable, script, "locked"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [line.rpartition(": ")[2] for line in done.stdout.splitlines()] == [
        *(
            "accuracy",
            "Holm p",
            "solucion.py",
            "one_hot_encoding",
            "2.50 / 2.50",
            "2.50 / 2.50",
            "2.5",
            "2.5",
        ),
        *("class/marks/index.html", "feedback.zip"),
    ]
