"""From files to marks, in the real sandbox."""

import json
import re
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

import pytest
from click.testing import CliRunner
from graded import CHECKS, RUBRIC, graded, lost
from lanes import one_in
from submissions import attacks, merged, submissions

from practica.cli import main
from practica.grading.engine.grade import grade_submission
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source
from practica.grading.report.messages import LANGUAGES, catalogue
from practica.grading.sandbox.box import Limits
from practica.grading.sandbox.probe import probe

ROOT = Path(__file__).parents[3]
MODEL = ROOT / "enunciado" / "profesorado" / "solucion.py"
ALL = {submission.slug: submission for submission in submissions()}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        probe().level == "none", reason=f"no sandbox works here: {probe().failures}"
    ),
]

# One for each function: what is wrong in it, and what it loses. scripts/try_submissions.py grades
# all of them.
SAMPLE = {
    "one_hot_dos_columnas": {"one_hot_encoding"},
    "parametros_desviacion_poblacional": {"calculate_zero_mean_normalization_parameters"},
    "normaliza_no_modifica": {"normalize_min_max_", "normalize_zero_mean_"},
    "normaliza_modifica_el_original": {"normalize_min_max", "normalize_zero_mean"},
    "clasifica_una_columna": {"classify_outputs"},
    "precision_por_celdas": {"accuracy"},
    "red_sin_softmax": {"build_class_ann"},
    "hold_out_desde_uno": {"hold_out"},
    "entrena_sin_zero_grad": {"train_class_ann"},
    "confusion_cero_entre_cero": {"confusion_matrix_binary"},
    "confusion_etiquetas_a_texto": {"confusion_matrix_multiclass"},
    "cv_no_estratificada": {"crossvalidation"},
    "ann_entrena_con_todo": {"ann_cross_validation"},
    "modelo_svc_sin_kernel": {"model_cross_validation"},
}

ACCURACY = """
import numpy as np

def accuracy(outputs, targets, *, threshold=0.5):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool:
        if outputs.ndim == 2 and outputs.shape[1] > 1:
            outputs = outputs.argmax(axis=1)[:, None] == np.arange(outputs.shape[1])
        else:
            outputs = outputs >= threshold
    if outputs.ndim == 1:
        return np.mean(outputs == targets)
    return np.mean(np.all(outputs == targets, axis=1))
"""
WITH_A_LOOP = ACCURACY.replace(
    "    outputs, targets =", "    for _ in range(1): pass\n    outputs, targets ="
)
RUBRIC_OF_ACCURACY = """
schema = 1
name = "Una función"
only = ["accuracy"]
[functions.accuracy]
points = 0.2
max_loops = 0
"""
TWO_ROWS = """
name = "Dos funciones"
only = ["one_hot_encoding", "accuracy"]
[functions.one_hot_encoding]
checks = ["one_hot_encoding.bool"]
[functions.accuracy]
checks = ["accuracy.bool.vector"]
"""
ATTACKS_ON_THE_MARK = [
    *(
        "sale_al_importar",
        "sys_exit",
        "parchea_bibliotecas",
        "objetos_mentirosos",
        "subclase_de_array",
    ),
    *("inspecciona_la_pila", "escribe_resultados", "respuestas_falsas", "ctypes_revienta"),
]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run `practica grade` in a folder of its own.

    Returns the exit code and the canonical result.
    """
    monkeypatch.chdir(tmp_path)
    Path("rubric.toml").write_text(RUBRIC_OF_ACCURACY)

    def invoke(*arguments: str | Path) -> tuple[int, dict]:
        done = CliRunner().invoke(main, ["grade", *map(str, arguments), "--json", "out.json"])
        assert isinstance(done.exception, SystemExit | None), done.exception
        return done.exit_code, json.loads(Path("out.json").read_text(encoding="utf-8"))

    return invoke


def test_the_model_answer_gets_every_point(run):
    """2.50 of 2.50, by every check of the statement."""
    code, result = run(MODEL)
    (submission,) = result["submissions"]
    checks = [check for function in submission["functions"] for check in function["checks"]]
    assert [check for check in checks if check["verdict"] != "pass"] == []
    assert (submission["points"], submission["max_points"], code) == (2.5, 2.5, 0)
    assert {check["id"] for check in checks} == set(CHECKS)


@pytest.mark.parametrize("slug", one_in(18, SAMPLE))
def test_a_wrong_submission_loses_exactly_its_function(slug, sandbox):
    """Those that call it keep their points; each sentence has all its facts, in both languages."""
    result = graded(
        ALL[slug], sandbox, functions={RUBRIC.rows[row].function for row in SAMPLE[slug]}
    )
    assert result.status == "graded"
    assert set(lost(result)) == SAMPLE[slug]
    for function in result.functions:
        if function.name in SAMPLE[slug]:
            told = [check for check in function.checks if check.verdict == "fail"]
            assert told
            assert all(check.message and check.counterexample for check in told)


@pytest.mark.thorough
def test_attacks_earn_nothing_and_do_not_disturb_their_neighbours(run, tmp_path):
    """In one run, with a right answer after each of them."""
    files = []
    for number, name in enumerate(ATTACKS_ON_THE_MARK):
        right = tmp_path / f"bien_{number}.py"
        right.write_text(ACCURACY)
        attack = tmp_path / f"{name}.py"
        attack.write_bytes(attacks("sandbox")[name]["source"])
        files += [attack, right]
    code, result = run(*files, "--rubric", "rubric.toml")
    assert code == 1
    points = {submission["file"]: submission["points"] for submission in result["submissions"]}
    assert points == {file.name: 0.2 if file.stem.startswith("bien") else 0.0 for file in files}
    assert "grader_error" not in {submission["status"] for submission in result["submissions"]}


@pytest.mark.thorough
def test_a_rubric_of_four_lines_forbids_what_the_official_one_does(run):
    """`sklearn.metrics.accuracy_score` earns nothing, and what only looks suspicious costs
    nothing.
    """
    Path("rubric.toml").write_text(
        'name = "Mía"\nonly = ["accuracy"]\n[functions.accuracy]\npoints = 1\n'
    )
    library = (
        "from sklearn.metrics import accuracy_score\ndef accuracy(o, t, **_): return"
        " accuracy_score(t, o)\n"
    )
    Path("ana.py").write_text(library)
    Path("luis.py").write_text(f"import subprocess\n{ACCURACY}\ndef other(): return subprocess.run")
    _, result = run("ana.py", "luis.py", "--rubric", "rubric.toml")
    ana, luis = (submission["functions"][0] for submission in result["submissions"])
    assert (ana["points"], ana["verdict"]) == (0.0, "rule")
    assert (luis["points"], luis["verdict"]) == (1.0, "pass")
    assert {rule["cost"] for rule in luis["rules"] if rule["severity"] == "broken"} <= {"flag"}


NEEDS = "    outputs, targets ="  # the first line of `ACCURACY` that does something
LATE = "    import no_hay\n" + NEEDS
# Files that do not run to their end, each with its status, points and verdict.
CUT = {
    "empty": ("", "graded", 0.0, "missing"),
    "a comment": ("# todo\n", "graded", 0.0, "missing"),
    "no syntax": ("def accuracy(outputs, targets:\n", "not_run", 0.0, "not_run"),
    "no text": (b"\xff\xfe\x00", "not_run", 0.0, "not_run"),
    "an experiment at the end": (f"{ACCURACY}1 / 0\n", "graded", 0.2, "pass"),
    "an endless one": (f"{ACCURACY}while True: pass\n", "graded", 0.2, "pass"),
    "at the beginning": (f"1 / 0\n{ACCURACY}", "not_run", 0.0, "not_run"),
    "nothing hides behind it": (f"{WITH_A_LOOP}1 / 0\n{ACCURACY}", "graded", 0.0, "rule"),
    "nor what it replaces": (
        f"{ACCURACY}accuracy = None\n1 / 0\n{ACCURACY}",
        "not_run",
        0.0,
        "not_run",
    ),
    "ours to install, perhaps": (
        f"from no_hay_tal_modulo import *\n{ACCURACY}",
        "not_run",
        None,
        "not_run",
    ),
    "the reference": (f"import practica.reference\n{ACCURACY}", "not_run", 0.0, "rule"),
    "endless": (
        "while True: pass\ndef accuracy(outputs, targets): return 1.0\n",
        "not_run",
        0.0,
        "not_run",
    ),
    "not the package's fault": (
        ACCURACY.replace(NEEDS, LATE.replace("no_hay", "sklearn.no_hay")),
        "graded",
        0.0,
        "fail",
    ),
}
# What imports a package that is not here, and needs it for nothing that is marked.
UNNEEDED = {
    "plain": "import no_hay\n",
    "settings": "import no_hay as sns\nsns.set_theme(style='dark')\nprint(sns.__version__)\n",
    "Colab": "import no_hay.colab\nfrom no_hay.colab import drive\ndrive.mount('/content/drive')\n",
    "a decorator": (
        "import sklearn.no_hay\nfrom no_hay import decorates\n\n@decorates\ndef other(): ...\n"
    ),
    "when run": "import no_hay\nif __name__ == '__main__':\n    no_hay.plot()\n",
    "it looks itself": (
        "try:\n    import no_hay\nexcept ImportError:\n    no_hay = None\nassert no_hay is None\n"
        "import no_hay as other\nimport sys\nassert 'no_hay' not in sys.modules\n"
    ),
}
NEEDED = {
    "a name of it": f"import no_hay\n{ACCURACY}".replace(NEEDS, f"    no_hay.look()\n{NEEDS}"),
    "inside": ACCURACY.replace(NEEDS, LATE),
    "its decorator": ACCURACY.replace(
        "def accuracy", "from no_hay import jit\n\n@jit\ndef accuracy"
    ),
    "the function": "from no_hay import accuracy\n",
    "its class": f"import no_hay\n{ACCURACY}\nclass Net(no_hay.Module): pass\naccuracy = Net\n",
}


def written(sources):
    """Write files with names and sources; return their paths."""
    paths = [Path(f"{name}.py") for name in sources]
    for path, source in zip(paths, sources.values(), strict=True):
        path.write_bytes(source if isinstance(source, bytes) else source.encode())
    return paths


@pytest.mark.thorough
def test_a_file_that_does_not_run_to_its_end_gets_what_it_deserves_and_a_reason(run, monkeypatch):
    """It is not the grader's failure.

    Where a package is missing a person decides; what stands before it is marked.
    """
    monkeypatch.setattr(
        "practica.grading.sandbox.client.Limits.here", lambda: Limits(import_seconds=2)
    )
    code, result = run(
        *written({name: source for name, (source, *_) in CUT.items()}), "--rubric", "rubric.toml"
    )
    found = {}
    for submission in result["submissions"]:
        (function,) = submission["functions"]
        found[Path(submission["file"]).stem] = (
            submission["status"],
            submission["points"],
            function["verdict"],
        )
        assert (submission["reason"] is None) == (submission["status"] == "graded")
    assert (code, found) == (1, {name: tuple(expected) for name, (_, *expected) in CUT.items()})


@pytest.mark.thorough
def test_a_function_that_calls_itself_without_end_is_one_failure(run, own_cache):
    """In both commands: CPython 3.13 does not count calls that leave out a parameter, and takes all
    memory.
    """
    endless = (
        "def accuracy(outputs, targets, threshold=0.5):\n    return accuracy(outputs, targets)\n"
    )
    Path("entrega.py").write_text(merged(endless), encoding="utf-8")
    Path("two.toml").write_text(TWO_ROWS)
    _, result = run("entrega.py", "--rubric", "two.toml")
    (submission,) = result["submissions"]
    assert [function["verdict"] for function in submission["functions"]] == ["pass", "fail"]
    done = CliRunner().invoke(
        main, ["check", "entrega.py", "one_hot_encoding", "accuracy", "--lang", "en"]
    )
    assert re.findall(r"^(\S+) +(\w+) +(\w+)$", done.output, flags=re.MULTILINE) == [
        ("0.02", "right", "one_hot_encoding"),
        ("0.00", "fails", "accuracy"),
    ]


@pytest.mark.thorough
def test_a_package_that_is_missing_counts_only_where_a_function_needs_it(run):
    """There is no mark then, for it may be ours to install.

    The exceptions say which function needs which package.
    """
    files = written({name: f"{imports}{ACCURACY}" for name, imports in UNNEEDED.items()} | NEEDED)
    code, result = run(*files, "--rubric", "rubric.toml", "--out", "notas", "--lang", "en")
    points = {
        Path(submission["file"]).stem: submission["points"] for submission in result["submissions"]
    }
    assert (code, points) == (1, dict.fromkeys(UNNEEDED, 0.2) | dict.fromkeys(NEEDED))
    assert [each["functions"][0]["rules"] for each in result["submissions"] if each["points"]] == [
        []
    ] * len(UNNEEDED)
    told = Path("notas/exceptions.txt").read_text()
    assert told.count("accuracy needs the module no_hay") == len(NEEDED)
    assert [name for name in UNNEEDED if name in told] == []


@pytest.mark.thorough
def test_other_files_and_commands_of_notebooks_are_told_to_the_instructor(run):
    """Only one file is marked, without the lines that are not Python.

    Who reads the exceptions knows both.
    """
    for owner, files in {
        "Ana_1": {"solucion.py": f"%matplotlib inline\n!pip install seaborn\n{ACCURACY}"},
        "Luis_2": {"solucion.py": f"from utils import *\n{ACCURACY}", "utils.py": "K = 1\n"},
    }.items():
        folder = Path("clase", f"{owner}_assignsubmission_file")
        folder.mkdir(parents=True)
        for name, text in files.items():
            (folder / name).write_text(text)
    _, result = run("clase", "--rubric", "rubric.toml", "--out", "notas", "--lang", "en")
    assert [submission["points"] for submission in result["submissions"]] == [0.2, None]
    told = Path("notas/exceptions.txt").read_text()
    assert (
        "Luis (2): solucion.py imports utils.py, which is in the submission; only one file is"
        " marked" in told
    )
    assert (
        "The module utils, which the file imports (line 1), is neither installed here nor part of"
        " the file" in told
    )
    assert "Ana (1): the lines of solucion.py that only a notebook understands" in told
    assert "are left out: 1, 2." in told


def test_grading_twice_gives_the_same_result(run):
    """With the same seed, counterexamples included; only the seconds may differ."""
    Path("entrega.py").write_text(
        ACCURACY.replace(">= threshold", "> threshold").replace("axis=1)\n", "axis=None)\n")
    )
    results = [run("entrega.py", "--rubric", "rubric.toml", "--seed", "7")[1] for _ in range(2)]
    for result in results:
        for submission in result["submissions"]:
            assert submission.pop("seconds") > 0
            assert submission["points"] == 0
    assert results[0] == results[1]


def test_every_check_belongs_to_one_row_of_the_rubric():
    """And every row has checks."""
    rows = {
        identifier: [row.name for row in RUBRIC.rows.values() if _has(row, identifier)]
        for identifier in CHECKS
    }
    assert {identifier: names for identifier, names in rows.items() if len(names) != 1} == {}
    assert {name for names in rows.values() for name in names} == set(RUBRIC.rows)


def _has(row, identifier: str) -> bool:
    return any(fnmatch(identifier, pattern) for pattern in row.checks)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_check_has_its_sentence_and_no_sentence_is_of_a_check_that_is_gone(lang):
    """The sentences of a row begin with its name, and a second one for another cause with the id of
    its check.
    """
    said = {
        identifier for identifier in catalogue(lang) if identifier.partition(".")[0] in RUBRIC.rows
    }
    assert said >= set(CHECKS)
    assert {
        identifier
        for identifier in said - set(CHECKS)
        if identifier.rpartition(".")[0] not in CHECKS
    } == set()


@pytest.mark.thorough
def test_a_wrong_network_does_not_cost_the_row_of_those_that_train_it():
    """Its dropout makes other outputs each time, inside a training that passes its own checks."""
    source = next(each.source for each in submissions() if each.slug == "red_con_dropout")
    chosen = {
        "build_class_ann": ("build_class_ann.transfer_functions.default",),
        "train_class_ann": ("train_class_ann.returns",),
        "ann_cross_validation": ("ann_cross_validation.metrics",),
    }
    rubric = replace(
        RUBRIC, rows={row: replace(RUBRIC.rows[row], checks=ids) for row, ids in chosen.items()}
    )
    solution = LocalSolution(load_source(source, "red_con_dropout.py"))
    result = grade_submission(source, solution, rubric, identifier="a", file="a.py", seed=1)
    assert lost(result) == ["build_class_ann"]
