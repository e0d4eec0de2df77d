"""A file is checked again when it is saved, and what has changed is told."""

import copy
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from queue import Queue

import pytest
from rich.console import Console

from practica.grading.engine.result import CheckResult, FunctionResult, RuleResult, SubmissionResult
from practica.grading.student.check import Examined
from practica.grading.student.watch import changes, saves, show_changes, watch

RIGHT = "def accuracy(outputs, targets, *, threshold=0.5):\n    return 0.5\n"


def check(identifier, verdict="fail", message="no"):
    """Make the result of a check."""
    return CheckResult(identifier, verdict, message)


def marked(**functions):
    """Make a marked file of (verdict, checks) by function."""
    rows = tuple(
        FunctionResult(name, name, 1, 0.0, 0.2, verdict, (), tuple(checks))
        for name, (verdict, checks) in functions.items()
    )
    return SubmissionResult("a", "a.py", "", "graded", None, 0.0, 2.5, functions=rows)


def told(difference) -> list[str]:
    """List the failed checks that are told."""
    checks = [each for function in difference.news.functions for each in function.checks]
    return [each.id for each in checks if each.verdict == "fail"]


def test_nothing_has_changed_between_equal_runs():
    """So nothing is told."""
    before = marked(
        a=("fail", [*map(check, ("a.1", "a.2", "a.3", "a.4")), check("a.5", "pass")]),
        b=("missing", []),
        c=("pass", []),
    )
    difference = changes(before, copy.deepcopy(before))
    assert (difference.better, difference.worse, difference.fixed, told(difference)) == (
        [],
        [],
        {},
        [],
    )


def test_functions_that_turn_right_or_wrong_are_named():
    """In the order of the practice."""
    before = marked(
        a=("fail", [check("a.1")]), b=("missing", []), c=("pass", [check("c.1", "pass")])
    )
    after = marked(a=("pass", [check("a.1", "pass")]), b=("pass", []), c=("fail", [check("c.1")]))
    difference = changes(before, after)
    assert (difference.better, difference.worse, difference.fixed) == (["a", "b"], ["c"], {})
    assert told(difference) == ["c.1"]


def test_a_changed_sentence_is_told_and_a_check_that_now_passes_is_named():
    """What was told before is not told again."""
    before = marked(a=("fail", [check("a.1"), check("a.2"), check("a.3")]))
    after = marked(a=("fail", [check("a.1", "pass"), check("a.2", message="otra"), check("a.3")]))
    difference = changes(before, after)
    assert difference.fixed == {"a": ["a.1"]}
    assert told(difference) == ["a.2"]


def test_a_check_that_was_only_named_is_told_when_its_turn_comes():
    """Of many that fail, the first one is told in full."""
    before = marked(a=("fail", [check(f"a.{number}") for number in range(5)]))
    after = marked(
        a=("fail", [check("a.0", "pass"), *(check(f"a.{number}") for number in range(1, 5))])
    )
    assert told(changes(before, after)) == ["a.1"]


def test_a_sentence_whose_line_has_moved_is_the_same():
    """Lines are written above it all the time."""

    def broken(line, raised_at, count=1, error="ValueError"):
        rule = RuleResult(
            "loops.too_many", "broken", "zero", line, {"count": count, "lines": [line]}
        )
        raised = replace(
            check("a.1", message="any.raises"), facts={"error": error, "line": raised_at}
        )
        made = marked(a=("rule", [raised]))
        return replace(made, functions=(replace(made.functions[0], rules=(rule,)),))

    moved, other = broken(9, "10"), broken(9, "10", 2, "KeyError")
    assert changes(broken(7, "8"), moved).news.functions == (
        replace(moved.functions[0], rules=(), checks=()),
    )
    assert changes(broken(7, "8"), other).news == other


@pytest.fixture
def saved(tmp_path):
    """Follow a file from another thread: a path, and the contents that come."""
    file, contents = tmp_path / "solucion.py", Queue()
    file.write_bytes(b"one")

    def follow():
        for source in saves(file, pause=0.1):
            contents.put(source)
            if source == b"end":
                break

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    yield file, contents
    file.write_bytes(b"end")
    thread.join(timeout=60)
    assert not thread.is_alive()


def test_a_file_comes_at_once_and_after_each_change(saved):
    """However it is saved: written over, removed and written, or by renaming another one."""
    file, contents = saved
    assert contents.get(timeout=60) == b"one"
    file.write_bytes(b"two")
    assert contents.get(timeout=60) == b"two"
    file.unlink()
    file.write_bytes(b"three")
    assert contents.get(timeout=60) == b"three"
    other = file.with_name("other")
    other.write_bytes(b"four")
    os.utime(other, (0, 0))  # older than the one it replaces
    other.replace(file)
    assert contents.get(timeout=60) == b"four"


def test_saving_without_a_change_is_no_change(saved):
    """Only the contents count."""
    file, contents = saved
    assert contents.get(timeout=60) == b"one"
    os.utime(file)
    file.write_bytes(b"one")
    file.write_bytes(b"two")
    assert contents.get(timeout=60) == b"two"
    assert contents.empty()


def test_watched_lines_break_between_words():
    """In a narrow terminal, as those of a check do."""
    names = ["calculate_zero_mean_normalization_parameters", "train_class_ann", "accuracy"]
    before = marked(**{name: ("pass", [check(f"{name}.1", "pass")]) for name in names})
    after = marked(**{name: ("fail", [check(f"{name}.1")]) for name in names})
    warning = "Aviso: " + "una frase larga " * 9
    console = Console(file=io.StringIO(), force_terminal=True, no_color=True, width=60)
    show_changes(Examined(before), Examined(after, (warning,)), "es", console)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", console.file.getvalue()).splitlines()
    assert max(map(len, lines)) <= 60
    assert {*warning.split(), *names} <= {word.rstrip(",") for word in " ".join(lines).split()}


@pytest.mark.thorough
@pytest.mark.usefixtures("own_cache")
def test_watching_tells_what_changed_and_ends_with_ctrl_c(tmp_path):
    """As a student sees it: from an empty file to a function, a mistake, and the end."""
    file = tmp_path / "solucion.py"
    file.write_text("")
    process = subprocess.Popen(
        [sys.executable, "-m", "practica", "check", "solucion.py", "--watch"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "400"},
    )

    def until(pattern: str) -> str:
        lines: list[str] = []
        while not (lines and re.search(pattern, lines[-1])):
            lines.append(process.stdout.readline())
            assert lines[-1], process.stderr.read()
        return "".join(lines)

    assert "Se puede empezar por one_hot_encoding" in until("Ctrl-C para terminar")
    file.write_text(RIGHT)
    first = until("La siguiente es one_hot_encoding")
    assert re.search(
        r"^0\.00 +\S+ +accuracy\n(.*\n)*.* de 2\.50 puntos$", first, re.MULTILINE
    )  # at once, when it is known
    assert "\n    accuracy(" in first
    assert "Para repetirlo: python ejemplo.py accuracy" in first
    file.write_text(f"\n\n{RIGHT}")
    assert "No ha cambiado nada" in until("No ha cambiado")
    file.write_text(f"{RIGHT}\ndef x(:\n")
    assert "línea 4" in until("No se ha podido ejecutar")
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output.splitlines()[-1], errors) == (0, "Terminado.", "")
    assert os.listdir(Path(tmp_path)) == ["solucion.py"]


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_half_a_notebook_does_not_end_the_watching(tmp_path, monkeypatch, capsys):
    """It is told, and the next time that it is saved it is checked."""
    file = tmp_path / "a.ipynb"
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": RIGHT}
    whole = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})

    def saved(_file):
        for content in (whole, "{", whole.replace("return 0.5", "return 0.25")):
            file.write_text(content)
            yield content

    monkeypatch.setattr("practica.grading.student.watch.saves", saved)
    watch(file, ["accuracy"], lang="en")
    before, _, after = capsys.readouterr().out.partition("a.ipynb cannot be read as a notebook")
    assert "\n    accuracy(" in before
    assert "\n    accuracy(" in after
