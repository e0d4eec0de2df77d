"""What the user sees: a table that fits a terminal, warnings as lines, a bar only where somebody watches."""

import warnings

from practica.console import print_grid, progress_bar, warnings_as_lines


def test_a_table_is_shown_as_it_is(capsys):
    """The first column to the left, the others to the right; a name in brackets is no markup, and none is cut."""
    print_grid("Two [b]models[/b]", ["model", "F1"], [["svm:C=1", "0.95"], ["[red]", "1"]])
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == [
        "Two [b]models[/b]",
        "model      F1",
        "─────────────",
        "svm:C=1  0.95",
        "[red]       1",
        "",
    ]


def test_the_progress_bar_is_quiet_where_nobody_watches(capsys):
    """A log file gets no control sequences."""
    with progress_bar() as report:
        report("network", 1, 2)
    assert capsys.readouterr() == ("", "")


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
