"""Raises exceptions whose message lies, fails, or never comes."""


class _NoMessage(BaseException):
    def __str__(self):
        raise SystemExit(0)


class _LongMessage(Exception):
    def __str__(self):
        return "la" * 10_000_000


class AssertionPassed(Exception):
    """Pretend."""

    def __eq__(self, other):
        return True

    __hash__ = None


def silent():
    """Raise an exception without message."""
    raise _NoMessage


def long():
    """Raise an exception with a very long message."""
    raise _LongMessage


def group():
    """Raise a group of exceptions in a chain of others."""
    try:
        silent()
    except BaseException as error:
        raise BaseExceptionGroup("several", [_LongMessage(), error]) from error


def accuracy(outputs, targets):
    """Pretend to have passed."""
    raise AssertionPassed
