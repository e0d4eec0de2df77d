"""Ignores every signal that can be ignored, and every exception, and never ends."""

import contextlib
import signal

for _number in signal.valid_signals():
    with contextlib.suppress(OSError, ValueError):
        signal.signal(_number, signal.SIG_IGN)


def accuracy(outputs, targets):
    """Stay."""
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
