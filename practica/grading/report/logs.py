"""What is logged, as lines: what a student wrote is never one of ours, and a terminal shows no
traceback.
"""

from __future__ import annotations

import logging


class LogLines(logging.Formatter):
    """Records with their tracebacks, of which only the first line is not indented."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        from practica.json_data import visible

        return visible(super().format(record)).replace("\n", "\n    ")


class _Brief(LogLines):
    """Records of one line each."""

    def format(self, record: logging.LogRecord) -> str:
        bare = logging.makeLogRecord(
            {**record.__dict__, "exc_info": None, "exc_text": None, "stack_info": None}
        )
        return super().format(bare).partition("\n")[0]


def brief() -> None:
    """Print warnings without a handler, which Python shows in the terminal, in one line each."""
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(_Brief())
