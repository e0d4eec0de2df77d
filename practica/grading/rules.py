"""The rules on the source of a submission: signatures, loops, forbidden calls. The file is read, never run.

A rule is *broken* where the statement says so in so many words; what only hints at a mistake, or cannot be told without
running the file, is *advice*. What a broken rule costs is the rubric's business.
"""

from __future__ import annotations

import ast
import difflib
import fnmatch
import functools
import operator
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from practica.grading.overloads import loops_of_overload
from practica.grading.rubric import Overload, Row, Rubric
from practica.grading.source import (
    Body,
    Bound,
    Class,
    Dynamic,
    Entity,
    External,
    Instance,
    Module,
    Reached,
    decode,
    parse,
)

__all__ = ["FunctionReport", "LoopsToObserve", "Rule", "SourceReport", "inspect_source"]

MAX_BYTES = 1_000_000

HIDDEN_LOOPS = (
    "builtins.map",
    "builtins.filter",
    "functools.reduce",
    "itertools.starmap",
    "itertools.accumulate",
    "numpy.vectorize",
    "numpy.apply_along_axis",
    "numpy.apply_over_axes",
    "numpy.fromiter",
    "numpy.frompyfunc",
    "numpy.nditer",
    "numpy.ndenumerate",
    "torch.vmap",
)


@dataclass(frozen=True)
class Rule:
    """A rule that the source breaks, or advice about it.

    Attributes
    ----------
    id : str
        One of `practica.grading.rubric.RULES`.
    severity : "broken" or "advice"
    line : int or None
    message_facts : dict
        What the sentence in `messages/` needs; "variant" chooses among several sentences for one rule.
    """

    id: str
    severity: str
    line: int | None = None
    message_facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class LoopsToObserve:
    """An overload that may not loop, and that shares loops with one that may: running it tells over what they go.

    Attributes
    ----------
    overload : Overload
    line : int
        Of the first loop.
    facts : dict
        For the sentence, should they go over the patterns.
    """

    overload: Overload
    line: int
    facts: Mapping[str, Any]


@dataclass(frozen=True)
class FunctionReport:
    """What the source says about the function of one row of the rubric.

    Attributes
    ----------
    found : bool
        Whether the file gives the function's name a meaning.
    line : int or None
        Where.
    closest : str or None
        A name of the file that looks like a missing one.
    rules : tuple of Rule
        Those of the file that concern the function included.
    to_observe : tuple of LoopsToObserve
        What only running can tell.
    written : bool
        Whether there is more in it than in a template: see `practica.grading.source.Body.unwritten`.
    """

    found: bool
    line: int | None = None
    closest: str | None = None
    rules: tuple[Rule, ...] = ()
    to_observe: tuple[LoopsToObserve, ...] = ()
    written: bool = True

    @property
    def broken(self) -> tuple[Rule, ...]:
        """The rules that are broken."""
        return tuple(rule for rule in self.rules if rule.severity == "broken")


@dataclass(frozen=True)
class SourceReport:
    """What the source of a submission says.

    Attributes
    ----------
    functions : dict of FunctionReport
        By the names of the rubric's rows.
    file_rules : tuple of Rule
        What concerns the whole file.
    readable : bool
        Whether Python could read the file; if not, its functions are not found.
    """

    functions: Mapping[str, FunctionReport]
    file_rules: tuple[Rule, ...] = ()
    readable: bool = True


def inspect_source(source: bytes, rubric: Rubric) -> SourceReport:
    """Judge a source by the rules of a rubric.

    Parameters
    ----------
    source : bytes
        The file as it is on the disk; its encoding is found as Python finds it.
    rubric : Rubric

    Returns
    -------
    report : SourceReport
        Whatever the bytes are.

    Examples
    --------
    >>> from practica.grading.rubric import load_rubric
    >>> report = inspect_source(b"def accuracy(outputs, targets): return (outputs == targets).mean()", load_rubric())
    >>> [(rule.id, rule.severity, rule.line) for rule in report.functions["accuracy"].rules]
    [('signature.keyword', 'broken', 1)]
    >>> report.functions["hold_out"].found
    False
    """
    if len(source) > MAX_BYTES:
        return _unreadable(Rule("source.too_large", "broken", None, {"bytes": len(source), "most": MAX_BYTES}), rubric)
    text, undecodable = decode(source)
    file_rules = [] if undecodable is None else [Rule("source.encoding", "advice", undecodable, {})]
    tree = parse(text)
    if isinstance(tree, SyntaxError):
        facts = {"reason": tree.msg or "syntax", "text": (tree.text or "").strip()[:80]}
        return _unreadable(Rule("source.syntax", "broken", tree.lineno, facts), rubric, file_rules)
    inspection = _Inspection(Module(tree), rubric)
    functions = {name: inspection.function(row) for name, row in rubric.rows.items()}
    file_rules += inspection.file_rules
    return SourceReport(functions, tuple(file_rules))


def _unreadable(rule: Rule, rubric: Rubric, more: Sequence[Rule] = ()) -> SourceReport:
    functions = {name: FunctionReport(found=False, rules=(*more, rule)) for name in rubric.rows}
    return SourceReport(functions, (*more, rule), readable=False)


class _Inspection:
    """One file under the rules of one rubric."""

    def __init__(self, module: Module, rubric: Rubric) -> None:
        self.module, self.rubric = module, rubric
        self.judged_apart = {
            body
            for row in rubric.rows.values()
            for entity in module.meanings(row.function)
            for body in [_body_of(entity)]
            if body is not None
        }
        self.imported_answers = {
            entity
            for row in rubric.rows.values()
            for entity in module.meanings(row.function)
            if isinstance(entity, External)
        }
        self.common: list[Rule] = []  # of the file, and broken for every function
        self.file_rules: list[Rule] = []
        self._judge_file()

    # --- The whole file ---------------------------------------------------------------------------------------------

    def _judge_file(self) -> None:
        rubric, module = self.rubric, self.module
        for package in rubric.packages:
            lines = [line for _, name, line in module.imports if _matches(name, (package, f"{package}.*"))]
            if lines:
                self.common.append(Rule("imports.practica", "broken", lines[0], {"name": package}))
        at_import = module.reach([module.body], self.judged_apart)
        self.common += self._file_calls(at_import)
        anywhere = [use for body in module.bodies for use in module.uses(body)]
        outside = [(entity, line) for entity, line in anywhere if isinstance(entity, External | Dynamic)]
        everywhere = Reached([], list(dict.fromkeys(outside)), [])
        told = {(rule.id, rule.message_facts.get("name")) for rule in self.common}
        for rule in self._file_calls(everywhere):
            if (rule.id, rule.message_facts.get("name")) not in told:
                # Whose it is, the functions tell. Here it only says that a person should know.
                self.file_rules.append(Rule(rule.id, "advice", rule.line, rule.message_facts))
        if module.tangled:
            self.common.append(Rule("source.tangled", "broken"))
        self.file_rules = self.common + self.file_rules

    def _file_calls(self, reached: Reached) -> list[Rule]:
        rubric = self.rubric
        rules = _calls(reached, rubric.forbidden, "calls.exec")
        for package in rubric.packages:
            lines = [line for use, line in reached.externals if _is(use, (package, f"{package}.*"))]
            if lines:
                rules.append(Rule("imports.practica", "broken", min(lines), {"name": package}))
        rules += _calls(reached, rubric.flagged, "calls.suspicious")
        for entity, line in reached.externals:
            if isinstance(entity, Dynamic) and entity.module in ("", "builtins"):
                rules.append(Rule("calls.dynamic", "broken", line, {"name": entity.module or "import_module"}))
        return rules

    # --- One function -----------------------------------------------------------------------------------------------

    def function(self, row: Row) -> FunctionReport:
        """Judge the function of one row."""
        module = self.module
        if not module.has(row.function):
            return self._missing(row)
        line = module.line_of(row.function)
        meanings = module.meanings(row.function)
        bodies = [body for body in map(_body_of, meanings) if body is not None]
        line = bodies[-1].line if bodies else line
        reached = self._reach(row)
        # `from sklearn.metrics import accuracy_score as accuracy` is the fault of accuracy, not of those who call it.
        others = self.imported_answers - set(meanings)
        reached.externals = [(use, at) for use, at in reached.externals if use not in others]
        to_observe: list[LoopsToObserve] = []
        rules = [
            *self._signature(row, meanings, line),
            *self._loops(row, reached, meanings, to_observe),
            *_calls(reached, row.forbidden, "calls.forbidden"),
            *_dynamic_calls(reached, row.forbidden),
            *self._unused_imports(row),
            *self._file_calls(reached),
        ]
        rules = _without_repetitions([*self.common, *rules])
        written = not bodies or not all(body.unwritten for body in bodies)
        return FunctionReport(True, line, None, tuple(rules), tuple(to_observe), written)

    def _reach(self, row: Row) -> Reached:
        """Follow the function of a row; the class of an object that another row's function makes is judged there."""
        module = self.module
        reached = module.reach([row.function], self.judged_apart)
        made_apart = {
            method
            for name, created in self.created.items()
            if name != row.function
            for made in created - reached.created
            for methods in made.methods.values()
            for method in methods
        }
        return module.reach([row.function], self.judged_apart | made_apart) if made_apart else reached

    @functools.cached_property
    def created(self) -> dict[str, set[Class]]:
        """The classes of which each function of the rubric makes objects."""
        names = {row.function for row in self.rubric.rows.values()}
        return {name: self.module.reach([name], self.judged_apart).created for name in names if self.module.has(name)}

    def _missing(self, row: Row) -> FunctionReport:
        names = dict.fromkeys(self.module.scope.bindings, "")
        for body in self.module.bodies:
            if body.name not in names and body.name != "<lambda>":
                names[body.name] = "nested"
        for taken in self.rubric.rows.values():
            if names.get(taken.function) == "":
                del names[taken.function]
        closest = row.function if row.function in names else _closest_name(row.function, names)
        facts = {"function": row.function}
        if closest is None:
            rule = Rule("signature.missing", "broken", None, facts)
            return FunctionReport(False, None, None, (*self.common, rule))
        lines = [body.line for body in self.module.bodies if body.name == closest]
        line = lines[-1] if lines else self.module.line_of(closest)
        variant = "nested" if closest == row.function else "closest"
        rule = Rule("signature.missing", "broken", line, {**facts, "closest": closest, "variant": variant})
        return FunctionReport(False, None, closest, (*self.common, rule))

    def _signature(self, row: Row, meanings: Sequence[Entity], line: int) -> list[Rule]:
        candidates = [signature for meaning in meanings for signature in _signatures(self.module, meaning)]
        if not candidates:
            severity = "advice"
            return [Rule("signature.unreadable", severity, line, {"function": row.function})]
        names = [
            {overload.positional[index].name for overload in row.overloads if len(overload.positional) > index}
            for index in range(max(len(overload.positional) for overload in row.overloads))
        ]
        rules: list[Rule] = []
        for overload in row.overloads:
            judged = [_judge_signature(row, overload, candidate, names, self.module) for candidate in candidates]
            rules += min(judged, key=lambda found: sum(rule.severity == "broken" for rule in found))
        return rules

    def _loops(
        self, row: Row, reached: Reached, meanings: Sequence[Entity], to_observe: list[LoopsToObserve]
    ) -> list[Rule]:
        limits = [overload.max_loops for overload in row.overloads]
        if row.max_loops is None and all(limit is None for limit in limits):
            return []
        loops = sorted({node.lineno for body in reached.bodies for node in body.loops})
        count = sum(len(body.loops) for body in reached.bodies)
        comprehensions = sorted(node.lineno for body in reached.bodies for node in body.comprehensions)
        hidden = sorted(
            {(at, use.name) for use, at in reached.externals if isinstance(use, External) and _is(use, HIDDEN_LOOPS)}
        )
        if _calls_itself(meanings) and len(row.overloads) == 1:
            reached.recursive.extend(body for body in map(_body_of, meanings) if body is not None)
        rules = []
        if row.max_loops is not None:
            lines = list(loops)
            if row.comprehensions == "cost":
                count, lines = count + len(comprehensions), lines + comprehensions
            if row.hidden_loops == "cost":
                count, lines = count + len(hidden), lines + [at for at, _ in hidden]
            if count > row.max_loops:
                facts = {"count": count, "limit": row.max_loops, "lines": _listed(sorted(lines))}
                if row.max_loops == 0:
                    facts["variant"] = "none"
                rules.append(Rule("loops.too_many", "broken", min(lines), facts))
        if not rules:
            # A comprehension or a lambda may be what takes a step for each pattern; then watching proves nothing.
            lambdas = [body for body in reached.bodies if isinstance(body.node, ast.Lambda)]
            disguised = bool(comprehensions or hidden or reached.recursive or lambdas)
            rules += self._overload_loops(row, meanings, [] if disguised else to_observe)
        limit = row.max_loops
        if limit is None:  # what is in disguise may be where loops are allowed
            return rules
        if count + len(comprehensions) > limit and comprehensions and row.comprehensions == "advice":
            facts = {"lines": _listed(comprehensions)}
            rules.append(Rule("loops.comprehension", "advice", comprehensions[0], facts))
        if count + len(hidden) > limit and hidden and row.hidden_loops == "advice":
            names = ", ".join(dict.fromkeys(name.removeprefix("builtins.") for _, name in hidden))
            facts = {"names": names, "lines": _listed([at for at, _ in hidden])}
            rules.append(Rule("loops.hidden", "advice", hidden[0][0], facts))
        if reached.recursive and row.hidden_loops == "advice":
            names = ", ".join(dict.fromkeys(body.name for body in reached.recursive))
            rules.append(Rule("loops.recursion", "advice", reached.recursive[0].line, {"names": names}))
        return rules

    def _overload_loops(self, row: Row, meanings: Sequence[Entity], to_observe: list[LoopsToObserve]) -> list[Rule]:
        """Find loops that run in an overload without loops and in none that may have them; see the rubric's head."""
        siblings = [
            overload
            for other in self.rubric.rows.values()
            if other.function == row.function
            for overload in other.overloads
        ]
        limits = {overload.max_loops for overload in siblings}
        if len(limits) == 1:
            return []
        rules: list[Rule] = []
        for meaning in meanings:
            body = _body_of(meaning)
            if body is None or isinstance(meaning, Bound):
                continue
            runs = {
                id(overload): loops_of_overload(self.module, body, overload, self.judged_apart) for overload in siblings
            }
            for overload in row.overloads:
                if overload.max_loops is None:
                    continue
                shared = {
                    node
                    for other in siblings
                    if other.max_loops is None or other.max_loops > overload.max_loops
                    for node in runs[id(other)].possible
                }
                alone = sorted(node.lineno for node in runs[id(overload)].certain - shared)
                possible = sorted(node.lineno for node in runs[id(overload)].possible)
                facts = {
                    "overload": ", ".join(f"{p.name}: {_kind(p.kind)}" for p in overload.positional),
                    "count": len(alone),
                    "limit": overload.max_loops,
                    "lines": _listed(alone or possible),
                }
                free = {node for other in row.overloads if other.max_loops is None for node in runs[id(other)].possible}
                if len(alone) > overload.max_loops:
                    rules.append(Rule("loops.overload", "broken", alone[0], facts))
                elif overload.max_loops == 0 and possible and not runs[id(overload)].possible & free:
                    to_observe.append(LoopsToObserve(overload, possible[0], facts))
        return rules

    def _unused_imports(self, row: Row) -> list[Rule]:
        return [
            Rule("imports.unused", "advice", line, {"name": full})
            for name, full, line in self.module.imports
            if name not in self.module.used and name != "*" and _matches(full, row.forbidden)
        ]


# --- Signatures -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Signature:
    arguments: ast.arguments
    skip: int
    given: frozenset[str]
    body: Body

    @property
    def open(self) -> bool:
        return self.arguments.vararg is not None and self.arguments.kwarg is not None


def _signatures(module: Module, meaning: Entity) -> list[_Signature]:
    match meaning:
        case Body(node=ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda() as node):
            return [_Signature(node.args, 0, frozenset(), meaning)]
        case Bound(body=Body(node=ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda() as node) as body):
            return [_Signature(node.args, meaning.skip, meaning.given, body)]
        case Class():
            made = module.methods(meaning, "__init__") or module.methods(meaning, "__new__")
            return [signature for body in made for signature in _signatures(module, Bound(body))]
        case Instance():
            called = module.methods(meaning.type, "__call__")
            return [signature for body in called for signature in _signatures(module, Bound(body))]
    return []


def _judge_signature(
    row: Row, overload: Overload, candidate: _Signature, names: Sequence[Collection[str]], module: Module
) -> list[Rule]:
    arguments = candidate.arguments
    every = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(every) - len(arguments.defaults)) + list(arguments.defaults)
    positional = [
        (argument, default)
        for argument, default in list(zip(every, defaults, strict=True))[candidate.skip :]
        if argument.arg not in candidate.given
    ]
    by_name = {
        argument.arg: default
        for argument, default in [
            *[pair for pair in positional if pair[0] not in arguments.posonlyargs],
            *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
        ]
    }
    line = candidate.body.line
    wanted = len(overload.positional)
    keywords = {parameter.name for each in row.overloads for parameter in each.keywords}
    facts = {"function": row.function, "expected": f"{row.function}{overload}"}
    rules: list[Rule] = []

    required = [argument.arg for argument, default in positional if default is None]
    too_many = [name for name in required[wanted:] if name not in keywords]
    needed = [
        argument.arg
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is None and argument.arg not in keywords and argument.arg not in candidate.given
    ]
    if len(positional) < wanted and arguments.vararg is None:
        rules.append(Rule("signature.parameters", "broken", line, {**facts, "variant": "few", "count": wanted}))
    elif too_many or needed:
        extra = ", ".join([*too_many, *needed])
        rules.append(Rule("signature.parameters", "broken", line, {**facts, "variant": "many", "extra": extra}))
    for index, (argument, _) in enumerate(positional[:wanted]):
        if len(names[index]) == 1 and argument.arg not in names[index]:
            told = {"name": argument.arg, "expected": overload.positional[index].name, "position": index + 1}
            rules.append(Rule("signature.name", "advice", argument.lineno, told))
    if len(positional) < wanted and arguments.vararg is not None:
        rules.append(Rule("signature.open", "advice", line, {"name": f"*{arguments.vararg.arg}"}))

    reserved = {argument.arg for argument, _ in positional[:wanted]}
    for parameter in overload.keywords:
        if parameter.name in candidate.given:
            continue
        told = {**facts, "name": parameter.name}
        if parameter.name not in by_name or parameter.name in reserved:
            if arguments.kwarg is not None and parameter.name not in reserved:
                rules.append(Rule("signature.open", "advice", line, {"name": f"**{arguments.kwarg.arg}"}))
                continue
            free = [name for name in by_name if name not in keywords and name not in reserved]
            close = difflib.get_close_matches(parameter.name.lower(), [name.lower() for name in free], n=1, cutoff=0.6)
            like = next((name for name in free if close and name.lower() == close[0]), None)
            if like is not None:
                told |= {"variant": "closest", "closest": like}
            rules.append(Rule("signature.keyword", "broken", line, told))
            continue
        rules += _judge_default(parameter.default, by_name[parameter.name], told, line, candidate.body, module)
    return rules


def _judge_default(
    expected: Any, default: ast.expr | None, told: dict[str, Any], line: int, body: Body, module: Module
) -> list[Rule]:
    told = {**told, "default": repr(expected)}
    if default is None:
        return [Rule("signature.default", "broken", line, {**told, "variant": "none"})]
    if expected is None:  # the statement's default cannot be written in Python: any will do
        return []
    try:
        value = _constant(default, body, module)
    except _NotConstantError:
        return [Rule("signature.default", "advice", default.lineno, {**told, "variant": "unreadable"})]
    same = isinstance(value, bool | int | float) and value == expected
    if isinstance(value, bool) and not isinstance(expected, bool):
        same = False
    if same:
        return []
    return [Rule("signature.default", "broken", default.lineno, {**told, "obtained": ast.unparse(default)[:60]})]


class _NotConstantError(Exception):
    """The value of an expression cannot be told without running it."""


_OPERATORS: Mapping[type[ast.operator], Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def _constant(expression: ast.expr, body: Body, module: Module, depth: int = 8) -> Any:
    """Return a number, text, None or bool that an expression is."""
    if depth == 0:
        raise _NotConstantError
    match expression:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            number = _constant(operand, body, module, depth - 1)
            if isinstance(number, int | float):
                return -number if isinstance(sign, ast.USub) else number
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS or isinstance(op, ast.Pow):
            first, second = (_constant(side, body, module, depth - 1) for side in (left, right))
            numbers = isinstance(first, int | float) and isinstance(second, int | float)
            if numbers and abs(first) < 1e9 and abs(second) < (64 if isinstance(op, ast.Pow) else 1e9):
                try:
                    return (
                        operator.pow(first, second) if isinstance(op, ast.Pow) else _OPERATORS[type(op)](first, second)
                    )
                except (ArithmeticError, ValueError):
                    pass
        case ast.Call(func=ast.Name(id="int" | "float" | "bool" as kind), args=[argument], keywords=[]):
            value = _constant(argument, body, module, depth - 1)
            if isinstance(value, int | float):
                try:
                    return {"int": int, "float": float, "bool": bool}[kind](value)
                except (ArithmeticError, ValueError):
                    pass
        case ast.Name(id=name):
            bindings = module.bindings_of(name)
            if len(bindings) == 1 and isinstance(bindings[0].value, ast.expr):
                return _constant(bindings[0].value, body, module, depth - 1)
    raise _NotConstantError


# --- Calls ----------------------------------------------------------------------------------------------------------


def _calls(reached: Reached, patterns: Sequence[str], rule: str) -> list[Rule]:
    """Report each forbidden name once, by the longest name on its line."""
    found: dict[str, int] = {}
    longest: dict[int, str] = {}
    for use, line in reached.externals:
        if isinstance(use, External) and _is(use, patterns) and len(use.name) > len(longest.get(line, "")):
            longest[line] = use.name
    for line, name in sorted(longest.items()):
        found.setdefault(name, line)
    return [
        Rule(rule, "broken", line, {"name": name.removeprefix("builtins.")})
        for name, line in found.items()
        if not any(other.startswith(f"{name}.") for other in found)
    ]


def _dynamic_calls(reached: Reached, patterns: Sequence[str]) -> list[Rule]:
    """Report names that only running tells, in modules where a forbidden one could hide."""
    return [
        Rule("calls.dynamic", "broken", line, {"name": use.module})
        for use, line in reached.externals
        if isinstance(use, Dynamic) and use.module
        if any(pattern.startswith(f"{use.module}.") or fnmatch.fnmatchcase(use.module, pattern) for pattern in patterns)
    ]


def _is(use: External | Dynamic, patterns: Sequence[str]) -> bool:
    if not isinstance(use, External):
        return False
    if not use.certain:
        patterns = [pattern for pattern in patterns if not pattern.endswith("*")]
    return _matches(use.name, patterns)


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


# --- Small things ---------------------------------------------------------------------------------------------------


def _body_of(entity: Entity) -> Body | None:
    return entity.body if isinstance(entity, Bound) else entity if isinstance(entity, Body) else None


def _calls_itself(meanings: Sequence[Entity]) -> bool:
    bodies = {id(body) for body in map(_body_of, meanings) if body is not None}
    names = {body.name for body in map(_body_of, meanings) if body is not None}
    return any(
        isinstance(reference, ast.Name) and reference.id in names
        for body in map(_body_of, meanings)
        if body is not None and id(body) in bodies
        for reference, _ in body.references
    )


def _closest_name(wanted: str, names: Iterable[str]) -> str | None:
    """Return the name most like the wanted one: the same words in another spelling, or nearly the same letters."""
    plain: dict[str, str] = {}
    for name in names:
        plain.setdefault(_plain(name), name)
    if _plain(wanted) in plain:
        return plain[_plain(wanted)]
    candidates = difflib.get_close_matches(_plain(wanted), list(plain), n=1, cutoff=0.8)
    return plain[candidates[0]] if candidates else None


def _plain(name: str) -> str:
    return re.sub(r"_(?!$)", "", name.strip("_") + ("_" if name.endswith("_") else "")).lower()


def _listed(lines: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(lines))


def _kind(kind: str) -> str:
    return kind.replace("[1]", "[:]").replace("[2]", "[:, :]")


def _without_repetitions(rules: Iterable[Rule]) -> list[Rule]:
    seen: dict[tuple[Any, ...], Rule] = {}
    for rule in rules:
        told = rule.message_facts
        key = (rule.id, rule.severity, told.get("name"), told.get("variant"), told.get("overload"))
        seen.setdefault(key, rule)
    return list(seen.values())
