"""Sends its answer one byte at a time, for ever."""

import os
import time


def accuracy(outputs, targets):
    """Drip."""
    while True:
        os.write(3, b"p")
        time.sleep(0.2)
