"""Commands of instructors: mark submissions."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from practica.cli.options import LANGUAGE, SUBMISSION, refusing

__all__ = ["COMMANDS"]


@click.command()
@click.argument("files", nargs=-1, required=True, type=SUBMISSION, metavar="FILE...")
@click.option(
    "--rubric",
    type=SUBMISSION,
    metavar="FILE",
    help="Points, checks, loop limits and forbidden calls.  [default: the official criteria]",
)
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, writable=True, path_type=Path),
    metavar="DIR",
    help="Write resultado.json, index.html, and a page and a text for each submission to this folder.",
)
@LANGUAGE
@click.option(
    "--json",
    "record",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="OUT",
    help="Write the canonical result to this file.",
)
@click.option("--no-sandbox", is_flag=True, help="Run the code where no sandbox works; the result says so.")
def grade(
    files: tuple[Path, ...], rubric: Path | None, folder: Path | None, lang: str, record: Path | None, no_sandbox: bool
) -> None:
    """Mark submissions: the points of each function, and a sentence for each check that fails.

    Each FILE runs in a box of its own, without network and without this machine's files. The exit code is 0 if every
    function passed, 1 if something did not, 2 if the grader could not do its work.
    """
    from practica.grader import session

    with refusing():
        code = session.grade(files, rubric=rubric, folder=folder, lang=lang, record=record, sandboxed=not no_sandbox)
    sys.exit(code)


COMMANDS = (grade,)
