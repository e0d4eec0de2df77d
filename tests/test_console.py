"""What the user sees: a table that fits a terminal, warnings as lines, a bar only where somebody
watches.
"""

import subprocess
import warnings

import pytest

from practica.console import as_typed, print_grid, progress_bar, warnings_as_lines


def test_a_table_is_shown_as_it_is(capsys):
    """The first column to the left, the others to the right.

    A name in brackets is no markup, and none is cut.
    """
    print_grid("Two [b]models[/b]", ["model", "F1"], [["svm:C=1", "0.95"], ["[red]", "1"]])
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == [
        "Two [b]models[/b]",
        "model      F1",
        "─────────────",
        "svm:C=1  0.95",
        "[red]       1",
        "",
    ]


def test_a_table_wider_than_the_terminal_is_shown_in_parts(capsys, monkeypatch):
    """Each has the first column, and no figure is cut."""
    monkeypatch.setenv("COLUMNS", "20")
    print_grid("", ["metric", "network", "knn", "tree"], [["F1", "0.12345", "0.2", "0.3"]])
    assert capsys.readouterr().out.split() == [
        *("metric", "network", "knn", "─" * 20, "F1", "0.12345", "0.2"),
        *("metric", "tree", "─" * 12, "F1", "0.3"),
    ]


@pytest.mark.parametrize(
    "name", ["p1/solucion.py", "año-1", "mi práctica", "$HOME", "a'b", "(1)", "a;b"]
)
def test_a_path_is_told_as_the_shell_takes_it(name):
    """The shell reads one word, which is the path; and most paths stay as they are."""
    script = f"printf '%s|' {as_typed(name)}"
    assert (
        subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
        == f"{name}|"
    )
    assert as_typed("año-1/p_2.py") == "año-1/p_2.py"


def test_the_progress_bar_is_quiet_where_nobody_watches(capsys):
    """A log file gets no control sequences."""
    with progress_bar() as report:
        report("network", 1, 2)
    assert capsys.readouterr() == ("", "")


def test_a_long_run_prints_a_line_now_and_then_where_nobody_watches(capsys):
    """On stderr: how far it is."""
    with progress_bar(every=0) as report:
        report("", 1, 2)
        report("network", 2, 2)
    assert capsys.readouterr() == ("", "1/2\nnetwork 2/2\n")


def test_the_progress_bar_shows_on_a_terminal(capsys, monkeypatch):
    """On stderr, so that stdout keeps only the results."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar() as report:
        report("network 8", 3, 5)
    out, err = capsys.readouterr()
    assert out == ""
    assert "network 8" in err
    assert "3/5" in err


def test_a_warning_to_the_user_is_one_line_shown_once(capsys):
    """Without the file, the line and the source code that Python adds."""
    with warnings_as_lines():
        for _ in range(2):
            warnings.warn("k=10: too few patterns", UserWarning, stacklevel=1)
            warnings.warn("something internal", DeprecationWarning, stacklevel=1)
    assert capsys.readouterr().err == "warning: k=10: too few patterns\n"
