"""The edition of 2025/26: a right file gets all points, and each wrong one loses what it should.

A process marks one assignment, so that this edition has one of its own here.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from budget import WHOLE
from submissions import MODEL, slips

from practica.grading.assignment import ASSIGNMENT, edition_2026

ROOT = Path(__file__).parents[3]
FOLDER = Path(edition_2026.__file__).parent
FUNCTION_OF = ASSIGNMENT.function_of
EDITS = (  # edits of the model answer of the practice
    (
        "def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):",
        "def confusion_matrix(outputs, targets, classes=None, *, threshold=0.5, weighted=True):",
    ),
    (
        "        clases = list(dict.fromkeys([*targets.tolist(), *outputs.tolist()]))\n",
        "        clases = np.asarray(classes).tolist()\n"
        "        assert not {*targets.tolist(), *outputs.tolist()} - {*clases}\n",
    ),
    (
        "    topology,\n    inputs,\n    targets,\n    crossValidationIndices,\n",
        "    topology,\n    dataset,\n    crossValidationIndices,\n",
    ),
    (
        "    inputs, indices = np.asarray(inputs), np.asarray(crossValidationIndices)\n"
        "    salidas = one_hot",
        "    inputs, targets = dataset\n    matriz = 0\n"
        "    inputs, indices = np.asarray(inputs), np.asarray(crossValidationIndices)\n"
        "    salidas = one_hot",
    ),
    (
        "            porEjecucion[ejecucion] = confusion_matrix(predicciones, salidasTest)[:7]\n",
        "            *porEjecucion[ejecucion], una = confusion_matrix(predicciones, salidasTest)\n"
        "            matriz = matriz + una / numExecutions\n",
    ),
    (
        "mean(axis=0)\n    return _medias_y_desviaciones(porFold)\n",
        "mean(axis=0)\n    return (*_medias_y_desviaciones(porFold), matriz)\n",
    ),
    (
        "modelHyperparameters, inputs, targets, crossValidationIndices):",
        "modelHyperparameters, dataset, crossValidationIndices):",
    ),
    (
        '["topology"], inputs, targets, crossValidationIndices, **opciones\n        )\n',
        '["topology"], dataset, crossValidationIndices, **opciones\n        )\n'
        "    inputs, targets = dataset\n    sumada = 0\n",
    ),
    (
        "        predicciones = one_hot_encoding(modelo.predict(inputs[indices == fold]), clases)\n"
        "        porFold[fold - 1] = confusion_matrix(predicciones, salidas[indices == fold])[:7]\n"
        "    return _medias_y_desviaciones(porFold)\n",
        "        predicciones = modelo.predict(inputs[indices == fold])\n"
        "        *porFold[fold - 1], una = confusion_matrix(\n"
        "            predicciones, etiquetas[indices == fold], clases\n        )\n"
        "        sumada = sumada + una\n"
        "    return (*_medias_y_desviaciones(porFold), sumada)\n",
    ),
)
MANY, ANN, MODELS = "confusion_matrix_multiclass", "ann_cross_validation", "model_cross_validation"
REORDERED = (
    "clases = [c for c in dict.fromkeys([*targets.tolist(), *outputs.tolist()]) if c in [*classes]]"
)
WRONG = {  # by what is wrong: the edit, the functions to mark, and the checks that fail
    "classes in an order of its own": (
        ("clases = np.asarray(classes).tolist()", REORDERED),
        ["confusion_matrix"],
        {f"{MANY}.classes.order", f"{MANY}.classes.absent"},
    ),
    "any label will do": (
        (
            "        assert not {*targets.tolist(), *outputs.tolist()} - {*clases}\n",
            "        for c in [*targets.tolist(), *outputs.tolist()]:\n"
            "            clases += [c] * (c not in clases)\n",
        ),
        ["confusion_matrix"],
        {f"{MANY}.classes.unknown"},
    ),
    "no mean over the executions": (("una / numExecutions", "una"), [ANN], {f"{ANN}.matrix"}),
    "only the last fold of networks": (
        ("matriz = matriz + una", "matriz = una"),
        [ANN],
        {f"{ANN}.matrix"},
    ),
    "the mean of the folds": (
        ("porFold), sumada)", "porFold), sumada / numFolds)"),
        [MODELS],
        {f"{MODELS}.matrix"},
    ),
    "no eighth value": (("porFold), sumada)", "porFold),)"), [MODELS], {f"{MODELS}.matrix"}),
    "transposed only there": (
        ("sumada = sumada + una", "sumada = sumada + una.T"),
        [MODELS],
        {f"{MODELS}.matrix"},
    ),
}
SHARE = 1 if WHOLE else 3  # one in so many wrong files
PROGRAM = """
import json, sys
from pathlib import Path
from practica.grading.engine.current import choose
choose(Path("edition-2026"))
from practica.grading.engine.framework import load_checks
from practica.grading.engine.grade import grade_submission
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.solution import LocalSolution
load_checks()
found = []
for source, only in json.load(sys.stdin):
    names = {"__name__": "solucion"}
    exec(compile(source, "solucion.py", "exec"), names)
    facts = {"identifier": "a", "file": "a", "only": only}
    marked = grade_submission(source.encode(), LocalSolution(names), load_rubric(), **facts)
    checks = [check for each in marked.functions for check in each.checks]
    failed = [check.id for check in checks if check.verdict != "pass"]
    known = [each.diagnosis.mistakes for each in marked.functions if each.diagnosis]
    names = [each.id for mistakes in known for each in mistakes if "observation." not in each.id]
    found.append([marked.points, marked.status, failed, names])
print(json.dumps(found))
"""


def as_edition(source: str) -> str | None:
    """Return a file of the practice as this edition wants it; None if it lacks what changes."""
    for old, new in EDITS:
        if source.count(old) != 1:
            return None
        source = source.replace(old, new)
    return source


def right() -> str:
    """Return the model answer of the practice as this edition wants it."""
    source = as_edition(MODEL.read_text(encoding="utf-8"))
    assert source is not None
    return source


def marked(*cases):
    """Mark sources, all functions or some, in a process of the edition."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.thorough
def test_a_right_file_gets_all_points_and_one_of_the_practice_loses_three_rows(tmp_path):
    """In the box, as an instructor marks them."""
    (tmp_path / "new.py").write_text(right(), encoding="utf-8")
    (tmp_path / "old.py").write_bytes(MODEL.read_bytes())
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "practica",
            "grade",
            "new.py",
            "old.py",
            "--assignment",
            "edition-2026",
            "--lang",
            "en",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "new.py  2.50 / 2.50" in done.stdout
    assert "old.py  1.68 / 2.50" in done.stdout
    assert "confusion_matrix(outputs, targets, classes, *, weighted=True)" in done.stdout


@pytest.mark.thorough
def test_each_wrong_file_fails_what_is_new_and_nothing_else():
    """A check that nothing fails is a defect."""
    cases = {}
    for name, ((old, new), only, _) in WRONG.items():
        assert right().count(old) == 1, old
        cases[name] = right().replace(old, new), only
    tried = [*cases][::SHARE]
    found = marked(*(cases[name] for name in tried))
    for name, (points, status, failed, _) in zip(tried, found, strict=True):
        assert (status, {*failed}) == ("graded", WRONG[name][2]), (name, points)


MATRIX = "        assert not {*targets"
HELPERS = {  # by the row that is wrong: the edit
    MANY: (MATRIX, f"        clases = clases[::-1]\n{MATRIX}"),
    "one_hot_encoding": (
        "    if len(classes) <= 2:\n",
        "    classes = sorted(classes)\n    if len(classes) == 1:\n",
    ),
    "accuracy": ("float(np.mean(outputs == targets))", "float(np.sum(outputs == targets))"),
    "classify_outputs": ("outputs.argmax(axis=1)", "outputs.argmin(axis=1)"),
}


@pytest.mark.thorough
def test_a_wrong_helper_does_not_cost_the_functions_that_call_it():
    """A right one stands for it, which knows the classes."""
    callers = ["confusion_matrix", ANN, MODELS]
    cases = [
        (right().replace(*edit), [FUNCTION_OF.get(row, row), *callers])
        for row, edit in HELPERS.items()
    ]
    for row, (_, status, failed, _) in zip(HELPERS, marked(*cases), strict=True):
        assert (status, {id.partition(".")[0] for id in failed}) == ("graded", {row})


@pytest.mark.thorough
def test_the_mistakes_of_the_practice_have_their_names():
    """Also in the functions whose signatures have changed."""
    sources = [(slip, as_edition(slip.source.decode())) for slip in slips()]
    cases = {
        (slip.mistake, slip.row): (source, [FUNCTION_OF.get(slip.row, slip.row)])
        for slip, source in sources
        if source is not None and slip.row in (MANY, "accuracy", ANN, MODELS)
    }
    tried = [*cases.items()][:: 6 * SHARE]
    assert not WHOLE or {row for (_, row), _ in tried} == {MANY, "accuracy", ANN, MODELS}
    found = marked(*(case for _, case in tried))
    for ((mistake, _), _), (*_, names) in zip(tried, found, strict=True):
        assert set(names) == {mistake}


@pytest.mark.parametrize("lang", ["es", "en"])
def test_a_student_gets_the_statement_of_the_practice_with_the_changes(tmp_path, lang):
    """And a template with the headers of this edition."""
    kept = {name: str(tmp_path / name) for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME")}
    command = [
        sys.executable,
        "-m",
        "practica",
        "new",
        "p1",
        "--assignment",
        "edition-2026",
        "--lang",
        lang,
    ]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, **kept},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    template = (tmp_path / "p1/solucion.py").read_text(encoding="utf-8")
    for header in (
        "confusion_matrix(outputs, targets, classes=None",
        "    topology,\n    dataset,\n",
        "hold_out(N, P",
    ):
        assert header in template
    page = (tmp_path / "p1" / {"es": "cambios.md", "en": "changes.md"}[lang]).read_text(
        encoding="utf-8"
    )
    assert all(f"`{id}`" in page for *_, ids in WRONG.values() for id in ids)


@pytest.mark.thorough
def test_the_kit_of_the_edition_needs_no_option(tmp_path, monkeypatch):
    """It has the modules of the practice, and its own sentences and pages."""
    program = (
        "import importlib.util, pathlib, sys\n"
        f"sys.path.insert(0, {str(ROOT / 'scripts')!r})\n"
        "spec = importlib.util.spec_from_file_location("
        f"'kit', {str(ROOT / 'scripts/build_kit.py')!r})\n"
        "kit = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(kit)\n"
        "kit.stage(pathlib.Path('kit'), pathlib.Path('edition-2026'))\n"
    )
    assert (
        subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=False).returncode == 0
    )
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "kit"))
    begin = [sys.executable, "-P", "-m", "practica"]
    subprocess.run(
        [*begin, "new", "p1", "--lang", "en"], cwd=tmp_path, check=True, capture_output=True
    )
    assert "    dataset,\n" in (tmp_path / "p1/solucion.py").read_text(encoding="utf-8")
    wrong = (
        "def confusion_matrix(outputs, targets, classes=None, *, threshold=0.5, weighted=True):\n  "
        "  return 1\n"
    )
    (tmp_path / "p1/solucion.py").write_text(wrong, encoding="utf-8")
    done = subprocess.run(
        [*begin, "check", "p1/solucion.py", "--lang", "en"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "confusion_matrix_multiclass" in done.stdout
