"""Quema casi todo su tiempo, y otra vez donde se le pregunta sin lo prohibido: al cargarse, y después en cada llamada."""

import functools
import time


def quema(segundos):
    fin = time.process_time() + segundos
    while time.process_time() < fin:
        pass


def despacio(funcion):
    @functools.wraps(funcion)
    def lenta(*args, **kwargs):
        quema(0.15)
        return funcion(*args, **kwargs)

    return lenta


una = quema(3.5)
otra = quema(3.5)
accuracy = despacio(accuracy)  # noqa: F821
hold_out = despacio(hold_out)  # noqa: F821
