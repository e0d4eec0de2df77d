"""Asks for more memory than one process may have."""

import numpy as np


def accuracy(outputs, targets):
    """Ask for 64 GiB."""
    return float(np.ones(1 << 33).mean())
