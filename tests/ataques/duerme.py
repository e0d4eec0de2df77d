"""Sleeps without using the processor."""

import time


def accuracy(outputs, targets):
    """Sleep."""
    time.sleep(10**6)
