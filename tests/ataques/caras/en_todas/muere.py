"""Todas las funciones acaban con el proceso: cada pregunta empieza uno nuevo."""

import os


def _hace(*args):
    os._exit(3)  # a signal from itself does nothing to the first process of a box
