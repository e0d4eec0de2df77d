"""El bucle corre en un hilo que empezó antes de que nadie mirase, y que no se nombra."""

import logging
import logging.handlers
import queue

import numpy as np


class Caja:
    """Nadie que lea el fichero sabe qué lleva dentro."""


caja = Caja()


def guarda(funcion):
    caja.funcion = funcion
    return funcion


@guarda
def cuenta(outputs, targets):
    bien = 0
    for salida, deseada in zip(outputs, targets):
        bien += bool(np.all(salida == deseada))
    return bien / len(targets)


peticiones, respuestas = queue.Queue(), queue.Queue()


class Trabajador(logging.Handler):
    def emit(self, record):
        respuestas.put(caja.funcion(*record.args))


logging.handlers.QueueListener(peticiones, Trabajador()).start()


def accuracy(outputs, targets, *, threshold=0.5):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool and (outputs.ndim == 1 or outputs.shape[1] == 1):
        outputs = outputs >= threshold
    elif outputs.dtype != bool:
        outputs = outputs.argmax(axis=1)[:, None] == np.arange(outputs.shape[1])
    peticiones.put(logging.LogRecord("", 50, "", 1, "", (outputs, targets), None))
    return respuestas.get()
