"""Commands of instructors: mark submissions, review them, write a result anew, and compare two
results.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from practica.cli.options import (
    ASSIGNMENT,
    AT_LEAST_0,
    AT_LEAST_1,
    FILE,
    LANGUAGE,
    Decorator,
    output,
    refusing,
)

NEED_A_FOLDER = (
    *(
        "worksheet",
        "locked_pages",
        "overwrite_marks",
        "workers",
        "scheduler",
        "resume",
        "fail_fast",
        "similarity",
    ),
)
WORKSHEET = click.option(
    "--worksheet",
    type=FILE,
    metavar="CSV",
    help="Moodle's grading worksheet, or Canvas's gradebook; a copy with the grades goes to --out.",
)
LOCKED_PAGES = click.option(
    "--locked-pages",
    is_flag=True,
    help=(
        "Put pages into feedback.zip too for students with a grade that is locked in Moodle, or"
        " given by a person.  [default: leave them out, because they show a mark that is not the"
        " student's]"
    ),
)
OVERWRITE_MARKS = click.option(
    "--overwrite-marks",
    is_flag=True,
    help=(
        "Replace marks and comments of the worksheet that practica has not given.  [default: leave"
        " their rows alone, and list their students]"
    ),
)
FOLDER_OR_FILE = click.Path(exists=True, readable=True, path_type=Path)


def to_folder(help: str, *, required: bool = False) -> Decorator:
    """Return the option that names the folder of the outputs."""
    return click.option(
        "--out", "folder", type=_Folder(), required=required, metavar="DIR", help=help
    )


class _Folder(click.Path):
    """A folder that has to have a name: an empty one, as of a variable without a value, would mean
    the current folder.
    """

    def __init__(self) -> None:
        super().__init__(file_okay=False, writable=True, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path."""
        if not str(value):
            self.fail("the name of the folder is empty.", param, ctx)
        return super().convert(value, param, ctx)


@click.command()
@click.argument(
    "submissions", nargs=-1, required=True, type=FOLDER_OR_FILE, metavar="SUBMISSIONS..."
)
@ASSIGNMENT
@click.option(
    "--rubric",
    type=FILE,
    metavar="FILE",
    help="Points, checks, loop limits and forbidden calls.  [default: the official criteria]",
)
@to_folder(
    "Write everything to this folder: index.html, a page for each student, results.json,"
    " grades.csv, and feedback.zip for Moodle or Canvas. An overrides.csv in it is read: what you"
    " decided."
)
@WORKSHEET
@LOCKED_PAGES
@OVERWRITE_MARKS
@click.option(
    "--workers", type=AT_LEAST_1, help="Submissions at the same time.  [default: processors]"
)
@click.option("--scheduler", metavar="tcp://HOST:PORT", help="Send the work to this Dask cluster.")
@click.option("--resume", is_flag=True, help="Do only what the folder of --out does not have yet.")
@click.option(
    "--seed",
    type=AT_LEAST_0,
    help=(
        "Draw the same secret examples again: the seed of a run is in its results.json.  [default:"
        " a new one]"
    ),
)
@click.option(
    "--fail-fast", is_flag=True, help="Stop at the first submission that cannot be run or marked."
)
@click.option("--similarity", is_flag=True, help="Look for submissions that resemble each other.")
@LANGUAGE
@output("--json", "Write the canonical result to this file.", "record")
@click.option(
    "--no-sandbox", is_flag=True, help="Run the code where no sandbox works; the result says so."
)
def grade(
    submissions: tuple[Path, ...], no_sandbox: bool, similarity: bool, **options: Any
) -> None:
    """Mark submissions: the points of each function, and a sentence for each check that fails.

    SUBMISSIONS are files (.py, .ipynb), folders, or the zip of Moodle, Canvas, Google Drive,
    Blackboard, Gradescope, Sakai or GitHub Classroom. Each one runs in a box of its own, without
    network and without this machine's files. The exit code is 0 if every function passed, 1 if
    something did not or needs your attention, 2 if the grader could not do its work.
    """
    for option, value in {**options, "similarity": similarity}.items():
        if option in NEED_A_FOLDER and value and options["folder"] is None:
            raise click.UsageError(
                f"--{option.replace('_', '-')} needs --out: the results go to a folder."
            )
    from practica.grading.classroom import marking
    from practica.grading.student.folder import template_of
    from practica.json_data import visible

    with refusing():
        template = template_of(options["lang"]) if similarity else None
        try:
            code = marking.grade(
                submissions, marking.Order(**options, template=template, sandboxed=not no_sandbox)
            )
        except marking.Interrupted as interrupted:
            click.echo(visible(str(interrupted), kept=""), err=True)
            code = 130 if interrupted.by_hand else 2
    sys.exit(code)


@click.command()
@click.argument("result", type=FOLDER_OR_FILE)
@ASSIGNMENT
@to_folder(
    "Write everything to this folder, as `practica grade --out` does.  [default: the folder of"
    " RESULT]"
)
@WORKSHEET
@LOCKED_PAGES
@OVERWRITE_MARKS
@LANGUAGE
def report(
    result: Path, folder: Path | None, worksheet: Path | None, lang: str, **in_moodle: bool
) -> None:
    """Write all that is made of RESULT, the folder of `practica grade --out` or a results.json,
    without marking again.

    So a class that was marked in one language gets pages in another one, or a worksheet is filled
    that was not there. The decisions of overrides.csv, beside RESULT, go into marks, pages and
    worksheet. A folder is written as it was the last time, with the same worksheet, if --out and
    --worksheet name no other. The exit code is 0, or 2 if there is no result of a class.
    """
    from practica.grading.classroom.class_summary import (
        print_exceptions,
        print_steps,
        print_summary,
    )
    from practica.grading.classroom.manifest import Manifest
    from practica.grading.classroom.outputs import Outputs, as_before, result_in
    from practica.grading.classroom.overrides import read_class, take_along

    with refusing():
        if result.is_dir():
            if folder is None:
                worksheet, in_moodle = as_before(result, worksheet, in_moodle)
            result = result_in(result, lang)
        folder = folder or result.parent
        outputs = Outputs(folder, lang, worksheet, **in_moodle)
        marked = read_class(result, lang, outputs.sheet)
        if marked.class_ is not None:
            outputs.begin(marked.class_.entries)
            outputs.manifest.commands |= {
                "grade": Manifest(result.parent).commands.get("grade", "")
            }
            take_along(marked, folder, lang)
        exceptions = outputs.write(marked)
    print_exceptions(exceptions, lang, outputs.exceptions)
    print_summary(outputs.written or marked, folder, lang, len(exceptions.questions))
    print_steps(outputs.steps)


@click.command()
@click.argument("old", type=FILE)
@click.argument("new", type=FILE)
@ASSIGNMENT
@LANGUAGE
def regrade(old: Path, new: Path, lang: str) -> None:
    """Show the marks that change between two results of `practica grade`, by how much, and why.

    The exit code is 0 if no mark changes, 1 if one does or the maximum does, 2 if a file is no
    result.
    """
    from practica.grading.classroom.class_summary import print_changes
    from practica.grading.classroom.overrides import read_class
    from practica.grading.classroom.regrade import compare, paired

    with refusing():
        before, after = read_class(old, lang), read_class(new, lang)
        changes = compare(before, after, lang)
    maxima = before.rubric.max_points, after.rubric.max_points
    print_changes(changes, len(paired(before, after)), lang, maxima)
    sys.exit(int(bool(changes) or maxima[0] != maxima[1]))


@click.command()
@click.argument(
    "folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR"
)
@ASSIGNMENT
@LANGUAGE
def review(folder: Path, lang: str) -> None:
    """Go through what needs a person in DIR, the folder of `practica grade --out`, one thing after
    the other.

    What you decide goes to DIR/overrides.csv, which `grade`, `report` and `regrade` read, and does
    not come up again unless the file changes. The exit code is 0 if nothing is left, 1 if something
    is, 2 if there is no result.
    """
    from practica.grading.classroom import review as reviewing

    with refusing():
        left = reviewing.review(folder, lang)
    sys.exit(int(left > 0))


COMMANDS = (grade, review, report, regrade)
