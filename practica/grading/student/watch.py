"""A file that is checked again whenever it is saved, with what has changed since the last time.

The file is read every third of a second, and sooner when it has changed. Notifications of the
system would need another library, do not come on the network drives where students' homes often
are, and lose the file when an editor saves by renaming a new one. Reading some kilobytes costs
nothing that can be measured.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from practica.console import plain_console, print_wrapped
from practica.grading.engine.result import CheckResult, FunctionResult, RuleResult, SubmissionResult
from practica.grading.report.messages import as_points, say
from practica.grading.report.result_table import MOST_TOLD, print_sentences
from practica.grading.report.words import LINES, said, status_of
from practica.grading.student.check import (
    Examined,
    Examiner,
    as_it_comes,
    how_to_repeat,
    show,
    what_next,
)
from practica.grading.student.problems import print_problems
from practica.json_data import visible

PAUSE = 0.3  # seconds


class Changes(NamedTuple):
    """The differences between two runs of the checks on a file, see `changes`."""

    better: list[str]
    worse: list[str]
    fixed: dict[str, list[str]]
    news: SubmissionResult


def watch(
    file: Path, functions: Collection[str] = (), *, lang: str = "es", as_lines: bool = False
) -> None:
    """Check a file now and whenever it is saved, until Ctrl-C.

    `functions`: those to check; all of them without it.
    `as_lines`: whether all problems are printed each time, in the form that editors read, and not
        only what has changed.
    """
    console = plain_console()
    last: Examined | None = None
    first = True
    with (
        Examiner(file, functions, ahead=True, lang=lang) as examiner,
        contextlib.suppress(KeyboardInterrupt),
    ):
        for _ in saves(file):
            if as_lines:
                print_problems(examiner, lang=lang)
                continue
            if last is not None:
                console.print(f"\n{time.strftime('%H:%M:%S')}", style="dim")
            try:
                with as_it_comes(examiner, only_anew=last is not None) as tell:
                    examined = examiner.examine(tell)
            except (ValueError, OSError) as error:  # half a notebook, or a file that is gone again
                if first:
                    raise
                print_wrapped(console, visible(str(error)), style="red")
                console.file.flush()
                continue
            first = False
            if last is None:
                show(examined, lang=lang, partly=bool(functions))
                print_wrapped(console, say("watch.waiting", {"file": file}, lang), style="dim")
            else:
                show_changes(last, examined, lang, console)
            console.file.flush()
            # a file that cannot be read says nothing about its functions
            if examined.submission.status == "graded":
                last = examined
    if not as_lines:
        console.print("\n" + say("watch.end", {}, lang))


def saves(file: Path, *, pause: float = PAUSE) -> Iterator[bytes]:
    """Yield the contents of a file, at once and after every change.

    A file that is being written is waited for.

    `file`: it may be gone for a while: some editors write a new file and give it the name of the
        old one.
    """
    last: bytes | None = None
    seen: bytes | None = None
    while True:
        before, seen = seen, _contents(file)
        if seen is not None and seen != last and (seen == before or last is None):
            last = seen
            yield seen
        else:
            time.sleep(pause if seen == last else pause / 3)


def _contents(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def changes(before: SubmissionResult, after: SubmissionResult) -> Changes:
    """Compare two marked states of a file.

    Returned `changes`: `better` and `worse` name the functions that now pass, or no longer pass;
        `fixed` has the checks that now pass of functions that are not right yet.
        `news` is `after` with only those rules and checks of each function that are new; what is
        the same but for its line is not.
    """
    old = {function.name: function for function in before.functions}
    better, worse, fixed, functions = [], [], {}, []
    for function in after.functions:
        known = old.get(function.name) or FunctionResult(
            function.name, function.function, None, 0, 0, "missing"
        )
        right, was_right = (each.verdict == "pass" for each in (function, known))
        if right and not was_right:
            better.append(function.name)
        if was_right and not right:
            worse.append(function.name)
        failed = [check for check in known.checks if check.verdict != "pass"]
        passing = {check.id for check in function.checks if check.verdict == "pass"}
        now = [check.id for check in failed if check.verdict == "fail" and check.id in passing]
        if now and not right:
            fixed[function.name] = now
        rules = [_without_lines(rule) for rule in known.rules]
        new = tuple(rule for rule in function.rules if _without_lines(rule) not in rules)
        checks = tuple(_new(failed, function.checks))
        is_news = new or checks or function.diagnosis != known.diagnosis
        diagnosis = function.diagnosis if is_news else None
        functions.append(replace(function, rules=new, checks=checks, diagnosis=diagnosis))
    return Changes(better, worse, fixed, replace(after, functions=tuple(functions)))


def _new(before: Sequence[CheckResult], checks: Sequence[CheckResult]) -> list[CheckResult]:
    """Return the checks that fail anew, and those that were hidden behind the failures shown
    `before`.
    """
    known = [_without_lines(check) for check in before]
    wrong = [check for check in checks if check.verdict != "pass"]
    due = [check for check in wrong[:MOST_TOLD] if _without_lines(check) not in known[:MOST_TOLD]]
    return [check for check in wrong if _without_lines(check) not in known or check in due]


def _without_lines(item: RuleResult | CheckResult) -> RuleResult | CheckResult:
    """Return a rule or a check without the numbers of lines, which change when another part of the
    file is written.
    """
    facts = {name: value for name, value in item.facts.items() if name not in LINES}
    if isinstance(item, RuleResult):
        return replace(item, facts=facts, line=None)
    return replace(item, facts=facts)


def show_changes(first: Examined, second: Examined, lang: str, console: Console) -> None:
    """Print what has changed between two examinations of a file."""
    before, after = first.submission, second.submission
    if after.status != "graded":
        print_wrapped(console, visible(status_of(said(after, lang), lang)), style="red")
        return
    better, worse, fixed, new = changes(before, after)
    points = {"before": as_points(before.points), "after": as_points(after.points)}
    facts = {**points, "most": as_points(after.max_points)}
    same = points["before"] == points["after"]
    print_wrapped(console, say("watch.same_points" if same else "watch.points", facts, lang))
    for key, names, style in (("watch.better", better, "green"), ("watch.worse", worse, "red")):
        if names:
            told = say(key, {"functions": ", ".join(names)}, lang)
            print_wrapped(console, told, style=style)
    for name, checks in fixed.items():
        told = say("watch.fixed", {"function": name, "ids": ", ".join(checks)}, lang)
        print_wrapped(console, told, style="green")
    news = print_sentences(new, lang=lang, console=console)
    for warning in second.warnings:
        if warning not in first.warnings:
            print_wrapped(console, visible(warning))
    if (repeat := how_to_repeat(after, lang=lang)) and not how_to_repeat(before, lang=lang):
        print_wrapped(console, repeat)
    if (following := what_next(after, lang=lang)) and (
        better or following != what_next(before, lang=lang)
    ):
        print_wrapped(console, following)
    elif not (better or worse or fixed or news):
        print_wrapped(console, say("watch.same", {}, lang))
