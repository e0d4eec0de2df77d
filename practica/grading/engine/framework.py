"""What a check is: one sentence of the statement that can be observed.

A check calls the student's functions on plain data, states what must hold with `require`, and knows
no language: the sentence that a student reads is looked up by the check's id, or by one of the
general ids

    any.missing   any.raises   any.modified   any.grader   form.*   random.*   lost.*

or, where the check saw another cause, by an id that continues that of a check.

A check is two things: what draws its examples (`for_all`), and a body that takes the functions as
they are, calls them and judges what they return. The body is a straight line without effects of its
own: `practica.grading.engine.runner` may run it several times for one example, and runs one that
fails again with right helpers, which the rows of the rubric name with `helped_by`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from practica.grading.engine.current import assignment
from practica.grading.engine.drawing import Draw
from practica.grading.engine.helper_substitution import Part, Parts
from practica.grading.engine.rendering import equal
from practica.grading.engine.solution import Solution
from practica.grading.inside.plain_data import Answer, to_plain

EXAMPLES = 20  # for each check, unless it says otherwise
SECRET = 4  # there is one secret example for so many known ones
FEWEST_SECRET = 3  # for a check that has as many known ones
# by parameter: takes a source of random values, and returns one
Drawn: TypeAlias = "Mapping[str, Callable[[Draw], Any]]"
# an oracle takes the wrong ways in which it is to compute: none
RIGHT: frozenset[str] = frozenset()


class CheckFailed(Exception):
    """A requirement of a check does not hold.

    `facts`: the values that the sentence for the student shows: "obtained", "expected" and others.
    `message`: the id of that sentence, if it is not the check's own id.
    """

    def __init__(self, facts: Mapping[str, Any], message: str | None = None) -> None:
        super().__init__()
        self.facts, self.message = dict(facts), message


class NoOpinion(Exception):
    """Raised by an oracle that does not know what a function with the given mistakes would
    return.
    """


@dataclass(frozen=True, eq=False)
class Check:
    """A check: one sentence of the statement, as code that calls a solution and raises
    `CheckFailed` if the sentence does not hold.
    """

    id: str  # `<row>.<topic>[.<detail>]`
    row: str  # row, function: the rubric's row, and the name of the function in the student's file
    function: str
    body: Callable[..., None]  # takes the solution, and the drawn values by name
    drawn: Drawn = field(default_factory=dict)  # empty for a check with fixed data
    examples: int = EXAMPLES  # how many examples everybody knows
    parts: Parts = field(default_factory=dict)  # the helpers of its row
    # takes a solution; returns the one that the body calls, where signatures are not the body's
    speaks: Callable[[Solution], Solution] | None = None

    @property
    def secrets(self) -> int:
        """The number of secret examples, which run in addition to the `examples` that everybody
        knows.
        """
        return max(min(FEWEST_SECRET, self.examples), self.examples // SECRET)

    def heard(self, solution: Solution) -> Solution:
        """Return the solution that is passed to the body: `speaks(solution)` if the check has
        `speaks`, else `solution` itself.
        """
        return solution if self.speaks is None else self.speaks(solution)


CHECKS: dict[str, Check] = {}
_parts: dict[str, Parts] = {}  # a row's name, and how its answer falls into parts


def load_checks() -> dict[str, Check]:
    """Import every module of checks and return `CHECKS`, in the order of the statement."""
    described = assignment()
    described.load(described.checks)
    return CHECKS


def helped_by(row: str, **parts: Part) -> None:
    """Declare the helpers of a row: the functions of the practice that its function calls, by the
    statement. Call it before the checks of the row are registered.

    `parts`: for each helper, by name, how it is replaced by a right one.
    """
    _parts[row] = parts


def check(id: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a function as the check `id`; the first part of the id is the row of the rubric.

    It stands above `for_all`. Checks are listed in the order in which they are registered.
    """

    def register(body: Callable[..., None]) -> Callable[..., None]:
        if id in CHECKS:
            raise ValueError(f"two checks have the id {id!r}")
        row = id.partition(".")[0]
        CHECKS[id] = Check(
            id,
            row,
            assignment().function_of.get(row, row),
            body,
            getattr(body, "drawn", {}),
            getattr(body, "examples", EXAMPLES),
            _parts.get(row, {}),
        )
        return body

    return register


def for_all(
    examples: int = EXAMPLES, /, **drawn: Callable[[Draw], Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a check its examples: what draws each parameter, and how many times.

    `drawn`: for each parameter of the check's body, a function that takes a source of random values
        and returns the value of the parameter, as plain data.
    """

    def attach(body: Callable[..., None]) -> Callable[..., None]:
        body.drawn, body.examples = drawn, examples  # type: ignore[attr-defined]
        return body

    return attach


def state(
    id: str,
    body: Callable[..., Any],
    examples: int = EXAMPLES,
    /,
    **drawn: Callable[[Draw], Any],
) -> None:
    """Register a check whose body is shared with other checks, so that only its id and what is
    drawn are its own.

    `examples`, `drawn`: as in `for_all`.
    """
    check(id)(for_all(examples, **drawn)(functools.partial(body)))


def require(condition: Any, *, message: str | None = None, **facts: Any) -> None:
    """Raise `CheckFailed` unless the condition holds.

    `message`: the id of the sentence, if it is not that of the check.
    `facts`: the values for the sentence; the call and the function are added to them later.
    """
    if not condition:
        raise CheckFailed(facts, message)


def untouched(solution: Solution, name: str, *args: Any, **kwargs: Any) -> None:
    """Call a function of the solution, and raise `CheckFailed` if the call changed an argument."""
    require_untouched(
        [*args, *kwargs.values()], solution.answer(name, *args, want_args=True, **kwargs)
    )


def require_untouched(args: Sequence[Any], answer: Answer, first: int = 0) -> None:
    """Raise `CheckFailed` if a call changed one of its arguments.

    `args`: the arguments before the call.
    `answer`: the answer to the call, with the arguments after it.
    `first`: the position, from 0, of the first argument that is compared.
    """
    # what an answer brings: a named tuple comes back as a tuple
    given = [to_plain(each, **assignment().reading) for each in args]
    for position, (before, after) in enumerate(zip(given, answer.args or [], strict=False)):
        facts = {"expected": before, "obtained": after, "position": position + 1}
        require(position < first or equal(before, after), message="any.modified", **facts)
