"""Commands of students: check their own work."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from practica.cli.options import LANGUAGE, SUBMISSION, refusing

__all__ = ["COMMANDS"]


@click.command()
@click.argument("file", type=SUBMISSION)
@LANGUAGE
def check(file: Path, lang: str) -> None:
    """Check one's own FILE with the checks of the grader.

    It runs on this machine with the rights of who runs it. Each failure comes with its smallest example and a line that
    repeats it. The exit code is 0 if every function passed, 1 if something did not, 2 if the checks could not run.
    """
    from practica.grader import session

    with refusing():
        code = session.check(file, lang=lang)
    sys.exit(code)


COMMANDS = (check,)
