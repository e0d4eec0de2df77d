"""Todas las funciones gastan procesador sin fin."""


def _hace(*args):
    while True:
        pass
