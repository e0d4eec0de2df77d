"""Calls itself with all limits lifted, through C so that the stack of the processor is used."""

import sys

sys.setrecursionlimit(1 << 30)


class _Deep:
    def __getattr__(self, name):
        return getattr(self, name + "x"[:0])


def accuracy(outputs, targets):
    """Fall."""
    return _Deep().bottom
