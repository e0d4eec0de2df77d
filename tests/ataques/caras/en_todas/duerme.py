"""Todas las funciones duermen."""

import time


def _hace(*args):
    time.sleep(3600)
