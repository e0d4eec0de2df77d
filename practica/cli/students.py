"""Commands of students: begin, and check their own work."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from practica.cli.options import CHOSEN, refusing

__all__ = ["COMMANDS"]


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@CHOSEN
def new(folder: Path, lang: str | None) -> None:
    """Make a folder DIR to work in.

    It gets solucion.py with the headers of all functions, the statement and a notebook. What exists is left alone.
    """
    from practica.report.messages import say
    from practica.student.folder import make_folder
    from practica.student.language import language

    lang = language(folder, lang)
    with refusing():
        files = make_folder(folder, lang=lang)
    click.echo(say("new.made", {"folder": folder, "files": ", ".join(file.name for file in files)}, lang))
    click.echo(say("new.next", {"folder": folder}, lang))


@click.command()
@click.argument("what", nargs=-1, metavar="[FILE] [FUNCTION]...")
@click.option("--watch", is_flag=True, help="Check again whenever FILE is saved, and show what has changed.")
@CHOSEN
def check(what: tuple[str, ...], watch: bool, lang: str | None) -> None:
    """Check one's own FILE with the checks of the grader: all of it, or some FUNCTIONs.

    FILE is a file of Python or a notebook; without it, solucion.py or the only notebook of the folder. It runs on this
    machine with the rights of who runs it. Each failure comes with its smallest example and a line that repeats it.
    What has not changed since the last time does not run again. The exit code is 0 if every function passed, 1 if
    something did not, 2 if the checks could not run.
    """
    from practica.report.messages import say
    from practica.student import check as checking
    from practica.student import watch as watching
    from practica.student.language import language

    named = what[:1] if what and (not what[0].isidentifier() or Path(what[0]).exists()) else ()
    lang = language(Path(*named).parent, lang)
    with refusing(say("interrupted", {}, lang)):
        file = checking.file_to_check(Path.cwd(), lang, *named)
        functions = what[len(named) :]
        if watch:
            watching.watch(file, functions, lang=lang)
        else:
            sys.exit(checking.check(file, functions, lang=lang))


COMMANDS = (new, check)
