"""The rules on the source of a submission: loops, forbidden calls, imports. The file is read, never run.

A rule is *broken* where the statement says so in so many words; what only hints at a mistake, or cannot be told from
the text, is *advice*. What a broken rule costs is the rubric's business. What running tells about the same rules is in
`practica.grading.signatures` and `practica.grading.observation`. What could get around both is suspicious wherever the
file mentions it, as are threads where loops are limited, or that begin before anybody looks.
"""

from __future__ import annotations

import difflib
import functools
import itertools
import os
import pkgutil
import platform
import re
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from practica.checks.loading import decode
from practica.checks.provenance import expression_of
from practica.grading.rubric import Row, Rubric
from practica.grading.source import Body, External, Loop, Module, Reached, parse

__all__ = [
    "FunctionReport",
    "Rule",
    "SourceReport",
    "inspect_source",
    "matches",
    "too_many_loops",
    "without_repetitions",
]

MAX_BYTES = 500_000
MOST_NAMES = 20  # that are told of one rule; a file may have thousands

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

# What a class of the file may come from, and keep names of its own.
PLAIN = (
    *("builtins.*", "abc.*", "enum.*", "typing.*", "collections.abc.*", "collections.namedtuple", "dataclasses.*"),
    *("functools.total_ordering", "torch.nn.*", "torch.utils.data.*", "torch.autograd.Function", "sklearn.base.*"),
)
LOOKING_UP = {"globals", "locals", "vars", "__builtins__"}  # which give what has a name of the file's by a text
SETTINGS = ("torch.backends.*", "pandas.options.*", "*.rcParams")  # of a library, which are there to be changed
STDLIB = sys.stdlib_module_names
# What libraries have of their own that is called like a module of Python's:
OWN = ("scipy.*", "numpy.select", "numpy.trace", "numpy.linalg.trace", "numpy.typing", "torch.select", "torch.trace")
# By the names that they have in one another; nothing else is called so.
LIBRARIES = {
    **{name: name for name in ("numpy", "pandas", "scipy", "sklearn", "torch")},
    **{"np": "numpy", "pd": "pandas", "sp": "scipy"},
}
PRIVATE = re.compile(r"\._(?!_)")
THREADS = ("threading.*", "concurrent.futures.*", "multiprocessing.*", "asyncio.*")


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
class FunctionReport:
    """What the source says about the function of one row of the rubric.

    Attributes
    ----------
    found : bool
        Whether the file gives the function's name a meaning.
    line : int or None
        Where.
    rules : tuple of Rule
        Those of the file that concern the function included.
    loops : tuple of int
        The lines of the loops of the function and its helpers, as far as the text shows them.
    written : bool
        Whether there is more in it than in a template: see `practica.grading.source.Body.unwritten`.
    mentions : tuple of (full name, line)
        What it uses of the packages in which something is forbidden; where it runs each shows what it stands for.
    in_sight : bool
        Whether anything of the file has the name of what is forbidden to it, used by whom and what for ever.
    """

    found: bool
    line: int | None = None
    rules: tuple[Rule, ...] = ()
    loops: tuple[int, ...] = ()
    written: bool = True
    mentions: tuple[tuple[str, int], ...] = ()
    in_sight: bool = False

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
    loops : tuple of Loop
        All of the file.
    readable : bool
        Whether Python could read the file; if not, its functions are not found.
    """

    functions: Mapping[str, FunctionReport]
    file_rules: tuple[Rule, ...] = ()
    loops: tuple[Loop, ...] = ()
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
    >>> report = inspect_source(b"def accuracy(outputs, targets): return eval('1.0')", load_rubric())
    >>> [(rule.id, rule.severity, rule.line) for rule in report.functions["accuracy"].rules]
    [('calls.exec', 'broken', 1)]
    >>> report.functions["hold_out"].found
    False
    """
    if len(source) > MAX_BYTES:
        return _unreadable(Rule("source.too_large", "broken", None, {"bytes": len(source), "most": MAX_BYTES}), rubric)
    text, undecodable = decode(source)
    file_rules = [] if undecodable is None else [Rule("source.encoding", "advice", undecodable, {})]
    tree = parse(text)
    if isinstance(tree, SyntaxError):
        reason = f"{tree.msg or 'syntax'} (Python {platform.python_version()})"  # a later one may read more
        facts = {"reason": reason, "text": (tree.text or "").strip()[:80]}
        return _unreadable(Rule("source.syntax", "broken", tree.lineno, facts), rubric, file_rules)
    inspection = _Inspection(Module(tree, {row.function for row in rubric.rows.values()}), rubric)
    functions = {name: inspection.function(row) for name, row in rubric.rows.items()}
    file_rules += inspection.file_rules
    loops = tuple(loop for body in inspection.module.bodies for loop in body.loops)
    return SourceReport(functions, tuple(file_rules), loops)


def _unreadable(rule: Rule, rubric: Rubric, more: Sequence[Rule] = ()) -> SourceReport:
    functions = {name: FunctionReport(found=False, rules=(*more, rule)) for name in rubric.rows}
    return SourceReport(functions, (*more, rule), readable=False)


class _Inspection:
    """One file under the rules of one rubric."""

    def __init__(self, module: Module, rubric: Rubric) -> None:
        self.module, self.rubric = module, rubric
        self.common: list[Rule] = []  # of the file, and broken for every function
        self.file_rules: list[Rule] = []
        self._watched = {*rubric.flagged, *(pattern for row in rubric.rows.values() for pattern in row.forbidden)}
        self._names_needed = tuple(name for name in rubric.names if not name.startswith("*."))  # of modules
        self._own = self.module.own(lambda name: matches(name, PLAIN))
        self._judge_file()

    # --- The whole file ---------------------------------------------------------------------------------------------

    def _judge_file(self) -> None:
        module = self.module
        for package in self.rubric.packages:
            lines = [line for _, name, line in module.imports if matches(name, (package, f"{package}.*"))]
            if lines:
                self.common.append(Rule("imports.practica", "broken", lines[0], {"name": package}))
        imported, everywhere = module.reach([module.body], importing=True), module.everywhere()
        names = {use.name for use, _ in everywhere.externals} | {name for _, name, _ in module.imports}
        self._words = {word for name in names for word in name.split(".")} | set(everywhere.attributes)
        self._names = names
        self.common += self._file_calls(imported)
        self.common += _calls(imported, THREADS, "calls.suspicious")  # those that run already cannot be watched
        self.common += self._suspicious(everywhere)
        told = {(rule.id, rule.message_facts.get("name")) for rule in self.common}
        for rule in self._file_calls(everywhere):
            if (rule.id, rule.message_facts.get("name")) not in told:
                # Whose it is, the functions tell. Here it only says that a person should know.
                self.file_rules.append(Rule(rule.id, "advice", rule.line, rule.message_facts))
        if module.tangled:
            self.common.append(Rule("source.tangled", "broken"))
        self.common = without_repetitions(self.common)
        self.file_rules = self.common + self.file_rules

    def _file_calls(self, reached: Reached) -> list[Rule]:
        rubric = self.rubric
        rules = _calls(reached, rubric.forbidden, "calls.exec")
        for package in rubric.packages:
            lines = [line for use, line in reached.externals if _match(use, (package, f"{package}.*"))]
            if lines:
                rules.append(Rule("imports.practica", "broken", min(lines), {"name": package}))
        return rules

    def _suspicious(self, reached: Reached) -> list[Rule]:
        others = [(External(name, use.certain), line) for use, line in reached.externals for name in _inside(use.name)]
        told = {each: None for each in (*reached.externals, *others) if not _match(each[0], self._names_needed)}
        rules = _calls(replace(reached, externals=told), self.rubric.flagged, "calls.suspicious")
        others = [(use, line) for use, line in others if "." in use.name]  # `torch.chunk` is called like a module
        stars = {name: line for own, name, line in reversed(self.module.imports) if own == "*"}
        uses = [(use, line) for use, line in (*reached.externals, *others, *self._taken(stars)) if use.certain]
        rules += _told((_named(use, line, reached), line) for use, line in uses if self._is_unneeded(use.name))
        rules += _told(self.module.handed_on)
        # Of which nobody knows what it is that is named:
        whole = {*self.rubric.flagged, *self.rubric.forbidden, *THREADS}
        rules += _told((name, line) for name, line in stars.items() if f"{name}.*" in whole)
        whole_uses = (use for use in reached.externals if use[0].certain and self._is_whole(*use, reached))
        rules += _told((_named(use, line, reached), line) for use, line in whole_uses)
        rules += _told((use.name, at) for use, at in reached.stored if use.certain and not matches(use.name, SETTINGS))
        rules += _told((name, line) for name, line in reached.attributes.items() if self._is_hidden(name))
        return rules

    def _is_unneeded(self, name: str) -> bool:
        """Tell whether a name is of a module that the practice does not need, and none of those that it does."""
        module = _module_in(name)
        if not (module and self.rubric.modules) or _match(External(name), self._names_needed):
            return False
        return PRIVATE.search(name) is not None or not matches(module, self.rubric.modules)

    def _taken(self, stars: Collection[str]) -> list[tuple[External, int]]:
        """List the imports that say what the file uses: all of a module, or what a text or its own import may name.

        What is left unused, and of what the practice may need something, is nothing to look at.
        """
        imports = {full: line for _, full, line in reversed(self.module.imports)}
        looks_up = not self.module.used.isdisjoint(LOOKING_UP) or not all(map(_module_in, imports))
        partly = {name.rpartition(".")[0] for name in self._names_needed}
        return [
            (External(full), line)
            for full, line in imports.items()
            if full in stars or (looks_up and full not in partly)
        ]

    def _is_whole(self, use: External, line: int, reached: Reached) -> bool:
        """Tell whether a use is of a module that is handed on: nobody can tell what is taken from it."""
        names = tuple(f"{name}." for name in (use.name, *_inside(use.name)))
        whole = use.name in self.module.modules or any(each.startswith(names) for each in self._watched)
        return whole or (_is_module(use.name) and (use, line) not in reached.computed)

    def _is_hidden(self, name: str) -> bool:
        """Tell whether an attribute, of whatever object, is Python's or a library's own business."""
        if matches(f"?.{name}", self.rubric.flagged):
            return True
        if not self.rubric.names or not name.strip("_") or matches(f"?.{name}", self.rubric.names):
            return False
        special = name.startswith("__") and name.endswith("__")
        return special or (name.startswith("_") and name in self.module.asked and name not in self._own)

    # --- One function -----------------------------------------------------------------------------------------------

    def function(self, row: Row) -> FunctionReport:
        """Judge the function of one row."""
        module = self.module
        if row.function not in module.scope.names:
            return self._missing(row)
        meanings = module.meanings(row.function)
        bodies = [body for body in meanings if isinstance(body, Body) and body.kind == "function"]
        line = bodies[-1].line if bodies else module.lines[row.function]
        reached = module.reach(meanings)
        loops = tuple(sorted(loop.line for body in reached.bodies for loop in body.loops))
        rules = [
            *self._loops(row, reached, bodies, loops),
            *_calls(reached, row.forbidden, "calls.forbidden"),
            *_computed_calls(reached, row.forbidden),
            *_calls(reached, row.flagged, "calls.suspicious"),
            *self._unused_imports(row),
            *self._file_calls(reached),
            *(_calls(reached, THREADS, "calls.suspicious") if row.limits_loops else ()),
        ]
        # What the name itself stands for is met on no line of its own.
        rules = [rule if rule.line != 0 else replace(rule, line=line) for rule in rules]
        if module.tangled:  # since the whole file was judged: what this one leads to was not all followed
            rules.append(Rule("source.tangled", "broken"))
        rules = without_repetitions([*self.common, *rules])
        written = not bodies or not all(body.unwritten for body in bodies)
        packages = {pattern.partition(".")[0] for pattern in row.forbidden}
        mentions = tuple(
            (use.name, at) for use, at in reached.externals if use.certain and use.name.partition(".")[0] in packages
        )
        forbidden = {pattern.rpartition(".")[2] for pattern in row.forbidden}
        in_sight = not forbidden.isdisjoint(self._words) or any(
            _match(External(name), row.forbidden) for name in self._names
        )
        return FunctionReport(True, line, tuple(rules), loops, written, mentions, in_sight)

    def _missing(self, row: Row) -> FunctionReport:
        names = dict.fromkeys(self.module.scope.names, "")
        for body in self.module.bodies:
            if body.kind == "function" and body.name not in names and body.name != "<lambda>":
                names[body.name] = "nested"
        for taken in self.rubric.rows.values():
            if names.get(taken.function) == "":
                del names[taken.function]
        closest = row.function if row.function in names else _closest_name(row.function, names)
        facts, line = {"function": row.function}, None
        if closest is not None:
            lines = [body.line for body in self.module.bodies if body.kind == "function" and body.name == closest]
            line = lines[-1] if lines else self.module.lines[closest]
            facts |= {"closest": closest, "variant": "nested" if closest == row.function else "closest"}
        rule = Rule("signature.missing", "broken", line, facts)
        return FunctionReport(False, None, (*self.common, rule))

    def _loops(self, row: Row, reached: Reached, bodies: Sequence[Body], loops: Sequence[int]) -> list[Rule]:
        limit = row.max_loops
        if limit is None:  # what is in disguise may be where loops are allowed
            return []
        comprehensions = sorted(line for body in reached.bodies for line in body.comprehensions)
        hidden = sorted({(line, name) for use, line in reached.externals if (name := _match(use, HIDDEN_LOOPS))})
        counted = [*loops]
        if row.comprehensions == "cost":
            counted += comprehensions
        if row.hidden_loops == "cost":
            counted += [line for line, _ in hidden]
        rules = []
        if len(counted) > limit:
            rules.append(too_many_loops(counted, limit))
        if limit:  # the advice is for where no loop is allowed, and array operations can do it
            return rules
        if comprehensions and row.comprehensions == "advice":
            lines = _listed(comprehensions)
            rules.append(Rule("loops.comprehension", "advice", lines[0], {"lines": lines}))
        if hidden and row.hidden_loops == "advice":
            names = ", ".join(dict.fromkeys(name.removeprefix("builtins.") for _, name in hidden))
            facts = {"names": names, "lines": _listed([at for at, _ in hidden])}
            rules.append(Rule("loops.hidden", "advice", hidden[0][0], facts))
        # A function that serves several overloads may call itself with other types.
        recursive = [body for body in reached.bodies if _calls_itself(body)]
        recursive = [body for body in recursive if body not in bodies or len(row.overloads) == 1]
        if recursive and row.hidden_loops == "advice":
            names = ", ".join(dict.fromkeys(body.name for body in recursive))
            rules.append(Rule("loops.recursion", "advice", recursive[0].line, {"names": names}))
        return rules

    def _unused_imports(self, row: Row) -> list[Rule]:
        needed = {pattern for other in self.rubric.rows.values() for pattern in other.needs}
        forbidden = tuple(pattern for pattern in row.forbidden if pattern not in needed)
        return [
            Rule("imports.unused", "advice", line, {"name": full})
            for name, full, line in self.module.imports
            if name not in self.module.used and name != "*" and matches(full, forbidden)
        ]


def too_many_loops(lines: Sequence[int], limit: int) -> Rule:
    """Return the rule that a function breaks with loops on these lines."""
    facts = {"count": len(lines), "limit": limit, "lines": _listed(sorted(lines))}
    return Rule("loops.too_many", "broken", min(lines), facts | ({} if limit else {"variant": "none"}))


# --- Calls ----------------------------------------------------------------------------------------------------------


def _calls(reached: Reached, patterns: Sequence[str], rule: str) -> list[Rule]:
    """Report each forbidden name once, by the longest name on its line."""
    found: dict[str, int] = {}
    longest: dict[int, str] = {}
    for use, line in reached.externals:
        name = _match(use, patterns)
        if len(name) > len(longest.get(line, "")):
            longest[line] = name
    for line, name in sorted(longest.items()):
        found.setdefault(name, line)
    found = dict(itertools.islice(found.items(), MOST_NAMES))
    return [
        Rule(rule, "broken", line, {"name": name.removeprefix("builtins.")})
        for name, line in found.items()
        if not any(other.startswith(f"{name}.") for other in found)
    ]


def _told(found: Iterable[tuple[str, int]]) -> list[Rule]:
    """Report each name once that a person should look at."""
    names: dict[str, int] = {}
    for name, line in found:
        names.setdefault(name, line)
    first = itertools.islice(names.items(), MOST_NAMES)
    return [Rule("calls.suspicious", "broken", line, {"name": name}) for name, line in first]


def _computed_calls(reached: Reached, patterns: Sequence[str]) -> list[Rule]:
    """Report names that only running tells, in modules where a forbidden one could hide."""
    found = (
        Rule("calls.dynamic", "broken", line, {"name": _named(use, line, reached)})
        for use, line in reached.computed
        if any(pattern.startswith(f"{use.name}.") for pattern in patterns) or _match(use, patterns)
    )
    return list(itertools.islice(found, MOST_NAMES))


def _named(use: External, line: int, reached: Reached) -> str:
    """Return how a use is called where it is told: what is looked up in a module has no other name than that."""
    return f"getattr({use.name}, …)" if (use, line) in reached.computed else use.name


def _inside(name: str) -> list[str]:
    """Return what a name is of Python's own modules that another one has imported: "os.fork" of "random._os.fork"."""
    parts = [LIBRARIES.get(part, part).lstrip("_") for part in name.split(".")]
    known = STDLIB | LIBRARIES.keys()
    starts = [start for start in range(1, len(parts)) if parts[start] in known]
    return [".".join(parts[start:]) for start in starts if not matches(".".join(parts[: start + 1]), OWN)]


def _is_module(name: str) -> bool:
    """Tell whether a full name is a module's, as the files of libraries say: nothing is imported."""
    place, _, last = name.rpartition(".")
    return last in _modules_in(place) or (last in LIBRARIES and place != "")


@functools.cache
def _module_in(name: str) -> str:
    """Return the module that a full name is of, as the files of libraries say; nothing if none is installed."""
    parts = name.split(".")
    end = int(parts[0] in STDLIB or parts[0] in _installed())
    while 0 < end < len(parts) and parts[end] in _modules_in(".".join(parts[:end])):
        end += 1
    return ".".join(parts[:end])


@functools.cache
def _installed() -> frozenset[str]:
    """List the packages that a file of this machine can import, besides Python's own."""
    return frozenset(module.name for module in pkgutil.iter_modules([path for path in sys.path if os.path.isabs(path)]))


@functools.cache
def _modules_in(package: str) -> frozenset[str]:
    """List the modules of a package, or of Python, by the names that they have there."""
    if not package:
        return frozenset(STDLIB)
    folders = (os.path.join(folder, *package.split(".")) for folder in sys.path if os.path.isabs(folder))
    found = (pkgutil.iter_modules([folder]) for folder in folders)
    return frozenset(module.name for modules in found for module in modules)


def _match(use: External, patterns: Sequence[str]) -> str:
    """Return the longest part of a name, from its beginning, that is one of the patterns; or nothing."""
    if not use.certain:
        patterns = tuple(pattern for pattern in patterns if not pattern.endswith("*"))
    name = use.name
    while name and not matches(name, patterns):
        name = name.rpartition(".")[0].removesuffix("builtins")  # all of its names begin so
    return name


def matches(name: str, patterns: Sequence[str]) -> bool:
    """Tell whether one of the patterns describes a full name."""
    return expression_of(tuple(patterns)).fullmatch(name) is not None


# --- Small things ---------------------------------------------------------------------------------------------------


def _calls_itself(body: Body) -> bool:
    return body.kind == "function" and any(mention.names == (body.name,) for mention in body.mentions)


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


def without_repetitions(rules: Iterable[Rule]) -> list[Rule]:
    """Leave out what was told before, on another line or for another overload."""
    seen: dict[tuple[Any, ...], Rule] = {}
    for rule in rules:
        told = rule.message_facts
        key = (rule.id, rule.severity, told.get("name"), told.get("variant"), told.get("overload"))
        seen.setdefault(key, rule)
    return list(seen.values())
