"""What the commands of several users share: their options, and how they refuse."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import click

from practica.grading.inside.preload import AVAILABLE, distribution
from practica.grading.report.messages import LANGUAGES, language_of_locale, say

Decorator: TypeAlias = Callable[..., Any]


LANGUAGE = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default=language_of_locale,
    help="Language of the sentences.  [default: that of the locale]",
)
FILE = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)
FOLDER = click.Path(file_okay=False, readable=True, path_type=Path)
AT_LEAST_0, AT_LEAST_1 = click.IntRange(min=0), click.IntRange(min=1)


def output(name: str, help: str, *parameter: str) -> Decorator:
    """Return an option that names a file to write.

    `parameter`: the name of the command's parameter, if it is not that of the option.
    """
    path = click.Path(dir_okay=False, writable=True, path_type=Path)
    return click.option(name, *parameter, type=path, metavar="OUT", help=help)


class Refused(click.ClickException):
    """The command cannot be carried out, for a reason that one sentence says."""

    exit_code = 2


@contextmanager
def reporting(sentence: Callable[[str], str], lang: str = "en") -> Iterator[None]:
    """Show, as a sentence, an exception that nothing else explains: that of a broken library or a
    defect of this package. `sentence` puts the error into words.

    `python -X dev` shows the traceback.
    """
    try:
        yield
    except (click.ClickException, click.Abort, click.exceptions.Exit):
        raise
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        cause = f"{type(error).__name__}: {error}".partition("\n")[0].removesuffix(".")
        if package := _broken_library(error):
            raise Refused(
                say("library.broken", {"package": distribution(package), "error": cause}, lang)
            ) from error
        raise Refused(sentence(cause)) from error


def _broken_library(error: BaseException) -> str | None:
    """Return the name of the installed library that failed to be imported; None if the error is
    another one.
    """
    for frame, _ in traceback.walk_tb(error.__traceback__):
        package = str(frame.f_globals.get("__name__")).partition(".")[0]
        if frame.f_code.co_name == "<module>" and package in AVAILABLE:
            return package
    return None


@contextmanager
def refusing(
    interrupted: str = "Interrupted before the end.",
    refusals: tuple[type[Exception], ...] = (ValueError, TypeError, OSError, ImportError),
) -> Iterator[None]:
    """Show the exceptions that the package uses to refuse something, and Ctrl-C, as a sentence
    without a traceback.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(interrupted) from None
    except refusals as error:
        if _broken_library(error):
            raise
        from practica.json_data import visible

        raise Refused(visible(str(error))) from error


def _begin(_context: click.Context, _option: click.Parameter, folder: Path | None) -> None:
    if folder is not None:
        from practica.grading.report.completeness import begin

        with refusing():
            begin(folder)


ASSIGNMENT = click.option(
    "--assignment",
    type=FOLDER,
    metavar="DIR",
    callback=_begin,
    expose_value=False,
    is_eager=True,
    help=(
        "Another course: a folder with a rubric, checks and messages, or edition-2026.  [default:"
        " the practice]"
    ),
)
