"""Which known mistakes explain a student's function.

The rules are in the notes of `practica.grading.assignment.mistakes`.

Nothing is drawn here, and no clock decides: the same function gets the same name each time.
"""

from __future__ import annotations

import copy
import functools
import itertools
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from practica.grading.engine.current import assignment
from practica.grading.engine.examples import Example, example_at, known_examples
from practica.grading.engine.framework import RIGHT, Check, CheckFailed, NoOpinion
from practica.grading.engine.generic_mistakes import ERRORS, ends_in
from practica.grading.engine.helper_substitution import Helped
from practica.grading.engine.known_mistakes import (
    ANYTHING,
    ENOUGH,
    Imitation,
    Seen,
    alike,
    examples_of,
    id_of,
    imitation,
    reading_once,
    signs,
)
from practica.grading.engine.observations import STATE, observations, pairs_of
from practica.grading.engine.rendering import equal, show
from practica.grading.engine.result import Diagnosis, Mistake
from practica.grading.engine.runner import Outcome, repeat
from practica.grading.engine.solution import (
    ForwardingSolution,
    RenewedSolution,
    Solution,
    StudentError,
)
from practica.grading.engine.trial import judge
from practica.grading.inside.plain_data import Answer, Failure, Transcript
from practica.json_data import plain

EACH = 12  # examples of a check
LAST = 12  # calls of an example that are kept: the one that is shown is among them
MOST_CALLS = 300  # recorded for one row: each is compared with every known mistake
MOST_SIGNS = 2  # of one function: a student reads no more causes than that
EQUAL_CALLS = 4  # for a function that draws, so that its features show
FEW = 4  # calls in which it is looked for what the function calls

Switches = frozenset[str]


class _Enough(BaseException):
    """Ends the recording of calls.

    It is no `Exception`, which a check would take for the student's.
    """


class _Recording(ForwardingSolution):
    """A solution that records every call of the diagnosed function."""

    def __init__(self, inner: Solution, function: str) -> None:
        super().__init__(inner)
        self._function = function
        self.check = ""
        self.seen: list[Seen] = []

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
            if len(self.seen) >= MOST_CALLS:
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
    `helpers`, `lost`: as `practica.grading.engine.runner.run_check` takes them.
    `failed`: the helpers that failed: where one of them is called and has no right one to stand for
        it, that is the diagnosis.
    Returned `diagnosis`: "how" is "one", "either" (one of two, which no call distinguishes) or
        "both", and "mistakes" is a list of dicts with "id" and "facts".
    Raises `SolutionLost` if the solution is lost on the way.
    """
    row, outcomes = checks[0].row, [*outcomes]
    if any(outcome.message.startswith("lost.") for outcome in outcomes) or not (
        imitation(row) or signs(row)
    ):
        return None
    drawn = {each.id: each.counterexample.get("drawn") for each in outcomes}
    shown = {id: int(number) for id, number in drawn.items() if number is not None}
    solution.renew()  # so that the next one says what the calls between them keep
    seen = seen_of(checks, solution, shown, helpers=helpers, lost=lost)
    keeps = bool(solution.renew())
    if keeps and (state := _depends_on_earlier_calls(checks, solution, shown)) is not None:
        return state
    function = checks[0].function
    if helper := _wrong_helper(checks[0], solution, seen, failed):
        return _diagnosis("one", {"any.inherits": {"function": function, "helper": helper}})
    return explain(row, function, seen, outcomes)


def _depends_on_earlier_calls(
    checks: Sequence[Check], solution: Solution, shown: Mapping[str, int]
) -> Diagnosis | None:
    """Return the variables that the file keeps between calls, if failed examples pass without them.

    `shown`: the number of the failed example of each check, where everybody knows it.
    """
    renewed, explained = RenewedSolution(solution), []
    for check in checks:
        drawn = shown.get(check.id)
        if drawn is not None and repeat(check, drawn, renewed)[0].verdict == "pass":
            explained.append(check.id)
    facts = {"names": [*renewed.kept], "function": checks[0].function}
    state = Mistake(STATE, plain(facts))
    return Diagnosis("seen", (state,), tuple(explained)) if explained and renewed.kept else None


def seen_of(
    checks: Sequence[Check],
    solution: Solution,
    shown: Mapping[str, int],
    *,
    helpers: Collection[str] = (),
    lost: Collection[str] = (),
) -> list[Seen]:
    """Make the calls that the checks of a row make, and those that its mistakes bring, and return
    them. The calls of a check begin with those of its failed example, of which `shown` has the
    number.
    """
    parts = {name: part for name, part in checks[0].parts.items() if name in helpers}
    helped = Helped(solution, parts, lost) if parts else solution
    noting = _Recording(checks[0].heard(helped), checks[0].function)
    nothing = Example({}, 0, None)
    runs = [("", more, nothing) for more in examples_of(checks[0].row)]
    by_check = [_runs_of(check, shown.get(check.id)) for check in checks]
    runs += [run for turn in itertools.zip_longest(*by_check) for run in turn if run is not None]
    none = _NoneOfChecks()
    with suppress(_Enough):
        for noting.check, body, example in runs:
            noting.seed, begin = example.seed, len(noting.seen)
            try:
                body(noting, **example.values)
                none.passed(noting.check, noting.seen[begin:])
            except CheckFailed as failed:
                noting.seen[-1:] = [_required(each, failed.facts) for each in noting.seen[-1:]]
                none.failed(noting.seen[begin:], failed.facts)
            except StudentError:
                noting.seen[-1:] = [replace(each, undue=not parts) for each in noting.seen[-1:]]
            if noting.check:
                del noting.seen[begin:-LAST]
    return none.judged(noting.seen)


def _runs_of(check: Check, shown: int | None) -> list[tuple[str, Callable[..., None], Example]]:
    """Return some examples of a check: the one that failed, and small and large ones."""
    most = min(assignment().examples_of.get(check.row, EACH), check.examples)
    first = [] if shown is None else [example_at(check, shown)]
    known = known_examples(check)
    smallest, largest = known[: most // 2], known[most // 2 :]
    others = [each for each in [*smallest, *reversed(largest)] if each.number != shown]
    return [(check.id, functools.partial(judge, check), each) for each in [*first, *others][:most]]


def _returned_none(seen: Seen) -> bool:
    return seen.answer.error is None and seen.answer.value is None


class _NoneOfChecks:
    """The checks that accept None as a result, and the calls whose None a check has refused."""

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
        """Return calls, each with whether its None is right or wrong, if that is known.

        In calls of the author of a mistake, which no check made, None is wrong.
        """
        refusing = {each.check for each in self._refused}
        if self._is_expected or refusing & self._accepting:
            return [*seen]
        wrong = [*self._refused, *filter(_returned_none, (each for each in seen if not each.check))]
        return [replace(each, none_is_wrong=each in wrong) for each in seen]


def _required(seen: Seen, facts: Mapping[str, Any]) -> Seen:
    """Return a call with the answer that a failed check requires of it, if its facts are about the
    whole answer.
    """
    is_whole = "expected" in facts and equal(facts.get("obtained"), seen.answer.value)
    if not is_whole or seen.doubles:
        return seen
    return replace(seen, right=Answer(facts["expected"]))


def _wrong_helper(
    check: Check, solution: Solution, seen: Sequence[Seen], failed: Collection[str]
) -> str | None:
    """Return a wrong function that the diagnosed one calls and that no right one replaces, or
    None.
    """
    others = sorted({*failed} - check.parts.keys() - {check.function})
    for each in seen[:FEW] if others else ():
        doubles = {
            **each.doubles,
            **{name: {"through": True} for name in others if name not in each.doubles},
        }
        heard = check.heard(solution)
        transcript = heard.scripted(check.function, doubles, *each.args, **each.kwargs)
        if called := {call.name for call in transcript.calls} & {*others} - each.doubles.keys():
            return min(called)
    return None


@reading_once()
def explain(
    row: str, function: str, seen: Sequence[Seen], outcomes: Sequence[Outcome]
) -> Diagnosis | None:
    """Return the mistakes that explain the calls of a function and the outcomes of its checks, or
    observations on its answers.
    """
    verdicts = {outcome.id: outcome.verdict for outcome in outcomes}
    facts = {"function": function}
    failed = tuple(id for id, verdict in verdicts.items() if verdict == "fail")
    evidence = Evidence(imitation(row), seen)
    switches = evidence.singles()
    singles = {id_of(switch): facts for switch in switches}
    if len(singles) in (1, 2):
        how = "one" if len(singles) == 1 else "either"
        named = _diagnosis(how, singles, evidence.checks(failed))
        if how == "either" or evidence.contradicted({switches[0]}) == 0:
            return named
        where = observations([], evidence.with_right(seen))
        return replace(named, mistakes=(*named.mistakes, *where))
    pairs = set() if singles else {tuple(map(id_of, pair)) for pair in evidence.pairs()}
    if len(pairs) == 1:
        return _diagnosis("both", dict.fromkeys(pairs.pop(), facts), evidence.checks(failed))
    with_right = evidence.with_right(seen)
    shown = {} if singles else _shown(row, with_right, verdicts, MOST_SIGNS)
    if pairs and not shown and (sure := set.intersection(*map(set, pairs))):
        return _diagnosis("one", dict.fromkeys(sure, facts))  # it is these, and something else
    if shown:
        told = {id: {**facts, **more} for id, more in shown.items()}
        explained = tuple(id for id in failed if _is_explained(row, told, id, with_right))
        return _diagnosis("one" if len(told) == 1 else "both", told, explained)
    if not failed:
        return None
    for id, more in _shown(row, with_right, verdicts, len(seen), last=True).items():
        explained = ends_in(id, outcomes)
        if id not in ERRORS:
            explained = tuple(one for one in failed if _is_explained(row, [id], one, with_right))
        if id not in ERRORS or failed[0] in explained:
            return _diagnosis("one", {id: {**facts, **more}}, explained)
    observed = observations(pairs_of(row, with_right), with_right)
    if not singles and (described := evidence.described()):
        observed = [Mistake(described, plain(facts)), *observed[:1]]
    return Diagnosis("seen", tuple(observed)) if observed else None


def _diagnosis(
    how: str, mistakes: Mapping[str, Mapping[str, Any]], explains: tuple[str, ...] = ()
) -> Diagnosis:
    return Diagnosis(
        how, tuple(Mistake(id, plain(_short(facts))) for id, facts in mistakes.items()), explains
    )


def _is_explained(row: str, told: Collection[str], check: str, seen: Sequence[Seen]) -> bool:
    """Return whether one of the signs `told` explains every wrong call of a check."""
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
    """Shorten those facts that are values of the student's, so that they fit into a sentence."""
    return {
        name: fact if type(fact) is int and abs(fact) < 1 << 53 else show(fact, quoted=False)
        for name, fact in facts.items()
    }


def _shown(
    row: str, seen: Sequence[Seen], verdicts: Mapping[str, str], most: int, *, last: bool = False
) -> dict[str, dict[str, Any]]:
    """Return at most `most` signs that show in the calls, in order of declaration, with their
    facts; with `last`, those that are declared so.
    """
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


class ImitatedCall:
    """A call, or several equal calls of a function that draws, with the answers of an imitation."""

    def __init__(self, imitation: Imitation, calls: Sequence[Seen]) -> None:
        self.imitation, self.calls = imitation, calls
        self.kind = imitation.kind(calls[0])
        self.free = [frozenset[str](), *({way} for way in imitation.free(calls[0]))]
        self._obtained = self._parts([each.answer for each in calls])
        self._wrong: dict[Switches, frozenset[str]] = {}

    def wrong_parts(self, switches: Switches) -> frozenset[str]:
        """Return the parts in which the answer is not that of a function with these mistakes."""
        if switches not in self._wrong:
            ways = [self._differing(switches | way) for way in self.free]
            self._wrong[switches] = min(ways, key=len)
        return self._wrong[switches]

    def _differing(self, switches: Switches) -> frozenset[str]:
        """Return the parts in which the answer differs from that of a function with these mistakes;
        none if that answer is unknown.
        """
        expected = [answer_of(self.imitation, switches, *each) for each in enumerate(self.calls)]
        known = [answer for answer in expected if answer is not None]
        if len(known) < len(expected):
            return frozenset()
        one, other = self._parts(known), self._obtained
        tolerance = self.imitation.tolerance
        both = one.keys() & other.keys()
        same = {part for part in both if _is_same(one[part], other[part], tolerance)}
        return frozenset((one.keys() | other.keys()) - same)

    def _parts(self, answers: Sequence[Answer]) -> Mapping[str, Any]:
        errors = [answer.error.type for answer in answers if answer.error is not None]
        return {"error": errors[0]} if errors else self.imitation.parts(self.calls, answers)


class Evidence:
    """The calls of a function, compared with its imitation.

    Kinds of calls in which all is right show nothing. In all others a mistake has to give every
    answer, right and wrong, and at least two calls have to tell it from right code.
    """

    def __init__(self, imitation: Imitation | None, seen: Sequence[Seen]) -> None:
        self._switches = imitation.switches if imitation else ()
        self._only = imitation.only if imitation else {}
        groups = _groups(imitation, seen) if imitation else []
        self._cases = [ImitatedCall(imitation, group) for group in groups] if imitation else []
        kinds = {case.kind for case in self._cases if case.wrong_parts(RIGHT)}
        shows = [case for case in self._cases if case.kind in kinds]
        # a wrong answer contradicts most mistakes
        self._shows = sorted(shows, key=lambda case: not case.wrong_parts(RIGHT))

    def singles(self) -> list[str]:
        """Return the switches that explain every call of the wrong kinds, and contradict the
        fewest of the other kinds.
        """
        found = [each for each in self._switches if self._explains({each}, [RIGHT])]
        wrong = {each: self.contradicted({each}) for each in found}
        return [each for each in found if wrong[each] == min(wrong.values())]

    def pairs(self) -> list[tuple[str, str]]:
        """Return the pairs of switches of different mistakes that explain every call of the wrong
        kinds, if no single one does.
        """
        return [
            (one, other)
            for one, other in itertools.combinations(self._switches, 2)
            if id_of(one) != id_of(other)
            and self._explains({one, other}, [RIGHT, frozenset([one]), frozenset([other])])
        ]

    def described(self) -> str | None:
        """Return the mistake that is named after the parts in which answers are wrong, if there is
        one.
        """
        parts = set[str]().union(*(case.wrong_parts(RIGHT) for case in self._shows))
        found = [id for id, those in self._only.items() if parts and parts <= {*those}]
        return found[0] if found else None

    def checks(self, failed: Sequence[str]) -> tuple[str, ...]:
        """Return the failed checks that have a wrong call among the recorded ones, or no recorded
        call at all.
        """
        found: dict[str, bool] = {}
        for case in self._cases:
            for each in case.calls:
                found[each.check] = found.get(each.check, False) or bool(case.wrong_parts(RIGHT))
        return tuple(id for id in failed if found.get(id, True))

    def with_right(self, seen: Sequence[Seen]) -> list[Seen]:
        """Return the calls, each with the answer of right code where that is known."""
        cases = {id(each): case for case in self._cases for each in case.calls}
        return [_with_right(cases[id(each)], each) if id(each) in cases else each for each in seen]

    def _explains(self, wrong: Set[str], others: Sequence[Switches]) -> bool:
        """Return whether the mistakes `wrong` give every answer of the wrong kinds of calls, and
        enough of these calls contradict each of the `others`.
        """
        switches = frozenset(wrong)
        agree = not any(case.wrong_parts(switches) for case in self._shows)
        return agree and all(map(self._tells, others))

    def _tells(self, other: Switches) -> bool:
        """Return whether enough calls contradict some mistakes."""
        wrong = (case for case in self._shows if case.wrong_parts(other))
        return len(list(itertools.islice(wrong, ENOUGH))) == ENOUGH

    def contradicted(self, wrong: Set[str]) -> int:
        """Count the parts of all answers that a function with the mistakes `wrong` would not
        give.
        """
        return sum(len(case.wrong_parts(frozenset(wrong))) for case in self._cases)


def _groups(imitation: Imitation, seen: Sequence[Seen]) -> list[list[Seen]]:
    """Return the calls without doubles, each in a group of its own; for a function that draws,
    equal calls in one group, if there are enough.
    """
    plain_calls = [each for each in seen if not each.doubles and not imitation.skips(each)]
    if not imitation.draws:
        return [[each] for each in plain_calls]
    groups: dict[str, list[Seen]] = {}
    for each in plain_calls:
        groups.setdefault(repr(each.given), []).append(each)
    return [group for group in groups.values() if len(group) >= EQUAL_CALLS]


def _with_right(case: ImitatedCall, seen: Seen) -> Seen:
    right = answer_of(case.imitation, RIGHT, 0, seen)
    wrong = [part for part in case.wrong_parts(RIGHT) if not part.startswith("argument")]
    if right and not wrong:  # what right code may choose is right as the student chose it
        right = replace(right, value=seen.answer.value)
    return replace(seen, right=right, agrees=not wrong)


def _is_same(expected: Any, obtained: Any, tolerance: float) -> bool:
    if expected is ANYTHING or obtained is ANYTHING:
        return True
    try:
        return alike(expected, obtained, tolerance)
    except ValueError:  # the student's rows are of different lengths
        return False


def answer_of(imitation: Imitation, wrong: Set[str], turn: int, seen: Seen) -> Answer | None:
    """Return the answer to a call of a function with the mistakes `wrong`; None if it is unknown.

    `turn`: the seed of the generator that an imitation that draws gets as its second argument.
    """
    args, kwargs = copy.deepcopy((seen.args, seen.kwargs))
    drawing = [np.random.default_rng(turn)] if imitation.draws else []
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = imitation.body(wrong, *drawing, *args, **kwargs)
    except NoOpinion:
        return None
    except Exception as error:
        return Answer(error=Failure(type(error).__name__, str(error), None))
    values = [*args, *kwargs.values()]
    same = [place for place, each in enumerate(values) if each is value and _is_object(each)]
    return Answer(copy.deepcopy(value), args=values, same_object=same[0] if same else None)


def _is_object(value: Any) -> bool:
    return isinstance(value, np.ndarray | list | dict | tuple)
