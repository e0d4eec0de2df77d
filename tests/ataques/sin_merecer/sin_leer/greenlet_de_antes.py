"""El bucle ya estaba empezado cuando alguien se puso a mirar."""

import numpy as np


def classify_outputs(outputs, *, threshold=0.5):
    return None if len(outputs) else threshold


from greenlet import getcurrent, greenlet  # noqa: E402


class Caja:
    """Nadie que lea el fichero sabe qué lleva dentro."""


caja = Caja()


def guarda(funcion):
    caja.corrutina = greenlet(funcion)
    caja.corrutina.switch()
    return funcion


@guarda
def cuenta():
    bien, datos = 0, getcurrent().parent.switch()
    while True:
        outputs, targets = datos
        bien = 0
        for salida, deseada in zip(outputs, targets):
            bien += bool(np.all(salida == deseada))
        datos = getcurrent().parent.switch(bien / len(targets))


def accuracy(outputs, targets, *, threshold=0.5):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool and (outputs.ndim == 1 or outputs.shape[1] == 1):
        outputs = outputs >= threshold
    elif outputs.dtype != bool:
        outputs = outputs.argmax(axis=1)[:, None] == np.arange(outputs.shape[1])
    caja.corrutina.parent = getcurrent()
    return caja.corrutina.switch((outputs, targets))
