"""The rules on the text of a submission: loops, names, and code that the file does not show.

A rule is *broken* where the statement says so in so many words; what only hints at a mistake is
*advice*. The rubric says what a broken rule costs. Forbidden calls have no rule here: they fail
where the file is marked. What running shows about the same rules is in
`practica.grading.engine.signatures` and `practica.grading.engine.loops`.
"""

from __future__ import annotations

import ast
import fnmatch
import functools
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Self

from practica.grading.engine.rubric import Row, Rubric
from practica.grading.engine.source import (
    FUNCTIONS,
    Loop,
    Source,
    goes_over_few,
    has_conflict,
    is_unwritten,
    parse,
)
from practica.grading.inside.guarded_values import matcher
from practica.grading.inside.loading import declares_encoding, decode
from practica.json_data import Facts
from practica.nearest import nearest

MAX_BYTES = 500_000  # of a file: some thirty times the model answer
SHOWN_LINE = 80  # characters of a line that Python cannot read
DECIMAL_COMMA = re.compile(r"\d+,0\d+")
HIDDEN_LOOPS = frozenset(
    {
        *(
            "builtins.map",
            "builtins.filter",
            "functools.reduce",
            "itertools.starmap",
            "itertools.accumulate",
        ),
        *(
            "numpy.vectorize",
            "numpy.apply_along_axis",
            "numpy.apply_over_axes",
            "numpy.fromiter",
            "numpy.frompyfunc",
        ),
        *("numpy.nditer", "numpy.ndenumerate", "torch.vmap"),
    }
)
UNPICKLES = frozenset(
    {"pickle.load", "pickle.loads", "torch.load", "joblib.load", "dill.load", "dill.loads"}
)
# paths that name no data
MACHINE = re.compile(r"/(etc|proc|root|home|var|srv|boot|run)(/[^\s.]*)?|/etc/[^\s]+")
# what talks to servers; a box has none of them
CLIENTS = ("socket.*", "requests.*", "httpx.*", "aiohttp.*", "urllib3.*")
DECODES = ("base64.*", "binascii.*", "zlib.*", "?.fromhex")


@dataclass(frozen=True)
class Rule:
    """A rule that a submission breaks, or advice about it."""

    id: str  # one of `practica.grading.engine.rubric.RULES`
    severity: str  # "broken" or "advice"
    line: int | None = None
    # what the sentence in `messages/` needs; "variant" chooses among several sentences for one rule
    message_facts: Facts = field(default_factory=dict)


@dataclass(frozen=True)
class FunctionReport:
    """The facts that the text of a file shows about the function of one row."""

    found: bool  # whether the file gives the function's name a meaning
    line: int | None = None  # where
    rules: tuple[Rule, ...] = ()  # those of the whole file included
    loops: tuple[int, ...] = ()  # the lines of the loops of the function and its helpers
    written: bool = True  # whether there is more in it than in the template

    @property
    def broken(self) -> tuple[Rule, ...]:
        """The rules that are broken."""
        return tuple(rule for rule in self.rules if rule.severity == "broken")

    @property
    def is_rebound(self) -> bool:
        """Whether the function's name has another value after the file has run."""
        return any(rule.id == "source.rebound" for rule in self.rules)


@dataclass(frozen=True)
class SourceReport:
    """The facts that the text of a file shows."""

    functions: Mapping[str, FunctionReport]  # by the names of the rows of the assignment
    file_rules: tuple[Rule, ...] = ()  # those of the whole file
    loops: tuple[Loop, ...] = ()  # all of the file
    readable: bool = True  # whether Python could read the file; if not, its functions are not found

    def with_rules(self, name: str, rules: tuple[Rule, ...]) -> Self:
        """Return the report with other rules for a row."""
        function = replace(self.functions[name], rules=rules)
        return replace(self, functions={**self.functions, name: function})


def inspect_source(source: bytes, rubric: Rubric) -> SourceReport:
    """Judge the text of a file by the rules of a rubric.

    `source`: the file as it is on the disk; its encoding is found as Python finds it.
    There is a report for any bytes.

    >>> from practica.grading.engine.rubric import load_rubric
    >>> report = inspect_source(
    ...     b"def accuracy(outputs, targets): return eval('1.0')", load_rubric()
    ... )
    >>> [
    ...     (rule.id, rule.message_facts["name"], rule.line)
    ...     for rule in report.functions["accuracy"].rules
    ... ]
    [('calls.suspicious', 'eval', 1)]
    >>> report.functions["hold_out"].found
    False
    """
    if len(source) > MAX_BYTES:
        return _unreadable(
            Rule("source.too_large", "broken", None, {"bytes": len(source), "most": MAX_BYTES}),
            rubric,
        )
    text, undecodable = decode(source)
    variant = {"variant": "declared"} if declares_encoding(source) else {}
    encoding = (
        [] if undecodable is None else [Rule("source.encoding", "advice", undecodable, variant)]
    )
    tree = parse(text)
    if isinstance(tree, SyntaxError):
        merge = {"variant": "conflict"} if has_conflict(text) else {}
        facts = {**_unread(tree), **merge}
        return _unreadable(Rule("source.syntax", "broken", tree.lineno, facts), rubric, encoding)
    file = Source(tree)
    common = [*_forbidden_imports(file, rubric), *_unseen_code(file, rubric), *_outside(file)]
    functions = {row.name: _function(row, file, common, rubric) for row in rubric.assigned}
    return SourceReport(functions, (*encoding, *common), tuple(file.loops))


def _unread(error: SyntaxError) -> Facts:
    """Return the facts of source text that Python cannot parse: the reason, and the line, or the
    part of a long line.
    """
    line = (error.text or "").strip()
    at = (error.offset or 1) - 1 - (error.text or "").find(line)
    begin = max(0, min(at - SHOWN_LINE // 2, len(line) - SHOWN_LINE))
    text = line[begin : begin + SHOWN_LINE]
    text = f"{'…' * (begin > 0)}{text}{'…' * (len(line) > begin + SHOWN_LINE)}"
    # a later one may read more
    reason = f"{error.msg or 'syntax'} (Python {platform.python_version()})"
    facts = {"reason": reason, "text": text}
    comma = DECIMAL_COMMA.search(line) if "leading zeros" in reason else None
    if comma is None:
        return facts
    return {**facts, "variant": "comma", "number": comma[0], "right": comma[0].replace(",", ".")}


def _unreadable(rule: Rule, rubric: Rubric, more: Sequence[Rule] = ()) -> SourceReport:
    functions = {
        row.name: FunctionReport(found=False, rules=(*more, rule)) for row in rubric.assigned
    }
    return SourceReport(functions, (*more, rule), readable=False)


# --- The whole file -------------------------------------------------------------------------------


def _forbidden_imports(file: Source, rubric: Rubric) -> list[Rule]:
    for _, full, line in file.imports:
        for package in rubric.packages:
            if f"{full}.".startswith(f"{package}."):
                facts = {"variant": "practica", "what": package}
                return [
                    Rule("imports.practica", "broken", line, {"name": package}),
                    Rule("calls.outside", "broken", line, facts),
                ]
    return []


def _unseen_code(file: Source, rubric: Rubric) -> list[Rule]:
    """Return a rule for each name by which a file runs code that it does not show."""
    mentions = file.mentions()
    found = _flagged(mentions, rubric.flagged)
    # a shorter literal is not a pickle
    has_bytes = any(
        isinstance(node, ast.Constant) and isinstance(node.value, bytes) and len(node.value) >= 16
        for node in file.nodes
    )
    if has_bytes or any(matches(name, DECODES) for name, _ in mentions):
        for name, line in mentions:
            if name in UNPICKLES:
                found.setdefault(name, line)
    return _suspicious(found)


def _outside(file: Source) -> list[Rule]:
    """Return a rule for the first file of the machine, and one for the first network client, that
    the text of a submission names.
    """
    texts = [
        (node.value, node.lineno)
        for node in file.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    found = [("read", text, line) for text, line in texts if MACHINE.fullmatch(text)]
    found += [("network", name, line) for name, line in file.mentions() if matches(name, CLIENTS)]
    first = {kind: (what, line) for kind, what, line in reversed(found)}
    return [
        Rule("calls.outside", "broken", line, {"variant": k, "what": what})
        for k, (what, line) in first.items()
    ]


def _flagged(mentions: Iterable[tuple[str, int]], patterns: Sequence[str]) -> dict[str, int]:
    """Return, for each pattern that describes a mentioned name, the first such name and its
    line.
    """
    found: dict[str, tuple[str, int]] = {}
    for name, line in mentions:
        if matches(name, patterns):
            pattern = next(each for each in patterns if fnmatch.fnmatchcase(name, each))
            found.setdefault(pattern, (name.removeprefix("?."), line))
    return dict(found.values())


def _suspicious(
    found: Mapping[str, int], facts: Mapping[str, str] = MappingProxyType({})
) -> list[Rule]:
    return [
        Rule("calls.suspicious", "broken", line, {"name": name.removeprefix("builtins."), **facts})
        for name, line in [*found.items()][:20]
    ]


# --- One function ---------------------------------------------------------------------------------


def _function(row: Row, file: Source, common: Sequence[Rule], rubric: Rubric) -> FunctionReport:
    meanings = file.meanings.get(row.function, [])
    imported = [line for name, _, line in file.imports if name == row.function]
    if not meanings and not imported:
        return _missing(row, file, common, rubric)
    defined = [node for node in meanings if isinstance(node, FUNCTIONS)]
    line = defined[-1].lineno if defined else meanings[-1].lineno if meanings else imported[-1]  # type: ignore[attr-defined]
    pieces = file.reached(row.function, rubric.functions)
    found = [file.piece(each) for each in pieces]
    loops = tuple(sorted({line for each in found for line in each.loops}))
    comprehensions = [node for each in found for node in each.comprehensions]
    mentions = [mention for each in found for mention in each.mentions]
    recursive = [
        each
        for each in pieces
        if isinstance(each, FUNCTIONS) and each.name in file.piece(each).names
    ]
    repeated = file.redefined.get(row.function, [])
    redefined = Rule(
        "source.redefined", "advice", line, {"function": row.function, "lines": repeated}
    )
    again = file.rebound.get(row.function)
    rebound = Rule("source.rebound", "broken", again, {"function": row.function})
    rules = [
        *common,
        *[redefined] * bool(repeated),
        *[rebound] * (again is not None),
        *_loop_rules(row, loops, comprehensions, mentions, recursive),
        *_suspicious(_flagged(mentions, row.flagged), {"variant": "own"}),
    ]
    written = not defined or not all(map(is_unwritten, defined))
    return FunctionReport(True, line, tuple(without_repetitions(rules)), loops, written)


def _missing(row: Row, file: Source, common: Sequence[Rule], rubric: Rubric) -> FunctionReport:
    inside = {node.name: node.lineno for node in file.nodes if isinstance(node, FUNCTIONS)}
    everywhere = (node for node in ast.walk(file.tree) if isinstance(node, FUNCTIONS))
    lines = {node.name: node.lineno for node in everywhere} | inside
    taken = rubric.functions & file.meanings.keys()
    facts, line = {"function": row.function}, None
    found = [row.function] if row.function in lines else []
    if found := found or nearest(row.function, lines.keys() - taken, alike=0.8, plain=_plain):
        closest = found[0]
        line = lines[closest]
        where = "nested" if closest in inside else "guarded"
        where = "closest" if closest in file.meanings else where
        facts |= {"closest": closest, "variant": where}
    return FunctionReport(False, None, (*common, Rule("signature.missing", "broken", line, facts)))


def _loop_rules(
    row: Row,
    loops: Sequence[int],
    comprehensions: Sequence[ast.expr],
    mentions: Iterable[tuple[str, int]],
    recursive: Sequence[ast.FunctionDef | ast.AsyncFunctionDef],
) -> list[Rule]:
    if row.max_loops is None:
        return []
    hidden = sorted({(line, name) for name, line in mentions if name in HIDDEN_LOOPS})
    counted = [*loops]
    if row.comprehensions == "cost":
        counted += sorted({node.lineno for node in comprehensions})
    counted += [line for line, _ in hidden] if row.hidden_loops == "cost" else []
    rules = [too_many_loops(counted, row.max_loops)] if len(counted) > row.max_loops else []
    if row.max_loops:  # the advice is for where no loop is allowed, and array operations can do it
        return rules
    lines = sorted({node.lineno for node in comprehensions if not goes_over_few(node)})
    if lines and row.comprehensions == "advice":
        rules.append(Rule("loops.comprehension", "advice", lines[0], {"lines": lines}))
    if hidden and row.hidden_loops == "advice":
        names = ", ".join(dict.fromkeys(name.removeprefix("builtins.") for _, name in hidden))
        lines = list(dict.fromkeys(line for line, _ in hidden))
        rules.append(Rule("loops.hidden", "advice", lines[0], {"names": names, "lines": lines}))
    # A function that serves several overloads may call itself with other types.
    recursive = [each for each in recursive if each.name != row.function or len(row.overloads) == 1]
    if recursive and row.hidden_loops == "advice":
        names = ", ".join(dict.fromkeys(each.name for each in recursive))
        rules.append(Rule("loops.recursion", "advice", recursive[0].lineno, {"names": names}))
    return rules


def too_many_loops(lines: Sequence[int], limit: int) -> Rule:
    """Return the rule that a function with loops on these lines breaks."""
    facts = {"count": len(lines), "limit": limit, "lines": sorted(set(lines))}
    return Rule(
        "loops.too_many", "broken", min(lines), facts | ({} if limit else {"variant": "none"})
    )


# --- Small things ---------------------------------------------------------------------------------


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Return whether one of the patterns describes a full name."""
    return _matcher(tuple(patterns))(name) is not None


_matcher = functools.cache(matcher)


def without_repetitions(rules: Iterable[Rule]) -> list[Rule]:
    """Return the rules, leaving out those that only repeat an earlier one for another line or
    overload.
    """
    seen: dict[tuple[object, ...], Rule] = {}
    for rule in rules:
        facts = rule.message_facts
        seen.setdefault(
            (
                rule.id,
                rule.severity,
                facts.get("name"),
                facts.get("variant"),
                facts.get("overload"),
            ),
            rule,
        )
    return list(seen.values())


def _plain(name: str) -> str:
    """Return a name in lower case and without underscores, except one at its end, to compare
    spellings.
    """
    return re.sub(r"_(?!$)", "", name.strip("_") + ("_" if name.endswith("_") else "")).lower()
