"""What the commands of several users share: their options, and how they refuse."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

__all__ = ["LANGUAGE", "SUBMISSION", "Refused", "refusing"]

LANGUAGE = click.option("--lang", type=click.Choice(["es", "en"]), default="es", help="Language of the sentences.")
SUBMISSION = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)


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
        raise Refused(str(error)) from error
