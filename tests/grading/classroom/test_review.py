"""What needs a person, one thing after the other, in the terminal."""

from dataclasses import replace

import marked_class as some
import pytest
from click.testing import CliRunner

from practica.cli import main
from practica.grading.classroom.outputs import as_json
from practica.grading.classroom.overrides import OVERRIDES, read_class
from practica.grading.engine.result import Entry, Incident

FLAG = replace(some.rule("calls.suspicious", 7, name="os.system"), cost="flag")


@pytest.fixture
def folder(tmp_path):
    """Write the result of a class with one question of each kind."""
    flagged = some.submission(
        "flor", [some.function("accuracy", rules=[FLAG]), some.function("hold_out")]
    )
    made = some.result(
        [some.all_right("ana"), flagged, some.not_run("noa"), some.grader_error("gael")],
        similar=[("ana", "flor", 0.9)],
    )
    several = Incident("file.undecided", {"name": "Eva", "files": "a.py, b.py"}, "eva")
    class_ = replace(
        made.class_, entries=(*made.class_.entries, Entry("eva", "Eva")), incidents=(several,)
    )
    (tmp_path / "results.json").write_text(
        "".join(as_json(replace(made, class_=class_))), encoding="utf-8"
    )
    return tmp_path


def review(folder, typed, lang="en"):
    """Go through it with what is typed; return the exit code and what is shown."""
    done = CliRunner().invoke(main, ["review", str(folder), "--lang", lang], input=typed)
    assert isinstance(done.exception, SystemExit | None), done.exception
    return done.exit_code, done.output


def decided(folder):
    """Return what is in the table, without notes."""
    decisions = read_class(folder / "results.json").class_.decisions
    return [(each.identifier, each.function, each.points) for each in decisions]


def test_each_kind_comes_up_and_is_decided_once(folder):
    """The grader's failure, several files, a file that does not run, a flag with its lines, and a
    pair.
    """
    typed = (
        "total 0,9\nBy hand\n\n"
        + "total 0.5\nb.py\n\n"
        + "\nas it is\n"
        + "accuracy 0.1\nNo.\n\n"
        + "\n\n"
    )
    code, shown = review(folder, typed)
    heads = [line for line in shown.splitlines() if " of 5 · " in line]
    assert [line.rpartition("· ")[2] for line in heads] == [
        "the grader failed",
        "file",
        "not run",
        "flagged",
        "similar",
    ]
    assert "> " in shown
    assert "It has 90 % of the code in common with that of flor." in shown
    assert "Decided: 5. Left: 0." in shown
    assert code == 0
    assert decided(folder) == [
        ("gael", "total", 0.9),
        ("gael", "seen:status", None),
        ("eva", "total", 0.5),
        ("eva", "seen:file.undecided", None),
        ("noa", "seen:status", None),
        ("flor", "accuracy", 0.1),
        ("flor", "seen:flag:os.system", None),
        ("ana", "seen:similar:flor", None),
    ]
    assert review(folder, "") == (0, "\nNothing needs a person.\n")


def test_what_is_left_for_later_comes_up_again(folder):
    """And after the end of the input, or q, what was decided is safe."""
    code, shown = review(folder, "s\ns\n\n\nq\n")
    assert (code, "Decided: 1. Left: 4." in shown) == (1, True)
    assert decided(folder) == [("noa", "seen:status", None)]
    code, shown = review(folder, "")
    assert (code, "1 of 4" in shown) == (1, True)


def test_what_is_not_understood_is_refused_and_nothing_is_written(folder):
    """With the reason; the question stays."""
    _, shown = review(folder, "total\ntotal 9\nacuracy 0.1\n")
    assert "Not understood: write a function and its points" in shown
    assert "the points of total are a number from 0 to 1, and not “9”" in shown
    assert "did you mean 'accuracy'?" in shown
    assert not (folder / OVERRIDES).exists()


def test_another_file_is_looked_at_again(folder):
    """A decision holds for the file that was seen."""
    review(folder, "\n\n" * 5)
    assert review(folder, "")[0] == 0
    table = folder / OVERRIDES
    table.write_text(
        table.read_text(encoding="utf-8-sig").replace("0123456789abcdef", "f123456789abcdef")
    )
    code, shown = review(folder, "")
    assert (code, "1 of 4" in shown) == (1, True)  # Eva has handed in no file


def test_a_folder_without_a_result_is_refused(tmp_path):
    """And says how to make one."""
    code, shown = review(tmp_path, "")
    assert code == 2
    assert "practica grade --out" in " ".join(shown.split())


def test_the_lines_around_one_are_numbered_as_python_numbers_them(folder):
    """A form feed, with which some editors begin a page, ends no line."""
    result = read_class(folder / "results.json")
    source = "\f\n" * 6 + "os.system('ls')\n"
    submissions = tuple(replace(each, source=source) for each in result.submissions)
    changed = replace(result, submissions=submissions)
    (folder / "results.json").write_text("".join(as_json(changed)), encoding="utf-8")
    _, shown = review(folder, "s\n" * 9)
    assert ">    7 os.system('ls')" in shown
