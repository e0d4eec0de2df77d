"""Which known mistakes explain a student's function.

The rules are in the notes of `practica.grading.assignment.mistakes`.

Nothing is drawn here, and no clock decides: the same function gets the same name each time.
"""

from __future__ import annotations

import copy
import functools
import itertools
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from practica.grading.engine import generic_mistakes  # noqa: F401, it registers its signs
from practica.grading.engine.current import assignment
from practica.grading.engine.examples import Example, example_at, known_examples
from practica.grading.engine.framework import CHECKS, RIGHT, Check, CheckFailed, NoOpinion
from practica.grading.engine.helper_substitution import Helped
from practica.grading.engine.known_mistakes import (
    ANYTHING,
    ENOUGH,
    Imitation,
    Seen,
    Sign,
    alike,
    consequences,
    examples_of,
    id_of,
    imitation,
    reading_once,
    signs,
)
from practica.grading.engine.observations import STATE, Told, observations, pairs_of
from practica.grading.engine.rendering import equal, show
from practica.grading.engine.result import Diagnosis, Mistake
from practica.grading.engine.rubric import official
from practica.grading.engine.runner import Outcome, repeat
from practica.grading.engine.signatures import exchanged
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
MOST_TOLD = 2  # sentences on one function: a student reads no more causes than that
LONG = 400  # characters of a call that is hard to read
EQUAL_CALLS = 4  # for a function that draws, so that its features show
FEW = 4  # calls in which it is looked for what the function calls

Switches = frozenset[str]


class _Enough(BaseException):
    """Ends the recording of calls.

    It is not an `Exception`, because a check would take that for the student's.
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
    """Look for the mistake of a function that failed; return None if there is nothing to say.

    `checks`: those of one row of the rubric.
    `outcomes`: what the checks found. If a call did not come to an end, there is no diagnosis.
    `helpers`, `lost`: as `practica.grading.engine.runner.run_check` takes them.
    `failed`: the helpers that failed: where one of them is called and has no right one to stand for
        it, that is the diagnosis.
    Returned `diagnosis`: its `how` is "one", "either" (one of two, which no call distinguishes),
        "both", or "seen" for observations.
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
        inherits = Mistake("any.inherits", _short({"function": function, "helper": helper}))
        return Diagnosis("one", (inherits,))
    if places := _exchanged_parameters(row, solution, seen):
        facts = {"function": function, "position": places[0] + 1, "other": places[1] + 1}
        return Diagnosis("one", (Mistake("any.exchanged", _short(facts)),))
    return explain(row, function, seen, outcomes)


def _exchanged_parameters(
    row: str, solution: Solution, seen: Sequence[Seen]
) -> tuple[int, int] | None:
    """Return the positions of two parameters that have each other's names in the header, unless an
    answer contradicts that this is the mistake; else None.
    """
    known = official().rows.get(row)
    if known is None:
        return None
    with suppress(StudentError):
        own = [name for name, *_ in solution.signature(known.function)]
        orders = [[each.name for each in overload.positional] for overload in known.overloads]
        found = [places for order in orders if (places := exchanged(own[: len(order)], order))]
        imitated = imitation(row)
        if found and not (imitated and _contradicted(imitated, *found[0], seen)):
            return found[0]
    return None


def _contradicted(imitation: Imitation, one: int, other: int, seen: Sequence[Seen]) -> bool:
    """Return whether an answer differs from that of right code with the arguments at `one` and
    `other` exchanged. Only calls in which both are of one kind count.
    """
    for each in seen:
        args = [*each.args]
        if each.answer.error or len(args) <= other or imitation.skips(each):
            continue
        if getattr(args[one], "dtype", None) != getattr(args[other], "dtype", None):
            continue
        args[one], args[other] = args[other], args[one]
        right = answer_of(imitation, RIGHT, 0, replace(each, args=args))
        if right is None or right.error is not None or imitation.draws:
            continue
        if not _is_same(right.value, each.answer.value, imitation.tolerance):
            return True
    return False


def _depends_on_earlier_calls(
    checks: Sequence[Check], solution: Solution, shown: Mapping[str, int]
) -> Diagnosis | None:
    """Return a diagnosis that names the variables which the file keeps between calls, if failed
    examples pass when these are reset; else None.

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
    """Make the calls of a row's checks, and those that its mistakes add, and return them as
    recorded.

    `shown`: by check, the number of its failed example, which runs first.
    `helpers`, `lost`: as in `diagnose`.
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
            except (CheckFailed, StudentError) as failed:
                last = [replace(each, failed=example.number) for each in noting.seen[-1:]]
                if isinstance(failed, CheckFailed):
                    last = [_required(each, failed.facts) for each in last]
                    none.failed([*noting.seen[begin:-1], *last], failed.facts)
                else:
                    last = [replace(each, undue=not parts) for each in last]
                noting.seen[-1:] = last
            if noting.check:
                del noting.seen[begin:-LAST]
    return none.judged(noting.seen)


def _runs_of(check: Check, shown: int | None) -> list[tuple[str, Callable[..., None], Example]]:
    """Return some examples of a check, each as the check's id, the body and the example: first the
    failed one, with the number `shown`, then small and large ones.
    """
    most = min(assignment().examples_of.get(check.row, EACH), check.examples)
    first = [] if shown is None else [example_at(check, shown)]
    known = known_examples(check)
    smallest, largest = known[: most // 2], known[most // 2 :]
    others = [each for each in [*smallest, *reversed(largest)] if each.number != shown]
    examples = [*first, *others[: max(0, most - len(first))]]
    return [(check.id, functools.partial(judge, check), each) for each in examples]


def _returned_none(seen: Seen) -> bool:
    return seen.answer.error is None and seen.answer.value is None


class _NoneOfChecks:
    """The checks that accept None as a result, and the calls whose None was refused by a check."""

    def __init__(self) -> None:
        self._refused: list[Seen] = []
        self._accepting: set[str] = set()
        self._is_expected = False

    def passed(self, check: str, seen: Sequence[Seen]) -> None:
        """Record an example that passes: if one of its calls returned None, the check accepts
        that.
        """
        if any(map(_returned_none, seen)):
            self._accepting.add(check)

    def failed(self, seen: Sequence[Seen], facts: Mapping[str, Any]) -> None:
        """Record an example that fails with these facts, which may say that None was refused or
        expected.
        """
        if facts.get("expected", "") is None:
            self._is_expected = True
        if facts.get("obtained", "") is None:
            self._refused += filter(_returned_none, seen[-1:])

    def judged(self, seen: Sequence[Seen]) -> list[Seen]:
        """Return the calls with `none_is_wrong` set where a check refused a None, and no check
        accepts it.

        A None that was returned to no check, but in a call that mistakes add, is wrong too.
        """
        refusing = {each.check for each in self._refused}
        if self._is_expected or refusing & self._accepting:
            return [*seen]
        wrong = [*self._refused, *filter(_returned_none, (each for each in seen if not each.check))]
        return [replace(each, none_is_wrong=each in wrong) for each in seen]


def _required(seen: Seen, facts: Mapping[str, Any]) -> Seen:
    """Return a call with the value that a failed check expected as its right answer, if the check
    compared the whole result; else the call as it is.
    """
    is_whole = "expected" in facts and equal(facts.get("obtained"), seen.answer.value)
    if not is_whole or seen.doubles:
        return seen
    return replace(seen, right=Answer(facts["expected"]))


def _wrong_helper(
    check: Check, solution: Solution, seen: Sequence[Seen], failed: Collection[str]
) -> str | None:
    """Return the name of a failed function that the diagnosed one calls and no right one replaces;
    None if it calls none.
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
    else observations on its answers; None if there is nothing to say.
    """
    evidence = Evidence(imitation(row), seen)
    failed = [outcome for outcome in outcomes if outcome.verdict == "fail"]
    follow = consequences(row, [outcome.id for outcome in failed], evidence.seen)
    in_order = sorted(failed, key=lambda outcome: outcome.id in follow)
    examples = PrintedExamples(in_order, evidence.seen)
    for how, told, explains in _candidates(row, function, evidence, outcomes):
        mistakes, leads = examples.told(told)
        if mistakes:
            return Diagnosis(how, tuple(mistakes), explains, leads)
    return None if in_order == failed else Diagnosis("seen", (), leads=examples.told([])[1])


def _candidates(
    row: str, function: str, evidence: Evidence, outcomes: Sequence[Outcome]
) -> Iterator[tuple[str, list[Told], tuple[str, ...]]]:
    """Yield the possible diagnoses of a function, the surest first: each as `how`, the sentences,
    and the ids of the checks that they explain.
    """
    verdicts = {outcome.id: outcome.verdict for outcome in outcomes}
    facts = _short({"function": function})

    def imitated(ids: Iterable[str], *ways: Iterable[str]) -> list[Told]:
        """Return sentences that hold in a call if one of some ways to be wrong gives its answer."""
        holds = functools.partial(evidence.holds, [*map(frozenset, ways)])
        return [(Mistake(id, facts), holds) for id in dict.fromkeys(ids)]

    singles, seen = evidence.singles(), evidence.seen
    if assignment().examples_of.get(row) == 0:  # those of checks are printed, and show no mistake
        seen = [each for each in seen if not each.check]
    ways = {id_of(each): [each] for each in singles}  # one of each mistake
    if len(ways) in (1, 2):
        told = imitated(ways, *([each] for each in singles))
        if len(ways) == 1 and evidence.contradicted({singles[0]}):
            told += observations([], seen)
        how = "one" if len(ways) == 1 else "either"
        yield how, told, evidence.explained(function, outcomes, ways.values())
    pairs = [] if singles else evidence.pairs()
    ids = [[*map(id_of, pair)] for pair in pairs]
    sure = [id for id in itertools.chain(*ids[:1]) if all(id in each for each in ids)]
    if len(sure) == 2:
        yield "both", imitated(sure, *pairs), evidence.explained(function, outcomes, pairs[:1])
    shown = [] if singles else _shown(row, seen, verdicts, facts)
    if len(sure) == 1 and not shown:  # it is this one, and something else
        yield "one", imitated(sure, *pairs), ()
    if shown:
        yield "one" if len(shown) == 1 else "both", shown, ()
    if "fail" not in verdicts.values():
        return
    for each in _shown(row, seen, verdicts, facts, last=True):
        yield "one", [each], ()
    observed = observations(pairs_of(row, seen), seen)
    if not singles and (described := evidence.described()):
        observed[:0] = imitated([described])
    yield "seen", observed, ()


class PrintedExamples:
    """The failed checks, each with the calls of its printed example: a sentence is only said if it
    holds in one of these examples.
    """

    def __init__(self, failed: Sequence[Outcome], seen: Sequence[Seen]) -> None:
        """Read the failed checks, in the order in which they may lead."""
        self._calls = {each.id: _printed(each, seen) for each in failed}
        self._length = {each.id: len(each.counterexample.get("call", "")) for each in failed}

    def told(self, sentences: Iterable[Told]) -> tuple[list[Mistake], str]:
        """Return the first sentences that hold together in one printed example, with the facts that
        they have there, and the id of its check, empty if none is known.

        An example in which it is unknown whether a sentence holds does not contradict it.
        """
        left, said = [*self._calls], list[tuple[Mistake, dict[str, Any]]]()
        for mistake, holds in sentences:
            if len(said) == MOST_TOLD:
                break
            found = {id: holds(self._calls[id]) if self._calls[id] else None for id in left}
            agree = [id for id in left if found[id]] or [id for id in left if found[id] is None]
            if agree or not self._calls:
                left, said = agree, [*said, (mistake, found)]
        if not left:
            return [mistake for mistake, _ in said], ""
        shortest = min(left, key=self._long)
        leads = shortest if self._long(left[0]) > max(LONG, 2 * self._long(shortest)) else left[0]
        return [_with_facts(mistake, found[leads]) for mistake, found in said], leads

    def _long(self, check: str) -> int:
        return self._length[check] or LONG


def _printed(outcome: Outcome, seen: Sequence[Seen]) -> list[Seen]:
    """Return the calls of the printed example of a failed check, which come first among those of
    the check; none if these are unknown.
    """
    calls = [each for each in seen if each.check == outcome.id]
    drawn = outcome.counterexample.get("drawn")
    ends = [at for at, each in enumerate(calls, 1) if str(each.failed) == drawn]
    return calls[: ends[0]] if ends else []


def _with_facts(mistake: Mistake, found: Mapping[str, Any] | bool | None) -> Mistake:
    """Return a mistake with the facts that an example shows of it, if there are any."""
    if not isinstance(found, Mapping):
        return mistake
    return replace(mistake, facts={**mistake.facts, **_short(found)})


def _short(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts for a sentence: small integers as they are, all others as short text."""
    return plain(
        {
            name: fact if type(fact) is int and abs(fact) < 1 << 53 else show(fact, quoted=False)
            for name, fact in facts.items()
        }
    )


def _shown(
    row: str,
    seen: Sequence[Seen],
    verdicts: Mapping[str, str],
    facts: Mapping[str, Any],
    *,
    last: bool = False,
) -> list[Told]:
    """Return the sentences of the signs that show in the calls, in order of registration: at most
    two of those that are not registered with `last` or, with `last`, all of those that are.

    `verdicts`: of each check, by id.
    `facts`: those that all sentences have.
    """
    shown: dict[str, Told] = {}
    for sign in signs(row):
        may_be = not sign.fails or "fail" in map(verdicts.get, sign.fails)
        is_enough = len(shown) == MOST_TOLD and not last
        if sign.last != last or not may_be or shown.keys() & {*sign.unless} or is_enough:
            continue
        found = [sign.shows(seen)] if sign.together else [sign.shows(each) for each in seen]
        yes = [each for each in found if each]
        if len(yes) >= sign.enough and not any(each is False for each in found):
            own = next((dict(each) for each in yes if isinstance(each, Mapping)), {})
            varies = len({*map(repr, yes)}) > 1
            holds = functools.partial(_at, sign, last or varies)
            shown[sign.id] = Mistake(sign.id, {**facts, **_short(own)}), holds
    return [*shown.values()]


def _at(sign: Sign, is_strict: bool, calls: Sequence[Seen]) -> Any:
    """Return whether a sign shows in an example, or its facts; if that is unknown, None or, with
    `is_strict`, False.
    """
    found = sign.at(calls)
    return False if is_strict and found is None else found


class ImitatedCall:
    """A call, or several equal calls of a function that draws, with the answers of an imitation."""

    def __init__(self, imitation: Imitation, calls: Sequence[Seen]) -> None:
        self.imitation, self.calls = imitation, calls
        self.kind = imitation.kind(calls[0])
        self.free = [frozenset[str](), *({way} for way in imitation.free(calls[0]))]
        self._obtained = self._parts([each.answer for each in calls])
        self._wrong: dict[Switches, frozenset[str]] = {}

    def wrong_parts(self, switches: Switches) -> frozenset[str]:
        """Return the parts in which the answer differs from that of a function with these mistakes,
        which chooses what is free as the answer does.
        """
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
        self._imitation = imitation
        self._switches = imitation.switches if imitation else ()
        self._only = imitation.only if imitation else {}
        groups = _groups(imitation, seen) if imitation else []
        self._cases = [ImitatedCall(imitation, group) for group in groups] if imitation else []
        cases = {each: case for case in self._cases for each in case.calls}
        # the calls, each with the answer of right code where that is known
        self.seen = [_with_right(cases[each], each) if each in cases else each for each in seen]
        self._case_of = {
            new: cases[old] for old, new in zip(seen, self.seen, strict=True) if old in cases
        }
        kinds = {case.kind for case in self._cases if case.wrong_parts(RIGHT)}
        shows = [case for case in self._cases if case.kind in kinds]
        # a wrong answer contradicts most mistakes
        self._shows = sorted(shows, key=lambda case: not case.wrong_parts(RIGHT))

    def singles(self) -> list[str]:
        """Return the switches that each explain every call of the kinds in which some answer is
        wrong and, of these, the ones that fewest answers of other kinds contradict.
        """
        found = [each for each in self._switches if self._explains({each}, [RIGHT])]
        wrong = {each: self.contradicted({each}) for each in found}
        return [each for each in found if wrong[each] == min(wrong.values())]

    def pairs(self) -> list[tuple[str, str]]:
        """Return the pairs of switches that together explain every call of the kinds in which some
        answer is wrong, while calls contradict each of the two alone.
        """
        return [
            (one, other)
            for one, other in itertools.combinations(self._switches, 2)
            if id_of(one) != id_of(other)
            and self._explains({one, other}, [RIGHT, frozenset([one]), frozenset([other])])
        ]

    def described(self) -> str | None:
        """Return a mistake that is named after the parts in which answers are wrong
        (`Imitation.only`); None if there is none.
        """
        parts = set[str]().union(*(case.wrong_parts(RIGHT) for case in self._shows))
        found = [id for id, those in self._only.items() if parts and parts <= {*those}]
        return found[0] if found else None

    def holds(self, ways: Sequence[Switches], calls: Sequence[Seen]) -> bool | None:
        """Return whether a function with the mistakes in one of `ways` gives the wrong answer of an
        example's last call; True without ways. None if right code may give that answer.
        """
        case = self._case_of.get(calls[-1])
        if case is None or not case.wrong_parts(RIGHT):
            return None
        return not ways or not all(map(case.wrong_parts, ways))

    def explained(
        self, function: str, outcomes: Iterable[Outcome], ways: Iterable[Iterable[str]]
    ) -> tuple[str, ...]:
        """Return the ids of the failed checks that also fail for a function with the mistakes of a
        way and no others, whichever of the `ways` it is; none if that is unknown for one check.
        """
        imitated = self._imitation
        files = [_WithOnly(function, imitated, frozenset(way)) for way in ways if imitated]
        failed = [outcome for outcome in outcomes if outcome.verdict == "fail"]
        found = {outcome.id: [_fails(outcome, file) for file in files] for outcome in failed}
        if any(None in each for each in found.values()):
            return ()
        return tuple(id for id, each in found.items() if all(each))

    def _explains(self, wrong: Set[str], others: Sequence[Switches]) -> bool:
        """Return whether the mistakes `wrong` give every answer of the wrong kinds of calls, and
        enough of these calls contradict each of the `others`.
        """
        switches = frozenset(wrong)
        agree = not any(case.wrong_parts(switches) for case in self._shows)
        return agree and all(map(self._tells, others))

    def _tells(self, other: Switches) -> bool:
        """Return whether at least two calls contradict the mistakes `other`."""
        wrong = (case for case in self._shows if case.wrong_parts(other))
        return len(list(itertools.islice(wrong, ENOUGH))) == ENOUGH

    def contradicted(self, wrong: Set[str]) -> int:
        """Count the parts of all answers that a function with the mistakes `wrong` would not
        give.
        """
        return sum(len(case.wrong_parts(frozenset(wrong))) for case in self._cases)


class _WithOnly(Solution):
    """A file with one function: an imitation that makes the mistakes `wrong`."""

    def __init__(self, function: str, imitation: Imitation, wrong: Switches) -> None:
        super().__init__()
        self._function, self._imitation, self._wrong = function, imitation, wrong

    def names(self) -> list[str]:
        """List that function."""
        return [self._function]

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Call the imitation; raise `NoOpinion` if it is unknown what such a function does."""
        if method != "call" or args[0] != self._function:
            raise NoOpinion
        call = Seen(args[1], args[2], Answer())
        answer = answer_of(self._imitation, self._wrong, kwargs["seed"], call)
        if answer is None:
            raise NoOpinion
        return answer


def _fails(outcome: Outcome, file: Solution) -> bool | None:
    """Return whether a check fails in a file; None if that is unknown.

    `outcome`: that of the check in the student's file; the example that failed there runs first.
    """
    check = CHECKS.get(outcome.id)
    if check is None:
        return None
    drawn = outcome.counterexample.get("drawn")
    first = [] if drawn is None else [example_at(check, int(drawn))]
    found: bool | None = False
    for example in [*first, *known_examples(check)]:
        file.seed = example.seed
        try:
            check.body(check.heard(file), **example.values)
        except (CheckFailed, StudentError):
            return True
        except Exception:  # NoOpinion, and what a check cannot read
            found = None
    return found


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
