"""Returns a dataclass that can be gone through for ever, and one whose elements are dataclasses of the same kind."""

from dataclasses import dataclass


@dataclass
class _Endless:
    value: float

    def __iter__(self):
        while True:
            yield self.value


@dataclass
class _Deep:
    value: float

    def __iter__(self):
        yield _Deep(self.value)


def accuracy(outputs, targets):
    """Return one or the other."""
    return (_Endless if outputs[0] else _Deep)(0.75)
