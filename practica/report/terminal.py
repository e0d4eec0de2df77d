"""What an instructor or a student sees of a result: a table, and a sentence for everything that is not right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from practica.console import plain_console
from practica.report.messages import say
from practica.report.words import said, shared_rules, status_of, visible

__all__ = [
    "MOST_TOLD",
    "STYLES",
    "as_points",
    "print_result",
    "print_sentences",
    "print_submission",
    "sentences",
]

STYLES = {"pass": "green", "fail": "red", "rule": "red", "missing": "yellow", "not_run": "yellow"}
MOST_TOLD = 3  # checks of a function that are told in full; the others are named


def print_result(
    result: Mapping[str, Any], *, lang: str = "es", most: int | None = MOST_TOLD, console: Console | None = None
) -> None:
    """Print a canonical result: a table and its sentences for each submission, and how the code ran.

    Parameters
    ----------
    result : dict
        See `practica.grading.result.canonical_result`.
    lang : "es" or "en"
    most : int, optional
        How many failed checks of a function are told in full, None for all; the others are named.
    console : rich Console, optional
        The standard output without it.
    """
    console = console or plain_console()
    for submission in result["submissions"]:
        print_submission(submission, lang=lang, most=most, console=console)
    console.print(Text(say(f"sandbox.{result['sandbox']}", {}, lang), style="dim"))


def print_submission(
    submission: Mapping[str, Any], *, lang: str = "es", most: int | None = MOST_TOLD, console: Console | None = None
) -> None:
    """Print one submission."""
    console = console or plain_console()
    heading = f"{submission['file']}  {as_points(submission['points'])} / {as_points(submission['max_points'])}"
    console.print(Text(visible(heading), style="bold"))
    if submission["status"] != "graded":
        reason = status_of(said(submission, lang), lang)
        console.print(Padding(Text(visible(reason), style="red"), (0, 0, 0, 2)))
    if submission["functions"] and submission["status"] != "not_run":
        console.print(_table(submission, lang))
    print_sentences(submission, lang=lang, most=most, console=console)
    console.print()


def print_sentences(
    submission: Mapping[str, Any], *, lang: str = "es", most: int | None = MOST_TOLD, console: Console | None = None
) -> bool:
    """Print what is not right in a submission, function by function; tell whether there was anything."""
    console = console or plain_console()
    told = list(sentences(submission, lang=lang, most=most))
    for heading, lines in told:
        console.print(Text(heading, style="bold"))
        for line in lines:
            console.print(Text(f"  {visible(line)}"), soft_wrap=True)  # a line to copy stays one line
    return bool(told)


def sentences(
    submission: Mapping[str, Any], *, lang: str = "es", most: int | None = MOST_TOLD
) -> Iterator[tuple[str, list[str]]]:
    """Yield each function that is not right, or has advice, with its lines of text.

    Parameters
    ----------
    submission : dict
    lang : "es" or "en"
    most : int, optional
        How many checks of a function are told in full.

    Yields
    ------
    function, lines : str, list of str
        What all functions share comes first, once.
    """
    functions = said(submission, lang)["functions"]
    shared, own = shared_rules(functions)
    if shared:
        yield say("same_rule", {}, lang), [_rule_line(rule, lang) for rule in shared]
    if submission["status"] == "not_run":
        return
    for function, rules in zip(functions, own, strict=True):
        lines = [_rule_line(rule, lang) for rule in rules]
        if function["verdict"] != "missing":
            wrong = [check for check in function["checks"] if check["verdict"] != "pass"]
            told_in_full = wrong if most is None else wrong[:most]
            lines += [line for check in told_in_full for line in _check_lines(check, lang)]
            if others := wrong[len(told_in_full) :]:
                lines.append(say("others", {"ids": ", ".join(check["id"] for check in others)}, lang))
        if lines:
            yield function["name"], lines


def _table(submission: Mapping[str, Any], lang: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column(say("function", {}, lang), overflow="fold")  # the only one that a narrow terminal may fold
    for heading, justify, width in (("points", "right", 11), ("checks", "right", 8), ("verdict", "left", 12)):
        table.add_column(say(heading, {}, lang), justify=cast("Any", justify), no_wrap=True, min_width=width)
    for function in submission["functions"]:
        verdicts = [check["verdict"] for check in function["checks"]]
        passed = say("passed", {"passed": verdicts.count("pass"), "total": len(verdicts)}, lang)
        verdict = function["verdict"]
        table.add_row(
            Text(function["name"]),
            f"{as_points(function['points'])} / {as_points(function['max_points'])}",
            passed,
            Text(say(f"verdict.{verdict}", {}, lang), style=STYLES[verdict]),
        )
    table.add_section()
    total = f"{as_points(submission['points'])} / {as_points(submission['max_points'])}"
    table.add_row(say("total", {}, lang), total, say("time", {"seconds": f"{submission['seconds']:.1f}"}, lang), "")
    return table


def _check_lines(check: Mapping[str, Any], lang: str) -> Iterator[str]:
    sentence = check["sentence"]
    yield f"{check['id']}: {sentence}"
    counterexample = check["counterexample"] or {}
    if counterexample.get("call"):
        yield "  " + say("try", {"call": counterexample["call"]}, lang)
    shown = {text for place, text in sentence.parts if place}
    for name in ("expected", "obtained"):
        if name in counterexample and counterexample[name] not in shown:
            yield "  " + say(name, {"value": counterexample[name]}, lang)


def _rule_line(rule: Mapping[str, Any], lang: str) -> str:
    sentence = rule["sentence"]
    if rule["severity"] == "advice":
        sentence = say("advice", {"sentence": sentence}, lang)
    return sentence if rule["line"] is None else say("line", {"line": rule["line"], "sentence": sentence}, lang)


def as_points(points: float | None) -> str:
    """Return points as they are shown."""
    return "–" if points is None else f"{points:.2f}"
