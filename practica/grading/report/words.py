"""The words of a canonical result: everything in it that a person reads, said in one language.

Students read what `said` returns. What costs nothing, and only a person should look at, is for
instructors: `flags_of`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from practica.grading.engine.adjustments import COMMENT, LATE, TOTAL
from practica.grading.engine.result import (
    CheckResult,
    Class,
    Diagnosis,
    FunctionResult,
    Lateness,
    Mistake,
    Reason,
    RuleResult,
    SubmissionResult,
)
from practica.grading.report.messages import Sentence, as_points, catalogue, say
from practica.json_data import Facts
from practica.notebook import cell_of

LINES = ("line", "lines")  # the places of sentences that name lines of the file
LONGEST_CALL = 120  # characters inside a sentence that can do with fewer
STOPPED = "source.stopped"  # where a file stops, its student has to know, whatever it costs
# what a student reads and a person should look at too: a function that is there, and does not count
UNCOUNTED = (
    "source.rebound",
    "signature.missing.nested",
    "signature.missing.guarded",
    "check.text_cell",
)
# incidents of a file in which nothing is written, and all that the student reads too
UNWRITTEN = ("file.template", "file.empty")
HANDED_IN = ("file.several", "file.encoding", *UNWRITTEN)

# of each line of a notebook, the cell and the line in it; empty for other files
Cells = Sequence[tuple[int, int]]


@dataclass(frozen=True, kw_only=True)
class SaidRule(RuleResult):
    """A rule with its sentence."""

    sentence: Sentence


@dataclass(frozen=True, kw_only=True)
class SaidCheck(CheckResult):
    """A check with its sentence, which is empty if there is nothing to say; `again` is true if an
    earlier check has the same sentence.
    """

    sentence: Sentence
    again: bool


@dataclass(frozen=True)
class SaidMistake:
    """A known mistake that explains a function for certain."""

    id: str
    sentence: Sentence


@dataclass(frozen=True, kw_only=True)
class SaidFunction(FunctionResult):
    """A function with the sentences of its rules, its checks and its diagnosis; `likely` is empty
    without a diagnosis.

    The order is the same everywhere: broken rules, the likely mistake, failed checks.
    """

    rules: tuple[SaidRule, ...]
    checks: tuple[SaidCheck, ...]  # in the order in which they are told
    likely: Sentence
    mistakes: tuple[SaidMistake, ...]

    @property
    def broken(self) -> list[SaidRule]:
        """The rules that the function breaks."""
        return [rule for rule in self.rules if rule.severity == "broken"]

    @property
    def failed(self) -> list[SaidCheck]:
        """The checks that did not pass, the first of which is the one to show."""
        return [check for check in self.checks if check.verdict != "pass"]

    @property
    def news(self) -> list[SaidCheck]:
        """The failed checks with a sentence that no earlier one has."""
        return [check for check in self.failed if check.sentence and not check.again]

    @property
    def reasons(self) -> list[Sentence]:
        """Why the function loses points, the sentence that says most first."""
        likely = [self.likely] if self.likely else []
        broken = [rule.sentence for rule in self.broken]
        return [*broken, *likely, *(check.sentence for check in self.news)]


@dataclass(frozen=True, kw_only=True)
class SaidSubmission(SubmissionResult):
    """A submission with the sentences of its functions, and `why` it was not graded: empty if it
    was.
    """

    functions: tuple[SaidFunction, ...]
    why: Sentence


@dataclass(frozen=True)
class Flag:
    """Something in a submission that costs no points and that a person should look at."""

    id: str  # the rule's
    name: str  # what it is about, "os.system"; the id where no name is known, with its variant
    line: int | None  # the first one
    functions: tuple[str, ...]  # those that it is about; empty for the whole file
    sentence: Sentence  # what there is to say, with the line


def flags_of(submission: SubmissionResult, lang: str = "es") -> list[Flag]:
    """Return what a person should look at in a submission, each name once, in the order of the
    lines.

    >>> rule = RuleResult("calls.suspicious", "broken", "flag", 7, {"name": "os.system"})
    >>> functions = tuple(
    ...     FunctionResult(name, name, 1, 0.2, 0.2, "pass", (rule,))
    ...     for name in ("accuracy", "hold_out")
    ... )
    >>> submission = SubmissionResult(
    ...     "ana", "ana.py", "", "graded", None, 0.4, 0.4, functions=functions
    ... )
    >>> [str(flag.sentence) for flag in flags_of(submission, "en")]
    ['line 7: It uses os.system, which can run code that the file does not show.']
    """
    found: dict[str, list[tuple[str, RuleResult]]] = {}
    for function in submission.functions:
        for rule in function.rules:
            if _is_flag(rule) or _full_id(rule) in UNCOUNTED:
                name = str(rule.facts.get("name") or _full_id(rule))
                found.setdefault(name, []).append((function.name, rule))
    flags = [_flag(name, uses, submission, lang) for name, uses in found.items()]
    return sorted(flags, key=lambda flag: (flag.line or 0, flag.name))


def _flag(
    name: str, uses: Sequence[tuple[str, RuleResult]], submission: SubmissionResult, lang: str
) -> Flag:
    cells, rule = submission.cells or (), uses[0][1]
    functions = tuple(dict.fromkeys(function for function, _ in uses))
    if len(functions) == len(submission.functions):
        functions = ()
    sentence = _of_rule(rule, cells, lang)
    if functions:
        sentence = say("flag.functions", {"sentence": sentence, "functions": functions}, lang)
    line = min((rule.line for _, rule in uses if rule.line is not None), default=None)
    return Flag(rule.id, name, line, functions, at_line(line, sentence, cells, lang))


def _is_flag(rule: RuleResult) -> bool:
    """Return whether a rule is only shown to the instructor."""
    return rule.cost == "flag" and rule.id != STOPPED and _full_id(rule) not in UNCOUNTED


def _full_id(rule: RuleResult) -> str:
    """Return the id of the rule's sentence."""
    variant = rule.facts.get("variant")
    return f"{rule.id}.{variant}" if variant else rule.id


def said(submission: SubmissionResult, lang: str = "es") -> SaidSubmission:
    """Return a submission with its sentences, as its student reads it.

    It has no flags. In a notebook the lines that a sentence names are those of its cells. A check
    with a call that does not end comes first, and those without an answer for another reason last.
    """
    cells = submission.cells or ()
    functions = tuple(_said_function(function, cells, lang) for function in submission.functions)
    return SaidSubmission(
        **{**vars(submission), "functions": functions}, why=_of_reason(submission.reason, lang)
    )


def _said_function(function: FunctionResult, cells: Cells, lang: str) -> SaidFunction:
    rules, known = (rule for rule in function.rules if not _is_flag(rule)), function.diagnosis
    leads = known.leads if known else ""
    if known and not known.mistakes:  # it says no more than which check leads
        function, known = replace(function, diagnosis=None), None
    sentences = {
        "rules": tuple(
            SaidRule(**vars(rule), sentence=_of_rule(_in_verdict(rule, function), cells, lang))
            for rule in rules
        ),
        "checks": tuple(
            SaidCheck(
                **vars(check),
                sentence=sentence_of(check, cells, lang, guess=not function.diagnosis),
                again=again,
            )
            for check, again in _in_turn(function.checks, leads)
        ),
    }
    mistakes = () if known is None or known.how in ("either", "seen") else known.mistakes
    told = tuple(
        SaidMistake(mistake.id, _of_mistake(mistake, lang))
        for mistake in mistakes
        if not mistake.id.startswith("observation.")
    )
    return SaidFunction(
        **{**vars(function), **sentences}, likely=likely(known, lang), mistakes=told
    )


def _in_verdict(rule: RuleResult, function: FunctionResult) -> RuleResult:
    """Return the rule, changed if it is about a parameter with another name and the function fails:
    then its sentence does not call the name harmless.
    """
    if rule.id != "signature.name" or function.verdict != "fail" or "variant" in rule.facts:
        return rule
    return replace(rule, facts={**rule.facts, "variant": "fails"})


def sentence_of(
    check: CheckResult, cells: Cells = (), lang: str = "es", *, guess: bool = True
) -> Sentence:
    """Return the sentence of a check; with `guess`, it may guess at the cause."""
    return _of_message(check.message, _in_cells(check, cells, lang), lang, guess=guess)


def _in_turn(checks: Sequence[CheckResult], leads: str) -> Iterator[tuple[CheckResult, bool]]:
    """Yield the checks, in the order of `_turn`, and whether an earlier one had the same general
    sentence and error.

    `leads`: the id of the check that comes first among those of the same rank; empty for none.
    """
    known: set[tuple[str, str, str]] = set()
    for check in sorted(checks, key=lambda check: (_turn(check), check.id != leads)):
        key = check.message, str(check.facts.get("error")), str(check.facts.get("line"))
        yield check, bool(check.message) and check.message != check.id and key in known
        known.add(key)


def _turn(check: CheckResult) -> int:
    """Return the rank of a failed check: 0 if its call does not end, 2 if there is no answer for
    another reason, 1 otherwise.
    """
    if check.message == "lost.timeout":
        return 0  # why the student has waited
    return 2 if check.message.startswith("lost.") else 1


def status_of(submission: SaidSubmission, lang: str = "es") -> Sentence:
    """Return why a submission was not graded."""
    return say(f"status.{submission.status}", {"reason": submission.why}, lang)


def lateness(late: Lateness) -> str:
    """Return how late a submission is, in units that are the same in every language.

    >>> (
    ...     lateness(Lateness(26 * 60 * 60)),
    ...     lateness(Lateness(24 * 60 * 60 + 1)),
    ...     lateness(Lateness(65 * 60)),
    ... )
    ('1 d 2 h', '1 d', '1 h 5 min')
    """
    days, rest = divmod(late.seconds, 24 * 60 * 60)
    hours, rest = divmod(rest, 60 * 60)
    parts = [
        f"{count} {unit}"
        for count, unit in ((days, "d"), (hours, "h"), (rest // 60, "min"))
        if count
    ]
    return " ".join(parts[:2]) or f"{late.seconds} s"


def decided(
    submission: SubmissionResult,
    lang: str = "es",
    written: Callable[[float | None], str] = as_points,
) -> list[Sentence]:
    """Return, as sentences, how late a submission is and what changed its points after marking,
    with the notes; `written` formats points.
    """
    late = None if submission.late is None else lateness(submission.late)
    sentences = []
    if late is not None and not any(
        adjustment.function == LATE for adjustment in submission.adjustments
    ):
        sentences.append(say("late.told", {"late": late}, lang))
    for adjustment in submission.adjustments:
        if adjustment.function == COMMENT:
            sentences.append(say("adjusted.comment", {"note": adjustment.note}, lang))
            continue
        kind = adjustment.function if adjustment.function in (LATE, TOTAL) else "function"
        cost = (adjustment.before or 0) - (adjustment.after or 0)
        if kind == LATE:
            kind = LATE if cost else "excused"
        elif adjustment.before in (None, adjustment.after):
            kind = f"{kind}_is"
        facts = {
            "function": adjustment.function,
            "before": written(adjustment.before),
            "after": written(adjustment.after),
            "late": "" if late is None else f" ({late})",
            "cost": written(cost),
        }
        sentence = say(f"adjusted.{kind}", facts, lang)
        noted = say("adjusted.noted", {"sentence": sentence, "note": adjustment.note}, lang)
        sentences.append(noted if adjustment.note else sentence)
    return sentences


def stop_of(
    functions: Sequence[FunctionResult],
    cells: Cells = (),
    lang: str = "es",
    *,
    flagged: bool = False,
) -> Sentence | None:
    """Return the sentence that says where the file with these functions stops half-way; None if it
    does not.

    `flagged`: whether only a stop counts that costs something or is flagged for review.
    """
    for rule in functions[0].rules if functions else ():
        if rule.id == STOPPED and (rule.cost or not flagged):
            return at_line(rule.line, _of_rule(rule, cells, lang), cells, lang)
    return None


def likely(diagnosis: Diagnosis | None, lang: str = "es") -> Sentence:
    """Return the sentence on the mistakes that explain a function, or on what its answers have in
    common; empty without either.
    """
    if not diagnosis or not diagnosis.mistakes:
        return Sentence([])
    mistakes = [_of_mistake(mistake, lang) for mistake in diagnosis.mistakes]
    two = "_two" if diagnosis.how in ("one", "seen") and len(mistakes) > 1 else ""
    return say(
        f"likely.{diagnosis.how}{two}",
        dict(zip(("first", "second"), mistakes, strict=False)),
        lang,
        strict=False,
    )


Rules = tuple[SaidRule, ...]


def shared_rules(functions: Sequence[SaidFunction]) -> tuple[Rules, tuple[SaidFunction, ...]]:
    """Separate the rules that are about the whole file, which are said once.

    Returned `shared`: what is said of every function. A rule that only some of them break is advice
        for the file, and stays with those functions.
    Returned `functions`: the same functions with their other rules.
    """
    times = Counter(
        key for function in functions for key in {_key(rule) for rule in function.rules}
    )
    everywhere = {
        key for key, count in times.items() if len(functions) > 1 and count == len(functions)
    }
    shared: dict[tuple[object, ...], SaidRule] = {}
    for rule in (
        rule for function in functions for rule in function.rules if _key(rule) in everywhere
    ):
        if _key(rule) not in shared or rule.severity == "advice":
            shared[_key(rule)] = rule
    severities = {key: rule.severity for key, rule in shared.items()}
    own = (
        replace(
            function,
            rules=tuple(
                rule for rule in function.rules if rule.severity != severities.get(_key(rule))
            ),
        )
        for function in functions
    )
    return tuple(shared.values()), tuple(own)


def at_line(line: int | None, sentence: Sentence, cells: Cells, lang: str) -> Sentence:
    """Return a sentence that begins with its line, as `place_of` names it, if it has one."""
    if line is None:
        return sentence
    return say("line", {"line": place_of(line, cells, lang), "sentence": sentence}, lang)


def place_of(line: object, cells: Cells, lang: str = "es") -> object:
    """Return a line, or each of a list, as a sentence names it: in a notebook by the line of its
    cell.

    `line`: what is not a number, or lies in no cell, is returned as it is.
    `cells` (sequence of (cell, line in the cell)): where each line of a notebook comes from; empty
        for other files.
    """
    if isinstance(line, list):
        return [place_of(each, cells, lang) for each in line]
    place = cell_of(int(str(line)), cells) if str(line).isdecimal() else None
    return (
        line if place is None else say("line_of_cell", {"cell": place[0], "line": place[1]}, lang)
    )


def _key(rule: SaidRule) -> tuple[object, ...]:
    return rule.id, rule.line, rule.sentence


def _in_cells(of: RuleResult | CheckResult, cells: Cells, lang: str) -> Facts:
    """Return the facts of a rule or check, with the lines of the file replaced by lines of cells if
    there are cells.
    """
    if not cells or not of.facts.keys() & LINES:
        return of.facts
    return {
        name: place_of(fact, cells, lang) if name in LINES else fact
        for name, fact in of.facts.items()
    }


def _of_mistake(mistake: Mistake, lang: str) -> Sentence:
    if mistake.id.startswith("observation."):
        return _of_observation(mistake, lang)
    return say(f"mistake.{mistake.id}", _in_words(mistake.facts, lang), lang, strict=False)


def _of_observation(seen: Mistake, lang: str) -> Sentence:
    """Return the sentence of an observation about wrong answers: what is wrong, in which part of
    the answers, and in which calls.
    """

    def word(kind: str, value: object) -> object:
        for id in (f"metric.{value}", f"observation.{kind}.{value}"):
            if id in catalogue(lang):
                return say(id, {}, lang)
        return say(f"observation.{kind}", {kind: value}, lang)

    facts = dict(seen.facts)
    for kind in {"figure", "applied", "place"} & facts.keys():
        facts[kind] = word(kind, facts[kind])
    for parts in {"part", "others"} & facts.keys():
        if isinstance(facts[parts], list):
            facts[parts] = _listed([word("part", each) for each in facts[parts]], lang)
    sentence = say(seen.id, facts, lang, strict=False)
    facts.pop("variant", None)
    if "part" in facts:
        sentence = say("observation.in_part", {**facts, "sentence": sentence}, lang)
    if "scope" in facts:
        id = f"observation.where.{facts['scope']}"
        sentence = say(id, {**facts, "sentence": sentence}, lang)
    return say("observation.end", {"sentence": sentence}, lang)


def _listed(items: Sequence[object], lang: str) -> object:
    """Return the items of a list in a sentence, the last one after an "and"."""
    if len(items) < 2:
        return items[0] if items else ""
    return say("observation.and", {"others": [*items[:-1]], "last": items[-1]}, lang)


def _in_words(facts: Facts, lang: str) -> Facts:
    """Return facts with the metric, and the counts of a formula, in the words of the statement."""
    found = dict(facts)
    if (metric := f"metric.{facts.get('metric')}") in catalogue(lang):
        found["metric"] = say(metric, {}, lang)
    if "formula" in facts:
        words = re.split(r"(\w+)", str(facts["formula"]))
        found["formula"] = "".join(catalogue(lang).get(f"count.{word}", word) for word in words)
    return found


def _of_rule(rule: RuleResult, cells: Cells, lang: str) -> Sentence:
    sentence = say(rule.id, _in_cells(rule, cells, lang), lang, strict=False)
    if rule.cost != "cap":
        return sentence
    return say("capped", {"sentence": sentence, "cap": rule.facts.get("cap")}, lang)


def _of_message(id: str, facts: Facts, lang: str, *, guess: bool = True) -> Sentence:
    if not id:
        return Sentence([])
    facts = _in_words(facts, lang)
    if id.startswith("lost.") and id not in catalogue(lang):
        details = ", ".join(
            f"{name}: {value}" for name, value in facts.items() if value not in (None, "")
        )
        reason = id.removeprefix("lost.") + (f"; {details}" if details else "")
        return say("lost.unknown", {"reason": reason}, lang)
    return say(id, facts, lang, strict=False, guess=guess)


def handed_in(
    class_: Class | None, identifier: str, lang: str, codes: Collection[str] = HANDED_IN
) -> list[Sentence]:
    """Return the sentences that a student reads about the file itself, one for each incident of the
    submission that has one of the `codes`.
    """
    incidents = class_.incidents if class_ else ()
    return [
        say(f"page.{incident.code}", incident.facts, lang, strict=False)
        for incident in incidents
        if incident.entry == identifier and incident.code in codes
    ]


def _of_reason(reason: Reason | None, lang: str) -> Sentence:
    if reason is None:
        return Sentence([])
    return at_line(reason.line, _of_message(reason.message, reason.facts, lang), (), lang)
