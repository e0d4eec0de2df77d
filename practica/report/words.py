"""The words of a canonical result: everything in it that a person reads, said in one language.

Students read what `said` returns. What costs nothing, and only a person should look at, is for instructors: `flags_of`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from practica.notebook import cell_of
from practica.report.messages import Sentence, catalogue, say

__all__ = [
    "LINES",
    "LONGEST_CALL",
    "Flag",
    "flags_of",
    "likely",
    "place_of",
    "said",
    "shared_rules",
    "status_of",
    "stop_of",
    "visible",
]

LINES = ("line", "lines")  # the places of sentences that name lines of the file
LONGEST_CALL = 120  # characters inside a sentence that can do with fewer
STOPPED = "source.stopped"  # where a file stops, its student has to know, whatever it costs


@dataclass(frozen=True)
class Flag:
    """Something in a submission that costs nothing, and that a person should look at.

    Attributes
    ----------
    id : str
        Of the rule.
    name : str
        What it is about, "os.system"; the id where no name is known, with its variant.
    line : int or None
        The first one.
    functions : tuple of str
        Those that it is about; empty for the whole file.
    sentence : Sentence
        What there is to say, with the line.
    """

    id: str
    name: str
    line: int | None
    functions: tuple[str, ...]
    sentence: Sentence


def flags_of(submission: Mapping[str, Any], lang: str = "es") -> list[Flag]:
    """Return what a person should look at in a submission, each name once, in the order of the lines.

    Parameters
    ----------
    submission : dict
        One element of `submissions` in a canonical result.
    lang : "es" or "en"

    Examples
    --------
    >>> rule = {"id": "calls.suspicious", "cost": "flag", "line": 7, "facts": {"name": "os.system"}}
    >>> functions = [{"name": "accuracy", "rules": [rule]}, {"name": "hold_out", "rules": [rule]}]
    >>> [str(flag.sentence) for flag in flags_of({"functions": functions}, "en")]
    ['line 7: It uses os.system, which can run code that the file does not show.']
    """
    found: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
    for function in submission["functions"]:
        for rule in filter(_is_flag, function["rules"]):
            name = rule["facts"].get("name") or ".".join(filter(None, [rule["id"], rule["facts"].get("variant")]))
            found.setdefault(name, []).append((function["name"], rule))
    flags = [_flag(name, told, submission, lang) for name, told in found.items()]
    return sorted(flags, key=lambda flag: (flag.line or 0, flag.name))


def _flag(name: str, told: Sequence[tuple[str, Mapping[str, Any]]], submission: Mapping[str, Any], lang: str) -> Flag:
    cells, rule = submission.get("cells", ()), told[0][1]
    functions = tuple(dict.fromkeys(function for function, _ in told))
    if len(functions) == len(submission["functions"]):
        functions = ()
    sentence = _of_rule(_in_cells(rule, cells, lang), lang)
    if functions:
        sentence = say("flag.functions", {"sentence": sentence, "functions": functions}, lang)
    line = min((rule["line"] for _, rule in told if rule["line"] is not None), default=None)
    if line is not None:
        sentence = say("line", {"line": place_of(line, cells, lang), "sentence": sentence}, lang)
    return Flag(rule["id"], name, line, functions, sentence)


def _is_flag(rule: Mapping[str, Any]) -> bool:
    return rule["cost"] == "flag" and rule["id"] != STOPPED


def said(submission: Mapping[str, Any], lang: str = "es") -> dict[str, Any]:
    """Return a submission with its sentences.

    Parameters
    ----------
    submission : dict
        One element of `submissions` in a canonical result.
    lang : "es" or "en"

    Returns
    -------
    submission : dict
        The same without its flags, where each rule and check has its `sentence`, `likely` says the diagnosis of a
        function, `mistakes` has the id and the `sentence` of each one that is sure, and `reason` is a sentence: all of
        them a `practica.report.messages.Sentence`, and empty where there is nothing to say. In a notebook the lines
        that a sentence names are those of its cells. What a check says `again` need not be read: one before it said
        it. A call that does not end comes first, and what got no other answer last.
    """
    cells = submission.get("cells", ())
    functions = [
        {
            **function,
            "rules": [
                {**rule, "sentence": _of_rule(_in_cells(rule, cells, lang), lang)}
                for rule in function["rules"]
                if not _is_flag(rule)
            ],
            "checks": [
                {**check, "sentence": _of_message(_in_cells(check, cells, lang), lang), "again": again}
                for check, again in _in_turn(function["checks"])
            ],
            "likely": likely(function.get("diagnosis"), lang),
            "mistakes": _mistakes(function.get("diagnosis"), lang),
        }
        for function in submission["functions"]
    ]
    return {**submission, "reason": _of_reason(submission["reason"], lang), "functions": functions}


def _in_turn(checks: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], bool]]:
    """Yield the checks, in the order of `_turn`, and whether each says what one before it says.

    That is a general sentence, with the same error where it is one.
    """
    told: set[tuple[Any, ...]] = set()
    for check in sorted(checks, key=_turn):
        facts, own = check["facts"], check["message"] == check["id"]
        key = check["message"], str(facts.get("error")), str(facts.get("line"))
        yield check, bool(check["message"]) and not own and key in told
        told.add(key)


def _turn(check: Mapping[str, Any]) -> int:
    """Return 0 for a call that does not end, 2 for another one without an answer, 1 for everything else."""
    if check["message"] == "lost.timeout":
        return 0  # why the student has waited
    return 2 if check["message"].startswith("lost.") else 1


def status_of(submission: Mapping[str, Any], lang: str = "es") -> Sentence:
    """Say why a submission was not graded; it is one of `said`."""
    return say(f"status.{submission['status']}", {"reason": submission["reason"]}, lang)


def stop_of(submission: Mapping[str, Any], lang: str = "es") -> Sentence | None:
    """Say where a submission that was graded stops half-way, None if it does not."""
    first = submission["functions"][:1]
    if not any(rule["id"] == STOPPED for function in first for rule in function["rules"]):
        return None
    (function,) = said({**submission, "functions": first}, lang)["functions"]
    rule = next(rule for rule in function["rules"] if rule["id"] == STOPPED)
    line = place_of(rule["line"], submission.get("cells", ()), lang)
    return say("line", {"line": line, "sentence": rule["sentence"]}, lang)


def likely(diagnosis: Mapping[str, Any] | None, lang: str = "es") -> Sentence:
    """Say which mistakes explain a function, or nothing."""
    if not diagnosis:
        return Sentence([])
    told = [_of_mistake(each, lang) for each in diagnosis["mistakes"]]
    places = dict(zip(("first", "second"), told, strict=False))
    return say(f"likely.{diagnosis['how']}", places, lang, strict=False)


def shared_rules(functions: Sequence[Mapping[str, Any]]) -> tuple[list[Mapping[str, Any]], list[list[Any]]]:
    """Tell apart the rules that are about the whole file, which are told once.

    Parameters
    ----------
    functions : of a submission of `said`

    Returns
    -------
    shared : list of rules
        What is said of every function. A rule that only some of them break is an advice of the file, and stays with
        those who break it.
    own : list of lists of rules
        The other rules of each function.
    """
    told = Counter(key for function in functions for key in {_key(rule) for rule in function["rules"]})
    everywhere = {key for key, times in told.items() if len(functions) > 1 and times == len(functions)}
    shared: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for rule in (rule for function in functions for rule in function["rules"] if _key(rule) in everywhere):
        if _key(rule) not in shared or rule["severity"] == "advice":
            shared[_key(rule)] = rule
    own = [
        [rule for rule in function["rules"] if rule["severity"] != shared.get(_key(rule), {}).get("severity")]
        for function in functions
    ]
    return list(shared.values()), own


def place_of(line: Any, cells: Sequence[Sequence[int]], lang: str = "es") -> Any:
    """Return a line, or each of a list, as a sentence names it: in a notebook by the line of its cell.

    Parameters
    ----------
    line : int, text with one, or list of them
        What is no number, or lies in no cell, is returned as it is.
    cells : sequence of (cell, line in the cell)
        Of each line of a notebook; empty for other files.
    lang : "es" or "en"
    """
    if isinstance(line, list):
        return [place_of(each, cells, lang) for each in line]
    place = cell_of(int(line), cells) if str(line).isdecimal() else None
    return line if place is None else say("line_of_cell", {"cell": place[0], "line": place[1]}, lang)


def visible(text: str, kept: str = "\n\t") -> str:
    r"""Write what cannot be seen, or moves what can, as Python writes it: control and bidirectional characters, NUL.

    Line ends and tabulators are kept; `kept` is "" where a text must not pass for two lines of ours.

    Examples
    --------
    >>> visible("año\u202e\0")
    'año\\u202e\\x00'
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() or character in kept else ascii(character)[1:-1] for character in text
    )


def _key(rule: Mapping[str, Any]) -> tuple[Any, ...]:
    return rule["id"], rule["line"], rule["sentence"]


def _in_cells(told: Mapping[str, Any], cells: Sequence[Sequence[int]], lang: str) -> Mapping[str, Any]:
    """Return a rule or a check whose facts name lines of cells, where there are cells."""
    facts = told["facts"]
    if not cells or not facts.keys() & LINES:
        return told
    return {
        **told,
        "facts": {name: place_of(fact, cells, lang) if name in LINES else fact for name, fact in facts.items()},
    }


def _of_mistake(mistake: Mapping[str, Any], lang: str) -> Sentence:
    return say(f"mistake.{mistake['id']}", mistake["facts"], lang, strict=False)


def _mistakes(diagnosis: Mapping[str, Any] | None, lang: str) -> list[dict[str, Any]]:
    if not diagnosis or diagnosis["how"] == "either":
        return []
    return [{"id": each["id"], "sentence": _of_mistake(each, lang)} for each in diagnosis["mistakes"]]


def _of_rule(rule: Mapping[str, Any], lang: str) -> Sentence:
    sentence = say(rule["id"], rule["facts"], lang, strict=False)
    if rule["cost"] != "cap":
        return sentence
    return say("capped", {"sentence": sentence, "cap": rule["facts"].get("cap")}, lang)


def _of_message(told: Mapping[str, Any], lang: str) -> Sentence:
    identifier, facts = told["message"], told["facts"]
    if not identifier:
        return Sentence([])
    if (metric := f"metric.{facts.get('metric')}") in catalogue(lang):
        facts = {**facts, "metric": say(metric, {}, lang)}
    if identifier.startswith("lost.") and identifier not in catalogue(lang):
        details = ", ".join(f"{name}: {value}" for name, value in facts.items() if value not in (None, ""))
        reason = identifier.removeprefix("lost.") + (f"; {details}" if details else "")
        return say("lost.unknown", {"reason": reason}, lang)
    return say(identifier, facts, lang, strict=False)


def _of_reason(reason: Mapping[str, Any] | None, lang: str) -> Sentence:
    if reason is None:
        return Sentence([])
    sentence = _of_message(reason, lang)
    return sentence if reason["line"] is None else say("line", {"line": reason["line"], "sentence": sentence}, lang)
