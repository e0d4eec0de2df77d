"""The trial of a rubric, before a class is marked: how many names each pattern forbids.

Only patterns that the practice's own criteria lack are tried, each in a process of its own, in
which it is in force.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from practica.console import print_lines
from practica.grading.classroom.grader_limits import TooMuchError, apart
from practica.grading.engine.current import OFFICIAL, RUBRIC
from practica.grading.engine.rubric import Rubric, official_rubric
from practica.grading.engine.settings import RubricError
from practica.grading.inside import wire
from practica.grading.inside.agent import Agent
from practica.grading.inside.disable_names import Disabled, import_below, public_name
from practica.grading.inside.preload import AVAILABLE, LIBRARIES, import_libraries
from practica.grading.inside.seeding import make_generators_repeatable
from practica.grading.report.messages import say
from practica.nearest import closest


@dataclass(frozen=True)
class TriedPattern:
    """What a pattern forbids on this machine.

    `count`: how many names; None if its package is not here.
    `example`: one of the names; if the pattern is a module, the pattern of everything in it; if it
        is a name without its module, the full name.
    `needed`: a name that the grader itself calls in every process; empty if there is none.
    """

    pattern: str
    count: int | None = None
    example: str = ""
    needed: str = ""


def tried(rubric: Rubric, path: Path | None) -> list[TriedPattern]:
    """Return what each pattern of a rubric forbids, except for patterns of the practice's own
    criteria.

    `path`: the file of the rubric; None for that of the assignment.

    Raises `RubricError` if a pattern forbids nothing, or something that the grader itself needs.
    """
    file = path or official_rubric()
    lines = file.read_text(encoding="utf-8-sig").splitlines()
    known = (OFFICIAL / RUBRIC).read_text(encoding="utf-8")
    listed = dict.fromkeys(each for row in rubric.rows.values() for each in row.forbidden)
    found = _of_all([each for each in listed if f'"{each}"' not in known])
    for each in found:
        if reason := _why_not(each):
            line = next((n for n, text in enumerate(lines, 1) if each.pattern in text), None)
            raise RubricError(f"{each.pattern!r} cannot be forbidden: {reason}", line, str(file))
    return found


def _why_not(forbidden: TriedPattern) -> str:
    """Return why a rubric with a pattern is refused; empty if it is not."""
    package, dot, _ = forbidden.pattern.partition(".")
    if forbidden.count is None and not dot:
        full = f", {forbidden.example!r}" if forbidden.example else " with its module"
        return f"write its full name{full}"
    if forbidden.count is None:
        near = closest(package, AVAILABLE, "")
        return f"there is no package {package!r}{near}" if near else ""
    if forbidden.needed:
        parts = f"; list the parts of {package} that are meant" if "*" in forbidden.pattern else ""
        return f"the grader itself calls {public_name(forbidden.needed)}{parts}"
    if forbidden.count:
        return ""
    is_module = forbidden.example and f"it is a module: write {forbidden.example!r}"
    return is_module or "no function or class has such a name"


def _of_all(patterns: Sequence[str]) -> list[TriedPattern]:
    """Return what each pattern forbids; libraries are imported once, in a process that ends."""
    if {pattern.partition(".")[0] for pattern in patterns} <= sys.stdlib_module_names:
        return [_of_one(pattern) for pattern in patterns]
    return apart(_with_libraries, patterns)


def _with_libraries(patterns: Sequence[str]) -> list[TriedPattern]:
    packages = dict.fromkeys(pattern.partition(".")[0] for pattern in patterns)
    import_libraries([*LIBRARIES, *filter(importlib.util.find_spec, packages)])
    return [_of_one(pattern) for pattern in patterns]


def _of_one(pattern: str) -> TriedPattern:
    if importlib.util.find_spec(pattern.partition(".")[0]) is None:
        return TriedPattern(pattern, example=_full_name(pattern))
    try:
        return apart(_in_force, pattern)
    except TooMuchError:  # it has ended: what runs in each process is forbidden too
        return TriedPattern(pattern, 1, pattern, pattern)


def _full_name(name: str) -> str:
    """Return the full name by which an imported module offers a name; empty if none does."""
    plain = [each for each, module in sys.modules.items() if type(module) is type(sys)]
    public = sorted(each for each in plain if "._" not in f".{each}")
    return next(filter(_is_offered, (f"{each}.{name}" for each in public)), "")


def _in_force(pattern: str) -> TriedPattern:
    """Forbid a pattern in this process, do what the grader does in each (seed, and copy values in
    and out), and return what the pattern forbids.
    """
    if pattern.endswith(".*"):
        import_below(pattern.removesuffix(".*"))
    agent = Agent({"given": lambda *values: values})
    arrays = [np.array(each) for each in (True, [2.0], [[3]], "a", [None])]
    values = [*arrays, [1, {"a": {True}}]]
    disabled = Disabled([pattern])
    with suppress(RuntimeError):
        make_generators_repeatable()
        request = wire.decode(wire.encode(["given", values, {}]))
        answer = agent.call(*request, seed=1, want_args=True)
        wire.decode(wire.encode(answer))
    names = sorted({public_name(name) for name in disabled.names})
    otherwise = [*names, *([f"{pattern}.*"] if pattern in sys.modules else [])]
    example = next(filter(_is_offered, names), (otherwise or [""])[0])
    return TriedPattern(pattern, len(names), example, next(iter(disabled.refused), ""))


def _is_offered(name: str) -> bool:
    """Return whether a module lists a full name among its public ones."""
    module, _, last = name.rpartition(".")
    return last[:1] != "_" and last in getattr(sys.modules.get(module), "__all__", ())


def print_forbidden(found: Sequence[TriedPattern], lang: str) -> None:
    """Print a line for each pattern: how many names it forbids, and one of them."""
    variants = {None: "absent", 1: "one"}
    for each in found:
        variant = variants.get(each.count, "many")
        print_lines(say(f"class.forbids.{variant}", vars(each), lang))
