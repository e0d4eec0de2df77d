"""The rubric: what each function is worth, what it must pass, and what its source may not do."""

from __future__ import annotations

import ast
import bisect
import difflib
import fnmatch
import functools
import hashlib
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any

__all__ = ["RULES", "Overload", "Parameter", "Row", "Rubric", "RubricError", "load_rubric"]

DEFAULT = Path(__file__).with_name("rubric.toml")
MOST_POINTS = 1_000_000

RULES = (
    "signature.missing",
    "signature.parameters",
    "signature.keyword",
    "signature.default",
    "signature.name",
    "signature.open",
    "signature.unreadable",
    "loops.too_many",
    "loops.overload",
    "loops.hidden",
    "loops.comprehension",
    "loops.recursion",
    "calls.forbidden",
    "calls.suspicious",
    "imports.practica",
    "source.encoding",
    "source.syntax",
    "source.too_large",
    "source.stopped",
    "source.unreached",
)
"""The ids of all rules on the source; a rubric prices them by their id or its first part."""

COSTS = ("zero", "cap", "flag")
FREE = {  # costs of their own even where a rubric prices their first part, or nothing at all
    "source.stopped": "flag",
    "calls.suspicious": "flag",
}
BASES = ("official", "none")  # what a rubric extends
LISTS = ("forbidden", "flagged", "needs")  # of a row, where lists stand as "@name"
OWN = ("name", "max_points")  # settings that no rubric inherits
POLICIES = ("allowed", "advice", "cost")
CHOICES = {  # of a row, and of all rows that say nothing: what there is, and what is taken
    "on_broken_rule": (COSTS, "zero"),
    "hidden_loops": (POLICIES, "advice"),
    "comprehensions": (POLICIES, "advice"),
}


class RubricError(ValueError):
    """A rubric that cannot be used, with the line and the reason.

    Attributes
    ----------
    line : int or None
        None when the reason is in no line of the file.
    reason : str
    """

    def __init__(self, reason: str, line: int | None = None, file: str = "rubric") -> None:
        super().__init__(f"{file}, line {line}: {reason}" if line else f"{file}: {reason}")
        self.reason, self.line = reason, line


@dataclass(frozen=True)
class Parameter:
    """One parameter of a signature.

    Attributes
    ----------
    name : str
    kind : str
        "int", "bool[1]", "real[2]", "any"...: the type of the elements and the number of dimensions.
    keyword : bool
        Whether it is passed by name; the others are passed by position.
    default : object
        The default value that the statement gives, or None where the statement's cannot be written in Python.
    """

    name: str
    kind: str
    keyword: bool = False
    default: Any = None


@dataclass(frozen=True)
class Overload:
    """One method of the statement: its parameters, and its own limits of loops (None: not stated).

    With two classes there may be another one, of all loops that go round.
    """

    parameters: tuple[Parameter, ...]
    max_loops: int | None = None
    max_loops_two_classes: int | None = None

    @property
    def positional(self) -> tuple[Parameter, ...]:
        """The parameters that are passed by position."""
        return tuple(parameter for parameter in self.parameters if not parameter.keyword)

    @property
    def keywords(self) -> tuple[Parameter, ...]:
        """The parameters that are passed by name."""
        return tuple(parameter for parameter in self.parameters if parameter.keyword)

    def __str__(self) -> str:
        texts = [parameter.name for parameter in self.positional]
        if self.keywords:
            texts += ["*", *(f"{parameter.name}={parameter.default!r}" for parameter in self.keywords)]
        return f"({', '.join(texts)})"


@dataclass(frozen=True)
class Row:
    """A line of the marking criteria.

    Attributes
    ----------
    name : str
        "confusion_matrix_binary"
    function : str
        The name in the student's file: "confusion_matrix".
    points : Decimal
    checks : tuple of str
        Patterns of check ids, all of which must pass.
    overloads : tuple of Overload
    max_loops : int or None
        Limit for the whole function; None for no limit.
    on_broken_rule : "zero", "cap" or "flag"
        What a broken rule costs that `costs` does not name.
    cap : Decimal
        Most points with a rule broken whose cost is "cap".
    costs : mapping
        Costs by the id of a rule or its first part.
    forbidden : tuple of str
        Patterns of full names of what raises where the function is marked.
    flagged : tuple of str
        Patterns of what it may use at no cost, and a person should look at.
    needs : tuple of str
        Patterns of what it may use although other rows forbid it.
    hidden_loops, comprehensions : "allowed", "advice" or "cost"
        With "cost" each counts as a loop.
    """

    name: str
    function: str
    points: Decimal
    checks: tuple[str, ...]
    overloads: tuple[Overload, ...]
    max_loops: int | None = None
    on_broken_rule: str = "zero"
    cap: Decimal = Decimal(0)
    costs: Mapping[str, str] = field(default_factory=dict)
    forbidden: tuple[str, ...] = ()
    flagged: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    hidden_loops: str = "advice"
    comprehensions: str = "advice"

    @property
    def limits_loops(self) -> bool:
        """Whether the function or one of its overloads has a limit."""
        return self.max_loops is not None or any(overload.max_loops is not None for overload in self.overloads)

    def cost_of(self, rule: str) -> str:
        """Return what breaking a rule costs here: "zero", "cap" or "flag"."""
        return self.costs.get(rule, self.costs.get(rule.partition(".")[0], self.on_broken_rule))

    def checks_of(self, ids: Iterable[str]) -> list[str]:
        """List the ids of the checks of this row, in the order given."""
        return [identifier for identifier in ids if any(fnmatch.fnmatchcase(identifier, p) for p in self.checks)]


@dataclass(frozen=True)
class Rubric:
    """The marking criteria.

    Attributes
    ----------
    name : str
    sha256 : str
        Of the file, to know which rubric gave a mark.
    max_points : Decimal
    rows : dict of Row by name
    packages : tuple of str
        What the file may not import.
    flagged : tuple of str
        Patterns of full names by which a file runs code that it does not show: a person should look at it.
    """

    name: str
    sha256: str
    max_points: Decimal
    rows: Mapping[str, Row]
    packages: tuple[str, ...] = ()
    flagged: tuple[str, ...] = ()


def load_rubric(path: str | Path | None = None, *, checks: Collection[str] | None = None) -> Rubric:
    """Read a rubric.

    Parameters
    ----------
    path : path, optional
        A TOML file like `practica/grading/rubric.toml`, which is read without one.
    checks : collection of str, optional
        The ids of the checks there are; with them, a pattern that matches none is refused.

    Returns
    -------
    rubric : Rubric

    Raises
    ------
    RubricError
        If the file cannot be read, is not TOML, or says something that a rubric cannot say; with the line.

    Notes
    -----
    A rubric extends the official criteria: its tables are merged into theirs, and a value or a list replaces theirs.
    Only `name` and `max_points` are always its own. With `extends = "none"` it inherits nothing; then a function that
    lists no overloads has the signatures of the statement, without limits of loops.

    Examples
    --------
    >>> rubric = load_rubric()
    >>> rubric.max_points, rubric.rows["accuracy"].points
    (Decimal('2.50'), Decimal('0.20'))
    """
    file = Path(path) if path is not None else DEFAULT
    try:
        content = file.read_bytes()
    except OSError as error:
        raise RubricError(f"cannot be read: {error.strerror}", file=str(file)) from None
    try:
        return _read(content, None if path is None else _official(), checks)
    except RubricError as error:
        raise RubricError(error.reason, error.line, str(file)) from None


@functools.cache
def _official() -> Rubric:
    return _read(DEFAULT.read_bytes(), None, None)


def _read(content: bytes, official: Rubric | None, checks: Collection[str] | None) -> Rubric:
    text, own = _parsed(content)
    root = _Table(own, (), text)
    if root.choice("extends", BASES, BASES[0]) == "official" and official is not None:
        _, inherited = _parsed(DEFAULT.read_bytes())
        inherited = {key: value for key, value in inherited.items() if key not in OWN}
        root.inherit(inherited)
    if (version := root.integer("schema", 1)) != 1:
        raise root.error("schema", f"schema = {version}: this version of practica reads schema 1")
    name = root.text("name", "")
    lists = {key: patterns for table in [root.table("forbidden")] for key in table for patterns in [table.texts(key)]}
    file = root.table("file")
    defaults = root.table("defaults")
    fallback = {key: defaults.choice(key, *choice) for key, choice in CHOICES.items()}
    defaults.nothing_else()
    costs = FREE | _costs(root.table("costs"))
    functions = root.table("functions")
    known = list(official.rows) if official else list(functions)
    for key in functions:
        if key not in known:
            raise functions.error(key, f"there is no function {key!r}{closest(key, known)}")
    marked = root.texts("only", tuple(functions))
    for index, key in enumerate(marked):
        if key not in functions:
            raise root.error("only", f"there is no function {key!r}{closest(key, functions)}", index)
    for key in own.get("functions", {}):
        if key not in marked:
            raise functions.error(key, f"only does not list the function {key!r}, so that it is not marked")
    rows = {key: _row(key, functions.table(key), official, lists, fallback, costs, checks) for key in marked}
    if not rows:
        raise RubricError("there are no functions: [functions.accuracy] would be the table of one")
    patterns = (each for key in functions for name in LISTS for each in functions.table(key).texts(name))
    used = {pattern[1:] for pattern in patterns if pattern.startswith("@")}
    for key in own.get("forbidden", {}):
        if key not in used:
            raise root.table("forbidden").error(key, f"no function uses the list '@{key}'{closest(key, used)}")
    total = sum((row.points for row in rows.values()), Decimal(0))
    declared = root.decimal("max_points", total)
    if declared != total:
        raise root.error("max_points", f"max_points = {declared}, but the points of the functions add up to {total}")
    rubric = Rubric(
        name=name or "sin nombre",
        sha256=hashlib.sha256(content).hexdigest(),
        max_points=declared,
        rows=MappingProxyType(rows),
        packages=file.texts("packages"),
        flagged=file.texts("flagged"),
    )
    file.nothing_else()
    root.nothing_else()
    return rubric


def _parsed(content: bytes) -> tuple[str, dict[str, Any]]:
    """Return the text of a rubric, and what it says."""
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise RubricError(f"byte 0x{content[error.start]:02x} is not UTF-8", line) from None
    try:
        document = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column (\d+)\)$", str(error))
        reason = re.sub(r" \(at .*\)$", "", str(error))
        raise RubricError(f"{reason} (not TOML)", int(place[1]) if place else text.count("\n") + 1) from None
    except RecursionError:
        raise RubricError("lists are too deep in each other (not TOML)", 1) from None
    return text, document


def _merged(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table with the settings of another one, table by table."""
    merged = dict(base)
    for key, value in own.items():
        tables = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = _merged(base[key], value) if tables else value
    return merged


def _row(
    name: str,
    table: _Table,
    official: Rubric | None,
    lists: Mapping[str, tuple[str, ...]],
    fallback: Mapping[str, str],
    costs: Mapping[str, str],
    checks: Collection[str] | None,
) -> Row:
    model = official.rows[name] if official else None
    function = table.text("function", model.function if model else name)
    if model and function != model.function:
        raise table.error("function", f"function = {function!r}: the checks of {name} call {model.function!r}")
    points = table.decimal("points")
    cap = table.decimal("cap", Decimal(0))
    if cap > points:
        raise table.error("cap", f"cap = {cap} is more than the {points} points of the function")
    overloads = tuple(_overload(name, overload) for overload in table.tables("overloads"))
    if not overloads and model:
        overloads = tuple(Overload(overload.parameters) for overload in model.overloads)
    if not overloads:
        raise table.error(None, f"{name} has no overloads")
    forbidden = _expanded(table, "forbidden", lists)
    row = Row(
        name=name,
        function=function,
        points=points,
        checks=table.texts("checks", (f"{name}.*",)),
        overloads=overloads,
        max_loops=table.integer("max_loops", None),
        cap=cap,
        costs=MappingProxyType({**costs, **_costs(table.table("costs"))}),
        forbidden=forbidden,
        flagged=_expanded(table, "flagged", lists),
        needs=tuple(pattern for pattern in _expanded(table, "needs", lists) if pattern not in forbidden),
        **{key: table.choice(key, options, fallback[key]) for key, (options, _) in CHOICES.items()},
    )
    table.nothing_else()
    if checks is not None:
        for pattern in row.checks:
            if not any(fnmatch.fnmatchcase(identifier, pattern) for identifier in checks):
                line = "checks" if "checks" in table else None
                known = dict.fromkeys(f"{each.partition('.')[0]}.*" for each in checks)
                near = closest(pattern, [*known, *checks])
                raise table.error(line, f"{name}: no check matches {pattern!r}{near}")
    return row


def _costs(table: _Table) -> dict[str, str]:
    known = sorted({*RULES, *(rule.partition(".")[0] for rule in RULES)})
    costs = {}
    for key in table:
        if key not in known:
            raise table.error(key, f"there is no rule {key!r}{closest(key, known)}")
        costs[key] = table.choice(key, COSTS, "zero")
    return costs


def _expanded(table: _Table, key: str, lists: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    patterns: list[str] = []
    for pattern in table.texts(key, ()):
        if not pattern.startswith("@"):
            patterns.append(pattern)
        elif pattern[1:] in lists:
            patterns += lists[pattern[1:]]
        else:
            known = [f"@{name}" for name in lists]
            raise table.error(key, f"there is no list {pattern!r} in [forbidden]{closest(pattern, known)}")
    return tuple(patterns)


def _overload(function: str, table: _Table) -> Overload:
    text = table.text("signature")
    try:
        definition = ast.parse(f"def _{text.strip()}: ...").body[0]
        assert isinstance(definition, ast.FunctionDef)
        arguments = definition.args
        if arguments.posonlyargs or arguments.vararg or arguments.kwarg or arguments.defaults:
            raise ValueError("write it as (name: kind, ..., *, keyword=default)")
        positional = [
            Parameter(argument.arg, ast.unparse(argument.annotation) if argument.annotation else "any")
            for argument in arguments.args
        ]
        keywords = [
            Parameter(argument.arg, "any", keyword=True, default=ast.literal_eval(default) if default else None)
            for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        ]
        for parameter in positional:
            if not re.fullmatch(r"int|(bool|real|any)(\[[12]\])?", parameter.kind):
                raise ValueError(f"{parameter.kind!r} is no kind: int, real, any, or bool, real, any with [1] or [2]")
    except SyntaxError:
        raise table.error("signature", f"{function}: the signature {text.strip()!r} cannot be read") from None
    except ValueError as error:
        raise table.error("signature", f"{function}: the signature {text.strip()!r}: {error}") from None
    limits = table.integer("max_loops", None), table.integer("max_loops_two_classes", None)
    if limits[0] is None and limits[1] is not None:
        raise table.error("max_loops_two_classes", f"{function}: an overload with this limit needs max_loops, too")
    overload = Overload((*positional, *keywords), *limits)
    table.nothing_else()
    return overload


def closest(word: str, known: Iterable[str]) -> str:
    """Say which known words look like this one: "; did you mean 'accuracy'?", or nothing."""
    candidates = difflib.get_close_matches(word, list(known), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(map(repr, candidates))}?" if candidates else ""


class _Table:
    """A table of the file: values of the right type, or a RubricError with the line of the key."""

    def __init__(self, values: Mapping[str, Any], path: tuple[str | int, ...], text: str) -> None:
        self._values, self._path, self._text = values, path, text
        self._seen: set[str] = set()

    def __iter__(self) -> Iterator[str]:
        self._seen.update(self._values)
        return iter(self._values)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def inherit(self, values: Mapping[str, Any]) -> None:
        """Take over what this table does not say."""
        self._values = _merged(values, self._values)

    def error(self, key: str | None, reason: str, *element: int) -> RubricError:
        path = self._path if key is None else (*self._path, key, *element)
        return RubricError(reason, _line_of(self._text, path))

    def _value(self, key: str, default: Any, kind: type | tuple[type, ...], expected: str) -> Any:
        self._seen.add(key)
        if key not in self._values:
            if default is ...:
                place = ".".join(map(str, self._path)) or "the rubric"
                raise self.error(None, f"{key} is missing in {place}")
            return default
        value = self._values[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.error(key, f"{key} = {_shown(value)} must be {expected}")
        return value

    def text(self, key: str, default: Any = ...) -> str:
        return self._value(key, default, str, "a text in quotes")

    def integer(self, key: str, default: int | None) -> int | None:
        value = self._value(key, default, int, "an integer")
        if value is not None and value < 0:
            raise self.error(key, f"{key} = {value} must not be negative")
        return value

    def decimal(self, key: str, default: Any = ...) -> Decimal:
        value = self._value(key, default, (int, Decimal), "a number")
        number = Decimal(value)
        if not number.is_finite() or not 0 <= number <= MOST_POINTS:
            raise self.error(key, f"{key} = {number:.9g} must be a number of points, from 0 to {MOST_POINTS}")
        if number != round(number, 2):
            raise self.error(key, f"{key} = {number} has more than two decimals")
        return round(number, 2)

    def choice(self, key: str, options: Collection[str], default: str) -> str:
        value = self.text(key, default)
        if value not in options:
            reason = f"{key} = {value!r} must be {', '.join(map(repr, options))}{closest(value, options)}"
            raise self.error(key, reason)
        return value

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        value = self._value(key, list(default), list, "a list of texts")
        for index, element in enumerate(value):
            if not isinstance(element, str) or not element:
                raise self.error(key, f"{key} must be a list of texts, and {_shown(element)} is none", index)
        return tuple(value)

    def table(self, key: str) -> _Table:
        return _Table(self._value(key, {}, dict, "a table"), (*self._path, key), self._text)

    def tables(self, key: str) -> list[_Table]:
        values = self._value(key, [], list, "a list of tables")
        for value in values:
            if not isinstance(value, dict):
                raise self.error(key, f"{key} must be a list of tables, and {_shown(value)} is none")
        return [_Table(value, (*self._path, key, index), self._text) for index, value in enumerate(values)]

    def nothing_else(self) -> None:
        """Refuse a key that nobody asked for."""
        for key in self._values:
            if key not in self._seen:
                raise self.error(key, f"there is no setting {key!r}{closest(key, self._seen)}")


def _shown(value: Any) -> str:
    text = str(value) if isinstance(value, Decimal) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


ENDINGS = ("", "]", "]]", "}]", "'''", '"""')  # of what a line may leave open


def _line_of(text: str, path: Sequence[str | int]) -> int | None:
    """Return the line of a key, table or list element, or of what it is in: tomllib knows those of syntax errors."""
    lines = text.split("\n")

    def is_there(count: int) -> bool:
        """Tell whether the first lines are enough for it to be there, once what they leave open is closed."""
        for ending in ENDINGS:
            with suppress(tomllib.TOMLDecodeError, LookupError, TypeError):
                value: Any = tomllib.loads("\n".join([*lines[:count], ending]))
                for step in path:
                    value = value[step]
                return True
        return False

    while path and not is_there(len(lines)):
        path = path[:-1]
    return 1 + bisect.bisect_left(range(1, len(lines)), True, key=is_there) if path else None
