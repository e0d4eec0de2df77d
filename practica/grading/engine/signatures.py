"""The header of a function: the parameters that it has where it runs, and those that the statement
requires.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from practica.grading.engine.rendering import equal
from practica.grading.engine.rubric import NO_DEFAULT, Overload, Row, written
from practica.grading.engine.rules import Rule, without_repetitions
from practica.grading.engine.solution import Solution, StudentError
from practica.grading.inside.plain_data import Opaque
from practica.json_data import Facts
from practica.nearest import nearest

LONGEST = 60  # characters of a name or a default that are quoted


@dataclass(frozen=True)
class _Parameter:
    """A parameter of the student's function."""

    name: str
    kind: str
    optional: bool
    default: object


def signature_rules(row: Row, line: int | None, solution: Solution) -> list[Rule]:
    """Return the rules that the header of a student's function breaks: a parameter that the row
    requires is missing, has another name, or cannot be passed as required.

    `line`: where the function is.
    Raises `SolutionLost` if there is no answer.
    """
    try:
        given = [
            _Parameter(name[:LONGEST], *others)
            for name, *others in solution.signature(row.function)
        ]
    except StudentError:
        return [Rule("signature.unreadable", "advice", line, {"function": row.function})]
    names = [
        {
            overload.positional[index].name
            for overload in row.overloads
            if len(overload.positional) > index
        }
        for index in range(max(len(overload.positional) for overload in row.overloads))
    ]
    return without_repetitions(
        rule for each in row.overloads for rule in _judge(row, each, given, names, line)
    )


def _judge(
    row: Row,
    overload: Overload,
    given: Sequence[_Parameter],
    names: Sequence[Collection[str]],
    line: int | None,
) -> list[Rule]:
    positional = [each for each in given if each.kind.startswith("POSITIONAL")]
    by_name = {
        each.name: each for each in given if each.kind in ("POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY")
    }
    rest = {each.kind: each.name for each in given}
    wanted = len(overload.positional)
    keywords = {parameter.name for each in row.overloads for parameter in each.keywords}
    facts = {"function": row.function, "expected": f"{row.function}{overload}"}
    headers = [*dict.fromkeys(f"{row.function}{each}" for each in row.overloads)]
    allowed = {**facts, "expected": " / ".join(headers)}
    rules: list[Rule] = []

    extra = [
        each.name
        for each in [*positional[wanted:], *(each for each in given if each.kind == "KEYWORD_ONLY")]
        if not each.optional and each.name not in keywords
    ]
    if len(positional) < wanted and "VAR_POSITIONAL" not in rest:
        few = {"variant": "few", "count": wanted}
        rules.append(Rule("signature.parameters", "broken", line, {**allowed, **few}))
    elif extra:
        many = {"variant": "many", "extra": ", ".join(extra)}
        rules.append(Rule("signature.parameters", "broken", line, {**allowed, **many}))
    own = [each.name for each in positional[:wanted]]
    moved = exchanged(own, [parameter.name for parameter in overload.positional])
    if moved:
        both = {"first": own[moved[0]], "second": own[moved[1]], "variant": "exchanged"}
        rules.append(Rule("signature.name", "advice", line, {**facts, **both}))
    for index, each in enumerate(positional[:wanted] if not moved else ()):
        if len(names[index]) == 1 and each.name not in names[index]:
            asked = overload.positional[index].name
            named = {"name": each.name, "expected": asked, "position": index + 1}
            rules.append(Rule("signature.name", "advice", line, named))
    if len(positional) < wanted and "VAR_POSITIONAL" in rest:
        rules.append(Rule("signature.open", "advice", line, {"name": f"*{rest['VAR_POSITIONAL']}"}))

    reserved = {each.name for each in positional[:wanted]}
    for parameter in overload.keywords:
        told: dict[str, object] = {**facts, "name": parameter.name}
        if parameter.name in by_name and parameter.name not in reserved:
            rules += _judge_default(parameter.default, by_name[parameter.name], told, line)
        elif "VAR_KEYWORD" in rest and parameter.name not in reserved:
            rules.append(
                Rule("signature.open", "advice", line, {"name": f"**{rest['VAR_KEYWORD']}"})
            )
        else:
            free = [name for name in by_name if name not in keywords and name not in reserved]
            if close := nearest(parameter.name, free):
                told |= {"variant": "closest", "closest": close[0]}
            rules.append(Rule("signature.keyword", "broken", line, told))
    return rules


def exchanged(names: Sequence[str], expected: Sequence[str]) -> tuple[int, int] | None:
    """Return the positions of two parameters that have each other's names, if all others have
    theirs; else None.

    >>> exchanged(["targets", "outputs"], ["outputs", "targets"])
    (0, 1)
    """
    both = list(zip(names, expected, strict=False))
    places = [index for index, (name, right) in enumerate(both) if name != right]
    if len(places) != 2 or both[places[0]] != both[places[1]][::-1]:
        return None
    return places[0], places[1]


def _judge_default(
    expected: object, given: _Parameter, told: Facts, line: int | None
) -> list[Rule]:
    if expected is NO_DEFAULT:
        return []
    told = {**told, "default": written(expected)}
    if not given.optional:
        return [Rule("signature.default", "broken", line, {**told, "variant": "none"})]
    if expected is ... or _same(given.default, expected):
        return []
    obtained = given.default.type if type(given.default) is Opaque else written(given.default)
    return [Rule("signature.default", "broken", line, {**told, "obtained": obtained[:LONGEST]})]


def _same(given: Any, expected: Any) -> bool:
    """Return whether a default equals the expected one; 1.0 equals 1, but False does not equal
    0.
    """
    if type(given) in (bool, int, float) and isinstance(expected, int | float):
        return bool(given == expected) and (type(given) is not bool or isinstance(expected, bool))
    if type(given) is type(expected) and isinstance(expected, list | tuple):
        return len(given) == len(expected) and all(map(_same, given, expected))
    return equal(given, expected)
