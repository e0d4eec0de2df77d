"""`practica grade` and `practica check`, as they are typed."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from moodle_files import notebook

from practica.cli import main
from practica.grading.classroom import marker as batch
from practica.grading.engine.framework import Check, require
from practica.grading.sandbox.box import SandboxError
from practica.grading.sandbox.probe import probe

SHEET = "Identifier,Grade,Maximum Grade\n"
HALF = """
import numpy as np

def accuracy(x):
    return 2 * x

def hold_out(x):
    return x / 2 if x < 3 else 0
"""
CLASSIFIES = """
import numpy as np

def classify_outputs(outputs, *, threshold=0.5):
    outputs = np.asarray(outputs)
    if outputs.ndim == 2 and outputs.shape[1] > 1:
        return np.eye(outputs.shape[1], dtype=bool)[outputs.argmax(axis=1)]
    return outputs >= threshold
"""
RUBRIC = """
schema = 1
name = "Dos funciones"
only = ["accuracy", "hold_out", "crossvalidation"]
[functions.accuracy]
points = 1
overloads = [{ signature = "(x: real)" }]
[functions.hold_out]
points = 2
overloads = [{ signature = "(x: real)" }]
[functions.crossvalidation]
points = 3
overloads = [{ signature = "(x: real)" }]
"""
needs_sandbox = pytest.mark.skipif(
    probe().level == "none", reason=f"no sandbox works here: {probe().failures}"
)


def small_checks() -> dict[str, Check]:
    """Make one check for each of three small functions."""

    def of(name, right):
        def body(solution):
            for x in (1, 5):
                obtained = getattr(solution, name)(x)
                require(
                    obtained == right(x),
                    expected=right(x),
                    obtained=obtained,
                    message="form.number",
                )

        return Check(f"{name}.value", name, name, body)

    checks = [
        of("accuracy", lambda x: 2 * x),
        of("hold_out", lambda x: x / 2),
        of("crossvalidation", lambda x: x / 3),
    ]
    return {each.id: each for each in checks}


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run the command line in this process with the small checks, in a folder with a submission and
    its rubric.
    """
    checks = small_checks()
    monkeypatch.setattr("practica.grading.classroom.marking.load_checks", lambda: checks)
    monkeypatch.setattr("practica.grading.engine.grade.load_checks", lambda: checks)
    monkeypatch.chdir(tmp_path)
    Path("entrega.py").write_text(HALF)
    Path("rubric.toml").write_text(RUBRIC)
    return lambda *arguments: CliRunner().invoke(main, [*map(str, arguments)])


def without_seconds(path: Path) -> dict:
    """Read a canonical result, leaving out the only thing that may differ between two runs."""
    result = json.loads(path.read_text(encoding="utf-8"))
    for submission in result["submissions"]:
        assert submission.pop("seconds") >= 0
    return result


@pytest.mark.parametrize("arguments", [["--help"], ["grade", "--help"], ["check", "--help"]])
def test_help_loads_none_of_the_large_libraries(arguments):
    """So it opens at once."""
    program = (
        f"import sys\nfrom practica.cli import main\ntry:\n    main({arguments!r},"
        " prog_name='practica')\nfinally:\n    print('loaded:', *sys.modules.keys() & {'torch',"
        " 'numpy', 'hypothesis', 'rich'})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1].split() == ["loaded:"]


def test_grading_loads_neither_torch_nor_the_reference_beside_the_checks():
    """Only the student's file imports torch, in its own process."""
    program = (
        "import sys\nfrom practica.grading.classroom import marking\n"
        "from practica.grading.sandbox import local\n"
        "from practica.grading.engine.framework import load_checks\nload_checks()\nprint(*[name for"
        " name in sys.modules if name == 'torch' or name.startswith('practica.ref')])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


@needs_sandbox
def test_the_result_has_exactly_the_keys_of_the_format(run, tmp_path):
    """And its values are plain: what is read is what was written."""
    done = run(
        "grade", "entrega.py", "--rubric", "rubric.toml", "--json", "out.json", "--out", "notas"
    )
    assert done.exit_code == 1, done.output
    result = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert list(result) == [
        "schema",
        "practica",
        "rubric",
        "sandbox",
        "seed",
        "class",
        "submissions",
    ]
    assert list(result["class"]) == ["entries", "incidents", "similar", "decisions", "late"]
    assert list(result["rubric"]) == ["name", "sha256", "max_points", "late", "titles"]
    (submission,) = result["submissions"]
    assert list(submission) == [
        *(
            "id",
            "file",
            "sha256",
            "status",
            "reason",
            "points",
            "max_points",
            "seconds",
            "functions",
        ),
        *("memory", "source", "cells"),
    ]
    assert submission["memory"] == probe().memory
    assert [submission[key] for key in ("id", "file", "status", "points", "max_points")] == [
        *("entrega", "entrega.py", "graded", 1.0, 6.0),
    ]
    for function in submission["functions"]:
        keys = ["name", "function", "line", "points", "max_points", "verdict", "rules", "checks"]
        assert list(function) in (keys, [*keys, "diagnosis"])  # where a known mistake is found
        for rule in function["rules"]:
            assert list(rule) == ["id", "severity", "cost", "line", "facts"]
        for check in function["checks"]:
            assert list(check) == ["id", "verdict", "message", "facts", "counterexample"]
    assert [function["verdict"] for function in submission["functions"]] == [
        "pass",
        "fail",
        "missing",
    ]
    counterexample = submission["functions"][1]["checks"][0]["counterexample"]
    assert counterexample.pop("seed").isdecimal()  # a function that draws has one
    assert counterexample.pop("drawn") == "0"
    assert counterexample == {
        "call": "hold_out(5)",
        "input": "5",
        "expected": "2.5",
        "obtained": "0",
    }
    assert Path("notas/results.json").read_text() == Path("out.json").read_text()
    assert "hold_out(5)" in Path("notas/feedback/entrega.html").read_text()


@needs_sandbox
def test_the_language_is_spanish_unless_asked_otherwise(run):
    """The table and the sentences."""
    spanish = run("grade", "entrega.py", "--rubric", "rubric.toml").output
    assert "hold_out(5) debe" in spanish
    assert "El código se ha ejecutado" in spanish
    english = run("grade", "entrega.py", "--rubric", "rubric.toml", "--lang", "en").output
    assert "hold_out(5) must" in english
    assert "The code ran in a" in english


@pytest.mark.thorough
@needs_sandbox
def test_a_call_that_does_not_end_is_told_with_its_loop(run):
    """The other functions go on."""
    Path("entrega.py").write_text(HALF.replace("    return 2 * x", "    while x:\n        pass"))
    output = run("grade", "entrega.py", "--rubric", "rubric.toml").output
    assert (
        "accuracy(1) no termina: al agotarse su tiempo seguía en el bucle de la línea 5." in output
    )
    assert "hold_out(5) debe" in output


@needs_sandbox
@pytest.mark.slow
def test_two_files_of_one_name_are_two_submissions(tmp_path):
    """The exit code is that of the worst; workers mark them, with the checks of the practice."""
    (tmp_path / "otra").mkdir()
    files = [tmp_path / "otra" / "entrega.py", tmp_path / "entrega.py"]
    files[0].write_text(CLASSIFIES)
    files[1].write_text(HALF)
    rubric = tmp_path / "rubric.toml"
    rubric.write_text(
        'schema = 1\nname = "Una"\nonly ='
        ' ["classify_outputs"]\n[functions.classify_outputs]\npoints = 1\n'
    )
    options = ["--rubric", str(rubric), "--json", str(tmp_path / "out.json")]
    done = CliRunner().invoke(main, ["grade", *map(str, files), *options])
    assert done.exit_code == 1
    result = without_seconds(tmp_path / "out.json")
    assert sorted(each["points"] for each in result["submissions"]) == [0.0, 1.0]
    assert len({each["id"] for each in result["submissions"]}) == 2
    (other,) = {each["id"] for each in result["submissions"]} - {"entrega"}
    assert f"{other}: entrega.py  " in done.output
    assert all(str(file) in done.output.replace("\n", "").replace(" ", "") for file in files)


@pytest.mark.thorough
@needs_sandbox
@pytest.mark.parametrize("where", ["| head -n 1", "> /dev/full", ">&-"])
def test_the_record_is_written_though_nobody_reads_what_is_printed(where, tmp_path):
    """Of several files too: hours of marking are not lost for a terminal."""
    for name in ("ana.py", "luis.py"):
        (tmp_path / name).write_text(HALF)
    (tmp_path / "rubric.toml").write_text(
        'schema = 1\nname = "Una"\nonly ='
        ' ["classify_outputs"]\n[functions.classify_outputs]\npoints = 1\n'
    )
    command = (
        f"{sys.executable} -m practica grade ana.py luis.py --rubric rubric.toml --json out.json"
        f" {where}"
    )
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    assert [each["points"] for each in without_seconds(tmp_path / "out.json")["submissions"]] == [
        0.0,
        0.0,
    ]


@needs_sandbox
def test_a_notebook_in_julia_is_for_a_person_and_has_no_mark(run):
    """As a file of Julia has none; whoever checks it reads why, too."""
    Path("entregas").mkdir()
    Path("entregas/ana.ipynb").write_bytes(notebook("accuracy(x) = mean(x)", language="julia"))
    Path("entregas/luis.py").write_text(HALF)
    done = run("grade", "entregas", "--rubric", "rubric.toml", "--lang", "en", "--out", "notas")
    assert done.exit_code == 1
    said = "ana: ana.ipynb is a notebook in julia, and only Python can be marked."
    assert said in Path("notas/exceptions.txt").read_text(encoding="utf-8").splitlines()[1]
    assert said in done.output
    (row,) = [
        line
        for line in Path("notas/grades.csv").read_text().splitlines()
        if line.startswith("ana,")
    ]
    assert row.split(",")[4:7] == ["no_file", "", ""]
    checked = run("check", "entregas/ana.ipynb", "--lang", "en")
    assert checked.exit_code == 2
    assert "ana.ipynb is a notebook in julia, and what is handed in is in Python." in checked.output


def test_without_a_sandbox_nothing_runs_unless_asked_for(run, monkeypatch):
    """The refusal says how to mend it, and the result of --no-sandbox that there was none."""

    class NoSandbox(batch.Sandbox):
        def __init__(self, level="auto"):
            if level == "auto":
                raise SandboxError(
                    "no sandbox works on this machine:\nfull: bubblewrap is not installed"
                )
            super().__init__(level)

    monkeypatch.setattr("practica.grading.classroom.marker.Sandbox", NoSandbox)
    refused = run("grade", "entrega.py", "--rubric", "rubric.toml")
    assert refused.exit_code == 2
    assert "bubblewrap is not installed" in refused.output
    assert "--no-sandbox" in refused.output
    done = run(
        "grade", "entrega.py", "--rubric", "rubric.toml", "--no-sandbox", "--json", "out.json"
    )
    assert done.exit_code == 1
    assert "sin aislamiento" in done.output
    assert without_seconds(Path("out.json"))["sandbox"] == "none"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["grade"], "Missing argument"),
        (["grade", "nowhere.py"], "does not exist"),
        (["grade", "entrega.py", "--rubric", "entrega.py"], "line 2"),
        (
            ["grade", "entrega.py", "--rubric", "rubric.toml", "--json", "entrega.py"],
            "another name",
        ),
        (
            ["grade", "entrega.py", "--rubric", "rubric.toml", "--json", "rubric.toml"],
            "another name",
        ),
        (
            [
                "grade",
                "entrega.py",
                "--rubric",
                "rubric.toml",
                "--out",
                "o",
                "--worksheet",
                "w.csv",
                "--json",
                "w.csv",
            ],
            "another name",
        ),
        (["grade", "w.csv", "--rubric", "rubric.toml"], "w.csv: no hay ninguna entrega"),
        (["grade", ".", "--rubric", "rubric.toml", "--out", "notas"], "notas está en ."),
        (["grade", "entrega.py", "--out", ""], "the name of the folder is empty"),
        (["report", "w.csv", "--out", ""], "the name of the folder is empty"),
        (["check", "nowhere.py"], "No hay ningún fichero nowhere.py"),
    ],
)
def test_what_cannot_be_done_ends_with_a_sentence_and_code_2(arguments, sentence, run):
    """And leaves the files as they are."""
    Path("w.csv").write_text(SHEET)
    done = run(*arguments)
    assert done.exit_code == 2
    assert sentence in done.output
    assert (Path("entrega.py").read_text(), Path("w.csv").read_text()) == (HALF, SHEET)
    assert not Path("o").exists()
    assert not Path("notas").exists()


@needs_sandbox
def test_a_defect_of_a_check_gives_no_mark_and_code_2(run, monkeypatch, caplog):
    """It is never the student's fault."""
    checks = small_checks()
    broken = Check("hold_out.broken", "hold_out", "hold_out", lambda solution: [][0])
    monkeypatch.setattr(
        "practica.grading.engine.grade.load_checks", lambda: {**checks, broken.id: broken}
    )
    done = run("grade", "entrega.py", "--rubric", "rubric.toml", "--json", "out.json")
    assert done.exit_code == 2
    assert "El corrector ha fallado" in done.output
    assert without_seconds(Path("out.json"))["submissions"][0]["points"] is None


@pytest.mark.usefixtures("own_cache")
class TestCheck:
    """The student's own command, with the real checks."""

    def check(self, tmp_path, source: str, *options: str) -> tuple[int, str]:
        """Run it on a source."""
        file = tmp_path / "entrega.py"
        file.write_text(source, encoding="utf-8")
        done = CliRunner().invoke(main, ["check", str(file), *options])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, done.output

    def test_an_empty_file_is_told_what_to_write_first(self, tmp_path):
        """The first function of the practice, with its header."""
        code, output = self.check(tmp_path, "")
        assert code == 1
        assert "Se puede empezar por one_hot_encoding" in output
        assert "one_hot_encoding(feature, classes)" in output

    def test_a_wrong_function_comes_with_its_smallest_example_and_what_is_next(self, tmp_path):
        """And how to repeat it."""
        source = (
            "import numpy as np\ndef accuracy(outputs, targets, *, threshold=0.5):\n    return"
            " 0.5\n"
        )
        code, output = self.check(tmp_path, source)
        assert code == 1
        assert re.search(r"accuracy\(np.array\(\[(True|False)\]\), np.array\(\[\w+\]\)\)", output)
        assert re.search(r"obtenido +0.5\n +esperado +[01]", output)
        assert "ejemplo.py accuracy" in output
        assert "La siguiente es one_hot_encoding" in output
        assert "Atención" not in output

    def test_a_syntax_error_is_told_with_its_line(self, tmp_path):
        """Nothing runs."""
        code, output = self.check(tmp_path, "import numpy as np\n\ndef f(:\n    pass\n")
        assert code == 1
        assert "línea 3" in output

    @pytest.mark.slow
    def test_what_the_file_prints_and_reads_does_not_get_between_the_sentences(self, tmp_path):
        """Nor does a file that ends its process end the checks."""
        source = (
            "print('hola')\nimport os\nos.write(1, b'hola')\ndef accuracy(outputs, targets, *,"
            " threshold=0.5):\n"
        )
        code, output = self.check(tmp_path, source + "    print('hola')\n    os._exit(0)\n")
        assert code == 1
        assert "hola" not in output
        assert "El proceso ha terminado" in output

    @pytest.mark.slow
    def test_what_lies_beside_the_file_can_be_imported(self, tmp_path):
        """It is the student's own machine."""
        (tmp_path / "mis_datos.py").write_text("half = 0.5\n")
        code, output = self.check(
            tmp_path,
            "from mis_datos import half\ndef accuracy(outputs, targets, *, threshold=half): return"
            " half\n",
        )
        assert code == 1
        assert "accuracy(" in output
        assert "No module named" not in output

    @pytest.mark.slow
    def test_an_endless_loop_costs_its_checks_and_no_more(self, tmp_path, monkeypatch):
        """The clock is outside."""
        from practica.grading.sandbox import local

        monkeypatch.setattr(local, "patient", lambda: local.Limits(call_seconds=0.5))
        source = "def accuracy(outputs, targets, *, threshold=0.5):\n    while True: pass\n"
        source += "def hold_out(N, *P):\n    return 1\n"
        code, output = self.check(tmp_path, source, "--lang", "en")
        assert code == 1
        assert "does not end: when its time ran out, it was still in the loop on line 2." in output
        assert "hold_out(" in output
