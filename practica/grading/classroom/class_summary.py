"""What an instructor sees of a class in the terminal: how far it is, what to look at, and how it
did.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.progress import ProgressColumn, Task
from rich.table import Table
from rich.text import Text

from practica.console import as_typed, in_language, indented, plain_console
from practica.grading.classroom.regrade import Change
from practica.grading.engine.result import Result
from practica.grading.report.messages import as_points, say
from practica.grading.report.questions import Exceptions
from practica.grading.report.result_table import STYLES, print_sandbox
from practica.json_data import visible


def print_exceptions(exceptions: Exceptions, lang: str = "es", file: Path | None = None) -> None:
    """Print the questions that a person has to decide, and the notes that only inform.

    `file`: a file that lists all of them; if given, only the first five notes are printed.
    """
    console = plain_console()
    needed, notes = [*map(str, exceptions.questions)], exceptions.notes
    for id, all_of_them, lines, style in (
        ("class.exceptions", needed, needed, ""),
        ("class.notes", notes, notes if file is None else notes[:5], "dim"),
    ):
        if lines:
            console.print(Text(say(id, {"count": len(all_of_them)}, lang), style=style or "bold"))
            for line in lines:
                console.print(indented(line, style=style))
            if rest := len(all_of_them) - len(lines):
                more = say("class.more", {"count": rest, "file": file}, lang)
                console.print(indented(more, style=style), soft_wrap=True)
            console.print()


def print_summary(result: Result, folder: Path, lang: str = "es", count: int = 0) -> None:
    """Print the verdicts by function, the mean and the median mark, and where the pages are.

    `count`: the questions that are still open; if there are any, how to review them is printed too.
    """
    console = plain_console()
    submissions = result.submissions
    marks = result.marks
    grid = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=0)
    grid.add_column(say("function", {}, lang), overflow="fold")
    shown = [verdict for verdict in STYLES if verdict != "manual" or result.has_manual]
    for verdict in shown:  # 80 columns have room for all, and for the longest name
        grid.add_column(
            say(f"verdict.{verdict}", {}, lang).replace(" ", "\n"),
            justify="right",
            vertical="bottom",
        )
    for name, counts in result.verdicts.items():
        grid.add_row(Text(name), *(str(counts[verdict] or "") for verdict in shown))
    console.print(grid)
    if marks:
        facts = {
            "count": len(submissions) if result.class_ is None else len(result.students),
            "marked": len(marks),
            "mean": as_points(statistics.fmean(marks)),
            "median": as_points(statistics.median(marks)),
            "most": as_points(result.rubric.max_points),
        }
        console.print(say("class.marks", facts, lang))
    if count:
        facts = {
            "count": count,
            "command": in_language(f"practica review {as_typed(folder)}", lang),
        }
        console.print(say("class.review", facts, lang), soft_wrap=True)
    print_sandbox(result.sandbox, lang=lang, console=console)
    console.print(say("class.where", {"page": folder / "index.html"}, lang), soft_wrap=True)


def print_steps(steps: Sequence[str]) -> None:
    """Print the steps that take the marks to Moodle, if there are any."""
    console = plain_console()
    for step in ("", *steps) if steps else ():
        console.print(Text(visible(step)))


def print_changes(
    changes: Sequence[Change],
    total: int,
    lang: str = "es",
    maxima: tuple[float, float] | None = None,
) -> None:
    """Print each mark that differs between two results, by how much and why.

    `total`: how many submissions were compared.
    `maxima`: the highest possible marks of both results, printed if they differ.
    """
    console = plain_console()
    if maxima is not None and maxima[0] != maxima[1]:
        facts = dict(zip(("before", "after"), map(as_points, maxima), strict=True))
        console.print(say("regrade.maximum", facts, lang), style="bold")
    for change in changes:
        both = change.before is not None and change.after is not None
        difference = f"{(change.after or 0) - (change.before or 0):+.2f}" if both else ""
        who = change.name if change.name == change.id else f"{change.name}, {change.id}"
        heading = (
            f"{who}  {as_points(change.before)} → {as_points(change.after)}  {difference}".rstrip()
        )
        console.print(Text(visible(heading, kept=""), style="bold"))
        notes = [("only_old", not change.present[1]), ("only_new", not change.present[0])]
        notes.append(("other_file", all(change.present) and not change.same_file))
        for note, holds in notes:
            if holds:
                console.print(f"  {say(f'regrade.{note}', {}, lang)}")
        for reason in change.reasons:
            console.print(indented(reason))
        for name, before, after, reasons in change.functions:
            console.print(Text(visible(f"  {name}: {before:.2f} → {after:.2f}")))
            for reason in reasons[:3]:
                console.print(indented(reason, 4))
    console.print(say("regrade.total", {"changed": len(changes), "total": total}, lang))


class Rate(ProgressColumn):
    """A column of the progress bar: submissions per minute."""

    def __init__(self, lang: str) -> None:
        super().__init__()
        self.lang = lang

    def render(self, task: Task) -> Text:
        """Return the rate so far."""
        return Text(say("class.rate", {"rate": f"{60 * (task.speed or 0):.0f}"}, self.lang))
