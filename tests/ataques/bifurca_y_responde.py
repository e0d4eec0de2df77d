"""Returns from the call in two processes, so that there are two answers to one request."""

import os


def accuracy(outputs, targets):
    """Answer in both."""
    os.fork()
    return
