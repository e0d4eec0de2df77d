"""The command line: one command per user story, no logic.

    options              what the commands of several users share: their options, and how they
                         refuse
    spoken               commands in the language of a folder
    students             new, check
    instructors          grade, review, report, regrade
    researchers          demo, cv, compare

Everything but click is imported when a command runs, so that the help opens at once. The student
kit (`scripts/build_kit.py`) has the commands of students only.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from typing import Any

import click

from practica import __version__
from practica.cli.options import reporting
from practica.cli.spoken import SpokenGroup
from practica.grading.report.logs import brief

__all__ = ["main"]

USERS = ("students", "instructors", "researchers")


# the kit has no other commands
ONLY_STUDENTS = importlib.util.find_spec(f"{__name__}.instructors") is None


class Commands(SpokenGroup if ONLY_STUDENTS else click.Group):  # type: ignore[misc]
    """A group of commands that ends on Ctrl-C with a sentence."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the chosen command."""
        # or it leaves a folder where the user works
        os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", os.devnull)
        brief()
        for name in ("stdout", "stderr"):
            if getattr(sys, name) is None:  # closed, as for some services
                setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - to the end of the process
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                # a terminal that has no ± still gets its table
                stream.reconfigure(errors="replace")
        try:
            with reporting("practica itself has failed: {}".format):
                return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            click.echo(f"\n{str(stop) or 'Interrupted before the end.'}", err=True)
            sys.stdout.flush()
            # 128 + SIGINT; without a farewell, which threads in the middle of a training do
            # not survive
            os._exit(130)


@click.group(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
@click.version_option(__version__, prog_name="practica")
def main() -> None:
    """Evaluate a neural network honestly: stratified cross-validation with seven metrics, and its
    practice, graded.
    """


for user in USERS:
    if importlib.util.find_spec(f"{__name__}.{user}"):
        for command in importlib.import_module(f"{__name__}.{user}").COMMANDS:
            main.add_command(command)
