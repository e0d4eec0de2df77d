"""Leaves daemons behind, which try to outlive it."""

import contextlib
import os
import signal
import time


def _detach():
    if os.fork():
        return
    with contextlib.suppress(OSError):
        os.setsid()
    if os.fork():
        os._exit(0)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    os.closerange(0, 100)
    while True:
        time.sleep(0.05)


for _ in range(5):
    _detach()


def children():
    """Count the processes in sight."""
    return sum(name.isdecimal() for name in os.listdir("/proc"))


def accuracy(outputs, targets):
    """Know nothing."""
    return
