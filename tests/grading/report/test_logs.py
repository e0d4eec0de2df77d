"""What is logged, as lines."""

import logging

import pytest

from practica.grading.report.logs import LogLines, brief

RAISED = ValueError("x\n2026-01-01 INFO ana: graded, 2.5 points\x1b[2J")


@pytest.fixture
def logged(monkeypatch, capsys):
    """Return a function that logs an error where nobody keeps it, and returns what the terminal
    shows.
    """
    monkeypatch.setattr(logging, "lastResort", type(logging.lastResort)(logging.WARNING))
    logger = logging.Logger("practica.test")

    def log(*arguments):
        logger.error(*arguments, exc_info=RAISED)
        return capsys.readouterr().err

    return log


def test_a_terminal_shows_a_line_and_no_traceback(logged):
    """Python would show all of it."""
    assert "ValueError" in logged("%s cannot be read", "ana")
    brief()
    assert logged("%s cannot be read", "ana\x1b[2J\nluis: read") == "ana\\x1b[2J\n"


def test_no_line_of_a_log_is_a_students():
    """A log has the traceback, further in."""
    record = logging.makeLogRecord(
        {"msg": "%s", "args": ("ana",), "exc_info": (ValueError, RAISED, None)}
    )
    text = LogLines("INFO %(message)s").format(record)
    assert text.splitlines() == [
        "INFO ana",
        "    ValueError: x",
        "    2026-01-01 INFO ana: graded, 2.5 points\\x1b[2J",
    ]
