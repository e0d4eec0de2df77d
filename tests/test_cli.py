"""The commands as a user types them, in a process of their own where that matters."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import practica
from practica.cli import main

TINY = ["--folds", "3", "--executions", "2", "--epochs", "3", "--topology", "3"]


@pytest.fixture
def run():
    """Run the command line in this process."""

    def invoke(*arguments: str):
        return CliRunner().invoke(main, [*map(str, arguments)])

    return invoke


@pytest.fixture
def flowers(tmp_path) -> Path:
    """Write a table of 24 patterns, two numeric attributes, a categorical one and two classes."""
    rows = [
        f"{i % 7},{i * 0.1:.1f},{'red' if i % 3 else 'blue'},{'rose' if i % 2 else 'daisy'}"
        for i in range(24)
    ]
    path = tmp_path / "flowers.csv"
    path.write_text("\n".join(["petals,height,colour,kind", *rows, ""]))
    return path


def practica_process(*arguments: str, **options) -> subprocess.Popen:
    """Start the command line as `python -m practica`."""
    return subprocess.Popen(
        [sys.executable, "-m", "practica", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        **options,
    )


def without_times(output: str) -> list[str]:
    """Leave out the row of the times, the only one that may differ."""
    return [line for line in output.splitlines() if line.split()[:1] != ["time"]]


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["demo", "--help"], ["cv", "--help"], ["compare", "--help"], ["--version"], []],
)
def test_help_and_version_load_none_of_the_large_libraries(arguments):
    """So they open at once."""
    program = (
        f"import sys\nfrom practica.cli import main\ntry:\n    main({arguments!r},"
        " prog_name='practica')\nfinally:\n    print('loaded:', *sys.modules.keys() & {'torch',"
        " 'sklearn', 'pandas', 'rich', 'numpy'})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1].split() == ["loaded:"]
    assert "Traceback" not in done.stderr


def test_the_help_names_the_commands(run):
    """With a line for each."""
    shown = run("--help").output
    assert re.search(r"^  cv +\S", shown, flags=re.MULTILINE)
    assert re.search(r"^  demo +\S", shown, flags=re.MULTILINE)


def test_the_version_is_that_of_the_package(run):
    """Printed on its own."""
    assert run("--version").output == f"practica, version {practica.__version__}\n"


def test_the_network_options_default_to_the_statement(run):
    """1000 epochs, 20 without improvement, a step of 0.01; 50 networks per fold."""
    shown = re.sub(r"\s+", " ", run("cv", "--help").output)
    for name, default in [
        ("maxEpochs", 1000),
        ("maxEpochsVal", 20),
        ("learningRate", 0.01),
        ("numExecutions", 50),
    ]:
        assert re.search(rf"\({name}\)\. \[default: {default}[;\]]", shown), name


def test_demo_prints_a_table_for_each_data_set(run):
    """Both with all models and all metrics."""
    done = run("demo", *TINY)
    assert done.exit_code == 0, done.output
    assert "Iris: 150 patterns, 4 attributes, 3 classes" in done.stdout
    assert "Breast cancer: 569 patterns, 30 attributes, 2 classes" in done.stdout
    for word in (
        "accuracy",
        "errorRate",
        "recall",
        "specificity",
        "PPV",
        "NPV",
        "F1",
        "network 3",
        "kNN",
        "SVM",
        "tree",
    ):
        assert done.stdout.count(word) >= 2, word
    assert done.stderr == ""


def test_the_same_seed_prints_the_same_table_and_another_one_does_not(run):
    """Folds, hold-outs and weights all come from it."""
    first, again, other = (
        without_times(run("demo", *TINY, "--seed", seed).stdout) for seed in (5, 5, 6)
    )
    assert first == again
    assert [line for line in first if "seed" not in line] != [
        line for line in other if "seed" not in line
    ]


def test_cv_writes_the_same_scores_twice_with_the_same_seed(run, flowers, tmp_path):
    """And the folds, the settings and the classes with them."""
    records = []
    for name in ("first.json", "second.json"):
        done = run("cv", flowers, "--target", "kind", *TINY, "--seed", 4, "--json", tmp_path / name)
        assert done.exit_code == 0, done.output
        record = json.loads((tmp_path / name).read_text(encoding="utf-8"))
        for model in record["models"].values():
            assert model.pop("seconds") > 0
        records.append(record)
    first, second = records
    assert first == second
    assert first["classes"] == ["daisy", "rose"]
    assert first["data"]["attributes"] == ["petals", "height", "colour=blue"]
    assert sorted(set(first["crossValidationIndices"])) == [1, 2, 3]
    assert first["settings"]["random_state"] == 4
    assert first["settings"]["normalization"] == "zeromean"


def test_a_seed_is_drawn_and_shown_where_none_is_given(run, flowers):
    """With it the same table can be had again."""
    options = ["cv", flowers, "--target", "kind", *TINY, "--models", "ann"]
    first = run(*options).stdout
    seed = re.search(r"seed (\d+)", first)[1]
    assert without_times(run(*options, "--seed", seed).stdout) == without_times(first)


def test_models_are_shown_in_the_order_asked_for(run, flowers):
    """Only those."""
    shown = run("cv", flowers, "--target", "kind", *TINY, "--models", "tree,ann,tree").stdout
    assert re.search(r"tree, depth 5 +network 3", shown)
    assert "kNN" not in shown


@pytest.mark.parametrize("normalization", ["minmax", "zeromean", "none"])
def test_every_normalization_runs(run, flowers, normalization):
    """With a network that has no hidden layer."""
    done = run(
        "cv", flowers, "--target", "kind", *TINY, "--topology", "", "--normalize", normalization
    )
    assert done.exit_code == 0, done.output
    assert "linear network" in done.stdout


def test_classes_with_too_few_patterns_are_one_line_on_stderr(run, tmp_path):
    """Not Python's dump of a warning; the table comes all the same."""
    path = tmp_path / "few.csv"
    path.write_text(
        "a,c\n" + "".join(f"{i},{'rare' if i in (3, 8) else 'ab'[i % 2]}\n" for i in range(20))
    )
    done = run("cv", path, "--target", "c", *TINY, "--models", "tree")
    assert done.exit_code == 0
    assert done.stderr.startswith(
        "warning: k=3: too few patterns ('rare' has 2); some folds have none of them to test"
    )
    assert done.stderr.count("\n") == 1
    assert "accuracy" in done.stdout


REFUSED = {
    "unknown column": (
        ["--target", "kin"],
        "flowers.csv has no column 'kin'; did you mean 'kind'?",
    ),
    "unknown model": (
        ["--target", "kind", "--models", "ann,knm"],
        "there is no model 'knm'; did you mean 'knn'?",
    ),
    "no model": (
        ["--target", "kind", "--models", ","],
        "Invalid value for '--models': ',' names nothing",
    ),
    "topology": (
        ["--target", "kind", "--topology", "16,x"],
        "'16,x' is not a list of layer sizes such as 16,8",
    ),
    "empty layer": (
        ["--target", "kind", "--topology", "0"],
        "'0' is not a list of layer sizes such as 16,8",
    ),
    "one fold": (
        ["--target", "kind", "--folds", "1"],
        "Invalid value for '--folds': 1 is not in the range x>=2.",
    ),
    "no patterns to train with": (
        ["--target", "kind", "--folds", "2", "--validation-ratio", "0.6"],
        (
            "validationRatio=0.6 of 24 patterns leaves none of the 12 training patterns of fold 1"
            " to train with"
        ),
    ),
    "unwritable record": (
        ["--target", "kind", "--json", "nowhere/out.json"],
        "nowhere/out.json cannot be written",
    ),
    "no target": ([], "needs --target: the column with the class of each pattern"),
}


@pytest.mark.parametrize(("options", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_done_is_refused_with_one_sentence_and_exit_code_2(
    run, flowers, tmp_path, monkeypatch, options, sentence
):
    """On stderr, without a traceback, and with nothing written."""
    monkeypatch.chdir(tmp_path)
    done = run("cv", flowers, *options)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert isinstance(done.exception, SystemExit)
    assert "accuracy" not in done.stdout
    assert os.listdir(tmp_path) == ["flowers.csv"]


def test_a_file_that_is_not_there_is_refused(run, tmp_path):
    """With the data sets that need no file."""
    done = run("cv", tmp_path / "nothing.csv", "--target", "c")
    assert done.exit_code == 2
    assert "there is no file" in done.stderr
    assert "nothing.csv'; the data sets that need no file are 'iris', " in done.stderr


def test_the_data_is_not_overwritten_by_its_record(run, flowers):
    """A slip of the keyboard costs nothing."""
    before = flowers.read_bytes()
    done = run("cv", flowers, "--target", "kind", *TINY, "--json", flowers)
    assert done.exit_code == 2
    assert "is the file with the data" in done.stderr
    assert flowers.read_bytes() == before


@pytest.mark.slow
def test_what_is_wrong_with_the_data_is_told_before_the_large_libraries_are_loaded(tmp_path):
    """A refusal costs what pandas costs."""
    (tmp_path / "holes.csv").write_text("a,c\n1,x\n,y\n3,x\n")
    arguments = ["cv", str(tmp_path / "holes.csv"), "--target", "c", "--folds", "2"]
    program = (
        f"import sys\nfrom practica.cli import main\ntry:\n    main({arguments!r},"
        " prog_name='practica')\nfinally:\n    print('loaded:', *sys.modules.keys() & {'torch',"
        " 'sklearn', 'scipy', 'joblib'})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert "row 2, column 'a': the value is missing" in done.stderr
    assert done.stdout.split() == ["loaded:"]


@pytest.fixture
def many_flowers(tmp_path) -> Path:
    """Write a table on which an SVM is in C for minutes."""
    path = tmp_path / "flowers.csv"
    path.write_text(
        "a,b,kind\n"
        + "".join(f"{i * 7919 % 10007},{i * 104729 % 99991},{i % 3}\n" for i in range(60_000))
    )
    return path


@pytest.mark.thorough
@pytest.mark.parametrize("model", ["ann", "svm"])
def test_ctrl_c_ends_with_one_sentence_and_exit_code_130(many_flowers, tmp_path, model):
    """In the middle of the training, also where Python itself would not hear it.

    A record half done leaves no trace.
    """
    process = practica_process(
        *["cv", many_flowers, "--target", "kind", "--models", model, "--executions", "100000"],
        *["--validation-ratio", "0", "--json", tmp_path / "out.json"],
    )
    # the heading is printed before the training begins
    while not process.stdout.readline().startswith("10 folds"):
        assert process.poll() is None, process.stderr.read()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.strip() == "Interrupted before the end."
    assert os.listdir(tmp_path) == ["flowers.csv"]


def test_a_terminal_without_the_plus_minus_sign_still_gets_its_table(flowers):
    """The sign is replaced; nothing breaks."""
    arguments = ["cv", flowers, "--target", "kind", *TINY, "--models", "tree"]
    done = CliRunner(charset="ascii").invoke(main, [*map(str, arguments)])
    assert done.exit_code == 0, done.output
    assert re.search(r"accuracy +\| *\d\.\d{3} \? \d\.\d{3}", done.output)
