"""Reads address zero."""

import ctypes


def accuracy(outputs, targets):
    """Crash."""
    return ctypes.string_at(0)
