"""What the terminal shows: sentences, tables, warnings as lines, how far long work has come, and
Ctrl-C.
"""

from __future__ import annotations

import math
import os
import re
import shlex
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TypeVar

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from practica.json_data import visible

NARROWEST = 40  # columns into which text is wrapped
Result = TypeVar("Result")


def as_typed(path: str | os.PathLike[str]) -> str:
    """Return a path as a shell takes it: in quotes if it has blanks or other special characters.

    >>> as_typed("práctica/solucion.py")
    'práctica/solucion.py'
    """
    text = os.fspath(path)
    if re.fullmatch(r"[\w@%+=:,./\\-]+", text):
        return text
    return subprocess.list2cmdline([text]) if os.name == "nt" else shlex.quote(text)


def in_language(command: str, lang: str) -> str:
    """Add the option of a language to a command, except for Spanish, the default."""
    return command if lang == "es" else f"{command} --lang {lang}"


def plain_console(*, stderr: bool = False) -> Console:
    """Return a console that shows names of files, columns and classes as they are.

    They may look like markup or an :emoji:, and digits have no colour.
    """
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


def indented(text: str, blanks: int = 2, style: str = "") -> Padding:
    """Return text that the terminal wraps with some blanks before each line."""
    return Padding(Text(visible(text, kept=""), style), (0, 0, 0, blanks), expand=False)


def print_wrapped(
    console: Console, text: str, *, indent: str = "", style: str = "", always: bool = False
) -> None:
    """Print text, wrapped between words if it goes to a terminal.

    The lines after the first are indented by two more. `indent`: what each line begins with.
    `always`: whether text for a file or a pipe is wrapped too.
    """
    wrapper = textwrap.TextWrapper(
        max(console.width, NARROWEST) if console.is_terminal or always else sys.maxsize,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )
    for line in text.split("\n"):
        for part in wrapper.wrap(line) or [""]:
            console.print(Text(part, style=style), soft_wrap=True)


def print_lines(*lines: str) -> None:
    """Print sentences, wrapped between words when printing to a terminal."""
    console = plain_console()
    for line in lines:
        print_wrapped(console, line)
    console.file.flush()


def print_grid(title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table of strings, its title above and an empty line below.

    Only the first column is aligned left.

    What is wider than the terminal is printed in several parts, each with the first column.
    """
    console, lines = plain_console(), [*rows]
    widths = [max(map(len, column)) for column in zip(header, *lines, strict=True)]
    if title:
        console.print(title, style="bold", soft_wrap=True)
    for part in _columns_that_fit(widths, console.width):
        grid = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
        grid.add_column(header[0], overflow="fold")
        for place in part:
            grid.add_column(header[place], justify="right", no_wrap=True)
        for row in lines:
            grid.add_row(row[0], *(row[place] for place in part))
        console.print(grid)
        console.print()


def _columns_that_fit(widths: Sequence[int], room: int) -> list[list[int]]:
    """Return the positions of the columns after the first, split into parts that fit beside it in
    `room` characters, two spaces between columns.
    """
    parts: list[list[int]] = [[]]
    for place in range(1, len(widths)):
        wide = widths[0] + sum(2 + widths[other] for other in [*parts[-1], place])
        if parts[-1] and wide > room:
            parts.append([])
        parts[-1].append(place)
    return parts


@contextmanager
def progress_bar(
    *more: ProgressColumn, every: float = math.inf
) -> Iterator[Callable[[str, int, int], None]]:
    """Draw a bar on stderr if that is a terminal; yield report(title, done, total), which moves the
    bar.

    `more`: columns between the count and the time that is left.
    `every`: seconds after which a report to a file or a pipe is printed as a line.
    """
    console = plain_console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        *more,
        TimeRemainingColumn(),
    )
    hidden = not console.is_terminal
    with Progress(
        *columns, console=console, transient=True, disable=hidden, speed_estimate_period=60
    ) as bar:
        task = bar.add_task("", total=None)
        last = time.monotonic()

        def report(title: str, done: int, total: int) -> None:
            nonlocal last
            bar.update(task, description=title, completed=done, total=total)
            if hidden and time.monotonic() - last >= every:
                last = time.monotonic()
                print(f"{title} {done}/{total}".strip(), file=sys.stderr, flush=True)

        yield report


@contextmanager
def warnings_as_lines() -> Iterator[None]:
    """Print each warning meant for users once, as one line on stderr; those for programmers are not
    shown.
    """
    seen = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        if str(message) not in seen:
            seen.add(str(message))
            print(f"warning: {message}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        # a line says in which folds a metric is not a number
        warnings.filterwarnings("ignore", r"R\^2 score is not well-defined", UserWarning)
        warnings.showwarning = show
        yield


@contextmanager
def ending_at_sigterm() -> Iterator[None]:
    """Let SIGTERM end the block as Ctrl-C does, so that no unfinished file stays."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one would disturb the first
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def interruptible(work: Callable[[], Result]) -> Result:
    """Return the result of `work`, done on a thread of its own so that Ctrl-C takes effect at once.

    Python only reacts to it in the main thread, between two instructions, and a model may compute
    in C for minutes.
    """
    outcome: Future[Result] = Future()

    def run() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return outcome.result()
