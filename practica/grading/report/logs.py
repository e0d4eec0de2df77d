"""What is logged, as lines: what a student wrote is never one of ours, and a terminal shows no
traceback.
"""

from __future__ import annotations

import logging


class LogLines(logging.Formatter):
    """A formatter that indents all lines of a record, such as a traceback, but the first."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        from practica.json_data import visible

        return visible(super().format(record)).replace("\n", "\n    ")


class _Brief(LogLines):
    """A formatter that prints a record as one line."""

    def format(self, record: logging.LogRecord) -> str:
        bare = logging.makeLogRecord(
            {**record.__dict__, "exc_info": None, "exc_text": None, "stack_info": None}
        )
        return super().format(bare).partition("\n")[0]


def brief() -> None:
    """Print each warning of this program as one line in the terminal, unless the program that uses
    it has a handler of its own.
    """
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(_Brief())
