"""What the command line shows: the results as a table, and how far long work has come."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from practica.experiments.experiment import Experiment, Settings
from practica.experiments.tables import Table

__all__ = [
    "described",
    "print_grid",
    "print_heading",
    "print_lines",
    "print_results",
    "progress_bar",
    "warnings_as_lines",
]


def _plain_console(*, stderr: bool = False) -> Console:
    # Names of files, columns and classes are shown as they are: no markup, no :emoji:, no colours for digits.
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


def print_heading(table: Table, settings: Settings) -> None:
    """Say what was read and what is going to happen, before it takes its time."""
    print_lines(
        *described(table),
        f"{settings.folds} folds, {_counted(settings.executions, 'network')} per fold, "
        f"{_counted(settings.epochs, 'epoch')} at most, seed {settings.seed}",
    )


def print_lines(*lines: str) -> None:
    """Print sentences that the terminal breaks where it likes."""
    console = _plain_console()
    for line in lines:
        console.print(line, soft_wrap=True)
    console.file.flush()


def described(table: Table) -> tuple[str, str]:
    """Say in two lines what was read."""
    sizes = [f"{label} {size}" for label, size in table.class_sizes().items()]
    if len(sizes) == 2:
        sizes[0] += " (positive)"
    return (
        f"{table.name}: {len(table.inputs)} patterns, {_counted(len(table.attributes), 'attribute')}, "
        f"{len(sizes)} classes",
        f"Classes: {', '.join(sizes[:10])}{', ...' if len(sizes) > 10 else ''}",
    )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def print_results(experiment: Experiment) -> None:
    """Print mean ± standard deviation over the folds, a metric per row and a model per column; the time comes last."""
    outcomes = experiment.outcomes.values()
    grid = Grid(box=box.SIMPLE_HEAD)
    grid.add_column("mean ± std", no_wrap=True)
    for outcome in outcomes:
        grid.add_column(outcome.model.title, justify="right")
    pairs = [outcome.result._asdict() for outcome in outcomes]
    for metric in pairs[0]:
        grid.add_row(metric, *(f"{pair[metric].mean:.3f} ± {pair[metric].std:.3f}" for pair in pairs))
    grid.add_row("time", *(f"{outcome.seconds:.2f} s" for outcome in outcomes))
    _plain_console().print(grid)


def print_grid(title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table of texts under its title; the first column is to the left, the others to the right."""
    compact: dict[str, Any] = {"box": box.SIMPLE_HEAD, "show_edge": False, "pad_edge": False, "collapse_padding": True}
    grid = Grid(title=f"\n{title}", title_justify="left", title_style="bold", **compact)
    grid.add_column(header[0], overflow="fold")
    for name in header[1:]:
        grid.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        grid.add_row(*row)
    _plain_console().print(grid)


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """Draw a bar on stderr for as long as the block lasts, when somebody is watching.

    Yields
    ------
    report : callable
        report(title, done, total) moves the bar.
    """
    console = _plain_console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        yield lambda title, done, total: bar.update(task, description=title, completed=done, total=total)


@contextmanager
def warnings_as_lines() -> Iterator[None]:
    """Print each warning to the user once, as one line on stderr; warnings to programmers are kept back."""
    seen = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        if str(message) not in seen:
            seen.add(str(message))
            print(f"warning: {message}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield
