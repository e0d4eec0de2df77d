"""Which known mistakes explain a student's function.

The rules are in the notes of `practica.assignment.mistakes`.

Nothing is drawn here, and no clock decides: the same function gets the same name each time.
"""

from __future__ import annotations

import copy
import itertools
import warnings
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from practica.engine import generic_mistakes  # noqa: F401 - the mistakes of every row join the lists when imported
from practica.engine.current import assignment
from practica.engine.fixed_examples import fixed_examples
from practica.engine.framework import RIGHT, Check, CheckFailed, NoOpinion
from practica.engine.helper_substitution import Helped
from practica.engine.known_mistakes import (
    ENOUGH,
    Family,
    Seen,
    alike,
    examples_of,
    families,
    id_of,
    signs,
)
from practica.engine.observations import STATE, diagnosis_of, pairs_of
from practica.engine.rendering import show
from practica.engine.result import Diagnosis, Mistake
from practica.engine.runner import Outcome, repeat
from practica.engine.solution import DelegatingSolution, RenewedSolution, Solution, StudentError
from practica.inside.plain_data import Answer, Failure, Transcript
from practica.json_data import plain

EACH = 12  # examples of a check
MOST_CALLS = 120  # of one row, and
MOST_SIGNS = 2
FEW = 4  # calls in which it is looked for what the function calls

Switches = frozenset[str]


class _Enough(BaseException):
    """Ends the recording of calls.

    It is no `Exception`, which a check would take for the student's.
    """


class _Recording(DelegatingSolution):
    """A solution that records every call of the diagnosed function."""

    def __init__(self, inner: Solution, function: str) -> None:
        super().__init__(inner)
        self._function = function
        self._most = assignment().calls_of.get(function, MOST_CALLS)
        self.check = ""
        self.seen: list[Seen] = []

    @property
    def seed(self) -> int:
        return self._inner.seed

    @seed.setter
    def seed(self, value: int) -> None:
        self._inner.seed = value

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        result = super().ask(method, *args, **kwargs)
        if self.seen and isinstance(result, Answer):
            self.seen[-1].looks.append((method, args, result.value))
        return result

    def answer(self, name: str, /, *args: Any, want_args: bool = False, **kwargs: Any) -> Answer:
        given = copy.deepcopy((list(args), kwargs))
        answer = self._inner.answer(name, *args, want_args=True, **kwargs)
        self._record(name, Seen(*given, answer))
        return answer

    def scripted(
        self, name: str, doubles: Mapping[str, Mapping[str, Any]], /, *args: Any, **kwargs: Any
    ) -> Transcript:
        given = copy.deepcopy((list(args), kwargs))
        transcript = self._inner.scripted(name, doubles, *args, **kwargs)
        self._record(name, Seen(*given, transcript.answer, dict(doubles), transcript.calls))
        return transcript

    def _record(self, name: str, seen: Seen) -> None:
        if name == self._function:
            self.seen.append(replace(seen, check=self.check))
            if len(self.seen) >= self._most:
                raise _Enough


def diagnose(
    checks: Sequence[Check],
    solution: Solution,
    outcomes: Iterable[Outcome],
    *,
    helpers: Collection[str] = (),
    lost: Collection[str] = (),
    failed: Collection[str] = (),
) -> Diagnosis | None:
    """Look for the mistake of a function that failed.

    `checks`: those of one row of the rubric.
    `outcomes`: what the checks found. Where a call did not come to an end there is no diagnosis.
    `helpers`, `lost`: as `practica.engine.runner.run_check` takes them.
    `failed`: the helpers that failed: where one of them is called and has no right one to stand for
        it, that is the diagnosis.
    Returned `diagnosis`: "how" is "one", "either" (one of two, which no call distinguishes) or
        "both", and "mistakes" is a list of dicts with "id" and "facts".
    Raises `SolutionLost` if the solution is lost on the way.
    """
    verdicts = {outcome.id: outcome.verdict for outcome in outcomes}
    row = checks[0].row
    if any(outcome.message.startswith("lost.") for outcome in outcomes) or not (
        families(row) or signs(row)
    ):
        return None
    if (state := _depends_on_earlier_calls(checks, solution, outcomes)) is not None:
        return state
    seen = seen_of(checks, solution, helpers=helpers, lost=lost)
    function = checks[0].function
    if helper := _calls_a_wrong_one(checks[0], solution, seen, failed):
        return _diagnosis("one", {"any.inherits": {"function": function, "helper": helper}})
    return explain(row, function, seen, verdicts)


def _depends_on_earlier_calls(
    checks: Sequence[Check], solution: Solution, outcomes: Iterable[Outcome]
) -> Diagnosis | None:
    """Return what the file keeps between calls, if failed examples pass where it keeps nothing."""
    if not solution.renew():
        return None
    renewed, explained = RenewedSolution(solution), []
    shown = {each.id: each.counterexample for each in outcomes if each.verdict == "fail"}
    for check in checks:
        drawn = shown.get(check.id, {}).get("drawn")
        if drawn is not None and repeat(check, drawn, renewed)[0].verdict == "pass":
            explained.append(check.id)
    facts = {"names": [*renewed.kept], "function": checks[0].function}
    state = Mistake(STATE, plain(facts))
    return Diagnosis("seen", (state,), tuple(explained)) if explained and renewed.kept else None


def seen_of(
    checks: Sequence[Check],
    solution: Solution,
    *,
    helpers: Collection[str] = (),
    lost: Collection[str] = (),
) -> list[Seen]:
    """Make the calls that the checks of a row make, and those that its mistakes bring, and return
    them.
    """
    parts = {name: part for name, part in checks[0].parts.items() if name in helpers}
    noting = _Recording(Helped(solution, parts, lost) if parts else solution, checks[0].function)
    runs: list[tuple[str, Any, dict[str, Any]]] = [
        ("", more, {}) for more in examples_of(checks[0].row)
    ]
    most = assignment().examples_of.get(checks[0].row, EACH)
    by_check = [
        [
            (each.id, each.body, one)
            for one in (fixed_examples(each.id) if each.strategies else [{}])[:most]
        ]
        for each in checks
    ]
    runs += [run for turn in itertools.zip_longest(*by_check) for run in turn if run is not None]
    none = _NoneOfChecks()
    with suppress(_Enough):
        for noting.check, body, drawn in runs:
            noting.seed, begin = zlib.crc32(repr(drawn).encode()), len(noting.seen)
            try:
                body(noting, **drawn)
                none.passed(noting.check, noting.seen[begin:])
            except CheckFailed as failed:
                none.failed(noting.seen[begin:], failed.facts)
            except StudentError:
                noting.seen[-1:] = [replace(each, undue=not parts) for each in noting.seen[-1:]]
    return none.judged(noting.seen)


def _returned_none(seen: Seen) -> bool:
    return seen.answer.error is None and seen.answer.value is None


class _NoneOfChecks:
    """The checks that take None for right, and the calls of which a check refused it."""

    def __init__(self) -> None:
        self._refused: list[Seen] = []
        self._accepting: set[str] = set()
        self._is_expected = False

    def passed(self, check: str, seen: Sequence[Seen]) -> None:
        """Record an example that passes."""
        if any(map(_returned_none, seen)):
            self._accepting.add(check)

    def failed(self, seen: Sequence[Seen], facts: Mapping[str, Any]) -> None:
        """Record an example that fails with these facts."""
        if facts.get("expected", "") is None:
            self._is_expected = True
        if facts.get("obtained", "") is None:
            self._refused += filter(_returned_none, seen[-1:])

    def judged(self, seen: Sequence[Seen]) -> list[Seen]:
        """Return calls with what is known of their None.

        In those that no check made, which the author of a mistake chose, it is wrong.
        """
        refusing = {each.check for each in self._refused}
        if self._is_expected or refusing & self._accepting:
            return [*seen]
        wrong = [*self._refused, *filter(_returned_none, (each for each in seen if not each.check))]
        return [replace(each, none_is_wrong=each in wrong) for each in seen]


def _calls_a_wrong_one(
    check: Check, solution: Solution, seen: Sequence[Seen], failed: Collection[str]
) -> str | None:
    """Return a wrong function that the diagnosed one calls and that no right one replaces.

    None if there is none.
    """
    others = sorted({*failed} - check.parts.keys() - {check.function})
    for each in seen[:FEW] if others else ():
        doubles = {
            **each.doubles,
            **{name: {"through": True} for name in others if name not in each.doubles},
        }
        transcript = solution.scripted(check.function, doubles, *each.args, **each.kwargs)
        if called := {call.name for call in transcript.calls} & {*others} - each.doubles.keys():
            return min(called)
    return None


def explain(
    row: str, function: str, seen: Sequence[Seen], verdicts: Mapping[str, str]
) -> Diagnosis | None:
    """Return the mistakes that explain the calls of a function, given the verdicts of its
    checks.
    """
    facts = {"function": function}
    imitated = [_Imitated(family, seen) for family in families(row)]
    possible = [each for each in imitated if not each.is_right()]
    singles = {id_of(switch): facts for each in possible for switch in each.singles()}
    failed = tuple(id for id, verdict in verdicts.items() if verdict == "fail")
    if len(singles) in (1, 2):
        return _diagnosis("one" if len(singles) == 1 else "either", singles, failed)
    pairs = (
        {tuple(map(id_of, pair)) for each in possible for pair in each.pairs()}
        if not singles
        else set()
    )
    if len(pairs) == 1:
        return _diagnosis("both", {id: facts for pair in pairs for id in pair}, failed)
    with_right = [imitated[0].with_right(each) for each in seen] if imitated else seen
    shown = {} if singles else _shown(row, with_right, verdicts, MOST_SIGNS)
    if (
        sure := set.intersection(*map(set, pairs)) if pairs and not shown else set()
    ):  # it is one of them, and something else
        return _diagnosis("one", dict.fromkeys(sure, facts))
    shown = shown or _shown(row, with_right, verdicts, 1, last=True)
    told = {id: {**facts, **more} for id, more in shown.items()}
    if not told:
        draws = function in assignment().draws
        return diagnosis_of(pairs_of(with_right, draws=draws), with_right)
    explained = tuple(id for id in failed if _is_explained(row, told, id, with_right))
    return _diagnosis("one" if len(told) == 1 else "both", told, explained)


def _diagnosis(
    how: str, mistakes: Mapping[str, Mapping[str, Any]], explains: tuple[str, ...] = ()
) -> Diagnosis:
    return Diagnosis(
        how, tuple(Mistake(id, plain(_short(facts))) for id, facts in mistakes.items()), explains
    )


def _is_explained(row: str, told: Collection[str], check: str, seen: Sequence[Seen]) -> bool:
    """Return whether one of these signs shows in every wrong call of a check.

    All of them, where that is unknown.
    """
    calls = [each for each in seen if each.check == check]
    of_check = [each for each in calls if not (each.right and each.agrees)]
    for sign in (each for each in signs(row) if each.id in told):
        with suppress(Exception):  # a sign of all calls may need others than these
            if sign.explains is not None:
                found = [sign.explains(check, seen)]
            else:
                found = (
                    [sign.shows(calls)]
                    if sign.together
                    else [sign.shows(each) for each in of_check]
                )
            if found and all(found):
                return True
    return False


def _short(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Shorten facts to what sentences have room for, since some are values of the student's."""
    return {
        name: fact if type(fact) is int and abs(fact) < 1 << 53 else show(fact, quoted=False)
        for name, fact in facts.items()
    }


def _shown(
    row: str, seen: Sequence[Seen], verdicts: Mapping[str, str], most: int, *, last: bool = False
) -> dict[str, dict[str, Any]]:
    """Return the first signs that show, with their facts."""
    shown: dict[str, dict[str, Any]] = {}
    for sign in signs(row):
        may_be = not sign.fails or "fail" in map(verdicts.get, sign.fails)
        if sign.last != last or not may_be or shown.keys() & {*sign.unless} or len(shown) == most:
            continue
        found = [sign.shows(seen)] if sign.together else [sign.shows(each) for each in seen]
        yes = [each for each in found if each]
        if len(yes) >= sign.enough and not any(each is False for each in found):
            shown[sign.id] = next((dict(each) for each in yes if isinstance(each, Mapping)), {})
    return shown


class _Imitated:
    """The answers of an imitation to the recorded calls, compared with those of the student's
    function.
    """

    def __init__(self, family: Family, seen: Sequence[Seen]) -> None:
        self.family = family
        self._seen = [each for each in seen if not each.doubles]
        self._made: dict[tuple[Switches, int], Answer | None] = {}
        # a wrong answer contradicts most mistakes
        self._order = sorted(range(len(self._seen)), key=self._is_right)

    def with_right(self, seen: Seen) -> Seen:
        """Return a call together with the answer of right code."""
        if seen.doubles or (right := self._answer(RIGHT, self._seen.index(seen))) is None:
            return seen
        return replace(
            seen, right=right, agrees=_same_result(self.family, right, seen.answer, seen)
        )

    def is_right(self) -> bool:
        """Return whether the student's function answers every call as right code does."""
        return all(self._agrees(RIGHT, number) for number in self._order)

    def singles(self) -> list[str]:
        """Return the switches that explain every call."""
        return [each for each in self.family.switches if self._explains(frozenset([each]), [RIGHT])]

    def pairs(self) -> list[tuple[str, str]]:
        """Return the pairs of switches, of different mistakes, that explain every call, as none
        alone does.
        """
        pairs = itertools.combinations(self.family.switches, 2)
        return [
            (one, other)
            for one, other in pairs
            if id_of(one) != id_of(other)
            and self._explains(
                frozenset([one, other]), [RIGHT, frozenset([one]), frozenset([other])]
            )
        ]

    def _explains(self, wrong: Switches, others: Sequence[Switches]) -> bool:
        """Return whether these mistakes agree with every call, and some calls rule out each of the
        others.
        """
        agree = all(self._agrees(wrong, number) is not False for number in self._order)
        return agree and all(self._tells(wrong, other) for other in others)

    def _is_right(self, number: int) -> bool:
        return self._agrees(RIGHT, number) is not False

    def _agrees(self, wrong: Switches, number: int) -> bool | None:
        expected, seen = self._answer(wrong, number), self._seen[number]
        return None if expected is None else self._same(expected, seen.answer, seen)

    def _tells(self, wrong: Switches, other: Switches) -> bool:
        """Return whether enough calls distinguish some mistakes from others."""
        count = 0
        for number, seen in enumerate(self._seen):
            one, two = self._answer(wrong, number), self._answer(other, number)
            count += one is not None and two is not None and not self._same(two, one, seen)
            if count == ENOUGH:
                return True
        return False

    def _same(self, expected: Answer, obtained: Answer, seen: Seen) -> bool:
        return _same_result(self.family, expected, obtained, seen) and (
            expected.error is not None
            or (
                expected.same_object == obtained.same_object
                and _same_left(expected.args, obtained.args)
            )
        )

    def _answer(self, wrong: Switches, number: int) -> Answer | None:
        if (wrong, number) not in self._made:
            self._made[wrong, number] = _done(self.family, wrong, self._seen[number])
        return self._made[wrong, number]


def _same_result(family: Family, expected: Answer, obtained: Answer, seen: Seen) -> bool:
    if expected.error is not None or obtained.error is not None:
        types = [each.error.type for each in (expected, obtained) if each.error is not None]
        return len(types) == 2 and types[0] == types[1]
    try:
        return family.alike(expected.value, obtained.value, seen)
    except ValueError:  # the student's rows are of different lengths
        return False


def _same_left(first: Sequence[Any] | None, second: Sequence[Any] | None) -> bool:
    """Return whether two calls leave their arguments alike."""
    return first is None or second is None or all(map(alike, first, second))


def _done(family: Family, wrong: Switches, seen: Seen) -> Answer | None:
    """Return the answer of a function with these mistakes to a call; None if it is unknown."""
    args, kwargs = copy.deepcopy((seen.args, seen.kwargs))
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = family.body(wrong, *args, **kwargs)
    except NoOpinion:
        return None
    except Exception as error:
        return Answer(error=Failure(type(error).__name__, str(error), None))
    values = [*args, *kwargs.values()]
    same = next(
        (place for place, each in enumerate(values) if each is value and _is_object(each)), None
    )
    return Answer(copy.deepcopy(value), args=values, same_object=same)


def _is_object(value: Any) -> bool:
    return isinstance(value, np.ndarray | list | dict | tuple)
