"""The rubric: what each function is worth, what it must pass, and what its source may not do."""

from __future__ import annotations

import ast
import builtins
import fnmatch
import functools
import hashlib
import importlib
import inspect
import itertools
import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType

from practica.grading.engine.credit import Credit, read_credit
from practica.grading.engine.current import OFFICIAL, RUBRIC, assignment
from practica.grading.engine.lateness import LateRule, late_rule
from practica.grading.engine.rendering import code_of_value, equal
from practica.grading.engine.settings import RubricError, Section, read_table
from practica.grading.inside.guarded_values import can_be_guarded, is_pythons
from practica.grading.inside.plain_data import to_plain
from practica.nearest import closest

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
    "calls.outside",
    "answers.differ",
    "answers.out_of_time",
    "imports.practica",
    "source.redefined",
    "source.rebound",
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
    "source.rebound": "flag",
    "calls.suspicious": "flag",
    "calls.outside": "flag",
    "answers.differ": "flag",
    "answers.out_of_time": "flag",
}
BASES = ("official", "none")  # what a rubric extends
# what that of an assignment of its own extends: all of the practice but its functions
SHARED = "rules"
LISTS = ("forbidden", "flagged", "needs")  # keys of a row, where lists stand as "@name"
OWN = ("name", "titles", "max_points", "extends")  # settings that no rubric inherits
MANUAL = "manual"  # what a row says that a person marks
NO_DEFAULT = inspect.Parameter.empty  # a parameter without a default has this
POLICIES = ("allowed", "advice", "cost")
CHOICES = {  # keys of a row: what there is, and what a row that says nothing has
    "on_broken_rule": (COSTS, "zero"),
    "hidden_loops": (POLICIES, "advice"),
    "comprehensions": (POLICIES, "advice"),
}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a signature in the rubric."""

    name: str
    # "int", "bool[1]", "real[2]", "any"...: the type of the elements and the number of dimensions
    kind: str
    keyword: bool = False  # whether it is passed by name; the others are passed by position
    # the default value that the statement gives; `...` where any will do
    default: object = NO_DEFAULT


@dataclass(frozen=True)
class Overload:
    """One method of the statement: its parameters, and its own limits of loops (None: not stated).

    `max_loops_two_classes`: the limit for two classes, where every loop that goes round counts.
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
            texts += ["*", *map(_keyword, self.keywords)]
        return f"({', '.join(texts)})"


def written(default: object) -> str:
    """Return a default as Python source; `...`, which stands for any default, as None."""
    return code_of_value(None if default is ... else default)


def _keyword(parameter: Parameter) -> str:
    if parameter.default is NO_DEFAULT:
        return parameter.name
    return f"{parameter.name}={written(parameter.default)}"


@dataclass(frozen=True)
class Row:
    """A line of the marking criteria: a function, or a part of one, with its points, checks and
    rules.
    """

    name: str  # "confusion_matrix_binary"
    function: str  # the name in the student's file: "confusion_matrix"
    points: Decimal
    checks: tuple[str, ...]  # patterns of check ids, all of which must pass
    overloads: tuple[Overload, ...]
    max_loops: int | None = None  # limit for the whole function; None for no limit
    # "zero", "cap" or "flag": what a broken rule costs that `costs` does not name
    on_broken_rule: str = "zero"
    cap: Decimal = Decimal(0)  # most points with a broken rule of cost "cap"
    # costs by the id of a rule or its first part
    costs: Mapping[str, str] = field(default_factory=dict)
    # patterns of full names of what raises where the function is marked
    forbidden: tuple[str, ...] = ()
    # patterns of what it may use at no cost, and a person should look at
    flagged: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()  # patterns of what it may use although other rows forbid it
    # hidden_loops, comprehensions: "allowed", "advice" or "cost": with "cost" each counts as a loop
    hidden_loops: str = "advice"
    comprehensions: str = "advice"
    credit: Credit = field(default_factory=Credit)  # what it earns if only some of its checks pass
    place: int = 0  # that of its function in the assignment

    @property
    def limits_loops(self) -> bool:
        """Whether the loops of the function, or those of one of its overloads, are limited."""
        return self.max_loops is not None or any(
            overload.max_loops is not None for overload in self.overloads
        )

    def cost_of(self, rule: str) -> str:
        """Return what breaking a rule costs here: "zero", "cap" or "flag"."""
        return self.costs.get(rule, self.costs.get(rule.partition(".")[0], self.on_broken_rule))

    def checks_of(self, ids: Iterable[str]) -> list[str]:
        """List those of these ids that are ids of checks of this row, in the order given."""
        return [
            identifier
            for identifier in ids
            if any(fnmatch.fnmatchcase(identifier, p) for p in self.checks)
        ]


@dataclass(frozen=True)
class Rubric:
    """The marking criteria."""

    name: str
    sha256: str  # the file's, to know which rubric gave a mark
    max_points: Decimal
    rows: Mapping[str, Row]  # what is marked
    # the other functions of the assignment: a verdict does not depend on which of them are
    # marked, too
    unmarked: tuple[Row, ...] = ()
    packages: tuple[str, ...] = ()  # what the file may not import
    # patterns of full names by which a file runs code that it does not show: a person should look
    # at it
    flagged: tuple[str, ...] = ()
    late: LateRule | None = None  # what lateness costs; None if nothing
    # how it is called in a language, where that is not its name
    titles: Mapping[str, str] = field(default_factory=dict)
    # the most points of each row that a person marks: a report, a talk
    manual: Mapping[str, Decimal] = field(default_factory=dict)

    @property
    def maxima(self) -> dict[str, float]:
        """The most points of each row, also of those that a person marks."""
        return {
            **{row.name: float(row.points) for row in self.rows.values()},
            **{k: float(v) for k, v in self.manual.items()},
        }

    @property
    def assigned(self) -> list[Row]:
        """The rows of all functions of the assignment, marked or not, in the order of the
        assignment.
        """
        return sorted((*self.rows.values(), *self.unmarked), key=lambda row: row.place)

    @property
    def functions(self) -> set[str]:
        """The names of the functions of the assignment, marked or not."""
        return {row.function for row in self.assigned}

    @property
    def marking(self) -> str:
        """Return, as text, the settings that decide marks: all but the rubric's name and the price
        of lateness.
        """
        return repr(
            (dict(self.rows), self.unmarked, self.packages, self.flagged, dict(self.manual))
        )


def forbidden_together(rows: Iterable[Row]) -> Mapping[str, tuple[str, ...]]:
    """Return, by row, the patterns of all names that are forbidden in the process in which it runs.

    Rows share a process, in which the functions that they forbid raise, as long as no row may use
    what another one forbids, and all forbid the same names of Python's own modules. The official
    criteria have two groups: the student's own work, and the cross-validations, which train models.

    >>> forbidden = forbidden_together(load_rubric().rows.values())
    >>> len(set(forbidden.values())), "sklearn.svm.*" in forbidden["accuracy"]
    (2, True)
    >>> "sklearn.svm.*" in forbidden["model_cross_validation"]
    False
    """
    # what is forbidden, what may be used, the rows
    groups: list[tuple[dict[str, None], set[str], list[str]]] = []
    for row in rows:
        usable = {*row.needs, *row.flagged}
        for forbidden, all_usable, names in groups:
            alike = {*filter(is_pythons, forbidden)} == {*filter(is_pythons, row.forbidden)}
            if (
                alike
                and not _overlap(usable, forbidden)
                and not _overlap(all_usable, row.forbidden)
            ):
                forbidden.update(dict.fromkeys(row.forbidden))
                all_usable |= usable
                names.append(row.name)
                break
        else:
            groups.append((dict.fromkeys(row.forbidden), usable, [row.name]))
    return {name: tuple(forbidden) for forbidden, _, names in groups for name in names}


def _overlap(some: Iterable[str], others: Collection[str]) -> bool:
    """Return whether one of some patterns describes one of the others, or the reverse."""
    pairs = itertools.product(some, others)
    return any(fnmatch.fnmatchcase(a, b) or fnmatch.fnmatchcase(b, a) for a, b in pairs)


def official_rubric() -> Path:
    """Return the file of the assignment's own rubric."""
    return assignment().folder / RUBRIC


def load_rubric(path: str | Path | None = None, *, checks: Collection[str] | None = None) -> Rubric:
    """Read a rubric.

    `path`: a TOML file like `practica/grading/assignment/rubric.toml`, which is read without one.
    `checks`: the ids of the checks there are; with them, a pattern that matches none is refused.
    Raises `RubricError` if the file cannot be read, is not TOML, or says something that a rubric
        cannot say; with the line.

    A rubric extends the official criteria: its tables are merged into theirs, and a value or a list
    replaces theirs. Only `name` and `max_points` are always its own. With `extends = "none"` it
    inherits nothing; then a function that lists no overloads has the signatures of the statement,
    without limits of loops.

    >>> rubric = load_rubric()
    >>> rubric.max_points, rubric.rows["accuracy"].points
    (Decimal('2.50'), Decimal('0.20'))
    """
    file = Path(path) if path is not None else official_rubric()
    try:
        content = file.read_bytes()
    except OSError as error:
        raise RubricError(f"cannot be read: {error.strerror}", file=str(file)) from None
    try:
        return _read(content, None if path is None else official(), checks)
    except RubricError as error:
        raise RubricError(error.reason, error.line, str(file)) from None


@functools.cache
def official() -> Rubric:
    """Return the assignment's own rubric, read once."""
    return _read(official_rubric().read_bytes(), None, None)


def _read(content: bytes, official: Rubric | None, checks: Collection[str] | None) -> Rubric:
    root = read_table(content)
    own = {key: [*root.table(key)] for key in ("functions", "forbidden")}
    if official is None:
        _complete(root)
    elif root.choice("extends", BASES, BASES[0]) == "official":
        root.inherit(_complete(read_table(official_rubric().read_bytes())), without=OWN)
    if (version := root.integer("schema", 1)) != 1:
        raise root.error("schema", f"schema = {version}: this version of practica reads schema 1")
    name = root.text("name", "")
    titles = {} if name else {"es": "sin nombre", "en": "no name"}
    titles |= {lang: table.text(lang) for table in [root.table("titles")] for lang in table}
    named = root.table("forbidden")
    lists = {key: _forbidding(named, key) for key in named}
    file = root.table("file")
    defaults = root.table("defaults")
    fallback = {key: defaults.choice(key, *choice) for key, choice in CHOICES.items()}
    credit = read_credit(defaults)
    defaults.nothing_else()
    costs = FREE | _costs(root.table("costs"))
    functions = root.table("functions")
    known = list(official.rows) if official else list(functions)
    marked = _marked(root, functions, own["functions"], known)
    by_hand = [key for key in functions if functions.table(key).flag(MANUAL)]
    manual = {key: _by_hand(functions.table(key)) for key in marked if key in by_hand}
    marked = tuple(key for key in marked if key not in by_hand)
    judged = [key for key in functions if key not in by_hand]
    places = {key: known.index(functions.table(key).text("part_of", key)) for key in judged}

    def row_of(key: str) -> Row:
        return _row(
            key,
            _whole(functions, key),
            places[key],
            official,
            lists,
            fallback,
            credit,
            costs,
            checks,
        )

    rows = {key: row_of(key) for key in marked}
    others = (
        official.assigned
        if official
        else [row_of(key) for key in judged if key not in own["functions"]]
    )
    if not rows:
        raise RubricError("there are no functions: [functions.accuracy] would be the table of one")
    patterns = (
        each for key in functions for name in LISTS for each in functions.table(key).texts(name)
    )
    used = {pattern[1:] for pattern in patterns if pattern.startswith("@")}
    for key in own["forbidden"]:
        if key not in used:
            raise named.error(key, f"no function uses the list '@{key}'{closest(key, used, '')}")
    total = sum((row.points for row in rows.values()), Decimal(0)) + sum(
        manual.values(), Decimal(0)
    )
    declared = root.decimal("max_points", total)
    if declared != total:
        raise root.error(
            "max_points",
            f"max_points = {declared}, but the points of the functions add up to {total}",
        )
    rubric = Rubric(
        name=name or titles["es"],
        sha256=hashlib.sha256(content).hexdigest(),
        max_points=declared,
        rows=MappingProxyType(rows),
        unmarked=tuple(row for row in others if row.name not in rows),
        packages=file.texts("packages"),
        flagged=file.texts("flagged"),
        late=late_rule(root.table("late")) if "late" in root else None,
        titles=MappingProxyType(titles),
        manual=MappingProxyType(manual),
    )
    file.nothing_else()
    root.nothing_else()
    return rubric


def _complete(root: Section) -> Section:
    """Add to the rubric of another assignment what it takes from that of the practice, and return
    it.
    """
    if (
        not assignment().is_official
        and (base := root.choice("extends", (*BASES, SHARED), SHARED)) != "none"
    ):
        without = (*OWN, "functions") if base == SHARED else OWN
        root.inherit(read_table((OFFICIAL / RUBRIC).read_bytes()), without=without)
    return root


def _marked(
    root: Section, functions: Section, own: Iterable[str], known: Collection[str]
) -> tuple[str, ...]:
    """Return the names of the functions that a rubric marks, leaving out those whose parts are
    marked instead.

    `own`: the functions with a table in the file itself, which must be marked.
    `known`: all functions that there are.
    Raises `RubricError` for other names.
    """
    parts: dict[str, str] = {}
    for key in functions:
        if functions.table(key).flag(MANUAL) or key in known:
            continue
        if "part_of" not in (table := functions.table(key)):
            raise functions.error(key, f"there is no function {key!r}{closest(key, known, '')}")
        parts[key] = table.text("part_of")
        if parts[key] not in known:
            raise table.error(
                "part_of", f"there is no function {parts[key]!r}{closest(parts[key], known, '')}"
            )
        for needed in ("points", "checks"):
            if needed not in table:
                raise table.error(None, f"{needed} is missing in {key}, a part of {parts[key]}")
    marked = root.texts("only", tuple(key for key in functions if key not in parts.values()))
    for index, key in enumerate(marked):
        if key not in functions:
            raise root.error(
                "only", f"there is no function {key!r}{closest(key, functions, '')}", index
            )
    for key in own:
        if key not in marked:
            raise functions.error(
                key, f"only does not list the function {key!r}, so that it is not marked"
            )
    return marked


def _by_hand(table: Section) -> Decimal:
    """Return the points of a row that a person marks; refuse any other setting in it."""
    points, _ = table.decimal("points"), table.flag(MANUAL)
    table.nothing_else()
    return points


def _whole(functions: Section, key: str) -> Section:
    """Return the table of a function. To a part of a function, add the settings of the whole one
    that it lacks, except points and checks.
    """
    table = functions.table(key)
    if (whole := table.text("part_of", key)) != key and whole in functions:
        table.inherit(functions.table(whole), without=("points", "checks"))
    return table


def _row(
    name: str,
    table: Section,
    place: int,
    official: Rubric | None,
    lists: Mapping[str, tuple[str, ...]],
    fallback: Mapping[str, str],
    credit: Credit,
    costs: Mapping[str, str],
    checks: Collection[str] | None,
) -> Row:
    model = official.rows[table.text("part_of", name)] if official else None
    function = table.text("function", model.function if model else name)
    if model and function != model.function:
        raise table.error(
            "function", f"function = {function!r}: the checks of {name} call {model.function!r}"
        )
    points = table.decimal("points")
    cap = table.decimal("cap", Decimal(0))
    if cap > points:
        raise table.error("cap", f"cap = {cap} is more than the {points} points of the function")
    overloads = tuple(_overload(name, overload) for overload in table.tables("overloads"))
    if not overloads and model:
        overloads = tuple(Overload(overload.parameters) for overload in model.overloads)
    if not overloads:
        raise table.error(None, f"{name} has no overloads")
    _forbidding(table, "forbidden")
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
        credit=read_credit(table, credit),
        needs=tuple(
            pattern for pattern in _expanded(table, "needs", lists) if pattern not in forbidden
        ),
        place=place,
        **{key: table.choice(key, options, fallback[key]) for key, (options, _) in CHOICES.items()},
    )
    table.nothing_else()
    if checks is not None:
        _match(row, table, checks)
    return row


def _match(row: Row, table: Section, checks: Collection[str]) -> None:
    """Refuse patterns that match no check, and weights of checks that the row does not have."""
    own = row.checks_of(checks)
    for key, patterns, candidates in (
        ("checks", row.checks, checks),
        ("weights", row.credit.weights, own),
    ):
        for pattern in patterns:
            if not any(fnmatch.fnmatchcase(identifier, pattern) for identifier in candidates):
                known = dict.fromkeys(f"{each.partition('.')[0]}.*" for each in candidates)
                near = closest(pattern, [*known, *candidates], "")
                raise table.error(
                    key if key in table else None, f"{row.name}: no check matches {pattern!r}{near}"
                )
    if own and not any(map(row.credit.weight, own)):
        raise table.error("weights", f"{row.name}: the weights of all checks are 0")


def _costs(table: Section) -> dict[str, str]:
    known = sorted({*RULES, *(rule.partition(".")[0] for rule in RULES)})
    costs = {}
    for key in table:
        if key not in known:
            raise table.error(key, f"there is no rule {key!r}{closest(key, known, '')}")
        costs[key] = table.choice(key, COSTS, "zero")
    return costs


def _expanded(table: Section, key: str, lists: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    patterns: list[str] = []
    for pattern in table.texts(key, ()):
        if not pattern.startswith("@"):
            patterns.append(pattern)
        elif pattern[1:] in lists:
            patterns += lists[pattern[1:]]
        else:
            known = [f"@{name}" for name in lists]
            raise table.error(
                key, f"there is no list {pattern!r} in [forbidden]{closest(pattern, known, '')}"
            )
    return tuple(patterns)


def _default(name: str, written: ast.expr | None) -> object:
    """Return the default of a parameter, `NO_DEFAULT` if none is written; raise ValueError if it is
    not plain data.
    """
    if written is None:
        return NO_DEFAULT
    with suppress(ValueError):
        default = ast.literal_eval(written)
        if default is ... or equal(to_plain(default), default):
            return default
    raise ValueError(
        f"the default {name}={ast.unparse(written)} is no number, text, bool, None, nor a tuple,"
        " list, set or dict of them; write ... where any will do"
    )


def _forbidding(table: Section, key: str) -> tuple[str, ...]:
    """Return a list of patterns of forbidden names; refuse names of Python that cannot be
    forbidden.
    """
    patterns = table.texts(key)
    for index, pattern in enumerate(patterns):
        if (reason := _why_not(pattern)) is not None:
            raise table.error(key, f"{pattern!r} cannot be forbidden: {reason}", index)
    return patterns


def _why_not(pattern: str) -> str | None:
    """Return why a pattern of names cannot be forbidden; None if it can.

    >>> _why_not("sorted")
    "write 'builtins.sorted'"
    >>> _why_not("list.sort")
    'it is in no module, and methods cannot be'
    >>> _why_not("math.pi")
    'it is no function or class'
    >>> _why_not("math.sqrt"), _why_not("random.*"), _why_not("numpy.sqr")
    (None, None, None)
    """
    in_no_module = "it is in no module, and methods cannot be"
    package, *more = pattern.split(".")
    if hasattr(builtins, package):
        return in_no_module if more else f"write 'builtins.{pattern}'"
    if not is_pythons(pattern):
        return None
    if not more:
        return f"write '{pattern}.*' for all that the module has"
    folder, _, last = pattern.partition("*")[0].rpartition(".")
    try:
        importlib.import_module(package)
    except ImportError:
        return None  # no file can use it on this machine
    try:
        names = vars(importlib.import_module(folder))
    except ImportError:
        return in_no_module
    if "*" in pattern:
        return None
    if last not in names:
        full_names = [f"{folder}.{name}" for name in names]
        return f"Python has no such name{closest(pattern, full_names, '')}"
    if last.startswith("__"):
        return "statements call it"
    return None if can_be_guarded(names[last]) else "it is no function or class"


def _overload(function: str, table: Section) -> Overload:
    text = table.text("signature")
    try:
        definition = ast.parse(f"def _{text.strip()}: ...").body[0]
        assert isinstance(definition, ast.FunctionDef)
        arguments = definition.args
        if arguments.posonlyargs or arguments.vararg or arguments.kwarg or arguments.defaults:
            raise ValueError(
                "write it as (name: kind, ..., *, keyword=default), and where a parameter by"
                " position has a default, write two signatures, one without it"
            )
        positional = [
            Parameter(
                argument.arg, ast.unparse(argument.annotation) if argument.annotation else "any"
            )
            for argument in arguments.args
        ]
        keywords = [
            Parameter(
                argument.arg,
                "any",
                keyword=True,
                default=_default(argument.arg, default),
            )
            for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        ]
        for parameter in positional:
            if not re.fullmatch(r"int|(bool|real|any)(\[[12]\])?", parameter.kind):
                raise ValueError(
                    f"{parameter.kind!r} is no kind: int, real, any, or bool, real, any with [1]"
                    " or [2]"
                )
    except SyntaxError:
        raise table.error(
            "signature", f"{function}: the signature {text.strip()!r} cannot be read"
        ) from None
    except ValueError as error:
        raise table.error(
            "signature", f"{function}: the signature {text.strip()!r}: {error}"
        ) from None
    limits = table.integer("max_loops", None), table.integer("max_loops_two_classes", None)
    if limits[0] is None and limits[1] is not None:
        raise table.error(
            "max_loops_two_classes", f"{function}: an overload with this limit needs max_loops, too"
        )
    overload = Overload((*positional, *keywords), *limits)
    table.nothing_else()
    return overload
