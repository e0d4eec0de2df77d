"""The zip for Gradescope, unpacked as its containers lay it out, and run there.

What Gradescope reads has its fields, a test per function, and no mark where the grader failed.
"""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from moodle_files import MODEL, submission
from run_in_gradescope import gradescope

ROOT = Path(__file__).parents[1]
TOP = {
    "score",
    "execution_time",
    "output",
    "output_format",
    "visibility",
    "stdout_visibility",
    "tests",
}
TEST = {
    "score",
    "max_score",
    "status",
    "name",
    "number",
    "output",
    "output_format",
    "tags",
    "visibility",
}
WRONG = b"def accuracy(outputs, targets, *, threshold=0.5):\n    return 0.5\n"


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> Path:
    """Return a folder like /autograder, with the zip in source/, as it is when the image has been
    built.
    """
    folder = tmp_path_factory.mktemp("autograder")
    (folder / "mine.toml").write_text('only = ["accuracy"]\n', encoding="utf-8")
    command = [
        sys.executable,
        ROOT / "scripts/build_autograder.py",
        "--out",
        folder / "a.zip",
        "--lang",
        "en",
    ]
    subprocess.run([*command, "--rubric", folder / "mine.toml"], check=True, capture_output=True)
    for name in ("source", "results", "submission"):
        (folder / name).mkdir()
    with zipfile.ZipFile(folder / "a.zip") as archive:
        archive.extractall(folder / "source")
    (folder / "run_autograder").write_bytes((folder / "source/run_autograder").read_bytes())
    python = folder / "source/venv/bin/python"  # the environment that setup.sh makes takes minutes
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    for program in (python, folder / "run_autograder"):
        program.chmod(0o755)
    return folder


def marked(base: Path, files: dict[str, bytes]) -> dict:
    """Run it on a submission with these files."""
    subprocess.run(["find", base / "submission", "-mindepth", "1", "-delete"], check=True)
    (base / "results/results.json").unlink(missing_ok=True)
    for name, content in files.items():
        (base / "submission" / name).parent.mkdir(parents=True, exist_ok=True)
        (base / "submission" / name).write_bytes(content)
    subprocess.run([base / "run_autograder"], cwd="/", check=True, capture_output=True)
    return json.loads((base / "results/results.json").read_text(encoding="utf-8"))


def test_the_zip_has_what_gradescope_looks_for(base):
    """Both programs at the top, which may be run, and one wheel."""
    with zipfile.ZipFile(base / "a.zip") as archive:
        infos = {info.filename: info.external_attr >> 16 & 0o777 for info in archive.infolist()}
    assert infos["setup.sh"] == infos["run_autograder"] == 0o755
    assert len([name for name in infos if name.endswith(".whl")]) == 1
    assert subprocess.run(["bash", "-n", base / "source/setup.sh"], check=False).returncode == 0


@pytest.mark.thorough
@pytest.mark.parametrize(("source", "score"), [(MODEL, 0.2), (WRONG, 0.0)])
def test_a_submission_gets_its_points(base, source, score):
    """With the rubric that was built in, and in its language.

    Files beside it are no other student's.
    """
    told = marked(base, {"solucion.py": source, "util.py": b"x = 1\n", "datos/a.csv": b"1\n"})
    assert told["score"] == score
    (test,) = told["tests"]
    assert (test["name"], test["score"], test["status"]) == (
        "accuracy",
        score,
        "passed" if score else "failed",
    )
    assert ("What can be seen" in test["output"]) == (score == 0)  # in English


def test_a_submission_without_code_is_an_error_with_its_reason(base):
    """Gradescope shows it; a score of 0 would be a mark."""
    told = marked(base, {"memoria.pdf": b"%PDF"})
    assert "score" not in told
    assert "there is no Python file and no notebook, but memoria.pdf" in told["output"]


def test_the_fields_are_those_of_gradescope():
    """All of them, with the values that it knows."""
    results = gradescope(submission(), "es")
    assert set(results) == TOP
    assert {frozenset(test) for test in results["tests"]} == {frozenset(TEST)}
    assert {test["status"] for test in results["tests"]} == {"passed", "failed"}
    assert all(isinstance(tag, str) for test in results["tests"] for tag in test["tags"])
    assert isinstance(results["execution_time"], float)


def test_the_score_is_that_of_the_tests_and_nothing_is_hidden():
    """A hidden test would hide the total."""
    results = gradescope(submission(), "es")
    assert results["score"] == sum(test["score"] for test in results["tests"]) == 0.25
    assert {results["visibility"], *(test["visibility"] for test in results["tests"])} == {
        "visible"
    }
    assert [test["number"] for test in results["tests"]] == ["1", "2", "3", "4", "5"]
    assert [test["status"] for test in results["tests"]] == ["passed"] + 4 * ["failed"]


@pytest.mark.parametrize("lang", ["es", "en"])
def test_every_test_says_something(lang):
    """Right or wrong."""
    assert all(test["output"] for test in gradescope(submission(), lang)["tests"])


def test_where_the_grader_failed_there_is_no_score():
    """Gradescope shows an error of the autograder then, not a 0."""
    results = gradescope(submission(status="grader_error"), "es")
    assert "score" not in results
    assert results["tests"] == []
    assert results["output"]


def test_what_could_not_run_has_its_reason():
    """And its points."""
    results = gradescope(submission(status="not_run", points=0.0), "es")
    assert results["score"] == 0.0
    assert "<mal>" in results["output"]


def test_an_assignment_that_is_not_whole_is_not_built_in(tmp_path):
    """The sentence says what is missing."""
    command = [
        sys.executable,
        ROOT / "scripts/build_autograder.py",
        "--assignment",
        tmp_path,
        "--out",
        tmp_path / "a",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "is no assignment: it has no rubric.toml" in done.stderr
