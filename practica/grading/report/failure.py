"""A failure as a person would show it: what is wrong, the call, and what was obtained beneath what
was expected.

Lines that begin with a blank are shown as they are; the others are sentences, which may be wrapped.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence

from practica.grading.report.messages import CASE, GUESS, catalogue, places, principle, say
from practica.grading.report.words import LONGEST_CALL, SaidCheck
from practica.json_data import Facts

WIDTH = 96  # for what is set in lines here
MOST_ROWS, KEPT_ROWS = 4, 2  # for an array in the terminal: more are folded, and so many are kept
MOST_VALUES, KEPT_VALUES = 12, 6  # the same of a vector that does not fit in a line
INDENT = "    "
CHANGED, HERE = "» ", "^"
# places that the call and the values show
SHOWN = {"call", "function", "obtained", "expected", "classes", "threshold"}


def failure_lines(check: SaidCheck, lang: str, *, named: bool, guess: bool = True) -> Iterator[str]:
    """Yield the lines that show a failed check: its call, and what was obtained beneath what was
    expected.

    `named`: whether the lines before these name the mistake: then the statement's requirement is
        left out.
    `guess`: whether the lines may guess at the cause.
    """
    found, template = check.counterexample or {}, catalogue(lang).get(check.message, "")
    case = template.partition(CASE)[2]
    label = _label(check, lang)
    has_both = {"obtained", "expected"} <= found.keys()
    in_words = not case or bool(places(case) - SHOWN - label[1]) or not has_both
    if not case or not in_words:
        rule = str(principle(check.message, lang, check.facts)) if case else ""
        if rule and not named:
            yield f"{rule.rstrip('.:')}."
    if in_words:
        sentence = "".join(_without_arguments(*part) for part in check.sentence.parts)
        start = len(str(principle(check.message, lang, check.facts))) if case and named else 0
        yield _capital(re.sub("^[ :,.]+(y |and )?", "", sentence[start:])) if start else sentence
    if call := found.get("call", ""):
        yield from (f"  {line}" for line in call_lines(call, fold="file" in found))
    if has_both and (label[0] or not in_words):
        yield from compared(found["obtained"], found["expected"], label[0], lang)
        if guess and not (named or in_words):
            yield from (_capital(guess.strip(" :")) for guess in GUESS.findall(template))
    elif "obtained" in found and found["obtained"] not in check.sentence:
        yield "  " + say("obtained", {"value": found["obtained"]}, lang)
    if printed := found.get("printed", "").splitlines():
        yield "  " + say("printed", {}, lang)
        yield from (f"    {line}" for line in printed)


def _label(check: SaidCheck, lang: str) -> tuple[str, set[str]]:
    """Return the label of what was obtained, such as "testLosses[3]" (empty if there is none), and
    the places of the check's sentence that it makes needless.
    """
    facts: Facts = check.facts
    if "metric" in facts:
        metric = say(f"metric.{facts['metric']}", {}, lang, strict=False)
        kind = check.message.rpartition(".")[2]
        return str(
            say(f"label.{kind}", {"metric": metric}, lang) if kind in ("mean", "std") else metric
        ), {"metric"}
    if {"set", "epoch"} <= facts.keys():
        label = f"{facts['set']}Losses[{facts['epoch']}]"
        if str(facts["epoch"]) == "0":  # it is compared with the network that is returned
            label = str(say("label.untrained", {"part": label}, lang))
        return label, {"set", "epoch"}
    if check.message == "any.modified":
        return str(say("label.argument", facts, lang)), set()
    if "option" in facts:
        return str(facts["option"]), {"option"}
    return catalogue(lang).get(f"label.{check.message}", ""), set()


def _without_arguments(place: str, text: str) -> str:
    """Return the text of a place in a sentence; that of a long call has no arguments, because the
    call stands below the sentence.
    """
    return (
        f"{text.partition('(')[0]}(…)"
        if place == "call" and len(text) > LONGEST_CALL // 3
        else text
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- the call -------------------------------------------------------------------------------------


def call_lines(call: str, width: int = WIDTH, *, fold: bool = True) -> list[str]:
    """Split a call into lines of at most `width` characters; with `fold`, long arrays lose the rows
    in the middle.

    >>> call_lines("accuracy(np.array([True]), np.array([False]))", 30)
    ['accuracy(', '    np.array([True]),', '    np.array([False]),', ')']
    """
    try:
        node = ast.parse(call, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        node = None
    if node is None or node.end_lineno != 1:
        return textwrap.wrap(call, width, break_on_hyphens=False) if fold else [call]
    return _set(call.encode(), node, "", "", width, fold)


def _piece(source: bytes, node: ast.expr) -> str:
    """Return the part of one line of source that a node was read from."""
    return source[node.col_offset : node.end_col_offset].decode()


def _set(
    source: bytes, node: ast.expr, before: str, after: str, width: int, fold: bool
) -> list[str]:
    text = _piece(source, node)
    items: Sequence[tuple[str, ast.expr]]
    if isinstance(node, ast.Call):
        opening, closing = f"{_piece(source, node.func)}(", ")"
        items = [("", each) for each in node.args] + [
            (f"{keyword.arg}=", keyword.value) for keyword in node.keywords
        ]
    elif isinstance(node, ast.List | ast.Tuple):
        opening, closing = ("[", "]") if isinstance(node, ast.List) else ("(", ")")
        items = [("", each) for each in node.elts]
    else:
        items = []
    rows = isinstance(node, ast.List) and all(isinstance(each, ast.List) for _, each in items)
    many = rows and len(items) > MOST_ROWS and fold
    if (len(before + text + after) <= width and not (rows and len(items) > 2)) or not items:
        return [f"{before}{text}{after}"]
    for kept in (KEPT_ROWS, 1) if many else ():
        *first, last = (_piece(source, each) for _, each in (*items[:kept], items[-1]))
        folded = ", ".join([*first, f"… ({len(items) - kept - 1})", last])
        if len(f"{before}[{folded}]{after}") <= width:
            return [f"{before}[{folded}]{after}"]
    plain = all(isinstance(value, ast.Constant | ast.UnaryOp) and not name for name, value in items)
    is_list = isinstance(node, ast.List)
    fills_lines = not rows if is_list else plain and len(items) > MOST_ROWS
    if fills_lines:
        texts = [each for _, each in items]
        return _filled(source, texts, f"{before}{opening}", f"{closing}{after}", width, fold)
    if isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.args[0], ast.List):
        more = "".join(f", {name}{_piece(source, value)}" for name, value in items[1:])
        return _set(
            source, node.args[0], f"{before}{opening}", f"{more}{closing}{after}", width, fold
        )
    lines = [f"{before}{opening}"]
    for number, (name, value) in enumerate(items):
        if many and KEPT_ROWS <= number < len(items) - 1:
            lines += [f"{INDENT}… ({len(items) - KEPT_ROWS - 1})"] * (number == KEPT_ROWS)
            continue
        lines += [
            f"{INDENT}{line}" for line in _set(source, value, name, ",", width - len(INDENT), fold)
        ]
    return [*lines, f"{closing}{after}"]


def _filled(
    source: bytes, items: Sequence[ast.expr], before: str, after: str, width: int, fold: bool
) -> list[str]:
    """Return the lines of a list, each as full as `width` allows: the `items`, which are pieces of
    `source`, stand between `before` and `after`. With `fold`, the middle of a long list is left
    out.
    """
    texts = [_piece(source, each) for each in items]
    if fold and len(texts) > MOST_VALUES:
        texts = [*texts[:KEPT_VALUES], f"… ({len(texts) - KEPT_VALUES - 1})", texts[-1]]
    lines = textwrap.wrap(
        ", ".join(texts), width - len(INDENT), break_long_words=False, break_on_hyphens=False
    )
    return [before, *(f"{INDENT}{line}" for line in lines), after]


# --- obtained and expected ------------------------------------------------------------------------


def compared(obtained: str, expected: str, label: str, lang: str) -> list[str]:
    r"""Return lines with the obtained value above the expected one, each with its rows, and marks
    where they differ.

    `label`: what was obtained, as a heading; empty for none.

    >>> print(*compared("[1, 0.25]", "[1, 0.5]", "", "en"), sep="\n")
      obtained  [1, 0.25]
      expected  [1,  0.5]
                    ^^^^
    """
    heads = [str(say(f"label.{name}", {}, lang)) for name in ("obtained", "expected")]
    size = max(map(len, heads))
    heads = [f"  {head:<{size}}  " for head in heads]
    above = [f"  {label}:"] if label else []
    one, other = _rows(obtained), _rows(expected)
    if len(one) == len(other) > 1 or max(len(one), len(other)) > 1:
        same = len(one) == len(other)
        marks = [[same and a != b for a, b in zip(one, other, strict=same)], [False] * len(other)]
        marks[1] = marks[0] if same else marks[1]
        marks[0] = marks[0] if same else [False] * len(one)
        blocks = [
            _block(head, rows, changed)
            for head, rows, changed in zip(heads, (one, other), marks, strict=True)
        ]
        return [*above, *blocks[0], *blocks[1]]
    first, second, mark = _aligned(obtained, expected)
    room = WIDTH - len(heads[0])
    under = [f"{' ' * len(heads[0])}{mark}".rstrip()] if mark.strip() and len(first) <= room else []
    return [*above, f"{heads[0]}{first}", f"{heads[1]}{second}", *under]


def _block(head: str, rows: Sequence[str], changed: Sequence[bool]) -> Iterator[str]:
    for number, (row, differs) in enumerate(zip(rows, changed, strict=True)):
        yield f"{head if not number else ' ' * len(head)}{CHANGED if differs else '  '}{row}"


def _rows(text: str) -> list[str]:
    """Split the text of a matrix into its rows; any other string is a single row."""
    return re.sub(r"\],\s*\[", "],\n [", text).split("\n") if text.startswith("[[") else [text]


def _aligned(one: str, other: str) -> tuple[str, str, str]:
    """Return two strings with their words in columns if both have as many words, and marks under
    the words that differ.
    """
    words = [re.findall(r"[\[\](){},]|[^\[\](){},\s]+|\s+", text) for text in (one, other)]
    if len(words[0]) != len(words[1]) or any(
        a != b and (a in "[](){}," or b in "[](){},") for a, b in zip(*words, strict=True)
    ):
        return one, other, ""
    columns = [(a, b, max(len(a), len(b))) for a, b in zip(*words, strict=True)]
    lines = ["".join(f"{pair[which]:>{pair[2]}}" for pair in columns) for which in (0, 1)]
    return lines[0], lines[1], "".join((HERE if a != b else " ") * size for a, b, size in columns)
