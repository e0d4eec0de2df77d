"""The guide that writes the assignment of another course: its files are written and its commands
run as they stand.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from courses import course as course_of
from courses import run, write_files
from lanes import one_in

GUIDES = Path(__file__).parents[2] / "enunciado/profesorado"
FILE = re.compile(r"^`([\w./]+)`\n\n```\w+\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def write(page: str, folder: Path) -> None:
    """Write the files of a page of the guide."""
    write_files(dict(FILE.findall(page)), folder)


def matches(shown: str, printed: str) -> bool:
    """Return whether a page shows what was printed; "..." stands for anything."""
    pattern = ".*".join(re.escape(part) for part in shown.rstrip("\n").split("..."))
    return re.fullmatch(rf"{pattern}\s*", printed, flags=re.DOTALL) is not None


@pytest.fixture
def course(tmp_path) -> Path:
    """Return a folder with the files of the guide."""
    write((GUIDES / "course.en.md").read_text(encoding="utf-8"), tmp_path)
    return tmp_path


@pytest.mark.thorough
@pytest.mark.parametrize("guide", ["otro-curso.md", "course.en.md"])
def test_the_guide_does_what_it_says(guide, tmp_path):
    """From nothing to marks, and to a student's folder."""
    page = (GUIDES / guide).read_text(encoding="utf-8")
    write(page, tmp_path)
    blocks = [
        block
        for text in CONSOLE.findall(page)
        for block in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    ]
    assert len(blocks) == 4
    for block in blocks:
        command, _, shown = block.partition("\n")
        done = run(command, tmp_path)
        assert matches(shown, done.stdout), f"$ {command}\n{done.stdout}{done.stderr}"


@pytest.mark.thorough
def test_a_class_of_another_course_is_graded_by_workers(course):
    """The assignment reaches the processes that mark, and the pages say its sentences."""
    done = run(
        "practica grade class --assignment course --out marks --workers 2 --similarity --lang en",
        course,
    )
    assert done.returncode == 1, done.stderr
    assert "Mean 5.00" in done.stdout
    page = (course / "marks/feedback/luis.html").read_text(encoding="utf-8")
    assert "The first component has the largest variance" in page
    # which remembers its assignment
    done = run("practica report marks/results.json --out again --lang en", course)
    assert done.returncode == 0, done.stderr
    assert (course / "again/feedback/luis.html").read_bytes() == (
        course / "marks/feedback/luis.html"
    ).read_bytes()
    (course / "course").rename(course / "moved")
    for command in (
        "report marks/results.json --out again",
        "review marks",
        "regrade marks/results.json again/results.json",
    ):
        done = run(f"practica {command}", course)
        assert (
            done.returncode,
            "--assignment gives another folder" in " ".join(done.stderr.split()),
        ) == (2, True)
        done = run(f"practica {command} --assignment moved", course)
        assert done.returncode in (0, 1), done.stderr


TEXTS = course_of(
    {"most_common(text)": ["(text: any)"]},
    """
from practica.grading.engine.framework import check, require

@check("most_common.word")
def word(solution):
    obtained = solution.most_common("no no yes")
    expected = {"no": 2}
    right = type(obtained) is dict and obtained == expected
    require(right, expected=expected, obtained=obtained, text="no no yes")
""",
    {
        "most_common.word": "The most common word|: "
        "of {text}, {obtained} is returned and {expected} is expected.",
    },
)


@pytest.mark.parametrize(
    ("returned", "said"),
    one_in(
        5,
        [
            (
                "'{\\'no\\': 2}'",
                "of 'no no yes', \"{'no': 2}\" is returned and {'no': 2} is expected.",
            ),
            ("{'2': 'no'}", "{'2': 'no'} is returned"),
            ("'False'", "'False' is returned"),
            ("False", "False is returned"),
            ("[{'a': 1}]", "[{'a': 1}] is returned"),
        ],
    ),
)
def test_texts_have_their_quotes_and_dictionaries_their_keys(returned, said, tmp_path):
    """A value is not the text that looks like it."""
    write_files(TEXTS, tmp_path)
    (tmp_path / "eva.py").write_text(f"def most_common(text):\n    return {returned}\n")
    done = run("practica grade eva.py --assignment course --lang en", tmp_path)
    assert said in " ".join(done.stdout.split()), done.stdout + done.stderr


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    one_in(
        3,
        [
            (
                "messages.toml",
                '"pca.variance"',
                '"pca.other"',
                "messages.toml has no sentence for the check 'pca.variance'",
            ),
            ("messages.toml", "[checks]", "[checks", "messages.toml: "),
            (
                "checks/unsupervised.py",
                "import numpy as np",
                "import nothing_of_the_kind",
                "line 1: ModuleNotFoundError: ",
            ),
            (
                "checks/unsupervised.py",
                "def groups(draw):",
                "def groups(draw)",
                "unsupervised.py, line 7: SyntaxError: ",
            ),
            (
                "checks/unsupervised.py",
                "kmeans.untouched",
                "kmedians.a",
                "no row [functions.kmedians] for the check 'kmed",
            ),
            ("rubric.toml", "[functions.pca]", "[functions.pda]", "pda: no check matches 'pda.*'"),
            ("rubric.toml", "points = 6", "points = -6", "points = -6 must be a number of points"),
        ],
    ),
)
def test_what_an_author_forgets_is_refused_with_the_file(course, file, old, new, said):
    """Nothing is marked with half an assignment."""
    path = course / "course" / file
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    for command in (
        "practica grade class --assignment course",
        "practica check class/ana.py --assignment course",
    ):
        done = run(command, course)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr.replace("\n", " ")
        assert "Traceback" not in done.stderr


HEADER = "pad(text, *, fill=' ', width=None, sides=('l', 'r'), times={}, most)"
ANYTHING = course_of(
    {
        "same(value)": ["(value: any)"],
        HEADER: ["(text: any, *, fill=' ', width=None, sides=('l', 'r'), times={}, most)"],
    },
    """
import numpy as np
from plain_values import same
from practica.grading.engine.framework import check, for_all, require, untouched

def value(draw):
    kinds = [None, True, -1, 1 << 300, 0.1, 2j, "ñ", {"a": {"b"}}, frozenset({1}), np.eye(2)]
    parts = [value(draw) for _ in range(draw.choice([0, 0, 1, 2]))]
    return draw.choice([*kinds, parts, tuple(parts), {"parts": parts}])


@check("same.value")
@for_all(50, value=value, more=value)
def same_value(solution, value, more):
    obtained = solution.same([value, more])
    require(same(obtained, [value, more]), expected=[value, more], obtained=obtained)


@check("same.untouched")
@for_all(value=value)
def stays(solution, value):
    untouched(solution, "same", value)


@check("pad.pads")
def pads(solution):
    obtained = solution.pad("a", fill="-", most=3)
    require(obtained == "a--", expected="a--", obtained=obtained)
""",
    {
        "same.value": "What is given|: {call} returns {obtained}, and {expected} is expected.",
        "same.untouched": "It stays.",
        "pad.pads": "It pads.",
    },
) | {
    "eva.py": f"""
def same(value):
    return value


def {HEADER}:
    return text.ljust(most, fill)
""",
    "leo.py": """
def same(value):
    return value


def pad(text, *, fill='', width=0, sides=['l', 'r'], times={1: 2}, most=1):
    return text.ljust(most, fill)
""",
}


@pytest.fixture
def anything(tmp_path, monkeypatch) -> Path:
    """Return a folder with a course that draws whatever it may."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    write_files(ANYTHING, tmp_path)
    return tmp_path


def test_any_plain_data_can_be_drawn_sent_and_compared(anything):
    """What a function returns as it came is right, and defaults are compared by their values."""
    done = run("practica grade eva.py --assignment course --lang en", anything)
    assert "4.00 / 4.00" in done.stdout, done.stdout + done.stderr
    done = run("practica grade leo.py --assignment course --lang en", anything)
    for name, obtained, default in (
        ("fill", "''", "' '"),
        ("width", "0", "None"),
        ("sides", "['l', 'r']", "('l', 'r')"),
        ("times", "{1: 2}", "{}"),
    ):
        assert f"the default of {name} is {obtained} and has to be {default}." in " ".join(
            done.stdout.split()
        )


@pytest.mark.thorough
def test_a_request_that_cannot_be_sent_is_the_failure_of_the_grader(anything):
    """Nobody loses points for it, nor is said to have answered in the grader's place."""
    path = anything / "course/checks/course.py"
    text = path.read_text()
    path.write_text(
        text.replace(
            "    untouched(",
            "    if solution.same(123) == 123:\n        solution.same(print)\n    untouched(",
        )
    )
    done = run("practica grade eva.py --assignment course --lang en --json marks.json", anything)
    assert "builtin_function_or_method is not plain data" in done.stdout + done.stderr
    (submission,) = json.loads((anything / "marks.json").read_text())["submissions"]
    assert (submission["status"], submission["points"]) == ("grader_error", None)
    assert "in place of" not in done.stdout


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    one_in(
        3,
        [
            (
                "checks/course.py",
                'pad("a"',
                "pad(len",
                "course.py, line 27: WireError: builtin_function_or_method is not plain data",
            ),
            (
                "checks/course.py",
                "value=value,",
                "value=lambda draw: print,",
                "course.py, line 15: WireError: builtin_function_or_method is not plain data",
            ),
            (
                "checks/course.py",
                "obtained = solution.pad",
                "len(0)  # ",
                "course.py, line 27: TypeError: object of type 'int' has",
            ),
            (
                "checks/course.py",
                'solution.pad("a", fill="-", most=3)',
                'solution.answer("pad", "a", fill="-", most=3).value[:]',
                "is not subscriptable; the function has raised an error here: see `answer.error` ",
            ),
            (
                "messages.toml",
                "{expected} is expected",
                "{wanted} is expected",
                "course.py, line 16: the sentence of 'same.value' has a place {wanted}, and the"
                " facts are call, function, expected, obtained",
            ),
            (
                "checks/course.py",
                'a--", expected',
                'a--", message="pad.more", expected',
                "course.py, line 28: there is no sentence for 'pad.more' in messages.toml",
            ),
            (
                "messages.toml",
                "It pads.",
                "It {pads.",
                "messages.toml, the sentence of 'pad.pads': expected '}' before end of string",
            ),
            (
                "template.py",
                "def same",
                "def sama",
                "template.py has no function same(value), which",
            ),
            ("template.py", "fill=' '", "fill=''", "template.py, line 4: "),
            ("template.py", "(value)", "(values)", "another header for this function, same(value)"),
            ("template.py", "...", "(", "template.py, line 4: SyntaxError: "),
            (
                "rubric.toml",
                "width=None",
                "width=b''",
                "the default width=b'' is no number, text, ",
            ),
        ],
    ),
)
def test_what_would_be_unfair_is_refused_before_anything_is_marked(anything, file, old, new, said):
    """With the file and the line."""
    path = anything / "course" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    done = run("practica grade eva.py --assignment course --lang en", anything)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_folder_that_is_no_assignment_is_refused(course):
    """The sentence says what is not there."""
    done = run("practica grade class --assignment class", course)
    assert done.returncode == 2
    assert "class is no assignment: it has no rubric.toml" in done.stderr


@pytest.mark.thorough
def test_a_rubric_file_extends_that_of_the_course(course):
    """As one for the practice extends the official criteria, with the lists that it inherits."""
    (course / "mine.toml").write_text(
        'name = "Mine"\nonly = ["pca"]\nfunctions.pca.points = 1\n', encoding="utf-8"
    )
    done = run(
        "practica grade class/ana.py --assignment course --rubric mine.toml --lang en", course
    )
    assert done.returncode == 0, done.stderr
    assert "1.00 / 1.00" in done.stdout
    assert "kmeans" not in done.stdout


@pytest.mark.thorough
def test_the_whole_file_keeps_the_rules_of_the_practice(course):
    """What runs code that the file does not show is flagged in every course."""
    path = course / "class/ana.py"
    path.write_text(path.read_text(encoding="utf-8") + "\n\nexec('pass')\n", encoding="utf-8")
    done = run("practica grade class/ana.py --assignment course --lang en", course)
    assert done.returncode == 1
    assert "exec" in done.stdout


@pytest.mark.thorough
def test_the_kit_of_a_course_has_no_other_assignment(course, monkeypatch):
    """A student with it needs no option; what else lies in the author's folder is not there.

    The page that shows the course is no answer.
    """
    (course / "course/solutions").mkdir()
    (course / "course/solutions/right.py").write_text("SECRET = 1\n", encoding="utf-8")
    program = (
        "import importlib.util, pathlib, sys, zipfile\n"
        f"sys.path.insert(0, {str(GUIDES.parents[1] / 'scripts')!r})\n"
        "spec = importlib.util.spec_from_file_location("
        f"'kit', {str(GUIDES.parents[1] / 'scripts/build_kit.py')!r})\n"
        "kit = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(kit)\n"
        "wheel = kit.build(pathlib.Path(), pathlib.Path('course'))\n"
        "kit.require_no_answers(wheel)\n"
        "zipfile.ZipFile(wheel).extractall('kit')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=course, stderr=-1, check=False)
    assert done.returncode == 0, done.stderr
    names = {
        path.relative_to(course / "kit/practica/given").as_posix()
        for path in (course / "kit").rglob("given/*.*")
    }
    assert names == {"rubric.toml", "messages.toml", "template.py", "statement.md"}
    assert not [
        path for path in (course / "kit").rglob("*") if path.name in ("right.py", "plantilla.py")
    ]
    begin = f"{sys.executable} -P -m practica"
    monkeypatch.setenv("PYTHONPATH", str(course / "kit"))
    made, checked = (
        run(f"{begin} new p1 --lang en", course),
        run(f"{begin} check p1/solucion.py", course),
    )
    assert (made.returncode, checked.returncode) == (0, 1), made.stderr + checked.stderr
    assert "kmeans" in checked.stdout
    (course / "class/ana.py").rename(course / "p1/solucion.py")
    assert "10.00 / 10.00" in run(f"{begin} check p1/solucion.py", course).stdout


@pytest.mark.thorough
def test_the_command_of_the_guide_builds_the_kit_and_walks_it(course):
    """As it is printed, but for the folder of this project."""
    command = "scripts/build_kit.py --assignment course --out DIR"
    assert f"`{command}`" in (GUIDES / "course.en.md").read_text(encoding="utf-8")
    done = run(f"{sys.executable} {GUIDES.parents[1]}/{command}", course)
    assert done.returncode == 0, done.stderr
    assert "practica check solucion.py: kmeans\nThe kit: DIR/practica_kit-" in done.stdout


@pytest.mark.thorough
def test_a_cluster_marks_one_assignment_until_it_is_restarted(course):
    """The folder is found by its path; for another assignment the refusal names the worker."""
    pytest.importorskip("distributed", reason="needs the extra practica[dask]")
    program = (
        "import subprocess, sys\nfrom distributed import LocalCluster\nif __name__ == '__main__':\n"
        "    options = dict(n_workers=1, threads_per_worker=1, dashboard_address='127.0.0.1:0',"
        " silence_logs=50)\n    with LocalCluster(**options) as cluster:\n        grade ="
        " [sys.executable, '-m', 'practica', 'grade', 'class', '--lang', 'en', '--scheduler']\n    "
        "    for more in (['--out', 'a', '--assignment', 'course'], ['--out', 'b']):\n           "
        " command = [*grade, cluster.scheduler_address, *more]\n            done ="
        " subprocess.run(command, capture_output=True, text=True)\n           "
        " print(done.returncode, done.stdout, done.stderr)\n"
    )
    (course / "cluster.py").write_text(program, encoding="utf-8")
    done = run(f"{sys.executable} cluster.py", course)
    assert "Mean 5.00 and median 5.00, of 10.00" in done.stdout, done.stdout + done.stderr
    assert re.search(
        r"\n2 .*:\d+: this process marks .*course, and .* needs another one: restart it",
        done.stdout,
        re.DOTALL,
    )
