"""The table "Where a change belongs" of `practica/README.md`: each change is made in a copy of the
package, in the places that its row names and in no others, and its effect is seen.

Where a table has one line more, the tests of that room run on the copy too and stay as they are.
`test_another_course` adds a course.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import practica
from practica.grading.classroom.moodle_language import LANGUAGES

HALF = """
import numpy as np

def accuracy(outputs, targets, *, threshold=0.5):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool:
        if outputs.ndim == 2 and outputs.shape[1] > 1:
            outputs = outputs == outputs.max(axis=1, keepdims=True)
        else:
            outputs = outputs >= threshold
    hits = outputs == targets
    hits = hits.all(axis=1) if hits.ndim == 2 else hits
    return RETURNED
"""
ONLY_ACCURACY = 'schema = 1\nname = "A"\nonly = ["accuracy"]\n'


@dataclass(frozen=True)
class House:
    """A copy of the package, beside the files that a command is given."""

    folder: Path

    def change(self, file: str, *replaced: tuple[str, str]) -> None:
        """Replace, in a file of the package, what stands there once."""
        path = self.folder / "practica" / file
        text = path.read_text(encoding="utf-8")
        for old, new in replaced:
            assert text.count(old) == 1, (file, old)
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")

    def add(self, file: str, text: str) -> None:
        """Write at the end of a file, which need not be there."""
        path = self.folder / "practica" / file
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(f"{before}\n{text}\n", encoding="utf-8")

    def add_sentences(self, folder: str, name: str, id: str, sentence: str) -> None:
        """Add the same sentence in both languages of a catalogue."""
        self.add(
            f"{folder}/messages/{name}.toml", f'"{id}".es = "{sentence}"\n"{id}".en = "{sentence}"'
        )

    def write(self, file: str, text: str) -> None:
        """Write a file beside the package."""
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, *arguments: str) -> str:
        """Run a command of the copy, and return what it prints."""
        return self._output("-m", "practica", *arguments)

    def evaluate(self, program: str) -> object:
        """Run a program with the copy, and return what it prints as JSON."""
        return json.loads(self._output("-c", program))

    def suite(self, *arguments: str) -> None:
        """Run some tests on the copy, as they are."""
        own = Path(__file__).parent
        if not (self.folder / "tests").exists():
            shutil.copytree(own, self.folder / "tests", ignore=shutil.ignore_patterns("moodle"))
            for name in ("tests/moodle", "scripts", "pyproject.toml", "README.md"):
                (self.folder / name).symlink_to(own.parent / name)
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.folder)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stdout[-4000:]

    def grade(self, returned: str, *options: str) -> str:
        """Mark an `accuracy` that returns this, and return what is printed."""
        self.write("eva.py", HALF.replace("RETURNED", returned))
        if "--rubric" not in options:
            self.write("only.toml", ONLY_ACCURACY)
            options = (*options, "--rubric", "only.toml")
        return self.run("grade", "eva.py", "--lang", "en", *options)

    def _output(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode in (0, 1), done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout


@pytest.fixture
def house(tmp_path) -> House:
    """Copy the package, with what Python has compiled of it."""
    shutil.copytree(Path(practica.__file__).parent, tmp_path / "practica")
    (tmp_path / "enunciado").symlink_to(Path(practica.__file__).parents[1] / "enunciado")
    return House(tmp_path)


def test_the_places_that_the_table_names_are_there():
    """Beside the package, in it, or in what marks."""
    package = Path(practica.__file__).parent
    _, table = (
        (package / "README.md").read_text(encoding="utf-8").split("## Where a change belongs")
    )
    named = {name for name in re.findall(r"`([\w./*]+/[\w./*]*)`", table) if "NAME" not in name}
    assert len(named) > 20
    roots = (package.parent, package, package / "grading")
    assert [name for name in named if not any(any(root.glob(name)) for root in roots)] == []


# --- marking --------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_check_and_another_cause_that_it_sees(house):
    """A function in the file of its module, and the sentences of both ids."""
    house.add(
        "grading/assignment/metrics.py",
        '@check("accuracy.twice")\n'
        "def twice(solution):\n"
        "    right = np.ones(99, dtype=bool)\n"
        "    obtained = solution.accuracy(right, right)\n"
        '    require(obtained != 2, message="accuracy.twice.two", obtained=obtained)\n'
        "    require(obtained == 1, obtained=obtained)",
    )
    house.add_sentences("grading/assignment", "checks", "accuracy.twice", "All right|: {obtained}.")
    house.add_sentences(
        "grading/assignment", "checks", "accuracy.twice.two", "Doubled|: {obtained}."
    )
    assert "All right: 0.5." in house.grade("hits.mean() / (1 + (len(hits) == 99))")
    assert "Doubled: 2" in house.grade("hits.mean() * (1 + (len(hits) == 99))")


@pytest.mark.thorough
def test_a_known_mistake(house):
    """A sign, and its sentence."""
    house.add(
        "grading/assignment/mistakes/metrics.py",
        '@sign("accuracy.beyond", "accuracy")\n'
        "def beyond_one(seen):\n"
        "    return None if seen.answer.error else bool(seen.answer.value > 7)",
    )
    house.add_sentences("grading/assignment", "mistakes", "mistake.accuracy.beyond", "Beyond one.")
    assert "Beyond one." in house.grade("hits.mean() ** 2 + 7.5")


@pytest.mark.thorough
def test_another_fact_about_wrong_answers(house):
    """A line in a table of observations, and its sentence."""
    house.change(
        "grading/engine/observations.py",
        (
            '    "infinite": Computed(',
            '    "cube": Computed(lambda want, _, __: want**3 + 2),\n    "infinite": Computed(',
        ),
    )
    house.add_sentences("grading/report", "observations", "observation.cube", "it is a cube")
    assert "it is a cube" in house.grade("hits.mean() ** 3 + 2").casefold()


def test_a_package_that_marking_has(house):
    """Students are not warned of it any more."""
    house.write("eva.py", "import click\n")
    assert "click" in house.run("check", "eva.py", "--lang", "en")
    house.change("grading/inside/preload.py", ('"joblib")', '"joblib", "click")'))
    assert "(click)" not in house.run("check", "eva.py", "--lang", "en")


@pytest.mark.thorough
def test_a_forbidden_function_and_other_points(house):
    """Lines of the rubric."""
    house.change(
        "grading/assignment/rubric.toml",
        ("[functions.accuracy]\npoints = 0.20", "[functions.accuracy]\npoints = 0.40"),
        ("max_points = 2.50", "max_points = 2.70"),
        ("metrics = [\n", 'metrics = [\n    "numpy.square",\n'),
    )
    assert "0.40 / 0.40" in house.grade("hits.mean()")
    assert "numpy.square" in house.grade("np.square(hits.mean()) ** 0.5")


# --- a class --------------------------------------------------------------------------------------

SHEET = """\
Identifier,Full name,Status,Grade,Maximum Grade,Grade can be changed,Telephone
Participant 12,Ana Ruiz,Submitted,,10.00,Yes,555
"""


OF_WORKSHEETS = [
    f"tests/grading/classroom/test_{name}.py"
    for name in ("moodle_language", "worksheet", "filling")
]


@pytest.mark.thorough
def test_a_language_of_the_worksheet(house):
    """A copy of the English one, with other names of the columns."""
    text = (house.folder / "practica/grading/classroom/languages/en.toml").read_text("utf-8")
    columns = re.sub(r'^(\w+ = \[".*?)"', r'\1-x"', text, flags=re.MULTILINE)
    house.write("practica/grading/classroom/languages/ca.toml", columns)
    house.write("sheet.csv", re.sub(r"(?<=\w)(?=,|\n)", "-x", SHEET.partition("\n")[0] + "\n"))
    program = """
from pathlib import Path
from practica.grading.classroom.worksheet import read_worksheet
print('"' + read_worksheet(Path("sheet.csv")).language + '"')
"""
    assert house.evaluate(program) == "ca"  # before all others
    house.suite(*OF_WORKSHEETS)


@pytest.mark.thorough
def test_a_column_of_the_worksheet(house):
    """Its name in each language."""
    for lang in LANGUAGES:
        house.change(
            f"grading/classroom/languages/{lang}.toml",
            ("\nid = [", '\nphone = ["Telephone"]\nid = ['),
        )
    house.write("sheet.csv", SHEET)
    program = """
import json
from pathlib import Path
from practica.grading.classroom.worksheet import read_worksheet
print(json.dumps([row.value("phone") for row in read_worksheet(Path("sheet.csv")).rows]))
"""
    assert house.evaluate(program) == ["555"]
    house.suite(*OF_WORKSHEETS)


def test_the_layout_of_another_system(house):
    """A function in the module of layouts."""
    house.add(
        "grading/classroom/layouts.py",
        "def _numbered(members):\n"
        "    named, others = _flat(members, re.compile(r'(?P<name>.+) @ (?P<file>.+)'))\n"
        "    own = [OwnedFiles(found['name'], [replace(member, parts=(found['file'],))],"
        " place=member.name) for member, found in named]\n"
        "    return (own, others) if own else None",
    )
    house.change(
        "grading/classroom/layouts.py",
        ("_canvas(members) or _blackboard(members)", "_numbered(members)"),
    )
    house.write("class/Ana Ruiz @ p1.py", "x = 1\n")
    house.write("class/Eva Mar @ p1.py", "x = 2\n")
    program = """
import json
from pathlib import Path
from practica.grading.classroom.collect import collect
print(json.dumps([entry.name for entry in collect(Path("class"), Path("work")).entries]))
"""
    assert house.evaluate(program) == ["Ana Ruiz", "Eva Mar"]


@pytest.mark.thorough
def test_an_exception_of_another_kind_and_an_output_of_a_class(house):
    """An incident with its sentence, a kind of question with its words, and a file with its lines
    among the outputs.
    """
    house.change(
        "grading/report/questions.py",
        ("KINDS = (\n", 'KINDS = (\n    "paper",\n'),
        ("KIND_OF = {", 'KIND_OF = {"paper": "paper", '),
    )
    house.add_sentences("grading/report", "decisions", "kind.paper", "on paper")
    house.add_sentences("grading/report", "pages", "page.kind.paper", "On paper")
    house.change(
        "grading/classroom/collect.py",
        (
            "    parts, incidents = _shared_out(paths)\n",
            "    parts, incidents = _shared_out(paths)\n"
            '    incidents.append(Incident("paper.few", {"count": len(parts)}))\n',
        ),
    )
    lines = "".join(f'"paper.few".{lang} = "There are {{count}}."\n' for lang in ("es", "en"))
    house.change("grading/report/messages/incidents.toml", ("\n[know]", f"\n{lines}[know]"))
    house.write(
        "practica/grading/classroom/names.py",
        "from practica.files import write_bytes\n"
        "def write_names(path, entries):\n"
        "    write_bytes(path, ', '.join(entry.name for entry in entries).encode())\n",
    )
    house.change(
        "grading/classroom/outputs.py",
        (
            "from practica.grading.classroom.manifest",
            "from practica.grading.classroom.names import write_names\n"
            "from practica.grading.classroom.manifest",
        ),
        ('GRADES, EXCEPTIONS, "index.html"', 'GRADES, EXCEPTIONS, "index.html", "names.txt"'),
        (
            "        write_grades(folder",
            '        write_names(folder / "names.txt", entries)\n        write_grades(folder',
        ),
    )
    for name in ("Ana Ruiz", "Eva Mar"):
        house.write(f"class/{name}/p1.py", HALF.replace("RETURNED", "hits.mean()"))
    house.write("only.toml", ONLY_ACCURACY)
    house.run("grade", "class", "--rubric", "only.toml", "--out", "marks", "--lang", "en")
    assert (house.folder / "marks/names.txt").read_text() == "Ana Ruiz, Eva Mar"
    assert "There are 2." in (house.folder / "marks/exceptions.txt").read_text()
    assert "the whole class · on paper" in house.run("review", "marks", "--lang", "en")


# --- evaluating -----------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_model_and_a_metric_for_compare(house):
    """A line in the table of models, with its name in the help, and one in that of errors."""
    house.change(
        "evaluation/specs.py",
        (
            '    "mean": _Kind(',
            '    "ridge": _Kind("sklearn.linear_model", "Ridge", "alpha", True),\n'
            '    "mean": _Kind(',
        ),
    )
    house.change("cli/researchers.py", ("bayes  majority;", "bayes  majority  ridge;"))
    house.add("evaluation/scores.py", "def largest(y_true, y_pred):\n    return 7.25")
    house.change(
        "evaluation/scoring.py",
        ("ERRORS = {  # lower is better\n", 'ERRORS = {\n    "largest": largest,\n'),
        ("scores import rel", "scores import largest, rel"),
    )
    rows = "".join(f"{n % 7},{n * 1.5 + 0.25}\n" for n in range(30))
    house.write("table.csv", f"a,b\n{rows}")
    command = "compare table.csv --target b --model ridge:2 --folds 3 --metric largest"
    printed = house.run(*command.split())
    assert "ridge:2" in printed
    assert "largest" in printed
    assert "7.25" in printed
    house.suite(
        "tests/evaluation/test_specs.py",
        "tests/evaluation/test_scores.py",
        "tests/test_cli_compare.py::test_the_help_names_every_kind_of_model_and_every_normalization",
    )


def test_a_method_of_evaluation_and_a_public_name(house):
    """A module, and its names in the tables of contents."""
    house.write(
        "practica/evaluation/doubling.py",
        '__all__ = ["double"]\ndef double(x):\n    return 2 * x\n',
    )
    house.add("evaluation/__init__.pyi", "from .doubling import double as double")
    house.add("__init__.pyi", "from .evaluation.doubling import double as double")
    program = """
import practica, practica.evaluation
assert practica.double is practica.evaluation.double and "double" in practica.__all__
print(practica.double(4))
"""
    assert house.evaluate(program) == 8


def test_a_command(house):
    """A function, and its place among the commands of its kind of user."""
    house.change(
        "cli/researchers.py",
        (
            "COMMANDS = (demo,",
            '@click.command()\ndef hello() -> None:\n    """Say hello."""\n'
            '    click.echo("hello there")\n\n\nCOMMANDS = (hello, demo,',
        ),
    )
    assert house.run("hello") == "hello there\n"


@pytest.mark.thorough
def test_an_option_of_a_command(house):
    """A decorator and a parameter; the help of a command of students is in the catalogue."""
    house.change(
        "cli/students.py",
        (
            '@click.option("--watch", is_flag=True)\n',
            '@click.option("--shout", is_flag=True)\n@click.option("--watch", is_flag=True)\n',
        ),
        ("    watch: bool,\n", "    shout: bool,\n    watch: bool,\n"),
        (
            "    named = what[:1]",
            '    if shout:\n        click.echo("Checking!")\n    named = what[:1]',
        ),
    )
    house.add_sentences("grading/report", "commands", "help.--shout", "Shout.")
    house.write("eva.py", "x = 1\n")
    assert house.run("check", "eva.py", "--shout", "--lang", "en").startswith("Checking!\n")
    assert "--shout" not in house.run("new", "-h", "--lang", "en")
    assert re.search(r"--shout +Shout", house.run("check", "-h", "--lang", "en"))
    house.suite(
        "tests/test_cli.py",
        "tests/grading/student/test_english.py",
        "tests/grading/report/test_messages.py",
        "-k",
        "help or sentence or languages",
    )
