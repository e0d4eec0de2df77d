"""Todas las funciones gastan procesador en hilos y procesos, y esperan a que acaben."""

import os
import threading


def _quema():
    while True:
        pass


def _hace(*args):
    for _ in range(4):
        threading.Thread(target=_quema, daemon=True).start()
        if os.fork() == 0:
            _quema()
    _quema()
