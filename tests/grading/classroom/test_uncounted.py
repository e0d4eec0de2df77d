"""Functions that a file holds and that do not count: student and instructor read why."""

import json
from html import escape
from pathlib import Path

import pytest
from click.testing import CliRunner
from moodle_files import MODEL, notebook

from practica.cli import main
from practica.grading.sandbox.probe import probe

pytestmark = pytest.mark.skipif(
    probe().level == "none", reason=f"no sandbox works here: {probe().failures}"
)

DEFINITION = "def accuracy(outputs, targets, *, threshold=0.5):\n    return 1.0\n"
RUBRIC = """only = ["accuracy"]
[functions.accuracy]
points = 1
checks = ["accuracy.bool.vector"]
"""
INDENTED = "".join(f"    {line}\n" for line in DEFINITION.splitlines())


def in_a_cell(kind):
    """Return a notebook with the definition in a cell of another type."""
    data = json.loads(notebook("import numpy as np", DEFINITION))
    data["cells"][1]["cell_type"] = kind
    return json.dumps(data).encode()


FILES = {
    "method.py": (f"class Practica:\n{INDENTED}".encode(), "inside another function or a class"),
    "nested.py": (f"def main():\n{INDENTED}".encode(), "inside another function or a class"),
    "guarded.py": (f"if __name__ == '__main__':\n{INDENTED}".encode(), "below if __name__ =="),
    "turned.py": (f"if '__main__' == __name__:\n{INDENTED}".encode(), "below if __name__ =="),
    "markdown.ipynb": (in_a_cell("markdown"), "cell 2 of the notebook, counting all, whose type"),
    "raw.ipynb": (in_a_cell("raw"), "whose type is Raw"),
    "again.py": (f"{DEFINITION}accuracy = accuracy(1, 2)".encode(), "gives its name to something"),
    "merge.py": (
        f"<<<<<<< HEAD\n{DEFINITION}=======\n{DEFINITION}>>>>>>> theirs\n".encode(),
        "a merge was left half-way",
    ),
    "mixed.ipynb": (b"<<<<<<< HEAD\n{}\n>>>>>>> theirs\n", "a merge of two versions was left"),
    "saved.py": (MODEL.decode().encode("utf-16"), "saved as UTF-16"),
}


@pytest.mark.thorough
def test_a_person_and_the_student_read_why_a_function_does_not_count(tmp_path):
    """One line each among what has to be looked at, and a page of an ordinary size."""
    folder, out = tmp_path / "class", tmp_path / "out"
    for name, (content, _) in FILES.items():
        (folder / Path(name).stem).mkdir(parents=True)
        (folder / Path(name).stem / name).write_bytes(content)
    (tmp_path / "rubric.toml").write_text(RUBRIC)
    options = ["--rubric", str(tmp_path / "rubric.toml"), "--lang", "en", "--out", str(out)]
    done = CliRunner().invoke(main, ["grade", str(folder), *options])
    assert done.exit_code == 1, done.output
    lines = (out / "exceptions.txt").read_text("utf-8").partition("Good to know")[0].splitlines()
    for name, (_, said) in FILES.items():
        (line,) = (each for each in lines if each.startswith(f"  {Path(name).stem}:"))
        assert said in line
    for page in (out / "feedback").iterdir():
        _, said = next(FILES[name] for name in FILES if Path(name).stem == page.stem)
        assert page.stat().st_size < 150_000
        assert escape(said) in page.read_text("utf-8")
