"""What `practica check` takes, and what it leaves behind."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from lanes import one_in
from rich.console import Console

from practica.cli import main
from practica.grading.engine.result import CheckResult, FunctionResult, SubmissionResult
from practica.grading.report.result_table import print_sentences
from practica.grading.sandbox import local
from practica.grading.sandbox.cpu_accounting import pace
from practica.grading.student.example_file import with_examples_beside

ROOT = Path(__file__).parents[3]
TRAINING = ("train_class_ann", 203, "crossvalidation")
WRONG = "def accuracy(outputs, targets, *, threshold=0.5):\n    return 0.5\n"
BROKEN = "def accuracy(outputs, targets, *, threshold=0.5):\n    return 1 / 0\n"


@pytest.fixture
def check(tmp_path, monkeypatch, own_cache):
    """Run it in a folder, and return the exit code and the output."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        done = CliRunner().invoke(main, ["check", *arguments])
        return done.exit_code, done.output

    return run


def notebook(*cells: str) -> str:
    """Make a notebook of cells of code."""
    written = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in cells
    ]
    return json.dumps({"cells": written, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


ENDLESS = """import numpy as np

def accuracy(outputs, targets, *, threshold=0.5):
    right = 0
    while right < len(targets):
        pass
    return right

def calculate_min_max_normalization_parameters(dataset):
    return np.min(dataset, axis=0, keepdims=True), np.max(dataset, axis=0, keepdims=True)
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("source", "function", "line", "other"),
    [
        (ENDLESS, "accuracy", 5, "calculate_min_max_normalization_parameters"),
        (
            (ROOT / "enunciado/profesorado/solucion.py")
            .read_text()
            .replace("        ciclo += 1\n", ""),
            *TRAINING,
        ),
    ],
    ids=["accuracy", "train_class_ann"],
)
@pytest.mark.usefixtures("own_cache")
def test_a_call_that_does_not_end_is_told_within_seconds(tmp_path, source, function, line, other):
    """With the loop, once, and the other function goes on.

    There is no line of progress outside a terminal.
    """
    (tmp_path / "solucion.py").write_text(source)
    before = os.times()
    command = [sys.executable, "-m", "practica", "check", "solucion.py", function, other]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False
    )
    after = os.times()
    seconds = (
        after.children_user + after.children_system - before.children_user - before.children_system
    )
    # ten for the two starts of Python and torch; 78 if it is waited for twice
    assert seconds < 50 * max(1.0, pace())
    assert done.returncode == 1
    assert (
        f"no termina: al agotarse su tiempo seguía en el bucle de la línea {line}." in done.stdout
    )
    assert re.search(rf"bien +{other}", done.stdout)
    assert "Probando" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("lang", "sentence"), [("es", "Ha fallado practica"), ("en", "practica itself has failed")]
)
def test_what_is_missing_of_ours_is_one_sentence_and_no_wrong_answer(tmp_path, lang, sentence):
    """A package that was not installed: no traceback, and another exit code than that of a
    mistake.
    """
    (tmp_path / "solucion.py").write_text(WRONG)
    without = tmp_path / "without"
    without.mkdir()
    (without / "msgspec.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'msgspec'\")\n"
    )
    command = [sys.executable, "-m", "practica", "check", "solucion.py", "--lang", lang]
    environment = {**os.environ, "PYTHONPATH": str(without), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert sentence in line
    assert "ModuleNotFoundError: No module named 'msgspec'" in line


def test_a_check_that_breaks_is_one_sentence_and_no_wrong_answer(check, tmp_path, monkeypatch):
    """An error of ours in the middle of a check; the file is not blamed."""
    (tmp_path / "solucion.py").write_text(WRONG)
    monkeypatch.setattr("practica.grading.engine.runner.known_examples", lambda *_: 1 / 0)
    code, output = check("solucion.py", "accuracy")
    assert code == 2
    assert "ZeroDivisionError" in output
    assert "Traceback" not in output


@pytest.mark.thorough
@pytest.mark.usefixtures("own_cache")
def test_a_terminal_shows_what_is_being_tried(tmp_path):
    """While it is tried; the line is gone afterwards."""
    (tmp_path / "solucion.py").write_text(ENDLESS)
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "practica", "check", "solucion.py", "accuracy"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while part := os.read(ours, 1 << 16):
                shown += part
    os.close(ours)
    assert process.returncode == 1
    before, _, after = shown.decode().partition("no termina")
    assert "Probando accuracy" in before
    assert "Probando" not in after


@pytest.mark.slow
def test_without_a_file_it_is_the_one_of_the_practice(check, tmp_path):
    """And a second run, of which everything is known, says the same."""
    (tmp_path / "solucion.py").write_text(WRONG)
    code, output = check()
    assert code == 1
    assert "0.00 falla  accuracy" in output
    assert check() == (code, output)
    assert sorted(os.listdir(tmp_path)) == ["ejemplo.py", "solucion.py"]


def test_a_notebook_is_told_by_its_cells(check, tmp_path):
    """The only one of the folder needs no name."""
    (tmp_path / "cuaderno.ipynb").write_text(
        notebook("import numpy as np", f"# accuracy\n{BROKEN}")
    )
    code, output = check()
    assert code == 1
    assert "línea 3 de la celda 2" in output
    assert "en una celda nueva" in output
    assert "python" not in output


@pytest.mark.slow
def test_what_the_code_prints_is_shown(check, tmp_path):
    """Its first lines, below the failing example; the others not."""
    printing = "".join(f"    print('línea', {number})\n" for number in range(9))
    (tmp_path / "solucion.py").write_text(
        WRONG.replace("    return", f"{printing}    return"), encoding="utf-8"
    )
    _, output = check()
    assert "Lo que escribe tu código:\n      línea 0\n      línea 1\n      línea 2\n" in output
    assert "línea 3" not in output


@pytest.mark.thorough
def test_the_metric_is_named_in_the_language_that_was_chosen(check, tmp_path):
    """With its place among the returned values; errors are in the same language."""
    (tmp_path / "solucion.py").write_text(
        "def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):\n"
        "    return 0.1, 0.9, 0.3, 0.4, 0.5, 0.6, 0.7, [[1, 2], [3, 4]]\n"
    )
    assert "(1.º de los siete valores)" in check()[1]
    assert "accuracy (1st of the seven values)" in check("--lang", "en")[1]
    assert "has no function acuracy" in check("solucion.py", "acuracy", "--lang", "en")[1]
    assert "siete valores" in check("--lang", "es")[1]


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["es", "en"])
def test_what_a_file_cannot_count_on_where_it_is_marked_is_told(check, tmp_path, lang):
    """Packages that may not be there, also if they are here; other files of the student's; commands
    of notebooks.
    """
    (tmp_path / "utils.py").write_text("K = 0.5\n")
    imports = (
        "!pip install seaborn\nimport click, numpy as np\nfrom google.colab import drive\nfrom"
        " utils import K\n"
    )
    trials = "%matplotlib inline\nimport os, pandas as pd, os.path\ndrive.mount('/content/drive')\n"
    (tmp_path / "solucion.py").write_text(
        imports + trials + WRONG.replace("return 0.5", "return K")
    )
    code, output = check("accuracy", "--lang", lang)
    warnings = [line for line in output.splitlines() if line.startswith(("Aviso", "Warning"))]
    assert code == 1
    assert [line.split(": ")[2].partition(".")[0] for line in warnings] == [
        "1, 5",
        "4 (utils)",
        "2 (click), 3 (google)",
    ]
    assert "accuracy(" in output  # and it was checked


def test_a_file_that_imports_what_is_always_there_is_told_nothing(check, tmp_path):
    """The standard library, the packages of the statement, and what is written in a text."""
    imports = (
        "import os.path, numpy.linalg, joblib\nfrom sklearn import svm\nfrom scipy import stats\nX"
        " = 'import y'\n"
    )
    (tmp_path / "solucion.py").write_text(imports + WRONG)
    assert "Aviso" not in check("accuracy")[1]


def test_a_package_that_is_missing_is_told_by_the_function_that_needs_it(check, tmp_path):
    """As where it is marked: no traceback, and no mark."""
    (tmp_path / "solucion.py").write_text(
        "import no_hay\n" + WRONG.replace("return 0.5", "return no_hay.look()")
    )
    code, output = check("accuracy")
    assert code == 1
    assert "accuracy necesita el módulo no_hay (línea 3), que no está instalado aquí" in " ".join(
        output.split()
    )


def test_a_folder_without_either_asks_which(check, tmp_path):
    """There may be several notebooks."""
    (tmp_path / "a.ipynb").write_text(notebook())
    (tmp_path / "b.ipynb").write_text(notebook())
    code, output = check("--lang", "en")
    assert code == 2
    assert "2 notebooks" in output


def test_a_file_that_is_not_there_is_told_so(check):
    """In the language asked for."""
    code, output = check("entrega.py", "--lang", "en")
    assert code == 2
    assert output.strip() == "Error: There is no file entrega.py."


def test_a_notebook_that_cannot_be_read_is_told_by_its_name(check, tmp_path):
    """In the language of the folder."""
    (tmp_path / "n.ipynb").write_text("{")
    code, output = check("n.ipynb")
    assert code == 2
    assert output.startswith("Error: n.ipynb no se puede leer como cuaderno (")


@pytest.mark.parametrize("beside", ["numpy.py", "random.py", "numpy"])
def test_a_file_with_the_name_of_a_library_has_to_be_renamed(check, tmp_path, beside):
    """What it holds is never what the submission means."""
    place = tmp_path / beside
    place.write_text("") if place.suffix else place.mkdir()
    (tmp_path / "solucion.py").write_text(f"import numpy as np, random\n{WRONG}")
    output = check("accuracy", "--lang", "en")[1]
    (warning,) = (line for line in output.splitlines() if line.startswith("Warning"))
    assert f"1 ({place.stem})" in warning
    assert "Rename it: it hides the library" in warning


def test_only_some_functions(check, tmp_path):
    """Then there is no mark."""
    (tmp_path / "solucion.py").write_text(
        f"{WRONG}def hold_out(N, P, Q=None):\n    return [], []\n"
    )
    code, output = check("accuracy")
    assert code == 1
    assert "accuracy" in output
    assert "hold_out" not in output
    assert "2.50" not in output


@pytest.mark.thorough
def test_what_other_functions_may_not_use_has_its_name_where_it_is_used(check, tmp_path):
    """BatchNorm is forbidden to the functions that normalize, which share a process with this
    one.
    """
    (tmp_path / "solucion.py").write_text("""from torch import nn


def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
    capas = []
    for neuronas in topology:
        capas += [nn.Linear(numInputs, neuronas), nn.BatchNorm1d(neuronas), nn.Sigmoid()]
        numInputs = neuronas
    ultima = nn.Sigmoid() if numOutputs == 1 else nn.Softmax(1)
    return nn.Sequential(*capas, nn.Linear(numInputs, numOutputs), ultima)
""")
    assert "como BatchNorm" in " ".join(check("build_class_ann")[1].split())


@pytest.mark.parametrize(
    ("loose", "words"),
    one_in(
        4,
        [
            ("print(accuracy([], []) / 0)", "ZeroDivisionError"),
            ("name = input()", "que aquí no funciona"),
            ("open('iris.csv')", "fichero de datos"),
            ("while True: pass", "no termina"),
        ],
    ),
)
def test_a_file_that_stops_half_way_is_checked_up_to_there(
    check, tmp_path, monkeypatch, loose, words
):
    """It says first where, why and what to do, the second time too, and asks nobody to write what
    stands behind.
    """
    fast = replace(local.patient(), statement_seconds=1.0)
    monkeypatch.setattr(local, "patient", lambda: fast)
    (tmp_path / "solucion.py").write_text(
        f"{WRONG}\n{loose}\n\ndef hold_out(N, P):\n    return P\n"
    )
    code, output = check()
    assert code == 1
    told, *rest = output.splitlines()
    assert told.startswith(f"línea 4: Al importar el fichero, «{loose}»")
    assert words in told
    assert '__name__ == "__main__"' in told
    assert rest[0] == "0.00 falla  accuracy"
    assert "hold_out" in output
    assert "def hold_out" not in output
    assert check() == (code, output)


def test_what_is_told_to_be_typed_can_be_typed(check, tmp_path):
    """A name with a blank is in quotes, and in a notebook one writes a cell."""
    (tmp_path / "mi práctica.py").write_text(WRONG)
    assert "python ejemplo.py accuracy" in check("mi práctica.py", "accuracy")[1]
    cells = [{"cell_type": "code", "source": WRONG}]
    (tmp_path / "p.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}))
    _, output = check("p.ipynb", "accuracy")
    assert "celda nueva" in output
    assert "python" not in output


@pytest.mark.parametrize(
    ("functions", "told"),
    [
        (["accuracy"], "Falta por escribir: accuracy."),
        (["hold_out", "accuracy"], "Faltan por escribir: accuracy, hold_out."),
    ],
)
def test_functions_that_are_still_to_be_written_are_named(functions, told, check, tmp_path):
    """Those that were asked for; the body of one may be begun as the template has it."""
    (tmp_path / "solucion.py").write_text("def hold_out(N, P, Ptest=None):\n    ...\n")
    code, output = check("solucion.py", *functions)
    assert code == 1
    assert told in output


def test_what_python_cannot_read_is_said_once(check, tmp_path):
    """With the status, and not again for all functions."""
    (tmp_path / "solucion.py").write_text("x = 0,01\n")
    _, output = check("solucion.py")
    assert output.count("en Python se escribe 0.01") == 1


def test_a_function_that_there_is_not_is_refused(check, tmp_path):
    """With the one that was meant."""
    (tmp_path / "solucion.py").write_text(WRONG)
    code, output = check("solucion.py", "acuracy")
    assert code == 2
    assert "ninguna función acuracy; prueba con accuracy." in output


def with_call(call: str) -> SubmissionResult:
    """Make a marked file with one counterexample."""
    message = {"function": "accuracy", "error": "ValueError: x", "line": "3", "call": "accuracy(…)"}
    check = CheckResult("accuracy.value", "fail", "any.raises", message, {"call": call})
    function = FunctionResult("accuracy", "accuracy", 1, 0.0, 0.2, "fail", (), (check,))
    return SubmissionResult("a", "a.py", "", "graded", None, 0.0, 0.2, functions=(function,))


@pytest.mark.parametrize("name", one_in(3, ["práctica 1 {x}.py", "solucion.py", "class.py"]))
def test_an_example_goes_to_a_file_that_runs(tmp_path, name):
    """And is removed when there is none any more."""
    file = tmp_path / name
    file.write_text("def accuracy(x):\n    return sum(x)\n")
    (told,) = with_examples_beside(with_call("accuracy([1, 2])"), file).functions[0].checks
    assert told.counterexample["file"] == str(tmp_path / "ejemplo.py")
    assert repeated(tmp_path, "accuracy").endswith("obtenido  3\n")
    for call in "", "accuracy(<ann>)":  # what is no Python would spoil the others
        assert with_examples_beside(with_call(call), file) == with_call(call)
        assert os.listdir(tmp_path) == [name]


@pytest.mark.thorough
def test_an_example_has_the_name_of_its_function_too(tmp_path):
    """One function may have several rows, each with its own example."""
    file = tmp_path / "solucion.py"
    file.write_text("def accuracy(x):\n    return sum(x)\n")
    marked = with_call("accuracy([1, 2])")
    (function,) = marked.functions
    with_examples_beside(replace(marked, functions=(replace(function, name="accuracy_two"),)), file)
    assert repeated(tmp_path, "accuracy") == repeated(tmp_path, "accuracy_two") != ""


def repeated(folder: Path, *functions: str) -> str:
    """Run the examples of a folder as its student does."""
    command = [sys.executable, "-B", "ejemplo.py", *functions]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    return done.stdout


# Each fails in a network that begins at random; the last one keeps a generator of its own, and
# draws from a new one.
DRAWING = """
import copy
import numpy as np
import torch
from torch import nn

chance = np.random.default_rng()


class Applied(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def train_class_ann(topology, trainingDataset, *, validationDataset=None, testDataset=None,
                    transferFunctions=None, maxEpochs=1000, minLoss=0.0, learningRate=0.01,
                    maxEpochsVal=20):
    sets = [
        None if each is None else (
            torch.tensor(each[0], dtype=torch.float32),
            torch.tensor(each[1], dtype=torch.float32).reshape(len(each[0]), -1),
        )
        for each in (trainingDataset, validationDataset, testDataset)
    ]
    layers, sizes = [], [sets[0][0].shape[1], *topology, sets[0][1].shape[1]]
    functions = [*(transferFunctions or [torch.sigmoid] * len(topology))]
    functions.append(torch.sigmoid if sizes[-1] == 1 else nn.Softmax(dim=1))
    for one, other, function in zip(sizes, sizes[1:], functions):
        layers += [nn.Linear(one, other), Applied(function)]
    ann = nn.Sequential(*layers)
    optimiser = torch.optim.Adam(ann.parameters(), lr=learningRate)

    def loss(inputs, targets):
        p = ann(inputs)
        if targets.shape[1] == 1:
            return nn.functional.binary_cross_entropy(p, targets)
        return -(targets * torch.log(p + 1e-7)).sum(dim=1).mean()

    losses = [[], [], []]
    for epoch in range(maxEpochs + 1):
        for vector, each in zip(losses, sets):
            if each is not None:
                vector.append(loss(*each).item())
        if epoch < maxEpochs and losses[0][-1] > minLoss:
            loss(*sets[0]).backward()
            optimiser.step()
        else:
            break
    return ann, *losses


def hold_out(N, P, Ptest=None):
    order = chance.permutation(N) + np.random.default_rng().integers(2)
    test = round(N * (P if Ptest is None else Ptest))
    if Ptest is None:
        return order[test:], order[:test]
    end = test + round(N * P)
    return order[end:], order[test:end], order[:test]
"""


@pytest.mark.thorough
def test_a_repeated_example_gives_what_was_told(check, tmp_path):
    """To the last digit, where weights and patterns are drawn."""
    (tmp_path / "solucion.py").write_text(DRAWING)
    _, output = check("train_class_ann", "hold_out")
    shown = repeated(tmp_path)
    told = re.findall(r"obtenido .*|esperado .*", output)
    assert len(told) == 4
    assert re.findall(r"obtenido .*|esperado .*", shown) == told


@pytest.mark.thorough
def test_a_long_call_stands_below_its_sentence(check, tmp_path):
    """Where it would hide what is said of it."""
    (tmp_path / "solucion.py").write_text(
        "def train_class_ann(topology, data, **options):\n    return 1\n"
    )
    _, output = check("train_class_ann")
    assert "train_class_ann(…) debe devolver cuatro valores" in output
    assert "python ejemplo.py train_class_ann" in output


def test_a_file_of_the_students_own_is_left_alone(tmp_path):
    """Whatever it is called."""
    mine = tmp_path / "ejemplo.py"
    mine.write_text("mine")
    submission = with_call("accuracy([1])")
    assert with_examples_beside(submission, tmp_path / "solucion.py") == submission
    assert mine.read_text() == "mine"


def test_sentences_are_wrapped_to_a_terminal(tmp_path):
    """Between words and set in, with an empty line before each function; in a pipe too."""
    said = io.StringIO()
    console = Console(file=said, force_terminal=True, width=60, color_system=None)
    submission = with_call("accuracy(" + ", ".join(["1"] * 40) + ")")
    print_sentences(submission, console=console)
    lines = said.getvalue().splitlines()
    assert lines[:2] == ["", "accuracy"]
    assert max(len(line) for line in lines if "1, 1" not in line) <= 60
    redirected = io.StringIO()
    print_sentences(submission, console=Console(file=redirected, width=60))
    assert redirected.getvalue().splitlines() == lines


@pytest.mark.slow
def test_a_package_that_marking_has_is_missing_here_with_the_line_to_type(
    check, tmp_path, monkeypatch
):
    """The kit does not bring pandas unless it is asked for."""
    (tmp_path / "solucion.py").write_text(
        "import no_hay_pandas as pd\n" + WRONG.replace("return 0.5", "return pd.mean(outputs)")
    )
    monkeypatch.setattr("practica.grading.student.check.AVAILABLE", ("no_hay_pandas",))
    assert "python -m pip install no_hay_pandas" in check("accuracy")[1]
