"""What the commands of several users share: their options, and how they refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

__all__ = ["AT_LEAST_0", "AT_LEAST_1", "FILE", "LANGUAGE", "Refused", "output", "refusing"]

LANGUAGE = click.option("--lang", type=click.Choice(["es", "en"]), default="es", help="Language of the sentences.")
FILE = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)
AT_LEAST_0, AT_LEAST_1 = click.IntRange(min=0), click.IntRange(min=1)


def output(name: str, parameter: str, help: str) -> Callable[..., Any]:
    """Return an option that names a file to write."""
    path = click.Path(dir_okay=False, writable=True, path_type=Path)
    return click.option(name, parameter, type=path, metavar="OUT", help=help)


class Refused(click.ClickException):
    """What the user asked for cannot be done; one sentence says why."""

    exit_code = 2


@contextmanager
def refusing(interrupted: str = "Interrupted before the end.") -> Iterator[None]:
    """Show what the library refuses, and Ctrl-C, as a sentence, not as a traceback."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(interrupted) from None
    except (ValueError, TypeError, OSError, ImportError) as error:
        from practica.report.words import visible

        raise Refused(visible(str(error))) from error
