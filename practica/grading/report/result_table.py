"""What an instructor or a student sees of a result: a table, and a sentence for everything that is
not right.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from practica.console import as_typed, plain_console, print_wrapped
from practica.grading.engine.result import FunctionResult, RuleResult, SubmissionResult
from practica.grading.report.failure import failure_lines
from practica.grading.report.messages import as_points, principle, say
from practica.grading.report.words import (
    Cells,
    SaidCheck,
    SaidRule,
    at_line,
    said,
    shared_rules,
    status_of,
)
from practica.json_data import visible

STYLES = {
    "pass": "green",
    "fail": "red",
    "rule": "red",
    "missing": "yellow",
    "not_run": "yellow",
    "manual": "cyan",
}
BESIDE_NAMES = 42  # columns of the table that are not the name's
MOST_LISTED = 4  # checks that are named beside the one that is described
# checks of a function that are described in full; the others most often have the same cause
MOST_TOLD = 1


def print_sandbox(level: str, *, lang: str = "es", console: Console | None = None) -> None:
    """Print at which level of isolation the code ran."""
    (console or plain_console()).print(Text(say(f"sandbox.{level}", {}, lang), style="dim"))


def print_submission(
    submission: SubmissionResult,
    *,
    lang: str = "es",
    whose: bool = False,
    console: Console | None = None,
) -> None:
    """Print one submission.

    With `whose` its id stands before the name of its file, which others may have too.
    """
    console = console or plain_console()
    is_named = whose and Path(submission.file).stem != submission.id
    file = f"{submission.id}: {submission.file}" if is_named else submission.file
    print_total(replace(submission, file=file), lang=lang, console=console)
    if submission.functions and submission.status != "not_run":
        console.print(_table(submission, lang, console.width))
    print_sentences(submission, lang=lang, console=console)
    console.print()


def print_verdict(
    function: FunctionResult, *, lang: str = "es", console: Console | None = None
) -> None:
    """Print one function with its points and its verdict, in a line of its own."""
    verdict = function.verdict
    word = say(f"verdict.{verdict}", {}, lang)
    line = Text.assemble(
        f"{as_points(function.points):>4} ", (f"{word:<6}", STYLES[verdict]), f" {function.name}"
    )
    (console or plain_console()).print(line, soft_wrap=True)


def print_total(
    submission: SubmissionResult, *, lang: str = "es", console: Console | None = None
) -> None:
    """Print the mark of a submission, or why there is none."""
    console = console or plain_console()
    heading = (
        f"{submission.file}  {as_points(submission.points)} / {as_points(submission.max_points)}"
    )
    console.print(Text(visible(heading, kept=""), style="bold"))
    if submission.status != "graded":
        reason = status_of(said(submission, lang), lang)
        console.print(Padding(Text(_indented(reason), style="red"), (0, 0, 0, 2)))


def print_sentences(
    submission: SubmissionResult,
    *,
    lang: str = "es",
    console: Console | None = None,
    ids: bool = False,
) -> bool:
    """Print what is not right in a submission, function by function, and return whether there was
    anything.
    """
    console = console or plain_console()
    told = list(sentences(submission, lang=lang, ids=ids))
    for heading, lines in told:
        console.print()
        console.print(Text(heading, style="bold"))
        for line in lines:
            if line.startswith(" "):  # a line to copy stays one line
                console.print(Text(f"  {_indented(line)}"), soft_wrap=True)
            else:
                print_wrapped(console, _indented(line), indent="  ", always=True)
    return bool(told)


def _indented(text: str) -> str:
    """Indent all lines of some text but the first, so that none looks like a line of the report."""
    return visible(text).replace("\n", "\n      ")


def sentences(
    submission: SubmissionResult, *, lang: str = "es", ids: bool = False
) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of each function that is not right, or has advice, with the lines about it.

    What all functions share comes first, once, under a heading of its own.

    `ids`: whether the lines end with the ids of the checks that failed.
    """
    cells = submission.cells or ()
    shared, functions = shared_rules(said(submission, lang).functions)
    if submission.reason is not None:  # it was said with the status
        shared = tuple(rule for rule in shared if rule.id != submission.reason.message)
    if shared:
        yield say("same_rule", {}, lang), [_rule_line(rule, cells, lang) for rule in shared]
    if submission.status == "not_run":
        return
    for function in functions:
        lines = [
            _rule_line(rule, cells, lang) for rule in function.rules if not says_only_missing(rule)
        ]
        if function.verdict != "missing":
            wrong, told_in_full = function.failed, function.news[:MOST_TOLD]
            lines += [function.likely] if function.likely else []
            known = function.diagnosis
            named = known is not None and known.how != "seen"
            for check in told_in_full:
                lines += failure_lines(check, lang, named=named, guess=known is None)
                lines += _next_lines(check, lang)
            explained = known.explains if known else ()
            lines += _others(wrong[len(told_in_full) :], explained, lang)
            if ids:
                lines += [
                    "  " + say("others.ids", {"ids": [check.id for check in wrong]}, lang)
                ] * bool(wrong)
        if lines:
            yield function.name, lines


def _folded(name: str, width: int) -> str:
    r"""Split a name into lines of at most `width` characters, after one of its words.

    >>> _folded("normalize_zero_mean_", 12)
    'normalize_\nzero_mean_'
    """
    lines = [""]
    for word in re.findall(r"[^_]*_*", name):
        if lines[-1] and len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] += word
    return "\n".join(lines)


def _table(submission: SubmissionResult, lang: str, width: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column(say("function", {}, lang))
    for heading in ("points", "checks", "verdict"):
        table.add_column(
            say(heading, {}, lang),
            justify="left" if heading == "verdict" else "right",
            no_wrap=True,
        )
    room = max(20, width - BESIDE_NAMES)
    for function in submission.functions:
        verdicts = [check.verdict for check in function.checks]
        passed = say("passed", {"passed": verdicts.count("pass"), "total": len(verdicts)}, lang)
        verdict = function.verdict
        table.add_row(
            Text(_folded(function.name, room)),
            f"{as_points(function.points)} / {as_points(function.max_points)}",
            passed,
            Text(say(f"verdict.{verdict}", {}, lang), style=STYLES[verdict]),
        )
    table.add_section()
    total = f"{as_points(submission.points)} / {as_points(submission.max_points)}"
    table.add_row(
        say("total", {}, lang),
        total,
        say("time", {"seconds": f"{submission.seconds:.1f}"}, lang),
        "",
    )
    return table


def _next_lines(check: SaidCheck, lang: str) -> Iterator[str]:
    """Yield how to repeat the example of a check: with the file that has it, or with the seed of
    its call.
    """
    counterexample = check.counterexample or {}
    call, seed = counterexample.get("call", ""), counterexample.get("seed")
    if "file" in counterexample:
        yield "  " + say(
            "try.file", {**counterexample, "file": as_typed(counterexample["file"])}, lang
        )
    elif call and seed:
        yield "  " + say("try.seeds", {"seed": seed}, lang)


def _others(wrong: Sequence[SaidCheck], explained: Collection[str], lang: str) -> Iterator[str]:
    """Yield how many of the `wrong` checks besides the `explained` ones fail for the same reason,
    and how many may have another one.
    """
    same = [check for check in wrong if check.id in explained]
    if same:
        yield say("others.same", {"count": len(same)}, lang)
    rest = [check for check in wrong if check.id not in explained]
    if rest:
        yield say(
            "others.besides" if same or explained else "others.too", {"count": len(rest)}, lang
        )
        rules = dict.fromkeys(
            str(principle(check.id, lang, check.facts)).rstrip(".") for check in rest
        )
        yield from (f"  - {rule}." for rule in [*rules][:MOST_LISTED] if rule)
        if len(rules) > MOST_LISTED:
            yield "  - " + say("others.more", {"count": len(rules) - MOST_LISTED}, lang)


def says_only_missing(rule: RuleResult) -> bool:
    """Return whether a rule says no more than the verdict: no name of the file resembles that of
    the function.
    """
    return rule.id == "signature.missing" and "variant" not in rule.facts


def _rule_line(rule: SaidRule, cells: Cells, lang: str) -> str:
    sentence = rule.sentence
    if rule.severity == "advice":
        sentence = say("advice", {"sentence": sentence}, lang)
    return at_line(rule.line, sentence, cells, lang)
