"""Writes to the standard output for ever."""

import os


def accuracy(outputs, targets):
    """Flood."""
    while True:
        os.write(1, b"la la la " * 7000)
