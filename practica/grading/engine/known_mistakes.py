"""The two kinds of known mistakes, imitations and signs, and the lists in which they are
registered.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from practica.grading.engine.current import assignment
from practica.grading.engine.rendering import TOLERANCE, close, equal
from practica.grading.engine.solution import Solution
from practica.grading.inside.plain_data import Answer, Array, Handle, RecordedCall

EVERY_ROW = ""
ENOUGH = 2  # calls that distinguish a mistake from right code
ANYTHING = object()  # a part of an answer that is free, and the same as any other value


@dataclass(frozen=True, eq=False)
class Seen:
    """A recorded call of the student's function: its arguments, its answer, and the answer of right
    code.
    """

    args: list[Any]  # args, kwargs: as they were before the call
    kwargs: dict[str, Any]
    answer: Answer  # with the arguments as the call left them
    # what stood for other functions, as `Solution.scripted` takes it; empty for a plain call
    doubles: Mapping[str, Any] = field(default_factory=dict)
    calls: Sequence[RecordedCall] = ()  # what the doubles have recorded
    # the requests made afterwards: "predict" and "describe" of a network that was returned
    looks: list[tuple[str, tuple[Any, ...], Any]] = field(default_factory=list)
    check: str = ""  # the id of the check that made the call; empty for one of `examples`
    right: Answer | None = None  # what right code does, as far as an imitation knows it
    agrees: bool = False  # whether the result is that of right code
    # whether a check ended with the error of this call, in which no helper was replaced: no right
    # code has one there
    undue: bool = False
    # whether the call returned None, and no check takes that for right
    none_is_wrong: bool = False
    # the number of the example that failed with this call as its last one, among those of the check
    failed: int | None = None

    @property
    def given(self) -> list[Any]:
        """All arguments in the order of the call, by position and by name."""
        return [*self.args, *self.kwargs.values()]


Parts: TypeAlias = "Mapping[str, Any]"


def whole(_: Sequence[Seen], answers: Sequence[Answer]) -> Parts:
    """Return the parts of a single answer: its value, whether it is one of the arguments, and each
    argument after the call.
    """
    answer = answers[0]
    left = {f"argument {place}": value for place, value in enumerate(answer.args or ())}
    return {"value": answer.value, "same object": answer.same_object, **left}


@dataclass(frozen=True)
class Imitation:
    """The oracle of one function, with a switch for each known mistake.

    body : takes the switches that are on, and the arguments of a call
    switches : "id", or "id:how" for each of several ways to make one mistake
    kind : takes a call and returns its kind; a mistake may be made in some kinds of calls only
    parts : splits the answers to a group of calls into what is right or wrong by itself
    free : takes a call and returns the switches that are not mistakes in it
    skips : whether right code may return anything in a call, so that it is not compared
    tolerance : by how much right code may differ, relative to the value
    draws : whether the function draws, so that only several equal calls show what it does
    only : by mistake, the parts after which it is named if no other part is wrong and no switch
        explains the answers
    """

    body: Callable[..., Any]
    switches: tuple[str, ...]
    kind: Callable[[Seen], Hashable] = lambda _: None
    parts: Callable[[Sequence[Seen], Sequence[Answer]], Parts] = whole
    free: Callable[[Seen], tuple[str, ...]] = lambda _: ()
    skips: Callable[[Seen], bool] = lambda _: False
    tolerance: float = TOLERANCE
    draws: bool = False
    only: Mapping[str, Collection[str]] = field(default_factory=dict)


# takes the calls of an example, and returns whether something holds in the last one, or its facts
# there; None if that is unknown
Holds: TypeAlias = "Callable[[Sequence[Seen]], Mapping[str, Any] | bool | None]"


@dataclass(frozen=True)
class Sign:
    """A registered sign of a mistake, in one call or in all calls together; its fields are what
    `sign` takes.
    """

    id: str
    shows: Callable[[Any], Any]
    together: bool
    enough: int
    fails: tuple[str, ...]
    unless: tuple[str, ...]
    last: bool
    holds: Holds | None

    def at(self, calls: Sequence[Seen]) -> Any:
        """Return whether the mistake shows in the last call of an example, or its facts; None if
        that is unknown.
        """
        with suppress(Exception):  # a sign of all calls may need others than these
            if not self.together:
                return self.shows(calls[-1])
            return self.shows(calls) or None if self.holds is None else self.holds(calls)
        return None


_imitations: dict[str, Imitation] = {}
_signs: dict[str, list[Sign]] = {}
_examples: dict[str, list[Callable[[Solution], None]]] = {}


def alike(first: Any, second: Any, tolerance: float = TOLERANCE) -> bool:
    """Return whether a student would call two results the same: lists are arrays, ints are floats,
    and rounding does not matter.

    >>> alike(np.array([[1.0], [2.0]]), [[1], [2]]), alike(np.array([1.0]), np.array([True]))
    (True, False)
    """
    if isinstance(first, Handle) and isinstance(second, Handle):
        return True
    one, other = numbers(first), numbers(second)
    if one is not None and other is not None:
        same_kind = (one.dtype == bool) == (other.dtype == bool) or not one.size
        return one.shape == other.shape and same_kind and close(one, other, tolerance)
    kinds = list, tuple, np.ndarray
    if isinstance(first, kinds) and isinstance(second, kinds):
        return len(first) == len(second) and all(
            alike(*pair, tolerance) for pair in zip(first, second, strict=True)
        )
    return equal(first, second)


def numbers(value: Any) -> Array | None:
    """Return a value as an array of bools or real numbers; None if it is something else."""
    if not isinstance(value, np.ndarray | np.generic | list | tuple | bool | int | float):
        return None
    try:
        array = np.asarray(value)
    except (ValueError, OverflowError):
        return None
    return array if array.dtype.kind in "biuf" else None


def imitates(
    row: str,
    topic: str,
    mistakes: str,
    *,
    only: Mapping[str, Collection[str]] | None = None,
    **options: Any,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register an oracle with switches as the imitation of a row of the rubric.

    `topic`: the first part of the ids.
    `mistakes`: the other parts, with spaces between them, and `|` between the ways in which one is
        made; see `_switches`. The oracle gets the switches that are on, without the topic.
    `only`: that of `Imitation`, without the topic; `options`: its other fields.
    """

    def register(body: Callable[..., Any]) -> Callable[..., Any]:
        def with_ids(wrong: Set[str], *args: Any, **kwargs: Any) -> Any:
            return body({switch.removeprefix(f"{topic}.") for switch in wrong}, *args, **kwargs)

        words = [switch for word in mistakes.split() for switch in _switches(word)]
        ids = tuple(word if "." in word else f"{topic}.{word}" for word in words)
        of_parts = {f"{topic}.{mistake}": parts for mistake, parts in (only or {}).items()}
        _imitations[row] = Imitation(with_ids, ids, only=of_parts, **options)
        return body

    return register


def _switches(word: str) -> list[str]:
    """Return the switches of a word in the list of mistakes: "by_column" and "by_column:ties" of
    "by_column|ties".

    >>> _switches("sorted|given_too"), _switches("F1_formula:mean|half")
    (['sorted', 'sorted:given_too'], ['F1_formula:mean', 'F1_formula:half'])
    """
    first, *others = word.split("|")
    return [first, *(f"{id_of(first)}:{how}" for how in others)]


def sign(
    id: str,
    *rows: str,
    together: bool = False,
    enough: int = ENOUGH,
    read: Callable[[Seen], Any] | None = None,
    fails: Sequence[str] = (),
    unless: Sequence[str] = (),
    last: bool = False,
    holds: Holds | None = None,
) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Register a predicate on a call as a sign of a mistake.

    `*rows`: rows of the rubric; every row without them, as for "any.no_return".
    `together`: whether the predicate takes the list of all calls and is run once: for what only
        several calls show, such as "hold_out.seed", the same sets each time.
    `enough`: how many calls must show it, if not `together`; 1 for "any.division", since no right
        code has that error.
    `read`: makes the predicate's argument from a `Seen`, such as the `Run` of a cross-validation; a
        call for which it returns None is left out.
    `fails`: ids of checks. The sign is left out unless one of them failed: "ann_cv.same_seed" needs
        "ann_cross_validation.executions_differ".
    `unless`: ids of mistakes from which this one follows: "hold_out.block" is not named beside
        "hold_out.unshuffled".
    `last`: whether the sign is tried only after all others, if no other mistake was found:
        "network.sizes" shows that a network has wrong sizes, and not why.
    `holds`: for a predicate that needs the calls of all examples, such as a wrong way to train.
        holds(calls) gets those of one example, and returns whether the mistake shows in the last
        one, or its facts; None if that is unknown.
    """

    def register(shows: Callable[[Any], Any]) -> Callable[[Any], Any]:
        told = (
            shows
            if read is None
            else functools.partial(_of_all if together else _of_each, read, shows)
        )
        new = Sign(
            id,
            told,
            together,
            1 if together else enough,
            tuple(fails),
            tuple(unless),
            last,
            holds,
        )
        for row in rows or (EVERY_ROW,):
            _signs.setdefault(row, []).append(new)
        return shows

    return register


def _of_each(read: Callable[[Seen], Any], shows: Callable[[Any], Any], seen: Seen) -> Any:
    run = read(seen)
    return None if run is None else shows(run)


def _of_all(read: Callable[[Seen], Any], shows: Callable[[Any], Any], seen: Sequence[Seen]) -> Any:
    return shows([run for run in map(read, seen) if run is not None])


def examples(*rows: str) -> Callable[[Callable[[Solution], None]], Callable[[Solution], None]]:
    """Register a function that calls a solution in ways that distinguish the mistakes of these
    rows, in addition to the calls of their checks.
    """

    def register(body: Callable[[Solution], None]) -> Callable[[Solution], None]:
        for row in rows:
            _examples.setdefault(row, []).append(body)
        return body

    return register


_consequences: dict[str, tuple[tuple[str, ...], Callable[[Sequence[Seen]], bool]]] = {}


def follows(
    row: str, *checks: str
) -> Callable[[Callable[[Sequence[Seen]], bool]], Callable[[Sequence[Seen]], bool]]:
    """Register a predicate on all calls of a row: whether `checks` fail only because of values that
    other checks compare, so that these name the cause.
    """

    def register(is_so: Callable[[Sequence[Seen]], bool]) -> Callable[[Sequence[Seen]], bool]:
        _consequences[row] = checks, is_so
        return is_so

    return register


def consequences(row: str, failed: Collection[str], seen: Sequence[Seen]) -> tuple[str, ...]:
    """Return those failed checks of a row that fail only because of values that other checks
    compare; see `follows`.
    """
    checks, is_so = _consequences.get(row, ((), bool))
    found = tuple(id for id in checks if id in failed)
    return found if found and is_so(seen) else ()


_forget: list[Callable[[], None]] = []


def read_once(read: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that computes what `read` returns only once for the same recorded calls,
    until their diagnosis ends.
    """
    kept = functools.cache(read)
    _forget.append(kept.cache_clear)
    return kept


@contextmanager
def reading_once() -> Iterator[None]:
    """Forget, after the block, what the functions made by `read_once` have kept."""
    try:
        yield
    finally:
        for forget in _forget:
            forget()


@functools.cache
def _load() -> None:
    described = assignment()
    described.load(described.mistakes)


def imitation(row: str) -> Imitation | None:
    """Return the imitation of a row, or None if it has none."""
    _load()
    return _imitations.get(row)


def signs(row: str) -> list[Sign]:
    """Return the signs of mistakes in a row, beginning with those that every row has."""
    _load()
    return [*_signs.get(EVERY_ROW, []), *_signs.get(row, [])]


def examples_of(row: str) -> list[Callable[[Solution], None]]:
    """Return the examples that the author of mistakes added to those of a row's checks."""
    _load()
    return _examples.get(row, [])


def id_of(switch: str) -> str:
    """Return the id of the mistake that a switch makes, the part before the colon: "labels.sorted"
    of "labels.sorted:given_too".
    """
    return switch.partition(":")[0]
