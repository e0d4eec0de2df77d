"""Whose mark changes between two results, by how much, and why."""

import json
from dataclasses import replace

from click.testing import CliRunner
from marked_class import (
    all_right,
    check,
    function,
    grader_error,
    not_run,
    result,
    submission,
    with_everything,
)

from practica.cli import main
from practica.grading.classroom.regrade import compare
from practica.grading.engine.result import Class


def of(*submissions):
    """Make a result."""
    return result(submissions)


def failing(identifier, name, message):
    """Make a submission with one function that fails."""
    return submission(
        identifier, [function(name, "fail", checks=[check(f"{name}.value", "fail", message)])]
    )


def test_the_same_result_changes_nothing():
    """Whatever is in it, and in whatever order."""
    each = [all_right("ana"), with_everything("brais"), not_run("carla"), grader_error("dani")]
    assert compare(of(*each), of(*reversed(each))) == []


def test_whoever_loses_most_comes_first_with_the_sentences_of_the_worse_result():
    """Why a mark falls is in the new one, and why it rises in the old one."""
    right = [submission(name, [function("accuracy")]) for name in ("ana", "brais")]
    wrong = [failing(name, "accuracy", f"no es la de {name}") for name in ("ana", "brais")]
    rises, falls = compare(of(wrong[0], right[1]), of(right[0], wrong[1]))[::-1]
    assert (rises.id, rises.before, rises.after) == ("ana", 0.0, 0.25)
    assert rises.functions == (("accuracy", 0.0, 0.25, ("accuracy.value: no es la de ana",)),)
    assert (falls.id, falls.before, falls.after) == ("brais", 0.25, 0.0)
    assert falls.functions == (("accuracy", 0.25, 0.0, ("accuracy.value: no es la de brais",)),)


def test_who_is_in_one_result_only_and_who_hands_in_another_file_are_told():
    """Another file whose mark is the same is no change."""
    before, after = (
        of(all_right("ana"), all_right("brais"), failing("eva", "f", "")),
        of(*(replace(all_right(each), sha256="other") for each in ("brais", "carla", "eva"))),
    )
    changes = {change.id: change for change in compare(before, after)}
    assert changes.keys() == {"ana", "carla", "eva"}
    assert (changes["ana"].present, changes["carla"].present) == ((True, False), (False, True))
    assert not changes["eva"].same_file


def called(result, **names):
    """Give submissions of a result the names of people."""
    entries = (
        replace(entry, name=names[entry.id.replace("-", "_")]) for entry in result.class_.entries
    )
    return replace(result, class_=Class(tuple(entries)))


def test_whose_a_mark_is_does_not_depend_on_who_else_is_there():
    """Alone, José gets the id that Jose has beside him.

    Of two called alike each is who hands in the same.
    """
    old = called(of(all_right("jose"), failing("jose-2", "f", "")), jose="Jose", jose_2="José")
    (gone,) = compare(old, called(of(failing("jose", "f", "")), jose="José"))
    assert (gone.name, gone.present) == ("Jose", (True, False))
    twice = called(of(all_right("ana"), failing("ana-2", "f", "")), ana="Ana", ana_2="Ana")
    assert compare(twice, twice) == []
    assert {change.present for change in compare(twice, of(failing("Ana", "f", "")))} == {
        (True, False),
        (False, True),
    }


def test_no_mark_is_not_a_mark_of_zero():
    """Where the grader fails, or fails no longer; its reason is told."""
    zero = submission("ana", [function("accuracy", "fail")])
    (lost,) = compare(of(zero), of(grader_error("ana")))
    assert (lost.before, lost.after) == (0.0, None)
    assert lost.reasons[0].startswith("accuracy.value: ZeroDivisionError")
    (found,) = compare(of(grader_error("ana")), of(zero))
    assert (found.before, found.after) == (None, 0.0)


def test_functions_of_another_rubric_are_gained_and_lost():
    """One that is not in a rubric is worth nothing there."""
    old, new = (
        submission("ana", [function("accuracy")]),
        submission("ana", [function("hold_out", most=0.5)]),
    )
    (change,) = compare(of(old), of(new))
    assert [each[:3] for each in change.functions] == [
        ("accuracy", 0.25, 0.0),
        ("hold_out", 0.0, 0.5),
    ]


def test_the_command_prints_the_changes_and_its_code_tells_if_there_are_any(tmp_path):
    """0 for none, 1 for some, 2 for a file that is no result.

    What students said cannot move the cursor.
    """
    files = [tmp_path / name for name in ("old.json", "new.json")]
    old, new = (
        of(all_right("ana"), all_right("brais")),
        of(all_right("ana"), failing("brais", "accuracy", "mal\x1b[2J\nana  1.00")),
    )
    for file, content in zip(files, (old, new), strict=True):
        file.write_text(json.dumps(content.as_json()))
    changed = CliRunner().invoke(main, ["regrade", *map(str, files)])
    assert changed.exit_code == 1
    assert "brais  1.00 → 0.00  -1.00" in changed.output
    assert "accuracy.value: mal\\x1b[2J\\nana  1.00" in changed.output
    assert "Cambia la nota de 1 de 2 entregas." in changed.output
    assert CliRunner().invoke(main, ["regrade", str(files[0]), str(files[0])]).exit_code == 0
    refused = CliRunner().invoke(main, ["regrade", str(files[0]), __file__])
    assert (refused.exit_code, "is no result" in refused.output) == (2, True)


def test_the_same_points_of_another_maximum_are_another_mark(tmp_path):
    """As in a rubric without a function that nobody had right."""
    files = [tmp_path / name for name in ("old.json", "new.json")]
    for file, most in zip(files, (2.5, 2.0), strict=True):
        content = of(all_right("ana"))
        file.write_text(
            json.dumps(replace(content, rubric=replace(content.rubric, max_points=most)).as_json())
        )
    done = CliRunner().invoke(main, ["regrade", *map(str, files), "--lang", "en"])
    assert done.exit_code == 1
    assert "out of 2.50 and the new one out of 2.00" in done.output
