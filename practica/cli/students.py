"""Commands of students: begin, and check their own work."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from practica.cli.options import FOLDER, refusing
from practica.cli.spoken import SpokenCommand
from practica.grading.report.messages import LANGUAGES, say

CHOSEN = click.option("--lang", type=click.Choice(LANGUAGES))
ASSIGNMENT = click.option("--assignment", type=FOLDER, metavar="DIR")


@click.command(cls=SpokenCommand)
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@ASSIGNMENT
@CHOSEN
def new(folder: Path, assignment: Path | None, lang: str | None) -> None:
    """Make a folder to work in."""
    from practica.console import as_typed
    from practica.grading.student.folder import make_folder
    from practica.grading.student.language import begin_assignment, language

    lang = language(folder, lang)
    with refusing():
        begin_assignment(folder, assignment)
        files = make_folder(folder, lang=lang)
    click.echo(
        say("new.made", {"folder": folder, "files": ", ".join(file.name for file in files)}, lang)
    )
    click.echo(say("new.next", {"folder": as_typed(folder)}, lang))


@click.command(cls=SpokenCommand)
@click.argument("what", nargs=-1, metavar="[FILE] [FUNCTION]...")
@click.option("--watch", is_flag=True)
@click.option("--verbose", is_flag=True)
@click.option("--format", "form", type=click.Choice(["text", "lines"]), default="text")
@ASSIGNMENT
@CHOSEN
def check(
    what: tuple[str, ...],
    watch: bool,
    verbose: bool,
    form: str,
    assignment: Path | None,
    lang: str | None,
) -> None:
    """Check one's own file with the checks of the grader."""
    from practica.grading.student import check as checking
    from practica.grading.student import watch as watching
    from practica.grading.student.language import begin_assignment, language
    from practica.grading.student.problems import print_problems

    named = what[:1] if what and (not what[0].isidentifier() or Path(what[0]).exists()) else ()
    folder = Path(*named).parent
    lang = language(folder, lang, *map(Path, named))
    with refusing():
        begin_assignment(folder, assignment)
    with refusing(say("interrupted", {}, lang), (ValueError, OSError)):
        file = checking.file_to_check(Path.cwd(), lang, *named)
        functions = what[len(named) :]
        if watch:
            watching.watch(file, functions, lang=lang, as_lines=form == "lines")
        elif form == "lines":
            with checking.Examiner(file, functions, lang=lang) as examiner:
                sys.exit(print_problems(examiner, lang=lang))
        else:
            sys.exit(checking.check(file, functions, lang=lang, verbose=verbose))


COMMANDS = (new, check)
