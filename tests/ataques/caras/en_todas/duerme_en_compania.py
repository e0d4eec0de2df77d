"""Todas las funciones duermen mientras cincuenta hilos despiertan a la vez y se esperan unos a otros."""

import os
import threading
import time
import zlib

_DATOS = b"x" * 2_000_000
_CADA = 1.2


def _despierta():
    while True:
        ahora = time.monotonic()
        time.sleep((int(ahora / _CADA) + 1) * _CADA - ahora)
        zlib.crc32(_DATOS)


def _hace(*_, **__):
    os.sched_setaffinity(0, {0})
    for _ in range(50):
        threading.Thread(target=_despierta, daemon=True).start()
    time.sleep(1000)
