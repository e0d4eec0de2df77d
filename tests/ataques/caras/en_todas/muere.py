"""Todas las funciones acaban con el proceso: cada pregunta empieza uno nuevo."""

import os


def _hace(*args):
    os.kill(os.getpid(), 9)
