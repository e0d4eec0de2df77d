"""Returns values too large, too deep, or without end."""

import itertools

import numpy as np


def cyclic():
    """Return a list that contains itself."""
    values = []
    values.append(values)
    return values


def deep():
    """Return a hundred thousand lists, one in the other."""
    values = []
    for _ in range(100_000):
        values = [values]
    return values


def wide():
    """Return a list of ten million numbers."""
    return [0] * 10_000_000


def doubled():
    """Return a list of 2^40 elements made of forty lists."""
    values = [0]
    for _ in range(40):
        values = [values, values]
    return values


def broadcast():
    """Return an array of a terabyte that takes eight bytes."""
    return np.broadcast_to(1.0, (1 << 20, 1 << 17))


def empty():
    """Return rows without end that take nothing."""
    return np.zeros((1 << 27, 0))


def narrow():
    """Return sixteen million rows of a byte."""
    return np.zeros((1 << 24, 1), np.int8)


def number():
    """Return a number of a million digits."""
    return 1 << (1 << 22)


def endless():
    """Return a generator without end."""
    return itertools.count()


def accuracy(outputs, targets):
    """Return one of them."""
    return doubled()
